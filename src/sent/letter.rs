//! A letter of the player's that counts once it went out: of his leave, that he needs longer, or a claim. Known by the Message-ID of its
//! draft.
//!
//! Pure. One in which he wrote other days, or no claim, is left to his word (`amici leave sent`, `amici announce --sent`, `amici claim
//! --sent`), and so is one that went to somebody else: what the opponent is told counts, and of a claim what a third is.

use chrono::NaiveDate;

use super::own_row;
use crate::config::Me;
use crate::domain::game::{ClockNote, ClockNoteKind, GameId, Leave};
use crate::intake::is_opponent;
use crate::intake::which::Thread;
use crate::io::store::{EventRow, Taken};
use crate::letters::{ClaimNews, Tells};
use crate::mail::address::Address;
use crate::mail::message::IncomingMessage;

/// What a letter that went out puts on record in one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) game: GameId,
    reason: String,
    enters: Enters,
}

/// Of which kind it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Enters {
    Leave(Leave),
    Note(ClockNote),
    /// A line of the journal.
    Claim(ClaimNews),
}

impl Told {
    /// Adds its effects, where the mail does nothing else in that game.
    pub(super) fn fill(self, taken: &mut Taken<'_>) {
        let Told { game, reason, enters } = self;
        if taken.verdicts.iter().any(|row| row.game.as_ref() == Some(&game)) {
            return;
        }
        let kind = match enters {
            Enters::Leave(leave) => {
                taken.leaves.push((game.clone(), leave));
                "sent".to_owned()
            }
            Enters::Note(note) => {
                taken.notes.push((game.clone(), note));
                "sent".to_owned()
            }
            Enters::Claim(news) => news.to_string(),
        };
        taken.events.push(EventRow { game: Some(game.clone()), kind, text: reason.clone() });
        taken.verdicts.push(own_row(Some(game), reason));
    }
}

/// What a mail of the day `on` tells the opponents, or of a claim the director, to whom it went, and nobody has entered yet.
pub(super) fn told(message: &IncomingMessage, me: &Me, threads: &[Thread], on: NaiveDate) -> Vec<Told> {
    let id = message.message_id.as_ref().map(ToString::to_string);
    let Some((named, tells)) = id.as_deref().and_then(Tells::of) else { return Vec::new() };
    let is_said = message.plain.iter().chain(&message.html).any(|text| tells.is_said_in(text));
    let counts = |thread: &Thread, address: &Address| match tells {
        Tells::Leave { .. } | Tells::LongThought { .. } => is_opponent(thread, address),
        // whoever the director is: the player may have written his address himself
        Tells::Claim { .. } => !is_opponent(thread, address) && !me.is_mine(address),
    };
    let went_to = |thread: &&Thread| message.to.iter().chain(&message.cc).any(|address| counts(thread, address));
    let reached = threads.iter().filter(|thread| is_said && thread.game.result.is_none()).filter(went_to);
    reached.filter_map(|thread| in_game(thread, &named, tells, on)).collect()
}

fn in_game(thread: &Thread, named: &GameId, tells: Tells, on: NaiveDate) -> Option<Told> {
    let game = &thread.game;
    let (reason, enters) = match tells {
        Tells::Leave { from, to } => {
            let drafted = Leave { side: game.me, from, to, announced: None };
            Leave::standing(&game.leaves).find(|leave| **leave == drafted)?;
            let leave = Leave { announced: Some(on), ..drafted };
            (format!("your letter of your leave from {from} to {to} went out on {on}"), Enters::Leave(leave))
        }
        Tells::Claim { kind, ply } => {
            if game.id != *named || game.due_ply() != ply {
                return None;
            }
            {
                let news = ClaimNews::Sent(kind, on);
                (news.sentence(), Enters::Claim(news))
            }
        }
        Tells::LongThought { ply, until } => {
            let note = ClockNote { ply, kind: ClockNoteKind::Announced, on, until: Some(until) };
            let is_open = game.id == *named && game.is_my_turn() && game.due_ply() == ply;
            if !is_open || game.clock_notes.contains(&note) {
                return None;
            }
            (format!("your letter that you need until {until} went out on {on}"), Enters::Note(note))
        }
    };
    Some(Told { game: game.id.clone(), reason, enters })
}
