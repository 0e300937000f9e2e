//! The player's own mails, found in the Sent folder or as copies to himself: bytes in, rows out. Each test is a row of the
//! failure table about sending.

use amici::config::{Config, Me, Senders};
use amici::domain::clock::ledger::Ledger;
use amici::domain::game::{ClockNote, ClockNoteKind, Game, GameId, GameResult, MoveRecord, Plan, Side, Stated};
use amici::intake::{RawMessage, Taking, take_in};
use amici::io::store::{Arrival, Care, EventRow, Outgoing, OutgoingKind, SentOutcome, Store, StoredGame};
use amici::letters;
use amici::letters::compose;
use amici::mail::message::parse;
use amici::overview::summed_up;
use amici::proof::replay::replay;
use amici::sent;
use amici::sent::decide::{Offers, concerned, decide};
use chrono::{DateTime, NaiveDate, Utc};
use tempfile::TempDir;

use crate::cli::Player;
use crate::intake::{ME, ROOT, mail as his_mail, sample};

const MILA: &str = "Mila Ostrander <mila.ostrander@example.org>";
/// The Message-ID of the planned reply.
const REPLY: &str = "<SAMPLE-1.14.0011aa@example.net>";
/// The Message-ID of her mail that is answered.
const HERS: &str = "<hers-13@example.org>";

fn me() -> Me {
    Config::parse(ME).unwrap().me
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// The reply is sent on 1 November 2004, received on 30 October.
fn sent_at() -> DateTime<Utc> {
    at("2004-11-01T09:30:00Z")
}

pub(crate) fn stated(sent: &str) -> Stated {
    Stated { received: Some("2004-10-30".parse().unwrap()), sent: Some(sent.parse().unwrap()), ..Stated::default() }
}

fn plan(numeric: &str) -> Plan {
    Plan {
        before: Vec::new(),
        numeric: numeric.parse().unwrap(),
        stated: stated("2004-11-01"),
        draw_offer: false,
        message_id: REPLY.to_owned(),
        conditionals: Vec::new(),
        comment: None,
        held_until: None,
    }
}

/// The text of the drafted reply with this move.
fn text_with(numeric: &str) -> String {
    let mut game = sample(13);
    game.plan = Some(plan(numeric));
    letters::reply_text(&game, &[], &me()).unwrap()
}

/// A mail of the player's, as his mail program sends it.
struct Mail<'a> {
    id: &'a str,
    from: &'a str,
    to: &'a str,
    subject: &'a str,
    thread: String,
    date: &'a str,
    body: String,
}

impl Mail<'_> {
    fn of(body: String) -> Mail<'static> {
        Mail {
            id: REPLY,
            from: "Tobin Quillfeather <tobin.q@example.net>",
            to: MILA,
            subject: "Re: EM/ZZ/042 Ostrander - Quillfeather",
            thread: format!("In-Reply-To: {HERS}\nReferences: {ROOT} {HERS}\n"),
            date: "Mon, 01 Nov 2004 10:30:00 +0100",
            body,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let Mail { id, from, to, subject, thread, date, body } = self;
        let text = format!(
            "From: {from}\nTo: {to}\nSubject: {subject}\nDate: {date}\nMessage-ID: {id}\n{thread}\
             MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{body}"
        );
        text.replace('\n', "\r\n").into_bytes()
    }
}

struct Desk {
    store: Store,
    senders: Senders,
    uid: u32,
    _dir: TempDir,
}

impl Desk {
    /// Her thirteenth ply is on record, and the player is to move.
    async fn to_move() -> Desk {
        Desk::with(sample(13)).await
    }

    async fn with(mut game: Game) -> Desk {
        game.last_message_id = Some(HERS.to_owned());
        game.seen_message_ids.push(HERS.to_owned());
        let dir = TempDir::new().unwrap();
        let mut store = Store::open(dir.path()).await.unwrap();
        store.import(&[(game, ROOT.to_owned())], false, at("2004-10-30T18:30:00Z")).await.unwrap();
        Desk { store, senders: Senders::default(), uid: 0, _dir: dir }
    }

    /// The player has chosen 7... 2836 and has its draft.
    async fn planned() -> Desk {
        let mut desk = Desk::to_move().await;
        desk.plans().await;
        desk
    }

    async fn plans(&mut self) {
        let mut game = sample(13);
        game.plan = Some(plan("2836"));
        let key = letters::AnswerKey::new(self.store.answer_key().await.unwrap());
        let letter = letters::draft(&game, ROOT, &[], &key, &me(), at("2004-11-01T08:00:00Z")).unwrap();
        let outgoing = Outgoing {
            kind: OutgoingKind::Draft,
            game: Some(game.id.clone()),
            ply: Some(14),
            message_id: letter.message_id,
            recipient: letter.recipient,
            bytes: letter.bytes,
        };
        self.store.plan(&game.id, 13, &plan("2836"), &outgoing, at("2004-11-01T08:00:00Z")).await.unwrap();
    }

    async fn game(&mut self) -> Game {
        self.store.game(&"SAMPLE-1".parse().unwrap()).await.unwrap().unwrap().game
    }

    fn arrival(&mut self, folder: &str) -> Option<Arrival> {
        self.uid += 1;
        Some(Arrival {
            source: "imap://x".into(),
            folder: folder.into(),
            epoch: 1,
            uid: self.uid.to_string(),
            size: None,
            server_date: None,
        })
    }

    /// What a mail means among many games, and for how many of these it is asked. It means the same for these alone, chosen without their
    /// moves as the intake does.
    async fn decided(&mut self, bytes: &[u8], when: DateTime<Utc>) -> (Vec<String>, usize) {
        let message = parse(bytes).unwrap();
        let ids = message.message_id.iter().chain(&message.references).chain(&message.in_reply_to);
        let ids: Vec<String> = ids.map(ToString::to_string).collect();
        let ours = self.store.own_ids(&ids).await.unwrap();
        let mut all = self.store.games().await.unwrap();
        all.splice(..0, strangers());
        let without_moves = |thread: &StoredGame| {
            let mut outline = thread.clone();
            outline.game.moves.clear();
            outline
        };
        let (_, concerns) = concerned(&message, &ours);
        let is_asked = |thread: &&StoredGame| concerns(&without_moves(thread));
        let few: Vec<StoredGame> = all.iter().filter(is_asked).cloned().collect();
        let me = me();
        let decided = |threads: &[StoredGame]| {
            let found = decide(&message, (&me, &self.senders), threads, &ours, &Offers::new(), when);
            format!("{found:?}")
        };
        assert_eq!(decided(&all), decided(&few), "{} of {} games", few.len(), all.len());
        let found = decide(&message, (&me, &self.senders), &all, &ours, &Offers::new(), when);
        (found.iter().map(|finding| finding.thread.game.id.to_string()).collect(), few.len())
    }

    async fn in_sent_at(&mut self, bytes: &[u8], when: DateTime<Utc>) -> Taking {
        self.decided(bytes, when).await;
        let mail = RawMessage { bytes, at: when, arrival: self.arrival("Sent"), verified: None };
        sent::take_in(&mut self.store, &me(), &self.senders, &mail, when).await.unwrap()
    }

    async fn in_sent(&mut self, bytes: &[u8]) -> Taking {
        self.in_sent_at(bytes, sent_at()).await
    }

    async fn in_inbox(&mut self, bytes: &[u8], when: DateTime<Utc>) -> Taking {
        let mail = RawMessage { bytes, at: when, arrival: self.arrival("INBOX"), verified: None };
        take_in(&mut self.store, &me(), &self.senders, &mail, when).await.unwrap()
    }

    /// The own plies of the game with what became of the mails, as `14 recorded 2836`.
    async fn sent(&mut self) -> Vec<String> {
        let mails = self.store.sent_mails(&"SAMPLE-1".parse().unwrap()).await.unwrap();
        let word = |outcome: SentOutcome| format!("{outcome:?}").to_lowercase();
        let line = |m: &amici::io::store::SentMail| {
            let numeric = m.numeric.map(|numeric| format!(" {numeric}")).unwrap_or_default();
            format!("{} {}{numeric}{}", m.ply, word(m.outcome), if m.open { " open" } else { "" })
        };
        mails.iter().map(line).collect()
    }

    /// The subjects of the notices that wait for the player, without drafts.
    async fn told(&mut self) -> Vec<String> {
        let due = self.store.due(at("2030-01-01T00:00:00Z")).await.unwrap();
        let notices = due.iter().filter(|row| row.outgoing.kind == OutgoingKind::Notice);
        notices
            .map(|row| {
                let text = String::from_utf8(row.outgoing.bytes.clone()).unwrap();
                text.replace("\r\n ", " ").lines().find_map(|l| l.strip_prefix("Subject: ")).unwrap().to_owned()
            })
            .collect()
    }

    async fn notice(&mut self) -> String {
        let due = self.store.due(at("2030-01-01T00:00:00Z")).await.unwrap();
        let notice = due.iter().rfind(|row| row.outgoing.kind == OutgoingKind::Notice).unwrap();
        String::from_utf8(notice.outgoing.bytes.clone()).unwrap().replace("\r\n", "\n")
    }

    /// Mails and acts alone make the same record again.
    async fn replays(&mut self) {
        let dir = TempDir::new().unwrap();
        let mut fresh = Store::open(dir.path()).await.unwrap();
        let done = replay(&mut self.store, &mut fresh).await.unwrap();
        assert_eq!((done.diff.as_str(), &done.stopped), ("", &None));
        let games = self.store.games().await.unwrap();
        let checked = amici::proof::verify::verify(&mut self.store, &me(), &games).await.unwrap();
        assert_eq!(checked.games[0].differences, []);
    }
}

/// Games with others: of the same event, with one of her name, with one who shares an address of the player's, and one that is over.
fn strangers() -> Vec<StoredGame> {
    let opponents = [
        ("Far, Ada", "ada@example.com"),
        ("Ostrander, Mila", "mila@example.com"),
        ("Far, Ben", "tobin@example.com"),
        ("Far, Cyd", "cyd@example.com"),
        ("Far, Dan", "td@example.net"),
    ];
    let with = |(number, (name, email)): (usize, (&str, &str))| {
        let mut game = sample(12 + number % 2);
        game.id = format!("FAR-{number}").parse().unwrap();
        (game.white.name, game.white.emails) = (name.to_owned(), vec![email.to_owned()]);
        game.result = (number == 3).then_some(GameResult::Draw);
        StoredGame { game, root_message_id: format!("<FAR-{number}.root@example.net>") }
    };
    opponents.into_iter().enumerate().map(with).collect()
}

fn numerics(game: &Game) -> Vec<String> {
    game.moves.iter().skip(13).map(|record| record.numeric.to_string()).collect()
}

#[tokio::test]
async fn the_planned_move_that_was_sent_is_on_record_with_its_stamp_and_nobody_is_bothered() {
    let mut desk = Desk::planned().await;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    let game = desk.game().await;
    let last: &MoveRecord = game.moves.last().unwrap();
    assert_eq!((numerics(&game), &game.plan), (vec!["2836".to_owned()], &None));
    assert_eq!(last.claimed.sent, Some("2004-11-01".parse().unwrap()));
    assert_eq!(last.observed.sent_at.map(|at| at.to_rfc3339()).as_deref(), Some("2004-11-01T10:30:00+01:00"));
    assert_eq!(desk.sent().await, ["14 recorded 2836"]);
    assert!(desk.told().await.is_empty());
    let games = desk.store.games().await.unwrap();
    let checked = amici::proof::verify::verify(&mut desk.store, &me(), &games).await.unwrap();
    assert_eq!(checked.games[0].from_mails, 1);
    assert_eq!(game.last_message_id.as_deref(), Some(HERS), "no reply answers the player's own mail");
    desk.replays().await;
}

#[tokio::test]
async fn row_edited_another_legal_move_is_recorded_as_sent_and_told_at_once() {
    let mut desk = Desk::planned().await;
    desk.in_sent(&Mail::of(text_with("5544")).bytes()).await;
    let game = desk.game().await;
    assert_eq!((numerics(&game), &game.plan), (vec!["5544".to_owned()], &None));
    assert_eq!(desk.sent().await, ["14 differs 5544 open"]);
    let told = desk.told().await;
    assert!(told[0].contains("you sent 7... 5544") && told[0].contains("planned 2836"), "{told:?}");
    desk.replays().await;
}

#[tokio::test]
async fn row_edited_an_illegal_move_is_not_recorded_and_a_correction_is_prepared() {
    let mut desk = Desk::planned().await;
    desk.in_sent(&Mail::of(text_with("2836").replace("2836", "2846")).bytes()).await;
    let game = desk.game().await;
    assert!(numerics(&game).is_empty() && game.plan.is_some());
    assert_eq!(desk.sent().await, ["14 illegal open"]);
    let notice = desk.notice().await;
    assert!(notice.contains("!! you sent no legal move") && notice.contains("reply.eml"), "{notice}");
    assert!(notice.contains("of 1 November 2004 is illegal") && notice.contains("My move: 7... 2836"), "{notice}");
    // the corrected mail settles it
    let mut corrected = Mail::of(text_with("2836"));
    corrected.id = "<correction@phone.example>";
    desk.in_sent_at(&corrected.bytes(), at("2004-11-01T11:00:00Z")).await;
    assert_eq!(desk.sent().await, ["14 illegal", "14 recorded 2836"]);
    let plies: Vec<u32> = desk.game().await.illegal_mails.iter().map(|mail| mail.ply).collect();
    assert_eq!(plies, [14], "it can be counted for the ply that it was meant for");
    assert!(desk.store.held().await.unwrap().is_empty());
    desk.replays().await;
}

#[tokio::test]
async fn row_edited_the_draft_without_its_move_is_told_as_unreadable() {
    let mut desk = Desk::planned().await;
    desk.in_sent(&Mail::of("Hello Mila,\n\nsorry, more tomorrow.\n".to_owned()).bytes()).await;
    assert!(numerics(&desk.game().await).is_empty());
    assert_eq!(desk.sent().await, ["14 unreadable open"]);
    desk.replays().await;
}

#[tokio::test]
async fn row_prose_edited_only_is_fine() {
    let mut desk = Desk::planned().await;
    let body =
        format!("Hello Mila,\n\nwhat a position! I looked at 5544 for a week.\n\n{}\nBest\nTobin\n", text_with("2836"));
    desk.in_sent(&Mail::of(body).bytes()).await;
    assert_eq!(numerics(&desk.game().await), ["2836"]);
    assert!(desk.told().await.is_empty());
    desk.replays().await;
}

#[tokio::test]
async fn row_prose_that_gives_another_move_of_its_own_is_for_the_player_to_look_at() {
    let mut desk = Desk::planned().await;
    let body = format!("Hello Mila,\n\nthe table is old, my move is 7... 5544\n\n{}", text_with("2836"));
    desk.in_sent(&Mail::of(body).bytes()).await;
    assert!(numerics(&desk.game().await).is_empty());
    assert_eq!(desk.sent().await.len(), 1, "{:?}", desk.sent().await);
    assert!(desk.sent().await[0].starts_with("14 review"), "{:?}", desk.sent().await);
    assert_eq!(desk.store.held().await.unwrap().len(), 1);
}

#[tokio::test]
async fn prose_that_takes_the_move_of_the_table_back_is_for_the_player_to_look_at() {
    for prose in [
        "My move is not 2836 but 5544.",
        "Not Nc6, but exd4!",
        "Mila, I changed my mind: 7... exd4 instead of Nc6.",
        "I rather play exd4.",
        "Stop: I do not play Nc6.",
        "Please wait, I am not sure about Nc6, I will write tomorrow.",
    ] {
        for body in [format!("{prose}\n\n{}", text_with("2836")), format!("{}\n\n{prose}\n", text_with("2836"))] {
            let mut desk = Desk::planned().await;
            desk.in_sent(&Mail::of(body.clone()).bytes()).await;
            assert!(numerics(&desk.game().await).is_empty(), "{body}");
            assert!(desk.sent().await[0].starts_with("14 review"), "{body}");
            assert_eq!(desk.told().await.len(), 1, "{body}");
        }
    }
}

#[tokio::test]
async fn a_legal_number_beside_other_words_is_never_passed_over_in_silence() {
    for body in ["No draw, thanks.\n2836\n", "2836\n5544\n"] {
        let mut desk = Desk::planned().await;
        desk.in_sent(&Mail::of(body.to_owned()).bytes()).await;
        assert!(numerics(&desk.game().await).is_empty(), "{body}");
        assert!(desk.sent().await[0].ends_with(" open"), "{body}: {:?}", desk.sent().await);
        assert_eq!(desk.told().await.len(), 1, "{body}");
    }
}

#[tokio::test]
async fn row_stale_date_the_stamp_counts_and_the_difference_is_told() {
    let mut desk = Desk::planned().await;
    let mut late = Mail::of(text_with("2836"));
    late.date = "Wed, 03 Nov 2004 08:00:00 +0100";
    desk.in_sent_at(&late.bytes(), at("2004-11-03T07:00:05Z")).await;
    let game = desk.game().await;
    let told = desk.told().await;
    assert!(told[0].contains("text said 1 November 2004, server stamp 3 November 2004"), "{told:?}");
    let last = game.moves.last().unwrap();
    assert_eq!(last.claimed.sent, Some("2004-11-01".parse().unwrap()), "what the text states stays on record");
    let ledger = me().ledger(&game).unwrap();
    let ply = ledger.plies().last().unwrap();
    assert_eq!((ply.sent.unwrap().day, ply.days), ("2004-11-03".parse().unwrap(), Some(4)));
    // the next draft carries the corrected line
    assert!(
        compose(&letters::transmission(&game).unwrap()).unwrap().contains("2836  30.10 03.11    4"),
        "{}",
        compose(&letters::transmission(&game).unwrap()).unwrap()
    );
    desk.replays().await;
}

#[tokio::test]
async fn the_day_of_his_own_mail_is_that_of_his_place_in_whatever_offset_its_date_is_stamped() {
    // the instant of the Date, the day at his place, and whether the text says another
    let cases = [
        ("Tue, 02 Nov 2004 06:30:00 +0800", "2004-11-01T22:30:04Z", "2004-11-01", false),
        ("Mon, 01 Nov 2004 13:30:00 -0900", "2004-11-01T22:30:04Z", "2004-11-01", false),
        ("Mon, 01 Nov 2004 23:30:00 +0000", "2004-11-01T23:30:04Z", "2004-11-02", true),
        ("Mon, 01 Nov 2004 23:30:00 -0000", "2004-11-01T23:30:04Z", "2004-11-02", true),
        ("Mon, 01 Nov 2004 15:30:00 -0800", "2004-11-01T23:30:04Z", "2004-11-02", true),
    ];
    for (date, taken, day, is_told) in cases {
        let mut desk = Desk::planned().await;
        let mail = Mail { date, ..Mail::of(text_with("2836")) };
        desk.in_sent_at(&mail.bytes(), at(taken)).await;
        let game = desk.game().await;
        let sent = me().ledger(&game).unwrap().plies().last().unwrap().sent.unwrap();
        assert_eq!(sent.day.to_string(), day, "{date}");
        let observed = game.moves.last().unwrap().observed;
        assert_eq!(observed.sent_at.unwrap().to_utc(), at(taken) - chrono::TimeDelta::seconds(4), "{date}");
        let told = desk.told().await;
        assert_eq!(told.iter().any(|told| told.contains("text said")), is_told, "{date} {told:?}");
        desk.replays().await;
    }
}

#[tokio::test]
async fn row_edited_to_a_day_that_has_not_come_the_stamp_counts_and_the_difference_is_told() {
    let text = text_with("2836");
    let row = text.lines().find(|line| line.contains("2836") && line.contains('|')).unwrap();
    for edited in [text.replace(row, &row.replace("01.11", "09.11")), text.replace("01.11", "09.11")] {
        assert_ne!(edited, text);
        let mut desk = Desk::planned().await;
        desk.in_sent(&Mail::of(edited.clone()).bytes()).await;
        let game = desk.game().await;
        assert_eq!(numerics(&game), ["2836"], "{edited}");
        let told = desk.told().await;
        assert!(told[0].contains("text said 9 November 2004, server stamp 1 November 2004"), "{edited}{told:?}");
        let notice = desk.notice().await;
        assert!(notice.split_whitespace().collect::<Vec<_>>().join(" ").contains("The stamp counts"), "{notice}");
        let ledger = me().ledger(&game).unwrap();
        assert_eq!(ledger.plies().last().unwrap().sent.unwrap().day, "2004-11-01".parse().unwrap());
        desk.replays().await;
    }
}

#[tokio::test]
async fn row_never_sends_nothing_is_recorded_and_the_plan_stays() {
    let mut desk = Desk::planned().await;
    let mut note = Mail::of("Hello Mila, how is the weather in your place?\n".to_owned());
    note.id = "<note@phone.example>";
    desk.in_sent(&note.bytes()).await;
    let game = desk.game().await;
    assert!(numerics(&game).is_empty() && game.plan.is_some());
    assert!(desk.sent().await.is_empty() && desk.told().await.is_empty());
    desk.replays().await;
}

#[tokio::test]
async fn row_sends_twice_the_same_move_is_once_and_the_first_date_counts() {
    let mut desk = Desk::planned().await;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    let first = desk.game().await;
    let mut again = Mail::of(text_with("2836"));
    (again.id, again.date) = ("<again@phone.example>", "Thu, 04 Nov 2004 10:30:00 +0100");
    desk.in_sent_at(&again.bytes(), at("2004-11-04T09:30:00Z")).await;
    assert_eq!(desk.game().await.moves, first.moves);
    assert_eq!(desk.sent().await, ["14 recorded 2836", "14 repeated 2836"]);
    assert!(desk.told().await.is_empty());
    desk.replays().await;
}

#[tokio::test]
async fn row_sends_twice_with_different_moves_the_first_legal_one_stands_and_an_explanation_is_drafted() {
    let mut desk = Desk::planned().await;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    let mut second = Mail::of(text_with("5544"));
    second.id = "<second@phone.example>";
    desk.in_sent_at(&second.bytes(), at("2004-11-01T12:00:00Z")).await;
    assert_eq!(numerics(&desk.game().await), ["2836"]);
    assert_eq!(desk.sent().await, ["14 recorded 2836", "14 second 5544 open"]);
    let notice = desk.notice().await;
    assert!(notice.contains("!! you sent two moves: 7... 2836, then 5544"), "{notice}");
    assert!(notice.contains("My first mail"), "{notice}");
    desk.replays().await;
}

#[tokio::test]
async fn row_from_the_phone_a_new_message_id_and_four_digits_are_enough() {
    let mut desk = Desk::to_move().await;
    let mut phone =
        Mail::of("2836\n\nSent from my phone\n\nOn 30 Oct 2004, Mila Ostrander wrote:\n> 7. 5171\n".to_owned());
    phone.id = "<phone-1@mobile.example>";
    phone.thread = format!("In-Reply-To: {HERS}\n");
    desk.in_sent(&phone.bytes()).await;
    assert_eq!(numerics(&desk.game().await), ["2836"], "{:?} {:?}", desk.sent().await, desk.told().await);
    assert_eq!(desk.sent().await, ["14 recorded 2836"]);
    desk.replays().await;
}

#[tokio::test]
async fn row_from_the_phone_the_answer_to_the_draft_counts_by_the_lines_it_quotes() {
    let mut desk = Desk::planned().await;
    let draft = desk.store.due(at("2030-01-01T00:00:00Z")).await.unwrap().remove(0).outgoing.message_id;
    let quoted: String = text_with("2836").lines().map(|line| format!("> {line}\n")).collect();
    let mut phone = Mail::of(format!("Best regards\n\nOn 1 Nov 2004, Tobin Quillfeather wrote:\n{quoted}"));
    phone.id = "<phone-2@mobile.example>";
    phone.thread = format!("In-Reply-To: {draft}\nReferences: {ROOT} {HERS} {draft}\n");
    desk.in_sent(&phone.bytes()).await;
    assert_eq!(numerics(&desk.game().await), ["2836"], "{:?} {:?}", desk.sent().await, desk.told().await);
    desk.replays().await;
}

#[tokio::test]
async fn words_above_a_quoted_draft_that_went_to_the_opponent_are_for_the_player_to_look_at() {
    for words in ["undo", "hold 1d", "Sorry, not this one, I will send another move."] {
        let mut desk = Desk::planned().await;
        let draft = desk.store.due(at("2030-01-01T00:00:00Z")).await.unwrap().remove(0).outgoing.message_id;
        let quoted: String = text_with("2836").lines().map(|line| format!("> {line}\n")).collect();
        let mut phone = Mail::of(format!("{words}\n\nOn 1 Nov 2004, Tobin Quillfeather wrote:\n{quoted}"));
        phone.id = "<phone-3@mobile.example>";
        phone.thread = format!("In-Reply-To: {draft}\nReferences: {ROOT} {HERS} {draft}\n");
        desk.in_sent(&phone.bytes()).await;
        assert!(numerics(&desk.game().await).is_empty(), "{words}: {:?}", desk.sent().await);
        assert!(desk.sent().await[0].ends_with("open"), "{words}");
        desk.replays().await;
    }
}

#[tokio::test]
async fn row_from_another_account_a_copy_to_himself_counts_where_he_said_so() {
    let mut desk = Desk::planned().await;
    let copy = Mail::of(text_with("2836")).bytes();
    desk.in_inbox(&copy, sent_at()).await;
    assert!(numerics(&desk.game().await).is_empty(), "anybody can write his address");
    let mut desk = Desk::planned().await;
    desk.senders.own_copies = true;
    desk.in_inbox(&copy, sent_at()).await;
    assert_eq!(numerics(&desk.game().await), ["2836"]);
    desk.replays().await;
}

#[tokio::test]
async fn a_copy_to_himself_without_the_pass_of_his_own_server_is_not_believed() {
    let mut desk = Desk::planned().await;
    desk.senders.own_copies = true;
    desk.senders.own_server.ids = vec!["mx.example.net".to_owned()];
    desk.in_inbox(&Mail::of(text_with("2836")).bytes(), sent_at()).await;
    assert!(numerics(&desk.game().await).is_empty());
    let passed = b"Authentication-Results: mx.example.net; dkim=pass header.d=example.net\r\nReceived: by mx.example.net; Mon, 1 Nov 2004 10:30:05 +0100\r\n".to_vec();
    desk.in_inbox(&[passed, Mail::of(text_with("2836")).bytes()].concat(), sent_at()).await;
    assert_eq!(numerics(&desk.game().await), ["2836"]);
}

/// Her answer, which repeats the whole game.
fn answer(game: &Game) -> Vec<u8> {
    let mut hers = game.with_plan_recorded();
    hers.me = Side::White;
    let said = Stated {
        received: Some("2004-11-02".parse().unwrap()),
        sent: Some("2004-11-05".parse().unwrap()),
        ..Stated::default()
    };
    hers.moves.push(MoveRecord::claimed("4445".parse().unwrap(), said));
    let body = compose(&letters::transmission(&hers).unwrap()).unwrap();
    let text = String::from_utf8(his_mail("hers-15", "Re: EM/ZZ/042", &body)).unwrap();
    text.replace("Sat, 30 Oct 2004", "Fri, 05 Nov 2004").into_bytes()
}

#[tokio::test]
async fn row_opponent_answers_before_our_sent_mail_was_seen_which_then_only_adds_its_dates() {
    let mut desk = Desk::planned().await;
    let game = desk.game().await;
    desk.in_inbox(&answer(&game), at("2004-11-05T19:00:00Z")).await;
    let answered = desk.game().await;
    assert_eq!(numerics(&answered), ["2836", "4445"], "{:?}", desk.told().await);
    assert!(answered.moves[13].observed.is_empty());
    let told = desk.told().await.len();
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    let game = desk.game().await;
    assert_eq!(numerics(&game), ["2836", "4445"]);
    assert_eq!(game.moves[13].observed.sent, Some("2004-11-01".parse().unwrap()));
    assert_eq!(game.moves[13].claimed, answered.moves[13].claimed);
    assert_eq!(desk.sent().await, ["14 repeated 2836"]);
    assert_eq!(desk.told().await.len(), told);
    desk.replays().await;
}

#[tokio::test]
async fn inbox_and_sent_in_either_order_give_the_same_game() {
    let copy = Mail::of(text_with("2836")).bytes();
    let mut games = Vec::new();
    for sent_first in [true, false] {
        let mut desk = Desk::planned().await;
        let hers = answer(&desk.game().await);
        if sent_first {
            desk.in_sent(&copy).await;
        }
        desk.in_inbox(&hers, at("2004-11-05T19:00:00Z")).await;
        if !sent_first {
            desk.in_sent(&copy).await;
        }
        games.push(desk.game().await.moves);
    }
    assert_eq!(games[0], games[1]);
}

#[tokio::test]
async fn the_same_bytes_in_the_inbox_first_still_count_when_they_lie_in_the_sent_folder() {
    let mut desk = Desk::planned().await;
    let copy = Mail::of(text_with("2836")).bytes();
    desk.in_inbox(&copy, sent_at()).await;
    for _ in 0..2 {
        desk.in_sent(&copy).await;
    }
    assert_eq!(desk.sent().await, ["14 recorded 2836"]);
    desk.replays().await;
}

#[tokio::test]
async fn row_sent_without_any_draft_counts_all_the_same() {
    let mut desk = Desk::to_move().await;
    let mut own = Mail::of(text_with("5544"));
    own.id = "<desk-7@example.net>";
    desk.in_sent(&own.bytes()).await;
    assert_eq!(numerics(&desk.game().await), ["5544"]);
    assert!(desk.told().await.is_empty());
    desk.replays().await;
}

#[tokio::test]
async fn a_mail_that_only_its_recipient_ties_to_the_game_is_held_for_the_player() {
    let mut desk = Desk::planned().await;
    let mut loose = Mail::of("2836\n".to_owned());
    (loose.id, loose.subject, loose.thread) = ("<loose@phone.example>", "chess", String::new());
    desk.in_sent(&loose.bytes()).await;
    assert!(numerics(&desk.game().await).is_empty());
    assert_eq!(desk.sent().await, ["14 review 2836 open"]);
    let held = desk.store.held().await.unwrap();
    desk.store.settle_verdict(held[0].verdict, None, &[], &ignored(), at("2004-11-02T08:00:00Z")).await.unwrap();
    assert_eq!(desk.sent().await, ["14 review 2836"]);
    desk.replays().await;
}

fn ignored() -> amici::io::store::EventRow {
    amici::io::store::EventRow {
        game: Some("SAMPLE-1".parse().unwrap()),
        kind: "ignored".into(),
        text: "put away".into(),
    }
}

#[tokio::test]
async fn a_mail_to_somebody_else_with_the_move_is_told_and_does_not_count() {
    let mut desk = Desk::planned().await;
    let mut wrong = Mail::of(text_with("2836"));
    wrong.to = "mila@elsewhere.example";
    desk.in_sent(&wrong.bytes()).await;
    assert!(numerics(&desk.game().await).is_empty());
    assert_eq!(desk.sent().await, ["14 review 2836 open"]);
    let notice = desk.notice().await.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(notice.contains("went to mila@elsewhere.example"), "{notice}");
    desk.replays().await;
}

#[tokio::test]
async fn a_mail_to_the_director_or_to_himself_is_none() {
    for to in ["td@example.net", "tobin@example.com"] {
        let mut desk = Desk::planned().await;
        desk.senders.directors.push("td@example.net".parse().unwrap());
        let mut other = Mail::of(text_with("2836"));
        other.to = to;
        desk.in_sent(&other.bytes()).await;
        assert!(desk.sent().await.is_empty() && desk.told().await.is_empty(), "{to}");
        assert!(numerics(&desk.game().await).is_empty());
        desk.replays().await;
    }
}

#[tokio::test]
async fn lines_and_a_draw_offered_in_the_sent_mail_bind_the_player() {
    let mut desk = Desk::planned().await;
    let text = text_with("2836").replace("My move: 7... 2836", "My move: 7... 2836 if 8. 4445 then 8... 3657")
        + "I offer a draw.\n";
    desk.in_sent(&Mail::of(text).bytes()).await;
    let game = desk.game().await;
    assert_eq!(numerics(&game), ["2836"], "{:?} {:?}", desk.sent().await, desk.told().await);
    assert_eq!(game.draw_offer, Some(Side::Black));
    assert_eq!(game.conditionals, [["4445".parse().unwrap(), "3657".parse().unwrap()]]);
    desk.replays().await;
}

#[tokio::test]
async fn an_old_mail_without_a_number_is_no_move_for_today() {
    for (plies, digits) in [(13, "2836"), (13, "2846"), (14, "5544")] {
        let mut game = sample(13);
        game.moves.extend((plies == 14).then(|| MoveRecord::claimed("2836".parse().unwrap(), stated("2004-11-01"))));
        let mut desk = Desk::with(game).await;
        let mut old = Mail::of(format!("{digits}\n"));
        (old.id, old.date) = ("<old@phone.example>", "Tue, 05 Oct 2004 10:30:00 +0200");
        desk.in_sent_at(&old.bytes(), at("2004-10-05T08:30:00Z")).await;
        assert_eq!((desk.game().await.moves.len(), desk.told().await.len()), (plies, 0), "{plies} {digits}");
    }
}

#[tokio::test]
async fn a_private_mail_leaves_nothing_but_its_hash() {
    let mut desk = Desk::planned().await;
    let mut letter = Mail::of("Dear aunt, 2836 thanks for the cake.\n".to_owned());
    (letter.id, letter.to, letter.thread) = ("<aunt@example.net>", "aunt@example.com", String::new());
    letter.subject = "a secret";
    desk.in_sent(&letter.bytes()).await;
    let dump = desk.store.snapshot().await.unwrap().dump;
    assert!(!dump.contains("secret") && !dump.contains("aunt"), "{dump}");
    desk.replays().await;
}

/// What a mail server writes about a mail that it could not deliver.
pub(crate) fn report(id: &str, action: &str, status: &str) -> Vec<u8> {
    let text = format!(
        "Return-Path: <>\nFrom: Mail Delivery System <MAILER-DAEMON@example.net>\nTo: tobin.q@example.net\n\
         Subject: Undelivered Mail Returned to Sender\nDate: Mon, 01 Nov 2004 10:31:00 +0100\nMessage-ID: <report-{action}-{status}@example.net>\n\
         Auto-Submitted: auto-replied\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\nContent-Type: text/plain\n\nSorry.\n\
         --b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; example.net\n\n\
         Final-Recipient: rfc822; mila.ostrander@example.org\nAction: {action}\nStatus: {status}\n\
         --b\nContent-Type: text/rfc822-headers\n\nFrom: tobin.q@example.net\nTo: mila.ostrander@example.org\n\
         Message-ID: {id}\nSubject: Re: EM/ZZ/042\n--b--\n"
    );
    text.replace('\n', "\r\n").into_bytes()
}

/// The flags of the game in `status`.
async fn flags(desk: &mut Desk) -> Vec<&'static str> {
    let flags = desk.store.sending_flags().await.unwrap();
    let watched = desk.store.watched_games().await.unwrap();
    let today = at("2004-11-02T09:00:00Z").date_naive();
    let is_sent = watched.iter().any(|game| summed_up(game, &me(), today).unwrap().sent);
    flags.into_iter().map(|(_, flag)| flag).chain(is_sent.then_some("sent")).collect()
}

/// Mila has a second address.
async fn with_two_addresses() -> Desk {
    let mut game = sample(13);
    game.white.emails.push("mila@second.example".to_owned());
    Desk::with(game).await
}

#[tokio::test]
async fn a_directors_copy_that_came_back_says_nothing_of_the_opponents() {
    let mut desk = Desk::planned().await;
    let event = "[[event]]\nname = \"EM/ZZ/042\"\ndirector = \"td@example.com\"\ncc_director = true\n";
    desk.senders = Config::parse(&format!("{ME}{event}")).unwrap().senders;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    let report = String::from_utf8(report(REPLY, "failed", "5.1.1")).unwrap();
    let report = report.replace("rfc822; mila.ostrander@example.org", "rfc822; td@example.com");
    desk.in_inbox(report.as_bytes(), at("2004-11-01T09:31:00Z")).await;
    assert_eq!(flags(&mut desk).await, ["sent"]);
    assert!(desk.told().await.is_empty());
    desk.replays().await;
}

#[tokio::test]
async fn row_bounce_of_our_move_is_flagged_told_with_the_other_address_and_counts_no_silence() {
    let mut desk = with_two_addresses().await;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    assert_eq!(flags(&mut desk).await, ["sent"]);
    let before = desk.game().await;
    desk.in_inbox(&report(REPLY, "failed", "5.1.1"), at("2004-11-01T09:31:00Z")).await;
    assert_eq!(flags(&mut desk).await, ["bounced"]);
    assert_eq!(desk.game().await, before, "a report changes no move");
    let notice = desk.notice().await;
    assert!(notice.contains("Subject: [amici SAMPLE-1] !! your 7... did not reach"), "{notice}");
    assert!(notice.contains("(5.1.1)"), "{notice}");
    assert!(notice.contains("Reply-To: ") && notice.contains("mila@second.example"), "{notice}");
    let id = ["SAMPLE-1".parse().unwrap()];
    let silence = |watched: &amici::io::store::WatchedGame| {
        let summary = amici::overview::summed_up(watched, &me(), "2004-12-30".parse().unwrap()).unwrap();
        summary.marks().iter().any(|mark| mark.is_of_silence())
    };
    let watched = desk.store.watched(&id).await.unwrap().remove(0);
    assert!(watched.came_back && !silence(&watched));
    // it goes out again to the other address
    let mut again = Mail::of(text_with("2836"));
    (again.id, again.to) = ("<again@phone.example>", "mila@second.example");
    desk.in_sent_at(&again.bytes(), at("2004-11-02T09:30:00Z")).await;
    assert_eq!(flags(&mut desk).await, ["sent"]);
    let watched = desk.store.watched(&id).await.unwrap().remove(0);
    assert!(!watched.came_back && silence(&watched));
    desk.replays().await;
}

#[tokio::test]
async fn row_bounce_that_is_read_after_the_resend_names_the_command_that_counts_from_it() {
    let mut desk = with_two_addresses().await;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    let mut again = Mail::of(text_with("2836"));
    (again.id, again.to) = ("<again@phone.example>", "mila@second.example");
    desk.in_sent_at(&again.bytes(), at("2004-11-02T09:30:00Z")).await;
    desk.in_inbox(&report(REPLY, "failed", "5.1.1"), at("2004-11-03T09:31:00Z")).await;
    let notice = desk.notice().await;
    let flat = notice.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("To count from then: amici repeat SAMPLE-1 --sent --on 2004-11-02"), "{notice}");
    assert!(!notice.contains("reply.eml") && !notice.contains("Send it again later"), "{notice}");
    // the resend came back as well: nothing else went out
    desk.in_inbox(&report("<again@phone.example>", "failed", "5.1.1"), at("2004-11-04T09:31:00Z")).await;
    let notice = desk.notice().await;
    assert!(!notice.contains("To count from then"), "{notice}");
    desk.replays().await;
}

#[tokio::test]
async fn row_bounce_is_cleared_by_her_answer_and_comes_too_late_after_it() {
    let mut desk = Desk::planned().await;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    let hers = answer(&desk.game().await);
    desk.in_inbox(&report(REPLY, "failed", "5.2.2"), at("2004-11-01T09:31:00Z")).await;
    desk.in_inbox(&hers, at("2004-11-05T19:00:00Z")).await;
    assert_eq!(flags(&mut desk).await, Vec::<&str>::new());
    let told = desk.told().await.len();
    desk.in_inbox(&report(REPLY, "failed", "5.1.1"), at("2004-11-06T09:31:00Z")).await;
    assert_eq!((flags(&mut desk).await.len(), desk.told().await.len()), (0, told));
    desk.replays().await;
}

#[tokio::test]
async fn row_bounce_a_delay_is_only_noted() {
    let mut desk = Desk::planned().await;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    desk.in_inbox(&report(REPLY, "delayed", "4.4.1"), at("2004-11-01T13:31:00Z")).await;
    assert_eq!((flags(&mut desk).await, desk.told().await.len()), (vec!["sent"], 0));
    let events = desk.store.events(&"SAMPLE-1".parse().unwrap()).await.unwrap();
    assert!(events.iter().any(|event| event.kind == "delayed" && event.text.contains("goes on trying")));
    desk.replays().await;
}

#[tokio::test]
async fn row_bounce_before_the_sent_mail_was_read_is_not_cleared_by_it() {
    let mut desk = Desk::planned().await;
    desk.in_inbox(&report(REPLY, "failed", "5.1.1"), at("2004-11-01T09:31:00Z")).await;
    assert_eq!(flags(&mut desk).await, ["bounced"]);
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    assert_eq!((numerics(&desk.game().await), flags(&mut desk).await), (vec!["2836".to_owned()], vec!["bounced"]));
    desk.replays().await;
}

#[tokio::test]
async fn a_report_about_a_mail_with_another_subject_is_no_game_mail() {
    let mut desk = Desk::planned().await;
    let other = report("<other@example.net>", "failed", "5.1.1");
    let private = String::from_utf8(other.clone()).unwrap().replace("Subject: Re: EM/ZZ/042", "Subject: Greetings");
    desk.in_inbox(private.as_bytes(), at("2004-11-01T09:31:00Z")).await;
    assert!(flags(&mut desk).await.is_empty() && desk.told().await.is_empty());
    desk.replays().await;

    let mut desk = Desk::planned().await;
    desk.in_inbox(&other, at("2004-11-01T09:31:00Z")).await;
    assert_eq!(flags(&mut desk).await, ["bounced"], "his own mail client gave it an id that is not known here");
    assert!(desk.notice().await.contains("!! your 7... did not reach"));
    desk.replays().await;
}

#[tokio::test]
async fn a_mail_with_the_move_and_the_pairing_of_another_game_is_told_at_once() {
    let ada = |game: &mut Game| {
        game.id = "OTHER-2".parse().unwrap();
        game.white.name = "Ada Finch".to_owned();
        game.white.emails = vec!["ada@example.com".to_owned()];
    };
    let mut other = sample(13);
    ada(&mut other);
    let mut desk = Desk::planned().await;
    desk.store.import(&[(other, "<OTHER-2.root@example.net>".to_owned())], false, sent_at()).await.unwrap();
    let mut wrong = Mail::of("EM/ZZ/042\nOstrander - Quillfeather\n\n7... 2836\n".to_owned());
    (wrong.id, wrong.to, wrong.subject, wrong.thread) =
        ("<phone-7@mobile.example>", "ada@example.com", "my move", String::new());
    desk.in_sent(&wrong.bytes()).await;
    let notice = desk.notice().await.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(notice.contains("went to ada@example.com, who is not Ostrander, Mila"), "{notice}");
    desk.replays().await;
}

#[tokio::test]
async fn row_opponents_table_differs_that_she_read_another_move_is_flagged() {
    let mut desk = Desk::planned().await;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    let hers = String::from_utf8(answer(&desk.game().await)).unwrap().replace("2836", "5544").replace("4445", "3344");
    desk.in_inbox(hers.as_bytes(), at("2004-11-05T19:00:00Z")).await;
    assert_eq!(numerics(&desk.game().await), ["2836"]);
    assert!(flags(&mut desk).await.contains(&"misread"), "{:?} {:?}", flags(&mut desk).await, desk.told().await);
    desk.replays().await;
}

/// The letter that goes along with the newest notice, as the player's program sends it.
async fn enclosed(desk: &mut Desk, id: &'static str) -> Mail<'static> {
    let notice = desk.notice().await;
    let (_, text) = notice.split_once("\nHello,\n").unwrap();
    let (body, _) = text.split_once("\n--=_").unwrap();
    let mut mail = Mail::of(format!("Hello,\n{body}\n"));
    mail.id = id;
    mail
}

#[tokio::test]
async fn the_letters_that_the_program_offers_are_read_back_as_what_they_are() {
    // a correction gives the move
    let mut desk = Desk::planned().await;
    desk.in_sent(&Mail::of(text_with("2836").replace("2836", "2846")).bytes()).await;
    let correction = enclosed(&mut desk, "<correction@phone.example>").await;
    desk.in_sent_at(&correction.bytes(), at("2004-11-01T11:00:00Z")).await;
    assert_eq!(desk.sent().await, ["14 illegal", "14 recorded 2836"]);
    // an explanation repeats the first one
    let mut second = Mail::of(text_with("5544"));
    second.id = "<second@phone.example>";
    desk.in_sent_at(&second.bytes(), at("2004-11-01T12:00:00Z")).await;
    let explanation = enclosed(&mut desk, "<explanation@phone.example>").await;
    desk.in_sent_at(&explanation.bytes(), at("2004-11-01T13:00:00Z")).await;
    assert_eq!(desk.sent().await[2..], ["14 second 5544 open", "14 repeated 2836"]);
    // so does the same move to another address
    let mut desk = with_two_addresses().await;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    desk.in_inbox(&report(REPLY, "failed", "5.1.1"), at("2004-11-01T09:31:00Z")).await;
    let again = enclosed(&mut desk, "<again@phone.example>").await;
    desk.in_sent_at(&again.bytes(), at("2004-11-01T14:00:00Z")).await;
    assert_eq!(desk.sent().await, ["14 recorded 2836", "14 repeated 2836"]);
    desk.replays().await;
}

#[tokio::test]
async fn letters_about_the_game_without_a_move_are_none() {
    let until = "2004-12-01".parse().unwrap();
    for plies in [13, 14] {
        let mut game = sample(13);
        game.moves.extend((plies == 14).then(|| MoveRecord::claimed("2836".parse().unwrap(), stated("2004-11-01"))));
        let letters = [
            letters::announce_text(&game, None, until, Some("I am thinking about 5544."), &me()).unwrap(),
            letters::message_text(&sample(13), "Did you get my mail? 7... is hard.", &me()),
        ];
        for letter in letters {
            let mut desk = Desk::with(game.clone()).await;
            let mut mail = Mail::of(letter);
            mail.id = "<letter@desk.example>";
            desk.in_sent(&mail.bytes()).await;
            let (sent, told) = (desk.sent().await, desk.told().await);
            assert_eq!(desk.game().await.moves, game.moves, "{}", mail.body);
            assert!(
                told.is_empty() && sent.iter().all(|line| line.contains("repeated")),
                "{sent:?} {told:?} {}",
                mail.body
            );
        }
    }
}

#[tokio::test]
async fn a_copy_that_came_to_the_inbox_before_gives_the_instant_that_is_on_record() {
    let mut desk = Desk::planned().await;
    let mail = Mail::of(text_with("2836"));
    desk.in_inbox(&mail.bytes(), at("2004-11-01T09:30:00Z")).await;
    desk.in_sent_at(&mail.bytes(), at("2004-11-01T10:30:00Z")).await;
    assert_eq!(numerics(&desk.game().await), ["2836"]);
    desk.replays().await;
}

/// One step of a player who does everything wrong, or of the mail.
#[derive(Debug, Clone)]
enum Step {
    /// He sends this text, with the draft's id or another, in the thread or outside.
    Sends { text: usize, id: u8, threaded: bool, to_her: bool },
    /// A copy comes to the inbox.
    Copies { text: usize },
    /// A report comes.
    Bounces { id: u8, delayed: bool },
    /// She answers.
    Answers,
}

/// What he may send, with the move that the mail gives.
fn texts() -> Vec<(String, Option<&'static str>)> {
    let edited = text_with("2836").replace("My move: 7... 2836", "My move: 7... 5544");
    vec![
        (text_with("2836"), Some("2836")),
        (text_with("5544"), Some("5544")),
        (text_with("2836").replace("2836", "2846"), None),
        ("Hello, a fine game.\n".to_owned(), None),
        ("2836\n".to_owned(), Some("2836")),
        (edited, None),
        (format!("I thought of 5544.\n\n{}", text_with("2836")), Some("2836")),
    ]
}

fn step() -> impl proptest::strategy::Strategy<Value = Step> {
    use proptest::prelude::*;
    prop_oneof![
        6 => (0usize..7, 0u8..4, any::<bool>(), prop::bool::weighted(0.8))
            .prop_map(|(text, id, threaded, to_her)| Step::Sends { text, id, threaded, to_her }),
        1 => (0usize..7).prop_map(|text| Step::Copies { text }),
        2 => (0u8..4, any::<bool>()).prop_map(|(id, delayed)| Step::Bounces { id, delayed }),
        2 => Just(Step::Answers),
    ]
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(12))]
    #[test]
    fn no_sequence_of_failures_records_a_move_that_no_mail_of_his_contains(
        steps in proptest::collection::vec(step(), 1..7),
        planned in proptest::bool::ANY,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut desk = if planned { Desk::planned().await } else { Desk::to_move().await };
            let texts = texts();
            let mut given: Vec<&str> = Vec::new();
            for (hour, step) in steps.iter().enumerate() {
                let when = sent_at() + chrono::Duration::hours(i64::try_from(hour).unwrap());
                let ids = [REPLY, "<a@phone.example>", "<b@phone.example>", "<c@phone.example>"];
                match step {
                    Step::Sends { text, id, threaded, to_her } => {
                        let (body, gives) = &texts[*text];
                        let mut mail = Mail::of(body.clone());
                        mail.id = ids[usize::from(*id)];
                        if !threaded {
                            mail.thread = String::new();
                        }
                        if !to_her {
                            mail.to = "somebody@elsewhere.example";
                        }
                        given.extend(gives.filter(|_| *to_her));
                        desk.in_sent_at(&mail.bytes(), when).await;
                    }
                    Step::Copies { text } => {
                        desk.in_inbox(&Mail::of(texts[*text].0.clone()).bytes(), when).await;
                    }
                    Step::Bounces { id, delayed } => {
                        let action = if *delayed { "delayed" } else { "failed" };
                        desk.in_inbox(&report(ids[usize::from(*id)], action, "5.1.1"), when).await;
                    }
                    Step::Answers => {
                        let game = desk.game().await;
                        if game.with_plan_recorded().moves.len() == 14 {
                            // what she repeats, she was sent
                            given.extend(game.plan.is_some().then_some("2836"));
                            desk.in_inbox(&answer(&game), when).await;
                        }
                    }
                }
            }
            let game = desk.game().await;
            if let Some(own) = game.moves.get(13) {
                assert!(given.contains(&own.numeric.to_string().as_str()), "{own:?} of {given:?}");
            }
            desk.replays().await;
        });
    }
}

/// Two running games with Mila in different events, both after 7. 5171.
async fn two_games() -> Desk {
    let mut desk = Desk::to_move().await;
    let mut second = sample(13);
    second.id = "SAMPLE-2".parse().unwrap();
    second.event = "EM/ZZ/077".to_owned();
    second.last_message_id = Some("<hers-13b@example.org>".to_owned());
    second.seen_message_ids.push("<hers-13b@example.org>".to_owned());
    let root = "<SAMPLE-2.k3v9@example.net>".to_owned();
    desk.store.import(&[(second, root)], false, at("2004-10-30T18:31:00Z")).await.unwrap();
    desk
}

/// How many plies both games have.
async fn plies(desk: &mut Desk) -> (usize, usize) {
    let second = desk.store.game(&"SAMPLE-2".parse().unwrap()).await.unwrap().unwrap().game;
    (desk.game().await.moves.len(), second.moves.len())
}

#[tokio::test]
async fn of_two_games_with_one_opponent_the_thread_or_the_subject_tells_which_is_meant() {
    let first = format!("In-Reply-To: {HERS}\nReferences: {ROOT} {HERS}\n");
    let second = "In-Reply-To: <hers-13b@example.org>\n".to_owned();
    let both = format!("In-Reply-To: {HERS}\nReferences: {ROOT} <hers-13b@example.org>\n");
    let plain = "2836\n\nThanks, all the best\nTobin\n";
    for (thread, subject, body, expected) in [
        (&first, "your move", plain, (14, 13)),
        (&second, "your move", plain, (13, 14)),
        (&String::new(), "Re: EM/ZZ/077", plain, (13, 14)),
        (&String::new(), "Re: SAMPLE-1", plain, (14, 13)),
        (&both, "Re: EM/ZZ/042", plain, (14, 13)),
        (&first, "Re: EM/ZZ/042", "7... 2836\n", (14, 13)),
        // what speaks against it
        (&first, "Re: EM/ZZ/077", plain, (13, 13)),
        (&both, "your move", plain, (13, 13)),
        (&first, "your move", "2836\n\nfor the second game\n", (13, 13)),
        (&String::new(), "your move", plain, (13, 13)),
    ] {
        let mut desk = two_games().await;
        let mut own = Mail::of(body.to_owned());
        (own.id, own.subject, own.thread) = ("<phone-7@mobile.example>", subject, thread.clone());
        desk.in_sent(&own.bytes()).await;
        assert_eq!(plies(&mut desk).await, expected, "{thread} {subject} {body}: {:?}", desk.told().await);
        assert_eq!(
            desk.told().await.is_empty(),
            expected != (13, 13),
            "{thread} {subject} {body}: {:?}",
            desk.told().await
        );
        desk.replays().await;
    }
}

#[tokio::test]
async fn a_mail_of_the_players_asks_for_the_games_of_its_thread_its_recipients_and_its_names_alone() {
    let none = "";
    let root = format!("References: {ROOT}\n");
    let far = "References: <FAR-0.root@example.net>\n";
    let draft = format!("In-Reply-To: {REPLY}\n");
    let ada = "Ada <ada@example.com>";
    let both = format!("{MILA}, {ada}");
    for (to, thread, subject, means, few) in [
        (MILA, root.as_str(), "x", &["SAMPLE-1"][..], 2),
        (MILA, none, "Re: EM/ZZ/042", &["SAMPLE-1"], 2),
        (MILA, none, "x", &["SAMPLE-1", "SAMPLE-2"], 2),
        // to another opponent, with the move that is due in the game that it names
        ("mila@example.com", none, "Re: SAMPLE-1", &["SAMPLE-1"], 2),
        ("mila@example.com", none, "x", &["FAR-1"], 1),
        // went to somebody else
        ("nobody@example.org", root.as_str(), "x", &["SAMPLE-1"], 1),
        ("nobody@example.org", draft.as_str(), "x", &["SAMPLE-1"], 1),
        ("nobody@example.org", none, "Re: SAMPLE-1, EM/ZZ/042", &[], 1),
        (ada, root.as_str(), "Re: SAMPLE-1", &["SAMPLE-1"], 2),
        (MILA, far, "x", &[], 3),
        (both.as_str(), none, "x", &["FAR-0", "SAMPLE-1", "SAMPLE-2"], 3),
        (both.as_str(), far, "SAMPLE-2", &["SAMPLE-2"], 3),
        // his own address is an opponent's too
        ("tobin@example.com", none, "SAMPLE-1", &[], 2),
        ("tobin@example.com", root.as_str(), "SAMPLE-1", &[], 2),
        ("cyd@example.com", none, "x", &["FAR-3"], 1),
        ("td@example.net", root.as_str(), "x", &["SAMPLE-1"], 2),
    ] {
        let mut desk = two_games().await;
        desk.plans().await;
        let mut own = Mail::of("7... 2836\n".to_owned());
        (own.id, own.to, own.subject, own.thread) = ("<phone-7@mobile.example>", to, subject, thread.to_owned());
        let decided = desk.decided(&own.bytes(), sent_at()).await;
        assert_eq!(decided, (means.iter().map(ToString::to_string).collect(), few), "{to} {thread} {subject}");
    }
}

#[tokio::test]
async fn a_bare_move_in_the_thread_of_a_game_where_it_is_her_turn_is_held_for_the_other() {
    let mut desk = two_games().await;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    let mut own = Mail::of("2836\n".to_owned());
    (own.id, own.subject) = ("<phone-7@mobile.example>", "your move");
    desk.in_sent_at(&own.bytes(), at("2004-11-02T09:30:00Z")).await;
    assert_eq!(plies(&mut desk).await, (14, 13));
    assert_eq!(desk.store.held().await.unwrap().len(), 1, "{:?}", desk.told().await);
}

#[tokio::test]
async fn words_in_place_of_the_agreed_numbers_are_what_was_sent_and_the_player_is_told() {
    for (body, expected) in [
        ("7... Nc6\n", Some("2836")),
        ("Nc6\n", Some("2836")),
        ("7... Sc6\n", Some("2836")),
        ("7... b8-c6\n", Some("2836")),
        ("7... Nd7\n", None),
        ("7... Nf6\n", None),
        ("7... Nc6\n\n7... 2847\n", None),
        ("7... 2847 (Nc6)\n", None),
        ("8... Nc6\n", None),
    ] {
        let mut desk = Desk::planned().await;
        let mut own = Mail::of(body.to_owned());
        own.id = "<phone-8@mobile.example>";
        desk.in_sent(&own.bytes()).await;
        let given = numerics(&desk.game().await);
        assert_eq!(given.first().map(String::as_str), expected, "{body}: {:?}", desk.told().await);
        if expected.is_some() {
            assert_eq!(desk.sent().await, ["14 recorded 2836"], "{body}");
            assert_eq!(desk.told().await, ["[amici SAMPLE-1] 7... 2836 (Nc6) was sent in words, not in numbers"]);
            assert!(desk.notice().await.contains("agreed on numbers"), "{}", desk.notice().await);
            desk.in_sent_at(&[own.bytes().as_slice(), b"\r\n"].concat(), at("2004-11-01T10:30:00Z")).await;
            assert_eq!(desk.told().await.len(), 1, "a second copy");
            // what the notice says: she asks for the number, and he answers with it
            let notice = desk.notice().await.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(notice.contains("answer him with 7... 2836: the same move once more changes nothing"), "{notice}");
            assert!(!notice.contains("amici repeat"), "{notice}");
            let mut number = Mail::of("7... 2836\n".to_owned());
            number.id = "<phone-9@mobile.example>";
            desk.in_sent_at(&number.bytes(), at("2004-11-02T10:30:00Z")).await;
            assert_eq!(numerics(&desk.game().await), given, "{body}");
            assert_eq!(desk.told().await.len(), 1, "{:?}", desk.told().await);
        }
        desk.replays().await;
    }
}

#[tokio::test]
async fn his_own_word_that_the_game_is_over_is_told_with_the_command_that_closes_it() {
    for (body, offered, my_turn, command) in [
        ("I resign.\n", false, true, "amici result SAMPLE-1 1-0"),
        ("Ich gebe auf. Danke für die Partie!\n", false, true, "amici result SAMPLE-1 1-0"),
        ("I resign.\n", false, false, "amici result SAMPLE-1 1-0"),
        ("I accept the draw.\n", true, true, "amici result SAMPLE-1 1/2-1/2"),
        ("I accept your draw offer.\n", false, true, "amici result SAMPLE-1 1/2-1/2"),
    ] {
        let mut game = sample(if my_turn { 13 } else { 12 });
        game.draw_offer = offered.then_some(Side::White);
        let mut desk = Desk::with(game).await;
        let mut own = Mail::of(body.to_owned());
        own.id = "<end-1@mobile.example>";
        desk.in_sent(&own.bytes()).await;
        let notice = desk.notice().await;
        assert!(notice.contains(command), "{body}: {notice}");
        assert!(!notice.contains("amici sent") && !notice.contains("\"he\""), "{body}: {notice}");
        let game = desk.game().await;
        assert_eq!((game.result, game.moves.len()), (None, if my_turn { 13 } else { 12 }), "it closes nothing");
        desk.replays().await;
    }
}

#[tokio::test]
async fn a_day_in_the_text_that_is_not_that_of_the_mail_is_told_wherever_it_stands() {
    let drafted = text_with("2836");
    assert!(drafted.contains("sent 01.11.2004") && drafted.contains("30.10 01.11"), "{drafted}");
    for edited in [
        drafted.replace("sent 01.11.2004", "sent 30.10.2004"),
        drafted.replace("30.10 01.11", "30.10 30.10"),
        drafted.replace("sent 01.11.2004", "sent 30.10.2004").replace("30.10 01.11", "30.10 30.10"),
    ] {
        assert_ne!(edited, drafted);
        let mut desk = Desk::planned().await;
        desk.in_sent(&Mail::of(edited.clone()).bytes()).await;
        assert_eq!(numerics(&desk.game().await), ["2836"]);
        let told = desk.told().await;
        assert_eq!(told.len(), 1, "{edited}");
        assert!(told[0].contains("text said 30 October 2004, server stamp 1 November 2004"), "{told:?}");
        desk.replays().await;
    }
}

#[tokio::test]
async fn another_move_and_another_day_are_told_in_one_notice() {
    let mut desk = Desk::planned().await;
    let mut late = Mail::of(text_with("5544"));
    late.date = "Wed, 03 Nov 2004 08:00:00 +0100";
    desk.in_sent_at(&late.bytes(), at("2004-11-03T07:00:05Z")).await;
    let notice = desk.notice().await.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(desk.told().await.len(), 1);
    for part in
        ["you sent 7... 5544 (exd4), planned 2836", "there is nothing else to do", "Its text said sent 1 November"]
    {
        assert!(notice.contains(part), "{part}: {notice}");
    }
}

/// Her 7. 5171 has come, with this offer.
async fn offered(offer: &str) -> Desk {
    let mut desk = Desk::with(sample(12)).await;
    let hers = his_mail("hers-14", "Re: EM/ZZ/042", &format!("7. 5171 {offer}\n"));
    desk.in_inbox(&hers, at("2004-10-30T18:22:05Z")).await;
    assert_eq!(desk.game().await.moves.len(), 13, "{:?}", desk.told().await);
    desk
}

#[tokio::test]
async fn her_lines_in_several_games_are_asked_for_at_once() {
    let mut desk = Desk::with(sample(12)).await;
    let second = Game { id: "SAMPLE-2".parse().unwrap(), event: "EM/ZZ/077".to_owned(), ..sample(12) };
    let third = Game { id: "SAMPLE-3".parse().unwrap(), event: "EM/ZZ/099".to_owned(), ..sample(13) };
    let root = |game: &Game| format!("<{}@example.net>", game.id);
    let more = [second, third].map(|game| (game.clone(), root(&game)));
    desk.store.import(&more, false, at("2004-10-30T18:00:00Z")).await.unwrap();
    for (id, named, mine) in [("h1", "SAMPLE-1", "2836"), ("h2", "SAMPLE-2", "2847")] {
        let hers = his_mail(id, named, &format!("7. 5171 if 7... {mine} then 8. 4445\n"));
        desk.in_inbox(&hers, at("2004-10-30T18:22:05Z")).await;
    }
    let (one, two, three) = ("SAMPLE-1".parse().unwrap(), "SAMPLE-2".parse().unwrap(), "SAMPLE-3".parse().unwrap());
    let lines = desk.store.lines_with(&[(&two, 13), (&three, 13), (&one, 13), (&one, 12), (&one, 14)]).await.unwrap();
    let line = |mine: &str| vec![vec![mine.to_owned(), "4445".to_owned()]];
    let expected = [(two, line("2847")), (three, vec![]), (one.clone(), line("2836")), (one, vec![])];
    assert_eq!(lines, expected);
}

#[tokio::test]
async fn who_takes_her_line_by_repeating_it_sends_three_half_moves_in_one_mail() {
    let line = "if 7... 2836 then 8. 4445";
    for (body, expected) in [
        ("7... 2836 8. 4445\n8... 3657\n", &["2836", "4445", "3657"][..]),
        ("7... 2836 8. 4445 3657\n", &["2836", "4445", "3657"]),
        ("7... 2836\n", &["2836"]),
        // doubtful: held
        ("7... 2836 8. 4445\n", &[]),
        ("7... 2836 8. 4455\n8... 3655\n", &[]),
        ("7... 2836 8. 4445\n8... 3638\n", &[]),
        ("7... 5544 8. 4445\n8... 3657\n", &[]),
    ] {
        let mut desk = offered(line).await;
        let mut own = Mail::of(body.to_owned());
        own.id = "<line-1@mobile.example>";
        desk.in_sent(&own.bytes()).await;
        let game = desk.game().await;
        assert_eq!(numerics(&game), expected, "{body}: {:?} {:?}", desk.sent().await, desk.told().await);
        let notices = usize::from(expected.is_empty());
        assert_eq!(desk.told().await.len(), 1 + notices, "{body}: {:?}", desk.told().await);
        if expected.len() == 3 {
            let ledger = me().ledger(&game).unwrap();
            let days: Vec<Option<u32>> = ledger.plies().iter().skip(13).map(|ply| ply.days).collect();
            assert_eq!(days, [Some(0), Some(0), Some(2)], "{body}");
            assert_eq!(desk.sent().await, ["16 recorded 3657"]);
        }
        desk.replays().await;
    }
}

#[tokio::test]
async fn the_rest_of_her_line_binds_her_and_no_line_of_nobodys_is_taken() {
    let mut desk = offered("if 7... 2836 then 8. 4445; if further 8... 3657 then 9. 6151").await;
    let mut own = Mail::of("7... 2836 8. 4445\n8... 3657\n".to_owned());
    own.id = "<line-1@mobile.example>";
    desk.in_sent(&own.bytes()).await;
    let events = desk.store.events(&"SAMPLE-1".parse().unwrap()).await.unwrap();
    assert!(events.iter().any(|event| event.text.contains("he is bound to 9. 6151")), "{events:?}");
    let mut desk = Desk::to_move().await;
    desk.in_sent(&own.bytes()).await;
    assert!(numerics(&desk.game().await).is_empty());
    assert_eq!(desk.told().await.len(), 1);
    desk.replays().await;
}

#[tokio::test]
async fn a_failure_and_a_delay_of_one_mail_are_told_once_each() {
    let mut desk = with_two_addresses().await;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    let again = |action: &str, status: &str, copy: u32| {
        let text = String::from_utf8(report(REPLY, action, status)).unwrap();
        text.replace("<report-", &format!("<report-{copy}-")).into_bytes()
    };
    for copy in 0..3 {
        desk.in_inbox(&again("delayed", "4.4.1", copy), at("2004-11-01T13:31:00Z")).await;
    }
    assert!(desk.told().await.is_empty());
    for copy in 0..3 {
        let taken = desk.in_inbox(&again("failed", "5.4.7", copy), at("2004-11-03T09:31:00Z")).await;
        assert_eq!(taken.results.len(), 1, "each is ticked off as what it is: {taken:?}");
    }
    assert_eq!(desk.told().await.len(), 1, "{:?}", desk.told().await);
    let events = desk.store.events(&"SAMPLE-1".parse().unwrap()).await.unwrap();
    let kinds = |kind: &str| events.iter().filter(|event| event.kind == kind).count();
    assert_eq!((kinds("delayed"), kinds("bounced")), (1, 1));
    // the same move to her other address does not arrive either: that is another mail
    let mut other = Mail::of(text_with("2836"));
    (other.id, other.to) = ("<again@phone.example>", "mila@second.example");
    desk.in_sent_at(&other.bytes(), at("2004-11-03T10:30:00Z")).await;
    desk.in_inbox(&report("<again@phone.example>", "failed", "5.1.1"), at("2004-11-03T10:31:00Z")).await;
    assert_eq!((desk.told().await.len(), flags(&mut desk).await), (2, vec!["bounced"]));
    desk.replays().await;
}

#[tokio::test]
async fn a_report_that_the_opponent_himself_writes_is_not_believed() {
    for from in ["MAILER-DAEMON <mila.ostrander@example.org>", "\"Mail Delivery System\" <Mila.Ostrander@example.org>"]
    {
        let mut desk = Desk::planned().await;
        desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
        let text = String::from_utf8(report(REPLY, "failed", "5.1.1")).unwrap();
        let hers = text.replace("Mail Delivery System <MAILER-DAEMON@example.net>", from);
        assert_ne!(text, hers);
        desk.in_inbox(hers.as_bytes(), at("2004-11-01T09:31:00Z")).await;
        assert_eq!(flags(&mut desk).await, ["sent"]);
        assert!(!desk.told().await.iter().any(|subject| subject.contains("did not reach")), "{:?}", desk.told().await);
        desk.replays().await;
    }
}

#[tokio::test]
async fn a_report_that_the_opponent_of_another_game_writes_is_not_believed_either() {
    for (from, is_believed) in [("MAILER-DAEMON <ada@example.com>", false), ("MAILER-DAEMON <bob@example.com>", true)] {
        let mut desk = Desk::planned().await;
        let far = strangers().into_iter().map(|far| (far.game, far.root_message_id)).collect::<Vec<_>>();
        desk.store.import(&far, false, at("2004-10-30T18:31:00Z")).await.unwrap();
        let text = String::from_utf8(report(REPLY, "failed", "5.1.1")).unwrap();
        let his = text.replace("Mail Delivery System <MAILER-DAEMON@example.net>", from);
        assert_ne!(text, his);
        desk.in_inbox(his.as_bytes(), at("2004-11-01T09:31:00Z")).await;
        assert_eq!(flags(&mut desk).await.contains(&"bounced"), is_believed, "{from}");
    }
}

/// Her 7. 5171 has come, with a second move beside it, and is held.
async fn hers_is_held() -> Desk {
    let mut desk = Desk::with(sample(12)).await;
    let hers = his_mail("hers-14", "Re: EM/ZZ/042", "7. 5171\n\n7. 1113\n");
    desk.in_inbox(&hers, at("2004-10-30T18:22:05Z")).await;
    assert_eq!((desk.game().await.moves.len(), desk.store.held().await.unwrap().len()), (12, 1));
    desk
}

impl Desk {
    /// The player reads 7. 5171 in her held mail.
    async fn accepts_hers(&mut self) {
        let held = self.store.held().await.unwrap().remove(0);
        let arrived_at = held.arrived();
        let observed = amici::domain::game::Observed {
            arrived: Some(arrived_at.date_naive()),
            arrived_at: Some(arrived_at.fixed_offset()),
            ..Default::default()
        };
        let read = amici::io::store::NewMove {
            game: "SAMPLE-1".parse().unwrap(),
            expected_plies: 12,
            confirm_plan: None,
            before: Vec::new(),
            record: MoveRecord { observed, ..MoveRecord::claimed("5171".parse().unwrap(), Stated::default()) },
            draw_offer: None,
            conditionals: Vec::new(),
            answer_to: None,
        };
        let event = amici::io::store::EventRow {
            game: Some("SAMPLE-1".parse().unwrap()),
            kind: "accepted".into(),
            text: "you read 7. 5171".into(),
        };
        let now = at("2004-11-02T08:00:00Z");
        assert!(self.store.settle_verdict(held.verdict, Some(&read), &[], &event, now).await.unwrap());
    }

    async fn reads_again(&mut self) -> Vec<String> {
        let read = sent::read_again(&mut self.store, &me(), &self.senders, at("2004-11-02T08:00:01Z")).await.unwrap();
        read.into_iter().flat_map(|taking| taking.results).map(|result| result.reason).collect()
    }
}

#[tokio::test]
async fn a_mail_that_answers_one_of_hers_that_is_held_is_read_again_once_that_is_settled() {
    let table = text_with("2836");
    for (body, told) in [("2836\n", 1), ("7... 2836\n", 0), (table.as_str(), 0), ("Hello Mila!\n", 0)] {
        let mut desk = hers_is_held().await;
        let before = desk.told().await.len();
        let mut own = Mail::of(body.to_owned());
        (own.id, own.thread) = ("<phone-9@mobile.example>", format!("References: {ROOT}\n"));
        desk.in_sent(&own.bytes()).await;
        let subjects = desk.told().await[before..].to_vec();
        assert_eq!(subjects.len(), told, "{body}: {subjects:?}");
        assert!(subjects.iter().all(|s| s.contains("your sent mail waits for his that is held")), "{subjects:?}");
        assert!(desk.reads_again().await.is_empty(), "hers is held still");
        desk.accepts_hers().await;
        let read = desk.reads_again().await;
        let game = desk.game().await;
        if body.starts_with("Hello") {
            assert_eq!((read.len(), game.moves.len()), (0, 13), "{body}");
        } else {
            assert_eq!(read, ["you sent 7... 2836"], "{body}");
            assert_eq!(numerics(&game), ["2836"]);
            assert_eq!(game.moves[13].observed.sent, Some("2004-11-01".parse().unwrap()), "his clock stopped then");
            assert_eq!(desk.sent().await, ["14 recorded 2836"]);
        }
        assert!(desk.reads_again().await.is_empty(), "{body}: once");
        assert!(desk.store.held().await.unwrap().is_empty(), "{body}");
        desk.replays().await;
    }
}

#[tokio::test]
async fn a_mail_that_gives_no_legal_move_behind_hers_either_is_told_when_hers_is_settled() {
    let mut desk = hers_is_held().await;
    let mut own = Mail::of("7... 2846\n".to_owned());
    own.id = "<phone-9@mobile.example>";
    desk.in_sent(&own.bytes()).await;
    desk.accepts_hers().await;
    assert_eq!(desk.reads_again().await.len(), 1);
    assert_eq!(desk.sent().await, ["14 illegal open"]);
    assert!(desk.notice().await.contains("!! you sent no legal move"));
    desk.replays().await;
}

#[tokio::test]
async fn a_mail_that_the_player_put_away_or_that_is_older_than_hers_is_not_read_again() {
    let mut desk = hers_is_held().await;
    let mut own = Mail::of("2836\n".to_owned());
    own.id = "<phone-9@mobile.example>";
    desk.in_sent(&own.bytes()).await;
    let waits = desk.store.held().await.unwrap().remove(1);
    desk.store.settle_verdict(waits.verdict, None, &[], &ignored(), at("2004-11-01T12:00:00Z")).await.unwrap();
    (own.id, own.date) = ("<phone-10@mobile.example>", "Fri, 29 Oct 2004 10:30:00 +0200");
    desk.in_sent_at(&own.bytes(), at("2004-10-29T08:30:00Z")).await;
    desk.accepts_hers().await;
    assert!(desk.reads_again().await.is_empty());
    assert!(numerics(&desk.game().await).is_empty());
    desk.replays().await;
}

#[tokio::test]
async fn an_old_word_of_his_that_a_game_is_over_tells_nothing_of_this_one() {
    let mut desk = Desk::to_move().await;
    let mut own = Mail::of("I resign.\n".to_owned());
    (own.id, own.date) = ("<end-1@mobile.example>", "Tue, 05 Oct 2004 10:30:00 +0200");
    desk.in_sent_at(&own.bytes(), at("2004-10-05T08:30:00Z")).await;
    assert_eq!((desk.told().await.len(), desk.store.held().await.unwrap().len()), (0, 0));
}

#[tokio::test]
async fn a_reminder_in_the_players_own_words_is_a_repeat_and_says_how_it_counts_where_the_rules_know_reminders() {
    let words = [
        "I have had no answer to my last move. Once more:\n7... 2836",
        "Reminder: you have not answered my move\n7... 2836",
        "I have not heard from you. Here is my move again: 7... 2836",
    ];
    for (number, body) in words.into_iter().enumerate() {
        let mut desk = Desk::planned().await;
        desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
        let mut mail = Mail::of(format!("{body}\n"));
        (mail.id, mail.date) = ("<mine-2@mobile.example>", "Fri, 12 Nov 2004 10:30:00 +0100");
        desk.in_sent_at(&mail.bytes(), at("2004-11-12T09:30:00Z")).await;
        assert!(desk.store.held().await.unwrap().is_empty(), "{number}");
        let game = desk.game().await;
        assert_eq!(
            (game.moves.len(), game.clock_notes.len()),
            (14, 0),
            "{number}: only a drafted repeat counts by itself"
        );
    }
    // what takes the move back is for the player
    let mut desk = Desk::planned().await;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    let mut mail = Mail::of("I have had no answer. Do not play 7... 2836\n".to_owned());
    (mail.id, mail.date) = ("<mine-2@mobile.example>", "Fri, 12 Nov 2004 10:30:00 +0100");
    desk.in_sent_at(&mail.bytes(), at("2004-11-12T09:30:00Z")).await;
    assert_eq!(desk.store.held().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_repeat_reminds_from_the_day_on_which_it_went_out_and_its_draft_or_a_copy_of_the_first_mail_does_not() {
    let mut desk = Desk::planned().await;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    let drafted = ClockNote { ply: 15, kind: ClockNoteKind::Repeated, on: "2004-11-12".parse().unwrap(), until: None };
    let care = Care { notes: vec![("SAMPLE-1".parse().unwrap(), drafted)], ..Care::default() };
    desk.store.take_care(&care, at("2004-11-12T08:00:00Z")).await.unwrap();
    let mut copy = Mail::of(text_with("2836"));
    copy.id = "<phone-1@mobile.example>";
    desk.in_sent_at(&copy.bytes(), at("2004-11-12T09:00:00Z")).await;
    assert_eq!(desk.game().await.clock_notes, [drafted], "of the day of the move");
    let mut repeat = Mail::of(text_with("2836"));
    (repeat.id, repeat.date) = ("<repeat-1@mobile.example>", "Sat, 13 Nov 2004 10:30:00 +0100");
    desk.in_sent_at(&repeat.bytes(), at("2004-11-13T09:30:00Z")).await;
    repeat.id = "<repeat-2@mobile.example>";
    desk.in_sent_at(&repeat.bytes(), at("2004-11-13T09:31:00Z")).await;
    let game = desk.game().await;
    assert_eq!(game.clock_notes, [drafted, ClockNote::reminder(15, "2004-11-13".parse().unwrap())]);
    assert_eq!(game.moves[13].observed.sent, Some("2004-11-01".parse().unwrap()), "the move keeps its own day");
    desk.replays().await;
}

#[tokio::test]
async fn a_resend_that_was_taken_out_of_his_clock_stays_out_and_the_next_repeat_is_a_reminder() {
    for sign in ["returned", "missed"] {
        let mut game = sample(13);
        game.rules = serde_json::from_str("\"desc\"").unwrap();
        let mut desk = Desk::with(game).await;
        let id: GameId = "SAMPLE-1".parse().unwrap();
        desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
        match sign {
            "returned" => desk.in_inbox(&report(REPLY, "failed", "5.1.1"), at("2004-11-02T09:31:00Z")).await,
            _ => desk.in_inbox(&his_mail("m7", "EM/ZZ/042", "7. 5171\n"), at("2004-11-02T09:31:00Z")).await,
        };
        let mut again = Mail::of(text_with("2836"));
        (again.id, again.date) = ("<again-1@mobile.example>", "Wed, 03 Nov 2004 10:30:00 +0100");
        desk.in_sent_at(&again.bytes(), at("2004-11-03T09:30:00Z")).await;
        let notes = desk.game().await.clock_notes;
        assert_eq!(notes.iter().map(|note| note.kind.word()).collect::<Vec<_>>(), [sign]);
        let event = EventRow { game: Some(id.clone()), kind: "clock".to_owned(), text: "it counts no more".to_owned() };
        assert!(desk.store.remove_clock_note(&id, &notes[0], &event, at("2004-11-04T09:30:00Z")).await.unwrap());
        let on = "2004-11-13".parse().unwrap();
        let drafted = ClockNote { ply: 15, kind: ClockNoteKind::Repeated, on, until: None };
        let care = Care { notes: vec![(id, drafted)], ..Care::default() };
        desk.store.take_care(&care, at("2004-11-13T08:00:00Z")).await.unwrap();
        (again.id, again.date) = ("<again-2@mobile.example>", "Sat, 13 Nov 2004 10:30:00 +0100");
        desk.in_sent_at(&again.bytes(), at("2004-11-13T09:30:00Z")).await;
        let game = desk.game().await;
        assert_eq!(game.clock_notes, [drafted, ClockNote::reminder(15, on)], "{sign}");
        let answer = Ledger::of(&game).unwrap().answer_on("2004-11-15".parse::<NaiveDate>().unwrap());
        assert_eq!(answer.days, Some(16), "12 from the 1st, and two that count double");
        desk.replays().await;
    }
}

#[tokio::test]
async fn where_he_books_on_the_next_day_and_his_mail_does_not_say_so_he_is_told_which_day_counts() {
    for (body, is_told) in [("7... 2836\n", true), ("7... 2836\nreceived 31.10. sent 03.11.\n", false)] {
        let player = Player::waiting();
        player.configure(&format!(
            "{ME}received = \"next-day\"\n[senders]\nauthserv_id = \"mx.example.net\"\n[sent]\nbcc_self = true\n"
        ));
        let his = player.file("his.eml", his_mail("m7", "EM/ZZ/042", "7. 5171   received 26.10. sent 30.10.\n"));
        player.run(&["take", &his, "--at", "2004-10-30T18:21:10Z"]).result();
        let own = format!(
            "Authentication-Results: mx.example.net; dkim=pass header.d=example.net\r\n\
             Received: from home.example.net by mx.example.net\r\n\
             From: tobin.q@example.net\r\nTo: mila.ostrander@example.org\r\nSubject: EM/ZZ/042\r\n\
             Date: Wed, 3 Nov 2004 18:00:00 +0100\r\nMessage-ID: <own@example.net>\r\n\r\n{body}"
        );
        player.run(&["take", &player.file("own.eml", own), "--at", "2004-11-03T17:00:10Z"]).result();
        let mut mails = player.store().await.unsent().await.unwrap();
        let told = amici::mail::message::parse(&mails.pop().unwrap().outgoing.bytes).unwrap().plain.unwrap();
        let told = super::care::flat(&told);
        let remark = "his counts as received on 30 October 2004, not on 31 October 2004. If Ostrander, Mila agrees to the later \
            day: `amici clock set SAMPLE-1 7... --received 2004-10-31 --why TEXT`";
        assert_eq!(told.contains(remark), is_told, "{told}");
    }
}

// His own words in her mails -------------------------------------------------------------------------------------------

/// A mail of hers of 5 November, in answer to one of his.
fn hers(id: &str, answered: &str, body: &str) -> Vec<u8> {
    let raw = String::from_utf8(his_mail(id, "Our game", body)).unwrap();
    let raw = raw.replace("Sat, 30 Oct 2004 20:21:00 +0200", "Fri, 05 Nov 2004 20:21:00 +0100");
    raw.replacen("\r\nDate:", &format!("\r\nIn-Reply-To: {answered}\r\nDate:"), 1).into_bytes()
}

#[tokio::test]
async fn what_he_sent_is_known_again_below_her_move_under_any_head() {
    let talk =
        "I offer a draw.\nHow is the weather in Graz, and did my card of 3 October arrive?\n\nAmici sumus,\nTobin\n";
    let body = format!("{}\n{talk}", text_with("2836"));
    let mut desk = Desk::planned().await;
    desk.in_sent(&Mail::of(body.clone()).bytes()).await;
    assert_eq!(desk.sent().await, ["14 recorded 2836"]);
    let text = format!(
        "8. 1213\n\nMila\n\nFeladó: Tobin <tobin.q@example.net>\nElküldve: 2004. november 1.\nTárgy: EM\n\n{body}"
    );
    let taking = desk.in_inbox(&hers("h15", REPLY, &text), at("2004-11-05T20:00:00Z")).await;
    assert_eq!(taking.results[0].outcome, "move", "{}", taking.results[0].reason);
    let game = desk.game().await;
    assert_eq!((game.moves.len(), game.draw_offer), (15, None), "the offer was his own");
    assert_eq!(game.moves[14].claimed, Stated::default(), "the dates too");
    desk.replays().await;
}

#[tokio::test]
async fn a_move_without_a_number_in_answer_to_an_older_letter_is_asked_about() {
    let mut desk = Desk::planned().await;
    desk.in_sent(&Mail::of(text_with("2836")).bytes()).await;
    let when = at("2004-11-05T20:00:00Z");
    let taking = desk.in_inbox(&hers("h15", REPLY, "8. 1213\n"), when).await;
    assert_eq!(taking.results[0].outcome, "move", "{}", taking.results[0].reason);
    let newer = "<newer@example.net>";
    let date = "Fri, 05 Nov 2004 19:00:00 +0100";
    let mail = Mail { id: newer, date, ..Mail::of("8. 1213 1716\n".to_owned()) };
    desk.in_sent_at(&mail.bytes(), at("2004-11-05T18:30:00Z")).await;
    assert_eq!(desk.game().await.moves.len(), 16);
    for (id, answered, outcome) in [("h17a", REPLY, "needs_human"), ("h17b", newer, "move")] {
        let taking = desk.in_inbox(&hers(id, answered, "1314\n"), when).await;
        assert_eq!(taking.results[0].outcome, outcome, "{}", taking.results[0].reason);
    }
}
