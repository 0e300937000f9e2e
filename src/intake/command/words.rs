//! What a command mail says: the first line of the player's own words.
//!
//! Pure. Phones capitalise, mend dashes and spaces, and add full stops; that is undone before the line is read. A later line that
//! belongs to it (`draw`, `if ..`, `hold ..`) is read with it, another command is asked back ([`super::lines`]); behind `say:` stand
//! words for the letter. A move is handed on as he wrote it.

use chrono::NaiveDate;

use super::lines::{is_command_like, taken_back};
use crate::choice::Hold;
use crate::languages::Language;
use crate::sentence;

/// The longest line that is read as a command, in characters.
const LONGEST: usize = 400;

/// What the player wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    /// To choose a move.
    Move(MoveWords),
    /// To drop the chosen move.
    Undo,
    /// To look at the chosen move again before it is drafted.
    Hold(Hold),
    /// To tell the opponent that he needs longer.
    Announce(Until),
    /// To have the draft of the chosen move made anew.
    Resend,
    /// To accept the draw that was offered.
    Accept,
    /// To take back the move that the notice told.
    Wrong,
    /// To record the move of a held mail that its notice gives under this number.
    Reading(usize),
    /// To ask the opponent about a held mail.
    Ask,
    /// To put a held mail away.
    Ignore,
    /// To resign; with the name of the game where he writes it.
    Resign(Option<String>),
}

/// By when the player expects to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// In so many days.
    Days(u32),
    /// On this day.
    Day(NaiveDate),
}

/// A move with all that goes with it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct MoveWords {
    pub(super) text: String,
    pub(super) lines: Vec<String>,
    pub(super) draw: bool,
    pub(super) hold: Option<Hold>,
    pub(super) say: Option<String>,
}

/// A first line with what it commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// The line as it was understood.
    pub(super) line: String,
    /// He said `yes` before it.
    pub(super) yes: bool,
    /// The command, or why it is none.
    pub(super) command: Result<Command, String>,
    /// What he writes below it may take it back.
    pub(super) doubt: Option<String>,
}

/// Whether a line is that of a notice of ours, in any language, that gives the code of its game.
fn is_line_of_code(line: &str) -> bool {
    let lines = [sentence!("Code for this move: {mark}"), sentence!("Code for this mail: {mark}")];
    let written = Language::ALL.into_iter().flat_map(|(language, _)| lines.map(|line| language.sentence(line)));
    written.filter_map(|said| said.split_once('{')).any(|(before, _)| line.contains(before.trim_end()))
}

/// The command of the player's own words; `None` where there is no word.
pub(super) fn read(own: &str) -> Option<Said> {
    let mut lines = own.lines();
    let line = lines.by_ref().map(|line| without_label(mended(line))).find(|line| !line.is_empty())?;
    if line.chars().count() > LONGEST {
        let command = Err("the first line is too long to be a command".to_owned());
        return Some(Said { line: line.chars().take(60).collect(), yes: false, command, doubt: None });
    }
    let say = said(lines.clone());
    let mut told = of_line(line, say.clone());
    // behind a mail of ours that nothing marks as quoted stands no word of his
    let is_ours = |line: &str| line.contains("[amici ") || is_line_of_code(line);
    let later = lines.take_while(|line| strip_say(line).is_none() && !is_ours(line)).map(mended);
    let is_short = |line: &String| line.chars().count() <= LONGEST;
    let (more, prose): (Vec<String>, Vec<String>) = later.filter(is_short).partition(|line| is_command_like(line));
    for next in more {
        if next.eq_ignore_ascii_case(&told.line) {
            continue;
        }
        if !goes_with(&told, &next) {
            let why = format!("`{next}` below `{}` looks like another one. Write what you want in one line", told.line);
            return Some(Said { line: format!("{} / {next}", told.line), command: Err(why), ..told });
        }
        told = of_line(format!("{} {next}", told.line), say.clone());
    }
    Some(Said { doubt: taken_back(&prose), ..told })
}

fn of_line(line: String, say: Option<String>) -> Said {
    let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
    let yes = words.first().is_some_and(|word| is(word, "yes"));
    let command = command(words.get(usize::from(yes)..).unwrap_or_default(), say);
    Said { line, yes, command, doubt: None }
}

/// Whether a later line goes on where the command above it ends: the grammar has both on one line.
fn goes_with(told: &Said, next: &str) -> bool {
    let begins = |keys: &[&str]| next.split(' ').next().is_some_and(|word| keys.iter().any(|key| is(word, key)));
    match &told.command {
        Ok(Command::Move(_)) => begins(&["if", "draw", "hold"]),
        Ok(Command::Accept) => is(next, "draw"),
        Ok(_) => false,
        Err(_) => is(&told.line, "yes"),
    }
}

fn command(words: &[&str], say: Option<String>) -> Result<Command, String> {
    let [first, rest @ ..] = words else { return Err("there is nothing after `yes`".to_owned()) };
    match (first.to_lowercase().as_str(), rest) {
        ("undo", []) => Ok(Command::Undo),
        ("resend", []) => Ok(Command::Resend),
        ("wrong", []) => Ok(Command::Wrong),
        ("ask", []) => Ok(Command::Ask),
        ("ignore", []) => Ok(Command::Ignore),
        (number, []) if number.len() == 1 && number.parse::<usize>().is_ok() => {
            Ok(Command::Reading(number.parse().unwrap_or_default()))
        }
        ("accept", [] | [_]) if rest.iter().all(|word| is(word, "draw")) => Ok(Command::Accept),
        ("resign", []) => Ok(Command::Resign(None)),
        ("resign", [game]) => Ok(Command::Resign(Some((*game).to_owned()))),
        ("hold", [_, ..]) => {
            rest.concat().parse().map(Command::Hold).map_err(|e: crate::choice::BadHold| e.to_string())
        }
        ("hold", []) => Err("for how long? Write it as `hold 1d`".to_owned()),
        ("announce", _) => announced(rest).map(Command::Announce),
        ("draw", _) => {
            Err("a draw is offered with a move, as in `3735 draw`; an offer of his is accepted with `accept`"
                .to_owned())
        }
        ("undo" | "resend" | "wrong" | "ask" | "ignore" | "accept" | "resign", _) => {
            Err("it says more than one thing".to_owned())
        }
        _ => chosen(words, say),
    }
}

/// `20`, `20 days` or `2026-04-02`
fn announced(words: &[&str]) -> Result<Until, String> {
    let until = match words {
        [count] | [count, "day" | "days"] if count.len() <= 3 => count.parse().ok().map(Until::Days),
        [day] => day.parse().ok().map(Until::Day),
        _ => None,
    };
    until.ok_or_else(|| {
        "say in how many days you will answer, as in `announce 20`, or by which day, as in `announce 2026-04-02`"
            .to_owned()
    })
}

/// `3735 if 2142 6846 if 3133 2847 draw hold 1d`
fn chosen(words: &[&str], say: Option<String>) -> Result<Command, String> {
    let mut found = MoveWords { say, ..MoveWords::default() };
    let key = |word: &&str| ["if", "draw", "hold"].into_iter().find(|key| is(word, key));
    let mut rest = words;
    let until_key = |words: &[&str]| words.iter().position(|word| key(word).is_some()).unwrap_or(words.len());
    let (text, mut tail) = rest.split_at_checked(until_key(rest)).unwrap_or((rest, &[]));
    found.text = text.join(" ");
    while let [word, behind @ ..] = tail {
        let (own, next) = behind.split_at_checked(until_key(behind)).unwrap_or((behind, &[]));
        match key(word) {
            Some("if") => found.lines.push(own.join(" ")),
            Some("hold") => found.hold = Some(own.concat().parse().map_err(|e: crate::choice::BadHold| e.to_string())?),
            _ if own.is_empty() => found.draw = true,
            _ => return Err(format!("`{}` stands after `draw`", own.join(" "))),
        }
        rest = next;
        tail = rest;
    }
    if found.text.is_empty() {
        return Err("there is no move in it".to_owned());
    }
    Ok(Command::Move(found))
}

/// What stands behind `say:` in a later line, to the end.
fn said<'a>(lines: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut behind = lines.skip_while(|line| strip_say(line).is_none());
    let first = strip_say(behind.next()?)?;
    let text = std::iter::once(first).chain(behind).collect::<Vec<_>>().join("\n");
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn strip_say(line: &str) -> Option<&str> {
    let (word, rest) = line.split_once(':')?;
    is(word.trim(), "say").then(|| rest.trim())
}

fn is(word: &str, name: &str) -> bool {
    word.eq_ignore_ascii_case(name)
}

/// A line without what phones and mailers make of it: full-width signs, mended dashes and quotes, odd blanks, a full stop.
fn mended(line: &str) -> String {
    let sign = |c: char| match c {
        // full-width forms stand 0xFEE0 behind the plain ones
        '\u{FF01}'..='\u{FF5E}' => u32::from(c).checked_sub(0xFEE0).and_then(char::from_u32).unwrap_or(c),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' => '-',
        '\u{00D7}' => 'x',
        c if c.is_whitespace() => ' ',
        c => c,
    };
    let is_wrapping = |c: char| matches!(c, '"' | '\'' | '`' | '*' | '“' | '”' | '„' | '‘' | '’' | '«' | '»' | ' ');
    let plain: String = line.chars().filter(|c| !matches!(c, '\u{200B}'..='\u{200F}' | '\u{FEFF}')).map(sign).collect();
    let bare = plain.trim_matches(is_wrapping).trim_end_matches(['.', '!', ',', ';']).trim_end();
    without_thousands(bare)
}

/// Without the `My move:` that stands in a mail opened by the link of a notice.
fn without_label(line: String) -> String {
    let rest =
        line.split_once(':').filter(|(label, _)| is(label.trim(), "my move")).map(|(_, rest)| rest.trim().to_owned());
    rest.unwrap_or(line)
}

/// `3,735` is what a keyboard makes of `3735`.
fn without_thousands(line: &str) -> String {
    let is_grouped = |word: &str| {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        word.split_once([',', '’', '\'']).is_some_and(|(thousands, rest)| {
            thousands.len() <= 2 && digits(thousands) && rest.len() == 3 && digits(rest)
        })
    };
    let words =
        line.split(' ').map(|word| if is_grouped(word) { word.replace([',', '’', '\''], "") } else { word.to_owned() });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_a_notice_of_any_language_that_nothing_marks_as_quoted_stands_no_word_of_his() {
        for (language, code) in Language::ALL {
            let line = language.sentence("Code for this move: {mark}").replace("{mark}", "abcd-efgh");
            let said = read(&format!("2836\n\n{line}\nundo\n")).unwrap();
            assert_eq!((said.line.as_str(), said.command.is_ok()), ("2836", true), "{code}: {said:?}");
        }
        assert!(read("2836\n\nundo\n").unwrap().command.is_err(), "two commands");
    }

    fn command(own: &str) -> Result<Command, String> {
        read(own).unwrap().command
    }

    fn plain(text: &str) -> Command {
        Command::Move(MoveWords { text: text.to_owned(), ..MoveWords::default() })
    }

    #[test]
    fn the_first_line_is_the_command_whatever_a_phone_made_of_it() {
        for (own, text) in [
            ("3735", "3735"),
            ("\n\n  3735.\n\nregards", "3735"),
            ("3735\n\nSent from my phone\nTel. 4445", "3735"),
            ("3735\n3735", "3735"),
            ("3735\nHold on, I like this game\nIf you like\nTobin", "3735"),
            ("3735\nSubject: [amici G] your move\n3736 if 2142 6846", "3735"),
            ("３７３５", "3735"),
            ("37–35", "37-35"),
            ("37 35", "37 35"),
            ("3,735", "3735"),
            ("\u{a0}c7c5!", "c7c5"),
            ("“Nf6”", "Nf6"),
            ("*O-O*", "O-O"),
            ("13...c5", "13...c5"),
            ("My move: 3735", "3735"),
            ("My move:\n3735", "3735"),
            ("3735\n\nMy move: ", "3735"),
        ] {
            assert_eq!(command(own), Ok(plain(text)), "{own}");
        }
        assert_eq!(read(" \n\n"), None);
    }

    #[test]
    fn lines_an_offer_a_pause_and_words_go_with_a_move() {
        let Ok(Command::Move(said)) =
            command("3735 If 2142 6846 if c4 d5, Nc3 Nf6 DRAW hold 1 day\n\nSay: Happy Easter!\nundo\n")
        else {
            panic!()
        };
        assert_eq!((said.text.as_str(), said.draw), ("3735", true));
        assert_eq!(said.lines, ["2142 6846", "c4 d5, Nc3 Nf6"]);
        assert_eq!(said.hold, Some("1d".parse().unwrap()));
        assert_eq!(said.say.as_deref(), Some("Happy Easter!\nundo"));
    }

    #[test]
    fn a_later_line_that_belongs_to_the_command_is_read_with_it() {
        for (own, line) in [
            ("3735\ndraw", "3735 draw"),
            ("3735\n\nIf 2142 6846.\nhold 1d\nTobin", "3735 If 2142 6846 hold 1d"),
            ("yes\n3735", "yes 3735"),
            ("accept\ndraw", "accept draw"),
            ("3735\ndraw\nsay: Happy Easter!", "3735 draw"),
        ] {
            let (found, alone) = (read(own).unwrap(), read(&line.to_lowercase()).unwrap());
            assert_eq!(found.line, line);
            let Ok(Command::Move(mut said)) = found.command.clone() else {
                assert_eq!(found.command, alone.command, "{own}");
                continue;
            };
            assert_eq!(said.say.take().is_some(), own.contains("say:"));
            assert_eq!(Ok(Command::Move(said)), alone.command, "{own}");
        }
    }

    #[test]
    fn another_command_in_a_later_line_is_asked_back_with_both() {
        for own in [
            "3735\nundo\n2846",
            "undo\n3736",
            "3735\n3736",
            "3735\n37 36",
            "c5\nNf6",
            "3735\n8. 4445 3657",
            "draw\n3735",
            "announce 20\n3735",
            "undo\ndraw",
            "O-O\n0-0-0",
            "3735\n\nregards\nresign",
        ] {
            let said = read(own).unwrap();
            assert!(said.command.is_err(), "{own}: {:?}", said.command);
            assert!(said.line.contains(" / ") && said.line.starts_with(own.lines().next().unwrap()), "{}", said.line);
        }
    }

    #[test]
    fn prose_below_a_command_that_may_take_it_back_is_a_doubt() {
        for (own, doubt) in [
            ("3735\nplease do not play this", Some("please do not play this")),
            ("3735\n\nNo, wait.\nI have to look at it again!\n\nTobin", Some("No, wait I have to look at it again")),
            ("undo\n?", Some("?")),
            ("3735\ndraw\nnoch nicht schicken", Some("noch nicht schicken")),
            ("3735\nsay: I do not believe it!", None),
            ("3735\n\nWell played, I like this game\nTobin", None),
            ("3735\nSubject: [amici G] your move\nNo, wait", None),
        ] {
            let said = read(own).unwrap();
            assert!(said.command.is_ok(), "{own}");
            assert_eq!(said.doubt.as_deref(), doubt, "{own}");
        }
    }

    #[test]
    fn words_alone_are_commands_in_any_size() {
        for (own, meant) in [
            ("Undo", Command::Undo),
            ("RESEND.", Command::Resend),
            ("accept", Command::Accept),
            ("Accept draw", Command::Accept),
            ("resign", Command::Resign(None)),
            ("resign EM-1037-PET", Command::Resign(Some("EM-1037-PET".to_owned()))),
            ("announce 20", Command::Announce(Until::Days(20))),
            ("Announce 1 day", Command::Announce(Until::Days(1))),
            ("announce 2026-04-02", Command::Announce(Until::Day("2026-04-02".parse().unwrap()))),
            ("hold 2h", Command::Hold("2h".parse().unwrap())),
        ] {
            assert_eq!(command(own), Ok(meant), "{own}");
        }
        let yes = read("Yes resign").unwrap();
        assert_eq!((yes.yes, yes.command), (true, Ok(Command::Resign(None))));
    }

    #[test]
    fn what_says_two_things_or_none_is_asked_back() {
        for own in [
            "draw",
            "undo 3735",
            "hold",
            "hold tomorrow",
            "announce",
            "announce soon",
            "announce 20 moons",
            "yes",
            "3735 hold",
            "3735 draw please",
            "if 2142 6846",
            "resign now please",
        ] {
            assert!(command(own).is_err(), "{own}");
        }
        assert!(command(&"3735 ".repeat(200)).is_err());
    }
}
