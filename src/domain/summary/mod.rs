//! A game as the lists of the program show it: whose turn, the last move, clocks and marks, for any day without its moves.
//!
//! Made from a whole game, which takes replaying it; kept beside it as one line of text ([`Summary::encode`]), so that a list of
//! thousands of games need not replay them. Pure: whether a kept line is still that of its game, the store knows.
//! What will surprise you: a summary ends. Behind [`Summary::until`] the game has to be asked again.

use std::borrow::Cow;

use chrono::{DateTime, Days, FixedOffset, NaiveDate, TimeDelta};

use super::clock::days::Moment;
use super::clock::events::{Mark, MarkKind, Pace, marks, next};
use super::clock::ledger::Ledger;
use super::clock::over::{Awaited, IllegalDays, Over};
use super::game::{Game, GameId, GameResult, Plan, Side};
use super::notation::san;
use super::replay::{DrawClaim, Replay, Standing};

mod code;
mod letters;

/// What the lists show of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary<'a> {
    /// The short name.
    pub id: Cow<'a, str>,
    /// The event.
    pub event: Cow<'a, str>,
    /// Who plays against the player.
    pub opponent: Cow<'a, str>,
    /// The player's side.
    pub me: Side,
    /// Who is on the move by the record.
    pub to_move: Side,
    /// Plies on record.
    pub plies: u32,
    /// The result, when it is over.
    pub result: Option<GameResult>,
    /// The last move on record.
    pub last: Option<LastMove<'a>>,
    /// What the position says of itself.
    pub standing: Standing,
    /// A move is chosen and was not seen to be sent.
    pub drafted: bool,
    /// The player's last move was seen to be sent, and is not answered.
    pub sent: bool,
    /// The opponent's draw offer stands.
    pub draw_offered: bool,
    /// The draw that the player may claim before he moves, or with the move that he chose.
    pub draw_claim: Option<DrawClaim>,
    /// The opponent's last move exceeded a limit, and the player may claim that (T70).
    pub claimable: bool,
    /// The player's last move exceeded one, and the opponent may claim that.
    pub late: bool,
    /// The day of the opponent's last mail is doubtful and not settled: the player's clock may run from the wrong one (T10).
    pub day_doubted: bool,
    /// What a mail of the opponent's states otherwise than the record is not settled.
    pub disputed: bool,
    /// A conditional of the player's binds him to the reply that is due.
    pub bound: bool,
    /// Days of moves of either side are not on record.
    pub is_partial: bool,
    /// The time control in words.
    pub control: Cow<'a, str>,
    /// How days count after an illegal move of the side on the move.
    pub illegal: IllegalDays,
    /// From when on it is certain that he has overstepped with the move that he thinks about.
    over_from: Option<DateTime<FixedOffset>>,
    /// Days charged for the moves of the side on the move.
    days_used: u32,
    /// They are not all on record.
    mover_is_partial: bool,
    /// What is left to it for the move that it thinks about, as of the receipt.
    allowed: Option<i64>,
    /// That is of the last moves together.
    is_window: bool,
    pace: Option<Pace>,
    marks: Vec<Mark>,
}

/// The last move on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastMove<'a> {
    /// `7.` or `6...`
    pub number: Cow<'a, str>,
    /// ICCF numeric.
    pub numeric: Cow<'a, str>,
    /// Algebraic.
    pub san: Cow<'a, str>,
}

/// The clock of the side on the move on a day; [`crate::domain::clock::ledger::Clock`] has the same for both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// Charged so far for the move being thought about.
    pub days_this_move: u32,
    /// What is left up to the next control, or for this move where that is less; negative once overstepped; `None` without a limit, or where
    /// not all days are on record.
    pub days_left: Option<i64>,
}

/// A game that cannot be computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("game {game}: {why}")]
pub struct Broken {
    /// Which.
    pub game: GameId,
    /// Its rules, or the move that does not play out.
    pub why: String,
}

impl Summary<'_> {
    /// The summary of a game for `today` and the time after it; `drafted` is the day on which its planned move was chosen.
    ///
    /// # Errors
    /// [`Broken`] when the rules are not usable or the record does not play out.
    pub fn of(
        game: &Game,
        ledger: &Ledger,
        drafted: Option<NaiveDate>,
        today: NaiveDate,
    ) -> Result<Summary<'static>, Broken> {
        let broken = |why: String| Broken { game: game.id.clone(), why };
        let replay = game.replay().map_err(|e| broken(e.to_string()))?;
        let last = replay.plies().zip(&game.moves).enumerate().last();
        let to_move = game.to_move();
        let clock = ledger.clock(to_move, ledger.goes_on().then_some(to_move), today);
        let allowed = match ledger.goes_on() {
            true => ledger.allowed(to_move),
            false => clock.days_left.map(|left| (left, false)),
        };
        let pace = Pace::of(ledger, today);
        let marks = marks(game, ledger, pace.as_ref(), drafted);
        Ok(Summary {
            id: game.id.to_string().into(),
            event: game.event.clone().into(),
            opponent: game.opponent().name.clone().into(),
            me: game.me,
            to_move,
            plies: u32::try_from(game.moves.len()).unwrap_or(u32::MAX),
            result: game.result,
            last: last.map(|(index, ((before, played), record))| LastMove {
                number: game.number_of(index).to_string().into(),
                numeric: record.numeric.to_string().into(),
                san: san(before, played).into(),
            }),
            standing: replay.standing(),
            drafted: game.plan.as_ref().is_some_and(Plan::is_drafted),
            sent: false,
            draw_offered: game.draw_offer.is_some_and(|side| side != game.me),
            draw_claim: draw_claim(game, &replay),
            claimable: ledger.goes_on() && game.is_my_turn() && ledger.is_last_overstepped(),
            late: ledger.goes_on() && !game.is_my_turn() && ledger.is_last_overstepped(),
            day_doubted: ledger.plies().last().is_some_and(|last| ledger.day_in_doubt(game, last.number).is_some()),
            disputed: false,
            bound: game.promised().is_some(),
            control: ledger.rules().control.words().into(),
            illegal: IllegalDays::of(game, ledger.rules()),
            over_from: ledger.goes_on().then(|| ledger.certainly_over_from()).flatten(),
            is_partial: ledger.goes_on() && [Side::White, Side::Black].into_iter().any(|side| ledger.is_partial(side)),
            days_used: clock.days_used,
            mover_is_partial: clock.is_partial,
            allowed: allowed.map(|(days, _)| days),
            is_window: allowed.is_some_and(|(_, is_window)| is_window),
            pace,
            marks,
        })
    }

    /// The same where the player's last move has not reached the opponent: his silence is none.
    pub fn not_delivered(mut self) -> Self {
        if self.to_move != self.me {
            self.marks.retain(|mark| !mark.is_of_silence());
        }
        self
    }

    /// The same where the player's last move was seen to be sent.
    pub fn seen_sent(mut self) -> Self {
        self.sent = self.result.is_none();
        self
    }

    /// The same where something that the opponent states otherwise is not settled.
    pub fn disputed(mut self) -> Self {
        self.disputed = true;
        self
    }

    /// The last day for which it is right; `None` where it does not depend on the day.
    pub fn until(&self) -> Option<NaiveDate> {
        self.pace.as_ref().map(Pace::until)
    }

    /// The result that the board has decided, where it is not on record yet: the player is to close the game.
    pub fn forced(&self) -> Option<GameResult> {
        self.standing.result(self.to_move).filter(|_| self.result.is_none())
    }

    /// Whether neither the record nor the board has decided it.
    pub fn goes_on(&self) -> bool {
        self.result.is_none() && self.forced().is_none()
    }

    /// True when the player is on the move and the game is not over, or when he is to close it.
    pub fn is_my_turn(&self) -> bool {
        self.result.is_none() && (self.to_move == self.me || self.forced().is_some())
    }

    /// Whether nobody knows since when the side on the move has the last move: then its days are unknown, and nothing is nearing.
    pub fn is_undated(&self) -> bool {
        self.goes_on() && self.pace.is_none()
    }

    /// Whether dates or days are missing, so that no limit can be told of one side at least.
    pub fn lacks_dates(&self) -> bool {
        self.is_undated() || self.is_partial
    }

    /// Every mark, by date; none of a game that is decided.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The mark that the player looks at first.
    pub fn next(&self, now: impl Into<Moment>) -> Option<Mark> {
        next(&self.marks, self.me, now)
    }

    /// Days charged for the moves of the side on the move, by the record alone: at least, where [`Summary::is_mover_partial`].
    pub fn days_used(&self) -> u32 {
        self.days_used
    }

    /// Whether days of the side on the move are not on record.
    pub fn is_mover_partial(&self) -> bool {
        self.mover_is_partial
    }

    /// The clock of the side on the move, at an instant or on a day of its own place.
    pub fn figures(&self, now: impl Into<Moment>) -> Figures {
        let now = now.into();
        let days_this_move = self.pace.as_ref().map_or(0, |pace| pace.charged(now));
        let days_left = self.allowed.map(|allowed| match (self.is_window, days_this_move) {
            (true, 0) => allowed.max(0),
            _ => allowed - i64::from(days_this_move),
        });
        let days_left = days_left.filter(|left| !self.mover_is_partial || *left < 0);
        Figures { days_this_move, days_left }
    }

    /// Whether the side on the move has overstepped a limit at a moment, and how sure that is.
    pub fn over(&self, now: Moment, awaited: impl FnOnce() -> Awaited) -> Option<Over> {
        let is_over = self.goes_on() && self.figures(now).days_left.is_some_and(|left| left < 0);
        is_over.then(|| Over::of(self.over_from, (!self.is_my_turn()).then(awaited), now))
    }

    /// By how many days the side on the move has overstepped a limit at a moment, and whether that is the most that it can be: what keeps an
    /// overstep from being certain at once may take days off the figure later too.
    pub fn over_by(&self, now: Moment) -> Option<(u64, bool)> {
        let left = self.figures(now).days_left.filter(|left| *left < 0)?;
        let is_over_at = |at: DateTime<FixedOffset>| self.figures(Moment::of(at)).days_left;
        // the opponent's clocks may have been set back by an hour
        let back = TimeDelta::minutes(61);
        let begins = self.over_from.and_then(|from| is_over_at(from - back)).is_some_and(|left| left < 0);
        let steps = self.over_from.zip(now.at).is_some_and(|(_, at)| is_over_at(at - back) != Some(left));
        Some((left.unsigned_abs(), begins || steps))
    }

    /// Whether something may cost the player the game within `urgent_days`, or has already.
    pub fn is_urgent(&self, today: NaiveDate, urgent_days: u32) -> bool {
        self.marks.iter().any(|mark| mark.is_urgent(self.me, today, urgent_days))
    }

    /// Whether the opponent has been silent for so long that the player may do something about it.
    pub fn is_silent(&self, today: NaiveDate) -> bool {
        self.marks
            .iter()
            .any(|mark| mark.side == self.me && mark.is_of_silence() && mark.is_permission() && mark.date <= today)
    }

    /// Whether the opponent's last move exceeded a limit if another day of his counts than the one on record.
    pub fn is_perhaps_late(&self) -> bool {
        self.marks.iter().any(|mark| matches!(mark.kind, MarkKind::PerhapsLate { .. }))
    }

    /// Whether nobody knows that the player sent the letters of his leave.
    pub fn has_untold_leave(&self) -> bool {
        self.marks.iter().any(|mark| mark.kind == MarkKind::Untold)
    }

    /// Whether a side is on leave.
    pub fn is_on_leave(&self, today: NaiveDate) -> bool {
        self.marks.iter().any(|mark| match mark.kind {
            MarkKind::LeaveBegins { days } => {
                let end = mark.date.checked_add_days(Days::new(u64::from(days)));
                mark.date <= today && end.is_none_or(|end| today < end)
            }
            _ => false,
        })
    }
}

fn draw_claim(game: &Game, replay: &Replay) -> Option<DrawClaim> {
    if !game.is_my_turn() {
        return None;
    }
    let chosen = || game.plan.as_ref().and_then(|_| game.with_plan_recorded().replay().ok()?.draw_claim());
    replay.draw_claim().or_else(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::Leave;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn its_figures_are_those_of_the_ledger_on_every_day() {
        let game = sample_game();
        let ledger = Ledger::of(&game).unwrap();
        let summary = Summary::of(&game, &Ledger::of(&game).unwrap(), None, day("2004-11-05")).unwrap();
        for today in day("2004-10-25").iter_days().take_while(|day| Some(*day) <= summary.until()).step_by(7) {
            let clock = ledger.clock(Side::Black, Some(Side::Black), today);
            let figures = summary.figures(today);
            assert_eq!(
                (figures.days_this_move, summary.days_used()),
                (clock.days_this_move, clock.days_used),
                "{today}"
            );
            assert_eq!(figures.days_left, clock.days_left, "{today}");
        }
    }

    #[test]
    fn behind_a_late_move_under_a_rolling_window_nothing_is_left_and_only_a_move_that_takes_a_day_oversteps() {
        let mut game = sample_game();
        game.rules = serde_json::from_str(
            r#"{"base": "iccf-email-2000", "control": {"kind": "rolling", "window": 4, "days": 10}}"#,
        )
        .unwrap();
        let received = day("2004-10-30");
        let ledger = Ledger::of(&game).unwrap();
        assert_eq!(ledger.last_safe_day(Side::Black), Some(received));
        let clocks = |today| {
            let clock = ledger.clock(Side::Black, Some(Side::Black), today);
            let summary = Summary::of(&game, &ledger, None, received).unwrap();
            assert_eq!(summary.figures(today).days_left, clock.days_left, "{today}");
            assert_eq!(Summary::decode(&summary.encode()).as_ref(), Some(&summary));
            (clock.days_this_move, clock.days_left)
        };
        // the last three moves took 24 days
        assert_eq!([received, day("2004-10-31")].map(clocks), [(0, Some(0)), (1, Some(-15))]);
        assert_eq!(ledger.clock(Side::White, Some(Side::Black), received).days_left, Some(2));
    }

    #[test]
    fn a_side_is_on_leave_from_the_first_to_the_last_day() {
        let mut game = sample_game();
        let (from, to) = (day("2004-11-10"), day("2004-11-12"));
        game.leaves = vec![Leave { side: Side::White, from, to, announced: None }];
        let summary = Summary::of(&game, &Ledger::of(&game).unwrap(), None, from).unwrap();
        let days = ["2004-11-09", "2004-11-10", "2004-11-12", "2004-11-13"].map(|text| summary.is_on_leave(day(text)));
        assert_eq!(days, [false, true, true, false]);
    }
}
