//! The layers of `src/`, as the map in `src/lib.rs` draws them: read from the sources, with file, line and remedy.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use regex::Regex;

/// The most lines a file may have before its tests; more is a question that wants an answer in [`LONG_FILES`].
const MOST_LINES: usize = 400;
const MOST_HEADER_LINES: usize = 12;

/// Longer files, each with the reason why it stays in one piece.
const LONG_FILES: &[(&str, &str)] = &[];

/// Words that may stand in some files only.
struct Rule {
    words: &'static [&'static str],
    within: Within,
    remedy: &'static str,
}

/// Where the words are forbidden; a folder ends with `/`, a file does not.
enum Within {
    /// Everywhere but there.
    AllBut(&'static [&'static str]),
    /// There.
    Only(&'static [&'static str]),
}

impl Within {
    fn holds(&self, file: &str) -> bool {
        let is = |part: &&str| match part.strip_suffix('/') {
            Some(_) => file.starts_with(*part),
            None => file == *part,
        };
        match self {
            Within::AllBut(parts) => !parts.iter().any(is),
            Within::Only(parts) => parts.iter().any(is),
        }
    }
}

const RULES: &[Rule] = &[
    Rule {
        words: &["crate::mail", "mail::", "mail_parser", "lettre"],
        within: Within::Only(&["domain/"]),
        remedy: "the game does not know that email exists; let `intake` hand over plain texts and dates",
    },
    Rule {
        words: &["crate::domain", "domain::", "shakmaty"],
        within: Within::Only(&["mail/"]),
        remedy: "email does not know that chess exists; let `intake` hand over plain texts and dates",
    },
    Rule {
        words: &[
            "async",
            "await",
            "tokio",
            "futures_util",
            "std::fs",
            "std::env",
            "std::io",
            "std::net",
            "std::process",
            "std::thread",
            "std::time",
            "sqlx",
            "tracing",
            "log::",
            "eprintln",
            "println",
            "crate::io",
            "crate::config",
            "crate::intake",
            "crate::letters",
            "crate::delivery",
        ],
        within: Within::Only(&["domain/", "mail/"]),
        remedy: "this layer is pure: take the value as an argument, return a value, and let the caller act",
    },
    Rule {
        words: &[
            "crate::intake",
            "crate::delivery",
            "crate::letters",
            "crate::daemon",
            "crate::cli",
            "crate::config",
            "crate::discover",
        ],
        within: Within::Only(&["io/"]),
        remedy: "`io` serves the layers above it and takes no decision: pass what it needs as an argument",
    },
    Rule {
        words: &["std::fs", "std::net", "tokio::net", "tokio::time", "sleep", "TcpStream", "println", "eprintln"],
        within: Within::Only(&["intake/", "letters/", "proof/", "deeds/"]),
        remedy: "reading, deciding and composing need no sockets, no files, no waiting: the daemon does that",
    },
    Rule {
        words: &["sqlx"],
        within: Within::AllBut(&["io/store/"]),
        remedy: "SQL is in `io/store`: add a method there",
    },
    Rule {
        words: &["async_imap", "imap_proto"],
        within: Within::AllBut(&["io/imap/"]),
        remedy: "IMAP is in `io/imap`: add a method to its `Mailbox`",
    },
    Rule {
        words: &[
            "lettre::transport",
            "lettre::AsyncTransport",
            "lettre::Transport",
            "AsyncSmtpTransport",
            "SmtpTransport",
            "SmtpConnection",
            "AsyncSmtpConnection",
        ],
        within: Within::AllBut(&["io/smtp/"]),
        remedy: "SMTP is in `io/smtp`: call its `deliver`",
    },
    Rule {
        words: &["mail_parser", "html5ever"],
        within: Within::AllBut(&["mail/"]),
        remedy: "mails are taken apart in `mail`: add what is missing to its `IncomingMessage`",
    },
    Rule {
        words: &["png::", "hmac"],
        within: Within::AllBut(&["letters/"]),
        remedy: "pictures and codes are made in `letters`",
    },
    Rule {
        words: &["mail_auth"],
        within: Within::AllBut(&["io/dkim.rs"]),
        remedy: "signatures are checked in `io/dkim`; what they prove is a value of `mail::authentication`",
    },
    Rule {
        words: &["hickory_resolver"],
        within: Within::AllBut(&["io/dkim.rs", "io/dns.rs"]),
        remedy: "the DNS is asked in `io/dns`: add a question to its `Dns`",
    },
    Rule { words: &["axum"], within: Within::AllBut(&["desk/"]), remedy: "pages are served in `desk`: add one there" },
    Rule {
        words: &["crate::choice", "crate::delivery", "crate::release", "Store::open", "Store::reopen"],
        within: Within::Only(&["desk/"]),
        remedy: "the desk only looks: what it does is a command, whose words `desk/deed.rs` makes",
    },
    Rule {
        words: &["crate::desk"],
        within: Within::AllBut(&["cli/", "desk/"]),
        remedy: "nothing below the desk knows it: move what is shared down",
    },
    Rule {
        words: &["ureq"],
        within: Within::AllBut(&["io/http.rs"]),
        remedy: "web servers are asked in `io/http`: call its `get`",
    },
    Rule {
        words: &["oauth2"],
        within: Within::AllBut(&["io/oauth/"]),
        remedy: "providers are asked for tokens in `io/oauth`: read a `SecretSource`, or add a method to its `Client`",
    },
    Rule {
        words: &["roxmltree"],
        within: Within::AllBut(&["discover/"]),
        remedy: "XML is read where servers are found: `discover/autoconfig.rs`",
    },
    Rule {
        words: &["clap", "clap_complete", "clap_mangen", "icalendar"],
        within: Within::AllBut(&["cli/", "main.rs"]),
        remedy: "arguments and calendars belong to `cli`",
    },
    Rule {
        words: &["io::stdout", "io::stderr", "println", "eprintln", "print"],
        within: Within::AllBut(&["cli/stdio.rs", "cli/narrow/mod.rs", "domain/transmission/read/sense/learn.rs"]),
        remedy: "what is said passes one door, where nothing unseen gets through: write to `cli::stdio`",
    },
    Rule {
        words: &["read_to_string", "fs::read"],
        within: Within::AllBut(&[
            "io/file.rs",
            // what the system itself keeps short
            "io/store/lock.rs",
            "io/store/trust.rs",
            "daemon/mod.rs",
            // for tests only
            "domain/transmission/read/sense/learn.rs",
        ]),
        remedy: "a file may never end: read it with `io::file`, up to a bound",
    },
    Rule {
        words: &["Utc::now", "Local::now", "SystemTime::now", "Instant::now", "getrandom", "rand"],
        within: Within::AllBut(&["daemon/", "cli/", "io/imap/", "io/smtp/"]),
        remedy: "time and randomness are arguments: take `now`, or the token, from the caller",
    },
    Rule {
        words: &["Utc::now", "Local::now", "SystemTime::now", "getrandom"],
        within: Within::Only(&["io/imap/", "io/smtp/"]),
        remedy: "time and randomness are arguments; a connection may measure its own pauses with `Instant` only",
    },
    Rule {
        words: &["crate::cli", "cli::"],
        within: Within::AllBut(&["main.rs", "cli/"]),
        remedy: "nothing below the command line knows it: move what is shared down",
    },
    Rule {
        words: &["crate::daemon", "daemon::"],
        within: Within::AllBut(&["daemon/", "cli/"]),
        remedy: "the daemon uses the others, not the other way round: move what is shared down",
    },
    Rule {
        words: &[".begin"],
        within: Within::AllBut(&[]),
        remedy: "a deferred transaction fails when it comes to write: use `begin_with(\"BEGIN IMMEDIATE\")`",
    },
    Rule {
        words: &["crate::{"],
        within: Within::AllBut(&[]),
        remedy: "one `use crate::module::…` for each module, so that its dependencies can be read line by line",
    },
];

/// A line that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
struct Violation {
    file: String,
    line: usize,
    what: String,
    remedy: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { file, line, what, remedy } = self;
        write!(f, "src/{file}:{line}: {what}\n    help: {remedy}")
    }
}

/// All that is wrong with one file; `file` is its path below `src/`.
fn check(file: &str, source: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut violation = |line: usize, what: String, remedy: &str| {
        found.push(Violation { file: file.to_owned(), line, what, remedy: remedy.to_owned() });
    };
    let header = source.lines().take_while(|l| l.starts_with("//!")).count();
    if header == 0 {
        violation(
            1,
            "has no header".to_owned(),
            "start with `//!`: what for; what it may touch; what will surprise you",
        );
    }
    // lib.rs holds the map of the whole
    if header > MOST_HEADER_LINES && file != "lib.rs" {
        violation(
            header,
            format!("has a header of {header} lines"),
            "twelve lines are enough; move the rest to the items",
        );
    }
    let code = without_tests(source);
    let lines = code.lines().count();
    if lines > MOST_LINES && !LONG_FILES.iter().any(|(long, _)| *long == file) {
        violation(
            lines,
            format!("has {lines} lines before its tests"),
            "find the second subject in it and give that a file of its own",
        );
    }
    for (line, text) in (1..).zip(bare(code).lines()) {
        for rule in RULES.iter().filter(|rule| rule.within.holds(file)) {
            for word in rule.words.iter().filter(|word| has_word(text, word)) {
                violation(line, format!("`{word}` has no place here"), rule.remedy);
            }
        }
    }
    found
}

/// The part before the unit tests, which stand last.
fn without_tests(source: &str) -> &str {
    let tests = source.find("\n#[cfg(test)]\nmod ").unwrap_or(source.len());
    &source[..tests]
}

/// The code without comments and without what stands in quotes, line for line.
fn bare(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let raw = rest.strip_prefix('r').map(|r| r.len() - r.trim_start_matches('#').len());
        let is_raw = !out.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            && raw.is_some_and(|hashes| rest[1 + hashes..].starts_with('"'));
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let (true, Some(hashes)) = (is_raw, raw) {
            let close = format!("\"{}", "#".repeat(hashes));
            let open = hashes + 2;
            rest[open..].find(&close).map_or(rest.len(), |end| open + end + close.len())
        } else if c == '"' {
            quoted(rest)
        } else if c == '\'' && (rest[1..].starts_with('\\') || rest.chars().nth(2) == Some('\'')) {
            // a character; else it is a lifetime
            let start = 1 + rest[1..].chars().next().map_or(0, char::len_utf8) + 1;
            let start = if rest[1..].starts_with('\\') { start } else { start - 1 };
            rest[start..].find('\'').map_or(rest.len(), |end| start + end + 1)
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        out.extend(rest[..length].chars().filter(|c| *c == '\n'));
        rest = &rest[length..];
    }
    out
}

/// The length of a quoted text with both quotes.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// The word stands in the line, and is not a part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let opens = !word.starts_with(char::is_alphanumeric) || !is_part(before);
        let closes = !word.ends_with(char::is_alphanumeric) || !is_part(after);
        opens && closes
    })
}

/// Every source with its path below `src/`.
fn sources() -> Vec<(String, String)> {
    fn walk(folder: &Path, below: &str, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{below}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                walk(&entry.path(), &format!("{name}/"), found);
            } else if name.ends_with(".rs") && name != "build.rs" {
                found.push((name, fs::read_to_string(entry.path()).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut found);
    found.sort();
    found
}

#[test]
fn every_source_keeps_to_its_layer() {
    let sources = sources();
    assert!(sources.len() > 50, "only {} files were found", sources.len());
    let violations: Vec<String> =
        sources.iter().flat_map(|(file, source)| check(file, source)).map(|v| v.to_string()).collect();
    assert!(violations.is_empty(), "{} violations:\n{}", violations.len(), violations.join("\n"));
}

#[test]
fn no_file_is_excused_for_its_length_that_is_short_or_gone() {
    let sources = sources();
    for (long, reason) in LONG_FILES {
        let source = sources.iter().find(|(file, _)| file == long).map(|(_, source)| source);
        let lines = source.map_or(0, |s| without_tests(s).lines().count());
        assert!(lines > MOST_LINES, "{long} ({reason}) has {lines} lines and needs no excuse");
    }
}

#[test]
fn every_folder_that_a_rule_names_exists() {
    let sources = sources();
    for rule in RULES {
        let (Within::AllBut(parts) | Within::Only(parts)) = rule.within;
        for part in parts {
            assert!(
                sources.iter().any(|(file, _)| file.starts_with(part)),
                "src/{part} of a rule about {:?}",
                rule.words
            );
        }
    }
}

/// The word and the line of each violation in a file that begins with a header.
fn found(file: &str, code: &str) -> Vec<(usize, String)> {
    check(file, &format!("//! What for.\n{code}")).into_iter().map(|v| (v.line, v.what)).collect()
}

#[test]
fn a_planted_violation_is_caught_with_its_file_line_and_remedy() {
    let planted = check("domain/game.rs", "//! Games.\n\nfn today() -> NaiveDate {\n    Utc::now().date_naive()\n}\n");
    let [only] = planted.as_slice() else { panic!("{planted:?}") };
    assert_eq!(
        only.to_string(),
        "src/domain/game.rs:4: `Utc::now` has no place here\n    \
         help: time and randomness are arguments: take `now`, or the token, from the caller"
    );
}

#[test]
fn every_rule_catches_each_of_its_words_and_spares_the_allowed_places() {
    for rule in RULES {
        for word in rule.words {
            let code = (*word).to_owned();
            let (forbidden, allowed): (Vec<String>, Vec<String>) = match &rule.within {
                Within::AllBut(parts) => (
                    vec!["config/mod.rs".into(), "io/tls/mod.rs".into()],
                    parts.iter().map(|p| planted_in(p)).collect(),
                ),
                Within::Only(parts) => (parts.iter().map(|p| planted_in(p)).collect(), vec!["cli/mod.rs".into()]),
            };
            for file in forbidden {
                assert!(
                    found(&file, &code).iter().any(|(line, what)| *line == 2 && what.contains(word)),
                    "{word} in {file}"
                );
            }
            let remedies = |file: &str| {
                check(file, &format!("//! What for.\n{code}")).into_iter().map(|v| v.remedy).collect::<Vec<_>>()
            };
            for file in allowed {
                assert!(!remedies(&file).contains(&rule.remedy.to_owned()), "{word} in {file}");
            }
        }
    }
}

fn planted_in(part: &str) -> String {
    if part.ends_with('/') { format!("{part}planted.rs") } else { part.to_owned() }
}

#[test]
fn comments_texts_and_tests_may_say_anything() {
    let code = "// crate::mail\n/* async */\nconst A: &str = \"std::fs \\\" async\";\nconst B: &str = r#\"sqlx \" async\"#;\nconst C: char = '\"';\n\
                const D: char = '\\'';\nfn e<'a>(x: &'a str) {}\n\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n";
    assert_eq!(found("domain/game.rs", code), []);
    let after = format!("const C: char = '\"'; {}", "async fn f() {}");
    assert_eq!(found("domain/game.rs", &after), [(2, "`async` has no place here".to_owned())]);
}

#[test]
fn a_word_is_not_found_inside_a_longer_one() {
    assert_eq!(found("domain/game.rs", "let asynchronous = operands;\nuse crate::mailing;\n"), []);
    assert_eq!(found("io/store/open.rs", "c.begin_with(IMMEDIATE);\nc.begin_attempt();\n"), []);
    assert_eq!(found("io/store/open.rs", "c.begin().await;\n").len(), 1);
}

#[test]
fn a_file_wants_a_header_and_not_too_many_lines() {
    assert_eq!(check("planted.rs", "fn main() {}\n")[0].what, "has no header");
    assert_eq!(check("planted.rs", &"//! x\n".repeat(13))[0].what, "has a header of 13 lines");
    assert_eq!(found("planted.rs", &"let x = 1;\n".repeat(399)), []);
    assert_eq!(found("planted.rs", &"let x = 1;\n".repeat(400)), [(401, "has 401 lines before its tests".to_owned())]);
}

/// Groups of files that import one another, directly or by others, by the name of one of each and how many they are. They are old; none may
/// grow and none may come.
const CIRCLES: &[(&str, usize)] = &[
    ("cli/adopt/directors", 6),
    ("cli/dialogue", 2),
    ("cli/init", 3),
    ("domain/card", 5),
    ("domain/judge/assess", 10),
    ("domain/notation/illegal", 2),
    ("domain/transmission/read", 2),
    ("domain/transmission/read/around", 2),
    ("domain/transmission/read/below", 3),
    ("domain/transmission/read/cells", 6),
    ("domain/transmission/read/conditional", 2),
    ("domain/transmission/read/events", 2),
    ("intake", 2),
    ("intake/clues", 7),
    ("io/imap", 6),
    ("io/store/acts", 24),
    ("letters/claim", 3),
    ("sent/decide", 3),
];

/// The modules of `src/` with those that each imports by `crate::`, `super::` or `self::`, without what stands in tests.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let mut modules = BTreeMap::new();
    for (file, text) in sources() {
        let name = file.trim_end_matches(".rs").trim_end_matches("/mod").to_owned();
        if !["lib", "main", "build"].contains(&name.as_str()) && !name.ends_with("tests") {
            modules.insert(name, text.split("#[cfg(test)]\nmod tests").next().unwrap().to_owned());
        }
    }
    let used = Regex::new(r"\b(crate|super|self)((?:::\w+|::\{[^;]*?\})+)").unwrap();
    let mut found = BTreeMap::new();
    for (name, text) in &modules {
        let text: String =
            text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join(" ");
        let mut to = BTreeSet::new();
        for captured in used.captures_iter(&text) {
            for path in paths(&captured[0].replace(' ', "")) {
                let mut place: Vec<&str> = if path[0] == "crate" { Vec::new() } else { name.split('/').collect() };
                for step in &path {
                    match step.as_str() {
                        "crate" | "self" => {}
                        "super" => _ = place.pop(),
                        step => place.push(step),
                    }
                }
                let is_module = |len: &usize| modules.contains_key(&place[..*len].join("/"));
                to.extend(
                    (1..=place.len()).rev().find(is_module).map(|len| place[..len].join("/")).filter(|to| to != name),
                );
            }
        }
        found.insert(name.clone(), to);
    }
    found
}

/// The paths that a path with braces stands for.
fn paths(text: &str) -> Vec<Vec<String>> {
    let Some((start, rest)) = text.split_once('{') else { return vec![text.split("::").map(str::to_owned).collect()] };
    let (mut depth, mut item, mut items) = (0, String::new(), Vec::new());
    for c in rest.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 { items.push(std::mem::take(&mut item)) } else { item.push(c) }
    }
    items.push(item);
    items.iter().filter(|item| !item.is_empty()).flat_map(|item| paths(&format!("{start}{item}"))).collect()
}

/// The modules that can be reached from this one.
fn reached<'a>(from: &'a str, imports: &'a BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&'a str> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(name) = open.pop() {
        for next in imports.get(name).into_iter().flatten() {
            if seen.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    seen
}

#[test]
fn files_import_one_another_in_no_circle_but_those_that_are_known() {
    let imports = imports();
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        imports.keys().map(|name| (name.as_str(), reached(name, &imports))).collect();
    let mut circles: BTreeSet<Vec<&str>> = BTreeSet::new();
    for (name, reaches) in reached.iter().filter(|(name, reaches)| reaches.contains(*name)) {
        circles.insert(reaches.iter().copied().filter(|other| reached[other].contains(name)).collect());
    }
    let found: Vec<(&str, usize)> = circles.iter().map(|circle| (circle[0], circle.len())).collect();
    let listed: Vec<String> = circles.iter().map(|circle| circle.join(" ")).collect();
    assert_eq!(found, CIRCLES, "let a type that both need move down:\n{}", listed.join("\n"));
}
