//! The escape list (spec: ifc-sdk.md §6.5) without any static rule.

use holdpoint_sandbox::child::Runner;
use serde_json::json;

use crate::{Case, add, code, program, run, run_program, value};

pub const CASES: &[Case] = &[
    ("escapes::no_text_is_compiled", no_text_is_compiled),
    ("escapes::names_are_absent", names_are_absent),
    ("escapes::this_is_undefined", this_is_undefined),
    ("escapes::imports_stay_inside", imports_stay_inside),
    ("escapes::built_ins_of_the_sdk_are_captured", built_ins_of_the_sdk_are_captured),
    ("escapes::the_next_call_sees_clean_built_ins", the_next_call_sees_clean_built_ins),
    ("escapes::hostile_values_fail_the_call_only", hostile_values_fail_the_call_only),
    ("escapes::ctx_is_frozen", ctx_is_frozen),
    ("escapes::a_child_has_no_environment", a_child_has_no_environment),
];

/// `main` of this binary refuses to serve where there is one.
fn a_child_has_no_environment(runner: &mut Runner) {
    assert!(std::env::vars_os().next().is_some(), "the parent has one");
    let mut fresh = Runner::new().expect("this binary is known");
    assert_eq!(value(&mut fresh, "return 'served';", &[]), json!("served"));
    assert_eq!(value(runner, "return 'served';", &[]), json!("served"));
}

fn no_text_is_compiled(runner: &mut Runner) {
    let ways = [
        "(() => {}).constructor('return 1')()",
        "(function () {}).constructor('return 1')()",
        "(async () => {}).constructor('return 1')()",
        "(function* () {}).constructor('return 1')()",
        "(async function* () {}).constructor('return 1')()",
        "ctx.can.constructor('return 1')()",
        "[].map.constructor.apply(null, ['return 1'])",
        "[].map['con' + 'structor'].call(null, 'return 1')",
        "(() => { let C; ({ constructor: C } = () => {}); return new C('return 1'); })()",
        "(() => { const { constructor: C } = () => {}; return C('return 1')(); })()",
        "Object.getOwnPropertyDescriptor(Object.getPrototypeOf(() => {}), 'constructor').value('return 1')",
        "new (class extends (() => {}).constructor { constructor() { super('return 1'); } })()",
        "Object.getPrototypeOf(async () => {}).constructor('return 1')",
        "[].map.constructor.bind(null, 'return 1')()",
    ];
    for way in ways {
        let body = format!("try {{ {way}; return 'compiled'; }} catch (e) {{ return e.name; }}");
        assert_eq!(value(runner, &body, &[]), json!("EvalError"), "{way}");
    }
    for name in ["eval", "(0, eval)", "Function"] {
        let body = format!("try {{ {name}('1'); return 'ran'; }} catch (e) {{ return e.name; }}");
        assert_eq!(value(runner, &body, &[]), json!("ReferenceError"), "{name}");
    }
}

fn names_are_absent(runner: &mut Runner) {
    let names = "eval Function globalThis window self global Reflect Proxy WebAssembly SharedArrayBuffer Atomics WeakRef \
                 FinalizationRegistry Intl setTimeout setInterval queueMicrotask fetch XMLHttpRequest WebSocket Worker \
                 localStorage indexedDB crypto performance process require module Deno Bun importScripts navigator \
                 escape unescape Temporal structuredClone";
    for name in names.split_whitespace() {
        assert_eq!(value(runner, &format!("return typeof {name};"), &[]), json!("undefined"), "{name}");
    }
    let kept = "Object Array Map Set Promise JSON Math Date RegExp Symbol BigInt Error parseInt console Uint8Array";
    for name in kept.split_whitespace() {
        assert_ne!(value(runner, &format!("return typeof {name};"), &[]), json!("undefined"), "{name}");
    }
}

fn this_is_undefined(runner: &mut Runner) {
    let source =
        "const top = this; function f() { return this; } class A { constructor() { this.t = new.target === A; } }
        const loose = [].concat;
        export default () => [top === undefined, f() === undefined, (() => this)() === undefined,
            [1].map(function () { return this; })[0] === undefined, f.call(undefined) === undefined,
            new A().t, (() => { try { return (0, {}.valueOf)() === undefined; } catch { return true; } })(),
            (() => { try { return typeof (0, loose)(); } catch { return 'threw'; } })()];";
    let outcome = run_program(runner, &program(source, &[]));
    assert_eq!(outcome.value, Some(json!([true, true, true, true, true, true, true, "threw"])));
}

fn imports_stay_inside(runner: &mut Runner) {
    for specifier in [
        "https://example.org/a.js",
        "node:fs",
        "fs",
        "/etc/passwd",
        "../../x.js",
        "./none.js",
        "data:text/javascript,1",
    ] {
        let body = format!("try {{ await import('{specifier}'); return 'loaded'; }} catch (e) {{ return e.name; }}");
        assert_eq!(value(runner, &body, &[]), json!("TypeError"), "{specifier}");
        let outcome = run_program(runner, &program(&format!("import '{specifier}'; export default () => 1;"), &[]));
        assert_eq!(code(&outcome), "THREW", "{specifier}");
    }
    let mut inside =
        program("import { n } from './b.js'; export default async () => n + (await import('./c/d.js')).default;", &[]);
    add(&mut inside, "src/b.js", "export const n = 40;");
    add(&mut inside, "src/c/d.js", "export { m as default } from '../e.js';");
    add(&mut inside, "src/e.js", "export const m = 2;");
    let outcome = run_program(runner, &inside);
    assert_eq!(outcome.value, Some(json!(42)), "{:?}", outcome.failure);
}

fn built_ins_of_the_sdk_are_captured(runner: &mut Runner) {
    let body = "const steal = () => { throw new Error('stolen'); };
        Array.prototype[Symbol.iterator] = steal; Array.prototype.map = steal; Array.prototype.push = steal;
        Object.prototype.toJSON = undefined; Object.defineProperty(Object.prototype, 'name', { set: steal, configurable: true });
        JSON.stringify = steal; String.prototype.split = steal; Error.prototype.constructor = steal;
        const walls = ctx.bim.query.byType('IfcWall');
        await ctx.storage.set('a', 1);
        return [walls.length, ctx.bim.export.csv(walls, { columns: ['type'] }).length > 10];";
    let outcome = run(runner, body, &["model.read", "export.create:csv", "storage.local"]);
    assert_eq!(outcome.value, Some(json!([13, true])), "{:?}", outcome.failure);
}

fn the_next_call_sees_clean_built_ins(runner: &mut Runner) {
    value(runner, "Array.prototype.map = () => 'mine'; Math.max = () => -1; return 0;", &[]);
    assert_eq!(value(runner, "return [[1].map((x) => x), Math.max(1, 2)];", &[]), json!([[1], 2]));
}

fn hostile_values_fail_the_call_only(runner: &mut Runner) {
    let threw = [
        "return { get a() { throw new Error('no'); } };",
        "return { toJSON() { throw new Error('no'); } };",
        "return { then() { throw new Error('no'); } };",
        "throw { get message() { throw 1; } };",
        "ctx.notify({ toString() { throw 1; } });",
    ];
    for body in threw {
        assert_eq!(code(&run(runner, body, &[])), "THREW", "{body}");
    }
    let not_json = [
        "return () => 1;",
        "return Symbol('a');",
        "return 10n;",
        "return NaN;",
        "return [1 / 0];",
        "return new Map();",
        "return [new Set()];",
        "return new Uint8Array(2);",
        "const a = {}; a.a = a; return a;",
        "return new ArrayBuffer(2);",
        "return Array(25).fill('x'.repeat(200000));",
        "let a = 1; for (let i = 0; i < 101; i++) a = [a]; return a;",
    ];
    for body in not_json {
        assert_eq!(code(&run(runner, body, &[])), "RESULT_NOT_JSON", "{body}");
    }
    let fine = [
        ("return undefined;", json!(null)),
        ("return [undefined, { a: undefined, b: 1 }];", json!([null, {"b": 1}])),
        ("return new Date(0);", json!("1970-01-01T00:00:00.000Z")),
        ("return { toJSON() { return 7; } };", json!(7)),
        ("return [new Number(1), new String('a'), new Boolean(false)];", json!([1, "a", false])),
        ("return { then(resolve) { resolve(5); } };", json!(5)),
        ("return { [Symbol('a')]: 1, b: 2 };", json!({"b": 2})),
        ("return [1.5, -0, 1e21, 2 ** 53];", json!([1.5, 0, 1e21, 9_007_199_254_740_992.0_f64])),
    ];
    for (body, want) in fine {
        assert_eq!(value(runner, body, &[]), want, "{body}");
    }
}

fn ctx_is_frozen(runner: &mut Runner) {
    let body = "const all = [ctx, ctx.bim, ctx.bim.query, ctx.bim.query.all, ctx.log, ctx.meta, ctx.storage, ctx.can, console];
        try { ctx.extra = 1; return 'written'; } catch (e) { return [e.name, all.every((x) => Object.isFrozen(x))]; }";
    assert_eq!(value(runner, body, &[]), json!(["TypeError", true]));
}
