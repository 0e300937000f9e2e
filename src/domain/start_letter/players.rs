//! The list of players of a start letter: number, name, address, one player to a line or with his address on the next.
//!
//! Whoever has an address is a player, unless his line calls him the director; a numbered row between two players without an
//! address is one too, and the address is asked for. Countries and ratings are left out. Addresses are not checked here.

use std::sync::LazyLock;

use crate::domain::adopt::{name_words, without_towns};
use crate::domain::pattern::Pattern;
use crate::domain::transmission::read::Line;

static ADDRESS: LazyLock<Pattern> =
    LazyLock::new(|| Pattern::new(r"[A-Za-z0-9!#$%&'*+/=?^_`{}~.-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"));
/// ` 3. Niemitz, Detlev`, `| 3 | Niemitz`, `#3 Niemitz`
static NUMBERED: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"^[\s|#]*(\d{1,2})\s*[.):|]?\s*[|]?\s+(\pL.*)$"));
static OFFICIAL: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)\b(?:td|tl|tournament\s+(?:director|secretary)|director|directeur|arbit(?:er|re)|[áa]rbitro|turnierleiter(?:in)?|spielleiter(?:in)?|secretary|organi[sz]er|reports?\s+to|cc)\b",
    )
});
/// `E-mail: x@example.org`, and nothing else that could be a name.
static ONLY_ADDRESS: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(r"(?i)^\W*(?:e-?mail|mail|address|adresse|correo|courriel|direcci[óo]n)?\s*[:=]?\W*$")
});
/// The head of a quoted mail, a tag of PGN.
static HEAD: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(r"(?i)^\W*(?:from|to|cc|bcc|reply-to|subject|von|an|betreff|de|à|para|asunto|objet)\s*:|^\s*\[\w")
});
/// `2004. 5254 5755`: a row of moves is no row of players.
static MOVES: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"\b[1-8]{4}\b.*\b[1-8]{4}\b"));

/// A longer list is no section's.
const MOST: usize = 99;

/// A player of the event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// His number in the letter, or his place in its list where it gives none.
    pub number: u32,
    /// His name as the letter writes it.
    pub name: String,
    /// His address, as written; the caller checks it.
    pub address: Option<String>,
    /// Where he stands.
    pub line: usize,
}

/// The first address of a text.
pub(super) fn address(text: &str) -> Option<String> {
    ADDRESS.find(text).map(|found| found.as_str().trim_end_matches('.').to_owned())
}

/// All players of a letter, by their numbers.
pub(super) fn players(lines: &[Line<'_>]) -> Vec<Entry> {
    let mut rows: Vec<(Option<u32>, Entry)> = Vec::new();
    let cells = lines.iter().flat_map(|line| {
        let sides = sides(line.text).into_iter().map(|(_, value)| value).collect::<Vec<_>>();
        let cells = if sides.is_empty() { vec![line.text] } else { sides };
        cells.into_iter().map(|text| Line { number: line.number, text })
    });
    let others = [&MOVES, &OFFICIAL, &HEAD];
    for line in cells.filter(|line| !others.iter().any(|other| other.is_match(line.text))) {
        let found = address(line.text);
        let bare = ADDRESS.replace_all(line.text, |_| " | ".to_owned());
        if let (Some(address), true) = (&found, ONLY_ADDRESS.is_match(&bare.replace(['|', '<', '>'], " "))) {
            // the address of the player on the line above
            if let Some((_, last)) =
                rows.last_mut().filter(|(_, last)| last.line + 3 > line.number && last.address.is_none())
            {
                last.address = Some(address.clone());
            }
            continue;
        }
        let (number, rest) = match NUMBERED.captures(&bare) {
            Some(row) => {
                (row.get(1).and_then(|n| n.as_str().parse().ok()), row.get(2).map_or("", |m| m.as_str()).to_owned())
            }
            None => (None, bare.to_string()),
        };
        let name = name(&rest);
        let is_row = !name.is_empty() && (found.is_some() || number.is_some());
        if is_row {
            rows.push((number, Entry { number: 0, name, address: found, line: line.number }));
        }
    }
    let with_address = |(number, entry): &&(Option<u32>, Entry)| number.is_some() && entry.address.is_some();
    let has_numbers = rows.iter().filter(with_address).count() >= 2;
    let first = rows.iter().find(with_address).map_or(0, |(_, entry)| entry.line);
    let last = rows.iter().rfind(with_address).map_or(0, |(_, entry)| entry.line);
    let mut out: Vec<Entry> = Vec::new();
    for (number, mut entry) in rows {
        let belongs = match (number, has_numbers) {
            (Some(_), true) => entry.address.is_some() || (entry.line + 2 >= first && entry.line <= last + 2),
            (None, true) => false,
            (_, false) => entry.address.is_some() && is_plain_name(&entry.name),
        };
        let is_new = !out.iter().any(|known| known.address.is_some() && known.address == entry.address);
        if belongs && is_new {
            entry.number = number.filter(|_| has_numbers).unwrap_or(u32::try_from(out.len()).unwrap_or(0) + 1);
            out.push(entry);
        }
    }
    if out.len() > MOST {
        return Vec::new();
    }
    let mut names: Vec<String> = out.iter_mut().map(|entry| std::mem::take(&mut entry.name)).collect();
    without_towns(&mut names, &[]);
    out.iter_mut().zip(names).for_each(|(entry, name)| entry.name = name);
    out.sort_by_key(|entry| entry.number);
    out
}

/// The name at the beginning of a row: without title of the column, country, rating.
pub(super) fn name(text: &str) -> String {
    let cells = text.split(['|', '<', '(', '[', ';', '\t']).flat_map(|part| part.split("  "));
    let trimmed = |cell: &str| cell.trim_matches(|c: char| !c.is_alphabetic() && c != '.').trim().to_owned();
    let is_country = |word: &str| word.len() == 3 && word.chars().all(|c| c.is_ascii_uppercase());
    let is_name = |cell: &String| cell.chars().filter(|c| c.is_alphabetic()).count() >= 2 && !is_country(cell);
    let cell = cells.map(trimmed).find(is_name).unwrap_or_default();
    let mut words: Vec<&str> = cell.split_whitespace().collect();
    while words.len() > 1
        && words.last().is_some_and(|w| is_country(w.trim_matches(',')) || w.chars().all(|c| !c.is_alphabetic()))
    {
        words.pop();
    }
    let name = words.join(" ").trim_end_matches([',', '.', ':', '-']).to_owned();
    if name.chars().count() > 60 || words.len() > 6 { String::new() } else { name }
}

/// Whether a text without a number beside it is a name and no sentence: up to five words with capitals, particles aside.
fn is_plain_name(name: &str) -> bool {
    const PARTICLES: [&str; 24] = [
        "de", "da", "do", "dos", "das", "del", "della", "di", "du", "la", "le", "van", "von", "der", "den", "ter",
        "ten", "zu", "y", "e", "al", "bin", "ibn", "af",
    ];
    let words: Vec<&str> = name.split_whitespace().collect();
    let is_part = |word: &&str| PARTICLES.contains(word) || word.starts_with(|c: char| !c.is_lowercase());
    words.len() <= 5 && words.iter().all(is_part)
}

/// The one player that a text names: all words of one name stand in the other.
pub(super) fn named(players: &[Entry], text: &str) -> Option<usize> {
    let words = name_words(text);
    let within = |a: &[String], b: &[String]| !a.is_empty() && a.iter().all(|word| b.contains(word));
    let mut fitting = players.iter().enumerate().filter(|(_, player)| {
        let own = name_words(&player.name);
        within(&words, &own) || within(&own, &words)
    });
    match (fitting.next(), fitting.next()) {
        (Some((index, _)), None) => Some(index),
        _ => None,
    }
}

static SIDE: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)(?:^|[\s|,;(])\[?(?:(white|wei(?:ß|ss)|blancas|blancs|bianco)|(black|schwarz|negras|noirs|nero))(?:\s*[:=]\s*|\s+\x22)",
    )
});

/// What stands after the words for White and Black on a line, each up to the next: true for White.
pub(super) fn sides(text: &str) -> Vec<(bool, &str)> {
    let labels: Vec<(bool, usize, usize)> = SIDE
        .captures_iter(text)
        .filter_map(|found| found.get(0).map(|whole| (found.get(1).is_some(), whole.start(), whole.end())))
        .collect();
    let ends = labels.iter().skip(1).map(|(_, start, _)| *start).chain([text.len()]);
    let value = |((white, _, from), until): (&(bool, usize, usize), usize)| Some((*white, text.get(*from..until)?));
    labels.iter().zip(ends).filter_map(value).collect()
}
