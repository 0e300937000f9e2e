//! Random legal games in many layouts, damaged in many ways. `AMICI_CORPUS_CASES` sets how many; each is its number's own.

use std::collections::BTreeMap;
use std::fmt::Write;

use amici::domain::document::Document;
use amici::domain::game::{Game, MoveNumber, MoveRecord, Side, Stated};
use amici::domain::judge::{Accepted, Verdict};
use amici::domain::notation::NumericMove;
use amici::domain::transmission::compose::compose;
use amici::domain::transmission::{Half, Transmission};
use amici::intake::decide::{Trust, decide};
use chrono::{Datelike, Days, NaiveDate};
use shakmaty::{Chess, Position};

use super::{player, right_or_blank, soon_after, thread};

/// A generator of its own: a case is found again by its number, whatever else changes.
struct Dice(u64);

impl Dice {
    /// Splitmix64.
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % sides as u64).unwrap()
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.roll(of.len())]
    }
}

/// A game with the opponent's new move as its last half.
struct Situation {
    game: Game,
    halves: Vec<Half>,
    /// The numbers of all legal moves before the new one.
    legal: Vec<NumericMove>,
}

impl Situation {
    fn new_half(&self) -> Half {
        *self.halves.last().unwrap()
    }
}

fn situation(dice: &mut Dice) -> Situation {
    let plies = 2 + dice.roll(58);
    let start = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap() + Days::new(dice.roll(2500) as u64);
    let mut position = Chess::default();
    let (mut sent, mut totals, mut halves) = (start, [0, 0], Vec::new());
    let mut legal = Vec::new();
    for ply in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        legal = moves.iter().map(NumericMove::of).collect();
        let m = *dice.pick(&moves);
        let received = sent + Days::new(dice.roll(2) as u64);
        sent = received + Days::new(dice.roll(9) as u64);
        let days = u32::try_from((sent - received).num_days()).unwrap();
        totals[ply % 2] += days;
        halves.push(Half {
            number: MoveNumber { number: 1, side: Side::White }.plus(ply),
            numeric: NumericMove::of(&m),
            stated: Stated {
                received: Some(received),
                sent: Some(sent),
                days: Some(days),
                total: Some(totals[ply % 2]),
            },
        });
        position.play_unchecked(m);
    }
    let text = include_str!("../../corpus/games/sample.json");
    let mut game = Document::read(text).unwrap().remove(0);
    let new = halves.last().unwrap();
    game.me = new.number.side.other();
    game.start_date = Some(start);
    game.moves = halves[..halves.len() - 1].iter().map(|h| MoveRecord::claimed(h.numeric, h.stated)).collect();
    Situation { game, halves, legal }
}

/// How dates are written.
#[derive(Clone, Copy)]
enum Style {
    DayMonth,
    MonthDay,
    Full,
    Iso,
    Name,
}

impl Style {
    fn write(self, date: Option<NaiveDate>) -> String {
        let format = match self {
            Style::DayMonth => "%d.%m",
            Style::MonthDay => "%m/%d",
            Style::Full => "%d.%m.%Y",
            Style::Iso => "%Y-%m-%d",
            Style::Name => "%b %d",
        };
        date.unwrap().format(format).to_string()
    }
}

type Template = (&'static str, fn(&[Half], Style) -> String);

/// Each writes the plies it is given, in its own layout.
const TEMPLATES: &[Template] = &[
    ("two-sided", |halves, style| {
        let head = " No.  Move   Rec.   Sent  Days Total |  Move   Rec.   Sent  Days Total\n";
        head.to_owned()
            + &rows(
                halves,
                |h| {
                    let (r, s, d, t) = cells(h, style);
                    format!("{:<5}  {r}  {s}  {d:>3}  {t:>4}", h.numeric.to_string())
                },
                " | ",
            )
    }),
    ("dates first", |halves, style| {
        let head = "     Rcvd   Sent   Move   Time      Rcvd   Sent   Move   Time\n";
        head.to_owned()
            + &rows(
                halves,
                |h| {
                    let (r, s, d, t) = cells(h, style);
                    format!("{r} {s} {}  {d}/{t}", h.numeric)
                },
                "    ",
            )
    }),
    ("sent first", |halves, style| {
        let head = " No.  White  Sent   Rec.   Days Total  Black   Sent   Rec.   Days Total\n";
        head.to_owned()
            + &rows(
                halves,
                |h| {
                    let (r, s, d, t) = cells(h, style);
                    format!("{:<5}  {s}  {r}  {d:>3}  {t:>4}", h.numeric.to_string())
                },
                "   ",
            )
    }),
    ("half-moves", |halves, style| {
        halves
            .iter()
            .map(|h| {
                let (r, s, d, t) = cells(h, style);
                format!(" {} {} R {r} S {s} T {d} TT {t}\n", h.number, h.numeric)
            })
            .collect()
    }),
    ("parentheses", |halves, style| {
        rows(
            halves,
            |h| {
                let (r, s, d, t) = cells(h, style);
                format!("{} ({r}-{s} {d}/{t})", h.numeric)
            },
            " ",
        )
    }),
    ("pipes", |halves, style| {
        rows(
            halves,
            |h| {
                let (r, s, d, t) = cells(h, style);
                format!("|{}|{r}|{s}|{d}|{t}", h.numeric)
            },
            "",
        )
    }),
    ("semicolons", |halves, style| {
        rows(
            halves,
            |h| {
                let (r, s, d, t) = cells(h, style);
                format!(";{};{r};{s};{d};{t}", h.numeric)
            },
            "",
        )
    }),
    ("tabs", |halves, style| {
        rows(
            halves,
            |h| {
                let (r, s, d, t) = cells(h, style);
                format!("\t{}\t{r}\t{s}\t{d}/{t}", h.numeric)
            },
            "",
        )
    }),
    ("running score", |halves, _| {
        let mut text = String::new();
        for (i, h) in halves.iter().enumerate() {
            let white = h.number.side == Side::White;
            let _ = match white {
                true => write!(text, "{} {}", h.number, h.numeric),
                false if i == 0 => write!(text, "{} {}", h.number, h.numeric),
                false => write!(text, " {}", h.numeric),
            };
            text.push_str(if white {
                ""
            } else if i % 8 > 5 {
                "\n"
            } else {
                "  "
            });
        }
        text + "\n"
    }),
    ("last rows", |halves, style| {
        let from = halves.len().saturating_sub(5);
        TEMPLATES[0].1(&halves[from..], style)
    }),
    ("newest first", |halves, style| {
        let text = TEMPLATES[0].1(halves, style);
        let (head, rows) = text.split_once('\n').unwrap();
        let rows: Vec<&str> = rows.lines().rev().collect();
        format!("{head}\n{}\n", rows.join("\n"))
    }),
    ("pair", |halves, _| {
        let from = halves.len().saturating_sub(2);
        let last = &halves[from..];
        let moves: Vec<String> = match last {
            [a, b] if a.number.side == Side::White => {
                vec![format!("{} {} {}", a.number, a.numeric, b.numeric)]
            }
            _ => last.iter().map(|h| format!("{} {}", h.number, h.numeric)).collect(),
        };
        format!("Hello!\n\n{}\n\nRegards\n", moves.join("\n"))
    }),
    ("short", |halves, style| {
        let h = halves.last().unwrap();
        let (r, s, d, t) = cells(h, style);
        format!("Hello,\n{} {}, received {r}, sent {s}, {d}/{t}\nRegards\n", h.number, h.numeric)
    }),
    ("label", |halves, _| format!("My move: {}\n", halves.last().unwrap().numeric)),
    ("composed", |halves, _| {
        compose(&Transmission {
            event: Some("EM/ZZ/042".to_owned()),
            start_date: halves[0].stated.received,
            halves: halves.to_vec(),
            ..Transmission::default()
        })
    }),
];

fn cells(half: &Half, style: Style) -> (String, String, u32, u32) {
    let stated = half.stated;
    (style.write(stated.received), style.write(stated.sent), stated.days.unwrap(), stated.total.unwrap())
}

/// One row for each number, both sides in it.
fn rows(halves: &[Half], cell: impl Fn(&Half) -> String, between: &str) -> String {
    let mut text = String::new();
    for (i, half) in halves.iter().enumerate() {
        match half.number.side {
            Side::White => {
                let _ = write!(text, "{:>3}. {}", half.number.number, cell(half));
            }
            Side::Black if i == 0 => {
                let _ = write!(text, "{:>3}. ...{between}{}", half.number.number, cell(half));
            }
            Side::Black => {
                let _ = write!(text, "{between}{}", cell(half));
            }
        }
        if half.number.side == Side::Black || i + 1 == halves.len() {
            text.push('\n');
        }
    }
    text
}

/// What a mail with a damage may be taken for.
#[derive(Clone, Copy, PartialEq)]
enum May {
    /// The new move, or a question to the player.
    Accept,
    /// A question only, or that nothing new is in it.
    AskOnly,
}

/// A text, what it may be taken for, and its other form.
struct Written {
    text: String,
    html: Option<String>,
    may: May,
}

type Damage = (&'static str, fn(&Situation, String, &Template, Style, &mut Dice) -> Option<Written>);

fn plain(text: String, may: May) -> Option<Written> {
    Some(Written { text, html: None, may })
}

/// `text` with the lines changed.
fn with_lines(text: &str, change: impl FnOnce(&mut Vec<String>)) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    lines.join("\n") + "\n"
}

const DECOYS: &[&str] = &[
    "Tel. +46 8 {} {}",
    "My rating went from {} to {}.",
    "(Quillfeather, {})",
    "In 1726 and {} they played this, too.",
    "Tobin Quillfeather, {} Dragor",
    "I write this at 17:15, the train leaves at 21:13.",
    "Our club meets on 11.12. and 12.11. at the old place.",
    "version 1.7.1.5, build {}",
];

/// Each damages a mail as mailers and people do; `None` where it does not apply.
const DAMAGES: &[Damage] = &[
    ("none", |_, text, _, _, _| plain(text, May::Accept)),
    ("older quote", |s, text, template, style, dice| {
        let upto = 1 + dice.roll(s.halves.len() - 1);
        let old = template.1(&s.halves[..upto], style);
        let quoted: String = old.lines().map(|l| format!("> {l}\n")).collect();
        let head = *dice.pick(&["", "On Sunday Mila Ostrander wrote:\n"]);
        plain(format!("{text}\n{head}{quoted}"), May::Accept)
    }),
    ("decoy", |s, text, _, _, dice| {
        let mut line = (*dice.pick(DECOYS)).to_owned();
        while line.contains("{}") {
            let number = dice.pick(&s.legal).to_string();
            line = line.replacen("{}", &number, 1);
        }
        let text = if dice.roll(2) == 0 { format!("{line}\n\n{text}") } else { format!("{text}\n{line}\n") };
        plain(text, May::Accept)
    }),
    ("another digit", |s, text, _, _, dice| {
        let new = s.new_half().numeric.to_string();
        let at = dice.roll(4);
        let digit = char::from(b'1' + u8::try_from(dice.roll(8)).unwrap());
        let mut other: Vec<char> = new.chars().collect();
        other[at] = digit;
        let other: String = other.into_iter().collect();
        if other == new || !text.contains(&new) {
            return None;
        }
        // a legal other move is his move, unless the mail says both
        let legal = s.legal.iter().any(|m| m.to_string() == other);
        let places = text.matches(&new).count();
        let last = text.rfind(&new).unwrap();
        let changed = format!("{}{other}{}", &text[..last], &text[last + new.len()..]);
        (!legal || places > 1).then(|| plain(changed, May::AskOnly)).flatten()
    }),
    ("glued rows", |_, text, _, _, dice| {
        let text = with_lines(&text, |lines| {
            if lines.len() > 1 {
                let at = dice.roll(lines.len() - 1);
                let next = lines.remove(at + 1);
                lines[at].push_str(&next);
            }
        });
        plain(text, May::Accept)
    }),
    ("doubled row", |_, text, _, _, dice| {
        let text = with_lines(&text, |lines| {
            let at = dice.roll(lines.len());
            lines.insert(at, lines[at].clone());
        });
        plain(text, May::Accept)
    }),
    ("row dropped", |s, text, _, _, dice| {
        let new = s.new_half().numeric.to_string();
        let text = with_lines(&text, |lines| {
            let at = dice.roll(lines.len());
            if !lines[at].contains(&new) {
                lines.remove(at);
            }
        });
        plain(text, May::Accept)
    }),
    ("wrong earlier move", |s, _, template, style, dice| {
        let mut halves = s.halves.clone();
        let at = dice.roll(halves.len() - 1);
        halves[at].numeric = dice.pick(&s.legal).to_owned();
        let text = template.1(&halves, style);
        let same = halves[at].numeric == s.halves[at].numeric || text == template.1(&s.halves, style);
        (!same).then(|| plain(text, May::AskOnly)).flatten()
    }),
    ("phone signature", |s, text, _, _, dice| {
        let number = dice.pick(&s.legal);
        plain(format!("{text}\n-- \nTobin Quillfeather\nPhone {number} {number}\n"), May::Accept)
    }),
    ("no dates", |s, _, template, style, _| {
        let text = template.1(&s.halves, style);
        let mut text = text;
        for half in &s.halves {
            for date in [half.stated.received, half.stated.sent] {
                text = text.replace(&style.write(date), "");
            }
        }
        plain(text, May::Accept)
    }),
    ("months first", |s, _, template, _, _| plain(template.1(&s.halves, Style::MonthDay), May::Accept)),
    ("wrapped at 60", |_, text, _, _, _| {
        let text: String = text.lines().map(|l| textwrap::fill(l, 60) + "\n").collect();
        plain(text, May::Accept)
    }),
    ("html of an older state", |s, text, template, style, dice| {
        let upto = 1 + dice.roll(s.halves.len() - 1);
        let html = template.1(&s.halves[..upto], style);
        Some(Written { text, html: Some(format!("<pre>{html}</pre>")), may: May::Accept })
    }),
    ("html with another move", |s, text, template, style, dice| {
        let mut halves = s.halves.clone();
        let other = *dice.pick(&s.legal);
        let last = halves.last_mut().unwrap();
        if other == last.numeric {
            return None;
        }
        last.numeric = other;
        let html = template.1(&halves, style);
        Some(Written { text, html: Some(format!("<pre>{html}</pre>")), may: May::AskOnly })
    }),
    ("older state", |s, _, template, style, dice| {
        let upto = 1 + dice.roll(s.halves.len() - 1);
        (template.0 != "label").then(|| plain(template.1(&s.halves[..upto], style), May::AskOnly)).flatten()
    }),
    ("numbers slipped", |s, _, template, style, _| {
        let mut halves = s.halves.clone();
        for half in &mut halves {
            half.number.number += 1;
        }
        (template.0 != "label").then(|| plain(template.1(&halves, style), May::AskOnly)).flatten()
    }),
    ("last digit lost", |s, text, template, _, _| {
        let new = s.new_half().numeric.to_string();
        // in the newest row first the last place may be an older move's
        let last = text.rfind(&new).filter(|_| template.0 != "newest first")?;
        let (cut, rest) = (&text[..last + new.len() - 1], &text[last + new.len()..]);
        plain(format!("{cut}{rest}"), if template.0 == "composed" { May::Accept } else { May::AskOnly })
    }),
    ("a digit too many", |s, text, _, _, dice| {
        let new = s.new_half().numeric.to_string();
        let last = text.rfind(&new)? + new.len();
        let digit = 1 + dice.roll(8);
        plain(format!("{}{digit}{}", &text[..last], &text[last..]), May::AskOnly)
    }),
    ("squares apart", |s, text, _, _, dice| {
        let new = s.new_half().numeric.to_string();
        let sign = dice.pick(&["-", " ", "/", ".", ":", "–"]);
        let apart = format!("{}{sign}{}", &new[..2], &new[2..]);
        plain(text.replace(&new, &apart), May::Accept)
    }),
    ("two candidates", |s, text, _, _, dice| {
        let new = s.new_half();
        let other = dice.pick(&s.legal);
        let line = format!("{} {other}", new.number);
        let text = if dice.roll(2) == 0 { format!("{text}{line}\n") } else { format!("{line}\n{text}") };
        (*other != new.numeric).then(|| plain(text, May::AskOnly)).flatten()
    }),
    ("negated", |s, text, _, _, _| {
        let new = s.new_half();
        plain(format!("{text}\nNo, I do not play {}.\n", new.numeric), May::AskOnly)
    }),
    ("a blank lost", |_, text, _, _, dice| {
        let blanks: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
        if blanks.is_empty() {
            return None;
        }
        let at = *dice.pick(&blanks);
        plain(format!("{}{}", &text[..at], &text[at + 1..]), May::Accept)
    }),
    ("a line break too many", |_, text, _, _, dice| {
        let blanks: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
        if blanks.is_empty() {
            return None;
        }
        let at = *dice.pick(&blanks);
        plain(format!("{}\n{}", &text[..at], &text[at + 1..]), May::Accept)
    }),
];

fn mail(s: &Situation, written: &Written) -> (String, String) {
    let sent = s.new_half().stated.sent.unwrap();
    let date = format!("{}, {} {} {} 18:00:00 +0000", sent.weekday(), sent.day(), sent.format("%b"), sent.year());
    let (from, to) = (&s.game.opponent().emails[0], &s.game.myself().emails[0]);
    let head = format!(
        "From: {from}\nTo: {to}\nSubject: EM/ZZ/042\nDate: {date}\nMessage-ID: <case@mail.example.net>\nMIME-Version: 1.0\n"
    );
    let text = &written.text;
    let mail = match &written.html {
        None => format!("{head}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{text}"),
        Some(html) => format!(
            "{head}Content-Type: multipart/alternative; boundary=XX\n\n\
             --XX\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{text}\n\
             --XX\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{html}\n--XX--\n"
        ),
    };
    (mail.replace('\n', "\r\n"), date)
}

/// What is wrong with a verdict, if anything.
fn wrong(s: &Situation, may: May, verdict: &Verdict) -> Option<String> {
    match (may, verdict) {
        (_, Verdict::Held { .. }) | (May::AskOnly, Verdict::Illegal(_) | Verdict::Repeat(_) | Verdict::NotAMove(_)) => {
            None
        }
        (May::Accept, Verdict::Accepted(accepted)) => wrong_dates(s, accepted),
        (_, verdict) => Some(format!("{}: {}", verdict.outcome(), verdict.reason())),
    }
}

fn wrong_dates(s: &Situation, accepted: &Accepted) -> Option<String> {
    let new = s.new_half();
    let (expected, found) = (new.stated, accepted.stated);
    let right = accepted.numeric == new.numeric
        && right_or_blank(expected.received, found.received)
        && right_or_blank(expected.sent, found.sent)
        && right_or_blank(expected.days, found.days)
        && right_or_blank(expected.total, found.total);
    (!right).then(|| format!("{} {found:?}, not {} {expected:?}", accepted.numeric, new.numeric))
}

#[test]
fn no_random_game_in_any_layout_with_any_damage_is_taken_for_what_it_is_not() {
    let cases: u64 = std::env::var("AMICI_CORPUS_CASES").map_or(2_000, |n| n.parse().unwrap());
    let mut wrongs: Vec<String> = Vec::new();
    let mut shares: BTreeMap<(&str, &str), (u32, u32)> = BTreeMap::new();
    for number in 0..cases {
        let mut dice = Dice(number.wrapping_mul(0xD134_2543_DE82_EF95));
        let s = situation(&mut dice);
        let template = dice.pick(TEMPLATES);
        let damage = if number % 4 == 0 { &DAMAGES[0] } else { dice.pick(DAMAGES) };
        let style = *dice.pick(&[Style::DayMonth, Style::DayMonth, Style::Full, Style::Iso, Style::Name]);
        let text = template.1(&s.halves, style);
        let Some(written) = damage.1(&s, text, template, style, &mut dice) else {
            continue;
        };
        let (mail, date) = mail(&s, &written);
        let me = player(&s.game);
        let threads = [thread(s.game.clone())];
        let decision = decide(mail.as_bytes(), &me, &Trust::default(), &threads, soon_after(&date)).unwrap();
        let verdict = &decision.judgements[0].verdict;
        let kinds = [(damage.0, "*"), if damage.0 == "none" { ("none", template.0) } else { ("*", template.0) }];
        for kind in kinds {
            let share = shares.entry(kind).or_default();
            share.0 += u32::from(matches!(verdict, Verdict::Accepted(_)));
            share.1 += 1;
        }
        if let Some(what) = wrong(&s, written.may, verdict) {
            wrongs.push(format!("case {number}, {} / {}: {what}\n{mail}", template.0, damage.0));
        } else if damage.0 == "none"
            && !matches!(verdict, Verdict::Accepted(_))
            && std::env::var("AMICI_CORPUS_HELD").is_ok()
        {
            println!("case {number}, {}: {}\n{mail}", template.0, verdict.reason());
        }
    }
    for ((damage, template), (accepted, all)) in &shares {
        println!("{damage:<25} {template:<15} {accepted:>6} of {all:>6} accepted");
    }
    let kinds: Vec<&str> = wrongs.iter().filter_map(|w| w.split('\n').next()).collect();
    assert!(
        wrongs.is_empty(),
        "{} wrong\n{}\n\n{}",
        wrongs.len(),
        kinds.join("\n"),
        wrongs.iter().take(3).cloned().collect::<Vec<_>>().join("\n\n")
    );
    let (accepted, all) = shares[&("none", "*")];
    assert!(accepted * 100 >= all * 95, "only {accepted} of {all} sound mails are accepted");
}
