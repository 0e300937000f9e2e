//! What a sentence makes of a move, and what it announces about the result, learnt from examples: `tests/corpus/sentences` and
//! `tests/corpus/announced` hold them, and `learn.rs` makes the weights.
//!
//! A sentence is turned into features (its words, their letters, what the lexicon says of them, in which order and how far from the
//! move), and a linear model adds up what each of them speaks for. So nobody has to list how one takes a move back; who finds a
//! sentence misread adds it to the examples. What will surprise you: no single word decides, so a reason names the word that weighed
//! most.

use std::marker::PhantomData;
use std::sync::LazyLock;

mod features;

pub(super) use features::{Features, Place, Text, Token};

/// What a sentence makes of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Sense {
    /// Nothing: it is about something else.
    Aside,
    /// The writer plays it.
    Plays,
    /// The reader played it.
    Yours,
    /// It is only talked about: feared, rejected, or to come later.
    Talk,
    /// It is taken back, or called wrong.
    TakesBack,
    /// He denies that it is his move.
    Denies,
    /// He considers it.
    Weighs,
    /// He asks whether he should or may play it.
    Asks,
    /// It is of another game, or somebody else's.
    Other,
    /// It is an old one.
    Old,
    /// It depends on something.
    Condition,
}

impl Sense {
    /// Whether it takes the certainty from the move.
    pub(super) fn doubts(self) -> bool {
        !matches!(self, Sense::Aside | Sense::Plays | Sense::Yours)
    }
}

/// What a sentence announces about the result of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Announced {
    /// It speaks of something else.
    Aside,
    /// It speaks of draws, of resigning or of winning, and announces nothing for this game now.
    About,
    /// The writer offers a draw.
    Offer,
    /// He accepts the reader's offer.
    Accept,
    /// He declines it.
    Decline,
    /// He resigns.
    Resign,
    /// He leaves the tournament or the match, or resigns all his games.
    Withdraw,
}

/// A set of senses that a model tells apart.
pub(super) trait Senses: Copy + Eq + 'static {
    /// All, in the order of the weights; at most [`MOST`].
    const ALL: &'static [Self];
    /// It says nothing of what is asked.
    const NOTHING: Self;

    fn model() -> &'static Model;
}

impl Senses for Sense {
    const ALL: &'static [Sense] = &[
        Sense::Aside,
        Sense::Plays,
        Sense::Yours,
        Sense::Talk,
        Sense::TakesBack,
        Sense::Denies,
        Sense::Weighs,
        Sense::Asks,
        Sense::Other,
        Sense::Old,
        Sense::Condition,
    ];
    const NOTHING: Sense = Sense::Aside;

    fn model() -> &'static Model {
        static MODEL: LazyLock<Model> = LazyLock::new(|| Model::read(include_bytes!("weights.bin"), Sense::ALL.len()));
        &MODEL
    }
}

impl Senses for Announced {
    const ALL: &'static [Announced] = &[
        Announced::Aside,
        Announced::About,
        Announced::Offer,
        Announced::Accept,
        Announced::Decline,
        Announced::Resign,
        Announced::Withdraw,
    ];
    const NOTHING: Announced = Announced::Aside;

    fn model() -> &'static Model {
        static MODEL: LazyLock<Model> =
            LazyLock::new(|| Model::read(include_bytes!("announced.bin"), Announced::ALL.len()));
        &MODEL
    }
}

/// The most senses that a model tells apart.
const MOST: usize = 11;

/// How probable each sense is, in the order of [`Senses::ALL`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Chances<S> {
    each: [f32; MOST],
    of: PhantomData<S>,
}

impl<S: Senses> Chances<S> {
    fn each(&self) -> impl Iterator<Item = (S, f32)> {
        S::ALL.iter().copied().zip(self.each)
    }

    pub(super) fn of(&self, sense: S) -> f32 {
        self.that(|other| other == sense)
    }

    /// That it is one of the senses that this holds for.
    pub(super) fn that(&self, among: impl Fn(S) -> bool) -> f32 {
        self.each().filter(|(sense, _)| among(*sense)).map(|(_, chance)| chance).sum()
    }

    /// The most probable of the senses that this holds for.
    pub(super) fn likeliest(&self, among: impl Fn(S) -> bool) -> S {
        let best =
            self.each().filter(|(sense, _)| among(*sense)).reduce(|best, one| if one.1 > best.1 { one } else { best });
        best.map_or(S::NOTHING, |(sense, _)| sense)
    }

    /// Of the sums of the weights: all in order, the others nought.
    fn softmax(mut sums: [f32; MOST]) -> Chances<S> {
        let most = sums.iter().take(S::ALL.len()).copied().fold(f32::MIN, f32::max);
        sums.iter_mut().take(S::ALL.len()).for_each(|value| *value = (*value - most).exp());
        let sum: f32 = sums.iter().take(S::ALL.len()).sum();
        sums.iter_mut().take(S::ALL.len()).for_each(|value| *value /= sum);
        Chances { each: sums, of: PhantomData }
    }
}

impl Chances<Sense> {
    /// That the certainty of the move is taken.
    pub(super) fn doubt(&self) -> f32 {
        self.that(Sense::doubts)
    }
}

/// The logarithm of the number of buckets that features fall into.
const BITS: u32 = 18;
const BUCKETS: usize = 1 << BITS;

/// The learnt weights: a scale, and for each bucket a signed byte for each sense.
#[derive(Debug)]
pub(super) struct Model {
    scale: f32,
    senses: usize,
    weights: &'static [u8],
}

impl Model {
    /// The bytes stay where the program has them: a daemon that is started anew reads its first mail at once.
    fn read(bytes: &'static [u8], senses: usize) -> Model {
        let (scale, weights) = bytes.split_at_checked(4).unwrap_or_default();
        Model { scale: scale.try_into().map_or(0.0, f32::from_le_bytes), senses, weights }
    }

    fn weights(&self, bucket: u32) -> &[u8] {
        let at = bucket as usize * self.senses;
        self.weights.get(at..at + self.senses).unwrap_or_default()
    }
}

/// How a text of these features is meant.
pub(super) fn chances<S: Senses>(features: &Features) -> Chances<S> {
    let model = S::model();
    let mut sums = [0i32; MOST];
    for bucket in features.distinct() {
        for (sum, weight) in sums.iter_mut().zip(model.weights(bucket)) {
            *sum += i32::from(weight.cast_signed());
        }
    }
    let unit = model.scale * features.unit();
    Chances::softmax(sums.map(|sum| sum as f32 * unit))
}

/// The place among the tokens of a text whose word speaks most for one of these senses.
pub(super) fn telling(tokens: &[Token], features: &Features, senses: impl Fn(Sense) -> bool) -> Option<usize> {
    let speaks = |bucket: u32| {
        let mut each = [0; MOST];
        for (sense, weight) in each.iter_mut().zip(Sense::model().weights(bucket)) {
            *sense = i32::from(weight.cast_signed());
        }
        let [aside, plays, ..] = each;
        each.map(|weight| weight - aside.max(plays))
    };
    let is_word = |token: usize| matches!(tokens.get(token), Some(Token::Word(..)));
    let words: Vec<_> = features.by_token(speaks).into_iter().filter(|(token, _)| is_word(*token)).collect();
    let asked = Sense::ALL.iter().filter(|sense| senses(**sense));
    let of_sense = |sense: &Sense| {
        let sense = *sense as usize;
        words.iter().map(move |(token, sums)| (*token, sums.get(sense).copied().unwrap_or_default()))
    };
    asked.flat_map(of_sense).max_by_key(|(_, weight)| *weight).map(|(token, _)| token)
}

#[cfg(test)]
mod learn;
