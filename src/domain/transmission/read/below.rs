//! What words right below a move on record say: they date that move, and not the new one.

use super::Frame;
use super::gather::Draft;
use super::labels::{Labels, Meaning};

/// The labels without those of moves on record, which stand right below one of them and above another move. Below the reader's last
/// move, "received" is the writer's receipt of it, and what was sent is that move.
pub(super) fn of_new_move(labels: &Labels, drafts: &[Draft], frame: &Frame<'_>) -> Labels {
    let mut out = labels.clone();
    let mut below: Option<(&Draft, usize)> = None;
    let (mut of_last, mut of_others): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for line in &labels.lines {
        let above = drafts.iter().rfind(|draft| draft.claim.line + 1 == *line).map(|draft| (draft, *line));
        below = above.or(below.filter(|(_, last)| last + 1 == *line).map(|(draft, _)| (draft, *line)));
        let Some((draft, _)) = below.filter(|(draft, _)| !draft.is_new(frame)) else { continue };
        if drafts.iter().any(|other| other.claim.line > *line) {
            if draft.is_last(frame) { &mut of_last } else { &mut of_others }.push(*line);
        }
    }
    // "received 22.10., sent 23.10." is how the reader came by it and answered: the whole row is his
    let meanings = || labels.mentions.iter().filter(|m| of_last.contains(&m.line)).map(|m| m.meaning);
    let first = |meaning| meanings().position(|other| other == meaning);
    if first(Meaning::Received).zip(first(Meaning::Sent)).is_some_and(|(received, sent)| received < sent) {
        of_others.append(&mut of_last.clone());
    }
    out.mentions.retain(|mention| !of_others.contains(&mention.line));
    out.figures.retain(|figure| !of_others.contains(&figure.line) && !of_last.contains(&figure.line));
    for mention in out.mentions.iter_mut().filter(|mention| of_last.contains(&mention.line)) {
        if mention.meaning == Meaning::Sent {
            mention.meaning = Meaning::Ours;
        }
    }
    out
}
