//! How objects talk to each other: one JSON command, one JSON answer, or a fault.
//!
//! Commands are calls of a method: on the way of every model's call, requests and bodies of HTTP cost more than what is
//! asked. What a client asks of a project or a relay is a request (`crate::routes::forward`), for it is answered with
//! streams and only a request tells that its client left. Owns the names of the objects. Invariant: no answer from the
//! account is `LEDGER_UNAVAILABLE`, so that nothing is ever forwarded unmetered (spec: gateway.md §6 "Fail closed").

use holdpoint_check::ApiError;
use holdpoint_gateway::Code;
use js_sys::Promise;
use js_sys::futures::JsFuture;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::{Env, Stub};

use crate::answer::EdgeError;

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

    /// The same project, for commands of other objects.
    pub fn project_called(&self, account: &str, name: &str) -> Result<Called, EdgeError> {
        Ok(self.project(account, name)?.into_rpc())
    }

    pub fn relay_called(&self, account: &str, shard: &str) -> Result<Called, EdgeError> {
        Ok(self.stub("RELAY", &format!("{account}:{shard}"))?.into_rpc())
    }

    /// A public name of an app.
    pub fn slug(&self, slug: &str) -> Result<Called, EdgeError> {
        Ok(self.stub("SLUG", slug)?.into_rpc())
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

/// Asks an object and reads its answer. One that does not answer is `LEDGER_UNAVAILABLE`.
pub async fn ask<Q: Serialize, A: DeserializeOwned>(object: &Called, command: &Q) -> Result<A, EdgeError> {
    let silent = |_| EdgeError::from(Code::LedgerUnavailable);
    let command = serde_json::to_string(command)?;
    let answer = JsFuture::from(object.ask(&command).map_err(silent)?).await.map_err(silent)?;
    match serde_json::from_str(&answer.as_string().unwrap_or_default())? {
        ObjectAnswer::Answer(answer) => Ok(answer),
        ObjectAnswer::Fault(status, error) => Err(error.status(status).into()),
    }
}

/// What an object that is called answers to [`ask`].
pub fn told<A: Serialize>(answer: Result<A, EdgeError>) -> String {
    let told = match answer {
        Ok(answer) => ObjectAnswer::Answer(answer),
        Err(EdgeError(error)) => ObjectAnswer::Fault(error.status, error),
    };
    serde_json::to_string(&told).unwrap_or_default()
}

/// A value as a header carries it: a header has no letters beyond ASCII, a name may.
pub fn header_text(value: &impl Serialize) -> Result<String, EdgeError> {
    let mut text = String::new();
    for letter in serde_json::to_string(value)?.chars() {
        if letter.is_ascii() {
            text.push(letter);
        } else {
            let units =
                letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
            text.push_str(&units);
        }
    }
    Ok(text)
}
