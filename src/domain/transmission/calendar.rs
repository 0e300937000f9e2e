//! The names of months, weekdays and of the days just past, in the languages of the vocabulary.
//!
//! Words may come with their accents; Cyrillic is compared in Latin letters. Abbreviations of three letters are enough where no
//! other word of these languages is written so. Not covered: numbers of weeks, names of holidays.

use chrono::Weekday;

/// Full names, any beginning of which (three letters or more) names the month.
const MONTHS: [&str; 12] = [
    "january januar janvier enero gennaio janeiro januari ianvaria ianvar'",
    "february februar fevrier febrero febbraio fevereiro februari fevralia fevral'",
    "march marz maerz mars marzo marco marts maart marca marta marcius",
    "april avril abril aprile aprilis aprelia aprel'",
    "may mai mayo maggio maio mei maj maja maia majus",
    "june juni juin junio giugno junho junius iiunia iiun'",
    "july juli juillet julio luglio julho julius iiulia iiul'",
    "august aout agosto augustus augusti augusztus avgusta",
    "september septembre septiembre setiembre settembre setembro szeptember",
    "october oktober octobre octubre ottobre outubro oktiabria oktiabr'",
    "november novembre noviembre novembro noiabria noiabr'",
    "december dezember decembre diciembre dicembre dezembro dekabria dekabr'",
];

/// Names and abbreviations that count whole only: their beginnings are other words somewhere.
const WHOLE: [&str; 12] = [
    "styczen stycznia stycz sty leden ledna tammikuu tammikuun tammikuuta",
    "luty lutego lut unor unora helmikuu helmikuun helmikuuta",
    "marzec brezen brezna maaliskuu maaliskuun maaliskuuta mrt mrz",
    "kwiecien kwietnia kwi duben dubna huhtikuu huhtikuun huhtikuuta",
    "kveten kvetna toukokuu toukokuun toukokuuta",
    "czerwiec czerwca cze cerven cervna kesakuu kesakuun kesakuuta",
    "lipiec lipca lip cervenec cervence heinakuu heinakuun heinakuuta",
    "sierpien sierpnia sierp srpen srpna elokuu elokuun elokuuta",
    "wrzesien wrzesnia wrz zari syyskuu syyskuun syyskuuta sentiabr' sentiabria",
    "pazdziernik pazdziernika paz rijen rijna lokakuu lokakuun lokakuuta",
    "listopad listopada listopadu lis marraskuu marraskuun marraskuuta",
    "grudzien grudnia gru prosinec prosince joulukuu joulukuun joulukuuta desember",
];

fn among(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|other| other == word)
}

/// The month a word names, in the languages of the vocabulary.
pub fn month_named(word: &str) -> Option<u32> {
    // in Latin letters it would be the English "sent"
    if word.to_lowercase() == "сент" {
        return Some(9);
    }
    let word = deunicode::deunicode(word).to_lowercase();
    if word.len() < 3 {
        return None;
    }
    if let Some((month, _)) = (1u32..).zip(WHOLE).find(|(_, list)| among(&word, list)) {
        return Some(month);
    }
    let begins = |list: &str| list.split_ascii_whitespace().any(|name| name.starts_with(word.as_str()));
    let mut found = (1u32..).zip(MONTHS).filter(|(_, list)| begins(list));
    match (found.next(), found.next()) {
        (Some((month, _)), None) => Some(month),
        _ => None,
    }
}

/// The month a word names that stands before its day: "out 24" and "set 3" are English, not Portuguese.
pub fn month_named_first(word: &str) -> Option<u32> {
    let other = ["out", "set", "ago", "mag", "gen", "ott", "lug", "lip", "lis", "gru", "sty", "lut", "mei"];
    month_named(word).filter(|_| !other.contains(&word.to_lowercase().as_str()))
}

/// The month of a Roman number in capitals, as Central Europe writes `14.X.2001`.
pub fn month_roman(text: &str) -> Option<u32> {
    const ROMAN: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];
    (1u32..).zip(ROMAN).find(|(_, roman)| *roman == text).map(|(month, _)| month)
}

/// The names of a weekday: in full, and the abbreviations that name it beside a date only.
type Names = (Weekday, &'static str, &'static str);

const WEEKDAYS: [Names; 7] = [
    (
        Weekday::Mon,
        "\
        monday montag lundi lunes lunedi segunda maandag mandag maanantai maanantaina poniedzialek pondeli hetfo \
        hetfon ponedel'nik 月曜",
        "mon lun seg man",
    ),
    (
        Weekday::Tue,
        "\
        tuesday dienstag mardi martes martedi terca dinsdag tisdag tirsdag tiistai tiistaina wtorek utery kedd \
        kedden vtornik 火曜",
        "tue tues tis tir ter",
    ),
    (
        Weekday::Wed,
        "\
        wednesday mittwoch mercredi miercoles mercoledi quarta woensdag onsdag keskiviikko keskiviikkona sroda srode \
        streda stredu szerda szerdan sreda sredu 水曜",
        "wed mer mie ons qua",
    ),
    (
        Weekday::Thu,
        "\
        thursday donnerstag jeudi jueves giovedi quinta donderdag torsdag torstai torstaina czwartek ctvrtek \
        csutortok csutortokon chetverg 木曜",
        "thu thur thurs jeu jue gio qui tor",
    ),
    (
        Weekday::Fri,
        "\
        friday freitag vendredi viernes venerdi sexta vrijdag fredag perjantai perjantaina piatek patek pentek \
        penteken piatnitsa piatnitsu 金曜",
        "fri vie sex fre",
    ),
    (
        Weekday::Sat,
        "\
        saturday samstag sonnabend samedi sabado sabato zaterdag lordag lauantai lauantaina sobota sobote sobotu \
        szombat szombaton subbota subbotu 土曜",
        "sat sam sab lor",
    ),
    (
        Weekday::Sun,
        "\
        sunday sonntag dimanche domingo domenica zondag sondag sunnuntai sunnuntaina niedziela niedziele nedele \
        nedeli vasarnap voskresen'e 日曜",
        "sun dim dom son",
    ),
];

/// The weekday a word names in full.
pub fn weekday_named(word: &str) -> Option<Weekday> {
    WEEKDAYS.iter().find(|(_, full, _)| among(word, full)).map(|(day, ..)| *day)
}

/// The weekday that a word beside a date names, abbreviations included; `mar` and `ven` are left, being other words as well.
pub fn weekday_beside(word: &str) -> Option<Weekday> {
    WEEKDAYS.iter().find(|(_, full, short)| among(word, full) || among(word, short)).map(|(day, ..)| *day)
}

/// Whether an abbreviated month may be a weekday: the French write "mar. 4 juin" for a Tuesday.
pub fn is_weekday_too(word: &str) -> bool {
    word.eq_ignore_ascii_case("mar")
}

/// How many days ago a word means: today, yesterday, the day before.
pub fn days_ago(word: &str) -> Option<u32> {
    const DAYS: [&str; 3] = [
        "\
        today heute aujourd'hui hoy oggi hoje vandaag idag tanaan dzis dzisiaj dnes segodnia 今日 本日",
        "\
        yesterday gestern hier ayer ieri ontem gisteren igar eilen wczoraj vcera tegnap vchera 昨日",
        "\
        vorgestern anteayer anteontem eergisteren forrgar forgars toissapaivana przedwczoraj predevcirem tegnapelott \
        pozavchera 一昨日",
    ];
    (0u32..).zip(DAYS).find(|(_, list)| among(word, list)).map(|(days, _)| days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_known_by_their_names_in_all_the_languages() {
        for (word, month) in [
            ("Sep", 9),
            ("März", 3),
            ("févr", 2),
            ("agosto", 8),
            ("maj", 5),
            ("Dez", 12),
            ("junio", 6),
            ("juin", 6),
            ("czerwca", 6),
            ("lipca", 7),
            ("sierpnia", 8),
            ("października", 10),
            ("октября", 10),
            ("июня", 6),
            ("июля", 7),
            ("сент", 9),
            ("янв", 1),
            ("lokakuuta", 10),
            ("kesäkuuta", 6),
            ("června", 6),
            ("července", 7),
            ("ott", 10),
            ("okt", 10),
            ("marzo", 3),
            ("szeptember", 9),
            ("aug", 8),
        ] {
            assert_eq!(month_named(word), Some(month), "{word}");
        }
        for word in ["ma", "moves", "j", "ju", "day", "sent", "decide", "maybe", "market", "Sie", "elo", "pro", "jui"] {
            assert_eq!(month_named(word), None, "{word}");
        }
    }

    #[test]
    fn no_two_weekdays_share_a_name() {
        for (at, (_, full, short)) in WEEKDAYS.iter().enumerate() {
            for (_, other_full, other_short) in WEEKDAYS.iter().skip(at + 1) {
                for name in full.split_whitespace().chain(short.split_whitespace()) {
                    assert!(!among(name, other_full) && !among(name, other_short), "{name}");
                }
            }
        }
    }
}
