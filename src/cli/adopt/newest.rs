//! The newest move of a mail, and the side that follows from it: the judge of the daily mail decides here as well.
//!
//! The score without the opponent's last move is the record, the mail the evidence. What the daemon would have asked about is not
//! taken, and stays for it to ask.

use super::mails::Mail;
use crate::cli::confirm::question;
use crate::cli::{Exit, Failure};
use crate::config::Me;
use crate::domain::adopt::{Missing, Proposal, Request, Score, Why, Writer, propose};
use crate::domain::document::check;
use crate::domain::game::{Game, GameId, MoveRecord, Side};
use crate::domain::judge::{Accepted, Verdict};
use crate::intake::again::observed;
use crate::intake::decide::{Trust, decide};
use crate::io::store::StoredGame;
use crate::mail::address::Address;

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

/// The game of a score; where nobody is named, the one side for which the mail brings a move of the opponent.
pub(super) fn found(
    score: &Score,
    mail: &Mail,
    me: &Me,
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
        let newest = newest_move(&mut game, mail, me).map_err(failed)?;
        Ok(Founded { game, why, unused, doubts, newest })
    };
    let said = |why: Missing| match question(&format!("{}: {why}\nyour side, white or black", mail.name)).as_deref() {
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
    /// The mail brings none.
    Nothing,
    /// The daemon would have asked about it, so it is left for that.
    Left(String),
}

/// The opponent's newest move counts only if the judge accepts it: the score without it is the record, this mail the evidence.
///
/// # Errors
/// The judge reads another move than the score has.
pub(super) fn newest_move(game: &mut Game, mail: &Mail, me: &Me) -> Result<Newest, String> {
    if mail.writer == Writer::Me {
        return Ok(Newest::Nothing);
    }
    let his = if game.is_my_turn() { game.moves.pop() } else { None };
    let thread = [StoredGame { game: game.clone(), root_message_id: String::new() }];
    let decision = decide(&mail.raw, me, &Trust::default(), &thread, mail.at).map_err(|e| e.to_string())?;
    let verdict = decision.judgements.into_iter().next().map(|judgement| judgement.verdict);
    match (verdict, his) {
        (Some(Verdict::Accepted(accepted)), his) => {
            if his.is_some_and(|his| his.numeric != accepted.numeric) {
                let Accepted { number, numeric, .. } = *accepted;
                return Err(format!("{number} {numeric} is read as the newest move, and the score has another"));
            }
            let observed = observed(Some(&mail.message), mail.at, me.timezone);
            game.moves.push(MoveRecord { observed, ..MoveRecord::claimed(accepted.numeric, accepted.stated) });
            game.draw_offer = accepted.draw_offer.then_some(game.me.other());
            Ok(Newest::Moved)
        }
        (Some(Verdict::Repeat(_) | Verdict::NotAMove(_)), None) => Ok(Newest::Nothing),
        (Some(verdict), _) => Ok(Newest::Left(verdict.reason())),
        (None, _) => Ok(Newest::Left("nothing was found in it".to_owned())),
    }
}
