//! The director's start letter.

mod facts;

pub use facts::{control_in, event_code, start_in};
