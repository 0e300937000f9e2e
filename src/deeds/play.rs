//! The player's own move, chosen and taken back.

use super::repeat::unsent_repeat;
use super::{Around, Refusal};
use crate::choice::draft::{Drafted, days_line, drafted};
use crate::choice::{self, Choice, Hold, Wish, choose_among};
use crate::domain::clock::days::Moment;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::reminder::answer_goes_to_director;
use crate::domain::game::{ClockNote, Game, GameId};
use crate::domain::judge::Row;
use crate::intake::table::his_table;
use crate::intake::unsettled::unsettled;
use crate::io::store::{DraftRow, DraftState, Store, StoredGame};
use crate::languages::Language;
use crate::letters::{self, AnswerKey};
use crate::sent;

/// A move of the player's that waits for his consent.
#[derive(Debug)]
pub struct Chosen {
    /// What he is told of it: the move in all notations, days, notes; lines with line ends.
    pub said: String,
    /// What speaks against it.
    pub doubts: Vec<String>,
    made: Drafted,
    /// What the opponent's table says, for the text of the letter.
    table: Vec<Row>,
    /// Until when it is kept before it is drafted.
    held: Option<String>,
}

/// What became of a move that was kept.
#[derive(Debug)]
pub struct Kept {
    /// What the player is told beside [`Chosen::said`].
    pub said: String,
    /// The address of the player's that the draft is delivered to.
    pub recipient: Option<String>,
}

/// The move that a wish is, with its draft; with `hold` the draft is made only after so long.
///
/// # Errors
/// It is no legal move, not his turn, or no letter can be made.
pub async fn propose(
    around: Around<'_>,
    store: &mut Store,
    thread: &StoredGame,
    wish: &Wish<'_>,
    hold: Option<Hold>,
) -> Result<Chosen, Refusal> {
    let (game, me) = (&thread.game, around.me());
    let ledger = around.ledger(game)?;
    let now = around.moment(store).await?;
    let mut choice = chosen(store, wish, thread, &ledger, now).await?;
    choice.doubts.extend(unsettled(store, thread, me.timezone).await?);
    let table = his_table(store, thread).await?;
    let until = hold.map(|hold| hold.until(around.now));
    let key = AnswerKey::new(store.answer_key().await?);
    let made = drafted(thread, &choice, until, &table, &key, me, around.now)?;
    let mut said = choice.echo;
    said.push_str(&days_line(game, &ledger, &made.plan, now));
    if game.draw_offer == Some(game.me.other()) {
        said.push_str(&format!(
            "Note: he offers a draw, which lapses when your move goes out. To accept it instead:  amici draw {} --accept\n",
            game.id
        ));
    }
    if answer_goes_to_director(game, &ledger) && letters::copy_of_answer(game, me).is_none() {
        said.push_str(&format!("Note: you answer a repeat: {}\n", letters::no_director(game, Language::English)));
    }
    Ok(Chosen { said, doubts: choice.doubts, made, table, held: until.map(|at| me.local(at)) })
}

impl Chosen {
    /// The text of the letter to his opponent, as it would be sent.
    ///
    /// # Errors
    /// No letter can be made.
    pub fn letter(&self, around: Around<'_>, game: &Game) -> Result<String, Refusal> {
        let planned = Game { plan: Some(self.made.plan.clone()), ..game.clone() };
        Ok(letters::reply_text(&planned, &self.table, around.me())?)
    }

    /// Keeps it, in the place of an earlier choice. Its draft waits for delivery to the player.
    ///
    /// # Errors
    /// [`Refusal::Store`], also where the game has changed since.
    pub async fn keep(&self, around: Around<'_>, store: &mut Store, game: &Game) -> Result<Kept, Refusal> {
        let made = &self.made;
        store.plan(&game.id, made.expected_plies, &made.plan, made.letter.as_ref(), around.now).await?;
        let mut said = String::new();
        if let Some(old) = &game.plan {
            said.push_str(&format!("It replaces your earlier choice {}.\n", old.in_words(game.due())));
            said.push_str(farewell(store, &game.id).await?);
        }
        if let Some(until) = &self.held {
            said.push_str(&format!("It is kept and not drafted before {until}: look at it again. Your clock runs.\n"));
        }
        Ok(Kept { said, recipient: made.letter.as_ref().map(|letter| letter.recipient.clone()) })
    }
}

/// The choice that a wish is; a text that is no move in this game is looked for in the others in which he is to move.
///
/// # Errors
/// [`choice::Refusal`], as a refusal of this room.
pub async fn chosen(
    store: &mut Store,
    wish: &Wish<'_>,
    thread: &StoredGame,
    ledger: &Ledger,
    now: impl Into<Moment>,
) -> Result<Choice, Refusal> {
    let game = &thread.game;
    let offers = sent::offers(store, std::slice::from_ref(thread)).await?.remove(&game.id).unwrap_or_default();
    match choose_among(wish, &offers, game, ledger, now) {
        Err(refusal @ choice::Refusal::NoMove(_)) => {
            let others = store.games_to_move().await?;
            Err(refusal.with_others(wish.text, game, &others).into())
        }
        chosen => Ok(chosen?),
    }
}

/// Recalls a released mail that waits, or drops the chosen move; says which.
///
/// # Errors
/// No move is chosen.
pub async fn undo(around: Around<'_>, store: &mut Store, game: &Game) -> Result<String, Refusal> {
    if store.recall(&game.id, around.now).await? {
        return Ok(format!(
            "The released mail is recalled: nothing goes to {}. The move stays chosen; a second undo drops it.\n",
            game.opponent().name
        ));
    }
    let Some(plan) = store.undo(&game.id, around.now).await? else {
        return Err(Refusal::NotDone(nothing_to_undo(game)));
    };
    Ok(format!(
        "{} is dropped{}.\n{}Next: amici play {} MOVE\n",
        plan.in_words(game.due()),
        if plan.is_drafted() { "; a draft that was delivered stays in your mailbox: do not send it" } else { "" },
        farewell(store, &game.id).await?,
        game.id
    ))
}

/// What is said of the draft in the folder when its plan is dropped, with its line end.
async fn farewell(store: &mut Store, game: &GameId) -> Result<&'static str, Refusal> {
    let lies =
        |draft: &DraftRow| draft.game == *game && matches!(draft.state, DraftState::Placing | DraftState::Placed);
    Ok(if store.drafts_at_work().await?.iter().any(lies) {
        "The one in your folder for drafts is taken out with the next look into the mailbox, unless you changed it.\n"
    } else {
        ""
    })
}

/// Why nothing is taken back, and what became of a repeat that he may mean.
fn nothing_to_undo(game: &Game) -> String {
    let due = game.due_ply();
    let notes: Vec<ClockNote> = game.clock_notes.iter().filter(|note| note.ply == due).copied().collect();
    let sent = notes.iter().filter_map(ClockNote::reminded).max();
    let help = match (unsent_repeat(&notes), sent) {
        (Some(drafted), _) => format!(
            "\nhelp: the repeat drafted on {drafted} counts for nothing until it goes out, so there is nothing to take back: do not send it, and delete the draft"
        ),
        (None, Some(sent)) => format!(
            "\nhelp: the repeat of {sent} counts as sent; if it never went out: `amici repeat {} --undo`",
            game.id
        ),
        (None, None) => String::new(),
    };
    format!("game {} has no chosen move{help}", game.id)
}
