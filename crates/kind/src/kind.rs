//! What a kind is to the engine: a policy, codes, a check, and how its edits are staged (ENGINE §3).
//!
//! A kind implements [`Kind`] with types of its own; the engine and the table hold [`AnyKind`], whose edge is JSON, so a
//! kind writes no glue. Invariant: nothing above this crate asks which kind it has.

use holdpoint_bundle::FilePolicy;
use holdpoint_bundle::Files;
use holdpoint_change::{Base, Preview, Staged};
use holdpoint_check::read::{Misread, read};
use holdpoint_check::{ApiError, Code, Report};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Codes by the file that declares them.
pub type Codes = &'static [&'static [&'static Code]];

/// What a check must be given before it can go on: the answer of a method over one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("call {method} with {path} and give its answer")]
pub struct NeedError {
    pub method: &'static str,
    /// The file that it is called with.
    pub path: &'static str,
    /// The option that carries its answer.
    pub option: &'static str,
}

/// Why there is no report.
#[derive(Debug, Clone, PartialEq)]
pub enum CheckError {
    /// The check must be given something first.
    Need(NeedError),
    /// The bundle is over a limit of reading.
    Refused(ApiError),
}

impl From<NeedError> for CheckError {
    fn from(need: NeedError) -> Self {
        Self::Need(need)
    }
}

impl From<ApiError> for CheckError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<CheckError> for ApiError {
    fn from(reason: CheckError) -> Self {
        match reason {
            CheckError::Need(need) => need.into(),
            CheckError::Refused(error) => error,
        }
    }
}

/// Gives what a check needs, where it is at hand.
pub type Given<'a> = &'a dyn Fn(&NeedError, &str) -> Option<Value>;

/// How a check is asked.
pub struct Input<'a, O> {
    pub options: &'a O,
    pub given: Given<'a>,
}

/// Of a kind whose check takes no options.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub struct NoOptions {}

pub trait Kind: Sync + 'static {
    const ID: &'static str;
    /// Whether errors of the report refuse a signature.
    const BLOCKS: bool;
    /// What a caller may say of a check.
    type Options: DeserializeOwned + Default;
    /// What its check answers beside the findings.
    type More: Serialize;
    /// Where its files may lie.
    fn policy(&self) -> FilePolicy;
    /// The codes that its rules find.
    fn codes(&self) -> Codes;
    /// Checks a bundle, or says why it cannot yet or at all.
    fn check(&self, files: &Files, input: Input<'_, Self::Options>) -> Result<Report<Self::More>, CheckError>;
}

/// A kind whose edits are staged: at the edge, on the command line, in a core that previews. Apart from [`Kind`], because
/// a module that only checks must not link what places edits.
pub trait Stage: Kind {
    /// An edit, as a route or a stored change set has it.
    type Request: DeserializeOwned;

    /// An edit on a base: what it would leave and what names it. What cannot be made is staged too, with its reasons.
    fn stage(&self, base: Base, request: &Self::Request) -> Result<Staged, ApiError>;
    /// The same without a choice of its parts, where the request may make one.
    fn whole(&self, request: &Self::Request) -> Option<Self::Request> {
        let _ = request;
        None
    }
    /// The staged change with the findings of the files after it: what is signed.
    fn preview(&self, staged: Staged, request: &Self::Request, given: Given<'_>) -> Result<Preview, CheckError> {
        let _ = request;
        let files = staged.after.clone().unwrap_or_default();
        let report = self.check(&files, Input { options: &Self::Options::default(), given })?;
        Ok(Preview { staged, report: untyped(report) })
    }
}

/// A kind as the engine holds it.
pub trait AnyKind: Sync {
    fn id(&self) -> &'static str;
    /// Where its files may lie.
    fn policy(&self) -> FilePolicy;
    /// The codes that its rules find.
    fn codes(&self) -> Codes;
    /// Checks a bundle; `options` as a request writes them.
    fn check(&self, files: &Files, options: &Value, given: Given<'_>) -> Result<Report, ApiError>;
}

impl<K: Kind> AnyKind for K {
    fn id(&self) -> &'static str {
        K::ID
    }

    fn policy(&self) -> FilePolicy {
        Kind::policy(self)
    }

    fn codes(&self) -> Codes {
        Kind::codes(self)
    }

    fn check(&self, files: &Files, options: &Value, given: Given<'_>) -> Result<Report, ApiError> {
        let options: K::Options = if options.is_null() {
            K::Options::default()
        } else {
            read(options.clone()).map_err(|found| Misread { pointer: format!("/options{}", found.pointer), ..found })?
        };
        Ok(untyped(Kind::check(self, files, Input { options: &options, given })?))
    }
}

impl From<NeedError> for ApiError {
    fn from(need: NeedError) -> Self {
        Self::invalid_input(format!("/options/{}", need.option), format!("Here {need}."))
    }
}

/// A report whose additions are JSON.
pub fn untyped<M: Serialize>(report: Report<M>) -> Report {
    Report { ok: report.ok, diagnostics: report.diagnostics, more: json!(report.more) }
}
