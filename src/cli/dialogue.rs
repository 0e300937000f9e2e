//! The questions that `amici review` asks on a terminal: one held mail after the other.
//!
//! Input and output are parameters, so that tests need no terminal. The end of the input is the wish to stop. Each entry is
//! loaded when its turn comes, since an answer may have changed its game; one that was settled meanwhile is passed over.

use std::io::{BufRead, Write};

use super::review::in_words;
use super::{Exit, Failure, Report, Setup, find};
use crate::config::{Config, Language};
use crate::deeds::held::{Acceptance, Wording, accept, ask, assign, ignore};
use crate::intake::held::{Entry, OWN, entry};
use crate::io::store::Store;

/// What became of an entry.
enum Turn {
    Settled(String),
    /// It waits elsewhere.
    Kept(String),
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
        write(output, &format!("{}\n", in_words(&entry, config.me.timezone)))?;
        match turn(setup, &config, store, &entry, language, input, output).await? {
            Turn::Settled(text) => {
                settled += 1;
                write(output, &format!("{text}\n"))?;
            }
            Turn::Kept(text) => write(output, &format!("{text}\n"))?,
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
    let around = setup.around(config);
    loop {
        let Some(answer) = prompt(&choices(entry), input, output)? else { return Ok(Turn::Stop) };
        let done = match answer.as_str() {
            "q" => return Ok(Turn::Stop),
            "s" | "" => return Ok(Turn::Left),
            "i" => ignore(&mut store, std::slice::from_ref(&entry.held), config.me.timezone, setup.now)
                .await
                .map(Turn::Settled)
                .map_err(Failure::from),
            "a" => {
                let again = match entry.held.asked_at {
                    Some(_) => prompt("You asked about it before. Once more? yes/no", input, output)?,
                    None => None,
                };
                match ask(around, &mut store, entry, Wording { language, text: None }, again.as_deref() == Some("yes"))
                    .await
                {
                    Ok((text, recipient)) => {
                        drop(store);
                        let delivered = super::daemon::deliver(setup, config, &recipient).await?;
                        write(output, &format!("{text}{delivered}"))?;
                        return Ok(Turn::Left);
                    }
                    Err(refusal) => Err(refusal.into()),
                }
            }
            "g" => {
                let Some(id) = prompt("Which game", input, output)? else { return Ok(Turn::Stop) };
                let to = match id.parse() {
                    Ok(id) => find(&mut store, &id).await,
                    Err(_) => Err(Failure::new(Exit::NoSuchGame, format!("there is no game {id}"))),
                };
                match to {
                    Ok(to) => assign(around, &mut store, &entry.held, &to).await.map_err(Failure::from).map(Turn::Kept),
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
                    accept(around, &mut store, entry, &with).await.map(Turn::Settled).map_err(Failure::from)
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
    let another = if entry.obstacle().is_none() { "m another move, " } else { "" };
    let ask = if entry.can_be_asked().is_ok() { "a ask back, " } else { "" };
    let game = if entry.held.outcome == OWN { "" } else { "g another game, " };
    format!("{readings}{another}{ask}{game}i ignore, s skip, q quit")
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

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::cli::confirm::Asked;
    use crate::domain::document::tests::sample_game;
    use crate::intake::{RawMessage, take_in};

    /// A terminal with a player at it.
    struct Desk {
        _dir: TempDir,
        setup: Setup,
    }

    const MILA: &str = "mila.ostrander@example.org";

    impl Desk {
        /// The sample game before the opponent's seventh move, and these mails from these addresses.
        async fn holding(mails: &[(&str, &str)]) -> Desk {
            let dir = TempDir::new().unwrap();
            let config = dir.path().join("config.toml");
            let me = "[me]\nname = \"Quillfeather, Tobin\"\nemails = [\"tobin.q@example.net\"]\ntimezone = \"Europe/Vienna\"\n";
            std::fs::write(&config, me).unwrap();
            let now = "2004-10-31T09:00:00Z".parse().unwrap();
            let setup = Setup::at(Some(config), dir.path().join("data"), now, Asked::Nobody);
            let mut store = setup.store().await.unwrap();
            let mut game = sample_game();
            game.moves.truncate(12);
            store.import(&[(game, "<SAMPLE-1.root@example.net>".to_owned())], false, now).await.unwrap();
            for (index, (from, body)) in mails.iter().enumerate() {
                let raw = format!(
                    "From: {from}\r\nTo: tobin.q@example.net\r\nSubject: EM/ZZ/042\r\nDate: Sat, 30 Oct 2004 20:21:00 +0200\r\n\
                     Message-ID: <m{index}@example.org>\r\n\r\n{body}"
                );
                let at = "2004-10-30T18:22:05Z".parse().unwrap();
                let mail = RawMessage { bytes: raw.as_bytes(), at, arrival: None, verified: None };
                take_in(&mut store, &setup.config().unwrap().me, &crate::config::Senders::default(), &mail, now)
                    .await
                    .unwrap();
            }
            Desk { _dir: dir, setup }
        }

        /// What the terminal shows when the player types this, and what the command says at the end.
        async fn types(&self, keys: &str) -> (String, String) {
            let mut store = self.setup.store().await.unwrap();
            let verdicts: Vec<i64> = store.held().await.unwrap().iter().map(|h| h.verdict).collect();
            drop(store);
            let mut shown = Vec::new();
            let report =
                hold(&self.setup, &verdicts, Language::English, &mut keys.as_bytes(), &mut shown).await.unwrap();
            (String::from_utf8(shown).unwrap(), report.text)
        }

        async fn plies(&self) -> Vec<String> {
            let mut store = self.setup.store().await.unwrap();
            let game = store.games().await.unwrap().remove(0).game;
            game.moves.iter().skip(12).map(|m| m.numeric.to_string()).collect()
        }
    }

    #[tokio::test]
    async fn a_reading_is_accepted_by_its_number() {
        let desk = Desk::holding(&[(MILA, "7. 5171   received 27.10. sent 30.10.\n7. 4445\n")]).await;
        let (shown, said) = desk.types("1\n").await;
        for line in [
            "Mail 1, held since Sun 31 Oct 2004\n",
            "        2 > 7. 4445\n  reading 1  5171   O-O   castles kingside\n",
            "\n1-2 accept that reading, m another move, a ask back, g another game, i ignore, s skip, q quit? ",
            "recorded on your word, received 2004-10-27, sent 2004-10-30.\n",
        ] {
            assert!(shown.contains(line), "{line} in {shown}");
        }
        assert_eq!(said, "1 settled, 0 still held.\n");
        assert_eq!(desk.plies().await, ["5171"]);
    }

    #[tokio::test]
    async fn what_cannot_be_followed_is_asked_again_and_changes_nothing() {
        let desk = Desk::holding(&[(MILA, "7. 5171\n7. 4445\n")]).await;
        let (shown, said) = desk.types("3\nyes\n0\nm\n1118\nm Nd\n\n").await;
        for error in [
            "`3` is none",
            "`yes` is none",
            "`0` is none",
            "the white rook on 11 = a1 cannot reach",
            "\"Nd\" is not a move",
        ] {
            assert!(shown.contains(error), "{error} in {shown}");
        }
        assert_eq!((said.as_str(), shown.matches("error: ").count()), ("0 settled, 1 still held.\n", 5));
        assert!(desk.plies().await.is_empty());
    }

    #[tokio::test]
    async fn another_move_than_those_read_can_be_given() {
        for keys in ["m\nO-O\n", "m O-O\n"] {
            let desk = Desk::holding(&[(MILA, "I castle, but how do I write that?\n")]).await;
            let (_, said) = desk.types(keys).await;
            assert_eq!((said.as_str(), desk.plies().await), ("1 settled, 0 still held.\n", vec!["5171".to_owned()]));
        }
    }

    #[tokio::test]
    async fn the_end_of_the_input_and_q_stop_with_nothing_done() {
        for keys in ["", "q\n", "s\nq\n", "s"] {
            let desk = Desk::holding(&[(MILA, "7. 5171\n7. 4445\n"), (MILA, "Hello!\n")]).await;
            assert_eq!(desk.types(keys).await.1, "0 settled, 2 still held.\n", "{keys:?}");
        }
    }

    #[tokio::test]
    async fn the_next_entry_is_read_against_what_the_last_answer_recorded() {
        let desk = Desk::holding(&[(MILA, "7. 5171\n7. 4445\n"), (MILA, "7. 5171\n7. 6354\n")]).await;
        let (shown, said) = desk.types("1\ni\n").await;
        assert!(shown.contains("  now      line 2: he gives 7. 6354, the record has 7. 5171\n"), "{shown}");
        assert!(
            shown.contains("\na ask back, g another game, i ignore, s skip, q quit? "),
            "no move of his is due any more: {shown}"
        );
        assert_eq!((said.as_str(), desk.plies().await), ("2 settled, 0 still held.\n", vec!["5171".to_owned()]));
    }

    #[tokio::test]
    async fn a_wrong_sender_is_taken_only_when_the_player_vouches_for_him() {
        let desk = Desk::holding(&[("mila@example.com", "7. 5171\n")]).await;
        let (shown, _) = desk.types("1\nno\nq\n").await;
        assert!(
            shown.contains("You vouch for it") && shown.contains("error: mila@example.com is not an address"),
            "{shown}"
        );
        assert!(desk.plies().await.is_empty());
        assert_eq!(desk.types("1\nyes\n").await.1, "1 settled, 0 still held.\n");
        assert_eq!(desk.plies().await, ["5171"]);
    }

    #[tokio::test]
    async fn a_question_leaves_the_mail_held_and_is_not_repeated_unasked() {
        let desk = Desk::holding(&[(MILA, "7. 5171\n7. 4445\n")]).await;
        let (shown, said) = desk.types("a\n").await;
        assert!(shown.contains("Nothing has been sent to him"), "{shown}");
        assert_eq!(said, "0 settled, 1 still held.\n");
        let (shown, _) = desk.types("a\nno\nq\n").await;
        assert!(shown.contains("question drafted Sun 31 Oct 2004") && shown.contains("say --again"), "{shown}");
    }
}
