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

const asked = (sandbox: Sandbox, program: Run["program"]) =>
  JSON.parse(sandbox.run(JSON.stringify(program)));
const fresh = () => new Sandbox("2026-01-01T00:00:00.000Z");

/** The bytes of a run's model; a text says why there are none. */
function made({ fixture, content, builder }: Run): Uint8Array | string {
  if (builder) {
    const answer = asked(fresh(), builder) as {
      value?: { content?: string };
      failure?: { message: string };
    };
    const text = answer.value?.content;
    return text === undefined ? (answer.failure?.message ?? "") : new TextEncoder().encode(text);
  }
  try {
    return Sandbox.fixture(fixture, content === undefined ? undefined : JSON.stringify(content));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

port?.on("message", (run: Run) => {
  say({ started: true });
  try {
    const model = made(run);
    if (typeof model === "string") {
      const args = { case: "NOT_MADE", fixture: run.fixture, why: model };
      const message = `The fixture \`${run.fixture}\` cannot be built: ${model}`;
      say({ outcome: { failure: { code: "FIXTURE_FAILED", message, args } } });
      return;
    }
    const sandbox = fresh();
    sandbox.load_model(`${run.fixture}.ifc`, model);
    say({ outcome: asked(sandbox, run.program) });
  } catch (error) {
    const reason = why();
    const code = CODES.get(reason) ?? "SANDBOX_FAULT";
    say({ outcome: { failure: { code, message: reason ?? String(error) } }, lost: true });
  }
});
