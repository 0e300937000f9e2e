//! What the player is told without an incoming mail: a mark that can cost him a game, and the digest of a day with news.
//!
//! Plain text of at most 72 columns.

use std::fmt::Write;

use chrono::{DateTime, NaiveDate, Utc};

use super::wrap::fill;
use super::{Letter, LetterError, finish, message_id};
use crate::config::{Language, Me};
use crate::domain::clock::days::Moment;
use crate::domain::clock::events::{Mark, Severity};
use crate::domain::clock::over::Over;
use crate::domain::game::GameId;
use crate::domain::summary::Summary;
use crate::domain::transmission::compose::clip;
use crate::io::store::{Arrival, Held, NotRead};
use crate::mail::draft::{DraftMessage, Mailbox};
use crate::mail::text::one_line;
use crate::say;

/// Lines of one list at most; a player with more near marks than this looks into the agenda.
const MOST_LINES: usize = 30;

/// What a digest tells.
#[derive(Debug)]
pub struct News<'a> {
    /// The day, in the player's place.
    pub today: NaiveDate,
    /// The running games.
    pub games: &'a [Summary<'a>],
    /// Near and open marks, worst first.
    pub marks: Vec<Listed<'a>>,
    /// Games with moves put on record since the last digest, and how many.
    pub moves: Vec<(GameId, u32)>,
    /// Mails that wait for the player, and whether no digest has listed each so far.
    pub held: Vec<(&'a Held, bool)>,
    /// Mails that were not read, and whether no digest has listed each so far.
    pub not_read: Vec<(&'a NotRead, bool)>,
}

/// A mark in a digest.
#[derive(Debug, Clone, Copy)]
pub struct Listed<'a> {
    /// Its game.
    pub game: &'a Summary<'a>,
    /// The mark.
    pub mark: Mark,
    /// How much it matters.
    pub severity: Severity,
    /// Where it is a limit that is over: how sure that is.
    pub over: Option<Over>,
    /// No digest has listed it so far, or not as sure as now.
    pub is_new: bool,
}

impl Listed<'_> {
    fn words(&self, now: Moment, language: Language) -> String {
        let Listed { game, mark, .. } = self;
        let words = mark.words_in(game.me, language);
        let over = overstepped_by(game, now, language).filter(|_| self.over == Some(Over::Certainly));
        match (over, mark.side == game.me) {
            (None, _) => format!("{words}{}", Over::aside(self.over, language)),
            (Some(by), true) => say!(language, "YOUR TIME IS OVERSTEPPED{by} ({words})", by, words),
            (Some(by), false) => {
                say!(language, "OVERSTEPPED{by} ({words}): amici claim {game}", by, words, game = game.id)
            }
        }
    }
}

/// A line for each game, in the order of the marks: its first mark, and after it the others.
fn by_game<'a>(marks: impl Iterator<Item = &'a Listed<'a>>, now: Moment, language: Language) -> Vec<String> {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for listed in marks {
        let (game, day, words) = (listed.game, language.near(listed.mark.date), listed.words(now, language));
        if let Some((_, line)) = lines.iter_mut().find(|(id, _)| *id == game.id) {
            line.push_str(&format!("; {day}: {words}"));
            continue;
        }
        let sign = if listed.severity == Severity::Urgent { "!!" } else { " !" };
        lines.push((&game.id, format!("{sign} {day}  {}  {}: {words}", game.id, clip(&game.opponent, 24))));
    }
    lines.into_iter().map(|(_, line)| line).collect()
}

/// The last move of a game in which the player is to move, as he answers it.
fn waits(game: &Summary<'_>, now: Moment, language: Language) -> String {
    let (id, opponent) = (&game.id, clip(&game.opponent, 24));
    let last = game.last.as_ref().map_or_else(
        || say!(language, "the first move is yours"),
        |last| format!("{} {} ({})", last.number, last.numeric, last.san),
    );
    let days = language.days(game.figures(now).days_this_move);
    format!("{id}  {opponent}: {last}, {}", say!(language, "{days} so far", days))
}

/// By how many days the side on the move has overstepped a limit: ` by 3`, or ` by up to 3`; `None` where it has not.
pub(super) fn overstepped_by(game: &Summary<'_>, now: Moment, language: Language) -> Option<String> {
    let (by, is_most) = game.over_by(now)?;
    // of days that are not on record a figure is the least, and both together tell nothing
    match (is_most, game.is_mover_partial()) {
        (true, true) => Some(String::new()),
        (true, false) if by > 1 => Some(say!(language, " by up to {by}", by)),
        (false, true) => Some(say!(language, " by at least {by}", by)),
        _ => Some(say!(language, " by {by}", by)),
    }
}

/// The digest of a day; `cause` is what it is told for.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn digest(told: &News<'_>, cause: &str, me: &Me, now: DateTime<Utc>) -> Result<Letter, LetterError> {
    let mine: Vec<&Summary<'_>> = told.games.iter().filter(|game| game.is_my_turn()).collect();
    let language = me.language;
    let (day, games, held) = (language.weekday(told.today), told.games.len(), told.held.len());
    let (yours, theirs) = (mine.len(), told.games.len() - mine.len());
    let running = match games {
        1 => say!(
            language,
            "{day}. 1 game running: {yours} yours, {theirs} theirs. Mails held: {held}.",
            day,
            yours,
            theirs,
            held
        ),
        _ => say!(
            language,
            "{day}. {games} games running: {yours} yours, {theirs} theirs. Mails held: {held}.",
            day,
            games,
            yours,
            theirs,
            held
        ),
    };
    let mut body = running + "\n";
    let moment = me.moment(now);
    let list = |body: &mut String, title: String, lines: Vec<String>| list(body, &title, &lines, language);
    let marks = |is_new: bool| told.marks.iter().filter(move |listed| listed.is_new == is_new);
    let new = by_game(marks(true), moment, language);
    list(&mut body, say!(language, "New since the last digest:"), new);
    let open = by_game(marks(false), moment, language);
    list(&mut body, say!(language, "Near, or open, as before:"), open);
    let waiting = mine.iter().map(|game| waits(game, moment, language)).collect();
    list(&mut body, say!(language, "Yours to move:"), waiting);
    let held = told.held.iter().filter(|(_, is_new)| *is_new).map(|(mail, _)| {
        let from = mail.from_address.clone().unwrap_or_else(|| say!(language, "an unknown sender"));
        let game = mail.game.as_ref().map(|game| format!(", {game}")).unwrap_or_default();
        say!(language, "mail {mail} from {from}", mail = mail.mail, from) + &game
    });
    list(&mut body, say!(language, "Held since the last digest:"), held.collect());
    let not_read = |is_new: bool| {
        let mails = told.not_read.iter().filter(move |(_, new)| *new == is_new);
        mails.map(|(mail, _)| {
            let (Arrival { folder, uid, .. }, why) = (&mail.arrival, mail.reason.as_deref());
            let why = why.map_or_else(|| say!(language, "it waits to be read"), |why| one_line(why, 300));
            format!("{folder} {uid}: {why}")
        })
    };
    let title = say!(language, "Not read since the last digest; it may be an answer of his, so look at it yourself:");
    list(&mut body, title, not_read(true).collect());
    list(&mut body, say!(language, "Not read, as before:"), not_read(false).collect());
    let moves = told.moves.iter().map(|(id, moves)| {
        let moves = match *moves {
            1 => say!(language, "1 move"),
            moves => say!(language, "{moves} moves", moves),
        };
        format!("{id}  {moves}")
    });
    list(&mut body, say!(language, "New on record since the last digest:"), moves.collect());
    let drafted = told.games.iter().filter(|game| game.drafted).map(|game| game.id.to_string());
    list(&mut body, say!(language, "Drafted, and not seen to be sent; your clock runs:"), drafted.collect());
    let undated = told.games.iter().filter(|game| game.lacks_dates()).map(|game| game.id.to_string());
    let title = say!(language, "Dates are not on record, so no limit is told; amici show GAME helps:");
    list(&mut body, title, undated.collect());
    if !told.held.is_empty() {
        body.push_str(&format!("\n{}\n", say!(language, "Held mails:  amici review")));
    }
    body.push_str(&format!("\n{}\n", say!(language, "Everything that comes:  amici agenda")));
    let _ = writeln!(body, "{}", say!(language, "A digest comes only on days with news; [notify] says when."));
    mail(&format!("[amici] {}", headline(told, mine.len(), language)), body, cause, me, now)
}

/// What a digest tells, counted.
fn headline(told: &News<'_>, mine: usize, language: Language) -> String {
    let parts = [
        match told.marks.len() {
            0 => None,
            1 => Some(say!(language, "1 mark near or open")),
            marks => Some(say!(language, "{marks} marks near or open", marks)),
        },
        match mine {
            0 => None,
            1 => Some(say!(language, "1 of your games waits for you")),
            games => Some(say!(language, "{games} of your games wait for you", games)),
        },
        match told.held.len() {
            0 => None,
            1 => Some(say!(language, "1 mail held")),
            mails => Some(say!(language, "{mails} mails held", mails)),
        },
        match told.not_read.len() {
            0 => None,
            1 => Some(say!(language, "1 mail not read")),
            mails => Some(say!(language, "{mails} mails not read", mails)),
        },
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { say!(language, "what is new on record") } else { parts.join(", ") }
}

fn list(body: &mut String, title: &str, lines: &[String], language: Language) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(body, "\n{title}");
    for line in lines.iter().take(MOST_LINES) {
        let _ = writeln!(body, "{}", fill(line, "  ", "       "));
    }
    if let Some(more) = lines.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        let _ = writeln!(body, "  {}", say!(language, "and {more} more", more));
    }
}

pub(super) fn paragraph(body: &mut String, text: &str) {
    let _ = writeln!(body, "{}\n", fill(text, "", ""));
}

/// `1 game`, `2 games`
pub fn plural(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `today`, `in 2 days`, `1 day ago`
pub(super) fn relative(date: NaiveDate, today: NaiveDate, language: Language) -> String {
    match (date - today).num_days() {
        0 => say!(language, "today"),
        1 => say!(language, "in 1 day"),
        -1 => say!(language, "1 day ago"),
        days @ 1.. => say!(language, "in {days} days", days),
        days => say!(language, "{days} days ago", days = days.unsigned_abs()),
    }
}

/// A mail from the player to himself that belongs to no thread. Its Message-ID is made by the cause and the instant: what a clock that ran
/// ahead told too early is told again.
pub(super) fn mail(
    subject: &str,
    body: String,
    cause: &str,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let unusable = || LetterError::Sender { name: me.name.clone() };
    let myself = Mailbox { name: Some(me.name.clone()), address: me.address().cloned().ok_or_else(unusable)? };
    let mail = DraftMessage {
        from: myself.clone(),
        to: vec![myself],
        cc: Vec::new(),
        subject: subject.to_owned(),
        date: now.with_timezone(&me.timezone).fixed_offset(),
        message_id: message_id(&[cause.as_bytes(), now.to_rfc3339().as_bytes()], "told", me).map_err(|_| unusable())?,
        in_reply_to: None,
        references: Vec::new(),
        auto_submitted: true,
        unsent: false,
        body,
        page: None,
        attached_reply: None,
    };
    finish(mail, me)
}

#[cfg(test)]
mod tests {
    use super::super::urgent;
    use super::*;
    use crate::domain::clock::ledger::{Booking, Ledger};
    use crate::domain::document::tests::sample_game;

    fn me() -> Me {
        Me {
            name: "Tobin Quillfeather".to_owned(),
            emails: vec!["tobin@example.net".parse().unwrap()],
            timezone: chrono_tz::Europe::Berlin,
            received: Booking::SameDay,
            styles: Default::default(),
            language: crate::config::Language::English,
            picture: true,
        }
    }

    fn text(letter: &Letter) -> String {
        String::from_utf8(letter.bytes.clone()).unwrap().replace("\r\n", "\n")
    }

    #[test]
    fn an_urgent_notice_says_what_when_and_by_which_rule() {
        let today = "2004-11-27".parse().unwrap();
        let mut game = sample_game();
        game.white.name = "A name that is as long as names of players in these tables can ever be".to_owned();
        let game = Summary::of(&game, &Ledger::of(&game).unwrap(), None, today).unwrap();
        let control = game.marks().iter().find(|mark| mark.kind.word() == "time_control").unwrap();
        let now = "2004-11-27T10:00:00Z".parse().unwrap();
        let letter = urgent(&game, control, today, "cause", &me(), now).unwrap();
        let text = text(&letter);
        for part in [
            "Subject: [amici SAMPLE-1] time control 10, in 2 days\n",
            "Mon 29 Nov 2004",
            "control: 10 moves / 60 days.",
            "30 days used, 28 for this move so far, 2 left to the control.",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(text.lines().all(|line| line.len() <= 72), "{text}");
        assert_eq!(letter, urgent(&game, control, today, "cause", &me(), now).unwrap(), "the same bytes each time");
        assert_ne!(letter.message_id, urgent(&game, control, today, "other", &me(), now).unwrap().message_id);
    }

    #[test]
    fn a_digest_has_a_line_for_each_game_and_ends_long_lists() {
        let today = "2004-11-27".parse().unwrap();
        let game = Summary::of(&sample_game(), &Ledger::of(&sample_game()).unwrap(), None, today).unwrap();
        let mark = *game.marks().first().unwrap();
        let games = [game.clone()];
        let other = |number: u32| {
            let mut other = game.clone();
            other.id = format!("G-{number}").into();
            other
        };
        let many: Vec<Summary<'_>> = (0..33).map(other).collect();
        let listed = |game| Listed { game, mark, severity: Severity::Soon, over: None, is_new: false };
        let told = News {
            today,
            games: &games,
            marks: many.iter().flat_map(|game| [listed(game), listed(game)]).collect(),
            moves: vec![("SAMPLE-1".parse().unwrap(), 1)],
            held: Vec::new(),
            not_read: Vec::new(),
        };
        let letter = digest(&told, "digest/2004-11-27", &me(), "2004-11-27T10:00:00Z".parse().unwrap()).unwrap();
        let text = text(&letter);
        assert!(text.contains("\n  and 3 more\n") && text.contains("  SAMPLE-1  1 move\n"), "{text}");
        assert!(text.contains("1 game running: 1 yours, 0 theirs. Mails held: 0.\n"), "{text}");
        assert_eq!(text.matches("  G-7  ").count(), 1, "both marks of a game stand in its line: {text}");
        assert!(text.contains("Subject: [amici] 66 marks near or open, 1 of your games waits for you\n"), "{text}");
        let last = game.last.as_ref().unwrap();
        assert!(text.contains(&format!("{} {} ({})", last.number, last.numeric, last.san)), "{text}");
        assert!(text.lines().all(|line| line.len() <= 72), "{text}");
    }
}
