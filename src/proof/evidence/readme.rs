//! The first file that a tournament director opens: who, what, by which rules, and how each file can be checked.

use chrono::{DateTime, Utc};

use super::{Case, filled};
use crate::domain::clock::rules::{DayCount, DoubleFrom, Receipt, RulesetChoice, TimeControl};
use crate::domain::game::plies_in_words;
use crate::domain::game::{GameResult, Player, Side};

pub(super) fn readme(case: &Case<'_>, with_mails: bool) -> Result<String, String> {
    let game = case.game;
    let player = |side: Side| {
        let Player { name, emails } = game.player(side);
        let keeper = if side == game.me { " - keeps this record" } else { "" };
        format!("  {:<7}{name} <{}>{keeper}\n", format!("{}:", side.name()), emails.join(">, <"))
    };
    let mut text = format!("Evidence of the game {}\n\n", game.id);
    text.push_str(&player(Side::White));
    text.push_str(&player(Side::Black));
    for (label, value) in [("Event:", &game.event), ("Site:", &game.site)] {
        if !value.is_empty() {
            text.push_str(&format!("  {label:<7}{value}\n"));
        }
    }
    if let Some(day) = game.start_date {
        text.push_str(&format!("  Start: {day}\n"));
    }
    if let Some(fen) = &game.start_fen {
        text.push_str(&format!("  From:  {fen}\n"));
    }
    let state = match game.result {
        Some(result) => format!("over, {}", GameResult::word(result)),
        None => format!("running, {} of {} is due", game.due(), game.to_move().name()),
    };
    text.push_str(&format!("  State: {state}, {} on record\n", plies_in_words(game.moves.len())));
    if let Some(last) = last(case) {
        text.push_str(&format!("  Newest mail: {}\n", last.format("%Y-%m-%d %H:%M:%S UTC")));
    }
    text.push_str("\nWhat is in it\n\n");
    text.push_str(
        "  README.txt    this page\n  table.txt     all moves in ICCF numeric notation with dates and days, both clocks;\n                \
         which days were not counted as stated, and why\n  \
         game.pgn      the score for any chess program; R and S are days at the mover's\n                \
         place, %ccsnt is in UTC\n  timeline.txt  every mail and every act of the player, in order: what it said,\n                \
         what was decided and why, and what vouches for its sender\n  timeline.csv  the same for a spreadsheet\n  \
         game.html     the score as a page for any browser, with its style, game.css, and the script game.js,\n\
                       which goes through the moves (arrow keys)\n",
    );
    if with_mails {
        text.push_str("  mails/        the mails as the player's server delivered them, byte for byte\n");
    }
    text.push_str("  SHA256SUMS    the checksum of every file above\n");
    text.push_str("\nHow the days are counted\n\n");
    for line in counting(case)? {
        text.push_str(&filled(&line, "  - ", "    "));
        text.push('\n');
    }
    text.push_str("\nHow each file can be checked\n\n");
    let mut checks = vec![
        "No file was changed since it was packed: unpack all of them into one folder, and there run  sha256sum -c SHA256SUMS".to_owned(),
        "The record: play game.pgn through; table.txt has the same moves with their dates.".to_owned(),
    ];
    if with_mails {
        checks.push("A mail: any mail program opens an .eml file. Its Received lines tell when which server had it, its topmost one when \
            the player's server took it; its Date line is the sender's own clock.".to_owned());
        checks.push("The sender: where timeline.txt names a DKIM signature, programs such as dkimverify repeat the check on the .eml file for \
            as long as the sender's domain publishes the key.".to_owned());
        checks.push(
            "The other player has the same mails: the Message-ID of each is in its header, and his copies must agree."
                .to_owned(),
        );
    } else {
        checks.push(
            "The raw mails are left out; timeline.txt names the SHA-256 of each, by which a copy can be recognised."
                .to_owned(),
        );
    }
    for line in checks {
        text.push_str(&filled(&line, "  - ", "    "));
        text.push('\n');
    }
    text.push_str(&mails(case, with_mails));
    Ok(text)
}

/// The instant of the newest mail of the game.
fn last(case: &Case<'_>) -> Option<DateTime<Utc>> {
    case.mails.iter().map(|file| file.mail.at).max()
}

fn mails(case: &Case<'_>, with_mails: bool) -> String {
    let mut notes = String::new();
    for file in &case.mails {
        if file.raw.is_none() {
            notes.push_str(&format!("  mail {}: the bytes that came are not kept\n", file.mail.mail));
        } else if file.mail.elsewhere && with_mails {
            notes.push_str(&format!(
                "  {}: it is about another game of the player too, and stands here whole\n",
                file.name
            ));
        }
    }
    let count = case.mails.len();
    let head = format!("\n{count} {} of this game on record.\n", if count == 1 { "mail is" } else { "mails are" });
    head + &notes
}

/// The rules of the game in words.
fn counting(case: &Case<'_>) -> Result<Vec<String>, String> {
    let rules = case.game.ruleset().map_err(|e| e.to_string())?;
    let mut lines = vec![match &case.game.rules {
        RulesetChoice::Name(name) => format!("Rules: {} ({name}).", rules.title),
        RulesetChoice::Custom(changed) => {
            let sayings = rules.in_words().into_iter().filter(|saying| changed.contains_key(saying.key));
            let own: Vec<String> = sayings.map(|saying| saying.words).collect();
            let own =
                if own.is_empty() { String::new() } else { format!(", with values of its own: {}", own.join("; ")) };
            format!("Rules: {}{own}.", rules.title)
        }
    }];
    lines.push(match rules.control {
        TimeControl::None {} => "Time control: none.".to_owned(),
        control => format!("Time control: {}.", control.limits()),
    });
    lines.push(
        match rules.day_count {
            DayCount::Calendar => "Days for a move: from the day it was received to the day the answer was sent, one for each midnight between, in the mover's own place.",
            DayCount::Floor24h => "Days for a move: whole spans of 24 hours between receiving and answering.",
            DayCount::Grace24h => "Days for a move: none for an answer within 24 hours, leave not counted; else one for each midnight between, in the mover's own place.",
        }
        .to_owned(),
    );
    lines.push(match rules.receipt {
        Receipt::Exact => "A mail is received on the day it could be read.".to_owned(),
        Receipt::NextDayOptional => "A mail is received on the day it could be read; its recipient may always book the next day.".to_owned(),
        Receipt::AfterHourOptional { hour, .. } => {
            format!("A mail is received on the day it could be read; one that came after {hour}:00 may be booked on the next day.")
        }
    });
    if let Some(limit) = rules.double_after {
        lines.push(match rules.double_from {
            DoubleFrom::Day => format!("Days of one move beyond {limit} count twice."),
            DoubleFrom::Reminder => {
                format!("Days of one move beyond {limit} count twice from the opponent's reminder on, unless they were announced; one that comes before a move may be repeated is none.")
            }
        });
    }
    for saying in rules.in_words() {
        let is_used = match saying.key {
            "leave" => !case.game.leaves.is_empty(),
            "illegal" => !case.game.illegal.is_empty(),
            _ => false,
        };
        if is_used {
            let (first, rest) = saying.words.split_at_checked(1).unwrap_or_default();
            lines.push(format!("{}{rest}.", first.to_uppercase()));
        }
    }
    lines.push(
        "A date counts as the mover states it. Where he states none, it is taken from his mail's Date line, else from the day the player's \
         server took the mail; table.txt lists these."
            .to_owned(),
    );
    if let Some(start) = case.game.start_date {
        lines.push(format!("Nothing is charged before {start}."));
    }
    Ok(lines)
}
