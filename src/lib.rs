//! `amici` reads the mails of correspondence-chess opponents, checks their moves against the games it keeps, keeps both clocks,
//! and drafts the replies. A person sends them.
//!
//! # The path of one mail
//! 1. [`daemon`] asks [`io::imap`] (or [`io::maildir`]) for what is new. Nothing in the mailbox is changed but drafts of our own;
//!    every announced message gets a row in the ledger.
//! 2. [`intake::take_in`] reads, decides and writes, once per mail: [`mail`] turns bytes into the sender's own words,
//!    [`domain::transmission`] reads what they say of the game, [`domain::judge`] decides, [`letters`] composes the notice, and
//!    [`io::store`] keeps all of it in one transaction.
//! 3. Beside it, in a task of its own, [`delivery`] hands the notice over to the player's own address, noting each try before it is made.
//!    Trouble of a server is one outage, kept in [`io::store`]: nobody asks it again before its time, whatever waits.
//! 4. The player chooses with [`cli`] `play`, or by a mail to himself; [`choice`] is the one validator of both, and what he does besides
//!    is proposed, shown and kept in [`deeds`]; [`desk`] shows all of it on a page and calls the same commands. His finished draft
//!    takes the same way out, and where he wants it so [`daemon::tend`] puts it into his mailbox's folder for drafts too. What he
//!    sends, he sends himself.
//! 5. [`sent::take_in`] reads that mail back from his Sent folder: the move and the day that really went out are the record, whatever
//!    was planned. What answers a held mail is read again once that is settled. A report that it came back ([`mail::bounce`]) warns him.
//!
//! Of several accounts ([`config::Accounts`]) each goes this way by itself, with a daemon and a database of its own.
//! Where he allowed it, and for each move by his word, [`release`] sends it to the opponent in his stead: no other mail goes there.
//!
//! A mail that cannot be accepted is a value, a [`domain::judge::Verdict`]; errors are trouble with the outside world, and each knows
//! its [`io::Class`]: try again, wait for the player, or set this one message aside.
//!
//! # Layers
//! Arrows point downwards only: `main -> cli -> daemon, desk, deeds, proof -> intake, sent, release, delivery, overview -> choice -> letters -> config, discover -> domain | mail | io`.
//!
//! | I am in | I may use | I must not |
//! |---|---|---|
//! | [`domain`] | shakmaty, chrono, regex-syntax | know that email exists; async, clock, files, SQL, logging |
//! | [`mail`] | mail-parser, html5ever, idna, a builder | know a chess word; the network, the clock |
//! | [`io`] | the types of both; async-imap, lettre, sqlx, rustls, oauth2, mail-auth, each in one place | take a decision; read the clock |
//! | [`config`] | the types of all three; its own files | hold a password; decide about a mail |
//! | [`discover`] | addresses of [`mail`], questions of [`io`] | log in anywhere, hold a password |
//! | [`letters`], [`choice`], [`intake`], [`sent`], [`delivery`], [`release`], [`overview`], [`deeds`], [`proof`] | all of the above but sockets | loop, sleep, read the clock, print |
//! | [`daemon`] | everything below | rules, SQL, text formats |
//! | [`desk`] | what pages show of the record; axum | write anything: what it does are commands, which [`cli`] carries out for it |
//! | [`cli`] | everything below | rules, SQL |
//!
//! # In reading order
//! [`intake`], [`sent`], [`domain::judge`], [`domain::transmission`], [`domain::game`], [`domain::record`], [`domain::replay`],
//! [`domain::plan`], [`domain::promise`], [`domain::notation`], [`domain::clock`], [`domain::document`], [`domain::adopt`],
//! [`domain::start_letter`], [`domain::pgn`], [`domain::summary`], [`domain::board`], [`domain::openings`], [`mail`], [`letters`], [`choice`], [`delivery`],
//! [`release`], [`overview`], [`deeds`], [`daemon`], [`desk`], [`proof`], [`io::store`], [`io::imap`], [`io::maildir`], [`io::smtp`], [`io::tls`],
//! [`io::access`], [`io::secret`], [`io::keeper`], [`io::oauth`], [`io::dkim`], [`io::dns`], [`io::http`], [`io::bell`], [`io::alarm`], [`config`], [`discover`], [`cli`].

pub mod choice;
pub mod cli;
pub mod config;
pub mod daemon;
pub mod deeds;
pub mod delivery;
pub mod desk;
pub mod discover;
pub mod domain;
pub mod intake;
pub mod io;
pub mod languages;
pub mod letters;
pub mod mail;
pub mod overview;
pub mod proof;
pub mod release;
pub mod sent;
