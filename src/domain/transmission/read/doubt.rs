//! Finds moves that are denied, asked or only thought of.
//!
//! The word that does so stands on the line of a move or in the sentence before it, blank lines or not. A sentence that is
//! finished and speaks of something else ("I did not expect your mail so soon!") leaves a numbered move below it alone.

use super::cut::is_move_like;
use super::lex::{Placed, Token, tokens};
use super::{Event, Line, Meaning, Spoken, cues, spoken};

/// A doubt that may reach the line below.
#[derive(Debug, Clone, Copy)]
struct Above {
    line: usize,
    /// Its sentence goes on, asks, or speaks of a move.
    reaches: bool,
}

/// What the lines read so far say of the next one.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    above: Option<Above>,
    /// The last line with a move.
    moves: Option<usize>,
    /// The mail was taken back as a whole.
    pub(super) recalled: bool,
}

impl Doubts {
    /// Whether a person must look at this line.
    pub(super) fn take(&mut self, line: &Line<'_>, tokens: &[Placed]) -> bool {
        let text = line.text.trim();
        if text.is_empty() {
            return false;
        }
        if recalls(text) {
            self.recalled = true;
            return true;
        }
        let only_asks = text.chars().all(|c| c == '?');
        if only_asks && self.moves.is_some_and(|m| m + 1 == line.number) {
            return true;
        }
        let has_move = tokens.iter().any(is_move_like);
        let any = |is: fn(&str) -> bool| tokens.iter().any(|p| matches!(&p.token, Token::Word(w) if is(w)));
        let above = self.above.take();
        let goes_on = above.is_some_and(|above| above.reaches) && !has_move;
        let doubtful = any(is_doubt) || (has_move && any(|word| word == "hvis")) || is_doubtful_japanese(text);
        if doubtful || goes_on {
            let reaches = !is_finished(text) || (doubtful && any(is_about_move));
            self.above = Some(Above { line: line.number, reaches });
        }
        if !has_move {
            return false;
        }
        self.moves = Some(line.number);
        let numbered = tokens.iter().any(|p| matches!(p.token, Token::Number(..)));
        let below_doubt = above.is_some_and(|a| a.reaches || a.line + 1 == line.number || !numbered);
        let text = text.replace("!?", "!").replace("?!", "!");
        let asks = text.trim_end_matches([')', '"', '!', '.', ' ']).ends_with('?') || begins_question(tokens);
        doubtful || below_doubt || asks
    }
}

/// Whether words that stand behind a move take it back: in all, by a denial or a wish to wait in a few words, or by question marks alone.
/// Of a long paragraph, as lawyers want it below a letter, only what takes a whole mail back counts.
pub fn takes_back(paragraph: &[&str]) -> bool {
    const FEW: usize = 24;
    let words: Vec<String> = paragraph.iter().flat_map(|line| words_of(line)).collect();
    let is_short = words.len() <= FEW && words.iter().any(|word| denies(word));
    let lines: Vec<Line<'_>> = (1..).zip(paragraph).map(|(number, text)| Line { number, text }).collect();
    let replaces = |s: &Spoken| s.meaning != Meaning::Talk && matches!(s.event, Event::TakesBack | Event::Corrects);
    let only_asks = |line: &&str| !line.trim().is_empty() && line.trim().chars().all(|c| c == '?');
    is_short || paragraph.iter().any(|line| recalls(line) || only_asks(line)) || spoken(&lines).iter().any(replaces)
}

fn words_of(line: &str) -> impl Iterator<Item = String> {
    let words = tokens(&line.replace('’', "'")).into_iter();
    words.filter_map(|placed| if let Token::Word(word) = placed.token { Some(word) } else { None })
}

fn denies(word: &str) -> bool {
    cues::denies(word)
        || cues::denies_alone(word)
        || matches!(
            word,
            "don't"
                | "dont"
                | "won't"
                | "cannot"
                | "can't"
                | "stop"
                | "wait"
                | "ignore"
                | "cancel"
                | "cancelled"
                | "canceled"
                | "void"
                | "warte"
                | "stopp"
                | "ungultig"
                | "storniert"
                | "attends"
                | "espera"
                | "aspetta"
                | "podozhdi"
        )
}

/// Whether a line takes the whole mail back.
fn recalls(text: &str) -> bool {
    let lower = text.to_lowercase();
    RECALLS.iter().any(|words| lower.contains(words))
}

/// Words that take a whole mail back, wherever they stand.
const RECALLS: [&str; 39] = [
    ". not!",
    ". not.",
    "to be confirmed",
    "(tbc)",
    "provisional",
    "vorläufig",
    "unter vorbehalt",
    "sous réserve",
    "nein, doch nicht",
    "doch lieber",
    "non, oublie",
    "je réfléchis encore",
    "no es definitivo",
    "ci penso ancora",
    "to nie jest ruch",
    "- not!",
    "...not!",
    "kidding",
    "april fool",
    "aprilscherz",
    "poisson d'avril",
    "do not enter",
    "don't enter",
    "do not record",
    "don't record",
    "noch nicht eintragen",
    "vergiss es",
    "vergiss das",
    "forget it",
    "test mail",
    "testmail",
    "test message",
    "this is a test",
    "before i commit",
    "my move follows",
    "move will follow",
    "mein zug folgt",
    "mon coup suivra",
    "about to play",
];

/// Negation, condition, suggestion and thought in Japanese.
fn is_doubtful_japanese(text: &str) -> bool {
    const DOUBTS: [&str; 12] =
        ["ません", "ない", "なら", "れば", "せば", "けば", "たら", "でしょう", "考え", "あなた", "指せま", "かも"];
    DOUBTS.iter().any(|doubt| text.contains(doubt))
}

/// Whether the line ends a statement.
fn is_finished(text: &str) -> bool {
    text.trim_end_matches([')', '"', ' ']).ends_with(['.', '!'])
}

/// "Is the move 5254": no statement begins so.
fn begins_question(tokens: &[Placed]) -> bool {
    matches!(tokens.first().map(|p| &p.token), Some(Token::Word(word)) if matches!(word.as_str(), "is" | "can" | "shall" | "may"))
}

/// Words that say of a doubt that it is about a move of this mail.
fn is_about_move(word: &str) -> bool {
    cues::names_move(word)
        || matches!(
            word,
            "play"
                | "spiele"
                | "considering"
                | "consider"
                | "candidate"
                | "candidates"
                | "thinking"
                | "test"
                | "uberlege"
        )
}

/// Words beside which a move is denied, asked or only thought of.
pub(super) fn is_doubt(word: &str) -> bool {
    matches!(
        word,
        "not"
            | "cancelled"
            | "canceled"
            | "void"
            | "stop"
            | "later"
            | "spater"
            | "possible"
            | "confirm"
            | "reject"
            | "cannot"
            | "can't"
            | "verwerfe"
            | "ungultig"
            | "storniert"
            | "intend"
            | "against"
            | "once"
            | "book"
            | "analysis"
            | "analyse"
            | "variation"
            | "variante"
            | "draft"
            | "example"
            | "beispiel"
            | "theory"
            | "theorie"
            | "fwd"
            | "plane"
            | "erwage"
            | "mochte"
            | "sobald"
            | "intended"
            | "tomorrow"
            | "almost"
            | "nearly"
            | "refuse"
            | "wanted"
            | "wollte"
            | "morgen"
            | "manana"
            | "domani"
            | "amanha"
            | "demain"
            | "zitra"
            | "jutro"
            | "holnap"
            | "huomenna"
            | "imorgon"
            | "imorgen"
            | "zavtra"
            | "unless"
            | "provided"
            | "don't"
            | "didn't"
            | "won't"
            | "never"
            | "should"
            | "would"
            | "could"
            | "might"
            | "maybe"
            | "perhaps"
            | "think"
            | "thinking"
            | "thought"
            | "consider"
            | "considering"
            | "candidate"
            | "candidates"
            | "decide"
            | "decided"
            | "test"
            | "nicht"
            | "vielleicht"
            | "sollte"
            | "soll"
            | "wurde"
            | "konnte"
            | "uberlege"
            | "kandidaten"
            | "pas"
            | "peut"
            | "pense"
            | "quizas"
            | "pienso"
            | "non"
            | "forse"
            | "nao"
            | "talvez"
            | "niet"
            | "misschien"
            | "inte"
            | "kanske"
            | "ikke"
            | "maske"
            | "ehka"
            | "nie"
            | "moze"
            | "ne"
            | "mozna"
            | "nem"
            | "talan"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denial_in_a_few_words_takes_back_and_a_greeting_does_not() {
        for words in [
            "please do not play this",
            "Don’t send it yet",
            "No, wait",
            "forget it",
            "?",
            "just kidding",
            "bitte nicht ziehen",
            "noch nicht eintragen",
            "ne joue pas cela",
            "no lo juegues",
            "non giocare",
            "não jogue",
            "не играть",
            "sorry, I meant 2847",
            "I take my move back",
        ] {
            assert!(takes_back(&[words]), "{words}");
        }
        for words in [
            "Best regards",
            "Tobin Quillfeather",
            "Sent from my phone",
            "Hold on, I like this game",
            "If you like",
            "Viele Grüße aus Wien",
            "I think that is the best move",
            "Tel. 4445",
        ] {
            assert!(!takes_back(&[words]), "{words}");
        }
    }

    #[test]
    fn of_what_lawyers_write_only_a_whole_mail_that_is_taken_back_counts() {
        let lawyers = [
            "This message may contain confidential information. If you are not the",
            "intended recipient of it, please tell the sender and delete it. It may not",
            "be copied, and it is not binding.",
        ];
        assert!(!takes_back(&lawyers));
        let [first, second, _] = lawyers;
        assert!(takes_back(&[first, second, "Just kidding."]));
    }
}
