//! What end-to-end tests stand on: private mail servers, a proxy that breaks connections, a line client.
//!
//! May use std, rustls, rcgen, nix and tempfile, never the program itself: what it reports about a
//! mailbox is independent of the code under test. Everything blocks and panics on trouble, with the
//! servers' logs; from an async test call it on a multi-thread runtime.

pub(crate) mod browser;
mod certificates;
mod doveadm;
mod process;
pub(crate) mod provider;
pub(crate) mod proxy;
mod servers;
pub(crate) mod wire;

pub(crate) use certificates::Certificate;
pub(crate) use doveadm::Snapshot;
pub(crate) use process::{guarded, poll, poll_for, processes};
pub(crate) use servers::{HARRIET, PLAYER, Servers, TOBIN, WRONG_PASSWORD, base64};
