//! The words by which mail programs in many languages mark what is not the sender's own: attributions, the head of an
//! unmarked quotation, forwarded mail. Only tables and their matching.
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
    "napisal", "pisze", "napsal", "napísal", "пишет", "писал", "написал", "пише", "написав", "írta", "irta", "a scris",
    "yazdı", "yazmış", "έγραψε", "書きました", "のメール", "写道", "寫道", "写到", "作成", "작성", "썼습니다", "va escriure", "skrifaði",
    "написа", "rašė", "kirjutas", "rakstīja", "je napisao", "je napisala", "je pisao", "napisao je", "napisala je", "piše", "đã viết",
];

/// How an attribution begins that a mailer wrapped, before the date.
#[rustfmt::skip]
const OPENERS: &[&str] = &[
    "on", "am", "le", "el", "il", "em", "op", "den", "d.", "w dniu", "dnia", "dne", "dňa", "dana", "at", "in", "pe", "la", "la data",
    "el dia", "el día", "il giorno", "no dia", "в", "vào", "kl", "päivämäärä", "in a message dated", "στις", "pada",
];

/// How a line begins that names whom it quotes, with an address and without a verb.
const QUOTING: &[&str] =
    &["quoting", "zitat von", "citando", "selon", "cytowanie", "citerar", "citat fra", "citace", "on behalf of"];

/// Whose words follow is not said by one of these: "You wrote:" may open an answer as well as a quotation.
#[rustfmt::skip]
const PRONOUNS: &[&str] = &[
    "you", "i", "we", "he", "she", "they", "as", "who", "what", "if", "du", "sie", "ihr", "ich", "er", "wie", "vous", "tu", "je", "il",
    "elle", "comme", "usted", "yo", "como", "lei", "come", "você", "eu", "u", "jij", "ik", "zoals", "ni", "jag", "som", "jeg", "sinä",
    "minä", "pan", "ja", "вы", "ты", "я",
];

/// Between dashes: the head of an unmarked quotation, or of a forwarded mail.
#[rustfmt::skip]
const SEPARATORS: &[&str] = &[
    "original message", "original-message", "originalmessage", "ursprüngliche nachricht",
    "urspruengliche nachricht", "original-nachricht", "originalnachricht", "original nachricht",
    "message d'origine", "message original", "message initial", "mensaje original", "messaggio originale",
    "mensagem original", "reply message", "initial header", "oorspronkelijk bericht", "origineel bericht", "ursprungligt meddelande",
    "originalmeddelande", "oprindelig meddelelse", "oprindelig besked", "original besked",
    "original meddelelse", "opprinnelig melding", "alkuperäinen viesti", "wiadomość oryginalna",
    "oryginalna wiadomość", "wiadomość pierwotna", "původní zpráva", "pôvodná správa", "исходное сообщение",
    "оригинальное сообщение", "eredeti üzenet", "eredeti levél", "mesaj original", "mesajul original", "original ileti", "orijinal ileti",
    "orijinal mesaj", "özgün ileti", "αρχικό μήνυμα", "izvorna poruka", "originalna poruka", "původní e-mail", "puvodni zprava",
    "оригінальне повідомлення", "вихідне повідомлення", "первоначальное сообщение", "元のメッセージ", "オリジナルメッセージ", "original mail",
    "原始邮件", "原始郵件", "邮件原件", "원본 메시지", "원본 메일", "원본메일", "viestin alku", "oprindelig e-mail", "opprinnelig e-post",
    "forwarded message", "forwarded mail", "weitergeleitete nachricht", "message transféré",
    "message réexpédié", "mensaje reenviado", "messaggio inoltrato", "mensagem encaminhada",
    "mensagem reencaminhada", "doorgestuurd bericht", "vidarebefordrat meddelande", "videresendt besked",
    "videresendt melding", "välitetty viesti", "przekazana wiadomość", "wiadomość przekazana",
    "přeposlaná zpráva", "пересылаемое сообщение", "továbbított üzenet", "továbbított levél", "転送メッセージ", "mesaj redirecționat", "mesaj redirectionat",
    "iletilen ileti", "yönlendirilmiş mesaj", "προωθημένο μήνυμα", "proslijeđena poruka", "переслане повідомлення", "转发的邮件",
    "转发邮件", "轉寄郵件", "전달된 메시지", "preposlaná správa", "edelleen lähetetty viesti",
];

/// The same without dashes, as Apple writes it.
#[rustfmt::skip]
const FORWARD_HEADS: &[&str] = &[
    "begin forwarded message", "anfang der weitergeleiteten nachricht", "début du message réexpédié",
    "début du message transféré", "inizio messaggio inoltrato", "inicio del mensaje reenviado",
    "início da mensagem reencaminhada", "begin doorgestuurd bericht", "vidarebefordrat brev",
    "начало переадресованного сообщения", "comienzo del mensaje reenviado", "inizio del messaggio inoltrato",
    "påbegynd videresendt besked", "start på videresendt besked", "start på videresendt melding", "vidarebefordrat meddelande",
    "välitetty viesti alkaa", "początek przekazywanej wiadomości", "začátek přeposílané zprávy", "začátek přeposlané zprávy",
    "továbbított levél kezdete", "iletilen mesajın başlangıcı", "αρχή προωθημένου μηνύματος", "početak proslijeđene poruke",
    "転送されたメッセージ", "以下是转发的邮件", "下面是被转发的邮件", "전달된 메시지 시작",
];

/// Labels of the head of an unmarked quotation: the author's ...
#[rustfmt::skip]
const FROM_LABELS: &[&str] = &[
    "from", "von", "de", "da", "van", "från", "fra", "lähettäjä", "od", "от", "feladó", "差出人", "发件人", "寄件者", "寄件人",
    "보낸 사람", "보낸사람", "kimden", "gönderen", "de la", "saatja", "από", "šalje", "pošiljatelj", "від", "expéditeur", "absender",
];
/// ... and the others.
#[rustfmt::skip]
const OTHER_LABELS: &[&str] = &[
    "sent", "date", "to", "cc", "subject", "gesendet", "datum", "an", "betreff", "kopie", "envoyé",
    "envoyé le", "à", "a", "objet", "copie à", "répondre à", "reply-to", "enviado", "enviado el", "enviada", "enviada em", "enviado em",
    "fecha", "para", "asunto", "inviato", "data", "oggetto", "ogg", "assunto", "verzonden", "aan", "onderwerp", "skickat", "kopia",
    "till", "ämne", "sendt", "til", "emne", "dato", "kopi", "lähetetty", "päiväys", "päivämäärä", "pvm", "vastaanottaja", "aihe", "kopio",
    "wysłano", "wysłane", "do", "temat", "dw", "odesláno", "odoslané", "komu", "předmět", "predmet", "kopia", "отправлено", "дата",
    "кому", "тема", "копия", "küldve", "elküldve", "dátum", "címzett", "tárgy", "másolatot kap", "送信日時", "送信日", "日付", "宛先",
    "件名", "日時", "发送时间", "发送日期", "日期", "时间", "收件人", "抄送", "主题", "寄件日期", "收件者", "主旨", "보낸 날짜", "보낸날짜",
    "날짜", "받는 사람", "받는사람", "제목", "참조", "gönderildi", "gönderme tarihi", "tarih", "kime", "konu", "στάλθηκε", "ημερομηνία", "προς",
    "θέμα", "trimis", "către", "catre", "subiect", "poslano", "prima", "za", "надіслано", "відправлено", "saadetud", "kellele", "teema",
];

/// The line in lower case, unless it is too long to be a phrase.
fn lower(line: &str) -> Option<String> {
    let line = line.trim();
    (line.len() <= MAX_LINE).then(|| line.to_lowercase())
}

/// Whether the line says who wrote what follows and ends in a colon, or stands between dashes.
pub(super) fn is_attribution(line: &str) -> bool {
    let Some(line) = lower(line) else {
        return false;
    };
    if line.contains(" wrote in message") && line.contains("news:") {
        return true;
    }
    // "---- On Tue, 04 Jun 2019 17:02:00 +0200 Nora wrote ----"
    let between_dashes = line.strip_prefix("---").and_then(|rest| rest.strip_suffix("---"));
    let Some(words) = between_dashes.or_else(|| line.strip_suffix(':')).map(|words| words.trim_matches(['-', ' ']))
    else {
        return false;
    };
    is_said_by_verb(words) || between_dashes.is_none() && is_said_by_address(words)
}

fn is_said_by_verb(words: &str) -> bool {
    WROTE.iter().any(|wrote| {
        words.rsplit_once(wrote).is_some_and(|(before, after)| {
            // "rewrote" is no attribution; scripts without blanks between words have none to ask for.
            let begins_word = !wrote.is_ascii() || !before.ends_with(|last: char| last.is_alphanumeric());
            // A sentence that goes on is none either; dates and addresses may follow.
            begins_word && (!after.contains([',', '?', '!']) || after.contains(['@', '(']))
        })
    })
}

/// "2019年6月4日(火) 17:02 Nora <nora@example.org>:", "Quoting Nora <nora@example.org>:".
fn is_said_by_address(words: &str) -> bool {
    let has_address = words.split_once('<').is_some_and(|(_, rest)| rest.contains('@') && rest.contains('>'));
    has_address && (has_time(words) || QUOTING.iter().any(|opener| words.starts_with(opener)))
}

fn has_time(line: &str) -> bool {
    has_digits_around(line, b':')
}

fn has_digits_around(line: &str, separator: u8) -> bool {
    line.as_bytes().windows(3).any(|window| {
        matches!(window, [left, middle, right] if *middle == separator && left.is_ascii_digit() && right.is_ascii_digit())
    })
}

/// Whether an attribution has what a sentence about an earlier mail hardly has: an address, a time of day, the date at
/// its beginning, or nothing but a name before its verb. Without quote marks after it, only such a line is believed.
pub(super) fn is_certain_attribution(line: &str) -> bool {
    has_time(line)
        || line.contains('@')
        || line.trim_start().starts_with(|first: char| first.is_ascii_digit())
        || opens_attribution(line)
        || names_its_author(line)
}

/// "Nora Lindqvist wrote:", but not "You wrote:".
fn names_its_author(line: &str) -> bool {
    let mut words = 0;
    for word in line.split_whitespace() {
        let lower = word.to_lowercase();
        if WROTE.iter().any(|wrote| wrote.split(' ').next().is_some_and(|first| lower.trim_end_matches(':') == first)) {
            return words > 0;
        }
        let is_name = word.starts_with(char::is_uppercase) && !word.ends_with(['.', ',', ':', ';']) || word.len() == 2;
        words += 1;
        if !is_name || words > 4 || PRONOUNS.contains(&lower.as_str()) {
            return false;
        }
    }
    false
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

/// Whether a line that no opening word begins may be the first of a wrapped attribution: an address in it or at the
/// beginning of the next line, and a time of day, in Finland with a point, or a verb of writing.
pub(super) fn may_open_attribution(line: &str, next: &str) -> bool {
    let Some(lower) = lower(line) else {
        return false;
    };
    let has_verb = || WROTE.iter().any(|wrote| lower.contains(wrote));
    (lower.contains('@') || next.trim_start().starts_with('<') && next.contains('@'))
        && (has_time(&lower) || has_digits_around(&lower, b'.') || has_verb())
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
    ["--", "==", "**", "__"].iter().any(|rule| line.starts_with(rule))
        && line.ends_with(['-', ':', '=', '*', '_'])
        && SEPARATORS.contains(&inner)
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
