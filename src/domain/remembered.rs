//! What was made of texts a moment ago: the same lines and words of a mail are asked for again and again.

use std::cell::RefCell;
use std::collections::HashMap;

/// What was made of each text, up to so many of them; then it begins anew.
pub(crate) struct Remembered<V> {
    known: RefCell<HashMap<String, V>>,
    most: usize,
}

impl<V: Clone> Remembered<V> {
    /// Nothing yet, and at most so many.
    pub(crate) fn at_most(most: usize) -> Remembered<V> {
        Remembered { known: RefCell::default(), most }
    }

    /// What was made of the text, or is made of it now.
    pub(crate) fn get(&self, text: &str, make: impl FnOnce(&str) -> V) -> V {
        if let Some(made) = self.known.borrow().get(text) {
            return made.clone();
        }
        let made = make(text);
        let mut known = self.known.borrow_mut();
        if known.len() >= self.most {
            known.clear();
        }
        known.insert(text.to_owned(), made.clone());
        made
    }
}
