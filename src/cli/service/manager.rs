//! The service manager of this machine, asked by its own programs: `systemctl` and `journalctl`, or `launchctl`.

use std::path::Path;
use std::process::{Output, Stdio};

use tokio::process::Command;

use super::super::{Exit, Failure};

/// The unit's name.
pub(super) const UNIT: &str = "amici.service";
/// The agent's name on a Mac.
pub(super) const LABEL: &str = "org.amici";

/// Lines of the log that are looked through for trouble.
const LINES: &str = "300";
/// Of those with trouble, the newest that are shown.
const SHOWN: usize = 5;

/// Which manager, and whose services.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manager {
    /// systemd for the whole machine.
    System,
    /// systemd for one account.
    User,
    /// launchd for one account.
    Launchd,
}

impl Manager {
    /// What has to be said to it, once the file is in its place.
    pub(super) fn to_start(self, file: &Path) -> Vec<Vec<String>> {
        match self {
            Self::System | Self::User => {
                vec![
                    self.systemctl(&["daemon-reload"]),
                    self.systemctl(&["enable", UNIT]),
                    self.systemctl(&["restart", UNIT]),
                ]
            }
            Self::Launchd => vec![words(&["launchctl", "load", "-w", &file.display().to_string()])],
        }
    }

    /// What has to be said to it, before the file goes.
    pub(super) fn to_stop(self, file: &Path) -> Vec<Vec<String>> {
        match self {
            Self::System | Self::User => vec![self.systemctl(&["disable", "--now", UNIT])],
            Self::Launchd => vec![words(&["launchctl", "unload", "-w", &file.display().to_string()])],
        }
    }

    /// What has to be said to it after the file went.
    pub(super) fn to_forget(self) -> Vec<Vec<String>> {
        match self {
            Self::System | Self::User => vec![self.systemctl(&["daemon-reload"])],
            Self::Launchd => Vec::new(),
        }
    }

    /// Its state in its own words, as `enabled, active (running)`.
    ///
    /// # Errors
    /// Where there is no such manager, or it does not answer.
    pub(super) async fn state(self) -> Result<String, Failure> {
        if self == Self::Launchd {
            let listed = run(&words(&["launchctl", "list", LABEL])).await?;
            return Ok(if listed.status.success() { "loaded" } else { "not loaded" }.to_owned());
        }
        let asked = ["show", UNIT, "--property=UnitFileState,ActiveState,SubState,Result,ExecMainStatus"];
        let shown = said(&self.systemctl(&asked)).await?;
        let of = |key: &str| {
            let line = shown.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
            line.unwrap_or_default().trim()
        };
        let enabled = if of("UnitFileState").is_empty() { "not enabled" } else { of("UnitFileState") };
        let how = match of("Result") {
            "" | "success" => String::new(),
            result => format!(", {result} (exit code {})", of("ExecMainStatus")),
        };
        Ok(format!("{enabled}, {} ({}){how}", of("ActiveState"), of("SubState")))
    }

    /// The newest lines of its log that tell of trouble, oldest first; none where there is no journal.
    pub(super) async fn troubles(self) -> Vec<String> {
        let whose = match self {
            Self::System => "--unit",
            Self::User => "--user-unit",
            Self::Launchd => return Vec::new(),
        };
        let asked = words(&["journalctl", whose, UNIT, "--lines", LINES, "--output", "cat", "--no-pager", "--quiet"]);
        let log = said(&asked).await.unwrap_or_default();
        let mut lines: Vec<String> = log.lines().filter(|line| is_trouble(line)).map(str::to_owned).collect();
        lines.drain(..lines.len().saturating_sub(SHOWN));
        lines
    }

    fn systemctl(self, arguments: &[&str]) -> Vec<String> {
        let whose: &[&str] = if self == Self::User { &["--user"] } else { &[] };
        words(&[&["systemctl"], whose, arguments].concat())
    }
}

/// The program's own warnings and errors, and what systemd says of a service that failed.
fn is_trouble(line: &str) -> bool {
    let first = line.split_whitespace().next();
    matches!(first, Some("WARN" | "ERROR")) || (line.starts_with(UNIT) && line.contains("Failed"))
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Runs commands one after the other, up to the first that fails.
pub(super) async fn run_all(commands: &[Vec<String>]) -> Result<(), Failure> {
    for command in commands {
        said(command).await?;
    }
    Ok(())
}

/// What a command printed.
async fn said(command: &[String]) -> Result<String, Failure> {
    let ended = run(command).await?;
    if ended.status.success() {
        return Ok(String::from_utf8_lossy(&ended.stdout).into_owned());
    }
    let why = String::from_utf8_lossy(&ended.stderr).trim().to_owned();
    Err(Failure::new(Exit::Failed, format!("`{}` failed: {why}", command.join(" "))))
}

async fn run(command: &[String]) -> Result<Output, Failure> {
    let [program, arguments @ ..] = command else { return Err(Failure::new(Exit::Failed, "there is nothing to run")) };
    let run = Command::new(program).args(arguments).stdin(Stdio::null()).kill_on_drop(true).output().await;
    run.map_err(|error| {
        let help =
            "without a service manager, start `amici run` in a way of your own; --output FILE writes the file only";
        Failure::new(Exit::Failed, format!("`{program}` cannot be run: {error}\nhelp: {help}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_is_known_by_how_a_line_begins() {
        assert!(is_trouble(" WARN the mailbox cannot be read") && is_trouble("ERROR x"));
        assert!(is_trouble("amici.service: Failed with result 'exit-code'."));
        assert!(!is_trouble(" INFO WARN is only a word here") && !is_trouble(""));
    }
}
