//! What may have kept an answer of the opponent's from the record, said as what speaks against a deed that rests on his silence.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use super::Refusal;
use crate::config::Config;
use crate::domain::clock::over::{Awaited, IllegalDays};
use crate::domain::game::{Game, IllegalMail};
use crate::io::store::Store;
use crate::overview::{Again, Answers, Read, Unheard};

/// What is known of an answer of the opponent's in a game that is not on record.
pub async fn awaited(store: &mut Store, config: &Config, game: &Game, now: DateTime<Utc>) -> Result<Awaited, Refusal> {
    let rules = game.ruleset().map_err(Refusal::not_done)?;
    Ok(Answers::at(now, store, config).await?.awaited(game.id.as_str(), IllegalDays::of(game, &rules)))
}

/// What is known of answers of the opponents'; `None` where the player himself is on the move.
pub async fn answers(
    store: &mut Store,
    config: &Config,
    game: &Game,
    now: DateTime<Utc>,
) -> Result<Option<Answers>, Refusal> {
    Ok(if game.is_my_turn() { None } else { Some(Answers::at(now, store, config).await?) })
}

/// What speaks against saying of an opponent that he has not answered: all that [`Answers`] know of, and a mailbox that was not read since
/// an instant; of the former what counts.
pub fn unheard(
    answers: Option<&Answers>,
    config: &Config,
    game: &Game,
    since: DateTime<Utc>,
    counts: impl Fn(&Unheard<'_>) -> bool,
) -> Result<Vec<String>, Refusal> {
    let Some(answers) = answers else { return Ok(Vec::new()) };
    let rules = game.ruleset().map_err(Refusal::not_done)?;
    let (illegal, zone) = (IllegalDays::of(game, &rules), config.me.timezone);
    let of_game = answers.unheard(game.id.as_str(), illegal).filter(counts);
    let mut found: Vec<String> = of_game.filter_map(|one| objection(game, one, zone)).collect();
    if answers.read.until() < since {
        let when = match answers.read {
            Read::At(at) => format!("last read on {}", at.with_timezone(&zone).format("%a %d %b %Y %H:%M")),
            Read::ByHim | Read::Never => "never read by this program".to_owned(),
        };
        found.push(format!("your mailbox was {when}, and his answer may have come since: read it first,  amici poll"));
    }
    Ok(found)
}

/// Why one thing speaks against it, and what to do about it first.
fn objection(game: &Game, unheard: Unheard<'_>, zone: Tz) -> Option<String> {
    let day = |at: DateTime<Utc>| at.with_timezone(&zone).format("%a %d %b %Y");
    let id = &game.id;
    let counted_from = |again: Again, what: &str| {
        let on = again.day(zone);
        format!(
            "went out again on {}, but his {what} counted from the first mail; to count from then:  amici repeat {id} --sent --on {on}",
            on.format("%a %d %b %Y")
        )
    };
    Some(match unheard {
        Unheard::CameBack(report, again) => {
            let number = game.number_of(game.moves.len().checked_sub(1)?);
            let then = again.map_or_else(
                || {
                    "he may not have it, and his silence says nothing; send it by another address or way first"
                        .to_owned()
                },
                |again| format!("it {}", counted_from(again, "days are")),
            );
            format!("a mail server reported on {} that your {number} did not reach him: {then}", day(report.at))
        }
        Unheard::Held(held) => format!(
            "mail {0} of {1} is held and may be his answer ({2}): settle it first,  amici review --mail {0}",
            held.mail,
            day(held.arrived()),
            held.reason
        ),
        Unheard::Illegal => {
            let IllegalMail { mail, .. } = game.illegal_mails.iter().find(|mail| mail.ply == game.due_ply())?;
            format!(
                "mail {mail} gives an illegal move: by the rules of this game his days stand still until he is told of it, and only your word counts them so,  amici clock illegal {id} {} --noticed DATE --why TEXT",
                game.due()
            )
        }
        Unheard::Repeated(held, again) => {
            let then = again.map_or_else(
                || format!("send that again first,  amici repeat {id}"),
                |again| format!("that {}", counted_from(again, "silence is")),
            );
            format!(
                "mail {} of {} repeats his own last move, so he may not have yours: {then}",
                held.mail,
                day(held.arrived())
            )
        }
        Unheard::PutAway(held) => format!(
            "mail {0} of {1} came after your move and was put away: was it no answer? If it was one,  amici accept {id} MOVE --mail {0}",
            held.mail,
            day(held.arrived())
        ),
        Unheard::NotRead(mail) => format!(
            "the mail {} {} of {} was not read ({}) and may be his answer: look at it in your mail client; if it is, save it and say  amici take FILE.eml",
            mail.arrival.folder,
            mail.arrival.uid,
            day(mail.arrival.server_date.unwrap_or(mail.noted_at)),
            mail.reason.as_deref().unwrap_or("it waits to be read")
        ),
    })
}
