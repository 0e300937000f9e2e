//! How far the player's claims got, by his journal: drafted, sent, or not sent after all. The kind of a line says it; its sentence is never read.

use std::fmt;

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

/// How the statements of the claims begin in the letter.
const STATEMENTS: [(&str, ClaimKind); 7] = [
    ("I claim that my opponent has exceeded his time ", ClaimKind::Time),
    ("I claim that my opponent has not ", ClaimKind::Silence),
    ("I inform you that my opponent has not ", ClaimKind::Silence),
    ("I claim a draw by repetition:", ClaimKind::Repetition),
    ("I claim a draw by the fifty-move rule:", ClaimKind::FiftyMoves),
    ("I claim the win by the endgame tablebases:", ClaimKind::Tablebase),
    ("I claim a draw by the endgame tablebases:", ClaimKind::Tablebase),
];

/// What a line of the journal says of a claim; as a text (`claim sent time 2026-03-04`) it is the kind of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimNews {
    /// It was drafted.
    Drafted(ClaimKind),
    /// It went out on a day.
    Sent(ClaimKind, NaiveDate),
    /// It did not go out after all.
    NotSent(ClaimKind),
}

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
}

impl ClaimNews {
    fn of(self) -> ClaimKind {
        match self {
            ClaimNews::Drafted(kind) | ClaimNews::Sent(kind, _) | ClaimNews::NotSent(kind) => kind,
        }
    }

    /// The sentence of its line; of a draft [`Claim::drafted`] says more.
    pub fn sentence(self) -> String {
        let words = self.of().words();
        match self {
            ClaimNews::Drafted(_) => format!("a claim was drafted: {words}"),
            ClaimNews::Sent(_, on) => format!("a claim was sent on {on}: {words}"),
            ClaimNews::NotSent(_) => format!("a claim was not sent: {words}"),
        }
    }

    fn read(kind: &str) -> Option<ClaimNews> {
        let mut words = kind.split(' ');
        let (step, word) = (words.next().filter(|first| *first == "claim").and(words.next())?, words.next()?);
        let of = ClaimKind::ALL.into_iter().find(|kind| kind.word() == word)?;
        match (step, words.next()) {
            ("drafted", None) => Some(ClaimNews::Drafted(of)),
            ("sent", Some(on)) => Some(ClaimNews::Sent(of, on.parse().ok()?)),
            ("not-sent", None) => Some(ClaimNews::NotSent(of)),
            _ => None,
        }
    }
}

impl fmt::Display for ClaimNews {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClaimNews::Drafted(kind) => write!(formatter, "claim drafted {}", kind.word()),
            ClaimNews::Sent(kind, on) => write!(formatter, "claim sent {} {on}", kind.word()),
            ClaimNews::NotSent(kind) => write!(formatter, "claim not-sent {}", kind.word()),
        }
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

    /// The sentence of the journal about its draft.
    pub fn drafted(&self) -> String {
        format!("a claim was drafted: {}", self.statement())
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
            match ClaimNews::read(&line.news).filter(|news| news.of() == kind) {
                Some(ClaimNews::Drafted(_)) => drafted = Some(line.at.with_timezone(&zone).date_naive()),
                Some(ClaimNews::Sent(_, on)) => sent = Some(on),
                Some(ClaimNews::NotSent(_)) => sent = None,
                None => {}
            }
        }
        sent.map(Claimed::Sent).or(drafted.map(Claimed::Drafted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(game: &str, news: &str) -> ClaimLine {
        let at = "2026-03-01T23:30:00Z".parse().unwrap();
        ClaimLine { game: game.parse().unwrap(), at, news: news.to_owned() }
    }

    #[test]
    fn a_claim_is_sent_from_the_line_that_says_so_until_one_takes_it_back() {
        let (game, day) = ("EM-1".parse().unwrap(), "2026-03-04".parse().unwrap());
        let (kind, drafted) = (ClaimKind::Tablebase, Some(Claimed::Drafted("2026-03-02".parse().unwrap())));
        let mut lines = Vec::new();
        for (news, found) in [
            ("claim drafted otherwise".to_owned(), None),
            (ClaimNews::Drafted(kind).to_string(), drafted),
            (ClaimNews::Sent(kind, day).to_string(), Some(Claimed::Sent(day))),
            (ClaimNews::NotSent(ClaimKind::Time).to_string(), Some(Claimed::Sent(day))),
            (ClaimNews::Drafted(kind).to_string(), Some(Claimed::Sent(day))),
            (ClaimNews::NotSent(kind).to_string(), drafted),
        ] {
            lines.push(line("EM-1", &news));
            lines.push(line("EM-2", &ClaimNews::Sent(kind, day).to_string()));
            assert_eq!(Claimed::of(kind, &game, &lines, chrono_tz::Europe::Vienna), found, "{news}");
            assert_eq!(Claimed::of(ClaimKind::Silence, &game, &lines, chrono_tz::UTC), None, "{news}");
        }
    }
}
