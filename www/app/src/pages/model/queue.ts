/**
 * What was signed on this device and is not stored yet. It is sent as whoever signed it, by one tab at a time, with
 * a key by which the project knows it again: an answer that was lost is asked for again and counts.
 *
 * Invariants: a row leaves when the project stored it; when the project says that it is stale or does not hold, it
 * stays as one that a person reviews again; anything else says why it waits, and nothing of the row.
 */
import type {
  Api,
  ErrorShape,
  ExtensionRecord,
  InstallRequest,
  Store,
} from "@holdpoint/core/types";

const AREA = "queue";
/** The first wait before a row is sent again by itself, and the longest. */
const AGAIN_MS = 5_000;
const LONGEST_MS = 300_000;
/** Why a row waits that is sent again by itself. */
const AGAIN: readonly Reason[] = ["offline", "busy", "failing"];

/** Why a row waits, beside that it was not sent yet. */
export type Reason = "offline" | "signed_out" | "busy" | "failing" | "refused";

export interface Waits {
  reason: Reason;
  error: ErrorShape;
}

/** What a person decides anew: the project moved on, its check refused it, or nobody known signed it. */
export type Undecided = "moved" | "invalid" | "taken";

export interface Row {
  request: InstallRequest;
  /** The change that led to it; empty where this device has none. */
  change: string;
  name: string;
  /** Sent as the idempotency key. */
  once: string;
  at: number;
  state?: Undecided;
  error?: ErrorShape;
}

/** What was signed on this device and has to be decided anew. */
export interface Undecidable {
  id: string;
  row: Row;
  error: ErrorShape;
}

/** A row as the page says it. */
export interface Waiting {
  id: string;
  name: string;
  state: Undecided | null;
  waits: Waits | null;
}

/** What became of a row; `gone`: another tab sent it. */
export type Sent =
  | { is: "stored"; record: ExtensionRecord; row: Row }
  | { is: "undecided"; row: Row; error: ErrorShape }
  | { is: "waits"; waits: Waits }
  | { is: "gone" };

interface Failed extends ErrorShape {
  status?: number;
  retryMs?: number;
}

export class Queue {
  /** Every row as this tab saw it last, by the extension's id. */
  readonly rows = new Map<string, Row>();
  /** Why each one waits that was sent. */
  readonly waits = new Map<string, Waits>();
  readonly #revisions = new Map<string, string>();
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly api: Api,
    private readonly store: Store,
    /** It is time to send again what waits. */
    private readonly due: () => void,
  ) {}

  async load(): Promise<void> {
    const ids = await this.store.keys(AREA);
    const rows = await Promise.all(ids.map((id) => this.store.get<Row>(AREA, id)));
    this.rows.clear();
    ids.forEach((id, at) => {
      const row = rows[at];
      if (row) this.rows.set(id, row);
    });
    for (const id of this.waits.keys()) if (!this.rows.has(id)) this.waits.delete(id);
  }

  /** The newest revision of an id of those that are known, and of those that the project named since. */
  newest(id: string, known: (string | null | undefined)[]): string | null {
    const seen = [...known, this.#revisions.get(id)].filter((one): one is string => Boolean(one));
    return seen.sort((a, b) => numbered(b) - numbered(a))[0] ?? null;
  }

  /** The project named a revision of an id. */
  saw(id: string, revision: unknown): void {
    if (typeof revision === "string") this.#revisions.set(id, revision);
  }

  /** Why what stands on the device is not stored, as far as is known. */
  why(id: string): { reason: Reason | "undecided"; error: ErrorShape } | null {
    const row = this.undecided(id);
    return row ? { reason: "undecided", error: row.error } : (this.waits.get(id) ?? null);
  }

  /** A row that a person decides anew. */
  undecided(id: string): Undecidable | null {
    const row = this.rows.get(id);
    return row?.state ? { id, row, error: row.error ?? UNKNOWN } : null;
  }

  /** What waits, for the page to say: first what a person decides. */
  waiting(): Waiting[] {
    const rows = [...this.rows].map(([id, row]) => ({
      id,
      name: row.name || id,
      state: row.state ?? null,
      waits: this.waits.get(id) ?? null,
    }));
    return rows.sort((a, b) => Number(b.state !== null) - Number(a.state !== null));
  }

  /** What a change led to. */
  of(change: string): Row | undefined {
    return [...this.rows.values()].find((row) => row.change === change);
  }

  /**
   * Keeps what was signed before it is sent. The same signature once more, after a page that was left while it was
   * sent, is the same row.
   */
  async put(id: string, signed: Pick<Row, "request" | "change" | "name">): Promise<Row> {
    const row = await this.store.update<Row>(AREA, id, (before) =>
      before && !before.state && isSame(before, signed)
        ? before
        : { ...signed, once: crypto.randomUUID(), at: Date.now() },
    );
    this.rows.set(id, row);
    this.waits.delete(id);
    return row;
  }

  async drop(id: string): Promise<void> {
    await this.store.delete(AREA, id);
    this.rows.delete(id);
    this.waits.delete(id);
  }

  /** Sends a row, after every tab that sends one now. */
  async send(id: string): Promise<Sent> {
    const sent = await this.#alone(() => this.#send(id));
    this.#again();
    return sent;
  }

  /** Sends every row that waits. */
  async sendAll(): Promise<Map<string, Sent>> {
    await this.load();
    const sent = new Map<string, Sent>();
    for (const [id, row] of [...this.rows]) if (!row.state) sent.set(id, await this.send(id));
    return sent;
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if ("locks" in navigator) return navigator.locks.request(`${this.store.name} ${AREA}`, work);
    // Without locks the project still does once what two tabs send with one key.
    const next = this.#last.then(work);
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #send(id: string): Promise<Sent> {
    const row = await this.store.get<Row>(AREA, id);
    if (!row) {
      this.rows.delete(id);
      this.waits.delete(id);
      return { is: "gone" };
    }
    this.rows.set(id, row);
    if (row.state) return { is: "undecided", row, error: row.error ?? UNKNOWN };
    try {
      return await this.#stored(id, row, await this.api.install(row.request, row.once));
    } catch (error) {
      return this.#failed(id, row, error as Failed);
    }
  }

  async #stored(id: string, row: Row, record: ExtensionRecord): Promise<Sent> {
    await this.#replace(id, row, undefined);
    this.waits.delete(id);
    return { is: "stored", record, row };
  }

  async #failed(id: string, row: Row, error: Failed): Promise<Sent> {
    const state = undecided(error);
    if (state) {
      const record = state === "moved" ? await this.#standing(id, row) : null;
      if (record) return this.#stored(id, row, record);
      const kept: Row = { ...row, state, error: shapeOf(error) };
      await this.#replace(id, row, kept);
      this.waits.delete(id);
      return { is: "undecided", row: kept, error };
    }
    const waits: Waits = { reason: reasonOf(error), error: shapeOf(error) };
    this.waits.set(id, waits);
    return { is: "waits", waits };
  }

  /** What was signed stands already: the answer that said so was lost longer ago than the project remembers keys. */
  async #standing(id: string, { request }: Row): Promise<ExtensionRecord | null> {
    const record = await this.api.extension(id).catch(() => null);
    const same =
      record?.content_hash === request.result_hash &&
      named(record.granted) === named(request.granted);
    return same ? record : null;
  }

  /** Writes only over the row that was sent: a newer signature stays. */
  async #replace(id: string, row: Row, next: Row | undefined): Promise<void> {
    const now = await this.store.update<Row | undefined>(AREA, id, (kept) =>
      kept?.once === row.once ? next : kept,
    );
    if (now) this.rows.set(id, now);
    else this.rows.delete(id);
  }

  /**
   * What the server could not do now is sent again by itself: when it says, or later each time. So is what found
   * nobody: a connection may break once and be there for all else, and then no event tells that it is back.
   */
  #again(): void {
    clearTimeout(this.#timer);
    const soon = [...this.waits.values()].filter(({ reason }) => AGAIN.includes(reason));
    if (!soon.length) {
      this.#tries = 0;
      return;
    }
    const said = Math.max(0, ...soon.map(({ error }) => (error as Failed).retryMs ?? 0));
    const wait = Math.max(said, Math.min(LONGEST_MS, AGAIN_MS * 2 ** this.#tries));
    this.#tries += 1;
    this.#timer = setTimeout(this.due, wait);
  }
}

const UNKNOWN: ErrorShape = { code: "CONFLICT", message: "This has to be signed again." };

/** Revisions of a project rise (`rev_12`). */
const numbered = (revision: string): number => Number(/\d+$/.exec(revision)?.[0] ?? -1);

const named = (granted: string[]): string => [...granted].sort().join("\n");

const isSame = (row: Row, { request, change }: Pick<Row, "request" | "change">): boolean =>
  row.change === change &&
  row.request.patch_id === request.patch_id &&
  row.request.result_hash === request.result_hash &&
  row.request.base_revision_id === request.base_revision_id;

/** Which answers are the project's word on the signature; every other one says nothing of it. */
function undecided({ status, code }: Failed): Undecided | null {
  if (status === 422) return "invalid";
  return status === 409 && code !== "IDEMPOTENCY_IN_PROGRESS" ? "moved" : null;
}

function reasonOf({ status = 0, code }: Failed): Reason {
  if (code === "OFFLINE") return "offline";
  if (status === 401 || code === "OTHER_SIGNER") return "signed_out";
  if (status === 429 || status === 409) return "busy";
  return status === 0 || status >= 500 || status < 400 ? "failing" : "refused";
}

/** As the device keeps it: an error of a class is none there. */
function shapeOf({ code, message, args, details, retryMs }: Failed): ErrorShape {
  return {
    code,
    message,
    ...(args ? { args } : {}),
    ...(details ? { details } : {}),
    ...(retryMs === undefined ? {} : { retryMs }),
  };
}
