//! A step of `amici check`, and what came of it.

/// What was tried: whether it is as it must be, what it is, and what there is to say.
pub(super) type Tried = (bool, &'static str, String);
