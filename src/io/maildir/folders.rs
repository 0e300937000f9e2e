//! The folders of a Maildir, as the programs that keep one lay them out.
//!
//! | layout | the folder Chess/Archive | kept by |
//! |---|---|---|
//! | Maildir++ | `.Chess.Archive` in the inbox | Dovecot, mbsync `SubFolders Maildir++` |
//! | Verbatim | `Chess/Archive` in the inbox or beside it | mbsync `SubFolders Verbatim` |
//! | Legacy | `Chess/.Archive` in the inbox or beside it | mbsync `SubFolders Legacy` |
//! | flat | `Chess.Archive` beside the inbox | offlineimap |
//!
//! A name has a slash between its levels, whatever the layout; with a dot it is met too where the directory has one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::super::imap::decode_folder;
use super::super::role::{PLACES, Role};
use super::{Maildir, MaildirError};

/// The names that programs give the inbox where it lies beside the other folders.
const INBOXES: [&str; 3] = ["INBOX", "Inbox", "inbox"];
/// Levels of folders that are looked for.
const DEPTH: usize = 4;

impl Maildir {
    /// The inbox of a mailbox: the Maildir at `path`, or the one in it that is named so.
    ///
    /// # Errors
    /// `NotAMaildir`, of `path`.
    pub fn inbox(path: &Path) -> Result<Self, MaildirError> {
        Self::open(path).or_else(|error| INBOXES.iter().find_map(|name| Self::open(&path.join(name)).ok()).ok_or(error))
    }

    /// The folder of this name; `INBOX` is this Maildir itself.
    ///
    /// # Errors
    /// `FolderName` for a name that would lead elsewhere; `NoSuchFolder`, with those there are.
    pub fn folder(&self, name: &str) -> Result<Self, MaildirError> {
        if name == "INBOX" {
            return Ok(self.clone());
        }
        let levels: Vec<&str> = name.split('/').collect();
        if levels.iter().any(|level| level.is_empty() || level.starts_with('.') || level.contains('\0')) {
            return Err(MaildirError::FolderName { name: name.to_owned() });
        }
        let dotted = levels.join(".");
        let verbatim: PathBuf = levels.iter().collect();
        let legacy: PathBuf = match levels.split_first() {
            Some((first, rest)) => {
                std::iter::once((*first).to_owned()).chain(rest.iter().map(|level| format!(".{level}"))).collect()
            }
            None => PathBuf::new(),
        };
        let mut places = vec![self.root.join(format!(".{dotted}"))];
        for base in std::iter::once(self.root.as_path()).chain(self.beside()) {
            places.extend([base.join(&verbatim), base.join(&legacy), base.join(&dotted)]);
        }
        let found = places.iter().filter(|place| **place != self.root).find_map(|place| Self::open(place).ok());
        found.ok_or_else(|| MaildirError::NoSuchFolder {
            name: name.to_owned(),
            root: self.root.clone(),
            folders: self.folders(),
        })
    }

    /// The folder that is usual for something: the first by name of those with such a name.
    pub fn folder_for(&self, role: Role) -> Option<String> {
        let is_usual = |name: &String| {
            let decoded = decode_folder(name);
            role.is_usual(&decoded, "/") || role.is_usual(&decoded, ".")
        };
        self.folders().into_iter().find(is_usual)
    }

    /// The names of all folders but the inbox, as [`Maildir::folder`] takes them.
    pub fn folders(&self) -> Vec<String> {
        let mut found = BTreeSet::new();
        collect(&self.root, "", DEPTH, &self.root, &mut found);
        if let Some(base) = self.beside() {
            collect(base, "", DEPTH, &self.root, &mut found);
        }
        found.into_iter().collect()
    }

    /// The directory in which folders may lie beside the inbox.
    fn beside(&self) -> Option<&Path> {
        self.root.parent().filter(|parent| !parent.as_os_str().is_empty())
    }
}

/// Notes the Maildirs in a directory and in those found there. What is no Maildir is looked into only where a server is known to keep folders in it.
fn collect(directory: &Path, prefix: &str, depth: usize, inbox: &Path, found: &mut BTreeSet<String>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let Ok(items) = fs::read_dir(directory) else { return };
    for item in items.flatten() {
        let path = item.path();
        let file_name = item.file_name();
        let Some(own) = file_name.to_str().filter(|own| !matches!(*own, "cur" | "new" | "tmp")) else { continue };
        let is_hidden = own.starts_with('.');
        // at the top a dot is that of Maildir++, and outside of the inbox that of something else
        if path == inbox || !path.is_dir() || (is_hidden && prefix.is_empty() && directory != inbox) {
            continue;
        }
        let own = own.trim_start_matches('.');
        let own = if is_hidden && prefix.is_empty() { own.replace('.', "/") } else { own.to_owned() };
        let name = if prefix.is_empty() { own } else { format!("{prefix}/{own}") };
        let is_folder = Maildir::open(&path).is_ok();
        if is_folder {
            found.insert(name.clone());
        }
        if is_folder || PLACES.iter().any(|place| place.eq_ignore_ascii_case(&name)) {
            collect(&path, &name, depth, inbox, found);
        }
    }
}
