//! The reply as the opponent will get it: what lies in the folder for drafts, ready to be sent from any mail program.
//!
//! The same reply as is attached to the draft that the player is sent, without the mark that opens it as a file.

use chrono::{DateTime, NaiveDate, Utc};

use super::{Envelope, LetterError, reply_message_id};
use crate::config::Me;
use crate::domain::game::{Game, Plan, Stated};
use crate::domain::judge::Row;
use crate::mail::address::Address;
use crate::mail::draft::Mailbox;

/// The reply to the opponent with the planned move, as bytes; `copy_to` is the director where the event wants it so.
///
/// # Errors
/// [`LetterError`]; then there is no mail.
pub fn finished(
    game: &Game,
    root: &str,
    plan: &Plan,
    table: &[Row],
    copy_to: Option<&Address>,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Vec<u8>, LetterError> {
    let envelope = Envelope { game, root, me, now };
    let mut reply = envelope.reply(envelope.id(&plan.message_id)?, table)?;
    reply.unsent = false;
    reply.cc = copy_to.map(|address| Mailbox { name: None, address: address.clone() }).into_iter().collect();
    Ok(reply.to_bytes()?)
}

/// The plan with the dates and days of today and a Message-ID of its own; `None` where it states nothing older.
///
/// # Errors
/// [`LetterError::Game`] when the days cannot be counted.
pub fn restated(game: &Game, root: &str, me: &Me, now: DateTime<Utc>) -> Result<Option<Plan>, LetterError> {
    let today = now.with_timezone(&me.timezone).date_naive();
    let Some(plan) = game.plan.as_ref().filter(|plan| plan.stated.sent.is_some_and(|sent| sent < today)) else {
        return Ok(None);
    };
    dated(game, root, plan, today, me, now).map(Some)
}

/// The plan with the dates and days of `day` and a Message-ID of its own.
///
/// # Errors
/// [`LetterError::Game`] when the days cannot be counted.
pub fn dated(
    game: &Game,
    root: &str,
    plan: &Plan,
    day: NaiveDate,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Plan, LetterError> {
    let broken = |why: String| LetterError::Game { game: game.id.clone(), why };
    let answer = me.ledger(game).map_err(|e| broken(e.to_string()))?.answer_on(day);
    Ok(Plan {
        stated: Stated { received: answer.stated_receipt(), sent: Some(day), days: answer.days, total: answer.total },
        message_id: reply_message_id(game, root, plan.numeric, me, now)?,
        ..plan.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::mail::message::parse;

    const ROOT: &str = "<game-SAMPLE-1.k3v9@example.net>";

    fn me() -> Me {
        let config = crate::config::Config::parse(
            "[me]\nname = \"Tobin Quillfeather\"\nemails = [\"tobin.q@example.net\"]\ntimezone = \"Europe/Stockholm\"\n",
        );
        config.unwrap().me
    }

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn planned() -> Game {
        let mut game = sample_game();
        game.last_message_id = Some("<his-13@example.org>".to_owned());
        game.plan = Some(Plan {
            numeric: "2836".parse().unwrap(),
            stated: Stated { sent: Some("2004-10-31".parse().unwrap()), ..Stated::default() },
            draw_offer: false,
            message_id: "<r1@example.net>".to_owned(),
            conditionals: Vec::new(),
            comment: None,
            held_until: None,
        });
        game
    }

    #[test]
    fn the_reply_goes_to_the_opponent_alone_in_the_thread_of_the_game_as_plain_text() {
        let game = planned();
        let plan = game.plan.clone().unwrap();
        let bytes = finished(&game, ROOT, &plan, &[], None, &me(), at("2004-10-31T08:00:00Z")).unwrap();
        let mail = parse(&bytes).unwrap();
        let to: Vec<String> = mail.to.iter().map(ToString::to_string).collect();
        assert_eq!(to, [game.opponent().emails[0].clone()]);
        assert!(mail.cc.is_empty());
        assert_eq!(mail.references.iter().map(ToString::to_string).collect::<Vec<_>>(), [ROOT, "<his-13@example.org>"]);
        assert_eq!(mail.message_id.unwrap().to_string(), "<r1@example.net>");
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("Content-Type: text/plain; charset=utf-8\r\n") && text.contains("2836"), "{text}");
        for absent in ["X-Unsent", "flowed", "Auto-Submitted", "Bcc", "multipart"] {
            assert!(!text.contains(absent), "{absent} in {text}");
        }
    }

    #[test]
    fn the_director_gets_a_copy_only_where_he_is_named() {
        let game = planned();
        let director = "td@example.com".parse().unwrap();
        let plan = game.plan.clone().unwrap();
        let bytes = finished(&game, ROOT, &plan, &[], Some(&director), &me(), at("2004-10-31T08:00:00Z")).unwrap();
        assert_eq!(parse(&bytes).unwrap().cc, [director]);
    }

    #[test]
    fn a_plan_is_stated_anew_after_the_players_own_midnight_and_not_before() {
        let game = planned();
        assert_eq!(restated(&game, ROOT, &me(), at("2004-10-31T22:59:59Z")).unwrap(), None);
        let newer = restated(&game, ROOT, &me(), at("2004-10-31T23:00:00Z")).unwrap().unwrap();
        assert_eq!(newer.stated.sent, Some("2004-11-01".parse().unwrap()));
        assert_eq!(newer.numeric, game.plan.as_ref().unwrap().numeric);
        assert_ne!(newer.message_id, "<r1@example.net>");
        let days = |day: &str| me().ledger(&game).unwrap().answer_on(day.parse::<NaiveDate>().unwrap());
        assert_eq!(newer.stated.days, days("2004-11-01").days);
        assert_ne!(days("2004-11-01").days, days("2004-10-31").days, "the day costs something");
        let bare = Game { plan: None, ..game };
        assert_eq!(restated(&bare, ROOT, &me(), at("2004-12-31T23:00:00Z")).unwrap(), None);
    }
}
