//! Carries a command out: the draft that it makes or drops, and the one mail that answers it.

use chrono::Days;

use super::tie::Tied;
use super::words::{Command, MoveWords, Said, Until};
use super::{Around, Heard};
use crate::choice::announce::announcement;
use crate::choice::draft::{days_line, drafted};
use crate::choice::{Hold, Refusal, Wish, choose};
use crate::domain::game::Plan;
use crate::domain::notation::{NumericMove, san};
use crate::intake::IntakeError;
use crate::intake::table::his_table;
use crate::intake::unsettled::unsettled;
use crate::io::store::{Commanded, EventRow, OutboxState, Outgoing, ReleaseRow, Store, StoredGame, VerdictRow};
use crate::letters::{self, Ending, Errand, LetterError, Reply, Tells, Whom, paragraph_of};
use crate::mail::address::Address;

/// A command with what it is carried out on.
pub(super) struct Desk<'s, 'a> {
    pub(super) store: &'s mut Store,
    pub(super) around: Around<'a>,
    /// The sender was not believed: the mail waits for the player's look.
    pub(super) refused: bool,
}

impl Desk<'_, '_> {
    /// Does what was said, or says why not.
    pub(super) async fn carry_out(&mut self, tied: Tied, said: Result<Said, String>) -> Result<Heard, IntakeError> {
        let (thread, ply) = match &tied {
            Tied::To(thread, ply) => (thread, *ply),
            Tied::Torn(one, other) => {
                let why = format!("It answers a notice of game {} and carries the code of game {}.", one, other);
                return self.not_done(None, said.as_ref().ok(), &why);
            }
            Tied::Loose => {
                let why = "Nothing in it shows that it answers a notice of mine: reply to the notice itself, or leave the code of the \
                           move in your mail, as the notice shows it.";
                return self.not_done(None, said.as_ref().ok(), why);
            }
        };
        let said = match said {
            Ok(said) => said,
            Err(why) => return self.not_done(Some(thread), None, &format!("No command was found: {why}.")),
        };
        if let Some(why) = past(thread, ply) {
            return self.not_done(Some(thread), Some(&said), &why);
        }
        let command = match &said.command {
            Ok(command) => command.clone(),
            Err(why) => return self.not_done(Some(thread), Some(&said), &format!("It is no command: {why}.")),
        };
        if let Some(why) = self.on_its_way(thread).await? {
            return self.not_done(Some(thread), Some(&said), &why);
        }
        if let Some(why) = taken_back(&said).filter(|_| !said.yes && !matches!(command, Command::Move(_))) {
            return self.asked_back(thread, &said, &second_word(&[why], &said), None);
        }
        match command {
            Command::Move(words) => self.choose(thread, &said, &words, said.yes).await,
            Command::Undo => self.undo(thread, &said),
            Command::Hold(hold) => self.again(thread, &said, Some(hold)).await,
            Command::Resend => self.again(thread, &said, None).await,
            Command::Announce(until) => self.announce(thread, &said, until).await,
            Command::Accept => self.accept(thread, &said),
            Command::Resign(named) => self.resign(thread, &said, named.as_deref()),
        }
    }

    /// A mail with the chosen move that is released, or may have arrived: nothing about the move is changed by mail any more.
    async fn on_its_way(&mut self, thread: &StoredGame) -> Result<Option<String>, IntakeError> {
        let game = &thread.game.id;
        let on_its_way = |row: &ReleaseRow| row.game == *game && row.state != OutboxState::Failed;
        let row = self.store.released().await?.into_iter().find(on_its_way);
        Ok(row.map(|_| {
            format!("The move of game {game} is released to be sent; `amici undo {game}` recalls it while it waits.")
        }))
    }

    async fn choose(
        &mut self,
        thread: &StoredGame,
        said: &Said,
        words: &MoveWords,
        yes: bool,
    ) -> Result<Heard, IntakeError> {
        let game = &thread.game;
        let around = self.around;
        if let Some(why) = self.store.clock_doubt(around.now).await? {
            return self.not_done(Some(thread), Some(said), &format!("A draft is dated, and {why}; {}", why.help()));
        }
        let now = around.me.moment(around.now);
        let ledger = around.me.ledger(game);
        let ledger = ledger.map_err(|e| LetterError::Game { game: game.id.clone(), why: e.to_string() })?;
        let wish = Wish { text: &words.text, lines: &words.lines, draw: words.draw, comment: words.say.as_deref() };
        let choice = match choose(&wish, game, &ledger, now) {
            Ok(choice) => choice,
            Err(refusal) => {
                let others = match refusal {
                    Refusal::NoMove(_) => self.store.games_to_move().await?,
                    _ => Vec::new(),
                };
                let refusal = refusal.with_others(wish.text, game, &others);
                return self.not_done(Some(thread), Some(said), &refusal.to_string());
            }
        };
        let of_choice = taken_back(said).into_iter().chain(choice.doubts.iter().cloned()).filter(|_| !yes);
        let held = unsettled(self.store, thread, around.me.timezone).await?;
        let doubts: Vec<String> = of_choice.chain(held.into_iter().filter(|_| !said.yes)).collect();
        if !doubts.is_empty() {
            let why = format!("{}\n{}", choice.echo.trim_end(), second_word(&doubts, said));
            return self.asked_back(thread, said, &why, Some(choice.numeric));
        }
        let held_until = words.hold.map(|hold: Hold| hold.until(around.now));
        let table = his_table(self.store, thread).await?;
        let made = match drafted(thread, &choice, held_until, &table, around.key, around.me, around.now) {
            Ok(made) => made,
            // his own template, or his words: he can mend either
            Err(error @ (LetterError::Form(_) | LetterError::Misread { .. })) => {
                return self.not_done(Some(thread), Some(said), &error.to_string());
            }
            Err(error) => return Err(error.into()),
        };
        let chosen = match game.replay() {
            Ok(replay) => format!("{} ({})", choice.numeric, san(replay.position(), &choice.legal.played)),
            Err(_) => choice.numeric.to_string(),
        };
        let event = format!("your mail `{}`: planned {} {chosen}, {}", said.line, game.due(), done(&made.plan));
        let mut outgoing = Vec::new();
        if let Some(until) = held_until {
            let until = until.with_timezone(&around.me.timezone).format("%a %d %b %Y %H:%M");
            let text = format!(
                "{}{}It is kept, and not drafted before {until}: look at it again. Your clock runs.\nTo drop it, reply  undo\n",
                choice.echo,
                days_line(game, &ledger, &made.plan, now)
            );
            let headline = format!("kept until {until}: {} {}", game.due(), choice.numeric);
            outgoing.push(self.letter(thread, &headline, &paragraph_of(&text), Some(choice.numeric), false)?);
        }
        let plan = Commanded::Plan {
            game: game.id.clone(),
            expected_plies: made.expected_plies,
            plan: Box::new(made.plan),
            draft: made.letter,
        };
        Ok(self.heard(Some(thread), event, Some(plan), outgoing))
    }

    /// The chosen move once more: after a pause, or at once with the dates of today.
    async fn again(&mut self, thread: &StoredGame, said: &Said, hold: Option<Hold>) -> Result<Heard, IntakeError> {
        let Some(plan) = &thread.game.plan else {
            return self.not_done(Some(thread), Some(said), &format!("No move is chosen in game {}.", thread.game.id));
        };
        let line = |line: &Vec<NumericMove>| line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let words = MoveWords {
            text: plan.numeric.to_string(),
            lines: plan.conditionals.iter().map(line).collect(),
            draw: plan.draw_offer,
            hold,
            say: plan.comment.clone(),
        };
        // what spoke against it was answered when it was chosen, but for a mail that came since
        self.choose(thread, said, &words, true).await
    }

    fn undo(&mut self, thread: &StoredGame, said: &Said) -> Result<Heard, IntakeError> {
        let game = &thread.game;
        let Some(plan) = &game.plan else {
            return self.not_done(Some(thread), Some(said), &format!("No move is chosen in game {}.", game.id));
        };
        let delivered =
            if plan.is_drafted() { " A draft that you have got stays in your mailbox: do not send it." } else { "" };
        let text = format!("{} {} is dropped.{delivered}", game.due(), plan.numeric);
        let headline = format!("dropped: {} {}", game.due(), plan.numeric);
        let letter = self.letter(thread, &headline, &paragraph_of(&text), None, false)?;
        let event = format!("your mail `{}`: {} {} was dropped", said.line, game.due(), plan.numeric);
        let undo = Commanded::Undo { game: game.id.clone() };
        Ok(self.heard(Some(thread), event, Some(undo), vec![letter]))
    }

    async fn announce(&mut self, thread: &StoredGame, said: &Said, until: Until) -> Result<Heard, IntakeError> {
        let (game, Around { me, now, .. }) = (&thread.game, self.around);
        let broken = |why: String| LetterError::Game { game: game.id.clone(), why };
        if let Some(why) = self.store.clock_doubt(now).await? {
            return self.not_done(
                Some(thread),
                Some(said),
                &format!("An announcement is dated, and {why}; {}", why.help()),
            );
        }
        let today = now.with_timezone(&me.timezone).date_naive();
        let until = match until {
            Until::Days(days) => today.checked_add_days(Days::new(days.into())).unwrap_or(today),
            Until::Day(day) => day,
        };
        let ledger = me.ledger(game).map_err(|e| broken(e.to_string()))?;
        let announced = match announcement(game, &ledger, until, today, None) {
            Ok(announced) => announced,
            Err(refusal) => return self.not_done(Some(thread), Some(said), &refusal.to_string()),
        };
        if announced.to_director {
            let why = format!(
                "So long a silence has to be told to the director too: use `amici announce {} --until {until}` at your computer.",
                game.id
            );
            return self.not_done(Some(thread), Some(said), &why);
        }
        if !announced.doubts.is_empty() && !said.yes {
            return self.asked_back(thread, said, &second_word(&announced.doubts, said), None);
        }
        let text = letters::announce_text(game, announced.since, until, None, me)?;
        let label = Tells::LongThought { ply: game.due_ply(), until }.label();
        let errand = Errand {
            label: &label,
            what: "you need longer",
            body: &text,
            to: Whom::Opponent { copy: None },
            hints: &announced.hints,
        };
        let letter = letters::errand(game, &thread.root_message_id, &errand, me, now)?;
        let event =
            format!("your mail `{}`: a letter was drafted, you need until {until} for {}", said.line, game.due());
        Ok(self.heard(Some(thread), event, None, vec![letter.into_notice(Some(game.id.clone()))]))
    }

    fn accept(&mut self, thread: &StoredGame, said: &Said) -> Result<Heard, IntakeError> {
        let game = &thread.game;
        if game.draw_offer != Some(game.me.other()) {
            let why = format!("No offer of a draw by {} is on record in game {}.", game.opponent().name, game.id);
            return self.not_done(Some(thread), Some(said), &why);
        }
        if !said.yes {
            let why = "This ends the game. To have the letter drafted, reply  yes accept";
            return self.asked_back(thread, said, why, None);
        }
        self.ending(thread, said, Ending::AcceptsDraw)
    }

    fn resign(&mut self, thread: &StoredGame, said: &Said, named: Option<&str>) -> Result<Heard, IntakeError> {
        let id = thread.game.id.as_str();
        if let Some(other) = named.filter(|named| !named.eq_ignore_ascii_case(id)) {
            let why = format!("It names `{other}`, and your mail answers a notice of game {id}.");
            return self.not_done(Some(thread), Some(said), &why);
        }
        if !said.yes && named.is_none() {
            let why = format!("This ends the game. To have the letter drafted, reply  yes resign  or  resign {id}");
            return self.asked_back(thread, said, &why, None);
        }
        self.ending(thread, said, Ending::Resigns)
    }

    /// The letter to the opponent, drafted for the player; it is the answer to his command.
    fn ending(&mut self, thread: &StoredGame, said: &Said, ending: Ending) -> Result<Heard, IntakeError> {
        let (game, Around { me, now, .. }) = (&thread.game, self.around);
        let text = ending.text(game, me);
        let hints = [format!("once you have sent it, close the game with `amici result {}`.", game.id)];
        let errand = Errand {
            label: ending.label(),
            what: ending.what(),
            body: &text,
            to: Whom::Opponent { copy: None },
            hints: &hints,
        };
        let letter = letters::errand(game, &thread.root_message_id, &errand, me, now)?;
        let event = format!("your mail `{}`: a letter was drafted, {}", said.line, ending.what());
        Ok(self.heard(Some(thread), event, None, vec![letter.into_notice(Some(game.id.clone()))]))
    }

    /// A mail that says it is from the player, and his own server says that it is not.
    pub(super) fn forged(
        &mut self,
        thread: Option<&StoredGame>,
        from: &Address,
        found: &str,
    ) -> Result<Heard, IntakeError> {
        self.refused = true;
        let why = format!(
            "It says that it is from {from}, and that is not proven: {found}. If you wrote it, use `amici play`."
        );
        self.not_done(thread, None, &why)
    }

    fn not_done(&mut self, thread: Option<&StoredGame>, said: Option<&Said>, why: &str) -> Result<Heard, IntakeError> {
        let understood = said.map(|said| format!("You wrote: {}\n\n", said.line)).unwrap_or_default();
        let text = paragraph_of(&format!("{understood}{why}\nNothing was changed.\n"));
        let letter = match thread {
            Some(thread) => self.letter(thread, "your command was not done", &text, None, true)?,
            None => {
                let Around { sha256, key, me, now, .. } = self.around;
                let reply = Reply { sha256, headline: "your command was not done", said: &text, explain: true };
                letters::answer_to_none(&reply, key, me, now)?.into_notice(None)
            }
        };
        let first = why.lines().next().unwrap_or_default();
        let line = said.map(|said| format!(" `{}`", said.line)).unwrap_or_default();
        Ok(self.heard(thread, format!("your mail{line} was not done: {first}"), None, vec![letter]))
    }

    fn asked_back(
        &mut self,
        thread: &StoredGame,
        said: &Said,
        why: &str,
        played: Option<NumericMove>,
    ) -> Result<Heard, IntakeError> {
        let text = paragraph_of(&format!("You wrote: {}\n\n{why}", said.line));
        let letter = self.letter(thread, "a second word is needed", &text, played, false)?;
        Ok(self.heard(Some(thread), format!("your mail `{}` needs a second word", said.line), None, vec![letter]))
    }

    fn letter(
        &self,
        thread: &StoredGame,
        headline: &str,
        said: &str,
        played: Option<NumericMove>,
        explain: bool,
    ) -> Result<Outgoing, IntakeError> {
        let Around { sha256, key, me, now, .. } = self.around;
        let reply = Reply { sha256, headline, said, explain };
        let letter = letters::answer(&thread.game, &thread.root_message_id, &reply, played, key, me, now)?;
        Ok(letter.into_notice(Some(thread.game.id.clone())))
    }

    fn heard(
        &self,
        thread: Option<&StoredGame>,
        event: String,
        commanded: Option<Commanded>,
        outgoing: Vec<Outgoing>,
    ) -> Heard {
        let game = thread.map(|thread| thread.game.id.clone());
        let verdict = VerdictRow {
            game: game.clone(),
            outcome: if self.refused { "wrong_sender" } else { "own" },
            reason: event.clone(),
            plies: Vec::new(),
            conditionals: Vec::new(),
            stated: Default::default(),
            discrepancies: Vec::new(),
            candidates: Vec::new(),
            open: self.refused,
            read_as: None,
        };
        Heard { verdict, event: EventRow { game, kind: "command".to_owned(), text: event }, commanded, outgoing }
    }
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

fn second_word(doubts: &[String], said: &Said) -> String {
    format!("{}\nNothing was done. If you want it all the same, reply  yes {}", doubts.join("\n"), said.line)
}

fn done(plan: &Plan) -> &'static str {
    if plan.is_drafted() { "and drafted" } else { "to be drafted later" }
}
