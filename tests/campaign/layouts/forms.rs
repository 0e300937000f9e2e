//! Forms that clubs ask for.

use amici::domain::game::Side;
use chrono::NaiveDate;

use super::{Style, answered, numbered, score, spoken};
use crate::game::Ply;
use crate::letter::Letter;

fn numeric(ply: &Ply) -> String {
    numbered(ply, &ply.numeric.to_string())
}

/// Running totals of White and Black.
fn totals(plies: &[Ply]) -> [u32; 2] {
    [Side::White, Side::Black]
        .map(|side| plies.iter().rev().find(|p| p.number.side == side).and_then(|p| p.stated.total).unwrap_or_default())
}

pub(super) fn iecg(plies: &[Ply], _: &Style) -> Option<Letter> {
    let new = plies.last()?;
    let his = answered(plies)?;
    let (own, other) = if new.number.side == Side::White { ("White", "Black") } else { ("Black", "White") };
    let text = format!(
        "[Event \"EM/ZZ/042\"]\n[White \"Player One\"]\n[Black \"Player Two\"]\n[Result \"*\"]\n\n{}\n\n\
         Received: {}\nReplied: {}\n{own} time usage: {}/{}\n{other} time usage: {}/{}\n",
        textwrap::fill(&score(plies, |p| p.numeric.to_string()), 70),
        spoken(new.stated.received),
        spoken(new.stated.sent),
        new.stated.days?,
        new.stated.total?,
        his.stated.days?,
        his.stated.total?,
    );
    Some(Letter::text(text))
}

/// Sent (by the reader), received and replied, year first.
pub(super) fn cxv(plies: &[Ply], _: &Style) -> Option<Letter> {
    let slashed = |date: Option<NaiveDate>| date.unwrap().format("%Y/%m/%d").to_string();
    let new = plies.last()?;
    let text = format!(
        "[Event \"EM/ZZ/042\"]\n[Result \"*\"]\n\n{}\n\nSent: {}\nReceived: {}\nReplied: {}\n",
        textwrap::fill(&score(plies, |p| p.numeric.to_string()), 70),
        slashed(answered(plies)?.stated.sent),
        slashed(new.stated.received),
        slashed(new.stated.sent),
    );
    Some(Letter::text(text))
}

pub(super) fn three_dates(plies: &[Ply], style: &Style) -> Option<Letter> {
    let format = *style.dice().pick(&["%m/%d/%Y", "%m.%d.%Y", "%B %-d, %Y"]);
    let date = |date: Option<NaiveDate>| date.unwrap().format(format).to_string();
    let new = plies.last()?;
    let text = format!(
        "{}\n\nYou sent your move {}, I received it {} and I answered {}.\n\
         I used +{} days which totals {} of 30.\n",
        textwrap::fill(&score(plies, |p| p.numeric.to_string()), 70),
        date(answered(plies)?.stated.sent),
        date(new.stated.received),
        date(new.stated.sent),
        new.stated.days?,
        new.stated.total?,
    );
    Some(Letter::text(text))
}

pub(super) fn labelled(plies: &[Ply], style: &Style) -> Option<Letter> {
    let (new, his) = (plies.last()?, answered(plies)?);
    let text = format!(
        "Tournament: EM/ZZ/042\nFrom: Mila Ostrander\nTo: Tobin Quillfeather\n\nYour move: {}\nMy move: {}\n\
         Received: {}\nSent: {}\nDays: {}\nTotal: {}\n",
        numeric(his),
        numeric(new),
        style.date(new.stated.received),
        style.date(new.stated.sent),
        new.stated.days?,
        new.stated.total?
    );
    Some(Letter::text(text))
}

pub(super) fn russian(plies: &[Ply], _: &Style) -> Option<Letter> {
    let full = |date: Option<NaiveDate>| date.unwrap().format("%d.%m.%Y").to_string();
    let (new, his) = (plies.last()?, answered(plies)?);
    let [white, black] = totals(plies);
    let text = format!(
        "Турнир: EM/ZZ/042\nВаш ход: {}\nДата отправления Вашего хода: {}\nДата получения: {}\nМой ход: {}\n\
         Дата отправления: {}\nВремя на обдумывание: белые {white}, чёрные {black}\n",
        numeric(his),
        full(his.stated.sent),
        full(new.stated.received),
        numeric(new),
        full(new.stated.sent),
    );
    Some(Letter::text(text))
}

/// The fields of a printed card, typed off, with boxes that are not ticked.
pub(super) fn postcard(plies: &[Ply], style: &Style) -> Option<Letter> {
    let (new, his) = (plies.last()?, answered(plies)?);
    let text = format!(
        "Event ........ EM/ZZ/042\nYour last move ... {}\n   postmark ..... {}\n   received ..... {}\n\
         My reply ........ {}\n   sent ......... {}\n   days ......... {}    total ........ {}\n\
         [ ] draw offered   [ ] draw accepted   [ ] I resign   [ ] repeat\n",
        numeric(his),
        style.date(his.stated.sent),
        style.date(new.stated.received),
        numeric(new),
        style.date(new.stated.sent),
        new.stated.days?,
        new.stated.total?,
    );
    Some(Letter::text(text))
}
