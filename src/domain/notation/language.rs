//! The piece letters of the languages of our mails.
//!
//! PURE. What will surprise you: the same letter is another piece elsewhere (R is a rook in English and a king in French), so a
//! text is read in one language at a time, and only in those that the players agreed on.

/// A language with its own piece letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    code: &'static str,
    /// King, queen, rook, bishop, knight.
    pieces: [char; 5],
}

/// English pieces in the order of [`Language::pieces`].
const ENGLISH: [&str; 5] = ["K", "Q", "R", "B", "N"];

/// No language in particular: a letter stands for every piece it is somewhere, but one that English has for the English one.
pub(super) const ANY: Language = Language { code: "", pieces: ['\0'; 5] };

/// All languages whose letters are known, by their ISO 639-1 codes.
pub const ALL: [Language; 17] = [
    Language::ENGLISH,
    Language { code: "de", pieces: ['K', 'D', 'T', 'L', 'S'] },
    Language { code: "fr", pieces: ['R', 'D', 'T', 'F', 'C'] },
    Language { code: "es", pieces: ['R', 'D', 'T', 'A', 'C'] },
    Language { code: "it", pieces: ['R', 'D', 'T', 'A', 'C'] },
    Language { code: "pt", pieces: ['R', 'D', 'T', 'B', 'C'] },
    Language { code: "nl", pieces: ['K', 'D', 'T', 'L', 'P'] },
    Language { code: "sv", pieces: ['K', 'D', 'T', 'L', 'S'] },
    Language { code: "da", pieces: ['K', 'D', 'T', 'L', 'S'] },
    Language { code: "no", pieces: ['K', 'D', 'T', 'L', 'S'] },
    Language { code: "fi", pieces: ['K', 'D', 'T', 'L', 'R'] },
    Language { code: "pl", pieces: ['K', 'H', 'W', 'G', 'S'] },
    Language { code: "cs", pieces: ['K', 'D', 'V', 'S', 'J'] },
    Language { code: "hu", pieces: ['K', 'V', 'B', 'F', 'H'] },
    Language { code: "ro", pieces: ['R', 'D', 'T', 'N', 'C'] },
    // the king is `Кр`, two letters, which the reader of algebraic notation turns into a figurine
    Language { code: "ru", pieces: ['♔', 'Ф', 'Л', 'С', 'К'] },
    Language { code: "uk", pieces: ['♔', 'Ф', 'Т', 'С', 'К'] },
];

impl Language {
    /// English, the language of SAN.
    pub const ENGLISH: Language = Language { code: "en", pieces: ['K', 'Q', 'R', 'B', 'N'] };

    /// The languages of the agreed notations: `san` is English, `san-de` German; empty where only numbers are agreed.
    pub fn agreed(notations: &[String]) -> Vec<Language> {
        let codes = notations.iter().filter_map(|notation| match notation.as_str() {
            "san" => Some("en"),
            other => other.strip_prefix("san-"),
        });
        codes.filter_map(|code| ALL.into_iter().find(|language| language.code == code)).collect()
    }

    /// Its ISO 639-1 code, as in `san-de`.
    pub fn code(self) -> &'static str {
        self.code
    }

    fn is_cyrillic(self) -> bool {
        self.pieces.contains(&'Ф')
    }

    /// Whether a letter stands for a piece.
    pub fn has_piece(self, letter: char) -> bool {
        !self.english(letter).is_empty()
    }

    /// The English letter of a piece letter or figurine, in either case; nothing for any other.
    pub(super) fn english(self, letter: char) -> &'static str {
        let upper = letter.to_uppercase().next().unwrap_or(letter);
        if self == ANY {
            return match upper {
                'S' => "NB", // knight de nl sv pl, bishop cs
                'D' | 'Ф' => "Q",
                'T' | 'W' | 'Л' => "R",
                'L' | 'F' | 'A' | 'G' | 'С' => "B",
                'C' | 'J' | 'К' => "N",
                'H' => "NQ", // knight hu, queen pl
                'V' => "QR", // queen hu, rook cs
                _ => Language::ENGLISH.english(letter),
            };
        }
        let own = self.pieces.iter().position(|piece| *piece == upper);
        match (own, letter) {
            (Some(at), _) => ENGLISH.get(at).copied().unwrap_or_default(),
            (None, '♔' | '♚') => "K",
            (None, '♕' | '♛') => "Q",
            (None, '♖' | '♜') => "R",
            (None, '♗' | '♝') => "B",
            (None, '♘' | '♞') => "N",
            (None, '♙' | '♟') => "P",
            (None, 'P' | 'p') if self == Language::ENGLISH => "P",
            // Latin letters that look like the Cyrillic ones
            (None, 'K') if self.is_cyrillic() => "N",
            (None, 'C') if self.is_cyrillic() => "B",
            (None, _) => "",
        }
    }
}
