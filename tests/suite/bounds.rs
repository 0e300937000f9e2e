//! Files that would never end, or fill the memory or the stack: each is a clear error, soon, in little memory.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use super::cli::Player;

/// Address space of the program in KiB; what it maps without using it counts.
const MEMORY: u32 = 400_000;

/// Runs the program within bounds; it must fail with these words.
fn refused(player: &Player, arguments: &[&str], words: &str) {
    let program = player.command();
    // what never ends is ended, with the status 124
    let mut command = Command::new("timeout");
    command.args(["60", "sh", "-c", &format!("ulimit -v {MEMORY}; exec \"$@\""), "sh"]);
    command.arg(program.get_program()).args(program.get_args()).args(arguments).env("HOME", player.dir.path());
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let start: String = said.chars().take(2000).collect();
    assert!(said.contains(words) && said.len() < 2000, "{arguments:?}, {} bytes: {start}", said.len());
    assert!(matches!(output.status.code(), Some(1..=3)), "{arguments:?}: {:?}", output.status);
}

#[test]
fn what_is_no_regular_file_is_not_waited_for() {
    let player = Player::with_sample();
    let pipe = player.path("pipe").to_str().unwrap().to_owned();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in ["/dev/zero", &pipe] {
        for arguments in [
            &["import", path][..],
            &["read", path],
            &["take", path],
            &["adopt", path],
            &["event", "import", path],
            &["forms", "show", path],
        ] {
            refused(&player, arguments, "it is not a regular file");
        }
        let other = Player::new();
        fs::remove_file(other.path("config.toml")).unwrap();
        symlink(path, other.path("config.toml")).unwrap();
        refused(&other, &["status"], "it is not a regular file");
    }
}

#[test]
fn games_with_a_name_that_fills_the_memory_are_refused() {
    let player = Player::new();
    for (megabytes, json, pgn) in [
        (70, "longer than 64 MiB", "longer than 64 MiB"),
        (50, "line 1: a text or number of more than 64 KiB", "`event` has 65536 characters; 500 can stand there"),
    ] {
        let name = "x".repeat(megabytes * 1_000_000);
        let games = format!("{{\"schema\": 1, \"games\": [{{\"id\": \"{name}\"}}]}}");
        refused(&player, &["import", &player.file("games.json", &games)], json);
        let me = "[White \"Tobin Quarles\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";
        let games = format!("[Event \"{name}\"]\n{me}");
        refused(&player, &["import", "--me", "white", &player.file("games.pgn", &games)], pgn);
    }
}

#[test]
fn a_template_that_fills_the_memory_or_the_stack_is_refused() {
    let player = Player::new();
    let tag = "there are more than 100 words and signs in one tag";
    let only = "a template has if, elif, else and for, not";
    for (source, words) in [
        (format!("{{{{ {} true }}}}", "not ".repeat(50_000)), "it is longer than 16 KiB"),
        (format!("{{{{ {} true }}}}", "not ".repeat(4000)), tag),
        (format!("{{{{ {}1 }}}}", "-".repeat(16_000)), tag),
        (format!("{{{{ 1{} }}}}", "+1".repeat(8000)), tag),
        (format!("{{{{ own{} }}}}", "|upper".repeat(2000)), tag),
        (format!("{{% if 1 %}}{}{{% endif %}}", "{% elif 1 %}".repeat(600)), "it has more than 500 tags"),
        (format!("{{% set a = 'xxxxxxxx' %}}{}{{{{ a }}}}", "{% set a = a ~ a %}".repeat(30)), only),
        ("{% with a = 1 %}{% endwith %}".to_owned(), only),
        ("{% filter upper %}x{% endfilter %}".to_owned(), only),
        ("{% for b in [own ~ own] %}{% endfor %}".to_owned(), "line 1: a `for` goes over a value or range(...)"),
        ("{% for b in (own, own) %}{% endfor %}".to_owned(), "line 1: a `for` goes over a value or range(...)"),
        ("{% for b in own recursive %}{% endfor %}".to_owned(), "line 1: a `for` goes over a value or range(...)"),
        ("\n{{ 'x' * 99999999 }}".to_owned(), "line 2: nothing can be multiplied"),
        ("{{ 'x'|replace('x', 'xx') }}".to_owned(), "unknown filter"),
        (
            format!("{{% for a in range(9000) %}}{}{{% endfor %}}", "x".repeat(9000)),
            "it writes more than 65536 characters",
        ),
    ] {
        refused(&player, &["forms", "show", &player.file("mine.j2", &source)], words);
    }
}

#[test]
fn a_template_may_choose_repeat_and_compare() {
    let player = Player::new();
    let source = "{% for n in range(1, 4) %}{% if n is odd %}{{ n + 1 }}{{ ' ' ~ '-' }}{% else %}*{% endif %}{% endfor %}\n\
                  {{ own.number }} {{ own.numeric }}\nreceived {{ own.received|date }}, sent {{ own.sent|date }}\n{{ closing }}\n";
    let text = player.run(&["forms", "show", &player.file("mine.j2", source)]).result();
    assert!(text.starts_with("2 -*4 -7. 5171\n"), "{text}");
}

#[test]
fn a_configuration_that_is_too_long_or_too_deep_is_refused() {
    let player = Player::new();
    for (content, words) in [
        ("#".repeat(2 << 20), "it is longer than 1 MiB"),
        (format!("a = {}", "[".repeat(500_000)), "line 1"),
        (format!("{} = 1", vec!["a"; 400_000].join(".")), "line 1"),
    ] {
        player.configure(&content);
        refused(&player, &["status"], words);
    }
}
