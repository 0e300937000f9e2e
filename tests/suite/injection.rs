//! No text, whosever it is, changes the structure of a mail, a dialogue or an error.
//!
//! Every field that is free holds what has broken mail programs: line ends of all kinds, commands, encoded words, markup,
//! characters that nobody sees. The mails go to a server that counts what it hears.

use std::collections::BTreeSet;

use amici::config::{Style, Styles};
use amici::io::smtp::{Delivery, SmtpError};
use amici::letters::LetterError;
use mail_parser::MessageParser;
use proptest::prelude::*;
use proptest::sample::select;

use super::club::Dice;
use super::render::{KINDS, Mail, Scene, attached, check_recipients, game, legal, me, scene, stage, told_of};
use super::smtp::{Server, offer, password};

/// What ends a line, a field, a mail or a string somewhere, or is not what it seems.
pub(crate) const HOSTILE: [&str; 34] = [
    "\r",
    "\n",
    "\r\n",
    "\r\r\n",
    "\n\n",
    "\0",
    "\u{b}\u{c}\u{1b}[2J\u{7f}",
    "\u{85}\u{2028}\u{2029}",
    "\r\n.\r\nMAIL FROM:<evil@example.com>\r\n",
    "\n.\nRCPT TO:<evil@example.com>\n",
    "\r.\r",
    ".\r\n",
    "..",
    "\r\nBcc: evil@example.com\r\n",
    "\nX-Planted: 1\n\n",
    "\r\n\r\n--boundary\r\nContent-Type: text/html\r\n\r\n",
    "=?utf-8?q?A=0D=0ABcc:_evil=40example.com?=",
    "=?utf-8?b?DQpCY2M6IGV2aWxAZXhhbXBsZS5jb20=?=",
    "=?",
    "?=",
    "=0D=0A",
    "\u{202e}gro.elpmaxe@live\u{202c}",
    "\u{200b}\u{feff}\u{2066}",
    "<script>alert(1)</script>",
    "\"><img src=x alt='",
    "<evil@example.com>, evil@example.com;",
    "\"\\\"\\",
    "{3}\r\nA1 LOGOUT\r\n",
    "\"\r\nA1 DELETE INBOX\r\n",
    "&AGE-&-",
    "\u{fffd}\u{1f4a3}e\u{301}\u{ff10}",
    "From someone",
    "%s%n$(id)`id`",
    "-- ",
];

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => select(HOSTILE.to_vec()).prop_map(str::to_owned),
        2 => "[ -~]{0,12}",
        2 => any::<String>(),
        1 => ("[a-zé=.]", 900..2200_usize).prop_map(|(letter, times)| letter.repeat(times)),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

/// A scene in whose fields stand these texts, in turn.
fn planted(number: usize, texts: &[String]) -> Scene {
    let mut dice = Dice(number as u64);
    let games: Vec<_> = (0..500).map(|other| other % 50 == number % 50 || other == number).collect();
    let games: Vec<_> =
        games.into_iter().enumerate().map(|(n, needed)| game(n, if needed { 12 } else { 4 }, &mut dice)).collect();
    let mut scene = scene(number, &games, &me());
    let mut next = texts.iter().cycle().cloned();
    let mut text = || next.next().unwrap();
    let own = scene.game.id.clone();
    for game in scene.games.iter_mut().chain([&mut scene.game]) {
        (game.event, game.site) = (text(), text());
        (game.white.name, game.black.name) = (text(), text());
        game.last_message_id = Some(text());
        game.seen_message_ids = vec![text()];
    }
    let style = Style { greeting: Some(text()), signature: Some(text()), ..Style::default() };
    (scene.me.name, scene.me.styles, scene.word) = (text(), Styles::general(style), text());
    match dice.roll(8) {
        0 => scene.root = text(),
        1 => scene.game.white.emails[0] = text(),
        2 => scene.game.black.emails[0] = text(),
        _ => (),
    }
    let game = scene.game.clone();
    scene.games.iter_mut().filter(|other| other.id == own).for_each(|other| *other = game.clone());
    scene
}

/// Fields that our mails have, each at most once.
const FIELDS: [&str; 16] = [
    "From",
    "To",
    "Cc",
    "Reply-To",
    "Subject",
    "Date",
    "Message-ID",
    "In-Reply-To",
    "References",
    "Auto-Submitted",
    "X-Auto-Response-Suppress",
    "X-Unsent",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
    "Content-Disposition",
];

/// Lines that end in CR LF and are short, plain characters, known fields; the same of the letter that it brings.
fn check_structure(bytes: &[u8]) {
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r\n").unwrap();
        assert!(line.len() <= 998 && line.iter().all(|byte| matches!(byte, b'\t' | b' '..=b'~')));
    }
    let head = String::from_utf8(bytes.to_vec()).unwrap().split_once("\r\n\r\n").unwrap().0.to_owned();
    let fields = head.split("\r\n").filter(|line| !line.starts_with([' ', '\t']));
    let mut seen = BTreeSet::new();
    for field in fields {
        let name = field.split_once(": ").unwrap_or_else(|| panic!("{field:?} in {head:?}")).0.to_owned();
        assert!(FIELDS.contains(&name.as_str()) && seen.insert(name), "{field:?} in {head:?}");
    }
    if let Some(letter) = attached(&MessageParser::default().parse(bytes).unwrap()) {
        check_structure(&letter);
    }
}

/// The mail is sound and goes where it may; what is said where there is none has no more lines than its own.
fn check(made: Result<Mail, LetterError>) -> Option<Mail> {
    match made {
        Ok(mail) => {
            check_structure(&mail.bytes);
            check_recipients(&mail);
            Some(mail)
        }
        Err(error) => {
            let said = error.to_string();
            let (said, help) = said.split_once("\nhelp: ").unwrap_or((&said, ""));
            assert!(!said.chars().chain(help.chars()).any(char::is_control), "{said:?} {help:?}");
            None
        }
    }
}

/// What the server hears of one mail.
const COMMANDS: [&str; 6] =
    ["EHLO example.org", "AUTH PLAIN ", "MAIL FROM:<", "RCPT TO:<opponent@example.net>", "DATA", "QUIT"];

/// Hands the mail over, and looks at what arrived: this one mail, and the commands for it.
async fn deliver(bytes: &[u8]) {
    let server = Server::implicit(None).await;
    let delivery = server.deliver(bytes).await;
    assert!(matches!(delivery, Delivery::Sent { .. }), "{delivery:?}");
    let seen = server.finish().await;
    assert_eq!(seen.mails, [bytes]);
    assert_eq!(seen.commands.len(), COMMANDS.len(), "{:?}", seen.commands);
    assert!(seen.commands.iter().zip(COMMANDS).all(|(heard, begins)| heard.starts_with(begins)), "{:?}", seen.commands);
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// `AMICI_HOSTILE=10000 cargo test --test suite injection` makes these the long ones.
fn cases(short: u32) -> ProptestConfig {
    let cases = std::env::var("AMICI_HOSTILE").map_or(short, |cases| cases.parse().unwrap());
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn no_field_changes_the_structure_of_a_mail_and_each_arrives_as_one(
        texts in prop::collection::vec(hostile(), 12),
        number in 0..500_usize,
        kind in 0..KINDS.len(),
    ) {
        let scene = planted(number, &texts);
        let mut dice = Dice(number as u64);
        let made: Vec<Mail> = KINDS.iter().filter_map(|make| check(make(&scene, &mut dice))).collect();
        prop_assert!(!made.is_empty(), "a notice of no folder needs no game");
        runtime().block_on(deliver(&made[kind % made.len()].bytes));
    }

    #[test]
    fn no_mail_of_his_panics_or_reaches_a_field(
        texts in prop::collection::vec(hostile(), 5),
        number in 0..500_usize,
        raw in any::<bool>(),
    ) {
        let scene = planted(number, &["plain".to_owned()]);
        let mut dice = Dice(number as u64);
        let before = stage(&scene, false, &mut dice);
        let numeric = legal(&before, &mut dice);
        // as it is, or as an encoded word that holds any character (RFC 2047)
        let field = |text: &str| match raw {
            true => text.to_owned(),
            false => format!("=?utf-8?q?{}?=", text.bytes().map(|byte| format!("={byte:02X}")).collect::<String>()),
        };
        let mail = format!(
            "From: {} <{}>\r\nSubject: {} EM\r\nMessage-ID: <{}@example.org>\r\nReferences: {} {}\r\n\r\n{} {numeric}\r\n{}\r\n",
            field(&texts[0]), before.opponent().emails[0], field(&texts[1]), texts[2], texts[3], scene.root,
            before.due(), texts[4],
        );
        if let Some(told) = told_of(mail.as_bytes(), &scene, &before).transpose().and_then(check) {
            let fields = told.bytes.windows(4).position(|end| end == b"\r\n\r\n").unwrap();
            let fields = String::from_utf8(told.bytes[..fields].to_vec()).unwrap();
            prop_assert!(!fields.contains("evil") && !fields.contains("Planted"), "{}", fields);
        }
    }

    #[test]
    fn bytes_that_are_no_mail_and_no_address_are_not_sent(
        texts in prop::collection::vec(hostile(), 3),
        proper in any::<bool>(),
    ) {
        let mut mail = format!("Subject: x\r\n\r\n{}\r\n", texts.concat()).into_bytes();
        if proper {
            mail = String::from_utf8(mail).unwrap().lines().map(|line| format!("{}\r\n", line.replace(['\r', '\0'], "")))
                .map(|line| line.chars().filter(char::is_ascii).collect::<String>()).collect::<String>().into_bytes();
        }
        runtime().block_on(async {
            let server = Server::implicit(None).await;
            let address = format!("{}@example.com", texts[0]);
            if address.parse::<amici::mail::address::Address>().is_err() {
                let refused = offer(&server.relay, Some(&password()), &address, &["a@example.org"], &mail).await.err().unwrap();
                assert!(matches!(refused, SmtpError::BadAddress { .. } | SmtpError::BadMail { .. }), "{refused}");
                assert!(!refused.to_string().replace("\nhelp: ", "").chars().any(char::is_control), "{refused:?}");
            }
            match server.deliver(&mail).await {
                Delivery::Sent { .. } => {
                    let seen = server.finish().await;
                    assert_eq!(seen.mails, [mail]);
                    assert_eq!(seen.commands.len(), COMMANDS.len(), "{:?}", seen.commands);
                }
                delivery => assert!(matches!(delivery, Delivery::NotSent(SmtpError::BadMail { .. })), "{delivery:?}"),
            }
        });
    }
}
