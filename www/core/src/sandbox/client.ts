/**
 * The page's side of the sandbox: what `wasm-check-extension` prepares runs in Web Workers, and it
 * judges what came of it.
 *
 * Tests, installed extensions and each trial have a line of their own, so that none waits for another or loses its
 * worker. An extension is activated before its first call, in the same realm; a realm that was lost is activated again.
 * Calls of one extension run one at a time; one that waits for the network lets calls of others between.
 *
 * Invariants: a call runs on the models that were on when it began; a trial works on copies of them that nothing else
 * reads, and its end drops these and the worker at once, whatever still runs in it.
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
  SandboxModel,
} from "../types.ts";
import { ModelChanges } from "./changes.ts";
import { failed, Line, type ModelSet, NotMade, wallOf } from "./line.ts";
import { Minutes, Requests } from "./requests.ts";
import { type Meanwhile, Turns } from "./turns.ts";

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

/** The sandbox of the models that a person opened. */
const OPEN = "open";
const NO_MODEL: ModelSet = { key: "", models: [] };

/** A call that runs or waits, and the openings of the models that it sees. */
interface Running {
  ended: AbortController;
  seen: number[];
}

class Client implements SandboxClient {
  readonly #tests = new Line();
  readonly #installed: Extensions;
  readonly #trials = new Map<string, Extensions>();

  constructor(private readonly checks: Checks) {
    this.#installed = new Extensions(checks, () => new ModelChanges());
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
      this.#tests.run(
        { key, models: [{ key, name: `${fixture}.ifc`, bytes }] },
        program,
        WALL_MS.dryRun,
      );
    try {
      if (builder) {
        const made = (await this.#tests.run(NO_MODEL, builder, WALL_MS.dryRun)) as Made;
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

  /** Nobody hears the last words of a trial: it has no `deactivate`. */
  async end(extension: RunningExtension): Promise<CallOutcome | null> {
    if (!extension.trial) return this.#installed.end(extension);
    this.#trials.get(extension.key)?.dispose();
    this.#trials.delete(extension.key);
    return null;
  }

  dispose(): void {
    this.#tests.end();
    this.#installed.dispose();
    for (const trial of this.#trials.values()) trial.dispose();
    this.#trials.clear();
  }

  #of({ key, trial }: RunningExtension): Extensions {
    if (!trial) return this.#installed;
    const known = this.#trials.get(key);
    if (known) return known;
    // It begins with what installed extensions have changed until now.
    const fresh = new Extensions(this.checks, (opening) => this.#installed.copyOf(opening));
    this.#trials.set(key, fresh);
    return fresh;
  }
}

/** Extensions that run on a person's models in one thread, and share their working copies. */
class Extensions {
  readonly #line = new Line();
  readonly #turns = new Map<string, Turns>();
  /** Calls that run or wait, by extension. */
  readonly #running = new Map<string, Running>();
  readonly #minutes = new Minutes();
  /** What calls have changed in each model that is open, by its opening. */
  readonly #models = new Map<number, { id: string; changes: ModelChanges }>();
  #ended = false;

  /** `before`: what was changed in a model before it is opened here. */
  constructor(
    private readonly checks: Checks,
    private readonly before: (opening: number) => ModelChanges,
  ) {}

  call(extension: RunningExtension, asked: Asked): Promise<Called> {
    return this.#inOrder(extension, async (meanwhile) => {
      if (this.#ended) return { activation: null, outcome: null };
      let activation: CallOutcome | null = null;
      if (!this.#line.isActive(extension.key)) {
        activation = await this.#one(extension, "activate", meanwhile);
        if (activation?.failure) {
          await this.#line.forget(extension.key);
          return { activation, outcome: null };
        }
      }
      return {
        activation,
        outcome: asked === "activate" ? null : await this.#one(extension, asked, meanwhile),
      };
    });
  }

  /** A call of it that waits for the network waits no longer. */
  end(extension: RunningExtension): Promise<CallOutcome | null> {
    this.#running.get(extension.key)?.ended.abort();
    return this.#inOrder(extension, async () => {
      if (!this.#line.isActive(extension.key)) return null;
      const open = extension.models();
      const program = await this.#prepared(extension, "deactivate", open);
      if (program === null) return null;
      const set = await this.#set(open);
      const raw = await this.#line.finish(extension.key, set, program, WALL_MS.production);
      return this.#kept(extension, raw);
    });
  }

  /** What calls have changed in a model, to go on from. */
  copyOf(opening: number): ModelChanges {
    return new ModelChanges(this.#models.get(opening)?.changes);
  }

  /** Ends the thread, and with it a call that still runs: nobody waits for its answer. */
  dispose(): void {
    this.#ended = true;
    for (const { ended } of this.#running.values()) ended.abort();
    this.#line.dispose();
  }

  #inOrder<T>({ key }: RunningExtension, work: (meanwhile: Meanwhile) => Promise<T>): Promise<T> {
    const own = this.#turns.get(key) ?? new Turns();
    this.#turns.set(key, own);
    return own.inOrder(() => this.#line.inOrder(work));
  }

  /**
   * One call in the extension's realm; null where the bundle has nothing to call, and where all models that it saw
   * were closed while it waited.
   */
  async #one(
    extension: RunningExtension,
    asked: Asked,
    meanwhile: Meanwhile,
  ): Promise<CallOutcome | null> {
    const open = extension.models();
    const program = await this.#prepared(extension, asked, open);
    if (program === null) return null;
    const set = await this.#set(open);
    const seen = open.filter(({ on }) => on).map(({ opening }) => opening);
    const ended = new AbortController();
    this.#running.set(extension.key, { ended, seen });
    const requests = new Requests(extension, this.#minutes, ended.signal);
    const wall = wallOf(WALL_MS.production);
    let step = await this.#line.call(extension.key, set, program, wall);
    while ("waits" in step) {
      requests.send(step.waits.requests);
      const coming = requests.replies();
      const replies = await (step.waits.alone ? coming : meanwhile(coming));
      step = await this.#line.resume(extension.key, replies, wall);
    }
    this.#running.delete(extension.key);
    if (this.#lost(seen)) return null;
    const outcome = this.#kept(extension, step.outcome);
    if (outcome.failure && FATAL.includes(outcome.failure.code))
      await this.#line.forget(extension.key);
    return outcome;
  }

  /** Selection and storage are those of the moment in which the call begins. */
  #prepared(extension: RunningExtension, call: Asked, open: SandboxModel[]): Promise<Json | null> {
    const { files, granted: grants, locale } = extension;
    const seen = open.filter(({ on }) => on);
    return this.checks.prepareCall({
      files,
      call,
      grants,
      locale,
      models: seen.map(({ id }) => id),
      activeModel: seen.find(({ active }) => active)?.id,
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
    // What a call loads lives in the sandbox alone.
    for (const { modelId, edits } of outcome.effects.changes ?? [])
      for (const { id, changes } of this.#models.values()) if (id === modelId) changes.add(edits);
    if (outcome.effects.storage && outcome.effects.storage_writes)
      extension.keep(outcome.effects.storage);
    return outcome;
  }

  /** The models that are on. Those that were closed leave the thread, and who waits on nothing else is cut off. */
  async #set(open: SandboxModel[]): Promise<ModelSet> {
    const openings = new Set(open.map(({ opening }) => opening));
    for (const [opening, { id }] of this.#models) {
      if (openings.has(opening)) continue;
      this.#models.delete(opening);
      await this.#line.close(OPEN, { key: String(opening), id });
    }
    for (const { ended, seen } of this.#running.values()) if (this.#lost(seen)) ended.abort();
    for (const { id, opening } of open)
      if (!this.#models.has(opening))
        this.#models.set(opening, { id, changes: this.before(opening) });
    const models = open
      .filter(({ on }) => on)
      .map(({ id, opening, name, file }) => ({
        ...{ key: String(opening), id, name },
        bytes: async () => new Uint8Array(await file.arrayBuffer()),
        changes: () => this.#models.get(opening)?.changes.list() ?? [],
      }));
    return { key: OPEN, models };
  }

  /** Whether of some models none is open any more. */
  #lost(seen: number[]): boolean {
    return seen.length > 0 && !seen.some((opening) => this.#models.has(opening));
  }
}

/** A sandbox; its workers start with their first call. */
export function createSandboxClient(checks: Checks): SandboxClient {
  return new Client(checks);
}
