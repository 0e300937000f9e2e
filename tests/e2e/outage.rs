//! One server, one outage; reading and delivering do not wait for each other; and other commands wake the daemon.

use crate::player::{Player, await_letters, game, letters, mail};
use crate::support::proxy::{Direction, Fault, Proxy};
use crate::support::{PLAYER, Servers, TOBIN, poll};
use std::os::unix::fs::PermissionsExt;

fn id(n: usize) -> String {
    format!("GAME-{n:03}")
}

fn with_games(servers: &Servers, count: usize, change: impl FnOnce(&mut crate::player::Settings)) -> Player {
    let player = Player::with(servers, change);
    player.import(&(0..count).map(|n| game(&id(n), TOBIN, "black", &[])).collect::<Vec<_>>());
    player
}

fn open(servers: &Servers, games: std::ops::Range<usize>) {
    for n in games {
        servers.lmtp(TOBIN, PLAYER, &mail(TOBIN, &format!("t{n}"), &id(n), "1. 5254"));
    }
}

fn await_moves(player: &Player, count: usize) {
    let moved = || player.all_moves().values().filter(|moves| moves.len() == 1).count();
    assert!(poll(|| (moved() == count).then_some(())).is_some(), "{} of {count}\n{}", moved(), player.log());
}

#[test]
fn a_submission_server_that_hangs_is_asked_once_for_all_and_keeps_nobody_from_reading() {
    let servers = Servers::start();
    let proxy = Proxy::to(servers.socket(servers.smtps_port()));
    proxy.set(Fault::BlackHoleAfter(Direction::ToClient, 0));
    let player = with_games(&servers, 20, |s| s.smtp_port = proxy.address().port());
    open(&servers, 0..10);
    let mut daemon = player.run();
    await_moves(&player, 10);
    open(&servers, 10..20);
    await_moves(&player, 20);
    let (connections, delivered) = (proxy.connections(), letters(&servers).len());
    // each of them is waited for, for half a minute
    assert!(connections < 3 && delivered == 0, "{connections}\n{}", player.log());
    proxy.set(Fault::None);
    proxy.cut();
    await_letters(&servers, &player, 20);
    let log = std::fs::read_to_string(servers.dir().join("exim-mainlog")).unwrap();
    let taken = log.lines().filter(|line| line.contains(" <= ")).filter_map(|line| line.split(" id=").nth(1));
    let order: Vec<&str> = taken.filter(|id| id.contains(".notice.")).collect();
    assert!(order.len() == 20 && order.is_sorted(), "they go out in the order of their moves: {order:#?}");
    assert_eq!(proxy.connections(), 1, "one connection for all");
    assert!(daemon.lives());
}

#[test]
fn a_mailbox_that_hangs_keeps_no_draft_from_going_out() {
    let servers = Servers::start();
    let proxy = Proxy::to(servers.socket(servers.imaps_port()));
    let player = with_games(&servers, 1, |s| s.imap_port = proxy.address().port());
    open(&servers, 0..1);
    player.ok(&["poll"]);
    await_letters(&servers, &player, 1);
    proxy.set(Fault::BlackHoleAfter(Direction::ToClient, 0));
    let _daemon = player.run();
    assert!(poll(|| (proxy.connections() == 1).then_some(())).is_some(), "{}", player.log());
    player.ok(&["play", &id(0), "e5"]);
    await_letters(&servers, &player, 2);
}

#[test]
fn an_outage_of_the_submission_server_is_told_by_health_and_status_and_so_is_its_end() {
    let servers = Servers::start();
    let mut proxy = Proxy::to(servers.socket(servers.smtps_port()));
    proxy.refuse();
    let player = with_games(&servers, 3, |s| s.smtp_port = proxy.address().port());
    let daemon = player.run();
    player.await_status("a first look", |s| s["last_check"].is_string());
    assert_eq!(player.amici(&["health"]).code, 0);
    open(&servers, 0..3);
    let told = poll(|| Some(player.amici(&["health"])).filter(|health| health.code == 8));
    let told = told.unwrap_or_else(|| panic!("health never tells\n{}", player.log())).err;
    assert!(told.contains("nothing can be delivered") && told.contains(&servers.host()), "{told}");
    let status = player.await_status("three that wait", |s| s["waiting"]["mails"] == 3);
    assert!(status["last_error"].as_str().unwrap().contains("3 mails wait to go out since"), "{status:#}");
    assert_eq!(player.amici(&["status", "--exit-code"]).code, 9);
    assert!(player.ok(&["status"]).contains("TROUBLE: 3 mails wait"));
    // a daemon that is started anew knows it too
    assert!(daemon.terminate().success());
    let _daemon = player.run();
    player.await_status("three that wait", |s| s["waiting"]["mails"] == 3 && s["last_error"].is_string());
    proxy.accept();
    player.ok(&["poll"]);
    assert_eq!(letters(&servers).len(), 3, "whoever asks does not wait for the end of the back-off");
    player.await_status("no trouble", |s| s["waiting"].is_null() && s["last_error"].is_null());
    assert_eq!(player.amici(&["health"]).code, 0);
}

#[test]
fn poll_wakes_the_running_daemon_and_waits_until_all_is_read_and_delivered() {
    let mut servers = Servers::start();
    let player = with_games(&servers, 12, |s| s.poll = "1h".to_owned());
    let mut daemon = player.run();
    player.await_status("a first look", |s| s["last_check"].is_string());
    let socket = player.file("data/amici.sock");
    assert_eq!(std::fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o600);
    for n in 0..10 {
        open(&servers, n..n + 1);
        player.ok(&["poll"]);
        assert_eq!((player.moves(&id(n)), letters(&servers).len()), (vec!["5254".to_owned()], n + 1));
    }
    // its draft is delivered an hour before the next look
    player.ok(&["play", &id(0), "e5"]);
    await_letters(&servers, &player, 11);
    servers.stop_imap();
    let ended = player.amici(&["poll"]);
    assert_eq!(ended.code, 7, "{} {}", ended.out, ended.err);
    servers.start_imap();
    open(&servers, 10..11);
    player.ok(&["poll"]);
    assert_eq!(player.moves(&id(10)), ["5254"]);
    assert!(daemon.lives());
    assert!(daemon.terminate().success());
    assert!(!socket.exists());
    open(&servers, 11..12);
    player.ok(&["poll"]);
    assert_eq!(player.moves(&id(11)), ["5254"]);
}

#[test]
fn a_backlog_is_fetched_and_delivered_by_one_connection_each() {
    let servers = Servers::start();
    let (imap, smtp) =
        (Proxy::to(servers.socket(servers.imaps_port())), Proxy::to(servers.socket(servers.smtps_port())));
    let player = with_games(&servers, 60, |s| {
        (s.imap_port, s.smtp_port) = (imap.address().port(), smtp.address().port());
    });
    open(&servers, 0..60);
    for n in 0..30 {
        servers.lmtp("friend@example.com", PLAYER, &mail("friend@example.com", &format!("f{n}"), "Tea", "At five?"));
    }
    let told = player.ok(&["poll"]);
    assert!(told.contains("read: 30 mails with nothing new for any game"), "{told}");
    assert_eq!((letters(&servers).len(), imap.connections(), smtp.connections()), (60, 1, 1), "{told}");
    await_moves(&player, 60);
}
