// What workerd loads: the Wasm module behind classes that extend `DurableObject`, and the guard for panics.
//
// One Wasm instance serves the Worker and every object of the isolate. When Rust panics or its stack ends, the call that
// did never answers and no other call of that instance can be trusted. So each live call races a promise that such a fault
// rejects: callers get an answer, objects abort (which cuts their streams), and the next call starts on a fresh instance.
import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
import * as rust from "./worker.js";
import module from "./worker_bg.wasm";

rust.initSync({ module });

/** The promises of all live calls: a fault of the instance rejects them. */
const live = new Set();
let generation = 0;
let poisoned = false;

/** Called by Rust's panic hook, and by the glue when a trap leaves the instance, wherever that happens; nothing of the
 * instance may be called from here on. */
globalThis.__holdpoint_panicked = () => {
  poisoned = true;
  for (const call of live) call.reject(new Error("panic"));
  live.clear();
};

/** Whether an error says that the instance cannot go on. A `RangeError` of anything but the stack is a value's. */
const is_fault = (error) =>
  error instanceof WebAssembly.RuntimeError ||
  (error instanceof RangeError && /call stack/i.test(error.message)) ||
  (error instanceof Error && error.message === "Module terminated");

/** Runs `work` unless the instance fails first. */
async function guarded(work) {
  if (poisoned) {
    poisoned = false;
    generation += 1;
    rust.__wbg_reset_state();
  }
  const call = {};
  const panicked = new Promise((_, reject) => {
    call.reject = reject;
  });
  live.add(call);
  try {
    return await Promise.race([work(), panicked]);
  } catch (error) {
    if (is_fault(error) && !poisoned) globalThis.__holdpoint_panicked();
    throw error;
  } finally {
    live.delete(call);
  }
}

/** A class that workerd knows, around one that Rust made: `make` answers an object of it. */
function object(make) {
  return class extends DurableObject {
    #inner;
    #born = -1;

    constructor(ctx, env) {
      super(ctx, env);
      // What Rust does behind a response lives under the same guard.
      const waitUntil = ctx.waitUntil.bind(ctx);
      ctx.waitUntil = (work) => waitUntil(guarded(() => work).catch((error) => this.#end(error)));
    }

    #end(error) {
      this.ctx.abort(error instanceof Error ? error.message : "failed");
    }

    get #rust() {
      if (this.#born !== generation) {
        this.#inner = make(this.ctx, this.env);
        this.#born = generation;
      }
      return this.#inner;
    }

    fetch(request) {
      return guarded(() => this.#rust.fetch(request));
    }

    /** A command as text, from another object. */
    ask(command) {
      return guarded(async () => this.#rust.ask(command));
    }

    alarm() {
      return guarded(() => this.#rust.alarm());
    }
  };
}

export const Account = object((ctx, env) => new rust.Account(ctx, env));
export const Project = object((ctx, env) => new rust.Project(ctx, env));
export const Relay = object((ctx, env) => new rust.Relay(ctx, env));
export const Slug = object((ctx, env) => new rust.Slug(ctx, env));

export default class extends WorkerEntrypoint {
  async fetch(request) {
    try {
      return await guarded(() => rust.fetch.call(this, request, this.env, this.ctx));
    } catch {
      const error = {
        code: "INTERNAL",
        message: "Something failed here. Nothing was changed. Try again.",
      };
      return Response.json({ error }, { status: 500 });
    }
  }
}
