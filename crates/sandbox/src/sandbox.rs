//! One sandbox: the loaded models, and calls one after the other, each in a fresh realm.

use std::rc::Rc;

use boa_engine::gc::force_collect;
use holdpoint_model::{Model, ModelInfo, ModelInvalid};
use holdpoint_sdk::run::{ModelFile, Outcome, Program, SandboxUsage};

use crate::{
    budget::{Budget, MAX_CALL_DEPTH},
    call::{self, Opened},
    failure,
    heap::{Heap, peak_above},
    host::Host,
};

/// What `ModelInfo.loadedAt` says in tests.
const TEST_LOADED_AT: &str = "2026-01-01T00:00:00.000Z";

/// A file that is no model (spec: ifc-sdk.md §7.1).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {cause}")]
pub struct OpenError {
    /// The file.
    pub name: String,
    /// Where and why.
    #[source]
    pub cause: ModelInvalid,
}

impl OpenError {
    /// The stable code.
    pub const CODE: &'static str = ModelInvalid::CODE;
}

/// Loaded models and the calls that run on them.
pub struct Sandbox {
    models: Rc<Vec<Model>>,
    loaded_at: String,
}

impl Sandbox {
    /// A sandbox on models that are loaded already; `loaded_at` is ISO 8601, the host's clock.
    pub fn new(models: Vec<Model>, loaded_at: impl Into<String>) -> Self {
        Self { models: Rc::new(models), loaded_at: loaded_at.into() }
    }

    /// Reads one more file, last in load order; its id is `model-N`.
    pub fn open(&mut self, file: ModelFile) -> Result<ModelInfo, OpenError> {
        let ModelFile { name, bytes } = file;
        let model = Model::open(bytes, &name).map_err(|cause| OpenError { name, cause })?;
        let model = model.with_id(format!("model-{}", self.models.len() + 1));
        let info = model.info(&self.loaded_at);
        Rc::get_mut(&mut self.models).expect("only a running call shares the models").push(model);
        Ok(info)
    }

    /// The loaded models.
    pub fn models(&self) -> Vec<ModelInfo> {
        self.models.iter().map(|model| model.info(&self.loaded_at)).collect()
    }

    /// Runs one call in a fresh realm. Endless code does not return: the host ends the process or Worker. Where
    /// `holdpoint_heap::Counting` is installed, a call that passes its heap ends the process or Worker too.
    pub fn run(&self, program: &Program) -> Outcome {
        let mut outcome = self.measured(program, MAX_CALL_DEPTH);
        let unsettled = outcome.failure.as_ref().is_some_and(|failure| failure.code == "NEVER_SETTLED");
        if unsettled && self.is_lost_in_depth(program, &outcome) {
            call::exhaust(&mut outcome, failure::stack(), program);
        }
        outcome
    }

    /// The engine forgets an error that cannot be caught when it happens behind an `await`: the promise then waits for
    /// ever. A second run with more frames tells the two apart: only endless recursion takes more memory then.
    pub(crate) fn is_lost_in_depth(&self, program: &Program, first: &Outcome) -> bool {
        const MORE: usize = 50 * MAX_CALL_DEPTH;
        const BYTES_OF_MORE: u64 = 1024 * 1024;
        let second = self.measured(program, MORE);
        let settled = second.failure.as_ref().is_none_or(|failure| failure.code != "NEVER_SETTLED");
        settled || second.usage.peak_bytes > first.usage.peak_bytes + BYTES_OF_MORE
    }

    pub(crate) fn measured(&self, program: &Program, depth: usize) -> Outcome {
        let base = holdpoint_heap::live();
        let mut outcome = self.call(program, depth);
        // What the realm held is garbage now; the next call begins with a clean heap.
        force_collect();
        outcome.usage = SandboxUsage { fuel: 0, peak_bytes: peak_above(base) };
        outcome
    }

    fn call(&self, program: &Program, depth: usize) -> Outcome {
        let heap = Heap::begin(Budget::of(program.profile));
        let host = self.host(program, &heap);
        let result = Opened::new(program, heap.watch(), depth).and_then(|mut opened| opened.call(&host));
        call::outcome(result, &host)
    }

    /// The host of one call on these models.
    pub(crate) fn host(&self, program: &Program, heap: &Heap) -> Rc<Host> {
        let loaded_at = if program.seed.is_some() { TEST_LOADED_AT } else { &self.loaded_at };
        Rc::new(Host::new(self.models.clone(), Rc::new(program.clone()), loaded_at.to_owned(), heap.watch()))
    }
}
