//! Meshes of the elements of an IFC file, for a view in three dimensions.
//!
//! Owns what a view needs of `ifc-lite-geometry`: one element at a time, in metres with Z up, near a local origin; equal
//! shapes once; colours. It knows no storeys, no rows and no drawing: who calls says which element is next. A malformed
//! file gives elements that fail one by one, never a fault of the whole.
//!
//! ```
//! let file = b"ISO-10303-21;HEADER;ENDSEC;DATA;ENDSEC;END-ISO-10303-21;";
//! let mut mesher = holdpoint_geometry::Mesher::new(file);
//! assert!(mesher.element(1).is_err());
//! ```

mod colour;
mod mesher;
mod shape;

pub use colour::Colour;
pub use mesher::{DrawError, Drawn, Mesher};
pub use shape::{MeshPart, MeshShape};
