//! The words that give dates and numbers their meaning, and say whose they are.
//!
//! Words come in lower case and in Latin letters; Japanese ones as they are. Covered: English, German, French, Spanish, Italian,
//! Portuguese, Dutch, Swedish, Danish, Norwegian, Finnish, Polish, Czech, Hungarian, Russian, Japanese, abbreviated and inflected.
//! Single letters and words with other meanings count only in the head of a table or right before a value.

use chrono::Weekday;

use super::lex::{Placed, Token};
use crate::domain::game::Side;
use crate::domain::transmission::lexicon::{Key, Keys};

/// Whether a list of words between blanks has this one.
pub(super) fn among(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|other| other == word)
}

/// Whether a word begins as one of the list does, however it is inflected.
fn begins(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|stem| word.starts_with(stem))
}

/// What a label says of the number or date beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Received,
    /// Sent, by whom the place tells: a form may repeat when its reader sent.
    Sent,
    /// Answered: by the writer.
    Replied,
    Days,
    Total,
    /// The German "ges.": sent beside a date, in all beside a number.
    SentOrTotal,
}

impl Label {
    /// Whether it names a date.
    pub(super) fn is_of_date(self) -> bool {
        matches!(self, Label::Received | Label::Sent | Label::Replied | Label::SentOrTotal)
    }

    /// Whether it names a number of days.
    pub(super) fn is_of_number(self) -> bool {
        matches!(self, Label::Days | Label::Total | Label::SentOrTotal)
    }
}

/// Beginnings of words that say "received"; long enough to be nothing else.
const RECEIVED: &str = "\
    receiv erhalten erhielt empfangen empfing eingegangen eingang angekommen recu recibi ricevut recebi recepc \
    ontvang ontving mottag mottog mottat mottok modtag modtog saatu saapu vastaanot otrzyma otrzymuj dostalem \
    dostalam odebra przyjet prijat obdrzel obdrzen doslo dorazil kaptam megkaptam erkezett beerkezett poluch prishlo \
    prishiol llego";
const RECEIVED_WHOLE: &str = "\
    recd rec'd rec rcvd rcv'd rcv rcd rc'd got erh empf recep recib reception receb ric ricev ontv mott modt saat \
    sain otrz prij kapt pol fick fikk arrived 受信 受領 着 到着 着信";
/// Beginnings of words that say "sent".
const SENT: &str = "\
    gesendet gesandt abgesandt abgesendet abgeschickt geschickt verschickt versandt poststempel ausgang abgang envoy \
    expedi enviad sellad spedit inviat affrancat verzonden verstuurd avsant avsand skickat skickad afsendt lahetet \
    lahetin wyslan wyslal odeslan odesilam odeslal kuldtem kuldom elkuld otpravl otpravil";
const SENT_WHOLE: &str = "\
    sent snt posted mailed stamped postmark postmarked dispatched abg env envoi poste exp envio mando sped inv \
    invio verz sant avs sendt lah wysl odesl otpr 消印 発信 送信 発送 発";
/// Beginnings of words that say "answered".
const REPLIED: &str = "\
    beantwort geantwortet repondu contestad respondid rispost besvara svarade besvaret svaret vastattu odpowiedzial \
    odpowiedziano odpovedel odpovezeno valaszoltam otvetil otvechen";
const REPLIED_WHOLE: &str = "replied answered ans'd ansd ans repl rep'd antw svarat 返信";
const DAYS: &str = "\
    days day used tage tag tagen tg bedenkzeit verbrauch verbraucht jours jour jrs dias dia usados giorni giorno gg \
    dagen dag dagar dage dager dgn anvant anvanda betanketid brugt brukt nap napot paivia paivaa paiva pv dny dni \
    dnu den dzien czas dn dnei dnia den' 日 使用 usage";
const TOTAL: &str = "\
    total totals tot cum cumul cumulative cumule gesamt insgesamt zusammen summe sum acum acumulado totale totaal \
    totalt yhteensa yht razem lacznie celkem osszesen vsego itogo altogether cumulato 計 累計 合計 通算";

/// What a word says of the date or number beside it.
pub(super) fn label(word: &str) -> Option<Label> {
    let is = |stems, whole| among(word, whole) || begins(word, stems);
    if word == "ges" {
        Some(Label::SentOrTotal)
    } else if is(RECEIVED, RECEIVED_WHOLE) {
        Some(Label::Received)
    } else if is(REPLIED, REPLIED_WHOLE) {
        Some(Label::Replied)
    } else if is(SENT, SENT_WHOLE) {
        Some(Label::Sent)
    } else if among(word, DAYS) {
        Some(Label::Days)
    } else if among(word, TOTAL) {
        Some(Label::Total)
    } else {
        None
    }
}

/// The same, for words that no list has, as the lexicon of the sentence's language says it.
pub(super) fn label_of(word: &str, keys: Keys) -> Option<Label> {
    const KEYED: [(Key, Label); 5] = [
        (Key::Received, Label::Received),
        (Key::Replied, Label::Replied),
        (Key::Sent, Label::Sent),
        (Key::Days, Label::Days),
        (Key::Total, Label::Total),
    ];
    let keyed = || KEYED.into_iter().find(|(key, _)| keys.has(*key) && !keys.has(Key::Common)).map(|(_, label)| label);
    label(word).or_else(keyed)
}

/// Whether a word gives the date or number beside it a meaning.
pub(super) fn is_label(placed: &Placed) -> bool {
    matches!(&placed.token, Token::Word(word) if label_of(word, placed.keys).is_some())
}

/// What a single letter or a word with other meanings says in the head of a table, or right before a value.
pub(super) fn short_label(word: &str, keys: Keys) -> Option<Label> {
    const KEYED: [(Key, Label); 4] = [
        (Key::ReceivedShort, Label::Received),
        (Key::SentShort, Label::Sent),
        (Key::DaysShort, Label::Days),
        (Key::TotalShort, Label::Total),
    ];
    let keyed = || KEYED.into_iter().find(|(key, _)| keys.has(*key) && !keys.has(Key::Common)).map(|(_, label)| label);
    match word {
        "r" | "in" | "reception" => Some(Label::Received),
        "s" | "out" | "ab" | "reply" | "answer" => Some(Label::Sent),
        "t" | "d" | "ref" | "rt" | "time" | "tempo" | "j" | "tid" => Some(Label::Days),
        "tt" => Some(Label::Total),
        _ => label_of(word, keys).or_else(keyed),
    }
}

/// Words and phrases of two words that say "in all".
pub(super) fn in_all(first: &str, second: &str) -> bool {
    matches!(
        (first, second),
        ("in", "all" | "totaal" | "tutto") | ("i", "alt" | "allt") | ("en", "tout") | ("em", "tudo") | ("w", "sumie")
    )
}

/// Whose date or number it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Person {
    /// The writer.
    I,
    /// The reader, as subject of the sentence.
    You,
    /// Something of the reader.
    Your,
    /// The reader, in a form that calls him the partner.
    Partner,
}

pub(super) fn person(word: &str) -> Option<Person> {
    match word {
        "i" | "my" | "me" | "mine" | "we" | "ich" | "mein" | "meine" | "meinen" | "mir" | "je" | "j'ai" | "mon"
        | "ma" | "mes" | "yo" | "mi" | "mis" | "he" | "io" | "mio" | "mia" | "ho" | "eu" | "meu" | "minha" | "ik"
        | "mijn" | "jag" | "min" | "mitt" | "jeg" | "mit" | "mina" | "minun" | "moj" | "moja" | "muj" | "moje"
        | "ia" | "moi" | "moio" => Some(Person::I),
        "you" | "du" | "vous" | "lei" | "voce" | "jij" | "usted" | "ty" | "vy" | "pan" | "sina" => Some(Person::You),
        _ if is_second_person(word) => Some(Person::Your),
        _ if begins(
            word,
            "\
        partn oppon gegner adversair avversari sopernik protivnik przeciwnik souper ellenfel 相手",
        ) =>
        {
            Some(Person::Partner)
        }
        _ => None,
    }
}

/// Words behind which "you" is no subject.
pub(super) fn takes_object(word: &str) -> bool {
    among(word, "thank thanks from to with for sent send wish je nous")
}

/// Words that speak of the reader, so that what follows is his and not the sender's.
pub(super) fn is_second_person(word: &str) -> bool {
    among(
        word,
        "\
        you your yours dein deinen deine deiner ihr ihren ihre ihrer votre ton tu su tua tuo sua suo vostra seu teu \
        din ditt dit jouw uw sinun twoj twoja twoje tvuj tvoj vas vash vashe vashego tvoi",
    )
}

/// Words before the day of the reader's own message: "your mail of 23.10."
pub(super) fn is_of(word: &str) -> bool {
    among(word, "of from dated vom von du de del di dell do da van fran fra av af z ze ot")
}

/// Words that, before a number of days, speak of the time to come.
pub(super) fn is_ahead(word: &str) -> bool {
    among(word, "in within en dans innerhalb binnen om za tra fra em cherez")
}

/// Words that join two statements.
pub(super) fn is_and(word: &str) -> bool {
    among(word, "and und et y e och og ja oraz es then which but aber mais")
}

/// Words for "this", before a move.
pub(super) fn is_this(word: &str) -> bool {
    among(
        word,
        "\
        this esta este diesen dieser diesmal deze detta dette questa neste nesta tama etot",
    )
}

/// The things that are received and sent in a game by mail.
pub(super) fn names_message(word: &str) -> bool {
    begins(
        word,
        "\
        mail e-mail email move messag letter card zug antwort nachricht brief karte coup courriel carte lettre \
        jugada mensaj correo carta tarjeta mossa messagg lance mensag jogada zet bericht drag brev kort traek trekk \
        siirto siirt viesti posti ruch posuni wiadomos tah zprav lepes level uzenet khod pis'mo soobshch data date \
        datum 手 reply answer respuesta reponse risposta",
    )
}

/// Words that stand in a statement about dates without changing its meaning.
pub(super) fn is_filler(word: &str) -> bool {
    word.chars().count() <= 3
        || among(
            word,
            "\
        have been before avant altro l'altro last this thanks thank today time habe haben wurde meine etait avez avons nous sido stato stata \
        dnia byla bylo heeft werd blev olen jsem morning evening abend morgens soir matin your dein ihre deinen \
        ihren votre heute danke merci gracias grazie tack kiitos first again local with from same",
        )
}

/// The side that a word names.
pub(super) fn side_named(word: &str) -> Option<Side> {
    const WHITE: &str = "white weiss blanc bianc branca valke bial bily vilagos bely 白";
    const BLACK: &str = "\
    black schwarz noir negra preta zwart svart musta czarn cern sotet chiorn chern 黒";
    if among(word, "wit vit hvid hvit") || begins(word, WHITE) {
        Some(Side::White)
    } else if among(word, "sort nero") || begins(word, BLACK) {
        Some(Side::Black)
    } else {
        None
    }
}

/// Words that speak of the days that are left.
pub(super) fn is_rest(word: &str) -> bool {
    matches!(
        word,
        "left"
            | "remaining"
            | "remain"
            | "rest"
            | "ubrig"
            | "verbleibend"
            | "restzeit"
            | "restent"
            | "restant"
            | "restants"
            | "quedan"
            | "restan"
            | "restano"
            | "rimangono"
            | "restam"
            | "resterend"
            | "kvar"
            | "tilbage"
            | "igjen"
            | "jaljella"
            | "zostalo"
            | "zbyva"
            | "maradt"
            | "ostalos"
    )
}

/// Words that may stand in a statement of days without making it one about something else, such as leave or the time left.
pub(super) fn is_of_figures(word: &str) -> bool {
    label(word).is_some()
        || short_label(word, Keys::default()).is_some()
        || person(word).is_some()
        || side_named(word).is_some()
        || among(
            word,
            "\
        for en le el il am den dem der die das la this these move of to reach is all have took need needed so far now the that a on thinking reflection \
        player allowed it with makes making thus and fur diesen dieser zug habe bisher jetzt macht damit und temps \
        reflexion ce coup pour soit et au utilise utilises llevo tiempo esta este jugada con y para tempo \
        riflessione questa mossa per usati reflexao lance neste voor deze zet gebruikt och detta drag dette trekk og \
        i alt tama siirto kaytetty zuzyty zuzyte ruch na ten tah spotreba lepes gondolkodasi ido vremia obdumyvanie \
        vremeni etot khod ispol'zovano time each we",
        )
}

/// What a word that no list has is in a statement about dates, as the lexicon has it.
pub(super) fn person_of(word: &str, keys: Keys) -> Option<Person> {
    person(word).or_else(|| match () {
        () if keys.has(Key::Play) => None,
        () if keys.has(Key::I) => Some(Person::I),
        () if keys.has(Key::You) => Some(Person::Your),
        () => None,
    })
}

/// The month that a word names in the language of its sentence.
pub(super) fn month_of(keys: Keys) -> Option<u32> {
    let mut named = (1..).zip(Key::MONTHS).filter(|(_, key)| keys.has(*key));
    let (month, _) = named.next()?;
    named.next().is_none().then_some(month)
}

/// The weekday that a word names in the language of its sentence.
pub(super) fn weekday_of(keys: Keys) -> Option<Weekday> {
    let mut named = (0..).zip(Key::WEEKDAYS).filter(|(_, key)| keys.has(*key) && !keys.has(Key::Common));
    let (weekday, _) = named.next()?;
    Weekday::try_from(weekday).ok().filter(|_| named.next().is_none())
}

/// How many days ago a word means in the language of its sentence.
pub(super) fn days_ago_of(keys: Keys) -> Option<u32> {
    let ago = [Key::Today, Key::Yesterday, Key::DayBeforeYesterday];
    (0..).zip(ago).find(|(_, key)| keys.has(*key)).map(|(days, _)| days)
}
