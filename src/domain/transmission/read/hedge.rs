//! What takes the certainty from a move: the word that does, what it does, and which moves it reaches.

/// How a word takes the certainty from a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HedgeKind {
    /// It is denied.
    Denied,
    /// It is taken back, or called wrong.
    TakenBack,
    /// It is considered, or put off.
    Weighed,
    /// It is only talked about.
    TalkedOf,
    /// It is asked about.
    Asked,
    /// It depends on something.
    Conditional,
    /// It is somebody else's, or of another game.
    Another,
    /// It is an old one.
    Old,
}

impl HedgeKind {
    /// The word for it in data.
    pub fn code(self) -> &'static str {
        match self {
            HedgeKind::Denied => "denied",
            HedgeKind::TakenBack => "taken-back",
            HedgeKind::Weighed => "weighed",
            HedgeKind::TalkedOf => "talked-of",
            HedgeKind::Asked => "asked",
            HedgeKind::Conditional => "conditional",
            HedgeKind::Another => "another",
            HedgeKind::Old => "old",
        }
    }
}

/// A word that takes the certainty from a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hedge {
    /// The line it stands on.
    pub line: usize,
    /// The word, as it is written.
    pub word: String,
    /// What it does.
    pub kind: HedgeKind,
}

/// Which moves a hedge reaches that stands in no clause with one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Those before it: some stand in the lines above.
    Back,
    /// Those before it; where there are none, the next one.
    Either,
    /// The next one.
    Forward,
    /// Every move of the mail.
    All,
}

/// A hedge that stands in no clause with a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside {
    /// The hedge.
    pub hedge: Hedge,
    /// Which moves it reaches.
    pub reach: Reach,
}
