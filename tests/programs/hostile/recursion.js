//# STACK plain recursion
const f = (n) => f(n + 1) + 1; export default () => f(0);
//# STACK caught recursion
const f = (n) => f(n + 1) + 1; export default () => { try { f(0); } catch { return 'caught'; } };
//# STACK recursion and finally
const f = (n) => f(n + 1) + 1; export default () => { try { f(0); } finally { return 'caught'; } };
//# STACK recursion behind an await
const f = (n) => f(n + 1) + 1; export default async () => { await null; try { f(0); } catch { return 'caught'; } };
//# STACK recursion in an async frame that nobody awaits
const f = (n) => f(n + 1) + 1; export default async () => { (async () => { await null; f(0); })(); await 0; await 0; await 0; return 'caught'; };
//# STACK recursion in a promise's executor
const f = (n) => f(n + 1) + 1; export default async () => { try { await new Promise(() => f(0)); } catch { return 'caught'; } };
//# STACK recursion in a promise's handler
const f = (n) => f(n + 1) + 1; export default () => Promise.resolve().then(() => f(0)).catch(() => 'caught').finally(() => 'caught');
//# STACK recursion in all
const f = (n) => f(n + 1) + 1; export default () => Promise.allSettled([(async () => f(0))(), 1]).then(() => 'caught');
//# STACK recursion in an async generator
const f = (n) => f(n + 1) + 1; export default async () => { async function* g() { try { yield f(0); } catch { yield 'caught'; } } for await (const x of g()) return x; };
//# STACK recursion in a getter that storage reads
export default async (ctx) => { const o = { get a() { return o.a; } }; try { await ctx.storage.set('k', o); } catch { } return 'caught'; };
//# STACK a thrown value whose message recurses
export default () => { const e = { name: 'E', get message() { return e.message; } }; throw e; };
//# STACK a thrown value whose name recurses
export default () => { const e = new Error('x'); Object.defineProperty(e, 'name', { get() { return e.name; } }); throw e; };
//# THREW a rejected value whose toString recurses
export default async () => { const e = { toString() { return '' + e; } }; throw new Error(e); };
//# STACK recursion in a sort
const f = (n) => f(n + 1) + 1; export default () => { try { [2, 1].sort(() => f(0)); } catch { return 'caught'; } };
//# STACK recursion through map
const g = (n) => [n].map(g); export default () => g(0);
//# STACK recursion through a getter
const o = { get a() { return this.a; } }; export default () => o.a;
//# STACK recursion through toString
const s = () => ({ toString() { return '' + s(); } }); export default () => '' + s();
//# STACK recursion through a constructor
class A { constructor() { new A(); } } export default () => new A();
//# STACK recursion through a field
class A { a = new A(); } export default () => new A();
//# STACK recursion through generators
function* g() { yield* g(); } export default () => [...g()];
//# STACK recursion through async calls
const a = async () => { await a(); }; export default () => a();
//# STACK recursion through a default value
const f = (a = f()) => a; export default () => f();
//# STACK recursion through a tagged template
const t = () => t`x`; export default () => t();
//# STACK recursion through a replacer
const f = () => 'a'.replace('a', f); export default () => f();
//# STACK recursion through JSON
const o = { toJSON() { return JSON.stringify(o); } }; export default () => JSON.stringify(o);
//# STACK recursion through an iterator
const it = { [Symbol.iterator]() { return [...it]; } }; export default () => [...it];
//# STACK recursion through hasInstance
class A { static [Symbol.hasInstance](x) { return x instanceof A; } } export default () => 1 instanceof A;
//# STACK recursion through toPrimitive
const o = { [Symbol.toPrimitive]: () => +o }; export default () => +o;
//# STACK recursion through a species
class P extends Array { static get [Symbol.species]() { return new P(1).map((x) => x).constructor; } } export default () => new P(1).map((x) => x);
//# STACK recursion in a static getter
class A { static get a() { return A.a; } } export default () => A.a;
//# STACK mutual recursion
const a = () => b(), b = () => c(), c = () => a(); export default () => a();
//# STACK recursion in a reduce
const f = () => [1, 2].reduce(f); export default () => f();
//# STACK recursion through bind
let f = () => g(); const g = f.bind(null); export default () => g();
//# STACK recursion through call
function f() { return f.call(this); } export default () => f();
