//! The reply as the opponent will get it: what lies in the folder for drafts, ready to be sent from any mail program.
//!
//! The same reply as is attached to the draft that the player is sent, without the mark that opens it as a file.

use chrono::{DateTime, Utc};

use super::{Envelope, LetterError, reply_message_id, revised};
use crate::config::Me;
use crate::domain::clock::rules::DayCount;
use crate::domain::game::{Game, Plan};
use crate::domain::judge::Row;

/// The reply to the opponent with the planned move, as bytes.
///
/// # Errors
/// [`LetterError`]; then there is no mail.
pub fn finished(
    game: &Game,
    root: &str,
    plan: &Plan,
    table: &[Row],
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Vec<u8>, LetterError> {
    let envelope = Envelope { game, root, me, now };
    let mut reply = envelope.reply(envelope.id(&plan.message_id)?, table)?;
    reply.unsent = false;
    Ok(reply.to_bytes()?)
}

/// The plan with the dates and days of `now` and a Message-ID of its own; `None` where it states nothing older: no earlier day, and no
/// fewer days where the rules count hours.
///
/// # Errors
/// [`LetterError::Game`] when the days cannot be counted.
pub fn restated(game: &Game, root: &str, me: &Me, now: DateTime<Utc>) -> Result<Option<Plan>, LetterError> {
    let today = now.with_timezone(&me.timezone).date_naive();
    let Some(plan) = game.plan.as_ref().filter(|plan| plan.stated.sent.is_some()) else { return Ok(None) };
    let is_older = plan.stated.sent.is_some_and(|sent| sent < today);
    let counts_hours = || game.ruleset().is_ok_and(|rules| rules.day_count != DayCount::Calendar);
    if !is_older && !counts_hours() {
        return Ok(None);
    }
    let newer = dated(game, root, plan, now, me, now)?;
    Ok(Some(newer).filter(|newer| is_older || newer.stated.days > plan.stated.days))
}

/// The plan with the dates and days of an instant and a Message-ID of its own, which [`super::is_of_choice`] knows again.
///
/// # Errors
/// [`LetterError::Game`] when the days cannot be counted.
pub fn dated(
    game: &Game,
    root: &str,
    plan: &Plan,
    at: DateTime<Utc>,
    me: &Me,
    now: DateTime<Utc>,
) -> Result<Plan, LetterError> {
    let broken = |why: String| LetterError::Game { game: game.id.clone(), why };
    let answer = me.ledger(game).map_err(|e| broken(e.to_string()))?.answer_on(me.moment(at));
    Ok(Plan {
        stated: answer.stated(),
        message_id: revised(&plan.message_id, reply_message_id(game, root, plan.numeric, me, now)?),
        ..plan.clone()
    })
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::Stated;
    use crate::mail::message::parse;

    const ROOT: &str = "<game-SAMPLE-1.k3v9@example.net>";

    fn me() -> Me {
        me_with("")
    }

    fn me_with(more: &str) -> Me {
        let config = crate::config::Config::parse(&format!(
            "[me]\nname = \"Tobin Quillfeather\"\nemails = [\"tobin.q@example.net\"]\ntimezone = \"Europe/Stockholm\"\n{more}"
        ));
        config.unwrap().me
    }

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn planned() -> Game {
        let mut game = sample_game();
        game.last_message_id = Some("<his-13@example.org>".to_owned());
        game.plan = Some(Plan {
            before: Vec::new(),
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
        let bytes = finished(&game, ROOT, &plan, &[], &me(), at("2004-10-31T08:00:00Z")).unwrap();
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
        let plan = game.plan.clone().unwrap();
        let section = format!("[[event]]\nname = \"{}\"\ndirector = \"td@example.com\"\n", game.event);
        for (more, copies) in [("", 0), ("cc_director = true\n", 1)] {
            let me = me_with(&format!("{section}{more}"));
            let bytes = finished(&game, ROOT, &plan, &[], &me, at("2004-10-31T08:00:00Z")).unwrap();
            let cc = parse(&bytes).unwrap().cc;
            assert_eq!(cc, vec!["td@example.com".parse().unwrap(); copies]);
        }
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

    #[test]
    fn where_hours_are_counted_a_plan_states_the_whole_spans_and_a_new_one_once_it_is_full() {
        let mut game = planned();
        game.rules = serde_json::from_str("\"iccf-server\"").unwrap();
        game.moves[12].observed.arrived = Some("2004-10-31".parse().unwrap());
        game.moves[12].observed.arrived_at = Some(at("2004-10-31T16:00:00Z").fixed_offset());
        let plan = dated(
            &game,
            ROOT,
            game.plan.as_ref().unwrap(),
            at("2004-11-01T07:00:00Z"),
            &me(),
            at("2004-11-01T07:00:00Z"),
        );
        let plan = plan.unwrap();
        assert_eq!(plan.stated.days, Some(0), "it is the next day, and not a span of 24 hours");
        game.plan = Some(plan);
        assert_eq!(restated(&game, ROOT, &me(), at("2004-11-01T15:59:00Z")).unwrap(), None);
        let newer = restated(&game, ROOT, &me(), at("2004-11-01T16:00:00Z")).unwrap().unwrap();
        assert_eq!(newer.stated.days, Some(1));
    }
}
