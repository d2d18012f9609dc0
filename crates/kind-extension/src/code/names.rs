//! Names that no declaration binds: what they are (the table of ifc-extension.md §6.2).

use holdpoint_js::tree::ast::{Expression, IdentifierReference};
use holdpoint_js::tree::operator::UnaryOperator;
use holdpoint_js::tree::{AstKind, NodeId};
use holdpoint_js::{MAX_FOLD_HOPS, Module};

/// Built-ins that code may read.
const ALLOWED: [&str; 48] = [
    "AggregateError",
    "Array",
    "ArrayBuffer",
    "BigInt",
    "BigInt64Array",
    "BigUint64Array",
    "Boolean",
    "DataView",
    "Date",
    "Error",
    "Float32Array",
    "Float64Array",
    "Infinity",
    "Int16Array",
    "Int32Array",
    "Int8Array",
    "JSON",
    "Map",
    "Math",
    "NaN",
    "Number",
    "Object",
    "Promise",
    "RangeError",
    "ReferenceError",
    "RegExp",
    "Set",
    "String",
    "Symbol",
    "SyntaxError",
    "TypeError",
    "URIError",
    "Uint16Array",
    "Uint32Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "WeakMap",
    "WeakSet",
    "console",
    "decodeURI",
    "decodeURIComponent",
    "encodeURI",
    "encodeURIComponent",
    "isFinite",
    "isNaN",
    "parseFloat",
    "parseInt",
    "undefined",
];

/// Names that reach out of the sandbox where a host has them.
const FORBIDDEN: [&str; 48] = [
    "Atomics",
    "Buffer",
    "Bun",
    "Deno",
    "EventSource",
    "FinalizationRegistry",
    "Intl",
    "Proxy",
    "Reflect",
    "SharedArrayBuffer",
    "WeakRef",
    "WebAssembly",
    "WebSocket",
    "Worker",
    "XMLHttpRequest",
    "alert",
    "caches",
    "clearInterval",
    "clearTimeout",
    "confirm",
    "crypto",
    "document",
    "exports",
    "fetch",
    "frames",
    "global",
    "globalThis",
    "importScripts",
    "indexedDB",
    "localStorage",
    "location",
    "module",
    "navigator",
    "parent",
    "performance",
    "postMessage",
    "process",
    "prompt",
    "queueMicrotask",
    "requestAnimationFrame",
    "require",
    "self",
    "sessionStorage",
    "setImmediate",
    "setInterval",
    "setTimeout",
    "top",
    "window",
];

const EVALUATING: [&str; 2] = ["eval", "Function"];

/// What an unresolved name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameVerdict {
    Allowed,
    /// Only its type is asked for, or it is the arguments of a function.
    Harmless,
    Evaluating,
    /// Reaches out of the sandbox.
    Forbidden,
    Unknown,
}

/// The names of a module that nothing in it declares, each with its verdict.
pub fn unresolved<'m, 'a>(
    module: &'m Module<'a>,
) -> impl Iterator<Item = (NodeId, &'a IdentifierReference<'a>, NameVerdict)> + 'm {
    module.unresolved().map(|(node, name)| (node, name, verdict(module, node, &name.name)))
}

fn verdict(module: &Module, node: NodeId, name: &str) -> NameVerdict {
    let asked = matches!(module.kind(module.parent(node)),
        AstKind::UnaryExpression(unary) if unary.operator == UnaryOperator::Typeof);
    let own_arguments =
        || name == "arguments" && module.ancestors(node).any(|kind| matches!(kind, AstKind::Function(_)));
    if asked || own_arguments() {
        NameVerdict::Harmless
    } else if ALLOWED.contains(&name) {
        NameVerdict::Allowed
    } else if EVALUATING.contains(&name) {
        NameVerdict::Evaluating
    } else if FORBIDDEN.contains(&name) {
        NameVerdict::Forbidden
    } else {
        NameVerdict::Unknown
    }
}

/// Names that may be read, for hints.
pub fn allowed() -> &'static [&'static str] {
    &ALLOWED
}

/// Whether an expression is an allowed built-in, or an alias of one.
pub fn is_builtin<'a>(module: &Module<'a>, expression: &'a Expression<'a>) -> bool {
    let mut expression = expression;
    for _ in 0..MAX_FOLD_HOPS {
        match expression {
            Expression::Identifier(name) => match module.symbol(name) {
                None => return ALLOWED.contains(&name.name.as_str()),
                Some(symbol) => match module.bound_once(symbol) {
                    Some(value) => expression = value,
                    None => return false,
                },
            },
            Expression::SequenceExpression(sequence) => match sequence.expressions.last() {
                Some(last) => expression = last,
                None => return false,
            },
            _ => return false,
        }
    }
    false
}
