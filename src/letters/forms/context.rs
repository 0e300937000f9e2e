//! What a template sees. The names are an interface: players write templates of their own by them (`amici forms`).

use chrono::NaiveDate;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use super::{Matter, Words};
use crate::config::Language;
use crate::domain::game::{MoveNumber, Side, Stated};
use crate::domain::transmission::compose::{BLANK_MOVE, COLUMNS, Labels, clip, sheet};
use crate::domain::transmission::{Correspondent, Transmission};

/// A date that is still to be filled in.
const BLANK_DATE: &str = "__.__.____";

/// One ply. Dates are ISO dates, for the filter `date`; what is not known is `none`.
#[derive(Debug, Clone, Serialize)]
struct Ply {
    /// `7.` or `6...`.
    number: String,
    /// In the notation of the game: letters where it agreed on them, else digits.
    #[serde(rename = "move")]
    written: String,
    numeric: String,
    san: String,
    received: Option<String>,
    sent: Option<String>,
    days: Option<u32>,
    total: Option<u32>,
}

/// A side: who has it, and the days of its last move with all its days.
#[derive(Debug, Clone, Serialize)]
struct Of {
    name: String,
    address: String,
    days: Option<u32>,
    total: Option<u32>,
}

#[derive(Debug, Serialize)]
struct Context<'a> {
    language: String,
    words: &'a std::collections::BTreeMap<String, String>,
    /// What stands between a label and its value.
    colon: &'a str,
    labels: &'a Labels,
    event: String,
    start: Option<String>,
    control: Option<String>,
    /// `Ostrander, Mila - Quillfeather, Tobin`
    pairing: String,
    white_player: Of,
    black_player: Of,
    /// The head and the table of the ICCF form.
    sheet: String,
    /// The seven tags of PGN, and the start position where it is another.
    tags: String,
    /// The whole game as PGN has it.
    score: String,
    plies: Vec<Ply>,
    his: Option<Ply>,
    own: Option<Ply>,
    /// Both sides, where their days are known.
    white: Option<Of>,
    black: Option<Of>,
    draw: bool,
    /// The lines offered, a sentence each.
    offers: Vec<String>,
    /// What is offered with the move: those lines, and the draw.
    closing: String,
}

impl Matter<'_> {
    /// What a template sees of it.
    pub(super) fn context(&self, language: Language, words: &Words) -> Value {
        let said = self.said;
        let mut plies = self.plies();
        let own = match self.blank {
            Some(received) => Some(self.blank_ply(received)),
            None => plies.last().cloned(),
        };
        let his = if self.blank.is_some() { plies.last() } else { plies.iter().rev().nth(1) };
        let his = his.cloned();
        let offers: Vec<String> = self.offered.iter().map(|line| self.offer(line, words)).collect();
        let mut closing = offers.concat();
        if said.draw_offer {
            closing.push_str(words.text("draw"));
        }
        let mut shown = said.clone();
        shown.control = said.control.as_deref().map(|control| words.control(control));
        let side = |side| self.player(side);
        let (white, black) = (side(Side::White), side(Side::Black));
        let timed = |of: &Of| of.total.is_some().then(|| of.clone());
        let score = self.score(own.as_ref().filter(|_| self.blank.is_some()));
        if self.blank.is_some() {
            plies.extend(own.clone());
        }
        Value::from(Serde(Context {
            language: language.to_string(),
            words: &words.text,
            colon: &words.sheet.colon,
            labels: &words.sheet,
            event: said.event.clone().unwrap_or_else(|| "-".to_owned()),
            start: said.start_date.map(iso),
            control: shown.control.clone(),
            pairing: pairing(said),
            white: timed(&white),
            black: timed(&black),
            white_player: white,
            black_player: black,
            sheet: sheet(&shown, &words.sheet, self.blank),
            tags: self.tags(),
            score,
            plies,
            his,
            own,
            draw: said.draw_offer,
            offers: offers.iter().map(|offer| offer.trim_end().to_owned()).collect(),
            closing,
        }))
    }

    fn plies(&self) -> Vec<Ply> {
        let written = self.written.iter().zip(&self.san);
        let ply = |(half, (written, san)): (&crate::domain::transmission::Half, (&String, &String))| {
            let Stated { received, sent, days, total } = half.stated;
            Ply {
                number: half.number.to_string(),
                written: written.clone(),
                numeric: half.numeric.to_string(),
                san: san.clone(),
                received: received.map(iso),
                sent: sent.map(iso),
                days,
                total,
            }
        };
        self.said.halves.iter().zip(written).map(ply).collect()
    }

    /// The reply that is still to be chosen.
    fn blank_ply(&self, received: Option<NaiveDate>) -> Ply {
        Ply {
            number: self.next().to_string(),
            written: BLANK_MOVE.to_owned(),
            numeric: BLANK_MOVE.to_owned(),
            san: BLANK_MOVE.to_owned(),
            received: received.map(iso),
            sent: Some(BLANK_DATE.to_owned()),
            days: None,
            total: None,
        }
    }

    /// The number after the last ply, which is the player's own where a reply is finished.
    fn next(&self) -> MoveNumber {
        let first = MoveNumber { number: 1, side: Side::White };
        self.said.halves.last().map_or(first, |last| last.number.plus(1))
    }

    fn player(&self, side: Side) -> Of {
        let said = self.said;
        let player = match side {
            Side::White => &said.white,
            Side::Black => &said.black,
        };
        let last = said.halves.iter().rev().find(|half| half.number.side == side);
        let stated = last.map(|half| half.stated).unwrap_or_default();
        let Correspondent { name, address } =
            player.clone().unwrap_or(Correspondent { name: "?".to_owned(), address: String::new() });
        Of { name, address, days: stated.days, total: stated.total }
    }

    /// `If 7... 4746 then 8. 5171 and if 8... 3847 then 9. 6152.`, wrapped.
    fn offer(&self, line: &[String], words: &Words) -> String {
        let mut text = String::new();
        for (index, written) in line.iter().enumerate() {
            let joint = match (index % 2, index) {
                (0, 0) => words.text("if"),
                (0, _) => words.text("and_if"),
                _ => words.text("then"),
            };
            text.push_str(&format!("{joint} {}{GLUE}{written}", self.next().plus(index)));
        }
        text.push('.');
        fill(text.split(' '), COLUMNS) + "\n"
    }

    /// The seven tags in their order (PGN 8.1.1), and where the game began if not at the beginning (9.7).
    fn tags(&self) -> String {
        let said = self.said;
        let date = said.start_date.map_or("????.??.??".to_owned(), |day| day.format("%Y.%m.%d").to_string());
        let (white, black) = (self.player(Side::White).name, self.player(Side::Black).name);
        let event = said.event.as_deref().unwrap_or("?");
        let site = Some(self.site.as_str()).filter(|site| !site.is_empty()).unwrap_or("?");
        let mut tags = vec![
            ("Event", event),
            ("Site", site),
            ("Date", &date),
            ("Round", "-"),
            ("White", &white),
            ("Black", &black),
            ("Result", "*"),
        ];
        tags.extend(self.start_fen.as_deref().into_iter().flat_map(|fen| [("SetUp", "1"), ("FEN", fen)]));
        let value = |text: &str| clip(text, COLUMNS).replace('\\', "\\\\").replace('"', "\\\"");
        tags.iter().map(|(name, text)| format!("[{name} \"{}\"]\n", value(text))).collect()
    }

    /// `1. d4 Nf6 2. c4 g6`, wrapped; a number and its move stay together.
    fn score(&self, blank: Option<&Ply>) -> String {
        let plies = self.said.halves.iter().map(|half| half.number).zip(self.written.iter().map(String::as_str));
        let blank = blank.map(|ply| (self.next(), ply.written.as_str()));
        let words = plies.chain(blank).enumerate().map(|(index, (number, written))| match number.side {
            Side::Black if index > 0 => written.to_owned(),
            Side::White | Side::Black => format!("{number}{GLUE}{written}"),
        });
        // the mark of the end may follow on the same line
        fill(words, COLUMNS - 2)
    }
}

/// A blank at which no line is broken.
const GLUE: char = '\u{a0}';

/// Words in lines of so many columns at most.
fn fill(words: impl Iterator<Item = impl AsRef<str>>, columns: usize) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        let length = word.as_ref().chars().count();
        if column > 0 && column + 1 + length > columns {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word.as_ref());
        column += length;
    }
    text.replace(GLUE, " ")
}

/// `Ostrander, Mila - Quillfeather, Tobin`, as far as it fits.
fn pairing(said: &Transmission) -> String {
    // digits of a name would be read as a move beside the one that is sent
    let spoken = |name: &str| {
        let is_word = |word: &&str| !word.chars().any(|c| c.is_ascii_digit());
        name.split_whitespace().filter(is_word).collect::<Vec<_>>().join(" ")
    };
    let name = |player: &Option<Correspondent>| player.as_ref().map_or("?".to_owned(), |player| spoken(&player.name));
    clip(&format!("{} - {}", name(&said.white), name(&said.black)), COLUMNS).into_owned()
}

fn iso(day: NaiveDate) -> String {
    day.to_string()
}
