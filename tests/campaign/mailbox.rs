//! A mailbox with running games among other mails: `amici adopt --mailbox --yes` must make of it the games that are played, and no other.
//!
//! `AMICI_MAILBOX_MAILS` sets how many mails (a game for each 150 of them), `AMICI_CORPUS_SEED` which. The time is printed. With
//! `AMICI_MAILBOX_KEEP=DIR` the mailbox is written there and stays, for a server or for your eyes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use amici::domain::game::Side;
use chrono::{Datelike, Days, NaiveDate};
use serde_json::Value;

use crate::game::{Dice, Ply, Situation, situation};
use crate::layouts::{self, Dates, Layout, Style};
use crate::letter::Letter;
use crate::number;
use crate::words::{self, Words};

const ME: &str =
    "[me]\nname = \"Quillfeather, Tobin\"\nemails = [\"tobin.q@example.net\"]\ntimezone = \"Europe/Vienna\"\n";
const OWN: &str = "Tobin Quillfeather <tobin.q@example.net>";
/// Each shows the whole game.
const LAYOUTS: [&str; 8] = [
    "composed",
    "two-sided table",
    "pipes with numbers",
    "semicolons",
    "html table",
    "half-moves with sides",
    "running score",
    "pgn",
];
const LANGUAGES: [&str; 3] = ["en", "de", "es"];
/// Of each game the last so many mails.
const MAILS: usize = 14;
const GIVEN: [&str; 10] = ["Anton", "Beata", "Carlos", "Dora", "Emil", "Fatima", "Gustav", "Hanna", "Igor", "Jana"];
const FAMILY: [&str; 6] = ["Adler", "Novotny", "Quiroga", "Lindqvist", "Petersen", "Zeman"];

/// A game that is played.
struct Played {
    plies: Vec<Ply>,
    me: Side,
    name: String,
    address: String,
    event: String,
}

fn layout(name: &str) -> &'static Layout {
    layouts::ALL.iter().find(|layout| layout.name == name).unwrap()
}

fn language(code: &str) -> &'static Words {
    words::ALL.iter().find(|words| words.code == code).unwrap()
}

/// A running game of 12 to 70 plies whose last move was sent on that day or a little before.
fn played(seed: u64, index: usize, last: NaiveDate) -> Played {
    let fits = |situation: &Situation| (12..70).contains(&situation.plies.len()) && !situation.lines.is_empty();
    let dice = |again: u64| Dice::of(&[seed, index as u64, again, 7]);
    let found = (0..).map(|again| situation(&mut dice(again))).find(fits).unwrap();
    let mut plies = found.plies;
    let end = plies.last().unwrap().stated.sent.unwrap();
    let shift = (last - end).num_days();
    let moved = |day: Option<NaiveDate>| day.map(|day| day + chrono::TimeDelta::days(shift));
    for ply in &mut plies {
        (ply.stated.received, ply.stated.sent) = (moved(ply.stated.received), moved(ply.stated.sent));
    }
    let me = if index.is_multiple_of(2) { Side::White } else { Side::Black };
    let (given, family) = (GIVEN[index % GIVEN.len()], FAMILY[index % FAMILY.len()]);
    Played {
        plies,
        me,
        name: format!("{given} {family}"),
        address: format!("{}.{}{index}@example.org", given.to_lowercase(), family.to_lowercase()),
        event: format!("EM/2026/{}", 100 + index / 3),
    }
}

impl Played {
    /// The mail of a ply: the bytes, and whether it is the player's own.
    fn mail(&self, index: usize, at: usize) -> (Vec<u8>, bool) {
        let plies = &self.plies[..=at];
        let words = language(LANGUAGES[index % LANGUAGES.len()]);
        // years are written where a layout can have them: a game of a year is dated by them
        let style = Style { words, dates: [Dates::Full, Dates::Iso][index % 2], seed: at as u64 };
        let mut letter = (layout(LAYOUTS[index % LAYOUTS.len()]).write)(plies, &style).unwrap();
        let is_mine = plies[at].number.side == self.me;
        letter.date = plies[at].stated.sent.unwrap();
        let him = format!("{} <{}>", self.name, self.address);
        (letter.from, letter.to) = if is_mine { (OWN.to_owned(), him) } else { (him, OWN.to_owned()) };
        // the layouts call the sender Mila Ostrander
        let name = |text: &str| {
            let parts: Vec<&str> = self.name.split(' ').collect();
            let family_first = format!("{}, {}", parts[1], parts[0]);
            let (from, to) = match is_mine {
                true => ("Quillfeather, Tobin".to_owned(), family_first),
                false => (family_first, "Quillfeather, Tobin".to_owned()),
            };
            text.replace("Ostrander, Mila", "\u{1}")
                .replace("Quillfeather, Tobin", &to)
                .replace('\u{1}', &from)
                .replace("EM/ZZ/042", &self.event)
        };
        letter.subject = format!("Re: {} {}", self.event, plies[at].number.number);
        for text in [&mut letter.text, &mut letter.html].into_iter().flatten() {
            *text = name(text);
        }
        (dated(&letter, &format!("g{index}.{at}")), is_mine)
    }
}

/// The bytes of a letter as they lie in a mailbox.
fn dated(letter: &Letter, id: &str) -> Vec<u8> {
    let text = String::from_utf8(letter.bytes()).unwrap();
    let date = letter.date;
    let received = format!(
        "Received: from mx.example.org by mail.example.net; {}, {} {} {} 18:05:00 +0000\r\n",
        date.weekday(),
        date.day(),
        date.format("%b"),
        date.year()
    );
    (received + &text.replace("<case@mail.example.net>", &format!("<{id}@mail.example.net>"))).into_bytes()
}

/// A mail of somebody about something else.
fn other(dice: &mut Dice, at: usize, day: NaiveDate, games: &[Played]) -> (Vec<u8>, bool) {
    let texts = [
        "Your invoice 20143 of 12.11.2026 over 47.50 EUR is attached. Call us: 0043 1 5864 2217.",
        "Lieber Tobin,\n\nwir treffen uns am 4.12. um 18:30 Uhr. Zimmer 2143, Telefon 7854 1263.\n\nGruß",
        "Hola Tobin:\n\nmañana no puedo, mejor el 3 de diciembre a las 17:15. Un abrazo.",
        "Game of the week: 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0",
        "[Event \"Candidates\"]\n[White \"One\"]\n[Black \"Two\"]\n[Result \"1/2-1/2\"]\n\n1. d4 Nf6 2. c4 e6 3. Nf3 d5 1/2-1/2",
        "What do you think of 12. Nd5 in that line? I looked at it again, it is better than 12. Bg5.",
        "Build 5254 of branch main failed, 3 of 812 tests. See https://example.com/2836/5171.",
        "Minutes of the meeting: 1. Welcome 2. Money 3. Any other business. Next time: 7 January, 19.00.",
    ];
    let mut letter = Letter::text(*dice.pick(&texts));
    letter.date = day;
    letter.subject = (*dice.pick(&["Hello", "Invoice", "Re: Sunday", "News 1726", "[list] digest"])).to_owned();
    let is_mine = dice.one_in(6);
    let stranger = match games.is_empty() || !dice.one_in(20) {
        true => format!("Person {} <p{}@example.com>", at % 40, at % 40),
        // he writes about something else, too
        false => {
            letter.text = Some("Many thanks, and greetings to your family! We had snow on Sunday.".to_owned());
            let game = dice.pick(games);
            format!("{} <{}>", game.name, game.address)
        }
    };
    (letter.from, letter.to) = if is_mine { (OWN.to_owned(), stranger) } else { (stranger, OWN.to_owned()) };
    (dated(&letter, &format!("o{at}")), is_mine)
}

/// Writes the mailbox, and gives what is played in it.
fn write(root: &Path, seed: u64, mails: usize) -> Vec<Played> {
    let sent = root.join(".Sent");
    for folder in [root, &sent] {
        ["cur", "new", "tmp"].iter().for_each(|part| fs::create_dir_all(folder.join(part)).unwrap());
    }
    let today = NaiveDate::from_ymd_opt(2026, 11, 24).unwrap();
    let day = |back: usize| today - Days::new(back as u64);
    let games: Vec<Played> = (0..mails.div_ceil(150).max(4)).map(|index| played(seed, index, day(index % 9))).collect();
    let mut all: Vec<(Vec<u8>, bool)> = Vec::new();
    for (index, game) in games.iter().enumerate() {
        let first = game.plies.len().saturating_sub(MAILS);
        all.extend((first..game.plies.len()).map(|at| game.mail(index, at)));
    }
    let mut dice = Dice::of(&[seed, 11]);
    for at in all.len()..mails {
        // older than the last move of every game: what an opponent writes behind that is asked about as ever
        let back = 10 + dice.roll(320);
        all.push(other(&mut dice, at, day(back), &games));
    }
    for (at, (bytes, is_mine)) in all.into_iter().enumerate() {
        let folder = if is_mine { &sent } else { root };
        fs::write(folder.join("cur").join(format!("{at}.host:2,S")), bytes).unwrap();
    }
    games
}

struct Desk {
    folder: PathBuf,
}

impl Desk {
    fn amici(&self, args: &[&str]) -> (String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_amici"));
        command.arg("--config").arg(self.folder.join("config.toml")).arg("--data").arg(self.folder.join("data"));
        let output = command.args(args).env_remove("RUST_LOG").output().unwrap();
        let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert!(output.status.success(), "amici {args:?}: {out}{err}");
        (out, err)
    }
}

#[test]
fn a_mailbox_gives_the_games_that_are_played_and_no_other() {
    let seed = number("AMICI_CORPUS_SEED", 1);
    let mails = usize::try_from(number("AMICI_MAILBOX_MAILS", 240)).unwrap();
    let place = tempfile::tempdir().unwrap();
    let kept = std::env::var_os("AMICI_MAILBOX_KEEP").map(PathBuf::from);
    let desk = Desk { folder: kept.unwrap_or_else(|| place.path().to_owned()) };
    let root = desk.folder.join("Maildir");
    let games = write(&root, seed, mails);
    let maildir = format!("{ME}[maildir]\npath = \"{}\"\npoll = \"1h\"\n", root.display());
    fs::write(desk.folder.join("config.toml"), maildir).unwrap();

    let begun = Instant::now();
    let (said, _) = desk.amici(&["adopt", "--mailbox", "--yes"]);
    println!("{} games among {mails} mails: {:.1} s", games.len(), begun.elapsed().as_secs_f64());
    println!("{said}");
    let document: Value = serde_json::from_str(&desk.amici(&["export", "--format", "json"]).0).unwrap();
    let mut made: BTreeMap<String, &Value> = BTreeMap::new();
    for game in document["games"].as_array().unwrap() {
        let his = if game["me"] == "white" { "black" } else { "white" };
        let address = game[his]["emails"][0].as_str().unwrap().to_owned();
        assert!(made.insert(address, game).is_none(), "two games of one opponent: {game:#}");
    }
    for game in &games {
        let found = made.remove(&game.address).unwrap_or_else(|| panic!("no game of {}: {said}", game.address));
        let numeric = |record: &Value| record["numeric"].as_str().unwrap().to_owned();
        let moves: Vec<String> = found["moves"].as_array().unwrap().iter().map(numeric).collect();
        let played: Vec<String> = game.plies.iter().map(|ply| ply.numeric.to_string()).collect();
        assert_eq!(moves, played, "{}", game.address);
        assert_eq!(
            (&found["event"], &found["me"]),
            (&game.event.as_str().into(), &game.me.name().to_lowercase().into())
        );
    }
    assert!(made.is_empty(), "{made:#?}");

    // neither the mails that they were made of nor any older ones are asked about
    desk.amici(&["poll"]);
    let held: Value = serde_json::from_str(&desk.amici(&["review", "--json"]).0).unwrap();
    assert_eq!(held["held"], serde_json::json!([]), "{held:#}");
    let after: Value = serde_json::from_str(&desk.amici(&["export", "--format", "json"]).0).unwrap();
    let moves = |document: &Value| -> Vec<usize> {
        document["games"].as_array().unwrap().iter().map(|game| game["moves"].as_array().unwrap().len()).collect()
    };
    assert_eq!(moves(&after), moves(&document));
    let again = desk.amici(&["adopt", "--mailbox", "--yes"]).0;
    assert!(again.contains("Nothing was created."), "{again}");
}
