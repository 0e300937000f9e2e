//! A private Dovecot (IMAP, LMTP) and a private Exim (submission with AUTH) in one temporary folder.
//!
//! Each pair listens on an address of its own in 127.0.0.0/8, never on 127.0.0.1: Dovecot takes a client with
//! its own address for a local one and would let it log in without TLS. The ports lie below 32768, where no
//! outgoing connection of the machine can sit. What surprises: while IMAP is stopped, LMTP is too, and Exim
//! keeps the mail and tries again every second or two, as any real server would.

use super::certificates::{self, Certificate};
use super::process::{Identity, ServerProcess, poll, tail};
use super::wire::Wire;
use std::collections::BTreeSet;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The user whose games are kept.
pub(crate) const PLAYER: &str = "player@example.org";
/// An opponent with the player's own provider.
pub(crate) const HARRIET: &str = "harriet@example.org";
/// An opponent at another domain.
pub(crate) const TOBIN: &str = "tobin@example.net";
/// Nobody's password.
pub(crate) const WRONG_PASSWORD: &str = "wrong";

const USERS: [&str; 3] = [PLAYER, HARRIET, TOBIN];

const IMAP: u16 = 20143;
const IMAPS: u16 = 20993;
const LMTP: u16 = 20024;
const STARTTLS: u16 = 20587;
const SMTPS: u16 = 20465;

/// Both servers, running; dropping it kills them and removes all they have written.
pub(crate) struct Servers {
    // in this order: the processes end before their folder goes
    dovecot: Option<ServerProcess>,
    _exim: ServerProcess,
    address: Ipv4Addr,
    identity: Identity,
    passwords: Vec<(&'static str, String)>,
    fingerprint: String,
    folder: TempDir,
}

impl Servers {
    /// Both servers, ready for clients, with a good certificate.
    pub(crate) fn start() -> Self {
        Self::start_with(Certificate::Good)
    }

    /// Both servers, which take tokens of OAuth2 too: Dovecot asks for each at `introspection`, an address to which the token is added, and
    /// Exim looks into the file `smtp-tokens`, where [`Servers::set_token`] writes them.
    pub(crate) fn start_with_tokens(introspection: &str) -> Self {
        Self::start_as(Certificate::Good, Some(introspection))
    }

    /// Both servers, ready for clients, showing the given certificate.
    pub(crate) fn start_with(certificate: Certificate) -> Self {
        Self::start_as(certificate, None)
    }

    fn start_as(certificate: Certificate, introspection: Option<&str>) -> Self {
        let programs = Programs::find();
        let identity = Identity::choose();
        let folder = tempfile::Builder::new().prefix("amici-e2e-").tempdir().expect("a folder");
        let dir = folder.path();
        let address = free_address();
        let passwords: Vec<_> = USERS.iter().map(|user| (*user, password())).collect();

        for name in ["run", "state", "mail", "spool", "bin"] {
            fs::create_dir(dir.join(name)).expect("own folder is writable");
        }
        let fingerprint = certificates::write(certificate, address, dir);
        let dovecot_users = lines(&passwords, |user, secret| format!("{user}:{{PLAIN}}{secret}::::::"));
        let smtp_users = lines(&passwords, |user, secret| format!("{user}: {secret}"));
        let render = |template: &str| {
            [
                ("@DIR@", dir.display().to_string()),
                ("@ADDRESS@", address.to_string()),
                ("@USER@", identity.user.clone()),
                ("@GROUP@", identity.group.clone()),
                ("@UID@", identity.uid().to_string()),
                ("@GID@", identity.gid().to_string()),
                ("@IMAP@", IMAP.to_string()),
                ("@IMAPS@", IMAPS.to_string()),
                ("@LMTP@", LMTP.to_string()),
                ("@STARTTLS@", STARTTLS.to_string()),
                ("@SMTPS@", SMTPS.to_string()),
            ]
            .iter()
            .fold(template.to_owned(), |text, (mark, value)| text.replace(mark, value))
        };
        let (exim_passwd, exim_group) = accounts(&identity);
        let (dovecot_tokens, exim_tokens) = match introspection {
            Some(_) => (programs.dovecot_tokens, include_str!("exim-tokens.conf")),
            None => ("", ""),
        };
        let ask = format!(
            "introspection_mode = get\nintrospection_url = {}\nusername_attribute = email\n\
             active_attribute = active\nactive_value = true\n",
            introspection.unwrap_or_default()
        );
        for (name, text) in [
            ("users", dovecot_users),
            ("smtp-users", smtp_users),
            ("dovecot.conf", render(&(programs.dovecot_config.to_owned() + dovecot_tokens)).replace("@ASK@", &ask)),
            ("exim.conf", render(&(include_str!("exim.conf").to_owned() + exim_tokens))),
            ("oauth2.conf.ext", ask.clone()),
            ("smtp-tokens", String::new()),
            ("passwd", exim_passwd),
            ("group", exim_group),
        ] {
            fs::write(dir.join(name), text).expect("own folder is writable");
        }
        copy_program("/usr/sbin/exim4", &dir.join("bin/exim"));
        identity.own(dir);

        let mut exim = start_exim(&identity, dir, programs.nss_wrapper);
        let mut dovecot = start_dovecot(&identity, dir);
        dovecot.await_greeting(SocketAddr::from((address, IMAP)), "* OK");
        exim.await_greeting(SocketAddr::from((address, STARTTLS)), "220");
        let dovecot = Some(dovecot);
        Self { dovecot, _exim: exim, address, identity, passwords, fingerprint, folder }
    }

    /// The servers' address, as a client's configuration names it.
    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    /// The authority that signed the servers' certificate, as PEM.
    pub(crate) fn ca_file(&self) -> PathBuf {
        self.dir().join("ca.pem")
    }

    /// SHA-256 of the certificate the servers show, in lower-case hex.
    pub(crate) fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// IMAP in the clear; login is refused here before STARTTLS.
    pub(crate) fn imap_port(&self) -> u16 {
        IMAP
    }

    /// IMAP with TLS from the first byte (RFC 8314).
    pub(crate) fn imaps_port(&self) -> u16 {
        IMAPS
    }

    /// Submission with TLS from the first byte (RFC 8314).
    pub(crate) fn smtps_port(&self) -> u16 {
        SMTPS
    }

    /// Submission that starts in the clear; AUTH is offered only after STARTTLS.
    pub(crate) fn starttls_port(&self) -> u16 {
        STARTTLS
    }

    /// One of the servers' ports with their address.
    pub(crate) fn socket(&self, port: u16) -> SocketAddr {
        SocketAddr::from((self.address, port))
    }

    /// The password of one of the users, the same for IMAP and SMTP.
    pub(crate) fn password(&self, user: &str) -> &str {
        let account = self.passwords.iter().find(|(name, _)| *name == user);
        &account.unwrap_or_else(|| panic!("there is no user {user}")).1
    }

    /// The one token that Exim takes from now on.
    pub(crate) fn set_token(&self, user: &str, token: &str) {
        fs::write(self.dir().join("smtp-tokens"), format!("{user}: {token}\n")).expect("own folder is writable");
    }

    /// The folder of these servers, with their logs.
    pub(crate) fn dir(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn identity(&self) -> &Identity {
        &self.identity
    }

    /// A TLS connection to one of the servers' TLS ports, checked against `ca_file()`.
    pub(crate) fn tls(&self, port: u16) -> std::io::Result<Wire> {
        Wire::connect(self.socket(port))?.start_tls(&self.host(), &self.ca_file())
    }

    /// Submits a mail as `from` with AUTH, as a mail program would; Exim then brings it to `to`.
    pub(crate) fn send_as(&self, from: &str, to: &str, raw: &[u8]) {
        let submit = || {
            let mut smtp = self.tls(SMTPS)?;
            smtp.reply("220")?;
            smtp.command("EHLO test.example.com", "250")?;
            smtp.command("AUTH LOGIN", "334")?;
            smtp.command(&base64(from), "334")?;
            smtp.command(&base64(self.password(from)), "235")?;
            smtp.hand_over(from, to, raw)?;
            smtp.command("QUIT", "221").map(drop)
        };
        let sent: std::io::Result<()> = submit();
        sent.unwrap_or_else(|error| panic!("{from} cannot send to {to}: {error}"));
    }

    /// Puts a mail into the INBOX of `to` at once, by LMTP and past Exim.
    pub(crate) fn lmtp(&self, from: &str, to: &str, raw: &[u8]) {
        let deliver = || {
            let mut lmtp = Wire::connect(self.socket(LMTP))?;
            lmtp.reply("220")?;
            lmtp.command("LHLO test.example.com", "250")?;
            lmtp.hand_over(from, to, raw)
        };
        deliver().unwrap_or_else(|error| panic!("LMTP to {to} fails: {error}"));
    }

    /// Kills Dovecot with all its connections; connecting is refused from now on. Every mail that Exim took is in its mailbox
    /// before: a Dovecot that dies between the storing of a mail and the answer is given it twice (RFC 2033, section 4.2).
    pub(crate) fn stop_imap(&mut self) {
        let idle = poll(|| self.queue().is_empty().then_some(()));
        assert!(idle.is_some(), "Exim still holds {:?}", self.queue());
        self.dovecot = None;
    }

    /// The ids of the mails that Exim took and did not bring to all their mailboxes yet.
    fn queue(&self) -> BTreeSet<String> {
        let log = fs::read_to_string(self.dir().join("exim-mainlog")).unwrap_or_default();
        let (mut held, mut brought) = (BTreeSet::new(), BTreeSet::new());
        for line in log.lines() {
            // a date, a time, the id of the mail, and what became of it
            match line.split(' ').collect::<Vec<_>>().as_slice() {
                [_, _, id, "<=", ..] => held.insert(id.to_string()),
                [_, _, id, "Completed"] => brought.insert(id.to_string()),
                _ => false,
            };
        }
        &held - &brought
    }

    /// Starts Dovecot again, on the same address and with the same mailboxes.
    pub(crate) fn start_imap(&mut self) {
        let mut dovecot = start_dovecot(&self.identity, self.dir());
        dovecot.await_greeting(self.socket(IMAP), "* OK");
        self.dovecot = Some(dovecot);
    }

    /// `stop_imap` and `start_imap`.
    pub(crate) fn restart_imap(&mut self) {
        self.stop_imap();
        self.start_imap();
    }

    /// The mails in a folder once there are at least `count`; panics with the servers' logs when they do not come.
    pub(crate) fn await_mails(&self, user: &str, folder: &str, count: usize) -> Vec<Vec<u8>> {
        poll(|| Some(self.mails(user, folder)).filter(|mails| mails.len() >= count))
            .unwrap_or_else(|| panic!("{user} does not get {count} mails in {folder}"))
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        if std::thread::panicking() {
            for log in ["dovecot.log", "exim-mainlog", "exim-paniclog"] {
                let log = self.dir().join(log);
                if log.exists() {
                    eprintln!("{}", tail(&log));
                }
            }
        }
    }
}

/// What must be installed; without it there is no test, and saying so is all that can be done.
struct Programs {
    dovecot_config: &'static str,
    dovecot_tokens: &'static str,
    nss_wrapper: PathBuf,
}

impl Programs {
    fn find() -> Self {
        let nss_wrapper = glob_library("libnss_wrapper.so");
        let mut missing = Vec::new();
        for (package, present) in [
            ("dovecot-imapd", Path::new("/usr/lib/dovecot/imap").exists()),
            ("dovecot-lmtpd", Path::new("/usr/lib/dovecot/lmtp").exists()),
            ("exim4-daemon-light", Path::new("/usr/sbin/exim4").exists()),
            ("libnss-wrapper", nss_wrapper.is_some()),
        ] {
            if !present {
                missing.push(package);
            }
        }
        let Some(nss_wrapper) = nss_wrapper.filter(|_| missing.is_empty()) else {
            panic!(
                "end-to-end tests need real mail servers, and these Debian packages are missing: {}.\n\
                 help: tests/run.sh installs them; or run the fast tests alone: cargo test --lib --test suite",
                missing.join(" ")
            );
        };
        let version = Command::new("/usr/sbin/dovecot").arg("--version").output();
        let version = version.expect("dovecot can be run").stdout;
        let (dovecot_config, dovecot_tokens) = match String::from_utf8_lossy(&version) {
            version if version.starts_with("2.3.") => {
                (include_str!("dovecot-2.3.conf"), include_str!("dovecot-2.3-tokens.conf"))
            }
            version if version.starts_with("2.4.") => {
                (include_str!("dovecot-2.4.conf"), include_str!("dovecot-2.4-tokens.conf"))
            }
            version => panic!("the tests know Dovecot 2.3 and 2.4, not {version}"),
        };
        Self { dovecot_config, dovecot_tokens, nss_wrapper }
    }
}

/// A library in Debian's folder for this machine's architecture (`/usr/lib/x86_64-linux-gnu` and the like).
fn glob_library(name: &str) -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?;
    folders.filter_map(|entry| Some(entry.ok()?.path().join(name))).find(|path| path.exists())
}

/// Copies a program without its set-uid bit.
///
/// In a process of its own: were the copy open for writing here, a process being forked by another thread
/// could hold it open a little longer, and starting it would fail with "text file busy".
fn copy_program(program: &str, copy: &Path) {
    let status = Command::new("/usr/bin/install").args(["-m", "755", program]).arg(copy).status();
    assert!(status.is_ok_and(|status| status.success()), "cannot copy {program}");
}

fn start_dovecot(identity: &Identity, dir: &Path) -> ServerProcess {
    let mut command = Command::new("/usr/sbin/dovecot");
    command.arg("-F").arg("-c").arg(dir.join("dovecot.conf"));
    ServerProcess::start(&command, identity, dir.join("dovecot.log"))
}

/// Exim insists on the account `Debian-exim`; libnss_wrapper tells it that this is the user of the test.
fn start_exim(identity: &Identity, dir: &Path, nss_wrapper: PathBuf) -> ServerProcess {
    let mut command = Command::new(dir.join("bin/exim"));
    command
        .arg("-C")
        .arg(dir.join("exim.conf"))
        .args(["-bdf", "-q2s"])
        .env("LD_PRELOAD", nss_wrapper)
        .env("NSS_WRAPPER_PASSWD", dir.join("passwd"))
        .env("NSS_WRAPPER_GROUP", dir.join("group"));
    ServerProcess::start(&command, identity, dir.join("exim-output"))
}

/// The passwd and group files that Exim sees.
fn accounts(identity: &Identity) -> (String, String) {
    let Identity { user, group, .. } = identity;
    let (uid, gid) = (identity.uid(), identity.gid());
    let passwd =
        format!("root:x:0:0::/:/bin/sh\n{user}:x:{uid}:{gid}::/:/bin/sh\nDebian-exim:x:{uid}:{gid}::/:/bin/sh\n");
    (passwd, format!("root:x:0:\n{group}:x:{gid}:\nDebian-exim:x:{gid}:\n"))
}

fn lines(passwords: &[(&str, String)], line: impl Fn(&str, &str) -> String) -> String {
    passwords.iter().map(|(user, secret)| line(user, secret) + "\n").collect()
}

/// A random address in 127.0.0.0/8 on which nothing answers at our ports: no other test has it.
///
/// Connecting, not binding: a probe that listens could live on in a process being forked by another
/// thread, and keep the server from its port.
fn free_address() -> Ipv4Addr {
    let free = poll(|| {
        let [a, b, c, _] = getrandom::u32().expect("randomness").to_le_bytes();
        let address = Ipv4Addr::new(127, a.max(1), b, c.clamp(1, 254));
        [IMAP, IMAPS, LMTP, STARTTLS, SMTPS]
            .iter()
            .all(|port| TcpStream::connect((address, *port)).is_err())
            .then_some(address)
    });
    free.expect("some address in 127.0.0.0/8 has free ports")
}

fn password() -> String {
    format!("{:016x}", getrandom::u64().expect("randomness"))
}

/// Base64 of a user name or password for AUTH LOGIN (RFC 4648, 4).
pub(crate) fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    text.as_bytes()
        .chunks(3)
        .map(|chunk| {
            let bits = (0..3).fold(0, |bits, i| bits << 8 | usize::from(*chunk.get(i).unwrap_or(&0)));
            (0..4)
                .map(|i| {
                    let digit = char::from(DIGITS[bits >> (18 - 6 * i) & 63]);
                    if i <= chunk.len() { digit } else { '=' }
                })
                .collect::<String>()
        })
        .collect()
}
