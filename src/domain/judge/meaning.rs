//! What a written move means in the recorded game: the one place where words meet the board.
//!
//! Numbers are read as they stand; algebraic notation only where the game agreed on it, in the languages it agreed on. A
//! repeated old move is compared more leniently than a new one is believed.

use shakmaty::{Chess, Move, Position};

use super::Expected;
use crate::domain::game::Game;
use crate::domain::notation::{
    Agreement, IllegalMove, Language, LegalMove, NumericMove, Spelling, is_coordinates, language, named_moves, names,
    tokens_agree,
};
use crate::domain::transmission::read::Written;

/// The notations that a game agreed on.
#[derive(Debug, Clone)]
pub(crate) struct Notations {
    languages: Vec<Language>,
    coordinates: bool,
}

impl Notations {
    /// Those that the game agreed on; and another language with coordinates, if that is asked.
    pub(crate) fn of(game: &Game, another: Option<Language>) -> Notations {
        let coordinates = another.is_some() || game.notations.iter().any(|n| n == "coordinate");
        let languages = Language::agreed(&game.notations).into_iter().chain(another).collect();
        Notations { languages, coordinates }
    }

    /// Whether a text in algebraic notation may stand in this game: in a notation that was agreed, or castling, whose sign and words
    /// are the same move in all of them.
    fn allow(&self, text: &str) -> bool {
        text.starts_with("O-O") || !self.languages.is_empty() || (self.coordinates && is_coordinates(text))
    }

    /// Whether a text begins with a letter that stands for a piece in other languages only.
    fn is_foreign(&self, text: &str) -> bool {
        let first = text.chars().next().filter(|c| c.is_uppercase() && !text.starts_with("O-O"));
        let is_piece = |languages: &[Language]| first.is_some_and(|c| languages.iter().any(|l| l.has_piece(c)));
        is_piece(&language::ALL) && !is_piece(self.languages())
    }

    /// The languages in which a text is read: English too, for squares and castling need no letters.
    fn languages(&self) -> &[Language] {
        if self.languages.is_empty() { &[Language::ENGLISH] } else { &self.languages }
    }
}

/// What a move written for the ply that is due means.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    /// One legal move.
    Legal(LegalMove),
    /// A number that is no legal move.
    Illegal(IllegalMove),
    /// Algebraic notation that no piece can follow.
    NoSuchMove,
    /// It fits more than one legal move.
    Ambiguous(Vec<NumericMove>),
    /// It is in a notation that was not agreed, and would mean these.
    NotAgreed(Vec<NumericMove>),
}

impl Expected<'_> {
    /// Whether a written move means the recorded one, other spellings of castling and other languages included.
    pub(super) fn means(&self, index: usize, written: &Written) -> bool {
        let Some(recorded) = self.moves.get(index) else {
            return false;
        };
        let position = self.replay.before(index);
        let Ok(legal) = recorded.to_move(position) else { return false };
        match written {
            Written::Numeric(m) => *m == *recorded || m.to_move(position).is_ok_and(|l| l.played == legal.played),
            // the move that he answers must be this one and no other
            Written::Algebraic(text) if index + 1 == self.moves.len() => {
                let named = named_moves(text, position, self.notations.languages());
                named.is_some_and(|moves| moves == [legal.played])
                    || tokens_agree(text, position, &legal.played) == Agreement::Same
            }
            Written::Algebraic(text) => self.names(text, position, &legal.played),
        }
    }

    /// Whether an algebraic text names this move, in an agreed language or in one where it names no other.
    pub(super) fn names(&self, text: &str, position: &Chess, played: &Move) -> bool {
        names(text, position, played, self.notations.languages())
    }

    /// Whether an algebraic text beside the digits of this move gives it once more: as above, or in some language where no
    /// language makes another legal move of it; the square that it reaches is enough then: "77781 (g8 = dam)".
    pub(super) fn repeats(&self, text: &str, position: &Chess, played: &Move) -> bool {
        let named = || named_moves(text, position, &language::ALL);
        let in_any = || match named().as_deref() {
            Some([]) | None => text == played.to().to_string(),
            Some(moves) => moves == [*played],
        };
        self.names(text, position, played) || in_any()
    }

    /// The legal move that is written for another position, in any notation.
    pub(super) fn meant_in(&self, written: &Written, position: &Chess) -> Result<LegalMove, String> {
        let text = match written {
            Written::Numeric(numeric) => return numeric.to_move(position).map_err(|why| why.to_string()),
            Written::Algebraic(text) => text,
        };
        let agreed = named_moves(text, position, self.notations.languages()).unwrap_or_default();
        let played = match agreed.as_slice() {
            [] => position.legal_moves().into_iter().find(|m| tokens_agree(text, position, m) == Agreement::Same),
            [played] => Some(*played),
            _ => None,
        };
        let legal = played.map(|played| LegalMove { played, spelling: Spelling::Standard });
        legal.ok_or_else(|| "it names no legal move, or more than one".to_owned())
    }

    /// The same in a notation that the game agreed on.
    pub(super) fn agreed_in(&self, written: &Written, position: &Chess) -> Result<LegalMove, String> {
        match written {
            Written::Algebraic(text) if !self.notations.allow(text) => {
                Err("it is in a notation that this game has not agreed on".to_owned())
            }
            Written::Numeric(_) | Written::Algebraic(_) => self.meant_in(written, position),
        }
    }

    /// What a written move means for the ply that is due.
    pub(super) fn meaning(&self, written: &Written) -> Meaning {
        let position = self.replay.position();
        let text = match written {
            Written::Numeric(numeric) => {
                return numeric.to_move(position).map_or_else(Meaning::Illegal, Meaning::Legal);
            }
            Written::Algebraic(text) => text,
        };
        let agreed = named_moves(text, position, self.notations.languages());
        let readable = agreed.is_some() && self.notations.allow(text);
        match agreed.unwrap_or_default().as_slice() {
            _ if !readable => Meaning::NotAgreed(self.any_meaning(text)),
            [] => match (self.unfinished(text), named_moves(text, position, &language::ALL)) {
                (Some(moves), _) => Meaning::Ambiguous(moves),
                (None, Some(moves)) if !moves.is_empty() => {
                    Meaning::NotAgreed(moves.iter().map(NumericMove::of).collect())
                }
                (None, _) if self.notations.is_foreign(text) => Meaning::NotAgreed(Vec::new()),
                (None, _) => Meaning::NoSuchMove,
            },
            [played] => Meaning::Legal(LegalMove { played: *played, spelling: Spelling::Standard }),
            several => Meaning::Ambiguous(several.iter().map(NumericMove::of).collect()),
        }
    }

    /// `f2-f1` without the piece that the pawn becomes: the four moves it may be.
    fn unfinished(&self, text: &str) -> Option<Vec<NumericMove>> {
        let position = self.replay.position();
        let pieces = ["=Q", "=R", "=B", "=N"].map(|piece| format!("{text}{piece}"));
        let named = |text: &String| named_moves(text, position, &[Language::ENGLISH]).unwrap_or_default();
        let moves: Vec<NumericMove> = pieces.iter().flat_map(named).map(|m| NumericMove::of(&m)).collect();
        (!moves.is_empty()).then_some(moves)
    }

    /// The legal moves that a text names in any language.
    fn any_meaning(&self, text: &str) -> Vec<NumericMove> {
        let position = self.replay.position();
        let legal = position.legal_moves();
        legal.iter().filter(|m| self.names(text, position, m)).map(NumericMove::of).collect()
    }

    /// The legal move that something without a place could be.
    pub(super) fn could_be(&self, written: &Written) -> Option<NumericMove> {
        match written {
            Written::Numeric(numeric) => {
                numeric.to_move(self.replay.position()).ok().map(|l| NumericMove::of(&l.played))
            }
            Written::Algebraic(text) => self.any_meaning(text).first().copied(),
        }
    }

    /// Whether two moves at the ply that is due are the same.
    pub(super) fn same(&self, first: &Written, second: &Written) -> bool {
        match (self.meaning(first), self.meaning(second)) {
            _ if first == second => true,
            (Meaning::Legal(a), Meaning::Legal(b)) => a.played == b.played,
            (Meaning::Legal(a), Meaning::NotAgreed(moves)) | (Meaning::NotAgreed(moves), Meaning::Legal(a)) => {
                moves.contains(&NumericMove::of(&a.played))
            }
            _ => false,
        }
    }
}
