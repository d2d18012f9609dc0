/**
 * One bundle as it runs on the open model before it is signed: in a worker and on a copy of the model of its own, with
 * exactly what is granted, without storage and without files that leave the page.
 *
 * Invariant: it reaches the page through the stage that it is given, and without one or after its end not at all.
 */
import type {
  Asked,
  CallOutcome,
  ElementRef,
  Files,
  Json,
  Manifest,
  SandboxClient,
  SandboxFailure,
} from "@holdpoint/core/types";
import { language, type PanelView, said, type TrialView } from "@holdpoint/elements";
import { letter } from "@holdpoint/elements/change/versions-view";
import type { Did, Offered, Tried } from "@holdpoint/elements/dock/preview";
import { Calls, type Dock, lines, type Runnable } from "./calls.js";
import type { Groups } from "./colours.js";
import { titleOf } from "./contributions.js";
import { ASKED, widgetOf } from "./installed.js";
import type { Opening } from "./opening.js";
import { SDK } from "./pricing.js";
import type { Stage } from "./stage.js";
import { verdicts } from "./verdicts.js";

/** What is looked at before it is signed. */
export interface Tryable {
  files: Files;
  manifest: Manifest;
  granted: string[];
  /** The fingerprint that is signed. */
  print: string;
  /** Tests that passed. */
  passed: number;
  /** Which of several versions it is; null where there is one. */
  version: { at: number; hash: string } | null;
}

export interface Around {
  sandbox: SandboxClient;
  opening: Opening;
  changed(): void;
  /** What is selected on the page without any trial. */
  selected(): number[];
}

const SNIPPET_LINES = 1;

/** That a request is held back is no fault of what is tried; what it did says so. */
const isHeld = ({ sdk_code: code }: SandboxFailure): boolean => code === "NETWORK_HELD";

export class Trial {
  /** Panels that stood before a person's eyes. */
  seen = new Set<string>();
  /** A person wants it although it stops. */
  accepted = false;
  stopped: SandboxFailure | null = null;
  state: TrialView["state"] = "nomodel";
  /** How long the last call took; null until one ended. */
  ms: number | null = null;
  #stage: Stage | null = null;
  #ended = false;
  #did: Did[] = [];
  #answer: Tried["answer"] = null;
  /** What it selected and coloured last; on the page while it has a stage. */
  #selected: number[] | null = null;
  #coloured: { name: string; groups: Groups } | null = null;
  readonly #one: Runnable;
  readonly #calls: Calls;
  /** Its panels; one that says what it is where it has none. */
  readonly #docks: [Dock, ...Dock[]];
  #front: Dock;

  /** `key` says what it is a trial of, `name` which trial: two of the same are two. */
  constructor(
    public of: Tryable,
    readonly key: string,
    readonly name: string,
    private readonly around: Around,
  ) {
    this.#one = this.#runnable();
    this.#calls = this.#callsOf();
    this.#docks = docksOf(of);
    this.#front = this.#docks[0];
  }

  get hasPanel(): boolean {
    return (this.of.manifest.contributes?.dock?.length ?? 0) > 0;
  }

  get hasSeenAll(): boolean {
    return this.#docks.every(({ id }) => this.seen.has(id));
  }

  /** What it does goes to the page from now on, with what it did until now; or not any more. */
  appear(stage: Stage | null): void {
    this.#stage = stage;
    if (!stage) return;
    if (this.#selected) void stage.select(this.#selected);
    if (this.#coloured) stage.colour(this.#coloured.name, this.#coloured.groups);
  }

  /** Its worker and its copy of the model go, and with them whatever it still does. */
  end(): void {
    this.#ended = true;
    this.#stage = null;
    void this.around.sandbox.end(this.#one.running).catch(() => null);
  }

  async start(): Promise<void> {
    this.state = "running";
    this.around.changed();
    const began = performance.now();
    await this.#call("activate");
    for (const dock of this.#docks) {
      if (this.#ended || this.stopped) break;
      if (dock.data !== undefined) await this.#refreshed(dock, { id: dock.data });
    }
    this.#settled(began);
  }

  /** What a person presses in the preview that no panel answers. */
  async run(kind: Offered, id: string): Promise<void> {
    const began = performance.now();
    const outcome = await this.#call(kind === "command" ? { command: { id } } : ASKED[kind](id));
    this.#settled(began);
    if (!outcome) return;
    const offered = offers(this.of.manifest).find((one) => one.kind === kind && one.id === id);
    const value =
      kind === "idsValidator"
        ? verdicts(outcome.value, this.around.opening).map(({ name, ok, message }) => ({
            name,
            ok,
            message,
          }))
        : outcome.value;
    this.#answer = { title: offered?.title ?? id, value };
    this.around.changed();
  }

  /** A command that a panel calls. */
  async command(id: string, args: Json | undefined): Promise<void> {
    const began = performance.now();
    await this.#refreshed(this.#front, { id, ...(args === undefined ? {} : { args }) });
    this.#settled(began);
  }

  /** A call for a panel; the command of its data fills it. */
  async #refreshed(dock: Dock, command: { id: string; args?: Json }): Promise<void> {
    const outcome = await this.#call({ command }, dock);
    const { manifest } = this.of;
    if (outcome && command.id === dock.data) dock.state = outcome.value ?? undefined;
    else if (outcome && offers(manifest).some((one) => one.id === command.id))
      this.#answer = { title: titleOf(manifest, command.id), value: outcome.value };
  }

  /** Nobody is told of it elsewhere: what it did stands in the preview. */
  async #call(asked: Asked, dock?: Dock): Promise<CallOutcome | null> {
    const outcome = await this.#calls.call(this.#one, asked, new Set(), dock);
    if (dock?.failure && !isHeld(dock.failure)) this.stopped ??= dock.failure;
    return outcome;
  }

  #settled(began: number): void {
    this.ms = performance.now() - began;
    this.state = this.stopped ? "stopped" : "ran";
    this.around.changed();
  }

  write(state: Json): void {
    this.#front.state = state;
  }

  /** Another of its panels comes to the front. */
  front(id: string): void {
    this.#front = this.#docks.find((one) => one.id === id) ?? this.#front;
  }

  /** What a person has seen, and where, of the trial that it takes the place of. */
  after(before: Trial): void {
    this.seen = before.seen;
    this.front(before.#front.id);
  }

  #tell(what: Did): void {
    // Of what stands in the store the last word counts.
    this.#did = [...this.#did.filter((one) => what.is !== "stored" || one.is !== "stored"), what];
  }

  #callsOf(): Calls {
    const { sandbox, changed } = this.around;
    const stop = (failure: SandboxFailure): void => {
      if (!isHeld(failure)) this.stopped = failure;
    };
    // The model stays as it is: what would change it is told and not done.
    const shown = {
      select: async (ids: number[]) => {
        if (this.#ended) return false;
        this.#selected = ids;
        return this.#stage?.select(ids) ?? false;
      },
      colour: (name: string, groups: Groups) => {
        if (this.#ended) return;
        this.#coloured = { name, groups };
        this.#stage?.colour(name, groups);
      },
      change: () => Promise.resolve(),
      element: (ref: ElementRef) => this.around.opening.element(ref),
    };
    return new Calls(sandbox, shown, {
      current: (one) => (this.#ended ? undefined : one),
      dock: (_, id) => {
        const dock = this.#docks.find((one) => one.id === id);
        return dock && [dock.id, dock];
      },
      front: (id, open) => {
        if (open && !this.#ended) this.front(id);
      },
      selected: () => undefined,
      viewed: () => undefined,
      switchOff: async (_, failure) => stop(failure),
      saved: ({ filename: file, text }) =>
        this.#tell({ is: "saved", file, lines: lines(text), text }),
      changed,
      told: (text) => this.#tell({ is: "told", text }),
      applied: (_, outcome) => {
        for (const one of applied(outcome)) this.#tell(one);
      },
      refused: (_, failure) => stop(failure as SandboxFailure),
      done: () => undefined,
    });
  }

  #runnable(): Runnable {
    const { files, granted, manifest, print } = this.of;
    const { id, version } = manifest;
    const storage: Record<string, Json> = {};
    const { opening, selected } = this.around;
    const running = {
      ...{ key: this.name, trial: true, files, granted, locale: language() },
      // What another trial selects is none of its business.
      selection: () =>
        opening.models.refs(this.#stage ? opening.model.selected : (this.#selected ?? selected())),
      storage: () => storage,
      keep: (kept: Record<string, Json>) =>
        this.#tell({ is: "stored", n: Object.keys(kept).length }),
      asked: (request: { host: string; method: string }) => this.#tell({ is: "asked", ...request }),
      models: () => opening.models.forExtensions,
    };
    const record = {
      ...{ id, version, content_hash: print, granted },
      ...{ enabled: true, origin: "preview", installed_at: 0, sdk_version: SDK, revision_id: "" },
      ...{ can_undo: false, can_redo: false },
    };
    return { record, files, manifest, running };
  }

  /** As it is drawn; beside another version it says which one it is, and whether it is the one that is signed. */
  panel(beside: { shown: boolean } | null): PanelView {
    const { manifest, print, files, version } = this.of;
    const front = this.#front;
    const busy = this.state === "running" || front.busy;
    const comes = busy && front.data !== undefined && front.state === undefined;
    return {
      extension: manifest.id,
      dock: this.name,
      slot: "dock.right",
      title: front.title,
      version: manifest.version,
      hash: print,
      stored: true,
      enabled: true,
      widget: front.widget,
      state: front.state,
      busy,
      ...(comes && !this.stopped ? { waits: "working" } : {}),
      failure: this.stopped,
      tried: {
        did: this.#did,
        ms: this.ms,
        stopped: this.stopped ? place(this.stopped, files) : null,
        passed: this.of.passed,
        panels: this.#docks.map(({ id, title }) => ({ id, title })),
        panel: front.id,
        offers: offers(manifest),
        answer: this.#answer,
        version: beside &&
          version && { letter: letter(version.at), files: Object.keys(files).length, ...beside },
      },
    };
  }
}

function docksOf({ manifest, files }: Tryable): [Dock, ...Dock[]] {
  const { id, name: title, description, contributes } = manifest;
  const still = { extension: id, slot: "dock.right", when: undefined, refreshOn: [] };
  const idle = { ...still, state: undefined, busy: false, answered: false, failure: null };
  const [first, ...more] = (contributes?.dock ?? []).map(
    (one): Dock => ({
      ...{ ...idle, id: one.id, title: one.title, data: one.data },
      widget: widgetOf(files, one.widget),
    }),
  );
  const words: Dock = {
    ...{ ...idle, id: "", title, data: undefined },
    widget: { type: "Text", text: description ?? "" },
  };
  return [first ?? words, ...more];
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
