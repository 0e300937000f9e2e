//! A player with many games: mails that come in, his answers in every way, and what is doubtful. The same in every run.

use std::path::Path;

use amici::config::{Config, Me, Senders};
use amici::domain::document::Document;
use amici::domain::game::{Game, GameId, GameResult, MoveNumber, MoveRecord, Plan, Player, Side, Stated};
use amici::domain::notation::NumericMove;
use amici::domain::transmission::{Half, Transmission};
use amici::intake::{RawMessage, take_in};
use amici::io::store::{Arrival, Asking, EventRow, NewMove, Outgoing, OutgoingKind, Store};
use amici::letters::compose;
use amici::mail::authentication::{Finding, Method};
use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use shakmaty::{Chess, Position};
use tempfile::TempDir;

use crate::intake::ME;

/// The same numbers in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % sides as u64).unwrap()
    }

    /// One time in so many.
    pub(crate) fn rarely(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }
}

/// The player's desk with all his games.
pub(crate) struct Club {
    pub(crate) dir: TempDir,
    pub(crate) store: Store,
    pub(crate) mails: usize,
    me: Me,
    senders: Senders,
    dice: Dice,
}

/// One game as it is really played: the opponent has White.
struct Match {
    id: GameId,
    from: String,
    truth: Vec<Half>,
}

impl Club {
    /// So many games, played to so many moves of each opponent.
    pub(crate) async fn of(games: usize, turns: usize) -> Club {
        let dir = TempDir::new().unwrap();
        let store = Store::open(dir.path()).await.unwrap();
        let config = "[senders]\nverify_dkim = true\ndefault = \"pinned\"\n";
        let config = Config::parse(&format!("{ME}{config}")).unwrap();
        let mut club = Club { dir, store, mails: 0, me: config.me, senders: config.senders, dice: Dice(2_004) };
        let matches: Vec<Match> = (0..games).map(|number| club.found(number, turns)).collect();
        let entries: Vec<(Game, String)> = matches.iter().map(Match::game).collect();
        club.store.import(&entries, false, "2004-08-31T07:00:00Z".parse().unwrap()).await.unwrap();
        for turn in 0..turns {
            for game in &matches {
                club.turn(game, turn).await;
            }
        }
        for (number, game) in matches.iter().enumerate().filter(|(number, _)| number % 5 == 0) {
            let now = game.mailed(turns - 1) + TimeDelta::days(3);
            let result = if number % 10 == 0 { GameResult::Draw } else { GameResult::BlackWins };
            club.store.close_game(&game.id, result, None, now).await.unwrap();
        }
        club
    }

    fn found(&mut self, number: usize, turns: usize) -> Match {
        let mut position = Chess::default();
        let (mut sent, mut totals) = (NaiveDate::from_ymd_opt(2004, 9, 1).unwrap(), [0, 0]);
        let first = MoveNumber { number: 1, side: Side::White };
        let mut truth = Vec::with_capacity(2 * turns);
        for ply in 0..2 * turns {
            let moves: Vec<_> = position
                .legal_moves()
                .into_iter()
                .filter(|m| {
                    let mut next = position.clone();
                    next.play_unchecked(*m);
                    !next.is_game_over()
                })
                .collect();
            let m = moves[self.dice.roll(moves.len())];
            let received = sent + Days::new(self.dice.roll(2) as u64);
            sent = received + Days::new(self.dice.roll(5) as u64);
            let days = u32::try_from((sent - received).num_days()).unwrap();
            totals[ply % 2] += days;
            position.play_unchecked(m);
            let stated =
                Stated { received: Some(received), sent: Some(sent), days: Some(days), total: Some(totals[ply % 2]) };
            truth.push(Half { number: first.plus(ply), numeric: NumericMove::of(&m), stated });
        }
        Match { id: format!("CLUB-{number:03}").parse().unwrap(), from: format!("player{number}@example.org"), truth }
    }

    async fn turn(&mut self, game: &Match, turn: usize) {
        let at = game.mailed(turn);
        if self.dice.rarely(6) {
            // a stranger's, every other one about the game
            let subject = if self.dice.rarely(2) { game.id.to_string() } else { "offers".to_owned() };
            let letter = format!(
                "From: News {turn} <news@example.com>\nTo: tobin.q@example.net\nSubject: {subject}\nDate: {}\n\
                 Message-ID: <news.{}.{turn}@example.com>\n\nBuy a chess clock.\n",
                at.to_rfc2822(),
                game.id
            );
            self.take(letter, at).await;
        }
        if turn > 0 && self.dice.rarely(6) {
            // her last mail once more: as it was, or under another id
            let id = if self.dice.rarely(2) { format!("m{}", turn - 1) } else { format!("again{turn}") };
            self.take(game.mail(turn - 1, &id, &Slip::None), game.mailed(turn - 1) + TimeDelta::hours(30)).await;
        }
        if 2 * turn + 2 < game.truth.len() && self.dice.rarely(8) {
            self.take(game.mail(turn + 1, &format!("early{turn}"), &Slip::None), at).await;
            self.ignore(game, at + TimeDelta::hours(1)).await;
        }
        let slip = match self.dice.roll(10) {
            0 => Slip::Total,
            1 => Slip::Sent,
            2 => Slip::Doubt,
            3 => Slip::Undated,
            _ => Slip::None,
        };
        self.take(game.mail(turn, &format!("m{turn}"), &slip), at).await;
        let plies = self.store.game(&game.id).await.unwrap().unwrap().game.with_plan_recorded().moves.len();
        if plies == 2 * turn {
            self.accept(game, turn, at + TimeDelta::hours(2)).await;
            self.ignore(game, at + TimeDelta::hours(3)).await;
        }
        self.answer(game, turn, at + TimeDelta::hours(5)).await;
    }

    async fn take(&mut self, mail: String, at: DateTime<Utc>) {
        self.mails += 1;
        let bytes = mail.replace('\n', "\r\n").into_bytes();
        let arrival = Arrival {
            source: "imap".to_owned(),
            folder: "INBOX".to_owned(),
            epoch: 7,
            uid: self.mails.to_string(),
            size: u32::try_from(bytes.len()).ok(),
            server_date: Some(at),
        };
        let pass = Finding {
            method: Method::Dkim,
            pass: true,
            word: "pass".to_owned(),
            domain: Some("example.org".to_owned()),
        };
        let verified = mail.contains("player").then(|| vec![pass]);
        let raw = RawMessage { bytes: &bytes, at, arrival: Some(arrival), verified };
        take_in(&mut self.store, &self.me, &self.senders, &raw, at + TimeDelta::minutes(1)).await.unwrap();
    }

    async fn held(&mut self, game: &Match) -> Vec<(i64, i64)> {
        let held = self.store.held().await.unwrap();
        held.iter().filter(|h| h.game.as_ref() == Some(&game.id)).map(|h| (h.verdict, h.mail)).collect()
    }

    async fn ignore(&mut self, game: &Match, now: DateTime<Utc>) {
        for (verdict, mail) in self.held(game).await {
            let event = game.event("ignored", format!("you put mail {mail} away"));
            assert!(self.store.settle_verdict(verdict, None, &[], &event, now).await.unwrap());
        }
    }

    /// He has a question drafted, then reads the move in the held mail himself.
    async fn accept(&mut self, game: &Match, turn: usize, now: DateTime<Utc>) {
        let held = self.held(game).await;
        let (verdict, mail) = *held.last().unwrap();
        let question = game.letter(OutgoingKind::Notice, &format!("ask{turn}"), None);
        let event = game.event("asked", format!("a question about mail {mail} was drafted"));
        let asked = self.store.ask(verdict, false, &question, &event, now).await.unwrap();
        assert_eq!(asked, Asking::Drafted);
        let stored = self.store.game(&game.id).await.unwrap().unwrap().game;
        let half = game.truth[2 * turn];
        // now and then he goes by the postmark
        let sent = half.stated.sent.map(|day| day + Days::new(u64::from(self.dice.rarely(2))));
        let new = NewMove {
            game: game.id.clone(),
            expected_plies: stored.moves.len(),
            confirm_plan: stored.plan.map(|plan| plan.message_id),
            before: Vec::new(),
            record: MoveRecord::claimed(half.numeric, Stated { sent, days: None, total: None, ..half.stated }),
            draw_offer: None,
            conditionals: Vec::new(),
            answer_to: None,
        };
        let event = game.event("accepted", format!("you read {} {} in mail {mail}", half.number, half.numeric));
        let later = now + TimeDelta::minutes(20);
        assert!(self.store.settle_verdict(verdict, Some(&new), &[], &event, later).await.unwrap());
    }

    async fn answer(&mut self, game: &Match, turn: usize, now: DateTime<Utc>) {
        let stored = self.store.game(&game.id).await.unwrap().unwrap().game;
        assert_eq!((stored.moves.len(), stored.plan.clone()), (2 * turn + 1, None), "{}: turn {turn}", game.id);
        let half = game.truth[2 * turn + 1];
        let expected_plies = stored.moves.len();
        if self.dice.rarely(2) {
            let sent = NewMove {
                game: game.id.clone(),
                expected_plies,
                confirm_plan: None,
                before: Vec::new(),
                record: MoveRecord::claimed(half.numeric, half.stated),
                draw_offer: None,
                conditionals: Vec::new(),
                answer_to: None,
            };
            let event = game.event("sent", format!("you sent {} {}", half.number, half.numeric));
            self.store.confirm_sent(&sent, &event, now).await.unwrap();
            return;
        }
        let tries = if self.dice.rarely(5) { 2 } else { 1 };
        for one in 0..tries {
            let name = format!("draft{turn}.{one}");
            let plan = Plan {
                before: Vec::new(),
                numeric: half.numeric,
                stated: half.stated,
                draw_offer: false,
                message_id: game.message_id(&format!("reply{turn}.{one}")),
                conditionals: Vec::new(),
                comment: None,
                held_until: None,
            };
            let draft = game.letter(OutgoingKind::Draft, &name, u32::try_from(expected_plies + 1).ok());
            let now = now + TimeDelta::minutes(10 * i64::from(one));
            self.store.plan(&game.id, expected_plies, &plan, &draft, now).await.unwrap();
            if one + 1 < tries {
                let back = now + TimeDelta::minutes(5);
                self.store.undo(&game.id, back).await.unwrap().unwrap();
            }
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.dir.path()
    }
}

/// What is wrong with a mail.
enum Slip {
    None,
    /// She has lost a day in her total.
    Total,
    /// She dates her move a day late.
    Sent,
    /// She writes two moves.
    Doubt,
    /// She gives no dates for it.
    Undated,
}

impl Match {
    fn game(&self) -> (Game, String) {
        let mut game = Document::read(include_str!("../corpus/games/sample.json")).unwrap().remove(0);
        game.moves.clear();
        game.id = self.id.clone();
        game.event = format!("EM/{}", self.id);
        game.white = Player { name: format!("Opponent of {}", self.id), emails: vec![self.from.clone()] };
        game.start_date = self.truth[0].stated.received;
        (game, self.message_id("root"))
    }

    fn message_id(&self, name: &str) -> String {
        format!("<{}.{name}@example.net>", self.id)
    }

    fn event(&self, kind: &str, text: String) -> EventRow {
        EventRow { game: Some(self.id.clone()), kind: kind.to_owned(), text }
    }

    fn letter(&self, kind: OutgoingKind, name: &str, ply: Option<u32>) -> Outgoing {
        Outgoing {
            kind,
            game: Some(self.id.clone()),
            ply,
            message_id: self.message_id(name),
            recipient: "tobin.q@example.net".to_owned(),
            bytes: format!("Subject: {name} of {}\r\n\r\nmove\r\n", self.id).into_bytes(),
        }
    }

    /// When her mail with this move is taken.
    fn mailed(&self, turn: usize) -> DateTime<Utc> {
        let day = self.truth[2 * turn].stated.sent.unwrap();
        day.and_hms_opt(9, 0, 0).unwrap().and_utc()
    }

    fn mail(&self, turn: usize, id: &str, slip: &Slip) -> String {
        let mut halves = self.truth[..=2 * turn].to_vec();
        let last = halves.last_mut().unwrap();
        match slip {
            Slip::Total => last.stated.total = last.stated.total.map(|total| total + 1),
            Slip::Sent => last.stated.sent = last.stated.sent.map(|day| day + Days::new(1)),
            Slip::Undated => last.stated = Stated::default(),
            Slip::None | Slip::Doubt => {}
        }
        let event = Some(format!("EM/{}", self.id));
        let mut own = compose(&Transmission { event, halves, ..Transmission::default() }).unwrap();
        if matches!(slip, Slip::Doubt) {
            own.push_str(&format!("Or should I rather play {} 1113?\n", self.truth[2 * turn].number));
        }
        format!(
            "Received: from mx.example.org by mail.example.net; {date}\nFrom: Opponent <{}>\nTo: tobin.q@example.net\n\
             Subject: Re: EM/{}\nDate: {date}\nMessage-ID: <{id}.{}@example.org>\n\n{own}",
            self.from,
            self.id,
            self.id,
            date = self.mailed(turn).to_rfc2822(),
        )
    }
}
