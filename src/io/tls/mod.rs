//! A verified TLS connection to a mail server: dialling, certificates, and a sentence for each way they fail.
//!
//! Used by `io::imap` and `io::smtp`; knows neither protocol. TLS from the first byte only (RFC 8314 section 3): STARTTLS
//! lets a stranger speak before the encryption begins.
//! There is no way to switch the checks off. Who runs a home server names its CA (`ca_file`) or its one certificate
//! (`pin_sha256`).
//! Surprise: a pin replaces every other check of the certificate (issuer, dates, name), as home servers and Proton Bridge
//! show self-signed ones; that the server owns the certificate's key is still proven in the handshake.

mod error;
mod judge;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;
use rustls::client::danger::ServerCertVerifier;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls_platform_verifier::Verifier;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
pub use tokio_rustls::client::TlsStream;

use self::error::why_no_handshake;
pub use self::error::{Flaw, Mistrust, TlsError};
use self::judge::{ByAuthority, Pinned};
use super::file;

/// Quiet time on a connection after which the kernel asks whether the other end is alive.
const KEEP_ALIVE: Duration = Duration::from_secs(60);

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

/// The TLS settings for a server: the ring provider, TLS 1.2 or 1.3, certificates checked as `trust` says.
///
/// The provider is named explicitly, since the process default depends on which crate asks first.
///
/// # Errors
/// `CaFile` when the extra authorities cannot be read, `NoRoots` when there are none at all.
pub fn client_config(trust: &Trust) -> Result<Arc<ClientConfig>, TlsError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let judge: Arc<dyn ServerCertVerifier> = match trust.pin_sha256 {
        Some(pin) => Arc::new(Pinned { pin, provider: provider.clone() }),
        None => {
            let extra = trust.extra_ca.as_deref().map(read_authorities).transpose()?.unwrap_or_default();
            let system = Verifier::new_with_extra_roots(extra, provider.clone()).map_err(|error| {
                match (&trust.extra_ca, error) {
                    (Some(path), rustls::Error::InvalidCertificate(_)) => {
                        TlsError::CaFile { path: path.clone(), why: "a certificate in it is damaged".to_owned() }
                    }
                    _ => TlsError::NoRoots,
                }
            })?;
            Arc::new(ByAuthority(system))
        }
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|why| TlsError::Handshake { host: "any server".to_owned(), why })?
        .dangerous()
        .with_custom_certificate_verifier(judge)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

fn read_authorities(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let fail = |why: &dyn fmt::Display| TlsError::CaFile { path: path.to_owned(), why: why.to_string() };
    let pem = file::read(path, file::SETTINGS).map_err(|error| fail(&error))?;
    let found: Vec<_> = CertificateDer::pem_slice_iter(&pem)
        .collect::<Result<_, _>>()
        .map_err(|_| fail(&"it is not well-formed PEM"))?;
    if found.is_empty() { Err(fail(&"it holds no certificate")) } else { Ok(found) }
}

/// A TCP connection to `host`, within `deadline`, with keep-alive and without delay for small packets.
///
/// All addresses are tried in turn, each with an equal share of the time, so that a dead IPv6 route does not hide a
/// living IPv4 one.
///
/// # Errors
/// `Unresolved`, `Refused` or `Timeout`.
pub async fn dial(host: &str, port: u16, deadline: Duration) -> Result<TcpStream, TlsError> {
    let late = |step| TlsError::Timeout { host: host.to_owned(), step, seconds: deadline.as_secs() };
    let found = timeout(deadline, lookup_host((host, port))).await.map_err(|_| late("its address was looked up"))?;
    let addresses: Vec<_> = found.map_err(|_| TlsError::Unresolved { host: host.to_owned() })?.collect();
    let share = deadline / u32::try_from(addresses.len()).unwrap_or(u32::MAX).max(1);
    let mut failed = TlsError::Unresolved { host: host.to_owned() };
    for address in addresses {
        let refused = |error: io::Error| TlsError::Refused { host: host.to_owned(), port, why: error.kind() };
        failed = match timeout(share, TcpStream::connect(address)).await {
            Ok(Ok(tcp)) => {
                let alive = TcpKeepalive::new().with_time(KEEP_ALIVE).with_interval(KEEP_ALIVE / 4);
                SockRef::from(&tcp).set_tcp_keepalive(&alive).map_err(refused)?;
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
        Err(_) => Err(TlsError::Timeout { host, step: "agreeing on encryption", seconds: deadline.as_secs() }),
    }
}
