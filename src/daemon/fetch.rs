//! Fetching what waits to be read: many mails at once, and each by itself where that fails.
//!
//! What will surprise you: mails that were fetched together and cost the connection are fetched one by one in the next look, so that only
//! the one that does it is set aside.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Utc};

use super::{Daemon, RoundReport, STOPPING, Trouble};
use crate::domain::clock::trust::is_arrival;
use crate::intake::witnesses;
use crate::io::Class;
use crate::io::imap::{ImapError, Mailbox};
use crate::io::store::{Arrival, ArrivalState, NotRead};

/// Fetches in a row after which a mail that the server cannot give is set aside.
const FETCHES: u32 = 5;
/// From so many mails on a look says how far it has come.
const LONG: usize = 100;
/// The most mails that are fetched at once ...
const GROUP: usize = 200;
/// ... and the most bytes, which are all held.
const GROUP_BYTES: u64 = 4 << 20;
/// As much of the header of a mail that is too large as is looked at, in bytes.
const HEADER: u32 = 16 * 1024;

impl Daemon {
    /// Says how far a long look has come.
    pub(super) async fn progress(&mut self, read: usize, all: usize) {
        if all < LONG {
            return;
        }
        self.signs.set_progress(Some(format!("read {read} of {all} mails")));
        if read == 0 || self.last_beat.elapsed() > Duration::from_secs(10) {
            tracing::info!("read {read} of {all} mails");
            self.beat("running", self.poll()).await;
        }
    }

    /// Fetches these mails of the folder that is open, and takes them in one by one.
    pub(super) async fn read_group(
        &mut self,
        mailbox: &mut Mailbox,
        group: Vec<Arrival>,
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        let uids: Vec<u32> = group.iter().filter_map(|arrival| arrival.uid.parse().ok()).collect();
        let mut fetched = match uids.len() {
            // whatever is wrong with the one mail is found out where it is read
            0 | 1 => BTreeMap::new(),
            _ => match self.until_stopped(mailbox.fetch_many(&uids)).await {
                Ok(fetched) => fetched,
                Err(trouble) => {
                    // which of them it was shows when each is asked for by itself
                    self.one_by_one = trouble.message != STOPPING;
                    return Err(trouble);
                }
            },
        };
        for arrival in group {
            let bytes = arrival.uid.parse().ok().and_then(|uid: u32| fetched.remove(&uid));
            self.read_one(mailbox, arrival, bytes, report).await?;
        }
        Ok(())
    }

    /// Fetches a mail of the folder that is open, unless it was, and takes it in.
    async fn read_one(
        &mut self,
        mailbox: &mut Mailbox,
        arrival: Arrival,
        fetched: Option<Vec<u8>>,
        report: &mut RoundReport,
    ) -> Result<(), Trouble> {
        let Ok(uid) = arrival.uid.parse::<u32>() else {
            return Ok(());
        };
        if self.is_too_large(&arrival) {
            let header = match mailbox.fetch_header(uid, HEADER).await {
                Ok(header) => header,
                // it is listed without its sender then
                Err(ImapError::No { .. } | ImapError::Withheld { .. } | ImapError::TooLarge { .. }) => None,
                Err(error) => return Err(error.into()),
            };
            return self.list_too_large(&arrival, header.as_deref(), report).await;
        }
        let fetched = match fetched {
            Some(bytes) => Ok(Some(bytes)),
            None => self.until_stopped(mailbox.fetch(uid)).await,
        };
        let bytes = match fetched {
            Ok(Some(bytes)) => bytes,
            Ok(None) => {
                let why = "it was deleted from the server before it was read";
                return Ok(self.store.settle(&arrival, ArrivalState::Gone, why, Utc::now()).await?);
            }
            Err(trouble) if trouble.class == Class::SetAside => {
                return self.set_aside(&arrival, &trouble.message, report).await;
            }
            Err(trouble) => {
                if trouble.message != STOPPING && self.store.note_refusal(&arrival, Utc::now()).await? >= FETCHES {
                    let why = format!("the server could not give it {FETCHES} times: {}", trouble.message);
                    self.set_aside(&arrival, &why, report).await?;
                }
                return Err(trouble);
            }
        };
        let at = arrival.server_date.filter(|at| is_possible(*at, &bytes)).unwrap_or_else(Utc::now);
        self.take(arrival, &bytes, at, report).await
    }
}

/// Neighbours of one folder that are fetched at once. One that is larger than `largest`, or of which the size is not known, stands alone; so
/// does each where they are to be read `one_by_one`.
pub(super) fn groups(waiting: Vec<NotRead>, one_by_one: bool, largest: u32) -> Vec<Vec<Arrival>> {
    let size = |arrival: &Arrival| arrival.size.filter(|size| *size <= largest && !one_by_one).map(u64::from);
    let is_beside = |one: &Arrival, other: &Arrival| one.folder == other.folder && one.epoch == other.epoch;
    blocks(waiting.into_iter().map(|mail| mail.arrival), size, is_beside)
}

/// Neighbours that are fetched at once: so many, and no more bytes together than are held. One without a `size` stands alone, and only those
/// that are `is_beside` one another stand together.
pub(super) fn blocks<T>(
    mails: impl IntoIterator<Item = T>,
    size: impl Fn(&T) -> Option<u64>,
    is_beside: impl Fn(&T, &T) -> bool,
) -> Vec<Vec<T>> {
    let mut blocks: Vec<Vec<T>> = Vec::new();
    let mut room = 0;
    for mail in mails {
        let size = size(&mail);
        let last = blocks.last_mut().filter(|block| {
            let beside = block.first().is_some_and(|one| is_beside(one, &mail));
            beside && block.len() < GROUP && size.is_some_and(|size| size <= room)
        });
        match last {
            Some(block) => {
                room -= size.unwrap_or(room);
                block.push(mail);
            }
            None => {
                // beside one that stands alone there is no room
                room = size.map_or(0, |size| GROUP_BYTES.saturating_sub(size));
                blocks.push(vec![mail]);
            }
        }
    }
    blocks
}

/// Whether a server can have taken this mail at `at`.
pub(super) fn is_possible(at: DateTime<Utc>, bytes: &[u8]) -> bool {
    is_arrival(at, Utc::now(), || witnesses(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::store::ArrivalState;

    fn waiting(mails: &[(&str, Option<u32>)]) -> Vec<NotRead> {
        let one = |(folder, size): &(&str, Option<u32>)| NotRead {
            arrival: Arrival {
                source: "imap".to_owned(),
                folder: (*folder).to_owned(),
                epoch: 1,
                uid: "1".to_owned(),
                size: *size,
                server_date: None,
            },
            attempts: 0,
            state: ArrivalState::Open,
            reason: None,
            noted_at: Utc::now(),
        };
        mails.iter().map(one).collect()
    }

    #[test]
    fn mails_are_fetched_together_within_a_folder_and_a_number_of_bytes() {
        let sizes = |mails: &[(&str, Option<u32>)], one_by_one| -> Vec<usize> {
            groups(waiting(mails), one_by_one, 3 << 20).iter().map(Vec::len).collect()
        };
        let small = ("INBOX", Some(1000));
        assert_eq!(sizes(&[small; 450], false), [200, 200, 50]);
        assert_eq!(sizes(&[small; 3], true), [1, 1, 1]);
        assert_eq!(sizes(&[small, small, ("Sent", Some(1000)), small], false), [2, 1, 1]);
        assert_eq!(sizes(&[small, ("INBOX", Some(3 << 20)), ("INBOX", Some(2 << 20)), small], false), [2, 2]);
        assert_eq!(sizes(&[small, ("INBOX", Some((3 << 20) + 1)), small], false), [1, 1, 1], "too large to be read");
        assert_eq!(sizes(&[small, ("INBOX", None), small], false), [1, 1, 1]);
    }
}
