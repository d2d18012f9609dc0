/**
 * Compresses ahead of time: beside each file of the build that shrinks lies one of brotli and one of gzip, which the
 * edge sends as they are to whoever takes them (`worker/src/routes/page.rs`).
 *
 * Brotli at its highest level takes half a minute for the modules: what the last build compressed is kept. Modules of
 * development are many times as large and travel nowhere: with `HOLDPOINT_QUICK` they are compressed at the lowest
 * level.
 */
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const SHRINKS = /\.(html|js|css|wasm|json|webmanifest|svg|ifc|txt)$/;

const QUICK = Boolean(process.env.HOLDPOINT_QUICK);
const CODINGS: [ending: string, compress: (bytes: Buffer) => Promise<Buffer>][] = [
  [
    ".br",
    (bytes) =>
      promisify(brotliCompress)(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: QUICK
            ? constants.BROTLI_MIN_QUALITY
            : constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }),
  ],
  [
    ".gz",
    (bytes) =>
      promisify(gzip)(bytes, {
        level: QUICK ? constants.Z_BEST_SPEED : constants.Z_BEST_COMPRESSION,
      }),
  ],
];

/** `kept` is the folder of what was compressed before; what this build does not use goes from it. */
export function compressed(kept: string): Plugin {
  let dir = "";
  return {
    name: "compressed",
    apply: "build",
    configResolved(config) {
      dir = config.build.outDir;
    },
    async closeBundle() {
      mkdirSync(kept, { recursive: true });
      const files = readdirSync(dir, { recursive: true, encoding: "utf8" });
      const work = files.filter((name) => SHRINKS.test(name)).map((name) => both(join(dir, name)));
      const used = new Set((await Promise.all(work)).flat());
      for (const old of readdirSync(kept)) if (!used.has(old)) rmSync(join(kept, old));
    },
  };

  async function both(file: string): Promise<string[]> {
    const bytes = readFileSync(file);
    const hash = createHash("sha256").update(bytes).digest("hex");
    for (const [ending, compress] of CODINGS) {
      const known = join(kept, hash + ending);
      if (!existsSync(known)) writeFileSync(known, await compress(bytes));
      copyFileSync(known, file + ending);
    }
    return CODINGS.map(([ending]) => hash + ending);
  }
}
