//! What is proven about the domain a mail says it is from: the results that the player's own server wrote into it
//! (RFC 8601), and those of a check on this machine.
//!
//! Pure: reads fields, asks nobody. Anybody can write an Authentication-Results field, so only those in the place where the
//! own server writes count for a sender: above every Received line, or else the topmost below the lines that [`OwnServer`] names. Against him
//! counts what bears its name anywhere: nobody gains by adding that.
//! What will surprise you: SPF proves nothing about the From line and is not read; a DKIM signature of a domain below the
//! sender's proves nothing (its owner may be a stranger) unless DMARC says so; a signature with `l=` voids all.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::address::{Address, domain_in_ascii, is_within};
use super::headers::Headers;
use super::text::one_line;

/// How far a From line is believed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// As it stands.
    #[default]
    From,
    /// Only with a DKIM or DMARC pass for its domain.
    Strict,
    /// Once his mails came with such a pass, only with one.
    Pinned,
    /// As it stands, but the player decides each time.
    Confirm,
}

/// Where the player's own mail server writes its results.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnServer {
    /// The names it signs its Authentication-Results with, in lower case (RFC 8601, 2.5); empty: none is believed.
    pub ids: Vec<String>,
    /// The hosts whose Received lines it puts above them, topmost first, in lower case; empty: none.
    pub received_by: Vec<String>,
}

impl OwnServer {
    /// Whether it wrote results into this header, in the place where they are believed.
    pub fn wrote_into(&self, headers: &Headers) -> bool {
        server_findings(headers, self).is_some()
    }
}

/// What was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// A signature of a domain (RFC 6376).
    Dkim,
    /// The domain of the From line, by what it publishes (RFC 7489).
    Dmarc,
    /// The player's own folder of sent mails, where nobody else puts any.
    Filed,
}

/// One result of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What was checked.
    pub method: Method,
    /// It came out as `pass`.
    pub pass: bool,
    /// The word for it: `pass`, `fail`, `none`, ... in one short line.
    pub word: String,
    /// The domain it speaks of, in the spelling of [`Address::domain`].
    pub domain: Option<String>,
}

impl Finding {
    /// Of a mail of this sender's that lies in the player's folder of sent mails.
    pub fn filed(from: &Address) -> Finding {
        Finding { method: Method::Filed, pass: true, word: "pass".to_owned(), domain: Some(from.domain().to_owned()) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let method = match self.method {
            Method::Dkim => "dkim",
            Method::Dmarc => "dmarc",
            Method::Filed => "filed",
        };
        write!(f, "{method}={}", self.word)?;
        self.domain.as_ref().map_or(Ok(()), |domain| write!(f, " for {domain}"))
    }
}

/// All that is known about where a mail comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authentication {
    /// The own server's results; `None` where it wrote none that can be trusted.
    server: Option<Vec<Finding>>,
    /// What bears its name in another place and says `fail`.
    against: Vec<Finding>,
    /// This machine's own; `None` where it did not look.
    here: Option<Vec<Finding>>,
}

impl Authentication {
    /// The results in a mail's header, with those of this machine.
    pub fn of(headers: &Headers, own: &OwnServer, here: Option<&[Finding]>) -> Self {
        let server = server_findings(headers, own);
        // RFC 6376, 8.2: whoever appends to a text signed in part keeps the signature
        let in_part = headers.all("dkim-signature").any(|value| tags(value).any(|(tag, _)| tag == "l"));
        // 8.15: of two fields one is signed, and the other may be the one that is read
        let is_topped = ONCE.iter().any(|name| headers.count(name) > 1);
        let void = |findings: Vec<Finding>| match in_part || is_topped {
            true => findings.into_iter().map(|f| Finding { pass: false, ..f }).collect(),
            false => findings,
        };
        let elsewhere = headers.all("authentication-results").filter_map(|value| results_by(value, &own.ids)).flatten();
        let against =
            elsewhere.filter(|f| f.word == "fail" && !server.iter().flatten().any(|known| known == f)).collect();
        Self { server: server.map(void), against, here: here.map(|findings| void(findings.to_vec())) }
    }

    /// The domain whose servers vouch for this sender: his own, or one above it.
    pub fn vouching_domain(&self, from: &Address) -> Option<&str> {
        self.vouching(from)?.domain.as_deref()
    }

    /// The pass that vouches for this sender: for his own domain, or for one above it.
    pub fn vouching(&self, from: &Address) -> Option<&Finding> {
        // a policy of his domain that refuses the mail outweighs every pass beside it
        let refuses = |f: &Finding| {
            f.method == Method::Dmarc && !f.pass && f.domain.as_deref().is_none_or(|domain| domain == from.domain())
        };
        let server = self.server.iter().filter(|findings| !findings.iter().any(refuses));
        let findings = server.chain(&self.here).flatten();
        findings.filter(|finding| finding.pass).find(|finding| {
            finding.domain.as_deref().is_some_and(|domain| match finding.method {
                Method::Dkim => is_at_or_above(domain, from.domain()),
                Method::Dmarc | Method::Filed => domain == from.domain(),
            })
        })
    }

    /// Whether a check says that this sender did not write the mail, and none that he did. Where nothing was checked, it says nothing.
    pub fn refuses(&self, from: &Address) -> bool {
        let is_about = |f: &Finding| {
            f.word == "fail" && f.domain.as_deref().is_none_or(|domain| is_at_or_above(domain, from.domain()))
        };
        let fails = self.server.iter().chain([&self.against]).chain(&self.here).flatten().any(is_about);
        fails && self.vouching_domain(from).is_none()
    }
}

/// The fields that a mail has once at most (RFC 5322, 3.6), and by which it is read.
const ONCE: [&str; 8] = ["from", "subject", "date", "to", "cc", "message-id", "in-reply-to", "content-type"];

/// What a mail that is signed for this domain, and sent again by somebody else, could have had changed: fields that it lacks, or that a
/// signature of the domain does not cover. `None` where it is whole. A pass that needed no signature came straight from the domain.
pub fn left_open(headers: &Headers, vouching: &Finding) -> Option<String> {
    const MUST: [&str; 5] = ["from", "subject", "date", "to", "message-id"];
    let lacks: Vec<&str> = MUST.into_iter().filter(|name| headers.count(name) == 0).collect();
    if !lacks.is_empty() {
        return Some(format!("the mail has no {}", lacks.join(", ")));
    }
    let domain = vouching.domain.as_deref()?;
    let is_of_domain = |value: &&str| {
        let signed_by = tags(value).find(|(tag, _)| *tag == "d").and_then(|(_, d)| domain_in_ascii(d));
        signed_by.is_some_and(|d| is_at_or_above(&d, domain) || is_at_or_above(domain, &d))
    };
    let signatures: Vec<&str> = headers.all("dkim-signature").filter(is_of_domain).collect();
    if signatures.is_empty() {
        return (vouching.method == Method::Dkim).then(|| format!("no signature of {domain} stands in the mail"));
    }
    let must = MUST.into_iter().chain((headers.count("content-type") > 0).then_some("content-type"));
    let open: Vec<&str> = must.filter(|name| !signatures.iter().all(|value| covers(value, name))).collect();
    (!open.is_empty()).then(|| format!("the signature of {domain} does not cover {}", open.join(", ")))
}

/// Whether a DKIM-Signature covers a field (RFC 6376, 3.5, `h=`).
fn covers(signature: &str, field: &str) -> bool {
    let names = tags(signature).filter(|(tag, _)| *tag == "h").flat_map(|(_, names)| names.split(':'));
    names.map(str::trim).any(|name| name.eq_ignore_ascii_case(field))
}

impl fmt::Display for Authentication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |findings: &[Finding]| match findings {
            [] => "nothing of it".to_owned(),
            some => some.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        };
        match &self.server {
            Some(findings) => write!(f, "your server reports {}", list(findings))?,
            None => f.write_str("no result of your own server stands in its place")?,
        }
        if !self.against.is_empty() {
            write!(f, "; in another place your server's name stands before {}", list(&self.against))?;
        }
        self.here.as_ref().map_or(Ok(()), |findings| write!(f, "; this machine found {}", list(findings)))
    }
}

/// Two labels at least: nobody signs for a whole top-level domain.
fn is_at_or_above(domain: &str, of: &str) -> bool {
    is_within(of, domain) && domain.contains('.')
}

/// The fields of servers, and the first that an author or his program writes.
const FIELDS: [&str; 10] = [
    "received",
    "authentication-results",
    "from",
    "to",
    "subject",
    "date",
    "message-id",
    "mime-version",
    "content-type",
    "dkim-signature",
];

/// The results of the own server; lower fields may be anybody's.
fn server_findings(headers: &Headers, own: &OwnServer) -> Option<Vec<Finding>> {
    let mut above: Vec<Vec<Finding>> = Vec::new();
    let mut hops = 0;
    let mut passed = false;
    for (name, value) in headers.of_names(&FIELDS) {
        // below the first field of its author a mail is as he made it
        if !matches!(name, "received" | "authentication-results") {
            break;
        }
        if name == "authentication-results" {
            match results_by(value, &own.ids) {
                // beside the lines of the own server a mail may bring fields of its own: only the topmost is the server's
                Some(findings) if passed => return Some(findings),
                Some(findings) => above.push(findings),
                None => {}
            }
            continue;
        }
        if !above.is_empty() {
            return Some(above.into_iter().flatten().collect());
        }
        let is_own = match (hop(value), own.received_by.get(hops)) {
            (None, _) => false,
            (Some(_), None) if !own.received_by.is_empty() => false,
            // handed on within one server: nothing from outside came in here
            (Some(Hop { from_elsewhere: false, .. }), _) => true,
            (Some(Hop { by, .. }), Some(expected)) => {
                hops += 1;
                by == *expected
            }
            (Some(_), None) => false,
        };
        if !is_own {
            return None;
        }
        passed = true;
    }
    // what no Received line stands below was taken by no server
    None
}

/// The server that writes its results into most of these headers (four of five, three at least), with the place where it does, and the number
/// of them. Only a place counts where nobody else can write: above every Received line, or right below one that bears the server's name.
pub fn own_server_in(headers: &[Headers]) -> Option<(OwnServer, usize)> {
    let mut counted: BTreeMap<(String, Vec<String>), usize> = BTreeMap::new();
    for place in headers.iter().filter_map(place_of_results) {
        *counted.entry(place).or_default() += 1;
    }
    let ((id, received_by), count) = counted.into_iter().max_by_key(|(_, count)| *count)?;
    let is_most = count >= 3 && count * 5 >= headers.len() * 4;
    is_most.then(|| (OwnServer { ids: vec![id], received_by }, count))
}

/// Who wrote the topmost results, and the hosts of the Received lines above them.
fn place_of_results(headers: &Headers) -> Option<(String, Vec<String>)> {
    let mut hosts = Vec::new();
    for (name, value) in headers.of_names(&FIELDS) {
        match name {
            "authentication-results" => {
                let id = domain_in_ascii(words(value)?.first()?.first()?)?;
                let is_own = headers.count("received") > 0 && hosts.last().is_none_or(|by| *by == id);
                return is_own.then_some((id, hosts));
            }
            "received" => {
                let hop = hop(value)?;
                hosts.extend(hop.from_elsewhere.then_some(hop.by));
            }
            _ => return None,
        }
    }
    None
}

/// Who took a mail over, by one Received line (RFC 5321, 4.4).
struct Hop {
    from_elsewhere: bool,
    by: String,
}

fn hop(value: &str) -> Option<Hop> {
    let words = words(value)?.into_iter().next()?;
    let from_elsewhere = words.first().is_some_and(|word| word.eq_ignore_ascii_case("from"));
    // the name after `from` is the sender's own choice
    let mut rest = words.into_iter().skip(if from_elsewhere { 2 } else { 0 });
    rest.find(|word| word.eq_ignore_ascii_case("by"))?;
    Some(Hop { from_elsewhere, by: rest.next()?.to_ascii_lowercase() })
}

/// The results of one field, if one of these servers wrote it (RFC 8601, 2.2).
fn results_by(value: &str, ids: &[String]) -> Option<Vec<Finding>> {
    let mut groups = words(value)?.into_iter();
    let head = groups.next()?;
    let (id, version) = (head.first()?.to_ascii_lowercase(), head.get(1).map_or("1", String::as_str));
    (ids.contains(&id) && version == "1").then(|| groups.filter_map(|group| finding(&group)).collect())
}

/// One `method=result` with its properties; of another method, or not in the form of the RFC, nothing.
fn finding(words: &[String]) -> Option<Finding> {
    let mut pairs = pairs(words)?.into_iter();
    let (method, result) = pairs.next()?;
    let properties: Vec<(String, String)> = pairs.map(|(key, value)| (key.to_ascii_lowercase(), value)).collect();
    let property = |name: &str| properties.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    // 2.2: what a later version of a method means is not known
    let method = method.strip_suffix("/1").unwrap_or(&method);
    let (method, domain) = match method.to_ascii_lowercase().as_str() {
        "dkim" => {
            let d = property("header.d").or_else(|| Some(property("header.i")?.rsplit_once('@')?.1));
            (Method::Dkim, d)
        }
        "dmarc" => (Method::Dmarc, property("header.from")),
        _ => return None,
    };
    let domain = domain.and_then(domain_in_ascii);
    let pass = result.eq_ignore_ascii_case("pass");
    Some(Finding { method, pass, word: one_line(&result.to_ascii_lowercase(), 20), domain })
}

/// `key=value` pairs, with or without blanks round the sign; `None` where anything else stands among them.
fn pairs(words: &[String]) -> Option<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let (key, value) = match word.split_once('=') {
            Some(pair) => pair,
            None => (word, words.next()?.strip_prefix('=')?),
        };
        let value = if value.is_empty() { words.next()? } else { value };
        pairs.push((key.to_owned(), value.to_owned()));
    }
    Some(pairs)
}

/// The words of a structured field, grouped by its semicolons, without comments; `None` where a quote or a comment is open.
fn words(value: &str) -> Option<Vec<Vec<String>>> {
    let mut groups = vec![Vec::new()];
    let mut word = String::new();
    let (mut quoted, mut depth) = (false, 0_usize);
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' if quoted || depth > 0 => {
                let escaped = characters.next()?;
                if depth == 0 {
                    word.push(escaped);
                }
            }
            '"' if depth == 0 => quoted = !quoted,
            _ if quoted => word.push(character),
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            ';' => {
                groups.last_mut()?.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
                groups.push(Vec::new());
            }
            _ if character.is_whitespace() => {
                groups.last_mut()?.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            }
            _ => word.push(character),
        }
    }
    groups.last_mut()?.extend((!word.is_empty()).then_some(word));
    (!quoted && depth == 0).then_some(groups)
}

/// The tags of a DKIM-Signature (RFC 6376, 3.2).
fn tags(value: &str) -> impl Iterator<Item = (&str, &str)> {
    value.split(';').filter_map(|tag| tag.split_once('=')).map(|(name, value)| (name.trim(), value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECEIVED: &str = "Received: from mail.example.org (mail.example.org [192.0.2.1]) by mx.example.com; date\n";
    const FOREIGN: &str = "Received: from home by mail.example.org; date\n";
    const PASS: &str = "Authentication-Results: mx.example.com; dkim=pass header.d=example.org\n";

    fn own(received_by: &[&str]) -> OwnServer {
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
        OwnServer { ids: texts(&["mx.example.com"]), received_by: texts(received_by) }
    }

    fn vouches(header: &str, own: &OwnServer) -> Option<String> {
        let from = "opp@example.org".parse().unwrap();
        let authentication = Authentication::of(&Headers::read(header.as_bytes()), own, None);
        authentication.vouching_domain(&from).map(str::to_owned)
    }

    /// Whether this value of the field, in the right place, vouches for `opp@example.org`.
    fn field(value: &str) -> bool {
        vouches(&format!("Authentication-Results: {value}\n{RECEIVED}"), &own(&[])).is_some()
    }

    #[test]
    fn the_own_server_is_believed_where_it_writes_and_nobody_elsewhere() {
        let (above, one) = (own(&[]), own(&["mx.example.com"]));
        let google = "Received: by 2001:db8::1 with SMTP id x; date\n";
        for (header, trusted) in [
            (format!("{PASS}{RECEIVED}{FOREIGN}"), true),
            (format!("{RECEIVED}{PASS}{FOREIGN}"), true),
            (format!("{google}{RECEIVED}{PASS}{FOREIGN}"), true),
            (format!("{RECEIVED}{FOREIGN}{PASS}"), false),
            (format!("{FOREIGN}{PASS}"), false),
            (format!("{RECEIVED}{RECEIVED}{PASS}"), false),
            (format!("{RECEIVED}{google}{PASS}"), false),
            (format!("Received: from mx.example.com by evil.example.net; date\n{PASS}"), false),
            (format!("Received: from by mx.example.com by evil.example.net; date\n{PASS}"), false),
            (PASS.to_owned(), false),
        ] {
            let is_above = header.starts_with(PASS);
            assert_eq!(vouches(&header, &above).is_some(), trusted && is_above, "no host may stand above it: {header}");
            assert_eq!(vouches(&header, &one).is_some(), trusted, "{header}");
        }
        assert_eq!(vouches(&format!("{PASS}{RECEIVED}"), &OwnServer::default()), None, "no server is named");
    }

    #[test]
    fn a_fail_in_the_name_of_the_own_server_counts_wherever_it_stands_and_a_pass_in_its_place_outweighs_it() {
        let from = "opp@example.org".parse().unwrap();
        let fail = "Authentication-Results: mx.example.com; dmarc=fail header.from=example.org\n";
        let other = fail.replace("mx.example.com", "mx.example.net");
        for (header, refused) in [
            (format!("{fail}{RECEIVED}"), true),
            (format!("{RECEIVED}{fail}"), true),
            (format!("{RECEIVED}{FOREIGN}{fail}"), true),
            (format!("{PASS}{RECEIVED}{fail}"), false),
            (format!("{RECEIVED}{other}"), false),
            (format!("{RECEIVED}{}", fail.replace("dmarc=fail", "dmarc=none")), false),
            (format!("{RECEIVED}{}", fail.replace("from=example.org", "from=example.net")), false),
        ] {
            let authentication = Authentication::of(&Headers::read(header.as_bytes()), &own(&[]), None);
            assert_eq!(authentication.refuses(&from), refused, "{header}");
        }
    }

    #[test]
    fn the_topmost_field_of_the_own_server_hides_what_the_mail_brought_along() {
        let none = "Authentication-Results: mx.example.com; dkim=none\n";
        let one = own(&["mx.example.com"]);
        assert_eq!(vouches(&format!("{RECEIVED}{none}{PASS}{FOREIGN}"), &one), None);
        assert_eq!(vouches(&format!("{none}{RECEIVED}{PASS}{FOREIGN}"), &one), None);
        assert!(vouches(&format!("{none}{PASS}{RECEIVED}"), &one).is_some(), "both stand above all");
    }

    #[test]
    fn the_hosts_of_the_own_server_are_passed_in_their_order_and_once() {
        let two = own(&["store.example.com", "mx.example.com"]);
        let store = "Received: from mx.example.com by store.example.com; date\n";
        assert!(vouches(&format!("{store}{RECEIVED}{PASS}{FOREIGN}"), &two).is_some());
        assert!(vouches(&format!("{store}{PASS}{RECEIVED}{FOREIGN}"), &two).is_some());
        assert_eq!(vouches(&format!("{RECEIVED}{store}{PASS}"), &two), None);
        assert_eq!(vouches(&format!("{store}{RECEIVED}{RECEIVED}{PASS}"), &two), None);
    }

    #[test]
    fn a_pass_is_read_in_every_form_of_the_rfc() {
        for value in [
            "mx.example.com; dkim=pass header.d=example.org",
            "MX.Example.COM 1; DKIM=Pass Header.D=EXAMPLE.org",
            "mx.example.com (Postfix; (really)); spf=fail smtp.mailfrom=x@y; dkim=pass (2048-bit) header.d=example.org",
            "\"mx.example.com\"; dkim = pass reason=\"a; dkim=fail\" header.i=@example.org header.b=abc=",
            "mx.example.com; dkim=fail header.d=x.org; dkim/1=pass header.i=opp@example.org",
            "mx.example.com; dmarc=pass (p=NONE) action=none header.from=example.org",
            "mx.example.com;\tdkim=pass\theader.d=\texample.org",
        ] {
            assert!(field(value), "{value}");
        }
    }

    #[test]
    fn what_is_no_pass_for_his_domain_vouches_for_nothing() {
        for value in [
            "evil.example.net; dkim=pass header.d=example.org",
            "mx.example.com 2; dkim=pass header.d=example.org",
            "mx.example.com; none",
            "mx.example.com; dkim=fail header.d=example.org",
            "mx.example.com; dkim=pass",
            "mx.example.com; dkim=pass header.d=example.net",
            "mx.example.com; dkim=pass header.d=sub.example.org",
            "mx.example.com; dkim=pass header.d=org",
            "mx.example.com; dkim=pass header.d=ample.org",
            "mx.example.com; dmarc=pass header.from=sub.example.org",
            "mx.example.com; spf=pass smtp.mailfrom=opp@example.org",
            "mx.example.com; dkim=pass stray header.d=example.org",
            "mx.example.com; spf=fail (dkim=pass header.d=example.org)",
            "mx.example.com; spf=fail reason=\"; dkim=pass header.d=example.org\"",
            "mx.example.com; dkim=pass header.d=example.org (open",
            "mx.example.com; dkim=pass header.d=\"example.org",
        ] {
            assert!(!field(value), "{value}");
        }
        let from = "opp@mail.example.org".parse().unwrap();
        let headers = Headers::read(format!("{PASS}{RECEIVED}").as_bytes());
        let above = Authentication::of(&headers, &own(&[]), None);
        assert_eq!(above.vouching_domain(&from), Some("example.org"), "the owner of a domain speaks for those below");
    }

    #[test]
    fn a_text_signed_in_part_is_not_signed() {
        let signature = |tags: &str| format!("DKIM-Signature: v=1; d=example.org;{tags}\n b=x\n");
        assert!(vouches(&format!("{PASS}{RECEIVED}{}", signature("")), &own(&[])).is_some());
        assert_eq!(vouches(&format!("{PASS}{RECEIVED}{}", signature(" l=10;")), &own(&[])), None);
    }

    #[test]
    fn what_was_found_is_told_in_words() {
        let told = |header: &str, here: Option<&[Finding]>| {
            Authentication::of(&Headers::read(header.as_bytes()), &own(&[]), here).to_string()
        };
        assert_eq!(told(&format!("{PASS}{RECEIVED}"), None), "your server reports dkim=pass for example.org");
        assert_eq!(
            told("", Some(&[])),
            "no result of your own server stands in its place; this machine found nothing of it"
        );
    }
}
