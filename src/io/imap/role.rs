//! Which folder is the one for drafts, for sent mail, for junk: by what the server says of it, else by a known name.
//!
//! Never a guess: a folder that two could be is an error that lists them, and one that is named in the configuration must be there.
//! Not covered: the folders of other people, and of a second namespace (RFC 2342).

use std::fmt;

use async_imap::imap_proto::{MailboxDatum, NameAttribute, Response};

use super::Mailbox;
use super::error::ImapError;
use super::syntax::{Arguments, decode_folder, unescape};
use super::wire::Verb;

/// Names of folders in one message.
const NAMES_SHOWN: usize = 30;

/// What a folder is for (RFC 6154 section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Letters that are not finished or not sent.
    Drafts,
    /// Copies of what was sent.
    Sent,
    /// What the server takes for junk.
    Junk,
}

impl Role {
    fn attribute(self) -> NameAttribute<'static> {
        match self {
            Self::Drafts => NameAttribute::Drafts,
            Self::Sent => NameAttribute::Sent,
            Self::Junk => NameAttribute::Junk,
        }
    }

    /// The names that mail programs and providers give it, in lower case.
    fn known_names(self) -> &'static [&'static str] {
        match self {
            Self::Drafts => &[
                "drafts",
                "draft",
                "entwürfe",
                "brouillons",
                "borradores",
                "bozze",
                "rascunhos",
                "concepten",
                "kladder",
                "kladde",
                "utkast",
                "luonnokset",
                "koncepty",
                "rozpracované",
                "wersje robocze",
                "szkice",
                "piszkozatok",
                "ciorne",
                "taslaklar",
                "черновики",
                "чернетки",
                "下書き",
                "草稿",
            ],
            Self::Sent => &[
                "sent",
                "sent items",
                "sent messages",
                "sent mail",
                "gesendet",
                "gesendete objekte",
                "gesendete elemente",
                "envoyés",
                "éléments envoyés",
                "messages envoyés",
                "enviados",
                "elementos enviados",
                "inviata",
                "posta inviata",
                "itens enviados",
                "verzonden",
                "verzonden items",
                "sendt",
                "sendte elementer",
                "skickat",
                "lähetetyt",
                "odeslaná pošta",
                "odeslané",
                "wysłane",
                "elküldött",
                "trimise",
                "gönderilmiş",
                "отправленные",
                "надіслані",
                "送信済み",
                "已发送",
            ],
            Self::Junk => &[
                "junk",
                "spam",
                "junk e-mail",
                "junk email",
                "bulk mail",
                "junk-e-mail",
                "spamverdacht",
                "unerwünscht",
                "pourriel",
                "courrier indésirable",
                "correo no deseado",
                "posta indesiderata",
                "lixo eletrônico",
                "ongewenst",
                "uønsket",
                "skräppost",
                "roskaposti",
                "nevyžádaná pošta",
                "levélszemét",
                "спам",
                "迷惑メール",
            ],
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Drafts => "drafts",
            Self::Sent => "sent mail",
            Self::Junk => "junk",
        })
    }
}

/// A folder as the list gives it.
struct Listed {
    name: String,
    delimiter: Option<String>,
    has_role: bool,
}

impl Listed {
    /// The name without the place in which some servers keep all folders.
    fn own_name(&self) -> &str {
        let delimiter = self.delimiter.as_deref().unwrap_or("/");
        let inside = |place: &str| {
            let (start, rest) = self.name.split_at_checked(place.len())?;
            start.eq_ignore_ascii_case(place).then(|| rest.strip_prefix(delimiter)).flatten()
        };
        ["INBOX", "[Gmail]", "[Google Mail]"].iter().find_map(|place| inside(place)).unwrap_or(&self.name)
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
        let usual = names(&listed, |one| role.known_names().contains(&one.own_name().to_lowercase().as_str()));
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
                    has_role: entry.name_attributes.contains(&role.attribute()),
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
