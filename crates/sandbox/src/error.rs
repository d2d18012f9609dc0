//! `SdkError`: what a refused call throws (spec: ifc-sdk.md §4).

use boa_engine::{
    Context, JsError, JsNativeError, JsObject, JsResult, JsString, JsValue, property::PropertyDescriptor,
};
use holdpoint_check::{Arg, Args, Code, Sentence, args, codes};
use serde_json::{Value, json};

codes! {
    /// an argument of the wrong kind: `details.expected` says what to give
    SDK_ARGUMENT / ARGUMENT: Error, "{call}: `{argument}` must be {expected}." [call, argument, expected];
    SDK_ARGUMENT / REACH: Error, "{call}: {fault}" [call, fault];
    // What an argument must be.
    SDK_ARGUMENT / TEXT: Error, "a text";
    SDK_ARGUMENT / NUMBER: Error, "a finite number";
    SDK_ARGUMENT / ENTITY: Error, "an entity or its `ref`";
    SDK_ARGUMENT / ENTITIES: Error, "a list of entities";
    SDK_ARGUMENT / FUNCTION: Error, "a function";
    SDK_ARGUMENT / JSON_VALUE: Error, "a JSON value";
    SDK_ARGUMENT / LEFT_OUT: Error, "left out: it takes {count} arguments" [count];
    SDK_ARGUMENT / NOT_JSON: Error, "JSON: {why}" [why];
    SDK_ARGUMENT / ROWS: Error, "rows of JSON; `{field}`: {why}" [field, why];
    SDK_ARGUMENT / CAPABILITY: Error, "a capability such as `model.read`";
    SDK_ARGUMENT / TONE: Error, "`{member}` with `info`, `warn`, `error` or `success`" [member];
    SDK_ARGUMENT / FIELDS: Error, "{member} with a list of fields" [member];
    SDK_ARGUMENT / ONE_CHARACTER: Error, "{member} with one character" [member];
    SDK_ARGUMENT / COLUMNS: Error, "{member} with field names or {column}" [member, column];
    SDK_ARGUMENT / NAMED: Error, "{member} with a text" [member];
    SDK_ARGUMENT / ENDING: Error, "{member} with the ending `.{ending}`" [member, ending];
    SDK_ARGUMENT / FILE_NAME: Error,
        "a file name of 1 to {limit} characters without path, control characters or device names" [limit];
    SDK_ARGUMENT / IFC_CLASS: Error,
        "an IFC class; `{name}` is none, the nearest is `{nearest}`" [name, nearest];
    SDK_ARGUMENT / BATCHES: Error, "a list of {batch}" [batch];
    SDK_ARGUMENT / BATCHES_OF_LISTS: Error, "a list of {batch} with lists of entities" [batch];
    SDK_ARGUMENT / BATCHES_OF_ENTITIES: Error, "a list of {batch} with entities only" [batch];
    SDK_ARGUMENT / COLOUR: Error, "a colour: `#rrggbb` or a basic CSS name such as `red`, `lime`, `teal`";
    SDK_ARGUMENT / MEMBER: Error, "an object whose `{member}` is {expected}" [member, expected];
    SDK_ARGUMENT / DEFINITION: Error, "an object {shape}" [shape];
    SDK_ARGUMENT / CAMERA: Error, "{shape} of three finite numbers each" [shape];
    SDK_ARGUMENT / PLANE: Error, "{axis} with `x`, `y` or `z`, or {free} of three finite numbers each" [axis, free];
    SDK_ARGUMENT / ONE_MODEL: Error, "entities of one model";
    SDK_ARGUMENT / CONTENT: Error, "the text of an IFC file; line {line}: {why}" [line, why];
    SDK_ARGUMENT / URL: Error, "a constant URL that begins with `https://` and names a host, without credentials";
    SDK_ARGUMENT / HTTP_METHOD: Error, "{member} with `GET` or `POST`" [member];
    SDK_ARGUMENT / HEADERS: Error, "{member} with names and texts" [member];
    SDK_ARGUMENT / FORBIDDEN_HEADER: Error, "without the header `{name}`, which the host alone sets" [name];
    SDK_ARGUMENT / REQUEST_BODY: Error, "{member} with a text, and only with `POST`" [member];
    SDK_ARGUMENT / TIMEOUT_MS: Error, "{member} with 1 to {limit} seconds, in milliseconds" [member, limit];
    /// over a limit of the call: `details.limit` says how much
    SDK_LIMIT / DEPTH: Error, "{call}: commands call each other at most {limit} deep." [call, limit];
    SDK_LIMIT / MESSAGE: Error, "{call}: a message has at most {limit} characters." [call, limit];
    SDK_LIMIT / MESSAGES: Error, "{call}: at most {limit} messages a call." [call, limit];
    SDK_LIMIT / VALUE: Error, "{call}: a value has at most {limit} KiB." [call, limit];
    SDK_LIMIT / STORAGE: Error, "{call}: storage holds at most {limit} MiB. Delete what is not needed." [call, limit];
    SDK_LIMIT / KEY: Error, "{call}: a key has at most {limit} characters." [call, limit];
    SDK_LIMIT / FILES: Error, "{call}: at most {limit} files a call." [call, limit];
    SDK_LIMIT / BYTES: Error, "{call}: at most {limit} MiB of files a call." [call, limit];
    SDK_LIMIT / HANDLES: Error, "{call}: at most {limit} files are written at once. End one with `toIfc`." [call, limit];
    SDK_LIMIT / MODELS: Error, "{call}: at most {limit} models are loaded." [call, limit];
    SDK_LIMIT / MODEL_SIZE: Error, "{call}: a model has at most {limit} MiB with its changes." [call, limit];
    SDK_LIMIT / NUMBERS: Error,
        "{call}: instance numbers end at {limit}, and none is left. Export the model with lower numbers." [call, limit];
    SDK_LIMIT / REQUESTS: Error, "{call}: at most {limit} requests." [call, limit];
    SDK_LIMIT / REQUESTS_A_MINUTE: Error,
        "{call}: at most {limit} requests a minute. Wait a minute, and ask for less at once." [call, limit];
    SDK_LIMIT / REQUEST_BYTES: Error, "{call}: a request has at most {limit} MiB." [call, limit];
    SDK_LIMIT / ANSWER_BYTES: Error, "{call}: an answer has at most {limit} MiB. Ask for a part of it." [call, limit];
    /// something that does not exist
    SDK_NOT_FOUND / MISSING: Error, "{call}: {what} does not exist." [call, what];
    SDK_NOT_FOUND / COMMAND: Error, "the command `{id}`" [id];
    SDK_NOT_FOUND / DOCK: Error, "the dock `{id}`" [id];
    SDK_NOT_FOUND / IN_MODEL: Error, "entity {id} of `{model}`" [id, model];
    SDK_NOT_FOUND / MODEL: Error, "the model `{id}`" [id];
    SDK_NOT_FOUND / HANDLE: Error, "the handle {id}" [id];
    SDK_NOT_FOUND / STOREY_OF_FILE: Error, "the storey {id}" [id];
    SDK_NOT_FOUND / WALL_OF_FILE: Error, "the wall {id}" [id];
    SDK_NOT_FOUND / ELEMENT_OF_FILE: Error, "the element {id} with a body" [id];
    SDK_NOT_FOUND / OBJECT_OF_FILE: Error, "an object {id} of that kind" [id];
    SDK_NOT_FOUND / PROFILE_OF_FILE: Error, "the profile {id}" [id];
    SDK_NOT_FOUND / METHOD: Error, "the method {id}" [id];
    /// a request without an answer
    NETWORK_FAILED / UNREACHABLE: Error,
        "{call}: {host} did not answer. Try again when the network is back; a host must also let other pages ask it \
         (CORS)." [call, host];
    NETWORK_FAILED / LATE: Error, "{call}: {host} did not answer in time. Try again later, or ask for less." [call, host];
    NETWORK_FAILED / REDIRECTED: Error,
        "{call}: {host} sends the request on, which is not followed. Ask the address that it sends to." [call, host];
    NETWORK_FAILED / CUT_OFF: Error, "{call}: the extension was ended before {host} answered." [call, host];
    /// a request of a preview, which nobody signed yet
    NETWORK_HELD: Error, "{call}: a preview sends nothing. {host} is asked once the extension is installed." [call, host];
    /// a request in a test that no stub answers
    NETWORK_NOT_STUBBED: Error, "{call}: no stub answers {method} {url}. Add one to `network` of the test." [call, method, url];
    /// a call that this host does not have
    SDK_UNAVAILABLE: Error, "{call} is not available in this version of the host. Do without it." [call];
    /// a call without its capability
    CAPABILITY_DENIED: Error,
        "{call} needs `{needed}`, which is not granted. Declare it, or do without." [call, needed];
}

/// A refusal, before it becomes a JavaScript object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SdkError {
    pub(crate) said: Sentence,
    pub(crate) details: Value,
}

/// The member of an error that holds the values of its sentence.
pub(crate) const ARGS: &str = "args";

impl SdkError {
    /// `SDK_ARGUMENT`: which argument, and what it should have been.
    pub(crate) fn argument(call: &str, argument: &str, expected: &dyn Arg) -> Self {
        let expected = expected.value();
        let said = Sentence::of(&ARGUMENT, args! { call, argument, expected });
        let expected = expected.get("message").unwrap_or(&expected);
        Self { said, details: json!({"call": call, "argument": argument, "expected": expected}) }
    }

    pub(crate) fn limit(call: &str, code: &'static Code, shown: usize, limit: usize) -> Self {
        Self { said: Sentence::of(code, args! { call, limit: shown }), details: json!({"call": call, "limit": limit}) }
    }

    pub(crate) fn not_found(call: &str, what: &Sentence) -> Self {
        let details = json!({"call": call, "what": what.message});
        Self { said: Sentence::of(&MISSING, args! { call, what }), details }
    }

    /// Another code, with what it says.
    pub(crate) fn plain(call: &str, code: &'static Code, values: Args<'_>) -> Self {
        Self { said: Sentence::of(code, values), details: json!({"call": call}) }
    }

    pub(crate) fn unavailable(call: &str) -> Self {
        let details = json!({"call": call, "host": "holdpoint"});
        Self { said: Sentence::of(&SDK_UNAVAILABLE, args! { call }), details }
    }

    /// The error object, with the place where it is made as its stack.
    pub(crate) fn into_js(self, context: &mut Context) -> JsError {
        match object(self, context) {
            Ok(object) => JsError::from_opaque(object.into()),
            Err(error) => error,
        }
    }
}

/// The `TypeError` of a sentence that the engine lets us say.
pub(crate) fn type_error(said: Sentence, context: &mut Context) -> JsError {
    let object = JsNativeError::typ().with_message(said.message.clone()).into_opaque(context);
    match told(&object, said, context) {
        Ok(()) => JsError::from_opaque(object.into()),
        Err(error) => error,
    }
}

fn object(error: SdkError, context: &mut Context) -> JsResult<JsObject> {
    let constructor = context.intrinsics().constructors().error().constructor();
    let object = constructor.construct(&[JsString::from(error.said.message.as_str()).into()], None, context)?;
    hidden(&object, "name", JsString::from("SdkError").into());
    hidden(&object, "code", JsString::from(error.said.code.as_ref()).into());
    let details = JsValue::from_json(&error.details, context)?;
    hidden(&object, "details", details);
    told(&object, error.said, context)?;
    Ok(object)
}

/// What the message is said from in other languages goes with the error, as [`ARGS`].
fn told(object: &JsObject, said: Sentence, context: &mut Context) -> JsResult<()> {
    let values = JsValue::from_json(&said.lent().into(), context)?;
    hidden(object, ARGS, values);
    Ok(())
}

fn hidden(object: &JsObject, name: &str, value: JsValue) {
    let property = PropertyDescriptor::builder().value(value).writable(true).enumerable(false).configurable(true);
    object.insert_property(JsString::from(name), property);
}
