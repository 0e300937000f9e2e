//! What programs and providers write below a letter, in many languages: phones, anti-virus programs, lists, advertising.
//! Only tables and their matching.
//!
//! Collected from what programs write; in lower case and in the spelling of `text`. Such lines have numbers that look
//! like moves: phone models, versions, data bases.
//! What will surprise you: a line that names a phone is a footer only if it also says "sent" and has no date.

/// Bytes of the longest line that is compared.
const MAX_LINE: usize = 400;
/// Bytes of the longest line about a phone.
const MAX_PHONE: usize = 120;

/// Program or device follows; phrases that a sentence with a date or a move could begin with are left out.
#[rustfmt::skip]
const PHONE: &[&str] = &[
    "sent from my ", "sent from outlook", "sent from mail for windows", "sent from samsung",
    "sent from yahoo", "sent from proton", "sent via blackberry", "get outlook for ",
    "gesendet von mail", "gesendet mit der ", "diese nachricht wurde von meinem", "envoyé de mon ", "envoyé depuis mon ",
    "envoyé depuis l'application", "envoyé à partir de mon ", "envoyé à partir de outlook",
    "télécharger outlook", "enviado desde mi ", "enviado desde outlook", "enviado desde correo",
    "enviado do meu ", "enviado a partir do", "inviato da outlook", "inviato dal mio ", "scarica outlook",
    "verzonden vanaf mijn ", "verstuurd vanaf mijn ", "skickat från min ", "sendt fra min ", "wysłane z mojego ",
    "odesláno z mého ", "odoslané z môjho ", "отправлено с моего ", "отправлено из мобильной", "küldve az ", "trimis de pe ",
    "poslano s mog ", "発自我的", "发自我的", "傳自我的", "從我的", "私のiphone", "나의 iphone",
];

/// Says that the line speaks of sending ...
#[rustfmt::skip]
const SENT: &[&str] = &[
    "sent ", "gesendet", "geschickt", "verschickt", "geschrieben", "envoyé", "enviado", "enviada", "inviato", "inviata", "verzonden", "verstuurd",
    "skickat", "sänt ", "sendt", "lähetetty", "wysłan", "odeslán", "odoslan", "отправлен", "послано", "надіслано", "küldve",
    "küldött", "trimis", "gönderildi", "στάλθηκε", "poslano", "送信", "发自", "發自", "傳送", "보냄", "보낸",
];

/// ... and from what.
#[rustfmt::skip]
const DEVICE: &[&str] = &[
    "iphone", "ipad", "ipod", "nokia", "samsung", "galaxy", "huawei", "honor", "xiaomi", "redmi", "android", "blackberry",
    "htc", "sony", "ericsson", "motorola", "siemens", "oneplus", "oppo", "lumia", "windows phone", "windows mail", "palm",
    "treo", "smartphone", "handy", "mobil", "móvil", "celular", "cellulare", "telefon", "teléfono", "téléphone", "puhelim",
    "tablet", "телефон", "смартфон", "-app", " app", "outlook", "mail.ru", "yahoo mail", "手机", "スマートフォン",
];

/// Parts of lines that anti-virus programs append.
#[rustfmt::skip]
const ANTI_VIRUS: &[&str] = &[
    "no virus found in this", "no viruses found in this", "checked by avg", "virus database", "virus-free.", "virus free.",
    "checked for virus", "this email has been scanned", "this message has been scanned", "email was scanned by",
    "free from viruses", "scanned by avast", "scanned for viruses", "virus signature database", "outbound message clean",
    "inbound message clean", "tested on:", "scanned by norton", "scanned by mcafee", "checked by eset", "eset nod32", "by kaspersky",
    "von avast", "auf viren geprüft", "auf viren überprüft", "keine viren in dieser", "es wurden keine viren", "virenfrei", "virendatenbank", "virusdatenbank",
    "vérifié par avg", "aucun virus trouvé", "analyse virale", "base de données virale", "contre les virus", "absence de virus",
    "se encontraron virus", "que el correo no contiene", "base de datos de virus", "libre de virus", "ricerca di virus",
    "nessun virus nel", "controllato da avg", "database dei virus", "privo di virus", "nenhum vírus", "banco de dados de vírus", "livre de vírus",
    "gecontroleerd door avg", "op virussen gecontroleerd", "virusvrij", "inga virus i detta", "virusfri", "virusdatabas", "ingen virus fundet",
    "viruksia ei löytynyt", "virustietokanta", "znaleziono wirusów", "sprawdzono program", "baza wirusów", "nebyly nalezeny viry", "neobsahuje viry",
    "virová databáze", "zkontrolováno antivir", "nem található vírus", "vírusmentes", "vírus-adatbázis", "антивирус", "на вирусы", "без вирусов",
    "база данных вирусов", "ウイルスチェック", "ウイルスは検出",
];

/// Parts of lines that lists and providers append.
#[rustfmt::skip]
const LISTS: &[&str] = &[
    "to unsubscribe", "unsubscribe:", "list-unsubscribe", "mailing list -", "yahoo! groups links", "yahoo! groups sponsor",
    "your use of yahoo! groups", "do you yahoo!?", "get your free email", "get your free e-mail", "get your own free email",
    "get your private, free", "get free email", "free email at", "free web-based e-mail", "join msn", "msn messenger", "msn hotmail", "windows live hotmail",
    "express yourself instantly", "powered by telstra", "kostenlose e-mail", "kostenlos e-mail", "gmx freemail", "gmx - ", "web.de freemail",
    "jetzt kostenlos testen", "um sich abzumelden", "zum abmelden", "pour vous désabonner", "se désinscrire", "pour se désinscrire",
    "découvrez yahoo", "créez gratuitement", "para cancelar su suscripción", "correo yahoo!", "para darse de baja",
    "per cancellarsi", "per disiscriverti", "para cancelar a sua inscrição", "avsluta prenumeration", "avmelding", "för att avregistrera",
    "aby wypisać się", "pro odhlášení", "leiratkozás", "отписаться", "poczta onet", "poczta wp", "consider the environment before printing",
    "disclaimer:", "this e-mail and any attachments", "this email and any attachments", "this message is intended only for",
];

fn lower(line: &str) -> Option<String> {
    let line = line.trim();
    (line.len() <= MAX_LINE).then(|| line.to_lowercase())
}

/// "Sent from my iPhone" and the like.
pub(super) fn is_phone_signature(line: &str) -> bool {
    let Some(line) = lower(line).filter(|line| line.len() <= MAX_PHONE) else {
        return false;
    };
    if PHONE.iter().any(|phrase| line.starts_with(phrase)) {
        return true;
    }
    // "I never sent that, my phone lay at home": a program writes one clause
    let begins_with_word = line.starts_with(char::is_alphabetic) && !line.contains(',');
    let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
    begins_with_word && !has_date(&line) && has(SENT) && has(DEVICE)
}

/// Two numbers with a point, stroke or dash between them; a version has more of them, but no phone gives one.
fn has_date(line: &str) -> bool {
    line.as_bytes().windows(3).any(
        |window| matches!(window, [left, b'.' | b'/' | b'-', right] if left.is_ascii_digit() && right.is_ascii_digit()),
    ) || line.split_whitespace().any(|word| word.ends_with('.') && word.starts_with(|c: char| c.is_ascii_digit()))
}

/// A line that begins what an anti-virus program, a list or a provider appended.
pub(super) fn is_footer(line: &str) -> bool {
    lower(line).is_some_and(|line| ANTI_VIRUS.iter().chain(LISTS).any(|phrase| line.contains(phrase)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phones_are_named_in_many_languages_with_numbers_like_moves() {
        for line in [
            "Sent from my Nokia 6233",
            "Von meinem Nokia 6233 gesendet",
            "Gesendet von meinem Samsung Galaxy 5254",
            "Mit meinem Handy geschrieben",
            "Envoyé de mon iPhone",
            "Enviado desde mi Nokia 6233",
            "Enviado do meu iPhone",
            "Inviato da Nokia 6233",
            "Verzonden met mijn Nokia 6233",
            "Skickat från Nokia 6233",
            "Sendt fra Nokia 6233",
            "Lähetetty Nokia 6233 -puhelimesta",
            "Wysłane z telefonu Nokia 6233",
            "Odesláno z Nokia 6233",
            "Nokia 6233 készülékről küldve",
            "Отправлено с Nokia 6233",
            "Надіслано з iPhone",
            "iPhone 6233 から送信",
            "发自我的 iPhone",
            "나의 iPhone에서 보냄",
            "iPhone'umdan gönderildi",
            "Στάλθηκε από το iPhone μου",
            "Trimis de pe iPhone",
        ] {
            assert!(is_phone_signature(line), "{line}");
        }
        for line in [
            "Sent 12.5. by mobile",
            "lähetetty 27. helmikuuta 3234",
            "10. 5254 sent from my phone",
            "Sent by post",
            "Gesendet 26.10. vom Handy, 2 Tage",
            "My phone is 6233",
            "I never sent that, my phone lay at home all day",
        ] {
            assert!(!is_phone_signature(line), "{line}");
        }
    }

    #[test]
    fn virus_programs_lists_and_advertising_are_known() {
        for line in [
            "Version: 7.5.432 / Virus Database: 268.17.12/655 - Release Date: 28.01.2007",
            "Diese E-Mail wurde von Avast Antivirus-Software auf Viren geprüft.",
            "__________ Information from ESET NOD32 Antivirus, version of virus signature database 4352 (20090826) __________",
            "avast! Antivirus: Outbound message clean.",
            "Outgoing mail is certified Virus Free.",
            "Нет вирусов: проверено антивирусом",
            "Do You Yahoo!?",
            "To unsubscribe from this group, send an email to x@example.org",
        ] {
            assert!(is_footer(line), "{line}");
        }
        for line in ["10. 5254", "My computer had a virus, sorry for the delay.", "Version 2 of my move: 5254"] {
            assert!(!is_footer(line), "{line}");
        }
    }
}
