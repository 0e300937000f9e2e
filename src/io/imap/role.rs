//! Which folder is the one for drafts, for sent mail, for junk: by what the server says of it, else by a known name.
//!
//! Never a guess: a folder that two could be is an error that lists them, and one that is named in the configuration must be there.
//! Not covered: the folders of other people, and of a second namespace (RFC 2342).

use async_imap::imap_proto::{MailboxDatum, NameAttribute, Response};

use super::super::role::Role;
use super::Mailbox;
use super::error::ImapError;
use super::syntax::{Arguments, decode_folder, unescape};
use super::wire::Verb;

/// Names of folders in one message.
const NAMES_SHOWN: usize = 30;

/// A folder as the list gives it.
struct Listed {
    name: String,
    delimiter: Option<String>,
    has_role: bool,
}

/// The attribute by which a server marks the folder.
fn attribute(role: Role) -> NameAttribute<'static> {
    match role {
        Role::Drafts => NameAttribute::Drafts,
        Role::Sent => NameAttribute::Sent,
        Role::Junk => NameAttribute::Junk,
    }
}

impl Mailbox {
    /// The name of the folder for this: the one `configured`, else the one that the server marks for it (RFC 6154), else the
    /// only one with a name that is usual for it.
    ///
    /// # Errors
    /// `NoSuchFolder` if the configured one is not there; `NoFolderFor` if none can be told; `SeveralFoldersFor` if more than one
    /// could be it; else as every command.
    pub async fn special_folder(&mut self, role: Role, configured: Option<&str>) -> Result<String, ImapError> {
        let listed = self.listed_for(role).await?;
        if let Some(name) = configured {
            return match listed.iter().find(|one| is_same(&one.name, name)) {
                Some(found) => Ok(found.name.clone()),
                None => {
                    Err(ImapError::NoSuchFolder { folder: name.to_owned(), folders: quoted(&names(&listed, |_| true)) })
                }
            };
        }
        let marked = names(&listed, |one| one.has_role);
        let usual = names(&listed, |one| role.is_usual(&one.name, one.delimiter.as_deref().unwrap_or("/")));
        let candidates = if marked.is_empty() { usual } else { marked };
        match candidates.as_slice() {
            [only] => Ok(only.clone()),
            [] => Err(ImapError::NoFolderFor { role, folders: quoted(&names(&listed, |_| true)) }),
            several => Err(ImapError::SeveralFoldersFor { role, folders: quoted(several) }),
        }
    }

    async fn listed_for(&mut self, role: Role) -> Result<Vec<Listed>, ImapError> {
        let mut listed = Vec::new();
        let mut heard = |response: &Response<'_>| {
            if let Response::MailboxData(MailboxDatum::List(entry)) = response
                && !entry.name_attributes.iter().any(|attribute| {
                    // RFC 5258 section 3: what does not exist is listed for the sake of what is below it
                    *attribute == NameAttribute::NoSelect || says(attribute, "\\NonExistent")
                })
            {
                listed.push(Listed {
                    name: decode_folder(&unescape(&entry.name)),
                    delimiter: entry.delimiter.as_deref().map(unescape),
                    has_role: entry.name_attributes.contains(&attribute(role)),
                });
            }
        };
        let all = Arguments::none().string("").string("*");
        // RFC 6154 section 2: a plain LIST may leave the marks out
        let asked = if self.extras.marks_on_request { all.plain("RETURN (SPECIAL-USE)") } else { all };
        self.command(Verb::List, asked, &mut heard).await?;
        if listed.is_empty() {
            return Err(ImapError::Incomplete { command: Verb::List.text() });
        }
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        listed.dedup_by(|a, b| a.name == b.name);
        Ok(listed)
    }
}

fn says(attribute: &NameAttribute<'_>, name: &str) -> bool {
    matches!(attribute, NameAttribute::Extension(text) if text.eq_ignore_ascii_case(name))
}

/// RFC 3501 section 5.1: INBOX alone is the same in any case.
fn is_same(listed: &str, asked: &str) -> bool {
    listed == asked || (listed.eq_ignore_ascii_case("INBOX") && asked.eq_ignore_ascii_case("INBOX"))
}

fn names(listed: &[Listed], wanted: impl Fn(&Listed) -> bool) -> Vec<String> {
    listed.iter().filter(|one| wanted(one)).map(|one| one.name.clone()).collect()
}

/// The names in quotes, of many the first.
pub(super) fn quoted(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(NAMES_SHOWN).map(|name| format!("{name:?}")).collect();
    let more = names.len().saturating_sub(NAMES_SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &more
}
