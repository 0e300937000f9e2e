//! A proposal is shown, then confirmed: by `--yes`, or by a word on a terminal. Without either nothing happens.

use std::io::{BufRead, IsTerminal, Write};

use super::stdio;

/// Who is asked while a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// Whoever sits at the terminal, if this is one.
    Terminal,
    /// Nobody: whoever wants it done is elsewhere, and asked there.
    Nobody,
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

impl Asked {
    /// Whether somebody is there.
    pub(super) fn is_there(self) -> bool {
        self == Asked::Terminal && std::io::stdin().is_terminal() && stdio::stderr().is_terminal()
    }

    /// Consents to a proposal, or not.
    pub(super) fn to(self, proposal: &str, question: &str) -> Consent {
        if !self.is_there() {
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

    /// The answer to a question; `None` where nobody is there, and for an empty answer.
    pub(super) fn for_text(self, text: &str) -> Option<String> {
        if !self.is_there() {
            return None;
        }
        let (stdin, mut stderr) = (std::io::stdin(), stdio::stderr());
        write!(stderr, "{text}: ").and_then(|()| stderr.flush()).ok()?;
        let mut answer = String::new();
        stdin.lock().read_line(&mut answer).ok()?;
        Some(answer.trim().to_owned()).filter(|answer| !answer.is_empty())
    }

    /// What was not done, with what helps on the command line; elsewhere the question itself is asked.
    pub(super) fn with_help(self, text: String, help: &str) -> String {
        match self {
            Asked::Terminal => format!("{text}\n{help}"),
            Asked::Nobody => text,
        }
    }
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
