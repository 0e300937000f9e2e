//! What the player really sent, and what is open about it: the table `sent`, and the ids by which his mails are known.

use chrono::{DateTime, Utc};
use sqlx::{Connection, FromRow, SqliteConnection};

use super::acts::{self, Act};
use super::bounces::sent_anew;
use super::changes::commit;
use super::error::StoreError;
use super::record::{Recorded, Taken, put_effects, put_mail};
use super::rows::{integer, json, key_of, packed, word};
use super::{Store, open};
use crate::domain::game::{GameId, Observed};
use crate::domain::notation::NumericMove;

/// What became of a mail of the player's in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(rename_all = "lowercase")]
pub enum SentOutcome {
    /// Its move is on record by it.
    Recorded,
    /// Its move was on record.
    Repeated,
    /// Its move is on record by it, and is another than he had chosen.
    Differs,
    /// Its move is not legal.
    Illegal,
    /// No move can be read in it.
    Unreadable,
    /// Its move is another than the one on record.
    Second,
    /// He has to look.
    Review,
}

impl SentOutcome {
    /// The flag of a game for which it is open; `None` where nothing needs to be said.
    pub fn flag(self) -> Option<&'static str> {
        match self {
            SentOutcome::Recorded | SentOutcome::Repeated => None,
            SentOutcome::Differs => Some("sent-differs"),
            SentOutcome::Illegal | SentOutcome::Unreadable => Some("sent-illegal"),
            SentOutcome::Second => Some("sent-twice"),
            SentOutcome::Review => Some("sent-review"),
        }
    }
}

/// A mail of the player's in a game, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentRow {
    /// Which game.
    pub game: GameId,
    /// The own ply that it is about, counted from 1.
    pub ply: usize,
    /// What became of it.
    pub outcome: SentOutcome,
    /// The legal move that it gives.
    pub numeric: Option<NumericMove>,
    /// What the servers saw of it, for a ply that may be on record without.
    pub observed: Option<Observed>,
    /// It is flagged until it is settled.
    pub open: bool,
}

/// A mail of the player's in a game, as it is on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentMail {
    /// The mail's key.
    pub mail: i64,
    /// The own ply that it is about, counted from 1.
    pub ply: usize,
    /// What became of it.
    pub outcome: SentOutcome,
    /// The legal move that it gives.
    pub numeric: Option<NumericMove>,
    /// The ply was on record without dates of a mail, and has those of this one.
    pub supplied: bool,
    /// It is flagged.
    pub open: bool,
}

/// An id by which a mail of the player's is known to be of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnId {
    /// The id, with its angle brackets.
    pub message_id: String,
    /// The game.
    pub game: GameId,
    /// The own ply that it was made for, counted from 1.
    pub ply: u32,
}

#[derive(FromRow)]
struct SentMailRow {
    mail: i64,
    ply: i64,
    outcome: SentOutcome,
    numeric: Option<String>,
    supplied: bool,
    open: bool,
}

impl Store {
    /// Those of these Message-IDs that the program made for the player's moves, or that his mails with them had: every reply that was
    /// ever drafted, the mails that brought the drafts, and what he sent.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn own_ids(&mut self, among: &[String]) -> Result<Vec<OwnId>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<(String, String, u32)> = sqlx::query_as(
            "WITH asked AS (SELECT value AS id FROM json_each(?))
             SELECT message_id, name, ply FROM drafts JOIN games ON games.id = game
             WHERE message_id IN (SELECT id FROM asked)
             UNION SELECT message_id, name, ply FROM outbox JOIN games ON games.id = game
             WHERE kind = 'draft' AND message_id IN (SELECT id FROM asked)
             UNION SELECT mails.message_id, name, ply FROM sent JOIN games ON games.id = game JOIN mails ON mails.id = mail
             WHERE mails.message_id IN (SELECT id FROM asked)
             ORDER BY 1, 2, 3",
        )
        .bind(serde_json::json!(among).to_string())
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        let own = |(message_id, game, ply)| Ok(OwnId { message_id, game: word("games.name", game)?, ply });
        rows.into_iter().map(own).collect()
    }

    /// What the player sent in a game, oldest first.
    ///
    /// # Errors
    /// [`StoreError::NoSuchGame`].
    pub async fn sent_mails(&mut self, game: &GameId) -> Result<Vec<SentMail>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let key = key_of(&mut tx, game).await?;
        let rows: Vec<SentMailRow> =
            sqlx::query_as("SELECT mail, ply, outcome, numeric, supplied, open FROM sent WHERE game = ? ORDER BY id")
                .bind(key)
                .fetch_all(&mut *tx)
                .await?;
        tx.commit().await?;
        self.checkin(db);
        let mail = |row: SentMailRow| {
            Ok(SentMail {
                mail: row.mail,
                ply: usize::try_from(row.ply).unwrap_or(usize::MAX),
                outcome: row.outcome,
                numeric: row.numeric.map(|text| word("sent.numeric", text)).transpose()?,
                supplied: row.supplied,
                open: row.open,
            })
        };
        rows.into_iter().map(mail).collect()
    }

    /// The lines that came with these plies of games, counted from 1, as the mails that gave them offer them.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn lines_with(
        &mut self,
        plies: &[(&GameId, usize)],
    ) -> Result<Vec<(GameId, Vec<Vec<String>>)>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<(String, Option<String>)> = sqlx::query_as(
            "SELECT name, (SELECT stated -> '$.conditionals' FROM verdicts WHERE verdicts.mail = moves.mail
                               AND verdicts.game = moves.game AND outcome = 'move' ORDER BY verdicts.id DESC LIMIT 1)
             FROM json_each(?) AS asked CROSS JOIN games ON games.name = asked.value ->> 0
             JOIN moves ON moves.game = games.id AND moves.ply = asked.value ->> 1",
        )
        .bind(serde_json::json!(plies).to_string())
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        let lines = |(game, lines): (String, Option<String>)| {
            let lines = lines.map_or(Ok(Vec::new()), |text| json("verdicts.stated", &text))?;
            Ok((word("games.name", game)?, lines))
        };
        rows.into_iter().map(lines).collect()
    }

    /// What the lists say of the player's own moves in running games beside the summaries, each flag once for a game.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn sending_flags(&mut self) -> Result<Vec<(GameId, &'static str)>, StoreError> {
        let mut db = self.checkout().await?;
        // CROSS JOIN keeps SQLite from asking every game where few have one
        let rows: Vec<(String, Option<SentOutcome>, u32)> = sqlx::query_as(
            "SELECT DISTINCT name, outcome, other FROM (
                 SELECT game, outcome, 0 AS other FROM sent WHERE open = 1
                 UNION ALL SELECT game, NULL, 1 FROM bounces WHERE open = 1
                 UNION ALL SELECT game, NULL, 2 FROM verdicts WHERE open = 1 AND read_as IS NOT NULL
                 UNION ALL SELECT game, NULL, 3 FROM plans WHERE held_until IS NOT NULL
                 UNION ALL SELECT v.game, NULL, 4 FROM verdicts AS v JOIN moves ON moves.mail = v.mail AND moves.game = v.game
                     WHERE v.outcome = 'move' AND json_array_length(v.stated, '$.conditionals') > 0
                         AND ply = (SELECT max(ply) FROM moves WHERE moves.game = v.game))
             CROSS JOIN games ON games.id = game WHERE result IS NULL ORDER BY other, name, outcome",
        )
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        let flag = |outcome: Option<SentOutcome>, other: u32| match (outcome, other) {
            (Some(outcome), _) => outcome.flag(),
            (None, 1) => Some("bounced"),
            (None, 2) => Some("misread"),
            (None, 3) => Some("chosen"),
            (None, _) => Some("offers"),
        };
        let flags = rows.into_iter().filter_map(|(game, outcome, other)| Some((game, flag(outcome, other)?)));
        let mut flags: Vec<(String, &'static str)> = flags.collect();
        flags.dedup();
        flags.into_iter().map(|(game, flag)| Ok((word("games.name", game)?, flag))).collect()
    }

    /// Since when each planned move has waited as a finished draft. A draft that was only stated anew for another day has waited
    /// since its first form; one that was held back, since it was delivered.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn drafts_waiting(&mut self) -> Result<Vec<(GameId, DateTime<Utc>)>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<(String, DateTime<Utc>)> = sqlx::query_as(
            "WITH RECURSIVE chain (game, refreshes, made_at) AS (
                 SELECT plans.game, refreshes, made_at FROM plans JOIN drafts ON drafts.message_id = plans.message_id
                 UNION ALL
                 SELECT chain.game, drafts.refreshes, drafts.made_at FROM chain JOIN drafts ON drafts.id = chain.refreshes),
             firsts AS (SELECT game, min(made_at) AS made_at FROM chain GROUP BY game)
             SELECT name, coalesce((SELECT min(created_at) FROM outbox WHERE kind = 'draft' AND outbox.game = plans.game
                                        AND outbox.ply = plans.ply AND created_at >= firsts.made_at),
                                   firsts.made_at, chosen_at)
             FROM plans JOIN games ON games.id = plans.game LEFT JOIN firsts ON firsts.game = plans.game
             WHERE held_until IS NULL ORDER BY name",
        )
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        rows.into_iter().map(|(game, since)| Ok((word("games.name", game)?, since))).collect()
    }

    /// Stores a mail that lay in the Sent folder with all its effects, or nothing of it. One that was taken for a mail of no game
    /// before, when it was read elsewhere, gets its effects now.
    ///
    /// # Errors
    /// Those of [`Store::record`].
    pub async fn record_sent(
        &mut self,
        sha256: [u8; 32],
        taken: &Taken<'_>,
        now: DateTime<Utc>,
    ) -> Result<Recorded, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let known = super::mails::mail_by_content(&mut tx, &sha256).await?;
        let settled = match known {
            Some(mail) => is_settled(&mut tx, mail).await?,
            None => false,
        };
        let nothing_new = settled || (known.is_some() && taken.private);
        let recorded = match known {
            Some(mail) if nothing_new => Recorded { mail, new: false },
            known => {
                let mail = match known {
                    Some(mail) => {
                        keep_bytes(&mut tx, mail, taken).await?;
                        mail
                    }
                    None => put_mail(&mut tx, taken, &sha256, taken.raw.len(), now).await?,
                };
                put_effects(&mut tx, taken, mail, &hex::encode(sha256), now).await?;
                if let Some(settings) = &taken.settings {
                    acts::put_settings(&mut tx, settings, now).await?;
                }
                acts::put(&mut tx, &Act::of_sent(&sha256, taken), now).await?;
                Recorded { mail, new: true }
            }
        };
        if let Some(arrival) = &taken.arrival {
            super::inbox::tick_off(&mut tx, arrival, recorded.mail, now).await?;
        }
        commit(tx).await?;
        self.checkin(db);
        Ok(recorded)
    }
}

async fn is_settled(db: &mut SqliteConnection, mail: i64) -> Result<bool, StoreError> {
    let settled = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM verdicts WHERE mail = ?1 AND (game IS NOT NULL OR outcome <> 'own'))",
    )
    .bind(mail)
    .fetch_one(db)
    .await?;
    Ok(settled)
}

/// Keeps the bytes and the header of a mail that was known by its hash alone.
pub(super) async fn keep_bytes(db: &mut SqliteConnection, mail: i64, taken: &Taken<'_>) -> Result<(), StoreError> {
    sqlx::query("UPDATE mails SET raw = ?, message_id = ?, from_address = ?, subject = ? WHERE id = ?")
        .bind(packed(taken.raw)?)
        .bind(&taken.message_id)
        .bind(&taken.from_address)
        .bind(&taken.subject)
        .bind(mail)
        .execute(db)
        .await?;
    Ok(())
}

/// Writes what became of a mail of the player's in a game; a ply without dates of a mail gets those of this one.
pub(super) async fn put_sent(
    db: &mut SqliteConnection,
    row: &SentRow,
    message_id: Option<&str>,
    mail: i64,
) -> Result<(), StoreError> {
    let key = key_of(db, &row.game).await?;
    let supplied = match &row.observed {
        Some(observed) => supply(db, key, row.ply, observed).await?,
        None => false,
    };
    sqlx::query(
        "INSERT INTO sent (mail, game, ply, outcome, numeric, supplied, open) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (mail, game) DO UPDATE SET ply = excluded.ply, outcome = excluded.outcome, numeric = excluded.numeric,
             supplied = excluded.supplied, open = excluded.open",
    )
        .bind(mail)
        .bind(key)
        .bind(integer(row.ply))
        .bind(row.outcome)
        .bind(row.numeric.map(|numeric| numeric.to_string()))
        .bind(supplied)
        .bind(row.open)
        .execute(&mut *db)
        .await?;
    if matches!(row.outcome, SentOutcome::Recorded | SentOutcome::Repeated | SentOutcome::Differs) {
        sent_anew(db, key, row.ply, message_id).await?;
    }
    Ok(())
}

/// Gives a ply that an opponent's mail proved the dates that servers saw, if it has none. What the player entered stays as it is.
async fn supply(db: &mut SqliteConnection, game: i64, ply: usize, seen: &Observed) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "UPDATE moves SET observed_sent = ?, observed_arrived = ?, observed_sent_at = ?, observed_relayed_at = ?,
                          observed_arrived_at = ?
         WHERE game = ? AND ply = ? AND mail IS NOT NULL AND observed_sent IS NULL AND observed_arrived IS NULL AND observed_sent_at IS NULL
               AND observed_relayed_at IS NULL AND observed_arrived_at IS NULL",
    )
    .bind(seen.sent)
    .bind(seen.arrived)
    .bind(seen.sent_at)
    .bind(seen.relayed_at)
    .bind(seen.arrived_at)
    .bind(game)
    .bind(integer(ply))
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Notes that a mail is one of a game's thread; the next reply does not answer it.
pub(super) async fn note_own_id(db: &mut SqliteConnection, game: &GameId, message_id: &str) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO seen_message_ids (game, position, message_id)
         SELECT games.id, (SELECT ifnull(max(position) + 1, 0) FROM seen_message_ids WHERE game = games.id), ?2
         FROM games WHERE name = ?1
         AND NOT EXISTS (SELECT 1 FROM seen_message_ids WHERE game = games.id AND message_id = ?2)",
    )
    .bind(game.as_str())
    .bind(message_id)
    .execute(db)
    .await?;
    Ok(())
}

/// Settles what was open about the player's mails: a move of this ply is on record now, so the earlier ones were answered, and one
/// that could not be read is replaced.
pub(super) async fn settle_before(db: &mut SqliteConnection, game: i64, ply: usize) -> Result<(), StoreError> {
    let is_over =
        "game = ?1 AND open = 1 AND (ply < ?2 OR (ply = ?2 AND outcome IN ('illegal', 'unreadable', 'review')))";
    let verdicts = format!(
        "UPDATE verdicts SET open = 0 WHERE game = ?1 AND outcome = 'own' AND open = 1
         AND mail IN (SELECT mail FROM sent WHERE {is_over})"
    );
    let sent = format!("UPDATE sent SET open = 0 WHERE {is_over}");
    for sql in [verdicts, sent] {
        sqlx::query(sqlx::AssertSqlSafe(sql)).bind(game).bind(integer(ply)).execute(&mut *db).await?;
    }
    sqlx::query("UPDATE bounces SET open = 0 WHERE game = ? AND open = 1 AND ply < ?")
        .bind(game)
        .bind(integer(ply))
        .execute(db)
        .await?;
    Ok(())
}
