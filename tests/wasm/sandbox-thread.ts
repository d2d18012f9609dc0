// The sandbox in a worker thread: one model, one call.

import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";

import { initSync, Sandbox, why } from "../../www/core/wasm/sandbox/sandbox.js";
import type { Run, Said } from "./modules.ts";

/** Why a run ended, by what the module says of it; one that says nothing ran out of its stack. */
const CODES = new Map<string | undefined, string>([
  ["FUEL", "FUEL"],
  ["MEMORY", "MEMORY"],
  ["STACK", "STACK"],
  [undefined, "STACK"],
]);

initSync({
  module: readFileSync(new URL("../../www/core/wasm/sandbox/sandbox_bg.wasm", import.meta.url)),
});

const port = parentPort;
const say = (said: Said): void => port?.postMessage(said);

port?.on("message", ({ run, model }: { run: Run; model: Buffer }) => {
  const sandbox = new Sandbox("2026-01-01T00:00:00.000Z");
  if (model) sandbox.load_model(`${run.fixture}.ifc`, new Uint8Array(model));
  say({ started: true });
  try {
    say({ outcome: JSON.parse(sandbox.run(JSON.stringify(run.program))) });
  } catch (error) {
    const reason = why();
    const code = CODES.get(reason) ?? "SANDBOX_FAULT";
    say({ outcome: { failure: { code, message: reason ?? String(error) } }, lost: true });
  }
});
