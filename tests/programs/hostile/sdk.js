//# OK ctx is frozen
export default (ctx) => { const out = []; for (const f of [() => { ctx.x = 1; }, () => { delete ctx.bim; }, () => { ctx.bim.query.byType = 1; }, () => { Object.defineProperty(ctx, 'can', { value: 1 }); }, () => { Object.setPrototypeOf(ctx, null); }, () => { ctx.storage.get.call = 1; }, () => { console.log = 1; }]) { try { f(); out.push('changed'); } catch (e) { out.push(e.name); } } return out.every((n) => n === 'TypeError') ? 'held' : out; };
//# OK a capability that was not granted
export default (ctx) => { try { ctx.bim.query.all(); return 'out'; } catch (e) { return e.code === 'CAPABILITY_DENIED' ? 'held' : String(e); } };
//# OK a capability by a bent prototype
export default (ctx) => { Array.prototype.includes = () => true; Array.prototype.some = () => true; Array.prototype.find = () => 'model.read'; String.prototype.startsWith = () => true; Set.prototype.has = () => true; try { ctx.bim.query.all(); return 'out'; } catch (e) { return e.code === 'CAPABILITY_DENIED' ? 'held' : String(e); } };
//# OK grants on the prototype of objects
export default (ctx) => { Object.prototype.grants = ['model.read']; Object.prototype.capability = 'model.read'; Object.prototype.code = 'OK'; try { ctx.bim.query.all(); return 'out'; } catch (e) { return e.code === 'CAPABILITY_DENIED' ? 'held' : String(e); } };
//# OK an argument that changes between two readings
export default async (ctx) => { let n = 0; const key = { toString() { return n++ ? 'b' : 'a'; } }; try { await ctx.storage.get(key); return 'out'; } catch (e) { return e.code === 'SDK_ARGUMENT' || e.code === 'CAPABILITY_DENIED' ? 'held' : String(e); } };
//# OK a call with another this
export default (ctx) => { try { ctx.bim.query.all.call({ grants: ['model.read'] }); return 'out'; } catch (e) { return e.code === 'CAPABILITY_DENIED' ? 'held' : String(e); } };
//# OK a call by way of apply and bind
export default (ctx) => { const out = []; for (const f of [() => ctx.bim.query.all.apply(null, []), () => ctx.bim.query.all.bind({})(), () => [0].map(ctx.bim.query.all), () => new ctx.bim.query.all()]) { try { f(); out.push('out'); } catch (e) { out.push(e.code ?? e.name); } } return out.includes('out') ? out : 'held'; };
//# OK can says what is granted whatever it is told
export default (ctx) => { const a = ctx.can('model.read'); return a === false ? 'held' : String(a); };
//# OK a species of arrays that the SDK answers
export default (ctx) => { Object.defineProperty(Array, Symbol.species, { value: class { constructor() { throw new Error('theirs'); } }, configurable: true }); try { ctx.bim.model.list(); } catch (e) { return e.code === 'CAPABILITY_DENIED' ? 'held' : String(e); } return 'held'; };
//# OK a setter on the prototype of results
export default (ctx) => { let got = []; for (const k of ['name', 'code', 'message', 'details', '0', 'length']) try { Object.defineProperty(Object.prototype, k, { set(v) { got.push(k); }, get() { return 'x'; }, configurable: true }); } catch {} try { ctx.bim.query.all(); } catch (e) { const c = e.code; return c === 'CAPABILITY_DENIED' && got.length === 0 ? 'held' : JSON.stringify([c, got.length]); } return 'out'; };
//# OK a then on the prototype of objects
export default async (ctx) => { Object.prototype.then = undefined; await null; delete Object.prototype.then; return 'held'; };
//# THREW an error that names itself a denial
export default () => { const e = new Error('x'); e.name = 'Nice'; e.code = 'OK'; throw e; };
//# OK storage of prototype names
export default async (ctx) => { try { await ctx.storage.set('__proto__', { x: 1 }); await ctx.storage.set('constructor', 2); } catch (e) { return e.code === 'CAPABILITY_DENIED' ? 'held' : e.code; } return ({}).x === undefined ? 'held' : 'out'; };
//# OK notify with a text of markup is text
export default (ctx) => { try { ctx.notify('<img src=x onerror=alert(1)>'); } catch (e) { return e.code; } return 'held'; };
//# OK logs of odd values
export default (ctx) => { const o = {}; o.o = o; ctx.log.info(o, Symbol('s'), 10n, () => 1, undefined, null, NaN, new Map([[1, 2]]), new Date(NaN), Object.create(null), []); return 'held'; };
//# THREW a getter that throws in a log
export default (ctx) => { ctx.log.info({ get x() { throw new Error('no'); } }); };
