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
    use std::marker::PhantomData;
    use std::path::{Path, PathBuf};
    use std::thread;

    use super::super::features::{Features, Place, Text, Token};
    use super::super::{Announced, BUCKETS, Chances, MOST, Sense, Senses};
    use crate::domain::transmission::lexicon::Key;
    use crate::domain::transmission::read::Line;
    use crate::domain::transmission::read::document::Document;
    use crate::domain::transmission::read::scan::{announcing, tokens};

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
    /// Below this a sentence does not say what its text says.
    const MOST_OF_OTHERS: f32 = 0.4;
    /// Slopes below this change nothing.
    const FLAT: f32 = 1e-4;

    /// A set of senses with names in the examples.
    trait Learnt: Senses {
        fn named(name: &str) -> Self;

        /// Whether each sentence of a text of this sense is an example, and not only the one that says it most.
        fn is_said_throughout(self) -> bool;

        /// What the other sentences of its text are, where that can be told.
        fn beside(self) -> Option<Self>;

        /// How much a sentence sounds like one of this sense.
        fn sounds(self, chances: &Chances<Self>) -> f32;
    }

    impl Learnt for Sense {
        fn named(name: &str) -> Sense {
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

        fn is_said_throughout(self) -> bool {
            self == Sense::Aside
        }

        fn beside(self) -> Option<Sense> {
            None
        }

        fn sounds(self, chances: &Chances<Sense>) -> f32 {
            if self == Sense::Plays { chances.of(Sense::Plays) } else { chances.doubt() }
        }
    }

    impl Learnt for Announced {
        fn named(name: &str) -> Announced {
            match name {
                "aside" => Announced::Aside,
                "about" => Announced::About,
                "offer" => Announced::Offer,
                "accept" => Announced::Accept,
                "decline" => Announced::Decline,
                "resign" => Announced::Resign,
                "withdraw" => Announced::Withdraw,
                other => panic!("nothing announced {other}"),
            }
        }

        fn is_said_throughout(self) -> bool {
            matches!(self, Announced::Aside | Announced::About)
        }

        fn beside(self) -> Option<Announced> {
            Some(Announced::Aside)
        }

        fn sounds(self, chances: &Chances<Announced>) -> f32 {
            chances.of(self)
        }
    }

    struct Row<S> {
        language: String,
        sense: S,
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
    fn row(language: &str, line: &str) -> Vec<Row<Sense>> {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, place_name, text] = cells.as_slice() else { panic!("{language}: {line}") };
        let (sense, place) = (Sense::named(name), place(place_name));
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

    /// The lines of the examples in some folders, with their languages.
    fn lines(folders: &str) -> Vec<(String, String)> {
        let mut out = Vec::new();
        for folder in folders.split(':') {
            let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
            files.retain(|file| file.extension().is_some_and(|end| end == "tsv"));
            files.sort();
            for file in files {
                let language = file.file_stem().unwrap().to_str().unwrap().to_owned();
                let text = fs::read_to_string(&file).unwrap();
                let lines = text.lines().filter(|line| !line.trim().is_empty());
                out.extend(lines.map(|line| (language.clone(), line.to_owned())));
            }
        }
        out
    }

    fn rows(folders: &str) -> Vec<Row<Sense>> {
        let mut out: Vec<Row<Sense>> = lines(folders).iter().flat_map(|(language, line)| row(language, line)).collect();
        // a word that some doubt is said with does not stand alone as a harmless one
        let doubts = out.iter().filter(|row| row.sense.doubts()).flat_map(|row| &row.sentences);
        let said: BTreeSet<String> = doubts.flat_map(|one| one.words.iter().cloned()).collect();
        for row in out.iter_mut().filter(|row| row.sense == Sense::Aside) {
            row.sentences.retain(|one| one.alone.as_ref().is_none_or(|word| !said.contains(word)));
        }
        out
    }

    /// A text with each of its sentences, as they are asked for what they announce; ` / ` breaks a line.
    fn said(language: &str, sense: Announced, text: &str) -> Row<Announced> {
        let lines: Vec<Line<'_>> =
            text.split(" / ").enumerate().map(|(at, text)| Line { number: at + 1, text }).collect();
        let document = Document::of(&lines);
        let next = document.sentences.iter().skip(1).map(Some).chain([None]);
        let each = document.sentences.iter().zip(next);
        let sentences = each.map(|(own, next)| example(&announcing(&document, own, next), Place::Announcing)).collect();
        Row { language: language.to_owned(), sense, place: Place::Announcing, sentences }
    }

    /// The longest word of each sentence of a text alone, which announces nothing.
    fn alone(language: &str, text: &str) -> Row<Announced> {
        let document = Document::of(&[Line { number: 1, text }]);
        let words = document.sentences.chunks(1).filter_map(|one| longest(&tokens(&document, one, None)));
        let sentences = words.map(|mut word| {
            word.insert(1, Token::Here);
            example(&word, Place::Announcing)
        });
        let sentences = sentences.collect();
        Row { language: language.to_owned(), sense: Announced::Aside, place: Place::Announcing, sentences }
    }

    /// The texts beside moves that announce nothing, with their languages.
    fn asides() -> Vec<(String, String)> {
        let texts = lines(&folder()).into_iter().filter_map(|(language, line)| {
            let text = line.rsplit('\t').next()?.replace('#', "5254").replace('@', "7163");
            Some((language, text))
        });
        let announces = |text: &str| {
            let document = Document::of(&[Line { number: 1, text }]);
            document.pieces.iter().any(|piece| piece.keys.has_any(&Key::ANNOUNCING))
        };
        texts.filter(|(_, text)| !announces(text)).collect()
    }

    /// What is announced in the lines of some folders: each alone, and once more with a text about something else after it; and such a
    /// text with an announcement after it.
    fn announcements(folders: &str, asides: &[(String, String)]) -> Vec<Row<Announced>> {
        let mut of_language: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        asides.iter().for_each(|(language, text)| of_language.entry(language).or_default().push(text));
        let mut chance = Random(SEEDS[0]);
        let mut out = Vec::new();
        for (language, line) in lines(folders) {
            let (name, text) = line.split_once('\t').unwrap_or_else(|| panic!("{language}: {line}"));
            let sense = Announced::named(name);
            out.push(said(&language, sense, text));
            let Some(others) = of_language.get(language.as_str()) else { continue };
            let other = others[chance.next() as usize % others.len()];
            let mut row = said(&language, sense, &format!("{text} / / {other}"));
            row.sentences.pop();
            out.push(row);
            let mut row = said(&language, Announced::Aside, &format!("{other} / / {text}"));
            let before = said(&language, Announced::Aside, other).sentences.len();
            row.sentences = row.sentences.drain(before.saturating_sub(1)..before).collect();
            out.push(row);
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

    struct Learner<S> {
        weights: Vec<f32>,
        squares: Vec<f32>,
        of: PhantomData<S>,
    }

    impl<S: Learnt + Send + Sync> Learner<S> {
        const SENSES: usize = S::ALL.len();

        fn new() -> Learner<S> {
            let size = BUCKETS * Self::SENSES;
            Learner { weights: vec![0.0; size], squares: vec![1e-3; size], of: PhantomData }
        }

        fn chances(&self, example: &Example) -> Chances<S> {
            self.chances_of(&example.buckets, example.unit)
        }

        fn chances_of(&self, buckets: &[u32], unit: f32) -> Chances<S> {
            let mut sums = [0.0f32; MOST];
            for bucket in buckets {
                let at = *bucket as usize * Self::SENSES;
                for (sum, weight) in sums.iter_mut().zip(&self.weights[at..at + Self::SENSES]) {
                    *sum += weight;
                }
            }
            Chances::softmax(sums.map(|sum| sum * unit))
        }

        fn learn(&mut self, example: &Example, sense: S, chance: &mut Random) {
            let buckets: Vec<u32> = example.buckets.iter().copied().filter(|_| chance.share() >= DROPPED).collect();
            let unit = (buckets.len().max(1) as f32).sqrt().recip();
            let mut slopes = self.chances_of(&buckets, unit).each;
            slopes[S::ALL.iter().position(|other| *other == sense).unwrap()] -= 1.0;
            for bucket in &buckets {
                let at = *bucket as usize * Self::SENSES;
                for (of, slope) in slopes.iter().enumerate().filter(|(_, slope)| slope.abs() > FLAT) {
                    let slope = slope * unit + DECAY * self.weights[at + of];
                    self.squares[at + of] += slope * slope;
                    self.weights[at + of] -= RATE * slope / self.squares[at + of].sqrt();
                }
            }
        }

        /// The mean of several, which each leave out other features: what one of them makes of chance is not in the others.
        fn of(rows: &[&Row<S>]) -> Learner<S> {
            let each: Vec<Learner<S>> = thread::scope(|scope| {
                let started = SEEDS.map(|seed| scope.spawn(move || Learner::one(rows, seed)));
                started.into_iter().map(|one| one.join().unwrap()).collect()
            });
            let mut mean = Learner::new();
            for weights in each.iter().map(|one| &one.weights) {
                mean.weights.iter_mut().zip(weights).for_each(|(mean, weight)| *mean += weight / SEEDS.len() as f32);
            }
            mean
        }

        fn one(rows: &[&Row<S>], seed: u64) -> Learner<S> {
            let mut learner = Learner::new();
            for round in 0..2 {
                // of a doubtful line with several sentences the most doubtful one, when that can be told
                let mut examples: Vec<(&Example, S)> = Vec::new();
                for row in rows {
                    match row.sentences.as_slice() {
                        [one] => examples.push((one, row.sense)),
                        several if row.sense.is_said_throughout() => {
                            examples.extend(several.iter().map(|one| (one, row.sense)))
                        }
                        several if round == 1 => {
                            let of = |one: &Example| row.sense.sounds(&learner.chances(one));
                            let most = several.iter().max_by(|a, b| of(a).total_cmp(&of(b)));
                            examples.extend(most.map(|one| (one, row.sense)));
                            let others = several.iter().filter(|one| of(one) < MOST_OF_OTHERS);
                            examples.extend(others.filter_map(|one| Some((one, row.sense.beside()?))));
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
                .chunks(Self::SENSES)
                .flat_map(|of| {
                    let mean = of.iter().sum::<f32>() / Self::SENSES as f32;
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
    fn report(name: &str, judged: &[(&Row<Sense>, Vec<Chances<Sense>>)]) {
        let doubt = |of: &[Chances<Sense>]| of.iter().map(Chances::doubt).fold(0.0, f32::max);
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
        let plays = |of: &[Chances<Sense>]| of.iter().map(|of| of.of(Sense::Plays)).fold(0.0, f32::max);
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

    fn judged<'r, S: Learnt + Send + Sync>(
        learner: &Learner<S>,
        rows: &[&'r Row<S>],
    ) -> Vec<(&'r Row<S>, Vec<Chances<S>>)> {
        let of = |row: &&'r Row<S>| (*row, row.sentences.iter().map(|one| learner.chances(one)).collect());
        rows.iter().map(of).collect()
    }

    fn of_env(name: &str, folder: &str) -> String {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        env::var(name).unwrap_or_else(|_| own.display().to_string())
    }

    fn folder() -> String {
        of_env("AMICI_SENTENCES", "tests/corpus/sentences")
    }

    fn write(name: &str, bytes: &[u8]) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/domain/transmission/read/sense");
        fs::write(folder.join(name), bytes).unwrap();
    }

    #[test]
    #[ignore = "writes the weights"]
    fn make_the_weights() {
        let rows = rows(&folder());
        let all: Vec<&Row<Sense>> = rows.iter().collect();
        let learner = Learner::of(&all);
        report("seen", &judged(&learner, &all));
        if let Ok(unseen) = env::var("AMICI_UNSEEN") {
            let unseen = self::rows(&unseen);
            report("unseen", &judged(&learner, &unseen.iter().collect::<Vec<_>>()));
        }
        write("weights.bin", &learner.bytes());
    }

    /// What a sentence announces is learnt of `tests/corpus/announced/LANGUAGE.tsv`: each line has what is announced and a text, parted by
    /// a tabulator; ` / ` breaks a line. The texts beside moves are examples of what announces nothing.
    #[test]
    #[ignore = "writes the weights"]
    fn make_the_weights_of_announcements() {
        /// One in so many of the texts beside moves is learnt from at first, then those that sound like an announcement.
        const SOME: usize = 4;
        const SOUNDS: f32 = 0.05;
        let asides = asides();
        let mut rows = announcements(&of_env("AMICI_ANNOUNCED", "tests/corpus/announced"), &asides);
        let mut others = Vec::new();
        for (at, (language, text)) in asides.iter().enumerate() {
            let row = said(language, Announced::Aside, text);
            if at % SOME == 0 { rows.push(row) } else { others.push(row) }
        }
        let words: BTreeSet<&String> = rows
            .iter()
            .filter(|row| row.sense != Announced::Aside)
            .flat_map(|row| row.sentences.iter().flat_map(|one| &one.words))
            .collect();
        let mut alone: Vec<Row<Announced>> =
            asides.iter().step_by(SOME).map(|(language, text)| alone(language, text)).collect();
        for row in &mut alone {
            row.sentences.retain(|one| one.alone.as_ref().is_none_or(|word| !words.contains(word)));
        }
        rows.append(&mut alone);
        let first = Learner::one(&rows.iter().collect::<Vec<_>>(), SEEDS[0]);
        let announces = |one: &Example| first.chances(one).that(|sense| !sense.is_said_throughout()) >= SOUNDS;
        others.retain(|row| row.sentences.iter().any(announces));
        println!("{} and {} more", rows.len(), others.len());
        rows.append(&mut others);
        let learner = Learner::of(&rows.iter().collect::<Vec<_>>());
        write("announced.bin", &learner.bytes());
        if let Ok(unseen) = env::var("AMICI_UNSEEN") {
            let unseen = announcements(&unseen, &[]);
            report_announced(&judged(&learner, &unseen.iter().collect::<Vec<_>>()));
        }
    }

    /// For each share that an announcement must reach to be taken: how many are taken rightly, for another one, and where there is none.
    fn report_announced(judged: &[(&Row<Announced>, Vec<Chances<Announced>>)]) {
        let announces = |sense: Announced| !matches!(sense, Announced::Aside | Announced::About);
        for least in [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98] {
            let (mut right, mut other, mut none, mut all, mut talk) = (0, 0, 0, 0, 0);
            for (row, of) in judged {
                let heard: BTreeSet<Announced> = of
                    .iter()
                    .map(|of| (of.likeliest(announces), of))
                    .filter(|(sense, of)| of.of(*sense) >= least)
                    .map(|(sense, _)| sense)
                    .collect();
                match announces(row.sense) {
                    true => {
                        all += 1;
                        right += usize::from(heard.len() == 1 && heard.contains(&row.sense));
                        other += usize::from(heard.iter().any(|sense| *sense != row.sense));
                    }
                    false => {
                        talk += 1;
                        none += usize::from(!heard.is_empty());
                    }
                }
            }
            println!("{least}: of {all} right {right}, another {other}; of {talk} with none {none}");
        }
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
            let (out, taught): (Vec<&Row<Sense>>, Vec<&Row<Sense>>) =
                rows.iter().partition(|row| of_part(&row.language));
            unseen.extend(judged(&Learner::of(&taught), &out));
        }
        report("languages left out", &unseen);
    }
}
