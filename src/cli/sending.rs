//! How far the player's own moves got, as `show` tells it: chosen, drafted, sent, acknowledged, or what went wrong on the way.

use super::Failure;
use super::line::RESEND;
use crate::domain::clock::again::{Lost, Sign};
use crate::domain::game::Game;
use crate::io::store::{Returned, Store, WatchedGame};
use crate::languages::Language;
use crate::letters::not_counted;
use crate::mail::bounce;

/// What is known of the sending in one game.
pub(super) struct Sending {
    /// The flags of `status`.
    pub(super) flags: Vec<&'static str>,
    came_back: Vec<Returned>,
    lost: Option<Lost>,
}

impl Sending {
    /// `lost` is what shows that he may not have the last move.
    pub(super) async fn load(store: &mut Store, watched: &WatchedGame, lost: Option<Lost>) -> Result<Sending, Failure> {
        let game = &watched.stored.game;
        let mut flags: Vec<&'static str> = Vec::new();
        if game.plan.as_ref().is_some_and(|plan| plan.is_drafted()) {
            flags.push("draft");
        }
        flags.extend(store.sending_flags().await?.into_iter().filter(|(id, _)| *id == game.id).map(|(_, flag)| flag));
        if watched.seen_sent {
            flags.push("sent");
        }
        if lost.is_some_and(|lost| lost.sign == Sign::Missed && lost.again.is_none()) {
            flags.push(RESEND);
        }
        let mut came_back = store.returned(&game.id).await?;
        came_back.retain(|report| report.open || report.delayed);
        Ok(Sending { flags, came_back, lost })
    }

    /// How far an own ply got; `None` for the opponent's.
    pub(super) fn state_of(&self, game: &Game, index: usize) -> Option<&'static str> {
        let is_mine = game.number_of(index).side == game.me;
        let ply = u32::try_from(index + 1).ok()?;
        let bounced = self.came_back.iter().any(|report| report.open && report.ply == ply);
        is_mine.then_some(match (index + 1 < game.moves.len(), bounced) {
            (true, _) => "acknowledged",
            (false, true) => "bounced",
            (false, false) => "sent",
        })
    }

    /// A line for each thing that is not as it should be.
    pub(super) fn in_words(&self, game: &Game) -> String {
        let id = &game.id;
        let mut text = String::new();
        for flag in &self.flags {
            let line = match *flag {
                "sent-differs" => "You sent another move than you had planned; the sent one is on record.",
                "sent-illegal" => "YOU SENT NO LEGAL MOVE: correct it at once; your clock runs.",
                "sent-twice" => "YOU SENT TWO DIFFERENT MOVES: the first one stands; tell him so.",
                "sent-review" => "A mail of yours to him may hold a move: amici review",
                "misread" => "HE READ ANOTHER MOVE than the one you sent: amici review",
                _ => continue,
            };
            text.push_str(line);
            text.push('\n');
        }
        match self.lost {
            Some(Lost { sign: Sign::Missed, shown, again: None }) => text.push_str(&format!(
                "HE MAY NOT HAVE YOUR LAST MOVE: he repeated his own on {shown}. Send yours again:  amici repeat {id}\n"
            )),
            lost => text.extend(lost.and_then(|lost| not_counted(&game.id, lost, Language::English))),
        }
        if let Some(lost) = Lost::of(game, game.moves.len()) {
            text.push_str(&format!("Note: {lost}. If it is not so:  amici repeat {id} --undo\n"));
        }
        for report in &self.came_back {
            let to = report.recipient.as_deref().unwrap_or("him");
            let why = report.status.as_deref().map(bounce::in_words).unwrap_or_default();
            text.push_str(&match report.open {
                true => format!("YOUR MOVE DID NOT REACH HIM: the mail to {to} came back{why}.\n"),
                false => format!("Your mail to {to} was delayed{why}.\n"),
            });
        }
        text
    }
}
