/**
 * Bundles as one file `.hpx` (ifc-extension.md §8), a Wasm module of its own that is loaded when somebody hands an
 * extension on or takes one. What a taken one may do is decided by check and review, as of every bundle.
 */

import init, { call } from "../wasm/archive/archive.js";
import { answered } from "./core.ts";
import { platform } from "./platform.ts";
import type { Diagnostic, Files } from "./types.ts";

/** Who signed, where somebody did and the signature fits. */
export type Signature = { status: "none" } | { status: "valid"; key_id: string; signed_at: string };

/** The bundle of a file, or why it is none. */
export type Opened =
  | { ok: true; files: Files; content_hash: string; signature: Signature; diagnostics: [] }
  | { ok: false; diagnostics: Diagnostic[] };

export interface Archives {
  /** The file of a bundle; throws a `CoreError` where it could not be opened again. */
  pack(kind: string, files: Files): Blob;
  open(file: Uint8Array): Opened;
}

/** Bytes of a file that are read: one more than any archive has is enough to say so. */
export const READ_BYTES = 2_621_441;

const encoder = new TextEncoder();
const asked = <T>(method: string, input: unknown): T =>
  answered<T>(call(method, encoder.encode(JSON.stringify(input))));

const archives: Archives = {
  pack(kind, files) {
    const { archive } = asked<{ archive: string }>("archive.pack", { kind, files });
    const bytes = Uint8Array.from(atob(archive), (letter) => letter.charCodeAt(0));
    return new Blob([bytes], { type: "application/octet-stream" });
  },
  open: (file) => asked<Opened>("archive.open", { archive: base64(file.subarray(0, READ_BYTES)) }),
};

/** In pieces: a call takes only so many arguments. */
function base64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 8_192)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)));
  return btoa(pieces.join(""));
}

let loading: Promise<Archives> | undefined;

/** Loads the module once; a failed load is tried again by the next call. */
export function loadArchives(): Promise<Archives> {
  loading ??= init({ module_or_path: platform.compiled("archive") }).then(
    () => archives,
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}
