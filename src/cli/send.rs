//! `amici send`: releases the chosen move to be sent to the opponent by the program itself, where the player allowed that.

use std::time::Duration;

use clap::Args as ClapArgs;

use super::care::consent;
use super::failure::failed;
use super::{Exit, Failure, Report, Setup, find};
use crate::config::{Config, Mail};
use crate::domain::game::{Game, GameId};
use crate::domain::notation::san;
use crate::intake::unsettled::unsettled;
use crate::release::{ReleaseError, prepare};

/// Send the chosen move to the opponent, where [direct] allows it
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// How long it can be recalled, such as 10m or 0s [default: that of the configuration]
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    hold: Option<Duration>,
    /// An unclear mail did not arrive: send the same one once more
    #[arg(long, conflicts_with_all = ["hold", "dry_run"])]
    again: bool,
    /// Send it without being asked
    #[arg(long)]
    yes: bool,
    /// Show the mail only; nothing is kept or sent
    #[arg(short = 'n', long)]
    dry_run: bool,
}

impl From<ReleaseError> for Failure {
    fn from(error: ReleaseError) -> Failure {
        match error {
            ReleaseError::Store(error) => error.into(),
            ReleaseError::Letter(_) => failed(error.to_string()),
        }
    }
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let thread = find(&mut store, &args.game).await?;
    let game = &thread.game;
    let recipient = allowed(&config, game)?;
    setup.around(&config).today(&mut store).await?;
    if args.again {
        let ask = format!(
            "a mail with this move may have reached {recipient}; look into your Sent folder and the copy in your mailbox first"
        );
        consent(setup, args.yes, &[ask], "Send the same mail once more?")?;
        if !store.send_again(&game.id).await? {
            return Err(failed(format!("no mail of game {} is unclear; `amici status` says what waits", game.id)));
        }
        drop(store);
        return Ok(delivered(setup, &config, &game.id, "It goes out once more, with the same bytes.\n").await?.into());
    }
    let Some(plan) = &game.plan else {
        let help = format!("game {} has no chosen move\nhelp: choose one with `amici play {} MOVE`", game.id, game.id);
        return Err(failed(help));
    };
    let hold = args.hold.unwrap_or(config.direct.hold);
    let at = chrono::Duration::from_std(hold).ok().and_then(|hold| setup.now.checked_add_signed(hold));
    let at = at.filter(|at| *at - setup.now <= chrono::Duration::days(7));
    let at = at.ok_or_else(|| failed("a move is held for seven days at most\nhelp: --hold 10m"))?;
    let (dated, release) = prepare(&mut store, &config, &thread, at, setup.now).await?;
    let taken = game.with_line_taken();
    let replay = taken.replay().map_err(|e| failed(e.to_string()))?;
    let legal = plan.numeric.to_move(replay.position()).map_err(|e| failed(e.to_string()))?;
    let short = san(replay.position(), &legal.played);
    let local = at.with_timezone(&config.me.timezone).format("%Y-%m-%d %H:%M");
    let what = format!("{} ({short}) goes to {recipient} at {local}", plan.in_words(game.due()));
    let speaks_against = unsettled(&mut store, &thread, config.me.timezone).await?;
    if args.dry_run {
        let notes: String = speaks_against.iter().map(|line| format!("Note: {line}\n")).collect();
        let mail = String::from_utf8_lossy(&release.bytes);
        return Ok(format!("{what}.\n{notes}Nothing was kept. The mail would be:\n\n{mail}").into());
    }
    let asked: Vec<String> = speaks_against.into_iter().chain([what.clone()]).collect();
    consent(setup, args.yes, &asked, "Send it?")?;
    store.release(&game.id, game.moves.len(), &plan.message_id, &dated, &release, setup.now).await?;
    drop(store);
    let said = format!(
        "{what}.\nUntil then: amici undo {} recalls it. It is on record once the server has taken it.\n",
        game.id
    );
    Ok(delivered(setup, &config, &game.id, &said).await?.into())
}

/// The opponent's address, where the configuration lets it be written to.
fn allowed(config: &Config, game: &Game) -> Result<String, Failure> {
    let refused = |why: &str, help: &str| Err(Failure::new(Exit::Config, format!("{why}\nhelp: {help}")));
    if !matches!(config.mail, Some(Mail::Servers { .. })) {
        return refused("moves can be sent only by an SMTP server", "the configuration needs [imap] and [smtp]");
    }
    let text = game.opponent().emails.first().cloned().unwrap_or_default();
    match text.parse() {
        Ok(address) if config.direct.allows(&address) => Ok(text),
        _ => refused(
            &format!("the program may not write to {} <{text}>", game.opponent().name),
            "send the draft from your mail client, or name the address in the configuration: [direct] opponents",
        ),
    }
}

/// Sends at once what is due, unless a running daemon does.
async fn delivered(setup: &Setup, config: &Config, game: &GameId, said: &str) -> Result<String, Failure> {
    super::daemon::deliver_asked(setup, config, &format!("the opponent of {game}")).await.map(|_| said.to_owned())
}
