//! Mails of the player's that are read once more, since the move that they answer went on record only when they had been read.

use chrono::{DateTime, Utc};
use sqlx::{Connection, SqliteConnection};

use super::acts::{self, About, Act};
use super::changes::commit;
use super::error::StoreError;
use super::record::{Taken, put_effects};
use super::rows::{key_of, word};
use super::{Store, open};
use crate::domain::game::GameId;

/// What makes a mail of the player's, read for a game, one that may answer the last move on record: judged before that move was
/// recorded, sent when it had come, of no effect so far, and not put away by the player.
const MAY_ANSWER: &str =
    "verdicts.outcome = 'own' AND mails.raw IS NOT NULL AND games.result IS NULL AND last.mail IS NOT NULL
     AND last.ply = (SELECT max(ply) FROM moves WHERE game = games.id)
     AND verdicts.decided_at < last.recorded_at
     AND julianday(ifnull(mails.server_date, mails.taken_at)) >= julianday(last.observed_arrived_at)
     AND NOT EXISTS (SELECT 1 FROM sent WHERE sent.mail = mails.id AND sent.game = games.id
                     AND outcome IN ('recorded', 'repeated', 'differs', 'second'))
     AND NOT EXISTS (SELECT 1 FROM events WHERE events.mail = mails.id AND kind IN ('command', 'ignored', 'settled'))";

impl Store {
    /// The player's mails, each with its game, that may answer a move which went on record after they were read; oldest first.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn may_answer(&mut self) -> Result<Vec<(i64, GameId)>, StoreError> {
        let mut db = self.checkout().await?;
        let sql = format!(
            "SELECT mails.id, games.name FROM verdicts JOIN mails ON mails.id = verdicts.mail JOIN games ON games.id = verdicts.game
             JOIN moves AS last ON last.game = games.id WHERE {MAY_ANSWER} ORDER BY mails.server_date, mails.id"
        );
        let rows: Vec<(i64, String)> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&mut db).await?;
        self.checkin(db);
        rows.into_iter().map(|(mail, game)| Ok((mail, word("games.name", game)?))).collect()
    }

    /// Stores what a mail of the player's means for a game now, in the place of what it meant, with all its effects; false where it
    /// was stored meanwhile or the game has gone on: then nothing is written.
    ///
    /// # Errors
    /// Those of [`Store::record`].
    pub async fn record_again(
        &mut self,
        mail: i64,
        game: &GameId,
        taken: &Taken<'_>,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        let done = replace_verdict(&mut tx, mail, game, taken, now).await?;
        if done {
            let sha256: Vec<u8> =
                sqlx::query_scalar("SELECT sha256 FROM mails WHERE id = ?").bind(mail).fetch_one(&mut *tx).await?;
            let sha256 = hex::encode(sha256);
            let effects = Taken { verdicts: Vec::new(), arrival: None, ..taken.clone() };
            put_effects(&mut tx, &effects, mail, &sha256, now).await?;
            if let Some(settings) = &taken.settings {
                acts::put_settings(&mut tx, settings, now).await?;
            }
            let about = About { mail: sha256, game: Some(game.clone()) };
            acts::put(&mut tx, &Act::ReadAgain { about }, now).await?;
        }
        commit(tx).await?;
        self.checkin(db);
        Ok(done)
    }
}

async fn replace_verdict(
    db: &mut SqliteConnection,
    mail: i64,
    game: &GameId,
    taken: &Taken<'_>,
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let key = key_of(db, game).await?;
    let Some(verdict) = taken.verdicts.iter().find(|verdict| verdict.game.as_ref() == Some(game)) else {
        return Ok(false);
    };
    let sql = format!(
        "UPDATE verdicts SET reason = ?, plies = ?, stated = ?, candidates = ?, open = ?, decided_at = ?
         WHERE id = (SELECT verdicts.id FROM verdicts JOIN mails ON mails.id = verdicts.mail JOIN games ON games.id = verdicts.game
                     JOIN moves AS last ON last.game = games.id
                     WHERE verdicts.mail = ? AND verdicts.game = ? AND {MAY_ANSWER} LIMIT 1)"
    );
    let done = sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(&verdict.reason)
        .bind(serde_json::json!(verdict.plies).to_string())
        .bind(verdict.stated_with_lines().to_string())
        .bind(serde_json::json!(verdict.candidates).to_string())
        .bind(verdict.open)
        .bind(now)
        .bind(mail)
        .bind(key)
        .execute(db)
        .await?;
    Ok(done.rows_affected() == 1)
}
