//! Builds the crate again when a migration changes, since they are embedded, gives what reads mails and knows the rules a mark by
//! which what it computed is known (another `src/domain`, another mark), and makes the lexicons ready for looking up.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

#[allow(dead_code, reason = "the other half is the program's")]
#[path = "domain/transmission/lexicon/form.rs"]
mod form;
#[allow(dead_code, reason = "the other half is the program's")]
#[path = "domain/transmission/lexicon/keys.rs"]
mod keys;

use form::variants;
use keys::{Key, Keys};

/// What announces something besides a move, or sounds so, and the pieces.
const SPOKEN: Keys = Keys::all(&[
    Key::Thanks,
    Key::Draw,
    Key::DrawOffer,
    Key::DrawAccept,
    Key::DrawDecline,
    Key::NotDraw,
    Key::Resign,
    Key::ResignWord,
    Key::NotResign,
    Key::Leave,
    Key::Address,
    Key::AsksRepeat,
    Key::TimeClaim,
    Key::Repetition,
    Key::Fifty,
    Key::Tablebase,
    Key::LongThought,
])
.and(Keys::all(&Key::PIECES));

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=migrations");
    let mut mark = 0xcbf2_9ce4_8422_2325;
    for folder in ["src/domain", "src/intake", "src/mail"] {
        println!("cargo:rerun-if-changed={folder}");
        mix(Path::new(folder), &mut mark)?;
    }
    println!("cargo:rustc-env=AMICI_DOMAIN={mark:016x}");
    lexicons(Path::new("src/domain/transmission/lexicon"), &env::var("OUT_DIR").map_err(io::Error::other)?)
}

/// Writes the entries of each language in order, one on a line with its keys (`en.lex`); those that tell a language by its words
/// (`words.lex`); what words mean in any (`any.lex`), the complete utterances of all (`idioms.lex`), and what announces a result
/// in any (`results.lex`); and the names of the languages in that order.
fn lexicons(folder: &Path, out: &str) -> io::Result<()> {
    let mut files: Vec<_> = fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|end| end == "txt"));
    files.sort();
    // what is known in every language tells none
    let anywhere = folder.join("any.txt");
    files.retain(|path| *path != anywhere);
    let read = |file: &Path| {
        entries(&fs::read_to_string(file)?).map_err(|wrong| io::Error::other(format!("{}: {wrong}", file.display())))
    };
    let mut telling: BTreeMap<String, String> = BTreeMap::new();
    let mut idioms: BTreeMap<String, Keys> = BTreeMap::new();
    let mut results: BTreeMap<String, Keys> = BTreeMap::new();
    let mut list = String::from("&[\n");
    for (place, file) in files.iter().enumerate() {
        let code = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let entries = read(file)?;
        for (entry, keys) in &entries {
            if !entry.contains([' ', '*']) {
                let weight = match () {
                    () if keys.has(Key::Distinct) => 4,
                    () if keys.has(Key::Common) => 2,
                    () => 1,
                };
                let _ = write!(telling.entry(entry.clone()).or_default(), " {place}:{weight}");
            }
            let complete = keys.shared(Keys::all(&[Key::Recall, Key::Undecided]));
            if entry.contains(' ') && !complete.is_empty() {
                let known = idioms.entry(entry.clone()).or_default();
                *known = *known | complete;
            }
            // a word of one language that only looks like another's must not speak against it
            let whole = entry.contains(' ') || form::is_run(entry);
            let spoken = keys.shared(SPOKEN);
            let result = if whole { spoken } else { spoken.without(&[Key::NotDraw, Key::NotResign]) };
            if !result.is_empty() {
                let known = results.entry(entry.clone()).or_default();
                *known = *known | result;
            }
        }
        fs::write(Path::new(out).join(format!("{code}.lex")), lines(&entries))?;
        let _ = writeln!(list, "    (\"{code}\", include_str!(concat!(env!(\"OUT_DIR\"), \"/{code}.lex\"))),");
    }
    list.push(']');
    let words: String = telling.iter().map(|(word, weights)| format!("{word}\t{}\n", weights.trim())).collect();
    fs::write(Path::new(out).join("words.lex"), words)?;
    fs::write(Path::new(out).join("any.lex"), lines(&read(&anywhere)?))?;
    fs::write(Path::new(out).join("idioms.lex"), lines(&idioms))?;
    fs::write(Path::new(out).join("results.lex"), lines(&results))?;
    fs::write(Path::new(out).join("lexicons.rs"), list)
}

fn lines(entries: &BTreeMap<String, Keys>) -> String {
    entries.iter().map(|(entry, keys)| format!("{entry}\t{}\n", keys.written())).collect()
}

/// The entries of a file with their keys; a number word is followed by the number.
fn entries(text: &str) -> Result<BTreeMap<String, Keys>, String> {
    let mut out: BTreeMap<String, Keys> = BTreeMap::new();
    let mut key: Option<Key> = None;
    let mut place = 0;
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            key = Some(Key::named(name.trim()).ok_or_else(|| format!("there is no section [{name}]"))?);
            place = 0;
            continue;
        }
        for entry in line.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let key = key.ok_or_else(|| format!("{entry} stands in no section"))?;
            place += 1;
            let mut keys = Keys::of(key);
            if key == Key::Number {
                keys = keys.counting(place);
            }
            for variant in variants(entry) {
                // a single word is no complete utterance
                let alone = !variant.contains(' ') && !form::is_run(&variant);
                let keys = match key {
                    Key::Recall if alone => Keys::of(Key::TakeBack),
                    Key::Undecided if alone => Keys::of(Key::Weigh),
                    _ => keys,
                };
                let known = out.entry(variant).or_default();
                *known = *known | keys;
            }
        }
    }
    Ok(out)
}

/// Mixes in every file below a folder (FNV-1a), in the order of their names.
fn mix(folder: &Path, mark: &mut u64) -> io::Result<()> {
    let mut paths: Vec<_> = fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            mix(&path, mark)?;
        } else {
            for byte in fs::read(&path)? {
                *mark = (*mark ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    Ok(())
}
