//! `amici sent`: the player says that he sent his drafted move, and it goes on record.

use chrono::NaiveDate;
use clap::Args as ClapArgs;

use super::care::today;
use super::{Exit, Failure, Report, Setup, find};
use crate::domain::game::{GameId, MoveRecord, Stated};
use crate::io::store::{EventRow, NewMove};

/// Say that you sent a drafted move
#[derive(Debug, ClapArgs)]
pub(super) struct SentArgs {
    /// The game
    game: GameId,
    /// The day you sent it [default: today]
    #[arg(long, value_name = "DATE")]
    on: Option<NaiveDate>,
}

pub(super) async fn sent(setup: &Setup, args: SentArgs) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store().await?;
    let game = find(&mut store, &args.game).await?.game;
    let Some(plan) = &game.plan else {
        let help = format!("game {} has no drafted move\nhelp: choose one with `amici play {} MOVE`", game.id, game.id);
        return Err(Failure::new(Exit::Failed, help));
    };
    let today = today(setup, &config, &mut store).await?;
    let day = args.on.unwrap_or(today);
    if day > today {
        return Err(Failure::new(Exit::Failed, format!("{day} has not come yet; today is {today}")));
    }
    let ledger = config.me.ledger(&game).map_err(|e| Failure::new(Exit::Failed, e.to_string()))?;
    let answer = ledger.answer_on(day);
    if let Some(received) = answer.stated_receipt().filter(|received| day < *received) {
        return Err(Failure::new(Exit::Failed, format!("{day} lies before {received}, the day you received his move")));
    }
    let stated = Stated { received: answer.stated_receipt(), sent: Some(day), days: answer.days, total: answer.total };
    let new = NewMove {
        game: game.id.clone(),
        expected_plies: game.moves.len(),
        confirm_plan: None,
        before: Vec::new(),
        record: MoveRecord::claimed(plan.numeric, stated),
        draw_offer: plan.draw_offer.then_some(game.me),
        conditionals: plan.conditionals.clone(),
    };
    let event = EventRow {
        game: Some(game.id.clone()),
        kind: "sent".to_owned(),
        text: format!("you sent {} {} on {day}", game.due(), plan.numeric),
    };
    store.confirm_sent(&new, &event, setup.now).await?;
    let days = answer.days.map_or("unknown".to_owned(), |d| d.to_string());
    Ok(format!(
        "{} {} is on record as sent {day}: {days} days. {} thinks now.\n",
        game.due(),
        plan.numeric,
        game.opponent().name
    )
    .into())
}
