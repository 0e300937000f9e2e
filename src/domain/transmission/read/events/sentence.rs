//! Cuts the sender's lines into sentences and clauses of plain words.
//!
//! A sentence may be wrapped over lines: a line goes on where the next one begins small or would not have fitted. Digits with
//! full stops end no sentence. What surprises: a move parts two clauses, as "6... 5755 draw?" is a move and a question. Words
//! are in lower case, without accents, hyphens and apostrophes. Linear in the length of the text.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::super::cut::is_move_like;
use super::super::{Line, lex};

/// Where something stands: the number of its line and the bytes there.
pub(in crate::domain::transmission::read) type Place = (usize, Range<usize>);

/// A word of a clause.
#[derive(Debug, Clone)]
pub(super) struct Word {
    /// Plain letters, or `9` for a number, `_10`, `_01`, `_half` for a score.
    pub(super) plain: String,
    pub(super) place: Place,
}

/// Words between two commas, moves, or the like.
#[derive(Debug, Clone, Default)]
pub(super) struct Clause {
    pub(super) words: Vec<Word>,
    /// A move stands before it.
    pub(super) after_move: bool,
    /// A move stands behind it.
    pub(super) before_move: bool,
}

impl Clause {
    /// The words with one blank between them.
    pub(super) fn text(&self) -> String {
        self.words.iter().map(|w| w.plain.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// What stands between two full stops.
#[derive(Debug, Clone, Default)]
pub(super) struct Sentence {
    pub(super) clauses: Vec<Clause>,
    /// As written, on one line.
    pub(super) raw: String,
    /// It ends with a question mark.
    pub(super) asks: bool,
    /// The full stop, question mark or the like.
    pub(super) stop: Option<Place>,
    /// Quotation marks stand in it, or it is cut out of a longer one: the words may not be his, or not be all.
    pub(super) quotes: bool,
    /// It winks: joking is possible.
    pub(super) winks: bool,
    /// It smiles, or laughs.
    pub(super) smiles: bool,
    /// A sign such as `(=)`, `=` or `½` that stands behind a move or alone.
    pub(super) sign: Option<Place>,
    /// The line of the first word.
    pub(super) line: usize,
}

impl Sentence {
    /// All clauses, with commas between them.
    pub(super) fn text(&self) -> String {
        self.clauses.iter().map(Clause::text).collect::<Vec<_>>().join(" , ")
    }

    /// "No, not at all!" with no move beside it.
    pub(super) fn only_denies(&self) -> bool {
        const LONGEST: usize = 5;
        let words = || self.clauses.iter().flat_map(|c| &c.words).map(|w| w.plain.as_str());
        let denies = words().next().is_some_and(|word| {
            matches!(word, "no" | "nein" | "nie" | "non" | "nee" | "nej" | "nei" | "ei" | "ne" | "nem" | "nao" | "net")
        });
        let beside_move = self.clauses.iter().any(|c| c.after_move || c.before_move);
        denies && !beside_move && words().count() <= LONGEST && words().all(|word| word != "9")
    }

    /// Where its words and its end stand.
    pub(super) fn into_places(self) -> impl Iterator<Item = Place> {
        self.clauses.into_iter().flat_map(|c| c.words).map(|w| w.place).chain(self.stop)
    }

    /// "If you find 5344 now, I ...": it begins with a condition on the only move in it.
    pub(super) fn supposes_one_move(&self) -> bool {
        let supposes = self.clauses.first().is_some_and(|clause| {
            let first = clause.words.first().map_or("", |w| w.plain.as_str());
            clause.before_move
                && !clause.after_move
                && matches!(
                    first,
                    "if" | "wenn"
                        | "falls"
                        | "si"
                        | "se"
                        | "als"
                        | "om"
                        | "hvis"
                        | "dersom"
                        | "jos"
                        | "jesli"
                        | "jezeli"
                        | "pokud"
                        | "jestli"
                        | "ha"
                        | "esli"
                )
        });
        supposes && lex::tokens(&self.raw).iter().filter(|p| is_move_like(p)).count() == 1
    }

    /// From its first to its last word, line by line.
    pub(super) fn spans(&self) -> BTreeMap<usize, Range<usize>> {
        let mut spans: BTreeMap<usize, Range<usize>> = BTreeMap::new();
        for (line, place) in self.clauses.iter().flat_map(|c| &c.words).map(|w| w.place.clone()) {
            let span = spans.entry(line).or_insert(place.clone());
            span.end = span.end.max(place.end);
        }
        spans
    }

    fn is_empty(&self) -> bool {
        self.clauses.iter().all(|c| c.words.is_empty()) && self.sign.is_none() && !self.smiles && !self.winks
    }
}

#[allow(clippy::expect_used, reason = "a literal; failing loudly beats reading nothing")]
static PIECES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?<wink>;-?[)D])",
        r"|(?<smile>:-?[)DP]+|\^\^|\b(?i:haha\w*|hehe\w*|lol)\b|[\x{1F600}-\x{1F64F}])",
        r"|(?<sign>\(=\))",
        r"|(?<mail>[\w.+-]+@[\w.-]+\w)",
        r"|(?<half>(?:1/2|½|0[.,]5) ?[-:] ?(?:1/2|½|0[.,]5))",
        r"|(?<one>\b1/2\b|½)",
        r"|(?<score>\b(?:1 ?[-:] ?0|0 ?[-:] ?1)\b)",
        r"|(?<move>\b[1-8]{4,5}\b(?<eq>[ ]?=)?|\b\d{1,3}(?:\.{2,}| ?\.(?:[ ]|$))|\b(?:[KQRBNSLTDFC]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[QRBN])?|[Oo0]-[Oo0](?:-[Oo0])?)\b[+#]?(?<eqq>[ ]?=)?)",
        r"|(?<num>\d(?:[\d.,:/-]*\d)?\.?(?:st|nd|rd|th|er|\.)?)",
        r"|(?<word>\p{L}[\p{L}\p{M}'’]*)",
        r#"|(?<quote>["“”„«»])"#,
        r"|(?<stop>[.!?。！？]+)",
        r"|(?<comma>[,;:()/|、\t]|-{2,}| - )",
    ))
    .expect("the pieces of a sentence are a valid pattern")
});

/// Lower case without accents, hyphens and apostrophes.
pub(super) fn plain(word: &str) -> String {
    deunicode::deunicode(word).to_lowercase().replace(['\'', ' '], "")
}

/// Several words, each made plain, with one blank between them.
pub(super) fn phrase(text: &str) -> String {
    text.split([' ', '-']).map(plain).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The sentences of the lines, in order.
pub(super) fn sentences(lines: &[Line<'_>]) -> Vec<Sentence> {
    let mut cutter = Cutter::default();
    let mut above: Option<&Line<'_>> = None;
    for line in lines {
        if !above.is_some_and(|above| goes_on(above, line)) {
            cutter.end(false);
        }
        cutter.line(line);
        above = Some(line);
    }
    cutter.end(false);
    cutter.found
}

/// Whether the sentence of the upper line is continued on the lower.
fn goes_on(upper: &Line<'_>, lower: &Line<'_>) -> bool {
    /// Lines are wrapped at 60 columns or later.
    const NARROW: usize = 60;
    let (above, below) = (upper.text.trim(), lower.text.trim());
    let Some(first) = below.split_whitespace().next() else { return false };
    if upper.number + 1 != lower.number || above.is_empty() {
        return false;
    }
    let small = first.starts_with(char::is_lowercase) || matches!(first, "I" | "I'm" | "I'd" | "I'll");
    let ends_word = above.ends_with(|c: char| c.is_alphabetic() || matches!(c, ',' | '-' | ';'));
    let greets = above.ends_with([',', '!']) && above.split_whitespace().count() <= 4;
    ends_word && !greets && (small || above.chars().count() + 1 + first.chars().count() > NARROW)
}

#[derive(Default)]
struct Cutter {
    found: Vec<Sentence>,
    now: Sentence,
    clause: Clause,
}

impl Cutter {
    fn line(&mut self, line: &Line<'_>) {
        let text = line.text;
        let mut from = 0;
        for piece in PIECES.captures_iter(text) {
            let Some(whole) = piece.get(0) else { continue };
            self.raw(text.get(from..whole.end()).unwrap_or_default());
            from = whole.end();
            let has = |name: &str| piece.name(name).is_some();
            let word = whole.as_str();
            let place = (line.number, whole.range());
            if has("word") {
                self.word(plain(word), place);
            } else if has("mail") {
                self.word("_mail".to_owned(), place);
            } else if has("move") {
                self.clause.before_move = true;
                self.comma();
                self.clause.after_move = true;
                // `axb8=D` and `5254=e4` go on behind the sign
                let goes_on = text.get(whole.end()..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
                if (has("eq") || has("eqq")) && !goes_on {
                    let end = whole.end();
                    self.now.sign = Some((line.number, end..end));
                }
            } else if has("num") {
                self.word("9".to_owned(), place);
                if word.contains(['.', '/', ':']) {
                    self.comma();
                }
            } else if has("score") {
                let plain = if word.starts_with('1') { "_10" } else { "_01" };
                self.word(plain.to_owned(), place);
            } else if has("half") {
                self.word("_half".to_owned(), place);
            } else if has("sign") {
                self.now.sign = Some(place);
            } else if has("one") {
                // `1/2` may be days and total
                let alone = text.trim().trim_end_matches(['?', '!', '.', ' ']) == word;
                let asks = text.get(whole.end()..).is_some_and(|rest| rest.trim_start().starts_with('?'));
                let behind_move = self.clause.after_move && self.clause.words.is_empty();
                if (alone || behind_move) && (word == "½" || asks) {
                    self.now.sign = Some(place);
                } else {
                    self.word(if alone { "_half" } else { "9" }.to_owned(), place);
                }
            } else if has("stop") {
                let after = text.get(whole.end()..).and_then(|rest| rest.chars().next());
                let ends = after.is_none_or(|c| c.is_whitespace() || matches!(c, ')' | '"')) || !word.starts_with('.');
                if word.starts_with("..") || !ends {
                    self.comma();
                } else {
                    self.now.stop = Some(place);
                    self.end(word.contains(['?', '？']));
                }
            } else if has("comma") {
                self.comma();
            } else {
                self.now.winks |= has("wink");
                self.now.smiles |= has("smile");
                self.now.quotes |= has("quote");
            }
        }
        self.raw(text.get(from..).unwrap_or_default());
        self.raw(" ");
    }

    fn raw(&mut self, text: &str) {
        self.now.raw.push_str(text);
    }

    fn word(&mut self, plain: String, place: Place) {
        /// More clauses than this are no sentence but a list; the bound keeps the work linear.
        const MOST: usize = 40;
        if self.now.clauses.len() >= MOST {
            let clause = std::mem::take(&mut self.clause);
            self.now.quotes = true;
            self.end(false);
            self.now.quotes = true;
            self.clause = clause;
        }
        if self.now.clauses.is_empty() && self.clause.words.is_empty() {
            self.now.line = place.0;
        }
        let last = self.clause.words.last().map(|w| w.plain.clone()).unwrap_or_default();
        if begins_clause(&last, &plain) {
            let joint = self.clause.words.pop();
            self.comma();
            self.clause.words.extend(joint);
        } else if opens_clause(&plain) {
            self.comma();
        }
        self.clause.words.push(Word { plain, place });
    }

    fn comma(&mut self) {
        let clause = std::mem::take(&mut self.clause);
        if !clause.words.is_empty() {
            self.now.clauses.push(clause);
        } else if let Some(last) = self.now.clauses.last_mut() {
            last.before_move |= clause.before_move;
            self.clause.after_move = clause.after_move;
        }
    }

    fn end(&mut self, asks: bool) {
        self.comma();
        self.clause = Clause::default();
        let mut sentence = std::mem::take(&mut self.now);
        sentence.asks = asks;
        sentence.raw = sentence.raw.split_whitespace().collect::<Vec<_>>().join(" ");
        if sentence.is_empty() {
            return;
        }
        // a smile behind the full stop belongs to what was said before
        let only_smiles = sentence.clauses.is_empty() && sentence.sign.is_none();
        match self.found.last_mut() {
            Some(before) if only_smiles => {
                before.smiles |= sentence.smiles;
                before.winks |= sentence.winks;
            }
            _ if only_smiles => {}
            _ => self.found.push(sentence),
        }
    }
}

/// Words that always begin a clause.
fn opens_clause(word: &str) -> bool {
    matches!(
        word,
        "but" | "because" | "aber" | "mais" | "pero" | "porque" | "quindi" | "percio" | "portanto" | "maar" | "poetomu"
    )
}

/// Two words of which the first joins a clause that begins with the second.
fn begins_clause(first: &str, second: &str) -> bool {
    const JOINS: [&str; 17] = [
        "so",
        "and",
        "therefore",
        "hence",
        "thus",
        "und",
        "also",
        "daher",
        "deshalb",
        "denn",
        "et",
        "donc",
        "y",
        "e",
        "en",
        "och",
        "og",
    ];
    const BEGINS: [&str; 24] = [
        "i",
        "im",
        "id",
        "ill",
        "you",
        "ich",
        "biete",
        "gebe",
        "nehme",
        "je",
        "jabandonne",
        "yo",
        "io",
        "eu",
        "ik",
        "jag",
        "jeg",
        "resign",
        "abandonne",
        "abandono",
        "abbandono",
        "ger",
        "opgiver",
        "geef",
    ];
    // joints that are other words in other languages
    let own = matches!((first, second), ("i", "poddaje") | ("a", "vzdavam") | ("es", "feladom") | ("ja", "luovutan"));
    own || (JOINS.contains(&first) && BEGINS.contains(&second))
}
