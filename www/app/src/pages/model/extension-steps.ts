/**
 * What a person does with an installed extension: on and off, uninstalled, taken back, brought back.
 *
 * The project is asked first; without a network on and off hold on this device, and nothing else is done.
 */
import type { Api, ErrorShape } from "@holdpoint/core/types";
import { type TextKey, t } from "@holdpoint/elements";
import type { Changes } from "./changes.js";
import type { Installed, Live } from "./installed.js";
import { switchedOn } from "./switched-off.js";

const steps = ["enable", "disable", "remove", "undo"] as const;
type Step = (typeof steps)[number];
export const isStep = (action: string): action is Step =>
  (steps as readonly string[]).includes(action);

/** What the page does when a step was taken, or was not. */
interface Ends {
  /** `undo` takes back what is told. */
  toast(text: string, undo?: () => unknown): void;
  failed(error: ErrorShape): void;
  refused(heading: TextKey, error: ErrorShape, name: string): void;
  done(): void;
  arrived(id: string): void;
}

export class ExtensionSteps {
  constructor(
    private readonly api: Api,
    private readonly installed: Installed,
    private readonly changes: Changes,
    private readonly ends: Ends,
  ) {}

  async take(live: Live, step: Step): Promise<void> {
    const { id } = live.record;
    try {
      const record = live.stored ? await this.api.change(id, step, live.record.content_hash) : null;
      await this.#taken(live, step, record !== null);
    } catch (error) {
      await this.#failed(live, step, error as ErrorShape);
      return;
    }
    this.ends.done();
    if (step === "undo" && live.stored) await this.changes.undone(live.record.content_hash, true);
    if (step === "undo" || step === "remove") await this.changes.close();
    if (step === "remove") await this.changes.told.forget(id);
    // The history of the project has one entry more; without a network the last one stands.
    void this.changes.told.sync().catch(() => undefined);
  }

  async #taken(live: Live, step: Step, there: boolean): Promise<void> {
    const { id } = live.record;
    const { name } = live.manifest;
    if (step === "remove" || (step === "undo" && !there)) {
      await this.installed.forget(id);
      const back = () => this.back({ id, name });
      if (step === "undo") this.ends.toast(t("toast.undone", { name }));
      // What the project never had is nowhere to be brought back from.
      else this.ends.toast(t("toast.uninstalled", { name }), ...(live.stored ? [back] : []));
    } else if (step === "undo") {
      const record = await this.api.extension(id);
      await this.installed.keep({ ...live, record, files: record.files ?? live.files });
      this.ends.toast(t("toast.undone", { name }));
    } else await this.#switch(id, step === "enable", name);
  }

  async #failed(live: Live, step: Step, error: ErrorShape): Promise<void> {
    const { name } = live.manifest;
    if (error.code === "OFFLINE" && step !== "undo" && step !== "remove")
      await this.#switch(live.record.id, step === "enable", name);
    else if (error.code === "CONFLICT") await this.installed.sync();
    else {
      this.ends.failed(error);
      this.ends.refused(`ext.problem.${step}`, error, name);
    }
  }

  async #switch(id: string, on: boolean, name: string): Promise<void> {
    const live = this.installed.all.get(id);
    if (!live) return;
    const record = { ...switchedOn(live.record), enabled: on };
    await this.installed.keep({ ...live, record });
    const dock = this.installed.dockOf(id);
    if (on && dock) await this.installed.refresh(dock);
    this.ends.toast(t(on ? "toast.switched_on" : "toast.switched_off", { name }));
  }

  /** Brings back what was uninstalled, as the project has it: the same bytes and the same grants. */
  async back({ id, name }: { id: string; name: string }): Promise<void> {
    await this.#again(id, name, () => this.#stored(id, "undo", null, ""));
  }

  /** Installs again what undo took back: the same bytes and the same grants. */
  async redo(number?: string): Promise<void> {
    const step = this.changes.redoable(number);
    if (!step) return;
    const { extension, hash, key } = step;
    const live = this.installed.all.get(extension);
    await this.#again(extension, live?.manifest.name ?? extension, async () => {
      await this.#stored(extension, "redo", live?.record.content_hash ?? null, key);
      await this.changes.undone(hash, false);
      await this.changes.open(key);
    });
  }

  /** What the project has after a step stands on this device too. */
  async #stored(
    id: string,
    step: "undo" | "redo",
    from: string | null,
    change: string,
  ): Promise<void> {
    await this.api.change(id, step, from);
    const record = await this.api.extension(id);
    if (record.files)
      await this.installed.keep({ record, files: record.files, stored: true, change });
  }

  /** Installs again; `name` is what it was called, or its id where nobody knows. */
  async #again(id: string, name: string, install: () => Promise<void>): Promise<void> {
    const known = (): string => this.installed.all.get(id)?.manifest.name ?? name;
    try {
      await install();
      this.ends.arrived(id);
      this.ends.done();
      this.ends.toast(t("toast.redone", { name: known() }));
    } catch (error) {
      const shape = error as ErrorShape;
      if (shape.code === "CONFLICT") await this.installed.sync();
      this.ends.failed(shape);
      this.ends.refused("ext.problem.redo", shape, known());
    }
  }
}
