//! What the two tasks of the daemon know of each other: how each of them fares. The sign of life is made of both.
//!
//! What will surprise you: the service manager hears nothing any more once one of the two has been silent for too long, however well the
//! other works.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::time::Instant;

use super::one_line;
use crate::io::store::Heartbeat;

/// A task that works may be silent for so long: the answer to one command of a server takes ten minutes at most.
const SILENCE: Duration = Duration::from_secs(14 * 60);

/// How both tasks fare.
#[derive(Debug)]
pub(super) struct Signs {
    host: String,
    started_at: DateTime<Utc>,
    now: Mutex<Now>,
}

#[derive(Debug)]
struct Now {
    last_check_at: Option<DateTime<Utc>>,
    next_check_at: Option<DateTime<Utc>>,
    reading: Option<String>,
    delivering: Option<String>,
    desk: Option<String>,
    progress: Option<String>,
    reads_until: Instant,
    /// While it delivers.
    delivers_until: Option<Instant>,
}

impl Signs {
    pub(super) fn new(host: String, started_at: DateTime<Utc>, last_check_at: Option<DateTime<Utc>>) -> Signs {
        let now = Now {
            last_check_at,
            next_check_at: None,
            reading: None,
            delivering: None,
            desk: None,
            progress: None,
            reads_until: Instant::now() + SILENCE,
            delivers_until: None,
        };
        Signs { host, started_at, now: Mutex::new(now) }
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        // each of them is written at once: a panic leaves none half done
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The task that reads is alive, and may be silent for `pause` beyond its time.
    pub(super) fn reads(&self, pause: Duration) {
        self.now().reads_until = Instant::now() + SILENCE + pause;
    }

    /// The task that delivers is at work on the next mail, or waits for one.
    pub(super) fn delivers(&self, is_at_work: bool) {
        self.now().delivers_until = is_at_work.then(|| Instant::now() + SILENCE);
    }

    /// Whether neither is silent for too long.
    pub(super) fn are_good(&self) -> bool {
        let (now, state) = (Instant::now(), self.now());
        now <= state.reads_until && state.delivers_until.is_none_or(|until| now <= until)
    }

    pub(super) fn checked(&self, at: DateTime<Utc>) {
        self.now().last_check_at = Some(at);
    }

    pub(super) fn last_check_at(&self) -> Option<DateTime<Utc>> {
        self.now().last_check_at
    }

    pub(super) fn set_reading(&self, trouble: Option<String>) {
        self.now().reading = trouble;
    }

    pub(super) fn reading_fails(&self) -> bool {
        self.now().reading.is_some()
    }

    /// Keeps why mails wait; true where that is new.
    pub(super) fn set_delivering(&self, trouble: Option<String>) -> bool {
        let mut now = self.now();
        let is_new = now.delivering != trouble;
        now.delivering = trouble;
        is_new
    }

    pub(super) fn set_progress(&self, progress: Option<String>) {
        self.now().progress = progress;
    }

    /// Keeps why the desk is not served.
    pub(super) fn set_desk(&self, why: String) {
        self.now().desk = Some(why);
    }

    /// When the mailbox is looked at next.
    pub(super) fn expect(&self, next: Option<DateTime<Utc>>) {
        self.now().next_check_at = next;
    }

    /// The sign of life that `status` and `health` read.
    pub(super) fn heartbeat(&self, state: &str, at: DateTime<Utc>) -> Heartbeat {
        let now = self.now();
        Heartbeat {
            pid: std::process::id(),
            host: self.host.clone(),
            started_at: self.started_at,
            last_check_at: now.last_check_at,
            last_attempt_at: Some(at),
            last_error: now.reading.as_ref().or(now.delivering.as_ref()).or(now.desk.as_ref()).cloned(),
            next_check_at: now.next_check_at,
            progress: now.progress.clone(),
            state: state.to_owned(),
        }
    }

    /// The same on one line, for the service manager.
    pub(super) fn in_words(&self, state: &str) -> String {
        let now = self.now();
        match (now.reading.as_ref().or(now.delivering.as_ref()), &now.progress, now.last_check_at) {
            (Some(error), ..) => one_line(error),
            (None, Some(progress), _) => progress.clone(),
            (None, None, Some(at)) => format!("mail checked {}", at.format("%H:%M:%S UTC")),
            (None, None, None) => state.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_signs_are_good_only_while_both_tasks_give_theirs() {
        let minutes = |count: u64| Duration::from_secs(60 * count);
        let signs = Signs::new(String::new(), Utc::now(), None);
        signs.reads(minutes(60));
        tokio::time::advance(minutes(70)).await;
        assert!(signs.are_good(), "it waits for its next look, and nothing is to be delivered");
        signs.delivers(true);
        signs.reads(minutes(60));
        tokio::time::advance(minutes(15)).await;
        assert!(!signs.are_good(), "a hand-over hangs");
        signs.delivers(false);
        assert!(signs.are_good());
        signs.reads(Duration::ZERO);
        tokio::time::advance(minutes(15)).await;
        assert!(!signs.are_good(), "a look hangs");
    }
}
