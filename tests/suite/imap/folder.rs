//! An IMAP server with one folder that really changes, for any number of connections, and that fails where a test wants it to.
//!
//! It keeps what APPEND brings, marks and expunges what it is told to, and writes down every command.

use std::sync::{Arc, Mutex, MutexGuard};

use amici::io::imap::{Account, Mailbox};
use secrecy::SecretString;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::server::{CERTIFICATE, PASSWORD, account};

/// A mail in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mail {
    pub(super) uid: u32,
    pub(super) flags: String,
    pub(super) text: String,
}

/// Where a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// The command is not done.
    Before,
    /// It is done, and not answered.
    After,
}

/// The folder, and how the server behaves.
#[derive(Debug)]
pub(super) struct State {
    pub(super) uid_validity: u32,
    pub(super) next_uid: u32,
    pub(super) mails: Vec<Mail>,
    pub(super) capabilities: &'static str,
    /// Answers APPEND with the number it gave.
    pub(super) tells_uid: bool,
    /// Says OK to an APPEND with a Message-ID that it has seen before, and drops it.
    pub(super) drops_known: bool,
    /// Sent before the `+`.
    pub(super) noise: &'static str,
    /// Answers to commands that begin so; they are not done.
    pub(super) refusals: Vec<(&'static str, &'static str)>,
    /// The connection ends at the command of this number, counted from now.
    pub(super) cut: Option<(usize, Cut)>,
    /// Every command, without its tag.
    pub(super) commands: Vec<String>,
    seen: Vec<String>,
}

impl State {
    /// Puts a mail there as another program would.
    pub(super) fn put(&mut self, flags: &str, text: &str) -> u32 {
        let uid = self.next_uid;
        self.next_uid += 1;
        self.mails.push(Mail { uid, flags: flags.to_owned(), text: text.to_owned() });
        uid
    }

    fn last_uid(&self) -> Option<u32> {
        self.mails.last().map(|mail| mail.uid)
    }

    /// True where the connection ends at this command, before or after it.
    fn is_cut(&mut self, when: Cut) -> bool {
        match self.cut {
            Some((0, cut)) if cut == when => {
                self.cut = None;
                true
            }
            _ => false,
        }
    }

    fn answer(&mut self, command: &str, literal: Option<String>) -> String {
        if let Some((_, answer)) = self.refusals.iter().find(|(start, _)| command.starts_with(start)) {
            return format!("{answer}\r\n");
        }
        let words: Vec<&str> = command.split(' ').collect();
        let untagged = match words[..] {
            ["CAPABILITY"] => format!("* CAPABILITY IMAP4rev1 {}\r\n", self.capabilities),
            ["LIST", ..] => "* LIST () \"/\" INBOX\r\n* LIST (\\Drafts) \"/\" Drafts\r\n".to_owned(),
            ["EXAMINE" | "SELECT", "\"Drafts\""] => format!(
                "* {} EXISTS\r\n* OK [UIDVALIDITY {}] ok\r\n* OK [UIDNEXT {}] ok\r\n",
                self.mails.len(),
                self.uid_validity,
                self.next_uid
            ),
            ["EXAMINE" | "SELECT", ..] => return "$ NO [NONEXISTENT] no such folder\r\n".to_owned(),
            ["APPEND", "\"Drafts\"", ..] => return self.append(command, &literal.unwrap()),
            ["UID", "SEARCH", "OR", "UID", "*", "HEADER", field, id] => {
                let id = id.trim_matches('"');
                let has = |mail: &Mail| header(&mail.text, field).is_some_and(|value| value.contains(id));
                self.search(|mail| has(mail))
            }
            ["UID", "SEARCH", "UID", set] => {
                let uids = uids(set);
                self.search(|mail| uids.contains(&mail.uid))
            }
            ["UID", "FETCH", uid, ..] => self.fetch(uid.parse().unwrap(), command),
            ["UID", "STORE", uid, "+FLAGS.SILENT", "(\\Deleted)"] => {
                let mail = self.mails.iter_mut().find(|mail| mail.uid.to_string() == uid);
                mail.into_iter().for_each(|mail| mail.flags.push_str(" \\Deleted"));
                String::new()
            }
            ["UID", "EXPUNGE", uid] => {
                self.mails.retain(|mail| mail.uid.to_string() != uid || !mail.flags.contains("\\Deleted"));
                String::new()
            }
            ["LOGIN", ..] => String::new(),
            _ => return format!("$ BAD {command} is not for this server\r\n"),
        };
        format!("{untagged}$ OK done\r\n")
    }

    fn append(&mut self, command: &str, text: &str) -> String {
        let id = header(text, "MESSAGE-ID").unwrap().to_owned();
        if self.drops_known && self.seen.contains(&id) {
            return "$ OK [APPENDUID 0 0] done\r\n".to_owned();
        }
        self.seen.push(id);
        let flags = command.split_once('(').unwrap().1.split_once(')').unwrap().0;
        let uid = self.put(flags, text);
        if self.tells_uid {
            format!("$ OK [APPENDUID {} {uid}] done\r\n", self.uid_validity)
        } else {
            "$ OK\r\n".to_owned()
        }
    }

    fn search(&self, wanted: impl Fn(&Mail) -> bool) -> String {
        let last = self.last_uid();
        let found = self.mails.iter().filter(|mail| wanted(mail) || Some(mail.uid) == last);
        format!("* SEARCH{}\r\n", found.map(|mail| format!(" {}", mail.uid)).collect::<String>())
    }

    fn fetch(&self, uid: u32, command: &str) -> String {
        let Some(mail) = self.mails.iter().find(|mail| mail.uid == uid) else { return String::new() };
        let section = command.split_once("BODY.PEEK[").unwrap().1.split_once(']').unwrap().0;
        let field = section.split_once('(').map(|(_, rest)| rest.trim_end_matches(')'));
        let text = match field {
            Some(field) => format!("{field}: {}\r\n\r\n", header(&mail.text, field).unwrap_or_default()),
            None => mail.text.clone(),
        };
        format!("* 1 FETCH (UID {uid} BODY[{section}] {{{}}}\r\n{text})\r\n", text.len())
    }
}

/// The value of a header field on one line.
pub(super) fn header<'a>(mail: &'a str, field: &str) -> Option<&'a str> {
    let head = mail.split_once("\r\n\r\n").map_or(mail, |(head, _)| head);
    head.lines()
        .find_map(|line| line.split_once(": ").filter(|(name, _)| name.eq_ignore_ascii_case(field)))
        .map(|(_, v)| v)
}

fn uids(set: &str) -> Vec<u32> {
    let ranges = set.split(',').filter(|range| *range != "*");
    let ranges = ranges.map(|range| range.split_once(':').unwrap_or((range, range)));
    ranges.flat_map(|(first, last)| first.parse::<u32>().unwrap()..=last.parse().unwrap()).collect()
}

/// A running server.
pub(super) struct Fake {
    account: Account,
    state: Arc<Mutex<State>>,
}

impl Fake {
    /// A good server; the folder holds a letter of the player's that is none of our business.
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let mut state = State {
            uid_validity: 7,
            next_uid: 1,
            mails: Vec::new(),
            capabilities: "UIDPLUS",
            tells_uid: true,
            drops_known: false,
            noise: "",
            refusals: Vec::new(),
            cut: None,
            commands: Vec::new(),
            seen: Vec::new(),
        };
        state.put("\\Draft", OTHER);
        let state = Arc::new(Mutex::new(state));
        let acceptor = TlsAcceptor::from(CERTIFICATE.server_config());
        let shared = state.clone();
        tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                let (acceptor, state) = (acceptor.clone(), shared.clone());
                // a client may hang up at any time
                tokio::spawn(async move { talk(acceptor, tcp, &state).await });
            }
        });
        Self { account: account(&CERTIFICATE, port), state }
    }

    pub(super) async fn open(&self) -> Mailbox {
        Mailbox::open(&self.account, &SecretString::from(PASSWORD)).await.unwrap()
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// How often a command that begins so was given.
    pub(super) fn count(&self, start: &str) -> usize {
        self.state().commands.iter().filter(|command| command.starts_with(start)).count()
    }

    /// The drafts in the folder but the player's other one, which must be as it was.
    pub(super) fn drafts(&self) -> Vec<Mail> {
        let mails = self.state().mails.clone();
        assert_eq!(mails[0], Mail { uid: 1, flags: "\\Draft".to_owned(), text: OTHER.to_owned() });
        mails[1..].to_vec()
    }
}

/// The player's other draft.
const OTHER: &str = "Message-ID: <other@example.net>\r\nSubject: birthday\r\n\r\nDear aunt\r\n";

async fn talk(acceptor: TlsAcceptor, tcp: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut stream = BufReader::new(acceptor.accept(tcp).await?);
    stream.write_all(b"* OK ready\r\n").await?;
    loop {
        stream.flush().await?;
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let (tag, command) = line.trim_end().split_once(' ').unwrap();
        let (command, length) = match command.strip_suffix('}').and_then(|cut| cut.rsplit_once(" {")) {
            Some((command, length)) => (command, length.parse::<usize>().ok()),
            None => (command, None),
        };
        if command == "LOGOUT" {
            stream.write_all(format!("* BYE\r\n{tag} OK\r\n").as_bytes()).await?;
            return stream.shutdown().await;
        }
        state.lock().unwrap().commands.push(command.to_owned());
        if state.lock().unwrap().is_cut(Cut::Before) {
            return stream.shutdown().await;
        }
        let mut literal = None;
        if let Some(length) = length {
            let noise = state.lock().unwrap().noise;
            stream.write_all(format!("{noise}+ go\r\n").as_bytes()).await?;
            stream.flush().await?;
            let mut bytes = vec![0; length + 2];
            stream.read_exact(&mut bytes).await?;
            bytes.truncate(length);
            literal = Some(String::from_utf8(bytes).unwrap());
        }
        let (answer, cut) = {
            let mut state = state.lock().unwrap();
            let answer = state.answer(command, literal);
            let cut = state.is_cut(Cut::After);
            state.cut = state.cut.map(|(left, cut)| (left.saturating_sub(1), cut));
            (answer, cut)
        };
        if cut {
            return stream.shutdown().await;
        }
        stream.write_all(answer.replace('$', tag).as_bytes()).await?;
    }
}
