//! Sentences beside the move, and instead of it.

use super::{Case, Damage, Meant};
use crate::layouts::quoted;
use crate::words::{ALL as LANGUAGES, Words, fill};

pub(super) const ALL: &[Damage] = &[
    Damage { name: "another denied", change: |c| beside(c, |w, n| w.denies[n % 2]) },
    Damage { name: "another asked", change: |c| beside(c, |w, _| w.asks) },
    Damage { name: "another weighed", change: |c| beside(c, |w, _| w.weighs) },
    Damage { name: "another supposed", change: |c| beside(c, |w, _| w.supposes) },
    Damage { name: "another suggested", change: |c| beside(c, |w, _| w.suggests) },
    Damage { name: "the move denied", change: denied_after_all },
    Damage { name: "denied alone", change: |c| alone(c, |w, n| w.denies[n % 2]) },
    Damage { name: "asked alone", change: |c| alone(c, |w, _| w.asks) },
    Damage { name: "weighed alone", change: |c| alone(c, |w, _| w.weighs) },
    Damage { name: "supposed alone", change: |c| alone(c, |w, _| w.supposes) },
    Damage { name: "suggested alone", change: |c| alone(c, |w, _| w.suggests) },
    Damage { name: "undecided", change: undecided },
    Damage { name: "decided after all", change: decided },
    Damage { name: "condition below", change: condition },
    Damage { name: "condition alone", change: condition_alone },
    Damage { name: "draw offered", change: draw_offered },
    Damage { name: "no draw offered", change: |c| remark(c, |w, _| w.offers_no_draw) },
    Damage { name: "not resigned", change: |c| remark(c, |w, n| w.resigns_not[n % 2]) },
    Damage { name: "not resigned, no move", change: not_resigned_alone },
    Damage { name: "resigned", change: resigned },
    Damage { name: "resignation quoted", change: resignation_quoted },
    Damage { name: "resignation talked about", change: resignation_talk },
    Damage { name: "draw accepted", change: |c| draw_answered(c, |w, _| w.accepts_draw, true) },
    Damage { name: "draw accepted, none offered", change: draw_never_offered },
    Damage { name: "draw declined", change: |c| draw_answered(c, |w, _| w.declines_draw, false) },
    Damage { name: "draw declined with a move", change: draw_declined_by_move },
    Damage { name: "chat", change: chat },
    Damage { name: "second language", change: second_language },
];

type Sentence = fn(&'static Words, usize) -> &'static str;

/// A sentence about another legal move; his own still stands.
fn beside(case: &mut Case<'_>, sentence: Sentence) -> Option<Meant> {
    let other = case.another()?;
    let other = case.perhaps_numbered(other);
    let text = fill(sentence(case.style.words, case.dice.roll(2)), &[&other]);
    case.add(&text)?;
    Some(Meant::New)
}

/// Nothing but a sentence about a legal move, his own or another.
fn alone(case: &mut Case<'_>, sentence: Sentence) -> Option<Meant> {
    let numeric = if case.dice.one_in(2) { case.new_ply().numeric } else { case.another()? };
    let numeric = case.perhaps_numbered(numeric);
    let text = fill(sentence(case.style.words, case.dice.roll(2)), &[&numeric]);
    case.between_greetings(&text);
    Some(Meant::Nothing)
}

fn denied_after_all(case: &mut Case<'_>) -> Option<Meant> {
    let numeric = case.new_ply().numeric;
    let his = case.perhaps_numbered(numeric);
    let sentence = *case.dice.pick(&case.style.words.denies);
    case.add_below(&fill(sentence, &[&his]))?;
    Some(Meant::Nothing)
}

fn undecided(case: &mut Case<'_>) -> Option<Meant> {
    let (new, words) = (case.new_ply().numeric, case.style.words);
    let other = case.another()?;
    let pair = [case.perhaps_numbered(new), case.perhaps_numbered(other)];
    let sentences = pair.map(|m| fill(words.weighs, &[&m]));
    case.between_greetings(&sentences.join(" "));
    Some(Meant::Nothing)
}

fn decided(case: &mut Case<'_>) -> Option<Meant> {
    let words = case.style.words;
    let other = case.another()?;
    let other = case.perhaps_numbered(other);
    let first = *case.dice.pick(&[words.weighs, words.denies[0]]);
    let new = format!("{} {}", case.new_ply().number, case.new_ply().numeric);
    let turn = *case.dice.pick(&[" ", "\n", "\n\n"]);
    let text = format!("{}{turn}{}", fill(first, &[&other]), fill(words.plays[0], &[&new]));
    case.between_greetings(&text);
    Some(Meant::Unsure)
}

/// A ply of the reader and the reply to it, with their numbers or without.
fn conditional(case: &mut Case<'_>) -> Option<String> {
    let (ply, reply) = *case.dice.pick(Some(&case.situation.lines).filter(|l| !l.is_empty())?);
    let (words, number) = (case.style.words, case.new_ply().number);
    let texts = match case.dice.one_in(3) {
        true => [ply.to_string(), reply.to_string()],
        false => [format!("{} {ply}", number.plus(1)), format!("{} {reply}", number.plus(2))],
    };
    Some(fill(words.condition, &[&texts[0], &texts[1]]))
}

fn condition(case: &mut Case<'_>) -> Option<Meant> {
    let text = conditional(case)?;
    case.add_below(&text)?;
    Some(Meant::New)
}

fn condition_alone(case: &mut Case<'_>) -> Option<Meant> {
    let text = conditional(case)?;
    case.between_greetings(&text);
    Some(Meant::Nothing)
}

fn draw_offered(case: &mut Case<'_>) -> Option<Meant> {
    // of two forms only one would have it
    if case.letter.html.is_some() {
        return None;
    }
    let text = case.style.words.offers_draw;
    case.add_below(text)?;
    case.draw = true;
    Some(Meant::New)
}

fn remark(case: &mut Case<'_>, sentence: Sentence) -> Option<Meant> {
    let text = sentence(case.style.words, case.dice.roll(2));
    case.add(text)?;
    Some(Meant::New)
}

fn not_resigned_alone(case: &mut Case<'_>) -> Option<Meant> {
    let text = case.style.words.resigns_not[case.dice.roll(2)];
    case.between_greetings(text);
    Some(Meant::Nothing)
}

fn resigned(case: &mut Case<'_>) -> Option<Meant> {
    case.between_greetings(case.style.words.resigns);
    Some(Meant::Resigns)
}

/// The reader's own words.
fn resignation_quoted(case: &mut Case<'_>) -> Option<Meant> {
    let words = case.style.words;
    let said = *case.dice.pick(&[words.resigns, words.accepts_draw, words.offers_draw]);
    let quote = quoted(said, &case.style, case.letter.date);
    case.game.draw_offer = case.dice.one_in(2).then_some(case.game.me);
    case.edit(|text| Some(format!("{quote}\n{text}")))?;
    Some(Meant::New)
}

fn resignation_talk(case: &mut Case<'_>) -> Option<Meant> {
    let text = *case.dice.pick(&[
        "You should resign now.",
        "Do you resign?",
        "If you play Qh5 I resign.",
        "I almost resigned yesterday.",
        "My boss resigned last week.",
        "Petrov wrote: \"I resign.\"",
        "Perhaps I should resign soon.",
        "I would resign if you had seen Qh5.",
        "Wenn du den Springer nimmst, gebe ich auf.",
        "Ich gebe zu, die Stellung ist schwer, aber ich gebe nicht auf!",
        "Gibst du auf?",
        "Je n'abandonne jamais.",
        "Mon voisin a abandonné le tournoi.",
        "¿Abandonas?",
        "Nunca abandono en una posición así.",
        "Il mio amico ha abbandonato il torneo.",
        "Jag tänker inte ge upp.",
        "Петров сдался.",
        "I accept that my position is lost, but a draw would be nice.",
        "In our other game I accept the draw.",
        "Petrov and I agreed to a draw.",
        "Would you accept a draw?",
        "A draw is near, I think.",
    ]);
    case.between_greetings(text);
    case.game.draw_offer = case.dice.one_in(2).then_some(case.game.me);
    Some(Meant::Nothing)
}

/// The answer to the reader's offer, and nothing else.
fn draw_answered(case: &mut Case<'_>, sentence: Sentence, accepts: bool) -> Option<Meant> {
    case.game.draw_offer = (!case.game.moves.is_empty()).then_some(case.game.me);
    case.between_greetings(sentence(case.style.words, 0));
    case.game.draw_offer?;
    Some(if accepts { Meant::AcceptsDraw } else { Meant::Nothing })
}

fn draw_never_offered(case: &mut Case<'_>) -> Option<Meant> {
    case.between_greetings(case.style.words.accepts_draw);
    Some(Meant::Nothing)
}

fn draw_declined_by_move(case: &mut Case<'_>) -> Option<Meant> {
    case.game.draw_offer = Some(case.game.me);
    case.add(case.style.words.declines_draw)?;
    Some(Meant::New)
}

fn chat(case: &mut Case<'_>) -> Option<Meant> {
    let text = *case.dice.pick(&[
        "How are you? It is raining here, and my daughter starts school on Monday.",
        "Wie geht es dir? Hier regnet es, und am Montag fängt die Schule an.",
        "Comment allez-vous ? Il pleut ici depuis trois jours.",
        "What a position! I spent two evenings on it.",
        "Frohe Weihnachten und ein gutes neues Jahr!",
        "С наступающим Новым годом!",
        "I was in hospital last week, but I am well again.",
    ]);
    case.add(text)?;
    Some(Meant::New)
}

/// The move once more, in words of another language.
fn second_language(case: &mut Case<'_>) -> Option<Meant> {
    let words = case.dice.pick(LANGUAGES);
    let new = format!("{} {}", case.new_ply().number, case.new_ply().numeric);
    let text = fill(words.plays[0], &[&new]);
    case.add(&text)?;
    Some(Meant::New)
}
