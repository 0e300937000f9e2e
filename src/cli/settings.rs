//! A configuration that is changed in its place: what is not concerned, comments and order included, stays as it stands.
//!
//! A key that is not set, but stands below its section as a comment (`#: key = value`), is set in that line, so that its explanation
//! stays beside it. Of one of several accounts only its own `[[account]]` is changed.

use std::fmt;
use std::path::{Path, PathBuf};

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Key, Table, TableLike, Value};

use super::{Exit, Failure, Setup, output};
use crate::config::AccountName;
use crate::domain::game::is_same_event;
use crate::io::file;
use crate::mail::address::Address;
use crate::mail::authentication::OwnServer;

/// What begins a line of a setting that need not be there.
const UNSET: &str = "#: ";
/// Where accounts are written otherwise than in sections, they are not changed.
const NO_ACCOUNTS: &str = "account is no list of sections [[account]]";

/// The text of a configuration, taken apart.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    document: DocumentMut,
    /// For messages.
    name: String,
    /// The account whose sections are meant, where there are several.
    account: Option<AccountName>,
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.document.fmt(f)
    }
}

impl Settings {
    /// Takes a text apart; `name` is what messages call it.
    ///
    /// # Errors
    /// Where it is not TOML.
    pub(super) fn parse(text: &str, name: &str) -> Result<Settings, Failure> {
        let document = text.parse();
        let broken = |error: toml_edit::TomlError| Failure::new(Exit::Config, format!("{name}: {error}"));
        Ok(Settings { document: document.map_err(broken)?, name: name.to_owned(), account: None })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Where it cannot be read, or is not TOML.
    pub(super) fn read(path: &Path) -> Result<Settings, Failure> {
        let name = path.display().to_string();
        let text = file::read_text(path, file::SETTINGS)
            .map_err(|error| Failure::new(Exit::Config, format!("{name}: {error}")))?;
        Settings::parse(&text, &name)
    }

    /// The file of the configuration; where it is a link, what that leads to, so that it stays a link.
    ///
    /// # Errors
    /// Where there is no home folder to look in.
    pub(super) fn place(setup: &Setup) -> Result<PathBuf, Failure> {
        let path = setup.config_file()?;
        Ok(path.canonicalize().unwrap_or(path))
    }

    /// Changes the configuration, and leaves all else in it as it stands.
    ///
    /// # Errors
    /// Where it cannot be read or written, and those of `change`.
    pub(super) fn change(
        setup: &Setup,
        change: impl FnOnce(&mut Settings) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let path = Settings::place(setup)?;
        let mut settings = Settings::read(&path)?;
        settings.account = setup.account().cloned();
        change(&mut settings)?;
        output::write(&path, settings.to_string().as_bytes(), true)
    }

    /// Whether the key is set.
    pub(super) fn has(&self, section: &str, key: &str) -> bool {
        self.value(section, key).is_some()
    }

    /// Whether a key of a group is set.
    pub(super) fn has_within(&self, section: &str, group: &str, key: &str) -> bool {
        self.value(section, group).and_then(|group| group.get(key)).is_some()
    }

    /// Sets a key. The comment after an old value stays.
    ///
    /// # Errors
    /// Where there is a value of that name in place of the section.
    pub(super) fn set(&mut self, section: &str, key: &str, value: impl Into<Value>) -> Result<(), Failure> {
        if !self.has(section, key) {
            self.uncomment(section, key)?;
        }
        let mut value = value.into();
        let table = self.section(section)?;
        match table.get_mut(key) {
            // in its place: what is said above the key and after the value stays
            Some(old) => {
                if let Some(old) = old.as_value() {
                    *value.decor_mut() = old.decor().clone();
                }
                *old = Item::Value(value);
            }
            None => {
                table.insert(key, Item::Value(value));
            }
        }
        Ok(())
    }

    /// Sets a key to a value that holds without it; where it is not set, it stays so.
    ///
    /// # Errors
    /// Those of [`Settings::set`].
    pub(super) fn set_unless(
        &mut self,
        section: &str,
        key: &str,
        value: impl Into<Value>,
        usual: bool,
    ) -> Result<(), Failure> {
        if usual && !self.has(section, key) { Ok(()) } else { self.set(section, key, value) }
    }

    /// Sets the one key of a group (`password.file`) and takes its others out (`password.command`).
    ///
    /// # Errors
    /// Those of [`Settings::set`].
    pub(super) fn set_one_of(
        &mut self,
        section: &str,
        group: &str,
        key: &str,
        value: impl Into<Value>,
    ) -> Result<(), Failure> {
        if !self.has(section, group) {
            self.uncomment(section, &format!("{group}.{key}"))?;
        }
        let table = self.section(section)?;
        let mut dotted = Table::new();
        dotted.set_dotted(true);
        let old = table.get_mut(group).and_then(Item::as_table_like_mut);
        // what is explained above the old key, and said after its value, is about the group
        let (mut name, mut value) = (Key::new(key), value.into());
        if let Some(old) = old {
            let first = old.iter().next().map(|(key, _)| key.to_owned());
            if let Some(first) = first {
                if let Some(key) = old.key(&first) {
                    name = name.with_leaf_decor(key.leaf_decor().clone()).with_dotted_decor(key.dotted_decor().clone());
                }
                if let Some(old) = old.get(&first).and_then(Item::as_value) {
                    *value.decor_mut() = old.decor().clone();
                }
            }
        }
        dotted.insert_formatted(&name, Item::Value(value));
        table.insert(group, Item::Table(dotted));
        Ok(())
    }

    /// Sets one key of a group and leaves its others (`token.client_id`); a group that is not there is begun.
    ///
    /// # Errors
    /// Those of [`Settings::set`].
    pub(super) fn set_within(
        &mut self,
        section: &str,
        group: &str,
        key: &str,
        value: impl Into<Value>,
    ) -> Result<(), Failure> {
        let value = value.into();
        let table = self.section(section)?;
        match table.get_mut(group).and_then(Item::as_table_like_mut) {
            Some(there) => {
                there.insert(key, Item::Value(value));
            }
            None => {
                let mut begun = InlineTable::new();
                begun.insert(key, value);
                table.insert(group, Item::Value(begun.into()));
            }
        }
        Ok(())
    }

    /// Takes a key out.
    ///
    /// # Errors
    /// Those of [`Settings::set`].
    pub(super) fn remove(&mut self, section: &str, key: &str) -> Result<(), Failure> {
        self.section(section)?.remove(key);
        Ok(())
    }

    /// Believes what this server says of senders.
    ///
    /// # Errors
    /// Those of [`Settings::set`].
    pub(super) fn believe(&mut self, own: &OwnServer) -> Result<(), Failure> {
        self.set("senders", "authserv_id", own.ids.join(", "))?;
        if !own.received_by.is_empty() {
            self.set("senders", "received_by", own.received_by.iter().collect::<Array>())?;
        }
        Ok(())
    }

    /// Names the director of an event, in its section or a new one.
    ///
    /// # Errors
    /// Where `event` is no list of sections.
    pub(super) fn direct(&mut self, event: &str, director: &Address) -> Result<(), Failure> {
        let no_list = Failure::new(Exit::Config, format!("{}: event is no list of sections [[event]]", self.name));
        let is_it =
            |table: &Table| table.get("name").and_then(Item::as_str).is_some_and(|name| is_same_event(name, event));
        // one that stands above all accounts has its director there
        let above = self.document.get("event").and_then(Item::as_array_of_tables);
        let home = match above.is_some_and(|events| events.iter().any(is_it)) {
            true => self.document.as_table_mut(),
            false => self.home()?,
        };
        let events = home.entry("event").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        let events = events.as_array_of_tables_mut().ok_or(no_list)?;
        if !events.iter().any(is_it) {
            let mut table = Table::new();
            table.insert("name", toml_edit::value(event));
            events.push(table);
        }
        if let Some(table) = events.iter_mut().find(|table| is_it(table)) {
            table.insert("director", toml_edit::value(director.to_string()));
        }
        Ok(())
    }

    /// Means the sections of this account from now on, and begins it where it is not there.
    ///
    /// # Errors
    /// Where `account` is no list of sections.
    pub(super) fn begin_account(&mut self, account: &AccountName) -> Result<(), Failure> {
        self.account = Some(account.clone());
        let no_list = Failure::new(Exit::Config, format!("{}: {NO_ACCOUNTS}", self.name));
        let accounts = self.document.entry("account").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        let accounts = accounts.as_array_of_tables_mut().ok_or(no_list)?;
        if !accounts.iter().any(|table| is_of(table, account)) {
            let mut table = Table::new();
            table.insert("name", toml_edit::value(account.as_str()));
            accounts.push(table);
        }
        Ok(())
    }

    /// Where the sections stand: in the file itself, or in that of the account.
    fn home(&mut self) -> Result<&mut Table, Failure> {
        let Some(account) = &self.account else { return Ok(self.document.as_table_mut()) };
        let accounts = self.document.get_mut("account").and_then(Item::as_array_of_tables_mut);
        let found = accounts.and_then(|accounts| accounts.iter_mut().find(|table| is_of(table, account)));
        found.ok_or_else(|| Failure::new(Exit::Config, format!("{}: {NO_ACCOUNTS} with {account}", self.name)))
    }

    /// The value of a key, where it is set.
    fn value(&self, section: &str, key: &str) -> Option<&Item> {
        let home = match &self.account {
            None => self.document.as_table(),
            Some(account) => {
                let accounts = self.document.get("account").and_then(Item::as_array_of_tables)?;
                accounts.iter().find(|table| is_of(table, account))?
            }
        };
        home.get(section)?.get(key)
    }

    fn section(&mut self, section: &str) -> Result<&mut dyn TableLike, Failure> {
        let name = self.name.clone();
        let item = self.home()?.entry(section).or_insert_with(toml_edit::table);
        item.as_table_like_mut().ok_or_else(|| Failure::new(Exit::Config, format!("{name}: {section} is no section")))
    }

    /// Turns the line that shows an unset key of a section into one that sets it, if there is such a line.
    fn uncomment(&mut self, section: &str, key: &str) -> Result<(), Failure> {
        if self.account.is_some() {
            // the comments explain what stands above all accounts
            return Ok(());
        }
        let text = self.document.to_string();
        let (header, mut here, mut is_done) = (format!("[{section}]"), false, false);
        let mut lines = Vec::new();
        for line in text.split_inclusive('\n') {
            let shown = line.strip_prefix(UNSET);
            let bare = shown.unwrap_or(line);
            if bare.starts_with('[') {
                here = shown.is_none() && bare.trim_end() == header;
            }
            let names_key =
                shown.and_then(|shown| shown.strip_prefix(key)).is_some_and(|rest| rest.trim_start().starts_with('='));
            let is_it = here && !is_done && names_key;
            is_done |= is_it;
            lines.push(if is_it { bare } else { line });
        }
        let text = lines.concat();
        if is_done {
            *self = Settings::parse(&text, &self.name)?;
        }
        Ok(())
    }
}

/// Whether it is the section of this account.
fn is_of(table: &Table, account: &AccountName) -> bool {
    table.get("name").and_then(Item::as_str).is_some_and(|name| account.is(name))
}

#[cfg(test)]
mod tests {
    use super::super::example::EXAMPLE;
    use super::*;

    fn lines_of<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
        text.lines().filter(|line| line.contains(word)).collect()
    }

    #[test]
    fn a_key_is_set_in_the_line_that_explains_it_and_nothing_else_changes() {
        let mut settings = Settings::parse(EXAMPLE, "example").unwrap();
        settings.set("me", "name", "Tobin Ostrander").unwrap();
        settings.set("smtp", "port", 587).unwrap();
        settings.set("senders", "authserv_id", "mx.example.net").unwrap();
        let text = settings.to_string();
        let before: Vec<&str> = EXAMPLE.lines().collect();
        let changed: Vec<&str> = text.lines().filter(|line| !before.contains(line)).collect();
        assert_eq!(
            changed,
            [
                "name = \"Tobin Ostrander\"                  # as the tournament director writes you",
                "port = 587                            # 587 with starttls",
                "authserv_id = \"mx.example.net\"",
            ]
        );
        assert_eq!(text.lines().count(), before.len());
    }

    #[test]
    fn a_director_goes_into_the_section_of_his_event_or_a_new_one() {
        let text = "# mine\n[me]\nname = \"X\"\n\n[[event]]\nname = \"EM/1\" # the first\nassistance = \"none\"\n";
        let mut settings = Settings::parse(text, "f").unwrap();
        for event in ["em/1", "EM/2"] {
            settings.direct(event, &"td@example.org".parse().unwrap()).unwrap();
        }
        let text = settings.to_string();
        assert!(text.starts_with("# mine\n[me]\n") && text.contains("name = \"EM/1\" # the first"), "{text}");
        assert!(text.contains("assistance = \"none\"\ndirector = \"td@example.org\"\n"), "{text}");
        assert!(text.contains("[[event]]\nname = \"EM/2\"\ndirector = \"td@example.org\"\n"), "{text}");
        assert_eq!(text.matches("[[event]]").count(), 2);
    }

    #[test]
    fn of_one_of_several_accounts_only_its_own_sections_are_changed() {
        let text = "[me]\ntimezone = \"UTC\"\n\n[[event]]\nname = \"EM/1\"\n\n[[account]]\nname = \"ada\"\n\n[account.me]\nname = \"A\"\n\n\
                    [[account]]\nname = \"ben\"\n\n[account.me]\nname = \"B\"\n";
        let mut settings = Settings::parse(text, "f").unwrap();
        settings.begin_account(&"ada".parse().unwrap()).unwrap();
        assert!(settings.has("me", "name") && !settings.has("me", "timezone"));
        settings.set("me", "name", "Ada").unwrap();
        settings.set("imap", "host", "h").unwrap();
        for event in ["EM/1", "EM/2"] {
            settings.direct(event, &"td@example.org".parse().unwrap()).unwrap();
        }
        settings.begin_account(&"eve".parse().unwrap()).unwrap();
        settings.set("me", "name", "E").unwrap();
        assert_eq!(
            settings.to_string(),
            "[me]\ntimezone = \"UTC\"\n\n[[event]]\nname = \"EM/1\"\ndirector = \"td@example.org\"\n\n[[account]]\nname = \"ada\"\n\n\
             [account.me]\nname = \"Ada\"\n\n[account.imap]\nhost = \"h\"\n\n[[account.event]]\nname = \"EM/2\"\ndirector = \"td@example.org\"\n\n\
             [[account]]\nname = \"ben\"\n\n[account.me]\nname = \"B\"\n\n[[account]]\nname = \"eve\"\n\n[account.me]\nname = \"E\"\n"
        );
    }

    #[test]
    fn a_key_without_a_line_or_a_section_is_added() {
        let mut settings = Settings::parse("[me]\nname = \"x\" # mine\n", "f").unwrap();
        settings.set("me", "timezone", "UTC").unwrap();
        settings.set("imap", "host", "h").unwrap();
        settings.set_unless("imap", "port", 993, true).unwrap();
        settings.set_one_of("imap", "password", "file", "/p").unwrap();
        assert_eq!(
            settings.to_string(),
            "[me]\nname = \"x\" # mine\ntimezone = \"UTC\"\n\n[imap]\nhost = \"h\"\npassword.file = \"/p\"\n"
        );
        assert!(Settings::parse("me = 1", "f").unwrap().set("me", "name", "x").is_err());
    }

    #[test]
    fn the_source_of_a_password_changes_and_its_explanation_stays() {
        let mut settings = Settings::parse(EXAMPLE, "example").unwrap();
        settings.set_one_of("imap", "password", "file", "/home/nora/password").unwrap();
        let text = settings.to_string();
        assert_eq!(
            lines_of(&text, "password.file = \"/home/nora/password\""),
            ["password.file = \"/home/nora/password\""]
        );
        assert!(text.contains("# Where the password comes from; it never stands in this file. One of:\n"), "{text}");
        assert_eq!(text.lines().count(), EXAMPLE.lines().count());
        // the other server has its own
        assert_eq!(lines_of(&text, "password.command").len(), 2, "{text}");
        settings.set_one_of("imap", "password", "command", ["pass", "x"].into_iter().collect::<Array>()).unwrap();
        assert!(
            settings.to_string().contains("\npassword.command = [\"pass\", \"x\"]\n# Where the provider"),
            "{settings}"
        );
    }
}
