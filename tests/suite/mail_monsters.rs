//! Mails built to exhaust their reader. Each must end in a value; none may overflow a thread's stack.
//!
//! Optimised builds read them at full size, others at a small part of it.

use amici::mail::message::{self, MessageError};
use amici::mail::quote;

const MIB: usize = 1024 * 1024;
/// The largest mail that is downloaded.
const SIZE: usize = if cfg!(debug_assertions) { MIB * 5 / 4 } else { 25 * MIB };
/// The longest text of a letter that is read, a little less.
const TEXT: usize = if cfg!(debug_assertions) { MIB / 16 } else { MIB - 1000 };
/// The longest page.
const PAGE: usize = if cfg!(debug_assertions) { MIB / 8 } else { 4 * MIB - 1000 };
/// How often something is repeated that needs no such size.
const MANY: usize = if cfg!(debug_assertions) { 5_000 } else { 100_000 };

const FROM: &str = "From: a@example.org\n";

/// The unit, until the mail has this size.
fn filled(head: &str, unit: &str) -> Vec<u8> {
    [head, &unit.repeat((SIZE - head.len()) / unit.len())].concat().into_bytes()
}

fn numbered(head: &str, count: usize, unit: impl Fn(usize) -> String) -> Vec<u8> {
    (0..count).fold(head.to_owned(), |text, number| text + &unit(number)).into_bytes()
}

/// A letter of one part.
fn letter(content_type: &str, unit: &str) -> Vec<u8> {
    filled(&format!("{FROM}Content-Type: {content_type}\n\n"), unit)
}

fn html(unit: &str) -> Vec<u8> {
    let head = format!("{FROM}Content-Type: text/html\n\n");
    [head.as_bytes(), &unit.repeat(PAGE / unit.len()).into_bytes()].concat()
}

fn nested_html(tag: &str) -> Vec<u8> {
    format!("{FROM}Content-Type: text/html\n\n{}5254", tag.repeat(MANY)).into_bytes()
}

fn mixed(unit: &str) -> Vec<u8> {
    filled(&format!("{FROM}Content-Type: multipart/mixed; boundary=b\n\n--b\n\n10. 5254\n"), unit)
}

/// A base64 text of the size of a mail.
fn base64(content_type: &str) -> Vec<u8> {
    filled(
        &format!("{FROM}Content-Type: {content_type}\nContent-Transfer-Encoding: base64\n\n"),
        "PDxkaXY+NTI1NDxiPjw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8\n",
    )
}

fn with_photo(kind: &str) -> Vec<u8> {
    mixed(&format!(
        "--b\nContent-Type: {kind}\nContent-Disposition: attachment; filename=photo\nContent-Transfer-Encoding: base64\n\n{}",
        "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////\n".repeat(SIZE / 67 - 10)
    ))
}

fn monsters() -> Vec<(&'static str, Vec<u8>)> {
    let boundary = "x".repeat(60);
    let nested = |unit: fn(usize) -> String| numbered(FROM, 20_000, unit);
    vec![
        ("nested multiparts", nested(|n| format!("Content-Type: multipart/mixed; boundary=\"b{n}\"\n\n--b{n}\n"))),
        (
            "nested multiparts of one boundary",
            nested(|_| "Content-Type: multipart/mixed; boundary=b\n\n--b\n".to_owned()),
        ),
        ("nested digests", nested(|n| format!("Content-Type: multipart/digest; boundary=\"b{n}\"\n\n--b{n}\n"))),
        ("nested messages", filled(FROM, "Content-Type: message/rfc822\n\n")),
        ("many parts", mixed("--b\n\nx\n")),
        ("many empty parts", mixed("--b\n")),
        (
            "five hundred parts with long type lines",
            mixed(&format!("--b\nContent-Type: text/plain; {}\n\nx\n", "a*1=x;".repeat(8_000))),
        ),
        (
            "five hundred parts with type lines just short enough",
            mixed(&format!("--b\nContent-Type: text/plain; {}\n\nx\n", "a*1=x;".repeat(1_300))),
        ),
        (
            "many pieces of one parameter",
            numbered(&format!("{FROM}Content-Type: text/plain"), MANY, |n| format!(";\n name*{n}=x")),
        ),
        ("many parameters", numbered(&format!("{FROM}Content-Type: text/plain"), MANY, |n| format!("; p{n}=x"))),
        (
            "lines that are almost boundaries",
            filled(
                &format!("{FROM}Content-Type: multipart/mixed; boundary={boundary}\n\n--{boundary}\n\n"),
                &format!("--{boundary}x\n"),
            ),
        ),
        ("lines that begin like boundaries at every depth", {
            let open = (0..31)
                .map(|n| format!("Content-Type: multipart/mixed; boundary={boundary}{n:02}\n\n--{boundary}{n:02}\n"));
            filled(&format!("{FROM}{}\n", open.collect::<String>()), &format!("--{boundary}xx\n"))
        }),
        ("a header without end", filled(FROM, "X-Flood: y\n")),
        ("a header of short lines", filled(FROM, "a:\n")),
        ("one field without end", filled("From: a@example.org\nX-Flood: ", "y ")),
        ("one folded field", filled("From: a@example.org\nX-Flood:\n", " y\n")),
        ("a header of nothing but colons", filled(FROM, ":")),
        ("many senders", numbered("", MANY / 2, |n| format!("From: a{n}@example.org\n"))),
        ("many recipients", numbered(FROM, MANY / 2, |n| format!("To: a{n}@example.org\n"))),
        ("many recipients in one field", numbered("To: x@example.org", MANY / 2, |n| format!(",\n a{n}@example.org"))),
        ("encoded words in the subject", numbered("Subject:", MANY / 4, |_| " =?utf-8?q?=35=32?=".to_owned())),
        ("broken encoded words in the subject", numbered("Subject:", MANY, |_| "=?utf-8?q?".to_owned())),
        ("encoded words of base64", numbered("Subject:", MANY / 4, |_| "=?x?b?NTI1NA=?= ".to_owned())),
        (
            "nested comments in an address",
            format!("From: {}a@example.org{}\n\nx", "(".repeat(MANY), ")".repeat(MANY)).into_bytes(),
        ),
        (
            "unclosed comments in an address",
            format!("From: {}a@example.org\nTo: {0}\nDate: {0}\n\nx", "(".repeat(MANY)).into_bytes(),
        ),
        ("quotes in an address", format!("From: {}a@example.org\nTo: {0}\n\nx", "\"\\\"".repeat(MANY)).into_bytes()),
        ("groups in an address", format!("From: a@example.org\nTo: {}\n\nx", "a:<b@c>;".repeat(MANY)).into_bytes()),
        ("angles in an address", format!("From: {0}a@example.org\nTo: {0}\n\nx", "<".repeat(MANY)).into_bytes()),
        ("a flood of references", numbered("Subject: x\nReferences:", MANY / 4, |n| format!(" <{n}@example.org>"))),
        ("a date of blanks", filled("Subject: x\nDate: Fri,", " ")),
        ("one line of text", letter("text/plain", "x")),
        ("one line of digits", letter("text/plain", "5254 ")),
        ("empty lines", letter("text/plain", "\n")),
        ("a megabyte of quote marks", format!("{FROM}\n{}", ">".repeat(TEXT)).into_bytes()),
        ("quote marks at every depth", numbered(&format!("{FROM}\n"), MANY / 80, |n| format!("{}\n", ">".repeat(n)))),
        ("names as quote marks", format!("{FROM}\n{}", "a> ".repeat(TEXT / 4)).into_bytes()),
        (
            "lines that open an attribution",
            format!("{FROM}\n{}", "On 4.6.2019 17:02 Nora a@b\n".repeat(TEXT / 30)).into_bytes(),
        ),
        (
            "lines with a verb of writing",
            format!("{FROM}\n{}", "wrote wrote wrote wrote:\n".repeat(TEXT / 30)).into_bytes(),
        ),
        ("labels", format!("{FROM}\n{}", "Sent: x\n".repeat(TEXT / 10)).into_bytes()),
        ("flowed lines", letter("text/plain; format=flowed", "x \n")),
        ("flowed quotes", letter("text/plain; format=flowed; delsp=yes", ">> x \n> \n")),
        (
            "hidden characters",
            format!("{FROM}Content-Type: text/plain; charset=utf-8\n\n{}", "5\u{200B}".repeat(TEXT / 5)).into_bytes(),
        ),
        (
            "combining characters",
            format!("{FROM}Content-Type: text/plain; charset=utf-8\n\n5{}", "\u{336}".repeat(TEXT / 3)).into_bytes(),
        ),
        ("text in base64", base64("text/plain")),
        ("page in base64", base64("text/html")),
        ("file in base64", base64("application/octet-stream; name=x.pgn")),
        (
            "soft line breaks",
            format!("{FROM}Content-Transfer-Encoding: quoted-printable\n\n{}", "=\n".repeat(TEXT / 3)).into_bytes(),
        ),
        (
            "escapes",
            format!("{FROM}Content-Transfer-Encoding: quoted-printable\n\n{}", "=35".repeat(TEXT / 4)).into_bytes(),
        ),
        (
            "escape characters of Japanese mail",
            format!("{FROM}Content-Type: text/plain; charset=iso-2022-jp\n\n{}", "\x1b$B\x1b(B".repeat(TEXT / 8))
                .into_bytes(),
        ),
        ("less-than signs", html("<")),
        ("less-than signs and letters", html("<a")),
        ("open tags", html("<a>")),
        ("nested divs", nested_html("<div>")),
        ("nested tables", nested_html("<table><tr><td>")),
        ("nested quotes", nested_html("<blockquote>x")),
        ("nested fonts and blocks", nested_html("<b><p>x</b>")),
        ("nested lists", nested_html("<ol><li>x")),
        ("end tags of nothing", html("</b></div></td>")),
        ("cells", html("<td>")),
        ("cells with columns", html("<td>1<br>2")),
        ("rows", html("<tr><td>5254")),
        ("entities", html("&amp;&#53;")),
        ("unfinished entities", html("&am")),
        ("an unfinished comment", html("<!-- x ")),
        ("comments", html("<!---->")),
        ("an unfinished style", html("<style> a < b ")),
        ("an unfinished attribute", html("<div a=\"x ")),
        ("tags of many names", {
            let head = format!("{FROM}Content-Type: text/html\n\n");
            numbered(&head, MANY, |n| format!("<x{n}>"))
        }),
        ("attributes", numbered(&format!("{FROM}Content-Type: text/html\n\n<div "), MANY, |n| format!("a{n}=x "))),
        ("tags with as many attributes as go", {
            let attributes: String = (0..450).map(|n| format!("a{n} ")).collect();
            html(&format!("<i {attributes}></i>"))
        }),
        ("long styles", html(&format!("<i style='{}'>x</i>", "color:#fff;margin:1px;".repeat(500)))),
        ("a photo beside a short move", with_photo("image/jpeg")),
        ("an unknown file beside a short move", with_photo("application/octet-stream")),
        ("pages as files", mixed(&format!("--b\nContent-Type: text/html; name=x\n\n{}\n", "<".repeat(60_000)))),
        (
            "texts as files",
            mixed(&format!("--b\nContent-Type: text/plain; name=x.pgn\n\n{}\n", "5254 ".repeat(12_000))),
        ),
        ("bytes of a program", filled(FROM, "\0\x01\u{7f}\n")),
    ]
}

#[test]
fn every_monster_ends_in_a_value_on_a_small_stack() {
    for (name, raw) in monsters() {
        let read = move || {
            let mail = message::parse(&raw)?;
            let lines = [&mail.plain, &mail.html].into_iter().flatten().map(|view| quote::split(view).lines.len());
            Ok((mail.attachments.len(), lines.sum::<usize>()))
        };
        let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(read).unwrap();
        let end = thread.join().unwrap_or_else(|_| panic!("{name}: the reader panicked"));
        assert_ne!(end, Err(MessageError::ParserPanic), "{name}");
    }
}

#[test]
fn the_largest_mail_with_a_photo_is_read() {
    for kind in ["image/jpeg", "application/octet-stream"] {
        let mail = message::parse(&with_photo(kind)).unwrap();
        assert_eq!(mail.plain.as_deref(), Some("10. 5254"));
        assert_eq!((mail.attachments.len(), &mail.attachments[0].text), (1, &None));
    }
}

#[test]
fn what_is_too_much_is_said_and_not_cut() {
    for (raw, error) in [
        (filled(FROM, "X-Flood: y\n"), MessageError::TooMuchHeader),
        (letter("text/plain", "5254\n"), MessageError::TooMuchText),
        (mixed("--b\n\nx\n"), MessageError::TooManyParts),
        (nested_html(&"<a>".repeat(50)), MessageError::TooMuchText),
    ] {
        assert_eq!(message::parse(&raw).map(drop), Err(error));
    }
}
