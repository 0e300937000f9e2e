//! One game: the board and the moves that are legal, the score with its days, the draft that waits, and why each date counts.

use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::{Chess, Position};

use super::deed::state_of;
use super::games::bars;
use super::letters::by_ply;
use super::plot::{Bar, Pair, plot};
use super::walk::Walk;
use super::{Record, Refused};
use crate::config::Me;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::reasons::Reckoning;
use crate::domain::clock::rules::TimeControl;
use crate::domain::game::{Game, GameId, Side};
use crate::domain::notation::{NumericMove, san, words};
use crate::intake::table::his_table;
use crate::io::store::{Store, StoredGame};
use crate::letters::{OwnReply, own_reply};
use crate::mail::uri::percent;

/// What of the game is wanted.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(super) struct Wanted {
    /// The position after so many plies, and why the last of them counts; the newest one without it.
    #[serde(default)]
    ply: Option<usize>,
    /// Leave out what is not played yet: the draft, and the lines that are offered.
    #[serde(skip)]
    played_only: bool,
}

impl Wanted {
    /// The newest position, and what is not played yet only where it is asked for.
    pub(super) fn as_file(ahead: bool) -> Wanted {
        Wanted { ply: None, played_only: !ahead }
    }
}

/// The game with this id.
///
/// # Errors
/// [`Refused`] where there is none.
pub(super) async fn stored(store: &mut Store, id: &str) -> Result<StoredGame, Refused> {
    let missing = || Refused::missing(format!("there is no game {id}"));
    let id: GameId = id.parse().map_err(|_| missing())?;
    let id = store.id_now(&id).await?.ok_or_else(missing)?;
    store.game(&id).await?.ok_or_else(missing)
}

/// The reply that waits, as the opponent will see it.
///
/// # Errors
/// [`Refused`] where none is drafted.
pub(super) async fn reply(record: &Record, id: &str) -> Result<OwnReply, Refused> {
    let me = record.0.config()?.me;
    let mut store = record.store().await?;
    let thread = stored(&mut store, id).await?;
    if !thread.game.plan.as_ref().is_some_and(|plan| plan.is_drafted()) {
        return Err(Refused::missing(format!("game {} has no draft", thread.game.id)));
    }
    letter(&mut store, &thread, &me, record).await
}

async fn letter(store: &mut Store, thread: &StoredGame, me: &Me, record: &Record) -> Result<OwnReply, Refused> {
    let table = his_table(store, thread).await?;
    own_reply(&thread.game, &thread.root_message_id, &table, me, record.0.now()).map_err(Refused::failed)
}

/// What the page shows.
///
/// # Errors
/// [`Refused`]
pub(super) async fn facts(record: &Record, id: &str, wanted: Wanted) -> Result<Value, Refused> {
    let config = record.0.config()?;
    let me = &config.me;
    let mut store = record.store().await?;
    let thread = stored(&mut store, id).await?;
    let game = &thread.game;
    let id = game.id.as_str();
    let show = record.document(&["show", "--json", "--", id]).await?;
    let in_words = record.0.run(["show", "--", id].map(str::to_owned).to_vec()).await?;
    let replay = game.replay().map_err(Refused::failed)?;
    let ledger = me.ledger(game).map_err(Refused::failed)?;
    let plies = game.moves.len();
    let mut walk = Walk::of(game, &replay);
    if !wanted.played_only {
        walk.look_ahead(game, &offered(&show));
    }
    let at = walk.place(wanted.ply);
    let why = match at.checked_sub(1).filter(|index| wanted.ply.is_some() && *index < plies) {
        Some(index) => {
            let ply = game.number_of(index).to_string();
            Some(record.document(&["explain", "--json", "--", id, &ply]).await?)
        }
        None => None,
    };
    let trusted = show.get("clock_trusted").and_then(Value::as_bool).unwrap_or_default();
    let now = trusted.then(|| record.0.now());
    let draft = match game.plan.as_ref().filter(|_| !wanted.played_only) {
        Some(_) => Some(letter(&mut store, &thread, me, record).await?),
        None => None,
    };
    let draft =
        draft.map(|reply| json!({"to": reply.to, "subject": reply.subject, "text": reply.text, "link": reply.link}));
    let legal = if game.is_my_turn() { legal(replay.position()) } else { Vec::new() };
    let rows = rows(game, &walk, &show);
    let mut letters = by_ply(&mut store, game, me).await?;
    if why.is_some() {
        letters.retain(|group| group.get("ply").and_then(Value::as_u64) == u64::try_from(at).ok());
    }
    Ok(json!({
        "letters": letters, "event_query": percent(&game.event), "show": show, "in_words": in_words, "state": state_of(game), "at": at, "plies": plies, "why": why,
        "board": walk.drawn(at), "placed": walk.placed(), "steps": walk.steps(at), "lines": walk.lines(), "legal": legal, "draft": draft,
        "bars": bars(game, &ledger, now, me), "plot": days(game, &ledger), "rows": rows,
        "due": game.due().to_string(), "mine": game.is_my_turn(), "opponent": game.opponent().name,
        "to_move": game.to_move().word(),
        "plan": game.plan.as_ref().map(|plan| plan.in_words(game.due())),
        "drafted": game.plan.as_ref().is_some_and(|plan| plan.is_drafted()),
        "sends_to": game.opponent().emails.first().filter(|email| config.sends_to(email)),
        "has_director": me.styles.director_of(&game.event).is_some(),
        "he_offers": game.draw_offer == Some(game.me.other()) && game.result.is_none(),
    }))
}

/// The legal moves, by their names.
fn legal(position: &Chess) -> Vec<Value> {
    let mut moves: Vec<(String, Value)> = position
        .legal_moves()
        .iter()
        .map(|played| {
            let (numeric, short) = (NumericMove::of(played), san(position, played));
            let value = json!({
                "numeric": numeric, "san": short, "words": words(position, played),
                "from": numeric.from_square().to_string(), "to": numeric.to_square().to_string(),
                "promotes": numeric.promotion().map(|role| role.upper_char().to_string()),
            });
            (short, value)
        })
        .collect();
    moves.sort_by(|(one, _), (other, _)| one.cmp(other));
    moves.into_iter().map(|(_, value)| value).collect()
}

/// The score, a line for each move of both: its number, and White's and Black's half as `show` has them.
fn rows(game: &Game, walk: &Walk, show: &Value) -> Vec<Value> {
    let moves = show.get("moves").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut rows: Vec<(u32, [Value; 2])> = Vec::new();
    for (index, shown) in moves.iter().enumerate() {
        let number = game.number_of(index);
        let mut half = shown.clone();
        if let Some(half) = half.as_object_mut() {
            half.insert("words".to_owned(), json!(walk.words(index + 1)));
        }
        if rows.last().is_none_or(|(last, _)| *last != number.number) {
            rows.push((number.number, [Value::Null, Value::Null]));
        }
        if let Some((_, [white, black])) = rows.last_mut() {
            *(if number.side == Side::White { white } else { black }) = half;
        }
    }
    rows.into_iter().map(|(number, [white, black])| json!({"number": number, "white": white, "black": black})).collect()
}

/// The lines that the opponent offers, as far as they are numeric moves.
fn offered(show: &Value) -> Vec<Vec<NumericMove>> {
    let plies = |line: &Value| {
        let plies = line.as_array().into_iter().flatten();
        plies.map_while(|ply| ply.as_str()?.parse().ok()).collect()
    };
    show.get("offers").and_then(Value::as_array).into_iter().flatten().map(plies).collect()
}

/// The plot of the days in the score.
fn days(game: &Game, ledger: &Ledger) -> Option<String> {
    let rules = ledger.rules();
    let is_known = |index: usize| ledger.plies().get(index).is_some_and(|time| time.days.is_some());
    let mut pairs: Vec<(u32, Pair)> = Vec::new();
    for index in 0..game.moves.len() {
        let number = game.number_of(index);
        if pairs.last().is_none_or(|(last, _)| *last != number.number) {
            let ends_control = rules.control.allowance(number.number).is_some_and(|(_, end)| end == number.number);
            // where each move has a control of its own there is none to mark
            let ends_control = ends_control && !matches!(rules.control, TimeControl::Fischer { .. });
            pairs.push((number.number, Pair { bars: [None, None], ends_control }));
        }
        let reckoning = Reckoning::of_ply(game, ledger, index).filter(|_| is_known(index));
        if let Some((_, Pair { bars: [mine, his], .. })) = pairs.last_mut() {
            *(if number.side == game.me { mine } else { his }) = reckoning.map(|reckoning| Bar::of(&reckoning, rules));
        }
    }
    plot(&pairs.into_iter().map(|(_, pair)| pair).collect::<Vec<_>>())
}
