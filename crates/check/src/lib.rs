//! Diagnostics and what finds them: positions, JSON with positions, JSON Schema of ours and of users,
//! JavaScript analysis.
//!
//! Owns the one diagnostic shape. Only this crate knows JavaScript syntax and JSON Schema. It never decides what a
//! kind allows: kinds bring rules and tables.

pub mod diagnostic;
pub mod js;
pub mod json;
pub mod order;
pub mod position;
pub mod python;
pub mod schema;
pub mod subset;
pub mod user_schema;

pub use diagnostic::{Diagnostic, Fix, FixTarget, Severity};
pub use position::{LineIndex, Position, Range};
