//! What the sentence around a move says of it: the sender's own move, the reader's, or one that is only talked about.
//!
//! Works on the sentences of a paragraph, which may run over lines. Words come in lower case and without accents. The nearest
//! cue before a move decides; "5254 is my move" decides from behind. A move that was weighed or denied becomes his only by a
//! turn of the sentence ("... but in the end I play 4143"), and a question makes none.

use super::Line;
use super::lex::{Placed, Token};
use super::words;

/// What a sentence says of a move in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stance {
    /// Nothing.
    Bare,
    /// The sender plays it.
    Mine,
    /// The sender plays it, after he named others that he does not play.
    Decided,
    /// The reader played it.
    Yours,
    /// It is denied, asked or only thought of.
    Weighed,
}

/// The stances of all moves of a text.
#[derive(Debug, Default)]
pub(super) struct Stances {
    /// Line number, place on it in bytes, stance; in the order of the text.
    moves: Vec<(usize, usize, Stance)>,
}

impl Stances {
    pub(super) fn of(lines: &[Line<'_>], tokens: &[Vec<Placed>]) -> Stances {
        let mut out = Stances::default();
        let mut sentence = Sentence::default();
        let mut last: Option<&Line<'_>> = None;
        for (line, placed) in lines.iter().zip(tokens) {
            if line.text.trim().is_empty() || last.is_some_and(|l| l.number + 1 != line.number) {
                sentence.end(&mut out);
            }
            let mut from = 0;
            for token in placed {
                if ends_sentence(line.text.get(from..token.at).unwrap_or_default()) {
                    sentence.end(&mut out);
                }
                sentence.take(line.number, token);
                from = token.end;
            }
            let rest = line.text.get(from..).unwrap_or_default();
            sentence.asks |= rest.contains('?');
            if ends_sentence(&format!("{rest} ")) {
                sentence.end(&mut out);
            }
            last = Some(line);
        }
        sentence.end(&mut out);
        out
    }

    /// The stance of the first move token at or behind a place on a line.
    pub(super) fn at(&self, line: usize, at: usize) -> Stance {
        self.moves.iter().find(|(l, a, _)| *l == line && *a >= at).map_or(Stance::Bare, |(_, _, s)| *s)
    }

    /// Whether the sentence of a move on this line decides for one.
    pub(super) fn decides(&self, line: usize) -> bool {
        self.moves.iter().any(|(l, _, s)| *l == line && *s == Stance::Decided)
    }

    /// Whether any sentence decides for a move.
    pub(super) fn any_decided(&self) -> bool {
        self.moves.iter().any(|(_, _, s)| *s == Stance::Decided)
    }
}

/// Whether what stands between two tokens ends a sentence. The dots of dates and move numbers are parts of their tokens.
fn ends_sentence(gap: &str) -> bool {
    gap.contains(['?', ';', '。', '？']) || gap.contains(". ") || gap.contains("! ") || gap.contains("...")
}

/// A sentence as far as it was read.
#[derive(Debug, Default)]
struct Sentence {
    moves: Vec<(usize, usize, Stance)>,
    stance: Option<Stance>,
    /// The reader is its subject.
    of_reader: bool,
    /// It turned ("but", "finally") since a move was weighed.
    turned: bool,
    weighed: bool,
    /// How many words stand behind the last move, and whether one of them was "my".
    behind: usize,
    my_behind: bool,
    asks: bool,
    /// The word before was "no", which denies in Spanish and Italian but also stands for "number".
    no: bool,
}

impl Sentence {
    fn take(&mut self, line: usize, placed: &Placed) {
        match &placed.token {
            Token::Word(word) => self.word(word),
            Token::Move(_) | Token::Spaced(_) | Token::Algebraic(_) => {
                self.moves.push((line, placed.at, self.stance.unwrap_or(Stance::Bare)));
                self.behind = 0;
                self.my_behind = false;
            }
            _ => {}
        }
    }

    fn word(&mut self, word: &str) {
        self.behind += 1;
        let denied = self.no && plays(word);
        self.no = word == "no";
        let said_mine = self.my_behind;
        self.my_behind = is_first_person(word) && self.behind <= 3;
        if words::is_second_person(word) {
            self.of_reader = true;
            if self.stance != Some(Stance::Weighed) {
                self.stance = Some(Stance::Yours);
            }
        } else if is_first_person(word) {
            self.of_reader = false;
            if self.stance == Some(Stance::Yours) {
                self.stance = None;
            }
            if matches!(word, "me" | "mine" | "moi" | "ich") {
                self.own();
            }
        } else if is_turn(word) {
            self.turned = true;
            if self.stance == Some(Stance::Yours) {
                self.stance = None;
            }
        } else if denied || is_weighing(word) {
            self.weighed = true;
            self.turned = false;
            self.stance = Some(Stance::Weighed);
        } else if plays(word) || words::names_move(word) {
            if self.of_reader {
                self.yours()
            } else {
                self.own()
            }
            // "5254 is my move"
            if said_mine
                && words::names_move(word)
                && !self.weighed
                && let Some((_, _, stance)) = self.moves.last_mut()
            {
                if *stance == Stance::Bare {
                    *stance = Stance::Mine;
                }
            }
        }
    }

    fn own(&mut self) {
        self.stance = match (self.weighed, self.turned) {
            (false, _) => Some(Stance::Mine),
            (true, true) => Some(Stance::Decided),
            (true, false) => Some(Stance::Weighed),
        };
    }

    fn yours(&mut self) {
        if self.stance != Some(Stance::Weighed) {
            self.stance = Some(Stance::Yours);
        }
    }

    fn end(&mut self, out: &mut Stances) {
        let asks = self.asks;
        let settle = |(line, at, stance)| (line, at, if asks { Stance::Weighed } else { stance });
        out.moves.extend(self.moves.drain(..).map(settle));
        *self = Sentence::default();
    }
}

/// "5254 is my rating": the word behind the first move makes it the subject of a sentence.
pub(super) fn speaks_of_move(tokens: &[Placed]) -> bool {
    let behind = tokens.iter().skip_while(|p| !super::cut::is_move_like(p)).nth(1);
    behind.is_some_and(|p| match &p.token {
        Token::Word(word) => matches!(
            word.as_str(),
            "is" | "was"
                | "were"
                | "would"
                | "looks"
                | "seems"
                | "has"
                | "had"
                | "ist"
                | "war"
                | "ware"
                | "sieht"
                | "est"
                | "etait"
                | "serait"
                | "es"
                | "era"
                | "seria"
                | "sarebbe"
                | "foi"
                | "ar"
                | "var"
                | "on"
                | "oli"
                | "jest"
                | "byl"
                | "bylo"
                | "volt"
                | "byl'"
        ),
        _ => false,
    })
}

/// Words by which the sender speaks of himself.
fn is_first_person(word: &str) -> bool {
    matches!(
        word,
        "i" | "me"
            | "my"
            | "mine"
            | "ich"
            | "mein"
            | "meine"
            | "meinen"
            | "meinem"
            | "je"
            | "j"
            | "mon"
            | "ma"
            | "moi"
            | "yo"
            | "mi"
            | "io"
            | "mio"
            | "mia"
            | "eu"
            | "meu"
            | "minha"
            | "ik"
            | "mijn"
            | "jag"
            | "mitt"
            | "min"
            | "jeg"
            | "mina"
            | "minun"
            | "ja"
            | "moj"
            | "moja"
            | "moje"
            | "muj"
            | "az"
            | "en"
            | "ia"
            | "moi'"
            | "mij"
    )
}

/// Verbs, in the first person or without one, by which a move is made.
fn plays(word: &str) -> bool {
    matches!(
        word,
        "play"
            | "played"
            | "playing"
            | "answer"
            | "reply"
            | "respond"
            | "choose"
            | "chose"
            | "chosen"
            | "castle"
            | "go"
            | "continue"
            | "spiele"
            | "ziehe"
            | "antworte"
            | "erwidere"
            | "rochiere"
            | "entscheide"
            | "setze"
            | "joue"
            | "jouerai"
            | "reponds"
            | "roque"
            | "juego"
            | "jugare"
            | "respondo"
            | "contesto"
            | "mando"
            | "muevo"
            | "enroco"
            | "envio"
            | "gioco"
            | "rispondo"
            | "muovo"
            | "arrocco"
            | "jogo"
            | "joguei"
            | "movo"
            | "speel"
            | "antwoord"
            | "zet"
            | "spelar"
            | "svarar"
            | "drar"
            | "spiller"
            | "svarer"
            | "traekker"
            | "trekker"
            | "pelaan"
            | "vastaan"
            | "siirran"
            | "gram"
            | "odpowiadam"
            | "zagralem"
            | "hraji"
            | "hraju"
            | "odpovidam"
            | "tahnu"
            | "jatszom"
            | "lepek"
            | "lepem"
            | "valaszolok"
            | "igraiu"
            | "otvechaiu"
            | "khozhu"
            | "idu"
    )
}

/// Words at which a sentence turns to what is really played.
fn is_turn(word: &str) -> bool {
    matches!(
        word,
        "but"
            | "so"
            | "finally"
            | "end"
            | "instead"
            | "decided"
            | "therefore"
            | "however"
            | "aber"
            | "doch"
            | "also"
            | "schliesslich"
            | "letztlich"
            | "sondern"
            | "daher"
            | "nun"
            | "mais"
            | "finalement"
            | "donc"
            | "pero"
            | "finalmente"
            | "asi"
            | "ma"
            | "quindi"
            | "alla"
            | "mas"
            | "porem"
            | "entao"
            | "maar"
            | "uiteindelijk"
            | "dus"
            | "men"
            | "sa"
            | "till"
            | "lopulta"
            | "mutta"
            | "ale"
            | "wiec"
            | "ostatecznie"
            | "nakonec"
            | "tak"
            | "vegul"
            | "tehat"
            | "hanem"
            | "no"
            | "poetomu"
            | "itoge"
    )
}

/// Words by which a move is denied or only thought of.
fn is_weighing(word: &str) -> bool {
    super::doubt::is_doubt(word)
        || words::is_condition(word)
        || matches!(
            word,
            "looked"
                | "looking"
                | "considered"
                | "analysed"
                | "analyzed"
                | "expected"
                | "expecting"
                | "instead"
                | "rather"
                | "idea"
                | "plan"
                | "other"
                | "another"
                | "loses"
                | "threatens"
                | "threat"
                | "after"
                | "before"
                | "previous"
                | "andere"
                | "anderen"
                | "erwartet"
                | "statt"
                | "anstatt"
                | "geprueft"
                | "gepruft"
                | "angesehen"
                | "nach"
                | "autre"
                | "regarde"
                | "apres"
                | "attendais"
                | "otra"
                | "otro"
                | "mirado"
                | "miraba"
                | "esperaba"
                | "despues"
                | "altra"
                | "altro"
                | "guardato"
                | "aspettavo"
                | "dopo"
                | "outra"
                | "outro"
                | "olhei"
                | "esperava"
                | "depois"
                | "ander"
                | "gekeken"
                | "verwacht"
                | "annat"
                | "annan"
                | "andra"
                | "tittade"
                | "efter"
                | "anden"
                | "andet"
                | "toinen"
                | "toisessa"
                | "inna"
                | "innej"
                | "jina"
                | "jine"
                | "masik"
                | "drugoi"
                | "drugaia"
                | "dumal"
                | "smotrel"
        )
}
