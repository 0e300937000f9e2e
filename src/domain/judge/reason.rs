//! Why a mail was not simply taken: each reason says what stands in the mail, where, and what it is held against.

use std::fmt;

use chrono::NaiveDate;

use super::Verdict;
use crate::domain::game::{GameId, MoveNumber};
use crate::domain::notation::{IllegalMove, NumericMove};
use crate::domain::transmission::read::{Event, Hedge, HedgeKind, Written};

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
    #[error("line {line}: he gives {number} {his}, the record has {number} {recorded}")]
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
    #[error("{}: {}", place(.0.line), in_words(.0))]
    Doubtful(Hedge),
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
    #[error("the mail names another game or other players: {named}")]
    AnotherGame { named: String },
    #[error("line {line}: {his} has no number, and the mail is older than your last move or answers an older one")]
    OlderMail { line: usize, his: Written },
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
    #[error(
        "he answers your {number} {planned}, which you chose and kept back, so that nothing of it was drafted; if you sent it all the \
         same, say so: `amici sent {game}`"
    )]
    PlanKeptBack { number: MoveNumber, planned: NumericMove, game: GameId },
    #[error(
        "he answers your {number} {planned}, which waits to be sent and was not tried yet: he cannot have it; it goes out as you \
         released it, and `amici undo {game}` recalls it"
    )]
    PlanUntried { number: MoveNumber, planned: NumericMove, game: GameId },
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
    #[error("a letter to all players of an event ({0})")]
    Circular(String),
    #[error("a copy of your own mail")]
    OwnCopy,
    #[error("{0} is not an opponent of any game")]
    Stranger(String),
    #[error("this program stopped each time it read this mail, so it was set aside")]
    Poison,
    #[error("the mail is {size} bytes, more than the {limit} that are fetched; read it in your mail client")]
    TooLarge { size: u64, limit: u64 },
}

/// Where something stands, as each reason that speaks of a line begins.
fn place(line: usize) -> String {
    if line == 0 { "the subject".to_owned() } else { format!("line {line}") }
}

/// What a hedge does to the move, with the word that does it.
fn in_words(hedge: &Hedge) -> String {
    let word = &hedge.word;
    match hedge.kind {
        HedgeKind::Denied => format!("\"{word}\" denies the move"),
        HedgeKind::TakenBack => format!("\"{word}\" takes the move back, or calls it wrong"),
        HedgeKind::Weighed => format!("\"{word}\" leaves open whether the move is played"),
        HedgeKind::TalkedOf => format!("\"{word}\" only talks about the move"),
        HedgeKind::Asked => "the sentence asks, so the move may be a question".to_owned(),
        HedgeKind::Conditional => format!("\"{word}\" makes the move depend on something"),
        HedgeKind::Another => format!("\"{word}\" gives the move to somebody else, or to another game"),
        HedgeKind::Old => format!("\"{word}\" calls the move an old one"),
    }
}

impl Reason {
    /// The lines it speaks of, counted from 1 in the mail's text; 0 is the subject. Those who show a reason show them too.
    pub fn lines(&self) -> Vec<usize> {
        self.parts().1
    }

    /// What of the mail it stands on, where it speaks of a line. `text_of` gives the text of a line, in the view that has this word there.
    pub fn cause(&self, text_of: impl FnOnce(usize, &str) -> Option<String>) -> Option<Cause> {
        let (code, lines, word) = self.parts();
        let line = *lines.first()?;
        let text = text_of(line, &word)?;
        let word = Some(word).filter(|word| stands_in(word, &text));
        Some(Cause { line, text, word, code })
    }

    /// Its word in data, the lines it speaks of, and his words there; nothing where it speaks of no line.
    fn parts(&self) -> (&'static str, Vec<usize>, String) {
        let at = |code, line: &usize, word: &dyn fmt::Display| (code, vec![*line], word.to_string());
        let subject = |code, word: &dyn fmt::Display| (code, vec![0], word.to_string());
        match self {
            Reason::Contradiction { line, his, .. } => at("contradiction", line, his),
            Reason::ReadsAnotherMove { line, his, .. } => at("reads-another-move", line, his),
            Reason::NumberAhead { line, his, .. } => at("number-ahead", line, his),
            Reason::NumberBehind { line, number } => at("number-behind", line, number),
            Reason::TwoMoves { first, first_line, second_line, .. } => {
                ("two-moves", vec![*first_line, *second_line], first.to_string())
            }
            Reason::InSentence { line, word, .. } => at("in-sentence", line, word),
            Reason::ConditionUnclear { line, words } => at("condition-unclear", line, words),
            Reason::OfferNotPlayable { line, words, .. } => at("offer-not-playable", line, words),
            Reason::BeyondYourLines { line, his, .. } => at("beyond-your-lines", line, his),
            Reason::OtherThanPromised { line, his, .. } => at("other-than-promised", line, his),
            Reason::NotPlayable { line, his, .. } => at("not-playable", line, his),
            Reason::Doubtful(hedge) => at(hedge.kind.code(), &hedge.line, &hedge.word),
            Reason::Said { line, words, .. } => at("said", line, words),
            Reason::SaidInSubject { words, .. } => subject("said-in-subject", words),
            Reason::ResignsAndMoves { line, words } => at("resigns-and-moves", line, words),
            Reason::NotOffered { line, words } => at("not-offered", line, words),
            Reason::AnotherNumber { line, other, .. } => at("another-number", line, other),
            Reason::Notations { line, algebraic, .. } => at("notations", line, algebraic),
            Reason::AnotherPiece { line, word, .. } => at("another-piece", line, word),
            Reason::AnotherBoard { line, .. } => at("another-board", line, &""),
            Reason::OlderMail { line, his, .. } => at("older-mail", line, his),
            Reason::BadToken { line, text, .. } => at("bad-token", line, text),
            Reason::NotLegal { line, his, .. } => at("not-legal", line, his),
            Reason::NoSuchMove { line, his, .. } => at("no-such-move", line, his),
            Reason::Ambiguous { line, his, .. } => at("ambiguous", line, his),
            Reason::NotAgreed { line, his, .. } => at("not-agreed", line, his),
            Reason::SubjectDiffers { subject: his, .. } => subject("subject-differs", his),
            Reason::OnlyInSubject { his, .. } => subject("only-in-subject", his),
            Reason::InQuote { line, his, .. } => at("in-quote", line, his),
            _ => Default::default(),
        }
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

/// What of a mail a reason stands on, in his own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// Counted from 1 in the mail's text; 0 is the subject.
    pub line: usize,
    /// The whole line.
    pub text: String,
    /// The word on it that the reason names, if it names one that stands there.
    pub word: Option<String>,
    /// The kind of the reason: a word that stays the same.
    pub code: &'static str,
}

impl Cause {
    /// The reason in words with the line quoted: "line 3, `perhaps 5171`: ...".
    pub fn quoted_in(&self, reason: &str) -> String {
        let place = place(self.line);
        match reason.strip_prefix(&place).filter(|rest| rest.starts_with(": ")) {
            Some(rest) => format!("{place}, `{}`{rest}", self.text),
            None => reason.to_owned(),
        }
    }
}

/// Whether a line has these words, or the first of them where they go on in the next line.
pub fn stands_in(words: &str, text: &str) -> bool {
    let first = words.split_whitespace().next();
    first.is_some_and(|first| text.to_lowercase().contains(&first.to_lowercase()))
}

/// What a mail lacks to be believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// A check says that the sender did not write it.
    Refused,
    /// The pass that the player asks of every mail of this sender.
    Always {
        /// The domain that has to vouch for him.
        domain: String,
    },
    /// That nobody can have changed it on its way, or sent an older mail of his again.
    Whole {
        /// What is open in it.
        open: String,
    },
    /// The pass with which his mails came before.
    AsBefore {
        /// The domain that vouched for him.
        domain: String,
        /// How many of his mails came with it.
        mails: u32,
        /// The day of the last of them.
        last: NaiveDate,
    },
}

/// A mail whose sender is not believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotProven {
    /// Who it says it is from.
    pub from: String,
    /// What it lacks.
    pub missing: Missing,
    /// What was found in this one.
    pub found: String,
    /// The game.
    pub game: String,
}

impl fmt::Display for NotProven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotProven { from, missing, found, game } = self;
        match missing {
            Missing::Refused => write!(f, "{found}: this may be a forgery and not from {from}")?,
            Missing::Always { domain } => {
                write!(f, "{from} is believed only with a DKIM or DMARC pass for {domain}, but {found}")?
            }
            Missing::Whole { open } => write!(
                f,
                "{from} is believed only with a whole mail to you, but {open}: somebody else may have sent an older mail of his again"
            )?,
            Missing::AsBefore { domain, mails, last } => write!(
                f,
                "mails of {from} came with a pass for {domain} ({mails} so far, the last on {last}), but of this one {found}"
            )?,
        }
        write!(f, "; if it is his, `amici accept {game} MOVE` records the move you read in it")
    }
}
