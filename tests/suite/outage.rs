//! One server, one outage: what a submission server in trouble is asked, counted by itself, and what becomes of the mails that wait.

use std::io::Read;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use amici::config::Config;
use amici::daemon::{Daemon, RoundReport, delay};
use amici::delivery::Fate;
use amici::io::store::{OutboxState, Store};
use chrono::{TimeDelta, Utc};
use flate2::Compression;
use flate2::read::ZlibEncoder;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::intake::{ME, ROOT, sample};
use super::smtp::certificate;

/// What the server has seen.
#[derive(Debug, Default)]
struct Seen {
    connections: usize,
    logins: usize,
    /// The subjects of the mails that it took, in their order.
    taken: Vec<String>,
}

/// What the server answers to a command, where that is not the usual: by the command, the mails taken on this connection, and all so far.
type Odd = fn(&str, usize) -> Option<&'static str>;

/// A server that takes one connection after the other, and the player whose mails go out by it.
struct Scene {
    dir: TempDir,
    port: u16,
    pin: String,
    seen: Arc<Mutex<Seen>>,
    odd: Arc<Mutex<Odd>>,
}

impl Scene {
    async fn new(odd: Odd) -> Scene {
        let certificate = certificate("localhost", 2100);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (seen, odd) = (Arc::new(Mutex::new(Seen::default())), Arc::new(Mutex::new(odd)));
        let (shared, script) = (Arc::clone(&seen), Arc::clone(&odd));
        let pin = certificate.pin();
        tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                shared.lock().unwrap().connections += 1;
                let (acceptor, seen, odd) =
                    (certificate.acceptor.clone(), Arc::clone(&shared), *script.lock().unwrap());
                tokio::spawn(async move {
                    let stream = acceptor.accept(tcp).await?;
                    talk(BufReader::new(stream), &seen, odd).await
                });
            }
        });
        let dir = TempDir::new().unwrap();
        let scene = Scene { dir, port, pin, seen, odd };
        scene.store().await.import(&[(sample(12), ROOT.to_owned())], false, Utc::now()).await.unwrap();
        scene
    }

    async fn store(&self) -> Store {
        Store::open(self.dir.path()).await.unwrap()
    }

    fn config(&self) -> Config {
        let server = format!(
            "host = \"localhost\"\nport = {}\nuser = \"tobin\"\npassword.command = [\"echo\", \"x\"]\npin_sha256 = \"{}\"\n",
            self.port, self.pin
        );
        Config::parse(&format!("{ME}[imap]\n{server}[smtp]\n{server}")).unwrap()
    }

    async fn deliver(&self) -> RoundReport {
        let config = self.config();
        let mail = config.mail.clone().unwrap();
        let store = self.store().await;
        let daemon = Daemon::new(config, mail, store, "here".to_owned(), CancellationToken::new()).await;
        daemon.unwrap().deliver_now(false).await.unwrap()
    }

    async fn sql(&self, sql: String) {
        let options = SqliteConnectOptions::new().filename(self.dir.path().join("amici.db"));
        options.connect().await.unwrap().execute(AssertSqlSafe(sql)).await.unwrap();
    }

    /// Puts out a mail, of the one game or of none.
    async fn put(&self, number: usize, of_game: bool) {
        let game = if of_game { "(SELECT id FROM games)" } else { "NULL" };
        let at = (Utc::now() - TimeDelta::minutes(10)).to_rfc3339();
        // as letters are kept
        let mut bytes = Vec::new();
        let mail = format!("Subject: {number}\r\n\r\n");
        ZlibEncoder::new(mail.as_bytes(), Compression::default()).read_to_end(&mut bytes).unwrap();
        let bytes: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        self.sql(format!(
            "INSERT INTO outbox (kind, game, message_id, recipient, bytes, state, attempts, created_at) VALUES
             ('notice', {game}, '<{number}@example.net>', 'to{number}@example.net', X'{bytes}', 'queued', 0, '{at}')"
        ))
        .await;
    }

    /// The end of every back-off.
    async fn later(&self) {
        self.sql("UPDATE outages SET until = since".to_owned()).await;
        self.sql("UPDATE outbox SET next_attempt_at = NULL".to_owned()).await;
    }

    fn seen(&self) -> (usize, usize, usize) {
        let seen = self.seen.lock().unwrap();
        (seen.connections, seen.logins, seen.taken.len())
    }

    fn taken(&self) -> Vec<String> {
        self.seen.lock().unwrap().taken.clone()
    }
}

async fn talk<S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin>(
    mut stream: BufReader<S>,
    seen: &Mutex<Seen>,
    odd: Odd,
) -> std::io::Result<()> {
    let mut here = 0;
    let mut command = "connect".to_owned();
    loop {
        let usual = match command.get(..4).unwrap_or_default() {
            "conn" => "220 mail.example.org\r\n",
            "EHLO" => "250-mail.example.org\r\n250 AUTH PLAIN\r\n",
            "AUTH" => {
                seen.lock().unwrap().logins += 1;
                "235 2.7.0 welcome\r\n"
            }
            "DATA" => "354 go ahead\r\n",
            "QUIT" => return stream.shutdown().await,
            _ => "250 2.0.0 fine\r\n",
        };
        let said = odd(&command, here);
        stream.write_all(said.unwrap_or(usual).as_bytes()).await?;
        stream.flush().await?;
        if said.is_some_and(|said| said.starts_with("421")) {
            return stream.shutdown().await;
        }
        if command.starts_with("DATA") && said.is_none() {
            let mut mail = String::new();
            while !mail.ends_with("\r\n.\r\n") {
                if stream.read_line(&mut mail).await? == 0 {
                    return Ok(());
                }
            }
            here += 1;
            seen.lock().unwrap().taken.push(mail.lines().next().unwrap().replace("Subject: ", ""));
            stream.write_all(b"250 2.0.0 queued\r\n").await?;
        }
        command.clear();
        if stream.read_line(&mut command).await? == 0 {
            return Ok(());
        }
    }
}

#[tokio::test]
async fn all_that_waits_goes_out_by_one_login_in_its_order() {
    let scene = Scene::new(|_, _| None).await;
    for number in 0..30 {
        scene.put(number, number % 3 == 0).await;
    }
    let report = scene.deliver().await;
    assert!(report.delivered.iter().all(|(_, fate)| *fate == Fate::Sent), "{report:?}");
    assert_eq!(scene.seen(), (1, 1, 30));
    assert_eq!(scene.taken(), (0..30).map(|number| number.to_string()).collect::<Vec<_>>());
    assert_eq!(report.delivery_trouble, None);
}

#[tokio::test]
async fn a_login_that_is_put_off_is_tried_once_for_all_mails_and_twelve_times_in_an_hour() {
    let scene =
        Scene::new(|command, _| command.starts_with("AUTH").then_some("454 4.7.0 too many login attempts\r\n")).await;
    for number in 0..20 {
        scene.put(number, false).await;
    }
    for _ in 0..5 {
        let report = scene.deliver().await;
        assert!(report.delivered.is_empty() && report.delivery_trouble.unwrap().contains("454"));
    }
    assert_eq!(scene.seen(), (1, 1, 0), "it is left alone, also by a program that was started anew");
    for _ in 0..20 {
        scene.later().await;
        scene.deliver().await;
    }
    assert_eq!(scene.seen(), (12, 12, 0));
    let rows = scene.store().await.unsent().await.unwrap();
    assert!(rows.iter().all(|row| row.state == OutboxState::Queued && row.attempts == 0), "no mail is at fault");
    *scene.odd.lock().unwrap() = |_, _| None;
    scene.sql("DELETE FROM logins".to_owned()).await;
    scene.later().await;
    scene.deliver().await;
    assert_eq!(scene.seen(), (13, 13, 20));
}

#[tokio::test]
async fn a_server_that_takes_one_mail_and_goes_away_is_asked_once_for_each_back_off() {
    let scene = Scene::new(|command, here| {
        (here == 1 && command.starts_with("MAIL")).then_some("421 4.7.0 too many mails on this connection\r\n")
    })
    .await;
    for number in 0..100 {
        scene.put(number, true).await;
    }
    for _ in 0..5 {
        scene.deliver().await;
    }
    assert_eq!(scene.seen(), (1, 1, 1));
    scene.later().await;
    scene.deliver().await;
    assert_eq!(scene.seen(), (2, 2, 2));
    assert_eq!(scene.taken(), ["0", "1"], "none overtakes another");
}

#[tokio::test]
async fn what_waits_is_known_with_its_reason_and_since_when() {
    let scene = Scene::new(|command, _| command.starts_with("conn").then_some("421 4.3.2 closed for today\r\n")).await;
    let mail = scene.config().mail.unwrap();
    let known = async || delay(&mut scene.store().await, &mail, Utc::now()).await.unwrap();
    scene.put(0, true).await;
    assert_eq!(known().await, None, "it waits for its turn");
    scene.deliver().await;
    let once = known().await.unwrap();
    assert!(!once.is_outage && once.mails == 1 && once.why.contains("closed for today"), "{once}");
    assert!(Utc::now() - once.since >= TimeDelta::minutes(10));
    scene.later().await;
    scene.deliver().await;
    assert!(known().await.unwrap().is_outage);
    assert_eq!(scene.seen().1, 0);
    *scene.odd.lock().unwrap() = |_, _| None;
    scene.later().await;
    scene.deliver().await;
    assert_eq!((known().await, scene.taken().len()), (None, 1));
}

#[tokio::test]
async fn a_refused_login_is_tried_three_times_and_then_never() {
    let scene = Scene::new(|command, _| command.starts_with("AUTH").then_some("535 5.7.8 wrong\r\n")).await;
    scene.put(0, true).await;
    for _ in 0..6 {
        scene.later().await;
        scene.deliver().await;
    }
    assert_eq!(scene.seen(), (3, 3, 0));
    let mail = scene.config().mail.unwrap();
    let known = delay(&mut scene.store().await, &mail, Utc::now()).await.unwrap().unwrap();
    assert!(known.is_outage && known.why.contains("amici check"), "{known}");
}

#[tokio::test]
async fn a_mail_that_is_refused_for_now_holds_back_its_own_game_and_nobody_else() {
    let scene =
        Scene::new(|command, _| command.starts_with("RCPT TO:<to0@").then_some("451 4.2.0 greylisted\r\n")).await;
    for (number, of_game) in [(0, true), (1, true), (2, false), (3, true)] {
        scene.put(number, of_game).await;
    }
    let report = scene.deliver().await;
    assert!(matches!(report.delivered.as_slice(), [(_, Fate::Later(_)), (_, Fate::Sent)]), "{report:?}");
    assert_eq!((scene.seen(), scene.taken()), ((1, 1, 1), vec!["2".to_owned()]));
    scene.deliver().await;
    assert_eq!(scene.seen(), (1, 1, 1), "nothing is due");
    *scene.odd.lock().unwrap() = |_, _| None;
    scene.later().await;
    scene.deliver().await;
    assert_eq!(scene.taken(), ["2", "0", "1", "3"]);
}

#[tokio::test]
async fn a_mail_to_a_full_mailbox_is_tried_for_five_days_and_another_refusal_is_final() {
    let scene = Scene::new(|command, _| match command {
        full if full.starts_with("RCPT TO:<to0@") => Some("550 5.2.2 quota exceeded\r\n"),
        full if full.starts_with("RCPT TO:<to1@") => Some("552 mailbox full\r\n"),
        never if never.starts_with("RCPT TO:<to2@") => Some("550 5.1.1 no such user\r\n"),
        large if large.starts_with("RCPT TO:<to3@") => Some("552 5.3.4 message too big\r\n"),
        _ => None,
    })
    .await;
    for number in 0..5 {
        scene.put(number, false).await;
    }
    scene.deliver().await;
    let states = async || -> Vec<OutboxState> {
        scene.store().await.unsent().await.unwrap().iter().map(|row| row.state).collect()
    };
    let (queued, failed) = (OutboxState::Queued, OutboxState::Failed);
    assert_eq!(states().await, [queued, queued, failed, failed]);
    assert_eq!((scene.seen(), scene.taken()), ((1, 1, 1), vec!["4".to_owned()]));
    for day in 1..=6 {
        let at = (Utc::now() - TimeDelta::days(day)).to_rfc3339();
        scene.sql(format!("UPDATE outbox SET created_at = '{at}', attempts = attempts + 20")).await;
        scene.later().await;
        scene.deliver().await;
        let expected = if day < 5 { queued } else { failed };
        assert_eq!(states().await, [expected, expected, failed, failed], "day {day}");
    }
    *scene.odd.lock().unwrap() = |_, _| None;
    assert_eq!(scene.store().await.deliver_again().await.unwrap(), 4);
    scene.deliver().await;
    assert_eq!(scene.taken(), ["4", "0", "1", "2", "3"]);
}
