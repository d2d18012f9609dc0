/** The calls that have ended, page by page, those that run, and both as a file. */
import type { CallFilter, CallsView } from "@holdpoint/elements/usage/view";
import { saveFile } from "../../save-file.js";
import { type Around, tried } from "./around.js";
import { csv, everyCall } from "./csv.js";
import { callLine, runningLine } from "./lines.js";
import { Part } from "./part.js";
import type { LedgerItem, RunningItem, Slice } from "./wire.js";

const PAGE = 40;
/** What runs is asked for again so often at most, while the page is looked at. */
const RUNNING_MS = 30_000;

export class Calls {
  readonly ended: Part<Slice<LedgerItem>>;
  readonly running: Part<RunningItem[]>;
  #show: CallFilter = "all";
  #loading = false;
  /** Rows of the file that is made now; null: none is. */
  #saving: number | null = null;
  #stopped = false;

  constructor(private readonly around: Around) {
    this.ended = new Part(around);
    this.running = new Part(around);
  }

  async load(): Promise<void> {
    await Promise.all([this.#newest(), this.#open()]);
  }

  /** Looks after what runs, while somebody looks at the page. */
  watch(signedIn: () => boolean): void {
    setInterval(() => {
      if (document.visibilityState === "visible" && this.around.online() && signedIn())
        void this.#watched();
    }, RUNNING_MS);
  }

  async #watched(): Promise<void> {
    const before = this.running.value?.map((call) => call.request_id) ?? [];
    await this.#open();
    const now = new Set(this.running.value?.map((call) => call.request_id));
    // What ran has ended: it is a row now.
    if (before.some((id) => !now.has(id))) await this.#newest();
  }

  async refresh(): Promise<void> {
    this.#loading = true;
    await this.load();
    this.#loading = false;
    this.around.changed();
  }

  #open = (): Promise<void> =>
    this.running.load(async () => (await this.around.api.running()).items);

  /** The newest page, before what is there already. */
  #newest(): Promise<void> {
    return this.ended.load(async () => {
      const page = await this.around.api.calls(null, PAGE);
      const had = this.ended.value;
      const known = new Set(had?.items.map((item) => item.request_id));
      // Where nothing is known of it, more has happened than one page holds.
      if (!had || !page.items.some((item) => known.has(item.request_id))) return page;
      const fresh = new Set(page.items.map((item) => item.request_id));
      const older = had.items.filter((item) => !fresh.has(item.request_id));
      return { items: [...page.items, ...older], next_cursor: had.next_cursor };
    });
  }

  async more(): Promise<void> {
    const had = this.ended.value;
    if (!had || had.next_cursor === null || this.#loading) return;
    this.#loading = true;
    this.around.changed();
    const error = await tried(this.around, async () => {
      const page = await this.around.api.calls(had.next_cursor, PAGE);
      this.ended.set({ items: [...had.items, ...page.items], next_cursor: page.next_cursor });
    });
    this.#loading = false;
    if (error) this.around.refused(error);
    this.around.changed();
  }

  filter(show: CallFilter): void {
    this.#show = show;
    this.around.changed();
  }

  // ── the file ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Rows of the file that is made now. */
  get saving(): number | null {
    return this.#saving;
  }

  stop(): void {
    this.#stopped = true;
  }

  async save(name: string): Promise<void> {
    const had = this.ended.value;
    if (!had || this.#saving !== null) return;
    this.#stopped = false;
    const error = await tried(this.around, async () => {
      const rows = await everyCall(
        this.around.api,
        { items: had.items, next: had.next_cursor },
        (count) => {
          this.#saving = count;
          this.around.changed();
          return !this.#stopped;
        },
      );
      if (rows) saveFile(new Blob([csv(rows)], { type: "text/csv" }), name);
    });
    this.#saving = null;
    if (error) this.around.refused(error);
    this.around.changed();
  }

  view(currency: string, now: number): CallsView {
    const { items = [], next_cursor = null } = this.ended.value ?? {};
    const ended = new Set(items.map((item) => item.request_id));
    const running = (this.running.value ?? []).filter((call) => !ended.has(call.request_id));
    const failed = this.running.view.state === "failed" && this.ended.view.state === "ready";
    return {
      // What runs could not be read: a count of none would say that nothing does.
      ...(failed ? this.running.view : this.ended.view),
      lines: items.map(callLine),
      running: running.map(runningLine),
      show: this.#show,
      more: next_cursor !== null,
      loading: this.#loading,
      ...{ currency, now, offline: !this.around.online() },
    };
  }
}
