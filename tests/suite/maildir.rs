//! The Maildir source and sink, on a real file system.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use amici::io::Class;
use amici::io::maildir::{Maildir, MaildirError};
use amici::io::role::Role;
use chrono::{DateTime, Utc};
use tempfile::{TempDir, tempdir};

const CAP: u64 = 1000;

fn maildir() -> (TempDir, Maildir) {
    let folder = tempdir().unwrap();
    let mailbox = Maildir::create(folder.path()).unwrap();
    (folder, mailbox)
}

/// Puts a file there that was last written `age` seconds after 2026-01-01.
fn put(root: &Path, name: &str, content: &[u8], seconds: u64) {
    let path = root.join(name);
    fs::write(&path, content).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600 + seconds);
    fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

/// Every path below `root` with its content, to prove that nothing changed.
fn everything(root: &Path) -> Vec<(String, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    for part in ["tmp", "new", "cur"] {
        for item in fs::read_dir(root.join(part)).unwrap() {
            let path = item.unwrap().path();
            found.push((path.display().to_string(), fs::read(path).ok()));
        }
    }
    found.sort();
    found
}

fn names(mailbox: &Maildir) -> Vec<String> {
    mailbox.list().unwrap().into_iter().map(|e| e.name).collect()
}

#[test]
fn mails_of_new_and_cur_are_listed_oldest_first_without_their_flags() {
    let (root, mailbox) = maildir();
    put(root.path(), "cur/3.c.host:2,RS", b"three", 30);
    put(root.path(), "new/2.b.host", b"two", 20);
    put(root.path(), "cur/1.a.host,S=3:2,", b"one", 10);
    put(root.path(), "new/0.same.host", b"same", 30);
    put(root.path(), "tmp/9.unfinished", b"part", 5);
    put(root.path(), "new/.hidden", b"not a mail", 5);
    fs::create_dir(root.path().join("cur/folder")).unwrap();
    let before = everything(root.path());

    let entries = mailbox.list().unwrap();

    let seen: Vec<_> = entries.iter().map(|e| (e.name.as_str(), e.size)).collect();
    assert_eq!(seen, [("1.a.host,S=3", 3), ("2.b.host", 3), ("0.same.host", 4), ("3.c.host", 5)]);
    let first: DateTime<Utc> = "2026-01-01T00:00:10Z".parse().unwrap();
    assert_eq!(entries[0].modified, first);
    assert_eq!(mailbox.read("3.c.host", CAP).unwrap().unwrap(), b"three");
    assert_eq!(everything(root.path()), before, "reading changed the mailbox");
}

#[test]
fn a_mail_keeps_its_name_when_a_client_moves_it_from_new_to_cur() {
    let (root, mailbox) = maildir();
    put(root.path(), "new/1.a.host", b"text", 0);
    let listed = mailbox.list().unwrap();
    fs::rename(root.path().join("new/1.a.host"), root.path().join("cur/1.a.host:2,FS")).unwrap();
    assert_eq!(mailbox.list().unwrap(), listed);
    assert_eq!(mailbox.read(&listed[0].name, CAP).unwrap().unwrap(), b"text");
    fs::remove_file(root.path().join("cur/1.a.host:2,FS")).unwrap();
    assert_eq!(mailbox.read(&listed[0].name, CAP).unwrap(), None);
}

#[test]
fn a_client_that_moves_mails_all_the_time_hides_none_and_doubles_none() {
    let (root, mailbox) = maildir();
    for number in 0..50 {
        put(root.path(), &format!("new/{number}"), b"text", number);
    }
    let mover = {
        let root = root.path().to_owned();
        std::thread::spawn(move || {
            for number in 0..50 {
                let there = root.join(format!("cur/{number}:2,S"));
                fs::rename(root.join(format!("new/{number}")), there).unwrap();
            }
        })
    };
    let expected: Vec<String> = (0..50).map(|number| number.to_string()).collect();
    loop {
        let last = mover.is_finished();
        assert_eq!(names(&mailbox), expected);
        assert!(mailbox.read("49", CAP).unwrap().is_some());
        if last {
            break;
        }
    }
    mover.join().unwrap();
}

#[test]
fn a_mail_longer_than_the_cap_is_set_aside_rather_than_cut() {
    let (root, mailbox) = maildir();
    put(root.path(), "new/fits", &[b'a'; CAP as usize], 0);
    put(root.path(), "new/long", &[b'a'; CAP as usize + 1], 0);
    assert_eq!(mailbox.read("fits", CAP).unwrap().unwrap().len(), 1000);
    let error = mailbox.read("long", CAP).unwrap_err();
    assert!(matches!(error, MaildirError::TooLong { .. }));
    assert_eq!(error.class(), Class::SetAside);
}

#[test]
fn a_mail_that_cannot_be_read_concerns_itself_only() {
    let (root, mailbox) = maildir();
    put(root.path(), "new/good", b"text", 0);
    // Root reads whatever its mode: a folder in the place of the mail fails for everyone.
    fs::create_dir(root.path().join("new/bad")).unwrap();
    let error = mailbox.read("bad", CAP).unwrap_err();
    assert!(matches!(error, MaildirError::Unreadable { .. }), "{error}");
    assert_eq!(error.class(), Class::SetAside);
    assert_eq!(mailbox.read("good", CAP).unwrap().unwrap(), b"text");
}

#[test]
fn a_file_name_that_is_not_utf8_is_listed_and_found_again() {
    use std::os::unix::ffi::OsStrExt;
    let (root, mailbox) = maildir();
    let name = std::ffi::OsStr::from_bytes(b"1.\xff.host:2,S");
    fs::write(root.path().join("cur").join(name), b"text").unwrap();
    let listed = names(&mailbox);
    assert_eq!(listed.len(), 1);
    assert_eq!(mailbox.read(&listed[0], CAP).unwrap().unwrap(), b"text");
}

#[test]
fn a_dangling_link_is_not_a_mail() {
    let (root, mailbox) = maildir();
    symlink("/no/such/file", root.path().join("cur/1.link:2,")).unwrap();
    assert_eq!(names(&mailbox), [""; 0]);
    assert_eq!(mailbox.read("1.link", CAP).unwrap(), None);
}

#[test]
fn a_directory_that_is_not_a_maildir_is_a_matter_for_the_player() {
    let folder = tempdir().unwrap();
    fs::create_dir(folder.path().join("cur")).unwrap();
    let error = Maildir::open(folder.path()).unwrap_err();
    assert_eq!(error.class(), Class::Stop);
    assert_eq!(
        error.to_string().replace(&folder.path().display().to_string(), "PATH"),
        "PATH is not a Maildir: it has no directory \"new\"\n\
         help: name the directory that holds cur, new and tmp"
    );
}

#[test]
fn a_sub_folder_is_its_dotted_directory() {
    let (root, mailbox) = maildir();
    let archive = Maildir::create(&root.path().join(".Chess.Archive")).unwrap();
    put(&root.path().join(".Chess.Archive"), "new/1.a", b"text", 0);
    assert_eq!(mailbox.folder("Chess.Archive").unwrap(), archive);
    assert_eq!(names(&archive), ["1.a"]);
    assert_eq!(mailbox.folder("INBOX").unwrap(), mailbox);
    let lost = mailbox.folder("Lost").unwrap_err();
    assert!(matches!(lost, MaildirError::NoSuchFolder { .. }) && lost.to_string().contains("Chess/Archive"), "{lost}");
    for name in ["", ".", "./new", "../x", "a/../../b", "/etc", "nul\0"] {
        let error = mailbox.folder(name).unwrap_err();
        assert!(matches!(error, MaildirError::FolderName { .. }), "{name:?}");
    }
}

#[test]
fn folders_are_found_as_mbsync_and_offlineimap_lay_them_out() {
    // where the inbox lies, its directory as configured, where the folder for sent mails lies and one two levels down
    for (inbox, configured, sent, archive) in [
        ("", "", ".Sent", ".Chess.Archive"),
        ("", "", "Sent", "Chess/Archive"),
        ("Inbox", "Inbox", "Sent", "Chess/Archive"),
        ("Inbox", "", "Sent", "Chess/.Archive"),
        ("INBOX", "INBOX", "INBOX.Sent", "Chess.Archive"),
        ("INBOX", "", "[Gmail]/Sent Mail", "Chess/Archive"),
        ("", "", ".Gesendete Objekte", "Chess/.Archive"),
    ] {
        let top = TempDir::new().unwrap();
        let mail = top.path().join("mail");
        let make = |place: &str| Maildir::create(&mail.join(place)).unwrap();
        let (inbox, sent, archive) = (make(inbox), make(sent), make(archive));
        if archive.folders().is_empty() {
            make("Chess");
        }
        let found = Maildir::inbox(&mail.join(configured)).unwrap();
        assert_eq!(found, inbox);
        assert_eq!(found.folder("Chess/Archive").unwrap(), archive, "{:?}", found.folders());
        let name = found.folder_for(Role::Sent).unwrap_or_else(|| panic!("{:?}", found.folders()));
        assert_eq!(found.folder(&name).unwrap(), sent);
        for name in found.folders() {
            found.folder(&name).unwrap();
        }
        assert_eq!(found.folder_for(Role::Junk), None);
    }
}

#[test]
fn a_delivered_mail_is_in_new_byte_for_byte_and_for_its_owner_only() {
    let (root, mailbox) = maildir();
    let bytes = b"Subject: 5254\r\n\r\n.\r\n\xc3\xa4\r\n";
    mailbox.deliver("<g1.1@example.org>", bytes).unwrap();
    let listed = names(&mailbox);
    assert_eq!(mailbox.read(&listed[0], CAP).unwrap().unwrap(), bytes);
    let path = root.path().join("new").join(&listed[0]);
    assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_dir(root.path().join("tmp")).unwrap().count(), 0);
    assert!(!listed[0].contains("example"), "the name gives the id away");
}

#[test]
fn delivering_again_adds_nothing_while_the_mail_is_in_new_or_cur() {
    let (root, mailbox) = maildir();
    mailbox.deliver("<g1.1@example.org>", b"first").unwrap();
    mailbox.deliver("<g1.1@example.org>", b"first").unwrap();
    let name = names(&mailbox).remove(0);
    let read = root.path().join("cur").join(format!("{name}:2,S"));
    fs::rename(root.path().join("new").join(&name), &read).unwrap();
    mailbox.deliver("<g1.1@example.org>", b"first").unwrap();
    assert_eq!(everything(root.path()), [(read.display().to_string(), Some(b"first".to_vec()))]);
    mailbox.deliver("<g1.2@example.org>", b"second").unwrap();
    assert_eq!(everything(root.path()).len(), 2);
}

#[test]
fn a_delivery_that_was_killed_half_way_is_done_over() {
    let (root, mailbox) = maildir();
    mailbox.deliver("<g1.1@example.org>", b"whole mail").unwrap();
    let name = names(&mailbox).remove(0);
    // As a kill between the write and the rename leaves it.
    fs::remove_file(root.path().join("new").join(&name)).unwrap();
    fs::write(root.path().join("tmp").join(&name), b"part of a mail, longer than all of it").unwrap();
    mailbox.deliver("<g1.1@example.org>", b"whole mail").unwrap();
    assert_eq!(mailbox.read(&name, CAP).unwrap().unwrap(), b"whole mail");
    assert_eq!(fs::read_dir(root.path().join("tmp")).unwrap().count(), 0);
}

#[test]
fn a_delivery_that_fails_leaves_no_part_of_a_mail() {
    let (root, mailbox) = maildir();
    fs::remove_dir(root.path().join("tmp")).unwrap();
    let error = mailbox.deliver("<g1.1@example.org>", b"text").unwrap_err();
    assert_eq!(error.class(), Class::Retry);
    assert!(error.to_string().starts_with("cannot write "), "{error}");
    assert_eq!(names(&mailbox), [""; 0]);
}

#[test]
fn creating_a_maildir_keeps_what_is_there() {
    let (root, mailbox) = maildir();
    mailbox.deliver("<g1.1@example.org>", b"text").unwrap();
    let before = everything(root.path());
    assert_eq!(Maildir::create(root.path()).unwrap(), mailbox);
    assert_eq!(everything(root.path()), before);
    let mode = fs::metadata(root.path().join("new")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}
