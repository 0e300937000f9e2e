//! The surroundings of a command: where its configuration and its database lie, and the instant at which it began.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{DateTime, Utc};
use etcetera::BaseStrategy;

use super::confirm::Asked;
use super::{Exit, Failure, Global};
use crate::config::Config;
use crate::deeds::Around;
use crate::io::store::{Store, StoreError};
use crate::overview;

/// The surroundings of a command. The clock is read once.
pub(super) struct Setup {
    pub(super) config: Option<PathBuf>,
    pub(super) data: PathBuf,
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
        Ok(Setup { config, data, now: Utc::now(), wrote: AtomicBool::new(false), asked: Asked::Terminal })
    }

    /// The same with other files.
    pub(super) fn elsewhere(&self, config: &str, data: &str) -> Setup {
        Setup {
            config: Some(config.into()),
            data: data.into(),
            now: self.now,
            wrote: AtomicBool::new(false),
            asked: self.asked,
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
        let mut config = Config::load(&self.config_file()?)?;
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
        let is_checked = self.wrote.swap(true, Ordering::Relaxed);
        Ok(if is_checked { Store::reopen(&self.data).await? } else { Store::open(&self.data).await? })
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
        match Store::open_existing_read_only(&self.data).await {
            Ok(store) => Ok(Some(store)),
            Err(StoreError::NoDatabase { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// For commands that only look: the daemon may be running, and need not be.
    pub(super) async fn store_to_read(&self) -> Result<Store, Failure> {
        Ok(Store::open_existing_read_only(&self.data).await?)
    }
}
