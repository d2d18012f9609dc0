//! The reference of the methods of this folder's file.

use holdpoint_check::method::reference::Entry;

use super::MAX_EVENTS;
use crate::review::MAX_REVIEWED_BYTES;

pub const ENTRIES: &[Entry] = &[Entry {
    method: "run.replay",
    spec: "authoring.md §6.2",
    does: "Replays the event log of a run. Same events, same state and effects, byte for byte.",
    input: &[
        ("kind", "text", "`ifc-extension`."),
        ("events", "list", "`{type, at, …}`; `at` in milliseconds."),
        ("base?", "object", "Path → text: the bundle that is changed."),
    ],
    output: &[
        ("state", "text", "`idle`, `planning`, `gate`, `generating`, `testing`, `review`, `failed`, …"),
        ("attempt", "number, `hand` or null", ""),
        ("reason", "text or null", "Why it failed."),
        ("best", "object or null", "The best bundle so far: `{attempt, check_ok, errors, failing_tests}`."),
        ("effects", "list", "For each event the effects that it asks of the driver."),
    ],
    limits: &[("events", MAX_EVENTS), ("bytes of `base`", MAX_REVIEWED_BYTES)],
    example: r#"{"kind": "ifc-extension", "events": [{"type": "Asked", "at": 0, "text": "how many doors are there?"}]}"#,
    refuses: &[(r#"{"kind": "no-such-kind", "events": []}"#, "INVALID_INPUT")],
    ..Entry::PLAIN
}];
