//! `amici clock`: what he shows of dates and days beside what the record has, row by row; and how the player settles a difference.
//!
//! Nothing but `set` and `agree` ever writes what was agreed, and nothing but `illegal` what an illegal move costs; the acts keep what
//! stood there before, and why.

use chrono_tz::Tz;
use clap::{Args as ClapArgs, Subcommand};
use serde_json::{Value, json};

use super::failure::failed;
use super::narrow::folded;
use super::{Failure, Report, Setup, find};
use crate::deeds::today::{Day, doubted};
use crate::domain::clock::over::IllegalDays;
use crate::domain::game::{Game, GameId};
use crate::intake::table::{his_table, standing_table};
use crate::io::store::{Settlement, Store};
use crate::languages::Language;
use crate::letters::{ClaimKind, Claimed, not_counted};
use crate::overview::Answers;

mod illegal;
mod settle;
mod table;

/// Compare his dates and days with yours, and settle differences
#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Args {
    /// The game
    #[arg(required = true)]
    game: Option<GameId>,
    /// One JSON document
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    Set(settle::SetArgs),
    Agree(settle::AgreeArgs),
    Illegal(illegal::Args),
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let game = match (args.what, args.game) {
        (Some(What::Set(set)), _) => return settle::set(setup, set).await,
        (Some(What::Agree(agree)), _) => return settle::agree(setup, agree).await,
        (Some(What::Illegal(illegal)), _) => return illegal::run(setup, illegal).await,
        (None, Some(game)) => game,
        (None, None) => return Err(failed("say which game")),
    };
    let config = setup.config()?;
    let mut store = setup.store_to_read().await?;
    let thread = find(&mut store, &game).await?;
    let newest = his_table(&mut store, &thread).await?;
    let standing = standing_table(&mut store, &thread, newest.clone()).await?;
    let answers = Answers::at(setup.now, &mut store, &config).await?;
    let rules = thread.game.ruleset().map_err(|e| failed(format!("game {game}: {e}")))?;
    let awaited = answers.awaited(game.as_str(), IllegalDays::of(&thread.game, &rules));
    let day = Day::of(&mut store, config.me.timezone, setup.now, None).await?;
    let claims = store.claims().await?;
    let claimed = Claimed::of(ClaimKind::Time, &thread.game.id, &claims, config.me.timezone);
    let sheet = table::Sheet::of(&thread.game, (&newest, &standing), &config.me, day.now(), (awaited, claimed))?;
    let history = store.settlements(&game).await?;
    if args.json {
        let mut sheet = sheet.as_json();
        if let Some(object) = sheet.as_object_mut() {
            object.insert("settlements".to_owned(), history.iter().map(settlement_json).collect());
        }
        return Ok(format!("{sheet:#}\n").into());
    }
    let mut text = doubted(day.distrust) + &sheet.as_text();
    let lost = answers.lost(&thread.game, setup.now, config.me.timezone);
    text.extend(lost.and_then(|lost| not_counted(&game, lost, Language::English)));
    text.push_str(&slip_of_mine(&mut store, &thread.game, config.me.timezone).await?.unwrap_or_default());
    if !history.is_empty() {
        text.push_str("\nWhat you settled, oldest first:\n");
    }
    for settled in &history {
        text.push_str(&format!("  {}\n", settlement_line(settled, config.me.timezone)));
    }
    Ok(folded(text).into())
}

/// He books the player's move before the day on record, on that of its draft: then the player's own word is the slip.
async fn slip_of_mine(store: &mut Store, game: &Game, zone: Tz) -> Result<Option<String>, Failure> {
    let [.., mine, his] = game.moves.as_slice() else { return Ok(None) };
    let index = game.moves.len() - 2;
    let (Some(booked), Some(sent)) = (his.claimed.received, mine.agreed.sent.or(mine.claimed.sent)) else {
        return Ok(None);
    };
    if game.is_my_turn() && booked < sent && his.agreed.received.is_none() && !mine.observed.is_of_mail() {
        let draft = store.provenance(&game.id, index + 1).await?.and_then(|proof| proof.draft);
        let is_of_draft = draft.is_some_and(|draft| draft.created_at.with_timezone(&zone).date_naive() == booked);
        let (number, id) = (game.number_of(index), &game.id);
        return Ok(is_of_draft.then(|| {
            format!(
                "\n{booked}, on which he books your {number}, is the day of your draft. If you sent it then:\n    \
                 amici clock set {id} {number} --sent {booked} --why \"the day of the draft\"\n"
            )
        }));
    }
    Ok(None)
}

/// A settlement in a line: when, what and why.
pub(super) fn settlement_line(settled: &Settlement, zone: Tz) -> String {
    format!("{}  {}", settled.at.with_timezone(&zone).format("%Y-%m-%d %H:%M"), settled.text)
}

/// A settlement in the data.
pub(super) fn settlement_json(settled: &Settlement) -> Value {
    json!({"at": settled.at, "text": settled.text})
}
