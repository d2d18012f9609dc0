//! One model call: a streamed chat completion through the edge (spec: authoring.md §6.2 "Drivers", gateway.md §2).
//!
//! Invariant: a stream that cannot be read ends there with its code; what came before it is kept.

use gloo::net::http::{Method, Response};
use holdpoint_gateway::wire::{self, Draft, Most, Stream};
use holdpoint_gateway::{Limits, Protocol};
use holdpoint_kind_extension::planning::{PromptMessage, ToolCall};
use holdpoint_kind_extension::run::{Reply, Usage};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, ReadableStreamDefaultReader};

use crate::edge::{self, Call};
use crate::runs::Problem;

pub struct ModelCall<'q> {
    pub token: Option<&'q str>,
    /// The gateway's run that the call draws on.
    pub run: Option<&'q str>,
    pub messages: &'q [PromptMessage],
    pub max_output_tokens: u32,
}

pub struct ModelStream {
    response: Response,
    pub request_id: Option<String>,
    /// The provider and model that answer, as the edge names them.
    pub provider: Option<String>,
}

/// What came of a stream.
#[derive(Debug, Default, Clone)]
pub struct Received {
    reply: wire::Reply,
    /// An error event of the edge or the upstream, or why the stream cannot be read.
    pub problem: Option<Problem>,
}

/// Sends it; answers when the headers are there. `None` as error: the call was aborted.
pub async fn ask(call: &ModelCall<'_>, signal: &AbortSignal) -> Result<ModelStream, Option<Problem>> {
    let draft = Draft {
        model: "default",
        messages: call.messages.iter().map(|said| (said.role.as_str(), said.content.as_str())).collect(),
        most: Most::CompletionTokens(call.max_output_tokens.into()),
        temperature: None,
        schema: None,
        include_usage: true,
    };
    let body = draft.body().to_string();
    let run = call.run.map(|run| ("holdpoint-run", run));
    let call = Call {
        method: Method::POST,
        path: "/v1/chat/completions",
        token: call.token,
        headers: run.as_slice(),
        body: Some(&body),
        signal: Some(signal),
    };
    let failed = |_| if signal.aborted() { None } else { Some(Problem::offline()) };
    let response = edge::send(&call).await.map_err(failed)?;
    let header = |name: &str| response.headers().get(name);
    if response.ok() {
        let (request_id, provider) = (header("x-request-id"), header("holdpoint-provider"));
        return Ok(ModelStream { response, request_id, provider });
    }
    let retry_after = header("retry-after-ms").and_then(|text| text.parse().ok());
    let retry = header("x-should-retry").as_deref() == Some("true");
    let mut problem = Problem::read(response.status(), &response.text().await.unwrap_or_default());
    problem.retry_after_ms = retry_after.or(problem.retry_after_ms).or(retry.then_some(0));
    Err(Some(problem))
}

impl ModelStream {
    /// Reads the stream to its end, a cut or an abort; `each` is told what has come so far.
    pub async fn read(self, mut each: impl FnMut(&Received)) -> Received {
        let mut received = Received::default();
        let Some(body) = self.response.body() else { return received };
        let Ok(reader) = body.get_reader().dyn_into::<ReadableStreamDefaultReader>() else { return received };
        let mut stream = Stream::new(Protocol::OpenAi, &Limits::default());
        while let Ok(step) = JsFuture::from(reader.read()).await {
            let member = |name: &str| js_sys::Reflect::get(&step, &name.into()).unwrap_or(JsValue::UNDEFINED);
            if member("done").is_truthy() {
                break;
            }
            let bytes = js_sys::Uint8Array::new(&member("value")).to_vec();
            let pushed = stream.push(&bytes, |chunk| received.reply.take(chunk));
            received.problem = received.reply.error.as_ref().map(|error| Problem::from(error.clone()));
            if let Err(refusal) = pushed {
                received.problem = Some(Problem::from(refusal));
                drop(reader.cancel());
                break;
            }
            each(&received);
        }
        received
    }
}

impl Received {
    pub fn text(&self) -> &str {
        &self.reply.text
    }

    /// The reply for the log; a stream that was cut counts as one that reached its maximum.
    pub fn reply(self) -> Reply {
        let usage = self.reply.usage().map(|usage| {
            let count = |tokens: u64| tokens.try_into().unwrap_or(u32::MAX);
            Usage { input: count(usage.prompt()), cached: count(usage.cached_input), output: count(usage.output) }
        });
        let tool_calls: Vec<ToolCall> = self
            .reply
            .tools
            .into_iter()
            .filter(|tool| !tool.name.is_empty())
            .map(|tool| {
                let arguments = serde_json::from_str(&tool.arguments).unwrap_or(Value::String(tool.arguments));
                ToolCall { name: tool.name, arguments }
            })
            .collect();
        Reply {
            reply: Some(self.reply.text),
            tool_calls: (!tool_calls.is_empty()).then_some(tool_calls),
            finish_reason: if self.reply.complete { self.reply.finish } else { Some("length".to_owned()) },
            usage,
        }
    }

    /// Whether any byte of a reply came.
    pub fn is_empty(&self) -> bool {
        self.reply.is_empty()
    }
}
