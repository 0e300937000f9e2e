//! Takes out remarks on a move of an offer that is not played: "9. 4131 <- not your 6355", "10... 3615 can wait".
//!
//! Only whole phrases of a few forms, and only around a move that the text names nowhere else: a move that is denied here
//! and given there stays for the other readers to doubt. Numeric notation only.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::Line;
use super::prepare::pattern;

/// A row of score, and behind it, in brackets or behind an arrow, the move that it is not.
#[rustfmt::skip]
static NOT_YOURS: LazyLock<Regex> = LazyLock::new(|| pattern(concat!(
    r"(?i)^\s*[0-9]{1,3}\s*\.+(?:\s*[1-8]{4}[1-4]?){1,2}\s*(?P<remark>(?:<[-=]+|←|\()\s*",
    r"(?:not|nicht|pas|non|no|niet|inte|ikke|ei|nie|ne|nem|не|instead of|anstatt|statt|au lieu de|en vez de|invece di|",
    r"em vez de|in plaats van|i stället för|i stedet for|zamiast|místo|вместо)\s+",
    r"(?:(?:your|the|deine?[mns]?|ihre?[mns]?|votre|ton|tu|su|tuo|teu|seu|uw|je|jouw|din|ditt|dit|twoje|twojego|tvoje|vaše|ваш|ваше|вашего)\s+)?",
    r"(?:[0-9]{1,3}\s{0,3}\.{1,3}\s{0,3})?(?P<move>[1-8]{4}[1-4]?)[!.]?\s*\)?)\s*$",
)));

/// A move that waits: it is not played now.
#[rustfmt::skip]
static WAITS: LazyLock<Regex> = LazyLock::new(|| pattern(concat!(
    r"(?i)(?P<remark>(?:\b[0-9]{1,3}\s{0,3}\.{1,3}\s{0,3})?\b(?P<move>[1-8]{4}[1-4]?)\s+",
    r"(?:can wait|must wait|has to wait|will have to wait|kann warten|muss warten|får vänta|kan vänta|får vente|må vente|kan vente|",
    r"kan wachten|moet wachten|attendra|peut attendre|doit attendre|puede esperar|debe esperar|può attendere|può aspettare|",
    r"deve aspettare|pode esperar|saa odottaa|może poczekać|musi poczekać|může počkat|musí počkat|počká|várhat|ráér|",
    r"подождёт|подождет))\s*(?:[,.;!)]|$)",
)));

/// A four-digit group.
static DIGITS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[1-8]{4}[1-4]?\b"));

/// The texts of the lines with blanks for such remarks; each keeps its length.
pub(super) fn without_asides(lines: &[Line<'_>]) -> Vec<String> {
    let mut named: HashMap<&str, usize> = HashMap::new();
    for found in lines.iter().flat_map(|line| DIGITS.find_iter(line.text)) {
        *named.entry(found.as_str()).or_default() += 1;
    }
    let once = |digits: &str| named.get(digits) == Some(&1);
    lines
        .iter()
        .map(|line| {
            let mut text = line.text.to_owned();
            for remarks in [&NOT_YOURS, &WAITS].into_iter().flat_map(|form| form.captures_iter(line.text)) {
                if let (Some(remark), Some(denied)) = (remarks.name("remark"), remarks.name("move"))
                    && once(denied.as_str())
                {
                    text.replace_range(remark.range(), &" ".repeat(remark.len()));
                }
            }
            text
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> String {
        let lines: Vec<Line<'_>> = text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect();
        without_asides(&lines).iter().map(|line| line.trim()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn a_move_that_a_remark_denies_is_taken_out() {
        for (text, expected) in [
            ("9. 4131   <- not your 6355", "9. 4131"),
            ("9. 4131 (nicht Dein 9. 6355)", "9. 4131"),
            ("9. 4131 5755 (instead of 6355).", "9. 4131 5755 (instead of 6355)."),
            ("10... 3615 får vänta, i stället spelar jag\n\n10... 3847", ", i stället spelar jag||10... 3847"),
            ("10... 3615 can wait.\n10... 3847", ".|10... 3847"),
        ] {
            assert_eq!(left(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_denied_here_and_given_there_stays() {
        for text in [
            "9. 4131 <- not your 4131",
            "9. 4131 (not 6355)\n9. 6355",
            "10... 3615 can wait no longer",
            "10... 3615 can wait?",
            "I do not play 9. 4131 <- not your 6355",
            "9. 4131 or (not 6355)",
        ] {
            assert_eq!(left(text), text.replace('\n', "|"), "{text}");
        }
    }
}
