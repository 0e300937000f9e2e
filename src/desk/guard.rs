//! Who is let in, and what every answer says: the host, the origin and the session of each request, and the headers of each response.
//!
//! Other pages in the same browser can send requests here, and a foreign name can be made to point here (DNS rebinding): so the
//! host must be this desk's own, what acts must come from a page of its own, and nothing is answered across sites.
//! What will surprise you: even pictures and styles need a session, so that no page finds out that a desk runs here.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Extension, Query, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderValue, LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::Desk;
use super::form::Filled;
use super::sessions::{Guest, opened};

/// Nothing from elsewhere, nothing inline, no frames, forms only to here.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// What stands above every answer.
const HEADERS: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (CACHE_CONTROL, "no-store"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // "no-referrer" would take the origin away from forms too
    (REFERRER_POLICY, "same-origin"),
    (X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Why somebody is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outside {
    /// The request is for another host.
    Host,
    /// It comes from a page of another site.
    Elsewhere,
    /// It acts, and no page of the desk sent it.
    Origin,
    /// It has no session.
    Session,
    /// The link does not open one.
    Link,
}

impl Outside {
    fn words(self) -> &'static str {
        match self {
            Outside::Host => "this desk answers under its own address only",
            Outside::Elsewhere => "a page of another site asked for this",
            Outside::Origin => "no page of this desk sent this",
            Outside::Session => "this desk is opened with the link that `amici desk` gives",
            Outside::Link => "this link was used before, is too old, or is none; `amici desk` gives another one",
        }
    }
}

impl IntoResponse for Outside {
    fn into_response(self) -> Response {
        (StatusCode::FORBIDDEN, format!("{}\n", self.words())).into_response()
    }
}

/// Lets a request in, or refuses it.
pub(super) async fn guard(State(desk): State<Arc<Desk>>, mut request: Request, next: Next) -> Response {
    let mut response = match admitted(&desk, &request) {
        Ok(guest) => {
            if let Some(guest) = guest {
                request.extensions_mut().insert(guest);
            }
            next.run(request).await
        }
        Err(outside) => outside.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The guest who sends a request; `None` for whoever brings a link.
fn admitted(desk: &Desk, request: &Request) -> Result<Option<Guest>, Outside> {
    let headers = request.headers();
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(&HOST).filter(|_| headers.get_all(HOST).iter().count() == 1);
    let host = host.filter(|host| hosts(desk.address).iter().any(|own| own == host)).ok_or(Outside::Host)?;
    let site = headers.get("sec-fetch-site").map(|site| site.as_bytes());
    if site.is_some_and(|site| site != b"same-origin" && site != b"none") {
        return Err(Outside::Elsewhere);
    }
    let only_looks = request.method() == Method::GET || request.method() == Method::HEAD;
    if !only_looks && text(&ORIGIN) != Some(&format!("http://{host}")) {
        return Err(Outside::Origin);
    }
    if only_looks && request.uri().path() == "/enter" {
        return Ok(None);
    }
    let session = cookie(headers, desk.address).ok_or(Outside::Session)?;
    let guest = desk.sessions().guest(session, desk.house.now());
    guest.map(Some).ok_or(Outside::Session)
}

/// The names under which this machine reaches the desk.
fn hosts(address: SocketAddr) -> [String; 2] {
    [address.to_string(), format!("localhost:{}", address.port())]
}

/// Browsers give cookies to every port of a host: the name tells the desks apart.
fn cookie_name(address: SocketAddr) -> String {
    format!("amici-desk-{}", address.port())
}

fn cookie(headers: &HeaderMap, address: SocketAddr) -> Option<&str> {
    let name = cookie_name(address);
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// What a link carries.
#[derive(Deserialize)]
pub(super) struct Key {
    #[serde(default)]
    key: String,
}

/// Exchanges a link for a session.
pub(super) async fn enter(State(desk): State<Arc<Desk>>, method: Method, Query(Key { key }): Query<Key>) -> Response {
    if method != Method::GET {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let now = desk.house.now();
    let entered = || {
        let link = opened(&desk.key, desk.address, &key, now)?;
        let (session, token) = (desk.house.secret()?, desk.house.secret()?);
        desk.sessions().enter(link, session.clone(), token, now).then_some(session)
    };
    let Some(session) = entered() else { return Outside::Link.into_response() };
    let cookie = format!("{}={session}; Path=/; HttpOnly; SameSite=Strict", cookie_name(desk.address));
    moved("/", Some(&cookie))
}

/// Ends the session.
pub(super) async fn leave(State(desk): State<Arc<Desk>>, Extension(guest): Extension<Guest>, form: Filled) -> Response {
    if !form.is_of(&guest) {
        return Outside::Origin.into_response();
    }
    desk.sessions().leave(&guest.session);
    let cookie = format!("{}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0", cookie_name(desk.address));
    ([(SET_COOKIE, cookie)], "You have left the desk. `amici desk` opens it again.\n").into_response()
}

/// That a form without the token of the session does nothing.
pub(super) fn without_token() -> Response {
    Outside::Origin.into_response()
}

/// To another page, by GET.
pub(super) fn moved(to: &str, cookie: Option<&str>) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    let mut put = |name, text: &str| {
        if let Ok(value) = HeaderValue::from_str(text) {
            response.headers_mut().insert(name, value);
        }
    };
    put(LOCATION, to);
    cookie.into_iter().for_each(|cookie| put(SET_COOKIE, cookie));
    response
}
