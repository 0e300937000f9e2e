//! The player tells his opponent that he needs longer, so that no repeat is needed and no silence is claimed; and what is entered of such words.

use chrono::NaiveDate;

use super::{Around, OneLetter, Proposal, Refusal, has_come, not_entered, running, take_back};
use crate::choice::announce::{announcement, far_ahead, too_late};
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::silence::announced;
use crate::domain::game::{ClockNote, ClockNoteKind, Game};
use crate::io::store::{Store, StoredGame};
use crate::languages::Language;
use crate::letters::{self, Errand, Tells, Whom};

/// The letter to the opponent that the player needs until this day, with a copy to the director where the rules want one.
///
/// # Errors
/// It is not his turn, his words are more than words, or no letter can be made.
pub async fn propose(
    around: Around<'_>,
    store: &mut Store,
    thread: &StoredGame,
    until: NaiveDate,
    words: Option<&str>,
) -> Result<Proposal, Refusal> {
    let game = &thread.game;
    running(game)?;
    let today = around.today(store).await?;
    let ply = game.due_ply();
    let ledger = around.ledger(game)?;
    let drafted = announcement(game, &ledger, until, today, words)?;
    let copy = around.me().styles.director_of(&game.event).filter(|_| drafted.to_director);
    let no_director = (drafted.to_director && copy.is_none()).then(|| letters::no_director(game, Language::English));
    let hints: Vec<String> = no_director.into_iter().chain(drafted.hints).collect();
    let text = letters::announce_text(game, drafted.since, until, words, around.me())?;
    let said = format!(
        "You announce that you need until {until} for move {}{}.\n",
        game.due().number,
        copy.map(|address| format!(", with a copy to the director {address}")).unwrap_or_default(),
    );
    let label = Tells::LongThought { ply, until }.label();
    let errand = Errand {
        label: &label,
        what: crate::sentence!("you need longer"),
        body: &text,
        to: Whom::Opponent { copy },
        hints: &hints,
    };
    let doubts = drafted.doubts;
    let journal =
        ("announced", format!("you announced that you need until {until} for {}; a draft was made", game.due()));
    OneLetter { thread, errand, said, doubts, note: None, journal }.proposed(around)
}

/// What was announced of a move: by the opponent of his own, or by the player, without a letter. On a day, today unless it is named.
///
/// # Errors
/// It cannot have been announced then, or is on record already.
pub async fn enter(
    around: Around<'_>,
    store: &mut Store,
    game: &Game,
    is_his: bool,
    until: NaiveDate,
    on: Option<NaiveDate>,
) -> Result<Proposal, Refusal> {
    running(game)?;
    let today = around.today(store).await?;
    let ply = game.due_ply();
    let ledger = around.ledger(game)?;
    let on = on.unwrap_or(today);
    let note = entered(game, is_his, ClockNote { ply, kind: ClockNoteKind::Announced, on, until: Some(until) }, today)?;
    after_the_move(&ledger, on)?;
    let who = if is_his { game.opponent().name.as_str() } else { "You" };
    let they = if is_his { "he needs" } else { "you need" };
    let late = too_late(game, &ledger, Some(note)).map(|why| format!("Note: {why}\n")).unwrap_or_default();
    let said = format!("{who} announced on {on} that {they} until {until}.\n{late}");
    let doubts: Vec<String> = far_ahead(until, on).into_iter().chain(newer(game, on)).collect();
    let who = if is_his { "the opponent" } else { "you" };
    let text = format!("{who} announced on {on} that {they} until {until} for move {}", game.due().number);
    Ok(Proposal::note(&game.id, note, ("announced", text), said, doubts))
}

/// Takes out again what was announced last, or on a day; says so.
///
/// # Errors
/// Nothing of it is on record.
pub async fn undo(
    around: Around<'_>,
    store: &mut Store,
    game: &Game,
    on: Option<NaiveDate>,
) -> Result<String, Refusal> {
    running(game)?;
    let is_announced = |note: &ClockNote| note.kind == ClockNoteKind::Announced;
    take_back(store, game, ("announcement", on), is_announced, around.now).await
}

/// What was announced about a move, by the opponent of his own or by the player, where it can be so.
fn entered(game: &Game, is_his: bool, note: ClockNote, today: NaiveDate) -> Result<ClockNote, Refusal> {
    match (is_his, game.is_my_turn()) {
        (true, true) => return not_entered(format!("in game {} it is your turn: he has nothing to announce", game.id)),
        (false, false) => {
            return not_entered(format!("in game {} it is his turn: you have nothing to announce", game.id));
        }
        (true, false) | (false, true) => {}
    }
    let ClockNote { on, until, .. } = note;
    has_come(on, today)?;
    if let Some(until) = until.filter(|until| *until <= on) {
        return not_entered(format!("{until} does not lie after {on}, the day of the announcement"));
    }
    if announced(game) == Some(note) {
        return not_entered("this is on record already");
    }
    Ok(note)
}

/// Nobody announces how long he needs for a move that he does not have yet.
pub(super) fn after_the_move(ledger: &Ledger, on: NaiveDate) -> Result<(), Refusal> {
    let sent = ledger.plies().last().and_then(|ply| ply.sent).map(|sent| sent.day);
    let received = ledger.waiting_since().map(|since| since.day);
    match sent.into_iter().chain(received).min().filter(|first| on < *first) {
        Some(first) => Err(Refusal::NotDone(format!(
            "{on} lies before {first}, since when the move is thought about\nhelp: nothing was entered; say the day with --on"
        ))),
        None => Ok(()),
    }
}

/// A newer announcement goes on counting beside one of this day.
fn newer(game: &Game, on: NaiveDate) -> Option<String> {
    let newer = announced(game).filter(|newer| newer.on > on)?;
    Some(format!(
        "the newest announcement counts, and that of {0} goes on counting: if it was none, take it out first,  amici announce {1} --undo --on {0}",
        newer.on, game.id
    ))
}
