//! The newest move of a mail, and the side that follows from it: the judge of the daily mail decides here as well.
//!
//! The score without the opponent's last move is the record, the mail the evidence. What the daemon would have asked about is not
//! taken, and stays for it to ask.

use super::mails::Mail;
use crate::cli::confirm::Asked;
use crate::cli::{Exit, Failure};
use crate::config::{Config, Me};
use crate::domain::adopt::{Missing, Proposal, Request, Score, Why, Writer, propose};
use crate::domain::document::check;
use crate::domain::game::{Game, GameId, MoveRecord, Side};
use crate::domain::judge::{Reason, Verdict};
use crate::intake::again::observed;
use crate::intake::decide::{Trust, decide};
use crate::io::store::StoredGame;
use crate::mail::address::Address;
use crate::sent::decide::{self as sent, Offers, What};
use crate::sent::{given, seen};

/// A game with the side and the newest move found.
pub(super) struct Founded {
    pub(super) game: Game,
    pub(super) why: Why,
    /// What of the score was not taken.
    pub(super) unused: Vec<String>,
    /// What speaks against its rules.
    pub(super) doubts: Vec<String>,
    pub(super) newest: Newest,
}

/// The game of a score; where nobody is named, the one side for which the mail brings a move of the opponent. Where that leaves it open, the
/// player is asked.
pub(super) fn found(
    score: &Score,
    (mail, me, who): (&Mail, &Me, Asked),
    request: &Request,
    taken: &[GameId],
) -> Result<Founded, Failure> {
    let asked = |why: Missing| Failure::new(Exit::NeedsConfirmation, format!("{}: {why}", mail.name));
    let failed = |why: String| Failure::new(Exit::Failed, format!("{}: {why}", mail.name));
    let settled = |request: &Request| -> Result<Founded, Failure> {
        let Proposal { mut game, why, unused, doubts } = propose(score, request, taken).map_err(asked)?;
        check(&game).map_err(|e| failed(e.to_string()))?;
        for address in game.white.emails.iter().chain(&game.black.emails) {
            address.parse::<Address>().map_err(|e| failed(e.to_string()))?;
        }
        let newest = last_move(&mut game, mail, me).map_err(failed)?;
        Ok(Founded { game, why, unused, doubts, newest })
    };
    let answer = |why: &Missing| who.for_text(&format!("{}: {why}\nyour side, white or black", mail.name));
    let said = |why: Missing| match answer(&why).as_deref() {
        Some("white") => settled(&Request { side: Some(Side::White), ..request.clone() }),
        Some("black") => settled(&Request { side: Some(Side::Black), ..request.clone() }),
        _ => Err(asked(why)),
    };
    match propose(score, request, taken) {
        Err(why @ Missing::Names) => {
            let both = [Side::White, Side::Black].map(|side| settled(&Request { side: Some(side), ..request.clone() }));
            let moved = |found: &Founded| matches!(found.newest, Newest::Moved);
            let mut fitting = both.into_iter().filter_map(Result::ok).filter(moved);
            match (fitting.next(), fitting.next()) {
                (Some(only), None) if is_of_that_day(&only.game, mail) => Ok(Founded { why: Why::Turn, ..only }),
                _ => said(why),
            }
        }
        Err(why @ Missing::Side(_)) => said(why),
        Ok(_) => settled(request),
    }
}

/// Whether the last move was sent with this mail by its own date: a table that only repeats the player's move has an older one.
fn is_of_that_day(game: &Game, mail: &Mail) -> bool {
    let sent = game.moves.last().and_then(|last| last.claimed.sent);
    sent.is_none_or(|sent| (sent - mail.day()).num_days().abs() <= 1)
}

/// What became of the move that a mail brings.
pub(super) enum Newest {
    /// It stands in the game.
    Moved,
    /// The mail repeats what stands there.
    Nothing,
    /// It is about something else.
    Chat,
    /// It ends the game, in these words.
    Ended(String),
    /// The daemon would have asked about it, so it is left for that.
    Left(String),
}

/// The newest move of the mail that has the score: the score without it is the record.
///
/// # Errors
/// The judge reads another move than the score has.
fn last_move(game: &mut Game, mail: &Mail, me: &Me) -> Result<Newest, String> {
    if mail.writer == Writer::Me {
        return Ok(Newest::Nothing);
    }
    let his = if game.is_my_turn() { game.moves.pop() } else { None };
    let came = newest_move(vec![game], mail, me).into_iter().next().map(|(_, newest)| newest);
    match (came, his) {
        (Some(Newest::Moved), Some(his)) if game.moves.last().is_some_and(|last| last.numeric != his.numeric) => {
            let number = game.number_of(game.moves.len().saturating_sub(1));
            let numeric = game.moves.last().map(|last| last.numeric.to_string()).unwrap_or_default();
            Err(format!("{number} {numeric} is read as the newest move, and the score has another"))
        }
        // without the move that the score gives it cannot be a repeat
        (Some(Newest::Nothing | Newest::Chat), Some(_)) => {
            Ok(Newest::Left("its last move is not read as his".to_owned()))
        }
        (Some(newest), _) => Ok(newest),
        (None, _) => Ok(Newest::Left("nothing was found in it".to_owned())),
    }
}

/// What a mail of the opponent's brings these games of his: his move counts only if the judge accepts it. With each the place of its game.
pub(super) fn newest_move(mut games: Vec<&mut Game>, mail: &Mail, me: &Me) -> Vec<(usize, Newest)> {
    let threads: Vec<StoredGame> = games.iter().map(|game| thread(game)).collect();
    let decision = match decide(&mail.raw, me, &Trust::default(), &threads, mail.at) {
        Ok(decision) => decision,
        Err(error) => return vec![(0, Newest::Left(error.to_string()))],
    };
    let mut came = Vec::new();
    for judgement in decision.judgements {
        let of = judgement.thread.and_then(|of| threads.iter().position(|thread| thread.game.id == of.game.id));
        let at = of.unwrap_or_default();
        let Some(game) = games.get_mut(at) else { continue };
        let newest = match judgement.verdict {
            Verdict::Accepted(accepted) if accepted.before.is_empty() => {
                let observed = observed(Some(&mail.message), mail.at, me.timezone);
                game.moves.push(MoveRecord { observed, ..MoveRecord::claimed(accepted.numeric, accepted.stated) });
                game.draw_offer = accepted.draw_offer.then_some(game.me.other());
                Newest::Moved
            }
            Verdict::Repeat(_) => Newest::Nothing,
            Verdict::NotAMove(_) | Verdict::Held { reason: Reason::NoMove, .. } => Newest::Chat,
            verdict @ (Verdict::Resignation(_) | Verdict::DrawAccepted(_)) => Newest::Ended(verdict.reason()),
            verdict => Newest::Left(verdict.reason()),
        };
        came.push((at, newest));
    }
    came
}

/// What a mail of the player's own brings these games, as the daemon reads his sent mails. With each the place of its game.
pub(super) fn own_move(mut games: Vec<&mut Game>, mail: &Mail, config: &Config) -> Vec<(usize, Newest)> {
    let me = &config.me;
    let threads: Vec<StoredGame> = games.iter().map(|game| thread(game)).collect();
    let findings = sent::decide(&mail.message, (me, &config.senders), &threads, &[], &Offers::new(), mail.at);
    let mut came = Vec::new();
    for finding in findings {
        let Some(at) = threads.iter().position(|thread| thread.game.id == finding.thread.game.id) else { continue };
        let Some(game) = games.get_mut(at) else { continue };
        let newest = match finding.what {
            What::Move { accepted, .. } => {
                let new = given(game, &accepted, seen(&mail.message, mail.at, me.timezone));
                game.moves.extend(new.before.into_iter().chain([new.record]));
                (game.draw_offer, game.conditionals) = (new.draw_offer, new.conditionals);
                Newest::Moved
            }
            What::Repeated(_) => Newest::Nothing,
            What::Message | What::Waits => Newest::Chat,
            What::Second { numeric, recorded } => {
                Newest::Left(format!("it gives {numeric}, and the score has {recorded}"))
            }
            What::Illegal(why) | What::Unreadable(why) => Newest::Left(why),
            What::Ends { reason, .. } => Newest::Ended(reason),
            What::Review { reason, .. } => Newest::Left(reason),
        };
        came.push((at, newest));
    }
    came
}

fn thread(game: &Game) -> StoredGame {
    StoredGame { game: game.clone(), root_message_id: String::new() }
}
