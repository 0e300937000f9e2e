//! What a template of the player's own may be made of: it prints values, chooses (`if`) and repeats (`for`).
//!
//! Whoever passes a template on may be a stranger, so none may fill the memory or the stack. minijinja counts steps,
//! which ends loops, but not what a step makes: a name that is bound to twice itself doubles with each step, and one long
//! expression is as deep a recursion. So nothing can be bound but a counter or the elements of a value that is there, no
//! expression is long, and what is written goes through [`Page`], which has an end.

use std::io::{self, Write};

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, functions, tests};

use super::filters;
use crate::config::OwnForm;

/// Tags (`{{ }}`, `{% %}`) of a template.
const MOST_TAGS: usize = 500;
/// Words and signs within one of them.
const LONGEST_TAG: usize = 100;
/// Characters of one message.
const LONGEST_MESSAGE: usize = 64 << 10;

/// The first thing that may not stand in a template: its line, and why.
pub(super) fn objection(source: &str, syntax: &SyntaxConfig) -> Option<(Option<usize>, String)> {
    if source.len() as u64 > OwnForm::LARGEST {
        return Some((None, format!("it has {} bytes, and a template has {} at most", source.len(), OwnForm::LARGEST)));
    }
    let (mut tags, mut words) = (0, 0);
    let mut repeats = None;
    // what is no token at all, the renderer tells
    for (token, span) in tokenize(source, false, syntax.clone()).map_while(Result::ok) {
        let line = Some(usize::from(span.start_line));
        match token {
            Token::TemplateData(_) => continue,
            Token::VariableStart | Token::BlockStart => {
                (tags, words, repeats) = (tags + 1, 0, None);
                if tags > MOST_TAGS {
                    return Some((line, format!("it has more than {MOST_TAGS} tags: leave some out")));
                }
                if matches!(token, Token::BlockStart) {
                    repeats = Some(Repeats::Undecided);
                }
                continue;
            }
            _ => words += 1,
        }
        if words > LONGEST_TAG {
            return Some((
                line,
                format!("there are more than {LONGEST_TAG} words and signs in one tag: make it shorter"),
            ));
        }
        if matches!(token, Token::Mul | Token::Pow) {
            return Some((line, "nothing can be multiplied in a template: write it out".to_owned()));
        }
        repeats = match repeats.map(|at: Repeats| at.then(&token)).transpose() {
            Ok(next) => next.flatten(),
            Err(why) => return Some((line, why)),
        };
    }
    None
}

/// How far a `{% %}` has been read.
#[derive(Clone, Copy)]
enum Repeats {
    /// Its first word is to come.
    Undecided,
    /// The names that a `for` binds.
    Names,
    /// What it goes over.
    Values,
    /// Within `range(...)`, or right before its bracket.
    Range,
}

impl Repeats {
    /// The next state, `None` where nothing more is to be looked at in this tag.
    fn then(self, token: &Token<'_>) -> Result<Option<Self>, String> {
        match (self, token) {
            (Self::Undecided, Token::Ident("if" | "elif" | "else" | "endif" | "endfor")) => Ok(None),
            (Self::Undecided, Token::Ident("for")) => Ok(Some(Self::Names)),
            (Self::Undecided, _) => {
                let named = if let Token::Ident(name) = token { name } else { "that" };
                Err(format!("a template has if, elif, else and for, not {named}: write values where they stand"))
            }
            (Self::Names, Token::Ident("in")) => Ok(Some(Self::Values)),
            (Self::Names, _) => Ok(Some(self)),
            (Self::Values, Token::Ident("range")) => Ok(Some(Self::Range)),
            (Self::Range, Token::ParenClose) => Ok(Some(Self::Values)),
            (Self::Range, Token::ParenOpen | Token::Comma | Token::Int(_) | Token::Minus)
            | (Self::Range | Self::Values, Token::Dot | Token::BlockEnd) => Ok(Some(self)),
            (Self::Range | Self::Values, Token::Ident(name)) if *name != "recursive" => Ok(Some(self)),
            (Self::Range | Self::Values, _) => {
                Err(format!("a `for` goes over a value or range(...), with no {token} in it"))
            }
        }
    }
}

/// The filters, tests and functions of a template: none that makes more of a text than it is.
pub(super) fn equip(environment: &mut Environment<'_>) {
    use minijinja::filters as usual;
    environment.add_filter("date", filters::date);
    environment.add_filter("abs", usual::abs);
    environment.add_filter("capitalize", usual::capitalize);
    environment.add_filter("default", usual::default);
    environment.add_filter("first", usual::first);
    environment.add_filter("int", usual::int);
    environment.add_filter("last", usual::last);
    environment.add_filter("length", usual::length);
    environment.add_filter("lower", usual::lower);
    environment.add_filter("round", usual::round);
    environment.add_filter("title", usual::title);
    environment.add_filter("trim", usual::trim);
    environment.add_filter("upper", usual::upper);
    environment.add_test("defined", tests::is_defined);
    environment.add_test("undefined", tests::is_undefined);
    environment.add_test("none", tests::is_none);
    environment.add_test("odd", tests::is_odd);
    environment.add_test("even", tests::is_even);
    environment.add_function("range", functions::range);
}

/// What a template writes, as far as a message can be.
#[derive(Default)]
pub(super) struct Page {
    bytes: Vec<u8>,
    /// It would have been more.
    pub(super) is_full: bool,
}

impl Page {
    /// What was written.
    pub(super) fn text(self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// That it would have been more.
    pub(super) fn too_long() -> String {
        format!("it writes more than {LONGEST_MESSAGE} characters, and a message has no more")
    }
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > LONGEST_MESSAGE {
            // the rest is let go: the steps end it
            self.is_full = true;
        } else {
            self.bytes.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
