//! The data files that belong to the specification, as text. Nothing keeps a second copy of a list that stands here.

pub const CAPABILITIES: &str = include_str!("../schemas/ifc/capabilities.json");
/// The content of the canonical fixtures.
pub const FIXTURES: &str = include_str!("../schemas/ifc/fixtures.json");
/// The manifest, JSON Schema draft 2020-12.
pub const MANIFEST: &str = include_str!("../schemas/ifc/manifest.schema.json");
/// The authoring plan, JSON Schema draft 2020-12.
pub const PLAN: &str = include_str!("../schemas/ifc/plan.schema.json");
/// The members of the SDK with arguments, results and capabilities.
pub const SDK: &str = include_str!("../schemas/ifc/sdk-v1.json");
/// What changed in the SDK from version to version, oldest first.
pub const SDK_CHANGES: &str = include_str!("../schemas/ifc/sdk-changes.json");
/// A widget node, JSON Schema draft 2020-12.
pub const WIDGET: &str = include_str!("../schemas/ifc/widget.schema.json");
