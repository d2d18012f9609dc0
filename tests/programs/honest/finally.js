//# break in finally behind a throw
export default () => { const log = []; for (let i = 0; i < 3; i++) { try { throw new Error('x' + i); } finally { log.push(i); break; } } return log; };
//# continue in finally behind a throw
export default () => { const log = []; for (let i = 0; i < 3; i++) { try { log.push('t'); throw new Error('x' + i); } finally { log.push(i); continue; } } log.push('end'); return log; };
//# continue in finally behind a throw from a call
export default () => { const log = []; const f = () => { throw 1; }; for (const i of [1, 2, 3]) { try { f(); } finally { log.push(i); if (i < 3) continue; break; } } try { f(); } catch (e) { log.push('caught', e); } return log; };
//# break to a label in finally behind a throw
export default () => { const log = []; outer: for (let i = 0; i < 3; i++) { for (const j of [1, 2]) { try { if (j === 1) throw i; log.push('no'); } finally { log.push(i, j); if (i < 2) continue outer; break outer; } } } return log; };
//# break in finally behind a rethrow
export default () => { const log = []; while (true) { try { try { throw 1; } catch (e) { log.push(e); throw 2; } finally { log.push('f'); } } catch (e) { log.push(e); throw 3; } finally { log.push('g'); break; } } return log; };
//# break in finally behind a return
export default () => { const f = () => { for (;;) { try { return 'r'; } finally { break; } } return 'after'; }; const g = () => { for (let i = 0; i < 2; i++) { try { return i; } finally { continue; } } return 'last'; }; return [f(), g()]; };
//# a finally that is left keeps nothing of its throw
export default () => { const f = (k) => { l: try { if (k) throw 'gone'; return 'kept'; } finally { if (k) break l; } return 'after'; }; const r = [f(1), f(0)]; let e = 'none'; try { r.push(f(1)); } finally { r.push(e); } return r; };
//# return in finally behind a throw in loops
export default () => { const f = () => { for (const x of [1, 2, 3]) { try { throw x; } finally { if (x === 2) return 'returned'; continue; } } return 'no'; }; return f(); };
//# break in finally inside finally
export default () => { const log = []; for (let i = 0; i < 2; i++) { try { throw 'a'; } finally { for (;;) { try { throw 'b'; } finally { log.push(i); break; } } log.push('on'); continue; } } return log; };
//# a throw goes on behind a finally that loops
export default () => { const log = []; try { try { throw 'a'; } finally { for (const x of [1, 2, 3]) { if (x === 2) break; log.push(x); } } } catch (e) { log.push(e); } return log; };
//# continue in finally behind a throw in a generator
export default () => { function* g() { for (let i = 0; i < 3; i++) { try { yield i; throw i; } finally { yield 'f' + i; continue; } } } return [...g()]; };
//# break in finally behind a throw in async code
export default async () => { const log = []; for (let i = 0; i < 3; i++) { try { await null; throw i; } finally { await null; log.push(i); if (i === 1) break; continue; } } return log; };
//# break in switch in finally behind a throw
export default () => { const log = []; for (const x of [1, 2]) { try { try { throw x; } finally { switch (x) { case 1: log.push('one'); break; default: log.push('two'); } } } catch (e) { log.push(e); } } return log; };
//# break out of a switch with finally behind a throw
export default () => { const f = (x) => { switch (x) { case 1: try { throw 1; } finally { break; } case 2: return 'two'; } return 'after'; }; return [f(1), f(2), f(3)]; };
//# a catch without a name and a finally that is left
export default () => { const log = []; do { try { null.x; } catch { log.push('c'); throw 4; } finally { log.push('f'); continue; } } while (log.length < 4); return log; };
//# what a catch throws or returns waits for a finally that catches something itself
export default () => { const log = []; const f = (k) => { try { if (k) throw 'a'; return 'r'; } catch (e) { if (k === 1) throw e + 'b'; return e; } finally { try { throw 'c'; } catch (e) { log.push(e); } } }; for (const k of [0, 1, 2]) { try { log.push(f(k)); } catch (e) { log.push(['out', e]); } } l: try { throw 1; } catch (e) { break l; } finally { log.push('f'); } return log; };
//# a value that waits while a finally catches
export default async () => {
  const log = [];
  const fail = (x) => { throw x; };
  const caught = () => { try { return 'value'; } finally { try { fail(1); } catch (e) { log.push(e); } } };
  const parsed = (text) => { try { return [text]; } finally { log.push('last')
    try { JSON.parse(text, () => fail('reviver')); } catch { log.push('caught'); } finally { log.push('inner'); } } };
  const ended = () => { try { return 'ended'; } finally { for (const x of [1, 2, 3]) { try { fail(x); } catch (e) { l: { if (e === 2) break l; log.push(e); } } } } };
  const swallowed = () => { try { return 'swallowed'; } finally { do { try { fail(1); } finally { log.push('swallow'); } } while (log.length < 0 && fail(2)); } };
  const self = { name: 'self', m(...all) { try { return all.length; } finally { try { fail(this.name); } catch (e) { log.push(e, arguments.length); } } } };
  const late = async () => { try { await null; return 'late'; } finally { try { fail('late'); } catch (e) { log.push(e); } } };
  const made = function* () { try { yield 1; return 'made'; } finally { try { fail('made'); } catch (e) { log.push(e); } } };
  const it = made(); it.next();
  let kept; try { kept = swallowed(); } catch (e) { log.push('thrown', e); }
  return [caught(), parsed('[1]'), ended(), kept ?? null, self.m(1, 2), await late(), it.next(), log];
};
