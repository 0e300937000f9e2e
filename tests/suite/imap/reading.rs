//! Once logged in: every way a command can fail, and every way an answer can be less than it seems.

use std::time::Duration;

use amici::io::Class;
use amici::io::imap::{Announcement, Folder, IdleEnd, ImapError, Mailbox};
use tokio::task::JoinSet;

use super::server::{GREETING, Script, Server, describe};

const HOUR: Duration = Duration::from_secs(3600);

/// Each task, and a command it needs.
const COMMANDS: [(&str, &str); 9] = [
    ("folders", "LIST"),
    ("examine", "EXAMINE"),
    ("announced", "UID SEARCH"),
    ("announced", "UID FETCH"),
    ("fetch", "UID FETCH"),
    ("fetch_header", "UID FETCH"),
    ("find", "UID SEARCH"),
    ("find", "UID FETCH"),
    ("idle", "IDLE"),
];

/// The answer to the first EXAMINE, where EXAMINE is the command to fail: the folder is opened before.
const EXAMINED: &str = "* 3 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 4] ok\r\n$ OK done";

/// The error's name, as tables write it.
pub(super) fn name(error: &ImapError) -> &'static str {
    match error {
        ImapError::Tls(_) => "Tls",
        ImapError::PreAuth { .. } => "PreAuth",
        ImapError::LoginDisabled { .. } => "LoginDisabled",
        ImapError::BadLogin { .. } => "BadLogin",
        ImapError::NoTokens { .. } => "NoTokens",
        ImapError::BadToken { .. } => "BadToken",
        ImapError::NoSuchFolder { .. } => "NoSuchFolder",
        ImapError::NoFolderFor { .. } => "NoFolderFor",
        ImapError::SeveralFoldersFor { .. } => "SeveralFoldersFor",
        ImapError::Unnumbered { .. } => "Unnumbered",
        ImapError::NotOpen { .. } => "NotOpen",
        ImapError::No { .. } => "No",
        ImapError::Bad { .. } => "Bad",
        ImapError::Bye { .. } => "Bye",
        ImapError::Lost { .. } => "Lost",
        ImapError::Deadline { .. } => "Deadline",
        ImapError::Garbled { .. } => "Garbled",
        ImapError::TooMuch { .. } => "TooMuch",
        ImapError::Incomplete { .. } => "Incomplete",
        ImapError::CannotRemove => "CannotRemove",
        ImapError::NotRemoved => "NotRemoved",
        ImapError::TooLarge { .. } => "TooLarge",
        ImapError::Withheld { .. } => "Withheld",
        ImapError::Dead => "Dead",
    }
}

async fn call(task: &str, mailbox: &mut Mailbox, folder: &Folder) -> Result<String, ImapError> {
    Ok(match task {
        "folders" => format!("{:?}", mailbox.folders().await?),
        "examine" => format!("{:?}", mailbox.examine("INBOX").await?),
        "announced" => format!("{:?}", mailbox.announced(folder, 0).await?),
        "fetch" => format!("{:?}", mailbox.fetch(2).await?.map(text)),
        "fetch_header" => format!("{:?}", mailbox.fetch_header(2, 100).await?.map(text)),
        "find" => format!("{:?}", mailbox.find_message_id(folder, "<3@example.org>").await?),
        "idle" => format!("{:?}", mailbox.idle(Duration::from_millis(50)).await?),
        _ => unreachable!(),
    })
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Does a task against a server with these answers, and gives back what came out, in short.
async fn outcome(task: &str, script: Script<'_>) -> String {
    let server = Server::start(GREETING, script).await;
    let mut mailbox = server.open().await;
    let folder = match mailbox.examine("INBOX").await {
        Ok(folder) => folder,
        Err(error) => return name(&error).to_owned(),
    };
    match call(task, &mut mailbox, &folder).await {
        Ok(value) => value,
        Err(error) => name(&error).to_owned(),
    }
}

#[tokio::test]
async fn a_good_server_is_read_and_nothing_but_reading_goes_over_the_wire() {
    let server = Server::start(GREETING, &[]).await;
    let mut mailbox = server.open().await;
    assert!(mailbox.supports_idle());
    assert_eq!(mailbox.folders().await.unwrap(), ["INBOX"]);
    let folder = mailbox.examine("Entwürfe").await.unwrap();
    assert_eq!((folder.uid_validity, folder.uid_next, folder.exists), (7, 4, 3));
    let told = mailbox.announced(&folder, 1).await.unwrap();
    assert_eq!(told.mails.iter().map(|mail| (mail.uid, mail.size)).collect::<Vec<_>>(), [(2, 200), (3, 300)]);
    assert_eq!(told.mails[0].internal_date.to_rfc3339(), "2026-07-07T02:44:25+02:00");
    assert_eq!(mailbox.fetch(2).await.unwrap().map(text).as_deref(), Some("mail 2\r\n"));
    assert_eq!(
        mailbox.fetch_header(2, 100).await.unwrap().map(text).as_deref(),
        Some("Message-ID: <2@example.org>\r\n")
    );
    assert_eq!(mailbox.find_message_id(&folder, "<3@example.org>").await.unwrap(), [3]);
    assert_eq!(mailbox.find_message_id(&folder, "<9@example.org>").await.unwrap(), [0_u32; 0]);
    assert_eq!(mailbox.idle(Duration::from_millis(20)).await.unwrap(), IdleEnd::TimedOut);
    mailbox.close().await;
    let received = server.received();
    let verbs: Vec<&str> = received.lines().filter_map(|line| line.split_once(' ')).map(|(_, verb)| verb).collect();
    assert_eq!(
        verbs[1..],
        [
            "CAPABILITY",
            "LIST \"\" \"*\"",
            "EXAMINE \"Entw&APw-rfe\"",
            "UID SEARCH UID 2:3,*",
            "UID FETCH 2:3 (UID RFC822.SIZE INTERNALDATE)",
            "UID FETCH 2 (UID BODY.PEEK[])",
            "UID FETCH 2 (UID BODY.PEEK[HEADER]<0.100>)",
            "UID SEARCH OR UID * HEADER Message-ID \"<3@example.org>\"",
            "UID FETCH 2 (UID BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])",
            "UID FETCH 3 (UID BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])",
            "UID SEARCH OR UID * HEADER Message-ID \"<9@example.org>\"",
            "UID FETCH 2 (UID BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])",
            "UID FETCH 3 (UID BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])",
            "IDLE",
            "LOGOUT",
        ]
    );
    assert!(received.contains("\r\nDONE\r\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_survives_no_fault_in_silence() {
    let faults = [
        ("$ NO [UNAVAILABLE] later", "No"),
        ("$ BAD what?", "Bad"),
        ("* BYE [UNAVAILABLE] going\r\n<EOF>", "Bye"),
        ("* BYE going\r\n* SEARCH 1\r\n$ OK done", "Bye"),
        ("<EOF>", "Lost"),
        ("* SEARCH 1 2 3\r\n* LIST () \"/\" INBOX\r\n* 3 EXISTS\r\n<EOF>", "Lost"),
        ("* 2 FETCH (UID 2 BODY[] {500}\r\nhalf a mail<EOF>", "Lost"),
        ("$ OK no line end<EOF>", "Lost"),
        ("A999 OK somebody else's", "Garbled"),
        ("220 mail.example.org ESMTP", "Garbled"),
        ("* NAMESPACE ((\"\" \"/\")) NIL NIL", "Garbled"),
        ("* OK [ALERT]é", "Lost"),
        ("* 1 FETCH (UID 1 INTERNALDATE NIL)", "Lost"),
        ("* 1 FETCH (UID 1 BODY[] {4000000000}\r\n", "TooLarge"),
    ];
    let deep = format!("* 1 FETCH (BODYSTRUCTURE {}", "(".repeat(100_000));
    let hidden = format!("* OK see {{9000}}\r\n* 1 FETCH (BODYSTRUCTURE {}", "(".repeat(2000));
    let endless = "* LIST () \"/\" a\r\n".repeat(100_001);
    let large = [(deep.as_str(), "Garbled"), (hidden.as_str(), "Garbled"), (endless.as_str(), "TooMuch")];
    let mut cases = JoinSet::new();
    for (task, command) in COMMANDS {
        for (answer, expected) in faults.iter().copied().chain(large) {
            let answer = answer.to_owned();
            cases.spawn(async move {
                let answers = if task == "examine" { vec![EXAMINED, &answer] } else { vec![answer.as_str()] };
                let server = Server::start(GREETING, &[(command, &answers)]).await;
                let mut mailbox = server.open().await;
                let folder = mailbox.examine("INBOX").await.unwrap();
                let case = format!("{task}, {command} answered {:.60}", answer);
                let error = call(task, &mut mailbox, &folder).await.expect_err(&case);
                assert_eq!(name(&error), expected, "{case}: {error}");
                let class = if expected == "TooLarge" { Class::SetAside } else { Class::Retry };
                assert_eq!(error.class(), class, "{case}");
                let again = call(task, &mut mailbox, &folder).await.expect_err(&case);
                assert_eq!(name(&again), if expected == "No" { "No" } else { "Dead" }, "{case}, once more");
                for shown in [error.to_string(), format!("{error:?}")] {
                    assert!(!shown.contains("half a mail"), "{case} shows a mail: {shown}");
                }
            });
        }
    }
    assert_eq!(cases.len(), 153);
    while let Some(case) = cases.join_next().await {
        case.unwrap();
    }
}

#[tokio::test]
async fn brackets_and_braces_in_plain_text_and_names_are_harmless() {
    let many = "(".repeat(2000);
    let list =
        format!("* OK {many} {{9000}}\r\n* LIST () \"/\" \"{many}\"\r\n* LIST () \"/\" {{3}}\r\na{{9\r\n$ OK {{9}}");
    let server = Server::start(GREETING, &[("LIST", &[&list])]).await;
    let mut mailbox = server.open().await;
    assert_eq!(mailbox.folders().await.unwrap(), [many.as_str(), "a{9"]);
    assert_eq!(mailbox.examine("INBOX").await.unwrap().exists, 3);
}

#[tokio::test]
async fn a_dropped_command_leaves_a_closed_connection_behind() {
    let server = Server::start(GREETING, &[("UID FETCH", &["<SILENCE>"])]).await;
    let mut mailbox = server.open().await;
    mailbox.examine("INBOX").await.unwrap();
    assert!(tokio::time::timeout(Duration::from_millis(20), mailbox.fetch(1)).await.is_err());
    assert_eq!(name(&mailbox.folders().await.unwrap_err()), "Dead");
    assert_eq!(name(&mailbox.idle(HOUR).await.unwrap_err()), "Dead");
}

/// With the clock paused, time leaps to the next deadline as soon as nothing else is to be done.
#[tokio::test]
async fn a_server_that_falls_silent_is_given_up() {
    let half = "* SEARCH 1 2 3\r\n* 2 FETCH (UID 2 BODY[] {500}\r\nhalf a mail<SILENCE>";
    for (task, command) in COMMANDS {
        for answer in ["<SILENCE>", half] {
            let answers = if task == "examine" { vec![EXAMINED, answer] } else { vec![answer] };
            let server = Server::start(GREETING, &[(command, &answers)]).await;
            let mut mailbox = server.open().await;
            let folder = mailbox.examine("INBOX").await.unwrap();
            tokio::time::pause();
            let error = call(task, &mut mailbox, &folder).await.unwrap_err();
            assert!(matches!(error, ImapError::Deadline { seconds: 60, .. }), "{task}: {error}");
            assert_eq!(error.class(), Class::Retry);
            assert_eq!(name(&call(task, &mut mailbox, &folder).await.unwrap_err()), "Dead");
            tokio::time::resume();
        }
    }
}

#[tokio::test]
async fn an_answer_may_take_longer_than_a_silence_but_not_for_ever() {
    let mut server = Server::start(GREETING, &[("LIST", &["<FLOOD>"])]).await;
    server.account.limits.silence = Duration::from_secs(60);
    server.account.limits.total = Duration::from_secs(130);
    let mut mailbox = server.open().await;
    tokio::time::pause();
    let error = mailbox.folders().await.unwrap_err();
    assert!(matches!(error, ImapError::Deadline { seconds: 130, .. }), "{error}");
}

/// Here the keep-alives are what fills the mail, 17 bytes every 20 ms for 80 s; what comes after it is no IMAP.
#[tokio::test]
async fn a_mail_that_trickles_in_is_waited_for() {
    let mail = format!("* 2 FETCH (UID 2 BODY[] {{{}}}\r\n<FLOOD>", 17 * 4000);
    let server = Server::start(GREETING, &[("UID FETCH", &[&mail])]).await;
    let mut mailbox = server.open().await;
    mailbox.examine("INBOX").await.unwrap();
    tokio::time::pause();
    let error = mailbox.fetch(2).await.unwrap_err();
    assert!(matches!(error, ImapError::Garbled { .. }), "{error}");
}

#[tokio::test]
async fn an_answer_with_less_in_it_than_asked_for_is_an_error() {
    for (task, command, answer, expected) in [
        ("folders", "LIST", "$ OK done", "Incomplete"),
        ("folders", "LIST", "* LIST (\\Noselect) \"/\" Up\r\n$ OK done", "Incomplete"),
        ("announced", "UID SEARCH", "$ OK done", "Incomplete"),
        ("announced", "UID SEARCH", "* SEARCH\r\n$ OK done", "Incomplete"),
        ("find", "UID SEARCH", "* SEARCH\r\n$ OK done", "Incomplete"),
        ("fetch", "UID FETCH", "$ OK done", "Withheld"),
        ("fetch", "UID FETCH", "* 2 FETCH (UID 2 BODY[] \"\")\r\n$ OK done", "Withheld"),
        ("fetch", "UID FETCH", "* 2 FETCH (UID 2 BODY[] NIL)\r\n$ OK done", "Withheld"),
        ("fetch", "UID FETCH", "* 2 FETCH (UID 2 FLAGS (\\Seen))\r\n$ OK done", "Withheld"),
        ("fetch", "UID FETCH", "* 1 FETCH (UID 1 BODY[] {2}\r\nno)\r\n$ OK done", "Withheld"),
        ("fetch", "UID FETCH", "* 2 FETCH (BODY[] {2}\r\nno)\r\n$ OK done", "Withheld"),
        ("fetch", "UID FETCH", "* 2 FETCH (UID 2 BODY[TEXT] {2}\r\nno)\r\n$ OK done", "Withheld"),
        ("fetch_header", "UID FETCH", "* 2 FETCH (UID 2 BODY[] {2}\r\nno)\r\n$ OK done", "Withheld"),
        ("examine", "EXAMINE", "* 3 EXISTS\r\n* OK [UIDNEXT 4] x\r\n$ OK done", "Unnumbered"),
        ("examine", "EXAMINE", "* 3 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n$ OK done", "Unnumbered"),
        ("examine", "EXAMINE", "* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 4] x\r\n$ OK done", "Unnumbered"),
        ("examine", "EXAMINE", "* 3 EXISTS\r\n* OK [UIDVALIDITY 0] x\r\n* OK [UIDNEXT 4] x\r\n$ OK done", "Unnumbered"),
    ] {
        assert_eq!(outcome(task, &[(command, &[answer])]).await, expected, "{task}: {answer}");
    }
}

#[tokio::test]
async fn unasked_data_between_the_answers_changes_nothing() {
    let noise = "* 2 FETCH (FLAGS (\\Seen))\r\n* 1 FETCH (UID 1 BODY[] {2}\r\nno)\r\n* OK [HIGHESTMODSEQ 9] x\r\n* 9 RECENT\r\n";
    let answer =
        format!("{noise}* 2 FETCH (UID 2 BODY[] {{3}}\r\nyes)\r\n{noise}* 2 FETCH (UID 2 FLAGS ())\r\n$ OK done");
    assert_eq!(outcome("fetch", &[("UID FETCH", &[&answer])]).await, "Some(\"yes\")");
}

#[tokio::test]
async fn a_mail_is_gone_only_when_a_search_that_works_no_longer_lists_it() {
    for (search, expected) in [
        ("* SEARCH 3\r\n$ OK done", "None"),
        ("* SEARCH 2 3\r\n$ OK done", "No"),
        ("* SEARCH\r\n$ OK done", "Incomplete"),
        ("$ NO not now", "No"),
    ] {
        let script: Script<'_> = &[("UID FETCH", &["$ NO some are gone"]), ("UID SEARCH", &[search])];
        assert_eq!(outcome("fetch", script).await, expected, "{search}");
    }
}

async fn announced(script: Script<'_>) -> Result<Announcement, ImapError> {
    let server = Server::start(GREETING, script).await;
    let mut mailbox = server.open().await;
    let folder = mailbox.examine("INBOX").await.unwrap();
    mailbox.announced(&folder, 0).await
}

#[tokio::test]
async fn each_listed_mail_is_described_or_named_as_gone_or_withheld() {
    let one = describe(1);
    let some = format!("{one}$ OK done");
    let some_and_no = format!("{one}$ NO some messages could not be fetched");
    let cut = format!("{one}<EOF>");
    let more = format!("{}{}{one}{}$ OK done", describe(3), describe(9), describe(2));
    let undated =
        format!("{one}* 3 FETCH (UID 3 RFC822.SIZE 9 INTERNALDATE \"01-Jan-1970 00:00:00 +0000\")\r\n$ OK done");
    let singly = |first: &'static str| ("UID FETCH 2", vec![first]);
    for (batch, second, search, expected) in [
        (&more, None, None, Ok((vec![1, 2, 3], vec![], vec![]))),
        // Missing in the batch, given when asked for alone.
        (&some, None, None, Ok((vec![1, 2, 3], vec![], vec![]))),
        (&some_and_no, None, None, Ok((vec![1, 2, 3], vec![], vec![]))),
        (&undated, None, None, Ok((vec![1, 2, 3], vec![], vec![]))),
        // Missing twice.
        (&some, Some("$ OK done"), Some("* SEARCH 3\r\n$ OK done"), Ok((vec![1, 3], vec![2], vec![]))),
        (&some, Some("$ NO gone"), Some("* SEARCH 3\r\n$ OK done"), Ok((vec![1, 3], vec![2], vec![]))),
        (&some, Some("$ OK done"), Some("* SEARCH 2 3\r\n$ OK done"), Ok((vec![1, 3], vec![], vec![2]))),
        (&some, Some("$ OK done"), Some("* SEARCH\r\n$ OK done"), Err("Incomplete")),
        (&some, Some("$ OK done"), Some("$ NO not now"), Err("No")),
        (&some, Some("<EOF>"), None, Err("Lost")),
        (&cut, None, None, Err("Lost")),
    ] {
        let mut script = vec![("UID FETCH 1:3", vec![batch.as_str()])];
        script.extend(second.map(singly));
        script.extend(search.map(|answer| ("UID SEARCH UID 2,*", vec![answer])));
        let script: Vec<(&str, &[&str])> = script.iter().map(|(start, all)| (*start, all.as_slice())).collect();
        let told = announced(&script).await;
        let told =
            told.map(|told| (told.mails.iter().map(|mail| mail.uid).collect::<Vec<_>>(), told.gone, told.withheld));
        assert_eq!(told.map_err(|error| name(&error)), expected, "{batch} then {second:?} then {search:?}");
    }
}

#[tokio::test]
async fn uids_outside_the_range_are_left_for_the_next_look() {
    let server = Server::start(GREETING, &[("UID SEARCH", &["* SEARCH 9 3 2\r\n$ OK done"])]).await;
    let mut mailbox = server.open().await;
    let folder = mailbox.examine("INBOX").await.unwrap();
    let told = mailbox.announced(&folder, 2).await.unwrap();
    assert_eq!(told.mails.iter().map(|mail| mail.uid).collect::<Vec<_>>(), [3]);
    assert_eq!(mailbox.announced(&folder, 3).await.unwrap(), Announcement::default());
    assert_eq!(mailbox.announced(&folder, u32::MAX).await.unwrap(), Announcement::default());
}

#[tokio::test]
async fn ten_thousand_mails_are_announced_on_the_first_look() {
    let all: String = (1..=10_000).map(|uid| format!(" {uid}")).collect();
    let search = format!("* SEARCH{all}\r\n$ OK done");
    let examine = "* 10000 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 10001] ok\r\n$ OK done";
    let told = announced(&[("UID SEARCH UID 1:10000,*", &[&search]), ("EXAMINE", &[examine])]).await.unwrap();
    assert!(told.mails.iter().map(|mail| mail.uid).eq(1..=10_000));
    assert!(told.gone.is_empty() && told.withheld.is_empty());
}

#[tokio::test]
async fn an_empty_folder_is_empty_without_a_search() {
    let examine = "* 0 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 9] ok\r\n$ OK done";
    let script: Script<'_> = &[("EXAMINE", &[examine]), ("UID SEARCH", &["$ BAD no messages"])];
    assert_eq!(announced(script).await.unwrap(), Announcement::default());
    assert_eq!(outcome("find", script).await, "[]");
}

#[tokio::test]
async fn a_folder_is_asked_about_only_while_it_is_open() {
    let server = Server::start(GREETING, &[]).await;
    let mut mailbox = server.open().await;
    let inbox = mailbox.examine("INBOX").await.unwrap();
    mailbox.examine("Sent").await.unwrap();
    assert_eq!(name(&mailbox.announced(&inbox, 0).await.unwrap_err()), "NotOpen");
    assert_eq!(name(&mailbox.find_message_id(&inbox, "<1@example.org>").await.unwrap_err()), "NotOpen");
}

#[tokio::test]
async fn a_missing_folder_waits_for_the_player_whether_or_not_the_server_has_a_code_for_it() {
    for (answer, expected, class) in [
        ("$ NO [NONEXISTENT] unknown mailbox", "NoSuchFolder", Class::Stop),
        ("$ NO Mailbox doesn't exist: Chess", "NoSuchFolder", Class::Stop),
        ("$ NO [UNAVAILABLE] later", "No", Class::Retry),
        ("$ NO [NOPERM] not yours", "NoSuchFolder", Class::Stop),
    ] {
        let server = Server::start(GREETING, &[("EXAMINE \"Chess\"", &[answer])]).await;
        let mut mailbox = server.open().await;
        let error = mailbox.examine("Chess").await.unwrap_err();
        assert_eq!((name(&error), error.class()), (expected, class), "{answer}");
        assert_eq!(mailbox.examine("INBOX").await.unwrap().name, "INBOX", "the connection goes on");
    }
    let server = Server::start(GREETING, &[("EXAMINE", &["$ NO [NOPERM] not yours"])]).await;
    let error = server.open().await.examine("INBOX").await.unwrap_err();
    assert_eq!((name(&error), error.class()), ("No", Class::Stop));
}

#[tokio::test]
async fn idle_ends_on_every_sign_of_change_and_on_its_own_deadline() {
    let long = Duration::from_secs(30);
    let short = Duration::from_millis(30);
    for (answer, at_most, expected) in [
        ("+ idling\r\n* 4 EXISTS\r\n", long, Ok(IdleEnd::Changed)),
        ("* 4 EXISTS\r\n+ idling\r\n", long, Ok(IdleEnd::Changed)),
        ("+ idling\r\n$ OK enough\r\n", long, Ok(IdleEnd::Changed)),
        ("+ idling\r\n", short, Ok(IdleEnd::TimedOut)),
        ("+ idling\r\n* 2 RECENT\r\n* 1 FETCH (FLAGS (\\Seen))\r\n", short, Ok(IdleEnd::TimedOut)),
        ("+ idling\r\n<FLOOD>", short, Ok(IdleEnd::TimedOut)),
        ("+ idling\r\n$ NO enough\r\n", long, Err("No")),
        ("+ idling\r\n* BYE kicked\r\n<EOF>", long, Err("Bye")),
        ("+ idling\r\n<EOF>", long, Err("Lost")),
        ("+ idling\r\n+ idling\r\n", long, Err("Garbled")),
        ("$ OK not idling\r\n", long, Err("Garbled")),
        ("+ idling\r\n<SILENCE>", short, Err("Deadline")),
    ] {
        let mut server = Server::start(GREETING, &[("IDLE", &[answer])]).await;
        if answer.ends_with("<SILENCE>") {
            server.account.limits.idle_done = Duration::from_millis(50);
        }
        let mut mailbox = server.open().await;
        mailbox.examine("INBOX").await.unwrap();
        let end = mailbox.idle(at_most).await;
        assert_eq!(end.as_ref().map(|end| *end).map_err(name), expected, "{answer}");
        if end.is_ok() {
            assert_eq!(mailbox.examine("INBOX").await.unwrap().exists, 3, "after {answer}");
        }
    }
}

#[tokio::test]
async fn mail_that_came_during_another_command_is_not_slept_over() {
    let server = Server::start(GREETING, &[("LIST", &["* 4 EXISTS\r\n* LIST () \"/\" INBOX\r\n$ OK done"])]).await;
    let mut mailbox = server.open().await;
    mailbox.examine("INBOX").await.unwrap();
    mailbox.folders().await.unwrap();
    assert_eq!(mailbox.idle(HOUR).await.unwrap(), IdleEnd::Changed);
    assert_eq!(mailbox.idle(Duration::from_millis(20)).await.unwrap(), IdleEnd::TimedOut);
    mailbox.folders().await.unwrap();
    mailbox.examine("INBOX").await.unwrap();
    assert_eq!(mailbox.idle(Duration::from_millis(20)).await.unwrap(), IdleEnd::TimedOut);
}

#[tokio::test]
async fn a_mail_of_the_largest_size_is_read_and_one_byte_more_is_set_aside() {
    for (length, expected) in [(1000, "Some"), (1001, "TooLarge")] {
        let answer = format!("* 2 FETCH (UID 2 BODY[] {{{length}}}\r\n{})\r\n$ OK done", "x".repeat(length));
        let mut server = Server::start(GREETING, &[("UID FETCH", &[&answer])]).await;
        server.account.limits.literal_bytes = 1000;
        let mut mailbox = server.open().await;
        mailbox.examine("INBOX").await.unwrap();
        let seen = match mailbox.fetch(2).await {
            Ok(Some(bytes)) if bytes.len() == length => "Some",
            Ok(_) => "something else",
            Err(error) => name(&error),
        };
        assert_eq!(seen, expected);
    }
}

#[tokio::test]
async fn the_name_of_a_folder_stays_within_its_one_command_whatever_it_holds() {
    for piece in crate::injection::HOSTILE {
        let server = Server::start(GREETING, &[]).await;
        let mut mailbox = server.open().await;
        let before = server.received().len();
        mailbox.examine(&format!("a{piece}b")).await.unwrap();
        let said = server.received().split_off(before);
        let command = said.strip_suffix("\"\r\n").and_then(|said| said.split_once(" EXAMINE \"a"));
        let (tag, name) = command.unwrap_or_else(|| panic!("{piece:?}: {said:?}"));
        assert!(tag.bytes().chain(name.bytes()).all(|byte| matches!(byte, b' '..=b'~')), "{said:?}");
        assert!(!name.replace(r"\\", "").replace("\\\"", "").contains(['"', '\\']), "{said:?}");
    }
}
