/**
 * IFCZIP: a ZIP file that holds one IFC file. What it holds is read off its directory, so that what is too much,
 * encrypted or not there is said before a byte is unpacked.
 *
 * Only the compressed bytes of the one file are read, piece by piece; the result is bounded by what the directory says.
 */

import { Inflate } from "fflate";
import type { ModelOpenError } from "../types.ts";

/** More than this is in no tab: the memory of a module ends at 4 GB, and its model stands beside the file. */
export const MAX_MODEL_BYTES = 2_000_000_000;
/** While it opens a model takes up to three times its file; a device of so many files has some memory left. */
const FILES_OF_A_DEVICE = 4;

/** Bytes of the largest file that a tab of this device holds, as far as the browser says what that has. */
export function mostBytes(device: object = globalThis.navigator ?? {}): number {
  const { deviceMemory } = device as { deviceMemory?: number };
  if (deviceMemory === undefined) return MAX_MODEL_BYTES;
  return Math.min(MAX_MODEL_BYTES, (deviceMemory * 2 ** 30) / FILES_OF_A_DEVICE);
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
/** The end of a directory and the longest comment behind it. */
const TAIL = 22 + 0xffff;
/** A directory of more than this is no model's. */
const MAX_DIRECTORY = 4_000_000;
/** Compressed bytes that are read at once. */
const PIECE = 1 << 20;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
const UTF8 = 0x800;
/** In the place of a size that stands in 64 bits elsewhere. */
const ELSEWHERE = 0xffffffff;

interface Entry {
  name: string;
  flags: number;
  method: number;
  packed: number;
  size: number;
  at: number;
}

const failed = (
  reason: string,
  message: string,
  more: NonNullable<ModelOpenError["details"]> = {},
): ModelOpenError => ({ code: "MODEL_INVALID", message, details: { reason, ...more } });

const broken = (): ModelOpenError =>
  failed("zip_broken", "The packed file is damaged: its contents cannot be read.");

const tooLarge = (size: number): ModelOpenError =>
  failed("too_large", "The file is larger than a tab can hold.", { size, limit: mostBytes() });

/** Whether a file is packed: its first bytes say so, whatever it is called. */
export async function isPacked(file: Blob): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5);
}

/** The one model of a packed file. `progress` is told of unpacked bytes. Errors: `MODEL_INVALID` with a `reason`. */
export async function unpack(
  file: Blob,
  progress: (read: number, total: number) => void,
  limit: number = mostBytes(),
): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  const entry = theModel(await entries(file), limit);
  const head = new DataView(await file.slice(entry.at, entry.at + 30).arrayBuffer());
  if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL) throw broken();
  const from = entry.at + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const bytes = await contents(file.slice(from, from + entry.packed), entry, progress);
  return { name: entry.name.slice(entry.name.lastIndexOf("/") + 1), bytes };
}

/** Folders and what a Mac adds are no models. */
function theModel(all: Entry[], limit: number): Entry {
  const models = all.filter(
    ({ name }) => /\.ifc$/i.test(name) && !/(^|\/)(__MACOSX\/|\._)/.test(name),
  );
  const [model, second] = models;
  if (!model) throw failed("zip_none", "There is no IFC file in the packed file.");
  if (second)
    throw failed("zip_several", "There are several IFC files in the packed file.", {
      names: models.map(({ name }) => name),
    });
  if (model.flags & ENCRYPTED)
    throw failed("zip_encrypted", "The packed file is protected by a password.");
  if (model.size > limit || model.size === ELSEWHERE || model.packed === ELSEWHERE)
    throw tooLarge(model.size);
  if (model.method !== STORED && model.method !== DEFLATED)
    throw failed("zip_method", "The file is packed in a way that cannot be read.");
  return model;
}

async function entries(file: Blob): Promise<Entry[]> {
  const tail = await view(file, Math.max(0, file.size - TAIL), file.size);
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1;
  if (end < 0) throw broken();
  const length = tail.getUint32(end + 12, true);
  const begin = tail.getUint32(end + 16, true);
  if (length > MAX_DIRECTORY || begin + length > file.size) throw broken();
  const list = await view(file, begin, begin + length);
  const found: Entry[] = [];
  for (let at = 0; at + 46 <= list.byteLength && list.getUint32(at, true) === ENTRY; ) {
    const [name, extra, comment] = [28, 30, 32].map((one) => list.getUint16(at + one, true));
    const flags = list.getUint16(at + 8, true);
    const text = new Uint8Array(
      list.buffer,
      at + 46,
      Math.min(name ?? 0, list.byteLength - at - 46),
    );
    found.push({
      name: new TextDecoder(flags & UTF8 ? "utf-8" : "latin1").decode(text),
      flags,
      method: list.getUint16(at + 10, true),
      packed: list.getUint32(at + 20, true),
      size: list.getUint32(at + 24, true),
      at: list.getUint32(at + 42, true),
    });
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return found;
}

const view = async (file: Blob, from: number, to: number): Promise<DataView<ArrayBuffer>> =>
  new DataView(await file.slice(from, to).arrayBuffer());

/** What comes of it has just as many bytes as the directory says. */
async function contents(
  packed: Blob,
  { method, size }: Entry,
  progress: (read: number, total: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(size);
  } catch {
    throw tooLarge(size);
  }
  let done = 0;
  const put = (piece: Uint8Array): void => {
    if (done + piece.length > size) throw broken();
    bytes.set(piece, done);
    done += piece.length;
  };
  const inflate = new Inflate(put);
  try {
    for (let from = 0; from < packed.size; from += PIECE) {
      const piece = new Uint8Array(await packed.slice(from, from + PIECE).arrayBuffer());
      if (method === STORED) put(piece);
      else inflate.push(piece, from + PIECE >= packed.size);
      progress(done, size);
    }
  } catch {
    throw broken();
  }
  if (done !== size) throw broken();
  return bytes;
}
