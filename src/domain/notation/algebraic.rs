//! Algebraic notation: SAN, long algebraic and coordinates, read leniently and written strictly.
//!
//! PURE. A text is first normalised (`0-0`, `e8Q`, `exd6 e.p.`, `Nf3!?`), then read by shakmaty's
//! own parser, and means whatever legal moves it fits. Each text is read in one language at a time
//! (see [`super::language`]). Not covered: descriptive notation (`P-K4`).
//! What will surprise you: a missing `x` is forgiven, a wrong one is not; `Sd7` is a knight in
//! German and a bishop in Czech, so between the two it names a move only where one alone is legal.

use super::language::{ANY, Language};
use super::numeric::NumericMove;
use super::wording::name_in;
use crate::languages;
use crate::say;
use shakmaty::{
    CastlingSide, Chess, Move, Position, Role, Square,
    san::{San, SanPlus, Suffix},
};

/// Whether an algebraic text beside a numeric move says the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agreement {
    /// It names exactly this move.
    Same,
    /// It is written like a move, and this move is not what it names, or not the only one.
    Different,
    /// It is not written like a move at all, so it neither confirms nor contradicts.
    NotAMove,
}

/// The move in English SAN, with `+` or `#`: `Nbd2`, `exd6`, `O-O+`, `c8=Q#`.
pub fn san(position: &Chess, m: &Move) -> String {
    SanPlus::from_move(position.clone(), *m).to_string()
}

/// The move in words: `pawn c7-c5`, `pawn e5 takes f6 en passant`, `castles kingside, check`.
pub fn words(position: &Chess, m: &Move) -> String {
    words_in(position, m, languages::Language::English)
}

/// The same in this language.
pub fn words_in(position: &Chess, m: &Move, language: languages::Language) -> String {
    let (piece, to) = (name_in(language, m.role()), m.to());
    let mut text = match (m.castling_side(), m.from()) {
        (Some(CastlingSide::KingSide), _) => say!(language, "castles kingside"),
        (Some(CastlingSide::QueenSide), _) => say!(language, "castles queenside"),
        (None, Some(from)) if m.is_en_passant() => {
            say!(language, "{piece} {from} takes {to} en passant", piece, from, to)
        }
        (None, Some(from)) if m.is_capture() => say!(language, "{piece} {from} takes {to}", piece, from, to),
        (None, Some(from)) => format!("{piece} {from}-{to}"),
        (None, None) => say!(language, "{piece} on {to}", piece, to),
    };
    if let Some(role) = m.promotion() {
        text.push_str(&format!(", {}", say!(language, "promotes to {piece}", piece = name_in(language, role))));
    }
    match SanPlus::from_move(position.clone(), *m).suffix {
        Some(Suffix::Checkmate) => text + ", " + &say!(language, "checkmate"),
        Some(Suffix::Check) => text + ", " + &say!(language, "check"),
        None => text,
    }
}

/// Whether `token`, written beside the legal move `m`, names the same move in `position`.
///
/// Signs for check, mate and praise are ignored; everything else must fit. Where two notations
/// contradict each other, one of them is a slip, and only the writer knows which (rules differ on
/// it): the caller holds such a move. So an ambiguous token counts as [`Agreement::Different`].
pub fn tokens_agree(token: &str, position: &Chess, m: &Move) -> Agreement {
    let written = Written::read(token, ANY).or_else(|| Written::read(&token.to_lowercase(), ANY));
    let Some(written) = written else {
        return Agreement::NotAMove;
    };
    if written.moves(position) == [*m] { Agreement::Same } else { Agreement::Different }
}

/// Whether an algebraic text names the legal move `m`, if perhaps not it alone, in one of these languages; or, in any
/// language, it and no other.
pub fn names(text: &str, position: &Chess, m: &Move, languages: &[Language]) -> bool {
    named_moves(text, position, languages).is_some_and(|moves| moves.contains(m))
        || tokens_agree(text, position, m) == Agreement::Same
}

/// The legal moves that an algebraic text names in these languages, each once; `None` if it is not written like a move.
///
/// More than one: the text is ambiguous, in itself or between the languages.
pub fn named_moves(text: &str, position: &Chess, languages: &[Language]) -> Option<Vec<Move>> {
    let written: Vec<Written> = languages.iter().filter_map(|l| Written::read(text, *l)).collect();
    if written.is_empty() {
        return None;
    }
    let mut moves: Vec<Move> = Vec::new();
    for m in written.iter().flat_map(|w| w.moves(position)) {
        if !moves.contains(&m) {
            moves.push(m);
        }
    }
    Some(moves)
}

/// Whether a text names both squares of a move and no piece: `e7-e5`, `e8g8`, `f7f8Q`.
pub fn is_coordinates(text: &str) -> bool {
    Written::read(text, Language::ENGLISH).is_some_and(|w| {
        let no_piece = |san: &San| matches!(san, San::Normal { role: Role::Pawn, .. }) && both_squares(*san).is_some();
        w.readings.iter().all(no_piece)
    })
}

/// What an algebraic text claims about a move.
pub(super) struct Written {
    /// The ways to read it; more than one only if a letter stands for several pieces.
    pub(super) readings: Vec<San>,
    /// It ends in `e.p.`.
    pub(super) en_passant: bool,
}

impl Written {
    /// What `text` claims, with the piece letters of one language;
    /// `None` if it is not written like a move. A capital at the start of `E4` is forgiven.
    pub(super) fn read(text: &str, language: Language) -> Option<Written> {
        let marks = ['+', '#', '!', '?', '†', '‡'];
        let bare = text.trim().trim_end_matches(marks).trim_end();
        let unmarked = ["e.p.", "e.p", "ep", "(ep)", "(e.p.)"].into_iter().find_map(|mark| bare.strip_suffix(mark));
        let body = unmarked.unwrap_or(bare).trim_end().trim_end_matches(marks);
        let readings = match castling(body) {
            Some(side) => vec![San::Castle(side)],
            None => readings(body, language),
        };
        (!readings.is_empty()).then_some(Written { readings, en_passant: unmarked.is_some() })
    }

    /// The legal moves that fit, each once.
    pub(super) fn moves(&self, position: &Chess) -> Vec<Move> {
        let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
        moves.retain(|m| {
            let fits = self.readings.iter().any(|san| fits(*san, m));
            fits && (m.is_en_passant() || !self.en_passant)
        });
        moves
    }
}

/// The two squares of a text that names both, `e7e5` or `Ng1-f3`; shakmaty reads the first as a
/// pawn's, since no letter stands before it.
pub(super) fn both_squares(san: San) -> Option<(Square, Square)> {
    match san {
        San::Normal { file: Some(file), rank: Some(rank), to, .. } => Some((Square::from_coords(file, rank), to)),
        _ => None,
    }
}

/// Like [`San::matches`], but an `x` may be missing, and two squares need no piece letter.
fn fits(san: San, m: &Move) -> bool {
    let San::Normal { role, file, rank, capture, to, promotion } = san else {
        return san.matches(*m);
    };
    if capture && !m.is_capture() {
        return false;
    }
    if let Some((from, to)) = both_squares(san) {
        let king_takes_rook = Move::Castle { king: from, rook: to };
        return (role == Role::Pawn || role == m.role())
            && (NumericMove::between(from, to, promotion) == Some(NumericMove::of(m))
                || (*m == king_takes_rook && promotion.is_none()));
    }
    let takes_without_file = role == Role::Pawn && m.is_capture() && file.is_none();
    let without_mark = San::Normal { role, file, rank, capture: m.is_capture(), to, promotion };
    without_mark.matches(*m) && !takes_without_file
}

/// Castling in letters or noughts: `O-O`, `0-0-0`, `oo`, `0–0`.
fn castling(text: &str) -> Option<CastlingSide> {
    let mut noughts = 0;
    for character in text.chars() {
        match character {
            'O' | 'o' | '0' | 'О' | 'о' => noughts += 1,
            dash if is_dash(dash) || dash.is_whitespace() => {}
            _ => return None,
        }
    }
    match noughts {
        2 => Some(CastlingSide::KingSide),
        3 => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

/// A hyphen, dash or minus sign.
pub(super) fn is_dash(character: char) -> bool {
    matches!(character, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Every SAN the text can be.
fn readings(text: &str, language: Language) -> Vec<San> {
    let letters = |letter| language.english(letter);
    let mut body: Vec<char> = text
        .replace("Кр", "♔") // the Russian king has two letters
        .replace("Kp", "♔")
        .chars()
        .filter(|c| !is_dash(*c) && !c.is_whitespace() && !matches!(c, '=' | '(' | ')' | '/'))
        .map(|c| if matches!(c, ':' | '×') { 'x' } else { c })
        .collect();
    let promotion = match body.as_slice() {
        [.., '1'..='8', last] if last.is_alphabetic() => body.pop().map(letters),
        _ => None,
    };
    let file = |first: &char| matches!(first, 'a'..='h');
    let piece = match body.first() {
        Some(first) if !file(first) => Some(letters(*first)),
        _ => None,
    };
    let squares: String = body.iter().skip(usize::from(piece.is_some())).collect();
    let read = readings_of(piece, &squares, promotion);
    match body.first().map(char::to_ascii_lowercase) {
        Some(first) if read.is_empty() && file(&first) => {
            let squares: String = std::iter::once(first).chain(body.into_iter().skip(1)).collect();
            readings_of(None, &squares, promotion)
        }
        _ => read,
    }
}

/// The SANs of one piece letter each (`None`: no letter stands there), as shakmaty reads them.
fn readings_of(piece: Option<&str>, squares: &str, promotion: Option<&str>) -> Vec<San> {
    let each = |letters: Option<&str>, sign: &str| match letters {
        None => vec![String::new()],
        Some(letters) => letters.chars().map(|c| format!("{sign}{c}")).collect(),
    };
    let tails = each(promotion, "=");
    each(piece, "")
        .into_iter()
        .flat_map(|head| {
            let tails = tails.iter();
            tails.filter_map(move |tail| format!("{head}{squares}{tail}").parse::<San>().ok())
        })
        .filter(|san| matches!(san, San::Normal { .. }))
        .collect()
}
