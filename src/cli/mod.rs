//! The command line: one command per file, each with its arguments, what it does, and what it prints.
//!
//! Results go to stdout, everything else to stderr. A command returns a [`Report`] or a [`Failure`]; only `main` prints.
//! May use everything below it; holds no rule and no SQL.

use std::path::PathBuf;

use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use tracing_appender::non_blocking::WorkerGuard;

use crate::domain::game::{GameId, Side};

mod accept;
mod accounts;
mod adopt;
mod agenda;
mod announce;
mod ask;
mod assign;
mod care;
mod check;
mod claim;
mod clock;
mod complete;
mod confirm;
mod daemon;
mod delete;
mod demo;
mod desk;
mod dialogue;
mod draw;
mod each;
mod edit;
mod event;
mod evidence;
mod example;
mod explain;
mod export;
mod failure;
mod forms;
mod games_table;
mod generate;
mod groups;
mod health;
mod ical;
mod ignore;
mod import;
mod init;
mod leave;
mod line;
mod login;
mod message;
mod named;
mod narrow;
mod new;
mod note;
mod output;
mod play;
mod ply;
mod queue;
mod read;
mod repeat;
mod report;
mod resign;
mod result;
mod retract;
mod review;
mod rules;
mod send;
mod sending;
mod sent;
mod service;
mod settings;
mod setup;
mod show;
mod status;
pub mod stdio;
mod table;
mod take;
mod verify;
mod when;

use named::{find, meant, watched};
use setup::Setup;
use stdio::warn;
use when::{day, instant};

pub use failure::{Exit, Failure};

/// Correspondence chess by email: reads the opponents' mails, keeps both clocks, drafts the replies.
#[derive(Debug, Parser)]
#[command(
    name = "amici",
    version,
    about,
    max_term_width = 100,
    after_help = "`amici help COMMAND` says the rest of each. Nothing goes to an opponent that you\ndid not release: you send the drafts yourself."
)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
    /// The games that the arguments name.
    #[arg(skip)]
    games: Vec<GameId>,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
struct Global {
    /// The configuration file [default: $XDG_CONFIG_HOME/amici/config.toml]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder of the database [default: $XDG_DATA_HOME/amici]
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The account, where the configuration has several [default: the one that has the game]
    #[arg(long, global = true, value_name = "NAME")]
    account: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Status(status::Args),
    Show(show::Args),
    Agenda(agenda::Args),
    Ical(ical::Args),
    Explain(explain::Args),
    Desk(desk::Args),
    Report(report::Args),
    Play(play::PlayArgs),
    Undo(play::UndoArgs),
    Send(send::Args),
    Sent(sent::SentArgs),
    Draw(draw::Args),
    Resign(resign::Args),
    Message(message::Args),
    Forms(forms::Args),
    Review(review::Args),
    Accept(accept::Args),
    Ask(ask::Args),
    Assign(assign::Args),
    Ignore(ignore::Args),
    Clock(clock::Args),
    Repeat(repeat::Args),
    Announce(announce::Args),
    Leave(leave::Args),
    Claim(claim::Args),
    Rules(rules::Args),
    New(new::Args),
    Adopt(adopt::Args),
    Event(event::Args),
    Edit(edit::Args),
    Import(import::Args),
    Export(export::Args),
    Note(note::Args),
    Result(result::Args),
    Retract(retract::Args),
    Delete(delete::Args),
    Evidence(evidence::Args),
    Init(Box<init::Args>),
    Login(login::Args),
    Config(example::Args),
    Service(service::Args),
    Run(daemon::RunArgs),
    Poll(daemon::PollArgs),
    Read(read::Args),
    Take(take::Args),
    Check(check::Args),
    Health(health::Args),
    Verify(verify::Args),
    Demo(demo::Args),
    Completions(generate::CompletionsArgs),
    Man(generate::ManArgs),
}

impl Cli {
    /// What the arguments of the process say; where they say nothing that can be done, or ask for help, the process ends.
    pub fn of_process() -> Cli {
        complete::answer();
        let mut program = groups::program();
        let given = program.get_matches_mut();
        let cli = Cli::from_arg_matches(&given).unwrap_or_else(|error| error.format(&mut program).exit());
        Cli { games: accounts::games_named(&given), ..cli }
    }

    /// Runs the command to its end in an asynchronous runtime: of one thread, or of several for the daemon.
    ///
    /// # Errors
    /// [`Failure`] with its exit code.
    pub fn run(self) -> Result<Report, Failure> {
        let mut builder = match self.command.is_daemon() {
            true => tokio::runtime::Builder::new_multi_thread(),
            false => tokio::runtime::Builder::new_current_thread(),
        };
        let unable = |error| Failure::new(Exit::Failed, format!("the program cannot start: {error}"));
        let runtime = builder.enable_all().build().map_err(unable)?;
        runtime.block_on(async {
            let account = self.global.account.clone();
            let mut setup = Setup::new(self.global)?;
            if let (Command::Init(_), Some(name)) = (&self.command, &account) {
                // the one that it begins or changes
                setup = setup.of_account(&name.parse().map_err(|why: String| Failure::new(Exit::Usage, why))?);
            } else if !self.command.is_for_none() {
                let is_for_each = self.command.is_for_each();
                let said = accounts::Said { account: account.as_deref(), games: &self.games, is_for_each };
                setup = accounts::settled(setup, said).await?;
            }
            self.command.carried_out(&setup).await
        })
    }
}

/// The player's side, on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Color {
    White,
    Black,
}

impl Color {
    fn side(self) -> Side {
        match self {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

/// What a command gives back to `main`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// For stdout, with its last line end.
    pub text: String,
    /// The exit code, 0 unless the command has something to tell by it.
    pub exit: Exit,
}

impl From<String> for Report {
    fn from(text: String) -> Report {
        Report { text, exit: Exit::Ok }
    }
}

/// Ten random hexadecimal digits.
fn token() -> Result<String, Failure> {
    let random = getrandom::u64().map_err(|_| Failure::new(Exit::Failed, "the system gives no random numbers"))?;
    Ok(format!("{:010x}", random & 0xff_ffff_ffff))
}

/// So many lines of the log wait at most for whoever reads it. Room for all of them is made at the start.
const LINES: usize = 4_000;

/// Logs go to stderr: for the daemon from `info` on, else warnings; RUST_LOG changes that. The libraries that would log passwords or
/// mails at their most talkative are held at `info`. Lines go out beside the work, and those that nobody takes are dropped: whoever reads the
/// log, or stops to, neither ends the program nor holds it up. What waits goes out when the guard is dropped.
pub fn start_logging(cli: &Cli) -> WorkerGuard {
    use tracing_appender::non_blocking::NonBlockingBuilder;
    use tracing_subscriber::EnvFilter;
    let level = if cli.command.is_daemon() { "info" } else { "warn" };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    let held = ["async_imap=info", "imap_proto=info", "lettre=info", "sqlx=warn", "rustls=info"];
    let filter = held.iter().filter_map(|d| d.parse().ok()).fold(filter, EnvFilter::add_directive);
    let (writer, guard) = NonBlockingBuilder::default().buffered_lines_limit(LINES).finish(stdio::stderr());
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer).with_target(false);
    // it would be told on the very stream that is closed
    let logs = logs.log_internal_errors(false);
    // colours are control characters too, and none of these gets through
    let logs = logs.with_ansi(false);
    // under systemd the journal has its own time stamps
    let started =
        if std::env::var_os("JOURNAL_STREAM").is_some() { logs.without_time().try_init() } else { logs.try_init() };
    debug_assert!(started.is_ok(), "logging is started once");
    // a library's panic message may quote the mail it stumbled over: only the place is told
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!("a part of the program broke off at {place}");
    }));
    guard
}

/// Sums up the games that a command changed, and tells a daemon that runs.
async fn finish(setup: &Setup) {
    setup.sum_up().await;
    if setup.has_written() {
        daemon::wake(setup).await;
    }
}

impl Command {
    async fn run(self, setup: &Setup) -> Result<Report, Failure> {
        match self {
            Command::Status(args) => status::run(setup, args).await,
            Command::Show(args) => show::run(setup, args).await,
            Command::Agenda(args) => agenda::run(setup, args).await,
            Command::Ical(args) => ical::run(setup, args).await,
            Command::Explain(args) => explain::run(setup, args).await,
            Command::Desk(args) => desk::run(setup, args).await,
            Command::Report(args) => report::run(setup, args).await,
            Command::Play(args) => play::play(setup, args).await,
            Command::Undo(args) => play::undo(setup, args).await,
            Command::Send(args) => send::run(setup, args).await,
            Command::Sent(args) => sent::sent(setup, args).await,
            Command::Draw(args) => draw::run(setup, args).await,
            Command::Resign(args) => resign::run(setup, args).await,
            Command::Message(args) => message::run(setup, args).await,
            Command::Forms(args) => forms::run(setup, args).await,
            Command::Review(args) => review::run(setup, args).await,
            Command::Accept(args) => accept::run(setup, args).await,
            Command::Ask(args) => ask::run(setup, args).await,
            Command::Assign(args) => assign::run(setup, args).await,
            Command::Ignore(args) => ignore::run(setup, args).await,
            Command::Clock(args) => clock::run(setup, args).await,
            Command::Repeat(args) => repeat::run(setup, args).await,
            Command::Announce(args) => announce::run(setup, args).await,
            Command::Leave(args) => leave::run(setup, args).await,
            Command::Claim(args) => claim::run(setup, args).await,
            Command::Rules(args) => rules::run(setup, args).await,
            Command::New(args) => new::run(setup, args).await,
            Command::Adopt(args) => adopt::run(setup, args).await,
            Command::Edit(args) => edit::run(setup, args).await,
            Command::Event(args) => event::run(setup, args).await,
            Command::Import(args) => import::run(setup, args).await,
            Command::Export(args) => export::run(setup, args).await,
            Command::Note(args) => note::run(setup, args).await,
            Command::Result(args) => result::run(setup, args).await,
            Command::Retract(args) => retract::run(setup, args).await,
            Command::Delete(args) => delete::run(setup, args).await,
            Command::Evidence(args) => evidence::run(setup, args).await,
            Command::Init(args) => init::run(setup, *args).await,
            Command::Login(args) => login::run(setup, args).await,
            Command::Config(args) => Ok(example::run(&args)),
            Command::Service(args) => service::run(setup, args).await,
            Command::Run(args) => daemon::run(setup, args).await,
            Command::Poll(args) => daemon::poll(setup, args).await,
            Command::Read(args) => read::run(setup, args).await,
            Command::Take(args) => take::run(setup, args).await,
            Command::Check(args) => check::run(setup, args).await,
            Command::Health(args) => health::run(setup, args).await,
            Command::Verify(args) => verify::run(setup, args).await,
            Command::Demo(args) => demo::run(setup, args).await,
            Command::Completions(args) => generate::completions(&args),
            Command::Man(args) => generate::man(&args),
        }
    }

    /// Runs it; then the games that it changed are summed up, and a daemon that runs is told.
    async fn carried_out(self, setup: &Setup) -> Result<Report, Failure> {
        let report = self.run(setup).await?;
        finish(setup).await;
        Ok(report)
    }

    /// It is about all accounts where none is named.
    fn is_for_each(&self) -> bool {
        match self {
            // the number of a mail does not tell whose it is
            Command::Review(args) => args.mail.is_none(),
            Command::Leave(args) => args.only_lists(),
            Command::Verify(args) => args.is_of_all(),
            _ => matches!(
                self,
                Command::Status(_)
                    | Command::Agenda(_)
                    | Command::Desk(_)
                    | Command::Service(_)
                    | Command::Run(_)
                    | Command::Poll(_)
                    | Command::Check(_)
                    | Command::Health(_)
            ),
        }
    }

    /// It has nothing to do with an account that is there.
    fn is_for_none(&self) -> bool {
        matches!(
            self,
            Command::Init(_) | Command::Config(_) | Command::Demo(_) | Command::Completions(_) | Command::Man(_)
        )
    }

    fn is_daemon(&self) -> bool {
        matches!(self, Command::Run(_) | Command::Desk(_))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// What only acts, starts something, or writes a file in a form of its own. `export --format json` is the document.
    const ACTS: &[&str] = &[
        "desk",
        "report",
        "play",
        "undo",
        "send",
        "sent",
        "draw",
        "resign",
        "message",
        "accept",
        "ask",
        "assign",
        "ignore",
        "clock set",
        "clock agree",
        "clock illegal",
        "repeat",
        "announce",
        "leave add",
        "leave sent",
        "leave remove",
        "claim",
        "rules set",
        "new",
        "edit",
        "import",
        "export",
        "result",
        "retract",
        "delete",
        "evidence",
        "init",
        "login",
        "config",
        "service install",
        "service remove",
        "run",
        "poll",
        "take",
        "demo",
        "completions",
        "man",
    ];

    /// Every command that can be given, each with whether it knows `--json`.
    fn commands(command: &clap::Command, path: &str, found: &mut Vec<(String, bool)>) {
        for sub in command.get_subcommands() {
            let path = format!("{path} {}", sub.get_name()).trim().to_owned();
            if !sub.has_subcommands() || !sub.is_subcommand_required_set() {
                found.push((path.clone(), sub.get_arguments().any(|arg| arg.get_id() == "json")));
            }
            commands(sub, &path, found);
        }
    }

    #[test]
    fn every_command_that_reads_has_json_and_every_other_is_listed() {
        let mut found = Vec::new();
        commands(&Cli::command(), "", &mut found);
        let without: Vec<&str> = found.iter().filter(|(_, json)| !json).map(|(path, _)| path.as_str()).collect();
        assert_eq!(
            without, ACTS,
            "a command that reads needs --json; one that only acts stands in the list, in the order of the help"
        );
    }
}
