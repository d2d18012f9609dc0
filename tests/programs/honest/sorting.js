//# a comparator that is no order gives a permutation
export default () => {
  let seed = 7;
  const dice = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const out = [];
  for (const n of [0, 1, 2, 3, 20, 21, 50, 333]) {
    const list = Array.from({ length: n }, (_, i) => i);
    const sorted = [...list].sort(() => dice() - 0.5);
    out.push(sorted.length === n && [...sorted].sort((a, b) => a - b).every((x, i) => x === i));
  }
  return out;
};
//# always smaller, always larger, never a number
export default () => [-1, 1, NaN, undefined, 'x', null].map((answer) => [...Array(60).keys()].sort(() => answer).sort((a, b) => a - b).length);
//# stable
export default () => {
  const rows = Array.from({ length: 120 }, (_, i) => ({ k: i % 7, i }));
  return rows.sort((a, b) => a.k - b.k).map((r) => r.i);
};
//# default order is by text
export default () => [[10, 9, 1, 2, 100, -1, -10].sort(), ['é', 'e', 'z', 'Z', '\u{1F600}', '\uFFFF', ''].sort(), [true, null, undefined, 'n', 3, , [2], { a: 1 }].sort().map(String)];
//# holes and undefined go to the end
export default () => { const a = [3, , 1, undefined, 2, , 0]; a.sort((x, y) => y - x); return [a.length, Object.keys(a), a.map(String)]; };
//# sort of what is like an array
export default () => { const o = { length: 4, 0: 'd', 1: 'b', 3: 'a', 5: 'z' }; const same = Array.prototype.sort.call(o) === o; return [same, o, Object.keys(o)]; };
//# toSorted leaves its array
export default () => { const a = [3, 1, , 2]; const b = a.toSorted(); return [a.length, 2 in a, b, 3 in b, a === b]; };
//# typed arrays by number
export default () => [
  [...new Float64Array([3, NaN, -0, 0, -Infinity, 1e-9]).sort()].map((x) => (Object.is(x, -0) ? '-0' : String(x))),
  [...new Int8Array([5, -3, 100, -128]).sort()], [...new Uint8Array([5, 3, 200]).toSorted((a, b) => b - a)],
  [...new BigInt64Array([5n, -3n, 0n]).sort()].map(String), new Uint16Array([2, 1]).toSorted().constructor.name,
];
//# a comparator that throws leaves the array as it was
export default () => { const a = [3, 2, 1, 5, 4]; let n = 0; try { a.sort(() => { if (++n > 2) throw new Error('stop'); return -1; }); } catch (e) { return [e.message, a]; } };
//# a comparator that is none
export default () => [null, 1, 'x', {}].map((c) => { try { [2, 1].sort(c); return 'sorted'; } catch (e) { return e.name; } });
//# a comparator that changes the array
export default () => { const a = [5, 4, 3, 2, 1]; a.sort((x, y) => { a.length = 0; return x - y; }); return a; };
//# a comparator of big numbers and texts
export default () => [[3n, 1n, 2n].sort((a, b) => (a < b ? -1 : 1)).map(String), ['b10', 'b9', 'a'].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))];
//# what sort is
export default () => [[].sort.length, [].sort.name, [].toSorted.length, Object.getOwnPropertyDescriptor(Array.prototype, 'sort').enumerable, new Int8Array(1).sort.name];
//# sort by several keys
export default () => {
  const people = [['Åsa', 3], ['Bo', 1], ['Åsa', 1], ['Cy', 2], ['Bo', 0]].map(([name, n]) => ({ name, n }));
  return people.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.n - b.n)).map((p) => p.name + p.n);
};
