//! HTML to text, and text to own words and quotations: every line is kept, as one or the other.
#![no_main]

use amici::mail::html::to_text;
use amici::mail::quote::split;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let shown = to_text(text);
    for text in [Some(text), shown.as_deref()].into_iter().flatten() {
        let lines = split(text).lines;
        assert!(lines.windows(2).all(|pair| pair[0].number < pair[1].number));
        assert!(lines.iter().all(|line| text.contains(line.text)));
    }
});
