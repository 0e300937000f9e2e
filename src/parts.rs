//! Long lists, shared among the processors.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

/// What `work` makes of each part of a list, in the order of the parts: one part for each processor, but none shorter than `least`.
/// There is one part at least, which is worked on here.
///
/// # Panics
/// Only where `work` does.
pub(crate) fn in_parts<'a, T: Sync, R: Send>(
    items: &'a [T],
    least: usize,
    work: impl Fn(&'a [T]) -> R + Sync,
) -> Vec<R> {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let parts = processors.min(items.len() / least.max(1)).max(1);
    let (first, others) = items.split_at(items.len().div_ceil(parts));
    thread::scope(|scope| {
        let others = others.chunks(first.len().max(1)).map(|part| scope.spawn(|| work(part)));
        let others: Vec<_> = others.collect();
        let first = std::iter::once(work(first));
        first.chain(others.into_iter().map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic)))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once_and_in_its_order() {
        for length in [0, 1, 2, 3, 7, 8, 9, 100] {
            let items: Vec<usize> = (0..length).collect();
            for least in [0, 1, 4, 1000] {
                let parts = in_parts(&items, least, <[usize]>::to_vec);
                assert_eq!(parts.concat(), items, "{length} by {least}");
                assert!(!parts.is_empty() && (least < 1000 || parts.len() == 1));
            }
        }
    }
}
