//! Move notations.
