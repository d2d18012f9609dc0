//! Change sets of a session from their staging to their apply (spec: crew-package.md §10, ai-sessions.md §4).
//!
//! Pure: what stands and what was stored comes in, what is to be stored goes out. Who holds rows and the clock puts these
//! together: [`stage`] a set, [`judge`] it as often as wanted, show it ([`shown`]), apply it through the gate, take it
//! back ([`revert`]). Invariants: what is stored of a package changes in an apply only; the working files of a session are
//! made up of what its newest set changes; a set that only edits texts survives work of others.

mod apply;
pub mod codes;
mod effective;
mod judge;
mod object;
mod preview;
mod record;
mod revert;
mod stage;
mod wire;

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod signed;
#[cfg(test)]
mod tests;

pub use apply::{ApplyBody, SOURCE, SeenPreview, moved, wants_confirmation};
pub use codes::*;
pub use effective::{Baseline, effective};
pub use judge::{Judgement, judge, stored};
pub use object::{Content, WorkingFile};
pub use preview::{ShownChange, impact, shown};
pub use record::{DeclaredImpact, Issued, Record, Undo};
pub use revert::revert;
pub use stage::{Staging, stage, verdict};
pub use wire::{changed_rows, findings, meta, verdict_members};
