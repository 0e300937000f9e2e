//! What the sentences of a mail say of its moves: who plays them, and what takes the certainty from them.
//!
//! A sentence with a move in it is asked about that move, with the sentences beside it; a sentence without one about the move that it
//! stands above, beside or below. A row of score has no words to be asked. There is no other judge of doubt.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::iter;
use std::ops::Range;

use super::Line;
use super::document::{Clause, Document, End, Kind, Piece, Sentence};
use super::hedge::{Aside, Hedge, HedgeKind, Reach};
use super::scan::{Scan, around, behind_row, cut, place};
use super::sense::{Place, Sense};
use super::stance::{DOUBT, PLAYS, Stance, Voice};
use super::vocabulary::is_label;
use super::wording::{against, asks, is_data, is_head, is_of_row, remark, speaks_of_result};
use crate::domain::transmission::lexicon::{Key, Keys, words_of};

/// From here on a part of a sentence takes the certainty from a move.
const DOUBT_OF_PART: f32 = 0.75;

/// What a text says of its moves.
#[derive(Debug, Default)]
pub(super) struct Voices {
    /// In the order of the text.
    voices: Vec<Voice>,
    /// Hedges in sentences without a move.
    pub(super) asides: Vec<Aside>,
    /// Whether any sentence decides for a move.
    pub(super) any_decided: bool,
    /// The pieces that name one of the two players.
    names: BTreeSet<usize>,
}

/// What stands above a move and ends in a colon.
struct Announcement {
    line: usize,
    stance: Stance,
    /// The word by which it may be no announcement of his.
    strange: Option<String>,
}

/// What a text without a move says.
#[derive(Default)]
struct Said {
    aside: Option<Aside>,
    /// What it says of a move behind it on its line, or below it where it ends in a colon.
    announcement: Option<Announcement>,
}

impl Voices {
    /// `players`: the names of the two.
    pub(super) fn of(document: &Document<'_>, players: &[&str]) -> Voices {
        let number = |piece: &Piece| document.token(piece).map(|(line, _)| line.number);
        let moves = document.pieces.iter().filter(|piece| piece.kind == Kind::Move);
        Voices::among(document, &moves.filter_map(number).collect::<Vec<_>>(), players)
    }

    /// The same where moves stand on these lines.
    fn among(document: &Document<'_>, moves: &[usize], players: &[&str]) -> Voices {
        let names: BTreeSet<String> =
            players.iter().flat_map(|name| name.split_whitespace()).flat_map(words_of).collect();
        // a name that is a word as well, such as "May", says what the word says
        let is_name = |piece: &Piece| {
            let written = document.written(piece);
            let is_capital = !written.starts_with(char::is_lowercase);
            let words = words_of(written);
            piece.kind == Kind::Word
                && piece.keys.is_empty()
                && is_capital
                && !words.is_empty()
                && words.iter().all(|word| names.contains(word))
        };
        let names = (0..).zip(&document.pieces).filter(|(_, piece)| is_name(piece)).map(|(at, _)| at).collect();
        let mut out = Voices { names, ..Voices::default() };
        let mut announced = None;
        for at in 0..document.sentences.len() {
            announced = out.sentence(document, at, moves, announced);
            out.parts(document, at, moves);
        }
        out.any_decided = out.voices.iter().any(|voice| voice.stance == Stance::Mine);
        out
    }

    /// What is said of the moves between two places on a line.
    pub(super) fn between(&self, line: usize, places: Range<usize>) -> impl Iterator<Item = &Voice> {
        let from = self.voices.partition_point(|voice| (voice.line, voice.at) < (line, places.start));
        let behind = self.voices.get(from..).unwrap_or_default().iter();
        behind.take_while(move |voice| voice.line == line && voice.at < places.end)
    }

    /// What is said of the first move at or behind a place on a line.
    pub(super) fn at(&self, line: usize, at: usize) -> Option<&Voice> {
        let from = self.voices.partition_point(|voice| (voice.line, voice.at) < (line, at));
        self.voices.get(from).filter(|voice| voice.line == line)
    }

    /// How the first move at or behind a place on a line is meant.
    pub(super) fn stance(&self, line: usize, at: usize) -> Stance {
        self.at(line, at).map_or(Stance::Bare, |voice| voice.stance)
    }

    fn sentence(
        &mut self,
        document: &Document<'_>,
        at: usize,
        moves: &[usize],
        announced: Option<Announcement>,
    ) -> Option<Announcement> {
        let sentence = document.sentences.get(at)?;
        if !sentence.clauses.iter().any(|clause| document.has_move(clause)) {
            return self.aside(document, std::slice::from_ref(sentence), place(document, sentence, moves), moves);
        }
        let is_bare = |range: &Range<usize>| {
            let pieces = document.pieces.get(range.clone()).unwrap_or_default();
            pieces.iter().all(|piece| piece.kind != Kind::Word || is_of_row(document, piece))
        };
        let is_prose = |clause: &&Clause| document.has_move(clause) && !is_bare(&clause.pieces);
        if !sentence.clauses.iter().any(|clause| is_prose(&clause)) {
            return self.row(document, sentence, moves, announced);
        }
        // "9... 4746 (not your 6877)": what brackets say of a move in them they do not say of the move before them
        let (brackets, row): (Vec<Clause>, Vec<Clause>) =
            sentence.clauses.iter().cloned().partition(|clause| clause.aside && is_prose(&clause));
        if brackets.is_empty() || !row.iter().any(|clause| document.has_move(clause)) {
            let leads = self.prose(document, sentence, around(document, at));
            if let Some(remark) = remark(document, sentence) {
                self.aside(document, &[remark], Place::Beside, moves);
            }
            return leads;
        }
        let from = self.voices.len();
        let row = Sentence { clauses: row, end: sentence.end };
        let leads = match row.clauses.iter().any(|clause| is_prose(&clause)) {
            true => {
                let of_row = |other: &Sentence| if std::ptr::eq(other, sentence) { &row } else { other }.clone();
                self.prose(document, &row, &around(document, at).iter().map(of_row).collect::<Vec<_>>())
            }
            false => self.row(document, &row, moves, announced),
        };
        for clause in brackets {
            let own = Sentence { clauses: vec![clause], end: End::Statement };
            self.prose(document, &own, std::slice::from_ref(&own));
        }
        self.voices.get_mut(from..).unwrap_or_default().sort_by_key(|voice| (voice.line, voice.at));
        leads
    }

    /// Moves without words of their own, and the words before, between and after them.
    fn row(
        &mut self,
        document: &Document<'_>,
        sentence: &Sentence,
        moves: &[usize],
        announced: Option<Announcement>,
    ) -> Option<Announcement> {
        let of_moves = || sentence.clauses.iter().enumerate().filter(|(_, clause)| document.has_move(clause));
        // "Your move: 4243 // My answer: 5878 - at last": the words before each move, and those after the last one
        let part = |range: Range<usize>, end| Sentence {
            clauses: sentence.clauses.get(range).unwrap_or_default().to_vec(),
            end,
        };
        let (mut before, mut start) = (announced, 0);
        for (at, clause) in of_moves() {
            let mut label = None;
            if start < at {
                let said = self.said(document, &[part(start..at, End::Open)], Place::Above, moves, DOUBT);
                before = said.announcement;
                // "Previous move: 9... 2847" says it of that move; what is taken back may stand above
                let line = document.pieces_of(clause).first().and_then(|piece| document.token(piece));
                let is_label = |aside: &Aside| {
                    line.is_some_and(|(line, _)| line.number == aside.hedge.line)
                        && aside.hedge.kind != HedgeKind::TakenBack
                };
                match said.aside {
                    Some(aside) if is_label(&aside) => label = Some(aside.hedge),
                    other => self.asides.extend(other),
                }
            }
            start = at + 1;
            for piece in document.pieces_of(clause).iter().filter(|piece| piece.kind == Kind::Move) {
                let Some((line, placed)) = document.token(piece) else { continue };
                let near = before.as_ref().filter(|before| line.number.saturating_sub(before.line) <= 2);
                let stance = near.map_or(Stance::Bare, |before| before.stance);
                let strange = near.and_then(|before| before.strange.clone());
                let is_remark = clause.aside;
                let (line, at) = (line.number, placed.at);
                let hedge = label.take();
                self.voices.push(Voice { stance, hedge, strange, is_remark, line, at });
            }
        }
        let rest = part(start..sentence.clauses.len(), sentence.end);
        if !rest.clauses.is_empty() {
            self.aside(document, &[rest], Place::Beside, moves);
        } else if asks(document, sentence) {
            self.ask(of_moves().count());
        }
        None
    }

    /// A row that ends in a question mark asks.
    fn ask(&mut self, count: usize) {
        let from = self.voices.len().saturating_sub(count);
        for voice in self.voices.iter_mut().skip(from) {
            let line = voice.line;
            voice.hedge.get_or_insert(Hedge { line, word: "?".to_owned(), kind: HedgeKind::Asked });
            voice.stance = Stance::Bare;
        }
    }

    /// What stands on a line of its own, or behind the last move of its line, is asked by itself too: nothing tells whether a mailer
    /// broke the sentence there, or its writer put one below the other without a full stop.
    fn parts(&mut self, document: &Document<'_>, at: usize, moves: &[usize]) {
        /// Words of a line that somebody may have put there by itself.
        const FEW: usize = 3;
        /// Letters of a line that no mailer breaks.
        const NARROW: usize = 50;
        let Some(sentence) = document.sentences.get(at) else { return };
        let pieces = sentence.clauses.iter().flat_map(|clause| clause.pieces.clone());
        let pieces: Vec<(usize, &Piece)> = pieces.filter_map(|at| Some((at, document.pieces.get(at)?))).collect();
        let lines: Vec<&[(usize, &Piece)]> = pieces.chunk_by(|(_, a), (_, b)| a.line == b.line).collect();
        let is_short = |line: &&[(usize, &Piece)]| {
            let token = line.first().and_then(|(_, piece)| document.token(piece));
            token.is_some_and(|(line, _)| line.text.chars().count() < NARROW)
        };
        let before = iter::once(None).chain(lines.iter().map(Some));
        for (line, before) in lines.iter().zip(before) {
            let last = line.iter().rposition(|(_, piece)| piece.kind == Kind::Move);
            // what follows the reader's move, or one that is doubted already, is not said of the writer's
            let token = last.and_then(|last| document.token(line.get(last)?.1));
            let voice = token.and_then(|(line, of)| self.at(line.number, of.at));
            let is_of_other = voice.is_some_and(|voice| voice.stance == Stance::Yours || voice.hedge.is_some());
            let part = line.get(last.map_or(0, |last| last + 1)..).unwrap_or_default();
            let (Some((from, _)), Some((to, _))) = (part.first(), part.last()) else { continue };
            if (last.is_none() && lines.len() == 1) || is_of_other {
                continue;
            }
            let part = cut(sentence, *from..to + 1);
            let place = if last.is_some() { Place::Beside } else { place(document, &part, moves) };
            // no mailer breaks a sentence behind a short line
            let is_whole = last.is_none() && line.len() <= FEW && before.is_none_or(is_short);
            let least = if is_whole { DOUBT } else { DOUBT_OF_PART };
            self.asides.extend(self.said(document, &[part], place, moves, least).aside);
        }
    }

    /// A text without a move, with what it says of the one beside it.
    fn aside(
        &mut self,
        document: &Document<'_>,
        sentences: &[Sentence],
        place: Place,
        moves: &[usize],
    ) -> Option<Announcement> {
        let said = self.said(document, sentences, place, moves, DOUBT);
        self.asides.extend(said.aside);
        said.announcement.filter(|_| leads(sentences))
    }

    /// A text without a move: what it says of the one beside it.
    fn said(&self, document: &Document<'_>, sentences: &[Sentence], place: Place, moves: &[usize], least: f32) -> Said {
        let whole = self.meant(document, sentences, place, moves, least);
        match behind_row(document, sentences) {
            Cow::Owned(rest) if whole.aside.is_none() => self.meant(document, &rest, place, moves, DOUBT_OF_PART),
            _ => whole,
        }
    }

    /// The same of exactly this text.
    fn meant(
        &self,
        document: &Document<'_>,
        sentences: &[Sentence],
        place: Place,
        moves: &[usize],
        least: f32,
    ) -> Said {
        let pieces = || sentences.iter().flat_map(|s| &s.clauses).flat_map(|clause| document.pieces_of(clause));
        let line = pieces().last().and_then(|piece| document.token(piece)).map(|(line, _)| line.number);
        let Some(line) = line else { return Said::default() };
        let keys = pieces().fold(Keys::default(), |all, piece| all | piece.keys);
        // "Nora:" above his words is whom he writes to, and beside a move whose it is
        let is_name = |at: usize| !moves.contains(&line) && self.names.contains(&at);
        let places = || sentences.iter().flat_map(|s| &s.clauses).flat_map(|clause| clause.pieces.clone());
        // a part of a sentence that has nothing but small words says nothing by itself: "zurück"
        let is_small =
            |piece: &Piece| !piece.keys.is_empty() && piece.keys.without(&[Key::Common, Key::Distinct]).is_empty();
        let is_part = least >= DOUBT_OF_PART;
        let tells =
            |piece: &Piece| piece.kind == Kind::Word && !is_of_row(document, piece) && !(is_part && is_small(piece));
        let says = places().any(|at| !is_name(at) && document.pieces.get(at).is_some_and(tells));
        // and neither do the small words beside labels: "Spedita il 24/09:"
        let is_labelled = pieces().any(|piece| document.token(piece).is_some_and(|(_, placed)| is_label(placed)));
        let is_mere_data = is_labelled && pieces().all(|piece| piece.kind != Kind::Word || is_data(document, piece));
        let announces = leads(sentences);
        if (!says && !announces) || is_head(pieces()) || speaks_of_result(keys) {
            return Said::default();
        }
        let scan = Scan::of(document, sentences, None, place);
        let chances = scan.chances();
        let is_total = keys.has_any(&[Key::Recall, Key::Undecided]);
        if says && !is_mere_data && (chances.doubt() >= least || is_total) {
            let Some(hedge) = scan.hedge(document, &chances) else { return Said::default() };
            let reach = match place {
                _ if is_total => Reach::All,
                Place::Above if announces => Reach::Forward,
                Place::Top | Place::Above => Reach::Either,
                _ if moves.is_empty() => Reach::Either,
                _ => Reach::Back,
            };
            return Said { aside: Some(Aside { hedge, reach }), announcement: None };
        }
        let is_of_reader = keys.has(Key::You) && !keys.has(Key::I);
        let announces_own = keys.has_any(&[Key::Play, Key::Announce]) || keys.has_any(&[Key::I]) && keys.has(Key::Move);
        let is_played = says && chances.of(Sense::Plays) >= PLAYS;
        let last = sentences.last().and_then(|sentence| Some((sentence, sentence.clauses.last()?)));
        let against = last.and_then(|(sentence, clause)| against(document, sentence, clause));
        let stance = match () {
            () if !announces => Stance::Bare,
            () if is_of_reader => Stance::Yours,
            () if (announces_own || is_played) && against.is_none() => Stance::Mine,
            () => Stance::Bare,
        };
        let is_aside = matches!(chances.likeliest(|_| true), Sense::Aside | Sense::Yours);
        let strange = against.filter(|_| stance == Stance::Bare && says && !is_aside);
        Said { aside: None, announcement: Some(Announcement { line, stance, strange }) }
    }

    /// A sentence with moves in it; it may end in words that announce the next one: "9... 6877 can wait, now I play".
    fn prose(&mut self, document: &Document<'_>, sentence: &Sentence, around: &[Sentence]) -> Option<Announcement> {
        for place in sentence.clauses.iter().flat_map(|clause| clause.pieces.clone()) {
            self.voices.extend(Voice::in_prose(document, sentence, around, place));
        }
        let last = document.pieces_of(sentence.clauses.last().filter(|_| sentence.end == End::Open)?);
        let plays = last.iter().any(|piece| piece.keys.meets(Keys::all(&[Key::Play, Key::Announce])));
        let is_open = plays && last.iter().all(|piece| piece.kind != Kind::Move);
        let (line, _) = document.token(last.last()?)?;
        is_open.then_some(Announcement { line: line.number, stance: Stance::Mine, strange: None })
    }
}

/// Whether a text ends in a colon.
fn leads(sentences: &[Sentence]) -> bool {
    sentences.last().and_then(|sentence| sentence.clauses.last()).is_some_and(|clause| clause.announces)
}

/// What these lines, which give no move themselves, say of moves above them in their mail: those below a signature mark, for one.
pub fn asides(lines: &[Line<'_>]) -> Vec<Aside> {
    Voices::among(&Document::of(lines), &[0], &[]).asides
}

/// Whether words that stand behind a move take it back, deny it, leave it open, or are nothing but question marks.
pub fn takes_back(paragraph: &[&str]) -> bool {
    /// Words in which a denial is about what stands above.
    const SHORT: usize = 8;
    let lines: Vec<Line<'_>> = (1..).zip(paragraph).map(|(number, text)| Line { number, text }).collect();
    let only_asks = |line: &&str| !line.trim().is_empty() && line.trim().chars().all(|c| c == '?');
    let document = Document::of(&lines);
    let denies = || document.pieces.iter().any(|piece| piece.keys.has(Key::Deny) && !piece.keys.has(Key::Harmless));
    let is_short = document.pieces.len() <= SHORT;
    paragraph.iter().any(only_asks) || (is_short && denies()) || !Voices::among(&document, &[0], &[]).asides.is_empty()
}
