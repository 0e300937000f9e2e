//! Who is let in: links that are good once and for a few minutes, and the sessions that they open.
//!
//! A link is sealed with the key of the installation, so that `amici desk` can make one for a desk that another process serves. Sessions live in
//! memory alone: they end with the desk, and a week after their last use. What will surprise you: a link that is used a second time
//! ends the session that it opened, since somebody else may have been first.

use std::collections::HashMap;
use std::net::SocketAddr;

use chrono::{DateTime, TimeDelta, Utc};

use crate::letters::AnswerKey;

/// How long a link is good.
const GOOD: TimeDelta = TimeDelta::minutes(5);
/// How long a session lasts after its last use.
const LASTS: TimeDelta = TimeDelta::days(7);

/// A link that opens a session at a desk on this address; `nonce` is random.
pub fn link(key: &AnswerKey, address: SocketAddr, at: DateTime<Utc>, nonce: &str) -> String {
    let at = at.timestamp();
    let seal = key.seal(&sealed(address, at, nonce));
    format!("http://{address}/enter?key={at}.{nonce}.{seal}")
}

fn sealed(address: SocketAddr, at: i64, nonce: &str) -> String {
    format!("link to the desk on {address} of {at}, {nonce}")
}

/// What the link says, if it is one of this installation for this desk and not too old.
pub(super) fn opened(key: &AnswerKey, address: SocketAddr, text: &str, now: DateTime<Utc>) -> Option<Opened> {
    let mut parts = text.splitn(3, '.');
    let (at, nonce, seal) = (parts.next()?, parts.next()?, parts.next()?);
    let seconds: i64 = at.parse().ok()?;
    let at = DateTime::from_timestamp(seconds, 0)?;
    let is_fresh = at <= now + TimeDelta::seconds(5) && now - at <= GOOD;
    let is_sealed = key.is_seal(&sealed(address, seconds, nonce), seal);
    (is_fresh && is_sealed).then(|| Opened { at, nonce: nonce.to_owned() })
}

/// A link that is good, as far as it shows by itself.
pub(super) struct Opened {
    at: DateTime<Utc>,
    nonce: String,
}

/// The sessions of a desk.
pub(super) struct Sessions {
    since: DateTime<Utc>,
    open: HashMap<String, Session>,
    /// Links that were used, each with the session that it opened.
    used: HashMap<String, (DateTime<Utc>, String)>,
}

/// An open session.
struct Session {
    token: String,
    used: DateTime<Utc>,
    /// What a deed came to, for the next page.
    told: Option<String>,
}

/// Whoever is in.
#[derive(Debug, Clone)]
pub(super) struct Guest {
    pub(super) session: String,
    /// What his forms carry.
    pub(super) token: String,
}

impl Sessions {
    /// None yet; links from before this instant may have been used with an earlier desk.
    pub(super) fn since(since: DateTime<Utc>) -> Sessions {
        Sessions { since, open: HashMap::new(), used: HashMap::new() }
    }

    /// Opens a session of this name by a link. `false` where the link was used before; then the session that it opened is over too.
    pub(super) fn enter(&mut self, link: Opened, session: String, token: String, now: DateTime<Utc>) -> bool {
        // a link's instant is cut to its second
        if link.at + TimeDelta::seconds(1) <= self.since {
            return false;
        }
        if let Some((_, first)) = self.used.get(&link.nonce) {
            self.open.remove(first);
            return false;
        }
        self.used.retain(|_, (at, _)| now - *at <= GOOD * 2);
        self.open.retain(|_, session| now - session.used <= LASTS);
        self.used.insert(link.nonce, (link.at, session.clone()));
        self.open.insert(session, Session { token, used: now, told: None });
        true
    }

    /// The guest whose session has this name; it is used by that.
    pub(super) fn guest(&mut self, session: &str, now: DateTime<Utc>) -> Option<Guest> {
        let open = self.open.get_mut(session).filter(|open| now - open.used <= LASTS)?;
        open.used = now;
        Some(Guest { session: session.to_owned(), token: open.token.clone() })
    }

    /// Ends a session.
    pub(super) fn leave(&mut self, session: &str) {
        self.open.remove(session);
    }

    /// Keeps what a deed came to for the next page.
    pub(super) fn tell(&mut self, session: &str, text: String) {
        if let Some(open) = self.open.get_mut(session) {
            open.told = Some(text);
        }
    }

    /// What is to be told, once.
    pub(super) fn told(&mut self, session: &str) -> Option<String> {
        self.open.get_mut(session)?.told.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        format!("2026-06-01T{text}Z").parse().unwrap()
    }

    fn key_of(link: &str) -> &str {
        link.split_once("key=").unwrap().1
    }

    #[test]
    fn a_link_is_good_for_its_desk_and_a_few_minutes() {
        let (key, address) = (AnswerKey::new([7; 32]), "127.0.0.1:8086".parse().unwrap());
        let link = link(&key, address, at("12:00:00"), "n1");
        assert!(link.starts_with("http://127.0.0.1:8086/enter?key="), "{link}");
        let good = |key: &AnswerKey, address: &str, text: &str, now| {
            opened(key, address.parse().unwrap(), text, now).is_some()
        };
        let text = key_of(&link);
        assert!(good(&key, "127.0.0.1:8086", text, at("12:04:59")));
        assert!(!good(&key, "127.0.0.1:8086", text, at("12:05:01")));
        assert!(!good(&key, "127.0.0.1:8086", text, at("11:59:00")));
        assert!(!good(&key, "127.0.0.1:8087", text, at("12:00:01")));
        assert!(!good(&AnswerKey::new([8; 32]), "127.0.0.1:8086", text, at("12:00:01")));
        assert!(!good(&key, "127.0.0.1:8086", &text.replace("n1", "n2"), at("12:00:01")));
        for bad in ["", ".", "..", "x.n1.00", "1.n1", "99999999999999999.n1.00"] {
            assert!(!good(&key, "127.0.0.1:8086", bad, at("12:00:01")), "{bad}");
        }
    }

    #[test]
    fn a_second_use_of_a_link_ends_what_the_first_opened() {
        let mut sessions = Sessions::since(at("12:00:00"));
        let link = || Opened { at: at("12:00:00"), nonce: "n1".to_owned() };
        assert!(sessions.enter(link(), "s1".to_owned(), "t1".to_owned(), at("12:00:01")));
        assert_eq!(sessions.guest("s1", at("12:00:02")).unwrap().token, "t1");
        assert!(!sessions.enter(link(), "s2".to_owned(), "t2".to_owned(), at("12:00:03")));
        assert!(sessions.guest("s1", at("12:00:04")).is_none() && sessions.guest("s2", at("12:00:04")).is_none());
    }

    #[test]
    fn a_link_from_before_the_desk_opened_is_not_good() {
        let mut sessions = Sessions::since(at("12:00:02"));
        let old = Opened { at: at("12:00:00"), nonce: "n1".to_owned() };
        assert!(!sessions.enter(old, "s1".to_owned(), "t1".to_owned(), at("12:00:03")));
    }

    #[test]
    fn a_session_ends_a_week_after_its_last_use_and_tells_once() {
        let mut sessions = Sessions::since(at("12:00:00"));
        let link = Opened { at: at("12:00:00"), nonce: "n1".to_owned() };
        assert!(sessions.enter(link, "s1".to_owned(), "t1".to_owned(), at("12:00:00")));
        sessions.tell("s1", "done".to_owned());
        assert_eq!((sessions.told("s1"), sessions.told("s1")), (Some("done".to_owned()), None));
        let week = at("12:00:00") + LASTS;
        assert!(sessions.guest("s1", week).is_some());
        assert!(sessions.guest("s1", week + LASTS + TimeDelta::seconds(1)).is_none());
    }
}
