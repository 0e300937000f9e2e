//! What really lies in the mailboxes, and what an administrator may do to them, by Dovecot's own `doveadm`.
//!
//! Reading opens folders read-only and leaves every flag as it is, `\Recent` included. Needs Dovecot running.

use super::servers::Servers;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;

/// All that a client could have changed in a user's mailbox; equal snapshots mean that nothing was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Snapshot {
    /// UIDVALIDITY, UIDNEXT and HIGHESTMODSEQ by folder name, empty folders included.
    pub(crate) folders: BTreeMap<String, [u64; 3]>,
    /// Every mail by folder name and UID.
    pub(crate) mails: BTreeMap<(String, u32), MailState>,
}

/// One mail on the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MailState {
    /// As Dovecot lists them, `\Recent` included: it goes when a folder is opened by SELECT instead of EXAMINE.
    pub(crate) flags: String,
    /// In bytes.
    pub(crate) size: usize,
    /// SHA-256 of the whole mail.
    pub(crate) hash: [u8; 32],
}

struct Fetched {
    folder: String,
    uid: u32,
    flags: String,
    raw: Vec<u8>,
}

impl Servers {
    /// The mails in a folder by UID, byte for byte; none when there is no such folder.
    pub(crate) fn mails(&self, user: &str, folder: &str) -> Vec<Vec<u8>> {
        let mut mails = self.fetch(user);
        mails.retain(|mail| mail.folder == folder);
        mails.sort_by_key(|mail| mail.uid);
        mails.into_iter().map(|mail| mail.raw).collect()
    }

    /// The state of all folders and mails of a user.
    pub(crate) fn snapshot(&self, user: &str) -> Snapshot {
        const NUMBERS: [&str; 3] = ["uidvalidity", "uidnext", "highestmodseq"];
        let args = ["-f", "json", "mailbox", "status", "-u", user, &NUMBERS.join(" "), "*"];
        let status: Value = serde_json::from_slice(&self.doveadm(&args, b"")).expect("JSON");
        let number = |folder: &Value, name| {
            let text = folder[name].as_str().expect("status is text");
            text.parse().expect("status is a number")
        };
        let folders = status.as_array().expect("a list of folders").iter().map(|folder| {
            let name = folder["mailbox"].as_str().expect("a folder has a name");
            (name.to_owned(), NUMBERS.map(|field| number(folder, field)))
        });
        let mails = self.fetch(user).into_iter().map(|mail| {
            let hash = Sha256::digest(&mail.raw).into();
            let state = MailState { flags: mail.flags, size: mail.raw.len(), hash };
            ((mail.folder, mail.uid), state)
        });
        Snapshot { folders: folders.collect(), mails: mails.collect() }
    }

    /// Makes a folder; its name in plain Unicode, `/` between levels.
    pub(crate) fn create_folder(&self, user: &str, folder: &str) {
        self.doveadm(&["mailbox", "create", "-u", user, folder], b"");
    }

    /// Stores a mail in any folder as it is, as a mail program does by APPEND.
    pub(crate) fn save(&self, user: &str, folder: &str, raw: &[u8]) {
        self.doveadm(&["save", "-u", user, "-m", folder], raw);
    }

    /// Takes a mail out of a folder, as a mail program does.
    pub(crate) fn expunge(&self, user: &str, folder: &str, uid: u32) {
        self.doveadm(&["expunge", "-u", user, "mailbox", folder, "uid", &uid.to_string()], b"");
    }

    /// Gives a folder a new UIDVALIDITY, as after a move to another server (RFC 3501, 2.3.1.1); returns it.
    pub(crate) fn new_uid_validity(&self, user: &str, folder: &str) -> u64 {
        let [old, ..] = self.snapshot(user).folders[folder];
        let new = old + 1000;
        let value = new.to_string();
        self.doveadm(&["mailbox", "update", "-u", user, "--uid-validity", &value, folder], b"");
        new
    }

    /// Ends all IMAP connections of a user from the server's side.
    pub(crate) fn kick(&self, user: &str) {
        self.doveadm(&["kick", user], b"");
    }

    fn fetch(&self, user: &str) -> Vec<Fetched> {
        let fields = "mailbox uid flags size.physical text";
        let output = self.doveadm(&["-f", "pager", "fetch", "-u", user, fields, "ALL"], b"");
        let mut rest = output.as_slice();
        let mut mails = Vec::new();
        while !rest.is_empty() {
            let folder = field(&mut rest, "mailbox: ");
            let uid = field(&mut rest, "uid: ").parse().expect("a UID");
            let flags = field(&mut rest, "flags: ");
            let size = field(&mut rest, "size.physical: ").parse().expect("a size");
            field(&mut rest, "text:");
            let (raw, after) = rest.split_at(size);
            mails.push(Fetched { folder, uid, flags, raw: raw.to_vec() });
            // a line end only where the mail has none, a page break only between two mails
            let after = if raw.ends_with(b"\n") { after } else { after.strip_prefix(b"\n").unwrap_or(after) };
            rest = after.strip_prefix(b"\x0c\n").unwrap_or(after);
        }
        mails
    }

    fn doveadm(&self, args: &[&str], input: &[u8]) -> Vec<u8> {
        let mut command = self.identity().command("/usr/bin/doveadm");
        command.arg("-c").arg(self.dir().join("dovecot.conf")).args(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("doveadm can be started");
        // dropped at the end of the statement, which ends the input
        child.stdin.take().expect("a pipe").write_all(input).expect("doveadm reads its input");
        let output = child.wait_with_output().expect("doveadm ends");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "doveadm {args:?}: {} {complaint}", output.status);
        output.stdout
    }
}

/// Takes the line `name` + value from the front; panics when another line stands there.
fn field(rest: &mut &[u8], name: &str) -> String {
    let end = rest.iter().position(|byte| *byte == b'\n').expect("a whole line");
    let line = String::from_utf8_lossy(&rest[..end]).into_owned();
    *rest = &rest[end + 1..];
    let value = line.strip_prefix(name);
    value.unwrap_or_else(|| panic!("doveadm should say {name:?}, not {line:?}")).to_owned()
}
