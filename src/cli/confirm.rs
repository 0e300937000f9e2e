//! A proposal is shown, then confirmed: by `--yes`, or by a word on a terminal. Without either nothing happens.

use std::io::{BufRead, IsTerminal, Write};

use std::sync::atomic::{AtomicBool, Ordering};

use super::stdio;

/// Nobody at the terminal is asked from now on.
static ASKS_NOBODY: AtomicBool = AtomicBool::new(false);

/// From now on nobody at the terminal is asked: whoever wants something done is elsewhere.
pub(super) fn ask_nobody() {
    ASKS_NOBODY.store(true, Ordering::Relaxed);
}

/// Whether somebody can be asked.
fn is_somebody_there() -> bool {
    !ASKS_NOBODY.load(Ordering::Relaxed) && std::io::stdin().is_terminal() && stdio::stderr().is_terminal()
}

/// What the player said to a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consent {
    /// Do it.
    Yes,
    /// Leave it.
    No,
    /// Nobody was there to ask.
    NotAsked,
}

/// Shows a proposal on the terminal and asks; without a terminal nobody is asked.
pub(super) fn ask(proposal: &str, question: &str) -> Consent {
    if !is_somebody_there() {
        return Consent::NotAsked;
    }
    let (stdin, mut stderr) = (std::io::stdin(), stdio::stderr());
    // where the question cannot be shown there is no answer to wait for
    if write!(stderr, "{proposal}\n{question} [y/N] ").and_then(|()| stderr.flush()).is_err() {
        return Consent::NotAsked;
    }
    let mut answer = String::new();
    match stdin.lock().read_line(&mut answer) {
        Ok(_) if is_yes(&answer) => Consent::Yes,
        Ok(_) | Err(_) => Consent::No,
    }
}

/// The answer to a question on the terminal; `None` without a terminal and for an empty answer.
pub(super) fn question(text: &str) -> Option<String> {
    if !is_somebody_there() {
        return None;
    }
    let (stdin, mut stderr) = (std::io::stdin(), stdio::stderr());
    write!(stderr, "{text}: ").and_then(|()| stderr.flush()).ok()?;
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer).ok()?;
    Some(answer.trim().to_owned()).filter(|answer| !answer.is_empty())
}

fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::is_yes;

    #[test]
    fn only_a_plain_yes_is_one() {
        for yes in ["y\n", "YES\n", " yes "] {
            assert!(is_yes(yes), "{yes}");
        }
        for no in ["", "\n", "n\n", "yes but\n", "yep\n", "1\n"] {
            assert!(!is_yes(no), "{no}");
        }
    }
}
