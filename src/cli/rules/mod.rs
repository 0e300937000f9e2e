//! `amici rules`: the rule sets by name, every value of one in plain words with where it is said, and the values of one game.

use std::fmt::Write;

use clap::{Args as ClapArgs, Subcommand};
use serde_json::{Value, json};

use super::clock::{settlement_json, settlement_line};
use super::narrow::folded;
use super::{Exit, Failure, Report, Setup, find};
use crate::config::{Config, OwnRules};
use crate::domain::clock::rules::{Change, Origin, Ruleset, RulesetChoice, named, names};
use crate::domain::game::{Game, GameId};
use crate::io::store::Settlement;

mod begin;
mod set;

pub(super) use begin::BeginArgs;
pub(super) use set::recounted;

/// Show what the rule sets say, and where they say it
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// One JSON document
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<RulesCommand>,
}

#[derive(Debug, Subcommand)]
enum RulesCommand {
    Show(ShowArgs),
    Set(set::Args),
}

/// Every value of a rule set, or of a game's own, in plain words
#[derive(Debug, ClapArgs)]
struct ShowArgs {
    /// Its name, as `amici rules` lists it
    #[arg(required_unless_present = "game", conflicts_with = "game")]
    name: Option<String>,
    /// The rules of this game, with the values that it changes
    #[arg(long, value_name = "GAME")]
    game: Option<GameId>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    match args.command {
        Some(RulesCommand::Show(show)) => self::show(setup, show, args.json).await,
        Some(RulesCommand::Set(set)) => set::run(setup, set).await,
        None => Ok(list(&own(setup)?, args.json).into()),
    }
}

async fn show(setup: &Setup, args: ShowArgs, json: bool) -> Result<Report, Failure> {
    let json = json || args.json;
    let Some(id) = &args.game else {
        let name = RulesetChoice::Name(args.name.unwrap_or_default());
        // a built-in set can be read before there is a configuration
        let choice = if name.resolve().is_ok() { name } else { own(setup)?.expanded(name)? };
        let set = choice.resolve()?;
        return if json { Ok(format!("{:#}\n", as_json(&set)?).into()) } else { Ok(folded(as_text(&set)).into()) };
    };
    let config = setup.config()?;
    let mut store = setup.store_to_read().await?;
    let game = find(&mut store, id).await?.game;
    let set = game.ruleset()?;
    let mut history = store.settlements(id).await?;
    history.retain(Settlement::is_of_rules);
    let elsewhere = begun_otherwise(&config, &game);
    if json {
        let mut document = as_json(&set)?;
        if let Some(object) = document.as_object_mut() {
            object.insert("game_id".to_owned(), json!(game.id));
            object.insert("changes".to_owned(), history.iter().map(settlement_json).collect());
            let differs = |change: &Change| json!({"key": change.key, "game": change.before, "event": change.after});
            object.insert("event_differs".to_owned(), elsewhere.iter().map(differs).collect());
        }
        return Ok(format!("{document:#}\n").into());
    }
    let mut text = as_text(&set);
    if !history.is_empty() {
        text.push_str("\nWhat you changed in this game, oldest first:\n");
    }
    for change in &history {
        let _ = writeln!(text, "  {}", settlement_line(change, config.me.timezone));
    }
    if !elsewhere.is_empty() {
        let _ = writeln!(text, "\nFor new games of {} your configuration says otherwise:", game.event);
        for change in &elsewhere {
            let _ = writeln!(text, "  {}: {}", change.key, change.after);
        }
        let _ =
            writeln!(text, "This game keeps its own. To change one:  amici rules set {} KEY=VALUE --why TEXT", game.id);
    }
    Ok(folded(text).into())
}

/// What the configuration says of a game's event otherwise than the rules that the game keeps. Where the configuration only names a set,
/// a value that the game says for itself is meant so.
pub(super) fn begun_otherwise(config: &Config, game: &Game) -> Vec<Change> {
    let rules = config.event(&game.event).and_then(|event| event.rules.as_ref());
    let both = rules.and_then(|rules| Some((rules, game.ruleset().ok()?, rules.resolve().ok()?)));
    let Some((rules, own, said)) = both else { return Vec::new() };
    let mut changes = own.changes(&said);
    changes.retain(|change| rules.says(change.key) || !game.rules.says(change.key));
    changes
}

/// The player's own sets; none where there is no configuration yet.
fn own(setup: &Setup) -> Result<OwnRules, Failure> {
    if setup.config.is_none() && !setup.config_file().is_ok_and(|file| file.exists()) {
        return Ok(OwnRules::default());
    }
    Ok(setup.config()?.rules)
}

fn list(own: &OwnRules, json: bool) -> String {
    let own: Vec<Ruleset> = own.sets().collect();
    let built_in = names().filter_map(named);
    let all: Vec<(&Ruleset, bool)> =
        built_in.map(|set| (set, false)).chain(own.iter().map(|set| (set, true))).collect();
    if json {
        let sets: Vec<Value> =
            all.iter().map(|(set, own)| json!({"name": set.id, "title": set.title, "own": own})).collect();
        return format!("{:#}\n", json!({"schema": 1, "rules": sets}));
    }
    let width = all.iter().map(|(set, _)| set.id.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (set, own) in all {
        let mark = if own { "  (your configuration)" } else { "" };
        text.push_str(&format!("{:width$}  {}{mark}\n", set.id, set.title));
    }
    text.push_str("\nEach in full: amici rules show NAME. A game's own: amici rules show --game GAME.\n");
    folded(text)
}

fn as_text(set: &Ruleset) -> String {
    let mut text = format!("{}: {}\n\n", set.id, set.title);
    let sayings = set.in_words();
    let width = sayings.iter().map(|saying| saying.key.len()).max().unwrap_or_default();
    for saying in &sayings {
        text.push_str(&format!("{:width$}  {}\n", saying.key, saying.words));
        let origin = saying.origin.words();
        let parts: Vec<&str> = set.uncertain_parts(saying.key).collect();
        let parts = if parts.is_empty() { String::new() } else { format!("; uncertain: {}", parts.join(", ")) };
        text.push_str(&format!("{:width$}    [{origin}{parts}]\n", ""));
    }
    text.push_str(
        "\nAny value can be changed for one game (amici rules set GAME KEY=VALUE), and for the new games of an event ([[event]] with rules).\n",
    );
    text
}

fn as_json(set: &Ruleset) -> Result<Value, Failure> {
    let mut values = serde_json::to_value(set).map_err(|e| Failure::new(Exit::Failed, e.to_string()))?;
    if let Some(map) = values.as_object_mut() {
        map.retain(|key, _| !matches!(key.as_str(), "title" | "uncertain" | "sources"));
    }
    let words: Vec<Value> = set
        .in_words()
        .iter()
        .map(|saying| {
            let (source, uncertain) = match &saying.origin {
                Origin::Own => (None, false),
                Origin::Source(source) => (Some(source.as_str()), false),
                Origin::Uncertain => (None, true),
            };
            let own = set.own.contains(saying.key);
            let parts: Vec<&str> = set.uncertain_parts(saying.key).collect();
            json!({
                "key": saying.key, "words": saying.words, "source": source, "uncertain": uncertain,
                "uncertain_parts": parts, "own": own,
            })
        })
        .collect();
    Ok(json!({"schema": 1, "name": set.id, "title": set.title, "values": values, "in_words": words}))
}
