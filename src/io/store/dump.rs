//! All that the mails and the player's acts made, as one text: a row a line, in a fixed order, the same for the same state.
//!
//! Rows are named by game and by the mail's hash instead of by keys. Every table and column is either in it or in [`LEFT_OUT`];
//! a test reads the schema and says which is forgotten.

use sqlx::{Connection, SqliteConnection};

use super::acts::{self, Performed};
use super::error::StoreError;
use super::{Store, open};

/// What is not compared: the outside world, what only tells how the rest came about, and the secret, which shows in every id.
pub const LEFT_OUT: [&str; 21] = [
    "acts",
    "arrivals",
    "auth_stop",
    "changes.version",
    "cursors",
    "drafts",
    "games.version",
    "heartbeat",
    "hints",
    "installation",
    "logins",
    "machine",
    "mails.raw",
    "outages",
    "outbox.bytes",
    "releases.bytes",
    "releases: state, attempts, last_attempt_at, next_attempt_at, last_error, said",
    "pages",
    "summaries",
    "told",
    "outbox: state, attempts, last_attempt_at, next_attempt_at, last_error, said",
];

/// The tables with what is shown of each row.
const TABLES: [(&str, &str); 22] = [
    (
        "games",
        "SELECT json_object('name', name, 'event', event, 'site', site, 'tags', json(tags), 'me', me,
            'start_date', start_date, 'start_fen', start_fen, 'rules', json(rules), 'notations', json(notations), 'draw_offer', draw_offer,
            'result', result, 'last_message_id', last_message_id, 'root_message_id', root_message_id,
            'created_at', created_at) FROM games ORDER BY name",
    ),
    (
        "former_names",
        "SELECT json_object('game', games.name, 'name', former_names.name)
         FROM former_names JOIN games ON games.id = game ORDER BY games.name, former_names.name",
    ),
    (
        "players",
        "SELECT json_object('game', games.name, 'side', side, 'name', players.name)
         FROM players JOIN games ON games.id = game ORDER BY games.name, side",
    ),
    (
        "addresses",
        "SELECT json_object('game', name, 'side', side, 'position', position, 'address', address)
         FROM addresses JOIN games ON games.id = game ORDER BY name, side, position",
    ),
    (
        "moves",
        "SELECT json_object('game', name, 'ply', ply, 'numeric', numeric, 'claimed_received', claimed_received,
            'claimed_sent', claimed_sent, 'claimed_days', claimed_days, 'claimed_total', claimed_total,
            'observed_sent', observed_sent, 'observed_arrived', observed_arrived, 'agreed_received', agreed_received,
            'agreed_sent', agreed_sent, 'observed_sent_at', observed_sent_at, 'observed_relayed_at', observed_relayed_at,
            'observed_arrived_at', observed_arrived_at, 'agreed_days', agreed_days, 'agreed_total', agreed_total,
            'agreed_penalty', agreed_penalty, 'mail', (SELECT lower(hex(sha256)) FROM mails WHERE mails.id = mail),
            'recorded_at', recorded_at)
         FROM moves JOIN games ON games.id = game ORDER BY name, ply",
    ),
    (
        "conditionals",
        "SELECT json_object('game', name, 'position', position, 'line', json(line))
         FROM conditionals JOIN games ON games.id = game ORDER BY name, position",
    ),
    (
        "leaves",
        "SELECT json_object('game', name, 'position', position, 'side', side, 'from_day', from_day, 'to_day', to_day,
            'announced', announced) FROM leaves JOIN games ON games.id = game ORDER BY name, position",
    ),
    (
        "clock_notes",
        "SELECT json_object('game', name, 'position', position, 'ply', ply, 'kind', kind, 'on_day', on_day,
            'until_day', until_day) FROM clock_notes JOIN games ON games.id = game ORDER BY name, position",
    ),
    (
        "illegal_moves",
        "SELECT json_object('game', name, 'ply', ply, 'sent_day', sent_day, 'noticed_day', noticed_day)
         FROM illegal_moves JOIN games ON games.id = game ORDER BY name, ply",
    ),
    (
        "notes",
        "SELECT json_object('game', name, 'ply', ply, 'text', text)
         FROM notes JOIN games ON games.id = game ORDER BY name, ply, notes.id",
    ),
    (
        "seen_message_ids",
        "SELECT json_object('game', name, 'position', position, 'message_id', message_id)
         FROM seen_message_ids JOIN games ON games.id = game ORDER BY name, position",
    ),
    (
        "plans",
        "SELECT json_object('game', name, 'ply', ply, 'taken', json(taken), 'numeric', numeric, 'received', received, 'sent', sent, 'days', days,
            'total', total, 'draw_offer', plans.draw_offer, 'message_id', message_id,
            'conditionals', json(conditionals), 'comment', comment, 'held_until', held_until, 'chosen_at', chosen_at)
         FROM plans JOIN games ON games.id = game ORDER BY name",
    ),
    (
        "mails",
        "SELECT json_object('sha256', lower(hex(sha256)), 'kept', raw IS NOT NULL, 'size', size, 'message_id', message_id,
            'from_address', from_address, 'subject', subject, 'server_date', server_date, 'taken_at', taken_at, 'undecided', undecided)
         FROM mails ORDER BY id",
    ),
    (
        "verdicts",
        "SELECT json_object('mail', lower(hex(sha256)), 'game', name, 'outcome', outcome, 'reason', reason,
            'plies', json(plies), 'stated', json(stated), 'discrepancies', json(discrepancies),
            'candidates', json(candidates), 'open', open, 'decided_at', decided_at, 'read_as', read_as)
         FROM verdicts JOIN mails ON mails.id = mail LEFT JOIN games ON games.id = game ORDER BY verdicts.id",
    ),
    (
        "sent",
        "SELECT json_object('mail', lower(hex(sha256)), 'game', name, 'ply', ply, 'outcome', outcome, 'numeric', numeric,
            'supplied', supplied, 'open', open)
         FROM sent JOIN mails ON mails.id = mail JOIN games ON games.id = game ORDER BY sent.id",
    ),
    (
        "bounces",
        "SELECT json_object('mail', lower(hex(sha256)), 'game', name, 'ply', ply, 'message_id', bounces.message_id,
            'recipient', recipient, 'status', status, 'delayed', delayed, 'open', open)
         FROM bounces JOIN mails ON mails.id = mail JOIN games ON games.id = game ORDER BY bounces.id",
    ),
    (
        "questions",
        "SELECT json_object('mail', (SELECT lower(hex(sha256)) FROM mails WHERE mails.id = verdicts.mail),
            'letter', outbox.message_id, 'asked_at', asked_at)
         FROM questions JOIN verdicts ON verdicts.id = verdict JOIN outbox ON outbox.id = outbox ORDER BY questions.id",
    ),
    (
        "outbox",
        // what tells him of a deadline comes of the time of day, and of no mail or act
        "SELECT json_object('kind', kind, 'game', name, 'ply', ply,
            'mail', (SELECT lower(hex(sha256)) FROM mails WHERE mails.id = mail), 'message_id', message_id,
            'recipient', recipient, 'created_at', outbox.created_at)
         FROM outbox LEFT JOIN games ON games.id = game
         WHERE outbox.id NOT IN (SELECT outbox FROM told WHERE outbox IS NOT NULL) ORDER BY outbox.id",
    ),
    (
        "releases",
        "SELECT json_object('game', name, 'ply', ply, 'message_id', message_id, 'recipients', json(recipients),
            'not_before', not_before, 'released_at', released_at)
         FROM releases JOIN games ON games.id = game ORDER BY releases.id",
    ),
    (
        "sender_domains",
        "SELECT json_object('address', address, 'domain', domain, 'first_at', first_at, 'last_at', last_at, 'mails', mails)
         FROM sender_domains ORDER BY address, domain",
    ),
    (
        "changes",
        "SELECT json_object('game', name, 'outside', outside, 'whole', json(whole), 'patch', json(patch))
         FROM changes JOIN games ON games.id = game ORDER BY changes.id",
    ),
    (
        "events",
        "SELECT json_object('game', name, 'mail', (SELECT lower(hex(sha256)) FROM mails WHERE mails.id = mail), 'at', at,
            'kind', kind, 'text', text) FROM events LEFT JOIN games ON games.id = game ORDER BY events.id",
    ),
];

/// Acts and state of one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// All that was done, oldest first.
    pub acts: Vec<Performed>,
    /// What it made: `table {"column": value, ...}`, a row a line.
    pub dump: String,
}

impl Store {
    /// The acts and the state of one moment, whoever writes meanwhile.
    ///
    /// # Errors
    /// Those of reading the database.
    pub async fn snapshot(&mut self) -> Result<Snapshot, StoreError> {
        let mut db = self.checkout().await?;
        let mut tx = db.begin_with(open::READ).await?;
        let snapshot = Snapshot { acts: acts::load(&mut tx).await?, dump: dump(&mut tx).await? };
        tx.commit().await?;
        self.checkin(db);
        Ok(snapshot)
    }
}

async fn dump(db: &mut SqliteConnection) -> Result<String, StoreError> {
    let mut text = String::new();
    for (table, sql) in TABLES {
        let rows: Vec<String> = sqlx::query_scalar(sql).fetch_all(&mut *db).await?;
        for row in rows {
            text.push_str(table);
            text.push(' ');
            text.push_str(&row);
            text.push('\n');
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_column_of_the_schema_is_compared_or_left_out_by_name() {
        let dir = tempfile::TempDir::new().unwrap();
        let mut store = Store::open(dir.path()).await.unwrap();
        let mut db = store.checkout().await.unwrap();
        let columns: Vec<(String, String, bool)> = sqlx::query_as(
            "SELECT tables.name, columns.name,
                    columns.name = 'id' OR EXISTS (SELECT 1 FROM pragma_foreign_key_list(tables.name) WHERE \"from\" = columns.name)
             FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
             WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' AND tables.name NOT LIKE '_sqlx_%'",
        )
        .fetch_all(&mut db)
        .await
        .unwrap();
        assert!(columns.len() > 100, "{columns:?}");
        for (table, column, is_key) in columns {
            let whole = LEFT_OUT.contains(&table.as_str()) || LEFT_OUT.contains(&format!("{table}.{column}").as_str());
            let listed = LEFT_OUT.iter().filter_map(|left| left.strip_prefix(&format!("{table}: ")));
            let listed = listed.flat_map(|columns| columns.split(", ")).any(|left| left == column);
            let sql = TABLES.iter().find(|(name, _)| *name == table).map_or("", |(_, sql)| sql);
            let shown = sql.contains(&format!("'{column}',")) || (is_key && !sql.is_empty());
            assert!(whole || listed || shown, "{table}.{column} is not compared: put it into TABLES or LEFT_OUT");
        }
    }
}
