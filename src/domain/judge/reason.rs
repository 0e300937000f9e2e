//! Why a mail was not simply taken: each reason says what stands in the mail, where, and what it is held against.

use std::fmt;

use chrono::NaiveDate;

use super::Verdict;
use super::lacks::NotProven;
use crate::domain::game::{GameId, MoveNumber};
use crate::domain::notation::{IllegalMove, NumericMove};
use crate::domain::transmission::read::{Event, Hedge, HedgeKind, Written};
use crate::languages::Language;
use crate::say;

/// The reason of a verdict, in words the player can act on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the sentences say it; line numbers count from 1 in the mail's text")]
pub enum Reason {
    NoMove,
    Unreadable(String),
    UnreadPart(String),
    HiddenCharacters,
    Contradiction { line: usize, number: MoveNumber, his: Written, recorded: NumericMove },
    ReadsAnotherMove { line: usize, number: MoveNumber, his: Written, planned: NumericMove },
    NumberAhead { line: usize, number: MoveNumber, his: Written, due: MoveNumber },
    NumberBehind { line: usize, number: MoveNumber },
    TwoMoves { number: MoveNumber, first: Written, first_line: usize, second: Written, second_line: usize },
    InSentence { line: usize, his: Written, word: String },
    ConditionUnclear { line: usize, words: String },
    OfferNotPlayable { line: usize, words: String, why: String },
    BeyondYourLines { line: usize, number: MoveNumber, his: Written },
    OtherThanPromised { line: usize, number: MoveNumber, his: Written, promised: NumericMove },
    PromiseUnanswered { number: MoveNumber, promised: NumericMove },
    NotPlayable { line: usize, number: MoveNumber, his: Written, why: String },
    Doubtful(Hedge),
    Said { line: usize, event: Event, words: String },
    SaidInSubject { event: Event, words: String },
    ResignsAndMoves { line: usize, words: String },
    NotOffered { line: usize, words: String },
    Announces(String),
    AnotherNumber { line: usize, his: Written, other: Written },
    Notations { line: usize, algebraic: String, his: Written },
    AnotherPiece { line: usize, his: Written, word: String },
    AnotherBoard { line: usize, his: Written },
    AnotherGame { named: String },
    OlderMail { line: usize, his: Written },
    BadToken { line: usize, number: MoveNumber, text: String, why: String },
    NotLegal { line: usize, number: MoveNumber, his: Written, why: Box<IllegalMove> },
    NoSuchMove { line: usize, number: MoveNumber, his: Written },
    Ambiguous { line: usize, number: MoveNumber, his: Written },
    NotAgreed { line: usize, number: MoveNumber, his: Written },
    FileDiffers { number: MoveNumber, attached: Written, text: Written },
    ViewsDiffer,
    SubjectDiffers { number: MoveNumber, subject: Written, text: Written },
    OnlyInSubject { number: MoveNumber, his: Written },
    InQuote { line: usize, number: MoveNumber, his: Written },
    NotHisTurn(MoveNumber),
    PlanNotSeenSent { number: MoveNumber, planned: NumericMove, game: GameId, on: Option<NaiveDate> },
    PlanKeptBack { number: MoveNumber, planned: NumericMove, game: GameId },
    PlanUntried { number: MoveNumber, planned: NumericMove, game: GameId },
    GameOver,
    RecordBroken(String),
    WhichGame,
    SeveralGames,
    NoMoveHere(String),
    NotTheOpponent { from: String, opponent: String, game: String },
    NotProven(Box<NotProven>),
    ToConfirm { from: String, game: String },
    NoSender(String),
    MessageIdReused,
    Automatic(String),
    MarkedAutomatic(String),
    Director(String),
    Circular(String),
    OwnCopy,
    Stranger(String),
    Poison,
    TooLarge { size: u64, limit: u64 },
}

impl Reason {
    /// In words of this language; what the mail says stays as it stands there.
    pub fn in_words(&self, language: Language) -> String {
        match self {
            Reason::Doubtful(hedge) => format!("{}: {}", place(language, hedge.line), hedged(language, hedge)),
            Reason::Said { line, event, words } => {
                say!(
                    language,
                    "line {line}: the mail speaks of {event}: \"{words}\"",
                    line,
                    event = event.in_words(language),
                    words
                )
            }
            Reason::SaidInSubject { event, words } => {
                say!(language, "the subject speaks of {event}: \"{words}\"", event = event.in_words(language), words)
            }
            Reason::PlanNotSeenSent { number, planned, game, on } => {
                let on = on.map_or_else(|| "DATE".to_owned(), |on| on.to_string());
                say!(
                    language,
                    "he answers, but your drafted {number} {planned} was not seen to be sent and he does not repeat it; if you sent it, say on which day: `amici sent {game} --on {on}`",
                    number,
                    planned,
                    game,
                    on
                )
            }
            Reason::NotProven(lacks) => lacks.in_words(language),
            Reason::NoMove => say!(language, "no move was found in his own words"),
            Reason::Unreadable(why) => say!(language, "the text of this mail could not be read: {why}", why),
            Reason::UnreadPart(part) => {
                say!(language, "the part `{part}` may hold the move and is not read; compare it by hand", part)
            }
            Reason::HiddenCharacters => say!(language, "invisible characters stand among the digits of this mail"),
            Reason::Contradiction { line, number, his, recorded } => say!(
                language,
                "line {line}: he gives {number} {his}, the record has {number} {recorded}",
                line,
                number,
                his,
                recorded
            ),
            Reason::ReadsAnotherMove { line, number, his, planned } => say!(
                language,
                "line {line}: he reads your move as {number} {his}, your draft says {number} {planned}; was the draft changed before it was sent?",
                line,
                number,
                his,
                planned
            ),
            Reason::NumberAhead { line, number, his, due } => say!(
                language,
                "line {line}: he writes {number} {his}, but {due} is due; the record may lack a move of yours",
                line,
                number,
                his,
                due
            ),
            Reason::NumberBehind { line, number } => {
                say!(language, "line {line}: move number {number} lies before the start of the game", line, number)
            }
            Reason::TwoMoves { number, first, first_line, second, second_line } => say!(
                language,
                "two moves are given for {number}: {first} (line {first_line}) and {second} (line {second_line})",
                number,
                first,
                first_line,
                second,
                second_line
            ),
            Reason::InSentence { line, his, word } => say!(
                language,
                "line {line}: {his} stands in a sentence (\"{word}\"), so it may not be his move",
                line,
                his,
                word
            ),
            Reason::ConditionUnclear { line, words } => {
                say!(language, "line {line}: the condition \"{words}\" is not understood", line, words)
            }
            Reason::OfferNotPlayable { line, words, why } => say!(
                language,
                "line {line}: the conditional moves \"{words}\" do not play out: {why}",
                line,
                words,
                why
            ),
            Reason::BeyondYourLines { line, number, his } => say!(
                language,
                "line {line}: he goes on to {number} {his}, and no conditional line of yours leads there",
                line,
                number,
                his
            ),
            Reason::OtherThanPromised { line, number, his, promised } => say!(
                language,
                "line {line}: he plays into your conditional line, but writes {number} {his} where you promised {promised}; he may have overlooked it",
                line,
                number,
                his,
                promised
            ),
            Reason::PromiseUnanswered { number, promised } => say!(
                language,
                "he repeats your promised {number} {promised} and adds no move of his own; ask him whether he takes the line",
                number,
                promised
            ),
            Reason::NotPlayable { line, number, his, why } => say!(
                language,
                "line {line}: {number} {his} cannot be played behind your conditional line: {why}",
                line,
                number,
                his,
                why
            ),
            Reason::ResignsAndMoves { line, words } => {
                say!(language, "line {line}: he resigns (\"{words}\") and gives a move", line, words)
            }
            Reason::NotOffered { line, words } => {
                say!(language, "line {line}: he accepts a draw that you did not offer: \"{words}\"", line, words)
            }
            Reason::Announces(words) => {
                say!(language, "no move was found in his own words; he writes: \"{words}\"", words)
            }
            Reason::AnotherNumber { line, his, other } => {
                say!(language, "line {line}: {other} would be legal too, beside {his}", line, his, other)
            }
            Reason::Notations { line, algebraic, his } => {
                say!(language, "line {line}: \"{algebraic}\" and {his} are different moves", line, algebraic, his)
            }
            Reason::AnotherPiece { line, his, word } => say!(
                language,
                "line {line}: \"{word}\" stands beside {his}, which moves another piece",
                line,
                his,
                word
            ),
            Reason::AnotherBoard { line, his } => {
                say!(language, "line {line}: the position shown there is not the one after {his}", line, his)
            }
            Reason::AnotherGame { named } => {
                say!(language, "the mail names another game or other players: {named}", named)
            }
            Reason::OlderMail { line, his } => say!(
                language,
                "line {line}: {his} has no number, and the mail is older than your last move or answers an older one",
                line,
                his
            ),
            Reason::BadToken { line, number, text, why } => {
                say!(language, "line {line}: {number} {text} is no move: {why}", line, number, text, why)
            }
            Reason::NotLegal { line, number, his, why } => {
                let why = why.phrase().in_words(language);
                say!(language, "line {line}: {number} {his} is not legal: {why}", line, number, his, why)
            }
            Reason::NoSuchMove { line, number, his } => {
                say!(language, "line {line}: no piece can make the move {number} {his}", line, number, his)
            }
            Reason::Ambiguous { line, number, his } => {
                say!(language, "line {line}: {number} {his} fits more than one legal move", line, number, his)
            }
            Reason::NotAgreed { line, number, his } => say!(
                language,
                "line {line}: {number} {his} is in a notation that this game has not agreed on",
                line,
                number,
                his
            ),
            Reason::FileDiffers { number, attached, text } => say!(
                language,
                "the attached file gives {number} {attached}, the text gives {text}",
                number,
                attached,
                text
            ),
            Reason::ViewsDiffer => say!(language, "the plain text and the HTML of this mail do not give the same move"),
            Reason::SubjectDiffers { number, subject, text } => {
                say!(language, "the subject gives {number} {subject}, the text gives {text}", number, subject, text)
            }
            Reason::OnlyInSubject { number, his } => {
                say!(language, "the move {number} {his} stands in the subject only", number, his)
            }
            Reason::InQuote { line, number, his } => say!(
                language,
                "line {line}: {number} {his} stands inside quoted text, so it may be his move or an old remark",
                line,
                number,
                his
            ),
            Reason::NotHisTurn(number) => say!(
                language,
                "you are on the move: the record waits for your {number}, and he repeats nothing that it has",
                number
            ),
            Reason::PlanKeptBack { number, planned, game } => say!(
                language,
                "he answers your {number} {planned}, which you chose and kept back, so that nothing of it was drafted; if you sent it all the same, say so: `amici sent {game}`",
                number,
                planned,
                game
            ),
            Reason::PlanUntried { number, planned, game } => say!(
                language,
                "he answers your {number} {planned}, which waits to be sent and was not tried yet: he cannot have it; it goes out as you released it, and `amici undo {game}` recalls it",
                number,
                planned,
                game
            ),
            Reason::GameOver => say!(language, "the game is over"),
            Reason::RecordBroken(why) => say!(language, "the stored record does not play out: {why}", why),
            Reason::WhichGame => say!(
                language,
                "two or more of your games with him are running, and it is not clear which of them this is about"
            ),
            Reason::SeveralGames => say!(
                language,
                "the mail names more than one of your games, and not clearly which of its lines belong to which"
            ),
            Reason::NoMoveHere(game) => say!(language, "the mail gives no move in {game} yet", game),
            Reason::NotTheOpponent { from, opponent, game } => {
                say!(language, "{from} is not an address of {opponent}, the opponent of {game}", from, opponent, game)
            }
            Reason::ToConfirm { from, game } => say!(
                language,
                "each move from {from} waits for your word: `amici accept {game} MOVE` records it",
                from,
                game
            ),
            Reason::NoSender(why) => say!(language, "the sender cannot be told: {why}", why),
            Reason::MessageIdReused => {
                say!(language, "this mail has the Message-ID of one that was taken in before, but says something new")
            }
            Reason::Automatic(why) => {
                say!(language, "automatic mail ({why}); it gives no move and is never answered", why)
            }
            Reason::MarkedAutomatic(why) => say!(language, "it gives a move, but {why}; a person must look", why),
            Reason::Director(from) => say!(language, "a letter of the tournament director ({from})", from),
            Reason::Circular(from) => say!(language, "a letter to all players of an event ({from})", from),
            Reason::OwnCopy => say!(language, "a copy of your own mail"),
            Reason::Stranger(from) => say!(language, "{from} is not an opponent of any game", from),
            Reason::Poison => say!(language, "this program stopped each time it read this mail, so it was set aside"),
            Reason::TooLarge { size, limit } => say!(
                language,
                "the mail is {size} bytes, more than the {limit} that are fetched; read it in your mail client",
                size,
                limit
            ),
        }
    }
}

impl std::error::Error for Reason {}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.in_words(Language::English))
    }
}

/// Where something stands, as each reason that speaks of a line begins.
pub(super) fn place(language: Language, line: usize) -> String {
    if line == 0 { say!(language, "the subject") } else { say!(language, "line {line}", line) }
}

/// What a hedge does to the move, with the word that does it.
fn hedged(language: Language, hedge: &Hedge) -> String {
    let word = &hedge.word;
    match hedge.kind {
        HedgeKind::Denied => say!(language, "\"{word}\" denies the move", word),
        HedgeKind::TakenBack => say!(language, "\"{word}\" takes the move back, or calls it wrong", word),
        HedgeKind::Weighed => say!(language, "\"{word}\" leaves open whether the move is played", word),
        HedgeKind::TalkedOf => say!(language, "\"{word}\" only talks about the move", word),
        HedgeKind::Asked => say!(language, "the sentence asks, so the move may be a question"),
        HedgeKind::Conditional => say!(language, "\"{word}\" makes the move depend on something", word),
        HedgeKind::Another => say!(language, "\"{word}\" gives the move to somebody else, or to another game", word),
        HedgeKind::Old => say!(language, "\"{word}\" calls the move an old one", word),
    }
}

impl Verdict {
    /// Why it was not taken as a move or as nothing new.
    pub fn doubt(&self) -> Option<&Reason> {
        match self {
            Verdict::Held { reason, .. }
            | Verdict::Illegal(reason)
            | Verdict::WrongSender(reason)
            | Verdict::NotAMove(reason) => Some(reason),
            Verdict::Accepted(_) | Verdict::Resignation(_) | Verdict::DrawAccepted(_) | Verdict::Repeat(_) => None,
        }
    }
}
