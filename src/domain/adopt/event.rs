//! One event has one start and one time control, whichever of its mails state them.

use chrono::NaiveDate;

use super::Head;
use crate::domain::clock::rules::TimeControl;
use crate::domain::game::is_same_event;
use crate::domain::start_letter::{Letter, Stated};

/// What an event's start letter says of all its games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventFacts {
    /// The event's code or name.
    pub event: String,
    /// Its start, if it is stated in one way.
    pub start: Option<NaiveDate>,
    /// Its time control.
    pub control: Option<TimeControl>,
}

impl EventFacts {
    /// The facts of a letter that names its event.
    pub fn of(letter: &Letter) -> Option<EventFacts> {
        let start = match letter.start {
            Stated::Once(day) => Some(day),
            Stated::Nowhere | Stated::Twice(..) => None,
        };
        Some(EventFacts { event: letter.event.clone()?, start, control: letter.control })
    }
}

/// Gives the heads of one event's scores the start and the time control of its letter, or else those that most of them state. Returns, for
/// each head whose own were others, its place and a sentence.
pub fn unify(heads: &mut [(String, &mut Head)], letters: &[EventFacts]) -> Vec<(usize, String)> {
    let mut told = Vec::new();
    let mut done: Vec<String> = Vec::new();
    let events: Vec<String> = heads.iter().map(|(event, _)| event.clone()).filter(|event| !event.is_empty()).collect();
    for event in events {
        if done.iter().any(|other| is_same_event(other, &event)) {
            continue;
        }
        let letter = letters.iter().find(|facts| is_same_event(&facts.event, &event));
        let of_event = || heads.iter().filter(|(other, _)| is_same_event(other, &event));
        let control = letter
            .and_then(|facts| facts.control)
            .or_else(|| most(of_event().filter_map(|(_, head)| head.control).collect()));
        let start = letter
            .and_then(|facts| facts.start)
            .or_else(|| most(of_event().filter_map(|(_, head)| head.start).collect()));
        let by = if letter.is_some() { "its start letter" } else { "other games" };
        for (place, (_, head)) in heads.iter_mut().enumerate().filter(|(_, (other, _))| is_same_event(other, &event)) {
            if let Some((own, all)) = head.control.zip(control).filter(|(own, all)| own != all) {
                let (own, all) = (own.words(), all.words());
                told.push((place, format!("{own} is stated, and by {by} {event} has {all}, which counts")));
            }
            if let Some((own, all)) = head.start.zip(start).filter(|(own, all)| own != all) {
                told.push((
                    place,
                    format!("the start {own} is stated, and by {by} {event} began on {all}, which counts"),
                ));
            }
            (head.control, head.start) = (control.or(head.control), start.or(head.start));
        }
        done.push(event);
    }
    told
}

/// The value that stands there most often; of those that do the first.
fn most<T: PartialEq + Copy>(all: Vec<T>) -> Option<T> {
    let count = |one: &T| all.iter().filter(|other| *other == one).count();
    let longest = all.iter().map(count).max()?;
    all.iter().find(|one| count(one) == longest).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(control: Option<u32>, start: Option<&str>) -> Head {
        let control = control.map(|days| TimeControl::cumulative(10, days));
        Head { control, start: start.map(|day| day.parse().unwrap()), ..Head::default() }
    }

    fn unified(heads: &mut [Head], letters: &[EventFacts]) -> Vec<String> {
        let mut named: Vec<_> = heads.iter_mut().map(|head| ("EM-1".to_owned(), head)).collect();
        unify(&mut named, letters).into_iter().map(|(place, words)| format!("{place}: {words}")).collect()
    }

    #[test]
    fn what_one_mail_states_of_an_event_holds_for_all_its_games() {
        let mut heads = [head(None, None), head(Some(50), Some("2004-09-15")), head(None, None)];
        assert_eq!(unified(&mut heads, &[]), [""; 0]);
        assert_eq!(heads, [(); 3].map(|()| head(Some(50), Some("2004-09-15"))));
    }

    #[test]
    fn the_letter_goes_before_the_mails_and_what_differs_is_told() {
        let mut heads = [head(Some(50), None), head(Some(60), None), head(Some(50), None)];
        let told = unified(&mut heads, &[]);
        assert_eq!(told.len(), 1);
        assert!(told[0].starts_with("1: ") && told[0].contains("by other games EM-1 has"), "{told:?}");
        let control = Some(TimeControl::cumulative(10, 40));
        let letter = EventFacts { event: "em-1".to_owned(), start: "2004-10-01".parse().ok(), control };
        assert_eq!(unified(&mut heads, &[letter]).len(), 3);
        assert_eq!(heads[0], head(Some(40), Some("2004-10-01")));
    }
}
