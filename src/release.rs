//! ONE released move: the only mail that the program ever hands over for an opponent.
//!
//! The player released it with `amici send`; its bytes stand in the store. A durable mark comes before the body: after it there is no
//! second try by itself, and a cut connection leaves `unknown` until the mail is found, or the player says what happened. What the
//! server's 250 proves goes on record as sent. A mail bears its day for good: by a clock that is doubted none is dated, and none goes out.

use chrono::{DateTime, Utc};

use crate::config::{Config, Direct, Me};
use crate::delivery::{Fate, Line, refused};
use crate::domain::game::{Game, MoveRecord, Observed, Plan};
use crate::intake::table::his_table;
use crate::io::smtp::{Delivery, Parcel, SmtpError};
use crate::io::store::{EventRow, NewMove, OutboxState, Outcome, Release, ReleaseRow, Store, StoreError, StoredGame};
use crate::letters::{self, LetterError};

/// Why a released move waits while the clock of this machine is doubted.
pub const DOUBTED: &str = "a mail to him bears its day, and the clock of this machine is doubted (amici check): it waits until the clock is believed";

/// Why a release could not be made. Nothing was kept.
#[derive(Debug, thiserror::Error)]
pub enum ReleaseError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The mail.
    #[error("the mail to the opponent could not be written: {0}")]
    Letter(#[from] LetterError),
}

/// The chosen move with the dates of `at`, and the mail with it; nothing is kept.
///
/// # Errors
/// [`ReleaseError`].
pub async fn prepare(
    store: &mut Store,
    config: &Config,
    thread: &StoredGame,
    at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<(Plan, Release), ReleaseError> {
    let (game, root) = (&thread.game, thread.root_message_id.as_str());
    let Some(chosen) = &game.plan else {
        return Err(StoreError::NoPlan { game: game.id.clone() }.into());
    };
    let plan = letters::dated(game, root, chosen, at, &config.me, now)?;
    let table = his_table(store, thread).await?;
    let planned = Game { plan: Some(plan.clone()), ..game.clone() };
    let director = letters::copy_of_answer(game, &config.me);
    let bytes = letters::finished(&planned, root, &plan, &table, &config.me, at)?;
    let myself = config.me.address().filter(|_| config.direct.bcc_self);
    let opponent = game.opponent().emails.first().cloned();
    let copies = director.into_iter().chain(myself).map(ToString::to_string);
    let recipients = opponent.into_iter().chain(copies).collect();
    let release = Release { message_id: plan.message_id.clone(), recipients, bytes, not_before: at };
    Ok((plan, release))
}

/// Whether a release waits for a clock that is believed; then it is kept why.
///
/// # Errors
/// Those of the database.
pub async fn waits_for_clock(store: &mut Store, row: &ReleaseRow, now: DateTime<Utc>) -> Result<bool, StoreError> {
    if store.clock_doubt(now).await?.is_none() {
        return Ok(false);
    }
    if row.last_error.as_deref() != Some(DOUBTED) {
        // an instant of this clock may lie years ahead: none is kept for the next try
        let outcome = Outcome::RetryAt { at: row.release.not_before, error: DOUBTED.to_owned() };
        store.finish_release(row.id, &outcome, now).await?;
        tracing::warn!(game = %row.game, "a released move was not sent: {DOUBTED}");
    }
    Ok(true)
}

/// The release as it may go out today: made anew where its day has passed while it waited. By a doubted clock it must not be asked for.
///
/// # Errors
/// [`ReleaseError`]; then it waits as it was.
pub async fn redate(
    store: &mut Store,
    config: &Config,
    row: &ReleaseRow,
    now: DateTime<Utc>,
) -> Result<ReleaseRow, ReleaseError> {
    let today = now.with_timezone(&config.me.timezone).date_naive();
    let thread = store.game(&row.game).await?;
    let stale = |thread: &StoredGame| {
        let plan = thread.game.plan.as_ref();
        plan.is_some_and(|p| p.message_id == row.release.message_id && p.stated.sent != Some(today))
    };
    let Some(thread) = thread.filter(stale) else {
        return Ok(row.clone());
    };
    let (plan, release) = prepare(store, config, &thread, now, now).await?;
    let game = &thread.game;
    store.release(&game.id, game.moves.len(), &row.release.message_id, &plan, &release, now).await?;
    let made = store.release_by_message_id(&release.message_id).await?;
    Ok(made.unwrap_or_else(|| row.clone()))
}

/// What goes on record for a released move that is proved to be sent at `at`.
fn record_of(game: &Game, plan: &Plan, at: DateTime<Utc>, me: &Me) -> NewMove {
    let local = at.with_timezone(&me.timezone);
    let observed =
        Observed { sent: Some(local.date_naive()), sent_at: Some(local.fixed_offset()), ..Observed::default() };
    NewMove {
        game: game.id.clone(),
        expected_plies: game.moves.len(),
        confirm_plan: None,
        before: plan.before.iter().map(|numeric| MoveRecord::conditional(*numeric)).collect(),
        record: MoveRecord { observed, ..MoveRecord::claimed(plan.numeric, plan.stated) },
        draw_offer: plan.draw_offer.then_some(game.me),
        conditionals: plan.conditionals.clone(),
        answer_to: None,
    }
}

/// Why a release must not go out now; `None`: it may.
///
/// # Errors
/// Those of reading the database.
pub async fn obstacle(
    store: &mut Store,
    row: &ReleaseRow,
    direct: &Direct,
    now: DateTime<Utc>,
) -> Result<Option<Outcome>, StoreError> {
    let opponent = row.release.recipients.first().and_then(|to| to.parse().ok());
    if !opponent.is_some_and(|opponent| direct.allows(&opponent)) {
        let error = "the configuration does not let moves be sent to this opponent any more ([direct] opponents)";
        return Ok(Some(Outcome::Failed { error: error.to_owned() }));
    }
    let day = chrono::Duration::days(1);
    if store.releases_begun_since(now - day).await? >= direct.daily {
        let error = format!("{} mails went to opponents within 24 hours ([direct] daily): it waits", direct.daily);
        return Ok(Some(Outcome::RetryAt { at: now + chrono::Duration::minutes(10), error }));
    }
    Ok(None)
}

/// Hands one release over, and records its move if the server takes it. `None`: trouble of the server left it as it was. `clock` gives the
/// instant when asked.
///
/// # Errors
/// [`StoreError`]; a mail whose try could not be noted was not sent.
pub async fn send(
    store: &mut Store,
    me: &Me,
    line: &mut Line,
    row: &ReleaseRow,
    clock: impl Fn() -> DateTime<Utc>,
    retry_at: impl Fn(u32) -> DateTime<Utc>,
) -> Result<Option<Fate>, StoreError> {
    let mail = &row.release;
    let from = me.address().map(ToString::to_string).unwrap_or_default();
    let to: Vec<&str> = mail.recipients.iter().map(String::as_str).collect();
    let refused =
        |error: &SmtpError| refused(error, (mail.not_before, row.attempts), clock(), || retry_at(row.attempts));
    let offered = match Parcel::new(&from, &to, &mail.bytes) {
        Ok(parcel) => line.offer(parcel).await,
        Err(error) => Some(Err(error)),
    };
    let outcome = match offered {
        None => return Ok(None),
        Some(Err(error)) => refused(&error),
        Some(Ok(ready)) => {
            if !store.begin_release(row.id, clock()).await? {
                return Ok(Some(Fate::Later("it was recalled".to_owned())));
            }
            match line.send(ready).await {
                Some(Delivery::Sent { said }) => {
                    proved(store, me, row, &said, clock()).await?;
                    return Ok(Some(Fate::Sent));
                }
                Some(Delivery::Unknown(error)) => Outcome::Unknown { error: error.to_string() },
                Some(Delivery::NotSent(error)) => refused(&error),
                // it waits with all others for the server
                None => Outcome::RetryAt { at: clock(), error: line.reason() },
            }
        }
    };
    store.finish_release(row.id, &outcome, clock()).await?;
    Ok(Some(outcome.into()))
}

/// Records the move of a release that `said` proves to be sent.
///
/// # Errors
/// [`StoreError`].
pub async fn proved(
    store: &mut Store,
    me: &Me,
    row: &ReleaseRow,
    said: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let game = store.game(&row.game).await?.map(|thread| thread.game);
    let planned = game.as_ref().and_then(|game| Some((game, game.plan.as_ref()?)));
    let Some((game, plan)) = planned.filter(|(_, plan)| plan.message_id == row.release.message_id) else {
        // his answer, or a copy in Sent, was quicker: the move is on record
        return store.finish_release(row.id, &Outcome::Sent { said: said.to_owned() }, now).await;
    };
    let at = row.last_attempt_at.filter(|_| row.state == OutboxState::Unknown).unwrap_or(now);
    let event = EventRow {
        game: Some(game.id.clone()),
        kind: "sent".to_owned(),
        text: format!("{} {} was sent for you: {said}", game.due(), plan.numeric),
    };
    store.release_sent(row.id, said, &record_of(game, plan, at, me), &event, now).await
}
