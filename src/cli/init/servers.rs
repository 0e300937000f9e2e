//! The servers of `amici init`: named, kept from before, or found out, and of those the first that can be reached.

use std::time::Duration;

use futures_util::future::join_all;

use super::super::settings::Settings;
use super::super::{Exit, Failure};
use super::{Args, Talk};
use crate::config::{Imap, Mail, Smtp};
use crate::discover::{Autoconfigs, Password, Place, Places, Source, find, guess};
use crate::io::bearer::Way;
use crate::io::dns::Dns;
use crate::io::smtp::{self, Relay, Security};
use crate::io::tls::{self, Trust};
use crate::mail::address::Address;

/// To reach one server, and to agree on encryption.
const PATIENCE: Duration = Duration::from_secs(8);

/// What is spoken with a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Imap,
    Smtp,
}

impl Protocol {
    fn name(self) -> &'static str {
        match self {
            Protocol::Imap => "IMAP",
            Protocol::Smtp => "SMTP",
        }
    }
}

/// The two servers to use.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) imap: Place,
    pub(super) smtp: Place,
    /// How they became known, and by whom they are run.
    pub(super) origin: String,
    pub(super) password: Password,
}

/// The servers that an address, its configuration of before and the options lead to.
pub(super) async fn pair(args: &Args, talk: Talk, address: &Address, before: Option<&Mail>) -> Result<Pair, Failure> {
    let named = args.imap.is_some() || args.smtp.is_some();
    if let (Some(Mail::Servers { imap, smtp }), false, None) = (before, named, &args.autoconfig) {
        return Ok(kept(args, imap, smtp));
    }
    let places = match (&args.imap, &args.smtp) {
        (Some(_), Some(_)) => Places { source: Source::Named, ..guess(address, None) },
        _ => found(args, talk, address).await?,
    };
    let user = |place: Place| Place { user: args.user.clone().unwrap_or(place.user), ..place };
    let imap = match &args.imap {
        Some(text) => named_place(text, 993, Security::Implicit, address)?,
        None => reached(args, &places.imap, Protocol::Imap).await?,
    };
    let smtp = match &args.smtp {
        Some(text) if args.starttls => named_place(text, 587, Security::StartTls, address)?,
        Some(text) => named_place(text, 465, Security::Implicit, address)?,
        None => reached(args, &places.smtp, Protocol::Smtp).await?,
    };
    let strange: Vec<&Place> = [(&imap, args.imap.is_none()), (&smtp, args.smtp.is_none())]
        .into_iter()
        .filter(|(place, is_found)| *is_found && !places.are_vouched_for(place, address))
        .map(|(place, _)| place)
        .collect();
    if !strange.is_empty() {
        vouch(talk, &strange, &imap, &smtp, &places, address)?;
    }
    let who = places.provider.iter().map(|name| format!("{name}, ")).collect::<String>();
    Ok(Pair {
        imap: user(imap),
        smtp: user(smtp),
        origin: format!("{who}{}", places.source),
        password: places.password,
    })
}

/// The servers of the configuration, as they are.
fn kept(args: &Args, imap: &Imap, smtp: &Smtp) -> Pair {
    let place = |host: &str, port: u16, security: Security, user: &str| Place {
        host: host.to_owned(),
        port,
        security,
        user: args.user.clone().unwrap_or_else(|| user.to_owned()),
    };
    Pair {
        imap: place(&imap.host, imap.port, Security::Implicit, &imap.user),
        smtp: place(&smtp.host, smtp.port, smtp.security, &smtp.user),
        origin: "as configured".to_owned(),
        password: Password::Unknown,
    }
}

async fn found(args: &Args, talk: Talk, address: &Address) -> Result<Places, Failure> {
    let autoconfigs = match &args.autoconfig {
        Some(url) => Autoconfigs::At(url.clone()),
        None => {
            talk.tell(&format!("Looking for the servers of {} ...", address.domain()));
            Autoconfigs::Usual
        }
    };
    find(address, &autoconfigs, &Dns::of_the_machine()).await.map_err(|error| {
        let help = "name the servers: --imap HOST --smtp HOST";
        Failure::new(Exit::MailServer, format!("{error}\nhelp: {help}"))
    })
}

/// `HOST` or `HOST:PORT`.
fn named_place(text: &str, port: u16, security: Security, address: &Address) -> Result<Place, Failure> {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, digits)) => (host, digits.parse().ok().filter(|port| *port > 0)),
        None => (text, Some(port)),
    };
    match port {
        Some(port) if !host.is_empty() => {
            Ok(Place { host: host.to_owned(), port, security, user: address.to_string() })
        }
        _ => Err(Failure::new(Exit::Failed, format!("`{text}` is no server\nhelp: write HOST or HOST:PORT"))),
    }
}

/// The first of the places that answers with a good certificate. No password is shown to any.
async fn reached(args: &Args, places: &[Place], protocol: Protocol) -> Result<Place, Failure> {
    let answers = join_all(places.iter().map(|place| answers(place, protocol, args.trust()))).await;
    let mut first = None;
    for (place, answer) in places.iter().zip(answers) {
        match answer {
            Ok(()) => return Ok(place.clone()),
            Err(why) => first = first.or(Some(why)),
        }
    }
    let hosts: Vec<String> = places.iter().map(|place| format!("{}:{}", place.host, place.port)).collect();
    // what is to be done here is not what is to be done about a configuration
    let why: Vec<String> =
        first.iter().flat_map(|why| why.lines()).filter(|line| !line.starts_with("help:")).map(str::to_owned).collect();
    let why = why.join("\n");
    let help =
        format!("name the server that your provider tells you: --{} HOST[:PORT]", protocol.name().to_lowercase());
    let tried = if hosts.len() > 1 { format!("\ntried: {}", hosts.join(", ")) } else { String::new() };
    Err(Failure::new(
        Exit::MailServer,
        format!("no {} server can be reached: {why}{tried}\nhelp: {help}", protocol.name()),
    ))
}

async fn answers(place: &Place, protocol: Protocol, trust: Trust) -> Result<(), String> {
    if protocol == Protocol::Smtp {
        let limits = smtp::Limits { connect: PATIENCE, command: PATIENCE, body: PATIENCE, verdict: PATIENCE };
        let Place { host, port, security, .. } = place.clone();
        let relay = Relay {
            host,
            port,
            security,
            user: None,
            way: Way::Password,
            hello: "localhost".to_owned(),
            trust,
            limits,
        };
        return smtp::check(&relay, None).await.map_err(|error| error.to_string());
    }
    let shake = async {
        let config = tls::client_config(&trust)?;
        let tcp = tls::dial(&place.host, place.port, PATIENCE).await?;
        tls::handshake(config, &place.host, tcp, PATIENCE).await.map(drop)
    };
    shake.await.map_err(|error| error.to_string())
}

/// Servers outside the domain of the address, which nobody who can be believed has named, need the player's word (RFC 6186 section 6).
fn vouch(
    talk: Talk,
    strange: &[&Place],
    imap: &Place,
    smtp: &Place,
    places: &Places,
    address: &Address,
) -> Result<(), Failure> {
    let hosts: Vec<&str> = strange.iter().map(|place| place.host.as_str()).collect();
    let proposal = format!(
        "Your password would go to {}, outside {}: {}. What says so is not proven.",
        hosts.join(" and "),
        address.domain(),
        places.source
    );
    if talk.yes(&proposal, "Is that your provider's?") {
        return Ok(());
    }
    let starttls = if smtp.security == Security::StartTls { " --starttls" } else { "" };
    let help = format!(
        "if it is your provider's, say so: --imap {}:{} --smtp {}:{}{starttls}",
        imap.host, imap.port, smtp.host, smtp.port
    );
    Err(Failure::new(Exit::NeedsConfirmation, format!("{proposal}\nhelp: nothing was written; {help}")))
}

impl Pair {
    /// Writes both servers into the configuration.
    pub(super) fn write(&self, settings: &mut Settings, args: &Args) -> Result<(), Failure> {
        for (section, place, usual) in [("imap", &self.imap, 993), ("smtp", &self.smtp, usual_port(&self.smtp))] {
            settings.set(section, "host", place.host.as_str())?;
            settings.set(section, "user", place.user.as_str())?;
            settings.set_unless(section, "port", i64::from(place.port), place.port == usual)?;
            if let Some(file) = &args.ca_file {
                settings.set(
                    section,
                    "ca_file",
                    std::path::absolute(file).unwrap_or_default().display().to_string(),
                )?;
            }
        }
        let (word, usual) = match self.smtp.security {
            Security::Implicit => ("implicit", true),
            Security::StartTls => ("starttls", false),
        };
        settings.set_unless("smtp", "security", word, usual)
    }
}

fn usual_port(smtp: &Place) -> u16 {
    if smtp.security == Security::StartTls { 587 } else { 465 }
}
