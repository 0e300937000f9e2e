//! Damages by programs: what is written stays, its form does not.

use super::{Case, Damage, Meant};
use crate::layouts::quoted;
use crate::letter::Encoding;

pub(super) const ALL: &[Damage] = &[
    Damage { name: "rows glued", change: glued },
    Damage { name: "a blank lost", change: blank_lost },
    Damage { name: "a line break too many", change: line_break },
    Damage { name: "blank lines between", change: |c| c.edit(|t| Some(t.replace('\n', "\n\n"))).map(|()| Meant::New) },
    Damage { name: "wrapped at 60", change: |c| wrapped(c, 60) },
    Damage { name: "wrapped at 72", change: |c| wrapped(c, 72) },
    Damage { name: "indented", change: |c| c.edit(|t| Some(t.replace('\n', "\n   "))).map(|()| Meant::New) },
    Damage {
        name: "blanks become no-break",
        change: |c| c.edit(|t| Some(t.replace(' ', "\u{a0}"))).map(|()| Meant::New),
    },
    Damage { name: "soft breaks", change: |c| encoded(c, Encoding::QuotedPrintable(58)) },
    Damage { name: "soft breaks everywhere", change: |c| encoded(c, Encoding::QuotedPrintable(7)) },
    Damage { name: "base64", change: |c| encoded(c, Encoding::Base64) },
    Damage { name: "flowed", change: |c| encoded(c, Encoding::Flowed) },
    Damage { name: "called us-ascii", change: |c| encoded(c, Encoding::CalledAscii) },
    Damage { name: "latin-1 with losses", change: |c| encoded(c, Encoding::Latin1) },
    Damage { name: "latin-1 called utf-8", change: |c| encoded(c, Encoding::Latin1CalledUtf8) },
    Damage { name: "without MIME", change: |c| encoded(c, Encoding::Bare) },
    Damage { name: "html only", change: as_html },
    Damage { name: "invisible in the number", change: invisible_inside },
    Damage { name: "invisible elsewhere", change: invisible_elsewhere },
    Damage { name: "turned around", change: turned_around },
    Damage { name: "truncated", change: truncated },
    Damage { name: "older quote below", change: |c| older_quote(c, false) },
    Damage { name: "older quote above", change: |c| older_quote(c, true) },
    Damage { name: "all of it quoted", change: all_quoted },
    Damage { name: "footer of a scanner", change: scanner },
];

fn encoded(case: &mut Case<'_>, encoding: Encoding) -> Option<Meant> {
    case.letter.encoding = encoding;
    let lossless = !matches!(encoding, Encoding::Latin1 | Encoding::Latin1CalledUtf8);
    Some(if lossless { Meant::New } else { Meant::Unsure })
}

/// `text` with its lines changed.
pub(super) fn with_lines(text: &str, change: impl FnOnce(&mut Vec<String>)) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    lines.join("\n") + "\n"
}

fn glued(case: &mut Case<'_>) -> Option<Meant> {
    let lines = case.letter.text.as_deref()?.lines().count();
    let at = case.dice.roll(lines.checked_sub(1).filter(|n| *n > 0)?);
    case.edit(|text| {
        Some(with_lines(text, |lines| {
            let next = lines.remove(at + 1);
            lines[at].push_str(&next);
        }))
    })?;
    Some(Meant::Unsure)
}

/// The place of any blank of the text.
fn blank(case: &mut Case<'_>) -> Option<usize> {
    let blanks: Vec<usize> = case.letter.text.as_deref()?.match_indices(' ').map(|(at, _)| at).collect();
    (!blanks.is_empty()).then(|| *case.dice.pick(&blanks))
}

fn blank_lost(case: &mut Case<'_>) -> Option<Meant> {
    let at = blank(case)?;
    case.edit(|text| Some(format!("{}{}", &text[..at], &text[at + 1..])))?;
    // "R1 2.3." becomes another date
    case.dates = false;
    Some(Meant::Unsure)
}

fn line_break(case: &mut Case<'_>) -> Option<Meant> {
    let at = blank(case)?;
    case.edit(|text| Some(format!("{}\n{}", &text[..at], &text[at + 1..])))?;
    Some(Meant::Unsure)
}

fn wrapped(case: &mut Case<'_>, width: usize) -> Option<Meant> {
    let options = textwrap::Options::new(width).word_splitter(textwrap::WordSplitter::NoHyphenation).break_words(false);
    case.edit(|text| Some(text.lines().map(|l| textwrap::fill(l, &options) + "\n").collect()))?;
    Some(Meant::New)
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn as_html(case: &mut Case<'_>) -> Option<Meant> {
    let text = escaped(&case.letter.text.take()?);
    case.letter.html = Some(match case.dice.roll(3) {
        0 => format!("<html><body><pre>{text}</pre></body></html>"),
        1 => format!("<div>{}</div>", text.replace('\n', "</div>\n<div>").replace("  ", "&nbsp; ")),
        _ => format!("<p>{}</p>", text.replace('\n', "<br>\n").replace("  ", " &nbsp;")),
    });
    Some(Meant::New)
}

fn invisible_inside(case: &mut Case<'_>) -> Option<Meant> {
    let digits = case.new_digits();
    let at = 1 + case.dice.roll(digits.len() - 1);
    let sign = *case.dice.pick(&["\u{200b}", "\u{200d}", "\u{2060}", "\u{feff}", "\u{ad}"]);
    let changed = format!("{}{sign}{}", &digits[..at], &digits[at..]);
    case.edit(|text| text.contains(&digits).then(|| text.replace(&digits, &changed)))?;
    Some(Meant::Unsure)
}

fn invisible_elsewhere(case: &mut Case<'_>) -> Option<Meant> {
    let sign = *case.dice.pick(&["\u{200b}", "\u{feff}", "\u{ad}"]);
    case.edit(|text| Some(format!("{sign}{}", text.replace('\n', &format!("{sign}\n")))))?;
    Some(Meant::Unsure)
}

/// Shown right to left the digits are others.
fn turned_around(case: &mut Case<'_>) -> Option<Meant> {
    let digits = case.new_digits();
    let changed = format!("\u{202e}{digits}\u{202c}");
    case.edit(|text| text.contains(&digits).then(|| text.replace(&digits, &changed)))?;
    Some(Meant::Nothing)
}

fn truncated(case: &mut Case<'_>) -> Option<Meant> {
    // half of a move in letters may be another move
    let whole_words = case.letter.needs.is_some();
    let text = case.letter.text.as_deref()?;
    let ends: Vec<usize> =
        text.char_indices().filter(|(_, c)| !whole_words || c.is_whitespace()).map(|(at, _)| at).collect();
    let at = *case.dice.pick(if ends.is_empty() { return None } else { &ends });
    case.edit(|text| Some(text[..at].to_owned()))?;
    case.dates = false;
    Some(Meant::Unsure)
}

fn older_quote(case: &mut Case<'_>, above: bool) -> Option<Meant> {
    let plies = &case.situation.plies;
    let upto = 1 + case.dice.roll(plies.len() - 1);
    let old = case.write(&plies[..upto])?.text?;
    let quote = quoted(&old, &case.style, plies[upto - 1].stated.sent?);
    case.edit(|text| Some(if above { format!("{quote}\n{text}") } else { format!("{text}\n{quote}") }))?;
    Some(Meant::New)
}

fn all_quoted(case: &mut Case<'_>) -> Option<Meant> {
    let (style, day) = (case.style.clone(), case.letter.date);
    case.edit(|text| Some(quoted(text, &style, day)))?;
    Some(Meant::Unsure)
}

fn scanner(case: &mut Case<'_>) -> Option<Meant> {
    let other = case.another()?;
    let footer = format!(
        "---\nOutgoing mail is certified Virus Free.\nChecked by AVG anti-virus system (http://www.example.com).\n\
         Version: 6.0.{other} / Virus Database: {other} - Release Date: 10.10.2003"
    );
    case.edit(|text| Some(format!("{text}\n{footer}\n")))?;
    Some(Meant::New)
}
