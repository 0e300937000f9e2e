//! What the daemon tells the player of its own accord: urgent marks and oversteps, each once, and the digest on a day with news.
//!
//! The time is an argument here, so that a test can choose it. Nothing is told without a clock that can be right. What will surprise you:
//! the first start tells nothing but what is urgent; it only notes from when on news count. An overstep is told however late the daemon
//! comes back, since a claim may depend on it, but not where the game came here after it. A mark is news that no digest has listed.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, Utc};

use super::turns::{RemindError, tell_turns};
use crate::config::{Me, Notify};
use crate::domain::clock::days::Moment;
use crate::domain::clock::events::{Mark, MarkKind};
use crate::domain::clock::over::Over;
use crate::domain::clock::trust::Distrust;
use crate::domain::summary::Summary;
use crate::io::store::{Asked, Store, StoreError};
use crate::letters::{Listed, News, claim_terms, clock_doubted, digest, overstep_sum, overstepped, urgent};
use crate::overview::{Answers, Overview, Read, refresh};

/// A day that was passed is still told for so long.
const LATE: Days = Days::new(7);
/// So long a finished draft may wait before the player is reminded of it: by the clock, not by the calendar.
const A_DAY: TimeDelta = TimeDelta::hours(24);
/// So long a doubted clock is waited for before the player hears of it.
const A_WHILE: TimeDelta = TimeDelta::hours(1);
/// Heads the causes of a clock that is doubted: of the first look at it, and of the mail about it. They are over once it is believed.
const CLOCK: &str = "clock/";
/// Heads the cause of a digest.
const DIGEST: &str = "digest/";

/// What reminding came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reminded {
    /// So many mails were put into the outbox.
    Told(usize),
    /// Nothing was judged.
    Distrusted(Distrust),
}

/// Puts into the outbox what the player has to be told at `now`; the mailbox was `read` before. Two calls at the same instant tell nothing
/// twice.
///
/// # Errors
/// [`RemindError`]; what was not told is told the next time.
pub async fn remind(
    store: &mut Store,
    me: &Me,
    notify: &Notify,
    read: Read,
    now: DateTime<Utc>,
) -> Result<Reminded, RemindError> {
    if let Some(why) = store.clock_doubt(now).await? {
        tell_doubt(store, me, why, now).await?;
        return Ok(Reminded::Distrusted(why));
    }
    store.untell(CLOCK).await?;
    refresh(store, me, now).await?;
    let moment = me.moment(now);
    let today = moment.day;
    let overview = Overview::load(store, me, today, Asked::Running).await?;
    let (waiting, answers) = (store.drafts_waiting().await?, Answers::load(store, read).await?);
    let games: Vec<Summary<'_>> = overview.summaries()?.into_iter().map(|summary| answers.heard(summary)).collect();
    let mut told = 0;
    for game in &games {
        let drafted = waiting.iter().find(|(id, _)| id.as_str() == game.id).map(|(_, since)| *since);
        let unsent = drafted.is_some_and(|since| now - since >= A_DAY);
        for mark in game.marks().iter().filter(|mark| is_urgent(game, mark, unsent, moment, notify.urgent_days)) {
            let cause = format!("{}/{}/{}/{}", game.id, game.plies + 1, mark.name(), mark.date);
            if store.is_told(&cause).await? {
                continue;
            }
            let letter = urgent(game, mark, today, &cause, me, now)?;
            told += usize::from(store.tell(&cause, Some(&letter.into_notice(game.id.parse().ok())), now).await?);
        }
        // of two limits that are passed in one thought the first is told: the figures are those of the nearer
        // where it is not sure yet, `status` and the digest say so
        let what = match game.over(moment, || answers.awaited(&game.id, game.illegal)) {
            Some(Over::Certainly) => "overstepped",
            // he can save himself, and has to hear how
            Some(Over::Bookable(_)) => "bookable",
            _ => continue,
        };
        let Some(mark) = game.marks().iter().find(|mark| mark.is_passed(moment)) else { continue };
        let cause = format!("{}/{}/{what}/{}", game.id, game.plies + 1, mark.date);
        if !store.is_told(&cause).await?
            && (is_recent(mark.date, today) || was_known(store, me, game, mark.date).await?)
        {
            let (sum, terms) = of_record(store, me, game, moment).await?;
            let letter = overstepped(game, (mark, sum.as_deref(), terms.as_deref()), &cause, me, now)?;
            told += usize::from(store.tell(&cause, Some(&letter.into_notice(game.id.parse().ok())), now).await?);
        }
    }
    told += tell_turns(store, me, &games, today, now).await?;
    if let Some(time) = notify.digest {
        told += usize::from(digest_of_day(store, me, notify, time, (&games, &answers), now).await?);
    }
    Ok(Reminded::Told(told))
}

/// Tells once for each reason that the clock is doubted and no deadline is judged, where it is so for a while: after a start the network
/// sets it.
async fn tell_doubt(store: &mut Store, me: &Me, why: Distrust, now: DateTime<Utc>) -> Result<(), RemindError> {
    let kind = match why {
        Distrust::BeforeRelease(_) => "before-release",
        Distrust::BeforeNewest { .. } => "before-newest",
        Distrust::Jumped { .. } => "jumped",
    };
    let (first, told) = (format!("{CLOCK}first/{kind}"), format!("{CLOCK}told/{kind}"));
    if store.tell(&first, None, now).await? {
        return Ok(());
    }
    let since = store.last_told(&first).await?;
    if since.is_some_and(|since| (now - since).abs() >= A_WHILE) && !store.is_told(&told).await? {
        let letter = clock_doubted(why, &told, me, now)?;
        store.tell(&told, Some(&letter.into_notice(None)), now).await?;
    }
    Ok(())
}

/// How an overstep comes about at a moment, and what the rules of the game ask of a claim on time.
async fn of_record(
    store: &mut Store,
    me: &Me,
    game: &Summary<'_>,
    now: Moment,
) -> Result<(Option<String>, Option<String>), StoreError> {
    let Ok(id) = game.id.parse() else { return Ok((None, None)) };
    let Some(stored) = store.game(&id).await? else { return Ok((None, None)) };
    let Ok(ledger) = me.ledger(&stored.game) else { return Ok((None, None)) };
    let sum = overstep_sum(&stored.game, &ledger, now, me.language);
    Ok((sum, claim_terms(ledger.rules(), me.language)))
}

/// What he is told at once: his own last days, and a draft of which no sent copy was seen for 24 hours (`unsent`).
fn is_urgent(game: &Summary<'_>, mark: &Mark, unsent: bool, now: Moment, urgent_days: u32) -> bool {
    let due = match mark.kind {
        MarkKind::Unsent => unsent,
        _ => mark.is_urgent(game.me, now.day, urgent_days),
    };
    due && is_recent(mark.date, now.day) && !mark.is_passed(now)
}

/// Whether the move before it was on record here when a limit was passed, so that it happened while the daemon was off.
async fn was_known(store: &mut Store, me: &Me, game: &Summary<'_>, last: NaiveDate) -> Result<bool, StoreError> {
    let (Ok(id), Ok(plies)) = (game.id.parse(), usize::try_from(game.plies)) else { return Ok(false) };
    let proof = store.provenance(&id, plies).await?;
    Ok(proof.is_some_and(|proof| proof.recorded_at.with_timezone(&me.timezone).date_naive() <= last))
}

fn is_recent(date: NaiveDate, today: NaiveDate) -> bool {
    date.checked_add_days(LATE).is_none_or(|end| today <= end)
}

/// Sends the digest of the last time it was due, if it was not sent and there is something new. True where a mail goes out.
async fn digest_of_day(
    store: &mut Store,
    me: &Me,
    notify: &Notify,
    time: NaiveTime,
    (games, answers): (&[Summary<'_>], &Answers),
    now: DateTime<Utc>,
) -> Result<bool, RemindError> {
    let slot = |at: DateTime<Utc>| {
        let local = at.with_timezone(&me.timezone).naive_local();
        if local.time() < time { local.date().pred_opt().unwrap_or(local.date()) } else { local.date() }
    };
    let due = slot(now);
    let cause = format!("{DIGEST}{due}");
    let last = store.last_told(DIGEST).await?;
    if last.is_some_and(|last| slot(last) >= due) {
        return Ok(false);
    }
    let moment = me.moment(now);
    let today = moment.day;
    let near = |mark: &Mark| {
        let ahead = (today..=days_after(today, notify.urgent_days)).contains(&mark.date);
        let stays = mark.is_passed(moment) || mark.kind == MarkKind::Untold;
        ahead || (mark.date < today && (is_recent(mark.date, today) || stays))
    };
    let mut marks = Vec::new();
    let mut causes = Vec::new();
    for game in games {
        let listed = |mark: &&Mark| near(mark) && (mark.date >= today || mark.is_open(game.me, today));
        let awaited = || answers.awaited(&game.id, game.illegal);
        for mark in game.marks().iter().filter(listed) {
            let over = game.over(moment, awaited).filter(|_| mark.is_passed(moment));
            let state = match over {
                None => "near",
                Some(Over::Certainly) => "passed",
                Some(_) => "perhaps",
            };
            let cause = format!("listed/{}/{}/{}/{}/{state}", game.id, game.plies + 1, mark.name(), mark.date);
            let is_new = !store.is_told(&cause).await?;
            causes.push(cause);
            let severity = mark.severity(game.me, today, notify.urgent_days);
            marks.push(Listed { game, mark: *mark, severity, over, is_new });
        }
    }
    let Some(last) = last else {
        store.tell_with(&cause, &causes, None, now).await?;
        return Ok(false);
    };
    marks.sort_by_key(|listed| (listed.severity, listed.mark.date));
    let moves = store.moves_since(last, now).await?;
    let mut not_read = Vec::new();
    for mail in answers.not_read(now) {
        let cause = format!("not-read/{}/{}/{}", mail.arrival.folder, mail.arrival.epoch, mail.arrival.uid);
        not_read.push((mail, !store.is_told(&cause).await?));
        causes.push(cause);
    }
    let held =
        answers.held.iter().map(|mail| (mail, mail.decided_at > last && mail.decided_at <= now)).collect::<Vec<_>>();
    let is_new = marks.iter().any(|listed| listed.is_new)
        || not_read.iter().any(|(_, is_new)| *is_new)
        || !moves.is_empty()
        || held.iter().any(|(_, is_new)| *is_new);
    if !is_new {
        store.tell(&cause, None, now).await?;
        return Ok(false);
    }
    let told = News { today, games, marks, moves, held, not_read };
    let letter = digest(&told, &cause, me, now)?;
    Ok(store.tell_with(&cause, &causes, Some(&letter.into_notice(None)), now).await?)
}

fn days_after(day: NaiveDate, days: u32) -> NaiveDate {
    day.checked_add_days(Days::new(days.into())).unwrap_or(day)
}
