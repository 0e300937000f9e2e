//! `amici verify`: the record against its mails: every ply read again, both clocks computed again; or all of it made again.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use serde_json::{Value, json};

use super::each::{Form, by_account};
use super::{Exit, Failure, Report, Setup, find};
use crate::domain::game::{Game, GameId, plies_in_words};
use crate::letters::plural;
use crate::proof::verify::{Checked, Difference, Findings, verify};

mod rebuild;

/// Check the record against the stored mails, or rebuild it
///
/// Every ply that a mail gave is read again from its bytes, against the game as it stood before it, and no mail that gave one may be
/// without it. Your own moves are compared with what you entered, and so are settled dates and days, leave, notes on the clocks, illegal
/// moves, rules, names, the result, the chosen move, and what stands offered. Bytes are compared with their SHA-256, and the file itself is
/// checked. What contradicts its proof is listed with both values, and the exit code is 1. Nothing is changed. The journal, private notes,
/// letters to you and what is noted of mails are compared by `--rebuild`.
///
/// With it everything is done once more in a fresh database, in the same order: mails are read and judged again, your moves, acceptances
/// and results are entered again. A row that comes out otherwise is shown as a difference. Your database is only read.
#[derive(Debug, ClapArgs)]
pub(super) struct Args {
    /// The games; all of them if none is named
    games: Vec<GameId>,
    /// All games
    #[arg(long, conflicts_with = "games")]
    all: bool,
    /// Rebuild the whole record from the raw mails and your own acts instead, and compare
    #[arg(long, conflicts_with = "games")]
    rebuild: bool,
    /// Keep the rebuilt database in this new folder
    #[arg(long, value_name = "DIR", requires = "rebuild")]
    keep: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

impl Args {
    /// It is about all there is, and keeps nothing of it.
    pub(super) fn is_of_all(&self) -> bool {
        self.games.is_empty() && self.keep.is_none()
    }
}

pub(super) async fn run(setup: &Setup, args: Args) -> Result<Report, Failure> {
    by_account(setup, Form::of(args.json, false), async |account| of_account(account, &args).await).await
}

async fn of_account(setup: &Setup, args: &Args) -> Result<Report, Failure> {
    if args.rebuild {
        return rebuild::run(setup, args.keep.as_deref(), args.json).await;
    }
    let me = setup.config()?.me;
    let mut store = setup.store_to_read().await?;
    let mut games = Vec::new();
    for id in &args.games {
        games.push(find(&mut store, id).await?);
    }
    if args.games.is_empty() || args.all {
        games = store.games().await?;
    }
    let findings = verify(&mut store, &me, &games).await?;
    let text = if args.json { as_json(&findings) } else { as_text(&findings) };
    let exit = if is_sound(&findings) { Exit::Ok } else { Exit::Failed };
    Ok(Report { text, exit })
}

const NOT_LOOKED_AT: &str = "Not looked at here: the journal, private notes, letters to you, and what is noted of mails (senders, \
                             Message-IDs, decisions); all of it:  amici verify --rebuild\n";

fn is_sound(findings: &Findings) -> bool {
    let Findings { defects, other_mails, games } = findings;
    defects.is_empty() && other_mails.is_empty() && games.iter().all(|game| game.differences.is_empty())
}

fn as_text(findings: &Findings) -> String {
    let mut text = String::new();
    for game in &findings.games {
        text.push_str(&line(game));
        for difference in &game.differences {
            text.push_str(&in_words(&game.game, difference));
        }
        text.extend(game.known.iter().map(|known| format!("    known: {known}\n")));
    }
    for mail in &findings.other_mails {
        text.push_str(&format!(
            "mail {mail}: its stored bytes are not those that came\n    help: put back the newest backup that has it\n"
        ));
    }
    text.extend(
        findings.defects.iter().map(|defect| format!("amici.db: {defect}\n    help: put back the newest backup\n")),
    );
    text.push_str(NOT_LOOKED_AT);
    let count: usize = findings.games.iter().map(|game| game.differences.len()).sum();
    let count = count + findings.other_mails.len() + findings.defects.len();
    let found = plural(count, "difference");
    text.push_str(&format!("{} checked, and the file itself: {found}.\n", plural(findings.games.len(), "game")));
    text
}

fn line(checked: &Checked) -> String {
    let mut facts = vec![format!("{} from mails, read again", checked.from_mails)];
    if checked.from_acts > 0 {
        facts.push(format!("{} as you entered them", checked.from_acts));
    }
    format!(
        "{:<14} {}: {}; {}: {}\n",
        checked.game.id,
        plies_in_words(checked.game.moves.len()),
        facts.join(", "),
        plural(checked.mails, "mail"),
        plural(checked.differences.len(), "difference")
    )
}

fn in_words(game: &Game, difference: &Difference) -> String {
    let Difference { ply, mail, what, record, proof, help } = difference;
    let place = ply.map(|ply| format!("{} ", game.number_of(ply - 1))).unwrap_or_default();
    let witness = mail.map_or("you entered".to_owned(), |mail| format!("mail {mail} says"));
    format!("    {place}{what}: on record {record}; {witness} {proof}\n        help: {help}\n")
}

fn as_json(findings: &Findings) -> String {
    let difference = |d: &Difference| json!({"ply": d.ply, "mail": d.mail, "what": d.what, "record": d.record, "proof": d.proof, "help": d.help});
    let game = |g: &Checked| {
        json!({
            "game_id": g.game.id, "plies": g.game.moves.len(), "from_mails": g.from_mails, "from_acts": g.from_acts,
            "mails": g.mails,
            "differences": g.differences.iter().map(difference).collect::<Vec<Value>>(), "known": g.known,
        })
    };
    let document = json!({
        "schema": 1, "sound": is_sound(findings), "games": findings.games.iter().map(game).collect::<Vec<Value>>(),
        "other_mails": findings.other_mails, "defects": findings.defects,
    });
    format!("{document:#}\n")
}
