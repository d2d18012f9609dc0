/**
 * What is reviewed, tried on the open model before it is signed: in the sandbox, with exactly the permissions that are
 * ticked, without storage and without files that leave the page. UI.md §5 "Preview".
 *
 * Invariants: what is tried is what is signed, so another bundle, other permissions or another model is another trial;
 * when a trial ends, the page is as it was without it.
 */
import type {
  Asked,
  CallOutcome,
  Files,
  Json,
  Manifest,
  SandboxClient,
  SandboxFailure,
} from "@holdpoint/core/types";
import { language, type PanelView, said, type TrialView } from "@holdpoint/elements";
import type { Did, Offered, Tried } from "@holdpoint/elements/dock/preview";
import { Calls, type Dock, lines, type Runnable } from "./calls.js";
import { titleOf } from "./contributions.js";
import { ASKED, verdicts, widgetOf } from "./installed.js";
import { type Opening, sameSelection } from "./opening.js";
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

interface Run {
  of: Tryable;
  key: string;
  one: Runnable;
  calls: Calls;
  /** Its panels; one that says what it is where it has none. */
  docks: [Dock, ...Dock[]];
  front: Dock;
  state: TrialView["state"];
  did: Did[];
  ms: number | null;
  stopped: SandboxFailure | null;
  answer: Tried["answer"];
  /** Panels that stood before a person's eyes. */
  seen: Set<string>;
  accepted: boolean;
}

/** A selection that a trial made. */
interface Selection {
  file: Blob | null;
  /** What was selected before. */
  before: number[];
  made: number[];
}

interface Around {
  sandbox: SandboxClient;
  opening: Opening;
  changed(): void;
  /** Draws the colours of what is installed again. */
  recolour(): void;
}

/** Names the panel among those of the page. */
export const PREVIEW = "preview";
const SNIPPET_LINES = 1;

export class Preview {
  open = true;
  #run: Run | null = null;
  #selection: Selection | null = null;
  /** Trials until now: each has a worker and a copy of the model under a name of its own. */
  #begun = 0;

  constructor(private readonly around: Around) {}

  /** What a trial does to the page; nothing any more once it is not the one that runs. */
  #callsOf(run: () => Run): Calls {
    const { opening, sandbox, changed } = this.around;
    const runs = (): boolean => this.#run === run();
    const did = (what: Did): void => this.#did(run(), what);
    const stop = (failure: SandboxFailure): void => {
      if (!isHeld(failure)) run().stopped = failure;
    };
    // The model stays as it is: what would change it is told and not done.
    const shown = {
      select: async (ids: number[]) => runs() && this.#select(ids),
      colour: (name: string, groups: Parameters<Opening["colour"]>[1]) => {
        if (runs()) opening.colour(name, groups);
      },
      change: () => Promise.resolve(),
    };
    return new Calls(sandbox, shown, {
      current: (one) => (runs() ? one : undefined),
      dock: (_, id) => {
        const dock = run().docks.find((one) => one.id === id);
        return dock && [dock.id, dock];
      },
      front: (id, open) => {
        if (open && runs()) this.front(id);
      },
      selected: () => undefined,
      viewed: () => undefined,
      switchOff: async (_, failure) => stop(failure),
      saved: ({ filename: file, text }) => did({ is: "saved", file, lines: lines(text), text }),
      changed,
      told: (text) => did({ is: "told", text }),
      applied: (_, outcome) => applied(outcome).forEach(did),
      refused: (_, failure) => stop(failure as SandboxFailure),
      done: () => undefined,
    });
  }

  /** What is reviewed now; null: nothing is. Something else begins a trial of its own. */
  follow(of: Tryable | null): void {
    const { opening } = this.around;
    const key = of?.print ? `${of.print} ${opening.version}` : "";
    const before = this.#run;
    if (key === (before?.key ?? "")) return;
    this.#run = of?.print ? this.#fresh(of, key) : null;
    if (before) this.#end(before);
    // Who closed it wants the next one of the same extension closed as well.
    if (before?.of.manifest.id !== of?.manifest.id) this.open = this.trial()?.panel ?? false;
    if (this.#run && opening.file) void this.#start(this.#run);
  }

  #fresh(of: Tryable, key: string): Run {
    this.#begun += 1;
    const calls = this.#callsOf(() => run);
    const did = (what: Did): void => this.#did(run, what);
    const run = begun(of, key, `${PREVIEW} ${this.#begun}`, this.around.opening, calls, did);
    return run;
  }

  /**
   * The worker and the copy of the model of a trial go, and with them whatever it still does; so does what it showed.
   * Another trial may be there already.
   */
  #end({ one }: Run): void {
    void this.around.sandbox.end(one.running).catch(() => null);
    this.around.recolour();
    const { opening } = this.around;
    const { file, before, made } = this.#selection ?? {};
    this.#selection = null;
    // A person may have selected something else since: that stays.
    if (before && made && file === opening.file && sameSelection(opening.model.selected, made))
      void opening.select(before);
  }

  #select(ids: number[]): Promise<boolean> {
    const { file, model } = this.around.opening;
    const last = this.#selection;
    const own = last?.file === file && sameSelection(model.selected, last.made);
    this.#selection = { file, before: own ? last.before : model.selected, made: ids };
    return this.around.opening.select(ids);
  }

  #did(run: Run, what: Did): void {
    // Of what stands in the store the last word counts.
    run.did = [...run.did.filter((one) => what.is !== "stored" || one.is !== "stored"), what];
  }

  /** Another trial of the same: activated anew, with nothing stored, on a fresh copy of the model. */
  async again(): Promise<void> {
    const before = this.#run;
    if (!before || !this.around.opening.file) return;
    const run = this.#fresh(before.of, before.key);
    run.seen = before.seen;
    run.front = run.docks.find(({ id }) => id === before.front.id) ?? run.front;
    this.#run = run;
    this.#end(before);
    await this.#start(run);
  }

  async #start(run: Run): Promise<void> {
    run.state = "running";
    this.around.changed();
    const began = performance.now();
    await this.#call(run, "activate");
    for (const dock of run.docks) {
      if (this.#run !== run || run.stopped) break;
      if (dock.data !== undefined) await this.#refreshed(run, dock, { id: dock.data });
    }
    run.ms = performance.now() - began;
    this.#settled(run);
  }

  /** What a person presses in the preview that no panel answers. */
  async run(kind: Offered, id: string): Promise<void> {
    const run = this.#run;
    if (!run) return;
    const outcome = await this.#timed(run, () =>
      this.#call(run, kind === "command" ? { command: { id } } : ASKED[kind](id)),
    );
    if (!outcome) return;
    const title = offers(run.of.manifest).find((one) => one.kind === kind && one.id === id)?.title;
    const { rows } = this.around.opening.model;
    const names = new Map(rows.map((row) => [row.id, row.name ?? row.type]));
    const value =
      kind === "idsValidator"
        ? verdicts(outcome.value, names).map(({ name, ok, message }) => ({ name, ok, message }))
        : outcome.value;
    run.answer = { title: title ?? id, value };
    this.around.changed();
  }

  /** A command that a panel calls. */
  async command(id: string, args: Json | undefined): Promise<void> {
    const run = this.#run;
    if (!run) return;
    const { front } = run;
    await this.#timed(run, () =>
      this.#refreshed(run, front, { id, ...(args === undefined ? {} : { args }) }),
    );
  }

  /** A call for a panel; the command of its data fills it. */
  async #refreshed(
    run: Run,
    dock: Dock,
    command: { id: string; args?: Json },
  ): Promise<CallOutcome | null> {
    const outcome = await this.#call(run, { command }, dock);
    if (outcome && command.id === dock.data) dock.state = outcome.value ?? undefined;
    else if (outcome && offers(run.of.manifest).some((one) => one.id === command.id))
      run.answer = { title: titleOf(run.of.manifest, command.id), value: outcome.value };
    return outcome;
  }

  /** Nobody is told of it elsewhere: what it did stands in the preview. */
  async #call(run: Run, asked: Asked, dock?: Dock): Promise<CallOutcome | null> {
    const outcome = await run.calls.call(run.one, asked, new Set(), dock);
    if (dock?.failure && !isHeld(dock.failure)) run.stopped ??= dock.failure;
    return outcome;
  }

  async #timed<T>(run: Run, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const answer = await work();
    run.ms = performance.now() - began;
    this.#settled(run);
    return answer;
  }

  #settled(run: Run): void {
    run.state = run.stopped ? "stopped" : "ran";
    this.around.changed();
  }

  state(state: Json): void {
    if (this.#run) this.#run.front.state = state;
  }

  /** Another of its panels comes to the front. */
  front(id: string): void {
    const dock = this.#run?.docks.find((one) => one.id === id);
    if (this.#run && dock) this.#run.front = dock;
    this.around.changed();
  }

  /** A panel stood before a person's eyes. */
  saw(print: string, panel: string): void {
    const run = this.#run;
    if (!run || run.seen.has(panel) || run.of.print !== print || run.ms === null) return;
    run.seen.add(panel);
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

  /** How it stands, for the foot that signs; where that stands `alone`, the panel is not in sight. */
  trial(alone = false): TrialView | null {
    const run = this.#run;
    if (!run) return null;
    const { state, docks, seen, accepted } = run;
    return {
      ...{ state, accepted, open: this.open && !alone },
      seen: docks.every(({ id }) => seen.has(id)),
      model: this.around.opening.model.facts?.name ?? "",
      panel: (run.of.manifest.contributes?.dock?.length ?? 0) > 0,
    };
  }

  /** The panel as it is drawn, while it is open. */
  panel(): PanelView | null {
    const run = this.#run;
    if (!run || !this.open || run.state === "nomodel") return null;
    const { docks, front, of } = run;
    const busy = run.state === "running" || front.busy;
    const comes = busy && front.data !== undefined && front.state === undefined;
    return {
      extension: of.manifest.id,
      dock: PREVIEW,
      slot: "dock.right",
      title: front.title,
      version: of.manifest.version,
      hash: of.print,
      stored: true,
      enabled: true,
      widget: front.widget,
      state: front.state,
      busy,
      ...(comes && !run.stopped ? { waits: "working" } : {}),
      failure: run.stopped,
      tried: {
        did: run.did,
        ms: run.ms,
        stopped: run.stopped ? place(run.stopped, of.files) : null,
        passed: of.passed,
        panels: docks.map(({ id, title }) => ({ id, title })),
        panel: front.id,
        offers: offers(of.manifest),
        answer: run.answer,
      },
    };
  }
}

/** That a request is held back is no fault of what is tried; what it did says so. */
const isHeld = ({ sdk_code: code }: SandboxFailure): boolean => code === "NETWORK_HELD";

/** A trial that has not run yet, by its name in the sandbox; `did` hears what it would have stored. */
function begun(
  of: Tryable,
  key: string,
  name: string,
  opening: Opening,
  calls: Calls,
  did: (what: Did) => void,
): Run {
  const { id, version, name: title, description, contributes } = of.manifest;
  const storage: Record<string, Json> = {};
  const running = {
    key: name,
    trial: true,
    files: of.files,
    granted: of.granted,
    locale: language(),
    selection: () => opening.model.selected,
    storage: () => storage,
    keep: (kept: Record<string, Json>) => did({ is: "stored", n: Object.keys(kept).length }),
    asked: (request: { host: string; method: string }) => did({ is: "asked", ...request }),
    model: () => opening.file,
  };
  const record = {
    ...{ id, version, content_hash: of.print, granted: of.granted },
    ...{ enabled: true, origin: "preview", installed_at: 0, sdk_version: SDK, revision_id: "" },
    ...{ can_undo: false, can_redo: false },
  };
  const still = { extension: id, slot: "dock.right", when: undefined, refreshOn: [] };
  const idle = { ...still, state: undefined, busy: false, answered: false, failure: null };
  const [first, ...more] = (contributes?.dock ?? []).map(
    (one): Dock => ({
      ...{ ...idle, id: one.id, title: one.title, data: one.data },
      widget: widgetOf(of.files, one.widget),
    }),
  );
  const words: Dock = {
    ...{ ...idle, id: "", title, data: undefined },
    widget: { type: "Text", text: description ?? "" },
  };
  const front = first ?? words;
  return {
    ...{ of, key, calls, one: { record, files: of.files, manifest: of.manifest, running } },
    ...{ docks: [front, ...more], front, state: "nomodel", did: [], ms: null, stopped: null },
    ...{ answer: null, seen: new Set(), accepted: false },
  };
}

/** What a call did to the viewer and to the model, which stands in the preview only. */
function applied({ effects }: CallOutcome): Did[] {
  const seen = effects.viewer.flatMap(({ op, refs }): Did[] => {
    const n = refs?.length ?? 0;
    if (op === "select") return [{ is: "selected", n }];
    return op === "colorize" ? [{ is: "coloured", n }] : [];
  });
  const changed = effects.mutations?.length ?? 0;
  return changed ? [...seen, { is: "changed", n: changed }] : seen;
}

/** Commands that no panel runs to show its data, lenses, exporters and checks. */
function offers({ contributes }: Manifest): Tried["offers"] {
  const shown = new Set(contributes?.dock?.map((dock) => dock.data));
  const named = (kind: Offered, all: { id: string; name: string }[] = []) =>
    all.map(({ id, name: title }) => ({ kind, id, title }));
  return [
    ...(contributes?.commands ?? [])
      .filter((one) => !shown.has(one.id))
      .map(({ id, title }) => ({ kind: "command" as const, id, title })),
    ...named("lens", contributes?.lenses),
    ...named("exporter", contributes?.exporters),
    ...named("idsValidator", contributes?.idsValidators),
  ];
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
