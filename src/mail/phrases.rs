//! The words by which mail programs in many languages mark what is not the sender's own: attributions, the head of an
//! unmarked quotation, forwarded mail, phone signatures, anti-virus footers. Only tables and their matching.
//!
//! Collected from what programs write, not from grammar. All phrases are in lower case and in the spelling of `text`
//! (ASCII quotation marks and dashes). Lines longer than [`MAX_LINE`] match nothing, which keeps the work linear.
//! What will surprise you: a match alone decides little; `quote` weighs it with what follows the line.

/// Characters of the longest line (or wrapped pair) that is compared.
const MAX_LINE: usize = 400;

/// What comes last, or before the name, in "On ... NN wrote:".
#[rustfmt::skip]
const WROTE: &[&str] = &[
    "wrote", "writes", "schrieb", "schreibt", "geschrieben", "a écrit", "a ecrit", "écrivait", "escribió",
    "escribio", "ha scritto", "scrisse", "escreveu", "schreef", "geschreven", "skrev", "kirjoitti", "napisał",
    "napisal", "pisze", "napsal", "napísal", "пишет", "писал", "написал", "пише", "írta", "irta", "a scris",
    "yazdı", "έγραψε", "書きました", "のメール", "写道", "寫道", "va escriure", "skrifaði", "написа", "rašė", "kirjutas",
    "rakstīja", "je napisao", "je napisala", "je pisao",
];

/// How an attribution begins that a mailer wrapped, before the date.
#[rustfmt::skip]
const OPENERS: &[&str] = &[
    "on", "am", "le", "el", "il", "em", "op", "den", "w dniu", "dnia", "dne", "dňa", "at", "in", "pe",
    "el dia", "el día", "il giorno", "no dia", "в", "vào", "kl", "päivämäärä",
];

/// Between dashes: the head of an unmarked quotation, or of a forwarded mail.
#[rustfmt::skip]
const SEPARATORS: &[&str] = &[
    "original message", "original-message", "originalmessage", "ursprüngliche nachricht",
    "urspruengliche nachricht", "original-nachricht", "originalnachricht", "original nachricht",
    "message d'origine", "message original", "message initial", "mensaje original", "messaggio originale",
    "mensagem original", "oorspronkelijk bericht", "origineel bericht", "ursprungligt meddelande",
    "originalmeddelande", "oprindelig meddelelse", "oprindelig besked", "original besked",
    "original meddelelse", "opprinnelig melding", "alkuperäinen viesti", "wiadomość oryginalna",
    "oryginalna wiadomość", "wiadomość pierwotna", "původní zpráva", "pôvodná správa", "исходное сообщение",
    "оригинальное сообщение", "eredeti üzenet", "mesaj original", "original ileti", "元のメッセージ", "原始邮件",
    "forwarded message", "forwarded mail", "weitergeleitete nachricht", "message transféré",
    "message réexpédié", "mensaje reenviado", "messaggio inoltrato", "mensagem encaminhada",
    "mensagem reencaminhada", "doorgestuurd bericht", "vidarebefordrat meddelande", "videresendt besked",
    "videresendt melding", "välitetty viesti", "przekazana wiadomość", "wiadomość przekazana",
    "přeposlaná zpráva", "пересылаемое сообщение", "továbbított üzenet", "転送メッセージ",
];

/// The same without dashes, as Apple writes it.
#[rustfmt::skip]
const FORWARD_HEADS: &[&str] = &[
    "begin forwarded message", "anfang der weitergeleiteten nachricht", "début du message réexpédié",
    "début du message transféré", "inizio messaggio inoltrato", "inicio del mensaje reenviado",
    "início da mensagem reencaminhada", "begin doorgestuurd bericht", "vidarebefordrat brev",
    "начало переадресованного сообщения",
];

/// Labels of the head of an unmarked quotation: the author's ...
#[rustfmt::skip]
const FROM_LABELS: &[&str] = &[
    "from", "von", "de", "da", "van", "från", "fra", "lähettäjä", "od", "от", "feladó", "from:", "差出人", "发件人",
    "kimden", "de la", "saatja",
];
/// ... and the others.
#[rustfmt::skip]
const OTHER_LABELS: &[&str] = &[
    "sent", "date", "to", "cc", "subject", "gesendet", "datum", "an", "betreff", "kopie", "envoyé",
    "envoyé le", "à", "a", "objet", "enviado", "enviado el", "enviada", "enviada em", "enviado em", "fecha",
    "para", "asunto", "inviato", "data", "oggetto", "assunto", "verzonden", "aan", "onderwerp", "skickat",
    "till", "ämne", "sendt", "til", "emne", "lähetetty", "päiväys", "vastaanottaja", "aihe", "wysłano", "do",
    "temat", "odesláno", "komu", "předmět", "отправлено", "дата", "кому", "тема", "küldve", "címzett",
    "tárgy", "送信日時", "宛先", "件名", "日時",
];

/// Program or device follows; phrases that a sentence with a date or a move could begin with are left out.
#[rustfmt::skip]
const PHONE: &[&str] = &[
    "sent from my ", "sent from outlook", "sent from mail for windows", "sent from samsung",
    "sent from yahoo", "sent from proton", "sent via blackberry", "get outlook for ", "von meinem iphone",
    "von meinem ipad", "von meinem samsung", "von meinem android", "von meinem smartphone",
    "von meinem handy", "von meinem mobil", "gesendet von mail", "gesendet von meine", "gesendet von iphone",
    "gesendet mit der ", "diese nachricht wurde von meinem", "envoyé de mon ", "envoyé depuis mon ",
    "envoyé depuis l'application", "envoyé à partir de mon ", "envoyé à partir de outlook",
    "télécharger outlook", "enviado desde mi ", "enviado desde outlook", "enviado desde correo",
    "enviado do meu ", "enviado a partir do", "inviato da iphone", "inviato da ipad", "inviato da smartphone",
    "inviato da outlook", "inviato dal mio ", "scarica outlook", "verzonden vanaf mijn ",
    "verstuurd vanaf mijn ", "skickat från min ", "sendt fra min ", "lähetetty iphone", "lähetetty android",
    "lähetetty samsung", "wysłane z iphone", "wysłane z mojego ", "odesláno z iphone", "odesláno z mého ",
    "odoslané z môjho ", "отправлено с iphone", "отправлено с моего ", "отправлено из мобильной",
    "küldve az ", "trimis de pe ", "iphoneから送信", "私のiphone",
];

#[rustfmt::skip]
const ANTI_VIRUS: &[&str] = &[
    "no virus found in this", "no viruses found in this", "checked by avg", "virus database:", "virus-free.",
    "this email has been checked for virus", "this email has been scanned", "this message has been scanned",
    "this email is free from viruses", "scanned by avast", "scanned for viruses", "wurde von avast",
    "auf viren geprüft", "keine viren in dieser", "eingehende mail ist virenfrei",
    "ausgehende mail ist virenfrei", "virenfrei.", "vérifié par avg", "aucun virus trouvé", "analyse virale",
    "a été vérifié par", "no se encontraron virus", "se certificó que el correo",
    "nessun virus nel messaggio", "controllato da avg", "nenhum vírus encontrado", "gecontroleerd door avg",
    "inga virus i detta", "nie znaleziono wirusów", "проверено антивирусом", "проверено на вирусы",
];

/// The line in lower case, unless it is too long to be a phrase.
fn lower(line: &str) -> Option<String> {
    let line = line.trim();
    (line.len() <= MAX_LINE).then(|| line.to_lowercase())
}

/// Whether the line says who wrote what follows and ends in a colon.
pub(super) fn is_attribution(line: &str) -> bool {
    let Some(line) = lower(line) else {
        return false;
    };
    let Some(words) = line.strip_suffix(':') else {
        return false;
    };
    WROTE.iter().any(|wrote| {
        words.rsplit_once(wrote).is_some_and(|(before, after)| {
            // "rewrote" is no attribution; scripts without blanks between words have none to ask for.
            let begins_word = !wrote.is_ascii() || !before.ends_with(|last: char| last.is_alphanumeric());
            // A sentence that goes on is none either; dates and addresses may follow.
            begins_word && (!after.contains([',', '?', '!']) || after.contains(['@', '(']))
        })
    })
}

/// Whether an attribution has what a sentence about an earlier mail hardly has: an address, a time of day, or the date
/// at its beginning. Without quote marks after it, only such a line is believed.
pub(super) fn is_certain_attribution(line: &str) -> bool {
    let has_time = line
        .as_bytes()
        .windows(3)
        .any(|window| matches!(window, [hour, b':', minute] if hour.is_ascii_digit() && minute.is_ascii_digit()));
    has_time
        || line.contains('@')
        || line.trim_start().starts_with(|first: char| first.is_ascii_digit())
        || opens_attribution(line)
}

/// Whether a (wrapped) attribution begins here: an opening word, a day soon after it.
pub(super) fn opens_attribution(line: &str) -> bool {
    let Some(line) = lower(line) else {
        return false;
    };
    let has_day = |rest: &str| rest.split_whitespace().take(3).any(|word| word.contains(|c: char| c.is_ascii_digit()));
    line.len() >= 20
        && OPENERS
            .iter()
            .any(|opener| line.strip_prefix(opener).is_some_and(|rest| rest.starts_with(' ') && has_day(rest)))
}

/// The head of GroupWise's unmarked quotation: ">>> Nora <nora@example.org> 24.10.2004 20:02 >>>", its beginning optional.
pub(super) fn is_groupwise_head(line: &str) -> bool {
    let line = line.trim();
    line.len() <= MAX_LINE && line.strip_suffix(">>>").is_some_and(is_certain_attribution)
}

/// A line as Outlook draws it above the head of an unmarked quotation.
pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 10 && line.bytes().all(|byte| byte == b'_')
}

/// Whether the line is the head of an unmarked quotation or of forwarded mail.
pub(super) fn is_separator(line: &str) -> bool {
    let Some(line) = lower(line) else {
        return false;
    };
    if FORWARD_HEADS.contains(&line.trim_end_matches([':', ' '])) {
        return true;
    }
    let inner = line.trim_matches(|character: char| matches!(character, '-' | '_' | '*' | '=' | ' ' | ':'));
    line.starts_with("--") && line.ends_with(['-', ':']) && SEPARATORS.contains(&inner)
}

/// The label of a `Label: value` line, without the asterisks of bold type.
fn label(line: &str) -> Option<String> {
    let (label, _) = lower(line)?.split_once(':').map(|(label, rest)| (label.replace('*', ""), rest.len()))?;
    Some(label.trim().to_owned())
}

/// Whether the line names the author of an unmarked quotation ("Von: ...").
pub(super) fn is_from_label(line: &str) -> bool {
    label(line).is_some_and(|label| FROM_LABELS.contains(&label.as_str()))
}

/// Whether the line is another line of such a head ("Gesendet: ...").
pub(super) fn is_other_label(line: &str) -> bool {
    label(line).is_some_and(|label| OTHER_LABELS.contains(&label.as_str()))
}

/// "Sent from my iPhone" and the like.
pub(super) fn is_phone_signature(line: &str) -> bool {
    lower(line).is_some_and(|line| line.len() <= 120 && PHONE.iter().any(|phrase| line.starts_with(phrase)))
}

/// A line that an anti-virus program appended.
pub(super) fn is_anti_virus(line: &str) -> bool {
    lower(line).is_some_and(|line| ANTI_VIRUS.iter().any(|phrase| line.contains(phrase)))
}
