//! What a player may settle about the dates and days of a ply, and what he may not: impossible dates are refused.

use chrono::{Datelike, NaiveDate};

use super::days::in_words;
use super::ledger::{Ledger, PlyTime};
use super::rules::{Overstep, RulesetError};
use crate::domain::game::{Agreed, Game, Stated};

/// Days that the calendars of two places can lie apart.
const TIME_ZONE: i64 = 1;

/// No game that goes on by e-mail, be it begun on postcards, has an earlier day.
const FIRST_YEAR: i32 = 1970;
/// The most days that anybody counts, for a move or for all of them.
pub const MOST_DAYS: u32 = 9999;
/// So many years ahead nothing is announced and no event begins.
const YEARS_AHEAD: i32 = 5;

/// A day that nobody can mean: its year was mistyped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{day} cannot be meant: days of a game by e-mail lie in the years {FIRST_YEAR} to {last}; write the year anew")]
pub struct NotMeant {
    /// The day that was written.
    pub day: NaiveDate,
    /// The last year that can be meant.
    pub last: i32,
}

/// A day that a player writes, if he can mean it on `today`.
///
/// # Errors
/// [`NotMeant`].
pub fn meant(day: NaiveDate, today: NaiveDate) -> Result<NaiveDate, NotMeant> {
    let last = today.year().saturating_add(YEARS_AHEAD);
    if (FIRST_YEAR..=last).contains(&day.year()) { Ok(day) } else { Err(NotMeant { day, last }) }
}

/// Why dates and days of a ply cannot be settled like this.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Impossible {
    #[error("sent {sent} lies before received {received}")]
    SentBeforeReceived { received: NaiveDate, sent: NaiveDate },
    #[error("{what} {day} has not come yet; today is {today}")]
    Future { what: &'static str, day: NaiveDate, today: NaiveDate },
    #[error("{what} {day} lies before {before}, the day on which the move before was sent")]
    BeforeTheMoveBefore { what: &'static str, day: NaiveDate, before: NaiveDate },
    #[error("{what} {day} lies after {after}, the day on which the next move was sent")]
    BehindTheNextMove { what: &'static str, day: NaiveDate, after: NaiveDate },
    #[error("sent {sent} lies after {arrived}, the day on which the answer to it came")]
    BehindTheAnswer { sent: NaiveDate, arrived: NaiveDate },
    #[error("a total of {total} is less than the {} of the move itself", in_words(*days))]
    TotalBelowDays { total: u32, days: u32 },
}

/// What is wrong with settling the ply `index` (counted from 0) like this, if anything.
///
/// # Errors
/// [`RulesetError`] when the game's rules are not usable.
pub fn impossible(
    game: &Game,
    index: usize,
    agreed: &Agreed,
    today: NaiveDate,
) -> Result<Option<Impossible>, RulesetError> {
    let mut settled = game.clone();
    if let Some(record) = settled.moves.get_mut(index) {
        record.agreed = *agreed;
    }
    let ledger = Ledger::of(&settled)?;
    let sent_of = |index: Option<usize>| index.and_then(|i| ledger.plies().get(i)).and_then(|p| p.sent).map(|d| d.day);
    let (before, next) = (sent_of(index.checked_sub(1)), sent_of(index.checked_add(1)));
    let time = ledger.plies().get(index);
    let (received, sent) = (time.and_then(|t| t.received).map(|d| d.day), time.and_then(|t| t.sent).map(|d| d.day));
    // by its own Date his mail can be of a day that has not begun here
    let dated = settled.moves.get(index).and_then(|record| record.observed.sent);
    let latest = dated.map_or(today, |sent| sent.max(today));
    // both days are of the player's own place
    let answered = settled.moves.get(index + 1).and_then(|answer| answer.observed.arrived);
    let answered = answered.filter(|_| settled.number_of(index).side == settled.me);
    if let (Some(sent), Some(arrived)) = (agreed.sent, answered)
        && sent > arrived
    {
        return Ok(Some(Impossible::BehindTheAnswer { sent, arrived }));
    }
    for (what, day) in [("received", agreed.received), ("sent", agreed.sent)] {
        let Some(day) = day else { continue };
        if let Some(wrong) = out_of_place(what, day, before, (today, latest)) {
            return Ok(Some(wrong));
        }
        if let Some(after) = next.filter(|after| (day - *after).num_days() > TIME_ZONE) {
            return Ok(Some(Impossible::BehindTheNextMove { what, day, after }));
        }
    }
    let is_dated = agreed.received.is_some() || agreed.sent.is_some();
    if let (true, Some(received), Some(sent)) = (is_dated, received, sent)
        && sent < received
        && game.start_date.is_none_or(|start| received > start)
    {
        return Ok(Some(Impossible::SentBeforeReceived { received, sent }));
    }
    // a total of 0 awards a fresh count after the days of a late move (T71)
    let is_awarded = agreed.total == Some(0) && ledger.rules().overstep == Overstep::ResetThenForfeit;
    let is_of_days = agreed.days.is_some() || agreed.penalty.is_some();
    let days = time.and_then(|time| time.days).filter(|_| is_of_days && !is_awarded);
    Ok(match (agreed.total, days) {
        (Some(total), Some(days)) if total < days => Some(Impossible::TotalBelowDays { total, days }),
        _ => None,
    })
}

/// What of settling the ply `index` like this can only be where the calendars of the two players lie a day apart.
///
/// # Errors
/// [`RulesetError`] when the game's rules are not usable.
pub fn doubtful(game: &Game, index: usize, agreed: &Agreed) -> Result<Vec<String>, RulesetError> {
    let ledger = Ledger::of(game)?;
    let sent_of = |index: Option<usize>| index.and_then(|i| ledger.plies().get(i)).and_then(|p| p.sent).map(|d| d.day);
    let (before, next) = (sent_of(index.checked_sub(1)), sent_of(index.checked_add(1)));
    let own = game.moves.get(index).map(|record| record.agreed).unwrap_or_default();
    let mut doubts = Vec::new();
    for (what, day, stood) in [("received", agreed.received, own.received), ("sent", agreed.sent, own.sent)] {
        let Some(day) = day.filter(|day| Some(*day) != stood) else { continue };
        let only = "this can only be where your calendars lie a day apart";
        if let Some(before) = before.filter(|before| day < *before) {
            doubts.push(format!("{what} {day} is the day before {before}, on which the move before was sent: {only}"));
        }
        if let Some(next) = next.filter(|next| *next < day) {
            doubts.push(format!("{what} {day} is the day after {next}, on which the next move was sent: {only}"));
        }
    }
    Ok(doubts)
}

/// What is wrong with a day of a ply that lies after the `latest` one, which elsewhere can be the day after `today`, or further than two
/// time zones before the day on which the move before it was sent.
pub fn out_of_place(
    what: &'static str,
    day: NaiveDate,
    before: Option<NaiveDate>,
    (today, latest): (NaiveDate, NaiveDate),
) -> Option<Impossible> {
    if day > latest {
        return Some(Impossible::Future { what, day, today });
    }
    let before = before.filter(|before| (*before - day).num_days() > TIME_ZONE)?;
    Some(Impossible::BeforeTheMoveBefore { what, day, before })
}

/// What settles the ply `index` in the player's favour where the opponent shows it like this: what was settled of it before, unless that
/// is what he shows; then the dates of the record, but the day of a mail's own Date where its sender states another one (ICCF guideline
/// 2j), and the days that follow from them. A penalty stays, and so does a count that was awarded (T71).
///
/// # Errors
/// [`RulesetError`] when the game's rules are not usable.
pub fn mine(game: &Game, index: usize, shown: &Stated) -> Result<Agreed, RulesetError> {
    let mut settled = game.clone();
    let mut penalty = None;
    if let Some(record) = settled.moves.get_mut(index) {
        let before = record.agreed;
        let stamp = record.observed.sent.filter(|_| record.claimed.sent.is_some());
        penalty = before.penalty;
        record.agreed = Agreed {
            received: before.received.filter(|day| Some(*day) != shown.received),
            sent: before.sent.filter(|day| Some(*day) != shown.sent).or(stamp),
            days: before.days.filter(|days| Some(*days) != shown.days),
            total: before.total.filter(|total| Some(*total) != shown.total),
            penalty,
        };
    }
    let ledger = Ledger::of(&settled)?;
    let time = ledger.plies().get(index);
    Ok(Agreed {
        received: time.and_then(|t| t.received).map(|d| d.day),
        sent: time.and_then(|t| t.sent).map(|d| d.day),
        days: time.and_then(|t| t.days).map(|days| days.saturating_sub(penalty.unwrap_or(0))),
        total: time.and_then(PlyTime::known_total),
        penalty,
    })
}

/// What settles a ply in the opponent's favour: what he shows, over what was settled before. The days that he shows are all that he is to
/// be charged, so that no penalty is added to them.
pub fn his(stated: &Stated, before: &Agreed) -> Agreed {
    Agreed {
        received: stated.received.or(before.received),
        sent: stated.sent.or(before.sent),
        days: stated.days.or(before.days),
        total: stated.total.or(before.total),
        penalty: before.penalty.filter(|_| stated.days.is_none()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;

    fn day(text: &str) -> Option<NaiveDate> {
        Some(text.parse().unwrap())
    }

    fn refused(index: usize, agreed: Agreed) -> Option<String> {
        let today = "2004-11-05".parse().unwrap();
        impossible(&sample_game(), index, &agreed, today).unwrap().map(|why| why.to_string())
    }

    #[test]
    fn dates_that_cannot_be_are_refused_with_the_reason() {
        let received = |text| Agreed { received: day(text), ..Agreed::default() };
        let sent = |text| Agreed { sent: day(text), ..Agreed::default() };
        for (index, agreed, why) in [
            (12, sent("2004-10-25"), "sent 2004-10-25 lies before received 2004-10-26"),
            (12, received("2004-11-01"), "sent 2004-10-30 lies before received 2004-11-01"),
            (12, sent("2004-11-06"), "sent 2004-11-06 has not come yet; today is 2004-11-05"),
            (
                12,
                received("2004-10-24"),
                "received 2004-10-24 lies before 2004-10-26, the day on which the move before was sent",
            ),
            (10, sent("2004-10-28"), "sent 2004-10-28 lies after 2004-10-26, the day on which the next move was sent"),
            (
                10,
                Agreed { days: Some(9), total: Some(8), ..Agreed::default() },
                "a total of 8 is less than the 9 days of the move itself",
            ),
        ] {
            assert_eq!(refused(index, agreed).as_deref(), Some(why));
        }
    }

    #[test]
    fn my_move_did_not_go_out_after_the_answer_to_it_came() {
        let mut game = sample_game();
        let mine = game.moves.len() - 2;
        game.moves[mine + 1].observed.arrived = day("2004-10-29");
        let today = "2004-11-05".parse().unwrap();
        let said = |game: &Game, text| {
            let agreed = Agreed { sent: day(text), ..Agreed::default() };
            impossible(game, mine, &agreed, today).unwrap().map(|why| why.to_string())
        };
        let why = "sent 2004-10-30 lies after 2004-10-29, the day on which the answer to it came";
        assert_eq!(said(&game, "2004-10-30").as_deref(), Some(why));
        assert_eq!(said(&game, "2004-10-29"), None);
        game.me = game.me.other();
        assert_eq!(said(&game, "2004-10-30"), None, "his day is that of his place");
    }

    #[test]
    fn what_only_two_calendars_explain_is_asked_about() {
        let game = sample_game();
        let asked = |index, agreed: Agreed| doubtful(&game, index, &agreed).unwrap().join("; ");
        let received = |text| Agreed { received: day(text), ..Agreed::default() };
        let sent = |text| Agreed { sent: day(text), ..Agreed::default() };
        assert!(asked(12, received("2004-10-25")).starts_with("received 2004-10-25 is the day before 2004-10-26"));
        assert!(asked(10, sent("2004-10-27")).starts_with("sent 2004-10-27 is the day after 2004-10-26"));
        assert_eq!(asked(12, received("2004-10-26")), "");
        let mut settled = game.clone();
        settled.moves[12].agreed = received("2004-10-25");
        assert_eq!(
            doubtful(&settled, 12, &received("2004-10-25")).unwrap(),
            Vec::<String>::new(),
            "it was asked before"
        );
    }

    #[test]
    fn what_can_be_is_not_refused() {
        assert_eq!(refused(12, Agreed { received: day("2004-10-25"), ..Agreed::default() }), None, "a time zone apart");
        assert_eq!(refused(12, Agreed { sent: day("2004-11-05"), days: Some(10), ..Agreed::default() }), None);
        assert_eq!(refused(0, Agreed { sent: day("2004-09-10"), ..Agreed::default() }), None, "before the start");
        assert_eq!(refused(5, Agreed { total: Some(40), ..Agreed::default() }), None);
    }

    /// What the ply `index` is settled with, and the days and the total that it then has.
    fn row(game: &Game, index: usize, agreed: Agreed) -> (Agreed, Option<u32>, u32) {
        let mut settled = game.clone();
        settled.moves[index].agreed = agreed;
        let ply = Ledger::of(&settled).unwrap().plies()[index];
        (agreed, ply.days, ply.total)
    }

    #[test]
    fn mine_keeps_a_penalty_and_what_was_settled_and_his_are_just_the_days_that_he_shows() {
        let game = sample_game();
        let shown = Stated { days: Some(4), total: Some(12), ..Stated::default() };
        let kept = |before: Agreed| {
            let mut game = game.clone();
            game.moves[12].agreed = before;
            let (agreed, days, total) = row(&game, 12, mine(&game, 12, &shown).unwrap());
            let (_, days_before, total_before) = row(&game, 12, before);
            assert_eq!((days, total), (days_before, total_before), "the row does not change");
            (agreed.days, agreed.penalty, days, total)
        };
        let penalty = Agreed { penalty: Some(5), ..Agreed::default() };
        assert_eq!(kept(penalty), (Some(4), Some(5), Some(9), 17));
        let days = Agreed { days: Some(2), total: Some(9), ..penalty };
        assert_eq!(kept(days), (Some(2), Some(5), Some(7), 9));
        let received = Agreed { received: day("2004-10-27"), ..Agreed::default() };
        assert_eq!(kept(received), (Some(3), None, Some(3), 11));
        assert_eq!(row(&game, 12, his(&shown, &penalty)), (his(&shown, &penalty), Some(4), 12));
        let dates = Stated { received: day("2004-10-27"), ..Stated::default() };
        assert_eq!(his(&dates, &penalty).penalty, Some(5), "he says nothing of days");
    }

    #[test]
    fn what_was_settled_as_he_shows_it_is_no_more_than_that_where_the_record_is_right() {
        let mut game = sample_game();
        let shown = Stated { sent: day("2004-10-29"), days: Some(3), total: Some(11), ..Stated::default() };
        let plain = mine(&game, 12, &shown).unwrap();
        game.moves[12].agreed = his(&shown, &Agreed::default());
        assert_eq!(mine(&game, 12, &shown).unwrap(), plain);
        assert_eq!((plain.days, plain.total), (Some(4), Some(12)));
    }

    #[test]
    fn t71_a_count_that_was_awarded_stays_where_the_record_is_right() {
        let mut game = sample_game();
        game.rules = serde_json::from_str(r#"{"base": "iccf-email-2000", "overstep": "reset_then_forfeit"}"#).unwrap();
        game.moves[12].agreed.total = Some(0);
        let shown = Stated { days: Some(4), total: Some(12), ..Stated::default() };
        let settled = mine(&game, 12, &shown).unwrap();
        assert_eq!((settled.days, settled.total), (Some(4), Some(0)));
        let today = "2004-11-05".parse().unwrap();
        assert_eq!(impossible(&game, 12, &settled, today).unwrap(), None);
        game.rules = serde_json::from_str(r#""iccf-email-2000""#).unwrap();
        let why = Some(Impossible::TotalBelowDays { total: 0, days: 4 });
        assert_eq!(impossible(&game, 12, &settled, today).unwrap(), why, "no fresh count by these rules");
        let penalty = Agreed { total: Some(7), penalty: Some(5), ..Agreed::default() };
        let why = Some(Impossible::TotalBelowDays { total: 7, days: 9 });
        assert_eq!(impossible(&game, 12, &penalty, today).unwrap(), why, "the penalty is of the days");
    }

    #[test]
    fn mine_is_the_record_with_the_day_of_the_mail_itself() {
        let mut game = sample_game();
        game.moves[12].claimed = Stated { sent: day("2004-10-29"), ..Stated::default() };
        game.moves[12].observed.sent = day("2004-10-30");
        let settled = mine(&game, 12, &Stated::default()).unwrap();
        assert_eq!(
            (settled.received, settled.sent, settled.days, settled.total),
            (day("2004-10-26"), day("2004-10-30"), Some(4), Some(12))
        );
    }
}
