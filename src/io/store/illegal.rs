//! Illegal moves: those that the player had counted, and the mails in which one was found.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{Connection, SqliteConnection};

use super::acts::{Act, put};
use super::changes::commit;
use super::error::StoreError;
use super::games::grouped;
use super::record::{EventRow, put_event};
use super::rows::{key_of, word};
use super::{Store, open};
use crate::domain::game::{Game, GameId, IllegalMail, SentIllegal};

/// Stores a counted illegal move.
pub(super) async fn put_illegal(db: &mut SqliteConnection, game: i64, illegal: &SentIllegal) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO illegal_moves (game, ply, sent_day, noticed_day) VALUES (?, ?, ?, ?)")
        .bind(game)
        .bind(illegal.ply)
        .bind(illegal.sent)
        .bind(illegal.noticed)
        .execute(db)
        .await?;
    Ok(())
}

impl Store {
    /// The running games with a mail whose illegal move was meant for the ply that is due.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn illegal_due(&mut self) -> Result<Vec<GameId>, StoreError> {
        let mut db = self.checkout().await?;
        let games: Vec<(i64, String, u32)> = sqlx::query_as(
            "SELECT id, name, 1 + (SELECT count(*) FROM moves WHERE game = games.id) FROM games
             WHERE result IS NULL AND id IN (SELECT game FROM verdicts WHERE outcome = 'illegal')",
        )
        .fetch_all(&mut db)
        .await?;
        let keys: Vec<i64> = games.iter().map(|(key, ..)| *key).collect();
        let mails = illegal_mails(&mut db, &serde_json::json!(keys).to_string()).await?;
        self.checkin(db);
        let is_due =
            |key: &i64, due: u32| mails.get(key).is_some_and(|all| all.iter().any(|(mail, _)| mail.ply == due));
        let due = games.into_iter().filter(|(key, _, due)| is_due(key, *due));
        due.map(|(_, name, _)| word("games.name", name)).collect()
    }

    /// Puts one counted illegal move of a ply in the place of another, or takes it away, on the player's word.
    ///
    /// # Errors
    /// [`StoreError::Settled`] when something else stands there than the caller saw; then nothing is written.
    pub async fn count_illegal(
        &mut self,
        game: &GameId,
        ply: u32,
        change: (Option<SentIllegal>, Option<SentIllegal>),
        event: &EventRow,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let key = key_of(&mut tx, game).await?;
        let (before, counted) = change;
        let stored: Option<(NaiveDate, NaiveDate)> =
            sqlx::query_as("SELECT sent_day, noticed_day FROM illegal_moves WHERE game = ? AND ply = ?")
                .bind(key)
                .bind(ply)
                .fetch_optional(&mut *tx)
                .await?;
        if stored != before.map(|before| (before.sent, before.noticed)) {
            tx.rollback().await?;
            self.checkin(db);
            return Err(StoreError::Settled { game: game.clone(), ply });
        }
        sqlx::query("DELETE FROM illegal_moves WHERE game = ? AND ply = ?")
            .bind(key)
            .bind(ply)
            .execute(&mut *tx)
            .await?;
        if let Some(counted) = &counted {
            put_illegal(&mut tx, key, counted).await?;
        }
        put_event(&mut tx, event, None, now).await?;
        put(&mut tx, &Act::Illegal { game: game.clone(), ply, before, counted, event: event.clone() }, now).await?;
        commit(tx).await?;
        self.checkin(db);
        Ok(())
    }
}

/// The counted illegal moves of these games, by their keys.
pub(super) async fn illegal_moves(
    db: &mut SqliteConnection,
    keys: &str,
) -> Result<HashMap<i64, Vec<SentIllegal>>, StoreError> {
    let rows: Vec<(i64, u32, NaiveDate, NaiveDate)> = sqlx::query_as(
        "SELECT game, ply, sent_day, noticed_day FROM illegal_moves WHERE game IN (SELECT value FROM json_each(?))
         ORDER BY game, ply",
    )
    .bind(keys)
    .fetch_all(db)
    .await?;
    grouped(rows.into_iter().map(|(game, ply, sent, noticed)| Ok((game, SentIllegal { ply, sent, noticed }))))
}

/// The mails of a game, each at a ply of its sender's: where the opponent answered a move of the player's that was not on record yet, his
/// ply is the one after it.
pub(super) fn placed(game: &Game, mails: Vec<(IllegalMail, bool)>) -> Vec<IllegalMail> {
    let place = |(mail, own): (IllegalMail, bool)| {
        let index = usize::try_from(mail.ply).unwrap_or(usize::MAX).saturating_sub(1);
        let is_behind = !own && game.number_of(index).side == game.me;
        IllegalMail { ply: mail.ply.saturating_add(u32::from(is_behind)), ..mail }
    };
    mails.into_iter().map(place).collect()
}

/// The mails with an illegal move, by their games' keys: the opponent's by their verdicts, unless one was read as a move after all, and
/// the player's by what was found in Sent.
///
/// Each with whether it is the player's own. A verdict is about the first ply that came on record after it; a game that was put in anew
/// has none of which that is known.
pub(super) async fn illegal_mails(
    db: &mut SqliteConnection,
    keys: &str,
) -> Result<HashMap<i64, Vec<(IllegalMail, bool)>>, StoreError> {
    let rows: Vec<(i64, u32, i64, bool)> = sqlx::query_as(
        "SELECT v.game, 1 + (SELECT count(*) FROM moves AS m WHERE m.game = v.game AND (m.recorded_at < v.decided_at
                 OR (m.recorded_at = v.decided_at AND ifnull(m.mail, 0) < v.mail))) AS of_ply, v.mail, 0
         FROM verdicts AS v
         WHERE v.outcome = 'illegal' AND v.game IN (SELECT value FROM json_each(?1))
             AND NOT EXISTS (SELECT 1 FROM moves AS m WHERE m.game = v.game AND m.mail = v.mail)
             AND NOT EXISTS (SELECT 1 FROM moves AS m WHERE m.game = v.game AND m.ply = 1 AND m.mail IS NULL
                 AND m.recorded_at > v.decided_at)
         UNION ALL
         SELECT game, ply, mail, 1 FROM sent WHERE outcome = 'illegal' AND game IN (SELECT value FROM json_each(?1))
         ORDER BY 1, 2, 3",
    )
    .bind(keys)
    .fetch_all(db)
    .await?;
    grouped(rows.into_iter().map(|(game, ply, mail, own)| Ok((game, (IllegalMail { ply, mail }, own)))))
}
