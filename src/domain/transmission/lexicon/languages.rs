//! Which languages a mail, and a sentence of it, is written in; and what its words mean in these.
//!
//! Found by counting: of the words of a text those that a language calls common, and twice those that hardly another language has.
//! English always counts. A sentence may be in another language than the mail around it.

use std::collections::HashMap;

use super::{FILES, IDIOMS, Key, Keys, Lexicon, Match, RESULTS, Table, is_run, lexicon};

/// A set of languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Languages(u64);

/// The words by which languages are told, each with `place:weight` for each language that has it.
const TELLING: Table = include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// How much a word speaks for each language that has it.
fn weights(word: &str) -> impl Iterator<Item = (usize, u32)> {
    let weight = |cell: &str| {
        let (place, weight) = cell.split_once(':')?;
        Some((place.parse().ok()?, weight.parse().ok()?))
    };
    let weights = TELLING.find(&[word]);
    weights.into_iter().flat_map(|weights| weights.split(' ')).filter_map(weight)
}

/// What one word can speak for a language at most.
const ONE_WORD: u32 = 4;
/// The mark of a sentence whose words hardly tell a language.
const UNTOLD: u64 = 1 << 63;
/// The mark of a sentence that is not in English: its words are looked up there where its own language has none of them.
const ENGLISH_TOO: u64 = 1 << 62;

/// What a word of any language says where the sentence's own has none: the end of a game, and the pieces.
const HEARD_IN_ANY: Keys = Keys::all(&[Key::Resign, Key::DrawOffer, Key::DrawAccept]).and(Keys::all(&Key::PIECES));

/// The place of a language in [`FILES`].
#[allow(clippy::indexing_slicing, reason = "reckoned while building")]
const fn place_of(code: &str) -> usize {
    let code = code.as_bytes();
    let mut place = 0;
    while place < FILES.len() {
        let other = FILES[place].0.as_bytes();
        if other.len() == 2 && other[0] == code[0] && other[1] == code[1] {
            return place;
        }
        place += 1;
    }
    0
}

const ENGLISH: Languages = Languages(1 << place_of("en"));

/// What speaks for each language.
#[derive(Debug, Clone, Default)]
pub(crate) struct Count(HashMap<usize, u32>);

impl Count {
    /// Counts the words of a text.
    pub(crate) fn add<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) {
        for word in words {
            if is_run(word) {
                *self.0.entry(place_of("ja")).or_default() += 4;
            }
            for (place, weight) in weights(word) {
                *self.0.entry(place).or_default() += weight;
            }
        }
    }

    fn of(&self, place: usize) -> u32 {
        self.0.get(&place).copied().unwrap_or_default()
    }

    fn most(&self) -> u32 {
        self.0.values().copied().max().unwrap_or_default()
    }

    fn at_least(&self, least: u32) -> Languages {
        let places = self.0.iter().filter(|(_, count)| **count >= least.max(1)).map(|(place, _)| 1 << place);
        Languages(places.fold(0, |all, place| all | place))
    }
}

impl Languages {
    /// Those in which a mail is written, of the words of its lines: the one of the whole, and those of single lines.
    pub(crate) fn of_mail(lines: &[Count]) -> Languages {
        /// What speaks for the language of a line of which the mail as a whole is not.
        const CLEAR: u32 = 5;
        let mut whole = Count::default();
        for (place, count) in lines.iter().flat_map(|line| &line.0) {
            *whole.0.entry(*place).or_default() += count;
        }
        let most = whole.most();
        let of_lines = lines.iter().filter(|line| line.most() >= CLEAR).map(|line| line.at_least(line.most()));
        of_lines.fold(whole.at_least(most - most / 8).and(ENGLISH), Languages::and)
    }

    /// Those of a sentence in a mail of these languages: what is said in one of them is not read in another.
    pub(crate) fn of_sentence<'w>(self, words: impl IntoIterator<Item = &'w str>) -> Languages {
        let words: Vec<&str> = words.into_iter().collect();
        let mut count = Count::default();
        count.add(words.iter().copied());
        let most = count.most();
        let known = (0..FILES.len()).filter(|place| self.0 & (1 << place) != 0).map(|place| count.of(place)).max();
        let untold = if most <= ONE_WORD { Languages(UNTOLD) } else { Languages::default() };
        // a label by itself, "Eventualzug:", is enough
        if most == 0 || (most < 2 && words.len() > 1) {
            return self.and(untold);
        }
        let known = known.unwrap_or_default();
        let read = if most > known { count.at_least(most) } else { Languages::default() };
        let own = Languages(self.0 & count.at_least((most / 2).max(1)).0);
        let native = read.and(own);
        // "no" is a word of Portuguese
        let is_clear = most > ONE_WORD && native.0 != 0;
        native.and(if is_clear { Languages(ENGLISH_TOO) } else { ENGLISH }).and(untold)
    }

    /// Each language by itself.
    pub(crate) fn each() -> impl Iterator<Item = Languages> {
        (0..FILES.len()).map(|place| Languages(1 << place))
    }

    fn and(self, other: Languages) -> Languages {
        Languages(self.0 | other.0)
    }

    fn lexicons(self) -> impl Iterator<Item = &'static Lexicon> {
        let results = (self.0 & UNTOLD != 0).then_some(RESULTS);
        (0..FILES.len()).filter(move |place| self.0 & (1 << place) != 0).filter_map(lexicon).chain(results)
    }

    /// What each of the words means. Idioms that take a mail back, or leave it open, are known in every language.
    pub(crate) fn keys(self, words: &[&str]) -> Vec<Keys> {
        let mut out = vec![Keys::default(); words.len()];
        let mut at = 0;
        while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
            let phrase = self.phrase(rest);
            let length = phrase.map_or(1, |phrase| phrase.length);
            for (word, keys) in rest.iter().zip(out.iter_mut().skip(at)).take(length) {
                *keys = *keys
                    | match phrase {
                        Some(phrase) if phrase.uses_up() => phrase.keys,
                        Some(phrase) => phrase.keys | self.of_word(word),
                        None => self.of_word(word),
                    };
                // "Abandono o jogo": the end of a game is heard in a language that the sentence does not seem to be in
                if keys.is_empty() {
                    *keys = RESULTS.keys(word).shared(HEARD_IN_ANY);
                }
            }
            // "I resign myself": what only sounds like a result begins inside of what announces one
            for inside in 1..length {
                let later = words.get(at + inside..).and_then(|rest| self.phrase(rest));
                let later = later.filter(|later| inside + later.length > length);
                if let Some(later) = later.filter(|later| later.keys.has_any(&[Key::NotResign, Key::AsksRepeat])) {
                    out.iter_mut().skip(at + inside).take(length - inside).for_each(|keys| *keys = *keys | later.keys);
                }
            }
            at += length;
        }
        out
    }

    /// English where its words are looked up beside the sentence's own.
    fn too(self) -> Languages {
        if self.0 & ENGLISH_TOO == 0 { Languages::default() } else { ENGLISH }
    }

    /// What a single word says.
    fn of_word(self, word: &str) -> Keys {
        let of =
            |languages: Languages| languages.lexicons().fold(Keys::default(), |all, lexicon| all | lexicon.keys(word));
        let own = of(self);
        if own.is_empty() { of(self.too()) } else { own }
    }

    /// The longest phrase that begins with the first word.
    fn phrase(self, words: &[&str]) -> Option<Match> {
        let lexicons = self.lexicons().chain(self.too().lexicons()).chain([IDIOMS]);
        lexicons.filter_map(|lexicon| lexicon.phrase(words)).fold(None, Match::longest)
    }
}
