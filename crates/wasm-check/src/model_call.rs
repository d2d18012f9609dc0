//! One model call: a streamed chat completion through the edge (spec: authoring.md §6.2 "Drivers", gateway.md §2).

use holdpoint_author::prompt::Message;
use holdpoint_author::run::{Reply, ToolCall, Usage};
use holdpoint_gateway::sse::Parser;
use serde_json::{Value, json};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, ReadableStreamDefaultReader, RequestInit, Response};

use crate::runs::Problem;

/// Bytes of one event of the stream.
const MAX_EVENT_BYTES: usize = 4 * 1024 * 1024;

/// What is asked.
pub struct Question<'q> {
    pub token: Option<&'q str>,
    /// The gateway's run that the call draws on.
    pub run: Option<&'q str>,
    pub messages: &'q [Message],
    pub max_output_tokens: u32,
}

/// An open answer.
pub struct Answer {
    response: Response,
    /// For `cancel`.
    pub request_id: Option<String>,
    /// The provider and model that answer, as the edge names them.
    pub provider: Option<String>,
}

/// What came of a stream.
#[derive(Debug, Default, Clone)]
pub struct Received {
    pub text: String,
    tools: Vec<Tool>,
    finish: Option<String>,
    usage: Option<Usage>,
    /// The stream ended as its protocol says.
    complete: bool,
    /// An error event of the edge or the upstream.
    pub problem: Option<Problem>,
}

#[derive(Debug, Default, Clone)]
struct Tool {
    name: String,
    arguments: String,
}

/// Sends the question; answers when the headers are there. `None` as error: the call was aborted.
pub async fn ask(question: &Question<'_>, signal: &AbortSignal) -> Result<Answer, Option<Problem>> {
    let messages: Vec<Value> =
        question.messages.iter().map(|message| json!({ "role": message.role, "content": message.content })).collect();
    let body = json!({
        "model": "default",
        "messages": messages,
        "max_completion_tokens": question.max_output_tokens,
        "stream": true,
        "stream_options": { "include_usage": true },
    });
    let headers = web_sys::Headers::new().map_err(|_| None)?;
    let set = |name: &str, value: &str| headers.set(name, value).map_err(|_| None);
    set("content-type", "application/json")?;
    if let Some(token) = question.token {
        set("authorization", &format!("Bearer {token}"))?;
    }
    if let Some(run) = question.run {
        set("holdpoint-run", run)?;
    }
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_headers(&headers);
    init.set_body(&JsValue::from_str(&body.to_string()));
    init.set_signal(Some(signal));

    let failed = |_| if signal.aborted() { None } else { Some(Problem::offline()) };
    let fetch = js_sys::Reflect::get(&js_sys::global(), &"fetch".into())
        .ok()
        .and_then(|fetch| fetch.dyn_into::<js_sys::Function>().ok())
        .ok_or(None)?;
    let promise = fetch
        .call2(&JsValue::UNDEFINED, &"/v1/chat/completions".into(), &init)
        .map_err(failed)?
        .dyn_into::<js_sys::Promise>()
        .map_err(failed)?;
    let response: Response = JsFuture::from(promise).await.map_err(failed)?.dyn_into().map_err(failed)?;
    let header = |name: &str| response.headers().get(name).ok().flatten();
    if response.ok() {
        let (request_id, provider) = (header("x-request-id"), header("holdpoint-provider"));
        return Ok(Answer { response, request_id, provider });
    }
    let retry_after = header("retry-after-ms").and_then(|text| text.parse().ok());
    let retry = header("x-should-retry").as_deref() == Some("true");
    let text = match response.text() {
        Ok(promise) => JsFuture::from(promise).await.ok().and_then(|text| text.as_string()).unwrap_or_default(),
        Err(_) => String::new(),
    };
    let mut problem = Problem::read(response.status(), &text);
    problem.retry_after_ms = retry_after.or(problem.retry_after_ms).or(retry.then_some(0));
    Err(Some(problem))
}

impl Answer {
    /// Reads the stream to its end, a cut or an abort; `each` is told what has come so far.
    pub async fn read(self, mut each: impl FnMut(&Received)) -> Received {
        let mut received = Received::default();
        let Some(body) = self.response.body() else { return received };
        let Ok(reader) = body.get_reader().dyn_into::<ReadableStreamDefaultReader>() else { return received };
        let mut parser = Parser::new(MAX_EVENT_BYTES);
        while let Ok(step) = JsFuture::from(reader.read()).await {
            let member = |name: &str| js_sys::Reflect::get(&step, &name.into()).unwrap_or(JsValue::UNDEFINED);
            if member("done").is_truthy() {
                break;
            }
            let chunk = js_sys::Uint8Array::new(&member("value")).to_vec();
            if parser.push(&chunk, |event| received.event(&event.data)).is_err() {
                break;
            }
            each(&received);
        }
        received
    }
}

impl Received {
    fn event(&mut self, data: &str) {
        if data == "[DONE]" {
            self.complete = true;
            return;
        }
        let Ok(chunk) = serde_json::from_str::<Value>(data) else { return };
        if chunk["error"].is_object() {
            self.problem = Some(Problem::read(0, data));
            return;
        }
        if let Some(usage) = chunk["usage"].as_object() {
            let count =
                |value: Option<&Value>| value.and_then(Value::as_u64).unwrap_or(0).try_into().unwrap_or(u32::MAX);
            self.usage = Some(Usage {
                input: count(usage.get("prompt_tokens")),
                cached: count(usage.get("prompt_tokens_details").and_then(|details| details.get("cached_tokens"))),
                output: count(usage.get("completion_tokens")),
            });
        }
        let choice = &chunk["choices"][0];
        if let Some(finish) = choice["finish_reason"].as_str() {
            self.finish = Some(finish.to_owned());
            self.complete = true;
        }
        let delta = &choice["delta"];
        self.text.push_str(delta["content"].as_str().unwrap_or_default());
        self.text.push_str(delta["refusal"].as_str().unwrap_or_default());
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            self.tool(call);
        }
    }

    fn tool(&mut self, call: &Value) {
        const MAX_TOOL_CALLS: usize = 300;
        let index = call["index"].as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or(0);
        if index >= MAX_TOOL_CALLS {
            return;
        }
        if self.tools.len() <= index {
            self.tools.resize_with(index + 1, Tool::default);
        }
        let tool = &mut self.tools[index];
        tool.name.push_str(call["function"]["name"].as_str().unwrap_or_default());
        tool.arguments.push_str(call["function"]["arguments"].as_str().unwrap_or_default());
    }

    /// The reply for the log; a stream that was cut counts as one that reached its maximum.
    pub fn reply(self) -> Reply {
        let tool_calls: Vec<ToolCall> = self
            .tools
            .into_iter()
            .filter(|tool| !tool.name.is_empty())
            .map(|tool| {
                let arguments = serde_json::from_str(&tool.arguments).unwrap_or(Value::String(tool.arguments));
                ToolCall { name: tool.name, arguments }
            })
            .collect();
        Reply {
            reply: Some(self.text),
            tool_calls: (!tool_calls.is_empty()).then_some(tool_calls),
            finish_reason: if self.complete { self.finish } else { Some("length".to_owned()) },
            usage: self.usage,
        }
    }

    /// Whether any byte of a reply came.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.tools.is_empty()
    }
}
