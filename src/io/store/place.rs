//! Whether the files of the database are still those that were opened: a database that somebody moves, deletes or replaces under a running
//! program would go on being written where nobody finds it.

use std::fs::metadata;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::Store;
use super::error::StoreError;

/// What was found at the last look.
#[derive(Debug, Default)]
pub(super) struct Place {
    database: Option<File>,
    log: Option<File>,
    /// The newest act: none is ever taken out.
    newest: i64,
}

/// A file by its device and number.
type File = (u64, u64);

impl Place {
    /// The connection was lost: the one that follows may have begun a new write-ahead log.
    pub(super) fn reconnected(&mut self) {
        self.log = None;
    }
}

impl Store {
    /// Makes sure that the files are those of the last look, and that nothing which stood in them then is missing.
    ///
    /// # Errors
    /// [`StoreError::Displaced`]; those of reading the database.
    pub async fn look_at_place(&mut self) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let newest: i64 = sqlx::query_scalar("SELECT ifnull(max(id), 0) FROM acts").fetch_one(&mut db).await?;
        self.checkin(db);
        let log = self.path.with_extension("db-wal");
        let (database, log) = (number(&self.path)?, number(&log)?);
        let is_other = |before: Option<File>, now: Option<File>| before.is_some() && before != now;
        let why = if is_other(self.place.database, database) {
            if database.is_none() { "it is not in its place any more" } else { "another file stands in its place" }
        } else if is_other(self.place.log, log) {
            "its write-ahead log, amici.db-wal, was taken away"
        } else if newest < self.place.newest {
            "an older state of it was put in its place"
        } else {
            self.place = Place { database, log, newest };
            return Ok(());
        };
        Err(StoreError::Displaced { why })
    }
}

fn number(path: &Path) -> Result<Option<File>, StoreError> {
    match metadata(path) {
        Ok(found) => Ok(Some((found.dev(), found.ino()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::file("cannot look at", path)(error)),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[tokio::test]
    async fn a_database_that_is_moved_deleted_or_replaced_is_noticed() {
        for (what, said) in [
            ("move", "not in its place"),
            ("delete", "not in its place"),
            ("replace", "another file"),
            ("log", "write-ahead log"),
            ("older", "older state"),
        ] {
            let dir = tempfile::TempDir::new().unwrap();
            let file = |name: &str| dir.path().join(name);
            let mut store = Store::open(dir.path()).await.unwrap();
            for _ in 0..2 {
                store.look_at_place().await.unwrap();
            }
            match what {
                "move" => fs::rename(file("amici.db"), file("elsewhere.db")).unwrap(),
                "delete" => fs::remove_file(file("amici.db")).unwrap(),
                "replace" => {
                    fs::copy(file("amici.db"), file("copy.db")).unwrap();
                    fs::rename(file("copy.db"), file("amici.db")).unwrap();
                }
                "log" => fs::remove_file(file("amici.db-wal")).unwrap(),
                _ => store.place.newest = 1,
            }
            let error = store.look_at_place().await.unwrap_err();
            assert!(matches!(error, StoreError::Displaced { why } if why.contains(said)), "{what}: {error}");
            assert_eq!(error.class(), crate::io::Class::Stop);
            assert!(store.look_at_place().await.is_err(), "{what}: it stays so");
        }
    }

    #[tokio::test]
    async fn an_empty_file_is_no_new_database() {
        let dir = tempfile::TempDir::new().unwrap();
        let path = dir.path().join("amici.db");
        fs::write(&path, "").unwrap();
        for opened in [Store::open(dir.path()).await, Store::open_existing_read_only(dir.path()).await] {
            let error = opened.unwrap_err();
            assert!(matches!(&error, StoreError::Damaged { why } if why.contains("empty")), "{error}");
        }
        assert_eq!(fs::read(&path).unwrap(), b"");
    }
}
