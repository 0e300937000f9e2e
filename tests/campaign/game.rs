//! Random legal games: positions of all phases, often just before a castling, a promotion, an en passant or a check.

use amici::config::{Config, Me};
use amici::domain::document::Document;
use amici::domain::game::{Game, MoveNumber, MoveRecord, Side, Stated};
use amici::domain::notation::NumericMove;
use chrono::{Days, NaiveDate};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position, Role};

const ME: &str =
    "[me]\nname = \"Quillfeather, Tobin\"\nemails = [\"tobin.q@example.net\"]\ntimezone = \"Europe/Stockholm\"\n";

/// A generator of its own: a case is found again by its numbers, whatever else changes.
#[derive(Clone)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A stream for these numbers.
    pub(crate) fn of(numbers: &[u64]) -> Dice {
        let mut dice = Dice(0);
        for number in numbers {
            dice.0 = dice.next() ^ number;
        }
        dice
    }

    /// Splitmix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        usize::try_from(self.next() % sides as u64).unwrap()
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.roll(of.len())]
    }

    /// True once in so many times.
    pub(crate) fn one_in(&mut self, many: usize) -> bool {
        self.roll(many) == 0
    }
}

/// One half-move of a game.
#[derive(Clone)]
pub(crate) struct Ply {
    pub(crate) number: MoveNumber,
    pub(crate) numeric: NumericMove,
    pub(crate) played: Move,
    /// In English letters.
    pub(crate) san: String,
    pub(crate) stated: Stated,
}

/// A game with the opponent's new move as its last ply, which is not on record.
pub(crate) struct Situation {
    pub(crate) game: Game,
    pub(crate) me: Me,
    pub(crate) plies: Vec<Ply>,
    /// All legal moves instead of the new one, it included.
    pub(crate) legal: Vec<NumericMove>,
    pub(crate) before: Chess,
    /// Legal replies to it, each with a legal move after it.
    pub(crate) lines: Vec<(NumericMove, NumericMove)>,
    /// Another game of about the same length.
    pub(crate) other: Vec<Ply>,
}

impl Situation {
    pub(crate) fn new_ply(&self) -> &Ply {
        self.plies.last().unwrap()
    }

    /// A legal move that is not the new one, if there is one.
    pub(crate) fn another(&self, dice: &mut Dice) -> Option<NumericMove> {
        let new = self.new_ply().numeric;
        let others: Vec<_> = self.legal.iter().filter(|m| **m != new).collect();
        (!others.is_empty()).then(|| **dice.pick(&others))
    }
}

/// Moves that are written or checked in a way of their own.
fn is_special(position: &Chess, m: &Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(*m);
    m.is_castle() || m.is_promotion() || m.is_en_passant() || after.is_check()
}

/// Far pawns go on, so that games with promotions come up.
fn choose(dice: &mut Dice, position: &Chess) -> Option<Move> {
    let moves = position.legal_moves();
    let advanced: Vec<&Move> = moves.iter().filter(|m| m.role() == Role::Pawn && m.promotion().is_some()).collect();
    let pawns: Vec<&Move> = moves.iter().filter(|m| m.role() == Role::Pawn && !m.is_capture()).collect();
    let castles: Vec<&Move> = moves.iter().filter(|m| m.is_castle() || m.is_en_passant()).collect();
    for (wanted, share) in [(castles, 2), (advanced, 2), (pawns, 4)] {
        if !wanted.is_empty() && dice.one_in(share) {
            return Some(**dice.pick(&wanted));
        }
    }
    (!moves.is_empty()).then(|| *dice.pick(&moves))
}

/// The plies of a random game and the position before the last of them.
fn random_game(dice: &mut Dice, wanted: usize, start: NaiveDate) -> (Vec<Ply>, Chess) {
    let mut position = Chess::default();
    let mut before = position.clone();
    let (mut sent, mut totals) = (start, [0, 0]);
    let mut plies: Vec<Ply> = Vec::new();
    let ends_special = dice.one_in(2);
    for index in 0..wanted + 40 {
        let special: Vec<Move> = match ends_special && index + 1 >= wanted {
            true => position.legal_moves().into_iter().filter(|m| is_special(&position, m)).collect(),
            false => Vec::new(),
        };
        let chosen = if special.is_empty() { choose(dice, &position) } else { Some(*dice.pick(&special)) };
        let Some(m) = chosen else { break };
        let received = sent + Days::new(dice.roll(2) as u64);
        sent = received + Days::new(if dice.one_in(12) { 9 + dice.roll(20) } else { dice.roll(8) } as u64);
        let days = u32::try_from((sent - received).num_days()).unwrap();
        totals[index % 2] += days;
        before = position.clone();
        plies.push(Ply {
            number: MoveNumber { number: 1, side: Side::White }.plus(index),
            numeric: NumericMove::of(&m),
            played: m,
            san: SanPlus::from_move(position.clone(), m).to_string(),
            stated: Stated {
                received: Some(received),
                sent: Some(sent),
                days: Some(days),
                total: Some(totals[index % 2]),
            },
        });
        position.play_unchecked(m);
        if index + 1 >= wanted && (!special.is_empty() || !ends_special || index > wanted + 30) {
            break;
        }
    }
    (plies, before)
}

pub(crate) fn situation(dice: &mut Dice) -> Situation {
    let start = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap() + Days::new(dice.roll(2500) as u64);
    let wanted = if dice.one_in(5) { 40 + dice.roll(60) } else { 2 + dice.roll(44) };
    let (plies, before) = random_game(dice, wanted, start);
    let length = plies.len().saturating_sub(dice.roll(3)).max(2);
    let (other, _) = random_game(dice, length, start);
    let legal: Vec<NumericMove> = before.legal_moves().iter().map(NumericMove::of).collect();
    let new = plies.last().unwrap();
    let mut after = before.clone();
    after.play_unchecked(new.played);
    let replies = after.legal_moves();
    let lines = replies.iter().filter_map(|reply| {
        let mut then = after.clone();
        then.play_unchecked(*reply);
        let moves = then.legal_moves();
        (!moves.is_empty()).then(|| (NumericMove::of(reply), NumericMove::of(dice.pick(&moves))))
    });
    let lines = lines.collect();
    let mut game = Document::read(include_str!("../corpus/games/sample.json")).unwrap().remove(0);
    game.me = new.number.side.other();
    if game.me == Side::White {
        std::mem::swap(&mut game.white, &mut game.black);
    }
    game.start_date = Some(start);
    game.moves = records(&plies[..plies.len() - 1]);
    let me = Config::parse(ME).unwrap().me;
    Situation { game, me, plies, legal, before, lines, other }
}

pub(crate) fn records(plies: &[Ply]) -> Vec<MoveRecord> {
    plies.iter().map(|p| MoveRecord::claimed(p.numeric, p.stated)).collect()
}
