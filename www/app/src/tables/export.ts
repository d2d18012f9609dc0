/** Export table: which file a person wants, and the file. */
import type { ElementRef, ErrorShape } from "@holdpoint/core/types";
import { type ExportAsk, type ExportTable, type MenuItem, t } from "@holdpoint/elements";
import { saveFile } from "../save-file.js";
import { endingOf, FORMATS, type Format, MAX_SHEET_ROWS } from "./files.js";
import type { TablePart } from "./worker.js";

export interface ExportAround {
  menu(menu: { label: string; anchor: HTMLElement; items: MenuItem[] }): void;
  told(text: string): void;
  refused(error: ErrorShape): void;
  /** The GlobalIds of elements that are shown. */
  ids(elements: (ElementRef | null)[]): (string | null)[];
  /** What the file is named after: the open model. */
  name(): string;
}

const BEGIN = "export:";

export class Exports {
  /** The table that the open menu is about. */
  #table: (() => ExportTable | null) | null = null;

  constructor(private readonly around: ExportAround) {}

  ask({ anchor, table }: ExportAsk): void {
    this.#table = table;
    this.around.menu({ label: t("export.table"), anchor, items: exportItems() });
  }

  /** Whether a command is one of these; then the table of the menu is saved, without a menu the one of the page. */
  takes(id: string, own: () => ExportTable | null): boolean {
    const format = FORMATS.find((one) => id === `${BEGIN}${one}`);
    if (!format) return false;
    const table = (this.#table ?? own)();
    this.#table = null;
    if (!table) return true;
    const { elements, ...rest } = table;
    void this.#save(elements ? { ...rest, ids: this.around.ids(elements) } : rest, format);
    return true;
  }

  /** A menu was closed: what is asked for without one is about the page's own table. */
  closed(): void {
    this.#table = null;
  }

  async #save(table: ExportTable, format: Format): Promise<void> {
    const n = table.columns[0]?.values.length ?? 0;
    try {
      if (format === "xlsx" && n >= MAX_SHEET_ROWS)
        throw { code: "INPUT_TOO_LARGE", message: t("export.too_long", { n: MAX_SHEET_ROWS - 1 }) };
      const file = await made(table, format);
      const stem = this.around.name().replace(/\.[^.]+$/, "");
      const name = `${[stem, table.name].filter((part) => part).join(" ")}.${endingOf(format)}`;
      saveFile(file, name);
      this.around.told(t("export.done", { name, n }));
    } catch (error) {
      this.around.refused(error as ErrorShape);
    }
  }
}

export const exportItems = (): MenuItem[] =>
  FORMATS.map((format) => ({
    id: `${BEGIN}${format}`,
    label: t(`export.${format}`),
    ...(format === "xlsx" ? {} : { sub: t(`export.${format}.sub`) }),
    testid: `hp-export-${format}`,
  }));

function made(table: ExportTable, format: Format): Promise<Blob> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const failed = (message: string): ErrorShape => ({ code: "INTERNAL", message });
  return new Promise<Blob>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<{ file: Blob } | { error: string }>) =>
      "file" in data ? resolve(data.file) : reject(failed(data.error));
    worker.onerror = (event) => {
      event.preventDefault();
      reject(failed(event.message));
    };
    const { columns, name, ids } = table;
    void send(worker, [
      ...columns.map((column): TablePart => ({ column })),
      { format, name, ...(ids ? { ids } : {}) },
    ]);
  }).finally(() => worker.terminate());
}

/** Piece by piece: copying a whole model at once would hold up the page. */
async function send(worker: Worker, parts: readonly TablePart[]): Promise<void> {
  for (const part of parts) {
    worker.postMessage(part);
    await new Promise((done) => setTimeout(done));
  }
}
