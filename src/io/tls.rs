//! A verified TLS connection to a mail server: dialling, certificates, and a sentence for each way they fail.
//!
//! Used by `io::imap` and `io::smtp`; knows neither protocol. TLS from the first byte only (RFC 8314 section 3): STARTTLS
//! lets a stranger speak before the encryption begins.
//! There is no way to switch the checks off. Who runs a home server names its CA (`ca_file`) or its one certificate
//! (`pin_sha256`).
//! Surprise: a pin replaces every other check of the certificate (issuer, dates, name), as home servers and Proton Bridge
//! show self-signed ones; that the server owns the certificate's key is still proven in the handshake.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, OtherError, SignatureScheme};
use rustls_platform_verifier::Verifier;
use sha2::{Digest, Sha256};
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
pub use tokio_rustls::client::TlsStream;

use super::Class;

/// Quiet time on a connection after which the kernel asks whether the other end is alive.
const KEEP_ALIVE: Duration = Duration::from_secs(60);

/// Names of a wrong certificate that are shown; a hostile one may list thousands.
const NAMES_SHOWN: usize = 5;

/// What is trusted besides the system's certificate authorities.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// A PEM file with further certificate authorities (`ca_file`).
    pub extra_ca: Option<PathBuf>,
    /// SHA-256 of the one certificate (DER) that is accepted, whatever else is wrong with it (`pin_sha256`).
    pub pin_sha256: Option<[u8; 32]>,
}

/// Any byte stream a mail protocol can run over.
pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send + Sync + fmt::Debug {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send + Sync + fmt::Debug> Stream for T {}

/// A byte stream whose kind no longer matters.
pub type Io = Box<dyn Stream>;

/// Why there is no verified connection.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The name has no address, or DNS did not answer.
    #[error(
        "the address of {host} cannot be found\nhelp: check the spelling of `host` and this computer's network"
    )]
    Unresolved {
        /// As configured.
        host: String,
    },
    /// Every address of the host refused the connection or could not be reached.
    #[error(
        "{host}:{port} cannot be reached ({why})\nhelp: check `host` and `port`, and whether the server is up"
    )]
    Refused {
        /// As configured.
        host: String,
        /// As configured.
        port: u16,
        /// The system's reason.
        why: io::ErrorKind,
    },
    /// The server did not answer in time.
    #[error("{host} did not answer within {seconds} s while {step}")]
    Timeout {
        /// As configured.
        host: String,
        /// What was being done.
        step: &'static str,
        /// The limit, in seconds.
        seconds: u64,
    },
    /// The connection broke off during the TLS handshake.
    #[error("{host} broke the connection off during the TLS handshake ({why})")]
    Cut {
        /// As configured.
        host: String,
        /// The system's reason.
        why: io::ErrorKind,
    },
    /// The two sides found no common way to encrypt.
    #[error("no TLS connection with {host}: {why}")]
    Handshake {
        /// As configured.
        host: String,
        /// What rustls says; it quotes nothing the server sent.
        why: rustls::Error,
    },
    /// The server answered in something that is not TLS.
    #[error(
        "{host} does not speak TLS on this port\n\
         help: use the port for TLS from the first byte (usually 993 for IMAP, 465 for SMTP), not the one for STARTTLS"
    )]
    NotTls {
        /// As configured.
        host: String,
    },
    /// The configured host can stand in no certificate.
    #[error(
        "{host:?} is not a host name\nhelp: write a DNS name (an international one in its xn-- form) or an IP address as `host`"
    )]
    BadHost {
        /// As configured.
        host: String,
    },
    /// The file of further certificate authorities is of no use.
    #[error(
        "no certificate authority can be read from {path}: {why}\nhelp: `ca_file` is a PEM file with BEGIN CERTIFICATE blocks"
    )]
    CaFile {
        /// As configured.
        path: PathBuf,
        /// One clause.
        why: String,
    },
    /// The system's certificate authorities cannot be loaded.
    #[error(
        "this computer has no certificate authorities\nhelp: install the package `ca-certificates`, or set `ca_file` or `pin_sha256`"
    )]
    NoRoots,
    /// The server's certificate is not to be trusted.
    #[error("the certificate of {host} is not accepted: {mistrust}")]
    Certificate {
        /// As configured.
        host: String,
        /// What is wrong with it.
        mistrust: Mistrust,
    },
}

impl TlsError {
    /// What the loop does about it: network trouble passes by itself, a certificate waits for the player.
    ///
    /// A certificate that is not valid *yet* is retried: nearly always it is this computer's clock, before its first
    /// contact with a time server.
    pub fn class(&self) -> Class {
        match self {
            Self::Unresolved { .. }
            | Self::Refused { .. }
            | Self::Timeout { .. }
            | Self::Cut { .. }
            | Self::Handshake { .. } => Class::Retry,
            Self::Certificate { mistrust, .. } => match mistrust.why {
                Flaw::NotYetValid => Class::Retry,
                Flaw::Expired
                | Flaw::WrongName(_)
                | Flaw::UnknownIssuer
                | Flaw::OtherThanPinned(_)
                | Flaw::Unusable => Class::Stop,
            },
            Self::NotTls { .. } | Self::BadHost { .. } | Self::CaFile { .. } | Self::NoRoots => {
                Class::Stop
            }
        }
    }
}

/// A certificate that was refused, with the fingerprint the player can compare and pin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}\nSHA-256 of the certificate shown: {}\n{}", hex(.presented), .why.help())]
pub struct Mistrust {
    /// What is wrong with it.
    pub why: Flaw,
    /// SHA-256 of the certificate (DER) that the server showed.
    pub presented: [u8; 32],
}

/// What is wrong with a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// Its last day has passed.
    Expired,
    /// Its first day has not come.
    NotYetValid,
    /// It belongs to other hosts: these.
    WrongName(Vec<String>),
    /// No trusted authority has signed it.
    UnknownIssuer,
    /// It is not the one that was pinned: this.
    OtherThanPinned([u8; 32]),
    /// It is not made for a server, as many a self-made one, or it is damaged or revoked.
    Unusable,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expired => f.write_str("it has expired"),
            Self::NotYetValid => f.write_str("it is not valid yet"),
            Self::WrongName(names) if names.is_empty() => f.write_str("it names no host at all"),
            Self::WrongName(names) => write!(f, "it belongs to {}", names.join(", ")),
            Self::UnknownIssuer => f.write_str("no authority this computer trusts has signed it"),
            Self::OtherThanPinned(pin) => {
                write!(
                    f,
                    "it is not the pinned one\nSHA-256 of the pinned certificate: {}",
                    hex(pin)
                )
            }
            Self::Unusable => f.write_str("it is not one for a server (a self-made one, perhaps), or it is damaged or revoked"),
        }
    }
}

impl Flaw {
    fn help(&self) -> &'static str {
        match self {
            Self::NotYetValid => "help: check this computer's clock",
            Self::Expired => {
                "help: check this computer's clock; otherwise the server's operator must renew it"
            }
            Self::WrongName(_) => {
                "help: set `host` to a name it belongs to; for a server of your own, compare the SHA-256 there and set `pin_sha256`"
            }
            Self::UnknownIssuer | Self::Unusable => {
                "help: for a server of your own, set `ca_file` to its authority, or compare the SHA-256 there and set `pin_sha256`"
            }
            Self::OtherThanPinned(_) => {
                "help: if the server has a new certificate, compare the SHA-256 there and change `pin_sha256`; if not, someone else is answering"
            }
        }
    }
}

/// The TLS settings for a server: the ring provider, TLS 1.2 or 1.3, certificates checked as `trust` says.
///
/// The provider is named explicitly, since the process default depends on which crate asks first.
///
/// # Errors
/// `CaFile` when the extra authorities cannot be read, `NoRoots` when there are none at all.
pub fn client_config(trust: &Trust) -> Result<Arc<ClientConfig>, TlsError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let judge: Arc<dyn ServerCertVerifier> = match trust.pin_sha256 {
        Some(pin) => Arc::new(Pinned {
            pin,
            provider: provider.clone(),
        }),
        None => {
            let extra = trust
                .extra_ca
                .as_deref()
                .map(read_authorities)
                .transpose()?
                .unwrap_or_default();
            let system = Verifier::new_with_extra_roots(extra, provider.clone()).map_err(
                |error| match (&trust.extra_ca, error) {
                    (Some(path), rustls::Error::InvalidCertificate(_)) => TlsError::CaFile {
                        path: path.clone(),
                        why: "a certificate in it is damaged".to_owned(),
                    },
                    _ => TlsError::NoRoots,
                },
            )?;
            Arc::new(ByAuthority(system))
        }
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|why| TlsError::Handshake {
            host: "any server".to_owned(),
            why,
        })?
        .dangerous()
        .with_custom_certificate_verifier(judge)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

fn read_authorities(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let fail = |why: &dyn fmt::Display| TlsError::CaFile {
        path: path.to_owned(),
        why: why.to_string(),
    };
    let pem = std::fs::read(path).map_err(|error| fail(&error))?;
    let found: Vec<_> = CertificateDer::pem_slice_iter(&pem)
        .collect::<Result<_, _>>()
        .map_err(|_| fail(&"it is not well-formed PEM"))?;
    if found.is_empty() {
        Err(fail(&"it holds no certificate"))
    } else {
        Ok(found)
    }
}

/// A TCP connection to `host`, within `deadline`, with keep-alive and without delay for small packets.
///
/// All addresses are tried in turn, each with an equal share of the time, so that a dead IPv6 route does not hide a
/// living IPv4 one.
///
/// # Errors
/// `Unresolved`, `Refused` or `Timeout`.
pub async fn dial(host: &str, port: u16, deadline: Duration) -> Result<TcpStream, TlsError> {
    let late = |step| TlsError::Timeout {
        host: host.to_owned(),
        step,
        seconds: deadline.as_secs(),
    };
    let found = timeout(deadline, lookup_host((host, port)))
        .await
        .map_err(|_| late("its address was looked up"))?;
    let addresses: Vec<_> = found
        .map_err(|_| TlsError::Unresolved {
            host: host.to_owned(),
        })?
        .collect();
    let share = deadline / u32::try_from(addresses.len()).unwrap_or(u32::MAX).max(1);
    let mut failed = TlsError::Unresolved {
        host: host.to_owned(),
    };
    for address in addresses {
        let refused = |error: io::Error| TlsError::Refused {
            host: host.to_owned(),
            port,
            why: error.kind(),
        };
        failed = match timeout(share, TcpStream::connect(address)).await {
            Ok(Ok(tcp)) => {
                let alive = TcpKeepalive::new()
                    .with_time(KEEP_ALIVE)
                    .with_interval(KEEP_ALIVE / 4);
                SockRef::from(&tcp)
                    .set_tcp_keepalive(&alive)
                    .map_err(refused)?;
                tcp.set_nodelay(true).map_err(refused)?;
                return Ok(tcp);
            }
            Ok(Err(error)) => refused(error),
            Err(_) => late("connecting"),
        };
    }
    Err(failed)
}

/// An encrypted stream to a server that has proven to be `host`, within `deadline`.
///
/// # Errors
/// `Certificate` when the proof fails; `NotTls`, `Handshake`, `Cut`, `Timeout` or `BadHost` when it does not come to that.
pub async fn handshake<S: Stream>(
    config: Arc<ClientConfig>,
    host: &str,
    tcp: S,
    deadline: Duration,
) -> Result<TlsStream<S>, TlsError> {
    let host = host.to_owned();
    let Ok(name) = ServerName::try_from(host.clone()) else {
        return Err(TlsError::BadHost { host });
    };
    match timeout(deadline, TlsConnector::from(config).connect(name, tcp)).await {
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err(error)) => Err(why_no_handshake(host, &error)),
        Err(_) => Err(TlsError::Timeout {
            host,
            step: "agreeing on encryption",
            seconds: deadline.as_secs(),
        }),
    }
}

fn why_no_handshake(host: String, error: &io::Error) -> TlsError {
    let Some(why) = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<rustls::Error>())
    else {
        return TlsError::Cut {
            host,
            why: error.kind(),
        };
    };
    match why {
        rustls::Error::InvalidCertificate(CertificateError::Other(OtherError(inner))) => {
            match inner.downcast_ref::<Mistrust>() {
                Some(mistrust) => TlsError::Certificate {
                    host,
                    mistrust: mistrust.clone(),
                },
                None => TlsError::Handshake {
                    host,
                    why: why.clone(),
                },
            }
        }
        rustls::Error::InvalidMessage(_) => TlsError::NotTls { host },
        _ => TlsError::Handshake {
            host,
            why: why.clone(),
        },
    }
}

fn refuse(certificate: &CertificateDer<'_>, why: Flaw) -> rustls::Error {
    let mistrust = Mistrust {
        why,
        presented: Sha256::digest(certificate).into(),
    };
    rustls::Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(mistrust))))
}

/// The usual judge: the system's authorities and the extra ones. Adds the fingerprint to each refusal.
#[derive(Debug)]
struct ByAuthority(Verifier);

impl ServerCertVerifier for ByAuthority {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        self.0
            .verify_server_cert(shown, chain, name, ocsp, now)
            .map_err(|error| match error {
                rustls::Error::InvalidCertificate(flaw) => refuse(shown, flaw_of(flaw)),
                other => other,
            })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls12_signature(message, shown, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls13_signature(message, shown, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

fn flaw_of(error: CertificateError) -> Flaw {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => Flaw::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            Flaw::NotYetValid
        }
        CertificateError::NotValidForName => Flaw::WrongName(Vec::new()),
        CertificateError::NotValidForNameContext { presented, .. } => Flaw::WrongName(
            presented
                .iter()
                .take(NAMES_SHOWN)
                .map(|name| readable_name(name))
                .collect(),
        ),
        // BadSignature: an authority of a trusted one's name, with another key.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => Flaw::UnknownIssuer,
        _ => Flaw::Unusable,
    }
}

/// `DnsName("mail.example.org")`, as webpki words it, without the wrapping; only what a host name may hold.
fn readable_name(name: &str) -> String {
    let inner = name.split_once('(').map_or(name, |(_, rest)| rest);
    inner
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || ".-*:".contains(*c))
        .take(253)
        .collect()
}

/// The judge of a pinned certificate: that one and no other.
#[derive(Debug)]
struct Pinned {
    pin: [u8; 32],
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if <[u8; 32]>::from(Sha256::digest(shown)) == self.pin {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(refuse(shown, Flaw::OtherThanPinned(self.pin)))
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, shown, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, shown, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

fn hex(bytes: &[u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
