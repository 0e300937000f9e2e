//! What a reply says about dates and days beside the move: where his table and the record differ, what was assumed for want of
//! a date, what was corrected. Politely, and without settling anything.

use chrono::NaiveDate;

use super::again;
use super::day;
use super::reasons::{is_of_no_illegal_move, said_why};
use super::speech::Speech;
use super::wrap::fill;
use crate::config::Language;
use crate::domain::clock::doubt::DoubtKind;
use crate::domain::clock::ledger::{Basis, DateSource, Ledger, PlyTime};
use crate::domain::game::{Agreed, Game, MoveNumber, MoveRecord, SentIllegal, Stated};
use crate::domain::judge::Row;
use crate::domain::judge::discrepancy::{Difference, recorded, untold};
use crate::domain::judge::objection::{Objection, objections};
use crate::domain::transmission::read::{FaultKind, Unread};
use crate::domain::transmission::remarks::heading;
use crate::say;

/// So many remarks are made at most.
const MOST: usize = 8;

/// The paragraph of the remarks in a letter, after an empty line, with a first line by which it is known; empty without remarks.
pub fn paragraph(remarks: &[String], language: Language) -> String {
    if remarks.is_empty() {
        return String::new();
    }
    let left = remarks.len().saturating_sub(MOST);
    let rest = (left > 0).then(|| Speech::of(language).say("more", &[("n", &left.to_string())]));
    let lines = remarks.iter().take(MOST).chain(&rest).map(|remark| fill(remark, "- ", "  ") + "\n");
    format!("\n{}\n{}", heading(&language.to_string()), lines.collect::<String>())
}

/// The remarks on the mail that gave the last move of the record, whose score table is `table`, in this language. None where it is the
/// player's own move, or the clocks cannot be computed.
pub fn remarks(game: &Game, table: &[Row], language: Language) -> Vec<String> {
    let Ok(ledger) = Ledger::of(game) else { return Vec::new() };
    let (Some(record), Some(time)) = (game.moves.last(), ledger.plies().last()) else { return Vec::new() };
    if time.number.side == game.me {
        return Vec::new();
    }
    let speech = Speech::of(language);
    let last = game.moves.len().saturating_sub(1);
    let nothing = Unread::default();
    let unread = table.iter().find(|row| row.number == time.number).map_or(&nothing, |row| &row.unread);
    let objections = objections(game, &ledger, last, unread);
    let is_unclear = |o: &Objection| matches!(o, Objection::WrongDay(..) | Objection::Unclear(_));
    let is_read = !objections.iter().any(is_unclear);
    let counted = illegal(speech, game, &ledger);
    let differ = untold(game, &ledger, table);
    let differ = differ.iter().filter(|difference| counted.is_none() || difference.number != time.number);
    let differ = differ.map(|difference| differs(speech, game, &ledger, difference));
    // of an illegal move its own remark says all
    let why = if counted.is_some() { String::new() } else { said_why(speech, game, &ledger, last, |_| true) };
    let of_last = [
        assumed(speech, game, time).filter(|_| is_read),
        corrected(speech, game, &ledger, &why),
        late(speech, record, &ledger),
        counted.clone(),
    ];
    let objections = objections.iter().filter_map(|objection| objected(speech, game, (time.number, &why), objection));
    let own = [own_illegal(speech, game, &ledger), no_total(speech, game, &ledger)];
    of_last.into_iter().flatten().chain(objections).chain(differ).chain(own.into_iter().flatten()).collect()
}

/// That days of the player's own are not on record, so that the reply has no total.
fn no_total(speech: Speech, game: &Game, ledger: &Ledger) -> Option<String> {
    ledger.is_partial(game.me).then(|| speech.say("no_total", &[]))
}

/// What his illegal move before the last of the record costs him (T80).
fn illegal(speech: Speech, game: &Game, ledger: &Ledger) -> Option<String> {
    let time = ledger.plies().last()?;
    let SentIllegal { sent, noticed, .. } = game.illegal_before(game.moves.len().checked_sub(1)?)?;
    let Basis::Counted(charge) = time.basis else { return None };
    let his = game.moves.last()?.claimed;
    let his = Stated { received: None, sent: None, ..his };
    // he counts it like this himself
    if his.days.is_some() && his.beyond(&recorded(time)).is_empty() {
        return None;
    }
    let name = if charge.penalty > 0 { "illegal_penalty" } else { "illegal" };
    let remark = speech.say(
        name,
        &[
            ("number", &time.number.number.to_string()),
            ("sent", &speech.day(*sent)),
            ("noticed", &speech.day(*noticed)),
            ("days", &speech.days(charge.days())),
            ("penalty", &charge.penalty.to_string()),
            ("total", &time.total.to_string()),
        ],
    );
    let why = said_why(speech, game, ledger, game.moves.len().checked_sub(1)?, is_of_no_illegal_move);
    Some(asking(speech, &(remark + &why)))
}

/// What an illegal move of the player's own adds to the days of the move that he is about to send.
fn own_illegal(speech: Speech, game: &Game, ledger: &Ledger) -> Option<String> {
    let SentIllegal { sent, noticed, .. } = game.illegal_before(game.moves.len())?;
    let penalty = ledger.rules().illegal.penalty_days;
    let name = if penalty > 0 { "own_illegal_penalty" } else { "own_illegal" };
    let with = [("sent", &*speech.day(*sent)), ("noticed", &speech.day(*noticed)), ("penalty", &speech.days(penalty))];
    Some(asking(speech, &speech.say(name, &with)))
}

/// Whether the receipt that he states for the last move of the record is that of the notice of an illegal one: of the move before he then
/// says nothing that has to be answered.
fn states_notice(game: &Game) -> bool {
    let Some(record) = game.moves.last() else { return false };
    let illegal = game.illegal_before(game.moves.len().saturating_sub(1));
    record.claimed.received.zip(illegal).is_some_and(|(received, illegal)| illegal.is_of_notice(received))
}

/// Missing dates are assumed, and the reply says so (ICCF guideline 2i); of a stamp in a file there was no mail that lacks them.
fn assumed(speech: Speech, game: &Game, time: &PlyTime) -> Option<String> {
    let observed = game.moves.last()?.observed;
    if observed.sent.is_some() && observed.arrived.is_none() {
        return None;
    }
    let is_first = game.moves.len() == 1;
    let received = time.received.filter(|d| d.source.is_assumed() && !is_first && !states_notice(game));
    let why = match received.map(|d| d.source) {
        Some(DateSource::EarlierThere | DateSource::LaterThere) => "there",
        Some(DateSource::Again) => "i_sent_again",
        _ => "i_sent",
    };
    let seen = |source| match source {
        DateSource::Header => Some("by_date"),
        DateSource::Arrival => Some("by_arrival"),
        _ => None,
    };
    let sent = time.sent.and_then(|d| Some((d.day, seen(d.source)?)));
    let name = match (received, sent) {
        (Some(_), Some(_)) => "no_dates",
        (Some(_), None) => "no_receipt",
        (None, Some(_)) => "no_sending",
        (None, None) => return None,
    };
    let received = received.map(|d| speech.day(d.day)).unwrap_or_default();
    let seen = sent.map(|(_, seen)| speech.say(seen, &[])).unwrap_or_default();
    let sent = sent.map(|(day, _)| speech.day(day)).unwrap_or_default();
    let why = speech.say(why, &[]);
    Some(speech.say(name, &[("received", &received), ("sent", &sent), ("seen", &seen), ("why", &why)]))
}

/// What the player has settled for the last move of the record, where a value is not what his mail states, or is another than would count
/// and his mail does not have it, and `why` the days are so many.
fn corrected(speech: Speech, game: &Game, ledger: &Ledger, why: &str) -> Option<String> {
    let (record, time) = (game.moves.last()?, ledger.plies().last()?);
    if record.agreed == Agreed::default() {
        return None;
    }
    let (his, counted) = (record.claimed, recorded(time));
    let mut unsettled = game.clone();
    unsettled.moves.last_mut()?.agreed = Agreed::default();
    let plain = Ledger::of(&unsettled).ok()?.plies().last().map(recorded)?;
    let untold = counted.beyond(&plain).beyond(&his);
    if his.beyond(&counted).is_empty() && untold.is_empty() {
        return None;
    }
    let (number, numeric) = (time.number.to_string(), record.numeric.to_string());
    let (shown, ours) = (speech.stated(&his), speech.stated(&counted));
    let name = if his.is_empty() { "settled" } else { "corrected" };
    let counts = speech.say(name, &[("number", &number), ("move", &numeric), ("ours", &ours), ("his", &shown)]);
    let before = ledger.plies().iter().rev().skip(1).find(|other| other.number.side == time.number.side);
    let follows = before.map_or(0, |before| before.total) + time.days.unwrap_or_default() == time.total;
    let is_his = his.total == counted.total;
    let total =
        record.agreed.total.filter(|_| !follows && !is_his).map(|_| format!(" {}", speech.say("corrected_total", &[])));
    Some(format!("{counts}{why}{}", total.unwrap_or_default()))
}

/// What is to be said of what he states; `None` where nothing was assumed for it.
fn objected(speech: Speech, game: &Game, (number, why): (MoveNumber, &str), objection: &Objection) -> Option<String> {
    let day = |day: &NaiveDate| speech.day(*day);
    let whose = whose(speech, game, number);
    let why = |counted: &Stated| counted.days.map_or("", |_| why);
    let remark = match objection {
        Objection::WrongDay(_, counted) | Objection::Unclear(counted) if counted.is_empty() => return None,
        Objection::WrongDay(fault, counted) => {
            let written = match &fault.kind {
                FaultKind::NoSuchDay(date) => date.to_string(),
                FaultKind::OtherWeekday(date, _) | FaultKind::NotSoLongAgo(date) | FaultKind::FarFromMail(date, _) => {
                    day(date)
                }
            };
            let with = [
                ("written", &*written),
                ("line", &fault.line.to_string()),
                ("whose", &whose),
                ("ours", &speech.stated(counted)),
            ];
            speech.say("wrong_day", &with) + why(counted)
        }
        Objection::Unclear(counted) => {
            let with = [("whose", &*whose), ("ours", &speech.stated(counted))];
            speech.say("unclear", &with) + why(counted)
        }
        Objection::Stamp { stated, dated } => {
            return Some(speech.say("stamp", &[("stated", &day(stated)), ("dated", &day(dated))]));
        }
        Objection::Early { mine, his } => speech.say("early", &[("mine", &day(mine)), ("his", &day(his))]),
        Objection::Transit { mine, his, latest, lost } => {
            let (mine, his) = (day(mine), day(his));
            let transit = match latest {
                Some(latest) => speech.say("transit", &[("mine", &mine), ("his", &his), ("latest", &day(latest))]),
                None => speech.say("long_transit", &[("mine", &mine), ("his", &his)]),
            };
            let lost = lost.map(|lost| format!(" {}", again::to_opponent(speech, lost)));
            transit + &lost.unwrap_or_default()
        }
        Objection::Reversed(wrong) => {
            let with = [("whose", &*whose), ("received", &day(&wrong.received)), ("sent", &day(&wrong.sent))];
            return Some(speech.say("reversed", &with));
        }
        Objection::Numbers(written, counted) => {
            let with = [("written", &**written), ("whose", &whose), ("ours", &speech.stated(counted))];
            speech.say("numbers", &with) + why(counted)
        }
    };
    Some(asking(speech, &remark))
}

/// What the player can do where his mail was booked later than the rules allow (T12): the day to settle, and words for the director.
pub fn transit_help(game: &Game, language: Language) -> Option<String> {
    let ledger = Ledger::of(game).ok()?;
    let last = game.moves.len().checked_sub(1)?;
    let first = game.first_number();
    let (mine_number, number) = (first.plus(last.checked_sub(1)?), first.plus(last));
    let found = objections(game, &ledger, last, &Unread::default());
    let (mine, his, latest, lost) = found.into_iter().find_map(|objection| match objection {
        Objection::Transit { mine, his, latest, lost } => Some((mine, his, latest?, lost)),
        _ => None,
    })?;
    let lost = lost.map(|lost| format!(" {}", again::to_director(lost))).unwrap_or_default();
    Some(
        format!(
            "{}\n    amici clock set {} {} --received {latest} --why \"more than one day of transit\"\n{}\n{}",
            say!(language, "To settle it as the rules have it:"),
            game.id,
            number,
            say!(language, "Words for the director, if you do not agree on it:"),
            fill(
                &format!(
                    "My opponent books my mail with my move {} of {} as received on {}. By the rules {} is the latest day.{lost} I ask you to decide which day counts.",
                    mine_number.number,
                    day(mine),
                    day(his),
                    day(latest)
                ),
                "    ",
                "    "
            )
        ) + "\n",
    )
}

/// What is doubtful about the day of the last mail by what our server saw, which day counts, and what settles another (T10). Nothing once
/// that is settled.
pub fn day_doubts(game: &Game, language: Language) -> Option<String> {
    let ledger = Ledger::of(game).ok()?;
    let (record, time) = (game.moves.last()?, ledger.plies().last()?);
    let kind = ledger.day_in_doubt(game, time.number)?;
    let doubtful = say!(language, "Its day is doubtful: {doubt}.", doubt = kind.in_words(language));
    let arrived =
        record.observed.arrived.map(|on| say!(language, "Our server took it on {day}.", day = language.day(on)));
    let sent = time.sent.map(|sent| language.day(sent.day));
    let counts = match (sent, ledger.waiting_since().map(|since| language.day(since.day))) {
        (Some(day), None) => say!(language, "His move counts as sent on {day}.", day),
        (Some(day), Some(since)) => {
            say!(language, "His move counts as sent on {day}; you think since {since}.", day, since)
        }
        (None, None) => say!(language, "His move counts without a day of sending."),
        (None, Some(since)) => {
            say!(language, "His move counts without a day of sending; you think since {since}.", since)
        }
    };
    let settle = say!(language, "If it was sent on another day:");
    let text: Vec<String> = [Some(doubtful), arrived, Some(counts), Some(settle)].into_iter().flatten().collect();
    Some(format!("{}\n    {}\n", fill(&text.join(" "), "", ""), settles_day(game, time.number, kind)))
}

/// The command that settles another day of sending than a doubtful one.
pub fn settles_day(game: &Game, number: MoveNumber, kind: DoubtKind) -> String {
    let day = match kind {
        DoubtKind::LateArrival { arrived, .. } => arrived.to_string(),
        _ => "DATE".to_owned(),
    };
    format!("amici clock set {} {number} --sent {day} --why \"when his server sent it\"", game.id)
}

/// His mail was under way longer than the rules know, by its own Date (T10).
fn late(speech: Speech, record: &MoveRecord, ledger: &Ledger) -> Option<String> {
    // what counts by the player's word does not by the rules
    if record.agreed.sent.is_some() {
        return None;
    }
    let time = ledger.plies().last()?;
    let sent = time.sent?;
    let mut doubts = ledger.doubts().iter().filter(|doubt| doubt.number == Some(time.number));
    let (dated, arrived, counted) = doubts.find_map(|doubt| match doubt.kind {
        DoubtKind::LateArrival { sent, arrived, propose } => Some((sent, arrived, propose)),
        _ => None,
    })?;
    let days = [dated, arrived, sent.day, counted].map(|day| speech.day(day));
    let [dated, arrived, sent, counted] = &days;
    let with = [("dated", &**dated), ("arrived", arrived), ("sent", sent), ("counted", counted)];
    Some(asking(speech, &speech.say("late", &with)))
}

/// What the player can do where an illegal mail came before the ply `index`, counted from 0, and is not counted (T80).
pub fn illegal_help(game: &Game, index: usize, language: Language) -> Option<String> {
    let rules = game.ruleset().ok()?;
    let is_open = game.illegal_plies().any(|ply| ply == index + 1) && game.illegal_before(index).is_none();
    let number = is_open.then(|| game.number_of(index))?;
    let sent = match number.side == game.me {
        true => say!(language, "You sent an illegal move before {number}; nothing is counted for it.", number),
        false => say!(language, "He sent an illegal move before {number}; nothing is counted for it.", number),
    };
    let penalty = match rules.illegal.penalty_days {
        0 => say!(language, "no day"),
        penalty => language.days(penalty),
    };
    let text = say!(
        language,
        "The rules of this game give {penalty} of penalty. To have it counted by them, say on which day its sender learned of it:",
        penalty
    );
    let text = format!("{sent} {text}");
    let command = format!("    amici clock illegal {} {number} --noticed DATE --why \"illegal move\"", game.id);
    Some(format!("{}\n{command}\n", fill(&text, "", "")))
}

/// The remark with the request to say if he sees it otherwise.
fn asking(speech: Speech, remark: &str) -> String {
    format!("{remark} {}", speech.say("please", &[]))
}

fn differs(speech: Speech, game: &Game, ledger: &Ledger, difference: &Difference) -> String {
    let Difference { number, his, ours, record } = difference;
    let index = game.first_number().plies_to(*number).filter(|_| his.days.or(his.total).is_some());
    let why = index.map(|index| said_why(speech, game, ledger, index, |_| true)).unwrap_or_default();
    let whose = whose(speech, game, *number);
    let no_date = his.received.is_none() && his.sent.is_none();
    let remark = match (his.days, record.days) {
        (Some(shown), Some(counted)) if no_date => {
            let total =
                |total: Option<u32>| total.map(|total| format!(" ({})", speech.total(total))).unwrap_or_default();
            let (shown, counted) = (speech.days(shown) + &total(his.total), counted.to_string() + &total(ours.total));
            let dates = speech.stated(&Stated { days: None, total: None, ..*record });
            speech.say("differ_days", &[("his", &shown), ("whose", &whose), ("ours", &counted), ("dates", &dates)])
        }
        _ => {
            let (his, ours) = (speech.stated(his), speech.stated(ours));
            speech.say("differ", &[("whose", &whose), ("his", &his), ("ours", &ours)])
        }
    };
    asking(speech, &(remark + &why))
}

/// `my move 3`, without the dots of Black's side: the number alone is no move.
fn whose(speech: Speech, game: &Game, number: MoveNumber) -> String {
    let name = if number.side == game.me { "mine" } else { "yours" };
    speech.say(name, &[("number", &number.number.to_string())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;
    use crate::domain::game::Side;

    fn date(text: &str) -> Option<NaiveDate> {
        Some(text.parse().unwrap())
    }

    fn row(number: u32, side: Side, stated: Stated) -> Row {
        Row::read(MoveNumber { number, side }, stated)
    }

    #[test]
    fn a_mail_that_says_what_the_record_has_calls_for_no_remark() {
        let game = sample_game();
        let ledger = Ledger::of(&game).unwrap();
        let table: Vec<Row> = ledger.plies().iter().map(|p| Row::read(p.number, recorded(p))).collect();
        assert_eq!(remarks(&game, &table, Language::English), Vec::<String>::new());
        assert_eq!(remarks(&game, &[], Language::English), Vec::<String>::new());
    }

    #[test]
    fn what_the_player_settled_is_said_and_no_more_asked() {
        let mut game = sample_game();
        game.moves[12].claimed.sent = date("2004-10-29");
        game.moves[12].observed.sent = date("2004-10-30");
        game.moves[12].agreed.sent = date("2004-10-30");
        let said = remarks(&game, &[], Language::English);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].starts_with("For your move 7. 5171 I count received 26 October 2004, sent 30 October 2004, 4 days"),
            "{said:?}"
        );
        let table = [row(7, Side::White, Stated { days: Some(3), ..Stated::default() })];
        assert_eq!(remarks(&game, &table, Language::English).len(), 1, "a settled row is no difference any more");
    }

    #[test]
    fn where_days_of_the_players_own_are_not_on_record_the_reply_says_that_it_has_no_total() {
        let mut game = sample_game();
        let says = |game: &Game| remarks(game, &[], Language::English).iter().any(|said| said.contains("no total"));
        assert!(!says(&game));
        game.moves[11].claimed = Stated::default();
        game.moves[9].claimed = Stated::default();
        assert!(says(&game));
        game.moves[11].agreed.total = Some(30);
        assert!(!says(&game), "it is settled");
    }

    #[test]
    fn t71_a_settled_penalty_and_a_settled_total_are_named_as_such() {
        let mut game = sample_game();
        game.moves[12].claimed = Stated { days: Some(4), total: Some(32), ..Stated::default() };
        game.moves[12].agreed = Agreed { penalty: Some(5), ..Agreed::default() };
        let said = remarks(&game, &[], Language::English).join(" ");
        assert!(said.contains(" 9 days, ") && said.contains("total 32. 5 of these days are a penalty."), "{said}");
        game.moves[12].agreed = Agreed { total: Some(0), ..Agreed::default() };
        let said = remarks(&game, &[], Language::German).join(" ");
        assert!(said.contains("Diese Summe habe ich festgelegt; sie folgt nicht aus den Tagen."), "{said}");
    }

    #[test]
    fn what_the_player_settled_is_said_of_a_mail_too_that_states_nothing_of_it() {
        let mut game = sample_game();
        game.moves[12].claimed = Stated { sent: date("2004-10-30"), ..Stated::default() };
        let said = |game: &Game| remarks(game, &[], Language::English).join(" ");
        game.moves[12].agreed = Agreed { penalty: Some(5), ..Agreed::default() };
        assert!(
            said(&game).contains("I count received 26 October 2004, sent 30 October 2004, 9 days"),
            "{}",
            said(&game)
        );
        assert!(said(&game).contains("5 of these days are a penalty."), "{}", said(&game));
        game.moves[12].claimed = Stated::default();
        game.moves[12].agreed = Agreed { total: Some(20), ..Agreed::default() };
        game.moves[12].observed.sent = date("2004-10-30");
        assert!(said(&game).contains("total 20. I have set this total; it does not follow"), "{}", said(&game));
        // as the record has it without being settled
        let follows = Ledger::of(&sample_game()).unwrap().plies()[12].total;
        game.moves[12].agreed = Agreed { total: Some(follows), ..Agreed::default() };
        assert!(!said(&game).contains("I count"), "{}", said(&game));
        game.moves[12].claimed = Stated { total: Some(follows + 1), ..Stated::default() };
        assert!(
            said(&game).contains("your mail had total 13.") && !said(&game).contains("does not follow"),
            "{}",
            said(&game)
        );
    }

    #[test]
    fn what_he_has_like_this_himself_is_not_told_to_him() {
        let said = |game: &Game, table: &[Row]| remarks(game, table, Language::English);
        let mut game = sample_game();
        // the record alone would count 12
        game.moves[12].claimed = Stated { sent: date("2004-10-30"), total: Some(98), ..Stated::default() };
        game.moves[12].agreed.total = Some(98);
        assert!(!said(&game, &[]).join(" ").contains("98"), "{:?}", said(&game, &[]));
        game.moves[12].agreed.penalty = Some(5);
        let told = said(&game, &[]).join(" ");
        assert!(told.contains(" 9 days, total 98") && !told.contains("I have set this total"), "{told}");
        game.moves[12].claimed.days = Some(9);
        assert!(!said(&game, &[]).join(" ").contains("98"), "{:?}", said(&game, &[]));
        // numbers that were not read as days say what is counted
        let mut game = sample_game();
        let table = |numbers: &str| {
            let unread = Unread { numbers: Some(numbers.to_owned()), ..Unread::default() };
            [Row { unread, ..row(7, Side::White, Stated::default()) }]
        };
        game.moves[12].claimed = Stated { days: None, total: None, ..game.moves[12].claimed };
        assert_eq!(said(&game, &table("4 12")), Vec::<String>::new());
        assert_eq!(said(&game, &table("4")), Vec::<String>::new());
        assert_eq!(said(&game, &table("12 4")).len(), 1);
        // an illegal move, with its days as he counts them himself
        let day = |text: &str| date(text).unwrap();
        game.illegal = vec![SentIllegal { ply: 13, sent: day("2004-10-27"), noticed: day("2004-10-29") }];
        assert!(said(&game, &[]).join(" ").contains("you sent an illegal move"), "{:?}", said(&game, &[]));
        let counted = recorded(Ledger::of(&game).unwrap().plies().last().unwrap());
        game.moves[12].claimed.days = counted.days;
        assert_eq!(said(&game, &[]), Vec::<String>::new());
        game.moves[12].claimed.total = counted.total.map(|total| total + 1);
        assert!(said(&game, &[]).join(" ").contains("you sent an illegal move"), "{:?}", said(&game, &[]));
    }

    #[test]
    fn of_his_table_the_row_of_my_last_move_is_told_though_i_settled_it() {
        let mut game = sample_game();
        let table = [row(6, Side::Black, Stated { total: Some(40), ..Stated::default() })];
        let asked = remarks(&game, &table, Language::English);
        let ledger = Ledger::of(&game).unwrap();
        game.moves[11].agreed = Agreed { total: Some(ledger.plies()[11].total), ..Agreed::default() };
        assert_eq!(remarks(&game, &table, Language::English), asked);
        assert!(asked[0].starts_with("For my move 6 you show total 40; my record shows total"), "{asked:?}");
        let earlier = [row(5, Side::Black, Stated { total: Some(40), ..Stated::default() })];
        game.moves[9].agreed = Agreed { total: Some(ledger.plies()[9].total), ..Agreed::default() };
        assert_eq!(remarks(&game, &earlier, Language::English), Vec::<String>::new());
    }

    #[test]
    fn a_day_that_counts_by_the_players_word_is_not_said_to_be_by_the_rules() {
        let mut game = sample_game();
        game.moves[12].claimed = Stated::default();
        game.moves[12].observed.sent = date("2004-10-27");
        game.moves[12].observed.arrived = date("2004-11-02");
        let says = |game: &Game| {
            remarks(game, &[], Language::English).iter().any(|said| said.contains("as the rules have it"))
        };
        assert!(says(&game));
        game.moves[12].agreed.sent = date("2004-10-28");
        assert!(!says(&game));
    }

    #[test]
    fn many_remarks_are_cut_with_their_number() {
        let said = paragraph(&vec!["You show 12 days.".to_owned(); 11], Language::English);
        assert!(said.ends_with("- The same holds elsewhere (3).\n"), "{said}");
        assert_eq!(paragraph(&[], Language::German), "");
    }
}
