//! The face of the command line: which command belongs to which group, and the help that shows them so.

use std::fmt::Write;

use clap::builder::StyledStr;
use clap::{Command, CommandFactory};

use super::Cli;
use super::narrow::folded;

/// The groups of the help, with their commands. A command stands in one of them, and in the same order where all are declared.
const GROUPS: &[(&str, &[&str])] = &[
    ("Look", &["status", "show", "agenda", "ical", "explain", "desk", "report"]),
    ("Play", &["play", "undo", "send", "sent", "draw", "resign", "message", "forms"]),
    ("Held mails", &["review", "accept", "ask", "assign", "ignore"]),
    ("Clock and care", &["clock", "repeat", "announce", "leave", "claim", "rules"]),
    (
        "Games",
        &["new", "adopt", "event", "edit", "import", "export", "note", "result", "retract", "delete", "evidence"],
    ),
    (
        "Service",
        &[
            "init",
            "login",
            "config",
            "service",
            "run",
            "poll",
            "read",
            "take",
            "check",
            "health",
            "verify",
            "demo",
            "completions",
            "man",
        ],
    ),
];

/// The program with its commands; the help of the program shows them in groups.
pub(super) fn program() -> Command {
    let program = Cli::command();
    let template = template(&program);
    program.help_template(template)
}

/// What clap fills in: it knows one list of commands only, so that they are written here.
fn template(program: &Command) -> StyledStr {
    let (header, literal) = (program.get_styles().get_header(), program.get_styles().get_literal());
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    for line in folded(listed(program)).lines() {
        // a String takes all that is written to it
        let _ = match (line.strip_prefix("  "), line.split_once(':')) {
            (Some(command), _) if !command.starts_with(' ') => {
                let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
                writeln!(text, "  {literal}{name}{literal:#} {rest}")
            }
            (None, Some((group, _))) => writeln!(text, "{header}{group}:{header:#}"),
            _ => writeln!(text, "{line}"),
        };
    }
    let _ = write!(text, "{header}Options:{header:#}\n{{options}}{{after-help}}");
    text.into()
}

/// The groups, each command in them with what it does.
fn listed(program: &Command) -> String {
    let name_width = program.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or_default();
    let mut text = String::new();
    for (group, names) in GROUPS {
        text.push_str(&format!("{group}:\n"));
        for command in names.iter().filter_map(|name| program.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            text.push_str(&format!("  {:<name_width$}  {about}\n", command.get_name()));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_stands_in_one_group_in_the_order_in_which_it_is_declared() {
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let program = Cli::command();
        let declared: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        assert_eq!(grouped, declared);
    }

    #[test]
    fn each_command_has_a_line_that_fits_eighty_columns() {
        let program = Cli::command();
        let listed = listed(&program);
        for command in program.get_subcommands() {
            let (name, about) = (command.get_name(), command.get_about().unwrap().to_string());
            let line = format!("\n  {name:<11}  {about}\n");
            assert!(listed.matches(&line).count() == 1 && line.trim_end().chars().count() <= 81, "{line}");
        }
    }
}
