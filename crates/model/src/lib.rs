//! IFC models: read, structure, properties, queries, and the STEP writer.
//!
//! Owns what a model *is* to the rest of Holdpoint: `bim.model` and `bim.query` (spec: ifc-sdk.md §3), the figures
//! of a file (§7.1), and the canonical fixtures (§7). Refuses to know JavaScript, capabilities, bundles and files
//! on disk: bytes come in, values go out. Schema tables and text decoding are `ifc-lite-core`'s; the reading of the
//! STEP frame is our own, because a broken file must be judged and not skipped.
//!
//! ```
//! use holdpoint_model::{Model, describe, fixtures};
//!
//! let text = fixtures::write("house-small").expect("a canonical fixture");
//! let model = Model::open(text, "house-small.ifc").expect("a valid file");
//! let walls = model.by_type(&["IfcWall"]).expect("a known class");
//! let rated = walls.iter().filter(|id| !model.property(**id, "Pset_WallCommon", "FireRating").is_null());
//! assert_eq!((walls.len(), rated.count()), (13, 5));
//! assert_eq!(model.storeys().len(), 3);
//! assert_eq!(describe(&model).wall_fire_ratings["REI 60"], 3);
//! ```

pub mod bcf;
pub mod codes;
mod create;
mod draft;
mod edit;
mod extract;
mod facts;
pub mod fixtures;
pub mod ids;
mod lists;
mod model;
mod packed;
mod query;
mod relations;
mod schema;
mod shapes;
mod step;
mod values;
mod view;
mod writer;

pub use create::{CreateRefused, Created, Creation, Sort};
pub use edit::{EditError, ModelEdit};
pub use facts::{Facts, Members, StoreyFacts, describe};
pub use lists::{ColumnBlock, ColumnKey, RowBlock, StoreyName, TreeBlock, TreeNode};
pub use model::{Model, RecordPlace, TooLargeError};
pub use packed::unpacked;
pub use query::{Schedule, Sequence, Task, WorkControl};
pub use shapes::{
    Attribute, Classification, Direction, Document, Entity, EntityRef, ExpressId, InvalidModelError, Layer, Material,
    ModelInfo, Property, PropertySet, Quantity, QuantitySet, Relationships, TypeProperties, UnknownClassError, Warning,
};
pub use step::iso_time;
pub use values::{ValueBlock, ValueColumn};
pub use view::{Detail, FileUnit, Group, GroupValue, Overview, Row, StoreyCount, TypeCount, TypeObject};
