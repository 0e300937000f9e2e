//! Scores in texts, and the games that are proposed for them.

use super::*;
use crate::domain::clock::rules::Wanted;
use crate::domain::document::tests::sample_game;
use crate::domain::game::{GameId, Player, Side};

fn lines(text: &str) -> Vec<Line<'_>> {
    text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect()
}

fn read_score(text: &str) -> Result<Score, ScoreError> {
    score(&lines(text), Dates::default(), &[])
}

fn moves(score: &Score) -> String {
    score.plies.iter().map(|ply| ply.numeric.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_same_game_twice_in_a_text_is_one_score() {
    let found = read_score("1. 5254 5755\n2. 7163 2836\n\n1. e4 e5 2. Nf3 Nc6").unwrap();
    assert_eq!((moves(&found), found.notation), ("5254 5755 7163 2836".to_owned(), None));
}

#[test]
fn notations_are_named_by_what_the_score_needs() {
    for (text, notation) in [
        ("1. 5254 5755", None),
        ("1. e2-e4 e7-e5 2. g1-f3", Some("coordinate")),
        ("1. e4 e5 2. Nf3", Some("san")),
        ("1. e4 e5 2. Sf3", Some("san-de")),
        ("1. e4 e5 2. Cf3", Some("san-fr")),
    ] {
        assert_eq!(read_score(text).unwrap().notation.as_deref(), notation, "{text}");
    }
}

#[test]
fn a_score_that_two_languages_play_differently_is_asked_about() {
    let text = "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Fa4 Cf6 5. O-O Fe7 6. Te1 b5 7. Fb3 d6 8. c3 O-O";
    assert_eq!(read_score(text).map(|s| s.notation), Ok(Some("san-fr".to_owned())));
    // V is the queen in Hungarian and the rook in Czech
    let fen = "[FEN \"4k3/8/8/8/8/7R/8/3QK3 w - - 0 1\"]\n1. Vd3";
    assert!(matches!(read_score(fen), Err(ScoreError::Languages { .. })), "{:?}", read_score(fen));
    let hungarian = Language::agreed(&["san-hu".to_owned()]);
    assert_eq!(moves(&score(&lines(fen), Dates::default(), &hungarian).unwrap()), "4143");
}

#[test]
fn a_result_behind_the_moves_ends_the_game() {
    let score = "1. e4 e5 2. Nf3 Nc6 3. Bb5";
    for text in [format!("{score} 1-0"), format!("{score} a6 1/2-1/2."), format!("{score}\n0-1")] {
        assert!(matches!(read_score(&text), Err(ScoreError::Over(_))), "{text}");
    }
    for text in [format!("{score} *"), format!("{score}\n\nScore so far 1-0")] {
        assert_eq!(read_score(&text).map(|score| score.plies.len()), Ok(5), "{text}");
    }
}

#[test]
fn remarks_in_sentences_and_conditions_do_not_belong_to_the_score() {
    let found = read_score("1. 5254 5755\n2. 7163\n\nIf 2... 2836 then 3. 6125, I think.").unwrap();
    assert_eq!(moves(&found), "5254 5755 7163");
    assert!(found.left_out.iter().any(|(line, text)| *line == 4 && text == "2836"), "{:?}", found.left_out);
}

#[test]
fn a_part_of_a_score_is_compared_ply_by_ply() {
    let found = read_score("1. 5254 5755\n2. 7163 2836\n3. 6125").unwrap();
    assert_eq!(differences(&found, &lines("2. Nf3 Nc6")), Vec::<String>::new());
    let other = differences(&found, &lines("2. 7163 7866"));
    assert_eq!(other, ["line 1: it has 2... 7866, the newest score has 2836 there"]);
    assert!(
        repeats(&found, &lines("2. Nf3")) && !repeats(&found, &lines("2. Nc3")) && !repeats(&found, &lines("Hello!"))
    );
    assert_eq!(contradictions(&found, &lines("2. 7163 2836\n4. 2514")), Vec::<String>::new(), "it goes on");
    assert_eq!(contradictions(&found, &lines("2. 7163 7866\n4. 2514")).len(), 1);
    assert_eq!(differences(&found, &lines("4. 2514"))[0], "line 1: it has 4. 2514, the newest score has nothing there");
}

#[test]
fn dates_that_two_places_state_differently_stay_blank() {
    let found = read_score(
        "1. 5254 01.03.2004 02.03.2004 1 1 5755 03.03.2004 04.03.2004 1 1\n1. 5254 01.03.2004 03.03.2004 1 1",
    );
    let found = found.unwrap();
    assert_eq!((found.plies[0].stated.sent, found.plies[0].stated.days), (None, Some(1)));
    assert_eq!(found.plies[1].stated.sent, NaiveDate::from_ymd_opt(2004, 3, 4));
}

fn request(me: &str, opponent: &str) -> Request {
    let player =
        |name: &str| Player { name: name.into(), emails: vec![format!("{}@example.org", name_words(name).concat())] };
    Request {
        me: player(me),
        opponent: player(opponent),
        writer: Writer::Opponent,
        subject: String::new(),
        side: None,
        id: None,
        event: None,
        rules: Wanted::default(),
        notations: Vec::new(),
        start: None,
        day: NaiveDate::from_ymd_opt(2004, 10, 30).unwrap(),
    }
}

#[test]
fn the_side_follows_from_either_name_and_never_from_contradicting_ones() {
    let named =
        |white: &str, black: &str| read_score(&format!("White: {white}\nBlack: {black}\n1. 5254 5755")).unwrap();
    let side = |score: &Score, me, him| propose(score, &request(me, him), &[]).map(|p| (p.game.me, p.why));
    let score = named("Ada Lang", "Bo Ek");
    assert_eq!(side(&score, "Lang, Ada", ""), Ok((Side::White, Why::Named)));
    assert_eq!(side(&score, "Somebody Else", "Bo Ék"), Ok((Side::White, Why::Named)));
    assert_eq!(side(&score, "Bo Ek", "Ada Lang"), Ok((Side::Black, Why::Named)));
    assert!(matches!(side(&score, "Ada Lang", "Ada Lang"), Err(Missing::Side(_))));
    assert!(matches!(side(&score, "Somebody", "Nobody"), Err(Missing::Side(_))));
    assert!(matches!(side(&named("Jo Ek", "Bo Ek"), "Mr Ek", ""), Err(Missing::Side(_))));
    assert_eq!(side(&read_score("1. 5254 5755").unwrap(), "Ada", "Bo"), Err(Missing::Names));
}

#[test]
fn a_side_that_the_player_says_is_taken_and_the_names_against_it_are_told() {
    let score = read_score("White: Ada Lang\nBlack: Bo Ek\n1. 5254 5755").unwrap();
    let said = |side| propose(&score, &Request { side: Some(side), ..request("Ada Lang", "Bo Ek") }, &[]).unwrap();
    assert_eq!((said(Side::White).why, said(Side::White).unused), (Why::Said, Vec::new()));
    assert_eq!(said(Side::Black).unused, ["by the names in the score you would have White"]);
}

#[test]
fn dates_in_words_belong_to_the_last_move_of_the_players_own_mail() {
    let score =
        read_score("White: Ada Lang\nBlack: Bo Ek\n1. 5254 5755\n\nReceived 03.03.2004, sent 05.03.2004").unwrap();
    let last = |request: &Request| propose(&score, request, &[]).unwrap().game.moves[1].claimed;
    let own = last(&Request { writer: Writer::Me, ..request("Bo Ek", "Ada Lang") });
    assert_eq!((own.received, own.sent), (NaiveDate::from_ymd_opt(2004, 3, 3), NaiveDate::from_ymd_opt(2004, 3, 5)));
    assert_eq!(last(&request("Bo Ek", "Ada Lang")), Stated::default());
}

#[test]
fn an_answer_before_its_receipt_is_told_and_not_taken() {
    let found =
        read_score("White: Ada\nBlack: Bo\n1. 5254 03.03.2004 02.03.2004 1 1 5755 03.03.2004 04.03.2004 1 1").unwrap();
    let proposal = propose(&found, &request("Ada", "Bo"), &[]).unwrap();
    let claimed = proposal.game.moves[0].claimed;
    assert_eq!((claimed.received, claimed.sent), (None, None), "{claimed:?}");
}

#[test]
fn names_of_games_are_made_of_event_and_family_name_and_are_free() {
    let id = |event, name, taken: &[&str]| {
        let taken: Vec<GameId> = taken.iter().map(|t| t.parse().unwrap()).collect();
        game_id(event, name, &taken).to_string()
    };
    assert_eq!(id("EM-1037", "Nora Petersen", &[]), "EM-1037-PET");
    assert_eq!(id("EM/2024/17", "Öberg, Åke", &["EM-2024-17-OBE"]), "EM-2024-17-OBE-2");
    assert_eq!(id("", "Nora Petersen", &[]), "GAME-PET");
    assert_eq!(id("", "x@example.org", &[]), "GAME-X");
    assert_eq!(id("", "", &["GAME", "GAME-2"]), "GAME-3");
    assert!(id(&"long name ".repeat(20), "Nora", &[]).len() <= 40);
}

#[test]
fn what_is_not_stated_is_listed_shortly() {
    let mut game = sample_game();
    assert_eq!(not_stated(&game), Vec::<String>::new());
    game.event.clear();
    game.start_date = None;
    game.moves[4].claimed = Stated::default();
    let open = not_stated(&game);
    assert_eq!(open.len(), 3, "{open:?}");
    assert!(open[2].ends_with("of 3."), "{open:?}");
    game.moves.iter_mut().for_each(|m| m.claimed = Stated::default());
    assert!(not_stated(&game)[2].contains("13 moves between 1. and 7."), "{:?}", not_stated(&game));
}

#[test]
fn a_total_that_is_off_is_told_once() {
    let mut game = sample_game();
    assert_eq!(misfits(&game).unwrap(), Vec::<String>::new());
    for ply in [5, 7, 9, 11] {
        game.moves[ply].claimed.total = game.moves[ply].claimed.total.map(|total| total + 1);
    }
    let told = misfits(&game).unwrap();
    assert_eq!(told, ["3... 6877: a total of 7 is stated, the dates make 6"]);
}
