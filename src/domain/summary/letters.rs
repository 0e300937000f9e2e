//! The letters that stand for a value in the line of a summary.

use chrono::{Datelike, NaiveDate};

use crate::domain::clock::events::MarkKind;
use crate::domain::clock::over::IllegalDays;
use crate::domain::clock::rules::SilenceEffect;
use crate::domain::game::{GameResult, Side};
use crate::domain::replay::{DrawClaim, Standing};

pub(super) fn side_letter(side: Side) -> u8 {
    match side {
        Side::White => b'w',
        Side::Black => b'b',
    }
}

pub(super) fn side(letter: u8) -> Option<Side> {
    match letter {
        b'w' => Some(Side::White),
        b'b' => Some(Side::Black),
        _ => None,
    }
}

pub(super) fn result_letter(result: Option<GameResult>) -> u8 {
    match result {
        None => b'*',
        Some(GameResult::WhiteWins) => b'1',
        Some(GameResult::BlackWins) => b'0',
        Some(GameResult::Draw) => b'=',
    }
}

pub(super) fn result(letter: u8) -> Option<Option<GameResult>> {
    match letter {
        b'*' => Some(None),
        b'1' => Some(Some(GameResult::WhiteWins)),
        b'0' => Some(Some(GameResult::BlackWins)),
        b'=' => Some(Some(GameResult::Draw)),
        _ => None,
    }
}

pub(super) fn illegal_letter(illegal: IllegalDays) -> u8 {
    match illegal {
        IllegalDays::Run => b'r',
        IllegalDays::StandStill => b's',
        IllegalDays::Counted => b'c',
    }
}

pub(super) fn illegal(letter: u8) -> Option<IllegalDays> {
    match letter {
        b'r' => Some(IllegalDays::Run),
        b's' => Some(IllegalDays::StandStill),
        b'c' => Some(IllegalDays::Counted),
        _ => None,
    }
}

/// Whether days are missing of either side, and of the one on the move.
pub(super) fn partial_letter(is_partial: bool, mover_is_partial: bool) -> u8 {
    match (is_partial, mover_is_partial) {
        (_, true) => b'P',
        (true, false) => b'p',
        (false, false) => b'-',
    }
}

pub(super) fn partial(letter: u8) -> Option<(bool, bool)> {
    match letter {
        b'P' => Some((true, true)),
        b'p' => Some((true, false)),
        b'-' => Some((false, false)),
        _ => None,
    }
}

pub(super) fn standing_letter(standing: Standing) -> u8 {
    match standing {
        Standing::Checkmate => b'#',
        Standing::Stalemate => b's',
        Standing::InsufficientMaterial => b'm',
        Standing::Check => b'+',
        Standing::Open => b'-',
    }
}

pub(super) fn standing(letter: u8) -> Option<Standing> {
    match letter {
        b'#' => Some(Standing::Checkmate),
        b's' => Some(Standing::Stalemate),
        b'm' => Some(Standing::InsufficientMaterial),
        b'+' => Some(Standing::Check),
        b'-' => Some(Standing::Open),
        _ => None,
    }
}

pub(super) fn draw_claim_letter(claim: Option<DrawClaim>) -> u8 {
    match claim {
        Some(DrawClaim::Repetition) => b'3',
        Some(DrawClaim::FiftyMoves) => b'5',
        None => b'-',
    }
}

pub(super) fn draw_claim(letter: u8) -> Option<Option<DrawClaim>> {
    match letter {
        b'3' => Some(Some(DrawClaim::Repetition)),
        b'5' => Some(Some(DrawClaim::FiftyMoves)),
        b'-' => Some(None),
        _ => None,
    }
}

pub(super) fn kind_letter(kind: MarkKind) -> (u8, u32) {
    use SilenceEffect::{AutoForfeit, TdMayForfeit, Warn};
    match kind {
        MarkKind::TimeControl { until_move } => (b'T', until_move),
        MarkKind::MoveCap { days } => (b'C', days),
        MarkKind::DoubleDays { after } => (b'D', after),
        MarkKind::Announce { after } => (b'A', after),
        MarkKind::Repeat { after, copy: false } => (b'R', after),
        MarkKind::Repeat { after, copy: true } => (b'Q', after),
        MarkKind::Reminder { after } => (b'M', after),
        MarkKind::Silence { days, effect: Warn } => (b'S', days),
        MarkKind::Silence { days, effect: TdMayForfeit } => (b'U', days),
        MarkKind::Silence { days, effect: AutoForfeit } => (b'V', days),
        MarkKind::Claim { days, effect: Warn } => (b'X', days),
        MarkKind::Claim { days, effect: TdMayForfeit } => (b'Y', days),
        MarkKind::Claim { days, effect: AutoForfeit } => (b'Z', days),
        MarkKind::LeaveBegins { days } => (b'B', days),
        MarkKind::LeaveEnds { days } => (b'E', days),
        MarkKind::Unsent => (b'N', 0),
        MarkKind::Untold => (b'O', 0),
        MarkKind::LateMove { lost_by_answer } => (b'L', lost_by_answer.into()),
        MarkKind::PerhapsLate { counts } => (b'P', u32::try_from(counts.num_days_from_ce()).unwrap_or_default()),
    }
}

pub(super) fn kind(letter: u8, number: u32) -> Option<MarkKind> {
    use SilenceEffect::{AutoForfeit, TdMayForfeit, Warn};
    Some(match letter {
        b'T' => MarkKind::TimeControl { until_move: number },
        b'C' => MarkKind::MoveCap { days: number },
        b'D' => MarkKind::DoubleDays { after: number },
        b'A' => MarkKind::Announce { after: number },
        b'R' => MarkKind::Repeat { after: number, copy: false },
        b'Q' => MarkKind::Repeat { after: number, copy: true },
        b'M' => MarkKind::Reminder { after: number },
        b'S' => MarkKind::Silence { days: number, effect: Warn },
        b'U' => MarkKind::Silence { days: number, effect: TdMayForfeit },
        b'V' => MarkKind::Silence { days: number, effect: AutoForfeit },
        b'X' => MarkKind::Claim { days: number, effect: Warn },
        b'Y' => MarkKind::Claim { days: number, effect: TdMayForfeit },
        b'Z' => MarkKind::Claim { days: number, effect: AutoForfeit },
        b'B' => MarkKind::LeaveBegins { days: number },
        b'E' => MarkKind::LeaveEnds { days: number },
        b'N' => MarkKind::Unsent,
        b'O' => MarkKind::Untold,
        b'L' => MarkKind::LateMove { lost_by_answer: number == 1 },
        b'P' => MarkKind::PerhapsLate { counts: NaiveDate::from_num_days_from_ce_opt(i32::try_from(number).ok()?)? },
        _ => return None,
    })
}
