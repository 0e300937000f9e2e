//! amici
pub mod config;
pub mod domain;
pub mod intake;
pub mod io;
pub mod letters;
pub mod mail;
