//! What a folder lists: every message gets a row in the ledger, to be read or passed over, and none is left out.
//!
//! A message is new where it has no row, whatever its number: one may show late, under a number that was passed. So the highest number seen
//! only spares asking for all of them each time; on each connection and once a day the newest month is listed whole. What is too old to
//! be about a running game is measured by the server's dates alone, never by the clock of this machine, which may be wrong.

use std::time::Duration;

use chrono::{DateTime, Days, Utc};
use tokio::time::Instant;

use super::{Daemon, RoundReport, Trouble};
use crate::io::imap::{Folder, Mailbox};
use crate::io::store::{Arrival, ArrivalState, Cursor, Store, StoreError};

/// A mailbox, or a new state of it, is read back so far from its newest mail.
const LOOK_BACK: Days = Days::new(60);
/// Numbers of mails so far back are listed again.
const SWEPT: Days = Days::new(30);
/// How often.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Why a mail is passed over.
const OLD: &str = "it came more than 60 days before the newest mail when its folder was first seen";

/// The oldest mail that is read of a folder that was not read under this number before: 60 days before its newest, but every mail
/// since the newest that was seen under another number.
async fn horizon(
    store: &mut Store,
    (source, folder): (&str, &str),
    newest: Option<DateTime<Utc>>,
) -> Result<DateTime<Utc>, StoreError> {
    let known = store.newest_in(source, folder).await?;
    let newest = newest.map_or_else(Utc::now, |newest| newest.min(Utc::now()));
    let oldest = newest.checked_sub_days(LOOK_BACK).unwrap_or(DateTime::<Utc>::MIN_UTC);
    Ok(known.map_or(oldest, |known| known.min(oldest)))
}

impl Daemon {
    /// Gives each of these messages of a folder its row. Where the folder `is_new`, old ones are passed over.
    pub(super) async fn note_new(
        &mut self,
        place: (&str, &str),
        arrivals: Vec<Arrival>,
        is_new: bool,
        report: &mut RoundReport,
    ) -> Result<(), StoreError> {
        let now = Utc::now();
        let newest = arrivals.iter().filter_map(|arrival| arrival.server_date).max();
        let horizon = if is_new { Some(horizon(&mut self.store, place, newest).await?) } else { None };
        let is_old = |arrival: &Arrival| arrival.server_date.zip(horizon).is_some_and(|(at, horizon)| at < horizon);
        let (old, fresh): (Vec<Arrival>, Vec<Arrival>) = arrivals.into_iter().partition(is_old);
        self.store.announce(&fresh, now).await?;
        if let Some(first) = old.first() {
            self.store.pass_over(&old, OLD, now).await?;
            report.passed_over += old.len();
            tracing::info!(folder = first.folder, mails = old.len(), "old mails are passed over");
        }
        Ok(())
    }

    /// Lists what is new in a folder.
    pub(super) async fn look_into(
        &mut self,
        mailbox: &mut Mailbox,
        source: &str,
        name: &str,
        report: &mut RoundReport,
    ) -> Result<Folder, Trouble> {
        let now = Utc::now();
        let folder = self.until_stopped(mailbox.examine(name)).await?;
        let place = (source, name, folder.uid_validity);
        let cursor = self.store.cursor(source, name).await?;
        let known = cursor.filter(|cursor| cursor.epoch == folder.uid_validity);
        let is_swept = self.swept.get(name).is_some_and(|at| at.elapsed() < DAY);
        let after = match known {
            Some(cursor) if is_swept => cursor.last_uid,
            Some(cursor) => {
                let newest = self.store.newest_in(source, name).await?;
                let since =
                    newest.and_then(|newest| newest.checked_sub_days(SWEPT)).unwrap_or(DateTime::<Utc>::MIN_UTC);
                let lowest = self.store.lowest_uid(place, since).await?;
                lowest.map_or(0, |lowest| lowest.saturating_sub(1).min(cursor.last_uid))
            }
            None => 0,
        };
        if !is_swept && let Some(yesterday) = now.checked_sub_days(Days::new(1)) {
            self.store.ask_again(place, yesterday).await?;
        }
        let listed = self.until_stopped(mailbox.listed(&folder, after)).await?;
        let listed = self.store.without_row(place, &listed).await?;
        let announcement = self.until_stopped(mailbox.described(&folder, &listed)).await?;
        let arrival = |uid: u32, size: Option<u32>, server_date: Option<DateTime<Utc>>| Arrival {
            source: source.to_owned(),
            folder: name.to_owned(),
            epoch: folder.uid_validity,
            uid: uid.to_string(),
            size,
            server_date,
        };
        let described = announcement.mails.iter();
        let mut arrivals: Vec<Arrival> =
            described.map(|mail| arrival(mail.uid, Some(mail.size), Some(mail.internal_date.to_utc()))).collect();
        arrivals.extend(announcement.withheld.iter().map(|uid| arrival(*uid, None, None)));
        self.note_new((source, name), arrivals, known.is_none(), report).await?;
        for uid in &announcement.gone {
            let gone = arrival(*uid, None, None);
            let why = "it was deleted from the server before it was read";
            self.store.settle(&gone, ArrivalState::Gone, why, now).await?;
        }
        if let Some(old) = cursor.filter(|cursor| cursor.epoch != folder.uid_validity) {
            // RFC 3501, 2.3.1.1: the old numbers mean nothing now; what waited under them has just been announced anew
            let why = "the server has numbered the folder anew; it is read under its new number";
            for open in self.store.pending(source, name, old.epoch).await? {
                self.store.settle(&open.arrival, ArrivalState::Gone, why, now).await?;
            }
        }
        let cursor = Cursor { epoch: folder.uid_validity, last_uid: folder.uid_next.saturating_sub(1) };
        self.store.advance(source, name, cursor, now).await?;
        if !is_swept {
            self.swept.insert(name.to_owned(), Instant::now());
        }
        Ok(folder)
    }
}
