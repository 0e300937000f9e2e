//! The games of `amici status`, one a line: as a table for the eye, and with tabs for programs.

use chrono::{Datelike, NaiveDate};

use super::line::{Line, Need};
use super::narrow::{Narrow, on_screen};
use super::table::Table;
use crate::domain::transmission::compose::clip;

/// Days used, the side, the opponent, the time for this move and the flags go, in this order: the game, its last move, what is left and
/// what comes next stay.
const NARROW: Narrow<'_> = Narrow { right: &[5, 6, 7], may_go: &[6, 3, 2, 5, 9], cut: 8 };

/// The games in the order given, written behind what stands in a text.
pub(super) fn table(text: &mut String, lines: &[Line<'_>], today: Option<NaiveDate>) {
    let mut table = Table::<10>::new(&[5, 6, 7]);
    table.reserve(lines.len() + 1);
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
            match days {
                Some(days) => {
                    table.number(days);
                    [" d", star].iter().for_each(|part| table.push(part));
                }
                None => table.push("-"),
            }
            table.end_cell();
        };
        days(line.figures.map(|f| f.days_this_move.into()), star);
        let is_known = !game.is_undated() || game.days_used() > 0;
        days(is_known.then(|| game.days_used().into()), "");
        days(line.figures.and_then(|f| f.days_left), "");
        match (game.result, line.event) {
            (Some(result), _) => table.push(result.word()),
            (None, Some(mark)) => {
                let is_past = |day: NaiveDate| mark.is_permission() && mark.date <= day;
                match today {
                    Some(today) if is_past(today) => table.push("today     "),
                    Some(_) if line.is_passed => table.push("passed    "),
                    _ => day_and_month(&mut table, mark.date),
                }
                table.push("  ");
                table.push(&mark.words(game.me));
            }
            (None, None) => table.push("-"),
        }
        table.end_cell();
        flags(&mut table, line);
    }
    on_screen(text, &table, &NARROW);
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
fn day_and_month<const N: usize>(table: &mut Table<N>, date: NaiveDate) {
    const DAYS: [&str; 7] = ["Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "];
    const MONTHS: [&str; 12] =
        [" Jan", " Feb", " Mar", " Apr", " May", " Jun", " Jul", " Aug", " Sep", " Oct", " Nov", " Dec"];
    let word = |words: &[&'static str], index: u32| {
        usize::try_from(index).ok().and_then(|index| words.get(index)).copied().unwrap_or_default()
    };
    table.push(word(&DAYS, date.weekday().num_days_from_monday()));
    table.push(if date.day() < 10 { "0" } else { "" });
    table.number(date.day().into());
    table.push(word(&MONTHS, date.month0()));
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
            let mut table = Table::<1>::new(&[]);
            day_and_month(&mut table, date);
            table.end_cell();
            assert_eq!(table.plain(), date.format("%a %d %b\n").to_string());
        }
    }
}
