//! A letter that is ready to be sent: what the player reads of it, what he can do with it, and that nothing else goes out by it.

use amici::config::{Config, Me, Senders};
use amici::domain::game::{Game, Plan};
use amici::intake::decide::{Trust, decide};
use amici::intake::{RawMessage, take_in};
use amici::io::store::{Outgoing, OutgoingKind, Store, StoredGame};
use amici::letters::{self, AnswerKey};
use amici::mail::message::{IncomingMessage, parse};
use amici::sent;
use chrono::{DateTime, Utc};
use mail_parser::MessageParser;
use tempfile::TempDir;

use super::care::text;
use super::cli::Player;
use super::intake::{ME, ROOT, mail_with, sample};
use super::queue::attached;
use super::sent::stated;

const KEY: [u8; 32] = [7; 32];
const REPLY: &str = "<SAMPLE-1.14.00112233445566778899@example.net>";
const RULE: &str = "\n========================================================================\n\n";

fn me(more: &str) -> Me {
    Config::parse(&format!("{ME}{more}")).unwrap().me
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// The player has chosen 7... 2836.
fn chosen() -> Game {
    let mut game = sample(13);
    game.plan = Some(Plan {
        before: Vec::new(),
        numeric: "2836".parse().unwrap(),
        stated: stated("2004-11-01"),
        draw_offer: false,
        message_id: REPLY.to_owned(),
        conditionals: Vec::new(),
        comment: None,
        held_until: None,
    });
    game
}

fn ready(game: &Game, me: &Me) -> letters::Letter {
    letters::draft(game, ROOT, &[], &AnswerKey::new(KEY), me, at("2004-11-01T08:00:00Z")).unwrap()
}

/// The mail to the player, and the one that it brings.
fn both(letter: &letters::Letter) -> (IncomingMessage, IncomingMessage) {
    (parse(&letter.bytes).unwrap(), parse(&attached(&letter.bytes)).unwrap())
}

fn page(letter: &letters::Letter) -> String {
    let message = MessageParser::default().parse(&letter.bytes).unwrap();
    message.body_html(0).unwrap().into_owned()
}

#[test]
fn it_says_how_it_is_sent_and_taken_back_and_shows_the_board_above_the_text() {
    let letter = ready(&chosen(), &me(""));
    let (to_me, reply) = both(&letter);
    let told = text(&to_me);
    let (above, below) = told.split_once(RULE).unwrap();
    assert_eq!(below.trim_end(), reply.plain.unwrap().trim_end(), "the text is the one that was proved");
    for part in [
        "7... 2836   Nc6   knight b8-c6\n",
        "Nothing has been sent to Ostrander, Mila.",
        "open the attached reply.eml",
        "<mailto:mila.ostrander@example.org?subject=",
        "Reply to this mail with  undo ",
        "amici undo SAMPLE-1\n",
        " 6 . p n . p n . .\n",
        "Do not forward this mail",
    ] {
        assert!(above.contains(part), "{part} in {above}");
    }
    assert!(!above.contains("folder for drafts"));
    let html = page(&letter);
    assert!(html.contains("<img src=\"cid:") && html.contains("undo") && html.contains("7... 2836"), "{html}");
}

#[test]
fn the_folder_for_drafts_is_named_where_drafts_go_there() {
    let servers = "[imap]\nhost = \"h\"\nuser = \"u\"\npassword.file = \"/p\"\n[smtp]\nhost = \"h\"\nuser = \"u\"\npassword.file = \"/p\"\n";
    let letter = ready(&chosen(), &me(&format!("{servers}[drafts]\nappend = true\n")));
    assert!(text(&both(&letter).0).contains("open it in your folder for drafts"));
}

#[test]
fn a_plain_reply_goes_to_the_player_and_to_nobody_else() {
    let letter = ready(&chosen(), &me(""));
    let to_me = parse(&letter.bytes).unwrap();
    assert!(to_me.reply_to.is_empty() && to_me.cc.is_empty());
    assert_eq!(to_me.to.iter().map(ToString::to_string).collect::<Vec<_>>(), ["tobin.q@example.net"]);
}

fn unescaped(html: &str) -> String {
    html.replace("&amp;", "&")
}

/// What a mail program makes of the percent signs of a link.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        rest = behind;
        match (first, behind) {
            (b'%', [high, low, behind @ ..]) => {
                bytes.push(u8::from_str_radix(std::str::from_utf8(&[*high, *low]).unwrap(), 16).unwrap());
                rest = behind;
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_link_of_the_page_holds_a_short_text_whole_and_of_a_long_one_the_address_alone() {
    let link = |form: &str| {
        let letter = ready(&chosen(), &me(&format!("[letters]\nform = \"{form}\"\nlanguage = \"de\"\n")));
        let html = unescaped(&page(&letter));
        let link = html.split("href=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        (link, both(&letter))
    };
    let (short, (_, reply)) = link("line");
    let (fields, body) = short.split_once("&body=").unwrap();
    assert_eq!(decoded(body), reply.plain.unwrap().trim_end().replace('\n', "\r\n") + "\r\n");
    assert!(short.len() <= 1600);
    assert!(
        decoded(fields).starts_with("mailto:mila.ostrander@example.org?subject=Re: EM/ZZ/042 Ostrander - Quillfeather")
    );
    let (long, (to_me, _)) = link("iccf");
    assert!(!long.contains("body="), "{long}");
    assert!(text(&to_me).contains(&format!("<{long}>")), "the plain text has the same");
}

#[test]
fn the_director_gets_his_copy_by_each_way_where_the_event_wants_it() {
    let event = "[[event]]\nname = \"em/zz/042\"\ndirector = \"td@example.net\"\n";
    for (more, copies) in [(event.to_owned(), 0), (format!("{event}cc_director = true\n"), 1)] {
        let me = me(&more);
        let letter = ready(&chosen(), &me);
        let (to_me, reply) = both(&letter);
        assert_eq!((to_me.cc.len(), reply.cc.len()), (0, copies));
        assert_eq!(text(&to_me).contains("&cc=td@example.net"), copies == 1);
        let finished =
            letters::finished(&chosen(), ROOT, &chosen().plan.unwrap(), &[], &me, at("2004-11-01T08:00:00Z"));
        assert_eq!(parse(&finished.unwrap()).unwrap().cc.len(), copies);
    }
}

#[tokio::test]
async fn the_reply_that_goes_with_a_notice_has_the_director_too() {
    let me = me("[[event]]\nname = \"EM/ZZ/042\"\ndirector = \"td@example.net\"\ncc_director = true\n");
    let dir = TempDir::new().unwrap();
    let mut store = Store::open(dir.path()).await.unwrap();
    let now = at("2004-10-30T18:30:00Z");
    store.import(&[(sample(12), ROOT.to_owned())], false, now).await.unwrap();
    let raw = mail_with("m7", "Mila <mila.ostrander@example.org>", "EM/ZZ/042", "", "7. 5171\n");
    let mail = RawMessage { bytes: &raw, at: now, arrival: None, verified: None };
    take_in(&mut store, &me, &Senders::default(), &mail, now).await.unwrap();
    let notice = store.due(now).await.unwrap().pop().unwrap().outgoing.bytes;
    let reply = parse(&attached(&notice)).unwrap();
    assert_eq!(reply.cc.iter().map(ToString::to_string).collect::<Vec<_>>(), ["td@example.net"]);
}

/// What becomes of a mail in the Sent folder with this text, after the draft of 7... 2836 has gone to the player.
async fn sent_with(subject: &str, thread: &str, body: &str) -> Vec<String> {
    let dir = TempDir::new().unwrap();
    let mut store = Store::open(dir.path()).await.unwrap();
    let drafted_at = at("2004-11-01T08:00:00Z");
    store.import(&[(sample(13), ROOT.to_owned())], false, at("2004-10-30T18:30:00Z")).await.unwrap();
    let letter = ready(&chosen(), &me(""));
    let outgoing = Outgoing {
        kind: OutgoingKind::Draft,
        game: Some(sample(13).id),
        ply: Some(14),
        message_id: letter.message_id,
        recipient: letter.recipient,
        bytes: letter.bytes,
    };
    store.plan(&sample(13).id, 13, &chosen().plan.unwrap(), &outgoing, drafted_at).await.unwrap();
    let raw = format!(
        "From: Tobin <tobin.q@example.net>\nTo: Mila <mila.ostrander@example.org>\nSubject: {subject}\n\
         Date: Mon, 01 Nov 2004 10:30:00 +0100\nMessage-ID: <phone@example.net>\n{thread}\
         MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{body}"
    );
    let raw = raw.replace('\n', "\r\n");
    let sent_at = at("2004-11-01T09:30:00Z");
    let mail = RawMessage { bytes: raw.as_bytes(), at: sent_at, arrival: None, verified: None };
    sent::take_in(&mut store, &me(""), &Senders::default(), &mail, sent_at).await.unwrap();
    let mails = store.sent_mails(&sample(13).id).await.unwrap();
    mails.iter().map(|m| format!("{:?} {}", m.outcome, m.numeric.map(|m| m.to_string()).unwrap_or_default())).collect()
}

/// The player should send reply.eml, the link or the text. Whatever else he does with the mail is read as his move, or shown to him.
#[tokio::test]
async fn every_way_to_send_it_is_read_as_the_move_and_no_wrong_one_as_another() {
    let letter = ready(&chosen(), &me(""));
    let (to_me, reply) = both(&letter);
    let (told, text) = (to_me.plain.clone().unwrap(), reply.plain.clone().unwrap());
    let subject = to_me.subject.clone();
    let thread = format!("In-Reply-To: {}\nReferences: {ROOT} {}\n", letter.message_id, letter.message_id);
    let quoted = |text: &str| text.lines().map(|line| format!("> {line}\n")).collect::<String>();
    let (answer, forward) = (format!("Re: {subject}"), format!("Fwd: {subject}"));
    let forwarded = format!(
        "---------- Forwarded message ---------\nFrom: Tobin <tobin.q@example.net>\nDate: Mon, 1 Nov 2004\nSubject: {subject}\nTo: Tobin <tobin.q@example.net>\n\n{told}"
    );
    for (how, subject, thread, body, right) in [
        ("by the link, with the text", reply.subject.as_str(), "", text.clone(), "Recorded 2836"),
        ("edited as new, as it is", &subject, "", told.clone(), "Recorded 2836"),
        (
            "answered, with the address changed",
            &answer,
            &thread,
            format!("On 1 Nov 2004 Tobin wrote:\n{}", quoted(&told)),
            "Review 2836",
        ),
        ("forwarded", &forward, &thread, forwarded, "Review 2836"),
    ] {
        let found = sent_with(subject, thread, &body).await;
        assert_eq!(found, [right], "{how}");
    }
}

#[tokio::test]
async fn play_says_where_the_draft_lies() {
    let player = Player::with_sample();
    let servers = "[imap]\nhost = \"localhost\"\nport = 1\nuser = \"u\"\npassword.command = [\"echo\", \"x\"]\n\
                   [smtp]\nhost = \"localhost\"\nport = 1\nuser = \"u\"\npassword.command = [\"echo\", \"x\"]\n";
    for (drafts, said) in [("", false), ("[drafts]\nappend = true\n", true)] {
        player.configure(&format!("{ME}{servers}{drafts}"));
        let text = player.run(&["play", "SAMPLE-1", "Nc6"]).out;
        let words =
            "With the next look into the mailbox it lies in your folder for drafts too; `amici status` shows it.\n";
        assert_eq!(text.contains(words), said, "{text}");
        assert!(text.contains("Nothing has been sent to"), "{text}");
    }
}

#[test]
fn check_names_the_sent_folder_and_says_what_to_do_where_it_is_not_there() {
    let player = Player::new();
    let mails = player.path("mails");
    for folder in ["", ".Sent", ".Other"] {
        for part in ["cur", "new", "tmp"] {
            std::fs::create_dir_all(mails.join(folder).join(part)).unwrap();
        }
    }
    for (sent, code, words) in [
        ("", 0, "ok      sent         Sent, read for what you really sent\n"),
        ("[sent]\nfolder = \"Other\"\n", 0, "ok      sent         Other, read for what you really sent\n"),
        ("[sent]\nfolder = \"off\"\n", 0, "say `amici sent GAME` after each move that you sent\n"),
        ("[sent]\nfolder = \"Nope\"\n", 7, "help: set folder in [sent] to the name of the folder"),
    ] {
        player.configure(&format!("{ME}[maildir]\npath = \"{}\"\n{sent}", mails.display()));
        let checked = player.run(&["check"]);
        assert!(checked.out.contains(words), "{sent}: {}", checked.out);
        assert_eq!(checked.code, code, "{}", checked.out);
        assert_eq!(checked.out.contains("FAILED  sent"), code == 7, "{}", checked.out);
    }
}

#[test]
fn an_answer_to_an_earlier_revision_of_the_draft_shows_that_it_was_sent() {
    let game = chosen();
    let plan = game.plan.clone().unwrap();
    let newer = letters::dated(&game, ROOT, &plan, at("2004-11-02T01:00:00Z"), &me(""), at("2004-11-02T01:00:00Z"));
    let game = Game { plan: Some(newer.unwrap()), ..game };
    let thread = StoredGame { game, root_message_id: ROOT.to_owned() };
    for (id, outcome) in [(REPLY, "move"), ("<SAMPLE-1.14.ff112233445566778899@example.net>", "needs_human")] {
        let header = format!("In-Reply-To: {id}\nReferences: {ROOT} {id}\n");
        let raw = mail_with("m8", "Mila <mila.ostrander@example.org>", "EM/ZZ/042", &header, "8. 4445\n");
        let (senders, threads) = (Senders::default(), std::slice::from_ref(&thread));
        let trust = Trust { senders: &senders, seen: &[], verified: None };
        let decision = decide(&raw, &me(""), &trust, threads, at("2004-11-04T09:00:00Z")).unwrap();
        assert_eq!(
            decision.judgements[0].verdict.outcome(),
            outcome,
            "{id}: {}",
            decision.judgements[0].verdict.reason()
        );
    }
}

#[test]
fn a_revision_of_a_choice_is_known_by_its_id_and_another_choice_is_not() {
    let game = chosen();
    let plan = game.plan.clone().unwrap();
    let newer =
        letters::dated(&game, ROOT, &plan, at("2004-11-02T01:00:00Z"), &me(""), at("2004-11-02T01:00:00Z")).unwrap();
    assert_ne!(newer.message_id, plan.message_id);
    let newest =
        letters::dated(&game, ROOT, &newer, at("2004-11-03T01:00:00Z"), &me(""), at("2004-11-03T01:00:00Z")).unwrap();
    for (one, other) in [(&plan, &newer), (&newer, &newest), (&newest, &plan), (&plan, &plan)] {
        assert!(letters::is_of_choice(&one.message_id, &other.message_id), "{} {}", one.message_id, other.message_id);
    }
    let again = |numeric: &str, now: &str| {
        letters::reply_message_id(&game, ROOT, numeric.parse().unwrap(), &me(""), at(now)).unwrap()
    };
    let (first, second) = (again("2836", "2004-11-01T08:00:00Z"), again("2836", "2004-11-01T08:00:01Z"));
    assert!(!letters::is_of_choice(&first, &second), "the same move chosen anew, perhaps with other words");
    assert!(!letters::is_of_choice(&first, &again("5544", "2004-11-01T08:00:00Z")));
    let elsewhere = first.replace("example.net", "example.com");
    assert!(!letters::is_of_choice(&first, &elsewhere));
    assert!(!letters::is_of_choice("<r1@example.net>", "<r2@example.net>"));
}
