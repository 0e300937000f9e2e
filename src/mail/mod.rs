//! PURE. The format of email: bytes to texts, senders and dates, and a draft back to bytes. Does not know that chess exists.
//!
//! May use mail-parser, html5ever, idna, lettre's builder, chrono's types and std; no clock, no files, no network, no logging.
//! Everything from a mail is untrusted: no indexing, no recursion that follows its structure, no pattern that backtracks.
//! Sizes are bounded before a parser sees them: what is more is an error, never half a text.
//! Not covered: S/MIME, PGP/MIME encryption, winmail.dat (TNEF); such parts are attachments without a text.
//! What will surprise you: [`message::parse`] never descends into an attached message, because its words are not the
//! sender's; and only [`ids::MessageId`] may pass from an incoming mail into the header of an outgoing one.
//!
//! Reading order: [`message`] (with [`headers`], [`mime`], [`decode`], [`text`], `notices`), [`html`] (with `page`, `elements`,
//! `style`), [`sender`], [`authentication`], [`automatic`], [`quote`], and for the way out [`ids`], [`address`], [`uri`] and [`draft`].

pub mod address;
pub mod authentication;
pub mod automatic;
pub mod bounce;
pub mod decode;
pub mod draft;
mod elements;
mod footers;
pub mod headers;
pub mod html;
pub mod ids;
pub mod known;
pub mod message;
pub mod mime;
mod notices;
mod page;
mod phrases;
pub mod quote;
pub mod sender;
mod style;
pub mod text;
pub mod uri;
