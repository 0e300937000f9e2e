//! Leave: days on which a clock stands still, entered, told to everybody concerned, and taken out.

use std::borrow::Cow;
use std::collections::BTreeMap;

use chrono::{Datelike, NaiveDate};

use super::{Around, Proposal, Refusal, event, running};
use crate::config::Language;
use crate::domain::clock::days::in_words;
use crate::domain::clock::doubt::is_late;
use crate::domain::clock::rules::Ruleset;
use crate::domain::clock::settle::meant;
use crate::domain::clock::still::StandingStill;
use crate::domain::game::{Game, GameId, Leave, is_same_event};
use crate::io::store::{Care, Store, StoredGame};
use crate::letters::{self, Errand, Letter, Tells, Whom};
use crate::mail::address::Address;

/// Whose leave it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The player's.
    Me,
    /// The opponent's, in one game.
    Opponent,
}

/// Leave, and the games in which it counts.
#[derive(Debug)]
pub struct Which {
    /// Its first day.
    pub from: NaiveDate,
    /// Its last day.
    pub to: NaiveDate,
    /// Only the games of this event.
    pub event: Option<String>,
    /// Only these games; none stands for every running game.
    pub games: Vec<GameId>,
    /// Whose it is.
    pub of: Whose,
}

impl Which {
    fn leave(&self, game: &Game, announced: Option<NaiveDate>) -> Leave {
        let side = match self.of {
            Whose::Me => game.me,
            Whose::Opponent => game.me.other(),
        };
        Leave { side, from: self.from, to: self.to, announced }
    }

    /// The running games that are meant, at least one.
    async fn running(&self, store: &mut Store) -> Result<Vec<StoredGame>, Refusal> {
        let mut found: Vec<StoredGame> = Vec::new();
        for id in &self.games {
            let Some(thread) = store.game(id).await? else {
                return Err(Refusal::NoGame(format!("there is no game {id}")));
            };
            running(&thread.game)?;
            if !found.iter().any(|other| other.game.id == thread.game.id) {
                found.push(thread);
            }
        }
        if self.of == Whose::Opponent && found.len() != 1 {
            return Err(Refusal::not_done("an opponent's leave belongs to one game\nhelp: say which with --game ID"));
        }
        if !found.is_empty() {
            return Ok(found);
        }
        let fits = |StoredGame { game, .. }: &StoredGame| {
            game.result.is_none() && self.event.as_ref().is_none_or(|event| is_same_event(event, &game.event))
        };
        found = store.games_where(fits).await?;
        found.retain(|thread| thread.game.decided().is_none());
        match (&self.event, found.is_empty()) {
            (_, false) => Ok(found),
            (Some(event), true) => Err(Refusal::NoGame(format!("no running game belongs to the event `{event}`"))),
            (None, true) => Err(Refusal::NoGame("no game is running".to_owned())),
        }
    }
}

/// Leave that is entered; the player's own is told to opponents and directors by drafts. `announced` is the day on which the opponent told of
/// his. `None` where it is on record already.
///
/// # Errors
/// It cannot be meant so, or the rules do not allow so much of it.
pub async fn add(
    around: Around<'_>,
    store: &mut Store,
    which: &Which,
    announced: Option<NaiveDate>,
) -> Result<Option<Proposal>, Refusal> {
    let today = around.today(store).await?;
    for day in [which.from, which.to] {
        meant(day, today).map_err(|e| Refusal::NotDone(format!("{e}\nhelp: nothing was entered")))?;
    }
    let mut games = which.running(store).await?;
    let told = match which.of {
        Whose::Me if announced.is_some() => {
            return Err(Refusal::not_done(
                "--announced is the day on which the opponent told you of his leave; yours is told by these letters\nhelp: add --of opponent, or leave --announced out",
            ));
        }
        Whose::Me => Some(today),
        Whose::Opponent => announced,
    };
    if let Some(day) = told.filter(|day| *day > today) {
        return Err(Refusal::NotDone(format!("{day} has not come yet; today is {today}")));
    }
    games.retain(|thread| !is_covered(&thread.game, &which.leave(&thread.game, None)));
    if games.is_empty() {
        return Ok(None);
    }
    let mut doubts = Vec::new();
    for StoredGame { game, .. } in &games {
        let leave = which.leave(game, told);
        match (exceeded(game, &leave)?, which.of) {
            (Some(too_many), Whose::Me) => {
                return Err(Refusal::NotDone(format!("{too_many}\nhelp: nothing was entered; take fewer days")));
            }
            (Some(too_many), Whose::Opponent) => doubts.push(too_many),
            (None, _) => {}
        }
        doubts.extend(late(game, &leave, told)?);
    }
    let entered: Vec<(GameId, Leave)> =
        games.iter().map(|thread| (thread.game.id.clone(), which.leave(&thread.game, announced))).collect();
    let ids: Vec<&str> = entered.iter().map(|(id, _)| id.as_str()).collect();
    let Which { from, to, .. } = *which;
    let whose = match which.of {
        Whose::Me => "Your leave".to_owned(),
        Whose::Opponent => format!("The leave of {}", games.first().map_or("", |t| t.game.opponent().name.as_str())),
    };
    let mut said = format!("{whose} from {from} to {to} counts in {}.\n", ids.join(", "));
    let letters = match which.of {
        Whose::Me => letters_of(around, &games, which, &mut said)?,
        Whose::Opponent => Vec::new(),
    };
    let journal = |id: &GameId| event(id, "leave", format!("{whose} from {from} to {to} was entered"));
    let care = Care { events: entered.iter().map(|(id, _)| journal(id)).collect(), leaves: entered, ..Care::default() };
    let mut proposal = Proposal::entry(said, doubts, care);
    if which.of == Whose::Me {
        proposal.next = format!(
            "It counts as if the letters had gone out: send them today. Where your Sent folder is not read, say so:  amici leave sent {from}..{to}\n\
             If you do not send them, take it out:  amici leave remove {from}..{to}\n"
        );
    }
    for drafted in letters {
        proposal.letters.push(drafted.text);
        proposal.care.outgoing.push(drafted.letter.into_notice(Some(drafted.game)));
    }
    Ok(Some(proposal))
}

fn rules_of(game: &Game) -> Result<Cow<'_, Ruleset>, Refusal> {
    game.ruleset().map_err(|e| Refusal::NotDone(format!("game {}: {e}", game.id)))
}

/// Whether the side is on leave already on all days of this leave.
fn is_covered(game: &Game, leave: &Leave) -> bool {
    let still = StandingStill::of(&game.leaves, leave.side);
    still.spans().iter().any(|(from, to)| *from <= leave.from && leave.to <= *to)
}

/// The days of leave of a side with this one, in each calendar year that it touches.
fn years_with(game: &Game, leave: &Leave) -> Vec<(i32, u32)> {
    let mut leaves = game.leaves.clone();
    leaves.push(*leave);
    let still = StandingStill::of(&leaves, leave.side);
    (leave.from.year()..=leave.to.year()).map(|year| (year, still.in_year(year))).collect()
}

/// The year in which the leave of a side would be longer than the rules of the game allow.
fn exceeded(game: &Game, leave: &Leave) -> Result<Option<String>, Refusal> {
    let rules = rules_of(game)?;
    let Some(limit) = rules.leave.days_per_year else { return Ok(None) };
    let over = years_with(game, leave).into_iter().find(|(_, days)| *days > limit);
    Ok(over.map(|(year, days)| {
        format!("game {}: {} of leave in {year}, and its rules allow {limit}", game.id, in_words(days))
    }))
}

/// Leave that is announced after it began is not taken without a question, where the rules want it before (T64).
fn late(game: &Game, leave: &Leave, announced: Option<NaiveDate>) -> Result<Option<String>, Refusal> {
    let rules = rules_of(game)?;
    if !is_late(&rules, &Leave { announced, ..*leave }) {
        return Ok(None);
    }
    Ok(match announced {
        Some(day) => Some(format!(
            "game {}: its rules want leave to be announced before it begins; this began on {} and is announced on {day}",
            game.id, leave.from
        )),
        None => Some(format!(
            "game {}: its rules want leave to be announced before it begins, and no day of announcement is given\nhelp: say it with --announced DATE",
            game.id
        )),
    })
}

/// A letter with its text as it is shown, and the game whose thread it is in.
struct Drafted {
    game: GameId,
    letter: Letter,
    text: String,
}

/// One letter to each opponent and each director, naming all games that concern him; where leave stops both clocks in some of them only, a
/// letter for these.
fn letters_of(
    around: Around<'_>,
    games: &[StoredGame],
    which: &Which,
    said: &mut String,
) -> Result<Vec<Drafted>, Refusal> {
    let mut opponents: BTreeMap<(String, bool), Vec<&StoredGame>> = BTreeMap::new();
    let mut directors: BTreeMap<(String, bool), (&Address, Vec<&StoredGame>)> = BTreeMap::new();
    let mut without_director: BTreeMap<&str, &Game> = BTreeMap::new();
    for thread in games {
        let address = thread.game.opponent().emails.first().cloned().unwrap_or_default();
        let both = rules_of(&thread.game)?.leave.stops_both;
        opponents.entry((address.to_lowercase(), both)).or_default().push(thread);
        match around.me().styles.director_of(&thread.game.event) {
            Some(address) => {
                directors.entry((address.to_string(), both)).or_insert((address, Vec::new())).1.push(thread);
            }
            None => _ = without_director.insert(&thread.game.event, &thread.game),
        }
    }
    without_director.remove("");
    said.extend(
        without_director.values().map(|game| format!("Note: {}\n", letters::no_director(game, Language::English))),
    );
    let to_opponents = opponents.iter().map(|((_, both), threads)| (threads, *both, Whom::Opponent { copy: None }));
    let to_directors = directors.iter().map(|((_, both), (address, threads))| {
        (threads, *both, Whom::Director { address: Some(*address), copy_to_opponent: false })
    });
    let mut drafted = Vec::new();
    for (threads, both, to) in to_opponents.chain(to_directors) {
        let Some(first) = threads.first() else { continue };
        let leave = which.leave(&first.game, None);
        let styles = &around.me().styles;
        let (style, used) = match to {
            Whom::Director { .. } => {
                let language = styles.for_others().language;
                let used = threads.iter().map(|thread| used(&thread.game, which, language));
                (styles.for_others().clone(), used.collect::<Result<Vec<_>, _>>()?)
            }
            Whom::Opponent { .. } => (styles.of(first.game.opponent()), Vec::new()),
        };
        // two games of one event share its leave
        let mut used: Vec<String> = used.into_iter().flatten().collect();
        used.sort();
        used.dedup();
        let concerned: Vec<&Game> = threads.iter().map(|thread| &thread.game).collect();
        let text = letters::leave_text(&concerned, (&leave, both), &used, &style, around.me());
        let label = Tells::Leave { from: leave.from, to: leave.to }.label();
        let errand = Errand { label: &label, what: crate::sentence!("your leave"), body: &text, to, hints: &[] };
        let letter = letters::errand(&first.game, &first.root_message_id, &errand, around.me(), around.now)?;
        let text = match to {
            Whom::Opponent { .. } => format!("To: {}\n\n{text}", first.game.opponent().name),
            Whom::Director { address, .. } => {
                format!("To: {}\n\n{text}", address.map(ToString::to_string).unwrap_or_default())
            }
        };
        drafted.push(Drafted { game: first.game.id.clone(), letter, text });
    }
    said.push_str(&format!(
        "{} drafted: {} to opponents, {} to directors.\n",
        drafted.len(),
        opponents.len(),
        directors.len()
    ));
    Ok(drafted)
}

/// How much of each year's leave is taken with it.
fn used(game: &Game, which: &Which, language: Language) -> Result<Vec<String>, Refusal> {
    let limit = rules_of(game)?.leave.days_per_year;
    Ok(years_with(game, &which.leave(game, None))
        .into_iter()
        .map(|(year, days)| letters::leave_used(&game.event, days, limit, year, language))
        .collect())
}

/// The player's word that the letters of his leave went out, on a day that he names, also in place of the one on record, or today.
///
/// # Errors
/// No such leave of his waits for it.
pub async fn sent(
    around: Around<'_>,
    store: &mut Store,
    which: &Which,
    on: Option<NaiveDate>,
) -> Result<Proposal, Refusal> {
    let today = around.today(store).await?;
    let Which { from, to, .. } = *which;
    let corrects = on.is_some();
    let on = on.unwrap_or(today);
    if on > today {
        return Err(Refusal::NotDone(format!("{on} has not come yet; today is {today}")));
    }
    if which.of == Whose::Opponent {
        return Err(Refusal::not_done(
            "these are your own letters\nhelp: his leave is entered with `amici leave add --of opponent --announced DATE`",
        ));
    }
    let waits = |game: &Game| {
        Leave::standing(&game.leaves).any(|leave| {
            *leave == which.leave(game, leave.announced)
                && leave.announced.is_none_or(|announced| corrects && announced != on)
        })
    };
    let games: Vec<StoredGame> = which.running(store).await?.into_iter().filter(|t| waits(&t.game)).collect();
    if games.is_empty() {
        return Err(Refusal::NotDone(format!(
            "no leave of yours from {from} to {to} waits for its letters to be sent\nhelp: `amici leave list` shows the leave that is; another day than the one on record is entered with --on DATE"
        )));
    }
    let text = format!("you say that you told of your leave from {from} to {to} on {on}");
    let leaves: Vec<(GameId, Leave)> =
        games.iter().map(|thread| (thread.game.id.clone(), which.leave(&thread.game, Some(on)))).collect();
    let events = leaves.iter().map(|(id, _)| event(id, "leave", text.clone())).collect();
    let mut said = format!("You told of your leave from {from} to {to} on {on}.\n");
    if on > from {
        said.push_str("It had begun by then: the director says whether all of it counts.\n");
    }
    Ok(Proposal::entry(said, Vec::new(), Care { leaves, events, ..Care::default() }))
}

/// Takes leave out again; says so.
///
/// # Errors
/// No such leave is on record.
pub async fn remove(around: Around<'_>, store: &mut Store, which: &Which) -> Result<String, Refusal> {
    let Which { from, to, .. } = *which;
    let games = which.running(store).await?;
    let stands = |game: &Game| {
        let leave = which.leave(game, None);
        game.leaves.iter().any(|l| (l.side, l.from, l.to) == (leave.side, leave.from, leave.to))
    };
    let games: Vec<&Game> = games.iter().map(|thread| &thread.game).filter(|game| stands(game)).collect();
    let leaves: Vec<(GameId, Leave)> = games.iter().map(|game| (game.id.clone(), which.leave(game, None))).collect();
    let text = format!("the leave from {from} to {to} was taken out");
    let events: Vec<_> = leaves.iter().map(|(id, _)| event(id, "leave", text.clone())).collect();
    if leaves.is_empty() || !store.remove_leave(&leaves, &events, around.now).await? {
        return Err(Refusal::NotDone(format!(
            "no leave from {from} to {to} is on record there\nhelp: `amici leave list` shows the leave that is"
        )));
    }
    let ids: Vec<&str> = leaves.iter().map(|(id, _)| id.as_str()).collect();
    let tell = match which.of {
        Whose::Me => "Those whom you told of it do not know: write to them, e.g. with `amici message GAME -m TEXT`.\n",
        Whose::Opponent => "",
    };
    Ok(format!("The leave from {from} to {to} counts no more in {}.\n{tell}", ids.join(", ")))
}
