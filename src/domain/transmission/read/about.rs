//! What a clause without a move is about: a move of the sender's, his mail, another game, or nothing of these.

use super::clause::{CHESS, FEW, Said, asks, hedge_at, is_unknown, names_another};
use super::document::{Document, Kind, Piece, Sentence};
use super::hedge::{Hedge, HedgeKind};
use crate::domain::transmission::lexicon::Key;

/// What a clause without a move, and the sentence around it, are about.
pub(super) struct About<'d> {
    /// A move of the sender's.
    pub(super) of_move: bool,
    /// His mail.
    pub(super) of_mail: bool,
    /// "By mistake I have sent you two different moves".
    pub(super) of_sending: bool,
    /// "The above", "below" in the clause.
    pub(super) pointed: bool,
    /// "What stands above is but an example".
    pub(super) points: bool,
    pub(super) announces: bool,
    /// The sentence ends in a colon.
    pub(super) leads: bool,
    /// It holds "here is my move".
    pub(super) announces_own: bool,
    /// It stands right behind a move that has hardly a word beside it, on its line.
    pub(super) is_remark: bool,
    pub(super) of_reader: bool,
    /// The sentence begs pardon.
    pub(super) excused: bool,
    /// The clause has no unknown word.
    pub(super) plain: bool,
    /// "Perhaps it will rain": the rest of the sentence is about nothing else.
    pub(super) alone: bool,
    /// "That is ..." begins the clause.
    pub(super) this_first: bool,
    /// "That" stands for a thing by itself in some clause of the sentence: it is no "that weather".
    pub(super) any_stands: bool,
    /// A move stands in the lines above.
    pub(super) is_behind: bool,
    /// "This is for Derek"
    pub(super) is_for_another: bool,
    /// "Forget this".
    pub(super) takes_this: bool,
    pub(super) is_question: bool,
    /// "Would you dare this in my place?"
    pub(super) asks_of_mine: bool,
    /// "That belongs to my game with Mrs Hopkins".
    pub(super) other_game: bool,
    /// A move stands in the sentence.
    pub(super) holds_move: bool,
    /// Who is named besides the two players.
    pub(super) another: Option<&'d Piece>,
}

impl<'d> About<'d> {
    pub(super) fn of(
        said: &Said<'d>,
        document: &'d Document<'_>,
        sentence: &Sentence,
        last_move: Option<usize>,
        is_bare: bool,
    ) -> About<'d> {
        let clauses: Vec<Said<'_>> = sentence.clauses.iter().map(|clause| Said::of(document, clause)).collect();
        let all = || sentence.clauses.iter().flat_map(|clause| document.pieces_of(clause));
        let in_any = |keys: &[Key]| clauses.iter().any(|said| said.keys.has_any(keys));
        let is_question = asks(document, sentence);
        let of_reader = said.is_of_reader();
        let plain = said.is_plain();
        let pointed = said.keys.has_any(&[Key::Above, Key::Below]);
        let line = said.pieces.first().and_then(|piece| document.token(piece)).map(|(line, _)| line.number);
        // right behind a move, on its line
        let beside = line.is_some() && line == last_move;
        let (unknown, count) =
            clauses.iter().fold((0, 0), |(unknown, count), said| (unknown + said.unknown, count + said.pieces.len()));
        let few_unknown = unknown <= 1 && count <= FEW && !said.keys.has_any(&[Key::Harmless, Key::Excuse]);
        let any_stands = clauses.iter().any(|said| said.this_alone().is_some());
        let is_name = |piece: &Piece| {
            names_another(piece) || (is_unknown(piece) && document.written(piece).starts_with(char::is_uppercase))
        };
        let games: Vec<usize> =
            said.pieces.iter().enumerate().filter(|(_, piece)| piece.keys.has(Key::Game)).map(|(at, _)| at).collect();
        let name = |game: &usize| {
            let near = said.pieces.iter().enumerate().filter(|(at, _)| *at > 0 && at.abs_diff(*game) <= BESIDE);
            near.map(|(_, piece)| piece).find(|piece| is_name(piece))
        };
        let opponent = games.iter().find_map(name).filter(|_| in_any(&[Key::This]));
        let this_first = said.this_alone().is_some_and(|at| at <= 1);
        // "this is for Derek": nothing stands before the name that is not known, and little
        let name = said.pieces.iter().skip(1).position(is_name).filter(|at| *at < FEW);
        let is_last = |at: &usize| said.pieces.iter().skip(at + 1).all(is_name);
        let known = |at: &usize| !said.pieces.iter().take(at + 1).any(is_unknown);
        let someone = name.filter(|at| this_first && is_last(at) && known(at)).and_then(|at| said.pieces.get(at + 1));
        About {
            of_move: said.names_own_move(),
            of_mail: said.has(Key::Mail) && !of_reader && (pointed || plain || said.has(Key::This)),
            of_sending: said.has(Key::I) && said.keys.has_any(&[Key::Sent, Key::Play]) && said.has(Key::Move),
            pointed,
            points: all().any(|piece| piece.keys.has(Key::Above)),
            announces: said.announces_move(document) && !of_reader,
            leads: clauses.last().is_some_and(|last| last.announces_move(document)),
            announces_own: clauses.iter().any(Said::announces_own),
            is_remark: beside && is_bare,
            of_reader,
            excused: in_any(&[Key::Excuse, Key::AsksRepeat]),
            plain,
            alone: beside || clauses.iter().all(|said| said.is_plain() || said.keys.meets(CHESS)) || few_unknown,
            this_first,
            any_stands,
            is_behind: last_move.is_some(),
            is_for_another: someone.is_some(),
            takes_this: said.pieces.windows(2).any(|pair| {
                pair.iter().any(|piece| piece.keys.has(Key::TakeBack))
                    && pair.iter().any(|piece| piece.keys.has(Key::This))
            }),
            is_question,
            asks_of_mine: is_question && in_any(&[Key::I]) && in_any(&[Key::This, Key::Condition]),
            other_game: opponent.is_some(),
            holds_move: all().any(|piece| piece.kind == Kind::Move),
            another: opponent.or(someone).or_else(|| all().find(|piece| names_another(piece))),
        }
    }
}

/// The first unknown word of a sentence that ends in a colon, and says not that the sender plays what follows.
pub(super) fn opening(document: &Document<'_>, sentence: &Sentence) -> Option<Hedge> {
    let clauses: Vec<Said<'_>> = sentence.clauses.iter().map(|clause| Said::of(document, clause)).collect();
    let last = clauses.last().filter(|last| last.announces_move(document))?;
    let has = |keys: &[Key]| clauses.iter().any(|said| said.keys.has_any(keys));
    let is_told = clauses.iter().any(Said::announces_own) || has(&[Key::Greeting, Key::Closing, Key::Thanks]);
    if is_told || last.is_head() || !last.moves.is_empty() || !has(&[Key::Common]) {
        return None;
    }
    let unknown = clauses.iter().flat_map(|said| said.pieces).find(|piece| is_unknown(piece))?;
    hedge_at(document, unknown, HedgeKind::Another)
}

/// Words between a game and the name of him against whom it is played.
const BESIDE: usize = 3;
