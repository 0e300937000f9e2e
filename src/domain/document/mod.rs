//! Games as a JSON document: what `import` reads and `export` writes.
//!
//! The document is checked whole: a game that does not play out, a date the wrong way round, a key that nobody knows is
//! an error that names the game and the ply. Exporting an imported document gives it back.

use std::collections::{BTreeMap, HashSet};

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::clock::rules::RulesetChoice;
use super::game::{Agreed, ClockNote, Game, GameId, GameResult, Leave, Observed, Player, SentIllegal, Side};
use super::notation::NumericMove;

mod check;
mod entry;
mod shape;

pub use check::{GameError, check, check_days, check_played};

/// The version of the document's shape. Keys are only ever added.
pub const SCHEMA: u32 = 1;

/// All games of a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Always 1.
    pub schema: u32,
    /// The games.
    pub games: Vec<GameDocument>,
}

/// One game of a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the keys mean what the fields of `Game` mean")]
pub struct GameDocument {
    pub id: GameId,
    #[serde(default)]
    pub event: String,
    #[serde(default)]
    pub site: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    pub white: Player,
    pub black: Player,
    pub me: Side,
    #[serde(default)]
    pub start_date: Option<NaiveDate>,
    #[serde(default)]
    pub start_fen: Option<String>,
    pub rules: RulesetChoice,
    #[serde(default = "numeric_only")]
    pub notations: Vec<String>,
    #[serde(default)]
    pub moves: Vec<MoveDocument>,
    #[serde(default)]
    pub draw_offer: Option<Side>,
    #[serde(default)]
    pub conditionals: Vec<Vec<NumericMove>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leaves: Vec<Leave>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clock_notes: Vec<ClockNote>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub illegal: Vec<SentIllegal>,
    #[serde(default)]
    pub result: Option<GameResult>,
    #[serde(default)]
    pub last_message_id: Option<String>,
    #[serde(default)]
    pub seen_message_ids: Vec<String>,
}

fn numeric_only() -> Vec<String> {
    vec!["iccf".to_owned()]
}

/// One ply of a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the keys mean what the fields of `Stated` mean")]
pub struct MoveDocument {
    pub numeric: NumericMove,
    #[serde(default)]
    pub received: Option<NaiveDate>,
    #[serde(default)]
    pub sent: Option<NaiveDate>,
    #[serde(default)]
    pub days: Option<u32>,
    #[serde(default)]
    pub total: Option<u32>,
    /// `sent` is the day of the mail's Date: its sender states none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sent_is_of_header: bool,
    /// What the mail servers saw, where a mail brought it: hours are counted by its instants.
    #[serde(default, skip_serializing_if = "Observed::is_empty")]
    pub observed: Observed,
    /// What was settled later, where it was.
    #[serde(default, skip_serializing_if = "Agreed::is_empty")]
    pub agreed: Agreed,
}

/// Bytes between two quotation marks; a name that fills the memory is told before it is read.
const LONGEST_PIECE: usize = 64 << 10;

/// Why a document is refused, as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// Not the shape of version 1.
    #[error("line {line}: {why}")]
    Shape {
        /// Where in the file, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// A game of the file has not its shape.
    #[error("line {line}, game {game}: {why}")]
    GameShape {
        /// Where the file cannot be read on, from 1.
        line: usize,
        /// Which, as it stands there.
        game: String,
        /// What is wrong.
        why: String,
    },
    /// Another version.
    #[error("`schema` is {0}; this program reads 1")]
    Schema(u32),
    /// The same id twice.
    #[error("game {0} stands in the file twice; upper and lower case make no difference")]
    Twice(GameId),
    /// One game cannot be used.
    #[error("game {game}: {why}")]
    Game {
        /// Which.
        game: GameId,
        /// Why.
        why: GameError,
    },
}

impl Document {
    /// Reads a document and checks every game of it.
    ///
    /// # Errors
    /// [`DocumentError`] names the first thing that does not do.
    pub fn read(text: &str) -> Result<Vec<Game>, DocumentError> {
        Document::read_with(text, |_| None)
    }

    /// The same where games may name rule sets of the player's own, which `own` makes values of.
    ///
    /// # Errors
    /// As [`Document::read`].
    pub fn read_with(
        text: &str,
        own: impl Fn(&RulesetChoice) -> Option<RulesetChoice>,
    ) -> Result<Vec<Game>, DocumentError> {
        let long = text.split('"').position(|piece| piece.len() > LONGEST_PIECE);
        if let Some(place) = long {
            let line = text.split('"').take(place).map(|piece| piece.matches('\n').count()).sum::<usize>() + 1;
            let why = format!("a text or number of more than {} KiB stands there", LONGEST_PIECE >> 10);
            return Err(DocumentError::Shape { line, why });
        }
        let document: Document = serde_json::from_str(text).map_err(|error| shape::wrong(text, &error))?;
        if document.schema != SCHEMA {
            return Err(DocumentError::Schema(document.schema));
        }
        let mut ids = HashSet::with_capacity(document.games.len());
        let mut games: Vec<Game> = Vec::with_capacity(document.games.len());
        for entry in document.games {
            let is_wrong = |m: &MoveDocument| m.sent_is_of_header && (m.sent.is_none() || m.sent != m.observed.sent);
            if let Some(index) = entry.moves.iter().position(is_wrong) {
                let why = GameError::NotOfHeader { ply: index + 1 };
                return Err(DocumentError::Game { game: entry.id, why });
            }
            let mut game = Game::from(entry);
            if !ids.insert(game.id.folded()) {
                return Err(DocumentError::Twice(game.id));
            }
            game.rules = own(&game.rules).unwrap_or(game.rules);
            check(&game).map_err(|why| DocumentError::Game { game: game.id.clone(), why })?;
            games.push(game);
        }
        Ok(games)
    }

    /// The document of these games.
    pub fn of(games: &[Game]) -> Document {
        Document { schema: SCHEMA, games: games.iter().map(GameDocument::from).collect() }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::Value;

    use super::*;

    pub(crate) const SAMPLE: &str = include_str!("../../../tests/corpus/games/sample.json");

    /// The worked game of the transmission format: 1. d4 Nf6 to 7. O-O, Black to answer.
    pub(crate) fn sample_game() -> Game {
        Document::read(SAMPLE).unwrap().remove(0)
    }

    fn refused(from: &str, to: &str) -> String {
        assert!(SAMPLE.contains(from), "{from} is in the sample");
        Document::read(&SAMPLE.replacen(from, to, 1)).unwrap_err().to_string()
    }

    #[test]
    fn the_sample_game_ends_in_the_position_of_the_rules() {
        let fen = sample_game().replay().unwrap().fen();
        assert_eq!(fen, "rnbq1rk1/ppp2pbp/3p1np1/4p3/2PPP3/2N2N2/PP2BPPP/R1BQ1RK1 b - - 1 7");
    }

    #[test]
    fn export_gives_back_what_was_imported() {
        let again = serde_json::to_value(Document::of(&[sample_game()])).unwrap();
        let sample: serde_json::Value = serde_json::from_str(SAMPLE).unwrap();
        assert_eq!(again, sample);
    }

    #[test]
    fn a_bad_document_names_the_game_the_ply_and_the_reason() {
        let illegal = refused(r#""numeric": "3234""#, r#""numeric": "3235""#);
        assert!(illegal.contains("game SAMPLE-1: ply 3 (2. 3235)"), "{illegal}");
        assert!(refused(r#""event""#, r#""evnt""#).contains("evnt"));
        assert!(refused(r#""schema": 1"#, r#""schema": 7"#).contains('7'));
        assert!(refused("iccf-email-2000", "blitz").contains("`blitz`"));
        assert!(refused(r#""notations": ["iccf"]"#, r#""notations": ["san"]"#).contains("`iccf`"));
        assert!(refused(r#""notations": ["iccf"]"#, r#""notations": ["iccf", "morse"]"#).contains("morse"));
        assert!(refused("tobin.q@example.net", "nobody").contains("`black.emails`"));
        assert!(refused("tobin.q@example.net", "mila.ostrander@example.org").contains("both players"));
        assert!(refused(r#""sent": "2004-09-17""#, r#""sent": "2004-09-01""#).contains("ply 3"));
        assert!(refused(r#""draw_offer": null"#, r#""draw_offer": "black""#).contains("draw_offer"));
        assert!(refused(r#""id": "SAMPLE-1""#, r#""id": "SAMPLE 1""#).contains("no game id"));
        let control = refused("Ostrander, Mila", r"Ostrander,\r\nMila");
        assert_eq!(control, "game SAMPLE-1: `white.name` has a line end or another control character in it");
        for rules in ["null", "[]", "5"] {
            let error = refused(r#""iccf-email-2000""#, rules);
            assert!(error.contains("game SAMPLE-1: `rules` is the name of a rule set, or a table"), "{error}");
        }
        let leave = r#""leaves": [{"side": "white", "from": "2004-12-02", "to": "2004-12-01"}], "draw_offer": null"#;
        assert!(refused(r#""draw_offer": null"#, leave).contains("2004-12-01 lies before 2004-12-02"));
        let note = r#""clock_notes": [{"ply": 99, "kind": "announced", "on": "2004-12-01"}], "draw_offer": null"#;
        assert!(refused(r#""draw_offer": null"#, note).contains("ply 14 is due"));
    }

    #[test]
    fn what_a_mail_said_comes_back_as_it_was_on_record_even_the_wrong_way_round() {
        let mut game = sample_game();
        let seen = |sent: &str| Observed {
            sent: Some(sent.parse().unwrap()),
            sent_at: Some(format!("{sent}T20:00:00+01:00").parse().unwrap()),
            arrived: Some("2004-10-31".parse().unwrap()),
            arrived_at: Some("2004-10-30T23:30:00Z".parse().unwrap()),
            ..Observed::default()
        };
        for (sent, stated) in [("2004-10-30", "2004-10-20"), ("2004-10-30", "2004-10-30"), ("2004-10-20", "")] {
            game.moves[12].observed = seen(sent);
            game.moves[12].claimed.sent = stated.parse().ok();
            let text = serde_json::to_string(&Document::of(std::slice::from_ref(&game))).unwrap();
            let read = Document::read(&text).unwrap().remove(0);
            assert_eq!(read.moves[12], game.moves[12]);
            assert_eq!(check_days(&read, "2004-10-31".parse().unwrap()), Ok(()));
        }
        let header = r#""sent": "2004-09-17", "sent_is_of_header": true"#;
        assert!(refused(r#""sent": "2004-09-17""#, header).contains("ply 3: `sent` is said to be of the mail's Date"));
    }

    #[test]
    fn only_a_finished_game_needs_no_addresses() {
        let mut document = Document::of(&[sample_game()]);
        document.games[0].black.emails.clear();
        let read = |document: &Document| Document::read(&serde_json::to_string(document).unwrap());
        assert!(read(&document).unwrap_err().to_string().contains("`black.emails` is empty"));
        document.games[0].result = Some(GameResult::Draw);
        assert!(read(&document).unwrap()[0].black.emails.is_empty());
    }

    #[test]
    fn a_game_twice_in_a_file_is_refused() {
        let mut document = Document::of(&[sample_game()]);
        document.games.push(document.games[0].clone());
        let text = serde_json::to_string(&document).unwrap();
        assert!(matches!(Document::read(&text), Err(DocumentError::Twice(_))));
        document.games[1].id = "sample-1".parse().unwrap();
        let text = serde_json::to_string(&document).unwrap();
        assert!(matches!(Document::read(&text), Err(DocumentError::Twice(_))), "in other letters");
    }

    #[test]
    fn a_value_that_cannot_be_read_is_named_with_its_game_ply_and_key() {
        let refused = |change: &dyn Fn(&mut Value)| {
            let mut document = serde_json::to_value(Document::of(&[sample_game()])).unwrap();
            change(&mut document["games"][0]);
            Document::read(&document.to_string()).unwrap_err().to_string()
        };
        let date = refused(&|game| game["moves"][2]["sent"] = "01.03.2027".into());
        assert_eq!(
            date,
            "line 1, game SAMPLE-1: ply 3, sent \"01.03.2027\": input contains invalid characters; a date is written like 2004-09-15"
        );
        let start = refused(&|game| game["start_date"] = "2027-13-01".into());
        assert!(start.contains("game SAMPLE-1: start_date \"2027-13-01\": input is out of range"), "{start}");
        let none = refused(&|game| game["moves"][2]["sent"] = "2027-02-30".into());
        assert!(none.ends_with("ply 3, sent \"2027-02-30\": there is no 30 February 2027"), "{none}");
        let key = refused(&|game| game["moves"][0]["foo"] = 1.into());
        assert!(key.contains("ply 1, foo 1: unknown field `foo`"), "{key}");
        let days = refused(&|game| game["moves"][1]["days"] = (-1).into());
        assert!(days.contains("ply 2, days -1: invalid value"), "{days}");
        let none = refused(&|game| drop(game["moves"][1].as_object_mut().unwrap().remove("numeric")));
        assert!(none.ends_with("game SAMPLE-1: missing field `numeric`"), "{none}");
    }

    #[test]
    fn a_game_may_name_a_rule_set_of_the_players_own() {
        let own: RulesetChoice =
            serde_json::from_str(r#"{"base": "friendly", "name": "club", "double_after": 9}"#).unwrap();
        let text = SAMPLE.replacen("iccf-email-2000", "club", 1);
        let games =
            Document::read_with(&text, |rules| (*rules == RulesetChoice::Name("club".to_owned())).then(|| own.clone()))
                .unwrap();
        assert_eq!(games[0].rules, own);
        assert!(Document::read(&text).unwrap_err().to_string().contains("`club`"));
    }
}
