// What both packages have: where they are laid out, their manifests, licences, and code as it leaves the compiler.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const BUILD = join(ROOT, "build/packages");
/** What the compiler made of `www`. */
export const EMITTED = join(BUILD, "emitted");

const COPIED = ["LICENSE-MIT", "LICENSE-APACHE"];

export type Door = Record<string, string> | string;
interface Manifest {
  exports: Record<string, string>;
  files?: string[];
  private?: boolean;
  scripts?: unknown;
  devDependencies?: unknown;
  dependencies?: Record<string, string>;
  version: string;
}

/** Writes a file of a package, with the folders that it needs. */
export function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

export function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/** Files below a folder, by their path in it. */
export const below = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

/** The manifest of a source package, its README and the project's licences; `door` says where an export leads. */
export function head(name: string, home: string, door: (source: string) => Door): void {
  const source = join(ROOT, "www", name);
  const {
    scripts: _,
    devDependencies: __,
    private: ___,
    ...manifest
  } = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as Manifest;
  const doors = Object.entries(manifest.exports).map(([path, to]) => [path, door(to)]);
  const dependencies = Object.fromEntries(
    Object.entries(manifest.dependencies ?? {}).map(([needed, range]) => [
      needed,
      // Both are released together.
      needed.startsWith("@holdpoint/") ? manifest.version : range,
    ]),
  );
  const packed = {
    ...manifest,
    ...(manifest.dependencies ? { dependencies } : {}),
    files: ["dist", "THIRD-PARTY.md", ...COPIED],
    exports: Object.fromEntries(doors),
  };
  write(join(home, "package.json"), `${JSON.stringify(packed, null, 2)}\n`);
  copy(join(source, "README.md"), join(home, "README.md"));
  for (const file of COPIED) copy(join(ROOT, file), join(home, file));
}

/** Names of modules beside each other, with the ending of built code: `./a.ts` and `./a` become `./a.js`. */
export const withEndings = (text: string): string =>
  text.replace(
    /((?:\bfrom|\bimport|new URL\()\s*\(?")(\.{1,2}\/[^"]+?)(\.ts)?(?=")/g,
    (whole, before: string, path: string, ending?: string) =>
      ending || !/\.[a-z?=]+$/.test(path) ? `${before}${path}.js` : whole,
  );
