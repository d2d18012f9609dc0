//! What the runner answers instead of frames, and how a build fails (spec: app-builder.md §6, §16).

/// Code, status, when, what to do.
pub const ANSWERS: &[(&str, u16, &str, &str)] = &[
    ("INVALID_INPUT", 422, "the request is no build", "Correct the request."),
    (
        "BLOBS_MISSING",
        422,
        "bytes of binary files are not there",
        "Send them with `PUT /v1/blobs/{hash}`, and ask again.",
    ),
    ("AUTH_INVALID_TOKEN", 401, "another token than the runner's", "Send the runner's token."),
    ("NOT_FOUND", 404, "no such route or build", "Correct the address."),
    ("ASSET_NOT_FOUND", 404, "the build has no such asset, or it is gone", "Build again."),
    ("BUILD_PENDING", 409, "a build of this id is running", "Wait for it, or delete it."),
    ("INPUT_TOO_LARGE", 413, "the request is over its limit", "Send less."),
    ("RUNNER_BUSY", 429, "every slot is taken", "Wait as `Retry-After` says."),
    (
        "BUILD_RUNNER_UNAVAILABLE",
        503,
        "the machine has no jail",
        "Start the runner where Landlock is, or with `--no-isolation`.",
    ),
    ("STORAGE_UNAVAILABLE", 503, "the disk refuses", "Look at the runner's disk."),
];

/// `code` of a build that failed: what it means, what to do.
pub const FAILURES: &[(&str, &str, &str)] = &[
    ("POLICY_FAILED", "the check of the project found errors", "Correct what is listed."),
    ("INSTALL_FAILED", "its packages could not be installed", "Correct `package.json` or renew the lock."),
    ("TYPECHECK_FAILED", "the compiler of TypeScript found errors", "Correct what is listed."),
    ("VITE_BUILD_FAILED", "the build ended with an error", "Correct what is listed."),
    ("BUILD_EMPTY", "the build left no file", "Look at the log."),
    ("BUILD_NO_ENTRY_HTML", "the build left no `index.html`", "Keep `index.html` at the root."),
    ("BUILD_OUTPUT_TOO_LARGE", "what it left, or wrote meanwhile, is over a limit", "Leave large files out."),
    ("BUILD_OUTPUT_INVALID", "it left a link or something that is no file", "Leave links out."),
    ("BUILD_TIMEOUT", "a stage took longer than its time", "Look what runs without end."),
    ("BUILD_OUT_OF_MEMORY", "it took more memory or processes than a job has", "Build less at once."),
    ("BUILD_CANCELLED", "it was taken back", "Build again."),
];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::wire::BuildCode;

    #[test]
    fn every_failure_stands_in_the_table() {
        let all = [
            (BuildCode::PolicyFailed, "POLICY_FAILED"),
            (BuildCode::InstallFailed, "INSTALL_FAILED"),
            (BuildCode::TypecheckFailed, "TYPECHECK_FAILED"),
            (BuildCode::ViteBuildFailed, "VITE_BUILD_FAILED"),
            (BuildCode::BuildEmpty, "BUILD_EMPTY"),
            (BuildCode::BuildNoEntryHtml, "BUILD_NO_ENTRY_HTML"),
            (BuildCode::BuildOutputTooLarge, "BUILD_OUTPUT_TOO_LARGE"),
            (BuildCode::BuildOutputInvalid, "BUILD_OUTPUT_INVALID"),
            (BuildCode::BuildTimeout, "BUILD_TIMEOUT"),
            (BuildCode::BuildOutOfMemory, "BUILD_OUT_OF_MEMORY"),
            (BuildCode::BuildCancelled, "BUILD_CANCELLED"),
        ];
        let told: Vec<&str> = FAILURES.iter().map(|(name, ..)| *name).collect();
        assert_eq!(told, all.map(|(_, name)| name));
        for (code, name) in all {
            assert_eq!(json!(code), name);
        }
    }
}
