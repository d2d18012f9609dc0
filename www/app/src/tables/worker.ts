/** Makes files of tables off the main thread: a table a worker, which gets it column by column. */
import type { ExportTable } from "@holdpoint/elements/base/export-table";
import { type Format, fileOf } from "./files.js";

/** A column of a table, or that all of them are there. */
export type TablePart =
  | { column: ExportTable["columns"][number] }
  | { format: Format; name: string; ids?: (string | null)[] };

declare const self: {
  postMessage(message: { file: Blob } | { error: string }): void;
  onmessage: ((event: MessageEvent<TablePart>) => void) | null;
};

const columns: ExportTable["columns"] = [];

self.onmessage = ({ data }) => {
  if ("column" in data) {
    columns.push(data.column);
    return;
  }
  const { format, ...head } = data;
  fileOf({ ...head, columns }, format).then(
    (file) => self.postMessage({ file }),
    (error: unknown) => self.postMessage({ error: String(error) }),
  );
};
