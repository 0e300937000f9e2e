//! The text of a claim to the director: what is claimed, by which rule, the whole game with its dates, both clocks, the mails.
//!
//! What is claimed was computed from the record before; here it is only said. Not covered: whether a claim is wise.

use std::fmt::Write;

use chrono::{DateTime, Days, NaiveDate, Utc};

use super::care::farewell;
use super::day;
use super::overstep::Overstep;
use super::reasons::{clauses, reasons};
use super::wrap::fill;
use super::{LetterError, again, clock_lines, transmission, wrapped};
use crate::config::{Language, Me};
use crate::domain::clock::again::Lost;
use crate::domain::clock::days::{Moment, in_words};
use crate::domain::clock::ledger::{DateSource, Dated, Ledger};
use crate::domain::clock::over::Awaited;
use crate::domain::clock::reasons::{Reason, Reckoning, not_plain};
use crate::domain::clock::rules::{Overstep as Consequence, Ruleset, SilenceEffect};
use crate::domain::game::{ClockNote, Game, MoveNumber, Side};
use crate::domain::notation::NumericMove;
use crate::domain::transmission::compose::{ENGLISH, score, sheet};
use crate::io::store::Settlement;

/// What is claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// The opponent's time is overstepped.
    Time(Overstep),
    /// He has not answered for too long.
    Silence {
        /// When the player sent the move that he has not answered; `None` where the opponent has not played the first one.
        sent: Option<NaiveDate>,
        /// From when on his silence counts: that day, or a later one.
        since: NaiveDate,
        /// It went out again on that day, since it may not have reached him.
        again: bool,
        /// When he was told of an illegal answer of his, where it counts from then.
        told: Option<NaiveDate>,
        /// Calendar days of silence that count.
        days: u32,
        /// Days that the rules let pass.
        limit: u32,
        /// What follows by the rules: where nothing does, the director is told and nothing is claimed.
        effect: SilenceEffect,
        /// Days of his leave, not counted.
        leave: u32,
        /// What he announced about the move, oldest first.
        announced: Vec<ClockNote>,
    },
    /// The position stands for the third time.
    Repetition {
        /// When it stood: `after 12...`, or `at the start`.
        stood: Vec<String>,
        /// The player's own move that brings it about, not yet sent.
        with: Option<(MoveNumber, NumericMove)>,
    },
    /// Fifty moves without a capture or a move of a pawn.
    FiftyMoves {
        /// Full moves of both sides.
        moves: u32,
        /// The player's own move that completes them, not yet sent.
        with: Option<(MoveNumber, NumericMove)>,
    },
    /// The tablebases decide it.
    Tablebase {
        /// Won for the player; else drawn.
        win: bool,
        /// Men on the board, kings included.
        men: usize,
    },
}

/// A mail that gave a move, as evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailed {
    /// The move.
    pub number: MoveNumber,
    /// The mail's Message-ID; `None` where no copy of it was seen, or it has none.
    pub message_id: Option<String>,
    /// When the player's server took it; `None` for a mail of his own.
    pub at: Option<DateTime<Utc>>,
}

/// What stands beside the record of the game.
#[derive(Debug, Clone, Default)]
pub struct Proof {
    /// The mails that gave the moves, oldest first.
    pub mails: Vec<Mailed>,
    /// What the player settled, oldest first.
    pub settled: Vec<Settlement>,
    /// Where the opponent's mails show other figures than the record, a sentence each.
    pub otherwise: Vec<String>,
}

impl Claim {
    /// The keys of the rule set that the claim is about.
    fn keys(&self, rules: &Ruleset) -> Vec<&'static str> {
        match self {
            Claim::Time(_) if rules.claim.is_empty() => vec!["control", "overstep"],
            Claim::Time(_) => vec!["control", "overstep", "claim"],
            Claim::Silence { .. } => vec!["silence"],
            Claim::Repetition { .. } | Claim::FiftyMoves { .. } | Claim::Tablebase { .. } => Vec::new(),
        }
    }

    /// Those that it rests on: those it is about, and those by which his days are more than the ones between his dates, or his silence
    /// begins later.
    fn grounds(&self, game: &Game, ledger: &Ledger, now: Moment) -> Vec<&'static str> {
        let more = match self {
            Claim::Time(over) => {
                let his = |number: &MoveNumber| number.side == over.number.side;
                let rows = not_plain(game, ledger).into_iter().filter(|(_, number, _)| his(number));
                let running = Reckoning::of_running(game, ledger, now).filter(|_| !over.was_sent);
                let reckonings = rows.map(|(.., reckoning)| reckoning).chain(running);
                reckonings
                    .flat_map(|reckoning| reckoning.reasons())
                    .filter(Reason::adds)
                    .filter_map(|r| r.key())
                    .collect()
            }
            Claim::Silence { told, .. } => told.map(|_| "illegal").into_iter().collect(),
            Claim::Repetition { .. } | Claim::FiftyMoves { .. } | Claim::Tablebase { .. } => Vec::new(),
        };
        let mut grounds = self.keys(ledger.rules());
        for key in more {
            if !grounds.contains(&key) {
                grounds.push(key);
            }
        }
        grounds
    }

    /// What is claimed, in a sentence.
    pub fn statement(&self) -> String {
        let with = |with: &Option<(MoveNumber, NumericMove)>| {
            with.map(|(number, numeric)| format!(" with my move {number} {numeric}, which I have not sent yet,"))
                .unwrap_or_default()
        };
        match self {
            Claim::Time(over) => {
                let days = match over.certain {
                    Some(0) => {
                        format!("{}, unless he books my mails later than on the day they were sent,", in_words(over.by))
                    }
                    Some(certain) => format!("at least {}", in_words(certain)),
                    None => in_words(over.by),
                };
                let how = if over.was_sent { "" } else { ", which he has not sent yet" };
                let number = over.number.number;
                let second = over.first.map(|(first, by)| {
                    format!(
                        " It is the second time: he exceeded it first by {} with his move {}, and his time counts anew since.",
                        in_words(by),
                        first.number
                    )
                });
                format!(
                    "I claim that my opponent has exceeded his time by {days} with his move {number}{how}: {}.{}",
                    over.figures(),
                    second.unwrap_or_default()
                )
            }
            Claim::Silence { sent, since, again, told, days, limit, effect, leave, announced } => {
                let what = if sent.is_some() { "answered" } else { "sent his first move" };
                let moved = sent.map(|sent| format!("my last move was sent on {}", day(sent)));
                let began = match told {
                    Some(told) => Some(format!("he was told on {} that his answer was illegal", day(*told))),
                    None if *again => Some(format!("and again on {}", day(*since))),
                    None => (*sent != Some(*since)).then(|| format!("the event began on {}", day(*since))),
                };
                let away = (*leave > 0).then(|| format!("{} of his leave are not counted", in_words(*leave)));
                let today = since.checked_add_days(Days::new(u64::from(*days) + u64::from(*leave)));
                let announced = announced.iter().map(|note| announcement(note, today));
                let facts: Vec<String> = moved.into_iter().chain(began).chain(announced).chain(away).collect();
                let days = in_words(*days);
                let tells = if *effect == SilenceEffect::Warn { "inform you" } else { "claim" };
                format!(
                    "I {tells} that my opponent has not {what} for {days}: {}, and the rules allow {limit}.",
                    facts.join(", ")
                )
            }
            Claim::Repetition { stood, with: own } => format!(
                "I claim a draw by repetition:{} the same position stands on the board again, with the same player to move. It stood {}.",
                with(own),
                stood.join(", ")
            ),
            Claim::FiftyMoves { moves, with: own } => format!(
                "I claim a draw by the fifty-move rule:{} {moves} moves of both sides have been made without a capture and without a move of a pawn.",
                with(own)
            ),
            Claim::Tablebase { win, men } => format!(
                "I claim {} by the endgame tablebases: {men} men are left on the board.",
                if *win { "the win" } else { "a draw" }
            ),
        }
    }

    /// The rule in words.
    fn rule(&self, rules: &Ruleset) -> String {
        match self {
            Claim::Time(_) => {
                let consequence = match rules.overstep {
                    Consequence::Forfeit => "a player who exceeds it loses the game on his opponent's claim",
                    Consequence::ResetThenForfeit => {
                        "a player who exceeds it for the first time is warned, and once that is admitted or awarded his time counts anew from there; the second time he loses the game"
                    }
                    Consequence::ReportOnly => "what follows when it is exceeded is for the director to say",
                };
                let terms = if rules.claim.is_empty() { String::new() } else { format!("; {}", rules.claim.words()) };
                format!("the time control is {}; {consequence}{terms}", rules.control.limits())
            }
            Claim::Silence { limit, .. } => {
                let consequence = match rules.silence.effect {
                    SilenceEffect::Warn => "the director is told, and what follows is for him to say",
                    SilenceEffect::TdMayForfeit => "the director may then score the game as lost",
                    SilenceEffect::AutoForfeit => "the game is then lost",
                };
                let announced = match rules.silence.extend_by_notice {
                    true => ", nor by a day that he announced in time as the one until which he needs",
                    false => "",
                };
                format!("a player who does not answer for more than {}{announced}: {consequence}", in_words(*limit))
            }
            Claim::Repetition { .. } => {
                "the player on the move may claim a draw when the same position stands for the third time (FIDE Laws of Chess, 9.2)"
                    .to_owned()
            }
            Claim::FiftyMoves { .. } => {
                "the player on the move may claim a draw when fifty moves of each side were made without a capture or a move of a pawn (FIDE Laws of Chess, 9.3)"
                    .to_owned()
            }
            Claim::Tablebase { .. } => {
                "where the event allows it, a player may claim the result that the tablebases give for the position".to_owned()
            }
        }
    }

    /// What the player should look into before he sends it.
    pub fn doubts(&self, game: &Game, ledger: &Ledger, now: Moment) -> Vec<String> {
        let (rules, mut doubts) = (ledger.rules(), Vec::new());
        let rests_on_nothing =
            |key: &&str| rules.uncertain.iter().any(|u| u == *key || u.split('.').next() == Some(*key));
        let open: Vec<&str> = self.grounds(game, ledger, now).into_iter().filter(rests_on_nothing).collect();
        if let [before @ .., last] = open.as_slice() {
            let before = if before.is_empty() { String::new() } else { format!("{} and ", before.join(", ")) };
            doubts.push(format!(
                "what the rules `{}` say here about {before}{last} rests on no text that is known; compare the announcement of your event",
                rules.id
            ));
        }
        if matches!(self, Claim::Tablebase { .. }) {
            doubts.push(
                "the tablebases were not looked at here, and no rules for e-mail are known to allow such a claim; compare the announcement of your event"
                    .to_owned(),
            );
        }
        doubts
    }
}

/// What he announced, in a claim of silence drafted on a day: `he announced on 12 March 2027 that he needs until 20 April 2027, which has
/// passed`
fn announcement(note: &ClockNote, today: Option<NaiveDate>) -> String {
    let said = format!("he announced on {} that he needs", day(note.on));
    let Some(until) = note.until else { return format!("{said} longer") };
    let follows = match today.is_some_and(|today| until < today) {
        true => "which has passed",
        false => "by which the rules prolong nothing",
    };
    format!("{said} until {}, {follows}", day(until))
}

/// The last row of the table: the move that he thinks about, since when, and why since then.
fn running(game: &Game, since: Dated) -> String {
    let why = match since.source {
        DateSource::Assumed => "assumed: the day on which I sent mine, since no mail of his says when he received it",
        DateSource::LaterThere => {
            "assumed: the day at his place on which I sent mine, since no mail of his says when he received it"
        }
        DateSource::Again => "assumed: the day on which I sent mine again, since the first mail came back",
        other => other.words(),
    };
    format!("The move {} is not sent yet: received {} ({why}).", game.due(), day(since.day))
}

/// The days of receipt in the table that no mail of `side` states; `None` where each is stated.
fn assumed(ledger: &Ledger, side: Side) -> Option<String> {
    let of_side = ledger.plies().iter().filter(|ply| ply.number.side == side);
    let received = of_side.filter_map(|ply| Some((ply.number, ply.received.filter(|day| day.source.is_assumed())?)));
    let days: Vec<String> = received.map(|(number, received)| format!("{number} {}", day(received.day))).collect();
    (!days.is_empty()).then(|| {
        format!(
            "Assumed, since no mail of his says when he received mine, are these days of receipt, those on which I sent it: {}.",
            days.join(", ")
        )
    })
}

/// The claim, with all that the director needs to decide it; `lost` is what shows that the move in question may not have reached the
/// opponent at once.
///
/// # Errors
/// [`LetterError::Game`] when the record does not play out or its rules are unusable.
pub fn claim_text(
    game: &Game,
    claim: &Claim,
    lost: Option<Lost>,
    proof: &Proof,
    me: &Me,
    now: Moment,
) -> Result<String, LetterError> {
    let broken = |why: String| LetterError::Game { game: game.id.clone(), why };
    let rules = game.ruleset().map_err(|e| broken(e.to_string()))?;
    let ledger = me.ledger(game).map_err(|e| broken(e.to_string()))?;
    let mut text = String::from("Dear director,\n\n");
    text.push_str(&wrapped(&claim.statement()));
    text.push_str(&lost.map(|lost| wrapped(&again::to_director(lost))).unwrap_or_default());
    text.push('\n');
    text.push_str(&wrapped(&format!("The rule, by \"{}\": {}.", rules.title, claim.rule(&rules))));
    for (key, source) in claim.keys(&rules).into_iter().filter_map(|key| Some((key, rules.sources.get(key)?))) {
        let of = if key == "control" { "time control" } else { key };
        text.push_str(&wrapped(&format!("Source of the {of}: {source}")));
    }
    let _ = write!(
        text,
        "\nThe clocks on {}:\n{}",
        day(now.day),
        clock_lines(game, &ledger, Some(now), Awaited::NOTHING, Language::English)
    );
    if let Some(place) = ledger.his_offset().filter(|_| matches!(claim, Claim::Time(over) if !over.was_sent)) {
        let there = ledger.local(game.me.other(), now).day;
        text.push_str(&wrapped(&format!(
            "His days are those of his place, UTC{place} by his last mail, where it is {} now.",
            day(there)
        )));
    }
    text.push_str("\nThe whole game with all dates and days:\n\n");
    let mut record = game.clone();
    record.plan = None;
    let said = transmission(&record)?;
    let is_awaited = match claim {
        Claim::Time(over) => !over.was_sent,
        Claim::Silence { .. } => true,
        Claim::Repetition { .. } | Claim::FiftyMoves { .. } | Claim::Tablebase { .. } => false,
    };
    match ledger.waiting_since().filter(|_| is_awaited) {
        Some(since) => {
            text.push_str(&sheet(&said, &ENGLISH, Some(Some(since.day))));
            text.push_str(&wrapped(&running(game, since)));
        }
        None => text.push_str(&score(&said)),
    }
    if let Claim::Time(over) = claim {
        text.push_str(&assumed(&ledger, over.number.side).map(|line| wrapped(&line)).unwrap_or_default());
    }
    let rows = reasons(game, &ledger, (&proof.settled, "me"), me.timezone, day);
    let rules = clauses(game, &ledger, now);
    for (head, lines) in [
        ("Days that are not simply those between the two dates, and why:", rows),
        ("The rules for days that are not simply those between two dates:", rules),
        ("Where my opponent's mails show other dates or days than the table:", proof.otherwise.clone()),
    ] {
        if !lines.is_empty() {
            let _ = writeln!(text, "\n{head}");
            text.extend(lines.iter().map(|line| fill(line, "  ", "    ") + "\n"));
        }
    }
    if !proof.mails.is_empty() {
        text.push_str("\nThe mails that prove it, which I keep and can send:\n");
        for mail in &proof.mails {
            let how = mail.at.map_or("my own".to_owned(), |at| {
                format!("taken by my server on {}", at.format("%-d %B %Y at %H:%M UTC"))
            });
            let id = mail.message_id.as_deref().unwrap_or("its Message-ID is not on record");
            let _ = writeln!(text, "  {} {how}\n    {id}", mail.number);
        }
    }
    text.push_str("\nMy opponent is told of this claim at the same time.\n");
    text.push_str(&farewell(me.styles.for_others(), me));
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::clock::ledger::Limit;
    use crate::domain::game::ClockNoteKind;

    fn rules(choice: &str) -> Ruleset {
        let rules: crate::domain::clock::rules::RulesetChoice = serde_json::from_str(choice).unwrap();
        rules.resolve().unwrap().into_owned()
    }

    #[test]
    fn t41_a_claim_of_silence_names_what_he_announced_and_its_rule_does_not_deny_it() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let claim = |announced: &[(&str, Option<&str>)]| {
            let note = |(on, until): &(&str, Option<&str>)| ClockNote {
                ply: 2,
                kind: ClockNoteKind::Announced,
                on: day(on),
                until: until.map(day),
            };
            let announced = announced.iter().map(note).collect();
            let since = day("2027-03-01");
            let (days, limit, leave, effect) = (57, 40, 10, SilenceEffect::TdMayForfeit);
            Claim::Silence { sent: Some(since), since, again: false, told: None, days, limit, effect, leave, announced }
        };
        assert_eq!(
            claim(&[("2027-03-12", Some("2027-04-20"))]).statement(),
            "I claim that my opponent has not answered for 57 days: my last move was sent on 1 March 2027, \
             he announced on 12 March 2027 that he needs until 20 April 2027, which has passed, \
             10 days of his leave are not counted, and the rules allow 40."
        );
        let late = claim(&[("2027-03-12", None), ("2027-05-01", Some("2027-05-07"))]).statement();
        let named = "he announced on 12 March 2027 that he needs longer, \
                     he announced on 1 May 2027 that he needs until 7 May 2027, by which the rules prolong nothing,";
        assert!(late.contains(named), "{late}");
        let rule = |choice: &str| claim(&[]).rule(&rules(choice));
        let noticed = "a player who does not answer for more than 40 days, \
                       nor by a day that he announced in time as the one until which he needs: ";
        assert!(rule(r#""iccf-email-2000""#).starts_with(noticed), "{}", rule(r#""iccf-email-2000""#));
        let plain = rule(r#"{"base": "iccf-email-2000", "silence": {"extend_by_notice": false}}"#);
        assert!(plain.starts_with("a player who does not answer for more than 40 days: "), "{plain}");
    }

    #[test]
    fn the_rule_of_a_claim_on_time_has_the_limit_for_one_move_and_that_of_what_is_saved() {
        let over = Overstep {
            certain: None,
            number: MoveNumber { number: 11, side: Side::Black },
            was_sent: true,
            limit: Limit::OneMove,
            by: 1,
            used: 11,
            until_move: 11,
            is_partial: false,
            one_move: None,
            first: None,
            booked: None,
        };
        let rule = Claim::Time(over).rule(&rules(r#""iecc""#));
        assert!(
            rule.starts_with("the time control is 30 days over the last 10 moves, 10 days for one move at most;"),
            "{rule}"
        );
        let banked = r#"{"base": "iccf-email-2000", "control": {"moves": 2, "days": 10, "max_bank": 12}}"#;
        let rule = Claim::Time(over).rule(&rules(banked));
        let named =
            "the time control is 2 moves / 10 days, at each control no more than 12 days in all with what is saved;";
        assert!(rule.starts_with(named), "{rule}");
    }
}
