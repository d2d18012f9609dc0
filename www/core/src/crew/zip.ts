/**
 * A package as a ZIP archive, where there is no edge to make it: entries in byte order, dated 1980, deflated.
 *
 * The edge's archive (crew-package.md §7 "Export") is the one that is the same everywhere; this one holds the same
 * files.
 */
import type { Files } from "../types.ts";

const BINARY = "base64:";
/** 1 January 1980, in the words of the format. */
const DATE = 0x21;
const DEFLATED = 8;
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x800;
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

const utf8 = new TextEncoder();

export async function zipped(files: Files): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const central: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  const named = Object.keys(files).map((path) => ({ path, name: utf8.encode(path) }));
  for (const { path, name } of named.sort((a, b) => compared(a.name, b.name))) {
    const content = bytesOf(files[path] ?? "");
    const packed = await deflated(content);
    const facts = [VERSION, FLAGS, DEFLATED, 0, DATE];
    const sizes = [checksum(content), packed.length, content.length];
    const head = record([[LOCAL], facts, sizes, [name.length, 0]], name);
    central.push(
      record([[CENTRAL], [VERSION, ...facts], sizes, [name.length, 0, 0, 0, 0], [0, at]], name),
    );
    parts.push(head, packed);
    at += head.length + packed.length;
  }
  const size = central.reduce((sum, one) => sum + one.length, 0);
  const n = central.length;
  const end = record([[END], [0, 0, n, n], [size, at], [0]], new Uint8Array());
  return new Blob([...parts, ...central, end], { type: "application/zip" });
}

/** Groups of numbers, by turns of 4 and of 2 bytes, and what follows them. */
function record(groups: readonly (readonly number[])[], rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const size = groups.reduce((sum, group, n) => sum + group.length * (n % 2 ? 2 : 4), 0);
  const out = new Uint8Array(size + rest.length);
  const view = new DataView(out.buffer);
  let at = 0;
  for (const [n, group] of groups.entries())
    for (const value of group) {
      if (n % 2) view.setUint16(at, value, true);
      else view.setUint32(at, value, true);
      at += n % 2 ? 2 : 4;
    }
  out.set(rest, at);
  return out;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  if (!text.startsWith(BINARY)) return utf8.encode(text);
  return Uint8Array.from(atob(text.slice(BINARY.length)), (one) => one.charCodeAt(0));
}

async function deflated(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

function compared(a: Uint8Array, b: Uint8Array): number {
  const n = a.findIndex((byte, at) => byte !== b[at]);
  return n < 0 ? a.length - b.length : (a[n] ?? 0) - (b[n] ?? -1);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function checksum(content: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of content) c = (TABLE[(c ^ byte) & 0xff] ?? 0) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** What the file of a package is called (crew-package.md §7 "Export"). */
export function archiveName(name: string): string {
  const plain = name
    .replace(/[\\/:*?"<>|]+/g, "-")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 120)
    .replace(/\.+$/, "");
  return `${plain || "Untitled"}.bmad`;
}
