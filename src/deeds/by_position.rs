//! The draws that the position gives a claim to (FIDE Laws of Chess, 9.2 and 9.3), with the option of `amici claim` that claims each.

use crate::domain::game::Game;
use crate::domain::replay::DrawClaim;
use crate::letters::Claim;

/// The option that claims it.
pub fn claim_option(claim: DrawClaim) -> &'static str {
    match claim {
        DrawClaim::Repetition => "--repetition",
        DrawClaim::FiftyMoves => "--fifty-moves",
    }
}

/// Only the player on the move can claim a draw by the position, with the move that he has drafted where there is one.
fn with_plan(game: &Game) -> Result<Game, String> {
    if game.is_my_turn() {
        Ok(game.with_plan_recorded())
    } else {
        Err("only the player on the move can claim a draw by the position, and it is his turn".to_owned())
    }
}

/// That the position stands for the third time, with the drafted move where there is one.
pub fn repetition(game: &Game) -> Result<Claim, String> {
    let after = with_plan(game)?;
    let replay = after.replay().map_err(|e| e.to_string())?;
    let stood = replay.stood_before();
    if stood.len() < 2 {
        let time = if stood.is_empty() { "first" } else { "second" };
        return Err(format!("the position stands for the {time} time, and the third is needed{}", with_a_move(game)));
    }
    let when = |plies: &usize| match plies.checked_sub(1) {
        Some(index) => format!("after {}", after.number_of(index)),
        None => "at the start".to_owned(),
    };
    let stood = stood.iter().chain([&after.moves.len()]).map(when).collect();
    Ok(Claim::Repetition { stood, with: game.plan.as_ref().map(|plan| (game.with_line_taken().due(), plan.numeric)) })
}

/// That fifty moves of each side made no progress, with the drafted move where there is one.
pub fn fifty_moves(game: &Game) -> Result<Claim, String> {
    let after = with_plan(game)?;
    let moves = after.replay().map_err(|e| e.to_string())?.moves_without_progress();
    if moves < 50 {
        let needed = "moves without a capture or a move of a pawn, and 50 are needed";
        return Err(format!("{moves} {needed}{}", with_a_move(game)));
    }
    Ok(Claim::FiftyMoves { moves, with: game.plan.as_ref().map(|plan| (game.with_line_taken().due(), plan.numeric)) })
}

/// How a draw is claimed with a move that is still to be chosen.
fn with_a_move(game: &Game) -> String {
    match game.plan {
        Some(_) => String::new(),
        None => format!(
            "; if your next move brings it about, claim with it and do not send it:  amici claim {} --with MOVE",
            game.id
        ),
    }
}
