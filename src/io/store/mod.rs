//! The database: games, the ledger of the mailbox, verdicts, the outbox, and the daemon's own state.
//!
//! The only SQL of the program. Takes no decision and reads no clock: `now` is an argument. One method is one
//! transaction: it happens whole, or not at all and says so. What will surprise you: a method takes the connection out of
//! the store and puts it back only when all went well. After any error it is dropped, which rolls back, and the next
//! method opens a new one, because after a failed COMMIT sqlx goes on to say "committed" on the old one.
//! A method that changes games also puts its arguments on record, with `acts::put`, and every method that writes ends with
//! `changes::commit`, which keeps what the act made of the games: see `acts.rs` and `changes.rs`.
//!
//! Not covered: finding out that an old backup was put in place of the database while no daemon ran.

mod acts;
mod again;
mod assign;
mod bounces;
mod care;
mod changes;
mod clock;
mod close;
mod delete;
mod drafts;
mod dump;
mod edit;
mod error;
mod games;
mod hints;
mod illegal;
mod import;
mod inbox;
mod installation;
mod listing;
mod lock;
mod mails;
mod moves;
mod notes;
mod open;
mod outage;
mod outbox;
mod place;
mod player;
mod proofs;
mod reconsider;
mod record;
mod released;
mod releases;
mod retract;
mod rows;
mod senders;
mod sent;
mod some_games;
mod state;
mod summary;
mod told;
mod trust;
mod unheard;

use std::path::{Path, PathBuf};

use sqlx::SqliteConnection;

pub use acts::{About, Act, HashOnly, MailRef, Performed};
pub use bounces::{BounceRow, Returned};
pub use care::Care;
pub use changes::{History, Step};
use place::Place;

pub use clock::{Settled, Settlement};
pub use drafts::{DraftFate, DraftRow, DraftState};
pub use dump::{LEFT_OUT, Snapshot};
pub use error::{Holder, StoreError};
pub use games::{StoredGame, WatchedGame};
pub use hints::{Hints, addresses_in, surname};
pub use import::Imported;
pub use inbox::{Arrival, ArrivalState, Attempt, Cursor, NotRead};
pub use lock::Lock;
pub use mails::{KeptMail, StoredMail};
pub use moves::NewMove;
pub use outage::{LoginOutcome, Trouble as ServerTrouble, Waiting};
pub use outbox::{LetterRef, OutboxRow, OutboxState, Outcome, Outgoing, OutgoingKind};
pub use player::{Asking, Event, Held};
pub use proofs::{DraftOf, LetterOfGame, MailOfGame, Origin, Provenance};
pub use reconsider::Undecided;
pub use record::{Commanded, EventRow, Recorded, Taken, VerdictRow};
pub use released::{Release, ReleaseRef, ReleaseRow};
pub use senders::{SenderDomain, Vouched};
pub use sent::{OwnId, SentMail, SentOutcome, SentRow};
pub use state::{AuthStop, Heartbeat};
pub use summary::{Asked, ClaimLine, Kept, Lines, NewSummary};
pub use trust::{Count, Later};
pub use unheard::{CameBack, LastSent};

/// The way to the database of one data directory.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    writes: bool,
    connection: Option<SqliteConnection>,
    place: Place,
}

impl Store {
    /// Opens the database of a data directory to write; makes it where there is none.
    ///
    /// Directory and files are readable by their owner alone. Several processes may open it at once; [`Store::lock`] keeps daemons
    /// apart.
    ///
    /// # Errors
    /// A file that is not ours, damaged, or of another schema is refused and stays as it is.
    pub async fn open(dir: &Path) -> Result<Store, StoreError> {
        open::prepare(dir).await?;
        let path = open::database_path(dir);
        let connection = open::connect_to_write(&path).await?;
        Ok(Store { path, writes: true, connection: Some(connection), place: Place::default() })
    }

    /// Opens to write what this process has opened so before: nothing is checked or made again.
    ///
    /// # Errors
    /// Those of opening the database.
    pub async fn reopen(dir: &Path) -> Result<Store, StoreError> {
        let path = open::database_path(dir);
        let connection = open::connect_to_write(&path).await?;
        Ok(Store { path, writes: true, connection: Some(connection), place: Place::default() })
    }

    /// Opens the database to read, whether a daemon works on it or not. Where none does, what a killed writer left is set right as
    /// [`Store::open`] does it; nothing else is changed.
    ///
    /// # Errors
    /// [`StoreError::NoDatabase`] when nothing was ever stored; a database that is foreign or of another schema is refused.
    pub async fn open_existing_read_only(dir: &Path) -> Result<Store, StoreError> {
        let connection = open::to_read(dir).await?;
        Ok(Store {
            path: open::database_path(dir),
            writes: false,
            connection: Some(connection),
            place: Place::default(),
        })
    }

    /// The same way once more, for work that goes on beside this one's.
    pub fn beside(&self) -> Store {
        Store { path: self.path.clone(), writes: self.writes, connection: None, place: Place::default() }
    }

    /// From here to [`Store::sync`] no commit waits for the disk. They reach it in their order: after a power cut the last ones may be missing,
    /// and none stands without those before it. For what is done anew then: mails that still lie where they came.
    ///
    /// # Errors
    /// Those of reaching the database.
    pub async fn without_sync(&mut self) -> Result<(), StoreError> {
        self.execute("PRAGMA synchronous = NORMAL").await
    }

    /// Whatever was committed is on the disk, and from here on each commit waits for it again.
    ///
    /// # Errors
    /// Those of writing the database.
    pub async fn sync(&mut self) -> Result<(), StoreError> {
        self.execute("PRAGMA synchronous = FULL; UPDATE installation SET answer_key = answer_key").await
    }

    async fn execute(&mut self, sql: &'static str) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        sqlx::raw_sql(sql).execute(&mut db).await?;
        self.checkin(db);
        Ok(())
    }

    /// How far the record has come: the newest act, and the mails that wait to go out. It stays the same while nothing is done that the player
    /// sees.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn newest(&mut self) -> Result<(i64, i64), StoreError> {
        let mut db = self.checkout().await?;
        let newest = sqlx::query_as(
            "SELECT (SELECT coalesce(max(id), 0) FROM acts), (SELECT count(*) FROM outbox WHERE state <> 'sent')",
        );
        let newest = newest.fetch_one(&mut db).await?;
        self.checkin(db);
        Ok(newest)
    }

    /// Takes the connection out. Whoever does not bring it back to [`Store::checkin`] has lost it, with all that was
    /// not committed.
    async fn checkout(&mut self) -> Result<SqliteConnection, StoreError> {
        match self.connection.take() {
            Some(connection) => Ok(connection),
            None if self.writes => {
                self.place.reconnected();
                open::connect_to_write(&self.path).await
            }
            None => open::connect_to_read(&self.path).await,
        }
    }

    fn checkin(&mut self, connection: SqliteConnection) {
        self.connection = Some(connection);
    }
}
