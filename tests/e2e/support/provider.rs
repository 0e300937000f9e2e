//! A provider of logins in the clear on loopback: pages and endpoints of OAuth2, and what mail servers ask it about tokens.
//!
//! A person is played by [`Provider::script`], what he and the provider answer to a code, or by [`get`], his browser. Each refresh
//! gives a new refresh token, and takes the one of before back. What surprises: Exim takes the newest access token only.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

/// What the program is called here.
pub(crate) const CLIENT_ID: &str = "amici-of-the-test";

/// The provider, for as long as the test runs.
#[derive(Clone)]
pub(crate) struct Provider {
    address: SocketAddr,
    user: &'static str,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// What a login by code is answered with, one after the other; then with tokens.
    script: VecDeque<&'static str>,
    /// The one refresh token that is good.
    refresh: Option<String>,
    /// The access tokens that are good.
    access: Vec<String>,
    /// How many of either were given out.
    given: u32,
    /// What the login page was asked with.
    page: BTreeMap<String, String>,
    /// The kinds of requests for tokens, in order.
    asked: Vec<String>,
    /// It is in trouble.
    is_down: bool,
    /// The file that Exim looks tokens up in.
    exim: Option<PathBuf>,
}

impl Provider {
    /// Starts it, for the logins of one user.
    pub(crate) fn start(user: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let provider = Self { address: listener.local_addr().unwrap(), user, state: Arc::default() };
        let serving = provider.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let provider = serving.clone();
                thread::spawn(move || provider.serve(stream));
            }
        });
        provider
    }

    /// The address that Dovecot adds a token to.
    pub(crate) fn introspection(&self) -> String {
        self.url("/introspect?token=")
    }

    /// From now on tokens are written into this file too, where Exim looks.
    pub(crate) fn tell_exim(&self, file: PathBuf) {
        self.state().exim = Some(file);
    }

    /// The lines of a section that name this provider.
    pub(crate) fn configuration(&self) -> String {
        format!(
            "token.provider = \"Example\"\ntoken.client_id = \"{CLIENT_ID}\"\ntoken.token_url = \"{}\"\ntoken.device_url = \"{}\"\n\
             token.authorization_url = \"{}\"\ntoken.scopes = [\"mail\", \"offline_access\"]",
            self.url("/token"),
            self.url("/device"),
            self.url("/authorize?tenant=one")
        )
    }

    /// What asking for the tokens of a login by code is answered with before there are any: codes of RFC 8628 section 3.5.
    pub(crate) fn script(&self, answers: &[&'static str]) {
        self.state().script = answers.iter().copied().collect();
    }

    /// All access tokens end, those of which it was said that they would last too.
    pub(crate) fn end_access(&self) {
        self.state().access.clear();
    }

    /// The login is taken back, on the page of the provider or by its own rules.
    pub(crate) fn take_back(&self) {
        let mut state = self.state();
        state.refresh = None;
        state.access.clear();
    }

    /// Whether it answers with trouble of its own.
    pub(crate) fn is_down(&self, is_down: bool) {
        self.state().is_down = is_down;
    }

    /// The refresh token that is good now.
    pub(crate) fn refresh(&self) -> Option<String> {
        self.state().refresh.clone()
    }

    /// How often tokens were asked for.
    pub(crate) fn asked(&self) -> usize {
        self.state().asked.len()
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn serve(&self, mut stream: TcpStream) {
        let Some((target, body)) = request(&mut stream) else { return };
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let (status, more, body) = match path {
            "/introspect" => (200, String::new(), self.introspect(&form(query))),
            _ if self.state().is_down => (503, String::new(), "<html>".to_owned()),
            "/device" => (200, String::new(), self.device(&form(&body))),
            "/authorize" => (302, format!("Location: {}\r\n", self.authorize(form(query))), String::new()),
            "/token" => match self.token(&form(&body)) {
                Ok(tokens) => (200, String::new(), tokens),
                Err(error) => {
                    (400, String::new(), format!("{{\"error\": \"{error}\", \"error_description\": \"because\"}}"))
                }
            },
            _ => (404, String::new(), String::new()),
        };
        let head = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\n{more}"
        );
        let _ = stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn introspect(&self, query: &BTreeMap<String, String>) -> String {
        match query.get("token").is_some_and(|token| self.state().access.contains(token)) {
            true => format!("{{\"active\": true, \"email\": \"{}\"}}", self.user),
            false => "{\"active\": false}".to_owned(),
        }
    }

    fn device(&self, form: &BTreeMap<String, String>) -> String {
        assert_eq!((form["client_id"].as_str(), form["scope"].as_str()), (CLIENT_ID, "mail offline_access"));
        format!(
            "{{\"device_code\": \"the-device\", \"user_code\": \"WDJB-MJHT\", \"verification_uri\": \"{}\", \
             \"expires_in\": 900, \"interval\": 0}}",
            self.url("/activate")
        )
    }

    /// The person says yes at once; where his browser goes next.
    fn authorize(&self, query: BTreeMap<String, String>) -> String {
        assert_eq!((query["client_id"].as_str(), query["response_type"].as_str()), (CLIENT_ID, "code"));
        assert_eq!((query["tenant"].as_str(), query["login_hint"].as_str()), ("one", self.user));
        assert_eq!(query["code_challenge_method"], "S256");
        let to = format!("{}/?code=the-code&state={}", query["redirect_uri"], query["state"]);
        self.state().page = query;
        to
    }

    fn token(&self, form: &BTreeMap<String, String>) -> Result<String, &'static str> {
        let mut state = self.state();
        let kind = form["grant_type"].clone();
        state.asked.push(kind.clone());
        if form.get("client_id").map(String::as_str) != Some(CLIENT_ID) {
            return Err("invalid_client");
        }
        match kind.as_str() {
            "urn:ietf:params:oauth:grant-type:device_code" if form["device_code"] == "the-device" => {
                if let Some(error) = state.script.pop_front() {
                    return Err(error);
                }
            }
            "authorization_code" => {
                // RFC 7636 section 4.6, RFC 6749 section 4.1.3
                let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]));
                let page = std::mem::take(&mut state.page);
                let is_it = page.get("code_challenge") == Some(&challenge)
                    && page.get("redirect_uri") == form.get("redirect_uri")
                    && form["code"] == "the-code";
                if !is_it {
                    return Err("invalid_grant");
                }
            }
            "refresh_token" if form.get("refresh_token") == state.refresh.as_ref() => {}
            "refresh_token" => return Err("invalid_grant"),
            _ => return Err("unsupported_grant_type"),
        }
        state.given += 1;
        let (access, refresh) = (format!("access-{}", state.given), format!("refresh-{}", state.given));
        state.access.push(access.clone());
        state.refresh = Some(refresh.clone());
        if let Some(file) = &state.exim {
            fs::write(file, format!("{}: {access}\n", self.user)).unwrap();
        }
        Ok(format!(
            "{{\"access_token\": \"{access}\", \"refresh_token\": \"{refresh}\", \"token_type\": \"Bearer\", \"expires_in\": 3600}}"
        ))
    }
}

/// The target of a request, and its body.
fn request(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let length = stream.read(&mut part).ok().filter(|length| *length > 0)?;
        bytes.extend_from_slice(&part[..length]);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let lower = head.to_ascii_lowercase();
        let wanted = lower.split("content-length:").nth(1).and_then(|rest| rest.lines().next());
        let wanted: usize = wanted.map_or(0, |text| text.trim().parse().unwrap());
        if body.len() >= wanted {
            return Some((head.split(' ').nth(1)?.to_owned(), body.to_owned()));
        }
    }
}

/// The values of a query or a form.
fn form(text: &str) -> BTreeMap<String, String> {
    let decoded = |text: &str| {
        let text = text.replace('+', " ");
        let mut parts = text.split('%');
        let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
        for part in parts {
            bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
            bytes.extend_from_slice(&part.as_bytes()[2..]);
        }
        String::from_utf8(bytes).unwrap()
    };
    text.split('&').filter_map(|pair| pair.split_once('=')).map(|(key, value)| (decoded(key), decoded(value))).collect()
}

/// What a browser gets at an address without following where it leads: the status, and the whole answer.
pub(crate) fn get(url: &str) -> (u16, String) {
    let rest = url.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(host).unwrap();
    stream.write_all(format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
}
