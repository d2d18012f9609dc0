/** The settings of an app: what a person changes of them, what the edge refuses of it, and the end of an app. */
import type { App, AppChange, AppSettings } from "@holdpoint/core/apps";
import { isRefusal } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import { refusal, t } from "@holdpoint/elements";
import type { AppSettingsView, SettingsEdit } from "@holdpoint/elements/apps/view";
import type { FootView } from "@holdpoint/elements/review/approval";
import { type Around, refused } from "./around.js";
import type { Facts } from "./facts.js";

export interface SettingEnds {
  facts(): Facts;
  /** The app as it is now. */
  changed(app: App): Promise<void>;
  /** It is there no longer. */
  gone(): Promise<void>;
}

type Fields = Required<SettingsEdit>;

/** The fields of an app as it is kept. */
function fieldsOf({ name, slug, settings }: App): Fields {
  return {
    name,
    slug,
    policy: settings.dependency_policy,
    gate: settings.save_gate,
    tests: settings.publish_requires_tests,
    origins: settings.connect_origins,
    env: Object.entries(settings.env).map(([key, value]) => ({ name: key, value })),
  };
}

const ADDRESS: ReadonlySet<string> = new Set(["SLUG_TAKEN", "SLUG_INVALID", "APP_PUBLISHED"]);

export class OwnerSettings {
  #edits: SettingsEdit = {};
  #errors: Record<string, string> = {};
  #busy = false;

  constructor(
    private readonly app: string,
    private readonly around: Around,
    private readonly ends: SettingEnds,
  ) {}

  edit(edit: SettingsEdit): void {
    this.#edits = { ...this.#edits, ...edit };
    const changed = Object.keys(edit);
    this.#errors = Object.fromEntries(
      Object.entries(this.#errors).filter(([key]) => !changed.includes(key.split("/")[0] ?? "")),
    );
    this.around.changed();
  }

  drop(): void {
    this.#edits = {};
    this.#errors = {};
    this.around.changed();
  }

  get #fields(): Fields {
    return { ...fieldsOf(this.ends.facts().app), ...this.#edits };
  }

  /** What differs from what is kept; rows that nobody filled are none. */
  #change(): AppChange | null {
    const { app } = this.ends.facts();
    const { name, slug, policy, gate, tests, origins, env } = this.#fields;
    const wanted: AppSettings = {
      dependency_policy: policy,
      save_gate: gate,
      publish_requires_tests: tests,
      connect_origins: origins.map((one) => one.trim()).filter(Boolean),
      env: Object.fromEntries(
        env
          .filter((one) => one.name.trim() || one.value)
          .map((one) => [one.name.trim(), one.value]),
      ),
    };
    const settings = Object.fromEntries(
      Object.entries(wanted).filter(
        ([key, value]) => said(value) !== said(app.settings[key as keyof AppSettings]),
      ),
    );
    const change: AppChange = {
      ...(name.trim() === app.name ? {} : { name: name.trim() }),
      ...(slug.trim() === app.slug ? {} : { slug: slug.trim() }),
      ...(Object.keys(settings).length ? { settings } : {}),
    };
    return Object.keys(change).length ? change : null;
  }

  async save(): Promise<void> {
    const change = this.#change();
    if (!change || this.#closed() || this.#twice()) return;
    await this.#do(async () => {
      const app = await this.around.api.change(this.app, change);
      this.drop();
      this.around.toast(t("apps.set.saved"));
      await this.ends.changed(app);
    }, true);
  }

  async archive(archive: boolean): Promise<void> {
    await this.#do(async () => {
      const status = archive ? "archived" : "draft";
      const app = await this.around.api.change(this.app, { status });
      this.around.toast(t(archive ? "apps.set.archived" : "apps.set.unarchived"));
      await this.ends.changed(app);
    });
  }

  async remove(): Promise<void> {
    await this.#do(async () => {
      await this.around.api.remove(this.app);
      await this.ends.gone();
    });
  }

  async #do(act: () => Promise<void>, inPlace = false): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    this.#errors = {};
    this.around.changed();
    try {
      await act();
      this.around.done();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const field = inPlace ? this.#placed(error) : null;
      if (field === null) refused(this.around, "settings", error);
      else this.#errors = { [field]: refusal(error) };
    } finally {
      this.#busy = false;
      this.around.changed();
    }
  }

  /** The field that a refusal is about; null where it is about none. */
  #placed({ code, details, args }: ErrorShape): string | null {
    if (ADDRESS.has(code)) return "slug";
    const pointer = String(details?.pointer ?? "");
    if (pointer === "/name" || pointer === "/slug") return pointer.slice(1);
    const name = /^\/settings\/env\/(.+)$/.exec(pointer)?.[1] ?? args?.name;
    const row = this.#fields.env.findIndex((one) => one.name.trim() === name);
    if (name !== undefined && row >= 0) return `env/${row}`;
    if (pointer.startsWith("/settings/env")) return "env";
    const origin = /^\/settings\/connect_origins\/(\d+)$/.exec(pointer)?.[1];
    if (origin !== undefined) return `origins/${this.#originRow(Number(origin))}`;
    return pointer.startsWith("/settings/connect_origins") ? "origins" : null;
  }

  /** Rows that are empty were not sent. */
  #originRow(sent: number): number {
    const rows = this.#fields.origins
      .map((one, row) => ({ row, one }))
      .filter(({ one }) => one.trim());
    return rows[sent]?.row ?? sent;
  }

  /** A name that stands in two rows has no value that is meant. */
  #twice(): boolean {
    const names = this.#fields.env.map(({ name }) => name.trim());
    const row = names.findIndex((name, n) => name !== "" && names.indexOf(name) !== n);
    if (row < 0) return false;
    this.#errors = { [`env/${row}`]: t("apps.set.env.twice") };
    this.around.changed();
    return true;
  }

  #closed(): string {
    return this.around.online() ? "" : t("apps.off.offline");
  }

  #foot(change: AppChange | null): FootView {
    const first = Object.values(this.#errors)[0];
    const closed = this.#closed();
    const plain = change ? t("apps.set.free") : t("apps.set.same");
    const main: FootView["main"] = {
      id: "save-settings",
      label: t("apps.set.save"),
      look: change && !closed ? "primary" : "plain",
      testid: "hp-save-settings",
    };
    if (this.#busy) return { state: "sending", reason: t("apps.set.saving"), main };
    return {
      state: closed || !change ? "closed" : "plain",
      reason: first ?? (closed || plain),
      reasonIcon: first ? "bad" : "info",
      ...(first ? { reasonLook: "c-fail" } : {}),
      before: change ? [{ id: "drop-settings", label: t("apps.code.drop"), alt: true }] : [],
      main,
    };
  }

  view(): AppSettingsView {
    const { app, draft } = this.ends.facts();
    const change = this.#change();
    return {
      ...this.#fields,
      saved: app.name,
      errors: this.#errors,
      published: app.status === "published",
      archived: app.status === "archived",
      changed: change !== null,
      busy: this.#busy,
      off: this.#closed(),
      draft: draft.number,
      foot: this.#foot(change),
    };
  }
}

/** A value as one text, whatever the order of its members. */
const said = (value: unknown): string =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value);
