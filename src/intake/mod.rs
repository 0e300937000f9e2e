//! ONE incoming mail: read, decide, write. The first code to read.
//!
//! [`take_in`] reads the mail ([`crate::mail`]), finds the game and decides ([`decide`]), composes the notice
//! ([`crate::letters`]), and writes all of it in one transaction. It is called by the daemon for mails of the mailbox and by
//! `amici take` for mails given by hand. No sockets, no loops, no clock: instants are arguments.

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use crate::config::{Me, Senders};
use crate::domain::clock::reminder::reminder;
use crate::domain::game::{Game, GameId, MoveRecord, Observed};
use crate::domain::judge::{Accepted, Reason, Verdict};
use crate::io::Class;
use crate::io::store::{
    Arrival, Commanded, EventRow, NewMove, Store, StoreError, StoredGame, Taken, VerdictRow, Vouched,
};
use crate::letters::{self, AnswerKey, Incoming, LetterError, is_of_several, notice_of_several};
use crate::mail::address::Address;
use crate::mail::authentication::Finding;
use crate::mail::message::{IncomingMessage, parse};
use crate::mail::text::one_line;
use crate::sent;

pub mod again;
pub(crate) mod clues;
mod command;
mod cut_at_moves;
pub mod decide;
pub mod evidence;
mod glance;
mod heading;
pub(crate) mod held;
pub mod marked;
pub(crate) mod own;
mod question;
mod sections;
pub mod settings;
mod several;
pub mod table;
mod told;
mod undecided;
pub mod unsettled;
pub mod which;
mod who;
pub mod words;

use decide::{Decision, Judgement, Opened, Trust, decide_opened};
use evidence::Letters;
pub use glance::{arrival_time, command_sent, is_from_opponent, is_from_player, witnesses};
use settings::Settings;
use told::{Told, told};
pub use undecided::take_undecided;
pub(crate) use who::{answer_to, is_opponent};

/// One mail as it came.
#[derive(Debug, Clone)]
pub struct RawMessage<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// When our server took it; it counts as received on that day of the player's place.
    pub at: DateTime<Utc>,
    /// Where it arrived; `None` for a mail given by hand.
    pub arrival: Option<Arrival>,
    /// What a check of its signatures found; `None` where none was made.
    pub verified: Option<Vec<Finding>>,
}

/// What became of a mail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Taking {
    /// Its Message-ID, if it has a sound one.
    pub message_id: Option<String>,
    /// A result for each game concerned; empty when the same content was taken in before.
    pub results: Vec<Effect>,
    /// Notices that wait to be delivered.
    pub notices: usize,
}

/// What a mail did to one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// Which, if any.
    pub game: Option<GameId>,
    /// The outcome's word.
    pub outcome: &'static str,
    /// Why, in words.
    pub reason: String,
}

/// Why a mail could not be taken in. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The notice could not be made.
    #[error("the notice of this mail could not be written: {0}")]
    Letter(#[from] LetterError),
}

impl IntakeError {
    /// The player acted meanwhile: the mail is judged once more against what stands now.
    pub(crate) fn is_overtaken(&self) -> bool {
        matches!(
            self,
            IntakeError::Store(
                StoreError::Moved { .. }
                    | StoreError::NoPlan { .. }
                    | StoreError::NotHeld
                    | StoreError::Finished { .. }
            )
        )
    }

    /// What the loop does about it.
    pub fn class(&self) -> Class {
        match self {
            IntakeError::Store(error) => error.class(),
            IntakeError::Letter(_) => Class::SetAside,
        }
    }
}

/// Takes one mail in: its verdict, its move, its notice and its tick in the ledger, or nothing at all.
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
    let mut taken =
        Taken { arrival: mail.arrival.clone(), raw: mail.bytes, server_date: Some(mail.at), ..Taken::default() };
    if store.is_settled(sha256).await? {
        store.record(&taken, now).await?;
        return Ok(Taking::default());
    }
    let parsed = parse(mail.bytes);
    if let Ok(message) = &parsed {
        if sent::is_believed_copy(message, me, senders, mail.verified.as_deref()) {
            sent::fill(store, (me, senders), message, mail, None, now, &mut taken).await?;
        } else if message.automatic.is_some() {
            sent::bounced::fill(store, me, senders, message, mail, now, &mut taken).await?;
        }
        if !taken.verdicts.is_empty() {
            let new = store.record(&taken, now).await?.new;
            return Ok(if new { sent::taking(&taken) } else { Taking::default() });
        }
    }
    let threads;
    let decision = match Opened::after(parsed, mail.bytes) {
        Ok(opened) => {
            threads = store.games_hinted(&opened.hints(me), opened.concerns(me)).await?;
            let letters = match opened.message() {
                Some(message) => Letters::load(store, message, &threads).await?,
                None => Letters::default(),
            };
            let seen = store.sender_domains(opened.message().and_then(sender)).await?;
            let trust = Trust { senders, seen: &seen, verified: mail.verified.as_deref() };
            decide_opened(opened.beside(letters), me, &trust, &threads, mail.at)
        }
        Err(error) => not_a_mail(&error.to_string()),
    };
    let key = AnswerKey::new(store.answer_key().await?);
    let message = decision.message.as_ref();
    let from = message.and_then(sender);
    let own = message.filter(|_| from.is_some_and(|from| me.is_mine(from)));
    taken.verified.clone_from(&mail.verified);
    taken.settings = Settings::of(me, senders).as_value();
    taken.message_id = message.and_then(|m| m.message_id.as_ref()).map(ToString::to_string);
    taken.from_address = from.map(ToString::to_string);
    let vouching = decision.vouching.as_ref();
    let vouched = from.cloned().zip(vouching.and_then(|finding| finding.domain.clone()));
    taken.vouched = vouched.map(|(address, domain)| Vouched { address, domain, at: mail.at });
    taken.subject = message.map(|m| one_line(&m.subject, 200)).unwrap_or_default();
    if let Some(id) = &taken.message_id
        && own.is_some()
        && store.outgoing_by_message_id(id).await?.is_some()
    {
        taken.delivered_message_id = Some(id.clone());
    }
    let is_copy = match &taken.message_id {
        Some(id) => {
            // the mail itself, where it is judged again
            let this = store.mail_known(sha256).await?;
            store.message_id_known(id).await?.into_iter().any(|mail| Some(mail) != this)
        }
        None => false,
    };
    if let Some(id) = taken.message_id.as_ref().filter(|_| is_copy) {
        // anybody can write any id: other content is another mail, whatever it calls itself
        let text = format!("another mail with other content had the Message-ID {id} too");
        taken.events.push(EventRow { game: None, kind: "message-id-reused".to_owned(), text });
    }
    let incoming = Incoming { sha256: &sha256, from, vouching, at: mail.at, unread: &[], cause: None, is_last: false };
    let heard = match own.filter(|_| taken.delivered_message_id.is_none()) {
        Some(own) => {
            let around = command::Around { me, senders, key: &key, sha256: &sha256, now };
            command::heard(store, mail, own, around).await?
        }
        None => None,
    };
    let is_command = heard.is_some();
    let unclear = decision.judgements.iter().filter(|judgement| is_of_several(&judgement.verdict));
    let unclear: Vec<_> = unclear.filter_map(|judgement| Some((&judgement.thread?.game, &judgement.verdict))).collect();
    let unread =
        message.filter(|_| !unclear.is_empty()).map(|message| words::unread(message, None)).unwrap_or_default();
    let together = notice_of_several(&unclear, Incoming { unread: &unread, ..incoming }, me, now)?;
    let mut is_gathered = !decision.judgements.is_empty();
    for judgement in decision.judgements.iter().filter(|_| !is_command) {
        let told = told(store, me, judgement, now).await?;
        is_gathered &= told == Told::Gathered;
        let is_told = told == Told::Gathered || (together.is_some() && is_of_several(&judgement.verdict));
        let incoming = Incoming { is_last: told == Told::AsLast, ..incoming };
        effects(judgement, message, incoming, (me, &key, is_copy, is_told), now, &mut taken)?;
    }
    let is_automatic = message.and_then(|m| m.automatic).is_some_and(|mark| mark.is_certain());
    let together = together.filter(|_| !is_command && !is_automatic && !is_gathered);
    taken.outgoing.extend(together.map(|letter| letter.into_notice(None)));
    let about_a_game = |j: &Judgement<'_>| j.thread.is_some() || !matches!(j.verdict, Verdict::NotAMove(_));
    taken.private = !decision.judgements.iter().any(about_a_game);
    if let Some(heard) = heard {
        heard.put(&mut taken);
    }
    if !store.record(&taken, now).await?.new {
        // another process took the same mail in while this one was judging it
        return Ok(Taking::default());
    }
    let drafts = usize::from(matches!(taken.commanded, Some(Commanded::Plan { draft: Some(_), .. })));
    let told = sent::taking(&taken);
    Ok(Taking { notices: told.notices + drafts, ..told })
}

/// Marks a letter as read that came before its writer's game was taken over and says nothing of it: nothing of it is kept but its hash.
///
/// # Errors
/// [`StoreError`]; then nothing was written.
pub async fn pass_over(
    store: &mut Store,
    bytes: &[u8],
    at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let why = "it came before its writer's game was taken over, and gives no move".to_owned();
    let outcome = Verdict::NotAMove(Reason::NoMove).outcome();
    let verdicts = vec![row(None, outcome, why, false)];
    let taken = Taken { raw: bytes, private: true, server_date: Some(at), verdicts, ..Taken::default() };
    store.record(&taken, now).await.map(|_| ())
}

fn not_a_mail(why: &str) -> Decision<'static> {
    let verdict = Verdict::NotAMove(Reason::Unreadable(why.to_owned()));
    Decision { message: None, judgements: vec![Judgement { thread: None, verdict }], vouching: None }
}

/// The address in its From field.
fn sender(message: &IncomingMessage) -> Option<&Address> {
    message.from.as_ref().ok().map(|sender| &sender.address)
}

/// The row of a verdict that has no move.
fn row(game: Option<GameId>, outcome: &'static str, reason: String, open: bool) -> VerdictRow {
    VerdictRow {
        game,
        outcome,
        reason,
        plies: Vec::new(),
        conditionals: Vec::new(),
        stated: Default::default(),
        discrepancies: Vec::new(),
        candidates: Vec::new(),
        open,
        read_as: None,
    }
}

/// What one judgement writes: its row, the move, the notice, the line of the journal; `is_copy`: its mail may be another copy of one that
/// was read; `is_told`: another notice tells of it.
fn effects(
    judgement: &Judgement<'_>,
    message: Option<&IncomingMessage>,
    incoming: Incoming<'_>,
    (me, key, is_copy, is_told): (&Me, &AnswerKey, bool, bool),
    now: DateTime<Utc>,
    taken: &mut Taken<'_>,
) -> Result<(), IntakeError> {
    let verdict = &judgement.verdict;
    let game = judgement.thread.map(|t| t.game.id.clone());
    let observed = again::observed(message, incoming.at, me.timezone);
    let reminds = judgement.thread.filter(|_| !is_copy && matches!(verdict, Verdict::Repeat(_))).and_then(|thread| {
        let ledger = me.ledger(&thread.game).ok()?;
        reminder(&thread.game, &ledger, observed.sent, observed.arrived?)
    });
    let reason = match reminds {
        Some(note) => format!("{}; he reminds you on {}", verdict.reason(), note.on),
        None => verdict.reason(),
    };
    let outcome = if matches!(verdict, Verdict::NotAMove(Reason::OwnCopy)) { "own" } else { verdict.outcome() };
    let is_open = matches!(
        verdict,
        Verdict::Held { .. }
            | Verdict::Illegal(_)
            | Verdict::WrongSender(_)
            | Verdict::Resignation(_)
            | Verdict::DrawAccepted(_)
    );
    let mut row = row(game.clone(), outcome, reason.clone(), is_open);
    let from = incoming.from.map_or("unknown".to_owned(), ToString::to_string);
    taken.events.push(EventRow {
        game: game.clone(),
        kind: verdict.outcome().to_owned(),
        text: format!("mail from {from}: {reason}"),
    });
    let Some(thread) = judgement.thread else {
        taken.verdicts.push(row);
        return Ok(());
    };
    row.read_as = letters::misread(&thread.game, verdict).map(ToString::to_string);
    let mut after: StoredGame = thread.clone();
    let tells = match verdict {
        Verdict::Accepted(accepted) => {
            row.plies = accepted.plies();
            row.conditionals.clone_from(&accepted.conditionals);
            row.stated = accepted.stated;
            row.discrepancies = accepted.differs();
            let new = new_move(&thread.game, accepted, observed, message);
            after.game = thread.game.with_plan_recorded();
            after.game.moves.extend(new.before.iter().chain([&new.record]));
            after.game.conditionals.clone_from(&new.conditionals);
            after.game.draw_offer = new.draw_offer;
            after.game.opponent_mut().prefer(new.answer_to.as_deref().unwrap_or_default());
            after.game.last_message_id = taken.message_id.clone().or(after.game.last_message_id);
            taken.moves.push(new);
            true
        }
        Verdict::Repeat(repeated) => {
            after.game.clock_notes.extend(reminds);
            taken.notes.extend(reminds.map(|note| (thread.game.id.clone(), note)));
            (repeated.differs || reminds.is_some() || !thread.game.is_my_turn()) && thread.game.result.is_none()
        }
        _ => is_open,
    };
    if let Verdict::Held { candidates, .. } = verdict {
        row.candidates.clone_from(candidates);
    }
    taken.verdicts.push(row);
    // RFC 3834: automatic mail never causes a mail; what the player has to decide on is not taken for one
    let automatic = message.and_then(|m| m.automatic).is_some_and(|mark| mark.is_certain() || !is_open);
    if tells && !automatic && !is_told {
        // what somebody else writes is none of his words
        let his = message.filter(|_| !matches!(verdict, Verdict::WrongSender(_)));
        let unread = his.map(|message| words::unread(message, Some(&thread.game))).unwrap_or_default();
        let cause = message.and_then(|message| words::cause(message, verdict));
        let incoming = Incoming { unread: &unread, cause: cause.as_ref(), ..incoming };
        let letter = letters::notice(&after.game, &after.root_message_id, verdict, incoming, key, me, now)?;
        taken.outgoing.push(letter.into_notice(game));
    }
    Ok(())
}

fn new_move(game: &Game, accepted: &Accepted, observed: Observed, message: Option<&IncomingMessage>) -> NewMove {
    NewMove {
        game: game.id.clone(),
        expected_plies: game.moves.len(),
        confirm_plan: game.plan.as_ref().filter(|_| accepted.confirms_plan).map(|plan| plan.message_id.clone()),
        before: accepted.before.iter().map(|(_, numeric)| MoveRecord::conditional(*numeric)).collect(),
        record: MoveRecord { observed, ..MoveRecord::claimed(accepted.numeric, accepted.stated) },
        draw_offer: accepted.draw_offer.then_some(game.me.other()),
        conditionals: game.with_plan_recorded().lines_after(&accepted.plies()),
        answer_to: message.and_then(|message| who::answer_to(message, game)),
    }
}
