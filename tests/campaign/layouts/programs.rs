//! What programs write.

use std::fmt::Write;

use amici::domain::game::Side;

use super::{Style, localized, notation, score};
use crate::game::Ply;
use crate::letter::{File, Letter};

/// The sender made the last ply.
fn head(plies: &[Ply]) -> String {
    let mut players = ["Ostrander, Mila", "Quillfeather, Tobin"];
    if plies[plies.len() - 1].number.side == Side::Black {
        players.reverse();
    }
    let [white, black] = players;
    // a rating may look like any move but the one that a damage looks for
    let new = plies[plies.len() - 1].numeric.to_string();
    let rating = |digits: &'static str| if digits == new { "2200" } else { digits };
    let (his, mine) = (rating("2143"), rating("1726"));
    format!(
        "[Event \"EM/ZZ/042\"]\n[Site \"ICCF\"]\n[Date \"{}\"]\n[Round \"1\"]\n[White \"{white}\"]\n\
         [Black \"{black}\"]\n[Result \"*\"]\n[WhiteElo \"{his}\"]\n[BlackElo \"{mine}\"]\n\n",
        plies[0].stated.received.unwrap().format("%Y.%m.%d")
    )
}

fn movetext(plies: &[Ply]) -> String {
    textwrap::fill(&(score(plies, |p| p.san.clone()) + " *"), 72) + "\n"
}

pub(super) fn san_score(plies: &[Ply], style: &Style) -> Option<Letter> {
    let text = textwrap::fill(&score(plies, |p| localized(&p.san, style.words)), 70);
    Some(Letter::text(text + "\n").needing(&notation(style.words)))
}

pub(super) fn pgn(plies: &[Ply], _: &Style) -> Option<Letter> {
    Some(Letter::text(head(plies) + &movetext(plies)).needing("san"))
}

pub(super) fn pgn_with_braces(plies: &[Ply], style: &Style) -> Option<Letter> {
    let mut text = String::new();
    for ply in plies {
        let stated = ply.stated;
        let _ = write!(
            text,
            "{} {} {{{}-{} {}/{}}} ",
            ply.number,
            ply.san,
            style.date(stated.received),
            style.date(stated.sent),
            stated.days?,
            stated.total?
        );
    }
    let text = textwrap::fill(&(text + "*"), 72) + "\n";
    Some(Letter::text(head(plies) + &text).needing("san"))
}

pub(super) fn cmail(plies: &[Ply], _: &Style) -> Option<Letter> {
    let text = head(plies).replace("[Result", "[CMail \"1\"]\n[Result") + &movetext(plies);
    let subject = "cmail 1 game EM/ZZ/042 <tobin.q@example.net>".to_owned();
    Some(Letter { subject, ..Letter::text(text) }.needing("san"))
}

pub(super) fn scid(plies: &[Ply], _: &Style) -> Option<Letter> {
    let pgn = head(plies) + &movetext(plies);
    let file = File { name: "EM-ZZ-042.pgn", kind: "application/x-chess-pgn", text: pgn };
    let subject = "scid mail 1 game (EM/ZZ/042)".to_owned();
    let text = score(plies, |p| p.san.clone()) + "\n";
    Some(Letter { subject, files: vec![file], ..Letter::text(text) }.needing("san"))
}
