//! Everything fast: no server, no sleeping. One binary, one file per area.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::string_slice, clippy::panic)]
#![allow(missing_docs, reason = "the names of tests are sentences")]

mod adopt;
mod agenda;
mod architecture;
mod care;
mod choose;
mod claim;
mod cli;
mod clock;
mod clock_cli;
mod club;
mod command;
mod conditional;
mod corpus;
mod daemon;
mod dates;
mod digest;
mod docker;
mod event;
mod events;
mod evidence;
mod ical;
mod imap;
mod intake;
mod leave;
mod mail;
mod mail_monsters;
mod maildir;
mod notation;
mod permutation;
mod pgn;
mod pgn_commands;
mod pgn_programs;
mod queue;
mod replay;
mod smtp;
mod status;
mod store;
mod transmission;
mod verify;
mod which;
mod who;
