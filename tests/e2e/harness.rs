//! Tests of the harness itself: what later tests take for granted about servers, mailboxes and the proxy.

use crate::support::proxy::{Direction, Fault, Proxy};
use crate::support::wire::Wire;
use crate::support::{Certificate, HARRIET, PLAYER, Servers, TOBIN, WRONG_PASSWORD, poll, processes};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};

const MAIL: &str = "From: harriet@example.org\r\nTo: player@example.org\r\nSubject: Zug 1\r\n\
    Message-ID: <1@example.org>\r\n\r\n1. 5254\r\n.\r\nGr\u{fc}\u{df}e\r\n";

/// An IMAP connection through `address`, logged in as the player.
fn imap(servers: &Servers, address: SocketAddr, password: &str) -> io::Result<(Wire, String)> {
    let mut imap = Wire::connect(address)?.start_tls(&servers.host(), &servers.ca_file())?;
    imap.line()?;
    let answer = imap.imap(&format!("LOGIN {PLAYER} {password}"))?;
    Ok((imap, answer))
}

/// A whole session that reads the INBOX and changes nothing.
fn read_inbox(servers: &Servers, address: SocketAddr) -> io::Result<String> {
    let (mut imap, _) = imap(servers, address, servers.password(PLAYER))?;
    imap.imap("EXAMINE INBOX")?;
    let mails = imap.imap("UID FETCH 1:* (FLAGS BODY.PEEK[])")?;
    imap.imap("LOGOUT")?;
    Ok(mails)
}

fn contains(mail: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(mail).contains(text)
}

#[test]
fn a_mail_sent_with_auth_arrives_in_the_inbox_byte_for_byte() {
    let servers = Servers::start();
    servers.send_as(HARRIET, PLAYER, MAIL.as_bytes());
    servers.send_as(TOBIN, PLAYER, MAIL.replace("Zug 1", "Zug 2").as_bytes());
    let mails = servers.await_mails(PLAYER, "INBOX", 2);
    let (first, second) = (&mails[0], &mails[1]);
    assert_eq!(mails.len(), 2);
    let body = |mail: &str| mail.split_once("\r\n\r\n").unwrap().1.to_owned();
    for mail in [first, second] {
        assert_eq!(body(std::str::from_utf8(mail).unwrap()), body(MAIL));
        assert!(contains(mail, "Message-ID: <1@example.org>\r\n"));
    }
    assert_ne!(contains(first, "Zug 2"), contains(second, "Zug 2"));
}

#[test]
fn a_mail_to_nobody_comes_back_as_a_bounce_with_an_empty_sender() {
    let servers = Servers::start();
    servers.send_as(PLAYER, "nobody@example.net", MAIL.as_bytes());
    let mails = servers.await_mails(PLAYER, "INBOX", 1);
    assert!(contains(&mails[0], "Return-Path: <>\r\n"));
    assert!(contains(&mails[0], "Content-type: message/delivery-status"));
}

#[test]
fn mail_sent_while_imap_is_down_arrives_when_it_is_back() {
    let mut servers = Servers::start();
    servers.lmtp(TOBIN, PLAYER, MAIL.as_bytes());
    servers.stop_imap();
    let refused = Wire::connect(servers.socket(servers.imaps_port())).err().unwrap();
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
    servers.send_as(HARRIET, PLAYER, MAIL.as_bytes());
    servers.start_imap();
    assert_eq!(servers.await_mails(PLAYER, "INBOX", 2).len(), 2);
    servers.restart_imap();
    assert_eq!(servers.mails(PLAYER, "INBOX").len(), 2);
}

#[test]
fn a_snapshot_stays_the_same_when_mail_is_only_read() {
    let servers = Servers::start();
    servers.lmtp(HARRIET, PLAYER, MAIL.as_bytes());
    let before = servers.snapshot(PLAYER);
    assert_eq!(before.mails.len(), 1);
    assert_eq!(servers.snapshot(PLAYER), before);
    let read = read_inbox(&servers, servers.socket(servers.imaps_port())).unwrap();
    assert!(read.contains("1. 5254"));
    assert_eq!(servers.snapshot(PLAYER), before);
}

#[test]
fn a_snapshot_shows_opening_for_writing_marking_as_read_and_new_folders() {
    let servers = Servers::start();
    servers.lmtp(HARRIET, PLAYER, MAIL.as_bytes());
    let (mut imap, _) = imap(&servers, servers.socket(servers.imaps_port()), servers.password(PLAYER)).unwrap();
    let mut last = servers.snapshot(PLAYER);
    for command in ["SELECT INBOX", "UID FETCH 1 BODY[]", "CREATE Neu", "CLOSE", "DELETE Neu"] {
        imap.imap(command).unwrap();
        let now = servers.snapshot(PLAYER);
        assert_eq!(now == last, command == "CLOSE", "{command}: {last:?} {now:?}");
        last = now;
    }
}

#[test]
fn a_folder_gets_a_new_uid_validity_and_keeps_its_mail() {
    let servers = Servers::start();
    servers.lmtp(HARRIET, PLAYER, MAIL.as_bytes());
    let mails = servers.mails(PLAYER, "INBOX");
    let old = servers.snapshot(PLAYER).folders["INBOX"][0];
    let new = servers.new_uid_validity(PLAYER, "INBOX");
    assert_ne!(new, old);
    let (mut imap, _) = imap(&servers, servers.socket(servers.imaps_port()), servers.password(PLAYER)).unwrap();
    assert!(imap.imap("EXAMINE INBOX").unwrap().contains(&format!("[UIDVALIDITY {new}]")));
    assert_eq!(servers.mails(PLAYER, "INBOX"), mails);
}

#[test]
fn folders_may_have_umlauts_quotes_and_levels_and_keep_any_bytes() {
    let servers = Servers::start();
    let names = ["Entw\u{fc}rfe & \"Z\u{fc}ge\"", "Fernschach/\u{c4}rger 2026"];
    // no header end, 8-bit, a form feed as doveadm prints between mails, no line end
    let raw = b"Subject: \xe9\r\n\x0c\r\nuid: 7\r\n\x0c";
    for name in names {
        servers.create_folder(PLAYER, name);
        for _ in 0..2 {
            servers.save(PLAYER, name, raw);
        }
        assert_eq!(servers.mails(PLAYER, name), [raw, raw]);
        assert!(servers.snapshot(PLAYER).folders.contains_key(name));
    }
    assert!(servers.mails(PLAYER, "Fernschach").is_empty());
}

#[test]
fn a_wrong_password_is_refused_and_a_kicked_client_loses_its_connection() {
    let servers = Servers::start();
    let imaps = servers.socket(servers.imaps_port());
    let (_, refusal) = imap(&servers, imaps, WRONG_PASSWORD).unwrap();
    assert!(refusal.contains("NO [AUTHENTICATIONFAILED]"), "{refusal}");
    let (mut imap, _) = imap(&servers, imaps, servers.password(PLAYER)).unwrap();
    imap.imap("EXAMINE INBOX").unwrap();
    servers.kick(PLAYER);
    let end = poll(|| imap.imap("NOOP").err());
    assert!(end.is_some());
}

#[test]
fn no_server_takes_a_password_in_the_clear() {
    let servers = Servers::start();
    let mut imap = Wire::connect(servers.socket(servers.imap_port())).unwrap();
    let greeting = String::from_utf8(imap.line().unwrap()).unwrap();
    assert!(greeting.contains("LOGINDISABLED"), "{greeting}");
    let refusal = imap.imap(&format!("LOGIN {PLAYER} {}", servers.password(PLAYER))).unwrap();
    assert!(refusal.contains("NO [PRIVACYREQUIRED]"), "{refusal}");

    let mut smtp = Wire::connect(servers.socket(servers.starttls_port())).unwrap();
    smtp.reply("220").unwrap();
    let offers = smtp.command("EHLO test.example.com", "250").unwrap();
    assert!(offers.contains("STARTTLS") && !offers.contains("AUTH"), "{offers}");
    smtp.command("STARTTLS", "220").unwrap();
    let mut smtp = smtp.start_tls("mail.example.org", &servers.ca_file()).unwrap();
    let offers = smtp.command("EHLO test.example.com", "250").unwrap();
    assert!(offers.contains("AUTH PLAIN LOGIN"), "{offers}");
    let refusal = smtp.hand_over(HARRIET, PLAYER, MAIL.as_bytes()).unwrap_err().to_string();
    assert!(refusal.contains("authentication required"), "{refusal}");
}

#[test]
fn each_bad_certificate_is_refused_for_its_own_reason() {
    for (certificate, reason) in [
        (Certificate::Expired, "certificate expired"),
        (Certificate::WrongName, "certificate not valid for name"),
        (Certificate::SelfSigned, "CaUsedAsEndEntity"),
    ] {
        let servers = Servers::start_with(certificate);
        for port in [servers.imaps_port(), servers.smtps_port()] {
            let refusal = servers.tls(port).err().unwrap().to_string();
            assert!(refusal.contains(reason), "{certificate:?} on {port}: {refusal}");
        }
    }
}

#[test]
fn the_fingerprint_is_that_of_the_certificate_on_the_wire() {
    let servers = Servers::start();
    for port in [servers.imaps_port(), servers.smtps_port()] {
        let wire = servers.tls(port).unwrap();
        let digest = Sha256::digest(wire.certificate().unwrap());
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, servers.fingerprint());
    }
}

#[test]
fn the_proxy_cuts_a_session_after_every_chosen_byte() {
    let servers = Servers::start();
    servers.lmtp(HARRIET, PLAYER, MAIL.as_bytes());
    let proxy = Proxy::to(servers.socket(servers.imaps_port()));
    for direction in [Direction::ToServer, Direction::ToClient] {
        proxy.set(Fault::None);
        assert!(read_inbox(&servers, proxy.address()).unwrap().contains("1. 5254"));
        let whole = proxy.passed(direction);
        assert!(whole > 500, "{whole}");
        for cut in [0, 1, whole / 4, whole / 2] {
            proxy.set(Fault::CutAfter(direction, cut));
            assert!(read_inbox(&servers, proxy.address()).is_err(), "{direction:?} {cut}");
            assert_eq!(proxy.passed(direction), cut, "{direction:?}");
        }
    }
}

#[test]
fn the_proxy_swallows_one_direction_and_keeps_the_connection() {
    let target = TcpListener::bind("127.0.0.1:0").unwrap();
    let proxy = Proxy::to(target.local_addr().unwrap());
    proxy.set(Fault::BlackHoleAfter(Direction::ToServer, 4));
    let mut client = TcpStream::connect(proxy.address()).unwrap();
    let (mut server, _) = target.accept().unwrap();
    client.write_all(b"seen lost").unwrap();
    server.write_all(b"back").unwrap();
    let mut back = [0; 4];
    client.read_exact(&mut back).unwrap();
    client.shutdown(Shutdown::Write).unwrap();
    let mut seen = Vec::new();
    server.read_to_end(&mut seen).unwrap();
    assert_eq!((seen.as_slice(), &back), (b"seen".as_slice(), b"back"));
}

#[test]
fn the_proxy_cuts_open_connections_and_takes_new_ones() {
    let servers = Servers::start();
    let proxy = Proxy::to(servers.socket(servers.imaps_port()));
    let (mut open, _) = imap(&servers, proxy.address(), servers.password(PLAYER)).unwrap();
    proxy.cut();
    assert!(open.imap("NOOP").is_err());
    assert!(read_inbox(&servers, proxy.address()).is_ok());
}

#[test]
fn the_proxy_refuses_connections_until_it_accepts_again() {
    let servers = Servers::start();
    let mut proxy = Proxy::to(servers.socket(servers.imaps_port()));
    let (mut open, _) = imap(&servers, proxy.address(), servers.password(PLAYER)).unwrap();
    proxy.refuse();
    assert!(open.imap("NOOP").is_err());
    let refused = Wire::connect(proxy.address()).err().unwrap();
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
    proxy.accept();
    assert!(read_inbox(&servers, proxy.address()).is_ok());
}

#[test]
fn two_pairs_of_servers_know_nothing_of_each_other() {
    let (one, other) = std::thread::scope(|scope| {
        let other = scope.spawn(Servers::start);
        (Servers::start(), other.join().unwrap())
    });
    assert_ne!(one.host(), other.host());
    assert_ne!(one.password(PLAYER), other.password(PLAYER));
    one.send_as(HARRIET, PLAYER, MAIL.as_bytes());
    one.await_mails(PLAYER, "INBOX", 1);
    assert!(other.mails(PLAYER, "INBOX").is_empty());
}

#[test]
fn nothing_is_left_of_the_servers_even_when_a_test_panics() {
    let (told, folder) = std::sync::mpsc::channel();
    let test = std::thread::spawn(move || {
        let servers = Servers::start();
        let dir = servers.dir().to_owned();
        servers.send_as(HARRIET, PLAYER, MAIL.as_bytes());
        let running = processes(dir.to_str().unwrap()).len();
        told.send((dir, running)).unwrap();
        panic!("on purpose, to see what is left");
    });
    assert!(test.join().is_err());
    let (dir, running) = folder.recv().unwrap();
    assert!(running >= 2, "{running}");
    assert_eq!(processes(dir.to_str().unwrap()), Vec::<i32>::new());
    assert!(!dir.exists());
}

/// Runs in two roles: the second run of this test program starts servers and is killed while they run.
#[test]
fn the_servers_end_with_a_test_program_that_is_killed() {
    const REPORT: &str = "AMICI_E2E_REPORT";
    if let Some(report) = std::env::var_os(REPORT) {
        let servers = Servers::start();
        fs::write(report, servers.dir().to_str().unwrap()).unwrap();
        // ended by the first role, or by the end of the pipe when that fails
        io::stdin().read_to_end(&mut Vec::new()).unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    let mut victim = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "harness::the_servers_end_with_a_test_program_that_is_killed"])
        .env(REPORT, &report)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let dir = poll(|| fs::read_to_string(&report).ok().filter(|dir| !dir.is_empty())).unwrap();
    assert!(processes(&dir).len() >= 2);
    victim.kill().unwrap();
    victim.wait().unwrap();
    assert!(poll(|| processes(&dir).is_empty().then_some(())).is_some());
    fs::remove_dir_all(dir).unwrap();
}
