//! What the program and its documentation advise to say must be a command line that it understands: each `amici ...` is held against its own
//! commands, options and number of arguments. Placeholders stand for arguments.

use std::fs;
use std::path::{Path, PathBuf};

use amici::cli::Cli;
use clap::{Command, CommandFactory};
use regex::Regex;

/// Every source file, without its tests, with what a line of a sentence continues joined; and the documentation.
fn sentences() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut places: Vec<PathBuf> = vec![root.join("src"), root.join("docs")];
    let read_me = fs::read_to_string(root.join("README.md")).unwrap();
    let mut found = vec![("README.md".to_owned(), read_me)];
    let continued = Regex::new(r"\\\n\s*").unwrap();
    while let Some(place) = places.pop() {
        for entry in fs::read_dir(&place).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                places.push(path);
                continue;
            }
            let is_sentence =
                path.extension().is_some_and(|ext| ["rs", "toml", "j2", "txt", "html", "md"].iter().any(|e| ext == *e));
            if !is_sentence || path.ends_with("tests.rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            let spoken: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            found.push((
                path.strip_prefix(root).unwrap().display().to_string(),
                continued.replace_all(&spoken.join("\n"), "").into_owned(),
            ));
        }
    }
    found
}

/// The words of the advice that begins here: up to the end of its quotation, sentence or column.
fn words(advice: &str) -> Vec<String> {
    let end = advice.find(['`', '"', '\n', ';', '\\', '(', ')', '|', '\'']).unwrap_or(advice.len());
    let advice = advice[..end].split("  ").next().unwrap_or_default();
    let mut words = Vec::new();
    let mut depth = 0;
    let mut word = String::new();
    for c in advice.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if c == ' ' && depth == 0 {
            words.push(std::mem::take(&mut word));
        } else {
            word.push(c);
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// What is wrong with an advice; `None` where it is understood.
fn fault(root: &Command, words: &[String], is_quoted: bool) -> Option<String> {
    let mut command = root;
    let mut rest = words.iter().map(String::as_str).peekable();
    let first = rest.peek().copied()?;
    // the first word comes from elsewhere, or it is a word of `clap` itself
    if first.starts_with(['{', '-']) || first == "help" {
        return None;
    }
    while let Some(below) =
        rest.peek().and_then(|word| command.find_subcommand(word.trim_end_matches([',', '.', ':', '?'])))
    {
        command = below;
        rest.next();
    }
    if std::ptr::eq(command, root) {
        return Some(format!("there is no command `{first}`"));
    }
    let mut arguments = 0;
    while let Some(word) = rest.next() {
        let word = word.trim_end_matches([',', ':', '?']);
        let is_option = word.starts_with('-') && word.len() > 1 && !word.starts_with("->");
        if is_option {
            let name = word.trim_start_matches('-').split('=').next().unwrap_or_default();
            let name = name.trim_end_matches('.');
            let all = command.get_arguments().chain(root.get_arguments());
            let known = all.into_iter().find(|arg| {
                arg.get_long() == Some(name)
                    || arg.get_short().is_some_and(|short| name.len() == 1 && name.starts_with(short))
            });
            let Some(known) = known else { return Some(format!("`{}` has no option `{word}`", command.get_name())) };
            if known.get_action().takes_values() && !word.contains('=') {
                rest.next();
            }
        } else if is_quoted {
            arguments += 1;
        } else {
            // in the open a sentence may go on after the command
            break;
        }
    }
    let takes: usize = command
        .get_positionals()
        .map(|arg| arg.get_num_args().map_or(1, |n| n.max_values()))
        .fold(0, usize::saturating_add);
    (arguments > takes).then(|| format!("`{}` takes {takes} arguments, not {arguments}", command.get_name()))
}

#[test]
fn every_command_line_that_is_advised_is_understood() {
    let mut root = Cli::command();
    root.build();
    let advice = Regex::new(r"(.?)\bamici ((?:[a-z]|\{|--)[^\n]*)").unwrap();
    let (mut held, mut faults) = (0, Vec::new());
    for (file, text) in sentences() {
        for found in advice.captures_iter(&text) {
            let (before, said) = (&found[1], &found[2]);
            let is_quoted = before == "`";
            // a word of the sentence about the program, not a command line
            if !is_quoted && !before.is_empty() && before != " " && before != "\"" {
                continue;
            }
            let words = words(said);
            let is_named = words
                .first()
                .is_some_and(|word| root.find_subcommand(word.trim_end_matches([',', '.', ':', '?'])).is_some());
            if !is_quoted && !is_named {
                continue;
            }
            held += 1;
            faults
                .extend(fault(&root, &words, is_quoted).map(|why| format!("{file}: amici {}: {why}", words.join(" "))));
        }
    }
    assert!(held > 100, "{held} advices were found");
    assert!(faults.is_empty(), "{} of {held}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn an_advice_that_fails_is_seen() {
    let mut root = Cli::command();
    root.build();
    for (said, is_understood) in [
        ("accept {id} MOVE --mail {0}", true),
        ("accept {id} MOVE --post {0}", false),
        ("accept {id} MOVE MORE --mail 3", false),
        ("befriend {id}", false),
        ("clock set {id} 12 --received DATE --why TEXT", true),
        ("claim {} --with MOVE", true),
    ] {
        assert_eq!(fault(&root, &words(said), true).is_none(), is_understood, "{said}");
    }
}
