/**
 * Events of the page as extensions hear them (ifc-extension.md §2.2): which extension is called for which, and when.
 *
 * Invariants: an event that is in `activation` activates; its trigger runs after that; nothing that an extension does
 * in answer to an event is told to that extension, nor to those whose answers led to it, so that every chain ends.
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

/** What the page does for an event. */
export interface Deeds<E extends Hearing> {
  /** Extensions that are on, in the order of their installation. */
  all(): E[];
  trigger(one: E, event: string, cause: Cause): Promise<unknown>;
  activate(one: E): Promise<unknown>;
  /** Panels that follow the event. */
  refresh(one: E, event: string, cause: Cause): Promise<unknown>;
}

export class Happenings<E extends Hearing> {
  /** Slots that were shown, for extensions that come later. */
  readonly #shown = new Set(ALWAYS);
  /** Of the model whose opening was told. */
  #schema: string | null = null;
  #waiting: ReadonlySet<string> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firing = false;

  constructor(private readonly deeds: Deeds<E>) {}

  /** The page has started. */
  async started(): Promise<void> {
    await this.#fire("onStartup");
    for (const slot of this.#shown) await this.#fire(`onSlot:${slot}`);
  }

  /** A model was opened. */
  async modelOpened(schema: string): Promise<void> {
    this.#schema = schema;
    for (const event of this.#model()) await this.#fire(event);
  }

  /** A slot comes into sight: a panel is opened, a menu is asked for. */
  async slot(slot: string): Promise<void> {
    this.#shown.add(slot);
    await this.#fire(`onSlot:${slot}`);
  }

  /** The selection is another one. Several changes in short time are one event. */
  selected(cause: ReadonlySet<string>): void {
    const before = this.#waiting;
    // What a person changed meanwhile is news for everybody; what only extensions changed is none for any of them.
    const forAll = before?.size === 0 || (before !== null && cause.size === 0);
    this.#waiting = forAll ? new Set() : new Set([...(before ?? []), ...cause]);
    clearTimeout(this.#timer);
    if (!this.#firing) this.#timer = setTimeout(() => void this.#selection(), SETTLE_MS);
  }

  /** An extension came or was switched on: it hears what has happened before. */
  async arrived(one: E): Promise<void> {
    for (const event of [
      "onStartup",
      ...[...this.#shown].map((slot) => `onSlot:${slot}`),
      ...this.#model(),
    ])
      await this.#hear(one, event, new Set());
  }

  #model(): string[] {
    return this.#schema === null ? [] : ["onModelLoad", `onSchema:${this.#schema}`];
  }

  async #selection(): Promise<void> {
    const cause = this.#waiting ?? new Set<string>();
    this.#waiting = null;
    this.#firing = true;
    try {
      await this.#fire("onSelectionChange", cause);
    } finally {
      this.#firing = false;
      if (this.#waiting) this.#timer = setTimeout(() => void this.#selection(), SETTLE_MS);
    }
  }

  async #fire(event: string, cause: ReadonlySet<string> = new Set()): Promise<void> {
    for (const one of this.deeds.all()) {
      if (cause.has(one.id)) continue;
      await this.#hear(one, event, cause);
      await this.deeds.refresh(one, event, cause);
    }
  }

  async #hear(one: E, event: string, cause: ReadonlySet<string>): Promise<void> {
    if (!one.manifest.activation.includes(event)) return;
    if (one.manifest.entry.triggers?.[event] === undefined) await this.deeds.activate(one);
    else await this.deeds.trigger(one, event, cause);
  }
}
