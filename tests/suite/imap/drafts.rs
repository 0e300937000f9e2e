//! Drafts in the folder for drafts, on servers that refuse, cut, drop and renumber: never two, never over the player's own.

use amici::config::Config;
use amici::daemon::{DraftsError, tend};
use amici::domain::document::Document;
use amici::domain::game::{GameId, Plan, Stated};
use amici::io::imap::{ImapError, Verified};
use amici::io::store::{DraftState, Outgoing, OutgoingKind, Store};
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::folder::{Cut, Fake, header};
use super::reading::name;

const CONFIG: &str = "[me]\nname = \"Tobin Quillfeather\"\nemails = [\"tobin.q@example.net\"]\ntimezone = \"Europe/Stockholm\"\n\
    [imap]\nhost = \"h\"\nuser = \"u\"\npassword.file = \"/p\"\n[smtp]\nhost = \"h\"\nuser = \"u\"\npassword.file = \"/p\"\n\
    [drafts]\nappend = true\n";
const ROOT: &str = "<game-SAMPLE-1.k3v9@example.net>";
const FIRST: &str = "<r1@example.net>";

fn id() -> GameId {
    "SAMPLE-1".parse().unwrap()
}

/// A player with one game and a mailbox, and his clock.
struct Player {
    fake: Fake,
    config: Config,
    store: Store,
    now: DateTime<Utc>,
    _dir: TempDir,
}

impl Player {
    /// He has chosen a move.
    async fn with_plan() -> Self {
        let dir = TempDir::new().unwrap();
        let mut store = Store::open(dir.path()).await.unwrap();
        let mut game = Document::read(include_str!("../../corpus/games/sample.json")).unwrap().remove(0);
        game.last_message_id = Some("<his-13@example.org>".to_owned());
        let now: DateTime<Utc> = "2026-11-02T10:00:00Z".parse().unwrap();
        store.import(&[(game, ROOT.into())], false, now).await.unwrap();
        let config = Config::parse(CONFIG).unwrap();
        let mut player = Self { fake: Fake::start().await, config, store, now, _dir: dir };
        player.choose("2836", FIRST).await;
        player
    }

    async fn choose(&mut self, numeric: &str, message_id: &str) {
        let plan = Plan {
            before: Vec::new(),
            numeric: numeric.parse().unwrap(),
            stated: Stated { sent: Some(self.now.date_naive()), ..Stated::default() },
            draw_offer: false,
            message_id: message_id.to_owned(),
            conditionals: Vec::new(),
            comment: None,
            held_until: None,
        };
        let letter = Outgoing {
            kind: OutgoingKind::Draft,
            game: Some(id()),
            ply: Some(14),
            message_id: message_id.replace('<', "<letter-"),
            recipient: "tobin.q@example.net".into(),
            bytes: b"Subject: your draft\r\n\r\n".to_vec(),
        };
        self.store.plan(&id(), 13, &plan, &letter, self.now).await.unwrap();
    }

    /// A look into the folder on a connection of its own, and the time goes on by an hour.
    async fn look(&mut self) -> Result<Vec<String>, DraftsError> {
        let mut mailbox = self.fake.open().await;
        let done = tend(&mut self.store, &mut mailbox, &self.config, &mut None, self.now).await;
        self.now += TimeDelta::hours(1);
        done
    }

    /// Looks twice: what the first look leaves to be done, if anything, the second would do too often.
    async fn settle(&mut self) {
        for _ in 0..2 {
            self.fake.state().cut = None;
            self.look().await.unwrap();
        }
    }

    async fn states(&mut self) -> Vec<(String, DraftState)> {
        self.store.drafts().await.unwrap().into_iter().map(|row| (row.message_id, row.state)).collect()
    }

    async fn plan(&mut self) -> Plan {
        self.store.game(&id()).await.unwrap().unwrap().game.plan.unwrap()
    }

    /// The only draft of ours in the folder.
    fn only_draft(&self) -> String {
        let drafts = self.fake.drafts();
        assert_eq!(drafts.len(), 1, "{drafts:#?}");
        drafts[0].text.clone()
    }
}

#[tokio::test]
async fn a_draft_is_put_there_once_marked_as_one_and_found_again_at_no_cost() {
    let mut player = Player::with_plan().await;
    assert_eq!(player.look().await.unwrap(), ["SAMPLE-1: the draft lies in Drafts"]);
    let drafts = player.fake.drafts();
    assert_eq!((drafts.len(), drafts[0].flags.as_str()), (1, "\\Draft \\Seen"));
    let text = &drafts[0].text;
    assert_eq!(header(text, "Message-ID"), Some(FIRST));
    assert_eq!(header(text, "References"), Some(format!("{ROOT} <his-13@example.org>").as_str()));
    assert!(header(text, "To").is_some() && header(text, "Cc").is_none() && header(text, "X-Unsent").is_none());
    assert_eq!(player.states().await, [(FIRST.to_owned(), DraftState::Placed)]);
    player.fake.state().commands.clear();
    assert_eq!(player.look().await.unwrap(), [""; 0]);
    let commands = player.fake.state().commands[2..].to_vec();
    assert_eq!(commands, ["LIST \"\" \"*\"", "EXAMINE \"Drafts\"", "UID SEARCH UID 2,*"]);
    // nothing planned, nothing there: nothing asked
    player.store.undo(&id(), player.now).await.unwrap();
    player.settle().await;
    assert_eq!(player.fake.drafts(), []);
    player.fake.state().commands.clear();
    player.look().await.unwrap();
    assert_eq!(player.fake.state().commands[2..], [""; 0]);
}

#[tokio::test]
async fn what_a_server_says_before_the_plus_is_heard_and_the_draft_goes_in() {
    for tells_uid in [true, false] {
        let mut player = Player::with_plan().await;
        player.fake.state().noise = "* 5 EXISTS\r\n* OK still here\r\n* 1 FETCH (FLAGS (\\Seen))\r\n";
        player.fake.state().tells_uid = tells_uid;
        player.look().await.unwrap();
        let row = player.store.draft_by_message_id(FIRST).await.unwrap().unwrap();
        assert_eq!((row.state, row.place), (DraftState::Placed, Some((7, 2))));
        player.settle().await;
        assert_eq!((player.fake.drafts().len(), player.fake.count("APPEND")), (1, 1));
    }
}

#[tokio::test]
async fn a_refused_draft_is_told_with_what_to_do_and_tried_again_later_never_in_a_loop() {
    for (refusal, help) in [
        ("$ NO [TRYCREATE] no such folder", "make the folder in your mail program"),
        ("$ NO [OVERQUOTA] full", "the mailbox is full: make room in it"),
        ("$ NO [LIMIT] slowly", "the server takes no more for now"),
        ("$ NO flags are not for you", "the draft that was sent to you is as good"),
    ] {
        let mut player = Player::with_plan().await;
        player.fake.state().refusals = vec![("APPEND", refusal)];
        let said = player.look().await.unwrap();
        assert!(said[0].starts_with("SAMPLE-1: the draft is not in Drafts, the server refused it: "), "{said:?}");
        assert!(said[0].contains(help), "{said:?}");
        let row = player.store.draft_by_message_id(FIRST).await.unwrap().unwrap();
        assert_eq!((row.state, row.attempts), (DraftState::Unplaced, 1));
        assert!(row.last_error.unwrap().contains(help));
        // not before its time
        player.now -= TimeDelta::hours(1);
        player.look().await.unwrap();
        assert_eq!(player.fake.count("APPEND"), 1);
        player.look().await.unwrap();
        assert_eq!(player.fake.count("APPEND"), 2);
        player.fake.state().refusals.clear();
        player.settle().await;
        assert_eq!(player.states().await, [(FIRST.to_owned(), DraftState::Placed)]);
        assert_eq!(player.fake.drafts().len(), 1);
    }
}

#[tokio::test]
async fn a_refused_search_is_no_leave_to_put_a_second_one_there() {
    let mut player = Player::with_plan().await;
    for refusal in ["$ NO [UNAVAILABLE] later", "* SEARCH\r\n$ OK nothing"] {
        player.fake.state().refusals = vec![("UID SEARCH", refusal)];
        let error = player.look().await.unwrap_err();
        assert!(
            matches!(&error, DraftsError::Mailbox(error) if ["No", "Incomplete"].contains(&name(error))),
            "{error}"
        );
        assert_eq!(player.fake.count("APPEND"), 0);
        assert_eq!(player.states().await, [(FIRST.to_owned(), DraftState::Wanted)]);
    }
}

/// Each command of each way is cut off, before and after it was done; then the way is gone to its end.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_cut_at_any_step_loses_no_draft_and_makes_no_second_one() {
    let mut cuts = 0;
    for way in ["place", "refresh", "choose", "undo"] {
        for tells_uid in if way == "place" { [true, false].as_slice() } else { &[true] } {
            for cut in [Cut::Before, Cut::After] {
                for step in 0.. {
                    let mut player = Player::with_plan().await;
                    player.fake.state().tells_uid = *tells_uid;
                    if way != "place" {
                        player.look().await.unwrap();
                    }
                    match way {
                        "refresh" => player.now += TimeDelta::days(1),
                        "choose" => player.choose("2847", "<r2@example.net>").await,
                        "undo" => drop(player.store.undo(&id(), player.now).await.unwrap()),
                        _ => {}
                    }
                    // behind the login
                    player.fake.state().cut = Some((step + 2, cut));
                    let whole = player.look().await.is_ok();
                    player.settle().await;
                    let expected = usize::from(way != "undo");
                    let drafts = player.fake.drafts();
                    assert_eq!(drafts.len(), expected, "{way} {cut:?} {step}: {drafts:#?}");
                    if let [draft] = drafts.as_slice() {
                        let plan = player.plan().await;
                        assert_eq!(header(&draft.text, "Message-ID"), Some(plan.message_id.as_str()), "{way} {step}");
                        assert!(draft.text.contains(&plan.numeric.to_string()) && !draft.flags.contains("Deleted"));
                    }
                    if whole {
                        break;
                    }
                    cuts += 1;
                }
            }
        }
    }
    assert!(cuts > 80, "{cuts}");
}

#[tokio::test]
async fn an_untouched_draft_states_the_new_day_after_midnight_and_the_old_one_is_gone() {
    let mut player = Player::with_plan().await;
    player.look().await.unwrap();
    let old = player.only_draft();
    player.now = "2026-11-02T22:59:00Z".parse().unwrap();
    player.look().await.unwrap();
    assert_eq!(player.only_draft(), old);
    player.now = "2026-11-02T23:00:00Z".parse().unwrap();
    player.fake.state().commands.clear();
    player.look().await.unwrap();
    let plan = player.plan().await;
    assert_eq!(plan.stated.sent, Some("2026-11-03".parse().unwrap()));
    let new = player.only_draft();
    assert_eq!(header(&new, "Message-ID"), Some(plan.message_id.as_str()));
    assert!(new.contains("03.11.2026") || new.contains("2026-11-03") || new.contains("03 Nov 2026"), "{new}");
    assert_eq!(player.states().await, [(FIRST.to_owned(), DraftState::Removed), (plan.message_id, DraftState::Placed)]);
    let commands = player.fake.state().commands.clone();
    let place = |start: &str| commands.iter().position(|command| command.starts_with(start)).unwrap();
    assert!(place("APPEND") < place("UID STORE 2 "), "the new one lies there before the old one goes: {commands:?}");
    assert_eq!(player.fake.count("UID EXPUNGE 2"), 1);
    assert_eq!(player.fake.count("EXPUNGE") + player.fake.count("CLOSE"), 0);
    assert_eq!(player.store.ids_of_own(&id(), 14).await.unwrap().len(), 2);
}

#[tokio::test]
async fn an_edited_draft_is_the_players_for_ever_under_whatever_number_and_id() {
    // a mail program keeps the Message-ID; another gives a new one at each save
    for same_id in [true, false] {
        let mut player = Player::with_plan().await;
        player.look().await.unwrap();
        for save in 0..3 {
            let mut text = player.only_draft().replace("Amici", "Servus, Amici");
            if !same_id {
                text = text.replace(header(&text, "Message-ID").unwrap(), &format!("<saved-{save}@mail.example.com>"));
            }
            text.push_str("and greetings\r\n");
            player.fake.state().mails.truncate(1);
            player.fake.state().put("\\Draft", &text);
            player.now += TimeDelta::days(1);
            player.settle().await;
            assert_eq!(player.only_draft(), text, "{same_id}");
        }
        assert_eq!(player.states().await, [(FIRST.to_owned(), DraftState::Touched)]);
        player.store.undo(&id(), player.now).await.unwrap();
        player.settle().await;
        assert!(player.only_draft().ends_with("and greetings\r\n"));
        assert_eq!((player.fake.count("APPEND"), player.fake.count("UID STORE")), (1, 0));
    }
}

#[tokio::test]
async fn a_copy_that_is_being_edited_beside_ours_keeps_the_midnight_away() {
    let mut player = Player::with_plan().await;
    player.look().await.unwrap();
    let copy = player.only_draft().replace(FIRST, "<autosave@mail.example.com>");
    player.fake.state().put("\\Draft", &copy);
    player.now += TimeDelta::days(1);
    player.settle().await;
    assert_eq!(player.fake.drafts().len(), 2);
    assert_eq!(player.states().await, [(FIRST.to_owned(), DraftState::Touched)]);
}

#[tokio::test]
async fn a_draft_that_is_gone_is_not_made_again() {
    let mut player = Player::with_plan().await;
    player.look().await.unwrap();
    player.fake.state().mails.truncate(1);
    player.now += TimeDelta::days(1);
    player.settle().await;
    assert_eq!(player.fake.drafts(), []);
    assert_eq!(player.states().await, [(FIRST.to_owned(), DraftState::Vanished)]);
    // another choice is another draft
    player.choose("2847", "<r2@example.net>").await;
    player.settle().await;
    assert_eq!(header(&player.only_draft(), "Message-ID"), Some("<r2@example.net>"));
}

#[tokio::test]
async fn a_folder_that_is_numbered_anew_holds_the_same_draft() {
    let mut player = Player::with_plan().await;
    player.look().await.unwrap();
    {
        let mut state = player.fake.state();
        state.uid_validity = 8;
        state.mails[1].uid = 40;
        state.next_uid = 41;
    }
    player.look().await.unwrap();
    let row = player.store.draft_by_message_id(FIRST).await.unwrap().unwrap();
    assert_eq!((row.state, row.place), (DraftState::Placed, Some((8, 40))));
    player.store.undo(&id(), player.now).await.unwrap();
    player.settle().await;
    assert_eq!(player.fake.drafts(), []);
}

#[tokio::test]
async fn without_uidplus_nothing_is_taken_out_nor_made_anew_and_that_is_told() {
    let mut player = Player::with_plan().await;
    player.fake.state().capabilities = "IDLE";
    player.look().await.unwrap();
    let text = player.only_draft();
    player.now += TimeDelta::days(1);
    player.settle().await;
    assert_eq!(player.only_draft(), text);
    player.store.undo(&id(), player.now).await.unwrap();
    player.settle().await;
    assert_eq!(player.only_draft(), text);
    let row = player.store.draft_by_message_id(FIRST).await.unwrap().unwrap();
    assert!(row.last_error.unwrap().contains("delete it in your mail program"));
    assert_eq!(player.fake.count("UID STORE") + player.fake.count("SELECT"), 0);
    // he does
    player.fake.state().mails.truncate(1);
    player.look().await.unwrap();
    assert_ne!(player.states().await[0].1, DraftState::Placed);
    assert_eq!(player.store.drafts_at_work().await.unwrap(), []);
}

#[tokio::test]
async fn a_server_that_refuses_the_mark_or_keeps_the_mail_is_told_and_asked_again_later() {
    for refusal in
        [("UID STORE", "$ NO flags are not for you"), ("UID EXPUNGE", "$ NO not now"), ("UID EXPUNGE", "$ OK done")]
    {
        let mut player = Player::with_plan().await;
        player.look().await.unwrap();
        player.store.undo(&id(), player.now).await.unwrap();
        player.fake.state().refusals = vec![refusal];
        assert_eq!(player.look().await.unwrap().len(), 1);
        assert_eq!(player.states().await, [(FIRST.to_owned(), DraftState::Removing)]);
        let tries = player.fake.count(refusal.0);
        player.now -= TimeDelta::minutes(50);
        player.look().await.unwrap();
        assert_eq!(player.fake.count(refusal.0), tries, "not before its time");
        player.fake.state().refusals.clear();
        player.settle().await;
        assert_eq!(player.fake.drafts(), []);
        assert_eq!(player.states().await, [(FIRST.to_owned(), DraftState::Removed)]);
    }
}

#[tokio::test]
async fn a_server_that_drops_an_id_it_knows_is_given_the_draft_once() {
    let mut player = Player::with_plan().await;
    player.fake.state().drops_known = true;
    player.look().await.unwrap();
    // the record of it is lost, as with an old backup, and so is the mail
    let mut second = Player::with_plan().await;
    std::mem::swap(&mut player.fake, &mut second.fake);
    second.fake.state().mails.truncate(1);
    second.settle().await;
    assert_eq!(second.fake.drafts(), []);
    assert_eq!(second.fake.count("APPEND"), 2);
    assert_eq!(second.states().await, [(FIRST.to_owned(), DraftState::Vanished)]);
}

#[tokio::test]
async fn two_databases_for_one_mailbox_make_one_draft() {
    let mut one = Player::with_plan().await;
    one.look().await.unwrap();
    let mut other = Player::with_plan().await;
    std::mem::swap(&mut one.fake, &mut other.fake);
    other.settle().await;
    assert_eq!(other.fake.drafts().len(), 1);
    assert_eq!(other.fake.count("APPEND"), 1);
}

#[tokio::test]
async fn a_draft_that_he_takes_up_in_the_very_moment_of_the_change_stays_and_the_new_one_goes() {
    let mut player = Player::with_plan().await;
    player.look().await.unwrap();
    player.now += TimeDelta::days(1);
    // behind the APPEND of the new one: LIST, EXAMINE, SEARCH, SEARCH and FETCH for copies, SEARCH and FETCH for the id, APPEND
    let steps = {
        player.fake.state().refusals = vec![("SELECT", "$ NO [INUSE] in a moment")];
        player.fake.state().commands.clear();
        player.look().await.unwrap_err();
        player.fake.state().commands.len()
    };
    assert!(steps > 4);
    assert_eq!(player.fake.drafts().len(), 2);
    player.fake.state().refusals.clear();
    player.fake.state().mails[1].text.push_str("my own words\r\n");
    player.settle().await;
    assert!(player.only_draft().ends_with("my own words\r\n"));
    let states: Vec<DraftState> = player.states().await.into_iter().map(|(_, state)| state).collect();
    assert_eq!(states, [DraftState::Touched, DraftState::Removed]);
}

#[tokio::test]
async fn a_stale_draft_that_was_edited_is_left_alone_and_an_older_choice_goes_at_once() {
    let mut player = Player::with_plan().await;
    player.look().await.unwrap();
    player.choose("2847", "<r2@example.net>").await;
    player.fake.state().refusals = vec![("APPEND", "$ NO [OVERQUOTA] full")];
    player.look().await.unwrap();
    assert_eq!(player.fake.drafts(), [], "the wrong move does not wait for room");
    player.fake.state().refusals.clear();
    player.settle().await;
    player.store.undo(&id(), player.now).await.unwrap();
    player.fake.state().mails[1].text.push_str("my own words\r\n");
    player.settle().await;
    assert!(player.only_draft().ends_with("my own words\r\n"));
}

#[tokio::test]
async fn a_folder_that_is_read_for_mails_is_never_one_for_drafts() {
    let mut player = Player::with_plan().await;
    player.config = Config::parse(&CONFIG.replace("[smtp]", "folders = [\"INBOX\", \"Drafts\"]\n[smtp]")).unwrap();
    let error = player.look().await.unwrap_err();
    assert!(error.to_string().contains("is read for mails too"), "{error}");
    assert_eq!(player.fake.drafts(), []);
    let row = player.store.draft_by_message_id(FIRST).await.unwrap().unwrap();
    assert!(row.last_error.is_some());
}

#[tokio::test]
async fn only_a_mail_that_is_byte_for_byte_ours_can_be_taken_out() {
    let player = Player::with_plan().await;
    let ours = "Message-ID: <r1@example.net>\r\n\r\nours\r\n";
    let uid = player.fake.state().put("\\Draft", ours);
    let sha256: [u8; 32] = Sha256::digest(ours).into();
    let mut mailbox = player.fake.open().await;
    let drafts = mailbox.drafts_folder(None).await.unwrap();
    for (place, expected) in [((7, 1), "Changed"), ((8, uid), "Gone"), ((7, 99), "Gone"), ((7, uid), "Own")] {
        let verified = mailbox.verify_draft(&drafts, place, &sha256).await.unwrap();
        assert!(format!("{verified:?}").starts_with(expected), "{place:?}: {verified:?}");
    }
    let Verified::Own(own) = mailbox.verify_draft(&drafts, (7, uid), &sha256).await.unwrap() else { unreachable!() };
    mailbox.look_at_drafts(&drafts).await.unwrap();
    let error: ImapError = mailbox.remove_draft(own).await.unwrap_err();
    assert_eq!(name(&error), "CannotRemove", "it is open for reading only");
    assert_eq!(player.fake.drafts().len(), 1);
}
