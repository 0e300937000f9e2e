//! `amici explain`: why a move stands on record: the words of which mail gave it, and which dates count by which rule.
//!
//! The mail is read again from its stored bytes, against the game as it stood before the move. Changes nothing.

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
use chrono_tz::Tz;
use clap::Args as ClapArgs;
use serde_json::{Value, json};
use shakmaty::Position;

use super::clock::{settlement_json, settlement_line};
use super::narrow::folded;
use super::ply::Ply;
use super::review::passage_json;
use super::{Exit, Failure, Report, Setup, find};
use crate::config::Config;
use crate::deeds::today::Day;
use crate::domain::clock::again::Lost;
use crate::domain::clock::doubt::{Doubt, DoubtKind};
use crate::domain::clock::illegal::counted;
use crate::domain::clock::late;
use crate::domain::clock::ledger::{Dated, Ledger, PlyTime};
use crate::domain::clock::reasons::Reckoning;
use crate::domain::clock::reminder::on_one_day;
use crate::domain::game::{Agreed, Game, GameId, MoveNumber, MoveRecord, Stated};
use crate::domain::judge::discrepancy::differences;
use crate::domain::notation::{NumericMove, san, words};
use crate::intake::again::{Passage, Places};
use crate::intake::table::{his_table, shown, standing_table};
use crate::io::store::{DraftOf, Provenance, Settlement};
use crate::letters;

mod due;
pub(super) mod source;

use due::Due;
use source::Source;

/// Say why a move, its dates and its days stand on record
///
/// Of the move that is thought about it says how its days come about.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// 12. or 12w (White's), 12... or 12b (Black's), or last
    #[arg(value_name = "PLY")]
    ply: Ply,
    /// One JSON document
    #[arg(long)]
    json: bool,
    /// Of the move that is thought about, show the figures of another instant than now
    #[arg(long, value_name = "INSTANT", value_parser = super::instant)]
    at: Option<DateTime<Utc>>,
}

/// Everything there is to say of one ply.
struct Account<'a> {
    game: &'a Game,
    number: MoveNumber,
    record: &'a MoveRecord,
    time: PlyTime,
    ledger: &'a Ledger,
    reckoning: Reckoning,
    san: String,
    words: String,
    /// How many moves were legal.
    choices: usize,
    proof: Provenance,
    source: Source,
    /// What the player had planned in its place.
    planned: Option<(NumericMove, String)>,
    /// What he settled of its dates and days, oldest first.
    settled: Vec<Settlement>,
    /// The opponent states all of it like this.
    is_settled_by_both: bool,
    /// What the opponent's mails state otherwise of a move of the player's, which nobody settled.
    open: Vec<String>,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let Config { me, senders, .. } = setup.config()?;
    let zone = me.timezone;
    let mut store = setup.store_to_read().await?;
    let thread = find(&mut store, &args.game).await?;
    let game = &thread.game;
    let broken = |why: String| Failure::new(Exit::Failed, format!("game {}: {why}", game.id));
    let index = args.ply.index_in(game);
    let ledger = me.ledger(game).map_err(|e| broken(e.to_string()))?;
    if index == Some(game.moves.len()) && ledger.goes_on() {
        let day = Day::of(&mut store, me.timezone, setup.now, args.at).await?;
        let due = Due { game, ledger: &ledger, day: &day };
        return Ok(if args.json { format!("{:#}\n", due.as_json()) } else { folded(due.as_text()) }.into());
    }
    let replay = game.replay().map_err(|e| broken(e.to_string()))?;
    let found = index.and_then(|index| {
        let (before, played) = replay.plies().nth(index)?;
        let reckoning = Reckoning::of_ply(game, &ledger, index)?;
        Some((index, before, played, game.moves.get(index)?, *ledger.plies().get(index)?, reckoning))
    });
    let Some((index, before, played, record, time, reckoning)) = found else {
        return Err(not_on_record(game, args.ply));
    };
    let Some(proof) = store.provenance(&game.id, index + 1).await? else {
        return Err(not_on_record(game, args.ply));
    };
    let events = store.events(&game.id).await?;
    let source = match proof.mail {
        Some(mail) => Source::of_mail(&mut store, mail, &thread, index, played, &events, &senders.own_server).await?,
        None => Source::said(&events, &proof),
    };
    let mut settled = store.settlements(&game.id).await?;
    settled.retain(|settled| u32::try_from(index + 1).is_ok_and(|ply| settled.plies.contains(&ply)));
    let planned = match game.number_of(index).side == game.me {
        true => store.planned(&game.id, index, proof.recorded_at).await?.filter(|planned| *planned != record.numeric),
        false => None,
    };
    let in_words =
        |m: NumericMove| m.to_move(before).map_or(String::new(), |m| format!(" ({})", san(before, &m.played)));
    let planned = planned.map(|planned| (planned, in_words(planned)));
    let newest = his_table(&mut store, &thread).await?;
    let table = standing_table(&mut store, &thread, newest).await?;
    let open = match game.number_of(index).side == game.me {
        true => differences(game, &ledger, &table),
        false => Vec::new(),
    };
    let his = shown(game, &table).into_iter().nth(index).map(|row| row.stated).unwrap_or_default();
    let of_this = open.iter().filter(|difference| difference.number == game.number_of(index));
    let open = of_this.map(ToString::to_string).collect();
    let account = Account {
        is_settled_by_both: agreed_values(record, &time).beyond(&his).is_empty(),
        open,
        planned,
        settled,
        game,
        number: game.number_of(index),
        record,
        time,
        ledger: &ledger,
        reckoning,
        san: san(before, played),
        words: words(before, played),
        choices: before.legal_moves().len(),
        proof,
        source,
    };
    Ok(if args.json { format!("{:#}\n", account.as_json()) } else { folded(account.as_text(zone)) }.into())
}

/// What counts of a move because it was entered by hand.
fn agreed_values(MoveRecord { agreed, .. }: &MoveRecord, time: &PlyTime) -> Stated {
    Stated {
        received: agreed.received,
        sent: agreed.sent,
        days: time.days.filter(|_| agreed.days.or(agreed.penalty).is_some()),
        total: agreed.total,
    }
}

fn not_on_record(game: &Game, ply: Ply) -> Failure {
    let what = match ply {
        Ply::Last => "no move".to_owned(),
        Ply::Number(number) => format!("no {number}"),
    };
    let now = match game.decided() {
        Some(result) => format!("it is over: {}", result.word()),
        None => format!("{} is due", game.due()),
    };
    Failure::new(
        Exit::Failed,
        format!("game {} has {what} on record; {now}\nhelp: `amici show {}` shows it", game.id, game.id),
    )
}

impl Account<'_> {
    fn is_mine(&self) -> bool {
        self.number.side == self.game.me
    }

    /// What was drafted for the player's own move; an import in place of the game leaves the older drafts behind.
    fn draft(&self) -> Option<&DraftOf> {
        let is_drafted = self.is_mine() && !matches!(self.source, Source::Import);
        self.proof.draft.as_ref().filter(|_| is_drafted)
    }

    /// What differed in the mail that gave the move; of a move of the player's, what the opponent's mails state otherwise.
    fn discrepancies(&self) -> &[String] {
        if self.is_mine() { &self.open } else { &self.proof.discrepancies }
    }

    /// The days, and how they come about.
    fn days(&self) -> String {
        let words = self.reckoning.words(self.ledger.rules(), |day| day.to_string());
        format!("{words}; {}", self.time.total_in_words())
    }

    /// What the rules say that make its days more or less, each with where it is said.
    fn rules(&self) -> Vec<String> {
        let rules = self.ledger.rules();
        self.reckoning.keys(rules).into_iter().map(|key| rules.clause(key)).collect()
    }

    /// Its place in the record, counted from 0.
    fn index(&self) -> usize {
        self.game.first_number().plies_to(self.number).unwrap_or_default()
    }

    /// The receipt that its mover states is not that of the move before.
    fn states_notice(&self) -> bool {
        let illegal = self.game.illegal_before(self.index());
        illegal.zip(self.record.claimed.received).is_some_and(|(illegal, received)| illegal.is_of_notice(received))
    }

    /// The illegal move that is counted before it; one that a mail has and nobody had counted.
    fn illegal(&self) -> Option<String> {
        let index = self.index();
        let is_open = self.game.illegal_plies().any(|ply| ply == index + 1);
        counted(self.game, self.ledger, index).or_else(|| {
            let help = format!("`amici clock {}` says how to have it counted", self.game.id);
            is_open.then(|| format!("an illegal move was sent before it and is not counted; {help}"))
        })
    }

    fn as_text(&self, zone: Tz) -> String {
        let who = if self.is_mine() { "You" } else { self.game.opponent().name.as_str() };
        let mut text = format!("{} {}   {}   {}\n", self.number, self.record.numeric, self.san, self.words);
        text.push_str(&format!("{who} played it; one of {} legal moves in that position.\n\n", self.choices));
        text.push_str(&self.source_text(zone));
        text.push('\n');
        let MoveRecord { claimed, observed, agreed, .. } = self.record;
        let day = |day: Option<NaiveDate>| day.map_or("-".to_owned(), |day| day.to_string());
        let mut row = |label: &str, received: String, sent: String, more: String| {
            text.push_str(format!("  {label:<9} {received:<12} {sent:<12} {more}").trim_end());
            text.push('\n');
        };
        row("", "received".to_owned(), "sent".to_owned(), String::new());
        let count = |what: &str, n: Option<u32>| n.map(|n| format!("{what} {n}"));
        let stated = [count("days", claimed.days), count("total", claimed.total)];
        let stated = stated.into_iter().flatten().collect::<Vec<_>>().join(", ");
        row("stated", day(claimed.received), day(claimed.sent), stated);
        let arrived = observed.arrived.map(|day| format!("our server took it {day}")).unwrap_or_default();
        row("observed", "-".to_owned(), day(observed.sent), arrived);
        let settled = [count("days", agreed.days), count("total", agreed.total), count("penalty", agreed.penalty)];
        let settled = settled.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let label = if self.is_settled_by_both { "agreed" } else { "you set" };
        row(label, day(agreed.received), day(agreed.sent), settled);
        let dated = |date: Option<Dated>| day(date.map(|d| d.day));
        row("counts", dated(self.time.received), dated(self.time.sent), String::new());
        text.push('\n');
        for (what, at) in self.instants(zone) {
            text.push_str(&format!("  {what:<9} {at}\n"));
        }
        for (what, date) in [("received", self.time.received), ("sent", self.time.sent)] {
            let why = date.map_or("nobody says it, and nothing stands in for it", |date| date.source.rule());
            let of_notice = (what == "received" && self.states_notice())
                .then_some("the day stated is that of the notice of the illegal move; of the move before, ");
            let of_notice = of_notice.unwrap_or_default();
            text.push_str(&format!("  {what:<9} {of_notice}{why}\n"));
        }
        text.push_str(&format!("  days      {}\n", self.days()));
        let lost = Lost::of(self.game, self.index()).map(|lost| ("again", lost.to_string()));
        let assumed = on_one_day(self.game, self.ledger.rules(), self.index()).map(|line| ("assumed", line));
        let lost = lost.into_iter().chain(assumed);
        let doubtful = self.doubts().map(|line| ("doubtful", line));
        let of_move = lost.chain(self.oversteps().map(|line| ("over", line))).chain(doubtful);
        let differs = if *agreed == Agreed::default() { "differs" } else { "differed" };
        let differ = self.discrepancies().iter().map(|line| (differs, line.clone()));
        let illegal = self.illegal().map(|line| ("illegal", line));
        let rules = self.rules().into_iter().map(|line| ("by rule", line));
        for (label, line) in illegal.into_iter().chain(rules).chain(of_move).chain(differ) {
            text.push_str(&format!("  {label:<9} {line}\n"));
        }
        for event in &self.settled {
            text.push_str(&format!("  settled   {}\n", settlement_line(event, zone)));
        }
        text
    }

    /// What the servers wrote on the mail, each in its own offset but the last, which is the player's.
    fn instants(&self, zone: Tz) -> impl Iterator<Item = (&'static str, String)> {
        let observed = self.record.observed;
        let written = |at: DateTime<FixedOffset>| at.format("%Y-%m-%d %H:%M:%S %z").to_string();
        let dated = match (self.is_mine() && !observed.is_of_mail(), observed.sent) {
            _ if !observed.is_of_mail() && matches!(self.source, Source::Import) => "by the file that was imported",
            (true, _) => "by your word, then",
            (false, Some(_)) => "by its own Date",
            (false, None) => "by its own Date; it cannot be true",
        };
        let arrived = observed.arrived_at.map(|at| at.with_timezone(&zone).fixed_offset());
        let found = [
            ("dated", observed.sent_at.map(|at| format!("{} {dated}", written(at)))),
            ("relayed", observed.relayed_at.map(|at| format!("{} by the provider's Received line", written(at)))),
            ("taken", arrived.map(|at| format!("{} by our server", written(at)))),
        ];
        found.into_iter().filter_map(|(what, at)| Some((what, at?)))
    }

    /// What a person should look at in the dates of this move.
    fn doubts(&self) -> impl Iterator<Item = String> {
        // leave that stands in the sum of this move
        let is_of_leave = |kind: &DoubtKind| match kind {
            DoubtKind::LateLeave(leave) => {
                let span = self.time.received.zip(self.time.sent);
                leave.side == self.number.side
                    && span.is_some_and(|(received, sent)| leave.from < sent.day && received.day <= leave.to)
            }
            _ => false,
        };
        let is_of_this = move |doubt: &&Doubt| doubt.number == Some(self.number) || is_of_leave(&doubt.kind);
        let of_this = self.ledger.doubts().iter().filter(is_of_this);
        let settles = |kind| letters::settles_day(self.game, self.number, kind);
        let of_day = self.ledger.day_in_doubt(self.game, self.number).map(settles);
        of_this
            .map(|doubt| doubt.kind.to_string())
            .chain(of_day.map(|command| format!("if it was sent on another day:  {command}")))
    }

    /// The limits that it exceeded.
    fn oversteps(&self) -> impl Iterator<Item = String> {
        let of_this = self.ledger.oversteps().iter().filter(|over| over.number == self.number);
        of_this.map(|over| late::in_words(self.game, self.ledger, over))
    }

    fn as_json(&self) -> Value {
        let MoveRecord { claimed, observed, agreed, .. } = self.record;
        let dated = |date: Option<Dated>| {
            date.map(|d| json!({"day": d.day, "source": d.source.words(), "rule": d.source.rule()}))
        };
        let (source, mail, lines) = match &self.source {
            Source::Import => ("import", Value::Null, Vec::new()),
            Source::Said(_) => ("player", Value::Null, Vec::new()),
            Source::Mail { mail, places, accepted, vouched } => {
                let (quoted, lines): (bool, &[Passage]) = match places {
                    Places::Own(lines) => (false, lines),
                    Places::Quoted(lines) => (true, lines),
                    Places::Nowhere => (false, &[]),
                };
                let document = json!({
                    "mail": mail.mail, "message_id": mail.message_id, "from": mail.from_address,
                    "subject": mail.subject, "date": mail.server_date.unwrap_or(mail.taken_at),
                    "in_quotation": quoted, "accepted_by_hand": accepted.is_some(), "vouched": vouched,
                });
                ("mail", document, lines.to_vec())
            }
        };
        let lines: Vec<_> = lines.iter().map(passage_json).collect();
        json!({
            "schema": 1, "game_id": self.game.id, "ply": self.number.to_string(), "by": if self.is_mine() { "me" } else { "opponent" },
            "numeric": self.record.numeric, "san": self.san, "words": self.words, "legal_moves": self.choices,
            "planned": self.planned.as_ref().map(|(planned, _)| planned), "source": source, "mail": mail, "lines": lines,
            "draft": self.draft().map(|d| json!({"message_id": d.message_id, "date": d.created_at})),
            "recorded": self.proof.recorded_at,
            "stated": {"received": claimed.received, "sent": claimed.sent, "days": claimed.days, "total": claimed.total},
            "observed": {
                "sent": observed.sent, "arrived": observed.arrived, "sent_at": observed.sent_at,
                "relayed_at": observed.relayed_at, "arrived_at": observed.arrived_at,
            },
            "agreed": {
                "received": agreed.received, "sent": agreed.sent, "days": agreed.days, "total": agreed.total,
                "penalty": agreed.penalty, "by_both": !agreed.is_empty() && self.is_settled_by_both,
            },
            "counts": {
                "received": dated(self.time.received), "sent": dated(self.time.sent), "days": self.time.days,
                "total": self.time.known_total(), "how": self.days(),
            },
            "illegal": self.illegal().into_iter().collect::<Vec<_>>(), "rules": self.rules(),
            "oversteps": self.oversteps().collect::<Vec<_>>(), "doubts": self.doubts().collect::<Vec<_>>(),
            "discrepancies": self.discrepancies(),
            "settlements": self.settled.iter().map(settlement_json).collect::<Vec<_>>(),
        })
    }
}
