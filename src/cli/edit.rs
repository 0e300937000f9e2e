//! `amici edit`: corrects what a game is known by: its id, the opponent's name and addresses, the event, the start, the agreed notations.

use chrono::NaiveDate;
use clap::Args as ClapArgs;

use super::care::consent;
use super::failure::failed;
use super::rules::recounted;
use super::take::read_again;
use super::{Failure, Report, Setup, find};
use crate::deeds::event;
use crate::domain::document::check;
use crate::domain::game::{Game, GameId, Player};
use crate::mail::address::Address;

/// Correct a game: id, opponent, addresses, event, start, notations
///
/// Mails of the opponent's that went to no game are read again for this one. Its rules are changed with `amici rules set`; the
/// director's address stands in the configuration, once for each event.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// Another id for it; the one before still leads to it
    #[arg(long, value_name = "ID")]
    id: Option<GameId>,
    /// The opponent's name
    #[arg(long)]
    name: Option<String>,
    /// An address more that he writes from; may be given again
    #[arg(long, value_name = "ADDRESS")]
    add_address: Vec<Address>,
    /// An address that he writes from no more; may be given again
    #[arg(long, value_name = "ADDRESS")]
    remove_address: Vec<Address>,
    /// The address of his that you write to
    #[arg(long, value_name = "ADDRESS")]
    prefer_address: Option<Address>,
    /// The event's code
    #[arg(long)]
    event: Option<String>,
    /// The organiser
    #[arg(long)]
    site: Option<String>,
    /// The event's start; nothing is charged before it
    #[arg(long, value_name = "DATE", value_parser = super::day)]
    start: Option<NaiveDate>,
    /// The agreed notations, with blanks or commas between: iccf, san, san-de, coordinate, ...
    #[arg(long, value_name = "LIST")]
    notations: Option<String>,
    /// Do it although days on record count otherwise then
    #[arg(long)]
    yes: bool,
    /// Say what would be changed; nothing is
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let game = find(&mut store, &args.game).await?.game;
    let after = wanted(&game, &args)?;
    check(&after).map_err(|e| failed(format!("game {}: {e}", game.id)))?;
    let (before_card, card) = (game.card(), after.card());
    let changes = changes(&game, &after);
    if changes.is_empty() {
        return Ok("Nothing is changed by that.\n".to_owned().into());
    }
    let said: String = changes.iter().map(|change| format!("{change}\n")).collect();
    let broken = |error| failed(format!("game {}: {error}", game.id));
    let (old, new) = (config.me.ledger(&game), config.me.ledger(&after));
    let recounted = recounted(&old.map_err(|e| broken(e.to_string()))?, &new.map_err(|e| broken(e.to_string()))?);
    if args.dry_run {
        let recounted: String = recounted.iter().map(|line| format!("{line}\n")).collect();
        return Ok(format!("{said}{recounted}Nothing was changed.\n").into());
    }
    consent(setup, args.yes, &recounted, "Change it?")?;
    let event = event(&game.id, "edited", format!("you corrected the game: {}", changes.join("; ")));
    if !store.edit(&game.id, (&before_card, &card), &event, setup.now).await? {
        return Err(failed(format!("game {} was changed meanwhile; look at it again", game.id)));
    }
    let read = read_again(setup, &mut store).await?;
    Ok(format!("Game {}:\n{said}{read}", after.id).into())
}

/// What the game is to be known by.
fn wanted(game: &Game, args: &Args) -> Result<Game, Failure> {
    let mut after = game.clone();
    let his = after.opponent_mut();
    let is = |address: &Address| {
        let address = address.clone();
        move |known: &String| known.parse::<Address>().is_ok_and(|known| known.is_same_mailbox(&address))
    };
    for gone in &args.remove_address {
        let index = his.emails.iter().position(is(gone));
        let index = index.ok_or_else(|| {
            failed(format!("{gone} is none of the addresses of {}: {}", his.name, his.emails.join(", ")))
        })?;
        his.emails.remove(index);
    }
    let new = args.add_address.iter().chain(&args.prefer_address);
    for new in new {
        if !his.emails.iter().any(is(new)) {
            his.emails.push(new.to_string());
        }
    }
    if let Some(first) =
        args.prefer_address.as_ref().and_then(|first| his.emails.iter().find(|&known| is(first)(known)).cloned())
    {
        his.prefer(&first);
    }
    his.name = args.name.clone().unwrap_or_else(|| his.name.clone());
    after.id = args.id.clone().unwrap_or(after.id);
    after.event = args.event.clone().unwrap_or(after.event);
    after.site = args.site.clone().unwrap_or(after.site);
    after.start_date = args.start.or(after.start_date);
    if let Some(list) = &args.notations {
        after.notations = list.split([',', ' ']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    }
    Ok(after)
}

/// What becomes otherwise, a line each.
fn changes(before: &Game, after: &Game) -> Vec<String> {
    let day = |game: &Game| game.start_date.map_or("none".to_owned(), |day| day.to_string());
    let his = |game: &Game| -> Player { game.opponent().clone() };
    let pairs = [
        ("id", before.id.to_string(), after.id.to_string()),
        ("opponent", his(before).name, his(after).name),
        ("addresses", his(before).emails.join(", "), his(after).emails.join(", ")),
        ("event", before.event.clone(), after.event.clone()),
        ("site", before.site.clone(), after.site.clone()),
        ("start", day(before), day(after)),
        ("notations", before.notations.join(" "), after.notations.join(" ")),
    ];
    let changed = pairs.into_iter().filter(|(_, before, after)| before != after);
    changed.map(|(what, before, after)| format!("{what}: {after} (before: {before})")).collect()
}
