//! `amici announce`: the player tells his opponent that he needs longer, so that no repeat is needed and no silence is claimed.

use chrono::NaiveDate;
use clap::Args as ClapArgs;

use super::care::{OneLetter, Wanted, director, draft, event, hand_over, no_director, running, screened, today};
use super::queue::failed;
use super::{Failure, Report, Setup, find};
use crate::domain::clock::rules::{Ruleset, SilenceEffect};
use crate::domain::game::{ClockNote, ClockNoteKind, Game, GameId};
use crate::io::store::Care;
use crate::letters::{self, Errand, Whom};

/// Draft a letter that you need longer for your move
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// The day by which you expect to answer
    #[arg(long, value_name = "DATE")]
    until: NaiveDate,
    /// A few words with it; never a move
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Do it although your time would be overstepped by then, or it was done before
    #[arg(long)]
    yes: bool,
    /// Enter what the opponent announced; no letter is drafted
    #[arg(long, conflicts_with = "message")]
    his: bool,
    /// The day on which he announced it [default: today]
    #[arg(long, value_name = "DATE", requires = "his")]
    on: Option<NaiveDate>,
    /// Show the letter only; nothing is kept or delivered
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let thread = find(&mut store, &args.game).await?;
    let game = &thread.game;
    running(game)?;
    let (today, until) = (today(setup, &config, &mut store).await?, args.until);
    let ply = u32::try_from(game.moves.len() + 1).unwrap_or(u32::MAX);
    if args.his {
        let on = args.on.unwrap_or(today);
        let note = his_note(game, ply, on, until, today)?;
        let said = format!("{} announced on {on} that he needs until {until}.\n", game.opponent().name);
        if args.dry_run {
            return Ok(format!("{said}Nothing was kept.\n").into());
        }
        let text = format!("the opponent announced on {on} that he needs until {until} for move {}", game.due().number);
        let care = Care {
            notes: vec![(game.id.clone(), note)],
            events: vec![event(&game.id, "announced", text)],
            ..Care::default()
        };
        return hand_over(setup, &config, store, &care, said).await;
    }
    if !game.is_my_turn() {
        return Err(failed(format!(
            "in game {0} it is {1}'s turn: there is nothing for you to announce\nhelp: his own announcement is entered with `amici announce {0} --his --until DATE`",
            game.id,
            game.opponent().name
        )));
    }
    if until <= today {
        return Err(failed(format!(
            "{until} has come already; today is {today}\nhelp: name the day by which you will answer"
        )));
    }
    let mut objections = args.message.as_deref().map_or(Ok(Vec::new()), |words| screened(game, words, today))?;
    let ledger = config.me.ledger(game).map_err(|e| failed(e.to_string()))?;
    let clock = ledger.clock(game.me, Some(game.me), until);
    if clock.days_left.is_some_and(|left| left < 0) {
        objections.push(format!("your own time will be over by then: on {until} it is {}", letters::days_left(&clock)));
    }
    let said_before = game.clock_notes.iter().rev().find(|n| n.ply == ply && n.kind == ClockNoteKind::Announced);
    if let Some(note) = said_before.filter(|note| note.until == Some(until)) {
        objections.push(format!("you announced on {} already that you need until {until}", note.on));
    }
    let rules = ledger.rules();
    let since = ledger.waiting_since().map(|d| d.day);
    let to_director = since.is_some_and(|since| director_is_told(rules, since, until));
    let copy = director(&config, game).filter(|_| to_director);
    let hints = hints(rules, since, until, (to_director && copy.is_none()).then(|| no_director(game)));
    let text = letters::announce_text(game, since, until, args.message.as_deref(), &config.me)
        .map_err(|e| failed(e.to_string()))?;
    let said = format!(
        "You announce that you need until {until} for move {}{}.\n",
        game.due().number,
        copy.map(|address| format!(", with a copy to the director {address}")).unwrap_or_default(),
    );
    let errand = Errand {
        label: "announcement",
        what: "you need longer",
        body: &text,
        to: Whom::Opponent { copy },
        hints: &hints,
    };
    let note = Some(ClockNote { ply, kind: ClockNoteKind::Announced, on: today, until: Some(until) });
    let journal =
        ("announced", format!("you announced that you need until {until} for {}; a draft was made", game.due()));
    let wanted = Wanted { dry_run: args.dry_run, yes: args.yes };
    draft(setup, &config, store, wanted, OneLetter { thread: &thread, errand, said, objections, note, journal }).await
}

/// What the opponent announced about the move that he thinks about.
fn his_note(game: &Game, ply: u32, on: NaiveDate, until: NaiveDate, today: NaiveDate) -> Result<ClockNote, Failure> {
    let refused = |why: String| Err(failed(format!("{why}\nhelp: nothing was entered")));
    if game.is_my_turn() {
        return refused(format!("in game {} it is your turn: he has nothing to announce", game.id));
    }
    if on > today {
        return refused(format!("{on} has not come yet; today is {today}"));
    }
    if until <= on {
        return refused(format!("{until} does not lie behind {on}, the day of his announcement"));
    }
    let note = ClockNote { ply, kind: ClockNoteKind::Announced, on, until: Some(until) };
    if game.clock_notes.contains(&note) {
        return refused("this is on record already".to_owned());
    }
    Ok(note)
}

/// A silence that is longer than the rules allow may cost the game unless the director was told.
fn director_is_told(rules: &Ruleset, since: NaiveDate, until: NaiveDate) -> bool {
    let has_effect = match rules.silence.effect {
        SilenceEffect::Warn => false,
        SilenceEffect::TdMayForfeit | SilenceEffect::AutoForfeit => true,
    };
    has_effect && rules.silence.days.is_some_and(|days| (until - since).num_days() > i64::from(days))
}

fn hints(rules: &Ruleset, since: Option<NaiveDate>, until: NaiveDate, no_director: Option<String>) -> Vec<String> {
    let mut hints: Vec<String> = no_director.into_iter().collect();
    let Some(days) = since.map(|since| (until - since).num_days()) else { return hints };
    if let Some(after) = rules.announce_after.filter(|after| days <= i64::from(*after)) {
        hints.push(format!(
            "by the rules of this game only a thought of more than {after} days has to be announced; this is {days}."
        ));
    }
    if let Some(limit) = rules.silence.days.filter(|limit| days > i64::from(*limit) && !rules.silence.extend_by_notice)
    {
        hints.push(format!("by the rules of this game an announcement does not prolong the {limit} days of silence."));
    }
    hints
}
