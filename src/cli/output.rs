//! Files that a command writes because the player named them.

use std::fs::{DirBuilder, OpenOptions, remove_file, rename, symlink_metadata};
use std::io::{ErrorKind, Result, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use super::{Exit, Failure, token};

/// Writes a file that its owner alone may read: whole or not at all, through a new file beside it that takes its name.
///
/// What is there is replaced by `force` only, and only if it is a file: a link would be followed to who knows where.
pub(super) fn write(path: &Path, bytes: &[u8], force: bool) -> std::result::Result<(), Failure> {
    let file = path.display();
    let refuse = |why: &str, help: &str| Failure::new(Exit::Failed, format!("{file} {why}\nhelp: {help}"));
    match symlink_metadata(path) {
        Ok(there) if there.is_symlink() => {
            return Err(refuse("is a symbolic link, which is not written through", "name the file that it leads to"));
        }
        Ok(there) if !there.is_file() => {
            return Err(refuse("exists already and is no regular file", "name another file"));
        }
        Ok(_) if !force => return Err(refuse("exists already", "name another file, or say --force to replace it")),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(Failure::unwritten(path, &error)),
    }
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", token()?));
    let part = Path::new(&part);
    let written = fill(part, bytes).and_then(|()| rename(part, path));
    written.map_err(|error| {
        // it may not even be there
        let _ = remove_file(part);
        Failure::unwritten(path, &error)
    })
}

/// Makes a folder that its owner alone can enter, unless it is there.
pub(super) fn make_private(folder: &Path) -> std::result::Result<(), Failure> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| Failure::new(Exit::Failed, format!("{} cannot be made: {error}", folder.display())))
}

fn fill(part: &Path, bytes: &[u8]) -> Result<()> {
    let mut out = OpenOptions::new().write(true).create_new(true).mode(0o600).open(part)?;
    out.write_all(bytes)?;
    out.sync_all()
}
