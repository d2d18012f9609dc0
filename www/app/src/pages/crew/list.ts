/**
 * The packages of a person: the stored list, what this device knows of each, and checks that are looked up bit by bit.
 */
import { openPackage, type Project, type ProjectItem } from "@holdpoint/core/crew";
import { isRefusal } from "@holdpoint/core/session";
import type { Diagnostic, ErrorShape } from "@holdpoint/core/types";
import type { PackageLine, PackagesView, Sample } from "@holdpoint/elements/crew/view";
import { found } from "@holdpoint/elements/findings/view";
import { type Around, refused, tried } from "./around.js";
import { copies, drafts, unsaved } from "./draft.js";
import { countSamples, fill, samples } from "./samples.js";

/** So many packages are asked for to say what they hold; the rest say it when they are opened. */
const MAX_READ = 50;
const KEPT = "crew-list";

interface Known {
  revision: number;
  project: Project;
  sub: string;
  version: string;
  proposal: boolean;
}

export class PackageList {
  #state: PackagesView["state"] = "loading";
  #items: ProjectItem[] = [];
  #known = new Map<string, Known>();
  #unsaved = new Set<string>();
  #problem: ErrorShape | null = null;
  #creating = false;
  #importing: File | null = null;
  #busy = false;
  #taken: PackagesView["taken"] = null;
  #refused: PackagesView["refused"] = null;

  constructor(private readonly around: Around) {}

  async load(): Promise<void> {
    const { api, store } = this.around;
    this.#unsaved = await unsaved(store);
    try {
      const items: ProjectItem[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof api.projects>> = await api.projects(cursor);
        items.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== null);
      this.#items = items;
      this.#state = "ready";
      this.#problem = null;
      await store.put("drafts", KEPT, items);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const kept = await store.get<ProjectItem[]>("drafts", KEPT);
      this.#items = kept ?? this.#items;
      this.#state = error.code === "OFFLINE" && kept ? "ready" : "failed";
      this.#problem = error;
      this.around.failed(error);
    }
    this.around.changed();
    void this.#read();
    await countSamples();
    this.around.changed();
  }

  /** One after the other, so that the page stays quick. */
  async #read(): Promise<void> {
    for (const item of this.#items.slice(0, MAX_READ)) {
      if (this.#known.get(item.projectId)?.revision === item.revision) continue;
      try {
        const copy = await copies.get(this.around.store, item.projectId);
        const own = copy?.bundle.revision === item.revision ? copy : null;
        const project = this.around.online()
          ? await this.around.api.project(item.projectId)
          : copy?.project;
        if (!project) continue;
        const waits = this.around.online() && (await this.around.api.waiting(item.projectId));
        const pack = own ? openPackage(own.bundle.files) : null;
        this.#known.set(item.projectId, {
          revision: item.revision,
          project,
          sub: pack?.description ?? "",
          version: pack?.version ?? "",
          proposal: waits !== false && waits !== null,
        });
        this.around.changed();
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return;
      }
    }
  }

  // ── making ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A package from nothing or an example; its id. */
  async create(name: string, sample: Sample): Promise<string | null> {
    this.#creating = true;
    this.around.changed();
    const id = await tried(this.around, "create", () => fill(this.around, name, sample));
    this.#creating = false;
    this.around.changed();
    return id;
  }

  async import(file: File, name?: string): Promise<{ id: string; name: string } | null> {
    this.forget();
    this.#importing = file;
    this.#busy = true;
    this.around.changed();
    try {
      const made = await this.around.api.import(file, file.name, name);
      this.around.done();
      this.#importing = null;
      return { id: made.project_id, name: made.project_name };
    } catch (error) {
      this.#unmade(file, error);
      return null;
    } finally {
      this.#busy = false;
      this.around.changed();
    }
  }

  #unmade(file: File, error: unknown): void {
    if (!isRefusal(error)) throw error;
    const details = (error.details ?? {}) as Record<string, unknown>;
    if (error.code === "PKG_NAME_CONFLICT")
      this.#taken = {
        name: String(details.conflicting_name ?? file.name),
        suggested: String(details.suggested_name ?? ""),
      };
    else if (error.code.startsWith("PKG_"))
      this.#refused = {
        name: file.name,
        error,
        findings: ((details.diagnostics ?? []) as Diagnostic[]).map(found),
      };
    else refused(this.around, "import", error);
  }

  /** The same file under another name. */
  async importAs(name: string): Promise<{ id: string; name: string } | null> {
    return this.#importing ? this.import(this.#importing, name) : null;
  }

  forget(): void {
    this.#importing = null;
    this.#taken = null;
    this.#refused = null;
    this.around.changed();
  }

  item(id: string): ProjectItem | undefined {
    return this.#items.find((item) => item.projectId === id);
  }

  /** A package that is no more. */
  async gone(id: string): Promise<void> {
    this.#items = this.#items.filter((item) => item.projectId !== id);
    await copies.forget(this.around.store, id);
    await drafts.forget(this.around.store, id);
    this.around.changed();
  }

  view(): PackagesView {
    return {
      state: this.#state,
      problem: this.#problem,
      packages: this.#items.map((item) => this.#line(item)).sort((a, b) => b.at - a.at),
      samples: samples(),
      offline: !this.around.online(),
      creating: this.#creating,
      importing: this.#busy ? (this.#importing?.name ?? "") : "",
      taken: this.#taken,
      refused: this.#refused,
      now: Date.now(),
    };
  }

  #line(item: ProjectItem): PackageLine {
    const known = this.#known.get(item.projectId);
    const project = known?.project;
    return {
      id: item.projectId,
      name: item.name,
      sub: known?.sub ?? "",
      check: project
        ? { errors: project.check.errors, warnings: project.check.warnings, where: "" }
        : null,
      holds: project
        ? {
            workflows: project.workflows.length,
            agents: project.agents,
            assets: project.assets.count,
          }
        : null,
      version: known?.version ?? "",
      at: item.updatedAt,
      proposal: known?.proposal ?? false,
      unsaved: this.#unsaved.has(item.projectId),
    };
  }
}
