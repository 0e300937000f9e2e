//! The same pages as files, for whoever wants to keep or print them: no session, no forms, and no private notes; one script goes through the moves;
//! mails, addresses and plans only where they are asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::board::piece;
use super::page::{Frame, rendered};
use super::{House, Record, Refused, ahead, event, files, game, games, held, letters};
use crate::domain::game::GameId;
use crate::languages::Language;
use crate::sentence;

/// A page or a drawing, with its place in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Its name, with the folder that it lies in.
    pub name: String,
    /// What stands in it.
    pub text: String,
}

/// What of the record a report shows.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// Only games with this in their id, opponent or event, and their pages alone; empty for all.
    pub of: String,
    /// Finished games too.
    pub finished: bool,
    /// Mails, letters, addresses and plans too.
    pub mails: bool,
}

/// A file of a page.
fn file(name: String, frame: &Frame, template: &str, facts: &Value) -> Result<Written, Refused> {
    let text = rendered(frame, None, template, facts).map_err(Refused::failed)?;
    Ok(Written { name, text })
}

/// A page of mails by their keys, found by the links to them.
fn mails_of(facts: &Value) -> impl Iterator<Item = &str> {
    let groups = facts.get("letters").and_then(Value::as_array).into_iter().flatten();
    let all = groups.filter_map(|group| group.get("all")?.as_array()).flatten();
    all.filter_map(|one| one.get("link")?.as_str())
}

/// All files of a report, the list of games first.
///
/// # Errors
/// [`Refused`], where a page cannot be made.
pub async fn pages(house: Arc<dyn House>, shown: Shown) -> Result<Vec<Written>, Refused> {
    let me = house.config()?.me;
    let record = Record(Arc::clone(&house));
    let language = me.language;
    let frame = |title: &str, at: &'static str, root: &'static str| Frame {
        language: language.to_string(),
        title: language.sentence(title).to_owned(),
        at,
        root,
        ext: ".html",
        mails: shown.mails,
        part: !shown.of.is_empty(),
        made: Some(me.local_words(house.now())),
        ..Frame::default()
    };
    let wanted = games::Wanted::all(shown.finished, &shown.of);
    let list = games::facts(&record, &wanted, Some(usize::MAX)).await?;
    let listed = || list.get("games").and_then(Value::as_array).into_iter().flatten();
    if listed().next().is_none() && !shown.of.is_empty() {
        return Err(Refused::missing(format!("no game has {:?} in its id, opponent or event", shown.of)));
    }
    let mut all = vec![file("index.html".to_owned(), &frame(sentence!("Games"), "games", ""), "games.html", &list)?];
    if shown.mails && shown.of.is_empty() {
        let waiting = held::facts(&record, &held::Wanted::default(), Some(usize::MAX)).await?;
        all.push(file("held.html".to_owned(), &frame(sentence!("Held mails"), "held", ""), "held.html", &waiting)?);
    }
    let coming = ahead::facts(&record, ahead::Wanted::default(), Some(usize::MAX)).await?;
    if shown.of.is_empty() {
        all.push(file("ahead.html".to_owned(), &frame(sentence!("What comes"), "ahead", ""), "ahead.html", &coming)?);
    }
    let events = coming.get("all_events").and_then(Value::as_array).into_iter().flatten();
    let events = events.filter_map(|event| event.get("name")?.as_str()).filter(|name| wanted.is_in(name));
    let events: BTreeMap<&str, usize> = events.zip(1..).collect();
    for (name, number) in &events {
        let facts = event::facts(&record, &event::Wanted::of(name), shown.finished).await?;
        all.push(file(format!("event/{number}.html"), &frame(name, "", "../"), "event.html", &facts)?);
    }
    let mut mails = BTreeMap::new();
    for listed in listed() {
        let Some(id) = listed.get("id").and_then(Value::as_str) else { continue };
        let mut facts = game::facts(&record, id, game::Wanted::as_file(shown.mails)).await?;
        let event = facts.pointer("/show/event").and_then(Value::as_str).and_then(|event| events.get(event).copied());
        facts.as_object_mut().map(|facts| facts.insert("event_page".to_owned(), json!(event)));
        all.push(file(format!("game/{id}.html"), &frame(id, "", "../"), "game.html", &facts)?);
        mails.extend(mails_of(&facts).filter(|_| shown.mails).map(|link| (link.to_owned(), id.to_owned())));
    }
    for (link, game) in mails {
        let facts = match link.split_once('/').map(|(kind, key)| (kind, key.parse())) {
            Some(("mail", Ok(mail))) => held::mail(&record, mail, Some(&game)).await?,
            Some((_, Ok(letter))) => letters::letter(&record, letter).await?,
            _ => continue,
        };
        all.push(file(format!("{link}.html"), &frame(&link.replace('/', " "), "", "../"), "mail.html", &facts)?);
    }
    all.extend(dress("static/desk.css", "static/game.js"));
    let knight = piece("white-knight");
    all.extend(knight.map(|text| Written { name: "static/white-knight.svg".to_owned(), text }));
    Ok(all)
}

/// A game by itself, for whoever has nothing else of the report: without what changes from day to day, without plans, mails and notes.
///
/// # Errors
/// [`Refused`], where the page cannot be made.
pub async fn game_alone(house: Arc<dyn House>, id: &GameId) -> Result<Vec<Written>, Refused> {
    let mut facts = game::facts(&Record(house), id.as_str(), game::Wanted::as_file(false)).await?;
    facts.as_object_mut().map(|facts| facts.remove("bars"));
    // for a director: in English
    let language = Language::English.to_string();
    let frame = Frame { language, title: id.to_string(), alone: true, ..Frame::default() };
    let mut all = vec![file("game.html".to_owned(), &frame, "game.html", &facts)?];
    all.extend(dress("game.css", "game.js"));
    Ok(all)
}

/// The style and the script of the pages, under these names.
fn dress(style: &str, script: &str) -> impl Iterator<Item = Written> {
    let css = files::FILES.iter().find(|(name, ..)| *name == "desk.css").map(|(.., text)| *text);
    let all = [(style.to_owned(), css), (script.to_owned(), Some(files::REPLAY))];
    all.into_iter().filter_map(|(name, text)| Some(Written { name, text: text?.to_owned() }))
}
