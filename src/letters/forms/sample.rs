//! A game to show a form by, and to try a template of the player's with: each case that a template must be able to write.

use std::sync::LazyLock;

use super::{Matter, render};
use crate::config::{Me, Style, Styles};
use crate::domain::document::Document;
use crate::domain::game::{Game, Plan, Side, Stated};
use crate::domain::notation::NumericMove;
use crate::letters::{LetterError, reply_text, transmission};

#[allow(clippy::expect_used, reason = "a file of the program; failing loudly beats a form that nobody tried")]
static GAME: LazyLock<Game> = LazyLock::new(|| {
    let games = Document::read(include_str!("sample.json")).expect("the sample is in order");
    games.into_iter().next().expect("the sample has a game")
});

/// A game before the player's seventh move, with the move chosen, a draw offered with it and two conditional lines.
pub fn sample_reply() -> Game {
    let numerics = |text: &str| text.split(' ').filter_map(|m| m.parse().ok()).collect::<Vec<NumericMove>>();
    let mut game = GAME.clone();
    let day = |text: &str| text.parse().ok();
    game.plan = numerics("5171").first().map(|numeric| Plan {
        before: Vec::new(),
        numeric: *numeric,
        stated: Stated { received: day("2004-10-26"), sent: day("2004-10-30"), days: Some(4), total: Some(12) },
        draw_offer: true,
        message_id: "<sample@example.org>".to_owned(),
        conditionals: vec![numerics("2836 4445"), numerics("5544 6344 6858 6263")],
        comment: None,
        held_until: None,
    });
    game
}

/// Tries a style on everything that a letter can hold: both sides, moves in digits and in letters, offers, a first move, missing
/// dates, a move that is still to be chosen.
///
/// # Errors
/// [`LetterError::Form`] names the line of the template, or what would be misread; [`LetterError::Misread`] words around it.
pub fn try_style(style: &Style, me: &Me) -> Result<(), LetterError> {
    let me = Me { styles: Styles::general(style.clone()), ..me.clone() };
    let full = sample_reply();
    let mut games = vec![full.clone()];
    for plies in [0, 5] {
        let mut game = full.clone();
        game.moves.truncate(plies);
        game.me = if plies % 2 == 0 { Side::White } else { Side::Black };
        game.notations = vec!["iccf".to_owned()];
        if let (Some(plan), Some(record)) = (&mut game.plan, full.moves.get(plies)) {
            plan.numeric = record.numeric;
            plan.stated = record.claimed;
            plan.draw_offer = false;
            plan.conditionals.clear();
        }
        games.push(game);
    }
    let mut undated = full.clone();
    if let Some(plan) = &mut undated.plan {
        plan.stated = Stated { sent: plan.stated.sent, ..Stated::default() };
    }
    games.push(undated);
    for game in &games {
        reply_text(game, &[], &me)?;
    }
    let blank = Game { plan: None, ..full };
    let said = transmission(&blank)?;
    render(&style.form, style.language, &Matter::of_game(&said, &blank).with_blank(None))?;
    Ok(())
}
