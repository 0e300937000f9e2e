//! `amici repeat`: the player's last move once more, as it was first sent, for an opponent who does not answer.

use chrono::{DateTime, NaiveDate, Utc};
use clap::Args as ClapArgs;

use super::care::{OneLetter, Wanted, answers, draft, event, hand_over, running, take_back, today, unheard};
use super::queue::failed;
use super::{Failure, Report, Setup, find};
use crate::config::{Config, Me};
use crate::domain::clock::again::{Lost, Sign};
use crate::domain::clock::days::in_words;
use crate::domain::clock::ledger::Ledger;
use crate::domain::clock::reminder::reminder as his_reminder;
use crate::domain::clock::rules::{DoubleFrom, Ruleset};
use crate::domain::clock::silence::{Silence, announced};
use crate::domain::game::{ClockNote, ClockNoteKind, Game, GameId};
use crate::io::store::{Care, OutboxState, SentMail, Store, StoredGame};
use crate::letters::{self, AnswerKey, Errand, Whom};
use crate::overview::Unheard;

/// Draft your last move once more, for an opponent who is silent
///
/// It keeps its original dates.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The game
    game: GameId,
    /// A copy to the director, also before the rules want one
    #[arg(long)]
    cc_director: bool,
    /// You sent the letter: only enter that, where your Sent folder is not read; days may count double from it on
    #[arg(long, group = "entered", conflicts_with_all = ["cc_director", "dry_run", "yes"])]
    sent: bool,
    /// He reminded you, in a mail that does not repeat his move: only enter that
    #[arg(long, group = "entered", conflicts_with_all = ["cc_director", "dry_run", "yes"])]
    his: bool,
    /// It did not go out, or was no reminder: take the one entered last out again, yours or his
    #[arg(long, group = "entered", conflicts_with_all = ["cc_director", "dry_run", "yes"])]
    undo: bool,
    /// The day on which it was sent, or came [default: today; of an undo: the last]
    #[arg(long, value_name = "DATE", value_parser = super::day, requires = "entered")]
    on: Option<NaiveDate>,
    /// Do it although it is too early, or was done before
    #[arg(long)]
    yes: bool,
    /// Show the letter only; nothing is kept or delivered
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut store = if args.dry_run { setup.store_to_read().await? } else { setup.store().await? };
    let thread = find(&mut store, &args.game).await?;
    let game = &thread.game;
    let answers = answers(&mut store, &config, game, setup.now).await?;
    let lost = answers.as_ref().and_then(|answers| answers.lost(game, setup.now, config.me.timezone));
    // a move that decides the game asks for no answer, but it has to reach him
    if game.result.is_some() || lost.is_none() {
        running(game)?;
    }
    if args.undo {
        return take_back(setup, store, game, ("repeat", args.on), |note| note.went_out().is_some()).await;
    }
    let today = today(setup, &config, &mut store).await?;
    if args.his {
        return his(setup, &config, store, game, args.on.unwrap_or(today), today).await;
    }
    if let Some(plan) = &game.plan {
        return Err(failed(format!(
            "{} {} is drafted and not on record as sent\nhelp: if you sent it, say `{}` first",
            game.due(),
            plan.numeric,
            super::sent::command(game, today)
        )));
    }
    if game.is_my_turn() {
        return Err(failed(format!(
            "in game {} the next move is yours, so there is nothing to repeat\nhelp: amici play {} MOVE",
            game.id, game.id
        )));
    }
    let Some(index) = game.moves.len().checked_sub(1) else {
        return Err(failed(format!("game {} has no move of yours to repeat", game.id)));
    };
    let ledger = config.me.ledger(game).map_err(|e| failed(e.to_string()))?;
    let patience = Patience::of(game, &ledger);
    let ply = game.due_ply();
    if args.sent {
        let on = args.on.unwrap_or(today);
        let since = patience.as_ref().map(|patience| patience.silence.since());
        let again = lost.filter(|lost| lost.is_answered_on(on));
        let note = again.map_or(ClockNote::reminder(ply, on), |lost| lost.sent_again(ply, on));
        went_out(game, note, since.filter(|_| again.is_none()), today)?;
        let mut said = format!("You repeated {} to {} on {on}.\n", game.number_of(index), game.opponent().name);
        let is_early = patience.as_ref().is_some_and(|patience| !patience.silence.is_reminder(on));
        said.push_str(match again.map(|lost| lost.sign) {
            Some(Sign::CameBack) => "The first mail came back: his days count from this one.\n",
            Some(Sign::Missed) => "He had repeated his own: his silence counts from this mail.\n",
            None => "",
        });
        if ledger.rules().double_from == DoubleFrom::Reminder && is_early && again.is_none() {
            let from = patience.as_ref().and_then(Patience::from).map(|from| format!(" (from {from} on)"));
            said.push_str(&format!(
                "Note: it came before a move may be repeated{}: by the rules of this game it is no reminder, and his days stay single.\n",
                from.unwrap_or_default()
            ));
        }
        let text = format!("you say that you sent {} once more on {on}", game.number_of(index));
        let care = Care {
            notes: vec![(game.id.clone(), note)],
            events: vec![event(&game.id, "repeated", text)],
            ..Care::default()
        };
        return hand_over(setup, &config, store, &care, said).await;
    }
    let wants_copy = patience.as_ref().is_some_and(|patience| patience.wants_copy(today));
    let from = patience.as_ref().and_then(Patience::from).filter(|from| *from <= today).unwrap_or(today);
    let since = ledger.begins(from).map_or(setup.now, |begins| begins.to_utc());
    // a repeat of his own asks for it, once
    let counts = |one: &Unheard<'_>| !matches!(one, Unheard::Repeated(_, None));
    let mut objections = unheard(answers.as_ref(), &config, game, since, counts)?;
    let is_asked = lost.is_some_and(|lost| lost.sign == Sign::Missed && lost.again.is_none());
    objections.extend(patience.as_ref().map(|patience| patience.objections(today, is_asked)).unwrap_or_default());
    let (number, numeric) = (game.number_of(index), game.moves.get(index).map(|m| m.numeric.to_string()));
    let message_id = sent_as(&mut store, &thread, index, &config.me).await?;
    let lost = lost.or_else(|| Lost::of(game, index + 1));
    let text =
        letters::repeat_text(game, message_id.as_deref(), lost, &config.me).map_err(|e| failed(e.to_string()))?;
    let copy = config.me.styles.director_of(&game.event).filter(|_| wants_copy || args.cc_director);
    let hints = hints(game, message_id.is_none(), (wants_copy || args.cc_director) && copy.is_none());
    let mut said = format!(
        "{number} {} once more, with its original dates{}.\n",
        numeric.unwrap_or_default(),
        copy.map(|address| format!(", with a copy to the director {address}")).unwrap_or_default(),
    );
    let errand = Errand {
        label: "repeat",
        what: "your last move once more",
        body: &text,
        to: Whom::Opponent { copy },
        hints: &hints,
    };
    let counts = match ledger.rules().double_from {
        DoubleFrom::Reminder if lost.is_none() => "His days count double only",
        DoubleFrom::Reminder | DoubleFrom::Day => "It counts only",
    };
    said.push_str(&format!(
        "{counts} from the day on which it really went out: as your Sent folder shows it, or as you say,  amici repeat {} --sent\n",
        game.id
    ));
    let note = Some(ClockNote { ply, kind: ClockNoteKind::Repeated, on: today, until: None });
    let journal = ("repeated", format!("you repeated {number}; a draft was made"));
    let wanted = Wanted { dry_run: args.dry_run, yes: args.yes };
    draft(setup, &config, store, wanted, OneLetter { thread: &thread, errand, said, objections, note, journal }).await
}

/// Enters his reminder, where the rules know one on that day.
async fn his(
    setup: &Setup,
    config: &Config,
    store: Store,
    game: &Game,
    on: NaiveDate,
    today: NaiveDate,
) -> Result<Report, Failure> {
    let refused = |why: String| Err(failed(format!("{why}\nhelp: nothing was entered")));
    if !game.is_my_turn() {
        return refused(format!("in game {} it is his turn: he has nothing to remind you of", game.id));
    }
    if on > today {
        return refused(format!("{on} has not come yet; today is {today}"));
    }
    let ledger = config.me.ledger(game).map_err(|e| failed(e.to_string()))?;
    let Some(note) = his_reminder(game, &ledger, None, on) else {
        return refused(no_reminder(game, &ledger, on));
    };
    let (number, name) = (game.due(), &game.opponent().name);
    let care = Care {
        notes: vec![(game.id.clone(), note)],
        events: vec![event(
            &game.id,
            "repeated",
            format!("you say that the opponent reminded you of {number} on {on}"),
        )],
        ..Care::default()
    };
    hand_over(setup, config, store, &care, format!("{name} reminded you of {number} on {on}.\n")).await
}

/// Why a mail of his of this day is not entered as a reminder.
fn no_reminder(game: &Game, ledger: &Ledger, on: NaiveDate) -> String {
    let due = game.due_ply();
    if game.clock_notes.iter().any(|note| note.ply == due && note.reminded() == Some(on)) {
        return format!("a reminder of {on} is on record already");
    }
    let silence = Silence::of(game, ledger);
    let first = silence.as_ref().and_then(|silence| {
        let after = silence.repeats().next()?;
        Some(format!("one counts from {} on, after {} of silence", silence.after(after)?, in_words(after)))
    });
    let first = first.unwrap_or_else(|| "they know none".to_owned());
    format!("by the rules of this game a mail of {on} is no reminder: {first}")
}

/// Whether the move can have gone out once more on the day of this note, by the player's word.
fn went_out(game: &Game, note: ClockNote, since: Option<NaiveDate>, today: NaiveDate) -> Result<(), Failure> {
    let on = note.on;
    let refused = |why: String| Err(failed(format!("{why}\nhelp: nothing was entered")));
    if on > today {
        return refused(format!("{on} has not come yet; today is {today}"));
    }
    if let Some(since) = since.filter(|since| on <= *since) {
        return refused(format!("{on} does not lie behind {since}, from which day his silence counts"));
    }
    if game.clock_notes.contains(&note) {
        return refused("this is on record already".to_owned());
    }
    Ok(())
}

fn hints(game: &Game, id_unknown: bool, copy_missing: bool) -> Vec<String> {
    let mut hints = Vec::new();
    if copy_missing {
        hints.push(letters::no_director(game));
    }
    if id_unknown {
        hints.push("the Message-ID of your first mail is not on record; add it if you have it.".to_owned());
    }
    if !game.conditionals.is_empty() {
        hints.push("you offered conditional moves with it: add them as you sent them.".to_owned());
    }
    hints
}

/// The Message-ID of the mail with which a move of the player's went out, where a copy of it was seen, or the program sent it.
/// `sent` are the mails that the player sent in the game.
pub(super) async fn mail_on_record(
    store: &mut Store,
    game: &Game,
    sent: &[SentMail],
    index: usize,
) -> Result<Option<String>, Failure> {
    let recorded = game.moves.get(index).map(|record| record.numeric);
    let of_this = |sent: &SentMail| sent.ply == index + 1 && sent.numeric == recorded;
    if let Some(sent) = sent.iter().find(|sent| of_this(sent))
        && let Some(id) = store.mail(sent.mail).await?.and_then(|mail| mail.message_id)
    {
        return Ok(Some(id));
    }
    let ply = u32::try_from(index + 1).unwrap_or(u32::MAX);
    for id in store.ids_of_own(&game.id, ply).await? {
        let release = store.release_by_message_id(&id).await?;
        if release.is_some_and(|release| release.state == OutboxState::Sent) {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// The same, or else the Message-ID under which the move was drafted, if that is on record.
async fn sent_as(store: &mut Store, thread: &StoredGame, index: usize, me: &Me) -> Result<Option<String>, Failure> {
    let sent = store.sent_mails(&thread.game.id).await?;
    if let Some(id) = mail_on_record(store, &thread.game, &sent, index).await? {
        return Ok(Some(id));
    }
    let key = AnswerKey::new(store.answer_key().await?);
    let draft = store.provenance(&thread.game.id, index + 1).await?.and_then(|proof| proof.draft);
    Ok(draft.and_then(|draft| {
        let at: DateTime<Utc> = draft.created_at;
        letters::sent_as(&thread.game, &thread.root_message_id, index, &key, me, &draft.message_id, at)
    }))
}

/// The day on which a repeat was drafted last, if none is known to have gone out since.
pub(super) fn unsent_repeat(notes: &[ClockNote]) -> Option<NaiveDate> {
    let of_repeat = |note: &&ClockNote| note.kind == ClockNoteKind::Repeated && note.reminded().is_none();
    let drafted = notes.iter().filter(of_repeat).map(|note| note.on).max()?;
    let sent = notes.iter().filter_map(ClockNote::went_out).max();
    Some(drafted).filter(|drafted| sent.is_none_or(|sent| sent < *drafted))
}

/// How long the opponent has been silent, and what the rules say about it.
struct Patience<'a> {
    game: &'a Game,
    rules: &'a Ruleset,
    silence: Silence<'a>,
    /// What was said about the ply that he thinks about.
    notes: Vec<ClockNote>,
}

impl<'a> Patience<'a> {
    /// `None` where the day of sending is not known.
    fn of(game: &'a Game, ledger: &'a Ledger) -> Option<Patience<'a>> {
        let silence = Silence::of(game, ledger)?;
        let due = game.due_ply();
        let notes = game.clock_notes.iter().filter(|note| note.ply == due).copied().collect();
        Some(Patience { game, rules: ledger.rules(), silence, notes })
    }

    /// The days on which a repeat went out, as far as that is known.
    fn repeated(&self) -> impl Iterator<Item = NaiveDate> {
        self.notes.iter().filter_map(ClockNote::reminded)
    }

    /// The day on which a repeat was drafted that nobody saw going out.
    fn drafted(&self) -> Option<NaiveDate> {
        unsent_repeat(&self.notes)
    }

    /// Days of silence before the next repeat.
    fn patience(&self) -> Option<u32> {
        self.silence.repeats().nth(self.repeated().count())
    }

    /// The first day on which the next repeat may be sent.
    fn from(&self) -> Option<NaiveDate> {
        self.silence.after(self.patience()?)
    }

    fn wants_copy(&self, today: NaiveDate) -> bool {
        self.silence.is_copied(self.silence.days(today))
    }

    /// What speaks against a repeat on this day; he may have asked for it.
    fn objections(&self, today: NaiveDate, is_asked: bool) -> Vec<String> {
        let mut objections = Vec::new();
        let last = self.repeated().max();
        if let Some(patience) =
            self.patience().filter(|patience| !is_asked && self.silence.days(today) < i64::from(*patience))
        {
            let since = match self.silence.told() {
                Some(told) => format!("you told him on {told} that his answer was illegal"),
                None if self.game.start_date == Some(self.silence.since()) => {
                    format!("the event begins on {}", self.silence.since())
                }
                None => format!("you sent the move on {}", self.silence.since()),
            };
            objections.push(format!(
                "it is too early: by the rules of this game a repeat may be sent after {} of silence{}; {since}",
                in_words(patience),
                self.from().map(|day| format!(", from {day} on")).unwrap_or_default(),
            ));
        } else if let Some(last) = last.filter(|last| self.patience().is_none() || *last == today) {
            objections.push(format!("you repeated it on {last} already"));
        }
        if let Some(drafted) = self.drafted() {
            objections.push(format!(
                "a repeat was drafted on {drafted} already, and nobody saw it sent: send that one; if you have, say  amici repeat {} --sent",
                self.game.id
            ));
        }
        let is_awaited = |until| self.silence.behind(until).is_none_or(|from| today < from);
        if let Some(note) = announced(self.game).filter(|note| note.until.is_none_or(is_awaited))
            && self.rules.repeat.suppress_if_announced
        {
            let until = note.until.map(|until| match until < today {
                true => format!(" until {until}, and his leave runs on it"),
                false => format!(" until {until}"),
            });
            let until = until.unwrap_or_default();
            objections.push(format!("he announced on {} that he needs longer{until}; no repeat is needed", note.on));
        }
        objections
    }
}
