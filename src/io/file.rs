//! Files that the player names, read as far as a bound.
//!
//! A file may be a device that never ends, a pipe that nobody writes to, or larger than the memory; whoever made it may be a
//! stranger. So nothing but a regular file is opened, and no more is read than what such a file has.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Read, Result};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Bytes of a configuration, and of certificates.
pub const SETTINGS: u64 = 1 << 20;
/// Bytes of one mail.
pub const MAIL: u64 = 16 << 20;
/// Bytes of games: ten thousand with comments, as `amici export` writes them.
pub const GAMES: u64 = 64 << 20;

/// The whole file, of at most `most` bytes.
///
/// # Errors
/// Those of the system; `InvalidInput` for what is no regular file, `FileTooLarge` for what is longer.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    // looked at before it is opened: to open a pipe is to wait for its writer
    if !fs::metadata(path)?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let limit = if most < 1 << 20 { format!("{} KiB", most >> 10) } else { format!("{} MiB", most >> 20) };
        return Err(Error::new(ErrorKind::FileTooLarge, format!("it is longer than {limit}, the most that is read")));
    }
    Ok(bytes)
}

/// The same as text.
///
/// # Errors
/// Also `InvalidData` for what is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String> {
    String::from_utf8(read(path, most)?).map_err(|_| Error::new(ErrorKind::InvalidData, "it is not text in UTF-8"))
}

/// The permission bits of a file or folder that others than its owner can read or write; `None` if they cannot, or if it is not
/// there.
pub fn exposed(path: &Path) -> Option<u32> {
    let mode = fs::metadata(path).ok()?.permissions().mode() & 0o7777;
    (mode & 0o077 != 0).then_some(mode)
}

#[cfg(test)]
mod tests {
    use tempfile::tempdir;

    use super::*;

    #[test]
    fn a_file_is_read_up_to_the_bound_and_not_beyond() {
        let dir = tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "x".repeat(2048)).unwrap();
        assert_eq!(read(&path, 2048).unwrap().len(), 2048);
        let error = read(&path, 2047).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it is longer than 1 KiB, the most that is read");
        fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_text(&path, 10).unwrap_err().kind(), ErrorKind::InvalidData);
    }

    #[test]
    fn what_is_no_regular_file_is_not_opened() {
        let dir = tempdir().unwrap();
        for path in [Path::new("/dev/zero"), dir.path()] {
            assert_eq!(read(path, 10).unwrap_err().to_string(), "it is not a regular file", "{}", path.display());
        }
        assert_eq!(read(&dir.path().join("none"), 10).unwrap_err().kind(), ErrorKind::NotFound);
    }
}
