// Calls that wait for the network, in Wasm: the same steps, answers and fuel as natively
// (crates/sandbox/tests/sandbox/requests.rs reads the same file).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Activations, initSync, Sandbox } from "../../www/core/wasm/sandbox/sandbox.js";
import { call, loadModules, type Value } from "./modules.ts";

interface Told {
  name: string;
  source: string;
  granted: string[];
  replies: Value[][];
  steps: Value[];
}
interface CallStep {
  ended?: {
    value?: Value;
    failure: { code: string; sdk_code: string | null } | null;
    effects: { requests: Value[]; mutations: Value[] };
    usage: { fuel: number };
  };
  waits?: { requests: { id: number; url: string; method: string }[]; alone: boolean };
}

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url));
const cases: Told[] = JSON.parse(file("tests/programs/requests.json").toString());

loadModules();
initSync({ module: file("www/core/wasm/sandbox/sandbox_bg.wasm") });

/** A step as the file has it. */
function shown(text: string): Value {
  const { ended, waits } = JSON.parse(text) as CallStep;
  if (waits) {
    const asked = waits.requests.map(({ id, method, url }) => [id, method, url]);
    return { waits: asked, alone: waits.alone };
  }
  assert.ok(ended);
  const { value, failure, effects, usage } = ended;
  return {
    value: value ?? null,
    failed: failure && (failure.sdk_code ?? failure.code),
    requests: effects.requests.length,
    mutations: effects.mutations.length,
    fuel: usage.fuel,
  };
}

function prepared({ source, granted }: Told): string {
  const manifest = {
    ...{ manifestVersion: 1, id: "t.meta", name: "T", description: "T.", version: "1.0.0" },
    ...{ engines: { ifcLiteSdk: "^1.0.0" }, activation: [] },
    capabilities: [...granted, "network.fetch:b.example.org"],
    entry: { commands: { "t.run": "src/a.js" } },
    contributes: { commands: [{ id: "t.run", title: "Run" }] },
    tests: [],
  };
  const { program } = call("call.prepare", {
    kind: "ifc-extension",
    files: { "manifest.json": JSON.stringify(manifest), "src/a.js": source },
    call: { command: { id: "t.run" } },
    ...{ grants: granted, locale: "en", selection: [], storage: {} },
  });
  return JSON.stringify(program);
}

for (const told of cases)
  test(`in Wasm as natively: ${told.name}`, () => {
    const sandbox = new Sandbox("2026-01-01T00:00:00.000Z");
    sandbox.load_model("house-small.ifc", Sandbox.fixture("house-small"));
    const activations = new Activations();
    const have = [shown(sandbox.call(activations, "one", prepared(told)))];
    for (const replies of told.replies)
      have.push(shown(activations.resume("one", JSON.stringify(replies))));
    assert.deepEqual(have, told.steps);
  });

test("in Wasm a reply for an activation without a call that waits is refused", () => {
  const activations = new Activations();
  assert.throws(() => activations.resume("none", "[]"), /no call of this activation waits/);
});
