//! The games of `amici status`, one a line: as a table for the eye, and with tabs for programs.

use std::fmt::Write;

use chrono::{Datelike, NaiveDate};

use super::line::{Line, Need};
use super::narrow::{Narrow, on_screen};
use super::table::Table;
use crate::domain::transmission::compose::clip;

/// Days used, the side, the opponent, the time for this move and the flags go, in this order: the game, its last move, what is left and
/// what comes next stay.
const NARROW: Narrow<'_> = Narrow { right: &[5, 6, 7], may_go: &[6, 3, 2, 5, 9], cut: 8 };

/// The games in the order given.
pub(super) fn table(lines: &[Line<'_>], today: Option<NaiveDate>) -> String {
    let mut table = Table::<10>::new(&[5, 6, 7]);
    for title in ["  ", "GAME", "OPPONENT", "ME", "LAST MOVE", "THINK", "USED", "LEFT", "NEXT EVENT", "FLAGS"] {
        table.cell(title);
    }
    for line in lines {
        let game = &line.summary;
        table.cell(match line.need {
            Need::Urgent => "!!",
            Need::Look => " ?",
            Need::Move => " >",
            Need::None | Need::Over => "",
        });
        table.cell(&game.id);
        table.cell(&clip(&game.opponent, 24));
        table.cell(game.me.name().get(..1).unwrap_or_default());
        match &game.last {
            Some(last) => {
                [&*last.number, " ", &*last.numeric, "  ", &*last.san].iter().for_each(|part| table.push(part))
            }
            None => table.push("-"),
        }
        table.end_cell();
        let star = if line.need != Need::Over && !game.is_my_turn() { "*" } else { "" };
        let mut days = |days: Option<i64>, star: &str| {
            // writing to a text cannot fail
            let _ = match days {
                Some(days) => write!(table, "{days} d{star}"),
                None => table.write_str("-"),
            };
            table.end_cell();
        };
        days(line.figures.map(|f| f.days_this_move.into()), star);
        days(Some(game.days_used().into()), "");
        days(line.figures.and_then(|f| f.days_left), "");
        let _ = match (game.result, line.event) {
            (Some(result), _) => table.write_str(result.word()),
            (None, Some(mark)) if mark.is_permission() && today.is_some_and(|today| mark.date <= today) => {
                write!(table, "today       {}", mark.words(game.me))
            }
            (None, Some(mark)) if today.is_some_and(|today| mark.is_passed(today)) => {
                write!(table, "passed      {}", mark.words(game.me))
            }
            (None, Some(mark)) => {
                let _ = day_and_month(&mut table, mark.date);
                write!(table, "  {}", mark.words(game.me))
            }
            (None, None) => table.write_str("-"),
        };
        table.end_cell();
        flags(&mut table, line);
    }
    on_screen(table.aligned(), || table.plain(), &NARROW)
}

/// Game, opponent, side, whose move, ply, move, days for it, days used, days left, date and kind of the next event, flags, result.
pub(super) fn plain(lines: &[Line<'_>]) -> String {
    let mut table = Table::<13>::new(&[]);
    for line in lines {
        let game = &line.summary;
        let number = |number: Option<i64>| number.map(|n| n.to_string()).unwrap_or_default();
        table.cell(&game.id);
        table.cell(&clip(&game.opponent, 60));
        table.cell(game.me.word());
        table.cell(if game.result.is_some() { "" } else { game.to_move.word() });
        table.cell(&game.plies.to_string());
        table.cell(game.last.as_ref().map_or("", |last| &last.numeric));
        table.cell(&number(line.figures.map(|f| f.days_this_move.into())));
        table.cell(&game.days_used().to_string());
        table.cell(&number(line.figures.and_then(|f| f.days_left)));
        table.cell(&line.event.map(|mark| mark.date.to_string()).unwrap_or_default());
        table.cell(line.event.map_or("", |mark| mark.kind.word()));
        flags(&mut table, line);
        table.cell(game.result.map_or("*", |result| result.word()));
    }
    table.plain()
}

/// `Sat 02 Oct`; chrono would read its pattern anew for every row.
fn day_and_month(out: &mut impl Write, date: NaiveDate) -> std::fmt::Result {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = usize::try_from(date.month0()).ok().and_then(|month| MONTHS.get(month)).copied().unwrap_or_default();
    write!(out, "{} {:02} {month}", date.weekday(), date.day())
}

fn flags<const N: usize>(table: &mut Table<N>, line: &Line<'_>) {
    for (index, flag) in line.flags.iter().enumerate() {
        table.push(if index == 0 { "" } else { " " });
        table.push(flag);
    }
    table.end_cell();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_written_as_chrono_writes_it() {
        let first: NaiveDate = "2004-01-01".parse().unwrap();
        for date in first.iter_days().take(366) {
            let mut text = String::new();
            day_and_month(&mut text, date).unwrap();
            assert_eq!(text, date.format("%a %d %b").to_string());
        }
    }
}
