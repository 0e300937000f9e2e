//! One search of a text for a pattern.

use std::collections::HashSet;

use super::program::{Program, Step};

/// Ways tried until those that led nowhere are kept in mind.
const FEW: usize = 2_000;

/// What is left to be tried, the next one last.
enum Left {
    /// This step, at this place.
    Way(usize, usize),
    /// Nothing: a place is noted as it was before.
    Note(usize, Option<usize>),
}

pub(super) struct Search<'p, 't> {
    program: &'p Program,
    text: &'t str,
    /// The places that are noted: the beginning and the end of each group.
    pub(super) notes: Vec<Option<usize>>,
    left: Vec<Left>,
    tried: usize,
    /// Steps and places that led nowhere, or are on the way.
    vain: HashSet<(usize, usize)>,
}

impl<'p, 't> Search<'p, 't> {
    pub(super) fn new(program: &'p Program, text: &'t str) -> Search<'p, 't> {
        let notes = vec![None; program.notes];
        Search { program, text, notes, left: Vec::new(), tried: 0, vain: HashSet::new() }
    }

    /// Finds the first match from a place on, and notes its groups.
    pub(super) fn run(&mut self, from: usize) -> bool {
        let mut at = from;
        loop {
            let byte = self.byte(at);
            // only where a character begins
            let begins = byte.is_none_or(|byte| byte & 0xc0 != 0x80);
            if begins && self.program.begins.admits(byte) && self.fits(at) {
                return true;
            }
            if byte.is_none() || self.program.only_start {
                return false;
            }
            at += 1;
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn char(&self, at: usize) -> Option<char> {
        match self.byte(at)? {
            byte if byte.is_ascii() => Some(char::from(byte)),
            _ => self.text.get(at..)?.chars().next(),
        }
    }

    /// Whether a match begins here.
    fn fits(&mut self, start: usize) -> bool {
        self.left.clear();
        let mut way = Some((self.program.entry, start));
        loop {
            let end = way.take().and_then(|(step, at)| self.follow(step, at));
            if let Some(end) = end {
                self.note(0, Some(start));
                self.note(1, Some(end));
                return true;
            }
            match self.left.pop() {
                Some(Left::Way(step, at)) => way = Some((step, at)),
                Some(Left::Note(number, place)) => self.note(number, place),
                None => return false,
            }
        }
    }

    fn note(&mut self, number: usize, place: Option<usize>) {
        if let Some(note) = self.notes.get_mut(number) {
            *note = place;
        }
    }

    /// Takes a way up to where it ends in a match, or leads nowhere.
    fn follow(&mut self, mut step: usize, mut at: usize) -> Option<usize> {
        loop {
            let (what, next) = self.program.steps.get(step)?;
            match what {
                Step::Text(text) => {
                    let rest = self.text.as_bytes().get(at..)?;
                    at = rest.starts_with(text.as_bytes()).then_some(at + text.len())?;
                }
                Step::OneOf(class) => {
                    let c = self.char(at).filter(|c| self.program.classes.get(*class).is_some_and(|of| of.has(*c)))?;
                    at += c.len_utf8();
                }
                Step::Either(ways) => {
                    let byte = self.byte(at);
                    let mut fitting = ways.iter().filter(|(first, _)| first.admits(byte)).map(|(_, way)| *way);
                    let first = fitting.next()?;
                    self.tried += 1;
                    if self.tried > FEW && !self.vain.insert((step, at)) {
                        return None;
                    }
                    let others = self.left.len();
                    self.left.extend(fitting.map(|way| Left::Way(way, at)));
                    self.left.get_mut(others..)?.reverse();
                    step = first;
                    continue;
                }
                Step::Note(number) => {
                    let old = self.notes.get(*number).copied().flatten();
                    self.left.push(Left::Note(*number, old));
                    self.note(*number, Some(at));
                }
                Step::Start => (at == 0).then_some(())?,
                Step::End => (at == self.text.len()).then_some(())?,
                Step::Border => self.is_border(at).then_some(())?,
                Step::Done => return Some(at),
            }
            step = *next;
        }
    }

    fn is_border(&self, at: usize) -> bool {
        let ahead = match at.checked_sub(1).and_then(|before| self.byte(before)) {
            Some(byte) if byte.is_ascii() => Some(char::from(byte)),
            Some(_) => self.text.get(..at).and_then(|ahead| ahead.chars().next_back()),
            None => None,
        };
        ahead.is_some_and(is_of_word) != self.char(at).is_some_and(is_of_word)
    }
}

fn is_of_word(c: char) -> bool {
    match c.is_ascii() {
        true => c.is_ascii_alphanumeric() || c == '_',
        false => regex_syntax::is_word_character(c),
    }
}
