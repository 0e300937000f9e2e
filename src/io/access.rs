//! What lets us in at a server: a secret that is kept somewhere, or a token of a login at a provider, asked for anew at each login.

use chrono::{DateTime, Utc};
use secrecy::SecretString;

use super::Class;
use super::oauth::{Grant, OAuthError};
use super::secret::{SecretError, SecretSource};

/// What lets us in.
#[derive(Debug, Clone)]
pub enum Access {
    /// A password, or a token that a program prints.
    Kept(SecretSource),
    /// A login at a provider, which gives a token whenever one is needed.
    Login(Grant),
}

/// Why nothing lets us in.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// The secret cannot be had.
    #[error(transparent)]
    Kept(#[from] SecretError),
    /// The provider gives no token.
    #[error(transparent)]
    Login(#[from] OAuthError),
}

impl AccessError {
    /// What the loop does about it.
    pub fn class(&self) -> Class {
        match self {
            Self::Kept(error) => error.class(),
            Self::Login(error) => error.class(),
        }
    }

    /// Whether a provider was asked and said no, which counts as a refused login.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Login(error) if error.is_refusal())
    }
}

impl Access {
    /// The password that is there now, or a token that is good now; read again for each login, so that a changed one needs no restart.
    ///
    /// # Errors
    /// [`AccessError`], by the kind of access. It names the place and never quotes it.
    pub async fn read(&self, now: DateTime<Utc>) -> Result<SecretString, AccessError> {
        match self {
            Self::Kept(source) => Ok(source.read().await?),
            Self::Login(grant) => Ok(grant.fresh(now).await?),
        }
    }

    /// A server refused what was read. Whether another try at once is worth it: it was a token that had served before, and the next is new.
    pub async fn forget(&self) -> bool {
        match self {
            Self::Kept(_) => false,
            Self::Login(grant) => grant.forget().await,
        }
    }
}
