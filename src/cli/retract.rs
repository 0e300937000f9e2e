//! `amici retract`: takes back what went on record by mistake, whoever's it was, as an act of its own.

use clap::Args as ClapArgs;

use super::care::consent;
use super::ply::Ply;
use super::{Exit, Failure, Report, Setup, find};
use crate::domain::game::{Game, GameId};
use crate::intake::held::entry;
use crate::io::store::{EventRow, Store};

/// Take back what went on record last: a move, result, settlement
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// The first ply to take back: 12. or 12w, 12... or 12b [default: whatever went on record last]
    ply: Option<Ply>,
    /// Why, for the journal
    #[arg(long, value_name = "TEXT")]
    why: String,
    /// Take back more than one ply
    #[arg(long)]
    yes: bool,
    /// Say what would be taken back; nothing is changed
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let game = find(&mut store, &args.game).await?.game;
    let from = match args.ply {
        Some(ply) => {
            let index = ply.index_in(&game).filter(|index| *index < game.moves.len());
            let waits = || format!("game {} has no such ply on record; the record waits for {}", game.id, game.due());
            Some(index.ok_or_else(|| Failure::new(Exit::Failed, waits()))?)
        }
        None => None,
    };
    let back = store.without(&game, from).await?.ok_or_else(|| not_here(&game))?;
    let lines = taken_back(&mut store, &game, &back).await?;
    let said = lines.iter().map(|line| format!("  {line}\n")).collect::<String>();
    if args.dry_run {
        return Ok(format!("This would be taken back in {}:\n{said}Nothing was changed.\n", game.id).into());
    }
    if game.moves.len() > back.moves.len() + 1 {
        let objection = format!("more than one ply of game {} would be taken back:\n{}", game.id, said.trim_end());
        consent(setup, args.yes, &[objection], "Take it back?")?;
    }
    let text = format!("you took back {}: {}", lines.join("; "), args.why);
    let event = EventRow { game: Some(game.id.clone()), kind: "retracted".to_owned(), text };
    store.retract(&back, game.moves.len(), &event, setup.now).await?;
    let mut text = format!("Taken back in {}:\n{said}", game.id);
    if back.result.is_some() {
        text.push_str(&format!("The game is over as before: {}\n", back.result.map_or("", |result| result.word())));
    } else {
        let (number, mover) = (back.due(), &back.player(back.to_move()).name);
        text.push_str(&format!("The record waits for {number} of {mover}; the clocks run as before.\n"));
    }
    if let Some(plan) = &back.plan {
        let (id, number, numeric) = (&back.id, back.due(), plan.numeric);
        text.push_str(&format!(
            "Your move {number} {numeric} is chosen and not sent, as it was:  amici sent {id}   or  amici undo {id}\n"
        ));
    }
    for held in store.held().await?.into_iter().filter(|held| held.game.as_ref() == Some(&game.id)) {
        let entry = entry(&mut store, &config.me, held).await?;
        text.push_str(&format!("Mail {} waits for you:\n", entry.held.mail));
        for (command, what) in entry.next() {
            text.push_str(&format!("  {command}   {what}\n"));
        }
    }
    Ok(text.into())
}

fn not_here(game: &Game) -> Failure {
    let message = format!(
        "nothing that went on record by itself can be taken back in game {0}: what stands there came with a file, or was taken back already\n\
         help: correct the file and put it in again:  amici export {0} -o FILE   and  amici import FILE --replace",
        game.id
    );
    Failure::new(Exit::Failed, message)
}

/// What goes, a line each.
async fn taken_back(store: &mut Store, game: &Game, back: &Game) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    if let Some(result) = game.result.filter(|_| back.result.is_none()) {
        lines.push(format!("the result {}", result.word()));
    }
    let origins = store.origins(&game.id).await?;
    for (index, record) in game.moves.iter().enumerate() {
        let (number, numeric) = (game.number_of(index), record.numeric);
        if index >= back.moves.len() {
            let mail = origins.get(index).and_then(|origin| origin.mail);
            let whose = mail.map_or("on your word".to_owned(), |mail| format!("by mail {mail}"));
            lines.push(format!("{number} {numeric}, recorded {whose}"));
        } else if back.moves.get(index).is_some_and(|row| row.agreed != record.agreed) {
            lines.push(format!("what was settled of {number} {numeric}"));
        }
    }
    if lines.is_empty() && game.draw_offer != back.draw_offer {
        lines.push("the offer of a draw".to_owned());
    }
    Ok(lines)
}
