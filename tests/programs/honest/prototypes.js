//# read twice through a prototype, then deleted there and another added
export default () => {
  const proto = { a: 1, b: 2 };
  const o = Object.create(proto);
  const read = () => o.b;
  const seen = [read(), read()];
  delete proto.a;
  proto.c = 3;
  return [...seen, read(), o.c, Object.keys(proto)];
};
//# deleted on the prototype and read again
export default () => {
  const proto = { first: 1, last: 2 };
  const o = Object.create(proto);
  const out = [];
  for (let i = 0; i < 4; i++) {
    out.push(o.last);
    if (i === 1) { delete proto.first; delete proto.last; }
    if (i === 2) proto.last = 'again';
  }
  return out.map(String);
};
//# a getter of the prototype becomes a value and back
export default () => {
  const proto = { get x() { return 'get'; }, y: 'y' };
  const o = Object.create(proto);
  const out = [];
  const step = () => out.push(o.x, o.y);
  step(); step();
  Object.defineProperty(proto, 'x', { value: 'value', writable: true, configurable: true });
  step();
  delete proto.x;
  step();
  Object.defineProperty(proto, 'x', { get: () => 'anew', configurable: true });
  step();
  return out.map(String);
};
//# a setter of the prototype is replaced
export default () => {
  const log = [];
  const proto = { set v(x) { log.push(['one', x]); }, w: 0 };
  const make = () => Object.create(proto);
  const write = (o, x) => { o.v = x; };
  write(make(), 1); write(make(), 2);
  Object.defineProperty(proto, 'v', { set(x) { log.push(['two', x]); }, configurable: true });
  write(make(), 3);
  delete proto.v;
  const last = make();
  write(last, 4);
  return [log, Object.keys(last), last.v];
};
//# an own property hides the prototype's and goes
export default () => {
  class A { m() { return 'A'; } get n() { return 'n' + this.m(); } }
  class B extends A { m() { return 'B' + super.m(); } }
  const b = new B();
  const out = [];
  for (let i = 0; i < 6; i++) {
    out.push(b.m(), b.n);
    if (i === 1) b.m = () => 'own';
    if (i === 2) delete b.m;
    if (i === 3) delete B.prototype.m;
    if (i === 4) A.prototype.m = () => 'late';
  }
  return out;
};
//# the prototype itself is changed
export default () => {
  const p = { name: 'p' }, q = { other: 1, name: 'q' };
  const o = Object.create(p);
  const out = [];
  for (const next of [q, p, null, q]) { out.push(o.name, o.other); Object.setPrototypeOf(o, next); }
  return out.map(String);
};
//# a frozen prototype refuses a write
export default () => {
  const p = Object.freeze({ a: 1 });
  const o = Object.create(p);
  const out = [];
  for (let i = 0; i < 3; i++) { try { o.a = 2; out.push('written'); } catch (e) { out.push(e.name); } }
  return [out, o.a];
};
//# length of things that are no arrays
export default () => {
  const proto = { length: 3 };
  const o = Object.create(proto);
  const out = [];
  for (let i = 0; i < 4; i++) { out.push(o.length, 'four'.length, [1, 2].length, ((a, b) => a).length); if (i === 1) { delete proto.length; proto.size = 1; } }
  return out.map(String);
};
//# patterns read through prototypes
export default () => {
  const proto = { a: 1, b: 2, c: 3 };
  const o = Object.create(proto);
  const read = () => { const { a = 'none', b: { x = 'nox' } = {}, ['c']: c, ...rest } = o; return [a, x, c, rest]; };
  const out = [read(), read()];
  delete proto.a; proto.d = 4; proto.b = { x: 7 };
  out.push(read());
  let q, r; ({ c: q, d: r = 9 } = o);
  return [...out, q, r];
};
//# updates and compound assignment through accessors
export default () => {
  let n = 0;
  const proto = { get k() { return n; }, set k(v) { n = v * 2; } };
  const o = Object.create(proto);
  o.k += 3; o.k++; ++o.k; o.k **= 2; o.z ??= 5; o.z ||= 6; o.z &&= 7; o.z--;
  return [n, o.z, Object.keys(o)];
};
//# optional chains
export default () => {
  const o = { a: { b() { return this.c; }, c: 4 }, n: null };
  return [o?.a?.b(), o.n?.x.y.z, o.a?.['b'](), o.q?.(), o.a.b?.(), (o?.a).c, delete o?.a?.c, o.a.c ?? 'gone', o?.a.b?.call({ c: 9 })];
};
//# super in objects and statics
export default () => {
  const base = { hi() { return 'base ' + this.n; }, get g() { return 'g' + this.n; } };
  const o = { __proto__: base, n: 1, hi() { return 'o ' + super.hi() + super.g; }, set(v) { super.s = v; return this.s; } };
  class A { static who() { return 'A' + this.tag; } static tag = 'a'; }
  class B extends A { static tag = 'b'; static who() { return super.who() + '!'; } }
  return [o.hi(), o.set(5), Object.keys(o), B.who(), A.who()];
};
//# properties in order
export default () => {
  const o = { b: 1, 2: 'two', a: 2, 1: 'one', [Symbol('s')]: 3, 'x y': 4 };
  delete o.b; o.b = 5; o[-1] = 'neg'; o[4294967295] = 'big'; o[4294967294] = 'index';
  const seen = []; for (const k in Object.assign(Object.create({ inherited: 1 }), o)) seen.push(k);
  return [Object.keys(o), seen, Object.entries(o).length, JSON.stringify(o)];
};
//# many shapes at one place
export default () => {
  const make = (i) => { const o = {}; for (let j = 0; j <= i % 7; j++) o['p' + ((i + j) % 11)] = i + j; o.v = i; return o; };
  let sum = 0;
  for (let i = 0; i < 500; i++) { const o = make(i); sum += o.v + (o.p3 ?? 0) - (o.p10 ?? 1); delete o.p3; sum += o.p3 === undefined ? 1 : 0; }
  return sum;
};
//# built-in prototypes are changed in use
export default () => {
  const out = [];
  const probe = () => out.push([1].last, 'x'.last, (5).last);
  probe();
  Array.prototype.last = 'A'; String.prototype.last = 'S'; Number.prototype.last = 'N';
  probe();
  delete Array.prototype.last; delete String.prototype.last; Object.prototype.last = 'O';
  probe();
  delete Object.prototype.last; delete Number.prototype.last;
  probe();
  return out.map(String);
};
//# attributes that were changed outlive what is deleted beside them
export default () => {
  const of = (o) => Object.entries(Object.getOwnPropertyDescriptors(o)).map(([k, d]) => [k, d.value ?? null, d.writable ?? null, d.enumerable, d.configurable, typeof d.get, typeof d.set]);
  const a = { x: 1, y: 2, get z() { return 3; }, w: 4 };
  Object.defineProperty(a, 'y', { writable: false, enumerable: false }); Object.defineProperty(a, 'z', { set() {} });
  const before = of(a); delete a.w; const between = of(a); delete a.x;
  const b = { x: 1, y: 2, w: 4 }; Object.defineProperties(b, { x: { enumerable: false }, y: { value: 9, writable: false }, n: { value: 1, configurable: true } });
  delete b.w; const heir = Object.create(b); let wrote; try { heir.y = 1; wrote = 'written'; } catch (e) { wrote = e.name; }
  const c = { k: 1, l: 2 }; let thrown; try { Object.defineProperties(c, { k: { writable: false }, l: { get: 1 } }); } catch (e) { thrown = e.name; } delete c.l;
  const list = [1, 2]; Object.defineProperty(list, 'length', { writable: false });
  return [before, between, of(a), of(b), Object.keys(b), wrote, of(c), thrown, of(list)];
};
