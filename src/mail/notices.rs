//! The sentences that mailers put where a text should be: "your program does not show HTML". Only a table and its matching.
//!
//! Collected from what programs write; in lower case and in the spelling of `text`.
//! What will surprise you: a text with a digit, or one that goes on, is no notice; it may hold words of the sender.

/// Bytes of the longest notice.
const MAX_LENGTH: usize = 500;

#[rustfmt::skip]
const NOTICES: &[&str] = &[
    "multi-part message", "multipart message", "multi-part mime", "multipart mime", "mime-encoded", "mime encoded message",
    "message in mime format", "mime format message", "mime-aware", "mime-capable", "mime compliant", "in mime-format",
    "not support html", "n't support html", "not display html", "n't display html", "not show html", "n't show html",
    "cannot display html", "can't read html", "cannot read html", "cannot view html", "unable to display html",
    "unable to view html", "unable to read html", "not support the display of html", "html-capable", "html capable",
    "html-enabled", "html enabled", "html-compatible", "html compatible", "requires html", "message is in html", "mail is in html",
    "message in html format", "message contains html", "html version of this", "html-only", "html only message",
    "no plain text", "not contain plain text", "client cannot read this", "view this email in your browser",
    "view this message in your browser", "unterstützt kein html", "unterstützt html nicht", "kann kein html", "zeigt kein html",
    "html nicht darstellen", "html nicht anzeigen", "kein html darstellen", "kein html anzeigen", "html-format",
    "html-nachricht", "html-fähig", "mehrteilige nachricht", "mime-format", "supporte pas le html", "supporte pas html",
    "prend pas en charge le html", "affiche pas le html", "afficher le html", "afficher du html", "format html", "au format mime",
    "message en plusieurs parties", "no soporta html", "no admite html", "no muestra html", "mostrar html", "formato html",
    "formato mime", "mensaje multiparte", "non supporta html", "non supporta l'html", "non visualizza html",
    "visualizzare html", "não suporta html", "não exibe html", "nao suporta html", "ondersteunt geen html", "geen html weergeven",
    "html-indeling", "html-formaat", "stöder inte html", "stödjer inte html", "visa html", "html-format", "understøtter ikke html",
    "støtter ikke html", "vise html", "ei tue html", "html-muoto", "nie obsługuje html", "nie obsługuje formatu", "formacie html",
    "formacie mime", "nepodporuje html", "formátu html", "nem támogatja a html", "html formátum", "не поддерживает html",
    "формате html", "формате mime", "html desteklem", "htmlメール", "html形式", "htmlに対応", "mime形式",
];

/// Whether a normalised text only says that the real text is elsewhere.
pub(super) fn is_notice(text: &str) -> bool {
    let text = text.trim();
    if text.len() > MAX_LENGTH || text.contains(|character: char| character.is_ascii_digit()) {
        return false;
    }
    let text = text.to_lowercase();
    NOTICES.iter().any(|notice| text.contains(notice))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_of_mailers_are_known() {
        for text in [
            "This is a multi-part message in MIME format.",
            "Your mail client does not support HTML messages.\n\nPlease use another one.",
            "Ihr Mailprogramm unterstützt kein HTML.",
            "Votre messagerie ne supporte pas le HTML.",
            "Su programa de correo no soporta HTML",
            "Il tuo programma di posta non supporta HTML.",
            "Uw mailprogramma ondersteunt geen HTML",
            "Din e-postklient stöder inte HTML",
            "Ваша почтовая программа не поддерживает HTML",
            "このメールはHTML形式です。",
        ] {
            assert!(is_notice(text), "{text}");
        }
    }

    #[test]
    fn words_of_a_person_are_no_notice() {
        for text in [
            "Your program does not support HTML. 10. 5254",
            "I resign.",
            "",
            "I like MIME.",
            &format!("no plain text{}", " x".repeat(300)),
        ] {
            assert!(!is_notice(text), "{text}");
        }
    }
}
