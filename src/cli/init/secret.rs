//! Where the password of `amici init` comes from, and where it is kept.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use clap::ValueEnum;
use secrecy::{ExposeSecret, SecretString};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use toml_edit::Array;
use zeroize::Zeroizing;

use super::super::settings::Settings;
use super::super::{Exit, Failure, output};
use super::{Args, Talk};
use crate::io::bearer::Way;
use crate::io::secret::SecretSource;

/// The longest password that is read from standard input, in bytes.
const LONGEST: u64 = 64 << 10;

/// Where a password can be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Keeper {
    /// A file beside the configuration that only its owner can read
    File,
    /// The password store (`pass`)
    Pass,
    /// The keyring of the desktop (`secret-tool`)
    SecretTool,
}

impl Keeper {
    const PROGRAMS: [(Keeper, &'static str); 2] = [(Keeper::Pass, "pass"), (Keeper::SecretTool, "secret-tool")];

    fn program(self) -> Option<&'static str> {
        Keeper::PROGRAMS.iter().find(|(keeper, _)| *keeper == self).map(|(_, program)| *program)
    }

    fn name(self) -> &'static str {
        self.program().unwrap_or("file")
    }

    /// The command that takes a password on its standard input, and the one that prints it again.
    fn commands(self, account: &str) -> [Vec<String>; 2] {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let entry = format!("amici/{account}");
        match self {
            Keeper::File => [Vec::new(), Vec::new()],
            Keeper::Pass => {
                [words(&["pass", "insert", "--multiline", "--force", &entry]), words(&["pass", "show", &entry])]
            }
            Keeper::SecretTool => {
                let key = ["service", "amici", "account", account];
                let label = format!("amici, mail of {account}");
                let store = [&["secret-tool", "store", "--label", &label][..], &key].concat();
                [words(&store), words(&[&["secret-tool", "lookup"][..], &key].concat())]
            }
        }
    }
}

/// A password, and where it will be read from.
pub(super) struct Login {
    /// To try it before anything is written.
    pub(super) tried: SecretSource,
    /// What the configuration will say.
    pub(super) said: SecretSource,
    /// Whether it is a password.
    pub(super) way: Way,
    /// What the configuration says of both servers holds further; they may have different passwords.
    pub(super) is_kept: bool,
    /// What has to be kept first, by whom and for which account.
    keep: Option<(Keeper, String, SecretString)>,
}

impl Login {
    /// A place where a password is already.
    pub(super) fn there(source: SecretSource, way: Way) -> Login {
        Login { tried: source.clone(), said: source, way, is_kept: false, keep: None }
    }

    /// What is configured already.
    fn of_before(source: SecretSource, way: Way) -> Login {
        Login { is_kept: true, ..Login::there(source, way) }
    }

    /// A password that has to be kept.
    fn to_keep(password: SecretString, keeper: Keeper, account: &str, folder: &Path) -> Login {
        let said = match keeper {
            Keeper::File => SecretSource::File(folder.join("password")),
            Keeper::Pass | Keeper::SecretTool => {
                let [_, show] = keeper.commands(account);
                SecretSource::Command(show)
            }
        };
        let keep = Some((keeper, account.to_owned(), password.clone()));
        Login { tried: SecretSource::Held(password), said, way: Way::Password, is_kept: false, keep }
    }

    /// In words, for the proposal.
    pub(super) fn place(&self) -> String {
        let verb = if self.keep.is_some() { "is put into" } else { "is read from" };
        match &self.said {
            SecretSource::Command(words) => format!("{verb} what `{}` prints", words.join(" ")),
            SecretSource::File(path) => format!("{verb} {} (mode 0600)", path.display()),
            SecretSource::Credential(name) => format!("{verb} the systemd credential {name}"),
            SecretSource::Held(_) => "is kept nowhere".to_owned(),
        }
    }

    /// Writes into the configuration where the password of a server comes from.
    pub(super) fn write(&self, settings: &mut Settings, section: &str) -> Result<(), Failure> {
        let other = if self.way == Way::Token { "password" } else { "token" };
        settings.remove(section, other)?;
        match &self.said {
            SecretSource::Command(words) if self.way == Way::Token => {
                settings.set_one_of(section, "token", "command", words.iter().collect::<Array>())
            }
            SecretSource::Command(words) => {
                settings.set_one_of(section, "password", "command", words.iter().collect::<Array>())
            }
            SecretSource::File(path) => settings.set_one_of(section, "password", "file", path.display().to_string()),
            SecretSource::Credential(name) => settings.set_one_of(section, "password", "credential", name.as_str()),
            SecretSource::Held(_) => Ok(()),
        }
    }

    /// Puts the password where it is to be kept.
    pub(super) async fn keep(&self) -> Result<(), Failure> {
        let Some((keeper, account, password)) = &self.keep else { return Ok(()) };
        if let SecretSource::File(path) = &self.said {
            let line = Zeroizing::new([password.expose_secret(), "\n"].concat());
            return output::write(path, line.as_bytes(), true);
        }
        let [store, _] = keeper.commands(account);
        hand_over(&store, password).await
    }
}

/// The password that the options or the player name; a second run without either keeps the one that the configuration names.
pub(super) fn login(
    args: &Args,
    talk: Talk,
    (account, folder): (&str, &Path),
    before: Option<(&SecretSource, Way)>,
) -> Result<Login, Failure> {
    if let Some(command) = &args.password_command {
        return command_of(command, Way::Password);
    }
    if let Some(command) = &args.token_command {
        return command_of(command, Way::Token);
    }
    if let Some(path) = &args.password_file {
        return Ok(Login::there(SecretSource::File(absolute(path)), Way::Password));
    }
    if args.password_stdin {
        return Ok(Login::to_keep(from_stdin()?, args.store.unwrap_or(Keeper::File), account, folder));
    }
    if let Some((before, way)) = before {
        return Ok(Login::of_before(before.clone(), way));
    }
    ask(args, talk, account, folder).ok_or_else(|| {
        Failure::new(
            Exit::Failed,
            "there is no password\nhelp: say where it comes from: --password-command, --password-file or --password-stdin",
        )
    })
}

/// What a command prints, whose words are written as for a shell.
pub(super) fn command_of(command: &str, way: Way) -> Result<Login, Failure> {
    let words = shlex::split(command).filter(|words| !words.is_empty());
    let unreadable = || Failure::new(Exit::Failed, format!("`{command}` is no command: the quotes do not match"));
    Ok(Login::there(SecretSource::Command(words.ok_or_else(unreadable)?), way))
}

/// Asks for the password, and where it shall be kept.
pub(super) fn ask(args: &Args, talk: Talk, account: &str, folder: &Path) -> Option<Login> {
    let password = talk.password(&format!("Password of {account} (it is not shown)"))?;
    let there: Vec<Keeper> = [Keeper::File].into_iter().chain(installed()).collect();
    let keeper = match args.store {
        Some(keeper) => keeper,
        None if there.len() == 1 => Keeper::File,
        None => {
            let names: Vec<&str> = there.iter().map(|keeper| keeper.name()).collect();
            let said = talk.text(&format!("Keep it in: {}", names.join(", ")), Some("file")).unwrap_or_default();
            there.into_iter().find(|keeper| keeper.name() == said.trim()).unwrap_or(Keeper::File)
        }
    };
    Some(Login::to_keep(password, keeper, account, folder))
}

/// The keepers whose programs are on the path.
fn installed() -> impl Iterator<Item = Keeper> {
    let folders: Vec<PathBuf> =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    Keeper::PROGRAMS
        .into_iter()
        .filter(move |(_, program)| folders.iter().any(|folder| folder.join(program).is_file()))
        .map(|(keeper, _)| keeper)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The first line of standard input.
fn from_stdin() -> Result<SecretString, Failure> {
    let mut read = Zeroizing::new(Vec::with_capacity(LONGEST as usize + 64));
    let none = |why: &str| Failure::new(Exit::Failed, format!("standard input gave no password: {why}"));
    std::io::stdin().take(LONGEST).read_to_end(&mut read).map_err(|error| none(&error.to_string()))?;
    let text = std::str::from_utf8(&read).map_err(|_| none("it is not text"))?;
    let line = text.lines().next().unwrap_or_default();
    if line.is_empty() { Err(none("its first line is empty")) } else { Ok(SecretString::from(line)) }
}

/// Gives a password to a program on its standard input. What it says is not shown: it may quote it.
async fn hand_over(command: &[String], password: &SecretString) -> Result<(), Failure> {
    let [program, arguments @ ..] = command else { return Ok(()) };
    let cannot = |why: String| {
        let help = "run it by hand to see why, or keep the password in a file: --store file";
        Failure::new(Exit::Failed, format!("the password cannot be kept: {program} {why}\nhelp: {help}"))
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| cannot(format!("cannot be run: {error}")))?;
    if let Some(mut input) = child.stdin.take() {
        // whether it took it shows in how it ends
        let _ = input.write_all(password.expose_secret().as_bytes()).await;
    }
    let ended = child.wait().await.map_err(|error| cannot(error.to_string()))?;
    if ended.success() { Ok(()) } else { Err(cannot(format!("failed ({ended})"))) }
}
