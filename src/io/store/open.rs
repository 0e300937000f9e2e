//! Finding, checking and making the database file before anything is read from it.
//!
//! Every check comes before the first write, so a file that is foreign, damaged or of another schema stays as it is. sqlx takes no
//! lock round its migrations on SQLite: here the data directory itself is locked while they run.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::Store;
use super::changes::WATCH;
use super::error::StoreError;

/// Marks the file as ours: `amic` (PRAGMA application_id).
const APPLICATION_ID: i64 = 0x616d_6963;

/// The schema, built into the program.
static MIGRATOR: Migrator = sqlx::migrate!("./migrations");

/// Opens every transaction that writes: one that begins by reading fails at once when another process commits in between.
pub(super) const WRITE: &str = "BEGIN IMMEDIATE";

/// Opens a transaction that only reads, so that all its rows are of one moment.
pub(super) const READ: &str = "BEGIN DEFERRED";

/// The bytes of a database that a reader maps; what lies after them is read as ever.
const MAPPED: &str = "1073741824";

/// The name of the database inside a data directory.
pub(super) fn database_path(dir: &Path) -> PathBuf {
    dir.join("amici.db")
}

/// Makes the data directory, readable by its owner alone.
pub(super) fn make_dir(dir: &Path) -> Result<(), StoreError> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(StoreError::file("cannot create", dir))
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(false)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(5))
        .disable_statement_logging()
}

/// The writing connection. NORMAL would lose the last commits at a power cut, so FULL, but for [`Store::without_sync`](super::Store::without_sync).
pub(super) async fn connect_to_write(path: &Path) -> Result<SqliteConnection, StoreError> {
    let options = options(path).journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
    let mut db = options.connect().await?;
    sqlx::raw_sql(WATCH).execute(&mut db).await?;
    Ok(db)
}

/// A connection that cannot write. It reads the file by mapping it, which saves a call and a copy for each of thousands of pages.
pub(super) async fn connect_to_read(path: &Path) -> Result<SqliteConnection, StoreError> {
    Ok(options(path).read_only(true).pragma("mmap_size", MAPPED).connect().await?)
}

/// Makes the database of a data directory where there is none, and checks the one that is there.
pub(super) async fn prepare(dir: &Path) -> Result<(), StoreError> {
    make_dir(dir)?;
    let _alone = lock_dir(dir).await?;
    let path = database_path(dir);
    if !path.exists() {
        return make(dir, &path).await;
    }
    make_private(&path)?;
    refuse_empty(&path)?;
    let mut db = options(&path).connect().await?;
    let state = inspect(&mut db, &path).await?;
    // the daemon has done it, and it reads the whole file
    let is_checked = Store::holder(dir)?.is_some_and(|holder| holder.pid != Some(std::process::id()));
    if !is_checked {
        quick_check(&mut db).await?;
    }
    if state == State::Empty {
        migrate(&mut db).await?;
    }
    db.close().await?;
    Ok(())
}

/// Makes the database beside its place and puts it there when it is whole: so an empty file is never one that was just being made.
async fn make(dir: &Path, path: &Path) -> Result<(), StoreError> {
    let begun = dir.join("amici.db.new");
    match std::fs::remove_file(&begun) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(StoreError::file("cannot remove", &begun)(error));
        }
        _ => {}
    }
    make_private(&begun)?;
    let mut db = options(&begun).connect().await?;
    migrate(&mut db).await?;
    db.close().await?;
    std::fs::rename(&begun, path).map_err(StoreError::file("cannot make", path))
}

async fn migrate(db: &mut SqliteConnection) -> Result<(), StoreError> {
    // a PRAGMA takes no bound values
    sqlx::query("PRAGMA application_id = 0x616d6963").execute(&mut *db).await?;
    MIGRATOR.run_direct(None, db, false).await.map_err(not_made)
}

/// A file without a byte is a database that was lost: taken for a new one, it would make every game unknown.
fn refuse_empty(path: &Path) -> Result<(), StoreError> {
    let length = std::fs::metadata(path).map_err(StoreError::file("cannot look at", path))?.len();
    if length == 0 { Err(StoreError::Damaged { why: "the file is empty".to_owned() }) } else { Ok(()) }
}

/// The database of a data directory for a reader, who can neither make it nor set it right.
async fn check(dir: &Path) -> Result<SqliteConnection, StoreError> {
    let path = database_path(dir);
    if !path.exists() {
        return Err(StoreError::NoDatabase { path });
    }
    refuse_empty(&path)?;
    let mut db = connect_to_read(&path).await?;
    match inspect(&mut db, &path).await? {
        State::Empty => Err(StoreError::NoDatabase { path }),
        State::Ours => Ok(db),
    }
}

/// The same. What a writer that was killed left half done is set right first, unless a daemon works on it.
pub(super) async fn to_read(dir: &Path) -> Result<SqliteConnection, StoreError> {
    match check(dir).await {
        Err(StoreError::ReadOnly { .. }) if Store::holder(dir)?.is_none() => {
            prepare(dir).await?;
            check(dir).await
        }
        other => other,
    }
}

#[derive(PartialEq, Eq)]
enum State {
    Empty,
    Ours,
}

async fn inspect(db: &mut SqliteConnection, path: &Path) -> Result<State, StoreError> {
    let not_ours = || StoreError::NotOurs { path: path.to_owned() };
    let application: Result<i64, sqlx::Error> = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *db).await;
    let application = match application.map_err(StoreError::from) {
        Err(StoreError::Damaged { .. }) if !says_ours(path) => return Err(not_ours()),
        other => other?,
    };
    let (tables, migrated): (i64, i64) =
        sqlx::query_as("SELECT count(*), count(*) FILTER (WHERE name = '_sqlx_migrations') FROM sqlite_master")
            .fetch_one(&mut *db)
            .await?;
    match application {
        0 if tables == 0 => return Ok(State::Empty),
        APPLICATION_ID if migrated == 0 => return Ok(State::Empty),
        APPLICATION_ID => {}
        _ => return Err(not_ours()),
    }
    let made: Vec<(i64, Vec<u8>)> =
        sqlx::query_as("SELECT version, checksum FROM _sqlx_migrations ORDER BY version").fetch_all(db).await?;
    if made.is_empty() {
        return Ok(State::Empty);
    }
    let ours: Vec<(i64, Vec<u8>)> = MIGRATOR.iter().map(|step| (step.version, step.checksum.to_vec())).collect();
    match made.strip_prefix(&*ours) {
        None => Err(StoreError::OtherBuild { path: path.to_owned() }),
        Some([]) => Ok(State::Ours),
        Some([.., (found, _)]) => {
            let known = ours.last().map_or(0, |(version, _)| *version);
            Err(StoreError::NewerSchema { path: path.to_owned(), found: *found, known })
        }
    }
}

/// Whether the header of a file has our mark, whatever became of the rest: bytes 68 to 71 of a database (SQLite file format, 1.3.17).
fn says_ours(path: &Path) -> bool {
    let mut header = [0; 72];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header.starts_with(b"SQLite format 3\0") && header.ends_with(b"amic")
}

async fn quick_check(db: &mut SqliteConnection) -> Result<(), StoreError> {
    let said: String = sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(db).await?;
    if said == "ok" { Ok(()) } else { Err(StoreError::Damaged { why: said }) }
}

/// Makes an empty file if there is none, and takes all rights from others. SQLite gives -wal and -shm the same mode.
fn make_private(path: &Path) -> Result<(), StoreError> {
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
    file.and_then(|f| f.set_permissions(Permissions::from_mode(0o600))).map_err(StoreError::file("cannot open", path))
}

async fn lock_dir(dir: &Path) -> Result<File, StoreError> {
    let handle = File::open(dir).map_err(StoreError::file("cannot open", dir))?;
    let locked = tokio::task::spawn_blocking(move || handle.lock().map(|()| handle)).await;
    match locked {
        Ok(result) => result.map_err(StoreError::file("cannot lock", dir)),
        Err(_) => Err(StoreError::Busy),
    }
}

fn not_made(error: MigrateError) -> StoreError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
        other => StoreError::Unexpected { why: other.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOGINS: &str = "SELECT count(*) FROM logins";

    #[tokio::test]
    async fn a_reader_finds_what_stood_there_before_a_writer_was_killed() {
        let [dir, killed] = [(); 2].map(|()| tempfile::TempDir::new().unwrap());
        prepare(dir.path()).await.unwrap();
        let mut writer = options(&database_path(dir.path())).connect().await.unwrap();
        sqlx::raw_sql(
            "INSERT INTO logins (source, at, outcome) VALUES ('imap', '2004-10-31', 'ok');
             PRAGMA cache_size = 2; BEGIN; DELETE FROM logins; CREATE TABLE filler (x);
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
             INSERT INTO filler SELECT hex(randomblob(2000)) FROM n",
        )
        .execute(&mut writer)
        .await
        .unwrap();
        for file in ["amici.db", "amici.db-journal"] {
            std::fs::copy(dir.path().join(file), killed.path().join(file)).unwrap();
        }
        let error = check(killed.path()).await.unwrap_err();
        assert!(matches!(error, StoreError::ReadOnly { .. }), "the journal is hot: {error}");
        let mut db = to_read(killed.path()).await.unwrap();
        assert_eq!(sqlx::query_scalar::<_, i64>(LOGINS).fetch_one(&mut db).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn every_commit_is_synced() {
        let dir = tempfile::TempDir::new().unwrap();
        prepare(dir.path()).await.unwrap();
        let mut db = connect_to_write(&database_path(dir.path())).await.unwrap();
        let level: i64 = sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut db).await.unwrap();
        assert_eq!(level, 2, "2 is FULL");
        let keys: i64 = sqlx::query_scalar("PRAGMA foreign_keys").fetch_one(&mut db).await.unwrap();
        assert_eq!(keys, 1);
    }

    #[tokio::test]
    async fn commits_wait_for_the_disk_again_after_a_sync() {
        let dir = tempfile::TempDir::new().unwrap();
        let mut store = super::super::Store::open(dir.path()).await.unwrap();
        store.without_sync().await.unwrap();
        assert_eq!(level(&mut store).await, 1, "1 is NORMAL");
        store.sync().await.unwrap();
        assert_eq!(level(&mut store).await, 2);
    }

    async fn level(store: &mut super::super::Store) -> i64 {
        let mut db = store.checkout().await.unwrap();
        let level = sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut db).await.unwrap();
        store.checkin(db);
        level
    }
}
