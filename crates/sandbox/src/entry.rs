//! Finds and calls an entry function (spec: ifc-sdk.md §1, ifc-extension.md §6.1).

use boa_engine::{
    Context, JsObject, JsResult, JsString, JsValue, Module, NativeFunction,
    object::{FunctionObjectBuilder, builtins::JsPromise},
};
use holdpoint_check::{Sentence, args};
use holdpoint_sdk::{
    codes::NO_FUNCTION,
    run::{Entry, EntryKind},
};

use crate::{
    ctx,
    error::type_error,
    host::Host,
    realm::Loader,
};

/// Loads the module, evaluates it, and calls its entry function with a fresh `ctx` and `args`. The promise settles as
/// the function's result does.
pub(crate) fn start(entry: &Entry, args: JsValue, depth: usize, context: &mut Context) -> JsResult<JsPromise> {
    let loader = context.downcast_module_loader::<Loader>().expect("every context of the sandbox has its loader");
    let module = loader.module(&entry.module, context)?;
    let evaluated = module.load_link_evaluate(context);
    let captures = (module, entry.module.clone(), entry.function.clone(), args, depth);
    let call = NativeFunction::from_copy_closure_with_captures(
        |_, _, (module, path, function, args, depth), context| {
            let function = find(module, path, function, context)?;
            let meta = Host::of(context).program.meta.clone();
            let ctx = ctx::build(&meta, *depth, context)?;
            let host = Host::of(context);
            let given = if host.program.kind == EntryKind::Fixture {
                let bim = ctx.get(JsString::from("bim"), context)?.to_object(context)?;
                vec![bim.get(JsString::from("create"), context)?]
            } else {
                vec![ctx.into(), args.clone()]
            };
            let before = host.depth.replace(*depth);
            let answer = function.call(&JsValue::undefined(), &given, context);
            host.depth.set(before);
            answer
        },
        captures,
    );
    let call = FunctionObjectBuilder::new(context.realm(), call).build();
    evaluated.then(Some(call), None, context)
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
