//! Drafts in the mailbox's folder for drafts: what the store keeps of them.

use amici::domain::document::Document;
use amici::domain::game::{GameId, GameResult, Plan, Stated};
use amici::io::store::{DraftFate, DraftRow, DraftState, Outgoing, OutgoingKind, Store, StoreError};
use amici::proof::replay::replay;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use std::process::Command;
use tempfile::TempDir;

const ROOT: &str = "<game-SAMPLE-1.k3v9@example.net>";

fn now() -> DateTime<Utc> {
    "2004-10-31T08:00:00Z".parse().unwrap()
}

fn id() -> GameId {
    "SAMPLE-1".parse().unwrap()
}

fn plan(message_id: &str) -> Plan {
    Plan {
        before: Vec::new(),
        numeric: "2836".parse().unwrap(),
        stated: Stated { sent: Some("2004-10-31".parse().unwrap()), days: Some(1), ..Stated::default() },
        draw_offer: false,
        message_id: message_id.to_owned(),
        conditionals: Vec::new(),
        comment: None,
        held_until: None,
    }
}

fn letter(message_id: &str) -> Outgoing {
    Outgoing {
        kind: OutgoingKind::Draft,
        game: Some(id()),
        ply: Some(14),
        message_id: message_id.replace('<', "<letter-"),
        recipient: "tobin.q@example.net".into(),
        bytes: b"Subject: your draft\r\n\r\n14. 2836\r\n".to_vec(),
    }
}

async fn choose(store: &mut Store, message_id: &str) {
    store.plan(&id(), 13, &plan(message_id), &letter(message_id), now()).await.unwrap();
}

/// A store with the sample game, in which the player (Black) has chosen his seventh move.
async fn chosen() -> (TempDir, Store) {
    let dir = TempDir::new().unwrap();
    let mut store = Store::open(dir.path()).await.unwrap();
    let game = Document::read(include_str!("../corpus/games/sample.json")).unwrap().remove(0);
    store.import(&[(game, ROOT.into())], false, now()).await.unwrap();
    choose(&mut store, "<r1@example.net>").await;
    (dir, store)
}

async fn draft(store: &mut Store, message_id: &str) -> DraftRow {
    store.draft_by_message_id(message_id).await.unwrap().unwrap()
}

async fn at_work(store: &mut Store) -> Vec<(String, DraftState, bool)> {
    let rows = store.drafts_at_work().await.unwrap();
    rows.into_iter().map(|row| (row.message_id, row.state, row.live)).collect()
}

#[tokio::test]
async fn every_id_that_a_reply_was_given_stays_known_whatever_becomes_of_the_plan() {
    let (_dir, mut store) = chosen().await;
    choose(&mut store, "<r2@example.net>").await;
    let ids = ["<r1@example.net>", "<r2@example.net>"];
    assert_eq!(store.ids_of_own(&id(), 14).await.unwrap(), ids);
    assert_eq!(at_work(&mut store).await, [(ids[1].to_owned(), DraftState::Wanted, true)]);
    store.undo(&id(), now()).await.unwrap();
    assert_eq!(store.ids_of_own(&id(), 14).await.unwrap(), ids);
    assert_eq!(store.ids_of_own(&id(), 13).await.unwrap(), [""; 0]);
    assert_eq!(at_work(&mut store).await, []);
    let first = draft(&mut store, ids[0]).await;
    assert_eq!((first.ply, first.revision, first.live, first.refreshes), (14, 1, false, None));
    assert_eq!(first.for_day, Some("2004-10-31".parse().unwrap()));
    assert_eq!(draft(&mut store, ids[1]).await.revision, 2);
    assert_eq!(store.draft_by_message_id("<letter-r1@example.net>").await.unwrap(), None);
    let unknown = store.ids_of_own(&"NO-SUCH".parse().unwrap(), 1).await;
    assert!(matches!(unknown, Err(StoreError::NoSuchGame { .. })));
}

#[tokio::test]
async fn a_draft_keeps_the_bytes_of_its_first_try_and_goes_nowhere_without_its_plan() {
    let (_dir, mut store) = chosen().await;
    let row = draft(&mut store, "<r1@example.net>").await;
    let later = now() + TimeDelta::minutes(5);
    assert!(store.begin_placing(row.id, b"first", "Drafts", later).await.unwrap());
    assert!(store.begin_placing(row.id, b"second", "Entw\u{fc}rfe", later).await.unwrap());
    let tried = draft(&mut store, "<r1@example.net>").await;
    assert_eq!((tried.state, tried.bytes.as_deref()), (DraftState::Placing, Some(b"first".as_slice())));
    assert_eq!((tried.folder.as_deref(), tried.attempts), (Some("Entw\u{fc}rfe"), 2));
    assert_eq!(tried.next_attempt_at, Some(later));
    store.settle_draft(row.id, &DraftFate::Refused { error: "full".into(), at: later }).await.unwrap();
    let refused = draft(&mut store, "<r1@example.net>").await;
    assert_eq!((refused.state, refused.last_error.as_deref()), (DraftState::Unplaced, Some("full")));
    store.undo(&id(), now()).await.unwrap();
    assert!(!store.begin_placing(row.id, b"first", "Drafts", later).await.unwrap());
    assert_eq!(draft(&mut store, "<r1@example.net>").await.state, DraftState::Unplaced);
}

#[tokio::test]
async fn what_is_the_players_or_gone_is_never_taken_up_again() {
    for end in [DraftFate::Touched, DraftFate::Vanished, DraftFate::Removed] {
        let (_dir, mut store) = chosen().await;
        let row = draft(&mut store, "<r1@example.net>").await;
        store.begin_placing(row.id, b"mail", "Drafts", now()).await.unwrap();
        store.settle_draft(row.id, &DraftFate::Placed(Some((7, 40)))).await.unwrap();
        let placed = draft(&mut store, "<r1@example.net>").await;
        assert_eq!((placed.state, placed.place, placed.next_attempt_at), (DraftState::Placed, Some((7, 40)), None));
        assert!(!store.begin_placing(row.id, b"mail", "Drafts", now()).await.unwrap(), "it lies there");
        store.settle_draft(row.id, &end).await.unwrap();
        let ended = draft(&mut store, "<r1@example.net>").await;
        for fate in [DraftFate::Removing, DraftFate::Placed(None), DraftFate::Later { error: "x".into(), at: now() }] {
            store.settle_draft(row.id, &fate).await.unwrap();
            assert_eq!(draft(&mut store, "<r1@example.net>").await, ended);
        }
        assert!(!store.begin_placing(row.id, b"mail", "Drafts", now()).await.unwrap());
        assert_eq!(at_work(&mut store).await, []);
    }
}

#[tokio::test]
async fn a_move_that_is_stated_anew_has_a_second_draft_in_the_place_of_the_first() {
    let (_dir, mut store) = chosen().await;
    let first = draft(&mut store, "<r1@example.net>").await;
    store.begin_placing(first.id, b"mail", "Drafts", now()).await.unwrap();
    store.settle_draft(first.id, &DraftFate::Placed(Some((7, 40)))).await.unwrap();
    let mut newer = plan("<r2@example.net>");
    newer.stated.sent = Some("2004-11-01".parse().unwrap());
    newer.stated.days = Some(2);
    let tomorrow = now() + TimeDelta::days(1);
    store.restate(&id(), 13, "<r1@example.net>", &newer, tomorrow).await.unwrap();
    let game = store.game(&id()).await.unwrap().unwrap().game;
    assert_eq!(game.plan, Some(newer.clone()));
    assert_eq!(
        at_work(&mut store).await,
        [
            ("<r1@example.net>".to_owned(), DraftState::Placed, false),
            ("<r2@example.net>".to_owned(), DraftState::Wanted, true)
        ]
    );
    let second = draft(&mut store, "<r2@example.net>").await;
    assert_eq!((second.refreshes, second.revision, second.made_at), (Some(first.id), 2, tomorrow));
    assert_eq!(second.for_day, newer.stated.sent);
    // the other choice that the player made meanwhile is not overwritten
    let stale = store.restate(&id(), 13, "<r1@example.net>", &plan("<r3@example.net>"), tomorrow).await;
    assert!(matches!(stale, Err(StoreError::NoPlan { .. })), "{stale:?}");
    let moved = store.restate(&id(), 12, "<r2@example.net>", &plan("<r3@example.net>"), tomorrow).await;
    assert!(matches!(moved, Err(StoreError::Moved { .. })), "{moved:?}");
    store.close_game(&id(), GameResult::Draw, None, tomorrow).await.unwrap();
    assert_eq!(at_work(&mut store).await, [("<r1@example.net>".to_owned(), DraftState::Placed, false)]);
}

#[tokio::test]
async fn a_move_that_was_stated_anew_is_the_same_after_a_replay() {
    let (_dir, mut store) = chosen().await;
    let newer =
        Plan { stated: Stated { days: Some(2), ..plan("<r2@example.net>").stated }, ..plan("<r2@example.net>") };
    store.restate(&id(), 13, "<r1@example.net>", &newer, now() + TimeDelta::days(1)).await.unwrap();
    let again = TempDir::new().unwrap();
    let mut fresh = Store::open(again.path()).await.unwrap();
    let done = replay(&mut store, &mut fresh).await.unwrap();
    assert_eq!((done.diff.as_str(), &done.stopped, done.acts), ("", &None, 3));
    assert_eq!(fresh.ids_of_own(&id(), 14).await.unwrap(), store.ids_of_own(&id(), 14).await.unwrap());
}

/// What `amici status` prints for a player whose configuration has these sections more.
fn printed(dir: &TempDir, sections: &str, args: &[&str]) -> String {
    let file = dir.path().join("config.toml");
    let me = "[me]\nname = \"Tobin\"\nemails = [\"tobin.q@example.net\"]\ntimezone = \"Europe/Stockholm\"\n";
    std::fs::write(&file, format!("{me}{sections}")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_amici"));
    command.arg("--config").arg(file).arg("--data").arg(dir.path()).arg("status").args(args);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The part of it that is about drafts.
fn lying(dir: &TempDir, sections: &str) -> Option<String> {
    let printed = printed(dir, sections, &[]);
    let (_, rest) = printed.split_once("\n\nIn your folder for drafts:\n")?;
    Some(rest.split_once("\n\n").map_or(rest, |(drafts, _)| drafts).to_owned())
}

#[tokio::test]
async fn the_list_says_of_each_draft_where_it_is_and_what_is_wrong() {
    let servers = "[imap]\nhost = \"h\"\nuser = \"u\"\npassword.file = \"/p\"\n[smtp]\nhost = \"h\"\nuser = \"u\"\npassword.file = \"/p\"\n";
    let on = format!("{servers}[drafts]\nappend = true\n");
    let (dir, mut store) = chosen().await;
    assert_eq!(lying(&dir, ""), None);
    let document: Value = serde_json::from_str(&printed(&dir, "", &["--json"])).unwrap();
    assert_eq!(document["drafts"][0]["state"], "off");
    assert_eq!(lying(&dir, &on).unwrap(), " SAMPLE-1  sent 31 Oct 2004  -  not there yet");
    let row = draft(&mut store, "<r1@example.net>").await;
    store.begin_placing(row.id, b"mail", "Drafts", now()).await.unwrap();
    let refused = DraftFate::Refused { error: "it is full\nhelp: make room".into(), at: now() };
    store.settle_draft(row.id, &refused).await.unwrap();
    assert_eq!(
        lying(&dir, &on).unwrap(),
        " SAMPLE-1  sent 31 Oct 2004  Drafts  not placed  it is full help: make room\n\
         next try at 09:00, with the next look into the mailbox"
    );
    store.begin_placing(row.id, b"mail", "Drafts", now()).await.unwrap();
    store.settle_draft(row.id, &DraftFate::Placed(Some((7, 40)))).await.unwrap();
    assert_eq!(lying(&dir, &on).unwrap(), " SAMPLE-1  sent 31 Oct 2004  Drafts  ready to be sent");
    let document: Value = serde_json::from_str(&printed(&dir, &on, &["--json"])).unwrap();
    let one = &document["drafts"][0];
    assert_eq!(
        (&document["schema"], one["state"].as_str(), one["uid"].as_u64()),
        (&1.into(), Some("placed"), Some(40))
    );
    assert_eq!((one["message_id"].as_str(), one["current"].as_bool()), (Some("<r1@example.net>"), Some(true)));
    store.undo(&id(), now()).await.unwrap();
    assert_eq!(lying(&dir, &on).unwrap(), " SAMPLE-1  sent 31 Oct 2004  Drafts  stale: do not send it");
    store.settle_draft(row.id, &DraftFate::Touched).await.unwrap();
    assert_eq!(lying(&dir, &on), None);
}
