//# increments of static fields inside their class
export default () => { class P { static n = 0; static a = ++P.n; static b = P.n++; static c = (P.n += 5, P.n); static d = P['n']--; static m() { return [++P.n, P.n++, --P.n, P.n--]; } static { this.e = ++P.n; P.f = -P.n++; } } return [P.a, P.b, P.c, P.d, P.m(), P.n, P.e, P.f]; };
//# increments of a class's field in fields of its instances
export default () => { class P { static n = 0; id = ++P.n; later = () => P.n++; 'a b' = P.n; 5 = P.n; x; } const ps = [new P(), new P(), new P()]; ps[0].later(); return [ps.map((p) => p.id), P.n]; };
//# increments of a class's field in a function of a field
export default () => { class P { static n = 0; make = function () { return P.n++; }; static of = () => ++P.n; get next() { return ++P.n; } set next(v) { P.n += v; } constructor() { P.n++; } } const p = new P(); p.next = 10; return [p.make(), P.of(), p.next, P.n]; };
//# increments inside named class expressions
export default () => { const A = class B { static n = 1; static x = B.n++; y = ++B.n; m() { return B.n--; } }; const a = new A(); return [A.x, a.y, a.m(), A.n]; };
//# increments inside classes inside functions that catch
export default () => { const f = (k) => { class P { static n = k; id = P.n++; static { try { ++P.n; throw P.n; } catch (e) { P.c = e; } finally { P.n++; } } } return [new P().id, P.c, P.n]; }; return [f(1), f(5)]; };
//# compound assignments and updates of members
export default () => { class P { static o = { k: 1, l: [1] }; static a = ++P.o.k; static b = P.o.l[0]++; static c = (P.o.k **= 3); static d = (P.q ??= 4); static e = (P.o.k &&= 7); static f = (P.z ||= P.q++); } return [P.a, P.b, P.c, P.d, P.e, P.f, P.q, P.o]; };
//# increments of this and private fields in fields
export default () => { class P { n = 1; a = ++this.n; b = this.n++; #p = 1; c = ++this.#p; d = this.#p++; static #s = 1; static t = ++P.#s; static u = P.#s++; e = P.#s--; static g = this.t++; } const p = new P(); return [p.n, p.a, p.b, p.c, p.d, p.e, P.t, P.u, P.g]; };
//# updates of names that closures hold
export default () => { let n = 0; class P { static a = ++n; b = n++; static c = () => ++n; } const { c } = P; return [P.a, new P().b, c(), n]; };
//# numbers of instances, by every way to write them
export default () => { const next = () => (P.n += 1); class P { static n = 0; static all = []; static next() { return ++this.n; } static get more() { return ++P.n; } a = next(); b = P.next(); c = P.more; d = (P.n = 50); e = delete P.gone; f = P['n']--; g = `${P.n++}`; h = [...Array(2)].map(() => P.n++); i = P.all.push(this); } const p = new P(), q = new P(); return [p, { ...q }, P.n, P.all.length]; };
//# numbers of instances in derived classes
export default () => { const log = []; class A { static n = 0; id = ++A.n; constructor(x) { this.x = x; log.push(Object.keys(this).join()); } } class B extends A { static n = 100; bid = B.n++; own = this.id + 1; } class C extends B { c = (C.made = (C.made ?? 0) + 1); constructor(...rest) { log.push('before'); super(...rest); log.push(Object.keys(this).join()); } } class D extends A { d = D.n++; constructor() { const made = () => super('d'); made().x += '!'; if (this.d > 200) super(1); } } return [new A(1), new B(2), new C(3), new C(4), new D(), A.n, B.n, C.made, B.length, C.length, D.n, log]; };
//# private numbers of instances
export default () => { class P { static #next = 1; #id = P.#next++; #twice = () => this.#id * 2; #none; label = `p${this.#id}`; get id() { return this.#id; } static same(a, b) { return a.#id === b.#id; } static has(x) { return #id in x; } names() { return [this.#twice.name, this.#none, this.#twice()]; } } const p = new P(), q = new P(); return [p.id, q.id, p.label, q.names(), P.same(p, q), P.has(p), P.has({}), Object.keys(p)]; };
//# fields in their order, by definition and not by assignment
export default () => { const log = []; class A { set b(v) { log.push('setter'); } get c() { return 'inherited'; } } let n = 0; class B extends A { a = (log.push(Object.keys(this).join()), ++n); b = ++n; c = this.c; f = function () {}; g = () => this; h = class {}; static s = ++n; m = super.c; z; constructor(x, y = 2) { super(); log.push(x, y, arguments.length); } } const o = new B('x'); return [Object.keys(o), o.a, o.b, o.c, o.f.name, o.g.name, o.h.name, o.g() === o, o.m, B.s, B.length, log, Object.getOwnPropertyDescriptor(o, 'b')]; };
//# fields that throw
export default () => { const log = []; class P { static n = 0; id = ++P.n; bad = P.n === 2 ? null.x : 'fine'; never = log.push('never' + P.n); } for (let i = 0; i < 3; i++) try { log.push(new P().id); } catch (e) { log.push(e.name); } return [log, P.n]; };
//# classes inside fields of classes
export default () => { class P { static n = 0; id = ++P.n; Inner = class { static m = 0; id = ++this.constructor.m + P.n++; }; make = () => new this.Inner(); } const p = new P(); return [p.id, p.make().id, p.make().id, P.n, new P().id]; };
//# a name with a default under a computed key that is assigned
export default () => { const k = 'a', o = { v: 0 }; let q, r, s; ({ [k]: q = 7, [k + 'b']: r = q + 1, c: s = 3 } = { ab: undefined }); const got = [q, r, s]; [{ [k]: q = 'd' }, { [k]: o.v = 5 }] = [{ a: 'x' }, {}]; for ({ [k]: r = 'each' } of [{ a: null }, {}]) got.push(r); return [...got, q, o]; };
//# arrows with computed keys keep what arrows keep
export default async () => { const k = 'a'; function outer() { return [({ [k]: x = 1 }, ...rest) => [x, this.t, arguments.length, rest], async ({ [k]: x = 2 }, y = x) => { var z = await y; { let x = 'inner'; z += x; } return [x, z]; }, ({ [k]: f = () => k }) =>
  (f.name, f()), ({ [k]: g = 1 } = {}, h = ({ [k]: i = g }) => i) => ({ g, h: h({}) })]; } const [a, b, c, d] = outer.call({ t: 't' }, 1, 2); let e; try { a(null); } catch (x) { e = x.name; } return [a({}, 5, 6), await b({}), await b({ a: 4 }, 'y'), c({}), d(), d({ a: 3 }), e, await b().catch((x) => x.name)]; };
//# updates of names that hold no numbers
export default () => { let a = '5', b = '5', c = null, d, e = [7], f = '', g = 5n, h = 'x', i = -0; const out = [a++, ++b, c++, d++, e++, f--, g--, h++, i++, a, b, c, d, e, f, g, h, i]; return out.map((x) => (Object.is(x, -0) ? '-0' : typeof x + x)); };
//# updates that throw leave their names as they were
export default () => { let s = Symbol('kept'), o = { valueOf() { throw new RangeError('no'); } }, n = 0, p = { valueOf() { n += 1; return '4'; } }; const kept = o; const out = []; try { s++; } catch (e) { out.push(e.name); } try { ++s; } catch (e) { out.push(e.name); } try { o--; } catch (e) { out.push(e.name); } out.push(typeof s, o === kept, p++, p, n); return out; };
//# statements that begin with a name that is updated
export default () => {
  let a = '1', b = 2, async = 3
  const out = [() => b]
  a++
  ++b
  if (a) b++
  else a--
  a++ + b++
  b - (b = 7)
  async
  for (const x of [1]) a++
  label: b--
  do b++
  while (b < 9)
  return [out.length, a, b, async++, async];
};
//# powers of names that are updated
export default () => {
  let a = '2', b = 3
  const out = [1 ** NaN, 2 ** -1, (-2) ** 3, 2 ** 3 ** 2, Math.pow(1, NaN)]
  a++ ** b
  b ** (b = 2)
  a **= b ** 2
  out.push(a, b, b ** (b = 3), 2 ** b++)
  return out.map(String)
};
//# quotients that are 0 below 0
export default () => {
  const zero = 5 - 5, minus = 2 - 5; let a = zero; a /= minus; const o = { k: zero, in: { k: zero }, list: [[zero]] }; o.k /= minus
  ;(o.in).k /= minus
  o.list[0][zero] /= minus
  const order = []; const of = (x) => ({ valueOf() { order.push(x); return x; } });
  const sign = (x) => (Object.is(x, -0) ? '-0' : String(x));
  const all = [zero / minus, a, o.k, o.in.k, o.list[0][0], zero / -3, zero / 3, 7 / 2, minus / zero, zero / zero, 6 / minus, of(6) / of(3) / of(2), 10n / 3n, -10n / 3n, '8' / '2', 8 / 2 / 2 / 2, [1, 2, 3, 4][6 / minus + 3]];
  let mixed; try { mixed = 1n / minus; } catch (e) { mixed = e.name; }
  return [all.map(sign), order, mixed, /a/.test('a') / (1 + 1)];
};
//# powers of members
export default async () => {
  let reads = 0; const o = { a: 1, get in() { reads += 1; return this.inner; }, inner: { b: 3, c: [1, 2] } };
  class P { #x = 3; static s = 2; y() { this.#x **= 2; this.own = 2; this.own **= 3; return [this.#x, this.own]; } static z() { P.s **= 4; return P.s; } }
  class Q extends P { static t() { super.u = 3; super.u **= 2; return this.u; } }
  o.a **= NaN; o.in.b **= 2
  o.in.c[1] **= await 3; o.in['c'][[0, 0].length - 1] **= o.in.c[0] **= 2
  o['inner'].b **= 0.5
  return [String(o.a), o.inner, reads, new P().y(), P.z(), String(Q.t())];
};
//# names that keep what they have inside an assignment
export default () => {
  const kept = [];
  var a = 4, b = null; kept.push(() => [a, b, c, d, e])
  var c = a ||= 1
  var d = [a &&= 5, b ??= 6, b ??= 7, a ||= 8]
  var e; e = (e = 1) + (a ??= 2) * (b &&= 0)
  b ||= () => 1
  a &&= a || (c ??= 3)
  const f = 1; let thrown; try { f &&= 2; } catch (x) { thrown = x.name; }
  return [kept[0]().map((x) => x?.name ?? x), f ||= 9, thrown];
};
