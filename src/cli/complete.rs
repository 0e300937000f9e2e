//! What a shell completes beside commands and options: games, moves that are legal now, held mails, rule sets. The database is asked when
//! the key is pressed, and only read; where it cannot be, nothing is offered.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{Arg, Command, CommandFactory};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};
use shakmaty::Position;

use super::accounts::{Said, settled};
use super::{Cli, Failure, Setup};
use crate::domain::clock::rules;
use crate::domain::game::GameId;
use crate::domain::notation::{NumericMove, san};
use crate::intake::held::OWN;
use crate::io::store::Store;

/// The variable by which a shell asks, and which its script sets.
const ASKED: &str = "COMPLETE";

/// Answers a shell that asks how the line goes on, and ends the process then.
pub(super) fn answer() {
    CompleteEnv::with_factory(|| completing(Cli::command())).var(ASKED).complete();
}

/// The script that makes a shell ask.
///
/// # Errors
/// The shell is none of those that can.
pub(super) fn script(shell: &str) -> Result<Vec<u8>, Failure> {
    let mut script = Vec::new();
    let failed = |why: String| super::failure::failed(why);
    let shells = Shells::builtins();
    let known = || shells.names().collect::<Vec<_>>().join(", ");
    let completer = shells.completer(shell).ok_or_else(|| failed(format!("`{shell}` is none of {}", known())))?;
    completer.write_registration(ASKED, "amici", "amici", "amici", &mut script).map_err(|e| failed(e.to_string()))?;
    Ok(script)
}

/// The command with what its arguments complete to.
fn completing(command: Command) -> Command {
    command
        .mut_args(|arg| match completer(&arg) {
            Some(completer) => arg.add(completer),
            None => arg,
        })
        .mut_subcommands(completing)
}

/// What an argument stands for, by the name that it has in every command.
fn completer(arg: &Arg) -> Option<ArgValueCompleter> {
    let is_named = |name: &str| arg.get_value_names().is_some_and(|names| names.iter().any(|value| value == name));
    Some(match arg.get_id().as_str() {
        "game" | "games" => ArgValueCompleter::new(|current: &OsStr| {
            Line::read().and_then(|line| line.games(current)).unwrap_or_default()
        }),
        "mail" => ArgValueCompleter::new(|current: &OsStr| {
            Line::read().and_then(|line| line.mails(current)).unwrap_or_default()
        }),
        "rules" if is_named("NAME") => ArgValueCompleter::new(|current: &OsStr| sets(current).unwrap_or_default()),
        _ if is_named("MOVE") => ArgValueCompleter::new(|current: &OsStr| {
            Line::read().and_then(|line| line.moves(current)).unwrap_or_default()
        }),
        _ => return None,
    })
}

/// The line so far, as the shell hands it over.
struct Line {
    words: Vec<OsString>,
    setup: Setup,
}

type Candidates = Option<Vec<CompletionCandidate>>;

impl Line {
    fn read() -> Option<Line> {
        let words: Vec<OsString> = std::env::args_os().skip_while(|word| word != "--").skip(1).collect();
        let after = |option: &str| {
            let at = words.iter().position(|word| word == option)?;
            words.get(at + 1).map(PathBuf::from)
        };
        let setup = Setup::of(after("--config"), after("--data")).ok()?;
        Some(Line { words, setup })
    }

    /// Asks each database, which is only read: that of the account that the line names, or of all.
    fn with<T>(&self, ask: impl AsyncFn(&mut Store) -> Option<T>) -> Option<Vec<T>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
        let after = |option: &str| self.words.get(self.words.iter().position(|word| word == option)? + 1)?.to_str();
        let account = after("--account");
        runtime.block_on(async {
            let root = Setup::at(self.setup.config.clone(), self.setup.root.clone(), self.setup.now, self.setup.asked);
            let setup = settled(root, Said { account, games: &[], is_for_each: false }).await.ok()?;
            let mut answers = Vec::new();
            for account in setup.each() {
                if let Ok(Some(mut store)) = account.store_if_any().await {
                    answers.extend(ask(&mut store).await);
                }
            }
            Some(answers)
        })
    }

    fn games(&self, current: &OsStr) -> Candidates {
        let outlines = self.with(async |store| store.outlines().await.ok())?;
        let candidates = outlines.into_iter().flatten().map(|outline| {
            let game = outline.game;
            let what = format!("{}, {}", game.opponent().name, game.event);
            (game.id.to_string(), what)
        });
        Some(beginning(current, candidates))
    }

    fn mails(&self, current: &OsStr) -> Candidates {
        let held = self.with(async |store| store.held().await.ok())?;
        let candidates = held.into_iter().flatten().map(|held| {
            let game = held.game.map(|game| format!("{game}: ")).unwrap_or_default();
            let whose = if held.outcome == OWN { "yours, " } else { "" };
            (held.mail.to_string(), format!("{game}{whose}{}", held.reason))
        });
        Some(beginning(current, candidates))
    }

    /// The moves that are legal where one is due in the game of the line: in algebraic notation, or in numeric where it begins so.
    fn moves(&self, current: &OsStr) -> Candidates {
        let named: Vec<GameId> = self.words.iter().filter_map(|word| word.to_str()?.parse().ok()).collect();
        let game = self.with(async |store| {
            for id in &named {
                if let Some(id) = store.id_now(id).await.ok()? {
                    return store.game(&id).await.ok()?;
                }
            }
            None
        })?;
        let game = game.into_iter().next()?;
        // the opponent's move comes after the one that the player has chosen
        let is_his = self.words.iter().any(|word| word == "accept" || word == "review");
        let game = if is_his { game.game.with_plan_recorded() } else { game.game };
        let replay = game.replay().ok()?;
        let position = replay.position();
        let is_numeric = current.to_str().is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()));
        let candidates = position.legal_moves().into_iter().map(|legal| {
            let (numeric, san) = (NumericMove::of(&legal).to_string(), san(position, &legal));
            if is_numeric { (numeric, san) } else { (san, numeric) }
        });
        Some(beginning(current, candidates))
    }
}

fn sets(current: &OsStr) -> Candidates {
    Some(beginning(current, rules::names().map(|name| (name.to_owned(), String::new()))))
}

/// Those that begin with what is there, whatever the case, each with what it means.
fn beginning(current: &OsStr, candidates: impl Iterator<Item = (String, String)>) -> Vec<CompletionCandidate> {
    let begun = current.to_string_lossy().to_lowercase();
    candidates
        .filter(|(value, _)| value.to_lowercase().starts_with(&begun))
        .map(|(value, what)| CompletionCandidate::new(value).help((!what.is_empty()).then(|| what.into())))
        .collect()
}
