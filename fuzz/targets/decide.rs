//! Bytes as a mail to one of the games of the corpus; the first byte says which. Whatever they are, what is accepted is legal,
//! goes on where the record ends, and comes from the opponent; and the same bytes mean the same again.
#![no_main]

use std::sync::OnceLock;

use amici::config::{Config, Me};
use amici::domain::document::Document;
use amici::domain::game::MoveRecord;
use amici::domain::judge::Verdict;
use amici::intake::decide::{Decision, Trust, decide};
use amici::intake::which::Thread;
use chrono::{DateTime, Utc};
use libfuzzer_sys::fuzz_target;
use serde::Deserialize;

#[derive(Deserialize)]
struct Entry {
    at: DateTime<Utc>,
    games: Vec<serde_json::Value>,
}

/// Games on record, whose they are, and when the mail comes.
struct Situation {
    me: Me,
    threads: Vec<Thread>,
    at: DateTime<Utc>,
}

impl Situation {
    fn of(games: &[serde_json::Value], at: DateTime<Utc>) -> Situation {
        let document = serde_json::json!({ "schema": 1, "games": games });
        let games = Document::read(&document.to_string()).unwrap();
        let myself = games[0].myself();
        let config =
            format!("[me]\nname = {:?}\nemails = {:?}\ntimezone = \"Europe/Stockholm\"\n", myself.name, myself.emails);
        let thread = |game| Thread { game, root_message_id: "<root@root.example.org>".to_owned() };
        Situation { me: Config::parse(&config).unwrap().me, threads: games.into_iter().map(thread).collect(), at }
    }
}

fn situations() -> &'static [Situation] {
    static ALL: OnceLock<Vec<Situation>> = OnceLock::new();
    ALL.get_or_init(|| {
        let catalogue = include_str!("../../tests/corpus/catalogue/expected.jsonl");
        let entries = catalogue.lines().map(|line| serde_json::from_str::<Entry>(line).unwrap());
        let document: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/corpus/games/situations.json")).unwrap();
        let at = "2004-10-26T16:04:11Z".parse().unwrap();
        let single = document["games"].as_array().unwrap().iter();
        entries
            .map(|entry| Situation::of(&entry.games, entry.at))
            .chain(single.map(|game| Situation::of(std::slice::from_ref(game), at)))
            .collect()
    })
}

fn check(decision: &Decision<'_>) {
    assert!(!decision.judgements.is_empty());
    for judgement in &decision.judgements {
        let Verdict::Accepted(accepted) = &judgement.verdict else { continue };
        let mut game = judgement.thread.unwrap().game.with_plan_recorded();
        let sender = decision.message.as_ref().unwrap().from.as_ref().unwrap().address.to_string();
        assert!(game.opponent().emails.iter().any(|email| email.eq_ignore_ascii_case(&sender)), "{sender}");
        let plies = accepted.plies();
        assert_eq!(game.due().plus(plies.len() - 1), accepted.number);
        assert_eq!(accepted.number.side, game.me.other());
        game.moves.extend(plies.into_iter().map(|numeric| MoveRecord::claimed(numeric, accepted.stated)));
        game.replay().unwrap();
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((which, mail)) = data.split_first() else { return };
    let (all, trust) = (situations(), Trust::default());
    let Situation { me, threads, at } = &all[usize::from(*which) % all.len()];
    let Ok(decision) = decide(mail, me, &trust, threads, *at) else { return };
    check(&decision);
    let again = decide(mail, me, &trust, threads, *at).unwrap();
    let verdicts = |d: &Decision<'_>| d.judgements.iter().map(|j| format!("{:?}", j.verdict)).collect::<Vec<_>>();
    assert_eq!(verdicts(&decision), verdicts(&again));
});
