//! What the daemon tells of its own accord: each cause once, quiet otherwise, and nothing by a clock that cannot be right.

use amici::config::{Config, Me, Notify, Senders};
use amici::daemon::{Daemon, RemindError, Reminded, confirm, remind};
use amici::domain::clock::trust::Distrust;
use amici::domain::game::{Game, Leave, Plan, Side, Stated};
use amici::intake::{RawMessage, take_in};
use amici::io::maildir::Maildir;
use amici::io::store::{Arrival, Care, Count, EventRow, Outgoing, OutgoingKind, Store};
use amici::overview::Read;
use chrono::{DateTime, Days, Utc};
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Executor};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::care::flat;
use super::intake::{ME, ROOT, mail, sample};

/// Black, who has eight days left since 1 March 2026: his last safe day is 9 March.
fn near() -> Game {
    let mut game = sample(13);
    game.me = Side::Black;
    game.rules = serde_json::from_str(r#""iccf-email-2000""#).unwrap();
    game.start_date = None;
    for record in &mut game.moves {
        record.claimed = Stated::default();
    }
    game.moves[11].claimed.total = Some(52);
    game.moves[12].observed.arrived = Some("2026-03-01".parse().unwrap());
    game
}

struct Desk {
    dir: TempDir,
    store: Store,
    me: Me,
    notify: Notify,
}

impl Desk {
    async fn new() -> Desk {
        Desk::with(near()).await
    }

    async fn with(game: Game) -> Desk {
        let dir = TempDir::new().unwrap();
        let mut store = Store::open(dir.path()).await.unwrap();
        store.import(&[(game, ROOT.to_owned())], false, at("2026-03-01T10:00:00Z")).await.unwrap();
        let config = Config::parse(ME).unwrap();
        Desk { dir, store, me: config.me, notify: config.notify }
    }

    /// How many mails are put out at an instant.
    async fn told(&mut self, instant: &str) -> usize {
        match remind(&mut self.store, &self.me, &self.notify, Read::ByHim, at(instant)).await.unwrap() {
            Reminded::Told(mails) => mails,
            Reminded::Distrusted(why) => panic!("{why}"),
        }
    }

    /// The text of the last mail, on one line.
    async fn last(&mut self) -> String {
        let bytes = self.store.unsent().await.unwrap().pop().unwrap().outgoing.bytes;
        flat(&amici::mail::message::parse(&bytes).unwrap().plain.unwrap())
    }

    async fn subjects(&mut self) -> Vec<String> {
        let rows = self.store.unsent().await.unwrap();
        let notices = rows.into_iter().filter(|row| row.outgoing.kind == OutgoingKind::Notice);
        notices
            .map(|row| {
                assert_eq!(row.outgoing.recipient, "tobin.q@example.net");
                let text = String::from_utf8(row.outgoing.bytes).unwrap();
                text.lines().find_map(|line| line.strip_prefix("Subject: ").map(str::to_owned)).unwrap()
            })
            .collect()
    }

    async fn sql(&self, sql: &'static str) {
        let options = SqliteConnectOptions::new().filename(self.dir.path().join("amici.db"));
        options.connect().await.unwrap().execute(sql).await.unwrap();
    }
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

#[tokio::test]
async fn of_a_game_that_the_board_has_decided_nobody_is_reminded() {
    for me in [Side::White, Side::Black] {
        let mut game = near();
        game.me = me;
        let mated = ["6263", "5755", "7274", "4884"];
        game.moves.truncate(mated.len());
        for (record, numeric) in game.moves.iter_mut().zip(mated) {
            record.numeric = numeric.parse().unwrap();
            record.observed.sent = Some("2026-02-27".parse().unwrap());
        }
        game.rules = serde_json::from_str(
            r#"{"base": "iccf-email-2005", "control": {"kind": "cumulative", "moves": 10, "days": 1}}"#,
        )
        .unwrap();
        let told = async |game: Game| {
            let mut desk = Desk::with(game).await;
            let mut told = 0;
            for day in ["2026-03-02", "2026-03-08", "2026-03-10"] {
                told += desk.told(&format!("{day}T12:00:00Z")).await;
            }
            told
        };
        assert_eq!(told(game.clone()).await, 0, "{me:?}");
        game.moves.pop();
        assert_ne!(told(game).await, 0, "{me:?}: while it goes on he is told");
    }
}

#[tokio::test]
async fn after_a_jump_of_the_clock_nothing_is_told_until_it_is_confirmed_and_what_was_done_by_it_speaks_against_no_right_clock()
 {
    let mut desk = Desk::new().await;
    let count = Count::read().unwrap();
    confirm(&mut desk.store, &count, at("2026-03-02T10:00:00Z")).await.unwrap();
    let jumped = at("2030-01-01T10:00:00Z");
    for source in ["", "maildir:/home/tobin/mail", "imap:tobin@mail.example.net"] {
        if !source.is_empty() {
            let arrival = Arrival {
                source: source.to_owned(),
                folder: "INBOX".to_owned(),
                epoch: 1,
                uid: "1".to_owned(),
                size: None,
                server_date: Some(jumped),
            };
            desk.store.announce(&[arrival], jumped).await.unwrap();
        }
        confirm(&mut desk.store, &count, jumped).await.unwrap();
        let told = remind(&mut desk.store, &desk.me, &desk.notify, Read::ByHim, jumped).await.unwrap();
        let is_confirmed = source.starts_with("imap:");
        assert_eq!(matches!(told, Reminded::Distrusted(Distrust::Jumped { .. })), !is_confirmed, "{source}: {told:?}");
        assert_eq!(desk.subjects().await.is_empty(), !is_confirmed, "{source}");
    }

    let mut desk = Desk::new().await;
    confirm(&mut desk.store, &count, at("2026-03-02T10:00:00Z")).await.unwrap();
    desk.store.note(&EventRow { game: None, kind: "not-read".to_owned(), text: "x".to_owned() }, jumped).await.unwrap();
    let back = at("2026-03-02T10:05:00Z");
    let told = remind(&mut desk.store, &desk.me, &desk.notify, Read::ByHim, back).await.unwrap();
    assert!(matches!(told, Reminded::Distrusted(Distrust::BeforeNewest { .. })), "{told:?}");
    confirm(&mut desk.store, &count, back).await.unwrap();
    desk.told("2026-03-02T10:05:00Z").await;
    assert!(desk.store.clock_word().await.unwrap().unwrap().contains("up to 2030-01-01 10:00:00 UTC"));
    // the same machine, counted anew: without the time that passed only the player knows
    let other = Count { start: "another start".to_owned(), ..count };
    desk.store.believe(back, &other).await.unwrap();
    desk.store.note(&EventRow { game: None, kind: "not-read".to_owned(), text: "x".to_owned() }, jumped).await.unwrap();
    confirm(&mut desk.store, &other, back).await.unwrap();
    let told = remind(&mut desk.store, &desk.me, &desk.notify, Read::ByHim, back).await.unwrap();
    assert!(matches!(told, Reminded::Distrusted(Distrust::BeforeNewest { .. })), "{told:?}");
}

#[tokio::test]
async fn an_urgent_mark_is_told_once_and_a_digest_comes_on_the_day_with_news_alone() {
    let mut desk = Desk::new().await;
    let mut told = Vec::new();
    for instant in [
        "2026-03-02T12:00:00Z", // the first start
        "2026-03-03T12:00:00Z",
        "2026-03-04T12:00:00Z",
        "2026-03-05T12:00:00Z",
        "2026-03-06T06:00:00Z", // 07:00 in Vienna, three days before the control: urgent
        "2026-03-06T06:00:00Z",
        "2026-03-06T06:59:00Z",
        "2026-03-06T07:01:00Z", // the digest
        "2026-03-06T07:01:00Z",
        "2026-03-06T22:00:00Z",
        "2026-03-07T12:00:00Z",
        "2026-03-08T12:00:00Z",
        "2026-03-10T12:00:00Z", // overstepped, and news for the digest
        "2026-03-10T13:00:00Z",
    ] {
        told.push(desk.told(instant).await);
    }
    assert_eq!(told, [0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 2, 0]);
    let digest = "[amici] 1 mark near or open, 1 of your games waits for you";
    let expected = [
        "[amici SAMPLE-1] time control 10, in 3 days",
        digest,
        "[amici SAMPLE-1] YOUR TIME MAY BE OVERSTEPPED by 1",
        digest,
    ];
    assert_eq!(desk.subjects().await, expected);
    desk.notify.digest = None;
    let told = [desk.told("2026-03-10T22:59:00Z").await, desk.told("2026-03-10T23:00:00Z").await];
    assert_eq!(told, [0, 1], "at midnight in Vienna nothing helps");
    assert_eq!(desk.subjects().await.last().unwrap(), "[amici SAMPLE-1] YOUR TIME IS OVERSTEPPED by up to 2");
}

#[tokio::test]
async fn a_move_that_no_mail_told_of_is_told_of_once_on_the_day_it_begins_and_can_be_answered() {
    let mut desk = Desk::new().await;
    desk.notify.digest = None;
    assert_eq!(desk.told("2026-03-02T12:00:00Z").await, 0, "of a game that had begun when he entered it he knows");
    let entered = |id: &str, me, plies| {
        let mut game = Game { id: id.parse().unwrap(), start_date: Some("2026-03-04".parse().unwrap()), me, ..near() };
        game.moves.truncate(plies);
        (game, format!("<{id}.root@example.net>"))
    };
    let games = [entered("W-1", Side::White, 0), entered("B-2", Side::Black, 0), entered("B-3", Side::Black, 13)];
    desk.store.import(&games, false, at("2026-03-02T13:00:00Z")).await.unwrap();
    assert_eq!(desk.told("2026-03-03T22:59:00Z").await, 0, "it is not the day yet in Vienna");
    assert_eq!(desk.told("2026-03-03T23:00:00Z").await, 2);
    assert_eq!(desk.told("2026-03-04T23:30:00Z").await, 0);
    let subjects = desk.subjects().await;
    assert!(
        subjects[0].starts_with("[amici W-1]") && subjects[0].ends_with("you have White - your move"),
        "{subjects:?}"
    );
    assert!(subjects[1].starts_with("[amici B-3]") && subjects[1].contains("7. "), "{subjects:?}");
    let notice = desk.store.unsent().await.unwrap().remove(0).outgoing;
    let letter = amici::mail::message::parse(&notice.bytes).unwrap();
    assert!(letter.plain.as_deref().unwrap().contains("Code for this move:"));
    let named = |name: &str| letter.attachments.iter().any(|part| part.name.as_deref() == Some(name));
    assert!(named("reply.eml"), "{:?}", letter.attachments);
    let reply = format!(
        "From: <tobin.q@example.net>\r\nTo: tobin.q@example.net\r\nSubject: Re: x\r\nMessage-ID: <c@example.net>\r\n\
         In-Reply-To: {}\r\n\r\n5254\r\n",
        notice.message_id
    );
    let now = at("2026-03-04T08:00:00Z");
    let raw = RawMessage { bytes: reply.as_bytes(), at: now, arrival: None, verified: None };
    take_in(&mut desk.store, &desk.me, &Senders::default(), &raw, now).await.unwrap();
    let game = desk.store.game(&"W-1".parse().unwrap()).await.unwrap().unwrap().game;
    assert_eq!(game.plan.map(|plan| plan.numeric.to_string()).as_deref(), Some("5254"));
}

#[tokio::test]
async fn a_move_since_the_last_digest_is_news() {
    let mut desk = Desk::new().await;
    assert_eq!(desk.told("2026-03-02T12:00:00Z").await, 0);
    desk.sql("UPDATE moves SET recorded_at = '2026-03-02T13:00:00+00:00' WHERE ply = 13").await;
    assert_eq!(desk.told("2026-03-02T14:00:00Z").await, 0, "at its time only");
    assert_eq!(desk.told("2026-03-03T08:00:00Z").await, 1);
    assert_eq!(desk.told("2026-03-04T08:00:00Z").await, 0);
}

#[tokio::test]
async fn a_mail_that_was_not_read_is_news_once_and_then_listed_as_before_beside_other_news() {
    let mut desk = Desk::new().await;
    assert_eq!(desk.told("2026-03-02T12:00:00Z").await, 0);
    desk.sql(
        "INSERT INTO arrivals (source, folder, epoch, uid, attempts, state, reason, noted_at)
         VALUES ('mail', 'INBOX', 0, '42', 0, 'too-large', 'the mail is too large', '2026-03-02T13:00:00+00:00')",
    )
    .await;
    assert_eq!(desk.told("2026-03-03T08:00:00Z").await, 1);
    let news = desk.last().await;
    assert!(news.contains("Not read since the last digest; it may be an answer of his"), "{news}");
    assert!(news.contains("INBOX 42: the mail is too large") && !news.contains("as before"), "{news}");
    assert_eq!(desk.told("2026-03-04T08:00:00Z").await, 0, "it is told already");
    desk.sql("UPDATE moves SET recorded_at = '2026-03-04T13:00:00+00:00' WHERE ply = 13").await;
    assert_eq!(desk.told("2026-03-05T08:00:00Z").await, 1);
    assert!(desk.last().await.contains("Not read, as before: INBOX 42: the mail is too large"));
}

#[tokio::test]
async fn a_letter_of_leave_that_nobody_saw_sent_stays_in_the_digest_for_as_long_as_the_leave_counts() {
    let mut game = near();
    let (from, to) = ("2026-03-04".parse().unwrap(), "2026-03-25".parse().unwrap());
    game.leaves = vec![amici::domain::game::Leave { side: Side::Black, from, to, announced: None }];
    let mut desk = Desk::with(game).await;
    let question = "your letter of leave: did you send it?";
    assert_eq!(desk.told("2026-03-01T12:00:00Z").await, 0);
    desk.sql("UPDATE moves SET recorded_at = '2026-03-14T13:00:00+00:00' WHERE ply = 13").await;
    assert_eq!(desk.told("2026-03-15T08:00:00Z").await, 1);
    assert!(desk.last().await.contains(question));
}

#[tokio::test]
async fn without_a_digest_what_is_urgent_is_still_told() {
    let mut desk = Desk::new().await;
    desk.notify.digest = None;
    assert_eq!(desk.told("2026-03-02T12:00:00Z").await, 0);
    assert_eq!(desk.told("2026-03-08T12:00:00Z").await, 1);
    assert_eq!(desk.subjects().await, ["[amici SAMPLE-1] time control 10, in 1 day"]);
}

#[tokio::test]
async fn an_overstep_of_his_is_told_once_with_the_claim_and_the_digest_says_so_instead_of_its_day() {
    let mut game = near();
    game.me = Side::White;
    let mine = &mut game.moves[12];
    (mine.observed.arrived, mine.observed.sent) = (None, Some("2026-03-01".parse().unwrap()));
    let mut desk = Desk::with(game).await;
    desk.notify.digest = "08:00".parse().ok();
    desk.told("2026-03-05T12:00:00Z").await;
    assert_eq!(desk.told("2026-03-06T12:00:00Z").await, 1);
    let digest = desk.last().await;
    assert!(digest.contains("New since the last digest: ! Mon 09 Mar SAMPLE-1 "), "{digest}");
    assert_eq!(desk.told("2026-03-10T10:00:00Z").await, 1, "the digest alone: he may book the mail a day later");
    let digest = desk.last().await;
    let reserve = "his time control 10, perhaps over: certain from Wed 11 Mar 2026 13:00";
    assert!(digest.contains(reserve) && !digest.contains("OVERSTEPPED"), "{digest}");
    assert_eq!(desk.told("2026-03-11T06:59:00Z").await, 0);
    let digest_at = desk.notify.digest.take();
    assert_eq!(desk.told("2026-03-11T12:00:00Z").await, 1, "it is over everywhere");
    let told = desk.last().await;
    for part in [
        "HIS TIME IS OVERSTEPPED by up to 2.",
        "The last day was Mon 09 Mar 2026 (his time control 10).",
        "52 days used, and 10 days for this move so far: 62 days used (at least 61), 60 allowed up to move 10.",
        "amici claim SAMPLE-1",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    desk.notify.digest = digest_at;
    assert_eq!(desk.told("2026-03-11T12:00:00Z").await, 1);
    let digest = desk.last().await;
    assert!(digest.contains("OVERSTEPPED by up to 2 (his time control 10): amici claim SAMPLE-1"), "{digest}");
    assert!(digest.contains("New since the last digest: ! Mon 09 Mar"), "{digest}");
    desk.sql("UPDATE moves SET recorded_at = '2026-03-11T13:00:00+00:00' WHERE ply = 13").await;
    assert_eq!(desk.told("2026-03-12T12:00:00Z").await, 1);
    let digest = desk.last().await;
    assert!(digest.contains("Near, or open, as before: ! Mon 09 Mar SAMPLE-1"), "{digest}");
}

#[tokio::test]
async fn an_overstep_is_told_with_the_reason_for_which_its_days_are_not_those_between_two_dates() {
    let mut game = near();
    game.rules = game.rules.with(json!({"double_after": 5}).as_object().unwrap());
    let mut desk = Desk::with(game).await;
    desk.notify.digest = None;
    desk.told("2026-03-02T12:00:00Z").await;
    desk.told("2026-03-09T12:00:00Z").await;
    let told = desk.last().await;
    let sum = "and 11 days for this move so far: 63 days used (at least 61), 60 allowed up to move 10; 11: 8 calendar days, 3 beyond 5 twice.";
    assert!(told.contains("YOUR TIME IS OVERSTEPPED by up to 3.") && told.contains(sum), "{told}");
}

#[tokio::test]
async fn a_limit_that_was_passed_long_before_the_game_came_here_is_no_news() {
    let mut desk = Desk::new().await;
    desk.sql("UPDATE moves SET recorded_at = '2026-03-18T11:00:00+00:00'").await;
    assert_eq!(desk.told("2026-03-18T12:00:00Z").await, 0);
}

#[tokio::test]
async fn an_overstep_while_the_daemon_was_off_is_told_once_when_it_comes_back() {
    let mut game = near();
    game.me = Side::White;
    let mine = &mut game.moves[12];
    (mine.observed.arrived, mine.observed.sent) = (None, Some("2026-03-01".parse().unwrap()));
    game.rules = game.rules.with(json!({"claim": {"on_move": true}}).as_object().unwrap());
    let mut desk = Desk::with(game).await;
    desk.notify.digest = None;
    assert_eq!(desk.told("2026-03-02T12:00:00Z").await, 0);
    assert_eq!(desk.told("2026-03-24T12:00:00Z").await, 1);
    assert_eq!(desk.told("2026-03-25T12:00:00Z").await, 0);
    assert_eq!(desk.subjects().await, ["[amici SAMPLE-1] HIS TIME IS OVERSTEPPED by up to 15"]);
    let told = desk.last().await;
    let terms =
        "By the rules of this game a claim on time is valid only while the claimant is to move. You may claim it";
    assert!(told.contains(terms), "{told}");
}

#[tokio::test]
async fn a_mark_that_arises_shortly_before_its_day_is_news_of_the_next_digest() {
    let mut desk = Desk::new().await;
    assert_eq!(desk.told("2026-03-06T12:00:00Z").await, 1, "the first start: urgent, and noted");
    assert_eq!(desk.told("2026-03-07T12:00:00Z").await, 0);
    let leave = Leave {
        side: Side::White,
        from: "2026-03-08".parse().unwrap(),
        to: "2026-03-20".parse().unwrap(),
        announced: None,
    };
    let care = Care { leaves: vec![(near().id, leave)], ..Care::default() };
    desk.store.take_care(&care, at("2026-03-07T13:00:00Z")).await.unwrap();
    assert_eq!(desk.told("2026-03-08T12:00:00Z").await, 1);
    let digest = desk.last().await;
    assert!(digest.contains("New since the last digest: ! Sun 08 Mar SAMPLE-1 "), "{digest}");
    assert_eq!(desk.told("2026-03-09T12:00:00Z").await, 0);
}

#[tokio::test]
async fn a_failure_between_the_mail_and_the_note_of_it_leaves_neither_and_the_next_try_tells_once() {
    let mut desk = Desk::new().await;
    desk.sql("CREATE TRIGGER planted BEFORE INSERT ON told BEGIN SELECT RAISE(ABORT, 'planted'); END").await;
    let failed = remind(&mut desk.store, &desk.me, &desk.notify, Read::ByHim, at("2026-03-08T12:00:00Z")).await;
    assert!(matches!(failed, Err(RemindError::Store(_))), "{failed:?}");
    assert_eq!(desk.subjects().await, Vec::<String>::new());
    desk.sql("DROP TRIGGER planted; CREATE TRIGGER planted BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'planted'); END").await;
    assert!(remind(&mut desk.store, &desk.me, &desk.notify, Read::ByHim, at("2026-03-08T12:00:00Z")).await.is_err());
    desk.sql("DROP TRIGGER planted").await;
    assert_eq!(desk.told("2026-03-08T12:00:00Z").await, 1);
    assert_eq!(desk.told("2026-03-08T12:00:00Z").await, 0);
}

#[tokio::test]
async fn two_daemons_at_the_same_instant_tell_once() {
    let mut desk = Desk::new().await;
    let mut second = Store::open(desk.dir.path()).await.unwrap();
    let now = at("2026-03-08T12:00:00Z");
    let (first, other) = tokio::join!(
        remind(&mut desk.store, &desk.me, &desk.notify, Read::ByHim, now),
        remind(&mut second, &desk.me, &desk.notify, Read::ByHim, now)
    );
    let mails = |reminded: Reminded| if let Reminded::Told(mails) = reminded { mails } else { 0 };
    assert_eq!(mails(first.unwrap()) + mails(other.unwrap()), 1);
    assert_eq!(desk.subjects().await.len(), 1);
}

#[tokio::test]
async fn a_draft_that_nobody_saw_sent_is_told_24_hours_later_and_once() {
    let mut desk = Desk::new().await;
    let plan = Plan {
        before: Vec::new(),
        numeric: "2836".parse().unwrap(),
        stated: Stated::default(),
        draw_offer: false,
        message_id: "<reply@example.net>".to_owned(),
        conditionals: Vec::new(),
        comment: None,
        held_until: None,
    };
    let draft = Outgoing {
        kind: OutgoingKind::Draft,
        game: Some("SAMPLE-1".parse().unwrap()),
        ply: Some(14),
        message_id: "<draft@example.net>".to_owned(),
        recipient: "tobin.q@example.net".to_owned(),
        bytes: b"Subject: draft\r\n\r\n".to_vec(),
    };
    // 23:59 in Vienna
    desk.store.plan(&near().id, 13, &plan, &draft, at("2026-03-02T22:59:00Z")).await.unwrap();
    assert_eq!(desk.told("2026-03-02T23:00:30Z").await, 0, "by the clock, not by the calendar");
    assert_eq!(desk.told("2026-03-03T22:58:59Z").await, 0);
    assert_eq!(desk.told("2026-03-03T22:59:00Z").await, 1);
    assert_eq!(desk.told("2026-03-04T06:00:00Z").await, 0);
    assert_eq!(desk.subjects().await, ["[amici SAMPLE-1] your draft was not seen to be sent, today"]);
}

#[tokio::test]
async fn by_a_clock_that_cannot_be_right_nothing_is_told() {
    let mut desk = Desk::new().await;
    let reminded =
        remind(&mut desk.store, &desk.me, &desk.notify, Read::ByHim, at("1970-01-01T00:00:10Z")).await.unwrap();
    assert!(matches!(reminded, Reminded::Distrusted(_)));
    desk.sql(
        "INSERT INTO acts (at, kind, body) SELECT '2026-11-20T10:00:00+00:00', kind, body FROM acts ORDER BY id LIMIT 1",
    )
    .await;
    let reminded =
        remind(&mut desk.store, &desk.me, &desk.notify, Read::ByHim, at("2026-03-08T12:00:00Z")).await.unwrap();
    assert!(matches!(reminded, Reminded::Distrusted(_)));
    assert_eq!(desk.subjects().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_clock_that_stays_doubted_is_told_of_once_by_mail_until_it_is_believed_again() {
    let mut desk = Desk::new().await;
    desk.notify.digest = None;
    desk.sql(
        "INSERT INTO acts (at, kind, body) SELECT '2026-11-20T10:00:00+00:00', kind, body FROM acts ORDER BY id LIMIT 1",
    )
    .await;
    async fn look(desk: &mut Desk, instant: &str) -> (bool, usize) {
        let reminded = remind(&mut desk.store, &desk.me, &desk.notify, Read::ByHim, at(instant)).await.unwrap();
        let of_clock = desk.subjects().await.into_iter().filter(|subject| subject.contains("NO DEADLINE IS JUDGED"));
        (matches!(reminded, Reminded::Distrusted(_)), of_clock.count())
    }
    for (instant, mails) in [
        ("2026-03-01T12:00:00Z", 0),
        ("2026-03-01T12:59:59Z", 0),
        ("2026-03-01T13:00:00Z", 1),
        ("2026-03-01T14:30:00Z", 1),
        ("2026-03-02T14:30:00Z", 1),
    ] {
        assert_eq!(look(&mut desk, instant).await, (true, mails), "{instant}");
    }
    assert_eq!(desk.subjects().await, ["[amici] NO DEADLINE IS JUDGED: the clock of this machine is doubted"]);
    let told = desk.last().await;
    for part in [
        "the clock of this machine says 2026-03-01, but the newest mail or command on record is of 2026-11-20.",
        "if it is right now and ran ahead then, say amici check --clock-is-right WHY",
        "You are told of this once.",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    let believed = look(&mut desk, "2026-11-21T12:00:00Z").await;
    assert_eq!(believed, (false, 1));
    assert_eq!(look(&mut desk, "2026-03-03T12:00:00Z").await, (true, 1), "it may be set in a moment");
    assert_eq!(look(&mut desk, "2026-03-03T13:00:00Z").await, (true, 2), "another time");
}

#[tokio::test]
async fn the_digest_permits_nothing_against_an_opponent_who_wrote_that_he_has_no_answer() {
    for repeats in [false, true] {
        let mut game = near();
        game.moves.pop();
        game.moves[11].observed.sent = Some("2026-03-01".parse().unwrap());
        let mut desk = Desk::with(game).await;
        desk.notify.digest = "08:00".parse().ok();
        desk.told("2026-03-02T12:00:00Z").await;
        if repeats {
            let (bytes, now) = (mail("m7", "EM/ZZ/042", "6. 6152\n"), at("2026-03-14T06:00:00Z"));
            let raw = RawMessage { bytes: &bytes, at: now, arrival: None, verified: None };
            take_in(&mut desk.store, &desk.me, &Senders::default(), &raw, now).await.unwrap();
        }
        let known = desk.store.unsent().await.unwrap().len();
        desk.told("2026-03-15T12:00:00Z").await;
        let rows = desk.store.unsent().await.unwrap().split_off(known);
        let text: String = rows.iter().map(|row| String::from_utf8(row.outgoing.bytes.clone()).unwrap()).collect();
        assert_eq!(text.contains("you may repeat"), !repeats, "{text}");
    }
}

#[tokio::test]
async fn a_round_of_the_daemon_delivers_what_is_urgent_once() {
    let dir = TempDir::new().unwrap();
    let mail = dir.path().join("Maildir");
    Maildir::create(&mail).unwrap();
    let config =
        Config::parse(&format!("{ME}[maildir]\npath = \"{}\"\n[notify]\nurgent_days = 2\n", mail.display())).unwrap();
    let mut game = near();
    // he has eight days from then on
    game.moves[12].observed.arrived = Some(Utc::now().date_naive() - Days::new(7));
    let mut store = Store::open(&dir.path().join("data")).await.unwrap();
    store.import(&[(game, ROOT.to_owned())], false, Utc::now()).await.unwrap();
    let (outlet, shutdown) = (config.mail.clone().unwrap(), CancellationToken::new());
    let mut daemon = Daemon::new(config, outlet, store, "here".to_owned(), shutdown).await.unwrap();
    let delivered = [daemon.round_once().await.unwrap(), daemon.round_once().await.unwrap()].map(|r| r.delivered.len());
    assert_eq!(delivered, [1, 0]);
    let [file] = <[_; 1]>::try_from(std::fs::read_dir(mail.join("new")).unwrap().collect::<Vec<_>>()).unwrap();
    let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
    assert!(text.contains("Subject: [amici SAMPLE-1] time control 10, "), "{text}");
    assert!(text.contains("Auto-Submitted: auto-generated"), "{text}");
}
