// The sandbox in a worker thread: one model, one call.

import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";

import { initSync, Sandbox, why } from "../../www/core/wasm/sandbox/sandbox.js";

initSync({
  module: readFileSync(new URL("../../www/core/wasm/sandbox/sandbox_bg.wasm", import.meta.url)),
});

parentPort.on("message", ({ run, model }) => {
  const sandbox = new Sandbox("2026-01-01T00:00:00.000Z");
  if (model) sandbox.load_model(`${run.fixture}.ifc`, new Uint8Array(model));
  parentPort.postMessage({ started: true });
  try {
    parentPort.postMessage({ outcome: JSON.parse(sandbox.run(JSON.stringify(run.program))) });
  } catch (error) {
    const reason = why();
    const code = reason === "MEMORY" ? "MEMORY" : reason === undefined ? "STACK" : "SANDBOX_FAULT";
    parentPort.postMessage({
      outcome: { failure: { code, message: reason ?? String(error) } },
      lost: true,
    });
  }
});
