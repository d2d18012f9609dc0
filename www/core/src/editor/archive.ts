/**
 * A script as a file: a ZIP archive of its files by their names. What is taken is read off the directory first, so that
 * what is too much or no script is said before it is unpacked.
 */
import { strToU8, unzipSync, zipSync } from "fflate";
import type { ErrorShape } from "../types.ts";
import { FILES, isFileId, type VirtualFiles } from "./wire.ts";

/** All files of a script together, in bytes. */
const MAX_BYTES = 1_048_576;
const SCRIPT = "tool.py";

export interface Uploaded {
  files: VirtualFiles;
  /** What else was in the file; none of it is taken. */
  left: string[];
}

export const packed = (files: VirtualFiles): Blob => {
  const bytes = zipSync(Object.fromEntries(FILES.map((path) => [path, strToU8(files[path])])));
  return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/zip" });
};

/** What a title's file is called: letters that no file system takes are left out. */
export const fileName = (title: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
  `${title.replace(/[\u0000-\u001f\\/:*?"<>|]+/g, "-").replace(/^\.+|[. ]+$/g, "") || "script"}.zip`;

export const titleOf = (file: string): string => file.replace(/\.(zip|py)$/i, "").slice(0, 200);

/** The script of a file: an archive, or the Python alone. Throws an `ErrorShape`. */
export async function unpacked(file: File): Promise<Uploaded> {
  // What is stored without packing has a directory beside it.
  if (file.size > 2 * MAX_BYTES) throw refused("SCRIPT_UPLOAD_TOO_LARGE");
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (/\.py$/i.test(file.name)) return { files: { ...none(), [SCRIPT]: text(bytes) }, left: [] };
  const found = new Map<string, Uint8Array>();
  const left: string[] = [];
  let size = 0;
  let read: ReturnType<typeof unzipSync>;
  try {
    read = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        const own = isFileId(base(name));
        if (own) size += originalSize;
        else if (!name.endsWith("/") && !/(^|\/)(__MACOSX\/|\._|\.DS_Store$)/.test(name))
          left.push(name);
        return own && size <= MAX_BYTES;
      },
    });
  } catch {
    throw refused("SCRIPT_UPLOAD_UNREAD");
  }
  if (size > MAX_BYTES) throw refused("SCRIPT_UPLOAD_TOO_LARGE");
  for (const [name, one] of Object.entries(read)) {
    if (found.has(base(name))) throw refused("SCRIPT_UPLOAD_TWICE");
    found.set(base(name), one);
  }
  if (!found.has(SCRIPT)) throw refused("SCRIPT_UPLOAD_NO_SCRIPT");
  const texts = [...found].map(([path, one]) => [path, text(one)]);
  return { files: { ...none(), ...Object.fromEntries(texts) }, left };
}

const base = (name: string): string => name.slice(name.lastIndexOf("/") + 1);
const none = (): VirtualFiles =>
  Object.fromEntries(FILES.map((path) => [path, ""])) as VirtualFiles;

function text(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refused("SCRIPT_UPLOAD_NO_TEXT");
  }
}

const refused = (code: string): ErrorShape => ({ code, message: "" });
