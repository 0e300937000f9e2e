//! The letters that stand for a value in the line of a summary.

use crate::domain::clock::events::MarkKind;
use crate::domain::clock::over::IllegalDays;
use crate::domain::clock::rules::SilenceEffect;
use crate::domain::game::{GameResult, Side};
use crate::domain::replay::{DrawClaim, Standing};

pub(super) fn side_letter(side: Side) -> &'static str {
    match side {
        Side::White => "w",
        Side::Black => "b",
    }
}

pub(super) fn side(letter: char) -> Option<Side> {
    match letter {
        'w' => Some(Side::White),
        'b' => Some(Side::Black),
        _ => None,
    }
}

pub(super) fn result_letter(result: Option<GameResult>) -> char {
    match result {
        None => '*',
        Some(GameResult::WhiteWins) => '1',
        Some(GameResult::BlackWins) => '0',
        Some(GameResult::Draw) => '=',
    }
}

pub(super) fn result(letter: char) -> Option<Option<GameResult>> {
    match letter {
        '*' => Some(None),
        '1' => Some(Some(GameResult::WhiteWins)),
        '0' => Some(Some(GameResult::BlackWins)),
        '=' => Some(Some(GameResult::Draw)),
        _ => None,
    }
}

pub(super) fn illegal_letter(illegal: IllegalDays) -> char {
    match illegal {
        IllegalDays::Run => 'r',
        IllegalDays::StandStill => 's',
        IllegalDays::Counted => 'c',
    }
}

pub(super) fn illegal(letter: char) -> Option<IllegalDays> {
    match letter {
        'r' => Some(IllegalDays::Run),
        's' => Some(IllegalDays::StandStill),
        'c' => Some(IllegalDays::Counted),
        _ => None,
    }
}

/// Whether days are missing of either side, and of the one on the move.
pub(super) fn partial_letter(is_partial: bool, mover_is_partial: bool) -> char {
    match (is_partial, mover_is_partial) {
        (_, true) => 'P',
        (true, false) => 'p',
        (false, false) => '-',
    }
}

pub(super) fn partial(letter: char) -> Option<(bool, bool)> {
    match letter {
        'P' => Some((true, true)),
        'p' => Some((true, false)),
        '-' => Some((false, false)),
        _ => None,
    }
}

pub(super) fn standing_letter(standing: Standing) -> char {
    match standing {
        Standing::Checkmate => '#',
        Standing::Stalemate => 's',
        Standing::InsufficientMaterial => 'm',
        Standing::Check => '+',
        Standing::Open => '-',
    }
}

pub(super) fn standing(letter: char) -> Option<Standing> {
    match letter {
        '#' => Some(Standing::Checkmate),
        's' => Some(Standing::Stalemate),
        'm' => Some(Standing::InsufficientMaterial),
        '+' => Some(Standing::Check),
        '-' => Some(Standing::Open),
        _ => None,
    }
}

pub(super) fn draw_claim_letter(claim: Option<DrawClaim>) -> char {
    match claim {
        Some(DrawClaim::Repetition) => '3',
        Some(DrawClaim::FiftyMoves) => '5',
        None => '-',
    }
}

pub(super) fn draw_claim(letter: char) -> Option<Option<DrawClaim>> {
    match letter {
        '3' => Some(Some(DrawClaim::Repetition)),
        '5' => Some(Some(DrawClaim::FiftyMoves)),
        '-' => Some(None),
        _ => None,
    }
}

pub(super) fn kind_letter(kind: MarkKind) -> (char, u32) {
    use SilenceEffect::{AutoForfeit, TdMayForfeit, Warn};
    match kind {
        MarkKind::TimeControl { until_move } => ('T', until_move),
        MarkKind::MoveCap { days } => ('C', days),
        MarkKind::DoubleDays { after } => ('D', after),
        MarkKind::Announce { after } => ('A', after),
        MarkKind::Repeat { after, copy: false } => ('R', after),
        MarkKind::Repeat { after, copy: true } => ('Q', after),
        MarkKind::Reminder { after } => ('M', after),
        MarkKind::Silence { days, effect: Warn } => ('S', days),
        MarkKind::Silence { days, effect: TdMayForfeit } => ('U', days),
        MarkKind::Silence { days, effect: AutoForfeit } => ('V', days),
        MarkKind::Claim { days, effect: Warn } => ('X', days),
        MarkKind::Claim { days, effect: TdMayForfeit } => ('Y', days),
        MarkKind::Claim { days, effect: AutoForfeit } => ('Z', days),
        MarkKind::LeaveBegins { days } => ('B', days),
        MarkKind::LeaveEnds { days } => ('E', days),
        MarkKind::Unsent => ('N', 0),
        MarkKind::Untold => ('O', 0),
        MarkKind::LateMove { lost_by_answer } => ('L', lost_by_answer.into()),
    }
}

pub(super) fn kind(letter: char, number: u32) -> Option<MarkKind> {
    use SilenceEffect::{AutoForfeit, TdMayForfeit, Warn};
    Some(match letter {
        'T' => MarkKind::TimeControl { until_move: number },
        'C' => MarkKind::MoveCap { days: number },
        'D' => MarkKind::DoubleDays { after: number },
        'A' => MarkKind::Announce { after: number },
        'R' => MarkKind::Repeat { after: number, copy: false },
        'Q' => MarkKind::Repeat { after: number, copy: true },
        'M' => MarkKind::Reminder { after: number },
        'S' => MarkKind::Silence { days: number, effect: Warn },
        'U' => MarkKind::Silence { days: number, effect: TdMayForfeit },
        'V' => MarkKind::Silence { days: number, effect: AutoForfeit },
        'X' => MarkKind::Claim { days: number, effect: Warn },
        'Y' => MarkKind::Claim { days: number, effect: TdMayForfeit },
        'Z' => MarkKind::Claim { days: number, effect: AutoForfeit },
        'B' => MarkKind::LeaveBegins { days: number },
        'E' => MarkKind::LeaveEnds { days: number },
        'N' => MarkKind::Unsent,
        'O' => MarkKind::Untold,
        'L' => MarkKind::LateMove { lost_by_answer: number == 1 },
        _ => return None,
    })
}
