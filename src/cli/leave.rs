//! `amici leave`: days on which a clock stands still: entered, listed, taken out, and told to everybody concerned.

use chrono::NaiveDate;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::care::{Span, Wanted, carry_out};
use super::each::{Form, by_account};
use super::{Failure, Report, Setup, meant};
use crate::deeds::leave::{self, Which};
use crate::domain::game::GameId;
use crate::io::store::Store;

mod list;

/// Enter, list or take out days on which a clock stands still
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

impl Args {
    /// It only lists what there is.
    pub(super) fn only_lists(&self) -> bool {
        matches!(self.what, What::List { .. })
    }
}

#[derive(Debug, Subcommand)]
enum What {
    /// Enter leave; yours is told to opponents and directors by drafts
    Add(Add),
    /// All leave on record, and the days of each year
    List {
        /// One JSON document
        #[arg(long)]
        json: bool,
    },
    /// You sent the letters of your leave: enter that
    Sent(SentArgs),
    /// Take leave out again
    Remove(WhichArgs),
}

#[derive(Debug, ClapArgs)]
struct Add {
    #[command(flatten)]
    which: WhichArgs,
    /// The day on which the opponent announced it
    #[arg(long, value_name = "DATE", value_parser = super::day)]
    announced: Option<NaiveDate>,
    /// Do it although the rules want leave to be announced before it begins
    #[arg(long)]
    yes: bool,
    /// Show the letters only; nothing is kept or delivered
    #[arg(short = 'n', long)]
    dry_run: bool,
}

#[derive(Debug, ClapArgs)]
struct WhichArgs {
    /// The first and the last day, both included: 2026-07-01..2026-07-14
    #[arg(value_name = "FROM..TO")]
    span: Span,
    /// Only the games of this event
    #[arg(long, value_name = "NAME", conflicts_with = "game")]
    event: Option<String>,
    /// Only this game; may be given more than once [default: every running game]
    #[arg(long)]
    game: Vec<GameId>,
    /// Whose leave it is
    #[arg(long, value_enum, default_value = "me")]
    of: Whose,
}

#[derive(Debug, ClapArgs)]
struct SentArgs {
    #[command(flatten)]
    which: WhichArgs,
    /// The day on which you sent them, also in place of the one on record [default: today]
    #[arg(long, value_name = "DATE", value_parser = super::day)]
    on: Option<NaiveDate>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Whose {
    /// Yours
    Me,
    /// The opponent's, in one game
    Opponent,
}

impl WhichArgs {
    async fn meant(self, store: &mut Store) -> Result<Which, Failure> {
        let mut games = Vec::new();
        for id in &self.game {
            games.push(meant(store, id).await?);
        }
        let of = match self.of {
            Whose::Me => leave::Whose::Me,
            Whose::Opponent => leave::Whose::Opponent,
        };
        Ok(Which { from: self.span.from, to: self.span.to, event: self.event, games, of })
    }
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let (which, announced, on, wanted) = match args.what {
        What::List { json } => {
            return by_account(setup, Form::of(json, false), async |account| list::run(account, json).await).await;
        }
        What::Remove(which) => {
            let config = setup.config()?;
            let mut store = setup.store().await?;
            let which = which.meant(&mut store).await?;
            return Ok(leave::remove(setup.around(&config), &mut store, &which).await?.into());
        }
        What::Add(Add { which, announced, yes, dry_run }) => (which, announced, None, Wanted { dry_run, yes }),
        What::Sent(SentArgs { which, on }) => (which, None, Some(on), Wanted { dry_run: false, yes: false }),
    };
    let config = setup.config()?;
    let around = setup.around(&config);
    let mut store = if wanted.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let which = which.meant(&mut store).await?;
    let proposal = match on {
        Some(on) => leave::sent(around, &mut store, &which, on).await?,
        None => match leave::add(around, &mut store, &which, announced).await? {
            Some(proposal) => proposal,
            None => return Ok("This leave is on record already; nothing was done.\n".to_owned().into()),
        },
    };
    carry_out(setup, &config, store, wanted, proposal).await
}
