//! Second forms of a mail that say less, more, or something else.

use super::text::escaped;
use super::{Case, Damage, Meant};

pub(super) const ALL: &[Damage] = &[
    Damage { name: "html of an older state", change: older_html },
    Damage { name: "html with another move", change: other_html },
    Damage { name: "html with the same", change: same_html },
    Damage { name: "hidden rows", change: hidden },
    Damage { name: "struck out beside", change: struck_beside },
    Damage { name: "the move struck out", change: struck },
    Damage { name: "struck out and rewritten", change: rewritten },
    Damage { name: "other players' names", change: other_players },
];

fn pre(text: &str) -> String {
    format!("<html><body><pre>{}</pre></body></html>", escaped(text))
}

/// The text as HTML, and nothing else.
fn html_only(case: &mut Case<'_>) -> Option<String> {
    match case.letter.text.take() {
        Some(_) if case.letter.html.is_some() => None,
        Some(text) => Some(pre(&text)),
        None => case.letter.html.take(),
    }
}

fn older_html(case: &mut Case<'_>) -> Option<Meant> {
    let plies = &case.situation.plies;
    let upto = 1 + case.dice.roll(plies.len() - 1);
    let old = case.write(&plies[..upto])?.text?;
    case.letter.text.as_ref()?;
    case.letter.html = Some(pre(&old));
    Some(Meant::Unsure)
}

fn other_html(case: &mut Case<'_>) -> Option<Meant> {
    let (other, new) = (case.another()?.to_string(), case.new_digits());
    let text = case.letter.text.as_deref().filter(|text| text.matches(&new).count() == 1)?;
    case.letter.html = Some(pre(&text.replace(&new, &other)));
    Some(Meant::Nothing)
}

fn same_html(case: &mut Case<'_>) -> Option<Meant> {
    case.letter.html = Some(pre(case.letter.text.as_deref()?));
    Some(Meant::New)
}

fn hidden(case: &mut Case<'_>) -> Option<Meant> {
    let (other, number) = (case.another()?, case.new_ply().number);
    let html = html_only(case)?;
    let [open, close] = *case.dice.pick(&[
        ["<div style=\"display:none\">", "</div>"],
        ["<p hidden>", "</p>"],
        ["<span style='visibility: hidden'>", "</span>"],
        ["<!-- ", " -->"],
        ["<div style=\"font-size:0px\">", "</div>"],
        ["<script>", "</script>"],
        ["<style>", "</style>"],
        ["<title>", "</title>"],
    ]);
    let at = html.find("<body>").map_or(0, |at| at + 6);
    case.letter.html = Some(format!("{}{open}{number} {other}{close}{}", &html[..at], &html[at..]));
    Some(Meant::Unsure)
}

const STRIKES: &[[&str; 2]] = &[
    ["<s>", "</s>"],
    ["<del>", "</del>"],
    ["<strike>", "</strike>"],
    ["<span style=\"text-decoration:line-through\">", "</span>"],
];

/// The HTML with the new move's digits replaced by `change`.
fn changed(case: &mut Case<'_>, change: impl FnOnce(&str) -> String) -> Option<()> {
    let new = case.new_digits();
    let html = html_only(case)?;
    if html.matches(&new).count() != 1 || case.letter.subject.contains(&new) || case.layout.name == "both notations" {
        return None;
    }
    case.letter.html = Some(html.replace(&new, &change(&new)));
    Some(())
}

/// The game of two others, or of the same players with the colours exchanged.
fn other_players(case: &mut Case<'_>) -> Option<Meant> {
    let [his, ours] = *case.dice.pick(&[["Petrov, Ivan", "Novak, Jan"], ["Quillfeather, Tobin", "Ostrander, Mila"]]);
    let text = case.letter.text.as_deref().filter(|text| text.contains("\"Ostrander, Mila\""))?;
    let text = text.replace("\"Ostrander, Mila\"", "\"_\"").replace("Quillfeather, Tobin", ours).replace('_', his);
    case.letter.text = Some(text);
    Some(Meant::Nothing)
}

fn struck_beside(case: &mut Case<'_>) -> Option<Meant> {
    let other = case.another()?;
    let [open, close] = *case.dice.pick(STRIKES);
    changed(case, |new| format!("{open}{other}{close} {new}"))?;
    Some(Meant::Unsure)
}

fn struck(case: &mut Case<'_>) -> Option<Meant> {
    let [open, close] = *case.dice.pick(STRIKES);
    changed(case, |new| format!("{open}{new}{close}"))?;
    Some(Meant::Nothing)
}

fn rewritten(case: &mut Case<'_>) -> Option<Meant> {
    let other = case.another()?;
    let [open, close] = *case.dice.pick(STRIKES);
    changed(case, |new| format!("{open}{new}{close} {other}"))?;
    Some(Meant::Other(other))
}
