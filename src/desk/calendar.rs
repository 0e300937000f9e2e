//! The marks of all games as a calendar: a table for each month, a row for each week, from Monday on.

use chrono::{Datelike, Days, NaiveDate};
use serde_json::{Value, json};

/// A day with the marks that fall on it.
pub(super) type Day = (NaiveDate, Vec<Value>);

/// The months from `first` to `last`, both of them whole.
pub(super) fn months(first: NaiveDate, last: NaiveDate, marked: &[Day]) -> Vec<Value> {
    let begins = |day: NaiveDate| day.with_day(1).unwrap_or(day);
    let mut months = Vec::new();
    let mut month = begins(first);
    while month <= last {
        let next = begins(month.checked_add_days(Days::new(31)).unwrap_or(NaiveDate::MAX));
        months.push(json!({"begins": month, "weeks": weeks(month, next, first, marked)}));
        if next <= month {
            break;
        }
        month = next;
    }
    months
}

/// The weeks of a month, each day with the number of its marks and the severity of the first; `null` stands for a day of another one.
fn weeks(begins: NaiveDate, ends: NaiveDate, today: NaiveDate, marked: &[Day]) -> Vec<Vec<Value>> {
    let before = begins.weekday().num_days_from_monday() as usize;
    let mut cells = vec![Value::Null; before];
    for day in begins.iter_days().take_while(|day| *day < ends) {
        let marks = marked.iter().find(|(other, _)| *other == day).map(|(_, marks)| marks);
        let severity = marks.and_then(|marks| marks.first()?.get("severity"));
        let marks = marks.map_or(0, Vec::len);
        cells.push(
            json!({"day": day.day(), "date": day, "is_today": day == today, "marks": marks, "severity": severity}),
        );
    }
    cells.resize(cells.len().next_multiple_of(7), Value::Null);
    cells.chunks(7).map(<[Value]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_stands_once_below_its_weekday() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let marked = [(day("2027-01-01"), vec![json!({"game_id": "G-1"})])];
        let months = months(day("2026-11-28"), day("2027-01-27"), &marked);
        let names: Vec<_> = months.iter().map(|month| month["begins"].as_str().unwrap()).collect();
        assert_eq!(names, ["2026-11-01", "2026-12-01", "2027-01-01"]);
        let mut all = Vec::new();
        for week in months.iter().flat_map(|month| month["weeks"].as_array().unwrap()) {
            let week = week.as_array().unwrap();
            assert_eq!(week.len(), 7);
            for (column, cell) in week.iter().enumerate().filter(|(_, cell)| !cell.is_null()) {
                let date = day(cell["date"].as_str().unwrap());
                assert_eq!(date.weekday().num_days_from_monday() as usize, column);
                assert_eq!(cell["is_today"], date == day("2026-11-28"));
                assert_eq!(cell["marks"] == 1, date == day("2027-01-01"));
                all.push(date);
            }
        }
        let expected: Vec<_> = day("2026-11-01").iter_days().take(92).collect();
        assert_eq!(all, expected);
    }
}
