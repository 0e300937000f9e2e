//! One question to a web server: GET, answered by a short text, or a request that is made up elsewhere, answered once.
//!
//! The only place that knows ureq. Certificates are judged by the system's authorities; an address that begins with https leads to none
//! that does not. What is read is bounded in time and in length, since anybody may answer.
//! Surprise: the library blocks, so each question has a thread of the runtime that is kept for such work.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ureq::Agent;
use ureq::http;
use ureq::tls::{RootCerts, TlsConfig, TlsProvider};

/// For the whole of a question.
const LIMIT: Duration = Duration::from_secs(8);
/// Bytes of an answer.
const LONGEST: u64 = 256 << 10;

/// Why there is no answer, in one clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpError(String);

impl std::error::Error for HttpError {}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text behind an address, of at most 256 KiB.
///
/// # Errors
/// [`HttpError`] where nobody answers within eight seconds, with anything but a 200, or with what is no text.
pub async fn get(url: String) -> Result<String, HttpError> {
    let asked = tokio::task::spawn_blocking(move || ask(&url)).await;
    asked.map_err(|_| HttpError("the question broke off".to_owned()))?
}

/// A request with its body.
pub type Request = http::Request<Vec<u8>>;

/// An answer with its body.
pub type Answer = http::Response<Vec<u8>>;

/// Hands a request over, which may hold secrets, and gives the answer: its status is below 300 or from 400 to 499 but for 429, its body of
/// at most 256 KiB. Nobody leads us elsewhere: who is asked is who was named.
///
/// # Errors
/// [`HttpError`] where nobody answers within eight seconds, or with what says that the server is in trouble or busy (429, 5xx; RFC 9110
/// section 15, RFC 6585 section 4), or elsewhere (3xx).
pub async fn send(request: Request) -> Result<Answer, HttpError> {
    let sent = tokio::task::spawn_blocking(move || hand_over(request)).await;
    sent.map_err(|_| HttpError("the question broke off".to_owned()))?
}

fn hand_over(request: Request) -> Result<Answer, HttpError> {
    let trouble = |error: ureq::Error| HttpError(why(&error));
    let agent = agent(&request.uri().to_string(), 0);
    let request = agent.configure_request(request).http_status_as_error(false).build();
    let (head, mut body) = agent.run(request).map_err(trouble)?.into_parts();
    match head.status.as_u16() {
        code @ (300..400 | 429 | 500..) => Err(trouble(ureq::Error::StatusCode(code))),
        _ => {
            let bytes = body.with_config().limit(LONGEST).read_to_vec().map_err(trouble)?;
            Ok(Answer::from_parts(head, bytes))
        }
    }
}

fn ask(url: &str) -> Result<String, HttpError> {
    let trouble = |error: ureq::Error| HttpError(why(&error));
    let mut answer = agent(url, 3).get(url).call().map_err(trouble)?;
    let bytes = answer.body_mut().with_config().limit(LONGEST).read_to_vec().map_err(trouble)?;
    String::from_utf8(bytes).map_err(|_| HttpError("the answer is no text in UTF-8".to_owned()))
}

/// Who asks this address, and follows so many times where it leads.
fn agent(url: &str, redirects: u32) -> Agent {
    let tls = TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .root_certs(RootCerts::PlatformVerifier)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    let config = Agent::config_builder()
        .tls_config(tls)
        .https_only(!url.starts_with("http://"))
        .timeout_global(Some(LIMIT))
        .max_redirects(redirects)
        .user_agent(concat!("amici/", env!("CARGO_PKG_VERSION")))
        .build();
    Agent::new_with_config(config)
}

fn why(error: &ureq::Error) -> String {
    match error {
        ureq::Error::StatusCode(code) => format!("the server answers {code}"),
        ureq::Error::HostNotFound => "its host has no address".to_owned(),
        ureq::Error::Timeout(_) => format!("no answer within {} s", LIMIT.as_secs()),
        ureq::Error::Io(error) => error.kind().to_string(),
        ureq::Error::BodyExceedsLimit(_) => "the answer is too long".to_owned(),
        ureq::Error::BadUri(_) => "it is no web address".to_owned(),
        ureq::Error::Rustls(_) => "its certificate is not accepted".to_owned(),
        _ => "no usable answer".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;

    /// Answers one question, whatever it is.
    fn server(answer: String) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(answer.as_bytes());
        });
        format!("http://{address}/x")
    }

    fn whole(status: &str, body: &str) -> String {
        format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
    }

    #[tokio::test]
    async fn an_answer_is_read_and_anything_else_is_an_error_in_words() {
        assert_eq!(get(server(whole("200 OK", "<x/>"))).await.unwrap(), "<x/>");
        for (answer, expected) in [
            (whole("404 Not Found", ""), "the server answers 404"),
            (whole("200 OK", &"x".repeat(LONGEST as usize + 1)), "the answer is too long"),
            ("HTTP/1.1 302 Found\r\nLocation: ftp://example.org/\r\n\r\n".to_owned(), "it is no web address"),
        ] {
            assert_eq!(get(server(answer)).await.unwrap_err().to_string(), expected);
        }
        assert!(get("http://no such host/".to_owned()).await.is_err());
    }

    #[tokio::test]
    async fn a_request_has_the_answer_of_the_server_that_is_named_or_an_error_in_words() {
        let post = |url: String| http::Request::post(url).body(b"a=b".to_vec()).unwrap();
        let answer = send(post(server(whole("400 Bad Request", "{\"error\":\"invalid_grant\"}")))).await.unwrap();
        assert_eq!((answer.status().as_u16(), answer.body().as_slice()), (400, &b"{\"error\":\"invalid_grant\"}"[..]));
        for (answer, expected) in [
            (whole("503 Service Unavailable", "<html>"), "the server answers 503"),
            (whole("429 Too Many Requests", ""), "the server answers 429"),
            (
                "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
                    .to_owned(),
                "the server answers 307",
            ),
        ] {
            assert_eq!(send(post(server(answer))).await.unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn who_is_asked_under_encryption_cannot_send_us_elsewhere_without() {
        let led = agent("https://example.org/", 3).get("http://127.0.0.1:1/").call();
        assert!(matches!(led, Err(ureq::Error::RequireHttpsOnly(_))), "{led:?}");
    }
}
