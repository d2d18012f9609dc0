//! The reference of the methods of this folder's file.

use holdpoint_check::method::reference::Entry;

use super::super::compare::MAX_FILES_BYTES;
use super::{MAX_PLAN_BYTES, MAX_TEXT_CHARS};
use crate::dialect::{MAX_BLOCKS, MAX_REPLY_BYTES};

pub const ENTRIES: &[Entry] = &[
    Entry {
        method: "intent.classify",
        spec: "authoring.md §1",
        does: "Says what a person's words ask for: something to run once, an extension, a fork of one, or something \
               else. At the plan: whether they reroute, cancel or adjust.",
        input: &[
            ("text", "text", "The person's words."),
            (
                "context?",
                "object",
                "`has_script`, `extensions` (`[{id, name}]`), `stage` (`chat` or `plan`), `plan_intent`.",
            ),
        ],
        output: &[
            ("intent", "`one-shot`, `extension`, `fork`, `out-of-scope`", ""),
            ("mode", "`A`, `B`, `C` or null", "`A` or `B` for an extension, `C` for a fork."),
            ("confidence", "number", "0 to 1."),
            ("signals", "list", "The rules that fit."),
            ("target", "text or null", "Id of the extension to fork."),
            (
                "near?",
                "object",
                "What else may be meant: `{question, readings: [{says, intent, mode, target}]}`, in the language of the \
                 text.",
            ),
            ("action?", "`reroute`, `cancel`, `adjust`", "At the plan: what to do."),
        ],
        limits: &[("characters of `text`", MAX_TEXT_CHARS)],
        example: r#"{"text": "add a panel that shows fire ratings by storey"}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "plan.check",
        spec: "authoring.md §3",
        does: "Judges a plan before a person approves it, and, with `files`, whether a bundle is what the plan says.",
        input: &[
            ("plan", "any JSON", "What a model or a person wrote."),
            ("files?", "object", "Path → text: a bundle that must conform."),
            ("base?", "object", "Path → text: the bundle that is changed."),
        ],
        output: &[
            ("ok", "yes or no", "It can be approved."),
            ("diagnostics", "list", "`path` is `plan` where the plan is meant."),
            ("capabilities", "list", "Those that parse: `{capability, risk, sentence}`."),
            ("overall_risk", "`green`, `yellow`, `red`", ""),
            (
                "estimate?",
                "object",
                "Tokens: `{output_low, output_high, repair_output_max, input_per_call_max, calls_max, hold_tokens}`; \
                 only when the schema holds.",
            ),
            ("text", "text", "The plan in words."),
        ],
        limits: &[("bytes of the plan", MAX_PLAN_BYTES), ("bytes of the files", MAX_FILES_BYTES)],
        example: r#"{"plan": {"summary": "Doors counter", "rationale": "Counts doors.", "contributions": [{"kind": "command", "id": "doors.count", "label": "Count doors"}], "capabilities": ["model.read"], "triggers": [], "widgets": [], "tests": [{"name": "counts", "fixture": "house-small", "contribution": "doors.count", "assertionSummary": "7 doors"}]}}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "prompt.compose",
        spec: "authoring.md §4",
        does: "Composes what a model is told. Same input, same bytes; sections 1 to 10 are the same for every person.",
        input: &[
            ("kind", "text", "`ifc-extension`."),
            ("purpose", "one of `plan`, `generate`, `repair`, `continue`, `fork`, `drift`", ""),
            ("request", "text", "The person's words."),
            ("overlay?", "text", "Standing wishes."),
            ("model_context?", "any JSON", "`{schema, types, storeys, selection}` of the open file."),
            ("plan?", "any JSON", "The approved plan."),
            ("files?", "object", "Path → text: the bundle."),
            ("diagnostics?", "any JSON", "What is wrong with it."),
            ("changelog?", "any JSON", "Entries of the SDK's changelog."),
            ("budget?", "number", "Input tokens, when fewer than 32,000."),
        ],
        output: &[
            ("sections", "list", "`{id, cache, text, tokens}` with cache `static`, `session` or `volatile`."),
            ("messages", "list", "What is sent: `{role, content, cache_marks?}`."),
            ("prefix_hash", "text", "Hash of the static part."),
            ("tokens", "number", "Estimate for the whole."),
            ("dropped", "list", "What was cut to fit, in order."),
        ],
        limits: &[("bytes of the files", MAX_FILES_BYTES)],
        example: r#"{"kind": "ifc-extension", "purpose": "plan", "request": "count doors"}"#,
        refuses: &[
            (
                r#"{"kind": "ifc-extension", "purpose": "plan", "request": "count doors", "budget": 10}"#,
                "PROMPT_TOO_LARGE",
            ),
            (r#"{"kind": "no-such-kind", "purpose": "plan", "request": ""}"#, "INVALID_INPUT"),
        ],
        ..Entry::PLAIN
    },
    Entry {
        method: "plan.diff",
        spec: "authoring.md §3.4",
        does: "Shows a plan against the extension that it changes: what stays, changes, comes and goes, and what is new \
               to what its user granted.",
        input: &[
            ("plan", "any JSON", "A plan whose schema holds; of another one what can be read."),
            ("base", "object", "Path → text: the bundle that is changed."),
            ("base_granted?", "list of text", "What its user granted of it; what it declares."),
        ],
        output: &[
            ("base_hash", "text", "Of the bundle that is changed."),
            (
                "parts",
                "list",
                "`{list, change, kind?, id, label, members}`: `list` is `contributions`, `triggers`, `widgets` or \
                 `tests`, `change` is `kept`, `changed`, `added` or `removed`.",
            ),
            ("capabilities", "object", "As `capability.diff`, from what was granted to what is planned."),
            ("version", "text", "The version of the base."),
            ("next_version", "text", "Patch; minor where something comes; major where something goes."),
        ],
        limits: &[("bytes of the plan", MAX_PLAN_BYTES), ("bytes of the files", MAX_FILES_BYTES)],
        example: r#"{"plan": {"contributions": [{"kind": "command", "id": "a.run", "label": "Run"}], "capabilities": []}, "base": {"manifest.json": "{\"version\": \"0.1.0\"}"}}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "reply.parse",
        spec: "authoring.md §5",
        does: "Reads a model's reply: blocks of files, edits and plans, and the tool calls that mean the same. What is \
               good is applied to the base; what is not is a diagnostic.",
        input: &[
            ("reply?", "text", ""),
            ("tool_calls?", "list", "`{name, arguments}`: `write_file`, `edit_file`, `delete_file`, `submit_plan`."),
            ("base?", "object", "Path → text: what edits apply to."),
            ("finish_reason?", "text", "`length` says that the reply was cut."),
        ],
        output: &[
            ("ok", "yes or no", "Nothing is wrong."),
            ("kind", "`files`, `plan`, `plan+files`, `empty`", ""),
            ("plan?", "any JSON", "The plan."),
            ("changes", "list", "Good changes in the order of the reply: `{path, op, created}`."),
            ("files", "object", "The base with the good changes."),
            ("incomplete", "text or null", "The path of a block that was cut."),
            ("prose", "text", "The text outside blocks."),
            ("diagnostics", "list", "`REPLY_` and path codes."),
        ],
        limits: &[
            ("bytes of the reply, tool calls included", MAX_REPLY_BYTES),
            ("blocks and tool calls", MAX_BLOCKS),
            ("bytes of `base`", MAX_FILES_BYTES),
        ],
        example: r#"{"reply": "Here it is.\n```hp:file src/run.js\nexport default () => 1;\n```\n"}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "bundle.review",
        spec: "authoring.md §9.1",
        does: "Says what a person signs: base, result, difference, permissions, and why a look is needed. The edge answers \
               the same bytes at `POST /api/v1/extensions/review`.",
        input: &[
            ("files", "object", "Path → text: what is to be installed."),
            ("base?", "object", "Path → text: what is installed; absent or null when nothing is."),
            ("base_granted?", "list of text", "What its user granted of `base`; all that it declares."),
            ("plan?", "any JSON", "The approved plan."),
            ("granted?", "list of text", "Capabilities that the person grants; all declared ones."),
            (
                "origin?",
                "one of `authored`, `hand`, `promoted`",
                "Where the bundle comes from: promoted, it may have no tests.",
            ),
        ],
        output: &[
            ("base_hash", "text or null", ""),
            ("patch_id", "text", "Hash of base, result, grants and, over a base, of its grants."),
            ("result_hash", "text", ""),
            ("diff", "object", "`bundle.diff`."),
            ("capabilities", "object", "`capability.diff` of what was granted and what is granted now."),
            ("weakened_tests", "list", "`{name, reason}`."),
            ("confirmation", "`none`, `click`, `type`", ""),
            (
                "reasons",
                "list",
                "`high_risk_added`, `capability_added`, `weakened_tests`; empty when no look is needed.",
            ),
            ("confirm_token", "text or null", "To be sent back with the signature where a look is needed."),
            (
                "diagnostics",
                "list",
                "Of the bundle, with the plan's conformity; `CAPABILITY_REQUIRED` for each grant that was left out and is \
                 needed.",
            ),
        ],
        limits: &[("bytes of each bundle", MAX_FILES_BYTES)],
        example: r#"{"files": {"src/run.js": "1;\n"}}"#,
        ..Entry::PLAIN
    },
];
