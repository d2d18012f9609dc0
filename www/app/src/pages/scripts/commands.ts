/** What can be done to a script as a whole, from the list or from its own page: its menu, and what the entries do. */
import { format, type MenuItem, t } from "@holdpoint/elements";
import type { Asking } from "../../asking.js";
import { saveFile } from "../../save-file.js";
import { type Around, tried } from "./around.js";
import type { ToolList } from "./list.js";
import type { ScriptTool } from "./tool.js";

/** The page, as far as these commands lead elsewhere in it. */
interface Host {
  readonly list: ToolList;
  readonly asking: Asking;
  /** The script that is open. */
  readonly tool: ScriptTool | null;
  go(id: string | null): void;
}

/** Loaded when a script is first handed on or taken. */
const archive = () => import("@holdpoint/core/script-archive");

export class Commands {
  constructor(
    private readonly around: Around,
    private readonly host: Host,
  ) {}

  items(id: string): MenuItem[] {
    const off = !this.around.online();
    const open = this.host.tool?.saving.head.tool_id === id;
    const first: MenuItem[] = open
      ? []
      : [{ id: `open:${id}`, label: t("script.tools.open"), icon: "code" }];
    return [
      ...first,
      { id: `rename:${id}`, label: t("script.tools.rename"), icon: "pen", off },
      { id: `duplicate:${id}`, label: t("script.tools.duplicate"), icon: "copy", off },
      { id: `download:${id}`, label: t("script.tools.download"), icon: "down", off: off && !open },
      "line",
      { id: `delete:${id}`, label: t("script.tools.delete"), icon: "trash", danger: true, off },
    ];
  }

  async run(what: string, id: string): Promise<void> {
    if (what === "open") return this.host.go(id);
    const title = this.#open(id)?.saving.head.title ?? this.host.list.title(id);
    if (what === "rename")
      this.#named("script.tools.rename", t("script.tools.rename.of", { title }), title, (next) =>
        this.#rename(id, next),
      );
    if (what === "duplicate")
      this.#named(
        "script.tools.duplicate",
        t("script.tools.duplicate.of", { title }),
        t("script.tools.copied", { title }),
        (next) => this.#duplicate(id, next),
      );
    if (what === "download") await this.#download(id, title);
    if (what === "delete") await this.#delete(id, title);
  }

  #open(id: string): ScriptTool | null {
    const { tool } = this.host;
    return tool?.saving.head.tool_id === id ? tool : null;
  }

  #named(
    go: "script.tools.rename" | "script.tools.duplicate",
    heading: string,
    value: string,
    act: (name: string) => unknown,
  ): void {
    const ask = { is: "name", heading, text: "", label: t("script.tools.name"), value } as const;
    this.host.asking.ask({ ...ask, go: t(go) }, act);
  }

  async #rename(id: string, title: string): Promise<void> {
    const done = await tried(this.around, "rename", () => this.around.api.rename(id, title));
    if (!done) return;
    const open = this.#open(id);
    if (open) open.saving.renamed(done.title);
    else await this.host.list.load();
    this.around.toast(t("script.tools.renamed", { title: done.title }));
  }

  /** With the texts as they stand here, saved or not. */
  async #duplicate(id: string, title: string): Promise<void> {
    const files =
      this.#open(id)?.editors.texts() ??
      (await tried(this.around, "create", () => this.around.api.tool(id)))?.virtual_files;
    const made = files && (await this.host.list.make(title, files));
    if (!made) return;
    this.around.toast(t("script.tools.created", { title }));
    this.host.go(made);
  }

  async #download(id: string, title: string): Promise<void> {
    const open = this.#open(id);
    const files =
      open?.editors.texts() ??
      (await tried(this.around, "download", () => this.around.api.tool(id)))?.virtual_files;
    if (!files) return;
    const { fileName, packed } = await archive();
    const name = fileName(title);
    saveFile(packed(files), name);
    const unsaved = (open?.saving.dirty().length ?? 0) > 0;
    this.around.toast(
      t("script.tools.downloaded", { name }),
      unsaved ? t("script.tools.downloaded.unsaved") : "",
    );
  }

  /** A file becomes a script of its own, which opens. */
  async upload(file: File): Promise<void> {
    const { titleOf, unpacked } = await archive();
    const read = await tried(this.around, "upload", () => unpacked(file));
    if (!read) return;
    const title = titleOf(file.name) || t("script.tools.script");
    const made = await this.host.list.make(title, read.files);
    if (!made) return;
    const left = read.left.length
      ? t("script.tools.uploaded.left", { names: format.listed(read.left) })
      : "";
    this.around.toast(t("script.tools.uploaded", { title }), left);
    this.host.go(made);
  }

  async #delete(id: string, title: string): Promise<void> {
    const open = this.#open(id) !== null;
    const removed = async () => {
      await this.around.api.remove(id);
      return true;
    };
    if (!(await tried(this.around, "remove", removed))) return;
    await this.host.list.gone(id, title);
    if (open) this.host.go(null);
    this.around.toast(t("script.tools.gone", { title }), "", () => this.bringBack(id, open));
  }

  /** It is in the list again, or open where it was deleted from its own page. */
  async bringBack(id: string, open = false): Promise<void> {
    const back = await tried(this.around, "back", () => this.around.api.bringBack(id));
    if (!back) return;
    await this.host.list.back(id);
    if (open) this.host.go(id);
    else await this.host.list.load();
    this.around.toast(t("script.tools.back", { title: back.title }));
  }
}
