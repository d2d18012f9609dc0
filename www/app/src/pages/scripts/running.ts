/**
 * Runs the open script on this device: its texts as they stand, the proposal, or both on the same input.
 *
 * Owns what was given and what came of it. A run is never a condition of an apply.
 */
import type { VirtualFiles } from "@holdpoint/core/editor";
import {
  type Differences,
  differences,
  type Entered,
  type Field,
  RUN_LIMITS,
  type Running as Run,
  type RunOutcome,
} from "@holdpoint/core/python-run";
import { t } from "@holdpoint/elements";
import {
  type FormId,
  megabytes,
  type RunColumn,
  type RunForm,
  type RunSide,
  type RunView,
} from "@holdpoint/elements/run/view";
import type { Around } from "./around.js";
import { PYTHON_BYTES } from "./interpreter.js";
import { Examples } from "./run-examples.js";
import {
  fileName,
  fileOf,
  formsOf,
  type Given,
  given,
  jobOf,
  nothingGiven,
  sizeOf,
} from "./run-inputs.js";
import { asking, fieldProblem, runError, sameRun } from "./run-words.js";

/** A proposal as it is signed: the texts before and after, and the hash of the result. */
export interface Proposed {
  before: VirtualFiles;
  after: VirtualFiles;
  print: string;
}

export interface RunSubject {
  tool_id: string;
  texts(): VirtualFiles;
  proposed(): Proposed | null;
}

/** One side of a run while it goes on and after it. */
interface Side {
  side: RunSide;
  print: string;
  texts: VirtualFiles;
  state: RunColumn["state"];
  printed: string;
  outcome: RunOutcome | null;
}

export class Running {
  #given: Given = nothingGiven();
  #sides: Side[] = [];
  #differs: Differences | null = null;
  #which: RunView["which"] | null = null;
  #phase: RunView["phase"] = "idle";
  #run: Run | null = null;
  #tried = false;
  #moved = false;
  #away = "";
  #refused = "";
  #since = 0;
  #stopped = false;
  readonly examples: Examples;

  constructor(
    private readonly around: Around,
    private readonly script: RunSubject,
  ) {
    this.examples = new Examples(around, script, (job) =>
      this.around.runner.run(job, { began: () => undefined, printed: () => undefined }),
    );
  }

  /** What the device kept of the last run. */
  async restore(): Promise<void> {
    this.#given = await given.get(this.around.store, this.script.tool_id);
    await this.examples.restore();
    this.around.changed();
  }

  get ticks(): boolean {
    return this.#phase === "running";
  }

  /** Another script, or none, is open next. */
  close(): void {
    this.stop();
    this.around.runner.rest();
  }

  // ── what is given ──────────────────────────────────────────────────────────────────────────────────────────────

  entered(form: FormId, field: string, value: Entered): void {
    this.#given = { ...this.#given, [form]: { ...this.#given[form], [field]: value } };
    this.#changed();
  }

  async take(files: File[], form: FormId | "" = "", field = ""): Promise<void> {
    this.#refused = "";
    const kept = this.#given.files.filter(
      (one) => !field || one.form !== form || one.field !== field,
    );
    for (const file of files) {
      const name = fileName(file.name);
      if (sizeOf(kept) + file.size > RUN_LIMITS.inputBytes) {
        const size = megabytes(RUN_LIMITS.inputBytes);
        this.#refused = t("script.run.files.large", { name, size });
        continue;
      }
      const bytes = new Uint8Array(await file.arrayBuffer());
      const same = kept.findIndex(
        (one) => one.name === name && one.form === form && one.field === field,
      );
      if (same >= 0) kept.splice(same, 1);
      kept.push({ name, bytes, form, field });
    }
    this.#given = { ...this.#given, files: kept };
    this.#changed();
  }

  drop(name: string, form: FormId | "" = "", field = ""): void {
    this.#refused = "";
    const files = this.#given.files.filter(
      (one) => one.name !== name || one.form !== form || one.field !== field,
    );
    this.#given = { ...this.#given, files };
    this.#changed();
  }

  choose(which: RunView["which"]): void {
    if (this.#phase !== "idle") return;
    this.#which = which;
    this.around.changed();
  }

  /** The texts moved, or a proposal came or went. */
  moved(): void {
    this.#moved = true;
  }

  #changed(): void {
    this.#moved = true;
    this.around.changed();
  }

  // ── running ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** With a proposal both, unless somebody chose. */
  #chosen(): RunView["which"] {
    if (!this.script.proposed()) return "now";
    return this.#which ?? "both";
  }

  #begun(): Side[] {
    const [which, proposed] = [this.#chosen(), this.script.proposed()];
    const fresh = { state: "waits" as const, printed: "", outcome: null };
    const now = { side: "now" as const, print: "", texts: this.script.texts(), ...fresh };
    if (!proposed || which === "now") return [now];
    const { before, after, print } = proposed;
    const then = { side: "proposed" as const, print, texts: after, ...fresh };
    return which === "proposed" ? [then] : [{ ...now, texts: before }, then];
  }

  /** How many fields are in the way. */
  #faults(sides: readonly Side[]): number {
    const all = sides.flatMap(({ texts }) => {
      const { problems } = jobOf(texts, this.#given);
      return (["settings", "input"] as const).flatMap((form) =>
        Object.keys(problems[form]).map((name) => `${form} ${name}`),
      );
    });
    return new Set(all).size;
  }

  async start(): Promise<void> {
    if (this.#phase !== "idle") return;
    const sides = this.#begun();
    this.#tried = true;
    this.examples.stop();
    if (this.#faults(sides) > 0) return this.around.changed();
    this.#sides = sides;
    this.#differs = null;
    this.#moved = this.#stopped = false;
    this.#away = "";
    this.#since = 0;
    this.#phase = "loading";
    this.around.changed();
    void given.keep(this.around.store, this.script.tool_id, this.#given).catch(() => undefined);
    try {
      await this.around.runner.prepare(() => this.around.changed());
    } catch (error) {
      this.#away = String(error);
      this.#sides = [];
    }
    for (const side of this.#sides) {
      if (this.#stopped) Object.assign(side, { state: "stopped", outcome: stopped });
      else await this.#ran(side);
    }
    const [left, right] = this.#sides.map(({ outcome }) =>
      outcome?.end === "done" ? outcome : null,
    );
    if (left && right) this.#differs = this.#compared(left, right);
    this.#phase = "idle";
    this.#run = null;
    this.around.changed();
    void this.examine();
  }

  async #ran(side: Side): Promise<void> {
    side.state = "starting";
    this.#since = 0;
    this.around.changed();
    const { job } = jobOf(side.texts, this.#given);
    this.#run = this.around.runner.run(job, {
      began: () => {
        side.state = "running";
        this.#phase = "running";
        this.#since = Date.now();
        this.around.changed();
      },
      printed: (text) => {
        side.printed = text;
        this.around.changed();
      },
    });
    if (this.#stopped) this.#run.stop();
    side.outcome = await this.#run.outcome;
    side.state = side.outcome.end;
    side.printed = side.outcome.printed;
    this.around.changed();
  }

  stop(): void {
    this.#stopped = true;
    this.#run?.stop();
    this.examples.stop();
  }

  #compared(left: RunOutcome, right: RunOutcome): Differences {
    return differences(
      left,
      right,
      (before, after) => this.around.core.textDiff(before, after, 0).hunks,
    );
  }

  /** The words for the assistant about what stopped a side. */
  asking(side: RunSide): string {
    const found = this.#sides.find((one) => one.side === side);
    const error = found?.outcome && this.#error(found);
    return found?.outcome && error ? asking(found.outcome, error) : "";
  }

  // ── examples ───────────────────────────────────────────────────────────────────────────────────────────────────

  async keep(): Promise<void> {
    const [only] = this.#sides;
    if (this.#keeps() && only?.outcome) await this.examples.keep(this.#given, only.outcome);
  }

  use(id: string): void {
    const found = this.examples.given(id);
    if (!found) return;
    this.#given = found;
    this.#changed();
  }

  /** Runs the proposal on the kept examples, while nothing else runs. */
  async examine(): Promise<void> {
    const proposed = this.script.proposed();
    if (proposed && this.#phase === "idle")
      await this.examples.check(proposed.after, proposed.print);
  }

  /** One run of the texts as they stand that came to its end. */
  #keeps(): boolean {
    const [only, more] = this.#sides;
    const whole = !more && only?.side === "now" && only.outcome?.end === "done";
    return whole && !this.#moved && this.#phase === "idle";
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────

  #error(side: Side) {
    if (!side.outcome) return null;
    const text = side.texts["tool.py"];
    const linked = text === this.script.texts()["tool.py"];
    return runError(side.outcome, RUN_LIMITS, { text, linked });
  }

  #form(id: FormId, sides: readonly Side[]): RunForm {
    const all = sides.map(({ texts }) => formsOf(texts)[id]);
    const fields = new Map<string, Field>();
    // Those of the proposal come first where both run.
    for (const form of [...all].reverse())
      for (const field of form.fields) if (!fields.has(field.name)) fields.set(field.name, field);
    const faults = this.#tried
      ? sides.map(({ texts }) => jobOf(texts, this.#given).problems[id])
      : [];
    return {
      id,
      state: all.every(({ ok }) => ok) ? "ready" : "broken",
      title: all.at(-1)?.title ?? "",
      fields: [...fields.values()].map((field) => {
        const { name, is, title, help, required, options } = field;
        const problem = faults.map((one) => one[name]).find((one) => one !== undefined);
        const file = fileOf(this.#given, id, field);
        return {
          ...{ name, is, title, help, required, options },
          value: this.#given[id][name] ?? field.initial,
          problem: problem ? fieldProblem(problem) : "",
          file: file ? { name: file.name, size: file.bytes.length } : null,
        };
      }),
    };
  }

  view(): RunView {
    const proposed = this.script.proposed();
    const asked = this.#begun();
    const { runner } = this.around;
    return {
      phase: this.#phase,
      load: { here: runner.here, of: PYTHON_BYTES, done: runner.ready },
      away: this.#away,
      which: this.#chosen(),
      proposed: proposed ? { print: proposed.print } : null,
      forms: [this.#form("settings", asked), this.#form("input", asked)],
      files: this.#given.files
        .filter(({ field }) => !field)
        .map(({ name, bytes }) => ({ name, size: bytes.length })),
      refused: this.#refused,
      columns: this.#sides.map((side) => this.#column(side)),
      same: this.#differs?.same ?? null,
      moved: this.#moved || !this.#ranThese(asked),
      faults: this.#tried ? this.#faults(asked) : 0,
      since: this.#since,
      now: Date.now(),
      examples: this.examples.view(),
      keeps: this.#keeps(),
    };
  }

  #ranThese(asked: readonly Side[]): boolean {
    return (
      asked.length === this.#sides.length &&
      asked.every(({ side, texts }, i) => {
        const ran = this.#sides[i];
        return ran?.side === side && sameRun(ran.texts, texts);
      })
    );
  }

  #column(side: Side): RunColumn {
    const { outcome, state, print, printed } = side;
    return {
      ...{ side: side.side, print, state, printed },
      outputs: outcome?.outputs ?? [],
      leftOut: outcome?.leftOut ?? [],
      error: this.#error(side),
      ms: outcome?.ms ?? 0,
      differs: this.#differs?.[side.side === "now" ? "left" : "right"] ?? null,
    };
  }
}

const stopped: RunOutcome = {
  end: "stopped",
  printed: "",
  outputs: [],
  leftOut: [],
  problem: null,
  ms: 0,
};
