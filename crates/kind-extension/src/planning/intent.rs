//! What a request means, before anything is planned (spec: authoring.md §2).

use serde::{Deserialize, Serialize};

/// The longest text that is read, in characters.
pub const MAX_TEXT_CHARS: usize = 8_000;

/// What is known when the user asks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct IntentContext {
    /// The user has a script that could be promoted.
    pub has_script: bool,
    pub extensions: Vec<InstalledName>,
    /// Where the words were said.
    pub stage: AskStage,
    /// The intent that led to the plan, for `stage: "plan"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub plan_intent: Option<Intent>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct InstalledName {
    pub id: String,
    pub name: String,
}

/// Where the words were said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum AskStage {
    #[default]
    Chat,
    Plan,
}

/// What the words ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Intent {
    OneShot,
    Extension,
    Fork,
    OutOfScope,
}

/// How an extension comes to be (spec: authoring.md §1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Mode {
    A,
    B,
    C,
}

/// What words at the plan ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum PlanAction {
    Reroute,
    Cancel,
    Adjust,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Classification {
    /// What the words ask for.
    pub intent: Intent,
    /// `A` or `B` for an extension, `C` for a fork.
    pub mode: Option<Mode>,
    /// A number from 0 to 1.
    pub confidence: f64,
    pub signals: Vec<String>,
    /// Id of the extension to fork.
    pub target: Option<String>,
    /// What else may be meant, to ask the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub near: Option<NearReadings>,
    /// At the plan: what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub action: Option<PlanAction>,
}

/// Readings between which words leave it open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NearReadings {
    /// In the language of the request.
    pub question: String,
    /// There are at least two of them.
    pub readings: Vec<IntentReading>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct IntentReading {
    /// As an answer to the question, in its language.
    pub says: String,
    pub intent: Intent,
    /// How it comes to be.
    pub mode: Option<Mode>,
    /// Id of the extension to fork.
    pub target: Option<String>,
}
