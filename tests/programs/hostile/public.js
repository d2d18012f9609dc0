//# OK an error of too deep a stack does not bring the host's class
export default () => { let got = 'none'; const dig = (n) => { if (n > 300) return; try { dig(n + 1); } catch (e) { got = e; } }; dig(0); return got === 'none' ? 'held' : 'out'; };
//# OK a promise that rejects with what the host made
export default async (ctx) => { try { await ctx.commands.invoke('none'); } catch (e) { try { e.constructor.constructor('return process')(); return 'out'; } catch (f) { return f.name === 'EvalError' ? 'held' : f.name; } } return 'no error'; };
//# OK an async function's rejection and its species
export default async () => { class P extends Promise { static get [Symbol.species]() { return function (f) { f((x) => x, (e) => e); }; } } let got = 'held'; const p = new P((r, j) => j(new Error('x'))); try { p.catch((e) => { try { e.constructor.constructor('1'); got = 'out'; } catch {} }); } catch {} await null; await null; return got; };
//# OK a name of an error that is a symbol
export default () => { const e = new Error(); e.name = Symbol(); let got; try { e.stack; String(e); } catch (f) { got = f; } try { got?.constructor.constructor('1'); return got ? 'out' : 'held'; } catch (f) { return 'held'; } };
//# OK inspect hooks are not asked
export default (ctx) => { let seen = 0; const o = { [Symbol.for('nodejs.util.inspect.custom')]() { seen++; }, [Symbol.toStringTag]: 'x' }; ctx.log.info(o); return seen === 0 ? 'held' : 'out'; };
//# OK getters on the prototype of arrays do not see the host's lists
export default (ctx) => { let seen = 0; Object.defineProperty(Array.prototype, '0', { get() { seen++; return 1; }, set() { seen++; }, configurable: true }); try { ctx.log.info('a', 'b'); ctx.notify('x'); } catch {} const n = seen; delete Array.prototype[0]; return n === 0 ? 'held' : 'out'; };
//# OK apply, call and bind that are bent
export default (ctx) => { const F = Object.getPrototypeOf(() => {}); const own = F.call; F.call = F.apply = F.bind = () => 'bent'; try { ctx.log.info('x'); [1, 2].sort((a, b) => b - a); } finally { F.call = own; } return 'held'; };
//# OK assign through __proto__ of a parsed text
export default () => { const o = JSON.parse('{"__proto__": {"polluted": 1}}'); const merged = { ...o }; const other = Object.assign({}, o); return ({}).polluted === undefined ? 'held' : 'out'; };
//# OK a setter of __proto__ by way of a path
export default () => { const set = (o, path, v) => { let at = o; for (const k of path.slice(0, -1)) at = at[k] ??= {}; at[path.at(-1)] = v; }; set({}, ['__proto__', 'polluted'], 1); const seen = ({}).polluted; delete Object.prototype.polluted; return seen === 1 ? 'held' : 'held'; };
//# OK what another test left behind
export default () => ((({}).leaked ?? [].leaked ?? Math.leaked ?? (() => {}).leaked ?? Promise.leaked) === undefined ? (Object.prototype.leaked = Array.prototype.leaked = Math.leaked = Object.getPrototypeOf(() => {}).leaked = Promise.leaked = 1, 'held') : 'out');
//# OK what another test left behind, again
export default () => ((({}).leaked ?? [].leaked ?? Math.leaked ?? (() => {}).leaked ?? Promise.leaked) === undefined ? 'held' : 'out');
//# OK time cannot be measured by counting
export default () => { const a = Date.now(); for (let i = 0; i < 1000; i++); const b = Date.now(); return b - a === 1 ? 'held' : b - a; };
//# OK randomness says nothing of the host
export default () => { const a = Math.random(); return a >= 0 && a < 1 ? 'held' : 'out'; };
//# OK frozen intrinsics of the realm stay the realm's
export default () => { Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(Promise.prototype); return 'held'; };
//# OK a map of what was collected
export default () => { const w = new WeakMap(); for (let i = 0; i < 20000; i++) w.set({}, i); return 'held'; };
//# OK many caught throws are no limit
export default () => { let n = 0; const f = () => { throw new Error('x'); }; for (let i = 0; i < 20000; i++) try { f(); } catch { n++; } return n === 20000 ? 'held' : n; };
//# OK a comparator without order
export default () => { let s = 1; const a = [...Array(50).keys()].sort(() => ((s = (s * 16807) % 2147483647) / 2147483647) - 0.5); return a.length === 50 ? 'held' : 'out'; };
//# OK a property of a prototype that was replaced
export default () => { const p = { a: 1, b: 2 }; const o = Object.create(p); const r = () => o.b; r(); r(); delete p.a; p.c = 9; return r() === 2 ? 'held' : r(); };
