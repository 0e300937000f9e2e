//! Who wrote a mail, and how far he is believed: mails as text, through the decision and through the intake.

use amici::config::{Config, Me, Senders};
use amici::domain::game::Game;
use amici::domain::judge::Verdict;
use amici::intake::decide::{Judgement, Trust, decide};
use amici::intake::which::Thread;
use amici::intake::{RawMessage, Taking, take_in};
use amici::io::store::Store;
use amici::mail::authentication::{Finding, Method};
use amici::mail::message::parse;
use chrono::{DateTime, Utc};
use tempfile::TempDir;

use crate::intake::{ME, MILA, ROOT, mail, mail_with, sample};

fn at() -> DateTime<Utc> {
    "2004-10-30T18:22:05Z".parse().unwrap()
}

fn config(more: &str) -> Config {
    Config::parse(&format!("{ME}{more}")).unwrap()
}

fn me() -> Me {
    config("").me
}

fn threads(games: &[Game]) -> Vec<Thread> {
    games.iter().map(|game| Thread { game: game.clone(), root_message_id: ROOT.to_owned() }).collect()
}

/// The one judgement on a mail, for the sample game, in which the opponent is to move.
fn judged(raw: &[u8], senders: &Senders, verified: Option<&[Finding]>) -> Judged {
    judged_for(raw, senders, verified, &[sample(12)])
}

struct Judged {
    game: Option<String>,
    verdict: Verdict,
}

impl Judged {
    fn outcome(&self) -> &str {
        self.verdict.outcome()
    }
}

fn judged_for(raw: &[u8], senders: &Senders, verified: Option<&[Finding]>, games: &[Game]) -> Judged {
    let threads = threads(games);
    let trust = Trust { senders, seen: &[], verified };
    let decision = decide(raw, &me(), &trust, &threads, at()).unwrap();
    let [Judgement { thread, verdict }] = decision.judgements.as_slice() else { panic!("{decision:?}") };
    Judged { game: thread.map(|t| t.game.id.to_string()), verdict: verdict.clone() }
}

/// The same where every From line is believed.
fn of(raw: &[u8]) -> Judged {
    judged(raw, &Senders::default(), None)
}

/// From this address, with the move that is due.
fn from(sender: &str) -> Vec<u8> {
    mail_with("m7", sender, "EM/ZZ/042", "", "7. 5171\n")
}

// One sender -----------------------------------------------------------------------------------------------------------

#[test]
fn the_opponent_is_known_by_any_of_his_addresses_in_any_case() {
    let mut game = sample(12);
    game.white.emails = vec!["mila.ostrander@example.org".into(), "mila@exämple.org".into()];
    for sender in [
        MILA,
        "mila.ostrander@EXAMPLE.org",
        "Mila.Ostrander@example.org",
        "mila@exämple.org",
        "mila@xn--exmple-cua.org",
        "\"tobin.q@example.net\" <mila.ostrander@example.org>",
    ] {
        let judged = judged_for(&from(sender), &Senders::default(), None, &[game.clone()]);
        assert_eq!(judged.outcome(), "move", "{sender}");
    }
}

#[test]
fn whoever_else_names_the_game_touches_nothing_and_is_told_of() {
    for sender in [
        "\"mila.ostrander@example.org\" <evil@example.net>",
        "mila.ostrander@example.org <evil@example.net>",
        "Mila Ostrander <mila.ostrander@example.org.example.net>",
        "Mila Ostrander <mila.ostrander@examp1e.org>",
        "Mila Ostrander <mila.ostrander@ex\u{430}mple.org>",
        "Mila Ostrander <milaostrander@example.org>",
        "Mila Ostrander <mila.ostrander+x@example.org>",
        "<mila.ostrander@example.org>, <evil@example.net>",
        "<evil@example.net>, <mila.ostrander@example.org>",
        "players: mila.ostrander@example.org;",
        "<@example.net:mila.ostrander@example.org>",
        "evil@example.net (mila.ostrander@example.org)",
        "mila.ostrander@example.org\nFrom: evil@example.net",
        "evil@example.net\nFrom: mila.ostrander@example.org",
        "=?utf-8?q?mila=2Eostrander=40example=2Eorg?= <evil@example.net>",
        "=?utf-8?q?mila=2Eostrander=40example=2Eorg?=",
    ] {
        let judged = of(&from(sender));
        assert_eq!((judged.game.as_deref(), judged.outcome()), (Some("SAMPLE-1"), "wrong_sender"), "{sender}");
    }
}

#[test]
fn no_arrangement_of_addresses_and_fields_lets_a_stranger_move() {
    let evil = [
        "evil@example.net",
        "mila.ostrander@example.org.example.net",
        "mila.ostrander@sub.example.org",
        "mila.ostrander@example.co",
        "mila_ostrander@example.org",
        "mila.ostrander%example.org@example.net",
        "mila.ostrander@xn--exmple-4nf.org",
    ];
    let forms = [
        "EVIL",
        "<EVIL>",
        "Mila Ostrander <EVIL>",
        "\"HERS\" <EVIL>",
        "\"Mila <HERS>\" <EVIL>",
        "EVIL (HERS)",
        "(HERS) EVIL",
        "HERS <EVIL>",
        "<HERS> <EVIL>",
        "<HERS>, <EVIL>",
        "EVIL, HERS",
        "x:HERS,EVIL;",
        "HERS:EVIL;",
        "<@HERS:EVIL>",
        "\"HERS\\\"\" <EVIL>",
        "=?utf-8?q?HERS?= <EVIL>",
        "HERS\n <EVIL>",
        "EVIL\nFrom: HERS",
        "HERS\nFrom: EVIL",
        "HERS\nFROM : <EVIL>",
    ];
    let fields = [
        "",
        "Sender: HERS\n",
        "Reply-To: HERS\nReturn-Path: <HERS>\n",
        "Authentication-Results: mx.example.net; dkim=pass header.d=example.org; dmarc=pass header.from=example.org\n",
        "Resent-From: HERS\nX-Original-From: HERS\n",
    ];
    let mut tried = 0;
    for (evil, form) in evil.iter().flat_map(|evil| forms.iter().map(move |form| (evil, form))) {
        for field in fields {
            let filled = |text: &str| text.replace("EVIL", evil).replace("HERS", "mila.ostrander@example.org");
            let judged = of(&mail_with("m7", &filled(form), "EM/ZZ/042", &filled(field), "7. 5171\n"));
            let told = (judged.game.as_deref(), judged.outcome());
            assert_eq!(told, (Some("SAMPLE-1"), "wrong_sender"), "{evil} {form} {field}");
            tried += 1;
        }
    }
    assert_eq!(tried, 700);
}

#[test]
fn the_name_or_address_of_an_opponent_above_a_strangers_is_told_of_also_without_the_game() {
    let unnamed = |sender: &str| of(&mail_with("x", sender, "my move", "", "7. 5171\n"));
    for sender in [
        "\"Ostrander, MILA\" <x@example.net>",
        "\"mila.ostrander@example.org\" <x@example.net>",
        "Mila Ostrander <x@example.net>",
    ] {
        assert_eq!(unnamed(sender).outcome(), "wrong_sender", "{sender}");
    }
    assert_eq!(unnamed("Mila Other <x@example.net>").outcome(), "not_game_mail");
}

#[test]
fn other_fields_than_from_decide_nothing_and_are_mentioned() {
    let with = |header: &str| of(&mail_with("m7", MILA, "EM/ZZ/042", header, "7. 5171\n")).verdict;
    for (header, mentioned) in [
        ("Reply-To: evil@example.net\n", Some("evil@example.net (Reply-To)")),
        ("Sender: list@example.net\n", Some("list@example.net (Sender)")),
        ("Reply-To: Mila.Ostrander@example.org\nSender: mila.ostrander@example.org\n", None),
    ] {
        let Verdict::Accepted(accepted) = with(header) else { panic!("{header}") };
        let found = accepted.differs().into_iter().find(|line| line.contains("Reply-To") || line.contains("Sender"));
        assert_eq!(found.is_some(), mentioned.is_some(), "{header}");
        assert!(found.as_ref().is_none_or(|line| line.contains(mentioned.unwrap())), "{found:?}");
    }
    for header in ["Reply-To: mila.ostrander@example.org\n", "Sender: mila.ostrander@example.org\n"] {
        let raw = mail_with("x", "evil@example.net", "EM/ZZ/042", header, "7. 5171\n");
        assert_eq!(of(&raw).outcome(), "wrong_sender", "{header}");
    }
}

#[test]
fn our_own_mails_are_copies_in_any_spelling_of_our_address() {
    for sender in ["tobin.q@example.net", "Tobin.Q@Example.net", "Tobin <tobin@example.com>"] {
        let judged = of(&from(sender));
        assert_eq!((judged.game, judged.verdict.reason()), (None, "a copy of your own mail".to_owned()), "{sender}");
    }
}

// Policies -------------------------------------------------------------------------------------------------------------

const RESULT: &str = "Authentication-Results: mx.example.net; dkim=pass header.d=example.org\n";
/// Our server's Received line, and its place in the mails of these tests: below the result, or above it.
const OWN: &str = "Received: from mail.example.org (mail.example.org [192.0.2.1]) by mx.example.net; x\n";

/// A signature over all that a mail is read by.
const SIGNATURE: &str = "DKIM-Signature: v=1; d=example.org; h=From:To:Subject:Date:Message-ID:Content-Type; b=x\n";

fn strict() -> Senders {
    config("[senders]\ndefault = \"strict\"\nauthserv_id = \"mx.example.net\"\n").senders
}

/// A mail of the opponent with these fields on top.
fn topped(id: &str, header: &str, body: &str) -> Vec<u8> {
    let text = format!(
        "{header}Received: from home by mail.example.org; Sat, 30 Oct 2004 18:22:04 +0000\n{SIGNATURE}From: {MILA}\n\
         To: tobin.q@example.net\nSubject: EM/ZZ/042\nDate: Sat, 30 Oct 2004 20:21:00 +0200\nMessage-ID: <{id}@example.org>\n\n{body}"
    );
    text.replace('\n', "\r\n").into_bytes()
}

#[test]
fn strict_wants_a_pass_that_our_own_server_wrote() {
    for (header, outcome) in [
        (format!("{RESULT}{OWN}"), "move"),
        // only where that server puts it: see `received_by`
        (format!("{OWN}{RESULT}"), "wrong_sender"),
        (format!("Authentication-Results: mx.example.net; dmarc=pass header.from=example.org\n{OWN}"), "move"),
        (OWN.to_owned(), "wrong_sender"),
        (format!("{OWN}Received: from x by y; z\n{RESULT}"), "wrong_sender"),
        (format!("Authentication-Results: mx.example.net; dkim=none\n{OWN}{RESULT}"), "wrong_sender"),
        (
            format!("{OWN}Authentication-Results: mx.example.net; dkim=fail header.d=example.org\n{RESULT}"),
            "wrong_sender",
        ),
        (format!("Authentication-Results: mx.example.org; dkim=pass header.d=example.org\n{OWN}"), "wrong_sender"),
        (format!("Authentication-Results: mx.example.net; dkim=pass header.d=example.net\n{OWN}"), "wrong_sender"),
        (format!("Authentication-Results: mx.example.net; spf=pass smtp.mailfrom=example.org\n{OWN}"), "wrong_sender"),
        (format!("{RESULT}{OWN}DKIM-Signature: v=1; d=example.org; l=9; b=x\n"), "wrong_sender"),
    ] {
        let judged = judged(&topped("m7", &header, "7. 5171\n"), &strict(), None);
        assert_eq!(judged.outcome(), outcome, "{header}{}", judged.verdict.reason());
        assert_eq!(judged.game.as_deref(), Some("SAMPLE-1"));
    }
    let below =
        "[senders]\ndefault = \"strict\"\nauthserv_id = \"mx.example.net\"\nreceived_by = [\"mx.example.net\"]\n";
    let below = config(below).senders;
    let judged = judged(&topped("m7", &format!("{OWN}{RESULT}"), "7. 5171\n"), &below, None);
    assert_eq!(judged.outcome(), "move", "{}", judged.verdict.reason());
}

#[test]
fn strict_believes_no_letter_that_somebody_may_have_sent_again_otherwise() {
    let whole = String::from_utf8(topped("m7", &format!("{RESULT}{OWN}"), "7. 5171\n")).unwrap();
    let dmarc = whole.replace("dkim=pass header.d", "dmarc=pass header.from");
    let by_address = dmarc.replace(&SIGNATURE.replace('\n', "\r\n"), "");
    for mail in [&whole, &dmarc, &by_address] {
        assert_eq!(judged(mail.as_bytes(), &strict(), None).outcome(), "move", "{mail}");
    }
    for (change, into, why) in [
        ("h=From:To:Subject", "h=From:To", "does not cover subject"),
        ("h=From:To:Subject", "h=From:Subject", "does not cover to"),
        (":Date:Message-ID", "", "does not cover date, message-id"),
        ("Subject: EM", "Content-Type: text/plain\r\nSubject: EM", "move"),
        (":Content-Type;", ";", "move"),
        ("DKIM-Signature: v=1; d=example.org", "DKIM-Signature: v=1; d=example.com", "no signature of example.org"),
        ("From: Mila", "DKIM-Signature: v=1; d=example.org; h=From; b=y\r\nFrom: Mila", "does not cover subject"),
        ("To: tobin.q@example.net\r\n", "", "the mail has no to"),
        ("To: tobin.q@example.net", "To: ben@example.com", "you are not among its recipients"),
        ("To: tobin.q@example.net", "Cc: tobin.q@example.net", "the mail has no to"),
        ("Subject: EM", "Subject: Hello\r\nSubject: EM", "your server reports dkim=pass"),
        ("To: ", "To: ben@example.com\r\nTo: ", "your server reports dkim=pass"),
        ("Message-ID: <m7@", "Message-ID: <m6@example.org>\r\nMessage-ID: <m7@", "your server reports dkim=pass"),
    ] {
        let changed = whole.replacen(change, into, 1);
        assert_ne!(changed, whole, "{change}");
        let judged = judged(changed.as_bytes(), &strict(), None);
        match why {
            "move" => assert_eq!(judged.outcome(), "move", "{change}: {}", judged.verdict.reason()),
            _ => {
                assert_eq!(judged.outcome(), "wrong_sender", "{change}");
                assert!(judged.verdict.reason().contains(why), "{change}: {}", judged.verdict.reason());
            }
        }
    }
    let open = whole.replace(":Content-Type;", ";").replace("Subject: EM", "Content-Type: text/plain\r\nSubject: EM");
    assert_eq!(judged(open.as_bytes(), &strict(), None).outcome(), "wrong_sender", "another form may be shown");
}

#[test]
fn what_only_becomes_the_opponents_address_is_not_his() {
    for domain in
        ["exam\u{ad}ple.org", "exam\u{200b}ple.org", "ｅｘａｍｐｌｅ.org", "example.org\u{2060}", "exa(x)mple.org"]
    {
        let raw = from(&format!("mila.ostrander@{domain}"));
        assert_ne!(of(&raw).outcome(), "move", "{domain:?}");
        let raw = from(&format!("Mila Ostrander <mila.ostrander@{domain}>"));
        assert_ne!(of(&raw).outcome(), "move", "{domain:?}");
    }
}

#[test]
fn what_a_check_found_to_be_false_is_recorded_under_no_policy() {
    let result = |words: &str| format!("Authentication-Results: mx.example.net; {words}\n{OWN}");
    for policy in ["from", "pinned", "strict", "confirm"] {
        let more = format!("[senders]\ndefault = \"{policy}\"\nauthserv_id = \"mx.example.net\"\n");
        let senders = config(&more).senders;
        for words in [
            "dmarc=fail (p=reject) header.from=example.org",
            "dkim=fail header.d=example.org",
            "dkim=fail header.d=example.org; dmarc=fail header.from=example.org",
            "dkim=pass header.d=example.net; dmarc=fail header.from=example.org",
            "dkim=pass header.d=example.org; dmarc=fail header.from=example.org",
            "dmarc=fail",
        ] {
            for body in ["7. 5171\n", "I resign.\n", "I accept the draw.\n"] {
                let judged = judged(&topped("m7", &result(words), body), &senders, None);
                let verdict = &judged.verdict;
                assert!(matches!(verdict, Verdict::WrongSender(_)), "{policy}, {words}: {}", verdict.reason());
            }
        }
        let reason = judged(&topped("m7", &result("dmarc=fail"), "7. 5171\n"), &senders, None).verdict.reason();
        for said in ["your server reports dmarc=fail", "`amici accept SAMPLE-1 MOVE`"] {
            assert!(reason.contains(said), "{reason}");
        }
        assert_eq!(reason.contains("may be a forgery"), policy != "strict", "{reason}");
    }
    // what is no failure, or another domain's, says nothing against him
    let senders = config("[senders]\nauthserv_id = \"mx.example.net\"\n").senders;
    for words in [
        "dmarc=none header.from=example.org",
        "dkim=neutral header.d=example.org",
        "dkim=temperror header.d=example.org",
        "dkim=fail header.d=list.example.com",
        "dkim=fail header.d=example.org; dkim=pass header.d=example.org",
        "spf=fail smtp.mailfrom=example.org",
    ] {
        let judged = judged(&topped("m7", &result(words), "7. 5171\n"), &senders, None);
        assert_eq!(judged.outcome(), "move", "{words}: {}", judged.verdict.reason());
    }
    // where our server's place is not known its failure is heard all the same: nobody gains by writing one
    let below = format!("{OWN}Received: from x by y; z\nAuthentication-Results: mx.example.net; dmarc=fail\n");
    let verdict = judged(&topped("m7", &below, "7. 5171\n"), &senders, None).verdict;
    assert!(matches!(verdict, Verdict::WrongSender(_)), "{}", verdict.reason());
    assert!(
        verdict.reason().contains("in another place your server's name stands before dmarc=fail"),
        "{}",
        verdict.reason()
    );
}

#[tokio::test]
async fn the_notice_of_a_move_says_what_vouches_for_its_sender() {
    for (words, said) in [
        ("dkim=pass header.d=example.org", "DKIM of example.org vouches for the sender"),
        ("dmarc=pass header.from=example.org", "DMARC of example.org vouches for the sender"),
        ("dkim=none", "nothing vouches for the sender"),
    ] {
        let mut desk = Desk::with("[senders]\nauthserv_id = \"mx.example.net\"\n", 12).await;
        let header = format!("Authentication-Results: mx.example.net; {words}\n{OWN}");
        desk.take(&topped("m7", &header, "7. 5171\n"), at()).await;
        let due = desk.store.due(at()).await.unwrap();
        let [row] = due.as_slice() else { panic!("{} mails wait", due.len()) };
        let text = parse(&row.outgoing.bytes).unwrap().plain.unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(said), "{words}: {text}");
    }
}

#[test]
fn a_refused_mail_says_what_was_found_what_was_wanted_and_how_to_take_it() {
    let header = format!("Authentication-Results: mx.example.net; dkim=fail header.d=example.org\n{OWN}");
    let reason = judged(&topped("m7", &header, "7. 5171\n"), &strict(), None).verdict.reason();
    for words in [
        "mila.ostrander@example.org is believed only with a DKIM or DMARC pass for example.org",
        "your server reports dkim=fail for example.org",
        "`amici accept SAMPLE-1 MOVE`",
    ] {
        assert!(reason.contains(words), "{reason}");
    }
}

#[test]
fn a_check_on_this_machine_counts_like_the_servers() {
    let finding = |word: &str, domain: &str| Finding {
        method: Method::Dkim,
        pass: word == "pass",
        word: word.to_owned(),
        domain: Some(domain.to_owned()),
    };
    for (findings, outcome) in [
        (vec![finding("pass", "example.org")], "move"),
        (vec![finding("fail", "example.org"), finding("pass", "example.org")], "move"),
        (vec![finding("pass", "list.example.org")], "wrong_sender"),
        (vec![finding("temperror", "example.org")], "wrong_sender"),
        (vec![], "wrong_sender"),
    ] {
        let judged = judged(&topped("m7", "", "7. 5171\n"), &strict(), Some(&findings));
        assert_eq!(judged.outcome(), outcome, "{findings:?}");
    }
}

#[test]
fn a_policy_speaks_of_its_opponent_alone_and_of_no_mail_that_says_nothing() {
    let one = "[senders]\nauthserv_id = \"mx.example.net\"\n[[opponent]]\naddress = \"Mila.Ostrander@example.org\"\npolicy = \"strict\"\n";
    let senders = config(one).senders;
    let mut ben = sample(12);
    ben.id = "OTHER-2".parse().unwrap();
    ben.white.emails = vec!["ben@example.com".into()];
    let games = [sample(12), ben];
    let by = |sender: &str, id: &str| {
        judged_for(&mail_with("m7", sender, id, "", "7. 5171\n"), &senders, None, &games).outcome().to_owned()
    };
    assert_eq!(by("ben@example.com", "OTHER-2"), "move");
    assert_eq!(by(MILA, "SAMPLE-1"), "wrong_sender");
    assert_eq!(by("shop@example.com", "Offers"), "not_game_mail");
    let absence = mail_with("v", MILA, "Autosvar: EM/ZZ/042", "", "Away.\n");
    assert_eq!(judged(&absence, &senders, None).outcome(), "not_game_mail");
}

#[test]
fn confirm_leaves_each_move_to_the_player_with_its_reading() {
    let senders = config("[senders]\ndefault = \"confirm\"\n").senders;
    let held = judged(&mail("m7", "EM/ZZ/042", "7. 5171\n"), &senders, None).verdict;
    let Verdict::Held { candidates, reason } = held else { panic!("{held:?}") };
    assert_eq!(candidates, ["5171".parse().unwrap()]);
    assert!(reason.to_string().contains("`amici accept SAMPLE-1 MOVE`"), "{reason}");
    let sixth = sample(12).moves[10].numeric;
    let repeat = judged(&mail("m6", "EM/ZZ/042", &format!("6. {sixth}\n")), &senders, None);
    assert_eq!(repeat.outcome(), "duplicate", "there is nothing to decide");
}

struct Desk {
    store: Store,
    config: Config,
    _dir: TempDir,
}

impl Desk {
    async fn with(more: &str, plies: usize) -> Desk {
        let dir = TempDir::new().unwrap();
        let mut store = Store::open(dir.path()).await.unwrap();
        store.import(&[(sample(plies), ROOT.to_owned())], false, at()).await.unwrap();
        Desk { store, config: config(more), _dir: dir }
    }

    async fn take(&mut self, raw: &[u8], at: DateTime<Utc>) -> Taking {
        let mail = RawMessage { bytes: raw, at, arrival: None, verified: None };
        take_in(&mut self.store, &self.config.me, &self.config.senders, &mail, at).await.unwrap()
    }
}

#[tokio::test]
async fn a_pinned_sender_is_believed_until_his_proof_is_missing() {
    let mut desk = Desk::with("[senders]\ndefault = \"pinned\"\nauthserv_id = \"mx.example.net\"\n", 12).await;
    let proven = format!("{RESULT}{OWN}");
    let later = at() + chrono::TimeDelta::hours(5);
    let first = desk.take(&topped("m1", OWN, "Good luck!\n"), at()).await;
    assert_eq!(first.results[0].outcome, "needs_human", "nothing is missed as yet: {first:?}");
    let mila = "mila.ostrander@example.org".parse().unwrap();
    assert_eq!(desk.store.sender_domains(Some(&mila)).await.unwrap(), []);
    desk.take(&topped("m2", &proven, "Hello!\n"), later).await;
    desk.take(&topped("m3", &proven, "Hello again!\n"), at()).await;
    let [seen] = desk.store.sender_domains(Some(&mila)).await.unwrap().try_into().unwrap();
    assert_eq!((seen.address.as_str(), seen.domain.as_str()), ("mila.ostrander@example.org", "example.org"));
    assert_eq!((seen.first_at, seen.last_at, seen.mails), (at(), later, 2));
    let forged = desk.take(&topped("m4", OWN, "7. 5171\n"), later).await;
    assert_eq!((forged.results[0].outcome, forged.notices), ("wrong_sender", 1));
    let reason = &forged.results[0].reason;
    assert!(reason.contains("came with a pass for example.org (2 so far, the last on 2004-10-30)"), "{reason}");
    assert!(desk.store.held().await.unwrap().iter().any(|held| held.outcome == "wrong_sender"), "it can be accepted");
    let taken = desk.take(&topped("m5", &proven, "7. 5171\n"), later).await;
    assert_eq!(taken.results[0].outcome, "move");
}

#[tokio::test]
async fn of_many_mails_that_wait_a_few_are_told_of_on_a_day_and_the_digest_names_the_rest() {
    let mut desk = Desk::with("", 12).await;
    let mut told = Vec::new();
    let (first, next) = (at(), at() + chrono::TimeDelta::days(1));
    for (number, on) in (0..8).map(|number| (number, first)).chain([(8, next)]) {
        let raw = mail_with(&format!("s{number}"), "evil@example.com", "EM/ZZ/042", "", &format!("7. 5171 {number}\n"));
        told.push(desk.take(&raw, on).await.notices);
    }
    assert_eq!(told, [1, 1, 1, 1, 1, 0, 0, 0, 1], "five on a day");
    let unsent = desk.store.unsent().await.unwrap();
    let text = |row: usize| parse(&unsent[row].outgoing.bytes).unwrap().plain.unwrap();
    assert!(text(4).contains("told of by the next digest") && !text(3).contains("next digest"), "{}", text(4));
    assert_eq!(desk.store.held().await.unwrap().len(), 9, "none is lost");
    let unclear = |number| mail_with(&format!("u{number}"), MILA, "EM/ZZ/042", "", &format!("7. 9999 {number}\n"));
    let mut hers = 0;
    for number in 0..8 {
        hers += desk.take(&unclear(number), next).await.notices;
    }
    assert_eq!(hers, 5, "strangers do not keep the opponent's from being told of");
    assert_eq!(desk.take(&mail("m7", "EM/ZZ/042", "7. 5171\n"), next).await.notices, 1, "a move always is");
}

#[tokio::test]
async fn only_mails_of_opponents_are_counted_as_vouched_for() {
    let mut desk = Desk::with("[senders]\nauthserv_id = \"mx.example.net\"\n", 12).await;
    let raw = topped("x", &format!("{RESULT}{OWN}"), "7. 5171\n");
    let stranger = String::from_utf8(raw).unwrap().replace(MILA, "evil@example.org");
    desk.take(stranger.as_bytes(), at()).await;
    for address in ["mila.ostrander@example.org", "evil@example.org"] {
        assert_eq!(desk.store.sender_domains(Some(&address.parse().unwrap())).await.unwrap(), [], "{address}");
    }
}

// Programs and directors -----------------------------------------------------------------------------------------------

#[test]
fn a_mark_that_services_put_on_letters_too_never_loses_a_move_and_never_records_one() {
    for (subject, header) in [
        ("EM/ZZ/042", "Auto-Submitted: auto-generated\n"),
        ("EM/ZZ/042", "X-Autoreply: yes\n"),
        ("EM/ZZ/042", "Precedence: bulk\n"),
        ("EM/ZZ/042", "List-Unsubscribe: <mailto:x@example.org>\n"),
        ("EM/ZZ/042", "Return-Path: <>\n"),
        ("Abwesenheitsnotiz: EM/ZZ/042", ""),
    ] {
        let with = |body: &str| of(&mail_with("m7", MILA, subject, header, body)).verdict;
        let held = with("7. 5171\n");
        let Verdict::Held { candidates, .. } = &held else { panic!("{header}{subject}: {held:?}") };
        assert_eq!(candidates, &["5171".parse().unwrap()], "{header}{subject}");
        assert_eq!(with("I resign.\n").outcome(), "needs_human", "{header}{subject}");
        for body in ["I am away until Monday.\n", "Away. Call 555-4456 if it burns.\n", ""] {
            assert_eq!(with(body).outcome(), "not_game_mail", "{header}{subject}: {body}");
        }
    }
}

#[test]
fn a_letter_that_only_wants_no_automatic_answers_gives_its_move() {
    let with =
        |body: &str| of(&mail_with("m7", MILA, "EM/ZZ/042", "X-Auto-Response-Suppress: All\n", body)).verdict.outcome();
    assert_eq!(
        ["7. 5171\n", "I resign.\n", "I am away until Monday.\n"].map(with),
        ["move", "needs_human", "not_game_mail"]
    );
}

#[tokio::test]
async fn a_marked_move_is_told_to_the_player_and_a_marked_note_is_not() {
    for (body, outcome, notices) in [("7. 5171\n", "needs_human", 1), ("I am away.\n", "not_game_mail", 0)] {
        let mut desk = Desk::with("", 12).await;
        let taking = desk.take(&mail_with("m7", MILA, "EM/ZZ/042", "Precedence: bulk\n", body), at()).await;
        assert_eq!((taking.results[0].outcome, taking.notices), (outcome, notices), "{body}");
    }
}

#[test]
fn programs_are_known_by_their_subjects_and_addresses_and_read_as_no_move() {
    let report = "Content-Type: multipart/report; boundary=b\n";
    for (sender, subject, header) in [
        ("someone@example.org", "Undelivered mail", report),
        ("someone@example.org", "EM/ZZ/042", "Auto-Submitted: auto-replied\n"),
        ("someone@example.org", "EM/ZZ/042", "X-Autoreply: yes\n"),
        ("MAILER-DAEMON@example.org", "Undelivered: EM/ZZ/042", ""),
        ("postmaster@example.org", "EM/ZZ/042", ""),
        ("no-reply@example.org", "Your move in EM/ZZ/042", ""),
        ("someone@example.org", "Automatic reply: EM/ZZ/042", ""),
        ("someone@example.org", "EM/ZZ/042", "List-Id: <chess.example.org>\n"),
    ] {
        let judged = of(&mail_with("m7", sender, subject, header, "7. 5171\n"));
        assert_eq!((judged.game.as_deref(), judged.outcome()), (None, "not_game_mail"), "{sender} {subject} {header}");
        assert!(judged.verdict.reason().starts_with("automatic mail"), "{}", judged.verdict.reason());
    }
}

#[test]
fn a_programs_own_mail_waits_for_the_player_only_where_it_gives_a_move() {
    let header = "Auto-Submitted: auto-replied\n";
    let with = |body: &str| of(&mail_with("m7", MILA, "EM/ZZ/042", header, body)).verdict.outcome();
    assert_eq!(with("Out of office.\n\n7. 5171 or else.\n"), "needs_human");
    for body in ["Out of office until 24.12.\n", "Call 5171-5254.\n", "7. 1118\n", "> 6... 5755\n"] {
        assert_eq!(with(body), "not_game_mail", "{body}");
    }
}

#[test]
fn a_directors_letter_is_no_game_mail_unless_he_plays_himself() {
    let senders = config("[[director]]\naddresses = [\"td@example.com\", \"mila.ostrander@example.org\"]\n").senders;
    let letter = judged(&from("TD <td@example.com>"), &senders, None);
    assert_eq!((letter.game.as_deref(), letter.outcome()), (None, "not_game_mail"));
    assert_eq!(letter.verdict.reason(), "a letter of the tournament director (td@example.com)");
    assert_eq!(judged(&from(MILA), &senders, None).outcome(), "move");
}
