//! The notice of a move: what the player reads of it, in every program, and what it never shows.

use amici::config::{Config, Language, Me, Senders};
use amici::domain::game::{Game, Side};
use amici::intake::{RawMessage, Taking, take_in};
use amici::io::store::Store;
use amici::letters::{AnswerKey, answer_code, drawn};
use amici::mail::message::parse;
use chrono::{DateTime, Utc};
use mail_parser::{Message, MessageParser, MimeHeaders, PartType};
use tempfile::TempDir;

use crate::intake::{ME, MILA, ROOT, mail, mail_with, sample};

const KEY: [u8; 32] = [7; 32];

fn now() -> DateTime<Utc> {
    "2004-10-30T18:30:00Z".parse().unwrap()
}

fn me(more: &str) -> Me {
    Config::parse(&format!("{ME}{more}")).unwrap().me
}

struct Desk {
    _dir: TempDir,
    store: Store,
    me: Me,
}

impl Desk {
    async fn with(games: &[Game], me: Me) -> Desk {
        let dir = TempDir::new().unwrap();
        let mut store = Store::open(dir.path()).await.unwrap();
        store.take_over(KEY).await.unwrap();
        let root = |game: &Game| format!("<{}.root@example.net>", game.id);
        let entries: Vec<_> =
            games.iter().map(|g| (g.clone(), root(g).replace("SAMPLE-1.root", "SAMPLE-1.k3v9"))).collect();
        assert!(entries.iter().any(|(_, root)| root == ROOT));
        store.import(&entries, false, now()).await.unwrap();
        Desk { _dir: dir, store, me }
    }

    async fn take(&mut self, raw: &[u8]) -> Taking {
        let mail = RawMessage { bytes: raw, at: now(), arrival: None, verified: None };
        take_in(&mut self.store, &self.me, &Senders::default(), &mail, now()).await.unwrap()
    }

    /// The newest mail that waits for the player.
    async fn notice(&mut self) -> Vec<u8> {
        self.store.due(now()).await.unwrap().pop().unwrap().outgoing.bytes
    }

    async fn plies(&mut self) -> usize {
        self.store.game(&"SAMPLE-1".parse().unwrap()).await.unwrap().unwrap().game.moves.len()
    }
}

/// The notice of 7. 5171.
async fn of_castling(game: Game, me: Me) -> Vec<u8> {
    let mut desk = Desk::with(&[game], me).await;
    desk.take(&mail("m7", "EM/ZZ/042", "7. 5171   received 26.10. sent 30.10.\n")).await;
    desk.notice().await
}

fn html(notice: &Message<'_>) -> String {
    let page = notice.parts.iter().find_map(|part| match &part.body {
        PartType::Html(html) => Some(html.replace("\r\n", "\n")),
        _ => None,
    });
    page.unwrap()
}

fn plain(bytes: &[u8]) -> String {
    parse(bytes).unwrap().plain.unwrap()
}

/// Every part decoded, the header, and the attached reply with its own header.
fn all_words(bytes: &[u8]) -> String {
    let read = MessageParser::default().parse(bytes).unwrap();
    let parts = read.parts.iter().map(|part| String::from_utf8_lossy(part.contents()).into_owned());
    parts.chain([String::from_utf8_lossy(bytes).into_owned()]).collect()
}

#[tokio::test]
async fn text_page_picture_and_reply_stand_where_every_mail_program_looks_for_them() {
    let bytes = drawn(&of_castling(sample(12), me("")).await);
    let read = MessageParser::default().parse(&bytes).unwrap();
    let tree: Vec<String> = read
        .parts
        .iter()
        .map(|part| {
            let kind = part.content_type().unwrap();
            let inside = match &part.body {
                PartType::Multipart(parts) => format!(" {parts:?}"),
                _ => String::new(),
            };
            format!("{}/{}{inside}", kind.ctype(), kind.subtype().unwrap())
        })
        .collect();
    let expected = [
        "multipart/mixed [1, 6]",
        "multipart/alternative [2, 3]",
        "text/plain",
        "multipart/related [4, 5]",
        "text/html",
        "image/png",
        "application/octet-stream",
    ];
    assert_eq!(tree, expected);
    let picture = &read.parts[5];
    let page = html(&read);
    assert_eq!(page.matches(&format!("src=\"cid:{}\"", picture.content_id().unwrap())).count(), 1, "{page}");
    assert!(picture.contents().starts_with(b"\x89PNG") && picture.contents().len() < 20_000);
    let reply = parse(read.parts[6].contents()).unwrap();
    assert_eq!(reply.headers.first("x-unsent"), Some("1"));
    assert_eq!(reply.to[0].to_string(), "mila.ostrander@example.org");
}

#[tokio::test]
async fn the_notice_as_the_player_reads_it() {
    let bytes = of_castling(sample(12), me("")).await;
    insta::assert_snapshot!("notice_plain", plain(&bytes));
    insta::assert_snapshot!("notice_page", html(&MessageParser::default().parse(&bytes).unwrap()));
}

#[tokio::test]
async fn who_wants_no_picture_gets_the_same_text_alone() {
    let (with, without) =
        (of_castling(sample(12), me("")).await, of_castling(sample(12), me("[notify]\npicture = false\n")).await);
    assert_eq!(plain(&with), plain(&without));
    let read = parse(&without).unwrap();
    assert_eq!(read.html, None);
    let files: Vec<_> = read.attachments.iter().filter_map(|file| file.name.as_deref()).collect();
    assert_eq!(files, ["reply.eml"]);
}

#[tokio::test]
async fn a_move_that_is_not_legal_is_told_with_the_board_the_clocks_and_why() {
    let mut desk = Desk::with(&[sample(12)], me("")).await;
    let taking = desk.take(&mail("m7", "EM/ZZ/042", "7. 1116\n")).await;
    assert_eq!(taking.results[0].outcome, "illegal", "{taking:?}");
    let bytes = desk.notice().await;
    let (text, page) = (plain(&bytes), html(&MessageParser::default().parse(&bytes).unwrap()));
    let why = taking.results[0].reason.replace("line 1: ", "line 1, `7. 1116`: ");
    assert!(text.replace('\n', " ").contains(&why), "{why} in {text}");
    for shown in ["White: 8 days used", "Next: ", "   8 7 6 5 4 3 2 1\n"] {
        assert!(text.contains(shown), "{shown} in {text}");
    }
    assert!(page.contains("alt=\"Position after 6... ") && page.contains("Next: "), "{page}");
    assert!(!text.contains("Code for this move"), "it is not his move\n{text}");
}

#[tokio::test]
async fn his_own_words_stand_above_all_that_is_said_of_them() {
    let mut desk = Desk::with(&[sample(12)], me("")).await;
    let body = "Hi Tobin,\n\nIt rains here, and <b>the cat</b> is ill.\n7. 5171\n\nMy tomatoes are ripe.\n\n\
                Best wishes\nMila\n\n-- \nPS: the Easter open is full.\n";
    let taking = desk.take(&mail("m7", "EM/ZZ/042", body)).await;
    assert_eq!(taking.results[0].outcome, "move", "{taking:?}");
    let bytes = desk.notice().await;
    let first = "He also writes:\n  - It rains here, and <b>the cat</b> is ill.\n  - My tomatoes are ripe.\n  \
                 - PS: the Easter open is full.\n\nOstrander, Mila played 7. 5171   O-O   castles kingside.\n\
                 The move is legal and recorded.\n";
    assert_eq!(plain(&bytes).get(..first.len()), Some(first));
    let page = html(&MessageParser::default().parse(&bytes).unwrap());
    let (above, below) = page.split_once("Ostrander, Mila played").unwrap();
    assert!(above.contains("&bull; It rains here, and &lt;b&gt;the cat&lt;/b&gt; is ill.<br>"), "{above}");
    assert!(!below.contains("rains") && !page.contains("Best wishes"), "{page}");
}

#[tokio::test]
async fn leave_that_he_announces_with_his_move_is_told_with_the_command_that_enters_it() {
    let mut desk = Desk::with(&[sample(12)], me("")).await;
    let body =
        "7. 5171   received 26.10. sent 30.10.\n\nI shall be on leave from 20 November 2004 to 25 November 2004.\n";
    let taking = desk.take(&mail("m7", "EM/ZZ/042", body)).await;
    assert_eq!(taking.results[0].outcome, "move", "{taking:?}");
    let text = plain(&desk.notice().await);
    let command = "amici leave add 2004-11-20..2004-11-25 --of opponent --game SAMPLE-1 --announced 2004-10-30";
    assert!(text.contains("He adds:\n") && text.lines().any(|line| line.trim() == command), "{text}");
}

#[tokio::test]
async fn another_move_of_the_players_in_his_mail_is_named_with_the_one_on_record_and_what_to_do() {
    let mut desk = Desk::with(&[sample(12)], me("")).await;
    let taking = desk.take(&mail("m7", "EM/ZZ/042", "6. 6152 5756\n7. 5171\n")).await;
    assert_eq!(taking.results[0].outcome, "needs_human", "{taking:?}");
    let bytes = desk.notice().await;
    let subject = parse(&bytes).unwrap().subject;
    assert_eq!(subject, "[amici SAMPLE-1] Ostrander, Mila repeats your move as 6... 5756, on record is 5755");
    let text = plain(&bytes).split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "Your move is on record as 6... 5755 (e5).",
        "repeats it as 6... 5756",
        "Nothing of his mail was recorded",
        "Look into your Sent folder",
        "`amici review` drafts a question to him, with the game as you have it",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("amici accept"), "nothing invites to record an answer to another position: {text}");
    assert!(!text.contains("amici repeat"), "a letter that misses an answer is none to who answered: {text}");
}

#[tokio::test]
async fn a_template_that_cannot_be_used_is_named_and_the_reply_has_the_built_in_form() {
    let dir = TempDir::new().unwrap();
    let endless = "{% for a in range(9999) %}{% for b in range(9999) %}{{ own.numeric }}{% endfor %}{% endfor %}";
    std::fs::write(dir.path().join("mine.j2"), endless).unwrap();
    std::fs::write(dir.path().join("config.toml"), format!("{ME}[letters]\nform = \"mine.j2\"\n")).unwrap();
    let me = Config::load(&dir.path().join("config.toml")).unwrap().me;
    let text = plain(&of_castling(sample(12), me).await);
    let told = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("the form mine.j2, line 1: it does not come to an end: look at its loops."), "{told}");
    assert!(told.contains("the reply below is in the form iccf"), "{told}");
    assert!(text.contains("My move: 7... ____, sent __.__.____"), "{text}");
}

#[tokio::test]
async fn the_code_and_the_link_are_those_of_the_move_that_is_due() {
    let bytes = of_castling(sample(12), me("")).await;
    let text = plain(&bytes);
    let code = answer_code(&AnswerKey::new(KEY), &"SAMPLE-1".parse().unwrap(), 14);
    assert!(text.contains(&format!("\nCode for this move: SAMPLE-1/14 {code}\n")), "{text}");
    let link = format!("mailto:tobin.q@example.net?subject=SAMPLE-1%2F14%20{code}&body=My%20move%3A%20");
    assert!(text.contains(&format!("<{link}>")), "{text}");
    let page = html(&MessageParser::default().parse(&bytes).unwrap());
    assert!(page.contains(&format!("href=\"{}\"", link.replace('&', "&amp;"))), "{page}");
    let reply = text.split("ready but for the move").nth(1).unwrap();
    assert!(!reply.contains(&code), "the opponent never gets it");
    let file = MessageParser::default().parse(&bytes).unwrap().parts[6].contents().to_vec();
    assert!(!String::from_utf8(file).unwrap().contains(&code));
}

#[tokio::test]
async fn our_own_notice_is_never_read_as_a_move() {
    let mut desk = Desk::with(&[sample(12)], me("")).await;
    desk.take(&mail("m7", "EM/ZZ/042", "7. 5171\n")).await;
    let notice = desk.notice().await;
    // a copy of it at another desk, at which the same move is still due, under the opponent's name too
    let header_of_hers = String::from_utf8(notice.clone()).unwrap();
    let from = header_of_hers.lines().next().unwrap();
    assert!(from.starts_with("From: "), "{from}");
    let under_her_name = header_of_hers.replacen(from, &format!("From: {MILA}"), 1);
    for (raw, outcome) in [(notice.as_slice(), "own"), (under_her_name.as_bytes(), "")] {
        let mut other = Desk::with(&[sample(12)], me("")).await;
        let taking = other.take(raw).await;
        assert_eq!(other.plies().await, 12, "{taking:?}");
        assert!(taking.results.iter().all(|effect| effect.outcome != "move"), "{taking:?}");
        assert!(outcome.is_empty() || taking.results[0].outcome == outcome, "{taking:?}");
    }
    assert_eq!(desk.take(&notice).await.results[0].outcome, "own");
    assert_eq!(desk.plies().await, 13);
}

#[tokio::test]
async fn of_his_mail_only_his_own_words_are_shown_and_nothing_of_another_game() {
    let mut secret = sample(13);
    secret.id = "CANARY-2".parse().unwrap();
    secret.event = "CANARYCUP".to_owned();
    secret.site = "CANARYTOWN".to_owned();
    secret.white.name = "Canaria, Lucie".to_owned();
    secret.white.emails = vec!["canary@example.com".to_owned()];
    let mut desk = Desk::with(&[sample(12), secret], me("")).await;
    let body = "--b\nContent-Type: text/plain\n\n7. 5171\nI like parrots.\n--b\nContent-Type: text/html\n\n\
                <p>7. 5171</p><p>I like parrots.</p><img src=\"https://example.com/canary.gif\">\n--b--\n";
    let more = "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\nX-Canary: canary\n";
    let taking = desk.take(&mail_with("m7", MILA, "EM/ZZ/042 canary", more, body)).await;
    assert_eq!(taking.results[0].outcome, "move", "{taking:?}");
    let words = all_words(&desk.notice().await).to_lowercase();
    assert!(words.contains("5171") && words.contains("reply.eml"));
    let bytes = desk.notice().await;
    assert_eq!(plain(&bytes).matches("parrots").count(), 1);
    let read = MessageParser::default().parse(&bytes).unwrap();
    assert!(!parse(read.parts[6].contents()).unwrap().plain.unwrap().contains("parrots"), "the reply goes to him");
    for canary in ["canar", "lucie"] {
        assert!(!words.contains(canary), "{canary} in {words}");
    }
}

#[tokio::test]
async fn a_hostile_name_or_event_stays_a_name_and_an_event() {
    let hostile = "<script>alert('x')</script>\"\r\nBcc: victim@example.com\r\n\r\n=?utf-8?q?=3Cb=3E?= & \u{202E}";
    let mut game = sample(12);
    game.event = hostile.to_owned();
    game.white.name = format!("Ostrander{hostile}, Mila");
    assert_eq!(game.me, Side::Black);
    let bytes = of_castling(game, me("")).await;
    let read = MessageParser::default().parse(&bytes).unwrap();
    let page = html(&read);
    assert!(
        page.contains("Event: &lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot; Bcc: victim@example.com"),
        "{page}"
    );
    assert!(!page.contains("<script") && !page.contains('\u{202E}') && !page.contains("alert('x')"), "{page}");
    let tags: Vec<&str> = page.split('<').skip(1).map(|tag| tag.split([' ', '>']).next().unwrap()).collect();
    let ours = ["!DOCTYPE", "html", "head", "meta", "title", "body", "h1", "br", "img", "a", "pre"];
    assert!(tags.iter().all(|tag| ours.contains(&tag.trim_start_matches('/'))), "{tags:?}");
    let own = parse(&bytes).unwrap();
    assert_eq!((own.headers.count("bcc"), own.to.len(), own.cc.len()), (0, 1, 0));
    assert!(plain(&bytes).contains("mailto:tobin.q@example.net?subject=SAMPLE-1%2F14%20"));
    let reply = parse(read.parts[6].contents()).unwrap();
    assert_eq!((reply.headers.count("bcc"), reply.to.len()), (0, 1));
}

#[tokio::test]
async fn every_installation_has_a_secret_of_its_own_and_keeps_it() {
    let (dir, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let key = Store::open(dir.path()).await.unwrap().answer_key().await.unwrap();
    assert_eq!(Store::open(dir.path()).await.unwrap().answer_key().await.unwrap(), key);
    assert_eq!(Store::open_existing_read_only(dir.path()).await.unwrap().answer_key().await.unwrap(), key);
    assert_ne!(Store::open(other.path()).await.unwrap().answer_key().await.unwrap(), key);
}

#[tokio::test]
async fn a_mail_that_may_be_about_many_games_is_told_by_one_notice_that_names_them() {
    let games: Vec<Game> = (1..=60)
        .map(|n| {
            let mut game = sample(12);
            game.id = format!("SAMPLE-{n}").parse().unwrap();
            game
        })
        .collect();
    let mut desk = Desk::with(&games, me("")).await;
    let taking = desk.take(&mail("m", "our games", "7. 5171\n")).await;
    assert_eq!((taking.results.len(), taking.notices), (60, 1));
    let notice = parse(&desk.notice().await).unwrap();
    assert_eq!(notice.subject, "[amici] a mail needs your look: one of 60 games");
    let text = notice.plain.unwrap();
    assert!(
        games.iter().all(|game| text.contains(&format!("\n  {}  7. is due; it may mean 5171\n", game.id))),
        "{text}"
    );
    assert!(text.contains("it is not clear\nwhich of them") && text.contains("amici review"), "{text}");
    assert!(text.lines().all(|line| line.len() <= 72), "{text}");
    let other = desk.take(&mail("o", "SAMPLE-7", "7. 5152\n")).await;
    assert_eq!((other.results.len(), other.notices), (1, 1), "one game has its own notice");
    assert!(String::from_utf8(desk.notice().await).unwrap().contains("Subject: [amici SAMPLE-7]"));
}

/// The notice of a mail in the sample game, in this language.
async fn notice_in(code: &str, game: Game, text: &str) -> String {
    let mut desk = Desk::with(&[game], me(&format!("language = \"{code}\"\n"))).await;
    desk.take(&mail("m7", "EM/ZZ/042", text)).await;
    let bytes = desk.notice().await;
    let read = parse(&bytes).unwrap();
    format!("Subject: {}\n\n{}", read.subject, read.plain.unwrap())
}

#[tokio::test]
async fn the_player_is_written_to_in_his_language_and_the_moves_and_commands_are_the_same_in_each() {
    let mails = [
        "7. 5171   received 26.10. sent 30.10.\nI offer a draw.\nMy holiday is from 12.11. to 20.11.\n",
        "I think that I may play 7. 5171 or 7. 4243, let me sleep over it.\n",
        "7. 5181 received 26.10. sent 30.10.\n",
        "I resign. Thank you for the game!\n",
    ];
    for (language, code) in Language::ALL {
        let mut all = String::new();
        for text in mails {
            let notice = notice_in(code, sample(12), text).await;
            let english = notice_in("en", sample(12), text).await;
            assert_eq!(notice == english, language == Language::English, "{code}: {notice}");
            assert!(!notice.contains(['{', '}']), "{notice}");
            // what is typed is typed as it stands
            let typed = |text: &str| text.lines().filter(|line| line.starts_with("    amici ")).count();
            assert_eq!(typed(&notice), typed(&english), "{notice}");
            all.push_str(&format!("{notice}\n========\n\n"));
        }
        insta::assert_snapshot!(format!("notices_{code}"), all);
    }
}
