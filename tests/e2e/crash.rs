//! kill -9 at any moment, an orderly end, two daemons for one data folder, and what a log must never show.

use crate::player::{Player, await_letters, game, header, headers, letters, mail};
use crate::support::proxy::{Direction, Fault, Proxy};
use crate::support::{HARRIET, PLAYER, Servers, TOBIN, base64, poll, poll_for};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

/// How many kills; `AMICI_KILLS` makes the campaign longer.
fn kills() -> u64 {
    let text = std::env::var("AMICI_KILLS").unwrap_or_else(|_| "200".to_owned());
    text.parse().expect("AMICI_KILLS is a number")
}

fn id(n: u64) -> String {
    format!("GAME-{n:05}")
}

/// A mail every few kills; then the daemon is left alone, and every mail must be one move and one notice.
#[test]
fn nothing_is_lost_or_doubled_by_kills_between_fetch_commit_and_delivery() {
    let kills = kills();
    let servers = Servers::start();
    let player = Player::of(&servers);
    let games: Vec<_> =
        (0..kills).map(|n| game(&id(n), if n % 2 == 0 { TOBIN } else { HARRIET }, "black", &[])).collect();
    player.import(&games);

    // how long it takes from the start to the end of a whole pass
    let start = Instant::now();
    player.ok(&["poll"]);
    let pass = start.elapsed() * 2;

    let mut sent = 0;
    for kill in 0..kills {
        let random = getrandom::u64().expect("randomness");
        for _ in 0..random % 3 {
            if sent < kills {
                let from = if sent % 2 == 0 { TOBIN } else { HARRIET };
                servers.lmtp(from, PLAYER, &mail(from, &format!("m{sent}"), &id(sent), "1. 5254"));
                sent += 1;
            }
        }
        let reported = player.log().len();
        let daemon = player.run();
        // every other kill comes after a mail was taken in, so that deliveries are hit however slow the start is
        let mut most = pass;
        if kill % 2 == 0 {
            let taken = || player.log()[reported..].contains("taken in").then_some(());
            if poll_for(pass, taken).is_some() {
                most = pass / 2;
            }
        }
        // the moment of the kill is what is random here; nothing is waited for
        let most = u64::try_from(most.as_micros()).expect("short");
        thread::sleep(Duration::from_micros((random >> 8) % most));
        daemon.kill();
    }

    let daemon = player.run();
    let count = usize::try_from(sent).expect("few");
    // a mail during which the program ended several times is listed for the player, not tried for ever
    let aside = |status: &Value| {
        let listed = status["not_read"].as_array().unwrap();
        listed.iter().filter(|mail| mail["reason"].is_string()).count()
    };
    let status = player.await_status("an outcome for every mail, and an empty outbox", |status| {
        let recorded = player.all_moves().values().filter(|moves| moves.len() == 1).count();
        recorded + aside(status) == count && status["outbox"].as_array().unwrap().is_empty()
    });
    let aside = aside(&status);
    await_letters(&servers, &player, count - aside);
    assert!(daemon.terminate().success());

    let moves = player.all_moves();
    let recorded = moves.values().filter(|moves| *moves == &["5254"]).count();
    let empty = moves.values().filter(|moves| moves.is_empty()).count();
    assert_eq!((recorded, recorded + empty), (count - aside, games.len()), "{status:#}");
    let mut seen = BTreeMap::new();
    for letter in letters(&servers) {
        *seen.entry(header(&letter, "Message-ID")).or_insert(0) += 1;
    }
    let doubled: Vec<_> = seen.iter().filter(|(_, times)| **times > 1).collect();
    assert!(doubled.is_empty(), "{doubled:?}\n{}", player.log());
    assert_eq!(seen.len(), recorded);
    let log = player.log();
    let cut_off = log.matches("a delivery was cut off").count();
    eprintln!("{kills} kills, {count} mails: {recorded} recorded, {aside} set aside, {cut_off} deliveries cut off");
    assert_sound(&player);
}

/// Kills the daemon while it hands a notice over: in the middle of the body, and between the body and its answer.
#[test]
fn a_delivery_that_a_kill_cuts_off_is_looked_for_before_it_is_repeated() {
    // from the end of what goes each way in a whole submission
    for (direction, from_end) in [(Direction::ToServer, 1_500), (Direction::ToClient, 110)] {
        let servers = Servers::start();
        let proxy = Proxy::to(servers.socket(servers.smtps_port()));
        let player = Player::with(&servers, |s| s.smtp_port = proxy.address().port());
        player.import(&[game("G-1", TOBIN, "black", &[]), game("G-2", HARRIET, "black", &[])]);
        servers.lmtp(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", "1. 5254"));
        player.ok(&["poll"]);
        await_letters(&servers, &player, 1);
        let whole = proxy.passed(direction);

        proxy.set(Fault::BlackHoleAfter(direction, whole - from_end));
        servers.lmtp(HARRIET, PLAYER, &mail(HARRIET, "h1", "G-2", "1. 5254"));
        let daemon = player.run();
        let status = player.await_status("a delivery under way", |s| s["outbox"][0]["state"] == "is being sent");
        let id = status["outbox"][0]["message_id"].as_str().unwrap().to_owned();
        let has_arrived = || letters(&servers).iter().any(|letter| header(letter, "Message-ID") == id);
        match direction {
            Direction::ToClient => assert!(poll(|| has_arrived().then_some(())).is_some()),
            Direction::ToServer => {
                let stuck = poll(|| (proxy.passed(direction) == whole - from_end).then_some(()));
                assert!(stuck.is_some() && !has_arrived());
            }
        }
        daemon.kill();

        proxy.set(Fault::None);
        let daemon = player.run();
        player.await_status("an empty outbox", |s| s["outbox"].as_array().unwrap().is_empty());
        assert_eq!(await_letters(&servers, &player, 2).len(), 2, "{}", player.log());
        assert!(has_arrived());
        assert!(player.log().contains("a delivery was cut off"));
        let resent = player.log().contains("are repeated with the same bytes");
        assert_eq!(resent, direction == Direction::ToServer, "{}", player.log());
        assert!(daemon.terminate().success());
    }
}

/// The database is intact, and what it exports can be imported.
fn assert_sound(player: &Player) {
    let document = player.ok(&["export", "--format", "json"]);
    let file = player.file("export.json");
    fs::write(&file, document).unwrap();
    player.ok(&["import", "--replace", "--yes", file.to_str().unwrap()]);
    player.ok(&["check"]);
}

#[test]
fn sigterm_ends_the_daemon_in_order_and_leaves_the_folder_to_the_next_one() {
    let servers = Servers::start();
    let player = Player::with(&servers, |s| s.poll = "10m".to_owned());
    player.import(&[game("G-1", TOBIN, "black", &[])]);
    let daemon = player.run();
    player.await_status("a first look", |s| s["last_check"].is_string());
    // in the middle of IDLE
    assert!(daemon.terminate().success(), "{}", player.log());
    assert!(player.log().contains("stopped"), "{}", player.log());
    assert_eq!(player.amici(&["health"]).code, 8);
    servers.lmtp(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", "1. 5254"));
    let daemon = player.run();
    await_letters(&servers, &player, 1);
    assert_eq!(player.amici(&["health"]).code, 0);
    assert!(daemon.terminate().success());
    assert_eq!(player.moves("G-1"), ["5254"]);
}

#[test]
fn sigterm_ends_a_daemon_whose_servers_hang() {
    for hangs in [Servers::imaps_port, Servers::smtps_port] {
        let servers = Servers::start();
        let proxy = Proxy::to(servers.socket(hangs(&servers)));
        let player = Player::with(&servers, |s| {
            let ports = [&mut s.imap_port, &mut s.smtp_port];
            for port in ports.into_iter().filter(|port| **port == hangs(&servers)) {
                *port = proxy.address().port();
            }
        });
        player.import(&[game("G-1", TOBIN, "black", &[])]);
        servers.lmtp(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", "1. 5254"));
        proxy.set(Fault::BlackHoleAfter(Direction::ToClient, 100));
        let daemon = player.run();
        let waits = poll(|| (proxy.passed(Direction::ToClient) == 100).then_some(()));
        assert!(waits.is_some(), "{}", player.log());
        assert!(daemon.terminate().success());
        // nothing was lost by it
        proxy.set(Fault::None);
        let daemon = player.run();
        player.await_status("the move", |s| s["games"][0]["ply"] == 1);
        player.await_status("an empty outbox", |s| s["outbox"].as_array().unwrap().is_empty());
        assert!(daemon.terminate().success());
    }
}

#[test]
fn a_second_daemon_on_the_same_folder_is_refused_and_names_the_first() {
    let servers = Servers::start();
    let player = Player::of(&servers);
    player.import(&[game("G-1", TOBIN, "black", &[])]);
    let mut daemon = player.run();
    player.await_status("a first look", |s| s["last_check"].is_string());
    let second = player.amici(&["run"]);
    assert_eq!(second.code, 1, "{}", second.err);
    assert!(second.err.contains(&daemon.pid().to_string()), "{}", second.err);
    assert_eq!(second.out, "");
    assert_eq!(player.ok(&["poll"]), "nothing new\n", "the first looks for it");
    assert!(daemon.lives());
    // killed, it gives the folder free
    daemon.kill();
    player.ok(&["poll"]);
}

#[test]
fn neither_a_password_nor_the_text_of_a_mail_shows_in_a_log_at_its_most_talkative() {
    const CANARY: &str = "kanarienvogel";
    let servers = Servers::start();
    let player = Player::of(&servers);
    player.import(&[game("G-1", TOBIN, "black", &[]), game("G-2", HARRIET, "black", &[])]);
    let daemon = player.run_with("trace");
    servers.lmtp(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", &format!("{CANARY}\n\n1. 5254\n\n{CANARY}")));
    servers.lmtp(HARRIET, PLAYER, &mail(HARRIET, "h1", "G-2", &format!("1. 5256 {CANARY}")));
    let notices = await_letters(&servers, &player, 2);
    assert!(notices.iter().all(|notice| headers(notice, "Message-ID").len() == 1));
    player.ok(&["play", "G-1", "e5"]);
    await_letters(&servers, &player, 3);
    assert!(daemon.terminate().success());
    // and the way of a refused password
    player.password("falscher-kanarienvogel");
    let daemon = player.run_with("trace");
    player.await_status("the refusal", |s| s["last_error"].is_string());
    assert!(daemon.terminate().success());
    let log = player.log();
    assert!(log.contains("G-1"), "{log}");
    let password = servers.password(PLAYER);
    for secret in
        [CANARY, password, &base64(password), &base64(&format!("\0{PLAYER}\0{password}")), "falscher-kanarienvogel"]
    {
        assert!(!log.contains(secret), "{secret} is in the log:\n{log}");
    }
    let status = player.ok(&["status", "--json"]);
    assert!(!status.contains(password) && !status.contains("falscher"), "{status}");
}
