/**
 * Events of the page as extensions hear them (ifc-extension.md §2.2): which extension is called for which, and when.
 *
 * Invariants: an event that is in `activation` activates; its trigger runs after that; nothing that an extension does
 * in answer to an event is told to that extension, nor to those whose answers led to it, so that every chain ends.
 * Extensions and models load side by side: whichever comes last, an extension hears an event once, and only after the
 * start.
 */
import type { Manifest } from "@holdpoint/core/types";
import type { Cause } from "./calls.js";

/** Changes of the selection that come within this many ms are one. */
export const SETTLE_MS = 120;
/** Slots that are in sight from the beginning. */
const ALWAYS = [
  "toolbar.left",
  "toolbar.center",
  "toolbar.right",
  "statusBar.left",
  "statusBar.right",
];

/** An extension that hears. */
export interface Hearing {
  id: string;
  manifest: Manifest;
}

/** A model that extensions see. */
export interface Seen {
  id: string;
  schema: string;
}

/** An event, and the model that it is about. */
interface Happening {
  event: string;
  modelId?: string | undefined;
}

/** What the page does for an event. */
export interface Deeds<E extends Hearing> {
  /** Extensions that are on, in the order of their installation. */
  all(): E[];
  trigger(one: E, event: string, cause: Cause, modelId?: string): Promise<unknown>;
  activate(one: E): Promise<unknown>;
  /** Panels that follow the event. */
  refresh(one: E, event: string, cause: Cause): Promise<unknown>;
}

export class Happenings<E extends Hearing> {
  /** Slots that were shown, for extensions that come later. */
  readonly #shown = new Set(ALWAYS);
  /** The models that extensions see, as they were told; the one that is meant comes first. */
  #models: Seen[] = [];
  #waiting: ReadonlySet<string> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firing = false;
  #started = false;
  /** Counts what happens; who arrived at a turn has heard what came before it. */
  #turn = 0;
  readonly #arrivals = new Map<string, number>();
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly deeds: Deeds<E>) {}

  /** The extensions are there: they hear the start, and what has happened meanwhile. */
  async started(): Promise<void> {
    this.#started = true;
    if (this.#waiting) this.#settle();
    await this.#fire(this.#past());
  }

  /** Extensions see these models now; `came` is one that they did not see, or did not mean, before. */
  async models(seen: Seen[], came?: Seen): Promise<void> {
    this.#models = seen;
    if (came) await this.#fire([loaded(came), schemaOf(came)]);
    else if (seen[0]) await this.#fire([loaded(seen[0])]);
  }

  /** A slot comes into sight: a panel is opened, a menu is asked for. */
  async slot(slot: string): Promise<void> {
    this.#shown.add(slot);
    await this.#fire([{ event: `onSlot:${slot}` }]);
  }

  /** The selection is another one. Several changes in short time are one event. */
  selected(cause: ReadonlySet<string>): void {
    const before = this.#waiting;
    // What a person changed meanwhile is news for everybody; what only extensions changed is none for any of them.
    const forAll = before?.size === 0 || (before !== null && cause.size === 0);
    this.#waiting = forAll ? new Set() : new Set([...(before ?? []), ...cause]);
    if (this.#started && !this.#firing) this.#settle();
  }

  /** An extension came or was switched on: it hears what has happened before. */
  async arrived(one: E): Promise<void> {
    if (!this.#started) return;
    this.#turn += 1;
    this.#arrivals.set(one.id, this.#turn);
    for (const happening of this.#past()) await this.#hear(one, happening, new Set());
  }

  /** Of several models one is told, and each schema once. */
  #past(): Happening[] {
    const [first] = this.#models;
    const schemas = new Map([...this.#models].reverse().map((one) => [one.schema, one]));
    return [
      { event: "onStartup" },
      ...[...this.#shown].map((slot) => ({ event: `onSlot:${slot}` })),
      ...(first ? [loaded(first)] : []),
      ...[...schemas.values()].reverse().map(schemaOf),
    ];
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#selection(), SETTLE_MS);
  }

  async #selection(): Promise<void> {
    const cause = this.#waiting ?? new Set<string>();
    this.#waiting = null;
    this.#firing = true;
    try {
      await this.#fire([{ event: "onSelectionChange" }], cause);
    } finally {
      this.#firing = false;
      if (this.#waiting) this.#settle();
    }
  }

  /** Tells everybody, after what happened before; nobody before the start. */
  #fire(events: Happening[], cause: ReadonlySet<string> = new Set()): Promise<void> {
    if (!this.#started) return Promise.resolve();
    this.#turn += 1;
    const turn = this.#turn;
    const told = this.#last.then(() => this.#round(turn, events, cause));
    this.#last = told.catch(() => undefined);
    return told;
  }

  /** Who arrived after the turn has heard of it on arrival. */
  async #round(turn: number, events: Happening[], cause: ReadonlySet<string>): Promise<void> {
    for (const happening of events)
      for (const one of this.deeds.all()) {
        if (cause.has(one.id)) continue;
        if ((this.#arrivals.get(one.id) ?? 0) <= turn) await this.#hear(one, happening, cause);
        await this.deeds.refresh(one, happening.event, cause);
      }
  }

  async #hear(one: E, { event, modelId }: Happening, cause: ReadonlySet<string>): Promise<void> {
    if (!one.manifest.activation.includes(event)) return;
    if (one.manifest.entry.triggers?.[event] === undefined) await this.deeds.activate(one);
    else await this.deeds.trigger(one, event, cause, modelId);
  }
}

const loaded = ({ id }: Seen): Happening => ({ event: "onModelLoad", modelId: id });
const schemaOf = ({ id, schema }: Seen): Happening => ({
  event: `onSchema:${schema}`,
  modelId: id,
});
