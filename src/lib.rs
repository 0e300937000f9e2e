//! amici
pub mod cli;
pub mod config;
pub mod daemon;
pub mod delivery;
pub mod domain;
pub mod intake;
pub mod io;
pub mod letters;
pub mod mail;
