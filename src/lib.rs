//! amici
pub mod config;
pub mod domain;
pub mod io;
pub mod mail;
