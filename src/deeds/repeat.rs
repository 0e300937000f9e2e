//! The player's last move once more, as it was first sent, for an opponent who does not answer; and what is entered of repeats and reminders.

use chrono::NaiveDate;

use super::mailed::{say_sent, sent_as};
use super::unheard::{answers, unheard};
use super::{Around, OneLetter, Proposal, Refusal, has_come, not_entered, running, take_back};
use crate::domain::clock::again::{Lost, Sign};
use crate::domain::clock::days::in_words;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::reminder::reminder as his_reminder;
use crate::domain::clock::rules::{DoubleFrom, Ruleset};
use crate::domain::clock::silence::{Silence, announced};
use crate::domain::game::{ClockNote, ClockNoteKind, Game};
use crate::io::store::{Store, StoredGame};
use crate::languages::Language;
use crate::letters::{self, Errand, Whom};
use crate::overview::{Answers, Unheard};

/// What shows that the opponent may not have the player's last move. A move that decides the game asks for no answer, but it has to reach him.
async fn lost(around: Around<'_>, store: &mut Store, game: &Game) -> Result<(Option<Answers>, Option<Lost>), Refusal> {
    let answers = answers(store, around.config, game, around.now).await?;
    let lost = answers.as_ref().and_then(|answers| answers.lost(game, around.now, around.me().timezone));
    if game.result.is_some() || lost.is_none() {
        running(game)?;
    }
    Ok((answers, lost))
}

/// The place of the player's last move in the record, which the opponent has to answer.
fn to_repeat(game: &Game, today: NaiveDate) -> Result<usize, Refusal> {
    if let Some(plan) = &game.plan {
        return Err(Refusal::NotDone(format!(
            "{} {} is drafted and not on record as sent\nhelp: if you sent it, say `{}` first",
            game.due(),
            plan.numeric,
            say_sent(game, today)
        )));
    }
    if game.is_my_turn() {
        return Err(Refusal::NotDone(format!(
            "in game {} the next move is yours, so there is nothing to repeat\nhelp: amici play {} MOVE",
            game.id, game.id
        )));
    }
    game.moves
        .len()
        .checked_sub(1)
        .ok_or_else(|| Refusal::NotDone(format!("game {} has no move of yours to repeat", game.id)))
}

/// The letter with the last move once more, with a copy to the director where the rules want one or the player wishes it.
///
/// # Errors
/// There is no move to repeat, or no letter can be made of it.
pub async fn propose(
    around: Around<'_>,
    store: &mut Store,
    thread: &StoredGame,
    cc_director: bool,
) -> Result<Proposal, Refusal> {
    let game = &thread.game;
    let (answers, lost) = lost(around, store, game).await?;
    let today = around.today(store).await?;
    let index = to_repeat(game, today)?;
    let ledger = around.ledger(game)?;
    let patience = Patience::of(game, &ledger);
    let ply = game.due_ply();
    let wants_copy = patience.as_ref().is_some_and(|patience| patience.wants_copy(today));
    let from = patience.as_ref().and_then(Patience::from).filter(|from| *from <= today).unwrap_or(today);
    let since = ledger.begins(from).map_or(around.now, |begins| begins.to_utc());
    // a repeat of his own asks for it, once
    let counts = |one: &Unheard<'_>| !matches!(one, Unheard::Repeated(_, None));
    let mut doubts = unheard(answers.as_ref(), around.config, game, since, counts)?;
    let is_asked = lost.is_some_and(|lost| lost.sign == Sign::Missed && lost.again.is_none());
    doubts.extend(patience.as_ref().map(|patience| patience.doubts(today, is_asked)).unwrap_or_default());
    let (number, numeric) = (game.number_of(index), game.moves.get(index).map(|m| m.numeric.to_string()));
    let message_id = sent_as(store, thread, index, around.me()).await?;
    let lost = lost.or_else(|| Lost::of(game, index + 1));
    let text = letters::repeat_text(game, message_id.as_deref(), lost, around.me())?;
    let copy = around.me().styles.director_of(&game.event).filter(|_| wants_copy || cc_director);
    let hints = hints(game, message_id.is_none(), (wants_copy || cc_director) && copy.is_none());
    let mut said = format!(
        "{number} {} once more, with its original dates{}.\n",
        numeric.unwrap_or_default(),
        copy.map(|address| format!(", with a copy to the director {address}")).unwrap_or_default(),
    );
    let errand = Errand {
        label: "repeat",
        what: crate::sentence!("your last move once more"),
        body: &text,
        to: Whom::Opponent { copy },
        hints: &hints,
    };
    let counts = match ledger.rules().double_from {
        DoubleFrom::Reminder if lost.is_none() => "His days count double only",
        DoubleFrom::Reminder | DoubleFrom::Day => "It counts only",
    };
    said.push_str(&format!(
        "{counts} from the day on which it really went out: as your Sent folder shows it, or as you say,  amici repeat {} --sent\n",
        game.id
    ));
    let note = Some(ClockNote { ply, kind: ClockNoteKind::Repeated, on: today, until: None });
    let journal = ("repeated", format!("you repeated {number}; a draft was made"));
    OneLetter { thread, errand, said, doubts, note, journal }.proposed(around)
}

/// The player's word that the letter went out on a day, today unless he names it; his opponent's days may count double from then on.
///
/// # Errors
/// It cannot have gone out then, or is on record already.
pub async fn sent(
    around: Around<'_>,
    store: &mut Store,
    thread: &StoredGame,
    on: Option<NaiveDate>,
) -> Result<Proposal, Refusal> {
    let game = &thread.game;
    let (_, lost) = lost(around, store, game).await?;
    let today = around.today(store).await?;
    let index = to_repeat(game, today)?;
    let ledger = around.ledger(game)?;
    let patience = Patience::of(game, &ledger);
    let ply = game.due_ply();
    let on = on.unwrap_or(today);
    let since = patience.as_ref().map(|patience| patience.silence.since());
    let again = lost.filter(|lost| lost.is_answered_on(on));
    let note = again.map_or(ClockNote::reminder(ply, on), |lost| lost.sent_again(ply, on));
    went_out(game, note, since.filter(|_| again.is_none()), today)?;
    let mut said = format!("You repeated {} to {} on {on}.\n", game.number_of(index), game.opponent().name);
    let is_early = patience.as_ref().is_some_and(|patience| !patience.silence.is_reminder(on));
    said.push_str(match again.map(|lost| lost.sign) {
        Some(Sign::CameBack) => "The first mail came back: his days count from this one.\n",
        Some(Sign::Missed) => "He had repeated his own: his silence counts from this mail.\n",
        None => "",
    });
    if ledger.rules().double_from == DoubleFrom::Reminder && is_early && again.is_none() {
        let from = patience.as_ref().and_then(Patience::from).map(|from| format!(" (from {from} on)"));
        said.push_str(&format!(
            "Note: it came before a move may be repeated{}: by the rules of this game it is no reminder, and his days stay single.\n",
            from.unwrap_or_default()
        ));
    }
    let text = format!("you say that you sent {} once more on {on}", game.number_of(index));
    Ok(Proposal::note(&game.id, note, ("repeated", text), said, Vec::new()))
}

/// Enters the opponent's reminder of a day, today unless another is named, where the rules know one on that day.
///
/// # Errors
/// He has nothing to remind the player of, or the rules know no reminder then.
pub async fn reminded(
    around: Around<'_>,
    store: &mut Store,
    game: &Game,
    on: Option<NaiveDate>,
) -> Result<Proposal, Refusal> {
    lost(around, store, game).await?;
    let today = around.today(store).await?;
    let on = on.unwrap_or(today);
    if !game.is_my_turn() {
        return not_entered(format!("in game {} it is his turn: he has nothing to remind you of", game.id));
    }
    has_come(on, today)?;
    let ledger = around.ledger(game)?;
    let Some(note) = his_reminder(game, &ledger, None, on) else {
        return not_entered(no_reminder(game, &ledger, on));
    };
    let (number, name) = (game.due(), &game.opponent().name);
    let text = format!("you say that the opponent reminded you of {number} on {on}");
    let said = format!("{name} reminded you of {number} on {on}.\n");
    Ok(Proposal::note(&game.id, note, ("repeated", text), said, Vec::new()))
}

/// Takes the repeat or reminder out again that was entered last, or that of a day; says so.
///
/// # Errors
/// None is on record.
pub async fn undo(
    around: Around<'_>,
    store: &mut Store,
    game: &Game,
    on: Option<NaiveDate>,
) -> Result<String, Refusal> {
    lost(around, store, game).await?;
    take_back(store, game, ("repeat", on), |note| note.went_out().is_some(), around.now).await
}

/// Why a mail of his of this day is not entered as a reminder.
fn no_reminder(game: &Game, ledger: &Ledger, on: NaiveDate) -> String {
    let due = game.due_ply();
    if game.clock_notes.iter().any(|note| note.ply == due && note.reminded() == Some(on)) {
        return format!("a reminder of {on} is on record already");
    }
    let silence = Silence::of(game, ledger);
    let first = silence.as_ref().and_then(|silence| {
        let after = silence.repeats().next()?;
        Some(format!("one counts from {} on, after {} of silence", silence.after(after)?, in_words(after)))
    });
    let first = first.unwrap_or_else(|| "they know none".to_owned());
    format!("by the rules of this game a mail of {on} is no reminder: {first}")
}

/// Whether the move can have gone out once more on the day of this note, by the player's word.
fn went_out(game: &Game, note: ClockNote, since: Option<NaiveDate>, today: NaiveDate) -> Result<(), Refusal> {
    let on = note.on;
    has_come(on, today)?;
    if let Some(since) = since.filter(|since| on <= *since) {
        return not_entered(format!("{on} does not lie after {since}, from which day his silence counts"));
    }
    if game.clock_notes.contains(&note) {
        return not_entered("this is on record already");
    }
    Ok(())
}

fn hints(game: &Game, id_unknown: bool, copy_missing: bool) -> Vec<String> {
    let mut hints = Vec::new();
    if copy_missing {
        hints.push(letters::no_director(game, Language::English));
    }
    if id_unknown {
        hints.push("the Message-ID of your first mail is not on record; add it if you have it.".to_owned());
    }
    if !game.conditionals.is_empty() {
        hints.push("you offered conditional moves with it: add them as you sent them.".to_owned());
    }
    hints
}

/// The day on which a repeat was drafted last, if none is known to have gone out since.
pub fn unsent_repeat(notes: &[ClockNote]) -> Option<NaiveDate> {
    let of_repeat = |note: &&ClockNote| note.kind == ClockNoteKind::Repeated && note.reminded().is_none();
    let drafted = notes.iter().filter(of_repeat).map(|note| note.on).max()?;
    let sent = notes.iter().filter_map(ClockNote::went_out).max();
    Some(drafted).filter(|drafted| sent.is_none_or(|sent| sent < *drafted))
}

/// How long the opponent has been silent, and what the rules say about it.
struct Patience<'a> {
    game: &'a Game,
    rules: &'a Ruleset,
    silence: Silence<'a>,
    /// What was said about the ply that he thinks about.
    notes: Vec<ClockNote>,
}

impl<'a> Patience<'a> {
    /// `None` where the day of sending is not known.
    fn of(game: &'a Game, ledger: &'a Ledger) -> Option<Patience<'a>> {
        let silence = Silence::of(game, ledger)?;
        let due = game.due_ply();
        let notes = game.clock_notes.iter().filter(|note| note.ply == due).copied().collect();
        Some(Patience { game, rules: ledger.rules(), silence, notes })
    }

    /// The days on which a repeat went out, as far as that is known.
    fn repeated(&self) -> impl Iterator<Item = NaiveDate> {
        self.notes.iter().filter_map(ClockNote::reminded)
    }

    /// The day on which a repeat was drafted that nobody saw going out.
    fn drafted(&self) -> Option<NaiveDate> {
        unsent_repeat(&self.notes)
    }

    /// Days of silence before the next repeat.
    fn patience(&self) -> Option<u32> {
        self.silence.repeats().nth(self.repeated().count())
    }

    /// The first day on which the next repeat may be sent.
    fn from(&self) -> Option<NaiveDate> {
        self.silence.after(self.patience()?)
    }

    fn wants_copy(&self, today: NaiveDate) -> bool {
        self.silence.is_copied(self.silence.days(today))
    }

    /// What speaks against a repeat on this day; he may have asked for it.
    fn doubts(&self, today: NaiveDate, is_asked: bool) -> Vec<String> {
        let mut doubts = Vec::new();
        let last = self.repeated().max();
        if let Some(patience) =
            self.patience().filter(|patience| !is_asked && self.silence.days(today) < i64::from(*patience))
        {
            let since = match self.silence.told() {
                Some(told) => format!("you told him on {told} that his answer was illegal"),
                None if self.game.start_date == Some(self.silence.since()) => {
                    format!("the event begins on {}", self.silence.since())
                }
                None => format!("you sent the move on {}", self.silence.since()),
            };
            doubts.push(format!(
                "it is too early: by the rules of this game a repeat may be sent after {} of silence{}; {since}",
                in_words(patience),
                self.from().map(|day| format!(", from {day} on")).unwrap_or_default(),
            ));
        } else if let Some(last) = last.filter(|last| self.patience().is_none() || *last == today) {
            doubts.push(format!("you repeated it on {last} already"));
        }
        if let Some(drafted) = self.drafted() {
            doubts.push(format!(
                "a repeat was drafted on {drafted} already, and nobody saw it sent: send that one; if you have, say  amici repeat {} --sent",
                self.game.id
            ));
        }
        let is_awaited = |until| self.silence.behind(until).is_none_or(|from| today < from);
        if let Some(note) = announced(self.game).filter(|note| note.until.is_none_or(is_awaited))
            && self.rules.repeat.suppress_if_announced
        {
            let until = note.until.map(|until| match until < today {
                true => format!(" until {until}, and his leave runs on it"),
                false => format!(" until {until}"),
            });
            let until = until.unwrap_or_default();
            doubts.push(format!("he announced on {} that he needs longer{until}; no repeat is needed", note.on));
        }
        doubts
    }
}
