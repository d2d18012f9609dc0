//! How objects talk to each other: one JSON command, one JSON answer, or a fault.
//!
//! Accounts and relays take their commands as calls of a method: on the way of every model's call, requests and bodies of
//! HTTP cost more than what is asked. Projects take them as requests, for they answer with streams. Owns the names of the
//! objects. Invariant: no answer from the account is `LEDGER_UNAVAILABLE`, so that nothing is
//! ever forwarded unmetered (spec: gateway.md §6 "Fail closed").

use holdpoint_check::ApiError;
use holdpoint_gateway::Code;
use js_sys::Promise;
use js_sys::futures::JsFuture;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::{Env, Method, Request, RequestInit, Response, Stub};

use crate::answer::{EdgeError, cause, json_response};

/// An address for requests that never leave the isolate.
const INSIDE: &str = "http://object";

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
    pub fn account(&self, id: &str) -> Result<Called, EdgeError> {
        Ok(self.stub("ACCOUNT", id)?.into_rpc())
    }

    /// A project of an account. Its name begins with a word of its kind and a slash, so that no two kinds meet.
    pub fn project(&self, account: &str, name: &str) -> Result<Stub, EdgeError> {
        self.stub("PROJECT", &format!("{account}/{name}"))
    }

    /// The relay that owns a request's upstream call.
    pub fn relay(&self, account: &str, shard: u32) -> Result<Stub, EdgeError> {
        self.stub("RELAY", &format!("{account}:{shard}"))
    }

    pub fn relay_called(&self, account: &str, shard: &str) -> Result<Called, EdgeError> {
        Ok(self.stub("RELAY", &format!("{account}:{shard}"))?.into_rpc())
    }

    fn stub(&self, namespace: &str, name: &str) -> Result<Stub, EdgeError> {
        Ok(self.env.durable_object(namespace)?.get_by_name(name)?)
    }
}

#[wasm_bindgen]
extern "C" {
    /// An object whose `ask` is called: of `entry.mjs`.
    pub type Called;

    #[wasm_bindgen(method, catch)]
    fn ask(this: &Called, command: &str) -> Result<Promise, JsValue>;
}

/// What an object that is called answers.
#[derive(Serialize, Deserialize)]
enum ObjectAnswer<A> {
    Answer(A),
    Fault(u16, ApiError),
}

/// An object that can be asked.
pub trait Askable {
    /// Asks it, and reads its answer. One that does not answer is `LEDGER_UNAVAILABLE`.
    async fn put<A: DeserializeOwned>(&self, command: &str) -> Result<A, EdgeError>;
}

impl Askable for Called {
    async fn put<A: DeserializeOwned>(&self, command: &str) -> Result<A, EdgeError> {
        let silent = |_| EdgeError::from(Code::LedgerUnavailable);
        let answer = JsFuture::from(self.ask(command).map_err(silent)?).await.map_err(silent)?;
        match serde_json::from_str(&answer.as_string().unwrap_or_default())? {
            ObjectAnswer::Answer(answer) => Ok(answer),
            ObjectAnswer::Fault(status, error) => Err(error.status(status).into()),
        }
    }
}

impl Askable for Stub {
    async fn put<A: DeserializeOwned>(&self, command: &str) -> Result<A, EdgeError> {
        let mut response = send_text(self, command).await.map_err(|_| EdgeError::from(Code::LedgerUnavailable))?;
        let status = response.status_code();
        let mut body: Value = response.json().await.map_err(|_| EdgeError::from(Code::LedgerUnavailable))?;
        if status == 200 {
            return Ok(serde_json::from_value(body)?);
        }
        let error: Option<ApiError> = serde_json::from_value(body["error"].take()).ok();
        Err(error.map_or_else(|| Code::LedgerUnavailable.into(), |error| error.status(status).into()))
    }
}

/// Asks an object and reads its answer.
pub async fn ask<Q: Serialize, A: DeserializeOwned>(object: &impl Askable, command: &Q) -> Result<A, EdgeError> {
    object.put(&serde_json::to_string(command)?).await
}

/// What an object that is called answers to [`ask`].
pub fn told<A: Serialize>(answer: Result<A, EdgeError>) -> String {
    let told = match answer {
        Ok(answer) => ObjectAnswer::Answer(answer),
        Err(EdgeError(error)) => ObjectAnswer::Fault(error.status, error),
    };
    serde_json::to_string(&told).unwrap_or_default()
}

/// Asks an object for an HTTP response.
pub async fn send<Q: Serialize>(stub: &Stub, command: &Q) -> Result<Response, worker::Error> {
    send_text(stub, &serde_json::to_string(command)?).await
}

async fn send_text(stub: &Stub, text: &str) -> Result<Response, worker::Error> {
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_body(Some(JsValue::from_str(text)));
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
