//! `amici leave`: days on which a clock stands still: entered, listed, taken out, and told to everybody concerned.

use std::borrow::Cow;
use std::collections::BTreeMap;

use chrono::{Datelike, NaiveDate};
use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::care::{Span, consent, event, hand_over, only_shown, running, today};
use super::queue::failed;
use super::{Exit, Failure, Report, Setup, find};
use crate::config::{Config, Language};
use crate::domain::clock::days::in_words;
use crate::domain::clock::doubt::is_late;
use crate::domain::clock::rules::Ruleset;
use crate::domain::clock::still::StandingStill;
use crate::domain::game::{Game, GameId, Leave, is_same_event};
use crate::io::store::{Care, Store, StoredGame};
use crate::letters::{self, Errand, Letter, Tells, Whom};
use crate::mail::address::Address;

mod list;
mod sent;

/// Enter, list or take out days on which a clock stands still
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Enter leave; yours is told to opponents and directors by drafts
    Add(Add),
    /// All leave on record, and the days of each year
    List {
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// You sent the letters of your leave: enter that
    Sent(sent::Args),
    /// Take leave out again
    Remove(Which),
}

#[derive(Debug, ClapArgs)]
struct Add {
    #[command(flatten)]
    which: Which,
    /// The day on which the opponent announced it
    #[arg(long, value_name = "DATE", value_parser = super::day)]
    announced: Option<NaiveDate>,
    /// Do it although the rules want leave to be announced before it begins
    #[arg(long)]
    yes: bool,
    /// Show the letters only; nothing is kept or delivered
    #[arg(short = 'n', long)]
    dry_run: bool,
}

#[derive(Debug, ClapArgs)]
struct Which {
    /// The first and the last day, both included: 2026-07-01..2026-07-14
    #[arg(value_name = "FROM..TO")]
    span: Span,
    /// Only the games of this event
    #[arg(long, value_name = "NAME", conflicts_with = "game")]
    event: Option<String>,
    /// Only this game; may be given more than once [default: every running game]
    #[arg(long)]
    game: Vec<GameId>,
    /// Whose leave it is
    #[arg(long, value_enum, default_value = "me")]
    of: Whose,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Whose {
    /// Yours
    Me,
    /// The opponent's, in one game
    Opponent,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    match args.what {
        What::Add(add) => enter(setup, add).await,
        What::List { json } => list::run(setup, json).await,
        What::Sent(sent) => sent::run(setup, sent).await,
        What::Remove(which) => remove(setup, which).await,
    }
}

impl Which {
    fn leave(&self, game: &Game, announced: Option<NaiveDate>) -> Leave {
        let side = match self.of {
            Whose::Me => game.me,
            Whose::Opponent => game.me.other(),
        };
        Leave { side, from: self.span.from, to: self.span.to, announced }
    }

    /// The running games that are meant, at least one.
    async fn games(&self, store: &mut Store) -> Result<Vec<StoredGame>, Failure> {
        let mut found = Vec::new();
        for id in &self.game {
            let thread = find(store, id).await?;
            running(&thread.game)?;
            if !found.iter().any(|other: &StoredGame| other.game.id == *id) {
                found.push(thread);
            }
        }
        if self.of == Whose::Opponent && found.len() != 1 {
            return Err(failed("an opponent's leave belongs to one game\nhelp: say which with --game ID"));
        }
        if !found.is_empty() {
            return Ok(found);
        }
        let fits = |StoredGame { game, .. }: &StoredGame| {
            game.result.is_none() && self.event.as_ref().is_none_or(|event| is_same_event(event, &game.event))
        };
        found = store.games_where(fits).await?;
        found.retain(|thread| thread.game.decided().is_none());
        match (&self.event, found.is_empty()) {
            (_, false) => Ok(found),
            (Some(event), true) => {
                Err(Failure::new(Exit::NoSuchGame, format!("no running game belongs to the event `{event}`")))
            }
            (None, true) => Err(Failure::new(Exit::NoSuchGame, "no game is running")),
        }
    }
}

async fn enter(setup: &Setup, add: Add) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = if add.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let today = today(setup, &config, &mut store).await?;
    add.which.span.check(today)?;
    let mut games = add.which.games(&mut store).await?;
    let announced = match add.which.of {
        Whose::Me if add.announced.is_some() => {
            return Err(failed(
                "--announced is the day on which the opponent told you of his leave; yours is told by these letters\nhelp: add --of opponent, or leave --announced out",
            ));
        }
        Whose::Me => Some(today),
        Whose::Opponent => add.announced,
    };
    if let Some(day) = announced.filter(|day| *day > today) {
        return Err(failed(format!("{day} has not come yet; today is {today}")));
    }
    games.retain(|thread| !is_covered(&thread.game, &add.which.leave(&thread.game, None)));
    if games.is_empty() {
        return Ok("This leave is on record already; nothing was done.\n".to_owned().into());
    }
    let mut objections = Vec::new();
    for StoredGame { game, .. } in &games {
        let leave = add.which.leave(game, announced);
        match (exceeded(game, &leave)?, add.which.of) {
            (Some(too_many), Whose::Me) => {
                return Err(failed(format!("{too_many}\nhelp: nothing was entered; take fewer days")));
            }
            (Some(too_many), Whose::Opponent) => objections.push(too_many),
            (None, _) => {}
        }
        objections.extend(late(game, &leave, announced)?);
    }
    let entered: Vec<(GameId, Leave)> =
        games.iter().map(|thread| (thread.game.id.clone(), add.which.leave(&thread.game, add.announced))).collect();
    let ids: Vec<&str> = entered.iter().map(|(id, _)| id.as_str()).collect();
    let Span { from, to } = add.which.span;
    let whose = match add.which.of {
        Whose::Me => "Your leave".to_owned(),
        Whose::Opponent => format!("The leave of {}", games.first().map_or("", |t| t.game.opponent().name.as_str())),
    };
    let mut said = format!("{whose} from {from} to {to} counts in {}.\n", ids.join(", "));
    let letters = match add.which.of {
        Whose::Me => letters_of(setup, &config, &games, &add.which, &mut said)?,
        Whose::Opponent => Vec::new(),
    };
    if add.dry_run {
        said.extend(objections.iter().map(|line| format!("Note: {line}\n")));
    }
    if add.which.of == Whose::Me {
        said.push_str(&format!(
            "It counts as if the letters had gone out: send them today. Where your Sent folder is not read, say so:  amici leave sent {from}..{to}\n\
             If you do not send them, take it out:  amici leave remove {from}..{to}\n"
        ));
    }
    if add.dry_run {
        let texts: Vec<&str> = letters.iter().map(|letter| letter.text.as_str()).collect();
        return Ok(only_shown(&said, &texts.join("\n")));
    }
    consent(add.yes, &objections, "Enter it all the same?")?;
    let journal = |id: &GameId| event(id, "leave", format!("{whose} from {from} to {to} was entered"));
    let care = Care {
        events: entered.iter().map(|(id, _)| journal(id)).collect(),
        leaves: entered,
        outgoing: letters.into_iter().map(|drafted| drafted.letter.into_notice(Some(drafted.game))).collect(),
        ..Care::default()
    };
    hand_over(setup, &config, store, &care, said).await
}

fn rules_of(game: &Game) -> Result<Cow<'_, Ruleset>, Failure> {
    game.ruleset().map_err(|e| failed(format!("game {}: {e}", game.id)))
}

/// Whether the side is on leave already on all days of this leave.
fn is_covered(game: &Game, leave: &Leave) -> bool {
    let still = StandingStill::of(&game.leaves, leave.side);
    still.spans().iter().any(|(from, to)| *from <= leave.from && leave.to <= *to)
}

/// The days of leave of a side with this one, in each calendar year that it touches.
fn years_with(game: &Game, leave: &Leave) -> Vec<(i32, u32)> {
    let mut leaves = game.leaves.clone();
    leaves.push(*leave);
    let still = StandingStill::of(&leaves, leave.side);
    (leave.from.year()..=leave.to.year()).map(|year| (year, still.in_year(year))).collect()
}

/// The year in which the leave of a side would be longer than the rules of the game allow.
fn exceeded(game: &Game, leave: &Leave) -> Result<Option<String>, Failure> {
    let rules = rules_of(game)?;
    let Some(limit) = rules.leave.days_per_year else { return Ok(None) };
    let over = years_with(game, leave).into_iter().find(|(_, days)| *days > limit);
    Ok(over.map(|(year, days)| {
        format!("game {}: {} of leave in {year}, and its rules allow {limit}", game.id, in_words(days))
    }))
}

/// Leave that is announced after it began is not taken without a question, where the rules want it before (T64).
fn late(game: &Game, leave: &Leave, announced: Option<NaiveDate>) -> Result<Option<String>, Failure> {
    let rules = rules_of(game)?;
    if !is_late(&rules, &Leave { announced, ..*leave }) {
        return Ok(None);
    }
    Ok(match announced {
        Some(day) => Some(format!(
            "game {}: its rules want leave to be announced before it begins; this began on {} and is announced on {day}",
            game.id, leave.from
        )),
        None => Some(format!(
            "game {}: its rules want leave to be announced before it begins, and no day of announcement is given\nhelp: say it with --announced DATE",
            game.id
        )),
    })
}

/// A letter with its text as it is shown, and the game whose thread it is in.
struct Drafted {
    game: GameId,
    letter: Letter,
    text: String,
}

/// One letter to each opponent and each director, naming all games that concern him; where leave stops both clocks in some of them only, a
/// letter for these.
fn letters_of(
    setup: &Setup,
    config: &Config,
    games: &[StoredGame],
    which: &Which,
    said: &mut String,
) -> Result<Vec<Drafted>, Failure> {
    let mut opponents: BTreeMap<(String, bool), Vec<&StoredGame>> = BTreeMap::new();
    let mut directors: BTreeMap<(String, bool), (&Address, Vec<&StoredGame>)> = BTreeMap::new();
    let mut without_director: BTreeMap<&str, &Game> = BTreeMap::new();
    for thread in games {
        let address = thread.game.opponent().emails.first().cloned().unwrap_or_default();
        let both = rules_of(&thread.game)?.leave.stops_both;
        opponents.entry((address.to_lowercase(), both)).or_default().push(thread);
        match config.me.styles.director_of(&thread.game.event) {
            Some(address) => {
                directors.entry((address.to_string(), both)).or_insert((address, Vec::new())).1.push(thread);
            }
            None => _ = without_director.insert(&thread.game.event, &thread.game),
        }
    }
    without_director.remove("");
    said.extend(without_director.values().map(|game| format!("Note: {}\n", letters::no_director(game))));
    let to_opponents = opponents.iter().map(|((_, both), threads)| (threads, *both, Whom::Opponent { copy: None }));
    let to_directors = directors.iter().map(|((_, both), (address, threads))| {
        (threads, *both, Whom::Director { address: Some(*address), copy_to_opponent: false })
    });
    let mut drafted = Vec::new();
    for (threads, both, to) in to_opponents.chain(to_directors) {
        let Some(first) = threads.first() else { continue };
        let leave = which.leave(&first.game, None);
        let styles = &config.me.styles;
        let (style, used) = match to {
            Whom::Director { .. } => {
                let language = styles.for_others().language;
                let used = threads.iter().map(|thread| used(&thread.game, which, language));
                (styles.for_others().clone(), used.collect::<Result<Vec<_>, _>>()?)
            }
            Whom::Opponent { .. } => (styles.of(first.game.opponent()), Vec::new()),
        };
        // two games of one event share its leave
        let mut used: Vec<String> = used.into_iter().flatten().collect();
        used.sort();
        used.dedup();
        let concerned: Vec<&Game> = threads.iter().map(|thread| &thread.game).collect();
        let text = letters::leave_text(&concerned, (&leave, both), &used, &style, &config.me);
        let label = Tells::Leave { from: leave.from, to: leave.to }.label();
        let errand = Errand { label: &label, what: "your leave", body: &text, to, hints: &[] };
        let letter = letters::errand(&first.game, &first.root_message_id, &errand, &config.me, setup.now)
            .map_err(|e| failed(e.to_string()))?;
        let text = match to {
            Whom::Opponent { .. } => format!("To: {}\n\n{text}", first.game.opponent().name),
            Whom::Director { address, .. } => {
                format!("To: {}\n\n{text}", address.map(ToString::to_string).unwrap_or_default())
            }
        };
        drafted.push(Drafted { game: first.game.id.clone(), letter, text });
    }
    said.push_str(&format!(
        "{} drafted: {} to opponents, {} to directors.\n",
        drafted.len(),
        opponents.len(),
        directors.len()
    ));
    Ok(drafted)
}

/// How much of each year's leave is taken with it.
fn used(game: &Game, which: &Which, language: Language) -> Result<Vec<String>, Failure> {
    let limit = rules_of(game)?.leave.days_per_year;
    Ok(years_with(game, &which.leave(game, None))
        .into_iter()
        .map(|(year, days)| letters::leave_used(&game.event, days, limit, year, language))
        .collect())
}

async fn remove(setup: &Setup, which: Which) -> Result<Report, Failure> {
    let mut store = setup.store().await?;
    let Span { from, to } = which.span;
    let games = which.games(&mut store).await?;
    let stands = |game: &Game| {
        let leave = which.leave(game, None);
        game.leaves.iter().any(|l| (l.side, l.from, l.to) == (leave.side, leave.from, leave.to))
    };
    let games: Vec<&Game> = games.iter().map(|thread| &thread.game).filter(|game| stands(game)).collect();
    let leaves: Vec<(GameId, Leave)> = games.iter().map(|game| (game.id.clone(), which.leave(game, None))).collect();
    let text = format!("the leave from {from} to {to} was taken out");
    let events: Vec<_> = leaves.iter().map(|(id, _)| event(id, "leave", text.clone())).collect();
    if leaves.is_empty() || !store.remove_leave(&leaves, &events, setup.now).await? {
        return Err(failed(format!(
            "no leave from {from} to {to} is on record there\nhelp: `amici leave list` shows the leave that is"
        )));
    }
    let ids: Vec<&str> = leaves.iter().map(|(id, _)| id.as_str()).collect();
    let tell = match which.of {
        Whose::Me => "Those whom you told of it do not know: write to them, e.g. with `amici message GAME -m TEXT`.\n",
        Whose::Opponent => "",
    };
    Ok(format!("The leave from {from} to {to} counts no more in {}.\n{tell}", ids.join(", ")).into())
}
