//! Digits that are the number of something else: a telephone, a house, a rating, a version.

use super::lex::{Placed, Token};

/// Whether the digits at a place belong to a longer number, or stand on a line whose words say what they count.
///
/// Only digits without a place in the game are asked about: a numbered or announced move is never a decoy.
pub(super) fn is_decoy(tokens: &[Placed], at: usize) -> bool {
    let Some(index) = tokens.iter().position(|p| p.at == at) else { return false };
    let is_row = tokens.iter().any(|p| matches!(p.token, Token::Number(..) | Token::Date(_) | Token::Slash(..)));
    let is_prose = !is_row && tokens.iter().any(|p| matches!(p.token, Token::Word(_)));
    let touches = |left: &Placed, right: &Placed| {
        let digits = |p: &Placed| matches!(p.token, Token::Int(_) | Token::BadMove(..) | Token::Move(_));
        is_prose && digits(left) && digits(right) && right.at.saturating_sub(left.end) <= 3
    };
    let before = index.checked_sub(1).and_then(|i| tokens.get(i));
    let this = tokens.get(index);
    let after = tokens.get(index + 1);
    let joined = |pair: (Option<&Placed>, Option<&Placed>)| matches!(pair, (Some(l), Some(r)) if touches(l, r));
    let counted = tokens.iter().any(|p| matches!(&p.token, Token::Word(word) if counts(word)));
    counted || joined((before, this)) || joined((this, after))
}

/// Words that say what a number beside them is.
fn counts(word: &str) -> bool {
    matches!(
        word,
        "tel"
            | "telephone"
            | "telefon"
            | "telefono"
            | "telefone"
            | "telefoon"
            | "puhelin"
            | "tlf"
            | "phone"
            | "fax"
            | "mobile"
            | "mobil"
            | "mobiel"
            | "handy"
            | "cell"
            | "gsm"
            | "portable"
            | "movil"
            | "celular"
            | "cellulare"
            | "komorka"
            | "call"
            | "ring"
            | "anrufen"
            | "apparat"
            | "toestel"
            | "extension"
            | "ext"
            | "durchwahl"
            | "elo"
            | "rating"
            | "rated"
            | "dwz"
            | "fide"
            | "ranking"
            | "reiting"
            | "grade"
            | "wertungszahl"
            | "classement"
            | "zip"
            | "plz"
            | "postcode"
            | "postfach"
            | "postbus"
            | "box"
            | "pobox"
            | "cp"
            | "apartado"
            | "skrytka"
            | "street"
            | "str"
            | "strasse"
            | "rue"
            | "calle"
            | "via"
            | "rua"
            | "straat"
            | "ul"
            | "ulica"
            | "utca"
            | "gatan"
            | "vej"
            | "isbn"
            | "iban"
            | "konto"
            | "kvk"
            | "pin"
            | "code"
            | "version"
            | "virus"
            | "virusdatabase"
            | "database"
            | "base"
            | "member"
            | "mitglied"
            | "nokia"
            | "samsung"
            | "siemens"
            | "motorola"
            | "hrs"
            | "uhr"
            | "oclock"
            | "klockan"
            | "euro"
            | "eur"
            | "sek"
            | "usd"
            | "dollar"
    )
}
