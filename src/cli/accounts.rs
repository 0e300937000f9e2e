//! Of which account a command is: by its word, by the game that it names, or of each.
//!
//! Two accounts never share a database, so that what one player's mails say can touch no game of another, even where they play each other.
//! What will surprise you: games of an account that the configuration has no more stop each command that is about all accounts.

use std::path::{Path, PathBuf};

use clap::ArgMatches;

use super::setup::{ACCOUNTS, Whose, listed, which};
use super::{Exit, Failure, Setup};
use crate::config::{AccountName, Accounts};
use crate::domain::game::GameId;
use crate::io::store::Store;
use crate::letters::plural;

/// What a command says of whose it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said<'a> {
    /// The account that is named.
    pub(super) account: Option<&'a str>,
    /// The games that are named.
    pub(super) games: &'a [GameId],
    /// It is about every account where none is named.
    pub(super) is_for_each: bool,
}

/// The games that are there already and that the arguments name.
pub(super) fn games_named(given: &ArgMatches) -> Vec<GameId> {
    let mut games = Vec::new();
    let mut level = given.subcommand().filter(|(name, _)| *name != "new").map(|(_, given)| given);
    while let Some(given) = level {
        for argument in ["game", "games"] {
            games.extend(given.try_get_many::<GameId>(argument).ok().flatten().into_iter().flatten().cloned());
        }
        level = given.subcommand().map(|(_, given)| given);
    }
    games
}

/// The surroundings of the account that is meant; of any, where nothing tells which and it is not about each.
///
/// # Errors
/// The configuration cannot be used, there is no such account, or several have such a game.
pub(super) async fn settled(setup: Setup, said: Said<'_>) -> Result<Setup, Failure> {
    // without a file there is nobody but the one player
    let accounts = setup.config_file().ok().map(|file| Accounts::load(&file)).transpose()?.flatten();
    let names = accounts.map(|accounts| accounts.names()).unwrap_or_default();
    if let Some(name) = said.account {
        return named(&setup, name, &names);
    }
    if said.is_for_each {
        none_is_lost(&setup, &names).await?;
    }
    match names.as_slice() {
        [] => Ok(setup),
        [only] => Ok(setup.of_account(only)),
        _ => {
            let setup = Setup { whose: Whose::Any(names.clone()), ..setup };
            match said.games {
                [] => Ok(setup),
                games => Ok(setup.of_account(&owner(&setup, &names, games).await?)),
            }
        }
    }
}

fn named(setup: &Setup, name: &str, names: &[AccountName]) -> Result<Setup, Failure> {
    if let Some(known) = names.iter().find(|known| known.is(name)) {
        return Ok(setup.of_account(known));
    }
    Err(Failure::new(
        Exit::Usage,
        match names {
            [] => "the configuration has one account, and that has no name\nhelp: leave out --account".to_owned(),
            _ => format!("there is no account {name}\nhelp: there are {}", listed(names)),
        },
    ))
}

/// The account that has these games.
async fn owner(setup: &Setup, names: &[AccountName], games: &[GameId]) -> Result<AccountName, Failure> {
    let mut owner: Option<AccountName> = None;
    for game in games {
        let found = candidates(setup, game).await?;
        let account = match found.as_slice() {
            [] => {
                none_is_lost(setup, names).await?;
                let why = format!("there is no game {game} of {}", listed(names));
                return Err(Failure::new(Exit::NoSuchGame, format!("{why}\nhelp: `amici status` lists all games")));
            }
            [(account, _), rest @ ..] if rest.iter().all(|(other, _)| other == account) => account,
            _ => {
                let may = found.iter().map(|(account, game)| format!("{game} of {account}"));
                let why = format!("{game} may be {}", may.collect::<Vec<_>>().join(" or "));
                return Err(Failure::new(Exit::Usage, format!("{why}\nhelp: say whose with --account NAME")));
            }
        };
        if owner.as_ref().is_some_and(|before| before != account) {
            return Err(Failure::new(
                Exit::Usage,
                "these games are not all of one account\nhelp: say it once for each account",
            ));
        }
        owner = Some(account.clone());
    }
    owner.ok_or_else(|| which(names))
}

/// The games that may be meant: those that have this id, or had it; else those of which it is a part.
async fn candidates(setup: &Setup, game: &GameId) -> Result<Vec<(AccountName, GameId)>, Failure> {
    let (mut whole, mut parts) = (Vec::new(), Vec::new());
    for account in setup.each() {
        let Some(name) = account.account() else { continue };
        let found = async {
            let Some(mut store) = account.store_if_any().await? else { return Ok(()) };
            whole.extend(store.id_now(game).await?.map(|id| (name.clone(), id)));
            let known = store.game_names().await?.into_iter();
            parts.extend(known.filter(|id| id.folded().contains(&game.folded())).map(|id| (name.clone(), id)));
            Ok(())
        };
        found.await.map_err(|failure| of(Some(name), failure))?;
    }
    Ok(if whole.is_empty() { parts } else { whole })
}

/// A failure with the name of the account that met it, where there are several.
pub(super) fn of(name: Option<&AccountName>, failure: Failure) -> Failure {
    match name {
        Some(name) => Failure { message: format!("account {name}: {}", failure.message), ..failure },
        None => failure,
    }
}

/// Nothing lies in the data folder whose mails nobody reads.
///
/// # Errors
/// Games are there of an account that the configuration has not, or of none where it has some.
async fn none_is_lost(setup: &Setup, names: &[AccountName]) -> Result<(), Failure> {
    let mut lost = Vec::new();
    let root = &setup.root;
    let file = setup.config_file().map(|file| file.display().to_string()).unwrap_or_default();
    if let (true, Some(what)) = (!names.is_empty(), games_in(root).await) {
        let place = root.join(ACCOUNTS).join("NAME");
        let (place, root) = (place.display(), root.display());
        lost.push(format!(
            "{what} in {root} without an account, and {file} has accounts with names: nobody reads their mails\n\
             help: make them those of an account, while amici does not run: mkdir -p {place} && mv {root}/amici.* {place}/"
        ));
    }
    for folder in folders(&root.join(ACCOUNTS)) {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // whether the case tells two folders apart is known to the file system alone
        let is_same = |other: PathBuf| other.canonicalize().ok() == folder.canonicalize().ok();
        if names.iter().any(|known| is_same(root.join(ACCOUNTS).join(known.as_str()))) {
            continue;
        }
        if let Some(what) = games_in(&folder).await {
            let folder = folder.display();
            lost.push(format!(
                "{what} in {folder}, and {file} has no account {name}: nobody reads their mails\n\
                 help: give {name} its [[account]] again, or rename the folder to the account's new name; where its games go on elsewhere \
                 or are over, move the folder out of {}",
                root.join(ACCOUNTS).display()
            ));
        }
    }
    if lost.is_empty() { Ok(()) } else { Err(Failure::new(Exit::Config, lost.join("\n"))) }
}

/// The games of a database, in words; `None` where there is no game.
async fn games_in(folder: &Path) -> Option<String> {
    if !folder.join("amici.db").exists() {
        return None;
    }
    let count = async { Store::open_existing_read_only(folder).await?.game_names().await };
    match count.await {
        Ok(games) if games.is_empty() => None,
        Ok(games) if games.len() == 1 => Some("1 game lies".to_owned()),
        Ok(games) => Some(format!("{} lie", plural(games.len(), "game"))),
        Err(_) => Some("a database that cannot be read lies".to_owned()),
    }
}

/// The folders in one, by their names; none where it is not there.
fn folders(within: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(within).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders
}
