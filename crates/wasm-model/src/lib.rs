//! The viewer's model as a Wasm module for a Web Worker of its own.
//!
//! Owns the border to JavaScript and nothing else: every answer is one call of `holdpoint-model`, turned into plain
//! JavaScript values in the shapes of `www/core/src/types.ts`. A file that does not open throws
//! `{code: "MODEL_INVALID", line, message, args}`.

use holdpoint_model::{ColumnKey, InvalidModelError, Model, ModelEdit, Overview};
use js_sys::{Function, Object, Reflect, Uint32Array};
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

/// Room for a file in the memory of the module: whoever reads it writes there, and opening it copies nothing.
#[wasm_bindgen]
pub struct FileBytes(Vec<u8>);

#[wasm_bindgen]
impl FileBytes {
    /// Throws where the memory does not hold as much.
    #[wasm_bindgen(constructor)]
    pub fn new(size: usize) -> Result<FileBytes, JsError> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size)?;
        bytes.resize(size, 0);
        Ok(Self(bytes))
    }

    /// Where it begins in the memory.
    pub fn place(&self) -> usize {
        self.0.as_ptr() as usize
    }
}

#[wasm_bindgen]
pub struct ModelHandle {
    model: Model,
}

#[wasm_bindgen]
impl ModelHandle {
    /// Opens a file. `progress(done, total)` is called now and then with bytes; it may be left out.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: FileBytes, name: &str, progress: Option<Function>) -> Result<ModelHandle, JsValue> {
        let mut tell = move |done: u64, total: u64| {
            if let Some(progress) = &progress {
                // A throwing listener must not stop the reading.
                let _ = progress.call2(&JsValue::NULL, &JsValue::from(done as f64), &JsValue::from(total as f64));
            }
        };
        let model = Model::open_with(bytes.0, name, &mut tell).map_err(|invalid| thrown(&invalid))?;
        Ok(Self { model })
    }

    /// `ModelFacts` without `opened_ms`, which is the page's clock.
    pub fn overview(&self) -> Result<JsValue, JsValue> {
        answer(&Overview::of(&self.model))
    }

    /// `{text, id, class, storey}`: the text is JSON, the others are `Uint32Array`.
    pub fn rows(&self, from: usize, to: usize) -> Result<JsValue, JsValue> {
        let block = self.model.rows(from, to);
        told(&block, &[("id", &block.id), ("class", &block.class), ("storey", &block.storey)])
    }

    /// A block of the tree, as `{text, parent, row}`.
    pub fn tree(&self, from: usize, to: usize) -> Result<JsValue, JsValue> {
        let block = self.model.tree(from, to);
        told(&block, &[("parent", &block.parent), ("row", &block.row)])
    }

    /// A block of a column, as `{text, at}`.
    pub fn column(&self, set: String, name: String, from: usize, to: usize) -> Result<JsValue, JsValue> {
        let block = self.model.column(&ColumnKey { set, name }, from, to);
        told(&block, &[("at", &block.at)])
    }

    /// The column of one of these names that is shown first, or another one: `{set, name}` or null.
    #[allow(clippy::needless_pass_by_value)] // the border hands lists of texts over, and lends none
    pub fn preferred(&self, names: Vec<String>) -> Result<JsValue, JsValue> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        answer(&self.model.preferred_column(&names))
    }

    /// Whether any set has a member of this name.
    pub fn named(&self, name: &str) -> bool {
        self.model.has_member(name)
    }

    pub fn details(&self, ids: &[u32]) -> Result<JsValue, JsValue> {
        answer(&self.model.details(ids))
    }

    /// What the file measures in.
    pub fn units(&self) -> Result<JsValue, JsValue> {
        answer(&self.model.file_units())
    }

    /// Values of the rows from one place to another: `{text, row, column, value}`.
    pub fn values(&self, from: usize, to: usize) -> Result<JsValue, JsValue> {
        let block = self.model.values(from, to);
        let text = json!({ "columns": block.columns, "values": block.values });
        told(&text, &[("row", &block.row), ("column", &block.column), ("value", &block.value)])
    }

    /// Does what a call of an extension did on its copy of the model: `ModelEdit[]` as JSON.
    pub fn apply(&mut self, edits: &str) -> Result<(), JsError> {
        let edits: Vec<ModelEdit> = serde_json::from_str(edits)?;
        Ok(self.model.apply(&edits)?)
    }
}

/// A block with its numbers as lists, and the rest of it as JSON: what crosses as one text is read quickest.
fn told(block: &impl Serialize, numbers: &[(&str, &[u32])]) -> Result<JsValue, JsValue> {
    let told = Object::new();
    let text = serde_json::to_string(block).map_err(JsError::from)?;
    Reflect::set(&told, &"text".into(), &text.into())?;
    for (name, list) in numbers {
        Reflect::set(&told, &(*name).into(), &Uint32Array::from(*list).into())?;
    }
    Ok(told.into())
}

fn answer(value: &impl Serialize) -> Result<JsValue, JsValue> {
    value.serialize(&Serializer::json_compatible()).map_err(JsValue::from)
}

fn thrown(invalid: &InvalidModelError) -> JsValue {
    let error = OpenError { code: InvalidModelError::CODE, invalid };
    answer(&error).unwrap_or_else(|fault| fault)
}
