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
            let newest = newest(&record, &mut store).await;
            let is_new = seen.is_some() && newest.is_some() && seen != newest;
            seen = newest.or(seen);
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

/// How far the record has come; `None` where it cannot be read at present.
async fn newest(record: &Record, store: &mut Option<Store>) -> Option<(i64, i64)> {
    if store.is_none() {
        *store = record.store().await.ok();
    }
    let newest = store.as_mut()?.newest().await.ok();
    if newest.is_none() {
        *store = None;
    }
    newest
}
