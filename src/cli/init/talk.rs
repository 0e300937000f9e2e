//! The questions of `amici init`: each has a default, and where nobody is to be asked the default is the answer.

use std::io::Write;

use secrecy::SecretString;

use super::super::confirm::{Asked, Consent};
use super::super::stdio;

/// Who is asked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Talk {
    who: Asked,
}

impl Talk {
    /// Somebody at a terminal, unless he said yes to everything beforehand.
    pub(super) fn new(who: Asked, yes: bool) -> Talk {
        Talk { who: if yes { Asked::Nobody } else { who } }
    }

    /// Whether anybody is there.
    pub(super) fn asks(self) -> bool {
        self.who.is_there()
    }

    /// An answer; an empty one, and nobody's, is the default.
    pub(super) fn text(self, what: &str, default: Option<&str>) -> Option<String> {
        let shown = default.map(|default| format!(" [{default}]")).unwrap_or_default();
        let answer = self.who.for_text(&format!("{what}{shown}"));
        answer.or_else(|| default.map(str::to_owned))
    }

    /// Yes or no; nobody's answer is no.
    pub(super) fn yes(self, proposal: &str, what: &str) -> bool {
        self.who.to(proposal, what) == Consent::Yes
    }

    /// A password, which is not shown while it is typed; `None` where it is empty or nobody is there.
    pub(super) fn password(self, what: &str) -> Option<SecretString> {
        if !self.asks() || write!(stdio::stderr(), "{what}: ").and_then(|()| stdio::stderr().flush()).is_err() {
            return None;
        }
        rpassword::read_password().ok().filter(|typed| !typed.is_empty()).map(SecretString::from)
    }

    /// Something to read on the way.
    pub(super) fn tell(self, text: &str) {
        stdio::warn(&[text.to_owned()]);
    }
}
