//! `amici play` and `undo`: the player's own move, chosen and taken back.

use clap::Args as ClapArgs;

use super::care::{consent, moment};
use super::repeat::unsent_repeat;
use super::{Exit, Failure, Report, Setup, find};
use crate::choice::draft::{days_line, drafted};
use crate::choice::{Choice, Hold, Refusal, Wish, choose_among};
use crate::domain::clock::days::Moment;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::reminder::answer_goes_to_director;
use crate::domain::game::{ClockNote, Game, GameId};
use crate::intake::table::his_table;
use crate::intake::unsettled::unsettled;
use crate::io::store::{DraftRow, DraftState, Store, StoredGame};
use crate::letters::{self, AnswerKey};
use crate::sent;

/// Choose your move: checks it and makes the finished draft
#[derive(Debug, ClapArgs)]
pub(super) struct PlayArgs {
    /// The game
    game: GameId,
    /// Numeric (3735), SAN (c5, Nf6, O-O) or coordinates (c7c5); "6. 3233 5878 7. 6152" takes a line that he offered
    #[arg(value_name = "MOVE")]
    text: String,
    /// Offer a line with it: his move, your reply, and so on; several times for several lines
    #[arg(long = "if", value_name = "\"2142 6846\"")]
    lines: Vec<String>,
    /// Offer a draw with it
    #[arg(long)]
    draw: bool,
    /// A few words with it; never a move
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Make the draft only after so long, to look at the move again: 10m, 2h, 1d
    #[arg(long, value_name = "TIME")]
    hold: Option<Hold>,
    /// Do it in spite of what speaks against it
    #[arg(long)]
    yes: bool,
    /// Show the draft only; nothing is kept or delivered
    #[arg(short = 'n', long)]
    dry_run: bool,
}

impl PlayArgs {
    /// A plain move in a game.
    pub(super) fn of(game: &str, text: &str) -> Result<PlayArgs, Failure> {
        let game =
            game.parse().map_err(|e: crate::domain::game::BadGameId| Failure::new(Exit::Failed, e.to_string()))?;
        let (lines, text) = (Vec::new(), text.to_owned());
        Ok(PlayArgs { game, text, lines, draw: false, message: None, hold: None, yes: false, dry_run: false })
    }
}

/// Drop a chosen move and its draft
#[derive(Debug, ClapArgs)]
pub(super) struct UndoArgs {
    /// The game
    game: GameId,
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        let exit = match refusal {
            Refusal::NotDue(_) | Refusal::Broken(_) => Exit::Failed,
            Refusal::NoMove(_) | Refusal::Illegal(_) | Refusal::Line(_) | Refusal::Words(_) => Exit::IllegalMove,
        };
        Failure::new(exit, refusal.to_string())
    }
}

pub(super) async fn play(setup: &Setup, args: PlayArgs) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let thread = find(&mut store, &args.game).await?;
    let game = &thread.game;
    let failed = |why: String| Failure::new(Exit::Failed, why);
    let ledger = config.me.ledger(game).map_err(|e| failed(e.to_string()))?;
    let now = moment(setup, &config, &mut store).await?;
    let wish = Wish { text: &args.text, lines: &args.lines, draw: args.draw, comment: args.message.as_deref() };
    let mut choice = chosen(&mut store, &wish, &thread, &ledger, now).await?;
    choice.doubts.extend(unsettled(&mut store, &thread, config.me.timezone).await?);
    if !args.dry_run {
        consent(args.yes, &choice.doubts, "Answer all the same?")?;
    }
    let table = his_table(&mut store, &thread).await?;
    let held_until = args.hold.map(|hold| hold.until(setup.now));
    let key = AnswerKey::new(store.answer_key().await?);
    let made = drafted(&thread, &choice, held_until, &table, &key, &config.me, setup.now);
    let made = made.map_err(|e| failed(e.to_string()))?;
    let mut text = choice.echo;
    text.push_str(&days_line(game, &ledger, &made.plan, now));
    if game.draw_offer == Some(game.me.other()) {
        text.push_str(&format!(
            "Note: he offers a draw, which lapses when your move goes out. To accept it instead:  amici draw {} --accept\n",
            game.id
        ));
    }
    if answer_goes_to_director(game, &ledger) && letters::copy_of_answer(game, &config.me).is_none() {
        text.push_str(&format!("Note: you answer a repeat: {}\n", letters::no_director(game)));
    }
    text.extend(choice.doubts.iter().filter(|_| args.dry_run).map(|line| format!("Note: {line}\n")));
    if args.dry_run {
        let planned = Game { plan: Some(made.plan), ..game.clone() };
        text.push_str("Nothing was kept. The draft would be:\n\n");
        text.push_str(&letters::reply_text(&planned, &table, &config.me).map_err(|e| failed(e.to_string()))?);
        return Ok(text.into());
    }
    store.plan(&game.id, made.expected_plies, &made.plan, made.letter.as_ref(), setup.now).await?;
    if let Some(old) = &game.plan {
        text.push_str(&format!("It replaces your earlier choice {}.\n", old.in_words(game.due())));
        text.push_str(farewell(&mut store, &game.id).await?);
    }
    drop(store);
    match (made.letter, held_until) {
        (Some(letter), _) => {
            text.push_str(&super::daemon::deliver(setup, &config, &letter.recipient).await?);
            if config.drafts.are_placed() {
                text.push_str(
                    "With the next look into the mailbox it lies in your folder for drafts too; `amici status` shows it.\n",
                );
            }
            text.push_str(&format!(
                "Nothing has been sent to {}: open the draft, read it, send it. Your clock runs until you do.\n",
                game.opponent().name
            ));
        }
        (None, until) => {
            let until = until.map(|at| config.me.local(at));
            text.push_str(&format!(
                "It is kept and not drafted before {}: look at it again. Your clock runs.\n",
                until.unwrap_or_default()
            ));
        }
    }
    text.push_str(&format!("Undo: amici undo {}\n", game.id));
    Ok(text.into())
}

/// The choice that a wish is; a text that is no move in this game is looked for in the others in which he is to move.
pub(super) async fn chosen(
    store: &mut Store,
    wish: &Wish<'_>,
    thread: &StoredGame,
    ledger: &Ledger,
    now: impl Into<Moment>,
) -> Result<Choice, Failure> {
    let game = &thread.game;
    let offers = sent::offers(store, std::slice::from_ref(thread)).await?.remove(&game.id).unwrap_or_default();
    match choose_among(wish, &offers, game, ledger, now) {
        Err(refusal @ Refusal::NoMove(_)) => {
            let others = store.games_to_move().await?;
            Err(refusal.with_others(wish.text, game, &others).into())
        }
        chosen => Ok(chosen?),
    }
}

pub(super) async fn undo(setup: &Setup, args: UndoArgs) -> Result<Report, Failure> {
    let mut store = setup.store().await?;
    let game = find(&mut store, &args.game).await?.game;
    if store.recall(&game.id, setup.now).await? {
        return Ok(format!(
            "The released mail is recalled: nothing goes to {}. The move stays chosen; a second undo drops it.\n",
            game.opponent().name
        )
        .into());
    }
    match store.undo(&game.id, setup.now).await? {
        Some(plan) => Ok(format!(
            "{} is dropped{}.\n{}Next: amici play {} MOVE\n",
            plan.in_words(game.due()),
            if plan.is_drafted() { "; a draft that was delivered stays in your mailbox: do not send it" } else { "" },
            farewell(&mut store, &game.id).await?,
            game.id
        )
        .into()),
        None => Err(Failure::new(Exit::Failed, nothing_to_undo(&game))),
    }
}

/// What is said of the draft in the folder when its plan is dropped, with its line end.
async fn farewell(store: &mut Store, game: &GameId) -> Result<&'static str, Failure> {
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
