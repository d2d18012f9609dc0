//! Bundles: files by path, normal paths, the place policy of a kind, the canonical hash.
//!
//! Owns what a path may be (spec: vite-app.md §2, ifc-extension.md §1) and how files are identified (facade.md
//! "Shapes"). Knows nothing of what stands in the files.
//! Invariant: a [`BundlePath`] never holds `..`, a drive, a back slash or a control character.
//!
//! ```
//! use holdpoint_bundle::{PathError, PathLimits, normalise};
//! let limits = PathLimits { bytes: 200, segments: 8 };
//! assert_eq!(normalise("./src//a.js", limits).unwrap().as_str(), "src/a.js");
//! assert_eq!(normalise("src/../a.js", limits), Err(PathError::Traversal));
//! ```

mod hash;
mod path;
mod policy;

use std::collections::BTreeMap;

pub use hash::{bytes_hash, content_hash, text_hash};
pub use path::{BundlePath, CODES, PathError, PathLimits, normalise};
pub use policy::{AllowedFolder, FilePolicy, case_collisions, is_blocked, is_hidden, is_secret};

/// Path to text, in byte order of the paths. Text is content: line endings, a BOM and the last newline are kept.
pub type Files = BTreeMap<String, String>;
