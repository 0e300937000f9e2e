use amici::domain::clock::ledger::Ledger;
use amici::domain::document::Document;
use amici::domain::judge::{frame, known_dates};
use amici::domain::transmission::compose::compose;
use amici::domain::transmission::read::{Line, Reading, read};
use amici::letters;

fn reading(text: &str) -> Reading {
    let mut game = Document::read(include_str!("../corpus/games/sample.json")).unwrap().remove(0);
    game.moves.truncate(12);
    let known = known_dates(&Ledger::of(&game).unwrap());
    let day = "2004-10-30".parse().unwrap();
    let frame = frame(&game, &known, Some(day), day);
    let lines: Vec<Line<'_>> = text.lines().enumerate().map(|(i, text)| Line { number: i + 1, text }).collect();
    read(&lines, &frame)
}

#[test]
fn scratch() {
    let mut game = Document::read(include_str!("../corpus/games/sample.json")).unwrap().remove(0);
    let base = compose(&letters::transmission(&game).unwrap());
    let plain = reading(&base);
    for s in [
        "You show 12 days for move 9, my record shows 13: received 3 May, sent 16\nMay. Please tell me if you see it otherwise.",
        "You show 12 days for move 4, my record shows 13: received 3 October 2004, sent 16 October 2004. Please tell me if you see it otherwise.",
        "You show 12 days for move 4, my record shows 13: received 3 October\n2004, sent 16 October 2004. Please tell me if you see it otherwise.",
        "For move 6 you show 2 days, total 31; my record shows 2 days, total 30.\nPlease tell me if you see it otherwise.",
        "For my move 6 you show sent 27 October 2004, 3 days, total 31;\nmy record shows sent 26 October 2004, 2 days, total 30.\nPlease tell me if you see it otherwise.",
        "Your mail gave no dates: I took it as sent 30 October 2004 (its Date)\nand received 26 October 2004.",
        "Your mail does not say when you received my move: I took 26 October 2004,\nthe day I sent it.",
        "Your mail says sent 29 October 2004, its Date is 30 October 2004.\nPlease tell me which day counts.",
        "You booked my mail of 26 October 2004 as received on 28 October 2004; by the\nrules it counts as received on 27 October 2004 at the latest.\nPlease tell me if you see it otherwise.",
    ] {
        let with = reading(&format!("{base}\n{s}\n"));
        println!("---- {s}");
        if with.claims != plain.claims {
            println!("CLAIMS {:?}", with.claims.iter().zip(&plain.claims).filter(|(a, b)| a != b).collect::<Vec<_>>());
            println!("{} {}", with.claims.len(), plain.claims.len());
        }
        if with.loose != plain.loose {
            println!("LOOSE {:?}", with.loose);
        }
        if with.labelled != plain.labelled {
            println!("LABELLED {:?} {:?}", with.labelled, plain.labelled);
        }
        if with.dates_left_open != plain.dates_left_open {
            println!("OPEN");
        }
        if with.doubts != plain.doubts {
            println!("DOUBTS {:?}", with.doubts);
        }
        if with.events != plain.events {
            println!("EVENTS {:?}", with.events);
        }
        if with.reader_sent != plain.reader_sent || with.reader_total != plain.reader_total {
            println!("READER {:?} {:?}", with.reader_sent, with.reader_total);
        }
        let all = Reading { claims: plain.claims.clone(), labelled: plain.labelled, ..with.clone() };
        if all != plain {
            println!("OTHER {:?} {:?}", with.unread, plain.unread);
        }
        let _ = &mut game;
    }
}
