//! Several games at a glance: one line each, what is missing below, and whose mails made no game and which could.

use super::Ready;
use super::game::{Found, Kind};
use super::sources::Gathered;
use crate::cli::narrow::{Narrow, folded, on_screen};
use crate::cli::table::Rows;
use crate::config::Me;
use crate::domain::adopt::{misfits, not_stated};
use crate::domain::game::{GameId, Side};
use crate::domain::transmission::compose::clip;
use crate::letters::plural;

/// The opponent's name goes last: the game's short name has a part of it.
const NARROW: Narrow<'_> = Narrow { right: &[6], may_go: &[2, 6], cut: 1 };

/// Of several alike so many are shown.
const SHOWN: usize = 3;

/// Where was looked, and how much was found.
pub(super) fn looked(gathered: &Gathered, found: &Found) -> String {
    let Some(looked) = &gathered.looked else { return String::new() };
    let folders: Vec<String> = looked.folders.iter().map(|(name, mails)| format!("{name} {mails}")).collect();
    let mails: usize = looked.folders.iter().map(|(_, mails)| mails).sum();
    let mut text =
        format!("{} in {} ({})\n", plural(found.ready.len(), "new game"), plural(mails, "mail"), folders.join(", "));
    if !found.known.is_empty() {
        text.push_str(&format!("{} of the mailbox you have already.\n", plural(found.known.len(), "game")));
    }
    if let Some(since) = looked.since.filter(|_| looked.passed_over > 0) {
        let older = plural(looked.passed_over, "older mail");
        text.push_str(&format!("Looked at mails since {since}; {older} passed over (--since DAY).\n"));
    }
    if looked.too_large > 0 {
        text.push_str(&format!("{} too large to be read.\n", plural(looked.too_large, "mail")));
    }
    if !looked.has_sent {
        text.push_str("No folder of sent mails was found: name it in [sent] folder, or with --folder.\n");
    }
    folded(text + "\n")
}

/// One line a game, and below what is missing.
pub(super) fn table(ready: &[Ready], me: &Me) -> String {
    let mut rows = Rows::<7>::new();
    rows.row(["GAME", "OPPONENT", "EVENT", "YOU", "LAST MOVE", "TO MOVE", "DAYS W/B"]);
    for one in ready {
        let game = &one.game;
        let last = game.moves.last().map(|last| format!("{} {}", game.number_of(game.moves.len() - 1), last.numeric));
        let days = me.ledger(game).map(|ledger| {
            let of = |side: Side| match ledger.is_partial(side) {
                true => "?".to_owned(),
                false => ledger.total(side).to_string(),
            };
            format!("{}/{}", of(Side::White), of(Side::Black))
        });
        rows.row([
            game.id.as_str(),
            &clip(&game.opponent().name, 24),
            &clip(&game.event, 24),
            game.me.name(),
            last.as_deref().unwrap_or("-"),
            if game.is_my_turn() { "you" } else { "opponent" },
            days.as_deref().unwrap_or("-"),
        ]);
    }
    let mut text = String::new();
    on_screen(&mut text, &rows.iter().collect::<Vec<_>>(), &NARROW);
    // the same words of several games are said once
    let mut open: Vec<(String, Vec<&GameId>)> = Vec::new();
    for (words, id) in ready.iter().flat_map(|one| lacks(one).into_iter().map(|words| (words, &one.game.id))) {
        match open.iter_mut().find(|(other, _)| *other == words) {
            Some((_, ids)) => ids.push(id),
            None => open.push((words, vec![id])),
        }
    }
    if !open.is_empty() {
        text.push_str("\nWhat is missing or does not fit (--details shows each game in full):\n");
        let open: String = open.iter().map(|(words, ids)| format!("  {}: {words}\n", together(ids))).collect();
        text.push_str(&folded(open));
    }
    text
}

/// Names of games, of many the first ones.
fn together(ids: &[&GameId]) -> String {
    let shown: Vec<&str> = ids.iter().take(SHOWN).map(|id| id.as_str()).collect();
    let more = if ids.len() > SHOWN { format!(" and {} more", ids.len() - SHOWN) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

/// What is missing of a game, what does not fit, and what was not taken; each in a line.
fn lacks(ready: &Ready) -> Vec<String> {
    let mut lines: Vec<String> =
        not_stated(&ready.game).into_iter().map(|what| format!("not stated: {what}")).collect();
    lines.extend(ready.doubts.iter().map(|doubt| format!("the rules: {doubt}; --rules NAME names them")));
    let mut misfits = misfits(&ready.game).unwrap_or_default();
    misfits.extend(ready.misfits.iter().cloned());
    match misfits.as_slice() {
        [] => {}
        [one] => lines.push(one.clone()),
        [first, rest @ ..] => lines.push(format!("{first}, and {} more", rest.len())),
    }
    lines.extend(ready.unused.iter().take(SHOWN).cloned());
    if ready.unused.len() > SHOWN {
        lines.push(format!("{} more of its mail not taken", plural(ready.unused.len() - SHOWN, "line")));
    }
    lines.extend(ready.left.iter().map(|left| left.replace("\n    ", "; ")));
    lines
}

/// What made no game, with what helps.
pub(super) fn left(found: &Found, gathered: &Gathered) -> String {
    let of = |kind: Kind| found.troubles.iter().filter(move |trouble| trouble.kind == kind);
    let mut text = String::new();
    for trouble in of(Kind::Open).chain(of(Kind::Over)) {
        let lines = || trouble.why.message.lines();
        let why: Vec<&str> = lines().filter(|line| !line.starts_with("help: ")).collect();
        let more = match why.len() {
            0 | 1 => String::new(),
            several => format!(" (and {} like it)", plural(several - 1, "mail")),
        };
        text.push_str(&format!("  {}: {}{more}\n", trouble.opponent, why.first().unwrap_or(&"")));
        let help = lines().find_map(|line| line.strip_prefix("help: "));
        let help = help.or_else(|| (trouble.kind == Kind::Open).then(|| giver(gathered)));
        text.extend(help.map(|help| format!("    {help}\n")));
    }
    gathered.bad.iter().for_each(|bad| text.push_str(&format!("  {}\n", bad.replace('\n', "\n    "))));
    let stray: Vec<&str> = of(Kind::Stray).map(|trouble| trouble.opponent.as_str()).collect();
    if let Some(first) = stray.first() {
        let others = if stray.len() > 1 { format!(" and {} more", stray.len() - 1) } else { String::new() };
        text.push_str(&format!(
            "  {first}{others}: scores that name neither of you and have no mail that goes on with them\n    \
             if one is a game of yours, save that mail, and say: amici adopt FILE.eml\n"
        ));
    }
    if text.is_empty() { text } else { folded(format!("\nNot taken:\n{text}")) }
}

/// Which mail could give a whole score.
fn giver(gathered: &Gathered) -> &'static str {
    match &gathered.looked {
        Some(looked) if !looked.has_sent => {
            "your own last mail to him could give it: name the folder of your sent mails"
        }
        Some(looked) if looked.passed_over > 0 => "an older mail could give it: look further back with --since DAY",
        Some(_) | None => "your own last mail to him could give it, or ask him for the whole score",
    }
}
