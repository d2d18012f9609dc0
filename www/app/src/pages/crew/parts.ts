/** Parts of a package come, are copied, renamed and go: each with the revision that it is made on. */
import { type Agent, freeId, jsonText, record } from "@holdpoint/core/crew";
import { t } from "@holdpoint/elements";
import type { ContentsView, Part } from "@holdpoint/elements/crew/view";
import { agentAt, assetAt, workflowAt } from "./address.js";
import { type Around, tried } from "./around.js";
import type { Opened } from "./opened.js";
import { firstAgent } from "./samples.js";

/** crew-package.md §2. */
const ASSET = /^assets\/(?:[A-Za-z0-9._-]+\/)*[A-Za-z0-9._-]+\.(?:md|txt|json|ya?ml)$/i;

export class Parts {
  #naming: ContentsView["naming"] = null;

  constructor(
    private readonly opened: Opened,
    private readonly around: Around,
  ) {}

  get naming(): ContentsView["naming"] {
    return this.#naming;
  }

  /** Opens the field for the name of a new part, or closes it. */
  name(what: Part | null): void {
    this.#naming = what && { what, error: "" };
    this.around.changed();
  }

  /** Makes a part; the address of it. Agents and assets are edits until they are saved, and need no network. */
  async create(what: Part, name: string): Promise<string | null> {
    if (what === "workflow") return this.#workflow(name);
    if (what === "agent") return this.#agent(name);
    return this.#asset(name);
  }

  async #workflow(name: string): Promise<string | null> {
    const { id } = this.opened;
    const made = await tried(this.around, "create", () => this.around.api.createWorkflow(id, name));
    if (!made) return null;
    this.name(null);
    await this.opened.saved();
    return workflowAt(id, String(made.workflowId));
  }

  #agent(name: string): string {
    const { pack } = this.opened;
    const list = pack.agents ?? [];
    const id = this.#freeId(name);
    this.#agents([...list, firstAgent(id, name)], t("crew.edit.add", { name }));
    this.name(null);
    return agentAt(this.opened.id, id);
  }

  /** An id that no agent has, from its name. */
  #freeId(name: string): string {
    const { agents } = this.opened.pack;
    const nodes = (agents ?? []).map(({ id }) => ({ id, type: "step" as const, file: "" }));
    return freeId({ schemaVersion: "1.1", entryNodeId: "", nodes, edges: [] }, name);
  }

  #agents(list: readonly Agent[], what: string): void {
    const { files, pack } = this.opened;
    const document = record(files[pack.agentsFile]) ?? { schemaVersion: "1.1" };
    // The parts that no form knows stay as the file has them.
    const raw = new Map(
      (Array.isArray(document.agents) ? document.agents : []).map((one) => [one?.id, one]),
    );
    const agents = list.map((agent) => raw.get(agent.id) ?? agent);
    this.opened.edit({ [pack.agentsFile]: jsonText({ ...document, agents }) }, what);
  }

  #asset(path: string): string | null {
    const fault = assetFault(path, this.opened.files);
    if (fault) {
      this.#naming = { what: "asset", error: fault };
      this.around.changed();
      return null;
    }
    this.opened.edit(
      { [path]: path.endsWith(".json") ? "{}\n" : "" },
      t("crew.edit.add", { name: path }),
    );
    this.name(null);
    return assetAt(this.opened.id, path);
  }

  // ── workflows ──────────────────────────────────────────────────────────────────────────────────────────────────

  #revision(workflow: string): number {
    return this.opened.stored.revisions.workflows[workflow] ?? 0;
  }

  async renameWorkflow(workflow: string, name: string): Promise<void> {
    await this.#change("rename", () =>
      this.around.api.putWorkflow(this.opened.id, workflow, { name }, this.#revision(workflow)),
    );
  }

  async makeDefault(workflow: string): Promise<void> {
    await this.#change("save", () =>
      this.around.api.putWorkflow(
        this.opened.id,
        workflow,
        { isDefault: true },
        this.#revision(workflow),
      ),
    );
  }

  async duplicateWorkflow(workflow: string, name: string): Promise<void> {
    await this.#change("duplicate", () =>
      this.around.api.duplicateWorkflow(this.opened.id, workflow, name),
    );
  }

  async removeWorkflow(workflow: string, name: string): Promise<boolean> {
    const done = await this.#change("remove", () =>
      this.around.api.removeWorkflow(this.opened.id, workflow, this.#revision(workflow)),
    );
    if (done) this.around.toast(t("crew.workflow.deleted", { name }));
    return done;
  }

  async #change(
    wanted: "rename" | "save" | "duplicate" | "remove",
    act: () => Promise<unknown>,
  ): Promise<boolean> {
    const done = await tried(this.around, wanted, async () => {
      await act();
      await this.opened.refresh();
      return true;
    });
    return done === true;
  }

  // ── agents and assets ──────────────────────────────────────────────────────────────────────────────────────────

  duplicateAgent(agent: string, name: string): string {
    const { pack, files, id } = this.opened;
    const was = pack.agents?.find((one) => one.id === agent);
    const copy = this.#freeId(name);
    const document = record(files[pack.agentsFile]) ?? {};
    const raw = (Array.isArray(document.agents) ? document.agents : []).find(
      (one) => one?.id === agent,
    );
    if (!was || !raw) return agentAt(id, agent);
    const made = { ...raw, id: copy, metadata: { ...raw.metadata, name } };
    const agents = [...(document.agents as unknown[]), made];
    this.opened.edit(
      { [pack.agentsFile]: jsonText({ ...document, agents }) },
      t("crew.edit.add", { name }),
    );
    return agentAt(id, copy);
  }

  removeAgent(agent: string): void {
    const { pack } = this.opened;
    const name = pack.agents?.find((one) => one.id === agent)?.metadata.name || agent;
    const left = (pack.agents ?? []).filter((one) => one.id !== agent);
    this.#agents(left, t("crew.edit.delete", { name }));
  }

  removeAsset(path: string): void {
    this.opened.edit({ [path]: null }, t("crew.edit.delete", { name: path }));
  }
}

/** Why a path cannot be that of a new asset; empty where it can. */
export function assetFault(path: string, files: Readonly<Record<string, string>>): string {
  const bad = !ASSET.test(path) || path.split("/").some((part) => part === "." || part === "..");
  if (bad) return t("crew.asset.path.bad");
  return files[path] === undefined ? "" : t("crew.asset.path.taken");
}
