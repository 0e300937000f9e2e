//! amici
fn main() {}
