//! Names that nothing binds, and calls that do not fit what they call (spec: script-tool.md §2).
//!
//! Promise: what is found is wrong in each run that comes there. So a name is known as soon as any scope around it binds
//! it anywhere, and a call is compared only where its name is bound once, by a `def` or a class that nothing decorates.

use std::collections::HashSet;

use ruff_python_ast::{Arguments, ExceptHandler, Expr, Stmt, StmtClassDef, StmtTry};
use ruff_text_size::{Ranged, TextRange};

use super::context::{Context, Takes};

/// Faults that one answer holds.
pub const MAX_FAULTS: usize = 100;

/// What is wrong with a name or a call.
#[derive(Debug)]
pub struct BadName<'t> {
    pub name: &'t str,
    pub range: TextRange,
    pub what: What<'t>,
    /// The name in the `def` or `class` that is called.
    pub definition: Option<TextRange>,
}

#[derive(Debug)]
pub enum What<'t> {
    /// Nothing in the module binds the name.
    Unbound,
    /// The call leaves out this parameter.
    Missing(&'t str),
    /// The call has a value by this name, which is no parameter.
    Unknown(&'t str),
    /// The call gives this parameter by place and by name.
    Twice(&'t str),
    /// The call gives more values by place than there are parameters.
    Surplus { takes: usize, given: usize },
}

/// The faults of a module, in the order of the walk; of a name that nothing binds the first alone.
pub fn faults<'t>(context: &Context<'t>) -> Vec<BadName<'t>> {
    let afar = context.bound_from_afar();
    // Whoever writes names as values may bind any.
    let is_open = context.takes_all_names() || context.reads.iter().any(|read| BINDS_ANY.contains(&read.name));
    let mut unbound = HashSet::new();
    let mut found = Vec::new();
    for read in &context.reads {
        let known = context.bound(read);
        let is_known = is_open || afar.contains(read.name) || BUILT_IN.contains(&read.name);
        if known.is_none() && !is_known && unbound.insert(read.name) {
            found.push(BadName { name: read.name, range: read.range, what: What::Unbound, definition: None });
        }
        let takes = known.filter(|name| name.bindings == 1 && !afar.contains(read.name)).and_then(|name| name.takes);
        if let (Some(call), Some(takes)) = (read.call, takes)
            && let Some((what, range)) = misfit(&takes, call)
        {
            let range = range.unwrap_or(read.range);
            found.push(BadName { name: read.name, range, what, definition: Some(takes.name) });
        }
        if found.len() >= MAX_FAULTS {
            break;
        }
    }
    found
}

/// The first thing in a call that does not fit, and its place where it has one.
pub fn misfit<'t>(takes: &Takes<'t>, call: &'t Arguments) -> Option<(What<'t>, Option<TextRange>)> {
    let parameters = takes.parameters;
    let places: Vec<_> = parameters
        .iter()
        .flat_map(|parameters| parameters.posonlyargs.iter().chain(&parameters.args))
        .skip(takes.skipped)
        .collect();
    let nameless = parameters.map_or(0, |parameters| parameters.posonlyargs.len()).saturating_sub(takes.skipped);
    let by_name = parameters.map_or(&[][..], |parameters| &parameters.kwonlyargs);
    let takes_more = parameters.is_some_and(|parameters| parameters.vararg.is_some());
    let takes_any_name = parameters.is_some_and(|parameters| parameters.kwarg.is_some());

    let given = call.args.iter().take_while(|value| !value.is_starred_expr()).count();
    let is_spread = given < call.args.len();
    if given > places.len() && !takes_more {
        let range = call.args.get(places.len()).map(Ranged::range);
        return Some((What::Surplus { takes: places.len(), given }, range));
    }
    let mut named = HashSet::new();
    let mut is_open = false;
    for keyword in &call.keywords {
        let Some(name) = &keyword.arg else {
            is_open = true;
            continue;
        };
        named.insert(name.as_str());
        let place = places.iter().position(|parameter| parameter.name().as_str() == name.as_str());
        match place.filter(|place| *place >= nameless) {
            Some(place) if place < given => return Some((What::Twice(name.as_str()), Some(name.range))),
            Some(_) => {}
            None if takes_any_name || by_name.iter().any(|parameter| parameter.name().as_str() == name.as_str()) => {}
            None => return Some((What::Unknown(name.as_str()), Some(name.range))),
        }
    }
    if is_open {
        return None;
    }
    let left = places.into_iter().enumerate().skip(given).filter(|_| !is_spread);
    let left = left.filter(|(place, parameter)| *place < nameless || !named.contains(parameter.name().as_str()));
    let unnamed = by_name.iter().filter(|parameter| !named.contains(parameter.name().as_str()));
    let mut missing = left.map(|(_, parameter)| parameter).chain(unnamed);
    let missing = missing.find(|parameter| parameter.default.is_none())?;
    Some((What::Missing(missing.name().as_str()), None))
}

/// What a call of a class takes, where the class alone says so.
pub fn taken_by(class: &StmtClassDef) -> Option<Takes<'_>> {
    let inherits = class.arguments.as_ref().is_some_and(|arguments| !arguments.is_empty());
    let mut inits = Vec::new();
    for statement in &class.body {
        match statement {
            Stmt::FunctionDef(def) if def.name.as_str() == "__init__" => inits.push(def),
            Stmt::FunctionDef(def) if def.name.as_str() == "__new__" => return None,
            Stmt::FunctionDef(_) | Stmt::AnnAssign(_) | Stmt::Pass(_) | Stmt::Expr(_) => {}
            Stmt::Assign(assign) if assign.targets.iter().all(|target| !is_constructor(target)) => {}
            _ => return None,
        }
    }
    if inherits || !class.decorator_list.is_empty() {
        return None;
    }
    let parameters = match inits.as_slice() {
        [] => None,
        [only] if only.decorator_list.is_empty() => Some(&*only.parameters),
        _ => return None,
    };
    Some(Takes { parameters, skipped: 1, name: class.name.range })
}

/// Whether an assignment in a class may set how it is called.
fn is_constructor(target: &Expr) -> bool {
    !matches!(target, Expr::Name(name) if name.id.as_str() != "__init__" && name.id.as_str() != "__new__")
}

/// Whether a `try` is written for names that may be missing.
pub fn are_asked_for(attempt: &StmtTry) -> bool {
    let is_named = |kind: &Expr| matches!(kind, Expr::Name(name) if name.id.as_str() == "NameError");
    attempt.handlers.iter().any(|ExceptHandler::ExceptHandler(handler)| match handler.type_.as_deref() {
        Some(Expr::Tuple(kinds)) => kinds.iter().any(is_named),
        Some(kind) => is_named(kind),
        None => false,
    })
}

/// Functions whose callers may bind names that stand nowhere in the text.
const BINDS_ANY: &[&str] = &["exec", "globals", "locals", "vars"];

/// Names that each module has (Python 3.11 to 3.14, `dir(builtins)` and the attributes of a module), sorted.
const BUILT_IN: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Ellipsis",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "False",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "None",
    "NotADirectoryError",
    "NotImplemented",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "PythonFinalizationError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "True",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "WindowsError",
    "ZeroDivisionError",
    "__annotate__",
    "__annotations__",
    "__build_class__",
    "__builtins__",
    "__cached__",
    "__class__",
    "__conditional_annotations__",
    "__debug__",
    "__dict__",
    "__doc__",
    "__file__",
    "__import__",
    "__loader__",
    "__module__",
    "__name__",
    "__package__",
    "__path__",
    "__qualname__",
    "__spec__",
    "abs",
    "aiter",
    "all",
    "anext",
    "any",
    "ascii",
    "bin",
    "bool",
    "breakpoint",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "classmethod",
    "compile",
    "complex",
    "copyright",
    "credits",
    "delattr",
    "dict",
    "dir",
    "divmod",
    "enumerate",
    "eval",
    "exec",
    "exit",
    "filter",
    "float",
    "format",
    "frozenset",
    "getattr",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "input",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "license",
    "list",
    "locals",
    "map",
    "max",
    "memoryview",
    "min",
    "next",
    "object",
    "oct",
    "open",
    "ord",
    "pow",
    "print",
    "property",
    "quit",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "tuple",
    "type",
    "vars",
    "zip",
];
