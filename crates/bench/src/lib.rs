//! Rigs of the text engine, of the check, of the sandbox, of crew packages and of apps, kept for good.
//!
//! Owns the public patch benchmark ([`patch`]), replay over real changes ([`replay`]), speed ([`speed`], [`check`], [`sandbox`],
//! [`crew`]), the hunt for slow inputs ([`slow`], [`crew::hunt`]), the tasks of the app builder ([`apps`]), and what they measure with: pairs of published versions, noise, the other tools, tables. It
//! stands apart from the engine: the changes are git's, and ours is one tool of many. Only here is the engine measured;
//! what it does is tested in its own crate.

pub mod apps;
pub mod case;
pub mod change;
pub mod check;
pub mod clock;
pub mod crew;
pub mod draft;
pub mod fault;
pub mod hostile;
pub mod memory;
pub mod noise;
pub mod packages;
pub mod patch;
pub mod questions;
pub mod random;
pub mod replay;
pub mod reply;
pub mod sandbox;
pub mod slow;
pub mod speed;
pub mod table;
pub mod tally;
pub mod tools;
