//! The games of `amici status`, one a line: as a table for the eye, and with tabs for programs.

use chrono::{Datelike, NaiveDate};

use super::line::{Line, Need};
use super::narrow::{Narrow, on_screen};
use super::table::{self, Row};
use crate::domain::transmission::compose::clip;

/// Days used, the side, the opponent, the time for this move and the flags go, in this order: the game, its last move, what is left and
/// what comes next stay.
const NARROW: Narrow<'_> = Narrow { right: &[5, 6, 7], may_go: &[6, 3, 2, 5, 9], cut: 8 };

/// A game as the table shows it, and what the lines around the table say of it. Nothing else is kept, since there can be thousands.
pub(super) struct Glance {
    pub(super) need: Need,
    until: NaiveDate,
    pub(super) is_my_turn: bool,
    pub(super) is_drafted: bool,
    pub(super) is_undated: bool,
    pub(super) is_claimable: bool,
    row: Row<10>,
}

impl Glance {
    /// The game at a glance on a day.
    pub(super) fn of(line: &Line<'_>, today: Option<NaiveDate>) -> Glance {
        let game = &line.summary;
        Glance {
            need: line.need,
            until: line.until(),
            is_my_turn: game.is_my_turn(),
            is_drafted: game.drafted,
            is_undated: game.lacks_dates(),
            is_claimable: game.claimable,
            row: row(line, today),
        }
    }

    /// The game's short name.
    pub(super) fn id(&self) -> &str {
        self.row.cells().nth(1).unwrap_or_default()
    }

    /// By what the list is sorted; no two games have one name.
    pub(super) fn order(&self) -> (Need, NaiveDate, &str) {
        (self.need, self.until, self.id())
    }
}

/// The games in the order given, written behind what stands in a text.
pub(super) fn table(text: &mut String, games: &[Glance]) {
    let titles = Row::of(["  ", "GAME", "OPPONENT", "ME", "LAST MOVE", "THINK", "USED", "LEFT", "NEXT EVENT", "FLAGS"]);
    on_screen(text, std::iter::once(&titles).chain(games.iter().map(|game| &game.row)), &NARROW);
}

fn row(line: &Line<'_>, today: Option<NaiveDate>) -> Row<10> {
    let (game, mut row) = (&line.summary, Row::new());
    row.cell(match line.need {
        Need::Urgent => "!!",
        Need::Look => " ?",
        Need::Move => " >",
        Need::None | Need::Over => "",
    });
    row.cell(&game.id);
    row.cell(&clip(&game.opponent, 24));
    row.cell(game.me.name().get(..1).unwrap_or_default());
    match &game.last {
        Some(last) => [&*last.number, " ", &*last.numeric, "  ", &*last.san].iter().for_each(|part| row.push(part)),
        None => row.push("-"),
    }
    row.end_cell();
    let star = if line.need != Need::Over && !game.is_my_turn() { "*" } else { "" };
    days(&mut row, line.figures.map(|f| f.days_this_move.into()), star);
    let is_known = !(game.is_undated() || game.is_mover_partial()) || game.days_used() > 0;
    days(&mut row, is_known.then(|| game.days_used().into()), "");
    days(&mut row, line.figures.and_then(|f| f.days_left), "");
    match (game.result, line.event) {
        (Some(result), _) => row.push(result.word()),
        (None, Some(mark)) => {
            let is_past = |day: NaiveDate| mark.is_permission() && mark.date <= day;
            match today {
                Some(today) if is_past(today) => row.push("today     "),
                Some(_) if line.is_passed => row.push("passed    "),
                _ => day_and_month(&mut row, mark.date),
            }
            row.push("  ");
            row.push(&mark.words(game.me));
        }
        (None, None) => row.push("-"),
    }
    row.end_cell();
    flags(&mut row, line);
    row
}

fn days<const N: usize>(row: &mut Row<N>, days: Option<i64>, star: &str) {
    match days {
        Some(days) => {
            row.number(days);
            [" d", star].iter().for_each(|part| row.push(part));
        }
        None => row.push("-"),
    }
    row.end_cell();
}

/// Game, opponent, side, whose move, ply, move, days for it, days used, days left, date and kind of the next event, flags, result.
pub(super) fn plain(lines: &[Line<'_>]) -> String {
    let number = |number: Option<i64>| number.map(|n| n.to_string()).unwrap_or_default();
    let row = |line: &Line<'_>| {
        let (game, mut row) = (&line.summary, Row::<13>::new());
        row.cell(&game.id);
        row.cell(&clip(&game.opponent, 60));
        row.cell(game.me.word());
        row.cell(if game.result.is_some() { "" } else { game.to_move.word() });
        row.cell(&game.plies.to_string());
        row.cell(game.last.as_ref().map_or("", |last| &last.numeric));
        row.cell(&number(line.figures.map(|f| f.days_this_move.into())));
        row.cell(&game.days_used().to_string());
        row.cell(&number(line.figures.and_then(|f| f.days_left)));
        row.cell(&line.event.map(|mark| mark.date.to_string()).unwrap_or_default());
        row.cell(line.event.map_or("", |mark| mark.kind.word()));
        flags(&mut row, line);
        row.cell(game.result.map_or("*", |result| result.word()));
        row
    };
    table::plain(lines.iter().map(row).collect::<Vec<_>>().iter())
}

/// `Sat 02 Oct`; chrono would read its pattern anew for every row.
fn day_and_month<const N: usize>(row: &mut Row<N>, date: NaiveDate) {
    const DAYS: [&str; 7] = ["Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "];
    const MONTHS: [&str; 12] =
        [" Jan", " Feb", " Mar", " Apr", " May", " Jun", " Jul", " Aug", " Sep", " Oct", " Nov", " Dec"];
    let word = |words: &[&'static str], index: u32| {
        usize::try_from(index).ok().and_then(|index| words.get(index)).copied().unwrap_or_default()
    };
    row.push(word(&DAYS, date.weekday().num_days_from_monday()));
    row.push(if date.day() < 10 { "0" } else { "" });
    row.number(date.day().into());
    row.push(word(&MONTHS, date.month0()));
}

fn flags<const N: usize>(row: &mut Row<N>, line: &Line<'_>) {
    for (index, flag) in line.flags.iter().enumerate() {
        row.push(if index == 0 { "" } else { " " });
        row.push(flag);
    }
    row.end_cell();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_written_as_chrono_writes_it() {
        let first: NaiveDate = "2004-01-01".parse().unwrap();
        for date in first.iter_days().take(366) {
            let mut row = Row::<1>::new();
            day_and_month(&mut row, date);
            row.end_cell();
            assert_eq!(row.cells().collect::<Vec<_>>(), [date.format("%a %d %b").to_string()]);
        }
    }
}
