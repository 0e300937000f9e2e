//! Where the player's own mails are read back: the section `[sent]`.

use super::section::Section;

/// How it is known what he really sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sent {
    /// The folder in which his mail programs keep what they sent.
    pub folder: SentFolder,
    /// He sends a copy of his mails to himself, and those in the inbox are believed.
    pub bcc_self: bool,
}

/// Which folder holds sent mails.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SentFolder {
    /// The one that the server marks as such, or that has one of the usual names.
    #[default]
    Auto,
    /// This one.
    Named(String),
    /// None is read.
    Off,
}

/// Reads the section.
pub(super) fn sent(s: &mut Section<'_>) -> Sent {
    let folder = match s.opt_text("folder").as_deref().map(str::trim) {
        None | Some("auto") => SentFolder::Auto,
        Some("off") => SentFolder::Off,
        Some("") => {
            s.problem("folder", "is empty", "\"auto\", \"off\", or the name of the folder as the server has it");
            SentFolder::Auto
        }
        Some(name) => SentFolder::Named(name.to_owned()),
    };
    let bcc_self = s.flag("bcc_self", false);
    s.finish();
    Sent { folder, bcc_self }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    const ME: &str = "[me]\nname = \"Nora\"\nemails = [\"nora@example.org\"]\ntimezone = \"Europe/Stockholm\"\n";

    fn sent(text: &str) -> Result<Sent, Vec<String>> {
        let config = Config::parse(&format!("{ME}{text}"));
        config.map(|config| config.sent).map_err(|p| p.into_iter().map(|p| format!("{}: {}", p.key, p.why)).collect())
    }

    #[test]
    fn the_sent_folder_is_found_named_or_not_read() {
        assert_eq!(sent(""), Ok(Sent { folder: SentFolder::Auto, bcc_self: false }));
        assert_eq!(sent("[sent]\nfolder = \"auto\"\n").unwrap().folder, SentFolder::Auto);
        assert_eq!(
            sent("[senders]\nverify_dkim = true\n[sent]\nfolder = \"off\"\nbcc_self = true\n"),
            Ok(Sent { folder: SentFolder::Off, bcc_self: true })
        );
        assert_eq!(sent("[sent]\nfolder = \"Gesendet\"\n").unwrap().folder, SentFolder::Named("Gesendet".to_owned()));
        assert_eq!(
            sent("[sent]\nfolder = \"\"\ncopy = 1\n"),
            Err(vec!["sent.folder: is empty".into(), "sent.copy: is not known".into()])
        );
    }

    #[test]
    fn copies_to_himself_are_believed_by_what_judges_the_mails() {
        for proves in ["verify_dkim = true", "authserv_id = \"mx.example.org\""] {
            let config = Config::parse(&format!("{ME}[senders]\n{proves}\n[sent]\nbcc_self = true\n")).unwrap();
            assert!(config.senders.own_copies);
        }
        let error = sent("[sent]\nbcc_self = true\n").unwrap_err();
        assert!(error.len() == 1 && error[0].starts_with("sent.bcc_self: would take every mail"), "{error:?}");
    }
}
