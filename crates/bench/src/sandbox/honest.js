//# calls: fibonacci numbers
const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); export default () => fib(23);
//# loops over numbers
export default () => { let sum = 0; for (let i = 0; i < 400000; i++) { sum = (sum * 31 + i) % 1000003; } return sum; };
//# rows: group, sum, sort
export default () => { const rows = Array.from({ length: 20000 }, (_, i) => ({ storey: 'S' + (i % 40), area: (i * 7919) % 1000 })); const by = new Map(); for (const { storey, area } of rows) { const had = by.get(storey) ?? { storey, count: 0, area: 0 }; had.count += 1; had.area += area; by.set(storey, had); } return [...by.values()].sort((a, b) => b.area - a.area).slice(0, 3); };
//# texts: split, replace, join
export default () => { const words = []; for (let i = 0; i < 20000; i++) words.push(`Wall ${i % 97}-${i}`.replace('-', ':').toUpperCase()); return words.join(' ').split(' ').length; };
//# objects: classes and spread
class P { #n; constructor(n) { this.#n = n; } get n() { return this.#n; } more(k) { return new P(this.#n + k); } } export default () => { let p = new P(0), o = {}; for (let i = 0; i < 30000; i++) { p = p.more(i % 3); o = { ...o, ['k' + (i % 8)]: p.n }; } return [p.n, o]; };
