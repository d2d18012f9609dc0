//! One sandbox: the loaded models, and calls one after the other, each in a fresh realm.

use std::rc::Rc;

use boa_engine::{
    Context, JsResult, JsString, JsValue,
    builtins::promise::PromiseState,
    gc::force_collect,
    object::{JsObject, builtins::JsArray},
    property::{PropertyDescriptor, PropertyKey},
};
use holdpoint_model::{Model, ModelInfo, ModelInvalid};
use holdpoint_sdk::run::{Effects, EntryKind, Failure, ModelFile, Outcome, Program, Usage};
use serde_json::Value;

use crate::{
    budget::{Budget, MAX_CALL_DEPTH},
    ctx, entity, entry, failure,
    heap::{Heap, peak_above},
    host::{Captured, Host},
    json::{self, NotJson},
    realm::{self, Hooks, Loader},
};

/// What `ModelInfo.loadedAt` says in tests.
const TEST_LOADED_AT: &str = "2026-01-01T00:00:00.000Z";

/// A file that is no model (spec: ifc-sdk.md §7.1).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {cause}")]
pub struct OpenError {
    /// The file.
    pub name: String,
    /// Where and why.
    #[source]
    pub cause: ModelInvalid,
}

impl OpenError {
    /// The stable code.
    pub const CODE: &'static str = ModelInvalid::CODE;
}

/// Loaded models and the calls that run on them.
pub struct Sandbox {
    models: Rc<Vec<Model>>,
    loaded_at: String,
}

impl Sandbox {
    /// A sandbox on models that are loaded already; `loaded_at` is ISO 8601, the host's clock.
    pub fn new(models: Vec<Model>, loaded_at: impl Into<String>) -> Self {
        Self { models: Rc::new(models), loaded_at: loaded_at.into() }
    }

    /// Reads one more file, last in load order; its id is `model-N`.
    pub fn open(&mut self, file: ModelFile) -> Result<ModelInfo, OpenError> {
        let ModelFile { name, bytes } = file;
        let model = Model::open(bytes, &name).map_err(|cause| OpenError { name, cause })?;
        let model = model.with_id(format!("model-{}", self.models.len() + 1));
        let info = model.info(&self.loaded_at);
        Rc::get_mut(&mut self.models).expect("only a running call shares the models").push(model);
        Ok(info)
    }

    /// The loaded models.
    pub fn models(&self) -> Vec<ModelInfo> {
        self.models.iter().map(|model| model.info(&self.loaded_at)).collect()
    }

    /// Runs one call in a fresh realm. Endless code does not return: the host ends the process or Worker. Where
    /// `holdpoint_heap::Counting` is installed, a call that passes its heap ends the process or Worker too.
    pub fn run(&self, program: &Program) -> Outcome {
        let mut outcome = self.measured(program, MAX_CALL_DEPTH);
        let unsettled = outcome.failure.as_ref().is_some_and(|failure| failure.code == "NEVER_SETTLED");
        if unsettled && self.is_lost_in_depth(program, &outcome) {
            outcome.failure = Some(failure::stack());
            outcome.effects = Effects { storage: program.storage.clone(), ..Effects::default() };
        }
        outcome
    }

    /// The engine forgets an error that cannot be caught when it happens behind an `await`: the promise then waits for
    /// ever. A second run with more frames tells the two apart: only endless recursion takes more memory then.
    fn is_lost_in_depth(&self, program: &Program, first: &Outcome) -> bool {
        const MORE: usize = 50 * MAX_CALL_DEPTH;
        const BYTES_OF_MORE: u64 = 1024 * 1024;
        let second = self.measured(program, MORE);
        let settled = second.failure.as_ref().is_none_or(|failure| failure.code != "NEVER_SETTLED");
        settled || second.usage.peak_bytes > first.usage.peak_bytes + BYTES_OF_MORE
    }

    fn measured(&self, program: &Program, depth: usize) -> Outcome {
        let base = holdpoint_heap::live();
        let mut outcome = self.call(program, depth);
        // What the realm held is garbage now; the next call begins with a clean heap.
        force_collect();
        outcome.usage = Usage { fuel: 0, peak_bytes: peak_above(base) };
        outcome
    }

    fn call(&self, program: &Program, depth: usize) -> Outcome {
        let budget = Budget::of(program.profile);
        let loaded_at = if program.seed.is_some() { TEST_LOADED_AT } else { &self.loaded_at };
        let heap = Heap::begin(budget);
        let host =
            Rc::new(Host::new(self.models.clone(), Rc::new(program.clone()), loaded_at.to_owned(), heap.watch()));
        let hooks = Rc::new(Hooks::new(heap.watch()));
        let result = match realm::fresh(program, &hooks, depth) {
            Ok(mut context) => {
                context.insert_data(host.clone());
                let result = settle(program, &host, &hooks, &mut context);
                host.captured.take();
                hooks.take_rejected();
                if let Some(loader) = context.downcast_module_loader::<Loader>() {
                    loader.forget();
                }
                result
            }
            Err(error) => Err(failure::plain("THREW", error.to_string())),
        };
        outcome(result, &host)
    }
}

/// Exports leave only when the call did not fail; a passed limit leaves nothing (spec: ifc-sdk.md §3, §6.2).
fn outcome(result: Result<Value, Failure>, host: &Host) -> Outcome {
    let mut outcome = Outcome { logs: host.logs.borrow_mut().take(), ..Outcome::default() };
    outcome.effects = host.effects.take();
    match result {
        Ok(value) => outcome.value = Some(value),
        Err(failure) => {
            outcome.effects.exports.clear();
            if matches!(failure.code.as_str(), "STACK" | "MEMORY" | "TIMEOUT") {
                outcome.effects = Effects { storage: host.program.storage.clone(), ..Effects::default() };
            }
            outcome.failure = Some(failure);
        }
    }
    outcome
}

fn settle(program: &Program, host: &Host, hooks: &Hooks, context: &mut Context) -> Result<Value, Failure> {
    let promise = match begin(program, host, context) {
        Ok(promise) => promise,
        Err(error) => return Err(failure::of(&error, context)),
    };
    let jobs = context.run_jobs();
    let own = JsObject::from(promise.clone());
    for rejected in hooks.take_rejected() {
        let rejected = rejected.upcast();
        if !JsObject::equals(&rejected, &own) {
            log_rejection(rejected, host, context);
        }
    }
    if let Err(error) = jobs {
        return Err(failure::of(&error, context));
    }
    match promise.state() {
        PromiseState::Pending => {
            let message = "The promise can no longer settle: nothing is left that could resolve it. \
                           Resolve it on every path, or do not wait for it.";
            Err(failure::plain("NEVER_SETTLED", message))
        }
        PromiseState::Rejected(reason) => Err(failure::of_value(&reason, None, context)),
        PromiseState::Fulfilled(value) => result(&value, context),
    }
}

fn result(value: &JsValue, context: &mut Context) -> Result<Value, Failure> {
    match json::to_json(value, context) {
        Ok(value) => Ok(value.unwrap_or_default()),
        Err(NotJson::Because(why)) => {
            Err(failure::plain("RESULT_NOT_JSON", format!("The result must be JSON, but {why}.")))
        }
        Err(NotJson::Threw(error)) => Err(failure::of(&error, context)),
    }
}

fn begin(program: &Program, host: &Host, context: &mut Context) -> JsResult<boa_engine::object::builtins::JsPromise> {
    let prototype = context.intrinsics().constructors().error().prototype();
    let stack = prototype.borrow().properties().get(&PropertyKey::from(JsString::from("stack")));
    let stack = stack.and_then(|property| property.get().and_then(JsValue::as_function));
    *host.captured.borrow_mut() = Some(Captured { entity: entity::prototype(context), stack });
    let console = ctx::console(context)?;
    let property = PropertyDescriptor::builder().value(console).writable(false).enumerable(false).configurable(false);
    context.global_object().insert_property(JsString::from("console"), property);
    let args = arguments(program, host, context)?;
    entry::start(&program.entry, args, 0, context)
}

/// The second parameter, by the sort of entry function (spec: ifc-sdk.md §1).
fn arguments(program: &Program, host: &Host, context: &mut Context) -> JsResult<JsValue> {
    let given = match &program.args {
        Some(args) => json::from_json(args, context)?,
        None => JsValue::undefined(),
    };
    if program.kind == EntryKind::Command {
        return Ok(given);
    }
    let object = JsObject::with_object_proto(context.intrinsics());
    let set = |name: &str, value: JsValue, context: &mut Context| {
        object.create_data_property_or_throw(JsString::from(name), value, context)
    };
    if program.kind == EntryKind::Trigger {
        if let Some(model) = host.models.first() {
            set("modelId", JsString::from(model.id()).into(), context)?;
        }
        set("selection", selected(host, context)?, context)?;
        for (name, value) in program.args.as_ref().and_then(Value::as_object).into_iter().flatten() {
            let value = json::from_json(value, context)?;
            set(name, value, context)?;
        }
        return Ok(object.into());
    }
    set("entities", entities(host, context)?, context)?;
    if program.kind == EntryKind::Exporter {
        set("options", given, context)?;
    }
    Ok(object.into())
}

/// The selection where it is not empty, else every element of the models.
fn entities(host: &Host, context: &mut Context) -> JsResult<JsValue> {
    if !host.selection.borrow().is_empty() {
        return selected(host, context);
    }
    let mut all = Vec::new();
    for model in host.models.iter() {
        all.extend(model.by_type(&["IfcElement"]).map(|ids| model.entities(&ids)).unwrap_or_default());
    }
    entity::list(&all, host, context)
}

/// The selected entities, in selection order.
pub(crate) fn selected(host: &Host, context: &mut Context) -> JsResult<JsValue> {
    let selection = host.selection.borrow().clone();
    let mut objects = Vec::with_capacity(selection.len());
    for reference in &selection {
        if let Some(found) = host.model(&reference.model_id).and_then(|model| model.entity(reference.express_id)) {
            objects.push(entity::object(&found, host, context)?);
        }
    }
    Ok(JsArray::from_iter(objects, context).into())
}

fn log_rejection(promise: JsObject, host: &Host, context: &mut Context) {
    let Ok(promise) = boa_engine::object::builtins::JsPromise::from_object(promise) else { return };
    if let PromiseState::Rejected(reason) = promise.state() {
        let failure = failure::of_value(&reason, None, context);
        let name = failure.name.map(|name| format!("{name}: ")).unwrap_or_default();
        host.logs.borrow_mut().push("error", &format!("unhandled rejection: {name}{}", failure.message));
    }
}
