//! The sandbox as a Wasm module for a Web Worker (spec: ifc-sdk.md §6.1, §6.2).
//!
//! Owns the border to JavaScript and nothing else. The page ends the Worker at the wall clock (`TIMEOUT`) and starts
//! another one. A trap leaves the instance unusable, but [`why`] still answers: `MEMORY` after a passed limit, else the
//! message of a panic. An engine's own `RangeError: Maximum call stack size exceeded`, or an access outside of memory
//! while [`why`] answers nothing, is `STACK`.

use std::cell::RefCell;
use std::collections::HashMap;

use holdpoint_model::{ModelInfo, fixtures};
use holdpoint_sandbox::{Activation, ModelFile, NetworkReply, NoCallWaitsError, OpenError, Sandbox};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

#[global_allocator]
static HEAP: holdpoint_heap::Counting = holdpoint_heap::Counting;

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Remembers what a panic says before the instance traps.
#[wasm_bindgen(start)]
fn start() {
    // What a panic says, not where: a place is a build machine's path.
    std::panic::set_hook(Box::new(|info| PANIC.set(Some(info.payload_as_str().unwrap_or("no message").to_owned()))));
}

/// After a trap: `FUEL`, `MEMORY` or `STACK` behind such a limit, or the message of a panic; nothing when the stack ended.
#[wasm_bindgen]
pub fn why() -> Option<String> {
    if let Some(limit) = holdpoint_sandbox::passed() {
        return Some(limit.to_owned());
    }
    if holdpoint_heap::exhausted() {
        return Some("MEMORY".to_owned());
    }
    PANIC.with_borrow(Clone::clone)
}

/// Realms of installed extensions, by a key of the page's choice. They outlive the models that are loaded.
#[wasm_bindgen]
#[derive(Default)]
pub struct Activations(HashMap<String, Activation>);

#[wasm_bindgen]
impl Activations {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Goes on with the call that waits in an activation, with `NetworkReply[]`, and answers a `CallStep`, both as
    /// JSON. Throws where no call waits.
    pub fn resume(&mut self, key: &str, replies: &str) -> Result<String, JsError> {
        let replies: Vec<NetworkReply> = serde_json::from_str(replies)?;
        let step = self.0.get_mut(key).ok_or(NoCallWaitsError)?.resume(&replies)?;
        Ok(serde_json::to_string(&step)?)
    }

    /// Throws an activation away, without an end: its next call opens a fresh realm. What a call changed that still
    /// waits is taken back.
    pub fn forget(&mut self, key: &str) {
        self.0.remove(key);
    }
}

/// Loaded models and the calls that run on them.
#[wasm_bindgen(js_name = Sandbox)]
pub struct WasmSandbox(Sandbox);

#[wasm_bindgen(js_class = Sandbox)]
impl WasmSandbox {
    /// A sandbox without models; `loaded_at` is the host's clock, ISO 8601.
    #[wasm_bindgen(constructor)]
    pub fn new(loaded_at: &str) -> Self {
        Self(Sandbox::new(loaded_at))
    }

    /// Loads a file beside those that are loaded and answers its `ModelInfo` as JSON. Throws `MODEL_INVALID: …` with
    /// line and reason.
    pub fn load_model(&mut self, name: String, bytes: Vec<u8>) -> Result<String, JsError> {
        answered(self.0.open(ModelFile { name, bytes }))
    }

    /// [`Self::load_model`] of a file whose id the page has reckoned: 16 hex of the SHA-256 of its bytes. It is loaded
    /// at this time, ISO 8601.
    pub fn load_known(
        &mut self,
        id: String,
        name: String,
        bytes: Vec<u8>,
        loaded_at: String,
    ) -> Result<String, JsError> {
        answered(self.0.open_as(id, ModelFile { name, bytes }, loaded_at))
    }

    /// Takes a model away from what code sees.
    pub fn close_model(&mut self, id: &str) {
        self.0.close(id);
    }

    /// Runs a `Program` and answers an `Outcome`, both as JSON. Endless code does not return.
    pub fn run(&self, program: &str) -> Result<String, JsError> {
        let program = serde_json::from_str(program)?;
        Ok(serde_json::to_string(&self.0.run(&program))?)
    }

    /// Runs a `Program` in the realm of an activation, on these models, and answers a `CallStep`: how it ended, or the
    /// requests that it waits for.
    pub fn call(&self, activations: &mut Activations, key: String, program: &str) -> Result<String, JsError> {
        let program = serde_json::from_str(program)?;
        let step = activations.0.entry(key).or_default().call(&self.0, &program);
        Ok(serde_json::to_string(&step)?)
    }

    /// Ends an activation: runs the `Program`, which may name no module, then what was left for the end.
    pub fn end(&self, activations: &mut Activations, key: &str, program: &str) -> Result<String, JsError> {
        let program = serde_json::from_str(program)?;
        let outcome = activations.0.remove(key).unwrap_or_default().end(&self.0, &program);
        Ok(serde_json::to_string(&outcome)?)
    }

    /// Does on the models what was done on a copy of them: `{modelId, edits}[]` as JSON, of the effects of calls.
    pub fn apply(&self, changes: &str) -> Result<(), JsError> {
        let changes: Vec<serde_json::Value> = serde_json::from_str(changes)?;
        Ok(self.0.apply(&changes)?)
    }

    /// The file of a canonical fixture, by id, or of a synthetic one, by its content as JSON. Throws what is wrong with
    /// it.
    pub fn fixture(id: &str, content: Option<String>) -> Result<Vec<u8>, JsError> {
        let text = match content {
            Some(content) => fixtures::synthetic(&serde_json::from_str(&content)?).map_err(|why| JsError::new(&why))?,
            None => fixtures::write(id)?,
        };
        Ok(text.into_bytes())
    }

    /// Members of the SDK that are built, as dotted paths.
    #[must_use]
    pub fn members() -> Vec<String> {
        holdpoint_sandbox::built::members().map(str::to_owned).collect()
    }
}

fn answered(opened: Result<ModelInfo, OpenError>) -> Result<String, JsError> {
    let info = opened.map_err(|error| JsError::new(&format!("{}: {error}", OpenError::CODE)))?;
    Ok(serde_json::to_string(&info)?)
}
