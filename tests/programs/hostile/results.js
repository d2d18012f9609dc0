//# RESULT_NOT_JSON a function
export default () => () => 1;
//# RESULT_NOT_JSON a circle
export default () => { const o = {}; o.o = o; return o; };
//# RESULT_NOT_JSON too deep
export default () => { let o = 1; for (let i = 0; i < 5000; i++) o = [o]; return o; };
//# RESULT_NOT_JSON not a number
export default () => ({ a: [0 / 0] });
//# RESULT_NOT_JSON a big integer
export default () => [1n];
//# RESULT_NOT_JSON a map
export default () => new Map();
//# RESULT_NOT_JSON too large
export default () => { const a = []; for (let i = 0; i < 60; i++) a.push('x'.repeat(100000)); return a; };
//# RESULT_NOT_JSON shared parts without end
export default () => { let o = ['xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx']; for (let i = 0; i < 40; i++) o = [o, o]; return o; };
//# MEMORY a length that lies
export default () => { const a = []; a.length = 2 ** 32 - 1; return a; };
//# THREW a getter that throws
export default () => ({ get a() { throw new Error('no'); } });
//# THREW a null thrown
export default () => { throw null; };
//# THREW an undefined thrown
export default () => { throw undefined; };
//# THREW a symbol thrown
export default () => { throw Symbol('s'); };
//# THREW an object without a prototype thrown
export default () => { throw Object.create(null); };
//# THREW a function thrown
export default () => { throw () => 1; };
//# THREW a value whose toString throws
export default () => { throw { toString() { throw 1; } }; };
//# THREW a message that is no text
export default () => { const e = new Error(); e.message = { a: 1 }; throw e; };
//# THREW a message of control characters
export default () => { throw new Error('\u001b[2J\u009b31m'); };
//# THREW a message that is long
export default () => { throw new Error('x'.repeat(1000000)); };
//# THREW a rejection with a bent error
export default async () => { const e = new TypeError('t'); Object.setPrototypeOf(e, null); throw e; };
//# NEVER_SETTLED a promise that nobody settles
export default () => new Promise(() => {});
//# NEVER_SETTLED a thenable that does nothing
export default () => ({ then() {} });
//# NEVER_SETTLED a module that waits
await new Promise(() => {});
export default () => 1;
//# NEVER_SETTLED a generator that waits
export default async () => { async function* g() { await new Promise(() => {}); } for await (const x of g()); };
//# THREW no function
export default 5;
//# THREW a module that throws
throw new RangeError('module');
export default () => 1;
//# THREW a use before a declaration
export default () => x;
let y = x1; const x1 = 1;
//# OK a thenable with a getter that answers once
export default async () => { let n = 0; const t = { get then() { n++; return n === 1 ? (f) => f('held') : undefined; } }; return await t; };
//# OK a bent species of promises
export default async () => { Object.defineProperty(Promise, Symbol.species, { value: function () {}, configurable: true }); try { await Promise.resolve(1).then(() => 2); } catch {} try { Promise.resolve(1).finally(() => 1); } catch {} return 'held'; };
//# OK a species that is null
export default async () => { Object.defineProperty(Promise, Symbol.species, { value: null, configurable: true }); const v = await Promise.resolve(1).then((x) => x + 1); return v === 2 ? 'held' : v; };
//# OK a species that throws
export default async () => { Object.defineProperty(Promise, Symbol.species, { get() { throw new Error('s'); }, configurable: true }); try { Promise.resolve(1).then(() => 2); } catch (e) { return 'held'; } return 'out'; };
//# OK a constructor of promises that is bent
export default async () => { const p = Promise.resolve(1); p.constructor = { [Symbol.species]: class { constructor(f) { f(() => 1, () => 1); } } }; try { p.then(() => 1); p.finally(() => 1); await p; } catch {} p.constructor = 5; try { p.then(() => 1); } catch {} try { await p; } catch {} return 'held'; };
//# OK a then of promises that is bent
export default async () => { const own = Promise.prototype.then; Promise.prototype.then = function () { return 5; }; try { await Promise.all([Promise.resolve(1)].slice(1)); } catch {} Promise.prototype.then = own; return 'held'; };
//# OK resolve of promises that is bent
export default async () => { const own = Promise.resolve; Promise.resolve = () => 5; try { await Promise.all([1, 2]); } catch {} Promise.resolve = own; return 'held'; };
