//! `amici accept`: the player read a held mail and says which move it gives.

use chrono::NaiveDate;
use clap::Args as ClapArgs;

use super::{Exit, Failure, Report, Setup, find};
use crate::domain::game::{GameId, MoveRecord, Observed, Stated};
use crate::domain::notation::{NumericMove, parse_player_move, san, words};
use crate::intake::which::header_day;
use crate::io::store::{EventRow, NewMove};
use crate::mail::message::parse;

/// Record by hand the move of a mail that was held
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// The move you read in it
    #[arg(value_name = "MOVE")]
    text: String,
    /// The mail, if several are held
    #[arg(long, value_name = "NUMBER")]
    mail: Option<i64>,
    /// The day he says he received your move
    #[arg(long, value_name = "DATE")]
    received: Option<NaiveDate>,
    /// The day he says he sent his
    #[arg(long, value_name = "DATE")]
    sent: Option<NaiveDate>,
    /// He offers a draw with it
    #[arg(long)]
    draw: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store().await?;
    let game = find(&mut store, &args.game).await?.game;
    let failed = |why: String| Failure::new(Exit::Failed, why);
    let held: Vec<_> = store.held().await?.into_iter().filter(|h| h.game.as_ref() == Some(&game.id)).collect();
    let chosen = match (args.mail, held.as_slice()) {
        (_, []) => {
            return Err(failed(format!(
                "game {} has no held mail\nhelp: `amici take FILE.eml` takes in a mail that reached you another way",
                game.id
            )));
        }
        (Some(mail), list) => list
            .iter()
            .find(|h| h.mail == mail)
            .ok_or_else(|| failed(format!("mail {mail} is not held for game {}", game.id)))?,
        (None, [only]) => only,
        (None, several) => {
            let numbers: Vec<String> = several.iter().map(|h| h.mail.to_string()).collect();
            return Err(Failure::new(
                Exit::NeedsConfirmation,
                format!("several mails are held; say which with --mail: {}", numbers.join(", ")),
            ));
        }
    };
    let expected = game.with_plan_recorded();
    if expected.is_my_turn() || expected.result.is_some() {
        return Err(failed(format!("in game {} no move of {} is due", game.id, game.opponent().name)));
    }
    let replay = expected.replay().map_err(|e| failed(e.to_string()))?;
    let legal =
        parse_player_move(&args.text, replay.position()).map_err(|e| Failure::new(Exit::IllegalMove, e.to_string()))?;
    if let (Some(received), Some(sent)) = (args.received, args.sent)
        && sent < received
    {
        return Err(failed(format!("sent {sent} lies before received {received}")));
    }
    let at = chosen.server_date.unwrap_or(chosen.decided_at);
    let raw = store.mail_raw(chosen.mail).await?;
    let message = raw.and_then(|raw| parse(&raw).ok());
    let observed = Observed {
        sent: message.and_then(|message| header_day(&message, at)),
        arrived: Some(at.with_timezone(&config.me.timezone).date_naive()),
    };
    let record = MoveRecord {
        observed,
        ..MoveRecord::claimed(
            NumericMove::of(&legal.played),
            Stated { received: args.received, sent: args.sent, days: None, total: None },
        )
    };
    let new = NewMove {
        game: game.id.clone(),
        expected_plies: game.moves.len(),
        confirm_plan: game.plan.as_ref().map(|plan| plan.message_id.clone()),
        before: Vec::new(),
        record,
        draw_offer: args.draw.then_some(game.me.other()),
    };
    let due = expected.due();
    let event = EventRow {
        game: Some(game.id.clone()),
        kind: "accepted".to_owned(),
        text: format!("you read {due} {} in mail {}", record.numeric, chosen.mail),
    };
    if !store.settle_verdict(chosen.verdict, Some(&new), &[], &event, setup.now).await? {
        return Err(failed(format!("mail {} is not held any more", chosen.mail)));
    }
    let position = replay.position();
    let sent = record.claimed.sent.or(record.observed.sent);
    Ok(format!(
        "{due} {}   {}   {}\nrecorded on your word, {}{}.\nNext: amici play {} MOVE\n",
        record.numeric,
        san(position, &legal.played),
        words(position, &legal.played),
        sent.map_or("the day he sent it is unknown".to_owned(), |day| format!("sent {day}")),
        if args.draw { ", with his offer of a draw" } else { "" },
        game.id
    )
    .into())
}
