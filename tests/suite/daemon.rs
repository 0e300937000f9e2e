//! Rounds of the daemon over a Maildir: what it reads, what it passes over, and that each notice arrives once.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use amici::config::Config;
use amici::daemon::{Daemon, RoundReport};
use amici::delivery::Fate;
use amici::io::maildir::Maildir;
use amici::io::store::{Arrival, ArrivalState, Attempt, OutboxState, Store};
use amici::mail::message::parse;
use chrono::Utc;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Executor};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::intake::{ME, MILA, ROOT, mail, mail_with, number, sample};

/// A player with a mail folder and one game in which the opponent is to move.
struct Home {
    dir: TempDir,
}

impl Home {
    async fn new() -> Home {
        let dir = TempDir::new().unwrap();
        Maildir::create(&dir.path().join("Maildir")).unwrap();
        let home = Home { dir };
        home.store().await.import(&[(sample(12), ROOT.to_owned())], false, Utc::now()).await.unwrap();
        home
    }

    fn maildir(&self) -> PathBuf {
        self.dir.path().join("Maildir")
    }

    fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    async fn store(&self) -> Store {
        Store::open(&self.data()).await.unwrap()
    }

    async fn daemon(&self, shutdown: CancellationToken) -> Daemon {
        self.daemon_with("", shutdown).await
    }

    async fn daemon_with(&self, more: &str, shutdown: CancellationToken) -> Daemon {
        let text = format!(
            "{ME}[maildir]\npath = \"{}\"\npoll = \"2h\"\n[limits]\nlargest_mail_mib = 1\n{more}",
            self.maildir().display()
        );
        let config = Config::parse(&text).unwrap();
        let mail = config.mail.clone().unwrap();
        Daemon::new(config, mail, self.store().await, "here".to_owned(), shutdown).await.unwrap()
    }

    /// One round of a daemon that was just started.
    async fn round(&self) -> RoundReport {
        self.daemon(CancellationToken::new()).await.round_once().await.unwrap()
    }

    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.maildir().join("new").join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn arrival(&self, name: &str) -> Arrival {
        Arrival {
            source: format!("maildir:{}", self.maildir().display()),
            folder: "INBOX".to_owned(),
            epoch: 0,
            uid: name.to_owned(),
            size: None,
            server_date: None,
        }
    }

    async fn plies(&self) -> usize {
        self.store().await.games().await.unwrap()[0].game.moves.len()
    }

    /// State and reason of each mail that was announced and not read.
    async fn not_read(&self) -> Vec<(String, ArrivalState, String)> {
        let rows = self.store().await.arrivals_not_read().await.unwrap();
        rows.into_iter().map(|r| (r.arrival.uid, r.state, r.reason.unwrap_or_default())).collect()
    }

    /// The files in `new` and `cur` that the daemon delivered.
    fn delivered(&self) -> Vec<PathBuf> {
        ["new", "cur"]
            .iter()
            .flat_map(|shelf| fs::read_dir(self.maildir().join(shelf)).unwrap())
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.to_string_lossy().contains(".amici"))
            .collect()
    }

    async fn sql(&self, sql: &'static str) {
        let options = SqliteConnectOptions::new().filename(self.data().join("amici.db"));
        options.connect().await.unwrap().execute(sql).await.unwrap();
    }
}

fn the_move() -> Vec<u8> {
    mail("m7", "EM/ZZ/042", "7. 5171\n")
}

fn lines(report: &RoundReport) -> Vec<&str> {
    report.mails.iter().flat_map(|m| m.lines.iter().map(String::as_str)).collect()
}

fn age(path: &PathBuf, days: u64) {
    let at = SystemTime::now() - Duration::from_secs(days * 86_400);
    fs::File::open(path).unwrap().set_modified(at).unwrap();
}

#[tokio::test]
async fn the_first_look_passes_old_mails_over_and_reads_the_new_ones() {
    let home = Home::new().await;
    // by the newest mail, for the clock of this machine may be wrong
    age(&home.put("old", &mail("old", "EM/ZZ/042", "7. 4445\n")), 461);
    age(&home.put("recent", &the_move()), 459);
    age(&home.put("newest", &mail("stranger", "Hello", "Hello\n")), 400);
    let report = home.round().await;
    assert_eq!(report.passed_over, 1);
    assert_eq!(home.plies().await, 13);
    // nor is it read by the next start
    assert_eq!(lines(&home.round().await), [""; 0]);
    let since = Utc::now() - chrono::TimeDelta::days(462);
    assert_eq!(home.store().await.take_passed(since).await.unwrap(), 1);
    assert_eq!(lines(&home.round().await).len(), 1, "it is read when the player says so");
    assert_eq!(home.store().await.take_passed(since).await.unwrap(), 0);
}

#[tokio::test]
async fn after_the_first_look_an_old_date_hides_nothing() {
    let home = Home::new().await;
    home.round().await;
    age(&home.put("moved-in", &the_move()), 400);
    let report = home.round().await;
    assert_eq!((report.passed_over, lines(&report).len()), (0, 1));
    assert_eq!(home.plies().await, 13);
}

#[tokio::test]
async fn a_mail_is_read_once_under_whatever_flags_its_client_gives_it() {
    let home = Home::new().await;
    let path = home.put("m7", &the_move());
    home.round().await;
    fs::rename(&path, home.maildir().join("cur/m7:2,RS")).unwrap();
    home.round().await;
    let report = home.round().await;
    assert_eq!(lines(&report), Vec::<&str>::new());
    assert_eq!((home.plies().await, home.delivered().len()), (13, 1));
}

#[tokio::test]
async fn reading_leaves_every_mail_as_it_lies() {
    let home = Home::new().await;
    let path = home.put("m7", &the_move());
    home.round().await;
    assert_eq!(fs::read(path).unwrap(), the_move());
}

#[tokio::test]
async fn a_mail_that_stopped_the_program_each_time_is_set_aside_and_the_next_is_read() {
    let home = Home::new().await;
    home.put("a-poison", &mail("p", "EM/ZZ/042", "7. 4445\n"));
    let mut store = home.store().await;
    for tries in 0..4 {
        let attempt = store.note_attempt(&home.arrival("a-poison"), Utc::now()).await.unwrap();
        let before = if tries == 0 { Attempt::First } else { Attempt::Again(tries) };
        assert_eq!(attempt, before);
    }
    drop(store);
    home.put("b-next", &the_move());
    let report = home.round().await;
    let [poison, next] = lines(&report).try_into().unwrap();
    assert!(poison.starts_with("the mail INBOX a-poison was not read: this program stopped"), "{poison}");
    assert_eq!(next, "SAMPLE-1: move: 7. 5171 fits the record and is legal");
    let not_read = home.not_read().await;
    assert_eq!((not_read.len(), not_read[0].1), (1, ArrivalState::SetAside));
    let later = home.round().await;
    assert!(!later.mails.iter().any(|m| m.place.contains("a-poison")), "it is not tried again");
}

#[tokio::test]
async fn a_mail_that_stopped_the_program_once_is_tried_again() {
    let home = Home::new().await;
    home.put("m7", &the_move());
    home.store().await.note_attempt(&home.arrival("m7"), Utc::now()).await.unwrap();
    home.round().await;
    assert_eq!(home.plies().await, 13);
}

#[tokio::test]
async fn a_mail_above_the_limit_is_listed_and_not_read() {
    let home = Home::new().await;
    let mut fits = the_move();
    fits.extend(vec![b'\n'; (1 << 20) - fits.len()]);
    let mut large = mail("large", "EM/ZZ/042", "7. 4445\n");
    large.extend(vec![b'\n'; (1 << 20) + 1 - large.len()]);
    home.put("a-large", &large);
    home.put("b-fits", &fits);
    let report = home.round().await;
    assert!(lines(&report)[0].contains("1048577 bytes, more than the 1048576"), "{:?}", lines(&report));
    assert_eq!(home.plies().await, 13, "a mail of exactly the limit is read");
    let not_read = home.not_read().await;
    assert_eq!((not_read.len(), not_read[0].0.as_str(), not_read[0].1), (1, "a-large", ArrivalState::TooLarge));
}

#[tokio::test]
async fn a_mail_that_was_deleted_before_it_was_read_is_ticked_off() {
    let home = Home::new().await;
    home.store().await.announce(&[home.arrival("a-gone")], Utc::now()).await.unwrap();
    home.put("b-here", &the_move());
    home.round().await;
    assert_eq!(home.plies().await, 13);
    let not_read = home.not_read().await;
    assert_eq!((not_read.len(), not_read[0].1), (1, ArrivalState::Gone));
}

#[tokio::test]
async fn a_notice_is_delivered_in_the_round_that_made_it() {
    let home = Home::new().await;
    home.put("m7", &the_move());
    let report = home.round().await;
    assert!(matches!(report.delivered.as_slice(), [(_, Fate::Sent)]), "{report:?}");
    assert_eq!(home.delivered().len(), 1);
    assert!(home.store().await.unsent().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_crash_before_the_mark_and_a_client_that_moved_the_notice_make_no_second_copy() {
    for state in ["UPDATE outbox SET state = 'sending'", "UPDATE outbox SET state = 'queued'"] {
        let home = Home::new().await;
        home.put("m7", &the_move());
        home.round().await;
        let [notice] = home.delivered().try_into().unwrap();
        let name = notice.file_name().unwrap().to_str().unwrap();
        fs::rename(&notice, home.maildir().join(format!("cur/{name}:2,S"))).unwrap();
        home.sql(state).await;
        home.round().await;
        assert_eq!(home.delivered().len(), 1, "{state}");
        let unsent = home.store().await.unsent().await.unwrap();
        assert!(unsent.is_empty(), "{state}: {unsent:?}");
    }
}

#[tokio::test]
async fn an_interrupted_delivery_that_did_not_arrive_stays_unclear_for_its_time() {
    let home = Home::new().await;
    home.put("m7", &the_move());
    home.round().await;
    let [notice] = home.delivered().try_into().unwrap();
    fs::remove_file(notice).unwrap();
    home.sql("UPDATE outbox SET state = 'sending'").await;
    home.round().await;
    let unsent = home.store().await.unsent().await.unwrap();
    assert_eq!((unsent.len(), unsent[0].state, home.delivered().len()), (1, OutboxState::Unknown, 0));
    home.sql("UPDATE outbox SET last_attempt_at = '2004-10-30T12:00:00+00:00'").await;
    home.round().await;
    home.round().await;
    assert_eq!((home.delivered().len(), home.store().await.unsent().await.unwrap().len()), (1, 0));
}

#[tokio::test]
async fn a_delivery_left_unclear_by_a_clock_years_ahead_is_taken_up_when_the_clock_is_right() {
    let home = Home::new().await;
    home.put("m7", &the_move());
    home.round().await;
    let [notice] = home.delivered().try_into().unwrap();
    fs::remove_file(notice).unwrap();
    home.sql("UPDATE outbox SET state = 'unknown', last_attempt_at = '2999-10-30T12:00:00+00:00'").await;
    home.round().await;
    home.round().await;
    assert_eq!((home.delivered().len(), home.store().await.unsent().await.unwrap().len()), (1, 0));
}

#[tokio::test]
async fn a_look_at_many_mails_of_others_is_told_in_a_line_and_shows_how_far_it_has_come() {
    let home = Home::new().await;
    for n in 0..120 {
        home.put(&format!("m{n}"), &mail_with(&format!("tea{n}"), "friend@example.com", "Tea", "", "At five?\n"));
    }
    // what the sign of life said when the first and the last of them were taken in
    home.sql("CREATE TABLE said (progress TEXT)").await;
    home.sql(
        "CREATE TRIGGER say AFTER INSERT ON heartbeat WHEN NEW.progress IS NOT NULL
         BEGIN INSERT INTO said VALUES (NEW.progress); END",
    )
    .await;
    let report = home.round().await;
    assert_eq!(report.mails.iter().filter(|mail| mail.is_private).count(), 120);
    let said = number(&home.data(), "SELECT count(*) FROM said WHERE progress = 'read 0 of 120 mails'").await;
    assert_eq!(said, 1);
    assert_eq!(home.store().await.heartbeat().await.unwrap().unwrap().progress, None);
}

#[tokio::test]
async fn the_notices_of_the_daemon_are_not_taken_for_mail_of_others() {
    let home = Home::new().await;
    home.put("a", &mail_with("x", MILA, "EM/ZZ/042", "", "7. 1118\n"));
    home.round().await;
    let report = home.round().await;
    assert!(lines(&report).is_empty(), "{report:?}");
    assert_eq!((report.delivered.len(), home.delivered().len()), (0, 1));
}

#[tokio::test]
async fn a_folder_that_is_no_maildir_is_trouble_in_words_and_in_the_sign_of_life() {
    let home = Home::new().await;
    fs::remove_dir(home.maildir().join("cur")).unwrap();
    let trouble = home.daemon(CancellationToken::new()).await.round_once().await.unwrap_err();
    assert!(trouble.to_string().contains("is not a Maildir"), "{trouble}");
    let beat = home.store().await.heartbeat().await.unwrap().unwrap();
    assert_eq!((beat.last_error, beat.last_check_at), (Some(trouble.message), None));
}

#[tokio::test]
async fn a_running_daemon_reads_what_comes_by_its_poll_and_ends_when_told() {
    let home = Home::new().await;
    let shutdown = CancellationToken::new();
    let daemon = home.daemon(shutdown.clone()).await;
    let mut store = home.store().await;
    // from here on two hours pass whenever nobody has anything to do
    tokio::time::pause();
    let running = tokio::spawn(daemon.run());
    while store.heartbeat().await.unwrap().is_none_or(|b| b.state != "running") {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    home.put("m7", &the_move());
    while number(&home.data(), "SELECT count(*) FROM outbox WHERE state = 'sent'").await == 0 {
        tokio::time::sleep(Duration::from_secs(60)).await;
    }
    shutdown.cancel();
    running.await.unwrap().unwrap();
    assert_eq!((home.plies().await, home.delivered().len()), (13, 1));
    assert_eq!(store.heartbeat().await.unwrap().unwrap().state, "ended");
}

#[tokio::test]
async fn a_database_that_is_exchanged_under_a_running_daemon_ends_it() {
    type Exchange = fn(&std::path::Path);
    let exchanges: [(&str, Exchange); 4] = [
        ("moved", |data| fs::rename(data.join("amici.db"), data.join("elsewhere")).unwrap()),
        ("another file", |data| {
            fs::copy(data.join("amici.db"), data.join("copy")).unwrap();
            fs::rename(data.join("copy"), data.join("amici.db")).unwrap();
        }),
        ("without its journal", |data| fs::remove_file(data.join("amici.db-wal")).unwrap()),
        // as a copy shows it that was made before the newest act
        ("an older state of it", |_| {}),
    ];
    for (what, exchange) in exchanges {
        let home = Home::new().await;
        let daemon = home.daemon(CancellationToken::new()).await;
        let mut store = home.store().await;
        tokio::time::pause();
        let running = tokio::spawn(daemon.run());
        while store.heartbeat().await.unwrap().is_none_or(|b| b.state != "running") {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        exchange(&home.data());
        if what == "an older state of it" {
            home.sql("DROP TRIGGER acts_keep_delete; PRAGMA foreign_keys = OFF; DELETE FROM acts").await;
        }
        let trouble = running.await.unwrap().unwrap_err();
        assert!(trouble.in_database && trouble.message.contains("was moved, deleted or replaced"), "{what}: {trouble}");
        tokio::time::resume();
    }
}

#[tokio::test]
async fn a_daemon_told_to_stop_before_it_began_looks_at_nothing() {
    let home = Home::new().await;
    home.put("m7", &the_move());
    let shutdown = CancellationToken::new();
    shutdown.cancel();
    home.daemon(shutdown).await.run().await.unwrap();
    assert_eq!(home.plies().await, 12);
}

#[tokio::test]
async fn a_mail_whose_listing_the_database_refused_is_listed_by_the_next_round() {
    let home = Home::new().await;
    home.round().await;
    let mut daemon = home.daemon(CancellationToken::new()).await;
    home.put("a", &the_move());
    home.sql("CREATE TRIGGER refuse BEFORE INSERT ON arrivals BEGIN SELECT RAISE(ABORT, 'no'); END").await;
    assert!(daemon.round().await.is_err());
    home.sql("DROP TRIGGER refuse").await;
    let plies = home.plies().await;
    daemon.round().await.unwrap();
    assert_eq!(home.plies().await, plies + 1);
}

#[tokio::test]
async fn an_opponents_mail_is_checked_on_this_machine_where_the_player_wants_it() {
    let home = Home::new().await;
    home.put("unsigned", &the_move());
    let senders = "[senders]\ndefault = \"strict\"\nverify_dkim = true\n";
    // without a signature there is no key to ask for
    let report = home.daemon_with(senders, CancellationToken::new()).await.round_once().await.unwrap();
    let [line] = lines(&report)[..] else { panic!("{report:?}") };
    assert!(line.starts_with("SAMPLE-1: wrong_sender") && line.contains("this machine found nothing of it"), "{line}");
    assert_eq!(home.plies().await, 12);
}

#[tokio::test]
async fn his_move_and_the_answer_to_it_that_are_found_in_one_look_are_read_in_the_order_in_which_they_came() {
    let home = Home::new().await;
    let sent = home.maildir().join(".Sent");
    Maildir::create(&sent).unwrap();
    let his = home.put("his", &the_move());
    let answer = format!(
        "From: Tobin <tobin.q@example.net>\r\nTo: mila.ostrander@example.org\r\nSubject: Re: EM/ZZ/042\r\nDate: {}\r\n\
         Message-ID: <phone@example.net>\r\nIn-Reply-To: <m7@example.org>\r\n\r\n7. 5171 2836\r\n",
        Utc::now().to_rfc2822()
    );
    let mine = sent.join("cur").join("mine:2,S");
    fs::write(&mine, answer).unwrap();
    for (file, seconds) in [(&his, 120), (&mine, 60)] {
        let at = SystemTime::now() - Duration::from_secs(seconds);
        fs::File::open(file).unwrap().set_modified(at).unwrap();
    }
    home.round().await;
    let moves = home.store().await.games().await.unwrap().remove(0).game.moves;
    let numerics: Vec<String> = moves.iter().skip(12).map(|record| record.numeric.to_string()).collect();
    assert_eq!(numerics, ["5171", "2836"]);
}

#[tokio::test]
async fn a_command_that_lies_in_the_sent_folder_alone_is_done_once_whatever_other_copies_come() {
    for inbox_first in [false, true] {
        let home = Home::new().await;
        let sent = home.maildir().join(".Sent");
        Maildir::create(&sent).unwrap();
        home.put("his", &the_move());
        home.round().await;
        let notice = parse(&fs::read(&home.delivered()[0]).unwrap()).unwrap().message_id.unwrap();
        let command = format!(
            "From: Tobin <tobin.q@example.net>\r\nTo: tobin.q@example.net\r\nSubject: Re: your move\r\nDate: {}\r\n\
             Message-ID: <phone@example.net>\r\nIn-Reply-To: {notice}\r\n\r\n2836\r\n",
            Utc::now().to_rfc2822()
        );
        let in_sent = || fs::write(sent.join("cur").join("mine:2,S"), &command).unwrap();
        let in_inbox = || {
            home.put(
                "mine",
                format!("Received: by mx.example.net; {}\r\n{command}", Utc::now().to_rfc2822()).as_bytes(),
            )
        };
        let plan = async || home.store().await.games().await.unwrap().remove(0).game.plan;
        if inbox_first {
            in_inbox();
        } else {
            in_sent();
        }
        let report = home.round().await;
        assert!(lines(&report).iter().any(|line| line.contains("planned 7... 2836 (Nc6)")), "{report:?}");
        let first = plan().await.unwrap();
        assert_eq!((first.numeric.to_string().as_str(), home.delivered().len()), ("2836", 2));
        if inbox_first {
            in_sent();
        } else {
            in_inbox();
        }
        home.round().await;
        assert_eq!((plan().await, home.delivered().len()), (Some(first), 2), "the other copy");
    }
}

#[tokio::test]
async fn a_letter_of_ours_and_a_note_to_himself_in_the_sent_folder_do_nothing() {
    let home = Home::new().await;
    let sent = home.maildir().join(".Sent");
    Maildir::create(&sent).unwrap();
    home.put("his", &the_move());
    home.round().await;
    let notice = fs::read(&home.delivered()[0]).unwrap();
    fs::write(sent.join("cur").join("ours:2,S"), &notice).unwrap();
    fs::write(sent.join("cur").join("milk:2,S"), "From: tobin.q@example.net\r\nTo: tobin.q@example.net\r\nSubject: milk\r\nMessage-ID: <milk@example.net>\r\n\r\n2836\r\n").unwrap();
    let report = home.round().await;
    assert!(lines(&report).is_empty(), "{report:?}");
    assert_eq!(home.delivered().len(), 1);
    assert_eq!(home.store().await.games().await.unwrap().remove(0).game.plan, None);
}
