//! The letters of a player in every language: complete, of the right width, and for the reader at the opponent's what they are.

use amici::config::{Config, Language, Me};
use amici::domain::clock::again::{Lost, Sign};
use amici::domain::game::{ClockNote, Game, Leave, MoveNumber, MoveRecord, Observed, Plan, SentIllegal, Side, Stated};
use amici::domain::judge::Row;
use amici::domain::transmission::dates::WrittenDate;
use amici::domain::transmission::read::{DateFault, Event, FaultKind, Line, Meaning, Unread, spoken};
use amici::letters::{self, Ending, Letter, ReadsAs, ReturnedMail, SentCopy, SentNews, compose, reads_as};
use amici::mail::message::parse;
use chrono::NaiveDate;
use mail_parser::MessageParser;

use super::care::{at_odds, flat, reading};
use super::cli::Player;
use super::intake::{ME, ROOT, mail, sample};
use super::render::attached;

fn me(code: &str) -> Me {
    Config::parse(&format!("{ME}[letters]\nlanguage = \"{code}\"\n")).unwrap().me
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// Every remark there is.
fn all_remarks(language: Language) -> Vec<String> {
    let (game, table) = at_odds();
    let mut said = letters::remarks(&game, &table, language);
    let mut undated = sample(13);
    undated.moves[12].observed.sent = Some(day("2004-10-30"));
    undated.moves[12].observed.arrived = Some(day("2004-10-30"));
    let (received, sent) = (Some(day("2004-10-26")), Some(day("2004-10-30")));
    for claimed in [
        Stated::default(),
        Stated { sent, ..Stated::default() },
        Stated { received, ..Stated::default() },
        Stated { received, sent: Some(day("2004-10-29")), ..Stated::default() },
    ] {
        undated.moves[12].claimed = claimed;
        undated.moves[12].agreed.sent = sent.filter(|_| claimed.sent == Some(day("2004-10-29")));
        said.extend(letters::remarks(&undated, &[], language));
    }
    let unread = |fault, is_open, numbers: Option<&str>| {
        let unread = Unread { fault, is_open, numbers: numbers.map(str::to_owned) };
        [Row { unread, ..Row::read(MoveNumber { number: 7, side: Side::White }, Stated::default()) }]
    };
    undated.moves[12].agreed.sent = None;
    undated.moves[12].claimed = Stated { sent, ..Stated::default() };
    let date = WrittenDate::Open { first: 31, second: 6, year: None, dotted: true };
    let fault = Some(DateFault { line: 2, kind: FaultKind::NoSuchDay(date) });
    said.extend(letters::remarks(&undated, &unread(fault, true, None), language));
    said.extend(letters::remarks(&undated, &unread(None, true, Some("14 21")), language));
    for (received, sent) in [("2004-10-25", "2004-10-30"), ("2004-10-31", "2004-10-30")] {
        undated.moves[12].claimed =
            Stated { received: Some(day(received)), sent: Some(day(sent)), ..Stated::default() };
        said.extend(letters::remarks(&undated, &[], language));
    }
    assert_eq!(said.len(), 15, "{said:#?}");
    said
}

fn is_sound(text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= 72 && line.trim_end() == line, "{text}");
        assert!(!line.contains(['{', '}']) && !line.contains("  ,"), "{text}");
    }
}

#[test]
fn remarks_are_complete_in_every_language_and_are_read_as_nothing_at_all() {
    let draft = compose(&letters::transmission(&sample(13)).unwrap()).unwrap();
    let mut seen = Vec::new();
    for (language, code) in Language::ALL {
        let remarks = all_remarks(language);
        let paragraph = letters::paragraph(&remarks, language);
        is_sound(&paragraph);
        assert_eq!(reading(&(draft.clone() + &paragraph)), reading(&draft), "{code}");
        // a mail program wraps them anew, and quotes them
        for width in [40, 60] {
            let wrapped = textwrap::fill(paragraph.trim_start(), width);
            assert_eq!(reading(&format!("{draft}\n{wrapped}")), reading(&draft), "{code} {width}: {wrapped}");
        }
        assert!(!seen.contains(&paragraph), "{code} is another language's");
        seen.push(paragraph);
    }
    insta::assert_snapshot!(seen.concat());
}

/// A remark with each reason for which days are not those between two dates, of his moves and of the player's own.
fn all_reasons(language: Language, code: &str) -> Vec<String> {
    let leave = |side, from: &str, to: &str| Leave { side, from: day(from), to: day(to), announced: Some(day(from)) };
    let row =
        |number, side, days| Row::read(MoveNumber { number, side }, Stated { days: Some(days), ..Stated::default() });
    let mut game = sample(13);
    game.rules = serde_json::from_str("\"iccf-email-2005\"").unwrap();
    game.leaves = vec![leave(Side::White, "2004-10-27", "2004-10-28"), leave(Side::Black, "2004-11-01", "2004-11-03")];
    game.illegal = vec![SentIllegal { ply: 11, sent: day("2004-10-22"), noticed: day("2004-10-23") }];
    let table = [(1, Side::Black, 2), (5, Side::Black, 22), (6, Side::White, 1), (7, Side::White, 4)];
    let mut said = letters::remarks(&game, &table.map(|(number, side, days)| row(number, side, days)), language);
    game.plan = Some(Plan {
        before: Vec::new(),
        numeric: "2836".parse().unwrap(),
        stated: Stated { sent: Some(day("2004-11-05")), days: Some(3), ..Stated::default() },
        draw_offer: false,
        message_id: "<r1@example.net>".to_owned(),
        conditionals: Vec::new(),
        comment: None,
        held_until: None,
    });
    said.extend(letters::own_reasons(&game, &me(code)));
    let mut reminded = sample(13);
    reminded.rules = serde_json::from_str("\"desc\"").unwrap();
    reminded.clock_notes = vec![ClockNote::reminder(10, day("2004-10-12"))];
    said.extend(letters::remarks(&reminded, &[row(5, Side::Black, 22)], language));
    for (count, sent, days) in [("floor24h", "2004-11-02", 2), ("grace24h_then_calendar", "2004-10-31", 0)] {
        said.extend(letters::own_reasons(&by_hours(count, sent, days), &me(code)));
    }
    assert_eq!(said.len(), 8, "{said:#?}");
    said
}

/// The player has drafted his answer to a mail of 30 October, 21:00, by rules that count hours, for a day and with these days.
fn by_hours(count: &str, sent: &str, days: u32) -> Game {
    let mut game = sample(13);
    game.rules = serde_json::from_str(&format!(r#"{{"base": "iccf-server", "day_count": "{count}"}}"#)).unwrap();
    let arrived_at = Some("2004-10-30T21:00:00+02:00".parse().unwrap());
    game.moves[12].observed = Observed { arrived: Some(day("2004-10-30")), arrived_at, ..Observed::default() };
    game.plan = Some(Plan {
        before: Vec::new(),
        numeric: "2836".parse().unwrap(),
        stated: Stated { sent: Some(day(sent)), days: Some(days), ..Stated::default() },
        draw_offer: false,
        message_id: "<r1@example.net>".to_owned(),
        conditionals: Vec::new(),
        comment: None,
        held_until: None,
    });
    game
}

#[test]
fn where_hours_count_the_row_of_the_reply_has_its_reason_only_where_its_days_are_not_those_of_its_dates() {
    let said = |count: &str, sent: &str, days| letters::own_reasons(&by_hours(count, sent, days), &me("en"));
    let whole =
        Some("For my move 7 I count sent 2 November 2004, 2 days. Whole spans of 24 hours are counted.".to_owned());
    assert_eq!(said("floor24h", "2004-11-02", 2), whole);
    assert_eq!(said("floor24h", "2004-11-02", 3), None, "late in the evening");
    assert_eq!(said("floor24h", "2004-11-02", 1), None, "no hour of that day gives so few");
    assert_eq!(said("grace24h_then_calendar", "2004-11-01", 2), None);
    let doubled = said("floor24h", "2004-11-25", 30).unwrap();
    let why = "Whole spans of 24 hours are counted. Days beyond 20 for one move count twice (+5).";
    assert!(doubled.ends_with(why), "{doubled}");
}

#[test]
fn the_reasons_of_days_are_complete_in_every_language_and_are_read_as_nothing_at_all() {
    let draft = compose(&letters::transmission(&sample(13)).unwrap()).unwrap();
    let mut seen = Vec::new();
    for (language, code) in Language::ALL {
        let paragraph = letters::paragraph(&all_reasons(language, code), language);
        is_sound(&paragraph);
        assert_eq!(reading(&(draft.clone() + &paragraph)), reading(&draft), "{code}");
        let wrapped = textwrap::fill(paragraph.trim_start(), 40);
        assert_eq!(reading(&format!("{draft}\n{wrapped}")), reading(&draft), "{code}: {wrapped}");
        seen.push(paragraph);
    }
    insta::assert_snapshot!(seen.concat());
}

#[test]
fn a_reply_has_its_remarks_in_the_language_of_the_opponent() {
    let (game, table) = at_odds();
    let mut game = game;
    game.moves[12].observed.sent = Some(day("2004-10-30"));
    let text = letters::reply_text(&game, &table, &me("de")).unwrap();
    assert!(text.contains("\nZu Daten und Tagen (kein Zug):\n- "), "{text}");
    assert!(flat(&text).contains("abgesandt zu haben, ihre Kopfzeile nennt den 30. Oktober 2004."), "{text}");
    let other = "[[opponent]]\naddresses = [\"mila.ostrander@example.org\"]\nlanguage = \"fr\"\n";
    let me = Config::parse(&format!("{ME}{other}")).unwrap().me;
    let text = letters::reply_text(&game, &table, &me).unwrap();
    assert!(text.contains("\nDates et jours (aucun coup) :\n- "), "{text}");
}

/// The letters that are no replies, by what they are.
fn letters_in(code: &str, game: &Game) -> Vec<(&'static str, String)> {
    let (me, today) = (me(code), day("2004-11-02"));
    let leave = |to: &str| Leave { side: game.me, from: today, to: day(to), announced: None };
    let style = me.styles.of(game.opponent());
    let used = [(3, Some(30)), (1, None)]
        .map(|(days, limit)| letters::leave_used("EM/ZZ/042", days, limit, 2004, style.language));
    let repeat = |sign: Option<Sign>| {
        let lost = sign.map(|sign| Lost { sign, shown: day("2004-11-12"), again: Some(day("2004-11-13")) });
        letters::repeat_text(game, Some("<first@example.net>"), lost, &me).unwrap()
    };
    vec![
        ("announcement", letters::announce_text(game, Some(today), day("2004-11-30"), None, &me).unwrap()),
        ("announcement without a date", letters::announce_text(game, None, day("2004-11-30"), None, &me).unwrap()),
        ("leave", letters::leave_text(&[game], (&leave("2004-11-20"), false), &[], &style, &me)),
        ("leave of both clocks", letters::leave_text(&[game], (&leave("2004-11-20"), true), &[], &style, &me)),
        ("leave of a day of both clocks", letters::leave_text(&[game], (&leave("2004-11-02"), true), &[], &style, &me)),
        (
            "leave of a day, to the director",
            letters::leave_text(&[game], (&leave("2004-11-02"), false), &used, &style, &me),
        ),
        ("note", letters::message_text(game, "Happy Easter!", &me)),
        ("draw declined", Ending::DeclinesDraw.text(game, &me)),
        ("repeat", repeat(None)),
        ("repeat, came back", repeat(Some(Sign::CameBack))),
        ("repeat, missed", repeat(Some(Sign::Missed))),
    ]
}

#[test]
fn letters_are_in_the_language_of_the_opponent_and_bind_the_player_to_nothing() {
    let mut shown = String::new();
    for (_, code) in Language::ALL {
        let mine = sample(13);
        let his = sample(12);
        for (what, text) in letters_in(code, &mine).into_iter().filter(|(what, _)| !what.starts_with("repeat")) {
            is_sound(&text);
            // the score below an announcement gives the moves of the record, and no other
            let words = text.split_once("\nEvent:").map_or(text.as_str(), |(words, _)| words);
            let read = reads_as(&mine, words, day("2004-11-02"));
            // what goes to a director is not read for moves
            let is_read = !what.ends_with("director");
            assert!(!is_read || !matches!(read, ReadsAs::Binding(_)), "{code} {what}: {read:?}\n{text}");
            shown.push_str(&format!("== {code} {what}\n{words}\n"));
        }
        let (_, repeat) = letters_in(code, &his).pop().unwrap();
        is_sound(&repeat);
        // the move that it repeats is the last of the record, and the only one it gives
        let mut before = his.clone();
        let last = before.moves.pop().unwrap();
        let ReadsAs::Binding(read) = reads_as(&before, &repeat, day("2004-11-02")) else { panic!("{code}: {repeat}") };
        assert!(read.contains(&last.numeric.to_string()), "{code}: {read}");
        shown.push_str(&format!("== {code} repeat\n{}\n", repeat.lines().take(6).collect::<Vec<_>>().join("\n")));
    }
    insta::assert_snapshot!(shown);
}

/// What a letter announces, in its own lines.
fn announced(letter: &str) -> Vec<Event> {
    let lines: Vec<Line<'_>> = (1..).zip(letter.lines()).map(|(number, text)| Line { number, text }).collect();
    spoken(&lines).into_iter().filter(|spoken| spoken.meaning == Meaning::Clear).map(|spoken| spoken.event).collect()
}

#[test]
fn each_letter_is_read_back_in_each_language_as_what_it_is() {
    let on = |day| Some(WrittenDate::Clear { day, month: 11, year: Some(2004) });
    for (_, code) in Language::ALL {
        let game = sample(13);
        for (what, letter) in letters_in(code, &game) {
            let expected = match what {
                "leave" | "leave of both clocks" => vec![Event::Leave { from: on(2), until: on(20) }],
                "leave of a day, to the director" | "leave of a day of both clocks" => {
                    vec![Event::Leave { from: on(2), until: None }]
                }
                "announcement" | "announcement without a date" => vec![Event::LongThought],
                "draw declined" => vec![Event::DrawDeclined],
                "repeat" | "repeat, came back" | "repeat, missed" => vec![Event::AsksRepeat],
                _ => Vec::new(),
            };
            assert_eq!(announced(&letter), expected, "{code} {what}: {letter}");
            // a mail program wraps it anew
            for width in [50, 64] {
                let words = letter.split_once("\nEvent:").map_or(letter.as_str(), |(words, _)| words);
                let wrapped = textwrap::fill(words, width);
                let kinds = |events: &[Event]| events.iter().map(std::mem::discriminant).collect::<Vec<_>>();
                assert_eq!(kinds(&announced(&wrapped)), kinds(&expected), "{code} {what}: {wrapped}");
            }
        }
        for (ending, event) in [(Ending::Resigns, Event::Resignation), (Ending::AcceptsDraw, Event::DrawAccepted)] {
            assert_eq!(announced(&ending.text(&game, &me(code))), [event], "{code}");
        }
    }
}

/// The letters that put a mail of the player's right: what each is, the game that its reader has, and its text.
fn corrections_in(me: &Me) -> Vec<(&'static str, Game, String)> {
    let now = "2004-11-02T12:00:00Z".parse().unwrap();
    let mut planned = sample(13);
    planned.plan = Some(Plan {
        before: Vec::new(),
        numeric: "2836".parse().unwrap(),
        stated: Stated { sent: Some(day("2004-11-02")), ..Stated::default() },
        draw_offer: false,
        message_id: "<r1@example.net>".to_owned(),
        conditionals: Vec::new(),
        comment: None,
        held_until: None,
    });
    let mut moved = sample(13);
    let stated = Stated { received: Some(day("2004-10-31")), sent: Some(day("2004-11-01")), ..Stated::default() };
    moved.moves.push(MoveRecord::claimed("2836".parse().unwrap(), stated));
    let copy = SentCopy { sha256: &[7; 32], at: now };
    let (number, recorded) = (moved.number_of(13), "2836".parse().unwrap());
    let illegal = SentNews::Illegal { reason: "2846 is not legal".to_owned() };
    let second = SentNews::Second { number, sent: "2847".parse().unwrap(), recorded };
    let returned =
        ReturnedMail { number, reason: "no such mailbox", to: Some(&"mila@example.com".parse().unwrap()), again: None };
    let text = |letter: Letter| {
        let notice = MessageParser::default().parse(&letter.bytes).unwrap();
        parse(&attached(&notice).unwrap()).unwrap().plain.unwrap()
    };
    vec![
        ("slip", sample(13), text(letters::sent_notice(&planned, ROOT, &illegal, copy, me, now).unwrap())),
        ("two moves", moved.clone(), text(letters::sent_notice(&moved, ROOT, &second, copy, me, now).unwrap())),
        ("came back", sample(13), text(letters::bounce_notice(&moved, ROOT, &returned, copy, me, now).unwrap())),
    ]
}

#[test]
fn a_letter_that_puts_a_mail_right_is_in_the_language_of_the_opponent_and_read_as_what_it_is() {
    let mut shown = String::new();
    for (_, code) in Language::ALL {
        for (what, game, text) in corrections_in(&me(code)) {
            is_sound(&text);
            let words = text.split("\n\n").take(2).collect::<Vec<_>>().join("\n\n");
            shown.push_str(&format!("== {code} {what}\n{words}\n"));
            let read = reads_as(&game, &text, day("2004-11-02"));
            match what {
                // nobody is to take the other move for his
                "two moves" => assert_ne!(read, ReadsAs::Binding("7... 2836".to_owned()), "{code}: {text}"),
                // the move is recorded at the opponent's, and nothing else is said
                _ => {
                    assert_eq!(read, ReadsAs::Binding("7... 2836".to_owned()), "{code} {what}: {text}");
                    assert_eq!(announced(&text), [], "{code} {what}: {text}");
                }
            }
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_greeting_and_a_signature_of_the_players_own_stand_once() {
    let own = "[letters]\nlanguage = \"de\"\ngreeting = \"Liebe Mila,\"\nsignature = \"Tobin aus Wien\"\n";
    let me = Config::parse(&format!("{ME}{own}")).unwrap().me;
    for (what, _, text) in corrections_in(&me) {
        assert!(text.starts_with("Liebe Mila,\n\n") && text.contains("Tobin aus Wien\n"), "{what}: {text}");
        for once in ["Liebe Mila", "Tobin aus Wien"] {
            assert_eq!(text.matches(once).count(), 1, "{what}: {text}");
        }
    }
}

#[test]
fn what_an_opponent_announces_without_a_move_is_shown_to_the_player_in_every_language() {
    let player = Player::with_sample();
    let mut his = sample(13);
    his.me = his.me.other();
    for (_, code) in Language::ALL {
        for (what, letter) in letters_in(code, &his) {
            let outcome = match what {
                "leave" | "announcement" => "needs_human",
                "repeat" | "repeat, came back" | "repeat, missed" => "duplicate",
                _ => continue,
            };
            let id = format!("{code}-{}", what.len());
            assert_eq!(player.takes(&mail(&id, "EM/ZZ/042", &letter)), outcome, "{code} {what}: {letter}");
        }
    }
    let held = player.run(&["review"]).result();
    for words in ["estaré de permiso del 2 de noviembre", "sarò in congedo dal 2 novembre", "pide una larga"] {
        assert!(held.split_whitespace().collect::<Vec<_>>().join(" ").contains(words), "{words}: {held}");
    }
}

#[test]
fn the_review_names_the_command_that_enters_his_leave_and_his_long_thought_and_it_does() {
    let mut his = sample(12);
    his.me = his.me.other();
    for (_, code) in Language::ALL {
        for (what, letter) in
            letters_in(code, &his).into_iter().filter(|(what, _)| matches!(*what, "leave" | "announcement"))
        {
            let player = Player::waiting();
            assert_eq!(player.takes(&mail(code, "EM/ZZ/042", &letter)), "needs_human", "{code} {what}: {letter}");
            let held = player.run(&["review", "--json"]).json();
            let command = held["held"][0]["next"].as_array().unwrap()[1].as_str().unwrap().to_owned();
            let expected = match what {
                "leave" => {
                    "amici leave add 2004-11-02..2004-11-20 --of opponent --game SAMPLE-1 --announced 2004-10-30"
                }
                _ => "amici announce SAMPLE-1 --his --until DATE --on 2004-10-30",
            };
            assert_eq!(command, expected, "{code}");
            let command = command.replace("DATE", "2004-11-25");
            player.run(&command.split(' ').skip(1).collect::<Vec<_>>()).result();
        }
    }
}

#[test]
fn the_end_of_a_game_is_read_as_such_in_every_language() {
    for (_, code) in Language::ALL {
        let mut game = sample(13);
        game.draw_offer = Some(game.me.other());
        for ending in [Ending::Resigns, Ending::AcceptsDraw] {
            let text = ending.text(&game, &me(code));
            is_sound(&text);
            let read = reads_as(&game, &text, day("2004-11-02"));
            assert!(matches!(read, ReadsAs::Binding(_)), "{code} {ending:?}: {read:?}\n{text}");
        }
    }
}
