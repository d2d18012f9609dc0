//! IDS and BCF files on a model, as a Wasm module for a Web Worker of its own, loaded when somebody brings one.
//!
//! Owns the border to JavaScript and nothing else: every answer is one call of `holdpoint-model`, turned into plain
//! JavaScript values in the shapes of `www/core/src/model/checks.ts`. What does not open throws
//! `{code, message, args}` with `line`, and `column` where there is one.

use holdpoint_model::bcf::{self, BcfVersion, InvalidBcfError, TopicRequest};
use holdpoint_model::ids::{self, Ids, InvalidIdsError};
use holdpoint_model::{InvalidModelError, Model, ModelEdit};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

#[derive(Serialize)]
struct Coded<'a, T> {
    code: &'static str,
    #[serde(flatten)]
    invalid: &'a T,
}

/// A copy of the open model, which a check may take its time with.
#[wasm_bindgen]
pub struct CheckedModel {
    model: Model,
}

#[wasm_bindgen]
impl CheckedModel {
    /// Opens a file that the viewer has opened.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>, name: &str) -> Result<CheckedModel, JsValue> {
        let model = Model::open(bytes, name).map_err(|invalid| coded(InvalidModelError::CODE, &invalid))?;
        Ok(Self { model })
    }

    /// Does what a call of an extension did: `ModelEdit[]` as JSON.
    pub fn apply(&mut self, edits: &str) -> Result<(), JsError> {
        let edits: Vec<ModelEdit> = serde_json::from_str(edits)?;
        Ok(self.model.apply(&edits)?)
    }

    /// Checks the model against an IDS file: `Report`.
    pub fn ids(&self, file: &[u8]) -> Result<JsValue, JsValue> {
        let ids = Ids::read(file).map_err(|invalid| coded(InvalidIdsError::CODE, &invalid))?;
        answer(&ids::check(&self.model, &ids))
    }

    /// A BCF file of these topics: `TopicRequest[]` as JSON, in version `2.1` or `3.0`.
    pub fn bcf(&self, topics: &str, version: &str) -> Result<Vec<u8>, JsError> {
        let topics: Vec<TopicRequest> = serde_json::from_str(topics)?;
        let version = BcfVersion::named(version).ok_or_else(|| JsError::new("BCF is written as 2.1 or 3.0."))?;
        Ok(bcf::write(&self.model, &topics, version)?)
    }

    /// The topics of a BCF file.
    pub fn read_bcf(&self, file: &[u8]) -> Result<JsValue, JsValue> {
        let topics = bcf::read(&self.model, file).map_err(|invalid| coded(InvalidBcfError::CODE, &invalid))?;
        answer(&topics)
    }
}

fn answer(value: &impl Serialize) -> Result<JsValue, JsValue> {
    value.serialize(&Serializer::json_compatible()).map_err(JsValue::from)
}

fn coded(code: &'static str, invalid: &impl Serialize) -> JsValue {
    answer(&Coded { code, invalid }).unwrap_or_else(|fault| fault)
}
