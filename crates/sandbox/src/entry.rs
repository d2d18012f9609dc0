//! Finds and calls an entry function (spec: ifc-sdk.md §1, ifc-extension.md §6.1).

use boa_engine::{
    Context, JsObject, JsResult, JsString, JsSymbol, JsValue, Module, NativeFunction,
    object::{
        FunctionObjectBuilder,
        builtins::{JsFunction, JsPromise},
    },
    property::PropertyDescriptor,
};
use holdpoint_check::{Sentence, args};
use holdpoint_sdk::{
    codes::NO_FUNCTION,
    run::{Entry, EntryKind},
};

use crate::{ctx, error::type_error, host::Host, realm::Loader};

/// Loads the module and evaluates it; the promise settles when it has run.
pub(crate) fn load(entry: &Entry, context: &mut Context) -> JsResult<(Module, JsPromise)> {
    let loader = context.downcast_module_loader::<Loader>().expect("every context of the sandbox has its loader");
    let module = loader.module(&entry.module, context)?;
    let evaluated = module.load_link_evaluate(context);
    Ok((module, evaluated))
}

/// Calls the entry function of a module that has run, with a fresh `ctx` and `args`.
pub(crate) fn call(
    module: &Module,
    entry: &Entry,
    args: JsValue,
    depth: usize,
    context: &mut Context,
) -> JsResult<JsValue> {
    let function = find(module, &entry.module, &entry.function, context)?;
    let host = Host::of(context);
    let ctx = ctx::build(&host.program.meta, depth, context)?;
    let given = if host.program.kind == EntryKind::Fixture {
        let bim = ctx.get(JsString::from("bim"), context)?.to_object(context)?;
        vec![bim.get(JsString::from("create"), context)?]
    } else {
        vec![ctx.into(), args]
    };
    let before = host.depth.replace(depth);
    let answer = function.call(&JsValue::undefined(), &given, context);
    host.depth.set(before);
    answer
}

/// Loads the module and calls its entry function. The promise settles as the function's result does.
pub(crate) fn start(entry: &Entry, args: JsValue, depth: usize, context: &mut Context) -> JsResult<JsPromise> {
    let (module, evaluated) = load(entry, context)?;
    let captures = (module, entry.module.clone(), entry.function.clone(), args, depth);
    let called = NativeFunction::from_copy_closure_with_captures(
        |_, _, (module, path, function, args, depth), context| {
            let entry = Entry { module: path.clone(), function: function.clone() };
            call(module, &entry, args.clone(), *depth, context)
        },
        captures,
    );
    let called = FunctionObjectBuilder::new(context.realm(), called).build();
    after(&evaluated, called, context)
}

/// What follows a promise of ours, whatever extension code made of `Promise` and its species.
pub(crate) fn after(promise: &JsPromise, then: JsFunction, context: &mut Context) -> JsResult<JsPromise> {
    let own = context.intrinsics().constructors().promise().constructor();
    let hidden = |value: JsValue| {
        PropertyDescriptor::builder().value(value).writable(false).enumerable(false).configurable(true)
    };
    let species = JsObject::with_null_proto();
    species.insert_property(JsSymbol::species(), hidden(own.into()));
    promise.insert_property(JsString::from("constructor"), hidden(species.into()));
    promise.then(Some(then), None, context)
}

/// The default export if it is a function, else the top-level function of that name, exported or not.
fn find(module: &Module, path: &str, function: &str, context: &mut Context) -> JsResult<JsObject> {
    let namespace = module.namespace(context);
    let reachable = format!("{}_{function}", Host::of(context).program.metering.prefix);
    for name in ["default", &reachable, function] {
        if let Some(function) = namespace.get(JsString::from(name), context)?.as_callable() {
            return Ok(function);
        }
    }
    Err(type_error(Sentence::of(&NO_FUNCTION, args! { path, function }), context))
}
