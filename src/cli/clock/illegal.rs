//! `amici clock illegal`: an illegal move counted into the time of the legal one, by the rules of the game, on the player's word.

use chrono::NaiveDate;

use super::super::failure::failed;
use super::super::ply::Ply;
use super::super::{Failure, Report, Setup, find};
use crate::deeds::event;
use crate::deeds::unheard::awaited;
use crate::domain::clock::illegal::{counted, impossible};
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::rules::RulesetError;
use crate::domain::game::{Game, GameId, SentIllegal};
use crate::intake::again::observed;
use crate::io::store::Store;
use crate::languages::Language;
use crate::letters;
use crate::mail::message::parse;

/// Count an illegal move that was sent before a legal one, by the rules of the game
///
/// Its days and its penalty go into the time of that move: the rules say whether the days until it was noticed count, and how many days
/// of penalty are added. Another penalty than theirs, or none: amici clock set GAME PLY --penalty DAYS.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The game
    game: GameId,
    /// The move that it was sent before: 12. or 12w (White's), 12... or 12b (Black's), or last; also the one that is due
    #[arg(value_name = "PLY")]
    ply: Ply,
    /// The day on which its sender learned that it is illegal
    #[arg(long, value_name = "DATE", value_parser = super::super::day, required_unless_present = "remove")]
    noticed: Option<NaiveDate>,
    /// The day on which it was sent [default: that of the mail, where one was found]
    #[arg(long, value_name = "DATE", value_parser = super::super::day)]
    sent: Option<NaiveDate>,
    /// Do not count it any more
    #[arg(long, conflicts_with_all = ["noticed", "sent"])]
    remove: bool,
    /// Why; the journal keeps it, and a claim and the evidence tell it
    #[arg(long, value_name = "TEXT")]
    why: String,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = setup.store().await?;
    let today = setup.around(&config).today(&mut store).await?;
    let game = find(&mut store, &args.game).await?.game;
    if args.why.trim().is_empty() {
        return Err(failed("say why with --why TEXT: the journal keeps it"));
    }
    let Some(index) = args.ply.index_in(&game).filter(|index| *index <= game.moves.len()) else {
        return Err(failed(format!(
            "that move is neither on record in game {0} nor due; {1} is due\nhelp: `amici clock {0}` shows those on record",
            game.id,
            game.due()
        )));
    };
    let number = game.number_of(index);
    let ply = u32::try_from(index + 1).unwrap_or(u32::MAX);
    let before = game.illegal_before(index).copied();
    let wanted = match args.noticed {
        None => None,
        Some(noticed) => {
            let sent = match args.sent {
                Some(sent) => Some(sent),
                None => sent_by_mail(&mut store, &game, ply, config.me.timezone).await?,
            };
            let Some(sent) = sent else {
                return Err(failed(format!(
                    "no illegal mail was found before {number} in game {}\nhelp: say with --sent DATE when the illegal move was sent",
                    game.id
                )));
            };
            Some(SentIllegal { ply, sent, noticed })
        }
    };
    if before == wanted {
        return Ok("This is counted so already; nothing was done.\n".to_owned().into());
    }
    let broken = |e: RulesetError| failed(format!("game {}: {e}", game.id));
    if let Some(fault) = wanted.map(|illegal| impossible(&game, &illegal, today)).transpose().map_err(broken)?.flatten()
    {
        return Err(failed(format!(
            "the illegal move before {number} cannot be counted like this: {fault}\nhelp: nothing was kept; `amici clock {}` shows the dates around it",
            game.id
        )));
    }
    let mut after = game.clone();
    after.illegal.retain(|illegal| illegal.ply != ply);
    after.illegal.extend(wanted);
    let ledger = Ledger::of(&after).map_err(broken)?;
    let said = match counted(&after, &ledger, index) {
        Some(counted) => format!("{number}: {counted}"),
        None => format!("{number}: no illegal move is counted any more"),
    };
    let had = before.map_or("nothing".to_owned(), |b| format!("sent {}, noticed {}", b.sent, b.noticed));
    let text = format!("{said} (before: {had}); why: {}", args.why.trim());
    store.count_illegal(&game.id, ply, (before, wanted), &event(&game.id, "clock", text), setup.now).await?;
    let rule = wanted.map(|_| format!("By the rules: {}.\n", ledger.rules().clause("illegal"))).unwrap_or_default();
    let awaited = awaited(&mut store, &config, &after, setup.now).await?;
    Ok(format!(
        "{said}.\n{rule}{}",
        letters::clock_lines(&after, &ledger, Some(today.into()), awaited, Language::English)
    )
    .into())
}

/// The day on which the first illegal mail for a ply was sent: that of its Date, else the day our server took it.
async fn sent_by_mail(
    store: &mut Store,
    game: &Game,
    ply: u32,
    zone: chrono_tz::Tz,
) -> Result<Option<NaiveDate>, Failure> {
    let Some(found) = game.illegal_mails.iter().find(|mail| mail.ply == ply) else { return Ok(None) };
    let Some(stored) = store.mail(found.mail).await? else { return Ok(None) };
    let raw = store.mail_raw(found.mail).await?;
    let message = raw.and_then(|raw| parse(&raw).ok());
    let seen = observed(message.as_ref(), stored.server_date.unwrap_or(stored.taken_at), zone);
    Ok(seen.sent.or(seen.arrived))
}
