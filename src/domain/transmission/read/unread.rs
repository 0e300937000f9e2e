//! What a message states of its new move and the reader cannot take: a day that is none, numbers without a meaning.
//!
//! Nothing of it is guessed at. It is told to both players, so that nobody believes that it was taken as it was meant.

use std::fmt;

use chrono::{NaiveDate, Weekday};

use crate::domain::transmission::dates::WrittenDate;
use crate::languages::{Phrase, Value};
use crate::phrase;

/// A date that cannot be meant as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateFault {
    /// The line it stands on.
    pub line: usize,
    /// What is wrong.
    pub kind: FaultKind,
}

/// Why a date cannot be meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// No calendar has it.
    NoSuchDay(WrittenDate),
    /// The message gives it another weekday.
    OtherWeekday(NaiveDate, Weekday),
    /// The message calls it today or yesterday, and it is neither.
    NotSoLongAgo(NaiveDate),
    /// It lies behind the mail that states it, or most of a year before: the day, and that of the mail.
    FarFromMail(NaiveDate, NaiveDate),
}

impl DateFault {
    /// As it is told to the reader.
    pub fn phrase(&self) -> Phrase {
        let line = self.line;
        match self.kind {
            FaultKind::NoSuchDay(date) => phrase!("line {line}: there is no day {date}", line, date),
            FaultKind::OtherWeekday(day, weekday) => {
                phrase!("line {line}: {day} is no {weekday}", line, day, weekday = Value::Weekday(weekday))
            }
            FaultKind::NotSoLongAgo(day) => {
                phrase!("line {line}: {day} is not the day that he calls today or yesterday", line, day)
            }
            FaultKind::FarFromMail(day, mailed) => {
                phrase!("line {line}: {day} does not go with a mail of {mailed}", line, day, mailed)
            }
        }
    }
}

impl fmt::Display for DateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.phrase().in_english())
    }
}

/// What the new move's dates and days lack because it was not taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unread {
    /// The first date that cannot be meant.
    pub fault: Option<DateFault>,
    /// A date has more than one meaning, or two places of the message differ.
    pub is_open: bool,
    /// Numbers beside its dates that are neither days nor a total by any arithmetic, as they stand there.
    pub numbers: Option<String>,
}
