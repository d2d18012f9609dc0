//! `bim.query` over one model (spec: ifc-sdk.md §3): lists of numbers, ascending, that [`Model::entity`] turns into
//! entities. A number that the file does not have answers nothing and never fails.

mod associations;
mod products;
mod properties;
mod schedule;
mod structure;
mod units;

pub(crate) use properties::has_value;
pub use schedule::{Schedule, Sequence, Task, WorkControl};
pub(crate) use units::Units;
