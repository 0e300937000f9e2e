//! What one of the player's own mails means: the games it went out for, and for each the move that it really gives.
//!
//! Pure. The mail is read as its opponent will read it, with the reader and the judge of incoming mails, in the game with the
//! sides exchanged (`mirrored`). A move counts by an id of ours or of the game's thread, or by the game's name, together with
//! the opponent's address and the move in the text; anything less is for the player to look at. Of two games with one opponent the
//! thread tells which is meant, then the name, if nothing speaks against it. What will surprise you: a move of
//! an earlier ply is held against the game as it stood then, so that a repeat, and a second, other move, are known as such.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::misdirected::Named;
use super::read::{Read, is_small_talk};
use super::words::to_player;
use crate::config::{Me, Senders};
use crate::domain::game::{Game, GameId, GameResult, MoveRecord, Side};
use crate::domain::judge::{Accepted, Reason, Verdict};
use crate::domain::notation::NumericMove;
use crate::intake::clues::Clues;
use crate::intake::decide::judgements;
use crate::intake::evidence::Mail;
use crate::intake::is_opponent;
use crate::intake::own::{last_number, stated_move, unreadable};
use crate::intake::which::Thread;
use crate::io::store::{Hints, OwnId};
use crate::mail::address::Address;
use crate::mail::message::IncomingMessage;

/// What a mail of the player's did for one game.
#[derive(Debug, Clone)]
pub struct Finding<'a> {
    /// The game, as it is on record.
    pub thread: &'a Thread,
    /// The own ply that it is about, counted from 1.
    pub ply: usize,
    /// What it did.
    pub what: What,
    /// It gives the number of that ply itself.
    pub numbered: bool,
}

/// What a sent mail means for a game.
#[derive(Debug, Clone)]
pub enum What {
    /// It gives the move that was due.
    Move {
        /// What it gives.
        accepted: Box<Accepted>,
        /// It gives it in a notation that the game has not agreed on.
        unagreed: bool,
    },
    /// It gives a move that is on record once more; with what it states of it.
    Repeated(Box<Accepted>),
    /// It gives another legal move for a ply that is on record.
    Second {
        /// The move of this mail.
        numeric: NumericMove,
        /// The move on record.
        recorded: NumericMove,
    },
    /// It clearly gives a move that is not legal.
    Illegal(String),
    /// It is the program's draft, and no move can be read in it any more.
    Unreadable(String),
    /// It may give a move: the player has to look.
    Review {
        /// Why.
        reason: String,
        /// The legal move that it may mean.
        numeric: Option<NumericMove>,
    },
    /// It says that the game is over: the player resigns, or accepts a draw.
    Ends {
        /// What it says.
        reason: String,
        /// How the game would have ended.
        result: GameResult,
    },
    /// It gives a move, perhaps in answer to a mail of the opponent's that is held.
    Waits,
    /// It went to the opponent and gives no move.
    Message,
}

impl What {
    /// Whether it gives a move, may give one, or ends the game.
    pub(super) fn gives_a_move(&self) -> bool {
        !matches!(self, What::Message | What::Waits | What::Review { numeric: None, .. })
    }

    /// Where the mail may answer one that is held, what it means for the record of now tells nothing.
    fn unless_held(self) -> What {
        match self {
            What::Second { .. } | What::Illegal(_) | What::Unreadable(_) | What::Review { .. } => What::Waits,
            What::Move { .. } | What::Repeated(_) | What::Ends { .. } | What::Waits | What::Message => self,
        }
    }
}

impl Finding<'_> {
    /// The same, where a mail of the opponent's in this game is held: one without a number may answer that.
    pub(super) fn where_his_is_held(mut self) -> Self {
        if !self.numbered && !self.thread.game.is_my_turn() {
            self.what = self.what.unless_held();
        }
        self
    }
}

/// The lines that the opponents have offered with their last moves: the player's ply, the promised reply, and so on.
pub type Offers = BTreeMap<GameId, Vec<Vec<NumericMove>>>;

/// Everything that a mail of the player's means; empty for what is no game's business.
///
/// `ours` are the ids of ours that the mail names, `at` is when the server took its copy.
pub fn decide<'a>(
    message: &IncomingMessage,
    (me, senders): (&Me, &Senders),
    threads: &'a [Thread],
    ours: &[OwnId],
    offers: &Offers,
    at: DateTime<Utc>,
) -> Vec<Finding<'a>> {
    // the subject of a draft's mail tells of the move that was chosen, not of the one that was sent
    let bare = IncomingMessage { subject: String::new(), ..message.clone() };
    let message = if message.subject.contains("[amici ") { &bare } else { message };
    let Ok(writer) = &message.from else { return Vec::new() };
    if message.automatic.is_some_and(|mark| mark.is_certain()) {
        return Vec::new();
    }
    let mail = OwnMail { message, writer: &writer.address, ours, offers, at };
    let others: Vec<&Address> = message.to.iter().chain(&message.cc).filter(|address| !me.is_mine(address)).collect();
    let went_to = |thread: &Thread| others.iter().any(|address| is_opponent(thread, address));
    let linked: Vec<&Thread> = threads.iter().filter(|thread| mail.is_linked(thread)).collect();
    if !linked.is_empty() && !linked.iter().any(|thread| went_to(thread)) {
        let strangers: Vec<&Address> = others.into_iter().filter(|address| !senders.is_director(address)).collect();
        return linked.into_iter().filter_map(|thread| mail.misdirected(thread, &strangers)).collect();
    }
    let reached: Vec<&Thread> = threads.iter().filter(|thread| went_to(thread)).collect();
    let misdirected = mail.to_another(&reached, threads, &others);
    if !misdirected.is_empty() {
        return misdirected;
    }
    let meant = mail.meant(&reached);
    let games: Vec<Thread> = match meant {
        Some(meant) => vec![mail.mirrored(meant)],
        None => reached.iter().map(|thread| mail.mirrored(thread)).collect(),
    };
    let nobody = Me { emails: Vec::new(), ..me.clone() };
    let rooted = mail.rooted(&linked);
    let judged = judgements(Mail::of(&rooted, at), unreadable(message), &nobody, &Senders::default(), &games);
    let finding = |judgement: crate::intake::decide::Judgement<'_>| {
        let id = &judgement.thread?.game.id;
        let thread = reached.iter().copied().find(|thread| thread.game.id == *id)?;
        mail.finding(thread, judgement.verdict)
    };
    judged.into_iter().filter_map(finding).collect()
}

/// The Message-IDs in its header, its own included.
pub(super) fn ids_in(message: &IncomingMessage) -> Vec<String> {
    let ids = message.message_id.iter().chain(&message.references).chain(&message.in_reply_to);
    ids.map(ToString::to_string).collect()
}

/// The games that a mail of the player's can be about: what leads to each of them, and whether a game is one. Without those for which this is
/// false [`decide`] comes to the same. Asks for no move.
pub fn concerned<'m>(message: &'m IncomingMessage, ours: &'m [OwnId]) -> (Hints, impl Fn(&Thread) -> bool + 'm) {
    let named = Named::of(message);
    let mut hints = Hints::default();
    message.to.iter().chain(&message.cc).for_each(|address| hints.address(address));
    hints.message_ids(&ids_in(message));
    hints.games(ours.iter().map(|own| &own.game));
    named.hint(&mut hints);
    let may_concern = move |thread: &Thread| {
        let went_to = message.to.iter().chain(&message.cc).any(|address| is_opponent(thread, address));
        went_to || is_linked(message, ours, thread) || named.has(thread)
    };
    (hints, may_concern)
}

/// An id of ours, or the root of the game's thread, stands in its header.
fn is_linked(message: &IncomingMessage, ours: &[OwnId], thread: &Thread) -> bool {
    ours.iter().any(|own| own.game == thread.game.id) || ids_in(message).contains(&thread.root_message_id)
}

/// How a game ends by a mail of the player's that says so.
pub fn ended_by(message: &IncomingMessage, me: &Me, thread: &Thread, at: DateTime<Utc>) -> Option<GameResult> {
    let threads = std::slice::from_ref(thread);
    let found = decide(message, (me, &Senders::default()), threads, &[], &Offers::new(), at);
    found.into_iter().find_map(|finding| match finding.what {
        What::Ends { result, .. } => Some(result),
        _ => None,
    })
}

/// The game as his opponent has it before this mail: the player is the one who writes, and of his plan nobody knows.
fn mirrored(thread: &Thread, writer: &Address, plies: usize) -> Thread {
    let mut seen = thread.clone();
    let Game { me, plan, conditionals, moves, result, .. } = &mut seen.game;
    let mine = *me;
    (*me, *plan) = (mine.other(), None);
    conditionals.clear();
    if plies < moves.len() {
        moves.truncate(plies);
        *result = None;
    }
    let myself = match mine {
        Side::White => &mut seen.game.white,
        Side::Black => &mut seen.game.black,
    };
    myself.emails = vec![writer.to_string()];
    seen
}

/// The game as his opponent reads it.
pub(super) fn as_read(thread: &Thread) -> Thread {
    let mut seen = thread.clone();
    (seen.game.me, seen.game.plan) = (thread.game.me.other(), None);
    seen
}

/// One mail of the player's with what is known of it.
pub(super) struct OwnMail<'m> {
    pub(super) message: &'m IncomingMessage,
    writer: &'m Address,
    ours: &'m [OwnId],
    offers: &'m Offers,
    pub(super) at: DateTime<Utc>,
}

impl OwnMail<'_> {
    pub(super) fn is_linked(&self, thread: &Thread) -> bool {
        is_linked(self.message, self.ours, thread)
    }

    /// It is the drafted reply of this ply itself, or the answer to the mail that brought the draft.
    pub(super) fn is_draft_of(&self, thread: &Thread, ply: usize) -> bool {
        self.ours.iter().any(|own| own.game == thread.game.id && usize::try_from(own.ply) == Ok(ply))
    }

    pub(super) fn mirrored(&self, thread: &Thread) -> Thread {
        let mut seen = self.before(thread, thread.game.moves.len());
        seen.game.conditionals = self.offers.get(&thread.game.id).cloned().unwrap_or_default();
        seen
    }

    /// The exchanged game with its first plies only.
    fn before(&self, thread: &Thread, plies: usize) -> Thread {
        let mut seen = mirrored(thread, self.writer, plies);
        // his own copy is no mail that was taken in before
        let own = self.message.message_id.as_ref().map(ToString::to_string);
        seen.game.seen_message_ids.retain(|id| Some(id) != own.as_ref());
        seen
    }

    /// The mail as one of the threads that an id of ours in its header tells of.
    fn rooted(&self, linked: &[&Thread]) -> IncomingMessage {
        let mut message = self.message.clone();
        message.references.extend(linked.iter().filter_map(|thread| thread.root_message_id.parse().ok()));
        message
    }

    fn finding<'a>(&self, thread: &'a Thread, verdict: Verdict) -> Option<Finding<'a>> {
        let game = &thread.game;
        let last = game.moves.len();
        let seen = self.mirrored(thread);
        let own = |index: &usize| game.number_of(*index).side == game.me;
        if let Some(what) = self.end(thread, &seen, &verdict).filter(|_| !self.is_older(thread, last)) {
            let ply = last + usize::from(game.is_my_turn());
            return Some(Finding { thread, ply: ply.max(1), what, numbered: false });
        }
        let written = last_number(self.message, &seen, self.at).and_then(|n| game.number_of(0).plies_to(n));
        let last_own = (0..last).rev().find(own);
        let index = match written {
            Some(index) if index <= last => index,
            _ if game.is_my_turn() && !matches!(verdict, Verdict::Repeat(_)) => last,
            _ => last_own?,
        };
        let what = if written != Some(index) && self.is_older(thread, index) {
            // it was sent before the move came that it would answer
            What::Message
        } else if index == last {
            self.of_due(thread, &seen, verdict, written == Some(last))
        } else {
            self.of_earlier(thread, index, Some(index) == last_own)
        };
        Some(Finding { thread, ply: index + 1, what, numbered: written == Some(index) })
    }

    /// He resigns in it, or accepts a draw. A mail for one of several games tells it in each.
    fn end(&self, thread: &Thread, seen: &Thread, verdict: &Verdict) -> Option<What> {
        let game = &thread.game;
        let for_this = match verdict {
            Verdict::Held { reason: Reason::WhichGame, .. } => self.read(thread, seen, None).verdict,
            other => other.clone(),
        };
        let whole = |words: &str, does: &str| match verdict {
            Verdict::Held { reason: Reason::WhichGame, .. } => {
                format!("you {does} in it (\"{words}\"), and it does not say in which of your games with him")
            }
            _ => format!("you {does} in it (\"{words}\")"),
        };
        let (reason, result) = match (&for_this, game.me) {
            (Verdict::Resignation(words), Side::White) => (whole(words, "resign"), GameResult::BlackWins),
            (Verdict::Resignation(words), Side::Black) => (whole(words, "resign"), GameResult::WhiteWins),
            (Verdict::DrawAccepted(words), _) => (whole(words, "accept the draw"), GameResult::Draw),
            (Verdict::Held { reason: reason @ Reason::NotOffered { .. }, .. }, _) => {
                (to_player(reason), GameResult::Draw)
            }
            _ => return None,
        };
        Some(What::Ends { reason, result })
    }

    /// The mail is about the move that is due.
    fn of_due(&self, thread: &Thread, seen: &Thread, verdict: Verdict, numbered: bool) -> What {
        let game = &thread.game;
        let review = |reason: String, numeric| What::Review { reason, numeric };
        let Read { verdict, unagreed } = self.read(thread, seen, Some(verdict));
        let stated = || stated_move(self.message, seen, self.at).filter(|_| self.is_known(thread));
        match verdict {
            Verdict::Accepted(accepted) if !self.is_known(thread) => {
                let reason = format!(
                    "it gives {} {}, and neither its header nor its text tells which game it is about",
                    accepted.number, accepted.numeric
                );
                review(reason, Some(accepted.numeric))
            }
            Verdict::Accepted(accepted) => What::Move { accepted, unagreed },
            Verdict::Illegal(reason) => What::Illegal(to_player(&reason)),
            Verdict::Held { reason, candidates } => {
                let ply = game.moves.len() + 1;
                match reason {
                    Reason::GameOver | Reason::NotHisTurn(_) => What::Message,
                    _ if numbered || !candidates.is_empty() => review(to_player(&reason), candidates.first().copied()),
                    // he answered the mail that brought the draft, with words of his own
                    Reason::InQuote { .. } => review(to_player(&reason), None),
                    _ if self.is_draft_of(thread, ply) => What::Unreadable(to_player(&reason)),
                    reason if is_small_talk(&reason) || !self.is_known(thread) => match stated() {
                        Some(numeric) => review(to_player(&reason), Some(numeric)),
                        None => What::Message,
                    },
                    reason => review(to_player(&reason), None),
                }
            }
            Verdict::Repeat(_)
            | Verdict::WrongSender(_)
            | Verdict::NotAMove(_)
            | Verdict::Resignation(_)
            | Verdict::DrawAccepted(_) => What::Message,
        }
    }

    /// The mail is about a ply that is on record.
    fn of_earlier(&self, thread: &Thread, index: usize, is_last: bool) -> What {
        let Some(recorded) = thread.game.moves.get(index).map(|record| record.numeric) else { return What::Message };
        match self.read(thread, &self.before(thread, index), None).verdict {
            Verdict::Accepted(accepted) if accepted.numeric == recorded => What::Repeated(accepted),
            _ if !is_last || !self.is_known(thread) => What::Message,
            Verdict::Accepted(accepted) => What::Second { numeric: accepted.numeric, recorded },
            Verdict::Illegal(reason) => What::Illegal(to_player(&reason)),
            Verdict::Held { reason, candidates } if !candidates.is_empty() => {
                What::Review { reason: to_player(&reason), numeric: candidates.first().copied() }
            }
            _ => What::Message,
        }
    }

    /// The header or the text tells which game it is about.
    fn is_known(&self, thread: &Thread) -> bool {
        self.is_linked(thread) || Clues::of(self.message).speaks_for_any(thread)
    }

    /// It was sent before the move came that this ply answers.
    fn is_older(&self, thread: &Thread, index: usize) -> bool {
        let answered = index.checked_sub(1).and_then(|before| thread.game.moves.get(before));
        let Some(MoveRecord { claimed, observed, .. }) = answered else { return false };
        let day = self.message.date.map_or(self.at.date_naive(), |date| date.date_naive());
        match observed.arrived_at {
            Some(arrived) => self.at < arrived,
            None => claimed.sent.or(observed.sent).is_some_and(|sent| day < sent),
        }
    }
}
