/**
 * The page's side of the model's Web Worker. A new file opens in a fresh worker: cancel is its end, and the old model
 * stays.
 */

import type { ModelClient, ModelFacts, ModelOpenError, OpenProgress } from "../types.ts";
import type { ModelQuestion, ModelResponse } from "./protocol.ts";

/** What of a file that did not open is shown. */
const EXCERPT_BYTES = 120;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: ModelOpenError): void;
  progress?: (progress: OpenProgress) => void;
}

class Channel {
  readonly #worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<ModelResponse>) => this.#take(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail({
        code: "MODEL_INVALID",
        message: "The file could not be read to its end: it may be too large for this device.",
        args: { case: "NOT_READ" },
      });
    };
  }

  ask<T>(question: ModelQuestion, progress?: (progress: OpenProgress) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#waiting.set(id, {
        resolve: resolve as (result: unknown) => void,
        reject,
        ...(progress ? { progress } : {}),
      });
      this.#worker.postMessage({ ...question, id });
    });
  }

  end(error?: ModelOpenError): void {
    this.#worker.terminate();
    if (error) this.#fail(error);
  }

  #take(data: ModelResponse): void {
    const waiting = this.#waiting.get(data.id);
    if (!waiting) return;
    if ("progress" in data) {
      waiting.progress?.(data.progress);
      return;
    }
    this.#waiting.delete(data.id);
    if ("error" in data) waiting.reject(data.error);
    else waiting.resolve(data.result);
  }

  #fail(error: ModelOpenError): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

/** A client without a model; `open` is the first call. */
export function createModelClient(): ModelClient {
  let current: Channel | undefined;
  const ask = <T>(question: ModelQuestion): Promise<T> =>
    current
      ? current.ask<T>(question)
      : Promise.reject({
          code: "MODEL_INVALID",
          message: "No model is open.",
          args: { case: "NOT_OPEN" },
        });
  return {
    async open(file, name, onProgress, signal) {
      const started = performance.now();
      const channel = new Channel();
      const cancel = (): void =>
        channel.end({ code: "CANCELLED", message: "Opening was cancelled." });
      signal.addEventListener("abort", cancel, { once: true });
      try {
        const facts = await channel.ask<ModelFacts>({ method: "open", file, name }, onProgress);
        current?.end();
        current = channel;
        return { ...facts, opened_ms: Math.round(performance.now() - started) };
      } catch (error) {
        channel.end();
        const shape = error as ModelOpenError;
        const begins = await file
          .slice(0, EXCERPT_BYTES)
          .text()
          .catch(() => "");
        throw { ...shape, details: { ...shape.details, begins, read: file.size } };
      } finally {
        signal.removeEventListener("abort", cancel);
      }
    },
    tree: () => ask({ method: "tree" }),
    rows: () => ask({ method: "rows" }),
    columns: () => ask({ method: "columns" }),
    column: (set, name) => ask({ method: "column", set, name }),
    choices: () => ask({ method: "choices" }),
    find: (query) => ask({ method: "find", query }),
    units: () => ask({ method: "units" }),
    details: (ids) => ask({ method: "details", ids }),
    search: (text) => ask({ method: "search", text }),
    apply: (edits) => ask({ method: "apply", edits: JSON.stringify(edits) }),
    check: (file) => ask({ method: "check", file }),
    bcf: (topics, version) => ask({ method: "bcf", topics: JSON.stringify(topics), version }),
    issues: (file) => ask({ method: "issues", file }),
    close: () => {
      current?.end();
      current = undefined;
    },
  };
}
