/** What installed extensions do: calls in the sandbox, and their effects on the page (ifc-sdk.md §1, §4). */
import type {
  Asked,
  Called,
  CallOutcome,
  ErrorShape,
  ExtensionRecord,
  Files,
  Json,
  Manifest,
  RunningExtension,
  SandboxClient,
  SandboxFailure,
} from "@holdpoint/core/types";
import { type Failing, type TextKey, t, type WidgetNode } from "@holdpoint/elements";
import { type Groups, lastColours, without } from "./colours.js";
import type { Opening } from "./opening.js";

/** An installed extension that the page can run. */
export interface Runnable {
  record: ExtensionRecord;
  files: Files;
  manifest: Manifest;
  running: RunningExtension;
}
export interface Dock {
  id: string;
  title: string;
  extension: string;
  slot: string;
  when: string | undefined;
  data: string | undefined;
  refreshOn: string[];
  widget: WidgetNode;
  state: Json | undefined;
  busy: boolean;
  /** Its data was asked for once, whatever came of it. */
  answered: boolean;
  failure: SandboxFailure | null;
}
/** The extensions whose answer to an event led here; null when a person asked. */
export type Cause = ReadonlySet<string> | null;

/** What calls need of the rest of the page. */
export interface Around {
  /** The extension as it is now; undefined when it is gone, off or another version. */
  current(one: Runnable): Runnable | undefined;
  dock(extension: string, id: string): [string, Dock] | undefined;
  /** Brings a panel to the front, or takes it from there. */
  front(dock: string, open: boolean): void;
  /** The selection is another one, because extensions of `cause` answered an event. */
  selected(cause: ReadonlySet<string>): void;
  /** `command` is what it was called for; null: for no command. */
  switchOff(one: Runnable, failure: SandboxFailure, command: string | null): Promise<void>;
  changed(): void;
  /** A file that a command made. */
  saved(file: { filename: string; text: string; mimeType: string }): void;
  /** What was done. */
  told(text: string, sub?: string): void;
  /** What of the elements is seen, or looked at: `hide`, `show`, `isolate`, `resetVisibility`, `flyTo`. */
  viewed(op: string, ids: number[]): void;
  /** What a call did has reached the page. */
  applied(one: Runnable, outcome: CallOutcome): void;
  /** What an extension of that name was asked for and did not do; it stands until something is done. */
  refused(heading: TextKey, error: Failing, name: string): void;
  done(): void;
}

/** Failures after which an extension is switched off: it would do it again. */
const HOSTILE = new Set(["TIMEOUT", "MEMORY", "STACK", "NEVER_SETTLED", "FUEL"]);

export class Calls {
  readonly #busy = new Set<string>();
  #colours: { extension: string; name: string; groups: Groups } | null = null;
  /** Failures of events that were told already: an event may come often. */
  readonly #known = new Set<string>();

  constructor(
    private readonly sandbox: SandboxClient,
    private readonly opening: Pick<Opening, "select" | "colour" | "change" | "element">,
    private readonly around: Around,
  ) {}

  isBusy(extension: string, command: string): boolean {
    return this.#busy.has(`${extension} ${command}`);
  }

  /** One call, its effects, and what its failure means. Null: it was not made, or came too late. */
  async call(one: Runnable, asked: Asked, cause: Cause, dock?: Dock): Promise<CallOutcome | null> {
    const mark = `${one.record.id} ${commandOf(asked) ?? ""}`;
    this.#busy.add(mark);
    if (dock) dock.busy = true;
    this.around.changed();
    const { activation, outcome } = await this.sandbox
      .call(one.running, asked)
      .catch(
        (error: Error & { code?: string }): Called => ({ activation: null, outcome: lost(error) }),
      );
    this.#busy.delete(mark);
    if (dock) dock.busy = false;
    const still = this.around.current(one);
    if (!still) {
      this.around.changed();
      return null;
    }
    let failure: SandboxFailure | null = null;
    for (const made of [activation, outcome]) {
      if (!made || failure) continue;
      if (made.failure) failure = made.failure;
      else
        await this.#apply(still, made, cause, made === outcome ? lensOf(still, asked) : undefined);
    }
    if (dock) dock.failure = failure;
    if (failure) await this.#failed(still, asked, failure, dock);
    else if (cause === null) this.around.done();
    this.around.changed();
    return failure ? null : outcome;
  }

  /** The end of an activation; its effects still reach the page. */
  async end(one: Runnable): Promise<void> {
    const outcome = await this.sandbox.end(one.running).catch(() => null);
    if (outcome && !outcome.failure) await this.#apply(one, outcome, new Set([one.record.id]));
    this.around.changed();
  }

  async #failed(
    one: Runnable,
    asked: Asked,
    failure: SandboxFailure,
    dock: Dock | undefined,
  ): Promise<void> {
    if (HOSTILE.has(failure.code)) return this.around.switchOff(one, failure, commandOf(asked));
    if (dock) return;
    const known = `${one.running.key} ${JSON.stringify(asked)} ${failure.code} ${failure.message}`;
    if (commandOf(asked) === null && this.#known.has(known)) return;
    this.#known.add(known);
    this.around.refused("ext.problem.did", failure, one.manifest.name);
  }

  /** Brings effects to the page. A lens says all colours anew, under its own name. */
  async #apply(one: Runnable, outcome: CallOutcome, cause: Cause, lens?: string): Promise<void> {
    const { effects } = outcome;
    const { id } = one.record;
    const name = lens ?? one.manifest.name;
    for (const file of effects.exports) this.around.saved(file);
    if (effects.changes?.length) await this.opening.change(effects.changes);
    const mine = this.#colours?.extension === id ? this.#colours.groups : [];
    const groups = lens ? [] : [...mine];
    let painted = false;
    for (const effect of effects.viewer) {
      // Elements of models that are off or closed meanwhile are left out.
      const ids = (effect.refs ?? []).flatMap((ref) => this.opening.element(ref) ?? []);
      if (effect.op === "select") {
        // Whoever answers an event and selects is not told of its own selection: else it would answer for ever.
        if (await this.opening.select(ids))
          this.around.selected(cause === null ? new Set() : new Set([...cause, id]));
        if (cause === null) this.around.told(t("toast.selected", { name, n: ids.length }));
      }
      if (effect.op === "colorize" && effect.color) {
        const value = effect.label ?? undefined;
        groups.push({ color: effect.color, ids, ...(value === undefined ? {} : { value }) });
        painted = true;
      }
      if (effect.op === "resetColors") {
        groups.length = 0;
        painted = true;
      }
      this.around.viewed(effect.op, ids);
    }
    if (painted) {
      const last = lastColours(groups);
      this.#colours = { extension: id, name, groups: last };
      this.opening.colour(name, last);
    }
    for (const note of effects.notifications) this.around.told(note.message);
    for (const effect of effects.ui) {
      const [key, dock] = this.around.dock(id, effect.dock) ?? [];
      if (key === undefined || !dock) continue;
      if (effect.op === "update") dock.state = effect.state;
      else this.around.front(key, effect.op === "open");
    }
    this.around.applied(one, outcome);
  }

  /** Models at these places are closed: others may take them. */
  forgetPlaces(places: ReadonlySet<number>): void {
    if (this.#colours) this.#colours.groups = without(this.#colours.groups, places);
  }

  /** The colours of an extension that is gone go with it. */
  forget(id: string): void {
    if (this.#colours?.extension === id) this.resetColours();
  }

  resetColours(): void {
    this.#colours = null;
    this.recolour();
  }

  /** Draws its colours again, after others have drawn theirs. */
  recolour(): void {
    const { name, groups } = this.#colours ?? { name: "", groups: [] };
    this.opening.colour(name, groups);
  }
}

/** The command of a call; null for what an event calls. */
function commandOf(asked: Asked): string | null {
  if (typeof asked === "string") return null;
  if ("command" in asked) return asked.command.id;
  if ("lens" in asked) return asked.lens.id;
  if ("exporter" in asked) return asked.exporter.id;
  if ("idsValidator" in asked) return asked.idsValidator.id;
  return "contextMenu" in asked ? asked.contextMenu.id : null;
}

/** The name of the lens that is called. */
function lensOf(one: Runnable, asked: Asked): string | undefined {
  if (typeof asked === "string" || !("lens" in asked)) return undefined;
  const lens = one.manifest.contributes?.lenses?.find(({ id }) => id === asked.lens.id);
  return lens?.name ?? one.manifest.name;
}

const lost = (error: Error & Partial<ErrorShape>): CallOutcome => ({
  value: null,
  failure: {
    code: error.code ?? "THREW",
    message: error.message,
    ...(error.args ? { args: error.args } : {}),
    name: null,
    sdk_code: null,
    details: null,
    at: null,
  },
  effects: { exports: [], viewer: [], notifications: [], ui: [] },
  logs: [],
});

/** How many lines a text has; its last break ends one. */
export const lines = (text: string): number => text.trimEnd().split("\n").length;

export function download(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
