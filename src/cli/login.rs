//! `amici login`: a person logs in at the provider of his mail, which gives the program tokens from then on.

use std::fmt::Write;
use std::process::{Command, Stdio};

use chrono::Utc;
use clap::Args as ClapArgs;

use super::failure::failed;
use super::{Exit, Failure, Report, Setup, stdio};
use crate::io::oauth::{Grant, OAuthError, Random, Tokens};

/// Log in at the provider of your mail, where it takes no password
///
/// For the accounts whose server has `token.provider` in the configuration. You log in on a page of the provider: with a code that you type
/// there, on any device, or in the browser of this machine. The first is done where the provider has it, unless you say otherwise; Google has
/// only the second. What comes of it is kept and renewed; log in anew when the provider takes it no more.
///
/// The browser comes back to a port of the machine that amici runs on. Where your browser is on another one, say
/// `amici login --browser --port 8400` on the first, and on yours, for as long as you log in, `ssh -L 8400:127.0.0.1:8400 HOST`.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// With a code that you type on a page of the provider
    #[arg(long, conflicts_with_all = ["browser", "port"])]
    device: bool,
    /// In the browser of this machine
    #[arg(long)]
    browser: bool,
    /// The port of this machine that the browser comes back to [default: any that is free]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
}

/// How somebody wants to log in; the default is what the provider has.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wish {
    way: Option<Way>,
    /// 0 is any that is free.
    port: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Device,
    Browser,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let logins: Vec<&Grant> = config.mail.iter().flat_map(|mail| mail.logins()).collect();
    if logins.is_empty() {
        let help = "put token.provider and token.client_id into [imap] and [smtp], as docs/configuration.md tells under Tokens";
        let file = setup.config_file()?;
        let why = "it names no provider to log in at";
        return Err(Failure::new(Exit::Config, format!("{}: {why}\nhelp: {help}", file.display())));
    }
    let way = match (args.device, args.browser || args.port.is_some()) {
        (true, _) => Some(Way::Device),
        (false, true) => Some(Way::Browser),
        (false, false) => None,
    };
    let wish = Wish { way, port: args.port.unwrap_or_default() };
    let mut said = String::new();
    for grant in logins {
        made(grant, wish, &|text| stdio::warn(&[text.to_owned()])).await?;
        grant.keep().await.map_err(of_provider)?;
        let provider = &grant.client().provider;
        let _ =
            writeln!(said, "{} is logged in at {provider}. The login is kept in {}.", grant.account(), grant.place());
    }
    said.push_str("What comes next:\n  amici check            tries both servers with it\n");
    Ok(said.into())
}

/// Lets a person log in, and holds what comes of it; `tell` shows him what he has to know.
pub(super) async fn made(grant: &Grant, wish: Wish, tell: &impl Fn(&str)) -> Result<(), Failure> {
    let way = match wish.way {
        Some(way) => way,
        None if grant.client().device.is_some() => Way::Device,
        None => Way::Browser,
    };
    let tokens = match way {
        Way::Device => by_code(grant, tell).await?,
        Way::Browser => in_browser(grant, wish.port, tell).await?,
    };
    grant.hold(tokens, Utc::now()).await.map_err(of_provider)
}

async fn by_code(grant: &Grant, tell: &impl Fn(&str)) -> Result<Tokens, Failure> {
    let client = grant.client();
    let device = client.device().await.map_err(of_provider)?;
    let minutes = device.lasts().as_secs().div_ceil(60);
    tell(&format!(
        "Log in as {} at {}, on any device:\n  open       {}\n  type there {}\nThe code is good for {minutes} min; amici waits for you here.",
        grant.account(),
        client.provider,
        device.page(),
        device.code()
    ));
    client.logged_in(&device, Utc::now()).await.map_err(of_provider)
}

async fn in_browser(grant: &Grant, port: u16, tell: &impl Fn(&str)) -> Result<Tokens, Failure> {
    let client = grant.client();
    let browser = client.browser(grant.account(), port, random()?).await.map_err(of_provider)?;
    let is_shown = is_opened(browser.link());
    let open = if is_shown { "The page is opened in your browser. If it is not, open" } else { "Open" };
    tell(&format!(
        "Log in as {} at {}.\n{open} this link on this machine within ten minutes; amici waits for you here:\n{}",
        grant.account(),
        client.provider,
        browser.link()
    ));
    client.came_back(browser, Utc::now()).await.map_err(of_provider)
}

/// Calls the browser and does not wait for it; without a screen nothing is called.
fn is_opened(link: &str) -> bool {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let mut browser = Command::new("xdg-open");
    let browser = browser.arg(link).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    has_screen && browser.spawn().is_ok()
}

fn random() -> Result<Random, Failure> {
    let hex = |count: usize| {
        let numbers: Result<Vec<u64>, _> = (0..count).map(|_| getrandom::u64()).collect();
        let numbers = numbers.map_err(|_| failed("the system gives no random numbers"))?;
        Ok::<_, Failure>(numbers.iter().map(|number| format!("{number:016x}")).collect::<String>())
    };
    Ok(Random { state: hex(2)?, verifier: hex(4)?.into() })
}

/// What the provider said, or did not, is told by the exit code as what a mail server says.
fn of_provider(error: OAuthError) -> Failure {
    let exit = match error {
        OAuthError::NoSuchWay { .. }
        | OAuthError::Kept(_)
        | OAuthError::Unkept { .. }
        | OAuthError::Lock { .. }
        | OAuthError::Listen { .. } => Exit::Failed,
        OAuthError::NoLogin { .. }
        | OAuthError::Refused { .. }
        | OAuthError::Denied { .. }
        | OAuthError::TooLate { .. }
        | OAuthError::Client { .. }
        | OAuthError::NoRefreshToken { .. }
        | OAuthError::Unreached { .. }
        | OAuthError::Garbled { .. } => Exit::MailServer,
    };
    Failure::new(exit, error.to_string())
}
