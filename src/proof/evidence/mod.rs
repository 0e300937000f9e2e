//! One game packed for a tournament director: what he needs to see who sent what, when, and what was made of it.
//!
//! Read without this program: texts, a PGN, the raw mails, and their SHA-256. The same database gives the same bytes. Only mails and
//! acts of this game are in it; what will surprise you: a mail that carries several games is whole, and the README says so.

use std::io::{Cursor, Write};

use chrono_tz::Tz;
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::came;
use crate::config::{Me, Senders};
use crate::domain::clock::rules::PgnDate;
use crate::domain::game::{Game, GameResult};
use crate::domain::pgn;
use crate::io::store::{MailOfGame, Performed, Settlement, Store, StoreError, StoredGame};

mod names;
mod readme;
mod table;
mod timeline;

/// Why there is no evidence.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The record cannot be shown as it stands.
    #[error("{0}\nhelp: `amici verify` says what is wrong with the record")]
    Game(String),
    /// The archive cannot be made.
    #[error("the archive cannot be made: {0}")]
    Archive(String),
}

/// What a director wants of the score: dates and days after each move, nothing that the program made of it.
const PGN: pgn::Options =
    pgn::Options { strict7: false, date: PgnDate::Start, dates: true, addresses: true, opening: false };

/// A file of the archive.
struct File {
    name: String,
    bytes: Vec<u8>,
}

/// What is packed.
struct Case<'a> {
    game: &'a Game,
    zone: Tz,
    senders: &'a Senders,
    mails: Vec<MailFile>,
    acts: Vec<Performed>,
    settled: Vec<Settlement>,
}

/// A mail of the game with its bytes, where they are those that came.
struct MailFile {
    mail: MailOfGame,
    name: String,
    raw: Option<Vec<u8>>,
}

/// The archive of one game: a ZIP in memory. `with_mails` puts the raw mails in; `page` is the game as a web page, by the names of its files.
///
/// # Errors
/// [`EvidenceError`] when the record cannot be read or shown.
pub async fn evidence(
    store: &mut Store,
    me: &Me,
    senders: &Senders,
    stored: &StoredGame,
    with_mails: bool,
    page: Vec<(String, String)>,
) -> Result<Vec<u8>, EvidenceError> {
    let game = &stored.game;
    let acts = store.acts().await?;
    let mut mails = Vec::new();
    for (number, mail) in (1..).zip(store.mails_of(&game.id).await?) {
        let raw = came(store, mail.mail, &mail.sha256).await?;
        let short: String = mail.sha256.chars().take(8).collect();
        let name = format!("mails/{number:04}-{}-{short}.eml", mail.at.with_timezone(&me.timezone).format("%Y-%m-%d"));
        mails.push(MailFile { mail, name, raw });
    }
    let settled = store.settlements(&game.id).await?;
    let case = Case { game, zone: me.timezone, senders, mails, acts, settled };
    archive(&case.files(with_mails, page).map_err(EvidenceError::Game)?).map_err(EvidenceError::Archive)
}

impl Case<'_> {
    fn files(&self, with_mails: bool, page: Vec<(String, String)>) -> Result<Vec<File>, String> {
        let text = |name: &str, text: String| File { name: name.to_owned(), bytes: text.into_bytes() };
        let entries = timeline::entries(self, with_mails);
        let mut files = vec![
            text("README.txt", readme::readme(self, with_mails)?),
            text("game.pgn", pgn::write(self.game, &PGN).map_err(|e| e.to_string())?),
            text("table.txt", table::table(self.game, &self.settled, self.zone)?),
            text("timeline.csv", timeline::csv(&entries, self.zone)),
            text("timeline.txt", timeline::text(&entries, self.zone)),
        ];
        files.extend(page.into_iter().map(|(name, page)| text(&name, page)));
        for mail in self.mails.iter().filter(|_| with_mails) {
            files.extend(mail.raw.clone().map(|bytes| File { name: mail.name.clone(), bytes }));
        }
        let sum = |file: &File| format!("{}  {}\n", hex::encode(Sha256::digest(&file.bytes)), file.name);
        let sums = files.iter().map(sum).collect();
        files.push(text("SHA256SUMS", sums));
        Ok(files)
    }
}

/// A ZIP with these files, in this order, with no time of its own: the same files give the same bytes.
fn archive(files: &[File]) -> Result<Vec<u8>, String> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(0o644);
    for file in files {
        zip.start_file(file.name.as_str(), options).map_err(|e| e.to_string())?;
        zip.write_all(&file.bytes).map_err(|e| e.to_string())?;
    }
    Ok(zip.finish().map_err(|e| e.to_string())?.into_inner())
}

/// A paragraph of at most 78 columns; dates are not divided.
fn filled(text: &str, first: &str, next: &str) -> String {
    let options = textwrap::Options::new(78).initial_indent(first).subsequent_indent(next);
    textwrap::fill(text, options.word_splitter(textwrap::WordSplitter::NoHyphenation))
}

fn result(game: &Game) -> &'static str {
    game.result.map_or("*", GameResult::word)
}
