//! Where a password comes from: a command, a file, or a systemd credential; never an argument, never the environment.
//!
//! May start the one configured program and read the one configured file. A password is the first line, without its end,
//! so that `pass show` and a file written by an editor both work.
//! Not covered: keyrings; a command can ask one (`secret-tool`). What logs in by a token of OAuth2 is `io::access`.
//! Surprise: only the program itself is killed at its time limit, not what it may have started. A systemd credential may
//! be readable by its group, as systemd guards the directory instead.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use secrecy::SecretString;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use tokio::time::timeout;
use zeroize::Zeroizing;

use super::Class;

/// How long a password command may take: enough for a gpg-agent that is awake, too short to hold up a day of mail.
const COMMAND_LIMIT: Duration = Duration::from_secs(10);

/// The longest first line, in bytes; access tokens have a few thousand.
const LONGEST_LINE: u64 = 64 * 1024;

/// The directory systemd puts the credentials of a unit in (systemd.exec, `LoadCredential=`).
const CREDENTIALS_DIRECTORY: &str = "CREDENTIALS_DIRECTORY";

/// The place of a password, as the configuration names it.
#[derive(Debug, Clone)]
pub enum SecretSource {
    /// The program and its arguments; no shell reads them. What it prints first is the password.
    Command(Vec<String>),
    /// A file that only its owner can read.
    File(PathBuf),
    /// The name of a systemd credential (`LoadCredential=` or `LoadCredentialEncrypted=`).
    Credential(String),
    /// The password itself, while it is not kept anywhere yet. No configuration can say so.
    Held(SecretString),
}

/// Why there is no password. Never holds what the command printed or the file contains.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The command has no words.
    #[error(
        "the password command is empty\nhelp: write the program and its arguments, as in [\"pass\", \"show\", \"mail/chess\"]"
    )]
    NoCommand,
    /// The program did not start or its output could not be read.
    #[error(
        "the password command {program:?} cannot be run: {why}\nhelp: give the program's full path, and run it as the user amici runs as"
    )]
    Run {
        /// The first word of the command.
        program: String,
        /// The system's reason.
        why: io::Error,
    },
    /// The program reported failure.
    #[error(
        "the password command {program:?} failed ({status})\nhelp: run it by hand, as the user amici runs as, to see why"
    )]
    Failed {
        /// The first word of the command.
        program: String,
        /// Its exit code, or the signal that ended it.
        status: ExitStatus,
    },
    /// The program was killed because it took too long.
    #[error(
        "the password command {program:?} did not finish within {seconds} s\nhelp: unlock its key store, or use one that asks no questions; it has no terminal"
    )]
    TimedOut {
        /// The first word of the command.
        program: String,
        /// The limit, in seconds.
        seconds: u64,
    },
    /// The file cannot be read.
    #[error("the password file {path} cannot be read: {why}")]
    File {
        /// As configured.
        path: PathBuf,
        /// The system's reason.
        why: io::Error,
    },
    /// There is no such file.
    #[error(
        "the password file {path} is not there\nhelp: (umask 077; cat > {path})  then type the password, Enter and Ctrl-D; nobody else can read it so"
    )]
    Missing {
        /// As configured.
        path: PathBuf,
    },
    /// Group or others can read the file.
    #[error("the password file {path} can be read by others (mode {mode:04o})\nhelp: chmod 600 {path}")]
    Exposed {
        /// As configured.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The credential's name is not a plain file name.
    #[error(
        "{name:?} is not the name of a credential\nhelp: write the name alone, as it stands before the colon in LoadCredential="
    )]
    BadName {
        /// As configured.
        name: String,
    },
    /// The program was not started by systemd with credentials.
    #[error(
        "there is no credential {name:?}: CREDENTIALS_DIRECTORY is not set\nhelp: put LoadCredential={name}:/path/to/the/password into the systemd unit; outside of systemd, use a password file or command"
    )]
    NoCredentials {
        /// As configured.
        name: String,
    },
    /// Systemd gave other credentials, but not this one.
    #[error(
        "the credential {name:?} cannot be read: {why}\nhelp: put LoadCredential={name}:/path/to/the/password into the systemd unit"
    )]
    Credential {
        /// As configured.
        name: String,
        /// The system's reason.
        why: io::Error,
    },
    /// The first line is empty.
    #[error("{place} gave no password: its first line is empty")]
    Empty {
        /// Which source.
        place: String,
    },
    /// The first line is longer than any password, or is not UTF-8, or holds a control character.
    #[error("{place} gave no password: its first line is not text of at most {LONGEST_LINE} bytes")]
    NotText {
        /// Which source.
        place: String,
    },
}

impl SecretError {
    /// What the loop does about it: a command that took too long may find its key store unlocked next time; all else
    /// waits for the player.
    pub fn class(&self) -> Class {
        match self {
            Self::TimedOut { .. } => Class::Retry,
            Self::NoCommand
            | Self::Run { .. }
            | Self::Failed { .. }
            | Self::File { .. }
            | Self::Missing { .. }
            | Self::Exposed { .. }
            | Self::BadName { .. }
            | Self::NoCredentials { .. }
            | Self::Credential { .. }
            | Self::Empty { .. }
            | Self::NotText { .. } => Class::Stop,
        }
    }
}

impl SecretSource {
    /// The password that stands there now; read again for each login, so that a changed one needs no restart.
    ///
    /// # Errors
    /// `SecretError`, by the kind of source. It names the source and never quotes it.
    pub async fn read(&self) -> Result<SecretString, SecretError> {
        match self {
            Self::Command(words) => from_command(words, COMMAND_LIMIT).await,
            Self::File(path) => from_file(path),
            Self::Held(password) => Ok(password.clone()),
            Self::Credential(name) => {
                let directory = std::env::var_os(CREDENTIALS_DIRECTORY).map(PathBuf::from);
                from_credential(directory.as_deref(), name)
            }
        }
    }
}

async fn from_command(words: &[String], limit: Duration) -> Result<SecretString, SecretError> {
    let [program, arguments @ ..] = words else {
        return Err(SecretError::NoCommand);
    };
    match timeout(limit, run(program, arguments)).await {
        Ok(password) => password,
        Err(_) => Err(SecretError::TimedOut { program: program.clone(), seconds: limit.as_secs() }),
    }
}

/// Dropped at the time limit, and the program is killed with it. Its stderr is thrown away: it may quote a password.
async fn run(program: &str, arguments: &[String]) -> Result<SecretString, SecretError> {
    let cannot = |why| SecretError::Run { program: program.to_owned(), why };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(cannot)?;
    let mut output = child.stdout.take().ok_or_else(|| cannot(io::Error::from(io::ErrorKind::BrokenPipe)))?;
    let line = first_line(&mut output).await.map_err(cannot)?;
    let mut nowhere = tokio::io::sink();
    // The rest is read and dropped, lest the program die of a closed pipe. Its exit is waited for, not the end of the
    // output: an agent it left in the background may hold that open for ever.
    let status = tokio::select! {
        status = child.wait() => status,
        Err(error) = tokio::io::copy(&mut output, &mut nowhere) => Err(error),
    }
    .map_err(cannot)?;
    if !status.success() {
        return Err(SecretError::Failed { program: program.to_owned(), status });
    }
    password(&line, format!("the password command {program:?}"))
}

fn from_file(path: &Path) -> Result<SecretString, SecretError> {
    let cannot = |why: io::Error| match why.kind() {
        io::ErrorKind::NotFound => SecretError::Missing { path: path.to_owned() },
        _ => SecretError::File { path: path.to_owned(), why },
    };
    let (line, mode) = first_line_of(path).map_err(cannot)?;
    if mode & 0o077 != 0 {
        return Err(SecretError::Exposed { path: path.to_owned(), mode });
    }
    password(&line, format!("the password file {}", path.display()))
}

fn from_credential(directory: Option<&Path>, name: &str) -> Result<SecretString, SecretError> {
    let plain = Path::new(name).file_name().is_some_and(|last| last == name);
    if !plain || name.contains(char::is_control) {
        return Err(SecretError::BadName { name: name.to_owned() });
    }
    let Some(directory) = directory else {
        return Err(SecretError::NoCredentials { name: name.to_owned() });
    };
    let cannot = |why| SecretError::Credential { name: name.to_owned(), why };
    let (line, _) = first_line_of(&directory.join(name)).map_err(cannot)?;
    password(&line, format!("the credential {name:?}"))
}

/// The first line of a file, with its permission bits. Anything but a regular file is refused before it is opened: a pipe would
/// block.
fn first_line_of(path: &Path) -> io::Result<(Zeroizing<Vec<u8>>, u32)> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let file = File::open(path)?;
    let mode = file.metadata()?.permissions().mode() & 0o7777;
    let mut line = empty();
    file.take(LONGEST_LINE + 2).read_to_end(&mut line)?;
    Ok((line, mode))
}

async fn first_line(input: &mut (impl AsyncRead + Unpin)) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut line = empty();
    let mut input = input.take(LONGEST_LINE + 2);
    while !line.contains(&b'\n') && input.read_buf(&mut *line).await? > 0 {}
    Ok(line)
}

/// A buffer that wipes what it held, and does not grow: a buffer that grows leaves its content behind.
fn empty() -> Zeroizing<Vec<u8>> {
    // `read_to_end` wants room to see the end
    Zeroizing::new(Vec::with_capacity(LONGEST_LINE as usize + 64))
}

/// The first line of what was read.
fn password(read: &[u8], place: String) -> Result<SecretString, SecretError> {
    let line = read.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = if line.len() < read.len() { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
    let Ok(text) = std::str::from_utf8(line) else {
        return Err(SecretError::NotText { place });
    };
    if text.is_empty() {
        Err(SecretError::Empty { place })
    } else if text.len() as u64 > LONGEST_LINE || text.contains(char::is_control) {
        Err(SecretError::NotText { place })
    } else {
        Ok(SecretString::from(text))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, set_permissions, write};

    use secrecy::ExposeSecret;
    use tempfile::tempdir;

    use super::*;

    const CANARY: &str = "canary-7f3a-secret";

    fn sh(script: &str) -> SecretSource {
        SecretSource::Command(vec!["sh".into(), "-c".into(), script.into()])
    }

    async fn text_of(source: &SecretSource) -> String {
        source.read().await.unwrap().expose_secret().to_owned()
    }

    fn file_with(content: &[u8], mode: u32) -> (tempfile::TempDir, PathBuf) {
        let folder = tempdir().unwrap();
        let path = folder.path().join("password");
        write(&path, content).unwrap();
        set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        (folder, path)
    }

    #[tokio::test]
    async fn the_first_line_of_a_command_is_the_password() {
        assert_eq!(text_of(&sh("echo ' pass word '; echo user: me")).await, " pass word ");
        assert_eq!(text_of(&sh("printf 'pass\\r\\n'")).await, "pass");
        assert_eq!(text_of(&sh("printf pass")).await, "pass");
    }

    #[tokio::test]
    async fn no_shell_reads_the_arguments_of_a_command() {
        let source = SecretSource::Command(vec!["echo".into(), "$HOME; true".into()]);
        assert_eq!(text_of(&source).await, "$HOME; true");
    }

    #[tokio::test]
    async fn a_command_finds_its_standard_input_closed() {
        assert_eq!(text_of(&sh("cat; echo pass")).await, "pass");
    }

    #[tokio::test]
    async fn a_command_may_print_more_than_a_pipe_holds() {
        let source = sh("echo pass; head -c 1000000 /dev/zero || exit 9");
        assert_eq!(text_of(&source).await, "pass");
    }

    #[tokio::test]
    async fn an_agent_left_in_the_background_is_not_waited_for() {
        assert_eq!(text_of(&sh("echo pass; sleep 20 & exit 0")).await, "pass");
    }

    #[tokio::test]
    async fn a_failing_command_is_named_with_its_exit_code_but_never_quoted() {
        let error = sh(&format!("echo {CANARY}; echo {CANARY} >&2; exit 3")).read().await.unwrap_err();
        assert_eq!(error.class(), Class::Stop);
        assert_eq!(
            error.to_string(),
            "the password command \"sh\" failed (exit status: 3)\n\
             help: run it by hand, as the user amici runs as, to see why"
        );
        assert!(!format!("{error:?}").contains(CANARY));
    }

    #[tokio::test]
    async fn a_command_that_hangs_is_killed_and_tried_again_later() {
        let folder = tempdir().unwrap();
        let pid_file = folder.path().join("pid");
        let script = format!("echo $$ > {}; exec sleep 600", pid_file.display());
        let words = ["sh".to_owned(), "-c".to_owned(), script];
        let error = from_command(&words, Duration::from_secs(1)).await.unwrap_err();
        assert!(matches!(error, SecretError::TimedOut { .. }));
        assert_eq!(error.class(), Class::Retry);
        let pid = std::fs::read_to_string(pid_file).unwrap();
        // Killed, though perhaps not yet buried: then it is a zombie, whose command line is empty.
        while std::fs::read(format!("/proc/{}/cmdline", pid.trim())).is_ok_and(|c| !c.is_empty()) {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_missing_program_and_an_empty_command_are_explained() {
        let missing = SecretSource::Command(vec!["/no/such/program".into()]);
        assert!(matches!(missing.read().await, Err(SecretError::Run { .. })));
        let empty = SecretSource::Command(Vec::new());
        assert!(matches!(empty.read().await, Err(SecretError::NoCommand)));
    }

    #[tokio::test]
    async fn a_password_file_of_the_owner_alone_is_read() {
        for mode in [0o600, 0o400, 0o700] {
            let (_folder, path) = file_with(b"pass\nnotes\n", mode);
            assert_eq!(text_of(&SecretSource::File(path)).await, "pass");
        }
    }

    #[tokio::test]
    async fn a_password_file_that_others_can_read_is_refused_with_the_command_to_run() {
        for mode in [0o640, 0o604, 0o610, 0o602, 0o644] {
            let (_folder, path) = file_with(CANARY.as_bytes(), mode);
            let error = SecretSource::File(path.clone()).read().await.unwrap_err();
            assert!(matches!(error, SecretError::Exposed { mode: m, .. } if m == mode));
            let said = error.to_string();
            assert!(said.ends_with(&format!("help: chmod 600 {}", path.display())), "{said}");
            assert!(!said.contains(CANARY));
        }
    }

    #[tokio::test]
    async fn what_is_no_password_is_refused_and_not_quoted() {
        for content in [&b""[..], b"\n", b"\r\npass\n"] {
            let (_folder, path) = file_with(content, 0o600);
            let error = SecretSource::File(path).read().await.unwrap_err();
            assert!(matches!(error, SecretError::Empty { .. }), "{content:?}");
        }
        let long = vec![b'a'; 70_000];
        for content in [&b"\xff\xfe"[..], b"pa\0ss", b"pa\rss", &long] {
            let (_folder, path) = file_with(content, 0o600);
            let error = SecretSource::File(path).read().await.unwrap_err();
            assert!(matches!(error, SecretError::NotText { .. }), "{content:?}");
        }
    }

    #[tokio::test]
    async fn a_missing_password_file_says_how_to_make_it_and_what_it_says_works() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("password");
        let source = SecretSource::File(path.clone());
        let said = source.read().await.unwrap_err().to_string();
        let command = said.split_once("help: ").and_then(|(_, help)| help.split_once("  then")).unwrap().0;
        let mut shell = Command::new("sh").arg("-c").arg(command).stdin(Stdio::piped()).spawn().unwrap();
        tokio::io::AsyncWriteExt::write_all(&mut shell.stdin.take().unwrap(), b"pass\n").await.unwrap();
        assert!(shell.wait().await.unwrap().success());
        assert_eq!(text_of(&source).await, "pass");
    }

    #[tokio::test]
    async fn a_folder_is_not_a_password_file() {
        let folder = tempdir().unwrap();
        let error = SecretSource::File(folder.path().to_owned()).read().await;
        assert!(matches!(error, Err(SecretError::File { .. })));
    }

    #[tokio::test]
    async fn a_systemd_credential_is_found_by_its_name_though_its_group_may_read_it() {
        let (folder, _) = file_with(b"pass\n", 0o440);
        let found = from_credential(Some(folder.path()), "password");
        assert_eq!(found.unwrap().expose_secret(), "pass");
    }

    #[tokio::test]
    async fn a_missing_credential_says_what_to_put_into_the_unit() {
        let folder = tempdir().unwrap();
        for directory in [None, Some(folder.path())] {
            let error = from_credential(directory, "imap").unwrap_err();
            assert!(error.to_string().contains("LoadCredential=imap:"), "{error}");
            assert_eq!(error.class(), Class::Stop);
        }
    }

    #[tokio::test]
    async fn a_credential_name_cannot_lead_out_of_its_directory() {
        let (folder, path) = file_with(b"pass", 0o600);
        let absolute = path.to_str().unwrap();
        for name in ["", ".", "..", "../password", "a/b", "password/", "/etc/passwd", absolute, "a\nb"] {
            let error = from_credential(Some(folder.path()), name);
            assert!(matches!(error, Err(SecretError::BadName { .. })), "{name:?}");
        }
    }
}
