//! `amici review`: the held mails one by one, with the words that caused it.
//!
//! On a terminal it asks what to do with each ([`super::dialogue`]); elsewhere it lists them, or does what the flags say.

use std::io::IsTerminal;

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use clap::Args as ClapArgs;
use serde_json::json;

use super::each::{Form, by_account};
use super::narrow::{folded, screen};
use super::queue::of_mail;
use super::{Failure, Report, Setup, stdio};
use crate::config::Language;
use crate::deeds::held::{Acceptance, Wording, accept, ask, entries, ignore, only};
use crate::domain::clock::days::in_words as days_in_words;
use crate::domain::clock::ledger::{Dated, PlyTime};
use crate::domain::game::GameId;
use crate::intake::again::Passage;
use crate::intake::held::{Candidate, Entry, entry};
use crate::languages::Phrase;
use crate::mail::text::one_line;

/// The width of what is shown where the screen is not narrower, a command of usual length beside what it does.
const COLUMNS: usize = 90;

/// Go through the held mails: see why, accept, ask back, put away
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "On a terminal it asks what to do with each mail. Elsewhere it lists them; `amici status --exit-code` tells a script \
                  whether there is one."
)]
pub(super) struct Args {
    /// One JSON document with everything that is held
    #[arg(long, conflicts_with_all = ["accept", "ask", "ignore"])]
    json: bool,
    /// This mail only
    #[arg(long, value_name = "NUMBER")]
    pub(super) mail: Option<i64>,
    /// This game, if the mail is held for several
    #[arg(long, requires = "mail")]
    game: Option<GameId>,
    /// Record this move of his
    #[arg(long, value_name = "MOVE", requires = "mail", conflicts_with_all = ["ask", "ignore"])]
    accept: Option<String>,
    /// The day he received your move [default: what the mail states]
    #[arg(long, value_name = "DATE", value_parser = super::day, requires = "accept")]
    received: Option<NaiveDate>,
    /// The day he sent his [default: what the mail states, else its date]
    #[arg(long, value_name = "DATE", value_parser = super::day, requires = "accept")]
    sent: Option<NaiveDate>,
    /// He offers a draw with it
    #[arg(long, requires = "accept")]
    draw: bool,
    /// You are sure that he wrote it, though the mail does not show it
    #[arg(long, requires = "accept")]
    yes: bool,
    /// Draft a question to him
    #[arg(long, requires = "mail", conflicts_with = "ignore")]
    ask: bool,
    /// The language of the question: en, de, fr, es, it, pt or ru
    #[arg(long, value_name = "CODE", default_value = "en")]
    language: Language,
    /// Ask once more
    #[arg(long, requires = "ask")]
    again: bool,
    /// Put it away
    #[arg(long, requires = "mail")]
    ignore: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    match args.mail {
        Some(mail) if args.accept.is_some() || args.ask || args.ignore => one(setup, args, mail).await,
        _ => by_account(setup, Form::of(args.json, false), async |account| look(account, &args).await).await,
    }
}

/// Does with one mail what the flags say.
async fn one(setup: &Setup, args: Args, mail: i64) -> Result<Report, Failure> {
    let config = setup.config()?;
    let me = &config.me;
    let mut store = setup.store().await?;
    let held = of_mail(&mut store, mail, args.game.as_ref()).await?;
    if args.ignore {
        return Ok(ignore(&mut store, &held, me.timezone, setup.now).await?.into());
    }
    let entry = entry(&mut store, me, only(held)?).await?;
    if let Some(text) = args.accept {
        let Args { received, sent, draw, yes, .. } = args;
        let with = Acceptance { text, received, sent, draw, yes };
        return Ok(accept(setup.around(&config), &mut store, &entry, &with).await?.into());
    }
    let wording = Wording { language: args.language, text: None };
    let (text, recipient) = ask(setup.around(&config), &mut store, &entry, wording, args.again).await?;
    drop(store);
    Ok((text + &super::daemon::deliver(setup, &config, &recipient).await?).into())
}

/// Shows what is held, and on a terminal asks.
async fn look(setup: &Setup, args: &Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let held = match setup.store_if_any().await? {
        Some(mut store) => match args.mail {
            Some(mail) => {
                let mut found = Vec::new();
                for held in of_mail(&mut store, mail, args.game.as_ref()).await? {
                    found.push(entry(&mut store, &config.me, held).await?);
                }
                found
            }
            None => entries(&mut store, &config.me).await?,
        },
        None => Vec::new(),
    };
    if args.json {
        return Ok(as_json(&held).into());
    }
    if held.is_empty() {
        return Ok("Nothing is held.\n".to_owned().into());
    }
    if std::io::stdin().is_terminal() && stdio::stdout().is_terminal() {
        let mut input = std::io::BufReader::new(std::io::stdin());
        let verdicts: Vec<i64> = held.iter().map(|entry| entry.held.verdict).collect();
        stdio::warn(setup.account().map(|name| format!("account {name}")).as_slice());
        return super::dialogue::hold(setup, &verdicts, args.language, &mut input, &mut stdio::stdout()).await;
    }
    let mut text: String = held.iter().map(|entry| in_words(entry, config.me.timezone) + "\n").collect();
    text.push_str(&match held.len() {
        1 => "1 mail is held.\n".to_owned(),
        several => format!("{several} mails are held.\n"),
    });
    Ok(text.into())
}

fn as_json(held: &[Entry]) -> String {
    let document = json!({ "schema": 1, "held": held.iter().map(entry_json).collect::<Vec<_>>() });
    format!("{document:#}\n")
}

fn entry_json(entry: &Entry) -> serde_json::Value {
    let held = &entry.held;
    let game = entry.thread.as_ref().map(|t| &t.game);
    // the statements of the only reading are those of the mail
    let stated = match entry.readings.as_slice() {
        [only] => only.record.claimed,
        _ => crate::domain::game::Stated::default(),
    };
    let quoted: Vec<_> = entry.passages().iter().map(passage_json).collect();
    let discrepancies: &[Phrase] = match entry.readings.as_slice() {
        [only] => &only.discrepancies,
        _ => &[],
    };
    let next: Vec<String> = entry.next().into_iter().map(|(command, _)| command).collect();
    json!({
        "mail": held.mail, "game_id": held.game, "due": game.map(|g| g.with_plan_recorded().due().to_string()),
        "from": held.from_address, "subject": held.subject, "date": held.arrived(),
        "outcome": held.outcome, "reason": held.reason, "reason_now": entry.reason_now(), "quoted": quoted,
        "candidates": entry.readings.iter().map(candidate_json).collect::<Vec<_>>(),
        "received": stated.received, "sent": stated.sent, "days": stated.days, "total": stated.total,
        "discrepancies": discrepancies,
        "plan": game.and_then(|g| g.plan.as_ref()).map(|p| json!({"numeric": p.numeric, "sent": p.stated.sent})),
        "asked": held.asked_at, "next": next,
    })
}

/// A line of a mail in the data.
pub(super) fn passage_json(passage: &Passage) -> serde_json::Value {
    json!({"line": passage.number, "html": passage.html, "text": passage.text, "cause": passage.cause})
}

fn candidate_json(reading: &Candidate) -> serde_json::Value {
    let stated = reading.record.claimed;
    let counts = reading.time.map(|time| {
        let dated = |d: Option<Dated>| d.map(|d| json!({"day": d.day, "source": d.source.words()}));
        json!({"received": dated(time.received), "sent": dated(time.sent), "days": time.days, "total": time.known_total()})
    });
    json!({
        "numeric": reading.numeric, "san": reading.san, "words": reading.words, "draw_offer": reading.draw_offer,
        "received": stated.received, "sent": stated.sent, "days": stated.days, "total": stated.total,
        "counts": counts, "discrepancies": reading.discrepancies,
    })
}

/// One entry, from its sender to what can be done.
pub(super) fn in_words(entry: &Entry, zone: Tz) -> String {
    let held = &entry.held;
    let day = |at: DateTime<Utc>| at.with_timezone(&zone).format("%a %d %b %Y").to_string();
    let mut text = format!("Mail {}, held since {}", held.mail, day(held.decided_at));
    if let Some(at) = held.asked_at {
        text.push_str(&format!(", question drafted {}", day(at)));
    }
    text.push_str(&format!(
        "\n  from     {}\n  subject  {}\n  arrived  {}\n",
        held.from_address.as_deref().unwrap_or("an unknown sender"),
        one_line(&held.subject, 70),
        held.arrived().with_timezone(&zone).format("%a %d %b %Y %H:%M")
    ));
    match entry.thread.as_ref().map(|t| &t.game) {
        None => text.push_str("  game     none of yours\n"),
        Some(game) => {
            let stands = match game.result {
                Some(result) => format!("over, {}", result.word()),
                None => format!("{} is due", game.with_plan_recorded().due()),
            };
            text.push_str(&format!(
                "  game     {} against {}, {stands}\n",
                game.id,
                one_line(&game.opponent().name, 40)
            ));
        }
    }
    text.push_str(&wrapped("  why      ", &held.reason));
    if let Some(now) = entry.reason_now() {
        text.push_str(&wrapped("  now      ", &now));
    }
    for passage in entry.passages() {
        text.push_str(&format!("{passage}\n"));
    }
    for (index, reading) in (1..).zip(&entry.readings) {
        text.push_str(&format!("  reading {index}  {}   {}   {}\n", reading.numeric, reading.san, reading.words));
        text.push_str(&wrapped("             ", &dates(reading.time)));
        if reading.draw_offer {
            text.push_str("             with an offer of a draw\n");
        }
        for line in &reading.discrepancies {
            text.push_str(&wrapped("             differs: ", &line.in_english()));
        }
    }
    if let (Some(game), None) = (entry.thread.as_ref().map(|t| &t.game), entry.obstacle())
        && let Some(plan) = &game.plan
    {
        text.push_str(&format!(
            "  draft    your {} {} was not seen to be sent; accepting a move records it as sent\n",
            game.due(),
            plan.numeric
        ));
    }
    for (index, (command, what)) in entry.next().into_iter().enumerate() {
        let label = if index == 0 { "next" } else { "" };
        text.push_str(&format!("  {label:<7}  {command:<42}  {what}\n"));
    }
    folded(text)
}

/// A text after its label, on as many lines as it needs.
fn wrapped(label: &str, text: &str) -> String {
    let indent = " ".repeat(label.len());
    let columns = screen().map_or(COLUMNS, |screen| screen.min(COLUMNS));
    let options = textwrap::Options::new(columns).initial_indent(label).subsequent_indent(&indent);
    textwrap::fill(text, options.break_words(false)) + "\n"
}

fn dates(time: Option<PlyTime>) -> String {
    let Some(time) = time else { return "no dates could be computed".to_owned() };
    let dated = |what: &str, date: Option<Dated>| match date {
        Some(date) => format!("{what} {} ({})", date.day, date.source.words()),
        None => format!("{what} unknown"),
    };
    let days = time.days.map_or("days unknown".to_owned(), days_in_words);
    let total = time.total_in_words();
    format!("{}, {}: {days}, {total}", dated("received", time.received), dated("sent", time.sent))
}
