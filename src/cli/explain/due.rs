//! The move that is thought about, as `amici explain` has it: no mail gives it yet, but its days run, and every figure has its reason.

use chrono::NaiveDate;
use serde_json::{Value, json};

use crate::deeds::today::Day;
use crate::domain::clock::again::Lost;
use crate::domain::clock::days::Moment;
use crate::domain::clock::illegal::counted;
use crate::domain::clock::late;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::reasons::Reckoning;
use crate::domain::clock::reminder::on_one_day;
use crate::domain::game::{ClockNote, ClockNoteKind, Game};
use crate::letters;

/// What there is to say of the running move on a day.
pub(super) struct Due<'a> {
    pub(super) game: &'a Game,
    pub(super) ledger: &'a Ledger,
    pub(super) day: &'a Day,
}

impl Due<'_> {
    /// Now, for the side on the move, where the clock is believed.
    fn now(&self) -> Option<Moment> {
        self.day.now().map(|now| self.ledger.local(self.game.to_move(), now))
    }

    fn reckoning(&self) -> Option<Reckoning> {
        Reckoning::of_running(self.game, self.ledger, self.now()?)
    }

    /// The days, and how they come about.
    fn days(&self) -> String {
        let words = self.reckoning().map(|reckoning| reckoning.words(self.ledger.rules(), |day| day.to_string()));
        match (words, self.now(), self.ledger.waiting_since()) {
            (_, None, _) => "unknown, since the clock of this machine is not believed".to_owned(),
            (Some(words), Some(now), _) => format!("{words}; up to {}", now.day),
            (None, Some(now), Some(since)) if now.day < since.day => {
                format!("none: on {} the move before was not received yet", now.day)
            }
            (None, Some(now), Some(since)) if now.day == since.day => {
                format!("none: at that hour of {} the move before was not received yet", now.day)
            }
            (None, ..) => "unknown, since a date is missing".to_owned(),
        }
    }

    fn rules(&self) -> Vec<String> {
        let rules = self.ledger.rules();
        let keys = self.reckoning().map(|reckoning| reckoning.keys(rules)).unwrap_or_default();
        keys.into_iter().map(|key| rules.clause(key)).collect()
    }

    /// The last day within the limits, and whether there is one.
    fn last_day(&self) -> Option<(NaiveDate, bool)> {
        let (ledger, side) = (self.ledger, self.game.to_move());
        ledger.last_safe_day(side).map(|last| (last, ledger.is_safe(side, last)))
    }

    /// What was said about it, in the order in which it was entered.
    fn notes(&self) -> impl Iterator<Item = &ClockNote> {
        self.game.clock_notes.iter().filter(|note| note.ply == self.game.due_ply())
    }

    pub(super) fn as_text(&self) -> String {
        let Due { game, ledger, .. } = self;
        let who = if game.is_my_turn() { "you think" } else { &format!("{} thinks", game.opponent().name) };
        let mut text = format!("{}   not on record: {who} about it.\n\n", game.due());
        let mut row = |label: &str, line: String| text.push_str(&format!("  {label:<9} {line}\n"));
        match ledger.waiting_since() {
            Some(since) => row("received", format!("{}: {}", since.day, since.source.rule())),
            None => row("received", "nobody says it, and nothing stands in for it".to_owned()),
        }
        row("days", self.days());
        counted(game, ledger, game.moves.len()).into_iter().for_each(|line| row("illegal", line));
        self.rules().into_iter().for_each(|line| row("by rule", line));
        let (mine, his) = if game.is_my_turn() { ("you", "he") } else { ("he", "you") };
        for note in self.notes() {
            match (note.kind, note.until) {
                (ClockNoteKind::Announced, Some(until)) => {
                    row("announced", format!("{}: {mine} said to need until {until}", note.on));
                }
                (ClockNoteKind::Announced, None) => {
                    row("announced", format!("{}: {mine} said to need longer", note.on))
                }
                (ClockNoteKind::Repeated, Some(sent)) => {
                    row("reminded", format!("{sent}: {his} repeated the move before"))
                }
                (ClockNoteKind::Repeated, None) => {
                    row(
                        "reminded",
                        format!("a repeat was drafted {} and not seen to be sent: it counts for nothing", note.on),
                    );
                }
                (ClockNoteKind::Returned | ClockNoteKind::Missed, _) => {}
            }
        }
        on_one_day(game, ledger.rules(), game.moves.len()).into_iter().for_each(|line| row("assumed", line));
        if let Some(lost) = Lost::of(game, game.moves.len()) {
            row("again", lost.to_string());
        }
        match self.last_day() {
            Some((last, true)) => row("last day", format!("{last}: the last within the limits")),
            Some((_, false)) => row("last day", "none: no day is within the limits".to_owned()),
            None => {}
        }
        let side = game.to_move();
        let before = ledger.oversteps().iter().rfind(|over| over.number.side == side);
        before.into_iter().for_each(|over| row("before", late::in_words(game, ledger, over)));
        text.push('\n');
        text.push_str(&letters::below_clocks(game, ledger, self.day.now()));
        text.push_str(&letters::undated_help(game, ledger));
        self.day.doubt() + &text
    }

    pub(super) fn as_json(&self) -> Value {
        let notes = self.notes().map(|note| json!({"kind": note.kind.word(), "on": note.on, "until": note.until}));
        json!({
            "schema": 1, "game_id": self.game.id, "ply": self.game.due().to_string(),
            "by": if self.game.is_my_turn() { "me" } else { "opponent" }, "numeric": null,
            "counts": {
                "received": self.ledger.waiting_since().map(|since| json!({"day": since.day, "source": since.source.words(), "rule": since.source.rule()})),
                "days": self.now().and_then(|now| self.ledger.answer_on(now).days),
                "how": self.days(), "last_day": self.last_day().filter(|(_, is_safe)| *is_safe).map(|(last, _)| last),
            },
            "rules": self.rules(), "notes": notes.collect::<Vec<_>>(),
            "clock_trusted": self.day.distrust.is_none(),
        })
    }
}
