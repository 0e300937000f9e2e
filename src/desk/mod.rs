//! The desk: a local web page on which the player lives. It is a window: what it shows are the documents of the commands, and
//! what it does are commands, carried out by the program around it ([`House`]). It has no rule and no second judging.
//!
//! Nobody but the player gets in: `guard` asks each request for its host, its origin and the session that a one-time link opened
//! (`sessions`); every deed carries the token of that session. What will surprise you: pages work without scripts; and a page
//! remembers for which state of the game it was made, and a deed from an older page is refused.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::net::SocketAddr;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{get, post};
use axum::{Router, serve as serve_http};
use chrono::{DateTime, Utc};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::io::store::{Store, StoreError};
use crate::languages::Language;
use crate::letters::AnswerKey;

mod ahead;
mod board;
mod calendar;
mod deed;
mod event;
mod events;
mod files;
mod form;
mod game;
mod games;
mod guard;
mod held;
mod letters;
mod page;
mod plot;
pub mod report;
mod sessions;
mod show;
mod walk;

use sessions::Sessions;
pub use sessions::link;

/// The most that a form may hold, in bytes.
const LARGEST_FORM: usize = 64 << 10;
/// How long the end waits for answers that are under way.
const GRACE: Duration = Duration::from_secs(2);

/// What a command came to, while it runs.
pub type Running<'a> = Pin<Box<dyn Future<Output = Result<String, Refused>> + Send + 'a>>;

/// The program around the desk.
pub trait House: Send + Sync {
    /// Carries out a command: its words, without the program's name. Gives what it prints. Nobody is asked anything meanwhile.
    ///
    /// # Errors
    /// [`Refused`]; then nothing was done.
    fn run(&self, line: Vec<String>) -> Running<'_>;

    /// The configuration as it is now.
    ///
    /// # Errors
    /// [`Refused`], where it cannot be used.
    fn config(&self) -> Result<Config, Refused>;

    /// The folder of the database.
    fn data(&self) -> &Path;

    /// The time.
    fn now(&self) -> DateTime<Utc>;

    /// 32 random hexadecimal digits; `None` where the system has none.
    fn secret(&self) -> Option<String>;
}

/// Why something was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// What kind of refusal it is.
    pub kind: Refusal,
    /// The reason and what helps, in the player's words.
    pub message: String,
}

/// The kinds of refusals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It takes a second word.
    Asks,
    /// There is no such game.
    Missing,
    /// It cannot be done.
    Failed,
}

impl Refused {
    fn new(kind: Refusal, message: impl Into<String>) -> Refused {
        Refused { kind, message: message.into() }
    }

    fn failed(message: impl fmt::Display) -> Refused {
        Refused::new(Refusal::Failed, message.to_string())
    }

    fn missing(message: impl Into<String>) -> Refused {
        Refused::new(Refusal::Missing, message)
    }
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Refused {
        let kind = match error {
            StoreError::NoSuchGame { .. } => Refusal::Missing,
            _ => Refusal::Failed,
        };
        Refused::new(kind, error.to_string())
    }
}

/// The desk, as its handlers share it.
pub(crate) struct Desk {
    house: Arc<dyn House>,
    /// Where it is served.
    address: SocketAddr,
    key: AnswerKey,
    sessions: Mutex<Sessions>,
    /// One deed at a time: a page is looked at and its deed done before the next one is.
    deeds: tokio::sync::Mutex<()>,
    ends: CancellationToken,
}

impl Desk {
    /// The language in which the player is written to.
    fn language(&self) -> Language {
        self.house.config().map(|config| config.me.language).unwrap_or_default()
    }

    /// The sessions; a panic that another request met does not end them.
    fn sessions(&self) -> std::sync::MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The record, as pages are made of it.
#[derive(Clone)]
struct Record(Arc<dyn House>);

impl Record {
    /// The document that a command prints.
    async fn document(&self, line: &[&str]) -> Result<Value, Refused> {
        let line = line.iter().map(|word| (*word).to_owned()).collect();
        let text = self.0.run(line).await?;
        serde_json::from_str(&text).map_err(|error| Refused::failed(format!("a document cannot be read: {error}")))
    }

    async fn store(&self) -> Result<Store, Refused> {
        Ok(Store::open_existing_read_only(self.0.data()).await?)
    }
}

/// Serves the desk until the end is called. Links from before `since` are not good: an earlier desk may have taken them.
///
/// # Errors
/// Those of the network; where one is, nothing is served any more.
pub async fn serve(
    listener: TcpListener,
    house: Arc<dyn House>,
    key: AnswerKey,
    since: DateTime<Utc>,
    ends: CancellationToken,
) -> std::io::Result<()> {
    let address = listener.local_addr()?;
    let sessions = Mutex::new(Sessions::since(since));
    let desk =
        Arc::new(Desk { house, address, key, sessions, deeds: tokio::sync::Mutex::default(), ends: ends.clone() });
    let served = serve_http(listener, router(desk)).with_graceful_shutdown(ends.clone().cancelled_owned());
    tokio::select! {
        ended = served.into_future() => ended,
        () = async { ends.cancelled().await; tokio::time::sleep(GRACE).await } => Ok(()),
    }
}

fn router(desk: Arc<Desk>) -> Router {
    Router::new()
        .route("/", get(show::games))
        .route("/game/{id}", get(show::game))
        .route("/game/{id}/reply.eml", get(show::reply))
        .route("/held", get(show::held))
        .route("/mail/{mail}", get(show::mail))
        .route("/letter/{letter}", get(show::letter))
        .route("/event", get(show::event))
        .route("/ahead", get(show::ahead))
        .route("/events", get(events::events))
        .route("/static/{*file}", get(files::file))
        .route("/enter", get(guard::enter))
        .route("/leave", post(guard::leave))
        .route("/do/{deed}", post(deed::act))
        .fallback(show::nothing)
        .layer(DefaultBodyLimit::max(LARGEST_FORM))
        .layer(middleware::from_fn_with_state(Arc::clone(&desk), guard::guard))
        .with_state(desk)
}
