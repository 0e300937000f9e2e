//! Differences between what the sender states and what the record makes of it. Shown, never settled here.
//!
//! Every row of his table is compared, those of both sides. What will surprise you: a running total that is off by as much as
//! in the row before is no new difference, and a ply that the player has settled is none any more.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use chrono::NaiveDate;

use super::assess::agreed;
use super::events::each_once;
use super::objection::{Objection, booked};
use super::{Evidence, Expected};
use crate::domain::clock::ledger::{DateSource, Ledger, PlyTime};
use crate::domain::game::{Agreed, Game, MoveNumber, MoveRecord, Side, Stated};
use crate::domain::transmission::read::{DateFault, Reading, Unread, fill};
use crate::languages::{Days, Language, Phrase, Value};
use crate::phrase;

/// A row of a score table: whose ply, and what stands beside the move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its place on the score sheet.
    pub number: MoveNumber,
    /// Dates and days.
    pub stated: Stated,
    /// What stands there and was not taken; empty but for the new move.
    pub unread: Unread,
    /// The reader settled it since his last letter: its sender cannot know.
    pub is_news: bool,
}

impl Row {
    /// A row of which everything was taken.
    pub fn read(number: MoveNumber, stated: Stated) -> Row {
        Row { number, stated, unread: Unread::default(), is_news: false }
    }
}

/// A row in which the sender's table and the record differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// Its place on the score sheet.
    pub number: MoveNumber,
    /// What he shows, as far as it differs.
    pub his: Stated,
    /// What the record has for it.
    pub ours: Stated,
    /// The whole row of the record.
    pub record: Stated,
}

impl Difference {
    /// As it is told to the reader.
    pub fn phrase(&self) -> Phrase {
        let (his, ours) = (told(&self.his), told(&self.ours));
        phrase!("move {number}: he shows {his}; the record has {ours}", number = self.number, his, ours)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.phrase().in_english())
    }
}

/// `received 2004-05-03, sent 2004-05-12, 3 days, total 28`, as far as it is there.
pub(super) fn told(stated: &Stated) -> Value {
    dated(stated, |day| day.to_string())
}

/// The same with the days as `date` writes them.
fn dated(stated: &Stated, date: impl Fn(NaiveDate) -> String) -> Value {
    let parts = [
        stated.received.map(|day| phrase!("received {day}", day = date(day)).into()),
        stated.sent.map(|day| phrase!("sent {day}", day = date(day)).into()),
        stated.days.map(|days| Days(days).into()),
        stated.total.map(|total| phrase!("total {total}", total).into()),
    ];
    if stated.is_empty() { phrase!("nothing").into() } else { Value::joined(parts.into_iter().flatten(), ", ") }
}

/// The same in English.
pub fn in_words(stated: &Stated, date: impl Fn(NaiveDate) -> String) -> String {
    dated(stated, date).in_words(Language::English)
}

/// The row of the record.
pub fn recorded(time: &PlyTime) -> Stated {
    Stated {
        received: time.received.map(|d| d.day),
        sent: time.sent.map(|d| d.day),
        days: time.days,
        total: time.known_total(),
    }
}

/// The rows of a table that differ from the record and that nobody has settled, oldest first. Rows behind the record are left out.
pub fn differences(game: &Game, ledger: &Ledger, table: &[Row]) -> Vec<Difference> {
    differing(game, ledger, table, |_, _, record| record.agreed == Agreed::default())
}

/// The same with those that were settled.
pub fn all_differences(game: &Game, ledger: &Ledger, table: &[Row]) -> Vec<Difference> {
    differing(game, ledger, table, |_, _, _| true)
}

/// The same with the reader's own last move and what he settled since his last letter: the sender cannot know until he is told.
pub fn untold(game: &Game, ledger: &Ledger, table: &[Row]) -> Vec<Difference> {
    let own = game.moves.len().checked_sub(2);
    differing(game, ledger, table, |index, row, record| {
        record.agreed == Agreed::default() || row.is_news || Some(index) == own
    })
}

fn differing(
    game: &Game,
    ledger: &Ledger,
    table: &[Row],
    is_asked: impl Fn(usize, &Row, &MoveRecord) -> bool,
) -> Vec<Difference> {
    let first = game.first_number();
    let place = |row: &Row| first.plies_to(row.number);
    let mut rows: Vec<(usize, &Row)> = table.iter().filter_map(|row| Some((place(row)?, row))).collect();
    rows.sort_by_key(|(index, _)| *index);
    // by how much his totals are off so far, side by side
    let mut carried: HashMap<Side, i64> = HashMap::new();
    let mut found = Vec::new();
    for (index, row) in rows {
        let (Some(time), Some(record)) = (ledger.plies().get(index), game.moves.get(index)) else { continue };
        let off = row.stated.total.zip(time.known_total()).map(|(his, ours)| i64::from(his) - i64::from(ours));
        let is_new = off.is_some_and(|off| carried.insert(row.number.side, off).unwrap_or_default() != off);
        if !is_asked(index, row, record) || record.is_timeless() {
            continue;
        }
        let of_notice = |day: &NaiveDate| game.illegal_before(index).is_some_and(|illegal| illegal.is_of_notice(*day));
        let his = Stated {
            total: row.stated.total.filter(|_| is_new),
            received: row.stated.received.filter(|day| !of_notice(day)),
            sent: row.stated.sent.filter(|day| !names_notice(game, index, time, *day)),
            ..row.stated
        };
        found.extend(difference(row.number, his, time));
    }
    found
}

/// Whether a day that he gives as that of the player's mail with the ply `index` is the day of the notice of the illegal move with which he
/// answered it (T80): it lies behind the one on record, and not before his illegal move.
fn names_notice(game: &Game, index: usize, time: &PlyTime, day: NaiveDate) -> bool {
    time.number.side == game.me
        && game.illegal_plies().any(|ply| ply == index + 2)
        && time.sent.is_some_and(|sent| day > sent.day)
        && game.illegal_before(index + 1).is_none_or(|illegal| day >= illegal.sent)
}

/// What he states where the other has something else.
pub(super) fn apart(his: Stated, other: &Stated) -> Stated {
    fn part<T: PartialEq>(his: Option<T>, other: &Option<T>) -> Option<T> {
        his.filter(|his| other.as_ref().is_some_and(|other| other != his))
    }
    Stated {
        received: part(his.received, &other.received),
        sent: part(his.sent, &other.sent),
        days: part(his.days, &other.days),
        total: part(his.total, &other.total),
    }
}

fn difference(number: MoveNumber, his: Stated, time: &PlyTime) -> Option<Difference> {
    let record = recorded(time);
    // before the start nothing counts, whatever the first row shows
    let is_start = time.received.is_some_and(|d| d.source == DateSource::Start && his.received <= Some(d.day));
    let his = apart(Stated { received: his.received.filter(|_| !is_start), ..his }, &record);
    let ours = Stated {
        received: his.received.and(record.received),
        sent: his.sent.and(record.sent),
        days: his.days.and(record.days),
        total: his.total.and(record.total),
    };
    (!his.is_empty()).then_some(Difference { number, his, ours, record })
}

/// The rows of his table that repeat the record, or give the ply that is due; what he says of the reader's last move beside
/// them. A cell that two forms of the mail fill differently stays blank.
pub(super) fn table(expected: &Expected<'_>, views: &[Reading]) -> Vec<Row> {
    let mut rows: BTreeMap<usize, Vec<Stated>> = BTreeMap::new();
    for view in views {
        let repeated = view.claims.iter().filter_map(|claim| Some((expected.repeated(claim)?, claim.stated)));
        let said = Stated { sent: view.reader_sent, total: view.reader_total, ..Stated::default() };
        let mine = expected.due().checked_sub(1).filter(|_| expected.opponent_is_due());
        let mut of_view: BTreeMap<usize, Stated> = BTreeMap::new();
        for (index, stated) in repeated.chain(mine.map(|mine| (mine, said))) {
            fill(of_view.entry(index).or_default(), stated);
        }
        for (index, stated) in of_view {
            rows.entry(index).or_default().push(stated);
        }
    }
    let rows = rows.iter().map(|(index, of_views)| Row::read(expected.number(*index), agreed(of_views).0));
    rows.filter(|row| !row.stated.is_empty()).collect()
}

/// What stands in the mail of the new move's dates and days and was not taken; `stated` was.
pub(super) fn unread(evidence: &Evidence, stated: &Stated, is_open: bool) -> Unread {
    let is_numbered = stated.days.is_some() || stated.total.is_some();
    Unread {
        fault: evidence.views.iter().find_map(|view| view.date_faults.first().copied()),
        is_open,
        numbers: evidence.views.iter().find_map(|view| view.unread_numbers.clone()).filter(|_| !is_numbered),
    }
}

/// What does not fit in the dates and days of the new move; `dated` is the day of the mail, where that can be true.
pub(super) fn of_new_move(
    expected: &Expected<'_>,
    evidence: &Evidence,
    number: MoveNumber,
    (stated, dated): (Stated, Option<NaiveDate>),
) -> Vec<Phrase> {
    let mut out = Vec::new();
    // by his place as this mail tells it, as the record will have it
    let Some(ledger) = expected.ledger.clone().map(|ledger| ledger.there(evidence.place)) else {
        return out;
    };
    let sent = stated.sent.or(dated);
    let answered = || sent.and_then(|sent| ledger.received_before(sent)).map(|d| d.day);
    let of_notice = |day: &NaiveDate| ledger.illegal_before_due().is_some_and(|illegal| illegal.is_of_notice(*day));
    let received = stated.received.filter(|day| !of_notice(day)).or_else(answered);
    if let (Some(stated), Some(header)) = (stated.sent, evidence.header_sent)
        && stated != header
    {
        out.push(phrase!("{number} is stated as sent {stated}, the mail is dated {header}", number, stated, header));
    }
    if let (Some(his), Some(mine)) = (stated.received, expected.answered()) {
        let sent_at = expected.game.moves.last().and_then(|record| record.observed.sent_at);
        match booked(&ledger, his, (mine, sent_at), ledger.his_offset(), ledger.lost()) {
            Some(transit @ Objection::Transit { latest, .. }) if !ledger.had_illegal() => {
                let known = transit.phrase();
                out.push(match latest {
                    Some(_) => phrase!("{known}, more days of transit can be disputed", known),
                    None => known,
                });
            }
            Some(Objection::Early { mine, .. }) => {
                out.push(phrase!(
                    "{number} is stated as received {his}, but your move was sent {mine}",
                    number,
                    his,
                    mine
                ));
            }
            _ => {}
        }
    }
    let (Some(received), Some(sent)) = (received, sent) else {
        return out;
    };
    match ledger.charge(received.into(), sent.into()).map(|charge| charge.days()) {
        Err(wrong) => out.push(phrase!(
            "{number}: sent {sent} lies before received {received}",
            number,
            sent = wrong.sent,
            received = wrong.received
        )),
        Ok(counted) => {
            let total = ledger.total(number.side).saturating_add(counted);
            let is_known = !ledger.is_partial(number.side);
            if let Some(days) = stated.days.filter(|days| *days != counted) {
                out.push(phrase!(
                    "{number}: he counts {days}, the record {counted} ({received} to {sent})",
                    number,
                    days = Days(days),
                    counted,
                    received,
                    sent
                ));
            }
            if let Some(his) = stated.total.filter(|his| is_known && *his != total) {
                out.push(phrase!(
                    "{number}: he counts {days} in all, the record {total}",
                    number,
                    days = Days(his),
                    total
                ));
            }
        }
    }
    out
}

/// Rows of his table that differ from the record in dates or days.
pub(super) fn of_record(expected: &Expected<'_>, views: &[Reading]) -> Vec<Phrase> {
    let planned = expected.game.with_plan_recorded();
    let rows = table(expected, views);
    let differ = expected.ledger.iter().flat_map(|ledger| differences(&planned, ledger, &rows));
    let faults = views.iter().flat_map(|view| &view.date_faults).map(DateFault::phrase);
    each_once(differ.map(|difference| difference.phrase()).chain(faults))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::{IllegalMail, SentIllegal};

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn t80_the_day_of_my_notice_is_not_held_against_the_day_of_my_move() {
        let plain = sample_game();
        let mine = plain.moves.len() - 2;
        let mut counted = plain.clone();
        counted.illegal = vec![SentIllegal { ply: 13, sent: day("2004-10-27"), noticed: day("2004-10-29") }];
        let mut seen = plain.clone();
        seen.illegal_mails = vec![IllegalMail { ply: 13, mail: 1 }];
        let differs = |game: &Game, sent: &str| {
            let row = Row::read(game.number_of(mine), Stated { sent: Some(day(sent)), ..Stated::default() });
            !differences(game, &Ledger::of(game).unwrap(), &[row]).is_empty()
        };
        for (game, sent, expected) in [
            (&plain, "2004-10-29", true),
            (&counted, "2004-10-29", false),
            (&counted, "2004-10-27", false),
            (&seen, "2004-10-29", false),
            (&counted, "2004-10-25", true),
            (&seen, "2004-10-25", true),
            (&counted, "2004-10-26", false),
        ] {
            assert_eq!(differs(game, sent), expected, "{sent}: {:?} {:?}", game.illegal, game.illegal_mails);
        }
    }
}
