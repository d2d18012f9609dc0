//! Answers in envelopes: `{"data", "error"}` in the language of their reader (spec: ai-sessions.md §1).
//!
//! Invariants: every answer names its request in a header; a code is the same in every language; what is stored of an
//! answer is English, and is said when it is read.

use std::collections::{BTreeMap, HashMap};

use holdpoint_check::ApiError;
use holdpoint_check::language::{choose, translate_findings, translated};
use holdpoint_gateway::codes::ENVELOPE_RENAMED;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use worker::{Request, Response};

use crate::answer::{EdgeError, json_response};
use crate::project::reply::{called, retry_after};

pub const REQUEST_HEADER: &str = "x-request-id";

/// The languages beside English, each with its sentences by key.
const LANGUAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/languages.rs"));

type Table = BTreeMap<String, String>;

thread_local! {
    static TABLES: std::cell::RefCell<HashMap<&'static str, Table>> = std::cell::RefCell::default();
}

/// Either what was asked for, or why it was not done.
#[derive(Serialize, Deserialize)]
pub struct DataEnvelope {
    pub data: Value,
    pub error: Option<ApiError>,
}

impl DataEnvelope {
    pub fn of_data(data: Value) -> Self {
        Self { data, error: None }
    }

    pub fn of_error(error: ApiError) -> Self {
        Self { data: Value::Null, error: Some(error) }
    }

    /// The same as its reader reads it.
    #[must_use]
    pub fn said(mut self, language: Option<&'static str>) -> Self {
        with_table(language, (), |(), table| {
            translate_findings(&mut self.data, &|key| table.get(key).map(String::as_str));
        });
        Self { error: self.error.map(|error| said(error, language)), ..self }
    }
}

/// What a request's reader reads, beside English.
pub fn language(request: &Request) -> Result<Option<&'static str>, EdgeError> {
    let names: Vec<&'static str> = LANGUAGES.iter().map(|(name, _)| *name).collect();
    Ok(choose(&request.headers().get("accept-language")?.unwrap_or_default(), &names))
}

/// A language by its name.
pub fn known(name: &str) -> Option<&'static str> {
    LANGUAGES.iter().map(|(own, _)| *own).find(|own| *own == name)
}

/// What was asked for, its findings as their reader reads them.
pub fn given(status: u16, data: Value, language: Option<&'static str>, id: &str) -> worker::Result<Response> {
    named(json_response(status, &json!(DataEnvelope::of_data(data).said(language)))?, id)
}

pub fn refused(fault: &EdgeError, language: Option<&'static str>, id: &str) -> worker::Result<Response> {
    let error = said(renamed(fault).0, language);
    let response = json_response(error.status, &json!(DataEnvelope::of_error(error.clone())))?;
    retry_after(&EdgeError(error), response.headers())?;
    named(response, id)
}

/// A response with the name of its request.
pub fn named(response: Response, id: &str) -> worker::Result<Response> {
    response.headers().set(REQUEST_HEADER, id)?;
    Ok(response)
}

/// An error as its reader reads it.
pub fn said(error: ApiError, language: Option<&'static str>) -> ApiError {
    with_table(language, error, |error, table| translated(error, &|key| table.get(key).map(String::as_str)))
}

/// What `say` makes of something with the sentences of a language; in English it is as it is.
fn with_table<T>(language: Option<&'static str>, it: T, say: impl FnOnce(T, &Table) -> T) -> T {
    let Some((name, text)) = LANGUAGES.iter().find(|(name, _)| Some(*name) == language) else { return it };
    TABLES.with_borrow_mut(|tables| {
        say(it, tables.entry(name).or_insert_with(|| serde_json::from_str(text).unwrap_or_default()))
    })
}

/// Codes of other families in the words of this one.
fn renamed(fault: &EdgeError) -> EdgeError {
    let Some((_, status, code)) = ENVELOPE_RENAMED.iter().find(|(from, ..)| *from == fault.code) else {
        return fault.clone();
    };
    let fault = called(fault, *status, code);
    match *code {
        "INVALID_INPUT" => fault.at_a_place(),
        "INPUT_TOO_LARGE" => fault.of_the_body(),
        _ => fault,
    }
}
