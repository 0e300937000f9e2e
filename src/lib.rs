//! amici
pub mod domain;
pub mod io;
pub mod mail;
