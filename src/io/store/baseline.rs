//! The state that a database held when its acts began, put into an empty one.
//!
//! The counterpart of what migration 0005 writes: the same tables and columns. Raw mails and letters are copied from the
//! database that the acts are of, since an act does not hold them.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::Connection;

use super::acts::{self, Act};
use super::error::StoreError;
use super::{Store, open};

/// Filled in an order that foreign keys allow; the parameter is the whole baseline.
const TABLES: [&str; 16] = [
    "INSERT INTO games (id, name, event, site, me, start_date, start_fen, rules, notations, draw_offer, result,
        last_message_id, root_message_id, created_at)
     SELECT value ->> 'id', value ->> 'name', value ->> 'event', value ->> 'site', value ->> 'me', value ->> 'start_date',
        value ->> 'start_fen', value ->> 'rules', value ->> 'notations', value ->> 'draw_offer', value ->> 'result',
        value ->> 'last_message_id', value ->> 'root_message_id', value ->> 'created_at' FROM json_each(?, '$.games')",
    "INSERT INTO players (game, side, name)
     SELECT value ->> 'game', value ->> 'side', value ->> 'name' FROM json_each(?, '$.players')",
    "INSERT INTO addresses (game, side, position, address, folded)
     SELECT value ->> 'game', value ->> 'side', value ->> 'position', value ->> 'address', value ->> 'folded'
     FROM json_each(?, '$.addresses')",
    "INSERT INTO mails (id, sha256, raw, size, message_id, from_address, subject, server_date, taken_at)
     SELECT value ->> 'id', unhex(value ->> 'sha256'), iif(value ->> 'kept', x'', NULL), value ->> 'size',
        value ->> 'message_id', value ->> 'from_address', value ->> 'subject', value ->> 'server_date', value ->> 'taken_at'
     FROM json_each(?, '$.mails')",
    "INSERT INTO moves (game, ply, numeric, claimed_received, claimed_sent, claimed_days, claimed_total, observed_sent,
        observed_arrived, agreed_received, agreed_sent, observed_sent_at, observed_relayed_at, observed_arrived_at,
        agreed_days, agreed_total, agreed_penalty, mail, recorded_at)
     SELECT value ->> 'game', value ->> 'ply', value ->> 'numeric', value ->> 'claimed_received', value ->> 'claimed_sent',
        value ->> 'claimed_days', value ->> 'claimed_total', value ->> 'observed_sent', value ->> 'observed_arrived',
        value ->> 'agreed_received', value ->> 'agreed_sent', value ->> 'observed_sent_at', value ->> 'observed_relayed_at',
        value ->> 'observed_arrived_at', value ->> 'agreed_days', value ->> 'agreed_total', value ->> 'agreed_penalty',
        value ->> 'mail', value ->> 'recorded_at' FROM json_each(?, '$.moves')",
    "INSERT INTO conditionals (game, position, line)
     SELECT value ->> 'game', value ->> 'position', value ->> 'line' FROM json_each(?, '$.conditionals')",
    "INSERT INTO leaves (game, position, side, from_day, to_day, announced)
     SELECT value ->> 'game', value ->> 'position', value ->> 'side', value ->> 'from_day', value ->> 'to_day',
        value ->> 'announced' FROM json_each(?, '$.leaves')",
    "INSERT INTO clock_notes (game, position, ply, kind, on_day, until_day)
     SELECT value ->> 'game', value ->> 'position', value ->> 'ply', value ->> 'kind', value ->> 'on_day', value ->> 'until_day'
     FROM json_each(?, '$.clock_notes')",
    "INSERT INTO seen_message_ids (game, position, message_id)
     SELECT value ->> 'game', value ->> 'position', value ->> 'message_id' FROM json_each(?, '$.seen_message_ids')",
    "INSERT INTO plans (game, ply, numeric, received, sent, days, total, draw_offer, message_id, chosen_at)
     SELECT value ->> 'game', value ->> 'ply', value ->> 'numeric', value ->> 'received', value ->> 'sent', value ->> 'days',
        value ->> 'total', value ->> 'draw_offer', value ->> 'message_id', value ->> 'chosen_at' FROM json_each(?, '$.plans')",
    "INSERT INTO drafts (game, ply, revision, message_id, for_day, made_at)
     SELECT value ->> 'game', value ->> 'ply', 1, value ->> 'message_id', value ->> 'sent', value ->> 'chosen_at'
     FROM json_each(?, '$.plans')",
    "INSERT INTO verdicts (id, mail, game, outcome, reason, plies, stated, discrepancies, candidates, open, decided_at)
     SELECT value ->> 'id', value ->> 'mail', value ->> 'game', value ->> 'outcome', value ->> 'reason', value ->> 'plies',
        value ->> 'stated', value ->> 'discrepancies', value ->> 'candidates', value ->> 'open', value ->> 'decided_at'
     FROM json_each(?, '$.verdicts')",
    "INSERT INTO outbox (id, kind, game, ply, mail, message_id, recipient, bytes, state, attempts, created_at)
     SELECT value ->> 'id', value ->> 'kind', value ->> 'game', value ->> 'ply', value ->> 'mail', value ->> 'message_id',
        value ->> 'recipient', x'', 'cancelled', 0, value ->> 'created_at' FROM json_each(?, '$.outbox')",
    "INSERT INTO questions (id, verdict, outbox, asked_at)
     SELECT value ->> 'id', value ->> 'verdict', value ->> 'outbox', value ->> 'asked_at' FROM json_each(?, '$.questions')",
    "INSERT INTO sender_domains (address, domain, first_at, last_at, mails)
     SELECT value ->> 'address', value ->> 'domain', value ->> 'first_at', value ->> 'last_at', value ->> 'mails'
     FROM json_each(?, '$.sender_domains')",
    "INSERT INTO events (id, game, mail, at, kind, text)
     SELECT value ->> 'id', value ->> 'game', value ->> 'mail', value ->> 'at', value ->> 'kind', value ->> 'text'
     FROM json_each(?, '$.events')",
];

impl Store {
    /// Puts the state into this empty database, with raw mails and letters from the one it is of. The state becomes its first
    /// act, so that what is rebuilt can be proven in its turn.
    ///
    /// # Errors
    /// [`StoreError::Refused`] where this database is not empty.
    pub async fn restore(&mut self, baseline: &Value, of: &mut Store, at: DateTime<Utc>) -> Result<(), StoreError> {
        let text = baseline.to_string();
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::WRITE).await?;
        for sql in TABLES {
            sqlx::query(sql).bind(&text).execute(&mut *tx).await?;
        }
        let mut source = of.checkout().await?;
        let mails: Vec<i64> =
            sqlx::query_scalar("SELECT id FROM mails WHERE raw IS NOT NULL").fetch_all(&mut *tx).await?;
        for mail in mails {
            let raw: Option<Vec<u8>> =
                sqlx::query_scalar("SELECT raw FROM mails WHERE id = ?").bind(mail).fetch_one(&mut source).await?;
            sqlx::query("UPDATE mails SET raw = ? WHERE id = ?").bind(raw).bind(mail).execute(&mut *tx).await?;
        }
        let letters: Vec<i64> = sqlx::query_scalar("SELECT id FROM outbox").fetch_all(&mut *tx).await?;
        for letter in letters {
            let bytes: Vec<u8> =
                sqlx::query_scalar("SELECT bytes FROM outbox WHERE id = ?").bind(letter).fetch_one(&mut source).await?;
            sqlx::query("UPDATE outbox SET bytes = ? WHERE id = ?").bind(bytes).bind(letter).execute(&mut *tx).await?;
        }
        of.checkin(source);
        acts::put(&mut tx, &Act::Baseline(baseline.clone()), at).await?;
        tx.commit().await?;
        self.checkin(db);
        Ok(())
    }
}
