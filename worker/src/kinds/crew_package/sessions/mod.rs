//! Conversations about a package, and the change sets that come of them (spec: ai-sessions.md §2, §3, §4, §10).
//!
//! What a set does is said by `holdpoint_kind_crew::proposals`, what is stored by `holdpoint_store`; here they meet.
//! Invariants: gates are asked in one order: project, rollout, session, body; what belongs to somebody else answers as
//! what is not there; nothing of a package changes but by an apply that a person signed; all that happens is told.

mod apply;
mod command;
mod counted;
mod life;
mod open;
mod perform;
mod routes;
mod sets;
mod show;
mod told;
mod work;

use command::SessionCommand;
pub use life::{interrupted, next_alarm, on_alarm};
use perform::perform;
pub use routes::handle;
pub use sets::{SetVerdict, told_staged};
pub use show::suggestion;
pub use told::Told;
pub use work::{Work, active, builder};
