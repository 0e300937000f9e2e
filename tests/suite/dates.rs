//! What opponents write of dates and days: nothing is taken wrongly, and what is clear is taken.

use amici::domain::game::{MoveNumber, Side, Stated};
use amici::domain::transmission::read::{Frame, Known, Line, Reading, fill, read};
use chrono::{Datelike, NaiveDate};

/// The frame of a mail that answers 6. 6152.
#[derive(Clone, Copy)]
struct Situation {
    ours: NaiveDate,
    mailed: Option<NaiveDate>,
    arrived: NaiveDate,
    before: u32,
}

impl Situation {
    fn of(line: &str) -> Situation {
        let parts: Vec<&str> = line.split_whitespace().collect();
        let (ours, mailed): (NaiveDate, Option<NaiveDate>) = (parts[0].parse().unwrap(), parts[1].parse().ok());
        let arrived = mailed.unwrap_or(ours + chrono::Days::new(4));
        Situation { ours, mailed, arrived, before: parts[2].parse().unwrap() }
    }

    /// The new move as the judge takes it: beside the move and in the words elsewhere.
    fn read(self, text: &str) -> (Reading, Stated) {
        let mut known = vec![Known::default(); 11];
        known[9].total = Some(self.before);
        known[10] = Known { received: None, sent: Some(self.ours), total: Some(8) };
        let arrived = self.arrived;
        let frame = Frame {
            known: &known,
            latest: Some(arrived),
            mailed: self.mailed,
            writer: Some(Side::Black),
            ..Frame::default()
        };
        let lines: Vec<Line<'_>> = text.lines().enumerate().map(|(i, text)| Line { number: i + 1, text }).collect();
        let reading = read(&lines, &frame);
        let due = MoveNumber { number: 6, side: Side::Black };
        let mut stated = reading.labelled;
        for claim in reading.claims.iter().filter(|c| c.number == Some(due)) {
            fill(&mut stated, claim.stated);
        }
        (reading, stated)
    }
}

fn shown(stated: Stated) -> String {
    let part = |p: Option<String>| p.unwrap_or_else(|| "-".to_owned());
    [
        part(stated.received.map(|d| d.to_string())),
        part(stated.sent.map(|d| d.to_string())),
        part(stated.days.map(|d| d.to_string())),
        part(stated.total.map(|d| d.to_string())),
    ]
    .join(" ")
}

#[test]
fn what_opponents_write_of_dates_and_days_is_read_as_they_mean_it() {
    let mut situation = None;
    let mut wrong = Vec::new();
    let mut entries = 0;
    for line in include_str!("../corpus/dates.txt").lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        if let Some(frame) = line.strip_prefix("@ ") {
            situation = Some(Situation::of(frame));
            continue;
        }
        entries += 1;
        let (text, expected) = line.split_once(" => ").unwrap();
        let text = if text.contains("{}") { text.replace("{}", "6... 5755") } else { format!("6... 5755 // {text}") };
        let (reading, stated) = situation.unwrap().read(&text.replace(" // ", "\n"));
        let expected: Vec<&str> = expected.split_whitespace().collect();
        let told = expected.get(4..).unwrap_or_default();
        let value = |name: &str| told.iter().position(|w| *w == name).map(|at| told[at + 1]);
        if shown(stated) != expected[..4].join(" ") {
            wrong.push(format!("{line}\n     {}", shown(stated)));
        } else if told.contains(&"open") && !reading.dates_left_open {
            wrong.push(format!("{line}\n     left nothing open"));
        } else if told.contains(&"fault") == reading.date_faults.is_empty() {
            wrong.push(format!("{line}\n     {:?}", reading.date_faults));
        } else if value("numbers")
            .is_some_and(|n| reading.unread_numbers.as_deref().unwrap_or("no") != n.replace('_', " "))
            || (value("numbers").is_none() && reading.unread_numbers.is_some())
        {
            wrong.push(format!("{line}\n     numbers {:?}", reading.unread_numbers));
        } else if value("ours").is_some_and(|day| reading.reader_sent != day.parse().ok()) {
            wrong.push(format!("{line}\n     ours {:?}", reading.reader_sent));
        } else if value("total").is_some_and(|total| reading.reader_total != total.parse().ok()) {
            wrong.push(format!("{line}\n     total {:?}", reading.reader_total));
        }
    }
    assert!(wrong.is_empty(), "{} of {entries}\n{}", wrong.len(), wrong.join("\n"));
}

const MONTHS: [[&str; 12]; 6] = [
    [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    ["gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"],
    [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    [
        "stycznia",
        "lutego",
        "marca",
        "kwietnia",
        "maja",
        "czerwca",
        "lipca",
        "sierpnia",
        "września",
        "października",
        "listopada",
        "grudnia",
    ],
    [
        "января",
        "февраля",
        "марта",
        "апреля",
        "мая",
        "июня",
        "июля",
        "августа",
        "сентября",
        "октября",
        "ноября",
        "декабря",
    ],
    [
        "tammikuuta",
        "helmikuuta",
        "maaliskuuta",
        "huhtikuuta",
        "toukokuuta",
        "kesäkuuta",
        "heinäkuuta",
        "elokuuta",
        "syyskuuta",
        "lokakuuta",
        "marraskuuta",
        "joulukuuta",
    ],
];
const ROMAN: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];
const STYLES: usize = 25;

/// A day in one of the forms; `true` where no second reading of it exists.
fn written(day: NaiveDate, style: usize) -> (String, bool) {
    let month = day.month0() as usize;
    let of = |language: usize| MONTHS[language][month];
    let plain = |form: &str| day.format(form).to_string();
    let text = match style {
        0 => plain("%d.%m."),
        1 => plain("%-d.%-m.%y"),
        2 => plain("%d.%m.%Y"),
        3 => plain("%m/%d"),
        4 => plain("%m/%d/%y"),
        5 => plain("%d/%m"),
        6 => plain("%m.%d.%Y"),
        7 => plain("%Y-%m-%d"),
        8 => plain("%Y/%m/%d"),
        9 => plain("%-d %b"),
        10 => plain("%b %-d"),
        11 => plain("%B %-dth, %Y"),
        12 => plain("%d-%b-%y"),
        13 => format!("{}. {}", day.day(), of(0)),
        14 => format!("{} {}", day.day(), of(1)),
        15 => format!("le {} {}", day.day(), of(2)),
        16 => format!("{}.{}.{}", day.day(), ROMAN[month], day.year()),
        17 => format!("{}.{}.", day.day(), ROMAN[month]),
        18 => format!("{}月{}日", day.month(), day.day()),
        19 => format!("{} {} {}", day.day(), of(3), day.year()),
        20 => format!("{} {}", day.day(), of(4)),
        21 => plain("%a %-d %b"),
        22 => plain("%A, %B %-d, %Y"),
        23 => format!("{}. {}", day.day(), of(5)),
        _ => plain("%-m-%-d-%y"),
    };
    (text, (7..STYLES - 1).contains(&style))
}

/// A move with its dates and days in one of the forms, and what of them it states.
fn told(style: usize, ours: &str, received: &str, sent: &str, days: u32, total: u32) -> (String, bool) {
    match style {
        0 => (format!("6... 5755\nreceived {received}, sent {sent}, {days} days, {total} total"), true),
        1 => (format!("6... 5755\nRcvd: {received}\nAns'd: {sent}\n{days}/{total} days"), true),
        2 => (format!("6... 5755\nerh. {received}, ges. {sent}, {days} Tage ({total})"), true),
        3 => (format!("6... 5755\nPosted: {ours}\nRcv'd: {received}\nAns'd: {sent}"), false),
        4 => (format!("6... 5755\nYou sent on {ours}; I received on {received} and I answered on {sent}."), false),
        5 => (format!("6... 5755\nrecibida {received} enviada {sent} total {total}, {days} en esta"), true),
        6 => (format!("6... 5755\nполучено {received}, отправлено {sent}, {days} дн., всего {total}"), true),
        7 => (format!("6... 5755\nMottaget {received}, avsänt {sent}. Betänketid {days} dagar, totalt {total}."), true),
        8 => (format!("6... 5755 (recd {received}, sent {sent}, {days} days / {total} cum.)"), true),
        _ => (format!("6... 5755\nYour mail of {ours} received {received}, answered {sent}"), false),
    }
}

#[test]
fn no_schedule_in_any_form_is_read_wrongly() {
    let mut seed: u64 = 7;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let first = NaiveDate::from_ymd_opt(1998, 1, 1).unwrap();
    let (mut clear, mut right) = (0, 0);
    let (mut wrong, mut blank) = (Vec::new(), Vec::new());
    for case in 0..1500 {
        let (style, label) = (case % STYLES, (case / STYLES) % 10);
        let ours = first + chrono::Days::new(random(5000));
        let received = ours + chrono::Days::new(random(2));
        let days = [random(4), random(30)][usize::from(random(4) == 0)];
        let sent = received + chrono::Days::new(days);
        let (days, before) = (u32::try_from(days).unwrap(), u32::try_from(random(60)).unwrap());
        let mailed = (random(8) > 0).then_some(sent);
        let text = |day| written(day, style).0;
        let (mail, counted) = told(label, &text(ours), &text(received), &text(sent), days, before + days);
        let (_, stated) = Situation { ours, mailed, arrived: sent, before }.read(&mail);
        let meant = Stated {
            received: Some(received),
            sent: Some(sent),
            days: counted.then_some(days),
            total: counted.then_some(before + days),
        };
        let fits = |a: Option<NaiveDate>, b: Option<NaiveDate>| a.is_none() || a == b;
        let counts = |a: Option<u32>, b: Option<u32>| a.is_none() || a == b;
        let so = format!("{mail}\n     mailed {mailed:?}, before {before}: {}", shown(stated));
        if !fits(stated.received, meant.received)
            || !fits(stated.sent, meant.sent)
            || !counts(stated.days, meant.days)
            || !counts(stated.total, meant.total)
        {
            wrong.push(so);
        } else if written(ours, style).1 {
            clear += 1;
            right += usize::from(stated == meant);
            if stated != meant {
                blank.push(so);
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    assert!(right * 100 >= clear * 98, "{right} of {clear}\n{}", blank[..blank.len().min(20)].join("\n"));
}
