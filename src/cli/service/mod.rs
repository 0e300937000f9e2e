//! `amici service`: the daemon as a service of this machine: its file, the service manager, and how it fares.

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Subcommand};
use etcetera::BaseStrategy;
use serde_json::json;

use self::manager::{LABEL, Manager, UNIT, run_all};
use self::unit::{Form, Start, rendered};
use super::accounts::{Said, settled};
use super::care::consent;
use super::failure::failed;
use super::{Exit, Failure, Report, Setup, health, output};
use crate::config::Mail;
use crate::io::file;

mod manager;
mod unit;

/// The account of a service for the whole machine, and where that has its files.
const ACCOUNT: &str = "amici";
const SYSTEM_CONFIG: &str = "/etc/amici/config.toml";
const SYSTEM_DATA: &str = "/var/lib/amici";

/// Keep amici running: install the service, remove it, see how it is
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    #[command(subcommand)]
    command: ServiceCommand,
}

#[derive(Debug, Subcommand)]
enum ServiceCommand {
    Install(InstallArgs),
    Remove(RemoveArgs),
    Status(StatusArgs),
}

/// Write the service's file and start it, now and whenever you log in
///
/// On Linux it is a systemd unit of your account; `--system` makes it one of the whole machine, under the account amici. On a Mac it is a
/// launchd agent. The service may write to its own data and nowhere else.
#[derive(Debug, ClapArgs)]
struct InstallArgs {
    /// For the whole machine, under the account amici
    #[arg(long)]
    system: bool,
    /// The form of the file [default: that of this machine]
    #[arg(long, requires = "output")]
    form: Option<Form>,
    /// Only write the file there ("-": print it), and start nothing
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Do it without a question; with --output, replace the file
    #[arg(long)]
    yes: bool,
}

/// Stop the service and take its file away; your games and settings stay
#[derive(Debug, ClapArgs)]
struct RemoveArgs {
    /// That of the whole machine
    #[arg(long)]
    system: bool,
    /// Do it without a question
    #[arg(long)]
    yes: bool,
}

/// Say whether the service is installed, runs and is well, with its last errors
#[derive(Debug, ClapArgs)]
struct StatusArgs {
    /// That of the whole machine
    #[arg(long)]
    system: bool,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    match args.command {
        ServiceCommand::Install(args) => install(setup, args).await,
        ServiceCommand::Remove(args) => remove(setup, args).await,
        ServiceCommand::Status(args) => status(setup, args).await,
    }
}

/// The manager of this machine, and the place of the file that it reads.
fn place(is_system: bool) -> Result<(Manager, PathBuf), Failure> {
    if is_system {
        return Ok((Manager::System, Path::new("/etc/systemd/system").join(UNIT)));
    }
    let base = etcetera::choose_base_strategy().map_err(|_| failed("there is no home folder"))?;
    Ok(if cfg!(target_os = "macos") {
        (Manager::Launchd, base.home_dir().join("Library/LaunchAgents").join(format!("{LABEL}.plist")))
    } else {
        (Manager::User, base.config_dir().join("systemd/user").join(UNIT))
    })
}

/// Installs that of this account, to which the player has said yes elsewhere.
pub(super) async fn install_for_account(setup: &Setup) -> Result<Report, Failure> {
    install(setup, InstallArgs { system: false, form: None, output: None, yes: true }).await
}

async fn install(setup: &Setup, args: InstallArgs) -> Result<Report, Failure> {
    let native = if cfg!(target_os = "macos") { Form::Launchd } else { Form::Systemd };
    let start = if args.system { start_of_system()? } else { start_of_account(setup)? };
    let text = rendered(args.form.unwrap_or(native), args.system, &start);
    match &args.output {
        Some(file) if file.as_os_str() == "-" => return Ok(text.into()),
        Some(file) => {
            output::write(file, text.as_bytes(), args.yes)?;
            return Ok(format!("{} is written; it says how to use it. Nothing was started.\n", file.display()).into());
        }
        None => {}
    }
    let (manager, path) = place(args.system)?;
    if args.system {
        account_is_there()?;
    } else {
        // a service whose configuration cannot be read would only fail again and again
        setup.each().iter().try_for_each(|account| account.config().map(drop))?;
    }
    let commands = manager.to_start(&path);
    let mut proposal = vec![format!("This is written: {}", path.display())];
    proposal.extend(commands.iter().map(|command| format!("This is run:     {}", command.join(" "))));
    consent(setup, args.yes, &proposal, "Install the service?")?;
    for folder in start.writes.iter().map(PathBuf::as_path).chain(path.parent()) {
        output::make_private(folder)?;
    }
    output::write(&path, text.as_bytes(), true)?;
    run_all(&commands).await?;
    let more = match manager {
        Manager::User => "it runs while you are logged in; to let it run always: loginctl enable-linger\n",
        Manager::System | Manager::Launchd => "",
    };
    let system = if args.system { " --system" } else { "" };
    Ok(format!("the service is installed and started\n{more}how it fares: amici service status{system}\n").into())
}

async fn remove(setup: &Setup, args: RemoveArgs) -> Result<Report, Failure> {
    let (manager, path) = place(args.system)?;
    if !path.exists() {
        return Ok(format!("no service is installed: there is no {}\n", path.display()).into());
    }
    let commands = manager.to_stop(&path);
    let mut proposal: Vec<String> =
        commands.iter().map(|command| format!("This is run:     {}", command.join(" "))).collect();
    proposal.push(format!("This is removed: {}", path.display()));
    consent(setup, args.yes, &proposal, "Remove the service?")?;
    run_all(&commands).await?;
    std::fs::remove_file(&path).map_err(|error| failed(format!("{} cannot be removed: {error}", path.display())))?;
    run_all(&manager.to_forget()).await?;
    Ok("the service is stopped and removed; your games and settings are as they were\n".to_owned().into())
}

async fn status(setup: &Setup, args: StatusArgs) -> Result<Report, Failure> {
    let (manager, path) = place(args.system)?;
    let is_installed = path.exists();
    let state = manager.state().await;
    let troubles = manager.troubles().await;
    let health = match args.system {
        true => of_system(setup).await,
        false => health::said(setup).await,
    };
    // of the machine's service its owner may tell alone
    let health = health.unwrap_or_else(|failure| Err(failure.message));
    let exit = if is_installed && health.is_ok() { Exit::Ok } else { Exit::NoDaemon };
    let (state, health) = (
        state.unwrap_or_else(|failure| failure.message),
        match &health {
            Ok(said) | Err(said) => said.trim_end().to_owned(),
        },
    );
    if args.json {
        let document = json!({
            "schema": 1, "ok": exit == Exit::Ok, "file": path, "installed": is_installed, "state": state,
            "health": health, "last_errors": troubles,
        });
        return Ok(Report { text: format!("{document:#}\n"), exit });
    }
    let file =
        if is_installed { path.display().to_string() } else { "not installed: amici service install".to_owned() };
    let mut text = format!("file    {file}\nstate   {state}\nhealth  {}\n", health.replace('\n', "\n        "));
    for (place, line) in troubles.iter().enumerate() {
        text.push_str(if place == 0 { "errors  " } else { "        " });
        text.push_str(&format!("{}\n", line.trim()));
    }
    Ok(Report { text, exit })
}

/// How the service of the whole machine fares.
async fn of_system(setup: &Setup) -> Result<Result<String, String>, Failure> {
    let said = Said { account: None, games: &[], is_for_each: true };
    health::said(&settled(setup.elsewhere(SYSTEM_CONFIG, SYSTEM_DATA), said).await?).await
}

/// What a service of this account is started with: this very program, and the files that this very command uses.
fn start_of_account(setup: &Setup) -> Result<Start, Failure> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (config, data) = (absolute(&setup.config_file()?), absolute(&setup.root));
    let options =
        ["--config".to_owned(), config.display().to_string(), "--data".to_owned(), data.display().to_string()];
    let mut writes = vec![data];
    for account in setup.each() {
        if let Some(Mail::Maildir { path, .. }) = account.config().ok().and_then(|config| config.mail) {
            writes.push(absolute(&path));
        }
    }
    let base = etcetera::choose_base_strategy().map_err(|_| failed("there is no home folder"))?;
    let log = base.home_dir().join("Library/Logs/amici.log");
    Ok(Start { program: program()?, options: options.into(), writes, log })
}

fn start_of_system() -> Result<Start, Failure> {
    let options = ["--config", SYSTEM_CONFIG, "--data", SYSTEM_DATA].map(str::to_owned).into();
    Ok(Start { program: program()?, options, writes: Vec::new(), log: PathBuf::new() })
}

fn program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| failed(format!("the program does not find itself: {error}")))
}

/// The account of the system's service must be there: it is the owner of the configuration.
fn account_is_there() -> Result<(), Failure> {
    let accounts = file::read_text(Path::new("/etc/passwd"), file::SETTINGS).unwrap_or_default();
    if accounts.lines().any(|line| line.split(':').next() == Some(ACCOUNT)) {
        return Ok(());
    }
    let help =
        format!("adduser --system --group {ACCOUNT}; its configuration is {SYSTEM_CONFIG}, owned by it, mode 0600");
    Err(failed(format!("there is no account {ACCOUNT} on this machine\nhelp: {help}")))
}
