//! How mail comes and goes: the sections `[imap]`, `[smtp]` and `[maildir]`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::section::Section;
use super::token::secret;
use crate::io::access::Access;
use crate::io::bearer::Way;
use crate::io::oauth::Grant;
use crate::io::smtp::Security;
use crate::io::tls::Trust;

/// How mail comes and goes.
#[derive(Debug, Clone)]
pub enum Mail {
    /// Two servers.
    Servers {
        /// Where mail is read.
        imap: Box<Imap>,
        /// Where notices and drafts are handed over.
        smtp: Box<Smtp>,
    },
    /// A folder on this machine: read from, and delivered into.
    Maildir {
        /// The folder with `cur`, `new` and `tmp`.
        path: PathBuf,
        /// Folders to read beside the inbox.
        folders: Vec<String>,
        /// How often it is looked at.
        poll: Duration,
    },
}

impl Mail {
    /// The logins at providers that the servers need; one that serves for both stands here once.
    pub fn logins(&self) -> Vec<&Grant> {
        let Mail::Servers { imap, smtp } = self else { return Vec::new() };
        match (&imap.password, &smtp.password) {
            (Access::Login(one), Access::Login(other)) if one.is_same(other) => vec![one],
            (one, other) => [one, other]
                .into_iter()
                .filter_map(|source| match source {
                    Access::Login(grant) => Some(grant),
                    Access::Kept(_) => None,
                })
                .collect(),
        }
    }

    /// What comes of logins is kept in this folder.
    pub fn keep_logins_in(&mut self, folder: &Path) {
        let Mail::Servers { imap, smtp } = self else { return };
        for source in [&mut imap.password, &mut smtp.password] {
            if let Access::Login(grant) = source {
                *grant = grant.clone().in_folder(folder);
            }
        }
    }
}

/// The mailbox.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the keys of the configuration file, explained there")]
pub struct Imap {
    pub host: String,
    pub port: u16,
    pub user: String,
    pub password: Access,
    pub way: Way,
    pub folders: Vec<String>,
    pub poll: Duration,
    pub idle: bool,
    pub trust: Trust,
}

/// The relay.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the keys of the configuration file, explained there")]
pub struct Smtp {
    pub host: String,
    pub port: u16,
    pub security: Security,
    pub user: String,
    pub password: Access,
    pub way: Way,
    pub hello: String,
    pub trust: Trust,
}

/// Reads the sections; `None` where there is none of them, or none that can be used.
pub(super) fn mail(root: &mut Section<'_>, folder: &Path) -> Option<Mail> {
    let imap = root.section("imap").map(|mut s| imap(&mut s, folder));
    let smtp = root.section("smtp").map(|mut s| smtp(&mut s, folder));
    let maildir = root.section("maildir").map(|mut s| maildir(&mut s));
    match (imap, smtp, maildir) {
        (None, None, None) => None,
        (None, None, Some(maildir)) => maildir,
        (Some(imap), Some(smtp), None) => {
            let (mut imap, mut smtp) = (Box::new(imap?), Box::new(smtp?));
            share(&mut imap.password, &mut smtp.password);
            Some(Mail::Servers { imap, smtp })
        }
        (Some(_), None, None) => {
            root.problem("smtp", "the section is missing", "notices and drafts reach you by SMTP: add [smtp]");
            None
        }
        (None, Some(_), None) => {
            root.problem("imap", "the section is missing", "the opponents' mails are read by IMAP: add [imap]");
            None
        }
        (_, _, Some(_)) => {
            root.problem("maildir", "stands beside [imap] or [smtp]", "use either the two servers or a Maildir");
            None
        }
    }
}

/// One login for both servers, where it can be one: its tokens are good for both.
fn share(imap: &mut Access, smtp: &mut Access) {
    if let (Access::Login(one), Access::Login(other)) = (&mut *imap, &mut *smtp)
        && one.is_same(other)
    {
        *one = one.clone().with_scopes_of(other);
        *other = one.clone();
    }
}

fn imap(s: &mut Section<'_>, folder: &Path) -> Option<Imap> {
    let (host, port) = s.server("the name of your provider's IMAP server", 993);
    let user = s.text("user", "the login name, mostly your address");
    let secret = secret(s, user.as_deref(), folder);
    let folders = s.opt_texts("folders").unwrap_or_else(|| vec!["INBOX".to_owned()]);
    if folders.is_empty() {
        s.problem("folders", "the list is empty", "folders = [\"INBOX\"]");
    }
    let poll = s.pause("poll", Duration::from_secs(300), Duration::from_secs(1));
    let idle = s.flag("idle", true);
    let trust = s.trust();
    s.finish();
    let (password, way) = secret?;
    Some(Imap { host: host?, port, user: user?, password, way, folders, poll, idle, trust })
}

fn smtp(s: &mut Section<'_>, folder: &Path) -> Option<Smtp> {
    let security = match s.opt_text("security").as_deref() {
        None | Some("implicit") => Security::Implicit,
        Some("starttls") => Security::StartTls,
        Some(other) => {
            s.problem(
                "security",
                &format!("`{other}` is not known"),
                "\"implicit\" (port 465) or \"starttls\" (port 587); mail is never sent in the clear",
            );
            Security::Implicit
        }
    };
    let usual = if security == Security::Implicit { 465 } else { 587 };
    let (host, port) = s.server("the name of your provider's SMTP server", usual);
    let user = s.text("user", "the login name, mostly your address");
    let secret = secret(s, user.as_deref(), folder);
    let hello = s.opt_text("hello").unwrap_or_else(|| "localhost".to_owned());
    let trust = s.trust();
    s.finish();
    let (password, way) = secret?;
    Some(Smtp { host: host?, port, security, user: user?, password, way, hello, trust })
}

fn maildir(s: &mut Section<'_>) -> Option<Mail> {
    let path = s.text("path", "the folder that has cur, new and tmp");
    let folders = s.opt_texts("folders").unwrap_or_default();
    let poll = s.pause("poll", Duration::from_secs(60), Duration::from_secs(1));
    s.finish();
    Some(Mail::Maildir { path: PathBuf::from(path?), folders, poll })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn imap(lines: &str) -> Result<(String, u16), Vec<String>> {
        let account = "user = \"u\"\npassword.file = \"/p\"\n";
        let text = format!(
            "[me]\nname = \"N\"\nemails = [\"n@example.org\"]\ntimezone = \"UTC\"\n[smtp]\nhost = \"h\"\n{account}[imap]\n{account}{lines}"
        );
        match Config::parse(&text) {
            Ok(Config { mail: Some(Mail::Servers { imap, .. }), .. }) => Ok((imap.host, imap.port)),
            Ok(other) => panic!("{other:?}"),
            Err(problems) => Err(problems.into_iter().map(|p| format!("{}: {}", p.key, p.why)).collect()),
        }
    }

    #[test]
    fn a_token_takes_the_place_of_the_password() {
        let account = |secret: &str| {
            let server = format!("host = \"h\"\nuser = \"u\"\n{secret}\n");
            let text = format!(
                "[me]\nname = \"N\"\nemails = [\"n@example.org\"]\ntimezone = \"UTC\"\n[imap]\n{server}[smtp]\n{server}"
            );
            match Config::parse(&text) {
                Ok(Config { mail: Some(Mail::Servers { imap, smtp }), .. }) => Ok((imap.way, smtp.way)),
                Ok(other) => panic!("{other:?}"),
                Err(problems) => Err(problems.into_iter().map(|p| format!("{}: {}", p.key, p.why)).next().unwrap()),
            }
        };
        assert_eq!(account("token.command = [\"oama\", \"access\", \"u\"]"), Ok((Way::Token, Way::Token)));
        assert_eq!(account("password.file = \"/p\""), Ok((Way::Password, Way::Password)));
        for (secret, problem) in [
            ("token.command = []", "imap.token: has no command"),
            ("token.file = \"/p\"", "imap.token.file: is not known"),
            ("token.command = [\"x\"]\npassword.file = \"/p\"", "imap.password: stands beside a token"),
            ("token = \"abc\"", "imap.token: is a text, not a section"),
        ] {
            assert_eq!(account(secret), Err(problem.to_owned()), "{secret}");
        }
    }

    #[test]
    fn a_port_may_stand_behind_the_host() {
        for (lines, host, port) in [
            ("host = \"imap.example.org\"", "imap.example.org", 993),
            ("host = \"imap.example.org:1993\"", "imap.example.org", 1993),
            ("host = \"imap.example.org:1993\"\nport = 1993", "imap.example.org", 1993),
            ("host = \"::1\"\nport = 1993", "::1", 1993),
            ("host = \"[::1]:1993\"", "::1", 1993),
        ] {
            assert_eq!(imap(lines), Ok((host.to_owned(), port)), "{lines}");
        }
        for (lines, problem) in [
            ("host = \"h:1993\"\nport = 993", "imap.host: names port 1993, and `port` is 993"),
            ("host = \"h:imap\"", "imap.host: `h:imap` is no server"),
            ("host = \"h:0\"", "imap.host: `h:0` is no server"),
        ] {
            assert_eq!(imap(lines), Err(vec![problem.to_owned()]), "{lines}");
        }
    }
}
