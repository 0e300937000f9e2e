//! `amici clock set` and `amici clock agree`: a ply's dates and days as the player settles them.

use chrono::NaiveDate;
use clap::Args as ClapArgs;

use super::super::care::consent;
use super::super::failure::failed;
use super::super::ply::Ply;
use super::super::{Failure, Report, Setup, find};
use crate::deeds::event;
use crate::deeds::unheard::awaited;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::rules::RulesetError;
use crate::domain::clock::settle::{MOST_DAYS, doubtful, his, impossible, mine};
use crate::domain::game::{Agreed, Game, GameId, Side, Stated};
use crate::domain::judge::discrepancy::{in_words, recorded};
use crate::domain::judge::objection::objections;
use crate::intake::table::{his_table, shown, standing_table};
use crate::io::store::{Settled, Store};
use crate::languages::Language;
use crate::letters;

/// Settle the dates, days or totals of a move, or a penalty
#[derive(Debug, ClapArgs)]
pub(super) struct SetArgs {
    /// The game
    game: GameId,
    /// 12. or 12w (White's), 12... or 12b (Black's), or last; not needed for totals alone
    #[arg(value_name = "PLY")]
    ply: Option<Ply>,
    /// White's days in all, up to his last move or the one named
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(0..=MOST_DAYS.into()))]
    white: Option<u32>,
    /// Black's days in all
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(0..=MOST_DAYS.into()))]
    black: Option<u32>,
    /// The day on which its mover received the move before
    #[arg(long, value_name = "DATE", value_parser = super::super::day, requires = "ply")]
    received: Option<NaiveDate>,
    /// The day on which he sent it
    #[arg(long, value_name = "DATE", value_parser = super::super::day, requires = "ply")]
    sent: Option<NaiveDate>,
    /// His days for it
    #[arg(long, value_name = "DAYS", requires = "ply", value_parser = clap::value_parser!(u32).range(0..=MOST_DAYS.into()))]
    days: Option<u32>,
    /// Days added to it as a penalty
    #[arg(long, value_name = "DAYS", requires = "ply", value_parser = clap::value_parser!(u32).range(0..=MOST_DAYS.into()))]
    penalty: Option<u32>,
    /// Drop what was settled for this move
    #[arg(long, requires = "ply", conflicts_with_all = ["white", "black", "received", "sent", "days", "penalty"])]
    undo: bool,
    /// Why; the journal keeps it, and a claim and the evidence tell it
    #[arg(long, value_name = "TEXT")]
    why: String,
    /// Settle without asking
    #[arg(long)]
    yes: bool,
}

/// Settle a move as the record has it, or as he shows it
#[derive(Debug, ClapArgs)]
pub(super) struct AgreeArgs {
    /// The game
    game: GameId,
    /// 12. or 12w (White's), 12... or 12b (Black's), or last
    #[arg(value_name = "PLY")]
    ply: Ply,
    #[command(flatten)]
    whose: Whose,
    /// Why; the journal keeps it, and a claim and the evidence tell it
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
}

#[derive(Debug, ClapArgs)]
#[group(required = true, multiple = false)]
struct Whose {
    /// The record is right; where his mail's own Date contradicts the day he states, the Date
    #[arg(long)]
    mine: bool,
    /// He is right
    #[arg(long)]
    his: bool,
}

pub(super) async fn set(setup: &Setup, args: SetArgs) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store().await?;
    let today = setup.around(&config).today(&mut store).await?;
    let game = find(&mut store, &args.game).await?.game;
    let mut changes: Vec<(usize, Agreed)> = Vec::new();
    if let Some(ply) = args.ply {
        let (index, before) = ply_of(&game, ply)?;
        let agreed = if args.undo {
            Agreed::default()
        } else {
            Agreed {
                received: args.received.or(before.received),
                sent: args.sent.or(before.sent),
                days: args.days.or(before.days),
                penalty: args.penalty.or(before.penalty),
                ..before
            }
        };
        changes.push((index, agreed));
    }
    let up_to = changes.first().map_or(game.moves.len(), |(index, _)| index + 1);
    for (side, total) in [(Side::White, args.white), (Side::Black, args.black)] {
        let Some(total) = total else { continue };
        let last = (0..up_to).rev().find(|index| game.number_of(*index).side == side);
        let Some((index, record)) = last.and_then(|index| Some((index, game.moves.get(index)?))) else {
            return Err(failed(format!("{} has no move on record there", side.name())));
        };
        match changes.iter_mut().find(|(other, _)| *other == index) {
            Some((_, agreed)) => agreed.total = Some(total),
            None => changes.push((index, Agreed { total: Some(total), ..record.agreed })),
        }
    }
    let (before, is_same) = (changes.clone(), |(index, agreed): &(usize, Agreed)| {
        game.moves.get(*index).is_some_and(|record| record.agreed == *agreed)
    });
    changes.retain(|change| !is_same(change));
    if before.is_empty() {
        return Err(failed(
            "nothing is given to settle\nhelp: say --white, --black, or a move with --received, --sent, --days, --penalty",
        ));
    }
    settle(setup, store, &game, &changes, (&args.why, args.yes), today).await
}

pub(super) async fn agree(setup: &Setup, args: AgreeArgs) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store().await?;
    let today = setup.around(&config).today(&mut store).await?;
    let thread = find(&mut store, &args.game).await?;
    let game = &thread.game;
    let (index, before) = ply_of(game, args.ply)?;
    let newest = his_table(&mut store, &thread).await?;
    let table = standing_table(&mut store, &thread, newest).await?;
    let number = game.number_of(index);
    let row = shown(game, &table).into_iter().nth(index);
    let (stated, unread) = row.map(|row| (row.stated, row.unread)).unwrap_or_default();
    let ledger_error = |e: RulesetError| failed(format!("game {}: {e}", game.id));
    let ours = mine(game, index, &stated).map_err(ledger_error)?;
    let ledger = Ledger::of(game).map_err(ledger_error)?;
    let nothing_differs =
        stated.beyond(&as_stated(&ours)).is_empty() && objections(game, &ledger, index, &unread).is_empty();
    if nothing_differs && before == Agreed::default() {
        return Err(failed(format!(
            "nothing differs at {number}: the record has {}\nhelp: `amici clock {}` shows both tables",
            in_words(&as_stated(&ours), |day| day.to_string()),
            game.id
        )));
    }
    let agreed = if args.whose.mine { ours } else { his(&stated, &before) };
    if args.whose.his && stated.is_empty() {
        return Err(failed(format!(
            "he shows no dates and no days for {number}\nhelp: say them with `amici clock set {} {number}`",
            game.id
        )));
    }
    let side = if args.whose.mine { "as the record has it" } else { "as he shows it" };
    let why = args.why.map_or(side.to_owned(), |why| format!("{side}: {why}"));
    let changes: Vec<(usize, Agreed)> = (before != agreed).then_some((index, agreed)).into_iter().collect();
    let game = thread.game.clone();
    settle(setup, store, &game, &changes, (&why, true), today).await
}

fn as_stated(agreed: &Agreed) -> Stated {
    Stated { received: agreed.received, sent: agreed.sent, days: agreed.days, total: agreed.total }
}

fn ply_of(game: &Game, ply: Ply) -> Result<(usize, Agreed), Failure> {
    let index = ply.index_in(game);
    let found = index.and_then(|index| Some((index, game.moves.get(index)?.agreed)));
    found.ok_or_else(|| {
        failed(format!(
            "that move is not on record in game {}; {} is due\nhelp: `amici clock {}` shows those that are",
            game.id,
            game.due(),
            game.id
        ))
    })
}

/// Checks the changes, keeps them, and shows what stands now.
async fn settle(
    setup: &Setup,
    mut store: Store,
    game: &Game,
    changes: &[(usize, Agreed)],
    (why, yes): (&str, bool),
    today: NaiveDate,
) -> Result<Report, Failure> {
    if why.trim().is_empty() {
        return Err(failed("say why with --why TEXT: the journal keeps it"));
    }
    if changes.is_empty() {
        return Ok("This is settled so already; nothing was done.\n".to_owned().into());
    }
    let broken = |e: RulesetError| failed(format!("game {}: {e}", game.id));
    let ledger = Ledger::of(game).map_err(broken)?;
    let mut after = game.clone();
    let (mut settled, mut journal, mut doubts) = (Vec::new(), Vec::new(), Vec::new());
    for (index, agreed) in changes {
        let number = game.number_of(*index);
        if let Some(fault) = impossible(&after, *index, agreed, today).map_err(broken)? {
            return Err(failed(format!(
                "{number} cannot be settled like this: {fault}\nhelp: nothing was kept; `amici clock {}` shows the dates around it",
                game.id
            )));
        }
        doubts.extend(doubtful(game, *index, agreed).map_err(broken)?);
        let Some(record) = after.moves.get_mut(*index) else { continue };
        let before = record.agreed;
        record.agreed = *agreed;
        let counted = ledger.plies().get(*index).map(recorded).unwrap_or_default();
        let said = match *agreed == Agreed::default() {
            true => "is no longer settled".to_owned(),
            false => format!("is settled: {}", agreed_in_words(agreed)),
        };
        journal.push(format!(
            "{number} {said} (before: {}; it counted {})",
            agreed_in_words(&before),
            in_words(&counted, |day| day.to_string())
        ));
        settled.push(Settled { ply: u32::try_from(index + 1).unwrap_or(u32::MAX), before, agreed: *agreed });
    }
    consent(setup, yes, &doubts, "Settle it like this?")?;
    let text = format!("{}; why: {}", journal.join("; "), why.trim());
    store.settle_clock(&game.id, &settled, &event(&game.id, "clock", text), setup.now).await?;
    let now = Ledger::of(&after).map_err(broken)?;
    let clocks = letters::clock_lines(
        &after,
        &now,
        Some(today.into()),
        awaited(&mut store, &setup.config()?, &after, setup.now).await?,
        Language::English,
    );
    let mut said = String::new();
    for (index, agreed) in changes {
        let counted = now.plies().get(*index).map(recorded).unwrap_or_default();
        said.push_str(&format!(
            "{} counts now: {}.\n",
            game.number_of(*index),
            in_words(&counted, |day| day.to_string())
        ));
        let stood = game.moves.get(*index).and_then(|before| before.agreed.total);
        said.push_str(&standing_total(&after, *index, stood.filter(|total| agreed.total == Some(*total))));
    }
    for Settled { ply, before, agreed } in &settled {
        said.push_str(&elsewhere(&mut store, game, &ledger, *ply, (before, agreed)).await?);
    }
    Ok(format!("{said}{clocks}").into())
}

/// The other games in which the mail of this ply stands with a day that was settled just now: what is right here is right there.
async fn elsewhere(
    store: &mut Store,
    game: &Game,
    ledger: &Ledger,
    ply: u32,
    (before, agreed): (&Agreed, &Agreed),
) -> Result<String, Failure> {
    let index = |ply: u32| usize::try_from(ply).ok().and_then(|ply| ply.checked_sub(1));
    let counted = |ledger: &Ledger, index: usize| ledger.plies().get(index).map(recorded);
    let Some(here) = index(ply).and_then(|index| counted(ledger, index)) else { return Ok(String::new()) };
    let mut said = String::new();
    for (id, ply) in store.given_beside(&game.id, ply).await? {
        let other = find(store, &id).await?.game;
        let there = index(ply).and_then(|index| {
            Some((index, other.moves.get(index)?.agreed, counted(&Ledger::of(&other).ok()?, index)?))
        });
        let Some((index, settled, there)) = there else { continue };
        let days = [
            ("--received", before.received, agreed.received, settled.received, here.received == there.received),
            ("--sent", before.sent, agreed.sent, settled.sent, here.sent == there.sent),
        ];
        let options = days.into_iter().filter_map(|(option, before, day, settled, is_same)| {
            (is_same && day != before && day != settled).then_some(format!(" {option} {}", day?))
        });
        let options: String = options.collect();
        if !options.is_empty() {
            let number = other.number_of(index);
            said.push_str(&format!(
                "The same mail gave {number} in game {id}, with the same day. Settle it there too:  amici clock set {id} {number}{options} --why TEXT\n"
            ));
        }
    }
    Ok(said)
}

/// A total that was settled before at this move (`own`) or is at a later one of the same side: it stands, whatever else is settled.
fn standing_total(game: &Game, index: usize, own: Option<u32>) -> String {
    let side = game.number_of(index).side;
    let totals = game.moves.iter().enumerate().skip(index + 1).filter(|(later, _)| game.number_of(*later).side == side);
    let later = totals.filter_map(|(later, record)| Some((later, record.agreed.total?))).next();
    let Some((at, total)) = later.or(own.map(|total| (index, total))) else { return String::new() };
    let number = game.number_of(at);
    let how = match later {
        Some(_) => "Take it back where it shall:  amici clock set GAME PLY --undo --why TEXT".to_owned(),
        None => format!("Settle it anew where it shall:  amici clock set GAME PLY --{} DAYS --why TEXT", side.word()),
    };
    let how = how.replace("GAME PLY", &format!("{} {number}", game.id));
    format!(
        "The total of {total} that was settled at {number} stands, so this does not change the clock of {}. {how}\n",
        side.name()
    )
}

fn agreed_in_words(agreed: &Agreed) -> String {
    let penalty = agreed.penalty.map(|days| format!("penalty {days}"));
    match (*agreed == Agreed::default(), as_stated(agreed).is_empty()) {
        (true, _) => "nothing".to_owned(),
        (false, true) => penalty.unwrap_or_default(),
        (false, false) => {
            let rest = penalty.map(|penalty| format!(", {penalty}")).unwrap_or_default();
            in_words(&as_stated(agreed), |day| day.to_string()) + &rest
        }
    }
}
