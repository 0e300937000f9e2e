//! `amici adopt`: running games from mails that carry their whole score. Shown first, created only when confirmed.

use std::collections::HashSet;
use std::path::PathBuf;

use chrono::{DateTime, NaiveDate, Utc};
use clap::Args as ClapArgs;

use super::confirm::Consent;
use super::rules::BeginArgs;
use super::take::read_again;
use super::{Color, Exit, Failure, Report, Setup};
use crate::config::{Config, Me};
use crate::domain::document::Document;
use crate::domain::game::{Game, GameId, is_same_event, plies_in_words};
use crate::intake::pass_over;
use crate::io::store::{EventRow, StoreError};
use crate::letters::root_message_id;
use crate::mail::address::Address;

pub(super) mod directors;
mod draft;
mod game;
mod letters;
mod mails;
mod newest;
mod sheaf;
pub(super) mod show;
mod sources;
mod started;
mod summary;

use game::{Desk, Found};
pub(super) use letters::director;
use mails::Place;
use sources::Gathered;

/// Nobody writes a longer mail, and half of one would be half a score. In bytes.
pub(super) const LONGEST: usize = 64 * 1024;
/// So many plies alike are one game under two events' names.
const OPENING: usize = 16;

/// Take running games over from mails that carry the whole score
///
/// One mail is enough for a game: the newest of the opponent, or your own from the Sent folder. With --mailbox they are looked for in your
/// mailbox. Of several mails of one game the longest whole score counts, and the others must agree with it; a start letter gives the rest.
/// What was read is shown first, several games a line each, and created only with --yes or after a "yes" on the terminal. With --json it is
/// printed as a document that `amici import /dev/stdin` takes.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// Saved mails
    #[arg(
        required_unless_present_any = ["from", "mailbox"],
        conflicts_with_all = ["from", "mailbox"],
        value_name = "MAIL.eml"
    )]
    files: Vec<PathBuf>,
    /// Use the mails of this sender that amici has kept; it keeps none of people you play no game with yet
    #[arg(long, value_name = "ADDRESS", conflicts_with = "mailbox")]
    from: Option<Address>,
    /// Look for running games in your mailbox: in the folders that are watched, and in that of the sent mails
    #[arg(long)]
    mailbox: bool,
    /// Look into this folder too; may be given again
    #[arg(long = "folder", value_name = "FOLDER", requires = "mailbox", conflicts_with_all = ["files", "from"])]
    folders: Vec<String>,
    /// Look at mails that came on this day or later [default: a year before the newest mail]
    #[arg(long, value_name = "DAY", requires = "mailbox", conflicts_with_all = ["files", "from"], value_parser = super::day)]
    since: Option<NaiveDate>,
    /// Create the games that are whole, and list the others with what they lack; so it always is with --mailbox
    #[arg(long)]
    skip_bad: bool,
    /// Show each of several games in full, with its score and its position
    #[arg(long)]
    details: bool,
    /// Your side, where the mail does not tell
    #[arg(long, value_enum, value_name = "COLOR")]
    me: Option<Color>,
    /// The game's short name [default: made of event and opponent, such as EM-1037-PET]
    #[arg(long)]
    id: Option<GameId>,
    /// The event's code [default: as the mail names it]
    #[arg(long)]
    event: Option<String>,
    /// The event's start; nothing is charged before it [default: as the mail states it]
    #[arg(long, value_name = "DATE", value_parser = super::day)]
    start: Option<NaiveDate>,
    #[command(flatten)]
    rules: BeginArgs,
    /// A notation that was agreed beside the numeric one: san, san-de, coordinate; may be given again
    #[arg(long = "notation", value_name = "NOTATION")]
    notations: Vec<String>,
    /// The opponent's name [default: as his mail shows it]
    #[arg(long)]
    opponent_name: Option<String>,
    /// Create the games without asking
    #[arg(long, conflicts_with = "json")]
    yes: bool,
    /// Print the games as a document for `amici import`; create nothing
    #[arg(long)]
    json: bool,
}

/// A game ready to be created.
struct Ready {
    game: Game,
    from: String,
    at: DateTime<Utc>,
    place: Place,
    why: &'static str,
    /// The other mails, each with what it added.
    others: Vec<String>,
    /// What of the mails was not taken.
    unused: Vec<String>,
    /// The mails whose move is left for the daemon to ask about.
    left: Vec<String>,
    /// What speaks against its rules where nobody named them.
    doubts: Vec<String>,
    /// Where the mails state other dates, days or totals than the newest.
    misfits: Vec<String>,
    /// The opponent's mails, oldest first, each with when it came.
    evidence: Vec<(Vec<u8>, DateTime<Utc>)>,
    /// His older letters without a move.
    letters: Vec<(Vec<u8>, DateTime<Utc>)>,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let is_lenient = args.skip_bad || args.mailbox;
    let mut gathered = sources::gather(setup, &config, &args).await?;
    let found = found(setup, &config, &args, &mut gathered).await?;
    let mut messages: Vec<&str> = gathered.bad.iter().map(String::as_str).collect();
    messages.extend(found.troubles.iter().map(|trouble| trouble.why.message.as_str()));
    if !(is_lenient || messages.is_empty()) {
        let exit = found.troubles.first().filter(|_| gathered.bad.is_empty()).map_or(Exit::Failed, |t| t.why.exit);
        return Err(Failure::new(exit, format!("{}\nhelp: nothing was created", messages.join("\n"))));
    }
    let left = summary::left(&found, &gathered);
    if args.json {
        for one in &found.ready {
            super::warn(&nobody_named(&one.game.id, &one.doubts));
            super::warn(&one.left.iter().map(|left| format!("{}: {left}", one.game.id)).collect::<Vec<_>>());
        }
        super::warn(&left.lines().map(str::to_owned).collect::<Vec<_>>());
        let games: Vec<Game> = found.ready.into_iter().map(|r| r.game).collect();
        let text = serde_json::to_string_pretty(&Document::of(&games));
        return Ok(format!("{}\n", text.map_err(|e| Failure::new(Exit::Failed, e.to_string()))?).into());
    }
    if found.ready.is_empty() {
        let text = format!("{}{left}", summary::looked(&gathered, &found));
        let exit = if found.known.is_empty() { Exit::Failed } else { Exit::Ok };
        return Ok(Report { text: format!("{text}Nothing was created.\n"), exit });
    }
    let directors = directors::of(&gathered.letters, &found, &config);
    let mut text = summary::looked(&gathered, &found);
    text.push_str(&match found.ready.len() == 1 || args.details {
        true => {
            let shown: Result<Vec<String>, String> =
                found.ready.iter().map(|one| show::text(one, config.me.timezone)).collect();
            shown.map_err(|why| Failure::new(Exit::Failed, why))?.join("\n")
        }
        false => summary::table(&found.ready, &config.me),
    });
    text.push_str(&left);
    text.push_str(&directors::told(&directors));
    let question = if found.ready.len() == 1 { "Create it?" } else { "Create these games?" };
    let consent = if args.yes { Consent::Yes } else { setup.asked.to(&text, question) };
    match consent {
        Consent::NotAsked => {
            super::warn(&["nothing is created yet; say the same with --yes when all of it is right".to_owned()]);
            return Ok(Report { text, exit: Exit::NeedsConfirmation });
        }
        Consent::No => return Ok("Nothing was created.\n".to_owned().into()),
        Consent::Yes if !args.yes => text.clear(),
        Consent::Yes => text.push('\n'),
    }
    let games: Vec<Game> = found.ready.iter().map(|r| r.game.clone()).collect();
    text.push_str(&create(setup, &config.me, &games, "adopted").await?);
    let mut store = setup.store().await?;
    for (bytes, at) in found.ready.iter().flat_map(|one| &one.evidence) {
        // the game stands: a mail that cannot be kept now can be taken in again
        if let Err(error) = super::take::taken(&mut store, &config, bytes, *at, setup.now).await {
            super::warn(&[format!("a mail could not be kept as evidence: {error}\nhelp: amici take FILE.eml")]);
        }
    }
    for (bytes, at) in found.ready.iter().flat_map(|one| &one.letters) {
        pass_over(&mut store, bytes, *at, setup.now).await?;
    }
    directors::write(setup, &directors)?;
    Ok(text.into())
}

/// The games that the mails and letters make beside those that stand.
async fn found(setup: &Setup, config: &Config, args: &Args, gathered: &mut Gathered) -> Result<Found, Failure> {
    let (mut names, mut running, mut over) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(mut store) = setup.store_if_any().await? {
        // the names of all are taken; only with one that runs can a new game be the same
        names = store.names_taken().await?;
        running = store.games_where(|outline| outline.game.result.is_none()).await?;
        let outlines = if args.from.is_some() || args.mailbox { store.outlines().await? } else { Vec::new() };
        if args.from.is_some() {
            // of the mails that were kept, those of a game that stands are no other game's
            let seen: HashSet<&str> =
                outlines.iter().flat_map(|known| &known.game.seen_message_ids).map(String::as_str).collect();
            gathered.mails.retain(|mail| !mail.id().is_some_and(|id| seen.contains(id.as_str())));
        }
        over = outlines.into_iter().map(|outline| outline.game).filter(|game| game.result.is_some()).collect();
    }
    if let Some(address) = args.from.as_ref().filter(|_| gathered.mails.is_empty()) {
        let why = format!("the mails of {address} that are kept are all of games that you have already");
        return Err(Failure::new(Exit::Failed, format!("{why}\nhelp: nothing was created")));
    }
    let running = running.into_iter().map(|thread| thread.game).collect();
    let rules = args.rules.wanted(config)?;
    let groups = sheaf::by_opponent(std::mem::take(&mut gathered.mails));
    let newest = groups.iter().flatten().map(|mail| mail.written()).max();
    let searched = newest.filter(|_| args.mailbox);
    let desk =
        Desk { config, args, rules, names, running, over, letters: &gathered.letters, searched, asked: setup.asked };
    let mut found = game::all(&groups, &desk)?;
    started::add(&desk, setup.now, &mut found);
    found.ready.sort_by(|one, other| one.game.id.cmp(&other.game.id));
    Ok(found)
}

/// The doubts about the rules of a game, and what helps.
fn nobody_named(id: &GameId, doubts: &[String]) -> Vec<String> {
    let help = "name them with --rules NAME (`amici rules` lists them), or as `rules` of their [[event]]";
    doubts.iter().map(|doubt| format!("nobody named the rules of {id}: {doubt}; {help}")).collect()
}

/// Stores new games, all or none, each with a line in its journal.
pub(super) async fn create(setup: &Setup, me: &Me, games: &[Game], kind: &str) -> Result<String, Failure> {
    let address = me.address().ok_or_else(|| Failure::new(Exit::Config, "me.emails is empty"))?;
    let mut entries = Vec::with_capacity(games.len());
    for game in games {
        entries.push((game.clone(), root_message_id(&game.id, &super::token()?, address)));
    }
    let mut store = setup.store().await?;
    store.import(&entries, false, setup.now).await.map_err(|error| match error {
        StoreError::GameExists { id } => {
            Failure::new(Exit::Failed, format!("game {id} exists already\nhelp: nothing was created"))
        }
        other => other.into(),
    })?;
    let mut text = String::new();
    for game in games {
        let event = EventRow {
            game: Some(game.id.clone()),
            kind: kind.to_owned(),
            text: format!("you took the game over after {}", plies_in_words(game.moves.len())),
        };
        store.note(&event, setup.now).await?;
        text.push_str(&format!("Created: {}  {} - {}\n", game.id, game.white.name, game.black.name));
    }
    text.push_str(&read_again(setup, &mut store).await?);
    text.push_str("Next: amici status\n");
    Ok(text)
}

/// Whether two games are one: the same opponent by address or name, the same side, and the same event or the same first moves.
pub(super) fn is_same(stored: &Game, new: &Game) -> bool {
    let his = |game: &Game| game.opponent().emails.iter().map(|e| e.to_lowercase()).collect::<Vec<_>>();
    let (old, his_new) = (his(stored), his(new));
    let shares = old.iter().any(|address| his_new.contains(address))
        || stored.opponent().name.eq_ignore_ascii_case(&new.opponent().name);
    let are_named = !new.event.is_empty() && !stored.event.is_empty();
    let event = are_named && is_same_event(&stored.event, &new.event);
    let both = stored.moves.iter().zip(&new.moves);
    // two events may begin with the same opening
    let enough = if are_named { OPENING } else { 1 };
    let moves = both.clone().count() >= enough && both.into_iter().all(|(a, b)| a.numeric == b.numeric);
    stored.result.is_none() && shares && stored.me == new.me && (event || moves)
}
