//! The facts of an event that stand in one line each: its code, its start, its time control.
//!
//! Labels in English, German, Spanish and French. Two different values for one fact leave it open: the player is asked.

use std::sync::LazyLock;

use chrono::NaiveDate;

use crate::domain::clock::rules::TimeControl;
use crate::domain::pattern::{Captures, Pattern};
use crate::domain::transmission::calendar::month_named;
use crate::domain::transmission::dates::{DayMonth, WrittenDate};
use crate::domain::transmission::read::Line;

/// `EM/03/101`, `EM-1037`, `WS/M/123`, `FSO-112`, `TT-06/3`.
static CODE: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(r"\b[A-Z]{2,6}[A-Z0-9]{0,4}(?:[/-][A-Z0-9]{1,8})*[/-][0-9][A-Z0-9]{0,7}(?:[/-][A-Z0-9]{1,8})*\b")
});
/// `Event: EM/2024/17`, `Turnier: ...`
static EVENT: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r#"(?i)^\W*(?:event|tournament|section|turnier|torneo|tournoi|[ée]preuve|prueba)(?:\s*(?:name|code|no\.?|nr\.?))?\s*[:=]\s*"?([^"]{2,60}?)"?\s*\]?$"#,
    )
});
static EVENT_TAG: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r#"^\s*\[Event\s+"([^"?]{2,60})"\]"#));
static DATE_TAG: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r#"^\s*\[(?:Event)?Date\s+"(\d{4}[.-]\d{1,2}[.-]\d{1,2})"\]"#));
const MOVES: &str = r"(?:moves|z(?:ü|ue)gen?|coups|jugadas|movimientos|mosse|lances)";
const DAYS: &str = r"(?:days?|tagen?|jours?|d[ií]as|giorni|dias)";
/// `10 moves in 60 days`, `10 Züge / 60 Tage`.
static CONTROL: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(&format!(
        r"(?i)\b(\d{{1,2}})\s*{MOVES}\s*(?:(?:are\s+to\s+be\s+played\s+)?(?:in|/|per|pro|en|je|for|:|=|-|within|innerhalb\s+von)\s*)?(\d{{1,3}})\s*{DAYS}"
    ))
});
/// `60 days for 10 moves`, `60 Tage für 10 Züge`.
static CONTROL_TURNED: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(&format!(
        r"(?i)\b(\d{{1,3}})\s*{DAYS}\s*(?:for\s+(?:each|every)|f(?:ü|ue)r(?:\s+je)?|pour|para|por|per|for|pro|/|je|every)\s*(\d{{1,2}})\s*{MOVES}"
    ))
});
/// `Time control: 10/60`.
static CONTROL_SHORT: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)^\W*(?:time(?:\s*control)?|rate\s+of\s+play|bedenkzeit|tempo|ritmo(?:\s+de\s+juego)?|cadence)\s*[:=]\s*(\d{1,2})\s*/\s*(\d{1,3})\b",
    )
});
/// `WS/M/311   10/50` at the end of a line: more days than a month has, so that it is no date.
static CONTROL_BARE: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r"(?:^|[\s(,;])(10)\s*/\s*([4-9]0)\s*(?:days?|tagen?|jours?|d[ií]as)?\s*\)?\s*$"));
static START: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)\b(?:start(?:s|ing|ed)?(?:\s*(?:date|day|datum|termin))?|starttermin|startdatum|begins?|beginn(?:t)?|commence(?:s)?|inicio|comienzo|comienza|empieza|fecha\s+de\s+inicio|d[ée]but|date\s+de\s+d[ée]but|commencement|d[ée]marre)\b(.{0,40})",
    )
});
/// Day, month and year with numbers; or with the month's name in either place.
static DATE: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"\b(?:(?<iso>(\d{4})[-./](\d{1,2})[-./](\d{1,2}))|(?<num>(\d{1,2})([-./])\s?(\d{1,2})[-./]\s?(\d{4}))|(?<dmy>(\d{1,2})(?:st|nd|rd|th|er)?\.?\s+(?:de\s+|of\s+)?(\pL{3,12})\.?,?\s+(?:de\s+)?(\d{4}))|(?<mdy>(\pL{3,12})\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})))\b",
    )
});

/// The first code of an event in a text, as in a subject line.
pub fn event_code(text: &str) -> Option<String> {
    CODE.find(text).map(|found| found.as_str().to_owned())
}

/// The time control that a text states; `None` where it states none, or two that differ.
pub fn control_in(text: &str) -> Option<TimeControl> {
    let number = |found: &Captures<'_, '_>, at: usize| found.get(at)?.as_str().parse::<u32>().ok();
    let (mut all, mut bares) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let straight = CONTROL.captures_iter(line).map(|c| (number(&c, 1), number(&c, 2)));
        let turned = CONTROL_TURNED.captures_iter(line).map(|c| (number(&c, 2), number(&c, 1)));
        let short = CONTROL_SHORT.captures_iter(line).map(|c| (number(&c, 1), number(&c, 2)));
        all.extend(straight.chain(turned).chain(short));
        // "10. 5254 10/50" has the days of a move and their total
        let bare = CONTROL_BARE
            .captures_iter(line)
            .filter(|_| names_event(line) || CONTROL_BARE.replace_all(line, |_| String::new()).trim().is_empty());
        bares.extend(bare.map(|c| (number(&c, 1), number(&c, 2))));
    }
    if all.is_empty() {
        all = bares;
    }
    let mut found = all.into_iter().filter_map(|(moves, days)| Some((moves?, days?)));
    let (moves, days) = found.next().filter(|(moves, days)| *moves > 0 && *days > 0)?;
    found.all(|other| other == (moves, days)).then_some(TimeControl::cumulative(moves, days))
}

/// Whether a line names an event, by its label or its code.
fn names_event(line: &str) -> bool {
    let before = CONTROL_BARE.replace_all(line, |_| String::new());
    EVENT.is_match(before.trim()) || event_code(&before).is_some_and(|code| before.trim() == code)
}

/// The event's code or name: as labelled, else the one code in the text.
pub(super) fn event(subject: &str, lines: &[Line<'_>]) -> Option<String> {
    let labelled = lines.iter().find_map(|line| EVENT_TAG.captures(line.text).or(EVENT.captures(line.text))?.get(1));
    let labelled = labelled.map(|name| name.as_str().trim().to_owned());
    let mut codes = lines.iter().filter_map(|line| event_code(line.text));
    labelled.or_else(|| event_code(subject)).or_else(|| {
        let first = codes.next()?;
        codes.all(|other| other == first).then_some(first)
    })
}

/// A fact that may be stated in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stated<T> {
    /// Nowhere.
    Nowhere,
    /// Once, or always the same.
    Once(T),
    /// Two values, or one that can be read in two ways.
    Twice(T, T),
}

/// The day that stands after a word for the start.
pub(super) fn start(lines: &[Line<'_>]) -> Stated<NaiveDate> {
    let mut found: Vec<NaiveDate> = Vec::new();
    for line in lines {
        for start in START.captures_iter(line.text) {
            let behind = start.get(1).map(|m| m.as_str()).unwrap_or_default();
            for day in date(behind) {
                if !found.contains(&day) {
                    found.push(day);
                }
            }
        }
    }
    if found.is_empty() {
        found.extend(
            lines.iter().filter_map(|line| DATE_TAG.captures(line.text)?.get(1)).flat_map(|day| date(day.as_str())),
        );
        found.dedup();
    }
    match found.as_slice() {
        [] => Stated::Nowhere,
        [one] => Stated::Once(*one),
        [first, second, ..] => Stated::Twice(*first, *second),
    }
}

/// What stands after a word for the start and is a day of no calendar, with its line.
pub(super) fn no_such_start(lines: &[Line<'_>]) -> Option<(usize, String)> {
    let no_day = |text: &str| {
        let found = DATE.captures(text)?;
        let is_month = |at: usize| found.get(at).is_none_or(|name| month_named(name.as_str()).is_some());
        let whole = found.get(0).filter(|_| is_month(12) && is_month(15) && date(text).is_empty())?;
        let is_near = !text.get(..whole.start())?.contains(['.', ';', '?', '!']);
        is_near.then(|| whole.as_str().to_owned())
    };
    lines.iter().find_map(|line| {
        let behind = START.captures_iter(line.text).filter_map(|start| no_day(start.get(1)?.as_str())).next()?;
        Some((line.number, behind))
    })
}

/// The day that these lines name as the start, if they name one and it can be read in one way.
pub fn start_in(lines: &[Line<'_>]) -> Option<NaiveDate> {
    match start(lines) {
        Stated::Once(day) => Some(day),
        Stated::Nowhere | Stated::Twice(..) => None,
    }
}

/// What these lines name as the start and nobody can take, in a sentence: a day that no calendar has, or more than one day.
pub fn unread_start(lines: &[Line<'_>]) -> Option<String> {
    match start(lines) {
        Stated::Once(_) => None,
        Stated::Twice(first, second) => Some(format!("the start may be {first} or {second}; it is left out")),
        Stated::Nowhere => lines.iter().find_map(|line| {
            let labelled = START.captures(line.text).or_else(|| DATE_TAG.captures(line.text))?.get(1)?;
            let written = DATE.find(labelled.as_str())?.as_str();
            Some(format!("line {}: the start {written} is no day of the calendar; it is left out", line.number))
        }),
    }
}

/// The first date of a text, in the same sentence; two days where the numbers can be read in either order and no dots say that the day
/// comes first.
fn date(text: &str) -> Vec<NaiveDate> {
    let Some(found) = DATE.captures(text) else { return Vec::new() };
    let before = found.get(0).and_then(|m| text.get(..m.start())).unwrap_or_default();
    if before.contains(['.', ';', '?', '!']) {
        return Vec::new();
    }
    let number = |at: usize| found.get(at).and_then(|m| m.as_str().parse::<u32>().ok()).unwrap_or_default();
    let year = |at: usize| found.get(at).and_then(|m| m.as_str().parse::<i32>().ok()).unwrap_or_default();
    let month = |at: usize| found.get(at).and_then(|m| month_named(m.as_str())).unwrap_or_default();
    if found.name("iso").is_some() {
        return NaiveDate::from_ymd_opt(year(2), number(3), number(4)).into_iter().collect();
    }
    if found.name("dmy").is_some() {
        return NaiveDate::from_ymd_opt(year(13), month(12), number(11)).into_iter().collect();
    }
    if found.name("mdy").is_some() {
        return NaiveDate::from_ymd_opt(year(17), month(15), number(16)).into_iter().collect();
    }
    let dotted = found.get(7).is_some_and(|m| m.as_str() == ".");
    let written = WrittenDate::Open { first: number(6), second: number(8), year: Some(year(9)), dotted };
    let orders: &[DayMonth] = if dotted { &[DayMonth::DayFirst] } else { &[DayMonth::DayFirst, DayMonth::MonthFirst] };
    let near = NaiveDate::from_ymd_opt(year(9), 6, 1);
    let mut days: Vec<NaiveDate> =
        orders.iter().filter_map(|order| near.and_then(|near| written.resolve(*order, near))).collect();
    days.dedup();
    days
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn started(text: &str) -> Stated<NaiveDate> {
        start(&[Line { number: 1, text }])
    }

    #[test]
    fn the_start_is_read_in_several_languages_and_orders() {
        for text in [
            "Start date: 1 May 2004",
            "Start: 01.05.2004",
            "The event starts on May 1st, 2004.",
            "Beginn 1.5.2004, 10 Züge in 60 Tagen",
            "Fecha de inicio: 1 de mayo de 2004",
            "Date de début : 1er mai 2004",
            "[Start \"2004.05.01\"]",
            "[Date \"2004.05.01\"]",
        ] {
            assert_eq!(started(text), Stated::Once(day("2004-05-01")), "{text}");
        }
        assert_eq!(started("Start: 03/04/2004"), Stated::Twice(day("2004-04-03"), day("2004-03-04")));
        assert_eq!(started("Start: 30/04/2004"), Stated::Once(day("2004-04-30")));
        assert_eq!(started("Please start at once; report by 1 May 2005"), Stated::Nowhere);
        assert_eq!(started("We start soon."), Stated::Nowhere);
    }

    #[test]
    fn a_start_that_is_no_day_or_two_is_named() {
        let unread = |text| unread_start(&[Line { number: 7, text }]);
        let none = Some("line 7: the start 31.09.2026 is no day of the calendar; it is left out".to_owned());
        assert_eq!(unread("Start: 31.09.2026     Time: 10 moves / 60 days"), none);
        assert!(unread("[EventDate \"2026.02.30\"]").is_some_and(|said| said.contains("2026.02.30")));
        assert!(unread("Start: 03/04/2004").is_some_and(|said| said.contains("2004-04-03 or 2004-03-04")));
        assert_eq!((unread("Start: 30.09.2026"), unread("We start soon, in 2026.")), (None, None));
    }

    #[test]
    fn time_controls_are_read_in_several_languages() {
        let control = |moves, days| Some(TimeControl::cumulative(moves, days));
        for text in [
            "10 moves in 60 days",
            "10 Züge in 60 Tagen",
            "Bedenkzeit: 60 Tage für 10 Züge",
            "10 coups en 60 jours",
            "10 jugadas en 60 días",
            "Time control: 10/60",
            "10 moves / 60 days",
            "Event: WS/M/311    10/60",
            "WS/M/311 (10/60)",
            "10/60",
        ] {
            assert_eq!(control_in(text), control(10, 60), "{text}");
        }
        assert_eq!(control_in("10 moves in 60 days, then 10 moves in 30 days"), None);
        assert_eq!(control_in("40 moves in two hours"), None);
        assert_eq!(control_in("0 moves in 60 days"), None);
        for days in ["10. 5254 10/60", "Total 10/60", "sent 10/30", "10/30", "Days used: 10/60"] {
            assert_eq!(control_in(days), None, "{days}");
        }
    }

    #[test]
    fn codes_of_events_are_found_in_subjects() {
        for (subject, code) in [
            ("Startbrief FSO-112 (Beginn 20.09.2004)", "FSO-112"),
            ("Re: EM/03/101 move 7", "EM/03/101"),
            ("EM-1037", "EM-1037"),
            ("WS/M/123: start", "WS/M/123"),
        ] {
            assert_eq!(event_code(subject).as_deref(), Some(code), "{subject}");
        }
        assert_eq!(event_code("Re: our game, move 7"), None);
        assert_eq!(event_code("FIDE rules"), None);
    }
}
