//! Budgets (spec: ifc-sdk.md §6.2): every place where code runs ends with the right code, and the next call works.

use holdpoint_sandbox::child::Runner;
use serde_json::json;

use crate::{Case, code, program, run, run_program, value};

pub const CASES: &[Case] = &[
    ("budgets::endless_code_runs_out_of_fuel", endless_code_runs_out_of_fuel),
    ("budgets::recursion_cannot_be_caught", recursion_cannot_be_caught),
    ("budgets::allocation_ends_with_memory", allocation_ends_with_memory),
    ("budgets::sized_built_ins_keep_their_meaning", sized_built_ins_keep_their_meaning),
    ("budgets::what_never_settles", what_never_settles),
    ("budgets::a_passed_limit_leaves_no_effect", a_passed_limit_leaves_no_effect),
    ("budgets::logs_are_limited", logs_are_limited),
    ("budgets::clock_and_randomness_repeat", clock_and_randomness_repeat),
];

fn after(runner: &mut Runner) {
    assert_eq!(value(runner, "return 1 + 1;", &[]), json!(2), "the next call");
}

fn endless_code_runs_out_of_fuel(runner: &mut Runner) {
    let module = "for (;;) {} export default () => 1;";
    assert_eq!(code(&run_program(runner, &program(module, &[]))), "FUEL", "module body");
    after(runner);
    let places = [
        "return { get a() { for (;;) {} } };",
        "return { toJSON() { for (;;) {} } };",
        "[3, 2, 1].sort(() => { for (;;) {} });",
        "await null; for (;;) {}",
        "const go = () => { Promise.resolve().then(go); }; go(); await new Promise(() => {});",
        "try { throw 1; } finally { for (;;) {} }",
    ];
    for body in places {
        assert_eq!(code(&run(runner, body, &[])), "FUEL", "{body}");
        after(runner);
    }
}

fn recursion_cannot_be_caught(runner: &mut Runner) {
    let f = "const f = (n) => f(n + 1) + 1;";
    let places = [
        "return f(0);",
        "try { f(0); } catch { return 'caught'; }",
        "try { f(0); } finally { return 'finally'; }",
        "await null; f(0);",
        "await Promise.resolve().then(() => f(0)).catch(() => 'caught');",
        "[2, 1].sort(() => f(0));",
        "return { get a() { return f(0); } };",
        "return { toJSON() { return f(0); } };",
        "new Promise(() => f(0)).catch(() => 0); return 'caught';",
        "const g = (n) => [n].map(g); g(0);",
        "const o = { get a() { return this.a; } }; return o.a;",
        "const s = () => ({ toString() { return '' + s(); } }); return '' + s();",
        "class A { constructor() { new A(); } } new A();",
        "function* g() { yield* g(); } for (const x of g()) {}",
        "const a = async () => { await a(); }; await a();",
    ];
    for body in places {
        let outcome = run(runner, &format!("{f} {body}"), &[]);
        assert_eq!(code(&outcome), "STACK", "{body}: {:?} {:?}", outcome.failure, outcome.value);
        after(runner);
    }
}

fn allocation_ends_with_memory(runner: &mut Runner) {
    let places = [
        "const keep = []; for (;;) keep.push(new Uint8Array(65536));",
        "const keep = []; for (;;) keep.push(new Uint8Array(65536).fill(keep.length % 250));",
        "const keep = []; try { for (;;) keep.push('x'.repeat(1 << 20) + keep.length); } catch { return 'caught'; }",
        "return 'x'.repeat(1 << 29).length;",
        "const keep = []; for (;;) { keep.push('y'.repeat(100000) + keep.length); await null; }",
    ];
    for body in places {
        let outcome = run(runner, body, &[]);
        assert_eq!(code(&outcome), "MEMORY", "{body}: {:?} {:?}", outcome.failure, outcome.value);
        after(runner);
    }
    let outcome = run(runner, "const keep = []; for (;;) keep.push({ keep, n: keep.length });", &[]);
    assert_eq!(code(&outcome), "MEMORY", "{:?}", outcome.failure);
    after(runner);
    // Garbage is no use of memory.
    let body = "let n = 0; for (let i = 0; i < 3000; i++) n += new Uint8Array(65536).length; return n;";
    assert_eq!(value(runner, body, &[]), json!(196_608_000));
    let body = "let n = 0; for (let i = 0; i < 80; i++) n += 'x'.repeat(1 << 18).length; return n;";
    assert_eq!(value(runner, body, &[]), json!(20_971_520));
}

fn sized_built_ins_keep_their_meaning(runner: &mut Runner) {
    let cases = [
        ("[...new Uint8Array(5).fill(300)]", json!([44, 44, 44, 44, 44])),
        ("[...new Int16Array(5).fill(-2, 1, 4)]", json!([0, -2, -2, -2, 0])),
        ("[...new Float64Array(5).fill(1.5, -3, -1)]", json!([0, 0, 1.5, 1.5, 0])),
        ("[...new Uint8Array(4).fill(7, NaN, Infinity)]", json!([7, 7, 7, 7])),
        ("[...new Uint8Array(4).fill(7, 3, 1)]", json!([0, 0, 0, 0])),
        ("[...new Uint8Array(3).fill('9')]", json!([9, 9, 9])),
        ("[...new BigInt64Array(3).fill(2n)].map(String)", json!(["2", "2", "2"])),
        ("(() => { try { new BigInt64Array(3).fill(2); } catch (e) { return e.name; } })()", json!("TypeError")),
        (
            "(() => { try { Uint8Array.prototype.fill.call([], 1); } catch (e) { return e.name; } })()",
            json!("TypeError"),
        ),
        (
            "(() => { const b = new ArrayBuffer(8); new Uint16Array(b, 2, 2).fill(258); return [...new Uint8Array(b)]; })()",
            json!([0, 0, 2, 1, 2, 1, 0, 0]),
        ),
        ("[1, 2, 3].fill(9, 1)", json!([1, 9, 9])),
        ("[[].fill.length, ''.repeat.length, ''.padEnd.length, [].join.name]", json!([1, 1, 2, "join"])),
        (
            "['ab'.repeat(2), 'a'.padStart(3, 'xy'), 'a'.padEnd(2), [1, [2]].join('-'), [1].concat([2], 3)]",
            json!(["abab", "xya", "a ", "1-2", [1, 2, 3]]),
        ),
    ];
    for (expression, want) in cases {
        assert_eq!(value(runner, &format!("return {expression};"), &[]), want, "{expression}");
    }
}

fn what_never_settles(runner: &mut Runner) {
    for body in ["return new Promise(() => {});", "await new Promise(() => {});", "return { then() {} };"] {
        assert_eq!(code(&run(runner, body, &[])), "NEVER_SETTLED", "{body}");
    }
    let source = "await new Promise(() => {}); export default () => 1;";
    assert_eq!(code(&run_program(runner, &program(source, &[]))), "NEVER_SETTLED", "top level");
    let outcome = run(runner, "Promise.reject(new RangeError('lost')); return 1;", &[]);
    assert_eq!((outcome.value, outcome.logs[0].level.as_str()), (Some(json!(1)), "error"));
    assert!(outcome.logs[0].text.contains("RangeError: lost"), "{:?}", outcome.logs);
}

fn a_passed_limit_leaves_no_effect(runner: &mut Runner) {
    let outcome = run(runner, "ctx.notify('hi'); const f = () => f() + 1; f();", &[]);
    assert_eq!((code(&outcome), outcome.effects.notifications.len()), ("STACK", 0));
    let outcome =
        run(runner, "ctx.bim.export.download('a', 'a.csv'); throw new Error('late');", &["export.create:csv"]);
    assert_eq!((code(&outcome), outcome.effects.exports.len()), ("THREW", 0));
    let failure = outcome.failure.unwrap();
    let at = failure.at.unwrap();
    assert_eq!((failure.message.as_str(), at.path.as_str(), at.line), ("late", "src/a.js", 1));
}

fn logs_are_limited(runner: &mut Runner) {
    let outcome = run(runner, "for (let i = 0; i < 250; i++) ctx.log.info('n', i, { a: [i] });", &[]);
    assert_eq!(outcome.logs.len(), 201);
    assert_eq!((outcome.logs[3].text.as_str(), outcome.logs[200].text.contains("50")), (r#"n 3 {"a":[3]}"#, true));
    let outcome = run(runner, "console.log('x'.repeat(5000)); console.warn(new TypeError('bad'));", &[]);
    assert_eq!(outcome.logs[0].text.len(), 2000);
    assert_eq!((outcome.logs[1].level.as_str(), outcome.logs[1].text.as_str()), ("warn", "TypeError: bad"));
}

fn clock_and_randomness_repeat(runner: &mut Runner) {
    let body = "return [new Date().toISOString(), Date.now() - 1767225600000, new Date(2020, 0, 1).getTimezoneOffset(), \
                Math.random(), Math.random()];";
    let first = value(runner, body, &[]);
    assert_eq!(
        first.as_array().map(|list| list[..3].to_vec()),
        json!(["2026-01-01T00:00:00.000Z", 1, 0]).as_array().cloned()
    );
    assert_eq!(value(runner, body, &[]), first);
    let mut other = program(&format!("export default () => {{ {body} }}"), &[]);
    other.seed = Some("another".to_owned());
    assert_ne!(run_program(runner, &other).value.unwrap()[3], first[3]);
}
