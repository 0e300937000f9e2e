//! How long to wait after a failure: exponential, with jitter, so that many clients do not come back at once.

use std::time::Duration;

const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// The longest pause after so many failures in a row: 1 s, 2 s, 4 s ... 15 min.
pub(super) fn backoff(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(20);
    FIRST.saturating_mul(1 << doublings).min(LONGEST)
}

/// A random pause between half of `most` and all of it, at least one second.
pub(super) fn jittered(most: Duration) -> Duration {
    let millis = u64::try_from(most.as_millis()).unwrap_or(u64::MAX).max(1000);
    let random = getrandom::u64().unwrap_or(millis / 2);
    let half = (millis / 2).max(1000);
    Duration::from_millis(half + random % (millis - half + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_doubles_up_to_a_quarter_of_an_hour() {
        let seconds: Vec<u64> = [0, 1, 2, 3, 10, 11, 100, u32::MAX].map(|n| backoff(n).as_secs()).to_vec();
        assert_eq!(seconds, [1, 1, 2, 4, 512, 900, 900, 900]);
    }

    #[test]
    fn jitter_stays_between_half_of_the_limit_and_the_limit() {
        for _ in 0..1000 {
            let pause = jittered(Duration::from_secs(20));
            assert!(pause >= Duration::from_secs(10) && pause <= Duration::from_secs(20), "{pause:?}");
        }
        assert_eq!(jittered(Duration::from_millis(3)), Duration::from_secs(1));
    }
}
