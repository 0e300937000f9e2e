//! `amici import`: games from a JSON document or a PGN file, all or nothing.
//!
//! The content of the file says which it is. What will surprise you: a comment of a PGN that is no date becomes a private note,
//! which is kept beside its game.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};

use super::care::consent;
use super::rules::BeginArgs;
use super::take::read_again;
use super::{Color, Exit, Failure, Report, Setup};
use crate::domain::clock::ledger::Ledger;
use crate::domain::document::{Document, DocumentError, check_days};
use crate::domain::game::{Game, GameId, plies_in_words};
use crate::domain::judge::discrepancy::{Difference, Row, differences, in_words};
use crate::domain::pgn::{Ids, in_utf8};
use crate::io::file;
use crate::io::store::{Store, StoreError};
use crate::letters::root_message_id;
use crate::mail::address::Address;
use crate::overview;

mod pgn;
mod rules;

use pgn::{Taken, is_pgn, left_out, read_pgn};

/// Games of a PGN file that are told one by one.
const MOST_TOLD: usize = 50;
/// Moves of a game that are told one by one.
const MOVES_TOLD: usize = 3;
/// Stored games that are looked at together.
const AT_ONCE: usize = 200;
/// Bytes from which on a file is worth a bar.
const LARGE: usize = 1 << 17;

/// Take games in from a JSON or PGN file
///
/// A file with one bad game changes nothing.
///
/// Dates of moves are read from comments such as {R 2004.10.24 S 2004.10.26 2/30} and {[%ccsnt 2004.10.26,07:45]}; other comments become
/// private notes (amici note). The rules of a game are those of its tag Ruleset, as `amici export` writes it, unless --rules names others.
/// Nothing of an import that is broken off is kept: run it again.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The file: as `amici export` writes it, or any PGN with moves in SAN, coordinates or ICCF numeric notation
    file: PathBuf,
    /// Replace games that exist already
    #[arg(long, conflicts_with = "skip_existing")]
    replace: bool,
    /// Import without a question: replace games whose moves mails prove; take the usual rules for running games, and the side that names
    /// tell, whatever speaks against them
    #[arg(long)]
    yes: bool,
    /// Leave out games that exist already just as in the file: for a file that has grown since it was imported
    #[arg(long)]
    skip_existing: bool,
    /// PGN: import the good games of the file, and list the others
    #[arg(long)]
    skip_bad: bool,
    /// PGN: your side in games where the names and addresses of the players do not tell it
    #[arg(long, value_name = "COLOR")]
    me: Option<Color>,
    /// PGN: the opponent's address, for running games that lack the tag WhiteNA or BlackNA
    #[arg(long, value_name = "ADDRESS")]
    opponent_email: Option<Address>,
    #[command(flatten)]
    rules: BeginArgs,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let named = args.file.display();
    let fail = |why: String| {
        Failure::new(
            Exit::Failed,
            format!("{named}: {why}\nhelp: nothing was imported; correct the file and import it again"),
        )
    };
    let bytes = file::read(&args.file, file::GAMES).map_err(|e| fail(format!("cannot be read: {e}")))?;
    let bytes = in_utf8(bytes);
    if bytes.trim_ascii().is_empty() {
        return Err(fail("it is empty: there is no game in it".to_owned()));
    }
    let bar = progress(bytes.len());
    let config = setup.config()?;
    let today = setup.now.with_timezone(&config.me.timezone).date_naive();
    let is_pgn = is_pgn(&bytes);
    let most = if is_pgn { MOST_TOLD } else { usize::MAX };
    let taken = if is_pgn {
        let ids = match setup.store_if_any().await? {
            Some(mut store) => Ids::new(store.identities().await?),
            None => Ids::default(),
        };
        let taken =
            read_pgn(&bytes, &args, (&config.me, today), &args.rules.wanted(&config)?, ids, &bar).map_err(fail)?;
        taken.games.iter().try_for_each(|game| args.rules.check(game))?;
        taken
    } else {
        if args.skip_bad || args.me.is_some() || args.opponent_email.is_some() || !args.rules.is_empty() {
            return Err(fail(
                "--skip-bad, --me, --opponent-email, --rules and --rule are for PGN, and this is none".to_owned(),
            ));
        }
        if !bytes.trim_ascii_start().starts_with(b"{") {
            return Err(fail(
                "it is neither PGN (which begins with a tag such as [Event \"...\"]) nor the JSON that `amici export` writes".to_owned(),
            ));
        }
        let text = String::from_utf8(bytes).map_err(|e| fail(format!("cannot be read: {e}")))?;
        let games = Document::read_with(&text, |rules| config.rules.expanded(rules.clone()).ok());
        let games = games.map_err(|e| fail(e.to_string()))?;
        for game in &games {
            let wrong = |why| DocumentError::Game { game: game.id.clone(), why };
            check_days(game, today).map_err(|why| fail(wrong(why).to_string()))?;
        }
        Taken { games, ..Taken::default() }
    };
    if !taken.bad.is_empty() && !args.skip_bad {
        let Taken { games, bad, .. } = &taken;
        return Err(Failure::new(
            Exit::Failed,
            format!(
                "{named}: {} of {} games cannot be imported:\n{}help: nothing was imported; correct the file, or import the others with --skip-bad",
                bad.len(),
                games.len() + bad.len(),
                listed(bad, most)
            ),
        ));
    }
    let mut store = setup.store().await?;
    let (games, known) =
        if args.skip_existing { without_known(&mut store, taken.games).await? } else { (taken.games, 0) };
    let mut entries = Vec::with_capacity(games.len());
    for game in games {
        for address in game.white.emails.iter().chain(&game.black.emails) {
            address.parse::<Address>().map_err(|e| fail(format!("game {}: {e}", game.id)))?;
        }
        let me = match game.myself().emails.first() {
            Some(address) => address.parse::<Address>().ok(),
            None => setup.config()?.me.address().cloned(),
        };
        let me = me.ok_or_else(|| fail(format!("game {}: you have no address in it", game.id)))?;
        let root = root_message_id(&game.id, &super::token()?, &me);
        entries.push((game, root));
    }
    let left: HashSet<&GameId> = entries.iter().map(|(game, _)| &game.id).collect();
    let mut objections = rules::objections(taken.doubts.iter().filter(|(id, _)| left.contains(id)));
    objections.extend(rules::other_side(taken.other_side.iter().filter(|(id, _)| left.contains(id))));
    if args.replace {
        objections.extend(by_mail(&mut store, &entries).await?);
    }
    consent(setup, args.yes, &objections, "Import them so?").inspect_err(|_| bar.finish_and_clear())?;
    let dropped = if args.replace { drafted(&mut store, &entries).await? } else { String::new() };
    bar.set_message("storing");
    bar.set_length(steps(entries.len()));
    bar.set_position(0);
    let stored = store.import_annotated(bar.wrap_iter(entries.iter()), &taken.notes, args.replace, setup.now).await;
    let stored = stored.map_err(|error| match error {
        StoreError::GameExists { .. } | StoreError::SimilarGame { .. } => {
            Failure::new(Exit::Failed, format!("{named}: {error}"))
        }
        other => other.into(),
    })?;
    bar.set_message("summing up");
    // what this does not do, the next command does
    if let Ok(config) = setup.config() {
        let games = entries.iter().map(|(game, _)| game).zip(stored.versions);
        let _ = overview::keep_new(&mut store, &config.me, games, setup.now).await;
    }
    bar.finish_and_clear();
    let noun = if entries.len() == 1 { "game" } else { "games" };
    let mut text = format!("{} {noun} imported:\n", entries.len());
    let line = |(game, _): &(Game, String)| {
        format!("{}  {} - {}, {}", game.id, game.white.name, game.black.name, plies_in_words(game.moves.len()))
    };
    text.push_str(&listed(&entries.iter().map(line).collect::<Vec<_>>(), most));
    if known > 0 {
        text.push_str(&format!("{known} left out that exist already just so.\n"));
    }
    if !taken.bad.is_empty() {
        // all of them: nothing else says which they are
        let bad = listed(&taken.bad, usize::MAX);
        text.push_str(&format!("{} left out that cannot be imported:\n{bad}", taken.bad.len()));
    }
    if stored.notes > 0 {
        text.push_str(&format!("Comments kept as private notes, which no letter shows: {}\n", stored.notes));
    }
    text.push_str(&left_out(taken.left_out.iter().filter(|(id, _)| left.contains(id))));
    text.push_str(&dropped);
    let recounted = recounted(entries.iter().map(|(game, _)| game), most);
    let rules = if is_pgn { rules::of_running(entries.iter().map(|(game, _)| game)) } else { String::new() };
    text.push_str(&recounted);
    text.push_str(&rules);
    if is_pgn && !(recounted.is_empty() && rules.is_empty()) {
        text.push_str("If the rules are others, import it anew:  amici import FILE --replace --rules NAME\n");
    }
    text.push_str(&undated(entries.iter().map(|(game, _)| game)));
    text.push_str(&format!("{}Next: amici status\n", read_again(setup, &mut store).await?));
    Ok(text.into())
}

/// The games whose days or totals come out otherwise than they stand in the file, a line each, and what helps. What a mail states is no
/// figure of the file's: it is compared wherever it is shown.
fn recounted<'a>(games: impl Iterator<Item = &'a Game>, most: usize) -> String {
    let lines: Vec<String> = games.filter_map(otherwise).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!(
        "Counted otherwise than the file says, by its dates and the rules of the game:\n{}\
         Where the file is right, enter what it counts:  amici clock set GAME PLY --days DAYS --why TEXT\n",
        listed(&lines, most)
    )
}

/// The moves of a game that the record counts otherwise than the file, if there are any.
fn otherwise(game: &Game) -> Option<String> {
    let by_file = game.moves.iter().enumerate().filter(|(_, record)| record.observed.arrived.is_none());
    let rows: Vec<Row> = by_file.map(|(index, record)| Row::read(game.number_of(index), record.claimed)).collect();
    if rows.iter().all(|row| row.stated.days.or(row.stated.total).is_none()) {
        return None;
    }
    let found = differences(game, &Ledger::of(game).ok()?, &rows);
    let line = |found: &Difference| {
        let [file, ours] = [&found.his, &found.ours].map(|stated| in_words(stated, |day| day.to_string()));
        format!("{} {file} in the file, here {ours}", found.number)
    };
    let mut told: Vec<String> = found.iter().take(MOVES_TOLD).map(line).collect();
    told.extend(found.len().checked_sub(MOVES_TOLD + 1).map(|more| format!("and {} more", more + 1)));
    (!found.is_empty()).then(|| format!("{}: {}", game.id, told.join("; ")))
}

/// The running games of which dates are missing: how many, and what helps.
fn undated<'a>(games: impl Iterator<Item = &'a Game>) -> String {
    let running = games.filter(|game| game.result.is_none());
    let mut undated = running.filter(|game| Ledger::of(game).is_ok_and(|ledger| ledger.lacks_dates()));
    let Some(first) = undated.next() else { return String::new() };
    let count = match 1 + undated.count() {
        1 => "1 running game has moves without a date: its days are unknown".to_owned(),
        several => format!("{several} running games have moves without a date: their days are unknown"),
    };
    format!("{count}. How to enter it:  amici show {}\n", first.id)
}

/// A bar on stderr for a file of this many bytes; none where it is small, or stderr is no terminal.
fn progress(size: usize) -> ProgressBar {
    match ProgressStyle::with_template("{msg} {wide_bar} {percent}%") {
        Ok(style) if size >= LARGE => ProgressBar::new(0).with_style(style),
        _ => ProgressBar::hidden(),
    }
}

/// A count for the bar.
fn steps(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// What speaks against a replacement: the moves of stored games that stand on mails.
async fn by_mail(store: &mut Store, entries: &[(Game, String)]) -> Result<Vec<String>, Failure> {
    let ids: Vec<GameId> = entries.iter().map(|(game, _)| game.id.clone()).collect();
    let found = store.moves_by_mail(&ids).await?;
    let line = |(id, moves): (GameId, i64)| {
        format!(
            "game {id} has {} by mails: replaced, its days are counted by what the file states, and `amici verify` has no mail to compare",
            plies_in_words(usize::try_from(moves).unwrap_or(usize::MAX))
        )
    };
    Ok(found.into_iter().map(line).collect())
}

/// The drafted moves that a replacement drops, a line each.
async fn drafted(store: &mut Store, entries: &[(Game, String)]) -> Result<String, Failure> {
    let mut lines = String::new();
    for entries in entries.chunks(AT_ONCE) {
        for old in stored(store, entries.iter().map(|(game, _)| game)).await? {
            if let Some(plan) = &old.plan {
                lines.push_str(&format!(
                    "{}: your drafted {} was dropped. If its draft is sent already:  amici play {0} {2}, then  amici sent {0}\n",
                    old.id,
                    plan.in_words(old.due()),
                    plan.numeric
                ));
            }
        }
    }
    Ok(lines)
}

/// Those of these games that are stored, as they are there.
async fn stored<'g>(store: &mut Store, games: impl Iterator<Item = &'g Game>) -> Result<Vec<Game>, Failure> {
    let ids: Vec<GameId> = games.map(|game| game.id.clone()).collect();
    Ok(store.watched(&ids).await?.into_iter().map(|watched| watched.stored.game).collect())
}

/// The games that are not stored already as they are here, and how many are.
async fn without_known(store: &mut Store, games: Vec<Game>) -> Result<(Vec<Game>, usize), Failure> {
    let mut new = Vec::with_capacity(games.len());
    for chunk in games.chunks(AT_ONCE) {
        let stored = stored(store, chunk.iter()).await?.into_iter();
        let known: HashMap<GameId, Game> =
            stored.map(|game| (game.id.clone(), Game { illegal_mails: Vec::new(), ..game })).collect();
        new.extend(chunk.iter().filter(|game| known.get(&game.id) != Some(game)).cloned());
    }
    let known = games.len() - new.len();
    Ok((new, known))
}

/// The first of these lines, and how many more there are.
fn listed(lines: &[String], most: usize) -> String {
    let mut text: String = lines.iter().take(most).map(|line| format!("  {line}\n")).collect();
    if lines.len() > most {
        text.push_str(&format!("  ... and {} more\n", lines.len() - most));
    }
    text
}
