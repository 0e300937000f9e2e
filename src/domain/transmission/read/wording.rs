//! What the words of a sentence are, without their sense: labels of a row, the head of a table, an announcement, a question.

use super::document::{Clause, Document, End, Kind, Piece, Sentence};
use super::lex;
use super::vocabulary;
use crate::domain::transmission::lexicon::{Key, Keys};

/// The words after a row, where only a row stands before them: "12. 5254 9.4. 11.4. 2 20 scratch that".
pub(super) fn remark(document: &Document<'_>, sentence: &Sentence) -> Option<Sentence> {
    let pieces = sentence.clauses.first()?.pieces.start..sentence.clauses.last()?.pieces.end;
    let is_of = |at: usize| document.pieces.get(at).is_some_and(|p| p.kind != Kind::Word || is_of_row(document, p));
    let from = pieces.clone().find(|at| !is_of(*at))?;
    let is_move = |at: usize| document.pieces.get(at).is_some_and(|piece| piece.kind == Kind::Move);
    if !(pieces.start..from).any(is_move) || (from..pieces.end).any(is_move) {
        return None;
    }
    let behind = sentence.clauses.iter().filter(|clause| clause.pieces.end > from);
    let cut = |clause: &Clause| Clause { pieces: clause.pieces.start.max(from)..clause.pieces.end, ..clause.clone() };
    Some(Sentence { clauses: behind.map(cut).collect(), end: sentence.end })
}

/// The word of its clause that says what the digits of a move count, "6... 1715 is my rating", or the one between its number and it that
/// no lexicon has.
pub(super) fn attached(document: &Document<'_>, clause: &Clause, place: usize) -> Option<String> {
    let pieces = document.pieces_of(clause);
    let ahead = pieces.get(..place.saturating_sub(clause.pieces.start)).unwrap_or_default();
    let between = match ahead {
        [.., number, word] if number.kind != Kind::Word && word.kind == Kind::Word && word.keys.is_empty() => {
            Some(word)
        }
        _ => None,
    };
    let counts = || pieces.iter().find(|piece| piece.keys.counts());
    between.or_else(counts).map(|piece| document.written(piece).to_owned())
}

/// The word by which the clause of a move is no main clause in which its writer plays it: it denies or weighs, tells of another game or of
/// an old move, says that somebody else plays, or the sentence hangs on a condition. Where nothing but a small word announces the move
/// ("now", "so"), so does a word that no lexicon has: it may be the verb, and say who plays.
pub(super) fn against(document: &Document<'_>, sentence: &Sentence, clause: &Clause) -> Option<String> {
    const OPEN: Keys = Keys::all(&[Key::Deny, Key::Weigh, Key::Undecided, Key::Recall, Key::Other, Key::Old]);
    const SAYS: Keys = Keys::all(&[Key::Play, Key::Move, Key::I]);
    let pieces = document.pieces_of(clause);
    let whole = || sentence.clauses.iter().flat_map(|clause| document.pieces_of(clause));
    let has = |key| pieces.iter().any(|piece| piece.keys.has(key));
    let is_of_other = has(Key::Play) && !has(Key::I);
    let is_said = whole().any(|piece| piece.keys.meets(SAYS)) || !whole().any(|piece| piece.keys.has(Key::Announce));
    let is_against = |piece: &&Piece| match piece.keys {
        keys if piece.kind != Kind::Word || is_letter(document, piece) || keys.has(Key::Harmless) => false,
        keys if keys.is_empty() => !is_said,
        // a word that may mean something else names nobody
        keys if keys.has(Key::He) && keys.without(&[Key::He, Key::Common, Key::Distinct]).is_empty() => is_of_other,
        keys => keys.meets(OPEN),
    };
    let condition = || whole().find(|piece| piece.keys.has(Key::Condition) && !piece.keys.has(Key::Harmless));
    pieces.iter().find(is_against).or_else(condition).map(|piece| document.written(piece).to_owned())
}

/// Whether a sentence has the words that announce a move without a number. Two digits, a sign and two digits need more of them: "I am
/// on leave 28-36 June".
pub(super) fn may_announce(document: &Document<'_>, sentence: &Sentence, token: &lex::Token) -> bool {
    const PLAYS: Keys = Keys::all(&[Key::Play, Key::Announce, Key::Move]);
    let needed = if matches!(token, lex::Token::Spaced(_)) { PLAYS } else { PLAYS.and(Keys::of(Key::I)) };
    let mut pieces = sentence.clauses.iter().flat_map(|clause| document.pieces_of(clause));
    pieces.any(|piece| piece.keys.meets(needed))
}

/// Whether a sentence asks: by its sign, or by the last letter of a Japanese one.
pub(super) fn asks(document: &Document<'_>, sentence: &Sentence) -> bool {
    let last = sentence.clauses.last().and_then(|clause| document.pieces_of(clause).last());
    sentence.end == End::Question || last.is_some_and(|piece| document.written(piece).ends_with('か'))
}

/// A single letter says nothing by itself: "b" is Black's move.
fn is_letter(document: &Document<'_>, piece: &Piece) -> bool {
    document.written(piece).chars().nth(1).is_none()
}

/// Whether a word may stand in a row of score: a letter, a label, a mark, a side, a piece, the name of a day or a month.
pub(super) fn is_of_row(document: &Document<'_>, piece: &Piece) -> bool {
    const OF_ROW: Keys = Keys::all(&[Key::Mark, Key::White, Key::Black, Key::Number, Key::Days, Key::Total])
        .and(Keys::all(&Key::PIECES))
        .and(Keys::all(&Key::MONTHS))
        .and(Keys::all(&Key::WEEKDAYS));
    is_letter(document, piece)
        || piece.keys.meets(OF_ROW)
        || document.token(piece).is_some_and(|(_, placed)| vocabulary::is_label(placed))
}

/// Whether a word may stand among dates and numbers: one of a row, the name of a day, or a small word that says nothing.
pub(super) fn is_data(document: &Document<'_>, piece: &Piece) -> bool {
    const DAY: Keys = Keys::all(&[Key::Today, Key::Yesterday, Key::DayBeforeYesterday, Key::SameDay, Key::Date]);
    const SMALL: Keys = DAY.and(Keys::all(&[
        Key::Common,
        Key::Distinct,
        Key::And,
        Key::Of,
        Key::This,
        Key::I,
        Key::Within,
        Key::AmongDates,
        Key::AmongDays,
    ]));
    is_of_row(document, piece) || (!piece.keys.is_empty() && piece.keys.minus(SMALL).is_empty())
}

/// The head of a table: "No. Move Rec. Sent Days Total".
pub(super) fn is_head<'d>(pieces: impl Iterator<Item = &'d Piece>) -> bool {
    const COLUMNS: [&[Key]; 4] = [
        &[Key::Received, Key::ReceivedShort],
        &[Key::Sent, Key::SentShort],
        &[Key::Days, Key::DaysShort],
        &[Key::Total, Key::TotalShort],
    ];
    let (mut keys, mut count) = (Keys::default(), 0);
    for piece in pieces {
        (keys, count) = (keys | piece.keys, count + 1);
    }
    let columns = COLUMNS.into_iter().filter(|names| keys.has_any(names)).count();
    columns >= 3 || (columns == 2 && count <= 5)
}

/// Whether it is about a draw or the end of the game, or asks for a move once more: what it denies and weighs is that.
pub(super) fn speaks_of_result(keys: Keys) -> bool {
    keys.has(Key::AsksRepeat)
        || keys.has_any(&Key::OF_RESULT) && !keys.has_any(&[Key::Move, Key::Play, Key::Recall, Key::Undecided])
}
