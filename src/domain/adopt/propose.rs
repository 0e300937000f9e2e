//! A game made of a score: who has which side, its name and rules, and what the score leaves open.
//!
//! The sides follow from the addresses and names of the score. Where an opponent's mail names nobody, the caller has to find out
//! which side makes his newest move a move of his. Everything proposed can be overruled by the player.

use chrono::{Datelike, NaiveDate};

use super::{Named, Score, event_of, without_towns};
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::rules::{RulesetChoice, RulesetError, Wanted};
use crate::domain::game::{Game, GameId, MoveRecord, Player, Side};
use crate::domain::transmission::read::fill;

/// Who wrote the mail with the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// The player himself.
    Me,
    /// The opponent.
    Opponent,
}

/// What is known beside the score, and what the player says himself.
#[derive(Debug, Clone)]
pub struct Request {
    /// The player, with all his addresses.
    pub me: Player,
    /// The opponent as his mail names him; the name may be empty.
    pub opponent: Player,
    /// Who wrote.
    pub writer: Writer,
    /// The subject line, which may name the event.
    pub subject: String,
    /// The player's side, if he says so.
    pub side: Option<Side>,
    /// The game's name, if he says so.
    pub id: Option<GameId>,
    /// The event, if he says so.
    pub event: Option<String>,
    /// The rules, as far as he says so.
    pub rules: Wanted,
    /// Further notations, if he says so.
    pub notations: Vec<String>,
    /// The event's start, if he says so.
    pub start: Option<NaiveDate>,
    /// The day of the mail.
    pub day: NaiveDate,
}

/// How the player's side was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// He said so.
    Said,
    /// The score names the players.
    Named,
    /// The newest move is its writer's; nothing else tells.
    Turn,
}

impl Why {
    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Why::Said => "as you say",
            Why::Named => "by the names in the score",
            Why::Turn => "by whose turn it is, for the mail names nobody",
        }
    }
}

/// A game to be confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The game.
    pub game: Game,
    /// Why this side.
    pub why: Why,
    /// What of the score could not be used.
    pub unused: Vec<String>,
    /// What speaks against its rules where nobody named them.
    pub doubts: Vec<String>,
}

/// What only the player can say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// The score names nobody; the side may still follow from whose turn it is.
    #[error("which side is yours cannot be told: the score names nobody\nhelp: say it with --me white or --me black")]
    Names,
    /// Nothing tells the sides apart.
    #[error("which side is yours cannot be told: {0}\nhelp: say it with --me white or --me black")]
    Side(String),
}

/// The game that a score and its mail make; `taken` are the names in use.
///
/// # Errors
/// [`Missing`] names the option that is needed.
pub fn propose(score: &Score, request: &Request, taken: &[GameId]) -> Result<Proposal, Missing> {
    let head = &score.head;
    let (side, why) = side(score, request)?;
    let named = |of: Side| match of {
        Side::White => &head.white,
        Side::Black => &head.black,
    };
    let mut opponent = request.opponent.clone();
    // the names as the score writes them, and his own
    let mut names = [side, side.other()].map(|of| named(of).name.clone().unwrap_or_default());
    without_towns(&mut names, &[&request.me.name, &opponent.name]);
    let [_, written] = &names;
    let mut own = [std::mem::take(&mut opponent.name)];
    without_towns(&mut own, &[written]);
    [opponent.name] = own;
    if opponent.name.is_empty() {
        opponent.name.clone_from(written);
    }
    if opponent.name.is_empty() {
        opponent.name = opponent.emails.first().cloned().unwrap_or_default();
    }
    let mut unused: Vec<String> = Vec::new();
    if let Ok(named) = named_side(score, request)
        && named != side
    {
        unused.push(format!("by the names in the score you would have {}", named.name()));
    }
    if let Some(address) = &named(side.other()).address
        && !opponent.emails.iter().any(|known| known.eq_ignore_ascii_case(address))
    {
        unused.push(format!("the score names the address {address} for {}; he wrote from another", opponent.name));
    }
    let event = request.event.clone().or_else(|| event_of(score, &request.subject));
    let event = event.unwrap_or_default();
    let start = request.start.or(head.start);
    let usual = || {
        let has_event = !event.is_empty() || head.site.is_some();
        RulesetChoice::Name(RulesetChoice::usual(has_event, start.map(|day| day.year())).to_owned())
            .with_control(head.control)
    };
    let said = request.rules.said(&event);
    let is_said = said.is_some();
    let rules = said.unwrap_or_else(usual).with(&request.rules.values);
    let first_sent = score.plies.iter().find_map(|ply| ply.stated.sent);
    let begun = start.or(first_sent).unwrap_or(request.day).year();
    let doubts = rules.resolve().ok().filter(|_| !is_said).and_then(|set| set.is_past(begun)).into_iter().collect();
    let mut notations = vec!["iccf".to_owned()];
    for notation in request.notations.iter().chain(&score.notation) {
        if !notations.contains(notation) {
            notations.push(notation.clone());
        }
    }
    let mut moves = Vec::with_capacity(score.plies.len());
    for (index, ply) in score.plies.iter().enumerate() {
        let mut stated = ply.stated;
        if request.writer == Writer::Me && index + 1 == score.plies.len() && score.first.plus(index).side == side {
            fill(&mut stated, score.labelled);
        }
        if let (Some(received), Some(sent)) = (stated.received, stated.sent)
            && sent < received
        {
            (stated.received, stated.sent) = (None, None);
            let number = score.first.plus(index);
            unused.push(format!(
                "line {}: {number} sent {sent} lies before received {received}; neither is taken",
                ply.line
            ));
        }
        moves.push(MoveRecord::claimed(ply.numeric, stated));
    }
    let words =
        score.left_out.iter().map(|(line, text)| format!("line {line}: {text} stands in a sentence; not taken"));
    unused.extend(words);
    unused.extend(score.date_faults.iter().map(|fault| format!("{fault}; the date is left out")));
    if score.dates_left_open && score.date_faults.is_empty() {
        unused.push("a date in the mail got no meaning".to_owned());
    }
    unused.extend(head.unread_start.iter().filter(|_| start.is_none()).cloned());
    let id = request.id.clone().unwrap_or_else(|| game_id(&event, &opponent.name, taken));
    let game = Game {
        site: head.site.clone().unwrap_or_default(),
        tags: head.others.clone(),
        start_date: start,
        start_fen: head.fen.clone(),
        notations,
        moves,
        ..Game::between(id, event, side, request.me.clone(), opponent, rules)
    };
    Ok(Proposal { game, why, unused, doubts })
}

/// The player's side: as he says, else as the score names both, else in a mail of his own the last move's.
fn side(score: &Score, request: &Request) -> Result<(Side, Why), Missing> {
    match (request.side, named_side(score, request)) {
        (Some(side), _) => Ok((side, Why::Said)),
        (None, Ok(side)) => Ok((side, Why::Named)),
        (None, Err(Missing::Names)) if request.writer == Writer::Me => {
            Ok((score.first.plus(score.plies.len().saturating_sub(1)).side, Why::Turn))
        }
        (None, Err(why)) => Err(why),
    }
}

/// The player's side as the score names it, if it does without contradiction.
pub fn side_by_names(score: &Score, me: &Player, opponent: &Player) -> Option<Side> {
    side_of(score, me, opponent).ok()
}

/// The player's side by addresses, or where there are none by names.
fn named_side(score: &Score, request: &Request) -> Result<Side, Missing> {
    side_of(score, &request.me, &request.opponent)
}

fn side_of(score: &Score, me: &Player, opponent: &Player) -> Result<Side, Missing> {
    let mut found: Vec<Side> = Vec::new();
    for (side, named) in [(Side::White, &score.head.white), (Side::Black, &score.head.black)] {
        if is_address_of(named, me) {
            found.push(side);
        }
        if is_address_of(named, opponent) {
            found.push(side.other());
        }
    }
    if found.is_empty() {
        found.extend(by_name(score, &me.name));
        found.extend(by_name(score, &opponent.name).map(Side::other));
    }
    let named = score.head.white.name.is_some() || score.head.black.name.is_some();
    match found.as_slice() {
        [first, rest @ ..] if rest.iter().all(|side| side == first) => Ok(*first),
        [] if named => Err(Missing::Side("neither of the names in the score is yours or the sender's".to_owned())),
        [] => Err(Missing::Names),
        _ => Err(Missing::Side("the names and addresses in the score contradict one another".to_owned())),
    }
}

fn is_address_of(named: &Named, player: &Player) -> bool {
    named.address.as_ref().is_some_and(|address| player.emails.iter().any(|own| own.eq_ignore_ascii_case(address)))
}

/// The side whose name shares more words with this one; `None` where neither does or both do alike.
fn by_name(score: &Score, name: &str) -> Option<Side> {
    let words = name_words(name);
    let shared = |named: &Named| {
        let others = name_words(named.name.as_deref().unwrap_or_default());
        words.iter().filter(|word| others.contains(word)).count()
    };
    match shared(&score.head.white).cmp(&shared(&score.head.black)) {
        std::cmp::Ordering::Greater => Some(Side::White),
        std::cmp::Ordering::Less => Some(Side::Black),
        std::cmp::Ordering::Equal => None,
    }
}

/// The words of a name without accents and in lower case, each once; initials do not count.
pub(in crate::domain) fn name_words(name: &str) -> Vec<String> {
    let plain = deunicode::deunicode(name).to_lowercase();
    let mut words: Vec<String> =
        plain.split(|c: char| !c.is_alphanumeric()).filter(|w| w.len() > 1).map(str::to_owned).collect();
    words.sort();
    words.dedup();
    words
}

/// A free name of the form `EM-1037-PET`: the event's code and the beginning of the opponent's family name.
pub fn game_id(event: &str, opponent: &str, taken: &[GameId]) -> GameId {
    let code = parts(event).join("-");
    let code: String = code.chars().take(30).collect();
    let family = match opponent.split_once(',') {
        Some((family, _)) => family,
        None if opponent.contains('@') => opponent.split('@').next().unwrap_or_default(),
        None => opponent.split_whitespace().next_back().unwrap_or_default(),
    };
    let family = parts(family).concat();
    let family: String = family.chars().take(3).collect::<String>().to_uppercase();
    let words = [code.trim_matches('-'), family.as_str()];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let base = if words.len() < 2 { format!("GAME-{}", words.concat()) } else { words.join("-") };
    let base = base.trim_end_matches('-').to_owned();
    let (mut name, mut count) = (base.clone(), 1);
    loop {
        if let Ok(id) = name.parse::<GameId>()
            && !taken.contains(&id)
        {
            return id;
        }
        count += 1;
        name = format!("{base}-{count}");
    }
}

/// The pieces of a text that are ASCII letters and digits, accents taken off.
fn parts(text: &str) -> Vec<String> {
    let plain = deunicode::deunicode(text);
    plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|p| !p.is_empty()).map(str::to_owned).collect()
}

/// What the game lacks: its event, its start, dates of moves; each in a sentence.
pub fn not_stated(game: &Game) -> Vec<String> {
    let mut out = Vec::new();
    if game.event.is_empty() {
        out.push("the event".to_owned());
    }
    if game.start_date.is_none() {
        out.push("the start date: time before it would be charged too".to_owned());
    }
    let lacks = |record: &MoveRecord| {
        let sent = record.claimed.sent.or(record.observed.sent);
        (record.claimed.received.is_none() || sent.is_none()) && record.claimed.days.is_none()
    };
    let numbers: Vec<String> = game
        .moves
        .iter()
        .enumerate()
        .filter(|(index, record)| {
            lacks(record) && (*index > 0 || game.start_date.is_none() || record.claimed.sent.is_none())
        })
        .map(|(index, _)| game.number_of(index).to_string())
        .collect();
    match numbers.as_slice() {
        [] => {}
        [.., last] if numbers.len() > 6 => {
            let first = numbers.first().map(String::as_str).unwrap_or_default();
            out.push(format!("both dates, or the days, of {} moves between {first} and {last}", numbers.len()));
        }
        few => out.push(format!("both dates, or the days, of {}", few.join(" "))),
    }
    out
}

/// Where the stated days and totals differ from what the dates make under the game's rules, each in a sentence.
///
/// # Errors
/// [`RulesetError`] when the rules are not usable.
pub fn misfits(game: &Game) -> Result<Vec<String>, RulesetError> {
    let ledger = Ledger::of(game)?;
    let mut out = Vec::new();
    let (mut white, mut black) = (0, 0);
    for (record, time) in game.moves.iter().zip(ledger.plies()) {
        let written = format!("{} {}", time.number, record.numeric);
        if let (Some(stated), Some(days)) = (record.claimed.days, time.days)
            && stated != days
        {
            out.push(format!(
                "{written}: {} stated, the dates make {days}",
                if stated == 1 { "1 day is".to_owned() } else { format!("{stated} days are") }
            ));
        }
        // a total that is off stays off: only the move where the difference changes is told
        let off = match time.number.side {
            Side::White => &mut white,
            Side::Black => &mut black,
        };
        // where days are unknown the dates make no total
        if let Some(stated) = record.claimed.total.filter(|_| !ledger.is_partial(time.number.side)) {
            let difference = i64::from(stated) - i64::from(time.total);
            if difference != *off && difference != 0 {
                out.push(format!("{written}: a total of {stated} is stated, the dates make {}", time.total));
            }
            *off = difference;
        }
    }
    Ok(out)
}
