//! What the service manager hears of all daemons of this program, one for each account: that all are well, and how each fares.
//!
//! What will surprise you: it hears nothing any more once one of them has been silent for too long, however well the others work. It starts
//! all of them anew then.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sd_notify::NotifyState;

use super::Daemon;
use super::signs::Signs;

/// How the daemons of this program fare, each under the name of its account.
#[derive(Debug, Default)]
pub struct Watched(Mutex<Vec<(String, Arc<Signs>)>>);

impl Watched {
    /// One daemon, whose account has no name.
    pub(super) fn alone(signs: &Arc<Signs>) -> Arc<Watched> {
        Arc::new(Watched(Mutex::new(vec![(String::new(), Arc::clone(signs))])))
    }

    fn all(&self) -> MutexGuard<'_, Vec<(String, Arc<Signs>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the service manager that all are alive, if they are.
    pub(super) fn pulse(&self) {
        if self.are_good() {
            let _ = sd_notify::notify(&[NotifyState::Watchdog]);
        }
    }

    /// Tells it how all fare, of which one is in this state.
    pub(super) fn status(&self, state: &str) {
        let _ = sd_notify::notify(&[NotifyState::Status(&self.in_words(state))]);
    }

    fn are_good(&self) -> bool {
        self.all().iter().all(|(_, signs)| signs.are_good())
    }

    fn in_words(&self, state: &str) -> String {
        let all = self.all();
        let words = all.iter().map(|(name, signs)| match name.as_str() {
            "" => signs.in_words(state),
            name => format!("{name}: {}", signs.in_words(state)),
        });
        words.collect::<Vec<_>>().join("; ")
    }
}

impl Daemon {
    /// The same for one of several accounts; the service manager hears of all of them together.
    #[must_use]
    pub fn among(self, name: &str, watched: &Arc<Watched>) -> Daemon {
        watched.all().push((name.to_owned(), Arc::clone(&self.signs)));
        Daemon { watched: Arc::clone(watched), ..self }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chrono::Utc;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_daemon_that_hangs_is_not_covered_by_another_that_works() {
        let signs = || Arc::new(Signs::new(String::new(), Utc::now(), None));
        let (ada, ben) = (signs(), signs());
        let watched =
            Watched(Mutex::new(vec![("ada".to_owned(), Arc::clone(&ada)), ("ben".to_owned(), Arc::clone(&ben))]));
        assert!(watched.are_good());
        ben.set_reading(Some("imap.example.org refused the login".to_owned()));
        assert_eq!(watched.in_words("running"), "ada: running; ben: imap.example.org refused the login");
        assert!(watched.are_good(), "an outage that is waited out is no silence");
        tokio::time::advance(Duration::from_secs(15 * 60)).await;
        ada.reads(Duration::ZERO);
        assert!(!watched.are_good(), "the look for ben hangs");
        assert_eq!(Watched::alone(&ada).in_words("running"), "running");
    }
}
