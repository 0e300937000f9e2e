//! Lines that speak of draws and resignation, in many languages, by an author who had not seen the reader: `tests/corpus/lines/results.tsv`.
//!
//! What is neither an offer nor a resignation stands below the move of an accepted mail and must not become one; what is one must be told or
//! asked about, and nothing else. `AMICI_LINES_SHOW=1` prints what was asked.

use std::collections::BTreeMap;
use std::env;

use amici::domain::judge::{Reason, Verdict};

use super::lines::{Accepted, accepted};
use crate::which::decided;

/// Mails for each line.
const MAILS: usize = 4;

/// How a line was taken.
#[derive(Debug, PartialEq)]
enum Taken {
    Right,
    Asked(String),
    Wrong(String),
}

/// Whether the line is the whole mail, and an offer of the player's stands.
fn is_alone(what: &str) -> bool {
    matches!(what, "resign" | "accept" | "none_accept")
}

fn judged(what: &str, mail: &Accepted, text: &str) -> Taken {
    let alone = is_alone(what);
    let lines = if alone { vec![text.to_owned()] } else { mail.with(text, "apart").unwrap() };
    let mut threads = mail.threads.clone();
    for thread in threads.iter_mut().filter(|_| alone) {
        thread.game.draw_offer = Some(thread.game.me);
    }
    let decision = decided(&mail.mail(&lines), &mail.me, &threads, mail.at);
    let verdict = decision.judgements.first().map(|judgement| &judgement.verdict);
    let told = match verdict {
        Some(Verdict::Accepted(accepted)) if accepted.draw_offer => "draw_offer",
        Some(Verdict::Accepted(_)) => "none",
        Some(Verdict::Resignation(_)) => "resign",
        Some(Verdict::DrawAccepted(_)) => "accept",
        Some(other) => return Taken::Asked(other.reason()),
        None => return Taken::Asked("nothing".to_owned()),
    };
    let expected = what.split('_').next().filter(|first| *first == "none").unwrap_or(what);
    if told == expected { Taken::Right } else { Taken::Wrong(format!("{told} of {}", mail.name)) }
}

/// Whether a mail gives no move without its text.
fn is_silent(mail: &Accepted) -> bool {
    let lines = ["Hello!".to_owned()];
    let decision = decided(&mail.mail(&lines), &mail.me, &mail.threads, mail.at);
    let verdict = decision.judgements.first().map(|judgement| &judgement.verdict);
    matches!(verdict, Some(Verdict::Held { reason: Reason::NoMove, .. }))
}

#[test]
fn draws_and_resignations_are_told_from_what_only_sounds_so() {
    let mails = accepted();
    // nothing but the line may give a move
    let silent: Vec<&Accepted> = mails.iter().filter(|mail| is_silent(mail)).collect();
    // in a mail of its language, or an English one
    let of = |language: &str| -> Vec<&Accepted> {
        mails
            .iter()
            .filter(|mail| [language, "en"].iter().any(|code| mail.name.contains(&format!("_{code}_"))))
            .collect()
    };
    let table = include_str!("../../corpus/lines/results.tsv");
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (at, row) in table.lines().enumerate() {
        let cells: Vec<&str> = row.split('\t').collect();
        let [language, what, text] = cells.as_slice() else { panic!("{row}") };
        let like = of(language);
        for index in 0..MAILS {
            let alone = is_alone(what);
            let place = at * 7 + index * 13;
            let mail = if alone { silent[place % silent.len()] } else { like[place % like.len()] };
            let count = counts.entry(what).or_default();
            count.1 += 1;
            match judged(what, mail, text) {
                Taken::Right => count.0 += 1,
                Taken::Asked(why) if env::var_os("AMICI_LINES_SHOW").is_some() => {
                    println!("{language} {what}: {text} -- {why}")
                }
                Taken::Asked(_) => {}
                Taken::Wrong(why) => wrong.push(format!("{language} {what}: {text} -- {why}")),
            }
        }
    }
    for (what, (right, all)) in &counts {
        println!("    {what:12} {right:6} of {all:6} as meant, the others asked");
    }
    assert!(counts.values().map(|(_, all)| all).sum::<usize>() >= 90 * MAILS);
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), wrong.len());
}
