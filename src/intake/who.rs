//! Who wrote a mail, and how far he is believed: the opponent's addresses, his sender policy, and what marks a program's mail.
//!
//! Pure. What will surprise you: a mail that fails the policy was read all the same, so that an absence note does not
//! count as a forgery; and a Reply-To or Sender field decides nothing, it is only mentioned.

use super::several::candidates;
use super::which::{Thread, words};
use crate::config::{Me, Senders};
use crate::domain::game::Game;
use crate::domain::judge::{Missing, NotProven, Reason, Verdict};
use crate::io::store::{SenderDomain, addresses_in};
use crate::languages::Phrase;
use crate::mail::address::Address;
use crate::mail::authentication::{Authentication, Finding, Policy, left_open};
use crate::mail::automatic::Automatic;
use crate::mail::message::IncomingMessage;
use crate::mail::sender::Sender;
use crate::phrase;

/// What is known of senders beside the mail itself.
#[derive(Debug, Clone, Copy)]
pub struct Trust<'a> {
    /// How far each is believed.
    pub senders: &'a Senders,
    /// Which domains vouched for opponents' mails so far.
    pub seen: &'a [SenderDomain],
    /// What this machine found out about the mail's signatures; `None` where it did not look.
    pub verified: Option<&'a [Finding]>,
}

impl Default for Trust<'_> {
    /// Every From line is believed.
    fn default() -> Self {
        static BELIEVED: std::sync::LazyLock<Senders> = std::sync::LazyLock::new(Senders::default);
        Trust { senders: &BELIEVED, seen: &[], verified: None }
    }
}

/// Whether it is one of the opponent's addresses.
pub(crate) fn is_opponent(thread: &Thread, address: &Address) -> bool {
    let emails = &thread.game.opponent().emails;
    emails.iter().any(|email| email.parse::<Address>().is_ok_and(|email| email.is_same_mailbox(address)))
}

/// The address of the opponent's to which a mail of his asks for the answer (RFC 5322, 3.6.2): its Reply-To, else its From; of those that
/// are known as his.
pub(crate) fn answer_to(message: &IncomingMessage, game: &Game) -> Option<String> {
    let asked: Vec<String> = message.headers.all("reply-to").map(str::to_lowercase).collect();
    let from = message.from.as_ref().ok().map(|sender| &sender.address);
    let in_reply_to = |email: &&String| {
        let email = email.to_lowercase();
        let is_of_word = |c: char| !(c.is_whitespace() || matches!(c, '<' | '>' | ',' | '"'));
        asked.iter().any(|field| field.split(|c| !is_of_word(c)).any(|word| word == email))
    };
    let is_from = |email: &&String| {
        from.zip(email.parse::<Address>().ok()).is_some_and(|(from, email)| email.is_same_mailbox(from))
    };
    let his = &game.opponent().emails;
    his.iter().find(in_reply_to).or_else(|| his.iter().find(is_from)).cloned()
}

/// A mail that shows an opponent's name or address above another address.
pub(super) fn is_namesake(thread: &Thread, sender: &Sender) -> bool {
    let opponent = thread.game.opponent();
    let name = |text: &str| {
        let mut words = words(text);
        words.sort();
        words
    };
    let shown = sender.name.as_deref().unwrap_or_default();
    let shows_address = || addresses_in(shown).any(|address| is_opponent(thread, &address));
    let shows_name = || !name(shown).is_empty() && name(shown) == name(&opponent.name);
    thread.game.result.is_none() && (shows_name() || shows_address())
}

pub(super) fn wrong_sender(thread: &Thread, sender: &Sender) -> Verdict {
    Verdict::WrongSender(Reason::NotTheOpponent {
        from: sender.address.to_string(),
        opponent: thread.game.opponent().name.clone(),
        game: thread.game.id.to_string(),
    })
}

/// An opponent's address with what vouches for it.
pub(super) struct Origin<'a> {
    message: &'a IncomingMessage,
    me: &'a Me,
    from: &'a Address,
    authentication: Authentication,
    trust: &'a Trust<'a>,
}

impl<'a> Origin<'a> {
    /// Of a mail that one of the opponents seems to have written; `None` of any other.
    pub(super) fn of(
        message: &'a IncomingMessage,
        me: &'a Me,
        trust: &'a Trust<'a>,
        threads: &[Thread],
    ) -> Option<Self> {
        let from = &message.from.as_ref().ok()?.address;
        let own = &trust.senders.own_server;
        threads.iter().any(|thread| is_opponent(thread, from)).then(|| Origin {
            message,
            me,
            from,
            authentication: Authentication::of(&message.headers, own, trust.verified),
            trust,
        })
    }

    /// What vouches for the mail.
    pub(super) fn vouching(&self) -> Option<&Finding> {
        self.authentication.vouching(self.from)
    }

    /// Whether something could vouch for the mail, and nothing does.
    pub(super) fn is_unproven(&self) -> bool {
        self.trust.senders.can_prove() && self.vouching().is_none()
    }

    /// The verdict for a game, as far as the checks of this mail and the policy for its sender let it stand.
    pub(super) fn allowed(&self, thread: &Thread, verdict: Verdict) -> Verdict {
        let (from, game) = (self.from.to_string(), thread.game.id.to_string());
        let seen = self.trust.seen.iter().filter(|seen| seen.is_of(self.from)).max_by_key(|seen| seen.last_at);
        let is_to_player = || self.message.to.iter().chain(&self.message.cc).any(|to| self.me.is_mine(to));
        let missing = match (self.trust.senders.policy_of(self.from), self.vouching(), seen) {
            (Policy::Strict, Some(vouching), _) => match left_open(&self.message.headers, vouching) {
                Some(open) => Missing::Whole { open },
                None if !is_to_player() => Missing::Whole { open: "you are not among its recipients".to_owned() },
                None => return verdict,
            },
            (Policy::Pinned, Some(_), _) => return verdict,
            (Policy::Strict, None, _) => Missing::Always { domain: self.from.domain().to_owned() },
            (Policy::Pinned, None, Some(last)) => {
                Missing::AsBefore { domain: last.domain.clone(), mails: last.mails, last: last.last_at.date_naive() }
            }
            // whoever believes every From line does not mean one that was found to be false
            _ if self.authentication.refuses(self.from) => Missing::Refused,
            (Policy::Confirm, ..) => {
                return match verdict {
                    Verdict::Accepted(_) | Verdict::Resignation(_) | Verdict::DrawAccepted(_) => {
                        Verdict::Held { reason: Reason::ToConfirm { from, game }, candidates: candidates(verdict) }
                    }
                    other => other,
                };
            }
            (Policy::From | Policy::Pinned, ..) => return verdict,
        };
        let found = self.authentication.to_string();
        let refused = NotProven { from, missing, found, game };
        match verdict {
            Verdict::NotAMove(_) => verdict,
            _ => Verdict::WrongSender(Reason::NotProven(Box::new(refused))),
        }
    }
}

/// The verdict on an opponent's mail that bears a mark of programs: what touches the game waits for the player, the rest is
/// no game mail. Where no person's letter can carry the mark, only a move or a result touches it.
pub(super) fn of_marked(mark: Automatic, verdict: Verdict) -> Verdict {
    let is_certain = mark.is_certain();
    let offers = matches!(&verdict, Verdict::Held { candidates, .. } if !candidates.is_empty());
    match &verdict {
        // some servers put that on every letter
        Verdict::Accepted(_) if mark == Automatic::ResponsesSuppressed => verdict,
        Verdict::Illegal(_) if !is_certain => verdict,
        Verdict::Held { reason, .. } if !is_certain && (offers || touches_the_game(reason)) => verdict,
        Verdict::WrongSender(_) | Verdict::NotAMove(_) => verdict,
        Verdict::Held { .. } | Verdict::Illegal(_) | Verdict::Repeat(_) if !offers => {
            Verdict::NotAMove(Reason::Automatic(mark.to_string()))
        }
        _ => Verdict::Held { reason: Reason::MarkedAutomatic(mark.to_string()), candidates: candidates(verdict) },
    }
}

/// Whether the doubt is about something that the mail says of the game.
fn touches_the_game(reason: &Reason) -> bool {
    let is_small_talk = matches!(
        reason,
        Reason::NoMove
            | Reason::WhichGame
            | Reason::SeveralGames
            | Reason::GameOver
            | Reason::Announces(_)
            | Reason::Doubtful(_)
    );
    !is_small_talk
}

/// What the player should know of the fields beside From, which decide nothing.
pub(super) fn remarks(message: &IncomingMessage, thread: &Thread) -> Vec<Phrase> {
    let mut remarks = Vec::new();
    let is_other = |address: &&Address| !is_opponent(thread, address);
    if let Some(other) = message.reply_to.iter().find(is_other) {
        remarks.push(phrase!("he asks for answers to {other} (Reply-To); drafts go to his registered address", other));
    }
    if let Some(other) = message.sender.iter().find(is_other) {
        remarks.push(phrase!("the mail was handed in by {other} (Sender)", other));
    }
    remarks
}
