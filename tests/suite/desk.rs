//! The desk over HTTP: nobody but the player gets in, each deed is a command, and nothing of a mail or a name runs in a page.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use amici::config::Language;
use serde_json::{Value, json};

use super::accounts::Club;
use super::cli::{Player, document, second};
use super::intake::{ME, MILA, mail, mail_with};

/// What nobody may find unescaped in a page.
const HOSTILE: &str = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'";

/// A desk that is served, until it is dropped.
struct Desk {
    child: Child,
    host: String,
    /// The way of the link.
    link: String,
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the desk answered.
#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    fn page(self) -> String {
        assert_eq!(self.status, 200, "{}", self.body);
        self.body
    }
}

/// A browser without scripts: its session, and the token of the last page.
struct Guest<'d> {
    desk: &'d Desk,
    cookie: String,
    token: String,
}

impl Desk {
    fn open(player: &Player) -> Desk {
        let mut command = player.command();
        command.args(["desk", "--link"]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let link = lines.map(Result::unwrap).find(|line| line.starts_with("http://")).unwrap();
        let (host, path) = link.strip_prefix("http://").unwrap().split_once('/').unwrap();
        Desk { host: host.to_owned(), link: format!("/{path}"), child }
    }

    /// Sends a request as it stands, and reads the answer to its end.
    fn send(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        // each `/` of a value is escaped too
        Answer { status, head: head.to_owned(), body: body.replace("&#x2f;", "/") }
    }

    fn get(&self, path: &str, more: &str) -> Answer {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{more}Connection: close\r\n\r\n", self.host))
    }

    fn post(&self, path: &str, more: &str, fields: &[(&str, &str)]) -> Answer {
        let body: Vec<String> = fields.iter().map(|(key, value)| format!("{key}={}", encoded(value))).collect();
        let body = body.join("&");
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\n{more}Content-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.host,
            body.len()
        ))
    }

    fn enter(&self) -> Guest<'_> {
        let answer = self.get(&self.link, "");
        assert_eq!((answer.status, answer.header("location")), (303, Some("/")), "{}", answer.body);
        let cookie = answer.header("set-cookie").unwrap();
        assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let mut guest = Guest { desk: self, cookie, token: String::new() };
        let page = guest.page("/");
        guest.token = between(&page, "name=\"token\" value=\"", "\"").to_owned();
        guest
    }
}

impl Guest<'_> {
    fn cookie(&self) -> String {
        format!("Cookie: {}\r\n", self.cookie)
    }

    fn get(&self, path: &str) -> Answer {
        self.desk.get(path, &self.cookie())
    }

    fn page(&self, path: &str) -> String {
        let page = self.get(path).page();
        proper(&page);
        page
    }

    /// A deed as a form of the desk sends it.
    fn deed(&self, deed: &str, fields: &[(&str, &str)]) -> Answer {
        let fields = [&[("token", self.token.as_str())], fields].concat();
        let more = format!("{}Origin: http://{}\r\n", self.cookie(), self.desk.host);
        let answer = self.desk.post(&format!("/do/{deed}"), &more, &fields);
        if answer.status != 303 {
            proper(&answer.body);
        }
        answer
    }

    /// The same where it is done; the page that tells so.
    fn done(&self, deed: &str, fields: &[(&str, &str)]) -> String {
        let answer = self.deed(deed, fields);
        assert_eq!(answer.status, 303, "{}", answer.body);
        self.page(answer.header("location").unwrap())
    }

    /// What the game's page was made for.
    fn state(&self, game: &str) -> String {
        between(&self.page(&format!("/game/{game}")), "name=\"state\" value=\"", "\"").to_owned()
    }
}

/// The move that is chosen in the sample game.
fn plan(player: &Player) -> Value {
    player.run(&["show", "SAMPLE-1", "--json"]).json()["plan"].take()
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}"));
    rest.split_once(after).unwrap().0
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// No page has a style or script of its own, or anything from elsewhere.
fn proper(page: &str) {
    for forbidden in [" style=", "<style", "javascript:", " onclick=", "<script>", "src=\"http", "<iframe"] {
        assert!(!page.contains(forbidden), "{forbidden} in {page}");
    }
}

#[test]
fn nobody_gets_in_without_the_link_and_a_link_opens_one_session() {
    let player = Player::with_sample();
    let desk = Desk::open(&player);
    for path in [
        "/",
        "/game/SAMPLE-1",
        "/held",
        "/ahead",
        "/events",
        "/static/desk.css",
        "/nothing",
        "/game/SAMPLE-1/reply.eml",
    ] {
        let answer = desk.get(path, "");
        assert_eq!(answer.status, 403, "{path}");
        assert_eq!(answer.body, "this desk is opened with the link that `amici desk` gives\n");
    }
    for link in ["/enter", "/enter?key=", "/enter?key=1.2.3", &desk.link.replace("key=1", "key=2")] {
        assert_eq!(desk.get(link, "").status, 403, "{link}");
    }
    let head = desk.send(&format!("HEAD {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", desk.link, desk.host));
    assert_eq!(head.status, 405, "whoever only asks for the head uses no link up");
    let guest = desk.enter();
    assert!(guest.page("/").contains("SAMPLE-1"));
    let again = desk.get(&desk.link, "");
    assert_eq!(again.status, 403, "{}", again.body);
    assert_eq!(guest.get("/").status, 403, "somebody else may have been the first: both are out");
}

#[test]
fn a_request_that_another_site_could_have_made_is_refused_and_changes_nothing() {
    let player = Player::with_sample();
    let desk = Desk::open(&player);
    let guest = desk.enter();
    let (cookie, own) = (guest.cookie(), format!("Origin: http://{}\r\n", desk.host));
    let play = [("token", guest.token.as_str()), ("game", "SAMPLE-1"), ("move", "Nc6")];
    let refused = |answer: Answer, why: &str| {
        assert_eq!((answer.status, answer.body.as_str()), (403, format!("{why}\n").as_str()), "{}", answer.head);
    };
    let host = |host: &str| desk.send(&format!("GET / HTTP/1.1\r\n{host}{cookie}Connection: close\r\n\r\n"));
    let port = desk.host.rsplit(':').next().unwrap();
    for other in ["attacker.example.org", "127.0.0.1", "127.0.0.1:1", &format!("attacker.example.org:{port}")] {
        refused(host(&format!("Host: {other}\r\n")), "this desk answers under its own address only");
    }
    refused(
        host(&format!("Host: {}\r\nHost: attacker.example.org\r\n", desk.host)),
        "this desk answers under its own address only",
    );
    assert_eq!(host("").status, 403);
    for site in ["cross-site", "same-site", "nonsense"] {
        let more = format!("{cookie}Sec-Fetch-Site: {site}\r\n");
        refused(desk.get("/", &more), "a page of another site asked for this");
        refused(desk.post("/do/play", &format!("{more}{own}"), &play), "a page of another site asked for this");
    }
    for site in ["same-origin", "none"] {
        assert_eq!(desk.get("/", &format!("{cookie}Sec-Fetch-Site: {site}\r\n")).status, 200);
    }
    let nobody = "no page of this desk sent this";
    for origin in ["", "Origin: null\r\n", "Origin: http://attacker.example.org\r\n", "Origin: http://127.0.0.1:1\r\n"]
    {
        refused(desk.post("/do/play", &format!("{cookie}{origin}"), &play), nobody);
    }
    let without = "this desk is opened with the link that `amici desk` gives";
    refused(desk.post("/do/play", &own, &play), without);
    refused(desk.post("/do/play", &format!("{own}Cookie: {}x\r\n", guest.cookie), &play), without);
    for token in ["", "x", &guest.token[1..]] {
        let fields = [("token", token), ("game", "SAMPLE-1"), ("move", "Nc6")];
        refused(desk.post("/do/play", &format!("{cookie}{own}"), &fields), nobody);
    }
    refused(desk.post("/do/play", &format!("{cookie}{own}"), &play[1..]), nobody);
    for method in ["PUT", "DELETE", "OPTIONS", "PATCH"] {
        let request =
            format!("{method} /do/play HTTP/1.1\r\nHost: {}\r\n{cookie}{own}Connection: close\r\n\r\n", desk.host);
        assert_eq!(desk.send(&request).status, 405, "{method}");
    }
    let large = "x".repeat(70_000);
    let answer = desk.post("/do/play", &format!("{cookie}{own}"), &[("token", &guest.token), ("message", &large)]);
    assert_eq!(answer.status, 413, "{}", answer.body);
    assert_eq!(plan(&player), json!(null), "nothing was done");
}

#[test]
fn each_answer_forbids_what_a_page_does_not_need() {
    let player = Player::with_sample();
    let desk = Desk::open(&player);
    let outside = desk.get("/", "");
    let guest = desk.enter();
    let paths = ["/", "/game/SAMPLE-1", "/held", "/ahead", "/static/desk.js", "/static/white-king.svg", "/nowhere"];
    for answer in paths.map(|path| guest.get(path)).into_iter().chain([outside]) {
        let policy = answer.header("content-security-policy").unwrap();
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
        for (name, value) in [
            ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "same-origin"),
            ("x-frame-options", "DENY"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{}", answer.head);
        }
    }
    let left =
        desk.post("/leave", &format!("{}Origin: http://{}\r\n", guest.cookie(), desk.host), &[("token", &guest.token)]);
    assert_eq!(left.status, 200);
    assert_eq!(guest.get("/").status, 403);
}

#[test]
fn a_move_is_chosen_held_and_taken_back_as_on_the_command_line() {
    let player = Player::with_sample();
    let desk = Desk::open(&player);
    let guest = desk.enter();
    let page = guest.page("/game/SAMPLE-1");
    assert!(page.contains("<option value=\"2836\"") && page.contains("Nc6 · 2836 · knight b8-c6"), "{page}");
    assert!(!page.contains("<option value=\"2838\""), "no legal move");
    let state = guest.state("SAMPLE-1");
    let of_game = [("game", "SAMPLE-1"), ("state", state.as_str())];
    let refused = guest.deed("play", &[&of_game[..], &[("move", "2838")]].concat());
    assert_eq!(refused.status, 422);
    assert!(refused.body.contains("2838 is not legal for Black in game SAMPLE-1"), "{}", refused.body);
    let told = guest.done(
        "play",
        &[&of_game[..], &[("pick", "2836"), ("message", "Happy Easter!"), ("if", "4445 3657\r\n")]].concat(),
    );
    assert!(told.contains("7... 2836   Nc6") && told.contains("Nothing has been sent to Ostrander, Mila"), "{told}");
    assert!(told.contains("Drafted, not seen to be sent: 7... 2836") && told.contains("Happy Easter!"), "{told}");
    assert!(!guest.page("/game/SAMPLE-1").contains("Nothing has been sent"), "it is told once");
    let kept = plan(&player);
    assert_eq!((&kept["numeric"], &kept["comment"]), (&json!("2836"), &json!("Happy Easter!")));
    assert_eq!(kept["conditionals"], json!([["4445", "3657"]]));
    let old = guest.deed("undo", &of_game);
    assert_eq!(old.status, 422);
    assert!(old.body.contains("the game has changed since this page was made"), "{}", old.body);
    assert_eq!(plan(&player)["numeric"], "2836", "an older page does nothing");
    let letter = guest.get("/game/SAMPLE-1/reply.eml");
    assert_eq!(letter.header("content-type"), Some("message/rfc822"));
    assert!(letter.body.contains("To: \"Ostrander, Mila\" <mila.ostrander@example.org>"), "{}", letter.body);
    assert!(letter.body.contains("X-Unsent: 1") && letter.body.contains("2836"), "{}", letter.body);
    assert!(guest.page("/ahead").contains("href=\"mailto:mila.ostrander@example.org?subject="));
    let state = guest.state("SAMPLE-1");
    let told = guest.done("undo", &[("game", "SAMPLE-1"), ("state", &state)]);
    assert!(told.contains("7... 2836 is dropped"), "{told}");
    let state = guest.state("SAMPLE-1");
    let told = guest.done("play", &[("game", "SAMPLE-1"), ("state", &state), ("move", "Nc6"), ("hold", "2h")]);
    assert!(told.contains("Chosen, not drafted yet: 7... 2836"), "{told}");
    assert_eq!(guest.get("/game/SAMPLE-1/reply.eml").status, 404);
    assert!(guest.done("note", &[("game", "SAMPLE-1"), ("text", "--remove=1 beware of e5")]).contains("beware of e5"));
}

#[test]
fn what_takes_a_second_word_is_asked_again_and_done_on_it() {
    let player = Player::new();
    player.import(&document(|game| game["conditionals"] = json!([["5171", "2836", "4445", "3657"]])));
    let desk = Desk::open(&player);
    let guest = desk.enter();
    let state = guest.state("SAMPLE-1");
    let fields = [("game", "SAMPLE-1"), ("state", state.as_str()), ("move", "2847"), ("message", "a < b & \"c\"")];
    let asked = guest.deed("play", &fields).page();
    assert!(asked.contains("you are bound: your conditional promised 7... 2836"), "{asked}");
    assert!(
        asked.contains("name=\"message\" value=\"a &lt; b &amp; &quot;c&quot;\""),
        "the same form once more: {asked}"
    );
    assert_eq!(plan(&player), json!(null));
    guest.done("play", &[&fields[..], &[("yes", "1")]].concat());
    assert_eq!(plan(&player)["numeric"], "2847");
    let asked = guest.deed("resign", &[("game", "SAMPLE-1")]).page();
    assert!(asked.contains("Are you sure?"), "{asked}");
    assert!(player.game()["result"].is_null());
}

#[test]
fn reminders_longer_thought_leave_claims_and_the_end_are_deeds_of_a_games_page() {
    let player = Player::waiting();
    let desk = Desk::open(&player);
    let guest = desk.enter();
    // with the second word where one is asked for
    let does = |deed: &str, fields: &[(&str, &str)]| {
        let state = guest.state("SAMPLE-1");
        let fields = [&[("game", "SAMPLE-1"), ("state", state.as_str())], fields].concat();
        let answer = guest.deed(deed, &fields);
        if answer.status == 303 {
            return guest.page(answer.header("location").unwrap());
        }
        let asked = answer.page();
        assert!(asked.contains("Are you sure?") && !asked.contains("--yes"), "{asked}");
        format!("{asked}{}", guest.done(deed, &[&fields[..], &[("yes", "1")]].concat()))
    };
    for (deed, fields, said) in [
        ("repeat", &[][..], "6... 5755 once more, with its original dates."),
        ("repeat", &[("how", "sent"), ("on", "2004-11-20")], "You repeated 6... to Ostrander, Mila on 2004-11-20."),
        ("repeat", &[("how", "undo")], "For 7. the repeat of 2004-11-20 counts no more."),
        (
            "announce",
            &[("how", "his"), ("until", "2004-12-24"), ("on", "2004-11-20")],
            "announced on 2004-11-20 that he needs until 2004-12-24",
        ),
        ("announce", &[("how", "undo")], "For 7. the announcement of 2004-11-20 counts no more."),
        (
            "leave-add",
            &[("of", "opponent"), ("from", "2004-12-01"), ("to", "2004-12-05")],
            "The leave of Ostrander, Mila from 2004-12-01 to 2004-12-05 counts in SAMPLE-1.",
        ),
        ("claim", &[("how", "time")], "I claim that my opponent has exceeded his time"),
        ("result", &[("result", "0-1")], "<strong>0-1</strong>"),
        ("retract", &[("why", "by mistake")], "Taken back in SAMPLE-1:"),
    ] {
        let told = does(deed, fields);
        assert!(told.contains(said), "{deed}: {told}");
    }
    let leave = [("event", "EM/ZZ/042"), ("from", "2030-07-01"), ("to", "2030-07-14")];
    assert!(guest.page("/ahead").contains("<option>EM/ZZ/042</option>"));
    assert!(guest.done("leave-add", &leave).contains("2030-07-01"));
    let wrong = guest.deed("result", &[("game", "SAMPLE-1"), ("result", "1-1")]);
    assert_eq!(wrong.status, 422);
    assert!(!wrong.body.contains("--help"), "{}", wrong.body);
    player.run(&["verify", "--rebuild"]).result();
}

#[test]
fn dates_that_differ_are_settled_where_they_are_shown() {
    let player = Player::waiting();
    assert_eq!(player.takes(&mail("m7", "EM/ZZ/042", "7. 5171   received 26.10. sent 29.10.  3/11\n")), "move");
    let desk = Desk::open(&player);
    let guest = desk.enter();
    let page = guest.page("/game/SAMPLE-1?ply=13");
    assert!(page.contains("The record is right") && page.contains("The opponent is right"), "{page}");
    let state = guest.state("SAMPLE-1");
    let fields = [("game", "SAMPLE-1"), ("state", &state), ("ply", "7."), ("how", "mine"), ("why", "the Date says so")];
    assert!(guest.done("clock-agree", &fields).contains("7. counts now"));
    assert!(!guest.page("/game/SAMPLE-1?ply=13").contains("The record is right"), "nothing differs any more");
}

#[test]
fn a_move_is_sent_by_the_program_only_where_that_is_allowed_and_on_a_second_word() {
    let player = Player::with_sample().with_dead_servers("x");
    player.run(&["play", "SAMPLE-1", "Nc6"]);
    let desk = Desk::open(&player);
    let guest = desk.enter();
    assert!(!guest.page("/game/SAMPLE-1").contains("/do/send"), "nobody may be written to");
    let config = std::fs::read_to_string(player.path("config.toml")).unwrap();
    player.configure(&format!("{config}[direct]\nopponents = [\"mila.ostrander@example.org\"]\n"));
    assert!(guest.page("/game/SAMPLE-1").contains("Send it to mila.ostrander@example.org"));
    let state = guest.state("SAMPLE-1");
    let send = [("game", "SAMPLE-1"), ("state", state.as_str()), ("hold", "2h")];
    let asked = guest.deed("send", &send).page();
    assert!(asked.contains("7... 2836 (Nc6) goes to mila.ostrander@example.org at "), "{asked}");
    assert_eq!(player.run(&["status", "--json"]).json()["released"], json!([]), "nothing is released yet");
    assert!(guest.done("send", &[&send[..], &[("yes", "1")]].concat()).contains("recalls it"));
    assert_eq!(player.run(&["status", "--json"]).json()["released"][0]["game_id"], "SAMPLE-1");
}

#[test]
fn a_held_mail_shows_what_was_read_and_is_taken_asked_about_or_put_away() {
    let player = Player::waiting();
    player.takes(&mail(
        "m7",
        "EM/ZZ/042",
        "Hello Tobin,\n\n7. 5171   received 27.10. sent 30.10.   4/12\n7. 4445\nWhat a nice position!\n",
    ));
    let desk = Desk::open(&player);
    let guest = desk.enter();
    let page = guest.page("/held");
    for part in [
        "<span class=\"move doubt\">5171</span>",
        "<span class=\"move\">4445</span>",
        "<span class=\"word\">received</span>",
        "<span class=\"date\">27.10.</span>",
        "<span class=\"days\">4/12</span>",
        "<svg class=\"board\"",
        "It is 5171: take it",
        "It is 4445: take it",
        "Ask Ostrander, Mila",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(page.contains("class=\"own cause") && page.contains("unread\" value=\"5\""), "{page}");
    let of_mail = [("mail", "1"), ("game", "SAMPLE-1")];
    let asks = guest.page("/held?mail=1&game=SAMPLE-1&ask=de");
    let text = between(&asks, "name=\"text\"", "</textarea>").split_once('\n').unwrap().1;
    assert!(text.contains("g1-f3") || text.contains("5171 = O-O"), "{text}");
    let text = format!("Liebe Mila!\r\n\r\n{}", text.replace("&lt;", "<").replace("&quot;", "\""));
    let told = guest.done("ask", &[&of_mail[..], &[("text", &text)]].concat());
    assert!(told.contains("The question to Ostrander, Mila about mail 1 is drafted"), "{told}");
    let again = guest.deed("ask", &of_mail).page();
    assert!(again.contains("a question about mail 1 was drafted on"), "{again}");
    let bad = guest.deed("accept", &[&of_mail[..], &[("move", "5171"), ("sent", "no day")]].concat());
    assert_eq!(bad.status, 422);
    let told = guest.done("accept", &[&of_mail[..], &[("move", "5171")]].concat());
    assert!(told.contains("recorded on your word") && told.contains("Nothing is held."), "{told}");
    assert_eq!(player.game()["moves"][12]["numeric"], "5171");
    let kept = guest.page("/mail/1?game=SAMPLE-1");
    assert!(kept.contains("<span class=\"move\">5171</span>"), "{kept}");
    let why = guest.page("/game/SAMPLE-1?ply=13");
    assert!(why.contains("Why 7. 5171 (O-O) stands so") && why.contains("<a href=\"/mail/1?game=SAMPLE-1\">"), "{why}");

    let player = Player::waiting();
    player.takes(&mail("m8", "EM/ZZ/042", "7. 5172\n"));
    let desk = Desk::open(&player);
    let guest = desk.enter();
    assert!(guest.done("ignore", &[("mail", "1"), ("game", "SAMPLE-1")]).contains("Mail 1 (SAMPLE-1) is put away"));
    assert_eq!(player.held().len(), 0);
}

#[test]
fn the_mails_and_letters_of_each_move_are_shown_on_demand() {
    let player = Player::waiting();
    assert_eq!(
        player.takes(&mail("m7", "EM/ZZ/042", "7. 5171   received 27.10. sent 30.10.  4/12\n<b>Spring!</b>\n")),
        "move"
    );
    player.run(&["play", "SAMPLE-1", "Nc6", "-m", "Autumn."]).result();
    player.run(&["sent", "SAMPLE-1"]).result();
    player.takes(&mail("m8", "EM/ZZ/042", "8. 4445\n8. 4244\n"));
    let desk = Desk::open(&player);
    let guest = desk.enter();
    let his = guest.page("/game/SAMPLE-1?ply=13");
    assert!(his.contains("<h3>7. 5171</h3>") && his.contains("<a href=\"/mail/1?game=SAMPLE-1\">Mail 1</a>"), "{his}");
    assert!(!his.contains("Draft of your move"), "one move alone: {his}");
    let mine = guest.page("/game/SAMPLE-1?ply=14");
    let link = between(&mine, "<a href=\"/letter/", "\">Draft of your move");
    let draft = guest.page(&format!("/letter/{link}"));
    assert!(draft.contains("Autumn.") && draft.contains("2836"), "{draft}");
    let all = guest.page("/game/SAMPLE-1");
    for part in ["<h3>7. 5171</h3>", "<h3>7... 2836</h3>", "<h3>8.</h3>", "Mail 2"] {
        assert!(all.contains(part), "{part} in {all}");
    }
    assert!(guest.page("/mail/1").contains("Spring!"));
    assert_eq!(guest.get("/letter/999").status, 404);
}

#[test]
fn a_held_mail_is_moved_to_the_game_that_it_belongs_to() {
    let player = Player::waiting();
    player.import(&second("OTHER-2", |game| {
        game["moves"].as_array_mut().unwrap().pop();
    }));
    player.takes(&mail("m7", "EM/ZZ/042", "SAMPLE-1\n7. 5171\n7. 4445\n"));
    let desk = Desk::open(&player);
    let guest = desk.enter();
    assert!(guest.page("/held").contains("<option value=\"OTHER-2\">"));
    let of_mail = [("mail", "1"), ("game", "SAMPLE-1")];
    let told = guest.done("assign", &[&of_mail[..], &[("other", "OTHER-2")]].concat());
    assert!(told.contains("Mail 1 is held for game OTHER-2 now") && told.contains("It is 5171: take it"), "{told}");
    let fields = [("mail", "1"), ("game", "OTHER-2"), ("move", "5171"), ("yes", "1")];
    assert!(guest.done("accept", &fields).contains("recorded on your word"));
    assert_eq!(player.run(&["show", "OTHER-2", "--json"]).json()["moves"].as_array().unwrap().len(), 13);
    assert_eq!(player.held().len(), 0);
    player.run(&["verify", "--rebuild"]).result();
}

#[test]
fn hostile_names_subjects_and_mails_are_shown_and_nothing_of_them_runs() {
    let player = Player::new();
    player.import(&document(|game| {
        game["white"]["name"] = json!(HOSTILE);
        game["event"] = json!(HOSTILE);
        game["moves"].as_array_mut().unwrap().pop();
    }));
    let body = format!("7. 5171 {HOSTILE}\n7. 4445\n> {HOSTILE}\n-- \n{HOSTILE}\n");
    player.takes(&mail_with("m7", MILA, HOSTILE, "References: <SAMPLE-1.k3v9@example.net>\n", &body));
    player.takes(&mail_with("m9", "\"<script>\" <o@example.org>", &format!("SAMPLE-1 {HOSTILE}"), "", &body));
    let desk = Desk::open(&player);
    let guest = desk.enter();
    let hostile =
        ["/", "/held", "/game/SAMPLE-1", "/game/SAMPLE-1?ply=3", "/ahead", "/mail/1?game=SAMPLE-1", "/mail/1"];
    let mut shown = 0;
    for path in hostile {
        let page = guest.page(path);
        assert!(!page.contains("<script>alert") && !page.contains("<img src=x"), "{path}: {page}");
        shown += usize::from(page.contains("&lt;script&gt;alert"));
    }
    assert!(shown >= 5, "{shown}");
    let q = encoded(HOSTILE);
    let page = guest.page(&format!("/?q={q}&show={q}&page=99999999999"));
    assert!(page.contains("value=\"&lt;script&gt;"), "{page}");
    for path in [
        "/game/%3Cscript%3E",
        "/game/..%2f..%2fx",
        "/mail/99",
        "/mail/x",
        "/static/..%2f..%2fCargo.toml",
        &format!("/{q}"),
    ] {
        let answer = guest.get(path);
        assert!([400, 404].contains(&answer.status), "{path}: {}", answer.status);
        assert!(!answer.body.contains("<script>"), "{path}: {}", answer.body);
    }
    let refused = guest.deed("play", &[("game", "SAMPLE-1"), ("move", HOSTILE)]);
    assert_eq!(refused.status, 422);
    assert!(refused.body.contains("&lt;script&gt;"), "{}", refused.body);
    assert_eq!(guest.deed(&encoded("<script>"), &[]).status, 422);
}

#[test]
fn many_games_come_in_pages_those_first_that_need_the_player_and_are_filtered() {
    let player = Player::with_sample();
    for number in 1..30 {
        player.import(&second(&format!("G-{number:02}"), |game| {
            game["event"] = json!(format!("CUP-{}", number % 2));
            if number == 29 {
                game["result"] = json!("1/2-1/2");
            }
        }));
    }
    let desk = Desk::open(&player);
    let guest = desk.enter();
    let count = |page: &str| page.matches("<li class=\"card").count();
    let first = guest.page("/");
    assert!(first.contains("page 1 of 2, 29 games") && count(&first) == 24, "{}", count(&first));
    let second = guest.page("/?page=2");
    assert_eq!(count(&second), 5);
    let shown = |page: &str, id: &str| page.contains(&format!("href=\"/game/{id}\""));
    for number in 1..29 {
        let id = format!("G-{number:02}");
        assert!(shown(&first, &id) != shown(&second, &id), "{id}");
    }
    let odd = guest.page("/?q=cup-1");
    assert_eq!(count(&odd), 14);
    assert!(odd.contains("value=\"cup-1\""), "the filter is kept");
    let finished = guest.page("/?show=finished");
    assert!(count(&finished) == 1 && shown(&finished, "G-29"), "{finished}");
    assert_eq!(count(&guest.page("/?q=nobody")), 0);
}

#[test]
fn the_service_serves_the_desk_and_the_command_gives_its_link() {
    let player = Player::with_sample().with_maildir();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let config = std::fs::read_to_string(player.path("config.toml")).unwrap();
    player.configure(&format!("{config}[desk]\nlisten = \"{free}\"\n"));
    let mut service = player.command().arg("run").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let connects = || TcpStream::connect(free).is_ok();
    while !connects() {
        assert!(service.try_wait().unwrap().is_none());
        std::thread::yield_now();
    }
    let said = player.run(&["desk", "--link"]).result();
    let link = said.lines().find(|line| line.starts_with("http://")).unwrap();
    let path = link.strip_prefix(&format!("http://{free}")).unwrap();
    let desk = Desk { child: service, host: free.to_string(), link: path.to_owned() };
    let guest = desk.enter();
    let state = guest.state("SAMPLE-1");
    let told = guest.done("play", &[("game", "SAMPLE-1"), ("state", &state), ("move", "Nc6")]);
    assert!(told.contains("The running daemon delivers the draft to"), "{told}");
    assert_eq!(plan(&player)["numeric"], "2836");
}

#[test]
fn each_account_has_a_desk_of_its_own_and_a_deed_there_is_done_for_its_player() {
    let club = Club::new();
    let free = [(); 2].map(|()| std::net::TcpListener::bind("127.0.0.1:0").unwrap());
    let hosts = free.each_ref().map(|listener| listener.local_addr().unwrap().to_string());
    drop(free);
    let account = |name: &str, host: &str| format!("{}[account.desk]\nlisten = \"{host}\"\n", club.account(name));
    club.configure(&[account("ada", &hosts[0]), account("ben", &hosts[1])]);
    let mut service = club.0.command().arg("run").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !hosts.iter().all(|host| TcpStream::connect(host).is_ok()) {
        assert!(service.try_wait().unwrap().is_none());
        std::thread::yield_now();
    }
    let said = club.0.run(&["desk", "--link"]).result();
    assert!(said.starts_with("ada: Open this link") && said.contains("\nben: Open this link"), "{said}");
    let links: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("http://")).collect();
    let of = |child, place: usize| {
        let (host, link) = (hosts[place].clone(), links[place].strip_prefix(&hosts[place]).unwrap().to_owned());
        Desk { child, host, link }
    };
    let (ada, ben) = (of(service, 0), of(std::process::Command::new("true").spawn().unwrap(), 1));
    let (hers, his) = (ada.enter(), ben.enter());
    assert!(hers.page("/").contains("CLUB-2-MILA") && !his.page("/").contains("CLUB-2-MILA"));
    let state = hers.state("CLUB-1");
    hers.done("play", &[("game", "CLUB-1"), ("state", &state), ("move", "e4")]);
    let plan = |account: &str| club.0.run(&["show", "CLUB-1", "--json", "--account", account]).json()["plan"].clone();
    assert_eq!((&plan("ada")["numeric"], &plan("ben")), (&json!("5254"), &Value::Null));
    // the key of one opens no other
    assert_ne!(ben.get("/", &hers.cookie()).status, 200);
}

#[test]
fn a_desk_whose_port_is_taken_is_told_by_status_and_health_and_the_mails_are_read() {
    let player = Player::with_sample().with_maildir();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let config = std::fs::read_to_string(player.path("config.toml")).unwrap();
    player.configure(&format!("{config}[desk]\nlisten = \"{}\"\n", taken.local_addr().unwrap()));
    let service = player.command().arg("run").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut service = Desk { child: service, host: String::new(), link: String::new() };
    let why = format!("the desk cannot be served on {}", taken.local_addr().unwrap());
    loop {
        assert!(service.child.try_wait().unwrap().is_none());
        let status = player.run(&["status", "--json"]).json();
        if status["last_check"].is_string() && status["last_error"].as_str().is_some_and(|error| error.contains(&why)) {
            break;
        }
    }
    let said = player.run(&["health"]).result();
    assert!(said.starts_with("alive; mail checked") && said.contains(&why), "{said}");
}

#[test]
fn an_open_page_is_told_that_the_record_has_changed() {
    let player = Player::with_sample();
    let desk = Desk::open(&player);
    let guest = desk.enter();
    let mut stream = TcpStream::connect(&desk.host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let request = format!("GET /events HTTP/1.1\r\nHost: {}\r\n{}\r\n", desk.host, guest.cookie());
    stream.write_all(request.as_bytes()).unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().contains("200"));
    let written = std::thread::scope(|scope| {
        // until the page listens nothing tells it: so something is written again and again
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        let player = &player;
        scope.spawn(move || {
            let mut number = 0;
            while stopped.try_recv().is_err() {
                number += 1;
                player.run(&["note", "SAMPLE-1", &format!("note {number}")]).result();
            }
        });
        let told = lines.any(|line| line == "event: changed") && lines.any(|line| line == "data: the record");
        stop.send(()).unwrap();
        told
    });
    assert!(written);
}

#[test]
fn a_desk_that_others_can_reach_is_refused_by_the_configuration() {
    let player = Player::with_sample();
    player.configure(&format!("{ME}[desk]\nlisten = \"0.0.0.0:8086\"\n"));
    let said = player.run(&["desk", "--link"]).failure(3);
    assert!(said.contains("`0.0.0.0:8086` can be reached from other machines"), "{said}");
}

#[test]
fn the_report_is_the_pages_as_files_without_forms_and_private_notes() {
    let player = Player::with_sample();
    player.import(&second("OVER-1", |game| game["result"] = json!("0-1")));
    player.run(&["note", "SAMPLE-1", "for my eyes only"]).result();
    let folder = player.path("report");
    let path = folder.to_str().unwrap();
    player.run(&["play", "SAMPLE-1", "Nc6"]).result();
    let said = player.run(&["report", "-o", path]).result();
    assert_eq!(said, format!("{path}/index.html: 1 game, with the events and what comes.\n"));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).map(|text| text.replace("&#x2f;", "/"));
    for name in ["index.html", "ahead.html", "game/SAMPLE-1.html", "event/1.html"] {
        assert!(!read(name).unwrap().contains("mila.ostrander@") && !read(name).unwrap().contains("2836"), "{name}");
    }
    assert!(read("held.html").is_err());
    player.run(&["report", "-o", path, "--mails", "--force"]).result();
    for name in ["index.html", "held.html", "ahead.html", "game/SAMPLE-1.html", "event/1.html"] {
        let page = read(name).unwrap();
        proper(&page);
        for absent in ["<form", "src=\"/", "for my eyes only", "href=\"/", "name=\"token\""] {
            assert!(!page.contains(absent), "{absent} in {name}: {page}");
        }
    }
    assert!(read("index.html").unwrap().contains("href=\"game/SAMPLE-1.html\""));
    assert!(read("game/SAMPLE-1.html").unwrap().contains("href=\"../static/desk.css\""));
    assert!(read("static/desk.css").unwrap().contains("prefers-color-scheme"));
    assert!(read("game/OVER-1.html").is_err());
    assert!(player.run(&["report", "-o", path, "--mails"]).failure(1).contains("exists already"));
    // a page with mails does not stay in a report without them
    assert!(player.run(&["report", "-o", path, "--all", "--force"]).failure(1).contains("is of an earlier report"));
    player.run(&["report", "-o", path, "--all", "--mails", "--force"]).result();
    assert!(read("game/OVER-1.html").unwrap().contains("<strong>0-1</strong>"));
}

#[test]
fn a_report_of_one_game_shows_nothing_of_the_others() {
    let player = Player::with_sample();
    player.import(&second("OTHER-1", |game| game["event"] = json!("MONTH")));
    let folder = player.path("report");
    let path = folder.to_str().unwrap();
    let said = player.run(&["report", "-o", path, "month"]).result();
    assert_eq!(said, format!("{path}/index.html: 1 game.\n"));
    let mut names: Vec<String> = walk(&folder);
    names.sort();
    assert_eq!(
        names,
        [
            "event/1.html",
            "game/OTHER-1.html",
            "index.html",
            "static/desk.css",
            "static/game.js",
            "static/white-knight.svg"
        ]
    );
    for name in names.iter().filter(|name| name.ends_with(".html")) {
        let page = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(!page.contains("SAMPLE-1") && !page.contains("ahead.html"), "{name}: {page}");
    }
    let page = std::fs::read_to_string(folder.join("game/OTHER-1.html")).unwrap();
    assert!(page.contains("<a href=\"../event/1.html\">MONTH</a>"), "{page}");
    assert!(player.run(&["report", "-o", path, "nowhere", "--force"]).failure(4).contains("no game has \"nowhere\""));
}

/// The files below a folder, by their names within it.
fn walk(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let of = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => walk(&entry.path()).into_iter().map(|inner| format!("{name}/{inner}")).collect(),
            false => vec![name],
        }
    };
    entries.flat_map(of).collect()
}

#[test]
fn what_comes_is_a_calendar_too_and_an_event_a_crosstable() {
    let player = Player::with_sample();
    player.import(&second("OVER-1", |game| game["result"] = json!("0-1")));
    player.import(&second("OVER-2", |game| {
        game["result"] = json!("1/2-1/2");
        game["white"]["name"] = json!("Aalto, Ida");
    }));
    player.import(&second("MONTH-1", |game| {
        game["moves"] = json!([]);
        game["event"] = json!("MONTH");
        game["start_date"] = json!(chrono::Utc::now().date_naive());
    }));
    let desk = Desk::open(&player);
    let guest = desk.enter();
    let page = guest.page("/ahead");
    let day = between(&page, "<a href=\"#on-", "\"").to_owned();
    assert!(page.contains(&format!("<h3 class=\"day\" id=\"on-{day}\">")), "{page}");
    assert_eq!(page.matches("<td class=\"today\"").count(), 1, "{page}");
    assert!(!page.contains("more on this day"), "{page}");
    for number in 2..=22 {
        player.import(&second(&format!("MONTH-{number}"), |game| {
            game["moves"] = json!([]);
            game["event"] = json!("MONTH");
            game["start_date"] = json!(chrono::Utc::now().date_naive());
        }));
    }
    let page = guest.page("/ahead");
    let (link, more) = between(&page, "<p><a href=\"?day=", " more on this day").split_once("\">").unwrap();
    let date = &link[..10];
    let of_day = |page: &str| between(page, &format!("id=\"on-{date}\">"), "</ul>").matches("<li").count();
    let whole = guest.page(&format!("/ahead?day={date}"));
    assert_eq!((of_day(&page), of_day(&whole)), (20, 20 + more.parse::<usize>().unwrap()));
    assert_eq!(whole.matches("<h3 class=\"day\"").count(), 1);
    let event = between(&page, "<a href=\"/event?name=", "\"").to_owned();
    let table = guest.page(&format!("/event?name={event}"));
    for part in
        ["Quillfeather, Tobin (you)", "Aalto, Ida", "href=\"/game/OVER-2\"", "<td>1½</td><td>2 of ", "1 running"]
    {
        assert!(table.contains(part), "{part} in {table}");
    }
    assert_eq!(guest.get("/event?name=none").status, 404);
}

#[test]
fn the_pages_speak_the_players_language() {
    let player = Player::waiting();
    let written = std::fs::read_to_string(player.path("config.toml")).unwrap();
    let desk = Desk::open(&player);
    let guest = desk.enter();
    let mut games = Vec::new();
    for (_, code) in Language::ALL {
        player.configure(&written.replacen("[me]\n", &format!("[me]\nlanguage = \"{code}\"\n"), 1));
        for path in ["/", "/game/SAMPLE-1", "/held", "/ahead", "/event?name=EM%2FZZ%2F042"] {
            let page = guest.page(path);
            proper(&page);
            assert!(page.contains(&format!("<html lang=\"{code}\">")), "{page}");
            assert!(!page.contains(['{', '}']), "{page}");
        }
        games.push(between(&guest.page("/"), "<h1>", "</h1>").to_owned());
    }
    games.sort_unstable();
    games.dedup();
    assert_eq!(games.len(), Language::ALL.len() - 1, "only Spanish and Portuguese have one word for it: {games:?}");
}
