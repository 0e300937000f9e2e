//! Which folder is for what: the server's marks first, then known names, never a guess.

use amici::io::Class;
use amici::io::role::Role;

use super::reading::name;
use super::server::{GREETING, Server};

async fn found(list: &str, role: Role, configured: Option<&str>) -> Result<String, String> {
    let server = Server::start(GREETING, &[("LIST", &[&format!("{list}$ OK done")])]).await;
    let mut mailbox = server.open().await;
    let found = mailbox.special_folder(role, configured).await;
    found.map_err(|error| {
        let class = if error.class() == Class::Stop { "stops" } else { "retries" };
        format!("{} {class}: {error}", name(&error))
    })
}

/// A line of a list: the attributes, the delimiter, the name.
fn line(attributes: &str, delimiter: &str, folder: &str) -> String {
    format!("* LIST ({attributes}) \"{delimiter}\" \"{folder}\"\r\n")
}

#[tokio::test]
async fn the_mark_of_the_server_decides_before_any_name() {
    let list = line("\\HasNoChildren", "/", "INBOX")
        + &line("", "/", "Drafts")
        + &line("\\HasNoChildren \\drafts", "/", "Entw&APw-rfe")
        + &line("\\Sent", "/", "Raus")
        + &line("\\Junk", "/", "Weg");
    assert_eq!(found(&list, Role::Drafts, None).await.unwrap(), "Entwürfe");
    assert_eq!(found(&list, Role::Sent, None).await.unwrap(), "Raus");
    assert_eq!(found(&list, Role::Junk, None).await.unwrap(), "Weg");
}

#[tokio::test]
async fn without_a_mark_the_usual_names_are_known_in_many_languages_and_places() {
    for (role, delimiter, folder, expected) in [
        (Role::Drafts, "/", "Drafts", "Drafts"),
        (Role::Drafts, ".", "INBOX.Drafts", "INBOX.Drafts"),
        (Role::Drafts, "/", "[Gmail]/Drafts", "[Gmail]/Drafts"),
        (Role::Drafts, "/", "[Google Mail]/Entw&APw-rfe", "[Google Mail]/Entwürfe"),
        (Role::Drafts, "/", "Brouillons", "Brouillons"),
        (Role::Drafts, "/", "&BCcENQRABD0EPgQyBDgEOgQ4-", "Черновики"),
        (Role::Sent, "/", "Sent Messages", "Sent Messages"),
        (Role::Sent, ".", "inbox.sent", "inbox.sent"),
        (Role::Sent, "/", "Gesendete Objekte", "Gesendete Objekte"),
        (Role::Junk, "/", "[Gmail]/Spam", "[Gmail]/Spam"),
    ] {
        let list = line("", delimiter, "INBOX") + &line("", delimiter, "Archive/Sent") + &line("", delimiter, folder);
        assert_eq!(found(&list, role, None).await.as_deref(), Ok(expected), "{folder}");
    }
}

#[tokio::test]
async fn none_and_several_are_errors_that_list_the_folders() {
    let inbox = line("", "/", "INBOX");
    let two = inbox.clone() + &line("", "/", "Drafts") + &line("", "/", "Entw&APw-rfe");
    let marked = inbox.clone() + &line("\\Drafts", "/", "A") + &line("\\Drafts", "/", "B");
    let hidden = inbox.clone() + &line("\\Noselect", "/", "Drafts") + &line("\\NonExistent", "/", "Draft");
    for (list, expected) in [
        (
            inbox,
            "NoFolderFor stops: no folder is marked or named as the one for drafts; there are \"INBOX\"\nhelp: name it in the configuration",
        ),
        (
            hidden,
            "NoFolderFor stops: no folder is marked or named as the one for drafts; there are \"INBOX\"\nhelp: name it in the configuration",
        ),
        (
            two,
            "SeveralFoldersFor stops: more than one folder could be the one for drafts: \"Drafts\", \"Entwürfe\"\nhelp: name it in the configuration",
        ),
        (
            marked,
            "SeveralFoldersFor stops: more than one folder could be the one for drafts: \"A\", \"B\"\nhelp: name it in the configuration",
        ),
        (
            String::new(),
            "Incomplete retries: the server's answer to LIST is incomplete: it leaves out a mail that is there",
        ),
    ] {
        assert_eq!(found(&list, Role::Drafts, None).await.unwrap_err(), expected);
    }
}

#[tokio::test]
async fn a_configured_folder_must_be_there_and_is_taken_at_its_word() {
    let list = line("", "/", "INBOX") + &line("\\Drafts", "/", "Drafts") + &line("", "/", "Schach");
    assert_eq!(found(&list, Role::Drafts, Some("Schach")).await.unwrap(), "Schach");
    assert_eq!(found(&list, Role::Drafts, Some("inbox")).await.unwrap(), "INBOX");
    let refusal = found(&list, Role::Drafts, Some("schach")).await.unwrap_err();
    assert!(refusal.starts_with("NoSuchFolder stops"), "{refusal}");
    assert!(refusal.contains("one of \"Drafts\", \"INBOX\", \"Schach\""), "{refusal}");
}

#[tokio::test]
async fn the_marks_are_asked_for_where_the_server_gives_them_on_request_only() {
    for (capabilities, command) in [
        ("IMAP4rev1 SPECIAL-USE LIST-EXTENDED", "LIST \"\" \"*\" RETURN (SPECIAL-USE)\r\n"),
        ("IMAP4rev1 SPECIAL-USE", "LIST \"\" \"*\"\r\n"),
        ("IMAP4rev1 LIST-EXTENDED", "LIST \"\" \"*\"\r\n"),
    ] {
        let list = line("\\Drafts", "/", "Drafts") + "$ OK done";
        let told = format!("* CAPABILITY {capabilities}\r\n$ OK done");
        let server = Server::start(GREETING, &[("CAPABILITY", &[&told]), ("LIST", &[&list])]).await;
        let mut mailbox = server.open().await;
        assert_eq!(mailbox.special_folder(Role::Drafts, None).await.unwrap(), "Drafts");
        assert!(server.received().ends_with(command), "{}", server.received());
    }
}
