//! What the player is told about his own sent mails: at once, and only where something is not as he meant it.
//!
//! Where his opponent should hear of it too, the letter to him goes along, ready to be sent: a correction, an explanation.

use chrono::{DateTime, NaiveDate, Utc};

use super::speech::Speech;
use super::{Envelope, Letter, LetterError, finish, message_id, reply_text, transmission, wrapped};
use crate::config::{Language, Me};
use crate::domain::clock::ledger::Ledger;
use crate::domain::game::{Game, GameResult, MoveNumber};
use crate::domain::notation::{NumericMove, san};
use crate::domain::transmission::compose::{clip, score};
use crate::mail::draft::AttachedReply;
use crate::say;

/// What is told about a sent mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SentNews {
    /// A move went out, and is on record; there is something to say about it.
    Recorded {
        /// Its place.
        number: MoveNumber,
        /// What went out.
        sent: NumericMove,
        /// What there is to say, at least one.
        remarks: Vec<Remark>,
    },
    /// No legal move went out.
    Illegal {
        /// Why it is none.
        reason: String,
    },
    /// Another move went out for a ply that was sent before.
    Second {
        /// Its place.
        number: MoveNumber,
        /// What went out now; it does not count.
        sent: NumericMove,
        /// What went out first.
        recorded: NumericMove,
    },
    /// It may answer a mail of the opponent's that is held.
    Waits,
    /// It says that the game is over.
    Ends {
        /// What it says.
        reason: String,
        /// How the game would have ended.
        result: GameResult,
    },
    /// It may be a move, and is not recorded.
    Review {
        /// Why not.
        reason: String,
    },
}

/// What there is to say about a move that is on record by the player's own mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// Another move was chosen.
    Planned(NumericMove),
    /// The text states another day of sending than the stamp of the mail.
    Dates {
        /// The day in the text.
        stated: NaiveDate,
        /// The day of the stamp.
        stamped: NaiveDate,
        /// The text is later and can be right: then it counts.
        text_counts: bool,
    },
    /// It states no receipt, so that his mail counts from the day it came, and not from the one on which the player books it.
    NotBooked {
        /// The day it came.
        came: NaiveDate,
        /// The day on which he books it.
        booked: NaiveDate,
    },
    /// It is written in a notation that the game has not agreed on.
    Unagreed,
}

impl Remark {
    /// That the text states this day and the stamp another; `read` is the day that was read in the text as one that can be.
    pub fn dates(stated: NaiveDate, stamped: NaiveDate, read: Option<NaiveDate>) -> Remark {
        Remark::Dates { stated, stamped, text_counts: stamped < stated && read == Some(stated) }
    }

    /// For the journal; `before` is the game before the move.
    pub fn in_brief(&self, before: &Game) -> String {
        match self {
            Remark::Planned(planned) => {
                format!("you had planned {planned}{}", named(before, before.due(), *planned))
            }
            Remark::Dates { stated, stamped, .. } => format!("its text says sent {stated}, its stamp {stamped}"),
            Remark::NotBooked { came, booked } => {
                format!("it states no receipt, so {came} counts, and not {booked}")
            }
            Remark::Unagreed => "in a notation that this game has not agreed on".to_owned(),
        }
    }

    /// The end of the subject.
    fn headline(&self, game: &Game, number: MoveNumber, sent: NumericMove, language: Language) -> String {
        let sent_move = format!("{number} {sent}{}", named(game, number, sent));
        match self {
            Remark::Planned(planned) => {
                say!(language, "you sent {sent_move}, planned {planned}", sent_move, planned)
            }
            Remark::Dates { stated, stamped, .. } => say!(
                language,
                "{number} {sent}: text said {stated}, server stamp {stamped}",
                number,
                sent,
                stated = language.day(*stated),
                stamped = language.day(*stamped)
            ),
            Remark::NotBooked { .. } => say!(language, "you sent {sent_move}, without the day of receipt", sent_move),
            Remark::Unagreed => say!(language, "{sent_move} was sent in words, not in numbers", sent_move),
        }
    }

    /// What it is, and what to do about it.
    fn told(&self, game: &Game, number: MoveNumber, sent: NumericMove, opponent: &str, language: Language) -> String {
        match self {
            Remark::Planned(planned) => say!(
                language,
                "You had planned {planned}. The move that was sent counts and binds you: your plan is dropped. Do not send its draft any more; there is nothing else to do.",
                planned = format!("{planned}{}", named(game, number, *planned))
            ),
            Remark::Dates { stated, stamped, text_counts } => {
                let said = say!(
                    language,
                    "Its text said sent {stated}, the mail's Date says {stamped}.",
                    stated = language.day(*stated),
                    stamped = language.day(*stamped)
                );
                let counts = match text_counts {
                    true => say!(
                        language,
                        "A mail is not sent before it was written: the text counts. Look at the clock of the device that you sent it from."
                    ),
                    false => say!(
                        language,
                        "The stamp counts for your clock, and your next draft carries the corrected line. There is nothing to do."
                    ),
                };
                format!("{said} {counts}")
            }
            Remark::NotBooked { came, booked } => say!(
                language,
                "You book a mail on the day after it came, and this one does not say so: his counts as received on {came}, not on {later}. If {opponent} agrees to the later day: `amici clock set {game} {number} --received {booked} --why TEXT`.",
                came = language.day(*came),
                later = language.day(*booked),
                opponent,
                game = game.id,
                number,
                booked
            ),
            Remark::Unagreed => say!(
                language,
                "The move is written in words, and this game has agreed on numbers. It is what you sent, so it counts; your clock has stopped, and there is nothing else to do. If {opponent} asks for the number, answer him with {number} {sent}: the same move once more changes nothing.",
                opponent,
                number,
                sent
            ),
        }
    }
}

/// Which mail it is about.
#[derive(Debug, Clone, Copy)]
pub struct SentCopy<'a> {
    /// SHA-256 of the mail: makes the notice's id.
    pub sha256: &'a [u8; 32],
    /// When the server took its copy.
    pub at: DateTime<Utc>,
}

/// The notice of something that is not as the player meant it; `game` is the record after the mail.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn sent_notice(
    game: &Game,
    root: &str,
    news: &SentNews,
    copy: SentCopy<'_>,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Letter, LetterError> {
    let envelope = Envelope { game, root, me, now };
    let id = |label: &str| {
        let parts = [copy.sha256.as_slice(), game.id.as_str().as_bytes(), label.as_bytes()];
        message_id(&parts, &format!("{}.{label}", game.id), me)
            .map_err(|text| LetterError::Header { game: game.id.clone(), text })
    };
    let when = copy.at.with_timezone(&me.timezone).date_naive();
    let opponent = clip(&game.opponent().name, 40);
    let language = me.language;
    let (headline, told) = told(game, news, &opponent, when, language);
    let letter = match news {
        SentNews::Illegal { .. } => Some(correction(game, when, me)?),
        SentNews::Second { number, .. } => Some(explanation(game, *number, me)?),
        SentNews::Recorded { .. } | SentNews::Waits | SentNews::Ends { .. } | SentNews::Review { .. } => None,
    };
    let mut body = told;
    if let Some(text) = &letter {
        let offered = say!(
            language,
            "A letter to {opponent}, attached as reply.eml too; nothing goes to him unless you send it:",
            opponent
        );
        body.push_str(&format!("\n{}\n{text}", wrapped(&offered)));
    }
    let mut mail = envelope.to_player(format!("[amici {}] {headline}", game.id), body, id("sent-notice")?)?;
    if let Some(text) = letter {
        let letter = envelope.to_opponent(id("correction")?, true, text)?;
        mail.attached_reply = Some(AttachedReply { file_name: "reply.eml".to_owned(), bytes: letter.to_bytes()? });
    }
    finish(mail, me)
}

/// The subject and the words to the player.
fn told(game: &Game, news: &SentNews, opponent: &str, when: NaiveDate, language: Language) -> (String, String) {
    let id = &game.id;
    match news {
        SentNews::Recorded { number, sent, remarks } => {
            let sent_move = format!("{number} {sent}{}", named(game, *number, *sent));
            let mut body = wrapped(&say!(
                language,
                "Your mail of {when} to {opponent} gives {sent_move}; it is on record.",
                when,
                opponent,
                sent_move
            ));
            for remark in remarks {
                body.push('\n');
                body.push_str(&wrapped(&remark.told(game, *number, *sent, opponent, language)));
            }
            let first = remarks.first().map(|remark| remark.headline(game, *number, *sent, language));
            (first.unwrap_or_else(|| say!(language, "you sent {sent_move}", sent_move)), body)
        }
        SentNews::Illegal { reason } => {
            let words = say!(
                language,
                "Your mail of {when} to {opponent} gives no legal move: {reason}. Nothing was recorded, {due} is still due, and your clock runs. Correct it at once.",
                when,
                opponent,
                reason,
                due = game.due()
            );
            (format!("!! {}", say!(language, "you sent no legal move")), wrapped(&words))
        }
        SentNews::Second { number, sent, recorded } => {
            let words = say!(
                language,
                "Your mail of {when} to {opponent} gives {sent_move}, but {first_move} went out before. The first legal move stands. Tell him so, and the director if he asks.",
                when,
                opponent,
                sent_move = format!("{number} {sent}{}", named(game, *number, *sent)),
                first_move = format!("{number} {recorded}{}", named(game, *number, *recorded))
            );
            let two = say!(language, "you sent two moves: {number} {recorded}, then {sent}", number, recorded, sent);
            (format!("!! {two}"), wrapped(&words))
        }
        SentNews::Waits => {
            let words = say!(
                language,
                "Your mail of {when} to {opponent} in game {id} gives no move that is due by the record. It may answer a mail of his that is held: settle that one first, and yours is read again by itself.",
                when,
                opponent,
                id
            );
            let help = format!("\n{}\n    amici review\n", say!(language, "The held mails:"));
            (say!(language, "your sent mail waits for his that is held"), wrapped(&words) + &help)
        }
        SentNews::Ends { reason, result } => {
            let words =
                say!(language, "Your mail of {when} to {opponent} in game {id}: {reason}.", when, opponent, id, reason);
            let close = say!(language, "It closes nothing by itself. If the game is over, close it:");
            let away = say!(language, "Else put the mail away; its number is shown by");
            let help = format!("\n{close}\n    amici result {id} {}\n{away}\n    amici review\n", result.word());
            let headline = match result {
                GameResult::Draw => say!(language, "you accepted the draw: is the game over?"),
                GameResult::WhiteWins | GameResult::BlackWins => say!(language, "you resigned: is the game over?"),
            };
            (headline, wrapped(&words) + &help)
        }
        SentNews::Review { reason } => {
            let words = say!(
                language,
                "Your mail of {when} to {opponent} in game {id} was not taken as your move: {reason}.",
                when,
                opponent,
                id,
                reason
            );
            let say_so = say!(language, "Nothing was recorded. If you did send a move with it, say so:");
            let away = say!(language, "Else put it away; its number is shown by");
            let help = format!("\n{say_so}\n    amici sent {id} MOVE --on {when}\n{away}\n    amici review\n");
            (say!(language, "your sent mail needs your look"), wrapped(&words) + &help)
        }
    }
}

/// ` (Be7-f8)`: the move in algebraic notation, where the record still has its position.
fn named(game: &Game, number: MoveNumber, numeric: NumericMove) -> String {
    let index = game.number_of(0).plies_to(number);
    let named = index.zip(game.replay().ok()).and_then(|(index, replay)| {
        let position = replay.before(index);
        Some(format!(" ({})", san(position, &numeric.to_move(position).ok()?.played)))
    });
    named.unwrap_or_default()
}

/// The opponent is given the right move, or the player fills it in.
fn correction(game: &Game, when: NaiveDate, me: &Me) -> Result<String, LetterError> {
    let style = me.styles.of(game.opponent());
    let speech = Speech::of(style.language);
    let words = speech.say("slip", &[("sent", &speech.day(when))]);
    Ok(speech.before(&style, &wrapped(&words), &reply_text(game, &[], me)?))
}

/// Says without digits which mail counts, so that nobody reads the other move in it.
fn explanation(game: &Game, number: MoveNumber, me: &Me) -> Result<String, LetterError> {
    let broken = |why: String| LetterError::Game { game: game.id.clone(), why };
    let ledger = Ledger::of(game).map_err(|e| broken(e.to_string()))?;
    let sent = ledger.plies().iter().find(|ply| ply.number == number).and_then(|ply| ply.sent);
    let style = me.styles.of(game.opponent());
    let speech = Speech::of(style.language);
    let words = match sent {
        Some(sent) => speech.say("two_moves", &[("sent", &speech.day(sent.day))]),
        None => speech.say("two_moves_undated", &[]),
    };
    let mut record = game.clone();
    record.plan = None;
    let table = score(&transmission(&record)?);
    let (hello, farewell) = (speech.hello(&style), speech.farewell(&style, me));
    Ok(format!("{hello}{}{farewell}\n{}\n\n{table}", wrapped(&words), speech.say("game", &[])))
}

/// The player's sent mails cannot be read: his moves go on record by his own word alone. `cause` is what it is told for.
///
/// # Errors
/// [`LetterError`]; then there is no letter.
pub fn no_sent_folder(why: &str, cause: &str, me: &Me, now: DateTime<Utc>) -> Result<Letter, LetterError> {
    let mut body = wrapped(
        "The folder in which your mail programs keep what you sent was not found, so amici does not see what you send: ",
    );
    body.push_str(&format!("\n{}\n", why.lines().map(wrapped).collect::<String>()));
    body.push_str(&wrapped(
        "Name the folder in the configuration, or say that there is none with folder = \"off\" in [sent]; then say \
         `amici sent GAME` after each move that you sent, or let `bcc_self` in [sent] tell it. You are told of this once.",
    ));
    super::digest::mail("[amici] your sent mails are not read", body, cause, me, now)
}
