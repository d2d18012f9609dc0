/**
 * The page's side of the sandbox: what `wasm-check` prepares runs in Web Workers, and `wasm-check` judges it.
 *
 * Tests and installed extensions have a line each, so that neither waits for the other or loses its worker. An
 * extension is activated before its first call, in the same realm; a realm that was lost is activated again.
 */

import type {
  Asked,
  BundleTest,
  Called,
  CallOutcome,
  Checks,
  ErrorShape,
  Json,
  RunningExtension,
  SandboxClient,
} from "../types.ts";
import { failed, Line, type ModelSource, NotMade } from "./line.ts";

/** `WALL_MS` of a call (ifc-sdk.md §6.2). */
const WALL_MS = { dryRun: 2_500, production: 5_000 };
/** Failures after which the engine has thrown the realm away itself. */
const FATAL = ["FUEL", "MEMORY", "STACK", "NEVER_SETTLED"];

/** A test that is ready to run (`TestRun` of the SDK). */
interface PreparedRun {
  fixture: string;
  content?: Json;
  builder?: Json;
  program: Json;
}
/** What the builder of a fixture came to. */
interface Made {
  value?: { content?: string } | null;
  failure?: ErrorShape | null;
}

const NO_EFFECTS: CallOutcome["effects"] = { exports: [], viewer: [], notifications: [], ui: [] };

class Client implements SandboxClient {
  readonly #tests = new Line();
  readonly #installed = new Line();
  #user: { blob: Blob; key: string; changes: Json[] } | undefined;
  #models = 0;

  constructor(private readonly checks: Checks) {}

  test(
    files: Record<string, string>,
    onResult?: (done: number, total: number) => void,
    granted?: string[],
  ): Promise<BundleTest> {
    return this.#tests.inOrder(async () => {
      const prepared = await this.checks.prepareTests(files, granted);
      if (prepared.plan === undefined) return prepared.answer as unknown as BundleTest;
      const { runs } = prepared.plan as unknown as { runs: PreparedRun[] };
      const outcomes: Json[] = [];
      const times: number[] = [];
      for (const run of runs) {
        onResult?.(outcomes.length, runs.length);
        const started = performance.now();
        outcomes.push(await this.#tested(run));
        times.push(Math.round(performance.now() - started));
      }
      onResult?.(runs.length, runs.length);
      const answer = await this.checks.judgeTests(prepared.plan, outcomes);
      answer.tests.forEach((test, index) => {
        const run = runs[index];
        if (run) Object.assign(test, { fixture: run.fixture, ms: times[index] });
      });
      return answer;
    });
  }

  /** One test on its fixture; a fixture that cannot be made is its failure. */
  async #tested({ fixture, content, builder, program }: PreparedRun): Promise<Json> {
    const run = (key: string, bytes: () => Promise<Uint8Array>): Promise<Json> =>
      this.#tests.run({ key, name: `${fixture}.ifc`, bytes }, program, WALL_MS.dryRun);
    try {
      if (builder) {
        const made = (await this.#tests.run(null, builder, WALL_MS.dryRun)) as Made;
        const text = made.value?.content;
        if (text === undefined) throw new NotMade(made.failure?.message ?? "");
        return await run(`built ${text.length} ${text}`, async () =>
          new TextEncoder().encode(text),
        );
      }
      const key = content === undefined ? fixture : `made ${JSON.stringify(content)}`;
      return await run(key, () => this.#tests.fixture(fixture, content));
    } catch (error) {
      if (!(error instanceof NotMade)) throw error;
      const args = { case: "NOT_MADE", fixture, why: error.message };
      const message = `The fixture \`${fixture}\` cannot be built: ${error.message}`;
      return failed({ code: "FIXTURE_FAILED", message, args });
    }
  }

  call(extension: RunningExtension, asked: Asked): Promise<Called> {
    return this.#installed.inOrder(async () => {
      let activation: CallOutcome | null = null;
      if (!this.#installed.isActive(extension.key)) {
        activation = await this.#one(extension, "activate");
        if (activation?.failure) {
          await this.#installed.forget(extension.key);
          return { activation, outcome: null };
        }
      }
      return {
        activation,
        outcome: asked === "activate" ? null : await this.#one(extension, asked),
      };
    });
  }

  end(extension: RunningExtension): Promise<CallOutcome | null> {
    return this.#installed.inOrder(async () => {
      if (!this.#installed.isActive(extension.key)) return null;
      const program = await this.#prepared(extension, "deactivate");
      if (program === null) return null;
      const model = await this.#source(extension.model());
      return this.#kept(
        extension,
        await this.#installed.finish(extension.key, model, program, WALL_MS.production),
      );
    });
  }

  dispose(): void {
    this.#tests.end();
    this.#installed.end();
  }

  /** One call in the extension's realm; null where the bundle has nothing to call. */
  async #one(extension: RunningExtension, asked: Asked): Promise<CallOutcome | null> {
    const program = await this.#prepared(extension, asked);
    if (program === null) return null;
    const model = await this.#source(extension.model());
    const outcome = this.#kept(
      extension,
      await this.#installed.call(extension.key, model, program, WALL_MS.production),
    );
    if (outcome.failure && FATAL.includes(outcome.failure.code))
      await this.#installed.forget(extension.key);
    return outcome;
  }

  /** Selection and storage are those of the moment in which the call begins. */
  #prepared(extension: RunningExtension, call: Asked): Promise<Json | null> {
    const { files, granted: grants, locale } = extension;
    return this.checks.prepareCall({
      files,
      call,
      grants,
      locale,
      selection: extension.selection(),
      storage: extension.storage(),
    });
  }

  #kept(extension: RunningExtension, raw: Json): CallOutcome {
    const outcome = {
      value: null,
      logs: [],
      effects: NO_EFFECTS,
      failure: null,
      ...(raw as object),
    } as CallOutcome;
    this.#user?.changes.push(...((outcome.effects.changes ?? []) as Json[]));
    if (outcome.effects.storage && outcome.effects.storage_writes)
      extension.keep(outcome.effects.storage);
    return outcome;
  }

  /** The user's model; a new file gets a new key, so that a worker never runs on an old one. */
  async #source(blob: Blob | null): Promise<ModelSource | null> {
    if (!blob) return null;
    if (this.#user?.blob !== blob) {
      this.#user = { blob, key: `user-${this.#models++}`, changes: [] };
      await this.#installed.keepOnly(this.#user.key);
    }
    const name = blob instanceof File ? blob.name : "model.ifc";
    const { key, changes } = this.#user;
    return {
      key,
      name,
      changes: () => changes,
      bytes: async () => new Uint8Array(await blob.arrayBuffer()),
    };
  }
}

/** A sandbox; its workers start with their first call. */
export function createSandboxClient(checks: Checks): SandboxClient {
  return new Client(checks);
}
