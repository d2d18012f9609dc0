//! How objects talk to each other: one JSON command, one JSON answer, or a fault.
//!
//! Owns the names of the objects. Invariant: no answer from the account is `LEDGER_UNAVAILABLE`, so that nothing is
//! ever forwarded unmetered (spec: gateway.md §6 "Fail closed").

use holdpoint_check::ApiError;
use holdpoint_gateway::Code;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use wasm_bindgen::JsValue;
use worker::{Env, Method, Request, RequestInit, Response, Stub};

use crate::answer::{EdgeError, cause, json_response};

/// An address for requests that never leave the isolate.
const INSIDE: &str = "http://object";

/// Where an object is.
#[derive(Clone)]
pub struct Objects {
    env: Env,
}

impl Objects {
    /// The objects of this deployment.
    pub fn new(env: Env) -> Self {
        Self { env }
    }

    /// The ledger and keys of an account.
    pub fn account(&self, id: &str) -> Result<Stub, EdgeError> {
        self.stub("ACCOUNT", id)
    }

    /// A project of an account. Its name begins with a word of its kind and a slash, so that no two kinds meet.
    pub fn project(&self, account: &str, name: &str) -> Result<Stub, EdgeError> {
        self.stub("PROJECT", &format!("{account}/{name}"))
    }

    /// The relay that owns a request's upstream call.
    pub fn relay(&self, account: &str, shard: u32) -> Result<Stub, EdgeError> {
        self.stub("RELAY", &format!("{account}:{shard}"))
    }

    fn stub(&self, namespace: &str, name: &str) -> Result<Stub, EdgeError> {
        Ok(self.env.durable_object(namespace)?.get_by_name(name)?)
    }
}

/// Asks an object and reads its answer.
pub async fn ask<Q: Serialize, A: DeserializeOwned>(stub: &Stub, command: &Q) -> Result<A, EdgeError> {
    let mut response = send(stub, command).await.map_err(|_| EdgeError::from(Code::LedgerUnavailable))?;
    let status = response.status_code();
    let mut body: Value = response.json().await.map_err(|_| EdgeError::from(Code::LedgerUnavailable))?;
    if status == 200 {
        return Ok(serde_json::from_value(body)?);
    }
    let error: Option<ApiError> = serde_json::from_value(body["error"].take()).ok();
    Err(error.map_or_else(|| Code::LedgerUnavailable.into(), |error| error.status(status).into()))
}

/// Asks an object for an HTTP response.
pub async fn send<Q: Serialize>(stub: &Stub, command: &Q) -> Result<Response, worker::Error> {
    let text = serde_json::to_string(command)?;
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_body(Some(JsValue::from_str(&text)));
    stub.fetch_with_request(Request::new_with_init(INSIDE, &init)?).await
}

/// Reads what an object is asked. Why it cannot be read is told without its words.
pub async fn read<Q: DeserializeOwned>(request: &mut Request) -> Result<Q, worker::Error> {
    request.json().await.map_err(|error| cause(&error).into())
}

/// The answer of an object to [`ask`].
pub fn reply<A: Serialize>(answer: Result<A, EdgeError>) -> Result<Response, worker::Error> {
    match answer {
        Ok(answer) => json_response(200, &serde_json::to_value(answer)?),
        Err(error) => error.response(),
    }
}
