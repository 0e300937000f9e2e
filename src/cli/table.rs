//! The table of `amici status`: one game a line, figures to the right, no colour.

use comfy_table::{CellAlignment, Table, presets};

use super::status::{Line, Need};
use crate::domain::transmission::compose::clip;

/// The games in the order given.
pub(super) fn table(lines: &[Line<'_>]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["", "GAME", "OPPONENT", "ME", "LAST MOVE", "THINK", "USED", "LEFT", "NEXT EVENT", "FLAGS"]);
    for l in lines {
        let sign = match l.need {
            Need::Urgent => "!!",
            Need::Look => " ?",
            Need::Move => " >",
            Need::None | Need::Over => "",
        };
        let last =
            l.last.as_ref().map_or("-".to_owned(), |(number, numeric, san)| format!("{number} {numeric}  {san}"));
        let star = if l.need != Need::Over && !l.game.is_my_turn() { "*" } else { "" };
        let event = match (l.game.result, l.event) {
            (Some(result), _) => result.word().to_owned(),
            (None, Some(event)) => {
                format!("{}  {}", event.date.format("%a %d %b"), event.kind.words())
            }
            (None, None) => "-".to_owned(),
        };
        table.add_row([
            sign.to_owned(),
            l.game.id.to_string(),
            clip(&l.game.opponent().name, 24),
            l.game.me.name().chars().take(1).collect(),
            last,
            format!("{} d{star}", l.clock.days_this_move),
            format!("{} d", l.clock.days_used),
            l.clock.days_left.map_or("-".to_owned(), |left| format!("{left} d")),
            event,
            l.flags.join(" "),
        ]);
    }
    for index in 5..8 {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|l| format!("{}\n", l.trim_end())).collect()
}
