//! The one decision: what a message means for a game.
//!
//! A move is accepted only if every reading of the mail gives the same one, at the number that is due, legal in the recorded
//! position, and nothing in the sender's words speaks against it. In every other case the mail is held with its reason.
//! Wrong = 0 is the first law, asking rarely the second.

use chrono::{FixedOffset, NaiveDate};
use shakmaty::Position;

use super::clock::ledger::Ledger;
use super::game::{Game, MoveNumber, Stated};
use super::notation::{Language, NumericMove, Spelling};
use super::replay::Replay;
use super::transmission::read::{Claim, Event, Reading, Spoken, Written};
use crate::languages;
use crate::languages::Phrase;
use crate::phrase;
use crate::say;

mod alignment;
mod arithmetic;
mod assess;
mod beside;
mod cause;
mod conditional;
pub mod discrepancy;
mod elsewhere;
mod events;
mod framing;
mod given;
mod lacks;
mod legal;
mod meaning;
pub mod objection;
mod reason;
mod repeat;
mod sorted;

pub use cause::{Cause, stands_in};
pub use conditional::ANY;
pub use discrepancy::Row;
pub use framing::{frame, known_dates};
pub use lacks::{Missing, NotProven};
pub use reason::Reason;

/// All that is known of one mail, apart from the game.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// The sender's own words, once for each form the mail has (plain text, HTML).
    pub views: Vec<Reading>,
    /// The subject line.
    pub subject: Reading,
    /// Games in attached files, as PGN.
    pub attached: Vec<Reading>,
    /// Quoted lines: compared, and the source of a move only where he typed it below our last row.
    pub quoted: Reading,
    /// He can have typed into the quotation: all its lines are marked as such, and nothing in it is hidden.
    pub may_be_typed: bool,
    /// The day of the Date header in the sender's own offset, if it can be true.
    pub header_sent: Option<NaiveDate>,
    /// That offset: where he was when he wrote.
    pub place: Option<FixedOffset>,
    /// Invisible or direction-changing characters stand among digits.
    pub hidden_characters: bool,
    /// Parts that may hold a move and are not read.
    pub unread_parts: Vec<String>,
    /// A mail with this Message-ID was taken in before.
    pub seen: bool,
    /// The mail answers the message that the player's plan drafted.
    pub answers_plan: bool,
    /// The program is to send the player's plan itself and did not try to yet: nobody can have it.
    pub plan_is_untried: bool,
    /// Somebody else may have written it and guessed the plan: something could prove its sender, and nothing does.
    pub is_unproven: bool,
    /// It was written before the player's last move went out, or answers an older mail of his.
    pub is_older: bool,
}

impl Evidence {
    /// All that he says himself: in the mail and in the files that he attached.
    fn spoken(&self) -> impl Iterator<Item = &Reading> {
        self.views.iter().chain(&self.attached)
    }
}

/// How a mail is asked what it means.
#[derive(Debug, Clone, Default)]
pub struct Asks {
    /// The player says that it gives this move.
    pub given: Option<NumericMove>,
    /// The numbers of its moves do not count.
    pub without_numbers: bool,
    /// It may be in this language of pieces too, or name squares.
    pub language: Option<Language>,
}

/// A move that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The plies before his move where he plays into a conditional line of the player's: accepted conditions and promised
    /// replies, in order. They take no time and carry no dates. Mostly empty.
    pub before: Vec<(MoveNumber, NumericMove)>,
    /// The opponent's move, the last one that the mail gives, in the standard form.
    pub numeric: NumericMove,
    /// Its place on the score sheet.
    pub number: MoveNumber,
    /// The reply that the player promised to it in a conditional line: he is bound to it.
    pub promised: Option<(MoveNumber, NumericMove)>,
    /// The lines he offers after it: the player's ply, his reply, ...; [`ANY`] for any move.
    pub conditionals: Vec<Vec<String>>,
    /// What the sender states of it.
    pub stated: Stated,
    /// The day of sending that counts where he states none: the Date header's. None where a date of his stands unread;
    /// a discrepancy tells then that the day of his mail counts for the time being.
    pub header_sent: Option<NaiveDate>,
    /// The mail proves that the player's planned move was sent.
    pub confirms_plan: bool,
    /// He offers a draw with it.
    pub draw_offer: bool,
    /// What he states and what the record makes of it, where they differ.
    pub discrepancies: Vec<Phrase>,
    /// The rows of his table that repeat the record, and the new one: what he shows of dates and days.
    pub table: Vec<Row>,
    /// What he announces besides, in his own words: leave, claims, a new address.
    pub notes: Vec<String>,
    /// The same as it was understood, each once.
    pub announced: Vec<Event>,
}

impl Accepted {
    /// What differs, in English: what the record keeps.
    pub fn differs(&self) -> Vec<String> {
        self.discrepancies.iter().map(Phrase::in_english).collect()
    }

    /// Every ply that the mail adds to the record.
    pub fn plies(&self) -> Vec<NumericMove> {
        self.before.iter().map(|(_, numeric)| *numeric).chain([self.numeric]).collect()
    }

    /// The same with their numbers, in words: `9... 6877 10. 5171 10... 4746`.
    pub fn plies_in_words(&self) -> String {
        let before = self.before.iter().map(|(number, numeric)| format!("{number} {numeric} "));
        before.collect::<String>() + &format!("{} {}", self.number, self.numeric)
    }
}

/// A mail with nothing new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    /// What it repeats, and where it differs.
    pub text: Phrase,
    /// It shows other dates or days than the record.
    pub differs: bool,
}

/// What a mail means for a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// One new move.
    Accepted(Box<Accepted>),
    /// He resigns, in these words. The player confirms before the game is closed.
    Resignation(String),
    /// He accepts the player's offer of a draw, in these words. The player confirms before the game is closed.
    DrawAccepted(String),
    /// Nothing new: a repeat of what is on record.
    Repeat(Repeated),
    /// A person must look; with the legal moves it may mean.
    Held {
        /// Why.
        reason: Reason,
        /// The legal readings.
        candidates: Vec<NumericMove>,
    },
    /// He clearly gave this move, and it is not legal.
    Illegal(Reason),
    /// It names a game, but does not come from the opponent of that game.
    WrongSender(Reason),
    /// It is not about a game.
    NotAMove(Reason),
}

impl Verdict {
    /// The outcome's word in the data.
    pub fn outcome(&self) -> &'static str {
        match self {
            Verdict::Accepted(_) => "move",
            Verdict::Resignation(_) => "resignation",
            Verdict::DrawAccepted(_) => "draw_accept",
            Verdict::Repeat(_) => "duplicate",
            Verdict::Held { .. } => "needs_human",
            Verdict::Illegal(_) => "illegal",
            Verdict::WrongSender(_) => "wrong_sender",
            Verdict::NotAMove(_) => "not_game_mail",
        }
    }

    /// Why, in English, as it is kept.
    pub fn reason(&self) -> String {
        self.reason_in(languages::Language::English)
    }

    /// Why, in words of this language.
    pub fn reason_in(&self, language: languages::Language) -> String {
        match self {
            Verdict::Accepted(accepted) => {
                let moves = accepted.plies_in_words();
                let fits = match accepted.before.is_empty() {
                    true => say!(language, "{moves} fits the record and is legal", moves),
                    false => say!(language, "{moves} takes your conditional line and is legal", moves),
                };
                let bound = accepted.promised.map(|(number, reply)| {
                    format!("; {}", say!(language, "you are bound to {number} {reply}", number, reply))
                });
                fits + &bound.unwrap_or_default()
            }
            Verdict::Resignation(words) => say!(language, "he resigns: \"{words}\"", words),
            Verdict::DrawAccepted(words) => say!(language, "he accepts your offer of a draw: \"{words}\"", words),
            Verdict::Repeat(repeated) => repeated.text.in_words(language),
            _ => self.doubt().map(|reason| reason.in_words(language)).unwrap_or_default(),
        }
    }

    /// Held without a known reading.
    pub fn held(reason: Reason) -> Verdict {
        Verdict::Held { reason, candidates: Vec::new() }
    }
}

/// The record with the plan behind it, played out: what the next mail is held against.
pub(crate) struct Expected<'a> {
    game: &'a Game,
    moves: Vec<NumericMove>,
    replay: Replay,
    /// The clocks; a game with unusable rules is refused long before.
    ledger: Option<Ledger>,
    /// The index of the planned ply, if there is a plan.
    plan: Option<usize>,
    notations: meaning::Notations,
    asks: &'a Asks,
    /// The mail was written before the player's last move went out.
    is_older: bool,
}

impl Expected<'_> {
    fn number(&self, index: usize) -> MoveNumber {
        self.game.number_of(index)
    }

    /// The index of the ply that is due.
    fn due(&self) -> usize {
        self.moves.len()
    }

    fn opponent_is_due(&self) -> bool {
        self.number(self.due()).side != self.game.me
    }

    /// The index of the opponent's last ply on record.
    fn last_of_opponent(&self) -> Option<usize> {
        self.due().checked_sub(if self.opponent_is_due() { 2 } else { 1 })
    }

    /// The index of the ply whose number a claim has.
    fn index_of(&self, claim: &Claim) -> Option<usize> {
        self.number(0).plies_to(claim.number?)
    }

    /// The day on which the last ply on record was sent.
    fn answered(&self) -> Option<NaiveDate> {
        self.ledger.as_ref()?.plies().last()?.sent.map(|sent| sent.day)
    }

    /// Whether a day lies before the move that a mail of it would answer, by more than a time zone.
    fn is_earlier(&self, day: NaiveDate) -> bool {
        self.answered().is_some_and(|answered| (answered - day).num_days() > 1)
    }

    /// The ply on record that a claim repeats with its number.
    fn repeated(&self, claim: &Claim) -> Option<usize> {
        self.index_of(claim).filter(|index| self.means(*index, &claim.written))
    }

    /// The last ply on record that was played as it is written here.
    fn played(&self, written: &Written) -> Option<usize> {
        (0..self.due()).rev().find(|index| self.means(*index, written))
    }
}

/// What a mail means for this game.
pub fn judge(game: &Game, evidence: &Evidence) -> Verdict {
    judge_asked(game, evidence, &Asks::default())
}

/// The same, asked in another way.
pub fn judge_asked(game: &Game, evidence: &Evidence, asks: &Asks) -> Verdict {
    let planned = game.with_plan_recorded();
    let replay = match planned.replay() {
        Ok(replay) => replay,
        Err(broken) => return Verdict::held(Reason::RecordBroken(broken.to_string())),
    };
    let expected = Expected {
        game,
        moves: planned.moves.iter().map(|m| m.numeric).collect(),
        plan: game.plan.as_ref().and_then(|_| planned.moves.len().checked_sub(1)),
        notations: meaning::Notations::of(game, asks.language),
        asks,
        is_older: evidence.is_older,
        ledger: Ledger::of(&planned).ok(),
        replay,
    };
    let given = asks.given.map(|numeric| given::given(&expected, evidence, numeric));
    let evidence = given.as_ref().unwrap_or(evidence);
    let evidence = &*alignment::aligned(&expected, evidence);
    let heard = events::weigh(&expected, evidence, assess::assess(&expected, evidence));
    if evidence.seen {
        return repeat::seen_before(&expected, evidence, heard);
    }
    if game.result.is_some() {
        return Verdict::held(Reason::GameOver);
    }
    heard.unwrap_or_else(|assess::Doubt { reason, candidates, illegal }| match illegal && candidates.is_empty() {
        true => Verdict::Illegal(reason),
        false => Verdict::Held { reason, candidates },
    })
}

/// The verdict on a move with what he says besides.
fn accept(expected: &Expected<'_>, evidence: &Evidence, found: assess::Found, said: &[&Spoken]) -> Verdict {
    if expected.replay.position().is_game_over() {
        return Verdict::held(Reason::GameOver);
    }
    let played = found.played;
    let number = expected.number(expected.due() + played.before.len());
    let numeric = NumericMove::of(&played.legal.played);
    let left_open = found.left_open;
    let dated = evidence.header_sent.filter(|day| !expected.is_earlier(*day));
    let header_sent = dated.filter(|_| found.stated.sent.is_none() && !left_open && !found.differs);
    let mut discrepancies = discrepancy::of_new_move(expected, evidence, number, (found.stated, dated));
    discrepancies.extend(played.discrepancies);
    if played.legal.spelling != Spelling::Standard {
        let written = &played.written;
        discrepancies.push(phrase!("castling was written {written}; the standard form is {numeric}", written, numeric));
    }
    let counts = || match found.stated.sent {
        Some(_) => phrase!("compare them with the mail"),
        None => phrase!("the day of his mail counts until you settle it"),
    };
    if left_open {
        discrepancies.push(phrase!(
            "{number}: his dates could not be read with certainty; {counts}",
            number,
            counts = counts()
        ));
    }
    if found.differs {
        discrepancies.push(phrase!(
            "the mail gives {number} different dates or days in two places; they are left out: {counts}",
            number,
            counts = counts()
        ));
    }
    discrepancies.extend(discrepancy::of_record(expected, &evidence.views));
    let unread = discrepancy::unread(evidence, &found.stated, left_open || found.differs);
    if let Some(numbers) = &unread.numbers {
        discrepancies.push(phrase!(
            "{number}: the numbers {numbers} beside his dates were not read as days; {counts}",
            number,
            numbers,
            counts = counts()
        ));
    }
    let mut table = discrepancy::table(expected, &evidence.views);
    table.retain(|row| row.number != number);
    table.push(Row { unread, ..Row::read(number, found.stated) });
    let notes: Vec<&Spoken> = said.iter().filter(|s| !s.event.decides()).copied().collect();
    let announced = notes.iter().map(|s| s.event.clone());
    Verdict::Accepted(Box::new(Accepted {
        before: played.before,
        numeric,
        number,
        promised: played.promised,
        conditionals: found.offers,
        stated: found.stated,
        header_sent,
        confirms_plan: expected.plan.is_some(),
        draw_offer: said.iter().any(|s| s.event == Event::DrawOffer),
        discrepancies,
        table,
        announced: events::each_once(announced),
        notes: events::words_of(&notes),
    }))
}
