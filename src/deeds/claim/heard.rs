//! What the opponent's mails say of his moves beside the mail that gave each: no claim rests on what they contradict.
//!
//! A later table of his is his statement too. Where the mail of a move was silent, it counts; where it says something else, the claim is for
//! what stands by both, and the letter gives both.

use chrono::NaiveDate;

use super::super::Refusal;
use super::super::mailed::mail_on_record;
use crate::config::Me;
use crate::domain::clock::days::Moment;
use crate::domain::clock::ledger::Ledger;
use crate::domain::game::{Game, MoveRecord, Stated};
use crate::domain::judge::Row;
use crate::domain::judge::discrepancy::{all_differences, in_words};
use crate::domain::transmission::read::fill;
use crate::intake::again::Again;
use crate::intake::evidence::Letters;
use crate::intake::table::{his_table, shown};
use crate::io::store::{Store, StoredGame};
use crate::letters::{self, Mailed, Overstep};

/// A game as all of the opponent's mails have it.
pub(super) struct Heard {
    /// With what they say of his moves where the mail of the move says nothing.
    pub(super) game: Game,
    /// With what they said last of each.
    contrary: Game,
    rows: Vec<Row>,
    /// What two mails of his say differently of one move.
    contradictions: Vec<String>,
}

impl Heard {
    /// By every mail that gave a move of his or repeats one, the newest first.
    pub(super) async fn of(store: &mut Store, thread: &StoredGame) -> Result<Heard, Refusal> {
        let game = &thread.game;
        let repeats = repeats(store, thread).await?;
        let mut table: Vec<Row> = Vec::new();
        for index in (0..game.moves.len()).rev().filter(|index| game.number_of(*index).side != game.me) {
            let mut then = thread.clone();
            then.game.moves.truncate(index + 1);
            let repeated = repeats.iter().filter(|(of, _)| *of == index).flat_map(|(_, rows)| rows.iter().cloned());
            for row in repeated.chain(his_table(store, &then).await?).collect::<Vec<_>>() {
                match table.iter_mut().find(|known| known.number == row.number) {
                    Some(known) => fill(&mut known.stated, row.stated),
                    None => table.push(row),
                }
            }
        }
        let rows = shown(game, &table);
        let (mut heard, mut contrary) = (game.clone(), game.clone());
        let mut contradictions = Vec::new();
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.number.side != game.me) {
            let Some(record) = game.moves.get(index).filter(|record| !record.is_timeless()) else { continue };
            let mut filled = record.claimed;
            fill(&mut filled, row.stated);
            put(&mut heard, index, filled);
            put(&mut contrary, index, row.stated);
            let (later, first) = (row.stated.beyond(&record.claimed), record.claimed.beyond(&row.stated));
            if !first.is_empty() && record.agreed.is_empty() {
                contradictions.push(format!(
                    "his mail with {} says {}, a later one {}",
                    row.number,
                    in_words(&first, day),
                    in_words(&later, day)
                ));
            }
        }
        Ok(Heard { game: heard, contrary, rows, contradictions })
    }

    /// Claims no more than what is left of an overstep by what his mails said last.
    pub(super) fn hold(&self, over: &mut Overstep, me: &Me, ledger: &Ledger, now: Moment) -> Result<(), Refusal> {
        let contrary = me.ledger(&self.contrary).map_err(Refusal::not_done)?;
        let his = over.number.side;
        match letters::overstep(&self.contrary, &contrary.there(ledger.his_offset()), his, now) {
            Some(other) if other.number == over.number => {
                if other.least() < over.least() {
                    over.certain = Some(other.least());
                }
                Ok(())
            }
            _ => Err(Refusal::SecondWord(format!(
                "by what his later mails say his time is not overstepped: {}\nhelp: settle it first, and claim before you answer:  amici clock {}",
                self.contradictions.join("; "),
                self.game.id
            ))),
        }
    }

    /// Where his mails show other figures than the record, or than each other, a sentence each.
    pub(super) fn otherwise(&self, ledger: &Ledger) -> Vec<String> {
        let differences = all_differences(&self.game, ledger, &self.rows).into_iter();
        let differences = differences.map(|found| {
            format!("{} he shows {}, I count {}", found.number, in_words(&found.his, day), in_words(&found.ours, day))
        });
        differences.chain(self.contradictions.iter().cloned()).collect()
    }
}

/// The tables of the mails that repeat a move of his, the newest first, each with the place of that move in the record.
async fn repeats(store: &mut Store, thread: &StoredGame) -> Result<Vec<(usize, Vec<Row>)>, Refusal> {
    let game = &thread.game;
    let mails = store.mails_of(&game.id).await?;
    let mut found = Vec::new();
    // one that waits, or was put away, is his all the same
    for mail in mails.iter().rev().filter(|mail| matches!(mail.outcome.as_str(), "duplicate" | "needs_human")) {
        let Some(raw) = store.mail_raw(mail.mail).await? else { continue };
        for (index, record) in game.moves.iter().enumerate().rev() {
            if game.number_of(index).side == game.me || record.is_timeless() {
                continue;
            }
            let mut then = thread.clone();
            then.game.moves.truncate(index);
            (then.game.plan, then.game.result) = (None, None);
            then.game.seen_message_ids.clear();
            let letters = Letters::beside(store, &raw, std::slice::from_ref(&then)).await?;
            let again = Again::of(&raw, &then, mail.at, &letters);
            let rows = again.map(|again| again.table(&then, record.numeric)).unwrap_or_default();
            if !rows.is_empty() {
                found.push((index, rows));
                break;
            }
        }
    }
    Ok(found)
}

/// Makes this his statement of a move, unless it would have him send before he received.
fn put(game: &mut Game, index: usize, stated: Stated) {
    let is_reversed = stated.received.zip(stated.sent).is_some_and(|(received, sent)| sent < received);
    if let Some(record) = game.moves.get_mut(index).filter(|_| !is_reversed) {
        *record = MoveRecord { claimed: stated, ..*record };
    }
}

fn day(day: NaiveDate) -> String {
    day.format("%-d %B %Y").to_string()
}

/// The mails that gave the moves, oldest first. Of a move of the player's that was drafted here no mail may be on record.
pub(super) async fn mails(store: &mut Store, thread: &StoredGame) -> Result<Vec<Mailed>, Refusal> {
    let game = &thread.game;
    let sent = store.sent_mails(&game.id).await?;
    let mut found = Vec::new();
    for index in 0..game.moves.len() {
        let number = game.number_of(index);
        let Some(proof) = store.provenance(&game.id, index + 1).await? else { continue };
        if number.side == game.me {
            let message_id = mail_on_record(store, game, &sent, index).await?;
            if message_id.is_some() || proof.draft.is_some() {
                found.push(Mailed { number, message_id, at: None });
            }
            continue;
        }
        let Some(mail) = proof.mail else { continue };
        let stored = store.mail(mail).await?;
        found.extend(stored.map(|mail| {
            let at = Some(mail.server_date.unwrap_or(mail.taken_at));
            Mailed { number, message_id: mail.message_id, at }
        }));
    }
    Ok(found)
}
