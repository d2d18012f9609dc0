// Each behaviour of what is installed was approved with the oldest version since which its test stands as it is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { approved } from "../../www/app/src/pages/model/approved.ts";

const one = (name: string, equals: number) => ({ name, command: "a.run", expect: { equals } });
type Tests = ReturnType<typeof one>[];

/** An edge that has these versions, newest first; null where the extension was taken away. */
function edge(versions: (Tests | null | string)[]) {
  const asked: string[] = [];
  const revision = (at: number) => ({
    ...{ revision_id: `rev_${at}`, at, who: "user:ann", cause: "install" },
    ...{ base_hash: null, content_hash: null },
  });
  const last = versions.length;
  return {
    asked,
    revisions: async () => versions.map((_, i) => revision(last - i)),
    revision: async (_: string, id: string) => {
      asked.push(id);
      const at = Number(id.slice(4));
      const tests = versions[last - at];
      const text = typeof tests === "string" ? tests : JSON.stringify({ tests });
      return { ...revision(at), ...(tests === null ? {} : { files: { "manifest.json": text } }) };
    },
  };
}
const now = (tests: Tests) => ({ id: "a", tests }) as unknown as Parameters<typeof approved>[1];

test("with the version that brought it, or that changed it last", async () => {
  const [kept, fresh, changed] = [one("kept", 1), one("fresh", 2), one("changed", 3)];
  const api = edge([[kept, changed, fresh], [changed, kept], [kept, one("changed", 2)], [kept]]);
  assert.deepEqual(await approved(api, now([kept, changed, fresh])), {
    kept: 1,
    changed: 3,
    fresh: 4,
  });
});

test("what came back was approved when it came back", async () => {
  const kept = one("kept", 1);
  assert.deepEqual(await approved(edge([[kept], null, [kept]]), now([kept])), { kept: 3 });
  assert.deepEqual(await approved(edge([[kept], "{", [kept]]), now([kept])), { kept: 3 });
});

test("no more versions are asked for than it takes", async () => {
  const [kept, fresh] = [one("kept", 1), one("fresh", 2)];
  const api = edge([[fresh], [kept], [kept], [kept]]);
  assert.deepEqual(await approved(api, now([fresh])), { fresh: 4 });
  assert.deepEqual(api.asked, ["rev_4", "rev_3"]);
  const long = edge(Array.from({ length: 100 }, () => [kept]));
  assert.deepEqual(await approved(long, now([kept])), { kept: 71 });
  assert.equal(long.asked.length, 30);
});

test("an extension without tests asks for nothing of its versions", async () => {
  const api = edge([[]]);
  assert.deepEqual([await approved(api, now([])), api.asked], [{}, []]);
});
