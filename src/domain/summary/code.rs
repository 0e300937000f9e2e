//! A summary as one line of text, and back: fields between separators (U+001F), numbers in decimal, the days of marks
//! counted from the day on which the clock started.
//!
//! Short and quick to read on purpose: ten thousand of them are read before a list appears. Whoever changes it need not care for old lines:
//! a line is only believed by the program that wrote it.

use std::borrow::Cow;
use std::fmt::Write;

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, Utc};
use memchr::memchr;

use super::letters::{
    self, draw_claim_letter, illegal_letter, kind, kind_letter, partial_letter, result_letter, side, side_letter,
    standing_letter,
};
use super::{LastMove, Summary};
use crate::domain::clock::events::{ByHours, Mark, Pace};

/// Stands between two fields.
const FIELD: char = '\u{1f}';
/// May stand between two lines, since none contains it.
const LINE: char = Summary::LINE as char;
/// Ends a run of equal days, and the day before the first.
const RUN: char = ',';
/// Stands before the instant until which nothing is charged.
const FREE: char = 'f';
/// Stands between the number of days and what each is charged.
const TIMES: char = '*';
/// Stands between the day of a mark and its number.
const NUMBER: char = ',';
/// Stands before the instant of a mark that has one, and between an instant and its offset.
const AT: char = '@';
/// Ends a mark.
const MARK: char = ';';
/// The bytes of a usual mark: its day and its number have two digits.
const SHORT_MARK: usize = 8;
/// Stands for a character that would be taken for a separator, with the next letter; and before a line in which it does.
const ESCAPE: char = '\\';
/// Stands before a negative number.
const MINUS: char = '-';

impl<'a> Summary<'a> {
    /// The summary as a line of text without [`Summary::LINE`].
    pub fn encode(&self) -> String {
        let mut line = String::with_capacity(256);
        for text in [&self.id, &self.event, &self.opponent, &self.control] {
            escape(&mut line, text);
            line.push(FIELD);
        }
        if line.contains(ESCAPE) {
            line.insert(0, ESCAPE);
        }
        let none = LastMove { number: "".into(), numeric: "".into(), san: "".into() };
        let last = self.last.as_ref().unwrap_or(&none);
        for text in [&last.number, &last.numeric, &last.san] {
            line.push_str(text);
            line.push(FIELD);
        }
        let set = |is_set: bool, letter: u8| if is_set { letter } else { b'-' };
        let letters = [
            side_letter(self.me),
            side_letter(self.to_move),
            result_letter(self.result),
            standing_letter(self.standing),
            set(self.drafted, b'd'),
            set(self.sent, b's'),
            set(self.draw_offered, b'o'),
            draw_claim_letter(self.draw_claim),
            set(self.claimable, b'c'),
            set(self.late, b'l'),
            set(self.day_doubted, b'q'),
            set(self.disputed, b'd'),
            set(self.bound, b'b'),
            set(self.is_window, b'w'),
            illegal_letter(self.illegal),
            partial_letter(self.is_partial, self.mover_is_partial),
        ];
        line.extend(letters.map(char::from));
        let allowed = self.allowed.map(|days| days.to_string()).unwrap_or_default();
        let _ = write!(line, "{FIELD}{}{FIELD}{}{FIELD}{allowed}{FIELD}", self.plies, self.days_used);
        if let Some(pace) = &self.pace {
            let _ = write!(line, "{}{RUN}", pace.from().num_days_from_ce());
            write_runs(&mut line, pace.runs());
        }
        line.push(FIELD);
        if let Some(place) = self.pace.as_ref().and_then(|pace| pace.place) {
            let _ = write!(line, "{}", place.local_minus_utc());
        }
        line.push(FIELD);
        match self.pace.as_ref().and_then(|pace| pace.by_hours.as_ref()) {
            None => {}
            Some(ByHours::FreeUntil(free)) => {
                let _ = write!(line, "{FREE}{}", free.timestamp());
            }
            Some(ByHours::Spans(since, runs)) => {
                let _ = write!(line, "{}{RUN}", since.timestamp());
                write_runs(&mut line, runs);
            }
        }
        line.push(FIELD);
        if let Some(over) = self.over_from {
            write_instant(&mut line, over);
        }
        line.push(FIELD);
        let first = first_day(self.pace.as_ref());
        for mark in &self.marks {
            let (letter, number) = kind_letter(mark.kind);
            line.extend([letter, side_letter(mark.side)].map(char::from));
            let _ = write!(line, "{}{NUMBER}{number}", mark.date.num_days_from_ce() - first);
            if let Some(at) = mark.at {
                line.push(AT);
                write_instant(&mut line, at);
            }
            line.push(MARK);
        }
        line
    }

    /// What separates two lines in one text, an ASCII character.
    pub const LINE: u8 = 0x1e;

    /// The summary that a line was made from; `None` when it is none.
    pub fn decode(line: &'a str) -> Option<Summary<'a>> {
        let (is_escaped, mut rest) = line.strip_prefix(ESCAPE).map_or((false, Rest(line)), |rest| (true, Rest(rest)));
        let mut text = || rest.until(FIELD).map(|field| if is_escaped { unescape(field) } else { field.into() });
        let [id, event, opponent, control] = [text()?, text()?, text()?, text()?];
        let [number, numeric, san] = [text()?, text()?, text()?];
        let &[
            me,
            to_move,
            result,
            standing,
            drafted,
            sent,
            offered,
            draw_claim,
            claimable,
            late,
            doubted,
            disputed,
            bound,
            window,
            illegal,
            partial,
        ] = rest.until(FIELD)?.as_bytes()
        else {
            return None;
        };
        let (is_partial, mover_is_partial) = letters::partial(partial)?;
        let (plies, days_used) = (rest.number(FIELD)?, rest.number(FIELD)?);
        let allowed = if rest.skip(FIELD) { None } else { Some(rest.signed(FIELD)?) };
        let mut pace = if rest.skip(FIELD) { None } else { Some(Pace::of_runs(rest.day(0, RUN)?, rest.runs(FIELD)?)) };
        let place = if rest.skip(FIELD) { None } else { Some(offset(rest.signed(FIELD)?)?) };
        let by_hours = if rest.skip(FIELD) { None } else { Some(rest.by_hours()?) };
        if let Some(pace) = &mut pace {
            (pace.place, pace.by_hours) = (place, by_hours);
        }
        let over_from = if rest.skip(FIELD) { None } else { Some(rest.instant(FIELD)?) };
        let marks = marks(rest, first_day(pace.as_ref()))?;
        Some(Summary {
            id,
            event,
            opponent,
            me: side(me)?,
            to_move: side(to_move)?,
            plies,
            result: letters::result(result)?,
            last: (!number.is_empty()).then_some(LastMove { number, numeric, san }),
            standing: letters::standing(standing)?,
            drafted: drafted == b'd',
            sent: sent == b's',
            draw_offered: offered == b'o',
            draw_claim: letters::draw_claim(draw_claim)?,
            claimable: claimable == b'c',
            late: late == b'l',
            day_doubted: doubted == b'q',
            disputed: disputed == b'd',
            bound: bound == b'b',
            is_partial,
            control,
            illegal: letters::illegal(illegal)?,
            over_from,
            days_used,
            mover_is_partial,
            allowed,
            is_window: window == b'w',
            pace,
            marks,
        })
    }
}

/// What of a line is not read yet.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    /// What stands before the next `end`, an ASCII character, which is skipped.
    fn until(&mut self, end: char) -> Option<&'a str> {
        let at = memchr(u8::try_from(end).ok()?, self.0.as_bytes())?;
        let field = self.0.get(..at)?;
        self.0 = self.0.get(at + 1..)?;
        Some(field)
    }

    /// Whether this ASCII character comes next; then it is skipped.
    fn skip(&mut self, next: char) -> bool {
        let rest = self.0.strip_prefix(next);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// The number that comes next, digit by digit.
    fn digits(&mut self) -> Option<u64> {
        let (mut number, mut count) = (0_u64, 0);
        for digit in self.0.bytes().map(|byte| byte.wrapping_sub(b'0')).take_while(|digit| *digit < 10) {
            number = number.checked_mul(10)?.checked_add(digit.into())?;
            count += 1;
        }
        self.0 = self.0.get(count..)?;
        Some(number).filter(|_| count > 0)
    }

    /// The number before `end`, which is skipped.
    fn number(&mut self, end: char) -> Option<u32> {
        let number = self.digits()?;
        if self.skip(end) { u32::try_from(number).ok() } else { None }
    }

    /// The same of a number that may be negative.
    fn signed(&mut self, end: char) -> Option<i64> {
        let sign = if self.skip(MINUS) { -1 } else { 1 };
        let number = i64::try_from(self.digits()?).ok()?;
        if self.skip(end) { Some(sign * number) } else { None }
    }

    /// The day so many days after the day of a number.
    fn day(&mut self, first: i32, end: char) -> Option<NaiveDate> {
        let days = i32::try_from(self.signed(end)?).ok()?;
        NaiveDate::from_num_days_from_ce_opt(first.checked_add(days)?)
    }

    fn timestamp(&mut self, end: char) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp(self.signed(end)?, 0)
    }

    /// An instant at its place.
    fn instant(&mut self, end: char) -> Option<DateTime<FixedOffset>> {
        let at = self.timestamp(AT)?;
        Some(at.with_timezone(&offset(self.signed(end)?)?))
    }

    fn runs(&mut self, end: char) -> Option<Vec<(u32, u32)>> {
        let mut runs = Vec::with_capacity(1);
        while !self.skip(end) {
            runs.push((self.number(TIMES)?, self.number(RUN)?));
        }
        Some(runs)
    }

    fn by_hours(&mut self) -> Option<ByHours> {
        if self.skip(FREE) {
            return self.timestamp(FIELD).map(ByHours::FreeUntil);
        }
        Some(ByHours::Spans(self.timestamp(RUN)?, self.runs(FIELD)?))
    }

    fn mark(&mut self, first: i32) -> Option<Mark> {
        let (letters, rest) = self.0.split_at_checked(2)?;
        let &[letter, of] = letters.as_bytes() else { return None };
        self.0 = rest;
        let (date, number) = (self.day(first, NUMBER)?, self.digits()?.try_into().ok()?);
        let at = if self.skip(AT) { Some(self.instant(MARK)?) } else { None };
        let is_whole = at.is_some() || self.skip(MARK);
        let mark = Mark { at, ..Mark::on(date, side(of)?, kind(letter, number)?) };
        Some(mark).filter(|_| is_whole)
    }
}

fn marks(mut rest: Rest<'_>, first: i32) -> Option<Vec<Mark>> {
    let mut marks = Vec::with_capacity(rest.0.len() / SHORT_MARK);
    while !rest.0.is_empty() {
        marks.push(rest.mark(first)?);
    }
    Some(marks)
}

fn offset(seconds: i64) -> Option<FixedOffset> {
    FixedOffset::east_opt(seconds.try_into().ok()?)
}

fn write_runs(line: &mut String, runs: &[(u32, u32)]) {
    for (days, charge) in runs {
        let _ = write!(line, "{days}{TIMES}{charge}{RUN}");
    }
}

/// The number of the day from which those of the marks are counted.
fn first_day(pace: Option<&Pace>) -> i32 {
    pace.map_or(0, |pace| pace.from().num_days_from_ce())
}

/// A timestamp and the offset of its place in seconds.
fn write_instant(line: &mut String, at: DateTime<FixedOffset>) {
    let _ = write!(line, "{}{AT}{}", at.timestamp(), at.offset().local_minus_utc());
}

fn escape(line: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            ESCAPE => line.push_str("\\\\"),
            FIELD => line.push_str("\\f"),
            LINE => line.push_str("\\l"),
            other => line.push(other),
        }
    }
}

fn unescape(field: &str) -> Cow<'_, str> {
    let mut text = String::with_capacity(field.len());
    let mut chars = field.chars();
    while let Some(c) = chars.next() {
        match (c, c == ESCAPE) {
            (other, false) => text.push(other),
            (_, true) => match chars.next() {
                Some('f') => text.push(FIELD),
                Some('l') => text.push(LINE),
                other => text.extend(other),
            },
        }
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::clock::ledger::Ledger;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::{Game, Leave, Plan};
    use crate::domain::game::{GameResult, Side};

    fn there_and_back(game: &Game) {
        let today = "2004-11-05".parse().unwrap();
        let summary = Summary::of(game, &Ledger::of(game).unwrap(), Some(today), today).unwrap();
        let line = summary.encode();
        assert!(!line.contains(LINE), "{line:?}");
        assert_eq!(Summary::decode(&line), Some(summary));
    }

    #[test]
    fn a_summary_comes_back_as_it_was() {
        let mut game = sample_game();
        there_and_back(&game);
        for rules in [
            r#"{"base": "iccf-email-2005", "reminders": [14, 28, 35], "repeat": {"after": 5, "again": [8], "cc_td_from": 8}}"#,
            r#"{"base": "friendly", "control": {"kind": "cumulative", "moves": 10, "days": 30, "per_move_cap": 30}}"#,
            r#"{"base": "friendly", "control": {"kind": "none"}, "silence": {"effect": "auto_forfeit"}}"#,
        ] {
            game.rules = serde_json::from_str(rules).unwrap();
            there_and_back(&game);
        }
        game.plan = Some(Plan::bare("4746".parse().unwrap()));
        game.leaves = vec![Leave {
            side: Side::White,
            from: "2004-12-30".parse().unwrap(),
            to: "2005-01-02".parse().unwrap(),
            announced: None,
        }];
        there_and_back(&game);
        game.result = Some(GameResult::Draw);
        game.draw_offer = Some(Side::White);
        game.moves.clear();
        there_and_back(&game);
    }

    #[test]
    fn a_mark_with_its_hour_comes_back() {
        let mut game = sample_game();
        game.me = Side::White;
        let hers = game.moves.len() - 2;
        game.moves[hers].observed.sent = Some("2004-10-26".parse().unwrap());
        game.moves[hers].observed.sent_at = Some("2004-10-26T10:00:00-05:00".parse().unwrap());
        let ledger = Ledger::of(&game).unwrap().at_home(chrono_tz::Europe::Vienna);
        let summary = Summary::of(&game, &ledger, None, "2004-11-05".parse().unwrap()).unwrap();
        assert!(summary.marks().iter().any(|mark| mark.at.is_some()), "{:?}", summary.marks());
        assert_eq!(Summary::decode(&summary.encode()).as_ref(), Some(&summary));
    }

    #[test]
    fn a_mark_before_the_clock_started_comes_back() {
        let game = sample_game();
        let mut summary = Summary::of(&game, &Ledger::of(&game).unwrap(), None, "2004-11-05".parse().unwrap()).unwrap();
        summary.marks.push(Mark { date: "1969-02-28".parse().unwrap(), ..summary.marks[0] });
        assert_eq!(Summary::decode(&summary.encode()).as_ref(), Some(&summary));
    }

    #[test]
    fn a_name_with_separators_and_backslashes_comes_back() {
        let mut game = sample_game();
        game.white.name = "Mila \u{1e}\\f \u{1f}\\".to_owned();
        game.black.name = game.white.name.clone();
        game.event = "\\l\\".to_owned();
        there_and_back(&game);
    }

    #[test]
    fn what_is_no_summary_is_none() {
        let line = {
            let game = sample_game();
            Summary::of(&game, &Ledger::of(&game).unwrap(), None, "2004-11-05".parse().unwrap()).unwrap().encode()
        };
        // without its last marks a line is one still
        let last_field = line.rfind(FIELD).unwrap();
        for end in 0..=last_field {
            assert_eq!(Summary::decode(line.get(..end).unwrap()), None, "{end}");
        }
        assert_eq!(Summary::decode(&line.replace(FIELD, "")), None);
    }
}
