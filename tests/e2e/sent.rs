//! The player sends his move himself, with a mail program of his own: what it puts into the Sent folder is what the program records.

use crate::player::{Player, await_letters, game, header, mail};
use crate::support::wire::Wire;
use crate::support::{PLAYER, Servers, TOBIN, poll};

/// Saves a sent mail as a mail program does: by APPEND, marked as read.
fn append(servers: &Servers, folder: &str, raw: &[u8]) {
    let connection = Wire::connect(servers.socket(servers.imaps_port())).unwrap();
    let mut imap = connection.start_tls(&servers.host(), &servers.ca_file()).unwrap();
    imap.line().unwrap();
    imap.imap(&format!("LOGIN {PLAYER} {}", servers.password(PLAYER))).unwrap();
    let text = String::from_utf8(raw.to_vec()).unwrap();
    let answer = imap.imap(&format!("APPEND \"{folder}\" (\\Seen) {{{}+}}\r\n{text}", raw.len())).unwrap();
    assert!(answer.contains("OK"), "{answer}");
    imap.imap("LOGOUT").unwrap();
}

/// The text that the draft brought, as its first part has it.
fn text_of(draft: &[u8]) -> String {
    let text = String::from_utf8_lossy(draft).into_owned();
    let (_, part) = text.split_once("Content-Transfer-Encoding: 7bit\r\n\r\n").expect("a text part");
    part.split_once("\r\n--").expect("its end").0.to_owned()
}

/// The mail that the player's own program sends to the opponent and keeps.
fn own(id: &str, answers: &str, references: &str, body: &str) -> Vec<u8> {
    let date = chrono::Utc::now().to_rfc2822();
    format!(
        "From: Ann Quillfeather <{PLAYER}>\r\nTo: {TOBIN}\r\nSubject: Re: EM/ZZ/042\r\nDate: {date}\r\nMessage-ID: <{id}>\r\n\
         In-Reply-To: {answers}\r\nReferences: {references}\r\n\r\n{body}\r\n"
    )
    .into_bytes()
}

fn await_moves(player: &Player, moves: &[&str]) {
    poll(|| (player.moves("G-1") == moves).then_some(()))
        .unwrap_or_else(|| panic!("not {moves:?} but {:?}:\n{}", player.moves("G-1"), player.log()));
}

/// A daemon whose player has 1. 5254 before him.
fn with_a_move_to_answer(servers: &Servers) -> Player {
    servers.create_folder(PLAYER, "Sent");
    let player = Player::of(servers);
    player.import(&[game("G-1", TOBIN, "black", &[])]);
    servers.send_as(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", "Dear Ann,\n\n1. 5254\n\nTobin"));
    player
}

#[test]
fn what_the_players_mail_program_saved_as_sent_is_on_record_and_the_answer_acknowledges_it() {
    let servers = Servers::start();
    let player = with_a_move_to_answer(&servers);
    let daemon = player.run();
    await_letters(&servers, &player, 1);
    player.ok(&["play", "G-1", "e5"]);
    let draft = await_letters(&servers, &player, 2).remove(1);
    let raw = own("desk-1@example.org", "<t1@example.com>", &header(&draft, "References"), &text_of(&draft));
    append(&servers, "Sent", &raw);
    let before = servers.snapshot(PLAYER);
    await_moves(&player, &["5254", "5755"]);
    let show = player.json(&["show", "G-1", "--json"]);
    assert!(show["plan"].is_null(), "{show:#}");
    assert_eq!((&show["moves"][1]["state"], &show["sending"]), (&"sent".into(), &serde_json::json!(["sent"])));
    // the folder was only read
    assert_eq!(servers.snapshot(PLAYER).folders["Sent"], before.folders["Sent"]);
    servers.send_as(TOBIN, PLAYER, &mail(TOBIN, "t2", "Re: G-1", "1. 5254 5755\n2. 7163\n\nTobin"));
    await_moves(&player, &["5254", "5755", "7163"]);
    assert_eq!(player.json(&["show", "G-1", "--json"])["moves"][1]["state"], "acknowledged");
    assert!(player.ok(&["verify", "--all"]).contains("0 differences"));
    assert!(player.ok(&["verify", "--rebuild"]).contains("differences"), "it compares");
    assert!(daemon.terminate().success());
}

#[test]
fn a_phone_with_an_id_of_its_own_sends_four_digits_and_another_move_than_planned() {
    let servers = Servers::start();
    let player = with_a_move_to_answer(&servers);
    let daemon = player.run();
    await_letters(&servers, &player, 1);
    player.ok(&["play", "G-1", "e5"]);
    await_letters(&servers, &player, 2);
    append(&servers, "Sent", &own("1.phone@mobile.example", "<t1@example.com>", "<t1@example.com>", "3735"));
    await_moves(&player, &["5254", "3735"]);
    let told = await_letters(&servers, &player, 3).remove(2);
    let subject = header(&told, "Subject");
    assert!(subject.contains("you sent 1... 3735") && subject.contains("planned 5755"), "{subject}");
    player.await_status("the flag of another move", |status| {
        status["games"][0]["flags"].as_array().unwrap().contains(&"sent-differs".into())
    });
    assert!(daemon.terminate().success());
}

#[test]
fn a_command_of_which_the_server_keeps_the_sent_copy_alone_is_done() {
    let servers = Servers::start();
    let player = with_a_move_to_answer(&servers);
    let daemon = player.run();
    let notice = await_letters(&servers, &player, 1).remove(0);
    let id = header(&notice, "Message-ID");
    let command = String::from_utf8(own("2.phone@mobile.example", &id, &id, "e5")).unwrap();
    append(&servers, "Sent", command.replace(&format!("To: {TOBIN}"), &format!("To: {PLAYER}")).as_bytes());
    let draft = await_letters(&servers, &player, 2).remove(1);
    assert!(header(&draft, "Subject").contains("1... 5755 (e5)"), "{}", header(&draft, "Subject"));
    assert_eq!(player.json(&["show", "G-1", "--json"])["plan"]["numeric"], "5755");
    assert!(daemon.terminate().success());
}
