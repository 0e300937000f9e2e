//! One incoming mail: its bytes go in, rows come out, in a real SQLite.

use std::path::Path;

use amici::config::{Config, Me, Senders};
use amici::domain::document::Document;
use amici::domain::game::{Game, GameId, GameResult, MoveRecord, Plan, Side, Stated};
use amici::intake::{RawMessage, Taking, take_in};
use amici::io::store::{Arrival, OutboxState, Outcome, Outgoing, OutgoingKind, Release, Store};
use amici::letters;
use amici::letters::compose;
use amici::mail::message::{IncomingMessage, parse};
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions};
use tempfile::TempDir;

pub(crate) const ME: &str = "[me]\nname = \"Quillfeather, Tobin\"\nemails = [\"tobin.q@example.net\", \"tobin@example.com\"]\ntimezone = \"Europe/Vienna\"\n";
pub(crate) const ROOT: &str = "<SAMPLE-1.k3v9@example.net>";
pub(crate) const MILA: &str = "Mila Ostrander <mila.ostrander@example.org>";
const FILES: [&str; 5] = ["mails", "moves", "verdicts", "outbox", "events"];

fn me() -> Me {
    Config::parse(ME).unwrap().me
}

/// When the server took the mails below: a day after the opponent was to move.
fn taken_at() -> DateTime<Utc> {
    "2004-10-30T18:22:05Z".parse().unwrap()
}

fn now() -> DateTime<Utc> {
    "2004-10-30T18:30:00Z".parse().unwrap()
}

/// The sample game after so many plies: after 12 the opponent is to move, after 13 the player.
pub(crate) fn sample(plies: usize) -> Game {
    let mut game = Document::read(include_str!("../corpus/games/sample.json")).unwrap().remove(0);
    game.moves.truncate(plies);
    game
}

/// The same game with another name and opponent.
fn other(id: &str, event: &str, name: &str, email: &str) -> Game {
    let mut game = sample(12);
    game.id = id.parse().unwrap();
    game.event = event.to_owned();
    game.white.name = name.to_owned();
    game.white.emails = vec![email.to_owned()];
    game
}

/// A mail in its bytes; `more` are further header lines.
pub(crate) fn mail_with(id: &str, from: &str, subject: &str, more: &str, body: &str) -> Vec<u8> {
    let text = format!(
        "Received: from mx.example.org by mail.example.net; Sat, 30 Oct 2004 18:22:05 +0000\nFrom: {from}\nTo: tobin.q@example.net\n\
         Subject: {subject}\nDate: Sat, 30 Oct 2004 20:21:00 +0200\nMessage-ID: <{id}@example.org>\n{more}\n{body}"
    );
    text.replace('\n', "\r\n").into_bytes()
}

pub(crate) fn mail(id: &str, subject: &str, body: &str) -> Vec<u8> {
    mail_with(id, MILA, subject, "", body)
}

/// The table that the opponent's own program would write, with this move as her last.
fn table(game: &Game, numeric: &str) -> String {
    let mut hers = game.with_plan_recorded();
    hers.me = Side::White;
    let stated = Stated {
        received: Some("2004-10-27".parse().unwrap()),
        sent: Some("2004-10-30".parse().unwrap()),
        ..Stated::default()
    };
    hers.moves.push(MoveRecord::claimed(numeric.parse().unwrap(), stated));
    compose(&letters::transmission(&hers).unwrap()).unwrap()
}

/// The player's desk: a database of its own.
struct Desk {
    dir: TempDir,
    store: Store,
}

impl Desk {
    async fn with(games: &[Game]) -> Desk {
        let dir = TempDir::new().unwrap();
        let mut store = Store::open(dir.path()).await.unwrap();
        let entries: Vec<_> = games
            .iter()
            .map(|g| {
                (
                    g.clone(),
                    if g.id.as_str() == "SAMPLE-1" { ROOT.to_owned() } else { format!("<{}.root@example.net>", g.id) },
                )
            })
            .collect();
        store.import(&entries, false, now()).await.unwrap();
        Desk { dir, store }
    }

    /// The opponent is to move.
    async fn waiting() -> Desk {
        Desk::with(&[sample(12)]).await
    }

    /// The player has chosen 7... 2836, and nobody saw it sent.
    async fn planned() -> Desk {
        Desk::chosen(None).await
    }

    /// The same, kept back until then.
    async fn chosen(held_until: Option<DateTime<Utc>>) -> Desk {
        let mut desk = Desk::with(&[sample(13)]).await;
        let mut game = sample(13);
        let plan = Plan {
            before: Vec::new(),
            numeric: "2836".parse().unwrap(),
            stated: Stated {
                received: Some("2004-10-30".parse().unwrap()),
                sent: Some("2004-10-30".parse().unwrap()),
                days: Some(0),
                total: Some(30),
            },
            draw_offer: false,
            message_id: "<SAMPLE-1.14.abc@example.net>".to_owned(),
            conditionals: Vec::new(),
            comment: None,
            held_until,
        };
        game.plan = Some(plan.clone());
        let key = letters::AnswerKey::new([7; 32]);
        let letter = letters::draft(&game, ROOT, &[], &key, &me(), now()).unwrap();
        let outgoing = Outgoing {
            kind: OutgoingKind::Draft,
            game: Some(game.id.clone()),
            ply: Some(14),
            message_id: letter.message_id,
            recipient: letter.recipient,
            bytes: letter.bytes,
        };
        desk.store.plan(&game.id, 13, &plan, plan.is_drafted().then_some(&outgoing), now()).await.unwrap();
        desk
    }

    async fn take(&mut self, raw: &[u8]) -> Taking {
        self.take_from(raw, None).await
    }

    async fn take_from(&mut self, raw: &[u8], arrival: Option<Arrival>) -> Taking {
        let mail = RawMessage { bytes: raw, at: taken_at(), arrival, verified: None };
        take_in(&mut self.store, &me(), &Senders::default(), &mail, now()).await.unwrap()
    }

    async fn moves(&mut self, id: &str) -> Vec<String> {
        let game = self.store.game(&id.parse().unwrap()).await.unwrap().unwrap().game;
        game.moves.iter().map(|m| m.numeric.to_string()).collect()
    }

    /// Mails, moves, verdicts, outbox, events.
    async fn counts(&self) -> [i64; 5] {
        let mut counts = [0; 5];
        for (count, table) in counts.iter_mut().zip(FILES) {
            *count = number(self.dir.path(), &format!("SELECT count(*) FROM {table}")).await;
        }
        counts
    }

    /// The only mail to the player that waits, taken apart.
    async fn notice(&mut self) -> (Outgoing, IncomingMessage) {
        let due = self.store.due(now()).await.unwrap();
        let [row] = due.as_slice() else { panic!("{} mails wait", due.len()) };
        (row.outgoing.clone(), parse(&row.outgoing.bytes).unwrap())
    }
}

pub(crate) async fn number(dir: &Path, sql: &str) -> i64 {
    let options = SqliteConnectOptions::new().filename(dir.join("amici.db"));
    let mut db = options.connect().await.unwrap();
    sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut db).await.unwrap()
}

fn arrival(epoch: u32, uid: &str) -> Arrival {
    Arrival {
        source: "imap".to_owned(),
        folder: "INBOX".to_owned(),
        epoch,
        uid: uid.to_owned(),
        size: None,
        server_date: Some(taken_at()),
    }
}

/// Game and outcome of each result.
fn outcomes(taking: &Taking) -> Vec<(&str, &str)> {
    taking.results.iter().map(|e| (e.game.as_ref().map_or("-", |g| g.as_str()), e.outcome)).collect()
}

fn reason(taking: &Taking) -> &str {
    &taking.results[0].reason
}

// A move that counts -------------------------------------------------------------------------------------------------

#[tokio::test]
async fn an_accepted_move_makes_one_row_of_each_kind() {
    let mut desk = Desk::waiting().await;
    let before = desk.counts().await;
    let raw = mail("m7", "EM/ZZ/042 Ostrander - Quillfeather", &table(&sample(12), "5171"));
    let taking = desk.take_from(&raw, Some(arrival(77, "5"))).await;
    assert_eq!(outcomes(&taking), [("SAMPLE-1", "move")]);
    assert_eq!((taking.message_id.as_deref(), taking.notices), (Some("<m7@example.org>"), 1));
    assert_eq!(desk.counts().await, before.map(|n| n + 1));
    let game = desk.store.game(&"SAMPLE-1".parse().unwrap()).await.unwrap().unwrap().game;
    let last = game.moves.last().unwrap();
    assert_eq!((last.numeric.to_string().as_str(), game.moves.len()), ("5171", 13));
    let day = |text: &str| Some(text.parse().unwrap());
    assert_eq!((last.claimed.received, last.claimed.sent), (day("2004-10-27"), day("2004-10-30")));
    assert_eq!((last.observed.sent, last.observed.arrived), (day("2004-10-30"), day("2004-10-30")));
    assert_eq!(game.last_message_id.as_deref(), Some("<m7@example.org>"));
    assert!(game.is_my_turn());
    assert_eq!(desk.store.mail_raw(1).await.unwrap().as_deref(), Some(raw.as_slice()));
    let proven =
        "SELECT count(*) FROM moves JOIN verdicts ON verdicts.mail = moves.mail JOIN outbox ON outbox.mail = moves.mail
                  JOIN arrivals ON arrivals.mail = moves.mail
                  WHERE moves.ply = 13 AND outcome = 'move' AND plies = '[\"5171\"]' AND open = 0 AND kind = 'notice'
                    AND arrivals.state = 'done' AND uid = '5'";
    assert_eq!(number(desk.dir.path(), proven).await, 1);
}

#[tokio::test]
async fn a_short_mail_gives_the_move_as_well() {
    let mut desk = Desk::waiting().await;
    let taking = desk.take(&mail("m7", "Re: our game", "Hello Tobin,\n\n7. 5171\n\nMila\n")).await;
    assert_eq!(outcomes(&taking), [("SAMPLE-1", "move")]);
}

#[tokio::test]
async fn the_same_bytes_a_second_time_change_nothing() {
    let mut desk = Desk::waiting().await;
    let raw = mail("m7", "EM/ZZ/042", "7. 5171\n");
    desk.take(&raw).await;
    let once = desk.counts().await;
    let again = desk.take(&raw).await;
    assert_eq!((again.results, again.notices), (vec![], 0));
    assert_eq!(desk.counts().await, once);
}

#[tokio::test]
async fn the_same_mail_by_a_new_uidvalidity_is_ticked_off_and_nothing_else() {
    let mut desk = Desk::waiting().await;
    let raw = mail("m7", "EM/ZZ/042", "7. 5171\n");
    desk.take_from(&raw, Some(arrival(77, "5"))).await;
    let once = desk.counts().await;
    let again = desk.take_from(&raw, Some(arrival(78, "1"))).await;
    assert_eq!(again.results, []);
    assert_eq!(desk.counts().await, once);
    assert_eq!(number(desk.dir.path(), "SELECT count(*) FROM arrivals WHERE state = 'done' AND mail = 1").await, 2);
    assert_eq!(desk.store.arrivals_not_read().await.unwrap(), []);
}

#[tokio::test]
async fn the_same_move_in_another_mail_is_a_repeat() {
    let mut desk = Desk::waiting().await;
    desk.take(&mail("m7", "EM/ZZ/042", "7. 5171\n")).await;
    let again = desk.take(&mail("m7b", "EM/ZZ/042", "My move again:\n\n7. 5171\n")).await;
    assert_eq!(outcomes(&again), [("SAMPLE-1", "duplicate")]);
    assert_eq!(again.notices, 0);
    assert_eq!(desk.moves("SAMPLE-1").await.len(), 13);
}

#[tokio::test]
async fn a_resignation_and_an_accepted_draw_are_told_and_close_nothing() {
    for (offers, body, outcome, subject, command) in [
        (false, "I resign. Thanks for the game!\n", "resignation", "resigns", "amici result SAMPLE-1 0-1"),
        (true, "I accept the draw.\n", "draw_accept", "accepts the draw", "amici result SAMPLE-1 1/2-1/2"),
    ] {
        let mut game = sample(12);
        game.draw_offer = offers.then_some(Side::Black);
        let mut desk = Desk::with(&[game]).await;
        let taking = desk.take(&mail("m7", "EM/ZZ/042", body)).await;
        assert_eq!(outcomes(&taking), [("SAMPLE-1", outcome)], "{}", reason(&taking));
        let (_, notice) = desk.notice().await;
        assert!(notice.subject.contains(subject), "{}", notice.subject);
        assert!(notice.plain.as_deref().unwrap().contains(command), "{:?}", notice.plain);
        let game = desk.store.game(&"SAMPLE-1".parse().unwrap()).await.unwrap().unwrap().game;
        assert_eq!((game.result, game.moves.len()), (None, 12));
        let open = "SELECT count(*) FROM verdicts WHERE open = 1";
        assert_eq!(number(desk.dir.path(), open).await, 1);
    }
}

#[tokio::test]
async fn what_he_announces_with_a_move_stands_in_the_notice() {
    let mut desk = Desk::waiting().await;
    let taking = desk.take(&mail("m7", "EM/ZZ/042", "7. 5171\n\nI am on leave from 2 to 9 November.\n")).await;
    assert_eq!(outcomes(&taking), [("SAMPLE-1", "move")], "{}", reason(&taking));
    let (_, notice) = desk.notice().await;
    assert!(notice.plain.as_deref().unwrap().contains("I am on leave from 2 to 9 November."), "{:?}", notice.plain);
}

#[tokio::test]
async fn a_message_id_seen_before_makes_no_repeat_of_what_is_new() {
    for (body, outcome) in [
        ("7. 5171\n", "needs_human"),
        ("I resign.\n", "needs_human"),
        ("Greetings from the sea.\n", "needs_human"),
        ("6. HIS\n", "duplicate"),
        ("3. OLD\n", "duplicate"),
        ("OLD\n", "duplicate"),
        ("3. OLD\n\n7. 5171\n", "needs_human"),
        ("3. OLD\n\nNow O-O\n", "needs_human"),
    ] {
        let mut game = sample(12);
        game.seen_message_ids.push("<m6@example.org>".to_owned());
        let (his, old) = (game.moves[10].numeric.to_string(), game.moves[4].numeric.to_string());
        let mut desk = Desk::with(&[game]).await;
        let body = body.replace("HIS", &his).replace("OLD", &old);
        let taking = desk.take(&mail("m6", "EM/ZZ/042", &body)).await;
        assert_eq!(outcomes(&taking), [("SAMPLE-1", outcome)], "{body}{}", reason(&taking));
        if outcome == "needs_human" {
            assert!(reason(&taking).ends_with("but says something new"), "{}", reason(&taking));
        }
        assert_eq!(desk.moves("SAMPLE-1").await.len(), 12);
    }
}

#[tokio::test]
async fn a_recorded_mail_that_comes_again_in_other_bytes_is_a_repeat_and_another_move_under_its_id_is_held() {
    let mut desk = Desk::waiting().await;
    desk.take(&mail("m7", "EM/ZZ/042", "7. 5171\n")).await;
    let again = desk.take(&mail_with("m7", MILA, "EM/ZZ/042", "X-Fetched: twice\n", "7. 5171\n")).await;
    assert_eq!(outcomes(&again), [("SAMPLE-1", "duplicate")]);
    let other = desk.take(&mail("m7", "EM/ZZ/042", "7. 4445\n")).await;
    assert_eq!(outcomes(&other), [("SAMPLE-1", "needs_human")]);
}

// Mails that do not count --------------------------------------------------------------------------------------------

#[tokio::test]
async fn a_doubtful_mail_is_held_with_its_legal_readings() {
    let mut desk = Desk::waiting().await;
    let taking = desk.take(&mail("m7", "EM/ZZ/042", "7. 5171\n7. 4445\n")).await;
    assert_eq!(outcomes(&taking), [("SAMPLE-1", "needs_human")]);
    assert_eq!(taking.notices, 1);
    assert_eq!(desk.moves("SAMPLE-1").await.len(), 12);
    let held = desk.store.held().await.unwrap();
    let candidates: Vec<String> = held[0].candidates.iter().map(ToString::to_string).collect();
    assert_eq!((held.len(), candidates), (1, vec!["5171".to_owned(), "4445".to_owned()]));
}

#[tokio::test]
async fn an_illegal_move_is_told_and_not_recorded() {
    let mut desk = Desk::waiting().await;
    let taking = desk.take(&mail("m7", "EM/ZZ/042", "7. 1118\n")).await;
    assert_eq!(outcomes(&taking), [("SAMPLE-1", "illegal")]);
    assert_eq!(desk.moves("SAMPLE-1").await.len(), 12);
    let (_, notice) = desk.notice().await;
    assert!(notice.subject.contains("an illegal move"), "{}", notice.subject);
}

#[tokio::test]
async fn a_wrong_sender_who_names_the_game_is_told_and_touches_nothing() {
    let mut desk = Desk::waiting().await;
    let raw = mail_with("x", "Mila Ostrander <mila@example.com>", "EM/ZZ/042", "", "7. 5171\n");
    let taking = desk.take(&raw).await;
    assert_eq!(outcomes(&taking), [("SAMPLE-1", "wrong_sender")]);
    assert_eq!((taking.notices, desk.moves("SAMPLE-1").await.len()), (1, 12));
}

#[tokio::test]
async fn a_stranger_is_kept_without_a_notice() {
    let mut desk = Desk::waiting().await;
    let before = desk.counts().await;
    let taking = desk.take(&mail_with("x", "shop@example.com", "Offers", "", "7. 5171\n")).await;
    assert_eq!(outcomes(&taking), [("-", "not_game_mail")]);
    assert_eq!(taking.notices, 0);
    let [mails, moves, verdicts, outbox, events] = before;
    assert_eq!(desk.counts().await, [mails + 1, moves, verdicts + 1, outbox, events + 1]);
}

#[tokio::test]
async fn automatic_mail_records_nothing_and_causes_no_mail_and_a_move_in_it_waits_for_the_player() {
    for header in ["Auto-Submitted: auto-replied\n", "Precedence: auto_reply\n", "X-Autoreply: yes\nPrecedence: bulk\n"]
    {
        for (body, outcome) in [("7. 5171\n", "needs_human"), ("I am away.\n", "not_game_mail")] {
            let mut desk = Desk::waiting().await;
            let taking = desk.take(&mail_with("v", MILA, "EM/ZZ/042", header, body)).await;
            assert_eq!(outcomes(&taking)[0].1, outcome, "{header}{body}");
            assert_eq!((taking.notices, desk.moves("SAMPLE-1").await.len()), (0, 12), "{header}{body}");
        }
    }
}

#[tokio::test]
async fn our_own_notice_in_the_mailbox_proves_its_delivery() {
    let mut desk = Desk::waiting().await;
    desk.take(&mail("m7", "EM/ZZ/042", "7. 5171\n")).await;
    let (outgoing, _) = desk.notice().await;
    let row = desk.store.outgoing_by_message_id(&outgoing.message_id).await.unwrap().unwrap();
    assert!(desk.store.begin_attempt(row.id, now()).await.unwrap());
    desk.store.interrupted().await.unwrap();
    let taking = desk.take(&outgoing.bytes).await;
    assert_eq!(outcomes(&taking), [("-", "own")]);
    assert_eq!((reason(&taking), taking.notices), ("a copy of your own mail", 0));
    let row = desk.store.outgoing_by_message_id(&outgoing.message_id).await.unwrap().unwrap();
    assert_eq!(row.state, OutboxState::Sent);
}

#[tokio::test]
async fn a_mail_of_somebody_else_under_our_id_proves_no_delivery() {
    let mut desk = Desk::waiting().await;
    desk.take(&mail("m7", "EM/ZZ/042", "7. 5171\n")).await;
    let (outgoing, _) = desk.notice().await;
    let forged = format!("From: x@example.com\r\nSubject: x\r\nMessage-ID: {}\r\n\r\nx\r\n", outgoing.message_id);
    desk.take(forged.as_bytes()).await;
    let row = desk.store.outgoing_by_message_id(&outgoing.message_id).await.unwrap().unwrap();
    assert_eq!(row.state, OutboxState::Queued);
}

// Answers to a move that only the plan knows -------------------------------------------------------------------------

#[tokio::test]
async fn a_mail_that_repeats_our_move_records_both_plies() {
    for body in ["7. 5171 2836\n8. 4445\n".to_owned(), table(&planned_game(), "4445")] {
        let mut desk = Desk::planned().await;
        let taking = desk.take(&mail("m8", "EM/ZZ/042", &body)).await;
        assert_eq!(outcomes(&taking), [("SAMPLE-1", "move")], "{body}{}", reason(&taking));
        assert_eq!(desk.moves("SAMPLE-1").await[12..], ["5171", "2836", "4445"]);
        assert_eq!(number(desk.dir.path(), "SELECT count(*) FROM plans").await, 0);
    }
}

#[tokio::test]
async fn a_guess_at_the_planned_move_proves_nothing_where_a_proof_could_be_had() {
    let config = Config::parse(&format!("{ME}[senders]\nauthserv_id = \"mx.example.net\"\n")).unwrap();
    let result = "Authentication-Results: mx.example.net; dkim=pass header.d=example.org\r\n\
                  Received: from a by mx.example.net; Sat, 30 Oct 2004 18:22:04 +0000\r\n";
    for (top, outcome) in [("", "needs_human"), (result, "move")] {
        let mut desk = Desk::planned().await;
        let bytes = [top.as_bytes(), &mail("m8", "EM/ZZ/042", "7. 5171 2836\n8. 4445\n")].concat();
        let raw = RawMessage { bytes: &bytes, at: now(), arrival: None, verified: None };
        let taken = take_in(&mut desk.store, &config.me, &config.senders, &raw, now()).await.unwrap();
        assert_eq!(taken.results[0].outcome, outcome, "{taken:?}");
        let plans = number(desk.dir.path(), "SELECT count(*) FROM plans").await;
        assert_eq!(plans, i64::from(outcome != "move"), "what was chosen stands until it is seen to be sent");
    }
}

fn planned_game() -> Game {
    let mut game = sample(13);
    let stated = Stated {
        received: Some("2004-10-30".parse().unwrap()),
        sent: Some("2004-10-30".parse().unwrap()),
        ..Stated::default()
    };
    game.moves.push(MoveRecord::claimed("2836".parse().unwrap(), stated));
    game
}

#[tokio::test]
async fn a_mail_that_answers_our_draft_proves_it_was_sent() {
    let mut desk = Desk::planned().await;
    let header = "In-Reply-To: <SAMPLE-1.14.abc@example.net>\n";
    let taking = desk.take(&mail_with("m8", MILA, "EM/ZZ/042", header, "8. 4445\n")).await;
    assert_eq!(outcomes(&taking), [("SAMPLE-1", "move")]);
    assert_eq!(desk.moves("SAMPLE-1").await[12..], ["5171", "2836", "4445"]);
}

#[tokio::test]
async fn a_mail_that_does_not_repeat_our_move_is_held() {
    let mut desk = Desk::planned().await;
    let taking = desk.take(&mail("m8", "EM/ZZ/042", "8. 4445\n")).await;
    assert_eq!(outcomes(&taking), [("SAMPLE-1", "needs_human")]);
    let help = "was not seen to be sent and he does not repeat it; if you sent it, say on which day: `amici sent SAMPLE-1 --on 2004-10-30`";
    assert!(reason(&taking).contains(help), "{}", reason(&taking));
    assert_eq!(desk.moves("SAMPLE-1").await.len(), 13);
    assert_eq!(number(desk.dir.path(), "SELECT count(*) FROM plans").await, 1);
}

#[tokio::test]
async fn who_repeats_a_move_that_was_kept_back_may_have_guessed_it() {
    for body in ["7. 5171 2836\n8. 4445\n", "8. 4445\n"] {
        let mut desk = Desk::chosen(Some(now() + TimeDelta::days(2))).await;
        let taking = desk.take(&mail("m8", "EM/ZZ/042", body)).await;
        assert_eq!(outcomes(&taking), [("SAMPLE-1", "needs_human")]);
        let reason = reason(&taking);
        let said = "he answers your 7... 2836, which you chose and kept back";
        assert!(reason.contains(said) && reason.contains("`amici sent SAMPLE-1`"), "{reason}");
        assert_eq!(desk.moves("SAMPLE-1").await.len(), 13);
        assert_eq!(number(desk.dir.path(), "SELECT count(*) FROM plans").await, 1, "what he chose stands");
    }
}

#[tokio::test]
async fn who_repeats_a_released_move_before_any_try_does_not_stop_it() {
    let mut desk = Desk::planned().await;
    let id: GameId = "SAMPLE-1".parse().unwrap();
    let plan = desk.store.game(&id).await.unwrap().unwrap().game.plan.unwrap();
    let release = Release {
        message_id: plan.message_id.clone(),
        recipients: vec![MILA.to_owned()],
        bytes: b"From: <tobin.q@example.net>\r\n\r\n7... 2836\r\n".to_vec(),
        not_before: now() + TimeDelta::minutes(10),
    };
    desk.store.release(&id, 13, &plan.message_id, &plan, &release, now()).await.unwrap();
    let taking = desk.take(&mail("m8", "EM/ZZ/042", "7. 5171 2836\n8. 4445\n")).await;
    assert_eq!(outcomes(&taking), [("SAMPLE-1", "needs_human")]);
    let reason = reason(&taking);
    assert!(reason.contains("was not tried yet: he cannot have it"), "{reason}");
    assert_eq!(desk.moves("SAMPLE-1").await.len(), 13);
    let released = desk.store.released().await.unwrap();
    assert_eq!(
        released.iter().map(|row| row.state).collect::<Vec<_>>(),
        [OutboxState::Queued],
        "it goes out all the same"
    );

    // after a try of which nobody knows how it ended, his answer proves that it arrived
    let id = released[0].id;
    assert!(desk.store.begin_release(id, now()).await.unwrap());
    let error = "the connection was cut".to_owned();
    desk.store.finish_release(id, &Outcome::Unknown { error }, now()).await.unwrap();
    let taking = desk.take(&mail("m9", "EM/ZZ/042", "7. 5171 2836\n8. 4445\n")).await;
    assert_eq!(outcomes(&taking), [("SAMPLE-1", "move")]);
}

#[tokio::test]
async fn a_notice_beside_a_draft_speaks_of_the_position_behind_it() {
    let mut desk = Desk::planned().await;
    desk.take(&mail("m8", "EM/ZZ/042", "8. 4445\n")).await;
    let due = desk.store.due(now()).await.unwrap();
    let row = due.iter().find(|row| row.outgoing.kind == OutgoingKind::Notice).unwrap();
    let text = parse(&row.outgoing.bytes).unwrap().plain.unwrap().replace('\n', " ");
    assert!(text.contains("It may mean 8. 4445 (d5)."), "{text}");
    assert!(text.contains("with your draft 7... 2836 sent, 8. is due."), "{text}");
}

#[tokio::test]
async fn a_mail_that_shows_another_move_of_ours_is_held() {
    let mut desk = Desk::planned().await;
    let taking = desk.take(&mail("m8", "EM/ZZ/042", "7. 5171 2847\n8. 4445\n")).await;
    assert_eq!(outcomes(&taking), [("SAMPLE-1", "needs_human")]);
    assert!(reason(&taking).contains("7... 2847") && reason(&taking).contains("2836"), "{}", reason(&taking));
    assert_eq!(desk.moves("SAMPLE-1").await.len(), 13);
}

// Which game ---------------------------------------------------------------------------------------------------------

fn second_of_mila() -> Game {
    other("OTHER-2", "FRIEND-88", "Ostrander, Mila", "mila.ostrander@example.org")
}

#[tokio::test]
async fn a_mail_without_a_clue_is_held_in_both_games_with_its_sender() {
    let mut desk = Desk::with(&[sample(12), second_of_mila()]).await;
    let taking = desk.take(&mail("m7", "my move", "7. 5171\n")).await;
    let mut held = outcomes(&taking);
    held.sort_unstable();
    assert_eq!(held, [("OTHER-2", "needs_human"), ("SAMPLE-1", "needs_human")]);
    assert_eq!(taking.notices, 1, "one that names both");
    assert_eq!((desk.moves("SAMPLE-1").await.len(), desk.moves("OTHER-2").await.len()), (12, 12));
}

#[tokio::test]
async fn the_event_in_the_subject_tells_two_games_with_one_opponent_apart() {
    let mut behind = second_of_mila();
    let sixth = behind.moves[10].numeric;
    behind.moves.truncate(10);
    let mut desk = Desk::with(&[sample(12), behind]).await;
    let taking = desk.take(&mail("m6", "Re: FRIEND-88", &format!("6. {sixth}\n"))).await;
    assert_eq!(outcomes(&taking), [("OTHER-2", "move")]);
    assert_eq!(desk.moves("SAMPLE-1").await.len(), 12);
}

#[tokio::test]
async fn a_thread_or_an_event_alone_does_not_choose_between_games_that_the_move_fits() {
    for (subject, header) in [("my move", "References: <OTHER-2.root@example.net>\n"), ("Re: FRIEND-88", "")] {
        let mut desk = Desk::with(&[sample(12), second_of_mila()]).await;
        let taking = desk.take(&mail_with("m7", MILA, subject, header, "7. 5171\n")).await;
        let mut held = outcomes(&taking);
        held.sort_unstable();
        assert_eq!(held, [("OTHER-2", "needs_human"), ("SAMPLE-1", "needs_human")], "{subject}");
        assert!(reason(&taking).starts_with("two or more of your games"), "{}", reason(&taking));
        let held = desk.store.held().await.unwrap();
        assert!(held.iter().all(|h| h.candidates == ["5171".parse().unwrap()]), "{held:?}");
        let named = desk.take(&mail("m7b", "OTHER-2", "7. 5171\n")).await;
        assert_eq!(outcomes(&named), [("OTHER-2", "move")], "the id does");
    }
}

#[tokio::test]
async fn a_repeat_in_one_game_that_is_a_move_in_another_is_held() {
    let mut desk = Desk::with(&[sample(12), second_of_mila()]).await;
    desk.take(&mail("m7", "OTHER-2", "7. 5171\n")).await;
    let taking = desk.take(&mail("m8", "Re: FRIEND-88", "7. 5171\n")).await;
    let mut held = outcomes(&taking);
    held.sort_unstable();
    assert_eq!(held, [("OTHER-2", "needs_human"), ("SAMPLE-1", "needs_human")]);
}

#[tokio::test]
async fn a_mail_about_a_finished_game_touches_no_running_one() {
    let finished = || {
        let mut game = second_of_mila();
        game.result = Some(GameResult::Draw);
        game
    };
    let thread = "References: <OTHER-2.root@example.net>\n";
    for (subject, header, game, outcome) in [
        ("OTHER-2", "", "OTHER-2", "needs_human"),
        ("my move", thread, "OTHER-2", "needs_human"),
        ("SAMPLE-1", thread, "SAMPLE-1", "move"),
        ("EM/ZZ/042", thread, "SAMPLE-1", "move"),
        ("my move", "", "SAMPLE-1", "move"),
    ] {
        let mut desk = Desk::with(&[sample(12), finished()]).await;
        let taking = desk.take(&mail_with("m7", MILA, subject, header, "7. 5171\n")).await;
        assert_eq!(outcomes(&taking), [(game, outcome)], "{subject} {header}");
        assert_eq!(desk.moves("OTHER-2").await.len(), 12, "{subject} {header}");
        if game == "OTHER-2" {
            assert_eq!(reason(&taking), "the game is over");
            assert_eq!(desk.moves("SAMPLE-1").await.len(), 12, "{subject} {header}");
        }
    }
    let mut section = finished();
    section.event = sample(12).event;
    let mut desk = Desk::with(&[sample(12), section]).await;
    let taking = desk.take(&mail_with("m7", MILA, "EM/ZZ/042", thread, "7. 5171\n")).await;
    assert_eq!(outcomes(&taking), [("OTHER-2", "needs_human")], "an event of both tells nothing");
}

#[tokio::test]
async fn ids_that_begin_alike_are_told_apart() {
    let lucie = |id: &str| other(id, "SECT", "Moreau, Lucie", "lucie@example.org");
    let mila = |id: &str| other(id, "SECT", "Ostrander, Mila", "mila.ostrander@example.org");
    let mut desk = Desk::with(&[lucie("EM-17"), mila("EM-17-PET")]).await;
    let taking = desk.take(&mail("m7", "EM-17-PET", "7. 5171\n")).await;
    assert_eq!(outcomes(&taking), [("EM-17-PET", "move")]);
    let taking = desk.take(&mail("m7b", "EM-17", "7. 5171\n")).await;
    assert_eq!(outcomes(&taking), [("EM-17", "wrong_sender")]);
}

#[tokio::test]
async fn a_finished_game_of_somebody_else_hides_no_running_one() {
    let mut over = other("GAME-A", "SECT", "Moreau, Lucie", "lucie@example.org");
    over.result = Some(GameResult::Draw);
    let running = other("GAME-B", "SECT", "Okafor, Ben", "ben@example.com");
    let mut desk = Desk::with(&[over, running, sample(12)]).await;
    let taking = desk.take(&mail("m7", "GAME-A, GAME-B", "7. 5171\n")).await;
    assert_eq!(outcomes(&taking), [("GAME-B", "wrong_sender")]);
}

#[tokio::test]
async fn an_event_shared_by_a_section_leads_to_the_game_with_the_sender() {
    let section = [
        sample(12),
        other("SECT-2", "EM/ZZ/042", "Moreau, Lucie", "lucie@example.org"),
        other("SECT-3", "EM/ZZ/042", "Okafor, Ben", "ben@example.com"),
    ];
    let mut desk = Desk::with(&section).await;
    let taking = desk.take(&mail_with("b", "Ben Okafor <ben@EXAMPLE.com>", "EM/ZZ/042", "", "7. 5171\n")).await;
    assert_eq!(outcomes(&taking), [("SECT-3", "move")]);
    assert_eq!((desk.moves("SAMPLE-1").await.len(), desk.moves("SECT-2").await.len()), (12, 12));
}

// Hostile bytes ------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn a_line_end_hidden_in_a_name_hinders_nothing_and_reaches_no_header() {
    for name in ["A=0D=0AB", "A=0D=0AX-Planted=3A_1", "A=0D=0ABcc=3A_x=40example.com"] {
        let mut desk = Desk::waiting().await;
        let from = format!("=?utf-8?q?{name}?= <mila.ostrander@example.org>");
        let taking = desk.take(&mail_with("m7", &from, "EM/ZZ/042", "", "7. 5171\n")).await;
        assert_eq!(outcomes(&taking), [("SAMPLE-1", "move")], "{from}");
        let (outgoing, notice) = desk.notice().await;
        for planted in ["B", "X-Planted", "Bcc"] {
            assert_eq!(notice.headers.count(planted), 0, "{from}: {planted}");
        }
        assert_eq!(outgoing.recipient, "tobin.q@example.net");
    }
}

#[tokio::test]
async fn a_mail_nested_seven_hundred_kilobytes_deep_gets_a_verdict() {
    let mut parts = String::new();
    for level in 0..12_000 {
        parts.push_str(&format!("--b{level}\nContent-Type: multipart/mixed; boundary=\"b{}\"\n\n", level + 1));
    }
    let rfc822 = "Content-Type: message/rfc822\n\n".repeat(23_000);
    let html = "<div><table><tr><td>".repeat(35_000);
    let move_at_the_bottom = format!("{html}7. 5171");
    let mixed = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"b0\"\n";
    for (more, body, outcome) in [
        (mixed, parts, "needs_human"),
        ("MIME-Version: 1.0\nContent-Type: message/rfc822\n", rfc822, "needs_human"),
        ("MIME-Version: 1.0\nContent-Type: text/html\n", html, "needs_human"),
        ("MIME-Version: 1.0\nContent-Type: text/html\n", move_at_the_bottom, "move"),
    ] {
        assert!(body.len() > 600_000, "{}", body.len());
        let mut desk = Desk::waiting().await;
        let taking = desk.take(&mail_with("deep", MILA, "EM/ZZ/042", more, &body)).await;
        let [only] = taking.results.as_slice() else { panic!("{taking:?}") };
        assert_eq!(only.outcome, outcome, "{more}");
    }
}

#[tokio::test]
async fn an_unreadable_mail_is_told_of_in_the_game_with_its_sender_and_in_no_other() {
    let deep: String =
        (0..2_000).map(|n| format!("--b{n}\nContent-Type: multipart/mixed; boundary=\"b{}\"\n\n", n + 1)).collect();
    let mixed = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"b0\"\n";
    for (from, subject, game, outcome, notices) in [
        (MILA, "EM/ZZ/042", "SAMPLE-1", "needs_human", 1),
        ("shop@example.com", "Offers", "-", "not_game_mail", 0),
        ("shop@example.com", "EM/ZZ/042", "SAMPLE-1", "wrong_sender", 1),
    ] {
        let mut desk = Desk::waiting().await;
        let taking = desk.take(&mail_with("deep", from, subject, mixed, &deep)).await;
        assert_eq!(outcomes(&taking), [(game, outcome)], "{from} {subject}");
        assert_eq!(taking.notices, notices, "{from} {subject}");
    }
    let mut desk = Desk::with(&[sample(12), second_of_mila()]).await;
    let taking = desk.take(&mail_with("deep", MILA, "my move", mixed, &deep)).await;
    assert_eq!((taking.results.len(), taking.notices), (2, 2));
    assert!(reason(&taking).contains("nested too deeply"), "{}", reason(&taking));
}

#[tokio::test]
async fn a_text_that_is_too_long_to_read_is_held_and_never_read_in_part() {
    for (lines, outcome) in [(1_100, "move"), (4_500, "needs_human")] {
        let mut desk = Desk::waiting().await;
        let body = format!("7. 5171\n\n{}", format!("{}\n", "words ".repeat(10)).repeat(lines));
        let taking = desk.take(&mail("m7", "EM/ZZ/042", &body)).await;
        assert_eq!(outcomes(&taking), [("SAMPLE-1", outcome)], "{}", reason(&taking));
        assert_eq!(reason(&taking).contains("longer than 256 KiB"), outcome == "needs_human");
    }
}

#[tokio::test]
async fn an_empty_file_is_no_game_mail() {
    let mut desk = Desk::waiting().await;
    let taking = desk.take(b"").await;
    assert_eq!((outcomes(&taking), taking.notices), (vec![("-", "not_game_mail")], 0));
}

#[tokio::test]
async fn random_bytes_get_a_verdict_and_touch_no_game() {
    let mut desk = Desk::waiting().await;
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut byte = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed.to_le_bytes()[3]
    };
    for length in [1, 2, 3, 17, 100, 1000, 4096, 70_000] {
        let noise: Vec<u8> = (0..length).map(|_| byte()).collect();
        let mut body = mail("noise", "EM/ZZ/042", "");
        body.extend(&noise);
        for raw in [noise, body] {
            let taking = desk.take(&raw).await;
            assert_eq!(taking.results.len(), 1, "{length} bytes");
            assert!(!outcomes(&taking).contains(&("SAMPLE-1", "move")), "{length} bytes");
        }
    }
    assert_eq!(desk.moves("SAMPLE-1").await.len(), 12);
}

// The notice ---------------------------------------------------------------------------------------------------------

#[tokio::test]
async fn a_notice_goes_to_the_player_alone_and_tells_of_its_game_alone() {
    let mut desk =
        Desk::with(&[sample(12), other("SECRET-2", "FRIEND-88", "Moreau, Lucie", "lucie@example.org")]).await;
    let body = format!("{}\nKind regards, do not quote this sentence.\n", table(&sample(12), "5171"));
    desk.take(&mail("m7", "Re: a subject of hers", &body)).await;
    let (outgoing, notice) = desk.notice().await;
    assert_eq!(outgoing.recipient, "tobin.q@example.net");
    let to: Vec<String> = notice.to.iter().map(ToString::to_string).collect();
    assert_eq!(to, ["tobin.q@example.net"]);
    assert_eq!((notice.cc.len(), notice.reply_to.len()), (0, 0));
    assert_eq!(notice.from.unwrap().address.to_string(), "tobin.q@example.net");
    let references: Vec<String> = notice.references.iter().map(ToString::to_string).collect();
    assert_eq!(references, [ROOT, "<m7@example.org>"]);
    let text = String::from_utf8(outgoing.bytes).unwrap();
    let (head, _) = text.split_once("\r\n\r\n").unwrap();
    assert!(!head.to_lowercase().contains("\r\nbcc:") && !head.contains("mila.ostrander"), "{head}");
    for foreign in ["SECRET-2", "FRIEND-88", "Moreau", "lucie@example.org", "a subject of hers"] {
        assert!(!text.contains(foreign), "{foreign} in {text}");
    }
    assert!(notice.subject.contains("7. 5171 (O-O) - your move"), "{}", notice.subject);
    let reply = notice.attachments.iter().find(|a| a.name.as_deref() == Some("reply.eml"));
    assert!(reply.is_some(), "the blank reply is attached");
}

#[tokio::test]
async fn the_same_mail_makes_the_same_notice_on_any_desk_with_the_same_secret() {
    let raw = mail("m7", "EM/ZZ/042", "7. 5171\n");
    let mut notices = Vec::new();
    for key in [1, 1, 2] {
        let mut desk = Desk::waiting().await;
        desk.store.take_over([key; 32]).await.unwrap();
        desk.take(&raw).await;
        notices.push(desk.notice().await.0);
    }
    assert_eq!(notices[0], notices[1]);
    assert_ne!(notices[0].message_id, notices[2].message_id, "nobody else can tell the id");
}
