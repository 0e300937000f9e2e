//! `amici completions` and `amici man`: files for shells and for man(1), from the same definitions as the commands.

use clap::Args as ClapArgs;

use super::groups::program;
use super::{Exit, Failure, Report};

/// Print a completion script for a shell
#[derive(Debug, ClapArgs)]
pub(super) struct CompletionsArgs {
    /// bash, zsh, fish, elvish or powershell
    shell: clap_complete::Shell,
}

/// Print the manual page, for man(1)
#[derive(Debug, ClapArgs)]
pub(super) struct ManArgs {
    /// The page of this command instead of the program's
    command: Option<String>,
}

pub(super) fn completions(args: &CompletionsArgs) -> Result<Report, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program(), "amici", &mut script);
    text(script)
}

pub(super) fn man(args: &ManArgs) -> Result<Report, Failure> {
    let program = program();
    let command = match &args.command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            let found = found.ok_or_else(|| {
                Failure::new(Exit::Failed, format!("there is no command `{name}`; `amici --help` lists them"))
            })?;
            found.display_name(format!("amici-{name}"))
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).map_err(|e| Failure::new(Exit::Failed, e.to_string()))?;
    text(page)
}

fn text(bytes: Vec<u8>) -> Result<Report, Failure> {
    String::from_utf8(bytes).map(Report::from).map_err(|e| Failure::new(Exit::Failed, e.to_string()))
}
