//! PURE. Chess and ICCF rules; does not know that email exists.
pub mod notation;
