//! The games at a glance, for `status`, `agenda`, the digest and the calendar: each as a [`Summary`].
//!
//! Kept summaries are taken where the store says that they still count; all other games are loaded and summed up. Whoever may write
//! calls [`refresh`] afterwards, so that the next look is quick. What will surprise you: a look itself never writes, and is right without any
//! kept summary.

use std::collections::HashSet;

use chrono::{DateTime, Days, NaiveDate, Utc};
use chrono_tz::Tz;

use crate::config::Me;
use crate::domain::game::{Game, GameId};
use crate::domain::summary::{Broken, Summary};
use crate::intake::table::disputed;
use crate::io::store::{Asked, Lines, NewSummary, Store, StoreError, WatchedGame};

mod answers;

pub use answers::{Again, Answers, Read, Unheard};

/// Games that are loaded at a time.
const AT_ONCE: usize = 200;
/// A kept summary is made anew when it tells of no more days than this.
const AHEAD: Days = Days::new(100);

/// Behind every day that is asked for, in the four digits by which days compare as texts.
const LAST_DAY: NaiveDate = match NaiveDate::from_ymd_opt(9999, 12, 31) {
    Some(day) => day,
    None => NaiveDate::MIN,
};

/// The summaries of games on a day.
#[derive(Debug, Default)]
pub struct Overview {
    batches: Vec<Batch>,
    /// What is known of the games beside them.
    pub seen: Seen,
}

/// What is known of games beside their summaries.
#[derive(Debug, Default)]
pub struct Seen {
    /// The games that cannot be summed up.
    pub broken: Vec<Broken>,
    /// How many games there are, finished ones that were not asked for among them.
    pub games: usize,
}

/// Some summaries, as they come.
#[derive(Debug)]
enum Batch {
    Kept(Lines),
    Made(Vec<Summary<'static>>),
}

impl Batch {
    fn each<'a>(&'a self, mut take: impl FnMut(Summary<'a>)) -> Result<(), StoreError> {
        match self {
            Batch::Kept(lines) => {
                for line in lines.summaries()? {
                    take(
                        Summary::decode(line)
                            .ok_or_else(|| StoreError::Unreadable { column: "summaries.body".to_owned() })?,
                    );
                }
            }
            Batch::Made(summaries) => summaries.iter().cloned().for_each(take),
        }
        Ok(())
    }
}

impl Overview {
    /// The games asked for on `today`, a day of the player's own place. Only reads.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn load(store: &mut Store, me: &Me, today: NaiveDate, asked: Asked) -> Result<Overview, StoreError> {
        let mut batches = Vec::new();
        let keep = |batch| {
            batches.push(batch);
            Ok(())
        };
        let seen = look(store, me, today, asked, keep).await?;
        Ok(Overview { batches, seen })
    }

    /// Each game, in no order.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] when a kept summary cannot be read back.
    pub fn summaries(&self) -> Result<Vec<Summary<'_>>, StoreError> {
        let mut all = Vec::new();
        for batch in &self.batches {
            batch.each(|summary| all.push(summary))?;
        }
        Ok(all)
    }
}

/// Hands over each of the games asked for on `today`, in no order, while others are still being read: quicker than [`Overview::load`] where
/// one at a time will do.
///
/// # Errors
/// Those of [`Overview::load`] and [`Overview::summaries`].
pub async fn each(
    store: &mut Store,
    me: &Me,
    today: NaiveDate,
    asked: Asked,
    mut take: impl FnMut(Summary<'_>),
) -> Result<Seen, StoreError> {
    look(store, me, today, asked, |batch| batch.each(&mut take)).await
}

async fn look(
    store: &mut Store,
    me: &Me,
    today: NaiveDate,
    asked: Asked,
    mut take: impl FnMut(Batch) -> Result<(), StoreError>,
) -> Result<Seen, StoreError> {
    let kept = store.summaries(&made_by(me), today, asked, |lines| take(Batch::Kept(lines))).await?;
    let mut seen = Seen { broken: Vec::new(), games: kept.games };
    for ids in kept.stale.chunks(AT_ONCE) {
        let (mut made, watched) = (Vec::with_capacity(ids.len()), store.watched(ids).await?);
        let disputed = disputed(store, me, ids).await?;
        for game in &watched {
            let summary = with_mails(game, &disputed, me, today);
            summary.map_or_else(|why| seen.broken.push(why), |summary| made.push(summary));
        }
        take(Batch::Made(made))?;
    }
    Ok(seen)
}

/// The day on which the planned move was chosen.
pub fn drafted_on(watched: &WatchedGame, zone: Tz) -> Option<NaiveDate> {
    watched.chosen_at.map(|at| at.with_timezone(&zone).date_naive())
}

/// The summary of one game, with what the mails of its opponent leave open.
fn with_mails(
    watched: &WatchedGame,
    disputed: &HashSet<GameId>,
    me: &Me,
    today: NaiveDate,
) -> Result<Summary<'static>, Broken> {
    let summary = summed_up(watched, me, today)?;
    Ok(if disputed.contains(&watched.stored.game.id) { summary.disputed() } else { summary })
}

/// The summary of one game.
///
/// # Errors
/// [`Broken`].
pub fn summed_up(watched: &WatchedGame, me: &Me, today: NaiveDate) -> Result<Summary<'static>, Broken> {
    let game = &watched.stored.game;
    let ledger = me.ledger(game).map_err(|e| Broken { game: game.id.clone(), why: e.to_string() })?;
    let summary = Summary::of(game, &ledger, drafted_on(watched, me.timezone), today)?;
    Ok(match (watched.came_back, watched.seen_sent) {
        (true, _) => summary.not_delivered(),
        (false, true) => summary.seen_sent(),
        (false, false) => summary,
    })
}

/// Sums up every game that has changed, and keeps it. Gives how many.
///
/// # Errors
/// Those of the database; what was kept before stays right.
pub async fn refresh(store: &mut Store, me: &Me, now: DateTime<Utc>) -> Result<usize, StoreError> {
    let today = now.with_timezone(&me.timezone).date_naive();
    let made_by = made_by(me);
    let soon = today.checked_add_days(AHEAD).unwrap_or(today);
    let stale: Vec<GameId> = store.summaries(&made_by, soon, Asked::All, |_| Ok(())).await?.stale;
    let mut kept = 0;
    for ids in stale.chunks(AT_ONCE) {
        let (games, disputed) = (store.watched(ids).await?, disputed(store, me, ids).await?);
        // a game that cannot be computed is not kept: whoever looks at it is told why
        let to_keep = |watched: &WatchedGame| {
            let summary = with_mails(watched, &disputed, me, today).ok()?;
            Some(new_summary(&watched.stored.game.id, watched.version, &summary))
        };
        let summaries: Vec<NewSummary> = games.iter().filter_map(to_keep).collect();
        store.keep_summaries(&made_by, &summaries).await?;
        kept += summaries.len();
    }
    Ok(kept)
}

/// Sums up games that were just put in, of these versions, without reading them again.
///
/// # Errors
/// Those of the database; then whoever refreshes next does it.
pub async fn keep_new(
    store: &mut Store,
    me: &Me,
    games: impl IntoIterator<Item = (&Game, i64)>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let today = now.with_timezone(&me.timezone).date_naive();
    let summary = |(game, version): (&Game, i64)| {
        let ledger = me.ledger(game).ok()?;
        Some(new_summary(&game.id, version, &Summary::of(game, &ledger, None, today).ok()?))
    };
    let summaries: Vec<NewSummary> = games.into_iter().filter_map(summary).collect();
    store.keep_summaries(&made_by(me), &summaries).await
}

fn new_summary(game: &GameId, version: i64, summary: &Summary<'_>) -> NewSummary {
    NewSummary { game: game.clone(), version, until: summary.until().unwrap_or(LAST_DAY), body: summary.encode() }
}

/// The rules of this build, the zone by which instants become days, and how the player books his mails.
fn made_by(me: &Me) -> String {
    format!("{} {} {:?}", env!("AMICI_DOMAIN"), me.timezone, me.received)
}
