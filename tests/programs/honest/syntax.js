//# sources of regular expressions
export default () => [/[/]/.source, /[/]\//.source, /a\/b/.source, new RegExp('/').source, new RegExp('[/]').source, new RegExp('').source, new RegExp('\n').source, String(/[/]/g), /\[/.source, /[\]/]/.source, new RegExp('\\/').source, new RegExp('[^/]/').source, '/'.replace(/[/]/, 'x')];
//# a pattern of many groups
export default () => { const deep = '(?:'.repeat(250) + 'a' + ')'.repeat(250); return new RegExp(deep).test('a'); };
//# computed keys with defaults in parameters of arrows
export default () => { const k = 'a'; const f = ({ [k]: x = 1 }) => x; const g = ({ [k + 'b']: y = 2, [k]: z }) => [y, z]; const h = ({ [k]: { [k]: deep = 3 } = {} }) => deep; const i = ([{ [k]: w = 4 }]) => w; return [f({}), f({ a: 5 }), g({ ab: 6 }), g({ a: 1 }), h({}), h({ a: { a: 9 } }), i([{}])]; };
//# computed keys with defaults in parameters of functions
export default async () => { const k = 'a'; function f({ [k]: x = 1 }) { return x; } const g = async ({ [k]: x = 2 }) => x; const h = async ({ [k]: [x = 3] = [] }, { [k]: y = x } = {}) => [x, y]; class A { m({ [k]: x = 4 }) { return x; } set s({ [k]: x = 5 }) { this.v = x; } } const a = new A(); a.s = {}; const { [k]: top = 6 } = {}; let q; ({ [k]: q = 7 } = {}); for (const { [k]: each = 8 } of [{}]) q += each; return [f({}), await g({}), await h({}), a.m({}), a.v, top, q]; };
//# keys of every sort with defaults in parameters of arrows
export default () => { const f = ({ 'a b': x = 1, 5: y = 2, z: w = 3, v = 4, [Symbol.iterator]: u = 5, [`t`]: t = 6, ...rest }) => [x, y, w, v, typeof u, t, rest]; const order = []; const g = ({ [(order.push('k1'), 'a')]: x = order.push('d1'), [(order.push('k2'), 'b')]: y = order.push('d2') }) => [x, y]; return [f({}), f({ 'a b': 9, 5: 8, z: 7, v: 6, t: 5, more: 1 }), g({ b: 0 }), order]; };
//# numbers as keys, and the length of arrows with computed keys
export default () => { const k = 'a'; let v, w; ({ 0: v = 7, 1.5: w = v, 2n: v = w } = { 1.5: 4 }); let i, j; ({ 0: i = 7, '1': j = 8 } = 'ab'); const h = ({ 1: x = 5, '0': y = 6 }) => [x, y]; const f = ({ 0: x = 3, [k]: y = 2 }, z, ...rest) => [x, y, z, rest]; const g = ({ [k]: y = 2 }, z = 1) => [y, z]; return [v, w, i, j, h('cd'), h([1, 2]), h.length, f.length, g.length, f([5], 6, 7), g({}), (({ [k]: q = 1 } = {}) => q).length]; };
