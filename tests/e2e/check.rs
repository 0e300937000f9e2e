//! `amici check` against real servers: what it says of a set-up that is not right yet, and the mail that it sends.

use crate::player::Player;
use crate::support::{Certificate, PLAYER, Servers};

#[test]
fn a_test_mail_goes_to_the_player_and_is_seen_to_arrive() {
    let servers = Servers::start();
    let player = Player::of(&servers);
    let said = player.ok(&["check", "--send"]);
    let line = said.lines().find(|line| line.contains("test mail")).unwrap();
    assert!(line.starts_with(&format!("ok      test mail    to {PLAYER} and back into INBOX, in ")), "{said}");
    let mails = servers.mails(PLAYER, "INBOX");
    assert_eq!(mails.len(), 1);
    assert!(String::from_utf8_lossy(&mails[0]).contains("Subject: [amici] a test mail\r\n"));
    // it is the program's own, and means nothing
    assert!(player.ok(&["poll"]).lines().all(|line| !line.contains("move")));
    assert!(!player.ok(&["check"]).contains("test mail"));
}

#[test]
fn a_wrong_port_folder_or_password_file_names_the_remedy() {
    let servers = Servers::start();
    let mut player = Player::of(&servers);
    let failed = |player: &Player| {
        let ended = player.amici(&["check"]);
        assert_eq!(ended.code, 7, "{ended:?}");
        ended.out
    };
    player.change(|settings| settings.smtp_port = servers.starttls_port());
    let said = failed(&player);
    assert!(
        said.contains("does not speak TLS from the first byte") && said.contains("set security = \"starttls\""),
        "{said}"
    );
    player.change(|settings| {
        settings.smtp_port = servers.smtps_port();
        settings.folders = vec!["Chess".to_owned()];
    });
    let said = failed(&player);
    assert!(said.contains("there is no folder \"Chess\" in the mailbox"), "{said}");
    assert!(said.contains("one of \"Drafts\", \"INBOX\", \"Sent\""), "{said}");
    player.change(|settings| settings.folders = vec!["INBOX".to_owned()]);
    std::fs::remove_file(player.file("password")).unwrap();
    let said = failed(&player);
    let file = player.file("password");
    assert!(said.contains(&format!("help: (umask 077; cat > {})", file.display())), "{said}");
}

#[test]
fn a_self_made_certificate_is_refused_in_words_with_the_line_that_accepts_it() {
    let servers = Servers::start_with(Certificate::SelfSigned);
    let mut player = Player::with(&servers, |settings| settings.trust = String::new());
    let said = player.amici(&["check"]).out;
    for part in ["is not accepted: ", "a self-made one", servers.fingerprint(), "set `pin_sha256`"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert!(!said.contains("OtherError") && !said.contains('{'), "{said}");
    player.change(|settings| settings.trust = format!("pin_sha256 = \"{}\"", servers.fingerprint()));
    player.ok(&["check"]);
}
