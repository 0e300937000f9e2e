//! The games as small boards, those first that need the player: the list of `amici status`, a page of it at a time.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shakmaty::Position;

use super::board::board;
use super::{Record, Refused};
use crate::config::Me;
use crate::domain::clock::ledger::Ledger;
use crate::domain::game::{Game, GameId, Side};
use crate::io::store::{Store, StoredGame};
use crate::mail::uri::percent;
use crate::say;

/// Boards on a page.
const PAGE: usize = 24;

/// Which games are wanted.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
pub(super) struct Wanted {
    /// A part of an id, of an opponent's name or of an event.
    #[serde(default)]
    q: String,
    /// `running`, `mine`, `finished`; anything else means all that run.
    #[serde(default)]
    show: String,
    /// Counted from 1.
    #[serde(default)]
    page: Option<usize>,
}

impl Wanted {
    /// Every game that runs, or every game, with this in its id, opponent or event.
    pub(super) fn all(finished: bool, of: &str) -> Wanted {
        Wanted { q: of.to_owned(), show: if finished { "all" } else { "" }.to_owned(), page: None }
    }

    /// Whether a text has what is sought.
    pub(super) fn is_in(&self, text: &str) -> bool {
        text.to_lowercase().contains(&self.q.trim().to_lowercase())
    }
}

/// What `amici status --json` says.
#[derive(Debug, Deserialize)]
pub(super) struct Status {
    pub(super) now: DateTime<Utc>,
    last_check: Option<DateTime<Utc>>,
    last_error: Option<String>,
    progress: Option<String>,
    clock_doubt: Option<String>,
    clock_trusted: bool,
    pub(super) games: Vec<Listed>,
    held: Vec<Value>,
    #[serde(default)]
    pub(super) drafts: Vec<Value>,
    #[serde(default)]
    pub(super) outbox: Vec<Value>,
    #[serde(default)]
    pub(super) released: Vec<Value>,
    #[serde(default)]
    pub(super) not_read: Vec<Value>,
}

/// A game of it.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Listed {
    pub(super) id: GameId,
    pub(super) event: String,
    pub(super) opponent: String,
    pub(super) me: String,
    to_move: Option<String>,
    pub(super) ply: u32,
    last_move: Option<Value>,
    next_event: Option<Value>,
    flags: Vec<String>,
    pub(super) result: Option<String>,
    need: String,
}

impl Status {
    /// The document as it is now.
    ///
    /// # Errors
    /// [`Refused`]
    pub(super) async fn load(record: &Record) -> Result<Status, Refused> {
        let text = record.0.run(vec!["status".to_owned(), "--json".to_owned()]).await?;
        serde_json::from_str(&text).map_err(Refused::failed)
    }

    /// Whether the mailbox is read, in words.
    pub(super) fn mailbox(&self, me: &Me) -> String {
        match (&self.progress, self.last_check) {
            (Some(progress), _) => progress.clone(),
            (None, Some(at)) => say!(me.language, "mailbox read {when}", when = me.local_words(at)),
            (None, None) => say!(me.language, "mailbox never read"),
        }
    }

    pub(super) fn head(&self, me: &Me) -> Value {
        json!({
            "now": me.local_words(self.now), "mailbox": self.mailbox(me), "trouble": self.last_error, "doubt": self.clock_doubt,
            "held": self.held.len(),
        })
    }

    /// The events of the games that run, or of all, by name.
    pub(super) fn events(&self, finished: bool) -> BTreeSet<&str> {
        let games = self.games.iter().filter(|game| finished || game.result.is_none());
        games.map(|game| game.event.as_str()).filter(|event| !event.is_empty()).collect()
    }

    /// The games that have a move drafted which is not seen to be sent.
    pub(super) fn drafted(&self) -> impl Iterator<Item = &GameId> {
        self.games.iter().filter(|game| game.flags.iter().any(|flag| flag == "draft")).map(|game| &game.id)
    }
}

impl Listed {
    fn is_mine(&self) -> bool {
        self.to_move.as_ref() == Some(&self.me)
    }

    fn fits(&self, wanted: &Wanted) -> bool {
        let has = |text: &str| wanted.is_in(text);
        let shown = match wanted.show.as_str() {
            "finished" => self.result.is_some(),
            "all" => true,
            "mine" => self.is_mine(),
            _ => self.result.is_none(),
        };
        shown && (has(self.id.as_str()) || has(&self.opponent) || has(&self.event))
    }
}

/// One clock as a bar.
#[derive(Debug, Serialize)]
pub(super) struct Bar {
    side: &'static str,
    mine: bool,
    /// It is this side's move.
    runs: bool,
    used: u32,
    this_move: u32,
    /// Up to the next control; `None` where there is no limit, or nobody knows.
    left: Option<i64>,
    /// The move that completes that control.
    until_move: Option<u32>,
    /// What is used of both together, in hundredths; 100 where it is overstepped.
    percent: i64,
}

/// Both clocks, White's first; without a moment nothing is said of the one that runs.
pub(super) fn bars(game: &Game, ledger: &Ledger, now: Option<DateTime<Utc>>, me: &Me) -> Vec<Bar> {
    let to_move = ledger.goes_on().then(|| game.to_move());
    let moment = now.map(|now| me.moment(now));
    let bar = |side: Side| {
        let clock = ledger.clock(side, to_move, moment.unwrap_or_else(|| NaiveDate::MIN.into()));
        let runs = to_move == Some(side);
        let is_known = moment.is_some() || !runs;
        let left = clock.known_left().filter(|_| is_known);
        let used = i64::from(clock.days_used) + i64::from(clock.days_this_move);
        let percent = match left {
            Some(left) if left < 0 => 100,
            Some(left) if used + left > 0 => used * 100 / (used + left),
            _ => 0,
        };
        let this_move = if is_known { clock.days_this_move } else { 0 };
        Bar {
            side: side.name(),
            mine: side == game.me,
            runs,
            used: clock.days_used,
            this_move,
            left,
            until_move: clock.until_move,
            percent,
        }
    };
    [Side::White, Side::Black].into_iter().map(bar).collect()
}

/// The board and the clocks of a game in the list.
async fn drawn(store: &mut Store, me: &Me, now: Option<DateTime<Utc>>, id: &GameId) -> Result<Value, Refused> {
    let Some(StoredGame { game, .. }) = store.game(id).await? else { return Ok(Value::Null) };
    let replay = game.replay().map_err(Refused::failed)?;
    let ledger = me.ledger(&game).map_err(Refused::failed)?;
    let last = game.moves.last().map(|record| [record.numeric.from_square(), record.numeric.to_square()]);
    let marked = last.iter().flatten().copied().collect::<Vec<_>>();
    let drawing = board(replay.position().board(), &marked, game.me, &format!("after {} plies", game.moves.len()));
    Ok(json!({"board": drawing, "bars": bars(&game, &ledger, now, me)}))
}

/// What the page shows.
///
/// # Errors
/// [`Refused`]
pub(super) async fn facts(record: &Record, wanted: &Wanted, most: Option<usize>) -> Result<Value, Refused> {
    let me = record.0.config()?.me;
    let status = Status::load(record).await?;
    let fitting: Vec<&Listed> = status.games.iter().filter(|game| game.fits(wanted)).collect();
    let size = most.unwrap_or(PAGE);
    let pages = fitting.len().div_ceil(size).max(1);
    let page = wanted.page.unwrap_or(1).clamp(1, pages);
    let now = status.clock_trusted.then_some(status.now);
    let mut games = Vec::new();
    if !fitting.is_empty() {
        let mut store = record.store().await?;
        for listed in fitting.iter().skip((page - 1).saturating_mul(size)).take(size) {
            let mut game = json!(listed);
            let drawing = drawn(&mut store, &me, now, &listed.id).await?;
            if let (Some(game), Some(more)) = (game.as_object_mut(), drawing.as_object()) {
                game.insert("mine".to_owned(), json!(listed.is_mine()));
                game.extend(more.clone());
            }
            games.push(game);
        }
    }
    let running = status.games.iter().filter(|game| game.result.is_none());
    let (mine, theirs): (Vec<&Listed>, Vec<&Listed>) = running.partition(|game| game.is_mine());
    Ok(json!({
        "head": status.head(&me), "games": games, "wanted": wanted, "query": format!("q={}&show={}&", percent(&wanted.q), percent(&wanted.show)), "page": page, "pages": pages, "found": fitting.len(),
        "mine": mine.len(), "theirs": theirs.len(), "finished": status.games.len() - mine.len() - theirs.len(),
    }))
}
