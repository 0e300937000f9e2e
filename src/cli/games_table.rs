//! The games of `amici status`, one a line: as a table for the eye, and with tabs for programs.

use chrono::{Datelike, NaiveDate};

use super::line::{Line, Need};
use super::narrow::{Narrow, on_screen};
use super::table::{self, Row, Rows};
use crate::domain::clock::over::Over;
use crate::domain::game::GameResult;
use crate::domain::replay::DrawClaim;
use crate::domain::transmission::compose::clip;

/// Days used, the side, the opponent, the time for this move and the flags go, in this order: the game, its last move, what is left and
/// what comes next stay.
const NARROW: Narrow<'_> = Narrow { right: &[5, 6, 7], may_go: &[6, 3, 2, 5, 9], cut: 8 };

/// Games as the table shows them, and what the lines around the table say of them. Nothing else is kept, since there can be thousands.
#[derive(Default)]
pub(super) struct Glances {
    rows: Rows<10>,
    states: Vec<State>,
}

/// What else counts of a game.
#[derive(Debug, Clone, Copy)]
struct State {
    need: Need,
    until: NaiveDate,
    is_my_turn: bool,
    is_drafted: bool,
    is_undated: bool,
    is_claimable: bool,
    draw_claim: Option<DrawClaim>,
    is_perhaps_late: bool,
    forced: Option<GameResult>,
}

/// A game at a glance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glance<'a> {
    state: State,
    row: Row<'a, 10>,
}

impl Glances {
    /// One game more, on a day.
    pub(super) fn add(&mut self, line: &Line<'_>, today: Option<NaiveDate>) {
        let game = &line.summary;
        self.states.push(State {
            need: line.need,
            until: line.until(),
            is_my_turn: game.is_my_turn(),
            is_drafted: game.drafted,
            is_undated: game.lacks_dates(),
            is_claimable: game.claimable && line.claimed.is_none(),
            draw_claim: game.draw_claim,
            is_perhaps_late: game.is_perhaps_late(),
            forced: game.forced(),
        });
        write(&mut self.rows, line, today);
    }

    /// The games, worst first.
    pub(super) fn sorted(&self) -> Vec<Glance<'_>> {
        let order = |index| Some((self.get(index)?.order(), index));
        let mut games: Vec<_> = (0..self.len()).filter_map(order).collect();
        let id = |index| self.get(index).map(|game| game.id());
        games.sort_unstable_by(|(a, index), (b, other)| a.cmp(b).then_with(|| id(*index).cmp(&id(*other))));
        games.into_iter().filter_map(|(_, index)| self.get(index)).collect()
    }

    fn get(&self, index: usize) -> Option<Glance<'_>> {
        Some(Glance { state: *self.states.get(index)?, row: self.rows.get(index)? })
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// What the games need.
    pub(super) fn needs(&self) -> impl Iterator<Item = Need> {
        self.states.iter().map(|state| state.need)
    }
}

impl<'a> Glance<'a> {
    /// By what the list is sorted, in one number: what it needs, the day, and the first letters of the name, which tell most games apart.
    fn order(self) -> u128 {
        let mut order = [0; 16];
        let day = self.state.until.num_days_from_ce().wrapping_sub(i32::MIN).to_be_bytes();
        let bytes = [self.state.need as u8].into_iter().chain(day).chain(self.id().bytes());
        order.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
        u128::from_be_bytes(order)
    }

    /// The game's short name.
    pub(super) fn id(&self) -> &'a str {
        self.row.cells().nth(1).unwrap_or_default()
    }

    pub(super) fn is_running(&self) -> bool {
        self.state.need != Need::Over
    }

    pub(super) fn is_my_turn(&self) -> bool {
        self.state.is_my_turn
    }

    pub(super) fn is_drafted(&self) -> bool {
        self.state.is_drafted
    }

    pub(super) fn is_undated(&self) -> bool {
        self.state.is_undated
    }

    /// A claim on time can be drafted, and was not.
    pub(super) fn is_claimable(&self) -> bool {
        self.state.is_claimable
    }

    /// The draw that the player may claim before he moves.
    pub(super) fn draw_claim(&self) -> Option<DrawClaim> {
        self.state.draw_claim
    }

    /// His last move was late if another day counts.
    pub(super) fn is_perhaps_late(&self) -> bool {
        self.state.is_perhaps_late
    }

    /// The result that the position forces.
    pub(super) fn forced(&self) -> Option<GameResult> {
        self.state.forced
    }
}

/// The games in the order given, written after what stands in a text.
pub(super) fn table(text: &mut String, games: &[Glance<'_>]) {
    let mut titles = Rows::new();
    titles.row(["  ", "GAME", "OPPONENT", "ME", "LAST MOVE", "THINK", "USED", "LEFT", "NEXT EVENT", "FLAGS"]);
    let rows: Vec<_> = titles.iter().chain(games.iter().map(|game| game.row)).collect();
    on_screen(text, &rows, &NARROW);
}

fn write(row: &mut Rows<10>, line: &Line<'_>, today: Option<NaiveDate>) {
    let game = &line.summary;
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
    days(row, line.figures.map(|f| f.days_this_move.into()), star);
    let is_known = !(game.is_undated() || game.is_mover_partial()) || game.days_used() > 0;
    days(row, is_known.then(|| game.days_used().into()), "");
    days(row, line.figures.and_then(|f| f.days_left), "");
    match (game.result, line.event) {
        (Some(result), _) => row.push(result.word()),
        (None, Some(mark)) => {
            let is_past = |day: NaiveDate| mark.is_permission() && mark.date <= day;
            match today {
                Some(today) if is_past(today) => row.push("today     "),
                Some(_) if line.over == Some(Over::Certainly) => row.push("passed    "),
                Some(_) if line.over.is_some() => row.push("perhaps   "),
                _ => day_and_month(row, mark.date),
            }
            row.push("  ");
            // a text takes whatever is written
            row.cell_text().push_str(&mark.words(game.me));
            if let Some(reserve) = line.over.and_then(Over::reserve) {
                [", ", &reserve].iter().for_each(|part| row.push(part));
            }
        }
        (None, None) => row.push("-"),
    }
    row.end_cell();
    flags(row, line);
}

fn days<const N: usize>(row: &mut Rows<N>, days: Option<i64>, star: &str) {
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
    let mut rows = Rows::<13>::new();
    for line in lines {
        let game = &line.summary;
        rows.cell(&game.id);
        rows.cell(&clip(&game.opponent, 60));
        rows.cell(game.me.word());
        rows.cell(if game.goes_on() { game.to_move.word() } else { "" });
        rows.cell(&game.plies.to_string());
        rows.cell(game.last.as_ref().map_or("", |last| &last.numeric));
        rows.cell(&number(line.figures.map(|f| f.days_this_move.into())));
        rows.cell(&game.days_used().to_string());
        rows.cell(&number(line.figures.and_then(|f| f.days_left)));
        rows.cell(&line.event.map(|mark| mark.date.to_string()).unwrap_or_default());
        rows.cell(line.event.map_or("", |mark| mark.kind.word()));
        flags(&mut rows, line);
        rows.cell(game.result.map_or("*", |result| result.word()));
    }
    table::plain(rows.iter())
}

/// `Sat 02 Oct`; chrono would read its pattern anew for every row.
fn day_and_month<const N: usize>(row: &mut Rows<N>, date: NaiveDate) {
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

fn flags<const N: usize>(row: &mut Rows<N>, line: &Line<'_>) {
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
            let mut row = Rows::<1>::new();
            day_and_month(&mut row, date);
            row.end_cell();
            assert_eq!(table::plain(row.iter()), date.format("%a %d %b\n").to_string());
        }
    }
}
