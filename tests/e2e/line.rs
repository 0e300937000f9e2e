//! The whole line: an opponent's mail, the notice, the player's move, the draft, and the answer that acknowledges it.

use crate::player::{Player, await_letters, game, header, headers, letters, mail};
use crate::support::proxy::{Direction, Proxy};
use crate::support::{HARRIET, PLAYER, Servers, Snapshot, TOBIN, poll};
use std::fs;

/// All mails that were there before are there unchanged, with their flags; only the INBOX has new ones, all by the program.
fn assert_only_letters_came(servers: &Servers, before: &Snapshot, came: usize) {
    let after = servers.snapshot(PLAYER);
    for (place, state) in &before.mails {
        assert_eq!(after.mails.get(place), Some(state), "{place:?}");
    }
    assert_eq!(after.mails.len(), before.mails.len() + came);
    for (folder, numbers) in &before.folders {
        if folder != "INBOX" {
            assert_eq!(after.folders.get(folder), Some(numbers), "{folder}");
        }
    }
    assert_eq!(after.folders.len(), before.folders.len());
}

fn contains(mail: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(mail).contains(text)
}

#[test]
fn from_the_opponents_mail_to_the_answer_that_acknowledges_our_move() {
    let servers = Servers::start();
    let player = Player::of(&servers);
    player.import(&[game("G-1", TOBIN, "black", &[])]);
    servers.send_as(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", "Dear Ann,\n\n1. 5254\n\nTobin"));
    servers.await_mails(PLAYER, "INBOX", 1);
    // the server makes it by itself when it is looked into
    servers.create_folder(PLAYER, "Sent");
    let before = servers.snapshot(PLAYER);
    let daemon = player.run();

    let notice = await_letters(&servers, &player, 1).remove(0);
    assert_eq!(player.moves("G-1"), ["5254"]);
    assert!(header(&notice, "To").contains(PLAYER));
    assert!(contains(&notice, "5254") && contains(&notice, "reply.eml"));

    let said = player.ok(&["play", "G-1", "e5"]);
    assert!(said.contains("5755"), "{said}");
    let draft = await_letters(&servers, &player, 2).remove(1);
    assert!(header(&draft, "Subject").contains("ready to send"), "{}", header(&draft, "Subject"));
    for letter in [&notice, &draft] {
        assert!(header(letter, "To").ends_with(&format!("<{PLAYER}>")));
        assert_eq!(headers(letter, "Cc"), [""; 0]);
        assert_eq!(headers(letter, "Bcc"), [""; 0]);
        assert_eq!(header(letter, "Return-Path"), format!("<{PLAYER}>"));
        assert!(contains(letter, "reply.eml"));
    }
    for letter in [&notice, &draft] {
        assert_eq!(headers(letter, "Reply-To"), [""; 0], "an answer comes back to the player");
    }
    assert_eq!(header(&draft, "References").split(' ').next_back(), Some("<t1@example.com>"));
    assert_eq!(player.json(&["show", "G-1", "--json"])["plan"]["numeric"], "5755");
    assert_eq!(player.moves("G-1"), ["5254"]);

    servers.send_as(TOBIN, PLAYER, &mail(TOBIN, "t2", "Re: G-1", "1. 5254 5755\n2. 7163\n\nTobin"));
    await_letters(&servers, &player, 3);
    let show = player.json(&["show", "G-1", "--json"]);
    assert_eq!(player.moves("G-1"), ["5254", "5755", "7163"]);
    assert!(show["plan"].is_null(), "{show:#}");
    assert_eq!(show["moves"][1]["san"], "e5");
    assert_eq!(show["to_move"], "black");
    // the daemon says so once it has looked at its own letters too
    let status = player.await_status("an empty outbox and no mail to be read", |s| {
        let empty = |list: &str| s[list].as_array().unwrap().is_empty();
        empty("outbox") && empty("not_read")
    });
    let line = &status["games"][0];
    assert_eq!((&line["id"], &line["ply"], &line["to_move"]), (&"G-1".into(), &3.into(), &"black".into()));
    assert_eq!(line["last_move"]["san"], "Nf3");
    assert!(status["last_check"].is_string() && status["last_error"].is_null(), "{status:#}");
    assert!(status["held"].as_array().unwrap().is_empty(), "{status:#}");
    let check = player.ok(&["check"]);
    assert!(!check.contains("FAILED") && check.contains("smtp") && check.contains("INBOX"), "{check}");

    assert!(daemon.terminate().success());
    // three letters, and the answer that came after the snapshot
    assert_only_letters_came(&servers, &before, 4);
    assert!(servers.mails(TOBIN, "INBOX").is_empty());
    let log = fs::read_to_string(servers.dir().join("exim-mainlog")).unwrap();
    assert!(!log.contains("=> tobin"), "{log}");
}

#[test]
fn before_a_claim_of_silence_all_folders_are_searched_for_a_mail_of_his() {
    let servers = Servers::start();
    let player = Player::of(&servers);
    let day = |ago: u64| (chrono::Utc::now().date_naive() - chrono::Days::new(ago)).to_string();
    let mut silent = game("G-1", TOBIN, "white", &["5254"]);
    silent["start_date"] = day(70).into();
    silent["moves"][0]["sent"] = day(60).into();
    player.import(&[silent]);
    let claim = ["claim", "G-1", "--silence", "-n"];
    let said = player.ok(&claim);
    assert!(!said.contains("your folder"), "{said}");
    servers.create_folder(PLAYER, "Filtered & \"sorted\"");
    servers.save(PLAYER, "Filtered & \"sorted\"", &mail(TOBIN, "t1", "G-1", "1. 5254 5755"));
    servers.save(PLAYER, "Filtered & \"sorted\"", &mail(HARRIET, "h1", "G-1", "1. 5254 5755"));
    let said = player.ok(&claim);
    let words = "a mail of his lies in your folder Filtered & \"sorted\" that was not read: \"G-1\"";
    assert_eq!(said.matches(words).count(), 1, "{said}");
    // what is on record is no mail that nobody read
    servers.lmtp(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", "1. 5254 5755"));
    player.ok(&["poll"]);
    assert_eq!(player.moves("G-1"), ["5254", "5755"]);
}

#[test]
fn the_server_wakes_the_daemon_long_before_the_poll_is_due() {
    let servers = Servers::start();
    let player = Player::with(&servers, |s| s.poll = "10m".to_owned());
    player.import(&[game("G-1", TOBIN, "black", &[])]);
    let _daemon = player.run();
    player.await_status("a first look", |s| s["last_check"].is_string());
    servers.lmtp(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", "1. 5254"));
    await_letters(&servers, &player, 1);
    assert_eq!(player.moves("G-1"), ["5254"]);
    // and again, after its own letter has woken it
    player.ok(&["play", "G-1", "e5"]);
    player.ok(&["sent", "G-1"]);
    servers.lmtp(TOBIN, PLAYER, &mail(TOBIN, "t2", "G-1", "1. 5254 5755\n2. 7163"));
    poll(|| (player.moves("G-1").len() == 3).then_some(())).expect("the second mail is noticed too");
}

#[test]
fn a_relay_that_starts_in_the_clear_takes_the_notice_after_starttls() {
    let servers = Servers::start();
    let player = Player::with(&servers, |s| {
        s.smtp_port = servers.starttls_port();
        s.security = "starttls".to_owned();
    });
    player.import(&[game("G-1", TOBIN, "black", &[])]);
    servers.lmtp(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", "1. 5254"));
    player.ok(&["poll"]);
    await_letters(&servers, &player, 1);
    let log = fs::read_to_string(servers.dir().join("exim-mainlog")).unwrap();
    let taken = log.lines().find(|line| line.contains("<= player@")).unwrap();
    assert!(taken.contains("X=TLS") && taken.contains("A=PLAIN"), "{taken}");
    player.ok(&["check"]);
}

#[test]
fn a_second_folder_with_an_umlaut_in_its_name_is_read_as_well() {
    let servers = Servers::start();
    let folder = "Fernschach/Z\u{fc}ge & \"Partien\"";
    servers.create_folder(PLAYER, folder);
    let player = Player::with(&servers, |s| s.folders.push(folder.to_owned()));
    player.import(&[game("G-1", TOBIN, "black", &[]), game("G-2", HARRIET, "white", &["5254"])]);
    servers.save(PLAYER, folder, &mail(TOBIN, "t1", "unsere Partie", "1. 5254"));
    servers.lmtp(HARRIET, PLAYER, &mail(HARRIET, "h1", "our game", "1. 5254 5755"));
    let before = servers.snapshot(PLAYER);
    let _daemon = player.run();
    await_letters(&servers, &player, 2);
    assert_eq!(player.moves("G-1"), ["5254"]);
    assert_eq!(player.moves("G-2"), ["5254", "5755"]);
    servers.save(PLAYER, folder, &mail(HARRIET, "h2", "our game", "1. 5254 5755\n2. 7163 2836"));
    // our 2. 7163 was never sent: the mail is held, and told of
    let letters = await_letters(&servers, &player, 3);
    assert!(contains(&letters[2], "G-2"));
    assert_eq!(player.moves("G-2"), ["5254", "5755"]);
    assert_eq!(player.status()["held"].as_array().unwrap().len(), 1);
    for (place, state) in &before.mails {
        assert_eq!(servers.snapshot(PLAYER).mails.get(place), Some(state));
    }
    assert!(player.ok(&["check"]).contains(folder));
}

#[test]
fn the_same_mail_twice_is_one_move_and_one_notice() {
    let servers = Servers::start();
    let player = Player::of(&servers);
    player.import(&[game("G-1", TOBIN, "black", &[]), game("G-2", HARRIET, "black", &[])]);
    let same = mail(TOBIN, "t1", "G-1", "1. 5254");
    servers.save(PLAYER, "INBOX", &same);
    servers.save(PLAYER, "INBOX", &same);
    let _daemon = player.run();
    await_letters(&servers, &player, 1);
    servers.save(PLAYER, "INBOX", &same);
    // a later mail is answered: all before it have been read
    servers.save(PLAYER, "INBOX", &mail(HARRIET, "h1", "G-2", "1. 4244"));
    let letters = await_letters(&servers, &player, 2);
    assert!(header(&letters[0], "Subject").contains("G-1"));
    assert!(header(&letters[1], "Subject").contains("G-2"));
    assert_eq!(letters.len(), 2);
    assert_eq!(player.moves("G-1"), ["5254"]);
}

#[test]
fn a_mail_that_is_too_large_is_listed_and_not_fetched_and_the_next_one_is_read() {
    let servers = Servers::start();
    let proxy = Proxy::to(servers.socket(servers.imaps_port()));
    let player = Player::with(&servers, |s| s.imap_port = proxy.address().port());
    player.import(&[game("G-1", TOBIN, "black", &[]), game("G-2", HARRIET, "black", &[])]);
    let padding = "x".repeat(76) + "\n";
    let large = format!("1. 5254\n{}", padding.repeat(20_000));
    servers.lmtp(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", &large));
    servers.lmtp(HARRIET, PLAYER, &mail(HARRIET, "h1", "G-2", "1. 4244"));
    let _daemon = player.run();
    let notice = await_letters(&servers, &player, 1);
    assert!(header(&notice[0], "Subject").contains("G-2"));
    assert!(player.moves("G-1").is_empty());
    // its own letter waits to be read for a moment
    let status = player.await_status("one mail that was not read", |s| s["not_read"].as_array().unwrap().len() == 1);
    let unread = status["not_read"].as_array().unwrap();
    assert_eq!((&unread[0]["folder"], &unread[0]["uid"]), (&"INBOX".into(), &"1".into()));
    assert!(unread[0]["reason"].as_str().unwrap().contains("more than the 1048576"), "{status:#}");
    assert_eq!(player.amici(&["status", "--exit-code"]).code, 9);
    let passed = proxy.passed(Direction::ToClient);
    assert!(passed < 1 << 20, "{passed} bytes came from the server");
    assert_eq!(letters(&servers).len(), 1);
}
