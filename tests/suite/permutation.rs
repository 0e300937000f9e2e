//! The mails of a whole game in every order, some of them several times, and by clocks that are wrong: the record is never wrong, and in
//! the end complete.

use std::collections::BTreeSet;

use amici::config::{Config, Me, Senders};
use amici::daemon::{Reminded, remind};
use amici::domain::clock::over::{IllegalDays, Obstacle};
use amici::domain::clock::trust::{Witnesses, distrust};
use amici::domain::document::Document;
use amici::domain::game::{Game, MoveNumber, MoveRecord, Plan, Side, Stated};
use amici::domain::notation::NumericMove;
use amici::domain::transmission::{Half, Transmission};
use amici::intake::{RawMessage, take_in};
use amici::io::store::{EventRow, NewMove, Outgoing, OutgoingKind, Store};
use amici::letters::compose;
use amici::overview::{Answers as Answered, Read};
use amici::proof::replay::replay;
use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, Utc};
use shakmaty::{Chess, Position};
use tempfile::TempDir;

use crate::intake::{ME, MILA, ROOT};

/// The opponent's mails.
const MAILS: usize = 20;

/// The same numbers in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % sides as u64).unwrap()
    }

    fn shuffled<T>(&mut self, mut list: Vec<T>) -> Vec<T> {
        for at in (1..list.len()).rev() {
            list.swap(at, self.roll(at + 1));
        }
        list
    }
}

/// A legal game of twenty moves of the opponent, who has White, and of the answers between them.
fn truth(dice: &mut Dice, first_day: &str) -> Vec<Half> {
    let mut position = Chess::default();
    let (mut sent, mut totals) = (first_day.parse::<NaiveDate>().unwrap(), [0, 0]);
    let first = MoveNumber { number: 1, side: Side::White };
    (0..2 * MAILS - 1)
        .map(|ply| {
            let moves = position.legal_moves();
            let m = moves[dice.roll(moves.len())];
            let received = sent + Days::new(dice.roll(2) as u64);
            sent = received + Days::new(dice.roll(5) as u64);
            let days = u32::try_from((sent - received).num_days()).unwrap();
            totals[ply % 2] += days;
            position.play_unchecked(m);
            let total = Some(totals[ply % 2]);
            let stated = Stated { received: Some(received), sent: Some(sent), days: Some(days), total };
            Half { number: first.plus(ply), numeric: NumericMove::of(&m), stated }
        })
        .collect()
}

/// The opponent's mail with her move `index`: the whole game, and the player's last mail quoted in full.
fn mail(truth: &[Half], index: usize, id: &str) -> (Vec<u8>, DateTime<Utc>) {
    let text = |halves: &[Half]| {
        let event = Some("EM/ZZ/042".to_owned());
        compose(&Transmission { event, halves: halves.to_vec(), ..Transmission::default() }).unwrap()
    };
    let own = text(&truth[..=2 * index]);
    let quote: String = match index {
        0 => String::new(),
        _ => text(&truth[..2 * index]).lines().map(|line| format!("> {line}\n")).collect(),
    };
    let day = truth[2 * index].stated.sent.unwrap();
    let date = day.and_time(NaiveTime::MIN).and_utc() + TimeDelta::hours(18);
    let mail = format!(
        "From: {MILA}\nTo: tobin.q@example.net\nSubject: Re: EM/ZZ/042\nDate: {}\nMessage-ID: <{id}@example.org>\n\n\
         {own}\nOn {} Tobin wrote:\n{quote}",
        date.to_rfc2822(),
        day.format("%d.%m.%Y")
    );
    (mail.replace('\n', "\r\n").into_bytes(), date + TimeDelta::minutes(2))
}

/// How the player answers.
#[derive(Clone, Copy, PartialEq)]
enum Answers {
    /// He says that he sent the move.
    Sent,
    /// He drafts it; her next mail shows that he sent it.
    Planned,
}

struct Desk<'a> {
    _dir: TempDir,
    store: Store,
    me: Me,
    truth: &'a [Half],
    answers: Answers,
    copies: usize,
    /// How far the clock of this machine is ahead.
    ahead: TimeDelta,
}

impl<'a> Desk<'a> {
    async fn new(truth: &'a [Half], answers: Answers) -> Desk<'a> {
        let dir = TempDir::new().unwrap();
        let mut store = Store::open(dir.path()).await.unwrap();
        let mut game = Document::read(include_str!("../corpus/games/sample.json")).unwrap().remove(0);
        game.moves.clear();
        game.start_date = truth[0].stated.received;
        store.import(&[(game, ROOT.to_owned())], false, DateTime::UNIX_EPOCH).await.unwrap();
        Desk {
            _dir: dir,
            store,
            me: Config::parse(ME).unwrap().me,
            truth,
            answers,
            copies: 0,
            ahead: TimeDelta::zero(),
        }
    }

    async fn game(&mut self) -> Game {
        self.store.games().await.unwrap().remove(0).game
    }

    /// Takes the mail with her move `index` in, under its own id or another, and answers if that is possible.
    async fn take(&mut self, index: usize, redelivered: bool) -> Option<&'static str> {
        self.copies += usize::from(redelivered);
        let id = if redelivered { format!("m{index}.{}", self.copies) } else { format!("m{index}") };
        let (bytes, at) = mail(self.truth, index, &id);
        let raw = RawMessage { bytes: &bytes, at, arrival: None, verified: None };
        let now = at + self.ahead;
        let taking = take_in(&mut self.store, &self.me, &Senders::default(), &raw, now).await.unwrap();
        self.is_true().await;
        let game = self.game().await;
        if game.is_my_turn() && game.plan.is_none() && game.moves.len() < self.truth.len() {
            self.answer(&game, now).await;
            self.is_true().await;
        }
        taking.results.first().map(|effect| effect.outcome)
    }

    async fn answer(&mut self, game: &Game, now: DateTime<Utc>) {
        let half = self.truth[game.moves.len()];
        match self.answers {
            Answers::Sent => {
                let sent = NewMove {
                    game: game.id.clone(),
                    expected_plies: game.moves.len(),
                    confirm_plan: None,
                    before: Vec::new(),
                    record: MoveRecord::claimed(half.numeric, half.stated),
                    draw_offer: None,
                    conditionals: Vec::new(),
                    answer_to: None,
                };
                let event = EventRow { game: Some(game.id.clone()), kind: "sent".to_owned(), text: String::new() };
                self.store.confirm_sent(&sent, &event, now).await.unwrap();
            }
            Answers::Planned => {
                let message_id = format!("<plan.{}@example.net>", game.moves.len());
                let plan = Plan {
                    before: Vec::new(),
                    numeric: half.numeric,
                    stated: half.stated,
                    draw_offer: false,
                    message_id: message_id.clone(),
                    conditionals: Vec::new(),
                    comment: None,
                    held_until: None,
                };
                let draft = Outgoing {
                    kind: OutgoingKind::Draft,
                    game: Some(game.id.clone()),
                    ply: u32::try_from(game.moves.len() + 1).ok(),
                    message_id,
                    recipient: "tobin.q@example.net".to_owned(),
                    bytes: b"draft".to_vec(),
                };
                self.store.plan(&game.id, game.moves.len(), &plan, &draft, now).await.unwrap();
            }
        }
    }

    /// What is on record is the beginning of the game that was played.
    async fn is_true(&mut self) {
        let game = self.game().await;
        let recorded: Vec<_> = game.moves.iter().map(|m| (m.numeric, m.claimed)).collect();
        let played: Vec<_> = self.truth.iter().map(|h| (h.numeric, h.stated)).take(recorded.len()).collect();
        assert_eq!(recorded, played);
    }

    /// How many of her moves are on record.
    async fn hers(&mut self) -> usize {
        self.game().await.moves.len().div_ceil(2)
    }
}

/// The orders in which mails come: each index once at least.
fn orders(dice: &mut Dice) -> Vec<Vec<usize>> {
    let all = || (0..MAILS).collect::<Vec<_>>();
    let neighbours = (0..MAILS).map(|index| index ^ 1).collect();
    vec![all().into_iter().rev().collect(), neighbours, dice.shuffled(all()), dice.shuffled([all(), all()].concat())]
}

#[tokio::test]
async fn in_whatever_order_the_mails_of_a_game_come_its_record_is_true_and_ends_complete() {
    let mut dice = Dice(2_004);
    let truth = truth(&mut dice, "2004-09-01");
    for (number, order) in orders(&mut dice).into_iter().enumerate() {
        let answers = if number % 2 == 0 { Answers::Sent } else { Answers::Planned };
        let mut desk = Desk::new(&truth, answers).await;
        for (place, index) in order.iter().enumerate() {
            let redelivered = order[..place].contains(index) && dice.roll(2) == 0;
            let again = order[..place].contains(index) && !redelivered;
            let before = desk.hers().await;
            let outcome = desk.take(*index, redelivered).await;
            let (due, context) = (*index == before, format!("order {number}, mail {index} at {place}: {outcome:?}"));
            assert_eq!(desk.hers().await, before + usize::from(due && !again), "{context}");
            match outcome {
                Some("move") => assert!(due, "{context}"),
                Some("duplicate") => assert!(*index < before, "{context}"),
                Some("needs_human") => assert!(*index != before, "{context}"),
                outcome => assert!(outcome.is_none() && again, "{context}"),
            }
        }
        // the held ones once more, in order, as he sends them when he is asked
        for index in desk.hers().await..MAILS {
            assert_eq!(desk.take(index, true).await, Some("move"), "order {number}, mail {index} again");
        }
        let game = desk.game().await;
        let in_order = (0..MAILS).map(|index| mail(&truth, index, "").1.date_naive());
        let arrived = game.moves.iter().step_by(2).map(|m| m.observed.arrived.unwrap());
        assert!(arrived.eq(in_order), "order {number}");
        assert_eq!((game.moves.len(), game.plan), (truth.len(), None), "order {number}");
    }
}

/// So many of them, for what looks at each day after the last.
const FEW: usize = 8;

impl Desk<'_> {
    async fn witnesses(&mut self) -> Witnesses {
        self.store.witnesses().await.unwrap()
    }

    /// Takes the last of her mails in once more at `now`, by hand.
    async fn again(&mut self, now: DateTime<Utc>) {
        self.ahead = now - mail(self.truth, FEW - 1, "").1;
        assert_eq!(self.take(FEW - 1, true).await, Some("duplicate"));
    }

    /// Takes the last of her mails in once more, as it comes at `now`; whether it speaks against saying that she has not answered.
    async fn repeats(&mut self, now: DateTime<Utc>) -> bool {
        let (bytes, _) = mail(self.truth, FEW - 1, "again");
        let raw = RawMessage { bytes: &bytes, at: now, arrival: None, verified: None };
        take_in(&mut self.store, &self.me, &Senders::default(), &raw, now).await.unwrap();
        let answers = Answered::load(&mut self.store, Read::At(now)).await.unwrap();
        answers.awaited("SAMPLE-1", IllegalDays::Run).obstacle == Some(Obstacle::Repeated)
    }

    /// The deadlines that he is told of in so many days from an instant on, by a look every third day; `None` where no deadline is judged.
    async fn told(&mut self, from: DateTime<Utc>, days: u32) -> Option<BTreeSet<String>> {
        let notify = Config::parse(ME).unwrap().notify;
        let known = self.store.unsent().await.unwrap().len();
        for day in (0..days).step_by(3) {
            let now = from + Days::new(day.into());
            match remind(&mut self.store, &self.me, &notify, Read::At(now), now).await.unwrap() {
                Reminded::Told(_) => {}
                Reminded::Distrusted(_) => return None,
            }
        }
        let rows = self.store.unsent().await.unwrap().split_off(known);
        let mut told = BTreeSet::new();
        for row in rows {
            let message = amici::mail::message::parse(&row.outgoing.bytes).unwrap();
            told.extend((!message.subject.starts_with("[amici] ")).then_some(message.subject));
            // a line for each game, which may go on below: each of its marks with its day
            let text = message.plain.unwrap().replace("\n       ", " ");
            for marks in text.lines().filter_map(|line| line.strip_prefix("   ! ")) {
                told.extend(marks.split("; ").map(|mark| {
                    let (place, words) = mark.split_once(": ").unwrap();
                    format!("{} {words}", place.split("  ").next().unwrap())
                }));
            }
        }
        Some(told)
    }
}

#[tokio::test]
async fn no_wrong_clock_changes_a_figure_and_after_the_players_word_all_deadlines_are_judged_again() {
    let mut dice = Dice(1_970);
    let truth = truth(&mut dice, "2026-03-01");
    let last = mail(&truth, FEW - 1, "").1 + TimeDelta::hours(1);
    let mut right = Desk::new(&truth, Answers::Sent).await;
    for index in 0..FEW {
        right.take(index, false).await;
    }
    right.again(last).await;
    let (expected, told) = (right.game().await, right.told(last, 72).await.unwrap());
    assert!(told.iter().any(|mail| mail.contains("HIS TIME IS OVERSTEPPED")), "{told:#?}");
    for number in 0..4 {
        let mut desk = Desk::new(&truth, Answers::Sent).await;
        for index in 0..FEW {
            let days = if index + 1 == FEW { 3400 } else { [0, 3500, 30, -30, -20_600][dice.roll(5)] };
            desk.ahead = TimeDelta::days(days);
            assert_eq!(desk.take(index, false).await, Some("move"), "{number}: mail {index}, {days} days ahead");
        }
        let ran_ahead = mail(&truth, FEW - 1, "").1 + TimeDelta::days(3501);
        desk.told(ran_ahead, 1).await.expect("a clock that runs ahead is believed");
        assert_eq!(desk.told(last, 1).await, None, "{number}: the right clock is behind the record");

        let newest = desk.witnesses().await.newest.unwrap();
        let event = EventRow { game: None, kind: "clock".to_owned(), text: "the clock ran ahead".to_owned() };
        desk.store.clock_right(newest, &event, last).await.unwrap();
        assert_eq!(distrust(last, desk.witnesses().await), None);
        // by itself a clock that is behind is believed no more than before, whatever comes
        let behind = last - Days::new(20);
        desk.again(behind).await;
        assert!(distrust(behind, desk.witnesses().await).is_some(), "{number}");
        let game = desk.game().await;
        let dates = |game: &Game| game.moves.iter().map(|m| (m.claimed, m.agreed, m.observed)).collect::<Vec<_>>();
        assert_eq!(dates(&game), dates(&expected), "{number}");
        assert_eq!(desk.told(last, 72).await.as_ref(), Some(&told), "{number}");
        // she repeats her move after his answer: he may not claim that she has not answered, whichever clock dated that
        assert!(desk.repeats(last + Days::new(3)).await, "{number}");
        let fresh = TempDir::new().unwrap();
        let replayed = replay(&mut desk.store, &mut Store::open(fresh.path()).await.unwrap()).await.unwrap();
        assert_eq!((replayed.diff.as_str(), replayed.stopped), ("", None), "{number}");
    }
}
