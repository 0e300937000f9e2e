//! The stored bytes of the mails: which of them are those that came.

use std::collections::BTreeMap;

use super::came;
use crate::io::store::{Store, StoreError};

/// Every mail whose bytes are kept, and whether they are those that came.
pub(super) struct Bytes(BTreeMap<i64, bool>);

impl Bytes {
    pub(super) async fn read(store: &mut Store) -> Result<Bytes, StoreError> {
        let mut kept = BTreeMap::new();
        for (mail, sha256) in store.kept_mails().await? {
            kept.insert(mail, came(store, mail, &sha256).await?.is_some());
        }
        Ok(Bytes(kept))
    }

    /// What is kept of a game's mail instead of what came; `None` where all is well.
    pub(super) fn instead(&self, mail: i64) -> Option<&'static str> {
        match self.0.get(&mail) {
            Some(true) => None,
            Some(false) => Some("other bytes, or none that can be unpacked"),
            None => Some("none"),
        }
    }

    /// The mails whose bytes are others.
    pub(super) fn other(&self) -> impl Iterator<Item = i64> {
        self.0.iter().filter(|(_, came)| !**came).map(|(mail, _)| *mail)
    }
}
