//! How far the player's claims got, by the lines of his journal: drafted, sent, or not sent after all.

use chrono::NaiveDate;
use chrono_tz::Tz;

use super::claim::Claim;
use crate::domain::game::GameId;
use crate::io::store::ClaimLine;

/// What a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of `Claim`")]
pub enum ClaimKind {
    Time,
    Silence,
    Repetition,
    FiftyMoves,
    Tablebase,
}

/// How the statements of the claims begin, in the letter and in the line of the journal about its draft.
const STATEMENTS: [(&str, ClaimKind); 7] = [
    ("I claim that my opponent has exceeded his time ", ClaimKind::Time),
    ("I claim that my opponent has not ", ClaimKind::Silence),
    ("I inform you that my opponent has not ", ClaimKind::Silence),
    ("I claim a draw by repetition:", ClaimKind::Repetition),
    ("I claim a draw by the fifty-move rule:", ClaimKind::FiftyMoves),
    ("I claim the win by the endgame tablebases:", ClaimKind::Tablebase),
    ("I claim a draw by the endgame tablebases:", ClaimKind::Tablebase),
];

const DRAFTED: &str = "a claim was drafted: ";
const SENT: &str = "a claim was sent on ";
const NOT_SENT: &str = "a claim was not sent: ";

impl ClaimKind {
    /// All of them.
    pub const ALL: [ClaimKind; 5] =
        [ClaimKind::Time, ClaimKind::Silence, ClaimKind::Repetition, ClaimKind::FiftyMoves, ClaimKind::Tablebase];

    /// The option of `amici claim` without its dashes, and the word in the Message-ID of the letter.
    pub fn word(self) -> &'static str {
        match self {
            ClaimKind::Time => "time",
            ClaimKind::Silence => "silence",
            ClaimKind::Repetition => "repetition",
            ClaimKind::FiftyMoves => "fifty-moves",
            ClaimKind::Tablebase => "tablebase",
        }
    }

    /// What is claimed, in a few words.
    pub fn words(self) -> &'static str {
        match self {
            ClaimKind::Time => "his time is overstepped",
            ClaimKind::Silence => "he does not answer",
            ClaimKind::Repetition => "a draw by repetition",
            ClaimKind::FiftyMoves => "a draw by the fifty-move rule",
            ClaimKind::Tablebase => "what the tablebases give",
        }
    }

    /// Whether a text states such a claim.
    pub(super) fn is_said_in(self, text: &str) -> bool {
        STATEMENTS.iter().any(|(begins, kind)| *kind == self && text.contains(begins))
    }

    /// The line of the journal that says that such a claim went out on a day.
    pub fn sent(self, on: NaiveDate) -> String {
        format!("{SENT}{on}: {}", self.words())
    }

    /// The line that takes that back.
    pub fn not_sent(self) -> String {
        format!("{NOT_SENT}{}", self.words())
    }
}

impl Claim {
    /// What it is about.
    pub fn kind(&self) -> ClaimKind {
        match self {
            Claim::Time(_) => ClaimKind::Time,
            Claim::Silence { .. } => ClaimKind::Silence,
            Claim::Repetition { .. } => ClaimKind::Repetition,
            Claim::FiftyMoves { .. } => ClaimKind::FiftyMoves,
            Claim::Tablebase { .. } => ClaimKind::Tablebase,
        }
    }

    /// The line of the journal that says that it was drafted.
    pub fn drafted(&self) -> String {
        format!("{DRAFTED}{}", self.statement())
    }
}

/// How far a claim got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claimed {
    /// It was drafted, last on this day.
    Drafted(NaiveDate),
    /// It went out on this day.
    Sent(NaiveDate),
}

impl Claimed {
    /// How far claims of a kind got in a game, by lines of the journal, oldest first; `None` where there is none. A day is that of the
    /// player's `zone`.
    pub fn of(kind: ClaimKind, game: &GameId, lines: &[ClaimLine], zone: Tz) -> Option<Claimed> {
        let (mut drafted, mut sent) = (None, None);
        for line in lines.iter().filter(|line| line.game == *game) {
            match step(&line.text) {
                Some((of, Step::Drafted)) if of == kind => drafted = Some(line.at.with_timezone(&zone).date_naive()),
                Some((of, Step::Sent(on))) if of == kind => sent = Some(on),
                Some((of, Step::NotSent)) if of == kind => sent = None,
                _ => {}
            }
        }
        sent.map(Claimed::Sent).or(drafted.map(Claimed::Drafted))
    }
}

enum Step {
    Drafted,
    Sent(NaiveDate),
    NotSent,
}

fn step(text: &str) -> Option<(ClaimKind, Step)> {
    let named = |words: &str| ClaimKind::ALL.into_iter().find(|kind| kind.words() == words);
    if let Some(statement) = text.strip_prefix(DRAFTED) {
        let (_, kind) = STATEMENTS.iter().find(|(begins, _)| statement.starts_with(begins))?;
        return Some((*kind, Step::Drafted));
    }
    if let Some((on, words)) = text.strip_prefix(SENT).and_then(|rest| rest.split_once(": ")) {
        return Some((named(words)?, Step::Sent(on.parse().ok()?)));
    }
    Some((named(text.strip_prefix(NOT_SENT)?)?, Step::NotSent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(game: &str, text: String) -> ClaimLine {
        ClaimLine { game: game.parse().unwrap(), at: "2026-03-01T23:30:00Z".parse().unwrap(), text }
    }

    #[test]
    fn a_claim_is_sent_from_the_line_that_says_so_until_one_takes_it_back() {
        let claim = Claim::Tablebase { win: true, men: 5 };
        let (game, day) = ("EM-1".parse().unwrap(), "2026-03-04".parse().unwrap());
        let (kind, drafted) = (ClaimKind::Tablebase, Some(Claimed::Drafted("2026-03-02".parse().unwrap())));
        let mut lines = Vec::new();
        for (text, found) in [
            ("a claim was drafted: in words of its own".to_owned(), None),
            (claim.drafted(), drafted),
            (kind.sent(day), Some(Claimed::Sent(day))),
            (ClaimKind::Time.not_sent(), Some(Claimed::Sent(day))),
            (claim.drafted(), Some(Claimed::Sent(day))),
            (kind.not_sent(), drafted),
        ] {
            lines.push(line("EM-1", text.clone()));
            lines.push(line("EM-2", kind.sent(day)));
            assert_eq!(Claimed::of(kind, &game, &lines, chrono_tz::Europe::Vienna), found, "{text}");
            assert_eq!(Claimed::of(ClaimKind::Silence, &game, &lines, chrono_tz::UTC), None, "{text}");
        }
    }
}
