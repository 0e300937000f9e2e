//! The player's own mails that command something: his bytes in, a draft or an answer out, once, and to nobody else.

use amici::choice::draft::drafted;
use amici::choice::{Wish, choose};
use amici::config::{Config, Me, Senders};
use amici::domain::game::{ClockNote, ClockNoteKind, Game, GameId, GameResult, Stated};
use amici::domain::notation::{NumericMove, san};
use amici::intake::{RawMessage, take_in};
use amici::io::store::{Care, Commanded, EventRow, OutboxRow, OutgoingKind, Store, StoreError, StoredGame, Taken};
use amici::letters::{AnswerKey, answer_mark};
use amici::mail::authentication::Finding;
use amici::mail::message::{IncomingMessage, parse};
use amici::proof::replay::replay;
use chrono::{DateTime, TimeDelta, Utc};
use shakmaty::Position;
use tempfile::TempDir;

use super::intake::{ME, MILA, ROOT, sample};

const PLAYER: &str = "Tobin <tobin.q@example.net>";

fn start() -> DateTime<Utc> {
    "2026-03-01T10:00:00Z".parse().unwrap()
}

/// The sample game of this year after so many plies.
fn game(plies: usize) -> Game {
    let mut game = sample(plies);
    game.start_date = None;
    for record in &mut game.moves {
        record.claimed = Stated::default();
    }
    game
}

fn id() -> GameId {
    "SAMPLE-1".parse().unwrap()
}

struct Desk {
    _dir: TempDir,
    store: Store,
    me: Me,
    senders: Senders,
    now: DateTime<Utc>,
    mails: u32,
}

impl Desk {
    async fn of(games: &[Game]) -> Desk {
        Desk::with(games, "").await
    }

    /// A desk with further lines of configuration.
    async fn with(games: &[Game], config: &str) -> Desk {
        let dir = TempDir::new().unwrap();
        let mut store = Store::open(dir.path()).await.unwrap();
        let root = |g: &Game| if g.id == id() { ROOT.to_owned() } else { format!("<{}.root@example.net>", g.id) };
        let entries: Vec<_> = games.iter().map(|g| (g.clone(), root(g))).collect();
        store.import(&entries, false, start()).await.unwrap();
        let config = Config::parse(&format!("{ME}{config}")).unwrap();
        Desk { _dir: dir, store, me: config.me, senders: config.senders, now: start(), mails: 0 }
    }

    /// His move 7. 5171 has come, and its notice lies in the player's mailbox.
    async fn noticed() -> (Desk, IncomingMessage) {
        let mut desk = Desk::of(&[game(12)]).await;
        let notice = desk.his_move().await;
        (desk, notice)
    }

    async fn his_move(&mut self) -> IncomingMessage {
        self.take(&written(MILA, "EM/ZZ/042", "m1", "", "7. 5171\n")).await;
        let notices = self.outbox().await;
        parse(&notices.last().unwrap().outgoing.bytes).unwrap()
    }

    async fn take(&mut self, raw: &[u8]) {
        self.now += TimeDelta::minutes(1);
        let mail = RawMessage { bytes: raw, at: self.now, arrival: None, verified: None };
        take_in(&mut self.store, &self.me, &self.senders, &mail, self.now).await.unwrap();
    }

    /// A reply of the player's to a letter, as a mail client writes it.
    fn reply(&mut self, to: &IncomingMessage, text: &str) -> Vec<u8> {
        self.mails += 1;
        let answered = to.message_id.as_ref().unwrap();
        let more = format!("In-Reply-To: {answered}\r\nReferences: {ROOT} {answered}\r\n");
        written(PLAYER, &format!("Re: {}", to.subject), &format!("c{}", self.mails), &more, text)
    }

    /// Sends a reply, and gives the one letter that answers it.
    async fn says(&mut self, to: &IncomingMessage, text: &str) -> IncomingMessage {
        let raw = self.reply(to, text);
        let mut letters = self.answers_to(&raw).await;
        assert_eq!(letters.len(), 1, "exactly one mail answers `{text}`");
        letters.remove(0)
    }

    /// The letters that a mail causes: to the player alone, and in the thread of the game.
    async fn answers_to(&mut self, raw: &[u8]) -> Vec<IncomingMessage> {
        let before: Vec<i64> = self.outbox().await.iter().map(|row| row.id).collect();
        self.take(raw).await;
        let rows = self.outbox().await.into_iter().filter(|row| !before.contains(&row.id));
        rows.map(|row| {
            assert_eq!(row.outgoing.recipient, "tobin.q@example.net");
            let letter = parse(&row.outgoing.bytes).unwrap();
            assert_eq!(letter.to.len() + letter.cc.len(), 1, "{:?}", letter.to);
            assert!(letter.automatic.is_some(), "an answer is never taken for a command");
            letter
        })
        .collect()
    }

    /// What waits to go out.
    async fn outbox(&mut self) -> Vec<OutboxRow> {
        self.store.unsent().await.unwrap()
    }

    async fn game(&mut self) -> Game {
        self.store.game(&id()).await.unwrap().unwrap().game
    }

    async fn plan(&mut self) -> Option<String> {
        self.game().await.plan.map(|plan| plan.numeric.to_string())
    }

    async fn code(&mut self) -> String {
        let key = AnswerKey::new(self.store.answer_key().await.unwrap());
        answer_mark(&key, &self.game().await)
    }

    /// All of it once more from the mails alone.
    async fn proven(mut self) {
        let dir = TempDir::new().unwrap();
        let mut fresh = Store::open(dir.path()).await.unwrap();
        let done = replay(&mut self.store, &mut fresh).await.unwrap();
        assert_eq!((done.diff.as_str(), &done.stopped), ("", &None));
    }
}

/// A mail to the player, in its bytes; `more` are further header lines.
fn written(from: &str, subject: &str, id: &str, more: &str, body: &str) -> Vec<u8> {
    let kind = if body.starts_with('<') {
        "Content-Type: text/html; charset=utf-8\r\n"
    } else {
        "Content-Type: text/plain; charset=utf-8\r\n"
    };
    let to = if more.contains("To: ") && !more.contains("In-Reply-To: ") { "" } else { "To: tobin.q@example.net\r\n" };
    let body = body.replace('\n', "\r\n");
    let head = format!(
        "Received: from mx.example.org by mail.example.net; Sun, 1 Mar 2026 10:00:00 +0000\r\nFrom: {from}\r\n{to}Subject: {subject}\r\n\
         Date: Sun, 1 Mar 2026 11:00:00 +0100\r\nMessage-ID: <{id}@example.org>\r\n{more}MIME-Version: 1.0\r\n{kind}\
         Content-Transfer-Encoding: 8bit\r\n\r\n"
    );
    format!("{head}{body}").into_bytes()
}

fn text(letter: &IncomingMessage) -> String {
    letter.plain.clone().unwrap()
}

fn flat(letter: &IncomingMessage) -> String {
    text(letter).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn four_digits_in_reply_to_a_notice_make_the_finished_draft() {
    let (mut desk, notice) = Desk::noticed().await;
    let draft = desk.says(&notice, "2836\n").await;
    assert_eq!(draft.subject, "[amici SAMPLE-1] ready to send to Ostrander, Mila: 7... 2836 (Nc6)");
    assert!(text(&draft).contains("2836"), "{}", text(&draft));
    let game = desk.game().await;
    let plan = game.plan.unwrap();
    assert_eq!((plan.numeric.to_string().as_str(), plan.stated.sent), ("2836", Some("2026-03-01".parse().unwrap())));
    assert_eq!(game.moves.len(), 13, "nothing is recorded as sent");
    assert!(desk.store.held().await.unwrap().is_empty());
    desk.proven().await;
}

#[tokio::test]
async fn the_first_own_line_counts_wherever_it_is_posted_and_whatever_a_phone_adds() {
    let quoted: String = "> Ostrander, Mila played 7. 5171\n> Code for this move: x\n".to_owned();
    let attribution = "On Sun, Mar 1, 2026 at 11:01 AM Tobin <tobin.q@example.net> wrote:\n";
    for body in [
        format!("2836\n\n{attribution}{quoted}"),
        format!("{attribution}{quoted}\n2836\n"),
        "2836\n\nSent from my phone\n".to_owned(),
        "2836\n-- \nTobin Quillfeather\nTel. 4445\n".to_owned(),
        format!("28-36\n\n-----Original Message-----\nFrom: Tobin\nSent: Sunday\nTo: Tobin\nSubject: x\n\n{}", "7. 5171\n"),
        "28 36.\n".to_owned(),
        "２８３６\n".to_owned(),
        "28–36\n".to_owned(),
        "2,836\n".to_owned(),
        "<html><body><div>2836</div><div><br></div><div>Sent from my phone</div><blockquote type=\"cite\">7. 5171</blockquote></body></html>".to_owned(),
        "<div dir=\"auto\">Nc6</div><br><div class=\"gmail_quote\"><div>On Sun, Mar 1, 2026 at 11:01 AM Tobin &lt;tobin.q@example.net&gt; wrote:<br></div><blockquote>7. 5171</blockquote></div>".to_owned(),
    ] {
        let (mut desk, notice) = Desk::noticed().await;
        desk.says(&notice, &body).await;
        assert_eq!(desk.plan().await.as_deref(), Some("2836"), "{body}");
    }
}

#[tokio::test]
async fn a_code_alone_is_proof_and_a_wrong_one_is_none() {
    let (mut desk, _) = Desk::noticed().await;
    let code = desk.code().await;
    let raw = written(PLAYER, &code, "code", "", "Nc6\n");
    assert_eq!(desk.answers_to(&raw).await.len(), 1);
    assert_eq!(desk.plan().await.as_deref(), Some("2836"));

    let (mut desk, _) = Desk::noticed().await;
    let wrong = format!("{}a", &code[..code.len() - 1].replace('a', "b"));
    let letters =
        desk.answers_to(&written(PLAYER, &format!("Re: [amici SAMPLE-1] {wrong}"), "code", "", "Nc6\n")).await;
    assert!(flat(&letters[0]).contains("Nothing in it shows that it answers a notice"), "{}", flat(&letters[0]));
    assert_eq!(desk.plan().await, None);
    desk.proven().await;
}

#[tokio::test]
async fn a_notice_with_the_former_id_of_its_game_is_answered_as_before() {
    for by_code in [false, true] {
        let (mut desk, notice) = Desk::noticed().await;
        let code = desk.code().await;
        let before = desk.game().await.card();
        let mut after = before.clone();
        after.id = "MILA".parse().unwrap();
        let event = EventRow { game: Some(id()), kind: "edited".into(), text: "another id".into() };
        assert!(desk.store.edit(&id(), (&before, &after), &event, desk.now).await.unwrap());
        let raw = if by_code { written(PLAYER, &code, "code", "", "Nc6\n") } else { desk.reply(&notice, "Nc6\n") };
        let letters = desk.answers_to(&raw).await;
        assert!(letters[0].subject.starts_with("[amici MILA] ready to send to "), "{}", letters[0].subject);
        let game = desk.store.game(&after.id).await.unwrap().unwrap().game;
        assert_eq!(game.plan.unwrap().numeric.to_string(), "2836");
        desk.proven().await;
    }
}

#[tokio::test]
async fn the_finished_draft_is_answered_by_a_command_as_a_notice_is() {
    let (mut desk, notice) = Desk::noticed().await;
    let draft = desk.says(&notice, "2836\n").await;
    // without a word quoted: the id alone is proof
    let other = desk.says(&draft, "5544\n").await;
    assert_eq!(desk.plan().await.as_deref(), Some("5544"));
    let dropped = desk.says(&other, "undo\n").await;
    assert!(dropped.subject.contains("dropped: 7... 5544"), "{}", dropped.subject);
    assert_eq!(desk.plan().await, None);
    desk.says(&draft, "Nc6 draw\n\nOn 1 March Tobin wrote:\n> 7... 2836   Nc6   knight b8-c6\n").await;
    assert!(desk.game().await.plan.unwrap().draw_offer);
    let letter = desk.says(&draft, "Dear Mila, what a nice game!\n").await;
    assert!(flat(&letter).contains("Nothing was changed."), "words for the opponent come back to the player");
    desk.proven().await;
}

#[tokio::test]
async fn the_move_of_a_notice_is_taken_back_by_a_word() {
    let (mut desk, notice) = Desk::noticed().await;
    desk.says(&notice, "2836\n").await;
    let letter = desk.says(&notice, "Wrong.\n").await;
    assert!(letter.subject.contains("taken back: 7. 5171"), "{}", letter.subject);
    assert!(flat(&letter).contains("The record waits for 7. of Ostrander, Mila again"), "{}", flat(&letter));
    assert_eq!((desk.game().await.moves.len(), desk.plan().await), (12, None));
    assert_eq!(desk.store.held().await.unwrap().len(), 1, "his mail waits for the player");
    // the notice is of a move that is not on record any more, and what is left came with a file
    for words in ["2836\n", "wrong\n"] {
        let again = desk.says(&notice, words).await;
        assert!(flat(&again).contains("Nothing was changed."), "{}", flat(&again));
    }
    desk.proven().await;
}

#[tokio::test]
async fn a_mail_that_waits_is_settled_by_one_word() {
    let held = async |body: &str| {
        let mut desk = Desk::of(&[game(12)]).await;
        desk.take(&written(MILA, "EM/ZZ/042", "m1", "", body)).await;
        let notice = parse(&desk.outbox().await.last().unwrap().outgoing.bytes).unwrap();
        (desk, notice)
    };
    let unclear = "7. 5171 or 7. 6364, I am not sure yet\n";
    let (mut desk, notice) = held(unclear).await;
    let candidates = desk.store.held().await.unwrap().remove(0).candidates;
    let said = flat(&notice);
    for (numeric, number) in candidates.iter().zip(1..) {
        assert!(
            said.contains(&format!("It may mean 7. {numeric}"))
                && said.contains(&format!("To record it, reply {number}")),
            "{said}"
        );
    }
    let castles = candidates.iter().position(|numeric| numeric.to_string() == "5171").unwrap() + 1;
    let told = desk.says(&notice, "9\n").await;
    assert!(flat(&told).contains("offers no reading 9"), "{}", flat(&told));
    let told = desk.says(&notice, &format!("{castles}\n")).await;
    assert!(flat(&told).contains("7. 5171 (O-O) is on record, on your word"), "{}", flat(&told));
    let record = desk.game().await.moves;
    assert_eq!(record.last().unwrap().numeric.to_string(), "5171");
    assert!(desk.store.held().await.unwrap().is_empty());
    desk.says(&told, "2836\n").await;
    assert_eq!(desk.plan().await.as_deref(), Some("2836"), "the answer is answered by the move");
    let told = desk.says(&notice, "1\n").await;
    assert!(flat(&told).contains("that is past"), "{}", flat(&told));
    desk.proven().await;

    let (mut desk, notice) = held(unclear).await;
    let question = desk.says(&notice, "ask\n").await;
    assert!(question.subject.contains("a question"), "{}", question.subject);
    assert_eq!(desk.store.held().await.unwrap().len(), 1, "it goes on waiting");
    desk.proven().await;

    for body in [unclear, "7. 9999\n"] {
        let (mut desk, notice) = held(body).await;
        let told = desk.says(&notice, "Ignore.\n").await;
        assert!(flat(&told).contains("is put away; nothing was recorded"), "{}", flat(&told));
        assert!(desk.store.held().await.unwrap().is_empty());
        assert_eq!(desk.game().await.moves.len(), 12);
        let told = desk.says(&notice, "ignore\n").await;
        assert!(flat(&told).contains("No such mail waits"), "{}", flat(&told));
        desk.proven().await;
    }
}

#[tokio::test]
async fn a_mail_that_was_settled_meanwhile_is_settled_by_no_command() {
    let mut desk = Desk::of(&[game(12)]).await;
    desk.take(&written(MILA, "EM/ZZ/042", "m1", "", "7. 5171 or 7. 6364, I am not sure yet\n")).await;
    let held = desk.store.held().await.unwrap().remove(0);
    desk.store.settle_verdict(held.verdict, None, &[], &held.put_away(), desk.now).await.unwrap();
    let settle = Commanded::Settle { verdict: held.verdict, read: None, event: held.put_away() };
    let late = Taken { raw: b"From: x\r\n\r\nignore\r\n", commanded: Some(settle), ..Taken::default() };
    let before = desk.store.events(&id()).await.unwrap();
    assert!(matches!(desk.store.record(&late, desk.now).await, Err(StoreError::NotHeld)));
    assert_eq!(desk.store.events(&id()).await.unwrap(), before, "nothing of the command was kept");
    desk.proven().await;
}

#[tokio::test]
async fn the_move_may_stand_above_below_or_in_the_line_that_the_link_of_a_notice_opens() {
    for body in ["My move: 2836\n", "My move:\n2836\n", "2836\n\nMy move: \n", "My move: Nc6\n\nSent from my phone\n"] {
        let (mut desk, _) = Desk::noticed().await;
        let code = desk.code().await;
        assert_eq!(desk.answers_to(&written(PLAYER, &code, "link", "", body)).await.len(), 1);
        assert_eq!(desk.plan().await.as_deref(), Some("2836"), "{body}");
    }
    let (mut desk, _) = Desk::noticed().await;
    let code = desk.code().await;
    let letters = desk.answers_to(&written(PLAYER, &code, "link", "", "My move: \n")).await;
    assert!(flat(&letters[0]).contains("there is no word of yours in it"), "{}", flat(&letters[0]));
    assert_eq!(desk.plan().await, None);
}

#[tokio::test]
async fn no_command_is_done_or_answered_twice() {
    let (mut desk, notice) = Desk::noticed().await;
    let raw = desk.reply(&notice, "2836\n");
    assert_eq!(desk.answers_to(&raw).await.len(), 1);
    assert_eq!(desk.answers_to(&raw).await.len(), 0, "the same bytes");
    let plan = desk.game().await.plan;
    let copy = [b"Received: by other.example.net; Sun, 1 Mar 2026 10:00:09 +0000\r\n".as_slice(), &raw].concat();
    assert_eq!(desk.answers_to(&copy).await.len(), 0, "another copy of the same mail");
    assert_eq!(desk.game().await.plan, plan);
    desk.proven().await;
}

#[tokio::test]
async fn what_is_not_the_players_own_word_changes_nothing() {
    let (mut desk, notice) = Desk::noticed().await;
    let (code, answered) = (desk.code().await, notice.message_id.clone().unwrap());
    let proof = format!("In-Reply-To: {answered}\r\nReferences: {ROOT} {answered}\r\n");
    let guessed = "In-Reply-To: <SAMPLE-1.notice.00112233445566778899@example.net>\r\n";
    let stranger = "Vera <vera@example.com>";
    let echo = desk.outbox().await.last().unwrap().outgoing.bytes.clone();
    let cases: [(&str, Vec<u8>, usize); 9] = [
        ("from forged, id guessed", written(PLAYER, "Re: EM/ZZ/042", "a1", guessed, "2836\n"), 0),
        ("from forged, id guessed, our subject", written(PLAYER, "Re: [amici SAMPLE-1] x", "a2", guessed, "2836\n"), 1),
        (
            "a stranger with the right id: the notice of a wrong sender",
            written(stranger, "Re: hello", "a3", &proof, "2836\n"),
            1,
        ),
        (
            "an absence note that quotes the code",
            written(
                PLAYER,
                "Out of office",
                "a4",
                &format!("Auto-Submitted: auto-replied\r\n{proof}"),
                &format!("2836\n{code}\n"),
            ),
            0,
        ),
        (
            "our own notice, come back",
            [b"Received: by back.example.net; Sun, 1 Mar 2026 10:00:00 +0000\r\n".as_slice(), &echo].concat(),
            0,
        ),
        (
            "a copy from a mailing list",
            written(PLAYER, "Re: x", "a6", &format!("List-Id: <chess.example.org>\r\n{proof}"), "2836\n"),
            0,
        ),
        (
            "to the opponent as well",
            written(PLAYER, "Re: x", "a7", &format!("Cc: mila.ostrander@example.org\r\n{proof}"), "2836\n"),
            0,
        ),
        (
            "handed in by another",
            written(PLAYER, "Re: x", "a8", &format!("Sender: vera@example.com\r\n{proof}"), "2836\n"),
            0,
        ),
        ("a note of his to himself", written(PLAYER, "milk", "a9", "", "2836\n"), 0),
    ];
    for (what, raw, answers) in cases {
        assert_eq!(desk.answers_to(&raw).await.len(), answers, "{what}");
        assert_eq!(desk.plan().await, None, "{what}");
    }
    desk.proven().await;
}

#[tokio::test]
async fn the_opponents_mail_with_the_code_is_his_mail_and_no_command() {
    let (mut desk, _) = Desk::noticed().await;
    let code = desk.code().await;
    desk.take(&written(MILA, &code, "his", "", &format!("2836\n\n{code}\n"))).await;
    assert_eq!(desk.plan().await, None);
    assert_eq!(desk.game().await.moves.len(), 13);
    desk.proven().await;
}

#[tokio::test]
async fn a_sender_that_the_own_server_refuses_is_held_and_told() {
    let mut desk = Desk::with(&[game(12)], "[senders]\nauthserv_id = \"mail.example.net\"\n").await;
    let notice = desk.his_move().await;
    let raw = desk.reply(&notice, "2836\n");
    let mark = |word: &str| {
        let field = format!("Authentication-Results: mail.example.net; dmarc={word} header.from=example.net\r\n");
        [field.as_bytes(), &raw].concat()
    };
    let letters = desk.answers_to(&mark("fail")).await;
    assert!(flat(&letters[0]).contains("that is not proven"), "{}", flat(&letters[0]));
    assert_eq!((desk.plan().await, desk.store.held().await.unwrap().len()), (None, 1));
    desk.proven().await;

    let mut desk = Desk::with(&[game(12)], "[senders]\nauthserv_id = \"mail.example.net\"\n").await;
    desk.his_move().await;
    let code = desk.code().await;
    let letters = desk.answers_to(&written(PLAYER, &code, "leaked", "", "2836\n")).await;
    assert!(flat(&letters[0]).contains("that is not proven"), "a code can be read by others: {}", flat(&letters[0]));
    assert_eq!(desk.plan().await, None);
    // the same mail, as it lies in his folder of sent mails
    let mail = written(PLAYER, &code, "leaked", "X-Copy: yes\r\n", "2836\n");
    let verified = Some(vec![Finding::filed(&"tobin.q@example.net".parse().unwrap())]);
    let raw = RawMessage { bytes: &mail, at: desk.now, arrival: None, verified };
    take_in(&mut desk.store, &desk.me, &desk.senders, &raw, desk.now).await.unwrap();
    assert_eq!(desk.plan().await.as_deref(), Some("2836"), "nobody else puts mails into his folder of sent mails");
    desk.proven().await;

    let mut desk = Desk::with(&[game(12)], "[senders]\nauthserv_id = \"mail.example.net\"\n").await;
    desk.his_move().await;
    let code = desk.code().await;
    let field = "Authentication-Results: mail.example.net; dmarc=pass header.from=example.net\r\n";
    let raw = [field.as_bytes(), &written(PLAYER, &code, "ok", "", "2836\n")].concat();
    desk.answers_to(&raw).await;
    assert_eq!(desk.plan().await.as_deref(), Some("2836"));
}

#[tokio::test]
async fn a_command_that_is_not_done_is_answered_with_what_was_understood_and_why() {
    let (mut desk, notice) = Desk::noticed().await;
    for (said, parts) in [
        ("2838", &["You wrote: 2838", "2838 is not legal for Black", "did you mean", "Nothing was changed"][..]),
        ("5755", &["you played this already: 6... 5755 (e5)"]),
        ("5171", &["this is his move: 7. 5171 (O-O)"]),
        ("9. Nc6", &["you wrote move 9", "7... is due"]),
        ("Hello there", &["You wrote: Hello there", "is not a move"]),
        ("draw", &["a draw is offered with a move"]),
        ("2836 if any 3657", &["2. Bh6 Bg7 3. Bxg7"]),
        ("2836 if 4445", &["has no reply of yours after it"]),
        ("undo", &["No move is chosen"]),
        ("resend", &["No move is chosen"]),
        ("accept", &["No offer of a draw by Ostrander, Mila is on record"]),
        ("resign EM-17", &["It names `EM-17`"]),
        ("hold 3 moons", &["no time to wait"]),
    ] {
        let letter = desk.says(&notice, said).await;
        for part in parts {
            assert!(flat(&letter).contains(part), "{said}: {part}: {}", text(&letter));
        }
        assert!(text(&letter).contains("a b c d e f g h") || text(&letter).contains("h g f e d c b a"), "the board");
        assert_eq!(desk.plan().await, None, "{said}");
    }
    desk.proven().await;
}

#[tokio::test]
async fn a_notice_that_is_past_commands_nothing_and_is_told_what_stands() {
    let (mut desk, notice) = Desk::noticed().await;
    desk.says(&notice, "2836").await;
    let raw = written(MILA, "EM/ZZ/042", "m2", "", "7... 2836\n8. 4445\n");
    desk.take(&raw).await;
    assert_eq!(desk.game().await.moves.len(), 15);
    let letter = desk.says(&notice, "2847").await;
    assert!(flat(&letter).contains("about 7..., and that is past: now 8..."), "{}", text(&letter));
    assert!(flat(&letter).contains("the last move on record is 8. 4445"), "{}", text(&letter));
    assert_eq!(desk.plan().await, None);
    desk.proven().await;
}

#[tokio::test]
async fn a_choice_is_replaced_dropped_made_anew_and_held_by_mail() {
    let (mut desk, notice) = Desk::noticed().await;
    desk.says(&notice, "2836 draw\n\nsay: Happy Easter!\n").await;
    let first = desk.game().await.plan.unwrap();
    assert_eq!((first.draw_offer, first.comment.as_deref()), (true, Some("Happy Easter!")));
    let again = desk.says(&notice, "Resend.").await;
    assert!(again.subject.contains("7... 2836"), "{}", again.subject);
    let second = desk.game().await.plan.unwrap();
    assert_ne!(first.message_id, second.message_id);
    assert_eq!((second.draw_offer, &second.comment), (true, &first.comment));
    desk.says(&notice, "2847").await;
    assert_eq!(desk.plan().await.as_deref(), Some("2847"));
    let drafts = desk.outbox().await.into_iter().filter(|row| row.outgoing.kind == OutgoingKind::Draft).count();
    assert_eq!(drafts, 1, "what waited to go out is cancelled");
    let kept = desk.says(&notice, "hold 1d").await;
    assert!(flat(&kept).contains("not drafted before Mon 02 Mar 2026"), "{}", text(&kept));
    assert!(!desk.game().await.plan.unwrap().is_drafted());
    let dropped = desk.says(&kept, "UNDO").await;
    assert!(flat(&dropped).contains("7... 2847 is dropped"), "{}", text(&dropped));
    assert_eq!(desk.plan().await, None);
    desk.proven().await;
}

#[tokio::test]
async fn to_end_a_game_takes_a_second_word_and_makes_a_letter_only() {
    let (mut desk, notice) = Desk::noticed().await;
    let asked = desk.says(&notice, "resign").await;
    assert!(flat(&asked).contains("reply yes resign or resign SAMPLE-1"), "{}", text(&asked));
    let letter = desk.says(&asked, "yes resign").await;
    assert_eq!(letter.subject, "[amici SAMPLE-1] ready to send to Ostrander, Mila: your resignation");
    desk.says(&notice, "Resign sample-1").await;
    assert_eq!(desk.game().await.result, None, "it closes nothing");
    desk.proven().await;

    let mut offered = game(13);
    offered.draw_offer = Some(offered.me.other());
    let mut desk = Desk::of(&[offered]).await;
    let code = desk.code().await;
    let mut asked = desk.answers_to(&written(PLAYER, &code, "x1", "", "accept\n")).await;
    let asked = asked.remove(0);
    assert!(flat(&asked).contains("reply yes accept"), "{}", text(&asked));
    let letter = desk.says(&asked, "yes accept").await;
    assert!(text(&letter).contains("I accept the draw."), "{}", text(&letter));
    desk.proven().await;
}

#[tokio::test]
async fn an_announcement_by_mail_is_a_letter_and_counts_once_he_says_that_it_went_out() {
    let (mut desk, notice) = Desk::noticed().await;
    let letter = desk.says(&notice, "announce 20").await;
    assert_eq!(letter.subject, "[amici SAMPLE-1] ready to send to Ostrander, Mila: you need longer");
    assert!(flat(&letter).contains("I expect to answer by 21 March 2026"), "{}", text(&letter));
    let counts = "it counts once your Sent folder shows it, or you say that you sent it: amici announce SAMPLE-1 --until 2026-03-21 --sent";
    assert!(flat(&letter).contains(counts), "{}", text(&letter));
    let note = ClockNote {
        ply: 14,
        kind: ClockNoteKind::Announced,
        on: "2026-03-01".parse().unwrap(),
        until: "2026-03-21".parse().ok(),
    };
    let care = Care { notes: vec![("SAMPLE-1".parse().unwrap(), note)], ..Care::default() };
    desk.store.take_care(&care, desk.now).await.unwrap();
    let asked = desk.says(&notice, "announce 2026-03-21").await;
    assert!(flat(&asked).contains("you announced on 2026-03-01 already"), "{}", text(&asked));
    let refused = desk.says(&notice, "announce 2026-02-01").await;
    assert!(flat(&refused).contains("has come already"), "{}", text(&refused));
    let long = desk.says(&notice, "announce 90").await;
    assert!(flat(&long).contains("has to be told to the director too"), "{}", text(&long));
    assert_eq!(desk.game().await.clock_notes.len(), 1);
    desk.proven().await;
}

#[tokio::test]
async fn a_line_that_he_offers_is_taken_by_mail_with_the_players_next_move() {
    let mut desk = Desk::of(&[game(12)]).await;
    let body = "7. 5171\n\nif 7... 2836 8. 4445 3624 9. 1213\n";
    desk.take(&written(MILA, "EM/ZZ/042", "m1", "", body)).await;
    let notice = parse(&desk.outbox().await.last().unwrap().outgoing.bytes).unwrap();
    let ready = desk.says(&notice, "2836 4445 3615\n").await;
    assert!(text(&ready).contains("7... 2836 8. 4445 8... 3615"), "{}", text(&ready));
    let plan = desk.game().await.plan.unwrap();
    assert_eq!((plan.before.len(), plan.numeric.to_string().as_str()), (2, "3615"));
    let told = desk.says(&notice, "hold 1d\n").await;
    assert!(told.subject.ends_with(": 7... 2836 8. 4445 8... 3615"), "{}", told.subject);
    assert_eq!(desk.game().await.plan.unwrap().before, plan.before, "chosen once more, with its line");
    let told = desk.says(&notice, "2836 4455 3615\n").await;
    assert!(flat(&told).contains("he promised 8. 4445 to 7... 2836"), "{}", flat(&told));
    desk.proven().await;
}

#[tokio::test]
async fn a_mail_whose_two_forms_command_two_things_commands_nothing() {
    for (html, done) in [("<div>2836</div>", true), ("<div>2847</div>", false)] {
        let (mut desk, notice) = Desk::noticed().await;
        let body = format!("--b\nContent-Type: text/plain\n\n2836\n--b\nContent-Type: text/html\n\n{html}\n--b--\n");
        let raw = String::from_utf8(desk.reply(&notice, &body)).unwrap();
        let raw = raw.replace("text/plain; charset=utf-8", "multipart/alternative; boundary=b");
        assert_eq!(desk.answers_to(raw.as_bytes()).await.len(), 1);
        assert_eq!(desk.plan().await.is_some(), done, "{html}");
    }
}

#[tokio::test]
async fn lines_offered_by_mail_are_taken_and_their_promise_binds() {
    let (mut desk, notice) = Desk::noticed().await;
    desk.says(&notice, "2836 if 4445 3657 if d5 Ne7, 6151 6658").await;
    let plan = desk.game().await.plan.unwrap();
    let lines: Vec<usize> = plan.conditionals.iter().map(Vec::len).collect();
    assert_eq!(lines, [2, 4], "{:?}", plan.conditionals);

    // he only meets the condition
    let raw = written(MILA, "EM/ZZ/042", "m2", "", "7... 2836\n8. 4445\n");
    let notice = desk.answers_to(&raw).await.remove(0);
    assert!(text(&notice).contains("YOU ARE BOUND: your conditional promised 8... 3657"), "{}", text(&notice));
    assert_eq!(desk.game().await.promised(), Some("3657".parse().unwrap()));
    let asked = desk.says(&notice, "3628").await;
    assert!(flat(&asked).contains("you are bound") && flat(&asked).contains("reply yes 3628"), "{}", text(&asked));
    assert_eq!(desk.plan().await, None);
    desk.says(&notice, "3657").await;
    let rest = desk.game().await.plan.unwrap().conditionals;
    assert_eq!(rest.len(), 1, "the rest of the line goes on: {rest:?}");
    desk.says(&asked, "Yes 3628").await;
    assert_eq!(desk.plan().await.as_deref(), Some("3628"));
    desk.proven().await;
}

/// A game of random legal moves in which the player is on the move.
fn random_game(seed: u64) -> Game {
    let mut game = game(0);
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut position = shakmaty::Chess::default();
    while game.moves.len() < 21 + 8 * usize::try_from(seed % 8).unwrap() {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let played = legal[usize::try_from(state % u64::try_from(legal.len()).unwrap()).unwrap()];
        let numeric = NumericMove::of(&played);
        game.moves.push(amici::domain::game::MoveRecord::claimed(numeric, Stated::default()));
        position.play_unchecked(played);
    }
    if !game.is_my_turn() {
        game.moves.pop();
    }
    game
}

#[tokio::test]
async fn every_legal_move_in_three_notations_is_the_same_plan_as_that_of_the_command_line() {
    for seed in 1..6 {
        let game = random_game(seed);
        let mut desk = Desk::of(std::slice::from_ref(&game)).await;
        let position = game.replay().unwrap().position().clone();
        let key = AnswerKey::new(desk.store.answer_key().await.unwrap());
        let code = desk.code().await;
        for (number, played) in position.legal_moves().iter().enumerate() {
            let numeric = NumericMove::of(played);
            let coordinates = played.to_uci(shakmaty::CastlingMode::Standard).to_string();
            for (how, text) in [numeric.to_string(), san(&position, played), coordinates].into_iter().enumerate() {
                let raw = written(PLAYER, &code, &format!("p{seed}.{number}.{how}"), "", &format!("{text}\n"));
                desk.take(&raw).await;
                let stored: StoredGame = desk.store.game(&id()).await.unwrap().unwrap();
                let plan = stored.game.plan.clone().unwrap_or_else(|| panic!("{text} was not taken"));
                let bare = StoredGame { game: game.clone(), ..stored };
                let ledger = desk.me.ledger(&game).unwrap();
                let wish = Wish { text: &text, ..Wish::default() };
                let choice = choose(&wish, &game, &ledger, desk.now.date_naive()).unwrap();
                let same = drafted(&bare, &choice, None, &[], &key, &desk.me, desk.now).unwrap();
                assert_eq!((plan.numeric, &plan), (numeric, &same.plan), "{text}");
            }
        }
    }
}

#[tokio::test]
async fn a_game_with_a_short_name_is_found_by_its_notice_alone_and_by_its_code_alone() {
    let short = Game { id: "G1".parse().unwrap(), ..game(12) };
    let mut desk = Desk::of(std::slice::from_ref(&short)).await;
    let notice = desk.his_move().await;
    let answered = notice.message_id.clone().unwrap();
    let text = "2836\n";
    let by_notice = written(PLAYER, "my move", "c1", &format!("In-Reply-To: {answered}\r\n"), text);
    assert_eq!(desk.answers_to(&by_notice).await.len(), 1);
    let planned = |game: Game| game.plan.map(|plan| plan.numeric.to_string());
    let stored = desk.store.game(&short.id).await.unwrap().unwrap().game;
    assert_eq!(planned(stored.clone()).as_deref(), Some("2836"));
    let key = AnswerKey::new(desk.store.answer_key().await.unwrap());
    let by_code = written(PLAYER, &answer_mark(&key, &stored), "c2", "", "1716\n");
    assert_eq!(desk.answers_to(&by_code).await.len(), 1);
    let stored = desk.store.game(&short.id).await.unwrap().unwrap().game;
    assert_eq!(planned(stored).as_deref(), Some("1716"));
}

/// A game with Ada of another event, after so many plies.
fn with_ada(name: &str, plies: usize) -> Game {
    let mut game = game(plies);
    (game.id, game.event) = (name.parse().unwrap(), "EM/FAR/1".to_owned());
    (game.white.name, game.white.emails) = ("Far, Ada".to_owned(), vec!["ada@example.com".to_owned()]);
    game
}

#[tokio::test]
async fn a_move_that_is_none_here_is_looked_for_in_the_other_games_in_which_he_is_to_move() {
    let over = Game { result: Some(GameResult::Draw), ..with_ada("OVER-3", 1) };
    let mut desk = Desk::of(&[with_ada("RUN-2", 1), game(12), over, with_ada("HERS-4", 2), with_ada("RUN-5", 1)]).await;
    let notice = desk.his_move().await;
    let refused = desk.says(&notice, "5755\n").await;
    assert!(flat(&refused).contains("legal in RUN-2, RUN-5: wrong game? Nothing was changed."), "{}", text(&refused));
    let refused = desk.says(&notice, "8. 2836\n").await;
    assert!(
        flat(&refused).contains("is it another game?") && !flat(&refused).contains("legal in"),
        "{}",
        text(&refused)
    );
    assert_eq!(desk.plan().await, None);
    desk.proven().await;
}

#[tokio::test]
async fn an_answer_to_the_notice_of_one_game_with_the_code_of_another_is_done_in_neither() {
    let mut desk = Desk::of(&[game(12), with_ada("RUN-2", 1)]).await;
    let notice = desk.his_move().await;
    let key = AnswerKey::new(desk.store.answer_key().await.unwrap());
    let other = desk.store.game(&"RUN-2".parse().unwrap()).await.unwrap().unwrap().game;
    let refused = desk.says(&notice, &format!("2836\n\n{}\n", answer_mark(&key, &other))).await;
    let why = "It answers a notice of game SAMPLE-1 and carries the code of game RUN-2.";
    assert!(flat(&refused).contains(why), "{}", text(&refused));
    assert_eq!(desk.plan().await, None);
    assert!(desk.store.game(&other.id).await.unwrap().unwrap().game.plan.is_none());
    desk.proven().await;
}

#[tokio::test]
async fn a_second_command_line_is_read_with_the_first_or_refused_with_both() {
    let (mut desk, notice) = Desk::noticed().await;
    let refused = desk.says(&notice, "2836\n2847\n").await;
    for part in ["You wrote: 2836 / 2847", "`2847` below `2836` looks like another one", "Nothing was changed"] {
        assert!(flat(&refused).contains(part), "{part}: {}", text(&refused));
    }
    assert_eq!(desk.plan().await, None);
    desk.says(&notice, "2836\ndraw\n\nTobin\nSent from my phone\n").await;
    let plan = desk.game().await.plan.unwrap();
    assert_eq!((plan.numeric.to_string().as_str(), plan.draw_offer), ("2836", true));
    let refused = desk.says(&notice, "undo\n2847\n").await;
    assert!(flat(&refused).contains("You wrote: undo / 2847"), "{}", text(&refused));
    assert_eq!(desk.plan().await.as_deref(), Some("2836"), "nothing is dropped");
    let told = desk.store.events(&id()).await.unwrap();
    assert!(told.iter().any(|event| event.text.ends_with("planned 7... 2836 (Nc6), and drafted")), "{told:?}");
    desk.proven().await;
}

#[tokio::test]
async fn a_question_mark_and_words_that_take_a_command_back_need_a_second_word() {
    let (mut desk, notice) = Desk::noticed().await;
    for (said, parts) in [
        ("2836?", &["a question mark stands in `2836?`", "2836 Nc6", "reply yes 2836?"][..]),
        ("Nc6 ??", &["a question mark stands in `Nc6 ??`"]),
        ("2836 if 4445 3657?", &["a question mark stands in `4445 3657?`"]),
        ("2836\n?", &["below it you write: \"?\"", "reply yes 2836"]),
        (
            "2836\n\nPlease do not play this!\n\nTobin",
            &["below it you write: \"Please do not play this\"", "reply yes 2836"],
        ),
        ("announce 20\nno, wait", &["below it you write: \"no, wait\"", "reply yes announce 20"]),
    ] {
        let letter = desk.says(&notice, said).await;
        assert!(letter.subject.contains("a second word is needed"), "{said}: {}", text(&letter));
        for part in parts.iter().chain(&["Nothing was done"]) {
            assert!(flat(&letter).contains(part), "{said}: {part}: {}", text(&letter));
        }
        assert_eq!(desk.plan().await, None, "{said}");
    }
    desk.says(&notice, "Nc6!?\n\nTobin\nWell played, I like this game\n").await;
    assert_eq!(desk.plan().await.as_deref(), Some("2836"), "praise is no question");
    let kept = desk.says(&notice, "undo\nplease do not\n").await;
    assert!(flat(&kept).contains("reply yes undo"), "{}", text(&kept));
    assert_eq!(desk.plan().await.as_deref(), Some("2836"));
    desk.says(&notice, "yes 2847?\n").await;
    assert_eq!(desk.plan().await.as_deref(), Some("2847"), "his second word");
    desk.proven().await;
}

#[tokio::test]
async fn a_held_mail_that_came_behind_his_move_needs_a_second_word_before_anything_is_drafted() {
    let (mut desk, notice) = Desk::noticed().await;
    let sorry = "Sorry, I made a mistake in my last mail, my move is 7. 4445\n";
    desk.take(&written(MILA, "EM/ZZ/042", "m2", "", sorry)).await;
    let asks = async |desk: &mut Desk, said: &str| {
        let letter = desk.says(&notice, said).await;
        assert!(letter.subject.contains("a second word is needed"), "{said}: {}", text(&letter));
        let reply = format!("reply yes {said}");
        for part in ["came after the move that you answer and is held", "amici review --mail", reply.as_str()] {
            assert!(flat(&letter).contains(part), "{said}: {part}: {}", text(&letter));
        }
    };
    asks(&mut desk, "2836").await;
    assert_eq!(desk.plan().await, None);
    desk.says(&notice, "yes 2836\n").await;
    assert_eq!(desk.plan().await.as_deref(), Some("2836"));
    asks(&mut desk, "resend").await;
    desk.proven().await;
}

#[tokio::test]
async fn an_old_mail_that_proves_nothing_is_not_answered() {
    for (days, answers) in [(0, 1), (8, 0)] {
        let (mut desk, _) = Desk::noticed().await;
        let raw = written(PLAYER, "Re: [amici SAMPLE-1] your move", "old", "", "2836\n");
        let before = desk.outbox().await.len();
        let mail = RawMessage { bytes: &raw, at: desk.now - TimeDelta::days(days), arrival: None, verified: None };
        take_in(&mut desk.store, &desk.me, &desk.senders, &mail, desk.now).await.unwrap();
        assert_eq!(desk.outbox().await.len() - before, answers, "{days} days old");
        desk.proven().await;
    }
}
