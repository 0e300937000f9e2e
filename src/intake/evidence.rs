//! From a mail to what the judge needs: the sender's own words in each form, apart from quotes and from what the player wrote himself,
//! and the dates.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::clues::answered;
use super::sections::Part;
use super::which::{Thread, header_day};
use crate::domain::clock::ledger::Ledger;
use crate::domain::game::{Game, GameId, Stated};
use crate::domain::judge::{Evidence, Reason, Verdict, frame, judge, known_dates};
use crate::domain::transmission::read::{Aside, Frame, Line, Reading, asides, read};
use crate::io::store::{OutboxState, OwnId, Store, StoreError};
use crate::letters;
use crate::mail::known::Known;
use crate::mail::message::{Attachment, IncomingMessage, parse};
use crate::mail::quote::{self, Kind, split};
use crate::mail::text::has_hidden_characters;

/// What is known of the player's own letters beside the games: their lines and their ids.
#[derive(Debug, Clone, Default)]
pub struct Letters {
    lines: BTreeMap<GameId, Known>,
    ids: Vec<OwnId>,
    /// The Message-IDs of moves that the program is to send and did not try to yet.
    untried: Vec<String>,
    /// Something could prove who wrote the mail, and nothing does.
    is_unproven: bool,
}

impl Letters {
    /// Those that a mail may quote or answer: the last of each of these games, and the ids of all that it names.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn load(store: &mut Store, message: &IncomingMessage, threads: &[Thread]) -> Result<Letters, StoreError> {
        let mut letters = Letters { ids: store.own_ids(&answered(message)).await?, ..Letters::default() };
        for thread in threads {
            let plies = u32::try_from(thread.game.moves.len() + 1).unwrap_or(u32::MAX);
            for bytes in store.own_letters(&thread.game.id, plies).await? {
                letters.add(&thread.game.id, &bytes);
            }
            if let Some(plan) = &thread.game.plan
                && let Some(release) = store.release_by_message_id(&plan.message_id).await?
                && (release.state, release.attempts) == (OutboxState::Queued, 0)
            {
                letters.untried.push(release.release.message_id);
            }
        }
        Ok(letters)
    }

    /// The same for a mail that is kept.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn beside(store: &mut Store, raw: &[u8], threads: &[Thread]) -> Result<Letters, StoreError> {
        match parse(raw) {
            Ok(message) => Letters::load(store, &message, threads).await,
            Err(_) => Ok(Letters::default()),
        }
    }

    /// The same beside a mail for whose sender nothing vouches although something could.
    pub(super) fn unproven(self, is_unproven: bool) -> Letters {
        Letters { is_unproven, ..self }
    }

    /// Adds a letter in this game, as it went out.
    pub fn add(&mut self, game: &GameId, bytes: &[u8]) {
        let Ok(IncomingMessage { plain, html, .. }) = parse(bytes) else { return };
        let known = self.lines.entry(game.clone()).or_default();
        [plain, html].iter().flatten().for_each(|text| known.add(&split(text).own_text()));
    }

    /// The lines that the player may have sent last in a game: those of his letters, and of one composed from the record.
    pub(super) fn of(&self, game: &Game) -> Known {
        let mut known = self.lines.get(&game.id).cloned().unwrap_or_default();
        let before = last_of_player(game).map(|last| Game {
            moves: game.moves.iter().take(last + 1).cloned().collect(),
            plan: None,
            ..game.clone()
        });
        let composed = before.and_then(|before| letters::compose(&letters::transmission(&before).ok()?).ok());
        composed.iter().for_each(|text| known.add(text));
        known
    }

    /// Whether the mail answers one of the player's letters in this game, and an older one than his last.
    fn is_older_answered(&self, message: &IncomingMessage, game: &Game) -> bool {
        let answered: Vec<String> = match message.in_reply_to.as_slice() {
            [] => message.references.last().iter().map(ToString::to_string).collect(),
            ids => ids.iter().map(ToString::to_string).collect(),
        };
        let of_game = |own: &&OwnId| own.game == game.id && answered.contains(&own.message_id);
        let newest = self.ids.iter().filter(of_game).filter_map(|own| usize::try_from(own.ply).ok()).max();
        newest.zip(last_of_player(game)).is_some_and(|(ply, last)| ply <= last)
    }
}

/// Which lines of a mail are asked.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Asked<'p> {
    /// Those of one form of it alone: 0 is the plain text, 1 the HTML.
    pub(super) view: Option<usize>,
    /// These alone.
    pub(super) part: Option<&'p Part>,
    /// What he quotes counts as his own words, and these as none.
    pub(super) quotation: bool,
}

impl<'p> Asked<'p> {
    /// These lines alone.
    pub(super) fn part(part: &'p Part) -> Asked<'p> {
        Asked { part: Some(part), ..Asked::default() }
    }
}

/// A mail as it is read for games.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mail<'m> {
    pub(super) message: &'m IncomingMessage,
    /// When our server took it.
    pub(super) at: DateTime<Utc>,
    letters: &'m Letters,
}

impl<'m> Mail<'m> {
    /// A mail of which no letters of the player's are known beside the record.
    pub(crate) fn of(message: &'m IncomingMessage, at: DateTime<Utc>) -> Mail<'m> {
        static NONE: Letters =
            Letters { lines: BTreeMap::new(), ids: Vec::new(), untried: Vec::new(), is_unproven: false };
        Mail::beside(message, at, &NONE)
    }

    /// The same with these letters of the player's.
    pub(super) fn beside(message: &'m IncomingMessage, at: DateTime<Utc>, letters: &'m Letters) -> Mail<'m> {
        Mail { message, at, letters }
    }

    /// Each form of its text with its place, its lines sorted.
    pub(super) fn texts(&self, known: &Known) -> Vec<(usize, quote::Split<'m>)> {
        let views = [&self.message.plain, &self.message.html].into_iter().enumerate();
        let texts = views.filter_map(|(view, text)| Some((view, text.as_ref()?.trim_end())));
        texts.map(|(view, text)| (view, known.split(text))).collect()
    }

    /// What the lines that are asked mean for one game.
    pub(super) fn judged(&self, thread: &Thread, asked: Asked<'_>) -> Verdict {
        judge(&thread.game, &self.evidence(thread, asked))
    }

    /// The evidence of the lines that are asked, for one game.
    pub(super) fn evidence(&self, thread: &Thread, asked: Asked<'_>) -> Evidence {
        let Mail { message, at, letters } = *self;
        let game = &thread.game;
        let ledger = Ledger::of(game).ok();
        let mut known = ledger.as_ref().map(known_dates).unwrap_or_default();
        if let Some(plan) = &game.plan {
            let Stated { received, sent, total, .. } = plan.stated;
            known.push(crate::domain::transmission::read::Known { received, sent, total });
        }
        let header_sent = header_day(message, at);
        let frame = frame(game, &known, header_sent, at.date_naive());
        let mut texts = self.texts(&letters.of(game));
        texts.retain(|(view, _)| asked.view.is_none_or(|only| only == *view));
        let answers_question = answers_question(message);
        let is_own = |line: &quote::Line<'_>| match asked.quotation {
            true => matches!(line.kind, Kind::Quoted { depth: 1 }),
            false => line.kind == Kind::Own,
        };
        let is_quoted = |line: &quote::Line<'_>| {
            matches!(line.kind, Kind::Quoted { .. })
                && !asked.quotation
                && !(answers_question && letters::is_quotation(line.text))
        };
        let lines = |of: &dyn Fn(&quote::Line<'_>) -> bool| -> Vec<Reading> {
            let read = |(view, text): &(usize, quote::Split<'_>)| {
                let lines = text.lines.iter().filter(|l| of(l));
                let lines = lines.filter_map(|l| {
                    let text = asked.part.map_or(Some(l.text), |part| part.words_of(*view, l))?;
                    Some(Line { number: l.number, text })
                });
                let lines: Vec<Line<'_>> = lines.collect();
                lines.iter().any(|l| !l.text.trim().is_empty()).then(|| read(&lines, &frame))
            };
            texts.iter().filter_map(read).collect()
        };
        let mut own = lines(&is_own);
        // "PS: forget the move above", below the mark of a signature; a program's own lines say nothing of a move
        let signed = |text: &quote::Split<'_>| -> Vec<Aside> {
            let lines = text.lines.iter().filter(|line| line.kind == Kind::Signature);
            asides(&lines.map(|line| Line { number: line.number, text: line.text }).collect::<Vec<_>>())
        };
        for (reading, (_, text)) in own.iter_mut().zip(&texts) {
            reading.asides.extend(signed(text));
        }
        let quoted = lines(&is_quoted);
        let mut subject = read(&[Line { number: 0, text: &message.subject }], &frame);
        // "SV: illegal move": what a reply has in its subject was said before
        if is_reply_subject(message) {
            subject.asides.clear();
        }
        let attached = message.attachments.iter().filter_map(|part| Some(file(part, part.text.as_deref()?, &frame)));
        Evidence {
            views: own,
            subject,
            attached: attached.collect(),
            quoted: quoted.into_iter().next().unwrap_or_default(),
            may_be_typed: is_marked_quotation(message, &texts),
            header_sent,
            place: header_sent.and(message.date).map(|date| *date.offset()),
            is_older: letters.is_older_answered(message, game) || is_before(message, game),
            hidden_characters: texts.iter().any(|(_, text)| has_hidden_characters(&text.own_text())),
            unread_parts: message.attachments.iter().filter_map(chess_part).collect(),
            seen: is_seen(message, thread),
            plan_is_untried: game.plan.as_ref().is_some_and(|plan| letters.untried.contains(&plan.message_id)),
            is_unproven: letters.is_unproven,
            answers_plan: game
                .plan
                .as_ref()
                .is_some_and(|plan| answered(message).iter().any(|id| letters::is_of_choice(&plan.message_id, id))),
        }
    }
}

/// The place of the player's last ply on record.
fn last_of_player(game: &Game) -> Option<usize> {
    (0..game.moves.len()).rev().find(|index| game.number_of(*index).side == game.me)
}

/// Whether the mail was written before the reader's last move went out, as its Date tells, if that can be true at all.
fn is_before(message: &IncomingMessage, game: &Game) -> bool {
    let planned = game.with_plan_recorded();
    let mine = last_of_player(&planned).and_then(|last| planned.moves.get(last));
    let (Some(date), Some(mine)) = (message.date, mine) else { return false };
    let can_be = game.start_date.is_none_or(|start| date.date_naive() >= start);
    let is_before = match (mine.observed.sent_at, mine.claimed.sent.or(mine.agreed.sent).or(mine.observed.sent)) {
        (Some(sent), _) => date < sent,
        (None, Some(sent)) => date.date_naive() < sent,
        (None, None) => false,
    };
    can_be && is_before
}

/// The mail answers a question about an earlier mail of his, whose lines it quotes: compared with these it would be held again.
fn answers_question(message: &IncomingMessage) -> bool {
    answered(message).iter().any(|id| letters::is_question(&id.to_string()))
}

/// Why a mail's text is not read: nobody writes a longer one, and half of it would be half of his words.
pub(crate) fn too_long(message: &IncomingMessage) -> Option<Reason> {
    const MOST: usize = 256 * 1024;
    let longest = [&message.plain, &message.html].into_iter().flatten().map(|text| text.trim_end().len()).max()?;
    (longest > MOST)
        .then(|| Reason::Unreadable("the text is longer than 256 KiB; read it in your mail client".to_owned()))
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

/// Whether a mail with this Message-ID was taken in for the game.
pub(super) fn is_seen(message: &IncomingMessage, thread: &Thread) -> bool {
    let id = message.message_id.as_ref().map(ToString::to_string);
    id.is_some_and(|id| thread.game.seen_message_ids.contains(&id))
}

/// What a file says; of a game's comments what he announces in them counts too, and their moves are none.
fn file(part: &Attachment, text: &str, frame: &Frame<'_>) -> Reading {
    let lines: Vec<Line<'_>> = text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect();
    let mut reading = read(&lines, frame);
    if part.is_pgn() {
        let Reading { events, asides, .. } = read(&comments(&lines), frame);
        reading.events.extend(events);
        reading.asides.extend(asides);
    }
    reading
}

/// The texts in braces, each part of a line as a line.
fn comments<'a>(lines: &[Line<'a>]) -> Vec<Line<'a>> {
    let mut is_open = false;
    let mut found = Vec::new();
    for line in lines {
        for piece in line.text.split_inclusive(['{', '}']) {
            let text = piece.trim_end_matches(['{', '}']);
            if is_open {
                found.push(Line { number: line.number, text });
            }
            is_open = match piece.len() - text.len() {
                0 => is_open,
                _ => piece.ends_with('{'),
            };
        }
    }
    found
}

/// The name of an attachment that may hold a game and cannot be read: a database of another program, or PGN without its text.
fn chess_part(part: &Attachment) -> Option<String> {
    let name = part.name.clone().unwrap_or_else(|| part.content_type.clone());
    let foreign = [".cbv", ".cbh", ".ect"].iter().any(|end| name.to_ascii_lowercase().ends_with(end));
    let is_game = part.is_pgn() || part.content_type.contains("chess");
    (part.text.is_none() && (foreign || is_game)).then_some(name)
}

/// Whether the subject is that of the mail that this one answers: a short word and a colon in front of it, in whatever language.
fn is_reply_subject(message: &IncomingMessage) -> bool {
    const LONGEST: usize = 5;
    let ahead = message.subject.split_once(':').map(|(ahead, _)| ahead.trim());
    let is_word =
        |ahead: &str| !ahead.is_empty() && ahead.chars().count() <= LONGEST && ahead.chars().all(char::is_alphabetic);
    !message.in_reply_to.is_empty() && ahead.is_some_and(is_word)
}
