//! The desk in a real browser: from the opponent's mail to the draft in the player's mailbox, by mouse and without scripts.

use crate::player::{Player, await_letters, game, header, mail};
use crate::support::browser::{Browser, ENTER, Look};
use crate::support::{PLAYER, Servers, TOBIN, poll};

const WIDE: Look = Look { width: 1280, dark: false, scripts: true };

/// A player whose service serves a desk.
fn at_his_desk(servers: &Servers) -> Player {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    Player::with(servers, |settings| settings.more = format!("[desk]\nlisten = \"{free}\"\n"))
}

/// Opens the desk with a new link; gives its address.
fn enter(player: &Player, browser: &Browser) -> String {
    let said = poll(|| Some(player.amici(&["desk", "--link"])).filter(|ended| ended.code == 0)).unwrap().out;
    let link = said.lines().find(|line| line.starts_with("http://")).unwrap();
    browser.go(link);
    link.split_once("/enter").unwrap().0.to_owned()
}

/// The middle of a square of the board, in the window, seen from Black's side.
fn square(browser: &Browser, name: &str) -> (i64, i64) {
    let place = browser.ask(
        "const board = document.querySelector('cg-board'); board.scrollIntoView({block: 'center'}); \
         const r = board.getBoundingClientRect(); return [r.left, r.top, r.width]",
    );
    let at = |index: usize| place[index].as_f64().unwrap();
    let (file, rank) = (f64::from(name.as_bytes()[0] - b'a'), f64::from(name.as_bytes()[1] - b'1'));
    let step = at(2) / 8.0;
    ((at(0) + (7.5 - file) * step) as i64, (at(1) + (rank + 0.5) * step) as i64)
}

#[test]
fn a_move_goes_from_the_opponents_mail_to_a_draft_by_mouse() {
    let servers = Servers::start();
    let player = at_his_desk(&servers);
    player.import(&[game("G-1", TOBIN, "black", &[])]);
    let daemon = player.run();
    let browser = Browser::open(WIDE);
    let desk = enter(&player, &browser);
    browser.shows("Opponent to move");

    servers.send_as(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", "1. 5254\n\nTobin"));
    // an open page shows the move by itself
    browser.shows("Your move");
    browser.click(".card h2 a");
    poll(|| (!browser.ask("return document.querySelector('cg-board')").is_null()).then_some(())).unwrap();
    // the page may be renewed under the mouse: then it is drawn once more
    poll(|| {
        browser.drag(square(&browser, "e7"), square(&browser, "e5"));
        (browser.ask("return document.getElementById('pick').value") == "5755").then_some(())
    })
    .expect("the move on the board is chosen in the list");
    assert!(player.json(&["show", "G-1", "--json"])["plan"].is_null(), "a move on the board is no choice yet");
    browser.click("#play button.main");
    browser.shows("Drafted, not seen to be sent: 1... 5755");
    let draft = await_letters(&servers, &player, 2).remove(1);
    assert!(header(&draft, "Subject").contains("ready to send"), "{}", header(&draft, "Subject"));

    browser.press("\u{e011}");
    browser.shows("at the start");
    browser.press("\u{e014}");
    browser.shows("1. 5254, pawn e2-e4");
    browser.wheel(square(&browser, "d4"), -120);
    browser.shows("at the start");
    assert_eq!(servers.mails(TOBIN, "INBOX").len(), 0, "nothing goes to the opponent");
    for page in ["/", "/game/G-1?ply=1", "/held", "/ahead"] {
        browser.go(&format!("{desk}{page}"));
    }
    assert_eq!(browser.complaints(), [""; 0], "the policy of the pages refuses nothing of their own");
    assert!(daemon.terminate().success());
    player.ok(&["verify", "--rebuild"]);
}

#[test]
fn a_held_mail_is_taken_and_answered_without_scripts() {
    let servers = Servers::start();
    let player = at_his_desk(&servers);
    player.import(&[game("G-1", TOBIN, "black", &[])]);
    let daemon = player.run();
    servers.send_as(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", "1. 5254\n1. 4244\n\n<b>Tobin</b>"));
    await_letters(&servers, &player, 1);
    let browser = Browser::open(Look { scripts: false, ..WIDE });
    let desk = enter(&player, &browser);
    browser.click("header a[href$=held]");
    browser.shows("<b>Tobin</b>");
    browser.shows("It is 4244: take it");
    browser.click(".reading:nth-of-type(2) button.main");
    browser.shows("recorded on your word");
    assert_eq!(player.moves("G-1").len(), 1);
    browser.go(&format!("{desk}/game/G-1"));
    assert!(browser.ask("return document.querySelector('cg-board')").is_null(), "no script has run");
    browser.write("#move", "no move");
    browser.click("#play button.main");
    browser.shows("Nothing was done");
    browser.click("main a.button");
    browser.shows("from the list");
    browser.write("#move", "d5");
    browser.click("#play button.main");
    browser.shows("Drafted, not seen to be sent: 1... 4745");
    assert!(daemon.terminate().success());
    assert_eq!(servers.mails(TOBIN, "INBOX").len(), 0, "nothing goes to the opponent");
    player.ok(&["verify", "--rebuild"]);
}

#[test]
fn no_page_is_wider_than_its_screen_in_light_and_in_dark() {
    let servers = Servers::start();
    let player = at_his_desk(&servers);
    player.import(&[game("G-1", TOBIN, "black", &[]), game("G-2", TOBIN, "black", &["5254"])]);
    player.ok(&[
        "play",
        "G-2",
        "e5",
        "-m",
        "A word that is quite long: Donaudampfschifffahrtsgesellschaftskapitaenswitwe",
    ]);
    let daemon = player.run();
    servers.send_as(
        TOBIN,
        PLAYER,
        &mail(TOBIN, "t1", "G-1", "1. 5254\n1. 4244 received 12.10. sent 13.10. 1/1\nHello\n"),
    );
    poll(|| player.json(&["review", "--json"])["held"].as_array().filter(|held| !held.is_empty()).map(|_| ())).unwrap();
    for width in [360, 768, 1280] {
        for dark in [false, true] {
            let browser = Browser::open(Look { width, dark, ..WIDE });
            let desk = enter(&player, &browser);
            for (page, name) in [
                ("/", "games"),
                ("/game/G-2?ply=1", "game"),
                ("/held", "held"),
                ("/held?mail=2&ask=de", "ask"),
                ("/ahead", "ahead"),
                ("/event?name=EM%2FZZ%2F042", "event"),
            ] {
                browser.go(&format!("{desk}{page}"));
                let wide = browser.ask("return document.documentElement.scrollWidth").as_u64().unwrap();
                assert!(wide <= u64::from(width), "{page} is {wide} wide on {width}");
                let paper = browser.ask("return getComputedStyle(document.body).backgroundColor");
                assert_eq!(paper == "rgb(22, 24, 28)", dark, "{paper}");
                if let Some(folder) = std::env::var_os("AMICI_PICTURES") {
                    let tall = browser.ask("return document.documentElement.scrollHeight").as_u64().unwrap();
                    browser.resize(width, u32::try_from(tall.min(3000)).unwrap());
                    let shade = if dark { "dark" } else { "light" };
                    let file = std::path::Path::new(&folder).join(format!("{name}-{width}-{shade}.png"));
                    std::fs::write(file, browser.picture()).unwrap();
                    browser.resize(width, 900);
                }
            }
        }
    }
    assert!(daemon.terminate().success());
}

/// The game that the opponent's mail has brought to the player's move, in a browser that shows the list of games.
fn with_a_move(servers: &Servers, player: &Player, look: Look) -> (crate::player::Daemon, Browser) {
    player.import(&[game("G-1", TOBIN, "black", &[])]);
    let daemon = player.run();
    let browser = Browser::open(look);
    enter(player, &browser);
    browser.shows("Opponent to move");
    servers.send_as(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", "1. 5254\n\nTobin"));
    browser.shows("Your move");
    (daemon, browser)
}

/// Waits until the script has made its board.
fn has_board(browser: &Browser) {
    poll(|| (!browser.ask("return document.querySelector('cg-board')").is_null()).then_some(())).unwrap();
}

#[test]
fn a_move_goes_from_the_mail_to_a_draft_by_keys_alone() {
    let servers = Servers::start();
    let player = at_his_desk(&servers);
    let (daemon, browser) = with_a_move(&servers, &player, WIDE);
    browser.tab_to(".card h2 a");
    browser.press(ENTER);
    has_board(&browser);
    browser.tab_to("#pick");
    browser.types("e5");
    poll(|| (browser.ask("return document.getElementById('pick').value") == "5755").then_some(())).unwrap();
    browser.shows("pawn e7-e5");
    browser.tab_to("#play button.main");
    assert_eq!(browser.ask("return document.activeElement.textContent"), "Make the draft: e5, 5755");
    browser.press(ENTER);
    browser.shows("Drafted, not seen to be sent: 1... 5755");
    await_letters(&servers, &player, 2);
    assert!(daemon.terminate().success());
}

#[test]
fn a_move_is_made_by_touch_on_a_telephone() {
    let servers = Servers::start();
    let player = at_his_desk(&servers);
    let (daemon, browser) = with_a_move(&servers, &player, Look { width: 400, ..WIDE });
    browser.click(".card h2 a");
    has_board(&browser);
    poll(|| {
        browser.tap(square(&browser, "e7"));
        browser.tap(square(&browser, "e5"));
        (browser.ask("return document.getElementById('pick').value") == "5755").then_some(())
    })
    .expect("the move on the board is chosen in the list");
    browser.tap(middle(&browser, "#play button.main"));
    browser.shows("Drafted, not seen to be sent: 1... 5755");
    assert!(daemon.terminate().success());
}

/// The middle of an element, brought into the window.
fn middle(browser: &Browser, css: &str) -> (i64, i64) {
    let place = browser.ask(&format!(
        "const e = document.querySelector('{css}'); e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect(); \
         return [Math.round(r.left + r.width / 2), Math.round(r.top + r.height / 2)]"
    ));
    (place[0].as_i64().unwrap(), place[1].as_i64().unwrap())
}

#[test]
fn a_draft_is_played_out_on_the_board_with_its_lines_and_a_report_is_replayed_from_its_files() {
    let servers = Servers::start();
    let player = at_his_desk(&servers);
    player.import(&[game("G-1", TOBIN, "black", &["5254"])]);
    player.ok(&["play", "G-1", "e5", "--if", "2. Nf3 Nc6"]);
    let daemon = player.run();
    let browser = Browser::open(WIDE);
    let desk = enter(&player, &browser);
    browser.go(&format!("{desk}/game/G-1"));
    has_board(&browser);
    let said = || browser.ask("return document.getElementById('when').textContent").as_str().unwrap().to_owned();
    browser.click(".lines a[data-ply='3']");
    assert_eq!(said(), "not played: 2. 7163, knight g1-f3");
    browser.click(".walk [data-to='on']");
    assert_eq!(said(), "not played: 2... 2836, knight b8-c6");
    browser.click(".walk [data-to='last']");
    assert_eq!(said(), "1. 5254, pawn e2-e4");
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());

    let folder = tempfile::tempdir().unwrap();
    player.ok(&["report", "-o", folder.path().join("report").to_str().unwrap()]);
    browser.go(&format!("file://{}/report/game/G-1.html", folder.path().display()));
    assert!(browser.ask("return document.querySelector('.lines')").is_null());
    let pawn = || {
        browser.ask("return [...document.querySelectorAll('#board use')].filter(e => e.getAttribute('href') == '#white-pawn').map(e => e.getAttribute('y')).sort().join()")
    };
    let after = pawn();
    browser.click(".walk [data-to='back']");
    assert_eq!(said(), "at the start");
    assert_ne!(pawn(), after);
    assert_eq!(pawn(), "45,45,45,45,45,45,45,45");
    browser.click(".score a[data-ply='1']");
    assert_eq!(said(), "1. 5254, pawn e2-e4");
    assert_eq!(pawn(), after);
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
    assert!(daemon.terminate().success());
}

#[test]
fn of_two_windows_that_act_on_one_game_the_second_is_told_and_does_nothing() {
    let servers = Servers::start();
    let player = at_his_desk(&servers);
    let (daemon, one) = with_a_move(&servers, &player, WIDE);
    let other = Browser::open(WIDE);
    let desk = enter(&player, &other);
    other.go(&format!("{desk}/game/G-1"));
    has_board(&other);
    other.write("#move", "d5");
    one.go(&format!("{desk}/game/G-1"));
    one.write("#move", "e5");
    one.click("#play button.main");
    one.shows("Drafted, not seen to be sent: 1... 5755");
    other.shows("The record has changed.");
    other.click("#play button.main");
    other.shows("the game has changed since this page was made");
    other.click("main a.button");
    other.shows("Drafted, not seen to be sent: 1... 5755");
    assert_eq!(player.json(&["show", "G-1", "--json"])["plan"]["numeric"], "5755");
    assert_eq!(await_letters(&servers, &player, 2).len(), 2, "the notice and one draft");
    assert!(daemon.terminate().success());
    player.ok(&["verify", "--rebuild"]);
}

#[test]
fn a_page_whose_desk_ends_and_is_started_anew_says_so() {
    let servers = Servers::start();
    let player = at_his_desk(&servers);
    let (daemon, browser) = with_a_move(&servers, &player, WIDE);
    assert!(daemon.terminate().success());
    browser.shows("The desk does not answer. This page waits for it.");
    let daemon = player.run();
    browser.shows("This session is over: the desk was started anew");
    browser.shows("Your move");
    enter(&player, &browser);
    browser.shows("Your move");
    assert!(daemon.terminate().success());
}

#[test]
fn a_game_prints_on_two_pages_at_most() {
    let servers = Servers::start();
    let player = at_his_desk(&servers);
    // forty moves of both, by chance
    let moves = "2223 8786 3233 7866 4132 7775 3254 5756 1214 8887 5253 5857 5476 2836 1415 3628 7686 8786 7152 6645 \
                 5354 4858 7273 2816 3113 4746 6263 5836 6364 6765 5141 5758 5231 5848 3112 8687 6125 1635 1322 3543 \
                 2514 4364 4132 6483 2324 8757 3243 3647 2231 1828 5465 3736 1423 8364 4354 6483 2332 4524 4243 8362 \
                 5463 1716 8151 2412 3334 6274 3113 5777 6556 7778 2142 1233 5155 6886 8283 7455 6362 3321 6251 4645";
    let moves: Vec<&str> = moves.split_whitespace().collect();
    player.import(&[game("G-1", TOBIN, "white", &moves)]);
    let daemon = player.run();
    let browser = Browser::open(WIDE);
    let desk = enter(&player, &browser);
    browser.go(&format!("{desk}/game/G-1"));
    has_board(&browser);
    let file = browser.print();
    let pages = String::from_utf8_lossy(&file).matches("/Type /Page\n").count();
    assert!((1..=2).contains(&pages), "{pages} pages");
    if let Some(folder) = std::env::var_os("AMICI_PICTURES") {
        std::fs::write(std::path::Path::new(&folder).join("print.pdf"), file).unwrap();
    }
    assert!(daemon.terminate().success());
}

#[test]
#[allow(clippy::print_stderr, reason = "a test that did nothing says so")]
fn a_checker_of_accessible_pages_finds_nothing() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/axe/axe_playwright_python/axe.min.js");
    let Ok(axe) = std::fs::read_to_string(file) else {
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "axe-core is missing: run tests/run.sh");
        eprintln!("skipped: axe-core is not installed");
        return;
    };
    let servers = Servers::start();
    let player = at_his_desk(&servers);
    player.import(&[
        game("G-1", TOBIN, "black", &[]),
        game("G-2", TOBIN, "black", &["5254"]),
        game("G-3", TOBIN, "black", &["5254"]),
    ]);
    player.ok(&["play", "G-2", "e5", "-m", "Good luck!"]);
    let daemon = player.run();
    servers.send_as(
        TOBIN,
        PLAYER,
        &mail(TOBIN, "t1", "G-1", "1. 5254\n1. 4244 received 12.10. sent 13.10. 1/1\nHello\n"),
    );
    poll(|| player.json(&["review", "--json"])["held"].as_array().filter(|held| !held.is_empty()).map(|_| ())).unwrap();
    let script = format!(
        "{axe}; const done = arguments[arguments.length - 1]; axe.run(document, {{resultTypes: ['violations']}}).then( \
         found => done(found.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html).join(' | '))), e => done([String(e)]))"
    );
    let mut found = Vec::new();
    for (width, dark) in [(1280, false), (1280, true), (400, false)] {
        let browser = Browser::open(Look { width, dark, ..WIDE });
        let desk = enter(&player, &browser);
        let pages = [
            "/",
            "/game/G-2",
            "/game/G-2?ply=1",
            "/game/G-3",
            "/held",
            "/held?mail=1&ask=de",
            "/ahead",
            "/mail/1?game=G-1",
            "/letter/1",
            "/event?name=EM%2FZZ%2F042",
            "/nothing",
        ];
        for page in pages {
            browser.go(&format!("{desk}{page}"));
            browser.ask("document.querySelectorAll('details').forEach(d => d.open = true)");
            let faults = browser.wait_for(&script);
            let faults = faults.as_array().unwrap().iter().filter_map(serde_json::Value::as_str);
            found.extend(faults.map(|fault| format!("{page} ({width}, dark {dark}): {fault}")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(daemon.terminate().success());
}
