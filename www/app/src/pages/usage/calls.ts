/** The calls of a month that have ended, page by page and as a file; and those that run now. */
import type { CallFilter, CallsView } from "@holdpoint/elements/usage/view";
import { saveFile } from "../../save-file.js";
import { type Around, tried } from "./around.js";
import { csv, everyCall } from "./csv.js";
import { callLine, runningLine } from "./lines.js";
import { type Month, of, span } from "./months.js";
import { Part } from "./part.js";
import type { LedgerItem, RunningItem, Slice } from "./wire.js";

const PAGE = 40;
/** Where calls are looked for or saved, the largest page is asked for. */
const LARGE = 500;
/** One user's calls are looked for among all: after so many pages without any, somebody asks to go on. */
const EMPTY_PAGES = 20;
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

  constructor(
    private readonly around: Around,
    private readonly month: () => Month,
  ) {
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
    if (this.#present() && before.some((id) => !now.has(id))) await this.#newest();
  }

  #present = (): boolean => of(this.month(), Date.now()) === "in";

  /** Another month is shown. */
  turn(): Promise<void> {
    if (!this.#present() && this.#show === "running") this.#show = "all";
    return this.#newest(true);
  }

  async refresh(): Promise<void> {
    this.#loading = true;
    await this.load();
    this.#loading = false;
    this.around.changed();
  }

  #open = (): Promise<void> =>
    this.running.load(async () => (await this.around.api.running()).items);

  #asked = (cursor: string | null, limit: number): Promise<Slice<LedgerItem>> =>
    this.around.api.calls(span(this.month()), cursor, limit);

  /** The next calls of the month. */
  async #page(cursor: string | null, limit: number): Promise<Slice<LedgerItem>> {
    let page = await this.#asked(cursor, limit);
    for (let n = 0; n < EMPTY_PAGES && !page.items.length && page.next_cursor !== null; n += 1)
      page = await this.#asked(page.next_cursor, LARGE);
    return page;
  }

  /** The newest page, before what is there already. */
  #newest(fresh = false): Promise<void> {
    return this.ended.load(async () => {
      const page = await this.#page(null, PAGE);
      const had = this.ended.value;
      const known = new Set(had?.items.map((item) => item.request_id));
      // Where nothing is known of it, more has happened than one page holds.
      if (!had || !page.items.some((item) => known.has(item.request_id))) return page;
      const newer = new Set(page.items.map((item) => item.request_id));
      const older = had.items.filter((item) => !newer.has(item.request_id));
      return { ...had, items: [...page.items, ...older] };
    }, fresh);
  }

  async more(): Promise<void> {
    const had = this.ended.value;
    if (!had || had.next_cursor === null || this.#loading) return;
    this.#loading = true;
    this.around.changed();
    const error = await tried(this.around, async () => {
      const page = await this.#page(had.next_cursor, PAGE);
      // Another month may be shown by now.
      if (this.ended.value === had)
        this.ended.set({ ...page, items: [...had.items, ...page.items] });
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
      const days = span(this.month());
      const rows = await everyCall(
        had,
        (cursor) => this.around.api.calls(days, cursor, LARGE),
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
    const present = this.#present();
    const ended = new Set(items.map((item) => item.request_id));
    const open = present ? (this.running.value ?? []) : [];
    const running = open.filter((call) => !ended.has(call.request_id));
    const failed = this.running.view.state === "failed" && this.ended.view.state === "ready";
    return {
      // What runs could not be read: a count of none would say that nothing does.
      ...(failed ? this.running.view : this.ended.view),
      lines: items.map(callLine),
      running: running.map(runningLine),
      show: this.#show,
      present,
      more: next_cursor !== null,
      loading: this.#loading,
      ...{ currency, now, offline: !this.around.online() },
    };
  }
}
