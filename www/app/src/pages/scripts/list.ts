/**
 * The scripts of a person: the stored list, what this device knows of each, and findings that are looked up bit by bit.
 */
import { local, type Tool, type ToolItem, type VirtualFiles } from "@holdpoint/core/editor";
import { isRefusal } from "@holdpoint/core/session";
import type { ErrorShape } from "@holdpoint/core/types";
import type { DeletedLine, Sample, ToolLine, ToolsView } from "@holdpoint/elements/script/view";
import { type Around, moment, tried } from "./around.js";
import { copies, forget, waiting } from "./draft.js";
import { emptyTool, tableToTable } from "./samples.js";

/** Scripts that were deleted here can be brought back for so long, and so many of them. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const KEPT_MOST = 10;
const DELETED = "script-deleted";
/** So many scripts are read to say their findings; the rest say it when they are opened. */
const MAX_READ = 50;
const SUB_LENGTH = 90;

export class ToolList {
  #state: ToolsView["state"] = "loading";
  #items: ToolItem[] = [];
  #known = new Map<string, { revision: string; sub: string; findings: ToolLine["findings"] }>();
  #waiting = new Map<string, { unsaved: boolean; proposal: boolean }>();
  #problem: ErrorShape | null = null;
  #creating = false;
  #deleted: DeletedLine[] = [];

  constructor(private readonly around: Around) {}

  async load(): Promise<void> {
    this.#waiting = await waiting(this.around.store);
    await this.#remember();
    try {
      const items: ToolItem[] = [];
      let cursor: string | null = null;
      do {
        const page: { items: ToolItem[]; next_cursor: string | null } =
          await this.around.api.tools(cursor);
        items.push(...page.items);
        cursor = page.next_cursor;
      } while (cursor !== null);
      this.#items = items;
      this.#state = "ready";
      await this.around.store.put("drafts", "script-list", items);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const kept = await this.around.store.get<ToolItem[]>("drafts", "script-list");
      this.#items = kept ?? this.#items;
      this.#state = error.code === "OFFLINE" && kept ? "ready" : "failed";
      this.#problem = error;
      this.around.failed(error);
    }
    this.around.changed();
    void this.#read();
  }

  /** One after the other, so that the page stays quick. */
  async #read(): Promise<void> {
    for (const item of this.#items.slice(0, MAX_READ)) {
      if (this.#known.get(item.tool_id)?.revision === item.revision_id) continue;
      try {
        const copy = await copies.get(this.around.store, item.tool_id);
        const known = copy?.revision_id === item.revision_id || !this.around.online();
        const tool = known ? copy : await this.around.api.tool(item.tool_id);
        if (!tool) continue;
        await copies.keep(this.around.store, tool);
        this.#known.set(item.tool_id, {
          revision: tool.revision_id,
          sub: sentence(tool),
          findings: await this.#findings(tool),
        });
        this.around.changed();
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return;
      }
    }
  }

  async #findings(tool: Tool): Promise<ToolLine["findings"]> {
    const check = await local.check(this.around.checks, tool.virtual_files, this.around.facts);
    if (!check) return null;
    const errors = check.diagnostics.filter((one) => one.severity === "error");
    return {
      errors: errors.length,
      hints: check.diagnostics.length - errors.length,
      path: errors[0]?.path ?? "",
    };
  }

  async create(title: string, sample: Sample): Promise<string | null> {
    return this.#make(
      title,
      sample === "door-report"
        ? { sample }
        : { virtual_files: sample === "empty" ? emptyTool() : tableToTable() },
    );
  }

  /** A script of these files; its id. */
  async make(title: string, virtual_files: VirtualFiles): Promise<string | null> {
    return this.#make(title, { virtual_files });
  }

  async #make(title: string, from: Parameters<Around["api"]["create"]>[1]): Promise<string | null> {
    this.#creating = true;
    this.around.changed();
    const made = await tried(this.around, "create", () => this.around.api.create(title, from));
    this.#creating = false;
    this.around.changed();
    return made?.tool_id ?? null;
  }

  title(id: string): string {
    return this.#items.find((item) => item.tool_id === id)?.title ?? "";
  }

  /** A script that is no more; from here it can be brought back. */
  async gone(tool_id: string, title: string): Promise<void> {
    this.#items = this.#items.filter((item) => item.tool_id !== tool_id);
    await this.#remember([{ tool_id, title, at: Date.now() }, ...this.#deleted]);
    this.around.changed();
  }

  /** It was brought back. */
  async back(id: string): Promise<void> {
    await this.#remember(this.#deleted.filter((one) => one.tool_id !== id));
  }

  /** What was deleted here, as far as it can be brought back; what this device kept of the rest goes. */
  async #remember(now?: DeletedLine[]): Promise<void> {
    const { store } = this.around;
    const all = now ?? (await store.get<DeletedLine[]>("drafts", DELETED)) ?? [];
    const since = Date.now() - KEPT_MS;
    this.#deleted = all.filter((one) => one.at > since).slice(0, KEPT_MOST);
    for (const one of all) if (!this.#deleted.includes(one)) await forget(store, one.tool_id);
    if (now || all.length > this.#deleted.length) await store.put("drafts", DELETED, this.#deleted);
  }

  view(): ToolsView {
    const lines = this.#items.map((item): ToolLine => {
      const known = this.#known.get(item.tool_id);
      const waits = this.#waiting.get(item.tool_id);
      return {
        tool_id: item.tool_id,
        title: item.title,
        sub: known?.sub ?? "",
        findings: known?.findings ?? null,
        proposal: waits?.proposal ?? false,
        unsaved: waits?.unsaved ?? false,
        at: moment(item.updated_at),
      };
    });
    return {
      state: this.#state,
      tools: lines.sort((a, b) => b.at - a.at),
      problem: this.#problem,
      creating: this.#creating,
      deleted: this.#deleted,
      offline: !this.around.online(),
      now: Date.now(),
    };
  }
}

/** The first line of the help text that is no heading. */
function sentence(tool: Tool): string {
  const line =
    tool.virtual_files["usage_instructions.md"]
      .split("\n")
      .map((one) => one.trim())
      .find((one) => one !== "" && !one.startsWith("#")) ?? "";
  const plain = line.replace(/[`*_]/g, "");
  return plain.length > SUB_LENGTH ? `${plain.slice(0, SUB_LENGTH - 1)}…` : plain;
}
