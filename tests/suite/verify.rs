//! The record against its mails: nothing where all is well, and exactly the row that somebody changed.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions};
use tempfile::TempDir;

use crate::agenda::sql;
use crate::cli::Player;
use crate::club::Club;
use crate::intake::{ME, mail};

/// A copy of the player's folder, and the program working on it.
pub(crate) struct Copy(TempDir);

impl Copy {
    pub(crate) fn of(club: &Club) -> Copy {
        Copy::of_folder(club.folder())
    }

    pub(crate) fn of_folder(folder: &Path) -> Copy {
        let copy = TempDir::new().unwrap();
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
        fs::write(copy.path().join("config.toml"), ME).unwrap();
        Copy(copy)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    /// Somebody else writes one row.
    pub(crate) async fn tamper(&self, sql: &str) {
        let mut db = SqliteConnectOptions::new()
            .filename(self.0.path().join("amici.db"))
            .foreign_keys(false)
            .connect()
            .await
            .unwrap();
        let done = sqlx::query(AssertSqlSafe(sql.to_owned())).execute(&mut db).await.unwrap();
        assert_eq!(done.rows_affected(), 1, "{sql}");
    }

    pub(crate) fn amici(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_amici"));
        command.arg("--config").arg(self.0.path().join("config.toml")).arg("--data").arg(self.0.path());
        command.args(args).output().unwrap()
    }

    fn json(&self, command: &[&str]) -> (i32, serde_json::Value) {
        let output = self.amici(&[command, &["--json"]].concat());
        let code = output.status.code().unwrap();
        (code, serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}")))
    }
}

/// The third ply or a later one of the opponent's, taken in without the player's help, that no other mail gave too.
const HERS: &str = "(SELECT moves.rowid FROM moves JOIN verdicts ON verdicts.mail = moves.mail AND verdicts.game = moves.game
    WHERE outcome = 'move' AND ply % 2 = 1 AND ply BETWEEN 3 AND 5 AND claimed_total IS NOT NULL ORDER BY moves.rowid LIMIT 1)";
/// One of the player's own, on his word.
const HIS: &str = "(SELECT rowid FROM moves WHERE ply % 2 = 0 AND mail IS NULL ORDER BY rowid LIMIT 1)";

#[tokio::test]
async fn what_somebody_changed_is_found_and_nothing_else() {
    let club = Club::of(3, 4).await;
    for (row, column, value, what) in [
        (HERS, "claimed_sent", "'2004-12-24'", "sent"),
        (HERS, "claimed_received", "'2004-01-01'", "received"),
        (HERS, "claimed_total", "claimed_total + 1", "total"),
        (HERS, "claimed_days", "claimed_days + 7", "days"),
        (HERS, "observed_arrived", "date(observed_arrived, '+1 day')", "observed arrived"),
        (HERS, "numeric", "'1118'", "move"),
        (HIS, "claimed_sent", "'2004-12-24'", "sent"),
        (HIS, "numeric", "'8881'", "move"),
    ] {
        let copy = Copy::of(&club);
        copy.tamper(&format!("UPDATE moves SET {column} = {value} WHERE rowid = {row}")).await;
        let (code, found) = copy.json(&["verify"]);
        let games = found["games"].as_array().unwrap();
        let differences: Vec<_> = games.iter().flat_map(|game| game["differences"].as_array().unwrap()).collect();
        assert_eq!((code, differences.len()), (1, 1), "{column} {value}: {found:#}");
        assert_eq!(differences[0]["what"], what, "{found:#}");
        let (code, replayed) = copy.json(&["verify", "--rebuild"]);
        let rows: Vec<&str> = replayed["diff"].as_array().unwrap().iter().map(|l| l.as_str().unwrap()).collect();
        assert_eq!((code, rows.len()), (1, 3), "{replayed:#}");
        assert!(rows[1].starts_with("-moves ") && rows[2].starts_with("+moves "), "{rows:?}");
        let (was, is) = (json(rows[1]), json(rows[2]));
        let changed: Vec<&String> = was.as_object().unwrap().keys().filter(|key| was[*key] != is[*key]).collect();
        assert_eq!(changed, [column]);
        let told = &replayed["differences"][0];
        let words = column.replace("claimed_", "stated ").replace('_', " ");
        assert_eq!(
            (&told["what"], replayed["differences"].as_array().unwrap().len()),
            (&format!("move, {words}").into(), 1)
        );
        let text = String::from_utf8(copy.amici(&["verify", "--rebuild"]).stdout).unwrap();
        let place = format!("{} {}", told["game_id"].as_str().unwrap(), told["number"].as_str().unwrap());
        let (record, rebuilt) = (told["record"].as_str().unwrap(), told["rebuilt"].as_str().unwrap());
        let line = format!("    {place} move, {words}: on record {record}; the mails and acts give {rebuilt}\n");
        assert!(text.contains(&format!("It differs in 1 value:\n{line}help:")), "{line}: {text}");
    }
}

#[tokio::test]
async fn one_game_alone_is_checked_as_it_is_among_all() {
    let copy = Copy::of(&Club::of(3, 4).await);
    copy.tamper(&format!("UPDATE moves SET claimed_sent = '2004-12-24' WHERE rowid = {HERS}")).await;
    let (_, all) = copy.json(&["verify"]);
    let mut differences = 0;
    for game in all["games"].as_array().unwrap() {
        let alone = copy.amici(&["verify", game["game_id"].as_str().unwrap(), "--json"]);
        let alone: serde_json::Value = serde_json::from_slice(&alone.stdout).unwrap();
        assert_eq!(alone["games"], serde_json::json!([game]));
        differences += game["differences"].as_array().unwrap().len();
    }
    assert_eq!(differences, 1, "{all:#}");
}

fn json(row: &str) -> serde_json::Value {
    serde_json::from_str(row.split_once(' ').unwrap().1).unwrap()
}

#[test]
fn a_conditional_that_he_takes_is_proved_by_the_mail_of_mine_that_offered_it() {
    let player = Player::with_sample();
    player.configure(&format!("{ME}[senders]\nauthserv_id = \"mx.example.net\"\n[sent]\nbcc_self = true\n"));
    let takes_mine = |number: &str, day: &str, body: &str| {
        let own = format!(
            "Authentication-Results: mx.example.net; dkim=pass header.d=example.net\r\n\
             Received: from home.example.net by mx.example.net\r\n\
             From: tobin.q@example.net\r\nTo: mila.ostrander@example.org\r\nSubject: EM/ZZ/042\r\n\
             Date: {day} Nov 2004 18:00:00 +0100\r\nMessage-ID: <own{number}@example.net>\r\n\r\n{body}\r\n"
        );
        let said = player.run(&["take", &player.file("own.eml", own), "--at", "2004-11-01T17:00:10Z"]).result();
        assert!(said.contains(&format!("you sent {number}")), "{said}");
    };
    takes_mine("7...", "Mon, 1", "7... 2836 if 8. 4445 then 8... 3657 9. 1213 then 9... 1716");
    assert_eq!(player.takes(&mail("m8", "EM/ZZ/042", "7... 2836 8. 4445 3657 9. 1213\n")), "move");
    // the last pair of the line binds still
    takes_mine("9...", "Sat, 6", "9... 1716");
    let checked = player.run(&["verify"]).result();
    assert!(checked.contains("0 differences"), "{checked}");
}

#[tokio::test]
async fn a_mail_with_other_bytes_or_none_is_found_by_both() {
    let club = Club::of(3, 4).await;
    for bytes in ["(SELECT raw FROM mails WHERE id = 1)", "x'00'", "NULL"] {
        let copy = Copy::of(&club);
        copy.tamper(&format!(
            "UPDATE mails SET raw = {bytes} WHERE id = (SELECT mail FROM moves WHERE rowid = {HERS})"
        ))
        .await;
        let (code, found) = copy.json(&["verify"]);
        let games = found["games"].as_array().unwrap();
        let differences: Vec<_> = games.iter().flat_map(|game| game["differences"].as_array().unwrap()).collect();
        assert_eq!((code, differences.len()), (1, 1), "{found:#}");
        assert_eq!(differences[0]["what"], "bytes", "{found:#}");
        let (code, replayed) = copy.json(&["verify", "--rebuild"]);
        let why = replayed["stopped"]["why"].as_str().unwrap();
        assert!(code == 1 && why.starts_with(&format!("mail {}: its stored bytes", differences[0]["mail"])), "{why}");
    }
}

#[tokio::test]
async fn a_row_that_refers_to_nothing_is_found() {
    let club = Club::of(1, 1).await;
    let copy = Copy::of(&club);
    copy.tamper("INSERT INTO questions (verdict, outbox, asked_at) VALUES (77, 99, '2004-10-31')").await;
    let (code, found) = copy.json(&["verify"]);
    assert_eq!(code, 1);
    let defects: Vec<&str> = found["defects"].as_array().unwrap().iter().map(|d| d.as_str().unwrap()).collect();
    assert_eq!(defects.len(), 2, "{defects:?}");
    assert!(defects.iter().all(|defect| defect.contains("of questions refers to a row of")), "{defects:?}");
}

#[test]
fn what_was_entered_beside_the_moves_is_compared_with_the_acts_of_it() {
    let player = Player::with_sample();
    let away = ["leave", "add", "2004-10-27..2004-10-28", "--game", "SAMPLE-1", "--of", "opponent"];
    player.run(&[&away[..], &["--announced", "2004-10-26"]].concat()).result();
    player.run(&["clock", "set", "SAMPLE-1", "6.", "--penalty", "1", "--why", "the director"]).result();
    let slip = ["--sent", "2004-10-28", "--noticed", "2004-10-29", "--why", "his slip"];
    player.run(&[&["clock", "illegal", "SAMPLE-1", "7."][..], &slip].concat()).result();
    assert!(player.run(&["verify"]).result().contains("the file itself: 0 differences"));
    for (change, back, words) in [
        (
            "UPDATE moves SET agreed_penalty = 9 WHERE ply = 11",
            "UPDATE moves SET agreed_penalty = 1 WHERE ply = 11",
            "6. settled penalty: on record 9; you entered 1",
        ),
        (
            "UPDATE moves SET agreed_days = 9 WHERE ply = 3",
            "UPDATE moves SET agreed_days = NULL WHERE ply = 3",
            "2. settled days: on record 9; you entered nothing",
        ),
        (
            "UPDATE leaves SET to_day = '2004-10-30'",
            "UPDATE leaves SET to_day = '2004-10-28'",
            "leave: on record nothing; you entered White from 2004-10-27 to 2004-10-28, announced 2004-10-26",
        ),
        (
            "UPDATE illegal_moves SET noticed_day = '2004-10-30'",
            "UPDATE illegal_moves SET noticed_day = '2004-10-29'",
            "7. illegal move: on record sent 2004-10-28, noticed 2004-10-30; you entered nothing",
        ),
        (
            "INSERT INTO clock_notes (game, position, ply, kind, on_day) VALUES (1, 0, 14, 'announced', '2004-11-02')",
            "DELETE FROM clock_notes",
            "7... note on the clock: on record announced on 2004-11-02; you entered nothing",
        ),
        (
            "UPDATE games SET start_date = '2004-09-20'",
            "UPDATE games SET start_date = '2004-09-15'",
            "start: on record 2004-09-20; you entered 2004-09-15",
        ),
        (
            "UPDATE games SET result = '1-0'",
            "UPDATE games SET result = NULL",
            "result: on record 1-0; you entered nothing",
        ),
        (
            "UPDATE games SET draw_offer = 'white'",
            "UPDATE games SET draw_offer = NULL",
            "draw offer: on record of White; you entered nothing",
        ),
        (
            "INSERT INTO conditionals (game, position, line) VALUES (1, 0, '[\"4445\", \"2836\"]')",
            "DELETE FROM conditionals",
            "conditionals: on record 4445 2836; you entered nothing",
        ),
        (
            "INSERT INTO plans (game, ply, numeric, draw_offer, message_id, conditionals, chosen_at)
             VALUES (1, 14, '2836', 0, '<p@example.net>', '[]', '2004-11-01T12:00:00+00:00')",
            "DELETE FROM plans",
            "chosen move: on record 2836, in <p@example.net>, received nothing, sent nothing, days nothing, total nothing; you \
             entered nothing",
        ),
        (
            "UPDATE games SET notations = '[\"iccf\", \"san\"]'",
            "UPDATE games SET notations = '[\"iccf\"]'",
            "notations: on record iccf san; you entered",
        ),
        (
            "UPDATE games SET event = 'EM/Q'",
            "UPDATE games SET event = 'EM/ZZ/042'",
            "event: on record EM/Q; you entered EM/ZZ/042",
        ),
        ("UPDATE players SET name = 'Eve'", "SELECT 1", "White: on record Eve "),
        (
            "UPDATE games SET rules = '\"friendly\"'",
            "SELECT 1",
            "rules: on record \"friendly\"; you entered \"iccf-email-2000\"",
        ),
        (
            "INSERT INTO moves (game, ply, numeric, recorded_at) VALUES (1, 14, '2836', '2004-11-01T12:00:00+00:00')",
            "DELETE FROM moves WHERE ply = 14",
            "7... move: on record 2836; you entered nothing",
        ),
        (
            "INSERT INTO games (id, name, event, site, me, rules, notations, root_message_id, created_at)
                 SELECT 2, 'NOBODYS-1', event, site, me, rules, notations, '<r@example.net>', created_at FROM games;
             INSERT INTO players (game, side, name) SELECT 2, side, name FROM players",
            "SELECT 1",
            "game: on record NOBODYS-1; you entered nothing",
        ),
    ] {
        sql(&player, change);
        let found = player.run(&["verify", "--all"]);
        assert!(found.code == 1 && found.out.contains(words), "{words}: {}", found.out);
        sql(&player, back);
    }
}

#[test]
fn what_another_program_wrote_is_found_though_an_act_came_after_it() {
    let player = Player::with_sample();
    sql(&player, "UPDATE games SET event = 'EM/Q'");
    player.run(&["leave", "add", "2004-10-27..2004-10-28", "--game", "SAMPLE-1", "--of", "opponent", "--yes"]).result();
    let found = player.run(&["verify"]);
    assert!(found.code == 1 && found.out.contains("written by another program: on record "), "{}", found.out);
    assert!(found.out.contains("EM/Q"), "{}", found.out);
    // a row that was put back is no difference
    let player = Player::with_sample();
    sql(&player, "UPDATE games SET event = 'EM/Q'");
    sql(&player, "UPDATE games SET event = 'EM/ZZ/042'");
    player.run(&["leave", "add", "2004-10-27..2004-10-28", "--game", "SAMPLE-1", "--of", "opponent", "--yes"]).result();
    assert!(player.run(&["verify"]).result().contains("the file itself: 0 differences"));
}

#[test]
fn a_mail_or_a_word_of_his_that_gave_a_ply_which_is_not_on_record_is_a_difference() {
    let player = Player::with_sample();
    player.configure(&format!("{ME}[senders]\nauthserv_id = \"mx.example.net\"\n[sent]\nbcc_self = true\n"));
    let own = "Authentication-Results: mx.example.net; dkim=pass header.d=example.net\r\n\
             Received: from home.example.net by mx.example.net\r\n\
             From: tobin.q@example.net\r\nTo: mila.ostrander@example.org\r\nSubject: EM/ZZ/042\r\n\
               Date: Mon, 1 Nov 2004 18:00:00 +0100\r\nMessage-ID: <own7@example.net>\r\n\r\n7... 2836 if 8. 4445 then 8... 3657\r\n";
    player.run(&["take", &player.file("own.eml", own), "--at", "2004-11-01T17:00:10Z"]).result();
    let found = |change: &'static str| {
        sql(&player, change);
        let found = player.run(&["verify", "--json"]);
        let json: serde_json::Value = serde_json::from_str(&found.out).unwrap();
        let told = json["games"][0]["differences"].as_array().unwrap().clone();
        let told: Vec<String> =
            told.iter().map(|d| format!("{} {} {} {}", d["what"], d["mail"], d["record"], d["proof"])).collect();
        (found.code, told)
    };
    assert_eq!(
        found("UPDATE conditionals SET line = '[\"4445\", \"3647\"]'").1,
        [r#""conditionals" 1 "4445 3647" "4445 3657""#]
    );
    sql(&player, "UPDATE conditionals SET line = '[\"4445\", \"3657\"]'");
    assert_eq!(player.takes(&mail("m8", "EM/ZZ/042", "7... 2836 8. 4445 3657 9. 1213\n")), "move");
    player.run(&["sent", "SAMPLE-1", "1716", "--on", "2004-11-06"]).result();
    assert_eq!(found("SELECT 1"), (0, Vec::new()));
    assert_eq!(found("DELETE FROM moves WHERE ply = 18"), (1, vec![r#""move" null "nothing" "1716""#.to_owned()]));
    // of the plies of a mail one is left
    let (code, told) = found("DELETE FROM moves WHERE ply = 17");
    assert!(code == 1 && told.iter().any(|told| told.starts_with("\"plies\" 2 ")), "{told:?}");
    let (code, told) = found("DELETE FROM moves WHERE ply >= 15");
    assert!(code == 1 && told.contains(&r#""move" 2 "nothing" "4445 3657 1213""#.to_owned()), "{told:?}");
    let (_, told) = found("DELETE FROM moves WHERE ply >= 14");
    assert!(told.contains(&r#""move" 1 "nothing" "2836""#.to_owned()), "{told:?}");
}
