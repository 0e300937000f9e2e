//! Games that are chosen by what their rows have, and loaded whole then: a question about a few does not load the moves of all.

use std::collections::HashMap;

use chrono::NaiveDate;
use sqlx::Connection;

use super::error::StoreError;
use super::games::{Depth, load_all, stored};
use super::rows::word;
use super::{Store, StoredGame, open};
use crate::domain::game::GameId;

impl Store {
    /// The games in which the player is to move, whole, in the order they were imported.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn games_to_move(&mut self) -> Result<Vec<StoredGame>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let running: Vec<(i64, u32)> = sqlx::query_as(
            "SELECT id, (SELECT count(*) FROM moves WHERE moves.game = games.id) FROM games WHERE result IS NULL ORDER BY id",
        )
        .fetch_all(&mut *tx)
        .await?;
        let (keys, plies): (Vec<i64>, Vec<u32>) = running.into_iter().unzip();
        let outlines = load_all(&mut tx, &keys, Depth::WithoutMoves).await?;
        let is_his_turn = |game: &StoredGame, plies: u32| {
            usize::try_from(plies).is_ok_and(|plies| game.game.number_of(plies).side == game.game.me)
        };
        let among = keys.into_iter().zip(plies).zip(&outlines);
        let keys: Vec<i64> = among
            .filter(|((_, plies), outline)| is_his_turn(&outline.stored, *plies))
            .map(|((key, _), _)| key)
            .collect();
        let games = load_all(&mut tx, &keys, Depth::Whole).await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(stored(games))
    }

    /// The games that have a date of `day` or later on record, whole, in the order they were imported: the start, dates and instants of
    /// moves and of a plan, what was announced about leave and clocks, illegal moves.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn games_dated_from(&mut self, day: NaiveDate) -> Result<Vec<StoredGame>, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let keys: Vec<i64> = sqlx::query_scalar(
            "SELECT id FROM games WHERE start_date >= ?1
             UNION SELECT game FROM moves
                   WHERE max(ifnull(claimed_received, ''), ifnull(claimed_sent, ''), ifnull(observed_sent, ''),
                             ifnull(observed_arrived, ''), ifnull(agreed_received, ''), ifnull(agreed_sent, ''),
                             ifnull(observed_sent_at, ''), ifnull(observed_relayed_at, ''), ifnull(observed_arrived_at, '')) >= ?1
             UNION SELECT game FROM plans WHERE max(ifnull(received, ''), ifnull(sent, '')) >= ?1
             UNION SELECT game FROM leaves WHERE announced >= ?1
             UNION SELECT game FROM clock_notes WHERE on_day >= ?1
             UNION SELECT game FROM illegal_moves WHERE noticed_day >= ?1
             ORDER BY 1",
        )
        .bind(day)
        .fetch_all(&mut *tx)
        .await?;
        let games = load_all(&mut tx, &keys, Depth::Whole).await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(stored(games))
    }

    /// The names of all games, in the order they were imported.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn game_names(&mut self) -> Result<Vec<GameId>, StoreError> {
        let mut db = self.checkout().await?;
        let names: Vec<String> = sqlx::query_scalar("SELECT name FROM games ORDER BY id").fetch_all(&mut db).await?;
        self.checkin(db);
        names.into_iter().map(|name| word("games.name", name)).collect()
    }

    /// The ids that no new game can get: those that games have or had.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn names_taken(&mut self) -> Result<Vec<GameId>, StoreError> {
        let mut db = self.checkout().await?;
        let names: Vec<String> = sqlx::query_scalar("SELECT name FROM names").fetch_all(&mut db).await?;
        self.checkin(db);
        names.into_iter().map(|name| word("names.name", name)).collect()
    }

    /// How often each game was changed, by its id.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn versions(&mut self) -> Result<HashMap<String, i64>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<(String, i64)> = sqlx::query_as("SELECT name, version FROM games").fetch_all(&mut db).await?;
        self.checkin(db);
        Ok(rows.into_iter().collect())
    }

    /// The id of the game that has or had this one, in whatever case; `None` where none did.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn id_now(&mut self, id: &GameId) -> Result<Option<GameId>, StoreError> {
        let mut db = self.checkout().await?;
        let name: Option<String> = sqlx::query_scalar(
            "SELECT games.name FROM names JOIN games ON games.id = game WHERE names.name = ? COLLATE NOCASE",
        )
        .bind(id.as_str())
        .fetch_optional(&mut db)
        .await?;
        self.checkin(db);
        name.map(|name| word("games.name", name)).transpose()
    }
}
