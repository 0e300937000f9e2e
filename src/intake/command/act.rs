//! Carries a command out: the draft that it makes or drops, and the one mail that answers it.

use chrono::Days;

use super::tie::Tied;
use super::words::{Command, MoveWords, Said, Until};
use super::{Around, Heard};
use crate::choice::announce::announcement;
use crate::choice::draft::{days_line, drafted};
use crate::choice::{Hold, Refusal, Wish, choose_among};
use crate::domain::clock::ledger::Ledger;
use crate::domain::game::{Game, Plan};
use crate::domain::notation::{NumericMove, san};
use crate::intake::table::his_table;
use crate::intake::unsettled::unsettled;
use crate::intake::{IntakeError, row};
use crate::io::store::{Commanded, EventRow, OutboxState, Outgoing, ReleaseRow, Store, StoreError, StoredGame};
use crate::letters::{self, Ending, Errand, LetterError, Reply, Tells, Whom, paragraph_of};
use crate::mail::address::Address;
use crate::sent;

/// A command with what it is carried out on.
pub(super) struct Desk<'s, 'a> {
    pub(super) store: &'s mut Store,
    pub(super) around: Around<'a>,
    pub(super) thread: &'a StoredGame,
    pub(super) said: &'a Said,
    /// The mail that the notice tells of.
    pub(super) mail: Option<i64>,
}

/// What a command did, for the journal, and what is written for it.
pub(super) struct Done {
    pub(super) what: String,
    pub(super) commanded: Option<Commanded>,
    pub(super) outgoing: Vec<Outgoing>,
}

/// Why a command does nothing.
pub(super) enum Stop {
    /// It cannot be done.
    NotDone(String),
    /// It is not believed to be the player's: the mail waits for his look.
    Forged(String),
    /// It needs a second word; with the move that it would choose.
    AskedBack(String, Option<NumericMove>),
    Failed(IntakeError),
}

impl<E: Into<IntakeError>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Failed(error.into())
    }
}

impl Stop {
    /// Where there is a reason not to do it.
    pub(super) fn at(why: Option<String>) -> Result<(), Stop> {
        why.map_or(Ok(()), |why| Err(Stop::NotDone(why)))
    }
}

/// Does what was said, or says why not.
pub(super) async fn carry_out(
    store: &mut Store,
    around: Around<'_>,
    tied: &Tied,
    said: Result<Said, String>,
) -> Result<Heard, IntakeError> {
    let done = match (tied, &said) {
        (Tied::To(thread, ply, mail), Ok(said)) => {
            Desk { store, around, thread, said, mail: *mail }.carry_out(*ply).await
        }
        (Tied::To(..), Err(why)) => Err(Stop::NotDone(format!("No command was found: {why}."))),
        (Tied::Torn(one, other), _) => {
            Err(Stop::NotDone(format!("It answers a notice of game {one} and carries the code of game {other}.")))
        }
        (Tied::Loose, _) => {
            let why = "Nothing in it shows that it answers a notice of mine: reply to the notice itself, or leave the code of the \
                       move in your mail, as the notice shows it.";
            Err(Stop::NotDone(why.to_owned()))
        }
    };
    heard(around, tied.game(), said.as_ref().ok(), done)
}

/// A mail that says it is from the player, and his own server says that it is not.
pub(super) fn forged(around: Around<'_>, tied: &Tied, from: &Address, found: &str) -> Result<Heard, IntakeError> {
    let why = format!(
        "It says that it is from {from}, and that is not proven: {found}. If you wrote it, its copy in your folder of sent mails does, where that is read; else use `amici play`."
    );
    heard(around, tied.game(), None, Err(Stop::Forged(why)))
}

impl<'a> Desk<'_, 'a> {
    async fn carry_out(&mut self, ply: usize) -> Result<Done, Stop> {
        let (thread, said) = (self.thread, self.said);
        Stop::at(past(thread, ply))?;
        let command = said.command.as_ref().map_err(|why| Stop::NotDone(format!("It is no command: {why}.")))?;
        Stop::at(self.on_its_way().await?)?;
        if let Some(why) = taken_back(said).filter(|_| !said.yes && !matches!(command, Command::Move(_))) {
            return Err(Stop::AskedBack(second_word(&[why], said), None));
        }
        match command {
            Command::Move(words) => self.choose(words, said.yes).await,
            Command::Undo => self.undo(),
            Command::Hold(hold) => self.again(Some(*hold)).await,
            Command::Resend => self.again(None).await,
            Command::Wrong => self.wrong().await,
            Command::Reading(number) => self.reading(*number).await,
            Command::Ask => self.ask().await,
            Command::Ignore => self.ignore().await,
            Command::Announce(until) => self.announce(*until).await,
            Command::Accept => self.accept(),
            Command::Resign(named) => self.resign(named.as_deref()),
        }
    }

    /// A mail with the chosen move that is released, or may have arrived: nothing about the move is changed by mail any more.
    async fn on_its_way(&mut self) -> Result<Option<String>, StoreError> {
        let game = &self.thread.game.id;
        let on_its_way = |row: &ReleaseRow| row.game == *game && row.state != OutboxState::Failed;
        let row = self.store.released().await?.into_iter().find(on_its_way);
        Ok(row.map(|_| {
            format!("The move of game {game} is released to be sent; `amici undo {game}` recalls it while it waits.")
        }))
    }

    /// What is dated needs a clock that can be believed.
    async fn dates(&mut self, what: &str) -> Result<(), Stop> {
        let doubt = self.store.clock_doubt(self.around.now).await?;
        Stop::at(doubt.map(|why| format!("{what} is dated, and {why}; {}", why.help())))
    }

    fn ledger(&self) -> Result<Ledger, LetterError> {
        let game = &self.thread.game;
        self.around.me.ledger(game).map_err(|e| LetterError::Game { game: game.id.clone(), why: e.to_string() })
    }

    fn plan(&self) -> Result<&'a Plan, Stop> {
        let game = &self.thread.game;
        game.plan.as_ref().ok_or_else(|| Stop::NotDone(format!("No move is chosen in game {}.", game.id)))
    }

    async fn choose(&mut self, words: &MoveWords, yes: bool) -> Result<Done, Stop> {
        let (thread, said, around) = (self.thread, self.said, self.around);
        let game = &thread.game;
        self.dates("A draft").await?;
        let now = around.me.moment(around.now);
        let ledger = self.ledger()?;
        let wish = Wish { text: &words.text, lines: &words.lines, draw: words.draw, comment: words.say.as_deref() };
        let offers = sent::offers(self.store, std::slice::from_ref(thread)).await?.remove(&game.id).unwrap_or_default();
        let choice = match choose_among(&wish, &offers, game, &ledger, now) {
            Ok(choice) => choice,
            Err(refusal) => {
                let others = match refusal {
                    Refusal::NoMove(_) => self.store.games_to_move().await?,
                    _ => Vec::new(),
                };
                return Err(Stop::NotDone(refusal.with_others(wish.text, game, &others).to_string()));
            }
        };
        let of_choice = taken_back(said).into_iter().chain(choice.doubts.iter().cloned()).filter(|_| !yes);
        let held = unsettled(self.store, thread, around.me.timezone).await?;
        let doubts: Vec<String> = of_choice.chain(held.into_iter().filter(|_| !said.yes)).collect();
        if !doubts.is_empty() {
            let why = format!("{}\n{}", choice.echo.trim_end(), second_word(&doubts, said));
            return Err(Stop::AskedBack(why, Some(choice.numeric)));
        }
        let held_until = words.hold.map(|hold: Hold| hold.until(around.now));
        let table = his_table(self.store, thread).await?;
        let made = match drafted(thread, &choice, held_until, &table, around.key, around.me, around.now) {
            // his own template, or his words: he can mend either
            Err(error @ (LetterError::Form(_) | LetterError::Misread { .. })) => {
                return Err(Stop::NotDone(error.to_string()));
            }
            made => made?,
        };
        let of_line = Game { plan: Some(made.plan.clone()), ..game.clone() };
        let short = match of_line.with_line_taken().replay() {
            Ok(replay) => format!(" ({})", san(replay.position(), &choice.legal.played)),
            Err(_) => String::new(),
        };
        let what = format!("planned {}{short}, {}", made.plan.in_words(game.due()), done(&made.plan));
        let mut outgoing = Vec::new();
        if let Some(until) = held_until {
            let until = around.me.local(until);
            let text = format!(
                "{}{}It is kept, and not drafted before {until}: look at it again. Your clock runs.\nTo drop it, reply  undo\n",
                choice.echo,
                days_line(game, &ledger, &made.plan, now)
            );
            let headline = format!("kept until {until}: {}", made.plan.in_words(game.due()));
            outgoing.push(letter(around, Some(thread), &headline, &text, Some(choice.numeric), false)?);
        }
        let plan = Commanded::Plan {
            game: game.id.clone(),
            expected_plies: made.expected_plies,
            plan: Box::new(made.plan),
            draft: made.letter,
        };
        Ok(Done { what, commanded: Some(plan), outgoing })
    }

    /// The chosen move once more: after a pause, or at once with the dates of today.
    async fn again(&mut self, hold: Option<Hold>) -> Result<Done, Stop> {
        let plan = self.plan()?;
        let line = |line: &Vec<NumericMove>| line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let words = MoveWords {
            text: plan.as_written(self.thread.game.due()),
            lines: plan.conditionals.iter().map(line).collect(),
            draw: plan.draw_offer,
            hold,
            say: plan.comment.clone(),
        };
        // what spoke against it was answered when it was chosen, but for a mail that came since
        self.choose(&words, true).await
    }

    fn undo(&self) -> Result<Done, Stop> {
        let (game, plan) = (&self.thread.game, self.plan()?);
        let delivered =
            if plan.is_drafted() { " A draft that you have got stays in your mailbox: do not send it." } else { "" };
        let chosen = plan.in_words(game.due());
        let text = format!("{chosen} is dropped.{delivered}");
        let letter = letter(self.around, Some(self.thread), &format!("dropped: {chosen}"), &text, None, false)?;
        let undo = Commanded::Undo { game: game.id.clone() };
        Ok(Done { what: format!("{chosen} was dropped"), commanded: Some(undo), outgoing: vec![letter] })
    }

    /// What the notice told goes back; its mail waits for the player again.
    async fn wrong(&mut self) -> Result<Done, Stop> {
        let game = &self.thread.game;
        let back = match game.moves.len().checked_sub(1) {
            Some(last) => self.store.without(game, Some(last)).await?,
            None => None,
        };
        let Some(back) = back else {
            let why = format!("The last move of game {} came with a file: correct it at your computer.", game.id);
            return Err(Stop::NotDone(why));
        };
        let gone = game.moves.iter().enumerate().skip(back.moves.len());
        let gone: Vec<String> = gone.map(|(index, row)| format!("{} {}", game.number_of(index), row.numeric)).collect();
        let gone = gone.join(", ");
        let text = format!(
            "Taken back: {gone}. The record waits for {} of {} again, and the mail that gave it waits for you: `amici review`.",
            back.due(),
            back.player(back.to_move()).name
        );
        let letter = letter(self.around, Some(self.thread), &format!("taken back: {gone}"), &text, None, false)?;
        let text = format!("you took back {gone}: your mail says that it is wrong");
        let event = EventRow { game: Some(game.id.clone()), kind: "retracted".to_owned(), text };
        let retract = Commanded::Retract { back: Box::new(back), expected_plies: game.moves.len(), event };
        Ok(Done { what: format!("{gone} was taken back"), commanded: Some(retract), outgoing: vec![letter] })
    }

    async fn announce(&mut self, until: Until) -> Result<Done, Stop> {
        let (game, Around { me, now, .. }) = (&self.thread.game, self.around);
        self.dates("An announcement").await?;
        let today = now.with_timezone(&me.timezone).date_naive();
        let until = match until {
            Until::Days(days) => today.checked_add_days(Days::new(days.into())).unwrap_or(today),
            Until::Day(day) => day,
        };
        let announced = announcement(game, &self.ledger()?, until, today, None);
        let announced = announced.map_err(|refusal| Stop::NotDone(refusal.to_string()))?;
        Stop::at(announced.to_director.then(|| {
            format!(
                "So long a silence has to be told to the director too: use `amici announce {} --until {until}` at your computer.",
                game.id
            )
        }))?;
        if !announced.doubts.is_empty() && !self.said.yes {
            return Err(Stop::AskedBack(second_word(&announced.doubts, self.said), None));
        }
        let text = letters::announce_text(game, announced.since, until, None, me)?;
        let label = Tells::LongThought { ply: game.due_ply(), until }.label();
        let needed = format!("you need until {until} for {}", game.due());
        self.errand(&label, "you need longer", &text, &announced.hints, &needed)
    }

    fn accept(&self) -> Result<Done, Stop> {
        let game = &self.thread.game;
        if game.draw_offer != Some(game.me.other()) {
            let why = format!("No offer of a draw by {} is on record in game {}.", game.opponent().name, game.id);
            return Err(Stop::NotDone(why));
        }
        self.ending(Ending::AcceptsDraw, "yes accept", self.said.yes)
    }

    fn resign(&self, named: Option<&str>) -> Result<Done, Stop> {
        let id = self.thread.game.id.as_str();
        let other = named.filter(|named| !named.eq_ignore_ascii_case(id));
        Stop::at(other.map(|other| format!("It names `{other}`, and your mail answers a notice of game {id}.")))?;
        self.ending(Ending::Resigns, &format!("yes resign  or  resign {id}"), self.said.yes || named.is_some())
    }

    /// The letter that ends the game, if he is `sure`, which the `words` say.
    fn ending(&self, ending: Ending, words: &str, sure: bool) -> Result<Done, Stop> {
        let game = &self.thread.game;
        if !sure {
            let why = format!("This ends the game. To have the letter drafted, reply  {words}");
            return Err(Stop::AskedBack(why, None));
        }
        let hints = [format!("once you have sent it, close the game with `amici result {}`.", game.id)];
        self.errand(ending.label(), ending.what(), &ending.text(game, self.around.me), &hints, ending.what())
    }

    /// A letter to the opponent, drafted for the player; it is the answer to his command.
    fn errand(&self, label: &str, what: &str, body: &str, hints: &[String], told: &str) -> Result<Done, Stop> {
        let game = &self.thread.game;
        let errand = Errand { label, what, body, to: Whom::Opponent { copy: None }, hints };
        let letter = letters::errand(game, &self.thread.root_message_id, &errand, self.around.me, self.around.now)?;
        let outgoing = vec![letter.into_notice(Some(game.id.clone()))];
        Ok(Done { what: format!("a letter was drafted, {told}"), commanded: None, outgoing })
    }
}

/// What a command does to what is kept, and the mail that answers it.
fn heard(
    around: Around<'_>,
    thread: Option<&StoredGame>,
    said: Option<&Said>,
    done: Result<Done, Stop>,
) -> Result<Heard, IntakeError> {
    let mail = said.map_or("your mail".to_owned(), |said| format!("your mail `{}`", said.line));
    let wrote = said.map(|said| format!("You wrote: {}\n\n", said.line)).unwrap_or_default();
    let is_forged = matches!(done, Err(Stop::Forged(_)));
    let (text, commanded, outgoing) = match done {
        Ok(Done { what, commanded, outgoing }) => (format!("{mail}: {what}"), commanded, outgoing),
        Err(Stop::NotDone(why) | Stop::Forged(why)) => {
            let told = format!("{wrote}{why}\nNothing was changed.\n");
            let letter = letter(around, thread, "your command was not done", &told, None, true)?;
            (format!("{mail} was not done: {}", why.lines().next().unwrap_or_default()), None, vec![letter])
        }
        Err(Stop::AskedBack(why, played)) => {
            let letter = letter(around, thread, "a second word is needed", &format!("{wrote}{why}"), played, false)?;
            (format!("{mail} needs a second word"), None, vec![letter])
        }
        Err(Stop::Failed(error)) => return Err(error),
    };
    let game = thread.map(|thread| thread.game.id.clone());
    let outcome = if is_forged { "wrong_sender" } else { "own" };
    let verdict = row(game.clone(), outcome, text.clone(), is_forged);
    Ok(Heard { verdict, event: EventRow { game, kind: "command".to_owned(), text }, commanded, outgoing })
}

/// The mail that answers a command.
pub(super) fn letter(
    around: Around<'_>,
    thread: Option<&StoredGame>,
    headline: &str,
    said: &str,
    played: Option<NumericMove>,
    explain: bool,
) -> Result<Outgoing, LetterError> {
    let Around { sha256, key, me, now, .. } = around;
    let reply = Reply { sha256, headline, said: &paragraph_of(said), explain };
    let letter = match thread {
        Some(thread) => letters::answer(&thread.game, &thread.root_message_id, &reply, played, key, me, now),
        None => letters::answer_to_none(&reply, key, me, now),
    };
    Ok(letter?.into_notice(thread.map(|thread| thread.game.id.clone())))
}

/// Why a command for this ply comes too late, with what stands now.
fn past(thread: &StoredGame, ply: usize) -> Option<String> {
    let game = &thread.game;
    if let Some(result) = game.result {
        return Some(format!("Game {} is over: {}.", game.id, result.word()));
    }
    if ply == game.moves.len() + 1 {
        return None;
    }
    let about = ply.checked_sub(1).map_or_else(String::new, |index| game.number_of(index).to_string());
    let last = game.moves.len().checked_sub(1).and_then(|index| {
        Some(format!("; the last move on record is {} {}", game.number_of(index), game.moves.get(index)?.numeric))
    });
    Some(format!(
        "It answers a notice about {about}, and that is past: now {} of {} is due{}.",
        game.due(),
        game.player(game.to_move()).name,
        last.unwrap_or_default()
    ))
}

/// What he writes below the command speaks against it.
fn taken_back(said: &Said) -> Option<String> {
    said.doubt.as_ref().map(|words| format!("below it you write: \"{words}\""))
}

pub(super) fn second_word(doubts: &[String], said: &Said) -> String {
    format!("{}\nNothing was done. If you want it all the same, reply  yes {}", doubts.join("\n"), said.line)
}

fn done(plan: &Plan) -> &'static str {
    if plan.is_drafted() { "and drafted" } else { "to be drafted later" }
}
