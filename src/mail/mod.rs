//! PURE. Email format; does not know that chess exists.
