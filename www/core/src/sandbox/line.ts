/**
 * One thread of the sandbox, and what is asked of it, one at a time and in order. A call that waits for the network
 * lets others between, unless it has changed a model.
 *
 * The thread is ended at the wall clock and after every trap; the module is compiled once for all lines, so the next
 * thread starts at once. Invariant: every request is answered, and after it the line can be asked again.
 */

import type { Thread } from "../platform/types.ts";
import { platform } from "../platform.ts";
import type { ErrorShape, Json, RecordEdit } from "../types.ts";
import type { SandboxRequest, SandboxResponse } from "./protocol.ts";
import type { NetworkReply, Waits } from "./requests.ts";
import { Turns } from "./turns.ts";

/** Reading a model and starting are no part of a call. */
const OPEN_MS = 120_000;
/** The engine keeps some memory of every realm: a thread is replaced after so many. */
const MAX_REALMS = 32;
/** Memory of a thread never shrinks: after so many bytes of models the next one opens in a fresh thread. */
const MAX_OPENED_BYTES = 128 << 20;

/** A model, read when its turn comes. The same key is the same bytes. */
export interface ModelSource {
  key: string;
  name: string;
  /** Its id, where that is known; the sandbox reckons it else. */
  id?: string;
  bytes(): Promise<Uint8Array>;
  /** What calls have changed since it was read: done again wherever it is opened anew. */
  changes?(): RecordEdit[];
}
/** The models that a call runs on, in the sandbox of this key. */
export interface ModelSet {
  key: string;
  models: ModelSource[];
}

const NOT_READ: ErrorShape = {
  code: "FIXTURE_FAILED",
  message: "The model could not be read.",
  args: { case: "NOT_READ" },
};
const TOGETHER: ErrorShape = {
  code: "FIXTURE_FAILED",
  message: "The models that are shown could not be read together. Show fewer of them.",
  args: { case: "NOT_READ_TOGETHER" },
};
const NOT_STARTED: ErrorShape = {
  code: "SANDBOX_FAULT",
  message: "The sandbox did not start.",
  args: { case: "NOT_STARTED" },
};
/** What a call comes to that waited while its thread was ended. */
const LOST: ErrorShape = {
  code: "SANDBOX_FAULT",
  message: "The sandbox was started anew while the call waited for the network. Run it again.",
  args: { case: "LOST" },
};
const ODD: ErrorShape = {
  code: "SANDBOX_FAULT",
  message: "The sandbox answered oddly.",
  args: { case: "ODD" },
};

/** The answer to whatever was asked of a thread that was ended meanwhile. */
const ENDED: SandboxResponse = { type: "trapped", ...ODD, code: "SANDBOX_FAULT" };

/** How long a call may run, and what is left of that; while it waits, its clock stands. */
export interface Wall {
  readonly of: number;
  left: number;
}
export const wallOf = (ms: number): Wall => ({ of: ms, left: ms });

/** How a call ended, or what it waits for. */
export type CallStep = { outcome: Json } | { waits: Waits };

/** A call that did not come back. */
export const failed = ({ code, message, args }: ErrorShape): Json => ({
  failure: { code, message, ...(args ? { args: args as Json } : {}) },
});

function notStarted(): never {
  throw Object.assign(new Error(NOT_STARTED.message), NOT_STARTED);
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** The sandbox's module, fetched and compiled once. */
function sandboxModule(): Promise<WebAssembly.Module> {
  compiled ??= platform.compiled("sandbox").catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  return compiled;
}

/** A thread, the models that it has open and the activations that live in it. */
class Engine {
  /** Keys of models, and how many bytes each has. */
  readonly opened = new Map<string, number>();
  readonly active = new Set<string>();
  /** Activations in which a call waits. */
  readonly waiting = new Set<string>();
  openedBytes = 0;
  realms = 0;
  #ends: (answer: SandboxResponse) => void = () => undefined;
  readonly #ended = new Promise<SandboxResponse>((resolve) => {
    this.#ends = resolve;
  });

  constructor(private readonly thread: Thread<SandboxRequest, SandboxResponse>) {}

  async ask(request: SandboxRequest, within: number): Promise<SandboxResponse | "timeout"> {
    let clock: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<"timeout">((resolve) => {
      clock = setTimeout(() => resolve("timeout"), within);
    });
    try {
      return await Promise.race([this.thread.ask(request), late, this.#ended]);
    } finally {
      clearTimeout(clock);
    }
  }

  end(): void {
    this.thread.end();
    this.#ends(ENDED);
  }
}

/** Bytes of models. */
interface Needed {
  more: number;
  whole: number;
}

/** Of what cannot wait. */
const ended = (step: CallStep): Json => ("waits" in step ? failed(ODD) : step.outcome);

/** A fixture that cannot be made, and why. */
export class NotMade extends Error {}

export class Line extends Turns {
  #engine: Engine | undefined;
  #closed = false;

  /** Whether the activation lives: not once its thread was ended. */
  isActive(session: string): boolean {
    return this.#engine?.active.has(session) ?? false;
  }

  /** The file of a fixture: a canonical one by id, a synthetic one by its content. */
  async fixture(id: string, content?: Json): Promise<Uint8Array> {
    const engine = await this.#started(0, { more: 0, whole: 0 });
    const asked = content === undefined ? undefined : JSON.stringify(content);
    const answer = await engine.ask({ type: "fixture", id, content: asked }, OPEN_MS);
    if (answer !== "timeout" && answer.type === "made") return answer.bytes;
    if (answer === "timeout" || answer.type !== "refused") this.end();
    throw new NotMade(answer !== "timeout" && "message" in answer ? answer.message : "");
  }

  /** One program in a realm of its own. */
  run(set: ModelSet, program: Json, wall: number): Promise<Json> {
    return this.#ask(set, wallOf(wall), 1, (key) => ({
      type: "run",
      key,
      program: JSON.stringify(program),
    })).then(ended);
  }

  /** One program in the realm of an activation. */
  async call(session: string, set: ModelSet, program: Json, wall: Wall): Promise<CallStep> {
    const realms = this.isActive(session) ? 0 : 1;
    const step = await this.#ask(set, wall, realms, (key) => ({
      type: "call",
      key,
      session,
      program: JSON.stringify(program),
    }));
    this.#engine?.active.add(session);
    return this.#stepped(session, step);
  }

  /** Goes on with the call that waits in an activation. */
  async resume(session: string, replies: NetworkReply[], wall: Wall): Promise<CallStep> {
    const engine = this.#engine;
    if (!engine?.waiting.delete(session)) return { outcome: failed(LOST) };
    const asked = { type: "resume", session, replies: JSON.stringify(replies) } as const;
    return this.#stepped(session, await this.#answered(engine, asked, wall));
  }

  #stepped(session: string, step: CallStep): CallStep {
    if ("waits" in step) this.#engine?.waiting.add(session);
    return step;
  }

  /** Ends an activation by its last program. */
  async finish(session: string, set: ModelSet, program: Json, wall: number): Promise<Json> {
    const outcome = await this.#ask(set, wallOf(wall), 0, (key) => ({
      type: "finish",
      key,
      session,
      program: JSON.stringify(program),
    })).then(ended);
    this.#engine?.active.delete(session);
    return outcome;
  }

  /** Throws an activation away: its next call opens a fresh realm. */
  async forget(session: string): Promise<void> {
    if (!this.#engine?.active.delete(session)) return;
    this.#engine.waiting.delete(session);
    await this.#engine.ask({ type: "forget", session }, OPEN_MS);
  }

  /** Ends the thread; the next question starts another one. */
  end(): void {
    this.#engine?.end();
    this.#engine = undefined;
  }

  /** Ends the thread for good. What still runs in it is answered as what broke off. */
  dispose(): void {
    this.#closed = true;
    this.end();
  }

  async #ask(
    { key, models }: ModelSet,
    wall: Wall,
    realms: number,
    request: (key: string) => SandboxRequest,
  ): Promise<CallStep> {
    const read = new Map<string, Uint8Array>();
    for (const model of models)
      if (!this.#engine?.opened.has(model.key)) read.set(model.key, await model.bytes());
    const size = (one: string) => read.get(one)?.byteLength ?? this.#engine?.opened.get(one) ?? 0;
    const whole = models.reduce((sum, one) => sum + size(one.key), 0);
    const more = [...read.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    const engine = await this.#started(realms, { more, whole });
    engine.realms += realms;
    for (const model of models) {
      if (engine.opened.has(model.key)) continue;
      const bytes = read.get(model.key) ?? (await model.bytes());
      const failure = await this.#open(engine, key, model, bytes);
      if (failure !== null)
        return { outcome: failed(failure === NOT_READ && models.length > 1 ? TOGETHER : failure) };
    }
    return this.#answered(engine, request(key), wall);
  }

  /** What running code answers within what is left of its time. */
  async #answered(engine: Engine, request: SandboxRequest, wall: Wall): Promise<CallStep> {
    const began = performance.now();
    const answer = await engine
      .ask(request, Math.max(0, wall.left))
      .catch((error: unknown): SandboxResponse => {
        return { type: "trapped", code: "SANDBOX_FAULT", message: String(error) };
      });
    wall.left -= performance.now() - began;
    if (answer === "timeout") {
      this.end();
      const seconds = wall.of / 1_000;
      const outcome = failed({
        code: "TIMEOUT",
        message: `The code ran longer than ${seconds} seconds. Look for a loop that does not end.`,
        args: { case: "WALL", seconds },
      });
      return { outcome };
    }
    if (answer.type === "ran") return { outcome: answer.outcome };
    if (answer.type === "waits") {
      const { type: _waits, ...waits } = answer;
      return { waits };
    }
    this.end();
    if (answer.type !== "trapped") return { outcome: failed(ODD) };
    const { type: _trapped, ...failure } = answer;
    return { outcome: failed(failure) };
  }

  /** Why the model could not be opened; null when it was. */
  async #open(
    engine: Engine,
    key: string,
    source: ModelSource,
    bytes: Uint8Array,
  ): Promise<ErrorShape | null> {
    const { id, name } = source;
    const size = bytes.byteLength;
    engine.openedBytes += size;
    const answer = await engine.ask({ type: "open", key, id, name, bytes }, OPEN_MS);
    if (answer !== "timeout" && answer.type === "opened") {
      engine.opened.set(source.key, size);
      const edits = source.changes?.() ?? [];
      if (edits.length === 0) return null;
      const changes = JSON.stringify([{ modelId: id, edits }]);
      const applied = await engine.ask({ type: "apply", key, changes }, OPEN_MS);
      if (applied !== "timeout" && applied.type === "done") return null;
      // A model without its changes is another one.
      this.end();
      return NOT_READ;
    }
    if (answer !== "timeout" && answer.type === "refused")
      return { code: "FIXTURE_FAILED", message: answer.message };
    this.end();
    return NOT_READ;
  }

  /** A model that is no longer wanted leaves the thread. */
  async close(
    key: string,
    { key: model, id = "" }: Pick<ModelSource, "key" | "id">,
  ): Promise<void> {
    if (this.#engine?.opened.delete(model))
      await this.#engine.ask({ type: "close", key, id }, OPEN_MS);
  }

  /** `more` bytes of models are to be opened, and a thread that has just what is asked for holds `whole`. */
  async #started(realms: number, { more, whole }: Needed): Promise<Engine> {
    const used = this.#engine;
    const full = used ? used.openedBytes + more : 0;
    const worn =
      used &&
      used.waiting.size === 0 &&
      ((realms > 0 && used.realms >= MAX_REALMS) ||
        (more > 0 && full > MAX_OPENED_BYTES && full > whole));
    if (worn) this.end();
    if (this.#engine) return this.#engine;
    const module = await sandboxModule().catch(notStarted);
    const engine = new Engine(await platform.thread("sandbox"));
    if (this.#closed) {
      engine.end();
      return notStarted();
    }
    this.#engine = engine;
    const start = { type: "start", module } as const;
    const answer = await engine.ask(start, OPEN_MS).catch(() => ENDED);
    if (answer !== "timeout" && answer.type === "ready") return engine;
    this.end();
    return notStarted();
  }
}
