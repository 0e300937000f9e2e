//! One mark on the calendar: what it is called, how much it matters, and by which key of the rules it stands there.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveTime, TimeDelta};

use crate::domain::clock::days::Moment;
use crate::domain::clock::over::Over;
use crate::domain::clock::rules::SilenceEffect;
use crate::domain::game::Side;
use crate::languages::Language;
use crate::say;

/// A mark on the calendar of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// The day, in the player's calendar.
    pub date: NaiveDate,
    /// The instant, at the player's place, where no midnight of his is meant: a limit is over, or days begin to count double.
    pub at: Option<DateTime<FixedOffset>>,
    /// Whom it concerns: whose time ends, who may or ought to act.
    pub side: Side,
    /// What it means.
    pub kind: MarkKind,
}

/// What a mark means, with the value of its rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    /// The last day on which the move may be sent without overstepping.
    TimeControl {
        /// The move that completes the control.
        until_move: u32,
    },
    /// The last day within the most for one move.
    MoveCap {
        /// Days for one move.
        days: u32,
    },
    /// From this day on, days count double.
    DoubleDays {
        /// After so many.
        after: u32,
    },
    /// The side that thinks ought to tell the other by now that it needs longer.
    Announce {
        /// A thought of more days than this.
        after: u32,
    },
    /// The side that waits may repeat its move.
    Repeat {
        /// Days of silence.
        after: u32,
        /// The director gets a copy.
        copy: bool,
    },
    /// The silent side is reminded.
    Reminder {
        /// Days of silence.
        after: u32,
    },
    /// The last day of the silence that the rules allow.
    Silence {
        /// Days of silence.
        days: u32,
        /// What follows.
        effect: SilenceEffect,
    },
    /// From this day on the silence is too long.
    Claim {
        /// Days of silence.
        days: u32,
        /// What follows.
        effect: SilenceEffect,
    },
    /// The first day of leave.
    LeaveBegins {
        /// Its length.
        days: u32,
    },
    /// The last day of leave.
    LeaveEnds {
        /// Its length.
        days: u32,
    },
    /// The last move was late: the side on the move may claim that (T70).
    LateMove {
        /// By the rules the claim is lost by answering it.
        lost_by_answer: bool,
    },
    /// It was late if this day counts, which the evidence has against what its sender states.
    PerhapsLate {
        /// The day.
        counts: NaiveDate,
    },
    /// The finished draft was not seen to be sent for a day.
    Unsent,
    /// The last day on which the player can tell the others of his leave, which nobody knows that he did.
    Untold,
}

/// How much a mark matters to the player on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It can cost him the game within the urgent days.
    Urgent,
    /// It comes within them, or is open.
    Soon,
    /// To know.
    Info,
}

impl Severity {
    /// The word in the data.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Urgent => "urgent",
            Severity::Soon => "soon",
            Severity::Info => "info",
        }
    }
}

impl MarkKind {
    /// The word in the data.
    pub fn word(self) -> &'static str {
        match self {
            MarkKind::TimeControl { .. } => "time_control",
            MarkKind::MoveCap { .. } => "move_cap",
            MarkKind::DoubleDays { .. } => "double_days",
            MarkKind::Announce { .. } => "announce",
            MarkKind::Repeat { .. } => "repeat",
            MarkKind::Reminder { .. } => "reminder",
            MarkKind::Silence { .. } => "silence",
            MarkKind::Claim { .. } => "claim",
            MarkKind::LeaveBegins { .. } => "leave_begins",
            MarkKind::LeaveEnds { .. } => "leave_ends",
            MarkKind::LateMove { .. } => "late_move",
            MarkKind::PerhapsLate { .. } => "perhaps_late",
            MarkKind::Unsent => "unsent",
            MarkKind::Untold => "untold_leave",
        }
    }

    /// What is looked at first among marks of one day.
    pub(super) fn rank(self) -> u8 {
        match self {
            MarkKind::TimeControl { .. } => 0,
            MarkKind::MoveCap { .. } => 1,
            MarkKind::Silence { .. } => 2,
            MarkKind::Claim { .. } => 3,
            MarkKind::Announce { .. } => 4,
            MarkKind::Repeat { .. } => 5,
            MarkKind::Reminder { .. } => 6,
            MarkKind::DoubleDays { .. } => 7,
            MarkKind::Unsent => 8,
            MarkKind::LeaveBegins { .. } => 9,
            MarkKind::LeaveEnds { .. } => 10,
            MarkKind::Untold => 11,
            MarkKind::LateMove { .. } | MarkKind::PerhapsLate { .. } => 12,
        }
    }
}

impl Mark {
    /// A mark of a whole day of the player's.
    pub fn on(date: NaiveDate, side: Side, kind: MarkKind) -> Mark {
        Mark { date, at: None, side, kind }
    }

    /// The last day of what is over at this instant of the player's place.
    pub(super) fn until(over: DateTime<FixedOffset>, side: Side, kind: MarkKind) -> Mark {
        Mark { at: not_midnight(over), ..Mark::on((over - TimeDelta::seconds(1)).date_naive(), side, kind) }
    }

    /// The first day of what begins at this instant of the player's place.
    pub(super) fn from(begins: DateTime<FixedOffset>, side: Side, kind: MarkKind) -> Mark {
        Mark { at: not_midnight(begins), ..Mark::on(begins.date_naive(), side, kind) }
    }

    /// Whether it comes of the silence of the side on the move.
    pub fn is_of_silence(&self) -> bool {
        match self.kind {
            MarkKind::Announce { .. }
            | MarkKind::Repeat { .. }
            | MarkKind::Reminder { .. }
            | MarkKind::Silence { .. }
            | MarkKind::Claim { .. } => true,
            MarkKind::TimeControl { .. }
            | MarkKind::MoveCap { .. }
            | MarkKind::DoubleDays { .. }
            | MarkKind::LeaveBegins { .. }
            | MarkKind::LeaveEnds { .. }
            | MarkKind::LateMove { .. }
            | MarkKind::PerhapsLate { .. }
            | MarkKind::Unsent
            | MarkKind::Untold => false,
        }
    }

    /// Whether it is of a leave, which no move moves.
    pub fn is_of_leave(&self) -> bool {
        matches!(self.kind, MarkKind::LeaveBegins { .. } | MarkKind::LeaveEnds { .. } | MarkKind::Untold)
    }

    /// What tells it from every other mark of a game, whenever it is: a moved mark keeps its name. Letters, digits and `-`.
    pub fn name(&self) -> String {
        let which = match self.kind {
            MarkKind::Repeat { after, .. } | MarkKind::Reminder { after } => format!("-{after}"),
            // of several leaves each is one of its own
            _ if self.is_of_leave() => format!("-{}", self.date),
            _ => String::new(),
        };
        format!("{}-{}{which}", self.side.word(), self.kind.word().replace('_', "-"))
    }

    /// The same after its day; a limit that was overstepped, or may have been, is one whose day is past.
    pub fn dated(&self, me: Side, over: Option<Over>) -> String {
        let reserve = over.and_then(Over::reserve).map(|reserve| format!("; {reserve}"));
        let passed = match (over, &reserve) {
            (None, _) => "",
            (Some(_), None) => "passed on ",
            (Some(_), Some(_)) => "perhaps passed on ",
        };
        format!("{passed}{}  {}{}", self.date.format("%a %d %b %Y"), self.words(me), reserve.unwrap_or_default())
    }

    /// Whether it is a limit that is over at a moment of the player's place.
    pub fn is_passed(&self, now: impl Into<Moment>) -> bool {
        let now = now.into();
        let is_over = match (self.at, now.at) {
            (Some(over), Some(now)) => over <= now,
            _ => self.date < now.day,
        };
        self.is_limit() && is_over
    }

    /// The words on the screen, for the player of side `me`.
    pub fn words(&self, me: Side) -> String {
        self.words_in(me, Language::English)
    }

    /// The same in this language.
    pub fn words_in(&self, me: Side, language: Language) -> String {
        let mine = self.side == me;
        let days = |days| language.days(days);
        let words = match self.kind {
            MarkKind::TimeControl { until_move } if mine => say!(language, "time control {until_move}", until_move),
            MarkKind::TimeControl { until_move } => say!(language, "his time control {until_move}", until_move),
            MarkKind::MoveCap { days: most } if mine => say!(language, "{days} for one move", days = days(most)),
            MarkKind::MoveCap { days: most } => say!(language, "his {days} for one move", days = days(most)),
            MarkKind::DoubleDays { .. } if mine => say!(language, "days count double"),
            MarkKind::DoubleDays { .. } => say!(language, "his days count double"),
            MarkKind::Announce { .. } if mine => say!(language, "tell him if you need longer"),
            MarkKind::Announce { .. } => say!(language, "he ought to tell if he needs longer"),
            MarkKind::Repeat { copy: false, .. } if mine => say!(language, "you may repeat"),
            MarkKind::Repeat { copy: false, .. } => say!(language, "he may repeat"),
            MarkKind::Repeat { .. } if mine => say!(language, "you may repeat, copy to the director"),
            MarkKind::Repeat { .. } => say!(language, "he may repeat, copy to the director"),
            MarkKind::Reminder { after } if mine => say!(language, "reminder: {days} of silence", days = days(after)),
            MarkKind::Reminder { after } => say!(language, "his reminder: {days} of silence", days = days(after)),
            MarkKind::Silence { days: silent, effect } => {
                let days = days(silent);
                match (effect, mine) {
                    (SilenceEffect::Warn, true) => say!(language, "{days} of your silence", days),
                    (SilenceEffect::Warn, false) => say!(language, "{days} of his silence", days),
                    (SilenceEffect::TdMayForfeit, true) => say!(language, "{days}: game may be lost", days),
                    (SilenceEffect::TdMayForfeit, false) => say!(language, "{days}: he may lose the game", days),
                    (SilenceEffect::AutoForfeit, true) => {
                        say!(language, "{days}: last day, then the game is lost", days)
                    }
                    (SilenceEffect::AutoForfeit, false) => say!(language, "{days}: his last day", days),
                }
            }
            MarkKind::Claim { days: silent, effect } => {
                let days = days(silent);
                match (mine, effect) {
                    (true, SilenceEffect::Warn) => say!(language, "silent for more than {days}: ask after him", days),
                    (true, _) => say!(language, "silent for more than {days}: report it", days),
                    (false, _) => say!(language, "he may report your silence of {days}", days),
                }
            }
            MarkKind::LeaveBegins { .. } if mine => say!(language, "your leave begins"),
            MarkKind::LeaveBegins { .. } => say!(language, "his leave begins"),
            MarkKind::LeaveEnds { .. } if mine => say!(language, "your leave ends"),
            MarkKind::LeaveEnds { .. } => say!(language, "his leave ends"),
            MarkKind::LateMove { .. } if mine => say!(language, "his time was overstepped: claim before you answer"),
            MarkKind::LateMove { .. } => say!(language, "your time was overstepped: he may claim it"),
            MarkKind::PerhapsLate { counts } => {
                let day = language.short(counts);
                say!(language, "perhaps overstepped, if {day} counts: settle it before you answer", day)
            }
            MarkKind::Unsent => say!(language, "your draft was not seen to be sent"),
            MarkKind::Untold => say!(language, "your letter of leave: did you send it?"),
        };
        let hour = self.at.map(|at| at.format("%H:%M"));
        match (self.kind, hour) {
            (MarkKind::TimeControl { .. } | MarkKind::MoveCap { .. }, Some(hour)) => {
                words + ", " + &say!(language, "until {hour}", hour)
            }
            (MarkKind::DoubleDays { .. }, Some(hour)) => words + ", " + &say!(language, "from {hour}", hour),
            _ => words,
        }
    }

    /// The key of the rules by which it stands there, and its value in this language; `control` is the time control in words.
    pub fn why(&self, control: &str, language: Language) -> (&'static str, String) {
        let days = |days| language.days(days);
        let effect = |effect| match effect {
            SilenceEffect::Warn => say!(language, "nothing follows by itself"),
            SilenceEffect::TdMayForfeit => say!(language, "then the director may score it as lost"),
            SilenceEffect::AutoForfeit => say!(language, "then the game is lost"),
        };
        match self.kind {
            MarkKind::TimeControl { .. } => ("control", control.to_owned()),
            MarkKind::MoveCap { days: most } => ("control.per_move_cap", days(most)),
            MarkKind::DoubleDays { after } => ("double_after", days(after)),
            MarkKind::Announce { after } => ("announce_after", days(after)),
            MarkKind::Repeat { after, copy: false } => ("repeat", days(after)),
            MarkKind::Repeat { after, copy: true } => {
                ("repeat", say!(language, "{days}, copy to the director", days = days(after)))
            }
            MarkKind::Reminder { after } => ("reminders", days(after)),
            MarkKind::Silence { days: silent, effect: then } | MarkKind::Claim { days: silent, effect: then } => {
                ("silence", format!("{}, {}", days(silent), effect(then)))
            }
            MarkKind::LeaveBegins { days: length } | MarkKind::LeaveEnds { days: length } => ("leave", days(length)),
            MarkKind::LateMove { lost_by_answer: true } => ("claim", say!(language, "it is lost by answering")),
            MarkKind::LateMove { lost_by_answer: false } => ("overstep", say!(language, "a limit was exceeded")),
            MarkKind::PerhapsLate { .. } => ("overstep", say!(language, "a limit was exceeded, if another day counts")),
            MarkKind::Unsent => ("plan", say!(language, "chosen the day before")),
            MarkKind::Untold => ("leave", say!(language, "to be announced before it begins")),
        }
    }

    /// How much it matters to the player of side `me` on `today`.
    pub fn severity(&self, me: Side, today: NaiveDate, urgent_days: u32) -> Severity {
        match (self.costs(me), self.is_near(today, urgent_days)) {
            (true, true) => Severity::Urgent,
            (false, true) => Severity::Soon,
            (_, false) => Severity::Info,
        }
    }

    /// Whether it may cost the player of side `me` the game within `urgent_days`, or has already.
    pub fn is_urgent(&self, me: Side, today: NaiveDate, urgent_days: u32) -> bool {
        self.costs(me) && self.is_near(today, urgent_days)
    }

    fn costs(&self, me: Side) -> bool {
        self.side == me && (self.is_limit() || matches!(self.kind, MarkKind::Silence { .. }))
    }

    fn is_near(&self, today: NaiveDate, days: u32) -> bool {
        (self.date - today).num_days() <= i64::from(days)
    }

    /// Whether it is the player's to look at: all but what his opponent alone may or ought to do.
    pub(super) fn concerns(&self, me: Side) -> bool {
        let his_own = matches!(self.kind, MarkKind::Repeat { .. } | MarkKind::Claim { .. } | MarkKind::Announce { .. });
        self.side == me || !his_own
    }

    /// Whether it lies after `today` and still matters to the player: a control or a silence that was overstepped, what he may do, a
    /// draft that waits.
    pub fn is_open(&self, me: Side, today: NaiveDate) -> bool {
        let stays = match self.kind {
            MarkKind::TimeControl { .. } | MarkKind::MoveCap { .. } => true,
            MarkKind::LateMove { .. } | MarkKind::PerhapsLate { .. } => true,
            MarkKind::Repeat { .. }
            | MarkKind::Claim { .. }
            | MarkKind::Silence { .. }
            | MarkKind::Unsent
            | MarkKind::Untold => self.side == me,
            MarkKind::DoubleDays { .. }
            | MarkKind::Announce { .. }
            | MarkKind::Reminder { .. }
            | MarkKind::LeaveBegins { .. }
            | MarkKind::LeaveEnds { .. } => false,
        };
        stays && self.date < today
    }

    /// Whether it is a limit of the clock, which is overstepped the day after.
    pub(super) fn is_limit(&self) -> bool {
        matches!(self.kind, MarkKind::TimeControl { .. } | MarkKind::MoveCap { .. })
    }

    /// Whether it allows something from its day on, until the next move.
    pub fn is_permission(&self) -> bool {
        let is_late = matches!(self.kind, MarkKind::LateMove { .. } | MarkKind::PerhapsLate { .. });
        is_late || matches!(self.kind, MarkKind::Repeat { .. } | MarkKind::Claim { .. })
    }
}

fn not_midnight(at: DateTime<FixedOffset>) -> Option<DateTime<FixedOffset>> {
    Some(at).filter(|at| at.time() != NaiveTime::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn only_what_can_cost_the_player_the_game_is_urgent_and_only_when_it_is_near() {
        let mark = |kind| Mark::on(day("2006-05-09"), Side::Black, kind);
        let control = mark(MarkKind::TimeControl { until_move: 10 });
        let of = |mark: Mark, me, today| mark.severity(me, day(today), 3);
        assert_eq!(of(control, Side::Black, "2006-05-05"), Severity::Info);
        assert_eq!(of(control, Side::Black, "2006-05-06"), Severity::Urgent);
        assert_eq!(of(control, Side::White, "2006-05-06"), Severity::Soon);
        assert_eq!(of(mark(MarkKind::DoubleDays { after: 20 }), Side::Black, "2006-05-09"), Severity::Soon);
    }

    #[test]
    fn one_day_is_a_day_in_the_words_of_every_mark() {
        let effects = [SilenceEffect::Warn, SilenceEffect::TdMayForfeit, SilenceEffect::AutoForfeit];
        let plain = [
            MarkKind::TimeControl { until_move: 1 },
            MarkKind::MoveCap { days: 1 },
            MarkKind::DoubleDays { after: 1 },
            MarkKind::Announce { after: 1 },
            MarkKind::Repeat { after: 1, copy: true },
            MarkKind::Reminder { after: 1 },
            MarkKind::LeaveBegins { days: 1 },
            MarkKind::LeaveEnds { days: 1 },
            MarkKind::Unsent,
        ];
        let silences = effects
            .into_iter()
            .flat_map(|effect| [MarkKind::Silence { days: 1, effect }, MarkKind::Claim { days: 1, effect }]);
        for kind in plain.into_iter().chain(silences) {
            let mark = Mark::on(day("2006-05-09"), Side::Black, kind);
            let said =
                [mark.words(Side::Black), mark.words(Side::White), mark.why("1 move / 1 day", Language::English).1];
            assert!(said.iter().all(|words| !words.contains("1 days")), "{said:?}");
            let is_counted = !matches!(kind, MarkKind::Unsent);
            assert_eq!(said.iter().any(|words| words.contains("1 day")), is_counted, "{said:?}");
        }
    }

    #[test]
    fn a_mark_that_moves_keeps_its_name_and_two_of_a_kind_have_two() {
        let repeat = |date: &str, after| Mark::on(day(date), Side::White, MarkKind::Repeat { after, copy: false });
        assert_eq!(repeat("2006-03-15", 14).name(), repeat("2006-03-25", 14).name());
        assert_ne!(repeat("2006-03-15", 14).name(), repeat("2006-03-15", 28).name());
        assert_eq!(repeat("2006-03-15", 14).name(), "white-repeat-14");
    }
}
