//! The reference of the methods of this folder.

use holdpoint_check::method::reference::Entry;

use crate::limits::{MAX_BUNDLE_BYTES, MAX_FILES};

pub const ENTRIES: &[Entry] = &[FILE_NAME, NEW_STEP, READ, SET_FIELD, STEP];

const NEW_STEP: Entry = Entry {
    method: "crew.new_step",
    spec: "crew-package.md §7",
    does: "Writes the step file of a new node, its sections still empty.",
    input: &[("node", "object", "As the graph has it: `{id, type, title, agentId, inputs, outputs}`.")],
    output: &[("text", "text", "The step file.")],
    example: r#"{"node": {"id": "a", "type": "step", "title": "Collect", "file": "steps/a.md"}}"#,
    ..Entry::PLAIN
};

const FILE_NAME: Entry = Entry {
    method: "crew.file_name",
    spec: "crew-package.md §7",
    does: "Says what the file of a package is called, without what a disk refuses.",
    input: &[("name", "text", "What the package is called.")],
    output: &[("file", "text", "With its ending.")],
    example: r#"{"name": "Claims: north/south."}"#,
    ..Entry::PLAIN
};

const READ: Entry = Entry {
    method: "crew.read",
    spec: "crew-package.md §1",
    does: "Reads a crew package as pages show it, whatever the check says of it. What cannot be read is empty, null or left out.",
    input: &[
        ("files", "object", "Path → text."),
        ("name?", "text", "What the package is called where its manifest does not say."),
    ],
    output: &[
        ("name", "text", "Of the package."),
        ("version", "text", "Of the manifest."),
        ("description", "text", "Of the manifest."),
        (
            "workflows",
            "list",
            "`{id, name, description, isDefault, document, graphFile, graph, steps}`; a graph that cannot be read, or has more nodes or edges than it may, is null.",
        ),
        ("agentsFile", "text", "Path of the file of agents."),
        ("agents", "list or null", "Agents with all their members; texts that are none are empty."),
        ("agentPlaces?", "list", "Where each stands in the file; absent where all stand in order."),
        ("assets", "list", "`{path, bytes, binary}`, by path."),
        (
            "cited",
            "list",
            "Where assets are cited, each once a file: `{asset, workflowId, nodeId, path, line, inputs}`; the first ten thousand.",
        ),
    ],
    limits: &[("files of the package", MAX_FILES), ("bytes of the package", MAX_BUNDLE_BYTES)],
    example: r#"{"files": {"bmad.json": "{\"name\": \"P\", \"entry\": {\"graph\": \"g.json\"}}", "g.json": "{", "assets/a.md": "a\n"}}"#,
    ..Entry::PLAIN
};

const SET_FIELD: Entry = Entry {
    method: "crew.set_field",
    spec: "crew-package.md §4",
    does: "Gives one member of the frontmatter of a step file another value and leaves every other byte. A text whose frontmatter cannot be read stays as it is.",
    input: &[
        ("text", "text", "The step file."),
        ("field", "text", "Name of the member."),
        ("value", "any JSON", "Its value; null takes the member away."),
    ],
    output: &[("text", "text", "The step file after.")],
    example: r#"{"text": "---\nnodeId: a # why\ntype: step\n---\n# A\n", "field": "nodeId", "value": "b"}"#,
    ..Entry::PLAIN
};

const STEP: Entry = Entry {
    method: "crew.step",
    spec: "crew-package.md §4",
    does: "Reads a step file as a form shows it: the fields of its frontmatter, and its body.",
    input: &[("text", "text", "The step file.")],
    output: &[
        (
            "fields",
            "object or null",
            "`{nodeId, type, title, agentId, inputs, outputs, setsVariables, transitions}`; null where the frontmatter cannot be read.",
        ),
        ("head", "text", "The frontmatter with its markers; empty where there is none."),
        ("body", "text", "What follows it."),
        ("bodyLine", "number", "The line on which that begins."),
    ],
    example: r#"{"text": "---\nnodeId: a\ntype: step\n---\n# A\n"}"#,
    ..Entry::PLAIN
};
