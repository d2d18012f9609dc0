//! One sandbox: the loaded models, and calls one after the other, each in a fresh realm.

use std::rc::Rc;

use boa_engine::gc::force_collect;
use holdpoint_model::{InvalidModelError, Model, ModelEdit, ModelInfo, TooLargeError};
use holdpoint_sdk::run::{ModelFile, Outcome, Program, SandboxUsage};

use serde::Deserialize;
use serde_json::Value;

use crate::{
    bim::working::Working,
    budget::Budget,
    call::{self, Opened},
    heap::{Heap, peak_above},
    host::Host,
};

/// What `ModelInfo.loadedAt` says in tests.
const TEST_LOADED_AT: &str = "2026-01-01T00:00:00.000Z";

/// A file that is no model (spec: ifc-sdk.md §7.1).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {cause}")]
pub struct OpenError {
    pub name: String,
    #[source]
    pub cause: InvalidModelError,
}

impl OpenError {
    pub const CODE: &'static str = InvalidModelError::CODE;
}

/// Loaded models and the calls that run on them.
pub struct Sandbox {
    working: Rc<Working>,
    loaded_at: String,
}

impl Sandbox {
    /// A sandbox on models that are loaded already; `loaded_at` is ISO 8601, the host's clock.
    pub fn new(models: Vec<Model>, loaded_at: impl Into<String>) -> Self {
        Self { working: Rc::new(Working::new(models)), loaded_at: loaded_at.into() }
    }

    /// Reads one more file, last in load order; its id is `model-N`.
    pub fn open(&mut self, file: ModelFile) -> Result<ModelInfo, OpenError> {
        let ModelFile { name, bytes } = file;
        let model = Model::open(bytes, &name).map_err(|cause| OpenError { name, cause })?;
        let id = self.working.load(model);
        let model = self.working.model(&id).expect("it was just loaded");
        Ok(model.info(&self.loaded_at))
    }

    pub fn models(&self) -> Vec<ModelInfo> {
        self.working.models().iter().map(|model| model.info(&self.loaded_at)).collect()
    }

    /// Runs one call in a fresh realm. Endless code does not return: the host ends the process or Worker. Where
    /// `holdpoint_heap::Counting` is installed, a call that passes its heap ends the process or Worker too.
    pub fn run(&self, program: &Program) -> Outcome {
        let base = holdpoint_heap::live();
        let heap = Heap::begin(Budget::of(program.profile));
        let host = self.host(program, &heap);
        let result = Opened::new(program).and_then(|mut opened| opened.run(&host));
        let mut outcome = call::outcome(result, &host);
        outcome.usage = SandboxUsage { fuel: host.meter.spent(), peak_bytes: peak_above(base) };
        drop((host, heap));
        // What the realm held is garbage now; the next call begins with a clean heap.
        force_collect();
        outcome
    }

    /// Does on the models what was done on a copy of them: `{modelId, edits}` each, as `Effects::changes` has them.
    pub fn apply(&self, changes: &[Value]) -> Result<(), TooLargeError> {
        for change in changes {
            let model = change.get("modelId").and_then(Value::as_str).unwrap_or_default();
            let edits: Vec<ModelEdit> =
                change.get("edits").and_then(|edits| Deserialize::deserialize(edits).ok()).unwrap_or_default();
            self.working.replay(model, &edits)?;
        }
        Ok(())
    }

    /// The host of one call on these models.
    pub(crate) fn host(&self, program: &Program, heap: &Heap) -> Rc<Host> {
        let loaded_at = if program.seed.is_some() { TEST_LOADED_AT } else { &self.loaded_at };
        Rc::new(Host::new(self.working.clone(), Rc::new(program.clone()), loaded_at.to_owned(), heap.watch()))
    }
}
