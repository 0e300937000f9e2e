//! Whether finished drafts are put into the mailbox's own folder for drafts: the section `[drafts]`.

use super::section::Section;

/// What is done with finished drafts beside sending them to the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placing {
    /// Nothing.
    #[default]
    Off,
    /// They are put into the folder for drafts as they are, and taken out when they are stale.
    Once,
    /// They are also kept current: one that was not touched states the date of each new day.
    Refreshed,
}

/// The folder for drafts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drafts {
    /// What is done.
    pub placing: Placing,
    /// The folder's name, where the server does not tell it.
    pub folder: Option<String>,
}

impl Drafts {
    /// Whether drafts are put into the folder at all.
    pub fn are_placed(&self) -> bool {
        self.placing != Placing::Off
    }
}

/// Reads the section.
pub(super) fn drafts(s: &mut Section<'_>) -> Drafts {
    let append = s.flag("append", false);
    let refresh = s.flag("refresh", true);
    let placing = match (append, refresh) {
        (false, _) => Placing::Off,
        (true, false) => Placing::Once,
        (true, true) => Placing::Refreshed,
    };
    let folder = s.opt_text("folder").filter(|name| name != "auto");
    if folder.as_deref().is_some_and(|name| name.trim().is_empty() || name.eq_ignore_ascii_case("INBOX")) {
        s.problem(
            "folder",
            "cannot be the inbox",
            "\"auto\", or the name of the folder that your mail program keeps drafts in",
        );
    }
    s.finish();
    Drafts { placing, folder }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    const ME: &str = "[me]\nname = \"Nora\"\nemails = [\"nora@example.org\"]\ntimezone = \"Europe/Stockholm\"\n";
    const SERVERS: &str = "[imap]\nhost = \"h\"\nuser = \"u\"\npassword.file = \"/p\"\nfolders = [\"INBOX\", \"Schach\"]\n\
                           [smtp]\nhost = \"h\"\nuser = \"u\"\npassword.file = \"/p\"\n";

    fn read(section: &str) -> Drafts {
        Config::parse(&format!("{ME}{SERVERS}{section}")).unwrap().drafts
    }

    #[test]
    fn drafts_are_put_nowhere_unless_it_is_switched_on() {
        assert_eq!(read(""), Drafts::default());
        assert_eq!(read("[drafts]\nfolder = \"Drafts\"\n").placing, Placing::Off);
        assert_eq!(
            read("[drafts]\nappend = true\nfolder = \"auto\"\n"),
            Drafts { placing: Placing::Refreshed, folder: None }
        );
        let named = read("[drafts]\nappend = true\nrefresh = false\nfolder = \"Entw\u{fc}rfe\"\n");
        assert_eq!(named, Drafts { placing: Placing::Once, folder: Some("Entw\u{fc}rfe".to_owned()) });
    }

    #[test]
    fn a_folder_that_is_read_for_mails_is_none_for_drafts() {
        let problems = |text: &str| -> Vec<String> {
            let found = Config::parse(&format!("{ME}{text}")).unwrap_err();
            found.into_iter().map(|p| format!("{}: {}", p.key, p.why)).collect()
        };
        for (text, expected) in [
            (format!("{SERVERS}[drafts]\nappend = true\nfolder = \"inbox\"\n"), "drafts.folder: cannot be the inbox"),
            (
                format!("{SERVERS}[drafts]\nappend = true\nfolder = \"Schach\"\n"),
                "drafts.folder: is read for mails too",
            ),
            ("[maildir]\npath = \"/m\"\n[drafts]\nappend = true\n".to_owned(), "drafts.append: needs an IMAP server"),
            ("[drafts]\nappend = true\n".to_owned(), "drafts.append: needs an IMAP server"),
        ] {
            assert_eq!(problems(&text), [expected]);
        }
    }
}
