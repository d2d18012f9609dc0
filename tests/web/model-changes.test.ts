// What calls change in an open model is kept by record: it grows with what differs from the file, not with time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ModelChanges } from "../../www/core/src/sandbox/changes.ts";

const edit = (id: number, before: string | null, after: string | null) => ({ id, before, after });

test("a record that is changed again and again is kept once, from its first state to its last", () => {
  const changes = new ModelChanges();
  for (let at = 0; at < 10_000; at += 1)
    changes.add([edit(7, `#7=W('${at}');`, `#7=W('${at + 1}');`)]);
  assert.deepEqual(changes.list(), [edit(7, "#7=W('0');", "#7=W('10000');")]);
});

test("what is again as it was is no change: a value that was set back, an element that came and went", () => {
  const changes = new ModelChanges();
  changes.add([edit(7, "a", "b"), edit(900, null, "new")]);
  assert.equal(changes.size, 2);
  changes.add([edit(7, "b", "a"), edit(900, "new", null)]);
  assert.deepEqual([changes.size, changes.list()], [0, []]);
  changes.add([edit(7, "a", null)]);
  assert.deepEqual(changes.list(), [edit(7, "a", null)], "what is gone stays gone");
});

test("a copy goes its own way", () => {
  const changes = new ModelChanges();
  changes.add([edit(7, "a", "b")]);
  const copy = new ModelChanges(changes);
  copy.add([edit(7, "b", "c"), edit(8, "a", "b")]);
  assert.deepEqual(changes.list(), [edit(7, "a", "b")]);
  assert.equal(copy.size, 2);
  changes.add([edit(7, "b", "a")]);
  assert.equal(copy.size, 2);
});
