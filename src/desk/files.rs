//! What the pages fetch: the style, the scripts, the pieces. All of it is in the program.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::board::piece;

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The files by their names.
pub(super) const FILES: [(&str, &str, &str); 6] = [
    ("desk.css", CSS, include_str!("static/desk.css")),
    ("desk.js", SCRIPT, include_str!("static/desk.js")),
    ("walk.js", SCRIPT, include_str!("static/walk.js")),
    ("chessground.js", SCRIPT, include_str!("static/chessground/chessground.min.js")),
    ("chessground.css", CSS, include_str!("static/chessground/chessground.base.css")),
    ("LICENSE", "text/plain; charset=utf-8", include_str!("static/chessground/LICENSE")),
];

/// The script of pages that are files.
pub(super) const REPLAY: &str = concat!(include_str!("static/walk.js"), include_str!("static/replay.js"));

/// A file of the program.
pub(super) async fn file(Path(name): Path<String>) -> Response {
    if let Some((_, kind, text)) = FILES.iter().find(|(known, ..)| *known == name) {
        return ([(CONTENT_TYPE, *kind)], *text).into_response();
    }
    let drawing = name.strip_suffix(".svg").and_then(piece);
    match drawing {
        Some(svg) => ([(CONTENT_TYPE, "image/svg+xml")], svg).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such file.\n").into_response(),
    }
}
