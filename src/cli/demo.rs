//! `amici demo`: a mailbox with four opponents' mails, one real pass, and what the player finds, in a folder of its own.
//!
//! Nothing is acted: the same configuration, Maildir, intake, store and delivery as in service. Dates are days before today.

use std::path::Path;

use chrono::{Days, NaiveDate};
use clap::Args as ClapArgs;

use super::daemon::in_words;
use super::{Exit, Failure, Report, Setup, play, status};
use crate::config::Mail;
use crate::daemon::Daemon;
use crate::domain::document::Document;
use crate::domain::game::{Game, MoveRecord, Side, Stated};
use crate::io::maildir::Maildir;
use crate::letters::{compose, root_message_id, transmission};
use crate::mail::address::Address;
use crate::mail::message::parse;

/// Show the whole line on four sample mails, in a temporary folder
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// Keep the folder, to look around in it
    #[arg(long)]
    keep: bool,
}

const PLAYER: &str =
    "[me]\nname = \"Quillfeather, Tobin\"\nemails = [\"tobin@example.net\"]\ntimezone = \"Europe/Vienna\"\n";

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let folder = std::env::temp_dir().join(format!("amici-demo-{}", super::token()?));
    let outcome = act(setup, &folder).await;
    let mut text = outcome?;
    if args.keep {
        let (config, data) = (folder.join("config.toml"), folder.join("data"));
        text.push_str(&format!(
            "\nLook around:  amici --config {} --data {} status\n",
            config.display(),
            data.display()
        ));
    } else {
        std::fs::remove_dir_all(&folder)
            .map_err(|e| Failure::new(Exit::Failed, format!("{}: {e}", folder.display())))?;
        text.push_str(
            "\nThe folder of this demonstration is removed again (--keep keeps it).\nYour own games:  amici init\n",
        );
    }
    Ok(text.into())
}

async fn act(real: &Setup, folder: &Path) -> Result<String, Failure> {
    let failed = |what: &Path| {
        let what = what.display().to_string();
        move |e: std::io::Error| Failure::new(Exit::Failed, format!("{what}: {e}"))
    };
    let mailbox = folder.join("Maildir");
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    let config_file = folder.join("config.toml");
    let text = format!("{PLAYER}[maildir]\npath = \"{}\"\n", mailbox.display());
    std::fs::write(&config_file, text).map_err(failed(&config_file))?;
    let setup = Setup::at(Some(config_file), folder.join("data"), real.now, real.asked);
    let config = setup.config()?;
    let today = setup.now.with_timezone(&config.me.timezone).date_naive();

    let games = games(today)?;
    let mut store = setup.store().await?;
    let me: &Address = config.me.address().ok_or_else(|| Failure::new(Exit::Config, "me.emails is empty"))?;
    let entries: Vec<_> = games.iter().map(|g| (g.clone(), root_message_id(&g.id, "demo", me))).collect();
    store.import(&entries, false, setup.now).await?;
    let maildir = Maildir::create(&mailbox).map_err(|e| Failure::new(Exit::Failed, e.to_string()))?;
    let mails = mails(&games, today)?;
    for (name, raw) in &mails {
        maildir.deliver(name, raw.as_bytes()).map_err(|e| Failure::new(Exit::Failed, e.to_string()))?;
    }

    let mut out = String::new();
    say(&mut out, "Tobin Quillfeather plays three games by email. Four mails have come:");
    for (_, raw) in &mails {
        out.push_str(&indented(raw));
        out.push('\n');
    }
    say(&mut out, "One look of the daemon into Tobin's mailbox (amici poll):");
    let mail = config.mail.clone().ok_or_else(|| Failure::new(Exit::Config, "the demonstration has no mailbox"))?;
    let mut daemon =
        Daemon::new(config.clone(), mail.clone(), store, "demo".to_owned(), tokio_util::sync::CancellationToken::new())
            .await?;
    let report = daemon.round_once().await?;
    out.push_str(&indented(&in_words(&report)));
    drop(daemon);

    say(&mut out, "Tobin finds a notice of each in his mail client. The one of the table mail:");
    out.push_str(&indented(&letter(&mail, "[amici DEMO-1]")?));
    say(&mut out, "Tobin decides on 7... Nc6 and says so:  amici play DEMO-1 Nc6");
    let played = play::play(&setup, play::PlayArgs::of("DEMO-1", "Nc6")?).await?;
    out.push_str(&indented(&played.text));
    say(
        &mut out,
        "The finished draft in his mail client. Tobin opens reply.eml, reads it, edits it if he likes, and sends it himself:",
    );
    out.push_str(&indented(&letter(&mail, "ready to send")?));
    say(&mut out, "All of Tobin's games (amici status):");
    out.push_str(&indented(&status::run(&setup, status::Args::default()).await?.text));
    Ok(out)
}

fn say(out: &mut String, line: &str) {
    out.push_str(&format!("\n== {line}\n\n"));
}

fn indented(text: &str) -> String {
    text.lines().map(|l| if l.is_empty() { "\n".to_owned() } else { format!("    {l}\n") }).collect()
}

/// The delivered mail whose subject has this, as a mail client shows it.
fn letter(mail: &Mail, subject: &str) -> Result<String, Failure> {
    let failed = |why: String| Failure::new(Exit::Failed, why);
    let Mail::Maildir { path, .. } = mail else {
        return Err(failed("the demonstration has no Maildir".to_owned()));
    };
    let maildir = Maildir::open(path).map_err(|e| failed(e.to_string()))?;
    for entry in maildir.list().map_err(|e| failed(e.to_string()))? {
        let raw = maildir.read(&entry.name, 1 << 20).map_err(|e| failed(e.to_string()))?.unwrap_or_default();
        let Ok(message) = parse(&raw) else { continue };
        if message.subject.contains(subject) {
            let to: Vec<String> = message.to.iter().map(ToString::to_string).collect();
            let attached: Vec<&str> = message.attachments.iter().filter_map(|a| a.name.as_deref()).collect();
            return Ok(format!(
                "To: {}\nSubject: {}\nAttached: {}\n\n{}",
                to.join(", "),
                message.subject,
                attached.join(", "),
                message.plain.unwrap_or_default()
            ));
        }
    }
    Err(failed(format!("no mail `{subject}` was delivered")))
}

/// Three games in which the opponents are on the move; every ply is two days after the one before.
fn games(today: NaiveDate) -> Result<Vec<Game>, Failure> {
    let game = |id: &str, event: &str, name: &str, email: &str, me: Side, moves: &str| -> Result<Game, Failure> {
        let failed = |why: String| Failure::new(Exit::Failed, why);
        let mine = serde_json::json!({"name": "Quillfeather, Tobin", "emails": ["tobin@example.net"]});
        let his = serde_json::json!({"name": name, "emails": [email]});
        let (white, black) = if me == Side::White { (mine, his) } else { (his, mine) };
        let numerics: Vec<&str> = moves.split(' ').collect();
        let count = u64::try_from(numerics.len()).unwrap_or(0);
        let first = today - Days::new(2 * count + 2);
        let day = |ply: u64| first + Days::new(2 * ply);
        let plies: Vec<_> = (1..)
            .zip(&numerics)
            .map(|(ply, m)| serde_json::json!({"numeric": m, "received": day(ply - 1), "sent": day(ply)}))
            .collect();
        let document = serde_json::json!({"schema": 1, "games": [{
            "id": id, "event": event, "site": "ICCF", "white": white, "black": black, "me": me.word(),
            "start_date": first, "rules": "iccf-email-2000", "notations": ["iccf"], "moves": plies,
        }]});
        let mut read = Document::read(&document.to_string()).map_err(|e| failed(e.to_string()))?;
        read.pop().ok_or_else(|| failed("the demonstration has no game".to_owned()))
    };
    Ok(vec![
        game(
            "DEMO-1",
            "EM/ZZ/042",
            "Ostrander, Mila",
            "mila@example.org",
            Side::Black,
            "4244 7866 3234 7776 2133 6877 5254 4746 7163 5878 6152 5755",
        )?,
        game("DEMO-2", "EM/ZZ/042", "Moreau, Lucie", "lucie@example.org", Side::White, "5254 5755 7163")?,
        game("DEMO-3", "FRIEND-9", "Okafor, Ben", "ben@example.com", Side::Black, "4244 4745")?,
    ])
}

/// A table mail, a short one, an illegal move, and a stranger.
fn mails(games: &[Game], today: NaiveDate) -> Result<Vec<(String, String)>, Failure> {
    let yesterday = today - Days::new(1);
    let table = match games.first() {
        Some(game) => table_mail(game, yesterday)?,
        None => String::new(),
    };
    let day = yesterday.format("%d.%m.");
    let short = format!("Bonjour Tobin,\n\n2... 2836   received {day} sent {day}\n\nLucie\n");
    let illegal = "2. 6137\n\nBen\n".to_owned();
    let stranger = "5. 6274 is the best move, believe me.\n".to_owned();
    let mail = |name: &str, from: &str, subject: &str, body: &str| {
        let date = yesterday.format("%a, %d %b %Y 18:22:00 +0000");
        let received = format!("Received: from mx.example.org by mail.example.net; {date}\n");
        let text = format!(
            "{received}From: {from}\nTo: Tobin Quillfeather <tobin@example.net>\nSubject: {subject}\nDate: {date}\nMessage-ID: <{name}@example.org>\n\n{body}"
        );
        (format!("<{name}@example.org>"), text.replace('\n', "\r\n"))
    };
    Ok(vec![
        mail("table", "Mila Ostrander <mila@example.org>", "EM/ZZ/042 Ostrander - Quillfeather", &table),
        mail("short", "Lucie Moreau <lucie@example.org>", "Re: notre partie", &short),
        mail("illegal", "Ben Okafor <ben@example.com>", "FRIEND-9", &illegal),
        mail("stranger", "Mila Ostrander <mila@example.com>", "EM/ZZ/042", &stranger),
    ])
}

/// What Mila's own program would have written.
fn table_mail(game: &Game, day: NaiveDate) -> Result<String, Failure> {
    let failed = |why: String| Failure::new(Exit::Failed, why);
    let mut hers = game.clone();
    hers.me = game.me.other();
    let sent = game.moves.last().and_then(|m| m.claimed.sent);
    let numeric = "5171".parse().map_err(|e: crate::domain::notation::NumericError| failed(e.to_string()))?;
    hers.moves.push(MoveRecord::claimed(numeric, Stated { received: sent, sent: Some(day), ..Stated::default() }));
    let said = transmission(&hers).map_err(|e| failed(e.to_string()))?;
    Ok(compose(&said).map_err(|e| failed(e.to_string()))? + "\nBest wishes,\nMila\n")
}
