//# OK constructor of an arrow
export default (ctx) => { try { (() => {}).constructor('return 1')(); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor of a function
export default (ctx) => { try { (function () {}).constructor('return this')(); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor of an async function
export default (ctx) => { try { (async () => {}).constructor('return 1')(); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor of a generator
export default (ctx) => { try { (function* () {}).constructor('yield 1')().next(); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor of an async generator
export default (ctx) => { try { (async function* () {}).constructor('yield 1')(); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor of a function of the SDK
export default (ctx) => { try { ctx.can.constructor('return 1')(); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor by a joined name
export default (ctx) => { try { [].map['con' + 'structor']('return 1')(); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor by destructuring
export default (ctx) => { try { const { constructor: C } = () => {}; C('return 1')(); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor by an assignment pattern
export default (ctx) => { try { let C; ({ ['constructor']: C } = () => {}); new C('return 1'); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor by descriptor
export default (ctx) => { try { Object.getOwnPropertyDescriptor(Object.getPrototypeOf(() => {}), 'constructor').value('return 1'); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor by a class that extends it
export default (ctx) => { try { new (class extends (() => {}).constructor { constructor() { super('return 1'); } })(); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor by super in an object
export default (ctx) => { try { ({ __proto__: () => {}, m() { return super.constructor('return 1'); } }).m(); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor by bind, call and apply
export default (ctx) => { try { [].map.constructor.bind(null).call(null, 'return 1'); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor by a list of prototypes
export default (ctx) => { try { let p = () => {}; for (const k of ['__proto__', 'constructor']) p = p[k]; p('return 1')(); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor by the prototype of a getter
export default (ctx) => { try { Object.getOwnPropertyDescriptor(Map.prototype, 'size').get.constructor('return 1')(); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor from a caught error's class
export default (ctx) => { try { try { null.x; } catch (e) { e.constructor.constructor('return 1')(); }; return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor from a tagged template
export default (ctx) => { try { ((s, f) => f.constructor(s.raw[0]))`return 1${() => {}}`; return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor from an array of constructors
export default (ctx) => { try { [Object, Array, Map, Promise].map((c) => c.constructor)[2]('return 1')(); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor in the callback of a sort
export default (ctx) => { try { [2, 1].sort(function () { return this?.x ?? (() => {}).constructor('return 1')(); }); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor in a getter that JSON reads
export default (ctx) => { try { JSON.stringify({ get x() { return (() => {}).constructor('return 1')(); } }); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor through Object.entries of a prototype
export default (ctx) => { try { Object.getOwnPropertyNames(Object.getPrototypeOf(function () {})).includes('constructor') && Object.getPrototypeOf(function () {})['constructor']('1'); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor in a static block
export default (ctx) => { try { class A { static { (() => {}).constructor('return 1'); } }; return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor in a field
export default (ctx) => { try { new (class { x = (() => {}).constructor('return 1'); })(); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK constructor with a body that closes its own braces
export default (ctx) => { try { (() => {}).constructor('}, function(){', 'return 1'); return 'out'; } catch (e) { return e.name === 'EvalError' ? 'held' : e.name; } };
//# OK eval is no name
export default (ctx) => { try { eval('1'); return 'out'; } catch (e) { return e.name === 'ReferenceError' ? 'held' : e.name; } };
//# OK indirect eval is no name
export default (ctx) => { try { (0, eval)('1'); return 'out'; } catch (e) { return e.name === 'ReferenceError' ? 'held' : e.name; } };
//# OK Function is no name
export default (ctx) => { try { new Function('return 1')(); return 'out'; } catch (e) { return e.name === 'ReferenceError' ? 'held' : e.name; } };
//# OK import of data
export default async (ctx) => { try { await import('data:text/javascript,export default 1'); return 'out'; } catch (e) { return e.name === 'TypeError' ? 'held' : e.name; } };
//# OK import of a host's module
export default async (ctx) => { try { await import('node:fs'); return 'out'; } catch (e) { return e.name === 'TypeError' ? 'held' : e.name; } };
//# OK import by a text that is made
export default async (ctx) => { try { await import('no' + 'de:child_process'); return 'out'; } catch (e) { return e.name === 'TypeError' ? 'held' : e.name; } };
//# OK import out of the bundle
export default async (ctx) => { try { await import('../../../../etc/passwd'); return 'out'; } catch (e) { return e.name === 'TypeError' ? 'held' : e.name; } };
//# OK import by a specifier that is an object
export default async (ctx) => { try { await import({ toString() { return 'https://example.org/x.js'; } }); return 'out'; } catch (e) { return e.name === 'TypeError' ? 'held' : e.name; } };
