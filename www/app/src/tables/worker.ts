/** Makes files of tables off the main thread: a table a worker. */
import type { ExportTable } from "@holdpoint/elements/base/export-table";
import { type Format, fileOf } from "./files.js";

declare const self: {
  postMessage(message: { file: Blob } | { error: string }): void;
  onmessage: ((event: MessageEvent<{ table: ExportTable; format: Format }>) => void) | null;
};

self.onmessage = ({ data }) => {
  fileOf(data.table, data.format).then(
    (file) => self.postMessage({ file }),
    (error: unknown) => self.postMessage({ error: String(error) }),
  );
};
