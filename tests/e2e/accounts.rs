//! Several accounts in one service: two players with a mailbox each on real servers, who play each other.

use crate::player::{Player, header, mail};
use crate::support::proxy::Proxy;
use crate::support::{HARRIET, PLAYER, Servers, TOBIN, poll};
use std::fs;

const ACCOUNTS: [(&str, &str); 2] = [("ann", PLAYER), ("tobin", TOBIN)];

/// Both players, the second of whom reads his mailbox at this port.
fn club(servers: &Servers, port: u16) -> Player {
    let player = Player::new_to_it(servers);
    let (host, ca) = (servers.host(), servers.ca_file());
    let mut text = format!(
        "[me]\ntimezone = \"Etc/UTC\"\n[imap]\nhost = \"{host}\"\nport = {}\npoll = \"1s\"\nca_file = \"{2}\"\n\
         [smtp]\nhost = \"{host}\"\nport = {1}\nca_file = \"{2}\"\n",
        servers.imaps_port(),
        servers.smtps_port(),
        ca.display()
    );
    for (name, address) in ACCOUNTS {
        let login = format!("user = \"{address}\"\npassword.command = [\"echo\", \"{}\"]\n", servers.password(address));
        let me = format!("name = \"{name}\"\nemails = [\"{address}\"]\n");
        let port = if name == "tobin" { format!("port = {port}\n") } else { String::new() };
        text.push_str(&format!(
            "[[account]]\nname = \"{name}\"\n[account.me]\n{me}[account.imap]\n{port}{login}[account.smtp]\n{login}"
        ));
    }
    fs::write(player.file("config.toml"), text).unwrap();
    player
}

fn begins(player: &Player, account: &str, id: &str, opponent: &str, color: &str) {
    let game = ["new", id, "--opponent", "other", "--email", opponent, "--color", color];
    player.ok(&[&game[..], &["--event", "CLUB", "--account", account]].concat());
}

fn plies(player: &Player, account: &str, id: &str) -> usize {
    let shown = player.json(&["show", id, "--json", "--account", account]);
    shown["moves"].as_array().unwrap().len()
}

/// The letters of the program in a mailbox that are about a game.
fn told(servers: &Servers, address: &str, id: &str) -> usize {
    let mails = servers.mails(address, "INBOX");
    mails.iter().filter(|mail| header(mail, "Subject").starts_with(&format!("[amici {id}"))).count()
}

#[test]
fn one_service_reads_two_mailboxes_and_an_outage_of_one_stops_nothing_of_the_other() {
    let servers = Servers::start();
    let mut proxy = Proxy::to(servers.socket(servers.imaps_port()));
    proxy.refuse();
    let player = club(&servers, proxy.address().port());
    begins(&player, "ann", "CLUB-1", TOBIN, "white");
    begins(&player, "tobin", "CLUB-1", PLAYER, "black");
    begins(&player, "ann", "CLUB-2", HARRIET, "black");
    let mut daemon = player.run();
    let health = || player.amici(&["health"]);
    assert!(poll(|| health().err.contains("tobin: alive, but").then_some(())).is_some(), "{}", player.log());

    // while his server is down she is read for, and gets her notices
    servers.lmtp(HARRIET, PLAYER, &mail(HARRIET, "h1", "CLUB-2", "1. 5254"));
    assert!(poll(|| (plies(&player, "ann", "CLUB-2") == 1).then_some(())).is_some(), "{}", player.log());
    assert!(poll(|| (told(&servers, PLAYER, "CLUB-2") == 1).then_some(())).is_some(), "{}", player.log());
    let said = health();
    assert!(said.code == 8 && said.err.contains("ann: alive; mail checked"), "{said:?}");
    assert_eq!(player.amici(&["health", "--account", "ann"]).code, 0);

    // she plays against him: what she sends lies in her folder, and comes to him
    player.ok(&["play", "CLUB-1", "e4", "--account", "ann"]);
    let sent = String::from_utf8(mail(PLAYER, "a1", "CLUB-1", "1. 5254")).unwrap();
    let sent = sent.replace(&format!("To: {PLAYER}"), &format!("To: {TOBIN}"));
    servers.save(PLAYER, "Sent", sent.as_bytes());
    servers.lmtp(PLAYER, TOBIN, sent.as_bytes());
    assert!(poll(|| (plies(&player, "ann", "CLUB-1") == 1).then_some(())).is_some(), "{}", player.log());
    assert_eq!(plies(&player, "tobin", "CLUB-1"), 0, "his mailbox cannot be read yet");

    proxy.accept();
    player.ok(&["poll", "--account", "tobin"]);
    assert_eq!((plies(&player, "ann", "CLUB-1"), plies(&player, "tobin", "CLUB-1")), (1, 1));
    assert!(poll(|| (told(&servers, TOBIN, "CLUB-1") == 1).then_some(())).is_some(), "{}", player.log());
    assert_eq!(told(&servers, TOBIN, "CLUB-2"), 0, "her notices are hers");
    assert!(poll(|| (health().code == 0).then_some(())).is_some(), "{:?}\n{}", health(), player.log());
    assert!(daemon.lives());
}

#[test]
fn init_begins_one_account_after_the_other_and_leaves_those_that_are_there() {
    let servers = Servers::start();
    let player = Player::new_to_it(&servers);
    let (imap, smtp) =
        (servers.socket(servers.imaps_port()).to_string(), servers.socket(servers.smtps_port()).to_string());
    let ca = servers.ca_file().display().to_string();
    let init = |account: &str, address: &str, name: &str| {
        let who = ["init", "--yes", "--account", account, "--email", address, "--name", name, "--timezone", "Etc/UTC"];
        let how = ["--imap", &imap, "--smtp", &smtp, "--ca-file", &ca, "--password-stdin"];
        player.amici_with(&[&who[..], &how[..]].concat(), servers.password(address), &[])
    };
    let mut text = String::new();
    for (account, address) in ACCOUNTS {
        let ended = init(account, address, account);
        assert_eq!(ended.code, 0, "{ended:?}");
        let written = fs::read_to_string(player.file("config.toml")).unwrap();
        assert!(written.starts_with(&text) && written.len() > text.len(), "{written}");
        text = written;
        assert!(player.file(&format!("password-{account}")).exists());
    }
    let checked = player.ok(&["check"]);
    assert!(checked.starts_with("ann\n===\n") && checked.contains("\ntobin\n=====\n"), "{checked}");
    // said again, it changes the one that is named
    assert_eq!(init("ann", PLAYER, "Quillfeather, Ann").code, 0);
    let changed = fs::read_to_string(player.file("config.toml")).unwrap();
    assert_eq!(changed, text.replacen("name = \"ann\"\nemails", "name = \"Quillfeather, Ann\"\nemails", 1));
    let unsaid = player.amici(&["init", "--yes", "--name", "x"]);
    assert_eq!((unsaid.code, unsaid.err.contains("There are ann, tobin")), (2, true), "{unsaid:?}");
    // beside an account without a name none can stand
    fs::write(player.file("config.toml"), "[me]\nname = \"x\"\nemails = [\"x@example.org\"]\ntimezone = \"UTC\"\n")
        .unwrap();
    let beside = init("tobin", TOBIN, "tobin");
    assert!(beside.code == 2 && beside.err.contains("its one account has no name"), "{beside:?}");
}
