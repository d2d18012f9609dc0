//# MEMORY buffers that are kept
export default () => { const keep = []; for (;;) keep.push(new Uint8Array(65536)); };
//# MEMORY texts that are kept
export default () => { const keep = []; try { for (;;) keep.push('x'.repeat(1 << 20) + keep.length); } catch { return 'caught'; } };
//# MEMORY a text that doubles
export default () => { let s = 'x'; for (;;) s += s + 'y'; };
//# MEMORY repeat of a great count
export default () => { try { return 'x'.repeat(1 << 29).length; } catch { return 'caught'; } };
//# MEMORY padStart to a great length
export default () => 'x'.padStart(1 << 29, 'ab').length;
//# MEMORY padEnd to a great length
export default () => 'x'.padEnd(1 << 29).length;
//# MEMORY join of what says it is long
export default () => [].join.call({ length: 2 ** 53 - 1 });
//# MEMORY join of an array that is long
export default () => { const a = []; a.length = 2 ** 32 - 1; return a.join('xxxx').length; };
//# MEMORY fill of an array that is long
export default () => new Array(2 ** 31).fill(1).length;
//# MEMORY Array.from of what says it is long
export default () => Array.from({ length: 2 ** 31 }).length;
//# TIMEOUT spreads of what is long and empty
export default () => { const a = []; a.length = 2 ** 21; for (;;) [...a, ...a].length; };
//# MEMORY concat of what says it is long
export default () => { let a = new Array(1 << 20).fill(1); for (let i = 0; i < 12; i++) a = a.concat(a); return a.length; };
//# MEMORY objects that are kept
export default () => { const keep = []; for (;;) keep.push({ keep, n: keep.length }); };
//# MEMORY closures that are kept
export default () => { const keep = []; for (;;) { const n = keep.length; keep.push(() => n); } };
//# MEMORY a map that grows
export default () => { const m = new Map(); for (let i = 0; ; i++) m.set(i, [i]); };
//# MEMORY a set of texts that grows
export default () => { const s = new Set(); for (let i = 0; ; i++) s.add('key ' + i); };
//# MEMORY an object that grows
export default () => { const o = {}; for (let i = 0; ; i++) o['k' + i] = i; };
//# MEMORY promises that are kept
export default async () => { const keep = []; for (;;) keep.push(new Promise(() => {}), Promise.resolve([keep.length])); };
//# MEMORY texts behind an await
export default async () => { const keep = []; for (;;) { keep.push('y'.repeat(100000) + keep.length); await null; } };
//# MEMORY split of a long text
export default () => { let s = 'ab'.repeat(1 << 20); const k = []; for (;;) k.push(s.split('')); };
//# MEMORY a sparse array that is made dense
export default () => Array.apply(null, { length: 1 << 24 }).length;
//# MEMORY toSpliced, with and toReversed of what is long
export default () => { const a = []; a.length = 2 ** 31; return a.toReversed().length; };
//# MEMORY flat of arrays in arrays
export default () => { let a = [1, 1]; for (let i = 0; i < 30; i++) a = [a, a]; return a.flat(Infinity).length; };
//# MEMORY replaceAll that grows
export default () => { let s = 'a'; for (;;) s = s.replaceAll('a', 'aa'); };
//# MEMORY big integers that grow
export default () => { let n = 3n; for (;;) n <<= 4194304n; };
//# TIMEOUT big integers that are multiplied
export default () => { const n = (3n << 8388608n) / 7n; for (;;) n * n; };
//# MEMORY JSON of shared parts
export default () => { let o = { a: 'x'.repeat(4096) }; for (let i = 0; i < 30; i++) o = [o, o]; return JSON.stringify(o).length; };
//# MEMORY from a text that is long
export default () => Array.from('x'.repeat(1 << 23)).length;
//# THREW a buffer that is too long
export default () => new ArrayBuffer(2 ** 40).byteLength;
//# THREW a typed array that is too long
export default () => new Float64Array(2 ** 32).length;
//# THREW an array of a length that is none
export default () => new Array(-1);
//# MEMORY apply with what says it is long
export default () => Math.max.apply(null, { length: 2 ** 32 - 1 });
//# MEMORY a list from what is long and empty
export default () => { const a = []; a.length = 2 ** 31; return Array.from(a).length; };
//# MEMORY a map of what is long and empty
export default () => { const a = []; a.length = 2 ** 31; return a.map((x) => x).length; };
//# MEMORY a big integer of many bits
export default () => BigInt.asUintN(2 ** 40, -1n);
//# MEMORY a text of two bytes a character that is repeated
export default () => '\u0101'.repeat(12000000).length;
//# MEMORY a text that is replaced by longer ones
export default () => 'a'.repeat(100000).replaceAll('a', 'b'.repeat(1000)).length;
//# MEMORY flat of what holds itself
export default () => { const a = [1, 2]; a.push(a); return a.flat(Infinity).length; };
//# THREW bytes from what says it is long
export default () => Uint8Array.from({ length: 2 ** 30 }).length;
//# MEMORY a text that is written by its parts
export default () => String.raw({ raw: { length: 2 ** 40 } }, 1).length;
