//! The features of a text beside a move: its words, their letters, and what the lexicon says of them, by their order and their
//! distance from the move. Each is a number, the hash of what it says.

use std::collections::BTreeSet;

use super::BUCKETS;
use crate::domain::transmission::lexicon::{Key, Keys, is_run};

/// Where a text without the move stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Place {
    /// Far above it.
    Top,
    /// Right above it.
    Above,
    /// Right below it.
    Below,
    /// Far below it.
    End,
    /// Behind it on its line.
    Beside,
    /// Around it: the move stands in the text.
    Prose,
    /// Anywhere: the sentence before the mark is asked for what it announces, and that after it may be the answer.
    Announcing,
}

/// A token of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Token {
    /// A word as it is compared, and what the lexicon says of it.
    Word(String, Keys),
    /// The move that is asked about; the end of the sentence that is.
    Here,
    /// Another move.
    Move,
    /// A number, a date.
    Number,
    /// The end of a clause.
    Bar,
    /// A colon.
    Colon,
    /// The end of a sentence.
    Stop,
    /// The end of a question.
    Question,
}

/// A text beside a move, or around it.
#[derive(Debug, Clone)]
pub(in super::super) struct Text<'t> {
    pub(in super::super) tokens: &'t [Token],
    pub(in super::super) place: Place,
}

/// Keys that say nothing of a sentence.
const MEANINGLESS: [Key; 10] = [
    Key::Common,
    Key::Distinct,
    Key::Abbreviated,
    Key::ReceivedShort,
    Key::SentShort,
    Key::DaysShort,
    Key::TotalShort,
    Key::AmongDates,
    Key::AmongDays,
    Key::NotFirst,
];

/// The features of a text, each with the token that it comes from.
#[derive(Debug, Default)]
pub(in super::super) struct Features(Vec<(u32, usize)>);

/// What a feature is about; it keeps apart what would hash alike.
#[derive(Clone, Copy)]
enum Of {
    Key = 1,
    KeyInZone,
    KeyNear,
    KeyOnSide,
    Word,
    WordInZone,
    WordNear,
    WordOnSide,
    Letters,
    TwoKeys,
    ThreeKeys,
    TwoWords,
    ThreeWords,
    AroundWord,
    InClause,
    InText,
    AcrossMove,
    Place,
    Sign,
    Unknown,
    Moves,
}

const fn mix(hash: u64, value: u64) -> u64 {
    let mixed = (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

fn of_text(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What a token says, as numbers: its keys one by one, or a sign.
fn says(token: &Token) -> Vec<u64> {
    match token {
        Token::Word(_, keys) if keys.is_empty() => vec![1],
        Token::Word(_, keys) => {
            let telling = keys.without(&MEANINGLESS);
            if telling.is_empty() { vec![2] } else { telling.each().map(|key| 100 + u64::from(key)).collect() }
        }
        Token::Here => vec![3],
        Token::Move => vec![4],
        Token::Number => vec![5],
        Token::Bar => vec![6],
        Token::Colon => vec![7],
        Token::Stop => vec![8],
        Token::Question => vec![9],
    }
}

impl Token {
    fn word(&self) -> Option<&str> {
        match self {
            Token::Word(word, _) => Some(word),
            _ => None,
        }
    }

    fn ends_clause(&self) -> bool {
        matches!(self, Token::Bar | Token::Colon) || self.ends_sentence()
    }

    fn ends_sentence(&self) -> bool {
        matches!(self, Token::Stop | Token::Question)
    }
}

impl Features {
    pub(in super::super) fn of(text: &Text<'_>) -> Features {
        let mut out = Features::default();
        let tokens = text.tokens;
        let is_prose = matches!(text.place, Place::Prose | Place::Announcing);
        let here = tokens.iter().position(|token| *token == Token::Here).unwrap_or_default();
        let frame = match text.place {
            Place::Prose => 0,
            Place::Top | Place::Above => 1,
            Place::Below | Place::End | Place::Beside => 2,
            Place::Announcing => 3,
        };
        let said: Vec<Vec<u64>> = tokens.iter().map(says).collect();
        let whole: Vec<u64> = said.iter().map(|keys| keys.iter().fold(11, |all, key| mix(all, *key))).collect();
        let words: Vec<u64> =
            tokens.iter().zip(&whole).map(|(token, whole)| token.word().map_or(*whole, of_text)).collect();
        let borders: Vec<(usize, usize)> = tokens
            .iter()
            .scan((0, 0), |(clauses, sentences), token| {
                let before = (*clauses, *sentences);
                *clauses += usize::from(token.ends_clause());
                *sentences += usize::from(token.ends_sentence());
                Some(before)
            })
            .collect();
        let at = |of: &[u64], place: usize, back: usize| {
            (place + 1)
                .checked_sub(back)
                .map_or(0, |place| place.checked_sub(1).and_then(|p| of.get(p)).copied().unwrap_or(1))
        };
        for (place, token) in tokens.iter().enumerate() {
            let (distance, is_left) = (place.abs_diff(here), place < here);
            let side = if is_prose { u64::from(is_left) } else { 2 + frame };
            let zone = match (borders.get(place), borders.get(here)) {
                (Some(of), Some(move_)) if is_prose && of.1 != move_.1 => 3,
                (Some(of), Some(move_)) if is_prose => of.0.abs_diff(move_.0).min(2) as u64,
                _ => 4,
            };
            let near = distance.min(4) as u64;
            if text.place == Place::Announcing && zone == 3 {
                // what another sentence says is not said in this one
                for key in said.get(place).into_iter().flatten() {
                    out.add(Of::KeyInZone, &[side, zone, *key], place);
                }
                token.word().iter().for_each(|word| out.add(Of::WordInZone, &[side, of_text(word)], place));
                continue;
            }
            if !(is_prose && place == here) {
                for key in said.get(place).into_iter().flatten() {
                    out.add(Of::Key, &[*key], place);
                    out.add(Of::KeyInZone, &[side, zone, *key], place);
                    if is_prose && distance <= 5 {
                        out.add(Of::KeyNear, &[side, near, *key], place);
                        out.add(Of::KeyOnSide, &[side, *key], place);
                    }
                }
                if let Some(word) = token.word() {
                    let hash = of_text(word);
                    out.add(Of::Word, &[hash], place);
                    out.add(Of::WordInZone, &[side, hash], place);
                    if is_prose && distance <= 4 {
                        out.add(Of::WordNear, &[side, near, hash], place);
                        out.add(Of::WordOnSide, &[side, hash, 1], place);
                    }
                    out.letters(word, place);
                }
            }
            let (key, key_before, key_first) = (at(&whole, place, 0), at(&whole, place, 1), at(&whole, place, 2));
            let (word, word_before, word_first) = (at(&words, place, 0), at(&words, place, 1), at(&words, place, 2));
            out.add(Of::TwoKeys, &[frame, key_before, key], place);
            out.add(Of::ThreeKeys, &[key_first, key_before, key], place);
            out.add(Of::TwoWords, &[word_before, word], place);
            out.add(Of::ThreeWords, &[word_first, word_before, word], place);
            out.add(Of::AroundWord, &[word_first, word], place);
        }
        if let Some(last) = tokens.len().checked_sub(1) {
            out.add(Of::TwoKeys, &[frame, at(&whole, last, 0), 0], last);
            out.add(Of::TwoWords, &[at(&words, last, 0), 0], last);
        }
        let mut start = 0;
        for clause in tokens.split_inclusive(Token::ends_clause) {
            let of_clause = said.get(start..start + clause.len()).unwrap_or_default();
            if text.place != Place::Announcing || start < here {
                out.pairs(Of::InClause, frame, of_clause, start);
            }
            start += clause.len();
        }
        match is_prose {
            true => out.across(&said, here),
            false => out.pairs(Of::InText, frame, &said, 0),
        }
        let count = |of: fn(&Token) -> bool| tokens.iter().filter(|token| of(token)).count() as u64;
        out.add(Of::Place, &[text.place as u64], usize::MAX);
        out.add(Of::Sign, &[frame, 1, count(|token| *token == Token::Question).min(1)], usize::MAX);
        out.add(Of::Sign, &[frame, 2, count(|token| *token == Token::Colon).min(1)], usize::MAX);
        let unknown = count(|token| matches!(token, Token::Word(_, keys) if keys.is_empty()));
        let all = count(|token| token.word().is_some());
        out.add(Of::Unknown, &[frame, unknown.min(3), (all / 3).min(4)], usize::MAX);
        if is_prose {
            out.add(Of::Moves, &[count(|token| *token == Token::Move).min(3), u64::from(here > 3)], usize::MAX);
        }
        out.0.sort_unstable();
        out
    }

    fn add(&mut self, of: Of, values: &[u64], token: usize) {
        let hash = values.iter().fold(mix(0, of as u64), |hash, value| mix(hash, *value));
        self.0.push(((hash >> 40) as u32 % BUCKETS as u32, token));
    }

    /// The groups of letters in a word, its ends marked.
    fn letters(&mut self, word: &str, place: usize) {
        let marked: Vec<char> = format!("<{word}>").chars().collect();
        let sizes = if is_run(word) { 1..=4 } else { 3..=5 };
        for size in sizes {
            for group in marked.windows(size) {
                let hash = group.iter().fold(size as u64, |hash, letter| mix(hash, *letter as u64));
                self.add(Of::Letters, &[hash], place);
            }
        }
    }

    /// What two tokens of a clause, or of a text, say together.
    fn pairs(&mut self, of: Of, frame: u64, said: &[Vec<u64>], start: usize) {
        let mut known: Vec<(u64, usize)> = Vec::new();
        for (at, keys) in said.iter().enumerate() {
            for key in keys.iter().filter(|key| !matches!(key, 2 | 6)) {
                if !known.iter().any(|(other, _)| other == key) {
                    known.push((*key, start + at));
                }
            }
        }
        for (first, _) in &known {
            for (second, place) in known.iter().filter(|(second, _)| first < second) {
                self.add(of, &[frame, *first, *second], *place);
            }
        }
    }

    /// What stands on both sides of the move.
    fn across(&mut self, said: &[Vec<u64>], here: usize) {
        const NEAR: usize = 8;
        let left: BTreeSet<u64> = said.iter().take(here).skip(here.saturating_sub(NEAR)).flatten().copied().collect();
        let right: BTreeSet<u64> = said.iter().skip(here + 1).take(NEAR).flatten().copied().collect();
        for one in &left {
            for other in &right {
                self.add(Of::AcrossMove, &[*one, *other], here);
            }
        }
        for (side, keys) in [(0, &left), (1, &right)] {
            for one in keys {
                for other in keys.iter().filter(|other| one < *other) {
                    self.add(Of::InText, &[8 + side, *one, *other], here);
                }
            }
        }
    }

    /// Each once.
    pub(super) fn distinct(&self) -> impl Iterator<Item = u32> {
        self.0.chunk_by(|(a, _), (b, _)| a == b).filter_map(|same| same.first()).map(|(bucket, _)| *bucket)
    }

    /// What each counts, so that a long text has no louder voice than a short one.
    pub(super) fn unit(&self) -> f32 {
        (self.distinct().count().max(1) as f32).sqrt().recip()
    }

    /// The sums of what the features of each word speak for each sense, in the order in which its first one comes.
    pub(super) fn by_token<const SENSES: usize>(
        &self,
        speaks: impl Fn(u32) -> [i32; SENSES],
    ) -> Vec<(usize, [i32; SENSES])> {
        let mut sums: Vec<(usize, [i32; SENSES])> = Vec::new();
        let of_words = || self.0.iter().filter(|(_, token)| *token != usize::MAX);
        let mut places = vec![None; of_words().map(|(_, token)| token + 1).max().unwrap_or_default()];
        for (bucket, token) in of_words() {
            let Some(place) = places.get_mut(*token) else { continue };
            let place = *place.get_or_insert_with(|| {
                sums.push((*token, [0; SENSES]));
                sums.len() - 1
            });
            let Some((_, sum)) = sums.get_mut(place) else { continue };
            sum.iter_mut().zip(speaks(*bucket)).for_each(|(sum, more)| *sum += more);
        }
        sums
    }
}
