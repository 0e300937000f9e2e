//! The months and weekdays that words name, and the days just past.
//!
//! In whatever language where a word stands by itself, and in that of its sentence. Not covered: numbers of weeks, names of holidays.

use chrono::Weekday;

use super::lexicon::{Key, Keys, anywhere};

/// The place of the only one of these keys that a word has.
fn only(keys: Keys, of: &[Key]) -> Option<u8> {
    let mut named = (0..).zip(of).filter(|(_, key)| keys.has(**key));
    let (place, _) = named.next()?;
    named.next().is_none().then_some(place)
}

/// The month that a word of these keys names.
pub(crate) fn month_in(keys: Keys) -> Option<u32> {
    only(keys, &Key::MONTHS).map(|place| u32::from(place) + 1)
}

/// The weekday that a word of these keys names.
pub(crate) fn weekday_in(keys: Keys) -> Option<Weekday> {
    Weekday::try_from(only(keys, &Key::WEEKDAYS)?).ok()
}

/// Words for a day just past, and how long ago that is; "the day before yesterday" is no yesterday.
const AGO: [(Key, u32); 3] = [(Key::DayBeforeYesterday, 2), (Key::Yesterday, 1), (Key::Today, 0)];

/// How many days ago a word of these keys means.
pub(crate) fn days_ago_in(keys: Keys) -> Option<u32> {
    AGO.into_iter().find(|(key, _)| keys.has(*key)).map(|(_, days)| days)
}

/// The month a word names.
pub fn month_named(word: &str) -> Option<u32> {
    // in Latin letters it would be the English "sent"
    if word.to_lowercase() == "сент" { Some(9) } else { month_in(anywhere(word)) }
}

/// The month a word names that stands before its day: "out 24" and "set 3" are English, not Portuguese.
pub fn month_named_first(word: &str) -> Option<u32> {
    month_named(word).filter(|_| !anywhere(word).has(Key::NotFirst))
}

/// The month of a Roman number in capitals, as Central Europe writes `14.X.2001`.
pub fn month_roman(text: &str) -> Option<u32> {
    const ROMAN: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];
    (1u32..).zip(ROMAN).find(|(_, roman)| *roman == text).map(|(month, _)| month)
}

/// Whether an abbreviated month may be a weekday: the French write "mar. 4 juin" for a Tuesday.
pub fn is_weekday_too(word: &str) -> bool {
    word.eq_ignore_ascii_case("mar")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_known_by_their_names_in_all_the_languages() {
        for (word, month) in [
            ("Sep", 9),
            ("März", 3),
            ("févr", 2),
            ("agosto", 8),
            ("maj", 5),
            ("Dez", 12),
            ("junio", 6),
            ("juin", 6),
            ("czerwca", 6),
            ("lipca", 7),
            ("sierpnia", 8),
            ("października", 10),
            ("октября", 10),
            ("июня", 6),
            ("июля", 7),
            ("сент", 9),
            ("янв", 1),
            ("lokakuuta", 10),
            ("kesäkuuta", 6),
            ("června", 6),
            ("července", 7),
            ("ott", 10),
            ("okt", 10),
            ("marzo", 3),
            ("szeptember", 9),
            ("aug", 8),
        ] {
            assert_eq!(month_named(word), Some(month), "{word}");
        }
        for word in ["ma", "moves", "j", "ju", "day", "sent", "decide", "maybe", "market", "Sie", "elo", "pro", "jui"] {
            assert_eq!(month_named(word), None, "{word}");
        }
    }

    #[test]
    fn the_words_of_any_language_name_one_month_and_one_weekday() {
        for word in ["mon", "tirsdag", "quarta", "jue", "piatnitsa", "lördag", "日曜"] {
            assert!(weekday_in(anywhere(word)).is_some(), "{word}");
        }
    }
}
