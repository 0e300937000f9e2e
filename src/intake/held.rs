//! A held mail with all that the player needs to decide on it, at the keyboard and by mail: what its words mean now, the moves that it may
//! give, and what speaks against each way out.
//!
//! What will surprise you: it is read anew from the stored mail, against the record of now, beside the reason for which it was held; after
//! other mails were settled it may read without doubt.

use chrono_tz::Tz;

use super::again::{Again, Passage, observed};
use super::answer_to;
use super::evidence::Letters;
use crate::config::Me;
use crate::domain::clock::ledger::{Ledger, PlyTime};
use crate::domain::game::{Game, GameResult, MoveRecord, Observed, Side};
use crate::domain::judge::{Reason, Verdict};
use crate::domain::notation::{NumericMove, san, words};
use crate::domain::transmission::read::{Event, HedgeKind};
use crate::io::store::{EventRow, Held, NewMove, Store, StoreError, StoredGame};
use crate::languages::Phrase;
use crate::letters;
use crate::mail::message::parse;
use crate::sent::ended_by;

/// The outcome of the player's own mails.
pub(crate) const OWN: &str = "own";

/// A held mail with all that he needs to decide.
pub(crate) struct Entry {
    pub(crate) held: Held,
    /// Of which game, if that is known.
    pub(crate) thread: Option<StoredGame>,
    /// What its words mean now; `None` without a game, and where they cannot be read.
    pub(crate) again: Option<Again>,
    /// What the servers saw of it.
    pub(crate) observed: Observed,
    /// The legal moves that it may give.
    pub(crate) readings: Vec<Candidate>,
    /// The mail is held for other games too.
    several: bool,
    /// The result that a mail of his own announces.
    ends: Option<GameResult>,
}

/// A legal reading, and what the clocks would make of it.
pub(crate) struct Candidate {
    pub(crate) numeric: NumericMove,
    pub(crate) san: String,
    pub(crate) words: String,
    pub(crate) record: MoveRecord,
    pub(crate) draw_offer: bool,
    /// The dates that would count, with the days.
    pub(crate) time: Option<PlyTime>,
    /// Where what he states would differ from the record.
    pub(crate) discrepancies: Vec<Phrase>,
}

pub(crate) async fn entry(store: &mut Store, me: &Me, held: Held) -> Result<Entry, StoreError> {
    let thread = match &held.game {
        Some(id) => store.game(id).await?,
        None => None,
    };
    let several = store.held().await?.iter().filter(|h| h.mail == held.mail).count() > 1;
    let raw = store.mail_raw(held.mail).await?;
    // a mail of his own is read with other eyes: what it may give is no move of the opponent's
    let incoming = thread.as_ref().filter(|_| held.outcome != OWN);
    let again = match incoming.zip(raw.as_ref()) {
        Some((thread, raw)) => {
            let letters = Letters::beside(store, raw, std::slice::from_ref(thread)).await?;
            Again::of(raw, thread, held.arrived(), &letters)
        }
        None => None,
    };
    let message = raw.and_then(|raw| parse(&raw).ok());
    let own = thread.as_ref().zip(message.as_ref()).filter(|_| held.outcome == OWN);
    let ends = own.and_then(|(thread, message)| ended_by(message, me, thread, held.arrived()));
    let observed = observed(message.as_ref(), held.arrived(), me.timezone);
    let mut entry = Entry { held, thread, again, observed, readings: Vec::new(), several, ends };
    entry.readings = entry.candidates().into_iter().filter_map(|m| entry.candidate(m)).collect();
    Ok(entry)
}

impl Entry {
    /// The moves it may give: those it was held with, and those that its words give now.
    fn candidates(&self) -> Vec<NumericMove> {
        if self.held.outcome == OWN {
            return Vec::new();
        }
        let now = self.again.as_ref().map(Again::readings).unwrap_or_default();
        let mut all = Vec::new();
        for numeric in self.held.candidates.iter().copied().chain(now) {
            if !all.contains(&numeric) {
                all.push(numeric);
            }
        }
        all
    }

    /// The reading with what would be recorded for it; `None` where his move is not due or this one is not legal.
    pub(crate) fn candidate(&self, numeric: NumericMove) -> Option<Candidate> {
        let thread = self.thread.as_ref()?;
        let mut expected = thread.game.with_plan_recorded();
        if expected.result.is_some() || expected.is_my_turn() {
            return None;
        }
        let replay = expected.replay().ok()?;
        let position = replay.position();
        let played = numeric.to_move(position).ok()?.played;
        let numeric = NumericMove::of(&played);
        let taken = self.again.as_ref().and_then(|again| again.taken_as(thread, numeric));
        let stated = taken.as_ref().map(|accepted| accepted.stated).unwrap_or_default();
        let record = MoveRecord { observed: self.observed, ..MoveRecord::claimed(numeric, stated) };
        expected.moves.push(record);
        Some(Candidate {
            numeric,
            san: san(position, &played),
            words: words(position, &played),
            record,
            draw_offer: taken.as_ref().is_some_and(|accepted| accepted.draw_offer),
            time: Ledger::of(&expected).ok().and_then(|ledger| ledger.plies().last().copied()),
            discrepancies: taken.map(|accepted| accepted.discrepancies).unwrap_or_default(),
        })
    }

    /// The move as it is recorded on his word, with the line of the journal.
    ///
    /// # Errors
    /// Why it cannot be recorded so.
    pub(crate) fn taken(&self, record: MoveRecord, draw: bool) -> Result<(NewMove, EventRow), String> {
        let thread = self.thread.as_ref().ok_or_else(|| format!("mail {} belongs to no game", self.held.mail))?;
        let game = &thread.game;
        if let (Some(received), Some(sent)) = (record.claimed.received, record.claimed.sent)
            && sent < received
        {
            return Err(format!("sent {sent} lies before received {received}"));
        }
        let expected = game.with_plan_recorded();
        let new = NewMove {
            game: game.id.clone(),
            expected_plies: game.moves.len(),
            confirm_plan: game.plan.as_ref().map(|plan| plan.message_id.clone()),
            before: Vec::new(),
            record,
            draw_offer: draw.then_some(game.me.other()),
            conditionals: expected.lines_after(&[record.numeric]),
            answer_to: self.again.as_ref().and_then(|again| answer_to(&again.message, game)),
        };
        let vouched = if self.needs_yes() { ", for which you vouched" } else { "" };
        let text = format!("you read {} {} in mail {}{vouched}", expected.due(), record.numeric, self.held.mail);
        Ok((new, EventRow { game: Some(game.id.clone()), kind: "accepted".to_owned(), text }))
    }

    pub(crate) fn passages(&self) -> Vec<Passage> {
        self.again.as_ref().map(Again::passages).unwrap_or_default()
    }

    /// What its words say of the game now, where that is not the reason it is held for.
    pub(crate) fn reason_now(&self) -> Option<String> {
        self.again.as_ref().map(|again| again.verdict.reason()).filter(|reason| *reason != self.held.reason)
    }

    /// Why the program will not take his word alone, if so.
    pub(crate) fn objection(&self) -> Option<String> {
        let now = self.again.as_ref().map(|again| &again.verdict);
        let help = match (self.held.outcome.as_str(), now) {
            ("wrong_sender", _) => {
                "say --yes if you are sure, by another way than this mail, that he wrote it".to_owned()
            }
            (_, Some(Verdict::Held { reason: Reason::ReadsAnotherMove { .. }, .. })) => {
                let game = self.thread.as_ref().map(|t| t.game.id.to_string()).unwrap_or_default();
                format!(
                    "accepting it would record your draft as sent; if you sent another move, say\n    \
                     amici undo {game}, then  amici play {game} MOVE  and  amici sent {game}\nfirst; else say --yes"
                )
            }
            _ => return None,
        };
        Some(format!("{}\nhelp: {help}", self.held.reason))
    }

    /// Whether the player has to vouch for it before it is accepted.
    pub(crate) fn needs_yes(&self) -> bool {
        self.objection().is_some()
    }

    /// How the game ends by what the mail announces.
    pub(crate) fn announces(&self) -> Option<GameResult> {
        let game = &self.thread.as_ref()?.game;
        let his =
            announced(game).into_iter().find(|(outcome, _)| *outcome == self.held.outcome).map(|(_, result)| result);
        his.or(self.ends)
    }

    /// What it says of the end of the game, unless that fits this result.
    pub(crate) fn speaks_against(&self, result: GameResult) -> Option<String> {
        if let Some(announced) = self.announces() {
            return (announced != result).then(|| format!("announces {}, not {}", announced.word(), result.word()));
        }
        let Verdict::Held { reason, .. } = &self.again.as_ref()?.verdict else { return None };
        let [(_, won), _] = announced(&self.thread.as_ref()?.game);
        let fits = match reason {
            Reason::Said { event, .. } | Reason::SaidInSubject { event, .. } => match event {
                Event::Score(score) => *score == result,
                Event::DrawOffer | Event::DrawAccepted => result == GameResult::Draw,
                Event::Resignation => result == won,
                _ => return None,
            },
            Reason::NotOffered { .. } => result == GameResult::Draw,
            Reason::ResignsAndMoves { .. } => false,
            _ => return None,
        };
        (!fits).then(|| format!("is held since {reason}"))
    }

    /// Why no move of it can be accepted at present, with what to do; `None` where one can.
    pub(crate) fn obstacle(&self) -> Option<String> {
        let Some(StoredGame { game, .. }) = &self.thread else {
            return Some(format!("mail {} belongs to no game", self.held.mail));
        };
        if let Some(result) = game.result {
            return Some(format!("game {} is over: {}", game.id, result.word()));
        }
        if let Some(result) = self.announces() {
            return Some(format!(
                "mail {} announces the end of game {}\nhelp: if that is right, close it with `amici result {} {}`",
                self.held.mail,
                game.id,
                game.id,
                result.word()
            ));
        }
        if self.held.outcome == OWN {
            return Some(format!(
                "mail {} is one of your own\nhelp: if you sent a move with it, say `amici sent {} MOVE --on DATE`; else `amici ignore {0}`",
                self.held.mail, game.id
            ));
        }
        let expected = game.with_plan_recorded();
        expected.is_my_turn().then(|| {
            format!(
                "in game {} no move of {} is due: the record waits for your {}\n\
                 help: if you have sent it, say `amici play {} MOVE` and `amici sent {}` first",
                game.id,
                game.opponent().name,
                expected.due(),
                game.id,
                game.id
            )
        })
    }

    /// Whether his words speak of a later move than the record waits for.
    fn is_ahead(&self) -> bool {
        let now = self.again.as_ref().map(|again| &again.verdict);
        matches!(now, Some(Verdict::Held { reason: Reason::NotHisTurn(_) | Reason::NumberAhead { .. }, .. }))
    }

    /// What the player can do, as commands with what they do.
    pub(crate) fn next(&self) -> Vec<(String, &'static str)> {
        let mail = self.held.mail;
        let of_game = match &self.thread {
            Some(thread) if self.several => format!(" --game {}", thread.game.id),
            _ => String::new(),
        };
        let ignore = (format!("amici ignore {mail}{of_game}"), "put it away, record nothing");
        let Some(StoredGame { game, .. }) = &self.thread else { return vec![ignore] };
        let ask = (format!("amici ask {mail}{of_game}"), "draft a question to him");
        let mut next = Vec::new();
        let board = game.decided();
        if let Some(result) = board.or_else(|| self.announces()).filter(|_| game.result.is_none()) {
            next.push((format!("amici result {} {}", game.id, result.word()), "close the game"));
        }
        if self.held.outcome == OWN && game.is_my_turn() && self.ends.is_none() {
            next.push((format!("amici sent {} MOVE --on DATE", game.id), "record the move that you sent"));
        } else if self.obstacle().is_none() {
            let yes = if self.needs_yes() { " --yes" } else { "" };
            next.push((format!("amici accept {} MOVE --mail {mail}{yes}", game.id), "record his move"));
        } else if self.is_ahead() {
            next.push((
                format!("amici play {} MOVE", game.id),
                "if you sent a move; then amici sent, and review again",
            ));
        }
        next.extend(self.to_know(game));
        next.extend(self.to_enter());
        next.extend(self.to_remind());
        next.extend(self.to_settle());
        if self.can_be_asked().is_ok() {
            next.push(ask);
        }
        next.push(ignore);
        next
    }

    /// The command that makes a new address of the opponent's known, which takes the mail too.
    fn to_know(&self, game: &Game) -> Option<(String, &'static str)> {
        let from = self.held.from_address.as_ref().filter(|_| self.held.outcome == "wrong_sender")?;
        let is_known = game.opponent().emails.iter().any(|email| email.eq_ignore_ascii_case(from));
        let command = format!("amici edit {} --add-address {from}", game.id);
        (!is_known && game.result.is_none())
            .then_some((command, "if that is a new address of his: reads the mail again"))
    }

    /// What he announces about his time, as the command that enters it; nobody else counts it.
    fn to_enter(&self) -> Option<(String, &'static str)> {
        let game = self.thread.as_ref().map(|thread| &thread.game).filter(|game| game.result.is_none())?;
        let again = self.again.as_ref().filter(|_| self.held.outcome == "needs_human")?;
        let told = self.observed.arrived.unwrap_or_else(|| self.held.arrived().date_naive());
        again.announced().find_map(|event| letters::to_enter(game, event, told))
    }

    /// The command that enters it as his reminder.
    fn to_remind(&self) -> Option<(String, &'static str)> {
        let game = self.thread.as_ref().map(|thread| &thread.game).filter(|_| self.held.outcome == "needs_human")?;
        let on = self.observed.arrived.unwrap_or_else(|| self.held.arrived().date_naive());
        letters::to_remind(game, self.observed.sent, on)
    }

    /// The command that settles other dates of his last move, where he corrects something.
    fn to_settle(&self) -> Option<(String, &'static str)> {
        let game = self.thread.as_ref().map(|thread| &thread.game).filter(|game| game.result.is_none())?;
        let Verdict::Held { reason, .. } = &self.again.as_ref()?.verdict else { return None };
        let Reason::Doubtful(hedge) = reason else { return None };
        let last = (0..game.moves.len()).rev().find(|index| game.number_of(*index).side != game.me)?;
        let number = game.number_of(last);
        (hedge.kind == HedgeKind::TakenBack).then(|| {
            (
                format!("amici clock set {} {number} --received DATE --sent DATE --why TEXT", game.id),
                "if it corrects the dates of his last move",
            )
        })
    }

    /// Whether a question to the opponent makes sense.
    pub(crate) fn can_be_asked(&self) -> Result<&StoredGame, String> {
        let Some(thread) = &self.thread else {
            return Err(format!("mail {} belongs to no game, so there is nobody to ask", self.held.mail));
        };
        match (self.held.outcome.as_str(), thread.game.result) {
            (_, Some(result)) => Err(format!("game {} is over: {}", thread.game.id, result.word())),
            (OWN, _) => Err(format!("mail {} is one of your own, so there is nobody to ask", self.held.mail)),
            ("wrong_sender", _) => Err(format!(
                "{}\nhelp: ask him by another way whether he wrote it; an answer to this mail would reach whoever did",
                self.held.reason
            )),
            _ => Ok(thread),
        }
    }
}

/// Each outcome by which the opponent ends the game, with the result it means.
pub(crate) fn announced(game: &Game) -> [(&'static str, GameResult); 2] {
    let won = match game.me {
        Side::White => GameResult::WhiteWins,
        Side::Black => GameResult::BlackWins,
    };
    [("resignation", won), ("draw_accept", GameResult::Draw)]
}

/// The command that enters a held mail as the opponent's reminder, with what it does, where the rules count double from one; `zone` is the
/// player's.
pub(crate) fn as_reminder(game: &Game, held: &Held, zone: Tz) -> Option<(String, &'static str)> {
    let game = Some(game).filter(|_| held.outcome == "needs_human")?;
    letters::to_remind(game, None, held.arrived().with_timezone(&zone).date_naive())
}
