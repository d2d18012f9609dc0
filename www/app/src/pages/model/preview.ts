/**
 * What is reviewed, tried on the open model before it is signed: in the sandbox, with exactly the permissions that are
 * ticked, without storage and without files that leave the page. UI.md §5 "Preview".
 *
 * Invariant: what is tried is what is signed. Another bundle, other permissions or another model is another trial.
 */
import type {
  CallOutcome,
  Files,
  Json,
  Manifest,
  SandboxClient,
  SandboxFailure,
} from "@holdpoint/core/types";
import { language, type PanelView, said } from "@holdpoint/elements";
import type { Did, Tried } from "@holdpoint/elements/dock/preview";
import { Calls, type Dock, lines, type Runnable } from "./calls.js";
import { titleOf } from "./contributions.js";
import { widgetOf } from "./installed.js";
import type { Opening } from "./opening.js";
import { SDK } from "./pricing.js";

/** What is looked at before it is signed. */
export interface Tryable {
  files: Files;
  manifest: Manifest;
  granted: string[];
  /** The fingerprint that is signed. */
  print: string;
  /** Tests that passed. */
  passed: number;
}

/** How a trial stands, for the foot that signs. */
export interface Trial {
  state: "running" | "ran" | "stopped" | "nomodel";
  seen: boolean;
  /** A person wants it although it stops. */
  accepted: boolean;
  open: boolean;
  model: string;
  /** Whether it has to be seen: a panel has. */
  panel: boolean;
}

interface Run {
  of: Tryable;
  key: string;
  one: Runnable;
  dock: Dock;
  state: Trial["state"];
  did: Did[];
  ms: number | null;
  stopped: SandboxFailure | null;
  answer: Tried["answer"];
  seen: boolean;
  accepted: boolean;
}

interface Around {
  sandbox: SandboxClient;
  opening: Opening;
  changed(): void;
}

/** Names the panel among those of the page. */
export const PREVIEW = "preview";
const SNIPPET_LINES = 1;

export class Preview {
  open = true;
  #run: Run | null = null;
  readonly #calls: Calls;

  constructor(private readonly around: Around) {
    const { opening } = around;
    // The model stays as it is: what would change it is told and not done.
    const shown = {
      select: (ids: number[]) => opening.select(ids),
      colour: (name: string, groups: Parameters<Opening["colour"]>[1]) =>
        opening.colour(name, groups),
      change: () => Promise.resolve(),
    };
    this.#calls = new Calls(around.sandbox, shown, {
      current: (one) => (this.#run?.one.running.key === one.running.key ? one : undefined),
      dock: (_, id) => {
        const run = this.#run;
        return run?.dock.id === id ? [PREVIEW, run.dock] : undefined;
      },
      front: () => undefined,
      selected: () => undefined,
      switchOff: (_, failure) => {
        if (this.#run) this.#run.stopped = failure;
        return Promise.resolve();
      },
      saved: ({ filename: file, text }) =>
        this.#did({ is: "saved", file, lines: lines(text), text }),
      changed: around.changed,
      told: (text) => this.#did({ is: "told", text }),
      refused: (_, failure) => {
        if (this.#run) this.#run.stopped = failure as SandboxFailure;
      },
      done: () => undefined,
    });
  }

  /** What is reviewed now; null: nothing is. Something else begins a trial of its own. */
  follow(of: Tryable | null): void {
    const { opening } = this.around;
    const model = opening.model.facts;
    const key = of?.print ? `${of.print} ${model?.name ?? ""} ${model?.opened_ms ?? ""}` : "";
    if (key === (this.#run?.key ?? "")) return;
    if (this.#run) this.#end(this.#run);
    this.#run = of?.print ? this.#begun(of, key) : null;
    this.open = this.trial()?.panel ?? false;
    if (this.#run && model) void this.again();
  }

  #begun(of: Tryable, key: string): Run {
    const { opening } = this.around;
    const first = of.manifest.contributes?.dock?.[0];
    const storage: Record<string, Json> = {};
    const running = {
      key: `${PREVIEW} ${key}`,
      files: of.files,
      granted: of.granted,
      locale: language(),
      selection: () => opening.model.selected,
      storage: () => storage,
      keep: (kept: Record<string, Json>) => {
        this.#did({ is: "stored", n: Object.keys(kept).length });
      },
      model: () => opening.file,
    };
    const { id, version } = of.manifest;
    const record = {
      ...{ id, version, content_hash: of.print, granted: of.granted },
      ...{ enabled: true, origin: "preview", installed_at: 0, sdk_version: SDK, revision_id: "" },
      ...{ can_undo: false, can_redo: false },
    };
    return {
      of,
      key,
      one: { record, files: of.files, manifest: of.manifest, running },
      dock: {
        id: first?.id ?? "",
        title: first?.title ?? of.manifest.name,
        extension: id,
        slot: "dock.right",
        when: undefined,
        data: first?.data,
        refreshOn: [],
        widget: first
          ? widgetOf(of.files, first.widget)
          : { type: "Text", text: of.manifest.description ?? "" },
        state: undefined,
        busy: false,
        failure: null,
      },
      state: "nomodel",
      did: [],
      ms: null,
      stopped: null,
      answer: null,
      seen: false,
      accepted: false,
    };
  }

  #end({ one }: Run): void {
    this.#calls.forget(one.record.id);
    void this.around.sandbox.end(one.running).catch(() => null);
  }

  #did(what: Did): void {
    const run = this.#run;
    if (!run) return;
    // Of what stands in the store the last word counts.
    run.did = [...run.did.filter((one) => what.is !== "stored" || one.is !== "stored"), what];
  }

  /** Runs it from the start: with nothing stored, on the model as it is. */
  async again(): Promise<void> {
    const run = this.#run;
    if (!run || !this.around.opening.file) return;
    Object.assign(run, { did: [], stopped: null, accepted: false, ms: null, answer: null });
    run.state = "running";
    run.dock.failure = null;
    this.around.changed();
    if (run.dock.data === undefined) {
      run.state = "ran";
      run.ms = 0;
      return this.around.changed();
    }
    const outcome = await this.#call(run, run.dock.data, undefined);
    if (outcome) run.dock.state = outcome.value ?? undefined;
    this.around.changed();
  }

  /** A command that a person presses in the preview. */
  async command(id: string, args: Json | undefined): Promise<void> {
    const run = this.#run;
    if (!run) return;
    const outcome = await this.#call(run, id, args);
    if (outcome && id === run.dock.data) run.dock.state = outcome.value ?? undefined;
    else if (outcome && this.#unshown(run).some((one) => one.id === id))
      run.answer = { title: titleOf(run.of.manifest, id), value: outcome.value };
    this.around.changed();
  }

  async #call(run: Run, id: string, args: Json | undefined): Promise<CallOutcome | null> {
    const began = performance.now();
    const asked = { command: { id, ...(args === undefined ? {} : { args }) } };
    // Nobody is told of it elsewhere: what it did stands in the preview.
    const outcome = await this.#calls.call(run.one, asked, new Set(), run.dock);
    run.ms = performance.now() - began;
    run.stopped ??= run.dock.failure;
    run.state = run.stopped ? "stopped" : "ran";
    for (const { op, refs } of outcome?.effects.viewer ?? []) {
      const n = refs?.length ?? 0;
      if (op === "select") this.#did({ is: "selected", n });
      if (op === "colorize") this.#did({ is: "coloured", n });
    }
    const changed = outcome?.effects.mutations?.length ?? 0;
    if (changed) this.#did({ is: "changed", n: changed });
    return outcome;
  }

  state(state: Json): void {
    if (this.#run) this.#run.dock.state = state;
  }

  /** It stood before a person's eyes. */
  saw(print: string): void {
    const run = this.#run;
    if (!run || run.seen || run.of.print !== print || run.ms === null) return;
    run.seen = true;
    this.around.changed();
  }

  accept(): void {
    if (this.#run) this.#run.accepted = !this.#run.accepted;
    this.around.changed();
  }

  shows(open: boolean): void {
    this.open = open;
    this.around.changed();
  }

  /** Why it stopped here, in words that a request for a repair can take. */
  get failure(): SandboxFailure | null {
    return this.#run?.stopped ?? null;
  }

  get value(): Json | undefined {
    return this.#run?.dock.state;
  }

  trial(): Trial | null {
    const run = this.#run;
    if (!run) return null;
    const { state, seen, accepted } = run;
    return {
      ...{ state, seen, accepted, open: this.open },
      model: this.around.opening.model.facts?.name ?? "",
      panel: (run.of.manifest.contributes?.dock?.length ?? 0) > 0,
    };
  }

  /** The panel as it is drawn, while it is open. */
  panel(): PanelView | null {
    const run = this.#run;
    if (!run || !this.open || run.state === "nomodel") return null;
    const { dock, of } = run;
    return {
      extension: of.manifest.id,
      dock: PREVIEW,
      slot: "dock.right",
      title: dock.title,
      version: of.manifest.version,
      hash: of.print,
      stored: true,
      enabled: true,
      widget: dock.widget,
      state: dock.state,
      busy: dock.busy,
      failure: run.stopped,
      tried: {
        did: run.did,
        ms: run.ms,
        stopped: run.stopped ? place(run.stopped, of.files) : null,
        passed: of.passed,
        commands: this.#unshown(run),
        answer: run.answer,
      },
    };
  }

  /** Commands that no panel runs to show its data. */
  #unshown({ of }: Run): Tried["commands"] {
    const shown = new Set(of.manifest.contributes?.dock?.map((dock) => dock.data));
    return (of.manifest.contributes?.commands ?? []).filter((one) => !shown.has(one.id));
  }
}

/** Where it stopped in its own source. */
function place(failure: SandboxFailure, files: Files): NonNullable<Tried["stopped"]> {
  const { at, code } = failure;
  const start = { line: at?.line ?? 1, column: at?.column ?? 1 };
  const source = files[at?.path ?? ""]?.split("\n") ?? [];
  const from = Math.max(1, start.line - SNIPPET_LINES);
  const snippet = source.slice(from - 1, start.line + SNIPPET_LINES).map((text, n) => ({
    number: from + n,
    text,
    mark: from + n === start.line ? { start: start.column, end: start.column } : null,
  }));
  return {
    ...{ code, severity: "error", test: "", text: said(failure) },
    ...{ path: at?.path ?? "", range: at ? { start, end: start } : null, pointer: "" },
    ...{ place: at?.path ?? "", near: "", snippet, compared: null, texts: [], hint: "" },
    ...{ fresh: false, fixable: false },
  };
}
