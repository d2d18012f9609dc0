// Somebody who has never seen the project: a folder outside of it, with the packed packages and what they need.
//
// What stands in it besides is what the packages' READMEs tell people to write, letter for letter.

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PACKED = join(ROOT, "build/packages");

export type Name = "core" | "elements";

export interface Manifest {
  name: string;
  private?: boolean;
  exports: Record<string, string | Record<string, string>>;
  dependencies?: Record<string, string>;
}

/** The tarball of a package, as `npm pack` made it. */
export function tarball(name: Name): string {
  const file = existsSync(PACKED)
    ? readdirSync(PACKED).find((one) => one.startsWith(`holdpoint-${name}-`))
    : undefined;
  if (!file) throw new Error("The packages are not packed: `npm run --workspace www/pack pack`.");
  return join(PACKED, file);
}

/** A folder with packages installed from their tarballs; it goes when the tests of the file end. */
export function stranger(...names: Name[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "stranger-")));
  after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  for (const name of names) install(folder, name);
  return folder;
}

function install(folder: string, name: Name): void {
  const home = join(folder, "node_modules/@holdpoint", name);
  mkdirSync(home, { recursive: true });
  execFileSync("tar", ["-xzf", tarball(name), "-C", home, "--strip-components=1"]);
  for (const needed of Object.keys(manifestOf(home).dependencies ?? {})) {
    if (!needed.startsWith("@holdpoint/")) link(folder, needed);
  }
}

/** A package of the registry, which stands in the project already. */
export function link(folder: string, name: string): void {
  const place = join(folder, "node_modules", name);
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(ROOT, "node_modules", name), place, "dir");
}

export const manifestOf = (home: string): Manifest =>
  JSON.parse(readFileSync(join(home, "package.json"), "utf8"));

/** Writes the files of a package's README; each stands in a block that is marked with its name. */
export function follow(folder: string, name: Name): void {
  const text = readFileSync(join(folder, "node_modules/@holdpoint", name, "README.md"), "utf8");
  for (const [, path, code] of text.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
  }
}

/** What the README of the core says that its walk answers. */
export const answer = (folder: string): unknown =>
  JSON.parse(readFileSync(join(folder, "answer.json"), "utf8"));
