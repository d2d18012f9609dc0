// One tab writes to a change: the device's store refuses the others, with locks and without.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Claim, Store } from "@holdpoint/core/types";
import { Held } from "../../www/app/src/pages/model/held.ts";

const kept = new Map<string, unknown>();
const claims = new Map<string, number>();

/** As the device's store: a claim that is not the newest writes nothing. */
const fenced = async <T>(claim: Claim | undefined, write: () => T): Promise<T> => {
  if (claim && claims.get(claim.record) !== claim.number)
    throw Object.assign(new Error("replaced"), { code: "WRITER_REPLACED" });
  return write();
};
const store: Store = {
  name: "of ada",
  get: async <T>(_: string, key: string) => kept.get(key) as T | undefined,
  keys: async () => [...kept.keys()],
  put: (_, key, value, claim) => fenced(claim, () => void kept.set(key, value)),
  delete: (_, key, claim) => fenced(claim, () => void kept.delete(key)),
  update: (_, key, change, claim) =>
    fenced(claim, () => {
      const value = change(kept.get(key) as undefined);
      kept.set(key, value);
      return value;
    }),
  claim: async (record) => {
    const number = (claims.get(record) ?? 0) + 1;
    claims.set(record, number);
    return { record, number };
  },
};

/** What a promise came to, or that it came to nothing. */
const soon = (work: Promise<unknown>): Promise<string> =>
  Promise.race([
    work.then(
      () => "done",
      () => "refused",
    ),
    new Promise<string>((resolve) => setTimeout(resolve, 20, "never")),
  ]);

/** The locks of a browser, of one name after the other. */
function locks() {
  const held = new Map<string, { reject(error: Error): void }>();
  return {
    request(
      name: string,
      { steal, ifAvailable }: LockOptions,
      work: (lock: object | null) => Promise<void>,
    ): Promise<void> {
      const other = held.get(name);
      if (other && ifAvailable) return work(null);
      if (other && steal) other.reject(new Error("AbortError"));
      return new Promise((resolve, reject) => {
        const mine = { reject };
        held.set(name, mine);
        void work({}).then(() => {
          if (held.get(name) === mine) held.delete(name);
          resolve();
        });
      });
    },
  };
}

const browsers = { "with locks": () => locks(), "without locks": () => undefined };

beforeEach(() => {
  kept.clear();
  claims.clear();
});

for (const [name, given] of Object.entries(browsers)) {
  const browser = () => {
    const found = given();
    Object.defineProperty(globalThis, "navigator", {
      value: found ? { locks: found } : {},
      configurable: true,
    });
  };

  test(`${name}: who was replaced writes nothing, waits for nothing and hears it once`, async () => {
    browser();
    let lost = 0;
    const first = await Held.take(store, "1", false, () => (lost += 1));
    assert.ok(first);
    await first.over(store).put("runs", "1", "begun");
    const second = await Held.take(store, "1", true, () => assert.fail("the newest stays"));
    assert.ok(second);
    await second.over(store).put("runs", "1", "signed");
    assert.equal(await soon(first.over(store).put("runs", "1", "stale")), "never");
    assert.equal(await soon(first.over(store).update("runs", "1", () => "stale")), "never");
    assert.equal(await soon(first.over(store).delete("runs", "1")), "never");
    assert.deepEqual([kept.get("1"), lost, first.lost], ["signed", 1, true]);
    // Another change is another record.
    const other = await Held.take(store, "2", false, () => undefined);
    await other?.over(store).put("runs", "2", "begun");
    assert.deepEqual(await soon(second.over(store).put("runs", "1", "again")), "done");
  });

  test(`${name}: a change that has ended is everybody's until somebody writes to it`, async () => {
    browser();
    let lost = 0;
    const holder = await Held.take(store, "1", false, () => (lost += 1));
    const reader = Held.look("1", () => (lost += 10));
    assert.equal(await soon(holder?.over(store).put("runs", "1", "a") ?? Promise.reject()), "done");
    await reader.over(store).put("runs", "1", "b");
    assert.equal(
      await soon(holder?.over(store).put("runs", "1", "c") ?? Promise.reject()),
      "never",
    );
    assert.deepEqual([kept.get("1"), lost], ["b", 1]);
  });
}

test("with locks a change is another tab's until it is let go; each person has changes of their own", async () => {
  Object.defineProperty(globalThis, "navigator", { value: { locks: locks() }, configurable: true });
  const first = await Held.take(store, "1", false, () => undefined);
  assert.equal(await Held.take(store, "1", false, () => undefined), null);
  assert.ok(await Held.take({ ...store, name: "of bo" }, "1", false, () => undefined));
  first?.release();
  await soon(Promise.resolve().then(() => undefined));
  assert.ok(await Held.take(store, "1", false, () => undefined));
});
