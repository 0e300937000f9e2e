//! The two judges of a server's certificate: by authority, and by pin. Neither can be told to look away.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, OtherError, SignatureScheme};
use rustls_platform_verifier::Verifier;
use sha2::{Digest, Sha256};

use super::error::{Flaw, Mistrust};

/// Names of a wrong certificate that are shown; a hostile one may list thousands.
const NAMES_SHOWN: usize = 5;

fn refuse(certificate: &CertificateDer<'_>, why: Flaw) -> rustls::Error {
    let mistrust = Mistrust { why, presented: Sha256::digest(certificate).into() };
    rustls::Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(mistrust))))
}

/// The usual judge: the system's authorities and the extra ones. Adds the fingerprint to each refusal.
#[derive(Debug)]
pub(super) struct ByAuthority(pub(super) Verifier);

impl ServerCertVerifier for ByAuthority {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        self.0.verify_server_cert(shown, chain, name, ocsp, now).map_err(|error| match error {
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
        self.0.verify_tls12_signature(message, shown, signed).map_err(|error| unreadable(shown, error))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls13_signature(message, shown, signed).map_err(|error| unreadable(shown, error))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

/// That the server owns the key of its certificate cannot be proven. A signature that is plainly wrong stays what it is: somebody else's.
fn unreadable(shown: &CertificateDer<'_>, error: rustls::Error) -> rustls::Error {
    match error {
        rustls::Error::InvalidCertificate(CertificateError::BadSignature) => error,
        rustls::Error::InvalidCertificate(_) => refuse(shown, Flaw::Rare),
        other => other,
    }
}

fn flaw_of(error: CertificateError) -> Flaw {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => Flaw::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => Flaw::NotYetValid,
        CertificateError::NotValidForName => Flaw::WrongName(Vec::new()),
        CertificateError::NotValidForNameContext { presented, .. } => {
            Flaw::WrongName(presented.iter().take(NAMES_SHOWN).map(|name| readable_name(name)).collect())
        }
        // BadSignature: an authority of a trusted one's name, with another key.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => Flaw::UnknownIssuer,
        _ => Flaw::Unusable,
    }
}

/// `DnsName("mail.example.org")`, as webpki words it, without the wrapping; only what a host name may hold.
fn readable_name(name: &str) -> String {
    let inner = name.split_once('(').map_or(name, |(_, rest)| rest);
    inner.chars().filter(|c| c.is_ascii_alphanumeric() || ".-*:".contains(*c)).take(253).collect()
}

/// The judge of a pinned certificate: that one and no other.
#[derive(Debug)]
pub(super) struct Pinned {
    pub(super) pin: [u8; 32],
    pub(super) provider: Arc<CryptoProvider>,
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
        rustls::crypto::verify_tls12_signature(message, shown, signed, known).map_err(|error| unreadable(shown, error))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, shown, signed, known).map_err(|error| unreadable(shown, error))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
