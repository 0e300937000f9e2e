//! How a command fails: a message for stderr and a documented exit code.

use std::path::Path;

use crate::config::ConfigError;
use crate::deeds::Refusal;
use crate::domain::clock::rules::RulesetError;
use crate::io::Class;
use crate::io::store::StoreError;

/// The exit codes; scripts rely on them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Exit {
    /// All went well.
    #[default]
    Ok = 0,
    /// It did not.
    Failed = 1,
    /// What is said does not tell what to do.
    Usage = 2,
    /// The configuration cannot be used.
    Config = 3,
    /// There is no such game or event.
    NoSuchGame = 4,
    /// The move is illegal or ambiguous.
    IllegalMove = 5,
    /// A confirmation is needed.
    NeedsConfirmation = 6,
    /// The mail server did not do its part.
    MailServer = 7,
    /// The daemon is not running, or stale.
    NoDaemon = 8,
    /// Something needs the player's attention.
    Attention = 9,
}

/// What went wrong, in the player's words.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// One or more lines, without a line end.
    pub message: String,
}

impl Failure {
    /// A failure with its message.
    pub fn new(exit: Exit, message: impl Into<String>) -> Failure {
        Failure { exit, message: message.into() }
    }

    /// That a file of the player's choice could not be written.
    pub(super) fn unwritten(file: &Path, error: &std::io::Error) -> Failure {
        let file = file.display();
        let help = "name a file in a folder that exists and that you may write to";
        Failure::new(Exit::Failed, format!("{file} cannot be written: {error}\nhelp: {help}"))
    }
}

/// A failure without a meaning of its own for scripts.
pub(super) fn failed(why: impl Into<String>) -> Failure {
    Failure::new(Exit::Failed, why)
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        let exit = match refusal {
            Refusal::NotDone(_) => Exit::Failed,
            Refusal::SecondWord(_) => Exit::NeedsConfirmation,
            Refusal::NoMove(_) => Exit::IllegalMove,
            Refusal::NoGame(_) => Exit::NoSuchGame,
            Refusal::Store(error) => return error.into(),
        };
        Failure::new(exit, refusal.to_string())
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::new(Exit::Config, error.to_string())
    }
}

impl From<RulesetError> for Failure {
    fn from(error: RulesetError) -> Failure {
        Failure::new(Exit::Failed, format!("{error}\nhelp: `amici rules` lists them"))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        let exit = match error.class() {
            Class::Retry | Class::Stop | Class::SetAside => Exit::Failed,
        };
        Failure::new(exit, error.to_string())
    }
}
