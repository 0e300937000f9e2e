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
    assert!(text.contains("the clock says"), "a slip in a total is known:\n{text}");

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
    assert_eq!((done.diff.as_str(), &done.stopped, done.baseline), ("", &None, None));
    assert!(done.mails >= games * turns, "{done:?}");
}

/// A database of the schema before acts, which the next opening upgrades.
async fn as_before_acts(copy: &Copy) {
    let path = copy.folder().join("amici.db");
    let mut db = SqliteConnectOptions::new().filename(path).connect().await.unwrap();
    for sql in ["DROP TABLE acts", "DELETE FROM _sqlx_migrations WHERE version >= 5"] {
        sqlx::query(sql).execute(&mut db).await.unwrap();
    }
}

#[tokio::test]
async fn an_older_database_is_proven_from_its_upgrade_on() {
    let club = Club::of(2, 2).await;
    let copy = Copy::of(&club);
    as_before_acts(&copy).await;
    let mut old = Store::open(copy.folder()).await.unwrap();
    let id = "CLUB-001".parse().unwrap();
    old.close_game(&id, amici::domain::game::GameResult::Draw, None, "2004-12-01T08:00:00Z".parse().unwrap())
        .await
        .unwrap();
    drop(old);
    let keep = copy.folder().join("rebuilt");
    let output = copy.amici(&["replay", "--keep", keep.to_str().unwrap()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("is taken as given, all after it is proven") && text.contains("0 differences"), "{text}");
    let mut rebuilt = Store::open_existing_read_only(&keep).await.unwrap();
    assert_eq!(rebuilt.games().await.unwrap(), Store::open(copy.folder()).await.unwrap().games().await.unwrap());
    assert!(rebuilt.mail_raw(1).await.unwrap().is_some(), "raw mails are copied");
    let output = Copy::of_folder(&keep).amici(&["replay"]);
    assert_eq!(output.status.code(), Some(0), "what is rebuilt is proven in its turn: {output:?}");
    let again = copy.amici(&["replay", "--keep", keep.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(1), "an existing folder is left alone");
    let verified = copy.amici(&["verify"]);
    assert_eq!(verified.status.code(), Some(0), "{}", String::from_utf8_lossy(&verified.stdout));
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
