//! What a command settles of a mail that waits for the player: the move that he reads in it, a question, or that it is put away.

use super::act::{Desk, Done, Stop, letter, second_word};
use crate::intake::held::{Entry, OWN, entry};
use crate::io::store::{Commanded, Held, StoredGame};
use crate::letters::answer_mark;

impl Desk<'_, '_> {
    /// The mail that is meant: that of the notice which he answers, or the only one of the game.
    async fn entry(&mut self) -> Result<Entry, Stop> {
        let game = &self.thread.game.id;
        let mut held: Vec<Held> = self.store.held().await?;
        held.retain(|held| held.game.as_ref() == Some(game) && held.outcome != OWN);
        if let Some(mail) = self.mail {
            held.retain(|held| held.mail == mail);
        }
        match <[Held; 1]>::try_from(held) {
            Ok([held]) => Ok(entry(self.store, self.around.me, held).await?),
            Err(none) if none.is_empty() => Err(Stop::NotDone(format!("No such mail waits for you in game {game}."))),
            Err(_) => Err(Stop::NotDone(format!(
                "Several mails wait for you in game {game}: reply to the notice of the one that you mean."
            ))),
        }
    }

    /// The legal move that the notice gives under this number goes on record.
    pub(super) async fn reading(&mut self, number: usize) -> Result<Done, Stop> {
        let entry = self.entry().await?;
        Stop::at(entry.obstacle())?;
        let mail = entry.held.mail;
        let numeric = number.checked_sub(1).and_then(|index| entry.held.candidates.get(index)).copied();
        let candidate = numeric.and_then(|numeric| entry.candidate(numeric));
        let Some(candidate) = candidate else {
            return Err(Stop::NotDone(format!("The notice of mail {mail} offers no reading {number}.")));
        };
        if let Some(objection) = entry.objection().filter(|_| !self.said.yes) {
            return Err(Stop::AskedBack(second_word(&[objection], self.said), Some(candidate.numeric)));
        }
        let at_his_desk = |why: String| {
            let game = &self.thread.game.id;
            Stop::NotDone(format!(
                "It cannot be recorded so: {why}. Say the right days at your computer:  amici accept {game} {} --mail {mail} --received DATE --sent DATE",
                candidate.numeric
            ))
        };
        let (new, event) = entry.taken(candidate.record, candidate.draw_offer).map_err(at_his_desk)?;
        let mut after: StoredGame = self.thread.clone();
        let due = after.game.with_plan_recorded().due();
        after.game = after.game.with_plan_recorded();
        after.game.moves.push(new.record);
        let what = format!("{due} {} ({}) is on record, on your word", candidate.numeric, candidate.san);
        let sent = new.record.claimed.sent.or(new.record.observed.sent);
        let dates = [("received", new.record.claimed.received), ("sent", sent)];
        let dates = dates.into_iter().filter_map(|(what, day)| Some(format!(", {what} {}", day?))).collect::<String>();
        let differs: String = candidate
            .discrepancies
            .iter()
            .map(|line| format!("\n{}", line.in_words(self.around.me.language)))
            .collect();
        let text = format!(
            "{what}, from mail {mail}{dates}.{differs}\n\nYour answer: reply to this mail with your move.\nCode for this move: {}",
            answer_mark(self.around.key, &after.game)
        );
        let headline = format!("recorded: {due} {} ({})", candidate.numeric, candidate.san);
        let told = letter(self.around, Some(&after), &headline, &text, None, false)?;
        let settle = Commanded::Settle { verdict: entry.held.verdict, read: Some(Box::new(new)), event };
        Ok(Done { what, commanded: Some(settle), outgoing: vec![told] })
    }

    /// A question to the opponent, drafted in his language; it is the answer to the command.
    pub(super) async fn ask(&mut self) -> Result<Done, Stop> {
        let entry = self.entry().await?;
        let thread = entry.can_be_asked().map_err(Stop::NotDone)?;
        let language = self.around.me.styles.of(thread.game.opponent()).language;
        let (me, now) = (self.around.me, self.around.now);
        let text = entry.question_text(&thread.game, language, me, now)?;
        let (question, event) = entry.question(thread, text, me, now)?;
        let letter = question.into_notice(Some(thread.game.id.clone()));
        let what = format!("a question about mail {} was drafted", entry.held.mail);
        let ask = Commanded::Ask { verdict: entry.held.verdict, letter, event };
        Ok(Done { what, commanded: Some(ask), outgoing: Vec::new() })
    }

    /// The mail is put away; nothing goes on record.
    pub(super) async fn ignore(&mut self) -> Result<Done, Stop> {
        let entry = self.entry().await?;
        let mail = entry.held.mail;
        let id = &self.thread.game.id;
        let text = format!(
            "Mail {mail} is put away; nothing was recorded. It stays in your mailbox. If it was his move after all:\n\n    \
             amici accept {id} MOVE --mail {mail}"
        );
        let told = letter(self.around, Some(self.thread), &format!("put away: mail {mail}"), &text, None, false)?;
        let event = entry.held.put_away();
        let what = event.text.clone();
        let settle = Commanded::Settle { verdict: entry.held.verdict, read: None, event };
        Ok(Done { what, commanded: Some(settle), outgoing: vec![told] })
    }
}
