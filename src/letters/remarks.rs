//! What a reply says about dates and days beside the move: where his table and the record differ, what was assumed for want of
//! a date, what was corrected. Politely, and without settling anything.

use chrono::NaiveDate;

use crate::domain::clock::days::in_words as days;
use crate::domain::clock::ledger::{Basis, DateSource, Ledger, PlyTime};
use crate::domain::game::{Agreed, Game, MoveRecord, SentIllegal, Stated};
use crate::domain::judge::Row;
use crate::domain::judge::discrepancy::{Difference, differences, in_words, latest_receipt, recorded};

const PLEASE: &str = "Please tell me if you see it otherwise.";

/// The remarks on the mail that gave the last move of the record, whose score table is `table`. None where it is the player's own
/// move, or the clocks cannot be computed.
pub fn remarks(game: &Game, table: &[Row]) -> Vec<String> {
    let Ok(ledger) = Ledger::of(game) else { return Vec::new() };
    let (Some(record), Some(time)) = (game.moves.last(), ledger.plies().last()) else { return Vec::new() };
    if time.number.side == game.me {
        return Vec::new();
    }
    let before = game.moves.len().checked_sub(2).and_then(|index| ledger.plies().get(index));
    let mine = before.and_then(|p| p.sent).map(|d| d.day);
    let had_illegal = game.illegal_plies().any(|ply| ply == game.moves.len());
    // the days between his illegal mail and his legal one are no transit
    let transit = transit(&ledger, record, mine).filter(|_| !had_illegal);
    let counted = illegal(game, &ledger);
    let differ = differences(game, &ledger, table);
    let differ = differ.iter().filter(|difference| counted.is_none() || difference.number != time.number);
    let differ = differ.map(|difference| differs(game, difference));
    let of_last = [assumed(game, time), corrected(record, time), stamp(record), transit, counted.clone()];
    of_last.into_iter().flatten().chain(differ).chain(own_illegal(game, &ledger)).collect()
}

/// What his illegal move before the last of the record costs him (T80).
fn illegal(game: &Game, ledger: &Ledger) -> Option<String> {
    let time = ledger.plies().last()?;
    let SentIllegal { sent, noticed, .. } = game.illegal_before(game.moves.len().checked_sub(1)?)?;
    let Basis::Counted(charge) = time.basis else { return None };
    Some(format!(
        "Before your move {} you sent an illegal move on {} and knew of it on {}: I count {}{}, your total is {}. {PLEASE}",
        time.number.number,
        day(*sent),
        day(*noticed),
        days(charge.days()),
        of_penalty(charge.penalty),
        time.total
    ))
}

/// What an illegal move of the player's own adds to the days of the move that he is about to send.
fn own_illegal(game: &Game, ledger: &Ledger) -> Option<String> {
    let SentIllegal { sent, noticed, .. } = game.illegal_before(game.moves.len())?;
    Some(format!(
        "Before this move I sent an illegal one on {} and knew of it on {}; my days for this move count it{}. {PLEASE}",
        day(*sent),
        day(*noticed),
        of_penalty(ledger.rules().illegal.penalty_days)
    ))
}

fn of_penalty(penalty: u32) -> String {
    if penalty > 0 { format!(", {} of penalty among them", days(penalty)) } else { String::new() }
}

/// Missing dates are assumed, and the reply says so (ICCF guideline 2i).
fn assumed(game: &Game, time: &PlyTime) -> Option<String> {
    let is_first = game.moves.len() == 1;
    let is_assumed = |source| matches!(source, DateSource::Assumed | DateSource::EarlierThere);
    let received = time.received.filter(|d| is_assumed(d.source) && !is_first);
    let why = match received.map(|d| d.source) {
        Some(DateSource::EarlierThere) => "the day of your place on which I sent mine",
        _ => "the day I sent mine",
    };
    let received = received.map(|d| day(d.day));
    let seen = |source| match source {
        DateSource::Header => Some("the day of its Date"),
        DateSource::Arrival => Some("the day on which it reached my server"),
        _ => None,
    };
    let sent = time.sent.and_then(|d| Some((day(d.day), seen(d.source)?)));
    match (received, sent) {
        (Some(received), Some((sent, seen))) => {
            Some(format!("Your mail gave no dates: I took it as sent {sent} ({seen}) and received {received} ({why})."))
        }
        (Some(received), None) => {
            Some(format!("Your mail did not say when you received my move: I took {received}, {why}."))
        }
        (None, Some((sent, why))) => Some(format!("Your mail did not say when you sent it: I took {sent}, {why}.")),
        (None, None) => None,
    }
}

/// What the player has settled for this move in place of what his mail states.
fn corrected(record: &MoveRecord, time: &PlyTime) -> Option<String> {
    let counted = recorded(time);
    let differs = |his: Stated| {
        (his.received.is_some() && his.received != counted.received)
            || (his.sent.is_some() && his.sent != counted.sent)
            || (his.days.is_some() && his.days != counted.days)
            || (his.total.is_some() && his.total != counted.total)
    };
    (record.agreed != Agreed::default() && differs(record.claimed)).then(|| {
        let (his, ours) = (in_words(&record.claimed, day), in_words(&counted, day));
        format!("For your move {} {} I count {ours}; your mail had {his}.", time.number, record.numeric)
    })
}

/// A stated day that the mail's own Date contradicts (ICCF guideline 2j).
fn stamp(record: &MoveRecord) -> Option<String> {
    let stated = record.claimed.sent.filter(|_| record.agreed.sent.is_none())?;
    let dated = record.observed.sent.filter(|dated| *dated != stated)?;
    Some(format!(
        "You state that you sent your mail on {}, its Date is {}. Please tell me which day counts.",
        day(stated),
        day(dated)
    ))
}

/// What the player can do where his mail was booked later than the rules allow (T12): the day to settle, and words for the director.
pub fn transit_help(game: &Game) -> Option<String> {
    let ledger = Ledger::of(game).ok()?;
    let (record, time) = (game.moves.last()?, ledger.plies().last()?);
    let before = game.moves.len().checked_sub(2).and_then(|index| ledger.plies().get(index))?;
    let mine = before.sent?.day;
    let his = record.claimed.received.filter(|_| record.agreed.received.is_none() && time.number.side != game.me)?;
    let had_illegal = game.illegal_plies().any(|ply| ply == game.moves.len());
    let latest = latest_receipt(&ledger, mine).filter(|latest| his > *latest && !had_illegal)?;
    Some(
        format!(
            "To settle it as the rules have it:\n    amici clock set {} {} --received {latest} --why \"more than one day of transit\"\n\
         Words for the director, if you do not agree on it:\n{}",
            game.id,
            time.number,
            textwrap::fill(
                &format!(
                    "My opponent books my mail with my move {} of {} as received on {}. By the rules {} is the latest day. I ask you to decide which day counts.",
                    before.number.number,
                    day(mine),
                    day(his),
                    day(latest)
                ),
                textwrap::Options::new(super::COLUMNS).initial_indent("    ").subsequent_indent("    ")
            )
        ) + "\n",
    )
}

/// What the player can do where an illegal mail came before the ply `index`, counted from 0, and is not counted (T80).
pub fn illegal_help(game: &Game, index: usize) -> Option<String> {
    let rules = game.ruleset().ok()?;
    let is_open = game.illegal_plies().any(|ply| ply == index + 1) && game.illegal_before(index).is_none();
    let number = is_open.then(|| game.number_of(index))?;
    let who = if number.side == game.me { "You" } else { "He" };
    let penalty = match rules.illegal.penalty_days {
        0 => "no day".to_owned(),
        penalty => days(penalty),
    };
    let text = format!(
        "{who} sent an illegal move before {number}; nothing is counted for it. The rules of this game give {penalty} of penalty. To have \
         it counted by them, say on which day its sender learned of it:"
    );
    let command = format!("    amici clock illegal {} {number} --noticed DATE --why \"illegal move\"", game.id);
    Some(format!("{}\n{command}\n", textwrap::fill(&text, super::COLUMNS)))
}

/// He books my mail later than the rules allow (T12).
fn transit(ledger: &Ledger, record: &MoveRecord, mine: Option<NaiveDate>) -> Option<String> {
    let his = record.claimed.received.filter(|_| record.agreed.received.is_none())?;
    let mine = mine?;
    let latest = latest_receipt(ledger, mine).filter(|latest| his > *latest)?;
    Some(format!(
        "You book my mail of {} as received on {}; by the rules {} is the latest day. {PLEASE}",
        day(mine),
        day(his),
        day(latest)
    ))
}

fn differs(game: &Game, difference: &Difference) -> String {
    let Difference { number, his, ours, record } = difference;
    let whose = if number.side == game.me { "my" } else { "your" };
    let no_date = his.received.is_none() && his.sent.is_none();
    match (his.days, record.days) {
        (Some(shown), Some(counted)) if no_date => {
            let total = |total: Option<u32>| total.map(|total| format!(" (total {total})")).unwrap_or_default();
            let dates = Stated { days: None, total: None, ..*record };
            format!(
                "You show {shown} day{}{} for {whose} move {}, my record shows {counted}{}: {}. {PLEASE}",
                if shown == 1 { "" } else { "s" },
                total(his.total),
                number.number,
                total(ours.total),
                in_words(&dates, day)
            )
        }
        _ => format!(
            "For {whose} move {} you show {}; my record shows {}. {PLEASE}",
            number.number,
            in_words(his, day),
            in_words(ours, day)
        ),
    }
}

/// `3 May 2004`
pub(super) fn day(date: NaiveDate) -> String {
    date.format("%-d %B %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::MoveNumber;
    use crate::domain::game::Side;

    fn date(text: &str) -> Option<NaiveDate> {
        Some(text.parse().unwrap())
    }

    fn row(number: u32, side: Side, stated: Stated) -> Row {
        Row { number: MoveNumber { number, side }, stated }
    }

    #[test]
    fn a_mail_that_says_what_the_record_has_calls_for_no_remark() {
        let game = sample_game();
        let ledger = Ledger::of(&game).unwrap();
        let table: Vec<Row> = ledger.plies().iter().map(|p| Row { number: p.number, stated: recorded(p) }).collect();
        assert_eq!(remarks(&game, &table), Vec::<String>::new());
        assert_eq!(remarks(&game, &[]), Vec::<String>::new());
    }

    #[test]
    fn what_the_player_settled_is_said_and_no_more_asked() {
        let mut game = sample_game();
        game.moves[12].claimed.sent = date("2004-10-29");
        game.moves[12].observed.sent = date("2004-10-30");
        game.moves[12].agreed.sent = date("2004-10-30");
        let said = remarks(&game, &[]);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].starts_with("For your move 7. 5171 I count received 26 October 2004, sent 30 October 2004, 4 days"),
            "{said:?}"
        );
        let table = [row(7, Side::White, Stated { days: Some(3), ..Stated::default() })];
        assert_eq!(remarks(&game, &table).len(), 1, "a settled row is no difference any more");
    }
}
