//! What a folder of a mailbox is for, and the names that are usual for it.

use std::fmt;

/// The places in which some servers keep all folders.
pub(super) const PLACES: [&str; 3] = ["INBOX", "[Gmail]", "[Google Mail]"];

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

impl Role {
    /// Whether a folder has a name that is usual for it, in whatever place some servers keep all folders. `delimiter` parts the levels.
    pub(super) fn is_usual(self, name: &str, delimiter: &str) -> bool {
        let inside = |place: &str| {
            let (start, rest) = name.split_at_checked(place.len())?;
            start.eq_ignore_ascii_case(place).then(|| rest.strip_prefix(delimiter)).flatten()
        };
        let own = PLACES.iter().find_map(|place| inside(place)).unwrap_or(name);
        self.known_names().contains(&own.to_lowercase().as_str())
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
