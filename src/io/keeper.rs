//! Where a secret is kept that the program was given: a file of its own, the password store, or the keyring of the desktop.
//!
//! May write the one file, and start the one program; the secret goes to it on its standard input, never as an argument. It is read
//! again by `io::secret`, from the place that stands here.
//! Surprise: a file is replaced as a whole and is on the disk when it is said to be kept, so that a crash leaves the old secret or the new.

use std::fs::{DirBuilder, File, OpenOptions, rename};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use zeroize::Zeroizing;

use super::secret::SecretSource;

/// How long a program may take to keep a secret: somebody may have to unlock its keyring first.
const LIMIT: Duration = Duration::from_secs(60);

/// Where a secret can be kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Keeper {
    /// A file that only its owner can read.
    #[default]
    File,
    /// The password store (`pass`).
    Pass,
    /// The keyring of the desktop (`secret-tool`, of libsecret).
    SecretTool,
}

/// A secret was not kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct KeepError(String);

impl Keeper {
    /// All of them, the one that is always there first.
    pub const ALL: [Keeper; 3] = [Keeper::File, Keeper::Pass, Keeper::SecretTool];

    /// The program that keeps it, unless it is a file.
    pub fn program(self) -> Option<&'static str> {
        match self {
            Keeper::File => None,
            Keeper::Pass => Some("pass"),
            Keeper::SecretTool => Some("secret-tool"),
        }
    }

    /// As the player names it.
    pub fn name(self) -> &'static str {
        self.program().unwrap_or("file")
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Keeper> {
        Keeper::ALL.into_iter().find(|keeper| keeper.name() == name)
    }

    /// Where a secret with this entry is read again; of a file it is the path.
    pub fn place(self, entry: &str, file: &Path) -> SecretSource {
        let [_, show] = self.commands(entry, "");
        if self == Keeper::File { SecretSource::File(file.to_owned()) } else { SecretSource::Command(show) }
    }

    /// Keeps a secret, in place of the one that was there: by a program under its entry and what the entry is called, or in the file.
    ///
    /// # Errors
    /// [`KeepError`], in one clause without the secret.
    pub async fn keep(self, (entry, label): (&str, &str), file: &Path, secret: &SecretString) -> Result<(), KeepError> {
        if self == Keeper::File {
            let line = Zeroizing::new([secret.expose_secret(), "\n"].concat());
            let written = write(file, line.as_bytes());
            return written.map_err(|error| KeepError(format!("{} cannot be written: {error}", file.display())));
        }
        let [store, _] = self.commands(entry, label);
        hand_over(&store, secret).await
    }

    /// The command that takes a secret on its standard input, and the one that prints it again.
    fn commands(self, entry: &str, label: &str) -> [Vec<String>; 2] {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        match self {
            Keeper::File => [Vec::new(), Vec::new()],
            Keeper::Pass => {
                let entry = format!("amici/{entry}");
                [words(&["pass", "insert", "--multiline", "--force", &entry]), words(&["pass", "show", &entry])]
            }
            Keeper::SecretTool => {
                let key = ["service", "amici", "account", entry];
                let store = [&["secret-tool", "store", "--label", label][..], &key].concat();
                [words(&store), words(&[&["secret-tool", "lookup"][..], &key].concat())]
            }
        }
    }
}

/// Makes a folder that its owner alone can enter, unless it is there.
///
/// # Errors
/// Those of the system.
pub(super) fn make_private(folder: &Path) -> io::Result<()> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// The file is its owner's alone, and whole: what is written takes its name once it is on the disk.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    make_private(folder)?;
    let mut part = path.as_os_str().to_owned();
    part.push(".new");
    // one that a crash left may have the rights of anybody
    match std::fs::remove_file(&part) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    rename(&part, path)?;
    // the new name has to outlast a crash as well
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder)?.sync_all()
}

/// Gives a secret to a program on its standard input. What it says is not shown: it may quote it.
async fn hand_over(command: &[String], secret: &SecretString) -> Result<(), KeepError> {
    let [program, arguments @ ..] = command else { return Ok(()) };
    let cannot = |why: String| KeepError(format!("{program} {why}"));
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| cannot(format!("cannot be run: {error}")))?;
    let kept = async {
        if let Some(mut input) = child.stdin.take() {
            // whether it took it shows in how it ends
            let _ = input.write_all(secret.expose_secret().as_bytes()).await;
        }
        child.wait().await
    };
    match tokio::time::timeout(LIMIT, kept).await {
        Ok(Ok(ended)) if ended.success() => Ok(()),
        Ok(Ok(ended)) => Err(cannot(format!("failed ({ended})"))),
        Ok(Err(error)) => Err(cannot(error.to_string())),
        Err(_) => Err(cannot(format!("did not finish within {} s", LIMIT.as_secs()))),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[tokio::test]
    async fn a_file_is_replaced_as_a_whole_and_is_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("inner/token");
        for secret in ["first", "second"] {
            Keeper::File.keep(("entry", "label"), &file, &secret.into()).await.unwrap();
            let read = Keeper::File.place("entry", &file).read().await.unwrap();
            assert_eq!(read.expose_secret(), secret);
        }
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
        assert_eq!(std::fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }

    #[tokio::test]
    async fn a_program_that_does_not_take_the_secret_is_named() {
        let error = hand_over(&["false".to_owned()], &"canary".into()).await.unwrap_err();
        assert_eq!(error.to_string(), "false failed (exit status: 1)");
        hand_over(&["grep".to_owned(), "-qx".to_owned(), "canary".to_owned()], &"canary".into()).await.unwrap();
    }

    #[test]
    fn each_keeper_is_known_by_its_name() {
        for keeper in Keeper::ALL {
            assert_eq!(Keeper::named(keeper.name()), Some(keeper));
        }
        assert_eq!(Keeper::named("cloud"), None);
    }
}
