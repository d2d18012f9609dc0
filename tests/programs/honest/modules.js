//# a default export between comments
export default /* default */ async /* async */ () => 'read';
//# a default export that is an async arrow of one name
export default async x => [typeof await x, await 5].slice(1);
//# a default export in parentheses
export default (async () => 'in parentheses');
//# a function that is not exported
function run() { return 'found'; }
//# a name of ours is another's
const run = () => 1;
export const holdpointEntry_run = () => 'theirs';
export { run };
//# names that look like the metering's
const $0 = 1, $0s = 2, $0e = (x) => x + 1, $1 = 3, $s = 4;
export default () => [$0, $0s, $0e(5), $1, $s, ((\u00240_run) => $0_run)(6)];
//# a module that awaits
const n = await Promise.resolve(4);
export default () => n + 1;
//# exports of many kinds
export const a = 1; export let b = 2; export function c() { return a + b; } export class D { e() { return c(); } } const f = 3; export { f as g, f as "a name" };
export default function named() { b++; return [new D().e(), named.name]; }
//# strict code
'use strict';
export default function () { 'use strict'; try { undefinedName = 1; return 'sloppy'; } catch (e) { return [e.name, typeof this]; } }
//# the name of a default export
const holder = { f: null };
export default function () { return 'anonymous'; }
//# a chain of conditions
export default () => { const f = (x) => { if (x === 0) return 'zero'; else if (x === 1) return 'one'; else if (x === 2) { return 'two'; } else if (x === 3) return 'three'; else return 'many'; }; return [0, 1, 2, 3, 4].map(f); };
