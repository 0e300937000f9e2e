//! `io::imap` and `io::tls` against scripted servers: nothing refused, cut, late or broken passes for an answer.

mod certificates;
mod drafts;
mod folder;
mod hostile;
mod login;
mod reading;
mod role;
mod server;
