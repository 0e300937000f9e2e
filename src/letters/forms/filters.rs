//! What templates can do with a value: write a date in their language, make a sentence of words.

use std::fmt::Write;

use chrono::{Datelike, NaiveDate};
use minijinja::{Error, ErrorKind, State};

use super::Words;
use crate::config::Language;

/// `own.sent|date`, `own.sent|date("long")`, `own.sent|date("%Y/%m/%d")`; a blank that is to be filled in stays one.
pub(super) fn date(state: &State<'_, '_>, value: &str, format: Option<&str>) -> Result<String, Error> {
    let Ok(day) = value.parse::<NaiveDate>() else { return Ok(value.to_owned()) };
    let language = state.lookup("language").and_then(|code| code.as_str()?.parse::<Language>().ok());
    let words = language.and_then(Words::of).ok_or_else(|| wrong("there is no `language` here".to_owned()))?;
    let format = match format {
        None => words.date.as_str(),
        Some("long") => words.long.as_str(),
        Some(other) => other,
    };
    let month = usize::try_from(day.month0()).ok().and_then(|month| words.months.get(month));
    let format = format.replace("%B", month.map_or("", String::as_str));
    let mut text = String::new();
    write!(text, "{}", day.format(&format)).map_err(|_| wrong(format!("`{format}` is no form of a date")))?;
    Ok(text)
}

fn wrong(why: String) -> Error {
    Error::new(ErrorKind::InvalidOperation, why)
}
