//! The mail layer from outside: whole mails in, texts and facts out; drafts out and in again.

use amici::mail::automatic::Automatic;
use amici::mail::draft::{AttachedReply, ContentId, DraftError, DraftMessage, InlinePicture, Mailbox, Page};
use amici::mail::ids::MessageId;
use amici::mail::message::{self, IncomingMessage, MessageError};
use amici::mail::{html, quote, text};
use chrono::DateTime;
use proptest::prelude::*;

mod files;
mod quotes;
mod views;

fn read(raw: &str) -> IncomingMessage {
    message::parse(raw.as_bytes()).unwrap()
}

fn plain(raw: &[u8]) -> String {
    message::parse(raw).unwrap().plain.unwrap()
}

#[test]
fn a_mail_gives_its_sender_dates_ids_and_text() {
    let mail = read(concat!(
        "Return-Path: <h.pembury@mail.example.org>\r\n",
        "Received: from mx.mail.example.org by mail.nora.example.org with ESMTP id q1\r\n\tfor <nora@example.org>; Fri, 11 Apr 2003 12:54:19 +0000\r\n",
        "Received: from desk by mx.mail.example.org; Fri, 11 Apr 2003 12:00:00 +0000\r\n",
        "From: Harriet Pembury <h.pembury@Mail.example.org>\r\n",
        "To: Nora <nora@example.org>, club: a@example.net, \"x y\"@example.net;\r\n",
        "Cc: td@example.com\r\n",
        "Reply-To: elsewhere@example.com\r\n",
        "Subject: =?utf-8?q?EM/03/101=2C?= =?utf-8?q?_move_=EF=BC=91=EF=BC=91?=\r\n",
        "Date: Thu, 11 Apr 2003 13:53:32 +0100 (BST)\r\n",
        "Message-ID: <20030411.001@mail.example.org>\r\n",
        "In-Reply-To: <em-1037-pet.20@nora.example.org>\r\n",
        "References: <root@nora.example.org>\r\n <em-1037-pet.20@nora.example.org>\r\n",
        "\r\n",
        "11.  1213   09.04  11.04\r\n",
    ));
    assert_eq!(mail.from.as_ref().unwrap().address.as_str(), "h.pembury@mail.example.org");
    assert_eq!(mail.to.iter().map(|a| a.as_str()).collect::<Vec<_>>(), ["nora@example.org", "a@example.net"]);
    assert_eq!(mail.cc[0].as_str(), "td@example.com");
    assert_eq!(mail.reply_to[0].as_str(), "elsewhere@example.com");
    assert_eq!(mail.subject, "EM/03/101, move 11");
    assert_eq!(mail.date.unwrap().to_rfc3339(), "2003-04-11T13:53:32+01:00");
    assert_eq!(mail.received.unwrap().to_rfc3339(), "2003-04-11T12:54:19+00:00");
    assert_eq!(mail.message_id.unwrap().to_string(), "<20030411.001@mail.example.org>");
    assert_eq!(mail.in_reply_to.len(), 1);
    assert_eq!(mail.references[0].to_string(), "<root@nora.example.org>");
    assert_eq!(mail.automatic, None);
    assert_eq!(mail.plain.as_deref(), Some("11.  1213   09.04  11.04\n"));
    assert_eq!((mail.html, mail.attachments.len()), (None, 0));
}

#[test]
fn nonsense_dates_and_doubled_fields_count_as_missing() {
    for date in ["Fri, 32 Nov 9999 25:61:61 +0000", "yesterday", "11 Apr 2003", "", "11 Apr 2003 13:53:32 CET"] {
        assert_eq!(read(&format!("Date: {date}\n\nx")).date, None, "{date}");
    }
    let mail = read(
        "Date: 11 Apr 2003 13:53:32 GMT\nDate: 12 Apr 2003 13:53:32 GMT\nMessage-ID: <a@b>\nMessage-ID: <c@d>\n\nx",
    );
    assert_eq!((mail.date, mail.message_id), (None, None));
    assert_eq!(read("Date: Fri, 03 Sep 99 10:00 GMT\n\nx").date.unwrap().to_rfc3339(), "1999-09-03T10:00:00+00:00");
}

#[test]
fn a_wrong_weekday_and_comments_do_not_spoil_a_date() {
    for date in [
        "Thu, 11 Apr 2003 13:53:32 +0100 (BST)",
        "11 Apr 2003 13:53:32 +0100 (Fri, summer time)",
        ", 11 Apr 2003 13:53:32 +0100",
    ] {
        assert_eq!(
            read(&format!("Date: {date}\n\nx")).date.unwrap().to_rfc3339(),
            "2003-04-11T13:53:32+01:00",
            "{date}"
        );
    }
}

#[test]
fn arbitrary_bytes_are_no_mail() {
    for raw in [b"".as_slice(), b"hello\n", b"\0\xff\xfe", b"To: a@example.org\n\n5254", b"%PDF-1.4\n: \n"] {
        assert_eq!(message::parse(raw).unwrap_err(), MessageError::NotAMail);
    }
}

#[test]
fn mails_written_by_programs_are_told_apart() {
    for (field, expected) in [
        ("Auto-Submitted: auto-replied", Some(Automatic::AutoSubmitted)),
        ("Auto-Submitted: No (typed)", None),
        ("Precedence: bulk", Some(Automatic::Precedence)),
        ("Precedence: first-class", None),
        ("List-Unsubscribe: <mailto:x@example.org>", Some(Automatic::List)),
        ("Content-Type: multipart/report; boundary=b; report-type=delivery-status", Some(Automatic::Report)),
        ("Return-Path: < >", Some(Automatic::EmptyReturnPath)),
        ("X-Autoreply: yes", Some(Automatic::AutoReply)),
        ("X-Auto-Response-Suppress: All", Some(Automatic::ResponsesSuppressed)),
    ] {
        assert_eq!(read(&format!("From: a@example.org\n{field}\n\nx")).automatic, expected, "{field}");
    }
}

#[test]
fn the_text_comes_out_in_every_charset_and_encoding() {
    for (header, body, expected) in [
        ("text/plain; charset=iso-8859-1", b"re\xe7u 5254".as_slice(), "reçu 5254"),
        ("text/plain; charset=koi8-r", b"\xe8\xcf\xc4 5254", "Ход 5254"),
        ("text/plain; charset=windows-1251", b"\xd5\xee\xe4 5254", "Ход 5254"),
        ("text/plain; charset=iso-2022-jp", b"6... \x1b$B#4#8#5#7\x1b(B", "6... 4857"),
        ("text/plain; charset=utf-8", b"\xef\xbb\xbf5254", "5254"),
        ("text/plain; charset=us-ascii", b"re\xe7u 5254", "reçu 5254"),
        ("text/plain", b"re\xe7u 5254", "reçu 5254"),
        ("text/plain", b"re\xc3\xa7u 52\xe2\x80\x9354", "reçu 52-54"),
        ("text/plain; charset=utf-8; format=flowed", b"11. 3443 \n1/14", "11. 3443 1/14"),
        ("text/plain; charset=utf-8; format=flowed; delsp=yes", b"11. 34 \n43", "11. 3443"),
    ] {
        let raw = [b"From: a@example.org\nContent-Type: ", header.as_bytes(), b"\n\n", body].concat();
        assert_eq!(plain(&raw), expected, "{header}");
    }
    let encoded = "From: a@example.org\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: ";
    assert_eq!(
        plain(format!("{encoded}Quoted-Printable\n\n10. 58=\n78 re=C3=A7u=20\n").as_bytes()),
        "10. 5878 reçu \n"
    );
    assert_eq!(plain(format!("{encoded}BASE64\n\nMTAuIDU4\nNzgg\n").as_bytes()), "10. 5878 ");
}

#[test]
fn both_halves_of_an_alternative_are_kept_apart() {
    let mail = read(concat!(
        "From: a@example.org\nContent-Type: multipart/alternative; boundary=b\n\n",
        "--b\n\n10. 6264\n--b\nContent-Type: text/html\n\n<p>10. <span>62</span><span>65</span></p>\n--b--\n"
    ));
    assert_eq!(mail.plain.as_deref(), Some("10. 6264"));
    assert_eq!(mail.html.as_deref().map(str::trim), Some("10. 6265"));
}

#[test]
fn broken_multiparts_still_give_their_text() {
    for raw in [
        "From: a@example.org\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n10. 5254\n",
        "From: a@example.org\nContent-Type: multipart/mixed; boundary=b\n\n10. 5254\n",
        "From: a@example.org\nContent-Type: multipart/mixed\n\n10. 5254\n",
        "From: a@example.org\nContent-Type: nonsense\n\n10. 5254\n",
    ] {
        assert_eq!(plain(raw.as_bytes()), "10. 5254\n", "{raw}");
    }
}

#[test]
fn a_number_with_something_invisible_in_it_is_marked() {
    let mail = read("From: a@example.org\nContent-Type: text/plain; charset=utf-8\n\n52\u{200B}54\n");
    assert!(mail.has_hidden_characters);
    assert!(!mail.plain.unwrap().contains("5254"));
    assert!(
        !read("From: a@example.org\nContent-Type: text/plain; charset=utf-8\n\n\u{FEFF}hel\u{200B}lo 5254\n")
            .has_hidden_characters
    );
    let file = read(
        "From: a@example.org\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8; name=a.txt\n\n5\u{2060}2\n--b--\n",
    );
    assert!(file.has_hidden_characters);
}

/// A thread with tokio's stack of 2 MiB; an overflow would abort the whole test binary.
fn on_a_small_stack(raw: String) -> Result<(), MessageError> {
    let parse = move || message::parse(raw.as_bytes()).map(drop);
    std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(parse).unwrap().join().unwrap()
}

#[test]
fn a_mebibyte_of_nested_messages_does_not_overflow_the_stack() {
    let size = 1024 * 1024;
    let messages = "Content-Type: message/rfc822\n\n".repeat(size / 30);
    assert_eq!(on_a_small_stack(format!("From: a@example.org\n{messages}")), Ok(()));

    let mut multiparts = String::from("From: a@example.org\n");
    for level in 0..size / 60 {
        multiparts.push_str(&format!("Content-Type: multipart/digest; boundary=\"b{level}\"\n\n--b{level}\n"));
    }
    assert_eq!(on_a_small_stack(multiparts), Err(MessageError::TooDeep));

    let parts = "--b\n\nx\n".repeat(size / 7);
    assert_eq!(
        on_a_small_stack(format!("From: a@example.org\nContent-Type: multipart/mixed; boundary=b\n\n{parts}")),
        Err(MessageError::TooManyParts)
    );
}

/// Pieces from which mails are made, sound and broken.
fn mail_like() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::sample::select(vec![
        "From: a@example.org\n",
        "From: \"x\" <a@example.org>, b\r\n",
        "Subject: =?utf-8?q?=E9?=\n",
        "Date: Fri, 11 Apr 2003 13:53:32 +0100\n",
        "Content-Type: multipart/mixed; boundary=b\n",
        "Content-Type: text/html; charset=koi8-r\n",
        "Content-Type: text/plain; format=flowed\n",
        "Content-Type: message/rfc822\n",
        "Content-Transfer-Encoding: quoted-printable\n",
        "Content-Transfer-Encoding: base64\n",
        "\n",
        "\r\n",
        "--b\n",
        "--b--\n",
        "=E",
        "=\n",
        "> 5254 \n",
        "<blockquote>",
        "</div>",
        "<s>",
        "\u{200B}",
        "52",
        "&nbsp;",
        "Received: x; y\n",
        "(\\",
        "\"",
        "<",
        "\0",
        "*0*=x''%",
    ]);
    let piece = prop_oneof![4 => pieces.prop_map(|piece| piece.as_bytes().to_vec()), 1 => prop::collection::vec(any::<u8>(), 0..20)];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(raw in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert_ne!(message::parse(&raw).map(drop), Err(MessageError::ParserPanic));
    }

    #[test]
    fn no_pieces_of_mail_make_the_reader_panic(raw in mail_like()) {
        prop_assert_ne!(message::parse(&raw).map(drop), Err(MessageError::ParserPanic));
    }
}

fn mailbox(name: Option<&str>, address: &str) -> Mailbox {
    Mailbox { name: name.map(str::to_owned), address: address.parse().unwrap() }
}

fn draft() -> DraftMessage {
    DraftMessage {
        from: mailbox(Some("Nora Lindqvist"), "nora@example.org"),
        to: vec![mailbox(Some("Åke, \"the Rock\" L."), "ake@example.net")],
        cc: Vec::new(),
        subject: "Re: EM/03/101 – Zug 11".to_owned(),
        date: DateTime::parse_from_rfc3339("2003-04-05T13:53:32+02:00").unwrap(),
        message_id: "<em-1037.22@nora.example.org>".parse().unwrap(),
        in_reply_to: Some("<20030411.001@mail.example.org>".parse().unwrap()),
        references: vec![
            "<em-1037.root@nora.example.org>".parse().unwrap(),
            "<20030411.001@mail.example.org>".parse().unwrap(),
        ],
        auto_submitted: false,
        unsent: false,
        body: "EM/03/101\n\n11. 1213 5755   \n\nNora\n\n\n".to_owned(),
        page: None,
        attached_reply: None,
    }
}

fn written(draft: &DraftMessage) -> String {
    String::from_utf8(draft.to_bytes().unwrap()).unwrap()
}

#[test]
fn a_draft_is_the_same_bytes_every_time() {
    let expected = [
        "From: \"Nora Lindqvist\" <nora@example.org>",
        "To: =?utf-8?b?w4VrZSwgInRoZSBSb2NrIiBMLg==?= <ake@example.net>",
        "Subject: Re: EM/03/101 =?utf-8?b?4oCT?= Zug 11",
        "Date: Sat, 05 Apr 2003 13:53:32 +0200",
        "Message-ID: <em-1037.22@nora.example.org>",
        "In-Reply-To: <20030411.001@mail.example.org>",
        "References: <em-1037.root@nora.example.org> <20030411.001@mail.example.org>",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 7bit",
        "",
        "EM/03/101",
        "",
        "11. 1213 5755",
        "",
        "Nora",
        "",
    ];
    assert_eq!(written(&draft()).trim_end(), expected.join("\r\n").trim_end());
    assert_eq!(draft().to_bytes(), draft().to_bytes());
}

#[test]
fn a_name_in_ascii_stays_readable_in_the_header_and_every_name_reads_back() {
    for (name, field) in [
        ("Novak, Jan", "\"Novak, Jan\" <ake@example.net>"),
        ("Jan \"Rook\" Novak", "\"Jan \\\"Rook\\\" Novak\" <ake@example.net>"),
        ("back\\slash", "\"back\\\\slash\" <ake@example.net>"),
        ("J. R. Novak", "\"J. R. Novak\" <ake@example.net>"),
        ("Novak", "Novak <ake@example.net>"),
        ("a@b <c>; d: (e)", "\"a@b <c>; d: (e)\" <ake@example.net>"),
        ("Müller, Jörg", "=?utf-8?b?"),
    ] {
        let mailbox = |address: &str| Mailbox { name: Some(name.to_owned()), address: address.parse().unwrap() };
        let draft = DraftMessage { to: vec![mailbox("ake@example.net"), mailbox("mila@example.org")], ..draft() };
        let bytes = written(&draft);
        let unfolded = bytes.replace("\r\n ", " ");
        assert!(unfolded.contains(&format!("To: {field}")), "{unfolded}");
        assert!(bytes.lines().all(|line| line.len() <= 78), "{bytes}");
        let read = mail_parser::MessageParser::default().parse(bytes.as_bytes()).unwrap();
        let names: Vec<_> = read.to().unwrap().iter().map(|to| to.name().unwrap().to_owned()).collect();
        assert_eq!(names, [name, name]);
    }
    let long = Mailbox { name: Some("Novak, Jan ".repeat(30)), address: "jan@example.org".parse().unwrap() };
    let bytes = written(&DraftMessage { to: vec![long], ..draft() });
    assert!(bytes.lines().all(|line| line.len() <= 78), "{bytes}");
}

#[test]
fn a_draft_with_other_letters_is_quoted_printable_and_reads_back() {
    let draft = DraftMessage { body: "Grüße 5254 = e4\r\n.\r\nFrom me\0 \t\n".to_owned(), ..draft() };
    let bytes = written(&draft);
    assert!(bytes.contains("Content-Transfer-Encoding: quoted-printable\r\n"));
    assert_eq!(plain(bytes.as_bytes()).trim_end(), "Grüße 5254 = e4\n.\nFrom me");
}

#[test]
fn a_draft_that_looks_encoded_says_that_it_is() {
    for body in ["mailto:nora@example.org?subject=EA-1\n", "Nora=C3=A9\nplays on", "at the end =20\n"] {
        let bytes = written(&DraftMessage { body: body.to_owned(), ..draft() });
        assert!(bytes.contains("Content-Transfer-Encoding: quoted-printable\r\n"), "{bytes}");
        assert_eq!(plain(bytes.as_bytes()).trim_end(), body.trim_end());
    }
}

#[test]
fn a_line_of_any_length_keeps_the_line_ends_of_the_others() {
    for body in ["a".repeat(77), "a".repeat(998), "a".repeat(999), "ä".repeat(60)] {
        let bytes = written(&DraftMessage { body: format!("first\n{body}\nlast\n"), ..draft() });
        // RFC 2045, 6.7, rule 4: a line end of a text is never encoded
        assert!(!bytes.contains("=0A"), "{bytes}");
        assert_eq!(plain(bytes.as_bytes()).trim_end(), format!("first\n{body}\nlast"));
    }
}

fn page(html: &str, mail: &MessageId) -> Page {
    let content_id = ContentId::of(mail, "board");
    let picture =
        InlinePicture { content_id, file_name: "board.png".to_owned(), png: vec![0x89, b'P', 0, 0xFF, b'\n'] };
    Page { html: html.to_owned(), pictures: vec![picture] }
}

#[test]
fn a_page_stands_beside_the_text_with_its_picture() {
    let long = format!("<{}.notice@{}.example.org>", "n".repeat(100), "d".repeat(120)).parse().unwrap();
    for id in [draft().message_id, long, "<a$b/c=d+e%f:0@[192.0.2.1]>".parse().unwrap()] {
        for html in ["<p>Zug 11</p>", "<p>Grüße</p>\n<b style=\"x\">11. 1213</b>\n", &"<b>wide</b>".repeat(200)] {
            let with = DraftMessage { message_id: id.clone(), page: Some(page(html, &id)), ..draft() };
            let bytes = written(&with);
            let mail = read(&bytes);
            assert_eq!(mail.plain.unwrap().trim_end(), "EM/03/101\n\n11. 1213 5755\n\nNora");
            assert!(mail.html.is_some() && mail.attachments[0].content_type == "image/png");
            let reply =
                Some(AttachedReply { file_name: "reply.eml".to_owned(), bytes: written(&draft()).into_bytes() });
            let both = read(&written(&DraftMessage { attached_reply: reply, ..with }));
            assert_eq!(both.attachments.len(), 2);
        }
    }
}

#[test]
fn the_name_of_a_picture_needs_no_escape_and_is_that_of_its_mail_alone() {
    let name = |id: &str| ContentId::of(&id.parse().unwrap(), "board").to_string();
    assert_eq!(name("<em-1.2@nora.example.org>"), "board.em-1.2@nora.example.org");
    assert_eq!(name("<a$b/c=d+e%f:0@[192.0.2.1]>"), "board.a-b-c-d-e-f-0@-192.0.2.1-");
}

#[test]
fn a_page_that_shows_nothing_and_a_picture_of_no_plain_name_are_refused() {
    let id = draft().message_id;
    let empty = DraftMessage { page: Some(page("", &id)), ..draft() };
    assert_eq!(empty.to_bytes(), Err(DraftError::SelfCheck("text")), "a page without a word shows nothing");
    let mut named = page("<p>x</p>", &id);
    named.pictures[0].file_name = "a\r\nBcc: x@example.com".to_owned();
    assert!(matches!(DraftMessage { page: Some(named), ..draft() }.to_bytes(), Err(DraftError::FileName(_))));
}

#[test]
fn an_automatic_draft_says_so_and_a_file_is_marked_unsent() {
    let bytes = written(&DraftMessage { auto_submitted: true, unsent: true, ..draft() });
    for line in ["Auto-Submitted: auto-generated\r\n", "X-Auto-Response-Suppress: All\r\n", "X-Unsent: 1\r\n"] {
        assert!(bytes.contains(line), "{line}");
    }
    let plain_bytes = written(&draft());
    assert!(!plain_bytes.contains("Auto-Submitted") && !plain_bytes.contains("X-Unsent"));
    assert_eq!(read(&bytes).automatic, Some(Automatic::AutoSubmitted));
}

#[test]
fn the_attached_reply_comes_out_byte_for_byte() {
    let reply = DraftMessage { unsent: true, body: "11. ....\n".to_owned(), ..draft() }.to_bytes().unwrap();
    let notice = DraftMessage {
        attached_reply: Some(AttachedReply { file_name: "reply.eml".to_owned(), bytes: reply.clone() }),
        cc: vec![mailbox(None, "td@example.com")],
        message_id: "<notice.7@nora.example.org>".parse().unwrap(),
        ..draft()
    };
    let bytes = written(&notice);
    assert!(bytes.contains("boundary=\"=_notice7noraexampleorg\""));
    let file = bytes.split("filename=\"reply.eml\"").nth(1).unwrap().split("\r\n\r\n").nth(1).unwrap();
    let file: String = file.split("--=_").next().unwrap().split_whitespace().collect();
    let decoded = amici::mail::decode::transfer("base64", file.as_bytes()).into_owned();
    assert_eq!(decoded, reply);
    let mail = read(&bytes);
    assert_eq!(mail.attachments[0].name.as_deref(), Some("reply.eml"));
    assert_eq!(mail.attachments[0].content_type, "application/octet-stream");
}

#[test]
fn the_name_with_a_line_end_that_makes_lettre_panic_does_no_harm() {
    let mail = read("From: =?utf-8?q?A=0D=0AB?= <opp@example.org>\n\nx");
    let sender = mail.from.unwrap();
    assert_eq!(sender.name.as_deref(), Some("A B"));
    for name in [sender.name, Some("A\r\nB".to_owned()), Some("A\r\nBcc: evil@example.com".to_owned())] {
        let draft = DraftMessage { to: vec![Mailbox { name, address: sender.address.clone() }], ..draft() };
        let bytes = written(&draft);
        assert!(bytes.contains("<opp@example.org>\r\n") && !bytes.contains("\r\nBcc"));
    }
}

#[test]
fn hostile_names_and_subjects_are_neutralised() {
    let long = "x".repeat(10_000);
    for value in [
        "\"",
        "\\",
        "a\"b\\",
        "(",
        "😀 ♟\u{FE0E}",
        "a\0b",
        "\u{202E}x",
        "=?utf-8?q?=0D=0A?=",
        "<evil@example.com>",
        "a, b; c: d",
        " ",
        "",
        &long,
    ] {
        let draft = DraftMessage {
            from: mailbox(Some(value), "nora@example.org"),
            to: vec![mailbox(Some(value), "a@example.net")],
            subject: value.to_owned(),
            ..draft()
        };
        let mail = read(&written(&draft));
        assert_eq!(mail.from.unwrap().address.as_str(), "nora@example.org");
        assert_eq!(mail.to.len(), 1, "{value}");
    }
}

#[test]
fn a_draft_that_cannot_be_written_is_refused() {
    assert_eq!(DraftMessage { to: Vec::new(), ..draft() }.to_bytes(), Err(DraftError::NoRecipient));
    let date = DateTime::from_timestamp(300_000_000_000, 0).unwrap().fixed_offset();
    assert!(matches!(DraftMessage { date, ..draft() }.to_bytes(), Err(DraftError::Date(_))));
    let file = AttachedReply { file_name: "a\"\r\nb".to_owned(), bytes: Vec::new() };
    assert!(matches!(DraftMessage { attached_reply: Some(file), ..draft() }.to_bytes(), Err(DraftError::FileName(_))));
}

proptest! {
    #[test]
    fn no_text_makes_the_readers_panic(input in any::<String>()) {
        let page = html::to_text(&input).unwrap_or_default();
        let lines = quote::split(&page).lines.len();
        prop_assert_eq!(lines, page.lines().count());
        prop_assert_eq!(text::normalise(&text::normalise(&input)), text::normalise(&input));
    }

    #[test]
    fn whatever_is_written_reads_back(name in any::<String>(), subject in any::<String>(), body in any::<String>(), ascii in "[ -~]{0,300}", automatic: bool) {
        let draft = DraftMessage {
            from: mailbox(Some(&ascii), "nora@example.org"),
            to: vec![mailbox(Some(&name), "a@example.net"), mailbox(None, "b@example.net")],
            subject,
            body: format!("{body}\n{ascii}"),
            auto_submitted: automatic,
            ..draft()
        };
        // The read-back inside compares every field; here the bytes must exist.
        let mail = message::parse(&draft.to_bytes().unwrap()).unwrap();
        prop_assert_eq!(mail.to.len(), 2);
        prop_assert_eq!(mail.automatic.is_some(), automatic);
    }
}
