//! One sandbox: the loaded models, and calls one after the other, each in a fresh realm.

use std::rc::Rc;

use boa_engine::gc::force_collect;
use holdpoint_model::{InvalidModelError, Model, ModelEdit, ModelInfo, TooLargeError};
use holdpoint_sdk::run::{ModelFile, Outcome, Program, SandboxUsage};

use serde::Deserialize;
use serde_json::Value;

use crate::{
    bim::working::{Working, id_of},
    budget::Budget,
    call::{self, Opened},
    heap::{Heap, peak_above},
    host::Host,
};

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
    /// A sandbox without models; `loaded_at` is ISO 8601, the host's clock.
    pub fn new(loaded_at: impl Into<String>) -> Self {
        Self { working: Rc::default(), loaded_at: loaded_at.into() }
    }

    /// Reads one more file, last in load order. Its id is [`id_of`] its bytes.
    pub fn open(&mut self, file: ModelFile) -> Result<ModelInfo, OpenError> {
        self.open_as(id_of(&file.bytes), file, self.loaded_at.clone())
    }

    /// [`Sandbox::open`] at a time of its own, under an id that the host has made of the bytes. What had that id before
    /// is closed.
    pub fn open_as(
        &mut self,
        id: impl Into<String>,
        file: ModelFile,
        loaded_at: String,
    ) -> Result<ModelInfo, OpenError> {
        let ModelFile { name, bytes } = file;
        let model = Model::open(bytes, &name).map_err(|cause| OpenError { name, cause })?.with_id(id);
        let info = model.info(&loaded_at);
        self.working.open(model, loaded_at);
        Ok(info)
    }

    /// Takes a model away, and the way back of what was changed in it.
    pub fn close(&mut self, id: &str) {
        self.working.close(id);
    }

    pub fn models(&self) -> Vec<ModelInfo> {
        self.working.models(None).iter().map(|model| model.info(&self.working.loaded_at(model.id()))).collect()
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
        Rc::new(Host::new(self.working.clone(), Rc::new(program.clone()), self.loaded_at.clone(), heap.watch()))
    }
}
