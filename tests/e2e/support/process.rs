//! Server processes that cannot outlive their test, and the ordinary user they run as.
//!
//! Each server leads a process group of its own. The group is killed when its `ServerProcess` is dropped
//! (a panicking test drops too), and by a guard inside the group when the test program itself dies.
//! Linux only: groups are inspected through `/proc`.

use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Gid, Group, Pid, Uid, User, getegid, geteuid};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything on this machine may take before a test gives it up as broken, not slow: longer than the pauses that the program
/// makes by itself, which are a minute after trouble that only a person ends, and grow to more after repeated trouble.
pub(crate) const DEADLINE: Duration = Duration::from_secs(180);

/// Starts `"$@"` as the group's leader; a second process waits for the end of the pipe that the test
/// program holds open, and then kills the group. Covers SIGKILL and Ctrl-C, where no `Drop` runs.
const GUARD: &str = r#"exec 3<&0 </dev/null; { read -r _ <&3; kill -KILL 0; } & exec 3<&-; exec "$@""#;

/// `command` under the guard, as the user who runs the tests; to be started as the leader of a process group and with a
/// pipe as its input.
pub(crate) fn guarded(command: &Command) -> Command {
    let mut shell = Command::new("/bin/sh");
    guard(&mut shell, command);
    shell
}

fn guard(shell: &mut Command, command: &Command) {
    shell
        .args(["-c", GUARD, "guard"])
        .arg(command.get_program())
        .args(command.get_args())
        .envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
}

/// Calls `attempt` until it gives a value; `None` when the deadline passes first.
pub(crate) fn poll<T>(attempt: impl FnMut() -> Option<T>) -> Option<T> {
    poll_for(DEADLINE, attempt)
}

/// `poll` with another deadline, for what the program itself puts off.
pub(crate) fn poll_for<T>(deadline: Duration, mut attempt: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        if let Some(value) = attempt() {
            return Some(value);
        }
        if start.elapsed() > deadline {
            return None;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The processes whose command line or environment names `needle` (a server's folder), as far as we may look.
pub(crate) fn processes(needle: &str) -> Vec<i32> {
    pids()
        .filter(|pid| {
            ["cmdline", "environ"].iter().any(|file| {
                fs::read(format!("/proc/{pid}/{file}"))
                    .is_ok_and(|text| String::from_utf8_lossy(&text).contains(needle))
            })
        })
        .collect()
}

fn pids() -> impl Iterator<Item = i32> {
    fs::read_dir("/proc").expect("/proc is readable").filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// Whether anything but zombies (which only their parent can remove) is left of a process group.
fn group_lives(group: Pid) -> bool {
    pids().any(|pid| {
        // proc(5): "pid (command) state ppid pgrp ...", and the command may itself contain ") "
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(") ").next().map_or_else(Vec::new, |rest| rest.split(' ').collect());
        matches!(fields.as_slice(), [state, _, pgrp, ..]
            if *state != "Z" && *state != "X" && *pgrp == group.to_string())
    })
}

/// The ordinary user all servers of a test run as: Dovecot refuses to read mail as root.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    uid: Uid,
    gid: Gid,
    pub(crate) user: String,
    pub(crate) group: String,
}

impl Identity {
    /// `nobody` when the tests run as root, else the user who runs them.
    pub(crate) fn choose() -> Self {
        let (uid, gid) = if geteuid().is_root() {
            let nobody = User::from_name("nobody").expect("the user database is readable");
            let nobody = nobody.expect("the user nobody exists, as on every Debian");
            (nobody.uid, nobody.gid)
        } else {
            (geteuid(), getegid())
        };
        let user = User::from_uid(uid).expect("the user database is readable");
        let group = Group::from_gid(gid).expect("the group database is readable");
        Self {
            uid,
            gid,
            user: user.expect("the user has a name in /etc/passwd").name,
            group: group.expect("the group has a name in /etc/group").name,
        }
    }

    pub(crate) fn uid(&self) -> u32 {
        self.uid.as_raw()
    }

    pub(crate) fn gid(&self) -> u32 {
        self.gid.as_raw()
    }

    /// A command that will run as this user, without the test's environment or supplementary groups.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").current_dir("/");
        if geteuid().is_root() {
            // std clears the supplementary groups whenever root asks for another uid
            command.uid(self.uid()).gid(self.gid());
        }
        command
    }

    /// Makes this user the owner of a folder and all it contains.
    pub(crate) fn own(&self, path: &Path) {
        chown(path, Some(self.uid()), Some(self.gid())).expect("the owner can be set");
        if path.is_dir() {
            for entry in fs::read_dir(path).expect("own folder is readable") {
                self.own(&entry.expect("own folder is readable").path());
            }
        }
    }
}

/// A running server with all its children; dropping it kills them and waits until they are gone.
pub(crate) struct ServerProcess {
    leader: Child,
    log: PathBuf,
}

impl ServerProcess {
    /// Starts `command`; what it prints goes to the end of the file `log`.
    pub(crate) fn start(command: &Command, identity: &Identity, log: PathBuf) -> Self {
        let output = File::options().create(true).append(true).open(&log).expect("log file");
        identity.own(&log);
        let mut guarded = identity.command("/bin/sh");
        guard(&mut guarded, command);
        guarded.process_group(0).stdin(Stdio::piped()).stdout(output.try_clone().expect("log file")).stderr(output);
        let leader = guarded.spawn().expect("a server can be started");
        Self { leader, log }
    }

    /// Returns once the server has sent a greeting that starts with `greeting` to a client at `address`.
    pub(crate) fn await_greeting(&mut self, address: SocketAddr, greeting: &str) {
        let mut last = String::from("no connection tried");
        let ready = poll(|| {
            let ended = self.leader.try_wait().expect("own child");
            if let Some(status) = ended {
                panic!("the server at {address} ended with {status}:\n{}", tail(&self.log));
            }
            match first_line(address) {
                Ok(line) if line.starts_with(greeting) => return Some(()),
                Ok(line) => last = format!("it said {line:?}"),
                Err(error) => last = error.to_string(),
            }
            None
        });
        if ready.is_none() {
            panic!("no greeting from {address} ({last}):\n{}", tail(&self.log));
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let group = Pid::from_raw(i32::try_from(self.leader.id()).expect("a process id fits"));
        // fails only when the whole group has ended already
        let _ = killpg(group, Signal::SIGKILL);
        let _ = self.leader.wait();
        let gone = poll(|| (!group_lives(group)).then_some(()));
        if gone.is_none() && !std::thread::panicking() {
            panic!("process group {group} survives SIGKILL");
        }
    }
}

fn first_line(address: SocketAddr) -> io::Result<String> {
    let stream = TcpStream::connect_timeout(&address, DEADLINE)?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut line = String::new();
    BufReader::new(stream.take(512)).read_line(&mut line)?;
    Ok(line)
}

/// The last lines of a log file, for the message of a failing test.
pub(crate) fn tail(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.len().saturating_sub(60);
    format!("-- {}\n{}\n", log.display(), lines[start..].join("\n"))
}
