//! `amici check --send`: a mail to the player goes out as notices do, and is waited for where his opponents' mails arrive.

use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::time::{Instant, sleep};

use super::tried::Tried;
use crate::config::{Config, Imap, Mail, Me, Smtp};
use crate::daemon::{look_into, relay};
use crate::io::imap::{ImapError, Mailbox};
use crate::io::role::Role;
use crate::io::smtp::{Delivery, Parcel, Session};
use crate::letters::{Letter, trial};

/// How long the mail may take. Providers mostly need seconds; some look at a mail for half a minute.
const PATIENCE: Duration = Duration::from_secs(90);
/// Between two looks.
const PAUSE: Duration = Duration::from_secs(1);

/// Sends it and waits for it.
pub(super) async fn tried(config: &Config, now: DateTime<Utc>) -> Tried {
    let came = match &config.mail {
        Some(Mail::Servers { imap, smtp }) => round(config, (imap, smtp), now).await,
        Some(Mail::Maildir { .. }) => Err("mails are put into the Maildir itself; none is sent".to_owned()),
        None => Err("no server is configured\nhelp: `amici init` finds yours".to_owned()),
    };
    match came {
        Ok(said) => (true, "test mail", said),
        Err(why) => (false, "test mail", why),
    }
}

async fn round(config: &Config, (imap, smtp): (&Imap, &Smtp), now: DateTime<Utc>) -> Result<String, String> {
    let letter = trial(&config.me, now).map_err(|error| error.to_string())?;
    let mut mailbox = look_into(imap, config.limits.largest_mail).await?;
    let said = send(smtp, &config.me, &letter).await?;
    let start = Instant::now();
    let junk = mailbox.special_folder(Role::Junk, None).await.ok();
    loop {
        for folder in &imap.folders {
            if holds(&mut mailbox, folder, &letter.message_id).await.map_err(|error| error.to_string())? {
                mailbox.close().await;
                let seconds = start.elapsed().as_secs();
                return Ok(format!("to {} and back into {folder}, in {seconds} s", letter.recipient));
            }
        }
        // a folder that is only looked at beside may be away
        if let Some(folder) = &junk
            && holds(&mut mailbox, folder, &letter.message_id).await.is_ok_and(|holds| holds)
        {
            let help = "say in your mail program that it is no junk, or notices will be missed";
            return Err(format!("the mail came into {folder}\nhelp: {help}"));
        }
        if start.elapsed() > PATIENCE {
            let (host, folders, seconds) = (&smtp.host, imap.folders.join(", "), PATIENCE.as_secs());
            return Err(format!(
                "{host} took the mail to {} ({said}), and it did not come into {folders} within {seconds} s\n\
                 help: look into your other folders, and whether your provider sorts mails by itself",
                letter.recipient
            ));
        }
        sleep(PAUSE).await;
    }
}

async fn holds(mailbox: &mut Mailbox, folder: &str, message_id: &str) -> Result<bool, ImapError> {
    let folder = mailbox.examine(folder).await?;
    Ok(folder.exists > 0 && !mailbox.find_message_id(&folder, message_id).await?.is_empty())
}

/// Hands the letter over; gives the server's words.
async fn send(smtp: &Smtp, me: &Me, letter: &Letter) -> Result<String, String> {
    let password = smtp.password.read(Utc::now()).await.map_err(|error| error.to_string())?;
    let from = me.address().map(ToString::to_string).unwrap_or_default();
    let parcel = Parcel::new(&from, &[&letter.recipient], &letter.bytes).map_err(|error| error.to_string())?;
    let session = Session::open(&relay(smtp), Some(&password)).await.map_err(|error| error.to_string())?;
    let ready = session.offer(parcel).await.map_err(|refusal| refusal.error.to_string())?;
    let (delivery, session) = ready.send().await;
    if let Some(session) = session {
        session.close().await;
    }
    match delivery {
        Delivery::Sent { said } => Ok(said),
        Delivery::NotSent(error) | Delivery::Unknown(error) => Err(error.to_string()),
    }
}
