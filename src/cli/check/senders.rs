//! Whose results on a mail's sender can be believed: looked for in the newest mails of the mailbox, and written into the configuration
//! once the player says yes.

use super::super::confirm::Consent;
use super::super::settings::Settings;
use super::super::{Failure, Setup};
use super::tried::Tried;
use crate::config::Config;
use crate::mail::authentication::{OwnServer, own_server_in};
use crate::mail::headers::Headers;
use crate::mail::sender::from_headers;

/// The newest mails that are looked at.
pub(super) const NEWEST: usize = 30;
/// Bytes of a header that are read; the fields of the own server stand on top.
pub(super) const TOP: u32 = 16_384;

/// What the newest mails say of the own server; a change of the configuration needs `yes`, or a yes on a terminal.
///
/// # Errors
/// Where the configuration cannot be written.
pub(super) fn tried(
    setup: &Setup,
    config: &Config,
    mut headers: Vec<Headers>,
    yes: bool,
) -> Result<Option<Tried>, Failure> {
    let found = found(&mut headers, config);
    let of = |count: usize| format!("{count} of the {} newest mails", headers.len());
    let senders = &config.senders;
    if !senders.own_server.ids.is_empty() {
        let ids = senders.own_server.ids.join(", ");
        let count = headers.iter().filter(|headers| senders.own_server.wrote_into(headers)).count();
        return Ok((!headers.is_empty()).then(|| match count {
            0 => {
                let help = found.map(|(own, _)| format!("\nhelp: set [senders] {}", keys(&own)));
                let said = format!("results of {ids} stand in none of the {} newest mails", headers.len());
                (false, "senders", said + &help.unwrap_or_default())
            }
            count => (true, "senders", format!("results of {ids} in {}", of(count))),
        }));
    }
    let Some((own, count)) = found else { return Ok(None) };
    let (id, keys) = (own.ids.join(", "), keys(&own));
    let said = format!("{id} writes into {} whether their senders are proven", of(count));
    let proposal = format!(
        "Your mail server {said}.\nOnce it is believed, a sender who was proven needs such a proof from then on."
    );
    let consent =
        if yes { Consent::Yes } else { setup.asked.to(&proposal, &format!("Write {keys} into your configuration?")) };
    Ok(Some((
        true,
        "senders",
        match consent {
            Consent::Yes => {
                Settings::change(setup, |settings| settings.believe(&own))?;
                format!("{said}; it is believed from now on ({keys})\nhelp: start the service anew, if it runs")
            }
            Consent::No => format!("{said}; nobody is proven as long as it is not in your configuration"),
            Consent::NotAsked => {
                format!(
                    "{said}\nhelp: `amici check --yes` writes {keys} into your configuration, so that it is believed"
                )
            }
        },
    )))
}

/// What the configuration says of a server.
pub(in crate::cli) fn keys(own: &OwnServer) -> String {
    let below = own.received_by.iter().map(|host| format!("\"{host}\"")).collect::<Vec<_>>().join(", ");
    let below = if below.is_empty() { String::new() } else { format!(" and received_by = [{below}]") };
    format!("authserv_id = \"{}\"{below}", own.ids.join(", "))
}

/// The player's own server, as the newest mails tell it, with how many of them do. What he sends to himself, and our letters to him, may
/// not have passed its check.
pub(in crate::cli) fn found(headers: &mut Vec<Headers>, config: &Config) -> Option<(OwnServer, usize)> {
    headers.retain(|headers| !from_headers(headers).is_ok_and(|from| config.me.is_mine(&from.address)));
    own_server_in(headers)
}
