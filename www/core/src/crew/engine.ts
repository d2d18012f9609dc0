/**
 * What reads and writes crew packages, a Wasm module of its own that only the crew pages load: the readers of the
 * check, and the archive of the edge. Synchronous once it is loaded.
 */

import init, { archive, call } from "../../wasm/crew/crew.js";
import { answered } from "../core.ts";
import { platform } from "../platform.ts";
import type { Files } from "../types.ts";

const encoder = new TextEncoder();
const utf8 = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

let loading: Promise<void> | undefined;

/** Loads the module once; a failed load is tried again by the next call. */
export function loadCrew(): Promise<void> {
  loading ??= init({ module_or_path: platform.compiled("crew") }).then(
    () => undefined,
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** A method of the loaded module. */
export const asked = <T>(method: string, input: unknown): T =>
  answered<T>(call(method, utf8(input)));

/** A package as a ZIP archive, in the bytes of the edge's (crew-package.md §7 "Export"). */
export async function zipped(files: Files): Promise<Blob> {
  try {
    const bytes = archive(utf8(files)) as Uint8Array<ArrayBuffer>;
    return new Blob([bytes], { type: "application/zip" });
  } catch (error) {
    // The module throws an error answer.
    return typeof error === "string" ? answered<never>(error) : Promise.reject(error);
  }
}

/**
 * What the file of a package is called where a person saves it: a ZIP, which their
 * computer knows and an import takes.
 */
export const archiveName = (name: string): string =>
  asked<{ file: string }>("crew.file_name", { name }).file.replace(/\.bmad$/, ".zip");
