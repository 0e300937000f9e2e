//! `amici health`: for monitors and containers; 0 when the daemon lives and reads the mailbox, 8 when not.

use clap::Args as ClapArgs;
use serde_json::json;

use super::line::doubted;
use super::status::ago;
use super::{Exit, Failure, Report, Setup};
use crate::daemon::host_name;
use crate::io::store::{Heartbeat, Store};

/// Say whether the daemon is alive and reads the mailbox
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// One JSON document
    #[arg(long)]
    json: bool,
}

/// After its announced next sign of life, a daemon may be this late.
const GRACE: chrono::Duration = chrono::Duration::minutes(2);
/// Without a completed check for so long, it counts as deaf.
const DEAF: chrono::Duration = chrono::Duration::minutes(60);

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let (beat, doubt) = match setup.store_if_any().await? {
        Some(mut store) => (store.heartbeat().await?, store.clock_doubt(setup.now).await?),
        None => (None, None),
    };
    let is_gone = match &beat {
        // of another machine's process the lock may tell nothing here
        Some(beat) if beat.host == host_name() => Store::holder(&setup.data)?.is_none_or(|holder| holder.what != "run"),
        _ => false,
    };
    let verdict = verdict(beat.as_ref(), is_gone, setup.now);
    if args.json {
        let document = json!({
            "schema": 1, "now": setup.now, "ok": verdict.is_ok(), "why": verdict.as_ref().unwrap_or_else(|why| why).trim_end(),
            "clock_doubt": doubt.map(|why| why.to_string()),
            "last_check": beat.as_ref().and_then(|b| b.last_check_at), "last_error": beat.as_ref().and_then(|b| b.last_error.as_deref()),
        });
        let exit = if verdict.is_ok() { Exit::Ok } else { Exit::NoDaemon };
        return Ok(Report { text: format!("{document:#}\n"), exit });
    }
    match verdict {
        Ok(text) => Ok(format!("{text}{}", doubted(doubt)).into()),
        Err(text) => Err(Failure::new(Exit::NoDaemon, text)),
    }
}

/// `is_gone`: the daemon of this sign of life does not hold its lock any more, which the kernel gives back when it ends.
fn verdict(beat: Option<&Heartbeat>, is_gone: bool, now: chrono::DateTime<chrono::Utc>) -> Result<String, String> {
    let Some(beat) = beat else {
        return Err("the daemon never ran here\nhelp: amici run".to_owned());
    };
    match beat.state.as_str() {
        "ended" => return Err("the daemon was stopped\nhelp: amici run".to_owned()),
        "polled" => {
            return Err("no daemon runs; the last look was `amici poll`\nhelp: amici run".to_owned());
        }
        _ if is_gone => {
            return Err(format!(
                "the daemon (process {} on {}) is gone: it was killed, or the machine was switched off\nhelp: amici run",
                beat.pid, beat.host
            ));
        }
        _ => {}
    }
    if let Some(late) = beat.next_check_at.map(|next| now - next).filter(|late| *late > GRACE) {
        return Err(format!(
            "the daemon (process {} on {}) gives no sign of life; it is {} late",
            beat.pid,
            beat.host,
            ago(late)
        ));
    }
    let error = beat.last_error.as_deref().map(|e| format!(": {e}")).unwrap_or_default();
    match beat.last_check_at {
        Some(at) if now - at <= DEAF => Ok(format!("alive; mail checked {} ago{error}\n", ago(now - at))),
        Some(at) => Err(format!("alive, but the mailbox was last checked {} ago{error}", ago(now - at))),
        None if now - beat.started_at <= DEAF && error.is_empty() => {
            Ok("alive; the first check is under way\n".to_owned())
        }
        None => Err(format!("alive, but the mailbox was never checked{error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beat() -> Heartbeat {
        let at = |text: &str| text.parse().unwrap();
        Heartbeat {
            pid: 7,
            host: "home".to_owned(),
            started_at: at("2026-03-18T10:00:00Z"),
            last_check_at: Some(at("2026-03-18T12:00:00Z")),
            last_attempt_at: Some(at("2026-03-18T12:00:00Z")),
            last_error: None,
            next_check_at: Some(at("2026-03-18T12:05:00Z")),
            state: "running".to_owned(),
        }
    }

    fn at(text: &str) -> chrono::DateTime<chrono::Utc> {
        format!("2026-03-18T{text}:00Z").parse().unwrap()
    }

    #[test]
    fn a_daemon_that_checks_in_time_is_healthy() {
        assert!(verdict(Some(&beat()), false, at("12:04")).is_ok());
        assert!(verdict(Some(&beat()), false, at("12:06")).is_ok());
    }

    #[test]
    fn a_daemon_without_its_lock_is_gone_whatever_its_last_sign_of_life_says() {
        assert!(verdict(Some(&beat()), true, at("12:00")).unwrap_err().contains("process 7 on home) is gone"));
        let ended = Heartbeat { state: "ended".to_owned(), ..beat() };
        assert!(verdict(Some(&ended), true, at("12:00")).unwrap_err().contains("was stopped"));
    }

    #[test]
    fn no_daemon_a_stopped_one_and_a_silent_one_are_not() {
        assert!(verdict(None, false, at("12:00")).unwrap_err().contains("never ran"));
        let ended = Heartbeat { state: "ended".to_owned(), ..beat() };
        assert!(verdict(Some(&ended), false, at("12:00")).unwrap_err().contains("stopped"));
        assert!(verdict(Some(&beat()), false, at("12:10")).unwrap_err().contains("process 7 on home"));
    }

    #[test]
    fn a_daemon_that_cannot_read_its_mailbox_is_deaf_after_an_hour() {
        let deaf = Heartbeat { last_error: Some("refused".to_owned()), next_check_at: Some(at("14:00")), ..beat() };
        assert!(verdict(Some(&deaf), false, at("12:50")).is_ok());
        assert!(verdict(Some(&deaf), false, at("13:30")).unwrap_err().contains("refused"));
        let never = Heartbeat { last_check_at: None, ..deaf };
        assert!(verdict(Some(&never), false, at("12:01")).is_err());
    }
}
