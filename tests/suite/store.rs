//! The store against a real SQLite in a directory of its own, other processes and a full disk included.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::pin::Pin;
use std::process::{Command, Output};

use amici::domain::clock::ahead::ahead;
use amici::domain::clock::ledger::Ledger;
use amici::domain::document::Document;
use amici::domain::game::{
    Agreed, ClockNote, ClockNoteKind, Game, GameId, GameResult, Leave, MoveRecord, Observed, Plan, PrivateNote,
    SentIllegal, Side, Stated,
};
use amici::io::Class;
use amici::io::store::{
    Arrival, ArrivalState, Asking, Attempt, AuthStop, Care, Commanded, Count, Cursor, EventRow, Heartbeat,
    LoginOutcome, NewMove, OutboxState, Outcome, Outgoing, OutgoingKind, SentOutcome, SentRow, Store, StoreError,
    StoredGame, Taken, VerdictRow, Vouched,
};
use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use nix::mount::MsFlags;
use sha2::{Digest, Sha256};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, SqliteConnection};
use tempfile::TempDir;

const ROOT: &str = "<game-SAMPLE-1.k3v9@example.net>";

fn now() -> DateTime<Utc> {
    "2004-10-31T08:00:00Z".parse().unwrap()
}

fn sample() -> Game {
    Document::read(include_str!("../corpus/games/sample.json")).unwrap().remove(0)
}

fn id() -> GameId {
    "SAMPLE-1".parse().unwrap()
}

async fn empty() -> (TempDir, Store) {
    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path()).await.unwrap();
    (dir, store)
}

/// A store with the sample game: thirteen plies, the player (Black) is on the move.
async fn with_game() -> (TempDir, Store) {
    let (dir, mut store) = empty().await;
    store.import(&[(sample(), ROOT.into())], false, now()).await.unwrap();
    (dir, store)
}

/// The same with his answer chosen and its draft waiting.
async fn with_plan() -> (TempDir, Store) {
    let (dir, mut store) = with_game().await;
    store.plan(&id(), 13, &plan(), &draft("<draft-1@example.net>"), now()).await.unwrap();
    (dir, store)
}

async fn game(store: &mut Store) -> Game {
    store.game(&id()).await.unwrap().unwrap().game
}

fn plan() -> Plan {
    Plan {
        before: Vec::new(),
        numeric: "2836".parse().unwrap(),
        stated: Stated {
            received: Some("2004-10-30".parse().unwrap()),
            sent: Some("2004-10-31".parse().unwrap()),
            days: Some(1),
            total: Some(31),
        },
        draw_offer: true,
        message_id: "<reply-1@example.net>".into(),
        conditionals: Vec::new(),
        comment: None,
        held_until: None,
    }
}

fn draft(message_id: &str) -> Outgoing {
    Outgoing {
        kind: OutgoingKind::Draft,
        game: Some(id()),
        ply: Some(14),
        message_id: message_id.into(),
        recipient: "tobin.q@example.net".into(),
        bytes: b"Subject: your draft\r\n\r\n14. 2836\r\n".to_vec(),
    }
}

fn notice(message_id: &str) -> Outgoing {
    Outgoing { kind: OutgoingKind::Notice, ply: None, ..draft(message_id) }
}

fn arrival(uid: &str) -> Arrival {
    Arrival {
        source: "imap".into(),
        folder: "INBOX".into(),
        epoch: 77,
        uid: uid.into(),
        size: Some(1234),
        server_date: Some(now()),
    }
}

fn event(text: &str) -> EventRow {
    EventRow { game: Some(id()), kind: "test".into(), text: text.into() }
}

fn white_move(expected_plies: usize, confirm_plan: bool) -> NewMove {
    NewMove {
        game: id(),
        expected_plies,
        confirm_plan: confirm_plan.then(|| plan().message_id),
        before: Vec::new(),
        record: MoveRecord {
            numeric: "4445".parse().unwrap(),
            claimed: Stated { received: Some("2004-11-01".parse().unwrap()), ..Stated::default() },
            observed: Observed {
                sent: Some("2004-11-02".parse().unwrap()),
                arrived: Some("2004-11-03".parse().unwrap()),
                sent_at: Some("2004-11-02T23:40:00+01:00".parse().unwrap()),
                relayed_at: Some("2004-11-03T00:02:00+02:00".parse().unwrap()),
                arrived_at: Some("2004-11-02T22:05:00Z".parse().unwrap()),
            },
            agreed: Agreed {
                received: None,
                sent: Some("2004-11-04".parse().unwrap()),
                days: Some(3),
                total: Some(15),
                penalty: Some(5),
            },
        },
        draw_offer: Some(Side::White),
        conditionals: Vec::new(),
        answer_to: None,
    }
}

fn black_move() -> NewMove {
    NewMove {
        record: MoveRecord::claimed("2836".parse().unwrap(), Stated::default()),
        draw_offer: None,
        ..white_move(13, false)
    }
}

fn verdict(open: bool) -> VerdictRow {
    VerdictRow {
        game: Some(id()),
        outcome: if open { "needs_human" } else { "move" },
        reason: "line 3: the condition \"if 4445\" is not understood".into(),
        plies: vec!["4445".parse().unwrap()],
        conditionals: vec![vec!["5755".into(), "4746".into()]],
        stated: Stated::default(),
        discrepancies: vec!["he counts 3 days".into()],
        candidates: vec!["4445".parse().unwrap(), "4455".parse().unwrap()],
        open,
        read_as: None,
    }
}

/// His mail that answers the planned move.
fn answer(raw: &[u8]) -> Taken<'_> {
    Taken {
        commanded: None,
        arrival: Some(arrival("5")),
        raw,
        private: false,
        message_id: Some("<his-8@example.org>".into()),
        from_address: Some("mila.ostrander@example.org".into()),
        subject: "8. d5".into(),
        server_date: Some(now()),
        verdicts: vec![verdict(false)],
        moves: vec![white_move(13, true)],
        sent: Vec::new(),
        bounces: Vec::new(),
        leaves: Vec::new(),
        notes: Vec::new(),
        outgoing: vec![notice("<notice-1@example.net>")],
        delivered_message_id: None,
        vouched: Some(Vouched {
            address: "mila.ostrander@example.org".parse().unwrap(),
            domain: "example.org".into(),
            at: now(),
        }),
        events: vec![event("8. 4445 is on record")],
        verified: None,
        settings: None,
    }
}

fn held_mail(raw: &[u8]) -> Taken<'_> {
    Taken { verdicts: vec![verdict(true)], moves: Vec::new(), ..answer(raw) }
}

/// A mail of the player's that came after a move of hers which nobody had read yet.
fn own_mail(raw: &[u8]) -> Taken<'_> {
    Taken {
        arrival: Some(arrival("6")),
        message_id: Some("<mine-9@example.net>".into()),
        from_address: Some("tobin.q@example.net".into()),
        server_date: Some("2004-11-04T08:00:00Z".parse().unwrap()),
        verdicts: vec![VerdictRow { outcome: "own", candidates: Vec::new(), ..verdict(false) }],
        moves: Vec::new(),
        outgoing: Vec::new(),
        vouched: None,
        ..answer(raw)
    }
}

/// A connection of somebody else.
async fn stranger(dir: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(dir.join("amici.db"));
    options.connect().await.unwrap()
}

async fn tables(db: &mut SqliteConnection) -> Vec<String> {
    sqlx::query_scalar(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('sqlite_sequence', '_sqlx_migrations', 'countdown') ORDER BY name",
    )
    .fetch_all(db)
    .await
    .unwrap()
}

/// Every row of every table, as text.
async fn dump(dir: &Path) -> String {
    let mut db = stranger(dir).await;
    let mut out = String::new();
    for table in tables(&mut db).await {
        let columns: Vec<String> =
            sqlx::query_scalar("SELECT name FROM pragma_table_info(?)").bind(&table).fetch_all(&mut db).await.unwrap();
        let columns: Vec<String> = columns.iter().map(|c| format!("quote({c})")).collect();
        let sql = format!("SELECT {} FROM {table}", columns.join(" || ' ' || "));
        let rows: Vec<String> = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut db).await.unwrap();
        for row in rows {
            writeln!(out, "{table}: {row}").unwrap();
        }
    }
    out
}

async fn count(dir: &Path, sql: &'static str) -> i64 {
    let mut db = stranger(dir).await;
    sqlx::query_scalar(sql).fetch_one(&mut db).await.unwrap()
}

/// Runs one of the ignored tests below in a process of its own.
fn second_process(test: &str, dir: &Path) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("store::{test}"), "--ignored", "--nocapture"])
        .env("AMICI_TEST_DIR", dir)
        .output()
        .unwrap()
}

fn given_dir() -> std::path::PathBuf {
    std::env::var_os("AMICI_TEST_DIR").expect("only another test of this file runs this one").into()
}

/// What a second process printed behind `word`.
fn told(output: &Output, word: &str) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|l| l.split_once(word).map(|(_, rest)| rest));
    line.unwrap_or_else(|| panic!("no {word} in {output:?}")).to_owned()
}

// Opening ------------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn an_import_keeps_all_that_is_known_of_a_move() {
    let (_dir, mut store) = empty().await;
    let mut whole = sample();
    whole.moves.truncate(12);
    whole.moves[3].claimed = Stated::default();
    whole.moves[11].observed = white_move(13, false).record.observed;
    whole.moves[11].agreed = white_move(13, false).record.agreed;
    store.import(&[(whole.clone(), ROOT.into())], false, now()).await.unwrap();
    assert_eq!(game(&mut store).await, whole);
}

#[tokio::test]
async fn the_schema_is_the_one_reviewed() {
    let (dir, _store) = empty().await;
    let mut db = stranger(dir.path()).await;
    let sql: Vec<String> = sqlx::query_scalar(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name <> '_sqlx_migrations' ORDER BY type, name",
    )
    .fetch_all(&mut db)
    .await
    .unwrap();
    insta::assert_snapshot!(sql.join("\n\n"));
}

#[tokio::test]
async fn directory_and_files_are_readable_by_their_owner_alone() {
    let parent = TempDir::new().unwrap();
    let dir = parent.path().join("data");
    let mut store = Store::open(&dir).await.unwrap();
    store.begin_login("imap", now()).await.unwrap();
    let _lock = Store::lock(&dir, "run", "pi", now()).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&dir), 0o700);
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(&dir).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        names.push(path.file_name().unwrap().to_string_lossy().into());
    }
    names.sort();
    assert_eq!(names, ["amici.db", "amici.db-shm", "amici.db-wal", "amici.lock"]);
}

#[tokio::test]
async fn a_database_that_others_could_read_is_closed_to_them() {
    let (dir, store) = empty().await;
    drop(store);
    let path = dir.path().join("amici.db");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    Store::open(dir.path()).await.unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn the_connection_syncs_every_commit_and_minds_foreign_keys() {
    let (dir, mut store) = with_game().await;
    assert_eq!(count(dir.path(), "PRAGMA application_id").await, 0x616d_6963);
    let mode: String =
        sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut stranger(dir.path()).await).await.unwrap();
    assert_eq!(mode, "wal");
    let unknown = EventRow { game: Some("NO-SUCH".parse().unwrap()), ..event("x") };
    assert!(matches!(store.note(&unknown, now()).await, Err(StoreError::NoSuchGame { .. })));
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let dir = TempDir::new().unwrap();
    let text = "Dear Sir, this is a letter.\n".repeat(50);
    fs::write(dir.path().join("amici.db"), &text).unwrap();
    let error = Store::open(dir.path()).await.unwrap_err();
    assert!(matches!(error, StoreError::NotOurs { .. }), "{error}");
    assert_eq!(error.class(), Class::Stop);
    let error = Store::open_existing_read_only(dir.path()).await.unwrap_err();
    assert!(matches!(error, StoreError::NotOurs { .. }), "{error}");
    assert_eq!(fs::read_to_string(dir.path().join("amici.db")).unwrap(), text);
}

#[tokio::test]
async fn an_own_database_that_was_cut_short_is_told_as_damaged() {
    let dir = TempDir::new().unwrap();
    drop(Store::open(dir.path()).await.unwrap());
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut stranger(dir.path()).await).await.unwrap();
    let whole = fs::read(dir.path().join("amici.db")).unwrap();
    for kept in [whole.len() / 2, 4096, 600] {
        let dir = TempDir::new().unwrap();
        fs::write(dir.path().join("amici.db"), &whole[..kept]).unwrap();
        for error in
            [Store::open(dir.path()).await.unwrap_err(), Store::open_existing_read_only(dir.path()).await.unwrap_err()]
        {
            assert!(matches!(error, StoreError::Damaged { .. }), "{kept}: {error:?}");
        }
    }
}

#[tokio::test]
async fn a_database_of_another_program_is_refused() {
    let dir = TempDir::new().unwrap();
    let options = SqliteConnectOptions::new().filename(dir.path().join("amici.db")).create_if_missing(true);
    let mut db = options.connect().await.unwrap();
    db.execute("CREATE TABLE cookies (id INTEGER)").await.unwrap();
    let error = Store::open(dir.path()).await.unwrap_err();
    assert!(matches!(error, StoreError::NotOurs { .. }), "{error}");
    assert_eq!(tables(&mut db).await, ["cookies"]);
}

#[tokio::test]
async fn a_newer_schema_is_refused_with_both_versions() {
    let (dir, store) = with_game().await;
    drop(store);
    let mut db = stranger(dir.path()).await;
    let known: i64 = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations").fetch_one(&mut db).await.unwrap();
    db.execute("INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (9999, 'later', 1, x'00', 0)")
        .await
        .unwrap();
    drop(db);
    let wanted = format!("has schema 9999, this program knows up to {known}");
    for error in
        [Store::open(dir.path()).await.unwrap_err(), Store::open_existing_read_only(dir.path()).await.unwrap_err()]
    {
        assert_eq!(error.class(), Class::Stop);
        let text = error.to_string();
        assert!(text.contains(&wanted) && text.contains("help: use the newer amici"), "{text}");
    }
}

#[tokio::test]
async fn a_database_from_before_the_first_release_is_refused_with_the_way_out_and_left_alone() {
    let (dir, store) = with_game().await;
    drop(store);
    let mut db = stranger(dir.path()).await;
    db.execute("UPDATE _sqlx_migrations SET description = 'games', checksum = x'00'").await.unwrap();
    for version in 2..=19 {
        sqlx::query("INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (?, 'more', 1, x'00', 0)")
            .bind(version)
            .execute(&mut db)
            .await
            .unwrap();
    }
    drop(db);
    let before = dump(dir.path()).await;
    for error in
        [Store::open(dir.path()).await.unwrap_err(), Store::open_existing_read_only(dir.path()).await.unwrap_err()]
    {
        assert_eq!(error.class(), Class::Stop);
        assert_eq!(
            error.to_string(),
            format!(
                "{} cannot be used: an amici from before the first release made it, with other tables\n\
                 help: write its games into a file with that amici, `amici export -o games.json`, and with this one and another \
                 --data directory say `amici import games.json`; keep the old directory: its mails and private notes are in it alone",
                dir.path().join("amici.db").display()
            )
        );
    }
    assert_eq!(dump(dir.path()).await, before);
}

#[tokio::test]
async fn a_damaged_database_is_refused() {
    let (dir, mut store) = with_game().await;
    for n in 0..40_u8 {
        let raw = noise(n.into());
        store.record(&held_mail_numbered(&raw, &n.to_string()), now()).await.unwrap();
    }
    drop(store);
    stranger(dir.path()).await.execute("PRAGMA wal_checkpoint(TRUNCATE)").await.unwrap();
    let path = dir.path().join("amici.db");
    let mut bytes = fs::read(&path).unwrap();
    let from = bytes.len() / 3;
    bytes[from..2 * from].fill(0xa5);
    fs::write(&path, bytes).unwrap();
    let error = Store::open(dir.path()).await.unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert_eq!(error.class(), Class::Stop);
}

#[tokio::test]
async fn a_reader_without_a_database_is_told_what_to_do() {
    let dir = TempDir::new().unwrap();
    let error = Store::open_existing_read_only(dir.path()).await.unwrap_err();
    assert!(matches!(error, StoreError::NoDatabase { .. }), "{error}");
    assert!(error.to_string().contains("amici import FILE"), "{error}");
    assert!(fs::read_dir(dir.path()).unwrap().next().is_none(), "nothing was created");
}

#[tokio::test]
async fn a_reader_works_while_a_writer_writes_and_after_it_has_gone() {
    let (dir, mut writer) = with_game().await;
    let path = dir.path().to_owned();
    let writing = tokio::spawn(async move {
        for n in 0..60_u64 {
            let raw = noise(n);
            let uid = n.to_string();
            writer.record(&held_mail_numbered(&raw, &uid), now()).await.unwrap();
        }
    });
    let mut seen = 0;
    while !writing.is_finished() {
        let mut reader = Store::open_existing_read_only(&path).await.unwrap();
        let held = reader.held().await.unwrap().len();
        assert!(held >= seen, "{held} after {seen}");
        seen = held;
        tokio::task::yield_now().await;
    }
    writing.await.unwrap();
    let mut reader = Store::open_existing_read_only(&path).await.unwrap();
    assert_eq!(reader.held().await.unwrap().len(), 60);
    assert_eq!(game(&mut reader).await, sample());
    let error = reader.note(&event("x"), now()).await.unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
    assert_eq!(reader.held().await.unwrap().len(), 60, "it reads on");
}

#[tokio::test]
async fn many_may_open_a_new_directory_at_once() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("data");
    let opening: Vec<_> = (0..8)
        .map(|_| {
            let path = path.clone();
            tokio::spawn(async move { Store::open(&path).await.map(|_| ()) })
        })
        .collect();
    for one in opening {
        one.await.unwrap().unwrap();
    }
}

// The lock -----------------------------------------------------------------------------------------------------------

#[test]
#[ignore = "the second process of the test below"]
fn second_lock() {
    match Store::lock(&given_dir(), "run", "pi", now()) {
        Ok(_) => println!("TOLD got it"),
        Err(error) => println!("TOLD {error} {:?}", error.class()),
    }
}

#[test]
fn a_second_daemon_is_refused_with_the_pid_and_host_of_the_first() {
    let dir = TempDir::new().unwrap();
    let lock = Store::lock(dir.path(), "run", "pi.example.net", now()).unwrap();
    let told_locked = told(&second_process("second_lock", dir.path()), "TOLD ");
    let expected = format!(
        "another amici works on this data directory: `amici run`, process {} on pi.example.net, since 2004-10-31 08:00:00 UTC",
        std::process::id()
    );
    assert_eq!(told_locked, expected);
    drop(lock);
    let free = told(&second_process("second_lock", dir.path()), "TOLD ");
    assert_eq!(free, "got it");
    assert!(Store::lock(dir.path(), "run", "pi", now()).is_ok(), "a dead holder leaves no lock");
}

// Games --------------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn a_game_comes_back_as_it_was_imported() {
    let (_dir, mut store) = empty().await;
    let mut full = sample();
    full.start_fen = Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into());
    full.rules = serde_json::from_str(r#"{"base": "iccf-email-2000", "double_after": 20}"#).unwrap();
    full.notations = vec!["iccf".into(), "san-de".into()];
    full.draw_offer = Some(Side::White);
    full.conditionals = vec![vec!["4746".parse().unwrap(), "5171".parse().unwrap()], vec!["17181".parse().unwrap()]];
    full.result = Some(GameResult::Draw);
    full.last_message_id = Some("<7@example.org>".into());
    full.seen_message_ids = vec!["<z@example.org>".into(), "<a@example.org>".into()];
    full.white.emails.push("M.O@Example.COM".into());
    full.moves[3] = white_move(0, false).record;
    let mut second = sample();
    second.id = "SAMPLE-2".parse().unwrap();
    let both = [(full.clone(), ROOT.to_owned()), (second.clone(), "<game-2@example.net>".to_owned())];
    store.import(&both, false, now()).await.unwrap();
    assert_eq!(game(&mut store).await, full);
    let all = store.games().await.unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!(all[0].game, full);
    assert_eq!(all[0].root_message_id, ROOT);
    assert_eq!(all[1].game, second);
    assert!(store.game(&"SAMPLE-3".parse().unwrap()).await.unwrap().is_none());
}

#[tokio::test]
async fn a_value_that_cannot_be_read_back_stops_and_is_named() {
    for (sql, column) in [
        ("UPDATE moves SET numeric = '9944' WHERE ply = 3", "moves.numeric"),
        ("UPDATE moves SET claimed_sent = 'soon' WHERE ply = 3", "claimed_sent"),
        ("DELETE FROM addresses; DELETE FROM players WHERE side = 'black'", "players.name"),
    ] {
        let (dir, mut store) = with_game().await;
        stranger(dir.path()).await.execute(sql).await.unwrap();
        let error = store.games().await.unwrap_err();
        assert_eq!(error.class(), Class::Stop);
        let text = error.to_string();
        assert!(text.contains(&format!("a value in {column} cannot")), "{text}");
    }
}

/// A position with Black to move.
const BLACK_BEGINS: &str = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";

#[tokio::test]
async fn games_with_a_date_from_a_day_on_are_all_those_in_which_something_is_dated_later() {
    let day: NaiveDate = "2030-01-01".parse().unwrap();
    let (before, later) = (day.pred_opt().unwrap(), day.checked_add_days(Days::new(2)).unwrap());
    type Change = fn(&mut Game, NaiveDate);
    let changes: [Change; 10] = [
        |game, on| game.start_date = Some(on),
        |game, on| game.moves[2].claimed.received = Some(on),
        |game, on| game.moves[3].claimed.sent = Some(on),
        |game, on| game.moves[12].observed.arrived = Some(on),
        |game, on| game.moves[12].observed.sent = Some(on),
        |game, on| game.moves[5].agreed.received = Some(on),
        |game, on| game.moves[5].agreed.sent = Some(on),
        |game, on| game.moves[4].observed.sent_at = format!("{on}T23:30:00-12:00").parse().ok(),
        |game, on| {
            game.leaves = vec![Leave {
                side: Side::White,
                from: "2004-12-01".parse().unwrap(),
                to: "2004-12-02".parse().unwrap(),
                announced: Some(on),
            }];
        },
        |game, on| game.clock_notes = vec![ClockNote { ply: 14, kind: ClockNoteKind::Announced, on, until: None }],
    ];
    let (_dir, mut store) = empty().await;
    let mut games = Vec::new();
    for (n, change) in changes.iter().enumerate() {
        for (word, on) in [("OLD", before), ("NEW", later)] {
            let mut game = sample();
            game.id = format!("{word}-{n}").parse().unwrap();
            game.result = (n % 2 == 0).then_some(GameResult::Draw);
            change(&mut game, on);
            games.push((game, format!("<{word}-{n}@example.net>")));
        }
    }
    store.import(&games, false, now()).await.unwrap();
    let found = store.games_dated_from(day).await.unwrap();
    let all = store.games().await.unwrap();
    assert_eq!(found, all.iter().filter(|game| game.game.id.as_str().starts_with("NEW")).cloned().collect::<Vec<_>>());
    let is_ahead = |game: &&StoredGame| !ahead(&game.game, &Ledger::of(&game.game).unwrap(), day).is_empty();
    assert!(all.iter().filter(is_ahead).all(|game| found.contains(game)));
    assert!(found.iter().filter(is_ahead).count() > 5);
}

#[tokio::test]
async fn hundreds_of_games_keep_their_order_their_moves_and_the_versions_that_are_told() {
    let (_dir, mut store) = empty().await;
    let games: Vec<(Game, String)> = (0..250)
        .map(|n| {
            let mut game = sample();
            game.id = format!("G-{n}").parse().unwrap();
            game.moves.truncate(n % 13);
            game.result = (n % 7 == 0).then_some(GameResult::Draw);
            game.start_fen = (n % 5 == 0 && n % 13 == 0).then(|| BLACK_BEGINS.to_owned());
            if n % 3 > 0 {
                game.moves
                    .iter_mut()
                    .for_each(|record| *record = MoveRecord::claimed(record.numeric, Stated::default()));
            }
            (game, format!("<{n}@example.net>"))
        })
        .collect();
    let imported = store.import_annotated(&games, &[], false, now()).await.unwrap();
    let stored = store.watched_games().await.unwrap();
    assert_eq!(stored.iter().map(|game| game.version).collect::<Vec<_>>(), imported.versions);
    let third = |game: &StoredGame| game.game.id.as_str().ends_with('3');
    let wanted = store.games_where(third).await.unwrap();
    assert_eq!(wanted, stored.iter().map(|game| game.stored.clone()).filter(third).collect::<Vec<_>>());
    assert!(wanted.len() == 25 && wanted.iter().any(|game| game.game.moves.len() == 12), "whole, in their order");
    let has_moves = |outline: &StoredGame| !outline.game.moves.is_empty();
    assert!(store.games_where(has_moves).await.unwrap().is_empty(), "they are chosen without their moves");
    let to_move = store.games_to_move().await.unwrap();
    let due = stored.iter().map(|game| &game.stored).filter(|game| game.game.is_my_turn());
    assert_eq!(to_move, due.cloned().collect::<Vec<_>>());
    assert!(!to_move.is_empty() && to_move.len() < stored.len(), "{}", to_move.len());
    assert_eq!(store.game_names().await.unwrap(), games.iter().map(|(game, _)| game.id.clone()).collect::<Vec<_>>());
    let stored: Vec<_> = stored.into_iter().map(|game| (game.stored.game, game.stored.root_message_id)).collect();
    assert_eq!(stored, games);
}

#[tokio::test]
async fn an_import_leaves_every_trigger_in_its_place() {
    const SCHEMA: &str = "SELECT group_concat(sql, ';' ORDER BY name) FROM sqlite_master";
    let (dir, mut store) = empty().await;
    let schema =
        async || -> String { sqlx::query_scalar(SCHEMA).fetch_one(&mut stranger(dir.path()).await).await.unwrap() };
    let before = schema().await;
    assert!(before.contains("moves_version_insert"));
    store.import(&[(sample(), ROOT.into())], false, now()).await.unwrap();
    assert_eq!(schema().await, before);
    store.import(&[(sample(), ROOT.into())], false, now()).await.unwrap_err();
    assert_eq!(schema().await, before);
}

#[tokio::test]
async fn a_game_that_exists_stops_the_whole_import() {
    let (dir, mut store) = with_game().await;
    let before = dump(dir.path()).await;
    let mut other = sample();
    other.id = "OTHER".parse().unwrap();
    let file = [(other, "<o@example.net>".to_owned()), (sample(), "<new@example.net>".to_owned())];
    let error = store.import(&file, false, now()).await.unwrap_err();
    assert!(matches!(&error, StoreError::GameExists { id: name } if *name == id()), "{error}");
    let twice = [(sample(), ROOT.to_owned()), (sample(), ROOT.to_owned())];
    let error = store.import(&twice, true, now()).await.unwrap_err();
    assert!(matches!(&error, StoreError::GameExists { .. }), "which of the two would it be? {error}");
    assert_eq!(dump(dir.path()).await, before);
}

#[tokio::test]
async fn a_replaced_game_keeps_its_thread_and_its_journal() {
    let (_dir, mut store) = with_plan().await;
    store.note(&event("it began"), now()).await.unwrap();
    let mut shorter = sample();
    shorter.moves.truncate(3);
    shorter.white.emails = vec!["mila@example.com".into()];
    let file = [(shorter.clone(), "<new-root@example.net>".to_owned())];
    store.import(&file, true, now()).await.unwrap();
    let stored = store.game(&id()).await.unwrap().unwrap();
    assert_eq!(stored.game, shorter);
    assert_eq!(stored.root_message_id, ROOT);
    assert_eq!(store.events(&id()).await.unwrap().len(), 1);
    assert!(store.due(now()).await.unwrap().is_empty(), "the draft of the old plan is cancelled");
}

#[tokio::test]
async fn closing_a_game_ends_its_plan_and_its_waiting_draft() {
    let (_dir, mut store) = with_plan().await;
    store.close_game(&id(), GameResult::Draw, None, now()).await.unwrap();
    let closed = game(&mut store).await;
    assert_eq!(closed.result, Some(GameResult::Draw));
    assert_eq!(closed.plan, None);
    assert!(store.due(now()).await.unwrap().is_empty());
    assert_eq!(store.events(&id()).await.unwrap()[0].kind, "closed");
}

#[tokio::test]
async fn a_result_taken_back_takes_its_waiting_report_with_it_and_nothing_that_the_player_did_not_close() {
    let (_dir, mut store) = with_game().await;
    let before = game(&mut store).await;
    let report = draft("<report@example.net>");
    store.close_game(&id(), GameResult::Draw, Some(&report), now()).await.unwrap();
    assert_eq!(store.due(now()).await.unwrap().len(), 1);
    let back = game(&mut store).await.back_to(&before);
    let plies = before.moves.len();
    let other = store.retract(&back, plies + 1, &event("retracted"), now()).await.unwrap_err();
    assert!(matches!(other, StoreError::Moved { .. }), "he saw another record");
    store.retract(&back, plies, &event("retracted"), now()).await.unwrap();
    assert_eq!(game(&mut store).await, before);
    assert!(store.due(now()).await.unwrap().is_empty());
    assert!(store.events(&id()).await.unwrap().iter().any(|line| line.text == "retracted"));
}

// Taking in ----------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn an_answer_confirms_the_plan_and_brings_one_move() {
    let (dir, mut store) = with_plan().await;
    let recorded = store.record(&answer(b"8. d5"), now()).await.unwrap();
    assert!(recorded.new);
    let after = game(&mut store).await;
    assert_eq!(after.moves.len(), 15);
    assert_eq!(after.moves[13], MoveRecord::claimed(plan().numeric, plan().stated));
    assert_eq!(after.moves[14], white_move(13, true).record);
    assert_eq!(after.plan, None);
    assert_eq!(after.draw_offer, Some(Side::White));
    assert_eq!(after.last_message_id.as_deref(), Some("<his-8@example.org>"));
    assert_eq!(after.seen_message_ids, ["<his-8@example.org>"]);
    let waiting = store.due(now()).await.unwrap();
    assert_eq!(waiting.len(), 1, "the stale draft is cancelled");
    assert_eq!(waiting[0].outgoing, notice("<notice-1@example.net>"));
    assert_eq!(waiting[0].mail, Some(recorded.mail));
    let journal = store.events(&id()).await.unwrap();
    assert_eq!(journal[0].text, "8. 4445 is on record");
    assert_eq!(journal[0].mail, Some(recorded.mail));
    assert_eq!(store.mail_raw(recorded.mail).await.unwrap().unwrap(), b"8. d5");
    assert!(store.arrivals_not_read().await.unwrap().is_empty());
    assert_eq!(
        count(
            dir.path(),
            "SELECT count(*) FROM verdicts WHERE outcome = 'move' AND candidates = '[\"4445\",\"4455\"]'"
        )
        .await,
        1
    );
}

#[tokio::test]
async fn the_same_content_again_is_one_mail_and_one_move() {
    let (dir, mut store) = with_plan().await;
    let first = store.record(&answer(b"8. d5"), now()).await.unwrap();
    let mut copy = answer(b"8. d5");
    copy.arrival = Some(Arrival { epoch: 78, ..arrival("1") });
    let again = store.record(&copy, now()).await.unwrap();
    assert_eq!(again.mail, first.mail);
    assert!(!again.new);
    assert_eq!(game(&mut store).await.moves.len(), 15);
    assert_eq!(store.due(now()).await.unwrap().len(), 1);
    assert_eq!(count(dir.path(), "SELECT count(*) FROM arrivals WHERE state = 'done'").await, 2);
    let hash: [u8; 32] = Sha256::digest(b"8. d5").into();
    assert_eq!(store.mail_known(hash).await.unwrap(), Some(first.mail));
    assert_eq!(store.mail_known([0; 32]).await.unwrap(), None);
}

#[tokio::test]
async fn the_same_message_id_with_other_content_is_another_mail() {
    let (_dir, mut store) = with_game().await;
    let one = store.record(&held_mail(b"one"), now()).await.unwrap().mail;
    let mut second = held_mail(b"two");
    second.arrival = Some(arrival("6"));
    second.outgoing.clear();
    let two = store.record(&second, now()).await.unwrap().mail;
    let known = store.message_id_known("<his-8@example.org>").await.unwrap();
    assert_eq!(known, [one, two]);
    assert!(store.message_id_known("<other@example.org>").await.unwrap().is_empty());
}

#[tokio::test]
async fn a_mail_judged_against_an_older_record_leaves_nothing() {
    let (dir, mut store) = with_plan().await;
    let before = dump(dir.path()).await;
    let mut stale = answer(b"8. d5");
    stale.moves = vec![white_move(11, true)];
    let error = store.record(&stale, now()).await.unwrap_err();
    assert!(matches!(error, StoreError::Moved { expected: 11, found: 13, .. }), "{error}");
    assert_eq!(error.class(), Class::Retry);
    assert_eq!(dump(dir.path()).await, before);
    let mut second_stale = answer(b"8. d5");
    second_stale.moves.push(white_move(13, false));
    store.record(&second_stale, now()).await.unwrap_err();
    assert_eq!(dump(dir.path()).await, before, "nor when only the second move does not fit");
}

#[tokio::test]
async fn a_plan_that_was_taken_back_is_not_confirmed() {
    let (dir, mut store) = with_plan().await;
    store.undo(&id(), now()).await.unwrap();
    let before = dump(dir.path()).await;
    let error = store.record(&answer(b"8. d5"), now()).await.unwrap_err();
    assert!(matches!(error, StoreError::NoPlan { .. }), "{error}");
    assert_eq!(dump(dir.path()).await, before);
}

#[tokio::test]
async fn a_plan_that_was_replaced_after_the_judging_is_not_confirmed() {
    let (dir, mut store) = with_plan().await;
    let other = Plan { numeric: "2847".parse().unwrap(), message_id: "<reply-2@example.net>".into(), ..plan() };
    store.plan(&id(), 13, &other, &draft("<draft-2@example.net>"), now()).await.unwrap();
    let before = dump(dir.path()).await;
    let error = store.record(&answer(b"8. d5"), now()).await.unwrap_err();
    assert!(matches!(error, StoreError::NoPlan { .. }), "{error}");
    assert_eq!(error.class(), Class::Retry);
    assert_eq!(dump(dir.path()).await, before);
}

#[tokio::test]
async fn a_finished_game_takes_no_move_and_no_plan() {
    let (dir, mut store) = with_game().await;
    store.close_game(&id(), GameResult::Draw, None, now()).await.unwrap();
    let before = dump(dir.path()).await;
    let mut mail = answer(b"8. d5");
    mail.moves = vec![black_move()];
    let errors = [
        store.record(&mail, now()).await.unwrap_err(),
        store.confirm_sent(&black_move(), &event("sent"), now()).await.unwrap_err(),
        store.plan(&id(), 13, &plan(), &draft("<draft-1@example.net>"), now()).await.unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, StoreError::Finished { .. }), "{error}");
        assert_eq!(error.class(), Class::Retry);
    }
    assert_eq!(dump(dir.path()).await, before);
}

#[tokio::test]
async fn a_mail_of_our_own_marks_its_row_as_sent() {
    let (_dir, mut store) = with_plan().await;
    let own = Taken {
        raw: b"our own draft came back",
        delivered_message_id: Some("<draft-1@example.net>".into()),
        ..Taken::default()
    };
    store.record(&own, now()).await.unwrap();
    let row = store.outgoing_by_message_id("<draft-1@example.net>").await.unwrap().unwrap();
    assert_eq!(row.state, OutboxState::Sent);
    assert!(store.outgoing_by_message_id("<other@example.net>").await.unwrap().is_none());
}

#[tokio::test]
async fn an_announced_message_waits_until_it_is_read_or_given_up() {
    let (_dir, mut store) = with_game().await;
    let all = [arrival("5"), arrival("6"), arrival("7")];
    store.announce(&all, now()).await.unwrap();
    store.announce(&all, now()).await.unwrap();
    let uids =
        |rows: Vec<amici::io::store::NotRead>| -> Vec<String> { rows.into_iter().map(|r| r.arrival.uid).collect() };
    assert_eq!(uids(store.pending("imap", "INBOX", 77).await.unwrap()), ["5", "6", "7"]);
    assert!(store.pending("imap", "INBOX", 78).await.unwrap().is_empty());
    store.record(&held_mail(b"x"), now()).await.unwrap();
    store.settle(&arrival("6"), ArrivalState::TooLarge, "40 MB", now()).await.unwrap();
    let left = store.pending("imap", "INBOX", 77).await.unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].arrival, arrival("7"));
    let unread = store.arrivals_not_read().await.unwrap();
    assert_eq!(unread.len(), 2);
    assert_eq!(unread[0].state, ArrivalState::TooLarge);
    assert_eq!(unread[0].reason.as_deref(), Some("40 MB"));
    assert_eq!(unread[1].state, ArrivalState::Open);
}

#[tokio::test]
async fn attempts_are_counted_until_the_message_is_settled() {
    let (_dir, mut store) = with_game().await;
    let message = arrival("5");
    store.announce(std::slice::from_ref(&message), now()).await.unwrap();
    let mut tries = Vec::new();
    for _ in 0..3 {
        tries.push(store.note_attempt(&message, now()).await.unwrap());
    }
    assert_eq!(tries, [Attempt::First, Attempt::Again(1), Attempt::Again(2)]);
    assert_eq!(store.note_attempt(&arrival("9"), now()).await.unwrap(), Attempt::First, "one that was never announced");
    store.settle(&message, ArrivalState::SetAside, "it stopped the program twice", now()).await.unwrap();
    assert_eq!(store.note_attempt(&message, now()).await.unwrap(), Attempt::Settled);
}

#[tokio::test]
async fn an_attempt_that_failed_for_another_reason_is_taken_back() {
    let (_dir, mut store) = with_game().await;
    let message = arrival("5");
    for _ in 0..3 {
        assert_eq!(store.note_attempt(&message, now()).await.unwrap(), Attempt::First);
        store.excuse(&message).await.unwrap();
    }
}

#[tokio::test]
async fn a_message_that_the_server_did_not_give_is_asked_for_again_a_day_later() {
    let (_dir, mut store) = with_game().await;
    let message = arrival("5");
    let place = (message.source.as_str(), message.folder.as_str(), message.epoch);
    store.announce(std::slice::from_ref(&message), now()).await.unwrap();
    for count in 1..=5 {
        assert_eq!(store.note_refusal(&message, now()).await.unwrap(), count);
    }
    store.settle(&message, ArrivalState::SetAside, "the server could not give it", now()).await.unwrap();
    for (before, waiting) in [(now(), 0), (now() + TimeDelta::seconds(1), 1)] {
        store.ask_again(place, before).await.unwrap();
        assert_eq!(store.pending(place.0, place.1, place.2).await.unwrap().len(), waiting, "{before}");
    }
    assert_eq!(store.note_refusal(&message, now()).await.unwrap(), 5, "once, and not five times more");
    store.note_attempt(&message, now()).await.unwrap();
    assert_eq!(store.note_refusal(&message, now()).await.unwrap(), 1, "it was given meanwhile");
}

#[tokio::test]
async fn a_message_that_was_read_is_not_given_up_later() {
    let (_dir, mut store) = with_game().await;
    store.record(&held_mail(b"x"), now()).await.unwrap();
    store.settle(&arrival("5"), ArrivalState::Gone, "not found", now()).await.unwrap();
    assert!(store.arrivals_not_read().await.unwrap().is_empty());
    assert_eq!(store.note_attempt(&arrival("5"), now()).await.unwrap(), Attempt::Settled);
}

#[tokio::test]
async fn a_cursor_goes_back_only_with_a_new_epoch() {
    let (_dir, mut store) = empty().await;
    assert_eq!(store.cursor("imap", "INBOX").await.unwrap(), None);
    let at = |epoch, last_uid| Cursor { epoch, last_uid };
    for (given, expected) in
        [(at(7, 20), at(7, 20)), (at(7, 12), at(7, 20)), (at(7, 25), at(7, 25)), (at(8, 3), at(8, 3))]
    {
        store.advance("imap", "INBOX", given, now()).await.unwrap();
        assert_eq!(store.cursor("imap", "INBOX").await.unwrap(), Some(expected));
    }
    assert_eq!(store.cursor("imap", "Sent").await.unwrap(), None);
}

// The player ---------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn a_plan_is_kept_apart_from_the_record() {
    let (_dir, mut store) = with_plan().await;
    let planned = game(&mut store).await;
    assert_eq!(planned.plan, Some(plan()));
    assert_eq!(planned.moves.len(), 13);
    let waiting = store.due(now()).await.unwrap();
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].outgoing, draft("<draft-1@example.net>"));
    assert_eq!(waiting[0].state, OutboxState::Queued);
}

#[tokio::test]
async fn another_choice_replaces_the_plan_and_its_draft() {
    let (_dir, mut store) = with_plan().await;
    let other = Plan { numeric: "2847".parse().unwrap(), ..plan() };
    store.plan(&id(), 13, &other, &draft("<draft-2@example.net>"), now()).await.unwrap();
    assert_eq!(game(&mut store).await.plan, Some(other));
    let waiting = store.due(now()).await.unwrap();
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].outgoing.message_id, "<draft-2@example.net>");
    let stale = store.plan(&id(), 11, &plan(), &draft("<draft-3@example.net>"), now()).await.unwrap_err();
    assert!(matches!(stale, StoreError::Moved { expected: 11, found: 13, .. }), "{stale}");
}

#[tokio::test]
async fn a_plan_taken_back_leaves_no_draft() {
    let (_dir, mut store) = with_plan().await;
    assert_eq!(store.undo(&id(), now()).await.unwrap(), Some(plan()));
    assert_eq!(store.undo(&id(), now()).await.unwrap(), None);
    assert_eq!(game(&mut store).await, sample());
    assert!(store.unsent().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_move_the_player_says_he_sent_settles_the_plan() {
    let (_dir, mut store) = with_plan().await;
    store.confirm_sent(&black_move(), &event("sent"), now()).await.unwrap();
    let after = game(&mut store).await;
    assert_eq!(after.moves.len(), 14);
    assert_eq!(after.moves[13], black_move().record);
    assert_eq!(after.plan, None);
    let again = store.confirm_sent(&black_move(), &event("sent"), now()).await.unwrap_err();
    assert!(matches!(again, StoreError::Moved { .. }), "{again}");
}

#[tokio::test]
async fn a_held_mail_is_listed_until_the_player_settles_it() {
    let (_dir, mut store) = with_plan().await;
    let mail = store.record(&held_mail(b"x"), now()).await.unwrap().mail;
    let held = store.held().await.unwrap();
    assert_eq!(held.len(), 1);
    assert_eq!(held[0].mail, mail);
    assert_eq!(held[0].game, Some(id()));
    assert_eq!(held[0].outcome, "needs_human");
    assert_eq!(held[0].candidates, verdict(true).candidates);
    assert_eq!(held[0].from_address.as_deref(), Some("mila.ostrander@example.org"));
    assert_eq!(held[0].subject, "8. d5");
    assert_eq!(held[0].server_date, Some(now()));
    let key = held[0].verdict;
    let read = white_move(13, true);
    let settled = store.settle_verdict(key, Some(&read), &[], &event("read by hand"), now()).await.unwrap();
    assert!(settled);
    assert!(store.held().await.unwrap().is_empty());
    let after = game(&mut store).await;
    assert_eq!(after.moves.len(), 15);
    assert_eq!(after.last_message_id.as_deref(), Some("<his-8@example.org>"));
    let again = store.settle_verdict(key, Some(&white_move(15, false)), &[], &event("again"), now()).await.unwrap();
    assert!(!again);
    assert_eq!(game(&mut store).await.moves.len(), 15, "settled once, read once");
}

#[tokio::test]
async fn a_question_about_a_held_mail_is_kept_once_and_leaves_it_held() {
    let (dir, mut store) = with_plan().await;
    store.record(&held_mail(b"x"), now()).await.unwrap();
    let key = store.held().await.unwrap()[0].verdict;
    let queued = "SELECT count(*) FROM outbox WHERE state = 'queued' AND message_id LIKE '<question%'";
    for (again, id, expected, waiting) in [
        (false, "<question-1@example.net>", Asking::Drafted, 1),
        (false, "<question-2@example.net>", Asking::AskedBefore(now()), 1),
        (true, "<question-3@example.net>", Asking::Drafted, 1),
    ] {
        let asking = store.ask(key, again, &notice(id), &event("asked"), now()).await.unwrap();
        assert_eq!((asking, count(dir.path(), queued).await), (expected, waiting), "{id}");
    }
    assert_eq!(store.held().await.unwrap()[0].asked_at, Some(now()));
    assert!(store.settle_verdict(key, None, &[], &event("put away"), now()).await.unwrap());
    assert_eq!(count(dir.path(), queued).await, 0, "nobody asks about what is settled");
    let late = store.ask(key, true, &notice("<question-4@example.net>"), &event("asked"), now()).await.unwrap();
    assert_eq!((late, count(dir.path(), queued).await), (Asking::Settled, 0));
}

#[tokio::test]
async fn a_move_tells_the_mail_that_gave_it_and_the_draft_it_began_as() {
    let (_dir, mut store) = with_plan().await;
    let imported = store.provenance(&id(), 13).await.unwrap().unwrap();
    assert_eq!((imported.mail, imported.draft, imported.recorded_at), (None, None, now()));
    assert_eq!(store.provenance(&id(), 14).await.unwrap(), None, "a plan is no record");
    let mail = store.record(&answer(b"8. d5"), now()).await.unwrap().mail;
    let mine = store.provenance(&id(), 14).await.unwrap().unwrap();
    assert_eq!((mine.mail, mine.draft.is_some()), (Some(mail), true));
    let his = store.provenance(&id(), 15).await.unwrap().unwrap();
    assert_eq!((his.mail, his.draft, his.discrepancies), (Some(mail), None, verdict(false).discrepancies));
    let stored = store.mail(mail).await.unwrap().unwrap();
    assert_eq!((stored.mail, stored.message_id.as_deref()), (mail, Some("<his-8@example.org>")));
    assert_eq!((stored.subject.as_str(), stored.server_date, stored.taken_at), ("8. d5", Some(now()), now()));
    assert_eq!(store.mail(mail + 1).await.unwrap(), None);
}

#[tokio::test]
async fn the_journal_cannot_be_rewritten() {
    let (dir, mut store) = with_game().await;
    store.note(&event("it began"), now()).await.unwrap();
    let mut db = stranger(dir.path()).await;
    assert!(db.execute("UPDATE events SET text = 'no'").await.is_err());
    assert!(db.execute("DELETE FROM events").await.is_err());
    assert_eq!(store.events(&id()).await.unwrap()[0].text, "it began");
}

// The outbox ---------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn a_mail_is_due_when_its_time_has_come() {
    let (_dir, mut store) = with_plan().await;
    let row = store.due(now()).await.unwrap().remove(0);
    assert!(store.begin_attempt(row.id, now()).await.unwrap());
    assert!(!store.begin_attempt(row.id, now()).await.unwrap(), "it is being sent already");
    assert!(store.due(now()).await.unwrap().is_empty());
    let at = now() + TimeDelta::milliseconds(1500);
    let retry = Outcome::RetryAt { at, error: "451 try later".into() };
    store.finish(row.id, &retry).await.unwrap();
    assert!(store.due(now() + TimeDelta::seconds(1)).await.unwrap().is_empty());
    let row = store.due(now() + TimeDelta::seconds(2)).await.unwrap().remove(0);
    assert_eq!(row.attempts, 1);
    assert_eq!(row.last_attempt_at, Some(now()));
    assert_eq!(row.next_attempt_at, Some(at));
    assert_eq!(row.last_error.as_deref(), Some("451 try later"));
}

#[tokio::test]
async fn of_a_notice_that_was_delivered_long_ago_the_facts_are_kept_and_of_a_draft_all() {
    let (_dir, mut store) = with_plan().await;
    store.record(&held_mail(b"x"), now()).await.unwrap();
    for row in store.due(now()).await.unwrap() {
        store.begin_attempt(row.id, now()).await.unwrap();
        store.finish(row.id, &Outcome::Sent { said: "250 ok".into() }).await.unwrap();
    }
    let later = now() + TimeDelta::days(30);
    assert_eq!(store.drop_delivered(now()).await.unwrap(), 0);
    assert_eq!(store.drop_delivered(later).await.unwrap(), 1);
    assert_eq!(store.drop_delivered(later).await.unwrap(), 0);
    let notice = held_mail(b"x").outgoing.remove(0).message_id;
    let kept = store.outgoing_by_message_id(&notice).await.unwrap().unwrap();
    assert_eq!((kept.state, kept.outgoing.bytes.as_slice()), (OutboxState::Sent, &b""[..]));
    let letters = store.own_letters(&id(), 14).await.unwrap();
    assert!(letters.iter().all(|letter| !letter.is_empty()) && !letters.is_empty());
}

#[tokio::test]
async fn every_end_of_a_try_is_kept() {
    let (_dir, mut store) = with_game().await;
    let mut mail = held_mail(b"x");
    mail.outgoing.clear();
    for name in ["sent", "failed", "unknown"] {
        let mut one = notice(&format!("<{name}@example.net>"));
        one.game = None;
        mail.outgoing = vec![one];
        let raw = name.as_bytes().to_vec();
        let each = Taken { raw: &raw, arrival: None, ..mail.clone() };
        store.record(&each, now()).await.unwrap();
    }
    for (row, outcome) in store.due(now()).await.unwrap().iter().zip([
        Outcome::Sent { said: "250 ok".into() },
        Outcome::Failed { error: "550 no".into() },
        Outcome::Unknown { error: "cut".into() },
    ]) {
        store.begin_attempt(row.id, now()).await.unwrap();
        store.finish(row.id, &outcome).await.unwrap();
    }
    let mut ends = Vec::new();
    for name in ["sent", "failed", "unknown"] {
        let id = format!("<{name}@example.net>");
        let row = store.outgoing_by_message_id(&id).await.unwrap().unwrap();
        ends.push((row.state, row.last_error, row.said));
    }
    assert_eq!(
        ends,
        [
            (OutboxState::Sent, None, Some("250 ok".into())),
            (OutboxState::Failed, Some("550 no".into()), None),
            (OutboxState::Unknown, Some("cut".into()), None)
        ]
    );
    assert_eq!(store.unsent().await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_crash_while_sending_leaves_the_mail_unknown() {
    let (dir, mut store) = with_plan().await;
    let row = store.due(now()).await.unwrap().remove(0);
    store.begin_attempt(row.id, now()).await.unwrap();
    drop(store);
    let mut store = Store::open(dir.path()).await.unwrap();
    assert_eq!(store.interrupted().await.unwrap(), [row.id]);
    assert_eq!(store.unsent().await.unwrap()[0].state, OutboxState::Unknown);
    assert!(store.due(now()).await.unwrap().is_empty());
    assert!(store.interrupted().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_draft_whose_plan_changed_while_it_was_sent_is_not_tried_again() {
    let retry = Outcome::RetryAt { at: now(), error: "451".into() };
    for replaced in [false, true] {
        let (_dir, mut store) = with_plan().await;
        let row = store.due(now()).await.unwrap().remove(0);
        store.begin_attempt(row.id, now()).await.unwrap();
        if replaced {
            let newer = draft("<draft-2@example.net>");
            store.plan(&id(), 13, &plan(), &newer, now()).await.unwrap();
        } else {
            store.undo(&id(), now()).await.unwrap();
        }
        store.finish(row.id, &retry).await.unwrap();
        let state = store.outgoing_by_message_id("<draft-1@example.net>").await.unwrap().unwrap().state;
        assert_eq!(state, OutboxState::Cancelled);
        assert_eq!(store.due(now()).await.unwrap().len(), usize::from(replaced));
    }
}

#[tokio::test]
async fn there_is_one_notice_for_a_mail_and_game() {
    let (_dir, mut store) = with_plan().await;
    let mut mail = answer(b"8. d5");
    mail.outgoing.push(notice("<notice-2@example.net>"));
    store.record(&mail, now()).await.unwrap();
    let waiting = store.due(now()).await.unwrap();
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].outgoing.message_id, "<notice-1@example.net>");
}

// The daemon's own state ---------------------------------------------------------------------------------------------

#[tokio::test]
async fn the_sign_of_life_is_one_row() {
    let (_dir, mut store) = empty().await;
    assert_eq!(store.heartbeat().await.unwrap(), None);
    let mut beat = Heartbeat {
        pid: 4711,
        host: "pi".into(),
        started_at: now(),
        last_check_at: None,
        last_attempt_at: Some(now()),
        last_error: Some("no route".into()),
        next_check_at: Some(now() + TimeDelta::minutes(5)),
        progress: Some("reads 1,200 of 5,000 mails".into()),
        state: "waiting".into(),
    };
    store.beat(&beat).await.unwrap();
    beat.last_check_at = Some(now());
    beat.last_error = None;
    store.beat(&beat).await.unwrap();
    assert_eq!(store.heartbeat().await.unwrap(), Some(beat));
}

#[tokio::test]
async fn refused_passwords_are_counted_until_one_is_accepted_or_the_player_acts() {
    let (_dir, mut store) = empty().await;
    let at = |minute| now() + TimeDelta::minutes(minute);
    for (minute, outcome) in
        [LoginOutcome::Refused, LoginOutcome::Ok, LoginOutcome::Refused, LoginOutcome::Failed, LoginOutcome::Refused]
            .into_iter()
            .enumerate()
    {
        let login = store.begin_login("imap", at(i64::try_from(minute).unwrap())).await.unwrap();
        store.end_login(login, outcome).await.unwrap();
    }
    assert_eq!(store.refused_in_row("imap").await.unwrap(), 2);
    assert_eq!(store.refused_in_row("smtp").await.unwrap(), 0);
    let logins =
        async |store: &mut Store, all, from, to| store.logins("imap", all, at(from), at(to)).await.unwrap().len();
    assert_eq!(logins(&mut store, true, 0, 9).await, 5);
    assert_eq!(logins(&mut store, false, 0, 9).await, 4, "without the one that was let in");
    assert_eq!(logins(&mut store, true, 3, 9).await, 2);
    assert_eq!(logins(&mut store, true, 0, 2).await, 3, "later ones are of a clock that ran ahead");
    store.clear_stop("imap", at(6)).await.unwrap();
    assert_eq!(store.refused_in_row("imap").await.unwrap(), 0);
    assert_eq!(logins(&mut store, true, 0, 9).await, 5);
    store.begin_login("imap", at(7)).await.unwrap();
    assert_eq!(logins(&mut store, false, 7, 9).await, 1, "one that a crash cut off counts");
    let unreached = store.begin_login("imap", at(8)).await.unwrap();
    store.end_login(unreached, LoginOutcome::Unreached).await.unwrap();
    assert_eq!(logins(&mut store, true, 8, 9).await, 0);
}

#[tokio::test]
async fn a_stopped_source_stays_stopped_until_the_player_acts() {
    let (dir, mut store) = empty().await;
    let stop = AuthStop { since: now(), reason: "the password was refused three times".into() };
    store.stop_source("imap", &stop).await.unwrap();
    drop(store);
    let mut store = Store::open(dir.path()).await.unwrap();
    assert_eq!(store.stopped("imap").await.unwrap(), Some(stop));
    assert_eq!(store.stopped("smtp").await.unwrap(), None);
    store.clear_stop("imap", now()).await.unwrap();
    assert_eq!(store.stopped("imap").await.unwrap(), None);
}

// All or nothing -----------------------------------------------------------------------------------------------------

type Step = for<'a> fn(&'a mut Store) -> Pin<Box<dyn Future<Output = Result<(), StoreError>> + 'a>>;

/// Every method that writes, ready to be called on a store with a game, a plan, its draft, and a held mail.
const STEPS: [(&str, Step); 31] = [
    ("import", |s| {
        Box::pin(async {
            let note = PrivateNote { ply: 13, text: "x".to_owned() };
            s.import_annotated(&[(sample(), ROOT.into())], &[(id(), note)], true, now()).await.map(drop)
        })
    }),
    ("close_game", |s| Box::pin(async { s.close_game(&id(), GameResult::Draw, None, now()).await })),
    ("retract", |s| {
        Box::pin(async {
            let mut back = s.game(&id()).await?.unwrap().game;
            back.moves.pop();
            s.retract(&back, 13, &event("retracted"), now()).await
        })
    }),
    ("plan", |s| {
        Box::pin(async {
            let other = draft("<d-2@example.net>");
            s.plan(&id(), 13, &plan(), &other, now()).await
        })
    }),
    ("undo", |s| Box::pin(async { s.undo(&id(), now()).await.map(|_| ()) })),
    ("confirm_sent", |s| Box::pin(async { s.confirm_sent(&black_move(), &event("sent"), now()).await })),
    ("announce", |s| Box::pin(async { s.announce(&[arrival("8"), arrival("9")], now()).await })),
    ("pass_over", |s| Box::pin(async { s.pass_over(&[arrival("8"), arrival("9")], "old", now()).await })),
    ("note_attempt", |s| Box::pin(async { s.note_attempt(&arrival("8"), now()).await.map(|_| ()) })),
    ("settle", |s| Box::pin(async { s.settle(&arrival("8"), ArrivalState::Gone, "gone", now()).await })),
    ("advance", |s| {
        Box::pin(async {
            let cursor = Cursor { epoch: 7, last_uid: 3 };
            s.advance("imap", "INBOX", cursor, now()).await
        })
    }),
    ("record", |s| {
        Box::pin(async {
            let mut mail = answer(b"8. d5");
            mail.arrival = Some(arrival("6"));
            mail.delivered_message_id = Some("<notice-1@example.net>".into());
            mail.outgoing = vec![notice("<notice-2@example.net>")];
            s.record(&mail, now()).await.map(|_| ())
        })
    }),
    ("record a command", |s| {
        Box::pin(async {
            let draft = Some(draft("<d-3@example.net>"));
            let plan = Box::new(plan());
            let commanded = Some(Commanded::Plan { game: id(), expected_plies: 13, plan, draft });
            let mail = Taken {
                arrival: Some(arrival("6")),
                commanded,
                moves: Vec::new(),
                outgoing: Vec::new(),
                ..answer(b"2836")
            };
            s.record(&mail, now()).await.map(|_| ())
        })
    }),
    ("record_again", |s| {
        Box::pin(async {
            let record = MoveRecord::claimed("3657".parse().unwrap(), Stated::default());
            let sent = SentRow {
                game: id(),
                ply: 16,
                outcome: SentOutcome::Recorded,
                numeric: Some(record.numeric),
                observed: None,
                open: false,
            };
            let taken = Taken {
                moves: vec![NewMove { record, expected_plies: 15, ..black_move() }],
                sent: vec![sent],
                outgoing: vec![notice("<notice-2@example.net>")],
                events: vec![event("8... 3657 is on record")],
                settings: Some(serde_json::json!({"judged": "anew"})),
                ..own_mail(b"8... 3657")
            };
            assert!(s.record_again(2, &id(), &taken, now() + TimeDelta::minutes(2)).await?, "it may answer");
            Ok(())
        })
    }),
    ("settle_verdict", |s| {
        Box::pin(async {
            let read = white_move(13, true);
            let out = [notice("<n-2@example.net>")];
            s.settle_verdict(1, Some(&read), &out, &event("read"), now()).await.map(|_| ())
        })
    }),
    ("ask", |s| {
        Box::pin(async {
            let letter = notice("<question-1@example.net>");
            s.ask(1, false, &letter, &event("asked"), now()).await.map(|_| ())
        })
    }),
    ("count_illegal", |s| {
        Box::pin(async {
            let day = |day: &str| day.parse().unwrap();
            let counted = SentIllegal { ply: 13, sent: day("2004-10-28"), noticed: day("2004-10-29") };
            s.count_illegal(&id(), 13, (None, Some(counted)), &event("clock"), now()).await
        })
    }),
    ("set_rules", |s| {
        Box::pin(async {
            let rules = serde_json::from_str(r#"{"base": "iccf-email-2000", "double_after": 20}"#).unwrap();
            s.set_rules(&id(), (&sample().rules, &rules), &event("rules"), now()).await
        })
    }),
    ("annotate", |s| {
        Box::pin(async {
            let note = PrivateNote { ply: 13, text: "x".to_owned() };
            s.annotate(&[(id(), note)], now()).await.map(drop)
        })
    }),
    ("note", |s| Box::pin(async { s.note(&event("x"), now()).await })),
    ("clock_right", |s| {
        Box::pin(async { s.clock_right(now() + TimeDelta::days(3000), &event("clock"), now()).await.map(drop) })
    }),
    ("believe", |s| {
        Box::pin(async {
            let count = Count { start: "x".to_owned(), passed: TimeDelta::hours(1) };
            s.believe(now(), &count).await
        })
    }),
    ("begin_attempt", |s| Box::pin(async { s.begin_attempt(1, now()).await.map(|_| ()) })),
    ("finish", |s| {
        Box::pin(async {
            let said = "250 ok".into();
            s.finish(1, &Outcome::Sent { said }).await
        })
    }),
    ("remove_clock_note", |s| {
        Box::pin(async { s.remove_clock_note(&id(), &note_of_clock(), &event("clock"), now()).await.map(drop) })
    }),
    ("beat", |s| {
        Box::pin(async {
            let beat = Heartbeat {
                pid: 4711,
                host: "pi".into(),
                started_at: now(),
                last_check_at: None,
                last_attempt_at: None,
                last_error: None,
                next_check_at: None,
                progress: None,
                state: "waiting".into(),
            };
            s.beat(&beat).await
        })
    }),
    ("interrupted", |s| Box::pin(async { s.interrupted().await.map(|_| ()) })),
    ("begin_login", |s| Box::pin(async { s.begin_login("imap", now()).await.map(drop) })),
    ("note_outage", |s| Box::pin(async { s.note_outage("smtp", "busy", now(), now()).await })),
    ("stop_source", |s| {
        Box::pin(async {
            let stop = AuthStop { since: now(), reason: "refused".into() };
            s.stop_source("imap", &stop).await
        })
    }),
    ("clear_stop", |s| Box::pin(async { s.clear_stop("smtp", now()).await })),
];

fn note_of_clock() -> ClockNote {
    ClockNote::reminder(14, "2004-11-12".parse().unwrap())
}

/// Makes the change of a row fail that brings `countdown` to zero, whichever table it is in.
async fn plant_failures(dir: &Path) {
    let mut db = stranger(dir).await;
    let tables = tables(&mut db).await;
    db.execute("CREATE TABLE countdown (left INTEGER NOT NULL); INSERT INTO countdown VALUES (0)").await.unwrap();
    for table in tables {
        for change in ["INSERT", "UPDATE", "DELETE"] {
            let sql = format!(
                "CREATE TRIGGER planted_{table}_{change} AFTER {change} ON {table} BEGIN
                     UPDATE countdown SET left = left - 1;
                     SELECT RAISE(ABORT, 'planted') WHERE (SELECT left FROM countdown) = 0;
                 END"
            );
            db.execute(AssertSqlSafe(sql)).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_failure_at_any_row_of_any_write_leaves_nothing_of_it() {
    let mut report = String::new();
    for (name, step) in STEPS {
        let (dir, mut store) = with_plan().await;
        store.record(&held_mail(b"a held one"), now()).await.unwrap();
        store.stop_source("smtp", &AuthStop { since: now(), reason: "refused".into() }).await.unwrap();
        if name == "record_again" {
            // his mail with the move that this one answers is read only after it
            store.record(&own_mail(b"8... 3657"), now()).await.unwrap();
            let his = Taken { arrival: Some(arrival("7")), outgoing: Vec::new(), ..answer(b"8. d5") };
            store.record(&his, now() + TimeDelta::minutes(1)).await.unwrap();
        }
        if name == "remove_clock_note" {
            let care = Care { notes: vec![(id(), note_of_clock())], ..Care::default() };
            store.take_care(&care, now()).await.unwrap();
        }
        if matches!(name, "interrupted" | "finish") {
            store.begin_attempt(1, now()).await.unwrap();
        }
        plant_failures(dir.path()).await;
        let before = dump(dir.path()).await;
        let mut failed = 0;
        loop {
            let sql = format!("UPDATE countdown SET left = {}", failed + 1);
            stranger(dir.path()).await.execute(AssertSqlSafe(sql)).await.unwrap();
            match step(&mut store).await {
                Ok(()) => break,
                Err(error) => {
                    assert!(matches!(error, StoreError::Refused { .. }), "{name}: {error}");
                    failed += 1;
                    assert!(failed < 1000, "{name} never succeeds: {error}");
                }
            }
            assert_eq!(dump(dir.path()).await, before, "{name}, row {failed}");
        }
        assert_ne!(dump(dir.path()).await, before, "{name} writes when nothing fails");
        writeln!(report, "{name}: {failed}").unwrap();
    }
    insta::assert_snapshot!(report);
}

#[test]
fn no_transaction_begins_in_a_way_that_survives_a_failed_commit() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut read = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                read += 1;
                for (line, found) in text.lines().enumerate() {
                    assert!(
                        !found.contains(".begin("),
                        "{}:{}: use begin_with(\"BEGIN IMMEDIATE\"): after a failed COMMIT sqlx makes a plain begin() a savepoint \
                         that never becomes durable",
                        path.display(),
                        line + 1
                    );
                }
            }
        }
    }
    assert!(read > 10, "the sources were found");
}

// The full disk ------------------------------------------------------------------------------------------------------

/// Bytes that do not compress, the same for the same seed.
fn noise(seed: u64) -> Vec<u8> {
    (0..64_u64).flat_map(|n| Sha256::digest([seed.to_le_bytes(), n.to_le_bytes()].concat()).to_vec()).collect()
}

fn held_mail_numbered<'a>(raw: &'a [u8], uid: &str) -> Taken<'a> {
    let mut mail = held_mail(raw);
    mail.arrival = Some(arrival(uid));
    mail.outgoing.clear();
    mail
}

#[tokio::test]
#[ignore = "the second process of the test below"]
async fn count_mails() {
    let mut reader = Store::open_existing_read_only(&given_dir()).await.unwrap();
    let mails = reader.message_id_known("<his-8@example.org>").await.unwrap();
    println!("TOLD {}", mails.len());
}

fn mount(dir: &Path, size: &str, flags: MsFlags) {
    nix::mount::mount(Some("tmpfs"), dir, Some("tmpfs"), flags, Some(size)).expect("a small tmpfs can be mounted");
}

#[tokio::test]
#[ignore = "runs in its own mount namespace, from the test below"]
async fn fill_the_disk() {
    let dir = given_dir();
    mount(&dir, "size=600k", MsFlags::empty());
    let mut store = Store::open(&dir).await.unwrap();
    store.import(&[(sample(), ROOT.into())], false, now()).await.unwrap();
    let (mut acknowledged, mut refused) = (0, Vec::new());
    for n in 0..300_u64 {
        let raw = noise(n);
        let uid = n.to_string();
        match store.record(&held_mail_numbered(&raw, &uid), now()).await {
            Ok(_) => acknowledged += 1,
            Err(error) => refused.push(error),
        }
    }
    let seen: usize = told(&second_process("count_mails", &dir), "TOLD ").parse().unwrap();
    assert_eq!(seen, acknowledged, "acknowledged and seen by another process");
    assert!(acknowledged > 0 && refused.len() > 100, "{acknowledged} acknowledged, the disk was full for the rest");
    for error in &refused {
        assert_eq!(error.class(), Class::Retry, "{error}");
    }
    assert!(refused.iter().any(|e| matches!(e, StoreError::DiskFull)), "{}", refused[0]);
    mount(&dir, "size=8m", MsFlags::MS_REMOUNT);
    for n in 1000..1100_u64 {
        let raw = noise(n);
        let uid = n.to_string();
        store.record(&held_mail_numbered(&raw, &uid), now()).await.unwrap();
    }
    let seen_after: usize = told(&second_process("count_mails", &dir), "TOLD ").parse().unwrap();
    assert_eq!(seen_after, acknowledged + 100);
    println!("TOLD {acknowledged} acknowledged and durable");
}

#[test]
fn a_full_disk_loses_nothing_that_was_acknowledged_and_work_goes_on() {
    let dir = TempDir::new().unwrap();
    let flags = if nix::unistd::geteuid().is_root() { "-m" } else { "-Urm" };
    let output = Command::new("unshare")
        .arg(flags)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "store::fill_the_disk", "--ignored", "--nocapture"])
        .env("AMICI_TEST_DIR", dir.path())
        .output()
        .expect("`unshare` of util-linux is installed");
    assert!(
        output.status.success(),
        "this test mounts a small tmpfs in a mount namespace of its own (root, or unprivileged user namespaces):\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(told(&output, "TOLD ").ends_with("acknowledged and durable"));
}

#[tokio::test]
async fn of_a_mail_that_is_no_games_business_only_the_hash_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = Store::open(dir.path()).await.unwrap();
    let now = "2026-03-18T10:00:00Z".parse().unwrap();
    let taken = Taken { raw: b"From: bank@example.org\n\nYour statement", private: true, ..Taken::default() };
    let recorded = store.record(&taken, now).await.unwrap();
    assert_eq!(store.mail_raw(recorded.mail).await.unwrap(), None);
    assert!(!store.record(&taken, now).await.unwrap().new, "it is known again");
}
