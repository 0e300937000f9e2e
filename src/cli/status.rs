//! `amici status`: all games, worst first, and whether the mailbox is being read.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use clap::Args as ClapArgs;
use serde_json::json;

use super::table::table;
use super::{Exit, Failure, Report, Setup};
use crate::config::Me;
use crate::domain::clock::events::{Event, EventKind, next_event};
use crate::domain::clock::ledger::Clock;
use crate::domain::game::Game;
use crate::domain::notation::san;
use crate::io::store::{ArrivalState, Heartbeat, Held, NotRead, OutboxRow, OutboxState};

/// Show all games, those that need you first
#[derive(Debug, Default, ClapArgs)]
pub(super) struct Args {
    /// One JSON document
    #[arg(long)]
    json: bool,
    /// Exit with 9 when something needs your attention
    #[arg(long)]
    exit_code: bool,
    /// Show the figures of another instant than now
    #[arg(long, value_name = "INSTANT", value_parser = super::instant)]
    at: Option<DateTime<Utc>>,
}

/// Days before the time control from which a game is urgent.
const URGENT_DAYS: i64 = 3;

/// How much a game needs the player; also the order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    Urgent,
    Look,
    Move,
    None,
    Over,
}

/// A game as the list has it.
pub(super) struct Line<'a> {
    pub(super) game: &'a Game,
    pub(super) need: Need,
    /// Number, numeric, SAN.
    pub(super) last: Option<(String, String, String)>,
    pub(super) clock: Clock,
    pub(super) event: Option<Event>,
    pub(super) flags: Vec<&'static str>,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let me = setup.config()?.me;
    let zone = me.timezone;
    let Some(mut store) = setup.store_if_any().await? else {
        let trouble = Trouble { held: Vec::new(), unread: Vec::new(), unsent: Vec::new() };
        let text = if args.json {
            as_json(&[], None, &trouble, setup.now)
        } else {
            as_text(&[], None, &trouble, setup.now, zone)
        };
        return Ok(text.into());
    };
    let now = args.at.unwrap_or(setup.now);
    let today = now.with_timezone(&zone).date_naive();
    let games = store.games().await?;
    let held = store.held().await?;
    let mut lines = Vec::with_capacity(games.len());
    for stored in &games {
        lines.push(line(&stored.game, &me, &held, today)?);
    }
    lines.sort_by_key(|l| (l.need, l.event.map(|e| e.date)));
    let trouble = Trouble { held, unread: store.arrivals_not_read().await?, unsent: store.unsent().await? };
    let beat = store.heartbeat().await?;
    let attention = !trouble.is_empty(now) || is_deaf(beat.as_ref(), now) || lines.iter().any(|l| l.need <= Need::Look);
    let text = if args.json {
        as_json(&lines, beat.as_ref(), &trouble, now)
    } else {
        as_text(&lines, beat.as_ref(), &trouble, now, zone)
    };
    let exit = if args.exit_code && attention { Exit::Attention } else { Exit::Ok };
    Ok(Report { text, exit })
}

/// A daemon that ran and was not stopped, and has trouble or has not looked into the mailbox for an hour.
fn is_deaf(beat: Option<&Heartbeat>, now: DateTime<Utc>) -> bool {
    let late = |at: DateTime<Utc>| now - at > chrono::Duration::minutes(60);
    beat.is_some_and(|b| b.last_error.is_some() || (b.state == "running" && b.last_check_at.is_none_or(late)))
}

/// What stands beside the games.
struct Trouble {
    held: Vec<Held>,
    unread: Vec<NotRead>,
    unsent: Vec<OutboxRow>,
}

impl Trouble {
    fn is_empty(&self, now: DateTime<Utc>) -> bool {
        self.held.is_empty()
            && self.unread(now).next().is_none()
            && self.unsent.iter().all(|o| o.state == OutboxState::Queued)
    }

    /// The mails worth a line: what is gone needs nobody, what was announced a moment ago is being read, and what was listed for two
    /// weeks was seen.
    fn unread(&self, now: DateTime<Utc>) -> impl Iterator<Item = &NotRead> {
        let fresh = chrono::Duration::minutes(10);
        self.unread.iter().filter(move |mail| match mail.state {
            ArrivalState::Done | ArrivalState::Gone => false,
            ArrivalState::Open => now - mail.noted_at > fresh,
            ArrivalState::SetAside | ArrivalState::TooLarge => now - mail.noted_at < chrono::Duration::days(14),
        })
    }
}

fn line<'a>(game: &'a Game, me: &Me, held: &[Held], today: NaiveDate) -> Result<Line<'a>, Failure> {
    let broken = |why: String| Failure::new(Exit::Failed, format!("game {}: {why}", game.id));
    let ledger = me.ledger(game).map_err(|e| broken(e.to_string()))?;
    let replay = game.replay().map_err(|e| broken(e.to_string()))?;
    let last = replay.plies().zip(&game.moves).enumerate().last();
    let last = last.map(|(index, ((before, played), record))| {
        (game.number_of(index).to_string(), record.numeric.to_string(), san(before, played))
    });
    let to_move = game.to_move();
    let clock = ledger.clock(to_move, game.result.is_none().then_some(to_move), today);
    let event = next_event(game, &ledger, today);
    let is_held = held.iter().any(|h| h.game.as_ref() == Some(&game.id));
    let near = |e: Event| e.kind == EventKind::TimeControl && (e.date - today).num_days() <= URGENT_DAYS;
    let mut flags = Vec::new();
    for (flag, set) in [
        ("draft", game.plan.is_some()),
        ("held", is_held),
        ("draw?", game.draw_offer.is_some_and(|side| side != game.me)),
        (replay.standing().words(), !replay.standing().words().is_empty()),
        ("overstep", clock.days_left.is_some_and(|left| left < 0)),
    ] {
        if set {
            flags.push(flag);
        }
    }
    let need = match (game.result.is_some(), is_held, game.is_my_turn(), event.is_some_and(near)) {
        (true, ..) => Need::Over,
        (_, _, true, true) => Need::Urgent,
        (_, true, ..) => Need::Look,
        (_, _, true, _) => Need::Move,
        _ => Need::None,
    };
    Ok(Line { game, need, last, clock, event, flags })
}

fn as_json(lines: &[Line<'_>], beat: Option<&Heartbeat>, trouble: &Trouble, now: DateTime<Utc>) -> String {
    let games: Vec<_> = lines
        .iter()
        .map(|l| {
            json!({
                "id": l.game.id, "event": l.game.event, "opponent": l.game.opponent().name, "me": l.game.me.word(),
                "to_move": l.game.result.is_none().then(|| l.game.to_move().word()),
                "ply": l.game.moves.len(),
                "last_move": l.last.as_ref().map(|(_, numeric, san)| json!({"numeric": numeric, "san": san})),
                "days_this_move": l.clock.days_this_move, "days_used": l.clock.days_used, "days_left": l.clock.days_left,
                "next_event": l.event.map(|e| json!({"date": e.date, "kind": e.kind.word()})),
                "flags": l.flags, "result": l.game.result.map(|r| r.word()),
            })
        })
        .collect();
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
    let document = json!({
        "schema": 1, "now": now, "last_check": beat.and_then(|b| b.last_check_at), "last_error": beat.and_then(|b| b.last_error.clone()),
        "games": games, "held": held, "not_read": unread, "outbox": unsent,
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

fn as_text(lines: &[Line<'_>], beat: Option<&Heartbeat>, trouble: &Trouble, now: DateTime<Utc>, zone: Tz) -> String {
    let count = |need: fn(&Line<'_>) -> bool| lines.iter().filter(|l| need(l)).count();
    let mine = count(|l| l.game.is_my_turn());
    let theirs = count(|l| l.game.result.is_none() && !l.game.is_my_turn());
    let mut text = format!(
        "{} {}: {mine} yours, {theirs} theirs, {} held     {}     {}\n",
        lines.len(),
        if lines.len() == 1 { "game" } else { "games" },
        trouble.held.len(),
        now.with_timezone(&zone).format("%a %d %b %Y %H:%M"),
        checked(beat, now)
    );
    if let Some((beat, error)) = beat.and_then(|b| b.last_error.as_ref().map(|e| (b, e))) {
        text.push_str(&format!("TROUBLE: {}\n", crate::mail::text::one_line(error, 300)));
        if let Some(next) = beat.next_check_at.filter(|next| *next > now) {
            text.push_str(&format!("         next try at {}\n", next.with_timezone(&zone).format("%H:%M:%S")));
        }
    }
    if !lines.is_empty() {
        text.push('\n');
        text.push_str(&table(lines));
        text.push_str("\n  !! urgent   > your move   ? needs a look   * opponent is thinking, his time shown\n");
    }
    for held in &trouble.held {
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
        text.push_str(&format!("\nto you  {game}  {} after {} tries{error}\n", outbox_word(out.state), out.attempts));
    }
    text.push_str(&hint(lines, trouble));
    text
}

fn checked(beat: Option<&Heartbeat>, now: DateTime<Utc>) -> String {
    match beat.and_then(|b| b.last_check_at) {
        Some(at) => format!("mail checked {} ago", ago(now - at)),
        None => "mail never checked (amici run)".to_owned(),
    }
}

/// `2 min`, `3 h`, `5 d`
pub(super) fn ago(span: chrono::Duration) -> String {
    match span.num_minutes() {
        ..1 => "less than a minute".to_owned(),
        minutes @ 1..120 => format!("{minutes} min"),
        minutes @ 120..2880 => format!("{} h", minutes / 60),
        minutes => format!("{} d", minutes / 1440),
    }
}

fn hint(lines: &[Line<'_>], trouble: &Trouble) -> String {
    let mine = lines.iter().find(|l| l.game.is_my_turn() && l.game.plan.is_none());
    let drafted = lines.iter().find(|l| l.game.plan.is_some());
    // only where his move is due can a held mail give one
    let awaits = |l: &&Line<'_>| l.game.result.is_none() && l.game.is_my_turn() == l.game.plan.is_some();
    let held = trouble
        .held
        .iter()
        .filter_map(|h| h.game.as_ref())
        .find(|id| lines.iter().filter(awaits).any(|l| l.game.id == **id));
    match (held, drafted, mine) {
        (Some(_), ..) => "\nNext: amici review   shows what is held, why, and what to do\n".to_owned(),
        (_, Some(line), _) => format!("\nNext: send the draft of {}; your clock runs until you do\n", line.game.id),
        (_, _, Some(line)) => format!("\nNext: amici show {0}   or   amici play {0} MOVE\n", line.game.id),
        _ if !trouble.held.is_empty() => "\nNext: amici review   shows what is held, why, and what to do\n".to_owned(),
        _ if lines.is_empty() => "\nNext: amici new   or   amici import FILE\n".to_owned(),
        _ => String::new(),
    }
}
