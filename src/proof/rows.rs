//! A diff of two dumps in words: what stands on record, and what the mails and acts give, value by value.
//!
//! Of a row that stands in both under the same name (a move by its game and ply, a mail by its hash) only the values that differ are told.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::mail::text::one_line;

/// Tables of a dump with what a row of each is, and the columns that name it.
const TABLES: [(&str, &str, &[&str]); 22] = [
    ("games", "game", &["name"]),
    ("former_names", "former id", &["game", "name"]),
    ("players", "player", &["game", "side"]),
    ("addresses", "address of a player", &["game", "side", "position"]),
    ("moves", "move", &["game", "ply"]),
    ("conditionals", "conditional line", &["game", "position"]),
    ("leaves", "leave", &["game", "position"]),
    ("clock_notes", "note on the clock", &["game", "position"]),
    ("illegal_moves", "illegal move", &["game", "ply"]),
    ("notes", "private note", &["game", "ply", "text"]),
    ("seen_message_ids", "mail of the game by its Message-ID", &["game", "position"]),
    ("plans", "chosen move", &["game"]),
    ("mails", "mail", &["sha256"]),
    ("verdicts", "decision about a mail", &["mail", "game"]),
    ("sent", "mail of yours that was sent", &["mail", "game", "ply"]),
    ("bounces", "report that a mail came back", &["mail", "game", "ply"]),
    ("questions", "question to the opponent", &["letter"]),
    ("outbox", "letter to you", &["message_id"]),
    ("releases", "released move", &["message_id"]),
    ("sender_domains", "domain of a sender", &["address", "domain"]),
    ("changes", "change of the game", &["game"]),
    ("events", "line of the journal", &["game", "at", "kind", "text"]),
];

/// How much of a value is told.
const LONGEST: usize = 120;

/// One value, or a whole row, that stands otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Otherwise {
    /// Of which game, where the row has one.
    pub game: Option<String>,
    /// Of which ply, counted from 1.
    pub ply: Option<usize>,
    /// What it is: `move`, `move, settled total`.
    pub what: String,
    /// What stands on record; `None`: nothing.
    pub record: Option<String>,
    /// What comes out of the mails and acts; `None`: nothing.
    pub rebuilt: Option<String>,
}

/// A row of both texts, as far as it stands in each.
struct Row {
    record: Option<Map<String, Value>>,
    rebuilt: Option<Map<String, Value>>,
}

/// What the diff of two dumps (`-table {row}`, `+table {row}`) says, in the order of the tables.
pub fn in_words(diff: &str) -> Vec<Otherwise> {
    // rows of one name in one table, each side in its order
    let mut rows: BTreeMap<(usize, &str, String), Vec<Row>> = BTreeMap::new();
    for line in diff.lines() {
        let is_record = line.starts_with('-');
        let row = line.strip_prefix(['-', '+']).and_then(|line| line.split_once(' '));
        let Some((table, row)) = row else { continue };
        let row: Map<String, Value> = serde_json::from_str(row).unwrap_or_default();
        let index = TABLES.iter().position(|(name, ..)| *name == table).unwrap_or(TABLES.len());
        let names = TABLES.get(index).map_or(&[][..], |(.., names)| names);
        let name: Vec<String> = names.iter().map(|column| shown(&row, column).unwrap_or_default()).collect();
        let same = rows.entry((index, table, name.join("\n"))).or_default();
        match same.iter_mut().map(|one| one.side(is_record)).find(|side| side.is_none()) {
            Some(free) => *free = Some(row),
            None => {
                let (record, rebuilt) = if is_record { (Some(row), None) } else { (None, Some(row)) };
                same.push(Row { record, rebuilt });
            }
        }
    }
    let mut found = Vec::new();
    for ((index, table, _), same) in &rows {
        let (what, names) = TABLES.get(*index).map_or((*table, &[][..]), |(_, what, names)| (what, names));
        found.extend(same.iter().flat_map(|row| row.otherwise(what, names)));
    }
    found
}

impl Row {
    fn side(&mut self, is_record: bool) -> &mut Option<Map<String, Value>> {
        if is_record { &mut self.record } else { &mut self.rebuilt }
    }

    fn otherwise(&self, what: &str, names: &[&str]) -> Vec<Otherwise> {
        let either = self.record.as_ref().or(self.rebuilt.as_ref());
        let game = either.and_then(|row| shown(row, "game").or_else(|| shown(row, "name").filter(|_| what == "game")));
        let ply = either.and_then(|row| row.get("ply")?.as_u64()).and_then(|ply| usize::try_from(ply).ok());
        let told = |what: String, record, rebuilt| Otherwise { game: game.clone(), ply, what, record, rebuilt };
        match (&self.record, &self.rebuilt) {
            (Some(record), Some(rebuilt)) if record == rebuilt => {
                let brief = in_brief(record, names);
                vec![told(format!("{what}, its place among the others"), Some(brief.clone()), Some(brief))]
            }
            (Some(record), Some(rebuilt)) => {
                let columns = record.keys().filter(|column| record.get(*column) != rebuilt.get(*column));
                columns
                    .map(|column| {
                        told(format!("{what}, {}", words(column)), shown(record, column), shown(rebuilt, column))
                    })
                    .collect()
            }
            (record, rebuilt) => {
                let whole = |row: &Option<Map<String, Value>>| row.as_ref().map(|row| in_brief(row, names));
                vec![told(what.to_owned(), whole(record), whole(rebuilt))]
            }
        }
    }
}

/// A value as it is told; `None` for none.
fn shown(row: &Map<String, Value>, column: &str) -> Option<String> {
    match row.get(column)? {
        Value::Null => None,
        Value::String(text) => Some(one_line(text, LONGEST)),
        other => Some(one_line(&other.to_string(), LONGEST)),
    }
}

/// The values of a row that stands on one side alone, but for its game and ply.
fn in_brief(row: &Map<String, Value>, names: &[&str]) -> String {
    let is_place = |column: &str| matches!(column, "game" | "ply" | "position") && names.contains(&column);
    let values = row.keys().filter(|column| !is_place(column));
    let values: Vec<String> =
        values.filter_map(|column| Some(format!("{} {}", words(column), shown(row, column)?))).collect();
    one_line(&values.join(", "), LONGEST)
}

/// A column in words: what the mover stated, what was settled.
fn words(column: &str) -> String {
    let column = match column.split_once('_') {
        Some(("claimed", rest)) => format!("stated {rest}"),
        Some(("agreed", rest)) => format!("settled {rest}"),
        _ => column.to_owned(),
    };
    column.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(diff: &str) -> Vec<String> {
        let nothing = || "nothing".to_owned();
        let line = |one: Otherwise| {
            let place = format!("{} {:?}", one.game.unwrap_or_default(), one.ply);
            format!(
                "{place} {}: {} / {}",
                one.what,
                one.record.unwrap_or_else(nothing),
                one.rebuilt.unwrap_or_else(nothing)
            )
        };
        in_words(diff).into_iter().map(line).collect()
    }

    #[test]
    fn of_a_row_on_both_sides_the_values_that_differ_are_told_and_else_the_row() {
        let diff = "@@ -7,2 +7 @@\n\
            -moves {\"game\":\"EM-1\",\"ply\":3,\"numeric\":\"5254\",\"claimed_days\":2,\"agreed_total\":12}\n\
            -moves {\"game\":\"EM-1\",\"ply\":4,\"numeric\":\"5755\",\"claimed_days\":null,\"agreed_total\":null}\n\
            +moves {\"game\":\"EM-1\",\"ply\":3,\"numeric\":\"5254\",\"claimed_days\":null,\"agreed_total\":14}\n\
            @@ -90,0 +91 @@\n\
            +leaves {\"game\":\"EM-1\",\"position\":0,\"side\":\"black\",\"from_day\":\"2026-03-01\",\"announced\":null}\n\
            -games {\"name\":\"EM-2\",\"result\":\"1-0\"}\n\
            +games {\"name\":\"EM-2\",\"result\":null}\n";
        assert_eq!(
            told(diff),
            [
                "EM-2 None game, result: 1-0 / nothing",
                "EM-1 Some(3) move, stated days: 2 / nothing",
                "EM-1 Some(3) move, settled total: 12 / 14",
                "EM-1 Some(4) move: numeric 5755 / nothing",
                "EM-1 None leave: nothing / side black, from day 2026-03-01",
            ]
        );
    }

    #[test]
    fn rows_of_one_name_are_paired_in_their_order_and_none_is_lost() {
        let row = |sign: &str, at: &str| {
            format!("{sign}events {{\"game\":null,\"at\":\"{at}\",\"kind\":\"note\",\"text\":\"x\"}}\n")
        };
        let twice = row("-", "1") + &row("-", "1") + &row("+", "1");
        let left = told(&twice);
        let moved =
            " None line of the journal, its place among the others: at 1, kind note, text x / at 1, kind note, text x";
        assert_eq!(left, [moved, " None line of the journal: at 1, kind note, text x / nothing"]);
        assert_eq!(
            told("+stars {\"game\":\"EM-1\",\"ply\":2}\n"),
            ["EM-1 Some(2) stars: nothing / game EM-1, ply 2"],
            "a new table"
        );
    }
}
