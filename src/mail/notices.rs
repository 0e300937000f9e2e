//! The sentences that mailers put where a text should be: "your program does not show HTML".
//!
//! In every language they name the form that the letter has. A text with a digit, or one that goes on, is no notice: it may hold words
//! of the sender.

/// Bytes of the longest notice.
const MAX_LENGTH: usize = 500;
/// What they name, in lower case.
const FORMS: [&str; 6] = ["html", "mime", "multipart", "multi-part", "plain text", "your browser"];

/// Whether a normalised text only says that the real text is elsewhere.
pub(super) fn is_notice(text: &str) -> bool {
    let text = text.trim();
    if text.len() > MAX_LENGTH || text.contains(|character: char| character.is_ascii_digit()) {
        return false;
    }
    let text = text.to_lowercase();
    FORMS.iter().any(|form| text.contains(form))
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
            "Dit bericht is in HTML opgemaakt. Open het in een programma dat HTML kan weergeven.",
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
            "Forget the move below.",
            &format!("no plain text{}", " x".repeat(300)),
        ] {
            assert!(!is_notice(text), "{text}");
        }
    }
}
