/**
 * The page's side of the model's Web Workers. A new file opens in a fresh worker: cancel is its end, and the old model
 * stays. Checks run in another, on a copy of the model, which ends with the next change of it.
 */

import type {
  ElementDetail,
  ModelClient,
  ModelFacts,
  ModelOpenError,
  ModelRow,
  OpenProgress,
  TreeNode,
} from "../types.ts";
import {
  Cells,
  type ColumnBlock,
  MOST,
  paged,
  putRows,
  type RowBlock,
  Tree,
  type TreeBlock,
} from "./blocks.ts";
import {
  type CheckQuestion,
  type ModelQuestion,
  type ModelResponse,
  NOT_OPEN,
  NOT_READ,
} from "./protocol.ts";

/** What of a file that did not open is shown. */
const EXCERPT_BYTES = 120;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: ModelOpenError): void;
  progress?: (progress: OpenProgress) => void;
}

class Channel {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#worker.onmessage = ({ data }: MessageEvent<ModelResponse>) => this.#take(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(NOT_READ);
    };
  }

  ask<T>(
    question: ModelQuestion | CheckQuestion,
    progress?: (progress: OpenProgress) => void,
  ): Promise<T> {
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

interface Opened {
  file: Blob;
  name: string;
  /** What calls of extensions did since, each as JSON. */
  edits: string[];
}

/** Opens a model once more in another worker, as it is now. */
async function copied(channel: Channel, { file, name, edits }: Opened): Promise<void> {
  await channel.ask({ method: "open", file, name });
  for (const text of edits) await channel.ask({ method: "apply", edits: text });
}

type Ask = <T>(question: ModelQuestion) => Promise<T>;

async function readRows(ask: Ask): Promise<ModelRow[]> {
  const rows: ModelRow[] = [];
  const block = (from: number, to: number) => ask<RowBlock>({ method: "rows", from, to });
  await paged(MOST.rows, block, (one) => putRows(one, rows));
  return rows;
}

async function readTree(ask: Ask, rows: readonly ModelRow[]): Promise<TreeNode[]> {
  const tree = new Tree(rows);
  const block = (from: number, to: number) => ask<TreeBlock>({ method: "tree", from, to });
  await paged(MOST.lines, block, (one) => tree.put(one));
  return tree.tops;
}

/** A client without a model; `open` is the first call. */
export function createModelClient(): ModelClient {
  let current: Channel | undefined;
  /** What is open, with what was done to it since: a check begins from there. */
  let opened: Opened | undefined;
  let checks: { channel: Channel; ready: Promise<void> } | undefined;
  const endChecks = (): void => {
    checks?.channel.end({ code: "CANCELLED", message: "The check was cancelled." });
    checks = undefined;
  };
  /** Asks the worker of checks, which opens a copy of the model for the first question since a change. */
  async function checked<T>(question: CheckQuestion): Promise<T> {
    if (!opened) throw NOT_OPEN;
    if (!checks) {
      const channel = new Channel(
        new Worker(new URL("./checks-worker.ts", import.meta.url), { type: "module" }),
      );
      checks = { channel, ready: copied(channel, opened) };
    }
    const { channel, ready } = checks;
    try {
      await ready;
      return await channel.ask<T>(question);
    } catch (error) {
      // What could not open, or trapped, answers nothing more.
      if ((error as ModelOpenError).code === "MODEL_INVALID" && checks?.channel === channel)
        endChecks();
      throw error;
    }
  }
  const ask = <T>(question: ModelQuestion): Promise<T> =>
    current ? current.ask<T>(question) : Promise.reject(NOT_OPEN);
  /** Rows and tree of the model as it is, once they are asked for. */
  let lists: { rows?: Promise<ModelRow[]>; tree?: Promise<TreeNode[]> } = {};
  const rows = (): Promise<ModelRow[]> => {
    lists.rows ??= readRows(ask);
    return lists.rows;
  };
  const tree = (): Promise<TreeNode[]> => {
    lists.tree ??= rows().then((all) => readTree(ask, all));
    return lists.tree;
  };
  return {
    async open(file, name, onProgress, signal) {
      const started = performance.now();
      const channel = new Channel(
        new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }),
      );
      const cancel = (): void =>
        channel.end({ code: "CANCELLED", message: "Opening was cancelled." });
      signal.addEventListener("abort", cancel, { once: true });
      try {
        const facts = await channel.ask<ModelFacts>({ method: "open", file, name }, onProgress);
        current?.end();
        current = channel;
        lists = {};
        opened = { file, name, edits: [] };
        endChecks();
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
    tree,
    rows,
    async column(set, name) {
      const cells = new Cells();
      const block = (from: number, to: number) =>
        ask<ColumnBlock>({ method: "column", set, name, from, to });
      await paged(MOST.cells, block, (one) => cells.put(one));
      return cells.column;
    },
    preferred: (names) => ask({ method: "preferred", names }),
    named: (name) => ask({ method: "named", name }),
    choices: () => ask({ method: "choices" }),
    find: (query) => ask({ method: "find", query }),
    units: () => ask({ method: "units" }),
    async details(ids) {
      const all: ElementDetail[] = [];
      for (let from = 0; from < ids.length; from += MOST.details) {
        const some = ids.slice(from, from + MOST.details);
        all.push(...(await ask<ElementDetail[]>({ method: "details", ids: some })));
      }
      return all;
    },
    async apply(edits) {
      const text = JSON.stringify(edits);
      const facts = await ask<ModelFacts>({ method: "apply", edits: text });
      lists = {};
      opened?.edits.push(text);
      endChecks();
      return facts;
    },
    check: (file) => checked({ method: "check", file }),
    bcf: (topics, version) => checked({ method: "bcf", topics: JSON.stringify(topics), version }),
    issues: (file) => checked({ method: "issues", file }),
    endCheck: endChecks,
    close: () => {
      current?.end({ code: "CANCELLED", message: "The model was closed." });
      current = undefined;
      lists = {};
      opened = undefined;
      endChecks();
    },
  };
}
