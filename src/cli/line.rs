//! Games as the lists have them: how much each needs the player on a day, with which flags, worst first.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use chrono_tz::Tz;
use serde_json::{Value, json};

use super::{Exit, Failure};
use crate::domain::clock::days::Moment;
use crate::domain::clock::events::Mark;
use crate::domain::clock::over::Over;
use crate::domain::game::GameId;
use crate::domain::summary::{Figures, Summary};
use crate::io::store::ClaimLine;
use crate::letters::{ClaimKind, Claimed};
use crate::overview::{Answers, Overview, Seen};

/// How much a game needs the player; also the order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    Urgent,
    Look,
    Move,
    None,
    Over,
}

impl Need {
    /// `urgent`, `look`, `move`, `none` or `over`.
    fn word(self) -> &'static str {
        match self {
            Need::Urgent => "urgent",
            Need::Look => "look",
            Need::Move => "move",
            Need::None => "none",
            Need::Over => "over",
        }
    }
}

/// The flag of a game of which dates are missing: since when the move is thought about, or those of moves before.
const UNDATED: &str = "dates?";

/// The flag of a game whose opponent may not have the player's last move.
pub(super) const RESEND: &str = "resend?";

/// A game as the list has it.
pub(super) struct Line<'a> {
    pub(super) summary: Summary<'a>,
    pub(super) need: Need,
    /// `None` where the day is not known, or since when the move is thought about.
    pub(super) figures: Option<Figures>,
    pub(super) event: Option<Mark>,
    /// Where that is a limit and over: how sure it is.
    pub(super) over: Option<Over>,
    /// How far a claim on time got since the last move.
    pub(super) claimed: Option<Claimed>,
    pub(super) flags: Vec<&'static str>,
}

/// What is known of the games beside their summaries, and the day: what makes lines of them.
pub(super) struct Lines<'b> {
    answers: &'b Answers,
    held: HashSet<&'b str>,
    sending: HashMap<&'b str, Vec<&'static str>>,
    claims: HashMap<&'b str, Claimed>,
    now: Option<Moment>,
    urgent_days: u32,
}

impl<'b> Lines<'b> {
    /// Lines for a day, with what may answer.
    pub(super) fn new(answers: &'b Answers, now: Option<Moment>, urgent_days: u32) -> Lines<'b> {
        let held = answers.held.iter().filter_map(|held| Some(held.game.as_ref()?.as_str())).collect();
        Lines { answers, held, sending: HashMap::new(), claims: HashMap::new(), now, urgent_days }
    }

    /// The same with what the journals say of claims, and the zone of its days.
    pub(super) fn claimed(self, claims: &'b [ClaimLine], zone: Tz) -> Lines<'b> {
        let of =
            |line: &'b ClaimLine| Some((line.game.as_str(), Claimed::of(ClaimKind::Time, &line.game, claims, zone)?));
        Lines { claims: claims.iter().filter_map(of).collect(), ..self }
    }

    /// The same with how far the player's moves got.
    pub(super) fn sending(mut self, flags: &'b [(GameId, &'static str)]) -> Lines<'b> {
        for (id, flag) in flags {
            self.sending.entry(id.as_str()).or_default().push(flag);
        }
        self
    }

    /// Those of all games, the ones that need the player first.
    pub(super) fn all<'a>(&self, overview: &'a Overview) -> Result<Vec<Line<'a>>, Failure> {
        unbroken(&overview.seen)?;
        let mut lines: Vec<Line<'a>> = overview.summaries()?.into_iter().map(|summary| self.line(summary)).collect();
        lines.sort_unstable_by(|a, b| a.order().cmp(&b.order()));
        Ok(lines)
    }

    /// That of one game.
    pub(super) fn line<'a>(&self, summary: Summary<'a>) -> Line<'a> {
        let is_held = self.held.contains(summary.id.as_ref());
        let own = self.sending.get(summary.id.as_ref()).map_or(&[][..], Vec::as_slice);
        let over = self.now.and_then(|now| summary.over(now, || self.answers.awaited(&summary.id, summary.illegal)));
        let is_his = summary.result.is_none() && !summary.is_my_turn();
        let is_missed = is_his && self.answers.is_missed(&summary.id);
        let claimed = self.claims.get(summary.id.as_ref()).copied();
        let summary = self.answers.heard(summary);
        line(summary, (is_held, is_missed, claimed), over, own, self.now, self.urgent_days)
    }
}

/// Every game could be summed up; else which one could not, and why.
pub(super) fn unbroken(seen: &Seen) -> Result<(), Failure> {
    match seen.broken.first() {
        Some(broken) => Err(Failure::new(Exit::Failed, broken.to_string())),
        None => Ok(()),
    }
}

/// Whether a limit is over, in the data: `null` where it is not.
pub(super) fn over_json(over: Option<Over>) -> serde_json::Value {
    let reserve = over.and_then(Over::reserve);
    json!(over.map(|_| json!({"certain": reserve.is_none(), "reserve": reserve})))
}

/// What the flag of undated games means, where there are any.
pub(super) fn undated<'a>(mut ids: impl Iterator<Item = &'a str>) -> String {
    match ids.next() {
        Some(first) => format!(
            "\n{UNDATED}  dates or days of moves are not on record, so no limit can be told; games: {}\n        \
             how to enter them:  amici show {first}\n",
            1 + ids.count()
        ),
        None => String::new(),
    }
}

impl Line<'_> {
    /// By what the lists are sorted; no two games have one name.
    fn order(&self) -> (Need, NaiveDate, &str) {
        (self.need, self.until(), self.summary.id.as_ref())
    }

    /// The game in the data.
    pub(super) fn as_json(&self) -> Value {
        let game = &self.summary;
        json!({
            "id": game.id, "event": game.event, "opponent": game.opponent, "me": game.me.word(),
            "to_move": game.goes_on().then(|| game.to_move.word()),
            "ply": game.plies,
            "last_move": game.last.as_ref().map(|last| json!({"numeric": last.numeric, "san": last.san})),
            "days_this_move": self.figures.map(|f| f.days_this_move), "days_used": game.days_used(),
            "days_left": self.figures.and_then(|f| f.days_left),
            "next_event": self.event.map(|mark| json!({"date": mark.date, "kind": mark.kind.word(), "words": mark.words(game.me), "over": over_json(self.over)})),
            "flags": self.flags, "need": self.need.word(), "result": game.result.map(|r| r.word()),
        })
    }

    /// The day of what comes next, or the last of all days.
    pub(super) fn until(&self) -> NaiveDate {
        self.event.map_or(NaiveDate::MAX, |mark| mark.date)
    }
}

fn line<'a>(
    summary: Summary<'a>,
    (is_held, is_missed, claimed): (bool, bool, Option<Claimed>),
    over: Option<Over>,
    own: &[&'static str],
    now: Option<Moment>,
    urgent_days: u32,
) -> Line<'a> {
    let today = now.map(|now| now.day);
    let figures = now.filter(|_| !summary.is_undated()).map(|now| summary.figures(now));
    let of_day = |holds: fn(&Summary<'_>, NaiveDate) -> bool| today.is_some_and(|today| holds(&summary, today));
    let standing = summary.standing.words();
    let is_certain = over == Some(Over::Certainly);
    let flags = [
        ("draft", summary.drafted),
        ("held", is_held),
        ("draw?", summary.draw_offered),
        ("draw-claim", summary.draw_claim.is_some()),
        (standing, !standing.is_empty()),
        ("bound", summary.bound),
        ("claim", summary.claimable && claimed.is_none()),
        ("claim-drafted", matches!(claimed, Some(Claimed::Drafted(_)))),
        ("claim-sent", matches!(claimed, Some(Claimed::Sent(_)))),
        ("sent-late", summary.late),
        ("overstep", is_certain),
        ("overstep?", summary.is_perhaps_late() || (over.is_some() && !is_certain)),
        ("silent", of_day(|summary, today| summary.is_silent(today))),
        ("leave", of_day(|summary, today| summary.is_on_leave(today))),
        (RESEND, is_missed),
        ("leave?", summary.has_untold_leave()),
        ("clock?", summary.disputed || (summary.day_doubted && summary.goes_on())),
        (UNDATED, summary.lacks_dates()),
        ("sent", summary.sent),
    ];
    let urgent = today.is_some_and(|today| summary.is_urgent(today, urgent_days));
    let looks = summary.forced().is_some()
        || is_held
        || is_missed
        || summary.claimable
        || summary.late
        || summary.is_perhaps_late()
        || over.is_some();
    // no legal move went out, or none arrived: his clock may run without his knowledge
    let alarms = |flag: &&str| matches!(*flag, "sent-illegal" | "sent-twice" | "bounced" | "misread");
    let alarm = own.iter().any(alarms);
    let need = match (summary.result.is_some(), looks, summary.is_my_turn(), urgent) {
        (true, ..) => Need::Over,
        (_, _, true, true) => Need::Urgent,
        _ if alarm => Need::Urgent,
        (_, true, ..) => Need::Look,
        (_, _, true, _) => Need::Move,
        _ => Need::None,
    };
    let event = now.and_then(|now| summary.next(now));
    let is_passed = now.zip(event).is_some_and(|(now, mark)| mark.is_passed(now));
    let over = over.filter(|_| is_passed);
    let mut flags: Vec<_> = flags.iter().filter(|(_, set)| *set).map(|(flag, _)| *flag).collect();
    flags.extend(own);
    Line { summary, need, figures, event, over, claimed, flags }
}
