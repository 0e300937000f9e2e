//! A table of words that the build script makes and the program only looks into: nothing is built when a mail is read, and nothing of
//! it lies in memory but the pages that were looked at.
//!
//! A text of lines, each a key, a tabulator and what belongs to it; and an index, the places of these lines by the hash of their keys.

/// The bytes of one place in the index.
const SLOT: usize = 4;

/// Lines that are found by their keys.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table {
    lines: &'static str,
    /// For each hash the beginning of a line, counted from one; zero where there is none. A line whose place is taken stands in the next.
    index: &'static [u8],
}

impl Table {
    /// Of what [`index`] made of the same lines.
    pub(crate) const fn new(lines: &'static str, index: &'static [u8]) -> Table {
        Table { lines, index }
    }

    /// What belongs to the key that these parts make together.
    pub(crate) fn find(&self, key: &[&str]) -> Option<&'static str> {
        // a power of two
        let last = (self.index.len() / SLOT).checked_sub(1)?;
        let first = hash(key) as usize;
        for step in 0..=last {
            let line = self.line((first + step) & last)?;
            let behind = key.iter().try_fold(line, |rest, part| rest.strip_prefix(part));
            if let Some(found) = behind.and_then(|rest| rest.strip_prefix('\t')) {
                let is_key = !key.iter().any(|part| part.contains('\t'));
                return found.split('\n').next().filter(|_| is_key);
            }
        }
        None
    }

    /// The lines from the one at this place of the index on.
    fn line(&self, slot: usize) -> Option<&'static str> {
        let place = self.index.get(slot * SLOT..)?.first_chunk::<SLOT>()?;
        let at = usize::try_from(u32::from_le_bytes(*place)).ok()?.checked_sub(1)?;
        self.lines.get(at..)
    }

    /// All lines.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &'static str> {
        self.lines.lines()
    }
}

/// FNV-1a of the parts one behind the other.
fn hash(key: &[&str]) -> u32 {
    let bytes = key.iter().flat_map(|part| part.bytes());
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The index of these lines, at most half full; `None` where they are too long for it.
pub(crate) fn index(lines: &str) -> Option<Vec<u8>> {
    let slots = (2 * lines.lines().count()).next_power_of_two();
    let mut places = vec![0_u32; slots];
    let mut at = 1_usize;
    for line in lines.split_inclusive('\n') {
        let (key, _) = line.split_once('\t')?;
        let mut slot = hash(&[key]) as usize % slots;
        while places.get(slot).is_some_and(|place| *place != 0) {
            slot = (slot + 1) % slots;
        }
        *places.get_mut(slot)? = u32::try_from(at).ok()?;
        at += line.len();
    }
    Some(places.into_iter().flat_map(u32::to_le_bytes).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(lines: &'static str) -> Table {
        Table::new(lines, Box::leak(index(lines).unwrap().into_boxed_slice()))
    }

    #[test]
    fn every_line_is_found_by_its_key_and_by_the_parts_of_it() {
        let lines: String = (0..500).map(|n| format!("word{n}\t{n}\n")).collect();
        let table = table(Box::leak(lines.into_boxed_str()));
        for n in 0..500 {
            assert_eq!(table.find(&[&format!("word{n}")]), Some(n.to_string().as_str()));
            assert_eq!(table.find(&["wo", "rd", &n.to_string()]), Some(n.to_string().as_str()));
        }
        assert_eq!(table.find(&["word500"]), None);
    }

    #[test]
    fn nothing_but_a_whole_key_is_found() {
        let table = table("draw\t1\twith\t2\ndraw offer\t3\n");
        assert_eq!(table.find(&["draw", " ", "offer"]), Some("3"));
        for key in ["", "dra", "draws", "draw\t1", "draw\t1\twith", "draw offer\t3\n"] {
            assert_eq!(table.find(&[key]), None, "{key:?}");
        }
        assert_eq!(Table::new("", &[]).find(&["draw"]), None);
    }
}
