//! `amici completions` and `amici man`: files for shells and for man(1), from the same definitions as the commands. What a page says
//! besides comes from the documentation: examples, exit codes, the commented configuration.

use clap::Args as ClapArgs;
use roff::{Roff, bold, roman};

use super::example::EXAMPLE;
use super::groups::program;
use super::{Exit, Failure, Report};

/// What each command does by example, and the exit codes.
const COMMANDS: &str = include_str!("../../docs/commands.md");
/// The page of the configuration.
const CONFIGURATION: &str = "configuration";

/// Print a completion script for a shell
///
/// It completes commands, options, games, moves that are legal now, held mails and rule sets.
#[derive(Debug, ClapArgs)]
#[command(after_help = "bash:  amici completions bash > ~/.local/share/bash-completion/completions/amici\n\
                        zsh:   amici completions zsh > ~/.zfunc/_amici, where ~/.zfunc is in $fpath\n\
                        fish:  amici completions fish > ~/.config/fish/completions/amici.fish")]
pub(super) struct CompletionsArgs {
    /// bash, zsh, fish, elvish or powershell
    shell: String,
}

/// Print the manual page, for man(1)
#[derive(Debug, ClapArgs)]
pub(super) struct ManArgs {
    /// The page of this command instead of the program's; `configuration` is that of the configuration
    command: Option<String>,
}

pub(super) fn completions(args: &CompletionsArgs) -> Result<Report, Failure> {
    text(super::complete::script(&args.shell)?)
}

pub(super) fn man(args: &ManArgs) -> Result<Report, Failure> {
    let program = program();
    let (command, name) = match args.command.as_deref() {
        None => (program, None),
        Some(CONFIGURATION) => return Ok(configuration().into()),
        Some(name) => {
            let found = program.find_subcommand(name).cloned().ok_or_else(|| {
                Failure::new(Exit::Failed, format!("there is no command `{name}`; `amici --help` lists them"))
            })?;
            (found.display_name(format!("amici-{name}")), Some(name))
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).map_err(|e| Failure::new(Exit::Failed, e.to_string()))?;
    page.extend(besides(name).into_bytes());
    text(page)
}

/// The sections of a page that do not follow from the arguments: files, exit codes, and the examples of a command.
fn besides(command: Option<&str>) -> String {
    let mut page = Roff::new();
    let examples: Vec<(String, String)> = command.map(|name| examples(name).collect()).unwrap_or_default();
    if !examples.is_empty() {
        page.control("SH", ["EXAMPLES"]);
        for (line, what) in examples {
            page.control("TP", []).text([bold(line)]).text([roman(what)]);
        }
    }
    page.control("SH", ["FILES"]);
    for (file, what) in [
        ("$XDG_CONFIG_HOME/amici/config.toml", "the configuration; see `amici man configuration`"),
        ("$XDG_DATA_HOME/amici", "the database, and what is kept of deleted games"),
    ] {
        page.control("TP", []).text([bold(file)]).text([roman(what)]);
    }
    page.control("SH", ["EXIT STATUS"]);
    for (code, what) in exit_codes() {
        page.control("TP", []).text([bold(code)]).text([roman(what)]);
    }
    page.to_roff()
}

/// The rows of the documentation's tables: the cells of each, without the marks of Markdown.
fn rows() -> impl Iterator<Item = (&'static str, String)> {
    COMMANDS.lines().filter_map(|line| {
        let (first, second) = line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ")?;
        Some((first, second.replace('`', "")))
    })
}

/// The command lines of a command, each with what it does.
fn examples(command: &str) -> impl Iterator<Item = (String, String)> {
    let spans = |cell: &'static str| cell.split('`').skip(1).step_by(2);
    rows()
        .flat_map(move |(cell, what)| spans(cell).map(move |line| (line.to_owned(), what.clone())))
        .filter(move |(line, _)| line.strip_prefix("amici ").and_then(|rest| rest.split(' ').next()) == Some(command))
}

fn exit_codes() -> impl Iterator<Item = (&'static str, String)> {
    rows().filter(|(code, _)| code.parse::<u8>().is_ok())
}

/// The page of the configuration: its commented example.
fn configuration() -> String {
    let mut page = Roff::new();
    page.control("TH", ["amici-configuration", "5"]).control("SH", ["NAME"]);
    page.text([roman("amici-configuration - every key of the configuration of amici, with what it is for")]);
    page.control("SH", ["DESCRIPTION"]).control("nf", []);
    for line in EXAMPLE.lines() {
        page.text([roman(line)]);
    }
    page.control("fi", []);
    page.to_roff()
}

fn text(bytes: Vec<u8>) -> Result<Report, Failure> {
    String::from_utf8(bytes).map(Report::from).map_err(|e| Failure::new(Exit::Failed, e.to_string()))
}
