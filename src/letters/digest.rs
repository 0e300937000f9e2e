//! What the player is told without an incoming mail: a mark that can cost him a game, and the digest of a day with news.
//!
//! Plain text of at most 72 columns. No move stands in it: it may be read over a shoulder, and the board is one command away.

use std::fmt::Write;

use chrono::{DateTime, NaiveDate, Utc};

use super::wrap::fill;
use super::{Letter, LetterError, finish, message_id};
use crate::config::Me;
use crate::domain::clock::days::in_words;
use crate::domain::clock::events::{Mark, MarkKind, Severity};
use crate::domain::game::GameId;
use crate::domain::summary::Summary;
use crate::domain::transmission::compose::clip;
use crate::mail::draft::{DraftMessage, Mailbox};

/// Lines of one list at most; a player with more near marks than this looks into the agenda.
const MOST_LINES: usize = 30;

/// What a digest tells.
#[derive(Debug)]
pub struct News<'a> {
    /// The day, in the player's place.
    pub today: NaiveDate,
    /// The running games.
    pub games: &'a [Summary<'a>],
    /// Near and open marks, worst first, with their games.
    pub marks: Vec<(&'a Summary<'a>, Mark, Severity)>,
    /// Games with moves put on record since the last digest, and how many.
    pub moves: Vec<(GameId, u32)>,
    /// Mails that wait for the player.
    pub held: usize,
}

/// The notice of one mark, told once; `cause` makes its Message-ID.
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
                 Send it, or if you have, say  amici sent {}",
                game.id
            ),
        );
    } else {
        paragraph(&mut body, &format!("By the rules of the event, {key}: {value}."));
    }
    let figures = game.figures(me.moment(now));
    let left = figures.days_left.map_or(String::new(), |left| format!(", {left} left to the control"));
    paragraph(
        &mut body,
        &format!("{} used, {} for this move so far{left}.", in_words(game.days_used()), figures.days_this_move),
    );
    let _ = writeln!(body, "To see it:  amici show {}", game.id);
    body.push_str("You are told of this once.\n");
    mail(&format!("[amici {}] {words}, {when}", game.id), body, cause, me, now)
}

/// The digest of a day; `cause` makes its Message-ID.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn digest(told: &News<'_>, cause: &str, me: &Me, now: DateTime<Utc>) -> Result<Letter, LetterError> {
    let mine = told.games.iter().filter(|game| game.is_my_turn()).count();
    let mut body = format!(
        "{}. {} running: {mine} yours, {} theirs. Mails held: {}.\n",
        told.today.format("%a %d %b %Y"),
        count(told.games.len(), "game"),
        told.games.len() - mine,
        told.held
    );
    let mark = |(game, mark, severity): &(&Summary<'_>, Mark, Severity)| {
        let sign = if *severity == Severity::Urgent { "!!" } else { " !" };
        let opponent = clip(&game.opponent, 24);
        format!("{sign} {}  {}  {opponent}: {}", mark.date.format("%a %d %b"), game.id, mark.words(game.me))
    };
    list(&mut body, "Near, or open:", told.marks.iter().map(mark));
    let moves = told.moves.iter().map(|(id, moves)| {
        let plies = usize::try_from(*moves).unwrap_or(usize::MAX);
        format!("{id}  {}", count(plies, "move"))
    });
    list(&mut body, "New on record since the last digest:", moves);
    let drafted = told.games.iter().filter(|game| game.drafted).map(|game| game.id.to_string());
    list(&mut body, "Drafted, and not seen to be sent; your clock runs:", drafted);
    let undated = told.games.iter().filter(|game| game.is_undated()).map(|game| game.id.to_string());
    list(&mut body, "Since when is not on record, so no day is told; amici show GAME helps:", undated);
    if told.held > 0 {
        body.push_str("\nHeld mails:  amici review\n");
    }
    body.push_str("\nEverything that comes:  amici agenda\n");
    body.push_str("A digest comes only on days with news; [notify] says when.\n");
    let near = count(told.marks.len(), "mark");
    mail(&format!("[amici] {near} near or open, {mine} of your games wait for you",), body, cause, me, now)
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

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `today`, `in 2 days`, `1 day ago`
pub(super) fn relative(date: NaiveDate, today: NaiveDate) -> String {
    let days = (date - today).num_days();
    let size = count(usize::try_from(days.unsigned_abs()).unwrap_or(usize::MAX), "day");
    match days {
        0 => "today".to_owned(),
        1.. => format!("in {size}"),
        _ => format!("{size} ago"),
    }
}

/// A mail from the player to himself that belongs to no thread.
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
        message_id: message_id(&[cause.as_bytes()], "told", me).map_err(|_| unusable())?,
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
    fn a_digest_has_no_move_and_ends_long_lists() {
        let today = "2004-11-27".parse().unwrap();
        let game = Summary::of(&sample_game(), &Ledger::of(&sample_game()).unwrap(), None, today).unwrap();
        let mark = *game.marks().first().unwrap();
        let games = [game.clone()];
        let told = News {
            today,
            games: &games,
            marks: vec![(&game, mark, Severity::Soon); 33],
            moves: vec![("SAMPLE-1".parse().unwrap(), 1)],
            held: 2,
        };
        let letter = digest(&told, "digest/2004-11-27", &me(), "2004-11-27T10:00:00Z".parse().unwrap()).unwrap();
        let text = text(&letter);
        assert!(text.contains("\n  and 3 more\n") && text.contains("  SAMPLE-1  1 move\n"), "{text}");
        assert!(text.contains("1 game running: 1 yours, 0 theirs. Mails held: 2.\n"), "{text}");
        assert!(!text.contains("5171") && !text.contains("O-O"), "{text}");
        assert!(text.lines().all(|line| line.len() <= 72), "{text}");
    }
}
