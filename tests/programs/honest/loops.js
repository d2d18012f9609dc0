//# a break out of a block inside a loop
export default () => { const log = []; for (const a of [1, 2, 3]) { l: { for (const b of [10, 20]) { log.push(b); break l; } } log.push(a); } return log; };
//# a break out of two loops inside a third
export default () => { const log = []; for (const z of ['x', 'y']) { outer: for (const a of [1, 2, 3]) { for (const b of [10, 20]) { log.push(a, b); break outer; } } log.push(z); } return log; };
//# a break out of two loops closes both
export default () => { const log = []; function* g(n) { try { yield n; yield n + 1; } finally { log.push('closed ' + n); } } outer: for (const x of g(1)) { for (const y of g(10)) { log.push(x, y); break outer; } } return log; };
//# a generator that is left closes the loop inside
export default () => { const log = []; function* inner() { try { yield 1; yield 2; } finally { log.push('i'); } } function* g() { try { for (const x of inner()) yield x; } finally { log.push('o'); } } for (const x of g()) { log.push(x); break; } return log; };
//# a generator that is ended closes its loops, the inner one first
export default () => { const log = []; function* inner() { try { yield 1; yield 2; } finally { log.push('i'); } } function* g() { for (const x of inner()) { for (const y of inner()) yield x + y; } } const it = g(); log.push(it.next(), it.return(7), it.next()); return log; };
//# a return out of two loops closes both
export default () => { const log = []; function* inner() { try { yield 1; yield 2; } finally { log.push('i'); } } const f = () => { for (const x of inner()) for (const y of inner()) return y; }; log.push(f()); return log; };
//# a throw into a generator closes its loops
export default () => { const log = []; function* inner() { try { yield 1; yield 2; } finally { log.push('i'); } } function* g() { for (const x of inner()) { for (const y of inner()) yield x + y; } } const it = g(); log.push(it.next()); try { it.throw(7); } catch (e) { log.push(e); } log.push(it.next()); return log; };
//# an async generator that is ended closes a plain loop
export default async () => { const log = []; function* inner() { try { yield 1; yield 2; } finally { log.push('i'); } } async function* g() { for (const x of inner()) yield x; } const it = g(); log.push(await it.next(), await it.return(7), await it.next()); return log; };
//# an async generator that is ended closes its loop
export default async () => { const log = []; async function* inner() { try { yield 1; yield 2; } finally { log.push('i'); } } async function* g() { for await (const x of inner()) yield x; } const it = g(); log.push(await it.next(), await it.return(7), await it.next()); return log; };
//# a throw into an async generator closes its loop
export default async () => { const log = []; async function* inner() { try { yield 1; yield 2; } finally { log.push('i'); } } async function* g() { for await (const x of inner()) yield x; } const it = g(); log.push(await it.next()); try { await it.throw(7); } catch (e) { log.push(e); } return log; };
//# an async generator that is ended runs its finally
export default async () => { const log = []; async function* g() { try { yield 1; } finally { log.push('f'); } } const it = g(); log.push(await it.next(), await it.return(7), await it.next()); return log; };
//# an async generator that is ended ends what it gives on
export default async () => { const log = []; async function* a() { try { yield 1; yield 2; } finally { log.push('f'); } } async function* g() { yield* a(); } const it = g(); log.push(await it.next(), await it.return(7), await it.next()); return log; };
//# a return out of two loops of async code closes both
export default async () => { const log = []; async function* a(n) { try { yield n; yield 2; } finally { log.push('f' + n); } } const f = async () => { for await (const x of a(1)) for await (const y of a(2)) return x + y; }; log.push(await f()); return log; };
//# a continue of the outermost loop closes the others
export default () => { const log = []; function* g(n) { try { yield n; yield n + 1; } finally { log.push('closed ' + n); } } outer: for (const x of g(1)) { for (const y of g(10)) { for (const z of g(100)) { log.push(x, y); continue outer; } } } return log; };
//# a break to a label out of switches and loops
export default () => { const log = []; out: for (const x of [1, 2, 3]) { switch (x) { case 2: for (const y of [5, 6]) { switch (y) { case 5: break out; } } } log.push(x); } return log; };
//# a break out of a loop inside a plain one
export default () => { const log = []; for (const q of [1, 2]) { out: while (true) { for (const x of [1, 2, 3]) { while (true) { log.push(x); break out; } } } log.push('q' + q); } return log; };
//# a break out of loops over keys
export default () => { const log = []; for (const q of [1, 2]) { out: for (const k in { a: 1, b: 2 }) { for (const m in { c: 1, d: 2 }) { log.push(k + m); break out; } } log.push('q' + q); } return log; };
//# a pattern in a generator that is ended
export default () => { const log = []; const it = { [Symbol.iterator]() { return { next: () => ({ value: 1, done: false }), return() { log.push('ret'); return {}; } }; } }; function* g() { const [a = yield 'x', b = (yield 'y')] = [undefined]; return [a, b]; } const i = g(); log.push(i.next(), i.next(3), i.next(4)); function* h() { const [a, [b] = yield 1] = it; } const j = h(); try { j.next(); log.push(j.return(5)); } catch (e) { log.push(e.name); } return log; };
//# a break out of loops through finally
export default () => { const log = []; for (const z of [1, 2]) { out: for (const a of [1, 2]) { for (const b of [3, 4]) { try { log.push(b); break out; } finally { log.push('f'); } } } log.push(z); } return log; };
//# a break and a continue to the same label
export default () => { const log = []; for (const z of [1, 2]) { a: for (const x of [1, 2, 3]) { for (let i = 0; i < 2; i++) { if (x === 2) break a; if (x === 1) continue a; } log.push('no'); } log.push(z); } return log; };
//# breaks to three labels
export default () => { const log = []; for (const q of [0, 1, 2, 3]) { a: for (const x of [1, 2]) { b: for (const k in { m: 1, n: 2 }) { c: { for (const y of [5, 6]) { log.push(q, x, k, y); if (q === 0) break a; if (q === 1) break b; if (q === 2) break c; if (y === 6) continue a; } } log.push('c'); } log.push('b'); } log.push('a'); } return log; };
//# breaks to labels behind labels
export default () => { const log = []; for (const q of [1, 2]) { a: b: for (const x of [1, 2, 3]) { for (const y of [4, 5]) { if (y === 5) { if (x === 1) continue b; break b; } log.push(x, y); } } log.push(q); } return log; };
//# a break out of loops without blocks
export default () => { const log = []; for (const q of [1, 2]) { a: for (const x of [1, 2]) for (const y of [3, 4]) if (y > 3) break a; else log.push(x, y); if (q > 5) a: for (const x of [1]) for (const z of [1]) break a; else log.push('e' + q); } return log; };
//# a break out of loops in async code awaits what it closes
export default async () => { const log = []; async function* g(n) { try { yield n; yield n + 1; } finally { await null; log.push('closed ' + n); } } for (const q of [1, 2]) { out: for await (const x of g(1)) { for await (const y of g(5)) { log.push(q, x, y); break out; } } } return log; };
//# loops of generators with what they bind
export default () => { const log = []; function* g(list) { for (const [a, { b = 9 } = {}] of list) yield a + b; let x; for (x of [1, 2]) yield x; for (var v of [3]) yield* [v, v]; const o = {}; for (o.p of [4, 5]) { const f = () => o.p; yield f; } return x; } const it = g([[1, { b: 2 }], [3]]); let r; while (!(r = it.next()).done) log.push(typeof r.value === 'function' ? r.value() : r.value); log.push(r.value); return log; };
//# loops of generators over what is no iterator
export default () => { const log = []; const tries = [undefined, null, 5, {}, { [Symbol.iterator]: 1 }, { [Symbol.iterator]: () => 1 }, { [Symbol.iterator]: () => ({}) }, { [Symbol.iterator]: () => ({ next: () => 1 }) }]; for (const one of tries) { function* g() { for (const x of one) yield x; } try { log.push([...g()]); } catch (e) { log.push(e.name); } } return log; };
//# an iterator that throws at its end
export default () => { const log = []; const it = (how) => ({ [Symbol.iterator]() { return this; }, n: 0, next() { if (how === 'next' && this.n) throw new Error('next'); return { value: this.n++, done: false }; }, get return() { log.push('asked'); return how === 'none' ? undefined : how === 'bad' ? () => 1 : () => { if (how === 'throws') throw new Error('return'); return {}; }; } }); for (const how of ['next', 'none', 'bad', 'throws', 'fine']) { function* g() { for (const x of it(how)) yield x; } const i = g(); i.next(); try { if (how === 'next') i.next(); log.push(how, i.return('r')); } catch (e) { log.push(how, e.name, e.message === 'return' || e.message === 'next'); } } return log; };
//# a generator that is ended before its loop began and behind it
export default () => { const log = []; function* inner() { try { yield 1; } finally { log.push('inner'); } } function* g() { for (const x of inner()) yield x; yield 'behind'; } const a = g(); log.push(a.return(1)); const b = g(); b.next(); b.next(); log.push(b.return(2), b.next()); return log; };
//# yield in the head of a loop
export default () => { const log = []; function* g() { for (const x of yield 'list') { log.push(x); } for (const { a = yield 'default' } of [{}, { a: 1 }]) log.push(a); } const it = g(); log.push(it.next(), it.next([7, 8]), it.next('d')); return log; };
//# loops in generators in loops with labels
export default () => { const log = []; function* c(n) { try { yield n; yield n + 1; } finally { log.push('x' + n); } } function* g() { a: for (const x of c(1)) { for (const y of c(5)) { yield x + y; if (y === 6) break a; continue; } } try { for (const z of c(8)) { yield z; return 'r'; } } finally { yield 'f'; } } const it = g(); let r; do { r = it.next(); log.push(r.value); } while (!r.done); return log; };
//# names of objects inside a loop that are left by errors
export default () => {
  const log = [];
  const closing = (name) => ({ [Symbol.iterator]: () => { let n = 0; return { next: () => ({ value: { a: n, b: n }, done: n++ > 2 }), return: () => { log.push('closed ' + name); return {}; } }; } });
  for (const x of closing('caught')) { try { for (const k in x) { log.push(k); if (k === 'b') throw x.a; } } catch (e) { log.push('caught ' + e); } }
  try { for (const x of closing('left')) { for (const k in(x)) if (k) throw k; } } catch (e) { log.push('out ' + e); }
  for (const k in { p: 1, q: 2 }) { try { for (const l in { r: 1, s: 2 }) { log.push(k + l); null[l](); } } catch (e) { log.push(e.name); } }
  outer: for (const x of closing('labels')) { let k; for ((k) in x) { if (x.a === 0) continue outer; if (x.a === 1) break outer; } }
  const o = Object.create({ deep: 1, b: 'hidden' }, { quiet: { value: 1 } }); Object.assign(o, { a: 1, b: 2, c: 3 });
  for (const _ of [1]) for (const k in o) { log.push(k); delete o.c; o.later = 1; }
  for (const _ of [1]) { for (const k in null) log.push(k); for (const [first, second] in { xy: 1 }) log.push(first, second); for (const k in 'ab') log.push(k); for (const k in [4, , 5]) log.push(k); }
  return log;
};
