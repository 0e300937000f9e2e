//! What can go wrong with the store, and what the caller does about it.
//!
//! Decided by SQLite's result code where the error is born, never by its text. Values of rows never get into a message.

use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use crate::domain::game::GameId;
use crate::io::Class;

/// A step that did not happen; nothing of it was kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another program held the database for longer than the busy timeout.
    #[error(
        "amici.db is busy: another program has been writing to it for five seconds\nhelp: nothing to do, it is tried again"
    )]
    Busy,
    /// No space left.
    #[error(
        "the disk that holds amici.db is full; nothing of this step was kept\nhelp: free some space, the work then goes on by itself"
    )]
    DiskFull,
    /// Reading or writing failed below SQLite.
    #[error(
        "amici.db cannot be read or written: {why} (SQLite code {code})\nhelp: it is tried again; look at the disk if this stays"
    )]
    Io {
        /// SQLite's words.
        why: String,
        /// SQLite's extended result code.
        code: i32,
    },
    /// The file or its disk may not be written.
    #[error(
        "amici.db may not be written: {why}\nhelp: mount its disk writable and give the file to the user who runs amici"
    )]
    ReadOnly {
        /// SQLite's words.
        why: String,
    },
    /// The file's structure is broken.
    #[error(
        "amici.db is damaged: {why}\nhelp: stop amici, keep a copy of the file, and put the newest backup in its place"
    )]
    Damaged {
        /// What was found.
        why: String,
    },
    /// Another file stands where the database was, or none.
    #[error(
        "amici.db was moved, deleted or replaced while amici used it: {why}\nhelp: what was done since then is in the file that was there before; put the right one in its place and start amici again"
    )]
    Displaced {
        /// What was found.
        why: &'static str,
    },
    /// A stored value does not have the form that this program writes.
    #[error(
        "amici.db is damaged: a value in {column} cannot be read back\nhelp: stop amici, keep a copy of the file, and put the newest backup in its place"
    )]
    Unreadable {
        /// Which column.
        column: String,
    },
    /// A constraint of the schema refuses the rows.
    #[error("amici.db refuses these rows: {why}\nhelp: this is a defect of amici, please report it")]
    Refused {
        /// Which constraint.
        why: String,
    },
    /// A mail with the chosen move is released.
    #[error("the chosen move of game {game} {}", if *waits {
        "is released and waits to be sent\nhelp: `amici undo` recalls it, then choose again"
    } else {
        "is on its way to the opponent, or may have arrived\nhelp: `amici status` says how far it is"
    })]
    Released {
        /// Which game.
        game: GameId,
        /// It can still be recalled.
        waits: bool,
    },
    /// Any other answer of the database.
    #[error("amici.db: {why}\nhelp: this is a defect of amici, please report it")]
    Unexpected {
        /// SQLite's words.
        why: String,
    },
    /// A file beside the database gives trouble.
    #[error("{doing} {}: {}\nhelp: look at the rights of its directory, and at the disk", path.display(), source.kind())]
    File {
        /// What was tried, as in `cannot create`.
        doing: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// There is no database yet.
    #[error("{} does not exist\nhelp: import a game with `amici import FILE`, or start `amici run`", path.display())]
    NoDatabase {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The file belongs to another program.
    #[error("{} is not a database of amici\nhelp: choose another directory with --data, or move that file away", path.display())]
    NotOurs {
        /// Which file.
        path: PathBuf,
    },
    /// A later version of the program has changed the schema.
    #[error("{} has schema {found}, this program knows up to {known}\nhelp: use the newer amici", path.display())]
    NewerSchema {
        /// Which file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version known.
        known: i64,
    },
    /// The schema is one that no release ever had.
    #[error("{} cannot be used: an amici from before the first release made it, with other tables\nhelp: write its games into a file with that amici, `amici export -o games.json`, and with this one and another --data directory say `amici import games.json`; keep the old directory: its mails and private notes are in it alone", path.display())]
    OtherBuild {
        /// Which file.
        path: PathBuf,
    },
    /// Another process works on this data directory.
    #[error(
        "another amici works on this data directory: {holder}\nhelp: stop that one first, or choose another directory with --data"
    )]
    Locked {
        /// Who, as far as the lock file tells.
        holder: Holder,
    },
    /// The game changed after it was judged.
    #[error(
        "game {game} has {found} plies on record, {expected} were expected\nhelp: nothing was kept; it is judged again"
    )]
    Moved {
        /// Which game.
        game: GameId,
        /// What the caller had seen.
        expected: usize,
        /// What is on record.
        found: usize,
    },
    /// The plan that was judged is there no more: taken back, or replaced by another.
    #[error("the planned move of game {game} has changed\nhelp: nothing was kept; it is judged again")]
    NoPlan {
        /// Which game.
        game: GameId,
    },
    /// The game was closed after it was judged.
    #[error("game {game} is over\nhelp: nothing was kept; it is judged again")]
    Finished {
        /// Which game.
        game: GameId,
    },
    /// What waited for the player was settled after it was looked at.
    #[error("a mail that waited is settled already\nhelp: nothing was kept; it is judged again")]
    NotHeld,
    /// Something else is settled about a ply than the caller saw.
    #[error(
        "game {game}: something else was settled for ply {ply} meanwhile\nhelp: nothing was kept; look at it with `amici clock {game}`"
    )]
    Settled {
        /// Which game.
        game: GameId,
        /// Which ply, counted from 1.
        ply: u32,
    },
    /// The rules of a game are not those that the caller saw.
    #[error(
        "game {game}: its rules were changed meanwhile\nhelp: nothing was kept; look at them with `amici rules show --game {game}`"
    )]
    RulesChanged {
        /// Which game.
        game: GameId,
    },
    /// The game is stored already.
    #[error(
        "game {id} exists already\nhelp: nothing was imported; say --replace to put the file's games in place of the stored ones"
    )]
    GameExists {
        /// Which game.
        id: GameId,
    },
    /// Another game has or had this id.
    #[error(
        "{id} is taken: it is, or was, the id of game {by}, and leads to it\nhelp: nothing was changed; take another id"
    )]
    NameTaken {
        /// The id.
        id: GameId,
        /// The id that the other game has now.
        by: GameId,
    },
    /// A game exists whose name differs in upper and lower case alone.
    #[error(
        "game {id} cannot exist beside {known}: nobody hears the difference\nhelp: nothing was imported; give it another id"
    )]
    SimilarGame {
        /// The new one.
        id: GameId,
        /// The one that exists.
        known: GameId,
    },
    /// No game has this name.
    #[error("there is no game {id}\nhelp: `amici status` lists the games")]
    NoSuchGame {
        /// The name.
        id: GameId,
    },
}

/// Who holds the lock of a data directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// What it is doing, as in `run`; empty when the lock file does not tell.
    pub what: String,
    /// Its process id.
    pub pid: Option<u32>,
    /// The machine it runs on.
    pub host: String,
    /// Since when.
    pub since: Option<DateTime<Utc>>,
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Some(pid), Some(since)) = (self.pid, self.since) else {
            return f.write_str("it has only just started");
        };
        let since = since.format("%Y-%m-%d %H:%M:%S UTC");
        write!(f, "`amici {}`, process {pid} on {}, since {since}", self.what, self.host)
    }
}

impl StoreError {
    /// What the loop does about it.
    pub fn class(&self) -> Class {
        match self {
            StoreError::Busy
            | StoreError::DiskFull
            | StoreError::Io { .. }
            | StoreError::Moved { .. }
            | StoreError::NoPlan { .. }
            | StoreError::NotHeld
            | StoreError::Finished { .. } => Class::Retry,
            StoreError::Refused { .. } => Class::SetAside,
            StoreError::File { source, .. } => match source.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::NotADirectory => {
                    Class::Stop
                }
                _ => Class::Retry,
            },
            StoreError::ReadOnly { .. }
            | StoreError::Damaged { .. }
            | StoreError::Displaced { .. }
            | StoreError::Unreadable { .. }
            | StoreError::Unexpected { .. }
            | StoreError::NoDatabase { .. }
            | StoreError::NotOurs { .. }
            | StoreError::NewerSchema { .. }
            | StoreError::OtherBuild { .. }
            | StoreError::Locked { .. }
            | StoreError::GameExists { .. }
            | StoreError::SimilarGame { .. }
            | StoreError::NameTaken { .. }
            | StoreError::Settled { .. }
            | StoreError::RulesChanged { .. }
            | StoreError::Released { .. }
            | StoreError::NoSuchGame { .. } => Class::Stop,
        }
    }

    /// A value of this column has not the form that was written.
    pub(super) fn unreadable(column: &str) -> StoreError {
        StoreError::Unreadable { column: column.to_owned() }
    }

    /// For `map_err` on a file operation: `doing` and `path` head the message.
    pub(super) fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.to_owned();
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::DiskFull,
            _ => StoreError::File { doing, path, source },
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        match error {
            sqlx::Error::Database(database) => {
                let code = database.code().and_then(|c| c.parse().ok());
                by_code(code.unwrap_or(1), database.message().to_owned())
            }
            sqlx::Error::Io(io) => StoreError::Io { why: io.kind().to_string(), code: 10 },
            sqlx::Error::WorkerCrashed => StoreError::Io { why: "the connection was lost".to_owned(), code: 10 },
            // sqlx puts the name in quotes
            sqlx::Error::ColumnDecode { index, .. } => StoreError::unreadable(index.trim_matches('"')),
            other => StoreError::Unexpected { why: other.to_string() },
        }
    }
}

/// The low byte of a result code is its primary code (sqlite.org/rescode.html).
fn by_code(code: i32, why: String) -> StoreError {
    match code & 0xff {
        5 | 6 => StoreError::Busy,
        13 => StoreError::DiskFull,
        // NOMEM, IOERR, and CANTOPEN, which a full disk gives when the WAL file cannot be made
        7 | 10 | 14 => StoreError::Io { why, code },
        // PERM, READONLY, AUTH
        3 | 8 | 23 => StoreError::ReadOnly { why },
        // CORRUPT, NOTADB
        11 | 26 => StoreError::Damaged { why },
        // TOOBIG, CONSTRAINT, MISMATCH
        18..=20 => StoreError::Refused { why },
        _ => StoreError::Unexpected { why },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_code_decides_what_the_loop_does() {
        // SQLITE_BUSY, _BUSY_SNAPSHOT, _FULL, _IOERR_SHMSIZE, _CANTOPEN, _READONLY, _CORRUPT, _NOTADB, _CONSTRAINT_TRIGGER, _ERROR
        let codes = [5, 517, 13, 4874, 14, 8, 11, 26, 1811, 1];
        let class = |code| by_code(code, "why".to_owned()).class();
        let (r, s, a) = (Class::Retry, Class::Stop, Class::SetAside);
        assert_eq!(codes.map(class), [r, r, r, r, r, s, s, s, a, s]);
        assert!(matches!(by_code(517, String::new()), StoreError::Busy));
        assert!(matches!(by_code(13, String::new()), StoreError::DiskFull));
    }

    #[test]
    fn a_full_disk_is_named_as_such_for_files_too() {
        let of = |kind: io::ErrorKind| StoreError::file("cannot write", Path::new("amici.lock"))(kind.into());
        assert!(matches!(of(io::ErrorKind::StorageFull), StoreError::DiskFull));
        let denied = of(io::ErrorKind::PermissionDenied);
        assert_eq!(denied.class(), Class::Stop);
        let text = denied.to_string();
        assert!(text.starts_with("cannot write amici.lock: permission denied\nhelp: "), "{text}");
    }
}
