//! Summaries that are kept of games: never believed after a change, and never needed.

use amici::config::Me;
use amici::domain::clock::ledger::Booking;
use amici::domain::game::GameId;
use amici::io::store::{Asked, Lines, NewSummary, Store};
use amici::overview::{Overview, refresh};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, SqliteConnection};
use tempfile::TempDir;

use super::cli::Player;
use super::intake::{ROOT, sample};

const ZONE: Tz = chrono_tz::Europe::Vienna;

fn now() -> DateTime<Utc> {
    "2004-11-02T10:00:00Z".parse().unwrap()
}

fn today() -> NaiveDate {
    "2004-11-02".parse().unwrap()
}

fn me(timezone: Tz) -> Me {
    Me {
        name: "Quillfeather, Tobin".into(),
        emails: Vec::new(),
        timezone,
        received: Booking::SameDay,
        styles: Default::default(),
        language: Default::default(),
        picture: true,
    }
}

async fn stranger(dir: &TempDir) -> SqliteConnection {
    SqliteConnectOptions::new().filename(dir.path().join("amici.db")).foreign_keys(true).connect().await.unwrap()
}

/// A game with a part in every table, summed up.
async fn summed_up() -> (TempDir, Store) {
    let dir = TempDir::new().unwrap();
    let mut store = Store::open(dir.path()).await.unwrap();
    store.import(&[(sample(13), ROOT.to_owned())], false, now()).await.unwrap();
    stranger(&dir).await.execute(PARTS).await.unwrap();
    assert_eq!(refresh(&mut store, &me(ZONE), now()).await.unwrap(), 1);
    (dir, store)
}

const PARTS: &str = "
    INSERT INTO conditionals (game, position, line) VALUES (1, 0, '[\"4746\", \"5171\"]');
    INSERT INTO plans (game, ply, numeric, draw_offer, message_id, conditionals, chosen_at)
        VALUES (1, 14, '4746', 0, '<p@example.net>', '[]', '2004-11-01T10:00:00+00:00');
    INSERT INTO leaves (game, position, side, from_day, to_day) VALUES (1, 0, 'white', '2004-12-01', '2004-12-04');
    INSERT INTO clock_notes (game, position, ply, kind, on_day) VALUES (1, 0, 14, 'announced', '2004-11-01');
    INSERT INTO illegal_moves (game, ply, sent_day, noticed_day) VALUES (1, 14, '2004-10-31', '2004-11-01');
    INSERT INTO mails (sha256, size, subject, taken_at) VALUES (zeroblob(32), 1, '', '2004-11-01T10:00:00+00:00');
    INSERT INTO bounces (mail, game, ply, message_id, delayed, open) VALUES (1, 1, 14, '<p@example.net>', 0, 1);
    INSERT INTO sent (mail, game, ply, outcome, supplied, open) VALUES (1, 1, 13, 'recorded', 0, 0);";

/// The tables that a summary is made of, each with a row that can be put in again and a column that can be changed.
const WATCHED: &[(&str, &str)] = &[
    ("addresses", "address"),
    ("bounces", "open"),
    ("clock_notes", "on_day"),
    ("conditionals", "line"),
    ("illegal_moves", "noticed_day"),
    ("leaves", "to_day"),
    ("moves", "claimed_total"),
    ("plans", "numeric"),
    ("players", "name"),
    ("sent", "open"),
];
/// Tables with a game that no list shows, that are asked for beside the summaries, or whose rows come with a move.
const APART: &[&str] = &[
    "changes",
    "drafts",
    "events",
    "former_names",
    "hints",
    "notes",
    "outbox",
    "releases",
    "seen_message_ids",
    "summaries",
    "verdicts",
];

async fn stale(store: &mut Store) -> usize {
    let games: Vec<GameId> = store.watched_games().await.unwrap().into_iter().map(|g| g.stored.game.id).collect();
    let overview = Overview::load(store, &me(ZONE), today(), Asked::All).await.unwrap();
    assert_eq!((overview.summaries().unwrap().len(), games.len()), (1, 1), "each game is shown, stale or not");
    // what is not stale is not summed up again
    refresh(store, &me(ZONE), now()).await.unwrap()
}

#[tokio::test]
async fn a_summary_is_refused_after_a_change_in_any_table_that_it_is_made_of() {
    let (dir, mut store) = summed_up().await;
    assert_eq!(stale(&mut store).await, 0);
    let mut db = stranger(&dir).await;
    db.execute("PRAGMA foreign_keys = OFF").await.unwrap();
    for (table, column) in WATCHED {
        for sql in [
            format!("UPDATE {table} SET {column} = {column} WHERE game = 1"),
            format!("CREATE TEMP TABLE kept AS SELECT * FROM {table} WHERE rowid = (SELECT max(rowid) FROM {table})"),
            format!("DELETE FROM {table} WHERE rowid = (SELECT max(rowid) FROM {table})"),
            format!("INSERT INTO {table} SELECT * FROM temp.kept"),
        ] {
            db.execute(AssertSqlSafe(sql.clone())).await.unwrap();
            // without a player the game cannot be read; the row is put back by the next step
            if sql.starts_with("DELETE FROM players") {
                continue;
            }
            let expected = usize::from(!sql.starts_with("CREATE"));
            assert_eq!(stale(&mut store).await, expected, "{sql}");
        }
        db.execute("DROP TABLE temp.kept").await.unwrap();
    }
    db.execute("UPDATE games SET event = 'EM/1' WHERE id = 1").await.unwrap();
    assert_eq!(stale(&mut store).await, 1);
    db.execute("UPDATE games SET last_message_id = '<x@example.org>'").await.unwrap();
    assert_eq!(stale(&mut store).await, 1, "columns that are added later count too");
}

#[tokio::test]
async fn every_table_of_a_game_is_watched_or_known_to_stand_apart() {
    let (dir, _store) = summed_up().await;
    let mut db = stranger(&dir).await;
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT m.name FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS f
         WHERE m.type = 'table' AND f.\"table\" IN ('games', 'players')
         UNION SELECT m.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c
         WHERE m.type = 'table' AND c.name = 'game' ORDER BY 1",
    )
    .fetch_all(&mut db)
    .await
    .unwrap();
    let mut known: Vec<&str> = WATCHED.iter().map(|(table, _)| *table).chain(APART.iter().copied()).collect();
    known.sort_unstable();
    assert_eq!(tables, known, "a new table of a game needs its three triggers, or a reason to stand apart");
}

#[tokio::test]
async fn a_summary_by_another_program_zone_or_booking_or_for_another_time_is_refused() {
    let (dir, mut store) = summed_up().await;
    assert_eq!(refresh(&mut store, &me(ZONE), now()).await.unwrap(), 0);
    assert_eq!(refresh(&mut store, &me(chrono_tz::Pacific::Auckland), now()).await.unwrap(), 1);
    assert_eq!(refresh(&mut store, &me(ZONE), now()).await.unwrap(), 1);
    let next_day = Me { received: Booking::NextDay, ..me(ZONE) };
    assert_eq!(refresh(&mut store, &next_day, now()).await.unwrap(), 1);
    let late = "2007-11-02T10:00:00Z".parse().unwrap();
    assert_eq!(refresh(&mut store, &me(ZONE), late).await.unwrap(), 1, "it ends after a thousand days");
    stranger(&dir).await.execute("UPDATE installation SET summed_up_by = 'another program'").await.unwrap();
    assert_eq!(refresh(&mut store, &me(ZONE), late).await.unwrap(), 1);
}

#[tokio::test]
async fn a_summary_of_a_game_that_changed_meanwhile_is_kept_in_vain() {
    let (_dir, mut store) = summed_up().await;
    let old = store.watched_games().await.unwrap().remove(0);
    store.undo(&old.stored.game.id, now()).await.unwrap();
    let body = amici::overview::summed_up(&old, &me(ZONE), today()).unwrap().encode();
    let until = "9999-12-31".parse().unwrap();
    let summary = NewSummary { game: old.stored.game.id.clone(), version: old.version, until, body };
    store.keep_summaries("me", &[summary]).await.unwrap();
    let mut found = 0;
    let count = |lines: Lines| {
        found += lines.summaries()?.count();
        Ok(())
    };
    let kept = store.summaries("me", today(), Asked::All, count).await.unwrap();
    assert_eq!((found, kept.stale.len()), (0, 1));
}

#[tokio::test]
async fn a_game_that_is_put_in_anew_is_summed_up_anew() {
    let (_dir, mut store) = summed_up().await;
    store.import(&[(sample(12), ROOT.to_owned())], true, now()).await.unwrap();
    assert_eq!(stale(&mut store).await, 1);
}

#[test]
fn the_lists_are_the_same_with_and_without_summaries() {
    let player = Player::with_sample();
    let shown = || {
        ["2004-11-02T10:00:00Z", "2005-06-01T10:00:00Z", "2009-01-01T00:00:00Z"].map(|at| {
            [
                player.run(&["status", "--at", at]).result(),
                player.run(&["status", "--json", "--at", at]).result(),
                player.run(&["agenda", "--json", "--at", at]).result(),
            ]
        })
    };
    let with = shown();
    let count = || {
        let db = sqlite(&player, "SELECT count(body) FROM summaries");
        db.trim().to_owned()
    };
    assert_eq!(count(), "1", "the import summed its games up");
    sqlite(&player, "UPDATE summaries SET until_day = NULL, body = NULL");
    assert_eq!(shown(), with);
    assert_eq!(count(), "0", "looking writes nothing");
}

/// One value, or nothing, from a statement on the player's database.
fn sqlite(player: &Player, sql: &'static str) -> String {
    let path = player.path("data").join("amici.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut db = SqliteConnectOptions::new().filename(path).connect().await.unwrap();
        let value: Option<i64> = sqlx::query_scalar(sql).fetch_optional(&mut db).await.unwrap();
        value.map(|value| value.to_string()).unwrap_or_default()
    })
}
