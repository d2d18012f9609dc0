//! The reference of the methods of this folder's file.

use holdpoint_check::method::reference::Entry;

use crate::limits::{MAX_BUNDLE_BYTES, MAX_EDGES, MAX_FILES, MAX_JSON_DEPTH, MAX_NODES};
use crate::search::MAX_HITS;

pub const ENTRIES: &[Entry] = &[APPLY, CHECK, COMPARE, PATHS, SEARCH];

const CHECK: Entry = Entry {
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
        ("files of the package", MAX_FILES),
        ("bytes of package and set, each", MAX_BUNDLE_BYTES),
        ("arrays and objects open at once", MAX_JSON_DEPTH),
        ("nodes of a graph", MAX_NODES),
        ("edges of a graph", MAX_EDGES),
    ],
    example: r#"{"snapshot": {"workflows": [], "steps": [], "agents": [], "assets": {}, "revisions": {}}, "session": {"target_type": "asset", "target_id": "assets/a.md", "mode": "create"}, "change_set": {"schemaVersion": "1.0", "targetType": "asset", "mode": "create", "operations": [{"op": "upsert", "targetType": "asset", "target": {"path": "assets/a.md"}, "payload": {"content": "a\n"}}]}}"#,
    ..Entry::PLAIN
};

const APPLY: Entry = Entry {
    method: "files.apply",
    kind: "crew-package",
    spec: "crew-package.md §10.1",
    does: "Puts normalised operations of a checked change set on the files of a package. Files that no operation is about keep their bytes.",
    input: &[
        ("kind", "text", "`crew-package`."),
        ("files", "object", "Path → text: a package of one workflow or more, listed in its manifest."),
        ("operations", "list", "As `normalized` of `changeset.check` has them."),
        ("options?", "object", "`{asset_extensions, limits}`."),
    ],
    output: &[
        ("files", "object", "All files after."),
        ("entry_file", "any JSON", "Null: a package has no entry file."),
        ("changed", "list", "`{path, status}`: `added`, `modified` or `deleted`, by path."),
        ("diagnostics", "list", "Of `bundle.check` of the files after."),
    ],
    limits: &[("bytes of all operations", MAX_BUNDLE_BYTES)],
    example: r#"{"kind": "crew-package", "files": {"bmad.json": "{\"schemaVersion\": \"1.1\", \"name\": \"P\", \"version\": \"0.1.0\", \"entry\": {\"workflow\": \"workflows/1/workflow.md\", \"graph\": \"workflows/1/workflow.graph.json\", \"agents\": \"agents.json\"}, \"workflows\": [{\"id\": \"1\", \"workflow\": \"workflows/1/workflow.md\", \"graph\": \"workflows/1/workflow.graph.json\"}]}", "agents.json": "{\"schemaVersion\": \"1.1\", \"agents\": [{\"id\": \"a\", \"metadata\": {\"name\": \"A\", \"title\": \"A\", \"icon\": \"*\"}, \"persona\": {\"role\": \"r\", \"identity\": \"i\", \"communication_style\": \"c\", \"principles\": \"p\"}}]}"}, "operations": [{"op": "upsert", "targetType": "asset", "target": {"path": "assets/a.md"}, "payload": {"content": "a\n"}}]}"#,
    refuses: &[
        (r#"{"kind": "no-such-kind", "files": {}, "operations": []}"#, "INVALID_INPUT"),
        (r#"{"kind": "crew-package", "files": {}, "operations": []}"#, "INVALID_INPUT"),
    ],
};

const PATHS: Entry = Entry {
    method: "crew.paths",
    kind: "",
    spec: "crew-package.md §5",
    does: "Counts the paths through the workflows of a package, each of which uses an edge once, and says what is wrong on some of them: a variable that is read before it is set, a branch that is never taken, an asset that is not there. Findings come from data flow and are whole even where not all paths were counted.",
    input: &[
        ("files", "object", "Path → text."),
        ("workflow?", "text", "The id of one workflow; without it, all."),
        ("max_paths?", "number", "Paths that are counted at most, 10,000 or fewer."),
        ("options?", "object", "`{asset_extensions}`."),
    ],
    output: &[(
        "workflows",
        "list",
        "For each workflow whose graph can be read `{id, name, graph, ends, count, complete, shortest, longest, paths, findings}`: how many paths there are and come to an end, whether these are all, the nodes of a shortest and a longest one, the shortest ones, and the warnings with `{node, edge, set_at, way, affects}`.",
    )],
    limits: &[
        ("files of the package", MAX_FILES),
        ("bytes of the package", MAX_BUNDLE_BYTES),
        ("arrays and objects open at once", MAX_JSON_DEPTH),
        ("nodes of a graph", MAX_NODES),
        ("edges of a graph", MAX_EDGES),
    ],
    example: r#"{"files": {}}"#,
    refuses: &[(r#"{"files": {}, "workflow": "1"}"#, "WORKFLOW_NOT_FOUND")],
};

const COMPARE: Entry = Entry {
    method: "crew.compare",
    spec: "crew-package.md §3",
    does: "Compares two revisions of a package as people read them: workflows with nodes, steps and edges, agents, assets and other files, each by the members that differ. A long text is told by its lines.",
    input: &[
        ("before", "object", "Path → text of the earlier package."),
        ("after", "object", "Path → text of the later package."),
    ],
    output: &[
        ("counts", "object", "Of all objects: `{added, removed, changed}`."),
        ("package", "list", "Members of the manifest: `{member, before, after, lines}`."),
        (
            "workflows",
            "list",
            "All of them: `{id, name, status, changes, before, after, nodes, edges, members}`; both graphs are there to be drawn.",
        ),
        ("agents", "list", "Those that differ: `{id, name, status, members}`."),
        ("assets", "list", "Those that differ, in the same form."),
        ("others", "list", "Other files that differ, in the same form."),
    ],
    limits: &[
        ("files of each package", MAX_FILES),
        ("bytes of each package", MAX_BUNDLE_BYTES),
        ("arrays and objects open at once", MAX_JSON_DEPTH),
    ],
    example: r#"{"before": {}, "after": {"assets/a.md": "a\n"}}"#,
    ..Entry::PLAIN
};

const SEARCH: Entry = Entry {
    method: "crew.search",
    spec: "crew-package.md §7",
    does: "Finds a text in every file of a package but binary assets; letter case does not count. The same as the route of the search, for the files that a page has.",
    input: &[
        ("files", "object", "Path → text."),
        ("words", "text", "What is searched; blanks around it do not count."),
    ],
    output: &[
        ("items", "list", "By path, then by place: `{file, line, column, text, object, workflow_id}`."),
        ("truncated", "yes or no", "There are more."),
    ],
    limits: &[
        ("files of the package", MAX_FILES),
        ("bytes of the package", MAX_BUNDLE_BYTES),
        ("hits that are told", MAX_HITS),
    ],
    example: r#"{"files": {"assets/a.md": "One guide.\n"}, "words": "GUIDE"}"#,
    ..Entry::PLAIN
};
