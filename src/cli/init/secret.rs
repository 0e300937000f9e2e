//! Where the password of `amici init` comes from, and where it is kept.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::PossibleValue;
use secrecy::{ExposeSecret, SecretString};
use toml_edit::{Array, InlineTable};
use zeroize::Zeroizing;

use super::super::settings::Settings;
use super::super::{Exit, Failure, output};
use super::{Args, Talk};
use crate::io::access::Access;
use crate::io::bearer::Way;
use crate::io::keeper::Keeper;
use crate::io::oauth::Grant;
use crate::io::secret::SecretSource;

/// The longest password that is read from standard input, in bytes.
const LONGEST: u64 = 64 << 10;

impl ValueEnum for Keeper {
    fn value_variants<'a>() -> &'a [Self] {
        &Keeper::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Keeper::File => "A file beside the configuration that only its owner can read",
            Keeper::Pass => "The password store (`pass`)",
            Keeper::SecretTool => "The keyring of the desktop (`secret-tool`)",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

/// The program at a provider that gives tokens: what the configuration says of it.
#[derive(Debug)]
pub(super) struct Registered {
    /// The provider, as `token.provider` names it.
    pub(super) provider: String,
    /// What the provider calls the program.
    pub(super) client_id: String,
    /// Where the secret is that the provider gave it.
    pub(super) secret_file: Option<PathBuf>,
}

impl Registered {
    /// Writes it into the section of a server, in place of a password or a command. Addresses of a provider that stand there stay.
    pub(super) fn write(&self, settings: &mut Settings, section: &str) -> Result<(), Failure> {
        settings.remove(section, "password")?;
        if !settings.has_within(section, "token", "provider") {
            settings.remove(section, "token")?;
        }
        settings.set_within(section, "token", "provider", self.provider.as_str())?;
        settings.set_within(section, "token", "client_id", self.client_id.as_str())?;
        if let Some(file) = &self.secret_file {
            let mut secret = InlineTable::new();
            secret.insert("file", absolute(file).display().to_string().into());
            settings.set_within(section, "token", "client_secret", secret)?;
        }
        Ok(())
    }
}

/// A password, and where it will be read from.
pub(super) struct Login {
    /// To try it before anything is written.
    pub(super) tried: Access,
    /// What the configuration will say.
    pub(super) said: Access,
    /// Whether it is a password.
    pub(super) way: Way,
    /// What the configuration says of both servers holds further; they may have different passwords.
    pub(super) is_kept: bool,
    /// What has to be kept first, by whom and for which account.
    keep: Option<(Keeper, String, SecretString)>,
    /// Who gives the tokens of a login that was just made.
    by: Option<Registered>,
}

impl Login {
    /// A place where a password is already.
    pub(super) fn there(source: Access, way: Way) -> Login {
        Login { tried: source.clone(), said: source, way, is_kept: false, keep: None, by: None }
    }

    /// What is configured already.
    fn of_before(source: Access, way: Way) -> Login {
        Login { is_kept: true, ..Login::there(source, way) }
    }

    /// A password that has to be kept.
    fn to_keep(password: SecretString, keeper: Keeper, account: &str, file: &Path) -> Login {
        let said = Access::Kept(keeper.place(account, file));
        let keep = Some((keeper, account.to_owned(), password.clone()));
        Login {
            tried: Access::Kept(SecretSource::Held(password)),
            said,
            way: Way::Password,
            is_kept: false,
            keep,
            by: None,
        }
    }

    /// A login that was just made at a provider, and has to be kept.
    pub(super) fn made(grant: Grant, by: Registered) -> Login {
        Login { by: Some(by), ..Login::there(Access::Login(grant), Way::Token) }
    }

    /// In words, for the proposal.
    pub(super) fn place(&self) -> String {
        let verb = if self.keep.is_some() { "is put into" } else { "is read from" };
        let source = match &self.said {
            Access::Login(grant) => {
                return format!("comes from {}; the login is kept in {}", grant.client().provider, grant.place());
            }
            Access::Kept(source) => source,
        };
        match source {
            SecretSource::Command(words) => format!("{verb} what `{}` prints", words.join(" ")),
            SecretSource::File(path) => format!("{verb} {} (mode 0600)", path.display()),
            SecretSource::Credential(name) => format!("{verb} the systemd credential {name}"),
            SecretSource::Held(_) => "is kept nowhere".to_owned(),
        }
    }

    /// Writes into the configuration where the password of a server comes from.
    pub(super) fn write(&self, settings: &mut Settings, section: &str) -> Result<(), Failure> {
        if let Some(by) = &self.by {
            return by.write(settings, section);
        }
        // a login that was configured before stays as it is
        let Access::Kept(source) = &self.said else { return Ok(()) };
        let other = if self.way == Way::Token { "password" } else { "token" };
        settings.remove(section, other)?;
        match source {
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
        if let (Access::Login(grant), Some(_)) = (&self.said, &self.by) {
            return grant.keep().await.map_err(|error| Failure::new(Exit::Failed, error.to_string()));
        }
        let Some((keeper, account, password)) = &self.keep else { return Ok(()) };
        if let Access::Kept(SecretSource::File(path)) = &self.said {
            let line = Zeroizing::new([password.expose_secret(), "\n"].concat());
            return output::write(path, line.as_bytes(), true);
        }
        let label = format!("amici, mail of {account}");
        keeper.keep((account, &label), Path::new(""), password).await.map_err(|why| {
            let help = "run it by hand to see why, or keep the password in a file: --store file";
            Failure::new(Exit::Failed, format!("the password cannot be kept: {why}\nhelp: {help}"))
        })
    }
}

/// The password that the options or the player name; a second run without either keeps the one that the configuration names.
pub(super) fn login(
    args: &Args,
    talk: Talk,
    (account, file): (&str, &Path),
    before: Option<(&Access, Way)>,
) -> Result<Login, Failure> {
    if let Some(command) = &args.password_command {
        return command_of(command, Way::Password);
    }
    if let Some(command) = &args.token_command {
        return command_of(command, Way::Token);
    }
    if let Some(path) = &args.password_file {
        return Ok(Login::there(Access::Kept(SecretSource::File(absolute(path))), Way::Password));
    }
    if args.password_stdin {
        return Ok(Login::to_keep(from_stdin()?, args.store.unwrap_or(Keeper::File), account, file));
    }
    if let Some((before, way)) = before {
        return Ok(Login::of_before(before.clone(), way));
    }
    ask(args, talk, account, file).ok_or_else(|| {
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
    Ok(Login::there(Access::Kept(SecretSource::Command(words.ok_or_else(unreadable)?)), way))
}

/// Asks for the password, and where it shall be kept.
pub(super) fn ask(args: &Args, talk: Talk, account: &str, file: &Path) -> Option<Login> {
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
    Some(Login::to_keep(password, keeper, account, file))
}

/// The keepers whose programs are on the path.
fn installed() -> impl Iterator<Item = Keeper> {
    let folders: Vec<PathBuf> =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    Keeper::ALL.into_iter().filter(move |keeper| {
        keeper.program().is_some_and(|program| folders.iter().any(|folder| folder.join(program).is_file()))
    })
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
