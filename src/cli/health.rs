//! `amici health`: for monitors and containers; 0 when the daemon lives and reads the mailbox, 8 when not.

use clap::Args as ClapArgs;
use serde_json::json;

use super::each::{Form, by_account};
use super::when::ago;
use super::{Exit, Failure, Report, Setup};
use crate::daemon::{Delay, delay, host_name};
use crate::deeds::today::doubted;
use crate::domain::clock::trust::Distrust;
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

/// What there is to judge by.
struct Signs {
    beat: Option<Heartbeat>,
    doubt: Option<Distrust>,
    late: Option<Delay>,
    /// In words; an error where the daemon is not well.
    verdict: Result<String, String>,
}

async fn signs(setup: &Setup) -> Result<Signs, Failure> {
    // what is wrong with the configuration is told by all other commands
    let mail = setup.config().ok().and_then(|config| config.mail);
    let (beat, doubt, late) = match setup.store_if_any().await? {
        Some(mut store) => {
            let late = match &mail {
                Some(mail) => delay(&mut store, mail, setup.now).await?,
                None => None,
            };
            (store.heartbeat().await?, store.clock_doubt(setup.now).await?, late)
        }
        None => (None, None, None),
    };
    let is_gone = match &beat {
        // of another machine's process the lock may tell nothing here
        Some(beat) if beat.host == host_name() => Store::holder(&setup.data)?.is_none_or(|holder| holder.what != "run"),
        _ => false,
    };
    let verdict = verdict(beat.as_ref(), is_gone, late.as_ref(), setup.now);
    Ok(Signs { beat, doubt, late, verdict })
}

/// How the daemon fares, in words; the inner error where it is not well. Of several accounts, a line for each, and what helps once.
pub(super) async fn said(setup: &Setup) -> Result<Result<String, String>, Failure> {
    told(setup, |_| String::new()).await
}

/// The same, and what is to be said of the clock.
async fn told(setup: &Setup, of_clock: fn(Option<Distrust>) -> String) -> Result<Result<String, String>, Failure> {
    let (mut lines, mut helps, mut is_well) = (String::new(), Vec::new(), true);
    for account in setup.each() {
        let Signs { doubt, verdict, .. } = signs(&account).await?;
        let verdict = verdict.map(|text| text + &of_clock(doubt));
        let Some(name) = account.account().filter(|_| setup.account().is_none()) else { return Ok(verdict) };
        is_well &= verdict.is_ok();
        let (Ok(text) | Err(text)) = verdict;
        for line in text.lines() {
            match line.strip_prefix("help: ") {
                Some(help) if helps.iter().any(|known| known == help) => {}
                Some(help) => helps.push(help.to_owned()),
                None => lines.push_str(&format!("{name}: {line}\n")),
            }
        }
    }
    if is_well {
        return Ok(Ok(lines));
    }
    lines.extend(helps.iter().map(|help| format!("help: {help}\n")));
    Ok(Err(lines.trim_end().to_owned()))
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    if args.json {
        return by_account(setup, Form::Json, async |account| as_json(account).await).await;
    }
    told(setup, doubted).await?.map(Report::from).map_err(|text| Failure::new(Exit::NoDaemon, text))
}

async fn as_json(setup: &Setup) -> Result<Report, Failure> {
    let Signs { beat, doubt, late, verdict } = signs(setup).await?;
    let document = json!({
        "schema": 1, "now": setup.now, "ok": verdict.is_ok(), "why": verdict.as_ref().unwrap_or_else(|why| why).trim_end(),
        "clock_doubt": doubt.map(|why| why.to_string()),
        "last_check": beat.as_ref().and_then(|b| b.last_check_at), "last_error": last_error(beat.as_ref(), late.as_ref()), "progress": beat.as_ref().and_then(|b| b.progress.as_deref()),
        "waiting": late.as_ref().map(delay_json),
    });
    let exit = if verdict.is_ok() { Exit::Ok } else { Exit::NoDaemon };
    Ok(Report { text: format!("{document:#}\n"), exit })
}

/// `is_gone`: the daemon of this sign of life does not hold its lock any more, which the kernel gives back when it ends.
fn verdict(
    beat: Option<&Heartbeat>,
    is_gone: bool,
    late: Option<&Delay>,
    now: chrono::DateTime<chrono::Utc>,
) -> Result<String, String> {
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
    if let Some(overdue) = beat.next_check_at.map(|next| now - next).filter(|overdue| *overdue > GRACE) {
        return Err(format!(
            "the daemon (process {} on {}) gives no sign of life; it is {} late",
            beat.pid,
            beat.host,
            ago(overdue)
        ));
    }
    if let Some(delay) = late.filter(|delay| delay.is_outage) {
        return Err(format!("alive, but nothing can be delivered: {delay}"));
    }
    let error = last_error(Some(beat), late).map(|e| format!(": {e}")).unwrap_or_default();
    match (&beat.progress, beat.last_check_at) {
        (Some(progress), _) => Ok(format!("alive; {progress}{error}\n")),
        (None, Some(at)) if now - at <= DEAF => Ok(format!("alive; mail checked {} ago{error}\n", ago(now - at))),
        (None, Some(at)) => Err(format!("alive, but the mailbox was last checked {} ago{error}", ago(now - at))),
        (None, None) if now - beat.started_at <= DEAF && error.is_empty() => {
            Ok("alive; the first check is under way\n".to_owned())
        }
        (None, None) => Err(format!("alive, but the mailbox was never checked{error}")),
    }
}

/// What is wrong at present, as far as the daemon knows it, or the mails that wait show.
pub(super) fn last_error(beat: Option<&Heartbeat>, late: Option<&Delay>) -> Option<String> {
    beat.and_then(|beat| beat.last_error.clone()).or_else(|| late.map(ToString::to_string))
}

/// The mails that wait, in the data.
pub(super) fn delay_json(delay: &Delay) -> serde_json::Value {
    json!({"mails": delay.mails, "since": delay.since, "why": delay.why})
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
            progress: None,
            state: "running".to_owned(),
        }
    }

    fn at(text: &str) -> chrono::DateTime<chrono::Utc> {
        format!("2026-03-18T{text}:00Z").parse().unwrap()
    }

    #[test]
    fn a_daemon_that_checks_in_time_is_healthy() {
        assert!(verdict(Some(&beat()), false, None, at("12:04")).is_ok());
        assert!(verdict(Some(&beat()), false, None, at("12:06")).is_ok());
    }

    #[test]
    fn a_daemon_without_its_lock_is_gone_whatever_its_last_sign_of_life_says() {
        assert!(verdict(Some(&beat()), true, None, at("12:00")).unwrap_err().contains("process 7 on home) is gone"));
        let ended = Heartbeat { state: "ended".to_owned(), ..beat() };
        assert!(verdict(Some(&ended), true, None, at("12:00")).unwrap_err().contains("was stopped"));
    }

    #[test]
    fn no_daemon_a_stopped_one_and_a_silent_one_are_not() {
        assert!(verdict(None, false, None, at("12:00")).unwrap_err().contains("never ran"));
        let ended = Heartbeat { state: "ended".to_owned(), ..beat() };
        assert!(verdict(Some(&ended), false, None, at("12:00")).unwrap_err().contains("stopped"));
        assert!(verdict(Some(&beat()), false, None, at("12:10")).unwrap_err().contains("process 7 on home"));
    }

    #[test]
    fn a_daemon_that_cannot_read_its_mailbox_is_deaf_after_an_hour() {
        let deaf = Heartbeat { last_error: Some("refused".to_owned()), next_check_at: Some(at("14:00")), ..beat() };
        assert!(verdict(Some(&deaf), false, None, at("12:50")).is_ok());
        assert!(verdict(Some(&deaf), false, None, at("13:30")).unwrap_err().contains("refused"));
        let never = Heartbeat { last_check_at: None, ..deaf };
        assert!(verdict(Some(&never), false, None, at("12:01")).is_err());
    }

    #[test]
    fn a_daemon_that_can_deliver_nothing_is_not_healthy_and_a_first_look_that_goes_on_is() {
        let why = "mail.example.org refused the login: 535 no".to_owned();
        let late = Delay { mails: 3, since: at("11:00"), why, is_outage: true };
        let told = verdict(Some(&beat()), false, Some(&late), at("12:04")).unwrap_err();
        assert!(told.contains("3 mails wait to go out since 2026-03-18 11:00 UTC: mail.example.org refused"), "{told}");
        let once = Delay { is_outage: false, ..late };
        let told = verdict(Some(&beat()), false, Some(&once), at("12:04")).unwrap();
        assert!(told.starts_with("alive; mail checked") && told.contains("3 mails wait"), "{told}");
        let progress = Some("reads 1,200 of 5,000 mails".to_owned());
        let first = Heartbeat { last_check_at: None, next_check_at: Some(at("14:00")), progress, ..beat() };
        let told = verdict(Some(&first), false, None, at("13:59")).unwrap();
        assert_eq!(told, "alive; reads 1,200 of 5,000 mails\n");
    }
}
