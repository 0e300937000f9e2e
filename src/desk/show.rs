//! The pages that show: each gathers its facts and gives them to its template.

use std::sync::Arc;

use axum::extract::{Extension, Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::page::{Frame, page, refused};
use super::sessions::Guest;
use super::{
    Desk, Record, Refused, ahead as coming, event as cross, game as one, games as all, held as waiting, letters,
};
use crate::sentence;

impl Desk {
    fn record(&self) -> Record {
        Record(Arc::clone(&self.house))
    }

    /// The page of these facts, or why there is none.
    fn shown(
        &self,
        guest: &Guest,
        (title, at): (&str, &'static str),
        template: &str,
        facts: Result<Value, Refused>,
    ) -> Response {
        match facts {
            Ok(facts) => page(self, &Frame::of(guest, title, at), template, &facts),
            Err(why) => refused(self, guest, &why, None),
        }
    }
}

type Shared = State<Arc<Desk>>;

pub(super) async fn games(
    State(desk): Shared,
    Extension(guest): Extension<Guest>,
    Query(wanted): Query<all::Wanted>,
) -> Response {
    let facts = all::facts(&desk.record(), &wanted, None).await;
    desk.shown(&guest, ("Games", "games"), "games.html", facts)
}

pub(super) async fn game(
    State(desk): Shared,
    Extension(guest): Extension<Guest>,
    Path(id): Path<String>,
    Query(wanted): Query<one::Wanted>,
) -> Response {
    let facts = one::facts(&desk.record(), &id, wanted).await;
    desk.shown(&guest, (&id, ""), "game.html", facts)
}

pub(super) async fn reply(State(desk): Shared, Extension(guest): Extension<Guest>, Path(id): Path<String>) -> Response {
    match one::reply(&desk.record(), &id).await {
        Ok(reply) => {
            let kind = [(CONTENT_TYPE, "message/rfc822"), (CONTENT_DISPOSITION, "attachment; filename=\"reply.eml\"")];
            (kind, reply.bytes).into_response()
        }
        Err(why) => refused(&desk, &guest, &why, None),
    }
}

pub(super) async fn held(
    State(desk): Shared,
    Extension(guest): Extension<Guest>,
    Query(wanted): Query<waiting::Wanted>,
) -> Response {
    let facts = waiting::facts(&desk.record(), &wanted, None).await;
    desk.shown(&guest, (sentence!("Held mails"), "held"), "held.html", facts)
}

pub(super) async fn mail(
    State(desk): Shared,
    Extension(guest): Extension<Guest>,
    Path(mail): Path<i64>,
    Query(wanted): Query<waiting::Wanted>,
) -> Response {
    let facts = waiting::mail(&desk.record(), mail, wanted.game.as_deref()).await;
    desk.shown(&guest, (&format!("Mail {mail}"), ""), "mail.html", facts)
}

pub(super) async fn letter(State(desk): Shared, Extension(guest): Extension<Guest>, Path(id): Path<i64>) -> Response {
    let facts = letters::letter(&desk.record(), id).await;
    desk.shown(&guest, (&format!("Letter {id}"), ""), "mail.html", facts)
}

pub(super) async fn event(
    State(desk): Shared,
    Extension(guest): Extension<Guest>,
    Query(wanted): Query<cross::Wanted>,
) -> Response {
    let facts = cross::facts(&desk.record(), &wanted, true).await;
    desk.shown(&guest, (sentence!("An event"), ""), "event.html", facts)
}

pub(super) async fn ahead(
    State(desk): Shared,
    Extension(guest): Extension<Guest>,
    Query(wanted): Query<coming::Wanted>,
) -> Response {
    let facts = coming::facts(&desk.record(), wanted, None).await;
    desk.shown(&guest, (sentence!("What comes"), "ahead"), "ahead.html", facts)
}

pub(super) async fn nothing(State(desk): Shared, Extension(guest): Extension<Guest>) -> Response {
    refused(&desk, &guest, &Refused::missing("there is no such page"), None)
}
