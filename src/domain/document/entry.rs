//! A game as it stands in a document, and as the program has it.

use super::{GameDocument, MoveDocument};
use crate::domain::game::{Game, MoveRecord, Stated};

impl From<GameDocument> for Game {
    fn from(entry: GameDocument) -> Game {
        let record = |m: MoveDocument| {
            let sent = m.sent.filter(|_| !m.sent_is_of_header);
            let claimed = Stated { received: m.received, sent, days: m.days, total: m.total };
            MoveRecord { numeric: m.numeric, claimed, observed: m.observed, agreed: m.agreed }
        };
        Game {
            id: entry.id,
            event: entry.event,
            site: entry.site,
            tags: entry.tags,
            white: entry.white,
            black: entry.black,
            me: entry.me,
            start_date: entry.start_date,
            start_fen: entry.start_fen,
            rules: entry.rules,
            notations: entry.notations,
            moves: entry.moves.into_iter().map(record).collect(),
            plan: None,
            draw_offer: entry.draw_offer,
            conditionals: entry.conditionals,
            leaves: entry.leaves,
            clock_notes: entry.clock_notes,
            illegal: entry.illegal,
            illegal_mails: Vec::new(),
            result: entry.result,
            last_message_id: entry.last_message_id,
            seen_message_ids: entry.seen_message_ids,
        }
    }
}

impl From<&Game> for GameDocument {
    fn from(game: &Game) -> GameDocument {
        let entry = |m: &MoveRecord| MoveDocument {
            numeric: m.numeric,
            received: m.claimed.received,
            sent: m.claimed.sent.or(m.observed.sent),
            days: m.claimed.days,
            total: m.claimed.total,
            sent_is_of_header: m.claimed.sent.is_none() && m.observed.sent.is_some(),
            observed: m.observed,
            agreed: m.agreed,
        };
        GameDocument {
            id: game.id.clone(),
            event: game.event.clone(),
            site: game.site.clone(),
            tags: game.tags.clone(),
            white: game.white.clone(),
            black: game.black.clone(),
            me: game.me,
            start_date: game.start_date,
            start_fen: game.start_fen.clone(),
            rules: game.rules.clone(),
            notations: game.notations.clone(),
            moves: game.moves.iter().map(entry).collect(),
            draw_offer: game.draw_offer,
            conditionals: game.conditionals.clone(),
            leaves: game.leaves.clone(),
            clock_notes: game.clock_notes.clone(),
            illegal: game.illegal.clone(),
            result: game.result,
            last_message_id: game.last_message_id.clone(),
            seen_message_ids: game.seen_message_ids.clone(),
        }
    }
}
