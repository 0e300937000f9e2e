//! Makes the weights of the examples: `cargo test --release --lib make_the_weights -- --ignored --nocapture`.
//!
//! Each line of `tests/corpus/sentences/LANGUAGE.tsv` has a sense, a place and a text, parted by tabulators; in a text with the move
//! `#` stands for it, and `@` for every other move. A line of several sentences is an example of each where it is harmless; of a
//! doubtful one the sentence counts that the first weights find most doubtful. In a harmless line of the place `prose` the sign `#` stands
//! for a number that is no move: a postcode, a year, a telephone number.
//!
//! Multinomial logistic regression by stochastic gradient descent with a rate for each weight (Adagrad; Duchi, Hazan and Singer 2011); the
//! weights are the mean of those of several learners, since two that differ by chance alone do not judge alike. Of a harmless text its
//! longest word is an example too: a name that nobody has seen says nothing of a move.

#[cfg(test)]
mod making {
    use std::collections::{BTreeMap, BTreeSet};
    use std::env;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::thread;

    use super::super::features::{Features, Place, Text, Token};
    use super::super::{BUCKETS, Chances, SENSES, Sense, softmax};
    use crate::domain::transmission::read::Line;
    use crate::domain::transmission::read::document::Document;
    use crate::domain::transmission::read::scan::tokens;

    /// Walks over all examples.
    const ROUNDS: usize = 12;
    /// How far a first step goes.
    const RATE: f32 = 0.5;
    /// How much of a weight each step takes away.
    const DECAY: f32 = 1e-4;
    /// The share of its features that an example does without at a step, so that no single one decides (Srivastava and others 2014).
    const DROPPED: f32 = 0.3;
    /// With what each of the learners begins to leave out features (digits of pi).
    const SEEDS: [u64; 4] =
        [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89];
    /// Slopes below this change nothing.
    const FLAT: f32 = 1e-4;

    struct Row {
        language: String,
        sense: Sense,
        place: Place,
        /// Each sentence; the only one where the move stands in it.
        sentences: Vec<Example>,
    }

    struct Example {
        buckets: Vec<u32>,
        unit: f32,
        /// The only word of the text.
        alone: Option<String>,
        /// Its words, which is what a doubt may be said with.
        words: Vec<String>,
    }

    fn sense(name: &str) -> Sense {
        match name {
            "harmless" => Sense::Aside,
            "plays" => Sense::Plays,
            "yours" => Sense::Yours,
            "talk" => Sense::Talk,
            "takes_back" => Sense::TakesBack,
            "denies" => Sense::Denies,
            "weighs" => Sense::Weighs,
            "asks" => Sense::Asks,
            "other" => Sense::Other,
            "old" => Sense::Old,
            "condition" => Sense::Condition,
            other => panic!("no sense {other}"),
        }
    }

    fn place(name: &str) -> Place {
        match name {
            "top" => Place::Top,
            "above" => Place::Above,
            "below" => Place::Below,
            "end" => Place::End,
            "beside" => Place::Beside,
            "prose" => Place::Prose,
            other => panic!("no place {other}"),
        }
    }

    fn example(tokens: &[Token], place: Place) -> Example {
        let features = Features::of(&Text { tokens, place });
        let words: Vec<String> = tokens.iter().filter_map(word).map(str::to_owned).collect();
        let alone = words.first().filter(|_| words.len() == 1).cloned();
        Example { buckets: features.distinct().collect(), unit: features.unit(), alone, words }
    }

    fn word(token: &Token) -> Option<&str> {
        if let Token::Word(word, _) = token { Some(word) } else { None }
    }

    /// The longest word of a text, alone.
    fn longest(text: &[Token]) -> Option<Vec<Token>> {
        let length = |token: &&Token| word(token).map_or(0, |word| word.chars().count());
        let longest = text.iter().max_by_key(length).filter(|token| length(token) > 5)?;
        Some(vec![longest.clone(), Token::Stop])
    }

    /// The rows of a line: one, and where the move stands in its text a second one with a number before it.
    fn row(language: &str, line: &str) -> Vec<Row> {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, place_name, text] = cells.as_slice() else { panic!("{language}: {line}") };
        let (sense, place) = (sense(name), place(place_name));
        // a number with the due number before it is no postcode
        let is_bare = place != Place::Prose || sense == Sense::Aside || text.contains(|c: char| c.is_ascii_digit());
        let numbers: &[&str] = if is_bare { &[""] } else { &["", "12. "] };
        let of = |number: &&str| {
            let text = text.replace('#', &format!("{number}5254")).replace('@', &format!("{number}7163"));
            let lines = [Line { number: 1, text: &text }];
            let document = Document::of(&lines);
            let sentences = match place {
                Place::Prose => {
                    let here = document.pieces.iter().position(|piece| document.written(piece) == "5254");
                    let tokens = tokens(&document, &document.sentences, here);
                    if tokens.contains(&Token::Here) { vec![example(&tokens, place)] } else { Vec::new() }
                }
                _ => {
                    let each = document.sentences.chunks(1).map(|one| tokens(&document, one, None));
                    let alone = |text: &Vec<Token>| longest(text).filter(|_| sense == Sense::Aside);
                    let texts = each.flat_map(|text| [alone(&text), Some(text)]).flatten();
                    texts.map(|text| example(&text, place)).collect()
                }
            };
            Row { language: language.to_owned(), sense, place, sentences }
        };
        numbers.iter().map(of).collect()
    }

    fn rows(folders: &str) -> Vec<Row> {
        let mut out = Vec::new();
        for folder in folders.split(':') {
            let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
            files.retain(|file| file.extension().is_some_and(|end| end == "tsv"));
            files.sort();
            for file in files {
                let language = file.file_stem().unwrap().to_str().unwrap().to_owned();
                let text = fs::read_to_string(&file).unwrap();
                out.extend(text.lines().filter(|line| !line.trim().is_empty()).flat_map(|line| row(&language, line)));
            }
        }
        // a word that some doubt is said with does not stand alone as a harmless one
        let doubts = out.iter().filter(|row| row.sense.doubts()).flat_map(|row| &row.sentences);
        let said: BTreeSet<String> = doubts.flat_map(|one| one.words.iter().cloned()).collect();
        for row in out.iter_mut().filter(|row| row.sense == Sense::Aside) {
            row.sentences.retain(|one| one.alone.as_ref().is_none_or(|word| !said.contains(word)));
        }
        out
    }

    /// The same numbers each time, so that the same examples make the same weights (Knuth's MMIX generator).
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as u32
        }

        /// From 0 to 1.
        fn share(&mut self) -> f32 {
            self.next() as f32 / (1u32 << 31) as f32
        }
    }

    struct Learner {
        weights: Vec<f32>,
        squares: Vec<f32>,
    }

    impl Learner {
        fn new() -> Learner {
            Learner { weights: vec![0.0; BUCKETS * SENSES], squares: vec![1e-3; BUCKETS * SENSES] }
        }

        fn chances(&self, example: &Example) -> Chances {
            self.chances_of(&example.buckets, example.unit)
        }

        fn chances_of(&self, buckets: &[u32], unit: f32) -> Chances {
            let mut sums = [0.0f32; SENSES];
            for bucket in buckets {
                let at = *bucket as usize * SENSES;
                for (sum, weight) in sums.iter_mut().zip(&self.weights[at..at + SENSES]) {
                    *sum += weight;
                }
            }
            Chances(softmax(sums.map(|sum| sum * unit)))
        }

        fn learn(&mut self, example: &Example, sense: Sense, chance: &mut Random) {
            let buckets: Vec<u32> = example.buckets.iter().copied().filter(|_| chance.share() >= DROPPED).collect();
            let unit = (buckets.len().max(1) as f32).sqrt().recip();
            let Chances(chances) = self.chances_of(&buckets, unit);
            let mut slopes = chances;
            slopes[sense as usize] -= 1.0;
            for bucket in &buckets {
                let at = *bucket as usize * SENSES;
                for (of, slope) in slopes.iter().enumerate().filter(|(_, slope)| slope.abs() > FLAT) {
                    let slope = slope * unit + DECAY * self.weights[at + of];
                    self.squares[at + of] += slope * slope;
                    self.weights[at + of] -= RATE * slope / self.squares[at + of].sqrt();
                }
            }
        }

        /// The mean of several, which each leave out other features: what one of them makes of chance is not in the others.
        fn of(rows: &[&Row]) -> Learner {
            let each: Vec<Learner> = thread::scope(|scope| {
                let started = SEEDS.map(|seed| scope.spawn(move || Learner::one(rows, seed)));
                started.into_iter().map(|one| one.join().unwrap()).collect()
            });
            let mut mean = Learner::new();
            for weights in each.iter().map(|one| &one.weights) {
                mean.weights.iter_mut().zip(weights).for_each(|(mean, weight)| *mean += weight / SEEDS.len() as f32);
            }
            mean
        }

        fn one(rows: &[&Row], seed: u64) -> Learner {
            let mut learner = Learner::new();
            for round in 0..2 {
                // of a doubtful line with several sentences the most doubtful one, when that can be told
                let mut examples: Vec<(&Example, Sense)> = Vec::new();
                for row in rows {
                    match row.sentences.as_slice() {
                        [one] => examples.push((one, row.sense)),
                        several if row.sense == Sense::Aside => {
                            examples.extend(several.iter().map(|one| (one, row.sense)))
                        }
                        several if round == 1 => {
                            let of = |one: &Example| match row.sense {
                                Sense::Plays => learner.chances(one).of(Sense::Plays),
                                _ => learner.chances(one).doubt(),
                            };
                            let most = several.iter().max_by(|a, b| of(a).total_cmp(&of(b)));
                            examples.extend(most.map(|one| (one, row.sense)));
                        }
                        _ => {}
                    }
                }
                let mut next = Learner::new();
                let mut random = Random(seed);
                for _ in 0..if round == 0 { ROUNDS / 2 } else { ROUNDS } {
                    for at in (1..examples.len()).rev() {
                        examples.swap(at, random.next() as usize % (at + 1));
                    }
                    for (example, sense) in &examples {
                        next.learn(example, *sense, &mut random);
                    }
                }
                learner = next;
            }
            learner
        }

        /// The scale and the weights as signed bytes.
        fn bytes(&self) -> Vec<u8> {
            // each set of weights may be shifted by what is common to all senses
            let centred: Vec<f32> = self
                .weights
                .chunks(SENSES)
                .flat_map(|of| {
                    let mean = of.iter().sum::<f32>() / SENSES as f32;
                    of.iter().map(move |weight| weight - mean)
                })
                .collect();
            let most = centred.iter().fold(0.0f32, |most, weight| most.max(weight.abs()));
            let scale = most.min(6.0) / 127.0;
            let mut out = scale.to_le_bytes().to_vec();
            out.extend(
                centred.iter().map(|weight| ((weight / scale).round().clamp(-127.0, 127.0) as i8).cast_unsigned()),
            );
            out
        }
    }

    /// What a learner makes of rows that it has not seen: how many doubts it misses at several shares of harmless rows held.
    fn report(name: &str, judged: &[(&Row, Vec<Chances>)]) {
        let doubt = |of: &[Chances]| of.iter().map(Chances::doubt).fold(0.0, f32::max);
        let asides = || judged.iter().filter(|(row, _)| row.place != Place::Prose);
        let mut harmless: Vec<f32> = asides().filter(|(row, _)| !row.sense.doubts()).map(|(_, of)| doubt(of)).collect();
        let doubts: Vec<f32> = asides().filter(|(row, _)| row.sense.doubts()).map(|(_, of)| doubt(of)).collect();
        harmless.sort_by(|a, b| b.total_cmp(a));
        print!("{name} asides {} and {}:", harmless.len(), doubts.len());
        for held in [0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.172] {
            let at = harmless[(held * harmless.len() as f64) as usize];
            let missed = doubts.iter().filter(|of| **of <= at).count();
            print!("  {held}: {:.3} at {at:.2}", missed as f64 / doubts.len().max(1) as f64);
        }
        println!();
        let prose = || judged.iter().filter(|(row, _)| row.place == Place::Prose);
        let plays = |of: &[Chances]| of.iter().map(|of| of.of(Sense::Plays)).fold(0.0, f32::max);
        let mut others: Vec<f32> =
            prose().filter(|(row, _)| row.sense != Sense::Plays).map(|(_, of)| plays(of)).collect();
        let played: Vec<f32> = prose().filter(|(row, _)| row.sense == Sense::Plays).map(|(_, of)| plays(of)).collect();
        others.sort_by(|a, b| b.total_cmp(a));
        if others.is_empty() {
            return;
        }
        print!("{name} prose {} and {}:", others.len(), played.len());
        for taken in [0.005, 0.01, 0.02, 0.05] {
            let at = others[(taken * others.len() as f64) as usize];
            let known = played.iter().filter(|of| **of > at).count();
            print!("  {taken}: {:.3} at {at:.2}", known as f64 / played.len().max(1) as f64);
        }
        println!();
    }

    fn judged<'r>(learner: &Learner, rows: &[&'r Row]) -> Vec<(&'r Row, Vec<Chances>)> {
        let of = |row: &&'r Row| (*row, row.sentences.iter().map(|one| learner.chances(one)).collect());
        rows.iter().map(of).collect()
    }

    fn folder() -> String {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/sentences");
        env::var("AMICI_SENTENCES").unwrap_or_else(|_| own.display().to_string())
    }

    #[test]
    #[ignore = "writes the weights"]
    fn make_the_weights() {
        let rows = rows(&folder());
        let all: Vec<&Row> = rows.iter().collect();
        let learner = Learner::of(&all);
        report("seen", &judged(&learner, &all));
        if let Ok(unseen) = env::var("AMICI_UNSEEN") {
            let unseen = self::rows(&unseen);
            report("unseen", &judged(&learner, &unseen.iter().collect::<Vec<_>>()));
        }
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/domain/transmission/read/sense/weights.bin");
        fs::write(file, learner.bytes()).unwrap();
    }

    /// Learns from all languages but some, and reports on these.
    #[test]
    #[ignore = "takes minutes"]
    fn languages_left_out_are_understood() {
        let rows = rows(&folder());
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        rows.iter().for_each(|row| *count.entry(&row.language).or_default() += 1);
        let mut unseen = Vec::new();
        const PARTS: usize = 5;
        for part in 0..PARTS {
            let of_part = |language: &str| count.keys().position(|other| *other == language).unwrap() % PARTS == part;
            let (out, taught): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| of_part(&row.language));
            unseen.extend(judged(&Learner::of(&taught), &out));
        }
        report("languages left out", &unseen);
    }
}
