//! A stored mail read again, for the player's eyes: what its words say of one game, and the lines in which they say it.
//!
//! Goes the way of the intake, so that what is shown is what was judged: the same reader, the same judge. Whose mail it is, is
//! left out here. Writes nothing. What will surprise you: the record has gone on since the mail was held, so the verdict
//! can be another than the one that was stored.

use std::fmt;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use shakmaty::Move;

use super::evidence::{Asked, Letters, Mail, too_long};
use super::which::{Thread, header_day};
use super::words::visible;
use crate::domain::game::{MoveNumber, Observed};
use crate::domain::judge::{Accepted, Asks, Evidence, Row, Verdict, judge, judge_asked};
use crate::domain::notation::{Agreement, Language, NumericMove, named_moves, tokens_agree};
use crate::domain::replay::Replay;
use crate::domain::transmission::read::{Claim, Event, Meaning, Reading, Written};
use crate::mail::message::{IncomingMessage, parse};

/// The widest line that is shown.
const COLUMNS: usize = 72;
/// Lines shown of a mail in which no line stands out.
const BEGINNING: usize = 8;
/// Lines shown at most.
const MOST: usize = 24;

/// A mail as it reads for one game.
#[derive(Debug, Clone)]
pub struct Again {
    /// The mail.
    pub message: IncomingMessage,
    /// What its words mean for the game, whoever wrote them.
    pub verdict: Verdict,
    evidence: Evidence,
    replay: Replay,
    /// Those of the agreed notations.
    languages: Vec<Language>,
    /// Each form of its text by itself, plain text first.
    forms: Vec<Form>,
}

#[derive(Debug, Clone)]
struct Form {
    html: bool,
    text: String,
    evidence: Evidence,
    verdict: Verdict,
}

/// A line of a mail's text, cleaned for showing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Counted from 1 in the text; 0 is the subject.
    pub number: usize,
    /// It stands in the HTML form of the text.
    pub html: bool,
    /// At most 72 columns, without control characters.
    pub text: String,
    /// It is what the reason speaks of, not a neighbour.
    pub cause: bool,
}

impl Again {
    /// Reads the mail for this game, beside these letters of the player's; `at` is when our server took it. `None` where no text of it
    /// can be read.
    pub fn of(raw: &[u8], thread: &Thread, at: DateTime<Utc>, letters: &Letters) -> Option<Again> {
        let message = parse(raw).ok().filter(|message| too_long(message).is_none())?;
        let replay = thread.game.with_plan_recorded().replay().ok()?;
        let mail = Mail::beside(&message, at, letters);
        let whole = mail.evidence(thread, Asked::default());
        let form = |(view, text): (usize, &Option<String>)| {
            let text = text.as_ref()?.trim_end().to_owned();
            let evidence = mail.evidence(thread, Asked { view: Some(view), ..Asked::default() });
            let verdict = judge(&thread.game, &evidence);
            Some(Form { html: view > 0, text, evidence, verdict })
        };
        let forms: Vec<_> = [&message.plain, &message.html].into_iter().enumerate().map(form).collect();
        let verdict = judge(&thread.game, &whole);
        let languages = Language::agreed(&thread.game.notations);
        Some(Again {
            languages,
            forms: forms.into_iter().flatten().collect(),
            verdict,
            evidence: whole,
            replay,
            message,
        })
    }

    /// What the judge makes of the mail where the player says that it means this move: its dates, and what differs.
    /// `None` where the mail does not give this move in so many digits.
    pub fn taken_as(&self, thread: &Thread, numeric: NumericMove) -> Option<Box<Accepted>> {
        let asks = Asks { given: Some(numeric), ..Asks::default() };
        match judge_asked(&thread.game, &self.evidence, &asks) {
            Verdict::Accepted(accepted) => Some(accepted),
            _ => None,
        }
    }

    /// What he announces in it, as far as it is no mere talk; the same of both forms of the text comes twice.
    pub fn announced(&self) -> impl Iterator<Item = &Event> {
        let spoken = self.evidence.views.iter().flat_map(|view| &view.events);
        spoken.filter(|spoken| spoken.meaning != Meaning::Talk).map(|spoken| &spoken.event)
    }

    /// What the mail shows of dates and days, row by row, where it is taken for the one that gives this move.
    pub fn table(&self, thread: &Thread, numeric: NumericMove) -> Vec<Row> {
        match &self.verdict {
            Verdict::Accepted(accepted) if accepted.numeric == numeric => accepted.table.clone(),
            _ => self.taken_as(thread, numeric).map(|accepted| accepted.table).unwrap_or_default(),
        }
    }

    /// The moves that its words may give, all forms of it together and each by itself.
    pub fn readings(&self) -> Vec<NumericMove> {
        let given = |verdict: &Verdict| match verdict {
            Verdict::Accepted(accepted) => vec![accepted.numeric],
            Verdict::Held { candidates, .. } => candidates.clone(),
            _ => Vec::new(),
        };
        std::iter::once(&self.verdict).chain(self.forms.iter().map(|form| &form.verdict)).flat_map(given).collect()
    }

    /// The lines that its verdict speaks of, each with a neighbour on either side; where it speaks of none, the first lines.
    /// Where its forms disagree, the lines of each.
    pub fn passages(&self) -> Vec<Passage> {
        match self.forms.iter().find(|form| form.verdict == self.verdict) {
            Some(form) => self.passages_of(form),
            None => self.forms.iter().flat_map(|form| self.passages_of(form)).collect(),
        }
    }

    fn passages_of(&self, form: &Form) -> Vec<Passage> {
        let lines = match (&form.verdict, form.verdict.doubt()) {
            (_, Some(reason)) => reason.lines(),
            (Verdict::Accepted(accepted), None) => self.lines_of(form, accepted.numeric),
            (_, None) => Vec::new(),
        };
        self.around(form, &lines)
    }

    /// The lines in which the ply `index` stands, as a move of the text, else of its quotations; with their neighbours.
    pub fn places_of(&self, index: usize, played: &Move, numbered: MoveNumber) -> Places {
        let find = |reading: fn(&Form) -> &[Reading]| {
            self.forms.iter().find_map(|form| {
                let claims = reading(form).iter().flat_map(|view| &view.claims);
                let gives = claims.filter(|c| c.number.is_none_or(|n| n == numbered) && self.means(c, index, played));
                let lines: Vec<usize> = gives.map(|claim| claim.line).collect();
                (!lines.is_empty()).then(|| self.around(form, &lines))
            })
        };
        match find(|form| &form.evidence.views) {
            Some(own) => Places::Own(own),
            None => find(|form| std::slice::from_ref(&form.evidence.quoted)).map_or(Places::Nowhere, Places::Quoted),
        }
    }

    fn due(&self) -> usize {
        self.replay.plies().count()
    }

    fn lines_of(&self, form: &Form, numeric: NumericMove) -> Vec<usize> {
        let Ok(legal) = numeric.to_move(self.replay.position()) else {
            return Vec::new();
        };
        let claims = form.evidence.views.iter().flat_map(|view| &view.claims);
        claims.filter(|claim| self.means(claim, self.due(), &legal.played)).map(|claim| claim.line).collect()
    }

    /// Whether the claim gives the move `played` of the ply `index`.
    fn means(&self, claim: &Claim, index: usize, played: &Move) -> bool {
        let position = self.replay.before(index);
        match &claim.written {
            Written::Numeric(numeric) => numeric.to_move(position).is_ok_and(|legal| legal.played == *played),
            Written::Algebraic(text) => {
                let agreed = named_moves(text, position, &self.languages);
                agreed.is_some_and(|moves| moves.contains(played))
                    || tokens_agree(text, position, played) == Agreement::Same
            }
        }
    }

    fn around(&self, form: &Form, lines: &[usize]) -> Vec<Passage> {
        let subject = lines.contains(&0).then(|| Passage {
            number: 0,
            html: false,
            text: shown(&self.message.subject),
            cause: true,
        });
        let text = (1..).zip(form.text.lines());
        let in_text = lines.iter().any(|line| *line > 0);
        let near = |number: usize| lines.iter().any(|line| *line > 0 && line.abs_diff(number) <= 1);
        let passages = text.filter(
            |(number, line)| {
                if in_text { near(*number) } else { subject.is_none() && !line.trim().is_empty() }
            },
        );
        let most = if in_text { MOST } else { BEGINNING };
        let passages = passages
            .take(most)
            .map(|(number, line)| Passage {
                number,
                html: form.html,
                text: shown(line),
                cause: lines.contains(&number),
            })
            .collect::<Vec<_>>();
        subject.into_iter().chain(passages).collect()
    }
}

impl fmt::Display for Passage {
    /// As on a screen: the line's number in nine columns, a mark where it is the cause, the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match (self.number, self.html) {
            (0, _) => "subject".to_owned(),
            (number, true) => format!("HTML {number}"),
            (number, false) => number.to_string(),
        };
        let line = format!("{place:>9} {} {}", if self.cause { '>' } else { ' ' }, self.text);
        f.write_str(line.trim_end())
    }
}

/// Where a move stands in a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Places {
    /// In the sender's own words.
    Own(Vec<Passage>),
    /// In the lines that he quotes.
    Quoted(Vec<Passage>),
    /// Not so that it could be found again.
    Nowhere,
}

/// What the servers saw of a mail: the day of its Date header where that can be true, and the day it arrived. A Date that tells no
/// place gives its day alone, that of UTC (RFC 5322, 3.3).
pub fn observed(message: Option<&IncomingMessage>, at: DateTime<Utc>, zone: Tz) -> Observed {
    let arrived = at.with_timezone(&zone).fixed_offset();
    Observed {
        sent: message.and_then(|message| header_day(message, at)),
        arrived: Some(arrived.date_naive()),
        sent_at: message.filter(|message| message.date_tells_place).and_then(|message| message.date),
        relayed_at: message.and_then(|message| message.received),
        arrived_at: Some(arrived),
    }
}

/// A line as it can be shown anywhere: no control characters, at most 72 columns.
fn shown(line: &str) -> String {
    let clean = visible(line);
    match clean.char_indices().nth(COLUMNS - 3) {
        Some((cut, _)) if clean.chars().count() > COLUMNS => format!("{}...", clean.get(..cut).unwrap_or_default()),
        _ => clean.trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shown_line_is_short_and_cannot_steer_a_terminal() {
        assert_eq!(shown("7. 5171\t\u{1b}[31m  "), "7. 5171  [31m");
        assert_eq!(shown(&"x".repeat(72)), "x".repeat(72));
        assert_eq!(shown(&"ü".repeat(73)), format!("{}...", "ü".repeat(69)));
    }
}
