//! `amici init` against real servers: found through an autoconfig server, tried, and written once the player says yes.

use crate::player::Player;
use crate::support::{HARRIET, PLAYER, Servers, WRONG_PASSWORD};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::thread;

/// An autoconfig server in the clear on loopback, for as long as the test runs; gives the address of its file.
fn autoconfig(servers: &Servers) -> String {
    let server = |tag: &str, kind: &str, port: u16| {
        format!(
            "<{tag} type=\"{kind}\"><hostname>{}</hostname><port>{port}</port><socketType>SSL</socketType>\
             <username>%EMAILADDRESS%</username><authentication>password-cleartext</authentication></{tag}>",
            servers.host()
        )
    };
    let file = format!(
        "<clientConfig version=\"1.1\"><emailProvider id=\"example.org\"><displayName>Example Mail</displayName>{}{}\
         </emailProvider></clientConfig>",
        server("incomingServer", "imap", servers.imaps_port()),
        server("outgoingServer", "smtp", servers.smtps_port()),
    );
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answer = move |mut stream: TcpStream| {
        let mut asked = [0; 4096];
        let length = stream.read(&mut asked).unwrap_or_default();
        let (status, body) = match asked[..length].starts_with(b"GET /mail/config-v1.1.xml ") {
            true => ("200 OK", file.as_str()),
            false => ("404 Not Found", ""),
        };
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
        let _ = stream.write_all((head + body).as_bytes());
    };
    thread::spawn(move || listener.incoming().flatten().for_each(answer));
    format!("http://{address}/mail/config-v1.1.xml")
}

/// The options of a script.
fn script(servers: &Servers, url: &str) -> Vec<String> {
    let words = [
        "init",
        "--name",
        "Quillfeather, Ann",
        "--email",
        PLAYER,
        "--timezone",
        "Europe/Stockholm",
        "--password-stdin",
    ];
    let mut args: Vec<String> = words.map(str::to_owned).into();
    args.extend(["--autoconfig".to_owned(), url.to_owned()]);
    args.extend(["--ca-file".to_owned(), servers.ca_file().display().to_string()]);
    args
}

fn strs(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

fn mode(path: &std::path::Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_name_and_an_address_become_a_configuration_that_works() {
    let servers = Servers::start();
    let player = Player::new_to_it(&servers);
    for number in 1..=4 {
        let mail = format!(
            "Received: from elsewhere.example.com by mx.example.org with ESMTPS; Sat, 28 Nov 2026 10:00:0{number} +0000\r\n\
             Authentication-Results: mx.example.org; dkim=pass header.d=example.org\r\n\
             Received: from a.example.com by elsewhere.example.com; Sat, 28 Nov 2026 10:00:00 +0000\r\n\
             From: harriet@example.org\r\nSubject: {number}\r\n\r\nhello\r\n"
        );
        servers.save(PLAYER, "INBOX", mail.as_bytes());
    }
    let before = servers.snapshot(PLAYER).mails;
    let args = script(&servers, &autoconfig(&servers));
    let args = strs(&args);

    // without a word of consent it is proposed, and nothing is written
    let proposed = player.amici_with(&args, servers.password(PLAYER), &[]);
    assert_eq!(proposed.code, 6, "{proposed:?}");
    for part in
        ["config.toml, mode 0600", "authserv_id = \"mx.example.org\"", "say the same with --yes", "ok      imap"]
    {
        assert!(proposed.err.contains(part), "{part} in {}", proposed.err);
    }
    assert!(!player.file("config.toml").exists() && !player.file("password").exists());

    let done = player.amici_with(&[&args[..], &["--yes"]].concat(), servers.password(PLAYER), &[]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(!(done.out + &done.err).contains(servers.password(PLAYER)));
    let text = fs::read_to_string(player.file("config.toml")).unwrap();
    for line in [
        "name = \"Quillfeather, Ann\"                  # as the tournament director writes you",
        "authserv_id = \"mx.example.org\"",
        "# How notices and drafts reach you.",
        "#: folders = [\"INBOX\"]                   # folders that are read",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in {text}");
    }
    assert!(text.contains(&format!("port = {} ", servers.imaps_port())), "{text}");
    assert!(!text.contains(servers.password(PLAYER)), "{text}");
    assert_eq!((mode(&player.file("config.toml")), mode(&player.file("password"))), (0o600, 0o600));

    // it works, and nothing was changed in the mailbox
    let checked = player.ok(&["check"]);
    assert!(checked.contains("ok      sent         Sent, read for what you really sent"), "{checked}");
    player.ok(&["poll"]);
    assert_eq!(servers.snapshot(PLAYER).mails, before);

    // a second run finds it as it should be, and changes what is said otherwise
    let again = player.ok(&["init", "--yes"]);
    assert!(again.contains("is right as it is; nothing was changed"), "{again}");
    player.ok(&["init", "--yes", "--name", "Ann Quillfeather"]);
    let changed = fs::read_to_string(player.file("config.toml")).unwrap();
    assert_eq!(changed, text.replace("Quillfeather, Ann\"", "Ann Quillfeather\""));

    // what was configured by hand stays: the other server may have a password of its own
    let other = player.file("other");
    fs::copy(player.file("password"), &other).unwrap();
    let (imap, smtp) = changed.split_once("[smtp]").unwrap();
    let by_hand = format!("{imap}[smtp]{}", smtp.replace("/password\"", "/other\""));
    fs::write(player.file("config.toml"), &by_hand).unwrap();
    player.ok(&["init", "--yes", "--name", "Quillfeather, Ann"]);
    let kept = fs::read_to_string(player.file("config.toml")).unwrap();
    assert_eq!(kept, by_hand.replace("Ann Quillfeather\"", "Quillfeather, Ann\""));
}

#[test]
fn a_refused_password_and_an_unreached_server_leave_nothing_behind() {
    let servers = Servers::start();
    let player = Player::new_to_it(&servers);
    let url = autoconfig(&servers);
    let args = script(&servers, &url);
    let refused = player.amici_with(&[&strs(&args)[..], &["--yes"]].concat(), WRONG_PASSWORD, &[]);
    assert_eq!(refused.code, 7, "{refused:?}");
    assert!(
        refused.err.contains("refused the login") && refused.err.contains("nothing was written"),
        "{}",
        refused.err
    );
    let wrong = url.replace("config-v1.1", "other");
    let elsewhere = script(&servers, &wrong);
    let missing = player.amici_with(&[&strs(&elsewhere)[..], &["--yes"]].concat(), servers.password(PLAYER), &[]);
    assert_eq!(missing.code, 7, "{missing:?}");
    assert!(
        missing.err.contains(&format!("there is no autoconfig at {wrong}: the server answers 404")),
        "{}",
        missing.err
    );
    assert!(!player.file("config.toml").exists() && !player.file("password").exists());
}

#[test]
fn named_servers_and_a_password_store_do_without_any_search() {
    let servers = Servers::start();
    let player = Player::new_to_it(&servers);
    // stands in for the real one, which wants a key: keeps what comes in, and prints it again
    let bin = player.file("bin");
    fs::create_dir(&bin).unwrap();
    let kept = player.file("kept");
    let stand_in = format!("#!/bin/sh\ncase $1 in insert) cat > {0};; show) cat {0};; esac\n", kept.display());
    fs::write(bin.join("pass"), stand_in).unwrap();
    fs::set_permissions(bin.join("pass"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let (imap, smtp) =
        (servers.socket(servers.imaps_port()).to_string(), servers.socket(servers.starttls_port()).to_string());
    let ca = servers.ca_file().display().to_string();
    let args = [
        &["init", "--yes", "--email", HARRIET, "--imap", &imap, "--smtp", &smtp, "--starttls", "--ca-file", &ca][..],
        &["--password-stdin", "--store", "pass", "--drafts"],
    ]
    .concat();
    let path = [("PATH", path)];
    let done = player.amici_with(&args, servers.password(HARRIET), &path);
    assert_eq!(done.code, 0, "{done:?}");
    let text = fs::read_to_string(player.file("config.toml")).unwrap();
    let command = format!("password.command = [\"pass\", \"show\", \"amici/{HARRIET}\"]");
    assert_eq!(text.lines().filter(|line| line.starts_with(&command)).count(), 2, "{text}");
    assert!(text.contains("name = \"Harriet\"") && text.contains("security = \"starttls\""), "{text}");
    assert_eq!(fs::read_to_string(kept).unwrap(), servers.password(HARRIET));
    let checked = player.amici_with(&["check"], "", &path);
    assert!(checked.code == 0 && checked.out.contains("ok      drafts       Drafts"), "{checked:?}");
}
