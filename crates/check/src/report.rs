//! The answer of a check: whether a bundle holds, what was found, and what its kind says beside it (spec: facade.md).
//!
//! Invariant: made by [`Report::new`], `ok` is false exactly when something found is an error.

use serde::Serialize;
use serde_json::Value;

use crate::Diagnostic;

/// `{ok, diagnostics, …more}`: the members of `more` stand beside the two.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report<M = Value> {
    pub ok: bool,
    /// In the order of [`arrange`](crate::order::arrange).
    pub diagnostics: Vec<Diagnostic>,
    #[serde(flatten)]
    pub more: M,
}

impl<M> Report<M> {
    /// What was found; an error among it stops the bundle.
    pub fn new(diagnostics: Vec<Diagnostic>, more: M) -> Self {
        Self { ok: !diagnostics.iter().any(Diagnostic::is_error), diagnostics, more }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{args, codes};

    codes! {
        WARNED: Warning, "Use it.";
        STOPPED: Error, "Mend it.";
    }

    #[test]
    fn only_errors_stop_and_what_a_kind_adds_stands_beside() {
        let warned = Report::new(vec![Diagnostic::of(CODES[0], args! {})], json!({"summary": 1}));
        assert!(warned.ok);
        assert!(!Report::new(vec![Diagnostic::of(CODES[1], args! {})], ()).ok);
        let wire = json!({
            "ok": true, "summary": 1,
            "diagnostics": [{"code": "WARNED", "severity": "warning", "message": "Use it."}],
        });
        assert_eq!(json!(warned), wire);
        assert_eq!(json!(Report::new(Vec::new(), Value::Null)), json!({"ok": true, "diagnostics": []}));
    }
}
