//! The reference of the methods of this folder's file.

use holdpoint_check::method::reference::Entry;

use super::{MAX_FILE_BYTES, MAX_TAKEN};

pub const ENTRIES: &[Entry] = &[
    Entry {
        method: "capability.infer",
        spec: "ifc-extension.md §3.3",
        does: "Says which capabilities a script needs, without running it. A script may `await` and `return`; `bim` and \
               `ctx` are given.",
        input: &[("source", "text", "The script.")],
        output: &[
            ("ok", "yes or no", "No error."),
            ("capabilities", "list", "`{capability, risk, sentence}`: the smallest list, canonical, in byte order."),
            (
                "calls",
                "list",
                "`{call, capability, dynamic, range}` in source order; `capability` is null where the call needs none, \
                 `dynamic` means that its target is known only when it runs.",
            ),
            ("unknown", "list", "Members that the SDK does not have."),
            ("complete", "yes or no", "No error, and the SDK was followed everywhere."),
            ("diagnostics", "list", "At the positions of the script."),
        ],
        limits: &[("bytes of the script", MAX_FILE_BYTES)],
        example: r#"{"source": "const doors = bim.query.byType(\"IfcDoor\");\nreturn doors.length;\n"}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "script.promote",
        spec: "authoring.md §1",
        does: "Makes a bundle of a script that ran: one command, inferred capabilities, no model call.",
        input: &[
            ("source", "text", "The script."),
            ("name", "text", "What people call the tool."),
            ("description?", "text", "What it does."),
            ("icon?", "text", "The key of an icon."),
            ("category?", "text", "The group of the command palette."),
            ("key?", "text", "A keyboard shortcut."),
            ("namespace?", "text", "The beginning of the id; `local.tools`."),
            ("taken?", "list of text", "Ids that are installed: a taken one gets a number."),
            ("sdk_version?", "text", "The SDK that the script ran on; the built-in one."),
        ],
        output: &[
            ("ok", "yes or no", "No error."),
            ("files?", "object", "Path → text, when it is ok."),
            ("capabilities", "list", "As `capability.infer`."),
            ("complete", "yes or no", "As `capability.infer`."),
            (
                "diagnostics",
                "list",
                "Of the script, at its positions; where it has no error, those of `bundle.check` with the origin \
                 `promoted`.",
            ),
        ],
        limits: &[("bytes of the script", MAX_FILE_BYTES), ("ids in `taken`", MAX_TAKEN)],
        example: r#"{"source": "return bim.query.byType(\"IfcDoor\").length;\n", "name": "Count doors"}"#,
        refuses: &[(r#"{"source": "", "name": "A", "sdk_version": "latest"}"#, "INVALID_INPUT")],
        ..Entry::PLAIN
    },
];
