//! secret
