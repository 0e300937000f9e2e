//! The mails that games are adopted from: who wrote each, and where in it the whole score stands.
//!
//! His own words go first, then attached games, then everything with what he quotes; the newest move is the judge's business.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::LONGEST;
use crate::config::Me;
use crate::domain::adopt::{
    Dates, Score, ScoreError, Writer, contradictions, differences, may_have_moves, otherwise, repeats, score,
};
use crate::domain::game::Stated;
use crate::domain::judge::discrepancy::in_words;
use crate::domain::notation::Language;
use crate::domain::transmission::read::Line;
use crate::mail::address::Address;
use crate::mail::message::{Attachment, IncomingMessage, parse};
use crate::mail::quote::{Kind, split};
use crate::mail::text::has_hidden_characters;

/// Accepted conditional moves look like this, and what was offered cannot be known.
const TOO_FAR: &str = "his own words go on by more than one move after the score that he quotes; adopt the score from a mail that \
                       has it whole, or from your own last mail";

/// A mail is copied so long after it was written at most; an older Date is a clock that was never set.
const COPIED: TimeDelta = TimeDelta::days(1500);

/// A mail with who wrote it.
pub(super) struct Mail {
    /// The file, or the mail's number in the store.
    pub(super) name: String,
    pub(super) raw: Vec<u8>,
    pub(super) message: IncomingMessage,
    /// When the player's server took it, or when it was written.
    pub(super) at: DateTime<Utc>,
    pub(super) writer: Writer,
    pub(super) opponent: Address,
    /// The name above the opponent's address, if the mail shows it.
    pub(super) opponent_name: Option<String>,
}

/// Where in a mail the score stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// In the writer's own words.
    Own,
    /// In an attached file.
    File(String),
    /// Only together with what he quotes.
    Quoted,
    /// Nowhere: a start letter begins the game.
    Letter,
}

impl Place {
    pub(super) fn words(&self) -> String {
        match self {
            Place::Own => "the score stands in the writer's own words".to_owned(),
            Place::File(name) => format!("the score stands in the attached file {name}"),
            Place::Quoted => {
                "the score stands only together with the lines that the mail quotes: look at it twice".to_owned()
            }
            Place::Letter => "the director's start letter".to_owned(),
        }
    }
}

/// Why a mail gives no whole score.
pub(super) struct NoScore {
    /// In words.
    pub(super) why: String,
    /// It has one, and that does not hold.
    pub(super) is_broken: bool,
    /// It has numbered moves.
    pub(super) has_moves: bool,
    /// It shows how the game ended.
    pub(super) is_over: bool,
}

/// A text of a mail with the place it stands at.
struct Text {
    place: Place,
    lines: Vec<(usize, String)>,
}

impl Text {
    fn of(place: Place, text: &str, wanted: fn(Kind) -> bool) -> Text {
        let lines = split(text.trim_end()).lines;
        let lines = lines.iter().filter(|l| wanted(l.kind)).map(|l| (l.number, l.text.to_owned())).collect();
        Text { place, lines }
    }

    fn file(part: &Attachment) -> Option<Text> {
        let name = part.name.clone().unwrap_or_else(|| part.content_type.clone());
        let lines = part.text.as_deref()?.lines().zip(1..).map(|(text, number)| (number, text.to_owned())).collect();
        Some(Text { place: Place::File(name), lines })
    }

    fn lines(&self) -> Vec<Line<'_>> {
        self.lines.iter().map(|(number, text)| Line { number: *number, text }).collect()
    }
}

impl Mail {
    /// # Errors
    /// Why the bytes cannot be used, in words.
    pub(super) fn read(
        name: String,
        raw: Vec<u8>,
        taken: Option<DateTime<Utc>>,
        me: &Me,
        now: DateTime<Utc>,
    ) -> Result<Mail, String> {
        let message = parse(&raw).map_err(|e| e.to_string())?;
        let sender = message.from.as_ref().map_err(ToString::to_string)?.clone();
        let at = taken.or(message.received.or(message.date).map(|at| at.to_utc())).unwrap_or(now);
        let (writer, opponent, opponent_name) = if me.emails.contains(&sender.address) {
            let others: Vec<&Address> = message.to.iter().filter(|a| !me.emails.contains(a)).collect();
            let [only] = others.as_slice() else {
                return Err("it is a mail of yours to nobody or to several; one opponent is needed".to_owned());
            };
            (Writer::Me, (*only).clone(), None)
        } else {
            (Writer::Opponent, sender.address, sender.name)
        };
        let longest = [&message.plain, &message.html].into_iter().flatten().map(String::len).max();
        if longest.is_some_and(|length| length > LONGEST) {
            return Err("its text is longer than 64 KiB".to_owned());
        }
        Ok(Mail { name, raw, message, at, writer, opponent, opponent_name })
    }

    /// When it was written, as far as its Date can be true: one that was copied between folders or accounts may have come much later.
    pub(super) fn written(&self) -> DateTime<Utc> {
        let date = self.message.date.map(|date| date.to_utc());
        date.filter(|date| (self.at - COPIED..=self.at + TimeDelta::days(1)).contains(date)).unwrap_or(self.at)
    }

    /// Whether no program wrote it, as far as it says.
    pub(super) fn is_of_a_person(&self) -> bool {
        !self.message.automatic.is_some_and(|mark| mark.is_certain())
    }

    /// Whether it may give moves.
    pub(super) fn may_have_moves(&self) -> bool {
        let message = &self.message;
        let files = message.attachments.iter().filter_map(|file| file.text.as_ref());
        let mut texts = [&message.plain, &message.html].into_iter().flatten().chain([&message.subject]).chain(files);
        texts.any(|text| may_have_moves(text))
    }

    /// Its Message-ID.
    pub(super) fn id(&self) -> Option<String> {
        self.message.message_id.as_ref().map(ToString::to_string)
    }

    /// The day it was written, as far as its Date can be true.
    pub(super) fn day(&self) -> NaiveDate {
        crate::intake::which::header_day(&self.message, self.at).unwrap_or_else(|| self.at.date_naive())
    }

    fn texts(&self) -> Vec<Text> {
        let views: Vec<&String> = [&self.message.plain, &self.message.html].into_iter().flatten().collect();
        let own = views.iter().map(|text| Text::of(Place::Own, text, |kind| kind == Kind::Own));
        let files = self.message.attachments.iter().filter_map(Text::file);
        let said = |kind| matches!(kind, Kind::Own | Kind::Quoted { .. });
        let whole = views.iter().map(|text| Text::of(Place::Quoted, text, said));
        own.chain(files).chain(whole).collect()
    }

    /// The whole score, from the first place that has it.
    ///
    /// # Errors
    /// No place gives one.
    pub(super) fn score(&self, start: Option<NaiveDate>, languages: &[Language]) -> Result<(Place, Score), NoScore> {
        let dates = Dates { start, latest: Some(self.day()) };
        let mut reasons: Vec<String> = Vec::new();
        let (mut is_broken, mut is_over) = (false, false);
        for text in self.texts() {
            let lines = text.lines();
            if lines.iter().any(|line| has_hidden_characters(line.text)) {
                let why = format!("invisible characters stand among its digits: {}", text.place.words());
                return Err(NoScore { why, is_broken: true, has_moves: true, is_over: false });
            }
            match score(&lines, dates, languages) {
                Ok(score) if text.place == Place::Quoted => {
                    let quoted = self.quoted(dates, languages);
                    return match quoted.iter().any(|length| length + 1 >= score.plies.len()) {
                        true => Ok((text.place, score)),
                        false => {
                            Err(NoScore { why: TOO_FAR.to_owned(), is_broken: false, has_moves: true, is_over: false })
                        }
                    };
                }
                Ok(score) => return Ok((text.place, score)),
                Err(why) => {
                    if why != ScoreError::NoMoves {
                        let place = match &text.place {
                            Place::Own | Place::Letter => String::new(),
                            Place::File(name) => format!(" (attached file {name})"),
                            Place::Quoted => " (with the quoted lines)".to_owned(),
                        };
                        let reason = format!("{why}{place}");
                        if !reasons.iter().any(|known| reason.starts_with(known.as_str())) {
                            reasons.push(reason);
                        }
                    }
                    is_over |= matches!(why, ScoreError::Over(_));
                    is_broken = !why.is_elsewhere() && !is_over;
                    if !why.is_elsewhere() {
                        break;
                    }
                }
            }
        }
        let why = if reasons.is_empty() { "no numbered moves stand in it".to_owned() } else { reasons.join("; ") };
        Err(NoScore { why, is_broken, has_moves: !reasons.is_empty(), is_over })
    }

    /// How many plies the quoted lines alone give, in each view of the mail.
    fn quoted(&self, dates: Dates, languages: &[Language]) -> Vec<usize> {
        let views = [&self.message.plain, &self.message.html].into_iter().flatten();
        let texts = views.map(|text| Text::of(Place::Quoted, text, |kind| matches!(kind, Kind::Quoted { .. })));
        texts.filter_map(|text| Some(score(&text.lines(), dates, languages).ok()?.plies.len())).collect()
    }

    /// Where the dates, days and totals that this mail gives differ from those of a score that stands in the mail `newest`, each in a
    /// sentence.
    pub(super) fn otherwise(&self, score: &Score, newest: &str, start: Option<NaiveDate>) -> Vec<String> {
        let dates = Dates { start, latest: Some(self.day()) };
        let found =
            self.texts().iter().map(|text| otherwise(score, &text.lines(), dates)).find(|found| !found.is_empty());
        let words = |stated: &Stated| in_words(stated, |day| day.to_string());
        let line = |(number, theirs, ours)| {
            format!("{number} {} in {}, {} in {newest}", words(&theirs), self.name, words(&ours))
        };
        found.unwrap_or_default().into_iter().map(line).collect()
    }

    /// Where the moves that this mail gives differ from a score, in words.
    pub(super) fn differences(&self, score: &Score) -> Option<String> {
        self.texts().iter().find_map(|text| differences(score, &text.lines()).into_iter().next())
    }

    /// Whether it gives a move that a score has.
    pub(super) fn repeats(&self, score: &Score) -> bool {
        self.texts().iter().any(|text| repeats(score, &text.lines()))
    }

    /// Whether no move that it gives is another than a score has there.
    pub(super) fn fits(&self, score: &Score) -> bool {
        self.texts().iter().all(|text| contradictions(score, &text.lines()).is_empty())
    }
}
