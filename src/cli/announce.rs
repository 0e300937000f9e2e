//! `amici announce`: the player tells his opponent that he needs longer, so that no repeat is needed and no silence is claimed.

use chrono::NaiveDate;
use clap::Args as ClapArgs;

use super::care::{OneLetter, Wanted, consent, draft, event, hand_over, running, take_back, today};
use super::queue::failed;
use super::{Failure, Report, Setup, find};
use crate::choice::announce::{announcement, far_ahead, too_late};
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::silence::announced;
use crate::domain::game::{ClockNote, ClockNoteKind, Game, GameId};
use crate::io::store::Care;
use crate::letters::{self, Errand, Tells, Whom};

/// Draft a letter that you need longer for your move
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// The day by which you expect to answer
    #[arg(long, value_name = "DATE", value_parser = super::day, required_unless_present = "undo")]
    until: Option<NaiveDate>,
    /// A few words with it; never a move
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Do it although your time would be overstepped by then, the day is more than a year ahead, or it was done before
    #[arg(long)]
    yes: bool,
    /// Enter what the opponent announced; no letter is drafted
    #[arg(long, group = "entered", conflicts_with = "message")]
    his: bool,
    /// You told him already: only enter that
    #[arg(long, group = "entered", conflicts_with = "message")]
    sent: bool,
    /// It was not announced: take what was entered last out again, yours or his
    #[arg(long, group = "entered", conflicts_with_all = ["message", "until", "dry_run", "yes"])]
    undo: bool,
    /// The day on which it was announced [default: today]
    #[arg(long, value_name = "DATE", value_parser = super::day, requires = "entered")]
    on: Option<NaiveDate>,
    /// Show the letter only; nothing is kept or delivered
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let thread = find(&mut store, &args.game).await?;
    let game = &thread.game;
    running(game)?;
    let Some(until) = args.until else {
        let is_announced = |note: &ClockNote| note.kind == ClockNoteKind::Announced;
        return take_back(setup, store, game, ("announcement", args.on), is_announced).await;
    };
    let today = today(setup, &config, &mut store).await?;
    let ply = game.due_ply();
    let ledger = config.me.ledger(game).map_err(|e| failed(e.to_string()))?;
    if args.his || args.sent {
        let on = args.on.unwrap_or(today);
        let note =
            entered(game, args.his, ClockNote { ply, kind: ClockNoteKind::Announced, on, until: Some(until) }, today)?;
        after_the_move(&ledger, on)?;
        let who = if args.his { game.opponent().name.as_str() } else { "You" };
        let they = if args.his { "he needs" } else { "you need" };
        let late = too_late(game, &ledger, Some(note)).map(|why| format!("Note: {why}\n")).unwrap_or_default();
        let said = format!("{who} announced on {on} that {they} until {until}.\n{late}");
        let objections: Vec<String> = far_ahead(until, on).into_iter().chain(newer(game, on)).collect();
        if args.dry_run {
            let objections: String = objections.iter().map(|line| format!("Note: {line}\n")).collect();
            return Ok(format!("{said}{objections}Nothing was kept.\n").into());
        }
        consent(args.yes, &objections, "Enter it all the same?")?;
        let who = if args.his { "the opponent" } else { "you" };
        let text = format!("{who} announced on {on} that {they} until {until} for move {}", game.due().number);
        let care = Care {
            notes: vec![(game.id.clone(), note)],
            events: vec![event(&game.id, "announced", text)],
            ..Care::default()
        };
        return hand_over(setup, &config, store, &care, said).await;
    }
    let drafted = announcement(game, &ledger, until, today, args.message.as_deref())?;
    let copy = config.me.styles.director_of(&game.event).filter(|_| drafted.to_director);
    let no_director = (drafted.to_director && copy.is_none()).then(|| letters::no_director(game));
    let hints: Vec<String> = no_director.into_iter().chain(drafted.hints).collect();
    let text = letters::announce_text(game, drafted.since, until, args.message.as_deref(), &config.me)
        .map_err(|e| failed(e.to_string()))?;
    let said = format!(
        "You announce that you need until {until} for move {}{}.\n",
        game.due().number,
        copy.map(|address| format!(", with a copy to the director {address}")).unwrap_or_default(),
    );
    let label = Tells::LongThought { ply, until }.label();
    let errand =
        Errand { label: &label, what: "you need longer", body: &text, to: Whom::Opponent { copy }, hints: &hints };
    let (note, objections) = (None, drafted.doubts);
    let journal =
        ("announced", format!("you announced that you need until {until} for {}; a draft was made", game.due()));
    let wanted = Wanted { dry_run: args.dry_run, yes: args.yes };
    draft(setup, &config, store, wanted, OneLetter { thread: &thread, errand, said, objections, note, journal }).await
}

/// What was announced about a move, by the opponent of his own or by the player, where it can be so.
fn entered(game: &Game, is_his: bool, note: ClockNote, today: NaiveDate) -> Result<ClockNote, Failure> {
    let refused = |why: String| Err(failed(format!("{why}\nhelp: nothing was entered")));
    match (is_his, game.is_my_turn()) {
        (true, true) => return refused(format!("in game {} it is your turn: he has nothing to announce", game.id)),
        (false, false) => return refused(format!("in game {} it is his turn: you have nothing to announce", game.id)),
        (true, false) | (false, true) => {}
    }
    let ClockNote { on, until, .. } = note;
    if on > today {
        return refused(format!("{on} has not come yet; today is {today}"));
    }
    if let Some(until) = until.filter(|until| *until <= on) {
        return refused(format!("{until} does not lie behind {on}, the day of the announcement"));
    }
    if announced(game) == Some(note) {
        return refused("this is on record already".to_owned());
    }
    Ok(note)
}

/// Nobody announces how long he needs for a move that he does not have yet.
pub(super) fn after_the_move(ledger: &Ledger, on: NaiveDate) -> Result<(), Failure> {
    let sent = ledger.plies().last().and_then(|ply| ply.sent).map(|sent| sent.day);
    let received = ledger.waiting_since().map(|since| since.day);
    match sent.into_iter().chain(received).min().filter(|first| on < *first) {
        Some(first) => Err(failed(format!(
            "{on} lies before {first}, since when the move is thought about\nhelp: nothing was entered; say the day with --on"
        ))),
        None => Ok(()),
    }
}

/// That another one than that of this day goes on counting.
fn newer(game: &Game, on: NaiveDate) -> Option<String> {
    let newer = announced(game).filter(|newer| newer.on > on)?;
    Some(format!(
        "the newest announcement counts, and that of {0} goes on counting: if it was none, take it out first,  amici announce {1} --undo --on {0}",
        newer.on, game.id
    ))
}
