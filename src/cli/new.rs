//! `amici new`: a game by hand.

use chrono::NaiveDate;
use clap::Args as ClapArgs;

use super::rules::BeginArgs;
use super::take::read_again;
use super::{Color, Exit, Failure, Report, Setup, find};
use crate::domain::clock::rules::RulesetChoice;
use crate::domain::document::check;
use crate::domain::game::{Game, GameId, Player, is_same_event};
use crate::io::store::{Store, StoreError};
use crate::letters::root_message_id;
use crate::mail::address::Address;

/// Start a game by hand
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// Its short name, such as EM-1037-PET
    game: GameId,
    /// The opponent's name
    #[arg(long)]
    opponent: String,
    /// An address the opponent writes from; may be given again
    #[arg(long = "email", required = true, value_name = "ADDRESS")]
    emails: Vec<String>,
    /// Your side
    #[arg(long, value_enum)]
    color: Color,
    /// The event's code
    #[arg(long, default_value = "")]
    event: String,
    /// The organiser [default: that of your other games of the event]
    #[arg(long)]
    site: Option<String>,
    /// The event's start; nothing is charged before it [default: today]
    #[arg(long, value_name = "DATE", value_parser = super::day)]
    start: Option<NaiveDate>,
    #[command(flatten)]
    rules: BeginArgs,
    /// The start position, if not the initial one
    #[arg(long)]
    fen: Option<String>,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let wanted = args.rules.wanted(&config)?;
    let start = match args.start {
        Some(day) => day,
        None => setup.around(&config).today(&mut setup.store().await?).await?,
    };
    let me = config.me;
    let opponent = Player { name: args.opponent, emails: args.emails };
    let rules = wanted.said(&args.event).unwrap_or_else(|| RulesetChoice::Name("friendly".to_owned()));
    let rules = rules.with(&wanted.values);
    let site = match args.site {
        Some(site) => site,
        None => site_of(&mut setup.store().await?, &args.event).await?,
    };
    let game = Game {
        site,
        start_date: Some(start),
        start_fen: args.fen,
        ..Game::between(args.game, args.event, args.color.side(), me.player(), opponent, rules)
    };
    args.rules.check(&game)?;
    check(&game).map_err(|e| Failure::new(Exit::Failed, format!("game {}: {e}", game.id)))?;
    let address: &Address = me.address().ok_or_else(|| Failure::new(Exit::Config, "me.emails is empty"))?;
    let root = root_message_id(&game.id, &super::token()?, address);
    let mut store = setup.store().await?;
    store.import(&[(game.clone(), root)], false, setup.now).await.map_err(|error| match error {
        StoreError::GameExists { id } => {
            Failure::new(Exit::Failed, format!("game {id} exists already\nhelp: give the new game another name"))
        }
        other => other.into(),
    })?;
    let read = read_again(setup, &mut store).await?;
    let game = find(&mut store, &game.id).await?.game;
    let next = if game.is_my_turn() { format!("amici play {} MOVE", game.id) } else { "amici run".to_owned() };
    let set = game.ruleset()?;
    Ok(format!(
        "Game {}: {} - {}. {} to move.\nRules: {}\n{read}Next: {next}\n",
        game.id,
        game.white.name,
        game.black.name,
        game.to_move().name(),
        set.in_brief()
    )
    .into())
}

/// The organiser of an event, as another game of it has him; empty where none does.
async fn site_of(store: &mut Store, event: &str) -> Result<String, Failure> {
    if event.trim().is_empty() {
        return Ok(String::new());
    }
    let of_event = store.games_where(|outline| is_same_event(&outline.game.event, event)).await?;
    Ok(of_event.into_iter().map(|stored| stored.game.site).find(|site| !site.is_empty()).unwrap_or_default())
}
