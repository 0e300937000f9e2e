//! What the labelled dates and numbers of one statement come to, in one order of day and month.
//!
//! A form of three dates begins with the reader's own ("Sent, received, replied"): that one is compared with the record and is
//! never the writer's. Two different values for one meaning give none.

use chrono::{Datelike, NaiveDate};

use super::figures::{Count, Figure, Whose};
use super::items::Said;
use super::labels::{Meaning, Mention, could_be_date};
use super::unread::{DateFault, FaultKind};
use crate::domain::game::{Side, Stated};
use crate::domain::transmission::dates::{DayMonth, WrittenDate};

/// The days between which a message was written.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Span {
    /// The day the reader's own move was sent.
    pub(super) before: Option<NaiveDate>,
    /// A day near which a date without a year lies.
    pub(super) near: Option<NaiveDate>,
    /// The day of the mail, if it is known.
    pub(super) mailed: Option<NaiveDate>,
}

/// What the mentions come to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Settled {
    pub(super) received: Option<NaiveDate>,
    pub(super) sent: Option<NaiveDate>,
    /// The reader's own day of sending.
    pub(super) ours: Option<NaiveDate>,
    /// How often it contradicts itself, the calendar and the record.
    pub(super) bad: usize,
    /// Whether a date was left without meaning.
    pub(super) open: bool,
    /// Weekdays that are not those of their dates.
    pub(super) faults: Vec<DateFault>,
}

/// The day a written date means.
pub(super) fn day(written: WrittenDate, order: DayMonth, span: Span) -> Option<NaiveDate> {
    let full = match written {
        WrittenDate::Clear { year: Some(year), .. } | WrittenDate::Open { year: Some(year), .. } if year >= 1000 => {
            NaiveDate::from_ymd_opt(year, 6, 1)
        }
        _ => None,
    };
    match span.near.or(full) {
        Some(near) => written.resolve_in_mail(order, near, span.mailed, span.before),
        None => None,
    }
}

/// The other name that the writer gives a date, where it is not that of the day it means.
pub(super) fn fault(said: Said, found: NaiveDate, order: DayMonth, span: Span) -> Option<FaultKind> {
    let weekday = said.weekday.filter(|weekday| *weekday != found.weekday());
    let told = || said.ago.and_then(|ago| day(WrittenDate::Ago(ago), order, span)).filter(|told| *told != found);
    weekday
        .map(|weekday| FaultKind::OtherWeekday(found, weekday))
        .or_else(|| told().map(|_| FaultKind::NotSoLongAgo(found)))
}

/// Gives the mentions of one statement their days and their owners.
pub(super) fn mentions(mentions: &[Mention], order: DayMonth, span: Span) -> Settled {
    let mut out = Settled::default();
    let mut days: Vec<(Meaning, NaiveDate)> = Vec::new();
    for mention in mentions {
        let said = mention.said;
        let Some(found) = day(said.date, order, span) else {
            out.open = true;
            // no slip of a number of days: this order is not his
            out.bad += if said.date.is_of_mail() { 0 } else { 3 };
            continue;
        };
        match fault(said, found, order, span) {
            Some(kind) => {
                out.faults.push(DateFault { line: mention.line, kind });
                out.bad += 1;
                out.open = true;
            }
            None => days.push((mention.meaning, found)),
        }
    }
    let of = |meaning| days.iter().filter(move |(m, _)| *m == meaning).map(|(_, d)| *d);
    let all = |meaning| of(meaning).collect::<Vec<_>>();
    out.received = only(&all(Meaning::Received), &mut out.open);
    out.ours = only(&all(Meaning::Ours), &mut out.open);
    let early = |d: NaiveDate| out.received.is_some_and(|received| d <= received);
    let replied = all(Meaning::Replied);
    let mut sent = all(Meaning::Sent);
    let mut ours: Vec<NaiveDate> = Vec::new();
    for date in all(Meaning::PerhapsOurs) {
        match span.before {
            Some(before) if before == date => ours.push(date),
            None if early(date) => ours.push(date),
            _ => out.open = true,
        }
    }
    if !replied.is_empty() {
        ours.extend(sent.iter().filter(|d| early(**d) && !replied.contains(d)));
        sent.retain(|d| !early(*d) || replied.contains(d));
        sent.extend(replied);
    } else if sent.iter().any(|d| Some(d) != sent.first()) {
        let arrival = days.iter().position(|(m, _)| *m == Meaning::Received);
        let place = |d: NaiveDate| days.iter().position(|(m, found)| *m == Meaning::Sent && *found == d);
        let ahead = |d: &NaiveDate| arrival.zip(place(*d)).is_some_and(|(arrival, place)| place < arrival) && early(*d);
        ours.extend(sent.iter().filter(|d| ahead(d)));
        sent.retain(|d| !ahead(d));
    } else if let Some(first) = sent.first().copied()
        && span.before == Some(first)
        && early(first)
    {
        let ahead = days
            .iter()
            .find(|(m, _)| matches!(m, Meaning::Sent | Meaning::Received))
            .is_some_and(|(m, _)| *m == Meaning::Sent);
        if out.received.is_some_and(|received| first < received) {
            ours.push(first);
            sent.clear();
        } else if ahead && span.mailed != Some(first) {
            out.open = true;
            sent.clear();
        }
    }
    out.sent = only(&sent, &mut out.open);
    out.ours = out.ours.or(only(&ours, &mut out.open));
    out.bad += usize::from(matches!((out.ours, span.before), (Some(his), Some(ours)) if his != ours));
    out
}

/// The one day of a list; two different ones leave it open.
fn only(list: &[NaiveDate], open: &mut bool) -> Option<NaiveDate> {
    *open |= list.windows(2).any(|w| w.first() != w.last());
    single(list)
}

/// What the numbers of days come to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Days {
    pub(super) days: Option<u32>,
    pub(super) total: Option<u32>,
    /// The reader's running total.
    pub(super) ours: Option<u32>,
    /// Numbers beside his dates that are neither, as they stand there.
    pub(super) unread: Option<String>,
}

/// What arithmetic knows of the writer's days.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    /// His total before this move.
    pub(super) before: Option<u32>,
    /// The days between his dates, or between those of the mails.
    pub(super) apart: Option<u32>,
    /// Whether those are his own dates.
    pub(super) stated: bool,
}

impl Sums {
    /// Of the dates that a message states; what it leaves out, the mails tell.
    pub(super) fn of(stated: Stated, span: Span, before: Option<u32>) -> Sums {
        let from = stated.received.or(span.before);
        let to = stated.sent.or(span.mailed);
        let apart = from.zip(to).and_then(|(from, to)| u32::try_from((to - from).num_days()).ok());
        Sums { before, apart, stated: stated.received.is_some() && stated.sent.is_some() }
    }

    /// Whether a number is the total that the days between the dates make.
    fn is_total(self, n: u32) -> bool {
        self.before.zip(self.apart).is_some_and(|(before, apart)| before.checked_add(apart) == Some(n))
    }

    /// Whether a number can be the days of one move: twice the days that passed is what doubling makes of them.
    fn can_be_days(self, n: u32) -> bool {
        self.apart.is_none_or(|apart| n <= apart.saturating_mul(2).saturating_add(3))
    }

    /// Whether a pair without a name continues his total.
    fn add_up(self, days: u32, total: u32) -> bool {
        self.before.is_none_or(|before| before.checked_add(days) == Some(total))
    }

    /// Whether a pair without a name is days and total by the days between his own dates, whatever it makes of his total: it is no day and
    /// month, and no control such as 10/60.
    fn can_only_be(self, days: u32, total: u32) -> bool {
        let is_control = days.is_multiple_of(10) && total.is_multiple_of(10);
        self.stated && self.apart == Some(days) && !could_be_date((days, total)) && !is_control
    }

    fn can_be_total(self, n: u32) -> bool {
        self.before.is_some_and(|before| n >= before)
    }

    /// A number that is called neither days nor total: days and total, of which one is blank.
    pub(super) fn lone(self, n: u32) -> (Option<u32>, Option<u32>) {
        match (self.apart == Some(n), self.is_total(n)) {
            (true, _) if self.stated => (Some(n), None),
            (false, true) => (None, Some(n)),
            _ => (None, None),
        }
    }
}

/// Gives numbers of days their meaning.
pub(super) fn figures(figures: &[Figure], writer: Option<Side>, sums: Sums) -> Days {
    let mut days: Vec<u32> = Vec::new();
    let mut total: Vec<u32> = Vec::new();
    let mut ours: Vec<u32> = Vec::new();
    let his = |f: &&Figure| f.whose == Whose::Writer || writer.is_some_and(|side| f.whose == Whose::Of(side));
    let counts: Vec<Count> = figures.iter().filter(his).map(|f| f.count).collect();
    let sure: Vec<u32> = counts
        .iter()
        .filter_map(|c| if let Count::This(n) | Count::Both(n, _) = c { Some(*n) } else { None })
        .collect();
    let named_total = counts.iter().any(|c| matches!(c, Count::Total(_) | Count::Both(..)));
    let mut perhaps: Option<u32> = None;
    let (mut unnamed, mut unread): (Vec<u32>, Vec<String>) = (Vec::new(), Vec::new());
    for count in &counts {
        match *count {
            Count::This(n) => days.push(n),
            Count::Total(n) => total.push(n),
            Count::Both(a, b) => {
                days.push(a);
                total.push(b);
            }
            Count::Days(n) if sure.iter().any(|this| *this < n) && !named_total => total.push(n),
            Count::PerhapsBoth(a, b) if sums.add_up(a, b) || sums.can_only_be(a, b) => {
                days.push(a);
                total.push(b);
            }
            Count::PerhapsBoth(a, b) | Count::UnnamedPair(a, b) => unread.extend(not_control(a, b)),
            Count::Unnamed(n) => unnamed.push(n),
            Count::Days(n) if sums.stated && sums.apart != Some(n) && sums.is_total(n) && !named_total => total.push(n),
            Count::Days(n) if sums.can_be_days(n) || named_total => days.push(n),
            Count::Days(n) if sums.stated && sums.can_be_total(n) => total.push(n),
            Count::Days(_) => {}
            Count::PerhapsTotal(n) => perhaps = Some(n),
            Count::Lone(n) => match sums.lone(n) {
                (Some(n), _) => days.push(n),
                (_, Some(n)) => total.push(n),
                _ if sums.can_be_total(n) && !sums.can_be_days(n) => total.push(n),
                _ => {}
            },
        }
    }
    match *unnamed.as_slice() {
        [n] if sums.lone(n) != (None, None) => {
            let (this, all) = sums.lone(n);
            days.extend(this);
            total.extend(all);
        }
        [a, b] if sums.stated && sums.apart == Some(a) && (sums.add_up(a, b) || sums.can_only_be(a, b)) => {
            days.push(a);
            total.push(b);
        }
        _ => unread.extend(unnamed.iter().map(ToString::to_string)),
    }
    let days = single(&days);
    let fits = |n: u32| match (days, sums.before) {
        (Some(days), Some(before)) => n >= before && n >= days && n - before <= days.saturating_add(10),
        (Some(days), None) => n >= days,
        (None, _) => false,
    };
    if total.is_empty() {
        total.extend(perhaps.filter(|n| fits(*n)));
    }
    for figure in figures.iter().filter(|f| !his(f)) {
        let reader = writer.is_some() || figure.whose == Whose::Reader;
        match figure.count {
            Count::Total(n) | Count::Both(_, n) | Count::Lone(n) if reader => ours.push(n),
            _ => {}
        }
    }
    let unread = (!unread.is_empty()).then(|| unread.join(" "));
    Days { days, total: single(&total), ours: single(&ours), unread }
}

/// `a/b` as it was written, unless it can be a time control such as 10/60.
fn not_control(a: u32, b: u32) -> Option<String> {
    let is_control = a > 0 && a.is_multiple_of(10) && b.is_multiple_of(10);
    (!is_control).then(|| format!("{a}/{b}"))
}

/// The one value of a list; `None` when it is empty or two differ.
pub(super) fn single<T: Copy + PartialEq>(list: &[T]) -> Option<T> {
    match list {
        [first, rest @ ..] if rest.iter().all(|n| n == first) => Some(*first),
        _ => None,
    }
}
