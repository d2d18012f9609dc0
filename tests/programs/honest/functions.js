//# closures in loops
export default () => { const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i++); var gs = []; for (var j = 0; j < 3; j++) gs.push(() => j); for (const k of [7, 8]) fs.push(() => k); return [fs.map((f) => f() + f()), gs.map((g) => g())]; };
//# names of functions
export default () => {
  const a = () => {}, b = function () {}, c = class {}, { d = () => {} } = {}, [e = function () {}] = [];
  let f; f = () => {}; const o = { g() {}, h: () => {}, ['i' + 1]: () => {}, get j() { return 1; } };
  class K { static s = () => {}; t = function () {}; #p = () => {}; n() { return this.#p.name; } static m() {} }
  const of = (f = () => {}) => f.name;
  return [a, b, c, d, e, f, o.g, o.h, o.i1, K.s, new K().t, K.m].map((x) => x.name).concat(new K().n(), of(), Object.getOwnPropertyDescriptor(o, 'j').get.name, (() => {}).name, (class { static name = 'own'; }).name);
};
//# default and rest parameters
export default () => { const f = (a, b = a + 1, { c = b, d: [e = c] = [] } = {}, ...r) => [a, b, c, e, r]; return [f(1), f(1, 2, { c: 9, d: [8] }, 5, 6), f.length, ((...x) => x.length)(...'abc', ...[1, 2])]; };
//# arguments and this
export default () => { function f() { return [arguments.length, typeof this, [...arguments].join()]; } const o = { f, g() { return (() => this === o)(); } }; return [f(1, 2), f.call(5, 3), f.apply('x', [1]), o.g(), f.bind(o, 1)(2)]; };
//# arrows of many forms
export default async () => { const a = (x) => ({ x }), b = (x) => (x, x + 1), c = async (x) => await x, d = (x) => (y) => x + y, e = (x) => (x ? 'yes' : 'no'), g = (o) => 'k' in o; let out = []; for (let f = (x) => ('k' in x), i = 0; i < 1; i++) out.push(f({ k: 1 })); return [a(1), b(1), await c(3), d(1)(2), e(0), g({ k: 0 }), out, (() => {})(), ((a, b) => a * b)(6, 7)]; };
//# a variable that is called async
const async = (x) => 'called ' + x;
export default () => { const o = { async }; let { async: other } = o; const await_ = async; return [async(1), async (2), async
(3), o.async(4), other(5), async.name, typeof async, ((async) => async(6))((x) => x + 1), await_(7)]; };
//# async as names of members
export default async () => { const o = { async: 1, async m() { return 2; }, get get() { return 3; }, set: 4, async *g() { yield 5; }, static: 6, of: 7, let_: 8 }; const out = [o.async, await o.m(), o.get, o.set, o.static, o.of]; for await (const x of o.g()) out.push(x); return out; };
//# recursion within the limit
export default () => { const depth = (n) => (n ? 1 + depth(n - 1) : 0); const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); const even = (n) => n === 0 || odd(n - 1), odd = (n) => n !== 0 && even(n - 1); return [depth(300), fib(15), even(200)]; };
//# tagged templates
export default () => { const t = (s, ...v) => [s.raw.join('|'), s.join('|'), v]; const same = () => ((s) => s)`a`; return [t`a${1}\n${2}b`, t``, same() === same(), `${[1, 2]}${{}}${null}`, `\u{1F600}`.length, String.raw`\x${1}`]; };
//# getters, setters and computed members
export default () => { let n = 0; const key = () => 'k' + n++; const o = { [key()]: 1, get [key()]() { return n; }, [`x${1 + 1}`]() { return this.k0; } }; return [o.k0, o.k1, o.x2(), Object.keys(o)]; };
//# hoisting
export default () => { const out = [typeof f, typeof v]; var v = 1; function f() { return g(); } function g() { return 'g'; } { function f2() { return 'inner'; } out.push(f2()); } out.push(f(), v); return out; };
//# currying and composition
export default () => { const compose = (...f) => (x) => f.reduceRight((a, g) => g(a), x); const curry = (f) => (...a) => (a.length >= f.length ? f(...a) : (...b) => curry(f)(...a, ...b)); return [compose((x) => x + 1, (x) => x * 2)(5), curry((a, b, c) => a + b + c)(1)(2, 3), [1, 2, 3].map(parseInt).map(String), ['1', '2'].map(Number)]; };
//# names of functions that are defaults of parameters
export default () => {
  function a(p = () => 1, q = function () {}, r = class { static n = 1; }, s = function own() {}, ...rest) { rest &= 1; return [p, q, r, s].map((f) => f.name).concat(r.n, q.length); }
  const b = (p = (x) => x, q = p, r = async () => 1) => [p.name, q.name, r.name];
  const c = { m(p = () => arguments.length) { return [p.name, p()]; } };
  return [a(), b(), c.m(), a.length, b.length, a(1, 2, { name: 'given' }, 3).length];
};
