//! What the result of a game is called in each language, as patterns on plain words (lower case, no accents, no apostrophes).
//!
//! A clause is a clear announcement only when it is made of one `say` pattern and of the language's filling words and nothing
//! else: what is not known may turn the meaning. Lists are parted by line ends; each entry is a regular expression.

use std::sync::LazyLock;

use regex::Regex;

mod english;
mod german;
mod hungarian;
mod northern;
mod romance;
mod slavic;

/// The words of one language.
pub(super) struct Words {
    /// May stand before an announcement without changing it.
    pub(super) before: &'static str,
    /// May stand behind it.
    pub(super) behind: &'static str,
    pub(super) offer: &'static str,
    /// An offer only as a question.
    pub(super) asks: &'static str,
    pub(super) accept: &'static str,
    pub(super) decline: &'static str,
    pub(super) resign: &'static str,
    /// Words that speak of a draw.
    pub(super) draw_key: &'static str,
    /// Words that speak of the sender's accepting one.
    pub(super) accept_key: &'static str,
    /// Words that speak of resigning.
    pub(super) resign_key: &'static str,
    /// What a draw's word means besides.
    pub(super) no_draw: &'static str,
    /// What a resignation's word means besides.
    pub(super) no_resignation: &'static str,
    pub(super) negation: &'static str,
    pub(super) condition: &'static str,
    /// Another game, another person, another time.
    pub(super) elsewhere: &'static str,
}

/// A language, ready to be held against clauses.
pub(super) struct Language {
    pub(super) offer: Regex,
    pub(super) asks: Regex,
    pub(super) accept: Regex,
    pub(super) decline: Regex,
    pub(super) resign: Regex,
    pub(super) draw_key: Regex,
    pub(super) accept_key: Regex,
    pub(super) resign_key: Regex,
    pub(super) no_draw: Regex,
    pub(super) no_resignation: Regex,
    pub(super) negation: Regex,
    pub(super) condition: Regex,
    pub(super) elsewhere: Regex,
}

impl Language {
    fn of(words: &Words) -> Language {
        let whole = |says: &str| {
            let (before, behind) = (one_of(words.before), one_of(words.behind));
            pattern(&format!("(?-u)^(?:(?:{before}|9) )*(?:{})(?: (?:{behind}|9))*$", one_of(says)))
        };
        let part = |says: &str| pattern(&format!(r"(?-u)\b(?:{})\b", one_of(says)));
        Language {
            offer: whole(words.offer),
            asks: whole(words.asks),
            accept: whole(words.accept),
            decline: whole(words.decline),
            resign: whole(words.resign),
            draw_key: part(words.draw_key),
            accept_key: part(words.accept_key),
            resign_key: part(words.resign_key),
            no_draw: part(words.no_draw),
            no_resignation: part(words.no_resignation),
            negation: part(words.negation),
            condition: part(words.condition),
            elsewhere: part(words.elsewhere),
        }
    }
}

/// The entries of a list as one pattern; an empty list matches no word.
pub(super) fn one_of(list: &str) -> String {
    let entries: Vec<&str> = list.split('\n').map(str::trim).filter(|entry| !entry.is_empty()).collect();
    if entries.is_empty() { "~".to_owned() } else { entries.join("|") }
}

/// A pattern of this module's own lists.
#[allow(clippy::expect_used, reason = "a literal; failing loudly beats reading nothing")]
pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the words of a language are a valid pattern")
}

/// All languages.
pub(super) fn languages() -> &'static [Language] {
    static ALL: LazyLock<Vec<Language>> = LazyLock::new(|| {
        let groups = [
            &english::ALL[..],
            &german::ALL[..],
            &romance::ALL[..],
            &northern::ALL[..],
            &slavic::ALL[..],
            &hungarian::ALL[..],
        ];
        groups.into_iter().flatten().map(Language::of).collect()
    });
    &ALL
}
