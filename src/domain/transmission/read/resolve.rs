//! Gives the written dates of a message their days: which number is the month, which year is meant.
//!
//! One order of day and month holds for the whole message: the one with fewer contradictions to the calendar, to the record and
//! to "received before sent, sent before the mail". Where both do equally well and differ, the day of the mail decides, and
//! else they stay blank: a missing date costs a question, a wrong one a day of somebody's time.

use chrono::{Days, NaiveDate};

use super::below::of_new_move;
use super::cells::Columns;
use super::gather::Draft;
use super::labels::{Labels, Mention};
use super::settle::{self, Settled, Span, Sums};
use super::unread::{DateFault, FaultKind};
use super::{Frame, Reading, fill};
use crate::domain::game::{MoveNumber, Stated};
use crate::domain::transmission::dates::{DayMonth, WrittenDate};

/// Resolves all dates and hands the claims over to the reading.
pub(super) fn dates(drafts: Vec<Draft>, labels: &Labels, columns: &Columns, frame: &Frame<'_>, reading: &mut Reading) {
    let start = reading.head.start_date.or(frame.start);
    let mentions = labels.mentions.len();
    let labels = &of_new_move(labels, &drafts, frame);
    let of_another = labels.mentions.len() < mentions;
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
    let orders = [attempt(DayMonth::DayFirst), attempt(DayMonth::MonthFirst)];
    let all = || written(drafts.iter(), labels);
    let is_dotted = |date| !matches!(date, WrittenDate::Open { dotted: false, .. });
    let is_new = |draft: &Draft| draft.is_new(frame);
    let chosen = choose(orders, &drafts, frame, all().all(|(_, date)| is_dotted(date)));
    let blank = chosen.is_none() && all().next().is_some();
    let attempt = chosen.unwrap_or_else(|| Attempt::blank(drafts.len()));
    reading.dates_left_open = blank || of_another || attempt.labelled.open;
    report_impossible(&drafts, labels, frame, reading);
    reading.date_faults.extend(attempt.labelled.faults.iter().copied());
    reading.reader_sent = attempt.labelled.ours;
    let mut due = Stated { received: attempt.labelled.received, sent: attempt.labelled.sent, ..Stated::default() };
    let mut totals: Vec<(MoveNumber, u32)> = Vec::new();
    let mut told = Stated::default();
    let mut unread: Option<String> = None;
    for (draft, settled) in drafts.iter().zip(&attempt.settled) {
        let is_new = is_new(draft);
        let mut claim = draft.claim.clone();
        claim.stated = Stated { received: settled.received, sent: settled.sent, ..Stated::default() };
        let backwards = matches!((settled.received, settled.sent), (Some(received), Some(sent)) if received > sent);
        if backwards && columns.sent_first != Some(false) && !draft.has_dates() {
            (claim.stated.received, claim.stated.sent) = (None, None);
            reading.dates_left_open |= is_new;
        }
        let lone = draft.cells.lone.is_some() && settled.sent.is_none() && !draft.has_dates();
        reading.dates_left_open |= is_new && (lone || settled.open);
        let before = claim.number.and_then(|number| {
            let earlier = totals.iter().rev().find(|(n, _)| n.side == number.side).map(|(_, t)| *t);
            earlier.or_else(|| total_before(frame, frame.first.plies_to(number)?))
        });
        let mut stated = claim.stated;
        fill(&mut stated, if is_new { due } else { Stated::default() });
        let span = if is_new { Span::of_due(frame) } else { Span::default() };
        let sums = Sums::of(stated, span, before);
        let said = settle::figures(&draft.words.figures, frame.writer, sums);
        let (days, total) = cell_figures(draft, columns, sums, frame, &mut reading.dates_left_open);
        (claim.stated.days, claim.stated.total) = (both(days, said.days), both(total, said.total));
        // "your message 6. 6152, sent 23.10., received 24.10.": the second is a date of the new move
        let answers = |d: &Draft| d.claim.line == claim.line && !d.is_new(frame);
        let of_reader_only = draft.of_reader && !(is_new && draft.has_dates() && drafts.iter().any(answers));
        // "24. 3445 (received 3.3.)": the day on which he got it
        let is_receipt =
            draft.has_dates() && draft.is_last(frame) && (of_reader_only || draft.is_received_later(frame, settled));
        if is_receipt {
            fill(&mut due, Stated { received: settled.received, ..Stated::default() });
        }
        if of_reader_only || is_receipt {
            claim.stated = Stated::default();
        }
        reading.reader_sent = reading.reader_sent.or(settled.ours);
        reading.reader_total = reading.reader_total.or(said.ours);
        if is_new {
            reading.date_faults.extend(settled.faults.iter().copied());
            fill(&mut told, claim.stated);
            let of_cells = draft.cells.written_numbers().filter(|_| !draft.has_dates());
            unread = unread.or(said.unread).or(of_cells);
        }
        if let (Some(number), Some(total)) = (claim.number, claim.stated.total) {
            totals.push((number, total));
        }
        reading.claims.push(claim);
    }
    fill(&mut told, due);
    let span = Span::of_due(frame);
    let before = total_before(frame, frame.known.len()).filter(|_| !frame.known.is_empty());
    let said = settle::figures(&labels.figures, frame.writer, Sums::of(told, span, before));
    reading.reader_total = reading.reader_total.or(said.ours);
    let complete = told.received.is_some() && told.sent.is_some();
    let open = labels.open.iter().chain(drafts.iter().filter(|d| is_new(d)).flat_map(|d| &d.words.open));
    reading.dates_left_open |= !complete && open.into_iter().any(|date| can_be_meant(*date, span, frame));
    reading.labelled = Stated { days: said.days, total: said.total, ..due };
    fill(&mut told, reading.labelled);
    let is_told = reading.dates_left_open || told.days.is_some() || told.total.is_some();
    reading.unread_numbers = unread.or(said.unread).filter(|_| !is_told);
}

impl Draft {
    pub(super) fn is_new(&self, frame: &Frame<'_>) -> bool {
        self.ply(frame).is_none_or(|ply| ply >= frame.known.len())
    }

    fn ply(&self, frame: &Frame<'_>) -> Option<usize> {
        self.claim.number.and_then(|n| frame.first.plies_to(n))
    }

    /// Whether it is the last ply on record.
    pub(super) fn is_last(&self, frame: &Frame<'_>) -> bool {
        self.ply(frame).is_some_and(|ply| ply + 1 == frame.known.len())
    }

    /// Whether words beside it give no day but one of receipt, on which the reader had sent it already.
    fn is_received_later(&self, frame: &Frame<'_>, settled: &Settled) -> bool {
        let sent = frame.known.last().and_then(|known| known.sent);
        let is_later = sent.zip(settled.received).is_some_and(|(sent, received)| sent <= received);
        is_later && settled.sent.is_none() && settled.ours.is_none()
    }

    /// Whether words gave it dates.
    fn has_dates(&self) -> bool {
        !self.words.mentions.is_empty()
    }
}

impl Span {
    /// The days between which the move that is due was made.
    pub(super) fn of_due(frame: &Frame<'_>) -> Span {
        let before = frame.known.last().and_then(|k| k.sent);
        Span { before, near: frame.latest.or(before), mailed: frame.mailed }
    }
}

/// The order that holds, if one does.
fn choose(orders: [Attempt; 2], drafts: &[Draft], frame: &Frame<'_>, dotted: bool) -> Option<Attempt> {
    let [day_first, month_first] = orders;
    let of_mail = |attempt: &Attempt| {
        let due = drafts.iter().zip(&attempt.settled).filter(|(d, _)| d.is_new(frame)).filter_map(|(_, s)| s.sent);
        let mailed = frame.mailed;
        due.chain(attempt.labelled.sent).any(|sent| mailed.is_some_and(|mailed| (sent - mailed).num_days().abs() <= 1))
    };
    if day_first.same_days(&month_first, drafts, frame) {
        let better = day_first.contradictions <= month_first.contradictions;
        return Some(if better { day_first } else { month_first });
    }
    let day_first_wins = match (day_first.contradictions, month_first.contradictions) {
        (0, 0) => match (of_mail(&day_first), of_mail(&month_first)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => (dotted && frame.latest.is_none()).then_some(true),
        },
        (0, _) => Some(true),
        (_, 0) => Some(false),
        (day, month) if of_mail(&day_first) != of_mail(&month_first) && day != month => {
            ((day < month) == of_mail(&day_first)).then_some(day < month)
        }
        (day, month) if month > 2 * day => Some(true),
        (day, month) if day > 2 * month => Some(false),
        _ => (dotted && frame.latest.is_none()).then_some(true),
    };
    day_first_wins.map(|wins| if wins { day_first } else { month_first })
}

/// Days and total of the cells; where their order is open, the sum with the total before decides.
fn cell_figures(
    draft: &Draft,
    columns: &Columns,
    sums: Sums,
    frame: &Frame<'_>,
    open: &mut bool,
) -> (Option<u32>, Option<u32>) {
    let cells = &draft.cells;
    // `sent ... 05/07` is a date by its label, however well it adds up
    let is_pair = |m: &Mention| matches!(m.said.date, WrittenDate::Open { first, second, .. } if (Some(first), Some(second)) == cells.pair());
    if draft.words.mentions.iter().any(is_pair) {
        return (None, None);
    }
    if let Some((days, total)) = cells.open_pair {
        let adds_up = sums.before.unwrap_or(0).checked_add(days) == Some(total);
        *open |= !adds_up && !draft.has_dates() && draft.is_new(frame);
        return if adds_up { (Some(days), Some(total)) } else { (None, None) };
    }
    if let Some(n) = cells.lone_number.filter(|_| !cells.named) {
        return sums.lone(n);
    }
    let (days, total) = match columns.total_first {
        Some(true) if !cells.named => (cells.total, cells.days),
        _ => (cells.days, cells.total),
    };
    match (days, total) {
        (Some(days), Some(total)) if days > total && columns.total_first.is_none() => {
            let swapped = sums.before.is_some_and(|before| before.checked_add(total) == Some(days));
            if swapped { (Some(total), Some(days)) } else { (None, None) }
        }
        // no total is less than the days in it, whatever the head says
        (Some(days), Some(total)) if days > total => (None, None),
        other => other,
    }
}

/// Names the dates of the new move that no calendar has.
fn report_impossible(drafts: &[Draft], labels: &Labels, frame: &Frame<'_>, reading: &mut Reading) {
    let faults: Vec<DateFault> = written(drafts.iter().filter(|d| d.is_new(frame)), labels)
        .filter(|(_, date)| !date.is_possible())
        .map(|(line, date)| DateFault { line, kind: FaultKind::NoSuchDay(date) })
        .collect();
    reading.dates_left_open |= !faults.is_empty();
    reading.date_faults.extend(faults);
}

/// Whether a date without a label lies where a date of the new move would.
fn can_be_meant(date: WrittenDate, span: Span, frame: &Frame<'_>) -> bool {
    [DayMonth::DayFirst, DayMonth::MonthFirst]
        .into_iter()
        .filter_map(|order| settle::day(date, order, span))
        .any(|day| span.before.is_none_or(|before| day >= before) && !later(Some(day), tomorrow(frame.latest)))
}

/// What a cell and a word say together; blank where they differ.
fn both(cell: Option<u32>, word: Option<u32>) -> Option<u32> {
    match (cell, word) {
        (Some(cell), Some(word)) if cell != word => None,
        (cell, word) => cell.or(word),
    }
}

/// One reading of all dates of a message.
struct Attempt {
    settled: Vec<Settled>,
    labelled: Settled,
    contradictions: usize,
}

impl Attempt {
    fn blank(drafts: usize) -> Attempt {
        Attempt { settled: vec![Settled::default(); drafts], labelled: Settled::default(), contradictions: 0 }
    }

    fn of(
        drafts: &[Draft],
        labels: &Labels,
        frame: &Frame<'_>,
        start: Option<NaiveDate>,
        order: DayMonth,
        swapped: bool,
    ) -> Attempt {
        let mut out = Attempt::blank(drafts.len());
        let mut sorted: Vec<(usize, Option<usize>)> = drafts.iter().map(|draft| draft.ply(frame)).enumerate().collect();
        sorted.sort_by_key(|(_, ply)| ply.unwrap_or(frame.known.len()));
        let mut near = start.or(frame.latest);
        for (at, ply) in sorted {
            let (Some(draft), Some(slot)) = (drafts.get(at), out.settled.get_mut(at)) else {
                continue;
            };
            let known = ply.and_then(|p| frame.known.get(p)).copied().unwrap_or_default();
            let before = ply.and_then(|p| p.checked_sub(1)).and_then(|p| frame.known.get(p)).and_then(|k| k.sent);
            let repeated = draft.of_reader && draft.has_dates() && draft.is_last(frame);
            let is_due = repeated || (!frame.known.is_empty() && ply.is_none_or(|p| p == frame.known.len()));
            let due = Span::of_due(frame);
            near = if is_due { due.near.or(near) } else { known.sent.or(before).or(near) };
            let before = if is_due { due.before } else { before };
            let span = Span { before, near, mailed: due.mailed.filter(|_| is_due || ply.is_none()) };
            if draft.has_dates() {
                *slot = settle::mentions(&draft.words.mentions, order, span);
            } else {
                let mut cell = |written: Option<WrittenDate>| {
                    let written = written?;
                    let found = settle::day(written, order, Span { near, ..span });
                    slot.bad += if found.is_none() { 3 } else { 0 };
                    near = found.or(near);
                    found
                };
                let (first, second) = (cell(draft.cells.received), cell(draft.cells.sent));
                let lone = cell(draft.cells.lone);
                let swap = swapped && !draft.cells.named;
                (slot.received, slot.sent) = if swap { (second, first) } else { (first, second) };
                slot.bad += disorder(None, lone, before, frame.latest);
                slot.sent = slot.sent.or(lone.filter(|d| Some(*d) == known.sent.or(frame.latest)));
            }
            near = slot.sent.or(slot.received).or(near);
            if !draft.of_reader {
                slot.bad += disorder(slot.received, slot.sent, before, frame.latest);
                let pairs = [known.received.zip(slot.received), known.sent.zip(slot.sent)];
                slot.bad += pairs.into_iter().flatten().filter(|(ours, his)| ours != his).count();
            }
            out.contradictions += slot.bad;
        }
        let span = Span::of_due(frame);
        out.labelled = settle::mentions(&labels.mentions, order, Span { near: span.near.or(near), ..span });
        out.contradictions += out.labelled.bad;
        out.contradictions += disorder(out.labelled.received, out.labelled.sent, span.before, frame.latest);
        out
    }

    /// Whether the first of two date columns is the day of sending: several rows say so and none the contrary. A single row
    /// with its dates the wrong way round is an error of its writer, to be shown and not mended.
    fn sent_comes_first(&self) -> bool {
        let pairs = || self.settled.iter().filter_map(|s| s.received.zip(s.sent));
        pairs().filter(|(first, second)| first > second).count() > 2 && pairs().all(|(first, second)| first >= second)
    }

    /// Whether both give the new move the same days, as far as they contradict nothing.
    fn same_days(&self, other: &Attempt, drafts: &[Draft], frame: &Frame<'_>) -> bool {
        let days = |s: &Settled| (s.received, s.sent, s.ours);
        let new = drafts.iter().zip(self.settled.iter().zip(&other.settled)).filter(|(d, _)| d.is_new(frame));
        new.into_iter().all(|(_, (a, b))| days(a) == days(b)) && days(&self.labelled) == days(&other.labelled)
    }
}

fn later(a: Option<NaiveDate>, b: Option<NaiveDate>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a > b)
}

fn tomorrow(day: Option<NaiveDate>) -> Option<NaiveDate> {
    day.and_then(|d| d.checked_add_days(Days::new(1)))
}

/// Days by which a date lies before the move that it answers that are no slip: day and month are exchanged.
const NO_SLIP: i64 = 20;

/// How often dates break the order: move before sent <= received <= sent <= mail (one day for time zones). One that lies weeks before the
/// move that it answers breaks it more than a slip of some days does.
fn disorder(
    received: Option<NaiveDate>,
    sent: Option<NaiveDate>,
    before: Option<NaiveDate>,
    latest: Option<NaiveDate>,
) -> usize {
    let is_weeks_before = |date: &NaiveDate| before.is_some_and(|before| (before - *date).num_days() > NO_SLIP);
    usize::from(later(received, sent))
        + usize::from(later(before, tomorrow(received)))
        + usize::from(later(before, tomorrow(sent)))
        + usize::from(later(sent, tomorrow(latest)))
        + usize::from(later(received, tomorrow(latest)))
        + [received, sent].into_iter().flatten().filter(is_weeks_before).count() * 2
}

/// The total of its side before the ply; nothing was used before the first.
fn total_before(frame: &Frame<'_>, ply: usize) -> Option<u32> {
    ply.checked_sub(2).map_or(Some(0), |earlier| frame.known.get(earlier).and_then(|k| k.total))
}

/// The dates of some drafts and of the labels outside a row, with their lines.
fn written<'a>(
    drafts: impl Iterator<Item = &'a Draft>,
    labels: &'a Labels,
) -> impl Iterator<Item = (usize, WrittenDate)> {
    let said = |m: &Mention| (m.line, m.said.date);
    let of_draft = move |draft: &'a Draft| {
        let cells = [draft.cells.received, draft.cells.sent, draft.cells.lone];
        let cells = cells.into_iter().flatten().map(|date| (draft.claim.line, date));
        cells.chain(draft.words.mentions.iter().map(said))
    };
    drafts.flat_map(of_draft).chain(labels.mentions.iter().map(said))
}
