//! The surroundings of a command: where its configuration and its database lie, and the instant at which it began.
//!
//! Of several accounts each has its own: its part of the configuration, and its database in `accounts/NAME` of the data folder.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{DateTime, Utc};
use etcetera::BaseStrategy;

use super::confirm::Asked;
use super::{Exit, Failure, Global};
use crate::config::{AccountName, Accounts, Config};
use crate::deeds::Around;
use crate::io::store::{Store, StoreError};
use crate::overview;

/// The folder in that of the data where each of several accounts has its own.
pub(super) const ACCOUNTS: &str = "accounts";

/// Whose configuration and games a command works with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Whose {
    /// Those of the one player; his account has no name.
    #[default]
    Only,
    /// Those of one of several accounts.
    Of(AccountName),
    /// It is not said of which of these accounts.
    Any(Vec<AccountName>),
}

/// The surroundings of a command. The clock is read once.
pub(super) struct Setup {
    pub(super) config: Option<PathBuf>,
    /// The folder of the database.
    pub(super) data: PathBuf,
    /// The folder of all data: the same, where there are no several accounts.
    pub(super) root: PathBuf,
    pub(super) whose: Whose,
    pub(super) now: DateTime<Utc>,
    /// The command may have written.
    pub(super) wrote: AtomicBool,
    /// Who is asked for a second word.
    pub(super) asked: Asked,
}

impl Setup {
    pub(super) fn new(global: Global) -> Result<Setup, Failure> {
        Setup::of(global.config, global.data)
    }

    /// With these files, or those of the user.
    pub(super) fn of(config: Option<PathBuf>, data: Option<PathBuf>) -> Result<Setup, Failure> {
        let base = || {
            etcetera::choose_base_strategy().map_err(|_| {
                Failure::new(Exit::Config, "there is no home folder; name the files with --config and --data")
            })
        };
        let data = match data {
            Some(data) => data,
            None => base()?.data_dir().join("amici"),
        };
        Ok(Setup::at(config, data, Utc::now(), Asked::Terminal))
    }

    /// With these files, for the one player.
    pub(super) fn at(config: Option<PathBuf>, data: PathBuf, now: DateTime<Utc>, asked: Asked) -> Setup {
        Setup { config, root: data.clone(), data, whose: Whose::Only, now, wrote: AtomicBool::new(false), asked }
    }

    /// The same with other files.
    pub(super) fn elsewhere(&self, config: &str, data: &str) -> Setup {
        Setup::at(Some(config.into()), data.into(), self.now, self.asked)
    }

    /// The same for one of the accounts.
    pub(super) fn of_account(&self, name: &AccountName) -> Setup {
        let data = self.root.join(ACCOUNTS).join(name.as_str());
        let (root, whose) = (self.root.clone(), Whose::Of(name.clone()));
        Setup { root, whose, ..Setup::at(self.config.clone(), data, self.now, self.asked) }
    }

    /// Where it is not said whose: for each account; else the same once more.
    pub(super) fn each(&self) -> Vec<Setup> {
        match &self.whose {
            Whose::Any(names) => names.iter().map(|name| self.of_account(name)).collect(),
            Whose::Of(name) => vec![self.of_account(name)],
            Whose::Only => vec![Setup::at(self.config.clone(), self.data.clone(), self.now, self.asked)],
        }
    }

    /// The name of the account, where there are several.
    pub(super) fn account(&self) -> Option<&AccountName> {
        match &self.whose {
            Whose::Of(name) => Some(name),
            Whose::Only | Whose::Any(_) => None,
        }
    }

    /// The folder of the database.
    ///
    /// # Errors
    /// Where it is not said whose.
    fn database(&self) -> Result<&Path, Failure> {
        match &self.whose {
            Whose::Any(names) => Err(which(names)),
            Whose::Only | Whose::Of(_) => Ok(&self.data),
        }
    }

    pub(super) fn config_file(&self) -> Result<PathBuf, Failure> {
        match &self.config {
            Some(file) => Ok(file.clone()),
            None => {
                let base = etcetera::choose_base_strategy().map_err(|_| {
                    Failure::new(Exit::Config, "there is no home folder; name the configuration with --config")
                })?;
                Ok(base.config_dir().join("amici").join("config.toml"))
            }
        }
    }

    pub(super) fn config(&self) -> Result<Config, Failure> {
        let file = self.config_file()?;
        let mut config = match &self.whose {
            Whose::Only => Config::load(&file)?,
            Whose::Any(names) => return Err(which(names)),
            Whose::Of(name) => {
                let account = Accounts::load(&file)?.and_then(|accounts| accounts.take(name.as_str()));
                let gone = || Failure::new(Exit::Config, format!("{}: there is no account {name}", file.display()));
                account.ok_or_else(gone)?.config
            }
        };
        if let Some(mail) = &mut config.mail {
            mail.keep_logins_in(&self.data);
        }
        Ok(config)
    }

    /// Where a deed of the player's is done.
    pub(super) fn around<'a>(&self, config: &'a Config) -> Around<'a> {
        Around { config, now: self.now }
    }

    /// Whether the command may have written.
    pub(super) fn has_written(&self) -> bool {
        self.wrote.load(Ordering::Relaxed)
    }

    /// The database, to write.
    pub(super) async fn store(&self) -> Result<Store, Failure> {
        let data = self.database()?;
        let is_checked = self.wrote.swap(true, Ordering::Relaxed);
        Ok(if is_checked { Store::reopen(data).await? } else { Store::open(data).await? })
    }

    /// Sums up the games that the command changed, so that the next `status` is quick. The command is done whether this succeeds or not.
    pub(super) async fn sum_up(&self) {
        if !self.has_written() {
            return;
        }
        let Ok(config) = self.config() else { return };
        let summed = async {
            let mut store = Store::reopen(&self.data).await?;
            overview::refresh(&mut store, &config.me, self.now).await
        };
        if let Err(error) = summed.await {
            tracing::debug!("the games were not summed up: {error}");
        }
    }

    /// As [`Setup::store_to_read`], but nothing where there was never a game.
    pub(super) async fn store_if_any(&self) -> Result<Option<Store>, Failure> {
        match Store::open_existing_read_only(self.database()?).await {
            Ok(store) => Ok(Some(store)),
            Err(StoreError::NoDatabase { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// For commands that only look: the daemon may be running, and need not be.
    pub(super) async fn store_to_read(&self) -> Result<Store, Failure> {
        Ok(Store::open_existing_read_only(self.database()?).await?)
    }
}

/// That it has to be said whose.
pub(super) fn which(names: &[AccountName]) -> Failure {
    let help = "say it with --account NAME";
    Failure::new(Exit::Usage, format!("which account? There are {}\nhelp: {help}", listed(names)))
}

/// Names of accounts, one after the other.
pub(super) fn listed(names: &[AccountName]) -> String {
    names.iter().map(AccountName::as_str).collect::<Vec<_>>().join(", ")
}
