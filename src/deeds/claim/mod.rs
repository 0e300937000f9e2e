//! A claim to the director, drafted with a copy to the opponent. Nothing is claimed by itself.
//!
//! What can be claimed is computed from the record; where there is nothing, the figures say why.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use shakmaty::Position;

use super::by_position::{fifty_moves, repetition};
use super::missed::may_have_missed;
use super::play::chosen as chosen_move;
use super::unheard::{answers, unheard};
use super::{Around, OneLetter, Proposal, Refusal, running};
use crate::choice::announce::too_late;
use crate::choice::{self, Choice};
use crate::domain::clock::again::{Lost, Sign};
use crate::domain::clock::days::{Moment, in_words};
use crate::domain::clock::hidden::Hidden;
use crate::domain::clock::late;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::over::Awaited;
use crate::domain::clock::silence::Silence;
use crate::domain::clock::still::StandingStill;
use crate::domain::game::{Game, Plan};
use crate::io::store::{Store, StoredGame};
use crate::languages::Language;
use crate::letters::{self, Claim, ClaimKind, ClaimNews, Claimed, Errand, Overstep, Proof, Tells, Whom};

mod heard;
pub mod sent;

use heard::{Heard, mails};

/// So lately the mailbox has to be read where his time may not be over yet.
const A_DAY: TimeDelta = TimeDelta::hours(24);
/// The most men for which there are tablebases.
const TABLEBASE_MEN: usize = 7;

/// What the player wants to claim.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wish<'a> {
    /// The kind; `None` is whatever can be claimed.
    pub kind: Option<ClaimKind>,
    /// Of a claim by the tablebases: that they give a win, not a draw.
    pub win: bool,
    /// With a draw by the position: the move of the player's that brings it about and that he has not sent.
    pub with: Option<&'a str>,
}

/// A claim that can be drafted.
#[derive(Debug)]
pub struct Drafted {
    /// What it drafts and keeps.
    pub proposal: Proposal,
    /// It says that the opponent did not answer: his mails since this day have to be looked for in the mailbox.
    pub looked_for_since: Option<NaiveDate>,
}

/// The claim that the record bears out, with its letter and everything that speaks against it.
///
/// # Errors
/// There is nothing to claim, or more than one thing.
pub async fn propose(
    around: Around<'_>,
    store: &mut Store,
    thread: &StoredGame,
    wish: Wish<'_>,
) -> Result<Drafted, Refusal> {
    let mut thread = thread.clone();
    running(&thread.game)?;
    let (me, now) = (around.me(), around.moment(store).await?);
    let heard = Heard::of(store, &thread).await?;
    thread.game.clone_from(&heard.game);
    if let Some(text) = wish.with {
        thread.game.plan = Some(stated(around, store, &thread, text, now).await?);
    }
    let game = &thread.game;
    let ledger = around.ledger(game)?;
    let mut claim = chosen(game, &ledger, wish, now)?;
    if let Claim::Time(over) = &mut claim {
        heard.hold(over, me, &ledger, now)?;
    }
    let mut hints = claim.doubts(game, &ledger, now);
    if matches!(claim, Claim::Time(_)) {
        let own = ledger.oversteps().iter().filter(|over| over.number.side == game.me);
        hints.extend(
            own.map(|over| format!("your own time was overstepped too: {}", late::in_words(game, &ledger, over))),
        );
    }
    let answered = match &claim {
        Claim::Time(over) => game.first_number().plies_to(over.number).unwrap_or(game.moves.len()),
        _ => game.moves.len(),
    };
    let answers = answers(store, around.config, game, around.now).await?;
    let lost = answers.as_ref().and_then(|answers| answers.lost(game, around.now, me.timezone));
    let lost = match lost.filter(|_| answered == game.moves.len()) {
        None => Lost::of(game, answered),
        open => open,
    };
    let proof = Proof {
        mails: mails(store, &thread).await?,
        settled: store.settlements(&game.id).await?,
        otherwise: heard.otherwise(&ledger),
    };
    let text = letters::claim_text(game, &claim, lost, &proof, me, now)?;
    let address = me.styles.director_of(&game.event);
    if address.is_none() {
        hints.push(letters::no_director(game, Language::English));
    }
    let to = Whom::Director { address, copy_to_opponent: true };
    let said = format!(
        "{}\nOnce you have sent it, and where your Sent folder is not read, say so:  amici claim {} --sent\n",
        claim.statement(),
        game.id
    );
    let mut doubts = Vec::new();
    if let Claim::Time(over) = &claim {
        doubts.extend(too_early(&ledger, over, around.now));
        doubts.extend(over.booked.map(|booked| late::reserve(booked, Language::English)));
        let several = over.certain == Some(0) && over.booked.is_none() && doubts.is_empty();
        doubts.extend(several.then(|| late::SEVERAL.to_owned()));
        doubts.extend(letters::claim_lacks(game, &ledger, over));
        if over.was_sent {
            doubts.extend(may_have_missed(store, around, (game, &ledger), answered).await?);
        }
    }
    let mut looked_for_since = None;
    if let Some(since) = awaited_since(game, &ledger, &claim, around.now) {
        doubts.extend(unheard(answers.as_ref(), around.config, game, since, |_| true)?);
        looked_for_since = ledger.waiting_since().map(|waits| waits.day);
    }
    if matches!(claim, Claim::Silence { .. }) {
        doubts.extend(too_late(game, &ledger, None).map(|why| format!("he announced that he needs longer: {why}")));
        let leave = StandingStill::of(&game.leaves, game.to_move());
        let runs = leave.spans().iter().find(|(from, to)| (*from..=*to).contains(&now.day));
        doubts.extend(runs.map(|(from, to)| format!("he is on leave by the record, from {from} to {to}")));
    }
    if matches!(claim, Claim::Tablebase { .. }) {
        doubts.extend(claim.doubts(game, &ledger, now));
    }
    if let Some(Claimed::Sent(day)) = Claimed::of(claim.kind(), &game.id, &store.claims().await?, me.timezone) {
        doubts.push(format!("such a claim was sent on {day} already"));
    }
    let (news, journal) = (ClaimNews::Drafted(claim.kind()).to_string(), claim.drafted());
    let events = store.events(&game.id).await?;
    if let Some(before) = events.iter().rev().find(|event| event.kind == news && event.text == journal) {
        let day = before.at.with_timezone(&me.timezone).date_naive();
        doubts.push(format!("the same claim was drafted on {day} already"));
    }
    let label = Tells::Claim { kind: claim.kind(), ply: game.due_ply() }.label();
    let errand = Errand { label: &label, what: crate::sentence!("a claim"), body: &text, to, hints: &hints };
    let journal = (news.as_str(), journal);
    let one = OneLetter { thread: &thread, errand, said, doubts, note: None, journal };
    Ok(Drafted { proposal: one.proposed(around)?, looked_for_since })
}

/// The move that the player states with a claim, as one that he has chosen and not sent.
async fn stated(
    around: Around<'_>,
    store: &mut Store,
    thread: &StoredGame,
    text: &str,
    now: Moment,
) -> Result<Plan, Refusal> {
    let ledger = around.ledger(&thread.game)?;
    let wish = choice::Wish { text, ..choice::Wish::default() };
    let Choice { before, numeric, .. } = chosen_move(store, &wish, thread, &ledger, now).await?;
    Ok(Plan { before, ..Plan::bare(numeric) })
}

/// The claim that is meant, if the record bears it out.
fn chosen(game: &Game, ledger: &Ledger, wish: Wish<'_>, now: Moment) -> Result<Claim, Refusal> {
    let nothing = |why: String| Refusal::NotDone(format!("there is nothing to claim in game {}: {why}", game.id));
    if let Some(kind) = wish.kind {
        let claim = match kind {
            ClaimKind::Time => {
                return time(game, ledger, now).map_err(|why| unsettled(game, ledger).unwrap_or_else(|| nothing(why)));
            }
            ClaimKind::Silence => silence(game, ledger, now.day),
            ClaimKind::Repetition => repetition(game),
            ClaimKind::FiftyMoves => fifty_moves(game),
            ClaimKind::Tablebase => tablebase(game, wish.win),
        };
        return claim.map_err(nothing);
    }
    let all = [
        ("--time", time(game, ledger, now)),
        ("--silence", silence(game, ledger, now.day)),
        ("--repetition", repetition(game)),
        ("--fifty-moves", fifty_moves(game)),
    ];
    let mut possible: Vec<(&str, Claim)> = Vec::new();
    let mut why = Vec::new();
    for (option, claim) in all {
        match claim {
            Ok(claim) => possible.push((option, claim)),
            // both draws by the position are his to claim who is on the move
            Err(figures) if why.contains(&figures) => {}
            Err(figures) => why.push(figures),
        }
    }
    let options: Vec<&str> = possible.iter().map(|(option, _)| *option).collect();
    let several = format!("more than one thing can be claimed; say which: {}", options.join(", "));
    match possible.len() {
        0 => Err(unsettled(game, ledger).unwrap_or_else(|| nothing(format!("\n  {}", why.join("\n  "))))),
        1 => possible.pop().map(|(_, claim)| claim).ok_or_else(|| Refusal::not_done("nothing can be claimed")),
        _ => Err(Refusal::SecondWord(several)),
    }
}

fn time(game: &Game, ledger: &Ledger, now: Moment) -> Result<Claim, String> {
    let his = game.me.other();
    match letters::overstep(game, ledger, his, now) {
        Some(over) => Ok(Claim::Time(over)),
        None if !ledger.is_his_turn() && ledger.plies().last().is_some_and(|last| ledger.is_saved(last.number)) => {
            let over = ledger.oversteps().last().map(|over| late::in_words(game, ledger, over));
            Err(over.unwrap_or_default())
        }
        None => {
            let clocks = letters::clock_lines(game, ledger, Some(now), Awaited::NOTHING, Language::English);
            let his = clocks.lines().find(|line| line.starts_with(his.name())).unwrap_or_default().to_owned();
            let place = letters::below_clocks(game, ledger, Some(now));
            Err(format!("his time is not overstepped ({his}) {place}").trim_end().to_owned())
        }
    }
}

/// His last move was late if other days count than those on record: they are settled before it is claimed, and the claim shows them.
fn unsettled(game: &Game, ledger: &Ledger) -> Option<Refusal> {
    let hidden = Hidden::of(game, ledger)?;
    let text = format!(
        "his time is perhaps overstepped: {hidden}\nhelp: settle it first, and claim before you answer:\n{}",
        hidden.settling(game)
    );
    Some(Refusal::SecondWord(text.trim_end().to_owned()))
}

/// Where he has not moved yet, and he may still be in time: why, and from when on he is not.
fn too_early(ledger: &Ledger, over: &Overstep, now: DateTime<Utc>) -> Option<String> {
    let from = ledger.certainly_over_from().filter(|from| !over.was_sent && now < *from)?;
    let there = ledger.at_the_latest(now);
    let left = ledger.clock(over.number.side, Some(over.number.side), there).days_left;
    let day = there.day.format("%a %d %b %Y");
    let missed = ledger.lost().filter(|lost| lost.sign == Sign::Missed);
    let why = match ledger.booked_by_him().filter(|_| left.is_some_and(|left| left < 0)) {
        Some(_) if let Some(missed) = missed => format!("{missed}, and counted from then"),
        Some((_, booked)) => {
            let booked = booked.format("%a %d %b %Y");
            format!("by the rules of this game he may book your mail as received on {booked}: counted from then")
        }
        None if ledger.his_offset().is_none() => {
            format!("no mail tells where he lives: somewhere on earth it is still {day}, and there")
        }
        None if ledger.is_by_dates() => {
            format!(
                "by his last mail's offset {day} ended there less than an hour ago: if his clocks were set back since,"
            )
        }
        None => "the hour at which he received your move is not known: counted from the end of that day,".to_owned(),
    };
    Some(format!("{why} his time is not overstepped yet (it is certain from {} on)", from.format("%a %d %b %Y %H:%M")))
}

/// From when on no answer of his may have come, for a claim that says so: the end of his time, or of the silence that the rules allow; where
/// that may not be over yet, the last 24 hours.
fn awaited_since(game: &Game, ledger: &Ledger, claim: &Claim, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let since = match claim {
        Claim::Time(over) if over.was_sent => return None,
        Claim::Time(_) => ledger.certainly_over_from(),
        Claim::Silence { .. } => ledger.begins(Silence::of(game, ledger)?.too_long_from()?),
        Claim::Repetition { .. } | Claim::FiftyMoves { .. } | Claim::Tablebase { .. } => return None,
    };
    Some(since.map(|since| since.to_utc()).filter(|since| *since <= now).unwrap_or(now - A_DAY))
}

/// He may be silent for so many days; announced in time, for longer (T40, T42).
fn silence(game: &Game, ledger: &Ledger, today: NaiveDate) -> Result<Claim, String> {
    let rules = ledger.rules();
    let Some(limit) = rules.silence.days else {
        return Err("the rules of this game set no limit to silence".to_owned());
    };
    if game.is_my_turn() {
        return Err("he is not silent, the next move is yours".to_owned());
    }
    let Some(silence) = Silence::of(game, ledger) else {
        return Err("the day on which you sent your last move is not on record".to_owned());
    };
    let since = silence.since();
    let days = u32::try_from(silence.days(today)).unwrap_or(0);
    if days <= limit {
        return Err(format!("he has been silent for {} since {since}, and {limit} are allowed", in_words(days)));
    }
    if let Some(from) = silence.too_long_from().filter(|from| *from > today) {
        let until = silence.prolonged().map(|until| format!(", but announced that he needs until {until}"));
        let leave = silence.is_leave(today).then(|| format!("; his leave runs, and it is too long from {from} on"));
        return Err(format!(
            "he has been silent for {}{}{}",
            in_words(days),
            until.unwrap_or_default(),
            leave.unwrap_or_default()
        ));
    }
    let sent = ledger.plies().last().map(|last| last.sent.map_or(since, |sent| sent.day));
    let again = ledger.lost().is_some_and(|lost| lost.again == Some(since)) && sent != Some(since);
    let (told, leave, announced) = (silence.told(), silence.leave(today), silence.announcements());
    let effect = rules.silence.effect;
    Ok(Claim::Silence { sent, since, again, told, days, limit, effect, leave, announced })
}

fn tablebase(game: &Game, win: bool) -> Result<Claim, String> {
    let men = game.replay().map_err(|e| e.to_string())?.position().board().occupied().count();
    if men > TABLEBASE_MEN {
        return Err(format!("{men} men are on the board, and the tablebases know {TABLEBASE_MEN}"));
    }
    if !game.is_my_turn() {
        return Err("only the player on the move can claim by the tablebases, and it is his turn".to_owned());
    }
    Ok(Claim::Tablebase { win, men })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::tests::sample_game;

    /// White, the opponent, thinks since 26 October and has ten days; his last mail has this Date, and the mail that he answers another.
    fn claimed_under(
        receipt: &str,
        (his_date, my_date): (Option<&str>, Option<&str>),
        now: &str,
    ) -> Result<Option<String>, String> {
        let mut game = sample_game();
        game.rules = serde_json::from_str(&format!(
            r#"{{"base": "iccf-email-2000", "receipt": {receipt}, "control": {{"kind": "cumulative", "moves": 10, "days": 18}}}}"#
        ))
        .unwrap();
        game.moves.pop();
        for (index, date) in [(10, his_date), (11, my_date)] {
            let date: Option<DateTime<chrono::FixedOffset>> = date.map(|text| text.parse().unwrap());
            let observed = &mut game.moves[index].observed;
            (observed.sent_at, observed.sent) = (date, date.map(|at| at.date_naive()));
        }
        let (ledger, now) = (Ledger::of(&game).unwrap(), now.parse::<DateTime<Utc>>().unwrap());
        let moment = Moment::of(now.with_timezone(&chrono_tz::Europe::Berlin).fixed_offset());
        match time(&game, &ledger, moment)? {
            Claim::Time(over) => Ok(too_early(&ledger, &over, now)),
            other => Err(other.statement()),
        }
    }

    fn claimed(his_date: Option<&str>, now: &str) -> Result<Option<String>, String> {
        claimed_under(r#"{"mode": "exact"}"#, (his_date, None), now)
    }

    #[test]
    fn a_time_is_asked_about_while_he_may_still_book_my_mail_on_the_next_day() {
        let here = Some("2004-10-23T18:00:00+02:00");
        let asked = |receipt: &str, mine: &str, now: &str| claimed_under(receipt, (here, Some(mine)), now).unwrap();
        let (morning, evening) = ("2004-10-26T09:00:00+02:00", "2004-10-26T21:00:00+02:00");
        let (next_day, exact) = (r#"{"mode": "next_day_optional"}"#, r#"{"mode": "exact"}"#);
        let at_eight = r#"{"mode": "after_hour_optional", "hour": 20, "inclusive": true}"#;
        for (receipt, mine, is_early) in
            [(next_day, morning, true), (at_eight, morning, false), (at_eight, evening, true), (exact, evening, false)]
        {
            let early = asked(receipt, mine, "2004-11-06T12:00:00Z");
            assert_eq!(early.is_some(), is_early, "{receipt} {mine}");
            assert!(early.is_none_or(|why| why.contains("book your mail as received on Wed 27 Oct 2004")));
            assert_eq!(asked(receipt, mine, "2004-11-07T12:00:00Z"), None, "{receipt} {mine}");
        }
        let unknown = claimed_under(at_eight, (here, None), "2004-11-06T12:00:00Z").unwrap();
        assert!(unknown.is_some(), "the hour of my mail is not known");
    }

    #[test]
    fn a_time_is_not_claimed_before_the_day_is_over_at_his_place() {
        // 5 November is his last day
        let west = Some("2004-10-23T18:00:00-05:00");
        let early = claimed(west, "2004-11-06T04:59:00Z").unwrap_err();
        assert!(early.contains("UTC-05:00 by his last mail: Fri 05 Nov 2004 there"), "{early}");
        // his clocks were set back on 31 October, and his last mail is older
        let within_the_hour = claimed(west, "2004-11-06T05:59:00Z").unwrap().unwrap();
        assert!(within_the_hour.contains("Fri 05 Nov 2004 ended there less than an hour ago"), "{within_the_hour}");
        assert_eq!(claimed(west, "2004-11-06T06:00:00Z"), Ok(None));
        assert_eq!(claimed(Some("2004-10-23T18:00:00+12:00"), "2004-11-05T13:00:00Z"), Ok(None));
    }

    #[test]
    fn where_his_place_is_not_known_a_claim_is_asked_about_until_the_day_is_over_everywhere() {
        let asked = claimed(None, "2004-11-06T11:59:00Z").unwrap().unwrap();
        assert!(asked.contains("somewhere on earth it is still Fri 05 Nov 2004"), "{asked}");
        assert_eq!(claimed(None, "2004-11-06T12:00:00Z"), Ok(None));
    }
}
