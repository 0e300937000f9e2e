//! The form of a lexicon's entries: shared with the build script, which makes them ready for looking up.

/// Whether a text is written in letters between which no blanks are set.
pub(crate) fn is_run(text: &str) -> bool {
    text.contains(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'))
}

/// Articles and pronouns that are written into the next word.
const ELIDED: [&str; 15] =
    ["j", "l", "d", "n", "c", "s", "m", "t", "qu", "dell", "all", "nell", "un", "quest", "jusqu"];

/// The words of a text as they are compared: in lower case, in Latin letters, an elided article or pronoun by itself (`j'`, `l'`).
pub(crate) fn words_of(text: &str) -> Vec<String> {
    // most words are one plain word, and every word of a mail passes here
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return vec![text.to_ascii_lowercase()];
    }
    if is_run(text) {
        return vec![text.to_owned()];
    }
    let plain = deunicode::deunicode(&text.replace('’', "'")).to_lowercase();
    let mut out = Vec::new();
    for word in plain.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()) {
        match word.split_once('\'') {
            // "don't", "I'd", "it's" and "what's" are whole words
            Some((elided, rest))
                if ELIDED.contains(&elided) && (rest.is_empty() || rest.len() > 1 || elided == "l") =>
            {
                out.push(format!("{elided}'"));
                out.push(rest.to_owned());
            }
            _ => out.push(word.trim_matches('\'').to_owned()),
        }
    }
    out.retain(|word| !word.is_empty());
    out
}

/// The entries of a section as they are looked up, each with its alternatives, and with and without what may be missing.
pub(crate) fn variants(entry: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    for piece in entry.split_whitespace() {
        let optional = piece.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let mut choices: Vec<&str> = optional.unwrap_or(piece).split('/').collect();
        if optional.is_some() {
            choices.push("");
        }
        out = out.iter().flat_map(|begun| choices.iter().map(move |choice| format!("{begun} {choice}"))).collect();
    }
    let mut plain: Vec<String> =
        out.iter().map(|variant| compared(variant)).filter(|variant| !variant.is_empty()).collect();
    plain.sort_unstable();
    plain.dedup();
    plain
}

/// An entry with its words as they are compared; `*` and `..` stay.
fn compared(entry: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for piece in entry.split_whitespace() {
        let (word, begins) = piece.strip_suffix('*').map_or((piece, false), |stem| (stem, true));
        if word == ".." {
            out.push("..".to_owned());
            continue;
        }
        let mut words = words_of(word);
        if let Some(last) = words.last_mut().filter(|_| begins) {
            last.push('*');
        }
        out.extend(words);
    }
    out.join(" ")
}
