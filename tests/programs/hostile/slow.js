//# FUEL a loop of sorts
export default () => { const a = [...Array(1000).keys()]; for (;;) a.sort((x, y) => y - x); };
//# OK a sort of many
export default () => { const a = Array.from({ length: 100000 }, (_, i) => (i * 7919) % 100003); a.sort(); return a.length === 100000 ? 'held' : 'out'; };
//# TIMEOUT a text that is searched in a loop
export default () => { const s = 'ab'.repeat(10000); for (;;) s.indexOf('c'); };
//# TIMEOUT a pattern that goes back
export default () => /^(a+)+$/.test('a'.repeat(40) + 'b');
//# TIMEOUT alternatives that go back
export default () => /^(a|a)*$/.test('a'.repeat(40) + 'b');
//# FUEL a search of what says it is long
export default () => [].indexOf.call({ length: 2 ** 53 - 1 }, 1);
//# FUEL includes of what says it is long
export default () => [].includes.call({ length: 2 ** 53 - 1 }, 1);
//# FUEL reverse of what says it is long
export default () => [].reverse.call({ length: 2 ** 53 - 1 });
//# FUEL a sort of what says it is long
export default () => [].sort.call({ length: 2 ** 53 - 1 });
//# FUEL a sorted copy of what is long and empty
export default () => { const a = []; a.length = 2 ** 32 - 1; return a.sort().length; };
//# FUEL sorts without a comparator
export default () => { const a = [...Array(2000).keys()]; for (;;) { a.reverse(); a.sort(); } };
//# FUEL a walk over what says it is long
export default () => [].forEach.call({ length: 2 ** 53 - 1 }, () => {});
//# FUEL items that are put before what says it is long
export default () => [].unshift.call({ length: 2 ** 52 }, 1);
//# FUEL the first of what is long and empty is taken
export default () => { const a = []; a.length = 2 ** 32 - 1; return a.shift(); };
//# FUEL a part of what says it is long is copied
export default () => [].copyWithin.call({ length: 2 ** 53 - 1 }, 0, 5);
//# FUEL what says it is long is reduced from its end
export default () => { try { return [].reduceRight.call({ length: 2 ** 53 - 1 }, (a) => a); } catch { return 'caught'; } };
