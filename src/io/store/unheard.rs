//! What may have kept the player's last move from an opponent, or the answer from the record: his mails that led to nothing, and reports
//! of mail servers. When the last move went out is told beside it; what follows from both, `overview` knows.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::FromRow;

use super::Store;
use super::error::StoreError;
use super::player::Held;
use super::rows::{integer, json};
use crate::domain::game::GameId;

/// What makes a verdict one that is settled without a move of its mail's own; the index `verdicts_settled` has the same words.
pub(super) const SETTLED: &str = "open = 0 AND outcome NOT IN ('move', 'own', 'not_game_mail')";
/// What makes a settled verdict one that the player put away, and whose mail gave no move after all.
pub(super) const PUT_AWAY: &str =
    "EXISTS (SELECT 1 FROM events WHERE events.game IS verdicts.game AND events.mail = verdicts.mail AND kind = 'ignored')
     AND NOT EXISTS (SELECT 1 FROM moves WHERE moves.game = verdicts.game AND moves.mail = verdicts.mail)";

/// When the last move of a running game went out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastSent {
    /// First; where only the day is known, when it was recorded on it, else its beginning.
    pub first: DateTime<Utc>,
    /// When it went on record; by a clock that ran ahead, at the latest when the player said that.
    pub recorded_at: DateTime<Utc>,
    /// Once more by mails that were seen, to the second.
    pub resent: Vec<DateTime<Utc>>,
    /// Once more as a reminder, last, by the clock notes.
    pub reminded: Option<NaiveDate>,
    /// Once more to one who may not have had it, last, by the clock notes: his silence is counted from then.
    pub counted: Option<NaiveDate>,
}

#[derive(FromRow)]
struct LastSentRow {
    game: String,
    first: DateTime<Utc>,
    recorded_at: DateTime<Utc>,
    resent: String,
    reminded: Option<NaiveDate>,
    counted: Option<NaiveDate>,
}

/// A report that the mail with the last move of a running game did not arrive, and whose days are not counted from another one.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct CameBack {
    game: String,
    /// When it came.
    pub at: DateTime<Utc>,
    /// Nothing has shown since that the move arrived.
    pub open: bool,
    /// When another mail with it went out, the first that did not come back, as far as that is known.
    pub resent: Option<DateTime<Utc>>,
    /// On which day it went out as a reminder, last, by the clock notes.
    pub reminded: Option<NaiveDate>,
}

impl Store {
    /// The opponents' mails that led to nothing, oldest first: repeats, and those that the player put away.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn passed_over(&mut self) -> Result<Vec<Held>, StoreError> {
        self.held_where(&format!("{SETTLED} AND (outcome = 'duplicate' OR ({PUT_AWAY}))")).await
    }

    /// When the last moves of running games went out, by the names of the games: of these, or of all.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn last_sent(&mut self, games: Option<&[&GameId]>) -> Result<HashMap<String, LastSent>, StoreError> {
        let mut db = self.checkout().await?;
        let names = games.map(|games| serde_json::json!(games).to_string());
        let rows: Vec<LastSentRow> = sqlx::query_as(
            "WITH asked (id) AS (
                 SELECT id FROM games WHERE ?1 IS NULL
                 UNION ALL SELECT games.id FROM json_each(?1) CROSS JOIN games ON games.name = value)
             SELECT name AS game, iif(recorded_at > word.at AND recorded_at <= word.newest, word.at, recorded_at) AS recorded_at,
                    strftime('%Y-%m-%dT%H:%M:%SZ', coalesce(observed_sent_at,
                        (SELECT iif(day = date(recorded_at), recorded_at, day)
                         FROM (SELECT coalesce(agreed_sent, observed_sent, claimed_sent) AS day)), recorded_at)) AS first,
                    (SELECT json_group_array(strftime('%Y-%m-%dT%H:%M:%SZ', ifnull(server_date, taken_at)))
                     FROM sent JOIN mails ON mails.id = sent.mail
                     WHERE sent.game = games.id AND sent.ply = last.ply AND outcome = 'repeated') AS resent,
                    (SELECT max(until_day) FROM clock_notes
                     WHERE clock_notes.game = games.id AND clock_notes.ply = last.ply + 1 AND kind = 'repeated') AS reminded,
                    (SELECT max(on_day) FROM clock_notes WHERE clock_notes.game = games.id AND clock_notes.ply = last.ply + 1
                     AND kind IN ('returned', 'missed')) AS counted
             FROM asked JOIN games ON games.id = asked.id
             JOIN moves AS last ON last.game = games.id AND last.ply = (SELECT max(ply) FROM moves WHERE game = games.id)
             LEFT JOIN (SELECT at, body ->> '$.newest' AS newest FROM acts WHERE kind = 'clock-right' ORDER BY id DESC LIMIT 1) AS word
             WHERE result IS NULL",
        )
        .bind(names)
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        let sent = |row: LastSentRow| {
            let LastSentRow { game, first, recorded_at, resent, reminded, counted } = row;
            let resent = json("sent.mail", &resent)?;
            Ok((game, LastSent { first, recorded_at, resent, reminded, counted }))
        };
        rows.into_iter().map(sent).collect()
    }

    /// When a move of the player's went out once more, first by a mail that is neither this one nor came back, and the day of the last
    /// reminder that was entered as sent.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn sent_once_more(
        &mut self,
        game: &GameId,
        ply: usize,
        message_id: &str,
    ) -> Result<(Option<DateTime<Utc>>, Option<NaiveDate>), StoreError> {
        let mut db = self.checkout().await?;
        let found = sqlx::query_as(
            "SELECT (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', min(julianday(ifnull(server_date, taken_at))))
                     FROM sent JOIN mails ON mails.id = sent.mail
                     WHERE sent.game = games.id AND sent.ply = ?2 AND outcome = 'repeated' AND message_id IS NOT ?3
                           AND NOT EXISTS (SELECT 1 FROM bounces WHERE bounces.game = games.id AND NOT delayed
                                           AND bounces.message_id = mails.message_id)),
                    (SELECT max(until_day) FROM clock_notes WHERE clock_notes.game = games.id
                     AND clock_notes.ply = ?2 + 1 AND kind = 'repeated')
             FROM games WHERE name = ?1",
        )
        .bind(game.as_str())
        .bind(integer(ply))
        .bind(message_id)
        .fetch_optional(&mut db)
        .await?;
        self.checkin(db);
        Ok(found.unwrap_or_default())
    }

    /// The reports about the last moves of the running games, by the names of the games; of several the last one.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn came_back(&mut self) -> Result<HashMap<String, CameBack>, StoreError> {
        let mut db = self.checkout().await?;
        let rows: Vec<CameBack> = sqlx::query_as(
            "SELECT name AS game, ifnull(server_date, taken_at) AS at, open,
                    (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', min(julianday(ifnull(server_date, taken_at)))) FROM sent JOIN mails ON mails.id = sent.mail
                     WHERE sent.game = games.id AND sent.ply = bounces.ply AND outcome = 'repeated'
                           AND NOT EXISTS (SELECT 1 FROM bounces AS other WHERE other.game = games.id AND NOT other.delayed
                                           AND other.message_id = mails.message_id)) AS resent,
                    (SELECT max(until_day) FROM clock_notes WHERE clock_notes.game = games.id
                     AND clock_notes.ply = bounces.ply + 1 AND kind = 'repeated') AS reminded
             FROM bounces CROSS JOIN games ON games.id = game JOIN mails ON mails.id = mail
             WHERE NOT delayed AND result IS NULL AND ply = (SELECT max(ply) FROM moves WHERE moves.game = games.id)
                   AND (open OR NOT EXISTS (SELECT 1 FROM clock_notes WHERE clock_notes.game = games.id
                                            AND clock_notes.ply = bounces.ply + 1 AND kind = 'returned'))
             ORDER BY bounces.id",
        )
        .fetch_all(&mut db)
        .await?;
        self.checkin(db);
        Ok(rows.into_iter().map(|row| (row.game.clone(), row)).collect())
    }
}
