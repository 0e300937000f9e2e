//! maildir
