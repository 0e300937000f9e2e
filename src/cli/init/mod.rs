//! `amici init`: from a name and an address to a configuration that works.
//!
//! Everything is found out and tried first; nothing is written before the last yes, neither the configuration nor a password.
//! A second run begins with what is configured, and changes what is said otherwise.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args as ClapArgs};

use self::secret::{Login, Registered};
use self::servers::Pair;
use self::talk::Talk;
use super::care::consent;
use super::check::senders::{found, keys};
use super::check::servers::{Seen, tried};
use super::example::EXAMPLE;
use super::failure::failed;
use super::settings::Settings;
use super::setup::which;
use super::{Exit, Failure, Report, Setup, login, output, service};
use crate::config::{Accounts, Config, Mail};
use crate::discover::Password;
use crate::io::access::Access;
use crate::io::bearer::Way;
use crate::io::keeper::Keeper;
use crate::io::secret::SecretSource;
use crate::io::tls::Trust;
use crate::mail::address::Address;

mod secret;
mod servers;
mod talk;

/// Set amici up: find the servers, try them, write the configuration
///
/// Asks for what it needs, with a default for each answer. The servers are found by the address: known providers, the autoconfig of the
/// domain and the public database of it, the DNS, and a guess. Both logins are tried before anything is written. Say it again to change
/// what is there.
///
/// In a script: amici init --yes --name "Nora Lindqvist" --email nora@example.org --password-command "pass show mail/nora"
#[derive(Debug, ClapArgs)]
#[command(group = ArgGroup::new("source").args(["password_command", "password_file", "password_stdin", "token_command", "client_id"]))]
pub(super) struct Args {
    /// Your name, as the tournament director writes it
    #[arg(long)]
    name: Option<String>,
    /// Your address; once for each, the one that sends and receives first
    #[arg(long = "email", value_name = "ADDRESS")]
    emails: Vec<Address>,
    /// Your time zone, as Europe/Berlin [default: that of this machine]
    #[arg(long, value_name = "ZONE")]
    timezone: Option<String>,
    /// The server where your mail is read
    #[arg(long, value_name = "HOST[:PORT]")]
    imap: Option<String>,
    /// The server where mail to you is handed over
    #[arg(long, value_name = "HOST[:PORT]")]
    smtp: Option<String>,
    /// The named SMTP server begins without encryption (STARTTLS, port 587)
    #[arg(long, requires = "smtp")]
    starttls: bool,
    /// The login name [default: what the provider wants, mostly the address]
    #[arg(long, value_name = "LOGIN")]
    user: Option<String>,
    /// The address of an autoconfig file (config-v1.1.xml) that names the servers; nothing else is asked then
    #[arg(long, value_name = "URL")]
    autoconfig: Option<String>,
    /// The certificate authority of a server of your own, as a PEM file
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// A command that prints the password, as "pass show mail/nora"
    #[arg(long, value_name = "COMMAND")]
    password_command: Option<String>,
    /// A command that prints a token of OAuth2, for providers that take no passwords, as "oama access you@outlook.com"
    #[arg(long, value_name = "COMMAND")]
    token_command: Option<String>,
    /// What the provider calls the program, where it takes no passwords and you have registered the program there: you log in at once
    #[arg(long, value_name = "ID")]
    client_id: Option<String>,
    /// A file with the secret that the provider gave the program with its name; Google gives one
    #[arg(long, value_name = "FILE", requires = "client_id")]
    client_secret_file: Option<PathBuf>,
    /// The provider to log in at, microsoft or google [default: the one of the address]
    #[arg(long, value_name = "PROVIDER", requires = "client_id")]
    provider: Option<String>,
    /// A file with the password that only you can read
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Read the password from standard input, and keep it
    #[arg(long)]
    password_stdin: bool,
    /// Where a password that you give is kept
    #[arg(long, value_name = "PLACE")]
    store: Option<Keeper>,
    /// Put finished drafts into your mailbox's folder for drafts too
    #[arg(long)]
    drafts: bool,
    /// Install the service of your account too
    #[arg(long)]
    service: bool,
    /// Write it without a question
    #[arg(long)]
    yes: bool,
}

impl Args {
    fn trust(&self) -> Trust {
        Trust { extra_ca: self.ca_file.clone(), pin_sha256: None }
    }
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let talk = Talk::new(setup.asked, args.yes);
    let path = Settings::place(setup)?;
    let is_new = !path.exists();
    let before = if is_new { None } else { before(setup, &path)? };
    let mut settings = match (is_new, setup.account()) {
        (true, None) => Settings::parse(EXAMPLE, "the example")?,
        (true, Some(_)) => Settings::parse("", "the new configuration")?,
        (false, _) => Settings::read(&path)?,
    };
    if let Some(account) = setup.account() {
        settings.begin_account(account)?;
    }
    let original = settings.to_string();
    let mail = before.as_ref().and_then(|config| config.mail.as_ref());
    if matches!(mail, Some(Mail::Maildir { .. })) {
        let help = "take [maildir] out of it, or change it by hand; `amici check` tries it";
        return Err(failed(format!("{} reads a Maildir\nhelp: {help}", path.display())));
    }

    let address = identity(&args, talk, before.as_ref(), &mut settings)?;
    // another address may have its mail elsewhere
    let mail =
        mail.filter(|_| before.as_ref().and_then(|config| config.me.address()).is_some_and(|old| *old == address));
    let pair = servers::pair(&args, talk, &address, mail).await?;
    talk.tell(&format!(
        "IMAP {}:{}, SMTP {}:{} ({})",
        pair.imap.host, pair.imap.port, pair.smtp.host, pair.smtp.port, pair.origin
    ));
    pair.write(&mut settings, &args)?;
    if args.drafts || (!settings.has("drafts", "append") && wants_drafts(talk)) {
        settings.set("drafts", "append", true)?;
    }
    let (login, mut seen) = logged_in(setup, &args, talk, &path, &mut settings, &pair, mail).await?;
    if let (None, [_, ..]) = (&seen.sent, seen.folders.as_slice()) {
        let what = format!("The folder with your sent mails, of {} (\"off\": none)", seen.folders.join(", "));
        if let Some(name) = talk.text(&what, None) {
            settings.set("sent", "folder", name)?;
        }
    }
    let proven = match settings.has("senders", "authserv_id") {
        true => None,
        false => found(&mut seen.newest, &checked(setup, &settings, &path)?),
    };
    if let Some((own, _)) = &proven {
        settings.believe(own)?;
    }
    checked(setup, &settings, &path)?;

    let text = settings.to_string();
    if text == original && !is_new {
        return Ok(format!("{} is right as it is; nothing was changed\n", path.display()).into());
    }
    let mut proposal =
        vec![format!("{} {}, mode 0600", if is_new { "This is written:" } else { "This is changed:" }, path.display())];
    let what = if login.way == Way::Token { "token" } else { "password" };
    proposal.push(format!("the {what} {}", login.place()));
    proposal.extend(proven.map(|(own, count)| {
        format!("{} stands in {count} of the newest mails: what it says of senders is believed", keys(&own))
    }));
    consent(setup, args.yes, &proposal, "Write it?")?;
    for folder in [path.parent(), file_of(&login)].into_iter().flatten() {
        output::make_private(folder)?;
    }
    login.keep().await?;
    output::write(&path, text.as_bytes(), true)?;
    let mut said = next_steps(&path, is_new);
    let proposal = "The mailbox is watched while `amici run` runs. A service of your account does that whenever you are logged in.";
    if args.service || (is_new && talk.yes(proposal, "Install it?")) {
        said.push_str(&service::install_for_account(setup).await?.text);
    }
    Ok(said.into())
}

/// What the configuration says already for the account that is meant.
fn before(setup: &Setup, path: &Path) -> Result<Option<Config>, Failure> {
    match (Accounts::load(path), setup.account()) {
        (Ok(Some(accounts)), None) => Err(which(&accounts.names())),
        (Ok(Some(accounts)), Some(name)) => Ok(accounts.take(name.as_str()).map(|account| account.config)),
        (Ok(None), None) => Ok(Config::load(path).ok()),
        (Ok(None), Some(name)) if Config::load(path).is_ok() => Err(Failure::new(
            Exit::Usage,
            format!(
                "{}: its one account has no name, so that {name} cannot stand beside it\n\
                 help: give it one: [[account]] with a name at the end of the file, and its data in a folder of that name, as \
                 docs/configuration.md tells",
                path.display()
            ),
        )),
        (Ok(None), Some(_)) | (Err(_), _) => Ok(None),
    }
}

/// Name, addresses and time zone go into the configuration; the address that sends and receives comes back.
fn identity(args: &Args, talk: Talk, before: Option<&Config>, settings: &mut Settings) -> Result<Address, Failure> {
    let me = before.map(|config| &config.me);
    let known = me.and_then(|me| me.address()).map(ToString::to_string);
    let mut emails = args.emails.clone();
    if emails.is_empty() {
        let said = talk.text("Your address", known.as_deref());
        let said = said.ok_or_else(|| failed("there is no address\nhelp: say yours with --email ADDRESS"))?;
        let first: Address = said.parse().map_err(|error| failed(format!("{error}")))?;
        // the others of before stay
        let others = me.into_iter().flat_map(|me| me.emails.iter().skip(1)).filter(|other| **other != first).cloned();
        emails = std::iter::once(first.clone()).chain(others).collect();
    }
    let address = emails.first().cloned().ok_or_else(|| failed("there is no address"))?;
    let default = me.map_or_else(|| name_from(&address), |me| me.name.clone());
    let name = match &args.name {
        Some(name) => Some(name.clone()),
        None => talk.text("Your name, as the tournament director writes it", Some(&default)),
    };
    let here = iana_time_zone::get_timezone().unwrap_or_else(|_| "UTC".to_owned());
    let default = me.map_or(here, |me| me.timezone.to_string());
    let zone = match &args.timezone {
        Some(zone) => Some(zone.clone()),
        None => talk.text("Your time zone", Some(&default)),
    };
    settings.set("me", "name", name.unwrap_or_default())?;
    settings.set("me", "emails", emails.iter().map(ToString::to_string).collect::<toml_edit::Array>())?;
    settings.set("me", "timezone", zone.unwrap_or_default())?;
    Ok(address)
}

/// `Nora Lindqvist` of `nora.lindqvist@example.org`.
fn name_from(address: &Address) -> String {
    let words = address.local().split(['.', '_', '-']).filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    words.map(capital).collect::<Vec<_>>().join(" ")
}

fn wants_drafts(talk: Talk) -> bool {
    let proposal = "Finished drafts come to you by mail. They can also be put into your mailbox's folder for drafts, ready to send.";
    talk.yes(proposal, "Put them there too?")
}

/// Tries both servers; a refused password is asked for again, as long as somebody is there.
async fn logged_in(
    setup: &Setup,
    args: &Args,
    talk: Talk,
    path: &Path,
    settings: &mut Settings,
    pair: &Pair,
    before: Option<&Mail>,
) -> Result<(Login, Seen), Failure> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let file = folder.join(match setup.account() {
        None => "password".to_owned(),
        Some(name) => format!("password-{name}"),
    });
    let before = before.and_then(|mail| match mail {
        Mail::Servers { imap, .. } => Some((&imap.password, imap.way)),
        Mail::Maildir { .. } => None,
    });
    let mut login = None;
    if let Password::Known { advice, .. } = &pair.password {
        talk.tell(advice);
    }
    if let Some(by) = registered(args, talk, &pair.password)? {
        login = Some(log_in(setup, talk, path, settings, by).await?);
    } else if pair.password.is_token() && args.token_command.is_none() {
        let command = talk.text("The command that prints a token (oama, pizauth, mutt_oauth2.py)", None);
        let help = format!(
            "register amici at the provider, as docs/configuration.md tells: --client-id ID; or have a program get tokens: --token-command \"oama access {}\"",
            pair.imap.user
        );
        let none = || Failure::new(Exit::MailServer, format!("there is no token; nothing was written\nhelp: {help}"));
        login = Some(secret::command_of(&command.ok_or_else(none)?, Way::Token)?);
    }
    let mut login = match login {
        Some(login) => login,
        None => secret::login(args, talk, (&pair.imap.user, &file), before)?,
    };
    loop {
        for section in ["imap", "smtp"].into_iter().filter(|_| !login.is_kept) {
            login.write(settings, section)?;
        }
        let mut config = checked(setup, settings, path)?;
        if let Some(Mail::Servers { imap, smtp }) = config.mail.as_mut().filter(|_| !login.is_kept) {
            (imap.password, smtp.password) = (login.tried.clone(), login.tried.clone());
        }
        let mut seen = Seen::default();
        let steps = tried(&config, &mut seen).await;
        let mut failures = Vec::new();
        for (what, outcome) in steps {
            match outcome {
                Ok(said) => talk.tell(&format!("ok      {what:<8} {}", said.replace('\n', "\n                 "))),
                Err(said) => failures.push(format!("{what}: {said}")),
            }
        }
        if failures.is_empty() {
            return Ok((login, seen));
        }
        let message = format!("{}\nnothing was written", failures.join("\n"));
        if !talk.asks() {
            return Err(Failure::new(Exit::MailServer, message));
        }
        talk.tell(&message);
        let again = secret::ask(args, talk, &pair.imap.user, &file);
        login = again.ok_or_else(|| Failure::new(Exit::MailServer, "nothing was written"))?;
    }
}

/// The program at the provider, where the player has registered it and wants to log in so.
fn registered(args: &Args, talk: Talk, password: &Password) -> Result<Option<Registered>, Failure> {
    let provider = args.provider.as_deref().or(password.login());
    let client_id = match (&args.client_id, provider) {
        (Some(id), _) => Some(id.clone()),
        (None, Some(_)) if password.is_token() && args.token_command.is_none() => {
            let what = "What the provider calls amici, once you have registered it there (client id; empty: a program gets the tokens)";
            talk.text(what, None)
        }
        (None, _) => None,
    };
    let Some(client_id) = client_id else { return Ok(None) };
    let provider = provider.ok_or_else(|| {
        failed("it is not known at which provider to log in\nhelp: say it with --provider microsoft or --provider google; for another write its addresses into the configuration, then `amici login`")
    })?;
    Ok(Some(Registered { provider: provider.to_owned(), client_id, secret_file: args.client_secret_file.clone() }))
}

/// Logs in at the provider. Nothing is kept yet.
async fn log_in(
    setup: &Setup,
    talk: Talk,
    path: &Path,
    settings: &mut Settings,
    by: Registered,
) -> Result<Login, Failure> {
    for section in ["imap", "smtp"] {
        by.write(settings, section)?;
    }
    let config = checked(setup, settings, path)?;
    let grant = config.mail.as_ref().and_then(|mail| mail.logins().first().map(|grant| (*grant).clone()));
    let grant = grant.ok_or_else(|| failed("there is no login to make"))?;
    login::made(&grant, login::Wish::default(), &|text| talk.tell(text)).await?;
    Ok(Login::made(grant, by))
}

/// The configuration, as it would be read in its place.
fn checked(setup: &Setup, settings: &Settings, path: &Path) -> Result<Config, Failure> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let text = settings.to_string();
    let parsed = match setup.account() {
        None => Config::parse_in(folder, &text),
        Some(name) => Accounts::parse_in(folder, &text).and_then(|accounts| {
            let account = accounts.and_then(|accounts| accounts.take(name.as_str()));
            account.map_or_else(|| Config::parse_in(folder, &text), |account| Ok(account.config))
        }),
    };
    let mut config = parsed.map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(|p| format!("{}: {}\nhelp: {}", p.key, p.why, p.help)).collect();
        Failure::new(Exit::Config, lines.join("\n"))
    })?;
    if let Some(mail) = &mut config.mail {
        mail.keep_logins_in(&setup.data);
    }
    Ok(config)
}

fn file_of(login: &Login) -> Option<&Path> {
    match &login.said {
        Access::Kept(SecretSource::File(path)) => path.parent(),
        Access::Kept(_) | Access::Login(_) => None,
    }
}

fn next_steps(path: &Path, is_new: bool) -> String {
    if !is_new {
        return format!("{} is changed; start the service anew, if it runs\n", path.display());
    }
    format!(
        "{} is written. What comes next:\n  \
         amici adopt --mailbox  your running games, looked for in the mailbox\n  \
         amici event import F   a new event, from the director's start letter\n  \
         amici service install  keep watching the mailbox\n",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_proposed_from_the_address() {
        for (address, name) in [("nora.lindqvist@example.org", "Nora Lindqvist"), ("x__b@example.org", "X B")] {
            assert_eq!(name_from(&address.parse().unwrap()), name);
        }
    }
}
