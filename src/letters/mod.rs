//! What the player is sent: notices, and finished drafts of his replies.
//!
//! Pure: a game and a decision in, bytes out; the same input gives the same bytes. Every mail goes to the player's own address.
//! Nothing of an incoming mail gets in but its checked Message-ID, and into a notice and the text of a question his own lines, made
//! visible: names, addresses and subjects come from the game's record.

use chrono::{DateTime, NaiveDate, Utc};
use sha2::{Digest, Sha256};

use crate::config::Me;
use crate::domain::clock::ledger::Ledger;
use crate::domain::game::{Game, GameId, Side};
use crate::domain::judge::Row;
use crate::domain::notation::NumericMove;
use crate::domain::transmission::compose::clip;
use crate::domain::transmission::{Correspondent, Half, Transmission};
use crate::io::store::{Outgoing, OutgoingKind};
use crate::mail::address::Address;
use crate::mail::draft::{DraftError, DraftMessage, Mailbox};
use crate::mail::ids::MessageId;
use crate::mail::text::one_line;

mod again;
mod announced;
mod answer;
mod ask;
mod bounce;
mod care;
mod claim;
mod claimed;
mod clocks;
mod code;
mod conditional;
mod digest;
mod drawn;
mod ending;
mod errand;
mod finished;
mod forms;
mod incoming;
mod marks;
mod not_taken;
mod notice;
mod overstep;
mod page;
mod picture;
mod ready;
mod reasons;
mod remarks;
mod reminded;
mod reply;
mod report;
mod screen;
mod sent;
mod several;
mod speech;
mod trial;
mod turn;
mod wrap;
mod writes;

pub use announced::to_enter;
pub use answer::{Reply, answer, answer_to_none, paragraph_of};
pub use ask::{Question, ask, asked, is_question, is_quotation, question_text};
pub use bounce::{ReturnedMail, bounce_notice, not_counted};
pub use care::{announce_text, leave_text, leave_used, message_body, message_text, repeat_text};
pub use claim::{Claim, Mailed, Proof, claim_text};
pub use claimed::{ClaimKind, ClaimNews, Claimed};
pub use clocks::{below_clocks, clock_lines, days_left, left_with, undated_help};
use code::answer_link;
pub use code::{AnswerKey, answer_code, answer_mark};
pub use conditional::{ignored_help, offers_help, promised_help};
pub use digest::{Listed, News, digest, plural};
pub use drawn::drawn;
pub use ending::{Ending, board_decides, ended};
pub use errand::{Errand, Tells, Whom, errand};
pub use finished::{dated, finished, restated};
pub use forms::{FormError, compose, sample_reply, try_style};
pub use incoming::Incoming;
pub use marks::{clock_doubted, overstepped, urgent};
pub use not_taken::misread;
pub use notice::notice;
pub use overstep::{Overstep, claim_lacks, claim_terms, late_move, overstep, overstep_sum};
pub use ready::{OwnReply, draft, draft_after_hold, own_reply, sent_as};
pub use reasons::{own_reasons, reasons, running_reason};
pub use remarks::{day_doubts, illegal_help, paragraph, remarks, settles_day, transit_help};
pub use reminded::{copy_of_answer, no_director, reminded, to_remind};
pub use reply::reply_text;
pub use report::report;
pub use screen::{ReadsAs, reads_as};
pub use sent::{Remark, SentCopy, SentNews, no_sent_folder, sent_notice};
pub use several::{is_of_several, notice_of_several};
pub use trial::trial;
pub use turn::turn;
pub use wrap::fold_in;
pub use writes::vouched;

/// A finished mail to the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// Its Message-ID, with angle brackets.
    pub message_id: String,
    /// Its only recipient: the player.
    pub recipient: String,
    /// The whole mail.
    pub bytes: Vec<u8>,
}

impl Letter {
    /// The letter as it waits to go out; all but the draft of a move are notices.
    pub fn into_notice(self, game: Option<GameId>) -> Outgoing {
        Outgoing {
            kind: OutgoingKind::Notice,
            game,
            ply: None,
            message_id: self.message_id,
            recipient: self.recipient,
            bytes: self.bytes,
        }
    }
}

/// Why a letter could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LetterError {
    /// The mail could not be built.
    #[error(transparent)]
    Draft(#[from] DraftError),
    /// The game cannot be computed.
    #[error("game {game}: {why}")]
    Game {
        /// Which.
        game: GameId,
        /// Why.
        why: String,
    },
    /// The player's own address cannot stand in a mail.
    #[error("no mail can be written to {}; look at `emails` in the configuration", one_line(.name, 80))]
    Sender {
        /// His name.
        name: String,
    },
    /// The form of the letter.
    #[error("{0}\nhelp: correct the template, or choose another form in [letters]; `amici forms` lists them")]
    Form(#[from] FormError),
    /// Words of the player's change what the letter says.
    #[error("{} would be misread: {why}\nhelp: say it in other words, or leave it out", one_line(.what, 200))]
    Misread {
        /// Which words.
        what: String,
        /// As what.
        why: String,
    },
    /// An address or id of the record is not usable.
    #[error("game {game}: `{}` cannot stand in a mail's header; correct it in the game", one_line(.text, 80))]
    Header {
        /// Which.
        game: GameId,
        /// What.
        text: String,
    },
}

/// The root id of a new game's thread: constant, never a message of its own.
pub fn root_message_id(game: &GameId, token: &str, me: &Address) -> String {
    format!("<{game}.{token}@{}>", me.domain())
}

/// The score of a game as one message of the player would give it, with the planned move, if any, as the last.
pub fn transmission(game: &Game) -> Result<Transmission, LetterError> {
    let game = &*game.with_line_taken();
    let broken = |why: String| LetterError::Game { game: game.id.clone(), why };
    let ledger = Ledger::of(game).map_err(|e| broken(e.to_string()))?;
    let correspondent = |side| {
        let player = game.player(side);
        Some(Correspondent {
            name: clip(&player.name, 60).into_owned(),
            address: player.emails.first().cloned().unwrap_or_default(),
        })
    };
    let mut halves: Vec<Half> = Vec::with_capacity(game.moves.len() + 1);
    for (index, (record, time)) in game.moves.iter().zip(ledger.plies()).enumerate() {
        let mut stated = record.claimed;
        stated.sent = time.sent.map(|d| d.day);
        stated.received = if index == 0 { record.claimed.received } else { time.received.map(|d| d.day) };
        stated.days = time.days;
        stated.total = time.known_total();
        halves.push(Half { number: time.number, numeric: record.numeric, stated });
    }
    if let Some(plan) = &game.plan {
        halves.push(Half { number: game.due(), numeric: plan.numeric, stated: plan.stated });
    }
    Ok(Transmission {
        event: Some(clip(&game.event, 60).into_owned()).filter(|e| !e.is_empty()),
        start_date: game.start_date,
        control: Some(ledger.rules().control.words()),
        white: correspondent(Side::White),
        black: correspondent(Side::Black),
        halves,
        draw_offer: game.plan.as_ref().is_some_and(|p| p.draw_offer),
        conditionals: game.plan.as_ref().map(|p| p.conditionals.clone()).unwrap_or_default(),
    })
}

/// A mail's author, recipient and thread for one game.
struct Envelope<'a> {
    game: &'a Game,
    root: &'a str,
    me: &'a Me,
    now: DateTime<Utc>,
}

impl Envelope<'_> {
    fn id(&self, text: &str) -> Result<MessageId, LetterError> {
        text.parse().map_err(|_| LetterError::Header { game: self.game.id.clone(), text: text.to_owned() })
    }

    fn myself(&self) -> Result<Mailbox, LetterError> {
        let address = self.me.address().cloned();
        let address =
            address.ok_or_else(|| LetterError::Header { game: self.game.id.clone(), text: self.me.name.clone() })?;
        Ok(Mailbox { name: Some(self.me.name.clone()), address })
    }

    fn opponent(&self) -> Result<Mailbox, LetterError> {
        let player = self.game.opponent();
        let text = player.emails.first().cloned().unwrap_or_default();
        let address = text.parse().map_err(|_| LetterError::Header { game: self.game.id.clone(), text })?;
        Ok(Mailbox { name: Some(player.name.clone()), address })
    }

    /// The root first, the opponent's newest mail last; what is no strict Message-ID is left out.
    fn thread(&self) -> Result<(Option<MessageId>, Vec<MessageId>), LetterError> {
        let last: Option<MessageId> = self.game.last_message_id.as_deref().and_then(|id| id.parse().ok());
        let mut references = vec![self.id(self.root)?];
        references.extend(last.clone());
        Ok((last, references))
    }

    /// The reply as the player's mail client will send it: from him to the opponent, with a copy to the director where the event
    /// wants it so, or it answers a repeat of which he has a copy.
    fn reply(&self, message_id: MessageId, table: &[Row]) -> Result<DraftMessage, LetterError> {
        let director = copy_of_answer(self.game, self.me);
        let cc = director.map(|address| Mailbox { name: None, address: address.clone() }).into_iter().collect();
        Ok(DraftMessage { cc, ..self.to_opponent(message_id, true, reply_text(self.game, table, self.me)?)? })
    }

    fn to_opponent(&self, message_id: MessageId, unsent: bool, body: String) -> Result<DraftMessage, LetterError> {
        let (in_reply_to, references) = self.thread()?;
        Ok(DraftMessage {
            from: self.myself()?,
            to: vec![self.opponent()?],
            cc: Vec::new(),
            subject: subject(self.game),
            date: self.local_time(),
            message_id,
            in_reply_to,
            references,
            auto_submitted: false,
            unsent,
            body,
            page: None,
            attached_reply: None,
        })
    }

    fn to_player(&self, subject: String, body: String, message_id: MessageId) -> Result<DraftMessage, LetterError> {
        let (in_reply_to, references) = self.thread()?;
        Ok(DraftMessage {
            from: self.myself()?,
            to: vec![self.myself()?],
            cc: Vec::new(),
            subject,
            date: self.local_time(),
            message_id,
            in_reply_to,
            references,
            auto_submitted: true,
            unsent: false,
            body,
            page: None,
            attached_reply: None,
        })
    }

    fn local_time(&self) -> DateTime<chrono::FixedOffset> {
        self.now.with_timezone(&self.me.timezone).fixed_offset()
    }
}

/// `Re: EM/ZZ/042 Ostrander - Quillfeather`
fn subject(game: &Game) -> String {
    format!("Re: {}", pairing(game))
}

/// `EM/ZZ/042 Ostrander - Quillfeather`
fn pairing(game: &Game) -> String {
    let surname = |name: &str| clip(name, 60).split(',').next().unwrap_or_default().trim().to_owned();
    let pairing = format!("{} {} - {}", clip(&game.event, 60), surname(&game.white.name), surname(&game.black.name));
    pairing.trim_start().to_owned()
}

fn message_id(parts: &[&[u8]], label: &str, me: &Me) -> Result<MessageId, String> {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(part);
    }
    let token = hex::encode(hash.finalize()).chars().take(20).collect::<String>();
    let domain = me.address().map_or("localhost", |a| a.domain());
    let id = format!("<{label}.{token}@{domain}>");
    id.parse().map_err(|_| id)
}

/// What an id of ours says its letter is: `notice` of `<EM-17.notice.0a1b@example.org>`.
pub fn label_of(id: &str) -> Option<&str> {
    let (left, _) = id.strip_prefix('<')?.split_once('@')?;
    let (left, _token) = left.rsplit_once('.')?;
    left.rsplit_once('.').map(|(_game, label)| label)
}

/// Hexadecimal digits of a reply's id that stay the same in each revision of one choice; as many again are of the revision.
const OF_CHOICE: usize = 10;

/// Whether two ids of replies are of one choice: the same, or of its drafts for different days.
pub fn is_of_choice(one: &str, other: &str) -> bool {
    one == other || of_choice(one).is_some_and(|(choice, domain)| of_choice(other) == Some((choice, domain)))
}

/// The part of a reply's id that tells the choice, and its domain.
fn of_choice(id: &str) -> Option<(&str, &str)> {
    let (left, domain) = id.split_once('@')?;
    let (_, token) = left.rsplit_once('.')?;
    let is_token = token.len() == 2 * OF_CHOICE && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    let choice = left.len().checked_sub(OF_CHOICE).filter(|_| is_token)?;
    Some((left.get(..choice)?, domain))
}

/// The id of a later revision: of the same choice as the earlier one.
fn revised(earlier: &str, later: String) -> String {
    match (of_choice(earlier), of_choice(&later)) {
        (Some((choice, _)), Some((own, _))) => {
            format!("{choice}{}", later.get(own.len()..).unwrap_or_default())
        }
        _ => later,
    }
}

/// The Message-ID that the reply with this move will have; the same choice at the same time gives the same id.
///
/// # Errors
/// [`LetterError::Header`] when the game's name cannot stand in an id.
pub fn reply_message_id(
    game: &Game,
    root: &str,
    numeric: NumericMove,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<String, LetterError> {
    let ply = (game.moves.len() + 1).to_string();
    let (move_text, instant) = (numeric.to_string(), now.to_rfc3339());
    let parts = [root.as_bytes(), ply.as_bytes(), move_text.as_bytes(), instant.as_bytes()];
    message_id(&parts, &format!("{}.{ply}", game.id), me)
        .map(|id| id.to_string())
        .map_err(|text| LetterError::Header { game: game.id.clone(), text })
}

fn wrapped(paragraph: &str) -> String {
    wrap::fill(paragraph, "", "") + "\n"
}

fn finish(mail: DraftMessage, me: &Me) -> Result<Letter, LetterError> {
    let recipient = me.address().map(ToString::to_string).unwrap_or_default();
    Ok(Letter { message_id: mail.message_id.to_string(), recipient, bytes: mail.to_bytes()? })
}

/// `3 May 2004`
fn day(date: NaiveDate) -> String {
    date.format("%-d %B %Y").to_string()
}
