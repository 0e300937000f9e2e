//! What makes a game unusable, whoever brings it: an import, a PGN, a start letter, a mail that is adopted.

use chrono::NaiveDate;

use crate::domain::clock::rules::RulesetError;
use crate::domain::clock::settle::{Impossible, MOST_DAYS, out_of_place};
use crate::domain::game::{Game, SentIllegal, Side};
use crate::domain::replay::ReplayError;

/// Characters of a name, an event or a site.
const LONGEST_TEXT: usize = 500;

/// What is wrong with one game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum GameError {
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Rules(#[from] RulesetError),
    #[error("`notations` lacks `iccf`; numeric notation is always agreed")]
    NoNumeric,
    #[error("`notations` has `{0}`; known are iccf, coordinate, san and san-LANGUAGE such as san-de")]
    Notation(String),
    #[error("the last position is {what}, and the result is {result}")]
    Board { what: &'static str, result: &'static str },
    #[error("`{0}` has no name")]
    NoName(&'static str),
    #[error("`{key}` has {length} characters; {LONGEST_TEXT} can stand there")]
    Long { key: &'static str, length: usize },
    #[error("`{0}` has a line end or another control character in it")]
    Control(&'static str),
    #[error(
        "`tags` has `{0}`, which is no tag of a PGN that can be kept: a name of letters, digits and _, and one line of text"
    )]
    Tag(String),
    #[error("`{side}.emails` has `{address}`, which is no mail address")]
    Address { side: &'static str, address: String },
    #[error("`{0}.emails` is empty; without an address no mail can be recognised")]
    NoAddress(&'static str),
    #[error("both players have the address {0}")]
    SameAddress(String),
    #[error("ply {ply}: sent {sent} lies before received {received}")]
    Dates { ply: usize, received: NaiveDate, sent: NaiveDate },
    #[error("ply {ply}: `sent` is said to be of the mail's Date, and `observed.sent` is not that day")]
    NotOfHeader { ply: usize },
    #[error("ply {ply}, {key} {value}: nobody has so many days; 0 to {MOST_DAYS} can stand there")]
    Days { ply: usize, key: &'static str, value: u32 },
    #[error("ply {ply}: {why}")]
    Day { ply: usize, why: Impossible },
    #[error("`leaves`: {to} lies before {from}")]
    Leave { from: NaiveDate, to: NaiveDate },
    #[error(
        "`illegal`: ply {ply} stands there twice, is noticed before it was sent, or lies after ply {due}, which is due"
    )]
    Illegal { ply: u32, due: usize },
    #[error("`clock_notes`: ply {ply} cannot be thought about yet; ply {due} is due")]
    ClockNote { ply: u32, due: usize },
    #[error("`draw_offer` is {offer}, but the last move is not that side's")]
    DrawOffer { offer: &'static str },
}

/// Finds what makes a game unusable: it must play out, have usable rules and, while it goes on, addresses to recognise the opponent by.
///
/// # Errors
/// [`GameError`] says what is wrong.
pub fn check(game: &Game) -> Result<(), GameError> {
    let standing = game.replay()?.standing();
    if let Some(result) = game.result
        && standing.refutes(game.to_move(), result)
    {
        return Err(GameError::Board { what: standing.words(), result: result.word() });
    }
    check_played(game)
}

/// The same for a game whose moves were played as they were read.
///
/// # Errors
/// Those of [`check`].
pub fn check_played(game: &Game) -> Result<(), GameError> {
    game.ruleset()?;
    if !game.notations.iter().any(|n| n == "iccf") {
        return Err(GameError::NoNumeric);
    }
    for notation in &game.notations {
        let language =
            notation.strip_prefix("san-").is_some_and(|l| l.len() == 2 && l.chars().all(|c| c.is_ascii_lowercase()));
        if !language && !matches!(notation.as_str(), "iccf" | "san" | "coordinate") {
            return Err(GameError::Notation(notation.clone()));
        }
    }
    for (key, text) in [
        ("event", &game.event),
        ("site", &game.site),
        ("white.name", &game.white.name),
        ("black.name", &game.black.name),
    ] {
        if text.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
            return Err(GameError::Control(key));
        }
        let length = text.chars().count();
        if length > LONGEST_TEXT {
            return Err(GameError::Long { key, length });
        }
    }
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if let Some((name, _)) = game.tags.iter().find(|(name, text)| !is_name(name) || text.chars().any(char::is_control))
    {
        return Err(GameError::Tag(name.clone()));
    }
    for side in [Side::White, Side::Black] {
        let player = game.player(side);
        if player.name.trim().is_empty() {
            return Err(GameError::NoName(side.word()));
        }
        // the mails of a game that is over are no moves
        if player.emails.is_empty() && game.result.is_none() {
            return Err(GameError::NoAddress(side.word()));
        }
        if let Some(address) = player.emails.iter().find(|a| !looks_like_address(a)) {
            return Err(GameError::Address { side: side.word(), address: address.clone() });
        }
    }
    let same = |a: &&String| game.black.emails.iter().any(|b| b.eq_ignore_ascii_case(a));
    if let Some(address) = game.white.emails.iter().find(same) {
        return Err(GameError::SameAddress(address.clone()));
    }
    for (index, record) in game.moves.iter().enumerate() {
        // before the start nothing counts, whatever stands there
        let counts = |day: NaiveDate| game.start_date.is_none_or(|start| day > start);
        if let (Some(received), Some(sent), None) =
            (record.claimed.received, record.claimed.sent, record.observed.arrived)
            && sent < received
            && counts(received)
        {
            return Err(GameError::Dates { ply: index + 1, received, sent });
        }
        let days = [
            ("days", record.claimed.days),
            ("total", record.claimed.total),
            ("agreed.days", record.agreed.days),
            ("agreed.total", record.agreed.total),
            ("agreed.penalty", record.agreed.penalty),
        ];
        if let Some((key, Some(value))) = days.into_iter().find(|(_, days)| days.is_some_and(|days| days > MOST_DAYS)) {
            return Err(GameError::Days { ply: index + 1, key, value });
        }
    }
    if let Some(leave) = game.leaves.iter().find(|leave| leave.to < leave.from) {
        return Err(GameError::Leave { from: leave.from, to: leave.to });
    }
    if let Some(note) = game.clock_notes.iter().find(|n| n.ply == 0 || game.moves.len() + 1 < n.ply as usize) {
        return Err(GameError::ClockNote { ply: note.ply, due: game.moves.len() + 1 });
    }
    let is_twice = |i: &SentIllegal| game.illegal.iter().filter(|other| other.ply == i.ply).count() > 1;
    let beyond = |i: &SentIllegal| i.ply == 0 || game.moves.len() + 1 < i.ply as usize;
    if let Some(illegal) = game.illegal.iter().find(|i| beyond(i) || i.noticed < i.sent || is_twice(i)) {
        return Err(GameError::Illegal { ply: illegal.ply, due: game.moves.len() + 1 });
    }
    if let Some(offer) = game.draw_offer
        && (game.moves.is_empty() || game.to_move() == offer)
    {
        return Err(GameError::DrawOffer { offer: offer.word() });
    }
    Ok(())
}

/// Finds a day on which a move cannot have been sent or received: one that has not come at the player's `today`, a time zone apart for
/// the opponent's, or one before the move it answers (T11). What a mail says that came is on record as it stands there.
///
/// # Errors
/// [`GameError::Day`] names the ply.
pub fn check_days(game: &Game, today: NaiveDate) -> Result<(), GameError> {
    let tomorrow = today.succ_opt().unwrap_or(today);
    let mut before = None;
    for (index, record) in game.moves.iter().enumerate() {
        let latest = if game.number_of(index).side == game.me { today } else { tomorrow };
        let by_hand = record.observed.arrived.is_none();
        let received = record.agreed.received.or(record.claimed.received.filter(|_| by_hand));
        let said = record.claimed.sent.or(record.observed.sent);
        let sent = record.agreed.sent.or(said.filter(|_| by_hand));
        for (what, day) in [("received", received), ("sent", sent)] {
            // before the start nothing counts, whatever stands there
            let before = before.filter(|before| game.start_date.is_none_or(|start| *before > start));
            if let Some(why) = day.and_then(|day| out_of_place(what, day, before, (today, latest))) {
                return Err(GameError::Day { ply: index + 1, why });
            }
        }
        before = record.agreed.sent.or(said).or(before);
    }
    Ok(())
}

fn looks_like_address(text: &str) -> bool {
    let plain = text.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '<' | '>' | ',' | ';' | '"' | '(' | ')'));
    plain
        && text
            .split_once('@')
            .is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty() && !domain.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample_game;
    use super::*;

    #[test]
    fn days_that_nobody_can_have_are_refused_with_their_ply_key_and_range() {
        let (most, more) = (Some(MOST_DAYS), Some(MOST_DAYS + 1));
        let mut game = sample_game();
        (game.moves[1].claimed.days, game.moves[1].claimed.total) = (most, most);
        assert_eq!(check(&game), Ok(()));
        let refused = |change: &dyn Fn(&mut Game)| {
            let mut game = sample_game();
            change(&mut game);
            check(&game).unwrap_err().to_string()
        };
        let many = refused(&|game| game.moves[1].claimed.days = Some(u32::MAX));
        assert_eq!(many, "ply 2, days 4294967295: nobody has so many days; 0 to 9999 can stand there");
        for (many, key) in [
            (refused(&|game| game.moves[4].claimed.total = more), "total"),
            (refused(&|game| game.moves[4].agreed.days = more), "agreed.days"),
            (refused(&|game| game.moves[4].agreed.total = more), "agreed.total"),
            (refused(&|game| game.moves[4].agreed.penalty = more), "agreed.penalty"),
        ] {
            assert!(many.starts_with(&format!("ply 5, {key} 10000: nobody has so many days")), "{many}");
        }
    }
}
