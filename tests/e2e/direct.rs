//! Released moves on real servers: what goes to the opponent, how often, and what is on record of it.

use crate::player::{Player, await_letters, game, header, headers, mail};
use crate::support::proxy::{Direction, Fault, Proxy};
use crate::support::{HARRIET, PLAYER, Servers, TOBIN, poll};
use serde_json::Value;
use std::thread;
use std::time::Duration;

const DIRECT: &str = "[direct]\nopponents = [\"tobin@example.net\"]\nhold = \"0s\"\n";

/// A player who lets moves be sent to Tobin, with the game G-1 in which Tobin has played 1. 5254 and 1... 5755 is chosen.
fn chosen(servers: &Servers, change: impl FnOnce(&mut crate::player::Settings)) -> Player {
    let player = Player::with(servers, |s| {
        s.more = DIRECT.to_owned();
        change(s);
    });
    player.import(&[game("G-1", TOBIN, "black", &[])]);
    servers.lmtp(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", "1. 5254"));
    player.ok(&["poll"]);
    player.ok(&["play", "G-1", "e5"]);
    await_letters(servers, &player, 2);
    player
}

fn state(player: &Player) -> Option<String> {
    player.status()["released"][0]["state"].as_str().map(str::to_owned)
}

#[test]
fn a_released_move_reaches_the_opponent_once_and_is_on_record_as_sent() {
    let servers = Servers::start();
    let player = chosen(&servers, |_| {});
    assert!(servers.mails(TOBIN, "INBOX").is_empty());
    let said = player.ok(&["send", "G-1", "--yes"]);
    assert!(said.contains("5755 (e5) goes to tobin@example.net"), "{said}");
    let his = servers.await_mails(TOBIN, "INBOX", 1);
    assert_eq!(header(&his[0], "To").rsplit(' ').next(), Some("<tobin@example.net>"));
    assert!(header(&his[0], "From").contains(PLAYER));
    assert_eq!(header(&his[0], "References").split(' ').next_back(), Some("<t1@example.com>"));
    for name in ["Bcc", "Cc", "X-Unsent", "Auto-Submitted"] {
        assert_eq!(headers(&his[0], name), [""; 0], "{name}");
    }
    assert!(String::from_utf8_lossy(&his[0]).contains("5755"));
    assert_eq!(player.moves("G-1"), ["5254", "5755"]);
    assert!(player.status()["released"].as_array().unwrap().is_empty());
    // the player's own copy says the same and changes nothing
    player.ok(&["poll"]);
    let id = header(&his[0], "Message-ID");
    let copies: Vec<_> =
        servers.mails(PLAYER, "INBOX").into_iter().filter(|mail| header(mail, "Message-ID") == id).collect();
    assert_eq!(copies.len(), 1);
    assert_eq!(player.moves("G-1"), ["5254", "5755"]);
    assert_eq!(player.amici(&["send", "G-1", "--yes"]).code, 1);
    assert_eq!(servers.mails(TOBIN, "INBOX").len(), 1);
    // and his answer goes on from there
    servers.lmtp(TOBIN, PLAYER, &mail(TOBIN, "t2", "G-1", "1. 5254 5755\n2. 7163"));
    player.ok(&["poll"]);
    assert_eq!(player.moves("G-1"), ["5254", "5755", "7163"]);
    let replayed = player.ok(&["verify", "--rebuild"]);
    assert!(replayed.contains("0 differences") || replayed.contains("nothing differs"), "{replayed}");
}

#[test]
fn nothing_goes_out_without_the_word_the_permission_and_the_time() {
    let servers = Servers::start();
    let mut player = chosen(&servers, |_| {});
    // no word
    let asked = player.amici(&["send", "G-1"]);
    assert_eq!(asked.code, 6, "{}", asked.err);
    assert!(asked.err.contains("tobin@example.net"), "{}", asked.err);
    // only shown
    assert!(player.ok(&["send", "G-1", "-n"]).contains("Nothing was kept"));
    // not yet, and recalled in time
    player.ok(&["send", "G-1", "--yes", "--hold", "1h"]);
    assert_eq!(state(&player).as_deref(), Some("waits"));
    player.ok(&["poll"]);
    assert!(servers.mails(TOBIN, "INBOX").is_empty());
    let refused = player.amici(&["play", "G-1", "c5"]);
    assert!(refused.code == 1 && refused.err.contains("amici undo"), "{}", refused.err);
    assert!(player.ok(&["undo", "G-1"]).contains("recalled"));
    player.ok(&["poll"]);
    assert_eq!(player.json(&["show", "G-1", "--json"])["plan"]["numeric"], "5755");
    // permission taken away while it waits
    player.ok(&["send", "G-1", "--yes", "--hold", "8s"]);
    player.change(|s| s.more = "[direct]\nopponents = [\"harriet@example.org\"]\n".to_owned());
    thread::sleep(Duration::from_millis(8100));
    player.amici(&["poll"]);
    assert_eq!(state(&player).as_deref(), Some("failed"));
    assert_eq!(player.amici(&["send", "G-1", "--yes"]).code, 3);
    assert!(servers.mails(TOBIN, "INBOX").is_empty());
    assert_eq!(player.moves("G-1"), ["5254"]);
}

/// A player with so many games in which he is to move, who sends through a proxy; and how many bytes a release takes each way.
fn behind_a_proxy(servers: &Servers, games: usize) -> (Player, Proxy) {
    let proxy = Proxy::to(servers.socket(servers.smtps_port()));
    let player = Player::with(servers, |s| {
        s.more = DIRECT.to_owned();
        s.smtp_port = proxy.address().port();
    });
    let games: Vec<_> = (0..=games).map(|n| game(&format!("G-{n}"), TOBIN, "white", &[])).collect();
    player.import(&games);
    player.ok(&["play", "G-0", "e4"]);
    proxy.set(Fault::None);
    player.ok(&["send", "G-0", "--yes"]);
    servers.await_mails(TOBIN, "INBOX", 1);
    (player, proxy)
}

#[test]
fn a_mail_whose_answer_is_cut_off_is_found_by_the_players_copy_and_never_sent_twice() {
    let servers = Servers::start();
    let cuts = [30, 50, 70, 90, 110, 130, 150, 170];
    let (player, proxy) = behind_a_proxy(&servers, cuts.len());
    let whole = proxy.passed(Direction::ToClient);
    let mut unclear = 0;
    for (n, from_end) in (1..).zip(cuts) {
        let id = format!("G-{n}");
        player.ok(&["play", &id, "e4"]);
        // the server's last words do not come, and among them its answer to the mail
        proxy.set(Fault::CutAfter(Direction::ToClient, whole - from_end));
        player.amici(&["send", &id, "--yes"]);
        proxy.set(Fault::None);
        if state(&player).as_deref() == Some("may have arrived") {
            unclear += 1;
            assert!(player.moves(&id).is_empty());
            let refused = player.amici(&["undo", &id]);
            assert!(refused.code == 1 && refused.err.contains("on its way"), "{}", refused.err);
        }
        let found = poll(|| {
            player.ok(&["poll"]);
            (player.moves(&id) == ["5254"]).then_some(())
        });
        assert!(found.is_some(), "cut {from_end} before the end: {:#}", player.status());
    }
    assert!(unclear > 0, "no answer was cut off");
    assert!(player.status()["released"].as_array().unwrap().is_empty());
    assert_eq!(servers.mails(TOBIN, "INBOX").len(), cuts.len() + 1);
}

#[test]
fn a_mail_that_is_nowhere_waits_for_the_players_word_and_goes_once_more_with_the_same_bytes() {
    let servers = Servers::start();
    let (player, proxy) = behind_a_proxy(&servers, 1);
    let whole = proxy.passed(Direction::ToServer);
    player.ok(&["play", "G-1", "e4"]);
    // in the middle of the body
    proxy.set(Fault::CutAfter(Direction::ToServer, whole - 600));
    player.amici(&["send", "G-1", "--yes"]);
    proxy.set(Fault::None);
    for _ in 0..3 {
        player.ok(&["poll"]);
    }
    assert_eq!(state(&player).as_deref(), Some("may have arrived"));
    assert_eq!(player.amici(&["status", "--exit-code"]).code, 9);
    let asked = player.amici(&["send", "G-1", "--again"]);
    assert_eq!(asked.code, 6, "{}", asked.err);
    let id = player.status()["released"][0]["message_id"].clone();
    player.ok(&["send", "G-1", "--again", "--yes"]);
    let his = servers.await_mails(TOBIN, "INBOX", 2);
    assert_eq!(his.iter().filter(|mail| id == header(mail, "Message-ID").as_str()).count(), 1);
    assert_eq!(player.moves("G-1"), ["5254"]);
}

/// The daemon is killed at random moments while released moves go out, and looks for what a kill left open.
#[test]
fn kills_while_released_moves_go_out_double_none_and_lose_none() {
    let kills: u64 = std::env::var("AMICI_KILLS").map_or(40, |text| text.parse().expect("AMICI_KILLS is a number"));
    let servers = Servers::start();
    let player = Player::with(&servers, |s| {
        s.more = "[direct]\nopponents = [\"tobin@example.net\"]\nhold = \"0s\"\ndaily = 1000\n".to_owned();
    });
    let games: Vec<_> = (0..kills).map(|n| game(&format!("G-{n}"), TOBIN, "white", &[])).collect();
    player.import(&games);
    let mut daemon = player.run();
    player.await_status("a first look", |s| s["last_check"].is_string());
    for n in 0..kills {
        let id = format!("G-{n}");
        player.ok(&["play", &id, "e4"]);
        player.ok(&["send", &id, "--yes"]);
        let random = getrandom::u64().expect("randomness");
        // the moment of the kill is what is random here; nothing is waited for
        thread::sleep(Duration::from_micros(random % 1_500_000));
        daemon.kill();
        daemon = player.run();
    }
    let count = usize::try_from(kills).expect("few");
    let open = |s: &Value| s["released"].as_array().unwrap().clone();
    player.await_status("every release sent, or unclear", |s| {
        open(s).iter().all(|row| row["state"] == "may have arrived")
    });
    let mails = servers.mails(TOBIN, "INBOX");
    let mut ids: Vec<_> = mails.iter().map(|mail| header(mail, "Message-ID")).collect();
    ids.sort();
    let all = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), all, "a mail went out twice");
    // what is still unclear never left: the player's own copy would have shown it
    let unclear = open(&player.status());
    for row in &unclear {
        assert!(!ids.iter().any(|id| row["message_id"] == id.as_str()), "{row:#}");
    }
    let recorded = player.all_moves().values().filter(|moves| *moves == &["5254"]).count();
    assert_eq!((recorded, recorded + unclear.len()), (all, count));
    eprintln!("{kills} kills, {count} releases: {all} sent once, {} unclear and not sent, 0 twice", unclear.len());
    assert!(daemon.terminate().success());
}

#[test]
fn two_programs_that_play_each_other_send_one_mail_for_each_move() {
    let servers = Servers::start();
    let direct = |to: &str| format!("[direct]\nopponents = [\"{to}\"]\nhold = \"0s\"\n");
    let ann = Player::with(&servers, |s| s.more = direct(HARRIET));
    let harriet = Player::with(&servers, |s| {
        s.address = HARRIET;
        s.more = direct(PLAYER);
    });
    let mut document = game("G-1", HARRIET, "white", &[]);
    ann.import(std::slice::from_ref(&document));
    document["me"] = "black".into();
    harriet.import(&[document]);
    let daemons = [ann.run(), harriet.run()];
    let line = ["5254", "5755", "7163", "2836", "6125", "7866"];
    for (ply, numeric) in line.iter().enumerate() {
        let player = if ply % 2 == 0 { &ann } else { &harriet };
        let ready = poll(|| (player.moves("G-1").len() == ply).then_some(()));
        assert!(ready.is_some(), "{numeric}: {:#}\n{}", player.status(), player.log());
        player.ok(&["play", "G-1", numeric]);
        player.ok(&["send", "G-1", "--yes"]);
    }
    for player in [&ann, &harriet] {
        let ready = poll(|| (player.moves("G-1") == line).then_some(()));
        assert!(ready.is_some(), "{:#}\n{}", player.status(), player.log());
    }
    for daemon in daemons {
        assert!(daemon.terminate().success());
    }
    let log = std::fs::read_to_string(servers.dir().join("exim-mainlog")).unwrap();
    let between = |from: &str, to: &str| {
        let mails: Vec<String> = servers.mails(to, "INBOX").iter().map(|mail| header(mail, "From")).collect();
        mails.iter().filter(|sender| sender.contains(from)).count()
    };
    assert_eq!((between(PLAYER, HARRIET), between(HARRIET, PLAYER)), (3, 3), "{log}");
}
