//! `amici rules`: the rule sets by name, and every value of one in plain words with where it is said.

use clap::{Args as ClapArgs, Subcommand};
use serde_json::{Value, json};

use super::narrow::folded;
use super::{Exit, Failure, Report, Setup, find};
use crate::config::OwnRules;
use crate::domain::clock::rules::{Origin, Ruleset, RulesetChoice, named, names};
use crate::domain::game::GameId;

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
    let Some(RulesCommand::Show(show)) = args.command else {
        let own = own(setup)?;
        return Ok(list(&own, args.json).into());
    };
    let choice = match (&show.name, &show.game) {
        (_, Some(id)) => find(&mut setup.store_to_read().await?, id).await?.game.rules,
        // a built-in set can be read before there is a configuration
        (Some(name), None) if named(name).is_some() => RulesetChoice::Name(name.clone()),
        (name, None) => own(setup)?.choice(name.as_deref().unwrap_or_default())?,
    };
    let set = choice.resolve()?;
    if show.json || args.json { as_json(&set) } else { Ok(folded(as_text(&set)).into()) }
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
        "\nAny value can be changed for one game, and for all games of an event by a rule set of your own.\n",
    );
    text
}

fn as_json(set: &Ruleset) -> Result<Report, Failure> {
    let mut values = serde_json::to_value(set).map_err(|e| Failure::new(Exit::Failed, e.to_string()))?;
    if let Some(map) = values.as_object_mut() {
        map.retain(|key, _| !matches!(key.as_str(), "title" | "uncertain" | "sources"));
    }
    let words: Vec<Value> = set
        .in_words()
        .iter()
        .map(|saying| {
            let (source, uncertain, own) = match &saying.origin {
                Origin::Own => (None, false, true),
                Origin::Source(source) => (Some(source.as_str()), false, false),
                Origin::Uncertain => (None, true, false),
            };
            let parts: Vec<&str> = set.uncertain_parts(saying.key).collect();
            json!({
                "key": saying.key, "words": saying.words, "source": source, "uncertain": uncertain,
                "uncertain_parts": parts, "own": own,
            })
        })
        .collect();
    let document = json!({"schema": 1, "name": set.id, "title": set.title, "values": values, "in_words": words});
    Ok(format!("{document:#}\n").into())
}
