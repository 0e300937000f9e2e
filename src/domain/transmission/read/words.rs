//! The words that give numbers and dates their meaning, and the words after which a person must look.
//!
//! Words come in lower case and without accents. Covered: the plain labels of the big languages.

/// What a label says of the number or date beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Received,
    Sent,
    Days,
    Total,
}

pub(super) fn label(word: &str) -> Option<Label> {
    let is = |list: &[&str]| list.contains(&word);
    if is(&[
        "received",
        "recd",
        "rec'd",
        "rec",
        "rcvd",
        "rcv'd",
        "rcd",
        "got",
        "erhalten",
        "erh",
        "recu",
        "recibida",
        "recibido",
        "ricevuta",
        "ricevuto",
        "recebido",
        "ontvangen",
        "ontv",
        "mottaget",
        "mott",
        "modt",
        "saatu",
        "otrzymano",
        "otrzymalem",
        "prijato",
        "kaptam",
    ]) {
        Some(Label::Received)
    } else if is(&[
        "sent",
        "replied",
        "answered",
        "ans'd",
        "posted",
        "gesendet",
        "gesandt",
        "abgesandt",
        "beantwortet",
        "envoye",
        "repondu",
        "expedie",
        "enviada",
        "enviado",
        "contestada",
        "spedita",
        "inviata",
        "verzonden",
        "verz",
        "avsant",
        "sant",
        "sendt",
        "lahetetty",
        "wyslano",
        "wyslalem",
        "odeslano",
        "kuldom",
    ]) {
        Some(Label::Sent)
    } else if is(&[
        "days", "day", "used", "tage", "tag", "jours", "jour", "dias", "dia", "giorni", "giorno", "dagen", "dagar",
        "dage", "nap", "paivia", "dny", "dni", "czas",
    ]) {
        Some(Label::Days)
    } else if is(&[
        "total", "tot", "cum", "cumul", "gesamt", "zusammen", "totale", "totaal", "totalt", "all", "yhteensa", "razem",
        "celkem", "osszesen",
    ]) {
        Some(Label::Total)
    } else {
        None
    }
}

/// Words that may stand beside a move without making the line a sentence.
pub(super) fn is_harmless(word: &str) -> bool {
    label(word).is_some()
        || crate::domain::transmission::dates::month_named(word).is_some()
        || is_second_person(word)
        || is_move_label(word)
        || matches!(
            word,
            "i" | "play"
                | "reply"
                | "answer"
                | "last"
                | "message"
                | "mail"
                | "is"
                | "and"
                | "on"
                | "in"
                | "white"
                | "black"
                | "weiss"
                | "schwarz"
                | "w"
                | "b"
                | "r"
                | "s"
                | "t"
                | "tt"
                | "d"
                | "no"
                | "nr"
                | "check"
                | "ep"
                | "e"
                | "p"
                | "new"
                | "our"
                | "the"
                | "time"
        )
}

/// Words that announce the sender's own move.
pub(super) fn is_move_label(word: &str) -> bool {
    super::cues::names_move(word) || matches!(word, "my" | "mein" | "mon" | "mi" | "mia" | "meu" | "mijn" | "mitt")
}

/// Words that speak of the reader, so that what follows is his and not the sender's.
pub(super) fn is_second_person(word: &str) -> bool {
    matches!(
        word,
        "you"
            | "your"
            | "yours"
            | "dein"
            | "deinen"
            | "deine"
            | "ihr"
            | "ihren"
            | "votre"
            | "ton"
            | "tu"
            | "su"
            | "tua"
            | "sua"
            | "seu"
            | "din"
            | "jouw"
    )
}

/// Why a word in the sender's own text needs a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Concern {
    /// A move is denied, asked or only thought of.
    Doubt,
}

impl Concern {
    /// What the mail seems to speak of.
    pub fn words(self) -> &'static str {
        match self {
            Concern::Doubt => "a move that he may not play",
        }
    }
}

/// Words that make the moves beside them conditional.
pub(super) fn is_condition(word: &str) -> bool {
    matches!(
        word,
        "if" | "provided"
            | "unless"
            | "any"
            | "then"
            | "wenn"
            | "falls"
            | "dann"
            | "si"
            | "alors"
            | "entonces"
            | "se"
            | "allora"
            | "entao"
            | "als"
            | "dan"
            | "om"
            | "jos"
            | "jesli"
            | "pokud"
            | "ha"
            | "esli"
    )
}
