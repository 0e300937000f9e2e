//! The held mails, and any mail that is kept: the text as it was written, each place coloured by what it was read as, and for each reading
//! the board before and after it. What can be done stands beside it; the commands do it.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::Position;

use super::board::board;
use super::deed::state_of;
use super::game::stored;
use super::letters::texts;
use super::{Record, Refused};
use crate::config::{Language, Me};
use crate::domain::game::Game;
use crate::domain::notation::NumericMove;
use crate::io::store::Store;

/// Mails on a page.
const PAGE: usize = 10;

/// What of the held mails is wanted.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Wanted {
    /// This one alone.
    #[serde(default)]
    mail: Option<i64>,
    /// As it reads for this game.
    #[serde(default)]
    pub(super) game: Option<String>,
    /// With a question about it, in the language of this code.
    #[serde(default)]
    ask: Option<String>,
    /// Counted from 1.
    #[serde(default)]
    page: Option<usize>,
}

/// What the page of held mails shows.
///
/// # Errors
/// [`Refused`]
pub(super) async fn facts(record: &Record, wanted: &Wanted, most: Option<usize>) -> Result<Value, Refused> {
    let size = most.unwrap_or(PAGE);
    let me = record.0.config()?.me;
    let mut review = record.document(&["review", "--json"]).await?;
    let mut held: Vec<Value> = match review.get_mut("held").map(Value::take) {
        Some(Value::Array(held)) => held,
        _ => Vec::new(),
    };
    let number = |entry: &Value| entry.get("mail").and_then(Value::as_i64);
    let is_of = |entry: &Value| {
        let game = entry.get("game_id").and_then(Value::as_str);
        wanted.game.as_deref().is_none_or(|wanted| Some(wanted) == game)
    };
    held.retain(|entry| wanted.mail.is_none_or(|mail| number(entry) == Some(mail) && is_of(entry)));
    let (found, pages) = (held.len(), held.len().div_ceil(size).max(1));
    let page = wanted.page.unwrap_or(1).clamp(1, pages);
    let (mut shown, mut games) = (Vec::new(), Vec::new());
    if found > 0 {
        let mut store = record.store().await?;
        for mut entry in held.into_iter().skip((page - 1).saturating_mul(size)).take(size) {
            let more = beside(&mut store, &me, &entry).await?;
            if let (Some(entry), Some(more)) = (entry.as_object_mut(), more.as_object()) {
                entry.extend(more.clone());
            }
            if let Some(code) = wanted.ask.as_deref().filter(|_| wanted.mail.is_some()) {
                let question = question(record, code, &entry).await?;
                entry.as_object_mut().map(|entry| entry.insert("question".to_owned(), json!(question)));
            }
            shown.push(entry);
        }
        if most.is_none() {
            games = running(&mut store).await?;
        }
    }
    let languages = Language::ALL.map(|(language, code)| (code, format!("{language:?}")));
    Ok(json!({"held": shown, "found": found, "page": page, "pages": pages, "one": wanted.mail, "games": games,
        "languages": languages, "asks": wanted.ask}))
}

/// The question about a mail as the program words it.
async fn question(record: &Record, code: &str, entry: &Value) -> Result<String, Refused> {
    let mut line = vec!["ask".to_owned(), "--dry-run".to_owned(), format!("--language={code}")];
    line.extend(entry.get("game_id").and_then(Value::as_str).map(|game| format!("--game={game}")));
    let mail = entry.get("mail").and_then(Value::as_i64).unwrap_or_default();
    line.extend(["--".to_owned(), mail.to_string()]);
    record.0.run(line).await
}

/// The games to which a mail may belong.
async fn running(store: &mut Store) -> Result<Vec<Value>, Refused> {
    let running = store.outlines().await?.into_iter().map(|outline| outline.game).filter(|game| game.result.is_none());
    let named = |game: Game| json!({"id": game.id, "opponent": game.opponent().name, "event": game.event});
    Ok(running.map(named).collect())
}

/// What stands beside an entry of `amici review`: the marked text, the boards, what can be done.
async fn beside(store: &mut Store, me: &Me, entry: &Value) -> Result<Value, Refused> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    let mail = entry.get("mail").and_then(Value::as_i64).unwrap_or_default();
    let thread = match text("game_id") {
        Some(id) => Some(stored(store, id).await?),
        None => None,
    };
    let raw = store.mail_raw(mail).await?.unwrap_or_default();
    let shown = match store.mail(mail).await? {
        Some(kept) => texts(store, &raw, kept.arrived(), thread.as_ref()).await?,
        None => Vec::new(),
    };
    let numerics = entry.get("candidates").and_then(Value::as_array).into_iter().flatten();
    let numerics: Vec<NumericMove> =
        numerics.filter_map(|candidate| candidate.get("numeric")?.as_str()?.parse().ok()).collect();
    let boards = thread.as_ref().map(|thread| boards(&thread.game, &numerics)).transpose()?;
    let next: Vec<&str> =
        entry.get("next").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let can = |deed: &str| next.iter().any(|command| command.starts_with(&format!("amici {deed} ")));
    let local = |key: &str| text(key).and_then(|at| at.parse::<DateTime<Utc>>().ok()).map(|at| me.local_words(at));
    Ok(json!({
        "arrived": local("date"), "asked": local("asked"),
        "texts": shown, "boards": boards, "state": thread.as_ref().map(|thread| state_of(&thread.game)),
        "opponent": thread.as_ref().map(|thread| &thread.game.opponent().name),
        "can_accept": can("accept"), "can_ask": can("ask"),
    }))
}

/// The board as it stands, and after each of these moves.
fn boards(game: &Game, numerics: &[NumericMove]) -> Result<Value, Refused> {
    let expected = game.with_plan_recorded();
    let replay = expected.replay().map_err(Refused::failed)?;
    let last = expected.moves.last().map(|record| record.numeric);
    let squares = |numeric: Option<NumericMove>| -> Vec<_> {
        numeric.into_iter().flat_map(|numeric| [numeric.from_square(), numeric.to_square()]).collect()
    };
    let before = board(replay.position().board(), &squares(last), game.me, "before the mail");
    let after = |numeric: &NumericMove| {
        let mut position = replay.position().clone();
        let legal = numeric.to_move(&position).ok()?;
        position.play_unchecked(legal.played);
        let when = format!("after {} {numeric}", expected.due());
        Some(board(position.board(), &squares(Some(*numeric)), game.me, &when))
    };
    let after: Vec<_> = numerics.iter().map(after).collect();
    Ok(json!({"before": before, "after": after}))
}

/// A mail that is kept, as it reads for a game or for none.
///
/// # Errors
/// [`Refused`] where there is no such mail.
pub(super) async fn mail(record: &Record, mail: i64, game: Option<&str>) -> Result<Value, Refused> {
    let me = record.0.config()?.me;
    let mut store = record.store().await?;
    let missing = || Refused::missing(format!("there is no mail {mail}"));
    let kept = store.mail(mail).await?.ok_or_else(missing)?;
    let raw = store.mail_raw(mail).await?.unwrap_or_default();
    let thread = match game {
        Some(id) => Some(stored(&mut store, id).await?),
        None => None,
    };
    let texts = texts(&mut store, &raw, kept.arrived(), thread.as_ref()).await?;
    Ok(json!({
        "mail": mail, "from": kept.from_address, "subject": kept.subject, "message_id": kept.message_id,
        "arrived": me.local_words(kept.arrived()), "game_id": thread.map(|thread| thread.game.id),
        "texts": texts,
    }))
}
