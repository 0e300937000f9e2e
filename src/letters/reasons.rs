//! The days of a game that are not simply those between two dates, and why, for who has to check them: a director, the opponent.
//!
//! The reasons are [`crate::domain::clock::reasons`]; beside them stands who settled what, by the acts.

use chrono::{NaiveDate, TimeDelta};
use chrono_tz::Tz;

use super::speech::Speech;
use crate::config::{Language, Me};
use crate::domain::clock::days::Moment;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::reasons::{Reason, Reckoning, not_plain};
use crate::domain::clock::rules::DayCount;
use crate::domain::game::Game;
use crate::io::store::Settlement;

/// Every move of the record whose days are not simply those between its two dates, a line each: how they come about, and below it who
/// settled what of it, and why; that is `by`. The days are written as `day` has them, those of the acts by the calendar of `zone`.
pub fn reasons(
    game: &Game,
    ledger: &Ledger,
    (settled, by): (&[Settlement], &str),
    zone: Tz,
    day: impl Fn(NaiveDate) -> String,
) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, number, reckoning) in not_plain(game, ledger) {
        let Some(record) = game.moves.get(index) else { continue };
        let name = format!("{number} {}", record.numeric);
        lines.push(format!("{name}: {}", reckoning.words(ledger.rules(), &day)));
        let is_of_ply = |act: &&Settlement| act.plies.iter().any(|ply| usize::try_from(*ply) == Ok(index + 1));
        lines.extend(settled.iter().filter(is_of_ply).map(|act| {
            let on = day(act.at.with_timezone(&zone).date_naive());
            format!("{name}: entered by {by} on {on}: {}", act.text)
        }));
    }
    lines
}

/// How the days of the move that is thought about come about, were it sent at a moment, where they are not simply those between two dates.
pub fn running_reason(
    game: &Game,
    ledger: &Ledger,
    moment: impl Into<Moment>,
    day: impl Fn(NaiveDate) -> String,
    language: Language,
) -> Option<String> {
    let running = Reckoning::of_running(game, ledger, moment).filter(|running| !running.is_plain())?;
    Some(running.words_in(ledger.rules(), day, language))
}

/// What the rules say that make days more or less, the running move's at a moment among them, each with where it is said.
pub(super) fn clauses(game: &Game, ledger: &Ledger, moment: Moment) -> Vec<String> {
    let rules = ledger.rules();
    let running = Reckoning::of_running(game, ledger, moment);
    let rows = not_plain(game, ledger).into_iter().map(|(.., reckoning)| reckoning);
    let keys: Vec<&str> = rows.chain(running).flat_map(|reckoning| reckoning.keys(rules)).collect();
    let sayings = rules.in_words().into_iter().filter(|saying| keys.contains(&saying.key));
    let said = |key: &str| rules.sources.get(key).map(|source| format!(" ({source})")).unwrap_or_default();
    sayings.map(|saying| format!("{}{}", saying.words, said(saying.key))).collect()
}

/// Why the days of a ply of the record are not simply those between its two dates, in sentences after a blank; empty where they are.
pub(super) fn said_why(
    speech: Speech,
    game: &Game,
    ledger: &Ledger,
    index: usize,
    is_meant: fn(&Reason) -> bool,
) -> String {
    let reasons = Reckoning::of_ply(game, ledger, index).map(|reckoning| reckoning.reasons()).unwrap_or_default();
    reasons.iter().filter(|reason| is_meant(reason)).map(|reason| format!(" {}", sentence(speech, reason))).collect()
}

/// Why the days of the player's own move, as it is drafted, are not simply those between its two dates, for the letter that gives it. Of an
/// illegal move before it the letter speaks anyway.
pub fn own_reasons(game: &Game, me: &Me) -> Option<String> {
    let (plan, ledger) = (game.plan.as_ref()?, me.ledger(game).ok()?);
    let speech = Speech::of(me.styles.of(game.opponent()).language);
    let (sent, days) = (plan.stated.sent?, plan.stated.days?);
    let (by_dates, running) = drafted(game, &ledger, sent, days)?;
    let hours = (by_dates != days).then(|| match ledger.rules().day_count {
        DayCount::Grace24h => speech.say("reason_grace", &[]),
        DayCount::Floor24h | DayCount::Calendar => speech.say("reason_hours", &[]),
    });
    let reasons = running.reasons().into_iter().filter(is_of_no_illegal_move);
    let why: String =
        hours.into_iter().chain(reasons.map(|reason| sentence(speech, &reason))).map(|why| format!(" {why}")).collect();
    let whose = speech.say("mine", &[("number", &game.with_line_taken().due().number.to_string())]);
    let counted = speech.say("own_days", &[("whose", &whose), ("ours", &speech.stated(&plan.stated))]);
    (!why.is_empty()).then(|| counted + &why)
}

/// The days of a move that is sent on a day, by its dates alone, and how those of its draft come about: where the rules count hours and the
/// draft knew them, as at the beginning of that day or at its end, of which its hour was one.
fn drafted(game: &Game, ledger: &Ledger, sent: NaiveDate, days: u32) -> Option<(u32, Reckoning)> {
    let by_dates = Reckoning::of_running(game, ledger, sent)?;
    let begins = |day: Option<NaiveDate>| ledger.begins(day?);
    let ends = begins(sent.succ_opt()).map(|next| next - TimeDelta::seconds(1));
    let hours = [begins(Some(sent)), ends].into_iter().flatten().filter(|_| !ledger.is_by_dates()).map(Moment::of);
    let counted = by_dates.days();
    let of_hours = hours.filter_map(|moment| Reckoning::of_running(game, ledger, moment));
    let fits = std::iter::once(by_dates).chain(of_hours).find(|reckoning| reckoning.days() == days)?;
    Some((counted, fits))
}

/// Whether a reason has nothing to do with an illegal move.
pub(super) fn is_of_no_illegal_move(reason: &Reason) -> bool {
    !matches!(reason, Reason::StoodStill(_) | Reason::Penalty { .. })
}

fn sentence(speech: Speech, reason: &Reason) -> String {
    match reason {
        Reason::BeforeStart { days } => speech.say("reason_start", &[("n", &days.to_string())]),
        Reason::Leave { days, spans } => {
            let spans: Vec<String> =
                spans.iter().map(|(from, to)| format!("{} - {}", speech.day(*from), speech.day(*to))).collect();
            speech.say("reason_leave", &[("spans", &spans.join(", ")), ("n", &days.to_string())])
        }
        Reason::Doubled { days, beyond, reminded } => {
            let (name, day) = match reminded {
                Some(on) => ("reason_reminded", speech.day(*on)),
                None => ("reason_doubled", String::new()),
            };
            speech.say(name, &[("limit", &beyond.to_string()), ("n", &days.to_string()), ("day", &day)])
        }
        Reason::StoodStill(illegal) => {
            let days = [illegal.sent, illegal.noticed].map(|day| speech.day(day));
            let [sent, noticed] = &days;
            speech.say("reason_illegal", &[("sent", sent), ("noticed", noticed)])
        }
        Reason::Penalty { days, .. } => speech.say("corrected_penalty", &[("penalty", &days.to_string())]),
    }
}
