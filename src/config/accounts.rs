//! Several accounts in one file: each `[[account]]` is a configuration of its own, made of what it says and of what the file says above all
//! accounts.
//!
//! A file without `[[account]]` is the configuration of its one account, which has no name, and is none of this module's business.
//! What will surprise you: an account that names a server, or a login at one, inherits no password: none goes where it was not meant to go.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::Serialize;
use toml::{Table, Value};

use super::{Config, ConfigError, Mail, Problem, SentFolder, table};
use crate::io::file;
use crate::mail::address::Address;

/// The longest name of an account.
const LONGEST: usize = 20;
const NAMED: &str =
    "1 to 20 letters, digits, `.`, `_` or `-`, the first a letter or a digit: a folder of the data has this name";
/// The sections that `help` may tell to write: below an account they are written otherwise.
const SECTIONS: [&str; 4] = ["me", "imap", "smtp", "maildir"];

/// The name of an account. Its games lie in a folder of that name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct AccountName(String);

impl AccountName {
    /// Whether it is the same, whatever the case: some file systems do not tell them apart.
    pub fn is(&self, name: &str) -> bool {
        self.0.eq_ignore_ascii_case(name)
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AccountName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for AccountName {
    type Err = String;

    fn from_str(text: &str) -> Result<AccountName, String> {
        let may_stand = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric());
        match begins && text.len() <= LONGEST && text.chars().all(may_stand) {
            true => Ok(AccountName(text.to_owned())),
            false => Err(format!("`{text}` is no name of an account; it has {NAMED}")),
        }
    }
}

/// One of several accounts: a player with a mailbox.
#[derive(Debug, Clone)]
pub struct Account {
    /// What tells it from the others.
    pub name: AccountName,
    /// What holds for it, as if the file were its own.
    pub config: Config,
}

/// The accounts of a file, in its order; there is at least one.
#[derive(Debug, Clone)]
pub struct Accounts(Vec<Account>);

impl Accounts {
    /// Reads and checks a file. `None` where it has no accounts with names, or cannot be taken for a configuration at all: [`Config::load`]
    /// tells then what is wrong.
    ///
    /// # Errors
    /// [`ConfigError`] lists every problem.
    pub fn load(path: &Path) -> Result<Option<Accounts>, ConfigError> {
        // most files speak of accounts in comments only, and are not taken apart twice
        let may_have =
            |text: &String| text.lines().any(|line| line.contains("account") && !line.trim_start().starts_with('#'));
        let Some(text) = file::read_text(path, file::SETTINGS).ok().filter(may_have) else { return Ok(None) };
        let folder = path.parent().unwrap_or(Path::new(""));
        Accounts::parse_in(folder, &text).map_err(|problems| ConfigError { file: path.to_owned(), problems })
    }

    /// Checks a text; the files that it names without a full path lie in `folder`. `None` as for [`Accounts::load`].
    ///
    /// # Errors
    /// Every problem.
    pub fn parse_in(folder: &Path, text: &str) -> Result<Option<Accounts>, Vec<Problem>> {
        let Ok(mut above) = table(text) else { return Ok(None) };
        let Some(listed) = above.remove("account") else { return Ok(None) };
        let tables = match listed {
            Value::Array(items) => {
                items.into_iter().map(|item| item.try_into::<Table>().ok()).collect::<Option<Vec<_>>>()
            }
            _ => None,
        };
        let Some(tables) = tables.filter(|tables| !tables.is_empty()) else {
            let help = "write [[account]], once for each";
            return Err(vec![problem("account".to_owned(), "is not a list of sections", help)]);
        };
        let mut accounts: Vec<Account> = Vec::new();
        let (mut problems, mut views) = (Vec::new(), Vec::new());
        for (number, mut own) in (1..).zip(tables) {
            let name = name(own.remove("name"), number, &accounts, &mut problems);
            let place = name.as_ref().map_or(number.to_string(), ToString::to_string);
            match (Config::of_table(folder, merged(&above, own)), name) {
                (Ok(config), Some(name)) => accounts.push(Account { name, config }),
                (Ok(_), None) => {}
                (Err(found), _) => views.push((place, found)),
            }
        }
        let count = accounts.len() + views.len();
        problems.extend(once(views, count));
        clashes(&accounts, &mut problems);
        if problems.is_empty() {
            nobodys(&above, &accounts, &mut problems);
        }
        if problems.is_empty() { Ok(Some(Accounts(accounts))) } else { Err(problems) }
    }

    /// Their names.
    pub fn names(&self) -> Vec<AccountName> {
        self.0.iter().map(|account| account.name.clone()).collect()
    }

    /// The account of that name.
    pub fn take(self, name: &str) -> Option<Account> {
        self.0.into_iter().find(|account| account.name.is(name))
    }
}

impl<'a> IntoIterator for &'a Accounts {
    type Item = &'a Account;
    type IntoIter = std::slice::Iter<'a, Account>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

fn problem(key: String, why: &str, help: &str) -> Problem {
    Problem { key, why: why.to_owned(), help: help.to_owned() }
}

/// The name of an account, unless something is wrong with it.
fn name(value: Option<Value>, number: usize, before: &[Account], problems: &mut Vec<Problem>) -> Option<AccountName> {
    let key = format!("account.{number}.name");
    let text = match value {
        Some(Value::String(text)) => text,
        Some(other) => {
            problems.push(problem(key, &format!("is {other}, not a text"), "name = \"...\""));
            return None;
        }
        None => {
            problems.push(problem(key, "is missing", &format!("name = \"...\": {NAMED}")));
            return None;
        }
    };
    let Ok(name) = text.parse::<AccountName>() else {
        problems.push(problem(key, &format!("cannot be `{text}`"), NAMED));
        return None;
    };
    if before.iter().any(|other| other.name.is(&text)) {
        problems.push(problem(
            key,
            &format!("`{text}` is the name of an account above"),
            "give each a name of its own",
        ));
        return None;
    }
    Some(name)
}

/// What holds for an account: its sections lie over those above all accounts, key by key, and its lists of sections are added to theirs.
fn merged(above: &Table, own: Table) -> Table {
    let mut view = above.clone();
    if own.contains_key("maildir") {
        view.remove("imap");
        view.remove("smtp");
    }
    if own.contains_key("imap") || own.contains_key("smtp") {
        view.remove("maildir");
    }
    for (section, value) in own {
        match (view.get_mut(&section), value) {
            (Some(Value::Table(there)), Value::Table(own)) => {
                if matches!(section.as_str(), "imap" | "smtp") {
                    keep_secrets_apart(there, &own);
                }
                there.extend(own);
            }
            (Some(Value::Array(there)), Value::Array(own)) => there.extend(own),
            (_, value) => {
                view.insert(section, value);
            }
        }
    }
    view
}

/// Of the server above, an account with another server takes nothing, and one with another login no password and no token of another's.
fn keep_secrets_apart(above: &mut Table, own: &Table) {
    if own.contains_key("host") {
        above.clear();
    }
    let is_given = own.contains_key("password") || own.contains_key("token");
    // by a registration at the provider each logs in for himself
    let is_for_all = above.get("token").is_some_and(|token| token.get("provider").is_some());
    if is_given || (own.contains_key("user") && !is_for_all) {
        above.remove("password");
        above.remove("token");
    }
}

/// What is wrong for each of the accounts is wrong above them, and told once; all else is told with its account.
fn once(views: Vec<(String, Vec<Problem>)>, count: usize) -> Vec<Problem> {
    let shared =
        |problem: &Problem| count > 1 && views.len() == count && views.iter().all(|(_, found)| found.contains(problem));
    let mut told = Vec::new();
    for (number, (place, found)) in views.iter().enumerate() {
        for problem in found {
            match shared(problem) {
                true if number == 0 => told.push(problem.clone()),
                true => {}
                false => told.push(Problem {
                    key: format!("account.{place}.{}", problem.key),
                    why: problem.why.clone(),
                    help: SECTIONS.iter().fold(problem.help.clone(), |help, section| {
                        help.replace(&format!("[{section}]"), &format!("[account.{section}]"))
                    }),
                }),
            }
        }
    }
    told
}

/// What two accounts cannot both have.
fn clashes(accounts: &[Account], problems: &mut Vec<Problem>) {
    for (number, account) in accounts.iter().enumerate() {
        for other in accounts.iter().take(number) {
            let (name, config) = (&account.name, &account.config);
            for address in config.me.emails.iter().filter(|address| other.config.me.is_mine(address)) {
                let why = format!("`{address}` is an address of account {} too", other.name);
                let help = "each address belongs to one account: a mail from it is of that player";
                problems.push(problem(format!("account.{name}.me.emails"), &why, help));
            }
            if let Some((key, what)) = same_mailbox(config, &other.config) {
                let why = format!("{what} is used for account {} already", other.name);
                let help = "a folder belongs to one account: two that share a login name their own for mails, for sent mails (or \"off\") and \
                            for drafts";
                problems.push(problem(format!("account.{name}.{key}"), &why, help));
            }
            if let Some(address) = config.desk.listen.filter(|address| other.config.desk.listen == Some(*address)) {
                let why = format!("the desk of account {} is served at {address} already", other.name);
                let help = "each desk has a port of its own: listen in [account.desk]";
                problems.push(problem(format!("account.{name}.desk.listen"), &why, help));
            }
        }
    }
}

/// The addresses above all accounts are inherited: one that no account has is that of a mailbox which was read before there were any.
fn nobodys(above: &Table, accounts: &[Account], problems: &mut Vec<Problem>) {
    let listed = above.get("me").and_then(|me| me.get("emails")).and_then(Value::as_array);
    for address in listed.into_iter().flatten().filter_map(|text| text.as_str()?.parse::<Address>().ok()) {
        if !accounts.iter().any(|account| account.config.me.is_mine(&address)) {
            let why = format!("`{address}` belongs to none of the accounts, so that nobody would read its mails");
            let help =
                "give it an [[account]] too: with a name alone it has the sections above as they are; or take it out";
            problems.push(problem("me.emails".to_owned(), &why, help));
        }
    }
}

/// A folder that both use: the key that names it, and what it is.
fn same_mailbox(one: &Config, other: &Config) -> Option<(&'static str, String)> {
    match (one.mail.as_ref()?, other.mail.as_ref()?) {
        (Mail::Servers { imap, .. }, Mail::Servers { imap: theirs, .. }) => {
            let is_one =
                imap.host.eq_ignore_ascii_case(&theirs.host) && imap.user == theirs.user && imap.port == theirs.port;
            let (key, folder) = same_folder(one, other, &imap.folders, &theirs.folders).filter(|_| is_one)?;
            Some((key, format!("{folder} of {} at {}", imap.user, imap.host)))
        }
        (Mail::Maildir { path, .. }, Mail::Maildir { path: theirs, .. }) => {
            // one that lies in the other is a folder of it
            let is_one = path.starts_with(theirs) || theirs.starts_with(path);
            is_one.then(|| ("maildir.path", path.display().to_string()))
        }
        (Mail::Servers { .. }, Mail::Maildir { .. }) | (Mail::Maildir { .. }, Mail::Servers { .. }) => None,
    }
}

/// The same within the mailbox of one login.
fn same_folder(one: &Config, other: &Config, read: &[String], theirs: &[String]) -> Option<(&'static str, String)> {
    let is_inbox = |folder: &str| folder.eq_ignore_ascii_case("INBOX");
    let is_same = |a: &str, b: &str| a == b || (is_inbox(a) && is_inbox(b));
    if let Some(folder) = read.iter().find(|a| theirs.iter().any(|b| is_same(a, b))) {
        return Some(("imap.folders", folder.clone()));
    }
    // what lies among the sent mails is taken for what this player sent, whoever wrote it
    let sent = match (&one.sent.folder, &other.sent.folder) {
        (SentFolder::Off, _) | (_, SentFolder::Off) => None,
        (SentFolder::Named(a), SentFolder::Named(b)) if !is_same(a, b) => None,
        _ => Some(("sent.folder", "the folder of sent mails".to_owned())),
    };
    let drafts = one.drafts.are_placed() && other.drafts.are_placed() && one.drafts.folder == other.drafts.folder;
    sent.or(drafts.then(|| ("drafts.folder", "the folder for drafts".to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOVE: &str = "[me]\ntimezone = \"Europe/Stockholm\"\nlanguage = \"de\"\n\
                         [imap]\nhost = \"imap.example.org\"\npassword.file = \"/above\"\nfolders = [\"Chess\"]\n\
                         [smtp]\nhost = \"smtp.example.org\"\npassword.file = \"/above\"\n[notify]\ndigest = \"off\"\n\
                         [[director]]\naddress = \"td@example.net\"\n";

    fn account(name: &str, more: &str) -> String {
        format!(
            "[[account]]\nname = \"{name}\"\n[account.me]\nname = \"{name}\"\nemails = [\"{name}@example.org\"]\n\
             [account.imap]\nuser = \"{name}\"\npassword.file = \"/{name}\"\n\
             [account.smtp]\nuser = \"{name}\"\npassword.file = \"/{name}\"\n{more}"
        )
    }

    fn accounts(text: &str) -> Accounts {
        Accounts::parse_in(Path::new(""), text).unwrap().unwrap()
    }

    fn problems(text: &str) -> Vec<String> {
        let found = Accounts::parse_in(Path::new(""), text).unwrap_err();
        found.into_iter().map(|p| format!("{}: {}", p.key, p.why)).collect()
    }

    #[test]
    fn a_file_without_accounts_is_not_touched() {
        for text in ["[me]\nname = \"account\"\n", "account = ", "no toml"] {
            assert!(Accounts::parse_in(Path::new(""), text).unwrap().is_none(), "{text}");
        }
    }

    #[test]
    fn an_account_says_what_is_its_own_and_inherits_the_rest() {
        let more = "[account.notify]\nurgent_days = 5\n[[account.director]]\naddress = \"other@example.net\"\n";
        let found = accounts(&format!("{ABOVE}{}{}", account("ada", more), account("ben", "")));
        assert_eq!(found.names().iter().map(AccountName::as_str).collect::<Vec<_>>(), ["ada", "ben"]);
        let of = |name: &str| found.clone().take(name).unwrap().config;
        let (ada, ben) = (of("ada"), of("BEN"));
        assert_eq!((ada.me.name.as_str(), ben.me.name.as_str()), ("ada", "ben"));
        assert_eq!(ada.me.timezone, chrono_tz::Europe::Stockholm);
        assert_eq!(ada.me.language, super::super::Language::German);
        assert_eq!((ada.notify.urgent_days, ben.notify.urgent_days), (5, 3));
        let is_director = |config: &Config, address: &str| config.senders.is_director(&address.parse().unwrap());
        assert!(is_director(&ada, "td@example.net") && is_director(&ada, "other@example.net"));
        assert!(is_director(&ben, "td@example.net") && !is_director(&ben, "other@example.net"));
        let Some(Mail::Servers { imap, .. }) = ben.mail else { panic!() };
        assert_eq!(
            (imap.host.as_str(), imap.user.as_str(), imap.folders),
            ("imap.example.org", "ben", vec!["Chess".to_owned()])
        );
    }

    #[test]
    fn an_account_is_the_same_as_a_file_that_says_all_of_it() {
        let found = accounts(&format!("{ABOVE}{}", account("ada", "")));
        let own = ABOVE
            .replace("[me]\n", "[me]\nname = \"ada\"\nemails = [\"ada@example.org\"]\n")
            .replace("password.file = \"/above\"", "user = \"ada\"\npassword.file = \"/ada\"");
        let alone = Config::parse(&own).unwrap();
        assert_eq!(format!("{:?}", found.take("ada").unwrap().config), format!("{alone:?}"));
    }

    #[test]
    fn the_mailbox_above_all_accounts_is_one_of_them_by_its_name_and_not_forgotten_without() {
        let above = ABOVE
            .replace("[me]\n", "[me]\nname = \"nora\"\nemails = [\"nora@example.org\"]\n")
            .replace("password.file", "user = \"nora\"\npassword.file");
        let home = "[[account]]\nname = \"home\"\n";
        let found = accounts(&format!("{above}{home}{}", account("ada", "")));
        let home = found.take("home").unwrap().config;
        assert_eq!(format!("{home:?}"), format!("{:?}", Config::parse(&above).unwrap()));
        assert_eq!(
            problems(&format!("{above}{}", account("ada", ""))),
            ["me.emails: `nora@example.org` belongs to none of the accounts, so that nobody would read its mails"]
        );
    }

    #[test]
    fn no_password_goes_to_another_server_or_for_another_login() {
        let of = |imap: &str| {
            format!(
                "{ABOVE}{}",
                account("ada", "").replace(
                    "user = \"ada\"\npassword.file = \"/ada\"\n[account.smtp]",
                    &format!("{imap}[account.smtp]")
                )
            )
        };
        assert_eq!(problems(&of("user = \"ada\"\n")), ["account.ada.imap.password: is missing"]);
        let other = problems(&of("host = \"elsewhere.example\"\n"));
        assert_eq!(other, ["account.ada.imap.user: is missing", "account.ada.imap.password: is missing"]);
        let token = "token.command = [\"x\"]\n";
        assert!(
            Accounts::parse_in(Path::new(""), &of(&format!("user = \"ada\"\n{token}"))).is_ok(),
            "in place of the password above"
        );
        let provider = "token = { provider = \"microsoft\", client_id = \"1\" }";
        let above = ABOVE.replace("password.file = \"/above\"", provider);
        let each = account("ada", "").replace("password.file = \"/ada\"\n", "");
        let found = accounts(&format!("{above}{each}")).take("ada").unwrap();
        assert_eq!(found.config.mail.unwrap().logins().len(), 1, "each logs in for himself");
    }

    #[test]
    fn a_maildir_takes_the_place_of_the_servers_above_and_the_other_way_round() {
        let me = |name: &str| {
            format!("[[account]]\nname = \"{name}\"\n[account.me]\nname = \"x\"\nemails = [\"{name}@example.org\"]\n")
        };
        let found = accounts(&format!("{ABOVE}{}[account.maildir]\npath = \"/mail\"\n", me("ada")));
        assert!(matches!(found.take("ada").unwrap().config.mail, Some(Mail::Maildir { .. })));
        let maildir = "[me]\ntimezone = \"UTC\"\n[maildir]\npath = \"/mail\"\n";
        let servers = "host = \"h\"\nuser = \"u\"\npassword.file = \"/p\"\n";
        let found = accounts(&format!("{maildir}{}[account.imap]\n{servers}[account.smtp]\n{servers}", me("ada")));
        assert!(matches!(found.take("ada").unwrap().config.mail, Some(Mail::Servers { .. })));
    }

    #[test]
    fn what_two_accounts_cannot_both_have_is_reported() {
        let twice = format!("{ABOVE}{}{}", account("ada", ""), account("Ada", ""));
        assert_eq!(problems(&twice), ["account.2.name: `Ada` is the name of an account above"]);
        let ben = account("ben", "[account.desk]\nlisten = \"127.0.0.1:8086\"\n")
            .replace("ben@", "ADA@")
            .replace("user = \"ben\"", "user = \"ada\"");
        let desk = "[account.desk]\nlisten = \"127.0.0.1:8086\"\n";
        let found = problems(&format!("{ABOVE}{}{ben}", account("ada", desk)));
        let expected = [
            "account.ben.me.emails: `ADA@example.org` is an address of account ada too",
            "account.ben.imap.folders: Chess of ada at imap.example.org is used for account ada already",
            "account.ben.desk.listen: the desk of account ada is served at 127.0.0.1:8086 already",
        ];
        assert_eq!(found, expected);
        // other folders of the same mailbox are another matter, where neither takes for sent what the other sent
        let other = |more: &str| {
            let ben = account("ben", more).replace("user = \"ben\"", "user = \"ada\"");
            format!(
                "{ABOVE}{}{}",
                account("ada", "[account.drafts]\nappend = true\n"),
                ben.replacen("password", "folders = [\"Ben\"]\npassword", 1)
            )
        };
        let used = |key: &str, what: &str| {
            [format!("account.ben.{key}: {what} of ada at imap.example.org is used for account ada already")]
        };
        assert_eq!(problems(&other("")), used("sent.folder", "the folder of sent mails"));
        let off = "[account.sent]\nfolder = \"off\"\n";
        let drafts = format!("{off}[account.drafts]\nappend = true\n");
        assert_eq!(problems(&other(&drafts)), used("drafts.folder", "the folder for drafts"));
        assert!(Accounts::parse_in(Path::new(""), &other(off)).is_ok());
        let maildir = |name: &str, path: &str| {
            format!(
                "[[account]]\nname = \"{name}\"\n[account.me]\nname = \"x\"\nemails = [\"{name}@example.org\"]\ntimezone = \"UTC\"\n[account.maildir]\npath = \"{path}\"\n"
            )
        };
        let found = problems(&(maildir("ada", "/mail/") + &maildir("ben", "/mail")));
        assert_eq!(found, ["account.ben.maildir.path: /mail is used for account ada already"]);
        let found = problems(&(maildir("ada", "/mail") + &maildir("ben", "/mail/ben")));
        assert_eq!(found, ["account.ben.maildir.path: /mail/ben is used for account ada already"]);
    }

    #[test]
    fn every_problem_is_told_with_its_account_and_once_where_it_stands_above_all() {
        let above = ABOVE.replace("Europe/Stockholm", "Stockholm");
        let nameless = account("eve", "").replace("name = \"eve\"\n[account.me]", "[account.me]");
        let text = format!("{above}{}{}{nameless}", account("ada", "[account.imapp]\n"), account("ben/x", ""));
        let found = problems(&text);
        let expected = [
            "account.2.name: cannot be `ben/x`",
            "account.3.name: is missing",
            "me.timezone: `Stockholm` is no time zone",
            "account.ada.imapp: is not known",
        ];
        assert_eq!(found, expected);
        assert_eq!(problems("[account]\nname = \"ada\"\n"), ["account: is not a list of sections"]);
        assert_eq!(problems("account = []\n"), ["account: is not a list of sections"]);
        let lone = Accounts::parse_in(Path::new(""), "[[account]]\nname = \"ada\"\n").unwrap_err();
        assert_eq!(
            (lone[0].key.as_str(), lone[0].help.as_str()),
            ("account.ada.me", "add [account.me] with name, emails and timezone")
        );
    }

    #[test]
    fn a_name_is_short_and_a_folder_can_have_it() {
        for good in ["ada", "A1", "nora.club", "x-1_2", &"a".repeat(20)] {
            assert!(good.parse::<AccountName>().is_ok(), "{good}");
        }
        for bad in ["", ".", "..", "-x", "a/b", "a b", "jörg", "a\n", &"a".repeat(21)] {
            assert!(bad.parse::<AccountName>().is_err(), "{bad}");
        }
    }
}
