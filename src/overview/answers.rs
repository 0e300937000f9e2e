//! What may have kept an answer of the opponent's from the record: what waits, what led to nothing, what was not read, mail that came back,
//! and when the mailbox was read.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use chrono_tz::Tz;

use crate::config::Config;
use crate::domain::clock::again::{Lost, Sign};
use crate::domain::clock::over::{Awaited, IllegalDays, Obstacle};
use crate::domain::game::{Game, GameId};
use crate::domain::summary::Summary;
use crate::io::store::{CameBack, Heartbeat, Held, LastSent, NotRead, Store, StoreError};

/// The outcomes that count in a way of their own, as the store has them.
const ILLEGAL: &str = "illegal";
const REPEAT: &str = "duplicate";

/// When the mailbox was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Read {
    /// Never by the program: the configuration names none, and the player reads it himself.
    ByHim,
    /// Never so far.
    #[default]
    Never,
    /// To its end, last at this instant.
    At(DateTime<Utc>),
}

impl Read {
    /// As a sign of life has it.
    pub fn of(config: &Config, beat: Option<&Heartbeat>, now: DateTime<Utc>) -> Read {
        let checked = beat.and_then(|beat| beat.last_check_at);
        if config.mail.is_none() { Read::ByHim } else { Read::checked(checked, now) }
    }

    /// By a check at an instant. One later than `now` is of a clock that ran ahead: since when nothing was read, nobody knows.
    pub fn checked(at: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Read {
        at.filter(|at| *at <= now).map_or(Read::Never, Read::At)
    }

    /// Up to when nothing of it is unseen.
    pub fn until(self) -> DateTime<Utc> {
        match self {
            Read::ByHim => DateTime::<Utc>::MAX_UTC,
            Read::Never => DateTime::<Utc>::MIN_UTC,
            Read::At(at) => at,
        }
    }
}

/// What is known of answers of the opponents that are not on record.
#[derive(Debug, Default)]
pub struct Answers {
    /// What waits for the player, oldest first.
    pub held: Vec<Held>,
    /// What was announced in a mailbox and not read.
    pub not_read: Vec<NotRead>,
    /// What led to nothing: repeats of theirs, and what the player put away.
    passed: Vec<Held>,
    held_by_game: HashMap<String, Vec<usize>>,
    passed_by_game: HashMap<String, Vec<usize>>,
    illegal: HashSet<String>,
    came_back: HashMap<String, CameBack>,
    last_sent: HashMap<String, LastSent>,
    /// When the mailbox was read.
    pub read: Read,
}

/// One thing that speaks against saying of an opponent that he has not answered.
#[derive(Debug, Clone, Copy)]
pub enum Unheard<'a> {
    /// A report that the player's mail did not arrive, and when the move went out again since: his days are not counted from then.
    CameBack(&'a CameBack, Option<Again>),
    /// A mail that waits.
    Held(&'a Held),
    /// An illegal move whose days are not counted.
    Illegal,
    /// A repeat of his, and when the player's move went out again since: his silence is not counted from then.
    Repeated(&'a Held, Option<Again>),
    /// A mail that was put away.
    PutAway(&'a Held),
    /// A mail of whomever.
    NotRead(&'a NotRead),
}

/// When a move of the player's went out once more, before it was known that the first mail may not have arrived.
#[derive(Debug, Clone, Copy)]
pub enum Again {
    /// By a mail that was seen.
    Mail(DateTime<Utc>),
    /// As a reminder that was entered for a day.
    On(NaiveDate),
}

impl Again {
    /// The day of it, in the player's own place.
    pub fn day(self, zone: Tz) -> NaiveDate {
        match self {
            Again::Mail(at) => at.with_timezone(&zone).date_naive(),
            Again::On(day) => day,
        }
    }

    /// What went out first after something was `shown`. A reminder of that day may have gone out before.
    pub(crate) fn since(shown: DateTime<Utc>, resent: &[DateTime<Utc>], reminded: Option<NaiveDate>) -> Option<Again> {
        let mail = resent.iter().copied().filter(|at| *at >= shown).min().map(Again::Mail);
        mail.or(reminded.filter(|day| day.and_time(NaiveTime::MIN).and_utc() > shown).map(Again::On))
    }
}

impl Unheard<'_> {
    fn kind(self) -> Obstacle {
        match self {
            Unheard::CameBack(..) => Obstacle::CameBack,
            Unheard::Held(_) => Obstacle::Held,
            Unheard::Illegal => Obstacle::Illegal,
            Unheard::Repeated(..) => Obstacle::Repeated,
            Unheard::PutAway(_) => Obstacle::PutAway,
            Unheard::NotRead(_) => Obstacle::NotRead,
        }
    }
}

impl Answers {
    /// Those that are known at an instant, by the last sign of life.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn at(now: DateTime<Utc>, store: &mut Store, config: &Config) -> Result<Answers, StoreError> {
        let read = Read::of(config, store.heartbeat().await?.as_ref(), now);
        Answers::load(store, read).await
    }

    /// Those in the opponents' mails, and in the mailbox since it was `read`.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn load(store: &mut Store, read: Read) -> Result<Answers, StoreError> {
        let (held, passed) = (store.held().await?, store.passed_over().await?);
        let not_read = store.arrivals_not_read().await?;
        let answered: HashSet<&GameId> = passed.iter().flat_map(|mail| &mail.may_answer).collect();
        let last_sent = match (not_read.iter().any(NotRead::is_there), answered.is_empty()) {
            // an unread mail may be of any game
            (true, _) => store.last_sent(None).await?,
            (false, false) => store.last_sent(Some(&answered.into_iter().collect::<Vec<_>>())).await?,
            (false, true) => HashMap::new(),
        };
        Ok(Answers {
            last_sent,
            held_by_game: by_game(&held),
            passed_by_game: by_game(&passed),
            illegal: store.illegal_due().await?.iter().map(GameId::to_string).collect(),
            came_back: store.came_back().await?,
            held,
            passed,
            not_read,
            read,
        })
    }

    /// All that speaks, in a game in which it is the opponent's turn, against saying that he has not answered.
    pub fn unheard(&self, game: &str, illegal: IllegalDays) -> impl Iterator<Item = Unheard<'_>> {
        let came_back = self.came_back.get(game).map(|report| {
            // what another mail has followed came back for good, whichever was first
            let followed = report.resent.filter(|_| !report.open).map(Again::Mail);
            Unheard::CameBack(report, followed.or_else(|| Again::since(report.at, &[], report.reminded)))
        });
        // a mail with an illegal move is no answer once that is counted
        let held = named(&self.held, &self.held_by_game, game);
        let held = held.filter(move |mail| mail.outcome != ILLEGAL || illegal != IllegalDays::Counted);
        let stands_still = illegal == IllegalDays::StandStill && self.illegal.contains(game);
        let since = move |at: DateTime<Utc>| self.last_sent.get(game).is_some_and(|sent| at >= sent.first);
        let not_read = self.not_read.iter().filter(|mail| mail.is_there());
        let not_read = not_read.filter(move |mail| since(mail.arrival.server_date.unwrap_or(mail.noted_at)));
        came_back
            .into_iter()
            .chain(held.map(Unheard::Held))
            .chain(stands_still.then_some(Unheard::Illegal))
            .chain(self.passed(game, illegal))
            .chain(not_read.map(Unheard::NotRead))
    }

    /// The mails that came since the player's move and led to nothing.
    fn passed(&self, game: &str, illegal: IllegalDays) -> impl Iterator<Item = Unheard<'_>> {
        let sent = self.last_sent.get(game);
        let passed = named(&self.passed, &self.passed_by_game, game);
        let passed = passed.filter(move |mail| sent.is_some_and(|sent| mail.arrived() >= sent.first));
        // one that was read before the player's move was on record asks for nothing
        passed.filter_map(move |mail| match mail.outcome.as_str() {
            REPEAT => {
                let sent = sent.filter(|sent| mail.decided_at >= sent.recorded_at && !is_counted(sent, mail))?;
                Some(Unheard::Repeated(mail, Again::since(mail.arrived(), &sent.resent, sent.reminded)))
            }
            ILLEGAL if illegal != IllegalDays::Run => None,
            _ => Some(Unheard::PutAway(mail)),
        })
    }

    /// What showed by an instant that the player's last move in a game may not have reached the opponent, where it is his turn and his days
    /// and his silence are not counted from a mail that went out since.
    pub fn lost(&self, game: &Game, by: DateTime<Utc>, zone: Tz) -> Option<Lost> {
        let day = |at: DateTime<Utc>| at.with_timezone(&zone).date_naive();
        if game.is_my_turn() {
            return None;
        }
        self.unheard(game.id.as_str(), IllegalDays::Run).find_map(|unheard| {
            let (sign, at, again) = match unheard {
                Unheard::CameBack(report, again) => (Sign::CameBack, report.at, again),
                Unheard::Repeated(mail, again) => (Sign::Missed, mail.arrived(), again),
                Unheard::Held(_) | Unheard::Illegal | Unheard::PutAway(_) | Unheard::NotRead(_) => return None,
            };
            (at <= by).then(|| Lost { sign, shown: day(at), again: again.map(|again| again.day(zone)) })
        })
    }

    /// Whether the opponent, whose turn it is, repeated his own last move, and the player's did not go out again since.
    pub fn is_missed(&self, game: &str) -> bool {
        self.passed(game, IllegalDays::Run).any(|unheard| matches!(unheard, Unheard::Repeated(_, None)))
    }

    /// The summary of a game whose opponent may not have the player's last move: then he is not silent, and the move is to go out again.
    pub fn heard<'a>(&self, summary: Summary<'a>) -> Summary<'a> {
        if self.is_missed(&summary.id) { summary.not_delivered() } else { summary }
    }

    /// The mails that were not read, and of which the player should hear.
    pub fn not_read(&self, now: DateTime<Utc>) -> impl Iterator<Item = &NotRead> {
        self.not_read.iter().filter(move |mail| mail.is_worth_a_word(now))
    }

    /// What of it concerns one game, in short.
    pub fn awaited(&self, game: &str, illegal: IllegalDays) -> Awaited {
        Awaited { obstacle: self.unheard(game, illegal).next().map(Unheard::kind), read_until: self.read.until() }
    }
}

/// Whether his silence is counted from a mail that went out after this one of his.
fn is_counted(sent: &LastSent, mail: &Held) -> bool {
    let ends = |day: NaiveDate| day.checked_add_days(Days::new(1)).map(|next| next.and_time(NaiveTime::MIN).and_utc());
    sent.counted.and_then(ends).is_some_and(|end| end >= mail.arrived())
}

fn by_game(mails: &[Held]) -> HashMap<String, Vec<usize>> {
    let mut by_game: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, mail) in mails.iter().enumerate() {
        mail.may_answer.iter().for_each(|game| by_game.entry(game.to_string()).or_default().push(index));
    }
    by_game
}

fn named<'a>(
    mails: &'a [Held],
    by_game: &'a HashMap<String, Vec<usize>>,
    game: &str,
) -> impl Iterator<Item = &'a Held> {
    by_game.get(game).map_or(&[][..], Vec::as_slice).iter().filter_map(|index| mails.get(*index))
}
