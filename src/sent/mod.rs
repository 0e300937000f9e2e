//! ONE mail of the player's own: read, decide, write, as [`crate::intake`] does with an incoming one.
//!
//! A mail really sent is the record, whatever was planned: its move, its dates, and the lines that it offers. Such mails are found
//! in the Sent folder ([`take_in`]), or are copies to himself where he has said that these are to be believed
//! (`is_believed_copy`). No sockets, no loops, no clock. What will surprise you: the same mail may lie in both places, and may have
//! been read in the inbox before; it has its effect once.

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use crate::config::{Me, Senders};
use crate::domain::clock::ledger::{DateSource, Ledger};
use crate::domain::game::{Game, GameId, Observed};
use crate::domain::judge::Accepted;
use crate::domain::notation::NumericMove;
use crate::intake::own::days_of_sending;
use crate::intake::settings::Settings;
use crate::intake::which::Thread;
use crate::intake::{Effect, IntakeError, RawMessage, Taking};
use crate::io::store::{EventRow, NewMove, SentOutcome, SentRow, Store, StoreError, Taken, VerdictRow};
use crate::letters::{Remark, SentCopy, SentNews, sent_notice};
use crate::mail::authentication::{Authentication, Finding as Proof};
use crate::mail::message::{IncomingMessage, parse};
use crate::mail::text::one_line;
use crate::overview::{Answers, Read};

mod again;
pub(crate) mod bounced;
pub mod decide;
mod given;
mod letter;
mod misdirected;
mod read;
mod reminder;
mod words;

pub(crate) use again::one_again;
pub use again::read_again;
pub use decide::ended_by;
pub(crate) use given::{given, seen};

use decide::{Finding, Offers, What, concerned, decide, ids_in};
use given::promised;
use reminder::{in_words_only, repeated};

/// Takes one mail of the Sent folder in: its move, its notice and its tick in the ledger, or nothing at all.
///
/// The same content a second time changes nothing.
///
/// # Errors
/// [`IntakeError`]; then nothing was written.
pub async fn take_in(
    store: &mut Store,
    me: &Me,
    senders: &Senders,
    mail: &RawMessage<'_>,
    now: DateTime<Utc>,
) -> Result<Taking, IntakeError> {
    match attempt(store, me, senders, mail, now).await {
        Err(error) if error.is_overtaken() => attempt(store, me, senders, mail, now).await,
        other => other,
    }
}

async fn attempt(
    store: &mut Store,
    me: &Me,
    senders: &Senders,
    mail: &RawMessage<'_>,
    now: DateTime<Utc>,
) -> Result<Taking, IntakeError> {
    let sha256: [u8; 32] = Sha256::digest(mail.bytes).into();
    // a copy in another folder may have been taken before; its instant is on record
    let known = match store.mail_known(sha256).await? {
        Some(id) => store.mail(id).await?.and_then(|known| known.server_date),
        None => None,
    };
    let (at, verified) = (known.unwrap_or(mail.at), mail.verified.clone());
    let mail = &RawMessage { bytes: mail.bytes, at, arrival: mail.arrival.clone(), verified };
    let mut taken = Taken { arrival: mail.arrival.clone(), raw: mail.bytes, server_date: Some(at), ..Taken::default() };
    let message = parse(mail.bytes).ok();
    if let Some(message) = &message {
        fill(store, (me, senders), message, mail, None, now, &mut taken).await?;
    }
    if taken.verdicts.is_empty() {
        // no word of a private letter is kept, not even its subject
        taken.private = true;
        taken.verdicts.push(own_row(None, "a copy of your own mail".to_owned()));
    }
    if !store.record_sent(sha256, &taken, now).await?.new {
        return Ok(Taking::default());
    }
    Ok(taking(&taken))
}

/// What came of a mail of the player's.
pub(crate) fn taking(taken: &Taken<'_>) -> Taking {
    let effect = |row: &VerdictRow| Effect { game: row.game.clone(), outcome: row.outcome, reason: row.reason.clone() };
    Taking {
        message_id: taken.message_id.clone(),
        results: taken.verdicts.iter().map(effect).collect(),
        notices: taken.outgoing.len(),
    }
}

/// Whether a mail of the inbox is a copy of the player's own to be believed: he has said so, it bears his address, and his own
/// server, where it says anything, does not say that it is forged.
pub(crate) fn is_believed_copy(
    message: &IncomingMessage,
    me: &Me,
    senders: &Senders,
    verified: Option<&[Proof]>,
) -> bool {
    let Ok(from) = &message.from else { return false };
    let found = || Authentication::of(&message.headers, &senders.own_server, verified);
    let proven = || found().vouching_domain(&from.address).is_some();
    senders.own_copies && me.is_mine(&from.address) && (!senders.can_prove() || proven())
}

/// Whether the player wrote a mail to nobody but himself: a command, or one of our own letters.
pub fn is_to_himself(bytes: &[u8], me: &Me) -> bool {
    let Ok(message) = parse(bytes) else { return false };
    let mut to = message.to.iter().chain(&message.cc).peekable();
    message.from.as_ref().is_ok_and(|from| me.is_mine(&from.address))
        && to.peek().is_some()
        && to.all(|to| me.is_mine(to))
}

/// Decides about a mail of the player's, and adds all its effects; none for what is no game's business. `again`: it was read before,
/// and is for this game only.
///
/// # Errors
/// [`IntakeError`].
pub(crate) async fn fill(
    store: &mut Store,
    (me, senders): (&Me, &Senders),
    message: &IncomingMessage,
    mail: &RawMessage<'_>,
    again: Option<&GameId>,
    now: DateTime<Utc>,
    taken: &mut Taken<'_>,
) -> Result<(), IntakeError> {
    let own_id = message.message_id.as_ref().map(ToString::to_string);
    if let Some(id) = &own_id
        && store.outgoing_by_message_id(id).await?.is_some()
    {
        // a notice or a draft on its way to himself
        return Ok(());
    }
    let ours = store.own_ids(&ids_in(message)).await?;
    let (hints, may_concern) = concerned(message, &ours);
    let threads = store.games_hinted(&hints, may_concern).await?;
    let offers = offers(store, &threads).await?;
    let sha256: [u8; 32] = Sha256::digest(mail.bytes).into();
    let held = store.held().await?;
    let his_is_held = |game: &GameId| held.iter().any(|held| held.game.as_ref() == Some(game) && held.outcome != "own");
    // the id of a mail that is read again is known by its first reading
    let seen_id = own_id.as_deref().filter(|_| again.is_none());
    let findings = decide(message, (me, senders), &threads, &ours, &offers, mail.at);
    let repeats = findings.iter().any(|finding| matches!(finding.what, What::Repeated(_)));
    let answers = if repeats { Answers::load(store, Read::ByHim).await? } else { Answers::default() };
    let desk = Desk { message, me, mail, sha256: &sha256, seen_id, answers, now };
    let on = desk.observed().sent.filter(|_| again.is_none());
    let told = on.map(|on| letter::told(message, me, &threads, on)).unwrap_or_default();
    for finding in findings {
        let id = &finding.thread.game.id;
        let is_told = !finding.what.gives_a_move() && told.iter().any(|told| told.game == *id);
        if is_told || again.is_some_and(|game| game != id) {
            continue;
        }
        let finding = if his_is_held(id) { finding.where_his_is_held() } else { finding };
        desk.effects(&finding, taken)?;
    }
    told.into_iter().for_each(|told| told.fill(taken));
    if taken.verdicts.is_empty() {
        return Ok(());
    }
    taken.settings = Settings::of(me, senders).as_value();
    taken.verified.clone_from(&mail.verified);
    taken.from_address = message.from.as_ref().ok().map(|sender| sender.address.to_string());
    taken.subject = one_line(&message.subject, 200);
    taken.message_id = own_id;
    Ok(())
}

/// What the opponents have offered with the last moves of these games, where the player is to answer.
pub(crate) async fn offers(store: &mut Store, threads: &[Thread]) -> Result<Offers, StoreError> {
    let due = threads.iter().map(|thread| &thread.game).filter(|game| game.is_my_turn());
    let last: Vec<(&GameId, usize)> = due.map(|game| (&game.id, game.moves.len())).collect();
    let lines = store.lines_with(&last).await?.into_iter();
    let named = lines.map(|(game, lines)| (game, lines.iter().filter_map(|line| promised(line)).collect()));
    Ok(named.filter(|(_, lines): &(GameId, Vec<Vec<NumericMove>>)| !lines.is_empty()).collect())
}

/// The mail with all that its effects are made of.
struct Desk<'d> {
    message: &'d IncomingMessage,
    me: &'d Me,
    mail: &'d RawMessage<'d>,
    sha256: &'d [u8; 32],
    /// The id by which another copy of it may be known.
    seen_id: Option<&'d str>,
    /// What shows that a move of his may not have arrived.
    answers: Answers,
    now: DateTime<Utc>,
}

impl Desk<'_> {
    fn effects(&self, finding: &Finding<'_>, taken: &mut Taken<'_>) -> Result<(), IntakeError> {
        let Finding { thread, ply, what, .. } = finding;
        let game = &thread.game;
        let id = &game.id;
        if self.seen_id.is_some_and(|own| game.seen_message_ids.iter().any(|seen| seen == own)) {
            // the other copy of one mail
            taken.verdicts.push(own_row(Some(id.clone()), "another copy of a mail of yours that was read".to_owned()));
            return Ok(());
        }
        let number = game.number_of(ply - 1);
        let mut row = own_row(Some(id.clone()), String::new());
        let mut sent = SentRow {
            game: id.clone(),
            ply: *ply,
            outcome: SentOutcome::Review,
            numeric: None,
            observed: None,
            open: true,
        };
        let mut after = game.clone();
        let only_his_word = game.moves.get(ply - 1).is_some_and(|record| !record.observed.is_of_mail());
        let news = match what {
            What::Message => {
                row.reason = "your mail to him gives no move".to_owned();
                row.reason.extend(in_words_only(game, self.message, self.observed().sent));
                taken.verdicts.push(row);
                return Ok(());
            }
            What::Move { accepted, unagreed } => {
                let remarks = self.remarks(thread, accepted, *unagreed);
                let planned = remarks.iter().any(|remark| matches!(remark, Remark::Planned(_)));
                let new = given(game, accepted, self.observed());
                after = recorded(game, &new);
                sent.ply = after.moves.len();
                sent.outcome = if planned { SentOutcome::Differs } else { SentOutcome::Recorded };
                (sent.numeric, sent.open) = (Some(accepted.numeric), planned);
                row.reason = format!("you sent {}", accepted.plies_in_words());
                if let Some((number, reply)) = accepted.promised {
                    row.reason.push_str(&format!("; he is bound to {number} {reply}"));
                }
                (row.plies, row.conditionals, row.stated) =
                    (accepted.plies(), accepted.conditionals.clone(), accepted.stated);
                taken.moves.push(new);
                let (number, sent) = (accepted.number, accepted.numeric);
                (!remarks.is_empty()).then_some(SentNews::Recorded { number, sent, remarks })
            }
            What::Repeated(accepted) => {
                sent.outcome = SentOutcome::Repeated;
                (sent.numeric, sent.open) = (Some(accepted.numeric), false);
                let lost = self.answers.lost(game, self.mail.at, self.me.timezone);
                // what went out again before is for the player: he was asked from which day to count
                let (lost, on) = (lost.filter(|lost| lost.again.is_none()), self.observed().sent);
                let (reason, note) = repeated(game, (number, accepted.numeric), *ply, lost, on);
                row.reason = reason;
                match note {
                    // a letter of its own: its day is not that of the move
                    Some(note) => taken.notes.push((id.clone(), note)),
                    None => sent.observed = Some(self.observed()),
                }
                None
            }
            What::Second { numeric, recorded } if only_his_word => {
                sent.numeric = Some(*numeric);
                row.reason = format!("gives {number} {numeric}, but by your own word you sent {number} {recorded}");
                Some(SentNews::Review { reason: row.reason.clone() })
            }
            What::Second { numeric, recorded } => {
                sent.outcome = SentOutcome::Second;
                sent.numeric = Some(*numeric);
                row.reason = format!("gives {number} {numeric}, but {number} {recorded} went out before and stands");
                Some(SentNews::Second { number, sent: *numeric, recorded: *recorded })
            }
            What::Illegal(reason) => {
                sent.outcome = SentOutcome::Illegal;
                row.reason.clone_from(reason);
                Some(SentNews::Illegal { reason: reason.clone() })
            }
            What::Unreadable(reason) => {
                sent.outcome = SentOutcome::Unreadable;
                row.reason.clone_from(reason);
                Some(SentNews::Illegal { reason: reason.clone() })
            }
            What::Waits => {
                row.reason =
                    "may answer a mail of his that is held; it is read again once you have settled that".to_owned();
                Some(SentNews::Waits)
            }
            What::Ends { reason, result } => {
                row.reason = format!("{reason}; the game is closed by `amici result {id} {}` alone", result.word());
                Some(SentNews::Ends { reason: reason.clone(), result: *result })
            }
            What::Review { reason, numeric } => {
                sent.numeric = *numeric;
                row.reason.clone_from(reason);
                row.candidates.extend(numeric);
                Some(SentNews::Review { reason: reason.clone() })
            }
        };
        row.open = sent.open && sent.outcome != SentOutcome::Differs;
        let mut text = row.reason.clone();
        if let Some(SentNews::Recorded { remarks, .. }) = &news {
            text.extend(remarks.iter().map(|remark| format!("; {}", remark.in_brief(game))));
        }
        taken.events.push(EventRow { game: Some(id.clone()), kind: kind_of(sent.outcome).to_owned(), text });
        taken.verdicts.push(row);
        taken.sent.push(sent);
        if let Some(news) = news {
            let copy = SentCopy { sha256: self.sha256, at: self.mail.at };
            let letter = sent_notice(&after, &thread.root_message_id, &news, copy, self.me, self.now)?;
            taken.outgoing.push(letter.into_notice(Some(id.clone())));
        }
        Ok(())
    }

    /// What the player should know of a move that went on record by his mail.
    fn remarks(&self, thread: &Thread, accepted: &Accepted, unagreed: bool) -> Vec<Remark> {
        let game = &thread.game;
        let mut remarks = Vec::new();
        let planned = game.plan.as_ref().map(|plan| plan.records().iter().map(|record| record.numeric).collect());
        let other = planned.filter(|planned: &Vec<NumericMove>| !accepted.plies().starts_with(planned));
        remarks.extend(other.and_then(|planned| planned.first().copied()).map(Remark::Planned));
        if let Some(stamped) = self.observed().sent {
            let mut stated = days_of_sending(self.message, &decide::as_read(thread), accepted.number, self.mail.at);
            stated.extend(accepted.stated.sent);
            let other = stated.into_iter().find(|stated| *stated != stamped);
            remarks.extend(other.map(|stated| Remark::dates(stated, stamped, accepted.stated.sent)));
        }
        remarks.extend(self.not_booked(game, accepted));
        remarks.extend(unagreed.then_some(Remark::Unagreed));
        remarks
    }

    /// What is not stated to the opponent is not booked on the next day, whatever the clock showed before.
    fn not_booked(&self, game: &Game, accepted: &Accepted) -> Option<Remark> {
        let sent = self.observed().sent.filter(|_| accepted.stated.received.is_none())?;
        let booked = self.me.ledger(game).ok()?.received_before(sent).filter(|d| d.source == DateSource::NextDay)?.day;
        let came = Ledger::of(game).ok()?.waiting_since()?.day;
        Some(Remark::NotBooked { came, booked })
    }

    fn observed(&self) -> Observed {
        seen(self.message, self.mail.at, self.me.timezone)
    }
}

/// The game with the move on record.
fn recorded(game: &Game, new: &NewMove) -> Game {
    let mut after = game.clone();
    after.plan = None;
    after.moves.extend(new.before.iter().chain([&new.record]));
    after.draw_offer = new.draw_offer;
    after.conditionals.clone_from(&new.conditionals);
    after
}

fn kind_of(outcome: SentOutcome) -> &'static str {
    match outcome {
        SentOutcome::Recorded => "sent",
        SentOutcome::Repeated => "repeated",
        other => other.flag().unwrap_or("sent"),
    }
}

fn own_row(game: Option<crate::domain::game::GameId>, reason: String) -> VerdictRow {
    VerdictRow {
        game,
        outcome: "own",
        reason,
        plies: Vec::new(),
        conditionals: Vec::new(),
        stated: Default::default(),
        discrepancies: Vec::new(),
        candidates: Vec::new(),
        open: false,
        read_as: None,
    }
}
