//! What happens to mails: each damage changes one as mailers and people do, and says what it then means.
//!
//! A damage may make a mail doubtful; then it may be held. It never makes another ply right unless it says so.

use amici::domain::game::Game;
use amici::domain::notation::NumericMove;

use crate::game::{Dice, Ply, Situation};
use crate::layouts::{Layout, Style};
use crate::letter::Letter;

mod decoys;
mod moves;
mod parts;
mod sentences;
mod text;

/// What a mail means after all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Meant {
    /// The new move: accepted or held, never dropped.
    New,
    /// The new move, but the mail may be taken for anything that leaves the board alone.
    Unsure,
    /// Another move: that one or none.
    Other(NumericMove),
    /// No new move.
    Nothing,
    /// He gives the game up.
    Resigns,
    /// He takes the draw that the player offered.
    AcceptsDraw,
}

/// A mail in the making.
pub(crate) struct Case<'a> {
    pub(crate) situation: &'a Situation,
    pub(crate) layout: &'a Layout,
    pub(crate) style: Style,
    pub(crate) dice: Dice,
    pub(crate) letter: Letter,
    /// The game on record.
    pub(crate) game: Game,
    /// Whether a draw is offered with the move.
    pub(crate) draw: bool,
    /// Whether the dates in the mail are still those of the new move.
    pub(crate) dates: bool,
}

impl Case<'_> {
    fn new_ply(&self) -> &Ply {
        self.situation.new_ply()
    }

    /// The digits of the new move.
    fn new_digits(&self) -> String {
        self.new_ply().numeric.to_string()
    }

    fn another(&mut self) -> Option<NumericMove> {
        self.situation.another(&mut self.dice)
    }

    /// The mail once more, about other plies; its date stays.
    fn write(&self, plies: &[Ply]) -> Option<Letter> {
        let letter = (self.layout.write)(plies, &self.style)?;
        Some(Letter { date: self.letter.date, ..letter })
    }

    fn edit(&mut self, change: impl FnOnce(&str) -> Option<String>) -> Option<()> {
        let text = self.letter.text.as_deref()?;
        let changed = change(text)?;
        self.letter.text = Some(changed);
        Some(())
    }

    /// A line above or below the text.
    fn add(&mut self, line: &str) -> Option<()> {
        if self.dice.one_in(2) { self.edit(|text| Some(format!("{line}\n\n{text}"))) } else { self.add_below(line) }
    }

    /// A line below the text, above an unmarked quotation.
    fn add_below(&mut self, line: &str) -> Option<()> {
        self.edit(|text| {
            let end = text.find("-----Original Message").unwrap_or(text.len());
            Some(format!("{}\n{line}\n{}", &text[..end], &text[end..]))
        })
    }

    fn between_greetings(&mut self, text: &str) {
        let words = self.style.words;
        self.letter.text = Some(format!("{}\n\n{text}\n\n{}\n", words.greeting, words.regards));
        self.letter.html = None;
        self.letter.files.clear();
        self.letter.subject = "EM/ZZ/042".to_owned();
    }

    /// The number that is due with any move, or the move alone.
    fn perhaps_numbered(&mut self, numeric: NumericMove) -> String {
        let number = self.new_ply().number;
        if self.dice.one_in(3) { numeric.to_string() } else { format!("{number} {numeric}") }
    }
}

type Change = fn(&mut Case<'_>) -> Option<Meant>;

/// A damage.
pub(crate) struct Damage {
    pub(crate) name: &'static str,
    /// `None` where it does not apply.
    pub(crate) change: Change,
}

pub(crate) const NONE: Damage = Damage { name: "none", change: |_| Some(Meant::New) };

pub(crate) const ALL: &[&[Damage]] = &[text::ALL, moves::ALL, decoys::ALL, sentences::ALL, parts::ALL];
