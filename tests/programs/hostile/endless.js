//# FUEL a module that does not end
for (;;) {}
export default () => 1;
//# FUEL while true
export default () => { while (true); };
//# FUEL do without end
export default () => { do ; while (1); };
//# FUEL a loop that catches
export default () => { for (;;) { try { for (;;) {} } catch { continue; } finally { continue; } } };
//# FUEL a loop in finally
export default () => { try { throw 1; } finally { for (;;) {} } };
//# FUEL a return in finally
export default () => { try { for (;;) {} } finally { return 'caught'; } };
//# FUEL a loop in a getter of the result
export default () => ({ get a() { for (;;) {} } });
//# FUEL a loop in toJSON
export default () => ({ toJSON() { for (;;) {} } });
//# FUEL a loop in a comparator
export default () => [3, 2, 1].sort(() => { for (;;) {} });
//# FUEL a loop in valueOf
export default () => +{ valueOf() { for (;;) {} } };
//# FUEL a loop in a replacer
export default () => 'a'.replace(/a/, () => { for (;;) {} });
//# FUEL a loop in a reviver
export default () => JSON.parse('[1]', () => { for (;;) {} });
//# FUEL a loop behind an await
export default async () => { await null; for (;;) {} };
//# FUEL a loop in a promise job
export default () => Promise.resolve().then(() => { for (;;) {} }).catch(() => 'caught');
//# MEMORY a chain of jobs without end
export default async () => { const go = () => Promise.resolve().then(go); await go(); };
//# FUEL an await in a loop
export default async () => { for (;;) await null; };
//# FUEL a generator without end
export default () => { function* g() { for (;;) yield 1; } for (const x of g()); };
//# FUEL an async generator without end
export default async () => { async function* g() { for (;;) yield 1; } for await (const x of g()); };
//# MEMORY an iterator without end
export default () => [...{ [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }];
//# FUEL an iterator without end in a map
export default () => new Map({ [Symbol.iterator]: () => ({ next() { for (let i = 0; i < 50; i++); return { done: false, value: [1, 1] }; } }) });
//# FUEL a thenable that goes on
export default async () => { const t = { then(f) { f(t); } }; await t; };
//# FUEL exponential calls
export default () => { const f = (n) => (n ? f(n - 1) + f(n - 1) : 1); return f(40); };
//# MEMORY exponential fields
export default () => { let C = class { x = 1; }; for (let i = 0; i < 40; i++) { const B = C; C = class { a = new B(); b = new B(); }; } return new C(); };
//# FUEL exponential default values
export default () => { let f = () => 1; for (let i = 0; i < 40; i++) { const g = f; f = (a = g(), b = g()) => 1; } return f(); };
//# FUEL a loop in a static block
export default () => { class A { static { for (;;) {} } } };
//# FUEL a loop in a computed key
export default () => ({ [(() => { for (;;) {} })()]: 1 });
//# FUEL labels that go on
export default () => { a: for (;;) { b: for (;;) { continue a; } } };
//# FUEL a switch in a loop
export default () => { let n = 0; for (;;) switch (n++ % 2) { case 0: break; default: continue; } };
//# FUEL for in over what grows
export default () => { const o = { a: 1 }; for (;;) for (const k in o) { for (let i = 0; i < 50; i++); if (k.length < 20) o[k + 'b'] = 1; } };
//# FUEL an unhandled async function goes on
export default () => { (async () => { for (;;) await 0; })(); return 1; };
//# FUEL a limit in the executor of a promise
export default () => { new Promise(() => { for (;;) {} }).catch(() => 0); return 'caught'; };
//# FUEL a message whose getter does not end
export default () => { throw { get message() { for (;;) {} }, name: 'x' }; };
//# FUEL a limit in a callback of onDispose
export default (ctx) => { for (;;) { try { for (;;) {} } catch {} } };
//# FUEL a toString that does not end in a log
export default (ctx) => { ctx.log.info({ toJSON() { for (;;) {} } }); return 'caught'; };
