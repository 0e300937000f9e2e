//! A stream that watches what the server sends, before the parser sees it.
//!
//! The parser (imap-proto) would take 512 MiB, slows down with the square of a line's length, since it looks at a line again with each
//! part that comes, and ends the whole program on a few hundred nested brackets. So each answer, and all answers to one command
//! together, are limited here, and a line passes when it is whole; the bytes pass unchanged.
//! What will surprise you: at each line end the parser itself is asked whether the answer ends there or a literal follows,
//! because `{9}` at the end of a line is a literal in some answers and plain text in others. Whoever judges that by
//! himself skips bytes that the parser reads.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use async_imap::imap_proto::Response;
use nom::Needed;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::io::tls::Stream;

/// Bytes of one answer outside its literals: a SEARCH that lists 380,000 mails.
const LINE_LIMIT: u64 = 4 * 1024 * 1024;

/// Opening brackets in one FETCH outside its literals, nested or not; what we ask for needs three. No other answer nests.
const BRACKET_LIMIT: u32 = 64;

/// Line ends in one answer outside its literals; each costs a look of the parser at the answer so far.
const LINE_END_LIMIT: u32 = 64;

/// Bytes of all answers to one command, beside one literal of the largest size.
const TOTAL_LIMIT: u64 = 8 * 1024 * 1024;

/// Answers to one command: a LIST of as many folders.
const COUNT_LIMIT: u32 = 100_000;

/// Bytes that are read at once.
const PART: usize = 16 * 1024;

/// Why a stream was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Excess {
    #[error("a literal above the limit")]
    Literal,
    #[error("a line above the limit")]
    Line,
    #[error("more brackets than the limit")]
    Brackets,
    #[error("more than is held for one command")]
    Command,
    #[error("not an answer of the protocol")]
    Nonsense,
}

/// Counts the bytes of a server's answers, and cuts the connection off where one is too much.
#[derive(Debug)]
pub(super) struct Metered<S> {
    inner: S,
    received: u64,
    scan: Scan,
    /// What came and did not pass yet.
    waiting: Vec<u8>,
    /// The server sends no more.
    is_over: bool,
}

impl<S> Metered<S> {
    /// Lets literals of at most `literal_limit` bytes pass.
    pub(super) fn new(inner: S, literal_limit: u32) -> Self {
        Self { inner, received: 0, scan: Scan::new(literal_limit), waiting: Vec::new(), is_over: false }
    }

    /// A command goes out: its answers are counted from here.
    pub(super) fn count_anew(&mut self) {
        self.scan.count_anew();
    }

    /// How much of what waits may pass: all up to the answer that is not whole, of that its literals and what stands before them; at the end
    /// all.
    fn ready(&self) -> usize {
        match self.is_over || self.scan.literal_left > 0 {
            true => self.waiting.len(),
            false => self.waiting.len().saturating_sub(self.scan.answer.len()),
        }
    }

    /// Bytes received so far: a sign of life.
    pub(super) fn received(&self) -> u64 {
        self.received
    }
}

impl<S: Stream> AsyncRead for Metered<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            let ready = this.ready().min(buffer.remaining());
            if ready > 0 || this.is_over || buffer.remaining() == 0 {
                buffer.put_slice(this.waiting.get(..ready).unwrap_or_default());
                this.waiting.drain(..ready);
                return Poll::Ready(Ok(()));
            }
            let mut part = [0; PART];
            let mut part = ReadBuf::new(&mut part);
            ready!(Pin::new(&mut this.inner).poll_read(cx, &mut part))?;
            let fresh = part.filled();
            this.is_over = fresh.is_empty();
            this.received += fresh.len() as u64;
            this.scan.take(fresh).map_err(io::Error::other)?;
            this.waiting.extend_from_slice(fresh);
        }
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

/// Where in an answer we are. An answer is lines; one that announces a literal of n bytes is followed by them and then goes on
/// (RFC 3501 section 4.3).
#[derive(Debug)]
struct Scan {
    literal_limit: u32,
    literal_left: u64,
    /// The answer so far, its literals included.
    answer: Vec<u8>,
    /// Of it, outside the literals.
    line: u64,
    brackets: u32,
    line_ends: u32,
    /// Since the command.
    bytes: u64,
    answers: u32,
}

impl Scan {
    fn new(literal_limit: u32) -> Self {
        Self {
            literal_limit,
            literal_left: 0,
            answer: Vec::new(),
            line: 0,
            brackets: 0,
            line_ends: 0,
            bytes: 0,
            answers: 0,
        }
    }

    fn count_anew(&mut self) {
        (self.bytes, self.answers) = (0, 0);
    }

    fn take(&mut self, mut bytes: &[u8]) -> Result<(), Excess> {
        self.bytes += bytes.len() as u64;
        if self.bytes > TOTAL_LIMIT + u64::from(self.literal_limit) {
            return Err(Excess::Command);
        }
        loop {
            let skipped = usize::try_from(self.literal_left).unwrap_or(usize::MAX).min(bytes.len());
            let (literal, others) = bytes.split_at(skipped);
            self.literal_left -= skipped as u64;
            self.answer.extend_from_slice(literal);
            let Some((byte, rest)) = others.split_first() else {
                return Ok(());
            };
            self.take_one(*byte)?;
            bytes = rest;
        }
    }

    fn take_one(&mut self, byte: u8) -> Result<(), Excess> {
        self.answer.push(byte);
        self.line += 1;
        if self.line > LINE_LIMIT {
            return Err(Excess::Line);
        }
        // the parser is recursive in what follows `* 1 FETCH` only: `BODYSTRUCTURE ((...`
        if byte == b'(' && matches!(self.answer.as_slice(), [b'*', b' ', b'0'..=b'9', ..]) {
            self.brackets += 1;
            if self.brackets > BRACKET_LIMIT {
                return Err(Excess::Brackets);
            }
        }
        if self.answer.ends_with(b"\r\n") { self.end_line() } else { Ok(()) }
    }

    /// Asks the parser what the line end is: the answer's, one before a literal, or one within a value that it passes over.
    fn end_line(&mut self) -> Result<(), Excess> {
        self.line_ends += 1;
        if self.line_ends > LINE_END_LIMIT {
            return Err(Excess::Line);
        }
        let announced = announced(&self.answer);
        let literal = match Response::parse(&self.answer) {
            Ok(_) => {
                self.answers += 1;
                (self.line, self.brackets, self.line_ends) = (0, 0, 0);
                self.answer = Vec::new();
                return if self.answers > COUNT_LIMIT { Err(Excess::Command) } else { Ok(()) };
            }
            Err(nom::Err::Incomplete(Needed::Size(wanted))) => announced.filter(|n| *n == wanted.get() as u64),
            Err(nom::Err::Incomplete(Needed::Unknown)) => None,
            Err(_) if announced.is_some_and(|n| n > u64::from(u32::MAX)) => announced,
            Err(_) => return Err(Excess::Nonsense),
        };
        if literal.is_some_and(|n| n > u64::from(self.literal_limit)) {
            return Err(Excess::Literal);
        }
        self.literal_left = literal.unwrap_or(0);
        Ok(())
    }
}

/// The number in the `{n}` before the line end, the largest where it is larger.
fn announced(answer: &[u8]) -> Option<u64> {
    let before = answer.strip_suffix(b"}\r\n")?;
    let digits = before.rsplit(|byte| *byte == b'{').next().filter(|digits| digits.len() < before.len())?;
    digits.iter().try_fold(0_u64, |n, digit| {
        digit.is_ascii_digit().then(|| n.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
    })
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
        let whole = "* 1 FETCH (BODY[] {10}\r\n(((((\r\n((( UID 1)\r\n";
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
        let first = "* 1 FETCH (BODY[HEADER] {2}\r\nab BODY[TEXT] ";
        assert_eq!(scan(&[first, "{11}\r\n"]), Err(Excess::Literal));
        assert_eq!(scan(&[first, "{2}\r\nab)\r\n* LIST () NIL {11}\r\n"]), Err(Excess::Literal));
    }

    #[test]
    fn what_only_looks_like_a_literal_in_the_text_is_none() {
        assert_eq!(scan(&["* OK see {11} there\r\n* OK {11}!\r\n"]), Ok(()));
        let nested = format!("* 1 FETCH (BODYSTRUCTURE {}", "(".repeat(65));
        for text in ["* OK at {9000}", "* BYE {9000}", "+ {9000}", "A1 NO [X] {9000}", "* OK [ALERT] {11}", "A1 OK {0}"]
        {
            assert_eq!(scan(&[text, "\r\n"]), Ok(()), "{text}");
            assert_eq!(scan(&[text, "\r\n", &nested]), Err(Excess::Brackets), "{text}");
        }
    }

    #[test]
    fn a_literal_in_a_code_is_one() {
        assert_eq!(scan(&["* NO [BADCHARSET ({9}\r\nUTF\r\n(((()] no\r\n* OK x\r\n"]), Ok(()));
    }

    #[test]
    fn nothing_hides_behind_a_value_that_the_parser_passes_over() {
        let nested = format!("BODYSTRUCTURE {}", "(".repeat(65));
        for hiding in [
            "* 1 FETCH (X (a {9000}\r\n) ",
            "* 1 FETCH (X (\r\n* LSUB NIL {9000}\r\n) ",
            "* 1 FETCH (X a{9000}\r\n ",
            "* 1 FETCH (X \r\n{9000}\r\n ",
        ] {
            assert_eq!(scan(&[hiding, &nested]), Err(Excess::Brackets), "{hiding:?}");
        }
    }

    #[test]
    fn brackets_are_counted_in_each_fetch_outside_literals_and_are_plain_text_elsewhere() {
        let begun = format!("* 1 FETCH (BODYSTRUCTURE {}", "(".repeat(63));
        assert_eq!(scan(&[&begun]), Ok(()));
        assert_eq!(scan(&[&begun, "("]), Err(Excess::Brackets));
        assert_eq!(scan(&["* 1 FETCH (BODY[] {9}\r\n((((((((()\r\n", &begun]), Ok(()));
        let many = "(".repeat(2000);
        assert_eq!(scan(&["* OK ", &many, "\r\nA1 NO ", &many, "\r\n* LIST () NIL \"", &many, "\"\r\n"]), Ok(()));
    }

    #[test]
    fn what_is_no_answer_is_cut_off() {
        assert_eq!(scan(&["* 1 FETCH nothing\r\n"]), Err(Excess::Nonsense));
        assert_eq!(scan(&["\r\n"]), Err(Excess::Nonsense));
        assert_eq!(scan(&["* 1 FETCH (X (", &"\r\n".repeat(65)]), Err(Excess::Line));
    }

    #[test]
    fn the_answers_to_a_command_are_limited_together() {
        let mut metered = Scan::new(10);
        for _ in 0..COUNT_LIMIT {
            assert_eq!(metered.take(b"* LIST () NIL a\r\n"), Ok(()));
        }
        let mut next = Scan { answer: Vec::new(), ..metered };
        next.count_anew();
        assert_eq!(next.take(b"* LIST () NIL a\r\n"), Ok(()));
        next.answers = COUNT_LIMIT;
        assert_eq!(next.take(b"* LIST () NIL a\r\n"), Err(Excess::Command));
        let line = format!("* OK {}\r\n", "x".repeat(1024 * 1024));
        let mut long = Scan::new(10);
        let lines = (0..9).map(|_| long.take(line.as_bytes()));
        assert_eq!(lines.collect::<Vec<_>>().iter().position(Result::is_err), Some(7));
    }

    #[test]
    fn an_endless_line_is_cut_off() {
        let line = "x".repeat(LINE_LIMIT as usize);
        assert_eq!(scan(&[&line]), Ok(()));
        assert_eq!(scan(&[&line, "x"]), Err(Excess::Line));
    }
}
