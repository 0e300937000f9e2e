//! What a server lets us in with: a password, a token from a command, or a token that the program gets itself by a login at a provider.
//!
//! Knows the addresses and scopes of Microsoft and Google; those of others stand in the configuration.

use std::path::Path;

use super::section::Section;
use crate::io::access::Access;
use crate::io::bearer::Way;
use crate::io::keeper::Keeper;
use crate::io::oauth::{Client, Endpoint, Grant};
use crate::io::secret::SecretSource;

/// A provider that is known.
struct Preset {
    name: &'static str,
    /// For sentences.
    title: &'static str,
    token: &'static str,
    device: Option<&'static str>,
    authorization: &'static str,
    scopes: &'static [&'static str],
    more: &'static [(&'static str, &'static str)],
    /// This machine, as the provider lets the browser come back to it.
    here: &'static str,
}

const PRESETS: [Preset; 2] = [
    Preset {
        name: "microsoft",
        title: "Microsoft",
        token: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
        device: Some("https://login.microsoftonline.com/common/oauth2/v2.0/devicecode"),
        authorization: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
        scopes: &[
            "https://outlook.office.com/IMAP.AccessAsUser.All",
            "https://outlook.office.com/SMTP.Send",
            "offline_access",
        ],
        more: &[],
        here: "localhost",
    },
    Preset {
        name: "google",
        title: "Google",
        token: "https://oauth2.googleapis.com/token",
        // Google's login by a code gives out no tokens for mail
        device: None,
        authorization: "https://accounts.google.com/o/oauth2/v2/auth",
        scopes: &["https://mail.google.com/"],
        // without these a second login gives no refresh token
        more: &[("access_type", "offline"), ("prompt", "consent")],
        here: "127.0.0.1",
    },
];

/// The keys of one of the two ways to a token.
const HELP: &str = "token.command = [\"oama\", \"access\", \"you@example.org\"], or token.provider = \"microsoft\" with token.client_id";

/// What the server of a section lets this user in with.
pub(super) fn secret(s: &mut Section<'_>, user: Option<&str>, folder: &Path) -> Option<(Access, Way)> {
    let Some(mut token) = s.section("token") else {
        return Some((Access::Kept(s.password()?), Way::Password));
    };
    let has_command = token.has("command");
    let command = token.opt_texts("command").filter(|command| !command.is_empty());
    let has_provider = KEYS.iter().any(|key| token.has(key));
    let client = if has_provider { client(&mut token) } else { None };
    KEYS.iter().for_each(|key| token.knows(key));
    token.finish();
    if s.take("password").is_some() {
        s.problem("password", "stands beside a token", "leave out one of the two");
        return None;
    }
    match (has_command, has_provider) {
        (true, true) => {
            s.problem("token", "has a command and a provider", "leave out one of the two");
            None
        }
        (false, true) => {
            let (client, keeper) = client?;
            let grant = Grant::new(client, user?.to_owned(), keeper, folder);
            Some((Access::Login(grant), Way::Token))
        }
        (_, false) => {
            if command.is_none() {
                s.problem("token", "has no command", HELP);
            }
            Some((Access::Kept(SecretSource::Command(command?)), Way::Token))
        }
    }
}

/// The keys of a login at a provider.
const KEYS: [&str; 8] =
    ["provider", "client_id", "client_secret", "store", "scopes", "token_url", "device_url", "authorization_url"];

/// The provider, who the program is there, and where the login is kept.
fn client(s: &mut Section<'_>) -> Option<(Client, Keeper)> {
    let provider =
        s.text("provider", "\"microsoft\", \"google\", or a name of your own for another, whose addresses you give");
    let preset = PRESETS.iter().find(|preset| Some(preset.name) == provider.as_deref());
    let id = s.text("client_id", "what the provider calls the program, once you have registered it there");
    let secret = match s.has("client_secret") {
        true => s.kept_secret(
            "client_secret",
            "client_secret.file = \"/path\" (mode 0600), client_secret.command or client_secret.credential",
        ),
        false => None,
    };
    let store = s.opt_text("store").unwrap_or_else(|| Keeper::default().name().to_owned());
    let keeper = Keeper::named(&store);
    if keeper.is_none() {
        let names = Keeper::ALL.map(|keeper| format!("\"{}\"", keeper.name())).join(", ");
        s.problem("store", &format!("cannot be \"{store}\""), &format!("one of {names}"));
    }
    let token = endpoint(s, "token_url", preset.map(|preset| preset.token));
    let device = endpoint(s, "device_url", preset.and_then(|preset| preset.device));
    let authorization = endpoint(s, "authorization_url", preset.map(|preset| preset.authorization));
    let has_scopes = s.has("scopes");
    let scopes = s.opt_texts("scopes");
    if provider.is_some() && preset.is_none() {
        if token.is_none() && s.had("token_url") {
            let help =
                "the address where the provider gives out tokens; only those of \"microsoft\" and \"google\" are known";
            s.problem("token_url", "is missing", help);
        }
        if device.is_none() && authorization.is_none() && s.had("device_url") && s.had("authorization_url") {
            let help = "the address of the provider for a login by a code (RFC 8628), or authorization_url, that of its page for one in the browser";
            s.problem("device_url", "is missing", help);
        }
        if !has_scopes {
            s.problem("scopes", "is missing", "what the provider calls the access to mail, scopes = [\"...\"]");
        }
    }
    let listed = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let client = Client {
        provider: preset.map_or(provider?, |preset| preset.title.to_owned()),
        id: id?,
        secret: secret.map(Box::new),
        token: token?,
        device,
        authorization,
        scopes: scopes.unwrap_or_else(|| preset.map(|preset| listed(preset.scopes)).unwrap_or_default()),
        more: preset.iter().flat_map(|preset| preset.more.iter().map(owned)).collect(),
        here: preset.map_or("127.0.0.1", |preset| preset.here).to_owned(),
    };
    Some((client, keeper?))
}

/// The address under a key, or the known one.
fn endpoint(s: &mut Section<'_>, key: &'static str, known: Option<&str>) -> Option<Endpoint> {
    let text = s.opt_text(key);
    let endpoint = Endpoint::parse(text.as_deref().or(known)?);
    if let (None, Some(text)) = (&endpoint, &text) {
        s.problem(
            key,
            &format!("`{text}` is no address that secrets can go to"),
            "https://..., or http:// on this machine",
        );
    }
    endpoint
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Mail};

    /// What the two sections let us in with, or all problems.
    fn read(imap: &str, smtp: &str) -> Result<Mail, Vec<String>> {
        let server = |secret: &str| format!("host = \"h\"\nuser = \"nora@example.org\"\n{secret}\n");
        let text = format!(
            "[me]\nname = \"N\"\nemails = [\"n@example.org\"]\ntimezone = \"UTC\"\n[imap]\n{}[smtp]\n{}",
            server(imap),
            server(smtp)
        );
        let problems =
            |p: Vec<crate::config::Problem>| p.into_iter().map(|p| format!("{}: {}", p.key, p.why)).collect();
        Config::parse(&text).map(|config| config.mail.unwrap()).map_err(problems)
    }

    fn client_of(lines: &str) -> Client {
        read(lines, lines).unwrap().logins().first().unwrap().client().clone()
    }

    #[test]
    fn the_known_providers_need_only_a_client_id() {
        for (name, host, has_device) in
            [("microsoft", "login.microsoftonline.com", true), ("google", "oauth2.googleapis.com", false)]
        {
            let client = client_of(&format!("token = {{ provider = \"{name}\", client_id = \"abc\" }}"));
            assert_eq!((client.id.as_str(), client.token.host(), client.device.is_some()), ("abc", host, has_device));
            assert!(client.authorization.is_some() && !client.scopes.is_empty() && client.secret.is_none());
        }
        for preset in PRESETS {
            let addresses = [Some(preset.token), preset.device, Some(preset.authorization)];
            assert!(
                addresses.into_iter().flatten().all(|address| Endpoint::parse(address).is_some()),
                "{}",
                preset.name
            );
        }
    }

    #[test]
    fn what_is_given_takes_the_place_of_what_is_known() {
        let client = client_of(
            "token.provider = \"microsoft\"\ntoken.client_id = \"abc\"\ntoken.client_secret.file = \"/s\"\n\
             token.token_url = \"https://login.example.org/t\"\ntoken.scopes = [\"mail\"]\ntoken.store = \"pass\"",
        );
        assert_eq!((client.token.host(), client.scopes), ("login.example.org", vec!["mail".to_owned()]));
        assert!(matches!(client.secret.as_deref(), Some(SecretSource::File(_))));
        let own = client_of(
            "token = { provider = \"Example\", client_id = \"abc\", token_url = \"https://example.org/t\", \
             device_url = \"https://example.org/d\", scopes = [\"mail\"] }",
        );
        assert_eq!((own.provider.as_str(), own.authorization), ("Example", None));
    }

    #[test]
    fn both_servers_share_a_login_and_what_it_is_good_for() {
        let of = |id: &str, scope: &str| {
            format!("token = {{ provider = \"google\", client_id = \"{id}\", scopes = [\"{scope}\"] }}")
        };
        let mail = read(&of("abc", "imap"), &of("abc", "smtp")).unwrap();
        let logins = mail.logins();
        assert_eq!(logins.len(), 1);
        assert_eq!(logins[0].client().scopes, ["imap", "smtp"]);
        assert_eq!(read(&of("abc", "x"), &of("xyz", "x")).unwrap().logins().len(), 2);
        assert_eq!(read(&of("abc", "x"), "password.file = \"/p\"").unwrap().logins().len(), 1);
    }

    #[test]
    fn what_is_wrong_is_named_by_its_key() {
        let given = "password.file = \"/p\"";
        for (lines, expected) in [
            ("token.provider = \"google\"", vec!["imap.token.client_id: is missing"]),
            ("token.client_id = \"abc\"", vec!["imap.token.provider: is missing"]),
            ("token = { provider = \"google\", client_id = \"\" }", vec!["imap.token.client_id: is empty"]),
            (
                "token = { provider = \"google\", client_idd = \"a\", client_id = \"a\" }",
                vec!["imap.token.client_idd: is not known"],
            ),
            (
                "token = { provider = \"mikrosoft\", client_id = \"abc\" }",
                vec![
                    "imap.token.token_url: is missing",
                    "imap.token.device_url: is missing",
                    "imap.token.scopes: is missing",
                ],
            ),
            (
                "token = { provider = \"google\", client_id = \"abc\", client_secret = \"S3cret\" }",
                vec!["imap.token.client_secret: stands in the file itself"],
            ),
            (
                "token = { provider = \"google\", client_id = \"abc\", client_secret = {} }",
                vec!["imap.token.client_secret: needs exactly one source"],
            ),
            (
                "token = { provider = \"google\", client_id = \"abc\", token_url = \"http://example.org/t\" }",
                vec!["imap.token.token_url: `http://example.org/t` is no address that secrets can go to"],
            ),
            (
                "token = { provider = \"google\", client_id = \"abc\", store = \"cloud\" }",
                vec!["imap.token.store: cannot be \"cloud\""],
            ),
            (
                "token = { provider = \"google\", client_id = \"abc\", command = [\"x\"] }",
                vec!["imap.token: has a command and a provider"],
            ),
            (
                "token = { provider = \"google\", client_id = \"abc\" }\npassword.file = \"/p\"",
                vec!["imap.password: stands beside a token"],
            ),
            ("token = {}", vec!["imap.token: has no command"]),
        ] {
            assert_eq!(read(lines, given).unwrap_err(), expected, "{lines}");
        }
    }
}
