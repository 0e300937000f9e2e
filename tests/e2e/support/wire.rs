//! A small blocking client for line protocols, with TLS: hands mail to the servers and lets tests look at the wire.
//!
//! Not the program's own client on purpose. Knows SMTP replies (RFC 5321, 4.2) and tagged IMAP answers
//! (RFC 3501, 2.2.2); an IMAP answer is taken line by line, literals included.

use super::process::DEADLINE;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;

/// One connection to a server; in the clear until `start_tls`.
pub(crate) struct Wire {
    stream: BufReader<Stream>,
}

enum Stream {
    Clear(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Clear(stream) => stream.read(buffer),
            Self::Tls(stream) => stream.read(buffer),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self {
            Self::Clear(stream) => stream.write(buffer),
            Self::Tls(stream) => stream.write(buffer),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Clear(stream) => stream.flush(),
            Self::Tls(stream) => stream.flush(),
        }
    }
}

impl Wire {
    /// Connects in the clear.
    pub(crate) fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, DEADLINE)?;
        stream.set_read_timeout(Some(DEADLINE))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(Stream::Clear(stream)) })
    }

    /// Goes on with TLS, trusting only the authority in `ca_file` and only a certificate for `name`.
    pub(crate) fn start_tls(self, name: &str, ca_file: &Path) -> io::Result<Self> {
        let Stream::Clear(mut tcp) = self.stream.into_inner() else {
            return Err(io::Error::other("TLS has been started already"));
        };
        let mut roots = RootCertStore::empty();
        let authority = CertificateDer::from_pem_file(ca_file).map_err(io::Error::other)?;
        roots.add(authority).map_err(io::Error::other)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from(name.to_owned()).map_err(io::Error::other)?;
        let mut session = ClientConnection::new(Arc::new(config), name).map_err(io::Error::other)?;
        while session.is_handshaking() {
            session.complete_io(&mut tcp)?;
        }
        let stream = Stream::Tls(Box::new(StreamOwned::new(session, tcp)));
        Ok(Self { stream: BufReader::new(stream) })
    }

    /// The certificate that the server has shown, as DER.
    pub(crate) fn certificate(&self) -> Option<&[u8]> {
        match self.stream.get_ref() {
            Stream::Clear(_) => None,
            Stream::Tls(stream) => stream.conn.peer_certificates()?.first().map(|certificate| certificate.as_ref()),
        }
    }

    /// Sends bytes as they are.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let stream = self.stream.get_mut();
        stream.write_all(bytes)?;
        stream.flush()
    }

    /// The next line with its line end; an error at the end of the stream.
    pub(crate) fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        self.stream.read_until(b'\n', &mut line)?;
        if line.ends_with(b"\n") { Ok(line) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }

    /// An SMTP or LMTP reply, all its lines; an error unless its code is `code`.
    pub(crate) fn reply(&mut self, code: &str) -> io::Result<String> {
        let mut reply = String::new();
        loop {
            let line = String::from_utf8_lossy(&self.line()?).into_owned();
            reply.push_str(&line);
            // RFC 5321, 4.2.1: a hyphen after the code says that more lines follow
            if line.as_bytes().get(3) != Some(&b'-') {
                break;
            }
        }
        if reply.starts_with(code) {
            Ok(reply)
        } else {
            Err(io::Error::other(format!("wanted {code}, the server said {reply:?}")))
        }
    }

    /// Sends an SMTP or LMTP command and takes its reply.
    pub(crate) fn command(&mut self, line: &str, code: &str) -> io::Result<String> {
        self.send(format!("{line}\r\n").as_bytes())?;
        self.reply(code)
    }

    /// Hands over one mail by SMTP or LMTP, after the greeting and EHLO or LHLO.
    pub(crate) fn hand_over(&mut self, from: &str, to: &str, raw: &[u8]) -> io::Result<()> {
        self.command(&format!("MAIL FROM:<{from}>"), "250")?;
        self.command(&format!("RCPT TO:<{to}>"), "250")?;
        self.command("DATA", "354")?;
        self.send(&stuffed(raw))?;
        self.reply("250").map(drop)
    }

    /// Sends an IMAP command and takes everything up to its tagged answer, which comes last.
    pub(crate) fn imap(&mut self, command: &str) -> io::Result<String> {
        const TAG: &str = "tag-of-the-test";
        self.send(format!("{TAG} {command}\r\n").as_bytes())?;
        let mut answer = String::new();
        loop {
            let line = String::from_utf8_lossy(&self.line()?).into_owned();
            answer.push_str(&line);
            if line.starts_with(TAG) {
                return Ok(answer);
            }
        }
    }
}

/// A mail as it goes after DATA: CRLF line ends, leading dots doubled, the final dot (RFC 5321, 4.5.2).
fn stuffed(raw: &[u8]) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = raw.split(|byte| *byte == b'\n').collect();
    if lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let mut data = Vec::with_capacity(raw.len() + 64);
    for line in lines {
        if line.starts_with(b".") {
            data.push(b'.');
        }
        data.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
        data.extend_from_slice(b"\r\n");
    }
    data.extend_from_slice(b".\r\n");
    data
}
