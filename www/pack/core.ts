// `@holdpoint/core`: a tree of code for each place where it runs, one of types, and the modules that all trees share.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformWithEsbuild } from "vite";
import { BUILD, below, copy, EMITTED, head, ROOT, withEndings, write } from "./layout.ts";

const PLACES = ["workerd", "node", "browser"] as const;
type Place = (typeof PLACES)[number];

const HOME = join(BUILD, "core");
const DIST = join(HOME, "dist");
/** Modules whose instance can be lost to a trap. */
const TRAPPING = ["check-extension", "check-script", "check-crew", "check-app", "sandbox"];
const MODULES = [...TRAPPING, "core", "model", "ids", "geometry", "python", "crew", "archive"];

export async function layOutCore(): Promise<void> {
  const emitted = join(EMITTED, "core/src");
  for (const path of below(emitted)) {
    const text = withEndings(readFileSync(join(emitted, path), "utf8"));
    if (path.endsWith(".d.ts")) write(join(DIST, "types", path), text);
    else for (const place of PLACES) code(place, path, text);
  }
  // Declarations that the compiler reads and does not write.
  const generated = join(ROOT, "www/core/src/generated");
  for (const path of below(generated)) {
    const text = withEndings(readFileSync(join(generated, path), "utf8"));
    write(join(DIST, "types/generated", path.replace(/(\.d)?\.ts$/, ".d.ts")), text);
  }
  for (const name of MODULES) wasm(name);
  for (const name of TRAPPING) await fresh(name);
  copy(join(ROOT, "THIRD-PARTY.md"), join(HOME, "THIRD-PARTY.md"));
  head("core", HOME, (source) => {
    const path = source.replace("./src/", "").replace(".ts", "");
    const ways = PLACES.map((place): [string, string] => [place, `./dist/${place}/${path}.js`]);
    return {
      types: `./dist/types/${path}.d.ts`,
      ...Object.fromEntries(ways),
      default: `./dist/browser/${path}.js`,
    };
  });
}

/** A file of code, in the tree of a place: of `platform/` only what belongs there. */
function code(place: Place, path: string, text: string): void {
  const of = /^platform\/(\w+)/.exec(path)?.[1];
  if (path.startsWith("generated/") || (of && of !== place)) return;
  const placed =
    path === "platform.js" ? text.replace("platform/browser", `platform/${place}`) : text;
  write(join(DIST, place, path), placed);
}

function wasm(name: string): void {
  for (const file of [`${name}.js`, `${name}.d.ts`, `${name}_bg.wasm`])
    copy(join(ROOT, "www/core/wasm", name, file), join(DIST, "wasm", name, file));
}

/**
 * Glue holds one instance for the life of its module. Where no thread can be ended, a function makes a fresh one.
 */
async function fresh(name: string): Promise<void> {
  const file = join(ROOT, "www/core/wasm", name, `${name}.js`);
  const { code } = await transformWithEsbuild(readFileSync(file, "utf8"), file, {
    format: "cjs",
    sourcemap: false,
  });
  write(
    join(DIST, "workerd/platform/fresh", `${name}.js`),
    `export function fresh() {\nconst module = { exports: {} };\n${code}\nreturn module.exports;\n}\n`,
  );
}
