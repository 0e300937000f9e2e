//! Lost connections, servers that go away, mailboxes that are numbered anew, refused passwords, bad certificates.

use crate::player::{Player, await_letters, game, header, letters, mail};
use crate::support::proxy::{Direction, Fault, Proxy};
use crate::support::{Certificate, PLAYER, Servers, TOBIN, WRONG_PASSWORD, poll, poll_for};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

/// So many games, all against Tobin, who has the first move in each.
fn games(count: usize) -> Vec<Value> {
    (0..count).map(|n| game(&id(n), TOBIN, "black", &[])).collect()
}

fn id(n: usize) -> String {
    format!("GAME-{n:03}")
}

/// Tobin's first move in game `n`.
fn opening(n: usize) -> Vec<u8> {
    mail(TOBIN, &format!("t{n}"), &id(n), "1. 5254")
}

/// In the end every mail is one move, and every move one notice, in any order, and nothing wants the player's attention.
fn assert_once_each(servers: &Servers, player: &Player, count: usize) {
    // a running daemon reads its own letters too, a moment after they have come
    player.await_status("an empty outbox and no mail to be read", |status| {
        let read = |mail: &Value| mail["reason"].is_string();
        status["outbox"].as_array().unwrap().is_empty() && status["not_read"].as_array().unwrap().iter().all(read)
    });
    let calm = poll(|| (player.amici(&["status", "--exit-code"]).code == 0).then_some(()));
    assert!(calm.is_some(), "{:#}", player.status());
    let moves = player.all_moves();
    assert_eq!(moves.len(), count);
    for (game, moves) in &moves {
        assert_eq!(moves, &["5254"], "{game}\n{}", player.log());
    }
    let letters = letters(servers);
    let subjects: Vec<String> = letters.iter().map(|letter| header(letter, "Subject")).collect();
    let different: BTreeSet<&String> = subjects.iter().collect();
    let log = player.log();
    assert_eq!((subjects.len(), different.len()), (count, count), "{subjects:#?}\n{log}");
}

/// Polls until nothing waits to be delivered.
fn settle(player: &Player) {
    let settled = poll(|| {
        player.ok(&["poll"]);
        player.status()["outbox"].as_array().unwrap().is_empty().then_some(())
    });
    assert!(settled.is_some(), "{:#}", player.status());
}

/// Passes one mail after the other through a proxy that cuts each first pass at another byte, evenly over the session and
/// at each of its last bytes.
fn cut_at_many_bytes(port: fn(&Servers) -> u16, direction: Direction, steps: usize, last: usize) {
    let servers = Servers::start();
    let proxy = Proxy::to(servers.socket(port(&servers)));
    let through = proxy.address().port();
    let original = port(&servers);
    let player = Player::with(&servers, |s| {
        if s.imap_port == original {
            s.imap_port = through;
        } else {
            s.smtp_port = through;
        }
    });
    let count = steps + last + 1;
    player.import(&games(count));
    servers.lmtp(TOBIN, PLAYER, &opening(0));
    settle(&player);
    await_letters(&servers, &player, 1);
    player.ok(&["poll"]);
    servers.lmtp(TOBIN, PLAYER, &opening(1));
    proxy.set(Fault::None);
    player.ok(&["poll"]);
    let whole = proxy.passed(direction);
    assert!(whole > 500, "{whole}");
    let end = u64::try_from(last).unwrap();
    let even = (0..steps - 1).map(|n| whole * u64::try_from(n).unwrap() / u64::try_from(steps).unwrap());
    let points: Vec<u64> = even.chain((0..=end).map(|n| whole.saturating_sub(n * 9))).collect();
    let mut cut = 0;
    for (n, point) in (2..count).zip(points) {
        servers.lmtp(TOBIN, PLAYER, &opening(n));
        proxy.set(Fault::CutAfter(direction, point));
        let ended = player.amici(&["poll"]);
        assert!([0, 7].contains(&ended.code), "cut after {point} of {whole}: {} {}", ended.out, ended.err);
        // a mail that waits may be tried again in the same look, and is cut there too
        let passed = proxy.passed(direction);
        cut += usize::from(passed > 0 && passed.checked_rem(point) == Some(0));
        proxy.set(Fault::None);
    }
    assert!(cut >= steps / 2, "only {cut} sessions were cut");
    settle(&player);
    await_letters(&servers, &player, count);
    player.ok(&["poll"]);
    assert_once_each(&servers, &player, count);
}

#[test]
fn nothing_is_lost_or_doubled_when_the_servers_half_of_an_imap_session_is_cut_anywhere() {
    cut_at_many_bytes(Servers::imaps_port, Direction::ToClient, 40, 4);
}

#[test]
fn nothing_is_lost_or_doubled_when_our_half_of_an_imap_session_is_cut_anywhere() {
    cut_at_many_bytes(Servers::imaps_port, Direction::ToServer, 24, 4);
}

#[test]
fn nothing_is_lost_or_doubled_when_our_half_of_a_submission_is_cut_anywhere() {
    cut_at_many_bytes(Servers::smtps_port, Direction::ToServer, 24, 8);
}

#[test]
fn nothing_is_lost_or_doubled_when_the_body_is_taken_and_the_answer_cut() {
    cut_at_many_bytes(Servers::smtps_port, Direction::ToClient, 16, 24);
}

#[test]
fn a_running_daemon_survives_cut_connections_and_refused_ones() {
    let servers = Servers::start();
    let mut proxy = Proxy::to(servers.socket(servers.imaps_port()));
    let port = proxy.address().port();
    let player = Player::with(&servers, |s| s.imap_port = port);
    player.import(&games(3));
    let mut daemon = player.run();
    player.await_status("a first look", |s| s["last_check"].is_string());
    for n in 0..3 {
        proxy.cut();
        servers.lmtp(TOBIN, PLAYER, &opening(n));
        await_letters(&servers, &player, n + 1);
        proxy.refuse();
        player.await_status("the trouble", |s| s["last_error"].is_string());
        proxy.accept();
    }
    player.await_status("the end of the trouble", |s| s["last_error"].is_null());
    assert!(daemon.lives());
    assert_once_each(&servers, &player, 3);
}

#[test]
fn a_restart_and_an_outage_of_the_mail_server_are_waited_out() {
    let mut servers = Servers::start();
    let player = Player::of(&servers);
    player.import(&games(3));
    let mut daemon = player.run();
    servers.lmtp(TOBIN, PLAYER, &opening(0));
    await_letters(&servers, &player, 1);
    servers.restart_imap();
    servers.lmtp(TOBIN, PLAYER, &opening(1));
    await_letters(&servers, &player, 2);
    servers.stop_imap();
    let host = servers.host();
    player.await_status("the outage", |s| s["last_error"].as_str().is_some_and(|error| error.contains(&host)));
    servers.send_as(TOBIN, PLAYER, &opening(2));
    servers.start_imap();
    await_letters(&servers, &player, 3);
    player.await_status("the end of the outage", |s| s["last_error"].is_null());
    assert!(daemon.lives());
    assert_once_each(&servers, &player, 3);
}

#[test]
fn a_mailbox_that_is_numbered_anew_loses_nothing_and_doubles_nothing() {
    let servers = Servers::start();
    let player = Player::of(&servers);
    player.import(&games(3));
    let daemon = player.run();
    servers.lmtp(TOBIN, PLAYER, &opening(0));
    await_letters(&servers, &player, 1);
    // while the daemon is connected
    servers.new_uid_validity(PLAYER, "INBOX");
    servers.lmtp(TOBIN, PLAYER, &opening(1));
    await_letters(&servers, &player, 2);
    assert!(daemon.terminate().success());
    // and while it is away
    servers.lmtp(TOBIN, PLAYER, &opening(2));
    servers.new_uid_validity(PLAYER, "INBOX");
    settle(&player);
    await_letters(&servers, &player, 3);
    settle(&player);
    assert_once_each(&servers, &player, 3);
}

#[test]
fn a_mail_that_was_seen_before_the_new_numbers_and_not_read_is_read_under_its_new_one() {
    let servers = Servers::start();
    let proxy = Proxy::to(servers.socket(servers.imaps_port()));
    let player = Player::with(&servers, |s| s.imap_port = proxy.address().port());
    player.import(&games(2));
    player.ok(&["poll"]);
    proxy.set(Fault::None);
    player.ok(&["poll"]);
    let without_mail = proxy.passed(Direction::ToClient);
    // the announcement passes, the mail itself does not
    let text = format!("1. 5254\n\n{}", "Amici sumus\n".repeat(2_000));
    servers.lmtp(TOBIN, PLAYER, &mail(TOBIN, "t0", &id(0), &text));
    proxy.set(Fault::CutAfter(Direction::ToClient, without_mail + 5_000));
    assert_eq!(player.amici(&["poll"]).code, 7);
    proxy.set(Fault::None);
    let unread = player.status()["not_read"].clone();
    assert_eq!((unread[0]["uid"].as_str(), unread[0]["reason"].as_str()), (Some("1"), None), "{unread:#}");
    servers.new_uid_validity(PLAYER, "INBOX");
    servers.lmtp(TOBIN, PLAYER, &opening(1));
    settle(&player);
    await_letters(&servers, &player, 2);
    settle(&player);
    assert_once_each(&servers, &player, 2);
}

/// Puts a mail into the player's inbox that came so many days ago by the server's own word.
fn put_in(servers: &Servers, raw: &[u8], days_ago: i64) {
    let at = chrono::Utc::now() - chrono::TimeDelta::days(days_ago);
    let (at, text) = (at.format("%d-%b-%Y %H:%M:%S +0000"), String::from_utf8(raw.to_vec()).unwrap());
    let mut wire = servers.tls(servers.imaps_port()).unwrap();
    wire.line().unwrap();
    wire.imap(&format!("LOGIN {PLAYER} {}", servers.password(PLAYER))).unwrap();
    wire.imap(&format!("APPEND INBOX \"{at}\" {{{}+}}\r\n{text}", text.len())).unwrap();
}

#[test]
fn no_mail_since_the_last_look_is_passed_over_however_long_ago_that_was_and_whatever_the_numbers() {
    let servers = Servers::start();
    let player = Player::of(&servers);
    player.import(&games(3));
    put_in(&servers, &opening(0), 200);
    player.ok(&["poll"]);
    put_in(&servers, &opening(1), 130);
    put_in(&servers, &opening(2), 0);
    servers.new_uid_validity(PLAYER, "INBOX");
    settle(&player);
    await_letters(&servers, &player, 3);
    settle(&player);
    assert_once_each(&servers, &player, 3);
}

#[test]
fn a_mail_that_shows_late_under_a_number_that_was_passed_is_read() {
    let servers = Servers::start();
    let player = Player::of(&servers);
    player.import(&games(1));
    player.ok(&["poll"]);
    player.sql("UPDATE cursors SET last_uid = 5");
    servers.lmtp(TOBIN, PLAYER, &opening(0));
    settle(&player);
    await_letters(&servers, &player, 1);
    settle(&player);
    assert_once_each(&servers, &player, 1);
}

/// How often the servers were shown a password that they refused.
fn refusals(servers: &Servers, log: &str, words: &str) -> usize {
    let log = fs::read_to_string(servers.dir().join(log)).unwrap();
    log.lines().filter(|line| line.contains(words)).count()
}

/// Waits for the first letter of a daemon that had given up; it looks at most a minute later whether it may go on.
fn await_resumption(servers: &Servers, player: &Player) {
    poll_for(Duration::from_secs(150), || (letters(servers).len() == 1).then_some(()))
        .unwrap_or_else(|| panic!("it does not resume:\n{}", player.log()));
}

#[test]
fn a_wrong_password_is_shown_three_times_and_then_only_after_amici_check() {
    const IMAP: (&str, &str) = ("dovecot.log", "auth failed, 1 attempts");
    let servers = Servers::start();
    let player = Player::of(&servers);
    player.import(&games(1));
    servers.lmtp(TOBIN, PLAYER, &opening(0));
    player.password(WRONG_PASSWORD);
    for tries in 1..=2 {
        let ended = player.amici(&["poll"]);
        assert_eq!(ended.code, 7, "{} {}", ended.out, ended.err);
        assert!(poll(|| (refusals(&servers, IMAP.0, IMAP.1) == tries).then_some(())).is_some());
    }
    let mut daemon = player.run();
    let status = player.await_status("that it gave up", |s| {
        s["last_error"].as_str().is_some_and(|e| e.contains("not tried any more"))
    });
    assert!(poll(|| (refusals(&servers, IMAP.0, IMAP.1) == 3).then_some(())).is_some());
    assert!(!status.to_string().contains(WRONG_PASSWORD));
    // a second player process is told the same without a fourth try
    assert!(daemon.lives());
    assert!(daemon.terminate().success());
    for _ in 0..3 {
        let ended = player.amici(&["poll"]);
        assert_eq!(ended.code, 7);
        assert!(ended.err.contains("amici check"), "{}", ended.err);
    }
    let text = player.ok(&["status"]);
    assert!(text.contains("TROUBLE") && text.contains("amici check"), "{text}");
    assert_eq!(refusals(&servers, IMAP.0, IMAP.1), 3);

    // one that still fails changes nothing; it is the player who asked for this try
    assert_eq!(player.amici(&["check"]).code, 7);
    assert_eq!(player.amici(&["poll"]).code, 7);
    assert!(poll(|| (refusals(&servers, IMAP.0, IMAP.1) == 4).then_some(())).is_some());

    player.password(servers.password(PLAYER));
    let said = player.ok(&["check"]);
    assert!(said.contains("resumed"), "{said}");
    player.ok(&["poll"]);
    await_letters(&servers, &player, 1);
    assert_eq!(refusals(&servers, IMAP.0, IMAP.1), 4);
    assert_once_each(&servers, &player, 1);
}

#[test]
fn a_password_that_only_the_relay_refuses_is_shown_to_it_three_times_too() {
    const SMTP: (&str, &str) = ("exim-mainlog", "535 Incorrect authentication data");
    let servers = Servers::start();
    let player = Player::of(&servers);
    player.import(&games(1));
    servers.lmtp(TOBIN, PLAYER, &opening(0));
    let users = servers.dir().join("smtp-users");
    let right = fs::read_to_string(&users).unwrap();
    fs::write(&users, right.replace(servers.password(PLAYER), "another")).unwrap();
    let mut daemon = player.run();
    let status = player.await_status("that it gave up", |s| {
        s["last_error"].as_str().is_some_and(|e| e.contains("not tried any more"))
    });
    assert_eq!(status["outbox"].as_array().unwrap().len(), 1, "{status:#}");
    assert_eq!(refusals(&servers, SMTP.0, SMTP.1), 3);
    assert_eq!(player.moves(&id(0)), ["5254"]);
    assert!(daemon.lives());
    fs::write(&users, right).unwrap();
    player.ok(&["check"]);
    await_resumption(&servers, &player);
    assert_eq!(refusals(&servers, SMTP.0, SMTP.1), 3);
    assert_once_each(&servers, &player, 1);
}

#[test]
fn a_running_daemon_that_gave_up_lives_on_and_resumes_after_amici_check() {
    let servers = Servers::start();
    let player = Player::of(&servers);
    player.import(&games(1));
    player.password(WRONG_PASSWORD);
    for _ in 0..3 {
        player.amici(&["poll"]);
    }
    servers.lmtp(TOBIN, PLAYER, &opening(0));
    let mut daemon = player.run();
    player.await_status("the help", |s| s["last_error"].as_str().is_some_and(|e| e.contains("amici check")));
    player.password(servers.password(PLAYER));
    player.ok(&["check"]);
    await_resumption(&servers, &player);
    assert!(daemon.lives());
    assert_once_each(&servers, &player, 1);
}

#[test]
fn a_bad_certificate_is_named_and_no_login_reaches_the_server() {
    for (certificate, words) in [
        (Certificate::Expired, "expired"),
        (Certificate::WrongName, "elsewhere.example.com"),
        (Certificate::SelfSigned, "pin_sha256"),
    ] {
        let servers = Servers::start_with(certificate);
        let player = Player::of(&servers);
        player.import(&games(1));
        let polled = player.amici(&["poll"]);
        assert_eq!(polled.code, 7, "{} {}", polled.out, polled.err);
        assert!(polled.err.contains(words) && polled.err.contains("help:"), "{certificate:?}: {}", polled.err);
        let checked = player.amici(&["check"]);
        assert_eq!(checked.code, 7);
        assert_eq!(checked.out.matches("FAILED").count(), 2, "{}", checked.out);
        for log in ["dovecot.log", "exim-mainlog"] {
            let log = fs::read_to_string(servers.dir().join(log)).unwrap();
            assert!(!log.contains(PLAYER) && !log.contains("auth failed"), "{log}");
        }
    }
}

#[test]
fn a_self_signed_certificate_is_taken_by_its_fingerprint_and_no_other_one_is() {
    let servers = Servers::start_with(Certificate::SelfSigned);
    let mut player = Player::with(&servers, |s| s.trust = format!("pin_sha256 = \"{}\"", servers.fingerprint()));
    player.import(&games(1));
    servers.lmtp(TOBIN, PLAYER, &opening(0));
    settle(&player);
    await_letters(&servers, &player, 1);
    settle(&player);
    player.ok(&["check"]);
    assert_once_each(&servers, &player, 1);

    let other = "00".repeat(32);
    player.change(|s| s.trust = format!("pin_sha256 = \"{other}\""));
    let polled = player.amici(&["poll"]);
    assert_eq!(polled.code, 7);
    assert!(polled.err.contains(servers.fingerprint()), "{}", polled.err);
}
