//! What a reply says about dates and days beside the move: where his table and the record differ, what was assumed for want of
//! a date, what was corrected. Politely, and without settling anything.

use chrono::NaiveDate;

use super::wrap::fill;
use crate::domain::clock::ledger::{DateSource, Ledger, PlyTime};
use crate::domain::game::{Agreed, Game, MoveRecord, Stated};
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
    let of_last = [assumed(game, time), corrected(record, time), stamp(record), transit(&ledger, record, mine)];
    let differ = differences(game, &ledger, table);
    let differ = differ.iter().map(|difference| differs(game, difference));
    of_last.into_iter().flatten().chain(differ).collect()
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
    let latest = latest_receipt(&ledger, mine).filter(|latest| his > *latest)?;
    Some(
        format!(
            "To settle it as the rules have it:\n    amici clock set {} {} --received {latest} --why \"more than one day of transit\"\n\
         Words for the director, if you do not agree on it:\n{}",
            game.id,
            time.number,
            fill(
                &format!(
                    "My opponent books my mail with my move {} of {} as received on {}. By the rules {} is the latest day. I ask you to decide which day counts.",
                    before.number.number,
                    day(mine),
                    day(his),
                    day(latest)
                ),
                "    ",
                "    "
            )
        ) + "\n",
    )
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
