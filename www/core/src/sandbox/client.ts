/**
 * The page's side of the sandbox: what `wasm-check` prepares runs in Web Workers, and `wasm-check` judges it.
 *
 * Tests, installed extensions and trials have a line each, so that none waits for another or loses its worker. An
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

/** A model that a person opened, as calls see it: with everything that they have changed since. */
interface UserModel {
  blob: Blob;
  key: string;
  changes: Json[];
}

class Client implements SandboxClient {
  readonly #tests = new Line();
  readonly #installed: Extensions;
  readonly #trials: Extensions;

  constructor(private readonly checks: Checks) {
    const installed = new Extensions(checks, () => []);
    this.#installed = installed;
    this.#trials = new Extensions(checks, (blob) => installed.changes(blob));
  }

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
    return this.#of(extension).call(extension, asked);
  }

  end(extension: RunningExtension): Promise<CallOutcome | null> {
    return this.#of(extension).end(extension);
  }

  dispose(): void {
    this.#tests.end();
    this.#installed.dispose();
    this.#trials.dispose();
  }

  #of(extension: RunningExtension): Extensions {
    return extension.trial ? this.#trials : this.#installed;
  }
}

/** Extensions that run on a person's model in one thread. */
class Extensions {
  readonly #line = new Line();
  /** Installed extensions share a model; each trial has its own. */
  readonly #models = new Map<string, UserModel>();
  #opened = 0;

  /** `changes`: what was changed in a model before it is opened here. */
  constructor(
    private readonly checks: Checks,
    private readonly before: (blob: Blob) => Json[],
  ) {}

  call(extension: RunningExtension, asked: Asked): Promise<Called> {
    return this.#line.inOrder(async () => {
      let activation: CallOutcome | null = null;
      if (!this.#line.isActive(extension.key)) {
        activation = await this.#one(extension, "activate");
        if (activation?.failure) {
          await this.#line.forget(extension.key);
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
    return this.#line.inOrder(async () => {
      const outcome = this.#line.isActive(extension.key) ? await this.#ended(extension) : null;
      if (extension.trial) await this.#forget(extension.key);
      return outcome;
    });
  }

  async #ended(extension: RunningExtension): Promise<CallOutcome | null> {
    const program = await this.#prepared(extension, "deactivate");
    if (program === null) return null;
    const model = await this.#source(extension);
    const raw = await this.#line.finish(extension.key, model, program, WALL_MS.production);
    return this.#kept(extension, raw);
  }

  /** What calls have changed in a model. */
  changes(blob: Blob): Json[] {
    return [...this.#models.values()].find((model) => model.blob === blob)?.changes ?? [];
  }

  dispose(): void {
    this.#line.end();
  }

  /** One call in the extension's realm; null where the bundle has nothing to call. */
  async #one(extension: RunningExtension, asked: Asked): Promise<CallOutcome | null> {
    const program = await this.#prepared(extension, asked);
    if (program === null) return null;
    const model = await this.#source(extension);
    const raw = await this.#line.call(extension.key, model, program, WALL_MS.production);
    const outcome = this.#kept(extension, raw);
    if (outcome.failure && FATAL.includes(outcome.failure.code))
      await this.#line.forget(extension.key);
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
    const changes = (outcome.effects.changes ?? []) as Json[];
    this.#models.get(owner(extension))?.changes.push(...changes);
    if (outcome.effects.storage && outcome.effects.storage_writes)
      extension.keep(outcome.effects.storage);
    return outcome;
  }

  /** The user's model; a new file gets a new key, so that a worker never runs on an old one. */
  async #source(extension: RunningExtension): Promise<ModelSource | null> {
    const blob = extension.model();
    if (!blob) return null;
    let model = this.#models.get(owner(extension));
    if (model?.blob !== blob) {
      if (model) await this.#line.close(model.key);
      model = { blob, key: `user-${this.#opened++}`, changes: [...this.before(blob)] };
      this.#models.set(owner(extension), model);
    }
    const { key, changes } = model;
    return {
      key,
      name: blob instanceof File ? blob.name : "model.ifc",
      changes: () => changes,
      bytes: async () => new Uint8Array(await blob.arrayBuffer()),
    };
  }

  /** The model of a trial goes with it, and the memory of all of them with the last. */
  async #forget(key: string): Promise<void> {
    const model = this.#models.get(key);
    this.#models.delete(key);
    if (this.#models.size === 0) this.#line.end();
    else if (model) await this.#line.close(model.key);
  }
}

/** Whose model it is: what is installed shares one. */
const owner = (extension: RunningExtension): string => (extension.trial ? extension.key : "");

/** A sandbox; its workers start with their first call. */
export function createSandboxClient(checks: Checks): SandboxClient {
  return new Client(checks);
}
