/** What is opened: the file itself, or the model that it packs. What no tab can hold is refused before it is read. */

import type { ModelOpenError, OpenProgress } from "../types.ts";
import { isPacked, mostBytes } from "./ifczip.ts";

export type Unpacked =
  | { read: number; total: number }
  | { name: string; file: Blob }
  | { error: ModelOpenError };

export interface ModelFile {
  file: Blob;
  name: string;
}

/** Errors: `MODEL_INVALID` with a `reason`; `CANCELLED`. */
export async function modelFile(
  file: Blob,
  name: string,
  progress: (progress: OpenProgress) => void,
  signal: AbortSignal,
): Promise<ModelFile> {
  if (await isPacked(file)) return unpacked(file, progress, signal);
  const limit = mostBytes();
  if (file.size <= limit) return { file, name };
  const details = { reason: "too_large", size: file.size, limit };
  throw { code: "MODEL_INVALID", message: "The file is larger than a tab can hold.", details };
}

function unpacked(
  file: Blob,
  progress: (progress: OpenProgress) => void,
  signal: AbortSignal,
): Promise<ModelFile> {
  const worker = new Worker(new URL("./unzip-worker.ts", import.meta.url), { type: "module" });
  const error = (code: string, message: string): ModelOpenError => ({ code, message });
  return new Promise<ModelFile>((resolve, reject) => {
    const cancel = (): void => reject({ code: "CANCELLED", message: "Opening was cancelled." });
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    worker.onerror = (event) => {
      event.preventDefault();
      const message = "The packed file is damaged: its contents cannot be read.";
      reject({ ...error("MODEL_INVALID", message), details: { reason: "zip_broken" } });
    };
    worker.onmessage = ({ data }: MessageEvent<Unpacked>) => {
      if ("error" in data) reject(data.error);
      else if ("file" in data) resolve(data);
      else progress({ stage: "unpack", ...data });
    };
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}
