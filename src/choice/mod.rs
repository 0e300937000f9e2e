//! The player's choice of a move: ONE validator for `amici play` and for the mails by which he commands.
//!
//! [`choose`] decides: what he wrote, the game and today in, a [`Choice`] or a [`Refusal`] out. [`mod@draft`] makes the plan and its
//! letter of it. Pure: no store, no clock. What is legal and yet odd is a doubt: it is done on a second word of his.
//! What will surprise you: a move is never corrected, only asked back; and what is good or bad is not looked at, events forbid it.

use chrono::NaiveDate;
use shakmaty::Chess;

use crate::domain::clock::days::Moment;
use crate::domain::clock::hidden::Hidden;
use crate::domain::clock::late;
use crate::domain::clock::ledger::Ledger;
use crate::domain::game::{Game, MoveRecord};
use crate::domain::notation::{LegalMove, NumericMove, Spelling, parse_player_move, san, words};
use crate::domain::replay::{Replay, ReplayError, Standing};
use crate::io::store::StoredGame;
use crate::languages::Language;
use crate::letters::{self, ReadsAs};

pub mod announce;
pub mod draft;
mod hold;
mod lines;
mod slip;

pub use hold::{BadHold, Hold};

/// What the player wants, as he wrote it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wish<'a> {
    /// His move in any notation, with or without its number.
    pub text: &'a str,
    /// The lines that he offers with it: his opponent's move, his reply, and so on.
    pub lines: &'a [String],
    /// He offers a draw with it.
    pub draw: bool,
    /// His words for the letter.
    pub comment: Option<&'a str>,
}

/// A move that can be drafted.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The line of the opponent's that it takes: a ply of the player's with the reply promised to it, and so on.
    pub before: Vec<NumericMove>,
    /// The move, legal where it is due, after that line.
    pub legal: LegalMove,
    /// The same in numeric notation.
    pub numeric: NumericMove,
    /// Whether it comes with an offer of a draw.
    pub draw: bool,
    /// The lines that it offers: those of the wish, and what is left of an earlier one.
    pub conditionals: Vec<Vec<NumericMove>>,
    /// His words for the letter.
    pub comment: Option<String>,
    /// The move in all notations and what else he ought to see, a line each, with line ends.
    pub echo: String,
    /// What speaks against it, a thought each: he says so a second time, or leaves it.
    pub doubts: Vec<String>,
}

/// Why a wish cannot be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game is over, or it is not his turn.
    #[error("{0}")]
    NotDue(String),
    /// It is no legal move here, or not exactly one; in another game it may be: [`Refusal::with_others`].
    #[error("{0}")]
    NoMove(String),
    /// It has another number than the move that is due.
    #[error("{0}")]
    Illegal(String),
    /// A line that he offers does not play out, or must not be offered.
    #[error("{0}")]
    Line(String),
    /// His words would be read as more than words.
    #[error("{0}")]
    Words(String),
    /// The record cannot be computed.
    #[error("{0}")]
    Broken(String),
}

impl Refusal {
    /// The same with those of these games in which his text would be a legal move, where it is none in this one.
    pub fn with_others(self, text: &str, game: &Game, others: &[StoredGame]) -> Refusal {
        match self {
            Refusal::NoMove(why) => Refusal::NoMove(format!("{why}{}", slip::elsewhere(text, game, others))),
            other => other,
        }
    }
}

/// The choice that a wish is in this game.
///
/// # Errors
/// [`Refusal`], with what he may have meant.
pub fn choose(wish: &Wish<'_>, game: &Game, ledger: &Ledger, now: impl Into<Moment>) -> Result<Choice, Refusal> {
    choose_among(wish, &[], game, ledger, now)
}

/// The same where the opponent has offered these lines: a wish may repeat plies of one and add the player's own next move.
///
/// # Errors
/// Those of [`choose`].
pub fn choose_among(
    wish: &Wish<'_>,
    offers: &[Vec<NumericMove>],
    game: &Game,
    ledger: &Ledger,
    now: impl Into<Moment>,
) -> Result<Choice, Refusal> {
    let now = now.into();
    let broken = |e: ReplayError| Refusal::Broken(e.to_string());
    let replay = game.replay().map_err(broken)?;
    is_due(wish.text, game, &replay)?;
    let (before, legal) = match read(wish.text, game, replay.position()) {
        Ok(legal) => (Vec::new(), legal),
        Err(trouble) => match lines::taken(wish.text, replay.position(), game.due(), offers) {
            Some(taken) => taken.map_err(Refusal::Line)?,
            None => return Err(slip::explained(trouble, wish.text, game, &replay)),
        },
    };
    let numeric = NumericMove::of(&legal.played);
    let mut at = game.clone();
    at.moves.extend(before.iter().map(|numeric| MoveRecord::conditional(*numeric)));
    let taken = at.replay().map_err(broken)?;
    let position = taken.position();
    let mut after = position.clone();
    shakmaty::Position::play_unchecked(&mut after, legal.played);
    let mut conditionals = if before.is_empty() { game.lines_behind(numeric) } else { Vec::new() };
    let kept = conditionals.len();
    for line in lines::played_out(wish.lines, &after, at.due().plus(1)).map_err(Refusal::Line)? {
        if !conditionals.contains(&line) {
            conditionals.push(line);
        }
    }
    lines::agree(&conditionals).map_err(Refusal::Line)?;
    let mut doubts = Vec::new();
    doubts.extend(asked(wish));
    doubts.extend(promise(game, before.first().copied().unwrap_or(numeric)));
    if before.is_empty() {
        doubts.extend(slip::his_move(wish.text, game, &replay, &legal));
    }
    doubts.extend(letters::overstep(game, ledger, game.me.other(), now).map(|over| {
        format!(
            "his time is {}: {}{}\nhelp: `amici claim {}` drafts a claim",
            over.words(),
            match ledger.rules().claim.is_lost_by_answer() {
                true => "the claim is lost by answering",
                false => "a claim ought to come before your answer",
            },
            over.booked.map(|booked| format!("; but {}", late::reserve(booked, Language::English))).unwrap_or_default(),
            game.id
        )
    }));
    doubts.extend(Hidden::of(game, ledger).map(|hidden| {
        format!(
            "his time is perhaps overstepped: {hidden}\nhelp: settle it before you answer:\n{}",
            hidden.settling(game)
        )
        .trim_end()
        .to_owned()
    }));
    let comment = wish.comment.map(spoken).filter(|text| !text.trim().is_empty());
    if let Some(text) = &comment {
        doubts.extend(screened(text, game, now.day)?);
    }
    let mut echo = match before.as_slice() {
        [] => lines::promised_to(numeric, game, offers),
        line => format!("You take his line, which costs no day: {}\n", game.due().row(line)),
    };
    echo.insert_str(0, &in_notations(&at, position, &legal));
    let standing = Standing::of(&after);
    if let Some(result) = standing.result(game.me.other()) {
        echo.push_str(&format!(
            "It decides the game: {} on the board. Once it is sent:  amici result {} {}\n",
            standing.words(),
            game.id,
            result.word()
        ));
    }
    if kept > 0 {
        echo.push_str("The rest of the line that you offered before goes with it.\n");
    }
    for line in &conditionals {
        echo.push_str(&format!("  {}\n", lines::in_words(line, at.due().plus(1))));
    }
    Ok(Choice { before, legal, numeric, draw: wish.draw, conditionals, comment, echo, doubts })
}

fn is_due(text: &str, game: &Game, replay: &Replay) -> Result<(), Refusal> {
    if let Some(why) = letters::ended(game) {
        return Err(Refusal::NotDue(why));
    }
    if game.is_my_turn() {
        return Ok(());
    }
    let played = slip::played_before(text, game, replay).map(|said| format!("{said}\n")).unwrap_or_default();
    let opponent = &game.opponent().name;
    let moved = match game.moves.last() {
        Some(last) => format!(
            "you have already moved in game {}: your last move on record is {} {}",
            game.id,
            game.number_of(game.moves.len() - 1),
            last.numeric
        ),
        None => format!("{opponent} makes the first move of game {}", game.id),
    };
    Err(Refusal::NotDue(format!(
        "{played}{moved}. It is {opponent}'s turn: {} is due\nhelp: choose when his move has come; `amici show {}` shows what is on record",
        game.due(),
        game.id
    )))
}

/// The one legal move that a text gives for the ply that is due in this game, with or without its number before it.
///
/// # Errors
/// [`Refusal`], with what may have been meant.
pub fn typed(text: &str, game: &Game, replay: &Replay) -> Result<LegalMove, Refusal> {
    read(text, game, replay.position()).map_err(|trouble| slip::explained(trouble, text, game, replay))
}

/// The move, with or without its number before it.
fn read(text: &str, game: &Game, position: &Chess) -> Result<LegalMove, slip::Trouble> {
    let as_written = match parse_player_move(text, position) {
        Ok(legal) => return Ok(legal),
        Err(why) => slip::Trouble::NotAMove(why),
    };
    let Some((number, rest)) = lines::numbered(text) else { return Err(as_written) };
    let Ok(legal) = parse_player_move(rest, position) else { return Err(as_written) };
    if number == game.due().number { Ok(legal) } else { Err(slip::Trouble::OtherNumber(number)) }
}

/// A question mark stands in it, and not as the praise or blame of a move.
fn asked(wish: &Wish<'_>) -> Option<String> {
    let asks = |text: &str| text.replace("!?", "").replace("?!", "").contains('?');
    let text = std::iter::once(wish.text).chain(wish.lines.iter().map(String::as_str)).find(|text| asks(text))?;
    Some(format!("a question mark stands in `{text}`: it may be no decision yet"))
}

/// The promised reply is another one.
fn promise(game: &Game, numeric: NumericMove) -> Option<String> {
    let promised = game.promised().filter(|promised| *promised != numeric)?;
    Some(format!(
        "you are bound: your conditional promised {} {promised} to his move\nhelp: another move breaks the promise, and most rules do not let you",
        game.due()
    ))
}

fn spoken(words: &str) -> String {
    words.chars().filter(|c| !c.is_control() || *c == '\n').collect::<String>().trim().to_owned()
}

/// What could be read out of his words beside the move.
fn screened(words: &str, game: &Game, today: NaiveDate) -> Result<Option<String>, Refusal> {
    match letters::reads_as(game, &letters::message_body(words), today) {
        ReadsAs::Words => Ok(None),
        ReadsAs::Doubtful(what) => Ok(Some(format!("your words could be read as more than words: {what}"))),
        ReadsAs::Binding(what) => Err(Refusal::Words(format!(
            "your words can be read as a move or as the end of the game: {what}\nhelp: leave it out of the text"
        ))),
    }
}

/// The move in all notations, so that a slip is seen.
fn in_notations(game: &Game, position: &Chess, legal: &LegalMove) -> String {
    let played = &legal.played;
    let mut text = format!(
        "{} {}   {}   {}\n",
        game.due(),
        NumericMove::of(played),
        san(position, played),
        words(position, played)
    );
    match legal.spelling {
        Spelling::Standard => {}
        Spelling::KingTakesRook | Spelling::KingAndRook => {
            text.push_str("(castling is written as the king's two squares)\n");
        }
    }
    if let Some(castling) = slip::castling_of_rook(position, played) {
        text.push_str(&format!("(a move of the rook alone; castling would be {castling})\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;

    fn chosen(game: &Game, text: &str) -> Result<Choice, Refusal> {
        let ledger = Ledger::of(game).unwrap();
        choose(&Wish { text, ..Wish::default() }, game, &ledger, "2004-10-31".parse::<NaiveDate>().unwrap())
    }

    /// A game of these moves in which Black, the player, is on the move.
    fn game(moves: &str) -> Game {
        let mut game = sample_game();
        let record = |m: &str| crate::domain::game::MoveRecord::claimed(m.parse().unwrap(), Default::default());
        game.moves = moves.split(' ').map(record).collect();
        game
    }

    #[test]
    fn the_number_before_a_move_is_read_and_must_be_the_one_due() {
        let game = sample_game();
        for text in ["7... Nc6", "7. Nc6", "7...2836", "28.36", "28-36"] {
            assert_eq!(chosen(&game, text).unwrap().numeric.to_string(), "2836", "{text}");
        }
        assert!(matches!(chosen(&game, "8. Nc6"), Err(Refusal::Illegal(why)) if why.contains("7... is due")));
    }

    #[test]
    fn words_that_name_his_move_and_a_capture_of_it_are_asked_back_and_a_recapture_is_not() {
        let game = game("5254 4745 5445");
        let taken = chosen(&game, "Qxd5").unwrap();
        assert_eq!((taken.numeric.to_string().as_str(), taken.doubts.len()), ("4845", 0));
        let knights = game_of_knights();
        let doubted = chosen(&knights, "Nd5").unwrap();
        assert!(
            doubted.doubts.iter().any(|doubt| doubt.contains("this is his move: 3. 3345 (Nd5)")),
            "{:?}",
            doubted.doubts
        );
        assert!(chosen(&knights, "Nxd5").unwrap().doubts.is_empty());
    }

    /// Behind 1. e4 Nf6 2. Nc3 a6 3. Nd5 Black may take on d5.
    fn game_of_knights() -> Game {
        game("5254 7866 2133 1716 3345")
    }

    #[test]
    fn a_move_of_the_rook_that_is_half_of_castling_is_told() {
        // 1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3 Nf6 5. Be3
        let game = game("5254 5755 7163 2836 6134 6835 4243 7866 3153");
        let rook = chosen(&game, "8868").unwrap();
        assert!(rook.echo.contains("castling would be 5878"), "{}", rook.echo);
        assert!(chosen(&game, "5888").unwrap().echo.contains("castling is written as the king's two squares"));
    }
}
