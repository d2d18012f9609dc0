/** The versions of an app: the list, two compared, restoring one or one file of it, a name for the draft. */
import type { AppCheckpoint, AppVersion, ComparedVersions } from "@holdpoint/core/apps";
import type { ErrorShape } from "@holdpoint/core/types";
import { format, t } from "@holdpoint/elements";
import type { AppVersionsView, VersionLine } from "@holdpoint/elements/apps/view";
import type { FootView } from "@holdpoint/elements/review/approval";
import { type Around, failed, refused } from "./around.js";
import { type Facts, numberOf } from "./facts.js";

export interface HistoryEnds {
  facts(): Facts;
  /** There is another draft. */
  moved(version: AppVersion): Promise<void>;
  /** Text of this page that no version has. */
  unsaved(): boolean;
}

export class History {
  #state: AppVersionsView["state"] = "loading";
  #problem: ErrorShape | null = null;
  #versions: AppVersion[] = [];
  #names = new Map<string, string>();
  #next: string | null = null;
  #chosen: string | null = null;
  #ticked: string[] = [];
  #compared: ComparedVersions | null = null;
  #layout: "split" | "uni" = "uni";
  #busy = false;
  #question = 0;

  constructor(
    private readonly app: string,
    private readonly around: Around,
    private readonly ends: HistoryEnds,
  ) {}

  async load(more = false): Promise<void> {
    if (this.#state === "failed") this.#state = "loading";
    try {
      const [page, names] = await Promise.all([
        this.around.api.versions(this.app, more ? this.#next : null),
        more ? null : this.around.api.checkpoints(this.app),
      ]);
      this.#versions = [...(more ? this.#versions : []), ...page.items];
      this.#next = page.next_cursor;
      if (names) this.#names = new Map(names.items.filter(isNamed).reverse().map(nameOf));
      this.#state = "ready";
    } catch (error) {
      this.#problem = failed(this.around, error);
      this.#state = "failed";
    }
    this.around.changed();
  }

  async choose(id: string): Promise<void> {
    this.#chosen = id;
    this.#ticked = [];
    const { draft } = this.ends.facts();
    await this.#compare(draft.id, id);
  }

  async compareTwo(ids: string[]): Promise<void> {
    const [from, to] = this.#versions
      .filter(({ id }) => ids.includes(id))
      .sort((a, b) => a.number - b.number);
    if (!from || !to) return;
    this.#chosen = null;
    await this.#compare(from.id, to.id);
  }

  async #compare(from: string, to: string): Promise<void> {
    this.#question += 1;
    const question = this.#question;
    this.#compared = null;
    this.around.changed();
    try {
      const compared = await this.around.api.diff(this.app, from, to);
      if (question === this.#question) this.#compared = compared;
    } catch (error) {
      refused(this.around, "read", error);
      this.#chosen = null;
    }
    this.around.changed();
  }

  tick(ids: string[]): void {
    this.#ticked = ids;
    this.around.changed();
  }

  lay(layout: "split" | "uni"): void {
    this.#layout = layout;
    this.around.changed();
  }

  leave(): void {
    this.#chosen = null;
    this.#ticked = [];
    this.#compared = null;
    this.around.changed();
  }

  /** What an explanation is about: the two that are compared. */
  difference(): { from: string; to: string; what: string } | null {
    if (!this.#compared) return null;
    const { from, to } = this.#compared;
    const names = { from: String(numberOf(from)), to: String(numberOf(to)) };
    return { from, to, what: t("apps.explain.versions", names) };
  }

  async keep(label: string): Promise<void> {
    try {
      const kept = await this.around.api.keep(this.app, label);
      this.#names = new Map(this.#names).set(...nameOf(kept));
      this.around.done();
      this.around.toast(t("script.kept.checkpoint", { title: label }));
    } catch (error) {
      refused(this.around, "checkpoint", error);
    }
    this.around.changed();
  }

  /** The draft becomes the chosen version once more. */
  async restore(): Promise<void> {
    const id = this.#chosen;
    if (!id || this.#closed()) return;
    const { draft } = this.ends.facts();
    await this.#moves(async () => {
      const { revision } = await this.around.api.restore(this.app, id, draft.id);
      this.around.toast(t("apps.restored", { n: String(numberOf(id)) }));
      return revision;
    });
  }

  /** One file as it was in the chosen version. */
  async revert(path: string): Promise<void> {
    const id = this.#chosen;
    if (!id || this.#closed()) return;
    const { draft } = this.ends.facts();
    await this.#moves(async () => {
      const { revision } = await this.around.api.revertFile(this.app, path, id, draft.id);
      this.around.toast(t("apps.reverted", { path, n: String(numberOf(id)) }));
      return revision;
    });
  }

  async #moves(act: () => Promise<AppVersion>): Promise<void> {
    this.#busy = true;
    this.around.changed();
    try {
      const version = await act();
      this.around.done();
      await this.ends.moved(version);
      this.leave();
      await this.load();
    } catch (error) {
      refused(this.around, "restore", error);
    } finally {
      this.#busy = false;
      this.around.changed();
    }
  }

  /** Why the chosen version cannot be restored; empty while it can. */
  #closed(): string {
    if (!this.around.online()) return t("apps.off.offline");
    if (this.ends.unsaved()) return t("apps.off.unsaved");
    return this.#chosen === this.ends.facts().draft.id ? t("apps.versions.is_draft") : "";
  }

  #foot(): FootView | null {
    const version = this.#versions.find(({ id }) => id === this.#chosen);
    if (!version) return null;
    const { draft } = this.ends.facts();
    const n = String(version.number);
    const closed = this.#closed();
    const open = t("apps.versions.hold", { next: String(draft.number + 1), n });
    return {
      state: footState(this.#busy, closed),
      reason: this.#busy ? t("apps.versions.restoring") : closed || open,
      reasonLook: "c-hold",
      before: [{ id: "leave", label: t("apps.versions.leave"), off: this.#busy }],
      main: {
        id: "restore",
        label: t("apps.versions.restore", { n }),
        icon: "check",
        look: "sign",
        testid: "hp-restore",
        mono: true,
        print: format.fingerprint(version.files_hash),
      },
    };
  }

  view(): AppVersionsView {
    const compared = this.#compared;
    return {
      state: this.#state,
      problem: this.#problem,
      offline: !this.around.online(),
      lines: this.#versions.map((one) => this.#line(one)),
      more: this.#next !== null,
      chosen: this.#chosen,
      ticked: this.#ticked,
      compare: compared && {
        from: numberOf(compared.from),
        to: numberOf(compared.to),
        ends: [compared.from, compared.to],
        files: compared.files,
        changed: compared.files,
        asks: this.around.online(),
        takes: this.#chosen !== null && !this.#closed() && !this.#busy,
      },
      foot: this.#foot(),
      layout: this.#layout,
      now: Date.now(),
    };
  }

  #line(one: AppVersion): VersionLine {
    const { app, draft } = this.ends.facts();
    const of = one.restored_from_revision_id ?? one.source_revision_id;
    return {
      id: one.id,
      number: one.number,
      origin: one.origin_kind,
      of: numberOf(of) || null,
      label: this.#names.get(one.id) ?? one.label ?? "",
      files: one.changed?.length ?? 0,
      build: one.build_status,
      draft: one.id === draft.id,
      live: app.status === "published" && one.id === app.current_published_revision_id,
      at: Date.parse(one.created_at),
    };
  }
}

const isNamed = ({ checkpoint_type }: AppCheckpoint): boolean => checkpoint_type === "named";
const nameOf = ({ revision_id, label }: AppCheckpoint): [string, string] => [revision_id, label];

function footState(busy: boolean, closed: string): FootView["state"] {
  if (busy) return "sending";
  return closed ? "closed" : "waits";
}
