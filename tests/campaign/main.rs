//! The campaign: mails of random games, in every layout, in many languages, damaged in many ways. None may be misread.
//!
//! `AMICI_CORPUS_CASES` sets how many (a million takes about half an hour: use `--release`), `AMICI_CORPUS_SEED` which.
//! A failure prints its three numbers at once and its mail at the end; `AMICI_CORPUS_ONLY=seed.game.mail` reads that mail
//! alone. `AMICI_CORPUS_HELD=1` prints the undamaged mails that are held.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::string_slice, clippy::panic)]
#![allow(clippy::print_stdout, reason = "a long run tells at once what it finds")]
#![allow(missing_docs, reason = "the names of tests are sentences")]

mod damages;
mod game;
mod layouts;
mod letter;
mod mailbox;
mod words;

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use amici::domain::game::Stated;
use amici::domain::judge::Verdict;
use amici::intake::decide::{Trust, decide};
use amici::intake::which::Thread;
use chrono::{DateTime, TimeDelta};

use damages::{Case, Damage, Meant};
use game::{Dice, Situation, situation};
use layouts::{Dates, Layout, Style};

/// Mails of one game.
const MAILS: u64 = 60;
/// Printed of each kind of failure.
const SHOWN: usize = 2;
/// Of a hundred undamaged mails so many are accepted, over all layouts.
const ACCEPTED: u64 = 90;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Id {
    seed: u64,
    game: u64,
    mail: u64,
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.seed, self.game, self.mail)
    }
}

/// What became of the mails of one kind.
#[derive(Clone, Copy, Default)]
struct Share {
    mails: u64,
    accepted: u64,
    held: u64,
    wrong: u64,
}

impl Share {
    fn add(&mut self, other: Share) {
        self.mails += other.mails;
        self.accepted += other.accepted;
        self.held += other.held;
        self.wrong += other.wrong;
    }

    fn percent(self) -> f64 {
        self.accepted as f64 * 100.0 / self.mails.max(1) as f64
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Share { mails, accepted, held, wrong } = self;
        write!(f, "{mails:>8} mails {accepted:>8} accepted {held:>8} held {wrong:>5} wrong {:>6.2} %", self.percent())
    }
}

#[derive(Default)]
struct Tally {
    /// Undamaged mails, by layout.
    clean: BTreeMap<&'static str, Share>,
    damaged: BTreeMap<&'static str, Share>,
    /// By damage and layout.
    wrong: BTreeMap<(&'static str, &'static str), Vec<String>>,
    held: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        for (into, from) in [(&mut self.clean, other.clean), (&mut self.damaged, other.damaged)] {
            for (name, share) in from {
                into.entry(name).or_default().add(share);
            }
        }
        for (kind, what) in other.wrong {
            self.wrong.entry(kind).or_default().extend(what);
        }
        self.held.extend(other.held);
    }
}

fn every_damage() -> Vec<&'static Damage> {
    damages::ALL.iter().flat_map(|list| list.iter()).collect()
}

/// A mail of a game; `None` where its damage does not apply to its layout.
fn case<'a>(situation: &'a Situation, id: Id, damage: &Damage) -> Option<(Case<'a>, Meant)> {
    let mut dice = Dice::of(&[id.seed, id.game, id.mail, 1]);
    let layout: &'static Layout = dice.pick(layouts::ALL);
    let style = Style { words: dice.pick(words::ALL), dates: *dice.pick(Dates::ALL), seed: dice.roll(1 << 30) as u64 };
    let mut letter = (layout.write)(&situation.plies, &style)?;
    letter.date = situation.new_ply().stated.sent?;
    let game = situation.game.clone();
    let mut case = Case { situation, layout, style, dice, letter, game, draw: false, dates: true };
    let meant = (damage.change)(&mut case)?;
    case.letter.date = situation.new_ply().stated.sent?;
    if let Some(notation) = &case.letter.needs {
        case.game.notations.push(notation.clone());
    }
    Some((case, meant))
}

/// What is wrong with a verdict, if anything.
fn wrong(case: &Case<'_>, meant: Meant, verdict: &Verdict) -> Option<String> {
    let new = case.situation.new_ply();
    let said = || Some(format!("{}: {}", verdict.outcome(), verdict.reason()));
    let Verdict::Accepted(accepted) = verdict else {
        return match (verdict.outcome(), meant) {
            ("needs_human", _) | ("resignation", Meant::Resigns) | ("draw_accept", Meant::AcceptsDraw) => None,
            ("resignation" | "draw_accept", _) | (_, Meant::New | Meant::Resigns | Meant::AcceptsDraw) => said(),
            (_, Meant::Unsure | Meant::Other(_) | Meant::Nothing) => None,
        };
    };
    let right = match meant {
        Meant::New | Meant::Unsure => vec![new.numeric],
        Meant::Other(other) => vec![other],
        Meant::Nothing | Meant::Resigns | Meant::AcceptsDraw => vec![],
    };
    if accepted.plies() != right {
        return said();
    }
    if accepted.draw_offer != case.draw {
        return Some(format!("draw offer {}", accepted.draw_offer));
    }
    let Stated { received, sent, days, total } = accepted.stated;
    let fits = same_or_blank(received, new.stated.received)
        && same_or_blank(sent, new.stated.sent)
        && same_or_blank(days, new.stated.days)
        && same_or_blank(total, new.stated.total)
        && same_or_blank(accepted.header_sent, new.stated.sent);
    (case.dates && !fits).then(|| format!("{:?} {:?}, not {:?}", accepted.stated, accepted.header_sent, new.stated))
}

fn same_or_blank<T: PartialEq>(found: Option<T>, expected: Option<T>) -> bool {
    found.is_none() || found == expected
}

fn read(situation: &Situation, id: Id, tally: &mut Tally, shows_held: bool) {
    let damages = every_damage();
    let damage = match id.mail % 6 {
        0 => &damages::NONE,
        _ => *Dice::of(&[id.seed, id.game, id.mail, 2]).pick(&damages),
    };
    let Some((case, meant)) = case(situation, id, damage) else { return };
    let bytes = case.letter.bytes();
    let at = DateTime::parse_from_rfc2822(&case.letter.date_header()).unwrap().to_utc() + TimeDelta::minutes(2);
    let threads = [Thread { game: case.game.clone(), root_message_id: "<sample-1@root.example.org>".to_owned() }];
    let decision = decide(&bytes, &situation.me, &Trust::default(), &threads, at).unwrap();
    let verdict = &decision.judgements[0].verdict;
    let wrong = wrong(&case, meant, verdict);
    let accepted = matches!(verdict, Verdict::Accepted(_));
    let share = Share {
        mails: 1,
        accepted: u64::from(accepted),
        held: u64::from(!accepted),
        wrong: u64::from(wrong.is_some()),
    };
    let clean = damage.name == damages::NONE.name;
    let shares = if clean { &mut tally.clean } else { &mut tally.damaged };
    shares.entry(if clean { case.layout.name } else { damage.name }).or_default().add(share);
    let shown = |why: &str| {
        let new = case.situation.new_ply();
        let mail = String::from_utf8_lossy(&bytes);
        let style = (case.style.words.code, case.style.dates);
        format!(
            "mail {id}, {} / {} {style:?}, meant {meant:?}, new {} {} {}, record {}\n{why}\n{mail}",
            case.layout.name,
            damage.name,
            new.number,
            new.numeric,
            new.san,
            case.game.moves.iter().map(|m| m.numeric.to_string()).collect::<Vec<_>>().join(" ")
        )
    };
    if let Some(why) = wrong {
        println!("wrong: {id}, {} / {}", case.layout.name, damage.name);
        let list = tally.wrong.entry((damage.name, case.layout.name)).or_default();
        if list.len() < SHOWN {
            list.push(shown(&why));
        }
    } else if clean && !accepted && shows_held {
        tally.held.push(shown(&verdict.reason()));
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |n| n.parse().unwrap_or_else(|e| panic!("{name}={n}: {e}")))
}

fn run(seed: u64, games: std::ops::Range<u64>, shows_held: bool) -> Tally {
    let (next, total) = (AtomicU64::new(games.start), Mutex::new(Tally::default()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let mut tally = Tally::default();
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= games.end {
                        break;
                    }
                    let situation = situation(&mut Dice::of(&[seed, game]));
                    for mail in 0..MAILS {
                        read(&situation, Id { seed, game, mail }, &mut tally, shows_held);
                    }
                }
                total.lock().unwrap().add(tally);
            });
        }
    });
    total.into_inner().unwrap()
}

#[test]
fn no_mail_of_a_random_game_is_taken_for_what_it_is_not() {
    let seed = number("AMICI_CORPUS_SEED", 1);
    if let Ok(only) = env::var("AMICI_CORPUS_ONLY") {
        let numbers: Vec<u64> = only.split('.').map(|n| n.parse().unwrap()).collect();
        let [seed, game, mail] = numbers[..] else { panic!("AMICI_CORPUS_ONLY is seed.game.mail") };
        let mut tally = Tally::default();
        read(&situation(&mut Dice::of(&[seed, game])), Id { seed, game, mail }, &mut tally, true);
        let wrong: Vec<String> = tally.wrong.into_values().flatten().collect();
        println!("{}", tally.held.join("\n"));
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        return;
    }
    let games = number("AMICI_CORPUS_CASES", 1_200).div_ceil(MAILS);
    println!("seed {seed}, {games} games of {MAILS} mails");
    let tally = run(seed, 0..games, env::var("AMICI_CORPUS_HELD").is_ok());
    println!("{}", tally.held.join("\n\n"));
    let mut all = Share::default();
    for (title, shares) in [("undamaged", &tally.clean), ("damaged", &tally.damaged)] {
        println!("\n{title}");
        let mut sum = Share::default();
        for (name, share) in shares {
            println!("  {name:<28} {share}");
            sum.add(*share);
        }
        println!("  {:<28} {sum}", "all");
        all.add(sum);
    }
    println!("\n{:<30} {all}", "together");
    let shown: Vec<&String> = tally.wrong.values().flatten().collect();
    let kinds: Vec<String> = tally.wrong.keys().map(|(damage, layout)| format!("{damage} / {layout}")).collect();
    for mail in &shown {
        println!("\n{mail}");
    }
    assert!(all.wrong == 0, "{} wrong; one of each kind stands above:\n{}", all.wrong, kinds.join("\n"));
    let mut clean = Share::default();
    tally.clean.values().for_each(|share| clean.add(*share));
    assert!(clean.accepted * 100 >= clean.mails * ACCEPTED, "of the undamaged mails: {clean}");
}
