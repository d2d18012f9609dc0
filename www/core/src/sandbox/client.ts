/**
 * The page's side of the sandbox: prepares in `wasm-core`, runs in a Web Worker, judges in `wasm-core`.
 *
 * The worker is ended at the wall clock and after every trap; the module is compiled once, so the next one starts at
 * once. Calls run one at a time, in order.
 */

import wasmUrl from "../../wasm/sandbox/sandbox_bg.wasm?url";
import { judgeTests, prepareCommand, prepareTests } from "../core.ts";
import type { BundleTest, CommandOutcome, Json, SandboxClient } from "../types.ts";
import { fixtureFile } from "./fixtures.ts";
import type { SandboxRequest, SandboxResponse } from "./protocol.ts";

/** `WALL_MS` of a call (ifc-sdk.md §6.2). */
const WALL_MS = { dryRun: 2_500, production: 5_000 };
/** Reading a model and starting are no part of a call. */
const OPEN_MS = 120_000;
/** The engine keeps some memory of every call: a worker is replaced after so many. */
const MAX_CALLS = 32;

const failed = (code: string, message: string): Json => ({ failure: { code, message } });

/** One worker and the models that it has open. */
class Realm {
  readonly opened = new Set<string>();
  calls = 0;
  readonly #worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });

  ask(request: SandboxRequest, within: number): Promise<SandboxResponse | "timeout"> {
    return new Promise((resolve, reject) => {
      const clock = setTimeout(() => resolve("timeout"), within);
      this.#worker.onmessage = ({ data }: MessageEvent<SandboxResponse>) => {
        clearTimeout(clock);
        resolve(data);
      };
      this.#worker.onerror = (event) => {
        clearTimeout(clock);
        event.preventDefault();
        reject(new Error(event.message || "The sandbox did not start."));
      };
      this.#worker.postMessage(request);
    });
  }

  end(): void {
    this.#worker.terminate();
  }
}

interface ModelSource { key: string; name: string; bytes(): Promise<Uint8Array> }

class Client implements SandboxClient {
  #compiled: Promise<WebAssembly.Module> | undefined;
  #realm: Realm | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #user: { blob: Blob; key: string } | undefined;
  #models = 0;

  test(files: Record<string, string>, onResult?: (done: number, total: number) => void): Promise<BundleTest> {
    return this.#inOrder(async () => {
      const prepared = prepareTests(files);
      if (prepared.plan === undefined) return prepared.answer as unknown as BundleTest;
      const { runs } = prepared.plan as unknown as { runs: { fixture: string; program: Json }[] };
      const outcomes: Json[] = [];
      const times: number[] = [];
      for (const { fixture, program } of runs) {
        onResult?.(outcomes.length, runs.length);
        const started = performance.now();
        const bytes = (): Promise<Uint8Array> => fixtureFile(fixture);
        outcomes.push(await this.#call({ key: fixture, name: `${fixture}.ifc`, bytes }, program, WALL_MS.dryRun));
        times.push(Math.round(performance.now() - started));
      }
      onResult?.(runs.length, runs.length);
      const answer = judgeTests<BundleTest>(prepared.plan, outcomes);
      answer.tests.forEach((test, index) => {
        const run = runs[index];
        if (run) Object.assign(test, { fixture: run.fixture, ms: times[index] });
      });
      return answer;
    });
  }

  run(
    extension: { files: Record<string, string>; granted: string[] },
    command: string,
    args: Json | undefined,
    selection: number[],
    modelFile: Blob | null,
  ): Promise<CommandOutcome> {
    return this.#inOrder(async () => {
      const { files, granted: grants } = extension;
      const program = prepareCommand({ files, command, args, grants, selection });
      const source = this.#source(modelFile);
      const outcome = await this.#call(source, program, WALL_MS.production);
      return { value: null, logs: [], effects: NO_EFFECTS, failure: null, ...(outcome as object) } as CommandOutcome;
    });
  }

  dispose(): void {
    this.#end();
  }

  /** The user's model; a new file gets a new key, so that a worker never runs on an old one. */
  #source(blob: Blob | null): ModelSource | null {
    if (!blob) return null;
    if (this.#user?.blob !== blob) {
      this.#end();
      this.#user = { blob, key: `user-${this.#models++}` };
    }
    const name = blob instanceof File ? blob.name : "model.ifc";
    return { key: this.#user.key, name, bytes: async () => new Uint8Array(await blob.arrayBuffer()) };
  }

  async #call(model: ModelSource | null, program: Json, wall: number): Promise<Json> {
    const realm = await this.#started();
    realm.calls += 1;
    if (model && !realm.opened.has(model.key)) {
      const { key, name } = model;
      const answer = await realm.ask({ type: "open", key, name, bytes: await model.bytes() }, OPEN_MS);
      if (answer === "timeout" || answer.type !== "opened") {
        this.#end();
        const message = answer !== "timeout" && "message" in answer ? answer.message : "The model could not be read.";
        return failed("FIXTURE_FAILED", message);
      }
      realm.opened.add(key);
    }
    const request: SandboxRequest = { type: "run", key: model?.key ?? "", program: JSON.stringify(program) };
    const answer = await realm.ask(request, wall).catch((error: unknown): SandboxResponse => {
      return { type: "trapped", code: "SANDBOX_FAULT", message: String(error) };
    });
    if (answer === "timeout") {
      this.#end();
      return failed("TIMEOUT", `The code ran longer than ${wall / 1_000} seconds. Look for a loop that does not end.`);
    }
    if (answer.type === "ran") return answer.outcome;
    this.#end();
    const { code, message } = answer.type === "trapped" ? answer : { code: "SANDBOX_FAULT", message: "The sandbox answered oddly." };
    return failed(code, message);
  }

  async #started(): Promise<Realm> {
    if (this.#realm && this.#realm.calls >= MAX_CALLS) this.#end();
    if (this.#realm) return this.#realm;
    this.#compiled ??= WebAssembly.compileStreaming(fetch(wasmUrl));
    const module = await this.#compiled.catch((error: unknown) => {
      this.#compiled = undefined;
      throw error;
    });
    const realm = new Realm();
    this.#realm = realm;
    const answer = await realm.ask({ type: "start", module }, OPEN_MS);
    if (answer === "timeout" || answer.type !== "ready") {
      this.#end();
      throw new Error("The sandbox did not start.");
    }
    return realm;
  }

  #end(): void {
    this.#realm?.end();
    this.#realm = undefined;
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => undefined);
    return next;
  }
}

const NO_EFFECTS: CommandOutcome["effects"] = { exports: [], viewer: [], notifications: [], ui: [] };

/** A sandbox; its worker starts with the first call. */
export function createSandboxClient(): SandboxClient {
  return new Client();
}
