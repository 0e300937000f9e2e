//! The files that a service manager reads. Each is a text beside this file, explained in itself, with marks for what differs between
//! machines.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

const USER: &str = include_str!("user.service");
const SYSTEM: &str = include_str!("system.service");
const LAUNCHD: &str = include_str!("launchd.plist");
const TASK: &str = include_str!("task.xml");

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// A systemd unit (Linux)
    Systemd,
    /// A launchd agent (macOS)
    Launchd,
    /// A task of the Task Scheduler (Windows, by WSL)
    Task,
}

/// What the service is started with.
#[derive(Debug, Clone)]
pub(super) struct Start {
    /// The program, by its full path.
    pub(super) program: PathBuf,
    /// The options before `run`.
    pub(super) options: Vec<String>,
    /// Folders that it writes to.
    pub(super) writes: Vec<PathBuf>,
    /// Where a log goes that no journal keeps.
    pub(super) log: PathBuf,
}

impl Start {
    fn words(&self) -> Vec<String> {
        let program = self.program.display().to_string();
        std::iter::once(program).chain(self.options.iter().cloned()).collect()
    }
}

/// The file of this form; `is_system` for the whole machine, where systemd knows that.
pub(super) fn rendered(form: Form, is_system: bool, start: &Start) -> String {
    match form {
        Form::Systemd => {
            let unit = if is_system { SYSTEM } else { USER };
            let exec: Vec<String> = start.words().iter().map(|word| in_command(word)).collect();
            let writes: Vec<String> = start.writes.iter().map(|folder| in_unit(folder)).collect();
            unit.replace("@EXEC@", &exec.join(" ")).replace("@WRITES@", &writes.join(" "))
        }
        Form::Launchd => {
            let words = start.words().into_iter().chain(std::iter::once("run".to_owned()));
            let strings: Vec<String> =
                words.map(|word| format!("        <string>{}</string>", in_xml(&word))).collect();
            LAUNCHD
                .replace("@ARGUMENTS@", &strings.join("\n"))
                .replace("@LOG@", &in_xml(&start.log.display().to_string()))
        }
        Form::Task => {
            let exec: Vec<String> = start.words().iter().map(|word| in_xml(&in_quotes(word))).collect();
            TASK.replace("@EXEC@", &exec.join(" "))
        }
    }
}

/// A word of a unit file: in quotes where it needs them, with what systemd would fill in (`%h`) doubled (systemd.syntax, systemd.unit).
fn in_unit(folder: &Path) -> String {
    in_quotes(&folder.display().to_string().replace('%', "%%"))
}

/// The same in a command line, where `$` begins a variable too (systemd.service).
fn in_command(word: &str) -> String {
    in_quotes(&word.replace('%', "%%").replace('$', "$$"))
}

fn in_quotes(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:@%$~".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

fn in_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use roxmltree::{Document, ParsingOptions};

    use super::*;

    fn start() -> Start {
        Start {
            program: "/opt/my programs/100%/amici".into(),
            options: vec!["--data".into(), "/srv/$a & b".into()],
            writes: vec!["/srv/$a & b".into(), "/mail".into()],
            log: "/home/a/amici.log".into(),
        }
    }

    #[test]
    fn paths_with_blanks_and_signs_come_out_as_they_are_meant() {
        let unit = rendered(Form::Systemd, false, &start());
        assert!(unit.contains("\nExecStart=\"/opt/my programs/100%%/amici\" --data \"/srv/$$a & b\" run\n"), "{unit}");
        assert!(unit.contains("\nReadWritePaths=\"/srv/$a & b\" /mail\n"), "{unit}");
        assert!(rendered(Form::Systemd, true, &start()).contains("\nUser=amici\n"));
    }

    #[test]
    fn the_files_of_other_systems_are_well_formed_and_name_the_program() {
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        let plist = rendered(Form::Launchd, false, &start());
        let document = Document::parse_with_options(&plist, options).unwrap();
        let array = document.descendants().find(|node| node.has_tag_name("array")).unwrap();
        let words: Vec<&str> = array.children().filter_map(|node| node.text().filter(|_| node.is_element())).collect();
        assert_eq!(words, ["/opt/my programs/100%/amici", "--data", "/srv/$a & b", "run"]);
        let task = rendered(Form::Task, false, &start());
        let document = Document::parse(&task).unwrap();
        let of =
            |tag: &str| document.descendants().find(|node| node.tag_name().name() == tag).and_then(|node| node.text());
        assert_eq!(of("Command"), Some("wsl.exe"));
        assert_eq!(of("Arguments"), Some("--exec \"/opt/my programs/100%/amici\" --data \"/srv/$a & b\" run"));
    }

    #[test]
    fn nothing_is_left_open() {
        for form in Form::value_variants() {
            for is_system in [false, true] {
                let text = rendered(*form, is_system, &start());
                assert!(!text.contains("@EXEC@") && !text.contains("@WRITES@") && !text.contains("@LOG@"), "{text}");
            }
        }
    }
}
