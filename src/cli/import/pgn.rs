//! The games of a PGN file as an import takes them.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use indicatif::ProgressBar;

use super::super::Color;
use super::{Args, steps};
use crate::config::Me;
use crate::domain::clock::rules::Wanted;
use crate::domain::game::{Game, GameId, PrivateNote};
use crate::domain::pgn;

/// The games of a file, checked.
#[derive(Default)]
pub(super) struct Taken {
    pub(super) games: Vec<Game>,
    /// Why the others are not among them.
    pub(super) bad: Vec<String>,
    /// The comments that are no dates, with their games.
    pub(super) notes: Vec<(GameId, PrivateNote)>,
    /// What speaks against the rules of games that nobody named.
    pub(super) doubts: Vec<(GameId, String)>,
    /// Games whose names or addresses say that he has the other side than --me.
    pub(super) other_side: Vec<(GameId, String)>,
    /// Variations and signs of evaluation, which are left out, with their games.
    pub(super) left_out: Vec<(GameId, [usize; 2])>,
}

/// Whether a file is PGN: after comments a tag, an escaped line or a move number comes first, and no JSON begins so.
pub(super) fn is_pgn(bytes: &[u8]) -> bool {
    match bytes.trim_ascii_start() {
        [b'{', rest @ ..] => {
            let end = rest.iter().position(|byte| *byte == b'}');
            end.and_then(|end| rest.get(end + 1..)).is_some_and(is_pgn)
        }
        [b'[', rest @ ..] => rest.trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic),
        [first, ..] => matches!(first, b'%' | b';' | b'0'..=b'9'),
        [] => false,
    }
}

/// The games of a PGN file, or why it cannot be taken as a whole.
pub(super) fn read_pgn(
    bytes: &[u8],
    args: &Args,
    (me, today): (&Me, NaiveDate),
    rules: &Wanted,
    mut ids: pgn::Ids,
    bar: &ProgressBar,
) -> Result<Taken, String> {
    let emails: Vec<String> = me.emails.iter().map(ToString::to_string).collect();
    let opponent_email = args.opponent_email.as_ref().map(ToString::to_string);
    let request = pgn::Request {
        name: &me.name,
        emails: &emails,
        me: args.me.map(Color::side),
        opponent_email: opponent_email.as_deref(),
        rules,
        today,
    };
    bar.set_length(steps(bytes.len()));
    bar.set_message("reading");
    let mut taken = Taken::default();
    let mut opponents = BTreeSet::new();
    let mut games = pgn::games(bytes);
    while let Some(game) = games.next() {
        bar.set_position(steps(games.position()));
        let game = game.and_then(|read| {
            let pgn::Owned { game, doubts, other_side } = pgn::owned(&read, &request, &mut ids)?;
            taken.other_side.extend(other_side.then(|| (game.id.clone(), game.me.name().to_owned())));
            taken.doubts.extend(doubts.into_iter().map(|doubt| (game.id.clone(), doubt)));
            taken.left_out.push((game.id.clone(), [read.variations, read.glyphs]));
            let notes = read.comments.iter().filter_map(|(plies, text)| PrivateNote::new(*plies, text));
            taken.notes.extend(notes.map(|note| (game.id.clone(), note)));
            Ok(game)
        });
        match game {
            Ok(game) => {
                let opponent = game.opponent();
                if game.result.is_none()
                    && opponent.emails.iter().any(|address| Some(address) == opponent_email.as_ref())
                {
                    opponents.insert(opponent.name.clone());
                }
                taken.games.push(game);
            }
            Err(error) => taken.bad.push(error.to_string()),
        }
    }
    if opponents.len() > 1 {
        let names: Vec<String> = opponents.into_iter().collect();
        let names = names.join("; ");
        let wrong = "--opponent-email names one opponent, and it would be that of";
        return Err(format!("{wrong} {names}: put the address of each into his tag WhiteNA or BlackNA"));
    }
    if taken.games.is_empty() && taken.bad.is_empty() {
        return Err("there is no game in it".to_owned());
    }
    Ok(taken)
}

/// What is left out of these games' movetext, in a sentence; empty where nothing is.
pub(super) fn left_out<'a>(of_games: impl Iterator<Item = &'a (GameId, [usize; 2])>) -> String {
    let [variations, glyphs] = of_games.fold([0, 0], |[v, g], (_, [more_v, more_g])| [v + more_v, g + more_g]);
    let named = [("variations with all that stands in them", variations), ("signs such as !? or $14", glyphs)];
    let named = named.iter().filter(|(_, count)| *count > 0).map(|(what, count)| format!("{what} ({count})"));
    let named: Vec<String> = named.collect();
    if named.is_empty() {
        String::new()
    } else {
        format!("Not kept, as a game here has one line of moves: {}\n", named.join("; "))
    }
}
