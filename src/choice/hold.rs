//! For how long a choice waits before it is drafted: `10m`, `2h`, `1d`.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Duration, Utc};

/// How long the player wants to sleep on a move: a minute to thirty days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold(Duration);

/// A text that is no [`Hold`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no time to wait: write it as 10m, 2h or 1d, at most 30d")]
pub struct BadHold(pub String);

impl Hold {
    /// The instant at which it ends.
    pub fn until(self, now: DateTime<Utc>) -> DateTime<Utc> {
        now.checked_add_signed(self.0).unwrap_or(now)
    }
}

impl FromStr for Hold {
    type Err = BadHold;

    fn from_str(text: &str) -> Result<Hold, BadHold> {
        let read = || {
            let text = text.trim().to_ascii_lowercase();
            let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            let count: i64 = digits.trim_end().parse().ok()?;
            let minutes = match text.strip_prefix(digits)? {
                "m" | "min" | "minutes" => 1,
                "h" | "hour" | "hours" => 60,
                "d" | "day" | "days" => 24 * 60,
                _ => return None,
            };
            let minutes = count.checked_mul(minutes)?;
            (1..=30 * 24 * 60).contains(&minutes).then(|| Hold(Duration::minutes(minutes)))
        };
        read().ok_or_else(|| BadHold(text.to_owned()))
    }
}

impl fmt::Display for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}m", self.0.num_minutes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_hours_and_days_are_understood() {
        for (text, minutes) in [("10m", 10), ("2h", 120), ("1d", 1440), ("1 day", 1440), ("30D", 43_200)] {
            assert_eq!(text.parse::<Hold>(), Ok(Hold(Duration::minutes(minutes))), "{text}");
        }
        for text in ["", "d", "0d", "31d", "1", "-1d", "1w", "1.5h", "9223372036854775807d"] {
            assert_eq!(text.parse::<Hold>(), Err(BadHold(text.to_owned())));
        }
    }
}
