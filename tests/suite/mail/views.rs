//! The two forms of a letter's text: what counts as one, and what mailers did to it on the way.

use amici::mail::message::IncomingMessage;

use super::{plain, read};

fn alternative(plain: &str, html: &str) -> IncomingMessage {
    read(&format!(
        "From: a@example.org\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\n{plain}\n--b\nContent-Type: text/html\n\n{html}\n--b--\n"
    ))
}

#[test]
fn a_view_that_only_points_at_the_other_one_is_none() {
    for notice in ["This is a multi-part message in MIME format.", "Ihr Mailprogramm unterstützt kein HTML.", "", " \n"]
    {
        let mail = alternative(notice, "<p>10. 5254</p>");
        assert_eq!((mail.plain, mail.html.as_deref()), (None, Some("10. 5254")), "{notice}");
    }
    for notice in
        ["<p>Your mail client does not support HTML</p>", "<img src='cid:x'>", "<html><body></body></html>", ""]
    {
        let mail = alternative("10. 5254", notice);
        assert_eq!((mail.plain.as_deref(), mail.html), (Some("10. 5254"), None), "{notice}");
    }
}

#[test]
fn words_of_the_sender_stay_a_view_also_where_they_speak_of_html() {
    let mail = alternative("My mail client does not support HTML. 10. 5254", "<p>10. 5254</p>");
    assert!(mail.plain.is_some() && mail.html.is_some());
    let alone = read("From: a@example.org\n\nMy mail client does not support HTML. I resign.\n");
    assert!(alone.plain.is_some());
    let both = alternative(
        "My mail client does not support HTML. I resign.",
        "<p>My mail client does not support HTML. I resign.</p>",
    );
    assert!(both.plain.is_some() && both.html.is_some());
}

#[test]
fn a_text_that_was_encoded_without_saying_so_is_decoded() {
    let head = "From: a@example.org\nContent-Type: text/plain; charset=iso-8859-1\n";
    assert_eq!(plain(format!("{head}\n10. 58=\n78 re=E7u\n").as_bytes()), "10. 5878 reçu\n");
    assert_eq!(plain(format!("{head}\n10. 5878 =\n2 days=35\n").as_bytes()), "10. 5878 =\n2 days=35\n");
    let odd = "Content-Transfer-Encoding: QUOTED-PRINTABLE (by gateway)\n";
    assert_eq!(plain(format!("{head}{odd}\n10. 58=\n=37=38\n").as_bytes()), "10. 5878\n");
}

#[test]
fn flowed_lines_join_within_one_writer_and_keep_quotes_and_signatures_apart() {
    let head = "From: a@example.org\nContent-Type: text/plain; format=flowed";
    for (parameter, body, expected) in [
        (
            "",
            "11. 3443 \n1/14\n> 10. 5254 \n> 5755\n>> older \nmine",
            "11. 3443 1/14\n> 10. 5254 5755\n>> older \nmine",
        ),
        ("; delsp=yes", "11. 34 \n43", "11. 3443"),
        ("", " >5254 stuffed\n From here", ">5254 stuffed\nFrom here"),
        ("", "Nora \n-- \nBox", "Nora \n-- \nBox"),
    ] {
        assert_eq!(plain(format!("{head}{parameter}\n\n{body}").as_bytes()), expected);
    }
}

#[test]
fn a_page_that_nobody_can_read_to_its_end_makes_no_half_mail() {
    let attributes: String = (0..5_000).map(|number| format!("a{number} ")).collect();
    let raw = format!("From: a@example.org\nContent-Type: text/html\n\n10. 5254<div {attributes}>");
    assert!(amici::mail::message::parse(raw.as_bytes()).is_err());
}
