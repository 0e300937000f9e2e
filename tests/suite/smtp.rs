//! Submission against a scripted server that fails at each step in each way.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use amici::io::Class;
use amici::io::bearer::Way;
use amici::io::smtp::{Delivery, Limits, Parcel, Ready, Relay, Security, Session, SmtpError, Step, check};
use amici::io::tls::{TlsError, Trust};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use secrecy::SecretString;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;

const USER: &str = "me@example.org";
const OPPONENT: &str = "opponent@example.net";
const PASSWORD: &str = "canary-pw-91";
const BODY_CANARY: &str = "canary-body-37";
const AUTH_PLAIN: &str = "AG1lQGV4YW1wbGUub3JnAGNhbmFyeS1wdy05MQ==";
const AUTH_LOGIN_USER: &str = "bWVAZXhhbXBsZS5vcmc=";
const AUTH_LOGIN_PASSWORD: &str = "Y2FuYXJ5LXB3LTkx";
const MAIL: &[u8] = b"Subject: game\r\n\r\ncanary-body-37\r\n.\r\n..5254\r\n.end\r\n\r\n";

/// Where the script of a server may differ from the usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    Greeting,
    Ehlo,
    Auth,
    Mail,
    Rcpt,
    Data,
    Dot,
    Reset,
}

/// What it does there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Say(&'static str),
    /// Says this and hangs up.
    Leave(&'static str),
    Silence,
}

const STEPS: [At; 7] = [At::Greeting, At::Ehlo, At::Auth, At::Mail, At::Rcpt, At::Data, At::Dot];

fn usual(at: At) -> &'static str {
    match at {
        At::Greeting => "220 mail.example.org ready\r\n",
        At::Ehlo => "250-mail.example.org hello\r\n250-8BITMIME\r\n250 AUTH LOGIN PLAIN\r\n",
        At::Auth => "235 2.7.0 welcome\r\n",
        At::Mail | At::Rcpt | At::Reset => "250 2.1.0 fine\r\n",
        At::Data => "354 go ahead\r\n",
        At::Dot => "250 2.0.0 queued as 4711\r\n",
    }
}

/// What a server has seen.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Every byte, before TLS and inside it.
    bytes: Vec<u8>,
    /// The commands it understood.
    pub(crate) commands: Vec<String>,
    /// The bodies that came with their final dot, un-stuffed.
    pub(crate) mails: Vec<Vec<u8>>,
}

impl Seen {
    fn holds(&self, text: &str) -> bool {
        self.bytes.windows(text.len()).any(|part| part == text.as_bytes())
    }

    fn holds_a_credential(&self) -> bool {
        [PASSWORD, AUTH_PLAIN, AUTH_LOGIN_USER, AUTH_LOGIN_PASSWORD, "AUTH"].iter().any(|part| self.holds(part))
    }
}

type Shared = Arc<Mutex<Seen>>;

/// The dialogue of a server, with one departure from the usual, until the client hangs up.
async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    odd: Option<(At, Act)>,
    seen: Shared,
) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut at = At::Greeting;
    loop {
        match odd.filter(|(place, _)| *place == at).map(|(_, act)| act) {
            None => stream.write_all(usual(at).as_bytes()).await?,
            Some(Act::Say(words)) => stream.write_all(words.as_bytes()).await?,
            Some(Act::Leave(words)) => {
                stream.write_all(words.as_bytes()).await?;
                return stream.shutdown().await;
            }
            Some(Act::Silence) => std::future::pending().await,
        }
        stream.flush().await?;
        let refused = odd.is_some_and(|(place, _)| place == At::Data);
        if at == At::Data && !refused {
            read_mail(&mut stream, &seen).await?;
            at = At::Dot;
            continue;
        }
        let Some(command) = read_line(&mut stream, &seen).await? else {
            return Ok(());
        };
        let command = String::from_utf8(command).unwrap();
        seen.lock().unwrap().commands.push(command.trim_end().to_owned());
        at = match command.get(..4).unwrap() {
            "EHLO" => At::Ehlo,
            "AUTH" => {
                if command.trim_end() == "AUTH LOGIN" {
                    // "Name?" and "Pass?": no prompts that any client has heard of.
                    for prompt in ["334 TmFtZT8=\r\n", "334 UGFzcz8=\r\n"] {
                        stream.write_all(prompt.as_bytes()).await?;
                        stream.flush().await?;
                        let line = read_line(&mut stream, &seen).await?.unwrap();
                        let line = String::from_utf8(line).unwrap();
                        seen.lock().unwrap().commands.push(line.trim_end().to_owned());
                    }
                }
                At::Auth
            }
            "MAIL" => At::Mail,
            "RCPT" => At::Rcpt,
            "DATA" => At::Data,
            "RSET" => At::Reset,
            "QUIT" => return stream.shutdown().await,
            _ => panic!("unknown command {command}"),
        };
    }
}

async fn read_line<S: AsyncRead + Unpin>(stream: &mut BufReader<S>, seen: &Shared) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    stream.read_until(b'\n', &mut line).await?;
    seen.lock().unwrap().bytes.extend(&line);
    Ok(line.ends_with(b"\r\n").then_some(line))
}

async fn read_mail<S: AsyncRead + Unpin>(stream: &mut BufReader<S>, seen: &Shared) -> std::io::Result<()> {
    let mut mail = Vec::new();
    while let Some(line) = read_line(stream, seen).await? {
        if line == b".\r\n" {
            seen.lock().unwrap().mails.push(mail);
            return Ok(());
        }
        mail.extend(line.strip_prefix(b".").unwrap_or(&line));
    }
    Err(std::io::ErrorKind::UnexpectedEof.into())
}

/// A certificate for `name` with its authority and key, valid until the given year.
pub(crate) struct Certificate {
    authority: String,
    leaf: CertificateDer<'static>,
    pub(crate) acceptor: TlsAcceptor,
}

impl Certificate {
    /// Its fingerprint, as the configuration has it.
    pub(crate) fn pin(&self) -> String {
        Sha256::digest(&self.leaf).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

pub(crate) fn certificate(name: &str, until: i32) -> Certificate {
    let authority_key = KeyPair::generate().unwrap();
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root = authority.self_signed(&authority_key).unwrap();
    let key = KeyPair::generate().unwrap();
    let mut leaf = CertificateParams::new(vec![name.to_owned()]).unwrap();
    leaf.not_before = date_time_ymd(2000, 1, 1);
    leaf.not_after = date_time_ymd(until, 1, 1);
    let issuer = Issuer::new(authority, authority_key);
    let leaf = leaf.signed_by(&key, &issuer).unwrap().der().clone();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![leaf.clone()], PrivateKeyDer::try_from(key.serialize_der()).unwrap())
        .unwrap();
    Certificate { authority: root.pem(), leaf, acceptor: TlsAcceptor::from(Arc::new(config)) }
}

/// A server for one connection, and how to reach it.
pub(crate) struct Server {
    pub(crate) relay: Relay,
    seen: Shared,
    task: JoinHandle<std::io::Result<()>>,
}

impl Server {
    /// A server that does what `play` says, with a certificate the client trusts.
    async fn play<F>(
        security: Security,
        play: impl FnOnce(TcpStream, TlsAcceptor, Shared) -> F + Send + 'static,
    ) -> Self
    where
        F: Future<Output = std::io::Result<()>> + Send,
    {
        let certificate = certificate("localhost", 2100);
        let trust = Trust { pin_sha256: Some(Sha256::digest(&certificate.leaf).into()), ..Trust::default() };
        Self::with(security, certificate.acceptor, trust, play).await
    }

    async fn with<F>(
        security: Security,
        acceptor: TlsAcceptor,
        trust: Trust,
        play: impl FnOnce(TcpStream, TlsAcceptor, Shared) -> F + Send + 'static,
    ) -> Self
    where
        F: Future<Output = std::io::Result<()>> + Send,
    {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Shared::default();
        let shared = seen.clone();
        let task = tokio::spawn(async move {
            let (tcp, _) = listener.accept().await?;
            play(tcp, acceptor, shared).await
        });
        let relay = Relay {
            host: "localhost".to_owned(),
            port,
            security,
            user: Some(USER.to_owned()),
            way: Way::Password,
            hello: "example.org".to_owned(),
            trust,
            limits: Limits::default(),
        };
        Self { relay, seen, task }
    }

    /// A server for TLS from the first byte, with one departure from the usual dialogue.
    async fn odd(at: At, act: Act) -> Self {
        Self::implicit(Some((at, act))).await
    }

    /// A server for TLS from the first byte that takes what it is given, but for this.
    pub(crate) async fn implicit(odd: Option<(At, Act)>) -> Self {
        Self::play(Security::Implicit, move |tcp, acceptor, seen| async move {
            converse(acceptor.accept(tcp).await?, odd, seen).await
        })
        .await
    }

    async fn offer(&self, mail: &[u8]) -> Result<Ready, SmtpError> {
        offer(&self.relay, Some(&password()), USER, &[OPPONENT], mail).await
    }

    pub(crate) async fn deliver(&self, mail: &[u8]) -> Delivery {
        match self.offer(mail).await {
            Ok(ready) => send(ready).await,
            Err(error) => Delivery::NotSent(error),
        }
    }

    async fn refusal(&self) -> SmtpError {
        match self.deliver(MAIL).await {
            Delivery::NotSent(error) => error,
            other => panic!("{other:?}"),
        }
    }

    /// What the server has seen by the time the connection is gone.
    pub(crate) async fn finish(self) -> Seen {
        // How the connection ended is for the client to tell.
        let _ = self.task.await.unwrap();
        std::mem::take(&mut self.seen.lock().unwrap())
    }
}

/// One mail, up to the server's `354`.
pub(crate) async fn offer(
    relay: &Relay,
    password: Option<&SecretString>,
    from: &str,
    to: &[&str],
    mail: &[u8],
) -> Result<Ready, SmtpError> {
    let parcel = Parcel::new(from, to, mail)?;
    let session = Session::open(relay, password).await?;
    session.offer(parcel).await.map_err(|refusal| refusal.error)
}

/// Its body, and the goodbye.
async fn send(ready: Ready) -> Delivery {
    let (delivery, session) = ready.send().await;
    if let Some(session) = session {
        session.close().await;
    }
    delivery
}

pub(crate) fn password() -> SecretString {
    SecretString::from(PASSWORD)
}

/// The plaintext part of STARTTLS: the EHLO is answered with `ehlo`, STARTTLS with `go`.
async fn plaintext_part(tcp: TcpStream, ehlo: &str, go: &str, seen: &Shared) -> std::io::Result<TcpStream> {
    let mut plain = BufReader::new(tcp);
    for words in ["220 mail.example.org\r\n", ehlo] {
        plain.write_all(words.as_bytes()).await?;
        let line = read_line(&mut plain, seen).await?;
        let line = line.ok_or(std::io::ErrorKind::UnexpectedEof)?;
        let command = String::from_utf8(line).unwrap();
        seen.lock().unwrap().commands.push(command.trim_end().to_owned());
    }
    plain.write_all(go.as_bytes()).await?;
    Ok(plain.into_inner())
}

const OFFERS_STARTTLS: &str = "250-mail.example.org\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN\r\n";

/// The usual dialogue up to `354`.
async fn up_to_data<S: AsyncRead + AsyncWrite + Unpin>(stream: S, seen: &Shared) -> std::io::Result<BufReader<S>> {
    let mut stream = BufReader::new(stream);
    for at in STEPS.into_iter().take_while(|at| *at != At::Dot) {
        stream.write_all(usual(at).as_bytes()).await?;
        stream.flush().await?;
        if at != At::Data {
            read_line(&mut stream, seen).await?;
        }
    }
    Ok(stream)
}

/// In one line what came of a delivery, for tables.
fn outcome(delivery: &Delivery) -> String {
    match delivery {
        Delivery::Sent { .. } => "sent".to_owned(),
        Delivery::NotSent(error) => format!("not sent, {:?}", error.class()),
        Delivery::Unknown(error) => format!("unknown, {:?}", error.class()),
    }
}

fn assert_says_nothing_secret(error: &SmtpError) {
    let said = format!("{error} {error:?}");
    for secret in [PASSWORD, AUTH_PLAIN, AUTH_LOGIN_PASSWORD, BODY_CANARY] {
        assert!(!said.contains(secret), "{said}");
    }
}

#[tokio::test]
async fn a_failure_at_each_step_in_each_way_is_told_apart_from_a_mail_that_is_sent() {
    let temporary = Act::Say("451 4.3.0 try later\r\n");
    let permanent = Act::Say("550-5.7.1 never\r\n550 5.7.1 again\r\n");
    let hang_ups = [Act::Leave(""), Act::Leave("250-half of\r\n"), Act::Leave("250 half of")];
    let nonsense = [
        Act::Say("HTTP/1.1 400 Bad Request\r\n"),
        Act::Say("250-one\r\n550 two\r\n"),
        Act::Say("199 what\r\n"),
        Act::Say("2500 what\r\n"),
        Act::Say("\r\n"),
    ];
    let mut table = Vec::new();
    for at in STEPS {
        let refused = match at {
            At::Greeting | At::Ehlo | At::Auth => "not sent, Stop",
            At::Mail | At::Rcpt | At::Data | At::Dot | At::Reset => "not sent, SetAside",
        };
        let broken = match at {
            At::Dot => "unknown, Retry",
            _ => "not sent, Retry",
        };
        table.push((at, temporary, "not sent, Retry"));
        table.push((at, permanent, refused));
        table.push((at, Act::Silence, broken));
        table.extend(hang_ups.map(|act| (at, act, broken)));
        table.extend(nonsense.map(|act| (at, act, broken)));
        let unasked = match at {
            At::Data => Act::Say("250 fine\r\n"),
            _ => Act::Say("354 go ahead\r\n"),
        };
        table.push((at, unasked, broken));
    }
    let rows = table.len();
    assert_eq!(rows, 84);
    let mut running = JoinSet::new();
    for (at, act, expected) in table {
        running.spawn(async move {
            let mut server = Server::odd(at, act).await;
            if act == Act::Silence {
                let limits = &mut server.relay.limits;
                match at {
                    At::Dot => limits.verdict = Duration::from_millis(300),
                    _ => limits.command = Duration::from_millis(300),
                }
            }
            let delivery = server.deliver(MAIL).await;
            assert_eq!(outcome(&delivery), expected, "{at:?} {act:?} {delivery:?}");
            if let Delivery::NotSent(error) | Delivery::Unknown(error) = &delivery {
                assert_says_nothing_secret(error);
            }
            if at != At::Dot {
                assert!(!server.seen.lock().unwrap().holds(BODY_CANARY), "{at:?} {act:?}");
            }
        });
    }
    running.join_all().await;
}

#[tokio::test]
async fn the_mail_arrives_once_and_byte_for_byte() {
    let server = Server::implicit(None).await;
    let Delivery::Sent { said } = server.deliver(MAIL).await else { panic!("not sent") };
    assert_eq!(said, "2.0.0 queued as 4711");
    let seen = server.finish().await;
    assert_eq!(seen.mails, [MAIL]);
    assert_eq!(
        seen.commands,
        [
            "EHLO example.org",
            &format!("AUTH PLAIN {AUTH_PLAIN}"),
            "MAIL FROM:<me@example.org>",
            "RCPT TO:<opponent@example.net>",
            "DATA",
            "QUIT",
        ]
    );
}

#[tokio::test]
async fn a_mail_without_a_last_line_end_gets_one() {
    let server = Server::implicit(None).await;
    assert_eq!(outcome(&server.deliver(b"A: b\r\n\r\n.").await), "sent");
    assert_eq!(server.finish().await.mails, [b"A: b\r\n\r\n.\r\n"]);
}

#[tokio::test]
async fn no_byte_of_the_body_goes_out_before_send_and_none_at_all_without_it() {
    let server = Server::implicit(None).await;
    let ready = server.offer(MAIL).await.ok().unwrap();
    drop(ready);
    let seen = server.finish().await;
    assert_eq!(seen.commands.last().unwrap(), "DATA");
    assert!(seen.bytes.ends_with(b"DATA\r\n"));
}

#[tokio::test]
async fn an_acceptance_before_the_body_is_not_believed() {
    let early = Act::Say("354 go ahead\r\n250 2.0.0 queued\r\n");
    let server = Server::odd(At::Data, early).await;
    let error = server.refusal().await;
    let step = Step::Body;
    assert!(matches!(&error, SmtpError::OutOfTurn { step: s, .. } if *s == step), "{error}");
    assert!(!server.finish().await.holds(BODY_CANARY));
}

#[tokio::test]
async fn a_server_that_shuts_down_while_the_attempt_is_noted_has_not_got_the_mail() {
    for last_words in ["421 4.3.2 going down\r\n", ""] {
        let (noting, noted) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (begun, done) = (noting.clone(), noted.clone());
        let server = Server::play(Security::Implicit, move |tcp, acceptor, seen| async move {
            let mut stream = up_to_data(acceptor.accept(tcp).await?, &seen).await?;
            begun.notified().await;
            stream.write_all(last_words.as_bytes()).await?;
            stream.shutdown().await?;
            done.notify_one();
            let mut rest = Vec::new();
            stream.read_to_end(&mut rest).await?;
            seen.lock().unwrap().bytes.extend(rest);
            Ok(())
        })
        .await;
        let ready = server.offer(MAIL).await.ok().unwrap();
        noting.notify_one();
        noted.notified().await;
        // Lets the runtime learn of what has arrived, as any await on the store does.
        tokio::task::yield_now().await;
        let delivery = send(ready).await;
        assert_eq!(outcome(&delivery), "not sent, Retry", "{delivery:?}");
        assert!(!server.finish().await.holds(BODY_CANARY));
    }
}

#[tokio::test]
async fn a_server_that_stops_reading_within_the_mail_leaves_it_unknown() {
    let mut server = Server::play(Security::Implicit, |tcp, acceptor, seen| async move {
        let _stream = up_to_data(acceptor.accept(tcp).await?, &seen).await?;
        std::future::pending().await
    })
    .await;
    server.relay.limits.body = Duration::from_millis(300);
    let mail = b"0123456789012345678901234567890123456789\r\n".repeat(500_000);
    assert_eq!(outcome(&server.deliver(&mail).await), "unknown, Retry");
}

#[tokio::test]
async fn starttls_reaches_the_same_dialogue_inside_tls() {
    let server = Server::play(Security::StartTls, |tcp, acceptor, seen| async move {
        let tcp = plaintext_part(tcp, OFFERS_STARTTLS, "220 go\r\n", &seen).await?;
        let greeted = Some((At::Greeting, Act::Say("")));
        converse(acceptor.accept(tcp).await?, greeted, seen).await
    })
    .await;
    assert_eq!(outcome(&server.deliver(MAIL).await), "sent");
    let seen = server.finish().await;
    assert_eq!(seen.commands[..3], ["EHLO example.org", "STARTTLS", "EHLO example.org"]);
    assert_eq!(seen.mails, [MAIL]);
}

#[tokio::test]
async fn a_reply_injected_behind_the_answer_to_starttls_ends_it_before_the_handshake() {
    let server = Server::play(Security::StartTls, |tcp, _, seen| async move {
        let go = "220 go\r\n250-evil\r\n250 AUTH LOGIN\r\n";
        let mut tcp = plaintext_part(tcp, OFFERS_STARTTLS, go, &seen).await?;
        let mut rest = Vec::new();
        tcp.read_to_end(&mut rest).await?;
        seen.lock().unwrap().bytes.extend(rest);
        Ok(())
    })
    .await;
    let error = server.refusal().await;
    assert_eq!(error.class(), Class::Stop);
    assert_eq!(
        error.to_string(),
        "unencrypted data followed the answer of localhost to STARTTLS; someone on the way may have inserted it, \
         so the connection was given up before the login\n\
         help: use port 465 with TLS from the first byte"
    );
    let seen = server.finish().await;
    assert_eq!(seen.bytes, b"EHLO example.org\r\nSTARTTLS\r\n");
}

#[tokio::test]
async fn a_reply_injected_into_the_handshake_ends_it() {
    let server = Server::play(Security::StartTls, |tcp, _, seen| async move {
        let mut tcp = plaintext_part(tcp, OFFERS_STARTTLS, "220 go\r\n", &seen).await?;
        let mut rest = vec![tcp.read_u8().await?];
        tcp.write_all(b"250-evil\r\n250 AUTH LOGIN\r\n").await?;
        tcp.read_to_end(&mut rest).await?;
        seen.lock().unwrap().bytes.extend(rest);
        Ok(())
    })
    .await;
    let error = server.refusal().await;
    assert!(matches!(error, SmtpError::Tls(TlsError::NotTls { .. })), "{error}");
    assert!(!server.finish().await.holds_a_credential());
}

#[tokio::test]
async fn an_answer_to_starttls_before_the_question_is_not_believed() {
    let server = Server::play(Security::StartTls, |tcp, _, seen| async move {
        let ahead = "250-evil\r\n250 STARTTLS\r\n220 go\r\n";
        plaintext_part(tcp, ahead, "", &seen).await.map(drop)
    })
    .await;
    let error = server.refusal().await;
    assert!(matches!(error, SmtpError::OutOfTurn { step: Step::StartTls, .. }), "{error}");
    assert_eq!(server.finish().await.bytes, b"EHLO example.org\r\n");
}

#[tokio::test]
async fn without_an_offer_of_starttls_nothing_secret_is_sent() {
    let server = Server::play(Security::StartTls, |tcp, _, seen| async move {
        let offer = "250-mail.example.org\r\n250 AUTH PLAIN LOGIN\r\n";
        plaintext_part(tcp, offer, "", &seen).await.map(drop)
    })
    .await;
    let error = server.refusal().await;
    assert!(matches!(error, SmtpError::NoStartTls { .. }), "{error}");
    assert_eq!(error.class(), Class::Stop);
    assert_eq!(server.finish().await.bytes, b"EHLO example.org\r\n");
}

#[tokio::test]
async fn a_refusal_of_starttls_is_no_reason_to_go_on_without_it() {
    for (answer, class) in [("454 4.7.0 later\r\n", Class::Retry), ("502 no\r\n", Class::Stop)] {
        let server = Server::play(Security::StartTls, move |tcp, _, seen| async move {
            let mut tcp = plaintext_part(tcp, OFFERS_STARTTLS, answer, &seen).await?;
            let mut rest = Vec::new();
            tcp.read_to_end(&mut rest).await?;
            seen.lock().unwrap().bytes.extend(rest);
            Ok(())
        })
        .await;
        assert_eq!(server.refusal().await.class(), class);
        let seen = server.finish().await;
        assert_eq!(seen.bytes, b"EHLO example.org\r\nSTARTTLS\r\n");
    }
}

#[tokio::test]
async fn a_wrong_certificate_gets_no_credential() {
    let folder = tempfile::tempdir().unwrap();
    for security in [Security::Implicit, Security::StartTls] {
        for (name, until) in [("localhost", 2001), ("other.example.org", 2100)] {
            let certificate = certificate(name, until);
            let authority = folder.path().join("ca.pem");
            std::fs::write(&authority, &certificate.authority).unwrap();
            let trust = Trust { extra_ca: Some(authority), ..Trust::default() };
            let play = move |tcp, acceptor: TlsAcceptor, seen: Shared| async move {
                let tcp = match security {
                    Security::Implicit => tcp,
                    Security::StartTls => plaintext_part(tcp, OFFERS_STARTTLS, "220 go\r\n", &seen).await?,
                };
                converse(acceptor.accept(tcp).await?, None, seen).await
            };
            let server = Server::with(security, certificate.acceptor, trust, play).await;
            let error = server.refusal().await;
            assert!(matches!(&error, SmtpError::Tls(TlsError::Certificate { .. })), "{error}");
            assert_eq!(error.class(), Class::Stop);
            let seen = server.finish().await;
            assert!(!seen.holds_a_credential(), "{security:?} {name} {until}");
        }
    }
}

#[tokio::test]
async fn a_server_that_takes_login_only_is_given_name_and_password_whatever_it_calls_them() {
    let only_login = Act::Say("250-mail.example.org\r\n250-8bitmime\r\n250 auth CRAM-MD5 login\r\n");
    let server = Server::odd(At::Ehlo, only_login).await;
    assert_eq!(outcome(&server.deliver(MAIL).await), "sent");
    let seen = server.finish().await;
    assert_eq!(seen.commands[1..4], ["AUTH LOGIN", AUTH_LOGIN_USER, AUTH_LOGIN_PASSWORD]);
}

#[tokio::test]
async fn a_server_without_login_by_password_gets_none() {
    let server = Server::odd(At::Ehlo, Act::Say("250-x\r\n250 AUTH CRAM-MD5 XOAUTH2\r\n")).await;
    let error = server.refusal().await;
    assert!(matches!(error, SmtpError::NoLogin { .. }), "{error}");
    assert_eq!(error.class(), Class::Stop);
    assert!(!server.finish().await.holds_a_credential());
}

#[tokio::test]
async fn a_server_that_wants_a_login_first_says_so_and_waits_for_the_player() {
    let mut server = Server::odd(At::Mail, Act::Say("530 5.7.0 Authentication required\r\n")).await;
    server.relay.user = None;
    let error = server.refusal().await;
    assert_eq!(error.class(), Class::Stop);
    assert_eq!(
        error.to_string(),
        "localhost refused the sender (MAIL FROM): 530 5.7.0 Authentication required\n\
         help: the server wants a login: configure `user` and a password"
    );
}

#[tokio::test]
async fn without_a_user_there_is_no_login() {
    let mut server = Server::implicit(None).await;
    server.relay.user = None;
    assert_eq!(outcome(&server.deliver(MAIL).await), "sent");
    assert!(!server.finish().await.holds_a_credential());
}

#[tokio::test]
async fn a_server_that_repeats_the_password_is_not_quoted_with_it() {
    let plain = Act::Say(
        "535-5.7.8 you said AUTH PLAIN AG1lQGV4YW1wbGUub3JnAGNhbmFyeS1wdy05MQ==\r\n535 5.7.8 or canary-pw-91\r\n",
    );
    let app_password = "\nhelp: check `user` and the password; many providers want an app password here";
    for (at, step, help) in [(At::Auth, "login", app_password), (At::Mail, "sender (MAIL FROM)", "")] {
        let server = Server::odd(at, plain).await;
        let error = server.refusal().await;
        assert_eq!(
            error.to_string(),
            format!("localhost refused the {step}: 535 5.7.8 you said AUTH PLAIN [removed] 5.7.8 or [removed]{help}")
        );
        assert_says_nothing_secret(&error);
        assert_eq!(error.class(), Class::Stop, "535 is about the login at any step");
    }
}

#[tokio::test]
async fn the_words_of_the_server_are_cleaned_and_cut() {
    let server = Server::odd(At::Rcpt, Act::Say("550 \x1b[2Jgo\tne\u{7}\r\n")).await;
    assert_eq!(server.refusal().await.to_string(), "localhost refused the recipient (RCPT TO): 550  [2Jgo ne ");
    let long = format!("550 {}\r\n", "ü".repeat(400)).leak();
    let server = Server::odd(At::Rcpt, Act::Say(long)).await;
    let SmtpError::Refused { said, .. } = server.refusal().await else { panic!("not refused") };
    assert_eq!(said, "ü".repeat(200));
}

#[tokio::test]
async fn an_endless_answer_is_given_up() {
    let line = format!("250-{}\r\n", "x".repeat(60)).repeat(2000).leak();
    let endless = "x".repeat(100_000).leak();
    for words in [line, endless] {
        let server = Server::odd(At::Ehlo, Act::Say(words)).await;
        let error = server.refusal().await;
        assert!(matches!(error, SmtpError::Garbled { .. }), "{error}");
    }
}

#[tokio::test]
async fn an_answer_of_the_code_alone_or_with_a_bare_lf_is_understood() {
    for words in ["250\r\n", "250 fine\n", "251 forwarded\r\n"] {
        let server = Server::odd(At::Rcpt, Act::Say(words)).await;
        assert_eq!(outcome(&server.deliver(MAIL).await), "sent", "{words:?}");
    }
}

#[tokio::test]
async fn a_mail_with_8_bit_text_is_declared_or_not_sent() {
    let mail = "Subject: x\r\n\r\nGrüße\r\n".as_bytes();
    let server = Server::implicit(None).await;
    assert_eq!(outcome(&server.deliver(mail).await), "sent");
    let seen = server.finish().await;
    assert_eq!(seen.commands[2], "MAIL FROM:<me@example.org> BODY=8BITMIME");
    assert_eq!(seen.mails, [mail]);

    let server = Server::odd(At::Ehlo, Act::Say("250-x\r\n250 AUTH PLAIN\r\n")).await;
    let delivery = server.deliver(mail).await;
    assert_eq!(outcome(&delivery), "not sent, SetAside", "{delivery:?}");
}

#[tokio::test]
async fn what_cannot_be_sent_safely_is_refused_before_there_is_a_connection() {
    // Nobody listens there: whoever tried to connect would get another error.
    let relay = Relay {
        host: "localhost".to_owned(),
        port: 1,
        security: Security::Implicit,
        user: Some(USER.to_owned()),
        way: Way::Password,
        hello: "example.org".to_owned(),
        trust: Trust::default(),
        limits: Limits::default(),
    };
    let long = format!("{}@example.org", "a".repeat(300));
    for address in [
        "",
        "me",
        "me@",
        "@example.org",
        "me@example.org>\r\nRCPT TO:<evil@example.com",
        "me@example.org\r\n",
        "me@exam\0ple.org",
        "me@example.org,you@example.org",
        "Me <me@example.org>",
        "<me@example.org>",
        "\"ab\"@example.org",
        "\"a b\"@example.org",
        "\"a\r\nb\"@example.org",
        "gr\u{fc}n@example.org",
        "me@gr\u{fc}n.example.org",
        "me @example.org",
        &long,
    ] {
        for (from, to) in [(address, OPPONENT), (USER, address)] {
            let error = offer(&relay, Some(&password()), from, &[to], MAIL).await.err().unwrap();
            assert!(matches!(error, SmtpError::BadAddress { .. }), "{address:?} {error}");
            assert!(!error.to_string().contains('\r'));
        }
    }
    let longest = [b"a".repeat(998), b"\r\n".to_vec()].concat();
    for (mail, number) in [
        (&b"A: b\r\n\r\nx\n.\r\nMAIL FROM:<a@example.org>\r\n"[..], 3),
        (b"A: b\n", 1),
        (b"A: b\r", 1),
        (b"A: b\r\r\n", 1),
        (b"A: b\r\nx\ry\r\n", 2),
        (b"A: b\r\n\0\r\n", 2),
        (&[&b"A: b\r\na"[..], &longest].concat(), 2),
    ] {
        let error = offer(&relay, Some(&password()), USER, &[OPPONENT], mail).await.err().unwrap();
        assert!(matches!(error, SmtpError::BadMail { line, .. } if line == number), "{error}");
        assert_eq!(error.class(), Class::SetAside);
    }
    for hello in ["", "exam ple.org", "example.org\r\nMAIL", "gr\u{fc}n.example.org"] {
        let relay = Relay { hello: hello.to_owned(), ..relay.clone() };
        let error = check(&relay, Some(&password())).await.unwrap_err();
        assert!(matches!(error, SmtpError::BadHello { .. }), "{hello:?} {error}");
    }
    for password in [None, Some(""), Some("pass\0word")] {
        let password = password.map(SecretString::from);
        let error = check(&relay, password.as_ref()).await.unwrap_err();
        assert!(matches!(error, SmtpError::NoPassword { .. }), "{error}");
    }
    let error = offer(&relay, Some(&password()), USER, &[OPPONENT], &longest).await.err().unwrap();
    assert!(matches!(error, SmtpError::Tls(TlsError::Refused { .. })), "{error}");
}

#[tokio::test]
async fn the_name_given_in_ehlo_may_be_an_address() {
    for (hello, sent) in [("192.0.2.1", "EHLO [192.0.2.1]"), ("2001:db8::1", "EHLO [IPv6:2001:db8::1]")] {
        let mut server = Server::implicit(None).await;
        server.relay.hello = hello.to_owned();
        check(&server.relay, Some(&password())).await.unwrap();
        assert_eq!(server.finish().await.commands[0], sent);
    }
}

#[tokio::test]
async fn a_check_logs_in_and_leaves_without_a_mail() {
    let server = Server::implicit(None).await;
    check(&server.relay, Some(&password())).await.unwrap();
    let seen = server.finish().await;
    assert_eq!(seen.commands, ["EHLO example.org", &format!("AUTH PLAIN {AUTH_PLAIN}"), "QUIT"]);
    let server = Server::odd(At::Auth, Act::Say("535 5.7.8 no\r\n")).await;
    let error = check(&server.relay, Some(&password())).await.unwrap_err();
    assert_eq!(error.class(), Class::Stop);
    assert_eq!(server.finish().await.commands.last().unwrap(), "QUIT");
}

#[tokio::test]
async fn a_refused_token_is_told_once_the_servers_account_of_it_was_answered() {
    for (offered, first, last) in
        [("XOAUTH2", "AUTH XOAUTH2 ", ""), ("XOAUTH2 OAUTHBEARER", "AUTH OAUTHBEARER ", "AQ==")]
    {
        let offers = format!("250-mail.example.org\r\n250 AUTH PLAIN {offered}\r\n");
        let mut server = Server::play(Security::Implicit, move |tcp, acceptor, seen| async move {
            let mut tls = BufReader::new(acceptor.accept(tcp).await?);
            let challenge = "334 eyJzdGF0dXMiOiI0MDEifQ==\r\n";
            for words in ["220 mail.example.org\r\n", &offers, challenge, "535 5.7.3 expired\r\n"] {
                tls.write_all(words.as_bytes()).await?;
                tls.flush().await?;
                let line = read_line(&mut tls, &seen).await?.unwrap_or_default();
                seen.lock().unwrap().commands.push(String::from_utf8(line).unwrap().trim_end().to_owned());
            }
            Ok(())
        })
        .await;
        server.relay.way = Way::Token;
        let error = server.refusal().await;
        assert_eq!((error.class(), error.reached_login()), (Class::Stop, true));
        assert!(
            error
                .to_string()
                .starts_with("localhost refused the token: 535 5.7.3 expired\nhelp: run the token command")
        );
        let commands = server.finish().await.commands;
        assert!(commands[1].starts_with(first), "{commands:?}");
        assert_eq!(commands[2..], [last, "QUIT"]);
    }
}

#[tokio::test]
async fn a_server_without_tokens_is_shown_none() {
    let mut server = Server::implicit(None).await;
    server.relay.way = Way::Token;
    let error = server.refusal().await;
    assert!(matches!(error, SmtpError::NoTokens { .. }), "{error}");
    assert!(!server.finish().await.holds_a_credential());
}

#[tokio::test]
async fn a_port_for_the_other_kind_of_encryption_is_told_with_the_key_to_change() {
    let mut silent =
        Server::play(
            Security::StartTls,
            |mut tcp, _, _| async move { tcp.read_to_end(&mut Vec::new()).await.map(drop) },
        )
        .await;
    silent.relay.limits.command = Duration::from_millis(300);
    let error = silent.refusal().await;
    assert_eq!(error.class(), Class::Retry);
    assert!(error.to_string().contains("leave out security = \"starttls\""), "{error}");
    let plain = Server::play(Security::Implicit, |mut tcp, _, _| async move {
        tcp.write_all(b"220 mail.example.org\r\n").await?;
        tcp.read_to_end(&mut Vec::new()).await.map(drop)
    })
    .await;
    let error = plain.refusal().await;
    assert_eq!(error.class(), Class::Stop);
    assert!(error.to_string().contains("set security = \"starttls\""), "{error}");
    assert!(!plain.finish().await.holds_a_credential());
}
