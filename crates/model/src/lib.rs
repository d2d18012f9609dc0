//! IFC models: read, structure, properties, queries, and the STEP writer.

mod shapes;
mod api;

pub use shapes::*;
pub use api::*;
