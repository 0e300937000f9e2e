//! The player away from his desk: four digits in reply to the notice, the draft back, the reply sent, and the answer to it.

use crate::player::{Player, await_letters, game, header, letters, mail};
use crate::support::{PLAYER, Servers, TOBIN, poll};
use amici::mail::message::parse;

/// A mail as a phone writes it: the words on top, the answered mail quoted below.
fn reply(to: &[u8], id: &str, words: &str) -> Vec<u8> {
    let (answered, date) = (header(to, "Message-ID"), chrono::Utc::now().to_rfc2822());
    let quoted: String = parse(to).unwrap().plain.unwrap().lines().map(|line| format!("> {line}\r\n")).collect();
    format!(
        "From: Ann <{PLAYER}>\r\nTo: Ann <{PLAYER}>\r\nSubject: Re: {}\r\nDate: {date}\r\nMessage-ID: <{id}@phone.example.org>\r\n\
         In-Reply-To: {answered}\r\nReferences: {} {answered}\r\n\r\n{words}\r\n\r\nSent from my phone\r\n\r\n\
         On {date}, Ann <{PLAYER}> wrote:\r\n{quoted}",
        header(to, "Subject"),
        header(to, "References"),
    )
    .into_bytes()
}

#[test]
fn four_digits_from_a_phone_become_the_move_that_the_opponent_answers() {
    let servers = Servers::start();
    let player = Player::of(&servers);
    player.import(&[game("G-1", TOBIN, "black", &[])]);
    let daemon = player.run();
    servers.send_as(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", "1. 5254\n\nTobin"));
    let notice = await_letters(&servers, &player, 1).remove(0);

    servers.send_as(PLAYER, PLAYER, &reply(&notice, "p1", "5775"));
    let refused = await_letters(&servers, &player, 2).remove(1);
    assert!(header(&refused, "Subject").ends_with("your command was not done"), "{}", header(&refused, "Subject"));
    let said = parse(&refused).unwrap().plain.unwrap();
    assert!(said.contains("5775 is not legal for Black") && said.contains("5755 (e7-e5)"), "{said}");
    assert!(player.json(&["show", "G-1", "--json"])["plan"].is_null());

    servers.send_as(PLAYER, PLAYER, &reply(&notice, "p2", "5755"));
    let draft = await_letters(&servers, &player, 3).remove(2);
    assert!(header(&draft, "Subject").contains("ready to send"), "{}", header(&draft, "Subject"));
    assert!(header(&draft, "To").ends_with(&format!("<{PLAYER}>")));
    let plan = player.json(&["show", "G-1", "--json"])["plan"].clone();
    assert_eq!(plan["numeric"], "5755");
    assert_eq!(player.moves("G-1"), ["5254"], "a draft is no record");

    // he presses Send
    let id = plan["message_id"].as_str().unwrap();
    let body = parse(&draft).unwrap().plain.unwrap().replace('\n', "\r\n");
    let sent = format!("From: {PLAYER}\r\nTo: {TOBIN}\r\nSubject: Re: G-1\r\nMessage-ID: {id}\r\n\r\n{body}");
    servers.send_as(PLAYER, TOBIN, sent.as_bytes());
    servers.await_mails(TOBIN, "INBOX", 1);

    servers.send_as(TOBIN, PLAYER, &mail(TOBIN, "t2", "Re: G-1", "1. 5254 5755\n2. 7163\n\nTobin"));
    poll(|| (player.moves("G-1").len() == 3).then_some(())).expect("his answer acknowledges the move");
    assert_eq!(player.moves("G-1"), ["5254", "5755", "7163"]);
    await_letters(&servers, &player, 4);
    assert!(daemon.terminate().success());
    assert_eq!(letters(&servers).len(), 4, "each command was answered once");
    assert_eq!(servers.mails(TOBIN, "INBOX").len(), 1, "nothing but what he sent himself went to the opponent");
    player.ok(&["verify", "--rebuild"]);
}
