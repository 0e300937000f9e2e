//! A scripted IMAP server over real TLS, for answers no real server gives.
//!
//! It keeps three mails (UIDs 1 to 3) and answers properly unless told otherwise. In a scripted answer `$` stands for the
//! command's tag, and a last word may say what comes after: `<EOF>`, `<SILENCE>`, `<FLOOD>` (keep-alives without end).

use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use amici::io::bearer::Way;
use amici::io::imap::{Account, Limits, Mailbox};
use amici::io::tls::Trust;
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use secrecy::SecretString;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

pub(super) const PASSWORD: &str = "canary-Zq7\"\\w";
pub(super) const GREETING: &str = "* OK ready";

/// Answers to commands that begin with a text; one after the other, the last again and again.
pub(super) type Script<'a> = &'a [(&'a str, &'a [&'a str])];

pub(super) struct Certificate {
    pub(super) der: CertificateDer<'static>,
    key: KeyPair,
}

impl Certificate {
    pub(super) fn pin(&self) -> [u8; 32] {
        Sha256::digest(&self.der).into()
    }

    pub(super) fn private_key(&self) -> PrivateKeyDer<'static> {
        PrivateKeyDer::try_from(self.key.serialize_der()).unwrap()
    }

    pub(super) fn server_config(&self) -> Arc<ServerConfig> {
        let key = self.private_key();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![self.der.clone()], key)
            .unwrap();
        Arc::new(config)
    }
}

/// A certificate for these names that signs itself, such as `openssl req -x509` makes: an authority, not a server's.
pub(super) fn self_signed(names: &[&str]) -> Certificate {
    let key = KeyPair::generate().unwrap();
    let mut params = params(names);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    Certificate { der: params.self_signed(&key).unwrap().der().clone(), key }
}

pub(super) fn params(names: &[&str]) -> CertificateParams {
    CertificateParams::new(names.iter().map(|name| name.to_string()).collect::<Vec<_>>()).unwrap()
}

/// An authority, its PEM, and what it signs.
pub(super) struct Authority {
    issuer: rcgen::Issuer<'static, KeyPair>,
    pub(super) pem: String,
}

impl Authority {
    pub(super) fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = params(&[]);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = params.self_signed(&key).unwrap().pem();
        Self { issuer: rcgen::Issuer::new(params, key), pem }
    }

    pub(super) fn sign(&self, params: CertificateParams) -> Certificate {
        let key = KeyPair::generate().unwrap();
        Certificate { der: params.signed_by(&key, &self.issuer).unwrap().der().clone(), key }
    }
}

pub(super) static CERTIFICATE: LazyLock<Certificate> = LazyLock::new(|| self_signed(&["mail.example.org"]));

pub(super) struct Server {
    pub(super) account: Account,
    received: Arc<Mutex<Vec<u8>>>,
}

impl Server {
    /// Starts a server with these answers in place of the proper ones.
    pub(super) async fn start(greeting: &str, script: Script<'_>) -> Self {
        Self::start_with(&CERTIFICATE, greeting, script).await
    }

    pub(super) async fn start_with(certificate: &Certificate, greeting: &str, script: Script<'_>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let received = Arc::new(Mutex::new(Vec::new()));
        let host = Host {
            greeting: whole(greeting),
            script: script
                .iter()
                .map(|(command, answers)| {
                    (command.to_string(), answers.iter().rev().map(|answer| answer.to_string()).collect())
                })
                .collect(),
            received: received.clone(),
        };
        let acceptor = TlsAcceptor::from(certificate.server_config());
        tokio::spawn(async move {
            let (tcp, _) = listener.accept().await.unwrap();
            // A client that refuses the certificate or hangs up ends the talk, as it may.
            let _ = host.talk(acceptor, tcp).await;
        });
        Self { account: account(certificate, port), received }
    }

    pub(super) async fn open(&self) -> Mailbox {
        Mailbox::open(&self.account, &SecretString::from(PASSWORD)).await.unwrap()
    }

    /// All that a client has said inside the encryption.
    pub(super) fn received(&self) -> String {
        String::from_utf8_lossy(&self.received.lock().unwrap()).into_owned()
    }
}

/// How to log in to a server of this test.
pub(super) fn account(certificate: &Certificate, port: u16) -> Account {
    Account {
        host: "127.0.0.1".to_owned(),
        port,
        user: "player".to_owned(),
        way: Way::Password,
        trust: Trust { extra_ca: None, pin_sha256: Some(certificate.pin()) },
        limits: Limits::default(),
    }
}

struct Host {
    greeting: String,
    script: Vec<(String, Vec<String>)>,
    received: Arc<Mutex<Vec<u8>>>,
}

impl Host {
    async fn talk(mut self, acceptor: TlsAcceptor, tcp: TcpStream) -> std::io::Result<()> {
        let mut stream = BufReader::new(acceptor.accept(tcp).await?);
        let (mut tag, mut answer) = (String::new(), self.greeting.clone());
        loop {
            let (text, after) = match answer.rfind('<').filter(|_| answer.ends_with('>')) {
                Some(start) => answer.split_at(start),
                None => (answer.as_str(), ""),
            };
            stream.write_all(text.replace('$', &tag).as_bytes()).await?;
            stream.flush().await?;
            if after == "<EOF>" {
                return stream.shutdown().await;
            }
            let line = loop {
                let mut line = Vec::new();
                tokio::select! {
                    biased;
                    () = tokio::time::sleep(Duration::from_millis(20)), if after == "<FLOOD>" => {
                        stream.write_all(b"* OK Still here\r\n").await?;
                        stream.flush().await?;
                    }
                    read = stream.read_until(b'\n', &mut line) => {
                        if read? == 0 {
                            return Ok(());
                        }
                        self.received.lock().unwrap().extend_from_slice(&line);
                        break String::from_utf8_lossy(&line).into_owned();
                    }
                }
            };
            let line = line.trim_end();
            let command = match line.split_once(' ') {
                Some((first, rest)) if first.starts_with('A') || first == "Z" => {
                    tag = first.to_owned();
                    rest
                }
                _ => line,
            };
            answer = if after == "<SILENCE>" { "<SILENCE>".to_owned() } else { self.answer(command) };
        }
    }

    fn answer(&mut self, command: &str) -> String {
        if let Some((_, answers)) = self.script.iter_mut().find(|(start, _)| command.starts_with(start.as_str())) {
            let answer = if answers.len() > 1 { answers.pop().unwrap() } else { answers[0].clone() };
            return if answer.ends_with(['>', '\n']) { answer } else { format!("{answer}\r\n") };
        }
        proper_answer(command)
    }
}

/// An answer with its line end, where it lacks one and is to have one.
fn whole(answer: &str) -> String {
    if answer.ends_with(['>', '\n']) { answer.to_owned() } else { format!("{answer}\r\n") }
}

pub(super) fn proper_answer(command: &str) -> String {
    let untagged = match command {
        "CAPABILITY" => "* CAPABILITY IMAP4rev1 IDLE\r\n".to_owned(),
        "IDLE" => return "+ idling\r\n".to_owned(),
        "LOGOUT" => return "* BYE\r\n$ OK bye\r\n<EOF>".to_owned(),
        _ if command.starts_with("LIST") => "* LIST () \"/\" INBOX\r\n* LIST (\\Noselect) \"/\" Up\r\n".to_owned(),
        _ if command.starts_with("EXAMINE") => {
            "* 3 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 4] ok\r\n".to_owned()
        }
        _ if command.starts_with("UID SEARCH OR") => "* SEARCH 2 3\r\n".to_owned(),
        _ if command.starts_with("UID SEARCH") => "* SEARCH 3 1 2\r\n".to_owned(),
        _ if command.contains("RFC822.SIZE") => uids(command).into_iter().map(describe).collect(),
        _ if command.contains("BODY.PEEK") => uids(command).into_iter().map(|uid| body(command, uid)).collect(),
        _ => String::new(),
    };
    format!("{untagged}$ OK done\r\n")
}

fn uids(fetch: &str) -> Vec<u32> {
    let set = fetch.split(' ').nth(2).unwrap();
    let ranges = set.split(',').map(|range| range.split_once(':').unwrap_or((range, range)));
    ranges.flat_map(|(first, last)| first.parse::<u32>().unwrap()..=last.parse().unwrap()).collect()
}

/// A proper description of a mail.
pub(super) fn describe(uid: u32) -> String {
    format!(
        "* {uid} FETCH (FLAGS (\\Seen) INTERNALDATE \" 7-Jul-2026 02:44:25 +0200\" UID {uid} RFC822.SIZE {}00)\r\n",
        uid % 10
    )
}

fn body(fetch: &str, uid: u32) -> String {
    let section = fetch.split_once("BODY.PEEK[").unwrap().1.split_once(']').unwrap().0;
    let text = if section.is_empty() { format!("mail {uid}") } else { format!("Message-ID: <{uid}@example.org>") };
    format!("* {uid} FETCH (UID {uid} BODY[{section}] {{{}}}\r\n{text}\r\n)\r\n", text.len() + 2)
}
