//! Whether a text can hold moves at all: a quick look before the reader's long one.

use std::sync::LazyLock;

use crate::domain::pattern::Pattern;

/// Digits and coordinates as moves have them, in numeric and algebraic notation, with what may stand between.
static MOVE: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?x)
        (?:^|[^\p{L}\p{N}])
        (?: [1-8]{2}\s?[-\x{2010}-\x{2015}:/]?\s?[1-8]{2}[1-5]?
          | [a-h][1-8]\s?[-\x{2010}-\x{2015}:x]?\s?[a-h][1-8]\p{L}?
          | \p{Lu}\p{L}?[a-h1-8]?[x:]?[a-h][1-8](?:=?\p{Lu})?
          | [a-h](?:[x:]?[a-h])?[1-8](?:=?\p{Lu})?
          | [0OО]-[0OО](?:-[0OО])?
        )
        (?:$|[^\p{L}\p{N}])",
    )
});

/// Whether something stands there that looks like a move. A yes proves nothing; where it says no, no score is to be found.
pub fn may_have_moves(text: &str) -> bool {
    MOVE.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_in_every_notation_are_seen() {
        for text in [
            "12. 5131",
            "1. e4",
            "7... Nf6",
            "exd5",
            "e2-e4",
            "24\u{2013}25",
            "52 54",
            "Sf3!",
            "O-O",
            "57581",
            "Крg1",
            "|5254|",
        ] {
            assert!(may_have_moves(text), "{text}");
        }
    }

    #[test]
    fn ordinary_letters_have_none() {
        for text in
            ["Dear Tobin, see you on Sunday at 9.", "Invoice 90210, 1999-10-09", "Order no. A90 of 2009", "abc123"]
        {
            assert!(!may_have_moves(text), "{text}");
        }
    }
}
