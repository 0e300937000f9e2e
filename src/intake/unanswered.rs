//! What a repeat says before the move that it gives once more: that no answer came. It denies no move.

use crate::mail::message::IncomingMessage;

/// Words by which a repeat says that no answer came, or why, in lower case: they deny no move.
const NO_ANSWER: [&str; 32] = [
    "did you get my",
    "did you receive my",
    "zug bekommen",
    "zug erhalten",
    "no answer",
    "no reply",
    "not answered",
    "not replied",
    "not heard",
    "not received",
    "haven't answered",
    "haven't heard",
    "haven't received",
    "once more",
    "was lost",
    "got lost",
    "verloren gegangen",
    "keine antwort",
    "nicht geantwortet",
    "nichts gehört",
    "noch einmal",
    "pas de réponse",
    "pas répondu",
    "pas reçu",
    "encore une fois",
    "sin respuesta",
    "no he recibido",
    "una vez más",
    "nessuna risposta",
    "non ho ricevuto",
    "não recebi",
    "нет ответа",
];

/// The mail without the sentences that say so; `None` where there is none, or a number of digits stands in one.
pub fn without_no_answer(message: &IncomingMessage) -> Option<IncomingMessage> {
    let plain = message.plain.as_deref().map(cut);
    let html = message.html.as_deref().map(cut);
    let is_changed = plain != message.plain || html != message.html;
    is_changed.then(|| IncomingMessage { plain, html, ..message.clone() })
}

/// A text without such sentences; of one that ends its line the end stays.
pub fn cut(text: &str) -> String {
    let says_so = |part: &str| {
        let lower = part.to_lowercase();
        !part.contains(|c: char| c.is_ascii_digit()) && NO_ANSWER.iter().any(|words| lower.contains(words))
    };
    let parts = text.split_inclusive(['.', '!', ':', '\n']);
    parts.map(|part| if says_so(part) { if part.ends_with('\n') { "\n" } else { "" } } else { part }).collect()
}
