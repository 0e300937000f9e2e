//! THE one write of a mail: raw bytes, verdicts, moves, what goes out, and the tick in the ledger, in one transaction.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::{Connection, SqliteConnection};

use super::acts::{self, Act};
use super::bounces::{BounceRow, put_bounce};
use super::care::enter_by_mail;
use super::changes::commit;
use super::error::StoreError;
use super::inbox::{Arrival, tick_off};
use super::mails::{is_decided, mail_by_content};
use super::moves::{ByMail, NewMove, append, put_plan, take_back};
use super::outbox::{Outgoing, enqueue};
use super::player::{Asking, put_question, settle};
use super::retract::put_back;
use super::rows::{integer, key_of_any, packed};
use super::senders::{Vouched, note_vouched};
use super::sent::keep_bytes;
use super::sent::{SentRow, note_own_id, put_sent};
use super::{Store, open};
use crate::domain::game::{ClockNote, Game, GameId, Leave, Plan, Stated};
use crate::domain::notation::NumericMove;
use crate::mail::authentication::Finding;

/// A mail with everything that was decided about it.
#[derive(Debug, Clone, Default)]
pub struct Taken<'a> {
    /// Where it arrived; `None` for a mail given by hand.
    pub arrival: Option<Arrival>,
    /// Its bytes, as they came.
    pub raw: &'a [u8],
    /// The mail is no game's business: its bytes are not kept, only their hash.
    pub private: bool,
    /// Its Message-ID, with its angle brackets.
    pub message_id: Option<String>,
    /// Who it says it is from.
    pub from_address: Option<String>,
    /// The subject, cleaned for showing.
    pub subject: String,
    /// When our server took it.
    pub server_date: Option<DateTime<Utc>>,
    /// What was decided, game by game.
    pub verdicts: Vec<VerdictRow>,
    /// The moves that go on record, in order.
    pub moves: Vec<NewMove>,
    /// What it shows of the player's own mails.
    pub sent: Vec<SentRow>,
    /// What it tells of mails of his that did not arrive.
    pub bounces: Vec<BounceRow>,
    /// The player's own leave, of which it tells.
    pub leaves: Vec<(GameId, Leave)>,
    /// What it says about the clock of the ply that is due: that its writer reminds the other, or that the move went out again.
    pub notes: Vec<(GameId, ClockNote)>,
    /// What the player commands by it.
    pub commanded: Option<Commanded>,
    /// The mails that it causes.
    pub outgoing: Vec<Outgoing>,
    /// The Message-ID of one of our own mails, which this one proves to have arrived.
    pub delivered_message_id: Option<String>,
    /// The domain that vouched for its sender, an opponent.
    pub vouched: Option<Vouched>,
    /// What the journal tells of it.
    pub events: Vec<EventRow>,
    /// What a check of its signatures found; `None` where none was made.
    pub verified: Option<Vec<Finding>>,
    /// What it was judged by beside the games, as `intake` writes it.
    pub settings: Option<Value>,
}

/// What a mail of the player's does to his chosen move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Commanded {
    /// Chooses it.
    Plan {
        /// In which game.
        game: GameId,
        /// How many plies it has.
        expected_plies: usize,
        /// The choice.
        plan: Box<Plan>,
        /// Its draft; `None` where it is held.
        draft: Option<Outgoing>,
    },
    /// Takes it back.
    Undo {
        /// In which game.
        game: GameId,
    },
    /// Takes back what went on record last.
    Retract {
        /// The game as it stands from then on.
        back: Box<Game>,
        /// How many plies it has.
        expected_plies: usize,
        /// The line of the journal.
        event: EventRow,
    },
    /// Settles what waits for him.
    Settle {
        /// The verdict.
        verdict: i64,
        /// The move that he reads in it; without one it is put away.
        read: Option<Box<NewMove>>,
        /// The line of the journal.
        event: EventRow,
    },
    /// Asks the opponent about it.
    Ask {
        /// The verdict.
        verdict: i64,
        /// The question.
        letter: Outgoing,
        /// The line of the journal.
        event: EventRow,
    },
}

/// What was decided about a mail for one game, or for none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictRow {
    /// Which game.
    pub game: Option<GameId>,
    /// A word of the contract, or `own`.
    pub outcome: &'static str,
    /// Why, in words.
    pub reason: String,
    /// The moves.
    pub plies: Vec<NumericMove>,
    /// The conditional lines that the sender offers after them: the player's ply, his reply, ...
    pub conditionals: Vec<Vec<String>>,
    /// What the sender states of the last.
    pub stated: Stated,
    /// Where his statements and the record differ.
    pub discrepancies: Vec<String>,
    /// The legal readings to choose from.
    pub candidates: Vec<NumericMove>,
    /// The player has to look.
    pub open: bool,
    /// The player's last move as the mail repeats it, where that is another one than on record.
    pub read_as: Option<String>,
}

impl VerdictRow {
    /// What the sender states and offers, as it is kept.
    pub(super) fn stated_with_lines(&self) -> Value {
        let Stated { received, sent, days, total } = self.stated;
        json!({"received": received, "sent": sent, "days": days, "total": total, "conditionals": self.conditionals})
    }
}

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRow {
    /// Of which game.
    pub game: Option<GameId>,
    /// In one word.
    pub kind: String,
    /// In a sentence.
    pub text: String,
}

/// Where a mail is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// Its key.
    pub mail: i64,
    /// False when the same content was stored before: then only its arrival was ticked off.
    pub new: bool,
}

impl Store {
    /// Stores a mail with all its effects, or nothing of it. The same content a second time has no effect.
    ///
    /// # Errors
    /// [`StoreError::Moved`], [`StoreError::NoPlan`] or [`StoreError::Finished`] when the game is not any more what was judged: judge again.
    pub async fn record(&mut self, taken: &Taken<'_>, now: DateTime<Utc>) -> Result<Recorded, StoreError> {
        self.record_as(Sha256::digest(taken.raw).into(), taken.raw.len(), taken, now).await
    }

    /// As [`Store::record`], for a mail of which only the hash and the size in bytes are known any more.
    ///
    /// # Errors
    /// Those of [`Store::record`].
    pub async fn record_as(
        &mut self,
        sha256: [u8; 32],
        size: usize,
        taken: &Taken<'_>,
        now: DateTime<Utc>,
    ) -> Result<Recorded, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let recorded = match mail_by_content(&mut tx, &sha256).await? {
            Some(mail) if is_decided(&mut tx, mail).await? => Recorded { mail, new: false },
            known => {
                let mail = match known {
                    Some(mail) => {
                        if !taken.private {
                            keep_bytes(&mut tx, mail, taken).await?;
                        }
                        mail
                    }
                    None => put_mail(&mut tx, taken, &sha256, size, now).await?,
                };
                put_effects(&mut tx, taken, mail, &hex::encode(sha256), now).await?;
                if let Some(settings) = &taken.settings {
                    acts::put_settings(&mut tx, settings, now).await?;
                }
                acts::put(&mut tx, &Act::of_mail(&sha256, size, taken), now).await?;
                put_settled(&mut tx, taken.commanded.as_ref(), &hex::encode(sha256), now).await?;
                Recorded { mail, new: true }
            }
        };
        if let Some(arrival) = &taken.arrival {
            tick_off(&mut tx, arrival, recorded.mail, now).await?;
        }
        commit(tx).await?;
        self.checkin(db);
        Ok(recorded)
    }
}

pub(super) async fn put_mail(
    db: &mut SqliteConnection,
    taken: &Taken<'_>,
    sha256: &[u8; 32],
    size: usize,
    now: DateTime<Utc>,
) -> Result<i64, StoreError> {
    let mail = sqlx::query_scalar(
        "INSERT INTO mails (sha256, raw, size, message_id, from_address, subject, server_date, taken_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
    )
    .bind(sha256.as_slice())
    .bind(if taken.private { None } else { Some(packed(taken.raw)?) })
    .bind(integer(size))
    .bind(&taken.message_id)
    .bind(&taken.from_address)
    .bind(&taken.subject)
    .bind(taken.server_date)
    .bind(now)
    .fetch_one(db)
    .await?;
    Ok(mail)
}

/// What a command does about another mail that waits.
async fn put_settled(
    db: &mut SqliteConnection,
    commanded: Option<&Commanded>,
    sha256: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let is_held = match commanded {
        Some(Commanded::Settle { verdict, read, event }) => {
            settle(db, *verdict, (read.as_deref(), &[]), event, Some(sha256), now).await?
        }
        Some(Commanded::Ask { verdict, letter, event }) => {
            put_question(db, *verdict, true, letter, event, Some(sha256), now).await? == Asking::Drafted
        }
        Some(Commanded::Plan { .. } | Commanded::Undo { .. } | Commanded::Retract { .. }) | None => true,
    };
    is_held.then_some(()).ok_or(StoreError::NotHeld)
}

pub(super) async fn put_effects(
    db: &mut SqliteConnection,
    taken: &Taken<'_>,
    mail: i64,
    sha256: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let by = Some(ByMail { mail, sha256 });
    sqlx::query("UPDATE mails SET undecided = 0 WHERE id = ? AND undecided = 1").bind(mail).execute(&mut *db).await?;
    match &taken.commanded {
        Some(Commanded::Plan { game, expected_plies, plan, draft }) => {
            put_plan(db, game, *expected_plies, plan, draft.as_ref(), by, now).await?;
        }
        Some(Commanded::Undo { game }) => {
            take_back(db, game, by, now).await?;
        }
        Some(Commanded::Retract { back, expected_plies, event }) => {
            put_back(db, back, *expected_plies, event, by, now).await?;
        }
        // these are about another mail, and have an act after that of this one
        Some(Commanded::Settle { .. } | Commanded::Ask { .. }) | None => {}
    }
    enter_by_mail(db, &taken.leaves, &taken.notes, sha256, now).await?;
    for new in &taken.moves {
        let key = append(db, new, Some(mail), now).await?;
        // a mail of the player's own is nothing that his next reply could answer
        let is_own = taken.sent.iter().any(|sent| sent.game == new.game);
        if let Some(message_id) = taken.message_id.as_ref().filter(|_| !is_own) {
            note_message_id(db, key, message_id).await?;
        }
    }
    for sent in &taken.sent {
        if let Some(message_id) = &taken.message_id {
            note_own_id(db, &sent.game, message_id).await?;
        }
        put_sent(db, sent, taken.message_id.as_deref(), mail).await?;
    }
    for bounce in &taken.bounces {
        put_bounce(db, bounce, mail).await?;
    }
    for verdict in &taken.verdicts {
        put_verdict(db, verdict, mail, now).await?;
    }
    if let Some(message_id) = &taken.delivered_message_id {
        sqlx::query("UPDATE outbox SET state = 'sent' WHERE message_id = ? AND state <> 'sent'")
            .bind(message_id)
            .execute(&mut *db)
            .await?;
    }
    if let Some(vouched) = &taken.vouched {
        note_vouched(db, vouched).await?;
    }
    for outgoing in &taken.outgoing {
        enqueue(db, outgoing, Some(mail), now).await?;
    }
    for event in &taken.events {
        put_event(db, event, Some(mail), now).await?;
    }
    Ok(())
}

async fn put_verdict(
    db: &mut SqliteConnection,
    verdict: &VerdictRow,
    mail: i64,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let game = key_of_any(db, verdict.game.as_ref()).await?;
    sqlx::query(
        "INSERT INTO verdicts (mail, game, outcome, reason, plies, stated, discrepancies, candidates, open, decided_at, read_as)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(mail)
    .bind(game)
    .bind(verdict.outcome)
    .bind(&verdict.reason)
    .bind(json!(verdict.plies).to_string())
    .bind(verdict.stated_with_lines().to_string())
    .bind(json!(verdict.discrepancies).to_string())
    .bind(json!(verdict.candidates).to_string())
    .bind(verdict.open)
    .bind(now)
    .bind(&verdict.read_as)
    .execute(db)
    .await?;
    Ok(())
}

/// Notes a mail of a game: the next reply answers it.
pub(super) async fn note_message_id(db: &mut SqliteConnection, game: i64, message_id: &str) -> Result<(), StoreError> {
    sqlx::query("UPDATE games SET last_message_id = ? WHERE id = ?")
        .bind(message_id)
        .bind(game)
        .execute(&mut *db)
        .await?;
    sqlx::query(
        "INSERT INTO seen_message_ids (game, position, message_id)
         SELECT ?1, (SELECT ifnull(max(position) + 1, 0) FROM seen_message_ids WHERE game = ?1), ?2
         WHERE NOT EXISTS (SELECT 1 FROM seen_message_ids WHERE game = ?1 AND message_id = ?2)",
    )
    .bind(game)
    .bind(message_id)
    .execute(db)
    .await?;
    Ok(())
}

/// Adds a line to the journal.
pub(super) async fn put_event(
    db: &mut SqliteConnection,
    event: &EventRow,
    mail: Option<i64>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let game = key_of_any(db, event.game.as_ref()).await?;
    sqlx::query("INSERT INTO events (game, mail, at, kind, text) VALUES (?, ?, ?, ?, ?)")
        .bind(game)
        .bind(mail)
        .bind(now)
        .bind(&event.kind)
        .bind(&event.text)
        .execute(db)
        .await?;
    Ok(())
}
