//! The desk in a real browser: from the opponent's mail to the draft in the player's mailbox, by mouse and without scripts.

use crate::player::{Player, await_letters, game, header, mail};
use crate::support::browser::{Browser, Look};
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
    let place = browser
        .ask("const r = document.querySelector('cg-board').getBoundingClientRect(); return [r.left, r.top, r.width]");
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
            for (page, name) in [("/", "games"), ("/game/G-2?ply=1", "game"), ("/held", "held"), ("/ahead", "ahead")] {
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
