//! Finding, checking and upgrading the database file before anything is read from it.
//!
//! Every check comes before the first write, so a foreign, newer or damaged file stays as it is. sqlx takes no lock
//! round its migrations on SQLite: here the data directory itself is locked while they run.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::Store;
use super::error::StoreError;

/// Marks the file as ours: `amic` (PRAGMA application_id).
const APPLICATION_ID: i64 = 0x616d_6963;

/// The schema's steps, built into the program.
pub(super) static MIGRATOR: Migrator = sqlx::migrate!("./migrations");

/// Opens every transaction that writes: one that begins by reading fails at once when another process commits in between.
pub(super) const WRITE: &str = "BEGIN IMMEDIATE";

/// Opens a transaction that only reads, so that all its rows are of one moment.
pub(super) const READ: &str = "BEGIN DEFERRED";

/// The bytes of a database that a reader maps; what lies behind them is read as ever.
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

/// The writing connection. NORMAL would lose the last commits at a power cut, so FULL.
pub(super) async fn connect_to_write(path: &Path) -> Result<SqliteConnection, StoreError> {
    let options = options(path).journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
    Ok(options.connect().await?)
}

/// A connection that cannot write. It reads the file by mapping it, which saves a call and a copy for each of thousands of pages.
pub(super) async fn connect_to_read(path: &Path) -> Result<SqliteConnection, StoreError> {
    Ok(options(path).read_only(true).pragma("mmap_size", MAPPED).connect().await?)
}

/// Creates, checks, and upgrades the database of a data directory.
pub(super) async fn prepare(dir: &Path, migrator: &Migrator) -> Result<(), StoreError> {
    make_dir(dir)?;
    let _alone = lock_dir(dir).await?;
    let path = database_path(dir);
    make_private(&path)?;
    let mut db = options(&path).connect().await?;
    let state = inspect(&mut db, &path, migrator).await?;
    quick_check(&mut db).await?;
    match state {
        State::Empty => set_application_id(&mut db).await?,
        State::Schema { found, known } if found < known => {
            back_up(&mut db, &dir.join(format!("amici-before-{known}.db"))).await?;
        }
        State::Schema { .. } => {}
    }
    migrator.run_direct(None, &mut db, false).await.map_err(|error| migration(error, &path))?;
    db.close().await?;
    Ok(())
}

/// Checks the database of a data directory for a reader, who can neither create nor upgrade it.
pub(super) async fn check(dir: &Path, migrator: &Migrator) -> Result<SqliteConnection, StoreError> {
    let path = database_path(dir);
    if !path.exists() {
        return Err(StoreError::NoDatabase { path });
    }
    let mut db = connect_to_read(&path).await?;
    match inspect(&mut db, &path, migrator).await? {
        State::Empty => Err(StoreError::NoDatabase { path }),
        State::Schema { found, known } if found < known => Err(StoreError::OlderSchema { path, found, known }),
        State::Schema { .. } => Ok(db),
    }
}

/// The database of a data directory for a reader. What a writer that was killed left half done, and an older schema, is set right first,
/// unless a daemon works on it: that may be an older amici, which needs the older schema.
pub(super) async fn to_read(dir: &Path, migrator: &Migrator) -> Result<SqliteConnection, StoreError> {
    match check(dir, migrator).await {
        Err(StoreError::OlderSchema { .. } | StoreError::ReadOnly { .. }) if Store::holder(dir)?.is_none() => {
            prepare(dir, migrator).await?;
            check(dir, migrator).await
        }
        other => other,
    }
}

enum State {
    Empty,
    Schema { found: i64, known: i64 },
}

async fn inspect(db: &mut SqliteConnection, path: &Path, migrator: &Migrator) -> Result<State, StoreError> {
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
        APPLICATION_ID => {}
        _ => return Err(not_ours()),
    }
    let found: Option<i64> = if migrated == 0 {
        None
    } else {
        sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations").fetch_one(&mut *db).await?
    };
    let known = migrator.iter().map(|m| m.version).max().unwrap_or(0);
    match found {
        None => Ok(State::Empty),
        Some(found) if found > known => Err(StoreError::NewerSchema { path: path.to_owned(), found, known }),
        Some(found) => Ok(State::Schema { found, known }),
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

async fn set_application_id(db: &mut SqliteConnection) -> Result<(), StoreError> {
    // a PRAGMA takes no bound values
    sqlx::query("PRAGMA application_id = 0x616d6963").execute(db).await?;
    Ok(())
}

/// Copies the database as it is. VACUUM INTO accepts an existing file only if it is empty; made here, it gets its mode.
async fn back_up(db: &mut SqliteConnection, to: &Path) -> Result<(), StoreError> {
    let part = to.with_extension("db.part");
    match std::fs::remove_file(&part) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(StoreError::file("cannot remove", &part)(error));
        }
        _ => make_private(&part)?,
    }
    sqlx::query("VACUUM INTO ?").bind(part.to_string_lossy()).execute(db).await?;
    let sync =
        |path: &Path| File::open(path).and_then(|f| f.sync_all()).map_err(StoreError::file("cannot write", path));
    sync(&part)?;
    std::fs::rename(&part, to).map_err(StoreError::file("cannot write", to))?;
    sync(to.parent().unwrap_or(to))
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

fn migration(error: MigrateError, path: &Path) -> StoreError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
        MigrateError::VersionMismatch(version)
        | MigrateError::VersionMissing(version)
        | MigrateError::Dirty(version) => StoreError::OtherSchema { path: path.to_owned(), version },
        other => StoreError::Unexpected { why: other.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use sqlx::SqlSafeStr;
    use sqlx::migrate::{Migration, MigrationType};

    use super::*;

    /// The schema of a later release: this one and another step.
    fn later(step: &'static str) -> Migrator {
        let mut steps: Vec<Migration> = MIGRATOR.iter().cloned().collect();
        let version = newest() + 1;
        steps.push(Migration::new(version, "later".into(), MigrationType::Simple, step.into_sql_str(), false));
        Migrator::with_migrations(steps)
    }

    fn newest() -> i64 {
        MIGRATOR.iter().map(|m| m.version).max().unwrap()
    }

    async fn count(path: &Path, sql: &'static str) -> i64 {
        let mut db = connect_to_read(path).await.unwrap();
        sqlx::query_scalar(sql).fetch_one(&mut db).await.unwrap()
    }

    const TAGS: &str = "SELECT count(*) FROM sqlite_master WHERE name = 'tags'";
    const LOGINS: &str = "SELECT count(*) FROM logins";

    async fn of_this_release() -> tempfile::TempDir {
        let dir = tempfile::TempDir::new().unwrap();
        prepare(dir.path(), &MIGRATOR).await.unwrap();
        let mut db = connect_to_write(&database_path(dir.path())).await.unwrap();
        sqlx::query("INSERT INTO logins (source, at, outcome) VALUES ('imap', '2004-10-31', 'ok')")
            .execute(&mut db)
            .await
            .unwrap();
        dir
    }

    #[tokio::test]
    async fn an_older_schema_is_upgraded_after_a_private_backup_copy() {
        let dir = of_this_release().await;
        let path = database_path(dir.path());
        prepare(dir.path(), &MIGRATOR).await.unwrap();
        let copy = dir.path().join(format!("amici-before-{}.db", newest() + 1));
        assert!(!copy.exists(), "nothing to upgrade, nothing copied");
        let later = later("CREATE TABLE tags (id INTEGER PRIMARY KEY) STRICT");
        prepare(dir.path(), &later).await.unwrap();
        assert_eq!(count(&path, TAGS).await, 1);
        assert_eq!(count(&path, LOGINS).await, 1);
        assert_eq!(count(&copy, TAGS).await, 0);
        assert_eq!(count(&copy, LOGINS).await, 1);
        let mode = std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600);
        let error = prepare(dir.path(), &MIGRATOR).await.unwrap_err();
        assert!(matches!(error, StoreError::NewerSchema { .. }), "{error}");
        std::fs::rename(&copy, &path).unwrap();
        for beside in ["amici.db-wal", "amici.db-shm"] {
            let _ = std::fs::remove_file(dir.path().join(beside));
        }
        prepare(dir.path(), &MIGRATOR).await.unwrap();
        assert_eq!(count(&path, LOGINS).await, 1, "the copy can be put back");
    }

    #[tokio::test]
    async fn an_upgrade_that_fails_leaves_the_old_schema() {
        let dir = of_this_release().await;
        let broken = later("CREATE TABLE tags (id INTEGER PRIMARY KEY) STRICT; INSERT INTO nowhere VALUES (1)");
        let error = prepare(dir.path(), &broken).await.unwrap_err();
        assert!(matches!(error, StoreError::Unexpected { .. }), "{error}");
        assert_eq!(count(&database_path(dir.path()), TAGS).await, 0);
        prepare(dir.path(), &MIGRATOR).await.unwrap();
        let good = later("CREATE TABLE tags (id INTEGER PRIMARY KEY) STRICT");
        prepare(dir.path(), &good).await.unwrap();
        assert_eq!(count(&database_path(dir.path()), TAGS).await, 1);
    }

    #[tokio::test]
    async fn a_reader_does_not_upgrade() {
        let dir = of_this_release().await;
        let later = later("CREATE TABLE tags (id INTEGER PRIMARY KEY) STRICT");
        let error = check(dir.path(), &later).await.unwrap_err();
        assert!(matches!(error, StoreError::OlderSchema { .. }), "{error}");
        assert_eq!(count(&database_path(dir.path()), TAGS).await, 0);
    }

    #[tokio::test]
    async fn a_reader_upgrades_what_no_daemon_works_on_and_leaves_what_one_does() {
        let dir = of_this_release().await;
        let later = later("CREATE TABLE tags (id INTEGER PRIMARY KEY) STRICT");
        let lock = Store::lock(dir.path(), "run", "home", "2026-03-18T12:00:00Z".parse().unwrap()).unwrap();
        let error = to_read(dir.path(), &later).await.unwrap_err();
        assert!(error.to_string().contains("help: restart the daemon"), "{error}");
        assert_eq!(count(&database_path(dir.path()), TAGS).await, 0);
        drop(lock);
        let mut db = to_read(dir.path(), &later).await.unwrap();
        assert_eq!(sqlx::query_scalar::<_, i64>(TAGS).fetch_one(&mut db).await.unwrap(), 1);
        assert_eq!(count(&database_path(dir.path()), LOGINS).await, 1);
    }

    #[tokio::test]
    async fn a_reader_finds_what_stood_there_before_a_writer_was_killed() {
        let [dir, killed] = [(); 2].map(|()| tempfile::TempDir::new().unwrap());
        prepare(dir.path(), &MIGRATOR).await.unwrap();
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
        let error = check(killed.path(), &MIGRATOR).await.unwrap_err();
        assert!(matches!(error, StoreError::ReadOnly { .. }), "the journal is hot: {error}");
        let mut db = to_read(killed.path(), &MIGRATOR).await.unwrap();
        assert_eq!(sqlx::query_scalar::<_, i64>(LOGINS).fetch_one(&mut db).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn every_commit_is_synced() {
        let dir = of_this_release().await;
        let mut db = connect_to_write(&database_path(dir.path())).await.unwrap();
        let level: i64 = sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut db).await.unwrap();
        assert_eq!(level, 2, "2 is FULL");
        let keys: i64 = sqlx::query_scalar("PRAGMA foreign_keys").fetch_one(&mut db).await.unwrap();
        assert_eq!(keys, 1);
    }
}
