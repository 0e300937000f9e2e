//! Dates as they stand in mails: day and month in either order, with a year, half a year, or none.
//!
//! A date without a year is the one nearest to the date before it in the game; writer and reader share that
//! rule, so that a table of days and months can be read back exactly.

use chrono::{Datelike, NaiveDate};

/// A date as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenDate {
    /// Day and month are told apart by a month's name or by the ISO order.
    Clear {
        /// Day of the month.
        day: u32,
        /// Month, 1 to 12.
        month: u32,
        /// Year, if written.
        year: Option<i32>,
    },
    /// Two numbers of which either may be the day.
    Open {
        /// The first number.
        first: u32,
        /// The second number.
        second: u32,
        /// Year, if written.
        year: Option<i32>,
        /// Written with dots, as where the day comes first.
        dotted: bool,
    },
}

/// Which of two numbers is the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayMonth {
    /// 24.10. is the 24th of October.
    DayFirst,
    /// 10/24 is the 24th of October.
    MonthFirst,
}

impl WrittenDate {
    /// The calendar day, with a missing year chosen nearest to `near`; `None` if there is no such day.
    pub fn resolve(self, order: DayMonth, near: NaiveDate) -> Option<NaiveDate> {
        let (day, month, year) = match (self, order) {
            (WrittenDate::Clear { day, month, year }, _) => (day, month, year),
            (WrittenDate::Open { first, second, year, .. }, DayMonth::DayFirst) => (first, second, year),
            (WrittenDate::Open { first, second, year, .. }, DayMonth::MonthFirst) => (second, first, year),
        };
        match year {
            Some(year) => NaiveDate::from_ymd_opt(full_year(year, near), month, day),
            None => nearest(day, month, near),
        }
    }
}

/// The year of the century that lies nearest to `near`, for years written with two digits.
fn full_year(year: i32, near: NaiveDate) -> i32 {
    if year >= 100 {
        return year;
    }
    let century = near.year() - near.year().rem_euclid(100);
    [century - 100, century, century + 100]
        .into_iter()
        .map(|c| c + year)
        .min_by_key(|y| (y - near.year()).abs())
        .unwrap_or(year)
}

/// The day of that name nearest to `near`.
pub fn nearest(day: u32, month: u32, near: NaiveDate) -> Option<NaiveDate> {
    (near.year() - 4..=near.year() + 4)
        .filter_map(|year| NaiveDate::from_ymd_opt(year, month, day))
        .min_by_key(|date| (*date - near).num_days().abs())
}

/// The month a word names, in the languages of the vocabulary; three letters are enough.
pub fn month_named(word: &str) -> Option<u32> {
    const NAMES: [&[&str]; 12] = [
        &["january", "januar", "janvier", "enero", "gennaio", "janeiro", "januari", "tammikuuta"],
        &["february", "februar", "fevrier", "febrero", "febbraio", "fevereiro", "februari", "helmikuuta"],
        &["march", "marz", "maerz", "mars", "marzo", "marco", "maart", "maaliskuuta"],
        &["april", "avril", "abril", "aprile", "huhtikuuta"],
        &["may", "mai", "mayo", "maggio", "maio", "mei", "maj", "toukokuuta"],
        &["june", "juni", "juin", "junio", "giugno", "junho", "kesakuuta"],
        &["july", "juli", "juillet", "julio", "luglio", "julho", "heinakuuta"],
        &["august", "aout", "agosto", "augustus", "augusti", "elokuuta"],
        &["september", "septembre", "septiembre", "setiembre", "settembre", "setembro", "syyskuuta"],
        &["october", "oktober", "octobre", "octubre", "ottobre", "outubro", "lokakuuta"],
        &["november", "novembre", "noviembre", "novembro", "marraskuuta"],
        &["december", "dezember", "decembre", "diciembre", "dicembre", "dezembro", "joulukuuta"],
    ];
    let word = deunicode::deunicode(word).to_lowercase();
    if word.len() < 3 {
        return None;
    }
    // Finnish names count whole only: `mar` is March everywhere else
    let means = |name: &&str| **name == word || (!name.ends_with("kuuta") && name.starts_with(word.as_str()));
    let mut found = (1u32..).zip(NAMES).filter(|(_, list)| list.iter().any(means));
    match (found.next(), found.next()) {
        (Some((month, _)), None) => Some(month),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_missing_year_is_the_nearest_one() {
        let open = WrittenDate::Open { first: 3, second: 1, year: None, dotted: true };
        assert_eq!(open.resolve(DayMonth::DayFirst, day("2004-12-29")), Some(day("2005-01-03")));
        assert_eq!(open.resolve(DayMonth::MonthFirst, day("2004-12-29")), Some(day("2005-03-01")));
    }

    #[test]
    fn two_digits_of_a_year_belong_to_the_nearest_century() {
        let open = |year| WrittenDate::Open { first: 3, second: 9, year: Some(year), dotted: true };
        assert_eq!(open(99).resolve(DayMonth::DayFirst, day("1999-09-01")), Some(day("1999-09-03")));
        assert_eq!(open(1).resolve(DayMonth::DayFirst, day("1999-12-31")), Some(day("2001-09-03")));
    }

    #[test]
    fn impossible_days_are_no_dates() {
        let open = WrittenDate::Open { first: 31, second: 9, year: None, dotted: true };
        assert_eq!(open.resolve(DayMonth::DayFirst, day("2004-09-01")), None);
        assert_eq!(open.resolve(DayMonth::MonthFirst, day("2004-09-01")), None);
    }

    #[test]
    fn months_are_known_by_their_names_in_several_languages() {
        for (word, month) in
            [("Sep", 9), ("März", 3), ("févr", 2), ("agosto", 8), ("maj", 5), ("Dez", 12), ("junio", 6), ("juin", 6)]
        {
            assert_eq!(month_named(word), Some(month), "{word}");
        }
        for word in ["ma", "moves", "j", "ju", "day"] {
            assert_eq!(month_named(word), None, "{word}");
        }
    }
}
