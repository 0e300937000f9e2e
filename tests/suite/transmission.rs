//! What is composed is read back; what other hands write is read the same.

use amici::domain::document::Document;
use amici::domain::game::{Game, MoveNumber, Side, Stated};
use amici::domain::notation::NumericMove;
use amici::domain::transmission::compose::COLUMNS;
use amici::domain::transmission::read::{Frame, Line, read};
use amici::domain::transmission::{Correspondent, Half, Transmission};
use amici::letters::compose;
use chrono::{Days, NaiveDate};
use proptest::prelude::*;
use shakmaty::{Chess, Position};

fn read_text(text: &str) -> Transmission {
    let lines: Vec<Line<'_>> = text.lines().enumerate().map(|(i, text)| Line { number: i + 1, text }).collect();
    read(&lines, &Frame::default()).transmission()
}

fn sample() -> Game {
    Document::read(include_str!("../corpus/games/sample.json")).unwrap().remove(0)
}

fn transmission_of(game: &Game) -> Transmission {
    let correspondent = |side| {
        let player = game.player(side);
        Some(Correspondent { name: player.name.clone(), address: player.emails[0].clone() })
    };
    Transmission {
        event: Some(game.event.clone()),
        start_date: game.start_date,
        control: Some("10 moves / 60 days".to_owned()),
        white: correspondent(Side::White),
        black: correspondent(Side::Black),
        halves: game
            .moves
            .iter()
            .enumerate()
            .map(|(i, m)| Half { number: game.number_of(i), numeric: m.numeric, stated: m.claimed })
            .collect(),
        draw_offer: false,
        conditionals: Vec::new(),
    }
}

#[test]
fn the_sample_game_is_written_as_the_table_of_the_rules() {
    insta::assert_snapshot!(compose(&transmission_of(&sample())).unwrap());
}

#[test]
fn every_layout_of_the_sample_game_reads_as_the_same_game() {
    let expected = transmission_of(&sample());
    let layouts = include_str!("../corpus/layouts.txt");
    for layout in layouts.split("=== ").filter(|l| !l.trim().is_empty()) {
        let (name, text) = layout.split_once('\n').unwrap();
        let start = expected.start_date;
        let lines: Vec<Line<'_>> = text.lines().enumerate().map(|(i, text)| Line { number: i + 1, text }).collect();
        let read = read(&lines, &Frame { start, ..Frame::default() }).transmission();
        let moves = |t: &Transmission| {
            t.halves.iter().map(|h| format!("{} {}", h.number, h.numeric)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(moves(&read), moves(&expected), "{name}");
        for (mine, his) in expected.halves.iter().zip(&read.halves) {
            let keeps = |a: Option<NaiveDate>, b: Option<NaiveDate>| b.is_none() || a == b;
            assert!(keeps(mine.stated.received, his.stated.received), "{name}: {his:?}");
            assert!(keeps(mine.stated.sent, his.stated.sent), "{name}: {his:?}");
            let full = !name.contains("no dates");
            assert!(!full || his.stated.sent == mine.stated.sent, "{name}: {his:?}");
            let days = !name.contains("no days");
            assert!(
                !days || (his.stated.days, his.stated.total) == (mine.stated.days, mine.stated.total),
                "{name}: {his:?}"
            );
        }
    }
}

/// A random legal game of `choices.len()` plies at most.
fn play(choices: &[usize]) -> Vec<NumericMove> {
    let mut position = Chess::default();
    let mut moves = Vec::new();
    for choice in choices {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let m = legal[choice % legal.len()];
        moves.push(NumericMove::of(&m));
        position.play_unchecked(m);
    }
    moves
}

prop_compose! {
    fn stated()(gap in 0_u64..40, wide in prop::bool::weighted(0.02), missing in 0_u8..12, days in 0_u32..400, before in 0_u32..600)
        -> (u64, u8, u32, u32) {
        // a total has the days of its move in it
        (if wide { gap * 40 } else { gap }, missing, days, before + days)
    }
}

prop_compose! {
    fn any_transmission()(
        choices in prop::collection::vec(0_usize..500, 1..120),
        stated in prop::collection::vec(stated(), 120),
        start in prop::option::of(0_u64..9000),
        draw_offer: bool,
        event in "[A-Z]{2}/[A-Z0-9]{1,5}/[0-9]{1,4}",
    ) -> Transmission {
        let epoch = NaiveDate::from_ymd_opt(1998, 1, 1).unwrap();
        let start_date = start.map(|d| epoch + Days::new(d));
        let mut day = start_date.unwrap_or(epoch);
        let halves = play(&choices).into_iter().zip(stated).enumerate().map(|(i, (numeric, (gap, missing, days, total)))| {
            let received = day;
            day = day + Days::new(gap);
            let stated = Stated {
                received: (missing != 1).then_some(received),
                sent: (missing != 2).then_some(day),
                days: (missing != 3).then_some(days),
                total: (missing != 4).then_some(total),
            };
            Half { number: MoveNumber { number: 1, side: Side::White }.plus(i), numeric, stated }
        }).collect();
        let correspondent = |name: &str, address: &str| Some(Correspondent { name: name.into(), address: address.into() });
        Transmission {
            event: Some(event), start_date, control: Some("10 moves / 60 days".into()),
            white: correspondent("Ostrander, Mila", "mila.ostrander@example.org"),
            black: correspondent("Quillfeather, Tobin", "tobin.q@example.net"),
            halves, draw_offer, conditionals: Vec::new(),
        }
    }
}

proptest! {
    #[test]
    fn what_is_composed_is_read_back_unchanged(said in any_transmission()) {
        let text = compose(&said).unwrap();
        let mut read = read_text(&text);
        if said.start_date.is_none() {
            read.control = said.control.clone();
        }
        for (written, read) in said.halves.iter().zip(&read.halves) {
            prop_assert_eq!(read, written, "{}", text);
        }
        prop_assert_eq!(read, said, "{}", text);
    }

    #[test]
    fn every_composed_line_is_narrow_plain_ascii(said in any_transmission()) {
        for line in compose(&said).unwrap().lines() {
            prop_assert!(line.is_ascii() && !line.ends_with(' ') && !line.contains('\t'), "{:?}", line);
            let full_dates = line.matches(".20").count() + line.matches(".19").count();
            prop_assert!(line.len() <= if full_dates > 1 { COLUMNS + 10 } else { COLUMNS }, "{:?}", line);
        }
    }

    #[test]
    fn no_text_breaks_the_reader(text in "\\PC{0,300}") {
        read_text(&text);
    }

    #[test]
    fn no_score_like_text_breaks_the_reader(text in "[0-9./ |:;\\-\n\t…a-hKQRNBOxif]{0,300}") {
        read_text(&text);
    }
}
