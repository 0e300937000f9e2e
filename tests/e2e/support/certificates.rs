//! Certificates of the private servers, good and bad, each set from a certificate authority of its own.

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose, date_time_ymd,
};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::net::Ipv4Addr;
use std::path::Path;

/// What the servers show to a client that starts TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Certificate {
    /// Signed by the authority in `ca_file()`, for the servers' address and `mail.example.org`.
    Good,
    /// As `Good`, but its time is over (it ended on 2020-01-01).
    Expired,
    /// As `Good`, but for `elsewhere.example.com` alone.
    WrongName,
    /// Signed by itself and marked as an authority, as home servers often have it; not by `ca_file()`.
    SelfSigned,
}

/// Writes `ca.pem`, `cert.pem` and `key.pem` into `folder`; returns the SHA-256 of the server's certificate in hex.
pub(crate) fn write(certificate: Certificate, address: Ipv4Addr, folder: &Path) -> String {
    let mut authority = CertificateParams::default();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    authority.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    authority.distinguished_name.push(DnType::CommonName, "authority of a test");
    let authority =
        CertifiedIssuer::self_signed(authority, KeyPair::generate().expect("a key")).expect("a certificate");

    let names = match certificate {
        Certificate::WrongName => vec!["elsewhere.example.com".to_owned()],
        Certificate::Good | Certificate::Expired | Certificate::SelfSigned => {
            vec![address.to_string(), "mail.example.org".to_owned()]
        }
    };
    let mut params = CertificateParams::new(names).expect("valid names");
    params.distinguished_name.push(DnType::CommonName, "mail.example.org");
    let key = KeyPair::generate().expect("a key");
    let leaf = match certificate {
        Certificate::Good | Certificate::WrongName => params.signed_by(&key, &authority),
        Certificate::Expired => {
            params.not_before = date_time_ymd(2019, 1, 1);
            params.not_after = date_time_ymd(2020, 1, 1);
            params.signed_by(&key, &authority)
        }
        Certificate::SelfSigned => {
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
            params.self_signed(&key)
        }
    }
    .expect("a certificate");

    for (name, pem) in [("ca.pem", authority.pem()), ("cert.pem", leaf.pem()), ("key.pem", key.serialize_pem())] {
        fs::write(folder.join(name), pem).expect("own folder is writable");
    }
    Sha256::digest(leaf.der()).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
