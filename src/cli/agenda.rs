//! `amici agenda`: the coming marks of all games by date, of both sides.

use chrono::{DateTime, Days, Utc};
use clap::Args as ClapArgs;
use serde_json::json;

use super::each::{Form, by_account};
use super::line::{Line, Lines, Need, over_json, undated};
use super::narrow::{Narrow, folded, on_screen};
use super::table::{self, Rows};
use super::{Failure, Report, Setup};
use crate::deeds::today::Day;
use crate::domain::clock::days::{Moment, in_words};
use crate::domain::clock::events::{Mark, MarkKind, Severity};
use crate::domain::clock::over::Over;
use crate::domain::transmission::compose::clip;
use crate::io::store::Asked;
use crate::languages::Language;
use crate::letters::Claimed;
use crate::overview::{Answers, Overview};

/// Show what comes next in all games, by date
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// How many days ahead
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(0..=3650))]
    days: u16,
    /// One JSON document
    #[arg(long)]
    json: bool,
    /// One mark a line, with tabs between the columns
    #[arg(long, conflicts_with = "json")]
    plain: bool,
    /// Begin at another instant than now
    #[arg(long, value_name = "INSTANT", value_parser = super::instant)]
    at: Option<DateTime<Utc>>,
}

impl Entry<'_> {
    /// What it is, and whether a limit that is over may not be so yet.
    fn words(&self) -> String {
        let claimed = self.line.claimed.filter(|_| matches!(self.mark.kind, MarkKind::LateMove { .. }));
        let claimed = match claimed {
            Some(Claimed::Drafted(_)) => " (drafted: send it)".to_owned(),
            Some(Claimed::Sent(on)) => format!(" (claimed on {on})"),
            None => String::new(),
        };
        self.mark.words(self.line.summary.me) + &claimed + &Over::aside(self.over, Language::English)
    }
}

/// The rule and the opponent go first: the date, the game and what comes stay.
const NARROW: Narrow<'_> = Narrow { right: &[], may_go: &[5, 3], cut: 4 };

/// A mark with its game.
struct Entry<'a> {
    line: &'a Line<'a>,
    mark: Mark,
    severity: Severity,
    /// Where it is a limit that is over: how sure that is.
    over: Option<Over>,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let form = Form::of(args.json, args.plain);
    by_account(setup, form, async |account| of_account(account, &args).await).await
}

async fn of_account(setup: &Setup, args: &Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let (zone, urgent_days) = (config.me.timezone, config.notify.urgent_days);
    let Some(mut store) = setup.store_if_any().await? else {
        let day = Day { now: setup.now, zone, distrust: None };
        return Ok(shown(args, &[], &day, urgent_days).into());
    };
    let day = Day::of(&mut store, zone, setup.now, args.at).await?;
    let overview = Overview::load(&mut store, &config.me, day.date(), Asked::Running).await?;
    let answers = Answers::at(setup.now, &mut store, &config).await?;
    let claimed = store.claims().await?;
    let lines = Lines::new(&answers, day.now(), urgent_days).claimed(&claimed, zone).all(&overview)?;
    Ok(shown(args, &lines, &day, urgent_days).into())
}

fn shown(args: &Args, lines: &[Line<'_>], day: &Day, urgent_days: u32) -> String {
    let entries = day.now().map(|now| entries(lines, now, args.days, urgent_days)).unwrap_or_default();
    match (args.json, args.plain) {
        (true, _) => as_json(&entries, args.days, day),
        (_, true) => plain(&entries),
        _ => folded(as_text(lines, &entries, args.days, day)),
    }
}

/// What is open, and what comes within so many days.
fn entries<'a>(lines: &'a [Line<'a>], now: Moment, days: u16, urgent_days: u32) -> Vec<Entry<'a>> {
    let today = now.day;
    let last = today.checked_add_days(Days::new(days.into())).unwrap_or(today);
    let mut entries = Vec::new();
    for line in lines.iter().filter(|line| line.need != Need::Over) {
        let game = &line.summary;
        let of_interest = |mark: &&Mark| (today..=last).contains(&mark.date) || mark.is_open(game.me, today);
        entries.extend(game.marks().iter().filter(of_interest).map(|mark| Entry {
            line,
            mark: *mark,
            severity: mark.severity(game.me, today, urgent_days),
            over: line.over.filter(|_| mark.is_passed(now)),
        }));
    }
    entries.sort_by_key(|entry| (entry.mark.date, entry.severity));
    entries
}

fn as_text(lines: &[Line<'_>], entries: &[Entry<'_>], days: u16, day: &Day) -> String {
    let doubt = day.doubt();
    if day.distrust.is_some() {
        let running = lines.iter().filter(|line| line.need != Need::Over);
        let ids: Vec<&str> = running.map(|line| line.summary.id.as_ref()).collect();
        return format!("{doubt}\nRunning: {}\n", if ids.is_empty() { "none".to_owned() } else { ids.join(", ") });
    }
    if entries.is_empty() {
        return format!("Nothing comes within {}.\n{}", in_words(days.into()), undated_of(lines));
    }
    let mut rows = Rows::new();
    rows.row(["  ", "DATE", "GAME", "OPPONENT", "WHAT", "BY THE RULES"]);
    for entry @ Entry { line, mark, severity, .. } in entries {
        let mark_of = match severity {
            Severity::Urgent => "!!",
            Severity::Soon => " !",
            Severity::Info => "",
        };
        let (game, date) = (&line.summary, mark.date.format("%a %d %b %Y").to_string());
        let (key, value) = mark.why(&game.control, Language::English);
        let (opponent, words, why) = (clip(&game.opponent, 24), entry.words(), format!("{key}: {value}"));
        rows.row([mark_of, &date, &game.id, &opponent, &words, &why]);
    }
    let mut text = String::new();
    on_screen(&mut text, &rows.iter().collect::<Vec<_>>(), &NARROW);
    format!("{text}\n  !! can cost you the game within the urgent days   ! near, or open\n{}", undated_of(lines))
}

fn undated_of(lines: &[Line<'_>]) -> String {
    undated(lines.iter().filter(|line| line.summary.lacks_dates()).map(|line| line.summary.id.as_ref()))
}

/// Date, game, side, kind, severity, words, key and value of the rule.
fn plain(entries: &[Entry<'_>]) -> String {
    let mut rows = Rows::new();
    for entry @ Entry { line, mark, severity, .. } in entries {
        let (game, date) = (&line.summary, mark.date.to_string());
        let (key, value) = mark.why(&game.control, Language::English);
        let words = entry.words();
        rows.row([&date, &game.id, mark.side.word(), mark.kind.word(), severity.word(), &words, key, &value]);
    }
    table::plain(rows.iter())
}

fn as_json(entries: &[Entry<'_>], days: u16, day: &Day) -> String {
    let marks: Vec<_> = entries
        .iter()
        .map(|entry| {
            let Entry { line, mark, severity, over } = entry;
            let game = &line.summary;
            let (key, value) = mark.why(&game.control, Language::English);
            json!({
                "date": mark.date, "at": mark.at, "game_id": game.id, "opponent": game.opponent, "side": mark.side.word(),
                "mine": mark.side == game.me, "kind": mark.kind.word(), "words": entry.words(),
                "mark": mark.words(game.me),
                "severity": severity.word(), "over": over_json(*over), "why": {"key": key, "value": value},
            })
        })
        .collect();
    let doubt = day.distrust.map(|why| why.to_string());
    let document = json!({"schema": 1, "now": day.now, "days": days, "clock_doubt": doubt, "marks": marks});
    format!("{document:#}\n")
}
