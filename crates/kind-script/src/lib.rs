//! The kind `script-tool`: a Python program with two forms and a help text, edited by patches.
//!
//! Owns the rules of script-tool.md §2–§5 and §8: the check, the model's answer, what the model is told, budgets and
//! windows. Routes and threads are the edge's; the Python grammar is `crates/python`.
//! Invariants: nothing of the bundle is executed; the grammar is asked at most once; one fault is reported once.
//!
//! ```
//! use holdpoint_kind_script::{VirtualFile, check};
//! let files = VirtualFile::ALL.map(|file| (file.id().to_owned(), String::new())).into();
//! let report = check(&files, false, |_| None).unwrap(); // an empty script is no question for the grammar
//! assert_eq!(report.diagnostics[0].code, "TOOL_PYTHON_EMPTY");
//! ```

pub mod bodies;
mod check;
pub mod codes;
pub mod context;
pub mod dialect;
pub mod limits;
pub mod methods;
pub mod outcome;
mod policy;
pub mod profile;
pub mod prompts;
pub mod protocol;
mod report;
pub mod requests;
pub mod routes;
mod rules;
mod stage;
pub mod tokens;
mod upload;
pub mod window;
pub mod wire;

use holdpoint_bundle::{FilePolicy, Files};
use holdpoint_change::{Base, Preview, Staged, TextRequest};
use holdpoint_check::ApiError;
use holdpoint_check::python::PythonFacts;
use holdpoint_kind::{CheckEntry, CheckError, Codes, Given, Input, Kind, KindEntry, NeedError, Stage};
use serde::{Deserialize, Serialize};

pub use check::{FactsMissing, check};
pub use policy::{VirtualFile, fingerprints};
pub use report::{EntryPoint, ScriptReport, ScriptSummary};

#[derive(Debug, Clone, Copy)]
pub struct ScriptTool;

/// `tool.py` must be parsed for an answer.
const PYTHON_FACTS: NeedError =
    NeedError { method: "python.facts", path: VirtualFile::Tool.id(), option: "python_facts" };

#[derive(Debug, Clone, Default, Deserialize)]
pub struct ScriptOptions {
    /// What `python.facts` says of `tool.py`, where the check does not hold the grammar.
    #[serde(default)]
    pub python_facts: Option<PythonFacts>,
    /// Whether names and calls are checked too.
    #[serde(default)]
    pub names: bool,
}

/// What the check answers beside its findings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScriptFacts {
    /// What the tool is made of.
    pub summary: ScriptSummary,
}

impl Kind for ScriptTool {
    const ID: &'static str = "script-tool";
    const BLOCKS: bool = false;
    type Options = ScriptOptions;
    type More = ScriptFacts;

    fn policy(&self) -> FilePolicy {
        policy::POLICY
    }

    fn codes(&self) -> Codes {
        codes::CODES
    }

    fn check(
        &self,
        files: &Files,
        input: Input<'_, ScriptOptions>,
    ) -> Result<holdpoint_check::Report<ScriptFacts>, CheckError> {
        let given =
            |text: &str| (input.given)(&PYTHON_FACTS, text).and_then(|facts| serde_json::from_value(facts).ok());
        let facts = |text: &str| input.options.python_facts.clone().or_else(|| given(text));
        let ScriptReport { ok, diagnostics, summary } =
            check(files, input.options.names, facts).map_err(|FactsMissing| PYTHON_FACTS)?;
        Ok(holdpoint_check::Report { ok, diagnostics, more: ScriptFacts { summary } })
    }
}

impl Stage for ScriptTool {
    type Request = TextRequest;

    fn stage(&self, base: Base, request: &TextRequest) -> Result<Staged, ApiError> {
        stage::stage(base, request)
    }

    fn whole(&self, request: &TextRequest) -> Option<TextRequest> {
        request.accept.is_some().then(|| TextRequest { accept: None, ..request.clone() })
    }

    fn preview(&self, staged: Staged, _: &TextRequest, given: Given<'_>) -> Result<Preview, CheckError> {
        stage::preview(staged, given)
    }
}

/// This kind, as a shell checks its bundles.
pub static CHECK: CheckEntry = CheckEntry {
    kind: &ScriptTool,
    methods: &[methods::METHODS],
    shared: &[("prompt.compose", methods::prompt_compose), ("history.window", methods::history_window)],
    mark: VirtualFile::Tool.id(),
    paths: None,
};

/// The same, as the edge and the command line hold it.
pub static KIND: KindEntry = KindEntry {
    check: &CHECK,
    protocols: protocol::PROTOCOLS,
    #[cfg(feature = "schema")]
    reference: &[methods::reference::ENTRIES],
};

#[cfg(all(test, feature = "ts"))]
mod wire_types {
    use ts_rs::{Config, TS};

    /// Writes the declarations that the page compiles against; `cargo xtask ci` finds drift.
    #[test]
    fn export_declarations() {
        let config = Config::from_env();
        super::ScriptReport::export_all(&config).unwrap();
        super::PythonFacts::export_all(&config).unwrap();
        super::protocol::Proposed::export_all(&config).unwrap();
        super::wire::ToolItem::export_all(&config).unwrap();
        super::wire::Script::export_all(&config).unwrap();
        super::wire::ToolRevision::export_all(&config).unwrap();
        super::wire::Checkpoint::export_all(&config).unwrap();
        super::wire::ThreadMessage::export_all(&config).unwrap();
    }
}
