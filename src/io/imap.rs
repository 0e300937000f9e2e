//! imap
