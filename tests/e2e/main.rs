//! End-to-end tests: the program against a real Dovecot and a real SMTP server.
//!
//! Each test starts its own pair of servers (`support::Servers`, about a quarter of a second) on an
//! address of its own, so tests run in parallel and none sees the mail of another. Without the
//! servers' packages the tests fail and name them; nothing is ever skipped.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::print_stderr
)]

mod accounts;
mod adopt;
mod check;
mod crash;
mod desk;
mod direct;
mod drafts;
mod harness;
mod init;
mod line;
mod login;
mod outage;
mod phone;
mod player;
mod sent;
mod support;
mod token;
mod trouble;
