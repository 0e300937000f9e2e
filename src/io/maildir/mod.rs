//! A Maildir on this computer in place of IMAP and SMTP: for mbsync and offlineimap users, the demo, and replays.
//!
//! Reading changes nothing: no rename, no flag. Delivering adds files named by us, and only them. Std only, with an fsync
//! at every step that counts. All calls block on the disk: use `spawn_blocking` from the loop.
//! Not covered: watching for changes, flags, quotas. A mail that a client renames *while* the folder is being listed may be
//! missing from that one listing; the next one has it.
//! Surprise: a mail's time is the file's, which is the time of arrival only if the synchroniser keeps it (mbsync:
//! `CopyArrivalDate yes`).

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use super::Class;

mod folders;

/// Where mails wait, and where they lie once a client has seen them. In this order everywhere: mails move from `new` to
/// `cur`, so that one which moves while we look is met twice, never missed.
const SHELVES: [&str; 2] = ["new", "cur"];

/// A Maildir whose three directories were there when it was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maildir {
    root: PathBuf,
}

/// One mail of a Maildir.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its unique name, without the flags after the colon: the same before and after a client has read the mail.
    pub name: String,
    /// Length in bytes.
    pub size: u64,
    /// When the file was last written: for a well-kept Maildir, when the mail arrived.
    pub modified: DateTime<Utc>,
}

/// Trouble with a Maildir.
#[derive(Debug, thiserror::Error)]
pub enum MaildirError {
    /// One of the three directories is missing.
    #[error(
        "{path} is not a Maildir: it has no directory {missing:?}\nhelp: name the directory that holds cur, new and tmp"
    )]
    NotAMaildir {
        /// As configured.
        path: PathBuf,
        /// `new`, `cur` or `tmp`.
        missing: &'static str,
    },
    /// The name of a sub-folder would lead out of the Maildir.
    #[error("{name:?} is not the name of a folder in a Maildir\nhelp: write INBOX, or the folder as in Chess/Archive")]
    FolderName {
        /// As configured.
        name: String,
    },
    /// There is no sub-folder of this name in any of the usual layouts.
    #[error("there is no folder {name:?} in or beside {root}; there are: {}\nhelp: name one of them", listed(.folders))]
    NoSuchFolder {
        /// As configured.
        name: String,
        /// The inbox.
        root: PathBuf,
        /// The names of those there are.
        folders: Vec<String>,
    },
    /// One mail cannot be read.
    #[error("the mail {name:?} in {folder} cannot be read: {why}\nhelp: check the permissions of the file")]
    Unreadable {
        /// The Maildir.
        folder: PathBuf,
        /// The mail's unique name.
        name: String,
        /// The system's reason.
        why: io::Error,
    },
    /// One mail is longer than the caller takes.
    #[error("the mail {name:?} in {folder} is longer than {cap} bytes")]
    TooLong {
        /// The Maildir.
        folder: PathBuf,
        /// The mail's unique name.
        name: String,
        /// The limit, in bytes.
        cap: u64,
    },
    /// The disk or its permissions.
    #[error("cannot {deed} {path}: {why}")]
    Disk {
        /// What was tried.
        deed: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's reason.
        why: io::Error,
    },
}

impl MaildirError {
    /// What the loop does about it: one bad mail is set aside, a full or failing disk is tried again, the rest (a wrong
    /// path, missing rights) waits for the player.
    pub fn class(&self) -> Class {
        match self {
            Self::NotAMaildir { .. } | Self::FolderName { .. } | Self::NoSuchFolder { .. } => Class::Stop,
            Self::Unreadable { .. } | Self::TooLong { .. } => Class::SetAside,
            Self::Disk { why, .. } => match why.kind() {
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Class::Stop,
                _ => Class::Retry,
            },
        }
    }
}

fn listed(folders: &[String]) -> String {
    if folders.is_empty() { "none".to_owned() } else { folders.join(", ") }
}

fn disk(deed: &'static str, path: &Path) -> impl FnOnce(io::Error) -> MaildirError {
    let path = path.to_owned();
    move |why| MaildirError::Disk { deed, path, why }
}

impl Maildir {
    /// The Maildir at `root`, which must have its three directories.
    ///
    /// # Errors
    /// `NotAMaildir`.
    pub fn open(root: &Path) -> Result<Self, MaildirError> {
        match ["cur", "new", "tmp"].into_iter().find(|part| !root.join(part).is_dir()) {
            None => Ok(Self { root: root.to_owned() }),
            Some(missing) => Err(MaildirError::NotAMaildir { path: root.to_owned(), missing }),
        }
    }

    /// The Maildir at `root`, with whatever of it was missing made, for its owner only.
    ///
    /// # Errors
    /// `Disk`.
    pub fn create(root: &Path) -> Result<Self, MaildirError> {
        for part in ["tmp", "new", "cur"] {
            let path = root.join(part);
            DirBuilder::new().recursive(true).mode(0o700).create(&path).map_err(disk("create", &path))?;
        }
        sync(root)?;
        Self::open(root)
    }

    /// All mails of the folder, oldest first; those of the same instant by name.
    ///
    /// # Errors
    /// `Disk` when a directory cannot be read.
    pub fn list(&self) -> Result<Vec<Entry>, MaildirError> {
        let mut found = BTreeMap::new();
        self.each(|name, path| {
            let about = match fs::metadata(path) {
                Ok(about) => about,
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None::<()>),
                Err(error) => return Err(disk("look at", path)(error)),
            };
            if about.is_file() {
                let modified = modified(&about);
                found.entry(name.to_owned()).or_insert(Entry { name: name.to_owned(), size: about.len(), modified });
            }
            Ok(None)
        })?;
        let mut entries: Vec<Entry> = found.into_values().collect();
        entries.sort_by_key(|entry| entry.modified);
        Ok(entries)
    }

    /// The bytes of the mail with this unique name, wherever a client has moved it meanwhile; None when it is gone.
    ///
    /// # Errors
    /// `TooLong` above `cap` bytes, since a mail cut short may say something else than the whole; `Unreadable` for other
    /// trouble with this file, `Disk` with the directories.
    pub fn read(&self, name: &str, cap: u64) -> Result<Option<Vec<u8>>, MaildirError> {
        // Between finding and opening it a client may rename the file, once or (by flags) again: three looks are enough
        // for any client, and then it is gone for this time.
        for _ in 0..3 {
            let Some(path) = self.find(name)? else {
                return Ok(None);
            };
            match read_up_to(&path, cap.saturating_add(1)) {
                Ok(bytes) if bytes.len() as u64 > cap => {
                    return Err(MaildirError::TooLong { folder: self.root.clone(), name: name.to_owned(), cap });
                }
                Ok(bytes) => return Ok(Some(bytes)),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(why) => {
                    return Err(MaildirError::Unreadable { folder: self.root.clone(), name: name.to_owned(), why });
                }
            }
        }
        Ok(None)
    }

    /// The mail lies in the Maildir, durably and once: nothing is added while a mail delivered under the same Message-ID
    /// is still in `new` or `cur`, so that a crash before our own note of success costs nothing.
    ///
    /// The bytes are stored as they are given, CR LF and all, as other copies of the mail have them too.
    ///
    /// # Errors
    /// `Disk`; the mail is then not in the Maildir, or it is and delivering again finds it.
    pub fn deliver(&self, message_id: &str, bytes: &[u8]) -> Result<(), MaildirError> {
        let name = name_for(message_id);
        if let Some(there) = self.find(&name)? {
            // It may have been renamed by a run that was killed before it could sync the directory.
            return there.parent().map_or(Ok(()), sync);
        }
        let waiting = self.root.join("tmp").join(&name);
        write_durably(&waiting, bytes).map_err(|error| {
            // A part of a mail is of no use; if even this fails, the next delivery writes over it.
            let _ = fs::remove_file(&waiting);
            disk("write", &waiting)(error)
        })?;
        let shelf = self.root.join("new");
        fs::rename(&waiting, shelf.join(&name)).map_err(disk("move into new", &waiting))?;
        sync(&shelf)
    }

    fn find(&self, wanted: &str) -> Result<Option<PathBuf>, MaildirError> {
        self.each(|name, path| Ok((name == wanted).then(|| path.to_owned())))
    }

    /// Shows `look` each file's unique name and path until it returns something.
    fn each<T>(
        &self,
        mut look: impl FnMut(&str, &Path) -> Result<Option<T>, MaildirError>,
    ) -> Result<Option<T>, MaildirError> {
        for shelf in SHELVES {
            let directory = self.root.join(shelf);
            for item in fs::read_dir(&directory).map_err(disk("read", &directory))? {
                let item = item.map_err(disk("read", &directory))?;
                let file_name = item.file_name();
                // Names are ASCII in practice. Others are shown with the replacement character and still found again.
                let file_name = file_name.to_string_lossy();
                if file_name.starts_with('.') {
                    continue;
                }
                let name = file_name.split(':').next().unwrap_or_default();
                if let Some(result) = look(name, &item.path())? {
                    return Ok(Some(result));
                }
            }
        }
        Ok(None)
    }
}

/// The file name a mail of ours gets: from its Message-ID alone, so that the same mail has the same name after a restart.
fn name_for(message_id: &str) -> String {
    format!("{}.amici", hex::encode(Sha256::digest(message_id)))
}

/// A time no calendar has, as a tampered file may show, becomes the last or first one there is.
fn modified(about: &fs::Metadata) -> DateTime<Utc> {
    let nanoseconds = u32::try_from(about.mtime_nsec()).unwrap_or(0);
    DateTime::from_timestamp(about.mtime(), nanoseconds).unwrap_or(if about.mtime() < 0 {
        DateTime::<Utc>::MIN_UTC
    } else {
        DateTime::<Utc>::MAX_UTC
    })
}

fn read_up_to(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the names in a directory durable (fsync(2): syncing a file does not sync its name).
fn sync(directory: &Path) -> Result<(), MaildirError> {
    File::open(directory).and_then(|opened| opened.sync_all()).map_err(disk("sync", directory))
}
