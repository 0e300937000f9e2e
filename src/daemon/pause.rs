//! How long to wait after a failure: exponential, with full jitter, so that many clients do not come back at once.

use std::time::Duration;

const FIRST: Duration = Duration::from_secs(5);
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// The longest pause after so many failures in a row: 5 s, 10 s, 20 s ... 15 min.
pub(super) fn backoff(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(20);
    FIRST.saturating_mul(1 << doublings).min(LONGEST)
}

/// A random pause up to `most`, at least one second.
pub(super) fn full_jitter(most: Duration) -> Duration {
    let millis = u64::try_from(most.as_millis()).unwrap_or(u64::MAX).max(1000);
    let random = getrandom::u64().unwrap_or(millis / 2);
    Duration::from_millis(1000 + random % (millis - 999))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_doubles_up_to_a_quarter_of_an_hour() {
        let seconds: Vec<u64> = [0, 1, 2, 3, 8, 9, 100, u32::MAX].map(|n| backoff(n).as_secs()).to_vec();
        assert_eq!(seconds, [5, 5, 10, 20, 640, 900, 900, 900]);
    }

    #[test]
    fn jitter_stays_between_a_second_and_the_limit() {
        for _ in 0..1000 {
            let pause = full_jitter(Duration::from_secs(20));
            assert!(pause >= Duration::from_secs(1) && pause <= Duration::from_secs(20), "{pause:?}");
        }
        assert_eq!(full_jitter(Duration::from_millis(3)), Duration::from_secs(1));
    }
}
