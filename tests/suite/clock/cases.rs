//! The table of dates: each case from the bytes of a mail to the days on both clocks.

use amici::domain::clock::ledger::{Booking, Ledger};
use amici::domain::game::{Leave, MoveRecord, Observed, Side, Stated};
use amici::intake::again::observed;
use amici::mail::message::parse;
use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
use chrono_tz::Tz;
use serde_json::{Value, json};

use super::{day, game, knights};

const CASES: &str = include_str!("../../corpus/clock-cases.txt");

struct Case {
    mine: bool,
    zone: Tz,
    rules: Value,
    booking: Booking,
    start: Option<NaiveDate>,
    leaves: Vec<(NaiveDate, NaiveDate)>,
    date: Option<String>,
    arrived: DateTime<Utc>,
    /// When the player sent his move, or answers.
    own: DateTime<FixedOffset>,
    expected: String,
}

impl Case {
    fn of(line: &str) -> Case {
        let (given, expected) = line.split_once(" => ").unwrap();
        let [whose, zone, rules, booking, start, leaves, date, arrived, own] =
            given.split(" | ").collect::<Vec<_>>().try_into().unwrap();
        let span = |text: &str| text.split_once("..").map(|(from, to)| (day(from), day(to))).unwrap();
        Case {
            mine: whose == "mine",
            zone: zone.parse().unwrap(),
            rules: match rules {
                "grace" => json!({"base": "iccf-server", "day_count": "grace24h_then_calendar"}),
                name => json!(name),
            },
            booking: if booking == "next-day" { Booking::NextDay } else { Booking::SameDay },
            start: start.parse().ok(),
            leaves: if leaves == "-" { Vec::new() } else { leaves.split(',').map(span).collect() },
            date: (date != "-").then(|| date.to_owned()),
            arrived: arrived.parse().unwrap(),
            own: own.parse().unwrap(),
            expected: expected.to_owned(),
        }
    }

    /// What our servers saw of his mail, from its bytes.
    fn observed(&self) -> Observed {
        let date = self.date.as_ref().map(|date| format!("Date: {date}\r\n")).unwrap_or_default();
        let raw = format!("From: tobin.q@example.net\r\nSubject: EM-1\r\n{date}\r\n1... 7866\r\n");
        observed(Some(&parse(raw.as_bytes()).unwrap()), self.arrived, self.zone)
    }

    /// Received, sent and days, as the ledger has them.
    fn counted(&self) -> String {
        let mut game = game(self.rules.clone());
        game.start_date = self.start;
        // whose move it is, he has Black
        let leave = |(from, to): &(NaiveDate, NaiveDate)| Leave {
            side: Side::Black,
            from: *from,
            to: *to,
            announced: Some(*from),
        };
        game.leaves = self.leaves.iter().map(leave).collect();
        let by_servers = MoveRecord { observed: self.observed(), ..MoveRecord::claimed(knights(0), Stated::default()) };
        let own = if self.mine { self.own.with_timezone(&self.zone).fixed_offset() } else { self.own };
        let own_day = own.date_naive();
        let seen = Observed { sent: Some(own_day), sent_at: Some(own), ..Observed::default() };
        let own = MoveRecord { observed: seen, ..MoveRecord::claimed(knights(0), Stated::default()) };
        if self.mine {
            game.me = Side::Black;
            game.moves.push(by_servers);
            let answer = Ledger::of(&game).unwrap().booked(self.booking, &self.zone).answer_on(own_day);
            let claimed = Stated { received: answer.received.map(|d| d.day), sent: Some(own_day), ..Stated::default() };
            game.moves.push(MoveRecord { claimed, ..own });
            let last = Ledger::of(&game).unwrap().plies()[1];
            assert!(answer.days >= last.days, "what is shown before is never less than what is charged");
        } else {
            game.moves.push(MoveRecord { claimed: Stated { sent: Some(own_day), ..Stated::default() }, ..own });
            game.moves.push(by_servers);
        }
        let last = Ledger::of(&game).unwrap().plies()[1];
        let days = last.days.map_or("-".to_owned(), |days| days.to_string());
        format!("{} {} {days}", last.received.unwrap().day, last.sent.unwrap().day)
    }
}

#[test]
fn four_hundred_dates_at_every_edge_of_the_calendar_are_counted_right() {
    let lines: Vec<&str> = CASES.lines().filter(|line| line.contains(" => ") && !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 400);
    let wrong: Vec<String> = lines
        .iter()
        .map(|line| (line, Case::of(line)))
        .filter_map(|(line, case)| Some((line, case.counted())).filter(|(_, counted)| *counted != case.expected))
        .map(|(line, counted)| format!("{line}\n    counted {counted}"))
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
