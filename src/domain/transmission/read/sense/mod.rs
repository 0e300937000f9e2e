//! What a sentence makes of a move, learnt from examples: `tests/corpus/sentences` holds them, and `learn.rs` makes the weights.
//!
//! A sentence is turned into features (its words, their letters, what the lexicon says of them, in which order and how far from the
//! move), and a linear model adds up what each of them speaks for. So nobody has to list how one takes a move back; who finds a
//! sentence misread adds it to the examples. What will surprise you: no single word decides, so a reason names the word that weighed
//! most.

use std::sync::LazyLock;

mod features;

use features::Features;
pub(super) use features::{Place, Text, Token};

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
    /// All, in the order of the weights.
    pub(super) const ALL: [Sense; 11] = [
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

    /// Whether it takes the certainty from the move.
    pub(super) fn doubts(self) -> bool {
        !matches!(self, Sense::Aside | Sense::Plays | Sense::Yours)
    }
}

const SENSES: usize = Sense::ALL.len();

/// How probable each sense is, in the order of [`Sense::ALL`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Chances([f32; SENSES]);

impl Chances {
    pub(super) fn of(&self, sense: Sense) -> f32 {
        Sense::ALL.iter().zip(self.0).find(|(other, _)| **other == sense).map_or(0.0, |(_, chance)| chance)
    }

    /// That the certainty of the move is taken.
    pub(super) fn doubt(&self) -> f32 {
        Sense::ALL.iter().zip(self.0).filter(|(sense, _)| sense.doubts()).map(|(_, chance)| chance).sum()
    }

    /// The most probable of the senses that this holds for.
    pub(super) fn likeliest(&self, among: impl Fn(Sense) -> bool) -> Sense {
        let mut best = (Sense::Aside, -1.0);
        for (sense, chance) in Sense::ALL.into_iter().zip(self.0) {
            if among(sense) && chance > best.1 {
                best = (sense, chance);
            }
        }
        best.0
    }
}

/// The logarithm of the number of buckets that features fall into.
const BITS: u32 = 18;
const BUCKETS: usize = 1 << BITS;

/// The learnt weights: a scale, and for each bucket a signed byte for each sense.
#[derive(Debug)]
struct Model {
    scale: f32,
    weights: &'static [u8],
}

static MODEL: LazyLock<Model> = LazyLock::new(|| Model::read(include_bytes!("weights.bin")));

impl Model {
    /// The bytes stay where the program has them: a daemon that is started anew reads its first mail at once.
    fn read(bytes: &'static [u8]) -> Model {
        let (scale, weights) = bytes.split_at_checked(4).unwrap_or_default();
        Model { scale: scale.try_into().map_or(0.0, f32::from_le_bytes), weights }
    }

    fn weights(&self, bucket: u32) -> &[u8] {
        let at = bucket as usize * SENSES;
        self.weights.get(at..at + SENSES).unwrap_or_default()
    }

    fn chances(&self, features: &Features) -> Chances {
        let mut sums = [0i32; SENSES];
        for bucket in features.distinct() {
            for (sum, weight) in sums.iter_mut().zip(self.weights(bucket)) {
                *sum += i32::from(weight.cast_signed());
            }
        }
        let unit = self.scale * features.unit();
        Chances(softmax(sums.map(|sum| sum as f32 * unit)))
    }
}

fn softmax(mut of: [f32; SENSES]) -> [f32; SENSES] {
    let most = of.iter().copied().fold(f32::MIN, f32::max);
    of.iter_mut().for_each(|value| *value = (*value - most).exp());
    let sum: f32 = of.iter().sum();
    of.map(|value| value / sum)
}

/// How a text that stands so beside a move is meant.
pub(super) fn chances(text: &Text<'_>) -> Chances {
    MODEL.chances(&Features::of(text))
}

/// The place among the tokens of a text whose word speaks most for one of these senses.
pub(super) fn telling(text: &Text<'_>, senses: impl Fn(Sense) -> bool) -> Option<usize> {
    let features = Features::of(text);
    let speaks = |bucket: u32, sense: usize| {
        let weights = MODEL.weights(bucket);
        let of = |at: usize| weights.get(at).map_or(0, |weight| i32::from(weight.cast_signed()));
        of(sense) - of(0).max(of(1))
    };
    let is_word = |(token, _): &(usize, i32)| matches!(text.tokens.get(*token), Some(Token::Word(..)));
    let asked = Sense::ALL.into_iter().filter(|sense| senses(*sense));
    let words = asked.flat_map(|sense| features.by_token(|bucket| speaks(bucket, sense as usize)));
    words.filter(is_word).max_by_key(|(_, weight)| *weight).map(|(token, _)| token)
}

#[cfg(test)]
mod learn;
