//! Lines that somebody put into accepted mails: harmless ones shall change nothing, and no move be recorded beside one that takes it
//! back, denies it, leaves it open or gives it to somebody else. `tests/corpus/lines` holds them; their authors had not seen the reader.
//!
//! `AMICI_LINES=all cargo test --release --test suite corpus::lines -- --nocapture` puts every line into every mail, and
//! `AMICI_LINES=3` into three mails; the ordinary run puts it into one mail. `AMICI_LINES_SHOW=1` prints what changed.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;

use amici::config::Me;
use amici::domain::judge::Verdict;
use amici::intake::which::Thread;
use amici::mail::message::parse;
use amici::mail::quote::{Kind, split};
use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use super::{catalogue, player};
use crate::which::decided;

/// The harmless lines of three hands, and of a thousand those that change nothing; it only rises.
const HARMLESS: [(&str, usize); 3] = [("harmless.tsv", 970), ("harmless_second.tsv", 980), ("harmless_third.tsv", 965)];
/// The words that take a move back, of three hands, and of a thousand those beside which it is recorded all the same; it only falls, and
/// must come to none. No line of these hands is among the examples that the reader has learnt from; those of the third speak in pictures.
const RECORDED: [(&str, usize); 3] = [("doubts.tsv", 25), ("doubts_second.tsv", 75), ("doubts_third.tsv", 215)];

/// An accepted mail as plain text.
pub(super) struct Accepted {
    pub(super) name: String,
    pub(super) me: Me,
    pub(super) threads: Vec<Thread>,
    pub(super) at: DateTime<Utc>,
    head: String,
    pub(super) lines: Vec<String>,
    /// The line of the move, counted from 0.
    moved: usize,
    /// Where his own words below it end: a signature or a quotation begins there, or nothing follows.
    end: usize,
    pub(super) plies: Vec<String>,
}

impl Accepted {
    pub(super) fn mail(&self, lines: &[String]) -> Vec<u8> {
        format!("{}\r\n\r\n{}\r\n", self.head, lines.join("\r\n")).into_bytes()
    }

    /// The plies that the mail gives with these lines, and what is said of it otherwise.
    fn outcome(&self, lines: &[String]) -> Result<Vec<String>, String> {
        let decision = decided(&self.mail(lines), &self.me, &self.threads, self.at);
        let first = decision.judgements.first().map(|j| &j.verdict);
        match first {
            Some(Verdict::Accepted(accepted)) if !accepted.draw_offer => {
                Ok(accepted.plies().iter().map(ToString::to_string).collect())
            }
            Some(verdict) => Err(format!("{}: {}", verdict.outcome(), verdict.reason())),
            None => Err("nothing".to_owned()),
        }
    }

    /// The mail with a line at a place; `None` where it has no such place.
    pub(super) fn with(&self, line: &str, place: &str) -> Option<Vec<String>> {
        let mut lines = self.lines.clone();
        let own = |text: &str| text.to_owned();
        match place {
            "top" => drop(lines.splice(0..0, [own(line), String::new()])),
            "greeting" => {
                let first = lines.first().filter(|first| first.trim_end().ends_with([',', '!']) && self.moved > 0)?;
                assert!(!first.is_empty());
                drop(lines.splice(1..1, [String::new(), own(line), String::new()]));
            }
            "above" => drop(lines.splice(self.moved..self.moved, [own(line)])),
            "below" => drop(lines.splice(self.moved + 1..self.moved + 1, [own(line)])),
            "apart" => drop(lines.splice(self.moved + 1..self.moved + 1, [String::new(), own(line), String::new()])),
            "end" => drop(lines.splice(self.end..self.end, [String::new(), own(line), String::new()])),
            "signature" => drop(lines.splice(self.end.., [own("-- "), own(line)])),
            "beside" => lines[self.moved] = format!("{} {line}", lines[self.moved].trim_end()),
            other => panic!("no place {other}"),
        }
        Some(lines)
    }
}

/// The accepted mails of the catalogue, as far as their plain text alone is accepted as well.
pub(super) fn accepted() -> Vec<Accepted> {
    let mut found = Vec::new();
    for (name, raw, threads, at) in catalogue::mails() {
        let me = player(&threads[0].game);
        let Ok(message) = parse(&raw) else { continue };
        let Some(text) = &message.plain else { continue };
        let decision = decided(&raw, &me, &threads, at);
        let [judgement] = decision.judgements.as_slice() else { continue };
        let Verdict::Accepted(accepted) = &judgement.verdict else { continue };
        let digits = accepted.numeric.to_string();
        let cut = split(text.trim_end());
        let of_move = cut.lines.iter().rfind(|line| line.kind == Kind::Own && line.text.contains(&digits));
        let Some(moved) = of_move.map(|line| line.number - 1) else { continue };
        let below = cut.lines.iter().skip(moved + 1);
        let end = below.take_while(|line| line.kind == Kind::Own).last().map_or(moved + 1, |line| line.number);
        let head = String::from_utf8_lossy(&raw).replace("\r\n", "\n");
        let head = head.split("\n\n").next().unwrap_or_default().to_owned();
        let mut kept = String::new();
        let mut keeps = false;
        for line in head.lines() {
            if !line.starts_with([' ', '\t']) {
                let field = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
                keeps = ["from", "to", "date", "subject", "message-id", "in-reply-to", "references"]
                    .contains(&field.as_str());
            }
            if keeps {
                kept.push_str(line);
                kept.push_str("\r\n");
            }
        }
        kept.push_str(
            "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit",
        );
        let lines: Vec<String> = text.trim_end().lines().map(str::to_owned).collect();
        let plies: Vec<String> = accepted.plies().iter().map(ToString::to_string).collect();
        let mail = Accepted { name, me, threads, at, head: kept, lines, moved, end, plies };
        if mail.outcome(&mail.lines).as_ref() == Ok(&mail.plies) {
            found.push(mail);
        }
    }
    found
}

/// A line of a list: its language, its kind, and its text.
struct Given {
    language: String,
    places: Vec<&'static str>,
    text: String,
}

fn lines_of(file: &str, places: impl Fn(&[&str]) -> Vec<&'static str>) -> Vec<Given> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/lines").join(file);
    let text = fs::read_to_string(path).unwrap();
    let of_line = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let places = places(&cells);
        Given { language: cells[0].to_owned(), places, text: cells.last().unwrap().to_string() }
    };
    text.lines().filter(|line| !line.trim().is_empty()).map(of_line).collect()
}

/// What a run over all lines came to, by place and by language: unchanged, and all.
#[derive(Default)]
struct Table(BTreeMap<String, (usize, usize)>);

impl Table {
    fn add(&mut self, key: &str, holds: bool) {
        let cell = self.0.entry(key.to_owned()).or_default();
        cell.0 += usize::from(holds);
        cell.1 += 1;
    }

    #[allow(clippy::print_stdout, reason = "the figures are the point")]
    fn print(&self) {
        for (key, (holds, all)) in &self.0 {
            println!("    {key:12} {holds:6} of {all:6}");
        }
    }
}

#[allow(clippy::print_stdout, reason = "the figures are the point")]
/// Puts each line into mails, each at its places; `holds` tells whether the outcome is as it should be.
fn run(
    given: &[Given],
    holds: impl Fn(&Accepted, &Result<Vec<String>, String>) -> bool,
) -> (usize, usize, Vec<String>) {
    let mails = accepted();
    assert!(mails.len() >= 60, "{} mails", mails.len());
    let wanted = env::var("AMICI_LINES").ok();
    let some = match wanted.as_deref() {
        None => 1,
        Some("all") => mails.len(),
        Some(number) => number.parse().expect("AMICI_LINES is a number or `all`"),
    };
    let mut table = Table::default();
    let (mut good, mut count, mut changed) = (0, 0, Vec::new());
    for line in given {
        // other mails for each line; one more accepted mail changes the pairs of few lines (rendezvous hashing)
        let mut mails: Vec<&Accepted> = mails.iter().collect();
        mails.sort_by_cached_key(|mail| Sha256::digest(format!("{} {}", line.text, mail.name)));
        for place in &line.places {
            for mail in mails.iter().take(some) {
                let Some(lines) = mail.with(&line.text, place) else { continue };
                let outcome = mail.outcome(&lines);
                let is_good = holds(mail, &outcome);
                table.add(place, is_good);
                table.add(&line.language, is_good);
                good += usize::from(is_good);
                count += 1;
                if !is_good {
                    let said = outcome.map_or_else(|reason| reason, |plies| plies.join(" "));
                    changed.push(format!("{} {place} of {}: {} -- {said}", line.language, mail.name, line.text));
                }
            }
        }
    }
    table.print();
    if env::var_os("AMICI_LINES_SHOW").is_some() {
        println!("{}", changed.join("\n"));
    }
    (good, count, changed)
}

#[test]
fn harmless_lines_change_nothing() {
    for (file, least) in HARMLESS {
        let given = lines_of(file, |cells| match cells[1] {
            "top" => vec!["top"],
            "body" => vec!["top", "greeting", "above", "below", "apart", "end"],
            "end" => vec!["end"],
            "beside" => vec!["beside"],
            other => panic!("no place {other}"),
        });
        assert!(given.len() >= 150);
        let (good, count, _) = run(&given, |mail, outcome| outcome.as_ref() == Ok(&mail.plies));
        println!("{file}: {good} of {count} change nothing ({} of 1000)", good * 1000 / count);
        assert!(good * 1000 / count >= least, "{file}: {good} of {count}");
    }
}

#[test]
fn no_move_is_recorded_beside_words_that_take_it_back() {
    for (file, most) in RECORDED {
        let given = lines_of(file, |cells| {
            let places = cells[2].split(',').map(str::trim);
            places
                .flat_map(|place| match place {
                    "above" => vec!["above"],
                    "below" => vec!["below", "apart"],
                    "apart" => vec!["apart"],
                    "end" => vec!["end", "signature"],
                    "beside" => vec!["beside"],
                    other => panic!("no place {other}"),
                })
                .collect()
        });
        assert!(given.len() >= 100);
        let (good, count, changed) = run(&given, |_, outcome| outcome.is_err());
        println!("{file}: {} of {count} recorded", count - good);
        let is_enough = (count - good) * 1000 / count <= most;
        assert!(is_enough, "{}\n{file}: {} of {count}", changed.join("\n"), count - good);
    }
}
