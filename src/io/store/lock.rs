//! One daemon per data directory: a lock that the kernel gives back when its holder ends, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use chrono::{DateTime, SecondsFormat, Utc};

use super::Store;
use super::error::{Holder, StoreError};
use super::open::make_dir;

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
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                file.read_to_string(&mut text).map_err(StoreError::file("cannot read", &path))?;
                return Err(StoreError::Locked { holder: holder(&text) });
            }
            Err(TryLockError::Error(source)) => {
                return Err(StoreError::file("cannot lock", &path)(source));
            }
        }
        let since = now.to_rfc3339_opts(SecondsFormat::Secs, true);
        let text = format!("{what}\n{}\n{host}\n{since}\n", std::process::id());
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(text.as_bytes()))
            .map_err(StoreError::file("cannot write", &path))?;
        Ok(Lock { _file: file })
    }
}

fn holder(text: &str) -> Holder {
    let mut lines = text.lines();
    let mut next = || lines.next().unwrap_or_default();
    Holder { what: next().to_owned(), pid: next().parse().ok(), host: next().to_owned(), since: next().parse().ok() }
}
