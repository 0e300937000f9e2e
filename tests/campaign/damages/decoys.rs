//! Digits that are no moves of this game, although they would be legal.

use super::{Case, Damage, Meant};
use crate::letter::File;
use crate::words::fill;

pub(super) const ALL: &[Damage] = &[
    Damage { name: "decoy numbers", change: decoy },
    Damage { name: "decoy signature", change: signature },
    Damage { name: "decoys alone", change: decoys_alone },
    Damage { name: "other game below", change: |c| other_game(c, false) },
    Damage { name: "other game above", change: |c| other_game(c, true) },
    Damage { name: "other game alone", change: other_game_alone },
    Damage { name: "other game attached", change: other_game_attached },
    Damage { name: "forwarded below", change: forwarded_below },
    Damage { name: "forwarded alone", change: forwarded_alone },
    Damage { name: "stale subject", change: stale_subject },
    Damage { name: "another move in the subject", change: other_subject },
    Damage { name: "another sender", change: another_sender },
    Damage { name: "another address to reply to", change: reply_to },
    Damage { name: "own copy", change: own_copy },
    Damage { name: "reply to an older mail", change: older_reply },
];

const LINES: &[&str] = &[
    "Tel. +46 8 {} {}",
    "My phone number has changed: {}-{}.",
    "My rating went from {} to {}.",
    "My ICCF rating is now {}.",
    "Elo {} against {}: you are the favourite.",
    "(Quillfeather, {})",
    "In 1726 and {} they played this, too.",
    "Tobin Quillfeather, {} Dragor",
    "Storgatan 12, {} Lund, Sweden",
    "P.O. Box {}, {} Bergen",
    "I write this at 17:15, the train leaves at 21:13.",
    "It is {} h and I am tired.",
    "Our club meets on 11.12. and 12.11. at the old place.",
    "I am away 12.-14. and again 21-23.",
    "version 1.7.1.5, build {}",
    "Order no. {} has been shipped.",
    "Room {}, extension {}",
    "We had 35-42 guests last night.",
    "My sister lives in flat {}.",
    "ICCF member {}",
    "The temperature was 21-24 degrees.",
    "Meine Faxnummer ist {}.",
    "J'habite maintenant au {} rue Victor Hugo.",
    "Mi código postal es {}.",
    "Мой рейтинг {}.",
    "Mein Rating ist {}.",
    "Mon classement est {}.",
    "Mi Elo es {}.",
    "O meu rating é {}.",
    "Mijn rating is {}.",
    "Mitt ratingtal är {}.",
    "Mit ratingtal er {}.",
    "Minun vahvuuslukuni on {}.",
    "Mój ranking to {}.",
    "Můj rating je {}.",
    "Az Élő-pontom {}.",
    "私のレーティングは {} です。",
    "I play in group {} now.",
    "Ich spiele in Gruppe {}.",
    "Je joue dans le groupe {}.",
    "La mia squadra ha vinto 5254 a {}.",
];

/// A line with legal moves for its marks.
fn line(case: &mut Case<'_>) -> Option<String> {
    let pattern = *case.dice.pick(LINES);
    let numbers = [case.another()?.to_string(), case.another()?.to_string()];
    Some(fill(pattern, &[&numbers[0], &numbers[1]]))
}

fn decoy(case: &mut Case<'_>) -> Option<Meant> {
    let line = line(case)?;
    case.add(&line)?;
    Some(Meant::New)
}

fn signature(case: &mut Case<'_>) -> Option<Meant> {
    let lines = [line(case)?, line(case)?];
    case.edit(|text| Some(format!("{text}\n-- \nMila Ostrander\n{}\n{}\n", lines[0], lines[1])))?;
    Some(Meant::New)
}

fn decoys_alone(case: &mut Case<'_>) -> Option<Meant> {
    let lines = [line(case)?, line(case)?];
    case.between_greetings(&lines.join("\n"));
    Some(Meant::Nothing)
}

/// The mail of another game of theirs, which is not on record.
fn of_other(case: &Case<'_>) -> Option<String> {
    let other = &case.situation.other;
    let known = &case.situation.plies;
    let differs = other.iter().zip(&known[..known.len() - 1]).any(|(a, b)| a.numeric != b.numeric);
    (differs && case.layout.whole).then(|| case.write(other)).flatten()?.text
}

fn other_game(case: &mut Case<'_>, above: bool) -> Option<Meant> {
    let other = of_other(case)?;
    case.edit(|text| {
        Some(match above {
            true => format!("Our game EM/ZZ/077:\n\n{other}\nOur game EM/ZZ/042:\n\n{text}"),
            false => format!("Our game EM/ZZ/042:\n\n{text}\nOur game EM/ZZ/077:\n\n{other}"),
        })
    })?;
    Some(Meant::Unsure)
}

fn other_game_alone(case: &mut Case<'_>) -> Option<Meant> {
    let other = of_other(case)?;
    case.letter.text = Some(other);
    case.letter.html = None;
    case.letter.files.clear();
    Some(Meant::Nothing)
}

fn other_game_attached(case: &mut Case<'_>) -> Option<Meant> {
    let score: Vec<String> = case.situation.other.iter().map(|p| format!("{} {}", p.number, p.san)).collect();
    let text =
        format!("[Event \"EM/ZZ/077\"]\n[White \"X\"]\n[Black \"Y\"]\n[Result \"*\"]\n\n{} *\n", score.join(" "));
    case.letter.files.push(File { name: "game.pgn", kind: "application/x-chess-pgn", text });
    Some(Meant::Unsure)
}

/// The head of a forwarded mail and a move of another player in it.
fn forwarded(case: &mut Case<'_>) -> Option<String> {
    let other = case.another()?;
    let (number, head) = (case.new_ply().number, *case.dice.pick(HEADS));
    let sentence = fill(case.style.words.plays[0], &[&format!("{number} {other}")]);
    Some(format!("{head}\n\n{sentence}\n\nPetrov\n"))
}

const HEADS: &[&str] = &[
    "---------- Forwarded message ----------\nFrom: Ivan Petrov <ivan@example.com>\nDate: Mon, 3 Nov 2003\nSubject: EM/ZZ/055\nTo: Mila",
    "-----Original Message-----\nFrom: Ivan Petrov [mailto:ivan@example.com]\nSent: Monday, November 3, 2003 8:14 PM\nTo: Mila\nSubject: EM/ZZ/055",
    "-------- Weitergeleitete Nachricht --------\nVon: Ivan Petrov <ivan@example.com>\nDatum: Mo, 3. Nov 2003\nBetreff: EM/ZZ/055",
    "Begin forwarded message:\n\nFrom: Ivan Petrov <ivan@example.com>\nDate: November 3, 2003\nSubject: EM/ZZ/055",
];

fn forwarded_below(case: &mut Case<'_>) -> Option<Meant> {
    let mail = forwarded(case)?;
    case.edit(|text| Some(format!("{text}\n{mail}")))?;
    Some(Meant::New)
}

fn forwarded_alone(case: &mut Case<'_>) -> Option<Meant> {
    let mail = forwarded(case)?;
    let line = *case.dice.pick(&["", "Look what Petrov sent me:", "Sehen Sie, was Petrow schreibt:"]);
    case.between_greetings("");
    case.letter.text = Some(format!("{line}\n\n{mail}"));
    Some(Meant::Nothing)
}

/// The subject still has an earlier move of his.
fn stale_subject(case: &mut Case<'_>) -> Option<Meant> {
    let at = case.situation.plies.len().checked_sub(3)?;
    let ply = &case.situation.plies[at];
    let subject = format!("Re: EM/ZZ/042: {} {}", ply.number, ply.numeric);
    let told = case.letter.text.is_some() && case.letter.subject == "EM/ZZ/042";
    case.letter.subject = subject;
    told.then_some(Meant::New)
}

fn other_subject(case: &mut Case<'_>) -> Option<Meant> {
    let (other, number) = (case.another()?, case.new_ply().number);
    case.letter.subject = format!("EM/ZZ/042: {number} {other}");
    // where only the subject gave it, this is his move
    (case.layout.name != "subject only").then_some(Meant::Nothing)
}

fn another_sender(case: &mut Case<'_>) -> Option<Meant> {
    case.letter.from = (*case.dice.pick(&[
        "Mila Ostrander <mila.ostrander@example.com>",
        "\"mila.ostrander@example.org\" <ivan@example.com>",
        "\"Mila Ostrander <mila.ostrander@example.org>\" <ivan@example.com>",
        "mila.ostrander@example.org.example.com",
        "Mila Ostrander <mila.ostrander@ex\u{430}mple.org>",
        "mila.ostrander+chess@example.org",
        "ivan@example.com, mila.ostrander@example.org",
        "mila.ostrander@example.org, ivan@example.com",
        "Mila Ostrander",
        "<>",
        "(mila.ostrander@example.org) ivan@example.com",
        "=?utf-8?Q?Mila_=3Cmila=2Eostrander=40example=2Eorg=3E?= <ivan@example.com>",
    ]))
    .to_owned();
    Some(Meant::Nothing)
}

fn reply_to(case: &mut Case<'_>) -> Option<Meant> {
    case.letter.reply_to = Some("ivan@example.com".to_owned());
    Some(Meant::Unsure)
}

fn own_copy(case: &mut Case<'_>) -> Option<Meant> {
    case.letter.from = "Tobin Quillfeather <tobin.q@example.net>".to_owned();
    case.letter.to = "mila.ostrander@example.org".to_owned();
    Some(Meant::Nothing)
}

fn older_reply(case: &mut Case<'_>) -> Option<Meant> {
    case.letter.in_reply_to = Some("<SAMPLE-1.3.old@example.net>".to_owned());
    Some(Meant::New)
}
