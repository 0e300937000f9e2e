//! A mail to the player that only shows that mails to him arrive.

use chrono::{DateTime, Utc};

use super::digest::mail;
use super::{Letter, LetterError};
use crate::config::Me;

/// The mail; it has another id at each instant.
///
/// # Errors
/// [`LetterError`] where the player's own name or address cannot stand in a mail.
pub fn trial(me: &Me, now: DateTime<Utc>) -> Result<Letter, LetterError> {
    let body = "This mail shows that notices reach you: `amici check --send` sent it and waited for it.\n\n\
                Nothing is to be done, and it can be deleted.\n";
    mail("[amici] a test mail", body.to_owned(), "trial", me, now)
}
