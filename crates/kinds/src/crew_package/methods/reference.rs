//! The reference of the methods of this folder's file.

use holdpoint_check::method::reference::Entry;

use crate::crew_package::limits::{MAX_BUNDLE_BYTES, MAX_EDGES, MAX_JSON_DEPTH, MAX_NODES};

/// One entry a method.
pub const ENTRIES: &[Entry] = &[Entry {
    method: "changeset.check",
    spec: "crew-package.md §9",
    does: "Checks a change set of a crew package against the package as it stands, in phases, and brings it into one form. Nothing is stored.",
    input: &[
        ("snapshot", "object", "The package: `{workflows, steps, agents, assets, revisions}`."),
        ("session", "object", "Who asks: `{target_type, target_id, mode, workflow_id}`."),
        ("change_set", "any JSON", "What was proposed; whatever is wrong with it is a verdict."),
        ("revision_base?", "object", "The counters that the proposal was made on; only compared."),
        ("options?", "object", "`{asset_extensions, limits}`."),
    ],
    output: &[
        ("valid", "yes or no", "No error."),
        ("schema_failed", "yes or no", "The shape is wrong; the later phases say nothing then."),
        ("errors", "list", "By phase, operation, path, code, pointer."),
        ("warnings", "list", "The same."),
        ("meta", "object", "What would change, and what a person must confirm."),
        ("normalized", "object", "The set in one form; null where the shape is wrong."),
    ],
    limits: &[
        ("bytes of package and set, each", MAX_BUNDLE_BYTES),
        ("arrays and objects open at once", MAX_JSON_DEPTH),
        ("nodes of a graph", MAX_NODES),
        ("edges of a graph", MAX_EDGES),
    ],
    example: r#"{"snapshot": {"workflows": [], "steps": [], "agents": [], "assets": {}, "revisions": {}}, "session": {"target_type": "asset", "target_id": "assets/a.md", "mode": "create"}, "change_set": {"schemaVersion": "1.0", "targetType": "asset", "mode": "create", "operations": [{"op": "upsert", "targetType": "asset", "target": {"path": "assets/a.md"}, "payload": {"content": "a\n"}}]}}"#,
    ..Entry::PLAIN
}];
