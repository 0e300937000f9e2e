//! A mail's text with every place sorted by what it was read as, for whoever shows it: the sorting of the intake itself, no second reading.

use chrono::{DateTime, Utc};

use super::evidence::{Letters, Mail, too_long};
use super::which::Thread;
use super::words::{cause, unread, visible};
use crate::domain::judge::Verdict;
use crate::domain::transmission::read::{Line, sorts};
use crate::mail::known::Known;
use crate::mail::message::IncomingMessage;
use crate::mail::quote::Kind;

/// One form of a mail's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkedText {
    /// It is the HTML form.
    pub html: bool,
    /// All of its lines.
    pub lines: Vec<MarkedLine>,
}

/// A line, cut into parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkedLine {
    /// Counted from 1.
    pub number: usize,
    /// Whose it is.
    pub kind: Kind,
    /// Its marks of quotation, and its text; together they are the line.
    pub parts: Vec<MarkedPart>,
    /// The doubt stands on it.
    pub cause: bool,
    /// Nothing of the sender's words on it was understood.
    pub unread: bool,
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkedPart {
    /// Its text, without control characters.
    pub text: String,
    /// What it was read as: a word of [`crate::domain::transmission::read::Sort`], or nothing.
    pub sort: &'static str,
    /// It is the word that made the doubt.
    pub doubt: bool,
}

/// The forms of a mail's text as they read for a game, or for none; the doubt is that of the verdict.
pub fn marked(
    message: &IncomingMessage,
    thread: Option<&Thread>,
    at: DateTime<Utc>,
    letters: &Letters,
    verdict: Option<&Verdict>,
) -> Vec<MarkedText> {
    let mail = Mail::beside(message, at, letters);
    let known = thread.map_or_else(Known::default, |thread| letters.of(&thread.game));
    let cause = verdict.and_then(|verdict| cause(message, verdict));
    let unread = unread(message, thread.map(|thread| &thread.game));
    let texts = if too_long(message).is_some() { Vec::new() } else { mail.texts(&known) };
    let form = |(view, split): (usize, crate::mail::quote::Split<'_>)| {
        let whole = if view == 0 { &message.plain } else { &message.html };
        let whole: Vec<&str> = whole.iter().flat_map(|text| text.lines()).collect();
        let his: Vec<Line<'_>> = split
            .lines
            .iter()
            .map(|line| match line.kind {
                Kind::Own | Kind::Signature => Line { number: line.number, text: line.text },
                _ => Line { number: line.number, text: "" },
            })
            .collect();
        let lines = split.lines.iter().zip(sorts(&his)).map(|(line, sorts)| {
            let on_line = cause.as_ref().filter(|cause| cause.line == line.number);
            let written = whole.get(line.number.saturating_sub(1)).copied().unwrap_or(line.text);
            let marks = written.strip_suffix(line.text).unwrap_or_default();
            let mut parts = vec![MarkedPart { text: visible(marks), sort: "", doubt: false }];
            let mut from = 0;
            for (at, sort) in sorts {
                parts.push(part(line.text, from, at.start, ""));
                parts.push(part(line.text, at.start, at.end, sort.word()));
                from = at.end;
            }
            parts.push(part(line.text, from, line.text.len(), ""));
            parts.retain(|part| !part.text.is_empty());
            MarkedLine {
                number: line.number,
                kind: line.kind,
                parts: doubted(parts, on_line.and_then(|cause| cause.word.as_deref())),
                cause: on_line.is_some(),
                unread: unread.iter().any(|(number, text)| *number == line.number && line.text.contains(text.trim())),
            }
        });
        MarkedText { html: view > 0, lines: lines.collect() }
    };
    texts.into_iter().map(form).collect()
}

fn part(text: &str, from: usize, to: usize, sort: &'static str) -> MarkedPart {
    MarkedPart { text: text.get(from..to).map(visible).unwrap_or_default(), sort, doubt: false }
}

/// The same with the word that made the doubt by itself, in the first part that has it.
fn doubted(parts: Vec<MarkedPart>, word: Option<&str>) -> Vec<MarkedPart> {
    let Some(word) = word.filter(|word| !word.trim().is_empty()) else { return parts };
    let mut out = Vec::with_capacity(parts.len() + 2);
    let mut is_found = false;
    for part in parts {
        match part.text.split_once(word).filter(|_| !is_found) {
            Some((before, after)) => {
                is_found = true;
                let piece = |text: &str, doubt| MarkedPart { text: text.to_owned(), sort: part.sort, doubt };
                out.extend([piece(before, false), piece(word, true), piece(after, false)]);
            }
            None => out.push(part),
        }
    }
    out.retain(|part| !part.text.is_empty());
    out
}
