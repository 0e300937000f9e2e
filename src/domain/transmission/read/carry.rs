//! A label that ends its line and has its value on the line below: `Tot` above `14`.

use super::items::{Item, items};
use super::lex::Placed;
use super::vocabulary::Label;

/// What a label can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A date.
    Date,
    /// A number of days.
    Number,
}

impl Kind {
    /// The kind of the first value of a line of nothing but values, where it is the only one of its kind and has no label; `None` for
    /// any other line.
    pub(super) fn of_values(tokens: &[Placed], text: &str) -> Option<Kind> {
        let items = items(tokens, text);
        let first = items.first()?;
        let kind = [Kind::Date, Kind::Number].into_iter().find(|kind| kind.is_value(first))?;
        let fits = |item: &Item| match item {
            Item::Label(label) => !kind.fits(*label),
            Item::Date(_) | Item::Pair(..) | Item::Number(_) => true,
            Item::Comma(_) | Item::Slash | Item::And | Item::Stop => true,
            _ => false,
        };
        let is_one = items.iter().filter(|item| kind.is_value(item)).count() == 1;
        (is_one && items.iter().all(fits)).then_some(kind)
    }

    fn is_value(self, item: &Item) -> bool {
        matches!((self, item), (Kind::Date, Item::Date(_) | Item::Pair(..)) | (Kind::Number, Item::Number(_)))
    }

    fn fits(self, label: Label) -> bool {
        match self {
            Kind::Date => label.is_of_date(),
            Kind::Number => label.is_of_number(),
        }
    }
}

/// Takes the label off a line that ends with it and has fewer values of its kind than labels: its value stands below.
pub(super) fn hand_on(items: &mut Vec<Item>, kind: Kind) -> Vec<Item> {
    let ends = matches!(items.last(), Some(Item::Label(label)) if kind.fits(*label));
    let labels = items.iter().filter(|item| matches!(item, Item::Label(label) if kind.fits(*label))).count();
    let values = items.iter().filter(|item| kind.is_value(item)).count();
    // labels of dates alone on their line wait as a whole
    let is_mixed = kind == Kind::Number || values > 0;
    if ends && is_mixed && labels > values { items.pop().into_iter().collect() } else { Vec::new() }
}
