//! `import`, `export`, `show` and `result` where PGN is concerned, as the player and his scripts meet them.

use amici::io::store::Store;
use amici::mail::message::{IncomingMessage, parse};
use serde_json::{Value, json};

use super::cli::{Player, document, second};
use super::intake::ME;
use super::queue::attached;

const MOVES: &str = "1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. Nf3 O-O 6. Be2 e5 7. O-O";

/// A PGN game: its tags, and the moves of the sample with the result.
fn pgn(tags: &[(&str, &str)], result: &str) -> String {
    let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    format!("{tags}[Result \"{result}\"]\n\n{MOVES} {result}\n\n")
}

/// The same with the players of the sample.
fn of_us(event: &str, result: &str) -> String {
    pgn(&[("Event", event), ("White", "Ostrander, Mila"), ("Black", "Quillfeather, Tobin")], result)
}

fn ids(player: &Player) -> Vec<String> {
    player.export()["games"].as_array().unwrap().iter().map(|g| g["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_game_written_as_pgn_comes_back_with_its_dates_addresses_and_id() {
    let player = Player::with_sample();
    let text = player.run(&["export", "--format", "pgn", "--dates", "--emails"]).result();
    let elsewhere = Player::new();
    let file = elsewhere.file("games.pgn", &text);
    let said = elsewhere.run(&["import", &file]).result();
    assert_eq!(
        said,
        "1 game imported:\n  SAMPLE-1  Ostrander, Mila - Quillfeather, Tobin, 13 plies\n\
         Rules of SAMPLE-1: iccf-email-2000, 10 moves / 60 days\n\
         If the rules are others, import it anew:  amici import FILE --replace --rules NAME\nNext: amici status\n"
    );
    assert_eq!(elsewhere.export(), player.export());
}

#[test]
fn what_the_tags_say_beside_the_record_is_kept_through_import_and_export() {
    let more = "[Round \"3\"]\n[WhiteElo \"2310\"]\n[BlackElo \"2287\"]\n[WhiteTitle \"SIM\"]\n[WhiteTeam \"Norden\"]\n\
        [ECO \"E90\"]\n[Termination \"adjudication\"]\n[TimeControl \"40/9000\"]\n[Annotator \"TD, by td@example.net\"]\n";
    let says = |text: &str, tag: &str| text.lines().any(|line| line == tag);
    for (result, of_the_end) in [("1-0", true), ("*", false)] {
        let player = Player::new();
        let text = format!("{}{}", more.replace("40/9000", "10/5184000"), of_us("EM/1", result));
        let text = if of_the_end { text.replace("10/5184000", "40/9000") } else { text };
        let file = player.file("games.pgn", &text);
        player.run(&["import", &file, "--opponent-email", "mila@example.org", "--yes"]).result();
        let out = player.run(&["export", "--format", "pgn"]).result();
        for tag in more
            .lines()
            .filter(|tag| !["ECO", "Termination", "TimeControl", "Annotator"].iter().any(|of| tag.contains(of)))
        {
            assert!(says(&out, tag), "{tag}: {out}");
        }
        for tag in ["[ECO \"E90\"]", "[Termination \"adjudication\"]", "[TimeControl \"40/9000\"]"] {
            assert_eq!(says(&out, tag), of_the_end, "{tag}: {out}");
        }
        assert!(!out.contains("td@example.net"), "{out}");
        let out = player.run(&["export", "--format", "pgn", "--emails"]).result();
        assert!(out.contains("[Annotator \"TD, by td@example.net\"]"), "{out}");
        // and through both forms again
        for (name, form) in [("again.pgn", &["export", "--format", "pgn", "--emails"][..]), ("again.json", &["export"])]
        {
            let elsewhere = Player::new();
            let file = elsewhere.file(name, player.run(form).result());
            elsewhere.run(&["import", &file]).result();
            assert_eq!(elsewhere.export()["games"][0]["tags"], player.export()["games"][0]["tags"], "{name}");
        }
        let strict = player.run(&["export", "--format", "pgn", "--strict"]).result();
        assert!(says(&strict, "[Round \"3\"]") && !strict.contains("Elo"), "{strict}");
    }
    // what nobody says of a game that is over is not stated
    let player = Player::new();
    let file = player.file("games.pgn", of_us("EM/1", "1-0"));
    player.run(&["import", &file]).result();
    assert!(says(&player.run(&["export", "--format", "pgn"]).result(), "[TimeControl \"?\"]"));
}

#[test]
fn what_an_import_leaves_out_of_the_moves_is_told() {
    let player = Player::new();
    let text = of_us("EM/1", "1-0").replace("4. e4", "4. e4!? $14 (4. g3 {good} (4. Nf3) O-O) (4. e3)");
    let file = player.file("games.pgn", &text);
    let said = player.run(&["import", &file]).result();
    let told = "Not kept, as a game here has one line of moves: variations with all that stands in them (2); signs such as !? or $14 (2)\n";
    assert!(said.contains(told), "{said}");
}

#[test]
fn a_file_in_utf_16_or_with_a_comment_before_its_tags_is_read() {
    let text = of_us("Größe", "1-0").replace("[Result \"1-0\"]", "[Result \"\"]");
    let units =
        |bytes: fn(u16) -> [u8; 2]| format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let json = {
        let player = Player::with_sample();
        let text = format!("\u{feff}{}", player.run(&["export"]).result());
        text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()
    };
    for file in [
        units(u16::to_le_bytes),
        units(u16::to_be_bytes),
        format!("\u{feff}{{of the club, \"1\": 2}}\n{text}").into_bytes(),
        format!("{{one}} {{two}}\r\n{text}").into_bytes(),
        json,
    ] {
        let player = Player::new();
        let path = player.dir.path().join("games");
        std::fs::write(&path, &file).unwrap();
        player.run(&["import", path.to_str().unwrap()]).result();
        let event = player.export()["games"][0]["event"].clone();
        assert!(event == "Größe" || event == "EM/ZZ/042", "{event}");
    }
}

#[test]
fn the_site_of_a_game_is_that_of_its_event_and_of_a_friendly_one_unknown() {
    let player = Player::with_sample();
    let new = |id: &str, event: &[&str]| {
        let new = ["new", id, "--opponent", "Pat Rook", "--email", "pat@example.org", "--color", "white"];
        player.run(&[&new[..], event].concat()).result();
        player.run(&["export", id, "--format", "pgn"]).result()
    };
    assert!(new("F-1", &[]).contains("[Event \"?\"]\n[Site \"?\"]\n"));
    assert!(new("E-2", &["--event", "em/zz/042"]).contains("[Site \"ICCF\"]\n"), "as in the other game of it");
    assert!(new("E-3", &["--event", "EM/2", "--site", "BdF"]).contains("[Site \"BdF\"]\n"));
}

#[test]
fn a_game_comes_back_under_its_own_rules_unless_others_are_named() {
    let player = Player::new();
    let own = json!({"base": "iecc", "double_after": 20, "control": {"per_move_cap": 12}});
    player.import(&second("OWN-1", |game| game["rules"] = own.clone()));
    player.import(&second("OVER-2", |game| (game["rules"], game["result"]) = (json!("desc"), json!("1-0"))));
    let text = player.run(&["export", "--format", "pgn", "--dates", "--emails"]).result();
    assert!(text.contains("[Ruleset \"desc\"]\n"), "{text}");
    let elsewhere = Player::new();
    let file = elsewhere.file("games.pgn", &text);
    let said = elsewhere.run(&["import", &file]).result();
    assert!(said.contains("\nRules of OWN-1: iecc, ") && !said.contains("Rules of OVER-2"), "{said}");
    let rules =
        || elsewhere.export()["games"].as_array().unwrap().iter().map(|g| g["rules"].clone()).collect::<Vec<_>>();
    assert_eq!(rules(), [own, json!("desc")]);
    elsewhere.run(&["import", &file, "--replace", "--rules", "semi"]).result();
    assert_eq!(rules(), [json!("semi"), json!("semi")]);
}

#[test]
fn a_running_game_takes_no_rules_unasked_whose_time_is_over_or_whose_control_nobody_says() {
    let player = Player::new();
    let file = |name: &str, tags: &str, result: &str| {
        let text = of_us("EM/1", result).replace("[Event", &format!("[WhiteNA \"mila@example.org\"]\n{tags}[Event"));
        player.file(name, text)
    };
    let over = "[Date \"2026.06.01\"]\n[TimeControl \"10/5184000\"]\n";
    let era = "nobody named the rules of EM-1-OST: iccf-email-2005 is for events begun until 2008-12-31\n";
    let said = player.run(&["import", &file("over.pgn", over, "*")]).failure(6);
    assert!(
        said.contains(era) && said.contains("--rules NAME") && said.contains("`rules` of their [[event]]"),
        "{said}"
    );
    assert!(!said.contains("TimeControl") && said.contains("nothing was done; say the same with --yes"), "{said}");
    let control = "no tag TimeControl says its control: 10 moves / 60 days is that of iccf-email-2005\n";
    for tags in ["[Date \"2007.06.01\"]\n", "[Date \"2007.06.01\"]\n[TimeControl \"?\"]\n"] {
        let said = player.run(&["import", &file("control.pgn", tags, "*")]).failure(6);
        assert!(said.contains(control) && !said.contains("events begun until"), "{said}");
    }
    let none = |result| file("none.pgn", "[Date \"2007.06.01\"]\n[TimeControl \"-\"]\n", result);
    let said = player.run(&["import", &none("*")]).failure(6);
    let taken = "its tag TimeControl \"-\" says that there is none: iccf-email-2005 with no limit is taken\n";
    assert!(said.contains(taken) && said.contains("--rules NAME") && !said.contains("no tag TimeControl"), "{said}");
    let unknown = format!("{over}[Ruleset \"blitz\"]\n");
    let said = player.run(&["import", &file("unknown.pgn", &unknown, "*")]).failure(6);
    assert!(said.contains("its tag Ruleset names no rule set that is known: blitz\n"), "{said}");
    player.run(&["status"]).result();
    assert!(ids(&player).is_empty());

    let said = player.run(&["import", &file("over.pgn", over, "1-0")]).result();
    assert!(!said.contains("rules"), "no clock runs in a game that is over: {said}");
    let said = Player::new().run(&["import", &none("1-0")]).result();
    assert!(!said.contains("TimeControl"), "{said}");
    let said = Player::new().run(&["import", &none("*"), "--yes"]).result();
    assert!(said.contains("\nRules of EM-1-OST: iccf-email-2005, no limit\n"), "{said}");
    for more in [&["--rules", "friendly"][..], &["--yes"]] {
        let said = player.run(&[&["import", "--replace", &file("over.pgn", over, "*")], more].concat()).result();
        assert!(said.contains("\nRules of EM-1-OST: ") && said.contains("--replace --rules NAME\n"), "{said}");
    }
    assert_eq!(player.export()["games"][0]["rules"], "iccf-email-2005");
}

#[test]
fn a_pgn_whose_days_come_out_otherwise_is_taken_in_and_says_so() {
    let player = Player::with_sample();
    player.run(&["clock", "set", "SAMPLE-1", "6b", "--penalty", "5", "--why", "an illegal move"]).result();
    player.run(&["clock", "set", "SAMPLE-1", "--white", "14", "--why", "the director"]).result();
    let text = player.run(&["export", "--format", "pgn", "--dates", "--emails"]).result();
    let elsewhere = Player::new();
    let said = elsewhere.run(&["import", &elsewhere.file("games.pgn", &text)]).result();
    assert_eq!(
        said,
        "1 game imported:\n  SAMPLE-1  Ostrander, Mila - Quillfeather, Tobin, 13 plies\n\
         Counted otherwise than the file says, by its dates and the rules of the game:\n\
         \x20 SAMPLE-1: 6... 7 days, total 35 in the file, here 2 days, total 30; 7. total 14 in the file, here total 12\n\
         Where the file is right, enter what it counts:  amici clock set GAME PLY --days DAYS --why TEXT\n\
         Rules of SAMPLE-1: iccf-email-2000, 10 moves / 60 days\n\
         If the rules are others, import it anew:  amici import FILE --replace --rules NAME\n\
         Next: amici status\n"
    );
}

#[test]
fn an_export_gives_the_day_that_the_rules_of_the_game_want() {
    let player = Player::new();
    let games = |id, rules: &str| second(id, |game| (game["rules"], game["result"]) = (json!(rules), json!("1-0")));
    player.import(&games("ONE", "iecg"));
    player.import(&games("TWO", "desc"));
    let date = |args: &[&str]| {
        let text = player.run(&[&["export", "--format", "pgn"], args].concat()).result();
        text.lines().find(|line| line.starts_with("[Date ")).unwrap().to_owned()
    };
    assert_eq!(date(&["ONE"]), "[Date \"2004.10.30\"]");
    assert_eq!(date(&["ONE", "--date", "start"]), "[Date \"2004.09.15\"]");
    assert_eq!(date(&["TWO"]), "[Date \"2004.09.15\"]");
}

#[test]
fn an_export_into_a_file_has_the_games_that_are_asked_for() {
    let player = Player::with_sample();
    player.import(&second("OVER-2", |game| game["result"] = json!("1-0")));
    let file = player.path("over.pgn").to_str().unwrap().to_owned();
    let said =
        player.run(&["export", "--format", "pgn", "--finished", "--strict", "--date", "end", "-o", &file]).result();
    assert_eq!(said, format!("1 game written to {file}\n"));
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches('[').count(), 7, "{text}");
    assert!(text.contains("[Date \"2004.10.30\"]") && text.ends_with(&format!("{MOVES} 1-0\n")), "{text}");
    let both = player.run(&["export", "--format", "pgn"]).result();
    assert_eq!((both.matches("[Event ").count(), both.contains("WhiteNA")), (2, false), "{both}");
    assert!(both.contains(" *\n\n[Event "), "{both}");
    assert_eq!(player.run(&["export", "--finished"]).json()["games"].as_array().unwrap().len(), 1);
    assert!(player.run(&["export", "--strict"]).failure(1).contains("--format pgn"));
    player.run(&["export", "--format", "pgn", "--strict", "--emails"]).failure(2);
}

#[test]
fn his_side_is_found_by_name_in_any_order_and_by_address() {
    let opponent = ("WhiteNA", "mila@example.org");
    for (white, black, more, me) in [
        ("Ostrander, Mila", "Quillfeather, Tobin", vec![opponent], "black"),
        ("Ostrander, Mila", "Tobin Quillfeather", vec![opponent], "black"),
        ("Ostrander, Mila", "QUILLFEATHER, Tobin (AUT", vec![opponent], "black"),
        ("Tobin Quíllfeather [2133]", "Ostrander, Mila", vec![("BlackNA", "mila@example.org")], "white"),
        ("T. Q.", "Ostrander, Mila", vec![("WhiteNA", "Tobin@example.com"), ("BlackNA", "mila@example.org")], "white"),
    ] {
        let player = Player::new();
        let tags = [vec![("Event", "EM/1"), ("White", white), ("Black", black)], more].concat();
        let file = player.file("game.pgn", pgn(&tags, "*"));
        player.run(&["import", &file, "--rules", "friendly"]).result();
        let game = player.export()["games"][0].clone();
        assert_eq!(game["me"], me, "{white} - {black}");
        let other = if me == "white" { "black" } else { "white" };
        assert_eq!(game[other]["emails"], json!(["mila@example.org"]));
    }
}

#[test]
fn what_the_file_leaves_open_is_asked_for_with_the_option_that_gives_it() {
    let player = Player::new();
    let import = |text: &str, more: &[&str]| {
        let file = player.file("game.pgn", text);
        player.run(&[&["import", &file][..], more].concat())
    };
    let others = pgn(&[("White", "Ostrander, Mila"), ("Black", "Novak, Jan")], "1-0");
    assert!(import(&others, &[]).failure(1).contains("neither player is you"));
    let twins = pgn(&[("White", "Tobin Quillfeather"), ("Black", "Quillfeather, Tobin")], "1-0");
    assert!(import(&twins, &[]).failure(1).contains("--me white or --me black"));
    let running = of_us("EM/1", "*");
    let message = import(&running, &[]).failure(1);
    assert!(
        message.contains("Ostrander, Mila has no address")
            && message.contains("WhiteNA, or say it with --opponent-email")
    );
    assert!(
        import(&pgn(&[("White", "?"), ("Black", "Quillfeather, Tobin")], "1-0"), &[]).failure(1).contains("tag White")
    );
    let undated = pgn(&[("Date", "soon"), ("White", "A"), ("Black", "Quillfeather, Tobin")], "1-0");
    assert!(import(&undated, &[]).failure(1).contains("[Date \"soon\"] is no date"));
    assert!(
        import(&running, &["--opponent-email", "mila@example.org", "--rules", "blitz"]).failure(1).contains("`blitz`")
    );
    let own = import(&running, &["--opponent-email", "tobin@example.com"]).failure(1);
    assert!(own.contains("both players have the address tobin@example.com"), "{own}");
    import(&running, &["--opponent-email", "mila@example.org", "--yes"]).result();
    assert_eq!(player.export()["games"][0]["rules"], "iccf-email-2000");
    import(&others, &["--me", "white"]).result();
    assert_eq!(player.export()["games"][1]["black"], json!({"name": "Novak, Jan", "emails": []}));
    let two =
        running.replace("EM/1", "EM/2") + &running.replace("EM/1", "EM/3").replace("Ostrander, Mila", "Novak, Jan");
    for skip in [&[][..], &["--skip-bad"]] {
        let refused = import(&two, &[&["--opponent-email", "x@example.org"], skip].concat()).failure(1);
        let why = ".pgn: --opponent-email names one opponent, and it would be that of Novak, Jan; Ostrander, Mila: put";
        assert!(refused.contains(why), "{refused}");
    }
    let json = player.file("games.json", document(|_| {}));
    assert!(player.run(&["import", &json, "--skip-bad"]).failure(1).contains("are for PGN"));
    assert!(import("% nothing\n", &[]).failure(1).contains("there is no game in it"));
    assert_eq!(ids(&player).len(), 2);
}

#[test]
fn his_word_for_his_side_does_not_turn_a_game_round_whose_names_or_addresses_tell_it() {
    let player = Player::new();
    let opponent = ("WhiteNA", "mila@example.org");
    let tells = |event: &str| {
        let tags = [("Event", event), ("White", "Ostrander, Mila"), ("Black", "Quillfeather, Tobin"), opponent];
        pgn(&tags, "*")
    };
    let silent = pgn(&[("Event", "EM/2"), ("White", "T. Q."), ("Black", "Novak, Jan")], "1-0");
    let file = player.file("mixed.pgn", tells("EM/1") + &silent);
    let import = ["import", &file, "--rules", "friendly", "--me", "white"];
    let asked = player.run(&import).failure(6);
    assert!(
        asked.contains("by the names or addresses you are Black in EM-1-OST, and so it is taken: --me is for"),
        "{asked}"
    );
    assert!(!player.path("amici.db").exists() || ids(&player).is_empty(), "nothing is imported before the answer");
    player.run(&[&import[..], &["--yes"]].concat()).result();
    let sides: Vec<_> = player.export()["games"].as_array().unwrap().iter().map(|game| game["me"].clone()).collect();
    assert_eq!(sides, ["black", "white"]);
    let file = player.file("agrees.pgn", tells("EM/3"));
    player.run(&["import", &file, "--rules", "friendly", "--me", "black"]).result();
    let mine =
        [("White", "T. Q."), ("WhiteNA", "Tobin@example.com"), ("Black", "Ek, Bo"), ("BlackNA", "tobin.q@example.net")];
    let file = player.file("mine.pgn", pgn(&[&[("Event", "EM/4")][..], &mine].concat(), "*"));
    let refused = player.run(&["import", &file, "--rules", "friendly", "--me", "white"]).failure(1);
    assert!(refused.contains("Ek, Bo has tobin.q@example.net, which is an address of yours in [me]"), "{refused}");
}

#[test]
fn a_running_game_that_stands_in_a_file_twice_is_refused_unless_it_has_ids() {
    let player = Player::new();
    let game = |event: &str, result: &str| {
        let tags = [
            ("Event", event),
            ("White", "Ostrander, Mila"),
            ("Black", "Quillfeather, Tobin"),
            ("WhiteNA", "mila@example.org"),
        ];
        pgn(&tags, result)
    };
    let shorter = game("em/1 ", "*").replace(" 7. O-O", "");
    for again in [game("EM/1", "*"), shorter] {
        let file = player.file("twice.pgn", game("EM/1", "*") + &again);
        let refused = player.run(&["import", &file, "--rules", "friendly"]).failure(1);
        let why = "it is EM-1-OST of this file once more, by event, start, players and moves, and it is not over";
        assert!(refused.contains("  game 2 (") && refused.contains(why), "{refused}");
    }
    let named = |id: &str| format!("[GameId \"{id}\"]\n{}", game("EM/1", "*"));
    let other = game("EM/1", "*").replace("4. e4 d6 5. Nf3 O-O 6. Be2 e5 7. O-O", "4. e4 d5");
    let file = player.file("others.pgn", [named("A-1"), named("A-2"), other, game("EM/1", "1-0")].concat());
    player.run(&["import", &file, "--rules", "friendly"]).result();
    assert_eq!(ids(&player), ["A-1", "A-2", "EM-1-OST", "EM-1-OST-2"]);
}

#[test]
fn every_game_that_is_skipped_is_told() {
    let player = Player::new();
    let bad = |number: usize| of_us(&format!("EM/{number}"), "1-0").replace("6. Be2", "6. Be3");
    let file = player.file("many.pgn", (1..=70).map(bad).collect::<String>() + &of_us("EM/71", "1-0"));
    let said = player.run(&["import", "--skip-bad", &file]).result();
    assert!(said.contains("70 left out that cannot be imported:\n"), "{said}");
    for number in 1..=70 {
        assert!(said.contains(&format!("EM/{number})")), "{number}: {said}");
    }
    assert!(!said.contains("more\n"), "{said}");
}

#[test]
fn a_stamp_that_lies_before_the_day_of_receipt_is_refused_but_for_a_zone() {
    let player = Player::new();
    let dated = |event: &str, dates: &str| of_us(event, "1-0").replace("6. Be2 ", &format!("6. Be2 {{{dates}}} "));
    let file = player.file("early.pgn", dated("EM/1", "[%ccsnt 2004.10.03,10:00] R 2004.10.08"));
    let refused = player.run(&["import", &file]).failure(1);
    assert!(refused.contains("ply 11: sent 2004-10-03 lies before received 2004-10-08"), "{refused}");
    // in Tokyo it was the next day
    let file = player.file("zone.pgn", dated("EM/2", "[%ccsnt 2004.10.03,22:00] R 2004.10.04"));
    player.run(&["import", &file]).result();
    assert_eq!(player.export()["games"][0]["moves"][10]["sent"], "2004-10-04");
    // but nowhere so early
    let file = player.file("nowhere.pgn", dated("EM/3", "[%ccsnt 2004.10.03,09:00] R 2004.10.04"));
    let refused = player.run(&["import", &file]).failure(1);
    assert!(refused.contains("sent 2004-10-03 lies before received 2004-10-04"), "{refused}");
}

#[test]
fn a_reply_says_nothing_of_a_mail_without_dates_where_a_file_gave_the_move() {
    let player = Player::new();
    let text = of_us("EM/1", "*").replace("[White ", "[WhiteNA \"mila@example.org\"]\n[White ");
    let text = text.replace("7. O-O", "7. O-O {[%ccsnt 2004.10.26,10:00]}");
    let file = player.file("running.pgn", text);
    player.run(&["import", &file, "--rules", "friendly"]).result();
    let draft = player.run(&["play", "EM-1-OST", "Nc6", "-n"]).result();
    assert!(draft.contains("2836") && !draft.contains("Your mail"), "{draft}");
}

#[test]
fn finished_games_need_no_address_and_go_out_and_in_as_json_too() {
    let player = Player::new();
    let file = player.file("games.pgn", of_us("EM/1", "1-0"));
    player.run(&["import", &file]).result();
    assert_eq!(player.export()["games"][0]["white"]["emails"], json!([]));
    let elsewhere = Player::new();
    elsewhere.import(&player.run(&["export"]).result());
    assert_eq!(elsewhere.export(), player.export());
    assert!(player.run(&["status"]).code == 0);
    assert!(player.run(&["show", &ids(&player)[0]]).result().contains("Result: 1-0"));
}

#[test]
fn ids_are_made_so_that_a_second_import_finds_the_games_of_the_first() {
    let player = Player::new();
    let file = player.file("games.pgn", of_us("EM/1", "1-0") + &of_us("EM/1", "0-1") + &of_us("EM/2", "1-0"));
    player.run(&["import", &file]).result();
    assert_eq!(ids(&player), ["EM-1-OST", "EM-1-OST-2", "EM-2-OST"]);
    let before = player.export();
    assert!(player.run(&["import", &file]).failure(1).contains("EM-1-OST"));
    let again = player.run(&["import", "--skip-existing", &file]).result();
    assert!(again.contains("0 games imported") && again.contains("3 left out that exist already just so"), "{again}");
    player.run(&["import", "--replace", &file]).result();
    assert_eq!(player.export(), before);
    let more = player.file("more.pgn", of_us("EM/2", "1-0") + &of_us("EM/3", "1-0"));
    assert!(player.run(&["import", "--skip-existing", &more]).result().starts_with("1 game imported:\n  EM-3-OST  "));
    let other = of_us("EM/2", "1-0").replace("[Event", "[Date \"2004.01.02\"]\n[Event");
    let file = player.file("other.pgn", other);
    player.run(&["import", &file]).result();
    assert_eq!(ids(&player).last().unwrap(), "EM-2-OST-2", "another game, and no replacement of the first");
    let changed = player.file("changed.pgn", of_us("EM/3", "0-1"));
    assert!(player.run(&["import", "--skip-existing", &changed]).failure(1).contains("EM-3-OST"), "it is not the same");
    let named = "[CmailGameName \"OURS\"]\n".to_owned() + &of_us("EM/9", "1-0");
    let twice = player.file("twice.pgn", named.repeat(2));
    assert!(player.run(&["import", &twice]).failure(1).contains("game OURS stands in the file twice"));
}

#[test]
fn days_that_cannot_be_are_refused_with_game_and_ply_or_left_out() {
    let player = Player::with_sample();
    let before = player.export();
    let dated = |event: &str, dates: &str| of_us(event, "1-0").replace("6. Be2 ", &format!("6. Be2 {{{dates}}} "));
    let future = dated("EM/7", "S 9999.09.18");
    let early = dated("EM/8", "S 2004.12.12").replace("e5", "e5 {S 2004.12.10}");
    let good = dated("EM/9", "S 2004.12.12").replace("e5", "e5 {S 2004.12.11}");
    let file = player.file("days.pgn", [future, early, good].concat());
    let message = player.run(&["import", &file]).failure(1);
    assert!(message.contains("2 of 3 games cannot be imported"), "{message}");
    assert!(message.contains("EM/7), line 6: ply 11: sent 9999-09-18 has not come yet"), "{message}");
    let why = "ply 12: sent 2004-12-10 lies before 2004-12-12, the day on which the move before was sent";
    assert!(message.contains("EM/8)") && message.contains(why), "{message}");
    assert_eq!(player.export(), before);
    assert!(player.run(&["import", "--skip-bad", &file]).result().starts_with("1 game imported:\n"));
    for (day, why) in [
        ("9999-12-31", "game SAMPLE-1: ply 13: sent 9999-12-31 has not come yet; today is "),
        ("2004-10-23", "game SAMPLE-1: ply 13: sent 2004-10-23 lies before 2004-10-26"),
    ] {
        let bad = document(|game| {
            game["moves"][12]["received"] = Value::Null;
            game["moves"][12]["sent"] = json!(day);
        });
        let bad = player.file("bad.json", bad);
        let message = player.run(&["import", "--replace", &bad]).failure(1);
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn all_games_that_are_skipped_are_listed() {
    let player = Player::with_sample();
    let bad = |number: usize| of_us(&format!("EM/{number}"), "1/2-1/2").replace("6. Be2", "6. Be9");
    let file = player.file("bad.pgn", (0..70).map(bad).chain([of_us("EM/70", "1-0")]).collect::<String>());
    let said = player.run(&["import", "--skip-bad", &file]).result();
    assert!(said.contains("70 left out that cannot be imported:\n") && said.contains(", EM/69), line "), "{said}");
}

#[test]
fn a_result_that_the_board_contradicts_is_refused_by_every_way_in() {
    let mated = |result: Value| {
        document(|game| {
            game["moves"] = json!([{"numeric": "6263"}, {"numeric": "5755"}, {"numeric": "7274"}, {"numeric": "4884"}]);
            game["result"] = result;
        })
    };
    let player = Player::new();
    let why = "game SAMPLE-1: the last position is checkmate, and the result is";
    for result in ["1-0", "1/2-1/2"] {
        let file = player.file("wrong.json", mated(json!(result)));
        let message = player.run(&["import", &file]).failure(1);
        assert!(message.contains(&format!("{why} {result}")), "{message}");
    }
    player.run(&["import", &player.file("mated.json", mated(Value::Null))]).result();
    for result in ["1-0", "1/2"] {
        let message = player.run(&["result", "SAMPLE-1", result, "--yes"]).failure(1);
        assert!(message.contains(why) && message.contains("the board says:  amici result SAMPLE-1 0-1"), "{message}");
    }
    assert_eq!(player.export()["games"][0]["result"], Value::Null);
    assert!(player.run(&["result", "SAMPLE-1", "0-1"]).result().contains("0-1"));
}

#[test]
fn the_date_of_a_pgn_is_no_start_under_rules_by_which_it_is_the_end() {
    let player = Player::new();
    player.configure(&format!("{ME}[[event]]\nname = \"EM/5\"\nrules = \"iecg\"\n"));
    let over = |event: &str, date: &str| of_us(event, "1-0").replace("]\n[White", &format!("]\n{date}[White"));
    let both = "[Date \"2004.12.05\"]\n[EventDate \"2004.09.15\"]\n";
    let file = [over("EM/5", "[Date \"2004.12.05\"]\n"), over("EM/5", both), over("EM/6", "[Date \"2004.12.05\"]\n")];
    player.run(&["import", &player.file("ended.pgn", file.concat())]).result();
    let games = player.export();
    let starts: Vec<&Value> = games["games"].as_array().unwrap().iter().map(|game| &game["start_date"]).collect();
    assert_eq!(starts, [&Value::Null, &json!("2004-09-15"), &json!("2004-12-05")]);
}

#[test]
fn a_file_of_two_thousand_games_is_taken_whole_or_not_at_all() {
    let player = Player::with_sample();
    let before = player.export();
    let game = |number: usize| of_us(&format!("EM/{number}"), "1/2-1/2");
    let mut file: Vec<String> = (0..2000).map(game).collect();
    file[1234] = file[1234].replace("6. Be2", "6. Be3");
    file[1777] = file[1777].replace("5. Nf3 ", "");
    let bad = player.file("bad.pgn", file.concat());
    let message = player.run(&["import", &bad]).failure(1);
    assert!(message.contains("bad.pgn: 2 of 2000 games cannot be imported:\n"), "{message}");
    let place = "  game 1235 (Ostrander, Mila - Quillfeather, Tobin, EM/1234), line 7410, ply 12 (6...): \"e5\"";
    assert!(!message.contains(place) && message.contains("game 1235 "), "{message}");
    assert!(message.contains("game 1778 (Ostrander, Mila - Quillfeather, Tobin, EM/1777), line "), "{message}");
    assert_eq!(message.matches("help: nothing was imported").count(), 1);
    assert_eq!(player.export(), before);
    let said = player.run(&["import", "--skip-bad", &bad]).result();
    assert!(said.starts_with("1998 games imported:\n  EM-0-OST  ") && said.contains("  ... and 1948 more\n"), "{said}");
    assert!(said.contains("2 left out that cannot be imported:\n  game 1235 ("), "{said}");
    assert_eq!(ids(&player).len(), 1999);
    let mended = player.file("mended.pgn", (0..2000).map(game).collect::<String>());
    let said = player.run(&["import", "--skip-existing", &mended]).result();
    assert!(said.starts_with("2 games imported:") && said.contains("1998 left out that exist already"), "{said}");
}

#[test]
fn comments_that_are_no_dates_become_private_notes() {
    let player = Player::new();
    let text = of_us("EM/1", "1-0").replace("4. e4", "{a plan} 4. e4 {R 2004.09.25 S 2004.09.26 1/4}");
    let file = player.file("games.pgn", text);
    let said = player.run(&["import", &file]).result();
    assert!(said.contains("Comments kept as private notes, which no letter shows: 1\n"), "{said}");
    let game = player.export()["games"][0].clone();
    assert_eq!(game["moves"][6]["received"], "2004-09-25");
    let again = player.run(&["import", "--skip-existing", &file]).result();
    assert!(again.starts_with("0 games imported:") && !again.contains("private notes"), "{again}");
}

#[test]
fn the_day_of_an_instant_and_the_control_of_a_tag_are_taken() {
    let player = Player::new();
    let text = of_us("EM/1", "1-0")
        .replace("1. d4 Nf6", "1. d4 {[%ccsnt 2005.02.03,18:02]} Nf6 {[%ccsnt 2005.02.05,04:59] S 2005.02.04}")
        .replace("[Event", "[Date \"2005.02.01\"]\n[TimeControl \"10/3456000\"]\n[Event");
    let file = player.file("games.pgn", text);
    player.run(&["import", &file]).result();
    let game = player.export()["games"][0].clone();
    assert_eq!((&game["moves"][0]["sent"], &game["start_date"]), (&json!("2005-02-03"), &json!("2005-02-01")));
    let again = player.run(&["export", "--format", "pgn", "--dates"]).result();
    assert!(again.contains("S 2005.02.04 "), "his own day stands beside the instant: {again}");
    assert_eq!(
        game["rules"],
        json!({"base": "iccf-email-2005", "control": {"kind": "cumulative", "moves": 10, "days": 40}})
    );
}

#[test]
fn instants_of_a_file_count_hours_where_the_rules_do_and_come_back_out_of_an_export() {
    let moves = "1. e4 {[%ccsnt 2023.03.20,10:00]} e5 {[%ccsnt 2023.03.25,10:00]} 2. Nf3 {[%ccsnt 2023.03.26,10:30]} \
        Nc6 {[%ccsnt 2023.03.27,10:29]} 3. Bb5 {[%ccsnt 2023.03.28,10:29]} a6 {[%ccsnt 2023.03.29,02:00] S 2023.03.28} *";
    let tags = "[Event \"EM/1\"]\n[Date \"2023.03.20\"]\n[White \"Ostrander, Mila\"]\n[Black \"Quillfeather, Tobin\"]\n\
        [WhiteNA \"mila.ostrander@example.org\"]\n[Result \"*\"]\n\n";
    let imported = |text: &str| {
        let player = Player::new();
        let file = player.file("games.pgn", text);
        player.run(&["import", &file, "--rules", "iccf-server"]).result();
        let id = ids(&player).remove(0);
        let shown = player.run(&["show", &id, "--json"]).json();
        let days: Vec<i64> = shown["moves"].as_array().unwrap().iter().map(|m| m["days"].as_i64().unwrap()).collect();
        (player, id, days)
    };
    let (player, id, days) = imported(&format!("{tags}{moves}\n"));
    assert_eq!(days, [0, 5, 1, 0, 1, 0], "T06: 23 hours and 59 minutes are no day, and 24 hours one");
    let explained = player.run(&["explain", &id, "2b"]).result();
    assert!(explained.contains("2023-03-27 10:29:00 +0000 by the file that was imported"), "{explained}");
    assert!(!explained.contains("an instant is missing"), "{explained}");
    let place = player.run(&["explain", &id, "3b"]).result();
    assert!(place.contains("2023-03-28 23:00:00 -0300"), "of the day that its sender states: {place}");
    let text = player.run(&["export", "--format", "pgn", "--dates", "--emails"]).result();
    assert!(text.contains("[%ccsnt 2023.03.27,10:29]") && text.contains("[%ccsnt 2023.03.29,02:00]"), "{text}");
    assert_eq!(imported(&text).2, days);
    let shown = player.run(&["show", &id, "--at", "2023-03-30T10:00:00Z"]).result();
    assert!(!shown.contains("UTC+00:00 by his last mail"), "an instant of a file tells no place: {shown}");
}

#[test]
fn a_control_that_cannot_be_read_is_asked_about_where_a_clock_runs_and_a_year_alone_tells_the_rules() {
    let player = Player::new();
    let file = |control: &str, result: &str| {
        let tags = format!("[Date \"2007.??.??\"]\n[TimeControl \"{control}\"]\n[Event");
        player.file("games.pgn", of_us("EM/1", result).replace("[Event", &tags))
    };
    let address = ["--opponent-email", "mila@example.org"];
    for control in ["10/50d", "300+3", "10/0:-3", "10/99999999999999999999"] {
        let said = player.run(&[&["import", &file(control, "*")], &address[..]].concat()).failure(1);
        assert!(said.contains(&format!("[TimeControl \"{control}\"] is no control in whole days")), "{said}");
    }
    player.run(&[&["import", "--yes", &file("?", "*")], &address[..]].concat()).result();
    assert_eq!(player.export()["games"].as_array().map(Vec::len), Some(1));
    assert_eq!(player.export()["games"][0]["rules"], json!("iccf-email-2005"));
    player.run(&["import", &file("300+3", "1-0"), "--replace"]).result();
}

#[test]
fn a_file_that_is_neither_pgn_nor_a_document_is_told_so() {
    let player = Player::new();
    let said = player.run(&["import", &player.file("letter.txt", "Dear Ann,\n1. e4\n")]).failure(1);
    assert!(said.contains("neither PGN") && said.contains("help: "), "{said}");
}

// Openings -----------------------------------------------------------------------------------------------------------

#[test]
fn the_opening_is_named_unless_the_event_allows_no_assistance() {
    let player = Player::with_sample();
    let shown = player.run(&["show", "SAMPLE-1"]).result();
    assert!(shown.contains("\nOpening: E94 King's Indian Defense: Orthodox Variation\n"), "{shown}");
    assert_eq!(player.run(&["show", "SAMPLE-1", "--json"]).json()["opening"]["eco"], "E94");
    assert!(player.run(&["export", "--format", "pgn"]).result().contains("[ECO \"E94\"]"));
    player.configure(&format!("{ME}[[event]]\nname = \"em/zz/042\"\nassistance = \"none\"\n"));
    assert!(!player.run(&["show", "SAMPLE-1"]).result().contains("Indian"));
    assert_eq!(player.run(&["show", "SAMPLE-1", "--json"]).json()["opening"], Value::Null);
    assert!(!player.run(&["export", "--format", "pgn"]).result().contains("Indian"));
}

// The report ---------------------------------------------------------------------------------------------------------

impl Player {
    /// The mails in the outbox: each to the player, with the mail that it brings.
    async fn letters(&self) -> Vec<(IncomingMessage, Vec<u8>)> {
        let mut store = Store::open(&self.path("data")).await.unwrap();
        let rows = store.due("2099-01-01T00:00:00Z".parse().unwrap()).await.unwrap();
        rows.iter().map(|row| (parse(&row.outgoing.bytes).unwrap(), attached(&row.outgoing.bytes))).collect()
    }
}

#[tokio::test]
async fn closing_a_game_drafts_the_report_to_the_director() {
    let player = Player::with_sample();
    player.configure(&format!("{ME}[[event]]\nname = \"EM/ZZ/042\"\ndirector = \"td@example.net\"\n"));
    let said = player.run(&["result", "SAMPLE-1", "1/2"]).result();
    assert!(said.contains("The report to td@example.net is drafted.\nNothing has been sent to him"), "{said}");
    let letters = player.letters().await;
    let [(mail, attached)] = letters.as_slice() else { panic!("{}", letters.len()) };
    let subject = "EM/ZZ/042 Ostrander - Quillfeather 1/2-1/2";
    assert_eq!(mail.subject, format!("[amici SAMPLE-1] ready to send to the director: {subject}"));
    assert_eq!(mail.to[0].to_string(), "tobin.q@example.net");
    assert!(mail.reply_to.is_empty(), "an answer to it comes back to the player");
    let report = parse(attached).unwrap();
    assert_eq!((report.subject.as_str(), report.to[0].to_string()), (subject, "td@example.net".to_owned()));
    let body = report.plain.as_deref().unwrap();
    assert!(mail.plain.as_deref().unwrap().trim_end().ends_with(&format!("=\n\n{}", body.trim_end())));
    assert!(
        body.starts_with("EM/ZZ/042: Ostrander, Mila - Quillfeather, Tobin  1/2-1/2\n\n[Event \"EM/ZZ/042\"]\n"),
        "{body}"
    );
    assert!(body.contains("[Result \"1/2-1/2\"]") && body.contains(&format!("{MOVES} 1/2-1/2")), "{body}");
    assert!(!body.contains('@'), "{body}");
    let header = String::from_utf8(attached.clone()).unwrap();
    assert!(header.contains("X-Unsent: 1"), "{header}");
}

#[tokio::test]
async fn without_a_director_the_report_has_no_recipient_and_says_so() {
    let player = Player::with_sample();
    let said = player.run(&["result", "SAMPLE-1", "1-0"]).result();
    assert!(said.contains("without his address: it is not in the configuration ([[event]], director)"), "{said}");
    let (mail, attached) = player.letters().await.remove(0);
    assert!(mail.subject.contains("whose address is not known") && mail.reply_to.is_empty());
    assert!(mail.plain.as_deref().unwrap().starts_with("For you: the mail has no recipient."));
    let report = parse(&attached).unwrap();
    assert!(report.to.is_empty());
    assert!(report.plain.as_deref().unwrap().starts_with("EM/ZZ/042: Ostrander"));
}

#[tokio::test]
async fn no_report_is_drafted_where_none_is_wanted() {
    let player = Player::with_sample();
    let said = player.run(&["result", "SAMPLE-1", "1-0", "--no-report"]).result();
    assert!(said.contains("amici export --format pgn SAMPLE-1"), "{said}");
    assert!(player.letters().await.is_empty());
}
