//! What comes along with a letter: which files have a text, and which are chess games.

use amici::mail::message::{Attachment, IncomingMessage, MessageError, parse};

use super::read;

/// A mail of these parts, each from its header on.
fn with_parts(parts: &[&str]) -> IncomingMessage {
    let parts: String = parts.iter().map(|part| format!("--b\n{part}\n")).collect();
    read(&format!("From: a@example.org\nContent-Type: multipart/mixed; boundary=b\n\n{parts}--b--\n"))
}

fn only_file(part: &str) -> Attachment {
    let mail = with_parts(&["\nsee file", part]);
    assert_eq!(mail.plain.as_deref(), Some("see file"), "{part}");
    let [file] = mail.attachments.as_slice() else { panic!("{part}: {:?}", mail.attachments) };
    file.clone()
}

#[test]
fn attachments_give_their_text_where_they_are_text() {
    let mail = read(concat!(
        "From: a@example.org\nContent-Type: multipart/mixed; boundary=b\n\n",
        "--b\n\nsee file\n",
        "--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename*=utf-8''partie%C3%A9.pgn\nContent-Transfer-Encoding: base64\n\nMS4gZDQgKgo=\n",
        "--b\nContent-Type: text/plain; name=\"note.txt\"\n\n1. e4\n",
        "--b\nContent-Type: image/png; name=\"../a\tb.png\"\n\nxx\n",
        "--b\nContent-Type: application/octet-stream\n\n\u{1}\u{2}\n",
        "--b\nContent-Type: message/rfc822\n\nSubject: old\n\n5254\n--b--\n"
    ));
    assert_eq!(mail.plain.as_deref(), Some("see file"));
    let files: Vec<_> =
        mail.attachments.iter().map(|a| (a.name.as_deref(), a.content_type.as_str(), a.text.as_deref())).collect();
    assert_eq!(
        files,
        [
            (Some("partieé.pgn"), "application/octet-stream", Some("1. d4 *\n")),
            (Some("note.txt"), "text/plain", Some("1. e4")),
            (Some("../a b.png"), "image/png", None),
            (None, "application/octet-stream", None),
            (None, "message/rfc822", None),
        ]
    );
}

#[test]
fn a_chess_game_has_its_text_under_any_type_name_disposition_and_encoding() {
    for part in [
        "Content-Type: application/x-chess-pgn\n\n1. d4 *",
        "Content-Type: Application/X-Chess-PGN; name=\"a b.pgn\"\nContent-Transfer-Encoding: base64\n\nMS4gZDQgKg==",
        "Content-Type: application/x-chess\nContent-Disposition: inline\n\n1. d4 *",
        "Content-Type: application/vnd.chess-pgn\nContent-Disposition: attachment\n\n1. d4 *",
        "Content-Type: text/x-chess\nContent-Disposition: inline\n\n1. d4 *",
        "Content-Type: text/plain; name=game.PGN\n\n1. d4 *",
        "Content-Type: text/plain\nContent-Disposition: inline; filename=game.pgn\n\n1. d4 *",
        "Content-Type: text/plain\nContent-Disposition: attachment; filename*0=ga; filename*1=me.pgn\n\n1. d4 *",
        "Content-Type: application/octet-stream; name=\"=?utf-8?q?g=C3=A4me=2Epgn?=\"\n\n1. d4 *",
        "Content-Type: image/png; name=x.pgn\nContent-Transfer-Encoding: quoted-printable\n\n1.=20d4 =\n*",
        "Content-Type: application/x-chess-pgn; charset=utf-16\nContent-Transfer-Encoding: base64\n\nMQAuACAAZAA0ACAAKgA=",
    ] {
        let file = only_file(part);
        assert!(file.is_pgn(), "{part}");
        assert_eq!(file.text.as_deref().map(str::trim), Some("1. d4 *"), "{part}");
    }
}

#[test]
fn other_files_are_no_chess_games() {
    for part in [
        "Content-Type: text/plain; name=pgn.txt\n\n1. d4 *",
        "Content-Type: application/octet-stream; name=x.pgn.zip\n\n1. d4 *",
        "Content-Type: image/x-chess\n\n1. d4 *",
    ] {
        assert!(!only_file(part).is_pgn(), "{part}");
    }
}

#[test]
fn what_programs_attach_by_themselves_has_no_text() {
    for part in [
        "Content-Type: application/pgp-signature; name=signature.asc\n\n-----BEGIN PGP SIGNATURE-----\n5254",
        "Content-Type: text/x-vcard; name=mila.vcf\n\nTEL:5254",
        "Content-Type: application/pdf; name=x.pdf\n\n%PDF-1.4 5254",
        "Content-Type: application/octet-stream; name=x\n\n%PDF-1.4 5254",
        "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\neJ8+IgAB",
        "Content-Type: image/jpeg\nContent-ID: <x>\n\n5254",
        "Content-Type: message/rfc822; name=old.pgn\n\nSubject: old\n\n5254",
    ] {
        assert_eq!(only_file(part).text, None, "{part}");
    }
}

#[test]
fn text_after_a_file_is_still_the_letter() {
    let mail = with_parts(&[
        "\n10. 5254",
        "Content-Type: application/x-chess-pgn; name=a.pgn\n\n1. d4 *",
        "Content-Type: text/plain\nContent-Disposition: inline\n\nGreetings",
    ]);
    assert_eq!(mail.plain.as_deref(), Some("10. 5254\nGreetings"));
    assert_eq!(mail.attachments.len(), 1);
}

#[test]
fn a_large_picture_does_not_keep_a_short_letter_from_being_read() {
    let picture = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAx\n".repeat(60_000);
    for kind in ["image/jpeg", "application/octet-stream", "text/plain"] {
        let part = format!("Content-Type: {kind}; name=photo\nContent-Transfer-Encoding: base64\n\n{picture}");
        let mail = with_parts(&["\n10. 5254", &part]);
        assert_eq!(mail.plain.as_deref(), Some("10. 5254"));
        assert_eq!(mail.attachments[0].text, None, "{kind}");
    }
    let letter = format!("From: a@example.org\n\n{picture}");
    assert_eq!(parse(letter.as_bytes()).unwrap_err(), MessageError::TooMuchText);
}
