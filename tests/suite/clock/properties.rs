//! What holds for every game and every set of rules: totals add up, leave and speed never cost days, and no wall clock enters the record.

use amici::config::{Config, Me, Senders};
use amici::domain::clock::days::{Counting, Moment};
use amici::domain::clock::events::{Pace, marks};
use amici::domain::clock::ledger::{Basis, Booking, Ledger};
use amici::domain::clock::rules::{DoubleFrom, Wanted, names};
use amici::domain::clock::still::StandingStill;
use amici::domain::document::{Document, check_days};
use amici::domain::game::{ClockNote, ClockNoteKind, Game, Leave, MoveRecord, Observed, SentIllegal, Side, Stated};
use amici::domain::judge::discrepancy::{Row, differences};
use amici::domain::pgn::{Ids, Options, Request, games, owned, write};
use amici::intake::{RawMessage, take_in};
use amici::io::store::Store;
use chrono::{DateTime, Days, FixedOffset, NaiveDate, TimeDelta, TimeZone, Utc};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{day, game, push};

fn epoch() -> NaiveDate {
    day("2004-01-01")
}

fn some_rules() -> impl Strategy<Value = Value> {
    let named = proptest::sample::select(names().collect::<Vec<_>>()).prop_map(|name| json!(name));
    let grace = json!({"base": "iccf-server", "day_count": "grace24h_then_calendar", "double_after": 5});
    prop_oneof![4 => named, 1 => Just(grace), 1 => Just(json!({"base": "iccf-email-2000", "double_after": 3}))]
}

fn some_leaves() -> impl Strategy<Value = Vec<Leave>> {
    let one = (any::<bool>(), 0u64..90, 0u64..12).prop_map(|(white, first, days)| Leave {
        side: if white { Side::White } else { Side::Black },
        from: epoch() + Days::new(first),
        to: epoch() + Days::new(first + days),
        announced: None,
    });
    proptest::collection::vec(one, 0..5)
}

/// Where each move comes from: hours since the move before, what is stated of it, and what was settled.
type Half = (u64, bool, bool, Option<u32>);

fn some_game() -> impl Strategy<Value = Game> {
    let half: BoxedStrategy<Half> =
        (0u64..24 * 14, any::<bool>(), any::<bool>(), proptest::option::weighted(0.1, 0u32..9)).boxed();
    let moves = proptest::collection::vec(half, 0..24);
    let notes = proptest::collection::vec((1u32..24, any::<bool>(), 0u64..90), 0..4);
    (some_rules(), some_leaves(), moves, notes, proptest::option::of(0u64..20)).prop_map(
        |(rules, leaves, moves, notes, start)| {
            let mut game = game(rules);
            game.leaves = leaves;
            game.start_date = start.map(|days| epoch() + Days::new(days));
            game.clock_notes = notes
                .into_iter()
                .map(|(ply, announced, on)| ClockNote {
                    ply,
                    kind: if announced { ClockNoteKind::Announced } else { ClockNoteKind::Repeated },
                    on: epoch() + Days::new(on),
                    until: None,
                })
                .collect();
            let mut now = epoch().and_hms_opt(12, 0, 0).unwrap().and_utc();
            for (hours, says_sent, says_received, penalty) in moves {
                let received = now.date_naive();
                now += TimeDelta::hours(i64::try_from(hours).unwrap());
                let claimed = Stated {
                    received: says_received.then_some(received),
                    sent: says_sent.then_some(now.date_naive()),
                    ..Stated::default()
                };
                let record = push(&mut game, claimed);
                record.agreed.penalty = penalty;
                record.observed = Observed {
                    sent: Some(now.date_naive()),
                    arrived: Some(now.date_naive()),
                    sent_at: Some(now.fixed_offset()),
                    relayed_at: None,
                    arrived_at: Some(now.fixed_offset()),
                };
            }
            game
        },
    )
}

/// The same with whatever else a record can have: own copies, the player's word alone, mails without a Date or with one that cannot be
/// true, what was settled, plies of conditional lines and illegal moves.
fn some_record() -> impl Strategy<Value = Game> {
    (some_game(), proptest::collection::vec((0u32..10, 0u32..12), 24)).prop_map(|(mut game, kinds)| {
        for (record, (kind, days)) in game.moves.iter_mut().zip(&kinds) {
            let east = FixedOffset::east_opt((i32::try_from(*days).unwrap() - 5) * 3600).unwrap();
            let there = record.observed.sent_at.map(|at| at.with_timezone(&east));
            match kind {
                0 => *record = MoveRecord::conditional(record.numeric),
                1 => record.observed = Observed { sent_at: there, ..Observed::default() },
                2 => (record.observed.sent, record.observed.sent_at) = (None, None),
                3 => record.observed.sent = record.observed.sent.and_then(|day| day.checked_sub_days(Days::new(30))),
                4 => record.claimed.received = record.claimed.sent.and_then(|day| day.checked_add_days(Days::new(2))),
                5 => record.agreed.days = Some(*days),
                6 => record.agreed.total = Some(*days),
                7 => (record.claimed.days, record.claimed.total) = (Some(*days), Some(*days + 3)),
                8 => record.observed = Observed::default(),
                _ => (record.observed.sent, record.observed.sent_at) = (there.map(|at| at.date_naive()), there),
            }
        }
        let illegal = game.moves.iter().zip(1..).zip(&kinds).find(|(_, (kind, _))| *kind == 9);
        if let Some(((record, ply), (_, days))) = illegal
            && let Some(sent) =
                record.observed.arrived.and_then(|day| day.checked_sub_days(Days::new(u64::from(*days))))
        {
            game.illegal.push(SentIllegal { ply, sent, noticed: sent + Days::new(1) });
        }
        game
    })
}

fn ledger(game: &Game) -> Ledger {
    Ledger::of(game).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn totals_add_up_and_every_figure_is_accounted_for(game in some_game()) {
        let ledger = ledger(&game);
        let mut used = [0u32; 2];
        for ply in ledger.plies() {
            let days = ply.days.unwrap_or(0);
            let total = &mut used[usize::from(ply.number.side == Side::Black)];
            *total += days;
            prop_assert_eq!(ply.total, *total, "{}", ply.number);
            if let Basis::Counted(charge) = ply.basis {
                prop_assert_eq!(charge.days(), days);
                prop_assert!(charge.leave <= charge.raw);
                prop_assert_eq!(charge.raw - charge.leave + charge.doubled + charge.penalty, days);
                let (received, sent) = (ply.received.unwrap().day, ply.sent.unwrap().day);
                prop_assert!(i64::from(charge.raw + charge.before_start) <= (sent - received).num_days().max(0) + 1);
            }
        }
    }

    #[test]
    fn more_leave_never_costs_more_days(game in some_game(), more in some_leaves()) {
        let before = ledger(&game);
        let mut away = game.clone();
        away.leaves.extend(more);
        for (less, more) in before.plies().iter().zip(ledger(&away).plies()) {
            prop_assert!(more.days <= less.days, "{}: {:?} {:?}", less.number, less.basis, more.basis);
        }
    }

    #[test]
    fn an_answer_a_day_later_never_costs_less_and_earlier_doubling_never_less(
        rules in some_rules(), leaves in some_leaves(), first in 0u64..60, days in 0u64..60, reminder in proptest::option::of(0u64..90),
    ) {
        let mut rules = super::rules(rules);
        let still = StandingStill::of(&leaves, Side::White);
        let received = epoch() + Days::new(first);
        let reminded = reminder.map(|n| epoch() + Days::new(n));
        let mut cheaper = None;
        for limit in [None, Some(30), Some(20), Some(10), Some(1), Some(0)] {
            rules.double_after = limit;
            let counting = Counting { rules: &rules, start: None, still: &still, reminded };
            let cost = |days: u64| counting.charge(received.into(), (received + Days::new(days)).into()).unwrap().days();
            prop_assert!(cost(days) <= cost(days + 1), "{limit:?}");
            prop_assert!(cheaper.is_none_or(|cheaper| cheaper <= cost(days)), "{limit:?}");
            cheaper = Some(cost(days));
        }
    }

    #[test]
    fn a_game_that_goes_through_pgn_keeps_its_days_or_differs_from_what_stands_there(game in some_game()) {
        let options = Options { dates: true, addresses: true, ..Options::default() };
        let text = write(&game, &options).unwrap();
        let file = games(text.as_bytes()).next().unwrap().unwrap();
        let wanted = Wanted { named: Some(game.rules.clone()), ..Wanted::default() };
        let request = Request {
            name: &game.white.name, emails: &game.white.emails, me: Some(game.me), opponent_email: None,
            rules: &wanted, today: day("2005-06-01"),
        };
        let read = owned(&file, &request, &mut Ids::default()).unwrap().game;
        let rows: Vec<Row> =
            read.moves.iter().enumerate().map(|(index, record)| Row::read(read.number_of(index), record.claimed)).collect();
        let counted = |ledger: &Ledger| ledger.plies().iter().map(|ply| (ply.days, ply.total)).collect::<Vec<_>>();
        let (before, after) = (ledger(&game), ledger(&read));
        if differences(&read, &after, &rows).is_empty() {
            prop_assert_eq!(counted(&after), counted(&before));
        }
        let is_plain = game.leaves.is_empty() && before.is_by_dates() && game.moves.iter().all(|record| record.agreed.is_empty());
        if is_plain && before.rules().double_from == DoubleFrom::Day {
            prop_assert_eq!(counted(&after), counted(&before));
        }
    }

    #[test]
    fn the_last_safe_day_is_the_last_that_leaves_no_less_than_nothing(game in some_game()) {
        let ledger = ledger(&game);
        let side = game.to_move();
        let Some(safe) = ledger.last_safe_day(side) else { return Ok(()) };
        let left = |day: NaiveDate| ledger.clock(side, Some(side), ledger.judged(day)).days_left.unwrap();
        let since = ledger.waiting_since().unwrap().day;
        prop_assert!(safe >= since);
        prop_assert!(left(safe) >= 0 || safe == since, "{safe}: {}", left(safe));
        prop_assert!(left(safe + Days::new(1)) < 0, "{safe}: {}", left(safe + Days::new(1)));
    }
}

#[tokio::test]
async fn every_game_under_every_rule_set_comes_back_from_its_document_with_the_same_clocks() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut games = Vec::new();
    for (index, name) in names().flat_map(|name| [name; 24]).enumerate() {
        let mut game = some_record().new_tree(&mut runner).unwrap().current();
        (game.id, game.rules) = (format!("G-{index}").parse().unwrap(), serde_json::from_value(json!(name)).unwrap());
        game.clock_notes.retain(|note| note.ply as usize <= game.moves.len() + 1);
        games.push(game);
    }
    let document = serde_json::to_string(&Document::of(&games)).unwrap();
    let read = Document::read(&document).unwrap();
    for game in &read {
        check_days(game, day("2005-01-01")).unwrap();
    }
    let dir = TempDir::new().unwrap();
    let mut store = Store::open(dir.path()).await.unwrap();
    let now: DateTime<Utc> = "2005-01-01T12:00:00Z".parse().unwrap();
    let entry = |game: Game| {
        let root = format!("<{}.root@example.org>", game.id);
        (game, root)
    };
    let entries: Vec<_> = read.into_iter().map(entry).collect();
    store.import(&entries, false, now).await.unwrap();
    let stored: Vec<Game> = store.games().await.unwrap().into_iter().map(|stored| stored.game).collect();
    assert_eq!(serde_json::to_string(&Document::of(&stored)).unwrap(), document);
    for (before, after) in games.iter().zip(&stored) {
        let (to_move, (old, new)) = (Some(before.to_move()), (ledger(before), ledger(after)));
        assert_eq!(new.plies(), old.plies(), "{}", before.id);
        assert_eq!((new.oversteps(), new.doubts()), (old.oversteps(), old.doubts()), "{}", before.id);
        for side in [Side::White, Side::Black] {
            let clock = |ledger: &Ledger| ledger.clock(side, to_move, Moment::of(now.fixed_offset()));
            assert_eq!(clock(&new), clock(&old), "{}", before.id);
        }
        assert_eq!(new.hours(), old.hours(), "{}", before.id);
    }
}

#[test]
fn a_thousand_jumps_of_the_wall_clock_change_no_recorded_figure() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let game = std::iter::repeat_with(|| some_game().new_tree(&mut runner).unwrap().current())
        .find(|game| game.moves.len() > 15 && !game.leaves.is_empty())
        .unwrap();
    let recorded = ledger(&game);
    let side = game.to_move();
    let mut thought: Vec<(NaiveDate, u32)> = Vec::new();
    // from 1970 to 2099, in no order
    for jump in 0..1000u64 {
        let seconds = i64::try_from(jump.wrapping_mul(6_364_136_223_846_793_005) % 4_102_444_800).unwrap();
        let now: DateTime<Utc> = Utc.timestamp_opt(seconds, 0).unwrap();
        let zone = [chrono_tz::Pacific::Kiritimati, chrono_tz::Etc::GMTPlus12, chrono_tz::Europe::Stockholm]
            [seconds as usize % 3];
        let today = now.with_timezone(&zone).date_naive();
        let ledger = ledger(&game).booked(Booking::NextDay, &zone);
        let clock = ledger.clock(side, Some(side), today);
        let waits = ledger.clock(side.other(), Some(side), today);
        if jump % 100 == 0 {
            marks(&game, &ledger, Pace::of(&ledger, today).as_ref(), None);
        }
        assert_eq!(ledger.plies(), recorded.plies(), "{now}");
        assert_eq!((ledger.oversteps(), ledger.doubts()), (recorded.oversteps(), recorded.doubts()), "{now}");
        assert_eq!((clock.days_used, waits.days_used), (recorded.total(side), recorded.total(side.other())), "{now}");
        assert_eq!(waits.days_this_move, 0);
        thought.push((today, clock.days_this_move));
    }
    thought.sort_unstable();
    assert!(thought.is_sorted_by_key(|(_, days)| *days), "a later day never costs less, and none before the mail came");
    assert_eq!(thought[0].1, 0);
}

fn me() -> Me {
    let text = "[me]\nname = \"Ostrander, Mila\"\nemails = [\"mila.ostrander@example.org\"]\ntimezone = \"Europe/Stockholm\"\n";
    Config::parse(text).unwrap().me
}

#[tokio::test]
async fn a_mail_taken_in_by_a_machine_that_is_years_wrong_has_the_same_dates() {
    let raw = "From: tobin.q@example.net\r\nTo: mila.ostrander@example.org\r\nSubject: EM-1\r\n\
               Date: Mon, 13 Sep 2004 20:00:00 +0200\r\nMessage-ID: <t1@example.net>\r\n\r\n1... 7866\r\n";
    let at: DateTime<Utc> = "2004-09-13T18:01:00Z".parse().unwrap();
    let mut figures = Vec::new();
    for now in [
        "1970-01-01T00:00:05Z",
        "2004-09-13T18:02:00Z",
        "2004-03-28T01:00:00Z",
        "2026-11-21T20:00:00Z",
        "2099-12-31T23:59:59Z",
    ] {
        let mut game = game(json!("iccf-email-2000"));
        push(&mut game, super::dated("2004-09-10", "2004-09-10"));
        let now: DateTime<Utc> = now.parse().unwrap();
        let dir = TempDir::new().unwrap();
        let mut store = Store::open(dir.path()).await.unwrap();
        store.import(&[(game.clone(), "<EM-1.root@example.org>".to_owned())], false, now).await.unwrap();
        let mail = RawMessage { bytes: raw.as_bytes(), at, arrival: None, verified: None };
        take_in(&mut store, &me(), &Senders::default(), &mail, now).await.unwrap();
        let after = store.game(&game.id).await.unwrap().unwrap().game;
        assert_eq!(after.moves.len(), 2, "{now}");
        figures.push((after.moves[1], ledger(&after).plies().to_vec(), ledger(&after).doubts().to_vec()));
    }
    assert!(figures.iter().all(|other| *other == figures[0]), "{figures:#?}");
    assert_eq!((figures[0].1[1].days, figures[0].1[1].total), (Some(3), 3));
}
