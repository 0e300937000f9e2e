//! `amici event import`: all games of an event from the director's start letter. Shown first, created only when confirmed.

use std::path::PathBuf;

use chrono::NaiveDate;
use clap::{Args as ClapArgs, Subcommand};

use super::adopt::directors::{self, Directed};
use super::adopt::{LONGEST, create, director, is_same, show};
use super::confirm::Consent;
use super::rules::BeginArgs;
use super::{Exit, Failure, Report, Setup, day};
use crate::domain::clock::rules::TimeControl;
use crate::domain::document::{Document, check};
use crate::domain::game::{Game, GameId};
use crate::domain::start_letter::{Answers, Letter, Missing, propose_event, read_letter};
use crate::domain::transmission::read::Line;
use crate::io::file::{self, MAIL};
use crate::mail::address::Address;
use crate::mail::decode::characters;
use crate::mail::message::parse;
use crate::mail::quote::{Kind, split};
use crate::mail::text::normalise;

/// Start the games of an event
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    #[command(subcommand)]
    command: EventCommand,
}

#[derive(Debug, Subcommand)]
enum EventCommand {
    Import(ImportArgs),
}

/// Propose your games of an event from the director's start letter
///
/// Players, addresses, colours, start and time control are taken as the letter states them; nothing is guessed. What is missing is
/// listed with the option that gives it. The games are shown first, and created only with --yes or after a "yes" on the terminal.
#[derive(Debug, ClapArgs)]
struct ImportArgs {
    /// The letter, as a saved mail or as plain text
    #[arg(value_name = "LETTER")]
    file: PathBuf,
    /// Your number in its list, where your address is not in it
    #[arg(long, value_name = "NUMBER")]
    me: Option<u32>,
    /// The event's code [default: as the letter names it]
    #[arg(long)]
    event: Option<String>,
    /// The event's start
    #[arg(long, value_name = "DATE", value_parser = super::day)]
    start: Option<NaiveDate>,
    #[command(flatten)]
    rules: BeginArgs,
    /// The time control, as 10/60 for ten moves in sixty days
    #[arg(long, value_name = "MOVES/DAYS", value_parser = control)]
    control: Option<TimeControl>,
    /// You have White against these numbers
    #[arg(long, value_name = "NUMBER", value_delimiter = ',')]
    white: Vec<u32>,
    /// You have Black against these numbers
    #[arg(long, value_name = "NUMBER", value_delimiter = ',')]
    black: Vec<u32>,
    /// You have no game against these numbers
    #[arg(long, value_name = "NUMBER", value_delimiter = ',')]
    without: Vec<u32>,
    /// The address of a player
    #[arg(long = "email", value_name = "NUMBER=ADDRESS", value_parser = numbered_address)]
    emails: Vec<(u32, Address)>,
    /// Create the games without asking
    #[arg(long, conflicts_with = "json")]
    yes: bool,
    /// Print the games as a document for `amici import`; create nothing
    #[arg(long)]
    json: bool,
}

fn control(text: &str) -> Result<TimeControl, String> {
    let pair = text.split_once('/').and_then(|(moves, days)| Some((moves.parse().ok()?, days.parse().ok()?)));
    match pair {
        Some((moves, days)) if moves > 0 && days > 0 => Ok(TimeControl::cumulative(moves, days)),
        _ => Err("write it as 10/60: so many moves, so many days".to_owned()),
    }
}

fn numbered_address(text: &str) -> Result<(u32, Address), String> {
    let (number, address) = text.split_once('=').ok_or("write it as 3=name@example.org")?;
    let number = number.parse().map_err(|_| "write it as 3=name@example.org")?;
    Ok((number, address.parse().map_err(|e: crate::mail::address::BadAddress| e.to_string())?))
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    match args.command {
        EventCommand::Import(args) => import(setup, args).await,
    }
}

async fn import(setup: &Setup, args: ImportArgs) -> Result<Report, Failure> {
    let config = setup.config()?;
    let me = &config.me;
    let file = args.file.display().to_string();
    let fail = |exit, why: String| Failure::new(exit, format!("{file}: {why}\nhelp: nothing was created"));
    let raw = file::read(&args.file, MAIL).map_err(|e| fail(Exit::Failed, format!("cannot be read: {e}")))?;
    let (letter, director) = letter(&raw).map_err(|why| fail(Exit::Failed, why))?;
    // a game that begins has no moves to compare
    let (stored, taken): (Vec<Game>, Vec<GameId>) = match setup.store_if_any().await? {
        Some(mut store) => (store.outlines().await?.into_iter().map(|g| g.game).collect(), store.names_taken().await?),
        None => Default::default(),
    };
    let mut answers = Answers {
        me: args.me,
        event: args.event,
        start: args.start,
        rules: args.rules.wanted(&config)?,
        control: args.control,
        white: args.white,
        black: args.black,
        without: args.without,
        emails: args.emails.into_iter().map(|(number, address)| (number, address.to_string())).collect(),
    };
    let is_address = |text: &str| text.parse::<Address>().is_ok();
    let proposal = loop {
        let missing = match propose_event(&letter, &me.player(), &answers, &taken, is_address) {
            Ok(proposal) => break proposal,
            Err(missing) => missing,
        };
        let answered = |missing: &Missing| {
            let Some(wanted) = wanted(missing) else { return false };
            setup
                .asked
                .for_text(&format!("{missing}\n{wanted}"))
                .is_some_and(|text| answer(missing, &text, &mut answers).is_some())
        };
        if !missing.iter().all(answered) {
            let lines: Vec<String> = missing.iter().map(|m| format!("  {m}")).collect();
            let why = format!("the letter does not say all that is needed:\n{}", lines.join("\n"));
            return Err(fail(Exit::NeedsConfirmation, why));
        }
    };
    if proposal.games.is_empty() {
        return Err(fail(Exit::Failed, "no game of yours is in it".to_owned()));
    }
    for game in &proposal.games {
        args.rules.check(game)?;
        check(game).map_err(|e| fail(Exit::Failed, format!("game {}: {e}", game.id)))?;
        if let Some(same) = stored.iter().find(|old| is_same(old, game)) {
            let why = format!("the game against {} is {}, which you have already", game.opponent().name, same.id);
            return Err(fail(Exit::Failed, why));
        }
    }
    if args.json {
        let text = serde_json::to_string_pretty(&Document::of(&proposal.games));
        return Ok(format!("{}\n", text.map_err(|e| Failure::new(Exit::Failed, e.to_string()))?).into());
    }
    let mut text = String::new();
    for game in &proposal.games {
        text.push_str(&format!("{}   you have {}\n", game.id, game.me.name()));
        text.push_str(&show::head(game, "as the letter says").map_err(|why| fail(Exit::Failed, why))?);
        text.push('\n');
    }
    // every game of a letter has the same rules
    let control = proposal.games.first().and_then(|game| Some(game.ruleset().ok()?.control.words()));
    let stated = letter.control.map(TimeControl::words);
    if let Some((stated, control)) = stated.zip(control).filter(|(stated, control)| stated != control) {
        text.push_str(&format!("The letter states {stated}; you say {control}, which counts.\n"));
    }
    if !proposal.no_game.is_empty() {
        text.push_str(&format!("No game of yours is stated against: {}\n", proposal.no_game.join(", ")));
    }
    let event = proposal.games.first().map_or("", |game| game.event.as_str());
    let directed = director.and_then(|director| Directed::new(event, &director, &config));
    let directed = directed.as_slice();
    text.push_str(&directors::told(directed));
    let consent = if args.yes { Consent::Yes } else { setup.asked.to(&text, "Create these games?") };
    match consent {
        Consent::NotAsked => {
            super::warn(&["nothing is created yet; say the same with --yes when all of it is right".to_owned()]);
            Ok(Report { text, exit: Exit::NeedsConfirmation })
        }
        Consent::No => Ok("Nothing was created.\n".to_owned().into()),
        Consent::Yes => {
            let created = create(setup, me, &proposal.games, "event").await?;
            directors::write(setup, directed)?;
            Ok(if args.yes { format!("{text}{created}") } else { created }.into())
        }
    }
}

/// What to type for something that is missing; `None` where no answer mends it.
fn wanted(missing: &Missing) -> Option<&'static str> {
    match missing {
        Missing::Me(_) => Some("your number"),
        Missing::Start | Missing::NoSuchStart(..) | Missing::TwoStarts(..) => Some("start date, as 2004-09-15"),
        Missing::Control => Some("moves/days, as 10/60"),
        Missing::Event => Some("its name"),
        Missing::Colour { .. } => Some("your colour: white, black, or none"),
        Missing::Address { .. } => Some("the address"),
        Missing::Players | Missing::NoSuchNumber(..) | Missing::SameNumber(..) | Missing::Trouble(_) => None,
    }
}

/// Puts an answer where it belongs; `None` where it cannot be used.
fn answer(missing: &Missing, text: &str, answers: &mut Answers) -> Option<()> {
    match missing {
        Missing::Me(_) => answers.me = Some(text.parse().ok()?),
        Missing::Start | Missing::NoSuchStart(..) | Missing::TwoStarts(..) => answers.start = Some(day(text).ok()?),
        Missing::Control => answers.control = Some(control(text).ok()?),
        Missing::Event => answers.event = Some(text.to_owned()),
        Missing::Colour { number, .. } => match text.to_lowercase().as_str() {
            "white" | "w" => answers.white.push(*number),
            "black" | "b" => answers.black.push(*number),
            "none" => answers.without.push(*number),
            _ => return None,
        },
        Missing::Address { number, .. } => {
            answers.emails.push((*number, text.parse::<Address>().ok()?.to_string()));
        }
        Missing::Players | Missing::NoSuchNumber(..) | Missing::SameNumber(..) | Missing::Trouble(_) => return None,
    }
    Some(())
}

/// The letter of a saved mail, with its director, or of plain text.
fn letter(raw: &[u8]) -> Result<(Letter, Option<Address>), String> {
    let too_long = || "its text is longer than 64 KiB".to_owned();
    match parse(raw) {
        Ok(message) if message.from.is_ok() => {
            let text = message.plain.as_ref().or(message.html.as_ref()).ok_or("the mail has no text")?;
            let letter = letter_of(&message.subject, text).ok_or_else(too_long)?;
            let director = director(&message, &letter);
            Ok((letter, director))
        }
        _ => letter_of("", &normalise(&characters(raw, None))).map(|letter| (letter, None)).ok_or_else(too_long),
    }
}

/// The letter that a text is; `None` where it is longer than anybody writes one.
pub(super) fn letter_of(subject: &str, text: &str) -> Option<Letter> {
    if text.len() > LONGEST {
        return None;
    }
    let lines = split(text.trim_end()).lines;
    let said = lines.iter().filter(|line| matches!(line.kind, Kind::Own | Kind::Quoted { .. }));
    let lines: Vec<Line<'_>> = said.map(|line| Line { number: line.number, text: line.text }).collect();
    Some(read_letter(subject, &lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(missing: Missing, text: &str) -> Option<Answers> {
        let mut answers = Answers::default();
        answer(&missing, text, &mut answers).map(|()| answers)
    }

    #[test]
    fn an_answer_goes_where_its_question_belongs() {
        let colour = || Missing::Colour { number: 3, name: "Ada".to_owned() };
        let address = || Missing::Address { number: 3, name: "Ada".to_owned() };
        assert_eq!(answered(Missing::Start, "2004-09-15").unwrap().start, NaiveDate::from_ymd_opt(2004, 9, 15));
        assert_eq!(answered(Missing::Control, "10/50").unwrap().control, control("10/50").ok());
        assert_eq!(answered(Missing::Me(String::new()), "2").unwrap().me, Some(2));
        assert_eq!(answered(Missing::Event, "EM-1").unwrap().event.as_deref(), Some("EM-1"));
        assert_eq!(answered(colour(), "White").unwrap().white, [3]);
        assert_eq!(answered(colour(), "b").unwrap().black, [3]);
        assert_eq!(answered(colour(), "none").unwrap().without, [3]);
        assert_eq!(answered(address(), "a@Example.org").unwrap().emails, [(3, "a@example.org".to_owned())]);
        for (missing, text) in [
            (Missing::Start, "15.9.2004"),
            (Missing::Control, "10"),
            (Missing::Me(String::new()), "two"),
            (colour(), "grey"),
            (address(), "ada"),
            (Missing::Players, "x"),
        ] {
            assert_eq!(answered(missing.clone(), text), None, "{missing}");
        }
    }
}
