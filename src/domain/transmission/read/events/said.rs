//! A sentence as announcements see it: its clauses without what a form took, and what stands around its words.

use std::ops::Range;
use std::sync::LazyLock;

use crate::domain::pattern::Pattern;
use crate::domain::transmission::lexicon::{Key, Keys, means, words_of};
use crate::domain::transmission::read::cutter::MOST_CLAUSES;
use crate::domain::transmission::read::document::{Document, End, Kind, Piece, Sentence};
use crate::domain::transmission::read::scan::{announcing, announcing_alone, cut};
use crate::domain::transmission::read::sense::{self, Announced, Chances, Features, Place, Text};

/// A wink first, then what smiles or laughs.
static SMILES: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(r"(?<wink>;-?[)D])|[:=]-?[)DP]+|\^\^|(?i:\b(?:ha(?:ha)+\w*|he(?:he)+\w*|lol)\b)|[\x{1F600}-\x{1F64F}]")
});

/// What is left of the lines, by their places.
pub(super) struct Left {
    /// With blanks for what is understood and says nothing of a move.
    pub(super) of_moves: Vec<String>,
    /// With blanks for what is no part of a sentence either.
    of_sentences: Vec<String>,
}

impl Left {
    pub(super) fn of(lines: &[String]) -> Left {
        Left { of_moves: lines.to_vec(), of_sentences: lines.to_vec() }
    }

    /// These bytes are understood, and say nothing of a move.
    pub(super) fn take(&mut self, line: usize, bytes: Range<usize>) {
        self.skip(line, bytes.clone());
        blank(self.of_moves.get_mut(line), bytes);
    }

    /// These bytes are no part of a sentence.
    pub(super) fn skip(&mut self, line: usize, bytes: Range<usize>) {
        blank(self.of_sentences.get_mut(line), bytes);
    }

    /// What sentences can be made of on a line.
    pub(super) fn of_line(&self, line: usize) -> &str {
        self.of_sentences.get(line).map_or("", String::as_str)
    }

    fn has(&self, line: usize, bytes: Range<usize>) -> bool {
        self.of_line(line).get(bytes).is_some_and(|text| !text.trim().is_empty())
    }
}

/// Blanks in the place of these bytes; all others stay where they are.
fn blank(text: Option<&mut String>, bytes: Range<usize>) {
    if let Some(text) = text.filter(|text| text.get(bytes.clone()).is_some()) {
        text.replace_range(bytes.clone(), &" ".repeat(bytes.len()));
    }
}

/// A sentence that was not taken by a form.
pub(super) struct Said<'d> {
    pub(super) document: &'d Document<'d>,
    /// The part of the sentence that no form took.
    own: Sentence,
    pub(super) clauses: Vec<Vec<Piece>>,
    /// As written, on one line, with what stands behind its last word.
    pub(super) raw: String,
    pub(super) asks: bool,
    /// Quotation marks stand in it, or it is cut out of a longer one: the words may not be his, or not be all.
    pub(super) quotes: bool,
    pub(super) winks: bool,
    pub(super) smiles: bool,
}

impl<'d> Said<'d> {
    /// Every sentence of which something is left.
    pub(super) fn all(document: &'d Document<'d>, left: &Left) -> Vec<Said<'d>> {
        let mut cut = false;
        let mut out: Vec<Said<'d>> = Vec::new();
        for sentence in &document.sentences {
            let mut said = Said::of(document, sentence, left);
            let is_list = sentence.clauses.len() >= MOST_CLAUSES;
            said.quotes |= is_list || cut;
            cut = is_list;
            match out.last_mut() {
                _ if !said.clauses.is_empty() => out.push(said),
                Some(before) => before.smiles |= said.smiles,
                None => {}
            }
        }
        out
    }

    fn of(document: &'d Document<'d>, sentence: &Sentence, left: &Left) -> Said<'d> {
        let is_left = |piece: &&Piece| {
            document.token(piece).is_some_and(|(_, placed)| left.has(piece.line, placed.at..placed.end))
        };
        let of_clause = |pieces: &[Piece]| pieces.iter().filter(is_left).copied().collect::<Vec<Piece>>();
        let clauses = sentence.clauses.iter().flat_map(|clause| joined(of_clause(document.pieces_of(clause))));
        let raw = raw(document, sentence);
        let (winks, smiles) = SMILES
            .captures_iter(&raw)
            .fold((false, false), |(winks, _), found| (winks || found.name("wink").is_some(), true));
        let places = || sentence.clauses.iter().flat_map(|clause| clause.pieces.clone());
        let left = || places().filter(|at| document.pieces.get(*at).is_some_and(|piece| is_left(&piece)));
        let own = left().next().zip(left().next_back()).map_or(0..0, |(first, last)| first..last + 1);
        Said {
            own: cut(sentence, own),
            clauses: clauses.filter(|clause| !clause.is_empty()).collect(),
            asks: sentence.end == End::Question,
            quotes: raw.contains(['"', '“', '”', '„', '«', '»', '「', '」']),
            document,
            raw,
            winks,
            smiles,
        }
    }

    /// How probable it is that it announces this or that; `next` is the sentence after it.
    pub(super) fn chances(&self, next: Option<&Said<'_>>) -> Chances<Announced> {
        let tokens = announcing(self.document, &self.own, next.map(|next| &next.own));
        sense::chances(&Features::of(&Text { tokens: &tokens, place: Place::Announcing }))
    }

    /// The same of one of its clauses alone.
    pub(super) fn chances_of(&self, clause: &[Piece]) -> Chances<Announced> {
        let tokens = announcing_alone(self.document, clause);
        sense::chances(&Features::of(&Text { tokens: &tokens, place: Place::Announcing }))
    }

    pub(super) fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.clauses.iter().flatten()
    }

    /// Whether one of its words means one of these.
    pub(super) fn has(&self, keys: &[Key]) -> bool {
        self.pieces().any(|piece| bears(piece, keys))
    }

    /// Whether a condition stands in it. "Si," may be a yes.
    pub(super) fn supposes(&self) -> bool {
        self.clauses.iter().any(|clause| clause.len() > 1 && clause.iter().any(|piece| bears(piece, &[Key::Condition])))
    }

    /// How many of its words no lexicon has.
    pub(super) fn unknown(&self) -> usize {
        self.pieces().filter(|piece| is_unknown(piece)).count()
    }

    /// Whether one of its words speaks of a draw in some language.
    pub(super) fn names_draw(&self) -> bool {
        let words = |piece: &Piece| words_of(self.document.written(piece));
        self.pieces().flat_map(words).any(|word| means(&word, Key::Draw) || means(&word, Key::DrawOffer))
    }

    /// The number of the line on which a piece stands.
    pub(super) fn line_of(&self, piece: Option<&Piece>) -> usize {
        piece.or(self.pieces().next()).and_then(|piece| self.document.token(piece)).map_or(1, |(line, _)| line.number)
    }

    /// Takes these pieces out of what is left, with the marks behind them.
    pub(super) fn take<'p>(&self, pieces: impl IntoIterator<Item = &'p Piece>, left: &mut Left) {
        for piece in pieces {
            let Some((line, placed)) = self.document.token(piece) else { continue };
            let rest = line.text.get(placed.end..).unwrap_or_default();
            let marks = rest.len() - rest.trim_start_matches(['.', '!', '?', ' ', '？', '。', '！']).len();
            left.take(piece.line, placed.at..placed.end + marks);
        }
    }
}

/// The clauses that "and" joins, where one of them announces something: "I see no defence and resign". "Petrov and I agreed" is one: the
/// word joins two persons.
fn joined(pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    let says = |piece: &Piece| piece.keys.has_any(&Key::ANNOUNCING);
    let mut out: Vec<Vec<Piece>> = vec![Vec::new()];
    let announces = pieces.iter().any(says);
    let is_mine = |piece: &Piece| piece.keys.has(Key::I);
    let joins_persons = |clause: &[Piece], next: Option<&Piece>| {
        let is_person = |last: &Piece| last.keys.has(Key::He) || (is_unknown(last) && !clause.iter().any(is_mine));
        next.is_some_and(is_mine) && clause.last().is_some_and(is_person)
    };
    // in Latin letters the Russian "and" is "i"
    let is_and = |piece: &Piece| piece.keys.has(Key::And);
    let parts = |clause: &[Piece], next: Option<&Piece>| {
        clause.last().is_some_and(|last| !is_and(last)) && !joins_persons(clause, next)
    };
    for (at, piece) in pieces.iter().copied().enumerate() {
        if announces && is_and(&piece) && out.last().is_some_and(|clause| parts(clause, pieces.get(at + 1))) {
            out.push(Vec::new());
        }
        out.last_mut().into_iter().for_each(|clause| clause.push(piece));
    }
    out
}

/// Whether a word means one of these, and no idiom makes it harmless.
pub(super) fn bears(piece: &Piece, keys: &[Key]) -> bool {
    piece.keys.has_any(keys) && !piece.keys.has(Key::Harmless)
}

/// Whether no lexicon has a word.
pub(super) fn is_unknown(piece: &Piece) -> bool {
    piece.kind == Kind::Word && piece.keys.is_empty()
}

/// What all these pieces mean.
pub(super) fn keys_of<'p>(pieces: impl IntoIterator<Item = &'p Piece>) -> Keys {
    pieces.into_iter().fold(Keys::default(), |all, piece| all | piece.keys)
}

/// The sentence as it is written, up to the next one.
fn raw(document: &Document<'_>, sentence: &Sentence) -> String {
    let pieces = sentence.clauses.first().zip(sentence.clauses.last());
    let Some((first, last)) =
        pieces.and_then(|(a, b)| document.pieces.get(a.pieces.start).zip(document.pieces.get(b.pieces.end - 1)))
    else {
        return String::new();
    };
    let next = sentence
        .clauses
        .last()
        .and_then(|clause| document.pieces.get(clause.pieces.end))
        .filter(|next| next.line == last.line);
    let at = |piece: &Piece| document.token(piece).map(|(_, placed)| placed.at);
    let mut out = String::new();
    for line in first.line..=last.line {
        let Some(text) = document.lines.get(line).map(|line| line.text) else { continue };
        let from = if line == first.line { before_mark(text, at(first).unwrap_or_default()) } else { 0 };
        let to = next.filter(|_| line == last.line).and_then(at).map_or(text.len(), |to| before_mark(text, to));
        out.push_str(text.get(from..to).unwrap_or_default());
        out.push(' ');
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A place, or that of the quotation mark right before it.
fn before_mark(text: &str, at: usize) -> usize {
    let ahead = text.get(..at).unwrap_or_default();
    ahead.trim_end_matches(['"', '“', '„', '«', '「']).len()
}
