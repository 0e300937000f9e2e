//! Before and at the login: who gets a password, and what becomes of it.

use std::sync::Mutex;
use std::time::Duration;

use amici::io::Class;
use amici::io::imap::{ImapError, Mailbox};
use secrecy::SecretString;

use super::server::{GREETING, PASSWORD, Script, Server};

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
