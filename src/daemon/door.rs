//! Who wakes the running daemon: other commands, through a socket, and the end of a sleep of the machine.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::Instant;

use super::courier::Order;
use super::signs::Signs;
use super::watched::Watched;
use super::{RoundReport, Trouble, one_line};
use crate::io::alarm;
use crate::io::bell::{Bell, Ring};
use crate::io::store::Count;

/// The wish that the daemon looks into the mailbox at once, and says what came of it.
pub const LOOK: &str = "look";
/// The wish that what waits goes out.
pub const TAKE_OUT: &str = "take-out";

/// How often the daemon wakes while it has nothing to do; and at once when the machine does that slept for so long.
const PULSE: Duration = Duration::from_secs(30);
/// The machine's own count and the runtime's differ by no more than this unless the machine slept.
const SLEPT: TimeDelta = TimeDelta::seconds(5);

/// What came of a look that another command asked for.
#[derive(Debug, Serialize, Deserialize)]
pub enum Answer {
    /// It was done.
    Done(RoundReport),
    /// It came to trouble: in words, and whether the database is the cause.
    Trouble(String, bool),
}

/// Somebody who waits for a look.
pub(super) type Call = Ring;

/// Lets in who rings, until the daemon ends. Whatever he did may also have mended what keeps the mailbox from being read.
pub(super) async fn serve(
    bell: Bell,
    (signs, woken): (Arc<Signs>, Arc<Notify>),
    calls: mpsc::Sender<Call>,
    orders: mpsc::Sender<Order>,
) {
    loop {
        match bell.next().await {
            Ok(ring) if ring.wish == LOOK => {
                if calls.send(ring).await.is_err() {
                    return;
                }
            }
            Ok(ring) => {
                if signs.reading_fails() {
                    woken.notify_one();
                }
                let _ = orders.try_send(None);
                ring.answer("").await;
            }
            Err(error) => {
                tracing::warn!("nobody can wake the daemon for now: {}", one_line(&error.to_string()));
                tokio::time::sleep(PULSE).await;
            }
        }
    }
}

/// Tells those who asked what came of the look, once what it left to be delivered has been tried.
pub(super) async fn answer(asking: Vec<Call>, looked: Result<RoundReport, Trouble>, orders: mpsc::Sender<Order>) {
    if asking.is_empty() {
        return;
    }
    let (tell, told) = oneshot::channel();
    let delivered = match orders.send(Some(tell)).await {
        Ok(()) => told.await.ok(),
        Err(_) => None,
    };
    let answer = match looked {
        Ok(mut report) => {
            if let Some(delivered) = delivered {
                report.delivered = delivered.delivered;
                report.delivery_trouble = delivered.delivery_trouble;
            }
            Answer::Done(report)
        }
        Err(trouble) => Answer::Trouble(trouble.message, trouble.in_database),
    };
    let text = serde_json::to_string(&answer).unwrap_or_default();
    for ring in asking {
        ring.answer(&text).await;
    }
}

/// Tells the service manager that all daemons are alive, and wakes the two tasks of this one after the machine has slept.
pub(super) async fn pulse(watched: Arc<Watched>, woken: Arc<Notify>, orders: mpsc::Sender<Order>) {
    let (mut count, mut before) = (Count::read(), Instant::now());
    loop {
        watched.pulse();
        alarm::wait(PULSE).await;
        let (now, instant) = (Count::read(), Instant::now());
        if slept(count.as_ref(), now.as_ref(), instant - before) {
            tracing::info!("the machine has slept; the mailbox is looked at");
            woken.notify_one();
            let _ = orders.try_send(None);
        }
        (count, before) = (now, instant);
    }
}

/// Whether the machine slept between two counts: it counts its sleep, the runtime does not.
fn slept(before: Option<&Count>, now: Option<&Count>, awake: Duration) -> bool {
    let (Some(before), Some(now), Ok(awake)) = (before, now, TimeDelta::from_std(awake)) else { return false };
    before.start == now.start && now.passed - before.passed - awake > SLEPT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleep_shows_by_what_the_machine_counts_beyond_the_time_awake() {
        let count = |start: &str, passed| Count { start: start.to_owned(), passed: TimeDelta::seconds(passed) };
        let (before, pulse) = (count("a", 1000), Duration::from_secs(30));
        assert!(!slept(Some(&before), Some(&count("a", 1031)), pulse));
        assert!(slept(Some(&before), Some(&count("a", 1060)), pulse));
        assert!(!slept(Some(&before), Some(&count("b", 9000)), pulse), "another machine's count");
        assert!(!slept(None, Some(&count("a", 9000)), pulse));
    }
}
