//! What words mean in a mail of a game, by language: data in one file of each language, and no rule.
//!
//! A file has sections, `[deny]`, and below each its entries, parted by commas and line ends. An entry is a word or a phrase: `word*`
//! stands for every word that begins so, `..` for up to three other words, `(a)` for a word that may be missing, `a/b` for one of these.
//! Of the entries that match at a place the longest is taken, and its words are used up. Words are compared in lower case and in
//! Latin letters without accents; Japanese, which sets no blanks, by what stands within a run of its letters.
//!
//! Which languages count is found by counting: see [`Languages`]. A further language is a file here. The build script makes the entries
//! plain, and tables of them, in which the program only looks up: it builds nothing of them when a mail is read.

#[allow(dead_code, reason = "the other half is the build script's")]
mod form;
#[allow(dead_code, reason = "the other half is the build script's")]
mod keys;
mod languages;
#[allow(dead_code, reason = "the other half is the build script's")]
mod table;

use table::Table;

use crate::domain::remembered::Remembered;

pub(crate) use form::{is_run, words_of};
pub(crate) use keys::{Key, Keys};
pub(crate) use languages::{Count, Languages};

/// The code of each language (ISO 639-1) and its entries.
const FILES: &[(&str, Lexicon)] = include!(concat!(env!("OUT_DIR"), "/lexicons.rs"));

/// The complete utterances of all languages that take a mail back, or leave it open: phrases of which none is by chance.
const IDIOMS: &Lexicon = &include!(concat!(env!("OUT_DIR"), "/idioms.rs"));

/// What announces a result in any language: for sentences whose words tell none ("J'abandonne.").
const RESULTS: &Lexicon = &include!(concat!(env!("OUT_DIR"), "/results.rs"));

/// What words of dates and days mean in a mail of any language.
const ANYWHERE: &Lexicon = &include!(concat!(env!("OUT_DIR"), "/any.rs"));

/// The lexicon of a language, by its place in [`FILES`].
fn lexicon(place: usize) -> Option<&'static Lexicon> {
    FILES.get(place).map(|(_, lexicon)| lexicon)
}

/// The most words that are kept in mind with what they mean anywhere.
const MOST_KNOWN: usize = 1_000;
/// The most words that a gap passes over.
const GAP: usize = 3;
/// The most letters of an entry within a run of letters without blanks.
const LONGEST: usize = 16;

/// Entries of these keys mean nothing more than themselves: the "no" of "no problem" denies nothing.
const USES_UP: [Key; 8] =
    [Key::Mark, Key::Harmless, Key::Excuse, Key::NotDraw, Key::NotResign, Key::Greeting, Key::Closing, Key::Thanks];

/// The entries of one language. Those that begin with the same word stand on one line, and on a line for each second word that they go on
/// with, if that is a whole one.
#[derive(Debug, Clone, Copy)]
struct Lexicon {
    table: Table,
    /// The lengths in bytes of what first words only begin with: a bit each, the last for all that are longer.
    lengths: u64,
}

/// A line of a lexicon: what its word or its two words say by themselves, then what follows them in phrases, each with what that says.
#[derive(Debug, Clone, Copy)]
struct Entries(&'static str);

impl Entries {
    fn keys(self) -> Keys {
        self.0.split('\t').next().map(Keys::read).unwrap_or_default()
    }

    fn phrases(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let mut cells = self.0.split('\t').skip(1);
        std::iter::from_fn(move || Some((cells.next()?, cells.next()?)))
    }
}

/// What one entry of a lexicon makes of the words at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Match {
    /// How many words it covers, those in its gaps included.
    length: usize,
    /// How many of them it names.
    named: usize,
    keys: Keys,
}

impl Lexicon {
    /// Of what the build script wrote.
    const fn new(lines: &'static str, index: &'static [u8], lengths: u64) -> Lexicon {
        Lexicon { table: Table::new(lines, index), lengths }
    }

    /// The entries that begin with this word. Text of another kind, which a run of letters may hold, is none.
    fn whole(&self, word: &str) -> Option<Entries> {
        self.table.find(&[word]).filter(|_| is_plain(word)).map(Entries)
    }

    fn get(&self, word: &str) -> Option<Keys> {
        self.whole(word).map(Entries::keys).filter(|keys| !keys.is_empty())
    }

    /// The entries whose first word begins like this one, each with that beginning, the shortest first.
    fn begun<'w>(&self, word: &'w str) -> impl Iterator<Item = (&'w str, Entries)> {
        let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
        let known = ends.filter(|end| self.lengths & length_bit(*end) != 0).filter_map(|end| word.get(..end));
        known.filter_map(|stem| Some((stem, self.table.find(&[stem, "*"]).filter(|_| is_plain(stem)).map(Entries)?)))
    }

    /// What a single word says here.
    fn keys(&self, word: &str) -> Keys {
        if is_run(word) {
            return self.keys_of_run(word);
        }
        let begun = self.begun(word).map(|(_, entries)| entries.keys()).filter(|keys| !keys.is_empty());
        self.get(word).unwrap_or_default() | begun.last().unwrap_or_default()
    }

    /// What the entries in a run of letters without blanks say: at each place the longest one.
    fn keys_of_run(&self, run: &str) -> Keys {
        let is_kana = |c: Option<char>| c.is_some_and(|c| matches!(c, '\u{30a1}'..='\u{30ff}'));
        let mut keys = Keys::default();
        let mut rest = run;
        while !rest.is_empty() {
            // a word in katakana, as foreign names are, is whole or it is none: no "no" in ノーラ
            let ahead = run.get(..run.len() - rest.len()).and_then(|ahead| ahead.chars().next_back());
            let splits = |end: usize| {
                let (part, behind) = (rest.get(..end), rest.get(end..).and_then(|behind| behind.chars().next()));
                (is_kana(ahead) && is_kana(rest.chars().next()))
                    || (is_kana(behind) && is_kana(part.and_then(|part| part.chars().next_back())))
            };
            let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8()).take(LONGEST);
            let parts: Vec<&str> = ends.filter(|end| !splits(*end)).filter_map(|end| rest.get(..end)).collect();
            let found = parts.iter().rev().find_map(|part| Some((part.len(), self.get(part)?)));
            let first = rest.chars().next().map_or(rest.len(), char::len_utf8);
            let (length, of_part) = found.unwrap_or((first, Keys::default()));
            keys = keys | if of_part.has_any(&USES_UP) { Keys::of(Key::Common) } else { of_part };
            rest = rest.get(length..).unwrap_or_default();
        }
        keys
    }

    /// The longest phrases that begin with the first of these words, all of the same length.
    fn phrase(&self, words: &[&str]) -> Option<Match> {
        let (first, rest) = words.split_first()?;
        let whole = self.whole(first).map(|entries| ([*first, ""], entries));
        let begun = self.begun(first).map(|(stem, entries)| ([stem, "*"], entries));
        let mut best: Option<Match> = None;
        for ([word, star], entries) in whole.into_iter().chain(begun) {
            for found in entries.phrases().filter_map(|phrase| Match::of(1, phrase, rest)) {
                best = Match::longest(best, found);
            }
            let Some((second, behind)) = rest.split_first().filter(|(second, _)| is_plain(second)) else { continue };
            let Some(entries) = self.table.find(&[word, star, " ", second]).map(Entries) else { continue };
            let both = Match { length: 2, named: 2, keys: entries.keys() };
            let longer = entries.phrases().filter_map(|phrase| Match::of(2, phrase, behind));
            for found in Some(both).filter(|both| !both.keys.is_empty()).into_iter().chain(longer) {
                best = Match::longest(best, found);
            }
        }
        best
    }
}

impl Match {
    /// Of so many words, and the parts of a phrase that go on with these.
    fn of(ahead: usize, (parts, keys): (&str, &str), words: &[&str]) -> Option<Match> {
        let (length, named) = covers(parts, words)?;
        Some(Match { length: length + ahead, named: named + ahead, keys: Keys::read(keys) })
    }

    /// Whether its words mean nothing more than it.
    fn uses_up(&self) -> bool {
        // an announcement does where nothing is left out between its words
        self.keys.has_any(&USES_UP) || (self.named == self.length && self.keys.has_any(&Key::ANNOUNCING))
    }

    /// The longer of two; of two alike both.
    fn longest(known: Option<Match>, found: Match) -> Option<Match> {
        let size = |of: &Match| (of.named, of.length);
        Some(match known {
            Some(known) if size(&known) == size(&found) => Match { keys: known.keys | found.keys, ..known },
            Some(known) if size(&known) > size(&found) => known,
            _ => found,
        })
    }
}

/// Whether a word means this in some language.
pub(crate) fn means(word: &str, key: Key) -> bool {
    // in a run of letters any entry counts, one within a longer one too
    let places = || word.char_indices().map(|(at, c)| (at, at + c.len_utf8())).filter(|_| is_run(word));
    let from = |at| {
        places().filter(move |(start, _)| *start >= at).take(LONGEST).filter_map(move |(_, end)| word.get(at..end))
    };
    let within = |lexicon: &Lexicon| {
        places().flat_map(|(at, _)| from(at)).any(|part| lexicon.get(part).is_some_and(|keys| keys.has(key)))
    };
    (0..FILES.len()).filter_map(lexicon).any(|lexicon| lexicon.keys(word).has(key) || within(lexicon))
}

/// What a word of a date or of days means, in whatever language.
pub(crate) fn anywhere(word: &str) -> Keys {
    thread_local! {
        /// Of the words that were asked for last: each of a mail is asked for a dozen times.
        static KNOWN: Remembered<Keys> = Remembered::at_most(MOST_KNOWN);
    }
    KNOWN.with(|known| known.get(word, looked_up_anywhere))
}

fn looked_up_anywhere(word: &str) -> Keys {
    let of_part = |part: &str| {
        let begun = ANYWHERE.begun(part).map(|(_, entries)| entries);
        begun.chain(ANYWHERE.whole(part)).fold(Keys::default(), |all, entries| all | entries.keys())
    };
    words_of(word).iter().fold(Keys::default(), |all, part| all | of_part(part))
}

/// What two such words mean together, as "i dag" does.
pub(crate) fn together(word: &str, next: &str) -> Keys {
    let (word, next) = (words_of(word).pop().unwrap_or_default(), words_of(next).pop().unwrap_or_default());
    ANYWHERE.phrase(&[&word, &next]).map(|found| found.keys).unwrap_or_default()
}

/// How many words the parts of a phrase cover from the first on, and how many of these they name.
fn covers(parts: &str, words: &[&str]) -> Option<(usize, usize)> {
    if parts.is_empty() {
        return Some((0, 0));
    }
    let (part, rest) = parts.split_once(' ').unwrap_or((parts, ""));
    if part == ".." {
        return (0..=GAP.min(words.len())).find_map(|skipped| {
            let (length, named) = covers(rest, words.get(skipped..)?)?;
            Some((length + skipped, named))
        });
    }
    let (word, behind) = words.split_first()?;
    let fits = part.strip_suffix('*').map_or(part == *word, |stem| word.starts_with(stem));
    let (length, named) = covers(rest, behind).filter(|_| fits)?;
    Some((length + 1, named + 1))
}

/// Whether a text has none of the signs that mean something in an entry.
fn is_plain(word: &str) -> bool {
    !word.contains([' ', '*', '\n'])
}

/// The bit of [`Lexicon::lengths`] for a length in bytes.
fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_entry_has_two_contrary_meanings_in_one_language() {
        const CONTRARY: [(Key, Key); 16] = [
            (Key::I, Key::You),
            (Key::Play, Key::Deny),
            (Key::Play, Key::TakeBack),
            (Key::Harmless, Key::Recall),
            (Key::Greeting, Key::Deny),
            (Key::Thanks, Key::Deny),
            (Key::Above, Key::Below),
            (Key::White, Key::Black),
            (Key::Received, Key::Sent),
            (Key::Today, Key::Yesterday),
            (Key::Total, Key::Left),
            (Key::DrawOffer, Key::DrawAccept),
            (Key::DrawOffer, Key::DrawDecline),
            (Key::DrawAccept, Key::DrawDecline),
            (Key::DrawOffer, Key::NotDraw),
            (Key::Resign, Key::NotResign),
        ];
        for (language, lexicon) in FILES {
            for (entry, said) in lexicon.table.lines().filter_map(|line| line.split_once('\t')) {
                let entries = Entries(said);
                let phrases = entries.phrases().map(|(rest, keys)| (rest, Keys::read(keys)));
                for (rest, keys) in phrases.chain([("", entries.keys())]) {
                    let both = CONTRARY.iter().find(|(one, other)| keys.has(*one) && keys.has(*other));
                    assert_eq!(both, None, "{language}: {entry} {rest}");
                }
            }
        }
    }
}
