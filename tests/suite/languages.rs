//! Every sentence that the program says stands in the file of every language, with the same braces; and no file has one that nobody says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use amici::config::Language;

/// What stands before a sentence in the sources.
const SAID: [&str; 4] = ["say!(", "phrase!(", "sentence!(", ".sentence("];

/// The text literal that a call begins with, after the name of a language; `None` where it has none.
fn literal(call: &str) -> Option<String> {
    let start = call.find('"')?;
    let before = call.get(..start)?;
    if !before.chars().all(|c| c.is_alphanumeric() || c.is_whitespace() || "_.,:&".contains(c)) {
        return None;
    }
    let mut text = String::new();
    let mut rest = call.get(start + 1..)?.chars();
    while let Some(c) = rest.next() {
        match c {
            '"' => return Some(text),
            '\\' => match rest.next()? {
                'n' => text.push('\n'),
                '\n' => rest = rest.as_str().trim_start().chars(),
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
    None
}

/// The text literals of a template that are said: `"Games"|said`.
fn literals(template: &str) -> impl Iterator<Item = String> {
    let parts: Vec<&str> = template.split("\"|said").collect();
    let said = parts.len() - 1;
    parts.into_iter().take(said).filter_map(|before| before.rsplit_once('"')).map(|(_, text)| text.to_owned())
}

fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = std::fs::read_to_string(&path).unwrap();
            let code = source.split("#[cfg(test)]").next().unwrap_or_default();
            let is_comment = |line: &&str| line.trim_start().starts_with("//");
            found.push(code.lines().filter(|line| !is_comment(line)).collect::<Vec<_>>().join("\n"));
        }
    }
}

/// The sentences of the program, in English.
fn said() -> BTreeSet<String> {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    let templates = templates();
    let calls = found.iter().flat_map(|source| SAID.iter().flat_map(|before| source.split(before).skip(1)));
    let in_templates = templates.iter().flat_map(|template| literals(template));
    calls.filter_map(literal).filter(|text| !text.is_empty()).chain(in_templates).collect()
}

fn templates() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/desk/templates");
    std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap()).collect()
}

/// The names between braces, each as often as it stands there.
fn braces(text: &str) -> BTreeMap<&str, usize> {
    let mut names = BTreeMap::new();
    for part in text.split('{').skip(1) {
        *names.entry(part.split_once('}').unwrap().0).or_default() += 1;
    }
    names
}

/// A section of the file of a language.
fn section(code: &str, name: &str) -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/languages/{code}.toml"));
    let file: toml::Table = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file[name].clone().try_into().unwrap()
}

#[test]
fn every_sentence_stands_in_every_language_with_the_same_braces() {
    let said = said();
    assert!(said.len() > 250, "only {} sentences were found: the search is wrong", said.len());
    let mut wrong = Vec::new();
    for (_, code) in Language::ALL.into_iter().skip(1) {
        let file = section(code, "said");
        let lacking = said.iter().filter(|text| !file.contains_key(*text));
        wrong.extend(lacking.map(|text| format!("{code} lacks {text:?}")));
        let unsaid = file.keys().filter(|text| !said.contains(*text));
        wrong.extend(unsaid.map(|text| format!("{code} has {text:?}, which nobody says")));
        let differ = file.iter().filter(|(english, text)| braces(english).keys().ne(braces(text).keys()));
        wrong.extend(differ.map(|(english, _)| format!("{code} has other braces in {english:?}")));
        // a command is typed as it stands there
        let commands = |text: &str| -> Vec<String> {
            let found = text.split("amici ").skip(1);
            found.filter_map(|rest| rest.split([' ', '`', '\n']).next()).map(str::to_owned).collect()
        };
        let typed = file.iter().filter(|(english, text)| commands(english) != commands(text));
        wrong.extend(typed.map(|(english, _)| format!("{code} has another command in {english:?}")));
    }
    assert!(wrong.is_empty(), "{} sentences:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn letters_to_an_opponent_have_the_same_sentences_in_every_language() {
    let english = section("en", "letter");
    for (_, code) in Language::ALL {
        let own = section(code, "letter");
        assert!(own.keys().eq(english.keys()), "{code}: {:?}", own.keys().collect::<Vec<_>>());
        for (name, sentence) in &own {
            assert!(!sentence.is_empty() && sentence.trim() == sentence, "{code} {name}");
            assert_eq!(braces(sentence), braces(&english[name]), "{code} {name}");
            let may_agree = ["total", "resigns", "hello"].contains(&name.as_str());
            assert!(code == "en" || may_agree || *sentence != english[name], "{code} {name} is in English");
        }
    }
}

/// Writes the English sentences, for those who translate them: `AMICI_SENTENCES=FILE`.
#[test]
#[ignore = "writes a file"]
fn list_the_sentences() {
    let lines: Vec<String> = said().iter().map(|text| format!("{} = \"\"", toml::Value::from(text.as_str()))).collect();
    std::fs::write(std::env::var("AMICI_SENTENCES").unwrap(), lines.join("\n") + "\n").unwrap();
}
