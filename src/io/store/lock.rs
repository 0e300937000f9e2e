//! One daemon per data directory: a lock that the kernel gives back when its holder ends, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use chrono::{DateTime, SecondsFormat, Utc};

use super::Store;
use super::error::{Holder, StoreError};
use super::open::make_dir;

/// How often the lock is tried for where somebody only looks at it.
const TRIES: u32 = 10_000;

/// The right to work on a data directory, until it is dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Store {
    /// Takes the lock of a data directory; `what` is the command, `host` the machine's name, both for whoever comes second.
    ///
    /// # Errors
    /// [`StoreError::Locked`], at once, while another process holds it.
    pub fn lock(dir: &Path, what: &str, host: &str, now: DateTime<Utc>) -> Result<Lock, StoreError> {
        make_dir(dir)?;
        let path = dir.join("amici.lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(StoreError::file("cannot open", &path))?;
        if !is_ours(&file).map_err(StoreError::file("cannot lock", &path))? {
            return Err(StoreError::Locked { holder: holder_in(&mut file, &path)? });
        }
        let since = now.to_rfc3339_opts(SecondsFormat::Secs, true);
        let text = format!("{what}\n{}\n{host}\n{since}\n", std::process::id());
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(text.as_bytes()))
            .map_err(StoreError::file("cannot write", &path))?;
        Ok(Lock { _file: file })
    }

    /// Who holds the lock of a data directory; `None` where nobody does.
    ///
    /// # Errors
    /// [`StoreError`] when the file cannot be read.
    pub fn holder(dir: &Path) -> Result<Option<Holder>, StoreError> {
        let path = dir.join("amici.lock");
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::file("cannot open", &path)(error)),
        };
        // shared: whoever wants the lock itself at this instant finds out that it is free
        match file.try_lock_shared() {
            Ok(()) => Ok(None),
            Err(TryLockError::WouldBlock) => holder_in(&mut file, &path).map(Some),
            Err(TryLockError::Error(source)) => Err(StoreError::file("cannot lock", &path)(source)),
        }
    }
}

/// Takes the lock; false while another process holds it. Whoever only looks holds it shared, and for an instant: he is waited for.
fn is_ours(file: &File) -> std::io::Result<bool> {
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(source)) => return Err(source),
        }
        match file.try_lock_shared() {
            Ok(()) => file.unlock()?,
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(source)) => return Err(source),
        }
        std::thread::yield_now();
    }
    Ok(false)
}

fn holder_in(file: &mut File, path: &Path) -> Result<Holder, StoreError> {
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(StoreError::file("cannot read", path))?;
    Ok(holder(&text))
}

fn holder(text: &str) -> Holder {
    let mut lines = text.lines();
    let mut next = || lines.next().unwrap_or_default();
    Holder { what: next().to_owned(), pid: next().parse().ok(), host: next().to_owned(), since: next().parse().ok() }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn whoever_looks_at_the_lock_sees_its_holder_and_keeps_nobody_from_it() {
        let dir = tempfile::TempDir::new().unwrap();
        let now = "2026-03-18T12:00:00Z".parse().unwrap();
        assert_eq!(Store::holder(dir.path()).unwrap(), None, "there is no file");
        let lock = Store::lock(dir.path(), "run", "home", now).unwrap();
        let holder = Store::holder(dir.path()).unwrap().unwrap();
        assert_eq!((holder.what.as_str(), holder.pid), ("run", Some(std::process::id())));
        assert!(matches!(Store::lock(dir.path(), "poll", "home", now), Err(StoreError::Locked { .. })));
        drop(lock);
        assert_eq!(Store::holder(dir.path()).unwrap(), None);
        let done = AtomicBool::new(false);
        std::thread::scope(|threads| {
            for _ in 0..2 {
                threads.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        Store::holder(dir.path()).unwrap();
                    }
                });
            }
            let refused = (0..500).filter(|_| Store::lock(dir.path(), "run", "home", now).is_err()).count();
            done.store(true, Ordering::Relaxed);
            assert_eq!(refused, 0);
        });
    }
}
