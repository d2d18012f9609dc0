// What the page keeps of installed extensions while the project is read: what a person does meanwhile counts, and an
// extension hears each event once.

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import type {
  Api,
  Checks,
  Core,
  ExtensionRecord,
  SandboxClient,
  Store,
} from "@holdpoint/core/types";
import type { Dock } from "../../www/app/src/pages/model/calls.ts";
import type { Installed } from "../../www/app/src/pages/model/installed.ts";
import type { Opening } from "../../www/app/src/pages/model/opening.ts";
import { pageModules } from "./source.ts";

let m: typeof import("../../www/app/src/pages/model/installed.ts");

before(async () => {
  Object.assign(globalThis, {
    navigator: { platform: "Linux", language: "en", languages: ["en"] },
  });
  [m] = await pageModules<[typeof m]>("pages/model/installed.ts");
});

const record = (id: string): ExtensionRecord =>
  ({ id, content_hash: `hash of ${id}`, enabled: true, granted: [] }) as unknown as ExtensionRecord;
const kept = (id: string) => ({ record: record(id), files: { id }, stored: true, change: "" });
const manifest = (id: string) => ({
  id,
  name: id,
  capabilities: [],
  activation: ["onModelLoad"],
  entry: { triggers: { onModelLoad: "src/a.js" } },
});

/** What an extension is called for. */
interface Called {
  trigger?: { event: string };
  command?: { id: string };
}
const effects = { exports: [], viewer: [], notifications: [], ui: [] };
const dock = {
  ...{ id: "d", title: "Rooms", slot: "dock.right", when: undefined, data: "a.data" },
  ...{ refreshOn: [], widget: {}, state: undefined, busy: false, answered: false, failure: null },
} as unknown as Dock;

/** The open models, of which only that they are others is looked at. */
let opening: { sight: string; model: unknown; models: unknown };
/** The code with which every call fails, and what was said of it. */
let fails: string | null;
let refused: string[];
/** What the project was told. */
let changed: string[];
let called: string[];
let project: ExtensionRecord[];
/** What a person does while a check runs, and while the project is asked. */
let duringCheck: () => unknown;
let duringList: () => unknown;
let installed: Installed;

beforeEach(() => {
  called = [];
  project = [];
  [fails, refused, changed] = [null, [], []];
  const seen = [{ facts: { model_id: "m", schema: "IFC4" } }];
  opening = { model: { selected: [] }, models: { all: [], seen }, sight: "1" };
  duringCheck = () => undefined;
  duringList = () => undefined;
  const store = new Map<string, unknown>();
  installed = new m.Installed(
    {} as Core,
    {
      check: async ({ id }: Record<string, string>) => {
        await once("check");
        return { manifest: manifest(id ?? ""), diagnostics: [], capabilities: [] };
      },
    } as unknown as Checks,
    {
      call: async (one: { files: { id: string } }, asked: Called) => {
        called.push(`${one.files.id} ${asked.trigger?.event ?? asked.command?.id}`);
        const failure = fails && { code: fails, message: "Too much." };
        const answer = asked.command ? { value: 7, failure: null, effects } : null;
        return { activation: null, outcome: failure ? { failure } : answer };
      },
      end: async () => null,
    } as unknown as SandboxClient,
    {
      extensions: async () => {
        const listed = [...project];
        await once("list");
        return listed;
      },
      extension: async (id: string) => ({ ...record(id), files: { id } }),
      change: async (id: string, step: string) => changed.push(`${step} ${id}`),
    } as unknown as Api,
    {
      keys: async () => [],
      get: async (_area: string, key: string) => store.get(key),
      put: async (_area: string, key: string, value: unknown) => store.set(key, value),
      delete: async (_area: string, key: string) => store.delete(key),
    } as unknown as Store,
    opening as unknown as Opening,
    {
      ...{ changed() {}, told() {}, done() {}, front() {}, viewed() {} },
      refused: (heading, { code }, name) => refused.push(`${heading} ${name} ${code}`),
    },
    { signer: () => "pr_web", newest: () => null, due() {} },
  );
});

/** A deed happens in the middle of the first question after it was set. */
async function once(asked: "check" | "list") {
  const deed = asked === "check" ? duringCheck : duringList;
  if (asked === "check") duringCheck = () => undefined;
  else duringList = () => undefined;
  await deed();
}

const ids = () => [...installed.all.keys()];

test("what is uninstalled while the project is read does not come back", async () => {
  project = [record("a"), record("b")];
  await installed.sync();
  assert.deepEqual(ids(), ["a", "b"]);
  duringCheck = () => installed.forget("a");
  await installed.sync();
  assert.deepEqual(ids(), ["b"], "while it was checked");
  duringList = () => installed.forget("b");
  project = [record("b")];
  await installed.sync();
  assert.deepEqual(ids(), [], "while the list was on its way");
});

test("what is switched off while the project is read stays off", async () => {
  project = [record("a")];
  await installed.sync();
  const off = () => installed.keep({ ...kept("a"), record: { ...record("a"), enabled: false } });
  duringList = off;
  await installed.sync();
  assert.equal(installed.all.get("a")?.record.enabled, false);
});

test("what is installed while the project is read stays", async () => {
  duringList = () => installed.keep(kept("a"));
  await installed.sync();
  assert.deepEqual(ids(), ["a"]);
});

test("an extension that two readings bring at once hears an event once", async () => {
  await installed.started();
  await installed.seen();
  project = [record("a")];
  await Promise.all([installed.sync(), installed.sync()]);
  await new Promise(setImmediate);
  assert.deepEqual(called, ["a onModelLoad"]);
});

test("what passes a limit of size rests on this model, and is tried again on the next one", async () => {
  await installed.started();
  project = [record("a")];
  opening.sight = "large";
  await installed.sync();
  const isOn = () => installed.all.get("a")?.record.enabled;
  fails = "MEMORY";
  await installed.seen();
  assert.deepEqual([isOn(), refused], [false, ["ext.problem.rests a MEMORY"]]);
  assert.deepEqual(changed, [], "the project does not switch it off for everybody");
  await installed.sync();
  assert.equal(isOn(), false, "the project's list does not bring it back on this model");
  [fails, called] = [null, []];
  await installed.seen();
  assert.deepEqual([isOn(), called], [false, []], "nor does the same model once more");
  opening.sight = "small";
  await installed.seen();
  await new Promise(setImmediate);
  assert.deepEqual([isOn(), called], [true, ["a onModelLoad"]]);
});

test("a panel whose sandbox did not start says that nothing was computed, until it is asked for again", async () => {
  project = [record("a")];
  await installed.sync();
  installed.docks.set("a d", { ...dock, extension: "a" });
  fails = "SANDBOX_FAULT";
  await installed.refresh("a d");
  assert.deepEqual(
    installed.contributed.panels().map(({ waits }) => waits),
    ["failed"],
  );
  await installed.keep(kept("a"));
  assert.deepEqual(
    installed.contributed.panels().map(({ waits }) => waits),
    ["failed"],
    "still",
  );
  fails = null;
  await installed.retry();
  const [panel] = installed.contributed.panels();
  assert.deepEqual([panel?.waits, panel?.failure, panel?.state], [undefined, null, 7]);
});

test("what a person switched off meanwhile stays off on the next model, and what never ends does too", async () => {
  await installed.started();
  for (const code of ["MEMORY", "TIMEOUT"]) {
    project = [record(code)];
    opening.sight = code;
    await installed.sync();
    fails = code;
    await installed.seen();
    fails = null;
    const live = installed.all.get(code);
    assert.ok(live);
    const { reason: _reason, off: _off, ...rest } = live.record;
    if (code === "MEMORY") await installed.keep({ ...live, record: { ...rest, enabled: false } });
    opening.sight = "next";
    await installed.seen();
    assert.equal(installed.all.get(code)?.record.enabled, false, code);
  }
  assert.deepEqual(changed, ["disable TIMEOUT"]);
});
