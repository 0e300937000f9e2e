//! Gives the written dates of a message their days: which number is the month, which year is meant.
//!
//! One order of day and month holds for the whole message: the one with fewer contradictions to the calendar, to the record and
//! to "received before sent, sent before the mail". Where both do equally well and differ, dotted dates are read day
//! first and all others stay blank: a missing date costs a question, a wrong one a day of somebody's time.

use chrono::{Days, NaiveDate};

use super::gather::Draft;
use super::labels::{Columns, Labels};
use super::{Frame, Reading};
use crate::domain::game::{MoveNumber, Stated};
use crate::domain::transmission::dates::{DayMonth, WrittenDate};

/// Resolves all dates and hands the claims over to the reading.
pub(super) fn dates(drafts: Vec<Draft>, labels: &Labels, columns: Columns, frame: &Frame<'_>, reading: &mut Reading) {
    let start = reading.head.start_date.or(frame.start);
    let attempt = |order| {
        let straight = Attempt::of(&drafts, labels, frame, start, order, false);
        let backwards = straight.sent_comes_first();
        if !backwards && columns.sent_first != Some(true) {
            return straight;
        }
        let swapped = Attempt::of(&drafts, labels, frame, start, order, true);
        let fits = swapped.contradictions <= straight.contradictions;
        if fits { swapped } else { straight }
    };
    let day_first = attempt(DayMonth::DayFirst);
    let month_first = attempt(DayMonth::MonthFirst);
    let dotted = drafts.iter().flat_map(written).chain(label_dates(labels)).all(is_dotted_or_clear);
    let chosen = match day_first.contradictions.cmp(&month_first.contradictions) {
        std::cmp::Ordering::Less => Some(day_first),
        std::cmp::Ordering::Greater => Some(month_first),
        std::cmp::Ordering::Equal if dotted || day_first.same_days(&month_first) => Some(day_first),
        std::cmp::Ordering::Equal => None,
    };
    let blank = chosen.is_none();
    let stated = chosen.as_ref().map(|c| c.stated.clone()).unwrap_or_else(|| vec![Stated::default(); drafts.len()]);
    let labelled = chosen.as_ref().map(|c| c.labelled).unwrap_or_default();
    let had_dates = drafts.iter().flat_map(written).next().is_some() || label_dates(labels).next().is_some();
    reading.dates_left_open = labels.open > 0 || (blank && had_dates) || unclear(labels);
    let of_another = speaks_of_another(labels, &drafts, frame);
    reading.dates_left_open |= of_another;
    let mut totals: Vec<(MoveNumber, u32)> = Vec::new();
    for (draft, dates) in drafts.into_iter().zip(stated) {
        let mut claim = draft.claim;
        let is_new = claim.number.and_then(|n| frame.first.plies_to(n)).is_none_or(|ply| ply >= frame.known.len());
        let (mut days, mut total) = (draft.cells.days, draft.cells.total);
        if columns.total_first == Some(true) {
            (days, total) = (total, days);
        }
        let falls = matches!((days, total), (Some(days), Some(total)) if days > total);
        if falls && columns.total_first != Some(false) {
            (days, total) = (None, None);
        }
        let (said_days, said_total) = (single(&draft.words.days), single(&draft.words.total));
        claim.stated = Stated { days: both(days, said_days), total: both(total, said_total), ..dates };
        let backwards = matches!((dates.received, dates.sent), (Some(received), Some(sent)) if received > sent);
        if backwards && columns.sent_first != Some(false) && !has_dates(&draft.words) {
            (claim.stated.received, claim.stated.sent) = (None, None);
            reading.dates_left_open |= is_new;
        }
        let lone = draft.cells.lone.is_some() && dates.sent.is_none();
        reading.dates_left_open |= is_new && (lone || draft.words.open > 0 || unclear(&draft.words));
        if draft.of_reader {
            claim.stated = Stated::default();
        }
        if let (Some((days, total)), Some(number)) = (draft.cells.open_pair, claim.number) {
            let before = totals.iter().rev().find(|(n, _)| n.side == number.side).map(|(_, t)| *t);
            let before = before.or_else(|| known_total(frame, number)).unwrap_or(0);
            if before.checked_add(days) == Some(total) {
                (claim.stated.days, claim.stated.total) = (Some(days), Some(total));
            } else if !has_dates(&draft.words) {
                reading.dates_left_open = true;
            }
        }
        // `sent , 2/12`: the days and total are no date as well
        let pair = claim.stated.days.zip(claim.stated.total);
        let is_pair = |date| matches!(date, WrittenDate::Open { first, second, year: None, dotted: false } if Some((first, second)) == pair);
        if label_dates(&draft.words).any(is_pair) {
            (claim.stated.received, claim.stated.sent) = (None, None);
            reading.dates_left_open |= is_new;
        }
        if let (Some(number), Some(total)) = (claim.number, claim.stated.total) {
            totals.push((number, total));
        }
        reading.claims.push(claim);
    }
    if !of_another {
        reading.labelled = Stated { days: single(&labels.days), total: single(&labels.total), ..labelled };
    }
}

/// The one value of a list; `None` when it is empty or two differ.
fn single<T: Copy + PartialEq>(list: &[T]) -> Option<T> {
    match list {
        [first, rest @ ..] if rest.iter().all(|n| n == first) => Some(*first),
        _ => None,
    }
}

/// What a cell and a word say together; blank where they differ.
fn both(cell: Option<u32>, word: Option<u32>) -> Option<u32> {
    match (cell, word) {
        (Some(cell), Some(word)) if cell != word => None,
        (cell, word) => cell.or(word),
    }
}

/// Whether words gave dates to a half move.
fn has_dates(words: &Labels) -> bool {
    label_dates(words).next().is_some()
}

/// Whether words stand right below a move on record and before others: they may speak of that move.
fn speaks_of_another(labels: &Labels, drafts: &[Draft], frame: &Frame<'_>) -> bool {
    let is_known = |draft: &Draft| {
        let ply = draft.claim.number.and_then(|n| frame.first.plies_to(n));
        ply.is_some_and(|ply| ply < frame.known.len())
    };
    labels.lines.iter().any(|line| {
        let below = drafts.iter().rfind(|d| d.claim.line + 1 == *line);
        below.is_some_and(is_known) && drafts.iter().any(|d| d.claim.line > *line)
    })
}

/// One reading of all dates of a message.
struct Attempt {
    stated: Vec<Stated>,
    labelled: Stated,
    contradictions: usize,
}

impl Attempt {
    fn of(
        drafts: &[Draft],
        labels: &Labels,
        frame: &Frame<'_>,
        start: Option<NaiveDate>,
        order: DayMonth,
        swapped: bool,
    ) -> Attempt {
        let mut out =
            Attempt { stated: vec![Stated::default(); drafts.len()], labelled: Stated::default(), contradictions: 0 };
        let fallback = start.or(frame.latest);
        let mut sorted: Vec<(usize, Option<usize>)> = drafts
            .iter()
            .enumerate()
            .map(|(at, d)| (at, d.claim.number.and_then(|n| frame.first.plies_to(n))))
            .collect();
        sorted.sort_by_key(|(_, ply)| ply.unwrap_or(frame.known.len()));
        let mut near = fallback;
        for (at, ply) in sorted {
            let (Some(draft), Some(slot)) = (drafts.get(at), out.stated.get_mut(at)) else {
                continue;
            };
            let before = ply.and_then(|p| p.checked_sub(1)).and_then(|p| frame.known.get(p)).and_then(|k| k.sent);
            near = before.or(near);
            let mut bad = 0;
            let words = &draft.words;
            if has_dates(words) {
                slot.received = day(single(&words.received), order, &mut near, &mut bad);
                slot.sent = day(single(&words.sent), order, &mut near, &mut bad);
            } else {
                slot.received = day(draft.cells.received, order, &mut near, &mut bad);
                slot.sent = day(draft.cells.sent, order, &mut near, &mut bad);
                if swapped {
                    std::mem::swap(&mut slot.received, &mut slot.sent);
                }
                let lone = day(draft.cells.lone, order, &mut near, &mut bad);
                let known = ply.and_then(|p| frame.known.get(p)).and_then(|k| k.sent);
                bad += disorder(Stated { sent: lone, ..Stated::default() }, before, frame.latest);
                slot.sent = slot.sent.or(lone.filter(|d| Some(*d) == known.or(frame.latest)));
            }
            if !draft.of_reader {
                bad += disorder(*slot, before, frame.latest);
                let known = ply.and_then(|p| frame.known.get(p)).copied().unwrap_or_default();
                let differs = |ours: Option<NaiveDate>, his: Option<NaiveDate>| matches!((ours, his), (Some(a), Some(b)) if a != b);
                bad +=
                    usize::from(differs(known.received, slot.received)) + usize::from(differs(known.sent, slot.sent));
            }
            out.contradictions += bad;
        }
        let last = frame.known.last().and_then(|k| k.sent);
        let mut near = last.or(frame.latest).or(near);
        let mut bad = 0;
        out.labelled.received = day(single(&labels.received), order, &mut near, &mut bad);
        out.labelled.sent = day(single(&labels.sent), order, &mut near, &mut bad);
        out.contradictions += bad + disorder(out.labelled, last, frame.latest);
        out
    }

    /// Whether the first of two date columns is the day of sending: several rows say so and none the contrary. A single row
    /// with its dates the wrong way round is an error of its writer, to be shown and not mended.
    fn sent_comes_first(&self) -> bool {
        let pairs = self.stated.iter().filter_map(|s| s.received.zip(s.sent));
        let (mut backwards, mut forwards) = (0, 0);
        for (first, second) in pairs {
            backwards += usize::from(first > second);
            forwards += usize::from(first < second);
        }
        backwards > 2 && forwards == 0
    }

    fn same_days(&self, other: &Attempt) -> bool {
        self.stated == other.stated && self.labelled == other.labelled
    }
}

/// The day a written date means; an impossible one counts as a contradiction.
fn day(
    written: Option<WrittenDate>,
    order: DayMonth,
    near: &mut Option<NaiveDate>,
    bad: &mut usize,
) -> Option<NaiveDate> {
    let written = written?;
    let found = match (*near, written) {
        (Some(near), _) => written.resolve(order, near),
        (None, WrittenDate::Clear { year: Some(year), .. } | WrittenDate::Open { year: Some(year), .. })
            if year >= 1000 =>
        {
            NaiveDate::from_ymd_opt(year, 6, 1).and_then(|near| written.resolve(order, near))
        }
        (None, _) => None,
    };
    match found {
        Some(found) => *near = Some(found),
        None => *bad += 1,
    }
    found
}

/// How often dates break the order: move before sent <= received <= sent <= mail (one day for time zones).
fn disorder(stated: Stated, before: Option<NaiveDate>, latest: Option<NaiveDate>) -> usize {
    let later = |a: Option<NaiveDate>, b: Option<NaiveDate>| matches!((a, b), (Some(a), Some(b)) if a > b);
    let tomorrow = |d: Option<NaiveDate>| d.and_then(|d| d.checked_add_days(Days::new(1)));
    usize::from(later(stated.received, stated.sent))
        + usize::from(later(before, tomorrow(stated.received)))
        + usize::from(later(before, tomorrow(stated.sent)))
        + usize::from(later(stated.sent, tomorrow(latest)))
        + usize::from(later(stated.received, tomorrow(latest)))
}

fn known_total(frame: &Frame<'_>, number: MoveNumber) -> Option<u32> {
    let ply = frame.first.plies_to(number)?;
    frame.known.get(ply.checked_sub(2)?).and_then(|k| k.total)
}

fn written(draft: &Draft) -> impl Iterator<Item = WrittenDate> + '_ {
    let cells = &draft.cells;
    [cells.received, cells.sent, cells.lone].into_iter().flatten().chain(label_dates(&draft.words))
}

fn label_dates(labels: &Labels) -> impl Iterator<Item = WrittenDate> + '_ {
    labels.received.iter().chain(&labels.sent).copied()
}

fn is_dotted_or_clear(date: WrittenDate) -> bool {
    match date {
        WrittenDate::Clear { .. } => true,
        WrittenDate::Open { dotted, .. } => dotted,
    }
}

/// Two different days, or numbers, with the same label.
fn unclear(labels: &Labels) -> bool {
    let mixed = |list: &[WrittenDate]| list.windows(2).any(|w| w.first() != w.last());
    mixed(&labels.received) || mixed(&labels.sent)
}
