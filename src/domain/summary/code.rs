//! A summary as one line of text, and back: fields between separators (U+001F), numbers in decimal, days as year and day of the year.
//!
//! Short and quick to read on purpose: ten thousand of them are read before a list appears. Fields are found byte by byte, since they are
//! so short that a search made for long texts would cost more. Whoever changes it need not care for old lines: a line is only believed
//! by the program that wrote it.

use std::borrow::Cow;
use std::fmt::Write;

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate};

use super::letters::{
    draw_claim, draw_claim_letter, illegal, illegal_letter, kind, kind_letter, partial, partial_letter, result,
    result_letter, side, side_letter, standing, standing_letter,
};
use super::{LastMove, Summary};
use crate::domain::clock::events::{ByHours, Mark, Pace};

/// Stands between two fields.
const FIELD: char = '\u{1f}';
/// May stand between two lines, since none contains it.
const LINE: char = '\u{1e}';
/// Ends a run of equal days, and the day before the first.
const RUN: char = ',';
/// Stands before the instant until which nothing is charged.
const FREE: char = 'f';
/// Stands between the number of days and what each is charged.
const TIMES: char = '*';
/// Stands between the day of a mark and its number.
const NUMBER: char = ',';
/// Stands before the instant of a mark that has one, and before its offset.
const AT: char = '@';
/// Ends a mark.
const MARK: char = ';';
/// A number of 32 bits has no more digits.
const DIGITS: usize = 10;
/// The bytes of a mark of our days with a number of one digit.
const SHORT_MARK: usize = 11;
/// Stands for a character that would be taken for a separator, with the next letter; and before a line in which it does.
const ESCAPE: char = '\\';
/// What a year is multiplied by to add the day of the year.
const YEAR: u32 = 1000;
/// Stands before a day that is counted from the era, since its year has not four digits.
const FAR: char = '-';

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
        line.push_str(side_letter(self.me));
        line.push_str(side_letter(self.to_move));
        line.push(result_letter(self.result));
        line.push(standing_letter(self.standing));
        line.push(if self.drafted { 'd' } else { '-' });
        line.push(if self.sent { 's' } else { '-' });
        line.push(if self.draw_offered { 'o' } else { '-' });
        line.push(draw_claim_letter(self.draw_claim));
        line.push(if self.claimable { 'c' } else { '-' });
        line.push(if self.late { 'l' } else { '-' });
        line.push(if self.day_doubted { 'q' } else { '-' });
        line.push(if self.disputed { 'd' } else { '-' });
        line.push(if self.bound { 'b' } else { '-' });
        line.push(if self.is_window { 'w' } else { '-' });
        line.push(illegal_letter(self.illegal));
        line.push(partial_letter(self.is_partial, self.mover_is_partial));
        let allowed = self.allowed.map(|days| days.to_string()).unwrap_or_default();
        let _ = write!(line, "{FIELD}{}{FIELD}{}{FIELD}{allowed}{FIELD}", self.plies, self.days_used);
        if let Some(pace) = &self.pace {
            write_day(&mut line, pace.from());
            line.push(RUN);
            write_runs(&mut line, pace.runs());
        }
        line.push(FIELD);
        let (place, by_hours) = self.pace.as_ref().map_or((None, &None), |pace| (pace.place, &pace.by_hours));
        if let Some(place) = place {
            let _ = write!(line, "{}", place.local_minus_utc());
        }
        line.push(FIELD);
        match by_hours {
            None => {}
            Some(ByHours::FreeUntil(free)) => {
                let _ = write!(line, "{FREE}{}{RUN}", free.timestamp());
            }
            Some(ByHours::Spans(since, runs)) => {
                let _ = write!(line, "{}{RUN}", since.timestamp());
                write_runs(&mut line, runs);
            }
        }
        line.push(FIELD);
        write_instant(&mut line, self.over_from);
        line.push(FIELD);
        for mark in &self.marks {
            let (letter, number) = kind_letter(mark.kind);
            line.push(letter);
            line.push_str(side_letter(mark.side));
            write_day(&mut line, mark.date);
            let _ = write!(line, "{NUMBER}{number}");
            write_instant(&mut line, mark.at);
            line.push(MARK);
        }
        line
    }

    /// What separates two lines in one text.
    pub const LINE: char = LINE;

    /// The summary that a line was made from; `None` when it is none.
    pub fn decode(line: &'a str) -> Option<Summary<'a>> {
        let (is_escaped, mut rest) = line.strip_prefix(ESCAPE).map_or((false, Rest(line)), |rest| (true, Rest(rest)));
        let mut text = || rest.until(FIELD).map(|field| if is_escaped { unescape(field) } else { field.into() });
        let [id, event, opponent, control] = [text()?, text()?, text()?, text()?];
        let [number, numeric, san] = [text()?, text()?, text()?];
        let mut letters = rest.until(FIELD)?.chars();
        let mut letter = || letters.next();
        let (me, to_move) = (side(letter()?)?, side(letter()?)?);
        let (result, standing) = (result(letter()?)?, standing(letter()?)?);
        let (drafted, sent) = (letter()? == 'd', letter()? == 's');
        let (draw_offered, draw_claim, claimable) = (letter()? == 'o', draw_claim(letter()?)?, letter()? == 'c');
        let (late, day_doubted) = (letter()? == 'l', letter()? == 'q');
        let (disputed, bound) = (letter()? == 'd', letter()? == 'b');
        let is_window = letter()? == 'w';
        let illegal = illegal(letter()?)?;
        let (is_partial, mover_is_partial) = partial(letter()?)?;
        let (plies, days_used) = (rest.number(FIELD)?, rest.number(FIELD)?);
        let allowed = match rest.until(FIELD)? {
            "" => None,
            days => Some(days.parse().ok()?),
        };
        let mut pace = match rest.until(FIELD)? {
            "" => None,
            text => Some(pace(text)?),
        };
        let (place, by_hours) = (rest.until(FIELD)?, rest.until(FIELD)?);
        if let Some(pace) = pace.as_mut().filter(|_| !(place.is_empty() && by_hours.is_empty())) {
            pace.place = if place.is_empty() { None } else { Some(FixedOffset::east_opt(place.parse().ok()?)?) };
            pace.by_hours = if by_hours.is_empty() { None } else { Some(hours(by_hours)?) };
        }
        let over_from = match rest.until(FIELD)? {
            "" => None,
            text => Some(instant(text.strip_prefix(AT)?)?),
        };
        let marks = marks(rest)?;
        Some(Summary {
            id,
            event,
            opponent,
            me,
            to_move,
            plies,
            result,
            last: (!number.is_empty()).then_some(LastMove { number, numeric, san }),
            standing,
            drafted,
            sent,
            draw_offered,
            draw_claim,
            claimable,
            late,
            day_doubted,
            disputed,
            bound,
            is_partial,
            control,
            illegal,
            over_from,
            days_used,
            mover_is_partial,
            allowed,
            is_window,
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
        let at = self.0.bytes().position(|byte| char::from(byte) == end)?;
        let (field, rest) = self.0.split_at_checked(at)?;
        self.0 = rest.get(1..)?;
        Some(field)
    }

    /// The number that comes next, digit by digit.
    fn digits(&mut self) -> Option<u32> {
        let (mut number, mut count) = (0_u64, 0);
        // so many have room
        for byte in self.0.bytes().take(DIGITS).take_while(u8::is_ascii_digit) {
            number = number * 10 + u64::from(byte - b'0');
            count += 1;
        }
        self.0 = self.0.get(count..)?;
        u32::try_from(number).ok().filter(|_| count > 0)
    }

    fn number(&mut self, end: char) -> Option<u32> {
        self.digits().filter(|_| self.letter() == Some(end))
    }

    fn day(&mut self, end: char) -> Option<NaiveDate> {
        if let Some(days) = self.0.strip_prefix(FAR) {
            self.0 = days;
            return NaiveDate::from_num_days_from_ce_opt(self.until(end)?.parse().ok()?);
        }
        let day = self.number(end)?;
        NaiveDate::from_yo_opt(i32::try_from(day / YEAR).ok()?, day % YEAR)
    }

    fn letter(&mut self) -> Option<char> {
        let mut rest = self.0.chars();
        let letter = rest.next();
        self.0 = rest.as_str();
        letter
    }
}

fn pace(text: &str) -> Option<Pace> {
    let mut rest = Rest(text);
    Some(Pace::of_runs(rest.day(RUN)?, runs(rest)?))
}

fn runs(mut rest: Rest<'_>) -> Option<Vec<(u32, u32)>> {
    let mut runs = Vec::with_capacity(1);
    while !rest.0.is_empty() {
        runs.push((rest.number(TIMES)?, rest.number(RUN)?));
    }
    Some(runs)
}

fn write_runs(line: &mut String, runs: &[(u32, u32)]) {
    for (days, charge) in runs {
        let _ = write!(line, "{days}{TIMES}{charge}{RUN}");
    }
}

fn hours(text: &str) -> Option<ByHours> {
    let instant = |rest: &mut Rest<'_>| DateTime::from_timestamp(rest.until(RUN)?.parse().ok()?, 0);
    match text.strip_prefix(FREE) {
        Some(free) => instant(&mut Rest(free)).map(ByHours::FreeUntil),
        None => {
            let mut rest = Rest(text);
            Some(ByHours::Spans(instant(&mut rest)?, runs(rest)?))
        }
    }
}

fn marks(mut rest: Rest<'_>) -> Option<Vec<Mark>> {
    let mut marks = Vec::with_capacity(rest.0.len() / SHORT_MARK);
    while !rest.0.is_empty() {
        let (letter, of) = (rest.letter()?, side(rest.letter()?)?);
        let (date, number) = (rest.day(NUMBER)?, rest.digits()?);
        let at = match rest.letter()? {
            MARK => None,
            AT => Some(instant(rest.until(MARK)?)?),
            _ => return None,
        };
        marks.push(Mark { at, ..Mark::on(date, of, kind(letter, number)?) });
    }
    Some(marks)
}

fn write_day(line: &mut String, day: NaiveDate) {
    let _ = match u32::try_from(day.year()) {
        Ok(year @ 0..=9999) => write!(line, "{}", year * YEAR + day.ordinal()),
        _ => write!(line, "{FAR}{}", day.num_days_from_ce()),
    };
}

fn write_instant(line: &mut String, at: Option<DateTime<FixedOffset>>) {
    if let Some(at) = at {
        let _ = write!(line, "{AT}{}{AT}{}", at.timestamp(), at.offset().local_minus_utc());
    }
}

fn instant(text: &str) -> Option<DateTime<FixedOffset>> {
    let (at, offset) = text.split_once(AT)?;
    let at = DateTime::from_timestamp(at.parse().ok()?, 0)?;
    Some(at.with_timezone(&FixedOffset::east_opt(offset.parse().ok()?)?))
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
    use crate::domain::game::{Game, Leave, Plan, Stated};
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
        game.plan = Some(Plan {
            numeric: "4746".parse().unwrap(),
            stated: Stated::default(),
            draw_offer: false,
            message_id: String::new(),
            conditionals: Vec::new(),
            comment: None,
            held_until: None,
        });
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
        let cut: String = line.chars().take(line.len() / 2).collect();
        assert_eq!((Summary::decode(""), Summary::decode(&cut)), (None, None));
        assert_eq!(Summary::decode(&line.replace(FIELD, "")), None);
    }
}
