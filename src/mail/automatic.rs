//! Whether a mail was written by a program: bounces, absence notes, lists, notifications (RFC 3834, 2; RFC 2919; RFC 3462).
//!
//! Pure: the header, the type of the whole, the sender and the subject. Says what it saw, and whether that is certain: a
//! mailing service adds `Precedence` or `List-` fields to a person's own letter too, and a person may write any subject.
//! What will surprise you: a subject counts only at its very start, because the answer to an absence note quotes it.

use std::fmt;

use super::headers::Headers;
use super::sender::Sender;

/// Why a mail counts as written by a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Automatic {
    /// `Auto-Submitted` other than `no`.
    AutoSubmitted,
    /// A delivery or other report.
    Report,
    /// `X-Autoreply` and its relatives, or the precedence `auto_reply`.
    AutoReply,
    /// `Precedence` bulk, list or junk.
    Precedence,
    /// A `List-` field.
    List,
    /// `Return-Path: <>`: a bounce or a notice.
    EmptyReturnPath,
    /// `X-Auto-Response-Suppress`.
    ResponsesSuppressed,
    /// The subject begins as that of an absence note.
    AbsenceNote,
    /// The sender is a mail server's own or a no-reply address.
    NobodysAddress,
}

impl Automatic {
    /// Whether no person's letter can carry this mark.
    pub fn is_certain(self) -> bool {
        match self {
            Self::AutoSubmitted | Self::Report | Self::AutoReply => true,
            Self::Precedence
            | Self::List
            | Self::EmptyReturnPath
            | Self::ResponsesSuppressed
            | Self::AbsenceNote
            | Self::NobodysAddress => false,
        }
    }
}

impl fmt::Display for Automatic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::AutoSubmitted => "it is marked Auto-Submitted",
            Self::Report => "it is a delivery report",
            Self::AutoReply => "it is marked as an automatic reply",
            Self::Precedence => "its Precedence is that of bulk mail",
            Self::List => "it comes from a mailing list",
            Self::EmptyReturnPath => "its return path is empty, as in bounces and notices",
            Self::ResponsesSuppressed => "it asks for no automatic responses (X-Auto-Response-Suppress)",
            Self::AbsenceNote => "its subject is that of an absence note",
            Self::NobodysAddress => "its sender is an address that nobody reads",
        })
    }
}

/// Fields that only programs answering mail write.
const ANSWERING: [&str; 7] = [
    "x-autoreply",
    "x-autorespond",
    "x-auto-reply",
    "x-autoresponder",
    "x-autoreply-from",
    "x-mail-autoreply",
    "x-vacation",
];

/// The surest sign that a program wrote the mail, if there is one.
pub(super) fn of(headers: &Headers, root_type: &str, from: Option<&Sender>, subject: &str) -> Option<Automatic> {
    let word = |value: &str| value.split([';', '(']).next().unwrap_or_default().trim().to_ascii_lowercase();
    let precedence = |words: &[&str]| headers.all("precedence").any(|value| words.contains(&word(value).as_str()));
    let is_answer = precedence(&["auto_reply"]) || ANSWERING.iter().any(|name| headers.count(name) > 0);
    let checks = [
        (headers.all("auto-submitted").any(|value| word(value) != "no"), Automatic::AutoSubmitted),
        (root_type == "multipart/report", Automatic::Report),
        (is_answer, Automatic::AutoReply),
        (precedence(&["bulk", "list", "junk"]), Automatic::Precedence),
        (headers.any_name_starts_with("list-"), Automatic::List),
        (headers.all("return-path").any(|value| value.replace([' ', '\t'], "") == "<>"), Automatic::EmptyReturnPath),
        (headers.count("x-auto-response-suppress") > 0, Automatic::ResponsesSuppressed),
        (is_absence_note(subject), Automatic::AbsenceNote),
        (from.is_some_and(|sender| is_nobodys(sender.address.local())), Automatic::NobodysAddress),
    ];
    checks.into_iter().find_map(|(applies, reason)| applies.then_some(reason))
}

/// How mail programs begin the subject of an absence note; accents and case do not matter.
#[rustfmt::skip]
const ABSENCE_NOTES: &[&str] = &[
    "out of office", "out-of-office", "automatic reply", "automated reply", "automatic response", "automated response",
    "auto reply", "auto-reply", "autoreply", "auto response", "auto-response", "vacation reply",
    "abwesenheitsnotiz", "abwesenheitsnachricht", "abwesenheitsbenachrichtigung", "automatische antwort",
    "réponse automatique", "message d'absence", "absence du bureau", "absent du bureau",
    "respuesta automática", "fuera de la oficina", "fuera de oficina", "risposta automatica", "fuori sede",
    "fuori ufficio", "resposta automática", "fora do escritório", "fora de l'oficina", "automatisch antwoord",
    "automatische beantwoording", "automatische reactie", "afwezigheidsbericht", "autosvar", "automatiskt svar",
    "automatisk svar", "frånvaromeddelande", "fraværsmelding", "fraværsbesked", "poissaolo", "automaattinen vastaus",
    "automatyczna odpowiedź", "odpowiedź automatyczna", "autoodpowiedź", "automatická odpověď", "automatická odpoveď",
    "mimo kancelář", "automatikus válasz", "házon kívül", "răspuns automat", "automatski odgovor", "samodejni odgovor",
    "автоответ", "автоматический ответ", "автоматична відповідь", "автоматичен отговор", "αυτόματη απάντηση",
    "otomatik yanıt", "automaatvastus", "automatinis atsakymas", "automātiska atbilde", "sjálfvirkt svar",
    "自動返信", "自動応答", "不在通知", "自动回复", "自動回覆", "자동 회신",
];

fn is_absence_note(subject: &str) -> bool {
    let plain = |text: &str| deunicode::deunicode(text).to_lowercase();
    let subject = plain(subject.trim_start_matches(|character: char| !character.is_alphanumeric()));
    ABSENCE_NOTES.iter().any(|note| subject.starts_with(plain(note).trim_end()))
}

/// The local part of a mail server (RFC 5321, 4.5.1; RFC 2142) or of an address that takes no answer.
fn is_nobodys(local: &str) -> bool {
    let word: String = local.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    ["mailerdaemon", "noreply", "donotreply"].iter().any(|start| word.starts_with(start))
        || ["postmaster", "maildaemon", "bounce", "bounces", "autoreply", "notification", "notifications"]
            .contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absence_notes_of_many_languages_are_known_by_their_subject() {
        for subject in [
            "Abwesenheitsnotiz: EM/ZZ/042",
            "Out of Office: Re: EM/ZZ/042",
            "[Auto-Reply] EM/ZZ/042",
            "RÉPONSE AUTOMATIQUE : EM/ZZ/042",
            "Reponse automatique : EM/ZZ/042",
            "Respuesta automática: EM/ZZ/042",
            "Fuera de la oficina",
            "Risposta automatica: EM/ZZ/042",
            "Resposta automática: EM/ZZ/042",
            "Automatisch antwoord: EM/ZZ/042",
            "Autosvar: EM/ZZ/042",
            "Poissaolo: EM/ZZ/042",
            "Automatyczna odpowiedź: EM/ZZ/042",
            "Automatická odpověď: EM/ZZ/042",
            "Автоответ: EM/ZZ/042",
            "自動返信: EM/ZZ/042",
        ] {
            assert!(is_absence_note(subject), "{subject}");
        }
        for subject in ["Re: Out of office: EM/ZZ/042", "EM/ZZ/042", "", "Autumn move", "My office is out of moves"] {
            assert!(!is_absence_note(subject), "{subject}");
        }
    }

    #[test]
    fn addresses_of_servers_and_notifiers_are_nobodys() {
        for local in ["MAILER-DAEMON", "postmaster", "no-reply", "noreply+game", "do_not_reply", "notifications"] {
            assert!(is_nobodys(local), "{local}");
        }
        for local in ["mila.ostrander", "reply", "nora", "daemon.lindqvist"] {
            assert!(!is_nobodys(local), "{local}");
        }
    }

    #[test]
    fn only_marks_that_no_letter_carries_are_certain() {
        let sign = |header: &str, root: &str| of(&Headers::read(header.as_bytes()), root, None, "EM/ZZ/042");
        for (header, root) in [
            ("Auto-Submitted: auto-replied", "text/plain"),
            ("X-Autoreply: yes\nPrecedence: bulk", "text/plain"),
            ("Precedence: auto_reply", "text/plain"),
            ("Return-Path: <>", "multipart/report"),
        ] {
            assert!(sign(header, root).unwrap().is_certain(), "{header}");
        }
        for header in
            ["Precedence: bulk", "List-Id: <x.example.org>", "Return-Path: < >", "X-Auto-Response-Suppress: All"]
        {
            assert!(!sign(header, "text/plain").unwrap().is_certain(), "{header}");
        }
        assert_eq!(sign("Auto-Submitted: no (a comment)", "text/plain"), None);
    }
}
