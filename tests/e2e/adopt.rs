//! Running games looked for in a mailbox on a real server: its folders are read in blocks and stay as they are.

use crate::player::Player;
use crate::support::proxy::{Direction, Fault, Proxy};
use crate::support::{HARRIET, PLAYER, Servers, TOBIN};
use std::collections::BTreeMap;

/// Harriet has White.
const HERS: [&str; 5] = ["5254", "5755", "7163", "2836", "6125"];
/// Tobin has Black.
const HIS: [&str; 4] = ["4244", "4745", "3234", "5756"];

/// Writes about something else.
const SHOP: &str = "shop@example.net";

/// A mail that was written so many days ago.
fn mail(id: &str, (from, to): (&str, &str), days: u64, text: &str) -> Vec<u8> {
    let subject = if from == SHOP { "Your parcel" } else { "EM/ZZ/042" };
    let date = (chrono::Utc::now() - chrono::Days::new(days)).to_rfc2822();
    format!(
        "From: <{from}>\r\nTo: <{to}>\r\nSubject: {subject}\r\nDate: {date}\r\nMessage-ID: <{id}@example.com>\r\n\r\n{}\r\n",
        text.replace('\n', "\r\n")
    )
    .into_bytes()
}

fn score(white: &str, black: &str, plies: &[&str]) -> String {
    let pairs = plies.chunks(2).zip(1..).map(|(pair, number)| format!("{number}. {}\n", pair.join(" ")));
    format!("Event: EM/ZZ/042\nWhite: {white} <{white}>\nBlack: {black} <{black}>\n\n{}", pairs.collect::<String>())
}

/// A game with each of two opponents, in three folders, among other mails.
fn fill(servers: &Servers) {
    for folder in ["Sent", "Chess/\u{c4}rger"] {
        servers.create_folder(PLAYER, folder);
    }
    let hers = |plies: usize| score(HARRIET, PLAYER, &HERS[..plies]);
    servers.save(PLAYER, "INBOX", &mail("h1", (HARRIET, PLAYER), 20, &hers(3)));
    servers.save(PLAYER, "Sent", &mail("a1", (PLAYER, HARRIET), 15, &hers(4)));
    servers.save(PLAYER, "INBOX", &mail("h2", (HARRIET, PLAYER), 10, "3. 6125\n"));
    servers.save(PLAYER, "Chess/\u{c4}rger", &mail("t1", (TOBIN, PLAYER), 9, &score(PLAYER, TOBIN, &HIS)));
    for number in 0..6 {
        let text = "Your parcel 2143 comes between 10 and 12. Yours, the shop";
        servers.save(PLAYER, "INBOX", &mail(&format!("s{number}"), (SHOP, PLAYER), number, text));
    }
}

fn expected() -> BTreeMap<String, Vec<String>> {
    let moves = |plies: &[&str]| plies.iter().map(|ply| (*ply).to_owned()).collect();
    [("EM-ZZ-042-HAR".to_owned(), moves(&HERS)), ("EM-ZZ-042-TOB".to_owned(), moves(&HIS))].into()
}

const SEARCH: [&str; 5] = ["adopt", "--mailbox", "--folder", "Chess/\u{c4}rger", "--yes"];

#[test]
fn the_games_of_a_mailbox_are_found_in_all_its_folders_and_nothing_in_it_changes() {
    let servers = Servers::start();
    fill(&servers);
    let player = Player::of(&servers);
    let before = servers.snapshot(PLAYER);
    let said = player.ok(&SEARCH);
    assert!(said.contains("2 new games in 10 mails (Sent 1, INBOX 8, Chess/\u{c4}rger 1)"), "{said}");
    assert_eq!(servers.snapshot(PLAYER), before);
    assert_eq!(player.all_moves(), expected());
    // the service reads the same mails, and has nothing to ask
    player.ok(&["poll"]);
    assert_eq!(player.json(&["review", "--json"])["held"], serde_json::json!([]));
    assert_eq!(player.all_moves(), expected());
    assert!(player.ok(&SEARCH).contains("2 games of the mailbox you have already"));
}

#[test]
fn a_connection_that_is_lost_on_the_way_is_made_anew() {
    let servers = Servers::start();
    fill(&servers);
    let proxy = Proxy::to(servers.socket(servers.imaps_port()));
    let player = Player::with(&servers, |settings| settings.imap_port = proxy.address().port());
    player.ok(&["adopt", "--mailbox", "--folder", "Chess/\u{c4}rger", "--json"]);
    let whole = proxy.passed(Direction::ToClient);
    // each connection ends there: the second has less to bring, since folders are not listed again
    proxy.set(Fault::CutAfter(Direction::ToClient, whole * 9 / 10));
    player.ok(&SEARCH);
    assert_eq!((proxy.connections(), player.all_moves()), (2, expected()));
}
