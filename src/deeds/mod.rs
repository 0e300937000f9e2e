//! What the player does beside choosing a move: one path for every surface that he does it on.
//!
//! A deed is proposed first: the record and his wish in, a [`Proposal`] out, with what it would change, the letters that it drafts and the
//! doubts that he has to see. Nothing changes before [`Proposal::keep`]. Whoever calls shows the doubts and keeps it on the player's second
//! word. Each letter is a draft to the player himself; nothing goes to an opponent or a director by itself.

use chrono::{DateTime, NaiveDate, Utc};

use crate::choice;
use crate::config::{Config, Me};
use crate::domain::clock::days::Moment;
use crate::domain::clock::ledger::Ledger;
use crate::domain::game::{ClockNote, Game, GameId};
use crate::io::store::{Care, EventRow, Store, StoreError, StoredGame};
use crate::letters::{self, Errand, LetterError, ReadsAs};

pub mod announce;
pub mod by_position;
pub mod claim;
pub mod ending;
pub mod held;
pub mod leave;
pub mod mailed;
pub mod message;
mod missed;
pub mod play;
pub mod repeat;
pub mod today;
pub mod unheard;

/// Why a deed is not done. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The record or the rules do not allow it; with what would help.
    #[error("{0}")]
    NotDone(String),
    /// It is done on the player's second word.
    #[error("{0}")]
    SecondWord(String),
    /// It is no legal move, or its words are more than words.
    #[error("{0}")]
    NoMove(String),
    /// No game of the record is meant.
    #[error("{0}")]
    NoGame(String),
    /// The database cannot do its part.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Refusal {
    /// It cannot be done, for this reason.
    pub fn not_done(why: impl ToString) -> Refusal {
        Refusal::NotDone(why.to_string())
    }
}

impl From<LetterError> for Refusal {
    fn from(error: LetterError) -> Refusal {
        Refusal::not_done(error)
    }
}

impl From<choice::Refusal> for Refusal {
    fn from(refusal: choice::Refusal) -> Refusal {
        let why = refusal.to_string();
        match refusal {
            choice::Refusal::NotDue(_) | choice::Refusal::Broken(_) => Refusal::NotDone(why),
            choice::Refusal::NoMove(_)
            | choice::Refusal::Illegal(_)
            | choice::Refusal::Line(_)
            | choice::Refusal::Words(_) => Refusal::NoMove(why),
        }
    }
}

/// Where a deed is done: the player's settings and the instant.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    /// His configuration.
    pub config: &'a Config,
    /// Now.
    pub now: DateTime<Utc>,
}

impl Around<'_> {
    /// Who he is.
    pub fn me(&self) -> &Me {
        &self.config.me
    }

    /// The clocks of a game.
    ///
    /// # Errors
    /// The rules of the game are not known, or its record does not fit them.
    pub fn ledger(&self, game: &Game) -> Result<Ledger, Refusal> {
        self.config.me.ledger(game).map_err(Refusal::not_done)
    }

    /// Now at the player's place, for what is dated by it.
    ///
    /// # Errors
    /// A machine whose clock cannot be right dates nothing.
    pub async fn moment(&self, store: &mut Store) -> Result<Moment, Refusal> {
        let day = today::Day::of(store, self.config.me.timezone, self.now, None).await?;
        day.believed().map(|_| day.moment())
    }

    /// The same, its day alone.
    ///
    /// # Errors
    /// Those of [`Around::moment`].
    pub async fn today(&self, store: &mut Store) -> Result<NaiveDate, Refusal> {
        Ok(self.moment(store).await?.day)
    }
}

/// A deed that waits for the player's consent.
#[derive(Debug)]
pub struct Proposal {
    /// What he is told of it, lines with line ends.
    pub said: String,
    /// What he has to do then, likewise.
    pub next: String,
    /// The texts of the letters that it drafts.
    pub letters: Vec<String>,
    /// What speaks against it; with none of them it is done at his first word.
    pub doubts: Vec<String>,
    /// What it keeps.
    pub care: Care,
}

impl Proposal {
    /// One that only enters something: no letter is drafted.
    fn entry(said: String, doubts: Vec<String>, care: Care) -> Proposal {
        Proposal { said, next: String::new(), letters: Vec::new(), doubts, care }
    }

    /// One that enters a note about the ply that is due in a game, with the word and the sentence of the journal.
    fn note(
        game: &GameId,
        note: ClockNote,
        (kind, text): (&str, String),
        said: String,
        doubts: Vec<String>,
    ) -> Proposal {
        let (notes, events) = (vec![(game.clone(), note)], vec![event(game, kind, text)]);
        Proposal::entry(said, doubts, Care { notes, events, ..Care::default() })
    }

    /// Keeps it, in one transaction. Its letters wait for delivery to the player.
    ///
    /// # Errors
    /// [`Refusal::Store`]; nothing is kept then.
    pub async fn keep(&self, store: &mut Store, now: DateTime<Utc>) -> Result<(), Refusal> {
        Ok(store.take_care(&self.care, now).await?)
    }

    /// To whom its first letter is delivered.
    pub fn recipient(&self) -> Option<&str> {
        self.care.outgoing.first().map(|letter| letter.recipient.as_str())
    }
}

/// A letter about one game, with what is told and kept of it.
struct OneLetter<'a> {
    thread: &'a StoredGame,
    errand: Errand<'a>,
    /// What the player is told first, with its line end.
    said: String,
    /// What speaks against it.
    doubts: Vec<String>,
    note: Option<ClockNote>,
    /// The word and the sentence of the journal.
    journal: (&'a str, String),
}

impl OneLetter<'_> {
    fn proposed(self, around: Around<'_>) -> Result<Proposal, Refusal> {
        let OneLetter { thread, errand, mut said, doubts, note, journal: (kind, text) } = self;
        let id = &thread.game.id;
        said.extend(errand.hints.iter().map(|hint| format!("Note: {hint}\n")));
        let letter = letters::errand(&thread.game, &thread.root_message_id, &errand, around.me(), around.now)?;
        let care = Care {
            notes: note.map(|note| (id.clone(), note)).into_iter().collect(),
            events: vec![event(id, kind, text)],
            outgoing: vec![letter.into_notice(Some(id.clone()))],
            ..Care::default()
        };
        Ok(Proposal { said, next: String::new(), letters: vec![errand.body.to_owned()], doubts, care })
    }
}

/// The game goes on; else why not.
///
/// # Errors
/// [`Refusal::NotDone`].
pub fn running(game: &Game) -> Result<(), Refusal> {
    letters::ended(game).map_or(Ok(()), |why| Err(Refusal::NotDone(why)))
}

/// Nothing was entered, for this reason.
fn not_entered<T>(why: impl std::fmt::Display) -> Result<T, Refusal> {
    Err(Refusal::NotDone(format!("{why}\nhelp: nothing was entered")))
}

/// What is entered has happened by today.
fn has_come(on: NaiveDate, today: NaiveDate) -> Result<(), Refusal> {
    if on > today { not_entered(format!("{on} has not come yet; today is {today}")) } else { Ok(()) }
}

/// A line of the journal.
pub fn event(game: &GameId, kind: &str, text: String) -> EventRow {
    EventRow { game: Some(game.clone()), kind: kind.to_owned(), text }
}

/// Words of the player's that go to the opponent: never a move; the doubts that they raise.
fn screened(game: &Game, words: &str, today: NaiveDate) -> Result<Vec<String>, Refusal> {
    let text: String = words.chars().filter(|c| !c.is_control() || *c == '\n').collect();
    if text.trim().is_empty() {
        return Err(Refusal::not_done("the text is empty\nhelp: say what you want to write with -m TEXT"));
    }
    match letters::reads_as(game, &letters::message_body(&text), today) {
        ReadsAs::Words => Ok(Vec::new()),
        ReadsAs::Doubtful(what) => Ok(vec![format!("the text could be read as more than words: {what}")]),
        ReadsAs::Binding(what) => Err(Refusal::NoMove(format!(
            "the text can be read as a move or as the end of the game: {what}\nhelp: a move is sent with `amici play {} MOVE`; leave it out of the text",
            game.id
        ))),
    }
}

/// Takes a note about the ply that is due out again, the last one that is meant; says so.
async fn take_back(
    store: &mut Store,
    game: &Game,
    (what, on): (&str, Option<NaiveDate>),
    is_meant: impl Fn(&ClockNote) -> bool,
    now: DateTime<Utc>,
) -> Result<String, Refusal> {
    let of_due = |note: &&ClockNote| note.ply == game.due_ply() && is_meant(note) && on.is_none_or(|on| on == note.on);
    let number = game.due();
    let text = |note: &ClockNote| format!("the {what} of {} was taken out: it counts no more for {number}", note.on);
    if let Some(note) = game.clock_notes.iter().rev().find(of_due)
        && store.remove_clock_note(&game.id, note, &event(&game.id, "clock", text(note)), now).await?
    {
        return Ok(format!("For {number} the {what} of {} counts no more.\n", note.on));
    }
    let day = on.map(|on| format!(" of {on}")).unwrap_or_default();
    Err(Refusal::NotDone(format!(
        "no {what}{day} is on record for {number} of game {}\nhelp: nothing was changed",
        game.id
    )))
}
