//! What a part of a pattern can begin with: most places of a text are passed over by it.

/// Characters of ASCII, whether any other, and whether the end of the text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct First {
    pub(super) ascii: u128,
    pub(super) other: bool,
    pub(super) end: bool,
}

impl First {
    /// Whatever stands there.
    pub(super) const ANYTHING: First = First { ascii: u128::MAX, other: true, end: true };

    /// This character.
    pub(super) fn of(c: char) -> First {
        let ascii = if c.is_ascii() { 1 << u32::from(c) } else { 0 };
        First { ascii, other: !c.is_ascii(), end: false }
    }

    /// What either begins with.
    pub(super) fn or(self, other: First) -> First {
        First { ascii: self.ascii | other.ascii, other: self.other | other.other, end: self.end | other.end }
    }

    /// Whether what begins with this byte of a text can be it; `None` is the text's end.
    pub(super) fn admits(self, byte: Option<u8>) -> bool {
        match byte {
            Some(byte) if byte.is_ascii() => self.ascii >> byte & 1 == 1,
            Some(_) => self.other,
            None => self.end,
        }
    }
}
