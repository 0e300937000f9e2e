//! A stream that watches what the server sends, before the parser sees it.
//!
//! The parser (imap-proto) would take 512 MiB, slows down with the square of a line's length, and ends the whole program
//! on a few hundred nested brackets. So lines, literals and nesting are limited here; the bytes pass unchanged.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::io::tls::Stream;

/// Bytes of one answer outside its literals: a SEARCH that lists 380,000 mails.
const LINE_LIMIT: u64 = 4 * 1024 * 1024;

/// Opening brackets in one answer outside its literals, nested or not; what we ask for needs three.
const BRACKET_LIMIT: u32 = 64;

/// Why a stream was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Excess {
    #[error("a literal above the limit")]
    Literal,
    #[error("a line above the limit")]
    Line,
    #[error("more brackets than the limit")]
    Brackets,
}

/// Counts the bytes of a server's answers, and cuts the connection off where one is too much.
#[derive(Debug)]
pub(super) struct Metered<S> {
    inner: S,
    received: u64,
    scan: Scan,
}

impl<S> Metered<S> {
    /// Lets literals of at most `literal_limit` bytes pass.
    pub(super) fn new(inner: S, literal_limit: u32) -> Self {
        Self { inner, received: 0, scan: Scan::new(literal_limit) }
    }

    /// Bytes received so far: a sign of life.
    pub(super) fn received(&self) -> u64 {
        self.received
    }
}

impl<S: Stream> AsyncRead for Metered<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(cx, buffer))?;
        let fresh = buffer.filled().get(before..).unwrap_or_default();
        self.received += fresh.len() as u64;
        Poll::Ready(self.scan.take(fresh).map_err(io::Error::other))
    }
}

impl<S: Stream> AsyncWrite for Metered<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

/// Where in an answer we are. An answer is lines; a line that ends in `{n}` is followed by n bytes and then goes on
/// (RFC 3501 section 4.3).
#[derive(Debug)]
struct Scan {
    literal_limit: u32,
    literal_left: u64,
    line: u64,
    brackets: u32,
    tail: Tail,
}

/// The end of the line so far, as far as it may announce a literal.
#[derive(Debug, Clone, Copy)]
enum Tail {
    Other,
    Number(u64),
    Announced(u64),
    AnnouncedCr(u64),
    Cr,
}

impl Scan {
    fn new(literal_limit: u32) -> Self {
        Self { literal_limit, literal_left: 0, line: 0, brackets: 0, tail: Tail::Other }
    }

    fn take(&mut self, mut bytes: &[u8]) -> Result<(), Excess> {
        loop {
            let skipped = usize::try_from(self.literal_left).unwrap_or(usize::MAX).min(bytes.len());
            self.literal_left -= skipped as u64;
            let Some((byte, rest)) = bytes.get(skipped..).and_then(<[u8]>::split_first) else {
                return Ok(());
            };
            self.take_one(*byte)?;
            bytes = rest;
        }
    }

    fn take_one(&mut self, byte: u8) -> Result<(), Excess> {
        self.line += 1;
        if self.line > LINE_LIMIT {
            return Err(Excess::Line);
        }
        self.brackets += u32::from(byte == b'(');
        if self.brackets > BRACKET_LIMIT {
            return Err(Excess::Brackets);
        }
        self.tail = match (byte, self.tail) {
            (b'{', _) => Tail::Number(0),
            (b'0'..=b'9', Tail::Number(n)) => Tail::Number(n.saturating_mul(10).saturating_add(u64::from(byte - b'0'))),
            (b'}', Tail::Number(n)) => Tail::Announced(n),
            (b'\r', Tail::Announced(n)) => Tail::AnnouncedCr(n),
            (b'\r', _) => Tail::Cr,
            (b'\n', Tail::AnnouncedCr(n)) => {
                if n > u64::from(self.literal_limit) {
                    return Err(Excess::Literal);
                }
                self.literal_left = n;
                Tail::Other
            }
            (b'\n', Tail::Cr) => {
                (self.line, self.brackets) = (0, 0);
                Tail::Other
            }
            _ => Tail::Other,
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(pieces: &[&str]) -> Result<(), Excess> {
        let mut scan = Scan::new(10);
        pieces.iter().try_for_each(|piece| scan.take(piece.as_bytes()))
    }

    #[test]
    fn a_literal_is_measured_by_its_announcement_however_the_bytes_arrive() {
        let whole = "* 1 FETCH (BODY[] {10}\r\n((((((((((  UID 1)\r\n";
        assert_eq!(scan(&[whole]), Ok(()));
        for cut in 0..whole.len() {
            let (before, after) = whole.split_at(cut);
            assert_eq!(scan(&[before, after]), Ok(()), "cut at {cut}");
        }
        assert_eq!(scan(&["* 1 FETCH (BODY[] {11", "}\r\n"]), Err(Excess::Literal));
        assert_eq!(scan(&["* 1 FETCH (BODY[] {99999999999999999999999}\r\n"]), Err(Excess::Literal));
    }

    #[test]
    fn the_second_literal_of_an_answer_and_the_next_answer_are_measured_too() {
        assert_eq!(scan(&["* A {2}\r\nab {11}\r\n"]), Err(Excess::Literal));
        assert_eq!(scan(&["* A {2}\r\nab\r\n* B {11}\r\n"]), Err(Excess::Literal));
    }

    #[test]
    fn what_only_looks_like_a_literal_in_the_text_is_none() {
        assert_eq!(scan(&["* OK see {11} there\r\n* OK {11}!\r\n"]), Ok(()));
    }

    #[test]
    fn brackets_are_counted_in_each_answer_outside_literals() {
        let most = "(".repeat(64);
        assert_eq!(scan(&[&most, "\r\n", &most, "\r\n"]), Ok(()));
        assert_eq!(scan(&[&most, " {9}\r\n((((((((("]), Ok(()));
        assert_eq!(scan(&[&most, "\")\"("]), Err(Excess::Brackets));
    }

    #[test]
    fn an_endless_line_is_cut_off() {
        let line = "x".repeat(LINE_LIMIT as usize);
        assert_eq!(scan(&[&line]), Ok(()));
        assert_eq!(scan(&[&line, "x"]), Err(Excess::Line));
    }
}
