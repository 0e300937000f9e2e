//! Which game a mail is about, where its opponent plays several: mails as text, through the decision.

use amici::config::{Config, Me};
use amici::domain::game::{Game, GameResult, MoveRecord, Side, Stated};
use amici::domain::judge::Verdict;
use amici::intake::decide::{Decision, Opened, Trust, decide, decide_opened};
use amici::intake::evidence::Letters;
use amici::intake::which::Thread;
use amici::letters;
use amici::letters::compose;
use chrono::{DateTime, Utc};

use crate::intake::{ME, MILA, mail, mail_with, sample};

fn me() -> Me {
    Config::parse(ME).unwrap().me
}

/// Her second game, in which she has Black and 2... is due: 1. 5254 5755 2. 7163.
fn second() -> Game {
    let mut game = sample(0);
    game.id = "OTHER-2".parse().unwrap();
    std::mem::swap(&mut game.white, &mut game.black);
    game.me = Side::White;
    let moves = ["5254", "5755", "7163"].iter();
    game.moves = moves.map(|m| MoveRecord::claimed(m.parse().unwrap(), Stated::default())).collect();
    game
}

/// The second game in an event of its own.
fn friendly() -> Game {
    Game { event: "FRIEND-88".to_owned(), ..second() }
}

/// The sample game once more under another name: no move tells the two apart.
fn twin() -> Game {
    Game { id: "TWIN-3".parse().unwrap(), event: "FRIEND-88".to_owned(), ..sample(12) }
}

/// The decision, which is the same for the games alone that the mail can be about, chosen without their moves as the intake does.
pub(crate) fn decided<'a>(raw: &[u8], me: &Me, threads: &'a [Thread], at: DateTime<Utc>) -> Decision<'a> {
    let decision = decide(raw, me, &Trust::default(), threads, at).unwrap();
    let opened = Opened::of(raw).unwrap();
    let without_moves = |thread: &Thread| {
        let mut outline = thread.clone();
        outline.game.moves.clear();
        outline
    };
    let few: Vec<Thread> = {
        let concerns = opened.concerns(me);
        threads.iter().filter(|thread| concerns(&without_moves(thread))).cloned().collect()
    };
    let of_few = decide_opened(opened, me, &Trust::default(), &few, at);
    assert_eq!(format!("{decision:?}"), format!("{of_few:?}"), "{} of {} games", few.len(), threads.len());
    decision
}

/// Game, outcome, and the move or the reading, of each judgement; by the names of the games.
fn judged(raw: &[u8], games: &[Game]) -> Vec<(String, &'static str, String)> {
    let at: DateTime<Utc> = "2004-10-30T18:22:05Z".parse().unwrap();
    let thread =
        |game: &Game| Thread { game: game.clone(), root_message_id: format!("<{}.root@example.net>", game.id) };
    let threads: Vec<Thread> = games.iter().map(thread).collect();
    let decision = decided(raw, &me(), &threads, at);
    let mut results: Vec<_> = decision
        .judgements
        .iter()
        .map(|judgement| {
            let moves = match &judgement.verdict {
                Verdict::Accepted(accepted) if accepted.draw_offer => format!("{} offers a draw", accepted.numeric),
                Verdict::Accepted(accepted) => accepted.numeric.to_string(),
                Verdict::Held { candidates, .. } => {
                    candidates.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
                }
                _ => String::new(),
            };
            let game = judgement.thread.map_or("-".to_owned(), |t| t.game.id.to_string());
            (game, judgement.verdict.outcome(), moves)
        })
        .collect();
    results.sort();
    results
}

fn body(body: &str, games: &[Game]) -> Vec<(String, &'static str, String)> {
    judged(&mail("m7", "Our games", body), games)
}

type Expected<'a> = [(&'a str, &'static str, &'a str)];

fn assert_judged(found: &[(String, &'static str, String)], expected: &Expected<'_>, why: &str) {
    let found: Vec<_> = found.iter().map(|(game, outcome, moves)| (game.as_str(), *outcome, moves.as_str())).collect();
    assert_eq!(found, expected, "{why}");
}

const BOTH: &Expected<'_> = &[("OTHER-2", "move", "2836"), ("SAMPLE-1", "move", "5171")];

// Several games in one mail --------------------------------------------------------------------------------------------

#[test]
fn each_game_gets_the_move_below_the_heading_that_names_it() {
    for text in [
        "Dear Tobin,\n\nSAMPLE-1\n7. 5171\n\nOTHER-2\n2... 2836\n\nMila\n",
        "SAMPLE-1: 7. 5171\nOTHER-2: 2... 2836\n",
        "Game 1 (SAMPLE-1)\n7. 5171\n\nGame 2 (OTHER-2)\n2... 2836\n",
        "OTHER-2:\n2. 7163 2836\n\nAnd here is my move in SAMPLE-1:\n7. 5171\n",
        "Ostrander - Quillfeather\n7. 5171\n\nQuillfeather - Ostrander\n2... 2836\n",
        "Game 1: Mila Ostrander vs Tobin Quillfeather\n7. 5171\n\nGame 2: Quillfeather vs Ostrander\n2... 2836\n",
        "White: Mila Ostrander <mila.ostrander@example.org>\nBlack: Tobin Quillfeather <tobin.q@example.net>\n7. 5171\n\n\
         White: Quillfeather\nBlack: Ostrander\n2... 2836\n",
        "[White \"Ostrander, Mila\"]\n[Black \"Quillfeather, Tobin\"]\n\n7. 5171\n\n\
         [White \"Quillfeather, Tobin\"]\n[Black \"Ostrander, Mila\"]\n\n2... 2836\n",
        "EM/ZZ/042, White\n7. 5171\n\nEM/ZZ/042, Black\n2... 2836\n",
    ] {
        assert_judged(&body(text, &[sample(12), second()]), BOTH, text);
    }
    let table = |game: &Game, numeric: &str| {
        let mut hers = Game { me: game.me.other(), ..game.clone() };
        hers.moves.push(MoveRecord::claimed(numeric.parse().unwrap(), Stated::default()));
        compose(&letters::transmission(&hers).unwrap()).unwrap()
    };
    let tables = format!("{}\n\n{}", table(&sample(12), "5171"), table(&second(), "2836"));
    assert_judged(&body(&tables, &[sample(12), second()]), BOTH, &tables);
    let named = format!("SAMPLE-1\n{}\n\nOTHER-2\n{}", table(&sample(12), "5171"), table(&second(), "2836"));
    assert_judged(&body(&named, &[sample(12), second()]), BOTH, &named);
    for events in [
        "EM/ZZ/042\n7. 5171\n\nFRIEND-88\n2... 2836\n",
        "EM/ZZ/042: 7. 5171\nFRIEND-88: 2... 2836\n",
        "My move in EM/ZZ/042:\n7. 5171\n\nMy move in FRIEND-88:\n2... 2836\n",
    ] {
        assert_judged(&body(events, &[sample(12), friendly()]), BOTH, events);
    }
}

#[test]
fn the_colour_that_she_says_she_has_tells_the_game() {
    for text in [
        "In the game where I have White: 7. 5171\n\nIn the other: 2... 2836\n",
        "In der Partie, in der ich Weiß habe: 7. 5171\n\nIn der anderen Partie: 2... 2836\n",
        "In the game in which I am Black:\n2... 2836\n\nIn the other game:\n7. 5171\n",
        "In the game where you have Black:\n7. 5171\n\nIn the game where you have White:\n2... 2836\n",
    ] {
        assert_judged(&body(text, &[sample(12), second()]), BOTH, text);
    }
    let chat = "In der Partie, in der ich Weiß habe: 7. 5171.\n\n\
                In der anderen muss ich noch rechnen, 2... 2836 und 2... 7866 gefallen mir beide nicht.\n";
    let found = body(chat, &[sample(12), second()]);
    assert_eq!(found[1], ("SAMPLE-1".to_owned(), "move", "5171".to_owned()), "{found:?}");
    assert_eq!(found[0].1, "needs_human", "{found:?}");
    // the colour contradicts the moves, or two games have it
    for text in [
        "In the game where I have Black: 7. 5171\n\nIn the other: 2... 2836\n",
        "In the game where you have White: 7. 5171\n\nIn the other: 2... 2836\n",
    ] {
        let found = body(text, &[sample(12), second()]);
        assert!(found.iter().all(|(_, outcome, _)| *outcome == "needs_human"), "{text}{found:?}");
    }
    // talk about a colour or another line begins no section: the correction stays with the first game
    for talk in
        ["An interesting game, I think Black is better.", "The other one is harder.", "Game of mine, you like Black?"]
    {
        let text = format!("SAMPLE-1\n7. 5171\n{talk}\nSorry, 7. 1213\n\nOTHER-2\n2... 2836\n");
        let found = body(&text, &[sample(12), second()]);
        assert_eq!(found[1].1, "needs_human", "{text}{found:?}");
    }
    let text = "In the game where I have White: 1213\n\nIn the other game: 2... 2836\n";
    let found = body(text, &[sample(12), second(), twin()]);
    assert!(found.iter().all(|(_, outcome, _)| *outcome == "needs_human"), "{found:?}");
}

#[test]
fn a_game_that_is_named_without_a_move_waits_on() {
    let expected: &Expected<'_> = &[("OTHER-2", "not_game_mail", ""), ("SAMPLE-1", "move", "5171")];
    for text in [
        "SAMPLE-1\n7. 5171\n\nOTHER-2\nI will answer tomorrow.\n",
        "SAMPLE-1\n7. 5171\n\nPS: in OTHER-2 I am still thinking.\n",
        "OTHER-2\n\nSAMPLE-1\n7. 5171\n",
    ] {
        assert_judged(&body(text, &[sample(12), second()]), expected, text);
    }
    for text in ["SAMPLE-1\n7. 5171\n\nOTHER-2\nI play Nf6.\n", "SAMPLE-1\n7. 5171\n\nOTHER-2\nDraw?\n"] {
        let found = body(text, &[sample(12), second()]);
        assert_eq!(
            (found[0].1, found[1].1),
            ("needs_human", "move"),
            "what is said of it is not lost: {text}{found:?}"
        );
    }
}

#[test]
fn lines_of_none_count_for_none_and_their_doubts_for_all() {
    let games = [sample(12), second()];
    let sections = "SAMPLE-1\n7. 5171\n\nOTHER-2\n2... 2836\n";
    for above in ["I offer a draw.\n", "7. 4445\n2... 7866\n", "I resign.\n"] {
        let text = format!("{above}\n{sections}");
        let found = body(&text, &games);
        assert!(found.iter().all(|(_, outcome, _)| *outcome == "needs_human"), "{text}{found:?}");
        assert_eq!(found.len(), 2, "{text}");
    }
    let found = body("7. 5171\n\nSAMPLE-1\nHello.\n\nOTHER-2\n2... 2836\n", &games);
    assert_eq!(found[1], ("SAMPLE-1".to_owned(), "needs_human", "5171".to_owned()), "a move above all headings");
    let last = sample(12).moves[10].numeric;
    let repeat = body(&format!("I resign.\n\nSAMPLE-1\n6. {last}\n\nOTHER-2\nHello.\n"), &games);
    assert!(repeat.iter().all(|(_, outcome, _)| *outcome == "needs_human"), "a repeat does not hide it: {repeat:?}");
    let behind = body("SAMPLE-1\n7. 5171\n\nOTHER-2\n2... 2836\n\nI offer a draw.\n", &games);
    assert!(behind.iter().all(|(_, outcome, _)| *outcome == "needs_human"), "in which of them? {behind:?}");
    let draw = body("SAMPLE-1\n7. 5171\n\nOTHER-2\n2... 2836\nDraw?\n", &games);
    assert_judged(
        &draw,
        &[("OTHER-2", "move", "2836 offers a draw"), ("SAMPLE-1", "move", "5171")],
        "his words there alone",
    );
}

#[test]
fn where_a_line_could_belong_to_either_game_both_are_held() {
    for text in [
        "SAMPLE-1 and OTHER-2\n7. 5171\n2... 2836\n",
        "SAMPLE-1\n7. 5171\n\nUnlike in OTHER-2 this is easy.\n2... 2836\n",
    ] {
        let found = body(text, &[sample(12), second()]);
        assert!(found.len() == 2 && found.iter().all(|(_, outcome, _)| *outcome == "needs_human"), "{text}{found:?}");
    }
    let twins = [sample(12), twin()];
    let by_event = body("EM/ZZ/042\n7. 5171\n\nFRIEND-88\n7. 4445\n", &twins);
    assert_judged(
        &by_event,
        &[("SAMPLE-1", "move", "5171"), ("TWIN-3", "move", "4445")],
        "an event of its own for each",
    );
    let foreign = body("EM/ZZ/042\nHello.\n\nEM/24/999\n7. 5171\n\nFRIEND-88\n7. 4445\n", &twins);
    assert!(
        foreign.iter().all(|(_, outcome, _)| *outcome != "move"),
        "a section of a game that is not kept: {foreign:?}"
    );
    let by_id = body("SAMPLE-1\n7. 5171\n\nTWIN-3\n7. 4445\n", &twins);
    assert_judged(&by_id, &[("SAMPLE-1", "move", "5171"), ("TWIN-3", "move", "4445")], "the id settles it");
    let headed = "SAMPLE-1\nWhite: Ostrander\nBlack: Quillfeather\n7. 5171\n\nTWIN-3\nWhite: Ostrander\n7. 4445\n";
    assert_judged(&body(headed, &twins), &[("SAMPLE-1", "move", "5171"), ("TWIN-3", "move", "4445")], headed);
    let offer = "I offer a draw in SAMPLE-1, my move is:\n7. 5171\n\nTWIN-3\n7. 4445\n";
    let expected = &[("SAMPLE-1", "move", "5171 offers a draw"), ("TWIN-3", "move", "4445")];
    assert_judged(&body(offer, &twins), expected, "the words of a heading count");
    let remark = body("TWIN-3\nIn SAMPLE-1 I will answer by 1.11.2004.\n7. 5171\n", &twins);
    assert!(remark.iter().all(|(_, outcome, _)| *outcome == "needs_human"), "{remark:?}");
    let third = body("SAMPLE-1\n7. 5171\n\nGame 2\n7. 4445\n\nTWIN-3\nHello.\n", &twins);
    assert!(third.iter().all(|(_, outcome, _)| *outcome == "needs_human"), "{third:?}");
}

#[test]
fn quoted_games_are_compared_each_with_its_own_record() {
    let games = [sample(12), second()];
    let quote = "> SAMPLE-1\n> 6. HIS\n> OTHER-2\n> 1. 5254 5755\n> 2. 7163\n";
    let sixth = sample(12).moves[10].numeric.to_string();
    let text = format!("SAMPLE-1\n7. 5171\n\nOTHER-2\n2... 2836\n\n{}", quote.replace("HIS", &sixth));
    assert_judged(&body(&text, &games), BOTH, "each is quoted as it stands");
    let found = body(&text.replace("2. 7163", "2. 6163"), &games);
    assert_eq!((found[0].1, found[1].1), ("needs_human", "move"), "the quoted score of one is another: {found:?}");
}

#[test]
fn plain_text_and_html_are_cut_alike() {
    let games = [sample(12), second()];
    let both = |html: &str| {
        let header = "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n";
        let plain = "SAMPLE-1\n7. 5171\n\nOTHER-2\n2... 2836\n";
        let text = format!("--b\nContent-Type: text/plain\n\n{plain}\n--b\nContent-Type: text/html\n\n{html}\n--b--\n");
        judged(&mail_with("m7", MILA, "Our games", header, &text), &games)
    };
    let same = "<p>SAMPLE-1<br>7. 5171</p><p>OTHER-2<br>2... 2836</p>";
    assert_judged(&both(same), BOTH, same);
    let found = both("<p>OTHER-2<br>2... 2836</p><p>SAMPLE-1<br>7. 4445</p>");
    assert_eq!((found[0].1, found[1].1), ("move", "needs_human"), "{found:?}");
}

#[test]
fn another_id_in_the_subject_holds_all() {
    let games = [sample(12), second()];
    let found = judged(&mail("m7", "SAMPLE-1", "OTHER-2\n2... 2836\n"), &games);
    assert!(found.len() == 2 && found.iter().all(|(_, outcome, _)| *outcome == "needs_human"), "{found:?}");
    let mut third = sample(12);
    third.id = "TWIN-3".parse().unwrap();
    let text = "SAMPLE-1\n7. 5171\n\nOTHER-2\n2... 2836\n";
    let found = judged(&mail("m7", "TWIN-3", text), &[sample(12), second(), third]);
    assert!(found.len() == 3 && found.iter().all(|(_, outcome, _)| *outcome == "needs_human"), "{found:?}");
    let found = judged(&mail("m7", "SAMPLE-1", text), &games);
    assert_judged(&found, BOTH, "the subject names one of the two");
}

#[test]
fn a_finished_game_keeps_its_own_lines() {
    let mut over = second();
    over.result = Some(GameResult::Draw);
    let found = body("OTHER-2\nThanks for the game!\n\nSAMPLE-1\n7. 5171\n", &[sample(12), over.clone()]);
    assert_judged(&found, &[("OTHER-2", "not_game_mail", ""), ("SAMPLE-1", "move", "5171")], "thanks");
    let found = body("OTHER-2\n2... 2836\n\nSAMPLE-1\n7. 5171\n", &[sample(12), over]);
    assert_eq!(found[0].1, "needs_human", "a move in a game that is over");
}

#[test]
fn whatever_heading_is_missing_no_move_goes_to_the_wrong_game() {
    let moves: Vec<String> = sample(13).moves.iter().map(|m| m.numeric.to_string()).collect();
    let row =
        |ply: usize| format!("{}{} {}\n", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "..." }, moves[ply]);
    let score = |plies: usize| (0..=plies).map(row).collect::<String>();
    let with_plies = |game: Game, plies: usize| Game { moves: sample(plies).moves, ..game };
    let (mut taken, mut mails) = (0, 0);
    for (hers_white, hers_black) in (0..12).step_by(2).flat_map(|w| (1..12).step_by(2).map(move |b| (w, b))) {
        let games = [with_plies(sample(0), hers_white), with_plies(friendly(), hers_black)];
        for (first, second) in [
            ("SAMPLE-1", "OTHER-2"),
            ("Ostrander - Quillfeather", "Quillfeather - Ostrander"),
            ("EM/ZZ/042", "FRIEND-88"),
            ("SAMPLE-1", "Game 2"),
            ("SAMPLE-1", ""),
            ("", "OTHER-2"),
            ("", ""),
            ("Game 1", "Game 2"),
        ] {
            for whole in [true, false] {
                let part = |plies| if whole { score(plies) } else { row(plies) };
                let text = format!("{first}\n{}\n{second}\n{}", part(hers_white), part(hers_black));
                for (game, outcome, numeric) in body(&text, &games) {
                    let due = if game == "SAMPLE-1" { &moves[hers_white] } else { &moves[hers_black] };
                    assert!(outcome != "move" || numeric == *due, "{game} {numeric}\n{text}");
                    taken += usize::from(outcome == "move");
                }
                mails += 1;
            }
        }
    }
    assert_eq!(mails, 576);
    assert!(taken >= 432, "where both headings stand, both moves are taken; here {taken}");
}

// One game of several --------------------------------------------------------------------------------------------------

#[test]
fn a_recital_that_fits_one_game_and_contradicts_the_others_names_it() {
    let games = [sample(12), second()];
    let score = "1. 5254 5755\n2. 7163 2836\n";
    assert_judged(&body(score, &games), &[("OTHER-2", "move", "2836")], "the whole score");
    let found = body("2. 7163 2836\n", &games);
    assert_judged(&found, &[("OTHER-2", "move", "2836")], "one row that the other game has otherwise");
    let held = body(score, &[sample(12), second(), Game { id: "TWIN-3".parse().unwrap(), ..second() }]);
    assert!(held.iter().all(|(_, outcome, _)| *outcome == "needs_human"), "two games have this score: {held:?}");
}

#[test]
fn a_lone_move_without_a_number_names_no_game_however_well_it_fits() {
    let games = [sample(12), second()];
    for text in ["5171\n", "My move: 5171\n", "My move: 2836\n", "1. 5254 5755\n", "7. 5171\n2... 2836\n"] {
        let found = body(text, &games);
        assert!(found.len() == 2 && found.iter().all(|(_, outcome, _)| *outcome == "needs_human"), "{text}{found:?}");
    }
}

#[test]
fn the_score_of_a_match_is_no_move_though_one_of_its_numbers_is_legal() {
    for text in [
        "La mia squadra ha vinto 5171 a 3827.\n",
        "La mia squadra ha vinto 3827 a 5171.\n",
        "My team won 5171 to 3827.\n",
        "Meine Mannschaft hat 5171 zu 3827 gewonnen.\n",
        "Mon équipe a gagné 5171 à 3827.\n",
    ] {
        let found = body(text, &[sample(12)]);
        assert!(found.iter().all(|(_, outcome, _)| *outcome != "move"), "{text}{found:?}");
    }
}

#[test]
fn an_answer_to_an_offer_says_more_than_the_subject_that_asks_for_it() {
    let mut offered = sample(12);
    offered.draw_offer = Some(offered.me);
    let judged =
        |subject: &str, text: &str| judged(&mail("m7", subject, text), std::slice::from_ref(&offered)).remove(0).1;
    assert_eq!(judged("AW: EM/ZZ/042, Remis?", "Ich nehme das Remis gerne an.\n"), "draw_accept");
    assert_eq!(judged("Re: EM/ZZ/042, draw?", "I decline the draw.\n7. 5171\n"), "move");
    assert_eq!(judged("EM/ZZ/042: I resign", "7. 5171\n"), "needs_human");
}

#[test]
fn an_offer_that_the_rest_of_its_sentence_drowns_is_not_passed_over() {
    for text in [
        "7. 5171 i proponuję remis - gońce różnopolowe będą na pewno, a święta za pasem.\n",
        "gram 7. 5171 i proponuję remis - gońce różnopolowe będą na pewno, a święta za pasem.\n",
    ] {
        let found = body(text, &[sample(12)]);
        let is_heard = |(_, outcome, moves): &(String, &str, String)| {
            *outcome == "needs_human" || moves.ends_with("offers a draw")
        };
        assert!(found.iter().all(is_heard), "{text}{found:?}");
    }
}

#[test]
fn a_number_that_is_due_in_one_game_only_names_it() {
    let games = [sample(12), second()];
    assert_judged(&body("7. 5171\n", &games), &[("SAMPLE-1", "move", "5171")], "White's number in one game");
    assert_judged(&body("2... 2836\n", &games), &[("OTHER-2", "move", "2836")], "Black's number in the other");
    // two games with White, at 7 and at 5
    let behind = Game { id: "TWIN-3".parse().unwrap(), ..sample(8) };
    let games = [sample(12), behind.clone()];
    assert_judged(&body("7. 5171\n", &games), &[("SAMPLE-1", "move", "5171")], "two moves apart");
    let twins = [sample(12), twin()];
    let near = [sample(12), Game { moves: sample(10).moves, ..behind.clone() }];
    let offered = Game { conditionals: vec![vec!["6152".parse().unwrap(), "7866".parse().unwrap()]], ..behind };
    for (text, games, why) in [
        ("7. 5171\n", &twins, "due in both"),
        ("7. 6364\n", &games, "illegal where it is due"),
        ("9. 5171\n", &games, "due in neither"),
        ("7. 5171 and 5. 2133\n", &games, "a number for each"),
        ("7. 1213\n", &near, "playable a move earlier in the other game"),
        ("7. 5171\n", &[sample(12), offered], "a line of hers may have gone on there"),
    ] {
        let found = body(text, games);
        let accepted = found.iter().any(|(_, outcome, _)| *outcome == "move");
        assert!(!accepted, "{why}: {found:?}");
    }
}

#[test]
fn small_talk_is_asked_about_once_where_the_thread_tells_its_game() {
    let games = [sample(12), second()];
    let raw = mail_with("m7", MILA, "Hello", "References: <OTHER-2.root@example.net>\n", "Happy new year!\n");
    let found = judged(&raw, &games);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "OTHER-2");
}

#[test]
fn a_message_taken_in_before_leads_to_its_game() {
    let mut known = second();
    known.seen_message_ids.push("<m2@example.org>".to_owned());
    let raw = mail_with("m7", MILA, "my move", "References: <m2@example.org>\n", "2... 2836\n");
    assert_judged(&judged(&raw, &[sample(12), known]), &[("OTHER-2", "move", "2836")], "by the thread");
}

// Attached files -------------------------------------------------------------------------------------------------------

#[test]
fn an_attached_game_is_read_as_his_words_are() {
    let pgn = "[White \"Ostrander, Mila\"]\n[Black \"Quillfeather, Tobin\"]\n[Result \"*\"]\n\n";
    let attached = |text: &str, file: &str| {
        let header = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n";
        let name =
            "Content-Type: application/x-chess; name=game.pgn\nContent-Disposition: attachment; filename=game.pgn";
        let body = format!("--b\nContent-Type: text/plain\n\n{text}\n--b\n{name}\n\n{pgn}{file}\n--b--\n");
        let raw = mail_with("m7", MILA, "Our game", header, &body);
        let thread = Thread { game: sample(12), root_message_id: "<SAMPLE-1.root@example.net>".to_owned() };
        let at = "2004-10-30T18:22:05Z".parse().unwrap();
        decide(&raw, &me(), &Trust::default(), &[thread], at).unwrap().judgements.remove(0).verdict
    };
    let Verdict::Accepted(accepted) = attached("7. 5171", "7. O-O *") else { panic!() };
    assert!(!accepted.draw_offer);
    assert_eq!(attached("7. 5171", "7. Ng1 *").outcome(), "needs_human", "another move");
    assert_eq!(attached("7. 5171", "7. O-O\n{\nI resign.\n}\n*").outcome(), "needs_human");
    let Verdict::Accepted(accepted) = attached("7. 5171", "7. O-O\n{\nI offer a draw.\n}\n*") else { panic!() };
    assert!(accepted.draw_offer);
    let Verdict::Accepted(accepted) = attached("7. 5171", "7. O-O *\n\nReceived: 27.10.2004\nSent: 30.10.2004") else {
        panic!()
    };
    assert_eq!(accepted.stated.received, "2004-10-27".parse().ok());
}

// Games that are not kept -----------------------------------------------------------------------------------------------

#[test]
fn what_names_a_game_that_is_not_kept_goes_into_no_other() {
    let game = || vec![sample(12)];
    let answering = "In-Reply-To: <SAMPLE-1.root@example.net>\n";
    for (subject, more, text) in [
        ("Ostrander - Olsson", "", "7. 5171\n"),
        ("Ostrander - Olsson, move 7", answering, "7. 5171\n"),
        ("Re: Quillfeather vs. Lars Olsson", "", "7. 5171\n"),
        ("EM/24/999", "", "7. 5171\n"),
        ("Re: EM/24/999, move 7", answering, "7. 5171\n"),
        ("Our game", "", "I resign. This is for EM/24/999.\n"),
        ("EM/ZZ/042", "", "I resign. This is for EM/24/999.\n"),
        (
            "Our game",
            "",
            "Event: EM/24/999\nWhite: Mila Ostrander <mila.ostrander@example.org>\nBlack: Lars Olsson\n\n7. 5171\n",
        ),
        ("Our game", answering, "White: Mila Ostrander\nBlack: Lars Olsson <lars@example.com>\n\n7. 5171\n"),
        ("Our game", "", "[White \"Ostrander, Mila\"]\n[Black \"Olsson, Lars\"]\n\n7. 5171\n"),
        ("Our game", "", "[Black \"Olsson, Lars\"]\n\nI resign.\n"),
        ("Our game", "", "[White \"Quillfeather, Tobin\"]\n[Black \"Ostrander, Mila\"]\n\n7. 5171\n"),
        ("Our game", "", "Dear Lars,\n\n7. 5171\n"),
        ("Our game", "", "Lieber Lars!\n\n7. 5171\n"),
    ] {
        let found = judged(&mail_with("m7", MILA, subject, more, text), &game());
        assert_eq!(found.len(), 1, "{subject} {text}");
        assert_eq!(found[0].1, "needs_human", "{subject} {text}{found:?}");
    }
}

#[test]
fn the_names_of_this_game_however_they_are_written_hold_nothing() {
    let one = [("SAMPLE-1", "move", "5171")];
    let answering = "In-Reply-To: <SAMPLE-1.root@example.net>\n";
    for (subject, more, text) in [
        ("Ostrander - Quillfeather", "", "7. 5171\n"),
        ("Quillfeather, Tobin - Ostrander, Mila", "", "7. 5171\n"),
        ("Ostrander - Thanks for your move", "", "7. 5171\n"),
        ("em/zz/042 - Zug 7", "", "7. 5171\n"),
        ("EM/ZZ/42 R1, 7. move", "", "7. 5171\n"),
        ("EM/ZZ/042W", "", "7. 5171\n"),
        ("Our game", "", "Dear Tobin,\n\n7. 5171\n"),
        ("Our game", "", "Hi Toby,\n\n7. 5171\n"),
        ("Our game", "", "Dear Friend,\n\n7. 5171\n"),
        ("Our game", "", "Hello all,\n\n7. 5171\n"),
        ("Our game", answering, "Dear Lars,\n\n7. 5171\n"),
        ("EM/ZZ/042", "", "Dear Lars,\n\n7. 5171\n"),
        ("Our game", "", "White: M. Ostrander\nBlack: T. Quillfeather\n\n7. 5171\n"),
        ("Our game", "", "[White \"Ostrander, Mila\"]\n[Black \"NN\"]\n\n7. 5171\n"),
        ("Our game", "", "7. 5171\n\n> Event: EM/24/999\n> Dear Lars,\n"),
    ] {
        let found = judged(&mail_with("m7", MILA, subject, more, text), &[sample(12)]);
        assert_judged(&found, &one, &format!("{subject} {text}"));
    }
}

#[test]
fn of_two_games_with_one_number_the_subject_and_the_answered_mail_tell_which() {
    let twins = [sample(12), twin()];
    let raw = |subject: &str, answered: &str, text: &str| {
        mail_with("m7", MILA, subject, &format!("In-Reply-To: <{answered}.root@example.net>\n"), text)
    };
    let found = judged(&raw("Re: FRIEND-88", "TWIN-3", "7. 5171\n"), &twins);
    assert_judged(&found, &[("TWIN-3", "move", "5171")], "both tell of one game");
    let found = judged(&raw("TWIN-3", "TWIN-3", "7. 5171\n\nSAMPLE-1 is still on my desk.\n"), &twins);
    assert_judged(
        &found,
        &[("SAMPLE-1", "not_game_mail", ""), ("TWIN-3", "move", "5171")],
        "the other is only mentioned",
    );
    for (subject, answered, text) in [
        ("Re: FRIEND-88", "SAMPLE-1", "7. 5171\n"),
        ("TWIN-3", "TWIN-3", "In SAMPLE-1 I play 7. 5171\n"),
        ("TWIN-3", "TWIN-3", "SAMPLE-1\n7. 5171\n"),
    ] {
        let found = judged(&raw(subject, answered, text), &twins);
        assert!(found.iter().all(|(_, outcome, _)| *outcome != "move"), "{subject} {answered} {text}{found:?}");
    }
}

#[test]
fn games_whose_ids_differ_in_a_letter_are_told_by_it() {
    let named = |id: &str| Game { id: id.parse().unwrap(), ..sample(12) };
    let games = [named("T-77-A"), named("T-77-B")];
    let found = body("Game A: 7. 5171\nGame B: I resign, well played.\n", &games);
    assert_judged(&found, &[("T-77-A", "move", "5171"), ("T-77-B", "resignation", "")], "by letters");
    let others = [named("T-77-A"), named("OTHER-B")];
    let found = body("Game A: 7. 5171\nGame B: 7. 4445\n", &others);
    assert!(found.iter().all(|(_, outcome, _)| *outcome != "move"), "their letters are chance: {found:?}");
}

// What the player wrote himself ----------------------------------------------------------------------------------------

/// The judgement of a mail beside a letter of the player's in the sample game.
fn beside(letter: &str, text: &str) -> Verdict {
    let thread = Thread { game: sample(12), root_message_id: "<SAMPLE-1.root@example.net>".to_owned() };
    let mut letters = Letters::default();
    letters.add(&thread.game.id, &mail_with("mine", "tobin.q@example.net", "EM/ZZ/042", "", letter));
    let opened = Opened::of(&mail("m7", "Our game", text)).unwrap().beside(letters);
    let at = "2004-10-30T18:22:05Z".parse().unwrap();
    let threads = [thread];
    decide_opened(opened, &me(), &Trust::default(), &threads, at).judgements.remove(0).verdict
}

fn last_of_mine() -> String {
    sample(12).moves[11].numeric.to_string()
}

#[test]
fn the_players_own_words_are_not_the_opponents_whatever_stands_above_them() {
    let mine = format!(
        "Dear Mila,\n\n6... {}\nreceived 25.10.2004, sent 26.10.2004\n\nI offer a draw.\nIf 7. 4445, then 7... 5645.\n\n\
         No, I do not resign.\nTobin\n",
        last_of_mine()
    );
    for head in [
        "",
        "-----",
        "Your mail:",
        "Feladó: Tobin <tobin.q@example.net>\nElküldve: 2004. október 24.\nTárgy: EM/ZZ/042",
        "Lähettäjä: Tobin\nLähetetty: 24.10.2004\nAihe: EM/ZZ/042 <tobin.q@example.net>",
    ] {
        let verdict = beside(&mine, &format!("7. 5171\n\n{head}\n\n{mine}"));
        let Verdict::Accepted(accepted) = &verdict else { panic!("{head}: {}", verdict.reason()) };
        assert_eq!(accepted.numeric.to_string(), "5171", "{head}");
        assert!(!accepted.draw_offer && accepted.conditionals.is_empty(), "{head}");
        assert_eq!(accepted.stated, Stated::default(), "his own dates are none: {head}");
    }
    let Verdict::Accepted(accepted) = beside("I offer a draw.\n", "7. 5171\n\nI offer a draw.\n") else { panic!() };
    assert!(accepted.draw_offer, "one line alone is hers");
    // what she writes below is hers
    let Verdict::Accepted(accepted) = beside(&mine, &format!("{mine}\n7. 5171\n\nI offer a draw too.\n")) else {
        panic!()
    };
    assert_eq!((accepted.numeric.to_string().as_str(), accepted.draw_offer), ("5171", true));
}

#[test]
fn a_row_that_she_fills_in_on_the_players_own_table_is_hers() {
    let mut mine = sample(12);
    mine.plan = None;
    let letter = compose(&letters::transmission(&mine).unwrap()).unwrap();
    let rows: Vec<&str> = letter.lines().collect();
    let last = rows.iter().rposition(|row| row.trim_start().starts_with("6.")).unwrap();
    let filled: Vec<String> = rows
        .iter()
        .enumerate()
        .map(|(at, row)| if at == last { format!("{row}\n  7.  5171  27/10 30/10    3") } else { (*row).to_owned() })
        .collect();
    let verdict = beside(&letter, &filled.join("\n"));
    let Verdict::Accepted(accepted) = &verdict else { panic!("{}", verdict.reason()) };
    assert_eq!(accepted.numeric.to_string(), "5171");
    let stated = accepted.stated;
    assert_eq!((stated.received, stated.sent), ("2004-10-27".parse().ok(), "2004-10-30".parse().ok()));
}

// Old mails ------------------------------------------------------------------------------------------------------------

#[test]
fn a_move_without_a_number_in_a_mail_older_than_the_last_letter_is_no_new_one() {
    let at: DateTime<Utc> = "2004-10-30T18:22:05Z".parse().unwrap();
    let judged = |date: &str, text: &str| {
        let mut game = sample(12);
        game.moves[11].claimed.sent = "2004-10-26".parse().ok();
        let threads = [Thread { game, root_message_id: "<SAMPLE-1.root@example.net>".to_owned() }];
        let raw = String::from_utf8(mail("m7", "Our game", text)).unwrap();
        let raw = raw.replace("Sat, 30 Oct 2004 20:21:00", date);
        decide(raw.as_bytes(), &me(), &Trust::default(), &threads, at).unwrap().judgements.remove(0).verdict
    };
    assert_eq!(judged("Sat, 30 Oct 2004 20:21:00", "5171\n").outcome(), "move");
    assert_eq!(judged("Mon, 25 Oct 2004 20:21:00", "5171\n").outcome(), "needs_human");
    assert_eq!(judged("Mon, 25 Oct 2004 20:21:00", "7. 5171\n").outcome(), "move", "a number tells");
    let hers = sample(12).moves[10].numeric;
    assert_eq!(judged("Mon, 25 Oct 2004 20:21:00", &format!("{hers}\n")).outcome(), "duplicate");
}

// The games that are not loaded ----------------------------------------------------------------------------------------

#[test]
fn games_that_a_mail_cannot_be_about_make_no_difference_and_are_most_of_them() {
    let stranger = |number: usize| {
        let mut game = sample(number % 13);
        game.id = format!("FAR-{number:03}").parse().unwrap();
        game.event = format!("EM/FAR/{number}");
        game.white.name = format!("Faraway, Nobody{number}");
        game.white.emails = vec![format!("nobody{number}@example.com")];
        game
    };
    let mut games: Vec<Game> = (0..30).map(stranger).collect();
    games.insert(7, sample(12));
    games.insert(20, second());
    games[30].white.emails = vec!["tobin@example.com".to_owned()];
    let threads: Vec<Thread> = games
        .iter()
        .map(|game| Thread { game: game.clone(), root_message_id: format!("<{}.root@example.net>", game.id) })
        .collect();
    let at = "2004-10-30T18:22:05Z".parse().unwrap();
    for (from, subject, more, body, few) in [
        (MILA, "Our games", "", "SAMPLE-1\n7. 5171\n\nOTHER-2\n2... 2836\n", 2),
        (MILA, "Re: FAR-003", "", "7. 5171\n", 3),
        (MILA, "x", "In-Reply-To: <FAR-004.root@example.net>\n", "7. 5171\n", 3),
        ("\"Nobody5 Faraway\" <somebody@example.org>", "x", "", "7. 5171\n", 1),
        ("somebody@example.org", "EM/FAR/6", "", "7. 5171\n", 1),
        ("somebody@example.org", "Hello", "", "7. 5171\n", 0),
        ("nobody9@example.com", "EM/ZZ/042", "Auto-Submitted: auto-replied\n", "I am away.\n", 3),
        // of the player's own, and from an address that is an opponent's too
        ("tobin.q@example.net", "SAMPLE-1", "References: <OTHER-2.root@example.net>\n", "7. 5171\n", 0),
        ("tobin@example.com", "EM/ZZ/042", "", "7. 5171\n", 1),
    ] {
        let raw = mail_with("m7", from, subject, more, body);
        decided(&raw, &me(), &threads, at);
        let opened = Opened::of(&raw).unwrap();
        let player = me();
        let concerns = opened.concerns(&player);
        let concerned = threads.iter().filter(|thread| concerns(thread)).count();
        assert_eq!(concerned, few, "{from}, {subject}");
    }
}
