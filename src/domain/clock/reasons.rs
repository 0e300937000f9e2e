//! How the days of a ply come about: the sum in words, and every reason for which they are not the plain difference of its two dates.
//!
//! The one place for it: the clocks, `amici explain`, a claim, the evidence and the reply say what stands here. The days themselves are
//! counted in [`super::days`].
//! What will surprise you: who settled a value, and why, is in the acts and not in the record; the letters add it.

use chrono::NaiveDate;

use super::days::{Charge, Method, Moment, SentBeforeReceived, Span};
use super::ledger::{Basis, Ledger};
use super::rules::{Accounting, DayCount, Ruleset};
use super::still::StandingStill;
use crate::domain::game::{Agreed, Game, MoveNumber, SentIllegal, Side};
use crate::languages::Language;
use crate::say;

/// Something for which the days of a ply are more or less than those between its two dates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Days before the start of the event are not counted.
    BeforeStart {
        /// How many.
        days: u32,
    },
    /// Days of leave are not counted.
    Leave {
        /// How many.
        days: u32,
        /// The leaves that they are of, each with its first and its last day.
        spans: Vec<(NaiveDate, NaiveDate)>,
    },
    /// Days beyond a number of them count twice.
    Doubled {
        /// How many.
        days: u32,
        /// That number.
        beyond: u32,
        /// The day of the reminder since which they do, where the rules have it so.
        reminded: Option<NaiveDate>,
    },
    /// The days from an illegal move to the notice of it are not counted.
    StoodStill(SentIllegal),
    /// Days are added as a penalty.
    Penalty {
        /// How many.
        days: u32,
        /// Somebody settled it, so that it does not follow from the rules.
        is_settled: bool,
    },
}

impl Reason {
    /// The key of the rule set that has it so; `None` where no single value does.
    pub fn key(&self) -> Option<&'static str> {
        match self {
            Reason::BeforeStart { .. } | Reason::Penalty { is_settled: true, .. } => None,
            Reason::Leave { .. } => Some("leave"),
            Reason::Doubled { .. } => Some("double_after"),
            Reason::StoodStill(_) | Reason::Penalty { is_settled: false, .. } => Some("illegal"),
        }
    }

    /// Whether there are more days because of it.
    pub fn adds(&self) -> bool {
        matches!(self, Reason::Doubled { .. } | Reason::Penalty { .. })
    }
}

/// How the days of one ply come about.
#[derive(Debug, Clone)]
pub struct Reckoning {
    days: u32,
    basis: Basis,
    /// Around an illegal move whose days stand still there are two.
    spans: Vec<(Span, Vec<Reason>)>,
    illegal: Option<SentIllegal>,
    agreed: Agreed,
}

/// The plies of the record whose days are not plain ([`Reckoning::is_plain`]), oldest first, with their places in it, counted from 0.
pub fn not_plain(game: &Game, ledger: &Ledger) -> Vec<(usize, MoveNumber, Reckoning)> {
    let of_ply = |index| Some((index, game.number_of(index), Reckoning::of_ply(game, ledger, index)?));
    (0..game.moves.len()).filter_map(of_ply).filter(|(_, _, reckoning)| !reckoning.is_plain()).collect()
}

impl Reckoning {
    /// That of the ply `index` of the record, counted from 0.
    pub fn of_ply(game: &Game, ledger: &Ledger, index: usize) -> Option<Reckoning> {
        let (time, record) = (ledger.plies().get(index)?, game.moves.get(index)?);
        let dates = time.received.zip(time.sent).map(|(received, sent)| (received.day, sent.day));
        let empty = Reckoning {
            days: time.days.unwrap_or_default(),
            basis: time.basis,
            spans: Vec::new(),
            illegal: game.illegal_before(index).copied(),
            agreed: record.agreed,
        };
        Some(empty.counted(game, ledger.rules(), time.number.side, dates))
    }

    /// That of the move that is thought about, were it sent at a moment; `None` where its days are not known.
    pub fn of_running(game: &Game, ledger: &Ledger, moment: impl Into<Moment>) -> Option<Reckoning> {
        let side = game.to_move();
        let moment = ledger.local(side, moment.into());
        let charge = ledger.running_charge(moment).filter(|_| ledger.goes_on())?;
        let dates = (ledger.received_before(moment.day)?.day, moment.day);
        let empty = Reckoning {
            days: charge.days(),
            basis: Basis::Counted(charge),
            spans: Vec::new(),
            illegal: ledger.illegal_before_due().copied(),
            agreed: Agreed::default(),
        };
        Some(empty.counted(game, ledger.rules(), side, Some(dates)))
    }

    fn counted(self, game: &Game, rules: &Ruleset, side: Side, dates: Option<(NaiveDate, NaiveDate)>) -> Reckoning {
        let (Basis::Counted(charge), Some((received, sent))) = (self.basis, dates) else { return self };
        let still = StandingStill::under(&rules.leave, &game.leaves, side);
        let reasons = |span: Span, from: NaiveDate, to: NaiveDate| {
            let Span { before_start, leave, doubled, .. } = span;
            let leaves = still.spans().iter().filter(|(first, last)| *first < to && from <= *last);
            let beyond = rules.double_after.unwrap_or_default();
            let reasons = [
                (before_start > 0).then_some(Reason::BeforeStart { days: before_start }),
                (leave > 0).then(|| Reason::Leave { days: leave, spans: leaves.copied().collect() }),
                (doubled > 0).then_some(Reason::Doubled { days: doubled, beyond, reminded: charge.reminded }),
            ];
            (span, reasons.into_iter().flatten().collect())
        };
        let spans = match (charge.spans(), self.illegal) {
            ((until, Some(since)), Some(illegal)) => {
                vec![reasons(until, received, illegal.sent), reasons(since, illegal.noticed.min(sent), sent)]
            }
            ((all, _), _) => vec![reasons(all, received, sent)],
        };
        Reckoning { spans, ..self }
    }

    /// The days; 0 where they give no number.
    pub fn days(&self) -> u32 {
        self.days
    }

    /// Every reason, in the order of the days.
    pub fn reasons(&self) -> Vec<Reason> {
        let stood_still = self.illegal.filter(|illegal| self.spans.len() > 1 && illegal.sent < illegal.noticed);
        let spans = self.spans.iter().flat_map(|(_, reasons)| reasons.iter().cloned());
        let is_settled = self.agreed.penalty.is_some();
        let penalty = Some(self.penalty()).filter(|days| *days > 0).map(|days| Reason::Penalty { days, is_settled });
        spans.chain(stood_still.map(Reason::StoodStill)).chain(penalty).collect()
    }

    fn penalty(&self) -> u32 {
        match self.basis {
            Basis::Counted(charge) => charge.penalty,
            Basis::Agreed { .. } | Basis::Stated => self.agreed.penalty.unwrap_or(0),
            Basis::Conditional | Basis::Reversed(_) | Basis::Unknown => 0,
        }
    }

    /// Whether the days are those between the two dates, as the rules count them, and nobody settled anything.
    pub fn is_plain(&self) -> bool {
        matches!(self.basis, Basis::Counted(_))
            && self.illegal.is_none()
            && self.agreed.is_empty()
            && self.reasons().is_empty()
    }

    /// The keys of the rule set by which the days are more or less.
    pub fn keys(&self, rules: &Ruleset) -> Vec<&'static str> {
        let hours = (rules.day_count != DayCount::Calendar).then_some("day_count");
        let conditional = (self.basis == Basis::Conditional).then_some("conditional");
        let illegal = self.illegal.map(|_| "illegal");
        let mut keys: Vec<&'static str> = self.reasons().iter().filter_map(Reason::key).collect();
        keys.extend([hours, conditional, illegal].into_iter().flatten());
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// `19: 15 calendar days, 4 beyond 10 twice since the reminder of 2026-06-12`, or `15 calendar days` alone; the days as `day` writes
    /// them.
    pub fn words(&self, rules: &Ruleset, day: impl Fn(NaiveDate) -> String) -> String {
        self.words_in(rules, day, Language::English)
    }

    /// The same in this language.
    pub fn words_in(&self, rules: &Ruleset, day: impl Fn(NaiveDate) -> String, language: Language) -> String {
        let (days, penalty) = (self.days, self.penalty());
        let of_penalty = if penalty > 0 {
            format!(", {}", say!(language, "{penalty} of them a penalty", penalty))
        } else {
            String::new()
        };
        let sum = match self.basis {
            Basis::Counted(charge) => self.sum(charge, rules, &day, language),
            Basis::Agreed { .. } => say!(language, "{days} as entered", days) + &of_penalty,
            Basis::Stated => {
                let stated = say!(language, "{days} as the mover states", days) + &of_penalty;
                format!("{stated}, {}", say!(language, "since a date or an instant is missing"))
            }
            Basis::Conditional => say!(language, "0: a move of an accepted conditional line takes no time"),
            Basis::Reversed(SentBeforeReceived { sent, received }) => {
                say!(language, "none counted: sent {sent} lies before received {received}", sent, received)
            }
            Basis::Unknown => say!(language, "unknown, since a date is missing"),
        };
        let Agreed { received, sent, total, .. } = self.agreed;
        let entered = [
            received.map(|on| say!(language, "received {day}", day = day(on))),
            sent.map(|on| say!(language, "sent {day}", day = day(on))),
            total.map(|total| say!(language, "total {total}", total)),
        ];
        let entered: Vec<String> = entered.into_iter().flatten().collect();
        match entered.is_empty() {
            true => sum,
            false => format!("{sum}; {}", say!(language, "{entered} as entered", entered = entered.join(", "))),
        }
    }

    fn sum(&self, charge: Charge, rules: &Ruleset, day: impl Fn(NaiveDate) -> String, language: Language) -> String {
        let in_words = |(span, reasons): &(Span, Vec<Reason>)| {
            let counted = span_in_words(*span, charge.method, language);
            let changes = reasons.iter().filter_map(|reason| reason.changes(&day, language));
            std::iter::once(counted).chain(changes).collect::<Vec<_>>().join(", ")
        };
        let spans: Vec<String> = self.spans.iter().map(in_words).collect();
        let mut sum = match (spans.as_slice(), self.illegal) {
            ([until, since], Some(illegal)) => say!(
                language,
                "until the illegal move of {sent} {until}; since the notice of it on {noticed} {since}",
                sent = day(illegal.sent),
                until,
                noticed = day(illegal.noticed),
                since
            ),
            (spans, illegal) => {
                let illegal = illegal.filter(|_| rules.illegal.accounting == Accounting::Continuous);
                let included = illegal.map(|illegal| {
                    format!(", {}", say!(language, "the illegal move of {day} included", day = day(illegal.sent)))
                });
                spans.concat() + &included.unwrap_or_default()
            }
        };
        if charge.penalty > 0 {
            let between = if self.spans.len() > 1 { ";" } else { "," };
            let added = say!(language, "{days} of penalty added", days = charge.penalty);
            sum.push_str(&format!("{between} {added}"));
        }
        let is_sum = self.spans.len() > 1 || charge.method == Method::WithinGrace || charge.days() != charge.raw;
        if is_sum { format!("{}: {sum}", charge.days()) } else { sum }
    }
}

impl Reason {
    /// What it makes of the days between two dates; `None` where it is told beside them.
    fn changes(&self, day: impl Fn(NaiveDate) -> String, language: Language) -> Option<String> {
        Some(match self {
            Reason::BeforeStart { days } => say!(language, "{days} before the start not counted", days),
            Reason::Leave { days, spans } => {
                let spans = spans
                    .iter()
                    .map(|(from, to)| say!(language, "{first} to {last}", first = day(*from), last = day(*to)));
                let spans = spans.collect::<Vec<_>>().join(", ");
                say!(language, "less {days} of leave ({spans})", days, spans)
            }
            Reason::Doubled { days, beyond, reminded: None } => {
                say!(language, "{days} beyond {beyond} twice", days, beyond)
            }
            Reason::Doubled { days, beyond, reminded: Some(on) } => {
                say!(language, "{days} beyond {beyond} twice since the reminder of {day}", days, beyond, day = day(*on))
            }
            Reason::StoodStill(_) | Reason::Penalty { .. } => return None,
        })
    }
}

fn span_in_words(span: Span, method: Method, language: Language) -> String {
    let calendar = || match span.raw {
        1 => say!(language, "1 calendar day"),
        days => say!(language, "{days} calendar days", days),
    };
    match method {
        Method::Calendar => calendar(),
        Method::Hours if span.raw == 1 => say!(language, "1 whole span of 24 hours"),
        Method::Hours => say!(language, "{spans} whole spans of 24 hours", spans = span.raw),
        Method::WithinGrace => say!(language, "less than 24 hours, which are free"),
        Method::CalendarForHours => {
            format!("{}, {}", calendar(), say!(language, "because an instant is missing for counting hours"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::{ClockNote, Leave};

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    /// White's seventh move of 26 October, sent on this day.
    fn seventh(rules: &str, sent: &str) -> Game {
        let mut game = sample_game();
        game.rules = serde_json::from_str(rules).unwrap();
        game.moves[12].claimed = Default::default();
        game.moves[12].claimed.sent = Some(day(sent));
        game
    }

    fn words(game: &Game) -> String {
        let ledger = Ledger::of(game).unwrap();
        let reckoning = Reckoning::of_ply(game, &ledger, 12).unwrap();
        reckoning.words(ledger.rules(), |day| day.to_string())
    }

    #[test]
    fn t31_t60_leave_and_doubling_stand_in_the_sum_with_their_days() {
        let mut game = seventh(r#""iccf-email-2005""#, "2004-11-20");
        assert_eq!(words(&game), "30: 25 calendar days, 5 beyond 20 twice");
        game.leaves =
            vec![Leave { side: Side::White, from: day("2004-11-01"), to: day("2004-11-03"), announced: None }];
        assert_eq!(words(&game), "24: 25 calendar days, less 3 of leave (2004-11-01 to 2004-11-03), 2 beyond 20 twice");
        assert_eq!(words(&seventh(r#""iccf-email-2005""#, "2004-10-30")), "4 calendar days");
    }

    #[test]
    fn t33_the_reminder_since_which_days_count_double_is_named_of_the_record_and_of_the_running_move() {
        let mut game = seventh(r#""desc""#, "2004-11-10");
        game.clock_notes = vec![ClockNote::reminder(13, day("2004-11-06"))];
        let expected = "19: 15 calendar days, 4 beyond 10 twice since the reminder of 2004-11-06";
        assert_eq!(words(&game), expected);
        game.moves.pop();
        let ledger = Ledger::of(&game).unwrap();
        let running = |on: &str| {
            let running = Reckoning::of_running(&game, &ledger, day(on)).unwrap();
            (running.words(ledger.rules(), |day| day.to_string()), running.is_plain())
        };
        assert_eq!(running("2004-11-10"), (expected.to_owned(), false));
        assert_eq!(running("2004-11-05"), ("10 calendar days".to_owned(), true));
    }

    #[test]
    fn t80_each_span_around_an_illegal_move_has_its_own_leave_and_doubling() {
        let mut game = seventh(r#""iccf-email-2005""#, "2004-11-25");
        game.illegal = vec![SentIllegal { ply: 13, sent: day("2004-10-29"), noticed: day("2004-11-03") }];
        assert_eq!(
            words(&game),
            "32: until the illegal move of 2004-10-29 3 calendar days; since the notice of it on 2004-11-03 22 calendar days, \
             2 beyond 20 twice; 5 of penalty added"
        );
        game.leaves =
            vec![Leave { side: Side::White, from: day("2004-10-27"), to: day("2004-10-27"), announced: None }];
        assert!(
            words(&game).contains("3 calendar days, less 1 of leave (2004-10-27 to 2004-10-27); since"),
            "{}",
            words(&game)
        );
        game.rules = serde_json::from_str(
            r#"{"base": "iccf-email-2005", "illegal": {"penalty_days": 0, "accounting": "continuous"}, "double_after": "none"}"#,
        )
        .unwrap();
        assert!(
            words(&game).ends_with("(2004-10-27 to 2004-10-27), the illegal move of 2004-10-29 included"),
            "{}",
            words(&game)
        );
    }

    #[test]
    fn what_was_settled_is_no_plain_row_and_says_so() {
        let mut game = seventh(r#""iccf-email-2000""#, "2004-10-30");
        let listed = |game: &Game| not_plain(game, &Ledger::of(game).unwrap()).len();
        let plain = listed(&game);
        game.moves[12].agreed = Agreed { penalty: Some(5), sent: Some(day("2004-10-31")), ..Agreed::default() };
        assert_eq!(words(&game), "10: 5 calendar days, 5 of penalty added; sent 2004-10-31 as entered");
        game.moves[12].agreed = Agreed { days: Some(2), penalty: Some(1), total: Some(0), ..Agreed::default() };
        assert_eq!(words(&game), "3 as entered, 1 of them a penalty; total 0 as entered");
        assert_eq!(listed(&game), plain + 1);
    }
}
