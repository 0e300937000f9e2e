//! His own words in a notice: at its top those that no program understood, and the line that a reason stands on.

use super::incoming::Incoming;
use super::page::Told;
use super::wrap::fill;
use crate::config::Language;
use crate::domain::judge::Verdict;
use crate::mail::authentication::{Finding, Method};
use crate::say;

/// The rows that his words take at most.
const MOST: usize = 40;
/// The most characters of a line that is quoted beside a reason.
const QUOTED: usize = 160;

/// "He also writes:" and his lines, each whole, with a gap after them; nothing where there are none. Before it stands that of more such
/// mails the digest tells.
pub(super) fn he_also_writes(incoming: &Incoming<'_>, language: Language) -> Told {
    let mut told = Told::default();
    if incoming.is_last {
        told.paragraph(say!(
            language,
            "More such mails of today are told of by the next digest, and not one by one; `amici review` has them all."
        ));
        told.gap();
    }
    if incoming.unread.is_empty() {
        return told;
    }
    told.line(say!(language, "He also writes:"));
    let rows = |text: &str| fill(text, "  - ", "    ").lines().count();
    let mut left = MOST;
    let mut shown = 0;
    for (_, text) in incoming.unread {
        let Some(rest) = left.checked_sub(rows(text)) else { break };
        told.point(text);
        (left, shown) = (rest, shown + 1);
    }
    match (shown, incoming.unread.len() - shown) {
        (_, 0) => {}
        (0, _) => {
            told.line(format!("  {}", say!(language, "more than can be shown here; read it in your mail client")))
        }
        (_, 1) => told.line(format!("  {}", say!(language, "and another line; read it in your mail client"))),
        (_, more) => {
            told.line(format!("  {}", say!(language, "and {more} more lines; read them in your mail client", more)));
        }
    }
    told.gap();
    told
}

/// Why his mail was not taken, with the line in question.
pub(super) fn why(verdict: &Verdict, incoming: &Incoming<'_>, language: Language) -> String {
    let reason = verdict.reason_in(language);
    match incoming.cause {
        Some(cause) if cause.text.chars().count() <= QUOTED => cause.quoted_in(&reason, language),
        _ => reason,
    }
}

/// What vouches for the sender of a mail, as a clause.
pub fn vouched(finding: Option<&Finding>, language: Language) -> String {
    let Some(Finding { method, domain: Some(domain), .. }) = finding else {
        return say!(language, "nothing vouches for the sender");
    };
    let method = match method {
        Method::Dkim => "DKIM",
        Method::Dmarc => "DMARC",
        Method::Filed => return say!(language, "it lies in your folder of sent mails"),
    };
    say!(language, "{method} of {domain} vouches for the sender", method, domain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(lines: &[(usize, String)]) -> String {
        let at = "2004-10-30T18:30:00Z".parse().unwrap();
        let incoming =
            Incoming { sha256: &[0; 32], from: None, vouching: None, at, unread: lines, cause: None, is_last: false };
        he_also_writes(&incoming, Language::English).plain()
    }

    #[test]
    fn his_lines_are_whole_and_no_more_than_fit() {
        assert_eq!(shown(&[]), "");
        let lines: Vec<(usize, String)> = (1..=50).map(|number| (number, format!("line {number}"))).collect();
        assert!(shown(&lines[..40]).ends_with("  - line 40\n\n"));
        assert!(shown(&lines).ends_with("  - line 40\n  and 10 more lines; read them in your mail client\n\n"));
        let long = [(1, "word ".repeat(100)), (2, "x".repeat(9000)), (3, "last".to_owned())];
        let text = shown(&long);
        assert!(text.ends_with("word\n  and 2 more lines; read them in your mail client\n\n"), "{text}");
        assert_eq!(text.matches("word").count(), 100);
        assert!(shown(&long[1..]).contains("more than can be shown here"));
    }
}
