//! What the commands of care have in common: what the player consents to, what a letter may say, a letter kept and handed over.
//!
//! Every letter is a draft to the player; nothing goes to an opponent or a director by itself.

use std::str::FromStr;

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;

use super::confirm::{self, Consent};
use super::line::Day;
use super::queue::failed;
use super::when::written;
use super::{Exit, Failure, Report, Setup};
use crate::config::Config;
use crate::domain::clock::days::Moment;
use crate::domain::clock::over::{Awaited, IllegalDays};
use crate::domain::clock::settle::meant;
use crate::domain::game::{ClockNote, Game, GameId, IllegalMail};
use crate::io::store::{Care, EventRow, Store, StoredGame};
use crate::letters::{self, Errand, ReadsAs};
use crate::overview::{Again, Answers, Read, Unheard};

/// The player's consent to what the rules or the record speak against; without a terminal only `--yes` is one.
pub(super) fn consent(yes: bool, objections: &[String], question: &str) -> Result<(), Failure> {
    if yes || objections.is_empty() {
        return Ok(());
    }
    let text = objections.join("\n");
    match confirm::ask(&text, question) {
        Consent::Yes => Ok(()),
        Consent::No => Err(Failure::new(Exit::NeedsConfirmation, "nothing was done")),
        Consent::NotAsked => Err(Failure::new(
            Exit::NeedsConfirmation,
            format!("{text}\nhelp: nothing was done; say the same with --yes if you want it all the same"),
        )),
    }
}

/// Words of the player's that go to the opponent: never a move, and nothing doubtful unasked.
pub(super) fn screened(game: &Game, words: &str, today: NaiveDate) -> Result<Vec<String>, Failure> {
    let text: String = words.chars().filter(|c| !c.is_control() || *c == '\n').collect();
    if text.trim().is_empty() {
        return Err(failed("the text is empty\nhelp: say what you want to write with -m TEXT"));
    }
    match letters::reads_as(game, &letters::message_body(&text), today) {
        ReadsAs::Words => Ok(Vec::new()),
        ReadsAs::Doubtful(what) => Ok(vec![format!("the text could be read as more than words: {what}")]),
        ReadsAs::Binding(what) => Err(Failure::new(
            Exit::IllegalMove,
            format!(
                "the text can be read as a move or as the end of the game: {what}\nhelp: a move is sent with `amici play {} MOVE`; leave it out of the text",
                game.id
            ),
        )),
    }
}

/// The game goes on; else why not.
pub(super) fn running(game: &Game) -> Result<(), Failure> {
    letters::ended(game).map_or(Ok(()), |why| Err(failed(why)))
}

/// What is known of an answer of the opponent's in a game that is not on record.
pub(super) async fn awaited(
    store: &mut Store,
    config: &Config,
    game: &Game,
    now: DateTime<Utc>,
) -> Result<Awaited, Failure> {
    let rules = game.ruleset().map_err(|e| failed(e.to_string()))?;
    Ok(Answers::at(now, store, config).await?.awaited(game.id.as_str(), IllegalDays::of(game, &rules)))
}

/// What is known of answers of the opponents'; `None` where the player himself is on the move.
pub(super) async fn answers(
    store: &mut Store,
    config: &Config,
    game: &Game,
    now: DateTime<Utc>,
) -> Result<Option<Answers>, Failure> {
    Ok(if game.is_my_turn() { None } else { Some(Answers::at(now, store, config).await?) })
}

/// What speaks against saying of an opponent that he has not answered: all that [`Answers`] know of, and a mailbox that was not read since
/// an instant; of the former what counts.
pub(super) fn unheard(
    answers: Option<&Answers>,
    config: &Config,
    game: &Game,
    since: DateTime<Utc>,
    counts: impl Fn(&Unheard<'_>) -> bool,
) -> Result<Vec<String>, Failure> {
    let Some(answers) = answers else { return Ok(Vec::new()) };
    let rules = game.ruleset().map_err(|e| failed(e.to_string()))?;
    let (illegal, zone) = (IllegalDays::of(game, &rules), config.me.timezone);
    let of_game = answers.unheard(game.id.as_str(), illegal).filter(counts);
    let mut found: Vec<String> = of_game.filter_map(|one| objection(game, one, zone)).collect();
    if answers.read.until() < since {
        let when = match answers.read {
            Read::At(at) => format!("last read on {}", at.with_timezone(&zone).format("%a %d %b %Y %H:%M")),
            Read::ByHim | Read::Never => "never read by this program".to_owned(),
        };
        found.push(format!("your mailbox was {when}, and his answer may have come since: read it first,  amici poll"));
    }
    Ok(found)
}

/// Why one thing speaks against it, and what to do about it first.
fn objection(game: &Game, unheard: Unheard<'_>, zone: Tz) -> Option<String> {
    let day = |at: DateTime<Utc>| at.with_timezone(&zone).format("%a %d %b %Y");
    let id = &game.id;
    let counted_from = |again: Again, what: &str| {
        let on = again.day(zone);
        format!(
            "went out again on {}, but his {what} counted from the first mail; to count from then:  amici repeat {id} --sent --on {on}",
            on.format("%a %d %b %Y")
        )
    };
    Some(match unheard {
        Unheard::CameBack(report, again) => {
            let number = game.number_of(game.moves.len().checked_sub(1)?);
            let then = again.map_or_else(
                || {
                    "he may not have it, and his silence says nothing; send it by another address or way first"
                        .to_owned()
                },
                |again| format!("it {}", counted_from(again, "days are")),
            );
            format!("a mail server reported on {} that your {number} did not reach him: {then}", day(report.at))
        }
        Unheard::Held(held) => format!(
            "mail {0} of {1} is held and may be his answer ({2}): settle it first,  amici review --mail {0}",
            held.mail,
            day(held.arrived()),
            held.reason
        ),
        Unheard::Illegal => {
            let IllegalMail { mail, .. } = game.illegal_mails.iter().find(|mail| mail.ply == game.due_ply())?;
            format!(
                "mail {mail} gives an illegal move: by the rules of this game his days stand still until he is told of it, and only your word counts them so,  amici clock illegal {id} {} --noticed DATE --why TEXT",
                game.due()
            )
        }
        Unheard::Repeated(held, again) => {
            let then = again.map_or_else(
                || format!("send that again first,  amici repeat {id}"),
                |again| format!("that {}", counted_from(again, "silence is")),
            );
            format!(
                "mail {} of {} repeats his own last move, so he may not have yours: {then}",
                held.mail,
                day(held.arrived())
            )
        }
        Unheard::PutAway(held) => format!(
            "mail {0} of {1} came after your move and was put away: was it no answer? If it was one,  amici accept {id} MOVE --mail {0}",
            held.mail,
            day(held.arrived())
        ),
        Unheard::NotRead(mail) => format!(
            "the mail {} {} of {} was not read ({}) and may be his answer: look at it in your mail client; if it is, save it and say  amici take FILE.eml",
            mail.arrival.folder,
            mail.arrival.uid,
            day(mail.arrival.server_date.unwrap_or(mail.noted_at)),
            mail.reason.as_deref().unwrap_or("it waits to be read")
        ),
    })
}

/// Takes a note about the ply that is due out again, the last one that is meant.
pub(super) async fn take_back(
    setup: &Setup,
    mut store: Store,
    game: &Game,
    (what, on): (&str, Option<NaiveDate>),
    is_meant: impl Fn(&ClockNote) -> bool,
) -> Result<Report, Failure> {
    let of_due = |note: &&ClockNote| note.ply == game.due_ply() && is_meant(note) && on.is_none_or(|on| on == note.on);
    let number = game.due();
    let text = |note: &ClockNote| format!("the {what} of {} was taken out: it counts no more for {number}", note.on);
    if let Some(note) = game.clock_notes.iter().rev().find(of_due)
        && store.remove_clock_note(&game.id, note, &event(&game.id, "clock", text(note)), setup.now).await?
    {
        return Ok(format!("For {number} the {what} of {} counts no more.\n", note.on).into());
    }
    let day = on.map(|on| format!(" of {on}")).unwrap_or_default();
    Err(failed(format!("no {what}{day} is on record for {number} of game {}\nhelp: nothing was changed", game.id)))
}

/// A line of the journal.
pub(super) fn event(game: &GameId, kind: &str, text: String) -> EventRow {
    EventRow { game: Some(game.clone()), kind: kind.to_owned(), text }
}

/// How far the player wants to go with a letter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// Only see it.
    pub(super) dry_run: bool,
    /// Have it in spite of every objection.
    pub(super) yes: bool,
}

/// A letter about one game, with what is told and kept of it.
pub(super) struct OneLetter<'a> {
    pub(super) thread: &'a StoredGame,
    pub(super) errand: Errand<'a>,
    /// What the player is told first, with its line end.
    pub(super) said: String,
    /// What speaks against it.
    pub(super) objections: Vec<String>,
    pub(super) note: Option<ClockNote>,
    /// The word and the sentence of the journal.
    pub(super) journal: (&'a str, String),
}

/// Shows the letter, or drafts it once the player consents.
pub(super) async fn draft(
    setup: &Setup,
    config: &Config,
    store: Store,
    wanted: Wanted,
    one: OneLetter<'_>,
) -> Result<Report, Failure> {
    let OneLetter { thread, errand, mut said, objections, note, journal: (kind, text) } = one;
    let id = &thread.game.id;
    said.extend(errand.hints.iter().map(|hint| format!("Note: {hint}\n")));
    if wanted.dry_run {
        said.extend(objections.iter().map(|line| format!("Note: {line}\n")));
        return Ok(only_shown(&said, errand.body));
    }
    consent(wanted.yes, &objections, "Draft it all the same?")?;
    let letter = letters::errand(&thread.game, &thread.root_message_id, &errand, &config.me, setup.now)
        .map_err(|e| failed(e.to_string()))?;
    let care = Care {
        notes: note.map(|note| (id.clone(), note)).into_iter().collect(),
        events: vec![event(id, kind, text)],
        outgoing: vec![letter.into_notice(Some(id.clone()))],
        ..Care::default()
    };
    hand_over(setup, config, store, &care, said).await
}

/// Keeps it, and hands the letters over to the player.
pub(super) async fn hand_over(
    setup: &Setup,
    config: &Config,
    mut store: Store,
    care: &Care,
    mut said: String,
) -> Result<Report, Failure> {
    store.take_care(care, setup.now).await?;
    drop(store);
    if let Some(first) = care.outgoing.first() {
        said.push_str(&super::daemon::deliver(setup, config, &first.recipient).await?);
        said.push_str("Nothing has been sent to anybody else: open the draft, read it, send it yourself.\n");
    }
    Ok(said.into())
}

/// What a dry run shows.
pub(super) fn only_shown(said: &str, text: &str) -> Report {
    format!("{said}Nothing was kept. The letter would be:\n\n{text}").into()
}

/// Now at the player's place, for what is dated by it.
///
/// # Errors
/// A machine whose clock cannot be right dates nothing.
pub(super) async fn moment(setup: &Setup, config: &Config, store: &mut Store) -> Result<Moment, Failure> {
    let day = Day::of(store, config.me.timezone, setup.now, None).await?;
    day.believed().map(|_| day.moment())
}

/// The same, its day alone.
///
/// # Errors
/// As above.
pub(super) async fn today(setup: &Setup, config: &Config, store: &mut Store) -> Result<NaiveDate, Failure> {
    Ok(moment(setup, config, store).await?.day)
}

/// Two days with `..` between them, or one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: NaiveDate,
    pub(super) to: NaiveDate,
}

impl Span {
    /// Refuses days that the player cannot mean.
    pub(super) fn check(&self, today: NaiveDate) -> Result<(), Failure> {
        for day in [self.from, self.to] {
            meant(day, today).map_err(|e| failed(format!("{e}\nhelp: nothing was entered")))?;
        }
        Ok(())
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let day = |text| written(text, "2026-07-01..2026-07-14");
        let (from, to) = (day(from)?, day(to)?);
        if to < from {
            return Err(format!("{to} lies before {from}"));
        }
        if (to - from).num_days() >= 3660 {
            return Err("that is longer than ten years".to_owned());
        }
        Ok(Span { from, to })
    }
}
