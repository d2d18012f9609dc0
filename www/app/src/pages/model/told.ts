/**
 * What the project keeps of changes: the history of everything that is or was installed, and what led to each version.
 * It is the same in every browser; without a network the last answer stands.
 *
 * Invariant: a change that this device has a log of is drawn from that log, and stands in a list once.
 */
import type {
  Api,
  CapabilityDiff,
  Conversation,
  Core,
  HistoryEntry,
  RunView,
  SpentOn,
  Store,
  ToldChange,
} from "@holdpoint/core/types";
import { type ChangeLine, type LogChange, type LogView, permission, t } from "@holdpoint/elements";
import { Latest } from "./latest.js";

/** Where the device keeps the last answers. */
const HISTORY = "history";
const talkOf = (id: string): string => `talk ${id}`;
/** What the id of a line begins with that only the project knows. */
const REVISION = "rev:";

/** A change in front, as its sheet goes on. */
export interface Fronted {
  name: string;
  number: number;
  view: RunView;
  spent: SpentOn | null;
  /** What it installed, where it did. */
  signed: LogChange["signed"];
}

/** What an install tells of its run; null where nothing was asked. */
export function conversation(
  name: string,
  number: number,
  view: RunView,
  spent: SpentOn | null,
): Conversation | null {
  if (view.sheet[0]?.is !== "asked") return null;
  return { change: name, number, spent, entries: view.sheet };
}

export class Told {
  #history: HistoryEntry[] = [];
  readonly #talks: Latest<ToldChange[]>;
  readonly #sentences = new Map<string, CapabilityDiff["consent"][number]>();

  constructor(private readonly around: { api: Api; core: Core; store: Store; changed(): void }) {
    this.#talks = new Latest(() => around.changed());
  }

  async load(): Promise<void> {
    this.#history = (await this.around.store.get<HistoryEntry[]>("settings", HISTORY)) ?? [];
  }

  /** The project was reached. */
  async sync(): Promise<void> {
    this.#history = await this.around.api.history();
    await this.around.store.put("settings", HISTORY, this.#history);
    this.around.changed();
  }

  /** The newest revision of an extension, also of one that is not installed any more; null where none is known. */
  newest(extension: string): string | null {
    return this.#history.find((entry) => entry.extension === extension)?.revision_id ?? null;
  }

  /** The highest number that a change of any browser has. */
  get highest(): number {
    return Math.max(0, ...this.#history.map((entry) => entry.number ?? 0));
  }

  /** Lines of changes that this device has no log of, and of what was done without one. */
  lines(known: ReadonlySet<string>): ChangeLine[] {
    return this.#history
      .filter((entry) => entry.change === null || !known.has(entry.change))
      .filter(
        (entry) =>
          entry.cause !== "install" ||
          entry.change !== null ||
          !known.has(entry.content_hash ?? ""),
      )
      .map((entry) => line(entry, this.#isGone(entry)));
  }

  /** The extension of a line that only the project knows. */
  extensionOf(id: string): string | null {
    const entry = this.#history.find((one) => lineId(one) === id);
    return entry?.extension ?? null;
  }

  /** The extension whose removal a line tells of, while nothing was done with it since; else null. */
  removedBy(id: string): { id: string; name: string } | null {
    const entry = this.#history.find((one) => lineId(one) === id);
    if (!entry || !this.#isGone(entry)) return null;
    return { id: entry.extension, name: entry.name };
  }

  /** Whether the project has it, as far as this device knows: of a new one nothing is asked. */
  #stands(extension: string): boolean {
    const last = this.#history.find((entry) => entry.extension === extension);
    return last !== undefined && last.cause !== "remove";
  }

  /** Whether it is the last of an extension, which it removed. */
  #isGone(entry: HistoryEntry): boolean {
    return entry.cause === "remove" && this.newest(entry.extension) === entry.revision_id;
  }

  /** The sheet of an extension; `front` is the change that goes on there. */
  sheet(extension: string | null, revision: string, front: Fronted | null, now: number): LogView {
    const told = extension === null ? [] : (this.#of(extension, revision) ?? []);
    const earlier = told
      .filter((one) => one.change !== front?.name && (!front || one.number < front.number))
      .map(logged)
      .reverse();
    const own: LogChange[] = front
      ? [
          {
            number: front.number,
            entries: front.view.sheet,
            spent: front.spent,
            signed: front.signed,
          },
        ]
      : [];
    return { changes: [...earlier, ...own], now, says: (one) => this.#says(one) };
  }

  #of(extension: string, revision: string): ToldChange[] | null {
    if (revision === "" && !this.#stands(extension)) return null;
    const { api, store } = this.around;
    const ask = async (): Promise<ToldChange[]> => {
      try {
        const told = await api.conversation(extension);
        await store.put("settings", talkOf(extension), told);
        return told;
      } catch {
        return (await store.get<ToldChange[]>("settings", talkOf(extension))) ?? [];
      }
    };
    return this.#talks.get(`${extension} ${revision}`, ask);
  }

  /** An extension is gone, and what was said of it. */
  async forget(extension: string): Promise<void> {
    await this.around.store.delete("settings", talkOf(extension));
    this.#talks.clear();
  }

  /** A permission as its review says it. */
  #says(capability: string): string {
    const asked = { previous: [], next: [capability] };
    const known =
      this.#sentences.get(capability) ??
      this.around.core.call<CapabilityDiff>("capability.diff", asked).consent[0];
    if (!known) return capability;
    this.#sentences.set(capability, known);
    return permission(known);
  }
}

const logged = (one: ToldChange): LogChange => ({
  number: one.number,
  entries: one.entries,
  spent: one.spent,
  signed: {
    at: one.signed.at,
    version: one.signed.version ?? "",
    print: one.signed.content_hash ?? "",
    granted: one.signed.granted.length,
  },
});

const lineId = (entry: HistoryEntry): string =>
  `${REVISION}${entry.extension}:${entry.revision_id}`;

/** `gone`: it removed what is not there since. */
function line(entry: HistoryEntry, gone: boolean): ChangeLine {
  const installs = entry.cause === "install";
  const cause = installs
    ? "history.elsewhere"
    : (`history.cause.${entry.cause}` as "history.cause.undo");
  const title = entry.version ? `${entry.name} ${entry.version}` : entry.name;
  return {
    id: lineId(entry),
    number: installs ? (entry.number ?? 0) : 0,
    title,
    sub: t(cause),
    at: entry.at,
    signed: true,
    result_hash: entry.content_hash,
    extension: null,
    version: entry.version ?? "",
    undo: gone ? "undo" : null,
  };
}
