//! Text as the words of a mail: reading ends, gives the same twice, and names only lines that are there.
#![no_main]

use amici::domain::transmission::read::{Frame, Known, Line, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let lines: Vec<Line<'_>> = text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect();
    let day = |text: &str| text.parse().ok();
    let known: Vec<Known> =
        (0..12).map(|ply| Known { received: day("2004-09-20"), sent: day("2004-09-25"), total: Some(ply) }).collect();
    let frame = Frame { known: &known, start: day("2004-09-01"), latest: day("2004-10-30"), ..Frame::default() };
    let reading = read(&lines, &frame);
    assert!(reading.claims.iter().all(|claim| claim.line <= lines.len()));
    assert_eq!(format!("{reading:?}"), format!("{:?}", read(&lines, &frame)));
});
