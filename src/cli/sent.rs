//! `amici sent`: the player says that he sent a move that no folder shows, and it goes on record on his word.

use chrono::NaiveDate;
use clap::Args as ClapArgs;

use super::care::moment;
use super::{Exit, Failure, Report, Setup, find};
use crate::choice::{Wish, choose};
use crate::domain::clock::days::{Moment, in_words};
use crate::domain::clock::ledger::Ledger;
use crate::domain::game::{Game, GameId, MoveRecord};
use crate::domain::notation::NumericMove;
use crate::io::store::{EventRow, NewMove, Store};

/// Say that you sent a move, where no folder shows it
#[derive(Debug, ClapArgs)]
pub(super) struct SentArgs {
    /// The game
    game: GameId,
    /// The move [default: the drafted one]
    #[arg(value_name = "MOVE")]
    text: Option<String>,
    /// The day you sent it [default: today]
    #[arg(long, value_name = "DATE")]
    on: Option<NaiveDate>,
}

pub(super) async fn sent(setup: &Setup, args: SentArgs) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store().await?;
    let game = find(&mut store, &args.game).await?.game;
    let now = moment(setup, &config, &mut store).await?;
    // the day alone says nothing of its hour
    let sent = args.on.map_or(now, Moment::from);
    let (day, today) = (sent.day, now.day);
    if day > today {
        return Err(Failure::new(Exit::Failed, format!("{day} has not come yet; today is {today}")));
    }
    let ledger = config.me.ledger(&game).map_err(|e| Failure::new(Exit::Failed, e.to_string()))?;
    let numeric = chosen(&mut store, &game, args.text.as_deref(), &ledger, day).await?;
    let plan = game.plan.as_ref().filter(|plan| plan.numeric == numeric);
    let answer = ledger.answer_on(sent);
    if let Some(received) = answer.stated_receipt().filter(|received| day < *received) {
        return Err(Failure::new(Exit::Failed, format!("{day} lies before {received}, the day you received his move")));
    }
    let new = NewMove {
        game: game.id.clone(),
        expected_plies: game.moves.len(),
        confirm_plan: None,
        before: Vec::new(),
        record: MoveRecord::claimed(numeric, answer.stated()),
        draw_offer: plan.is_some_and(|plan| plan.draw_offer).then_some(game.me),
        conditionals: plan.map(|plan| plan.conditionals.clone()).unwrap_or_default(),
    };
    let other = game.plan.as_ref().map(|plan| plan.numeric).filter(|planned| *planned != numeric);
    let instead = other.map(|planned| format!("; you had planned {planned}")).unwrap_or_default();
    let event = EventRow {
        game: Some(game.id.clone()),
        kind: "sent".to_owned(),
        text: format!("you sent {} {numeric} on {day}{instead}", game.due()),
    };
    store.confirm_sent(&new, &event, setup.now).await?;
    let days = answer.days.map_or("days unknown".to_owned(), in_words);
    let dropped =
        other.map(|planned| format!("Your draft of {planned} is dropped: do not send it.\n")).unwrap_or_default();
    Ok(format!(
        "{} {numeric} is on record as sent {day}: {days}. {} thinks now.\n{dropped}",
        game.due(),
        game.opponent().name
    )
    .into())
}

/// The move that he names, if it is legal, else the drafted one. A doubt comes too late: it was sent.
async fn chosen(
    store: &mut Store,
    game: &Game,
    text: Option<&str>,
    ledger: &Ledger,
    day: NaiveDate,
) -> Result<NumericMove, Failure> {
    let planned = game.plan.as_ref().map(|plan| plan.numeric.to_string());
    let Some(text) = text.or(planned.as_deref()) else {
        let help = format!(
            "game {0} has no drafted move\nhelp: name the move that you sent, `amici sent {0} MOVE --on DATE`, or choose one with \
             `amici play {0} MOVE`",
            game.id
        );
        return Err(Failure::new(Exit::Failed, help));
    };
    let wish = Wish { text, ..Wish::default() };
    Ok(choose(&wish, game, &store.games().await?, ledger, day)?.numeric)
}
