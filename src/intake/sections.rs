//! A mail of several games, cut at the lines that name them: each game gets the lines below its own heading.
//!
//! A heading names a game by its id, by an event that no other game of his has, or by the two players in the order of their
//! colours ("Game 2 (Lindqvist - Ostrander)", `White: ...`, PGN tags), or by his colour ("the game in which I have White");
//! of two, "the other" names the one that is not above. What stands above the first heading belongs to none,
//! and its doubts are everybody's; where the subject names one game, it is the first heading. What will surprise you: quoted headings
//! sort quoted lines only; a line that names two games, one that is not kept, or "Game 3", ends a section; a sentence that mentions
//! a game opens its section too, but settles nothing.

use std::collections::HashMap;

use super::heading::{Heading, How, heading};
use super::which::Thread;
use crate::mail::message::IncomingMessage;
use crate::mail::quote::{self, Kind, split};

/// Some lines of a mail: a view (plain, HTML), a line number, and the byte at which the line's own words begin.
#[derive(Debug, Clone, Default)]
pub(crate) struct Part {
    lines: HashMap<(usize, usize), usize>,
}

impl Part {
    /// Adds a line.
    pub(super) fn add(&mut self, view: usize, number: usize) {
        self.lines.insert((view, number), 0);
    }

    /// There is no line in it.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The words of a line that belong to this part.
    pub(super) fn words_of<'a>(&self, view: usize, line: &quote::Line<'a>) -> Option<&'a str> {
        line.text.get(*self.lines.get(&(view, line.number))?..)
    }

    /// Both together.
    pub(super) fn with(&self, other: &Part) -> Part {
        Part { lines: self.lines.iter().chain(&other.lines).map(|(place, from)| (*place, *from)).collect() }
    }
}

/// The lines of one game.
#[derive(Debug)]
pub(super) struct Section<'a> {
    /// Which.
    pub(super) thread: &'a Thread,
    /// Every heading is the game's id or its event alone in a heading's place: the move need not tell the games apart as well.
    pub(super) is_settled: bool,
    /// It begins with the subject, which names the game.
    pub(super) is_headed_by_subject: bool,
    /// A heading is a sentence that mentions the game.
    pub(super) is_mention: bool,
    /// Its lines.
    pub(super) part: Part,
}

/// A mail cut up.
#[derive(Debug)]
pub(super) struct Cut<'a> {
    /// One for each game named by a heading, in the order of their headings.
    pub(super) sections: Vec<Section<'a>>,
    /// The lines of none.
    pub(super) rest: Part,
}

/// The mail's sections, if its own words have headings of two games or more; `subject` is the game that the subject names.
pub(super) fn cut<'a>(message: &IncomingMessage, his: &[&'a Thread], subject: Option<&'a Thread>) -> Option<Cut<'a>> {
    let mut cut = Cut { sections: Vec::new(), rest: Part::default() };
    if his.len() < 2 {
        return None;
    }
    let headed = subject.map(|game| cut.open(game, How::Name));
    cut.sections.iter_mut().for_each(|section| section.is_headed_by_subject = true);
    for (view, text) in [&message.plain, &message.html].into_iter().enumerate() {
        let Some(text) = text else { continue };
        let (mut own, mut quoted): (Option<usize>, Option<usize>) = (headed, headed);
        for line in split(text.trim_end()).lines {
            let is_own = match line.kind {
                Kind::Own => true,
                Kind::Quoted { .. } => false,
                Kind::Attribution | Kind::Separator | Kind::Signature | Kind::Footer => {
                    quoted = own;
                    continue;
                }
            };
            let current = if is_own { &mut own } else { &mut quoted };
            let mut from = Some(0);
            let above = current.and_then(|place| cut.sections.get(place)).map(|section| section.thread);
            match heading(line.text, his, above) {
                Heading::Of { game, how, words } => {
                    let goes_on = current.is_some() && *current == cut.place_of(game);
                    if is_own && !goes_on {
                        *current = Some(cut.open(game, how));
                    } else if !is_own {
                        *current = cut.place_of(game);
                    }
                    from = words;
                }
                Heading::Unclear => *current = None,
                Heading::None => {}
            }
            let place = *current;
            if is_own {
                quoted = own;
            }
            if let Some(from) = from {
                let section = place.and_then(|place| cut.sections.get_mut(place));
                let part = section.map_or(&mut cut.rest, |section| &mut section.part);
                part.lines.insert((view, line.number), from);
            }
        }
    }
    (cut.sections.len() > 1).then_some(cut)
}

impl<'a> Cut<'a> {
    fn place_of(&self, game: &Thread) -> Option<usize> {
        self.sections.iter().position(|section| section.thread.game.id == game.game.id)
    }

    /// The place of its section, which is begun where there is none yet.
    pub(super) fn open(&mut self, game: &'a Thread, how: How) -> usize {
        let place = self.place_of(game).unwrap_or_else(|| {
            let part = Part::default();
            let section =
                Section { thread: game, is_settled: true, is_headed_by_subject: false, is_mention: false, part };
            self.sections.push(section);
            self.sections.len() - 1
        });
        if let Some(section) = self.sections.get_mut(place) {
            section.is_settled &= how == How::Name;
            section.is_mention |= how == How::Mention;
        }
        place
    }
}
