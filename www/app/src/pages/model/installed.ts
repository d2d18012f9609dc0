/** The installed extensions: what is on, what they contribute, what they are called for. Spec: authoring.md §8. */
import type {
  Api,
  Asked,
  CallOutcome,
  Checks,
  Core,
  ExtensionRecord,
  Files,
  Json,
  RunningExtension,
  SandboxClient,
  SandboxFailure,
  Store,
} from "@holdpoint/core/types";
import {
  type ContextSlot,
  language,
  type OfferKind,
  t,
  type VerdictView,
  type WidgetNode,
} from "@holdpoint/elements";
import type { OpenModel } from "../../core.js";
import { type Around, Calls, type Cause, type Dock, download, lines } from "./calls.js";
import { type Answer, Contributed } from "./contributed.js";
import { calledAs, type MenuGroup, titleOf } from "./contributions.js";
import { fingerprinted } from "./grants.js";
import { Happenings } from "./happenings.js";
import type { Beside, Kept, Live } from "./live.js";
import type { Opening } from "./opening.js";
import { Queue, type Sent, type Undecidable } from "./queue.js";
import { localReason, OF_SIZE, switchedOff, switchedOn, type Why, WIDER } from "./switched-off.js";
import { verdicts } from "./verdicts.js";

/** Of what an extension stores. */
const storageKey = (id: string): string => `storage ${id}`;

export type { Beside, Kept, Live } from "./live.js";

export class Installed {
  readonly all = new Map<string, Live>();
  readonly queue: Queue;
  readonly docks = new Map<string, Dock>();
  readonly contributed: Contributed;
  readonly #storage = new Map<string, Record<string, Json>>();
  /** The models that were open when extensions saw others last. */
  #open: readonly OpenModel[] = [];
  /** Those that passed a limit of size, with the models on which they did. */
  readonly #resting = new Map<string, string>();
  /** Those that are being forgotten. */
  readonly #going = new Set<string>();
  readonly #answers = new Map<string, Answer>();
  readonly #verdicts = new Map<string, { title: string; items: VerdictView[] }>();
  readonly #calls: Calls;
  readonly #happenings: Happenings<Live>;

  constructor(
    core: Core,
    private readonly checks: Pick<Checks, "check" | "review">,
    sandbox: SandboxClient,
    private readonly api: Api,
    private readonly store: Store,
    private readonly opening: Opening,
    private readonly page: Pick<
      Around,
      "changed" | "told" | "refused" | "done" | "front" | "viewed"
    >,
    private readonly beside: Beside,
  ) {
    this.queue = new Queue(api, store, beside.due);
    this.#happenings = new Happenings<Live>({
      all: () => this.#on(),
      trigger: (one, event, cause, modelId) =>
        this.#calls.call(one, { trigger: { event, modelId } }, cause),
      activate: (one) => this.#calls.call(one, "activate", new Set()),
      refresh: (one, event, cause) => this.#follow(one.id, event, cause),
    });
    this.#calls = new Calls(sandbox, opening, {
      current: (one) => {
        const now = this.all.get(one.record.id);
        return now?.record.enabled && now.running.key === one.running.key ? now : undefined;
      },
      dock: (extension, id) =>
        [...this.docks].find(([, dock]) => dock.extension === extension && dock.id === id),
      ...page,
      saved: (file) => {
        download(file.filename, new Blob([file.text], { type: file.mimeType }));
        const n = lines(file.text);
        page.told(t("toast.saved", { file: file.filename }), t("toast.lines", { n }));
      },
      applied: ({ manifest: { name } }, { effects }) => {
        if (effects.changes?.length)
          page.told(t("toast.changed", { name, n: effects.mutations?.length ?? 0 }));
      },
      selected: (cause) => this.#happenings.selected(cause),
      switchOff: (one, failure, command) => this.#switchOff(one.record.id, failure, command),
    });
    this.contributed = new Contributed(core, opening, {
      all: this.all,
      docks: this.docks,
      answers: this.#answers,
      verdicts: this.#verdicts,
      on: () => this.#on(),
      rests: (extension) => this.#resting.has(extension),
      isBusy: (extension, command) => this.#calls.isBusy(extension, command),
    });
  }

  /** What the device has; it works without a network. */
  async load(): Promise<void> {
    await this.queue.load();
    let failed: unknown;
    for (const id of await this.store.keys("installs")) {
      if (this.all.has(id) || this.#going.has(id)) continue;
      const kept = await this.store.get<Kept>("installs", id);
      this.#storage.set(
        id,
        (await this.store.get<Record<string, Json>>("settings", storageKey(id))) ?? {},
      );
      try {
        const live = kept && (await this.#checked(kept));
        if (live && !this.#going.has(id) && !this.all.has(id)) this.#take(live);
      } catch (error) {
        // What cannot be checked now, because the checks did not load, is tried again.
        failed = error;
      }
    }
    if (failed) throw failed;
  }

  /** Who signs here; null: who never signed in. */
  readonly signer = (): string | null => this.beside.signer();

  /** The page has started: extensions hear it. */
  started(): Promise<void> {
    return this.#happenings.started();
  }

  /** The newest revision of an id that was seen here; null where none was. */
  newest(id: string): string | null {
    return this.queue.newest(id, [this.beside.newest(id), this.all.get(id)?.record.revision_id]);
  }

  /**
   * What the project has; the project is the authority for what was stored. What changed here while it is read is newer
   * than its list, and stays.
   */
  async sync(): Promise<void> {
    const before = new Map(this.all);
    const records = await this.api.extensions();
    const ids = new Set(records.map((record) => record.id));
    for (const record of records) {
      const mine = before.get(record.id);
      const still = (): boolean => this.all.get(record.id) === mine;
      if (!still() || (await this.#waits(record))) continue;
      if (mine?.stored && mine.record.content_hash === record.content_hash) {
        const now = { ...record, ...localReason(mine.record, record, this.#resting.has(mine.id)) };
        await this.keep({ ...mine, record: now }, still);
        continue;
      }
      const whole = await this.api.extension(record.id);
      if (!whole.files) continue;
      await this.keep(
        { record: whole, files: whole.files, stored: true, change: mine?.change ?? "" },
        still,
      );
      const dock = this.dockOf(record.id);
      if (dock) void this.refresh(dock);
    }
    for (const [id, mine] of before)
      if (mine.stored && !ids.has(id) && this.all.get(id) === mine) await this.forget(id);
  }

  /**
   * Whether something that was signed here waits over what the project has. What was taken over from nobody and stands
   * there already needs no signature.
   */
  async #waits({ id, content_hash, granted }: ExtensionRecord): Promise<boolean> {
    const row = this.queue.rows.get(id);
    const kept = await this.store.get<Kept>("installs", id);
    const stands =
      row?.state === "taken" &&
      kept?.record.content_hash === content_hash &&
      [...granted].sort().join() === [...row.request.granted].sort().join();
    if (stands) await this.queue.drop(id);
    return row !== undefined && !stands;
  }

  /** Takes an extension as it is given, unless `still` no longer holds once it is checked. */
  async keep(kept: Kept, still = (): boolean => true): Promise<void> {
    const now = await this.#checked(kept);
    if (!still()) return;
    const before = this.all.get(kept.record.id);
    if (now) this.#take(now);
    // From here on it hears what happens; what was before it hears now, before anything else does.
    const other = before?.running.key !== now?.running.key;
    if (before && (other || !now?.record.enabled)) void this.#calls.end(before);
    if (now?.record.enabled && (other || !before?.record.enabled))
      void this.#happenings.arrived(now);
    this.page.changed();
    const { record, files, stored, change } = kept;
    await this.store.put("installs", record.id, { record, files, stored, change } satisfies Kept);
  }

  async forget(id: string): Promise<void> {
    this.#going.add(id);
    const gone = this.all.get(id);
    this.all.delete(id);
    this.#answers.delete(id);
    this.#verdicts.delete(id);
    for (const [dock, one] of this.docks) if (one.extension === id) this.docks.delete(dock);
    this.#calls.forget(id);
    this.page.changed();
    for (const [area, key] of [
      ["installs", id],
      ["settings", storageKey(id)],
    ] as const)
      await this.store.delete(area, key);
    await this.queue.drop(id);
    this.#going.delete(id);
    if (gone) await this.#calls.end(gone);
    if (!this.all.has(id)) this.#storage.delete(id);
  }

  /** The loader: check with this SDK, then grants ⊆ declared. A failure switches off that one and nothing else. */
  async #checked(kept: Kept): Promise<Live | undefined> {
    const { origin } = kept.record;
    const check = await this.checks.check(kept.files, origin === "promoted" ? { origin } : {});
    const { manifest } = check;
    if (!manifest) return undefined;
    const declared = kept.record.granted.every((grant) => manifest.capabilities.includes(grant));
    const first = check.diagnostics.find((finding) => finding.severity === "error");
    const off = first ?? (declared ? undefined : WIDER);
    const record = off ? { ...kept.record, ...switchedOff(off) } : kept.record;
    return {
      ...kept,
      id: record.id,
      record,
      manifest,
      check,
      running: this.#running(record, kept.files),
      print: await fingerprinted(
        this.checks,
        { files: kept.files, hash: record.content_hash, declared: manifest.capabilities },
        record.granted,
      ),
    };
  }

  #take(live: Live): void {
    const { files, manifest, record } = live;
    const same = this.all.get(record.id)?.record.content_hash === record.content_hash;
    this.all.set(record.id, live);
    for (const [key, dock] of this.docks)
      if (dock.extension === record.id && !same) this.docks.delete(key);
    for (const dock of manifest.contributes?.dock ?? []) {
      // Ids of docks are unique in one manifest only.
      const key = `${record.id} ${dock.id}`;
      this.docks.set(key, {
        id: dock.id,
        title: dock.title,
        extension: record.id,
        slot: dock.slot,
        when: dock.when,
        data: dock.data,
        refreshOn: dock.refreshOn ?? [],
        widget: widgetOf(files, dock.widget),
        state: this.docks.get(key)?.state,
        busy: false,
        answered: this.docks.get(key)?.answered ?? false,
        failure: record.enabled ? (this.docks.get(key)?.failure ?? null) : null,
      });
    }
  }

  #running(record: ExtensionRecord, files: Files): RunningExtension {
    const { id } = record;
    return {
      key: `${id} ${record.content_hash}`,
      files,
      granted: record.granted,
      locale: language(),
      selection: () => this.opening.models.refs(this.opening.model.selected),
      storage: () => this.#storage.get(id) ?? {},
      keep: (storage) => {
        if (this.all.has(id)) {
          this.#storage.set(id, storage);
          void this.store.put("settings", storageKey(id), storage).catch(() => undefined);
        }
      },
      asked: ({ host }) => this.contributed.asked.count(id, host),
      models: () => this.opening.models.forExtensions,
    };
  }

  #on(): Live[] {
    return [...this.all.values()].filter((live) => live.record.enabled);
  }

  /** The first panel of an extension, for showing it. */
  dockOf(id: string): string | null {
    return [...this.docks].find(([, dock]) => dock.extension === id)?.[0] ?? null;
  }

  /**
   * Extensions see other models. Who is on hears of it; what passed a limit of size on those before comes back, and
   * hears of it then.
   */
  async seen(came?: OpenModel): Promise<void> {
    const { models, sight } = this.opening;
    const gone = this.#open.filter((one) => !models.all.includes(one));
    this.#open = models.all;
    this.#calls.forgetPlaces(new Set(gone.map(({ place }) => place)));
    // What was read of models that are not shown any more is no data of nothing.
    if (!sight) for (const dock of this.docks.values()) this.#empty(dock);
    await this.#happenings.models(models.seen.map(told), came && told(came));
    for (const [id, before] of this.#resting) {
      if (before === sight) continue;
      this.#resting.delete(id);
      const live = this.all.get(id);
      if (!live?.record.off || live.record.enabled) continue;
      for (const dock of this.docks.values()) if (dock.extension === id) dock.failure = null;
      await this.keep({ ...live, record: switchedOn(live.record) });
    }
  }

  #empty(dock: Dock): void {
    if (dock.data === undefined) return;
    dock.state = undefined;
    dock.answered = false;
  }

  /** A person selected. */
  selected(): void {
    this.#happenings.selected(new Set());
  }

  /** Panels that asked for an event, and with a model all that show data of it. */
  async #follow(extension: string, event: string, cause: Cause): Promise<void> {
    for (const [key, dock] of this.docks)
      if (
        dock.extension === extension &&
        (dock.refreshOn.includes(event) || (event === "onModelLoad" && dock.data))
      )
        await this.refresh(key, cause);
  }

  /** The sandbox may start now: panels that it did not answer are asked for again. */
  async retry(): Promise<void> {
    for (const [key, { failure }] of this.docks)
      if (failure?.code === "SANDBOX_FAULT") await this.refresh(key);
  }

  async refresh(key: string, cause: Cause = new Set()): Promise<void> {
    const dock = this.docks.get(key);
    const live = dock && this.all.get(dock.extension);
    if (!dock?.data || !live?.record.enabled || !this.opening.sight) return;
    const outcome = await this.#calls.call(live, { command: { id: dock.data } }, cause, dock);
    const now = this.docks.get(key);
    if (!now) return;
    if (outcome) now.state = outcome.value ?? undefined;
    now.answered ||= outcome !== null;
    this.page.changed();
  }

  async command(
    extension: string,
    command: string,
    args: Json | undefined,
    dockKey?: string,
  ): Promise<CallOutcome | null> {
    const live = this.all.get(extension);
    if (!live?.record.enabled) return null;
    const dock = dockKey === undefined ? undefined : this.docks.get(dockKey);
    const outcome = await this.#calls.call(live, { command: { id: command, args } }, null, dock);
    if (outcome && dock?.data === command) dock.state = outcome.value ?? undefined;
    this.page.changed();
    return outcome;
  }

  /** A command from the list of extensions: its result is shown there. */
  async commandFromList(extension: string, command: string): Promise<void> {
    const outcome = await this.command(extension, command, undefined);
    const live = this.all.get(extension);
    if (outcome && live)
      this.#answers.set(extension, {
        title: titleOf(live.manifest, command),
        value: outcome.value,
      });
    this.page.changed();
  }

  /** A lens, an exporter or a check. Colours and files come as effects; verdicts stand in the list. */
  async offer(extension: string, kind: OfferKind, id: string): Promise<void> {
    const live = this.all.get(extension);
    if (!live?.record.enabled) return;
    const outcome = await this.#calls.call(live, ASKED[kind](id), null);
    if (outcome && kind === "idsValidator") {
      const title =
        live.manifest.contributes?.idsValidators?.find((one) => one.id === id)?.name ?? id;
      const items = verdicts(outcome.value, this.opening);
      this.#verdicts.set(extension, { title, items });
    }
    this.page.changed();
  }

  /** A command from a context menu: it is given what is selected. */
  async commandFromMenu(extension: string, command: string): Promise<void> {
    const live = this.all.get(extension);
    if (live?.record.enabled) await this.#calls.call(live, { contextMenu: { id: command } }, null);
  }

  async #switchOff(id: string, failure: SandboxFailure, of: string | null): Promise<void> {
    const live = this.all.get(id);
    if (!live) return;
    for (const dock of this.docks.values()) if (dock.extension === id) dock.failure = failure;
    const { sight } = this.opening;
    const rests = OF_SIZE.has(failure.code) && sight !== "";
    const heading = rests ? "ext.problem.rests" : "ext.problem.off";
    this.page.refused(heading, failure, calledAs(live.manifest, of));
    if (!rests) return this.off(id, failure);
    this.#resting.set(id, sight);
    await this.keep({ ...live, record: { ...live.record, ...switchedOff(failure) } });
  }

  /** Off on this device and in the project. */
  async off(id: string, why: Why): Promise<void> {
    const live = this.all.get(id);
    if (!live) return;
    await this.keep({ ...live, record: { ...live.record, ...switchedOff(why) } });
    if (live.stored)
      await this.api.change(id, "disable", live.record.content_hash).catch(() => undefined);
  }

  resetColours(): void {
    this.#calls.resetColours();
  }

  recolour(): void {
    this.#calls.recolour();
  }

  /** Sends what was signed here and is not stored. Answers what a person has to decide anew. */
  async flush(): Promise<Undecidable[]> {
    const moved: Undecidable[] = [];
    for (const [id, sent] of await this.queue.sendAll()) {
      await this.took(id, sent);
      if (sent.is !== "undecided") continue;
      this.queue.saw(id, sent.error.details?.base_revision_id);
      moved.push({ id, row: sent.row, error: sent.error });
    }
    this.page.changed();
    return moved;
  }

  /** What became of a row is so here too. */
  async took(id: string, sent: Sent): Promise<void> {
    // A newer signature waits already: what was stored is below it.
    if (this.queue.rows.has(id)) return;
    if (sent.is === "stored") {
      const { record, row } = sent;
      this.queue.saw(id, record.revision_id);
      const kept: Kept = { record, files: row.request.files, stored: true, change: row.change };
      // Where the checks did not load it is stored all the same.
      await this.keep(kept).catch(() => this.store.put("installs", id, kept));
      this.page.told(t("toast.stored", { name: row.name || id }));
    } else if (sent.is === "gone") {
      const kept = await this.store.get<Kept>("installs", id);
      if (kept) await this.keep(kept);
    }
  }

  /** Entries of a context menu for what is selected now. Showing it is an event. */
  menu(slot: ContextSlot): MenuGroup[] {
    const groups = this.contributed.menu(slot);
    if (groups.length) void this.#happenings.slot(slot);
    return groups;
  }

  /** A panel came to the front. */
  shown(key: string): void {
    const dock = this.docks.get(key);
    if (dock) void this.#happenings.slot(dock.slot);
  }
}

/** What the sandbox is asked for each. */
export const ASKED: Record<OfferKind, (id: string) => Asked> = {
  lens: (id) => ({ lens: { id } }),
  exporter: (id) => ({ exporter: { id } }),
  idsValidator: (id) => ({ idsValidator: { id } }),
};

const told = ({ facts }: OpenModel) => ({ id: facts.model_id, schema: facts.schema });

/** The widget of a panel; the check has read it. */
export const widgetOf = (files: Files, path: string): WidgetNode =>
  JSON.parse(files[path] ?? '{"type":"Separator"}') as WidgetNode;
