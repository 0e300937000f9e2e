//! `amici config`: the commented example of a configuration, as it comes with the program.

use clap::Args as ClapArgs;

use super::Report;

/// The example, with every key and what it is for. A test reads it as a configuration.
pub(super) const EXAMPLE: &str = include_str!("../../config.example.toml");

/// Print the commented example of a configuration
///
/// `amici init` fills it in for you. To do that by hand: amici config > ~/.config/amici/config.toml
#[derive(Debug, ClapArgs)]
pub(super) struct Args {}

pub(super) fn run(_: &Args) -> Report {
    Report::from(EXAMPLE.to_owned())
}
