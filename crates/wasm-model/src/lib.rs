//! The viewer's model as a Wasm module for a Web Worker of its own.
//!
//! Owns the border to JavaScript and nothing else: every answer is one call of `holdpoint-model`, turned into plain
//! JavaScript values in the shapes of `www/core/src/types.ts`. A file that does not open throws
//! `{code: "MODEL_INVALID", line, message, args}`.

use holdpoint_model::{InvalidModelError, Model, ModelEdit, Overview, describe};
use js_sys::{Function, Reflect, Uint32Array};
use serde::Serialize;
use serde_json::json;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

#[derive(Serialize)]
struct OpenError<'a> {
    code: &'static str,
    #[serde(flatten)]
    invalid: &'a InvalidModelError,
}

#[wasm_bindgen]
pub struct ModelHandle {
    model: Model,
}

#[wasm_bindgen]
impl ModelHandle {
    /// Opens a file. `progress(done, total)` is called now and then with bytes; it may be left out.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>, name: &str, progress: Option<Function>) -> Result<ModelHandle, JsValue> {
        let mut tell = move |done: u64, total: u64| {
            if let Some(progress) = &progress {
                // A throwing listener must not stop the reading.
                let _ = progress.call2(&JsValue::NULL, &JsValue::from(done as f64), &JsValue::from(total as f64));
            }
        };
        let model = Model::open_with(bytes, name, &mut tell).map_err(|invalid| thrown(&invalid))?;
        Ok(Self { model })
    }

    /// `ModelFacts` without `opened_ms`, which is the page's clock.
    pub fn overview(&self) -> Result<JsValue, JsValue> {
        answer(&Overview::of(&self.model))
    }

    /// The figures of `holdpoint model --json`.
    pub fn facts(&self) -> Result<JsValue, JsValue> {
        answer(&describe(&self.model))
    }

    pub fn tree(&self) -> Result<JsValue, JsValue> {
        answer(&self.model.tree())
    }

    pub fn rows(&self) -> Result<JsValue, JsValue> {
        answer(&self.model.rows())
    }

    pub fn columns(&self) -> Result<JsValue, JsValue> {
        answer(&self.model.columns())
    }

    pub fn column(&self, set: &str, name: &str) -> Result<JsValue, JsValue> {
        answer(&self.model.column(set, name))
    }

    pub fn details(&self, ids: &[u32]) -> Result<JsValue, JsValue> {
        answer(&self.model.details(ids))
    }

    /// What the file measures in.
    pub fn units(&self) -> Result<JsValue, JsValue> {
        answer(&self.model.file_units())
    }

    /// Values of the rows from one place to another: `{columns, values, row, column, value}`, the last three as
    /// `Uint32Array`.
    pub fn values(&self, from: u32, to: u32) -> Result<JsValue, JsValue> {
        let block = self.model.values(from as usize, to as usize);
        let told = answer(&json!({ "columns": block.columns, "values": block.values }))?;
        for (name, list) in [("row", &block.row), ("column", &block.column), ("value", &block.value)] {
            Reflect::set(&told, &name.into(), &Uint32Array::from(list.as_slice()).into())?;
        }
        Ok(told)
    }

    /// Does what a call of an extension did on its copy of the model: `ModelEdit[]` as JSON.
    pub fn apply(&mut self, edits: &str) -> Result<(), JsError> {
        let edits: Vec<ModelEdit> = serde_json::from_str(edits)?;
        Ok(self.model.apply(&edits)?)
    }
}

fn answer(value: &impl Serialize) -> Result<JsValue, JsValue> {
    value.serialize(&Serializer::json_compatible()).map_err(JsValue::from)
}

fn thrown(invalid: &InvalidModelError) -> JsValue {
    let error = OpenError { code: InvalidModelError::CODE, invalid };
    answer(&error).unwrap_or_else(|fault| fault)
}
