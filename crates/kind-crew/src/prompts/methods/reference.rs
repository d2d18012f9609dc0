//! The reference of the methods of this folder's file.

use holdpoint_check::method::reference::Entry;

use super::MAX_INPUT_BYTES;

pub const ENTRIES: &[Entry] = &[
    Entry {
        method: "history.window",
        kind: "crew-package",
        spec: "ai-sessions.md §7.2",
        does: "Keeps the newest messages of a session as they are and tells of the older ones in a summary, made by \
               rule.",
        input: &[
            ("kind", "text", "`crew-package`."),
            ("messages", "list", "`{role, content, change?}`, oldest first; only `user` and `assistant` count."),
            ("keep?", "number", "0 to 50; 6."),
        ],
        output: &[
            ("messages", "list", "The last ones, as `{role, content}`."),
            ("summary", "text or null", "Of those before them."),
            ("counts", "object", "`{total, kept, summarized, skipped}`."),
        ],
        limits: &[("bytes of all texts", MAX_INPUT_BYTES)],
        example: r#"{"kind": "crew-package", "keep": 1, "messages": [{"role": "user", "content": "Rename it."}, {"role": "assistant", "content": "Done. The steps too?"}, {"role": "user", "content": "Yes."}]}"#,
        refuses: &[(r#"{"kind": "crew-package", "messages": [], "keep": 51}"#, "INVALID_INPUT")],
    },
    Entry {
        method: "context.pack",
        kind: "crew-package",
        spec: "ai-sessions.md §7.3",
        does: "Builds what a model is told of a session's target and of what it depends on, or takes it as given, and \
               leaves out what does not fit. The target is never cut.",
        input: &[
            ("kind", "text", "`crew-package`."),
            ("envelope?", "object", "A context of seven members, instead of a session and the package."),
            ("session?", "object", "`{target_type, target_id, mode, workflow_id, project_id?}`."),
            ("snapshot?", "object", "The package, as `changeset.check` takes it."),
            ("domain?", "object", "What the project and its work say of their field."),
            ("domain_profile?", "object", "The field, where it is known already."),
            ("budget?", "object", "`{model_window?, context_token_budget?, reserve_for_response?}` in tokens."),
        ],
        output: &[
            ("envelope", "object", "The seven members."),
            (
                "trim_report",
                "object",
                "`{applied, estimateBefore, estimateAfter, contextBudget, reserveForResponse, actions[]}`.",
            ),
            ("referenced_asset_paths?", "list", "What the target cites, where the context was built."),
        ],
        limits: &[("bytes of all texts", MAX_INPUT_BYTES)],
        example: r#"{"kind": "crew-package", "session": {"target_type": "asset", "target_id": "assets/rye.md", "mode": "optimize", "workflow_id": null}, "snapshot": {"workflows": [], "steps": [], "agents": [], "assets": {"assets/rye.md": "Rye."}, "revisions": {"workflowRevision": 1, "agentsRevision": 1, "assetsRevision": 1}}}"#,
        refuses: &[
            (
                r#"{"kind": "crew-package", "session": {"target_type": "asset", "target_id": "assets/oats.md", "mode": "optimize", "workflow_id": null}, "snapshot": {"workflows": [], "steps": [], "agents": [], "assets": {"assets/rye.md": "Rye."}, "revisions": {"workflowRevision": 1, "agentsRevision": 1, "assetsRevision": 1}}}"#,
                "AI_CONTEXT_BUILD_ERROR",
            ),
            (
                r#"{"kind": "crew-package", "session": {"target_type": "asset", "target_id": "assets/rye.md", "mode": "optimize", "workflow_id": null}, "snapshot": {"workflows": [], "steps": [], "agents": [], "assets": {"assets/rye.md": "Rye."}, "revisions": {"workflowRevision": 1, "agentsRevision": 1, "assetsRevision": 1}}, "budget": {"context_token_budget": 10}}"#,
                "AI_CONTEXT_BUDGET_EXCEEDED",
            ),
            (
                r#"{"kind": "crew-package", "session": {"target_type": "asset", "target_id": "assets/rye.md", "mode": "optimize", "workflow_id": null}, "snapshot": {"workflows": [], "steps": [], "agents": [], "assets": {"assets/rye.md": "Rye."}, "revisions": {"workflowRevision": 1, "agentsRevision": 1, "assetsRevision": 1}}, "domain": {"project_meta": "bakery"}}"#,
                "AI_DOMAIN_PROFILE_INCOMPLETE",
            ),
        ],
    },
    Entry {
        method: "prompt.compose",
        kind: "crew-package",
        spec: "ai-sessions.md §7.4",
        does: "Composes what a model is told in a session: eight layers, the conversation, the person's words. Same \
               input in any order of members, same bytes.",
        input: &[
            ("kind", "text", "`crew-package`."),
            ("target_type", "one of `workflow`, `step`, `agent`, `asset`", ""),
            ("mode", "one of `create`, `optimize`", ""),
            ("user_prompt?", "text", "The person's words; `optimize` does without."),
            ("context_envelope", "object", "As `context.pack` gives it."),
            ("write_policy", "object", "`{allowApply: false, requiresValidation: true}`."),
            ("domain?", "object", "What the project and its work say of their field."),
            ("domain_profile?", "object", "The field, where it is known already."),
            ("org_policy?", "object", "`{rules[]}`."),
            ("tool_profile?", "object", "`{read[], write[]}`; all nine tools."),
            ("history?", "object", "`{summary, messages[]}`, as `history.window` gives it."),
            ("referenced_asset_paths?", "list", "What the target cites."),
            ("merge_system?", "yes or no", "One system message, where the provider takes one only."),
        ],
        output: &[
            ("template", "text", "Which words were used for target and mode."),
            ("layers", "list", "`{layerId, title, required, content}`."),
            ("messages", "list", "What is sent."),
            ("domain_profile", "object", "The field that the model is told of."),
            ("signature", "text", "`sha256:` of the messages."),
            ("tokens", "number", "`tokens.estimate` of the messages."),
        ],
        limits: &[("bytes of all texts", MAX_INPUT_BYTES)],
        example: r#"{"kind": "crew-package", "target_type": "asset", "mode": "optimize", "user_prompt": "Shorter.", "context_envelope": {"session_meta": {"targetType": "asset"}, "domain_profile": {}, "normative_baseline": {}, "target_snapshot": {"content": "Rye."}, "dependency_digest": {}, "tool_capabilities": {}, "revision_info": {}}, "write_policy": {"allowApply": false, "requiresValidation": true}}"#,
        refuses: &[
            (
                r#"{"kind": "crew-package", "target_type": "asset", "mode": "create", "user_prompt": "", "context_envelope": {"session_meta": {"targetType": "asset"}, "domain_profile": {}, "normative_baseline": {}, "target_snapshot": {"content": "Rye."}, "dependency_digest": {}, "tool_capabilities": {}, "revision_info": {}}, "write_policy": {"allowApply": false, "requiresValidation": true}}"#,
                "AI_PROMPT_COMPOSE_ERROR",
            ),
            (
                r#"{"kind": "crew-package", "target_type": "asset", "mode": "optimize", "user_prompt": "Shorter.", "context_envelope": {"session_meta": {"targetType": "asset"}, "domain_profile": {}, "normative_baseline": {}, "target_snapshot": {"content": "Rye."}, "dependency_digest": {}, "tool_capabilities": {}, "revision_info": {}}, "write_policy": {"allowApply": false, "requiresValidation": true}, "domain": 1}"#,
                "AI_DOMAIN_PROFILE_INCOMPLETE",
            ),
        ],
    },
];
