/** The installed extensions: what is on, what they contribute, what they do when they are called. Spec: authoring.md §8. */
import type { Api, BundleCheck, CommandOutcome, Core, ExtensionRecord, Files, InstallRequest, Json, Manifest, SandboxClient, SandboxFailure, Store } from "@holdpoint/core/types";
import { spoken, t, type InstalledView, type PanelView, type WidgetNode } from "@holdpoint/elements";
import type { Opening } from "./opening.js";
import type { CommandButton } from "./page-view.js";

export interface Kept { record: ExtensionRecord; files: Files; stored: boolean; change: string }
interface Live extends Kept { manifest: Manifest; check: BundleCheck }
interface Dock { title: string; extension: string; data: string | undefined; refreshOn: string[]; widget: WidgetNode; state: Json | undefined; busy: boolean; failure: SandboxFailure | null }

/** Failures after which an extension is switched off: it would do it again. */
const HOSTILE = new Set(["TIMEOUT", "MEMORY", "STACK", "NEVER_SETTLED", "FUEL"]);
/** Calls of a selection change that come within this many ms are one. */
const SETTLE_MS = 120;

export class Installed {
  readonly all = new Map<string, Live>();
  readonly docks = new Map<string, Dock>();
  readonly #busy = new Set<string>();
  #settle: ReturnType<typeof setTimeout> | undefined;
  #colours = new Map<string, { color: string; ids: number[] }[]>();

  constructor(
    private readonly core: Core, private readonly sandbox: SandboxClient, private readonly api: Api, private readonly store: Store, private readonly opening: Opening,
    private readonly changed: () => void, private readonly told: (text: string, sub?: string) => void,
  ) {}

  /** What the device has; it works without a network. */
  async load(): Promise<void> {
    for (const id of await this.store.keys("installs")) {
      const kept = await this.store.get<Kept>("installs", id);
      if (kept) this.#take(kept);
    }
  }

  /** What the project has; the project is the authority for what was stored. */
  async sync(): Promise<void> {
    const records = await this.api.extensions();
    const ids = new Set(records.map((record) => record.id));
    for (const record of records) {
      const mine = this.all.get(record.id);
      if (mine && !mine.stored) continue;
      if (mine?.record.content_hash === record.content_hash) { await this.keep({ ...mine, record: { ...record, ...localReason(mine.record, record) } }); continue; }
      const whole = await this.api.extension(record.id);
      if (!whole.files) continue;
      await this.keep({ record: whole, files: whole.files, stored: true, change: mine?.change ?? "" });
      const dock = this.dockOf(record.id);
      if (dock) void this.refresh(dock);
    }
    for (const [id, mine] of this.all) if (mine.stored && !ids.has(id)) await this.forget(id);
  }

  async keep(kept: Kept): Promise<void> {
    this.#take(kept);
    await this.store.put("installs", kept.record.id, { record: kept.record, files: kept.files, stored: kept.stored, change: kept.change } satisfies Kept);
    this.changed();
  }

  async forget(id: string): Promise<void> {
    this.all.delete(id);
    for (const [dock, one] of this.docks) if (one.extension === id) this.docks.delete(dock);
    if (this.#colours.delete(id)) this.opening.colour("", []);
    await this.store.delete("installs", id);
    await this.store.delete("queue", id);
    this.changed();
  }

  /** The loader: check with this SDK, then grants ⊆ declared. A failure switches off that one and nothing else. */
  #take(kept: Kept): void {
    const check = this.core.check(kept.files);
    const manifest = check.manifest;
    if (!manifest) return;
    const declared = kept.record.granted.every((grant) => manifest.capabilities.includes(grant));
    const first = check.diagnostics.find((finding) => finding.severity === "error");
    const reason = first?.message ?? (declared ? undefined : "Its permissions are not those of its manifest.");
    const record = reason ? { ...kept.record, enabled: false, reason } : kept.record;
    const previous = this.all.get(record.id)?.record.content_hash;
    this.all.set(record.id, { ...kept, record, manifest, check });
    for (const dock of manifest.contributes?.dock ?? []) {
      const before = this.docks.get(dock.id);
      const same = before !== undefined && previous === record.content_hash;
      this.docks.set(dock.id, {
        title: dock.title, extension: record.id, data: dock.data, refreshOn: dock.refreshOn ?? [], widget: JSON.parse(kept.files[dock.widget] ?? '{"type":"Separator"}') as WidgetNode,
        state: same ? before.state : undefined, busy: false, failure: null,
      });
    }
  }

  /** The first panel of an extension, for showing it. */
  dockOf(id: string): string | null {
    return [...this.docks].find(([, dock]) => dock.extension === id)?.[0] ?? null;
  }

  /** A model was opened, or the selection changed: triggers run and panels that asked for it are asked again. */
  async happened(event: "onModelLoad" | "onSelectionChange"): Promise<void> {
    if (event === "onModelLoad") return this.#fire(event);
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => void this.#fire(event), SETTLE_MS);
  }

  async #fire(event: string): Promise<void> {
    for (const [id, dock] of this.docks) if (dock.refreshOn.includes(event) || (event === "onModelLoad" && dock.data)) await this.refresh(id);
  }

  async refresh(dockId: string): Promise<void> {
    const dock = this.docks.get(dockId);
    if (!dock?.data || !this.opening.file) return;
    const outcome = await this.#call(dock.extension, dock.data, undefined, dockId);
    const now = this.docks.get(dockId);
    if (now && outcome && !outcome.failure) { now.state = outcome.value ?? undefined; this.changed(); }
  }

  async command(extension: string, command: string, args: Json | undefined, dockId?: string): Promise<void> {
    const outcome = await this.#call(extension, command, args, dockId);
    const dock = dockId === undefined ? undefined : this.docks.get(dockId);
    if (!outcome || outcome.failure || !dock) return;
    if (dock.data === command) dock.state = outcome.value ?? undefined;
    this.changed();
  }

  async #call(id: string, command: string, args: Json | undefined, dockId?: string): Promise<CommandOutcome | null> {
    const live = this.all.get(id);
    if (!live?.record.enabled) return null;
    const dock = dockId === undefined ? undefined : this.docks.get(dockId);
    this.#mark(command, dock, true);
    const outcome = await this.sandbox.run({ files: live.files, granted: live.record.granted }, command, args, this.opening.model.selected, this.opening.file)
      .catch((error: Error & { code?: string }): CommandOutcome => ({ value: null, failure: { code: error.code ?? "THREW", message: error.message }, effects: { exports: [], viewer: [], notifications: [], ui: [] }, logs: [] }));
    this.#mark(command, dock, false);
    if (dock) dock.failure = outcome.failure;
    if (!outcome.failure) await this.#apply(live, outcome);
    else if (HOSTILE.has(outcome.failure.code)) await this.#switchOff(live, outcome.failure);
    else if (!dock) this.told(spoken(outcome.failure.message), outcome.failure.code);
    this.changed();
    return outcome;
  }

  #mark(command: string, dock: Dock | undefined, busy: boolean): void {
    if (busy) this.#busy.add(command); else this.#busy.delete(command);
    if (dock) dock.busy = busy;
    this.changed();
  }

  async #apply(live: Live, { effects }: CommandOutcome): Promise<void> {
    for (const file of effects.exports) { download(file.filename, file.text, file.mimeType); this.told(t("toast.saved", { file: file.filename }), t("toast.lines", { n: file.text.trimEnd().split("\n").length })); }
    const groups = [...(this.#colours.get(live.record.id) ?? [])];
    let painted = false;
    for (const one of effects.viewer) {
      const ids = (one.refs ?? []).map((ref) => ref.expressId);
      if (one.op === "select") { await this.opening.select(ids); this.told(t("toast.selected", { name: live.manifest.name, n: ids.length })); }
      if (one.op === "colorize" && one.color) { groups.push({ color: one.color, ids }); painted = true; }
      if (one.op === "resetColors") { groups.length = 0; painted = true; }
    }
    if (painted) { const last = lastColours(groups); this.#colours = new Map([[live.record.id, last]]); this.opening.colour(live.manifest.name, last); }
    for (const note of effects.notifications) this.told(note.message);
    for (const one of effects.ui) { const dock = this.docks.get(one.dock); if (dock && one.op === "update") dock.state = one.state; }
  }

  async #switchOff(live: Live, failure: SandboxFailure): Promise<void> {
    for (const dock of this.docks.values()) if (dock.extension === live.record.id) dock.failure = failure;
    await this.keep({ ...live, record: { ...live.record, enabled: false, reason: failure.message } });
    this.told(t("toast.switched_off", { name: live.manifest.name }), spoken(failure.message));
    if (live.stored) await this.api.change(live.record.id, "disable", live.record.content_hash).catch(() => undefined);
  }

  resetColours(): void {
    this.#colours.clear();
    this.opening.colour("", []);
  }

  /** Sends what was installed offline. Answers those whose base moved. */
  async flush(): Promise<{ id: string; change: string; error: { code: string; details?: Record<string, unknown> } }[]> {
    const moved: { id: string; change: string; error: { code: string; details?: Record<string, unknown> } }[] = [];
    for (const id of await this.store.keys("queue")) {
      const waiting = await this.store.get<{ request: InstallRequest; change: string }>("queue", id);
      const mine = this.all.get(id);
      if (!waiting || !mine) { await this.store.delete("queue", id); continue; }
      try {
        const record = await this.api.install(waiting.request);
        await this.store.delete("queue", id);
        await this.keep({ ...mine, record, stored: true });
        this.told(t("toast.stored", { name: mine.manifest.name }));
      } catch (error) {
        const shape = error as { code: string; details?: Record<string, unknown> };
        if (shape.code === "OFFLINE") return moved;
        await this.store.delete("queue", id);
        moved.push({ id, change: waiting.change, error: shape });
      }
    }
    return moved;
  }

  panels(): PanelView[] {
    return [...this.docks].flatMap(([dock, one]): PanelView[] => {
      const live = this.all.get(one.extension);
      if (!live) return [];
      const { record } = live;
      return [{
        extension: record.id, dock, title: one.title, version: record.version, hash: record.content_hash, stored: live.stored, enabled: record.enabled,
        ...(record.reason === undefined ? {} : { reason: record.reason }), widget: one.widget, state: one.state, busy: one.busy, failure: one.failure,
      }];
    });
  }

  buttons(): CommandButton[] {
    return [...this.all.values()].filter((live) => live.record.enabled).flatMap((live) => (live.manifest.contributes?.toolbar ?? [])
      .filter((one) => one.when === undefined || this.core.when(one.when, this.#context()))
      .sort((a, b) => (a.order ?? 100) - (b.order ?? 100) || a.command.localeCompare(b.command))
      .map((one) => ({ extension: live.record.id, command: one.command, title: title(live.manifest, one.command), busy: this.#busy.has(one.command) })));
  }

  #context(): Record<string, Json> {
    const model = this.opening.model;
    const types = new Set(model.details.map((one) => one.type));
    const [type] = types;
    return {
      "model.loaded": model.facts !== null, "model.schema": model.facts?.schema ?? "", "model.count": model.facts ? 1 : 0, "selection.count": model.selected.length,
      "selection.type": types.size === 1 && type !== undefined ? type : "", "viewer.open": model.facts !== null, desktop: true, embed: false,
    };
  }

  list(): InstalledView[] {
    return [...this.all.values()].map((live) => {
      const shown = new Set([...(live.manifest.contributes?.toolbar ?? []).map((one) => one.command), ...(live.manifest.contributes?.dock ?? []).flatMap((one) => (one.data ? [one.data] : []))]);
      return {
        record: live.record, name: live.manifest.name, stored: live.stored, permissions: live.check.capabilities.map((line) => line.sentence),
        commands: (live.manifest.contributes?.commands ?? []).filter((one) => !shown.has(one.id)).map((one) => ({ id: one.id, title: one.title })),
        docks: (live.manifest.contributes?.dock ?? []).map((one) => ({ id: one.id, title: one.title })),
      };
    });
  }
}

const title = (manifest: Manifest, command: string): string => manifest.contributes?.commands?.find((one) => one.id === command)?.title ?? command;

/** A reason that this device found stays, until the person switches the extension on again. */
const localReason = (mine: ExtensionRecord, theirs: ExtensionRecord): Partial<ExtensionRecord> => (mine.reason !== undefined && !theirs.enabled ? { reason: mine.reason } : {});

/** Later colours lie over earlier ones: each element keeps its last. */
function lastColours(groups: { color: string; ids: number[] }[]): { color: string; ids: number[] }[] {
  const last = new Map<number, string>();
  for (const group of groups) for (const id of group.ids) last.set(id, group.color);
  const byColour = new Map<string, number[]>();
  for (const [id, color] of last) { const ids = byColour.get(color); if (ids) ids.push(id); else byColour.set(color, [id]); }
  return [...byColour].map(([color, ids]) => ({ color, ids }));
}

function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
