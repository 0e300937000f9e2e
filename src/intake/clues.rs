//! What a mail says of the game that it is about, gathered once and held against each game: it speaks for that game, against it, or not at all.
//!
//! Of the clues the strongest is the game's id, then an answered message, then the event; the weakest are names, of the players and of
//! the one who is addressed, which are never for a game, only against it. What is named counts whether or not the game is kept here, so that a mail about a game that nobody imported goes into no
//! other one. Only the sender's own words, the subject and attached games speak against a game; a quotation may be of anything.
//! What will surprise you: what is named beats the thread, because people answer any old mail to write about something else; only whom
//! the greeting names is too weak for that.

use std::cell::OnceCell;

use crate::domain::game::{Game, Side};
use crate::io::store::Hints;
use crate::mail::message::IncomingMessage;
use crate::mail::quote::{Kind, split};
use crate::mail::text::shares_name;

use super::which::{Thread, has_event, has_id, words};

/// How strong a clue is, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// The event's code stands in the mail.
    Event,
    /// It answers a message of the game.
    Answer,
    /// The game's id stands in the mail.
    Id,
}

/// The clues of one mail.
#[derive(Debug)]
pub(crate) struct Clues<'m> {
    message: &'m IncomingMessage,
    /// The ids of the messages that it answers.
    answered: Vec<String>,
    /// What could be of another game, gathered when it is asked for.
    named: OnceCell<Named>,
}

/// What the sender himself names.
#[derive(Debug)]
struct Named {
    /// Codes of events in the subject and in his own words, and who plays whom in what he shows.
    codes: Vec<String>,
    pairs: Vec<Pair>,
    /// Whom his greeting names.
    greeted: Vec<String>,
}

/// Two players as the mail names them, White first where it tells.
#[derive(Debug, Clone)]
struct Pair {
    names: [String; 2],
    from: From,
}

/// Where a pair stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    /// "Pembury - Olsson" in the subject, in either order.
    Subject,
    /// "White: Pembury" above "Black: Olsson".
    Labels,
    /// The tags of a PGN.
    Tags,
}

/// The ids of the messages that a mail answers.
pub(super) fn answered(message: &IncomingMessage) -> Vec<String> {
    message.references.iter().chain(&message.in_reply_to).map(ToString::to_string).collect()
}

impl<'m> Clues<'m> {
    /// Those of a mail.
    pub(crate) fn of(message: &'m IncomingMessage) -> Clues<'m> {
        Clues { message, answered: answered(message), named: OnceCell::new() }
    }

    fn subject(&self) -> &'m str {
        &self.message.subject
    }

    /// Subject, plain text and HTML, quotations included.
    fn texts(&self) -> impl Iterator<Item = &'m str> {
        let IncomingMessage { plain, html, .. } = self.message;
        [Some(self.subject()), plain.as_deref(), html.as_deref()].into_iter().flatten()
    }

    /// Whether a clue of this rank speaks for the game.
    pub(crate) fn speaks_for(&self, thread: &Thread, rank: Rank) -> bool {
        match rank {
            Rank::Id => self.texts().any(|text| has_id(text, thread)),
            Rank::Answer => self.answers(thread),
            Rank::Event => self.texts().any(|text| has_event(text, thread)),
        }
    }

    /// Adds what leads to every game for which something speaks.
    pub(crate) fn hint(&self, hints: &mut Hints) {
        self.texts().for_each(|text| hints.text(text));
        hints.message_ids(&self.answered);
    }

    /// Anything speaks for it.
    pub(crate) fn speaks_for_any(&self, thread: &Thread) -> bool {
        [Rank::Id, Rank::Answer, Rank::Event].into_iter().any(|rank| self.speaks_for(thread, rank))
    }

    /// The only one of these games that the subject names, by its id or, if it answers a message of that game too, by its event.
    pub(super) fn headed<'a>(&self, games: &[&'a Thread]) -> Option<&'a Thread> {
        let only = |fits: &dyn Fn(&Thread) -> bool| {
            let mut named = games.iter().copied().filter(|thread| fits(thread));
            named.next().filter(|_| named.next().is_none())
        };
        let of_event = |thread: &Thread| has_event(self.subject(), thread);
        let by_id = only(&|thread| has_id(self.subject(), thread));
        let by_event = || only(&of_event).filter(|thread| self.answers(thread));
        let answered = only(&|thread| self.answers(thread));
        let is_same = |thread: &&Thread| answered.is_none_or(|other| other.game.id == thread.game.id);
        by_id.or_else(by_event).filter(is_same)
    }

    fn answers(&self, thread: &Thread) -> bool {
        let game = &thread.game;
        let plan = game.plan.as_ref().map(|plan| plan.message_id.as_str());
        self.answered.iter().any(|id| {
            *id == thread.root_message_id
                || Some(id.as_str()) == game.last_message_id.as_deref()
                || Some(id.as_str()) == plan
                || game.seen_message_ids.contains(id)
        })
    }

    /// Whether it is a letter to all players of the game's event, as directors write them: it numbers them with their addresses, three or
    /// more, and neither names the game nor answers a message of it.
    pub(super) fn is_circular(&self, thread: &Thread) -> bool {
        let is_of_game = self.speaks_for(thread, Rank::Id) || self.speaks_for(thread, Rank::Answer);
        let is_player = |line: &&str| line.contains('@') && line.trim_start().starts_with(|c: char| c.is_ascii_digit());
        let lists = |text: &str| text.lines().filter(is_player).count() > 2;
        !is_of_game && self.texts().any(lists)
    }

    /// What the mail names that is another game than this one, and none of those of its opponent that are running.
    pub(super) fn against(&self, thread: &Thread, running: &[&Thread]) -> Option<String> {
        let kept = || running.iter().copied().chain([thread]);
        let is_kept = |code: &String| kept().any(|of| is_of_event(code, &of.game.event));
        let Named { codes, pairs, greeted } = self.named.get_or_init(|| Named::of(self.message));
        let code = codes.iter().find(|code| !is_kept(code)).cloned();
        let pair = || {
            let other = |pair: &&Pair| kept().all(|of| pair.is_of_others(&of.game));
            pairs.iter().find(other).map(|pair| pair.names.join(" - "))
        };
        let greets = || {
            let is_weak = !greeted.is_empty() && !self.speaks_for_any(thread);
            let is_known = |word: &String| kept().any(|of| is_called(&of.game, word));
            (is_weak && !greeted.iter().any(is_known)).then(|| greeted.join(" "))
        };
        code.or_else(pair).or_else(greets)
    }
}

impl Named {
    fn of(message: &IncomingMessage) -> Named {
        let subject = message.subject.as_str();
        let views = [message.plain.as_deref(), message.html.as_deref()].into_iter().flatten();
        let own: Vec<Vec<&str>> = views.map(own_lines).collect();
        let games = message.attachments.iter().filter(|part| part.is_pgn()).filter_map(|part| part.text.as_deref());
        let shown = own.iter().cloned().chain(games.map(|text| text.lines().collect()));
        let pairs = pair_of_subject(subject).into_iter().chain(shown.flat_map(|lines| pairs_of(&lines)));
        Named {
            codes: std::iter::once(subject).chain(own.iter().flatten().copied()).flat_map(codes).collect(),
            pairs: pairs.collect(),
            greeted: own.iter().find_map(|lines| greeted(lines)).unwrap_or_default(),
        }
    }
}

impl Pair {
    /// Not both are the players of the game, each on his side.
    fn is_of_others(&self, game: &Game) -> bool {
        let named: Vec<(Side, &String)> = [Side::White, Side::Black].into_iter().zip(&self.names).collect();
        let fits = |side: Side, name: &str| shares_word(game, side, name);
        let either = |name: &str| fits(Side::White, name) || fits(Side::Black, name);
        let known = named.iter().filter(|(_, name)| either(name)).count();
        match self.from {
            From::Subject => known == 1,
            From::Labels | From::Tags => {
                let strangers = named.iter().filter(|(_, name)| !is_blank(name) && !either(name)).count();
                let swapped = known == 2 && !named.iter().any(|(side, name)| fits(*side, name));
                let full = |name: &String| words(name).len() > 1;
                match (known, strangers) {
                    (2, _) => swapped,
                    (_, 0) => false,
                    (1, _) => true,
                    _ if self.from == From::Tags => true,
                    (_, 2) => named.iter().all(|(_, name)| full(name)),
                    _ => false,
                }
            }
        }
    }
}

fn own_lines(text: &str) -> Vec<&str> {
    split(text.trim_end()).lines.iter().filter(|line| line.kind == Kind::Own).map(|line| line.text).collect()
}

/// Words that look like the code of an event: `EM/10/154`, letters and numbers with strokes between.
pub(super) fn codes(text: &str) -> impl Iterator<Item = String> {
    let edges = |c: char| !c.is_alphanumeric();
    text.split(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '(' | ')' | '[' | ']' | ',' | ';'))
        .map(move |word| word.trim_matches(edges))
        .filter(|word| is_code(word))
        .map(str::to_owned)
}

/// Whether a line holds the code of an event and nothing else.
pub(super) fn names_code_only(line: &str) -> bool {
    let mut said = line.split_whitespace();
    let is_alone = said.next().is_some_and(|word| codes(word).next().is_some());
    is_alone && said.next().is_none()
}

fn is_code(word: &str) -> bool {
    const MONTHS: [&str; 12] = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
    let Some((head, rest)) = word.split_once('/') else { return false };
    let is_head =
        (2..=4).contains(&head.len()) && head.bytes().all(|byte| byte.is_ascii_uppercase()) && !MONTHS.contains(&head);
    let is_part = |part: &str| {
        (1..=6).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    let has_number = |part: &str| part.len() > 1 && part.bytes().all(|byte| byte.is_ascii_digit());
    is_head && rest.split('/').all(is_part) && rest.split('/').any(has_number)
}

/// Whether a code is that of the event, however it is spelt, or of a part of it.
fn is_of_event(code: &str, event: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        words(text).iter().map(|part| part.trim_start_matches('0').to_owned()).collect()
    };
    // an event with a name and no code, "Autumn cup", is not contradicted by one
    let is_coded = codes(event).next().is_some();
    let (code, event) = (parts(code), parts(event));
    let is_year = |short: &String, long: &String| long.len() == 4 && short.len() == 2 && long.ends_with(short.as_str());
    // a board of a team match: `140W` of `140`
    let is_board = |long: &String, short: &String| {
        long.strip_prefix(short.as_str()).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_alphabetic()))
            && short.bytes().all(|byte| byte.is_ascii_digit())
    };
    let same = |(one, other): (&String, &String)| {
        one == other || is_year(one, other) || is_year(other, one) || is_board(one, other) || is_board(other, one)
    };
    let is_behind = |from: usize| code.iter().zip(event.iter().skip(from)).all(same);
    !is_coded || (0..event.len().saturating_sub(1)).any(is_behind)
}

/// What divides two players.
const BETWEEN: [&str; 9] = [" - ", " – ", " — ", " vs. ", " vs ", " v. ", " v ", " gegen ", " contra "];

/// "Pembury - Olsson".
fn pair_of_subject(subject: &str) -> Option<Pair> {
    BETWEEN.iter().find_map(|between| {
        let (left, right) = subject.split_once(between)?;
        let left: Vec<&str> = left.split_whitespace().rev().take_while(|word| is_name(word)).collect();
        let right_words = || right.split_whitespace();
        let named = right_words().take_while(|word| is_name(word.trim_end_matches([',', ';', ':', '.'])));
        let named: Vec<&str> = named.collect();
        // "Pembury - Thanks for your move"
        let ends = named.last().is_some_and(|word| word.ends_with([',', ';', ':', '.']));
        let goes_on = !ends && right_words().nth(named.len()).is_some_and(|word| word.starts_with(char::is_lowercase));
        let left: Vec<&str> = left.into_iter().rev().collect();
        let names = [left.join(" "), named.join(" ").trim_end_matches([',', ';', ':', '.']).to_owned()];
        let full = named.len() <= 3 && !left.is_empty() && !named.is_empty();
        (full && !goes_on).then_some(Pair { names, from: From::Subject })
    })
}

/// A capital and small letters, or an initial.
fn is_name(word: &str) -> bool {
    let mut letters = word.chars().filter(|c| !matches!(c, '.' | '-' | '\'' | '’' | ','));
    letters.next().is_some_and(char::is_uppercase)
        && letters.all(char::is_alphabetic)
        && word.chars().count() > 1
        && (word.ends_with('.') || word.chars().any(char::is_lowercase))
}

/// The players whom the tags of a PGN name, or a form's lines for White and Black that follow each other.
fn pairs_of(lines: &[&str]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut white: Option<(&str, From)> = None;
    for line in lines {
        match side_of(line) {
            Some((Side::White, name, from)) => white = Some((name, from)),
            Some((Side::Black, name, from)) => match white.take() {
                Some((other, from_white)) if from == from_white => {
                    pairs.push(Pair { names: [other.to_owned(), name.to_owned()], from });
                }
                _ if from == From::Tags => {
                    pairs.push(Pair { names: [String::new(), name.to_owned()], from });
                }
                _ => {}
            },
            None if line.trim().is_empty() => {}
            None => {
                if white.is_some_and(|(_, from)| from == From::Labels) {
                    white = None;
                }
            }
        }
    }
    pairs
}

/// `[White "Pembury, Harriet"]` or `White: Harriet Pembury <...>`.
fn side_of(line: &str) -> Option<(Side, &str, From)> {
    let line = line.trim();
    let side = |word: &str| match word {
        "White" => Some(Side::White),
        "Black" => Some(Side::Black),
        _ => None,
    };
    if let Some((tag, value)) = line.strip_prefix('[').and_then(|rest| rest.split_once('"')) {
        return Some((side(tag.trim())?, value.rsplit_once('"')?.0, From::Tags));
    }
    let (label, value) = line.split_once(':')?;
    let label = words(label);
    let [label] = label.as_slice() else { return None };
    let side = super::heading::colour(label)?;
    let name = value.split(['<', '(', '[']).next().unwrap_or_default().trim();
    let is_person = name.split_whitespace().all(is_name) && words(name).iter().any(|word| word.len() > 2);
    is_person.then_some((side, name, From::Labels))
}

/// A name that names nobody: `?`, `NN`, "White", "Player One".
fn is_blank(name: &str) -> bool {
    const NOBODY: [&str; 10] = ["white", "black", "weiss", "schwarz", "nn", "player", "one", "two", "me", "you"];
    words(name).iter().all(|word| word.len() < 2 || NOBODY.contains(&word.as_str()))
}

/// Whether a name shares a word with that of a player, or with the beginning of his address.
fn shares_word(game: &Game, side: Side, name: &str) -> bool {
    shares_name(name.split('@').next().unwrap_or_default(), &called(game, side))
}

/// The words of a player's name and of the beginnings of his addresses.
fn called(game: &Game, side: Side) -> Vec<String> {
    let player = game.player(side);
    let locals = player.emails.iter().filter_map(|email| email.split('@').next());
    let all = std::iter::once(player.name.as_str()).chain(locals);
    all.flat_map(words).filter(|word| word.len() > 1).collect()
}

/// Whether one of the players may be called so: "Rob" for Robert.
fn is_called(game: &Game, word: &str) -> bool {
    let begins = |own: &String| word.chars().take(2).eq(own.chars().take(2));
    [Side::White, Side::Black].into_iter().flat_map(|side| called(game, side)).any(|own| begins(&own))
}

/// Words that greet one person by his name, in lower case and without accents.
#[rustfmt::skip]
const GREETS: [&str; 34] = [
    "dear", "hi", "hello", "hey", "lieber", "liebe", "hallo", "cher", "chere", "bonjour", "salut", "querido", "querida",
    "estimado", "estimada", "hola", "caro", "cara", "ciao", "prezado", "prezada", "ola", "beste", "dag", "hej", "basta",
    "baste", "hei", "kaere", "kjaere", "drogi", "czesc", "ahoj", "kedves",
];

/// Whom a greeting may name that is no person's name.
#[rustfmt::skip]
const ANYBODY: [&str; 31] = [
    "friend", "sir", "madam", "all", "everybody", "everyone", "there", "again", "opponent", "chessfriend", "player", "colleague",
    "schachfreund", "schachfreundin", "zusammen", "gegner", "partner", "freund", "sportfreund", "herr", "frau", "monsieur", "madame",
    "grusse", "ami", "amigo", "amiga", "amico", "vriend", "amici", "team",
];

/// Whom the first line of his own words greets.
fn greeted(lines: &[&str]) -> Option<Vec<String>> {
    let first = lines.iter().map(|line| line.trim()).find(|line| !line.is_empty())?;
    let end = first.find([',', '!', ':', '.']).unwrap_or(first.len());
    let mut said = first.get(..end)?.split_whitespace();
    let greets = said.next().map(words)?;
    if !greets.iter().any(|word| GREETS.contains(&word.as_str())) {
        return None;
    }
    let names: Vec<&str> = said.collect();
    let are_names = (1..=3).contains(&names.len()) && names.iter().all(|name| is_name(name));
    let named: Vec<String> = names.iter().flat_map(|name| words(name)).collect();
    let is_somebody =
        !named.iter().any(|word| ANYBODY.contains(&word.as_str())) && named.iter().any(|word| word.len() > 2);
    (are_names && is_somebody).then_some(named)
}

/// Whether a subject names a game, by its id or its event.
pub(crate) fn is_about(subject: &str, thread: &Thread) -> bool {
    has_id(subject, thread) || has_event(subject, thread)
}
