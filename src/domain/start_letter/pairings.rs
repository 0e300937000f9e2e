//! Who has White against whom, as far as the letter says so: lists of pairs, games by name, a table of colours.
//!
//! Nothing is inferred from a scheme such as Berger's tables: what is not stated is asked for. In a pair the first has White.

use std::sync::LazyLock;

use super::players::{Entry, address, name, named, sides};
use crate::domain::pattern::Pattern;
use crate::domain::transmission::read::Line;

/// `2-1`, `3:4`, standing alone among blanks.
static PAIR: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"^\(?(\d{1,2})[-:x](\d{1,2})\)?[,;.]?$"));
/// What stands over or before pairs of numbers; the pairs follow a colon or the number of a round.
static HEADING: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)\b(?:pairings?|paarung(?:en)?|emparejamientos?|pareos|appariements?|white|wei(?:ß|ss)|blancas|blancs|(?:rondes?|rondas?|rounds?|runden?)\s*\d{0,2}|(?:games|partien|partidas|parties)\s*:)(?:[^:\d]*:)?",
    )
});
/// `You have White against 2, 4`; `Sie haben Weiß gegen 2 und 4`.
static AGAINST: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)\b(?:(white|wei(?:ß|ss)|blancas|blancs)|(black|schwarz|negras|noirs))\b[^\d.]{0,20}\b(?:against|gegen|contra|contre|vs)\b[^\d]{0,12}((?:\d{1,2}(?:\s*,\s*|\s+(?:and|und|y|et)\s+|\s+|\b))+)",
    )
});

/// A game of the event; both are places in the list of players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// Who has White.
    pub white: usize,
    /// Who has Black.
    pub black: usize,
    /// Where it stands.
    pub line: usize,
}

/// The form in which a letter states a game; it may use more than one, and they must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Numbers,
    Sides,
    Names,
    Table,
}

/// What a letter says of the colours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Colours {
    pub(super) pairings: Vec<Pairing>,
    /// Opponents of the reader, whom the letter calls "you": his side is White, or not.
    pub(super) yours: Vec<(bool, usize)>,
    /// What cannot be true.
    pub(super) troubles: Vec<String>,
    /// All statements in their order, and those that were compared.
    stated: Vec<(Form, Pairing)>,
    kept: Vec<(Form, Pairing)>,
}

impl Colours {
    pub(super) fn of(lines: &[Line<'_>], players: &[Entry]) -> Colours {
        let mut out = Colours::default();
        let mut is_section = false;
        let mut white: Option<usize> = None;
        for line in lines {
            let has_pairs = out.pairs(line, players, &mut is_section);
            if !has_pairs {
                out.named_sides(line, players, &mut white);
                out.named_pair(line, players);
                out.against(line, players);
            }
        }
        out.table(lines, players);
        out.compare(players);
        out
    }

    /// Each game once: two forms may state it, in the same way; one form must not state it twice.
    fn compare(&mut self, players: &[Entry]) {
        let name = |place: usize| players.get(place).map_or("", |player| player.name.as_str());
        for (form, pairing) in std::mem::take(&mut self.stated) {
            let Pairing { white, black, line } = pairing;
            let is_of_both = |p: &Pairing| (p.white, p.black) == (white, black) || (p.black, p.white) == (white, black);
            let same = |(_, p): &&(Form, Pairing)| (p.white, p.black) == (white, black);
            let trouble = if white == black {
                Some("a player is paired with himself".to_owned())
            } else if self.kept.iter().filter(same).any(|(other, _)| *other == form) {
                Some(format!("{} - {} is stated twice", name(white), name(black)))
            } else if !self.kept.iter().any(|k| same(&k))
                && self.kept.iter().any(|(other, p)| *other != form && is_of_both(p))
            {
                Some(format!("the colours of {} and {} are stated in two ways", name(white), name(black)))
            } else {
                None
            };
            self.troubles.extend(trouble.map(|why| format!("line {line}: {why}")));
            if !self.kept.iter().any(|k| same(&k)) {
                self.pairings.push(pairing);
            }
            self.kept.push((form, pairing));
        }
    }

    /// Pairs of numbers, below a heading or on a line of nothing else; true where there were any.
    fn pairs(&mut self, line: &Line<'_>, players: &[Entry], is_section: &mut bool) -> bool {
        let heading = HEADING.find(line.text);
        let behind = heading.and_then(|found| line.text.get(found.end()..)).unwrap_or(line.text);
        let text = behind.replace(" - ", "-").replace('|', " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_round = |word: &&str| word.trim_end_matches(['.', ':', ')']).chars().all(|c| c.is_ascii_digit());
        let is_pair = |word: &&str| PAIR.is_match(word);
        let only = words.iter().all(|word| is_pair(word) || is_round(word)) && words.iter().any(is_pair);
        let takes = only && (*is_section || heading.is_some());
        for found in words.iter().filter(|_| takes).filter_map(|word| PAIR.captures(word)) {
            let place = |at: usize| {
                let number: u32 = found.get(at)?.as_str().parse().ok()?;
                players.iter().position(|player| player.number == number)
            };
            match (place(1), place(2)) {
                (Some(white), Some(black)) => {
                    self.stated.push((Form::Numbers, Pairing { white, black, line: line.number }));
                }
                _ => {
                    let pair = found.get(0).map_or("", |m| m.as_str());
                    self.troubles.push(format!("line {}: {pair} has a number that no player has", line.number));
                }
            }
        }
        *is_section = heading.is_some() || (*is_section && (takes || words.is_empty()));
        takes
    }

    /// `White: Ada Lang <ada@example.org>   Black: Bo Ek`, on one line or two, also as tags of PGN.
    fn named_sides(&mut self, line: &Line<'_>, players: &[Entry], white: &mut Option<usize>) {
        for (is_white, value) in sides(line.text) {
            let by_address = address(value).and_then(|a| players.iter().position(|p| p.address.as_ref() == Some(&a)));
            let player = by_address.or_else(|| named(players, &name(&value.replace(['"', ']'], " "))));
            match (is_white, player, white.take()) {
                (true, player, _) => *white = player,
                (false, Some(black), Some(white)) => {
                    self.stated.push((Form::Sides, Pairing { white, black, line: line.number }));
                }
                (false, _, _) => {}
            }
        }
    }

    /// `Ada Lang - Bo Ek`, both of them players.
    fn named_pair(&mut self, line: &Line<'_>, players: &[Entry]) {
        if address(line.text).is_some() {
            return;
        }
        let Some((left, right)) = line.text.split_once(" - ") else { return };
        let bare =
            left.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '.' | ')' | ':'));
        let is_whole = |text: &str, player: usize| {
            players.get(player).is_some_and(|p| text.trim().chars().count() <= p.name.chars().count() + 8)
        };
        if let (Some(white), Some(black)) = (named(players, bare), named(players, right))
            && is_whole(bare, white)
            && is_whole(right, black)
        {
            self.stated.push((Form::Names, Pairing { white, black, line: line.number }));
        }
    }

    fn against(&mut self, line: &Line<'_>, players: &[Entry]) {
        for found in AGAINST.captures_iter(line.text) {
            let numbers = found.get(3).map_or("", |m| m.as_str());
            for number in numbers.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u32>().ok()) {
                let place = players.iter().position(|player| player.number == number);
                self.yours.extend(place.map(|place| (found.get(1).is_some(), place)));
            }
        }
    }

    /// A cross-table whose cells give the colours: `1 Ada Lang  x w b`.
    fn table(&mut self, lines: &[Line<'_>], players: &[Entry]) {
        let rows: Vec<(usize, Vec<char>, usize)> = lines.iter().filter_map(|line| row(line, players)).collect();
        let letters: Vec<char> = rows.iter().flat_map(|(_, cells, _)| cells.iter().copied()).collect();
        let has = |letter: char| letters.contains(&letter);
        // w/b and w/s are English and German, b/n is Spanish and French
        let white = match (has('w'), has('b'), has('s'), has('n')) {
            (true, true, false, false) | (true, false, true, false) => 'w',
            (false, true, false, true) => 'b',
            (false, false, false, false) => return,
            _ => {
                self.troubles.push("the letters of the table of colours are not clear".to_owned());
                return;
            }
        };
        let cell = |row: usize, column: usize| {
            let (_, cells, line) = rows.iter().find(|(player, _, _)| *player == row)?;
            Some((cells.get(column).copied().filter(|c| c.is_alphabetic() && *c != 'x')?, *line))
        };
        for (player, _, line) in &rows {
            for other in player + 1..players.len() {
                let (Some((colour, _)), Some((opposite, _))) = (cell(*player, other), cell(other, *player)) else {
                    continue;
                };
                if (colour == white) == (opposite == white) {
                    self.troubles.push(format!("line {line}: the table gives both players of a game the same colour"));
                    continue;
                }
                let (white, black) = if colour == white { (*player, other) } else { (other, *player) };
                self.stated.push((Form::Table, Pairing { white, black, line: *line }));
            }
        }
    }
}

/// A row of a table of colours: the player, one cell for each player, the line.
fn row(line: &Line<'_>, players: &[Entry]) -> Option<(usize, Vec<char>, usize)> {
    let text = line.text.replace('|', " ").to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let first: u32 = words.first()?.trim_end_matches(['.', ')', ':']).parse().ok()?;
    let player = players.iter().position(|p| p.number == first)?;
    let start = words.len().checked_sub(players.len()).filter(|start| *start >= 1)?;
    let cells: Vec<char> = words.get(start..)?.iter().map(|w| single(w)).collect::<Option<_>>()?;
    let is_cell = |c: &char| matches!(c, 'w' | 'b' | 's' | 'n' | 'x' | '-' | '*' | '.' | '#');
    let coloured = cells.iter().any(|c| matches!(c, 'w' | 'b' | 's' | 'n'));
    (players.len() >= 2 && coloured && cells.iter().all(is_cell)).then_some((player, cells, line.number))
}

fn single(word: &str) -> Option<char> {
    let mut chars = word.chars();
    chars.next().filter(|_| chars.next().is_none())
}
