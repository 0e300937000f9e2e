//! The acts: all that ever changed the games, in order, so that the database can be made again from them and the raw mails.
//!
//! Append-only. Every method of the store that changes games calls [`put`] in its own transaction, with its arguments. A new method
//! adds a variant to [`Act`] and the call; `proof::replay` does not compile until it says how the act is done once more. A field
//! that is added after a release needs `#[serde(default)]`: acts are read for ever.
//! What will surprise you: raw mails and letters stand in an act by their SHA-256 only; their bytes are in `mails` and `outbox`.
//! Not covered: what the outside world did (arrivals, tries to deliver, logins, the sign of life); it leaves no act.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::SqliteConnection;

use super::clock::Settled;
use super::error::StoreError;
use super::inbox::Arrival;
use super::moves::NewMove;
use super::outbox::LetterRef;
use super::record::{EventRow, Taken};
use super::released::ReleaseRef;
use super::senders::Vouched;
use crate::domain::clock::rules::RulesetChoice;
use crate::domain::game::{Card, ClockNote, Game, GameId, GameResult, Leave, Plan, PrivateNote, SentIllegal};
use crate::mail::authentication::Finding;

mod kept;

pub(super) use kept::{Row, load, performed, put, put_settings};

/// One change of the games, with all that is needed to make it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", rename_all = "kebab-case")]
pub enum Act {
    /// What the mails after it were judged by, as `intake` writes it.
    Settings(Value),
    /// Games were put in, each with the root of its thread.
    Import {
        /// The games.
        games: Vec<(Game, String)>,
        /// In place of stored ones.
        replace: bool,
    },
    /// The player chose a move.
    Plan {
        /// In which game.
        game: GameId,
        /// How many plies he saw.
        expected_plies: usize,
        /// His choice.
        plan: Plan,
        /// Its draft; `None` where he wants to look at it again first.
        draft: Option<LetterRef>,
        /// The SHA-256 of the mail by which he chose it, in hexadecimal digits: taken in, it makes the same choice again.
        by: Option<String>,
    },
    /// The chosen move was stated anew, with the date of another day.
    Restate {
        /// In which game.
        game: GameId,
        /// How many plies it had.
        expected_plies: usize,
        /// The Message-ID of the reply so far.
        replaced: String,
        /// The choice as it is stated now.
        plan: Box<Plan>,
    },
    /// He took it back.
    Undo {
        /// In which game.
        game: GameId,
        /// The mail by which he did, as of a plan.
        by: Option<String>,
    },
    /// He released the chosen move to be sent by the program.
    Release {
        /// In which game.
        game: GameId,
        /// How many plies he saw.
        expected_plies: usize,
        /// The Message-ID of the plan that he saw.
        chosen: String,
        /// The plan as it is sent.
        plan: Plan,
        /// The mail.
        mail: ReleaseRef,
    },
    /// He recalled it in time, or the server refused it for good.
    Recall {
        /// In which game.
        game: GameId,
    },
    /// He said that he sent a move.
    Sent {
        /// The move.
        sent: NewMove,
        /// The line of the journal.
        event: EventRow,
    },
    /// A mail was taken in.
    Mail(MailRef),
    /// A mail that lay in the Sent folder was read.
    SentMail(MailRef),
    /// A mail of the player's was read again in a game, once the move that it answers was on record.
    ReadAgain {
        /// Which.
        about: About,
    },
    /// A mail came that is no game's business.
    Private(HashOnly),
    /// He settled a held mail.
    Settle {
        /// Which.
        about: About,
        /// The move that he read in it.
        read: Option<NewMove>,
        /// What went out for it.
        letters: Vec<LetterRef>,
        /// The line of the journal.
        event: EventRow,
        /// The mail by which he did, as of a plan.
        by: Option<String>,
    },
    /// He had a question about a held mail drafted.
    Ask {
        /// Which mail.
        about: About,
        /// Once more.
        again: bool,
        /// The question.
        letter: LetterRef,
        /// The line of the journal.
        event: EventRow,
        /// The mail by which he did, as of a plan.
        by: Option<String>,
    },
    /// He said that a held mail belongs to another game, for which it is held from now on.
    Assign {
        /// Which mail, and for which game it was held.
        about: About,
        /// The game.
        to: GameId,
        /// How it is held there, as `Held` says it: the outcome ...
        outcome: String,
        /// ... and the reason.
        reason: String,
        /// The lines of the journal.
        events: Vec<EventRow>,
    },
    /// He closed a game.
    Close {
        /// Which.
        game: GameId,
        /// How it ended.
        result: GameResult,
        /// The report to the director.
        report: Option<LetterRef>,
    },
    /// He deleted a game.
    Delete {
        /// Which.
        game: GameId,
        /// The line of the journal.
        event: EventRow,
    },
    /// He took something back that had gone on record.
    Retract {
        /// The game as it stands from now on.
        back: Box<Game>,
        /// How many plies he saw.
        expected_plies: usize,
        /// The line of the journal: what, and why.
        event: EventRow,
        /// The mail by which he did, as of a plan.
        by: Option<String>,
    },
    /// He took care of his clocks: leave, announcements, repeats, and letters about them.
    Care {
        /// Leave that he entered.
        leaves: Vec<(GameId, Leave)>,
        /// What he announced or repeated.
        notes: Vec<(GameId, ClockNote)>,
        /// The letters.
        letters: Vec<LetterRef>,
        /// The lines of the journal.
        events: Vec<EventRow>,
        /// The mail by which he did, as of a plan.
        by: Option<String>,
    },
    /// He took leave out again.
    RemoveLeave {
        /// Which, in which games.
        leaves: Vec<(GameId, Leave)>,
        /// The lines of the journal.
        events: Vec<EventRow>,
    },
    /// He took a note on a clock out again: an announcement or a reminder that there was not.
    RemoveClockNote {
        /// In which game.
        game: GameId,
        /// The note.
        note: ClockNote,
        /// The line of the journal.
        event: EventRow,
    },
    /// He settled dates and days.
    SettleClock {
        /// In which game.
        game: GameId,
        /// Of which plies.
        settled: Vec<Settled>,
        /// The line of the journal.
        event: EventRow,
    },
    /// He changed values of a game's rules.
    SetRules {
        /// Of which game.
        game: GameId,
        /// What they were.
        before: RulesetChoice,
        /// What they are from now on.
        rules: RulesetChoice,
        /// The line of the journal.
        event: EventRow,
    },
    /// He corrected what a game is known by.
    Edit {
        /// Which.
        game: GameId,
        /// What it was known by.
        before: Box<Card>,
        /// What it is known by from now on.
        after: Box<Card>,
        /// The line of the journal.
        event: EventRow,
    },
    /// He had an illegal move counted, or not any more.
    Illegal {
        /// In which game.
        game: GameId,
        /// Before which ply, counted from 1.
        ply: u32,
        /// What was counted so far.
        before: Option<SentIllegal>,
        /// What is counted from now on.
        counted: Option<SentIllegal>,
        /// The line of the journal.
        event: EventRow,
    },
    /// He wrote private notes, or a file that he imported had them.
    Annotate {
        /// The notes that are new, with their games.
        notes: Vec<(GameId, PrivateNote)>,
    },
    /// He took one away.
    RemoveNote {
        /// In which game.
        game: GameId,
        /// The note.
        note: PrivateNote,
    },
    /// He said that the clock of the machine is right, after it had run ahead.
    ClockRight {
        /// The newest instant that the wrong clock gave.
        newest: DateTime<Utc>,
        /// The SHA-256 of the last mail that was read before, in hexadecimal digits.
        last_mail: Option<String>,
        /// The line of the journal.
        event: EventRow,
    },
    /// A line of the journal that no mail caused.
    Note {
        /// The line.
        event: EventRow,
    },
}

/// A mail whose bytes are kept, with how it came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailRef {
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
    /// When our server took it.
    pub server_date: Option<DateTime<Utc>>,
    /// Where it arrived; `None` for a mail given by hand.
    pub arrival: Option<Arrival>,
    /// What a check of its signatures found; `None` where none was made.
    pub verified: Option<Vec<Finding>>,
}

/// All that is kept of a mail that is no game's business.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields mean what those of `Taken` mean")]
pub struct HashOnly {
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
    /// Its size in bytes.
    pub size: usize,
    pub message_id: Option<String>,
    pub from_address: Option<String>,
    pub subject: String,
    pub server_date: Option<DateTime<Utc>>,
    /// It is a copy of one of the player's own mails.
    pub own: bool,
    /// Why it is no game's business.
    pub reason: String,
    pub delivered_message_id: Option<String>,
    pub vouched: Option<Vouched>,
    pub events: Vec<EventRow>,
}

/// What was decided about a mail in a game: which verdict an act is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The SHA-256 of the mail, in hexadecimal digits.
    pub mail: String,
    /// In which game, if any.
    pub game: Option<GameId>,
}

impl About {
    pub(super) async fn of(db: &mut SqliteConnection, verdict: i64) -> Result<About, StoreError> {
        let (mail, game): (String, Option<String>) = sqlx::query_as(
            "SELECT lower(hex(sha256)), games.name FROM verdicts JOIN mails ON mails.id = verdicts.mail
             LEFT JOIN games ON games.id = verdicts.game WHERE verdicts.id = ?",
        )
        .bind(verdict)
        .fetch_one(db)
        .await?;
        Ok(About { mail, game: game.map(|name| super::rows::word("games.name", name)).transpose()? })
    }
}

/// An act with when it was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Performed {
    /// Its key; later acts have greater ones.
    pub id: i64,
    /// The `now` that it was done with.
    pub at: DateTime<Utc>,
    /// The act.
    pub act: Act,
}

impl Act {
    /// Whether what it put on record can be taken back by itself: not what came with a file, and not what was taken back.
    pub fn is_retractable(&self) -> bool {
        !matches!(self, Act::Import { .. } | Act::Retract { .. })
    }

    /// Of a mail that lay in the Sent folder.
    pub(super) fn of_sent(sha256: &[u8; 32], taken: &Taken<'_>) -> Act {
        match Act::of_mail(sha256, taken.raw.len(), taken) {
            Act::Mail(mail) => Act::SentMail(mail),
            private => private,
        }
    }

    pub(super) fn of_mail(sha256: &[u8; 32], size: usize, taken: &Taken<'_>) -> Act {
        let sha256 = hex::encode(sha256);
        if !taken.private {
            return Act::Mail(MailRef {
                sha256,
                server_date: taken.server_date,
                arrival: taken.arrival.clone(),
                verified: taken.verified.clone(),
            });
        }
        let verdict = taken.verdicts.first();
        Act::Private(HashOnly {
            sha256,
            size,
            message_id: taken.message_id.clone(),
            from_address: taken.from_address.clone(),
            subject: taken.subject.clone(),
            server_date: taken.server_date,
            own: verdict.is_some_and(|verdict| verdict.outcome == "own"),
            reason: verdict.map(|verdict| verdict.reason.clone()).unwrap_or_default(),
            delivered_message_id: taken.delivered_message_id.clone(),
            vouched: taken.vouched.clone(),
            events: taken.events.clone(),
        })
    }
}
