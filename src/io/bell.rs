//! A socket in the data folder: by it a command wakes the running daemon, and waits for what it says.
//!
//! One line goes in, one text comes out, and the connection ends. Only the owner of the folder can reach it.
//! What will surprise you: the name of a socket must be short (108 bytes), and a data folder may lie deep: it is reached through an open
//! handle of the folder.

use std::fs::{File, Permissions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::time::timeout;

/// The name of the socket in the data folder.
const NAME: &str = "amici.sock";
/// The longest line that is taken, in bytes.
const LINE: u64 = 100;
/// The longest text that is given back, in bytes.
const TEXT: u64 = 64 << 20;
/// Whoever rings says what he wants within this.
const PATIENCE: Duration = Duration::from_secs(5);

/// The daemon's end.
#[derive(Debug)]
pub struct Bell {
    listener: UnixListener,
    path: PathBuf,
}

/// Somebody who rang, and what he wants.
#[derive(Debug)]
pub struct Ring {
    /// The line that he gave.
    pub wish: String,
    stream: UnixStream,
}

/// The way to the socket that is short enough, and the handle that it needs.
fn short(dir: &Path) -> io::Result<(PathBuf, File)> {
    let handle = File::open(dir)?;
    Ok((PathBuf::from(format!("/proc/self/fd/{}/{NAME}", handle.as_raw_fd())), handle))
}

impl Bell {
    /// Puts the socket into a data folder, in the stead of one that an earlier daemon left. Whoever calls this holds the lock of the folder.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn hang(dir: &Path) -> io::Result<Bell> {
        let path = dir.join(NAME);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let (short, _handle) = short(dir)?;
        let listener = UnixListener::bind(short)?;
        std::fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        Ok(Bell { listener, path })
    }

    /// Waits for somebody who rings.
    ///
    /// # Errors
    /// Those of the system; one who says nothing is none.
    pub async fn next(&self) -> io::Result<Ring> {
        loop {
            let (mut stream, _) = self.listener.accept().await?;
            let mut wish = Vec::new();
            let mut line = (&mut stream).take(LINE);
            if let Ok(Ok(1..)) = timeout(PATIENCE, line.read_to_end(&mut wish)).await {
                return Ok(Ring { wish: String::from_utf8_lossy(&wish).trim_end().to_owned(), stream });
            }
        }
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        // whoever comes next replaces it
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Ring {
    /// Gives the answer; he may be gone.
    pub async fn answer(mut self, text: &str) {
        let _ = self.stream.write_all(text.as_bytes()).await;
        let _ = self.stream.shutdown().await;
    }
}

/// Rings at the daemon of a data folder, and waits for its answer, however long that takes. An empty one: it ended before it gave it.
///
/// # Errors
/// Nobody is there.
pub async fn ring(dir: &Path, wish: &str) -> io::Result<String> {
    let (short, _handle) = short(dir)?;
    let mut stream = UnixStream::connect(short).await?;
    stream.write_all(format!("{wish}\n").as_bytes()).await?;
    stream.shutdown().await?;
    let mut answer = Vec::new();
    stream.take(TEXT).read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_wish_gets_its_answer_in_a_folder_of_whatever_depth_and_through_nobody_else() {
        let dir = tempfile::TempDir::new().unwrap();
        let deep = dir.path().join("a".repeat(100)).join("b".repeat(100));
        std::fs::create_dir_all(&deep).unwrap();
        assert!(ring(&deep, "look").await.is_err(), "nobody is there");
        for _ in 0..2 {
            let bell = Bell::hang(&deep).unwrap();
            let mode = std::fs::metadata(deep.join(NAME)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            let daemon = async {
                let ring = bell.next().await.unwrap();
                let wish = ring.wish.clone();
                ring.answer("all is well").await;
                wish
            };
            let (wish, answer) = tokio::join!(daemon, ring(&deep, "look"));
            assert_eq!((wish.as_str(), answer.unwrap().as_str()), ("look", "all is well"));
            // as after a crash
            std::mem::forget(bell);
        }
    }
}
