//! The autoconfig file of Thunderbird (`config-v1.1.xml`), in which a domain or the public database names the servers of an address.
//!
//! Pure: text becomes places. What has no encryption is left out. IMAP that begins without is taken for the port with TLS from the
//! first byte of the same host, which is the only one that is used.

use roxmltree::{Document, Node};

use super::{Password, Place};
use crate::io::http::HttpError;
use crate::io::smtp::Security;
use crate::mail::address::Address;

/// Why there are no servers in an autoconfig file.
#[derive(Debug, thiserror::Error)]
pub enum AutoconfigError {
    /// Nobody gave one.
    #[error("there is no autoconfig at {url}: {why}")]
    NoAnswer {
        /// The address that was asked.
        url: String,
        /// In one clause.
        why: HttpError,
    },
    /// It is not the file that it should be.
    #[error("the answer is no autoconfig file (config-v1.1.xml)")]
    NotAutoconfig,
    /// It names no servers that can be used.
    #[error("the autoconfig file names no {missing} with encryption")]
    NoServer {
        /// `IMAP server` or `SMTP server`.
        missing: &'static str,
    },
}

/// What such a file says of an address. There is one place of each kind at least.
#[derive(Debug, PartialEq, Eq)]
pub struct Autoconfig {
    /// Where mail is read, the preferred first.
    pub imap: Vec<Place>,
    /// Where mail is handed over, the preferred first.
    pub smtp: Vec<Place>,
    /// Known where only OAuth2 is taken.
    pub password: Password,
    /// The provider's name.
    pub provider: Option<String>,
}

impl Autoconfig {
    /// Reads a file for an address.
    ///
    /// # Errors
    /// `NotAutoconfig` and `NoServer`.
    pub fn read(text: &str, address: &Address) -> Result<Autoconfig, AutoconfigError> {
        // a document type, and with it entities of its own, is not read
        let document = Document::parse(text).map_err(|_| AutoconfigError::NotAutoconfig)?;
        let root = document.root_element();
        let provider = child(root, "emailProvider").filter(|_| root.has_tag_name("clientConfig"));
        let provider = provider.ok_or(AutoconfigError::NotAutoconfig)?;
        let of_kind = |tag: &'static str, kind: &'static str| {
            let servers = provider.children().filter(move |node| node.has_tag_name(tag));
            servers.filter(move |node| node.attribute("type") == Some(kind))
        };
        let incoming: Vec<Node<'_, '_>> = of_kind("incomingServer", "imap").collect();
        let imap = incoming.iter().filter_map(|server| {
            let place = place(*server, address)?;
            Some(match place.security {
                Security::Implicit => place,
                Security::StartTls => Place { port: 993, security: Security::Implicit, ..place },
            })
        });
        let mut imap: Vec<Place> = imap.collect();
        imap.dedup();
        let mut smtp: Vec<Place> =
            of_kind("outgoingServer", "smtp").filter_map(|server| place(server, address)).collect();
        // RFC 8314 section 3: TLS from the first byte, where there is a choice
        smtp.sort_by_key(|place| place.security == Security::StartTls);
        for (places, missing) in [(&imap, "IMAP server"), (&smtp, "SMTP server")] {
            if places.is_empty() {
                return Err(AutoconfigError::NoServer { missing });
            }
        }
        let name = child_text(provider, "displayName").map(str::to_owned);
        let wants_token = incoming.iter().all(|server| {
            let mut ways = server.children().filter(|node| node.has_tag_name("authentication"));
            ways.clone().count() > 0 && ways.all(|way| way.text().map(str::trim) == Some("OAuth2"))
        });
        let password = if wants_token {
            let who = name.as_deref().unwrap_or("The provider");
            let advice = format!("{who} takes no password from a mail program: it wants a token of OAuth2.");
            Password::Known { token: true, login: None, advice }
        } else {
            Password::Unknown
        };
        Ok(Autoconfig { imap, smtp, password, provider: name })
    }
}

/// A server that can be used: with encryption, and a name that is one.
fn place(server: Node<'_, '_>, address: &Address) -> Option<Place> {
    let security = match child_text(server, "socketType")? {
        "SSL" => Security::Implicit,
        "STARTTLS" => Security::StartTls,
        _ => return None,
    };
    let filled = |tag: &str| Some(fill(child_text(server, tag)?, address));
    let host = filled("hostname").filter(|host| is_host(host))?.to_ascii_lowercase();
    let port = child_text(server, "port")?.parse().ok().filter(|port| *port > 0)?;
    let user = filled("username").filter(|user| !user.is_empty() && !user.contains(char::is_control));
    Some(Place { host, port, security, user: user.unwrap_or_else(|| address.to_string()) })
}

fn fill(text: &str, address: &Address) -> String {
    text.replace("%EMAILADDRESS%", &address.to_string())
        .replace("%EMAILLOCALPART%", address.local())
        .replace("%EMAILDOMAIN%", address.domain())
}

fn is_host(host: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'.' || b == b'-';
    (1..=253).contains(&host.len()) && host.bytes().all(plain)
}

fn child<'a, 'i>(node: Node<'a, 'i>, tag: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(tag))
}

fn child_text<'a>(node: Node<'a, '_>, tag: &str) -> Option<&'a str> {
    child(node, tag)?.text().map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nora() -> Address {
        "nora@example.org".parse().unwrap()
    }

    fn server(tag: &str, kind: &str, host: &str, port: u16, socket: &str, more: &str) -> String {
        format!(
            "<{tag} type=\"{kind}\"><hostname>{host}</hostname><port>{port}</port><socketType>{socket}</socketType>{more}</{tag}>"
        )
    }

    fn file(servers: &[String]) -> String {
        format!(
            "<?xml version=\"1.0\"?><clientConfig version=\"1.1\"><emailProvider id=\"example.org\">\
             <domain>example.org</domain><displayName>Example Mail</displayName>{}</emailProvider></clientConfig>",
            servers.concat()
        )
    }

    #[test]
    fn the_servers_with_encryption_are_taken_and_the_marks_of_the_address_filled_in() {
        let text = file(&[
            server("incomingServer", "pop3", "pop.example.org", 995, "SSL", ""),
            server("incomingServer", "imap", "plain.example.org", 143, "plain", ""),
            server("incomingServer", "imap", "imap.%EMAILDOMAIN%", 993, "SSL", "<username>%EMAILLOCALPART%</username>"),
            server(
                "incomingServer",
                "imap",
                "imap.example.org",
                143,
                "STARTTLS",
                "<username>%EMAILLOCALPART%</username>",
            ),
            server("outgoingServer", "smtp", "out.example.org", 587, "STARTTLS", ""),
            server("outgoingServer", "smtp", "Out.example.org", 465, "SSL", "<username>%EMAILADDRESS%</username>"),
        ]);
        let found = Autoconfig::read(&text, &nora()).unwrap();
        let place = |host: &str, port: u16, security: Security, user: &str| Place {
            host: host.to_owned(),
            port,
            security,
            user: user.to_owned(),
        };
        assert_eq!(found.imap, [place("imap.example.org", 993, Security::Implicit, "nora")]);
        assert_eq!(
            found.smtp,
            [
                place("out.example.org", 465, Security::Implicit, "nora@example.org"),
                place("out.example.org", 587, Security::StartTls, "nora@example.org")
            ]
        );
        assert_eq!((found.password, found.provider.as_deref()), (Password::Unknown, Some("Example Mail")));
    }

    #[test]
    fn a_provider_that_takes_oauth_alone_is_told() {
        let (oauth, both) =
            ("<authentication>OAuth2</authentication>", "<authentication>password-cleartext</authentication>");
        let read = |ways: &str| {
            let imap = server("incomingServer", "imap", "imap.example.org", 993, "SSL", ways);
            let smtp = server("outgoingServer", "smtp", "smtp.example.org", 465, "SSL", "");
            Autoconfig::read(&file(&[imap, smtp]), &nora()).unwrap().password
        };
        assert!(read(oauth).is_token());
        assert!(!read(&format!("{oauth}{both}")).is_token());
        assert!(!read("").is_token());
    }

    #[test]
    fn what_is_no_such_file_or_names_nothing_of_use_is_an_error() {
        let said = |text: &str| Autoconfig::read(text, &nora()).unwrap_err().to_string();
        let imap = server("incomingServer", "imap", "imap.example.org", 993, "SSL", "");
        let no_file = "the answer is no autoconfig file (config-v1.1.xml)";
        for text in ["", "<html><body>parked</body></html>", "<!DOCTYPE x [<!ENTITY a \"b\">]><clientConfig/>"] {
            assert_eq!(said(text), no_file, "{text}");
        }
        assert_eq!(said(&file(&[])), "the autoconfig file names no IMAP server with encryption");
        assert_eq!(
            said(&file(std::slice::from_ref(&imap))),
            "the autoconfig file names no SMTP server with encryption"
        );
        for host in ["a b", "", "h\u{e9}.org", "x/y"] {
            let bad = server("outgoingServer", "smtp", host, 465, "SSL", "");
            assert_eq!(said(&file(&[imap.clone(), bad])), "the autoconfig file names no SMTP server with encryption");
        }
    }
}
