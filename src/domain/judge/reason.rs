//! Why a mail was not simply taken: each reason says what stands in the mail, where, and what it is held against.

use std::fmt;

use chrono::NaiveDate;

use crate::domain::game::{GameId, MoveNumber};
use crate::domain::notation::{IllegalMove, NumericMove};
use crate::domain::transmission::read::{Event, Written};

/// The reason of a verdict, in words the player can act on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it; line numbers count from 1 in the mail's text")]
pub enum Reason {
    #[error("no move was found in his own words")]
    NoMove,
    #[error("the text of this mail could not be read: {0}")]
    Unreadable(String),
    #[error("the part `{0}` may hold the move and is not read; compare it by hand")]
    UnreadPart(String),
    #[error("invisible characters stand among the digits of this mail")]
    HiddenCharacters,
    #[error("line {line}: he writes {number} {his}, the record has {number} {recorded}")]
    Contradiction { line: usize, number: MoveNumber, his: Written, recorded: NumericMove },
    #[error(
        "line {line}: he reads your move as {number} {his}, your draft says {number} {planned}; was the draft changed before it was sent?"
    )]
    ReadsAnotherMove { line: usize, number: MoveNumber, his: Written, planned: NumericMove },
    #[error("line {line}: he writes {number} {his}, but {due} is due; the record may lack a move of yours")]
    NumberAhead { line: usize, number: MoveNumber, his: Written, due: MoveNumber },
    #[error("line {line}: move number {number} lies before the start of the game")]
    NumberBehind { line: usize, number: MoveNumber },
    #[error("two moves are given for {number}: {first} (line {first_line}) and {second} (line {second_line})")]
    TwoMoves { number: MoveNumber, first: Written, first_line: usize, second: Written, second_line: usize },
    #[error("line {line}: {his} stands in a sentence (\"{word}\"), so it may not be his move")]
    InSentence { line: usize, his: Written, word: String },
    #[error("line {line}: the condition \"{words}\" is not understood")]
    ConditionUnclear { line: usize, words: String },
    #[error("line {line}: the conditional moves \"{words}\" do not play out: {why}")]
    OfferNotPlayable { line: usize, words: String, why: String },
    #[error("line {line}: he goes on to {number} {his}, and no conditional line of yours leads there")]
    BeyondYourLines { line: usize, number: MoveNumber, his: Written },
    #[error(
        "line {line}: he plays into your conditional line, but writes {number} {his} where you promised {promised}; \
         he may have overlooked it"
    )]
    OtherThanPromised { line: usize, number: MoveNumber, his: Written, promised: NumericMove },
    #[error(
        "he repeats your promised {number} {promised} and adds no move of his own; ask him whether he takes the line"
    )]
    PromiseUnanswered { number: MoveNumber, promised: NumericMove },
    #[error("line {line}: {number} {his} cannot be played behind your conditional line: {why}")]
    NotPlayable { line: usize, number: MoveNumber, his: Written, why: String },
    #[error("line {line}: the mail speaks of a move that he denies, asks about or only thinks of")]
    Doubtful { line: usize },
    #[error("line {line}: the mail speaks of {event}: \"{words}\"")]
    Said { line: usize, event: Event, words: String },
    #[error("the subject speaks of {event}: \"{words}\"")]
    SaidInSubject { event: Event, words: String },
    #[error("line {line}: he resigns (\"{words}\") and gives a move")]
    ResignsAndMoves { line: usize, words: String },
    #[error("line {line}: he accepts a draw that you did not offer: \"{words}\"")]
    NotOffered { line: usize, words: String },
    #[error("no move was found in his own words; he writes: \"{0}\"")]
    Announces(String),
    #[error("line {line}: {other} would be legal too, beside {his}")]
    AnotherNumber { line: usize, his: Written, other: Written },
    #[error("line {line}: \"{algebraic}\" and {his} are different moves")]
    Notations { line: usize, algebraic: String, his: Written },
    #[error("line {line}: \"{word}\" stands beside {his}, which moves another piece")]
    AnotherPiece { line: usize, his: Written, word: String },
    #[error("line {line}: the position shown there is not the one after {his}")]
    AnotherBoard { line: usize, his: Written },
    #[error(
        "the game in this mail is between {white} (White) and {black} (Black), who are not the players of this one"
    )]
    OtherPlayers { white: String, black: String },
    #[error("line {line}: {number} {text} is no move: {why}")]
    BadToken { line: usize, number: MoveNumber, text: String, why: String },
    #[error("line {line}: {number} {his} is not legal: {why}")]
    NotLegal { line: usize, number: MoveNumber, his: Written, why: Box<IllegalMove> },
    #[error("line {line}: no piece can make the move {number} {his}")]
    NoSuchMove { line: usize, number: MoveNumber, his: Written },
    #[error("line {line}: {number} {his} fits more than one legal move")]
    Ambiguous { line: usize, number: MoveNumber, his: Written },
    #[error("line {line}: {number} {his} is in a notation that this game has not agreed on")]
    NotAgreed { line: usize, number: MoveNumber, his: Written },
    #[error("the attached file gives {number} {attached}, the text gives {text}")]
    FileDiffers { number: MoveNumber, attached: Written, text: Written },
    #[error("the plain text and the HTML of this mail do not give the same move")]
    ViewsDiffer,
    #[error("the subject gives {number} {subject}, the text gives {text}")]
    SubjectDiffers { number: MoveNumber, subject: Written, text: Written },
    #[error("the move {number} {his} stands in the subject only")]
    OnlyInSubject { number: MoveNumber, his: Written },
    #[error("line {line}: {number} {his} stands inside quoted text, so it may be his move or an old remark")]
    InQuote { line: usize, number: MoveNumber, his: Written },
    #[error("you are on the move: the record waits for your {0}, and he repeats nothing that it has")]
    NotHisTurn(MoveNumber),
    #[error(
        "he answers, but your drafted {number} {planned} was not seen to be sent and he does not repeat it; \
         if you sent it, say on which day: `amici sent {game} --on {}`", .on.map_or("DATE".to_owned(), |on| on.to_string())
    )]
    PlanNotSeenSent { number: MoveNumber, planned: NumericMove, game: GameId, on: Option<NaiveDate> },
    #[error("the game is over")]
    GameOver,
    #[error("the stored record does not play out: {0}")]
    RecordBroken(String),
    #[error("two or more of your games with him are running, and it is not clear which of them this is about")]
    WhichGame,
    #[error("the mail names more than one of your games, and not clearly which of its lines belong to which")]
    SeveralGames,
    #[error("the mail gives no move in {0} yet")]
    NoMoveHere(String),
    #[error("{from} is not an address of {opponent}, the opponent of {game}")]
    NotTheOpponent { from: String, opponent: String, game: String },
    #[error("{0}")]
    NotProven(Box<NotProven>),
    #[error("each move from {from} waits for your word: `amici accept {game} MOVE` records it")]
    ToConfirm { from: String, game: String },
    #[error("the sender cannot be told: {0}")]
    NoSender(String),
    #[error("this mail has the Message-ID of one that was taken in before, but says something new")]
    MessageIdReused,
    #[error("automatic mail ({0}); it gives no move and is never answered")]
    Automatic(String),
    #[error("it gives a move, but {0}; a person must look")]
    MarkedAutomatic(String),
    #[error("a letter of the tournament director ({0})")]
    Director(String),
    #[error("a copy of your own mail")]
    OwnCopy,
    #[error("{0} is not an opponent of any game")]
    Stranger(String),
    #[error("this program stopped each time it read this mail, so it was set aside")]
    Poison,
    #[error("the mail is {size} bytes, more than the {limit} that are fetched; read it in your mail client")]
    TooLarge { size: u64, limit: u64 },
}

impl Reason {
    /// The lines it speaks of, counted from 1 in the mail's text; 0 is the subject. Those who show a reason show them too.
    pub fn lines(&self) -> Vec<usize> {
        match self {
            Reason::Contradiction { line, .. }
            | Reason::ReadsAnotherMove { line, .. }
            | Reason::NumberAhead { line, .. }
            | Reason::NumberBehind { line, .. }
            | Reason::InSentence { line, .. }
            | Reason::ConditionUnclear { line, .. }
            | Reason::OfferNotPlayable { line, .. }
            | Reason::BeyondYourLines { line, .. }
            | Reason::OtherThanPromised { line, .. }
            | Reason::NotPlayable { line, .. }
            | Reason::Said { line, .. }
            | Reason::ResignsAndMoves { line, .. }
            | Reason::NotOffered { line, .. }
            | Reason::Doubtful { line }
            | Reason::AnotherNumber { line, .. }
            | Reason::Notations { line, .. }
            | Reason::AnotherPiece { line, .. }
            | Reason::AnotherBoard { line, .. }
            | Reason::BadToken { line, .. }
            | Reason::NotLegal { line, .. }
            | Reason::NoSuchMove { line, .. }
            | Reason::Ambiguous { line, .. }
            | Reason::NotAgreed { line, .. }
            | Reason::InQuote { line, .. } => vec![*line],
            Reason::TwoMoves { first_line, second_line, .. } => vec![*first_line, *second_line],
            Reason::SubjectDiffers { .. } | Reason::OnlyInSubject { .. } | Reason::SaidInSubject { .. } => vec![0],
            _ => Vec::new(),
        }
    }
}

/// A mail without the proof of its sender that the player asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotProven {
    /// Who it says it is from.
    pub from: String,
    /// The domain that should vouch for him, or did so far.
    pub domain: String,
    /// How many of his mails came with a pass, and the day of the last; `None` where every mail has to.
    pub before: Option<(u32, NaiveDate)>,
    /// What was found in this one.
    pub found: String,
    /// The game.
    pub game: String,
}

impl fmt::Display for NotProven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotProven { from, domain, before, found, game } = self;
        match before {
            None => write!(f, "{from} is believed only with a DKIM or DMARC pass for {domain}, but {found}")?,
            Some((mails, last)) => write!(
                f,
                "mails of {from} came with a pass for {domain} ({mails} so far, the last on {last}), but of this one {found}"
            )?,
        }
        write!(f, "; if it is his, `amici accept {game} MOVE` records the move you read in it")
    }
}
