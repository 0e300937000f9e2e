//! A letter that is no reply with a move: to the opponent or to the director, drafted for the player, who sends it himself.

use chrono::{DateTime, NaiveDate, Utc};

use super::claimed::ClaimKind;
use super::page::Told;
use super::ready::{bring, how};
use super::speech::Speech;
use super::{Envelope, Letter, LetterError, message_id};
use crate::config::{Language, Me};
use crate::domain::game::{Game, GameId};
use crate::domain::transmission::compose::clip;
use crate::mail::address::Address;
use crate::mail::draft::{DraftMessage, Mailbox};
use crate::say;

/// To whom a letter goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whom<'a> {
    /// The opponent, with a copy to the director where one is wanted and known.
    Opponent {
        /// The director's address.
        copy: Option<&'a Address>,
    },
    /// The director.
    Director {
        /// Where he gets it; where nobody knows, the player fills it in.
        address: Option<&'a Address>,
        /// The opponent gets a copy.
        copy_to_opponent: bool,
    },
}

/// What is written, and to whom.
#[derive(Debug, Clone, Copy)]
pub struct Errand<'a> {
    /// A word for it, part of its Message-ID; of what counts once it went out, [`Tells::label`].
    pub label: &'a str,
    /// What it is, for the player: `a claim`.
    pub what: &'a str,
    /// Its text.
    pub body: &'a str,
    /// To whom.
    pub to: Whom<'a>,
    /// What the player should know before he sends it; never part of the letter.
    pub hints: &'a [String],
}

/// What a letter tells that counts once it went out. Its Message-ID has it, so that the letter is known in the player's Sent folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tells {
    /// The player's leave.
    Leave {
        /// The first day.
        from: NaiveDate,
        /// The last one.
        to: NaiveDate,
    },
    /// A claim to the director.
    Claim {
        /// What about.
        kind: ClaimKind,
        /// Before which ply, counted from 1.
        ply: u32,
    },
    /// That he needs longer.
    LongThought {
        /// For which ply, counted from 1.
        ply: u32,
        /// Until when.
        until: NaiveDate,
    },
}

impl Tells {
    /// The part of the Message-ID between the game and the hash: `leave.2026-07-01.2026-07-05`
    pub fn label(self) -> String {
        match self {
            Tells::Leave { from, to } => format!("leave.{from}.{to}"),
            Tells::Claim { kind, ply } => format!("claim.{}.{ply}", kind.word()),
            Tells::LongThought { ply, until } => format!("announcement.{ply}.{until}"),
        }
    }

    /// What the letter with this Message-ID tells, and the game whose thread it is in.
    pub fn of(message_id: &str) -> Option<(GameId, Tells)> {
        let (local, _) = message_id.strip_prefix('<')?.split_once('@')?;
        let mut parts = local.rsplitn(5, '.').skip(1);
        let (last, first, kind, game) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let tells = match kind {
            "leave" => Tells::Leave { from: first.parse().ok()?, to: last.parse().ok()? },
            "announcement" => Tells::LongThought { ply: first.parse().ok()?, until: last.parse().ok()? },
            "claim" => {
                let kind = ClaimKind::ALL.into_iter().find(|kind| kind.word() == first)?;
                Tells::Claim { kind, ply: last.parse().ok()? }
            }
            _ => return None,
        };
        Some((game.to_owned().try_into().ok()?, tells))
    }

    /// Whether a text has the days, or the claim, as the letter had them: what the player wrote instead counts by his word alone.
    pub fn is_said_in(self, text: &str) -> bool {
        // the blank before it keeps 1 July from being found in 11 July
        let text: String = text.split_whitespace().flat_map(|word| [" ", word]).collect();
        let days = match self {
            Tells::Leave { from, to } => [from, to],
            Tells::LongThought { until, .. } => [until, until],
            Tells::Claim { kind, .. } => return kind.is_said_in(&text),
        };
        let is_in =
            |language: Language| days.iter().all(|day| text.contains(&format!(" {}", Speech::of(language).day(*day))));
        Language::ALL.iter().any(|(language, _)| is_in(*language))
    }
}

/// The letter in a mail to the player, with the letter itself attached.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn errand(
    game: &Game,
    root: &str,
    errand: &Errand<'_>,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let envelope = Envelope { game, root, me, now };
    let instant = now.to_rfc3339();
    let id = |label: &str| {
        message_id(
            &[root.as_bytes(), errand.body.as_bytes(), instant.as_bytes(), label.as_bytes()],
            &format!("{}.{label}", game.id),
            me,
        )
        .map_err(|text| LetterError::Header { game: game.id.clone(), text })
    };
    let letter = envelope.to_opponent(id(errand.label)?, true, errand.body.to_owned())?;
    let director = |address: &Address| Mailbox { name: None, address: address.clone() };
    let (letter, name) = match errand.to {
        Whom::Opponent { copy } => {
            let cc = copy.map(director).into_iter().collect();
            (DraftMessage { cc, ..letter }, clip(&game.opponent().name, 40))
        }
        Whom::Director { address, copy_to_opponent } => {
            let cc = if copy_to_opponent { letter.to } else { Vec::new() };
            let subject = letter.subject.trim_start_matches("Re: ").to_owned();
            (
                DraftMessage { to: address.map(director).into_iter().collect(), cc, subject, ..letter },
                say!(me.language, "the director").into(),
            )
        }
    };
    let what = me.language.sentence(errand.what);
    let subject = say!(me.language, "ready to send to {name}: {what}", name, what);
    let mut told = Told::default();
    for hint in errand.hints {
        told.paragraph(say!(me.language, "For you: {hint}", hint));
    }
    if !errand.hints.is_empty() {
        told.gap();
    }
    how(&mut told, &letter, &name, false, me.language);
    bring(&envelope, subject, told, id(&format!("{}-draft", errand.label))?, &letter)
}
