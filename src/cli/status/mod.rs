//! `amici status`: all games, worst first, what is held, on its way or drafted, and whether the mailbox is being read.

use chrono::{DateTime, Utc};
use clap::Args as ClapArgs;
use serde_json::json;

use super::each::{Form, by_account};
use super::games_table::{Glance, Glances, plain, table};
use super::health::{delay_json, last_error};
use super::line::{Line, Lines, Need, unbroken, undated};
use super::narrow::folded;
use super::when::ago;
use super::{Exit, Failure, Report, Setup};
use crate::config::Config;
use crate::daemon::{Delay, delay};
use crate::deeds::by_position::claim_option;
use crate::deeds::today::Day;
use crate::domain::summary::Summary;
use crate::io::store::{Asked, DraftRow, Heartbeat, Held, NotRead, OutboxRow, OutboxState, ReleaseRow};
use crate::overview::{Answers, Overview, Read, each};
use crate::release::DOUBTED;

mod drafts;

/// Show all games, those that need you first
#[derive(Debug, Default, ClapArgs)]
pub(super) struct Args {
    /// One JSON document
    #[arg(long)]
    json: bool,
    /// One game a line, with tabs between the columns and ISO dates
    #[arg(long, conflicts_with = "json")]
    plain: bool,
    /// Show finished games too; the JSON document has them always
    #[arg(long)]
    all: bool,
    /// Exit with 9 when something needs your attention
    #[arg(long)]
    exit_code: bool,
    /// Show the figures of another instant than now
    #[arg(long, value_name = "INSTANT", value_parser = super::instant)]
    at: Option<DateTime<Utc>>,
}

/// The games in the form that is asked for.
enum Listed<'a> {
    /// Worst first.
    Lines(Vec<Line<'a>>),
    /// In no order, as they were read.
    Glances(Glances),
}

impl Listed<'_> {
    fn len(&self) -> usize {
        match self {
            Listed::Lines(lines) => lines.len(),
            Listed::Glances(glances) => glances.len(),
        }
    }

    /// A game is urgent, or needs a look.
    fn alarms(&self) -> bool {
        match self {
            Listed::Lines(lines) => lines.iter().any(|line| line.need <= Need::Look),
            Listed::Glances(glances) => glances.needs().any(|need| need <= Need::Look),
        }
    }
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
        let none =
            if args.json || args.plain { Listed::Lines(Vec::new()) } else { Listed::Glances(Glances::default()) };
        return Ok(shown(args, &none, 0, None, &Trouble::of(&config), &day).into());
    };
    let day = Day::of(&mut store, zone, setup.now, args.at).await?;
    let asked = if args.all || args.json { Asked::All } else { Asked::Running };
    let beat = store.heartbeat().await?;
    let read = Read::of(&config, beat.as_ref(), setup.now);
    let answers = Answers::load(&mut store, read).await?;
    let (sending, claimed) = (store.sending_flags().await?, store.claims().await?);
    let lines = Lines::new(&answers, day.now(), urgent_days).sending(&sending).claimed(&claimed, zone);
    let mut overview = Overview::default();
    let listed = if args.json || args.plain {
        overview = Overview::load(&mut store, &config.me, day.date(), asked).await?;
        Listed::Lines(lines.all(&overview)?)
    } else {
        let (mut glances, today) = (Glances::default(), day.today());
        let take = |summary: Summary<'_>| glances.add(&lines.line(summary), today);
        overview.seen = each(&mut store, &config.me, day.date(), asked, take).await?;
        unbroken(&overview.seen)?;
        Listed::Glances(glances)
    };
    let (unsent, released) = (store.unsent().await?, store.released().await?);
    let drafts = store.drafts_at_hand().await?;
    let left_out = overview.seen.games.saturating_sub(listed.len());
    let late = match &config.mail {
        Some(mail) => delay(&mut store, mail, setup.now).await?,
        None => None,
    };
    let (held, unread) = (&answers.held, &answers.not_read);
    let trouble = Trouble { config: &config, held, unread, unsent, released, drafts, late };
    let attention =
        !trouble.is_empty(day.now) || is_deaf(beat.as_ref(), day.now) || day.distrust.is_some() || listed.alarms();
    let exit = if args.exit_code && attention { Exit::Attention } else { Exit::Ok };
    Ok(Report { text: shown(args, &listed, left_out, beat.as_ref(), &trouble, &day), exit })
}

fn shown(
    args: &Args,
    listed: &Listed<'_>,
    left_out: usize,
    beat: Option<&Heartbeat>,
    trouble: &Trouble<'_>,
    day: &Day,
) -> String {
    match listed {
        Listed::Lines(lines) if args.json => as_json(lines, beat, trouble, day),
        Listed::Lines(lines) => plain(lines),
        Listed::Glances(games) => folded(as_text(&games.sorted(), left_out, beat, trouble, day)),
    }
}

/// A daemon that ran and was not stopped, and has trouble or has not looked into the mailbox for an hour.
fn is_deaf(beat: Option<&Heartbeat>, now: DateTime<Utc>) -> bool {
    let late = |at: DateTime<Utc>| now - at > chrono::Duration::minutes(60);
    beat.is_some_and(|b| b.last_error.is_some() || (b.state == "running" && b.last_check_at.is_none_or(late)))
}

/// What stands beside the games.
struct Trouble<'a> {
    config: &'a Config,
    held: &'a [Held],
    unread: &'a [NotRead],
    unsent: Vec<OutboxRow>,
    released: Vec<ReleaseRow>,
    /// The newest of each plan, and what lies in the folder for drafts.
    drafts: Vec<DraftRow>,
    /// Mails that wait to go out, and why.
    late: Option<Delay>,
}

impl<'a> Trouble<'a> {
    /// None.
    fn of(config: &'a Config) -> Trouble<'a> {
        let (unsent, released, drafts) = (Vec::new(), Vec::new(), Vec::new());
        Trouble { config, held: &[], unread: &[], unsent, released, drafts, late: None }
    }

    fn is_empty(&self, now: DateTime<Utc>) -> bool {
        self.held.is_empty()
            && self.unread(now).next().is_none()
            && self.late.is_none()
            && self.unsent.iter().all(|o| o.state == OutboxState::Queued)
            && self.released.iter().all(|r| r.state == OutboxState::Queued)
            && (!self.config.drafts.are_placed() || self.drafts.iter().all(|draft| draft.last_error.is_none()))
    }

    /// The mails worth a line.
    fn unread(&self, now: DateTime<Utc>) -> impl Iterator<Item = &NotRead> {
        self.unread.iter().filter(move |mail| mail.is_worth_a_word(now))
    }
}

fn as_json(lines: &[Line<'_>], beat: Option<&Heartbeat>, trouble: &Trouble<'_>, day: &Day) -> String {
    let games: Vec<_> = lines.iter().map(Line::as_json).collect();
    let held: Vec<_> = trouble.held.iter().map(held_json).collect();
    let unread: Vec<_> = trouble
        .unread
        .iter()
        .map(|u| json!({"folder": u.arrival.folder, "uid": u.arrival.uid, "reason": u.reason}))
        .collect();
    let unsent: Vec<_> = trouble
        .unsent
        .iter()
        .map(|o| json!({"message_id": o.outgoing.message_id, "state": outbox_word(o.state), "attempts": o.attempts, "last_error": o.last_error}))
        .collect();
    let released: Vec<_> = trouble
        .released
        .iter()
        .map(|r| {
            json!({"game_id": r.game, "message_id": r.release.message_id, "state": outbox_word(r.state),
                "not_before": r.release.not_before, "attempts": r.attempts, "last_error": r.last_error})
        })
        .collect();
    let drafts: Vec<_> = trouble.drafts.iter().map(|draft| drafts::as_json(draft, trouble.config)).collect();
    let document = json!({
        "schema": 1, "now": day.now, "last_check": beat.and_then(|b| b.last_check_at), "last_error": last_error(beat, trouble.late.as_ref()),
        "waiting": trouble.late.as_ref().map(delay_json), "progress": beat.and_then(|b| b.progress.as_deref()),
        "clock_trusted": day.distrust.is_none(), "clock_doubt": day.distrust.map(|why| why.to_string()),
        "games": games, "held": held, "not_read": unread, "outbox": unsent, "released": released, "drafts": drafts,
    });
    format!("{document:#}\n")
}

/// A held mail in the data.
pub(super) fn held_json(held: &Held) -> serde_json::Value {
    json!({
        "mail": held.mail, "game_id": held.game, "outcome": held.outcome, "reason": held.reason, "candidates": held.candidates,
        "from": held.from_address, "subject": held.subject, "date": held.server_date, "asked": held.asked_at,
    })
}

fn outbox_word(state: OutboxState) -> &'static str {
    match state {
        OutboxState::Queued => "waits",
        OutboxState::Sending => "is being sent",
        OutboxState::Sent => "sent",
        OutboxState::Failed => "failed",
        OutboxState::Unknown => "may have arrived",
        OutboxState::Cancelled => "cancelled",
    }
}

fn as_text(
    games: &[Glance<'_>],
    left_out: usize,
    beat: Option<&Heartbeat>,
    trouble: &Trouble<'_>,
    day: &Day,
) -> String {
    let (now, zone) = (day.now, day.zone);
    let running = games.iter().filter(|game| game.is_running()).count();
    let mine = games.iter().filter(|game| game.is_my_turn()).count();
    let mut text = format!(
        "{running} {}: {mine} yours, {} theirs, {} held     {}     {}\n",
        if running == 1 { "game" } else { "games" },
        running - mine,
        trouble.held.len(),
        now.with_timezone(&zone).format("%a %d %b %Y %H:%M"),
        checked(beat, now)
    );
    text.push_str(&day.doubt());
    if let Some(error) = last_error(beat, trouble.late.as_ref()) {
        text.push_str(&format!("TROUBLE: {}\n", crate::mail::text::one_line(&error, 300)));
        let next = beat.filter(|beat| beat.last_error.is_some()).and_then(|beat| beat.next_check_at);
        if let Some(next) = next.filter(|next| *next > now) {
            text.push_str(&format!("         next try at {}\n", next.with_timezone(&zone).format("%H:%M:%S")));
        }
    }
    if !games.is_empty() {
        text.push('\n');
        table(&mut text, games);
        text.push_str("\n  !! urgent   > your move   ? needs a look   * opponent is thinking, his time shown\n");
    }
    text.push_str(&undated(games.iter().filter(|game| game.is_undated()).map(Glance::id)));
    match left_out {
        0 => {}
        1 => text.push_str("\n1 game is finished (status --all)\n"),
        finished => text.push_str(&format!("\n{finished} games are finished (status --all)\n")),
    }
    for held in trouble.held {
        let game = held.game.as_ref().map_or("no game".to_owned(), ToString::to_string);
        let from = held.from_address.as_deref().unwrap_or("an unknown sender");
        text.push_str(&format!("\nheld  {game}  mail {} from {from}: {}\n", held.mail, held.reason));
        for m in &held.candidates {
            text.push_str(&format!("      it may mean {m}\n"));
        }
        if let Some(at) = held.asked_at {
            text.push_str(&format!("      question drafted {}\n", at.with_timezone(&zone).format("%a %d %b %Y")));
        }
    }
    for unread in trouble.unread(now) {
        let why = unread.reason.as_deref().unwrap_or("it waits to be read");
        text.push_str(&format!("\nnot read  {} {}: {why}\n", unread.arrival.folder, unread.arrival.uid));
    }
    for out in &trouble.unsent {
        let game = out.outgoing.game.as_ref().map_or("-".to_owned(), ToString::to_string);
        let error =
            out.last_error.as_deref().map(|e| format!(": {}", crate::mail::text::one_line(e, 200))).unwrap_or_default();
        let what = outbox_word(out.state);
        text.push_str(&format!("\nto you  {game}  {what} after {} tries{error}\n", out.attempts));
        if out.state == OutboxState::Failed {
            text.push_str("        amici poll --again   sends it once more\n");
        }
    }
    for release in &trouble.released {
        text.push_str(&released(release, day));
    }
    text.push_str(&drafts::as_text(&trouble.drafts, trouble.config));
    text.push_str(&hint(games, left_out, trouble));
    text
}

/// A move that the program sends itself, and what the player can do about it.
fn released(row: &ReleaseRow, day: &Day) -> String {
    let (game, to) = (&row.game, row.release.recipients.first().map_or("", String::as_str));
    let error = row.last_error.as_deref().map(|e| format!(": {}", crate::mail::text::one_line(e, 200)));
    let error = error.unwrap_or_default();
    match row.state {
        OutboxState::Queued if day.distrust.is_some() => {
            format!("\nreleased  {game}  to {to}: {DOUBTED}   (amici undo {game} recalls it)\n")
        }
        OutboxState::Queued => {
            let at = row.next_attempt_at.unwrap_or(row.release.not_before).with_timezone(&day.zone);
            let at = at.format("%H:%M");
            format!("\nreleased  {game}  goes to {to} at {at}{error}   (amici undo {game} recalls it)\n")
        }
        OutboxState::Failed => format!(
            "\nNOT SENT  {game}  refused for good{error}\n          send the draft yourself, or release it again: amici send {game}\n"
        ),
        OutboxState::Unknown => {
            let on = row.last_attempt_at.unwrap_or(row.release.not_before).with_timezone(&day.zone).date_naive();
            format!(
                "\nUNCLEAR   {game}  it may have reached {to}{error}\n          look into your Sent folder; then  amici sent {game} --on {on}  or  amici send {game} --again\n"
            )
        }
        OutboxState::Sending | OutboxState::Sent | OutboxState::Cancelled => {
            format!("\nreleased  {game}  {}\n", outbox_word(row.state))
        }
    }
}

fn checked(beat: Option<&Heartbeat>, now: DateTime<Utc>) -> String {
    if let Some(progress) = beat.and_then(|b| b.progress.as_ref()) {
        return progress.clone();
    }
    match beat.and_then(|b| b.last_check_at) {
        Some(at) => format!("mail checked {} ago", ago(now - at)),
        None => "mail never checked (amici run)".to_owned(),
    }
}

fn hint(games: &[Glance<'_>], left_out: usize, trouble: &Trouble<'_>) -> String {
    let decided = games.iter().find_map(|game| Some((game.id(), game.forced()?)));
    let mine = games.iter().find(|game| game.is_my_turn() && !game.is_drafted());
    let drafted = games.iter().find(|game| game.is_drafted());
    // only where his move is due can a held mail give one
    let awaits = |game: &&Glance<'_>| game.is_running() && game.is_my_turn() == game.is_drafted();
    let held = trouble
        .held
        .iter()
        .filter_map(|h| h.game.as_ref())
        .find(|id| games.iter().filter(awaits).any(|game| game.id() == id.as_str()));
    match (held, drafted, mine) {
        (Some(_), ..) => "\nNext: amici review   shows what is held, why, and what to do\n".to_owned(),
        (_, Some(game), _) if game.draw_claim().is_some() => {
            format!("\nNext: amici show {}   you may claim a draw before you send its draft\n", game.id())
        }
        (_, Some(game), _) => format!("\nNext: send the draft of {}; your clock runs until you do\n", game.id()),
        _ if let Some((id, result)) = decided => {
            format!("\nNext: amici result {id} {}   closes the game\n", result.word())
        }
        (_, _, Some(game)) if game.is_claimable() => {
            format!("\nNext: amici claim {}   drafts a claim; do it before you answer\n", game.id())
        }
        (_, _, Some(game)) if game.is_perhaps_late() => {
            format!("\nNext: amici show {}   his time is perhaps overstepped: settle it before you answer\n", game.id())
        }
        (_, _, Some(game)) if let Some(claim) = game.draw_claim() => {
            let option = claim_option(claim);
            format!(
                "\nNext: amici claim {0} {option}   drafts the claim of a draw, or   amici play {0} MOVE\n",
                game.id()
            )
        }
        (_, _, Some(game)) => format!("\nNext: amici show {0}   or   amici play {0} MOVE\n", game.id()),
        _ if !trouble.held.is_empty() => "\nNext: amici review   shows what is held, why, and what to do\n".to_owned(),
        _ if games.is_empty() && left_out == 0 => "\nNext: amici new   or   amici import FILE\n".to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::store::Release;

    #[test]
    fn a_move_that_may_have_reached_him_is_settled_by_the_day_of_the_last_try() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        let release = Release {
            message_id: "<r1@example.net>".to_owned(),
            recipients: vec!["mila@example.org".to_owned()],
            bytes: Vec::new(),
            not_before: at("2026-06-01T12:00:00Z"),
        };
        let row = |last_attempt_at| ReleaseRow {
            id: 1,
            game: "EM-1".parse().unwrap(),
            ply: 14,
            release: release.clone(),
            state: OutboxState::Unknown,
            attempts: 1,
            last_attempt_at,
            next_attempt_at: None,
            last_error: None,
            said: None,
        };
        let day = Day { now: at("2026-06-09T12:00:00Z"), zone: chrono_tz::Europe::Vienna, distrust: None };
        let said = released(&row(Some(at("2026-06-01T22:30:00Z"))), &day);
        assert!(said.contains("amici sent EM-1 --on 2026-06-02  or  amici send EM-1 --again"), "{said}");
        assert!(released(&row(None), &day).contains("--on 2026-06-01"));
    }
}
