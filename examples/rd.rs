use amici::domain::transmission::read::*;
use std::io::Read;
fn main() {
    let mut t = String::new();
    std::io::stdin().read_to_string(&mut t).unwrap();
    let lines: Vec<Line> = t.lines().zip(1..).map(|(text, number)| Line { number, text }).collect();
    let r = read(&lines, &Frame::default());
    for c in &r.claims {
        println!(
            "{:?} {} line{} how{:?} sent={:?} w{} m{} cond{} beside{:?} {:?}",
            c.number.map(|n| n.to_string()),
            c.written,
            c.line,
            c.how,
            c.in_sentence,
            c.weighed,
            c.maybe,
            c.conditional,
            c.beside,
            c.stated
        );
    }
    println!(
        "loose {:?}\nof_reader {:?}\nbad {:?}\nconcerns {:?}\nlabelled {:?} open {}",
        r.loose, r.of_reader, r.bad, r.concerns, r.labelled, r.dates_left_open
    );
}
