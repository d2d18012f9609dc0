/** What entries of the menus do: to a package, a part, a node. What no step brings back is asked for first. */
import type { NodeType } from "@holdpoint/core/crew";
import { t } from "@holdpoint/elements";
import type { Part } from "@holdpoint/elements/crew/view";
import { packageAt } from "./address.js";
import type { CrewApp } from "./app.js";
import { tried } from "./around.js";
import { citations } from "./package-view.js";

export class Commands {
  constructor(private readonly app: CrewApp) {}

  async run(id: string): Promise<void> {
    const [area = "", what = "", ...rest] = id.split(":");
    if (area === "package") await this.#package(what, rest[0] ?? "");
    if (area === "part") await this.part(what, (rest[0] ?? "") as Part, rest.slice(1).join(":"));
    if (area === "node") this.#node(what, rest);
  }

  async #package(what: string, id: string): Promise<void> {
    const { app } = this;
    if (what === "open") return app.go(packageAt(id));
    if (what === "export") return app.export();
    const name = app.opened?.id === id ? app.opened.pack.name : (app.list.item(id)?.name ?? "");
    if (what === "rename")
      return this.#named(t("crew.rename.of", { name }), name, t("crew.rename"), (next) =>
        this.#rename(id, next),
      );
    if (what === "duplicate") {
      const copy = t("crew.copy.name", { name });
      return this.#named(t("crew.duplicate.of", { name }), copy, t("crew.duplicate"), (next) =>
        this.#duplicate(id, next),
      );
    }
    app.asking.ask(
      {
        is: "delete",
        heading: t("crew.delete.package", { name }),
        text: t("crew.delete.package.text"),
        label: t("crew.delete.tick"),
        value: "",
        go: t("crew.delete"),
      },
      () => this.#delete(id, name),
    );
  }

  #named(heading: string, value: string, go: string, act: (name: string) => unknown): void {
    const ask = { is: "name", heading, text: "", label: t("crew.name"), value, go } as const;
    this.app.asking.ask(ask, act);
  }

  async #rename(id: string, name: string): Promise<void> {
    const { app } = this;
    const revision = app.opened?.stored.revision ?? app.list.item(id)?.revision ?? 0;
    const done = await tried(app.around, "rename", () => app.around.api.rename(id, name, revision));
    if (!done) return;
    app.toast(t("crew.renamed", { name }));
    if (app.opened) await app.opened.refresh();
    else await app.list.load();
  }

  async #duplicate(id: string, name: string): Promise<void> {
    const { app } = this;
    const made = await tried(app.around, "duplicate", () => app.around.api.duplicate(id, name));
    if (!made) return;
    app.toast(t("crew.created", { name }));
    app.go(packageAt(made.projectId));
  }

  async #delete(id: string, name: string): Promise<void> {
    const { app } = this;
    const done = await tried(app.around, "remove", () => app.around.api.remove(id));
    if (!done) return;
    await app.list.gone(id);
    app.toast(t("crew.deleted", { name }));
    if (app.opened) app.go("/crew");
  }

  // ── parts ──────────────────────────────────────────────────────────────────────────────────────────────────────

  async part(what: string, part: Part, key: string): Promise<void> {
    if (part === "workflow") return this.#workflow(what, key);
    const { parts, opened } = this.app;
    if (!parts || !opened) return;
    if (part === "asset") {
      const n = citations(opened, key).length;
      parts.removeAsset(key);
      const sub = n ? t("crew.asset.still", { n }) : "";
      return this.#gone(t("crew.asset.deleted", { name: key }), sub);
    }
    const name = opened.pack.agents?.find((one) => one.id === key)?.metadata.name || key;
    if (what === "duplicate") this.app.go(parts.duplicateAgent(key, t("crew.copy.name", { name })));
    if (what !== "delete") return;
    parts.removeAgent(key);
    await this.#gone(t("crew.agent.deleted", { name }));
  }

  /** What is gone is an edit: it is stored at once, and undo brings it back. */
  async #gone(text: string, sub = ""): Promise<void> {
    const { app } = this;
    await app.saveParts();
    app.toast(text, sub);
    if (app.agent || app.asset) app.leave();
  }

  async #workflow(what: string, key: string): Promise<void> {
    const { parts, opened } = this.app;
    const name = opened?.pack.workflows.find((one) => one.id === key)?.name ?? key;
    if (!parts) return;
    if (what === "default") return parts.makeDefault(key);
    if (what === "delete") {
      await parts.removeWorkflow(key, name);
      return;
    }
    if (what === "rename")
      return this.#named(t("crew.rename.of", { name }), name, t("crew.rename"), (next) =>
        parts.renameWorkflow(key, next),
      );
    const copy = t("crew.copy.name", { name });
    this.#named(t("crew.duplicate.of", { name }), copy, t("crew.duplicate"), (next) =>
      parts.duplicateWorkflow(key, next),
    );
  }

  // ── nodes ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #node(what: string, rest: readonly string[]): void {
    const { workflow } = this.app;
    const [first = "", ...more] = rest;
    if (!workflow) return;
    if (what === "add") this.app.openStep(workflow.add(first as NodeType));
    if (what === "start") workflow.start(rest.join(":"));
    if (what === "type") workflow.type(more.join(":"), first as NodeType);
    if (what === "delete") workflow.remove(rest.join(":"));
  }
}
