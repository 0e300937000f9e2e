//! Finished drafts in the folder for drafts of a real Dovecot: once, current, the player's own left alone, whatever is killed.

use crate::player::{Player, await_letters, game, header, headers, mail};
use crate::support::{PLAYER, Servers, TOBIN, poll};
use chrono::{Timelike, Utc};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::{Duration, Instant};

const SWITCHED_ON: &str = "[drafts]\nappend = true\n[notify]\ndigest = \"off\"\n";
const OTHER: &[u8] =
    b"From: player@example.org\r\nMessage-ID: <aunt@example.org>\r\nSubject: birthday\r\n\r\nDear aunt\r\n";

/// A zone where it is not near midnight: the farthest west, or the farthest east, where it is a later day.
fn zone(east: bool) -> String {
    // the names count westwards: Etc/GMT+12 is twelve hours behind
    let offsets: [i64; 2] = if east { [14, 13] } else { [-12, -11] };
    let hour = |offset: i64| (i64::from(Utc::now().hour()) + offset).rem_euclid(24);
    let offset = offsets.into_iter().find(|offset| hour(*offset) != 23).unwrap();
    format!("Etc/GMT{:+}", -offset)
}

/// A player in the far west who has his drafts put into the folder.
fn player(servers: &Servers) -> Player {
    Player::with(servers, |s| {
        s.more = SWITCHED_ON.to_owned();
        s.zone = zone(false);
    })
}

/// The drafts of the program in the player's folder, by Message-ID, with flags; the other one there must be as it was.
fn drafts(servers: &Servers) -> Vec<Vec<u8>> {
    let mut mails = servers.mails(PLAYER, "Drafts");
    assert_eq!(mails.iter().filter(|mail| *mail == OTHER).count(), 1);
    mails.retain(|mail| mail != OTHER);
    mails
}

/// All but what the program may change: its own drafts, and `\Recent` and the counters of their folder.
fn all_else(servers: &Servers) -> Vec<String> {
    let snapshot = servers.snapshot(PLAYER);
    let mut state = Vec::new();
    for ((folder, uid), mail) in &snapshot.mails {
        let flags =
            if folder == "Drafts" { mail.flags.replace("\\Recent", "").trim().to_owned() } else { mail.flags.clone() };
        if folder != "Drafts" || *uid == 1 {
            state.push(format!("{folder} {uid} {flags} {} {:?}", mail.size, mail.hash));
        }
    }
    state.extend(snapshot.folders.iter().filter(|(name, _)| *name != "Drafts").map(|folder| format!("{folder:?}")));
    state
}

/// Waits until `amici status --json` shows this of the newest draft.
fn await_draft(player: &Player, what: &str, seen: impl Fn(&Value) -> bool) -> Value {
    let mut last = Value::Null;
    poll(|| {
        last = player.json(&["status", "--json"]);
        let newest = last["drafts"].as_array().unwrap().last().cloned()?;
        seen(&newest).then_some(newest)
    })
    .unwrap_or_else(|| panic!("no draft is {what}: {last:#}\n{}", player.log()))
}

fn is_placed(draft: &Value) -> bool {
    draft["state"] == "placed" && draft["current"] == true
}

#[test]
fn a_draft_lies_there_once_states_each_new_day_and_goes_with_its_plan_and_all_else_stays_as_it_was() {
    let servers = Servers::start();
    servers.save(PLAYER, "Drafts", OTHER);
    servers.save(PLAYER, "Sent", OTHER);
    let mut player = player(&servers);
    assert!(player.ok(&["check"]).contains("drafts       Drafts, 1 mail; stale ones are taken out"));
    player.import(&[game("G-1", TOBIN, "black", &[])]);
    servers.lmtp(TOBIN, PLAYER, &mail(TOBIN, "t1", "G-1", "1. 5254"));
    let daemon = player.run();
    await_letters(&servers, &player, 1);
    player.ok(&["play", "G-1", "e5"]);
    let first = await_draft(&player, "placed", is_placed);
    await_letters(&servers, &player, 2);
    let before = all_else(&servers);
    let lying = drafts(&servers);
    assert_eq!(lying.len(), 1);
    assert_eq!(header(&lying[0], "Message-ID"), first["message_id"].as_str().unwrap());
    assert!(header(&lying[0], "To").contains(TOBIN) && headers(&lying[0], "X-Unsent").is_empty());
    assert!(header(&lying[0], "References").ends_with("<t1@example.com>"));
    let snapshot = servers.snapshot(PLAYER);
    let flags = snapshot.mails.iter().filter(|((folder, uid), _)| folder == "Drafts" && *uid > 1);
    let flags: Vec<&str> = flags.map(|(_, mail)| mail.flags.as_str()).collect();
    assert!(flags[0].contains("\\Draft"), "{flags:?}");

    // the day changes
    assert!(daemon.terminate().success());
    player.change(|s| s.zone = zone(true));
    let daemon = player.run();
    let second = await_draft(&player, "of the new day", |draft| draft["revision"] == 2 && is_placed(draft));
    assert!(second["for_day"].as_str() > first["for_day"].as_str(), "{first} {second}");
    let newer = poll(|| Some(drafts(&servers)).filter(|drafts| drafts.len() == 1)).expect("the old one goes");
    assert_eq!(header(&newer[0], "Message-ID"), second["message_id"].as_str().unwrap());
    assert_ne!(newer, lying);
    assert_eq!(all_else(&servers), before);

    // the plan is dropped
    assert!(player.ok(&["undo", "G-1"]).contains("taken out with the next look"));
    assert!(poll(|| drafts(&servers).is_empty().then_some(())).is_some(), "{}", player.log());
    let none = poll(|| (player.json(&["status", "--json"])["drafts"] == json!([])).then_some(()));
    assert!(none.is_some(), "{}", player.log());
    assert_eq!(all_else(&servers), before);
    assert!(daemon.terminate().success());
}

#[test]
fn a_draft_that_the_player_edits_in_his_mail_program_is_his() {
    let servers = Servers::start();
    servers.save(PLAYER, "Drafts", OTHER);
    let mut player = player(&servers);
    player.import(&[game("G-1", TOBIN, "white", &[])]);
    player.ok(&["play", "G-1", "e4"]);
    player.ok(&["poll"]);
    await_draft(&player, "placed", is_placed);
    let mut edited = drafts(&servers).remove(0);
    edited.extend_from_slice(b"Greetings from the lake!\r\n");
    servers.save(PLAYER, "Drafts", &edited);
    servers.expunge(PLAYER, "Drafts", 2);
    player.change(|s| s.zone = zone(true));
    player.ok(&["poll"]);
    await_draft(&player, "touched", |draft| draft["state"] == "touched");
    player.ok(&["undo", "G-1"]);
    player.ok(&["poll"]);
    assert_eq!(drafts(&servers), [edited]);
}

/// How many kills; `AMICI_KILLS` makes the campaign longer.
fn kills() -> u64 {
    std::env::var("AMICI_KILLS").map_or(20, |text| text.parse().expect("AMICI_KILLS is a number"))
}

/// Games of the campaign: few, since it is the drafts that count.
const GAMES: u64 = 12;

/// Before each kill two moves are chosen, mostly in the place of others, and perhaps one is taken back; in the end each plan has one
/// draft, that of its newest choice, and no other lies there.
#[test]
fn no_draft_is_lost_or_doubled_by_kills_around_append_and_expunge() {
    let kills = kills();
    let servers = Servers::start();
    servers.save(PLAYER, "Drafts", OTHER);
    let player = player(&servers);
    let id = |n: u64| format!("GAME-{n:02}");
    let games: Vec<_> = (0..GAMES).map(|n| game(&id(n), TOBIN, "white", &[])).collect();
    player.import(&games);
    let start = Instant::now();
    player.ok(&["poll"]);
    let pass = u64::try_from(start.elapsed().as_micros()).expect("short");

    let (mut planned, mut made) = (BTreeSet::new(), 0);
    let mut left = BTreeMap::new();
    for kill in 0..kills {
        let random = getrandom::u64().expect("randomness");
        for n in [random % GAMES, (random >> 8) % GAMES] {
            player.ok(&["play", &id(n), if kill % 2 == 0 { "e4" } else { "d4" }]);
            planned.insert(n);
            made += 1;
        }
        let dropped = (random >> 16) % GAMES;
        if planned.remove(&dropped) {
            player.ok(&["undo", &id(dropped)]);
        }
        let daemon = player.run();
        // the moment of the kill is what is random here; nothing is waited for
        thread::sleep(Duration::from_micros(pass / 2 + (random >> 24) % (pass * 3 / 2)));
        daemon.kill();
        for draft in player.json(&["status", "--json"])["drafts"].as_array().unwrap() {
            let state = draft["state"].as_str().unwrap();
            if ["placing", "removing"].contains(&state) {
                *left.entry(state.to_owned()).or_insert(0_u64) += 1;
            }
        }
    }
    let daemon = player.run();
    let done = poll(|| {
        let drafts = player.json(&["status", "--json"]);
        let drafts = drafts["drafts"].as_array().unwrap();
        drafts.iter().all(is_placed).then_some(drafts.len()).filter(|count| *count == planned.len())
    });
    assert!(done.is_some(), "{:#}\n{}", player.json(&["status", "--json"]), player.log());
    daemon.kill();
    player.ok(&["poll"]);
    let mut lying = BTreeMap::new();
    for draft in drafts(&servers) {
        *lying.entry(header(&draft, "Message-ID")).or_insert(0) += 1;
    }
    let plans = planned
        .iter()
        .map(|n| player.json(&["show", &id(*n), "--json"])["plan"]["message_id"].as_str().unwrap().to_owned());
    let lost = plans.filter(|id| !lying.contains_key(id)).count();
    let doubled = lying.values().filter(|times| **times > 1).count() + lying.len().saturating_sub(planned.len());
    eprintln!("{kills} kills, {made} drafts: lost {lost}, doubled {doubled}; cut off in the middle: {left:?}");
    assert_eq!((lost, doubled, lying.len()), (0, 0, planned.len()));
}
