//! Every form of a reply in every language: what it writes, our own reader reads back to the same values.

use amici::config::{Config, Form, Language, Me};
use amici::domain::clock::rules::RulesetChoice;
use amici::domain::game::{Game, Leave, MoveRecord, Plan, Player, Side, Stated};
use amici::domain::judge::{Accepted, Verdict};
use amici::domain::notation::NumericMove;
use amici::intake::decide::{Trust, decide};
use amici::intake::which::Thread;
use amici::letters::{self, LetterError};
use amici::mail::draft::{DraftMessage, Mailbox};
use chrono::{Days, NaiveDate};
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

use super::intake::sample;

fn names() -> Vec<&'static str> {
    Form::BUILT_IN.iter().map(|(_, name, _)| *name).collect()
}

fn codes() -> Vec<&'static str> {
    Language::ALL.iter().map(|(_, code)| *code).collect()
}

fn configured(letters: &str) -> Config {
    let me = "[me]\nname = \"Tobin Quillfeather\"\nemails = [\"tobin.q@example.net\"]\ntimezone = \"Europe/London\"\n";
    Config::parse(&format!("{me}{letters}")).unwrap()
}

fn me(form: &str, language: &str) -> Me {
    configured(&format!("[letters]\nform = \"{form}\"\nlanguage = \"{language}\"\n")).me
}

/// What the opponent's amici makes of the letter.
fn read_by_opponent(game: &Game, text: &str, sent: NaiveDate) -> Verdict {
    let address = |player: &Player| player.emails[0].parse().unwrap();
    let mail = DraftMessage {
        from: Mailbox { name: Some(game.myself().name.clone()), address: address(game.myself()) },
        to: vec![Mailbox { name: Some(game.opponent().name.clone()), address: address(game.opponent()) }],
        cc: Vec::new(),
        reply_to: None,
        subject: "Re: our game".to_owned(),
        date: sent.and_hms_opt(12, 0, 0).unwrap().and_utc().fixed_offset(),
        message_id: "<reply@example.net>".parse().unwrap(),
        in_reply_to: None,
        references: Vec::new(),
        auto_submitted: false,
        unsent: false,
        body: text.to_owned(),
        page: None,
        attached_reply: None,
    };
    let mut theirs = game.clone();
    theirs.me = game.me.other();
    theirs.plan = None;
    let opponent = game.opponent();
    let him = format!(
        "[me]\nname = \"{}\"\nemails = [\"{}\"]\ntimezone = \"Europe/London\"\n",
        opponent.name.replace('"', ""),
        opponent.emails[0]
    );
    let him = Config::parse(&him).unwrap();
    let trust = Trust { senders: &him.senders, seen: &[], verified: None };
    let threads = [Thread { game: theirs, root_message_id: "<root@example.org>".to_owned() }];
    let at = mail.date.to_utc();
    let decision = decide(&mail.to_bytes().unwrap(), &him.me, &trust, &threads, at).unwrap();
    assert_eq!(decision.judgements.len(), 1);
    decision.judgements.into_iter().next().unwrap().verdict
}

/// The letter is plain and narrow, and says what was planned; a value that is missing in it is one that the form has no place for.
fn check(game: &Game, form: &str, language: &str) -> Result<Box<Accepted>, String> {
    let plan = game.plan.as_ref().unwrap();
    let text = letters::reply_text(game, &[], &me(form, language)).map_err(|e| e.to_string())?;
    let why = |why: &str| Err(format!("{form} {language}: {why}\n{text}"));
    for line in text.lines() {
        let dates = line.matches(".20").count() + line.matches(".19").count();
        if line.chars().count() > 72 + if dates > 1 { 10 } else { 0 } || line.trim_end() != line || line.contains('\t')
        {
            return why(&format!("`{line}`"));
        }
    }
    let Verdict::Accepted(read) = read_by_opponent(game, &text, plan.stated.sent.unwrap()) else {
        let verdict = read_by_opponent(game, &text, plan.stated.sent.unwrap());
        return why(&verdict.reason());
    };
    let offered: Vec<Vec<String>> =
        plan.conditionals.iter().map(|line| line.iter().map(ToString::to_string).collect()).collect();
    if read.numeric != plan.numeric || !read.before.is_empty() || read.draw_offer != plan.draw_offer {
        return why(&format!("{read:#?}"));
    }
    if read.conditionals != offered {
        return why(&format!("{:?}, not {offered:?}", read.conditionals));
    }
    let meant = plan.stated;
    let has = |forms: &[&str]| forms.contains(&form);
    let (with_dates, with_days) = (!has(&["pgn"]), !has(&["pgn", "line", "cxv"]));
    let expected = Stated {
        received: meant.received.filter(|_| with_dates),
        sent: meant.sent.filter(|_| with_dates),
        days: meant.days.filter(|_| with_days),
        total: meant.total.filter(|_| with_days),
    };
    if read.stated != expected {
        return why(&format!("{:?}, not {expected:?}; {:?}", read.stated, read.discrepancies));
    }
    Ok(read)
}

/// The sample game before White's seventh move, which is chosen, in the notation of clubs.
fn chosen() -> Game {
    let mut game = sample(12);
    game.me = Side::White;
    game.notations = vec!["iccf".to_owned(), "san".to_owned()];
    let day = |text: &str| Some(text.parse().unwrap());
    game.plan = Some(Plan {
        numeric: "5171".parse().unwrap(),
        stated: Stated { received: day("2004-10-26"), sent: day("2004-10-30"), days: Some(4), total: Some(12) },
        draw_offer: true,
        message_id: "<1@example.org>".to_owned(),
        conditionals: vec![
            ["2836", "4445"].map(|m| m.parse().unwrap()).to_vec(),
            ["5544", "6344", "6858", "6263"].map(|m| m.parse().unwrap()).to_vec(),
        ],
        comment: Some("A fine autumn day here. How is the weather with you?".to_owned()),
        held_until: None,
    });
    game
}

#[test]
fn each_form_in_each_language_is_written_as_a_correspondent_would() {
    for form in names() {
        let texts = codes().into_iter().map(|code| {
            let text = letters::reply_text(&chosen(), &[], &me(form, code)).unwrap();
            format!("===== {code}\n{text}")
        });
        insta::assert_snapshot!(form, texts.collect::<String>());
    }
}

#[test]
fn each_form_in_each_language_is_read_back_to_the_same_values() {
    let mut wrong = Vec::new();
    for form in names() {
        for code in codes() {
            wrong.extend(check(&chosen(), form, code).err());
        }
    }
    assert_eq!(wrong.len(), 0, "{}", wrong.join("\n"));
}
