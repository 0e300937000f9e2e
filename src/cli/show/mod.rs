//! `amici show`: one game with board, score, clocks, held mails and the plan; without a name, the one that needs the player most.

use chrono::{DateTime, NaiveDate, Utc};
use clap::Args as ClapArgs;
use serde_json::json;
use shakmaty::Position;

use super::explain::source::vouching_of_last;
use super::line::over_json;
use super::narrow::{folded, is_too_wide};
use super::note::listed;
use super::sending::Sending;
use super::status::held_json;
use super::{Exit, Failure, Report, Setup, watched};
use crate::config::{Assistance, Config, Language};
use crate::deeds::by_position::claim_option;
use crate::deeds::mailed::say_sent;
use crate::deeds::today::Day;
use crate::domain::board::board;
use crate::domain::clock::days::Moment;
use crate::domain::clock::events::{Mark, Pace, marks, next};
use crate::domain::clock::hidden::Hidden;
use crate::domain::clock::ledger::{Ledger, PlyTime};
use crate::domain::clock::over::{Awaited, IllegalDays, over};
use crate::domain::document::GameDocument;
use crate::domain::game::{Game, GameId, MoveRecord, PrivateNote, Side};
use crate::domain::notation::{NumericMove, san, words};
use crate::domain::openings::{Opening, opening};
use crate::domain::replay::{DrawClaim, Replay};
use crate::domain::transmission::compose::{score, score_by_ply};
use crate::intake::held::{OWN, as_reminder};
use crate::io::store::{Held, Store, WatchedGame};
use crate::letters::{
    self, ClaimKind, Claimed, below_clocks, clock_lines, ignored_help, late_move, offers_help, promised_help, reminded,
    transmission, undated_help,
};
use crate::overview::{Answers, drafted_on};

mod first;

/// Show a game, or the one that needs you most: board, score, clocks
///
/// Without a name it says why that game comes first; as JSON it is the game as `amici status` has it, with why.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game; the one that needs you most if none is named
    game: Option<GameId>,
    /// One JSON document
    #[arg(long)]
    json: bool,
    /// Show the figures of another instant than now
    #[arg(long, value_name = "INSTANT", value_parser = super::instant)]
    at: Option<DateTime<Utc>>,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let Some(game) = args.game else { return first::show(setup, &config, args.json, args.at).await };
    let mut store = setup.store_to_read().await?;
    let watched = watched(&mut store, &game).await?;
    let day = Day::of(&mut store, config.me.timezone, setup.now, args.at).await?;
    shown(&mut store, &config, &watched, &day, args.json, setup.now).await.map(Report::from)
}

/// What stands beside the record.
struct Beside {
    held: Vec<Held>,
    sending: Sending,
    notes: Vec<PrivateNote>,
    /// That the opponent waits, and what follows from it.
    reminded: String,
    awaited: Awaited,
    /// The lines that his last mail offers.
    offers: Vec<Vec<String>>,
    /// How far a claim on time got since the last move.
    claimed: Option<Claimed>,
    /// What vouches for the mail that gave the opponent's last move.
    vouched: Option<String>,
}

/// One game on a day, with the mails that are held for it; `now` is what the clock of the machine says, whatever day is asked for.
async fn shown(
    store: &mut Store,
    config: &Config,
    watched: &WatchedGame,
    day: &Day,
    in_json: bool,
    now: DateTime<Utc>,
) -> Result<String, Failure> {
    let game = &watched.stored.game;
    let answers = Answers::at(now, store, config).await?;
    let held: Vec<Held> = answers.held.iter().filter(|held| held.game.as_ref() == Some(&game.id)).cloned().collect();
    let broken = |why: String| Failure::new(Exit::Failed, format!("game {}: {why}", game.id));
    let replay = game.replay().map_err(|e| broken(e.to_string()))?;
    let ledger = config.me.ledger(game).map_err(|e| broken(e.to_string()))?;
    let helps = config.assistance(&game.event) == Assistance::All;
    let opening = if helps { opening(&replay) } else { None };
    let today = day.date();
    let awaited = answers.awaited(game.id.as_str(), IllegalDays::of(game, ledger.rules()));
    let lost = answers.lost(game, day.now, day.zone);
    let sending = Sending::load(store, watched, lost).await?;
    let notes = store.notes(&game.id).await?;
    let claimed = Claimed::of(ClaimKind::Time, &game.id, &store.claims().await?, day.zone);
    let vouched = vouching_of_last(store, game, &config.senders.own_server).await?;
    let last: Vec<(&GameId, usize)> =
        [(&game.id, game.moves.len())].into_iter().filter(|_| game.is_my_turn()).collect();
    let offers = store.lines_with(&last).await?.into_iter().flat_map(|(_, lines)| lines).collect();
    let beside = Beside {
        held,
        sending,
        notes,
        offers,
        reminded: reminded(game, &config.me, Language::English),
        awaited,
        claimed,
        vouched,
    };
    if in_json {
        return as_json(game, &replay, &ledger, &beside, opening, day).map_err(broken);
    }
    let pace = Pace::of(&ledger, today);
    let mut marks = marks(game, &ledger, pace.as_ref(), drafted_on(watched, day.zone));
    let is_undelivered = watched.came_back || answers.is_missed(game.id.as_str());
    marks.retain(|mark| !(is_undelivered && !game.is_my_turn() && mark.is_of_silence()));
    let event = day.now().and_then(|now| next(&marks, game.me, now));
    as_text(game, &replay, &ledger, &beside, opening, event, day)
        .map(|text| folded(day.doubt() + &text))
        .map_err(broken)
}

fn as_json(
    game: &Game,
    replay: &Replay,
    ledger: &Ledger,
    beside: &Beside,
    opening: Option<Opening>,
    day: &Day,
) -> Result<String, String> {
    let now = day.now();
    let mut document = serde_json::to_value(GameDocument::from(game)).map_err(|e| e.to_string())?;
    let moves: Vec<_> = game
        .moves
        .iter()
        .zip(ledger.plies())
        .zip(replay.plies())
        .enumerate()
        .map(|(index, ((record, time), (before, played)))| {
            let mut ply = ply_json(index, record, time, san(before, played));
            if let (Some(state), Some(object)) = (beside.sending.state_of(game, index), ply.as_object_mut()) {
                object.insert("state".into(), json!(state));
            }
            ply
        })
        .collect();
    let to_move = ledger.goes_on().then(|| game.to_move());
    let clock = |side| {
        let c = ledger.clock(side, to_move, day.moment());
        let known = |days: Option<i64>| days.filter(|_| now.is_some() || to_move != Some(side));
        json!({"days_used": c.days_used, "days_this_move": known(Some(c.days_this_move.into())), "days_left": known(c.known_left()), "partial": c.is_partial, "until_move": c.until_move})
    };
    let plan = game.plan.as_ref().map(|p| {
        json!({"before": p.before, "numeric": p.numeric, "sent": p.stated.sent, "days": p.stated.days, "total": p.stated.total, "draw_offer": p.draw_offer, "message_id": p.message_id, "conditionals": p.conditionals, "comment": p.comment, "held_until": p.held_until})
    });
    if let Some(object) = document.as_object_mut() {
        object.insert("schema".into(), json!(1));
        object.insert("moves".into(), json!(moves));
        object.insert("fen".into(), json!(replay.fen()));
        object.insert("to_move".into(), json!(to_move));
        object.insert("opening".into(), json!(opening.map(|o| json!({"eco": o.eco, "name": o.name}))));
        object.insert("clocks".into(), json!({"white": clock(Side::White), "black": clock(Side::Black)}));
        object.insert("over".into(), over_json(now.and_then(|now| over(game, ledger, now, beside.awaited))));
        object.insert("clock_trusted".into(), json!(day.distrust.is_none()));
        object.insert("clock_doubt".into(), json!(day.distrust.map(|why| why.to_string())));
        object.insert("his_overstep".into(), overstep_json(game, ledger, game.me.other(), now));
        object.insert("perhaps_overstepped".into(), hidden_json(game, ledger));
        object.insert("own_overstep".into(), overstep_json(game, ledger, game.me, now));
        let (drafted, sent) = match beside.claimed {
            Some(Claimed::Drafted(on)) => (Some(on), None),
            Some(Claimed::Sent(on)) => (None, Some(on)),
            None => (None, None),
        };
        object.insert("claim_drafted".into(), json!(drafted));
        object.insert("claim_sent".into(), json!(sent));
        object.insert("vouched".into(), json!(beside.vouched));
        object.insert("promised".into(), json!(game.promised()));
        object.insert("offers".into(), json!(beside.offers));
        object.insert("repetitions".into(), json!(replay.repetitions()));
        object.insert("moves_without_progress".into(), json!(replay.moves_without_progress()));
        object.insert("held".into(), beside.held.iter().map(held_json).collect());
        object.insert("notes".into(), json!(beside.notes));
        object.insert("plan".into(), json!(plan));
        object.insert("sending".into(), json!(beside.sending.flags));
    }
    Ok(format!("{document:#}\n"))
}

/// `second`, `third`; from the tenth on in figures.
fn ordinal(count: usize) -> String {
    let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
    let word = count.checked_sub(1).and_then(|index| words.get(index));
    word.map_or_else(|| format!("{count}th"), |word| (*word).to_owned())
}

/// By how much a side's time is overstepped; `null` where it is not, or nobody knows since the clock is not believed.
pub(super) fn overstep_json(game: &Game, ledger: &Ledger, side: Side, now: Option<Moment>) -> serde_json::Value {
    let runs = ledger.goes_on() && game.to_move() == side;
    let now = now.or_else(|| (!runs).then(|| NaiveDate::MIN.into()));
    let over = now.and_then(|now| letters::overstep(game, ledger, side, now));
    json!(over.map(|over| {
        json!({"number": over.number.to_string(), "was_sent": over.was_sent, "by": over.by, "at_least": over.least(), "figures": over.figures(), "not_if_booked_on": over.booked})
    }))
}

/// The overstep of the opponent's last move that only doubtful days hide, with the days; `null` where there is none.
pub(super) fn hidden_json(game: &Game, ledger: &Ledger) -> serde_json::Value {
    json!(Hidden::of(game, ledger).map(|hidden| {
        let days: Vec<NaiveDate> = hidden.days.iter().map(|other| other.day).collect();
        json!({"number": hidden.over.number.to_string(), "by": hidden.over.by, "days": days})
    }))
}

fn ply_json(index: usize, record: &MoveRecord, time: &PlyTime, san: String) -> serde_json::Value {
    let mut ply = json!({
        "ply": index + 1, "numeric": record.numeric, "san": san,
        "received": time.received.map(|d| d.day), "sent": time.sent.map(|d| d.day),
        "days": time.days, "total": time.known_total(),
    });
    if let Some(object) = ply.as_object_mut() {
        for (key, claimed, computed) in [
            ("claimed_days", record.claimed.days, time.days),
            ("claimed_total", record.claimed.total, time.known_total()),
        ] {
            if claimed.is_some() && claimed != computed {
                object.insert(key.into(), json!(claimed));
            }
        }
    }
    ply
}

fn as_text(
    game: &Game,
    replay: &Replay,
    ledger: &Ledger,
    beside: &Beside,
    opening: Option<Opening>,
    event: Option<Mark>,
    day: &Day,
) -> Result<String, String> {
    let mut record = game.clone();
    record.plan = None;
    let said = transmission(&record).map_err(|e| e.to_string())?;
    let mut text = format!("{}   you have {}\n\n", game.id, game.me.name());
    text.push_str(&board(replay.position().board(), game.me));
    text.push('\n');
    if let Some((before, played)) = replay.plies().last() {
        let number = game.number_of(game.moves.len() - 1);
        text.push_str(&format!(
            "Last move: {number} {}  {}  {}\n",
            NumericMove::of(played),
            san(before, played),
            words(before, played)
        ));
        text.extend(beside.vouched.iter().map(|vouched| format!("Its mail: {vouched}.\n")));
    }
    let board = letters::board_decides(game, Language::English);
    match (game.result, &board) {
        (Some(result), _) => text.push_str(&format!("Result: {}\n", result.word())),
        (None, Some([decides, _])) => text.push_str(&format!("The game is over: {decides}\n")),
        (None, None) => text.push_str(&format!(
            "To move: {}, {}\n",
            game.to_move().name(),
            if game.is_my_turn() { "you" } else { "your opponent" }
        )),
    }
    if ledger.goes_on() && game.draw_offer == Some(game.me.other()) {
        let id = &game.id;
        text.push_str(&format!("He offers a draw:  amici draw {id} --accept   (it lapses with your move)\n"));
    }
    if let Some(opening) = opening {
        text.push_str(&format!("Opening: {} {}\n", opening.eco, opening.name));
    }
    let standing = replay.standing().words();
    if !standing.is_empty() && board.is_none() {
        text.push_str(&format!("Position: {standing}\n"));
    }
    if replay.repetitions() > 1 {
        text.push_str(&format!("The position stands for the {} time.\n", ordinal(replay.repetitions())));
    }
    text.push_str(&draw_claims(game, replay));
    text.push('\n');
    text.push_str(&clock_lines(game, ledger, day.now(), beside.awaited, Language::English));
    text.push_str(&below_clocks(game, ledger, day.now()));
    text.push_str(&undated_help(game, ledger));
    text.push_str(&beside.reminded);
    text.push_str(&late_move(game, ledger, beside.claimed, Language::English));
    text.push_str(&promised_help(game, Language::English));
    text.push_str(&offers_help(game, &beside.offers, Language::English));
    if let Some(since) = ledger.waiting_since().filter(|_| ledger.goes_on()) {
        text.push_str(&format!("Thinking since {} ({})\n", since.day.format("%a %d %b %Y"), since.source.words()));
    }
    if let Some((event, now)) = event.zip(day.now()) {
        let over = over(game, ledger, now, beside.awaited).filter(|_| event.is_passed(now));
        text.push_str(&format!("Next: {}\n", event.dated(game.me, over)));
    }
    if ledger.goes_on() && !game.is_my_turn() && beside.held.iter().any(|held| held.outcome != OWN) {
        text.push_str("A mail of his is held (below): if it is his answer, his clock has stopped.\n");
    }
    text.push_str(&ignored_help(game, Language::English).unwrap_or_default());
    text.push_str(&beside.sending.in_words(game));
    text.push('\n');
    let sheet = score(&said);
    text.push_str(&if is_too_wide(&sheet) { score_by_ply(&said) } else { sheet });
    if let Some(plan) = game.plan.as_ref().filter(|plan| !plan.is_drafted()) {
        text.push_str(&format!(
            "\nChosen, and not drafted yet: {}. Your clock runs.   Changed your mind?  amici undo {}\n",
            plan.in_words(game.due()),
            game.id
        ));
    }
    if let Some(plan) = game.plan.as_ref().filter(|plan| plan.is_drafted()) {
        text.push_str(&format!(
            "\nDrafted, not seen to be sent: {}. Your clock runs until you send it.\n",
            plan.in_words(game.due())
        ));
        text.push_str(&format!(
            "Sent it? His answer will tell, or say  {}.   Changed your mind?  amici undo {}\n",
            say_sent(game, day.date()),
            game.id
        ));
    }
    for h in &beside.held {
        text.push_str(&format!(
            "\nHeld: mail {} from {}: {}\n  amici review --mail {}\n",
            h.mail,
            h.from_address.as_deref().unwrap_or("an unknown sender"),
            h.reason,
            h.mail
        ));
        if let Some((command, what)) = as_reminder(game, h, day.zone) {
            text.push_str(&format!("  {command}   {what}\n"));
        }
    }
    if let Some(notes) = listed(game, &beside.notes) {
        text.push_str(&format!("\n{notes}"));
    }
    text.push_str(&format!("\nFEN {}\n", replay.fen()));
    if let Some([_, close]) = board {
        text.push_str(&format!("Next: {close}   closes the game\n"));
    } else if game.is_my_turn() && ledger.is_last_overstepped() {
        text.push_str(&match beside.claimed {
            None => format!("Next: amici claim {}   drafts a claim; do it before you answer\n", game.id),
            Some(Claimed::Drafted(_)) => "Next: send the claim that was drafted, before you answer\n".to_owned(),
            Some(Claimed::Sent(_)) => "Next: wait for the director's word on your claim\n".to_owned(),
        });
    } else if Hidden::of(game, ledger).is_some() {
        text.push_str("Next: settle his day, as told above, before you answer\n");
    } else if game.is_my_turn() && game.plan.is_none() {
        text.push_str(&format!("Next: amici play {} MOVE   (numeric, SAN or c7c5)\n", game.id));
    }
    Ok(text)
}

/// The draw that he may claim before he moves, and the one with the move that he chose: a draft that is sent claims none.
fn draw_claims(game: &Game, replay: &Replay) -> String {
    if !game.is_my_turn() {
        return String::new();
    }
    let id = &game.id;
    let you = |claim| match claim {
        DrawClaim::Repetition => "You",
        DrawClaim::FiftyMoves => "Fifty moves of each side were made without a capture or a move of a pawn: you",
    };
    let chosen =
        game.plan.as_ref().and_then(|plan| Some((plan.in_words(game.due()), game.with_plan_recorded().replay().ok()?)));
    match (replay.draw_claim(), chosen) {
        (Some(claim), None) => {
            format!("{} may claim a draw before you move:  amici claim {id} {}\n", you(claim), claim_option(claim))
        }
        (now, Some((chosen, then))) => {
            let mut text = String::new();
            if let Some(claim) = then.draw_claim() {
                text.push_str(&format!(
                    "{} may claim a draw with {chosen}, which is not sent then:  amici claim {id} {}\n",
                    you(claim),
                    claim_option(claim)
                ));
            } else if let Some(claim) = now {
                text.push_str(&format!(
                    "{} may claim a draw before you move; take {chosen} back first:  amici undo {id}   then  amici claim {id} {}\n",
                    you(claim),
                    claim_option(claim)
                ));
            }
            text
        }
        (None, None) => String::new(),
    }
}
