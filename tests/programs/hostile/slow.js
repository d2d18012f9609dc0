//# FUEL/TIMEOUT a loop of sorts
export default () => { const a = [...Array(1000).keys()]; for (;;) a.sort((x, y) => y - x); };
//# OK a sort of many
export default () => { const a = Array.from({ length: 100000 }, (_, i) => (i * 7919) % 100003); a.sort(); return a.length === 100000 ? 'held' : 'out'; };
//# FUEL/TIMEOUT a text that is searched in a loop
export default () => { const s = 'ab'.repeat(10000); for (;;) s.indexOf('c'); };
//# TIMEOUT a pattern that goes back
export default () => /^(a+)+$/.test('a'.repeat(40) + 'b');
//# TIMEOUT alternatives that go back
export default () => /^(a|a)*$/.test('a'.repeat(40) + 'b');
//# TIMEOUT a search of what says it is long
export default () => [].indexOf.call({ length: 2 ** 53 - 1 }, 1);
//# TIMEOUT includes of what says it is long
export default () => [].includes.call({ length: 2 ** 53 - 1 }, 1);
//# TIMEOUT reverse of what says it is long
export default () => [].reverse.call({ length: 2 ** 53 - 1 });
