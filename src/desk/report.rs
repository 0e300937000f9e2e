//! The same pages as files, for whoever wants to keep or print them: no session, no forms, no scripts, and no private notes.

use std::sync::Arc;

use serde_json::Value;

use super::board::piece;
use super::page::{Frame, rendered};
use super::{House, Record, Refused, ahead, files, game, games, held};

/// A page or a drawing, with its place in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Its name, with the folder that it lies in.
    pub name: String,
    /// What stands in it.
    pub text: String,
}

/// All files of a report, the list of games first; finished games are in it where they are asked for.
///
/// # Errors
/// [`Refused`], where a page cannot be made.
pub async fn pages(house: Arc<dyn House>, finished: bool) -> Result<Vec<Written>, Refused> {
    let me = house.config()?.me;
    let record = Record(Arc::clone(&house));
    let frame = |title: &str, at: &'static str, root: &'static str| Frame {
        title: title.to_owned(),
        at,
        root,
        ext: ".html",
        made: Some(me.local(house.now())),
        ..Frame::default()
    };
    let page = |name: String, frame: &Frame, template: &str, facts: &Value| {
        let text = rendered(frame, None, template, facts).map_err(Refused::failed)?;
        Ok::<_, Refused>(Written { name, text })
    };
    let list = games::facts(&record, &games::Wanted::all(finished), Some(usize::MAX)).await?;
    let mut all = vec![page("index.html".to_owned(), &frame("Games", "games", ""), "games.html", &list)?];
    let waiting = held::facts(&record, &held::Wanted::default(), Some(usize::MAX)).await?;
    all.push(page("held.html".to_owned(), &frame("Held mails", "held", ""), "held.html", &waiting)?);
    let coming = ahead::facts(&record).await?;
    all.push(page("ahead.html".to_owned(), &frame("What comes", "ahead", ""), "ahead.html", &coming)?);
    for listed in list.get("games").and_then(Value::as_array).into_iter().flatten() {
        let Some(id) = listed.get("id").and_then(Value::as_str) else { continue };
        let facts = game::facts(&record, id, game::Wanted::default()).await?;
        all.push(page(format!("game/{id}.html"), &frame(id, "", "../"), "game.html", &facts)?);
    }
    let style = files::FILES.iter().find(|(name, ..)| *name == "desk.css").map(|(_, _, text)| (*text).to_owned());
    all.extend(style.map(|text| Written { name: "static/desk.css".to_owned(), text }));
    let knight = piece("white-knight");
    all.extend(knight.map(|text| Written { name: "static/white-knight.svg".to_owned(), text }));
    Ok(all)
}
