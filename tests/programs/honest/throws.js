//# twenty thousand caught throws
export default () => { let n = 0; const f = (i) => { throw new Error('e' + i); }; for (let i = 0; i < 20000; i++) { try { f(i); } catch { n++; } } return n; };
//# sixty thousand caught throws through two calls
export default () => { let n = 0; const g = (i) => { if (i % 2) throw i; return i; }; const f = (i, a, b, c) => { const x = g(i); return x + (a ?? 0); }; for (let i = 0; i < 60000; i++) { try { n += f(i, 1, 2, 3) % 2; } catch (e) { n += e % 3; } finally { n++; } } return n; };
//# finally wins
export default () => {
  const f = (k) => { try { if (k === 1) throw 1; if (k === 2) return 'try'; } catch (e) { return 'catch'; } finally { if (k === 3) return 'finally'; } return 'end'; };
  const g = () => { for (let i = 0; ; i++) { try { if (i < 3) continue; break; } finally { if (i === 2) return 'out ' + i; } } };
  return [f(0), f(1), f(2), f(3), g()];
};
//# labels and loops
export default () => {
  const out = [];
  outer: for (let i = 0; i < 4; i++) for (const j of [0, 1, 2, 3]) { if (j === 2) continue outer; if (i === 3) break outer; out.push(i * 10 + j); }
  let k = 0; do k++; while (k < 5); while (k > 2) k--;
  let m = 0; for (;;) if (++m > 4) break; else continue;
  block: { out.push('in'); if (k) break block; out.push('never'); }
  return [out, k, m];
};
//# if without braces
export default () => { const f = (a, b) => { if (a) if (b) return 'ab'; else return 'a'; else if (b) return 'b'; return 'none'; }; return [f(1, 1), f(1, 0), f(0, 1), f(0, 0)]; };
//# switch falls through
export default () => { const f = (x) => { const out = []; switch (x) { case 1: out.push(1); case 2: { out.push(2); break; } default: out.push('d'); case 3: let y = 3; out.push(y); } return out; }; return [f(1), f(2), f(3), f(9)]; };
//# errors and their members
export default () => {
  class Own extends RangeError { constructor(m) { super(m, { cause: 'why' }); this.name = 'Own'; } }
  try { throw new Own('m'); } catch ({ name, message, cause, ...rest }) { return [name, message, cause, Object.keys(rest), String(new Own('x')), new Own() instanceof RangeError, new AggregateError([1, 2], 'a').errors]; }
};
//# what the engine throws
export default () => {
  const ways = [() => null.x, () => undefined(), () => { let q = 1; q(); }, () => zz, () => { x; let x; }, () => new (() => {})(), () => [].reduce((a) => a), () => 'x'.repeat(-1), () => new Array(-1), () => (1).toFixed(101), () => 1n + 1, () => JSON.parse('{'), () => ({}) instanceof 5, () => Symbol() + '', () => { const c = 1; c = 2; }, () => decodeURIComponent('%'), () => new Date(NaN).toISOString(), () => BigInt(1.5), () => { ({}).x.y = 1; }, () => { class A { #p; static t(o) { return o.#p; } } A.t({}); }];
  return ways.map((w) => { try { w(); return 'none'; } catch (e) { return e.name; } });
};
//# throw in async code
export default async () => {
  const out = [];
  const f = async (x) => { if (x > 1) throw new Error('f' + x); return x; };
  for (let i = 0; i < 4; i++) { try { out.push(await f(i)); } catch (e) { out.push(e.message); } finally { out.push('|'); } }
  out.push(...(await Promise.allSettled([f(1), f(5)])).map((r) => r.status), await Promise.any([f(9), f(0)]), await f(7).catch((e) => e.message), await Promise.race([f(1), f(2)]));
  return out;
};
//# thousands of rejections that are handled
export default async () => { let n = 0; for (let i = 0; i < 3000; i++) await Promise.reject(i).catch((x) => { n += x % 5; }); return n; };
