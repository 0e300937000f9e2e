//! What the player is told by mail beside the notices of mails: the section `[notify]`.

use chrono::NaiveTime;

use super::section::Section;

/// When the player is told what bites next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notify {
    /// The time of the day in his own place at which a digest may go out; `None`: never.
    pub digest: Option<NaiveTime>,
    /// A mark that can cost a game is urgent from so many days before it on.
    pub urgent_days: u32,
    /// Notices show the board as a picture; [`super::Me`] carries it to them.
    pub picture: bool,
}

impl Default for Notify {
    fn default() -> Self {
        Notify { digest: NaiveTime::from_hms_opt(8, 0, 0), urgent_days: 3, picture: true }
    }
}

/// Reads the section.
pub(super) fn notify(s: &mut Section<'_>) -> Notify {
    let default = Notify::default();
    let digest = match s.opt_text("digest").as_deref() {
        None => default.digest,
        Some("off") => None,
        Some(text) => {
            let time = NaiveTime::parse_from_str(text, "%H:%M").ok();
            if time.is_none() {
                s.problem(
                    "digest",
                    &format!("cannot be \"{text}\""),
                    "a time of the day such as \"08:00\", or \"off\"",
                );
            }
            time
        }
    };
    let days = s.number("urgent_days", i64::from(default.urgent_days), 0..=30);
    let picture = s.flag("picture", default.picture);
    s.finish();
    Notify { digest, urgent_days: u32::try_from(days).unwrap_or(default.urgent_days), picture }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    const ME: &str = "[me]\nname = \"Nora\"\nemails = [\"nora@example.org\"]\ntimezone = \"Europe/Stockholm\"\n";

    fn notify(text: &str) -> Result<Notify, Vec<String>> {
        let config = Config::parse(&format!("{ME}{text}"));
        config.map(|config| config.notify).map_err(|p| p.into_iter().map(|p| format!("{}: {}", p.key, p.why)).collect())
    }

    #[test]
    fn the_digest_has_a_time_or_is_off() {
        let eight = NaiveTime::from_hms_opt(8, 0, 0);
        assert_eq!(notify(""), Ok(Notify { digest: eight, urgent_days: 3, picture: true }));
        assert_eq!(
            notify("[notify]\ndigest = \"off\"\nurgent_days = 0\n"),
            Ok(Notify { digest: None, urgent_days: 0, picture: true })
        );
        let late = NaiveTime::from_hms_opt(21, 30, 0);
        assert_eq!(
            notify("[notify]\ndigest = \"21:30\"\n"),
            Ok(Notify { digest: late, urgent_days: 3, picture: true })
        );
    }

    #[test]
    fn the_picture_is_left_out_on_request() {
        assert!(!Config::parse(&format!("{ME}[notify]\npicture = false\n")).unwrap().me.picture);
        assert!(Config::parse(ME).unwrap().me.picture);
    }

    #[test]
    fn what_is_no_time_is_a_problem() {
        let problems = notify("[notify]\ndigest = \"25:00\"\nurgent_days = -1\nhook = 1\n").unwrap_err();
        assert_eq!(
            problems,
            ["notify.digest: cannot be \"25:00\"", "notify.urgent_days: cannot be -1", "notify.hook: is not known"]
        );
    }
}
