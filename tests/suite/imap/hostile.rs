//! Forty servers that mean harm, twenty of each protocol, against the program itself: it ends with a clear error in bounded memory.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::server::{CERTIFICATE, proper_answer};
use crate::cli::Player;
use crate::intake::ME;

/// The most memory that the program may have had at once, in KiB.
const MOST: u64 = 64 << 10;
/// Bytes that a server sends before it gives up: more than the program may have in memory.
const FLOOD: usize = 96 << 20;

/// What a server does in the place of the proper answer to a command that begins so; to `""` instead of a greeting.
#[derive(Debug, Clone, Copy)]
struct Attack {
    at: &'static str,
    first: &'static str,
    /// Comes again and again behind it.
    then: &'static str,
}

const fn attack(at: &'static str, first: &'static str, then: &'static str) -> Attack {
    Attack { at, first, then }
}

const IMAP: [Attack; 20] = [
    attack("", "* OK ", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
    attack("", "* OK [", "["),
    attack("UID SEARCH", "* SEARCH", " 4294967295"),
    attack("EXAMINE", "* OK [PERMANENTFLAGS (", "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("),
    attack("", "", "* OK still here\r\n"),
    attack("", "* PREAUTH ((((((((((((((((((((((((((((((((((((((((((((\r\n", ""),
    attack("", "\0\u{1}\u{2}\u{fffd}\r\n", "\0"),
    attack("LOGIN", "", "* CAPABILITY IMAP4rev1 AUTH=X AUTH=Y AUTH=Z\r\n"),
    attack("LOGIN", "+ more\r\n", "+ more\r\n"),
    attack("LOGIN", "$ NO {99999999999999999999}\r\n", "x"),
    attack("LIST", "", "* LIST () \"/\" \"a folder\"\r\n"),
    attack("LIST", "* LIST () \"/\" {4294967295}\r\n", "xxxxxxxxxxxxxxxx"),
    attack("LIST", "* LIST (", "\\Marked "),
    attack("EXAMINE", "* 4294967295 EXISTS\r\n* OK [UIDVALIDITY 7]\r\n* OK [UIDNEXT 4294967295]\r\n$ OK\r\n", ""),
    attack("EXAMINE", "* 3 EXISTS\r\n* OK [UIDVALIDITY 0]\r\n* OK [UIDNEXT 0]\r\n$ OK\r\n", ""),
    attack("UID SEARCH", "", "* SEARCH 1 2 3\r\n"),
    attack("UID FETCH", "", "* 1 FETCH (UID 1 RFC822.SIZE 1)\r\n"),
    attack("UID FETCH", "* 1 FETCH (UID 1 BODY[] {4294967290}\r\n", "From: a@example.org\r\n"),
    attack("UID FETCH", "* 1 FETCH (BODYSTRUCTURE ", "((((((((((((((((((((((((((((((((((((((((("),
    attack("UID FETCH", "* BYE gone\r\n$ BAD\r\n* BYE\r\n", "* BYE\r\n"),
];

const SMTP: [Attack; 20] = [
    attack("", "220 ", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
    attack("", "", "220-welcome\r\n"),
    attack("", "\0\u{1}\u{fffd}\r\n", "\0"),
    attack("", "999 what\r\n", ""),
    attack("", "220 a\r\n250 b\r\n", "250 c\r\n"),
    attack("", "22", "0"),
    attack("EHLO", "", "250-AUTH PLAIN\r\n"),
    attack("EHLO", "250-SIZE 99999999999999999999999999\r\n250 AUTH PLAIN LOGIN\r\n", ""),
    attack("EHLO", "250 AUTH ", "PLAIN "),
    attack("EHLO", "250-", "\u{1b}[2J\u{202e}"),
    attack("EHLO", "500 no\r\n", "500 no\r\n"),
    attack("AUTH", "334 \r\n", "334 \r\n"),
    attack("AUTH", "", "334 more\r\n"),
    attack("AUTH", "235-", "ok "),
    attack("AUTH", "535 ", "xxxxxxxxxxxxxxxxxxxxxxxxx"),
    attack("MAIL", "", "250-yes\r\n"),
    attack("RCPT", "250 yes\r\n354 go\r\n250 done\r\n", "250 done\r\n"),
    attack("RCPT", "550-", "\0\0\0\0\0\0\0\0"),
    attack("DATA", "", "354-go\r\n"),
    attack("DATA", "354 go\r\n", "250 ok\r\n"),
];

/// Answers connections until the test ends.
async fn serve(attack: Option<Attack>, proper: fn(&str) -> String) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let acceptor = TlsAcceptor::from(CERTIFICATE.server_config());
    tokio::spawn(async move {
        while let Ok((tcp, _)) = listener.accept().await {
            // whoever is attacked hangs up
            tokio::spawn(talk(tcp, acceptor.clone(), attack, proper));
        }
    });
    port
}

async fn talk(
    tcp: TcpStream,
    acceptor: TlsAcceptor,
    attack: Option<Attack>,
    proper: fn(&str) -> String,
) -> std::io::Result<()> {
    let mut stream = BufReader::new(acceptor.accept(tcp).await?);
    let (mut tag, mut line) = (String::new(), String::new());
    loop {
        let hits = |attack: &Attack| {
            line.to_ascii_uppercase().starts_with(attack.at) && (line.is_empty() == attack.at.is_empty())
        };
        if let Some(attack) = attack.filter(hits) {
            stream.write_all(attack.first.replace('$', &tag).as_bytes()).await?;
            let chunk = attack.then.repeat(16_384 / attack.then.len().max(1) + 1);
            let chunks = FLOOD.checked_div(chunk.len()).unwrap_or(0);
            for _ in 0..chunks {
                stream.write_all(chunk.as_bytes()).await?;
            }
            stream.flush().await?;
        } else {
            stream.write_all(proper(&line).replace('$', &tag).replace("<EOF>", "").as_bytes()).await?;
            stream.flush().await?;
        }
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        line = line.trim_end().to_owned();
        if let Some((first, rest)) = line.clone().split_once(' ')
            && first.starts_with('A')
            && first.bytes().skip(1).all(|byte| byte.is_ascii_digit())
            && first.len() > 1
        {
            (tag, line) = (first.to_owned(), rest.to_owned());
        }
    }
}

fn proper_imap(line: &str) -> String {
    if line.is_empty() { "* OK ready\r\n".to_owned() } else { proper_answer(line) }
}

fn proper_smtp(line: &str) -> String {
    let answer = match line.get(..4).unwrap_or(line).to_ascii_uppercase().as_str() {
        "" => "220 mail.example.org",
        "EHLO" => "250-mail.example.org\r\n250 AUTH PLAIN LOGIN",
        "AUTH" => "235 ok",
        "MAIL" | "RCPT" | "RSET" | "NOOP" | "." => "250 ok",
        "DATA" => "354 go",
        "QUIT" => "221 bye",
        _ => return String::new(),
    };
    format!("{answer}\r\n")
}

/// Runs one command to its end: its exit code, what it said, and the most memory it had.
async fn measured(player: &Player, args: &[&str]) -> (Option<i32>, String, u64) {
    let mut command = player.command();
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = tokio::process::Command::from(command).kill_on_drop(true).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id().unwrap());
    let peak = Arc::new(std::sync::atomic::AtomicU64::new(0));
    let seen = peak.clone();
    let watch = tokio::spawn(async move {
        while let Ok(text) = std::fs::read_to_string(&status) {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kib = line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0);
            seen.fetch_max(kib, std::sync::atomic::Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    let output = child.wait_with_output().await.unwrap();
    watch.abort();
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    (output.status.code(), said, peak.load(std::sync::atomic::Ordering::Relaxed))
}

async fn attacked(imap: Option<Attack>, smtp: Option<Attack>) -> Result<(), String> {
    let (imap_port, smtp_port) = (serve(imap, proper_imap).await, serve(smtp, proper_smtp).await);
    let player = Player::with_sample();
    let pin: String = CERTIFICATE.pin().iter().map(|byte| format!("{byte:02x}")).collect();
    let server = |port: u16| {
        format!(
            "host = \"127.0.0.1\"\nport = {port}\nuser = \"player\"\npassword.command = [\"echo\", \"x\"]\npin_sha256 = \"{pin}\"\n"
        )
    };
    let sent = "[sent]\nfolder = \"off\"\n";
    player.configure(&format!("{ME}{sent}[imap]\n{}[smtp]\n{}", server(imap_port), server(smtp_port)));
    // a letter waits, so that the outlet is used
    player.run(&["play", "SAMPLE-1", "2836", "--yes"]);
    let (code, said, peak) = measured(&player, &["poll"]).await;
    let is_clear = !said.contains("panicked") && !said.contains(['\u{1b}', '\u{202e}']);
    if code.is_none() || !is_clear || peak > MOST {
        return Err(format!("exit {code:?}, {peak} KiB: {said}"));
    }
    let verify = player.run(&["verify"]);
    (verify.code == 0).then_some(()).ok_or(verify.out)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forty_servers_that_mean_harm_end_no_program_and_fill_no_memory() {
    assert_eq!(attacked(None, None).await, Ok(()), "proper servers");
    let imap = IMAP.into_iter().map(|attack| (Some(attack), None));
    let mut wrong = Vec::new();
    for (imap, smtp) in imap.chain(SMTP.into_iter().map(|attack| (None, Some(attack)))) {
        if let Err(why) = attacked(imap, smtp).await {
            wrong.push(format!("{imap:?} {smtp:?}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{} of 40:\n{}", wrong.len(), wrong.join("\n"));
}
