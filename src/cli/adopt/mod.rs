//! `amici adopt`: running games from mails that carry their whole score. Shown first, created only when confirmed.

use std::collections::HashSet;
use std::path::PathBuf;

use chrono::{DateTime, NaiveDate, Utc};
use clap::Args as ClapArgs;

use super::confirm::{Consent, ask};
use super::rules::BeginArgs;
use super::take::read_again;
use super::{Color, Exit, Failure, Report, Setup};
use crate::config::{Config, Me};
use crate::domain::adopt::{Request, Writer};
use crate::domain::document::{Document, check};
use crate::domain::game::{Game, GameId, Player, is_same_event, plies_in_words};
use crate::domain::notation::Language;
use crate::io::file::{self, MAIL};
use crate::io::store::{EventRow, StoreError};
use crate::letters::root_message_id;
use crate::mail::address::Address;

mod mails;
mod newest;
pub(super) mod show;

use mails::{Mail, Place};
use newest::{Founded, Newest, found, newest_move};

/// Nobody writes a longer mail, and half of one would be half a score. In bytes.
pub(super) const LONGEST: usize = 64 * 1024;

/// Take running games over from mails that carry the whole score
///
/// One mail is enough for a game: the newest of the opponent, or your own from the Sent folder. Of several mails of one opponent the
/// newest with the whole score counts, and the others must agree with it. What was read is shown first, and created only with --yes
/// or after a "yes" on the terminal. With --json it is printed as a document that `amici import /dev/stdin` takes.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// Saved mails
    #[arg(required_unless_present = "from", conflicts_with = "from", value_name = "MAIL.eml")]
    files: Vec<PathBuf>,
    /// Use the mails of this sender that amici has kept; it keeps none of people you play no game with yet
    #[arg(long, value_name = "ADDRESS")]
    from: Option<Address>,
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
    /// What speaks against its rules where nobody named them.
    doubts: Vec<String>,
    /// Where the mails state other dates, days or totals than the newest.
    misfits: Vec<String>,
    /// The opponent's mails, oldest first, each with when it came.
    evidence: Vec<(Vec<u8>, DateTime<Utc>)>,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let me = &config.me;
    let mut mails = gather(setup, me, &args).await?;
    let (mut names, mut running, mut outlines) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(mut store) = setup.store_if_any().await? {
        // the names of all are taken; only with one that runs can a new game be the same
        names = store.game_names().await?;
        running = store.games_where(|outline| outline.game.result.is_none()).await?;
        if args.from.is_some() {
            outlines = store.outlines().await?;
        }
    }
    if let Some(address) = &args.from {
        // of the mails that were kept, those of a game that stands are no other game's
        let seen: HashSet<&str> =
            outlines.iter().flat_map(|known| &known.game.seen_message_ids).map(String::as_str).collect();
        mails.retain(|mail| !mail.id().is_some_and(|id| seen.contains(id.as_str())));
        if mails.is_empty() {
            let why = format!("the mails of {address} that are kept are all of games that you have already");
            return Err(Failure::new(Exit::Failed, format!("{why}\nhelp: nothing was created")));
        }
    }
    let groups = by_opponent(mails);
    let one_only = args.id.is_some() || args.me.is_some() || args.opponent_name.is_some();
    if one_only && groups.len() > 1 {
        let why =
            format!("the mails are of {} opponents; --id, --me and --opponent-name are for one game", groups.len());
        return Err(Failure::new(Exit::Failed, why));
    }
    let mut ready: Vec<Ready> = Vec::new();
    let mut troubles: Vec<Failure> = Vec::new();
    for mails in &groups {
        let known: Vec<&Game> = running.iter().map(|t| &t.game).chain(ready.iter().map(|r| &r.game)).collect();
        let taken = names.iter().chain(ready.iter().map(|r| &r.game.id)).cloned().collect();
        match adopt(mails, &config, &args, (&known, taken)) {
            Ok(one) => ready.push(one),
            Err(trouble) => troubles.push(trouble),
        }
    }
    if let Some(first) = troubles.first() {
        let messages: Vec<&str> = troubles.iter().map(|t| t.message.as_str()).collect();
        return Err(Failure::new(first.exit, format!("{}\nhelp: nothing was created", messages.join("\n"))));
    }
    if args.json {
        super::warn(&ready.iter().flat_map(|one| nobody_named(&one.game.id, &one.doubts)).collect::<Vec<_>>());
        let games: Vec<Game> = ready.into_iter().map(|r| r.game).collect();
        let text = serde_json::to_string_pretty(&Document::of(&games));
        return Ok(format!("{}\n", text.map_err(|e| Failure::new(Exit::Failed, e.to_string()))?).into());
    }
    let shown: Result<Vec<String>, String> = ready.iter().map(|one| show::text(one, me.timezone)).collect();
    let mut text = shown.map_err(|why| Failure::new(Exit::Failed, why))?.join("\n");
    let consent = if args.yes { Consent::Yes } else { ask(&text, "Create it?") };
    match consent {
        Consent::NotAsked => {
            super::warn(&["nothing is created yet; say the same with --yes when all of it is right".to_owned()]);
            return Ok(Report { text, exit: Exit::NeedsConfirmation });
        }
        Consent::No => return Ok("Nothing was created.\n".to_owned().into()),
        Consent::Yes if !args.yes => text.clear(),
        Consent::Yes => text.push('\n'),
    }
    let games: Vec<Game> = ready.iter().map(|r| r.game.clone()).collect();
    text.push_str(&create(setup, me, &games, "adopted").await?);
    let mut store = setup.store().await?;
    for (bytes, at) in ready.iter().flat_map(|one| &one.evidence) {
        // the game stands: a mail that cannot be kept now can be taken in again
        if let Err(error) = super::take::taken(&mut store, &config, bytes, *at, setup.now).await {
            super::warn(&[format!("a mail could not be kept as evidence: {error}\nhelp: amici take FILE.eml")]);
        }
    }
    Ok(text.into())
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

/// The mails that were named, or those of a sender that were kept.
async fn gather(setup: &Setup, me: &Me, args: &Args) -> Result<Vec<Mail>, Failure> {
    let mut found: Vec<(String, Vec<u8>, Option<DateTime<Utc>>)> = Vec::new();
    if let Some(address) = &args.from {
        if let Some(mut store) = setup.store_if_any().await? {
            let kept = store.mails_from(address.as_str()).await?;
            found.extend(kept.into_iter().map(|m| (format!("mail {}", m.mail), m.raw, m.server_date)));
        }
        if found.is_empty() {
            return Err(Failure::new(
                Exit::Failed,
                format!(
                    "no mail of {address} is kept: amici keeps only mails that are about a game it knows\n\
                     help: save his last mail in your mail program as a file, and say: amici adopt FILE.eml"
                ),
            ));
        }
    }
    for file in &args.files {
        let name = file.display().to_string();
        let raw = file::read(file, MAIL).map_err(|e| {
            Failure::new(Exit::Failed, format!("{name}: cannot be read: {e}\nhelp: nothing was created"))
        })?;
        found.push((name, raw, None));
    }
    let read = |(name, raw, at): (String, Vec<u8>, _)| {
        Mail::read(name.clone(), raw, at, me, setup.now)
            .map_err(|why| Failure::new(Exit::Failed, format!("{name}: {why}\nhelp: nothing was created")))
    };
    found.into_iter().map(read).collect()
}

/// The mails of each opponent, the newest first.
fn by_opponent(mails: Vec<Mail>) -> Vec<Vec<Mail>> {
    let mut groups: Vec<Vec<Mail>> = Vec::new();
    for mail in mails {
        match groups.iter_mut().find(|group| group.iter().any(|other| other.opponent == mail.opponent)) {
            Some(group) => group.push(mail),
            None => groups.push(vec![mail]),
        }
    }
    for group in &mut groups {
        group.sort_by_key(|mail| std::cmp::Reverse(mail.at));
    }
    groups
}

/// The game of one opponent's mails, if it is none of those that are `known`; the names that are in use are `taken`.
fn adopt(
    mails: &[Mail],
    config: &Config,
    args: &Args,
    (known, taken): (&[&Game], Vec<GameId>),
) -> Result<Ready, Failure> {
    let me = &config.me;
    let languages = Language::agreed(&args.notations);
    let mut reasons = Vec::new();
    let mut newest = None;
    for (index, mail) in mails.iter().enumerate() {
        match mail.score(args.start, &languages) {
            Ok(found) => {
                newest = Some((index, mail, found));
                break;
            }
            Err(why) => reasons.push(format!("{}: {why}", mail.name)),
        }
    }
    let Some((index, mail, (place, score))) = newest else {
        return Err(Failure::new(Exit::Failed, reasons.join("\n")));
    };
    let failed = |why: String| Failure::new(Exit::Failed, format!("{}: {why}", mail.name));
    let request = request(mail, config, args)?;
    let Founded { mut game, why, mut unused, doubts, newest } = found(&score, mail, me, &request, &taken)?;
    let (mut others, mut misfits) = (Vec::new(), Vec::new());
    let mut is_left = false;
    for older in mails.iter().skip(index + 1) {
        if let Some(difference) = older.differences(&score) {
            let why = format!(
                "an older mail, {}, does not agree: {difference}\nhelp: of two games with one opponent, name the mails one by one",
                older.name
            );
            return Err(failed(why));
        }
        let apart = older.otherwise(&score, &mail.name, args.start);
        others.push(format!("{}: agrees{}", older.name, if apart.is_empty() { "" } else { " in its moves" }));
        misfits.extend(apart);
    }
    match newest {
        Newest::Moved => note_newest(&mut game, mail),
        Newest::Nothing => {
            if mail.writer == Writer::Opponent {
                unused.push(format!("{} brings no new move of his", mail.name));
            }
            note_newest(&mut game, mail);
        }
        Newest::Left(reason) => {
            is_left = true;
            unused.push(format!(
                "the newest move of {}: {reason}\n    take the mail in afterwards with `amici take`, and settle it there",
                mail.name
            ));
        }
    }
    for newer in mails.iter().take(index).rev() {
        match newest_move(&mut game, newer, me) {
            Ok(Newest::Moved) => others.push(format!("{}: newer, without the whole score", newer.name)),
            Ok(Newest::Nothing) => others.push(format!("{}: newer, brings no move", newer.name)),
            Ok(Newest::Left(why)) | Err(why) => {
                let text = format!("a newer mail, {}, does not continue the score: {why}", newer.name);
                return Err(failed(text));
            }
        }
        note_newest(&mut game, newer);
    }
    mails.iter().skip(index + 1).for_each(|older| note_seen(&mut game, older));
    args.rules.check(&game)?;
    check(&game).map_err(|e| failed(e.to_string()))?;
    if let Some(same) = known.iter().find(|known| is_same(known, &game)) {
        return Err(failed(format!(
            "this is game {}, which you have already\nhelp: take the mail in with `amici take`",
            same.id
        )));
    }
    // what is left for `take` is judged there
    let proves = |other: &&Mail| other.writer == Writer::Opponent && !(is_left && std::ptr::eq(*other, mail));
    let evidence = mails.iter().rev().filter(proves).map(|mail| (mail.raw.clone(), mail.at)).collect();
    let (from, at, why) = (mail.name.clone(), mail.at, why.words());
    Ok(Ready { game, from, at, place, why, others, unused, doubts, misfits, evidence })
}

fn request(mail: &Mail, config: &Config, args: &Args) -> Result<Request, Failure> {
    let me = &config.me;
    let name = args.opponent_name.clone().or_else(|| mail.opponent_name.clone()).unwrap_or_default();
    Ok(Request {
        me: me.player(),
        opponent: Player { name, emails: vec![mail.opponent.to_string()] },
        writer: mail.writer,
        subject: mail.message.subject.clone(),
        side: args.me.map(Color::side),
        id: args.id.clone(),
        event: args.event.clone(),
        rules: args.rules.wanted(config)?,
        notations: args.notations.clone(),
        start: args.start,
        day: mail.day(),
    })
}

/// The newest mail of a game is also the one that the next answers.
fn note_newest(game: &mut Game, mail: &Mail) {
    game.last_message_id = mail.message.message_id.as_ref().map(ToString::to_string);
    note_seen(game, mail);
}

fn note_seen(game: &mut Game, mail: &Mail) {
    let id = mail.message.message_id.as_ref().map(ToString::to_string);
    game.seen_message_ids.extend(id.filter(|id| !game.seen_message_ids.contains(id)));
}

/// Whether two games are one: the same opponent by address or name, the same side, and the same event or the same first moves.
pub(super) fn is_same(stored: &Game, new: &Game) -> bool {
    let his = |game: &Game| game.opponent().emails.iter().map(|e| e.to_lowercase()).collect::<Vec<_>>();
    let (old, his_new) = (his(stored), his(new));
    let shares = old.iter().any(|address| his_new.contains(address))
        || stored.opponent().name.eq_ignore_ascii_case(&new.opponent().name);
    let event = !new.event.is_empty() && is_same_event(&stored.event, &new.event);
    let both = stored.moves.iter().zip(&new.moves);
    let moves = both.clone().count() > 0 && both.into_iter().all(|(a, b)| a.numeric == b.numeric);
    stored.result.is_none() && shares && stored.me == new.me && (event || moves)
}
