//! What the player is told without an incoming mail: a mark that can cost him a game, and the digest of a day with news.
//!
//! Plain text of at most 72 columns.

use std::fmt::Write;

use chrono::{DateTime, NaiveDate, Utc};

use super::wrap::fill;
use super::{Letter, LetterError, finish, message_id};
use crate::config::Me;
use crate::domain::clock::days::{Moment, in_words};
use crate::domain::clock::events::{Mark, MarkKind, Severity};
use crate::domain::clock::over::{Awaited, Over};
use crate::domain::clock::trust::Distrust;
use crate::domain::game::GameId;
use crate::domain::summary::Summary;
use crate::domain::transmission::compose::clip;
use crate::io::store::{Arrival, Held, NotRead};
use crate::mail::draft::{DraftMessage, Mailbox};
use crate::mail::text::one_line;

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
    fn words(&self, now: Moment) -> String {
        let Listed { game, mark, .. } = self;
        let words = mark.words(game.me);
        let over = overstepped_by(game, now).filter(|_| self.over == Some(Over::Certainly));
        match (over, mark.side == game.me) {
            (None, _) => format!("{words}{}", Over::aside(self.over)),
            (Some(by), true) => format!("YOUR TIME IS OVERSTEPPED{by} ({words})"),
            (Some(by), false) => format!("OVERSTEPPED{by} ({words}): amici claim {}", game.id),
        }
    }
}

/// A line for each game, in the order of the marks: its first mark, and after it the others.
fn by_game<'a>(marks: impl Iterator<Item = &'a Listed<'a>>, now: Moment) -> Vec<String> {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for listed in marks {
        let (game, day, words) = (listed.game, listed.mark.date.format("%a %d %b"), listed.words(now));
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
fn waits(game: &Summary<'_>, now: Moment) -> String {
    let (id, opponent) = (&game.id, clip(&game.opponent, 24));
    let last = game.last.as_ref().map_or("the first move is yours".to_owned(), |last| {
        format!("{} {} ({})", last.number, last.numeric, last.san)
    });
    let thought = game.figures(now).days_this_move;
    format!("{id}  {opponent}: {last}, {} so far", in_words(thought))
}

/// The days that the side on the move has used before.
fn used(game: &Summary<'_>) -> String {
    format!("{}{}", if game.is_mover_partial() { "at least " } else { "" }, in_words(game.days_used()))
}

/// By how many days the side on the move has overstepped a limit: ` by 3`, or ` by up to 3`; `None` where it has not.
fn overstepped_by(game: &Summary<'_>, now: Moment) -> Option<String> {
    let (by, is_most) = game.over_by(now)?;
    // of days that are not on record a figure is the least, and both together tell nothing
    match (is_most, game.is_mover_partial()) {
        (true, true) => Some(String::new()),
        (true, false) if by > 1 => Some(format!(" by up to {by}")),
        (false, true) => Some(format!(" by at least {by}")),
        _ => Some(format!(" by {by}")),
    }
}

/// The notice that the time of the side on the move is overstepped, told once; `mark` is the limit, `sum` how it comes about, `terms` what a
/// claim of it needs. `cause` is what it is told for.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn overstepped(
    game: &Summary<'_>,
    (mark, sum, terms): (&Mark, Option<&str>, Option<&str>),
    cause: &str,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let moment = me.moment(now);
    let mine = mark.side == game.me;
    let by = overstepped_by(game, moment).unwrap_or_default();
    let (words, opponent) = (mark.words(game.me), clip(&game.opponent, 40));
    let date = mark.date.format("%a %d %b %Y");
    let whose = if mine { "YOUR" } else { "HIS" };
    // what is awaited of the opponent is no matter of the player's own clock
    let bookable = match game.over(moment, || Awaited::NOTHING) {
        Some(Over::Bookable(from)) => Some(from.format("%a %d %b %Y %H:%M")),
        _ => None,
    };
    let unless = if bookable.is_some() { ", unless you book his mail on the next day" } else { "" };
    let mut body = String::new();
    paragraph(&mut body, &format!("Game {} against {opponent}: {whose} TIME IS OVERSTEPPED{by}{unless}.", game.id));
    if let Some(from) = &bookable {
        paragraph(
            &mut body,
            &format!(
                "The rules let you book it so: state the next day as that of receipt in your answer, and your time is over from {from} on only."
            ),
        );
    }
    let (key, value) = mark.why(&game.control);
    paragraph(&mut body, &format!("The last day was {date} ({words}). By the rules of the event, {key}: {value}."));
    let this_move = in_words(game.figures(moment).days_this_move);
    let sum = sum.map(|sum| format!(": {sum}")).unwrap_or_default();
    paragraph(&mut body, &format!("{} used, and {this_move} for this move so far{sum}.", used(game)));
    if mine {
        paragraph(&mut body, &format!("He may claim it. Send your move:  amici play {} MOVE", game.id));
    } else {
        terms.into_iter().for_each(|terms| paragraph(&mut body, terms));
        paragraph(
            &mut body,
            "You may claim it from the director, before you answer his late move. The draft of it, and what speaks against it:",
        );
        let _ = writeln!(body, "    amici claim {}\n", game.id);
    }
    let _ = writeln!(body, "To see it:  amici show {}", game.id);
    body.push_str("You are told of this once.\n");
    let is = if bookable.is_some() { "MAY BE" } else { "IS" };
    mail(&format!("[amici {}] {whose} TIME {is} OVERSTEPPED{by}", game.id), body, cause, me, now)
}

/// The notice that no deadline is judged, since the clock of the machine is doubted, told once; `cause` is what it is told for.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn clock_doubted(why: Distrust, cause: &str, me: &Me, now: DateTime<Utc>) -> Result<Letter, LetterError> {
    let mut body = String::new();
    paragraph(&mut body, &format!("NO DEADLINE IS JUDGED: {why}."));
    paragraph(
        &mut body,
        "As long as it is doubted you are told of no last day, and what would get a wrong day is not done. Mails are read as ever.",
    );
    paragraph(&mut body, &format!("What to do: {}", why.help()));
    body.push_str("You are told of this once.\n");
    mail("[amici] NO DEADLINE IS JUDGED: the clock of this machine is doubted", body, cause, me, now)
}

/// The notice of one mark, told once; `cause` is what it is told for.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn urgent(
    game: &Summary<'_>,
    mark: &Mark,
    today: NaiveDate,
    cause: &str,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let words = mark.words(game.me);
    let when = relative(mark.date, today);
    let opponent = clip(&game.opponent, 40);
    let date = mark.date.format("%a %d %b %Y");
    let mut body = String::new();
    paragraph(&mut body, &format!("Game {} against {opponent}: {words}, {date} ({when}).", game.id));
    let (key, value) = mark.why(&game.control);
    if mark.kind == MarkKind::Unsent {
        paragraph(
            &mut body,
            &format!(
                "You chose a move, and the finished draft was delivered to you. Nobody has seen it sent, so your clock runs. \
                 Send it, or if you have, say on which day:  amici sent {} --on DATE",
                game.id
            ),
        );
    } else {
        paragraph(&mut body, &format!("By the rules of the event, {key}: {value}."));
    }
    let figures = game.figures(me.moment(now));
    let left = figures.days_left.map_or(String::new(), |left| format!(", {left} left to the control"));
    paragraph(&mut body, &format!("{} used, {} for this move so far{left}.", used(game), figures.days_this_move));
    let _ = writeln!(body, "To see it:  amici show {}", game.id);
    body.push_str("You are told of this once.\n");
    mail(&format!("[amici {}] {words}, {when}", game.id), body, cause, me, now)
}

/// The digest of a day; `cause` is what it is told for.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn digest(told: &News<'_>, cause: &str, me: &Me, now: DateTime<Utc>) -> Result<Letter, LetterError> {
    let mine: Vec<&Summary<'_>> = told.games.iter().filter(|game| game.is_my_turn()).collect();
    let mut body = format!(
        "{}. {} running: {} yours, {} theirs. Mails held: {}.\n",
        told.today.format("%a %d %b %Y"),
        plural(told.games.len(), "game"),
        mine.len(),
        told.games.len() - mine.len(),
        told.held.len()
    );
    let moment = me.moment(now);
    let marks = |is_new: bool| told.marks.iter().filter(move |listed| listed.is_new == is_new);
    list(&mut body, "New since the last digest:", by_game(marks(true), moment).into_iter());
    list(&mut body, "Near, or open, as before:", by_game(marks(false), moment).into_iter());
    list(&mut body, "Yours to move:", mine.iter().map(|game| waits(game, moment)));
    let held = told.held.iter().filter(|(_, is_new)| *is_new).map(|(mail, _)| {
        let from = mail.from_address.as_deref().unwrap_or("an unknown sender");
        let game = mail.game.as_ref().map(|game| format!(", {game}")).unwrap_or_default();
        format!("mail {} from {from}{game}", mail.mail)
    });
    list(&mut body, "Held since the last digest:", held);
    let not_read = |is_new: bool| {
        let mails = told.not_read.iter().filter(move |(_, new)| *new == is_new);
        mails.map(|(mail, _)| {
            let (Arrival { folder, uid, .. }, why) = (&mail.arrival, mail.reason.as_deref());
            format!("{folder} {uid}: {}", one_line(why.unwrap_or("it waits to be read"), 300))
        })
    };
    list(
        &mut body,
        "Not read since the last digest; it may be an answer of his, so look at it yourself:",
        not_read(true),
    );
    list(&mut body, "Not read, as before:", not_read(false));
    let moves = told.moves.iter().map(|(id, moves)| {
        let plies = usize::try_from(*moves).unwrap_or(usize::MAX);
        format!("{id}  {}", plural(plies, "move"))
    });
    list(&mut body, "New on record since the last digest:", moves);
    let drafted = told.games.iter().filter(|game| game.drafted).map(|game| game.id.to_string());
    list(&mut body, "Drafted, and not seen to be sent; your clock runs:", drafted);
    let undated = told.games.iter().filter(|game| game.lacks_dates()).map(|game| game.id.to_string());
    list(&mut body, "Dates are not on record, so no limit is told; amici show GAME helps:", undated);
    if !told.held.is_empty() {
        body.push_str("\nHeld mails:  amici review\n");
    }
    body.push_str("\nEverything that comes:  amici agenda\n");
    body.push_str("A digest comes only on days with news; [notify] says when.\n");
    let wait = match mine.len() {
        1 => "1 of your games waits for you".to_owned(),
        count => format!("{count} of your games wait for you"),
    };
    let parts = [
        (told.marks.len(), format!("{} near or open", plural(told.marks.len(), "mark"))),
        (mine.len(), wait),
        (told.held.len(), format!("{} held", plural(told.held.len(), "mail"))),
        (told.not_read.len(), format!("{} not read", plural(told.not_read.len(), "mail"))),
    ];
    let parts: Vec<&str> = parts.iter().filter(|(count, _)| *count > 0).map(|(_, words)| words.as_str()).collect();
    let subject = if parts.is_empty() { "what is new on record".to_owned() } else { parts.join(", ") };
    mail(&format!("[amici] {subject}"), body, cause, me, now)
}

fn list(body: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(body, "\n{title}");
    for line in lines.iter().take(MOST_LINES) {
        let _ = writeln!(body, "{}", fill(line, "  ", "       "));
    }
    if let Some(more) = lines.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
        let _ = writeln!(body, "  and {more} more");
    }
}

fn paragraph(body: &mut String, text: &str) {
    let _ = writeln!(body, "{}\n", fill(text, "", ""));
}

/// `1 game`, `2 games`
pub fn plural(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `today`, `in 2 days`, `1 day ago`
pub(super) fn relative(date: NaiveDate, today: NaiveDate) -> String {
    let days = (date - today).num_days();
    let size = plural(usize::try_from(days.unsigned_abs()).unwrap_or(usize::MAX), "day");
    match days {
        0 => "today".to_owned(),
        1.. => format!("in {size}"),
        _ => format!("{size} ago"),
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
