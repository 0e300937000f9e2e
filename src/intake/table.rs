//! What the opponent's mails on record show of dates and days: of the newest the next reply says what is to be said; what an older one
//! states otherwise than the record is open until it is settled, or a later mail of his states what the record has.

use std::collections::HashSet;

use chrono::{DateTime, Utc};

use super::again::Again;
use super::evidence::Letters;
use crate::config::Me;
use crate::domain::game::{Agreed, Game, GameId, MoveRecord, Stated};
use crate::domain::judge::Row;
use crate::domain::judge::discrepancy::differences;
use crate::domain::judge::objection::objections;
use crate::domain::notation::NumericMove;
use crate::domain::transmission::read::fill;
use crate::io::store::{Settlement, Store, StoreError, StoredGame};

/// Its table, row by row; empty where no mail gave his last move.
///
/// # Errors
/// Those of reading the database.
pub async fn his_table(store: &mut Store, thread: &StoredGame) -> Result<Vec<Row>, StoreError> {
    match his_plies(thread).next_back() {
        Some(index) => {
            let mut rows = table_of(store, thread, index).await?;
            mark_news(store, &thread.game, &mut rows).await?;
            Ok(rows)
        }
        None => Ok(Vec::new()),
    }
}

/// Marks the rows that the player settled since his last letter.
async fn mark_news(store: &mut Store, game: &Game, rows: &mut [Row]) -> Result<(), StoreError> {
    let place = |row: &Row| game.first_number().plies_to(row.number);
    let is_settled = |index: usize| game.moves.get(index).is_some_and(|record| record.agreed != Agreed::default());
    if !rows.iter().filter_map(place).any(is_settled) {
        return Ok(());
    }
    let settlements = store.settlements(&game.id).await?;
    let last = game.moves.iter().enumerate().rfind(|(index, _)| game.number_of(*index).side == game.me);
    for row in rows {
        let Some(index) = place(row).filter(|index| is_settled(*index)) else { continue };
        let of_row = |settled: &&Settlement| settled.plies.iter().any(|ply| usize::try_from(*ply) == Ok(index + 1));
        let at = settlements.iter().rfind(of_row).map(|settled| settled.at);
        row.is_news = at.is_some_and(|at| last.is_none_or(|(_, record)| is_since(at, record)));
    }
    Ok(())
}

/// Whether it may be that the letter with this move of the player's did not tell of what he settled at an instant.
fn is_since(at: DateTime<Utc>, mine: &MoveRecord) -> bool {
    let day = mine.observed.sent.or(mine.agreed.sent).or(mine.claimed.sent);
    match mine.observed.sent_at {
        Some(sent) => at > sent,
        None => day.is_none_or(|day| at.date_naive() >= day),
    }
}

/// The `newest`, and where it leaves a cell blank, what he stated last in those of his mails since the first that differed from the record.
///
/// # Errors
/// Those of reading the database.
pub async fn standing_table(store: &mut Store, thread: &StoredGame, newest: Vec<Row>) -> Result<Vec<Row>, StoreError> {
    let differing = store.differing(std::slice::from_ref(&thread.game.id)).await?;
    let first = differing.first().map_or(usize::MAX, |(_, index)| *index);
    let mut rows = newest;
    // the newest is read already
    for index in his_plies(thread).rev().skip(1).take_while(|index| *index >= first) {
        for older in table_of(store, thread, index).await? {
            match rows.iter_mut().find(|row| row.number == older.number) {
                Some(row) => fill(&mut row.stated, older.stated),
                None => rows.push(older),
            }
        }
    }
    Ok(rows)
}

/// Those of these games that are running and in which something that he states otherwise than the record is open.
///
/// # Errors
/// Those of reading the database.
pub async fn disputed(store: &mut Store, me: &Me, games: &[GameId]) -> Result<HashSet<GameId>, StoreError> {
    let differing = store.differing(games).await?;
    let mut found = HashSet::new();
    for of_game in differing.chunk_by(|(one, _), (other, _)| one == other) {
        let Some((id, _)) = of_game.first() else { continue };
        let Some(thread) = store.game(id).await?.filter(|thread| thread.game.result.is_none()) else { continue };
        let Ok(ledger) = me.ledger(&thread.game) else { continue };
        let differs = |table: &[Row]| {
            let rows = shown(&thread.game, table);
            let mut rows_at = rows.iter().enumerate();
            !differences(&thread.game, &ledger, &rows).is_empty()
                || rows_at.any(|(index, row)| !objections(&thread.game, &ledger, index, &row.unread).is_empty())
        };
        let newest = his_table(store, &thread).await?;
        let mut is_open = differs(&newest);
        // every mail that is read again takes its time: the later ones are asked only where an older one differs still
        for (_, index) in of_game {
            if !is_open && differs(&table_of(store, &thread, *index).await?) {
                is_open = differs(&standing_table(store, &thread, newest).await?);
                break;
            }
        }
        if is_open {
            found.insert(id.clone());
        }
    }
    Ok(found)
}

/// What he shows of every move on record: the rows of a table, and for his own moves what their mails stated.
pub fn shown(game: &Game, table: &[Row]) -> Vec<Row> {
    let row = |(index, record): (usize, &MoveRecord)| {
        let number = game.number_of(index);
        let of_table = table.iter().filter(|row| row.number == number).map(|row| row.stated);
        let own = if number.side == game.me { Stated::default() } else { record.claimed };
        let mut stated = of_table.fold(Stated::default(), |mut all, more| {
            fill(&mut all, more);
            all
        });
        fill(&mut stated, own);
        let unread = table.iter().rfind(|row| row.number == number).map(|row| row.unread.clone());
        Row { unread: unread.unwrap_or_default(), ..Row::read(number, stated) }
    };
    game.moves.iter().enumerate().map(row).collect()
}

fn his_plies(thread: &StoredGame) -> impl DoubleEndedIterator<Item = usize> {
    let game = &thread.game;
    (0..game.moves.len()).filter(|index| game.number_of(*index).side != game.me)
}

/// That of the mail that gave a move of his.
async fn table_of(store: &mut Store, thread: &StoredGame, index: usize) -> Result<Vec<Row>, StoreError> {
    let game = &thread.game;
    let Some(record) = game.moves.get(index) else { return Ok(Vec::new()) };
    let Some(mail) = store.provenance(&game.id, index + 1).await?.and_then(|proof| proof.mail) else {
        return Ok(Vec::new());
    };
    let (Some(stored), Some(raw)) = (store.mail(mail).await?, store.mail_raw(mail).await?) else {
        return Ok(Vec::new());
    };
    let mut then = thread.clone();
    // where he took a line of the player's, its plies came with his mail
    let before = game.moves.get(..index).unwrap_or_default();
    let line: Vec<NumericMove> =
        before.iter().rev().take_while(|ply| ply.is_timeless()).map(|ply| ply.numeric).collect();
    then.game.moves.truncate(index.saturating_sub(line.len()));
    then.game.conditionals = vec![line.into_iter().rev().collect()];
    then.game.plan = None;
    then.game.result = None;
    then.game.seen_message_ids.clear();
    let at = stored.server_date.unwrap_or(stored.taken_at);
    let letters = Letters::beside(store, &raw, std::slice::from_ref(&then)).await?;
    Ok(Again::of(&raw, &then, at, &letters).map(|again| again.table(&then, record.numeric)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_settled_behind_my_last_letter_is_news_to_him_and_once_only() {
        let mut mine = MoveRecord::claimed("5755".parse().unwrap(), Stated::default());
        let since = |at: &str, mine: &MoveRecord| is_since(at.parse().unwrap(), mine);
        assert!(since("2026-05-01T10:00:00Z", &mine), "nobody knows when it went out");
        mine.claimed.sent = Some("2026-05-02".parse().unwrap());
        let days = ["2026-05-01T23:59:00Z", "2026-05-02T08:00:00Z"];
        assert_eq!(
            days.map(|at| since(at, &mine)),
            [false, true],
            "on the day itself he is told twice rather than never"
        );
        mine.observed.sent_at = Some("2026-05-02T10:00:00+02:00".parse().unwrap());
        let hours = ["2026-05-02T08:00:00Z", "2026-05-02T08:00:01Z"];
        assert_eq!(hours.map(|at| since(at, &mine)), [false, true]);
    }
}
