//! `amici rules`, rule sets of the player's own, and the booking of mails, from the command line.

use serde_json::{Value, json};

use crate::cli::Player;

pub(super) const ME: &str =
    "[me]\nname = \"Quillfeather, Tobin\"\nemails = [\"tobin.q@example.net\"]\ntimezone = \"Europe/Stockholm\"\n";
pub(super) const CLUB: &str = "[[rules]]\nname = \"my-club\"\nbase = \"iccf-email-2000\"\ndouble_after = 15\n\
                    control = { kind = \"cumulative\", moves = 8, days = 24 }\nvalid_from = 2020-01-01\n";

fn with_club() -> Player {
    let player = Player::new();
    player.configure(&format!("{ME}{CLUB}"));
    player
}

fn new_game(player: &Player, rules: &str) -> crate::cli::Ran {
    player.run(&[
        "new",
        "CLUB-1",
        "--opponent",
        "Mila",
        "--email",
        "mila@example.org",
        "--color",
        "white",
        "--rules",
        rules,
        "--start",
        "2024-05-01",
    ])
}

#[test]
fn every_rule_set_is_listed_by_name_and_title() {
    let listed = with_club().run(&["rules"]).result();
    for name in amici::domain::clock::rules::names().chain(["my-club"]) {
        assert!(listed.lines().any(|line| line.starts_with(&format!("{name} "))), "{name} in\n{listed}");
    }
    assert!(listed.contains("(your configuration)"), "{listed}");
    let document = with_club().run(&["rules", "--json"]).json();
    let own: Vec<&Value> = document["rules"].as_array().unwrap().iter().filter(|set| set["own"] == true).collect();
    assert_eq!((own.len(), &own[0]["name"]), (1, &json!("my-club")));
}

#[test]
fn a_rule_set_is_shown_in_plain_words_with_its_sources() {
    let shown = with_club().run(&["rules", "show", "desc"]).result();
    insta::assert_snapshot!(shown);
}

#[test]
fn what_is_the_players_own_is_shown_as_his() {
    let player = with_club();
    let document = player.run(&["rules", "show", "my-club", "--json"]).json();
    assert_eq!((&document["name"], &document["values"]["double_after"]), (&json!("my-club"), &json!(15)));
    let of = |key: &str| {
        let said = document["in_words"].as_array().unwrap().iter().find(|said| said["key"] == key).unwrap().clone();
        (said["own"] == true, said["uncertain"] == true, said["source"].is_string())
    };
    assert_eq!(
        (of("control"), of("overstep"), of("receipt")),
        ((true, false, false), (false, true, false), (false, false, true))
    );
    let unknown = player.run(&["rules", "show", "blitz"]).failure(1);
    assert!(unknown.contains("`blitz`") && unknown.contains("wc-fischer, my-club"), "{unknown}");
}

#[test]
fn a_game_keeps_the_values_of_the_day_it_began_whatever_the_configuration_says_later() {
    let player = with_club();
    new_game(&player, "my-club").result();
    let rules = |player: &Player| player.run(&["export"]).json()["games"][0]["rules"].clone();
    let kept = json!({
        "base": "iccf-email-2000", "name": "my-club", "double_after": 15,
        "control": {"kind": "cumulative", "moves": 8, "days": 24}, "valid_from": "2020-01-01",
    });
    assert_eq!(rules(&player), kept);
    player.configure(ME);
    assert_eq!(rules(&player), kept);
    let shown = player.run(&["rules", "show", "--game", "CLUB-1"]).result();
    assert!(shown.starts_with("my-club: ") && shown.contains("8 moves / 24 days"), "{shown}");
    let clock =
        player.run(&["show", "CLUB-1", "--json", "--at", "2024-05-11T10:00:00Z"]).json()["clocks"]["white"].clone();
    assert_eq!(
        (&clock["days_this_move"], &clock["days_left"], &clock["until_move"]),
        (&json!(10), &json!(14), &json!(8))
    );
    let unknown = new_game(&player, "my-club").failure(1);
    assert!(unknown.contains("`my-club`"), "{unknown}");
}

#[test]
fn all_that_is_wrong_with_rule_sets_of_his_own_is_told_at_once() {
    let player = Player::new();
    player.configure(&format!(
        "{ME}[[rules]]\nname = \"iecc\"\nbase = \"blitz\"\n[[rules]]\nname = \"b\"\nbase = \"iecc\"\ndoubel_after = 3\noverstep = \"shrug\"\n\
         [[rules]]\nname = \"b\"\nbase = \"iecc\"\n[[rules]]\nbase = \"iecc\"\n"
    ));
    let told = player.run(&["rules"]).failure(3);
    for line in [
        "rules.1.name: `iecc` is a built-in rule set",
        "rules.1.base: `blitz` is not known",
        "rules.2.doubel_after: is not known",
        "rules.2.overstep: cannot be \"shrug\"",
        "help: forfeit, reset_then_forfeit or report_only",
        "rules.3.name: `b` stands in the file twice",
        "rules.4.name: is missing",
    ] {
        assert!(told.contains(line), "{line} in\n{told}");
    }
    assert!(told.contains(": 6 problems"), "{told}");
}

#[test]
fn a_wrong_value_inside_a_table_is_named_by_its_own_key_with_what_would_do() {
    let own = |values: &str| {
        let player = Player::new();
        player.configure(&format!("{ME}[[rules]]\nname = \"my\"\nbase = \"iccf-email-2000\"\n{values}\n"));
        player.run(&["rules", "show", "my"])
    };
    for (values, told, help) in [
        (
            "control = { moves = 10, days = 40, bank = 3 }",
            "control.bank: is not known",
            "kind, moves, days, max_bank, per_move_cap",
        ),
        ("control = { kind = \"blitz\" }", "control.kind: cannot be \"blitz\"", "cumulative, rolling, fischer or none"),
        ("control = { moves = 0 }", "control.moves: cannot be 0", "at least 1"),
        (
            "control = { kind = \"rolling\", window = 10, days = 30, per_move_cap = 0 }",
            "control.per_move_cap: cannot be 0",
            "or none",
        ),
        (
            "control = { kind = \"fischer\", base = 30, increment = 3 }",
            "control.increment: is not known",
            "kind, base, inc",
        ),
        ("control = { kind = \"fischer\", base = 30 }", "control.inc: cannot be missing", "a number of days"),
        ("control = \"10/40\"", "control: cannot be \"10/40\"", "max_bank"),
        ("receipt = { mode = \"after_hour_optional\", hour = 25 }", "receipt.hour: cannot be 25", "from 0 to 23"),
        (
            "receipt = { mode = \"after_hour_optional\", inclusive = \"no\" }",
            "receipt.inclusive: cannot be \"no\"",
            "true or false",
        ),
        ("silence = { day = 40 }", "silence.day: is not known", "days, effect, counts_leave"),
        ("silence = { effect = \"auto\" }", "silence.effect: cannot be \"auto\"", "auto_forfeit"),
        ("repeat = { cc_td = true }", "repeat.cc_td: is not known", "cc_td_from"),
        (
            "illegal = { penalty_days = 5, accounting = \"both\" }",
            "illegal.accounting: cannot be \"both\"",
            "separate or continuous",
        ),
        ("double_from = \"reminder\"", "double_from: cannot be given without double_after", "add double_after"),
        ("double_after = 99999", "double_after: cannot be 99999", "up to 366"),
        ("leave = { days_per_year = 400 }", "leave.days_per_year: cannot be 400", "up to 366"),
    ] {
        let said = own(values).failure(3);
        assert!(said.contains(&format!("rules.1.{told}")) && said.contains(help), "{values}: {said}");
        assert!(said.contains(": 1 problem"), "{values}: {said}");
    }
    let said = own("receipt = { mode = \"after_hour_optional\" }\ncontrol = { max_bank = 60 }").result();
    assert!(said.contains("20:00"), "the hour that the rules know: {said}");
}

#[test]
fn built_in_rules_are_shown_before_anything_is_configured() {
    let player = Player::new();
    std::fs::remove_file(player.path("config.toml")).ok();
    let shown = player.run(&["rules", "show", "iccf-email-2000"]).result();
    assert!(shown.contains("a mail may always be booked as received on the next day"), "{shown}");
}

#[test]
fn a_mail_is_booked_on_the_next_day_where_he_says_so_and_the_record_does_not_change() {
    let player = Player::waiting();
    player.configure(&ME.replace("[me]", "[me]\nreceived = \"next-day\""));
    let mail = "From: mila.ostrander@example.org\r\nTo: tobin.q@example.net\r\nSubject: EM/ZZ/042\r\n\
                Date: Sat, 30 Oct 2004 10:00:00 +0200\r\nMessage-ID: <m7@example.org>\r\n\r\n7. 5171, received 26.10., sent 30.10.\r\n";
    let file = player.file("mail.eml", mail);
    player.run(&["take", &file, "--at", "2004-10-30T08:01:00Z"]).result();
    let shown = |day: &str| player.run(&["show", "SAMPLE-1", "--json", "--at", &format!("{day}T12:00:00Z")]).json();
    let thinks = |day: &str| shown(day)["clocks"]["black"]["days_this_move"].clone();
    assert_eq!([thinks("2004-10-30"), thinks("2004-10-31"), thinks("2004-11-02")], [0, 0, 2]);
    let next_day = shown("2004-11-02")["moves"].clone();

    player.configure(ME);
    assert_eq!([thinks("2004-10-30"), thinks("2004-10-31"), thinks("2004-11-02")], [0, 1, 3]);
    assert_eq!(shown("2004-11-02")["moves"], next_day);

    let told = player.run(&["explain", "SAMPLE-1", "last"]).result();
    assert!(told.contains("dated     2004-10-30 10:00:00 +0200 by its own Date\n"), "{told}");
    assert!(told.contains("taken     2004-10-30 10:01:00 +0200 by our server\n"), "{told}");
    let told = player.run(&["explain", "SAMPLE-1", "last", "--json"]).json();
    assert_eq!(told["observed"]["arrived_at"], "2004-10-30T10:01:00+02:00");
    assert_eq!((&told["counts"]["how"], &told["doubts"]), (&json!("4 calendar days; 12 in all"), &json!([])));
}

#[test]
fn explain_names_what_is_doubtful_and_what_oversteps() {
    let player = Player::waiting();
    let mail = "From: mila.ostrander@example.org\r\nTo: tobin.q@example.net\r\nSubject: EM/ZZ/042\r\n\
                Date: Mon, 3 Jan 2005 10:00:00 +0100\r\nMessage-ID: <m7@example.org>\r\n\r\n7. 5171, received 28.10.2004, sent 02.01.2005\r\n";
    let file = player.file("mail.eml", mail);
    player.run(&["take", &file, "--at", "2005-01-03T09:01:00Z"]).result();
    let told = player.run(&["explain", "SAMPLE-1", "last"]).result();
    for line in [
        "days      66 calendar days; 74 in all",
        "over      7. exceeds the time control by 14; you may claim it, at the latest with your answer to this move",
        "doubtful  the move sent 2004-10-26 is booked as received 2004-10-28; by the rules 2004-10-27 at the latest",
        "doubtful  stated as sent 2005-01-02, the mail is dated 2005-01-03; what is stated counts",
    ] {
        assert!(told.contains(line), "{line} in\n{told}");
    }
}
