//! `amici play`, `undo` and `sent`: the player's own move, from choice to record.

use chrono::NaiveDate;
use clap::Args as ClapArgs;

use super::care::{consent, his_table, today};
use super::{Exit, Failure, Report, Setup, find};
use crate::domain::clock::days::{Moment, in_words};
use crate::domain::clock::ledger::Ledger;
use crate::domain::game::{Game, GameId, MoveRecord, Plan, Stated};
use crate::domain::notation::{LegalMove, NumericMove, Spelling, explain, parse_player_move, san, words};
use crate::io::store::{EventRow, NewMove, Outgoing, OutgoingKind, Store, StoredGame};
use crate::letters;

/// Choose your move: checks it and makes the finished draft
#[derive(Debug, ClapArgs)]
pub(super) struct PlayArgs {
    /// The game
    game: GameId,
    /// Numeric (3735), SAN (c5, Nf6, O-O) or coordinates (c7c5)
    #[arg(value_name = "MOVE")]
    text: String,
    /// Offer a draw with it
    #[arg(long)]
    draw: bool,
    /// Answer although his time is overstepped and the claim is lost by it
    #[arg(long)]
    yes: bool,
    /// Show the draft only; nothing is kept or delivered
    #[arg(short = 'n', long)]
    dry_run: bool,
}

impl PlayArgs {
    /// A plain move in a game.
    pub(super) fn of(game: &str, text: &str) -> Result<PlayArgs, Failure> {
        let game =
            game.parse().map_err(|e: crate::domain::game::BadGameId| Failure::new(Exit::Failed, e.to_string()))?;
        Ok(PlayArgs { game, text: text.to_owned(), draw: false, yes: false, dry_run: false })
    }
}

/// Drop a chosen move and its draft
#[derive(Debug, ClapArgs)]
pub(super) struct UndoArgs {
    /// The game
    game: GameId,
}

/// Say that you sent a drafted move
#[derive(Debug, ClapArgs)]
pub(super) struct SentArgs {
    /// The game
    game: GameId,
    /// The day you sent it [default: today]
    #[arg(long, value_name = "DATE")]
    on: Option<NaiveDate>,
}

pub(super) async fn play(setup: &Setup, args: PlayArgs) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let thread = find(&mut store, &args.game).await?;
    my_turn(&thread.game)?;
    let table = his_table(&mut store, &thread).await?;
    let StoredGame { mut game, root_message_id, .. } = thread;
    let failed = |why: String| Failure::new(Exit::Failed, why);
    let replay = game.replay().map_err(|e| failed(e.to_string()))?;
    let legal = match parse_player_move(&args.text, replay.position()) {
        Ok(legal) => legal,
        Err(why) => {
            return Err(illegal(&mut store, &game, &args.text, replay.position(), &why.to_string()).await?);
        }
    };
    let numeric = NumericMove::of(&legal.played);
    let today = today(setup, &config, &mut store).await?;
    let ledger = config.me.ledger(&game).map_err(|e| failed(e.to_string()))?;
    let moment = Moment::of(setup.now.with_timezone(&config.me.timezone).fixed_offset());
    let answer = ledger.answer_on(moment);
    let plan = Plan {
        numeric,
        stated: Stated { received: answer.stated_receipt(), sent: Some(today), days: answer.days, total: answer.total },
        draw_offer: args.draw,
        message_id: letters::reply_message_id(&game, &root_message_id, numeric, &config.me, setup.now)
            .map_err(|e| failed(e.to_string()))?,
    };
    let claimable = letters::overstep(&game, &ledger, game.me.other(), today).map(|over| {
        format!(
            "his time is {}: the claim is lost by answering\nhelp: `amici claim {}` drafts it",
            over.words(),
            game.id
        )
    });
    let claimable: Vec<String> = claimable.into_iter().collect();
    if !args.dry_run {
        consent(args.yes, &claimable, "Answer all the same?")?;
    }
    let mut text = echo(&game, replay.position(), &legal);
    text.push_str(&days_line(&game, &ledger, &plan, moment));
    text.extend(claimable.iter().filter(|_| args.dry_run).map(|line| format!("Note: {line}\n")));
    let replaced = game.plan.replace(plan.clone());
    if args.dry_run {
        text.push_str("Nothing was kept. The draft would be:\n\n");
        text.push_str(&letters::reply_text(&game, &table, &config.me).map_err(|e| failed(e.to_string()))?);
        return Ok(text.into());
    }
    let letter = letters::draft(&game, &root_message_id, &plan, &table, &config.me, setup.now)
        .map_err(|e| failed(e.to_string()))?;
    let recipient = letter.recipient.clone();
    let outgoing = Outgoing {
        kind: OutgoingKind::Draft,
        game: Some(game.id.clone()),
        ply: u32::try_from(game.moves.len() + 1).ok(),
        message_id: letter.message_id,
        recipient: letter.recipient,
        bytes: letter.bytes,
    };
    store.plan(&game.id, game.moves.len(), &plan, &outgoing, setup.now).await?;
    if let Some(old) = replaced {
        text.push_str(&format!("It replaces your earlier choice {}.\n", old.numeric));
    }
    drop(store);
    text.push_str(&super::daemon::deliver(setup, &config, &recipient).await?);
    text.push_str(&format!(
        "Nothing has been sent to {}: open the draft, read it, send it. Your clock runs until you do.\nUndo: amici undo {}\n",
        game.opponent().name,
        game.id
    ));
    Ok(text.into())
}

/// The move in all notations, so that a slip is seen.
fn echo(game: &Game, position: &shakmaty::Chess, legal: &LegalMove) -> String {
    let played = &legal.played;
    let mut line = format!(
        "{} {}   {}   {}\n",
        game.due(),
        NumericMove::of(played),
        san(position, played),
        words(position, played)
    );
    match legal.spelling {
        Spelling::Standard => {}
        Spelling::KingTakesRook | Spelling::KingAndRook => {
            line.push_str("(castling is written as the king's two squares)\n")
        }
    }
    line
}

fn days_line(game: &Game, ledger: &Ledger, plan: &Plan, moment: Moment) -> String {
    match (plan.stated.received, plan.stated.days, plan.stated.total) {
        (Some(received), Some(days), Some(total)) => {
            let (clock, today) = (ledger.clock(game.me, Some(game.me), moment), moment.day);
            format!(
                "Days for this move: {days} (received {received}, sent {today}), total {total}. {}.\n",
                letters::days_left(&clock)
            )
        }
        _ => "Days for this move: unknown, since the day you received his last move is not on record.\n".to_owned(),
    }
}

fn my_turn(game: &Game) -> Result<(), Failure> {
    if let Some(result) = game.result {
        return Err(Failure::new(Exit::Failed, format!("game {} is over: {}", game.id, result.word())));
    }
    if game.is_my_turn() {
        return Ok(());
    }
    let message = format!(
        "in game {} the record waits for {} of {}\nhelp: `amici show {}` shows what is on record",
        game.id,
        game.due(),
        game.opponent().name,
        game.id
    );
    Err(Failure::new(Exit::Failed, message))
}

/// The error of a move that cannot be played, like a compiler's.
async fn illegal(
    store: &mut Store,
    game: &Game,
    text: &str,
    position: &shakmaty::Chess,
    why: &str,
) -> Result<Failure, Failure> {
    let mut message = explain(text, position, Some(game.id.as_str()))
        .map_or_else(|| why.to_owned(), |e| e.to_string().trim_end().to_owned());
    let mut elsewhere = Vec::new();
    for other in store.games().await?.iter().map(|g| &g.game).filter(|g| g.id != game.id && g.is_my_turn()) {
        if other.replay().is_ok_and(|r| parse_player_move(text, r.position()).is_ok()) {
            elsewhere.push(other.id.to_string());
        }
    }
    if !elsewhere.is_empty() {
        message.push_str(&format!("\n  legal in {}: wrong game?", elsewhere.join(", ")));
    }
    Ok(Failure::new(Exit::IllegalMove, message))
}

pub(super) async fn undo(setup: &Setup, args: UndoArgs) -> Result<Report, Failure> {
    let mut store = setup.store().await?;
    let game = find(&mut store, &args.game).await?.game;
    match store.undo(&args.game, setup.now).await? {
        Some(plan) => Ok(format!(
            "{} {} is dropped; a draft that was delivered stays in your mailbox: do not send it.\nNext: amici play {} MOVE\n",
            game.due(),
            plan.numeric,
            game.id
        )
        .into()),
        None => Err(Failure::new(Exit::Failed, format!("game {} has no drafted move", game.id))),
    }
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
    let now = Moment::of(setup.now.with_timezone(&config.me.timezone).fixed_offset());
    let answer = ledger.answer_on(if args.on.is_none() { now } else { day.into() });
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
    };
    let event = EventRow {
        game: Some(game.id.clone()),
        kind: "sent".to_owned(),
        text: format!("you sent {} {} on {day}", game.due(), plan.numeric),
    };
    store.confirm_sent(&new, &event, setup.now).await?;
    let days = answer.days.map_or("its days are unknown".to_owned(), in_words);
    Ok(format!(
        "{} {} is on record as sent {day}: {days}. {} thinks now.\n",
        game.due(),
        plan.numeric,
        game.opponent().name
    )
    .into())
}
