//! How often dates and days add up by chance.

use std::fs;

use amici::domain::judge::{Accepted, Verdict};
use amici::intake::which::Thread;

use super::catalogue::{Entry, entries, folder};
use super::player;
use crate::which::decided;

/// How many of a hundred wrong totals may seem to be proven.
const CHANCES: usize = 1;

/// The move that is taken, if the mail is about one game.
fn accepted(entry: &Entry, raw: &[u8], threads: &[Thread]) -> Option<Accepted> {
    let decision = decided(raw, &player(&threads[0].game), threads, entry.at);
    match decision.judgements.into_iter().map(|judgement| judgement.verdict).collect::<Vec<_>>().as_slice() {
        [Verdict::Accepted(accepted)] => Some((**accepted).clone()),
        _ => None,
    }
}

#[test]
fn days_and_totals_seldom_add_up_by_chance() {
    let (mut tried, mut chances): (usize, Vec<String>) = (0, Vec::new());
    for entry in entries() {
        let mut threads = entry.threads();
        let [thread] = threads.as_mut_slice() else { continue };
        let raw = fs::read(folder().join(&entry.file)).unwrap();
        let Some(at) = thread.game.moves.len().checked_sub(2) else { continue };
        let Some(total) = thread.game.moves[at].claimed.total else { continue };
        let Some(right) = accepted(&entry, &raw, &threads) else { continue };
        for off in [1, 5, 17] {
            threads[0].game.moves[at].agreed.total = Some(total + off);
            let Some(found) = accepted(&entry, &raw, &threads) else { continue };
            tried += 1;
            let (his, ours) = (found.stated, right.stated);
            let new = (his.received.is_some() && his.received != ours.received)
                || (his.sent.is_some() && his.sent != ours.sent)
                || (his.days.is_some() && his.days != ours.days)
                || (his.total.is_some() && his.total != ours.total);
            if new {
                chances.push(format!("{} {off}: {his:?}, not {ours:?}", entry.file));
            }
        }
    }
    println!("{} of {tried} wrong totals\n{}", chances.len(), chances.join("\n"));
    assert!(tried > 250, "{tried}");
    assert!(chances.len() * 100 <= tried * CHANCES, "{} of {tried}\n{}", chances.len(), chances.join("\n"));
}
