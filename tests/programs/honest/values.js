//# numbers as text
export default () => [0.1 + 0.2, 1e21, 1e-7, -0, 123456789012345680000, 5e-324, 1.7976931348623157e308, (25).toString(2), (255).toString(16), (-7.5).toString(2), (0.1).toFixed(20), (1e21).toFixed(2), (1234.5678).toExponential(2), (0.000123).toPrecision(2), (1.005).toFixed(2), (25).toString(36), 0.1.toString(3).slice(0, 12), 1 / 3].map(String);
//# numbers from text
export default () => ['', ' 12 ', '0x1F', '0b11', '1e3', '1_000', '.5', '5.', '+-1', 'Infinity', '\n7\u00a0', '1n', '0o17', '--1', '1e1000'].map((t) => [String(Number(t)), String(parseFloat(t)), String(parseInt(t, 10))]);
//# arithmetic at the edges
export default () => [7 % -3, -7 % 3, 5.5 % 2, 2 ** -1, (-2) ** 3, 1 << 33, -1 >>> 0, -9 >> 1, 2 ** 53 + 1, ~~-3.7, 0 / 0, -1 / 0, 0.1 * 3, 5 & 3 | 8 ^ 1, Math.round(-0.5), Math.round(2.5), Math.sign(-0), Math.hypot(3, 4), Math.trunc(-4.7), Math.cbrt(27), Math.fround(5.5), Math.clz32(1), Math.imul(0xffffffff, 5), Math.max(), Math.min(), Math.atan2(1, 1).toFixed(6), Math.log1p(1e-10).toPrecision(5)].map((x) => (Object.is(x, -0) ? '-0' : String(x)));
//# big integers
export default () => [2n ** 100n, -7n / 2n, -7n % 3n, BigInt('0xff'), BigInt.asUintN(8, 257n), BigInt.asIntN(8, 255n), 5n << 70n, -5n >> 1n, 10n > 9, 2n == 2, typeof 1n, (123n).toString(7), 0n === -0n, 3n & 5n, ~5n, BigInt(2 ** 60)].map(String);
//# equality and conversion
export default () => [[] + [], [] + {}, [] == '', null == 0, null >= 0, NaN != NaN, '2' > '12', 2 < '12', [2] == 2, ({}) == '[object Object]', '1' + 1 - 1, true + true, +[], +{}, !!'0', typeof null, void 0, [1, [2, [3]]].toString(), `${[null, undefined, 1]}`, Object.is(NaN, NaN), 1 < 2 < 3, 3 > 2 > 1, 'b' + 'a' + +'a' + 'a'].map(String);
//# texts
export default () => ['abc'.at(-1), 'abc'.slice(-2), 'abc'.substring(2, 0), 'a-b-c'.split('-', 2), 'aXbX'.replaceAll('X', '$&$&'), 'x'.padStart(5, 'ab'), ' t '.trim() + '|', 'ß'.toUpperCase(), 'İ'.toLowerCase().length, 'abc'.localeCompare('abd') < 0, '\u{1F600}'.codePointAt(0), '\u{1F600}'.charCodeAt(1), 'e\u0301'.normalize('NFC').length, 'abcabc'.lastIndexOf('c', 4), 'a,b'.concat(1, null), 'abc'.includes('bc', 2), 'x'.repeat(3), [...'añ'].length, 'ab\ud800'.isWellFormed?.(), 'z'.codePointAt(5), 'aaa'.replace('a', () => '$1')].map(String);
//# regular expressions
export default () => [/(\d+)-(?<n>\w+)/.exec('12-ab').groups.n, 'a1b22'.replace(/\d+/g, (m, i) => `<${m}@${i}>`), 'aBc'.match(/b/i).index, [...'a1b2'.matchAll(/[a-z](\d)/g)].map((m) => m[1]), 'x'.match(/y/), /^.$/u.test('\u{1F600}'), /^.$/.test('\u{1F600}'), 'a\nb'.match(/^b/m)[0], /(?<=\$)\d+/.exec('$42')[0], /(?!a)b/.test('ab'), /a.c/s.test('a\nc'), '2024-01-05'.replace(/(?<y>\d+)-(?<m>\d+)/, '$<m>/$<y>'), /\bfoo\b/.test('a foo b'), 'aaa'.lastIndexOf(/x/), 'a.b*c'.split(/[.*]/), /(a)|(b)/.exec('b').map(String), /\p{Lu}/u.test('Å'), /[\u0400-\u04ff]+/.exec('да')[0], 'abab'.search(/ba/), /(\w)\1/.exec('hello')[0], /a{2,3}?/.exec('aaaa')[0], 'x'.replace(/x/, '$$'), /(?:)/.source, String(new RegExp('/', 'g'))].map(String);
//# a sticky and a global expression remember
export default () => { const g = /a/g, y = /a/y; const out = [g.test('aa'), g.lastIndex, g.test('aa'), g.lastIndex, g.test('aa'), g.lastIndex, y.test('ba'), y.lastIndex]; y.lastIndex = 1; out.push(y.test('ba')); return out; };
//# JSON
export default () => [JSON.stringify({ a: undefined, b: () => 1, c: Symbol('s'), d: NaN, e: [undefined, , null], f: new Date(0), g: 'q"\u2028\ud800\n', h: { toJSON: (k) => 'json ' + k }, i: Infinity, j: -0, k: Object('s'), l: [[]] }), JSON.stringify([1, { a: [] }], null, 2), JSON.stringify({ b: 1, a: { b: 2, c: 3 } }, ['b', 'a']), JSON.stringify({ a: 1, b: 'x' }, (k, v) => (typeof v === 'number' ? v + 1 : v), '--'), JSON.parse('[1,{"__proto__":2,"a":1e2}]', (k, v) => (k === 'a' ? v + 1 : v)), JSON.stringify('\u007f\u0000'), JSON.stringify(undefined) === undefined, JSON.stringify({ [Symbol('x')]: 1 }), JSON.parse(' "\\u0041\\n" '), JSON.stringify(Object.create({ inherited: 1 }))];
//# JSON that is none
export default () => ['{a:1}', "'x'", '[1,]', '01', '1.', '"\n"', 'NaN', '', '{"a":1', '[1] 2', '"\\x41"', 'nul', '-', '\u00a01'].map((t) => { try { return JSON.parse(t); } catch (e) { return e.name; } });
//# dates
export default () => [new Date(0).toISOString(), new Date(2024, 0, 31, 12).getDate(), Date.UTC(2024, 1, 29), new Date('2024-02-30').getTime(), new Date('2024-01-05T10:00:00+02:00').toISOString(), new Date(8.64e15 + 1).getTime(), new Date(2024, 12, 1).getUTCFullYear(), new Date('2024-03-10').getUTCDay(), new Date(NaN).toJSON(), (() => { const d = new Date(Date.UTC(2024, 0, 31)); d.setUTCMonth(1); return d.toISOString(); })(), new Date(-1).toISOString(), new Date('+010000-01-01T00:00:00Z').toISOString(), new Date(2020, 5).getMonth(), Date.parse('2011-10-10T14:48:00.000+09:00'), new Date(Date.UTC(99, 0)).getUTCFullYear()].map(String);
//# maps and sets
export default () => { const m = new Map([[NaN, 'nan'], [0, 'zero'], ['0', 'text']]); const k = {}; m.set(k, 1).set(-0, 'minus'); const s = new Set([1, 1, '1', NaN, NaN]); const w = new WeakMap([[k, 'weak']]); const g = Object.groupBy ? Object.groupBy([1, 2, 3], (x) => (x % 2 ? 'odd' : 'even')) : { odd: [1, 3], even: [2] }; return [m.get(NaN), m.get(0), m.size, m.has(k), m.delete('0'), [...m.keys()].length, s.size, [...s].map(String), w.get(k), w.has({}), g.odd, [...new Set([3, 1, 3])], new Map([[1, { a: 2 }]]).get(1).a]; };
//# arrays
export default () => { const a = [5, 1, 4]; return [a.with(1, 9), a.toReversed(), a.toSpliced(1, 1, 'x', 'y'), a.findLast((x) => x > 3), a.indexOf(4), [1, [2, [3, [4]]]].flat(Infinity), [1, 2].flatMap((x) => [x, [x]]), Array.of(7).length, a.copyWithin(0, 1), [, 1].includes(undefined), [3, 2, 1].reduceRight((x, y) => x + '-' + y), [1, 2, 3].splice(-2, 1), Array.isArray(Array.prototype), [..."ab"].entries().next(), a.at(-1), [1, 2, 3, 4].lastIndexOf(3, -2), [0, 1].some(Boolean), [].every(Boolean), new Array(3).fill().map((_, i) => i), Array.from('ab', (c, i) => c + i), [1, 2, 3].join(), [null, [undefined]].join('-'), [[1, 2], [3]].concat(4, [5]), a.length = 1, a]; };
//# array lengths and holes
export default () => { const a = [1, , 3]; a[5] = 6; const b = [1, 2, 3]; b.length = 1; b[3] = 4; return [a.length, Object.keys(a), a.map((x) => x * 2).length, a.forEach.call({ length: 2, 1: 'x' }, () => {}) === undefined, b.map(String), JSON.stringify(b), 1 in a, a.indexOf(undefined), a.findIndex((x) => x === undefined), a.filter(() => true), [...a].length, a.reduce((x, y) => x + y)]; };
//# typed arrays and buffers
export default () => { const b = new ArrayBuffer(8); const v = new DataView(b); v.setInt16(0, -2); v.setFloat32(4, 1.5, true); const u = new Uint8Array(b); return [[...u], [...new Int16Array(b, 0, 2)], new Uint8ClampedArray([300, -5, 1.5])[0], [...new Float32Array([0.1])][0], [...u.subarray(4, 6)], [...u.slice(-2)], u.byteLength, v.getUint16(0), [...Uint8Array.from([1, 2], (x) => x * 2)], [...new Uint8Array([1, 2, 3]).with(1, 7)], u.indexOf(254), [...new Uint16Array([1, 2, 3]).reverse()], new Uint8Array([5, 6]).join('+')]; };
//# destructuring
export default () => { const [a, , b = 'd', ...c] = [1, 2, undefined, 4, 5]; const { x: { y: [z] = [9] } = {}, ...rest } = { q: 1, r: 2 }; let p = 1, q = 2; [p, q] = [q, p]; const o = {}; [o.a, o['b'], ...o.c] = 'wxyz'; ({ k: o.d = 5, [`${'m'}`]: o.e, 0: o.f, 'str key': o.g } = { m: 6, 0: 'zero', 'str key': 's' }); const f = ({ n: { m = 1 } = {}, l } = {}) => [m, l]; for (const { i, j = i } of [{ i: 1 }]) o.h = j; return [a, b, c, z, rest, p, q, o, f(), f({ l: 2, n: { m: 3 } })]; };
//# object functions
export default () => { const o = Object.defineProperties({}, { a: { value: 1, enumerable: true }, b: { get: () => 2 } }); return [Object.getOwnPropertyDescriptors(o).a, Object.isFrozen(Object.freeze([1])), Object.entries({ x: 1 }), { ...null, ...'ab', ...[9] }, Object.assign({ a: 1 }, null, { b: 2 }), Object.hasOwn(o, 'b'), Object.getOwnPropertyNames(o), Object.isSealed(Object.seal({})), Object.keys(Object.preventExtensions({ q: 1 })), Object.is(0, -0), typeof structuredClone === 'x']; };
//# symbols
export default () => { const s = Symbol('d'); const o = { [s]: 1, [Symbol.isConcatSpreadable]: true, length: 2, 0: 'x', 1: 'y' }; return [s.description, s.toString(), Symbol.for('k') === Symbol.for('k'), Symbol.keyFor(Symbol.for('k')), Object.getOwnPropertySymbols(o).length, [].concat(o), typeof s, Symbol.iterator in [], JSON.stringify({ [s]: 1 })]; };
//# dates by their parts
export default () => { const d = new Date(Date.UTC(2026, 1, 28, 23, 59, 59, 999)); d.setUTCDate(30); const e = new Date(d); e.setUTCHours(25, 61, 61); return [d.toISOString(), e.toISOString(), d.getTime() - e.getTime(), d.getUTCDay(), new Date(2026, 0, 1) - new Date(2025, 0, 1), JSON.stringify({ d }), new Date('2026-01-01') < new Date('2026-01-02')].map(String); };
//# uri functions
export default () => [encodeURIComponent('å b&c/ü?😀'), encodeURI('å b&c/?#'), decodeURIComponent('%C3%A5%20b'), decodeURI('%2F%C3%A5'), isNaN('x'), isFinite('5'), parseInt('12px'), parseFloat('3.14abc'), Number.isInteger(5.0), Number.isSafeInteger(2 ** 53), Number.EPSILON > 0, Number.parseFloat === parseFloat];
//# comments and odd spacing
export default () => { const o = { a: { b: 1 } }; const x = o /* . */ . /* b */ a // dot
  .b; const y = (o)
  .a
  ?.b; const z = ((o)).a.b; return [x, y, z, 1..toFixed(1), 1.0.toFixed(1), 5 .toString(), o.a.b/1, `${o.a.b}`, /[x]\.a/.source, ((o) /* ) */ ).a.b]; };
//# names in escapes and other letters
export default () => { const \u0061b = 1, åäö = { ключ: 2, 名: 3, \u{62}c: 4 }; const { ключ, 名: m, bc } = åäö; return [ab, åäö.ключ, ключ, m, bc, åäö.名, åäö.\u0062c]; };
//# keywords as members
export default () => { const o = { if: 1, class: 2, new: 3, null: 4, true: 5, typeof: 6, default: 7, await: 8, yield: 9, let: 10 }; const { if: a, class: b, default: c } = o; return [o.if, o.class, o.new, o.null, o.true, o.typeof, a, b, c, o.await, o.yield, o.let, o?.if]; };
//# characters of numbers beyond 64 bits
export default () => [String.fromCharCode(1e21, -1e21, 2 ** 63, 2 ** 64 + 2 ** 17, 65601, -65471.9, NaN, Infinity, '66', 97.9).split('').map((c) => c.charCodeAt(0)), String.fromCharCode.length];
//# digits of ties with an exponent
export default () => [(-2.25).toExponential(1), (2.5).toExponential(0), (25).toExponential(0), (35).toExponential(0), (0).toExponential(2), (-0).toExponential(), (1e-7).toExponential(3), (5e-324).toExponential(2), (123456).toExponential(), NaN.toExponential(200), (-Infinity).toExponential(), (99.95).toExponential(2), (1.5).toExponential(undefined)].concat([101, -1].map((n) => { try { return (1).toExponential(n); } catch (e) { return e.name; } }));
//# texts in the order of people
export default () => {
  const signs = [...'abzABZ09_- ,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$äåöéèêëüÄÅÖÉßøæØÆñçłđœ§£€–—·°²³½…', 'ab', 'Ab', 'aB', 'a b', 'a-b', 'äb', 'e\u0301', '', '\t', '\u00a0', '\u2003', '\ufeff', 'a\u200bb', '\u{1F600}', 'İ', 'ı', '\ud800', '\udc00x'];
  const words = ['Zebra', 'apple', 'Äpple', 'äpple', 'Wall 10', 'Wall 2', 'wall-1', 'wall_1', 'Wall', 'wall', 'résumé', 'resume', 'Resume', 'Östra', 'Ost', 'co-op', 'CO-OP', 'IfcWall', '10', '9', 'straße', 'strasse', '隔墙', '墙', 'дом', 'Дом'];
  return [signs.map((a) => signs.map((b) => a.localeCompare(b)).join('')), words.sort((a, b) => a.localeCompare(b, 'en')), 'a'.localeCompare(), ['b', 'undefined'].map((x) => x.localeCompare())];
};
//# numbers and dates for people
export default () => {
  const numbers = [0, -0, 1, 12, 123, 1234, 12345.678, 1234567.891, 0.0005, 0.00049, 1.0005, 2.0015, 999.9995, 999999.9999, -1234.5, 1e21, 5e-324, NaN, Infinity, -Infinity, -0.0001, 0.125, 12345678901234567890n, -5n];
  const dates = [0, 1e12, NaN, -1, Date.UTC(2024, 1, 29, 12, 0, 5), Date.UTC(2024, 11, 9, 23, 59, 59)].map((t) => new Date(t));
  return [numbers.map((n) => n.toLocaleString()), dates.map((d) => [d.toLocaleString(), d.toLocaleDateString('en-US'), d.toLocaleTimeString(), String(d), `${d}`, d + 1, d.toTimeString()]),
    Date().slice(24) === new Date().toString().slice(24), typeof Date(5), [1234.5, null, 'a', new Date(0), [1000, , 2]].toLocaleString(), new Float32Array([1234.5, 2]).toLocaleString(), ({}).toLocaleString(), (1234.5).toLocaleString('en-US')];
};
//# sizes beyond every text
export default () => [() => 'a'.repeat(Infinity), () => 'a'.repeat(-1), () => 'a'.padEnd(Infinity), () => 'a'.padStart(-Infinity), () => 'a'.repeat(NaN)].map((f) => { try { return f(); } catch (e) { return e.name; } });
//# dates in other texts
export default () => {
  const texts = ['2024/02/29', 'Feb 29, 2024', '29 February 2024 10:00', '2024-2-9', '2024-02-29 10:00', '2/29/2024', '29/2/2024', '29.02.2024', '1', '32', '100', 'Feb 2024', 'Sat Mar 2 2024 10:11:12 GMT+0200 (CEST)', '10:00', '2024-02-29 10:00:00.5', '2024-02-29 10:00:00.123456', '2024-02-29 13:00 PM', '2024-02-29 12:00 AM', 'May 5, 2024, 5:06 pm', '2024-02-31 10:00', '2024-13-01', 'foo 2024', '2024 foo', '10 \u00df', '\u00df 10', '2024/1/1 \u{1F600}', '2024/1/1 _', '2024/1/1 ~', '2024/1/1\u00a0', '\ud800 1', 'x1', '', '2024-02-29T25:00', '2024-02-29 24:00', '2024-02-29 10:00 UTC-3', '2024-02-29 10:00 EST', '1/1/24', '1/1/70', '(comment) 2024/1/1', '2024/1/1 (c', '2024/1/1)', '2024-1-1T10:00', '2024-01-01T10:00:00z', '2024-01-01t10:00:00', '2024-06-15T12:00:00.000+0530', '2024-06-15T12:00:00+', '2024-01-01T10:00 ', '2024-01-01T00:00:00+24:00', '7-Mar-2024', '1/2/3 4::5', '1/2/3 4:5:6 7', '1/1/275761', '2008-06-03 11:05:30 -0700', '1e3'];
  class Own extends Date {} const seen = []; const object = { [Symbol.toPrimitive](hint) { seen.push(hint); return '2024/1/2'; } };
  return [texts.map((text) => [new Date(text).getTime(), Date.parse(text)].map(String)), new Date(object).getTime(), seen, new Date([2024, 1]).getTime(), new Date(new Date(7)).getTime(), new Date(null).getTime(), new Own('2024-01-01').getTime(), new Date(2024, 1).getTime(), [1n, Symbol()].map((x) => { try { return new Date(x); } catch (e) { return e.name; } })];
};
