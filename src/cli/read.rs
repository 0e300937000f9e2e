//! `amici read`: what the daemon would make of saved mails, up to the decision. Changes nothing.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use clap::Args as ClapArgs;
use serde_json::json;

use super::{Exit, Failure, Report, Setup};
use crate::config::Config;
use crate::domain::judge::{Cause, Verdict};
use crate::intake::arrival_time;
use crate::intake::decide::{Decision, Judgement, Opened, Trust, decide_opened};
use crate::intake::evidence::Letters;
use crate::intake::words;
use crate::io::file::{self, MAIL};
use crate::io::store::StoredGame;
use crate::languages::Language;
use crate::letters;
use crate::mail::message::IncomingMessage;

/// Say what saved mails would mean, and change nothing
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// Saved mails
    #[arg(required = true, value_name = "FILE.eml")]
    files: Vec<PathBuf>,
    /// When the server took the mail [default: its topmost Received, else now]
    #[arg(long, value_name = "INSTANT", value_parser = super::instant)]
    at: Option<DateTime<Utc>>,
    /// One JSON document per file
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store_if_any().await?;
    let mut report = Report::default();
    let mut troubles = Vec::new();
    for file in &args.files {
        let read = file::read(file, MAIL).map_err(|e| format!("cannot be read: {e}"));
        let opened = read.and_then(|raw| Ok((Opened::of(&raw).map_err(|e| e.to_string())?, arrival_time(&raw))));
        let (opened, arrived) = match opened {
            Ok(opened) => opened,
            Err(why) => {
                troubles.push(format!("{}: {why}", file.display()));
                continue;
            }
        };
        let at = args.at.or(arrived).unwrap_or(setup.now);
        let games = match &mut store {
            Some(store) => store.games_hinted(&opened.hints(&config.me), opened.concerns(&config.me)).await?,
            None => Vec::new(),
        };
        let letters = match (&mut store, opened.message()) {
            (Some(store), Some(message)) => Letters::load(store, message, &games).await?,
            _ => Letters::default(),
        };
        let from = opened.message().and_then(|message| message.from.as_ref().ok()).map(|from| &from.address);
        let seen = match &mut store {
            Some(store) => store.sender_domains(from).await?,
            None => Vec::new(),
        };
        let trust = Trust { senders: &config.senders, seen: &seen, verified: None };
        let decision = decide_opened(opened.beside(letters), &config.me, &trust, &games, at);
        report.text.push_str(&match args.json {
            true => as_json(file, &decision),
            false => in_words(file, &decision, &config, at),
        });
    }
    if troubles.is_empty() {
        return Ok(report);
    }
    super::warn(&troubles);
    report.exit = Exit::Failed;
    Ok(report)
}

fn as_json(file: &Path, decision: &Decision<'_>) -> String {
    let message = decision.message.as_ref();
    let results: Vec<_> = decision.judgements.iter().map(|judgement| result(message, judgement)).collect();
    let document = json!({
        "schema": 1,
        "file": file.file_name().map(|n| n.to_string_lossy()),
        "message_id": message.and_then(|m| m.message_id.as_ref()).map(ToString::to_string),
        "from": message.and_then(|m| m.from.as_ref().ok()).map(|s| s.address.to_string()),
        "results": results,
    });
    format!("{document}\n")
}

fn result(message: Option<&IncomingMessage>, judgement: &Judgement<'_>) -> serde_json::Value {
    let game = judgement.thread.map(|t: &StoredGame| &t.game);
    let verdict = &judgement.verdict;
    let doubt = message
        .and_then(|message| words::cause(message, verdict))
        .map(|Cause { line, text, word, code }| json!({ "line": line, "text": text, "word": word, "code": code }));
    let unread = message.map(|message| words::unread(message, game)).unwrap_or_default();
    let unread: Vec<_> = unread.into_iter().map(|(line, text)| json!({ "line": line, "text": text })).collect();
    let mut value = json!({
        "game_id": game.map(|game| game.id.to_string()),
        "outcome": verdict.outcome(),
        "plies": [],
        "received": null, "sent": null, "days": null, "total": null,
        "draw_offer": false,
        "conditionals": [],
        "reason": verdict.reason(),
        "discrepancies": [],
        "notes": [],
        "doubt": doubt,
        "unread": unread,
    });
    let more = match verdict {
        Verdict::Accepted(a) => json!({
            "plies": a.plies(),
            "conditionals": a.conditionals,
            "received": a.stated.received,
            "sent": a.stated.sent.or(a.header_sent),
            "days": a.stated.days,
            "total": a.stated.total,
            "draw_offer": a.draw_offer,
            "discrepancies": a.discrepancies,
            "notes": a.notes,
        }),
        Verdict::Held { candidates, .. } => json!({ "candidates": candidates }),
        Verdict::Resignation(_)
        | Verdict::DrawAccepted(_)
        | Verdict::Repeat(_)
        | Verdict::Illegal(_)
        | Verdict::WrongSender(_)
        | Verdict::NotAMove(_) => json!({}),
    };
    if let (Some(value), Some(more)) = (value.as_object_mut(), more.as_object()) {
        value.extend(more.clone());
    }
    value
}

fn in_words(file: &Path, decision: &Decision<'_>, config: &Config, at: DateTime<Utc>) -> String {
    let mut text = format!("{}\n", file.display());
    if let Some(message) = &decision.message {
        let from = match &message.from {
            Ok(sender) => sender.address.to_string(),
            Err(trouble) => trouble.to_string(),
        };
        text.push_str(&format!("  from      {from}\n"));
        if let Some(finding) = &decision.vouching {
            text.push_str(&format!("  proof     {}\n", letters::vouched(Some(finding), Language::English)));
        }
        text.push_str(&format!("  subject   {}\n", crate::mail::text::one_line(&message.subject, 100)));
    }
    text.push_str(&format!("  arrived   {}\n", config.me.local(at)));
    for judgement in &decision.judgements {
        let game = judgement
            .thread
            .map_or("none".to_owned(), |t| format!("{} (against {})", t.game.id, t.game.opponent().name));
        let message = decision.message.as_ref();
        let cause = message.and_then(|message| words::cause(message, &judgement.verdict));
        let reason = judgement.verdict.reason();
        text.push_str(&format!(
            "  game      {game}\n  outcome   {}\n  reason    {}\n",
            judgement.verdict.outcome(),
            cause.map_or(reason.clone(), |cause| cause.quoted_in(&reason, Language::English))
        ));
        let unread = message.map(|message| words::unread(message, judgement.thread.map(|t| &t.game)));
        for (line, words) in unread.unwrap_or_default() {
            text.push_str(&format!("  he writes {words}   (line {line})\n"));
        }
        match &judgement.verdict {
            Verdict::Accepted(a) => {
                let day = |d: Option<chrono::NaiveDate>| d.map_or("not stated".to_owned(), |d| d.to_string());
                let count = |n: Option<u32>| n.map_or("not stated".to_owned(), |n| n.to_string());
                let sent = match (a.stated.sent, a.header_sent) {
                    (Some(sent), _) => sent.to_string(),
                    (None, Some(header)) => format!("not stated; the mail is dated {header}"),
                    (None, None) => "not stated".to_owned(),
                };
                text.push_str(&format!(
                    "  move      {}\n  received  {}\n  sent      {sent}\n  days      {}\n  total     {}\n",
                    a.plies_in_words(),
                    day(a.stated.received),
                    count(a.stated.days),
                    count(a.stated.total)
                ));
                for line in &a.conditionals {
                    text.push_str(&format!("  offers    {}\n", line.join(" ")));
                }
                for line in &a.discrepancies {
                    text.push_str(&format!("  differs   {}\n", line.in_english()));
                }
                if a.draw_offer {
                    text.push_str("  draw      offered with this move\n");
                }
                for line in &a.notes {
                    text.push_str(&format!("  he adds   {line}\n"));
                }
            }
            Verdict::Held { candidates, .. } => {
                for m in candidates {
                    text.push_str(&format!("  may mean  {m}\n"));
                }
            }
            Verdict::Resignation(_)
            | Verdict::DrawAccepted(_)
            | Verdict::Repeat(_)
            | Verdict::Illegal(_)
            | Verdict::WrongSender(_)
            | Verdict::NotAMove(_) => {}
        }
    }
    text
}
