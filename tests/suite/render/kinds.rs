//! The kinds of mail, each made at a random moment of a game.

use amici::domain::clock::again::{Lost, Sign};
use amici::domain::clock::events::Severity;
use amici::domain::clock::ledger::Ledger;
use amici::domain::game::{ClockNote, ClockNoteKind, Game, GameResult, Leave, Plan, Stated};
use amici::domain::judge::{Accepted, Reason, Repeated, Verdict};
use amici::domain::notation::NumericMove;
use amici::domain::summary::Summary;
use amici::io::store::{Arrival, ArrivalState, Held, NotRead};
use amici::letters::{
    self, AnswerKey, Claim, Ending, Errand, Incoming, Letter, LetterError, Listed, Mailed, News, Question, Remark,
    Reply, ReturnedMail, SentCopy, SentNews, Whom,
};
use amici::phrase;
use chrono::{DateTime, Days, Utc};
use shakmaty::{Chess, Position};

use super::{ME, Mail, Recipients, Scene};
use crate::club::Dice;

/// Makes a mail of one kind.
type Kind = fn(&Scene, &mut Dice) -> Result<Mail, LetterError>;

/// All kinds of mail.
pub(crate) const KINDS: [Kind; 13] =
    [taken, turn, not_taken, draft, finished, question, bounced, sent, errand, report, answered, told, sent_unread];

fn key() -> AnswerKey {
    AnswerKey::new([7; 32])
}

/// The game at a random earlier moment, the player or his opponent on the move.
pub(crate) fn stage(scene: &Scene, mine: bool, dice: &mut Dice) -> Game {
    let mut game = scene.game.clone();
    let plies = 2 + dice.roll(game.moves.len() - 3);
    game.moves.truncate(plies);
    if game.is_my_turn() != mine {
        game.moves.pop();
    }
    game
}

/// The noon after the last move.
pub(super) fn noon(game: &Game) -> DateTime<Utc> {
    let sent = game.moves.last().and_then(|record| record.claimed.sent).unwrap();
    (sent + Days::new(1)).and_hms_opt(12, 0, 0).unwrap().and_utc()
}

pub(super) fn any_move(position: &Chess, dice: &mut Dice) -> shakmaty::Move {
    let legal = position.legal_moves();
    legal[dice.roll(legal.len())]
}

pub(crate) fn legal(game: &Game, dice: &mut Dice) -> NumericMove {
    NumericMove::of(&any_move(game.replay().unwrap().position(), dice))
}

/// The player is on the move, and has chosen.
fn chosen(scene: &Scene, dice: &mut Dice) -> Result<(Game, Plan), LetterError> {
    let mut game = stage(scene, true, dice);
    let now = noon(&game);
    let plan = Plan {
        before: Vec::new(),
        numeric: legal(&game, dice),
        stated: Stated::default(),
        draw_offer: dice.rarely(4),
        message_id: String::new(),
        conditionals: Vec::new(),
        comment: Some(scene.word.clone()).filter(|_| !dice.rarely(3)),
        held_until: None,
    };
    let plan = letters::dated(&game, &scene.root, &plan, now, &scene.me, now)?;
    game.plan = Some(plan.clone());
    Ok((game, plan))
}

fn to_opponent(game: &Game) -> Recipients {
    Recipients::of(&game.opponent().emails[0])
}

/// To the opponent, with a copy to the director where the event wants it so.
fn reply_of(scene: &Scene, game: &Game) -> Recipients {
    let cc = scene.me.styles.copy_to(&game.event).map(ToString::to_string).into_iter().collect();
    Recipients { cc, ..to_opponent(game) }
}

/// A mail whose answer is a command and goes to the player, with a letter that goes to somebody else.
fn with_reply(kind: &'static str, letter: Letter, brings: Recipients) -> Mail {
    assert_eq!(letter.recipient, ME);
    Mail { kind, bytes: letter.bytes, goes: Recipients::player(), brings: Some(brings) }
}

/// The notice of a move, with the reply to it.
pub(super) fn with_blank(kind: &'static str, letter: Letter, scene: &Scene, game: &Game) -> Mail {
    with_reply(kind, letter, reply_of(scene, game))
}

/// A letter to the player alone.
pub(super) fn alone(kind: &'static str, letter: Letter) -> Mail {
    assert_eq!(letter.recipient, ME);
    Mail { kind, bytes: letter.bytes, goes: Recipients::player(), brings: None }
}

pub(super) fn notice(scene: &Scene, game: &Game, verdict: &Verdict) -> Result<Letter, LetterError> {
    let now = noon(game);
    let unread = [(1, scene.word.clone())];
    let incoming = Incoming {
        sha256: &[3; 32],
        from: Some(&scene.other),
        vouching: None,
        at: now,
        unread: &unread,
        cause: None,
        is_last: false,
    };
    letters::notice(game, &scene.root, verdict, incoming, &key(), &scene.me, now)
}

fn taken(scene: &Scene, dice: &mut Dice) -> Result<Mail, LetterError> {
    let game = stage(scene, true, dice);
    let last = game.moves.len() - 1;
    let verdict = Verdict::Accepted(Box::new(Accepted {
        before: Vec::new(),
        numeric: game.moves[last].numeric,
        number: game.number_of(last),
        promised: None,
        conditionals: Vec::new(),
        stated: game.moves[last].claimed,
        header_sent: None,
        confirms_plan: false,
        draw_offer: dice.rarely(3),
        discrepancies: vec![phrase!("{word}", word = &scene.word); dice.roll(2)],
        table: Vec::new(),
        notes: vec![scene.word.clone(); dice.roll(2)],
        announced: Vec::new(),
    }));
    Ok(with_blank("notice of a move", notice(scene, &game, &verdict)?, scene, &game))
}

fn turn(scene: &Scene, dice: &mut Dice) -> Result<Mail, LetterError> {
    let mut game = stage(scene, true, dice);
    let now = noon(&game);
    if dice.rarely(3) {
        game.moves.clear();
    }
    let letter = letters::turn(&game, &scene.root, &key(), &scene.me, now)?;
    Ok(with_blank("notice of a turn", letter, scene, &game))
}

fn not_taken(scene: &Scene, dice: &mut Dice) -> Result<Mail, LetterError> {
    let word = scene.word.clone();
    let game = match dice.rarely(3) {
        true => chosen(scene, dice)?.0,
        false => stage(scene, false, dice),
    };
    let verdict = match dice.roll(7) {
        0 => Verdict::Resignation(word),
        1 => Verdict::DrawAccepted(word),
        2 => Verdict::Repeat(Repeated { text: phrase!("{word}", word), differs: dice.rarely(2) }),
        3 => Verdict::Illegal(Reason::Unreadable(word)),
        4 => Verdict::WrongSender(Reason::UnreadPart(word)),
        5 => Verdict::NotAMove(Reason::Announces(word)),
        _ => Verdict::Held { reason: Reason::Announces(word), candidates: vec![legal(&game, dice)] },
    };
    Ok(alone("notice of another mail", notice(scene, &game, &verdict)?))
}

fn draft(scene: &Scene, dice: &mut Dice) -> Result<Mail, LetterError> {
    let (game, _) = chosen(scene, dice)?;
    let make = if dice.rarely(3) { letters::draft_after_hold } else { letters::draft };
    let letter = make(&game, &scene.root, &[], &key(), &scene.me, noon(&game))?;
    Ok(with_reply("draft", letter, reply_of(scene, &game)))
}

fn finished(scene: &Scene, dice: &mut Dice) -> Result<Mail, LetterError> {
    let (game, plan) = chosen(scene, dice)?;
    let bytes = letters::finished(&game, &scene.root, &plan, &[], &scene.me, noon(&game))?;
    Ok(Mail { kind: "reply", bytes, goes: reply_of(scene, &game), brings: None })
}

fn question(scene: &Scene, dice: &mut Dice) -> Result<Mail, LetterError> {
    let game = stage(scene, dice.rarely(2), dice);
    let quote: Vec<(usize, String)> = (1..=dice.roll(4)).map(|line| (line, scene.word.clone())).collect();
    let languages = amici::config::Language::ALL;
    let question = Question {
        message_id: game.last_message_id.as_deref(),
        day: noon(&game).date_naive(),
        quote: &quote,
        readings: &[legal(&game, dice)],
        illegal: dice.rarely(2),
        read_as: Some(scene.word.as_str()).filter(|_| dice.rarely(3)),
        language: languages[dice.roll(languages.len())].0,
    };
    let letter = letters::ask(&game, &scene.root, &question, &scene.me, noon(&game))?;
    Ok(with_reply("question", letter, to_opponent(&game)))
}

fn bounced(scene: &Scene, dice: &mut Dice) -> Result<Mail, LetterError> {
    let game = if dice.rarely(2) { chosen(scene, dice)?.0 } else { stage(scene, false, dice) };
    let to = Some(&scene.other).filter(|_| !dice.rarely(3));
    let returned = ReturnedMail { number: game.due(), reason: &scene.word, to, again: None };
    let (copy, now) = (SentCopy { sha256: &[4; 32], at: noon(&game) }, noon(&game));
    let letter = letters::bounce_notice(&game, &scene.root, &returned, copy, &scene.me, now)?;
    Ok(match to {
        Some(to) => with_reply("notice of a bounce", letter, Recipients::of(to.as_str())),
        None => alone("notice of a bounce", letter),
    })
}

fn sent(scene: &Scene, dice: &mut Dice) -> Result<Mail, LetterError> {
    let game = stage(scene, false, dice);
    let last = game.moves.len() - 1;
    let (number, sent) = (game.number_of(last), game.moves[last].numeric);
    let (day, other) = (noon(&game).date_naive(), legal(&game, dice));
    let reason = scene.word.clone();
    let dates = Remark::dates(day, day + Days::new(1), Some(day));
    let (news, brings) = match dice.roll(8) {
        0 => (SentNews::Recorded { number, sent, remarks: vec![Remark::Planned(other), dates] }, false),
        1 => (SentNews::Recorded { number, sent, remarks: vec![dates] }, false),
        4 => (SentNews::Recorded { number, sent, remarks: vec![Remark::Unagreed] }, false),
        5 => (SentNews::Ends { reason, result: GameResult::Draw }, false),
        2 => (SentNews::Illegal { reason }, true),
        3 => (SentNews::Second { number, sent: other, recorded: sent }, true),
        6 => (SentNews::Waits, false),
        _ => (SentNews::Review { reason }, false),
    };
    let copy = SentCopy { sha256: &[5; 32], at: noon(&game) };
    let letter = letters::sent_notice(&game, &scene.root, &news, copy, &scene.me, noon(&game))?;
    Ok(match brings {
        true => with_reply("notice of a sent mail", letter, to_opponent(&game)),
        false => alone("notice of a sent mail", letter),
    })
}

fn errand(scene: &Scene, dice: &mut Dice) -> Result<Mail, LetterError> {
    let mine = dice.rarely(2);
    let game = stage(scene, mine, dice);
    let (day, me, word) = (noon(&game).date_naive(), &scene.me, scene.word.as_str());
    let until = day + Days::new(20);
    let leave = Leave { side: game.me, from: day, to: until, announced: None };
    let mailed = Mailed { number: game.due(), message_id: game.last_message_id.clone(), at: None };
    let announced =
        vec![ClockNote { ply: game.due_ply(), kind: ClockNoteKind::Announced, on: day, until: Some(until) }];
    let claim = Claim::Silence {
        sent: Some(day),
        since: day,
        again: false,
        told: None,
        days: 40,
        effect: amici::domain::clock::rules::SilenceEffect::TdMayForfeit,
        limit: 35,
        leave: 0,
        announced,
    };
    let sign = if dice.rarely(2) { Sign::CameBack } else { Sign::Missed };
    let lost = dice.rarely(2).then_some(Lost { sign, shown: day, again: dice.rarely(2).then_some(until) });
    let (label, body) = match dice.roll(6) {
        0 => ("message", letters::message_text(&game, word, me)),
        1 => ("repeat", letters::repeat_text(&game, mailed.message_id.as_deref(), lost, me)?),
        2 => ("announce", letters::announce_text(&game, Some(day), until, Some(word), me)?),
        3 => (
            "leave",
            letters::leave_text(
                &[&game],
                (&leave, dice.rarely(2)),
                &[word.to_owned()],
                &me.styles.of(game.opponent()),
                me,
            ),
        ),
        4 => (
            "claim",
            letters::claim_text(
                &game,
                &claim,
                lost,
                &letters::Proof { mails: vec![mailed], settled: Vec::new(), otherwise: Vec::new() },
                me,
                day.into(),
            )?,
        ),
        _ => ("resignation", Ending::Resigns.text(&game, me)),
    };
    let hints = vec![word.to_owned(); dice.roll(2)];
    let opponent = to_opponent(&game);
    let director = scene.director.to_string();
    let (to, brings) = match dice.roll(4) {
        0 => (Whom::Opponent { copy: None }, opponent),
        1 => (Whom::Opponent { copy: Some(&scene.director) }, Recipients { cc: vec![director], ..opponent }),
        2 => (Whom::Director { address: Some(&scene.director), copy_to_opponent: false }, Recipients::of(&director)),
        _ => (
            Whom::Director { address: Some(&scene.director), copy_to_opponent: true },
            Recipients { cc: opponent.to, ..Recipients::of(&director) },
        ),
    };
    let errand = Errand { label, what: word, body: &body, to, hints: &hints };
    let letter = letters::errand(&game, &scene.root, &errand, me, noon(&game))?;
    Ok(with_reply("errand", letter, brings))
}

fn report(scene: &Scene, dice: &mut Dice) -> Result<Mail, LetterError> {
    let mut game = stage(scene, true, dice);
    game.result = Some(GameResult::Draw);
    let letter = letters::report(&game, &scene.root, Some(&scene.director), true, &scene.me, noon(&game))?;
    Ok(with_reply("report", letter, Recipients::of(scene.director.as_str())))
}

fn answered(scene: &Scene, dice: &mut Dice) -> Result<Mail, LetterError> {
    let game = stage(scene, true, dice);
    let said = letters::paragraph_of(&scene.word);
    let reply = Reply { sha256: &[6; 32], headline: &scene.word, said: &said, explain: dice.rarely(2) };
    let letter = match dice.rarely(4) {
        true => letters::answer_to_none(&reply, &key(), &scene.me, noon(&game)),
        false => {
            let played = Some(legal(&game, dice));
            letters::answer(&game, &scene.root, &reply, played, &key(), &scene.me, noon(&game))
        }
    };
    Ok(alone("answer", letter?))
}

/// The digest, one urgent mark, or an overstep.
fn told(scene: &Scene, dice: &mut Dice) -> Result<Mail, LetterError> {
    let today = noon(scene.games.first().unwrap()).date_naive();
    let summary = |game: &Game| Summary::of(game, &Ledger::of(game).unwrap(), None, today).unwrap();
    let now = today.and_hms_opt(7, 0, 0).unwrap().and_utc();
    if dice.rarely(2) {
        let game = stage(scene, true, dice);
        let summary = summary(&game);
        let mark = summary.marks()[0];
        if dice.rarely(2) {
            return Ok(alone(
                "overstep",
                letters::overstepped(&summary, (&mark, Some("a sum"), Some("a term")), &scene.word, &scene.me, now)?,
            ));
        }
        return Ok(alone("urgent mark", letters::urgent(&summary, &mark, today, &scene.word, &scene.me, now)?));
    }
    let games: Vec<Summary<'_>> = scene.games.iter().map(summary).collect();
    let marks = games.iter().flat_map(|game| {
        game.marks().iter().map(move |mark| Listed {
            game,
            mark: *mark,
            severity: Severity::Soon,
            over: None,
            is_new: false,
        })
    });
    let not_read = NotRead {
        arrival: Arrival {
            source: "mail".to_owned(),
            folder: "INBOX".to_owned(),
            epoch: 0,
            uid: scene.word.clone(),
            size: None,
            server_date: None,
        },
        attempts: 1,
        state: ArrivalState::TooLarge,
        reason: Some(scene.word.clone()),
        noted_at: now,
    };
    let held = Held {
        verdict: 1,
        mail: 1,
        game: Some(scene.game.id.clone()),
        may_answer: Vec::new(),
        outcome: "needs_human".to_owned(),
        reason: scene.word.clone(),
        candidates: Vec::new(),
        read_as: None,
        from_address: Some(scene.word.clone()),
        subject: scene.word.clone(),
        message_id: None,
        server_date: None,
        decided_at: now,
        asked_at: None,
    };
    let news = News {
        today,
        games: &games,
        marks: marks.take(6).collect(),
        moves: scene.games.iter().map(|game| (game.id.clone(), 1)).collect(),
        held: vec![(&held, dice.rarely(2)); dice.roll(3)],
        not_read: if dice.rarely(2) { vec![(&not_read, dice.rarely(2))] } else { Vec::new() },
    };
    Ok(alone("digest", letters::digest(&news, &scene.word, &scene.me, now)?))
}

fn sent_unread(scene: &Scene, _: &mut Dice) -> Result<Mail, LetterError> {
    let now = noon(&scene.game);
    Ok(alone("notice of no folder", letters::no_sent_folder(&scene.word, &scene.word, &scene.me, now)?))
}
