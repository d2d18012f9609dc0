/**
 * The calls of a month that have ended, page by page and as a file; and those that run, which belong to the present.
 *
 * The edge lists calls from the newest on and knows no month: those after the month are passed over here.
 */
import type { CallFilter, CallsView } from "@holdpoint/elements/usage/view";
import { saveFile } from "../../save-file.js";
import { type Around, tried } from "./around.js";
import { csv, everyCall } from "./csv.js";
import { callLine, runningLine } from "./lines.js";
import { type Month, of } from "./months.js";
import { Part } from "./part.js";
import type { LedgerItem, RunningItem, Slice } from "./wire.js";

const PAGE = 40;
/** Where calls are passed over or saved, the largest page is asked for. */
const LARGE = 500;
/** So many calls are passed over before somebody asks to go on. */
const PASSED = 10_000;
/** What runs is asked for again so often at most, while the page is looked at. */
const RUNNING_MS = 30_000;

/** A page of the calls of a month; `any`: there were calls, also of others. */
interface Found extends Slice<LedgerItem> {
  any: boolean;
}

export class Calls {
  readonly ended: Part<Found>;
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

  /** The next calls of the month; those of later months stand before them. */
  async #page(cursor: string | null, limit: number): Promise<Found> {
    const month = this.month();
    let found = within(month, await this.around.api.calls(cursor, limit));
    for (let n = 0; n < PASSED && !found.items.length && found.next_cursor !== null; n += LARGE) {
      const next = within(month, await this.around.api.calls(found.next_cursor, LARGE));
      found = { ...next, any: found.any || next.any };
    }
    return found;
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
        this.ended.set({ ...page, any: true, items: [...had.items, ...page.items] });
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
      const month = this.month();
      const rows = await everyCall(
        had,
        async (cursor) => within(month, await this.around.api.calls(cursor, LARGE)),
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
    const { items = [], next_cursor = null, any = false } = this.ended.value ?? {};
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
      ...{ present, any },
      more: next_cursor !== null,
      loading: this.#loading,
      ...{ currency, now, offline: !this.around.online() },
    };
  }
}

/** The calls of a page that are of the month; behind one that is older there are no more of it. */
function within(month: Month, { items, next_cursor }: Slice<LedgerItem>): Found {
  const last = items.at(-1);
  const over = last !== undefined && of(month, last.at) === "before";
  return {
    items: items.filter(({ at }) => of(month, at) === "in"),
    next_cursor: over ? null : next_cursor,
    any: items.length > 0,
  };
}
