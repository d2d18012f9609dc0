//# fields and private members
export default () => { let n = 0; class A { a = ++n; #b = this.a * 2; static c = 'c'; static #d = A.c + 'd'; static { this.e = this.#d + 'e'; } get b() { return this.#b; } set b(v) { this.#b = v; } static has(o) { return #b in o; } #m() { return 'm' + this.#b; } m() { return this.#m(); } ['k' + 1] = 'computed'; } const x = new A(), y = new A(); x.b += 5; return [x.a, x.b, y.b, A.e, A.has(x), A.has({}), x.m(), x.k1, Object.keys(x)]; };
//# inheritance and new.target
export default () => { class A { constructor() { this.t = new.target.name; this.init(); } init() { this.i = 'A'; } } class B extends A { f = 'field'; init() { super.init(); this.i += 'B' + this.f; } } class C extends B {} return [new A(), new B(), new C(), new C() instanceof A, Object.getPrototypeOf(C) === B]; };
//# classes from expressions
export default () => { const mixin = (Base) => class extends Base { mixed() { return 'mixed ' + super.who(); } }; class A { who() { return 'A'; } } class B extends mixin(mixin(A)) { who() { return 'B'; } } return [new B().mixed(), new (mixin(A))().mixed(), (class Named { static n = Named.name; }).n]; };
//# extends of built-ins
export default () => { class L extends Array { sum() { return this.reduce((a, b) => a + b, 0); } } const l = L.from([1, 2, 3]); class M extends Map { get(k) { return super.get(k) ?? 'none'; } } class E extends Error {} const m = new M([['a', 1]]); return [l.sum(), l.map((x) => x * 2).sum(), l.length, l instanceof L, Array.isArray(l), m.get('a'), m.get('b'), m.size, new E('x').message, l.filter((x) => x > 1).constructor.name]; };
//# symbols of a class
export default () => { class T { constructor(n) { this.n = n; } [Symbol.toPrimitive](h) { return h === 'number' ? this.n : h + this.n; } get [Symbol.toStringTag]() { return 'Tee'; } static [Symbol.hasInstance](x) { return x === 5; } *[Symbol.iterator]() { yield* [this.n, this.n + 1]; } } const t = new T(4); return [+t, `${t}`, t + '', String(Object.prototype.toString.call(t)), 5 instanceof T, [...t], t * 2]; };
//# accessors that are inherited and overridden
export default () => { class A { #v = 1; get v() { return this.#v; } set v(x) { this.#v = x; } } class B extends A { get v() { return super.v * 10; } set v(x) { super.v = x + 1; } } class C extends A { get v() { return 'only get'; } } const b = new B(); b.v = 4; const c = new C(); let e; try { c.v = 1; } catch (x) { e = x.name; } return [b.v, c.v, e]; };
//# static inheritance and this in statics
export default () => { class A { static count = 0; static make() { this.count++; return new this(); } } class B extends A { static count = 10; } A.make(); B.make(); B.make(); return [A.count, B.count, B.make() instanceof B]; };
//# private methods and accessors across instances
export default () => { class P { static n = 0; #id; constructor() { P.n += 1; this.#id = P.n; } get #x() { return this.#id * 2; } set #x(v) { this.#id = v; } eq(o) { return this.#x === o.#x; } bump() { this.#x++; return this.#id; } } const a = new P(), b = new P(); return [a.eq(b), a.eq(a), a.bump(), b.bump()]; };
//# a derived constructor that answers an object
export default () => { class A { constructor(o) { return o; } } class B extends A { #p = 'stamped'; constructor(o) { super(o); } static read(o) { return o.#p; } } const o = { x: 1 }; new B(o); let e; try { class D extends A { constructor() { this.x = 1; } } new D(); } catch (x) { e = x.name; } return [B.read(o), o, e]; };
//# fields come before the parameters of a constructor
export default () => {
  const log = [];
  const say = (x) => { log.push(x); return x; };
  class A { #own = say('own'); b = say('b'); static n = 0; constructor(p = say('p'), { q } = say({}), ...[r]) { say('body'); this.all = [p, q, r, arguments.length, this.#own]; } get own() { return this.#own; } }
  class B { id = say('id'); constructor([x]) { this.x = x; } }
  class C { id = say('c'); constructor(a, b = () => this.id) { return { given: b() }; } }
  class D extends B { e = say('e'); constructor(x) { super([x]); } }
  const a = new A(1, { q: 2 }, 3); const out = [a.all, a.own, A.length, B.length, new B('xy').x, new C(1).given, new D(5).x, Object.keys(a)];
  try { new B(); } catch (e) { out.push(e.name); }
  return [out, log];
};
//# functions in static blocks ask for their arguments
export default () => {
  const log = [];
  class A { static n = 1; static { const f = function () { return arguments.length; }; this.n += f(1, 2); var v = 3; class B { m() { return arguments[0]; } } log.push(new B().m('x'), v); } static m = this.n * 2; static { log.push((() => this.n)()); } }
  class C { x = function () { return arguments.length; }; static y = function () { return arguments[0]; }; #z() { return arguments.length; } z(...all) { return this.#z(...all); } }
  return [A.n, A.m, log, new C().x(1, 2), C.y(3), new C().z(1, 2, 3)];
};
//# derived constructors that return
export default () => {
  class A { a = 1; }
  class B extends A { b = Object.keys(this).length; constructor(x) { super(); [1].map((y) => { return y; }); if (x !== 0) return x; } }
  const made = (x) => { try { return new B(x); } catch (e) { return e.name; } };
  return [made(0), made(), made(null), made(5), made('x'), made({ c: 2 }), made([3]), made(() => 1).name ?? 'none'];
};
//# private fields that are asked for before they are there
export default () => {
  const log = [];
  const say = (x) => { log.push(x); return x; };
  const made = (C, ...all) => { try { return say(new C(...all).all ?? 'made'); } catch (e) { return say(e.name); } };
  made(class { #a = this.#a; });
  made(class { #a; #b = this.#b--; });
  made(class { #a = this.#b; #b = say('b'); });
  made(class { a = this.#b = say('given'); #b; });
  made(class { a = this.#b?.c; #b = 1; });
  made(class { a = this.#b **= 2; #b = 1; });
  made(class { a = ({ b: this.#b } = { b: 1 }); #b; });
  made(class { a = this.m(); #b = 1; m() { return this.#b; } });
  made(class { a = this.#m(); #b = 1; #m() { this.#b += 1; } });
  made(class { #b = [1, 2].map((x) => x + this.#b); });
  made(class { #b = say(this.#c()); #c = () => 1; });
  const seen = (o) => { try { return [o.is(), o.read()]; } catch (e) { return [o.is(), e.name]; } };
  made(class { a = say(seen(this)); #b = 1; c = say(seen(this)); all = [this.a, this.c]; is() { return #b in this && #b in (this); } read() { return this.#b; } });
  made(class { all = (() => { try { return this.#b; } catch (e) { return e.name; } })(); #b = 1; });
  class A { constructor() { A.last = this; this.init?.(); } }
  const last = () => seen(A.last);
  made(class extends A { all = last(); #b = 1; is() { return #b in this; } read() { return this.#b++; } });
  made(class extends A { #b = say('b'); init() { say(#b in this); this.#b = 1; } });
  return log;
};
//# private fields whose values ask for what is there
export default () => {
  const log = [];
  const say = (x) => { log.push(x); return x; };
  class A {
    #a = say(1); #b = this.#a + 1; #c; d = this.#sum(); #e = () => this.#f; on = { f: () => this.#f }; #f = say(this.#b * 2); #g = new Map([[this.#f, 'g']]);
    #sum() { return [this.#a, this.#b, this.#c]; }
    get f() { return [this.#f, this.#e(), this.on.f(), this?.#f, this.#g?.get(4), this['d']]; }
    bump() { this.#f++; this.#f **= 2; [this.#c] = [3]; ({ c: this.#a } = { c: 5 }); this.#g ??= 1; for (this.#b of [7, 8]); return [this.#f--, this.#sum(), delete this.d]; }
    static is(o) { return [#f in o, #f
      in
      o, #c in o && !(#g in {})]; }
    static of(o) { try { return o.#f; } catch (e) { return e.name; } }
    static put(o) { try { o.#c = 2; return 'put'; } catch (e) { return e.name; } }
    inner() { const x = this; return new class { #a = 'inner a'; #h = x.#f; m() { return [this.#a, this.#h, x.#c, #h in x, #f in x]; } }(); }
  }
  const a = new A();
  log.push(a.f, a.bump(), a.f, A.is(a), A.is({}), A.of(a), A.of({}), A.of(null), A.put(a), A.put({}), a.inner().m());
  try { A.is(1); } catch (e) { log.push(e.name); }
  return log;
};
//# names from functions around in computed names of methods
export default async () => {
  const log = [];
  const say = (x) => { const text = x?.name ?? x; log.push(text); return text; };
  const of = (C) => Object.getOwnPropertyNames(C.prototype).concat(Object.getOwnPropertyNames(C)).join();
  let p = 1, late;
  function f(k, [l]) { class A { [say(k)]() {} *[`${l}${say(p)}`]() {} get [p = 'x']() { return 1; } static async [p += 'y']() {} [late?.()] = 1; static [this?.q]() {} } return of(A); }
  log.push(f('k', ['l']), p, f.call({ q: 'q' }, 'm', 'n'));
  function g() { return class { static own = class { static [say(g)]() {} }; static { log.push(of(class { [say.name]() {} })); } *[b]() {} }; }
  try { g(); } catch (e) { log.push(e.name); }
  const b = 'b';
  log.push(of(g()), of(g().own));
  function* each() { const u = 'u'; return of(class { [yield u]() {} async *[u + b]() {} }); }
  const it = each();
  log.push(it.next().value, it.next('z').value);
  log.push(await (async () => { const u = 'u'; return of(class { [await u]() {} [b]() {} }); })());
  for (const [key] of ['v', 'w']) log.push(of((() => class { [key]() {} })()));
  function Made() { return (() => of(class { [new.target === Made]() {} }))(); }
  function made() { return of(class { [new.target === made]() {} }); }
  class Inner { static k = 'inner'; static m() { return class B { [Inner.k]() {} }; } }
  const o = { __proto__: { k: 'super' }, m() { return of((() => class { [super.k]() {} })()); } };
  log.push(String(new Made() instanceof Made), made(), of(Inner.m()), o.m());
  return log;
};
