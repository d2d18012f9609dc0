//# generators give, take and end
export default () => { const log = []; function* g(a) { try { const b = yield a; log.push(b); const c = yield* inner(); log.push(c); return 'r'; } finally { log.push('f'); } } function* inner() { yield 'i'; return 'ir'; } const it = g(1); return [it.next(), it.next('b'), it.next(), it.next(), log, [...g(2)].length]; };
//# return and throw of a generator
export default () => { function* g() { try { yield 1; yield 2; } catch (e) { yield 'c' + e; } finally { yield 'f'; } } const a = g(); const x = [a.next(), a.return(9), a.next(), a.next()]; const b = g(); return [x, b.next(), b.throw('t'), b.next(), b.next()]; };
//# iterators are closed
export default () => { let closed = 0; const it = { [Symbol.iterator]() { let i = 0; return { next: () => ({ value: i++, done: false }), return() { closed++; return {}; } }; } }; for (const x of it) if (x > 2) break; const [a, b] = it; try { for (const x of it) throw x; } catch {} const [c, ...r] = [1, 2, 3]; return [a, b, closed, c, r]; };
//# lazy sequences
export default () => { const nat = function* () { for (let i = 0; ; i++) yield i; }; const map = function* (it, f) { for (const x of it) yield f(x); }; const take = function* (it, n) { if (n <= 0) return; for (const x of it) { yield x; if (--n === 0) return; } }; const filter = function* (it, f) { for (const x of it) if (f(x)) yield x; }; return [...take(filter(map(nat(), (x) => x * x), (x) => x % 3 === 1), 6)]; };
//# async generators
export default async () => { const out = []; async function* g(n) { for (let i = 0; i < n; i++) { await null; yield i; } } for await (const x of g(4)) out.push(x); for await (const x of [Promise.resolve('p'), 'q']) out.push(x); const it = g(2); const all = await Promise.all([it.next(), it.next(), it.next()]); return [out, all, await g(1).return(5)]; };
//# the order of promise jobs
export default async () => { const log = []; const p = (n) => Promise.resolve().then(() => log.push(n)); p('a'); (async () => { log.push('s'); await null; log.push('b'); await 0; log.push('e'); })(); p('c').then(() => log.push('d')); log.push('0'); await null; log.push('1'); await new Promise((r) => r({ then(f) { log.push('then'); f(); } })); log.push('2'); return log; };
//# iteration of built-ins
export default () => { const m = new Map([['a', 1], ['b', 2]]), s = new Set('hello'); const out = []; for (const [k, v] of m) { out.push(k + v); if (m.size < 4) m.set(k + k, v * 10); } for (const c of s) { out.push(c); s.delete('l'); } return [out, [...m.keys()], [...s.entries()].length, [...'a\u{1F600}b'], Object.fromEntries(m), [...[7, , 8].keys()], Array.from({ length: 2, 0: 'x' })]; };
//# a generator as an object's method with this
export default () => { const o = { n: 3, *[Symbol.iterator]() { for (let i = 0; i < this.n; i++) yield this.n - i; } }; return [[...o], Math.max(...o), Array.from(o, (x) => x * 2), new Set(o).size, Object.fromEntries([...o].map((x) => [x, x]))]; };
//# promises by hand
export default async () => { const all = await Promise.all([1, Promise.resolve(2), { then: (f) => f(3) }]); const { promise, resolve } = Promise.withResolvers ? Promise.withResolvers() : (() => { let resolve; const promise = new Promise((r) => { resolve = r; }); return { promise, resolve }; })(); resolve('w'); resolve('again'); const f = await Promise.reject(1).finally(() => 2).catch((x) => x); return [all, await promise, f, await Promise.resolve(4).finally(() => 5), await Promise.resolve(1).then(2)]; };
//# a species of its own
export default async () => { class P extends Promise { static get [Symbol.species]() { return Promise; } } const p = P.resolve(1); const q = p.then((x) => x + 1); return [p instanceof P, q instanceof P, await q]; };
//# for await that is left closes what is inside
export default async () => { const log = []; function* inner() { try { yield 1; yield 2; yield 3; } finally { log.push('inner'); } } async function* outer() { try { for (const x of inner()) yield x; } finally { log.push('outer'); } } for await (const x of outer()) { log.push(x); if (x === 2) break; } return log; };
//# for await over a plain iterator closes it
export default async () => { const log = []; function* inner() { try { yield 1; yield Promise.resolve(2); yield 3; } finally { log.push('inner'); } } for await (const x of inner()) { log.push(x); if (x === 2) break; } return log; };
//# for await that is left by a return or a throw
export default async () => { const log = []; async function* g(n) { try { yield n; yield n + 1; } finally { await null; log.push('closed ' + n); } } const f = async () => { for await (const x of g(1)) return x; }; log.push(await f()); try { for await (const x of g(5)) throw new Error('t' + x); } catch (e) { log.push(e.message); } return log; };
//# for await that is left by a label
export default async () => { const log = []; async function* g(n) { try { yield n; yield n + 1; } finally { log.push('closed ' + n); } } outer: for await (const x of g(1)) { for await (const y of g(10)) { log.push(x, y); if (x === 1) continue outer; break outer; } } return log; };
//# for await inside an async generator that is ended
export default async () => { const log = []; async function* a() { try { yield 1; yield 2; } finally { log.push('a'); } } async function* b() { try { for await (const x of a()) yield x; } finally { log.push('b'); } } async function* c() { yield* b(); } for await (const x of c()) { log.push(x); break; } const it = b(); await it.next(); log.push(await it.return('r')); return log; };
//# for await over an array of promises and a return that is no function
export default async () => { const log = []; for await (const x of [Promise.resolve(1), 2]) log.push(x); const it = { [Symbol.asyncIterator]() { return this; }, n: 0, next() { return { value: ++this.n, done: this.n > 3 }; }, return() { log.push('return'); return {}; } }; for await (const x of it) { log.push(x); if (x === 2) break; } return log; };
//# a generator is ended while a finally catches
export default () => {
  const log = [];
  const say = (...all) => log.push(...all);
  function* a(v) { try { yield* [v]; } finally { try { say(v.x.y); } catch { say('caught'); } } }
  function* b(v) { try { say(1, yield v); } finally { try { say(v.x.y); } catch (e) { say(e.name); } finally { say('last'); } } }
  return [a, b].map((f) => { const it = f(5); return [it.next(), it.return('sent'), it.next()]; }).concat([log]);
};
