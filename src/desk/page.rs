//! Pages: a template with its facts, in the frame of all pages. Every value is escaped but what the desk itself has drawn.

use std::fmt::Display;
use std::sync::LazyLock;

use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use chrono::{NaiveDate, Weekday};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Serde, Value};
use minijinja::{AutoEscape, Environment, Error, State, context};
use serde::Serialize;
use serde_json::json;

use super::board::pieces;
use super::sessions::Guest;
use super::{Desk, Refusal, Refused};
use crate::languages::Language;
use crate::sentence;

/// Every page, and the frame.
const TEMPLATES: [(&str, &str); 11] = [
    ("frame.html", include_str!("templates/frame.html")),
    ("games.html", include_str!("templates/games.html")),
    ("game.html", include_str!("templates/game.html")),
    ("held.html", include_str!("templates/held.html")),
    ("mail.html", include_str!("templates/mail.html")),
    ("text.html", include_str!("templates/text.html")),
    ("event.html", include_str!("templates/event.html")),
    ("ahead.html", include_str!("templates/ahead.html")),
    ("fields.html", include_str!("templates/fields.html")),
    ("again.html", include_str!("templates/again.html")),
    ("refused.html", include_str!("templates/refused.html")),
];

#[allow(clippy::expect_used, reason = "files of the program, which a test renders; failing loudly beats an empty page")]
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.expect("the syntax is that of Jinja"));
    environment.add_function("mail_text", mail_text);
    environment.add_function("fields", fields);
    environment.add_function("weekdays", weekdays);
    environment.add_filter("said", said);
    environment.add_filter("dated", dated);
    for (name, source) in TEMPLATES {
        environment.add_template(name, source).expect("the templates are in order");
    }
    environment
});

/// The marked text of a mail, in the page of another template.
fn mail_text(state: &State<'_, '_>, texts: Value) -> Result<Value, Error> {
    let text = state.env().get_template("text.html")?.render(context! { texts })?;
    Ok(Value::from_safe_string(text))
}

/// The language of the page.
fn language(state: &State<'_, '_>) -> Language {
    let code = state.lookup("frame").and_then(|frame| frame.get_attr("language").ok());
    code.and_then(|code| code.as_str()?.parse().ok()).unwrap_or_default()
}

/// A sentence in the language of the page: `{{ "page {page} of {pages}"|said(page=page, pages=pages) }}`
fn said(state: &State<'_, '_>, english: &str, values: Kwargs) -> Result<String, Error> {
    let values: Vec<(&str, Value)> =
        values.args().map(|name| Ok((name, values.get(name)?))).collect::<Result<_, Error>>()?;
    let with: Vec<(&str, &dyn Display)> = values.iter().map(|(name, value)| (*name, value as &dyn Display)).collect();
    Ok(language(state).fill(english, &with))
}

/// A day as this pattern of strftime has it, in the language of the page.
fn dated(state: &State<'_, '_>, day: &str, pattern: &str) -> String {
    day.parse().map_or_else(|_| day.to_owned(), |day| language(state).write(day, pattern))
}

/// The days of the week, from Monday on: in full and in short.
fn weekdays(state: &State<'_, '_>) -> Vec<[String; 2]> {
    let monday = NaiveDate::default().week(Weekday::Mon).first_day();
    monday.iter_days().take(7).map(|day| ["%A", "%a"].map(|pattern| language(state).write(day, pattern))).collect()
}

/// What a form carries unseen: the token of the session, and these values as far as there are any.
fn fields(state: &State<'_, '_>, values: Kwargs) -> Result<Value, Error> {
    let token = state.lookup("frame").map(|frame| frame.get_attr("token")).transpose()?;
    let mut fields = vec![("token".to_owned(), token.unwrap_or_default())];
    for name in values.args() {
        fields.push((name.to_owned(), values.get(name)?));
    }
    fields.retain(|(_, value)| !value.is_none() && !value.is_undefined());
    let text = state.env().get_template("fields.html")?.render(context! { fields })?;
    Ok(Value::from_safe_string(text))
}

/// What stands around a page.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Frame {
    /// The code of its language (ISO 639-1).
    pub(super) language: String,
    /// What the page is called.
    pub(super) title: String,
    /// The place in the list of pages.
    pub(super) at: &'static str,
    /// What the forms carry; nothing in a page that is a file.
    pub(super) token: Option<String>,
    #[serde(skip)]
    pub(super) session: Option<String>,
    /// The way to the first page: `/`, or the way out of the folder of a file.
    pub(super) root: &'static str,
    /// How the names of pages end: not at all, or as files.
    pub(super) ext: &'static str,
    /// Mails, letters, addresses and plans are shown.
    pub(super) mails: bool,
    /// The pages are of some games only: nothing of the others is shown.
    pub(super) part: bool,
    /// The page stands by itself, without the others.
    pub(super) alone: bool,
    /// When a page was made that is a file.
    pub(super) made: Option<String>,
}

impl Frame {
    /// The frame of a page of this guest's.
    pub(super) fn of(guest: &Guest, title: impl Into<String>, at: &'static str) -> Frame {
        let (token, session) = (Some(guest.token.clone()), Some(guest.session.clone()));
        Frame { title: title.into(), at, token, session, root: "/", mails: true, ..Frame::default() }
    }
}

/// The whole page as text.
pub(super) fn rendered(
    frame: &Frame,
    told: Option<&str>,
    template: &str,
    facts: &impl Serialize,
) -> Result<String, Error> {
    let facts = Value::from(Serde(facts));
    let body = ENVIRONMENT.get_template(template)?.render(context! { frame => Serde(frame), ..facts })?;
    let body = Value::from_safe_string(body);
    let pieces = Value::from_safe_string(pieces().to_owned());
    ENVIRONMENT.get_template("frame.html")?.render(context! { frame => Serde(frame), body, pieces, told })
}

/// A page with its facts, and with what the last deed came to.
pub(super) fn page(desk: &Desk, frame: &Frame, template: &str, facts: &impl Serialize) -> Response {
    let told = frame.session.as_ref().and_then(|session| desk.sessions().told(session));
    // what a configuration lacks that cannot be used is told elsewhere
    let language = desk.language();
    let frame =
        &Frame { language: language.to_string(), title: language.sentence(&frame.title).to_owned(), ..frame.clone() };
    match rendered(frame, told.as_deref(), template, facts) {
        Ok(text) => Html(text).into_response(),
        Err(error) => {
            tracing::error!("a page cannot be made: {error}");
            (StatusCode::INTERNAL_SERVER_ERROR, "This page cannot be made; the log says why.\n").into_response()
        }
    }
}

/// The page that says why something was not done or cannot be shown.
pub(super) fn refused(desk: &Desk, guest: &Guest, why: &Refused, back: Option<&str>) -> Response {
    let status = match why.kind {
        Refusal::Missing => StatusCode::NOT_FOUND,
        Refusal::Asks | Refusal::Failed => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let title = if back.is_some() { sentence!("Nothing was done") } else { sentence!("This cannot be shown") };
    let facts = json!({"why": why.message, "back": back.unwrap_or("/")});
    (status, page(desk, &Frame::of(guest, title, ""), "refused.html", &facts)).into_response()
}
