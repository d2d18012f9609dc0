//# OK names of the host, part 1
export default () => { const seen = [typeof globalThis, typeof window, typeof self, typeof global, typeof top, typeof frames, typeof parent, typeof document].filter((t) => t !== 'undefined'); return seen.length ? seen : 'held'; };
//# OK names of the host, part 2
export default () => { const seen = [typeof navigator, typeof location, typeof process, typeof require, typeof module, typeof exports, typeof __dirname, typeof Deno].filter((t) => t !== 'undefined'); return seen.length ? seen : 'held'; };
//# OK names of the host, part 3
export default () => { const seen = [typeof Bun, typeof Buffer, typeof fetch, typeof XMLHttpRequest, typeof WebSocket, typeof EventSource, typeof Worker, typeof SharedWorker].filter((t) => t !== 'undefined'); return seen.length ? seen : 'held'; };
//# OK names of the host, part 4
export default () => { const seen = [typeof importScripts, typeof postMessage, typeof setTimeout, typeof setInterval, typeof setImmediate, typeof queueMicrotask, typeof requestAnimationFrame, typeof localStorage].filter((t) => t !== 'undefined'); return seen.length ? seen : 'held'; };
//# OK names of the host, part 5
export default () => { const seen = [typeof sessionStorage, typeof indexedDB, typeof caches, typeof crypto, typeof performance, typeof Reflect, typeof Proxy, typeof WebAssembly].filter((t) => t !== 'undefined'); return seen.length ? seen : 'held'; };
//# OK names of the host, part 6
export default () => { const seen = [typeof SharedArrayBuffer, typeof Atomics, typeof WeakRef, typeof FinalizationRegistry, typeof Intl, typeof Temporal, typeof ShadowRealm, typeof eval].filter((t) => t !== 'undefined'); return seen.length ? seen : 'held'; };
//# OK names of the host, part 7
export default () => { const seen = [typeof Function, typeof escape, typeof unescape].filter((t) => t !== 'undefined'); return seen.length ? seen : 'held'; };
//# OK this at the top
const top = this;
export default () => (top === undefined ? 'held' : 'out');
//# OK this of a function
export default () => ((function () { return this; })() === undefined ? 'held' : 'out');
//# OK this of a callback
export default () => { const seen = []; [1].forEach(function () { seen.push(this); }); [1].map(function () { seen.push(this); }, null); 'a'.replace('a', function () { seen.push(this); return ''; }); JSON.parse('1', function () { seen.push(this); }); return seen.slice(0, 3).every((x) => x === undefined || x === null) ? 'held' : 'out'; };
//# OK this by call with null
export default () => ((function () { return this; }).call(null) === null ? 'held' : 'out');
//# OK this of a getter of a primitive
export default () => { Object.defineProperty(Number.prototype, 'me', { get() { return typeof this; }, configurable: true }); const t = (5).me; delete Number.prototype.me; return t === 'number' ? 'held' : t; };
//# OK a sloppy function's caller
export default () => { function f() { try { return f.caller; } catch (e) { return e.name; } } const got = f(); return got === 'TypeError' || got === undefined || got === null ? 'held' : 'out'; };
//# OK arguments.callee
export default () => { function f() { try { return arguments.callee ? 'out' : 'held'; } catch { return 'held'; } } return f(); };
//# OK the stack of an error shows no host
export default () => { const s = String(new Error('x').stack); return /\/(home|root|work|usr|cargo|rustc)|\.rs|wasm-function|node:|https?:/.test(s) ? s : 'held'; };
//# OK Error.prepareStackTrace
export default () => { let seen; Error.prepareStackTrace = (e, frames) => { seen = frames; return frames; }; Error.captureStackTrace?.({}); new Error('x').stack; return seen === undefined ? 'held' : 'out'; };
//# OK Error.stackTraceLimit
export default () => { Error.stackTraceLimit = 1e9; return new Error('x').stack !== undefined ? 'held' : 'held'; };
//# OK an error of the SDK and its class
export default (ctx) => { try { ctx.bim.query.byType(5); return 'no error'; } catch (e) { try { e.constructor.constructor('return 1')(); return 'out'; } catch (f) { return f.name === 'EvalError' ? 'held' : f.name; } } };
//# OK an error of the engine and its class
export default () => { try { null.f(); } catch (e) { const C = Object.getPrototypeOf(Object.getPrototypeOf(e)).constructor; return C === Error ? 'held' : 'out'; } };
//# OK import.meta has nothing
export default () => { const m = import.meta; return Object.keys(m).length === 0 && m.url === undefined ? 'held' : Object.keys(m); };
//# OK an iterator that leads out
export default () => { const p = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())); try { p.constructor.constructor('return 1')(); return 'out'; } catch (e) { return e.name === 'EvalError' || e.name === 'TypeError' ? 'held' : e.name; } };
//# OK a promise's reaction leads out
export default async () => { let got = 'none'; await new Promise((r, j) => { try { r.constructor('return 1'); got = 'out'; } catch (e) { got = e.name; } r(); }); return got === 'EvalError' ? 'held' : got; };
//# OK names of the metering
export default () => { const seen = []; for (const n of ['$0s', '$0e', '$0_run']) seen.push(typeof ({})[n]); return seen.every((t) => t === 'undefined') ? 'held' : seen; };
//# OK the text of a function shows no metering
export default () => { const f = () => 1; return /\$\d+[es]\(/.test(String(f)) ? String(f) : 'held'; };
