//! Tells open pages that the record has changed, as server-sent events: a page then asks for itself anew.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::stream::{Stream, unfold};

use super::{Desk, Record};
use crate::io::store::Store;

/// How often the record is looked at.
const PAUSE: Duration = Duration::from_secs(2);

/// One event whenever somebody has written to the record.
pub(super) async fn events(State(desk): State<Arc<Desk>>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let record = Record(Arc::clone(&desk.house));
    let changes = unfold((record, desk, None, None), |(record, desk, mut store, mut seen)| async move {
        loop {
            if desk.ends.is_cancelled() {
                return None;
            }
            let version = version(&record, &mut store).await;
            let is_new = seen.is_some() && version.is_some() && seen != version;
            seen = version.or(seen);
            if is_new {
                return Some((Ok(Event::default().event("changed").data("the record")), (record, desk, store, seen)));
            }
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = desk.ends.cancelled() => return None,
            }
        }
    });
    Sse::new(changes).keep_alive(KeepAlive::default())
}

/// A number that is another one after each write; `None` where the record cannot be read at present.
async fn version(record: &Record, store: &mut Option<Store>) -> Option<i64> {
    if store.is_none() {
        *store = record.store().await.ok();
    }
    let version = store.as_mut()?.data_version().await.ok();
    if version.is_none() {
        *store = None;
    }
    version
}
