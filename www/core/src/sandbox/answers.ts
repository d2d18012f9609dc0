/**
 * What the sandbox answers in its thread. Endless code does not answer: who asked ends the thread at its limit.
 */

import type { Sandbox } from "../../wasm/sandbox/sandbox.js";
import type { Json } from "../types.ts";
import type { SandboxRequest, SandboxResponse } from "./protocol.ts";
import type { CallOutcome, ElementRef, ViewerEffect } from "./wire.ts";

type Glue = typeof import("../../wasm/sandbox/sandbox.js");
type Activations = InstanceType<Glue["Activations"]>;
type Opens = Extract<SandboxRequest, { type: "open" }>;

/** One instance of the module: its sandboxes with their models, and the activations that live in it. */
class Instance {
  readonly #sandboxes = new Map<string, Sandbox>();
  /** Made with the module, which `start` brings. */
  #activations!: Activations;

  constructor(private readonly glue: Glue) {}

  take(request: SandboxRequest): SandboxResponse {
    switch (request.type) {
      case "start":
        this.glue.initSync({ module: request.module });
        this.#activations = new this.glue.Activations();
        return { type: "ready" };
      case "open":
        return this.#open(request);
      case "close":
        this.#on(request.key).close_model(request.id);
        return { type: "done" };
      case "fixture":
        return this.#fixture(request.id, request.content);
      case "apply":
        this.#on(request.key).apply(request.changes);
        return { type: "done" };
      case "run":
        return ran(this.#on(request.key).run(request.program));
      case "call":
        return stepped(
          this.#on(request.key).call(this.#activations, request.session, request.program),
        );
      case "resume":
        return stepped(this.#activations.resume(request.session, request.replies));
      case "finish":
        return ran(this.#on(request.key).end(this.#activations, request.session, request.program));
      case "forget":
        this.#activations.forget(request.session);
        return { type: "done" };
    }
  }

  trapped(error: unknown): SandboxResponse {
    const reason = this.glue.why();
    if (reason === "MEMORY")
      return {
        type: "trapped",
        code: "MEMORY",
        message: "The code used more memory than it may.",
        args: { case: "CODE" },
      };
    // A limit that was passed before the engine broke.
    if (reason === "STACK")
      return {
        type: "trapped",
        code: "STACK",
        message: "The code called itself too deeply.",
        args: { case: "CODE_CALLS" },
      };
    if (reason === "FUEL")
      return { type: "trapped", code: "FUEL", message: "The call used up its steps." };
    if (reason !== undefined) return { type: "trapped", code: "SANDBOX_FAULT", message: reason };
    if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) {
      return {
        type: "trapped",
        code: "STACK",
        message: "The code called itself too deeply.",
        args: { case: "CODE_CALLS" },
      };
    }
    return { type: "trapped", code: "SANDBOX_FAULT", message: String(error) };
  }

  #open({ key, id, name, bytes }: Opens): SandboxResponse {
    const sandbox = this.#on(key);
    try {
      if (id === undefined) sandbox.load_model(name, bytes);
      else sandbox.load_known(id, name, bytes, new Date().toISOString());
    } catch (error) {
      // Memory that is used up is no fault of the file.
      if (error instanceof WebAssembly.RuntimeError) throw error;
      return { type: "refused", message: error instanceof Error ? error.message : String(error) };
    }
    return { type: "opened" };
  }

  #fixture(id: string, content: string | undefined): SandboxResponse {
    try {
      return { type: "made", bytes: this.glue.Sandbox.fixture(id, content) };
    } catch (error) {
      return { type: "refused", message: error instanceof Error ? error.message : String(error) };
    }
  }

  /** The sandbox of a key; the first question for it makes one without models. */
  #on(key: string): Sandbox {
    const sandbox = this.#sandboxes.get(key) ?? new this.glue.Sandbox(new Date().toISOString());
    this.#sandboxes.set(key, sandbox);
    return sandbox;
  }
}

/** As the sandbox writes `refs`: neighbours of one model are one of them. */
type Neighbours = ElementRef | { modelId: string; expressIds: number[] };
type Written = Omit<CallOutcome, "effects"> & {
  effects: Omit<CallOutcome["effects"], "viewer"> & {
    viewer: (Omit<ViewerEffect, "refs"> & { refs?: Neighbours[] })[];
  };
};

function whole({ effects, ...outcome }: Written): Json {
  const each = (one: Neighbours): ElementRef[] =>
    "expressIds" in one
      ? one.expressIds.map((expressId) => ({ modelId: one.modelId, expressId }))
      : [one];
  const viewer = effects.viewer.map(({ refs, ...effect }) =>
    refs ? { ...effect, refs: refs.flatMap(each) } : effect,
  );
  const read: CallOutcome = { ...outcome, effects: { ...effects, viewer } };
  return read as unknown as Json;
}

const ran = (outcome: string): SandboxResponse => ({
  type: "ran",
  outcome: whole(JSON.parse(outcome)),
});

/** How a call ended, or what it waits for (`CallStep` of the sandbox). */
function stepped(step: string): SandboxResponse {
  const { ended, waits } = JSON.parse(step);
  return waits ? { type: "waits", ...waits } : { type: "ran", outcome: whole(ended) };
}

/** Answers every message over one instance of the module. */
export function answers(glue: Glue): (request: SandboxRequest) => SandboxResponse {
  const instance = new Instance(glue);
  return (request) => {
    try {
      return instance.take(request);
    } catch (error) {
      return instance.trapped(error);
    }
  };
}
