//! `amici claim`: drafts a claim to the director, with a copy to the opponent. Never claims by itself.

use chrono::NaiveDate;
use clap::{Args as ClapArgs, ValueEnum};

use super::care::{Wanted, carry_out};
use super::{Failure, Report, Setup, find};
use crate::deeds::claim::{Drafted, Wish, propose, sent};
use crate::domain::game::GameId;
use crate::letters::ClaimKind;

mod mailbox;

/// Draft a claim to the director: time, silence, a draw
///
/// Without an option it is whatever can be claimed.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "A claim is written in English, in whatever language your other letters are: a director reads it."
)]
pub(super) struct Args {
    /// The game
    game: GameId,
    #[command(flatten)]
    kind: Kind,
    /// With --repetition or --fifty-moves: your move that brings it about and that you have not sent
    #[arg(long, value_name = "MOVE", conflicts_with_all = ["time", "silence", "tablebase", "entered"])]
    with: Option<String>,
    /// Do it although the rules do not clearly allow it, or it was done before
    #[arg(long)]
    yes: bool,
    /// You sent it already: only enter that
    #[arg(long, group = "entered")]
    sent: bool,
    /// It was not sent: take out that it was
    #[arg(long, group = "entered", conflicts_with_all = ["dry_run", "yes"])]
    undo: bool,
    /// The day on which you sent it, also in place of the one on record [default: today]
    #[arg(long, value_name = "DATE", value_parser = super::day, requires = "sent", conflicts_with = "undo")]
    on: Option<NaiveDate>,
    /// Show the claim only; nothing is kept or delivered
    #[arg(short = 'n', long)]
    dry_run: bool,
}

#[derive(Debug, ClapArgs)]
#[group(multiple = false)]
struct Kind {
    /// The opponent's time is overstepped
    #[arg(long)]
    time: bool,
    /// He has not answered for too long
    #[arg(long)]
    silence: bool,
    /// The position stands for the third time
    #[arg(long)]
    repetition: bool,
    /// Fifty moves without a capture or a move of a pawn
    #[arg(long)]
    fifty_moves: bool,
    /// What the tablebases give for the position
    #[arg(long, value_enum, value_name = "RESULT")]
    tablebase: Option<Tablebase>,
}

impl Kind {
    fn named(&self) -> Option<ClaimKind> {
        let options = [
            (self.time, ClaimKind::Time),
            (self.silence, ClaimKind::Silence),
            (self.repetition, ClaimKind::Repetition),
            (self.fifty_moves, ClaimKind::FiftyMoves),
            (self.tablebase.is_some(), ClaimKind::Tablebase),
        ];
        options.into_iter().find_map(|(is_meant, kind)| is_meant.then_some(kind))
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Tablebase {
    /// You win
    Win,
    /// Drawn
    Draw,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let around = setup.around(&config);
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let thread = find(&mut store, &args.game).await?;
    let game = &thread.game;
    let win = matches!(args.kind.tablebase, Some(Tablebase::Win));
    let wish = Wish { kind: args.kind.named(), win, with: args.with.as_deref() };
    let proposal = if args.sent {
        sent::enter(around, &mut store, game, wish, args.on).await?
    } else if args.undo {
        sent::undo(around, &mut store, game, wish.kind).await?
    } else {
        let Drafted { mut proposal, looked_for_since } = propose(around, &mut store, &thread, wish).await?;
        if let Some(since) = looked_for_since {
            let his = &game.opponent().emails;
            proposal.doubts.extend(mailbox::unseen(&mut store, &config, his, since).await?);
        }
        proposal
    };
    carry_out(setup, &config, store, Wanted { dry_run: args.dry_run, yes: args.yes }, proposal).await
}
