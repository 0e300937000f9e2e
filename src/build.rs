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
#[allow(dead_code, reason = "the other half is the program's")]
#[path = "domain/transmission/lexicon/table.rs"]
mod table;

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

/// Writes tables of the entries of each language (`en`); of the words by which a language is told (`words`); of what words mean in any
/// (`any`), of the complete utterances of all (`idioms`), and of what announces a result in any (`results`); and the names of the
/// languages in that order.
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
        let _ = writeln!(list, "    (\"{code}\", {}),", lexicon(out, code, &entries)?);
    }
    list.push(']');
    let words: String = telling.iter().map(|(word, weights)| format!("{word}\t{}\n", weights.trim())).collect();
    let words = format!("Table::new({})", written(out, "words", &words)?);
    for (name, made) in [
        ("words", words),
        ("any", lexicon(out, "any", &read(&anywhere)?)?),
        ("idioms", lexicon(out, "idioms", &idioms)?),
        ("results", lexicon(out, "results", &results)?),
        ("lexicons", list),
    ] {
        fs::write(Path::new(out).join(name).with_extension("rs"), made)?;
    }
    Ok(())
}

/// Writes the table of a lexicon, and gives the expression that it is in the program.
fn lexicon(out: &str, name: &str, entries: &BTreeMap<String, Keys>) -> io::Result<String> {
    let mut lengths = 0_u64;
    let mut lines: BTreeMap<String, (Keys, String)> = BTreeMap::new();
    for (entry, keys) in entries {
        let (first, rest) = entry.split_once(' ').unwrap_or((entry, ""));
        if let Some(stem) = first.strip_suffix('*') {
            lengths |= 1 << stem.len().min(63);
        }
        // whoever looks for the second word has found the first
        lines.entry(first.to_owned()).or_default();
        let (second, behind) = rest.split_once(' ').unwrap_or((rest, ""));
        let is_whole = !second.is_empty() && second != ".." && !second.ends_with('*');
        let (key, rest) = if is_whole { (format!("{first} {second}"), behind) } else { (first.to_owned(), rest) };
        let (own, phrases) = lines.entry(key).or_default();
        if rest.is_empty() {
            *own = *keys;
        } else {
            let _ = write!(phrases, "\t{rest}\t{}", keys.written());
        }
    }
    let lines: String =
        lines.iter().map(|(key, (own, phrases))| format!("{key}\t{}{phrases}\n", own.written())).collect();
    Ok(format!("Lexicon::new({}, {lengths:#x})", written(out, name, &lines)?))
}

/// Writes a table's lines and their index, and gives the two expressions by which the program has them.
fn written(out: &str, name: &str, lines: &str) -> io::Result<String> {
    let index = table::index(lines).ok_or_else(|| io::Error::other(format!("{name}: no table can be made of it")))?;
    fs::write(Path::new(out).join(name).with_extension("lex"), lines)?;
    fs::write(Path::new(out).join(name).with_extension("index"), index)?;
    let file = |end: &str| format!("concat!(env!(\"OUT_DIR\"), \"/{name}.{end}\")");
    Ok(format!("include_str!({}), include_bytes!({})", file("lex"), file("index")))
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
