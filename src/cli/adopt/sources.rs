//! Where the mails come from: files, mails that were kept, the mailbox. Whatever the source, each mail is a letter, a mail of a game, or
//! neither, and all go the same way from there.
//!
//! Of a mailbox only what may be of a game is held, and no more of that than [`HELD`].

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use indicatif::{ProgressBar, ProgressStyle};

use super::letters::StartLetter;
use super::mails::Mail;
use super::{Args, Exit, Failure, Setup};
use crate::config::Config;
use crate::daemon::{Looked, Met, Scope, browse};
use crate::io::file::{self, MAIL};
use crate::letters::plural;
use crate::mail::address::Address;

/// The most bytes of mails with moves that are held at once; the newest of each folder come first.
const HELD: usize = 32 << 20;
/// The most bytes of others, which count where an opponent wrote them: he may resign in a word.
const OTHERS: usize = 8 << 20;
/// Fewer mails are read before a bar could be seen.
const LARGE: usize = 200;

/// What the sources gave.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) mails: Vec<Mail>,
    pub(super) letters: Vec<StartLetter>,
    /// What could not be read, each with why.
    pub(super) bad: Vec<String>,
    /// How the mailbox was looked through.
    pub(super) looked: Option<Looked>,
    /// Mails without moves.
    others: Vec<Mail>,
    /// The Message-IDs of what was met.
    ids: HashSet<String>,
    held: [usize; 2],
    /// Mails with moves that there was no room for.
    dropped: usize,
}

/// Everything that the sources of these arguments give.
///
/// # Errors
/// Nothing is kept of the sender that is named; the mailbox cannot be looked through.
pub(super) async fn gather(setup: &Setup, config: &Config, args: &Args) -> Result<Gathered, Failure> {
    let mut gathered = Gathered::default();
    if args.mailbox {
        let scope = Scope { folders: args.folders.clone(), since: args.since };
        let bar = ProgressBar::hidden();
        let mut see = |met| match met {
            Met::Mails(count) if count >= LARGE => {
                bar.set_length(u64::try_from(count).unwrap_or(u64::MAX));
                if let Ok(style) = ProgressStyle::with_template("reading mails {wide_bar} {pos} of {len}") {
                    bar.set_style(style);
                    bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
                }
            }
            Met::Mails(_) => {}
            Met::Mail { place, at, bytes } => {
                bar.inc(1);
                gathered.pass(place, bytes, at, config, setup.now);
            }
        };
        let looked = browse(config, &scope, &mut see).await;
        bar.finish_and_clear();
        let looked = looked.map_err(|why| Failure::new(Exit::MailServer, why))?;
        gathered.bad.extend(looked.unread.iter().cloned());
        if gathered.dropped > 0 {
            let mails = plural(gathered.dropped, "mail");
            gathered.bad.push(format!("{mails} with moves more than are held at once: say --since DAY, and again"));
        }
        gathered.looked = Some(looked);
        gathered.sift();
        return Ok(gathered);
    }
    if let Some(address) = &args.from {
        let kept = match setup.store_if_any().await? {
            Some(mut store) => store.mails_from(address.as_str()).await?,
            None => Vec::new(),
        };
        if kept.is_empty() {
            return Err(Failure::new(
                Exit::Failed,
                format!(
                    "no mail of {address} is kept: amici keeps only mails that are about a game it knows\n\
                     help: save his last mail in your mail program as a file, and say: amici adopt FILE.eml"
                ),
            ));
        }
        for mail in kept {
            gathered.named(format!("mail {}", mail.mail), mail.raw, mail.server_date, config, setup.now);
        }
    }
    for file in &args.files {
        let name = file.display().to_string();
        match file::read(file, MAIL) {
            Ok(raw) => gathered.named(name, raw, None, config, setup.now),
            Err(error) => gathered.bad.push(format!("{name}: cannot be read: {error}")),
        }
    }
    Ok(gathered)
}

impl Gathered {
    /// A mail that the player named: whatever is wrong with it is told.
    fn named(&mut self, name: String, raw: Vec<u8>, at: Option<DateTime<Utc>>, config: &Config, now: DateTime<Utc>) {
        if let Some(letter) = StartLetter::read(&name, &raw, at, &config.me, now) {
            self.letters.push(letter);
            return;
        }
        match Mail::read(name.clone(), raw, at, &config.me, now) {
            Ok(mail) => self.mails.push(mail),
            Err(why) => self.bad.push(format!("{name}: {why}")),
        }
    }

    /// A mail that was met in the mailbox: what is of no game is nobody's business.
    fn pass(&mut self, name: String, raw: Vec<u8>, at: DateTime<Utc>, config: &Config, now: DateTime<Utc>) {
        if let Some(letter) = StartLetter::read(&name, &raw, Some(at), &config.me, now) {
            self.letters.push(letter);
            return;
        }
        let Ok(mail) = Mail::read(name, raw, Some(at), &config.me, now) else { return };
        // one mail may lie in two folders
        let is_new = mail.id().is_none_or(|id| self.ids.insert(id));
        // a director writes no moves
        if !is_new || config.senders.is_director(&mail.opponent) || !mail.is_of_a_person() {
            return;
        }
        let has_moves = mail.may_have_moves();
        let [held, beside] = &mut self.held;
        let (held, most) = if has_moves { (held, HELD) } else { (beside, OTHERS) };
        *held += mail.raw.len();
        match (has_moves, *held > most) {
            (true, false) => self.mails.push(mail),
            (true, true) => self.dropped += 1,
            (false, false) => self.others.push(mail),
            (false, true) => {}
        }
    }

    /// Of the mails without moves those to and from people who write some.
    fn sift(&mut self) {
        let players: HashSet<&Address> = self.mails.iter().map(|mail| &mail.opponent).collect();
        let others = std::mem::take(&mut self.others).into_iter().filter(|mail| players.contains(&mail.opponent));
        let others: Vec<Mail> = others.collect();
        self.mails.extend(others);
    }
}
