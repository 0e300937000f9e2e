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

impl Filled {
    /// The words of a command.
    fn line(&self, deed: &str) -> Result<Vec<String>, String> {
        let yes = self.text("yes").is_some();
        let mut line = Line(vec![deed.to_owned()]);
        match deed {
            "play" => {
                line.flag("--yes", yes);
                line.flag("--draw", self.text("draw").is_some());
                line.option("--hold", self.text("hold"));
                line.option("--message", self.text("message"));
                for offered in self.text("lines").unwrap_or_default().lines().map(str::trim) {
                    line.option("--if", Some(offered).filter(|offered| !offered.is_empty()));
                }
                let text = self.text("move").or_else(|| self.text("pick"));
                line.rest([self.game()?, text.ok_or("no move was chosen")?]);
            }
            "undo" => line.rest([self.game()?]),
            "accept" => {
                line.option("--mail", self.text("mail"));
                line.option("--received", self.text("received"));
                line.option("--sent", self.text("sent"));
                line.flag("--draw", self.text("draw").is_some());
                line.flag("--yes", yes);
                line.rest([self.game()?, self.text("move").ok_or("no move was named")?]);
            }
            "ask" => {
                line.option("--game", self.text("game"));
                line.option("--language", self.text("language"));
                line.flag("--again", yes);
                line.rest([self.mail()?]);
            }
            "ignore" => {
                line.option("--game", self.text("game"));
                line.rest([self.mail()?]);
            }
            "sent" => {
                line.option("--on", self.text("on"));
                line.rest([self.game()?]);
            }
            "note" => {
                let text = self.text("text").ok_or("the note is empty")?;
                line.rest([self.game()?, self.text("ply").unwrap_or("last"), text]);
            }
            "message" => {
                line.flag("--yes", yes);
                line.option("--message", Some(self.text("message").ok_or("the text is empty")?));
                line.rest([self.game()?]);
            }
            "draw" => {
                let how = if self.text("decline").is_some() { "--decline" } else { "--accept" };
                line.flag(how, true);
                line.flag("--yes", yes);
                line.rest([self.game()?]);
            }
            "resign" => {
                line.flag("--yes", yes);
                line.rest([self.game()?]);
            }
            "poll" => {}
            _ => return Err(format!("there is no deed `{deed}`")),
        }
        Ok(line.0)
    }

    fn game(&self) -> Result<&str, String> {
        self.text("game").ok_or_else(|| "no game is named".to_owned())
    }

    fn mail(&self) -> Result<&str, String> {
        self.text("mail").ok_or_else(|| "no mail is named".to_owned())
    }

    /// The page that tells what a deed came to.
    fn back(&self, deed: &str) -> String {
        let game = self.text("game").and_then(|game| game.parse::<GameId>().ok());
        match (deed, game) {
            ("ask" | "ignore" | "accept", _) => "/held".to_owned(),
            (_, Some(game)) => format!("/game/{game}"),
            (_, None) => "/".to_owned(),
        }
    }
}

/// The words of a command, each by itself: nothing in a value can be taken for an option.
struct Line(Vec<String>);

impl Line {
    fn flag(&mut self, name: &str, set: bool) {
        self.0.extend(set.then(|| name.to_owned()));
    }

    fn option(&mut self, name: &str, value: Option<&str>) {
        self.0.extend(value.map(|value| format!("{name}={value}")));
    }

    fn rest<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        self.0.push("--".to_owned());
        self.0.extend(words.into_iter().map(str::to_owned));
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
            let fields = form.without_token();
            let facts = json!({"deed": deed, "why": message, "fields": fields, "back": form.back(&deed)});
            page(&desk, &Frame::of(&guest, "Are you sure?", ""), "again.html", &facts)
        }
        Err(why) => refused(&desk, &guest, &why, Some(&form.back(&deed))),
    }
}

async fn done(desk: &Desk, deed: &str, form: &Filled) -> Result<String, Refused> {
    let line = form.line(deed).map_err(Refused::failed)?;
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
            ("lines", "4445 3657\r\n--yes\n"),
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
