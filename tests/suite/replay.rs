//! The whole record once more from its mails and acts: the same, and where it was tampered with, not.

use std::collections::BTreeSet;
use std::process::{Command, Output};

use amici::io::store::Store;
use amici::proof::replay::{Replayed, replay};
use tempfile::TempDir;

use crate::club::Club;

/// Games and turns of the usual test; `AMICI_PROOF_GAMES=200` makes it the long one.
pub(crate) fn size() -> (usize, usize) {
    std::env::var("AMICI_PROOF_GAMES").map_or((10, 4), |games| (games.parse().unwrap(), 14))
}

async fn replayed(club: &mut Club) -> Replayed {
    let dir = TempDir::new().unwrap();
    let mut fresh = Store::open(dir.path()).await.unwrap();
    replay(&mut club.store, &mut fresh).await.unwrap()
}

fn amici(club: &Club, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_amici")).arg("--data").arg(club.folder()).args(args).output().unwrap()
}

#[tokio::test]
async fn mails_and_acts_alone_make_the_whole_record_again() {
    let (games, turns) = size();
    let mut club = Club::of(games, turns).await;
    let began = std::time::Instant::now();
    let done = replayed(&mut club).await;
    assert_eq!((done.diff.as_str(), &done.stopped), ("", &None));
    println!(
        "{} games, {} mails given: {} acts, {} mails read again, {} known by hash, {} rows, {:?}",
        games,
        club.mails,
        done.acts,
        done.mails,
        done.hashes,
        done.rows,
        began.elapsed()
    );
    let kinds = kinds(&mut club).await;
    for kind in ["import", "plan", "undo", "sent", "mail", "private", "settle", "ask", "close", "settings"] {
        assert!(kinds.contains(kind), "no act of kind {kind} was tried");
    }
    assert!(done.mails >= games * turns, "{done:?}");
    assert_eq!(done.baseline, None);
}

async fn kinds(club: &mut Club) -> BTreeSet<String> {
    let acts = club.store.acts().await.unwrap();
    acts.iter().map(|done| serde_json::to_value(&done.act).unwrap()["kind"].as_str().unwrap().to_owned()).collect()
}
