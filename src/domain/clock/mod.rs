//! Reflection time: the rule sets, counting days, and the clocks of both players.
//!
//! Days are civil dates of the mover's own place, except under rules that count spans of 24 hours; the wall clock is an
//! argument and only ever answers "how long so far".
//! [`rules`] say what holds, [`days`] counts one move, [`still`] knows the leave, [`control`] the allowance, [`dated`] which date
//! counts, [`reasons`] how the days come about in words, [`illegal`] what an illegal move costs, [`reminder`] which repeat of the
//! opponent's is one; [`ledger`] puts them together, and [`ply_time`] is what it says of one ply. [`events`] are the marks that come,
//! [`silence`] is how long a side has not answered, [`again`] what counts where a move of the player's may be lost, [`over`] how sure
//! an overstep with the move that is thought about is, [`late`] what follows of one on record, [`hidden`] which one only a doubtful day
//! hides, [`doubt`] what a person should look at, [`settle`] what he may settle, [`trust`] whether the machine's clock can be right, and
//! [`ahead`] what one that ran ahead left.

pub mod again;
pub mod ahead;
pub mod control;
pub mod dated;
pub mod days;
pub mod doubt;
pub mod events;
pub mod hidden;
pub mod illegal;
pub mod late;
pub mod ledger;
pub mod over;
pub mod ply_time;
pub mod reasons;
pub mod reminder;
pub mod rules;
pub mod settle;
pub mod silence;
pub mod still;
pub mod trust;
