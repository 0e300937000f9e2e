//! Before and at the login: who gets a password, and what becomes of it.

use std::fs;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::process::Stdio;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use amici::io::Class;
use amici::io::imap::{ImapError, Mailbox};
use secrecy::SecretString;

use super::super::cli::Player;
use super::super::intake::ME;
use super::server::{CERTIFICATE, GREETING, PASSWORD, Script, Server};

/// The part of the password that no quoting changes.
const CANARY: &str = "canary-Zq7";

async fn refused(greeting: &str, script: Script<'_>) -> (ImapError, String) {
    let mut server = Server::start(greeting, script).await;
    if [greeting].iter().chain(script.iter().flat_map(|(_, answers)| *answers)).any(|text| text.contains("<SILENCE>")) {
        server.account.limits.login = Duration::from_secs(2);
    }
    let error = Mailbox::open(&server.account, &SecretString::from(PASSWORD)).await.unwrap_err();
    (error, server.received())
}

#[tokio::test]
async fn a_server_that_greets_wrongly_gets_no_byte() {
    for (greeting, expected, class) in [
        ("* PREAUTH welcome", "lets anybody in", Class::Stop),
        ("* OK [CAPABILITY IMAP4rev1 logindisabled] hi", "takes no login by password", Class::Stop),
        (
            "* BYE [UNAVAILABLE] too busy",
            "ended the connection during the greeting: [UNAVAILABLE] too busy",
            Class::Retry,
        ),
        ("* NO", "makes no sense", Class::Retry),
        ("220 mail.example.org ESMTP", "makes no sense", Class::Retry),
        ("HTTP/1.1 400 Bad Request", "makes no sense", Class::Retry),
        ("* OK [ALERT]é", "connection was lost during", Class::Retry),
        ("<EOF>", "connection was lost during the greeting", Class::Retry),
        ("* OK half<EOF>", "connection was lost during the greeting", Class::Retry),
        ("<SILENCE>", "did not finish the greeting", Class::Retry),
    ] {
        let (error, received) = refused(greeting, &[]).await;
        assert!(error.to_string().contains(expected), "{greeting}: {error}");
        assert_eq!(error.class(), class, "{greeting}");
        assert_eq!(received, "", "{greeting}");
    }
}

#[tokio::test]
async fn a_refused_login_waits_for_the_player_and_a_busy_server_does_not() {
    for (answer, expected, class) in [
        ("$ NO [AUTHENTICATIONFAILED] wrong", "refused the login of player: [AUTHENTICATIONFAILED] wrong", Class::Stop),
        ("$ NO LOGIN failed.", "refused the login of player: LOGIN failed.", Class::Stop),
        ("$ NO [ALERT] Application-specific password required", "Application-specific", Class::Stop),
        ("$ NO UNAVAILABLE is only a word here", "refused the login of player", Class::Stop),
        ("$ NO [UNAVAILABLE] later", "refused LOGIN: [UNAVAILABLE] later", Class::Retry),
        ("$ NO [inuse] later", "refused LOGIN", Class::Retry),
        ("$ NO [LIMIT] later", "refused LOGIN", Class::Retry),
        ("$ NO [SERVERBUG] later", "refused LOGIN", Class::Retry),
        ("$ BAD what?", "did not understand LOGIN: what?", Class::Retry),
        ("* BYE too many\r\n<EOF>", "ended the connection during LOGIN: too many", Class::Retry),
        ("<EOF>", "lost during LOGIN", Class::Retry),
        ("<SILENCE>", "did not finish LOGIN", Class::Retry),
    ] {
        let (error, _) = refused(GREETING, &[("LOGIN", &[answer])]).await;
        assert!(error.to_string().contains(expected), "{answer}: {error}");
        assert_eq!(error.class(), class, "{answer}");
    }
}

#[tokio::test]
async fn a_password_of_any_characters_arrives_as_it_is() {
    let mut server = Server::start(GREETING, &[("pässwörd\u{1}", &["A1 OK in"]), ("LOGIN", &["+ go on"])]).await;
    server.account.user = "me \"I\"".to_owned();
    Mailbox::open(&server.account, &SecretString::from("pässwörd\u{1}")).await.unwrap();
    assert!(
        server.received().starts_with("A1 LOGIN \"me \\\"I\\\"\" {11}\r\npässwörd\u{1}\r\n"),
        "{}",
        server.received()
    );
}

struct Capture(Mutex<String>);

impl log::Log for Capture {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        self.0.lock().unwrap().push_str(&format!("{} {}\n", record.target(), record.args()));
    }

    fn flush(&self) {}
}

static LOGGED: Capture = Capture(Mutex::new(String::new()));

#[tokio::test]
async fn no_log_and_no_error_holds_the_password() {
    log::set_logger(&LOGGED).expect("this is the only logger of the test program");
    log::set_max_level(log::LevelFilter::Trace);
    log::debug!("the capture works");
    let echo = format!("$ NO cannot do LOGIN player {PASSWORD}");
    let bye = format!("* BYE LOGIN player {PASSWORD}\r\n<EOF>");
    let broken = format!("LOGIN player {PASSWORD} {{{{");
    for answer in [&echo, &bye, &broken, "$ OK in"] {
        let server = Server::start(GREETING, &[("LOGIN", &[answer])]).await;
        let outcome = Mailbox::open(&server.account, &SecretString::from(PASSWORD)).await;
        assert!(server.received().contains(CANARY), "the password was sent");
        if let Err(error) = outcome {
            for shown in [error.to_string(), format!("{error:?}")] {
                assert!(!shown.contains(CANARY), "{shown}");
            }
        }
    }
    let logged = LOGGED.0.lock().unwrap();
    assert!(logged.contains("the capture works"));
    assert!(!logged.contains(CANARY), "{logged}");
    // At trace the library would log each answer, mails included.
    assert!(log::STATIC_MAX_LEVEL <= log::LevelFilter::Debug);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_forgets_the_password_as_soon_as_it_has_logged_in() {
    let server = Server::start(GREETING, &[]).await;
    let player = Player::new();
    let pin: String = CERTIFICATE.pin().iter().map(|byte| format!("{byte:02x}")).collect();
    let password = player.file("password", PASSWORD);
    fs::set_permissions(&password, fs::Permissions::from_mode(0o600)).unwrap();
    let place =
        |port| format!("host = \"127.0.0.1\"\nport = {port}\nuser = \"tobin\"\npassword.file = \"{password}\"\n");
    let imap = format!("[imap]\n{}pin_sha256 = \"{pin}\"\n", place(server.account.port));
    player.configure(&format!("{ME}{imap}[smtp]\n{}", place(9)));
    let mut service = player.command().arg("run").stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while !server.received().contains("IDLE") && begun.elapsed() < Duration::from_secs(30) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let (received, memory) = (server.received(), memory(service.id()));
    service.kill().unwrap();
    service.wait().unwrap();
    assert!(received.contains("LOGIN \"tobin\" \"canary-Zq7\\\"\\\\w\"") && received.contains("IDLE"), "{received}");
    assert!(memory.len() > 1 << 20, "{} bytes were read", memory.len());
    assert_eq!(memchr::memmem::find(&memory, CANARY.as_bytes()), None, "it is still there");
}

/// All that a process may write to.
fn memory(process: u32) -> Vec<u8> {
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).unwrap();
    let memory = fs::File::open(format!("/proc/{process}/mem")).unwrap();
    let mut found = Vec::new();
    for line in maps.lines().filter(|line| line.split(' ').nth(1).is_some_and(|rights| rights.starts_with("rw"))) {
        let (start, end) = line.split_once(' ').unwrap().0.split_once('-').unwrap();
        let [start, end] = [start, end].map(|place| u64::from_str_radix(place, 16).unwrap());
        let mut part = vec![0; usize::try_from(end - start).unwrap()];
        // guard pages cannot be read
        if memory.read_exact_at(&mut part, start).is_ok() {
            found.extend(part);
        }
    }
    found
}
