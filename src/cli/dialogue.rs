//! The questions that `amici review` asks on a terminal: one held mail after the other.
//!
//! Input and output are parameters, so that tests need no terminal. The end of the input is the wish to stop. Each entry is
//! loaded when its turn comes, since an answer may have changed its game; one that was settled meanwhile is passed over.

use std::io::{BufRead, Write};

use super::queue::{Entry, entry};
use super::review::in_words;
use super::settle::{Acceptance, accept, ask, ignore};
use super::{Exit, Failure, Report, Setup};
use crate::config::Config;
use crate::io::store::Store;
use crate::letters::Language;

/// What became of an entry.
enum Turn {
    Settled(String),
    Left,
    Stop,
}

/// Goes through these verdicts. The report says what is left.
pub(super) async fn hold(
    setup: &Setup,
    verdicts: &[i64],
    language: Language,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<Report, Failure> {
    let config = setup.config()?;
    let mut settled = 0;
    for verdict in verdicts {
        let mut store = setup.store().await?;
        let Some(held) = store.held().await?.into_iter().find(|h| h.verdict == *verdict) else { continue };
        let entry = entry(&mut store, &config.me, held).await?;
        write(output, &in_words(&entry, config.me.timezone))?;
        match turn(setup, &config, store, &entry, language, input, output).await? {
            Turn::Settled(text) => {
                settled += 1;
                write(output, &format!("{text}\n"))?;
            }
            Turn::Left => write(output, "\n")?,
            Turn::Stop => break,
        }
    }
    let left = setup.store_to_read().await?.held().await?.len();
    Ok(format!("{settled} settled, {left} still held.\n").into())
}

/// Asks about one entry until there is an answer that can be followed.
async fn turn(
    setup: &Setup,
    config: &Config,
    mut store: Store,
    entry: &Entry,
    language: Language,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<Turn, Failure> {
    let me = &config.me;
    loop {
        let Some(answer) = prompt(&choices(entry), input, output)? else { return Ok(Turn::Stop) };
        let done = match answer.as_str() {
            "q" => return Ok(Turn::Stop),
            "s" | "" => return Ok(Turn::Left),
            "i" => ignore(&mut store, std::slice::from_ref(&entry.held), setup.now).await.map(Turn::Settled),
            "a" => {
                let again = match entry.held.asked_at {
                    Some(_) => prompt("You asked about it before. Once more? yes/no", input, output)?,
                    None => None,
                };
                match ask(setup, &mut store, me, entry, language, again.as_deref() == Some("yes")).await {
                    Ok((text, recipient)) => {
                        drop(store);
                        let delivered = super::daemon::deliver(setup, config, &recipient).await?;
                        write(output, &format!("{text}{delivered}"))?;
                        return Ok(Turn::Left);
                    }
                    Err(failure) => Err(failure),
                }
            }
            other => match chosen(entry, other, input, output)? {
                Some(text) => {
                    let yes = entry.needs_yes()
                        && prompt("You vouch for it, though the mail does not show it? yes/no", input, output)?
                            .as_deref()
                            == Some("yes");
                    let with = Acceptance { text, yes, ..Acceptance::default() };
                    accept(setup, &mut store, me, entry, &with).await.map(Turn::Settled)
                }
                None => Err(Failure::new(Exit::Failed, format!("`{other}` is none of the answers"))),
            },
        };
        match done {
            Ok(turn) => return Ok(turn),
            Err(failure) => write(output, &format!("error: {}\n", failure.message))?,
        }
    }
}

/// The move that an answer means: the number of a reading, or `m` and the move.
fn chosen(
    entry: &Entry,
    answer: &str,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<Option<String>, Failure> {
    if answer == "m" {
        return prompt("His move", input, output);
    }
    if let Some(text) = answer.strip_prefix("m ") {
        return Ok(Some(text.to_owned()));
    }
    let index = answer.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    Ok(index.and_then(|index| entry.readings.get(index)).map(|reading| reading.numeric.to_string()))
}

fn choices(entry: &Entry) -> String {
    let readings = match entry.readings.len() {
        0 => String::new(),
        1 => "1 accept it, ".to_owned(),
        several => format!("1-{several} accept that reading, "),
    };
    format!("{readings}m another move, a ask back, i ignore, s skip, q quit")
}

/// One line of the input, trimmed; `None` at its end.
fn prompt(question: &str, input: &mut impl BufRead, output: &mut impl Write) -> Result<Option<String>, Failure> {
    write(output, &format!("{question}? "))?;
    let mut line = String::new();
    let read = input.read_line(&mut line).map_err(|e| trouble(&e))?;
    if read == 0 {
        write(output, "\n")?;
        return Ok(None);
    }
    Ok(Some(line.trim().to_owned()))
}

fn write(output: &mut impl Write, text: &str) -> Result<(), Failure> {
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).map_err(|e| trouble(&e))
}

fn trouble(error: &std::io::Error) -> Failure {
    Failure::new(Exit::Failed, format!("the terminal cannot be used: {}", error.kind()))
}
