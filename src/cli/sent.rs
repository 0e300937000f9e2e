//! `amici sent`: the player says that he sent a move that no folder shows, and it goes on record on his word.

use chrono::NaiveDate;
use chrono_tz::Tz;
use clap::Args as ClapArgs;

use super::{Exit, Failure, Report, Setup, find};
use crate::choice::{Choice, Wish};
use crate::deeds::mailed;
use crate::deeds::play;
use crate::domain::clock::days::{Moment, in_words};
use crate::domain::clock::ledger::Ledger;
use crate::domain::game::{Game, GameId, MoveRecord, Observed};
use crate::domain::notation::NumericMove;
use crate::intake::is_opponent;
use crate::io::store::{EventRow, NewMove, SentMail, Store, StoredGame};
use crate::mail::message::parse;
use crate::sent::seen;

/// Say that you sent a move, where no folder shows it
#[derive(Debug, ClapArgs)]
pub(super) struct SentArgs {
    /// The game
    game: GameId,
    /// The move [default: the drafted one]
    #[arg(value_name = "MOVE")]
    text: Option<String>,
    /// The day you sent it [default: when the copy of it was sent that waits for your word, else now; a draft of another day asks]
    #[arg(long, value_name = "DATE", value_parser = super::day)]
    on: Option<NaiveDate>,
}

pub(super) async fn sent(setup: &Setup, args: SentArgs) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store().await?;
    let thread = find(&mut store, &args.game).await?;
    let game = &thread.game;
    let now = setup.around(&config).moment(&mut store).await?;
    let ledger = config.me.ledger(game).map_err(|e| Failure::new(Exit::Failed, e.to_string()))?;
    let Choice { before, numeric, .. } =
        chosen(&mut store, &thread, args.text.as_deref(), &ledger, args.on.unwrap_or(now.day)).await?;
    let plan = game.plan.as_ref().filter(|plan| plan.numeric == numeric && plan.before == before);
    let (sent, observed) = match args.on {
        // the day alone says nothing of its hour
        Some(day) => (Moment::from(day), Observed::default()),
        None => match copy(&mut store, &thread, numeric, config.me.timezone).await? {
            Some(seen) => seen,
            None => match plan.and_then(|plan| mailed::other_day(plan, now.day)) {
                Some(drafted) => return Err(which_day(game, drafted, now.day)),
                None => (now, Observed { sent_at: now.at, ..Observed::default() }),
            },
        },
    };
    let (day, today) = (sent.day, now.day);
    if day > today {
        return Err(Failure::new(Exit::Failed, format!("{day} has not come yet; today is {today}")));
    }
    let mut answer = ledger.answer_on(sent);
    // a day of receipt that has not come is of a clock that ran ahead: it is not stated, and not held against him
    answer.received = answer.received.filter(|received| received.day <= today);
    if let Some(received) = answer.stated_receipt().filter(|received| day < *received) {
        return Err(Failure::new(Exit::Failed, format!("{day} lies before {received}, the day you received his move")));
    }
    let new = NewMove {
        game: game.id.clone(),
        expected_plies: game.moves.len(),
        confirm_plan: None,
        before: before.iter().map(|numeric| MoveRecord::conditional(*numeric)).collect(),
        record: MoveRecord { observed, ..MoveRecord::claimed(numeric, answer.stated()) },
        draw_offer: plan.is_some_and(|plan| plan.draw_offer).then_some(game.me),
        conditionals: plan.map(|plan| plan.conditionals.clone()).unwrap_or_default(),
        answer_to: None,
    };
    let other = game.plan.as_ref().filter(|_| plan.is_none()).map(|plan| plan.in_words(game.due()));
    let instead = other.as_ref().map(|planned| format!("; you had planned {planned}")).unwrap_or_default();
    let given = game.due().row(before.iter().chain([&numeric]));
    let event = EventRow {
        game: Some(game.id.clone()),
        kind: "sent".to_owned(),
        text: format!("you sent {given} on {day}{instead}"),
    };
    store.confirm_sent(&new, &event, setup.now).await?;
    let hour = sent.at.filter(|_| !ledger.is_by_dates()).map(|at| at.format(" %H:%M").to_string()).unwrap_or_default();
    let days = answer.days.map_or("days unknown".to_owned(), in_words);
    let dropped =
        other.map(|planned| format!("Your draft of {planned} is dropped: do not send it.\n")).unwrap_or_default();
    Ok(format!("{given} is on record as sent {day}{hour}: {days}. {} thinks now.\n{dropped}", game.opponent().name)
        .into())
}

/// The draft states one day and it is another by now: which of them counts is his to say.
fn which_day(game: &Game, drafted: NaiveDate, today: NaiveDate) -> Failure {
    Failure::new(
        Exit::NeedsConfirmation,
        format!(
            "your draft of {0} is of {drafted}, and today is {today}: on which day did you send it?\n\
             help: nothing was recorded; say the day,  amici sent {1} --on {drafted}   or  amici sent {1} --on {today}",
            game.due(),
            game.id
        ),
    )
}

/// When the mail with this move went to the opponent, where its copy was seen and waits for the player's word, and what the servers saw
/// of it.
async fn copy(
    store: &mut Store,
    thread: &StoredGame,
    numeric: NumericMove,
    zone: Tz,
) -> Result<Option<(Moment, Observed)>, Failure> {
    let game = &thread.game;
    let is_this = |sent: &SentMail| sent.open && sent.ply == game.moves.len() + 1 && sent.numeric == Some(numeric);
    let Some(sent) = store.sent_mails(&game.id).await?.into_iter().find(is_this) else { return Ok(None) };
    let (Some(mail), Some(raw)) = (store.mail(sent.mail).await?, store.mail_raw(sent.mail).await?) else {
        return Ok(None);
    };
    let Ok(message) = parse(&raw) else { return Ok(None) };
    // one that went to somebody else does not count as sent
    if !message.to.iter().chain(&message.cc).any(|address| is_opponent(thread, address)) {
        return Ok(None);
    }
    let observed = seen(&message, mail.server_date.unwrap_or(mail.taken_at), zone);
    let dated = observed.sent_at.filter(|at| observed.sent == Some(at.date_naive()));
    let arrived = observed.arrived_at.map(|at| at.with_timezone(&zone).fixed_offset());
    Ok(dated.or(arrived).map(|at| (Moment::of(at), observed)))
}

/// The move that he names, if it is legal, else the drafted one. A doubt comes too late: it was sent.
async fn chosen(
    store: &mut Store,
    thread: &StoredGame,
    text: Option<&str>,
    ledger: &Ledger,
    day: NaiveDate,
) -> Result<Choice, Failure> {
    let game = &thread.game;
    let planned = game.plan.as_ref().map(|plan| plan.as_written(game.due()));
    let Some(text) = text.or(planned.as_deref()) else {
        let help = format!(
            "game {0} has no drafted move\nhelp: name the move that you sent, `amici sent {0} MOVE --on DATE`, or choose one with \
             `amici play {0} MOVE`",
            game.id
        );
        return Err(Failure::new(Exit::Failed, help));
    };
    let wish = Wish { text, ..Wish::default() };
    Ok(play::chosen(store, &wish, thread, ledger, day).await?)
}
