//! A clock that ran ahead once: the player's word makes the right one believed again, changes nothing, and lists what he has to settle.

use amici::io::store::{Count, Store};
use amici::overview::Read;
use chrono::{TimeDelta, Utc};
use serde_json::Value;

use super::agenda::{AHEAD, sql};
use super::cli::Player;

/// What the clock left: a move of the player's, a plan, and things said about the clock.
const LEFT: &str = "
    UPDATE moves SET claimed_received = '2998-12-30', claimed_sent = '2998-12-31' WHERE ply = 12;
    UPDATE moves SET observed_arrived = '2999-01-01' WHERE ply = 13;
    INSERT INTO leaves (game, position, side, from_day, to_day, announced) VALUES (1, 0, 'black', '2026-01-01', '2026-01-02', '2999-01-01');
    INSERT INTO clock_notes (game, position, ply, kind, on_day) VALUES (1, 0, 14, 'announced', '2999-01-01');
    INSERT INTO illegal_moves (game, ply, sent_day, noticed_day) VALUES (1, 14, '2998-12-30', '2999-01-01');";

#[test]
fn a_mailbox_that_a_clock_running_ahead_has_read_was_read_at_no_known_instant() {
    let (now, later) = ("2026-11-22T10:00:00Z".parse().unwrap(), "2036-01-01T10:00:00Z".parse().unwrap());
    assert_eq!(Read::checked(Some(now), later), Read::At(now));
    assert_eq!(Read::checked(Some(later), now), Read::Never);
    assert_eq!(Read::checked(None, now), Read::Never);
}

fn doubt(player: &Player) -> Value {
    player.run(&["status", "--json"]).json()["clock_doubt"].take()
}

#[test]
fn the_players_word_makes_the_clock_believed_again_and_no_other_word_does() {
    let player = Player::with_sample();
    sql(&player, AHEAD);
    let record = player.game();
    let health = serde_json::from_str::<Value>(&player.run(&["health", "--json"]).out).unwrap();
    assert!(health["clock_doubt"].as_str().unwrap().contains("2999-01-01"), "{health}");
    let check = player.run(&["check"]);
    assert_eq!(check.code, 1, "{}", check.out);
    assert!(
        check.out.contains("FAILED  clock") && check.out.contains("amici check --clock-is-right WHY"),
        "{}",
        check.out
    );

    assert!(player.run(&["check", "--clock-is-right", " ", "--yes"]).failure(1).contains("say why"));
    let asked = player.run(&["check", "--clock-is-right", "the battery was empty"]).failure(6);
    for named in [
        "the clock of this machine says ",
        "from Tue 01 Jan 2999 01:00 (Europe/Vienna) to Tue 01 Jan 2999",
        "say the same with --yes",
    ] {
        assert!(asked.contains(named), "{named}: {asked}");
    }
    assert!(doubt(&player).is_string(), "asked is not said");
    let said = player.run(&["check", "--clock-is-right", "the battery was empty", "--yes"]).result();
    assert!(
        said.starts_with("ok      your word    the clock is believed again, and deadlines are judged: it is "),
        "{said}"
    );
    assert!(
        said.contains(" no date and no figure on record was changed\nok      clock") && !said.contains("settles"),
        "{said}"
    );
    assert_eq!((doubt(&player), player.game()), (Value::Null, record));
    let check = player.run(&["check"]).result();
    assert!(check.contains("ok      clock") && check.contains("ran ahead; why: the battery was empty"), "{check}");
    assert!(player.run(&["check", "--clock-is-right", "again"]).result().contains("believed already"));

    // the next clock that runs ahead is doubted like the first
    sql(&player, AHEAD);
    assert!(doubt(&player).is_string());
}

#[test]
fn a_server_that_took_a_mail_later_speaks_against_the_word_and_is_named() {
    let player = Player::with_sample();
    sql(
        &player,
        "INSERT INTO mails (sha256, size, subject, taken_at, server_date)
             VALUES (zeroblob(32), 1, '', '2026-03-01T00:00:00+00:00', '2999-01-01T00:00:00+00:00');
         INSERT INTO arrivals (source, folder, epoch, uid, mail, attempts, state, server_date, noted_at)
             VALUES ('imap', 'INBOX', 1, '1', 1, 1, 'done', '2999-01-01T00:00:00+00:00', '2026-03-01T00:00:00+00:00')",
    );
    let asked = player.run(&["check", "--clock-is-right", "x"]).failure(6);
    assert!(asked.contains("on record that is later: a mail that your mail server took on Tue 01 Jan 2999"), "{asked}");
    assert!(asked.contains("if that server was right, your clock is behind: set it, and say nothing here"), "{asked}");
    player.run(&["check", "--clock-is-right", "x", "--yes"]).result();
    assert_eq!(doubt(&player), Value::Null);
}

fn released(player: &Player) -> Value {
    player.run(&["status", "--json"]).json()["released"][0].take()
}

#[test]
fn a_released_move_waits_undated_while_the_clock_is_doubted_and_goes_out_once_it_is_believed() {
    let player = Player::with_sample();
    player.run(&["play", "SAMPLE-1", "Nc6", "--yes"]).result();
    let player = player.with_dead_servers("secret");
    let configuration = std::fs::read_to_string(player.path("config.toml")).unwrap();
    player
        .configure(&format!("{configuration}[direct]\nopponents = [\"mila.ostrander@example.org\"]\nhold = \"0s\"\n"));
    assert_eq!(player.run(&["send", "SAMPLE-1", "--yes"]).code, 0);
    let tried = released(&player);
    assert!(tried["last_error"].as_str().unwrap().contains("127.0.0.1"), "{tried}");

    // its day has passed since
    sql(&player, "UPDATE plans SET sent = '2026-01-01'; UPDATE releases SET next_attempt_at = NULL");
    sql(&player, AHEAD);
    player.run(&["poll"]);
    let waits = released(&player);
    assert_eq!(
        (&waits["message_id"], &waits["attempts"], &waits["state"]),
        (&tried["message_id"], &tried["attempts"], &Value::from("waits"))
    );
    let why = waits["last_error"].as_str().unwrap();
    assert!(
        why.ends_with("the clock of this machine is doubted (amici check): it waits until the clock is believed"),
        "{why}"
    );
    let status = player.run(&["status"]).result();
    assert!(status.contains(&format!("released  SAMPLE-1  to mila.ostrander@example.org: {why}")), "{status}");
    for command in
        [&["send", "SAMPLE-1", "--yes"][..], &["send", "SAMPLE-1", "--again", "--yes"], &["send", "SAMPLE-1", "-n"]]
    {
        let refused = player.run(command).failure(1);
        assert!(refused.contains("nothing was done, since it would get a wrong day"), "{command:?}: {refused}");
    }
    assert_eq!(released(&player), waits);

    player.run(&["check", "--clock-is-right", "x", "--yes"]).result();
    player.run(&["poll"]);
    let tried_again = released(&player);
    assert!(tried_again["last_error"].as_str().unwrap().contains("127.0.0.1"), "{tried_again}");
    assert_ne!(tried_again["message_id"], tried["message_id"], "made anew with the day of today");

    // a try that was put off by a clock years ahead
    sql(&player, "UPDATE releases SET next_attempt_at = '2999-01-01T00:10:00+00:00'");
    let next = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
        let mut store = Store::open(&player.path("data")).await.unwrap();
        let count = Count { start: "this".to_owned(), passed: TimeDelta::hours(1) };
        store.believe(Utc::now(), &count).await.unwrap();
        store.released().await.unwrap().remove(0).next_attempt_at
    });
    assert_eq!(next, None);
}

#[test]
fn a_game_by_hand_begins_on_no_day_of_a_doubted_clock() {
    let player = Player::with_sample();
    sql(&player, AHEAD);
    let new = ["new", "EM-2", "--opponent", "Pat Rook", "--email", "pat@example.org", "--color", "white"];
    let refused = player.run(&new).failure(1);
    assert!(refused.contains("2999-01-01") && refused.contains("nothing was done"), "{refused}");
    player.run(&[&new[..], &["--start", "2026-03-01"]].concat()).result();
}

#[test]
fn what_the_clock_left_is_listed_with_the_commands_that_settle_it() {
    let player = Player::with_sample();
    sql(&player, LEFT);
    sql(&player, AHEAD);
    let record = player.game();
    let said = player.run(&["check", "--clock-is-right", "x", "--yes"]).result();
    let settles = [
        "SAMPLE-1: the move before 6... was received on 2998-12-30:  amici clock set SAMPLE-1 6... --received DATE --why TEXT",
        "SAMPLE-1: 6... was sent on 2998-12-31:  amici clock set SAMPLE-1 6... --sent DATE --why TEXT",
        "SAMPLE-1: the illegal move before 7... was noticed on 2999-01-01:  amici clock illegal SAMPLE-1 7... --noticed DATE --why TEXT",
        "SAMPLE-1: an announcement is of 2999-01-01:  amici announce SAMPLE-1 --undo",
        "SAMPLE-1: leave from 2026-01-01 to 2026-01-02 was announced on 2999-01-01:  amici leave remove 2026-01-01..2026-01-02 --game SAMPLE-1 --of me",
    ];
    for line in settles {
        let line = format!("\n                     {line}\n");
        assert!(said.contains(&line), "{line}: {said}");
        assert!(player.run(&["check"]).result().contains(&line), "{line}");
    }
    assert!(said.contains("7. came on 2999-01-01; write the right day into your answer, and once it is on record:  amici clock set SAMPLE-1 7... --received DATE"), "{said}");
    assert_eq!(player.game(), record, "nothing is changed by it");
    for command in [
        &["clock", "set", "SAMPLE-1", "6...", "--received", "2004-10-24", "--sent", "2004-10-26", "--why", "x"][..],
        &["announce", "SAMPLE-1", "--undo"],
        &["leave", "remove", "2026-01-01..2026-01-02", "--game", "SAMPLE-1", "--of", "me"],
        // the day of receipt of a wrong clock keeps no move from the record
        &["sent", "SAMPLE-1", "Nc6", "--on", "2004-11-02"],
        &["clock", "set", "SAMPLE-1", "7...", "--received", "2004-10-31", "--why", "x"],
        &["clock", "illegal", "SAMPLE-1", "7...", "--remove", "--why", "x"],
    ] {
        player.run(command).result();
    }
    let left = player.run(&["check", "--clock-is-right", "x"]).result();
    assert!(!left.contains("SAMPLE-1"), "{left}");
}
