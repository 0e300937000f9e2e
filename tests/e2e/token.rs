//! Logins by a token of OAuth2: Dovecot asks a token server of the test, Exim a file; the program gets its token from a command.

use crate::player::{Player, await_letters, game, mail};
use crate::support::{HARRIET, PLAYER, Servers};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// Says of each token whether it is good (RFC 7662): one is, until another takes its place.
#[derive(Clone, Default)]
struct Tokens {
    good: Arc<Mutex<String>>,
}

impl Tokens {
    /// Answers until the test program ends; gives the address that a token is added to.
    fn serve(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let tokens = self.clone();
        thread::spawn(move || listener.incoming().flatten().for_each(|stream| tokens.answer(stream)));
        format!("http://{address}/introspect?token=")
    }

    fn answer(&self, mut stream: TcpStream) {
        let mut asked = [0; 4096];
        let length = stream.read(&mut asked).unwrap_or_default();
        let asked = String::from_utf8_lossy(&asked[..length]).into_owned();
        let token = asked.split("token=").nth(1).and_then(|rest| rest.split([' ', '&']).next()).unwrap_or_default();
        let good = self.good.lock().unwrap().clone();
        let body = match !good.is_empty() && token == good {
            true => format!("{{\"active\": true, \"email\": \"{PLAYER}\"}}"),
            false => "{\"active\": false}".to_owned(),
        };
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";
        let _ = stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// From now on only this token is good, on both servers.
    fn set(&self, servers: &Servers, token: &str) {
        *self.good.lock().unwrap() = token.to_owned();
        servers.set_token(PLAYER, token);
    }
}

/// A player whose token is what stands in a file.
fn player(servers: &Servers) -> Player {
    let player = Player::of(servers);
    let config = player.file("config.toml");
    let text = fs::read_to_string(&config).unwrap();
    let password = format!("password.file = \"{}\"", player.file("password").display());
    let token = format!("token.command = [\"cat\", \"{}\"]", player.file("token").display());
    assert!(text.contains(&password));
    fs::write(config, text.replace(&password, &token)).unwrap();
    player
}

#[test]
fn a_move_comes_and_its_notice_goes_by_token_also_after_one_has_expired_in_the_middle() {
    let tokens = Tokens::default();
    let servers = Servers::start_with_tokens(&tokens.serve());
    let player = player(&servers);
    tokens.set(&servers, "first-token");
    fs::write(player.file("token"), "first-token\n").unwrap();
    let checked = player.ok(&["check"]);
    assert!(checked.contains(&format!("ok      imap         {} as {PLAYER}", servers.host())), "{checked}");

    player.import(&[game("G-1", HARRIET, "black", &[])]);
    let mut daemon = player.run();
    player.await_status("a look", |status| !status["last_check"].is_null());
    // the token expires while the connection is open, which the server ends; the command has a fresh one by then
    tokens.set(&servers, "second-token");
    fs::write(player.file("token"), "second-token\n").unwrap();
    servers.kick(PLAYER);
    servers.send_as(HARRIET, PLAYER, &mail(HARRIET, "h1", "G-1", "1. 5254"));
    await_letters(&servers, &player, 1);
    assert_eq!(player.moves("G-1"), ["5254"]);
    assert!(daemon.lives());
}

#[test]
fn a_refused_token_says_what_to_do_and_shows_itself_nowhere() {
    let tokens = Tokens::default();
    let servers = Servers::start_with_tokens(&tokens.serve());
    let player = player(&servers);
    tokens.set(&servers, "good-token");
    fs::write(player.file("token"), "expired-token\n").unwrap();
    let ended = player.amici(&["check"]);
    assert_eq!(ended.code, 7, "{ended:?}");
    for (server, step) in [("imap", "refused the token of"), ("smtp", "refused the token: 535")] {
        let line = ended.out.lines().find(|line| line.starts_with(&format!("FAILED  {server}"))).unwrap_or_default();
        assert!(line.contains(step), "{server} in {}", ended.out);
    }
    assert_eq!(ended.out.matches("help: run the token command by hand").count(), 2, "{}", ended.out);
    assert!(!(ended.out + &ended.err).contains("expired-token"));
}

#[test]
fn a_token_command_is_set_up_like_a_password() {
    let tokens = Tokens::default();
    let servers = Servers::start_with_tokens(&tokens.serve());
    let player = Player::new_to_it(&servers);
    tokens.set(&servers, "good-token");
    fs::write(player.file("token"), "good-token\n").unwrap();
    let (imap, smtp) =
        (servers.socket(servers.imaps_port()).to_string(), servers.socket(servers.smtps_port()).to_string());
    let (ca, command) = (servers.ca_file().display().to_string(), format!("cat '{}'", player.file("token").display()));
    let args = [
        "init",
        "--yes",
        "--email",
        PLAYER,
        "--imap",
        &imap,
        "--smtp",
        &smtp,
        "--ca-file",
        &ca,
        "--token-command",
        &command,
    ];
    player.ok(&args);
    let text = fs::read_to_string(player.file("config.toml")).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("token.command = [\"cat\", ")).count(), 2, "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("password")).count(), 0, "{text}");
    player.ok(&["check"]);
}
