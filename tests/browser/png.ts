// Makes a screenshot small: the same picture with a palette of at most 256 colours. Only what Chromium writes is read.

import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const COLOURS = 256;
/** Places of the palette that are kept for rare colours which no frequent one is like: a small red mark stays red. */
const RARE = 96;
/** Two colours are alike up to this distance, squared. */
const ALIKE = 600;

/** An 8-bit RGB or RGBA PNG as an indexed one. */
export function shrunk(png: Buffer): Buffer {
  const { width, height, size, pixels } = read(png);
  const counts = new Map<number, number>();
  const keys = new Uint32Array(width * height);
  for (let i = 0; i < keys.length; i += 1) {
    const at = i * size;
    const key = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    keys[i] = key;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const palette = chosen([...counts].sort((a, b) => b[1] - a[1]).map(([key]) => key));
  const index = new Map(palette.map((key, i) => [key, i]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const key = keys[y * width + x];
      const place = index.get(key) ?? nearest(palette, key);
      index.set(key, place);
      rows[y * (width + 1) + 1 + x] = place;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((key) => [key >> 16, (key >> 8) & 255, key & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The most frequent colours, then such as differ from all that are in, then the rest. */
function chosen(keys: number[]): number[] {
  const palette = keys.slice(0, COLOURS - RARE);
  const rest: number[] = [];
  for (const key of keys.slice(COLOURS - RARE)) {
    const differs =
      palette.length < COLOURS && palette.every((other) => distance(other, key) > ALIKE);
    (differs ? palette : rest).push(key);
  }
  return [...palette, ...rest.slice(0, COLOURS - palette.length)];
}

function nearest(palette: number[], key: number): number {
  let best = 0;
  let least = Infinity;
  for (const [i, other] of palette.entries()) {
    const far = distance(other, key);
    if (far < least) [best, least] = [i, far];
  }
  return best;
}

function distance(one: number, other: number): number {
  const [r, g, b] = [
    (one >> 16) - (other >> 16),
    ((one >> 8) & 255) - ((other >> 8) & 255),
    (one & 255) - (other & 255),
  ];
  return r * r + g * g + b * b;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** Width, height, bytes a pixel, and the pixels with the row filters undone. */
function read(png: Buffer) {
  const parts: Buffer[] = [];
  let header: Buffer = Buffer.alloc(0);
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") header = data;
    if (type === "IDAT") parts.push(data);
    at += length + 12;
  }
  const [width, height, size] = [
    header.readUInt32BE(0),
    header.readUInt32BE(4),
    header[9] === 6 ? 4 : 3,
  ];
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * size;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x >= size ? pixels[at - size] : 0;
      const up = y > 0 ? pixels[at - stride] : 0;
      const corner = x >= size && y > 0 ? pixels[at - stride - size] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[at] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return { width, height, size, pixels };
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
