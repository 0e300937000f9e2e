//! One spelling for what looks alike: full-width characters, blanks, dashes and quotation marks become ASCII, and what
//! cannot be seen is dropped, or marked where it could change a number.
//!
//! Every text taken from a mail passes through here, so that the readers above compare characters and not appearances.
//! What will surprise you: a zero-width or bidirectional character, a combining stroke or a digit of another script next
//! to a digit becomes U+FFFD, so that the number cannot be read as if nothing had stood there; the caller holds such a
//! mail. Line feeds and tabs stay. Not covered: letters that only look alike (Cyrillic Es and Latin C).

/// Marks the place of something unreadable in or beside a number.
pub const UNREADABLE: char = '\u{FFFD}';

/// The text in one spelling.
pub fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Hidden characters seen since the last visible one.
    let mut hidden = false;
    for character in text.chars() {
        match kind(character) {
            Kind::Hidden => hidden = true,
            Kind::Stroke => {
                out.push(UNREADABLE);
                hidden = false;
            }
            Kind::Visible(visible) => {
                let beside_digit =
                    visible.is_ascii_digit() || out.chars().next_back().is_some_and(|last| last.is_ascii_digit());
                if std::mem::take(&mut hidden) && beside_digit {
                    out.push(UNREADABLE);
                }
                out.push(visible);
            }
            Kind::Ellipsis => {
                hidden = false;
                out.push_str("...");
            }
        }
    }
    if hidden && out.ends_with(|last: char| last.is_ascii_digit()) {
        out.push(UNREADABLE);
    }
    out
}

/// Whether something unreadable stands in or beside a number of a normalised text, so that no number in it is certain.
pub fn has_hidden_characters(normalised: &str) -> bool {
    let mut previous = ' ';
    normalised.chars().any(|character| {
        let found = (character == UNREADABLE && previous.is_ascii_digit())
            || (previous == UNREADABLE && character.is_ascii_digit());
        previous = character;
        found
    })
}

/// The words of a text as names are compared: in lower case and without accents.
pub fn words(text: &str) -> Vec<String> {
    let plain = deunicode::deunicode(text).to_lowercase();
    plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether a text has one of these words of a name, compared as [`words`] gives them. What went through another script need only be alike:
/// "Линдквист" is "lindkvist", and "Lindqvist".
pub fn shares_name(text: &str, name: &[String]) -> bool {
    /// The last letter of Latin Extended-B (Unicode).
    const LAST_LATIN: char = '\u{24f}';
    /// The share of their letters that two words have in common, in order.
    const ALIKE: f32 = 0.8;
    let is_of_another_script = text.chars().any(|c| c.is_alphabetic() && c > LAST_LATIN);
    let is_alike = |one: &str, other: &str| similar::TextDiff::from_chars(one, other).ratio() >= ALIKE;
    let is_known = |word: &String| name.iter().any(|own| own == word || (is_of_another_script && is_alike(own, word)));
    words(text).iter().any(|word| word.len() > 1 && is_known(word))
}

/// One line for a screen or a log: normalised, control characters and line ends as blanks, at most `max` characters.
pub fn one_line(text: &str, max: usize) -> String {
    let words = normalise(text);
    let words: Vec<&str> = words
        .split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let line: String = words.join(" ").chars().take(max).collect();
    line.trim_end().to_owned()
}

enum Kind {
    Visible(char),
    /// Takes no room: zero-width, bidirectional control, variation selector, other control character.
    Hidden,
    /// Strikes through or replaces a digit: combining overlays, digits of other scripts.
    Stroke,
    Ellipsis,
}

fn kind(character: char) -> Kind {
    Kind::Visible(match character {
        '\n' | '\t' | ' '..='~' => character,
        '\u{0B}' | '\u{0C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => '\n',
        '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{2800}' | '\u{3000}' => ' ',
        '\u{AD}'
        | '\u{34F}'
        | '\u{61C}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{17B4}'
        | '\u{17B5}'
        | '\u{180B}'..='\u{180E}' => return Kind::Hidden,
        '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' => {
            return Kind::Hidden;
        }
        '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}' => {
            return Kind::Hidden;
        }
        '\u{335}'..='\u{338}' | '\u{20D2}' | '\u{20D3}' | '\u{20D8}'..='\u{20DA}' | '\u{20DD}'..='\u{20E5}' => {
            return Kind::Stroke;
        }
        _ if is_foreign_digit(character) => return Kind::Stroke,
        '\u{5BE}'
        | '\u{2010}'..='\u{2015}'
        | '\u{2043}'
        | '\u{2212}'
        | '\u{2796}'
        | '\u{2E3A}'
        | '\u{2E3B}'
        | '\u{FE31}'
        | '\u{FE32}'
        | '\u{FE58}'
        | '\u{FE63}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{201A}' | '\u{201B}' | '\u{2BC}' => '\'',
        '\u{201C}'..='\u{201F}' => '"',
        '\u{2026}' => return Kind::Ellipsis,
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(character) - 0xFEE0).unwrap_or(character),
        _ if character.is_control() => return Kind::Hidden,
        _ => character,
    })
}

/// Decimal digits other than ASCII's and the full-width ones (Unicode category Nd), as far as they occur in mails.
fn is_foreign_digit(character: char) -> bool {
    matches!(
        character,
        '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}' | '\u{7C0}'..='\u{7C9}' | '\u{966}'..='\u{96F}' | '\u{9E6}'..='\u{9EF}'
            | '\u{A66}'..='\u{A6F}' | '\u{AE6}'..='\u{AEF}' | '\u{BE6}'..='\u{BEF}' | '\u{C66}'..='\u{C6F}' | '\u{CE6}'..='\u{CEF}'
            | '\u{D66}'..='\u{D6F}' | '\u{E50}'..='\u{E59}' | '\u{ED0}'..='\u{ED9}' | '\u{F20}'..='\u{F29}' | '\u{1040}'..='\u{1049}'
            | '\u{17E0}'..='\u{17E9}' | '\u{1810}'..='\u{1819}' | '\u{1D7CE}'..='\u{1D7FF}' | '\u{1FBF0}'..='\u{1FBF9}'
    )
}

/// Controls, and the marks that end a line or make text read in another order than it is stored: none of them is seen, and each
/// changes what is seen.
pub fn is_unseen(character: char) -> bool {
    let is_mark =
        matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || is_mark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_in_another_script_and_no_other_name_is() {
        let lindqvist = words("Lindqvist, Nora");
        for (text, is_his) in [
            ("Lindqvist", true),
            ("LINDQVIST", true),
            ("Линдквист", true),
            ("Нора", true),
            ("Lindkvist", false),
            ("Парамонов", false),
            ("Линдеман", false),
            ("", false),
        ] {
            assert_eq!(shares_name(text, &lindqvist), is_his, "{text}");
        }
        assert!(shares_name("Мюллер", &words("Müller")) && !shares_name("Мюллер", &words("Milner")));
    }

    #[test]
    fn what_looks_alike_is_spelt_alike() {
        assert_eq!(
            normalise("４８５７　２４–２５ 7…e5\u{A0}\u{202F}‘x’ “y” −⸺➖．：／Ｎｆ３"),
            "4857 24-25 7...e5  'x' \"y\" ---.:/Nf3"
        );
        assert_eq!(normalise("ノラ様\t１\n"), "ノラ様\t1\n");
    }

    #[test]
    fn hidden_characters_away_from_numbers_are_dropped() {
        let text = normalise("N\u{200B}f\u{AD}e \u{200E}\u{FEFF}move");
        assert_eq!(text, "Nfe move");
        assert!(!has_hidden_characters(&text));
    }

    #[test]
    fn hidden_characters_in_or_beside_a_number_are_marked() {
        for text in [
            "52\u{200B}54",
            "\u{202E}5254",
            "5254\u{200F}",
            "e\u{2060}4",
            "5\u{336}2\u{336}",
            "52\0\u{0}54",
            "52\u{665}4",
            "1\u{FE0F}\u{20E3}",
        ] {
            let normalised = normalise(text);
            assert!(has_hidden_characters(&normalised), "{normalised:?}");
        }
    }

    #[test]
    fn one_line_has_no_control_characters_and_a_limit() {
        assert_eq!(one_line(" A\r\nB\u{1b}[31m  C ", 8), "A B[31m");
    }
}
