//! What a comment says of its move: days, dates, the instant it was sent; the rest is the player's own words.
//!
//! Read and written: `{R 2004.10.24 S 2004.10.26 2/30}` (received, sent, days of the move and in all) and the command
//! `[%ccsnt 2004.10.26,07:45]` of the ICCF server. Read only: `{07:45:00-26.10.2004=2/30}` of the AICCF server. Other commands
//! (`%clk`, `%emt`) are no words and left out. What will surprise you: dates count only where they are the whole comment. Words of the
//! player's that would be read as dates or commands stand after `[%note]`, which only this program knows.

use std::sync::LazyLock;

use chrono::{NaiveDate, NaiveDateTime};

use super::Trouble;
use crate::domain::game::Stated;
use crate::domain::pattern::{Found, Pattern};

static COMMAND: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"\[%(\w+)\s*([^\]]*)\]"));
static DATES: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"^(?:R (\d{4}[.]\d{1,2}[.]\d{1,2}))? ?(?:S (\d{4}[.]\d{1,2}[.]\d{1,2}))? ?(?:(\d{1,5}|[?])/(\d{1,6}|[?]))?$",
    )
});
static SERVER: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r"^(\d\d:\d\d:\d\d)-(\d\d)[.](\d\d)[.](\d{4})=(\d{1,5})/(\d{1,6})$"));

/// What stands before words that are words, whatever they look like.
const WORDS: &str = "[%note] ";

/// A comment taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Note {
    pub(super) stated: Stated,
    pub(super) sent_at: Option<NaiveDateTime>,
    /// What is left of it.
    pub(super) words: String,
}

impl Note {
    /// Reads a comment.
    ///
    /// # Errors
    /// [`Trouble::Day`] for a day or an hour that does not exist.
    pub(super) fn read(comment: &str) -> Result<Note, Trouble> {
        if let Some(words) = comment.trim().strip_prefix(WORDS) {
            return Ok(Note { words: words.trim().to_owned(), ..Note::default() });
        }
        let bad = || Trouble::Day { text: comment.to_owned() };
        let mut note = Note::default();
        let mut words = comment.trim().to_owned();
        if words.contains("[%") {
            for command in COMMAND.captures_iter(comment) {
                let [name, value] = command.groups();
                if name == "ccsnt" {
                    note.sent_at = Some(instant(value).ok_or_else(bad)?);
                }
            }
            words = COMMAND.replace_all(comment, |_| " ".to_owned()).split_whitespace().collect::<Vec<_>>().join(" ");
        }
        let number = |text: Option<Found<'_>>| text.and_then(|digits| digits.as_str().parse::<u32>().ok());
        if let Some(dates) = DATES.captures(&words).filter(|_| !words.is_empty()) {
            let read = |group| dates.get(group).map(|text| super::day(text.as_str()).ok_or_else(bad)).transpose();
            note.stated =
                Stated { received: read(1)?, sent: read(2)?, days: number(dates.get(3)), total: number(dates.get(4)) };
            words.clear();
        } else if let Some(sent) = SERVER.captures(&words) {
            let [time, day, month, year, _, _] = sent.groups();
            let at = NaiveDateTime::parse_from_str(&format!("{year}-{month}-{day} {time}"), "%Y-%m-%d %H:%M:%S");
            note.sent_at = Some(at.map_err(|_| bad())?);
            note.stated = Stated { days: number(sent.get(5)), total: number(sent.get(6)), ..Stated::default() };
            words.clear();
        }
        note.words = words;
        Ok(note)
    }

    /// Words of the player's as they come back as words.
    pub(super) fn of_words(words: &str) -> String {
        let plain = Note { words: words.trim().to_owned(), ..Note::default() };
        if Note::read(words) == Ok(plain) { words.to_owned() } else { format!("{WORDS}{words}") }
    }

    /// The comment, with its braces; `None` where there is nothing to say. The command holds a blank where no line may end.
    pub(super) fn written(&self) -> Option<Vec<String>> {
        let Stated { received, sent, days, total } = self.stated;
        let day = |letter: &str, day: Option<NaiveDate>| {
            day.map(|day| [letter.to_owned(), dotted(day)]).into_iter().flatten().collect::<Vec<_>>()
        };
        let count = |days: Option<u32>| days.map_or("?".to_owned(), |days| days.to_string());
        let mut words: Vec<String> =
            self.sent_at.map(|at| at.format("[%%ccsnt %Y.%m.%d,%H:%M]").to_string()).into_iter().collect();
        words.extend(day("R", received));
        words.extend(day("S", sent));
        words.extend((days.is_some() || total.is_some()).then(|| format!("{}/{}", count(days), count(total))));
        words.first_mut()?.insert(0, '{');
        words.last_mut()?.push('}');
        Some(words)
    }
}

fn instant(text: &str) -> Option<NaiveDateTime> {
    let (day, time) = text.split_once(',')?;
    let (hour, minute) = time.trim().split_once(':')?;
    super::day(day.trim())?.and_hms_opt(hour.parse().ok()?, minute.parse().ok()?, 0)
}

/// `2004.10.26`
pub(super) fn dotted(day: NaiveDate) -> String {
    day.format("%Y.%m.%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Option<NaiveDate> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn dates_and_days_are_read_back_as_they_are_written() {
        let whole = Note {
            stated: Stated { received: day("2004-10-24"), sent: day("2004-10-26"), days: Some(2), total: Some(30) },
            sent_at: Some("2004-10-26T07:45:00".parse().unwrap()),
            words: String::new(),
        };
        let text = whole.written().unwrap().join(" ");
        assert_eq!(text, "{[%ccsnt 2004.10.26,07:45] R 2004.10.24 S 2004.10.26 2/30}");
        assert_eq!(Note::read(text.trim_matches(['{', '}'])).unwrap(), whole);
        for text in ["R 2004.10.24", "S 2004.10.26", "0/?", "?/7", "R 2004.10.24 2/30", "S 2004.10.26 ?/12"] {
            let note = Note::read(text).unwrap();
            assert_eq!(note.written().unwrap().join(" "), format!("{{{text}}}"));
        }
        assert_eq!(Note::default().written(), None);
    }

    #[test]
    fn the_comment_of_the_aiccf_server_gives_instant_and_days() {
        let note = Note::read("07:45:00-26.10.2004=2/30").unwrap();
        assert_eq!(note.sent_at, Some("2004-10-26T07:45:00".parse().unwrap()));
        assert_eq!(note.stated, Stated { days: Some(2), total: Some(30), ..Stated::default() });
    }

    #[test]
    fn words_beside_dates_make_the_comment_a_remark() {
        for text in ["R 2004.10.24 or so", "see S 2004.10.26", "2/30 was his count", "+0.35/21", "R", "Grüße"] {
            let note = Note::read(text).unwrap();
            assert_eq!((note.words.as_str(), note.stated), (text, Stated::default()), "{text}");
        }
        let mixed = Note::read("good [%clk 0:01:00] move [%ccsnt 2004.10.26, 7:45]").unwrap();
        assert_eq!(mixed.words, "good move");
        assert_eq!(mixed.sent_at, Some("2004-10-26T07:45:00".parse().unwrap()));
    }

    #[test]
    fn a_day_that_does_not_exist_is_refused() {
        for text in
            ["R 2004.02.30 S 2004.03.01 1/1", "[%ccsnt 2004.10.26,25:00]", "[%ccsnt soon]", "07:45:00-31.11.2004=2/30"]
        {
            assert_eq!(Note::read(text), Err(Trouble::Day { text: text.to_owned() }), "{text}");
        }
    }
}
