//! One call in a realm: its arguments, its start, how it settles, what it leaves (spec: ifc-sdk.md §1, §6).
//!
//! Owns [`Opened`], a realm between calls. Invariant: while a call runs, the realm's host is that call's, and none
//! before or after it, so no SDK function ever acts for another call.

use std::{cell::RefCell, rc::Rc};

use boa_engine::{
    Context, JsResult, JsString, JsValue, Module,
    builtins::promise::PromiseState,
    object::{
        JsObject,
        builtins::{JsArray, JsPromise},
    },
    property::{PropertyDescriptor, PropertyKey},
};
use holdpoint_check::args;
use holdpoint_model::Model;
use holdpoint_sdk::{
    capability::{covering, parse},
    codes::{NEVER_SETTLED, NO_HANDLE, RESULT_NOT_JSON},
    hosted::hosted,
    run::{Effects, EntryKind, Failure, Outcome, Program},
};
use serde_json::{Value, json};

use crate::{
    ctx,
    entity::{self, Entities},
    entry, failure,
    host::{Captured, Host},
    json::{self, NotJson},
    realm::{self, Hooks, Loader},
    requests::NetworkReply,
};

/// The event that is about what is selected.
const SELECTION: &str = "onSelectionChange";

/// What `ctx.onDispose` was given, in that order.
#[derive(Debug, Default)]
pub(crate) struct Disposers(pub(crate) RefCell<Vec<JsObject>>);

/// How far a call has come.
pub(crate) enum Stage {
    /// Its module runs; then the entry function is called with these arguments.
    Loads { module: Module, evaluated: JsPromise, args: JsValue },
    /// Its entry function answered this.
    Runs(JsPromise),
}

/// What a call came to for now.
pub(crate) enum Progress {
    Ended(Value),
    /// Requests are open, and nothing else is left to do.
    Waits(Stage),
}

/// A realm with its engine.
pub(crate) struct Opened {
    context: Context,
    hooks: Rc<Hooks>,
    captured: Captured,
}

impl Opened {
    /// A fresh realm for the modules of a program.
    pub(crate) fn new(program: &Program) -> Result<Self, Failure> {
        Self::build(program).map_err(|error| failure::threw(error.to_string()))
    }

    fn build(program: &Program) -> JsResult<Self> {
        let hooks = Rc::new(Hooks::default());
        let mut context = realm::fresh(program, &hooks)?;
        context.insert_data(Disposers::default());
        let prototype = context.intrinsics().constructors().error().prototype();
        let stack = prototype.borrow().properties().get(&PropertyKey::from(JsString::from("stack")));
        let stack = stack.and_then(|property| property.get().and_then(JsValue::as_function));
        let captured = Captured { entities: Rc::new(Entities::new(&context)), stack };
        let console = ctx::console(&mut context)?;
        let property =
            PropertyDescriptor::builder().value(console).writable(false).enumerable(false).configurable(false);
        context.global_object().insert_property(JsString::from("console"), property);
        Ok(Self { context, hooks, captured })
    }

    /// Calls the entry function of the host's program.
    pub(crate) fn call(&mut self, host: &Rc<Host>) -> Result<Progress, Failure> {
        self.during(host, |opened| {
            let stage = opened.begin(host)?;
            opened.go_on(stage, host)
        })
    }

    /// Goes on with a call that waited.
    pub(crate) fn resume(
        &mut self,
        stage: Stage,
        replies: &[NetworkReply],
        host: &Rc<Host>,
    ) -> Result<Progress, Failure> {
        self.during(host, |opened| {
            let settled = host.requests.settle(replies, host, &mut opened.context);
            opened.told(settled)?;
            opened.go_on(stage, host)
        })
    }

    /// A whole call, whose requests nobody sends.
    pub(crate) fn run(&mut self, host: &Rc<Host>) -> Result<Value, Failure> {
        match self.call(host)? {
            Progress::Ended(value) => Ok(value),
            Progress::Waits(_) => Err(failure::of_code(&NEVER_SETTLED, args! {})),
        }
    }

    /// Runs what `ctx.onDispose` was given, last first. What throws is logged; a passed limit ends it all.
    pub(crate) fn dispose(&mut self, host: &Rc<Host>) -> Result<Progress, Failure> {
        self.during(host, |opened| {
            for callback in opened.disposers().into_iter().rev() {
                let called = callback.call(&JsValue::undefined(), &[], &mut opened.context);
                let ran = called.and_then(|_| opened.context.run_jobs());
                opened.log_rejections(None, host);
                if let Err(error) = ran {
                    let failure = failure::of(&error, &mut opened.context);
                    if error.as_engine().is_some() {
                        return Err(failure);
                    }
                    log(&failure, "onDispose", host);
                }
            }
            Ok(Progress::Ended(Value::Null))
        })
    }

    /// Hangs the host of a call on the realm and takes it away again.
    fn during(
        &mut self,
        host: &Rc<Host>,
        work: impl FnOnce(&mut Self) -> Result<Progress, Failure>,
    ) -> Result<Progress, Failure> {
        *host.captured.borrow_mut() = Some(self.captured.clone());
        self.context.insert_data(host.clone());
        let done = work(self);
        self.context.remove_data::<Rc<Host>>();
        host.captured.take();
        // What is rejected while a call waits may find its handler when that goes on.
        if !matches!(done, Ok(Progress::Waits(_))) {
            self.hooks.take_rejected();
        }
        done
    }

    fn disposers(&self) -> Vec<JsObject> {
        self.context.get_data::<Disposers>().map(|disposers| disposers.0.take()).unwrap_or_default()
    }

    fn begin(&mut self, host: &Host) -> Result<Stage, Failure> {
        let program = &host.program;
        let begun = arguments(program, host, &mut self.context)
            .and_then(|args| Ok((args, entry::load(&program.entry, &mut self.context)?)));
        let (args, (module, evaluated)) = self.told(begun)?;
        Ok(Stage::Loads { module, evaluated, args })
    }

    fn go_on(&mut self, stage: Stage, host: &Host) -> Result<Progress, Failure> {
        let program = &host.program;
        let promise = match stage {
            Stage::Loads { module, evaluated, args } => {
                if self.awaited(&evaluated, host)?.is_none() {
                    return Ok(Progress::Waits(Stage::Loads { module, evaluated, args }));
                }
                let called = entry::call(&module, &program.entry, args, 0, &mut self.context);
                // A promise is awaited as it is, so that nobody's `then` is asked.
                let called = called.and_then(|value| match value.as_object().map(JsPromise::from_object) {
                    Some(Ok(promise)) => Ok(promise),
                    _ => JsPromise::resolve(value, &mut self.context),
                });
                self.told(called)?
            }
            Stage::Runs(promise) => promise,
        };
        let Some(value) = self.awaited(&promise, host)? else { return Ok(Progress::Waits(Stage::Runs(promise))) };
        let done =
            if program.kind == EntryKind::Fixture { built(&value, host) } else { result(&value, &mut self.context) };
        done.map(Progress::Ended)
    }

    fn told<T>(&mut self, result: JsResult<T>) -> Result<T, Failure> {
        result.map_err(|error| failure::of(&error, &mut self.context))
    }

    /// Runs the jobs that there are; then the promise has settled, waits for requests, or never will. `None`: it waits.
    /// A call has not ended while a request of it is open, awaited or not, unless it failed.
    fn awaited(&mut self, promise: &JsPromise, host: &Host) -> Result<Option<JsValue>, Failure> {
        let jobs = self.context.run_jobs();
        if jobs.is_ok() && host.requests.are_open() && !matches!(promise.state(), PromiseState::Rejected(_)) {
            return Ok(None);
        }
        self.log_rejections(Some(&JsObject::from(promise.clone())), host);
        self.told(jobs)?;
        match promise.state() {
            PromiseState::Pending => Err(failure::of_code(&NEVER_SETTLED, args! {})),
            PromiseState::Rejected(reason) => Err(failure::of_value(&reason, None, &mut self.context)),
            PromiseState::Fulfilled(value) => Ok(Some(value)),
        }
    }

    /// Rejections that nobody handles, but for the call's own.
    fn log_rejections(&mut self, own: Option<&JsObject>, host: &Host) {
        for rejected in self.hooks.take_rejected() {
            let rejected: JsObject = rejected.upcast();
            if own.is_some_and(|own| JsObject::equals(&rejected, own)) {
                continue;
            }
            let Ok(promise) = JsPromise::from_object(rejected) else { continue };
            if let PromiseState::Rejected(reason) = promise.state() {
                log(&failure::of_value(&reason, None, &mut self.context), "unhandled rejection", host);
            }
        }
    }
}

impl Drop for Opened {
    /// Breaks what ties the realm to itself, so that it is garbage.
    fn drop(&mut self) {
        self.disposers();
        self.hooks.take_rejected();
        if let Some(loader) = self.context.downcast_module_loader::<Loader>() {
            loader.forget();
        }
    }
}

fn log(failure: &Failure, what: &str, host: &Host) {
    let name = failure.name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    host.logs.borrow_mut().push("error", &format!("{what}: {name}{}", failure.message));
}

/// Exports leave only when the call did not fail; a passed limit leaves nothing (spec: ifc-sdk.md §3, §6.2).
pub(crate) fn outcome(result: Result<Value, Failure>, host: &Host) -> Outcome {
    let mut outcome = Outcome { logs: host.logs.borrow_mut().take(), ..Outcome::default() };
    outcome.effects = host.effects.take();
    // Whatever a call came to behind a passed limit is that limit.
    let result = host.meter.passed().map_or(result, |limit| Err(limit.failure()));
    let changed = host.working.end(host.keeps.get() && result.is_ok());
    match result {
        Ok(value) => {
            outcome.value = Some(value);
            outcome.effects.mutations = changed.mutations;
            if host.keeps.get() {
                outcome.effects.changes = changed.changes;
            }
            // A test judges the result; people get what their host makes of it.
            if host.program.seed.is_none() {
                outcome = hosted(outcome, host.program.kind, host.program.saved.as_ref());
            }
        }
        Err(failure) => {
            outcome.effects.exports.clear();
            if matches!(failure.code.as_str(), "STACK" | "MEMORY" | "TIMEOUT" | "FUEL") {
                exhaust(&mut outcome, failure, &host.program);
            } else {
                outcome.failure = Some(failure);
            }
        }
    }
    outcome
}

/// A passed limit leaves nothing of its call.
pub(crate) fn exhaust(outcome: &mut Outcome, failure: Failure, program: &Program) {
    outcome.value = None;
    outcome.failure = Some(failure);
    outcome.effects = Effects { storage: program.storage.clone(), ..Effects::default() };
}

/// The file of the handle that a fixture's builder answered.
fn built(value: &JsValue, host: &Host) -> Result<Value, Failure> {
    let created = value.as_number().and_then(|handle| host.creations.finish(handle));
    let created = created.ok_or_else(|| failure::of_code(&NO_HANDLE, args! {}))?;
    Ok(json!({"content": created.content}))
}

fn result(value: &JsValue, context: &mut Context) -> Result<Value, Failure> {
    match json::to_json(value, context) {
        Ok(value) => Ok(value.unwrap_or_default()),
        Err(NotJson::Because(why)) => Err(failure::of_code(&RESULT_NOT_JSON, args! { why })),
        Err(NotJson::Threw(error)) => Err(failure::of(&error, context)),
    }
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
        // What a trigger is told is no more than it could ask for.
        let selects = sees_selection(host);
        if let Some(model) = told_model(host, selects) {
            set("modelId", JsString::from(model.as_str()).into(), context)?;
        }
        if selects {
            set("selection", selected(host, context)?, context)?;
        }
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

/// The model that an event is about where the host does not say: for the selection that of its first element, else the
/// active one.
fn told_model(host: &Host, selects: bool) -> Option<String> {
    let event = host.program.args.as_ref().and_then(|args| args.get("event")?.as_str());
    let first = host.selection.borrow().first().map(|entity| entity.model_id.clone());
    let of_selection = first.filter(|_| selects && event == Some(SELECTION));
    of_selection.or_else(|| host.active().map(|model| model.id().to_owned()))
}

fn sees_selection(host: &Host) -> bool {
    parse("viewer.read").is_ok_and(|needed| covering(&host.grants, &needed).is_some())
}

/// The selection where it is not empty, else every element of the models.
fn entities(host: &Host, context: &mut Context) -> JsResult<JsValue> {
    if !host.selection.borrow().is_empty() {
        return selected(host, context);
    }
    let elements = |model: &Model| model.by_type(&["IfcElement"]).unwrap_or_default();
    let found = host.models().into_iter().map(|model| (model.clone(), elements(&model)));
    Ok(entity::list(found, host, context))
}

/// The selected entities, in selection order.
pub(crate) fn selected(host: &Host, context: &mut Context) -> JsResult<JsValue> {
    let selection = host.selection.borrow();
    let shown = selection.iter().filter_map(|one| Some((host.model(&one.model_id)?, one.express_id)));
    let objects: Vec<JsValue> = shown.map(|(model, id)| entity::or_null(Some(id), &model, host, context)).collect();
    let there = objects.into_iter().filter(|entity| !entity.is_null());
    Ok(JsArray::from_iter(there.collect::<Vec<_>>(), context).into())
}
