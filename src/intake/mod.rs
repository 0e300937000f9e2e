//! ONE incoming mail: read, decide, write. The first code to read.
pub mod decide;
mod evidence;
pub mod which;
