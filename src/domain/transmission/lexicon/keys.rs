//! The keys of a lexicon: what a word can mean. Shared with the build script.

use std::fmt;
use std::ops::BitOr;

macro_rules! keys {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// What a word means. The name of its section stands beside it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u32)]
        pub(crate) enum Key { $($(#[$doc])* $name),* }

        impl Key {
            /// Every key with the name of its section.
            pub(super) const ALL: &[(Key, &str)] = &[$((Key::$name, $text)),*];
        }
    };
}

keys! {
    Common = "common", Distinct = "distinct",
    I = "i", You = "you", He = "he",
    Move = "move", Game = "game", Mail = "mail", Position = "position",
    King = "king", Queen = "queen", Rook = "rook", Bishop = "bishop", Knight = "knight", Pawn = "pawn",
    White = "white", Black = "black",
    This = "this", Above = "above", Below = "below",
    Play = "play", Announce = "announce", Turn = "turn", Mark = "mark",
    Deny = "deny", TakeBack = "take_back", Recall = "recall", Weigh = "weigh", Undecided = "undecided", Later = "later",
    Ask = "ask", Advice = "advice", Condition = "condition", Then = "then", Any = "any", Except = "except",
    Legal = "legal", Other = "other", Old = "old", Excuse = "excuse", Harmless = "harmless",
    Received = "received", ReceivedShort = "received_short", Sent = "sent", SentShort = "sent_short", Replied = "replied",
    Days = "days", DaysShort = "days_short", Total = "total", TotalShort = "total_short", Left = "left",
    Today = "today", Yesterday = "yesterday", DayBeforeYesterday = "day_before_yesterday", SameDay = "same_day",
    Of = "of", Date = "date", Within = "within", SentOrTotal = "sent_or_total",
    Your = "your", Partner = "partner", Player = "player", BesideYou = "beside_you",
    AmongDates = "among_dates", AmongDays = "among_days",
    January = "january", February = "february", March = "march", April = "april", May = "may", June = "june", July = "july",
    August = "august", September = "september", October = "october", November = "november", December = "december",
    Monday = "monday", Tuesday = "tuesday", Wednesday = "wednesday", Thursday = "thursday", Friday = "friday",
    Saturday = "saturday", Sunday = "sunday", Abbreviated = "abbreviated", NotFirst = "not_first",
    Number = "number",
    Greeting = "greeting", Closing = "closing", Thanks = "thanks",
    Draw = "draw", DrawOffer = "draw_offer", DrawAccept = "draw_accept", DrawDecline = "draw_decline",
    Resign = "resign", ResignWord = "resign_word", NotResign = "not_resign", NotDraw = "not_draw",
    Leave = "leave", Address = "address", AsksRepeat = "asks_repeat", TimeClaim = "time_claim", Repetition = "repetition",
    Fifty = "fifty", Tablebase = "tablebase", LongThought = "long_thought",
    Counts = "counts", Conditional = "conditional",
    And = "and",
}

impl Key {
    /// The pieces, the king first.
    pub(crate) const PIECES: [Key; 6] = [Key::King, Key::Queen, Key::Rook, Key::Bishop, Key::Knight, Key::Pawn];
    /// The phrases that announce a result.
    pub(crate) const ANNOUNCING: [Key; 4] = [Key::DrawOffer, Key::DrawAccept, Key::DrawDecline, Key::Resign];
    /// What names a result, or sounds as if it did.
    pub(crate) const OF_RESULT: [Key; 8] = [
        Key::Draw,
        Key::DrawOffer,
        Key::DrawAccept,
        Key::DrawDecline,
        Key::Resign,
        Key::ResignWord,
        Key::NotDraw,
        Key::NotResign,
    ];
    /// The months in their order.
    pub(crate) const MONTHS: [Key; 12] = [
        Key::January,
        Key::February,
        Key::March,
        Key::April,
        Key::May,
        Key::June,
        Key::July,
        Key::August,
        Key::September,
        Key::October,
        Key::November,
        Key::December,
    ];
    /// The weekdays, Monday first.
    pub(crate) const WEEKDAYS: [Key; 7] =
        [Key::Monday, Key::Tuesday, Key::Wednesday, Key::Thursday, Key::Friday, Key::Saturday, Key::Sunday];

    /// The key of a section.
    pub(crate) fn named(name: &str) -> Option<Key> {
        Key::ALL.iter().find(|(_, text)| *text == name).map(|(key, _)| *key)
    }
}

/// Where the number of a number word is kept beside its keys.
const COUNT: u32 = 120;

/// A set of keys; that of a number word has its number too.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Keys(u128);

impl Keys {
    pub(crate) const fn of(key: Key) -> Keys {
        Keys::all(&[key])
    }

    /// The same for the word of a number below 256.
    pub(crate) fn counting(self, number: u32) -> Keys {
        Keys(self.0 | u128::from(number & 0xff) << COUNT)
    }

    /// The number that the word counts.
    pub(crate) fn number(self) -> Option<u32> {
        self.has(Key::Number).then(|| u32::try_from(self.0 >> COUNT).unwrap_or_default())
    }

    /// The set of these.
    pub(crate) const fn all(keys: &[Key]) -> Keys {
        let (mut of, mut rest) = (0, keys);
        while let [key, others @ ..] = rest {
            of |= 1 << *key as u32;
            rest = others;
        }
        Keys(of)
    }

    /// Those of both: `|` where a constant is made.
    pub(crate) const fn and(self, other: Keys) -> Keys {
        Keys(self.0 | other.0)
    }

    /// Whether it has one of them.
    pub(crate) fn meets(self, other: Keys) -> bool {
        self.0 & other.0 != 0
    }

    /// The keys that both have.
    pub(crate) fn shared(self, other: Keys) -> Keys {
        Keys(self.0 & other.0)
    }

    /// The keys that it has besides these; the number of a number word is none.
    pub(crate) fn without(self, keys: &[Key]) -> Keys {
        self.minus(Keys::all(keys))
    }

    /// The keys that it has besides those of the other set; the number of a number word is none.
    pub(crate) fn minus(self, other: Keys) -> Keys {
        Keys(self.0 & ((1 << COUNT) - 1) & !other.0)
    }

    /// As the build script writes it.
    pub(crate) fn written(self) -> String {
        format!("{:x}", self.0)
    }

    /// As the build script wrote it.
    pub(crate) fn read(text: &str) -> Keys {
        Keys(u128::from_str_radix(text, 16).unwrap_or_default())
    }

    pub(crate) fn has(self, key: Key) -> bool {
        self.meets(Keys::of(key))
    }

    /// Whether it has one of these.
    pub(crate) fn has_any(self, keys: &[Key]) -> bool {
        self.meets(Keys::all(keys))
    }

    /// Whether its word says what digits count. One that announces a move as well does not: "är", which looks like a year.
    pub(crate) fn counts(self) -> bool {
        self.has(Key::Counts) && !self.has(Key::Announce)
    }

    /// Its keys, each by its number.
    pub(crate) fn each(self) -> impl Iterator<Item = u32> {
        (0..COUNT).filter(move |key| self.0 & (1 << key) != 0)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl BitOr for Keys {
    type Output = Keys;

    fn bitor(self, other: Keys) -> Keys {
        self.and(other)
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(Key::ALL.iter().filter(|(key, _)| self.has(*key)).map(|(key, _)| key)).finish()
    }
}
