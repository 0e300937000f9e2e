//! Checks the DKIM signatures of a mail (RFC 6376) with the keys that the DNS gives.
//!
//! The only place that knows mail-auth. Takes no decision and fails never: a mail that cannot be checked has no pass. Done
//! within ten seconds, on the first few signatures, since anybody can write them.
//! What will surprise you: a signature past its `x=` does not count, by the clock of this machine (mail-auth reads it), so
//! a mail is checked as it arrives; one with `l=`, or that leaves From unsigned, does not count at all.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use mail_auth::common::cache::NoCache;
use mail_auth::{AuthenticatedMessage, DkimOutput, DkimResult, MessageAuthenticator, Parameters, ResolverCache, Txt};

use crate::mail::address::domain_in_ascii;
use crate::mail::authentication::{Finding, Method};

/// The time for all lookups of one mail.
const LIMIT: Duration = Duration::from_secs(10);
/// Signatures of one mail that are checked; honest mails have one to three.
const SIGNATURES: usize = 8;

/// What the signatures of a mail prove; the keys are asked for at the machine's own name servers.
pub async fn verify(raw: &[u8]) -> Vec<Finding> {
    match MessageAuthenticator::new_system_conf() {
        Ok(authenticator) => check(&authenticator, raw, None::<&NoCache<Box<str>, Txt>>).await,
        Err(error) => {
            tracing::warn!(%error, "signatures cannot be checked: the settings of the name servers cannot be read");
            Vec::new()
        }
    }
}

async fn check<C: ResolverCache<Box<str>, Txt>>(
    authenticator: &MessageAuthenticator,
    raw: &[u8],
    keys: Option<&C>,
) -> Vec<Finding> {
    let checking = async {
        let mut message = AuthenticatedMessage::parse(raw)?;
        message.dkim_headers.truncate(SIGNATURES);
        let parameters = Parameters::new(&message);
        let outputs = match keys {
            Some(keys) => authenticator.verify_dkim(parameters.with_txt_cache(keys)).await,
            None => authenticator.verify_dkim(parameters).await,
        };
        Some(outputs.iter().map(finding).collect())
    };
    // the parser of a library reads what anybody sent
    match tokio::time::timeout(LIMIT, AssertUnwindSafe(checking).catch_unwind()).await {
        Ok(Ok(findings)) => findings.unwrap_or_default(),
        Ok(Err(_)) => vec![without_domain("error")],
        Err(_) => vec![without_domain("timeout")],
    }
}

fn finding(output: &DkimOutput<'_>) -> Finding {
    let signature = output.signature();
    let is_whole =
        signature.is_some_and(|s| s.l == 0 && s.h.iter().any(|field| field.trim().eq_ignore_ascii_case("from")));
    // RFC 8601, 2.7.1
    let word = match output.result() {
        DkimResult::Pass if is_whole => "pass",
        DkimResult::Pass => "policy",
        DkimResult::Neutral(_) => "neutral",
        DkimResult::Fail(_) => "fail",
        DkimResult::PermError(_) => "permerror",
        DkimResult::TempError(_) => "temperror",
        DkimResult::None => "none",
    };
    let domain = signature.and_then(|signature| domain_in_ascii(&signature.d));
    Finding { domain, pass: word == "pass", ..without_domain(word) }
}

fn without_domain(word: &str) -> Finding {
    Finding { method: Method::Dkim, pass: false, word: word.to_owned(), domain: None }
}

#[cfg(test)]
mod tests {
    use std::borrow::Borrow;
    use std::hash::Hash;

    use mail_auth::common::crypto::Ed25519Key;
    use mail_auth::common::headers::HeaderWriter;
    use mail_auth::common::parse::TxtRecordParser;
    use mail_auth::common::verify::DomainKey;
    use mail_auth::dkim::DkimSigner;
    use mail_auth::hickory_resolver::config::{ResolverConfig, ResolverOpts};

    use super::*;
    use crate::mail::authentication::{Authentication, OwnServer};
    use crate::mail::message::parse;

    const MAIL: &str = "From: Mila <mila@example.org>\r\nTo: nora@example.com\r\nSubject: EM/ZZ/042\r\n\r\n7. 5171\r\n";

    /// The DNS of the test: one record; every other question goes to a resolver that has no server to ask.
    struct Dns(&'static str, Txt);

    impl ResolverCache<Box<str>, Txt> for Dns {
        fn get<Q>(&self, name: &Q) -> Option<Txt>
        where
            Box<str>: Borrow<Q>,
            Q: Hash + Eq + ?Sized,
        {
            let own: Box<str> = self.0.into();
            (Borrow::<Q>::borrow(&own) == name).then(|| self.1.clone())
        }

        fn remove<Q>(&self, _: &Q) -> Option<Txt>
        where
            Box<str>: Borrow<Q>,
            Q: Hash + Eq + ?Sized,
        {
            None
        }

        fn insert(&self, _: Box<str>, _: Txt, _: std::time::Instant) {}
    }

    fn key() -> Ed25519Key {
        // RFC 8410, 7: a private key without its public half
        let head = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
        let der: Vec<u8> = head.into_iter().chain(0..32).collect();
        Ed25519Key::from_pkcs8_maybe_unchecked_der(&der).unwrap()
    }

    fn dns(name: &'static str) -> Dns {
        let record = format!("v=DKIM1; k=ed25519; p={}", base64_of(&key().public_key()));
        Dns(name, Txt::from(DomainKey::parse(record.as_bytes())))
    }

    fn base64_of(bytes: &[u8]) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        bytes
            .chunks(3)
            .map(|chunk| {
                let group =
                    chunk.iter().chain(&[0, 0]).take(3).fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte));
                let digits = (0..4).map(|place| char::from(DIGITS[group >> (18 - 6 * place) & 63]));
                digits.take(chunk.len() + 1).chain("===".chars()).take(4).collect::<String>()
            })
            .collect()
    }

    /// The mail with a signature of this domain over these fields.
    fn signed(domain: &str, fields: &[&str], in_part: bool) -> String {
        let signer = DkimSigner::from_key(key()).domain(domain).selector("s").headers(fields.iter().copied());
        let signature = signer.body_length(in_part).sign(MAIL.as_bytes()).unwrap();
        format!("{}{MAIL}", signature.to_header())
    }

    async fn findings(mail: &str, dns: &Dns) -> Vec<Finding> {
        let nowhere = ResolverConfig::from_parts(None, vec![], vec![]);
        let authenticator = MessageAuthenticator::new(nowhere, ResolverOpts::default()).unwrap();
        check(&authenticator, mail.as_bytes(), Some(dns)).await
    }

    /// Words of the findings, and the domain that vouches for Mila by them.
    async fn told(mail: &str, dns: &Dns) -> (Vec<String>, Option<String>) {
        let findings = findings(mail, dns).await;
        let message = parse(mail.as_bytes()).unwrap();
        let authentication = Authentication::of(&message.headers, &OwnServer::default(), Some(&findings));
        let from = message.from.unwrap().address;
        (findings.iter().map(ToString::to_string).collect(), authentication.vouching_domain(&from).map(str::to_owned))
    }

    #[tokio::test]
    async fn a_signature_of_the_senders_domain_vouches_for_him() {
        let mail = signed("example.org", &["From", "Subject"], false);
        let (words, domain) = told(&mail, &dns("s._domainkey.example.org.")).await;
        assert_eq!((words, domain.as_deref()), (vec!["dkim=pass for example.org".to_owned()], Some("example.org")));
    }

    #[tokio::test]
    async fn a_changed_word_breaks_the_signature() {
        let mail = signed("example.org", &["From", "Subject"], false);
        let dns = dns("s._domainkey.example.org.");
        for (from, to, word) in [("7. 5171", "7. 4445", "neutral"), ("Subject: EM", "Subject: XX", "fail")] {
            let (words, domain) = told(&mail.replace(from, to), &dns).await;
            assert_eq!((words, domain), (vec![format!("dkim={word} for example.org")], None), "{to}");
        }
    }

    #[tokio::test]
    async fn a_signature_of_another_domain_or_without_a_key_vouches_for_nobody() {
        let mail = signed("example.net", &["From", "Subject"], false);
        let (words, domain) = told(&mail, &dns("s._domainkey.example.net.")).await;
        assert_eq!((words, domain), (vec!["dkim=pass for example.net".to_owned()], None));
        let mail = signed("example.org", &["From", "Subject"], false);
        let (words, domain) = told(&mail, &dns("s._domainkey.example.net.")).await;
        assert_eq!((words, domain), (vec!["dkim=temperror for example.org".to_owned()], None), "no server answers");
    }

    #[tokio::test]
    async fn a_signature_that_leaves_something_open_is_no_pass() {
        let dns = dns("s._domainkey.example.org.");
        let (words, domain) = told(&signed("example.org", &["Subject"], false), &dns).await;
        assert!(domain.is_none() && !words.contains(&"dkim=pass for example.org".to_owned()), "{words:?}");
        let (words, domain) = told(&signed("example.org", &["From", "Subject"], true), &dns).await;
        assert!(domain.is_none() && !words.contains(&"dkim=pass for example.org".to_owned()), "{words:?}");
    }

    #[tokio::test]
    async fn of_a_flood_of_signatures_only_a_few_are_looked_up() {
        let one = signed("example.org", &["From", "Subject"], false);
        let (signature, _) = one.split_once("From: Mila").unwrap();
        let mail = format!("{}{MAIL}", signature.repeat(1000));
        assert_eq!(findings(&mail, &dns("s._domainkey.example.org.")).await.len(), SIGNATURES);
        assert_eq!(findings("", &dns("s._domainkey.example.org.")).await, []);
    }
}
