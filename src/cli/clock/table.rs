//! The two tables side by side: his, as he states it, and the record's.

use std::fmt::Write;

use chrono::NaiveDate;
use serde_json::{Value, json};

use super::super::Failure;
use super::super::failure::failed;
use super::super::narrow::is_too_wide;
use super::super::show::{hidden_json, overstep_json};
use crate::config::{Language, Me};
use crate::domain::clock::days::Moment;
use crate::domain::clock::illegal::counted;
use crate::domain::clock::ledger::{Ledger, PlyTime};
use crate::domain::clock::over::Awaited;
use crate::domain::game::{Agreed, Game, GameId, MoveNumber, MoveRecord, Side, Stated};
use crate::domain::judge::Row;
use crate::domain::judge::discrepancy::{Difference, differences, recorded};
use crate::domain::judge::objection::{Objection, objections};
use crate::intake::table::shown;
use crate::letters::{self, Claimed};

/// A game's clocks as both sides see them.
pub(super) struct Sheet<'a> {
    game: &'a Game,
    ledger: Ledger,
    rows: Vec<Line<'a>>,
    differences: Vec<Difference>,
    remarks: Vec<String>,
    reminded: String,
    now: Option<Moment>,
    awaited: Awaited,
    claimed: Option<Claimed>,
}

/// One ply.
struct Line<'a> {
    record: &'a MoveRecord,
    time: PlyTime,
    his: Stated,
    ours: Stated,
    objections: Vec<Objection>,
}

impl<'a> Sheet<'a> {
    pub(super) fn of(
        game: &'a Game,
        (newest, standing): (&[Row], &[Row]),
        me: &Me,
        now: Option<Moment>,
        (awaited, claimed): (Awaited, Option<Claimed>),
    ) -> Result<Sheet<'a>, Failure> {
        let ledger = me.ledger(game).map_err(|e| failed(format!("game {}: {e}", game.id)))?;
        let his = shown(game, standing);
        let rows = game.moves.iter().zip(ledger.plies()).zip(&his).enumerate();
        let rows = rows.map(|(index, ((record, time), his))| {
            let objections = objections(game, &ledger, index, &his.unread);
            Line { record, time: *time, his: his.stated, ours: recorded(time), objections }
        });
        let remarks = letters::remarks(game, newest, me.styles.of(game.opponent()).language);
        Ok(Sheet {
            game,
            rows: rows.collect(),
            differences: differences(game, &ledger, &his),
            remarks: [remarks, letters::own_reasons(game, me).into_iter().collect()].concat(),
            reminded: letters::reminded(game, me, Language::English),
            ledger,
            now,
            awaited,
            claimed,
        })
    }

    fn differs(&self, line: &Line<'_>) -> bool {
        self.differences.iter().any(|difference| difference.number == line.time.number)
    }

    pub(super) fn as_text(&self) -> String {
        let game = self.game;
        let mut text = format!("{}: {} - {}\n\n", game.id, game.white.name, game.black.name);
        let rows = self.side_by_side();
        text.push_str(&if is_too_wide(&rows) { self.stacked() } else { rows });
        text.push_str("\n! differs and is not settled   = settled by you   * differs\n");
        for difference in &self.differences {
            let _ = writeln!(text, "\n{difference}");
            let (id, number) = (&game.id, difference.number);
            let _ = writeln!(text, "  settle it:  amici clock agree {id} {number} --mine   or   --his");
        }
        for line in &self.rows {
            let number = line.time.number;
            for objection in &line.objections {
                let _ = writeln!(text, "\nmove {number}: {objection}");
                let _ = writeln!(text, "  settle it:  {}", settled_by(objection, &game.id, number));
            }
        }
        if !self.remarks.is_empty() && self.ledger.goes_on() {
            text.push_str("\nYour next reply says:\n");
            for remark in &self.remarks {
                let _ = writeln!(text, "  - {remark}");
            }
        }
        for index in 0..=game.moves.len() {
            if let Some(counted) = counted(game, &self.ledger, index) {
                let _ = writeln!(text, "\nmove {}: {counted}", game.number_of(index));
                let _ = writeln!(text, "  by the rules: {}", self.ledger.rules().clause("illegal"));
            }
            if let Some(help) = letters::illegal_help(game, index, Language::English) {
                let _ = write!(text, "\n{help}");
            }
        }
        let helps = [
            letters::ignored_help(game, Language::English),
            letters::transit_help(game, Language::English),
            letters::day_doubts(game, Language::English),
        ];
        for help in helps.into_iter().flatten() {
            text.push('\n');
            text.push_str(&help);
        }
        text.push('\n');
        text.push_str(&letters::clock_lines(game, &self.ledger, self.now, self.awaited, Language::English));
        text.push_str(&letters::below_clocks(game, &self.ledger, self.now));
        text.push_str(&letters::undated_help(game, &self.ledger));
        text.push_str(&self.reminded);
        text.push_str(&letters::late_move(game, &self.ledger, self.claimed, Language::English));
        text
    }

    /// Both tables, a row for each ply.
    fn side_by_side(&self) -> String {
        let mut text = "                 he shows                            the record has\n".to_owned();
        text.push_str("  move           received   sent        days total   received   sent        days total\n");
        for line in &self.rows {
            let (his, ours) = (cells(&line.his, &line.ours), cells(&line.ours, &line.his));
            let _ = writeln!(text, "{}", format!("{} {his}  {ours}", self.ply(line)).trim_end());
        }
        text
    }

    /// The same with two lines for each ply, his above the record's: 58 columns.
    fn stacked(&self) -> String {
        let mut text = "  move                    received   sent        days total\n".to_owned();
        for line in &self.rows {
            let (his, ours) = (cells(&line.his, &line.ours), cells(&line.ours, &line.his));
            let _ = writeln!(text, "{}", format!("{} he      {his}", self.ply(line)).trim_end());
            let _ = writeln!(text, "{}", format!("{:<15} record  {ours}", "").trim_end());
        }
        text
    }

    /// A ply with its mark.
    fn ply(&self, line: &Line<'_>) -> String {
        let mark = match (self.differs(line) || !line.objections.is_empty(), line.record.agreed != Agreed::default()) {
            (true, _) => "!",
            (false, true) => "=",
            (false, false) => " ",
        };
        format!("{mark} {:<6} {:<6}", line.time.number.to_string(), line.record.numeric.to_string())
    }

    pub(super) fn as_json(&self) -> Value {
        let stated = |s: &Stated| json!({"received": s.received, "sent": s.sent, "days": s.days, "total": s.total});
        let rows: Vec<Value> = (1..)
            .zip(&self.rows)
            .map(|(ply, line)| {
                let agreed = (line.record.agreed != Agreed::default()).then(|| {
                    let a = line.record.agreed;
                    json!({"received": a.received, "sent": a.sent, "days": a.days, "total": a.total, "penalty": a.penalty})
                });
                json!({
                    "ply": ply, "number": line.time.number.to_string(), "side": line.time.number.side,
                    "numeric": line.record.numeric, "his": stated(&line.his), "ours": stated(&line.ours),
                    "agreed": agreed, "differs": self.differs(line), "mail_dated": dated(line),
                    "objections": line.objections.iter().map(ToString::to_string).collect::<Vec<_>>(),
                })
            })
            .collect();
        let to_move = self.ledger.goes_on().then(|| self.game.to_move());
        let clock = |side: Side| {
            let runs = to_move == Some(side);
            let c = self.ledger.clock(side, to_move, self.now.unwrap_or_else(|| NaiveDate::MIN.into()));
            let known = |days: Option<i64>| days.filter(|_| self.now.is_some() || !runs);
            json!({"days_used": c.days_used, "days_this_move": known(Some(c.days_this_move.into())), "days_left": known(c.known_left()), "partial": c.is_partial, "until_move": c.until_move})
        };
        let number =
            |ply: u32| self.game.number_of(usize::try_from(ply).unwrap_or(usize::MAX).saturating_sub(1)).to_string();
        let illegal: Vec<Value> = self
            .game
            .illegal
            .iter()
            .map(|i| json!({"ply": i.ply, "number": number(i.ply), "sent": i.sent, "noticed": i.noticed}))
            .collect();
        let mails = self.game.illegal_mails.iter();
        let illegal_mails: Vec<Value> =
            mails.map(|i| json!({"ply": i.ply, "number": number(i.ply), "mail": i.mail})).collect();
        let differences: Vec<String> = self.differences.iter().map(ToString::to_string).collect();
        json!({
            "schema": 1, "game_id": self.game.id, "rows": rows, "differences": differences, "remarks": self.remarks,
            "illegal": illegal, "illegal_mails": illegal_mails,
            "clocks": {"white": clock(Side::White), "black": clock(Side::Black)},
            "his_overstep": overstep_json(self.game, &self.ledger, self.game.me.other(), self.now),
            "perhaps_overstepped": hidden_json(self.game, &self.ledger),
            "own_overstep": overstep_json(self.game, &self.ledger, self.game.me, self.now),
            "clock_trusted": self.now.is_some(),
        })
    }
}

/// What he states otherwise than the Date of his mail.
fn dated(line: &Line<'_>) -> Option<NaiveDate> {
    line.objections.iter().find_map(|o| if let Objection::Stamp { dated, .. } = o { Some(*dated) } else { None })
}

/// The command that settles it.
fn settled_by(objection: &Objection, id: &GameId, number: MoveNumber) -> String {
    let agree = |whose: &str| format!("amici clock agree {id} {number} {whose}");
    let set = |what: &str| format!("amici clock set {id} {number} {what} --why TEXT");
    match objection {
        Objection::Stamp { .. } => agree("--mine   for the Date   or   --his"),
        Objection::Early { mine, .. } => set(&format!("--received {mine}")),
        Objection::Transit { latest: Some(latest), .. } => set(&format!("--received {latest}")),
        Objection::Transit { latest: None, .. } => format!("{}   or   {}", agree("--his"), set("--received DATE")),
        Objection::Reversed(_) => set("--received DATE --sent DATE"),
        Objection::Numbers(..) => format!("{}   or   {}", agree("--mine"), set("--days DAYS")),
        Objection::WrongDay(_, counted) | Objection::Unclear(counted) => {
            let what = match (counted.received.is_some(), counted.sent.is_some()) {
                (true, false) => "--received DATE",
                (false, true) => "--sent DATE",
                (true, true) | (false, false) => "--received DATE --sent DATE",
            };
            format!("{}   or   {}", agree("--mine"), set(what))
        }
    }
}

/// The four cells of one side of a row, a star after each that differs from the other's.
fn cells(one: &Stated, other: &Stated) -> String {
    fn cell<T: PartialEq + ToString>(one: &Option<T>, other: &Option<T>) -> String {
        let star = if one.is_some() && other.is_some() && one != other { "*" } else { "" };
        one.as_ref().map_or("-".to_owned(), |value| format!("{}{star}", value.to_string()))
    }
    format!(
        "{:<11}{:<11}{:>5} {:>5}",
        cell(&one.received, &other.received),
        cell(&one.sent, &other.sent),
        cell(&one.days, &other.days),
        cell(&one.total, &other.total)
    )
}
