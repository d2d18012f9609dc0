/** All changes of this device: the one in front, the earlier ones, and words that were answered without a run. */
import { Session } from "@holdpoint/core/session";
import type { ErrorShape, Files, Store } from "@holdpoint/core/types";
import {
  type ChangeLine,
  type HistoryView,
  type LogView,
  pair,
  type Turn,
  t,
} from "@holdpoint/elements";
import { type Words, WordsDriver } from "./asking.js";
import { type Around, Change } from "./change.js";
import {
  type Bringing,
  type Brought,
  type Line,
  made,
  next,
  ordered,
  outcome,
  RUNS,
  saidOf,
  step,
} from "./change-lines.js";
import { namesOf } from "./contributions.js";
import { Held } from "./held.js";
import type { Live } from "./installed.js";
import { Told } from "./told.js";

const LIST = "changes";
const CURRENT = "current";
/**
 * The change in front of this tab, by its own name, so that a reload does not bring another tab's to the front. Empty:
 * none is.
 */
const FRONT = "holdpoint-front";
/** States in which something is being made: nothing else takes the front meanwhile. */
const RUNNING: readonly string[] = ["planning", "generating", "testing"];
/** States after which a change leaves the front when something else is asked. */
const ENDED: readonly string[] = ["installed", "cancelled", "failed", "answered"];

export class Changes {
  current: Change | null = null;
  lines: Line[] = [];
  /** What is asked, and what was said without a change. */
  readonly talk: Session<Words>;
  /** The change that was in front and goes on in another tab. */
  elsewhere: string | null = null;
  history = false;
  chosen: string[] = [];
  compared: HistoryView["compared"] = null;
  /** What the project keeps of them. */
  readonly told: Told;
  /** An extension whose sheet is open from the list. */
  #sheet: string | null = null;

  readonly #words: WordsDriver;
  #restored: Promise<void> = Promise.resolve();
  #held: Held | null = null;
  /** Which change was asked for last; one that is restored later than the next is let go. */
  #turn = 0;

  /** `refused` hears why nothing was asked. */
  constructor(
    private readonly around: Around,
    refused: (error: ErrorShape) => void,
  ) {
    this.told = new Told(around);
    this.#words = new WordsDriver({
      ...around,
      restored: () => this.#restored,
      begin: (text, request, base) => this.#begin(text, request, base),
      base: (target) => this.#base(target),
      made: (text) => made(text, this.lines, around.installed.all),
      script: () => (this.current?.view.state === "answered" ? this.current.promoting : null),
      opened: () => around.modelContext() !== null,
      leave: () => this.#leave(),
    });
    this.talk = new Session(this.#words, (event) => {
      if (event.is === "refused") refused(event.error);
    });
    this.talk.subscribe(() => {
      const { state, turn, draft, messages } = this.talk.view;
      if (state === "ready" && !turn) void this.#words.keep({ draft, messages });
      around.changed();
    });
  }

  async load(): Promise<void> {
    this.lines = await this.#listed();
    await this.told.load();
    await this.talk.resume();
  }

  /** Every change of this device as it is stored, newest first. */
  async #listed(): Promise<Line[]> {
    return ordered(await this.around.store.get<Line[]>("settings", LIST));
  }

  /** The change that was in front goes on; what is asked meanwhile waits for it. */
  restore(): Promise<void> {
    this.#restored = this.#restore();
    return this.#restored;
  }

  async #restore(): Promise<void> {
    const device = await this.around.store.get<string>("settings", CURRENT);
    const own = sessionStorage.getItem(FRONT);
    if (own === "") return;
    const line = this.lines.find((one) => one.name === own);
    const key = line ? String(line.number) : device;
    if (key) await this.#front(key, false);
  }

  /** A change comes to the front, unless it goes on in another tab; `over` takes it from there. */
  async #front(key: string, over: boolean): Promise<void> {
    this.#let();
    this.elsewhere = null;
    const turn = this.#turn;
    const { store } = this.around;
    const held = this.#over(key)
      ? Held.look(key, () => this.#lost(key))
      : await Held.take(store, key, over, () => this.#lost(key));
    const change = held
      ? await Change.restore(key, this.#name(key), this.#surroundings(held))
      : null;
    if (change) change.asked = this.lines.find((one) => String(one.number) === key)?.asked ?? null;
    if (turn === this.#turn && held && !held.lost) {
      this.#held = held;
      this.current = change;
      return change?.signing.again();
    }
    change?.dispose();
    held?.release();
    if (turn === this.#turn) this.elsewhere = key;
  }

  /** Whether its run has ended for good: then it may stand in several tabs. */
  #over(key: string): boolean {
    const line = this.lines.find((one) => String(one.number) === key);
    return (
      line?.signed === true || line?.said.some((one) => one.key.startsWith("cancelled.")) === true
    );
  }

  /** What a change has of the page while this tab holds it; once another one does, it has nothing more to say. */
  #surroundings(held: Held): Around {
    const { around } = this;
    return {
      ...around,
      store: held.over(around.store),
      token: () => (held.lost ? undefined : around.token()),
    };
  }

  #lost(key: string): void {
    if (this.current?.key !== key) return;
    this.#let();
    this.elsewhere = key;
    this.around.changed();
  }

  /** What is in front leaves it, and may go on elsewhere. */
  #let(): void {
    this.#turn += 1;
    this.current?.dispose();
    this.current = null;
    this.#held?.release();
    this.#held = null;
  }

  /** The change of another tab goes on here. */
  async takeOver(): Promise<void> {
    if (this.elsewhere === null) return;
    await this.#front(this.elsewhere, true);
    await this.#remember();
    this.around.changed();
  }

  /** Forgets what was said without a change; what is answered brings it back. Null where nothing was said. */
  async clear(): Promise<(() => void) | null> {
    const { messages } = this.talk.view;
    if (!messages.length) return null;
    await this.talk.clear();
    return () => this.#words.bringBack(messages);
  }

  get next(): number {
    return next(this.told.highest, this.lines);
  }

  /** A new change takes the front, and its run has heard `text`. */
  async #begin(title: string, text: string, base: Live | null): Promise<void> {
    const more = { words: title, ...(title === text ? {} : { asked: title }) };
    const change = await this.#fresh(title, base?.files ?? {}, base?.id, more);
    const extensions = base ? [{ id: base.id, name: base.manifest.name }] : [];
    await change.ask(text, { has_script: false, extensions, stage: "chat" });
  }

  /** What words about a change of something mean: what they name, else what is in front, else the only one. */
  #base(target: string | null): Live | null {
    const { all } = this.around.installed;
    const front =
      this.current?.view.state === "installed" ? this.current.signing.manifest?.id : null;
    const only = all.size === 1 ? [...all.keys()][0] : null;
    return all.get(target ?? front ?? only ?? "") ?? null;
  }

  #name(key: string): string {
    return this.lines.find((line) => String(line.number) === key)?.name ?? key;
  }

  /**
   * A new change takes the front with files that a person brings: checked, tested and reviewed like all others. Rejects
   * while another one is being made.
   */
  async bring(title: string, brought: Brought | null, it: Bringing, base: Files): Promise<void> {
    if (this.current && RUNNING.includes(this.current.view.state)) throw RUNS;
    const change = await this.#fresh(title, base, null, brought ? { brought } : {});
    await change.send(it);
  }

  async #fresh(
    title: string,
    base: Files,
    extension: string | null = null,
    more: Pick<Line, "brought" | "asked" | "words"> = {},
  ): Promise<Change> {
    this.#let();
    this.elsewhere = null;
    const turn = this.#turn;
    const { store } = this.around;
    const name = crypto.randomUUID();
    const line = {
      name,
      title,
      said: [],
      at: Date.now(),
      signed: false,
      hash: null,
      extension,
      ...more,
    };
    // Its number is taken in one transaction: another tab may begin a change at the same time.
    let number = 0;
    await this.#list(store, (lines) => {
      number = next(this.told.highest, lines);
      return [{ number, ...line }, ...lines];
    });
    const key = String(number);
    const held = await Held.take(store, key, true, () => this.#lost(key));
    const begun = held && Change.start(number, name, base, this.#surroundings(held));
    const change = await begun?.catch(async (error: unknown) => {
      held?.release();
      await this.#list(store, (lines) => lines.filter((one) => one.number !== number));
      throw error;
    });
    if (!held || !change) throw RUNS;
    if (turn !== this.#turn || held.lost) {
      change.dispose();
      held.release();
      throw RUNS;
    }
    this.#held = held;
    this.current = change;
    change.asked = more.asked ?? null;
    await this.#remember();
    return change;
  }

  /** Where the files of the change in front came from; null where it was asked for. */
  get brought(): Brought | null {
    return this.lines.find((one) => one.number === this.current?.number)?.brought ?? null;
  }

  /** Words of the run itself: a model that answered instead of planning, a request that turned out to be none. */
  words(answering: string): Turn[] {
    const run = this.current?.shown;
    if (!run) return [...this.talk.view.messages];
    return saidOf(run, answering);
  }

  /** A new sheet; the old change stays under Earlier changes. */
  async close(): Promise<void> {
    await this.talk.clear();
    await this.#close();
  }

  async #leave(): Promise<boolean> {
    const { current } = this;
    if (current && !ENDED.includes(current.view.state)) return false;
    await this.#close();
    return true;
  }

  async #close(): Promise<void> {
    const key = this.current?.key ?? this.elsewhere;
    this.#let();
    this.elsewhere = null;
    this.history = false;
    this.around.changed();
    await this.#remember(key);
  }

  async open(key: string): Promise<void> {
    const extension = this.told.extensionOf(key);
    if (extension !== null) {
      this.#sheet = extension;
      this.around.changed();
      return;
    }
    await this.#front(key, false);
    this.history = false;
    await this.#remember();
    this.around.changed();
  }

  /** The list, or away from it; it opens without a comparison. */
  showHistory(open: boolean): void {
    this.history = open;
    this.chosen = [];
    this.compared = null;
    this.#sheet = null;
    this.around.changed();
    if (open) void this.#reread();
  }

  /** Another tab may have written the list since. */
  async #reread(): Promise<void> {
    this.lines = await this.#listed();
    this.around.changed();
  }

  /**
   * What differs between the two that are ticked: the files that the older one installed against those of the newer.
   */
  async compare(): Promise<void> {
    const chosen = [...this.chosen].sort((a, b) => Number(a) - Number(b));
    const two = pair(this.list(0), chosen);
    const [older, newer] = chosen;
    if (!two || older === undefined || newer === undefined) return;
    const [before, after] = [await this.#files(older), await this.#files(newer)];
    this.compared = { pair: two, files: this.around.core.diff(before, after).files };
    this.around.changed();
  }

  /** The files that a signed change installed. Its run has ended, so opening it asks nothing of anybody. */
  async #files(key: string): Promise<Files> {
    if (this.current?.key === key) return this.current.view.files;
    const change = await Change.restore(key, this.#name(key), this.around);
    const files = change?.view.files ?? {};
    change?.dispose();
    return files;
  }

  /** Changes the list as it is stored: another tab may have written it meanwhile. */
  async #list(store: Store, change: (lines: Line[]) => Line[]): Promise<void> {
    this.lines = await store.update<Line[]>("settings", LIST, (now) =>
      ordered(change(ordered(now))),
    );
  }

  /**
   * Stores which change is in front. Where none is, the device forgets the one that was, and no other: it may be in
   * front of another tab.
   */
  async #remember(left: string | null = null): Promise<void> {
    const front = this.current?.key ?? this.elsewhere ?? "";
    sessionStorage.setItem(FRONT, front && this.#name(front));
    await this.around.store.update<string>("settings", CURRENT, (now = "") =>
      front || now === left ? front : now,
    );
  }

  /** Title and end of the change in front, for the list. */
  async note(): Promise<void> {
    const [change, held] = [this.current, this.#held];
    const line = this.lines.find((one) => one.number === change?.number);
    if (!change || !held || !line) return;
    const { view, signing } = change;
    const { manifest } = signing;
    const signed = view.state === "installed";
    const now: Partial<Line> = {
      ...(manifest
        ? { title: `${manifest.name} ${manifest.version}`, version: manifest.version }
        : {}),
      extension: manifest?.id ?? line.extension,
      signed,
      ...(signed
        ? {
            hash: view.review?.result_hash ?? signing.review()?.result_hash ?? null,
            at: signing.installedAt ?? line.at,
          }
        : {}),
      said: outcome(view),
    };
    const noted = { ...line, ...now };
    if (JSON.stringify(noted) === JSON.stringify(line)) return;
    const { number } = line;
    this.lines = this.lines.map((one) => (one.number === number ? noted : one));
    await this.#list(held.over(this.around.store), (lines) =>
      lines.map((one) => (one.number === number ? { ...one, ...now } : one)),
    );
  }

  /** The change that installed these bytes was undone, or done again. */
  async undone(hash: string, undone: boolean): Promise<void> {
    await this.#list(this.around.store, (lines) => {
      const at = lines.findIndex((one) => one.signed && one.hash === hash);
      return lines.map((one, i) => (i === at ? { ...one, undone } : one));
    });
  }

  /** The change that redo leads to: the one named, else the newest that was undone. */
  redoable(number?: string): { extension: string; hash: string; key: string } | null {
    const line = this.lines.find(
      (one) => one.undone && (number === undefined || String(one.number) === number),
    );
    return line?.extension && line.hash
      ? { extension: line.extension, hash: line.hash, key: String(line.number) }
      : null;
  }

  list(now: number): HistoryView {
    const { all } = this.around.installed;
    const names = namesOf(all.values());
    const extensions = [...all.values()].map(({ id, record, manifest, stored }) => ({
      ...{ record, stored },
      name: names.get(id) ?? manifest.name,
    }));
    return {
      ...{ now, extensions, compared: this.compared },
      changes: this.#all(),
      told: this.#opened(now),
    };
  }

  /** Those of this device, and those that only the project knows; newest first. */
  #all(): ChangeLine[] {
    const known = new Set(this.lines.flatMap((line) => [line.name, line.hash ?? line.name]));
    const all = [...this.lines.map((line) => this.#line(line)), ...this.told.lines(known)];
    return all.sort((a, b) => b.at - a.at);
  }

  /** The sheet that is open from the list. */
  #opened(now: number): HistoryView["told"] {
    if (this.#sheet === null) return null;
    const live = this.around.installed.all.get(this.#sheet);
    const revision = live?.record.revision_id ?? "";
    const log = this.told.sheet(this.#sheet, revision, null, now);
    return { name: live?.manifest.name ?? this.#sheet, log };
  }

  /** The sheet of the change in front, with what came before it. */
  sheet(now: number): LogView | null {
    const { current } = this;
    if (!current) return null;
    const { shown: view, name, number, spent, signing } = current;
    const line = this.lines.find((one) => one.number === number);
    const id = signing.manifest?.id ?? line?.extension ?? null;
    const live = id === null ? undefined : this.around.installed.all.get(id);
    const review = view.state === "installed" ? (signing.review() ?? view.review) : null;
    const signed = review && {
      at: signing.installedAt ?? view.updated_at,
      version: signing.manifest?.version ?? "",
      print: live?.record.content_hash === review.result_hash ? live.print : signing.print(),
      granted: signing.grants.granted.length,
    };
    const revision = live?.record.revision_id ?? "";
    return this.told.sheet(id, revision, { name, number, view, spent, signed }, now);
  }

  #line(line: Line): ChangeLine {
    const live =
      line.extension === null ? undefined : this.around.installed.all.get(line.extension);
    const mine = live !== undefined && line.hash !== null && live.record.content_hash === line.hash;
    const above =
      line.signed && !mine && !line.undone && live
        ? this.lines.find(
            (other) =>
              other.signed && other.number > line.number && other.hash === live.record.content_hash,
          )
        : undefined;
    return {
      id: String(line.number),
      number: line.number,
      title: line.title,
      sub: line.said.map((one) => t(one.key, one.params)).join(" · "),
      at: line.at,
      signed: line.signed,
      result_hash: line.hash,
      extension: line.signed ? line.extension : null,
      version: line.version ?? "",
      undo: step(line, mine || above !== undefined),
      ...(above ? { blocked: t("history.blocked", { n: above.number }) } : {}),
    };
  }
}
