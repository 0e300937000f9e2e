//! A real browser: Chromium without a screen, led by chromedriver (W3C WebDriver, JSON over HTTP), each with a folder of its own.

use super::{guarded, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Keys, as WebDriver writes them.
pub(crate) const TAB: &str = "\u{e004}";
pub(crate) const ENTER: &str = "\u{e007}";

/// What a session is opened with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// In CSS pixels.
    pub(crate) width: u32,
    pub(crate) dark: bool,
    pub(crate) scripts: bool,
}

/// A browser with one window.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _folder: TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // the group of the driver is the browser's too
        let group = Pid::from_raw(self.driver.id().try_into().expect("a process id"));
        let _ = killpg(group, Signal::SIGKILL);
        let _ = self.driver.wait();
    }
}

impl Browser {
    pub(crate) fn open(look: Look) -> Self {
        let folder = TempDir::new().expect("a folder");
        let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("its number").port();
        let mut command = Command::new("chromedriver");
        command.arg(format!("--port={port}")).arg("--log-level=SEVERE");
        // its own home: nothing of the user's is read or written
        command.env("HOME", folder.path()).env("TMPDIR", folder.path());
        let mut command = guarded(&command);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let driver = command.spawn().expect("a shell");
        let mut browser = Self { driver, port, session: String::new(), _folder: folder };
        poll(|| TcpStream::connect(("127.0.0.1", port)).ok()).expect(
            "chromedriver answers: are the packages chromium and chromium-driver there? tests/run.sh installs them",
        );
        let size = format!("--window-size={},900", look.width);
        let scripts = if look.scripts { 1 } else { 2 };
        let options = json!({
            // in a container there is no sandbox to be had, and /dev/shm is small
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", size],
            "prefs": {"profile.managed_default_content_settings.javascript": scripts},
        });
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let opened = browser.call("POST", "/session", Some(&wanted));
        browser.session = format!("/session/{}", opened["sessionId"].as_str().expect("a session"));
        let scheme = json!({"name": "prefers-color-scheme", "value": if look.dark { "dark" } else { "light" }});
        browser.devtools("Emulation.setEmulatedMedia", &json!({"features": [scheme]}));
        browser.resize(look.width, 900);
        browser
    }

    fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("chromedriver");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a socket");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )
        .expect("chromedriver listens");
        // it keeps the connection
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).expect("chromedriver answers");
            match line.split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().expect("a length");
                }
                Some(_) => {}
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut document = vec![0; length];
        answer.read_exact(&mut document).expect("a whole answer");
        let mut document: Value = serde_json::from_slice(&document).expect("a document");
        let value = document["value"].take();
        assert!(value["error"].is_null(), "{method} {path} {body}: {value}");
        value
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = Some(body).filter(|_| method == "POST");
        self.call(method, &format!("{}{path}", self.session), body)
    }

    fn devtools(&self, command: &str, params: &Value) {
        self.command("POST", "/goog/cdp/execute", &json!({"cmd": command, "params": params}));
    }

    /// The size of what is seen, in CSS pixels.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
    }

    pub(crate) fn go(&self, url: &str) {
        self.command("POST", "/url", &json!({"url": url}));
    }

    /// What a script of the test's own gives; it runs whether those of pages do or not.
    pub(crate) fn ask(&self, script: &str) -> Value {
        self.command("POST", "/execute/sync", &json!({"script": script, "args": []}))
    }

    /// All that is seen of the page as text; of one that is under way nothing.
    pub(crate) fn text(&self) -> String {
        self.ask("return document.body?.innerText ?? ''").as_str().expect("a text").to_owned()
    }

    /// Waits until this stands on the page.
    pub(crate) fn shows(&self, words: &str) {
        poll(|| self.text().contains(words).then_some(()))
            .unwrap_or_else(|| panic!("no {words:?} in: {}", self.text()));
    }

    fn element(&self, css: &str) -> String {
        let found = self.command("POST", "/element", &json!({"using": "css selector", "value": css}));
        let id = found.as_object().and_then(|found| found.values().next()).and_then(Value::as_str);
        id.expect("an element").to_owned()
    }

    /// Clicks on an element with the mouse. The page that it leads to may be under way when this returns.
    pub(crate) fn click(&self, css: &str) {
        let element = self.element(css);
        self.command("POST", &format!("/element/{element}/click"), &json!({}));
    }

    /// Types into an element.
    pub(crate) fn write(&self, css: &str, text: &str) {
        let element = self.element(css);
        self.command("POST", &format!("/element/{element}/value"), &json!({"text": text}));
    }

    /// Presses keys with nothing chosen.
    pub(crate) fn press(&self, key: &str) {
        let actions = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        self.command("POST", "/actions", &json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}));
    }

    /// Goes on with the key for the next place until an element has the focus.
    pub(crate) fn tab_to(&self, css: &str) {
        let is_there = format!("return document.activeElement.matches({})", json!(css));
        for _ in 0..100 {
            self.press(TAB);
            if self.ask(&is_there) == true {
                return;
            }
        }
        panic!("no key leads to {css}");
    }

    /// Types at whatever has the focus.
    pub(crate) fn types(&self, text: &str) {
        text.chars().for_each(|key| self.press(&key.to_string()));
    }

    /// Turns the wheel of the mouse at a place of the window.
    pub(crate) fn wheel(&self, (x, y): (i64, i64), down: i64) {
        let actions = json!([{"type": "scroll", "duration": 0, "x": x, "y": y, "deltaX": 0, "deltaY": down, "origin": "viewport"}]);
        self.command("POST", "/actions", &json!({"actions": [{"type": "wheel", "id": "wheel", "actions": actions}]}));
    }

    /// Touches a place of the window.
    pub(crate) fn tap(&self, (x, y): (i64, i64)) {
        let actions = json!([
            {"type": "pointerMove", "duration": 0, "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]);
        let finger =
            json!({"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": actions});
        self.command("POST", "/actions", &json!({"actions": [finger]}));
    }

    /// What a script gives that calls its last argument when it is done.
    pub(crate) fn wait_for(&self, script: &str) -> Value {
        self.command("POST", "/execute/async", &json!({"script": script, "args": []}))
    }

    /// The page as it is printed: a PDF file.
    pub(crate) fn print(&self) -> Vec<u8> {
        decoded(&self.command("POST", "/print", &json!({"page": {"width": 21.0, "height": 29.7}, "background": true})))
    }

    /// Draws with the mouse from one place of the window to another.
    pub(crate) fn drag(&self, from: (i64, i64), to: (i64, i64)) {
        let go = |(x, y): (i64, i64)| json!({"type": "pointerMove", "duration": 100, "x": x, "y": y});
        let actions =
            json!([go(from), {"type": "pointerDown", "button": 0}, go(to), {"type": "pointerUp", "button": 0}]);
        let mouse =
            json!({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions});
        self.command("POST", "/actions", &json!({"actions": [mouse]}));
    }

    /// What went wrong in the page: scripts, styles and files that were refused.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.command("POST", "/se/log", &json!({"type": "browser"}));
        let lines = log.as_array().cloned().unwrap_or_default();
        lines.iter().filter(|line| line["level"] == "SEVERE").map(|line| line["message"].to_string()).collect()
    }

    /// The window as a PNG file.
    pub(crate) fn picture(&self) -> Vec<u8> {
        decoded(&self.command("GET", "/screenshot", &Value::Null))
    }
}

fn decoded(file: &Value) -> Vec<u8> {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.decode(file.as_str().expect("a file")).expect("base64")
}
