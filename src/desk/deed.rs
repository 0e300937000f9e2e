//! What a form does: each deed is a command of the command line, whose words are made here of the form's fields, and nothing is judged here.
//!
//! What the command wants a second word for is asked back on a page of its own, which sends the same form once more with the word.
//! What will surprise you: a form says for which state of its game it was made, and one from an older page does nothing.

use std::sync::Arc;

use axum::extract::{Extension, Path, State};
use axum::response::Response;
use serde_json::json;

use super::form::Filled;
use super::guard::{moved, without_token};
use super::page::{Frame, page, refused};
use super::sessions::Guest;
use super::{Desk, Record, Refusal, Refused};
use crate::domain::game::{Game, GameId};
use crate::sentence;

/// A part of a command, made of the fields of a form.
enum Part {
    /// An option without a value, where the field is filled in: of the same name.
    Flag(&'static str),
    /// An option by this name: the player's second word.
    Sure(&'static str),
    /// An option with what stands in the field of the same name.
    Value(&'static str),
    /// The same, and it must be filled in.
    Needed(&'static str),
    /// One such option for each line of the field.
    Lines(&'static str),
    /// One of these options, by the field `how`; none where it is empty.
    How(&'static [&'static str]),
    /// A word of the command by its place, by the first of these fields that is filled in.
    Word(&'static [&'static str]),
    /// The same, or what it is without.
    WordOr(&'static str, &'static str),
    /// The same, where it is filled in.
    WordIf(&'static str),
    /// Two days with `..` between them, of the fields `from` and `to`.
    Span,
}

use Part::{Flag, How, Lines, Needed, Span, Sure, Value, Word, WordIf, WordOr};

const GAME: Part = Word(&["game"]);
const MAIL: Part = Word(&["mail"]);

/// Each deed: the words of its command with `-` between them, and how its form makes the others.
const DEEDS: &[(&str, &[Part])] = &[
    ("play", &[Sure("yes"), Flag("draw"), Value("hold"), Value("message"), Lines("if"), GAME, Word(&["move", "pick"])]),
    ("undo", &[GAME]),
    ("send", &[Sure("yes"), Value("hold"), GAME]),
    ("sent", &[Value("on"), GAME]),
    ("draw", &[Sure("yes"), How(&["accept", "decline"]), GAME]),
    ("resign", &[Sure("yes"), GAME]),
    ("message", &[Sure("yes"), Needed("message"), GAME]),
    ("repeat", &[Sure("yes"), Flag("cc-director"), How(&["sent", "his", "undo"]), Value("on"), GAME]),
    ("announce", &[Sure("yes"), Value("until"), Value("message"), How(&["sent", "his", "undo"]), Value("on"), GAME]),
    ("leave-add", &[Sure("yes"), Value("of"), Value("announced"), Value("event"), Value("game"), Span]),
    (
        "claim",
        &[
            Sure("yes"),
            How(&["time", "silence", "repetition", "fifty-moves", "tablebase=win", "tablebase=draw", "sent", "undo"]),
            Value("with"),
            Value("on"),
            GAME,
        ],
    ),
    ("result", &[Sure("yes"), GAME, Word(&["result"])]),
    ("retract", &[Sure("yes"), Needed("why"), GAME, WordIf("ply")]),
    ("clock-agree", &[How(&["mine", "his"]), Value("why"), GAME, Word(&["ply"])]),
    ("note", &[GAME, WordOr("ply", "last"), Word(&["text"])]),
    ("accept", &[Sure("yes"), Flag("draw"), Value("mail"), Value("received"), Value("sent"), GAME, Word(&["move"])]),
    ("ask", &[Sure("again"), Value("game"), Value("language"), Value("text"), MAIL]),
    ("assign", &[Value("game"), MAIL, Word(&["other"])]),
    ("ignore", &[Value("game"), MAIL]),
    ("poll", &[]),
];

impl Filled {
    /// The words of a command. Each value stays in its word: nothing in it can be taken for an option.
    fn line(&self, deed: &str) -> Result<Vec<String>, String> {
        let (_, parts) =
            DEEDS.iter().find(|(name, _)| *name == deed).ok_or_else(|| format!("there is no deed `{deed}`"))?;
        let (mut options, mut words) = (Vec::new(), Vec::new());
        for part in *parts {
            match part {
                Flag(name) => options.extend(self.text(name).map(|_| format!("--{name}"))),
                Sure(name) => options.extend(self.text("yes").map(|_| format!("--{name}"))),
                Value(name) => options.extend(self.text(name).map(|value| format!("--{name}={value}"))),
                Needed(name) => options.push(format!("--{name}={}", self.needed(name)?)),
                Lines(name) => {
                    let lines = self.text(name).unwrap_or_default().lines().map(str::trim);
                    options.extend(lines.filter(|line| !line.is_empty()).map(|line| format!("--{name}={line}")));
                }
                How(known) => {
                    let how = self.text("how").filter(|how| known.contains(how));
                    options.extend(how.map(|how| format!("--{how}")));
                }
                Word(names) => {
                    let first = names.iter().find_map(|name| self.text(name));
                    let missing = || self.needed(names.first().unwrap_or(&"word"));
                    words.push(first.map_or_else(missing, Ok)?.to_owned());
                }
                WordOr(name, without) => words.push(self.text(name).unwrap_or(without).to_owned()),
                WordIf(name) => words.extend(self.text(name).map(str::to_owned)),
                Span => words.push(format!("{}..{}", self.needed("from")?, self.needed("to")?)),
            }
        }
        let command = deed.split('-').map(str::to_owned);
        Ok(command.chain(options).chain(["--".to_owned()]).chain(words).collect())
    }

    fn needed(&self, name: &str) -> Result<&str, String> {
        let what = match name {
            "move" => "the move: choose it on the board or in the list, or write it",
            "message" | "text" => "the words",
            "why" => "the reason",
            "from" | "to" => "a day: the first and the last are both wanted",
            "other" => "the game to which the mail belongs",
            name => name,
        };
        self.text(name).ok_or_else(|| format!("the form lacks {what}"))
    }

    /// The page that tells what a deed came to.
    fn back(&self, deed: &str) -> String {
        let game = self.text("game").and_then(|game| game.parse::<GameId>().ok());
        match (deed, game) {
            ("ask" | "assign" | "ignore" | "accept", _) => "/held".to_owned(),
            (_, Some(game)) => format!("/game/{game}"),
            ("leave-add" | "poll", None) => "/ahead".to_owned(),
            (_, None) => "/".to_owned(),
        }
    }
}

/// The state of a game for which a page is made: what is on record of its moves, and the move that is chosen.
pub(super) fn state_of(game: &Game) -> String {
    let plan = game.plan.as_ref().map(|plan| plan.message_id.trim_matches(['<', '>']));
    format!("{}/{}/{}", game.moves.len(), game.result.map_or("*", |result| result.word()), plan.unwrap_or("-"))
}

/// Does what a form says, and shows what came of it.
pub(super) async fn act(
    State(desk): State<Arc<Desk>>,
    Path(deed): Path<String>,
    Extension(guest): Extension<Guest>,
    form: Filled,
) -> Response {
    if !form.is_of(&guest) {
        return without_token();
    }
    match done(&desk, &deed, &form).await {
        Ok(told) => {
            desk.sessions().tell(&guest.session, told);
            moved(&form.back(&deed), None)
        }
        Err(Refused { kind: Refusal::Asks, message }) if form.text("yes").is_none() => {
            let kept = form.without_token();
            let facts = json!({"deed": deed, "why": message, "kept": kept, "back": form.back(&deed)});
            page(&desk, &Frame::of(&guest, sentence!("Are you sure?"), ""), "again.html", &facts)
        }
        Err(why) => refused(&desk, &guest, &why, Some(&form.back(&deed))),
    }
}

async fn done(desk: &Desk, deed: &str, form: &Filled) -> Result<String, Refused> {
    let line = form.line(deed).map_err(Refused::failed)?;
    let _alone = desk.deeds.lock().await;
    if let (Some(game), Some(state)) = (form.text("game"), form.text("state")) {
        let id: GameId = game.parse().map_err(|_| Refused::missing(format!("there is no game {game}")))?;
        let now = Record(Arc::clone(&desk.house)).store().await?.game(&id).await?;
        if now.is_none_or(|now| state_of(&now.game) != state) {
            return Err(Refused::failed(
                "the game has changed since this page was made\nhelp: nothing was done; look at it as it is now",
            ));
        }
    }
    desk.house.run(line).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(fields: &[(&str, &str)]) -> Filled {
        Filled::of(fields)
    }

    #[test]
    fn what_stands_in_a_field_stays_in_its_word() {
        let form = filled(&[
            ("game", "--yes"),
            ("move", "--draw"),
            ("message", "--hold=1d"),
            ("if", "4445 3657\r\n--yes\n"),
            ("hold", "2h --draw"),
        ]);
        let line = form.line("play").unwrap();
        let expected = [
            "play",
            "--hold=2h --draw",
            "--message=--hold=1d",
            "--if=4445 3657",
            "--if=--yes",
            "--",
            "--yes",
            "--draw",
        ];
        assert_eq!(line, expected);
    }

    #[test]
    fn a_deed_goes_back_to_a_page_of_the_desk() {
        for game in ["//example.org", "/../x", "http://example.org", "A\r\nB", ""] {
            assert_eq!(filled(&[("game", game)]).back("play"), "/", "{game}");
        }
        assert_eq!(filled(&[("game", "EM-1")]).back("play"), "/game/EM-1");
        assert!(filled(&[]).line("delete").is_err());
    }
}
