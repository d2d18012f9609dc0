/**
 * Kept examples of a script: an input with what came of it, on this device. Proposals run on them before Apply, and the
 * one that comes out another way is named.
 */
import type { VirtualFiles } from "@holdpoint/core/editor";
import type { Job, Running as Run, RunOutcome } from "@holdpoint/core/python-run";
import { format, t } from "@holdpoint/elements";
import type { RunExample } from "@holdpoint/elements/run/view";
import { AREA } from "../../tab-drafts.js";
import type { Around } from "./around.js";
import { type Given, jobOf, sizeOf } from "./run-inputs.js";
import type { RunSubject } from "./running.js";

export const MAX_EXAMPLES = 20;
export const MAX_EXAMPLE_BYTES = 1_048_576;

interface Kept {
  id: string;
  n: number;
  given: Given;
  /** What came of it: a digest says whether it is the same again. */
  digest: string;
  at: number;
}

/** What the kept examples say of a proposal. */
export interface Verdict {
  print: string;
  state: "runs" | "done";
  breaks: string[];
  of: number;
}

/** End, outputs and bytes of files; not what was printed, which often holds times. */
export async function digestOf({ end, outputs, problem }: RunOutcome): Promise<string> {
  const parts = await Promise.all(
    outputs.map(async (one) =>
      one.is === "file" ? { ...one, bytes: await sha256(one.bytes) } : one,
    ),
  );
  const said = { end, parts, problem: problem && [problem.kind, problem.message] };
  return sha256(new TextEncoder().encode(JSON.stringify(said)));
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Examples {
  #kept: Kept[] = [];
  #states = new Map<string, RunExample["state"]>();
  #verdict: Verdict | null = null;
  #run: Run | null = null;
  #question = 0;

  constructor(
    private readonly around: Around,
    private readonly script: RunSubject,
    private readonly run: (job: Job) => Run,
  ) {}

  async restore(): Promise<void> {
    this.#kept = (await this.around.store.get<Kept[]>(AREA, this.#key)) ?? [];
  }

  get #key(): string {
    return `script-examples:${this.script.tool_id}`;
  }

  given(id: string): Given | null {
    return this.#kept.find((one) => one.id === id)?.given ?? null;
  }

  async keep(given: Given, outcome: RunOutcome): Promise<void> {
    const weight = (one: Given) =>
      sizeOf(one.files) + JSON.stringify([one.settings, one.input]).length;
    const whole = this.#kept.reduce((sum, one) => sum + weight(one.given), weight(given));
    if (this.#kept.length >= MAX_EXAMPLES || whole > MAX_EXAMPLE_BYTES) {
      const size = format.bytes(MAX_EXAMPLE_BYTES);
      return this.around.toast(t("script.run.example.full", { n: MAX_EXAMPLES, size }));
    }
    const n = Math.max(0, ...this.#kept.map((one) => one.n)) + 1;
    const digest = await digestOf(outcome);
    this.#kept.push({ id: crypto.randomUUID(), n, given, digest, at: Date.now() });
    await this.#store();
    this.around.toast(t("script.run.example.kept"));
  }

  async remove(id: string): Promise<void> {
    this.#kept = this.#kept.filter((one) => one.id !== id);
    await this.#store();
  }

  async #store(): Promise<void> {
    this.#verdict = null;
    this.#states.clear();
    await this.around.store.put(AREA, this.#key, this.#kept);
    this.around.changed();
  }

  stop(): void {
    this.#question += 1;
    if (this.#verdict?.state === "runs") {
      this.#verdict = null;
      this.#states.clear();
    }
    this.#run?.stop();
  }

  /** Runs a proposal on all of them, once for each that is signed. */
  async check(after: VirtualFiles, print: string): Promise<void> {
    if (!this.#kept.length || this.#verdict?.print === print) return;
    this.stop();
    const mine = this.#question;
    const verdict: Verdict = { print, state: "runs", breaks: [], of: this.#kept.length };
    this.#verdict = verdict;
    this.#states.clear();
    try {
      await this.around.runner.prepare();
    } catch {
      this.#verdict = null;
      return;
    }
    for (const { id, n, given, digest } of this.#kept) {
      if (mine !== this.#question) return;
      this.#states.set(id, "runs");
      this.around.changed();
      this.#run = this.run(jobOf(after, given).job);
      const outcome = await this.#run.outcome;
      if (mine !== this.#question) return;
      const same = (await digestOf(outcome)) === digest;
      this.#states.set(id, same ? "same" : "differs");
      if (!same) verdict.breaks.push(t("script.run.example.title", { n }));
    }
    verdict.state = "done";
    this.#run = null;
    this.around.changed();
  }

  /** Of the proposal that is shown; null where none was run. */
  verdict(print: string): Verdict | null {
    return this.#verdict?.print === print ? this.#verdict : null;
  }

  get some(): boolean {
    return this.#kept.length > 0;
  }

  view(): RunExample[] {
    return this.#kept.map(({ id, n }) => ({
      id,
      title: t("script.run.example.title", { n }),
      state: this.#states.get(id) ?? "kept",
      side: "proposed",
    }));
  }
}
