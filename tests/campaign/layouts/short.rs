//! Short forms and quotations.

use amici::domain::game::Side;

use super::{Style, answered, in_coordinates, localized, notation, numbered, quoted, rows, spoken};
use crate::game::Ply;
use crate::letter::Letter;
use crate::words::fill;

fn framed(style: &Style, text: &str) -> Letter {
    let words = style.words;
    Letter::text(match style.dice().roll(3) {
        0 => format!("{text}\n"),
        1 => format!("{}\n\n{text}\n\n{}\n", words.greeting, words.regards),
        _ => format!("{}\n{text}\n{}\n", words.greeting, words.regards),
    })
}

/// Received and sent in the sender's language.
fn dates(ply: &Ply, style: &Style) -> String {
    let words = style.words;
    let stated = ply.stated;
    format!("{} {}, {} {}", words.received, style.date(stated.received), words.sent, style.date(stated.sent))
}

fn new(plies: &[Ply]) -> &Ply {
    plies.last().unwrap()
}

/// The new move with its number.
fn full(plies: &[Ply]) -> String {
    let ply = new(plies);
    numbered(ply, &ply.numeric.to_string())
}

/// `12. 5254 5755  (recd 12 Mar 2004, sent 14 Mar 2004, 2 days / 16 cum.)`
pub(super) fn pair(plies: &[Ply], style: &Style) -> Option<Letter> {
    let ply = new(plies);
    let moves = match answered(plies) {
        Some(his) if his.number.side == Side::White => numbered(his, &format!("{} {}", his.numeric, ply.numeric)),
        _ => full(plies),
    };
    let stated = ply.stated;
    Some(framed(
        style,
        &format!(
            "{moves}  (recd {}, sent {}, {} days / {} cum.)",
            spoken(stated.received),
            spoken(stated.sent),
            stated.days?,
            stated.total?
        ),
    ))
}

pub(super) fn sentence(plies: &[Ply], style: &Style) -> Option<Letter> {
    let pattern = style.dice().pick(&style.words.plays).to_owned();
    Some(framed(style, &fill(pattern, &[&full(plies)])))
}

pub(super) fn sentence_without_number(plies: &[Ply], style: &Style) -> Option<Letter> {
    let pattern = style.dice().pick(&style.words.plays).to_owned();
    Some(framed(style, &fill(pattern, &[&new(plies).numeric.to_string()])))
}

pub(super) fn sentence_with_dates(plies: &[Ply], style: &Style) -> Option<Letter> {
    let text = fill(style.words.plays[0], &[&full(plies)]);
    Some(framed(style, &format!("{text}\n{}", dates(new(plies), style))))
}

pub(super) fn bare(plies: &[Ply], _: &Style) -> Option<Letter> {
    Some(Letter::text(format!("{}\n", new(plies).numeric)))
}

pub(super) fn greeted(plies: &[Ply], style: &Style) -> Option<Letter> {
    Some(Letter::text(format!("{}\n\n{}\n\n{}\n", style.words.greeting, full(plies), style.words.regards)))
}

pub(super) fn yours_and_mine(plies: &[Ply], style: &Style) -> Option<Letter> {
    let his = answered(plies)?;
    let (yours, mine) =
        *style.dice().pick(&[("Your move", "My move"), ("Dein Zug", "Mein Zug"), ("Votre coup", "Mon coup")]);
    let his = numbered(his, &his.numeric.to_string());
    Some(framed(style, &format!("{yours}: {his}\n{mine}: {}\n{}", full(plies), dates(new(plies), style))))
}

pub(super) fn keyword(plies: &[Ply], _: &Style) -> Option<Letter> {
    Some(Letter::text(format!("MOVE: {}\n", full(plies))))
}

pub(super) fn label(plies: &[Ply], _: &Style) -> Option<Letter> {
    Some(Letter::text(format!("My move: {}\n", new(plies).numeric)))
}

pub(super) fn subject_only(plies: &[Ply], style: &Style) -> Option<Letter> {
    let subject = format!("EM/ZZ/042: {}", full(plies));
    Some(Letter { subject, ..Letter::text(format!("{}\n", style.words.regards)) })
}

pub(super) fn subject_and_text(plies: &[Ply], style: &Style) -> Option<Letter> {
    let subject = format!("EM/ZZ/042: {}", full(plies));
    Some(Letter { subject, ..framed(style, &full(plies)) })
}

pub(super) fn phone(plies: &[Ply], style: &Style) -> Option<Letter> {
    let signature = *style.dice().pick(&["Sent from my iPhone", "Von meinem iPhone gesendet", "Envoyé de mon iPhone"]);
    let old =
        quoted(&rows(&plies[..plies.len() - 1], |p| p.numeric.to_string(), " "), style, new(plies).stated.received?);
    Some(Letter::text(format!("{}\n\n{signature}\n\n{old}", full(plies))))
}

pub(super) fn separators(plies: &[Ply], style: &Style) -> Option<Letter> {
    let ply = new(plies);
    let text = ply.numeric.to_string();
    let sign = *style.dice().pick(&["-", " ", "/", ":", "–", " - ", "\u{a0}"]);
    Some(framed(style, &numbered(ply, &format!("{}{sign}{}", &text[..2], &text[2..]))))
}

pub(super) fn castling_words(plies: &[Ply], style: &Style) -> Option<Letter> {
    let ply = new(plies);
    let side = ply.played.castling_side()?;
    let words = style.words.castles[if side.is_king_side() { 0 } else { 1 }];
    Some(framed(style, &numbered(ply, words)).needing(&notation(style.words)))
}

pub(super) fn coordinates(plies: &[Ply], style: &Style) -> Option<Letter> {
    let between = if style.dice().one_in(2) { "-" } else { "" };
    let text = in_coordinates(new(plies)).join(between);
    Some(framed(style, &numbered(new(plies), &text)).needing("coordinate"))
}

/// `12. 5171 (0-0)`
pub(super) fn both_notations(plies: &[Ply], style: &Style) -> Option<Letter> {
    let ply = new(plies);
    let san = localized(&ply.san, style.words).replace('O', "0");
    Some(framed(style, &format!("{} ({san})", full(plies))))
}

pub(super) fn san(plies: &[Ply], style: &Style) -> Option<Letter> {
    let ply = new(plies);
    let text = numbered(ply, &localized(&ply.san, style.words));
    Some(framed(style, &text).needing(&notation(style.words)))
}

pub(super) fn long_algebraic(plies: &[Ply], style: &Style) -> Option<Letter> {
    let ply = new(plies);
    let text = match ply.played.castling_side() {
        Some(side) if side.is_king_side() => "O-O".to_owned(),
        Some(_) => "O-O-O".to_owned(),
        None => {
            let [from, to] = in_coordinates(ply);
            let piece = match "KQRBN".find(ply.san.chars().next()?) {
                Some(at) => style.words.pieces[at],
                None => "",
            };
            let (to, promotion) = to.split_at(2);
            let at = "qrbn".find(promotion).filter(|_| !promotion.is_empty());
            let promotion = at.map(|at| format!("={}", style.words.pieces[1 + at])).unwrap_or_default();
            format!("{piece}{from}{}{to}{promotion}", if ply.played.is_capture() { "x" } else { "-" })
        }
    };
    Some(framed(style, &numbered(ply, &text)).needing(&notation(style.words)))
}

/// `Dein Zug: 12. e4 // Meine Antwort: 12... Sc6`
pub(super) fn antwort(plies: &[Ply], style: &Style) -> Option<Letter> {
    let (his, ply) = (answered(plies)?, new(plies));
    let german = crate::words::ALL.iter().find(|w| w.code == "de")?;
    let [a, b] = [his, ply].map(|p| numbered(p, &localized(&p.san, german)));
    Some(framed(style, &format!("Dein Zug: {a} // Meine Antwort: {b}")).needing("san-de"))
}

/// The reader's own mail, as it was.
fn his_mail(plies: &[Ply], style: &Style) -> Option<String> {
    let his = answered(plies)?;
    let text = format!(
        "Hello Mila,\n\n{}\n{}\n\nRegards\nTobin\n",
        numbered(his, &his.numeric.to_string()),
        dates(his, style)
    );
    Some(text)
}

pub(super) fn quoted_below(plies: &[Ply], style: &Style) -> Option<Letter> {
    let old = quoted(&his_mail(plies, style)?, style, answered(plies)?.stated.sent?);
    Some(Letter::text(format!("{}\n{}\n\n{old}", full(plies), dates(new(plies), style))))
}

pub(super) fn quoted_above(plies: &[Ply], style: &Style) -> Option<Letter> {
    let old = quoted(&his_mail(plies, style)?, style, answered(plies)?.stated.sent?);
    Some(Letter::text(format!("{old}\n{}\n{}\n", full(plies), dates(new(plies), style))))
}

pub(super) fn interleaved(plies: &[Ply], style: &Style) -> Option<Letter> {
    let his = answered(plies)?;
    let line = |p: &Ply| numbered(p, &p.numeric.to_string());
    let text = format!(
        "> Hello Mila,\n>\n> {}\n\n{}\n\n> {}\n\n{}\n\n> Regards\n",
        line(his),
        line(new(plies)),
        dates(his, style),
        dates(new(plies), style)
    );
    Some(Letter::text(text))
}

pub(super) fn outlook(plies: &[Ply], style: &Style) -> Option<Letter> {
    let text = format!(
        "{}\n{}\n\n-----Original Message-----\nFrom: Tobin Quillfeather [mailto:tobin.q@example.net]\n\
         Sent: {} 20:14\nTo: Mila Ostrander\nSubject: EM/ZZ/042\n\n{}",
        full(plies),
        dates(new(plies), style),
        spoken(answered(plies)?.stated.sent),
        his_mail(plies, style)?
    );
    Some(Letter::text(text))
}
