//! The reference of the methods of this folder's file.

use super::MAX_LIST;
use holdpoint_check::method::reference::Entry;

pub const ENTRIES: &[Entry] = &[
    Entry {
        method: "capability.parse",
        spec: "ifc-extension.md §3",
        does: "Reads one capability. Says what it reaches, how much harm it can do, and what the user reads.",
        input: &[("capability", "text", "`scope.action` or `scope.action:target`.")],
        output: &[
            ("ok", "yes or no", ""),
            (
                "capability",
                "object or null",
                "`{raw, canonical, scope, action, target, wildcard, risk, sentence}`; null when it does not parse.",
            ),
            ("diagnostics", "list", "Why it does not parse: one of the capability codes."),
        ],
        example: r#"{"capability": "export.create:csv"}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "capability.covers",
        spec: "ifc-extension.md §3.3",
        does: "Says whether a list of grants allows a request. A grant that does not parse allows nothing.",
        input: &[("grants", "list of text", ""), ("request", "text", "A capability that parses.")],
        output: &[
            ("covered", "yes or no", ""),
            ("by", "text or null", "The first grant that covers it, in canonical form."),
            ("ignored", "list", "Grants that do not parse."),
        ],
        limits: &[("grants", MAX_LIST)],
        example: r#"{"grants": ["model.mutate:Pset_WallCommon"], "request": "model.mutate:Pset_WallCommon.FireRating"}"#,
        refuses: &[(r#"{"grants": [], "request": "?"}"#, "INVALID_INPUT")],
        ..Entry::PLAIN
    },
    Entry {
        method: "capability.diff",
        spec: "ifc-extension.md §3.3",
        does: "Says what changes for the user between two lists of capabilities. Consent is needed exactly when a next \
               one is covered by no previous one.",
        input: &[("previous", "list of text", ""), ("next", "list of text", "")],
        output: &[
            ("added", "list", ""),
            ("removed", "list", ""),
            ("kept", "list", ""),
            ("narrowed", "list", "`{from, to}`."),
            ("widened", "list", "`{from, to}`."),
            ("requires_consent", "yes or no", ""),
            ("confirmation", "`none`, `click`, `type`", "How the person confirms; `type` for something red."),
            ("risk_before", "`green`, `yellow`, `red`", ""),
            ("risk_after", "`green`, `yellow`, `red`", ""),
            ("consent", "list", "What was added, as the user reads it: `{capability, risk, sentence}`."),
        ],
        limits: &[("capabilities of both lists", MAX_LIST)],
        example: r#"{"previous": ["model.read"], "next": ["model.read", "network.fetch:example.org"]}"#,
        refuses: &[(r#"{"previous": ["?"], "next": []}"#, "INVALID_INPUT")],
        ..Entry::PLAIN
    },
    Entry {
        method: "when.eval",
        spec: "ifc-extension.md §2.2",
        does: "Evaluates a `when` condition. An unknown key is a warning and counts as absent.",
        input: &[("expr", "text", ""), ("context?", "object", "Key → value; empty.")],
        output: &[
            ("ok", "yes or no", "The condition fits the grammar."),
            ("value?", "yes or no", "What it comes to."),
            ("diagnostics", "list", "`INVALID_WHEN` with an `offset`, or `WHEN_UNKNOWN_KEY`."),
        ],
        example: r#"{"expr": "model.loaded && selection.count > 0", "context": {"model.loaded": true}}"#,
        ..Entry::PLAIN
    },
];
