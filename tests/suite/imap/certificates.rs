//! Who is at the other end: every certificate that is not to be trusted is refused with a sentence, before any password.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use amici::io::Class;
use amici::io::imap::{ImapError, Mailbox};
use amici::io::tls::{Flaw, TlsError, Trust, client_config, dial, handshake};
use rcgen::date_time_ymd;
use secrecy::SecretString;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::server::{Authority, Certificate, GREETING, PASSWORD, Server, params, self_signed};

struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

fn trusting(extra_ca: PathBuf) -> Trust {
    Trust { extra_ca: Some(extra_ca), pin_sha256: None }
}

async fn open(certificate: &Certificate, trust: Trust) -> (Result<Mailbox, ImapError>, String) {
    let mut server = Server::start_with(certificate, GREETING, &[]).await;
    server.account.trust = trust;
    let outcome = Mailbox::open(&server.account, &SecretString::from(PASSWORD)).await;
    (outcome, server.received())
}

#[tokio::test]
async fn bad_certificates_are_told_apart_and_get_no_password() {
    let files = Files::new();
    let ours = Authority::new();
    let ca = trusting(files.write("ca.pem", &ours.pem));
    let with = |change: fn(&mut rcgen::CertificateParams)| {
        let mut params = params(&["127.0.0.1"]);
        change(&mut params);
        ours.sign(params)
    };
    let expired = with(|params| params.not_after = date_time_ymd(2020, 1, 1));
    let future = with(|params| params.not_before = date_time_ymd(4000, 1, 1));
    let other_host = ours.sign(params(&["mail.example.org", "*.example.net"]));
    let nameless = ours.sign(params(&[]));
    let good = with(|_| {});
    let stranger = Authority::new().sign(params(&["127.0.0.1"]));
    let own = self_signed(&["127.0.0.1"]);
    let pinned = |pin| Trust { extra_ca: None, pin_sha256: Some(pin) };
    let wrong_names = Flaw::WrongName(vec!["mail.example.org".to_owned(), "*.example.net".to_owned()]);
    for (certificate, trust, flaw, class, words) in [
        (&expired, &ca, Flaw::Expired, Class::Stop, "it has expired"),
        (&future, &ca, Flaw::NotYetValid, Class::Retry, "check this computer's clock"),
        (&other_host, &ca, wrong_names, Class::Stop, "it belongs to mail.example.org, *.example.net"),
        (&nameless, &ca, Flaw::WrongName(vec![]), Class::Stop, "it names no host at all"),
        (&stranger, &ca, Flaw::UnknownIssuer, Class::Stop, "set `ca_file` to its authority"),
        (&good, &Trust::default(), Flaw::UnknownIssuer, Class::Stop, "no authority this computer trusts"),
        (&own, &ca, Flaw::Unusable, Class::Stop, "set `pin_sha256`"),
        (&good, &pinned(own.pin()), Flaw::OtherThanPinned(own.pin()), Class::Stop, "is not the pinned one"),
    ] {
        let (outcome, received) = open(certificate, trust.clone()).await;
        let error = outcome.unwrap_err();
        assert_eq!(error.class(), class, "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.to_string().contains(&hex(certificate.pin())), "the fingerprint to compare: {error}");
        let ImapError::Tls(TlsError::Certificate { mistrust, .. }) = error else { panic!("{error}") };
        assert_eq!(mistrust.why, flaw);
        assert_eq!(received, "");
    }
    assert!(open(&good, ca.clone()).await.0.is_ok(), "the extra authority is trusted");
}

fn hex(bytes: [u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn a_pinned_certificate_is_taken_whatever_else_is_wrong_with_it() {
    let mut params = params(&["elsewhere.example.org"]);
    params.not_after = date_time_ymd(2020, 1, 1);
    let certificate = Authority::new().sign(params);
    for certificate in [certificate, self_signed(&["elsewhere.example.org"]), self_signed(&[])] {
        let trust = Trust { extra_ca: None, pin_sha256: Some(certificate.pin()) };
        assert!(open(&certificate, trust).await.0.is_ok());
    }
}

#[tokio::test]
async fn a_pinned_certificate_without_its_key_is_refused() {
    let (pinned, thief) = (self_signed(&["127.0.0.1"]), self_signed(&["127.0.0.1"]));
    for versions in [[&rustls::version::TLS12], [&rustls::version::TLS13]] {
        let provider = rustls::crypto::ring::default_provider();
        let key = provider.key_provider.load_private_key(thief.private_key()).unwrap();
        let shown = rustls::sign::CertifiedKey::new(vec![pinned.der.clone()], key);
        let config = rustls::ServerConfig::builder_with_provider(Arc::new(provider))
            .with_protocol_versions(&versions)
            .unwrap()
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(rustls::sign::SingleCertAndKey::from(shown)));
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let trust = Trust { extra_ca: None, pin_sha256: Some(pinned.pin()) };
        let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
        let client = client_config(&trust).unwrap();
        let (outcome, _) =
            tokio::join!(handshake(client, "127.0.0.1", ours, Duration::from_secs(30)), acceptor.accept(theirs));
        let error = outcome.unwrap_err();
        assert!(matches!(error, TlsError::Handshake { .. }), "{error}");
    }
}

#[tokio::test]
async fn a_server_without_tls_gets_no_password() {
    for (banner, expected) in [
        ("* OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n", "does not speak TLS on this port"),
        ("220 mail.example.org ESMTP\r\n", "does not speak TLS on this port"),
        ("HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak TLS on this port"),
        ("", "broke the connection off during the TLS handshake"),
    ] {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = tokio::spawn(async move {
            let (mut tcp, _) = listener.accept().await.unwrap();
            let mut received = vec![0; 4096];
            let length = tcp.read(&mut received).await.unwrap();
            received.truncate(length);
            tcp.write_all(banner.as_bytes()).await.unwrap();
            tcp.shutdown().await.unwrap();
            // A reset instead of an end is as good.
            let _ = tcp.read_to_end(&mut received).await;
            received
        });
        let mut account = Server::start(GREETING, &[]).await.account;
        account.port = port;
        let error = Mailbox::open(&account, &SecretString::from(PASSWORD)).await.unwrap_err();
        assert!(error.to_string().contains(expected), "{banner}: {error}");
        let received = String::from_utf8_lossy(&server.await.unwrap()).into_owned();
        assert!(!received.contains("canary") && !received.contains("LOGIN"), "{banner}");
    }
}

#[tokio::test]
async fn a_handshake_that_stalls_ends_at_its_deadline() {
    let (ours, _theirs) = tokio::io::duplex(1 << 16);
    let config = client_config(&Trust { extra_ca: None, pin_sha256: Some([0; 32]) }).unwrap();
    let error = handshake(config, "mail.example.org", ours, Duration::from_millis(50)).await.unwrap_err();
    assert!(matches!(error, TlsError::Timeout { .. }), "{error}");
    assert_eq!(error.class(), Class::Retry);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_tried_again() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let refused = dial("127.0.0.1", port, Duration::from_secs(30)).await.unwrap_err();
    assert!(matches!(refused, TlsError::Refused { .. }), "{refused}");
    let unresolved = dial("no-such-host.invalid", 993, Duration::from_secs(30)).await.unwrap_err();
    assert!(matches!(unresolved, TlsError::Unresolved { .. }), "{unresolved}");
    assert_eq!((refused.class(), unresolved.class()), (Class::Retry, Class::Retry));
}

#[tokio::test]
async fn a_dialled_connection_is_kept_alive_and_sends_at_once() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let tcp = dial("127.0.0.1", listener.local_addr().unwrap().port(), Duration::from_secs(30)).await.unwrap();
    let socket = socket2::SockRef::from(&tcp);
    assert!(socket.keepalive().unwrap() && tcp.nodelay().unwrap());
}

#[tokio::test]
async fn mistakes_in_the_settings_are_named() {
    let files = Files::new();
    for (text, why) in [
        (None, "No such file"),
        (Some(""), "it holds no certificate"),
        (Some("-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n"), "it is not well-formed PEM"),
        (Some("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"), "a certificate in it is damaged"),
    ] {
        let path = files.folder.path().join("missing.pem");
        let path = text.map_or(path, |text| files.write("ca.pem", text));
        let error = client_config(&trusting(path.clone())).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
        assert_eq!(error.class(), Class::Stop);
    }
    let (ours, _theirs) = tokio::io::duplex(64);
    let config = client_config(&Trust { extra_ca: None, pin_sha256: Some([0; 32]) }).unwrap();
    let error = handshake(config, "not a host", ours, Duration::from_secs(30)).await.unwrap_err();
    assert_eq!((error.to_string().contains("\"not a host\" is not a host name"), error.class()), (true, Class::Stop));
}
