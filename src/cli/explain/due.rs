//! The move that is thought about, as `amici explain` has it: no mail gives it yet, but its days run, and every figure has its reason.

use chrono::NaiveDate;
use serde_json::{Value, json};

use super::super::line::Day;
use crate::domain::clock::again::Lost;
use crate::domain::clock::illegal::counted;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::reasons::Reckoning;
use crate::domain::game::{ClockNote, ClockNoteKind, Game};
use crate::letters;

/// What there is to say of the running move on a day.
pub(super) struct Due<'a> {
    pub(super) game: &'a Game,
    pub(super) ledger: &'a Ledger,
    pub(super) day: &'a Day,
}

impl Due<'_> {
    fn reckoning(&self) -> Option<Reckoning> {
        Reckoning::of_running(self.game, self.ledger, self.day.moment())
    }

    /// The days, and how they come about.
    fn days(&self) -> String {
        let words = self.reckoning().map(|reckoning| reckoning.words(self.ledger.rules(), |day| day.to_string()));
        let up_to = self.ledger.local(self.game.to_move(), self.day.moment()).day;
        words.map_or("unknown, since a date is missing".to_owned(), |words| format!("{words}; up to {up_to}"))
    }

    fn rules(&self) -> Vec<String> {
        let rules = self.ledger.rules();
        let keys = self.reckoning().map(|reckoning| reckoning.keys(rules)).unwrap_or_default();
        keys.into_iter().map(|key| rules.clause(key)).collect()
    }

    fn last_day(&self) -> Option<NaiveDate> {
        self.ledger.last_safe_day(self.game.to_move())
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
        if let Some(lost) = Lost::of(game, game.moves.len()) {
            row("again", lost.to_string());
        }
        if let Some(last) = self.last_day() {
            row("last day", format!("{last}: the last within the limits"));
        }
        text.push('\n');
        text.push_str(&letters::whose_calendar(game, ledger, self.day.moment()));
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
                "days": self.ledger.answer_on(self.ledger.local(self.game.to_move(), self.day.moment())).days,
                "how": self.days(), "last_day": self.last_day(),
            },
            "rules": self.rules(), "notes": notes.collect::<Vec<_>>(),
            "clock_trusted": self.day.distrust.is_none(),
        })
    }
}
