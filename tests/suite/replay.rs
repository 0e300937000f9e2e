//! The whole record once more from its mails and acts: the same, however the database came about.

use std::collections::BTreeSet;
use std::time::Instant;

use amici::io::store::Store;
use amici::proof::replay::{Replayed, replay};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use tempfile::TempDir;

use crate::club::Club;
use crate::verify::Copy;

async fn replayed(club: &mut Club) -> Replayed {
    let dir = TempDir::new().unwrap();
    let mut fresh = Store::open(dir.path()).await.unwrap();
    replay(&mut club.store, &mut fresh).await.unwrap()
}

async fn kinds(club: &mut Club) -> BTreeSet<String> {
    let acts = club.store.acts().await.unwrap();
    acts.iter().map(|done| serde_json::to_value(&done.act).unwrap()["kind"].as_str().unwrap().to_owned()).collect()
}

/// `AMICI_PROOF_GAMES=200` makes it the long one, with more than 3,000 mails.
#[tokio::test]
async fn mails_and_acts_alone_make_the_whole_record_again_and_every_row_is_what_its_mail_says() {
    let (games, turns) =
        std::env::var("AMICI_PROOF_GAMES").map_or((10, 4), |games| (games.parse::<usize>().unwrap(), 14));
    let began = Instant::now();
    let mut club = Club::of(games, turns).await;
    println!("{games} games, {} mails given in {:.1?}", club.mails, began.elapsed());
    let kinds = kinds(&mut club).await;
    for kind in ["import", "plan", "undo", "sent", "mail", "private", "settle", "ask", "close", "settings"] {
        assert!(kinds.contains(kind), "no act of kind {kind} was tried");
    }

    let began = Instant::now();
    let output = Copy::of(&club).amici(&["verify", "--all"]);
    let text = String::from_utf8(output.stdout).unwrap();
    println!("{text}in {:.1?}", began.elapsed());
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.ends_with(&format!("{games} games checked, and the file itself: 0 differences.\n")), "{text}");
    assert_eq!(text.lines().filter(|line| line.ends_with(": 0 differences")).count(), games);
    for known in ["the clock says", "sent: you entered"] {
        assert!(text.contains(known), "{known}:\n{text}");
    }

    let began = Instant::now();
    let done = replayed(&mut club).await;
    println!(
        "{} acts, {} mails read again, {} known by their hash, {} rows compared in {:.1?}",
        done.acts,
        done.mails,
        done.hashes,
        done.rows,
        began.elapsed()
    );
    assert_eq!((done.diff.as_str(), &done.stopped), ("", &None));
    assert!(done.mails >= games * turns, "{done:?}");
}

#[tokio::test]
async fn what_is_rebuilt_can_be_kept_and_is_proven_in_its_turn() {
    let club = Club::of(2, 2).await;
    let copy = Copy::of(&club);
    let keep = copy.folder().join("rebuilt");
    let output = copy.amici(&["verify", "--rebuild", "--keep", keep.to_str().unwrap()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.code() == Some(0) && text.contains("0 differences"), "{text}");
    let mut rebuilt = Store::open_existing_read_only(&keep).await.unwrap();
    assert_eq!(rebuilt.games().await.unwrap(), Store::open(copy.folder()).await.unwrap().games().await.unwrap());
    for command in [&["verify", "--rebuild"][..], &["verify"]] {
        let output = Copy::of_folder(&keep).amici(command);
        assert_eq!(output.status.code(), Some(0), "{command:?}: {output:?}");
    }
    let again = copy.amici(&["verify", "--rebuild", "--keep", keep.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(1), "an existing folder is left alone");
}

#[tokio::test]
async fn what_was_done_cannot_be_rewritten() {
    let club = Club::of(1, 1).await;
    let path = club.folder().join("amici.db");
    let mut db = SqliteConnectOptions::new().filename(path).connect().await.unwrap();
    for sql in ["UPDATE acts SET at = '2004-01-01'", "DELETE FROM acts"] {
        let error = sqlx::query(sql).execute(&mut db).await.unwrap_err().to_string();
        assert!(error.contains("acts are never"), "{error}");
    }
}
