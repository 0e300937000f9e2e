//! From a mail to what the judge needs: the sender's own words in each form, apart from quotes, and the dates.

use super::sections::Part;
use super::which::{Thread, header_day};
use crate::domain::clock::ledger::Ledger;
use crate::domain::judge::{Evidence, Reason, frame, known_dates};
use crate::domain::transmission::read::{Frame, Line, Reading, read};
use crate::letters;
use crate::mail::message::{Attachment, IncomingMessage};
use crate::mail::quote::{self, Kind, split};
use crate::mail::text::has_hidden_characters;

/// The evidence of one mail, or of a part of its lines, for one game.
pub(super) fn evidence(
    message: &IncomingMessage,
    thread: &Thread,
    at: chrono::DateTime<chrono::Utc>,
    part: Option<&Part>,
) -> Evidence {
    let game = &thread.game;
    let ledger = Ledger::of(game).ok();
    let mut known = ledger.as_ref().map(known_dates).unwrap_or_default();
    if let Some(plan) = &game.plan {
        known.push(crate::domain::transmission::read::Known {
            received: plan.stated.received,
            sent: plan.stated.sent,
            total: plan.stated.total,
        });
    }
    let header_sent = header_day(message, at);
    let frame = frame(game, &known, header_sent, at.date_naive());
    let views = [&message.plain, &message.html];
    let views = views.into_iter().enumerate().filter_map(|(view, text)| Some((view, text.as_ref()?.trim_end())));
    let texts: Vec<_> = views.map(|(view, text)| (view, split(text))).collect();
    let answers_question = answers_question(message, thread);
    let is_own = |line: &quote::Line<'_>| line.kind == Kind::Own;
    let is_quoted = |line: &quote::Line<'_>| {
        matches!(line.kind, Kind::Quoted { .. }) && !(answers_question && letters::is_quotation(line.text))
    };
    let lines = |of: &dyn Fn(&quote::Line<'_>) -> bool, frame: &Frame<'_>| -> Vec<Reading> {
        texts
            .iter()
            .map(|(view, text)| {
                let lines = text.lines.iter().filter(|l| of(l));
                let lines = lines.filter_map(|l| match part {
                    Some(part) => Some(Line { number: l.number, text: part.words_of(*view, l)? }),
                    None => Some(Line { number: l.number, text: l.text }),
                });
                let lines: Vec<Line<'_>> = lines.collect();
                (lines.iter().any(|l| !l.text.trim().is_empty()), read(&lines, frame))
            })
            .filter_map(|(any, reading)| any.then_some(reading))
            .collect()
    };
    let own = lines(&is_own, &frame);
    let quoted = lines(&is_quoted, &frame);
    let subject = read(&[Line { number: 0, text: &message.subject }], &frame);
    let attached = message.attachments.iter().filter_map(|part| part.text.as_deref());
    Evidence {
        views: own,
        subject,
        attached: attached.map(|text| read(&all_lines(text), &frame)).collect(),
        quoted: quoted.into_iter().next().unwrap_or_default(),
        may_be_typed: is_marked_quotation(message, &texts),
        header_sent,
        place: header_sent.and(message.date).map(|date| *date.offset()),
        hidden_characters: texts.iter().any(|(_, text)| has_hidden_characters(&text.own_text())),
        unread_parts: message.attachments.iter().filter_map(chess_part).collect(),
        seen: is_seen(message, thread),
        answers_plan: game.plan.as_ref().is_some_and(|plan| {
            let mut ids = message.references.iter().chain(&message.in_reply_to);
            ids.any(|id| letters::is_of_choice(&plan.message_id, &id.to_string()))
        }),
    }
}

/// The mail answers a question about an earlier mail of his, whose lines it quotes: compared with these it would be held again.
fn answers_question(message: &IncomingMessage, thread: &Thread) -> bool {
    let mut ids = message.references.iter().chain(&message.in_reply_to);
    ids.any(|id| letters::is_question(&thread.game.id, &id.to_string()))
}

/// Why a mail's text is not read: nobody writes a longer one, and half of it would be half of his words.
pub(super) fn too_long(message: &IncomingMessage) -> Option<Reason> {
    const MOST: usize = 64 * 1024;
    let longest = [&message.plain, &message.html].into_iter().flatten().map(|text| text.trim_end().len()).max()?;
    (longest > MOST)
        .then(|| Reason::Unreadable("the text is longer than 64 KiB; read it in your mail client".to_owned()))
}

/// Whether all the mail is a quotation in the old way, `> ` before each line, in one form and with nothing hidden in it: then
/// he can have typed his move into it.
fn is_marked_quotation(message: &IncomingMessage, texts: &[(usize, quote::Split<'_>)]) -> bool {
    let (Some(text), None, [(_, cut)]) = (message.plain.as_deref(), &message.html, texts) else { return false };
    let marked = text.lines().zip(1..).filter(|(line, _)| line.trim_start().starts_with('>')).map(|(_, n)| n);
    let marked: Vec<usize> = marked.collect();
    let mut quoted = cut.lines.iter().filter(|l| matches!(l.kind, Kind::Quoted { .. }));
    quoted.all(|line| marked.binary_search(&line.number).is_ok()) && !message.has_hidden_characters
}

fn is_seen(message: &IncomingMessage, thread: &Thread) -> bool {
    let id = message.message_id.as_ref().map(ToString::to_string);
    id.is_some_and(|id| thread.game.seen_message_ids.contains(&id))
}

fn all_lines(text: &str) -> Vec<Line<'_>> {
    text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect()
}

/// Whether an attachment is a game in PGN (`application/x-chess-pgn` and relatives, `.pgn`).
fn is_game(part: &Attachment) -> bool {
    let name = part.name.as_deref().unwrap_or_default().to_ascii_lowercase();
    part.content_type.contains("chess") || name.ends_with(".pgn")
}

/// The name of an attachment that may hold a game and cannot be read: a database of another program, or PGN without its text.
fn chess_part(part: &Attachment) -> Option<String> {
    let name = part.name.clone().unwrap_or_else(|| part.content_type.clone());
    let foreign = [".cbv", ".cbh", ".ect"].iter().any(|end| name.to_ascii_lowercase().ends_with(end));
    (part.text.is_none() && (foreign || is_game(part))).then_some(name)
}
