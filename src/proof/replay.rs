//! The whole record once more, in an empty database, from the raw mails and the player's own acts.
//!
//! Every act calls the function that it came from, with the same arguments, in the same order; `now` is the act's instant. Mails
//! go through [`take_in`], so every decision is taken anew. What will surprise you: after an update of the program a decision
//! may come out otherwise; it is shown as a difference and never taken over.

use std::collections::BTreeSet;

use super::diff::unified;
use super::{came, digest};
use crate::intake::settings::Settings;
use crate::intake::{IntakeError, RawMessage, take_in};
use crate::io::store::{
    About, Act, Care, HashOnly, LetterRef, MailRef, Outgoing, Performed, Store, StoreError, Taken, VerdictRow,
};
use crate::sent;
use chrono::{DateTime, Utc};

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Acts that were done once more.
    pub acts: usize,
    /// How many of them were mails that were read again.
    pub mails: usize,
    /// Mails of which only the hash is kept: nothing in them can be read again.
    pub hashes: usize,
    /// The first act and the last.
    pub span: Option<(DateTime<Utc>, DateTime<Utc>)>,
    /// The versions of the program that judged the mails.
    pub versions: BTreeSet<String>,
    /// Rows that were compared.
    pub rows: usize,
    /// What differs, as a unified diff from the record to what was rebuilt.
    pub diff: String,
    /// The act that could not be done once more; then nothing was compared.
    pub stopped: Option<Stopped>,
}

/// Why it went no further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// The key of the act.
    pub act: i64,
    /// When it was done.
    pub at: DateTime<Utc>,
    /// Why it cannot be done once more.
    pub why: String,
}

/// Why an act cannot be done once more.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Intake(#[from] IntakeError),
    #[error("mail {0} is not stored\nhelp: put back the newest backup that has it")]
    NoMail(String),
    #[error(
        "mail {number}: its stored bytes are not those that came (SHA-256 {came})\nhelp: put back the newest backup that has it"
    )]
    OtherMail { number: i64, came: String },
    #[error("letter {0} is not stored as it was made\nhelp: put back the newest backup that has it")]
    NoLetter(String),
    #[error("no settings are on record that the mail was judged by\nhelp: this is a defect of amici, please report it")]
    NoSettings,
    #[error("mail {0} is not held at this point of the record")]
    NotHeld(String),
    #[error("it comes to nothing at this point of the record")]
    NoEffect,
}

/// Does every act of `source` once more in `fresh`, an empty database, and compares the two.
///
/// # Errors
/// Those of reading `source`, and of comparing.
pub async fn replay(source: &mut Store, fresh: &mut Store) -> Result<Replayed, StoreError> {
    let snapshot = source.snapshot().await?;
    fresh.take_over(source.answer_key().await?).await?;
    let mut done = Replayed::default();
    let mut settings: Option<Settings> = None;
    for performed in &snapshot.acts {
        let Performed { id, at, act } = performed;
        match act {
            Act::Settings(value) => {
                settings = Settings::read(value);
                done.versions.extend(settings.iter().map(|settings| settings.amici.clone()));
            }
            Act::Mail(_) | Act::SentMail(_) => done.mails += 1,
            Act::Private(_) => done.hashes += 1,
            _ => {}
        }
        if let Err(why) = repeat(act, *at, settings.as_ref(), source, fresh).await {
            done.stopped = Some(Stopped { act: *id, at: *at, why: why.to_string() });
            return Ok(done);
        }
        done.acts += 1;
        done.span = Some((done.span.map_or(*at, |(first, _)| first), *at));
    }
    done.rows = snapshot.dump.lines().count();
    done.diff = unified(&snapshot.dump, &fresh.snapshot().await?.dump);
    Ok(done)
}

async fn repeat(
    act: &Act,
    at: DateTime<Utc>,
    settings: Option<&Settings>,
    source: &mut Store,
    fresh: &mut Store,
) -> Result<(), Failed> {
    match act {
        Act::Settings(_) => {}
        Act::Import { games, replace } => {
            fresh.import(games, *replace, at).await?;
        }
        // the mail that commanded it has done it already
        Act::Plan { by: Some(_), .. } | Act::Undo { by: Some(_), .. } | Act::Care { by: Some(_), .. } => {}
        Act::Plan { game, expected_plies, plan, draft, by: None } => {
            let draft = match draft {
                Some(draft) => Some(letter(source, draft).await?),
                None => None,
            };
            fresh.plan(game, *expected_plies, plan, draft.as_ref(), at).await?;
        }
        Act::Restate { game, expected_plies, replaced, plan } => {
            fresh.restate(game, *expected_plies, replaced, plan, at).await?;
        }
        Act::Undo { game, by: None } => {
            fresh.undo(game, at).await?.ok_or(Failed::NoEffect)?;
        }
        Act::Release { game, expected_plies, chosen, plan, mail } => {
            let row = source.release_by_message_id(&mail.message_id).await?;
            let release = row.and_then(|row| mail.with(row.release.bytes));
            let release = release.ok_or_else(|| Failed::NoLetter(mail.message_id.clone()))?;
            fresh.release(game, *expected_plies, chosen, plan, &release, at).await?;
        }
        Act::Recall { game } => {
            fresh.recall(game, at).await?.then_some(()).ok_or(Failed::NoEffect)?;
        }
        Act::Sent { sent, event } => fresh.confirm_sent(sent, event, at).await?,
        Act::Mail(mail) => {
            let settings = settings.ok_or(Failed::NoSettings)?;
            let bytes = raw(source, mail).await?;
            let raw = RawMessage {
                bytes: &bytes,
                at: mail.server_date.unwrap_or(at),
                arrival: mail.arrival.clone(),
                verified: mail.verified.clone(),
            };
            take_in(fresh, &settings.me, &settings.senders, &raw, at).await?;
        }
        Act::SentMail(mail) => {
            let settings = settings.ok_or(Failed::NoSettings)?;
            let bytes = raw(source, mail).await?;
            let raw = RawMessage {
                bytes: &bytes,
                at: mail.server_date.unwrap_or(at),
                arrival: mail.arrival.clone(),
                verified: mail.verified.clone(),
            };
            sent::take_in(fresh, &settings.me, &settings.senders, &raw, at).await?;
        }
        Act::ReadAgain { about } => {
            let settings = settings.ok_or(Failed::NoSettings)?;
            let game = about.game.as_ref().ok_or(Failed::NoEffect)?;
            let missing = || Failed::NoMail(about.mail.clone());
            let mail = fresh.mail_known(digest(&about.mail).ok_or_else(missing)?).await?.ok_or_else(missing)?;
            let done = sent::one_again(fresh, &settings.me, &settings.senders, (mail, game), at).await?;
            done.ok_or(Failed::NoEffect)?;
        }
        Act::Private(mail) => {
            let sha256 = digest(&mail.sha256).ok_or_else(|| Failed::NoMail(mail.sha256.clone()))?;
            fresh.record_as(sha256, mail.size, &private(mail), at).await?;
        }
        Act::Settle { by: Some(_), .. } | Act::Ask { by: Some(_), .. } => {}
        Act::Settle { about, read, letters, event, by: None } => {
            let verdict = held(fresh, about).await?;
            let mut outgoing = Vec::with_capacity(letters.len());
            for one in letters {
                outgoing.push(letter(source, one).await?);
            }
            if !fresh.settle_verdict(verdict, read.as_ref(), &outgoing, event, at).await? {
                return Err(Failed::NotHeld(about.mail.clone()));
            }
        }
        Act::Ask { about, again, letter: asked, event, by: None } => {
            let verdict = held(fresh, about).await?;
            fresh.ask(verdict, *again, &letter(source, asked).await?, event, at).await?;
        }
        Act::Assign { about, to, outcome, reason, events } => {
            let verdict = held(fresh, about).await?;
            if !fresh.assign(verdict, to, (outcome, reason), events, at).await? {
                return Err(Failed::NotHeld(about.mail.clone()));
            }
        }
        Act::Close { game, result, report, .. } => {
            let report = match report {
                Some(report) => Some(letter(source, report).await?),
                None => None,
            };
            fresh.close_game(game, *result, report.as_ref(), at).await?;
        }
        Act::Delete { game, event } => fresh.delete(game, event, at).await?,
        Act::Retract { by: Some(_), .. } => {}
        Act::Retract { back, expected_plies, event, by: None } => {
            fresh.retract(back, *expected_plies, event, at).await?;
        }
        Act::Care { leaves, notes, letters, events, by: None } => {
            let mut care = Care {
                leaves: leaves.clone(),
                notes: notes.clone(),
                events: events.clone(),
                outgoing: Vec::with_capacity(letters.len()),
            };
            for one in letters {
                care.outgoing.push(letter(source, one).await?);
            }
            fresh.take_care(&care, at).await?;
        }
        Act::RemoveLeave { leaves, events } => {
            if !fresh.remove_leave(leaves, events, at).await? {
                return Err(Failed::NoEffect);
            }
        }
        Act::RemoveClockNote { game, note, event } => {
            if !fresh.remove_clock_note(game, note, event, at).await? {
                return Err(Failed::NoEffect);
            }
        }
        Act::SettleClock { game, settled, event } => fresh.settle_clock(game, settled, event, at).await?,
        Act::SetRules { game, before, rules, event } => fresh.set_rules(game, (before, rules), event, at).await?,
        Act::Edit { game, before, after, event } => {
            if !fresh.edit(game, (before, after), event, at).await? {
                return Err(Failed::NoEffect);
            }
        }
        Act::Illegal { game, ply, before, counted, event } => {
            fresh.count_illegal(game, *ply, (*before, *counted), event, at).await?;
        }
        Act::Annotate { notes } => {
            fresh.annotate(notes, at).await?;
        }
        Act::RemoveNote { game, note } => {
            if !fresh.remove_note(game, note, at).await? {
                return Err(Failed::NoEffect);
            }
        }
        Act::ClockRight { newest, event, .. } => {
            fresh.clock_right(*newest, event, at).await?;
        }
        Act::Note { event } => fresh.note(event, at).await?,
    }
    Ok(())
}

/// The bytes of a mail, if they are those that came.
async fn raw(source: &mut Store, mail: &MailRef) -> Result<Vec<u8>, Failed> {
    let missing = || Failed::NoMail(mail.sha256.clone());
    let sha256 = digest(&mail.sha256).ok_or_else(missing)?;
    let number = source.mail_known(sha256).await?.ok_or_else(missing)?;
    let bytes = came(source, number, &mail.sha256).await?;
    bytes.ok_or_else(|| Failed::OtherMail { number, came: mail.sha256.clone() })
}

async fn letter(source: &mut Store, letter: &LetterRef) -> Result<Outgoing, Failed> {
    let row = source.outgoing_by_message_id(&letter.message_id).await?;
    let outgoing = row.and_then(|row| letter.with(row.outgoing.bytes));
    outgoing.ok_or_else(|| Failed::NoLetter(letter.message_id.clone()))
}

async fn held(fresh: &mut Store, about: &About) -> Result<i64, Failed> {
    fresh.verdict_about(about).await?.ok_or_else(|| Failed::NotHeld(about.mail.clone()))
}

fn private(mail: &HashOnly) -> Taken<'static> {
    let verdict = VerdictRow {
        game: None,
        outcome: if mail.own { "own" } else { "not_game_mail" },
        reason: mail.reason.clone(),
        plies: Vec::new(),
        conditionals: Vec::new(),
        stated: Default::default(),
        discrepancies: Vec::new(),
        candidates: Vec::new(),
        read_as: None,
        open: false,
    };
    Taken {
        private: true,
        message_id: mail.message_id.clone(),
        from_address: mail.from_address.clone(),
        subject: mail.subject.clone(),
        server_date: mail.server_date,
        verdicts: vec![verdict],
        delivered_message_id: mail.delivered_message_id.clone(),
        vouched: mail.vouched.clone(),
        events: mail.events.clone(),
        ..Taken::default()
    }
}
